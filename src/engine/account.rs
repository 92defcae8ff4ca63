//! Makes sure that no record is lost: a second, independent count of records is compared with [`Counts`], for each part
//! of a chunk in its turn and for the whole run at its end.

use crate::convert::Counts;
use crate::error::Error;

/// A second count of the records of a chunk. It is made where records are found and where they are written, and so does
/// not depend on the counts of the converter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Account {
    /// Records found in the text.
    pub(super) found: u64,
    /// Records written to the output; if nothing is written, records found to be good.
    pub(super) good: u64,
    /// Records that have a reject row.
    pub(super) told: u64,
}

impl Account {
    pub(super) fn add(&mut self, other: Self) {
        self.found += other.found;
        self.good += other.good;
        self.told += other.told;
    }
}

/// Checks that every record found was counted, and that each is either written or rejected.
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

/// Checks that all text that was read was also processed.
pub(super) fn all_taken(read: u64, taken: u64) -> Result<(), Error> {
    match read == taken {
        true => Ok(()),
        false => Err(Error::Internal(format!("{read} bytes of text were read, but {taken} taken"))),
    }
}

/// Checks that there is no gap in the text of an input: `offset` is the start of a chunk, `so_far` the end of the one
/// before.
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
