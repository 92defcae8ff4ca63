//! Finds the strings that are embedded in text, and replaces them by new ones.
//!
//! A [`Framing`] is a way of embedding strings. All framings are pure functions on slices:
//!
//! - [`lines`](Lines): one string per line.
//! - [`Words`]: one word of each line.
//! - [`table`]: a column of CSV or TSV.
//! - [`json`](JsonLines): a field of JSON lines.
//! - [`links`]: links inside text.
//! - [`grid`](Grids): sudokus that span several lines.
//! - [`file`](ProgramFiles): puzzles in files of other programs.
//! - [`xml`](Xml): attributes or elements of XML with a name.
//!
//! The other modules:
//!
//! - `embedding`: the trait [`Framing`], and what passes between a framing and its clients. `named`: framings by name.
//! - `rows`: the rows and strings that a framing other than lines has found.
//! - [`guess`]: guesses the framing of a text. `place`: the result. `contents`: what stands where strings may be.
//! - [`chunk`], [`cutter`]: decide where text may be cut into chunks.
//!
//! The program's help and flags and the tests are made from [`REGISTRY`].

pub mod chunk;
mod contents;
pub mod cutter;
mod embedding;
mod file;
mod grid;
mod guess;
mod json;
mod lines;
pub mod links;
mod named;
mod place;
mod puzzle_names;
mod rows;
pub mod table;
mod words;
mod xml;

pub use crate::formats::{Line, line_at};
pub use embedding::{
    Appends, Asked, ChosenAs, Framing, FramingFacts, NewName, Piece, RewrittenText, RowWriter, Unsuited, Value,
};
pub use file::ProgramFiles;
pub use grid::Grids;
pub use guess::{guess, table_rows};
pub use json::JsonLines;
pub use lines::{Lines, count_lines, is_no_record, line_of_width};
pub use links::Links;
pub use named::{Beside, NamedFraming, Options, RecordSort};
pub use place::{Guess, NamedPlace, Unsure};
pub use rows::{NoStrings, RowStrings, Rows, StringPlace, TextRow, too_long_row};
pub use table::{Column, Table, similar_columns};
pub use words::Words;
pub use xml::Xml;

/// Every framing that can be named, in the order of help. A new framing needs its file, its module line above, and a
/// line here.
pub static REGISTRY: [&NamedFraming; 9] = [
    &lines::LINES,
    &table::CSV,
    &table::TSV,
    &words::WORDS,
    &json::JSONL,
    &links::LINKS,
    &grid::GRID,
    &file::FILE,
    &xml::XML,
];

/// The longest line in bytes, without its end. Longer lines are refused as `toolong`, and may be cut between chunks.
pub const MAX_LINE: usize = 64 * 1024;

/// The longest row of a table or of JSON lines, in bytes (docs/CLI.md, "Records").
pub const MAX_ROW: usize = 16 << 20;

/// The optional start of UTF-8 text. It belongs to no record.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Text;
    use crate::kernels;

    #[test]
    fn each_can_be_made_with_all_options_and_says_what_it_lacks() {
        let without = Options::default();
        let with = Options { columns: vec!["1".into()], fields: vec!["/a".into()], ..without.clone() };
        let asked = Asked::default();
        for (at, entry) in REGISTRY.iter().enumerate() {
            assert!(REGISTRY[..at].iter().all(|other| other.name != entry.name), "{}", entry.name);
            let made = (entry.make)(&with).and_then(|framing| framing.check(&asked).map(|()| framing));
            assert!(made.is_ok(), "{}: {made:?}", entry.name);
            if let Err(words) = (entry.make)(&without) {
                assert!(entry.flags.iter().any(|flag| words.contains(flag)), "{}: {words}", entry.name);
            }
        }
    }

    /// Positions beyond 32 bits are refused instead of truncated. No page of the text is touched, so it takes no memory.
    #[cfg(target_pointer_width = "64")]
    #[test]
    #[should_panic(expected = "less than 4 GiB")]
    fn a_piece_of_4_gibibytes_is_refused() {
        let text = vec![0; 1 << 32];
        let piece = Piece { text: &text, start: 0, quotes: None, kernel: kernels::best(), before: Default::default() };
        Lines.rows(&piece, true, &mut Rows::default());
    }

    /// The rows of any text are in order, and putting the strings back unchanged gives the same text.
    #[test]
    fn strings_can_be_put_back_unchanged() {
        let plain = "1".repeat(9) + &"0".repeat(72);
        let text = format!(
            "n,bd\n1,{plain}\n2,\"{plain}\"\r\n{{\"bd\":[\"{plain}\",\"x\"]}}\nhttps://sudokuwiki.org/sudoku.htm?bd={plain}\n"
        );
        // Files of other programs are read as a whole, and XML is no such text.
        for entry in REGISTRY.into_iter().filter(|entry| !["file", "xml"].contains(&entry.name)) {
            let options = Options {
                columns: vec!["2".into()],
                fields: vec!["/bd".into()],
                no_header: true,
                ..Options::default()
            };
            let mut framing = (entry.make)(&options).expect("all options are there");
            let piece = Piece {
                text: text.as_bytes(),
                start: 0,
                quotes: None,
                kernel: kernels::best(),
                before: Default::default(),
            };
            framing.begin(&piece, &Asked::default()).expect("good text");
            let mut rows = Rows::default();
            framing.rows(&piece, true, &mut rows);
            let (mut out, mut copied) = (Text::new(), 0);
            for place in &rows.fields {
                let (start, end) = (place.start as usize, place.end as usize);
                assert!(copied <= start && start < end, "{}", entry.name);
                out.push(&piece.text[copied..start]);
                framing.put(&piece.text[start..end], place.quoted, &mut out);
                copied = end;
            }
            out.push(&piece.text[copied..]);
            assert_eq!(String::from_utf8_lossy(out.as_slice()), text, "{}", entry.name);
            assert!(framing.facts().is_lines || rows.lines == 5, "{}: {}", entry.name, rows.lines);
        }
    }
}
