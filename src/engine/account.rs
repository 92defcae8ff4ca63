//! What goes in comes out: checked for each part of a chunk in its turn, and for the run at its end, whatever went on before.

use crate::convert::Counts;
use crate::error::Error;

/// The records of a chunk, counted where they are found and where they are put into the output: the counts of what became of
/// them are others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Account {
    /// Those that were found in the text.
    pub(super) found: u64,
    /// Those that were put into the output, or, where nothing is written, found to be good.
    pub(super) good: u64,
    /// Those that have a reject row.
    pub(super) told: u64,
}

impl Account {
    pub(super) fn add(&mut self, other: Self) {
        self.found += other.found;
        self.good += other.good;
        self.told += other.told;
    }
}

/// Checks that every record that was found was counted, and is either in the output or rejected.
pub(super) fn balance(account: Account, counts: &Counts) -> Result<(), Error> {
    let Account { found, good, told } = account;
    if found == counts.records && counts.records == good + counts.rejected && told == counts.rejected {
        return Ok(());
    }
    Err(Error::Internal(format!(
        "{found} records were found and {} counted, but {good} written and {} rejected, with {told} rows that say why",
        counts.records, counts.rejected
    )))
}

/// Checks that all text that was read was also taken.
pub(super) fn all_taken(read: u64, taken: u64) -> Result<(), Error> {
    match read == taken {
        true => Ok(()),
        false => Err(Error::Internal(format!("{read} bytes of text were read, but {taken} taken"))),
    }
}

/// Checks that the text of an input comes without a gap: `offset` is where a chunk begins, `so_far` where the one before ended.
pub(super) fn follows(offset: u64, so_far: u64) -> Result<(), Error> {
    match offset == so_far {
        true => Ok(()),
        false => Err(Error::Internal(format!("text was read up to byte {so_far}, and then from byte {offset}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[test]
    fn a_record_that_is_missing_or_too_many_is_an_error() {
        for (found, records, good, rejected, told, fine) in [
            (5, 5, 3, 2, 2, true),
            (5, 5, 2, 2, 2, false),
            (5, 5, 4, 2, 2, false),
            (6, 5, 3, 2, 2, false),
            (5, 5, 3, 2, 1, false),
            (5, 5, 3, 2, 3, false),
            (0, 0, 0, 0, 0, true),
        ] {
            let mut counts = Counts::default();
            (0..rejected).for_each(|_| counts.reject(Code::Length));
            counts.records = records;
            let account = Account { found, good, told };
            assert_eq!(balance(account, &counts).is_ok(), fine, "{account:?} {records} {rejected}");
        }
        assert!(follows(7, 7).is_ok() && follows(8, 7).is_err());
        assert!(all_taken(7, 7).is_ok() && all_taken(8, 7).is_err());
    }
}
