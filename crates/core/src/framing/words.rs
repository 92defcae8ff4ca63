//! Lines of words between spaces and tabs, one of which is the string. The rest of the line is copied.

use std::ops::Range;

use super::contents::looks_like_board;
use super::rows::{StringPlace, TextRow, too_long_row};
use super::{
    Appends, Beside, Framing, FramingFacts, MAX_ROW, NamedFraming, Options, Piece, RecordSort, RowWriter, Rows, Value,
    is_no_record,
};
use crate::error::{Code, Reject, plural};
use crate::formats::{Line, Text, Within, is_string, line_at};

pub(super) static WORDS: NamedFraming = NamedFraming {
    name: "words",
    plural: "lines of words",
    help: "One word of each line: the one that can be a string, or the one that --column numbers; spaces around it stay",
    flags: &["--column"],
    extensions: &[],
    rows_extension: Some("txt"),
    beside: Beside::Nowhere,
    records: RecordSort::Rows,
    within: Within::Field,
    make: |options: &Options| {
        let column = match &options.columns[..] {
            [] => return Ok(Box::new(Words { number: None })),
            [one] => one,
            _ => {
                return Err(
                    "only one word of each line can be the string; give --column once, or use --framing csv".into()
                );
            }
        };
        match column.strip_prefix("number:").unwrap_or(column).parse() {
            Ok(number) if number > 0 => Ok(Box::new(Words { number: Some(number) })),
            _ => Err("--column must be the number of a word, from 1; words have no names".into()),
        }
    },
};

/// Lines of words, and the position of the string among them, if it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    number: Option<usize>,
}

impl Words {
    /// The string of a line, or the reason why it has none.
    fn find(&self, text: &[u8], line: &Line) -> Result<StringPlace, Reject> {
        if line.end - line.start > MAX_ROW {
            return Err(too_long_row());
        }
        let mut words = places(&text[line.start..line.end]);
        let found = match self.number {
            Some(number) => numbered(words, number)?,
            None => match (words.next(), words.next()) {
                (Some(only), None) => only,
                _ => string_among(&text[line.start..line.end])?,
            },
        };
        Ok(StringPlace::new(line.start + found.start..line.start + found.end, false))
    }
}

/// The word with a number, from 1.
fn numbered(words: impl Iterator<Item = Range<usize>>, number: usize) -> Result<Range<usize>, Reject> {
    let mut found = 0;
    for word in words {
        found += 1;
        if found == number {
            return Ok(word);
        }
    }
    let message = format!("the line has {found} word{}, expected at least {number}", plural(found as u64));
    Err(Reject::whole(Code::Column, message))
}

/// The only word of a line that can be a string. If none can, that is the first one, so that its fault is told.
fn string_among(line: &[u8]) -> Result<Range<usize>, Reject> {
    let can_be = |word: &Range<usize>| is_string(&line[word.clone()]) || looks_like_board(&line[word.clone()]);
    let mut strings = (1..).zip(places(line)).filter(|(_, word)| can_be(word));
    match (strings.next(), strings.next()) {
        (Some((first, _)), Some((second, _))) => {
            let message = format!(
                "word {first} and word {second} can both be the string; --column {first} or --column {second} decides"
            );
            Err(Reject::whole(Code::Ambiguous, message))
        }
        (Some((_, word)), None) => Ok(word),
        (None, _) => numbered(places(line), 1),
    }
}

/// Where the words of a line are.
fn places(line: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line[at..].iter().take_while(|byte| is_space(byte)).count();
        at = start + line[start..].iter().take_while(|byte| !is_space(byte)).count();
        (start < at).then_some(start..at)
    })
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
        Words { number: Some(2) }.rows(&piece, false, &mut rows);
        assert_eq!(rows.strings(text).collect::<Vec<_>>(), [b"b", b"f"]);
        assert_eq!((rows.lines, rows.refused.len()), (6, 1));
        assert_eq!(rows.refused[0].1.message, "the line has 1 word, expected at least 2");
        assert_eq!(words(b" a  b\t").collect::<Vec<_>>(), [b"a", b"b"]);
    }

    /// What a line without `--column` is read as: its word, or the refusal.
    fn without_column(line: &str) -> Result<String, String> {
        let whole = Line { start: 0, end: line.len(), next: line.len() };
        let found = Words { number: None }.find(line.as_bytes(), &whole);
        found.map(|place| line[place.start as usize..place.end as usize].to_string()).map_err(|reject| reject.message)
    }

    #[test]
    fn the_only_word_that_can_be_a_string() {
        let puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......".to_string();
        let taken = Ok(puzzle.clone());
        for line in ["P", " P # note", "0000183b305c P 1.2", "easy\tP", "17 P"] {
            let line = line.replace('P', &puzzle);
            assert_eq!(without_column(&line), taken, "{line}");
        }
        // A damaged string is one that could be meant, too.
        let damaged = &puzzle[..80];
        for other in [&puzzle, damaged, "8.002e+79"] {
            for (line, both) in [
                (format!("a {puzzle} {other}"), "word 2 and word 3"),
                (format!("{other}\t{puzzle}"), "word 1 and word 2"),
            ] {
                let said = without_column(&line).expect_err("two words can be the string");
                assert!(said.contains(both) && said.contains("--column"), "{said}");
            }
        }
        // No word can be one: the first is refused for what is wrong with it.
        assert_eq!(without_column("easy puzzles"), Ok("easy".into()));
        assert_eq!(without_column(&format!("easy {damaged}")), Ok(damaged.into()));
    }
}
