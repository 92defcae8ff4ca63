//! Recognises rows that lost a line end or a delimiter, or have an extra delimiter.
//!
//! Such a row has more or fewer fields than the first row, and a string in the field to which this damage would have
//! moved it. If the row were converted as usual, that string would stay unconverted, or a string of another column
//! would be converted in its place.

use std::ops::Range;

use crate::error::{Code, Reject, plural};
use crate::formats::{Hints, recognise};

/// The length of the shortest string of any format.
pub(super) const SHORTEST: usize = 20;

/// A row with more or fewer fields than the first one.
pub(super) struct Ragged<'t, F> {
    /// Its text.
    pub(super) row: &'t [u8],
    /// Its fields, with their quotes.
    pub(super) fields: F,
    /// The column of the strings, from 0.
    pub(super) column: usize,
    /// Whether the row's field in this column is empty.
    pub(super) is_empty: bool,
    /// The number of fields in the first row.
    pub(super) width: usize,
}

impl<F: Iterator<Item = Range<usize>> + Clone> Ragged<'_, F> {
    /// The reason to refuse the row, if its string seems to be in the wrong field. `ends_in_record` says whether a text
    /// ends in a string.
    #[cold]
    pub(super) fn misplaced(&self, ends_in_record: &dyn Fn(&[u8]) -> bool) -> Option<Reject> {
        let Self { column, width, .. } = *self;
        let fields = self.fields.clone().count();
        let record = |field| self.fields.clone().nth(field).is_some_and(|place| ends_in_record(&self.row[place]));
        // Another byte in place of the line end joins the two fields around it into one. A delimiter keeps them apart.
        let joined = || width > 1 && record(column + width - 1);
        let why = if fields >= (2 * width - 1).max(2) && (joined() || record(column + width)) {
            "is the line end between two rows missing?"
        } else if fields < width && column > 0 && record(column - 1) {
            "is the delimiter before its string missing?"
        } else if fields > width && self.is_empty && record(column + 1) {
            "is there an extra delimiter before its string?"
        } else {
            return None;
        };
        Some(Reject::whole(
            Code::Column,
            format!("the row has {fields} field{}, the first row {width}; {why}", plural(fields)),
        ))
    }
}

/// Whether a field ends in a record: the field is a record, or the separator before a record is missing.
pub(super) fn ends_in_record(field: &[u8], hints: &Hints) -> bool {
    /// The lengths of the records that are searched for.
    const LENGTHS: Range<usize> = 20..3000;
    let field = field.strip_suffix(b"\"").unwrap_or(field);
    // Records consist of printable ASCII characters without quotes.
    let start = field.iter().rposition(|byte| !byte.is_ascii_graphic() || *byte == b'"').map_or(0, |at| at + 1);
    let end = &field[start.max(field.len().saturating_sub(LENGTHS.end))..];
    (0..(end.len() + 1).saturating_sub(LENGTHS.start)).any(|start| recognise(&end[start..], None, hints).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_beside_their_column() {
        for (row, column, width, refused) in [
            ("1,S,5", 1, 3, None),
            ("1,S", 1, 3, None),
            ("1,S,5,S", 1, 3, None), // two rows would have at least five fields
            ("1,S,5x2,S,6", 1, 3, Some("two rows")),
            ("1,S,5,2,S,6", 1, 3, Some("two rows")),
            ("1,S,5,2,7,6", 1, 3, None),
            ("S,5S,6", 0, 2, Some("two rows")),
            ("S,5,S,6", 0, 2, Some("two rows")),
            ("S,S", 0, 1, Some("two rows")),
            ("S,5", 0, 1, None),
            ("1S,S,5", 1, 4, Some("delimiter before")),
            ("1,S,5", 1, 4, None),
            ("S,5", 0, 3, None),
            ("1,,S,5", 1, 3, Some("extra delimiter")),
            ("1,,5,S", 1, 3, None),
        ] {
            let mut fields = Vec::new();
            for part in row.split(',') {
                let start = part.as_ptr() as usize - row.as_ptr() as usize;
                fields.push(start..start + part.len());
            }
            let is_empty = row[fields[column].clone()].is_empty();
            let ragged = Ragged { row: row.as_bytes(), fields: fields.into_iter(), column, is_empty, width };
            let found = ragged.misplaced(&|text| text.ends_with(b"S")).map(|reject| reject.message);
            match refused {
                None => assert_eq!(found, None, "{row}"),
                Some(words) => assert!(found.is_some_and(|message| message.contains(words)), "{row}"),
            }
        }
    }
}
