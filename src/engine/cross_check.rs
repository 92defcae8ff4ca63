//! Makes sure that no record is lost: a second, independent count of records is compared with [`Counts`], for each part
//! of a chunk in its turn and for the whole run at its end.

use crate::convert::Counts;
use crate::error::Error;

/// A second count of the records of a chunk. It is made where records are found and where they are written, and so does
/// not depend on the counts of the converter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CrossCheck {
    /// Records found in the text.
    pub(super) found: u64,
    /// Records written to the output; if nothing is written, records found to be good.
    pub(super) good: u64,
    /// Records that have a reject row.
    pub(super) reported: u64,
}

impl CrossCheck {
    pub(super) fn add(&mut self, other: Self) {
        self.found += other.found;
        self.good += other.good;
        self.reported += other.reported;
    }
}

/// Checks that every record found was counted, and that each is either written or rejected.
pub(super) fn check_records(second: CrossCheck, counts: &Counts) -> Result<(), Error> {
    let CrossCheck { found, good, reported } = second;
    let left_out = counts.rejected + counts.passed_over;
    if found == counts.records && counts.records == good + left_out && reported == counts.rejected {
        return Ok(());
    }
    Err(Error::Internal(format!(
        "{found} records were found and {} counted, but {good} written, {} passed over and {} rejected, with {reported} rows \
         that say why",
        counts.records, counts.passed_over, counts.rejected
    )))
}

/// Checks the rows of files with columns: those that the reader counted were converted, and those that the writer
/// counted are all but those left out. `written` is `None` if no rows are written.
pub(super) fn check_rows(read: u64, counts: &Counts, left_out: u64, written: Option<u64>) -> Result<(), Error> {
    let rows = counts.lines;
    if read == rows && written.is_none_or(|written| written + left_out == rows) {
        return Ok(());
    }
    let written = written.map_or("none".to_string(), |written| written.to_string());
    let words = format!("{read} rows were read and {rows} converted, but {written} written and {left_out} left out");
    Err(Error::Internal(words))
}

/// Checks that all text that was read was also processed.
pub(super) fn check_all_processed(read: u64, processed: u64) -> Result<(), Error> {
    match read == processed {
        true => Ok(()),
        false => Err(Error::Internal(format!("{read} bytes of text were read, but {processed} taken"))),
    }
}

/// Checks that there is no gap in the text of an input: `offset` is the start of a chunk, `so_far` the end of the one
/// before.
pub(super) fn check_contiguous(offset: u64, so_far: u64) -> Result<(), Error> {
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
        for (found, records, good, rejected, reported, fine) in [
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
            let second = CrossCheck { found, good, reported };
            assert_eq!(check_records(second, &counts).is_ok(), fine, "{second:?} {records} {rejected}");
        }
        assert!(check_contiguous(7, 7).is_ok() && check_contiguous(8, 7).is_err());
        assert!(check_all_processed(7, 7).is_ok() && check_all_processed(8, 7).is_err());
    }
}
