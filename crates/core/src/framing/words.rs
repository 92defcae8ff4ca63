//! Lines of words between spaces and tabs, one of which is the string. The rest of the line is copied.

use super::contents::LONG_WORD;
use super::rows::{StringPlace, TextRow, too_long_row};
use super::{
    Appends, Asked, Beside, Framing, FramingFacts, MAX_ROW, NamedFraming, Options, Piece, RecordSort, RowWriter, Rows,
    Unsuited, Value, is_no_record,
};
use crate::error::{Code, Reject, plural};
use crate::formats::{Line, Text, Within, line_at, recognise};

/// The number of lines that decide on the position of the strings.
const FIRST_LINES: usize = 1000;

pub(super) static WORDS: NamedFraming = NamedFraming {
    name: "words",
    plural: "lines of words",
    help: "One word of each line: the one that --column numbers, the only one that is a string, or the first; spaces around it stay",
    flags: &["--column"],
    extensions: &[],
    rows_extension: Some("txt"),
    beside: Beside::Nowhere,
    records: RecordSort::Rows,
    within: Within::Field,
    make: |options: &Options| {
        let column = match &options.columns[..] {
            [] => return Ok(Box::new(Words { number: 1, is_given: false })),
            [one] => one,
            _ => {
                return Err(
                    "only one word of each line can be the string; give --column once, or use --framing csv".into()
                );
            }
        };
        match column.strip_prefix("number:").unwrap_or(column).parse() {
            Ok(number) if number > 0 => Ok(Box::new(Words { number, is_given: true })),
            _ => Err("--column must be the number of a word, from 1; words have no names".into()),
        }
    },
};

/// Lines of words, and the position of the string among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    number: usize,
    /// Whether the user gave the position. Otherwise, the first lines decide on it.
    is_given: bool,
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

/// The position of the strings, from 1, if each of the first lines has only one, always at the same position, and no word that
/// may be a string with a fault: what is chosen must not depend on what is broken.
fn only_position(text: &[u8], asked: &Asked) -> Option<usize> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !is_no_record(line, false)).take(FIRST_LINES);
    let positions = lines.map(|line| {
        let mut long = words(line).enumerate().filter(|(_, word)| word.len() >= LONG_WORD);
        let (at, word) = long.next()?;
        (long.next().is_none() && recognise(word, asked.from, &asked.hints).is_ok()).then_some(at + 1)
    });
    let mut positions = positions.collect::<Option<Vec<_>>>()?;
    positions.dedup();
    <[usize; 1]>::try_from(positions).ok().map(|[position]| position)
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

    fn begin(&mut self, first: &Piece, asked: &Asked) -> Result<(), Unsuited> {
        if !self.is_given {
            self.number = only_position(first.text, asked).unwrap_or(1);
        }
        Ok(())
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
        Words { number: 2, is_given: true }.rows(&piece, false, &mut rows);
        assert_eq!(rows.strings(text).collect::<Vec<_>>(), [b"b", b"f"]);
        assert_eq!((rows.lines, rows.refused.len()), (6, 1));
        assert_eq!(rows.refused[0].1.message, "the line has 1 word, expected at least 2");
        assert_eq!(words(b" a  b\t").collect::<Vec<_>>(), [b"a", b"b"]);
    }

    #[test]
    fn the_only_strings_of_lines_are_chosen() {
        let (board, solved) =
            ("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", "1".repeat(81));
        let position = |text: &str| only_position(text.as_bytes(), &Asked::default());
        assert_eq!(position(&format!("# {board}\n1 {board} easy\r\n\nsecond {board}\n")), Some(2));
        assert_eq!(position(&format!("{board} easy\n")), Some(1));
        // Two strings, strings at different positions, none, and a string beside one with a fault.
        for text in [
            format!("{board} {solved}\n"),
            format!("1 {board}\n{board} 1\n"),
            "1 2\n".to_string(),
            String::new(),
            format!("{} {board}\n", &board[1..]),
            format!("1 {board}\n2 {}\n", &board[1..]),
        ] {
            assert_eq!(position(&text), None, "{text}");
        }
        let text = format!("1 {board}\n2 bad\n");
        let piece = Piece {
            text: text.as_bytes(),
            start: 0,
            quotes: None,
            kernel: kernels::best(),
            before: Default::default(),
        };
        let mut framing = Words { number: 1, is_given: true };
        framing.begin(&piece, &Asked::default()).expect("a position");
        assert_eq!(framing.number, 1, "what is given is not changed");
    }
}
