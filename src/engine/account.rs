//! What goes in comes out: checked for each chunk in its turn, whatever went on before.

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
}

/// Checks that every record that was found was counted, and is either in the output or rejected.
pub(super) fn balance(account: Account, counts: &Counts) -> Result<(), Error> {
    let Account { found, good } = account;
    if found == counts.records && counts.records == good + counts.rejected {
        return Ok(());
    }
    Err(Error::Internal(format!(
        "{found} records were found and {} counted, but {good} written and {} rejected",
        counts.records, counts.rejected
    )))
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
        for (found, records, good, rejected, fine) in
            [(5, 5, 3, 2, true), (5, 5, 2, 2, false), (5, 5, 4, 2, false), (6, 5, 3, 2, false), (0, 0, 0, 0, true)]
        {
            let mut counts = Counts::default();
            (0..rejected).for_each(|_| counts.reject(Code::Length));
            counts.records = records;
            assert_eq!(balance(Account { found, good }, &counts).is_ok(), fine, "{found} {records} {good} {rejected}");
        }
        assert!(follows(7, 7).is_ok() && follows(8, 7).is_err());
    }
}
