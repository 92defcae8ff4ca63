//! Lines of words between spaces and tabs, one of which is the string. The rest of the line is copied.

use super::rows::{StringPlace, TextRow, too_long_row};
use super::{
    Appends, Beside, Framing, FramingFacts, MAX_ROW, NamedFraming, Options, Piece, RecordSort, RowWriter, Rows, Value,
    is_no_record,
};
use crate::error::{Code, Reject, plural};
use crate::formats::{Line, Text, Within, line_at};

pub(super) static WORDS: NamedFraming = NamedFraming {
    name: "words",
    plural: "lines of words",
    help: "One word of each line: the first, or the one that --column numbers; spaces around it stay",
    flags: &["--column"],
    extensions: &[],
    rows_extension: Some("txt"),
    beside: Beside::Nowhere,
    records: RecordSort::Rows,
    within: Within::Field,
    make: |options: &Options| {
        let column = match &options.columns[..] {
            [] => "1",
            [one] => one,
            _ => {
                return Err(
                    "only one word of each line can be the string; give --column once, or use --framing csv".into()
                );
            }
        };
        match column.strip_prefix("number:").unwrap_or(column).parse() {
            Ok(number) if number > 0 => Ok(Box::new(Words { number })),
            _ => Err("--column must be the number of a word, from 1; words have no names".into()),
        }
    },
};

/// Lines of words, and the position of the string among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    number: usize,
}

impl Words {
    /// The string of a line, or the reason why it has none.
    fn find(&self, text: &[u8], line: &Line) -> Result<StringPlace, Reject> {
        let (mut at, mut found) = (line.start, 0);
        if line.end - line.start > MAX_ROW {
            return Err(too_long_row());
        }
        loop {
            let start = at + text[at..line.end].iter().take_while(|byte| is_space(byte)).count();
            let end = start + text[start..line.end].iter().take_while(|byte| !is_space(byte)).count();
            if start == end {
                let message = format!("the line has {found} word{}, expected at least {}", plural(found), self.number);
                return Err(Reject::whole(Code::Column, message));
            }
            found += 1;
            if found as usize == self.number {
                return Ok(StringPlace::new(start..end, false));
            }
            at = end;
        }
    }
}

/// The words of a line.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(is_space).filter(|word| !word.is_empty())
}

fn is_space(byte: &u8) -> bool {
    b" \t".contains(byte)
}

impl Framing for Words {
    fn facts(&self) -> FramingFacts {
        FramingFacts { appends: Appends::Values, rows_stand_alone: true, ..FramingFacts::default() }
    }

    fn find_rows(&self, piece: &Piece, all: bool, rows: &mut Rows) {
        let mut at = 0;
        while let Some(line) = line_at(piece.text, at) {
            if rows.is_full() {
                rows.stopped = Some(at);
                return;
            }
            at = line.next;
            let number = rows.lines as u32;
            rows.lines += 1;
            let content = &piece.text[line.start..line.end];
            if is_no_record(content, false) || content.iter().all(is_space) {
                continue;
            }
            let (start, end, next) = (line.start as u32, line.end as u32, line.next as u32);
            let row = TextRow { start, end, next, line: number, fields: 0, list: false };
            let found = self.find(piece.text, &line).map(|place| {
                rows.fields.push(place);
                1
            });
            rows.take(row, found, all);
        }
    }
}

impl RowWriter for Words {
    fn label(&self, _: &str) -> Vec<u8> {
        b"\t".to_vec()
    }

    /// Appends values as columns after tabs, as to lines. Tabs in them are escaped.
    fn append(&self, label: &[u8], values: &[Value], _: bool, out: &mut Text) {
        out.push(label);
        values.iter().for_each(|value| value.write(out));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

    #[test]
    fn the_words_of_lines() {
        let text = b"# note\n  a b\tc \r\n\n \t\nd\ne  f";
        let mut rows = Rows::default();
        let piece = Piece { text, start: 0, quotes: None, kernel: kernels::best(), before: Default::default() };
        Words { number: 2 }.rows(&piece, false, &mut rows);
        assert_eq!(rows.strings(text).collect::<Vec<_>>(), [b"b", b"f"]);
        assert_eq!((rows.lines, rows.refused.len()), (6, 1));
        assert_eq!(rows.refused[0].1.message, "the line has 1 word, expected at least 2");
        assert_eq!(words(b" a  b\t").collect::<Vec<_>>(), [b"a", b"b"]);
    }
}
