//! Rows of a table in which a line end or a delimiter was lost, or one is too many: they have another number of fields than the
//! first row, and a string where that would have put it. Converted as they stand, that string would stay as it is, or one of
//! another column would be taken for it.

use std::ops::Range;

use crate::error::{Code, Reject, plural};
use crate::formats::{Hints, recognise};

/// No string of any format has fewer bytes.
pub(super) const SHORTEST: usize = 20;

/// A row with more or fewer fields than the first one.
pub(super) struct Ragged<'t> {
    /// Its text.
    pub(super) row: &'t [u8],
    /// Its fields, with their quotes.
    pub(super) fields: Vec<Range<usize>>,
    /// The number of the field with the string, and whether that has none.
    pub(super) column: usize,
    pub(super) is_empty: bool,
    /// The fields of the first row.
    pub(super) width: usize,
}

impl Ragged<'_> {
    /// Why it is refused, if it is. `ends_in_record` says whether text has a string at its end.
    #[cold]
    pub(super) fn misplaced(&self, ends_in_record: &dyn Fn(&[u8]) -> bool) -> Option<Reject> {
        let Self { column, width, .. } = *self;
        let fields = self.fields.len();
        let record =
            |field: usize| self.fields.get(field).is_some_and(|place| ends_in_record(&self.row[place.clone()]));
        // A byte in the place of a line end joins the fields beside it, a delimiter does not.
        let joined = width > 1 && record(column + width - 1);
        let why = if fields >= (2 * width - 1).max(2) && (joined || record(column + width)) {
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

/// Whether a field of a table has a record at its end: it is one, or what separated it from one is missing.
pub(super) fn ends_in_record(field: &[u8], hints: &Hints) -> bool {
    /// The shortest record, and as many bytes as any has that is looked for.
    const LENGTHS: Range<usize> = 20..3000;
    let field = field.strip_suffix(b"\"").unwrap_or(field);
    // No record has other bytes.
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
            ("1,S,5,S", 1, 3, None), // three are less than two rows have
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
            let ragged = Ragged { row: row.as_bytes(), fields, column, is_empty, width };
            let found = ragged.misplaced(&|text| text.ends_with(b"S")).map(|reject| reject.message);
            match refused {
                None => assert_eq!(found, None, "{row}"),
                Some(words) => assert!(found.is_some_and(|message| message.contains(words)), "{row}"),
            }
        }
    }
}
