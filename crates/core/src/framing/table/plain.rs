//! Reads common rows many at a time: rows without quotes, with as many fields as the first row, all strings present,
//! and a line end.

use super::marks::{Mark, MarkCursor};
use super::wanted::{ColumnRole, Null, Wanted};
use crate::framing::MAX_ROW;
use crate::framing::rows::{Rows, StringPlace, TextRow};

/// Reads plain rows, many at a time.
pub(super) struct PlainRows {
    /// The number of fields in a plain row; 0 if it is not known.
    width: usize,
    /// The columns with strings, each with its number among the columns that were named.
    strings: Vec<(usize, u16)>,
    /// The columns with solutions, each with the index in `strings` that it belongs to.
    solutions: Vec<(usize, usize)>,
    /// The length from which on a field cannot mean "no string".
    shortest: u32,
}

/// A row. `start` and `end` exclude the line end; `ends` are the marks that end its fields.
#[derive(Clone, Copy)]
struct PlainRow<'m> {
    start: u32,
    end: u32,
    ends: &'m [Mark],
}

impl PlainRow<'_> {
    /// The position of a field.
    #[inline(always)]
    fn field(&self, field: usize, column: u16) -> StringPlace {
        let start = if field == 0 { self.start } else { self.ends[field - 1].at() + 1 };
        StringPlace { start, end: self.ends[field].at().min(self.end), quoted: false, column }
    }

    #[inline(always)]
    fn text_row(&self, line: u32, fields: u32) -> TextRow {
        let next = self.ends[self.ends.len() - 1].at() + 1;
        TextRow { start: self.start, end: self.end, next, line, fields, list: false }
    }
}

impl PlainRows {
    /// A reader for a table with these columns, whose first row has `width` fields (if known). `null` is the user's
    /// text for "no string".
    pub(super) fn new(wanted: &[Wanted], width: Option<usize>, null: &Null) -> Self {
        let strings: Vec<_> = wanted.iter().filter_map(|wanted| Some((wanted.column, wanted.strings()?))).collect();
        let solutions = wanted.iter().filter_map(|wanted| match wanted.role {
            ColumnRole::Solutions(of) => Some((wanted.column, strings.iter().position(|&(_, column)| column == of)?)),
            ColumnRole::Strings(_) => None,
        });
        let needed = wanted.last().map_or(0, |last| last.column + 1);
        let width = width.filter(|&width| width >= needed).unwrap_or(0);
        Self { width, solutions: solutions.collect(), strings, shortest: null.length().max(4) as u32 + 1 }
    }

    /// Adds plain rows from the one at `start` on, while `rows` has room. Returns the start of the first row that was
    /// not added. The marks of that row remain in `marks`.
    pub(super) fn take(&self, text: &[u8], mut start: usize, marks: &mut MarkCursor, rows: &mut Rows) -> usize {
        while self.width > 0 && !rows.is_full() {
            let next = marks.next(self.width);
            let taken = match (&self.strings[..], &self.solutions[..]) {
                (&[string], []) => self.take_single(text, start, next, (string, None), rows),
                (&[string], &[(solution, _)]) => self.take_single(text, start, next, (string, Some(solution)), rows),
                _ => self.take_any(text, start, next, rows),
            };
            let Some(last) = (taken * self.width).checked_sub(1) else { break };
            start = next[last].at() as usize + 1;
            marks.pass(taken * self.width);
        }
        start
    }

    /// Adds rows with one string each, and its solution if there is a column for it. Returns the number of rows added.
    #[inline(always)]
    fn take_single(
        &self,
        text: &[u8],
        start: usize,
        marks: &[Mark],
        ((string, column), solution): ((usize, u16), Option<usize>),
        rows: &mut Rows,
    ) -> usize {
        let most = &marks[..marks.len().min(rows.room() * self.width)];
        let is_taken = |row: &PlainRow| {
            self.is_plain(text, row)
                && self.is_string(row.field(string, 0))
                && solution.is_none_or(|solution| self.is_string(row.field(solution, 0)))
        };
        let count = self.rows(start, most).take_while(is_taken).count();
        let all = || self.rows(start, &most[..count * self.width]);
        let lines = rows.lines as u32..;
        rows.take_plain(
            all().map(|row| row.field(string, column)),
            solution.map(|solution| all().map(move |row| row.field(solution, 0))),
            all().zip(lines).map(|(row, line)| row.text_row(line, 1)),
        );
        count
    }

    /// Adds rows with any number of strings each. Returns the number of rows added.
    fn take_any(&self, text: &[u8], start: usize, marks: &[Mark], rows: &mut Rows) -> usize {
        let mut count = 0;
        for row in self.rows(start, marks).take_while(|row| self.is_plain(text, row)) {
            let columns = self.strings.iter().map(|&(field, _)| field);
            let mut columns = columns.chain(self.solutions.iter().map(|&(field, _)| field));
            if rows.is_full() || !columns.all(|field| self.is_string(row.field(field, 0))) {
                break;
            }
            let first = rows.fields.len();
            rows.fields.extend(self.strings.iter().map(|&(field, column)| row.field(field, column)));
            self.solutions.iter().for_each(|&(field, at)| rows.set_solution(first + at, row.field(field, 0)));
            rows.take_plain_row(row.text_row(rows.lines as u32, self.strings.len() as u32));
            count += 1;
        }
        count
    }

    /// Divides marks into rows, as if all of these rows were plain. The first one begins at `start`.
    #[inline(always)]
    fn rows<'m>(&self, start: usize, marks: &'m [Mark]) -> impl Iterator<Item = PlainRow<'m>> {
        let mut start = start as u32;
        marks.chunks_exact(self.width).map(move |ends| {
            let last = ends[ends.len() - 1];
            let row = PlainRow { start, end: last.at() - last.line_end_cr().unwrap_or(0), ends };
            start = last.at() + 1;
            row
        })
    }

    /// Whether a row is plain, judged by its marks. A row with a CR or a backslash before its line end is left to
    /// [`RowReader`](super::rows::RowReader).
    #[inline(always)]
    fn is_plain(&self, text: &[u8], row: &PlainRow) -> bool {
        let (delimiters, last) = row.ends.split_at(row.ends.len() - 1);
        let line_end_cr = last[0].line_end_cr();
        Mark::are_delimiters(delimiters)
            && line_end_cr.is_some()
            && row.end.wrapping_sub(row.start) <= MAX_ROW as u32
            && (line_end_cr == Some(0) || row.end == row.start || !matches!(text[row.end as usize - 1], b'\r' | b'\\'))
    }

    /// Whether a field is too long to mean "no string".
    #[inline(always)]
    fn is_string(&self, place: StringPlace) -> bool {
        place.end.wrapping_sub(place.start) >= self.shortest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::framing::rows::RowStrings;
    use crate::framing::table::rows::{RowReader, RowsText};
    use crate::kernels;

    /// All results: rows, strings, solutions and refusals.
    fn found(text: &[u8], rows: &Rows) -> impl PartialEq + std::fmt::Debug + use<> {
        let mut strings = RowStrings::default();
        strings.take(rows, text);
        let refused: Vec<_> = rows.refused.iter().map(|(index, reject)| (*index, reject.to_string())).collect();
        let solutions = strings.solutions().to_vec();
        (rows.rows.clone(), rows.fields.clone(), solutions, refused, rows.lines, rows.without)
    }

    #[test]
    fn rows_many_at_a_time_are_rows_one_by_one() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let strings = |column, of| Wanted { column, role: ColumnRole::Strings(of) };
        let solutions = |column, of| Wanted { column, role: ColumnRole::Solutions(of) };
        let columns = [
            vec![strings(0, 0)],
            vec![strings(2, 0)],
            vec![strings(1, 0), solutions(2, 0)],
            vec![solutions(0, 0), strings(1, 0)],
            vec![strings(0, 1), strings(2, 0)],
            vec![solutions(0, 1), strings(1, 0), strings(2, 1), solutions(3, 0)],
        ];
        for round in 0..300 {
            let wanted = columns[round % columns.len()].clone();
            let needed = wanted.last().expect("columns are wanted").column + 1;
            let (width, quotes) = (needed + random(3), random(2) == 0);
            let mut text = Vec::new();
            // The rows of a whole chunk have more marks than are recorded or searched for at a time.
            for _ in 0..[3, 40, 2_000][random(3)] {
                for field in 0..width {
                    text.extend(b"abcdefgh".repeat(2)[..5 + random(9)].iter());
                    text.push(if field + 1 < width { b',' } else { b'\n' });
                }
                let damage: &[u8] = match random(60) {
                    0 => b"\r\n",
                    1 => b"\r\r\n",
                    2 => b",x\r,abcdefg\n",
                    3 => b"\n\r\n",
                    4 => b"abcdefg,\"abcdefg\",abcdefg,abc\"def\n",
                    5 => b"abcdefg,\"abc\ndefg\",abcdefg,abcdefg\n",
                    6 => b"abcdefgh,a,,NULL,\\N\n",
                    7 => b",,,,,,\n",
                    _ => continue,
                };
                text.truncate(text.len() - random(2));
                text.extend(damage);
            }
            let reader = RowReader {
                delimiter: b',',
                quotes,
                escapes: !quotes,
                wanted,
                width: Some(width),
                exact_width: random(2) == 0,
                null: Null::default(),
            };
            let read = |marks| {
                let mut rows = Rows::default();
                let whole = RowsText { text: &text, all: true, ends_in_record: &|_| false };
                reader.rows(whole, &[], marks, &mut rows);
                found(&text, &rows)
            };
            for kernel in kernels::available() {
                let none = MarkCursor::new(&text, text.len(), *b",\n\"", kernel);
                let shown = String::from_utf8_lossy(&text);
                assert_eq!(read(reader.marks(&text, kernel, None)), read(none), "{shown}");
            }
        }
    }
}
