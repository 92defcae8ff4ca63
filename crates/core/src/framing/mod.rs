//! Where strings stand in text: a [`Framing`] finds them and says how new ones are put in their place. Pure functions on slices.
//!
//! - [`lines`](Lines): one string a line.
//! - [`Words`]: a word of each line.
//! - [`table`]: a column of CSV or TSV.
//! - [`json`](JsonLines): a field of JSON lines.
//! - [`links`]: links inside text.
//! - [`grid`](Grids): sudokus over several lines.
//! - `rows`: what all but lines find. [`guess`]: which framing a text has.
//! - [`chunk`], [`cutter`]: where text may be cut into chunks.
//!
//! Help, the program's flags and tests walk [`REGISTRY`].

pub mod chunk;
pub mod cutter;
mod grid;
mod guess;
mod json;
mod lines;
pub mod links;
mod rows;
pub mod table;
mod words;

use std::fmt;

use crate::error::{Code, Reject};
use crate::formats::{Hints, Id, Text};
use crate::kernels::Kernel;
use cutter::Cutter;
use table::quotes::Quotes;

pub use crate::formats::{Line, line_at};
pub use grid::Grids;
pub use guess::{Guess, Said, Unsure, guess};
pub use json::JsonLines;
pub use lines::{Lines, count_lines, is_no_record, line_of_width};
pub use links::Links;
pub use rows::{NoStrings, RowStrings, Rows, StringPlace, TextRow, too_long_row};
pub use table::{Column, Table};
pub use words::Words;

/// Every framing that can be asked for by name, in the order of help. A new one is its file, its module line above, and a line
/// here.
pub static REGISTRY: [&NamedFraming; 7] =
    [&lines::LINES, &table::CSV, &table::TSV, &words::WORDS, &json::JSONL, &links::LINKS, &grid::GRID];

/// The longest line in bytes, without its end; longer ones are refused as `toolong`, and cut between chunks.
pub const MAX_LINE: usize = 64 * 1024;

/// The longest row of a table or of JSON lines, in bytes (docs/CLI.md, "Records").
pub const MAX_ROW: usize = 16 << 20;

/// What UTF-8 text may begin with; it belongs to no record.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A framing in [`REGISTRY`].
#[derive(Debug)]
#[non_exhaustive]
pub struct NamedFraming {
    /// The name in the command line.
    pub name: &'static str,
    /// What text it is for, as a plural.
    pub plural: &'static str,
    /// A line of help.
    pub help: &'static str,
    /// The flags that it takes and others may not.
    pub flags: &'static [&'static str],
    /// Makes it.
    ///
    /// # Errors
    /// An option is missing or wrong; the words say which.
    pub make: fn(&Options) -> Result<Box<dyn Framing>, String>,
}

impl NamedFraming {
    /// One that is not in [`REGISTRY`].
    pub const fn new(
        name: &'static str,
        plural: &'static str,
        help: &'static str,
        flags: &'static [&'static str],
        make: fn(&Options) -> Result<Box<dyn Framing>, String>,
    ) -> Self {
        Self { name, plural, help, flags, make }
    }
}

/// What is said of a framing that is asked for by name; each of them takes what it needs.
#[derive(Debug, Clone)]
pub struct Options {
    /// `--column`: the names of columns in the header, or their numbers from 1.
    pub columns: Vec<String>,
    /// `--field`: JSON pointers.
    pub fields: Vec<String>,
    /// `--solution-column`: for each of the columns the one with the solutions that came with its strings.
    pub solution_columns: Vec<String>,
    /// `--solution-field`: the same for JSON pointers.
    pub solution_fields: Vec<String>,
    /// `--delimiter`, where it is not the usual one.
    pub delimiter: Option<u8>,
    /// `--no-header`: the first row is a record.
    pub no_header: bool,
    /// `--null`: a field that says that there is none.
    pub null: Option<String>,
    /// What is said of Str8ts strings.
    pub hints: Hints,
    /// The format of the new strings.
    pub to: Id,
}

/// What is asked of the strings, whatever the framing.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// Their format, if it is said.
    pub from: Option<Id>,
    /// What else is said of them.
    pub hints: Hints,
    /// The names under which something is appended to each row.
    pub names: &'a [NewName],
}

/// A name under which something is appended to each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewName {
    /// The name of the column or field.
    pub name: String,
    /// What is typed for another one: `--to-column NAME`.
    pub flag: String,
}

/// Text as it was cut out of an input.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'t> {
    /// Whole rows.
    pub text: &'t [u8],
    /// Where they begin in the chunk, which may have a byte order mark, a header or the end of another row before them.
    pub start: usize,
    /// What quotes make of the chunk's rows, if its cutter had an eye on them.
    pub quotes: Option<&'t Quotes>,
    /// What it is searched with.
    pub kernel: &'static Kernel,
    /// So many of the chunk's first bytes may belong to a string before it whose length does not fit.
    pub owed: usize,
}

/// What is said of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'v> {
    /// A text.
    Text(&'v [u8]),
    /// A number.
    Number(u32),
    /// True or false.
    Truth(bool),
    /// That nothing can be said.
    Nothing,
}

impl Value<'_> {
    /// Writes it as it is; nothing where there is nothing to say.
    #[inline(always)]
    pub fn write(self, out: &mut Text) {
        match self {
            Self::Text(text) => out.push(text),
            Self::Number(number) => out.push_number(number),
            Self::Truth(truth) => out.push(if truth { b"true" } else { b"false" }),
            Self::Nothing => {}
        }
    }
}

/// Why a run with a framing cannot begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsuited {
    /// What is asked for does not go together, or not with the input.
    Asked(String),
    /// The input has a fault.
    Input(String),
}

/// A text whose strings were exchanged all at once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// The new text; `None` if nothing was to be rewritten.
    pub text: Option<Vec<u8>>,
    /// Strings that were rewritten.
    pub rewritten: u64,
    /// Strings that stay as they are.
    pub kept: u64,
    /// Strings that were left alone, and why.
    pub left: Vec<Left>,
}

/// A string that was left alone, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Its first byte in the text.
    pub at: usize,
    /// Its line, from 1.
    pub line: u64,
    /// The string, with what belongs to it.
    pub record: Vec<u8>,
    /// Why it was left alone.
    pub reject: Reject,
}

/// How strings stand in text: where they are found, and how others are put in their place.
///
/// A client checks what is asked for ([`Framing::check`]), has the first text looked at ([`Framing::begin`]), and then, for each
/// piece of whole rows, finds the rows ([`Framing::rows`]), converts their strings, and puts the new ones in the place of the old
/// ([`Framing::put`]) or beside them ([`Framing::append`]). What else stands in the text is copied.
///
/// ```
/// use gridmill_core::formats::{Hints, Text};
/// use gridmill_core::kernels;
/// use gridmill_core::framing::{Asked, Column, Framing, Piece, Rows, Table};
///
/// let text = b"id,board\n7,\"1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1\"\n";
/// let mut table = Table::csv(Column::Name("board".into()));
/// let whole = Piece { text, start: 0, quotes: None, kernel: kernels::best(), owed: 0 };
/// table.begin(&whole, &Asked { from: None, hints: Hints::default(), names: &[] }).unwrap();
/// let header = table.header(text);
/// let body = Piece { text: &text[header..], start: header, ..whole };
/// let mut rows = Rows::default();
/// table.rows(&body, false, &mut rows);
///
/// let new = gridmill_core::convert(std::str::from_utf8(rows.strings(body.text).next().unwrap()).unwrap())?;
/// let place = rows.fields[0];
/// let mut out = Text::new();
/// out.push(&body.text[..place.start as usize]);
/// table.put(new.as_bytes(), place.quoted, &mut out);
/// out.push(&body.text[place.end as usize..]);
/// assert!(out.as_slice().starts_with(b"7,\"S9B") && out.as_slice().ends_with(b"\"\n"));
/// # Ok::<(), gridmill_core::Reject>(())
/// ```
pub trait Framing: fmt::Debug + Send + Sync {
    /// Each line is a string and nothing else: there are no rows to be found in it.
    fn is_lines(&self) -> bool {
        false
    }

    /// The longest row, in bytes.
    fn longest(&self) -> usize {
        MAX_ROW
    }

    /// What says where text may be cut, if not at every line end.
    fn cutter(&self, _kernel: &'static Kernel) -> Option<Box<dyn Cutter>> {
        None
    }

    /// Each input has to be one piece; the words are for one that is too long for that.
    fn needs_whole_inputs(&self) -> Option<&'static str> {
        None
    }

    /// Whether anything can be appended to its rows.
    fn appends(&self) -> bool {
        false
    }

    /// The names of the columns, or fields, in which strings stand, in the order in which they were named; one without a name where
    /// there is nothing to be named.
    fn columns(&self) -> Vec<String> {
        vec![String::new()]
    }

    /// Checks that what is asked for goes together.
    ///
    /// # Errors
    /// It does not; the words say why.
    fn check(&self, _asked: &Asked) -> Result<(), String> {
        Ok(())
    }

    /// Takes what the start of the first input says, before any rows are found.
    ///
    /// # Errors
    /// The text is not what it should be.
    fn begin(&mut self, _first: &Piece, _asked: &Asked) -> Result<(), Unsuited> {
        Ok(())
    }

    /// The format of the strings that [`Framing::rows`] gives, if it is known; `asked` is what the user says.
    fn format(&self, asked: Option<Id>) -> Option<Id> {
        asked
    }

    /// Whether what is refused is still a part of the text that has to stay.
    fn keeps_refused(&self) -> bool {
        false
    }

    /// Bytes of the header that an input begins with.
    fn header(&self, _text: &[u8]) -> usize {
        0
    }

    /// Whether the rows after any of them are found without what stands before: then [`Framing::rows`] may stop early, and is asked
    /// again.
    fn rows_stand_alone(&self) -> bool {
        false
    }

    /// Finds the rows of a text; with `all` also those without a string.
    fn rows(&self, piece: &Piece, all: bool, rows: &mut Rows);

    /// Exchanges all strings of a text at once, where each cannot be done for itself; `None` where it can.
    fn rewrite(&self, _piece: &Piece) -> Option<Rewritten> {
        None
    }

    /// Whether all of these bytes can stand where a string stands as they are.
    fn is_bare(&self, _strings: &[u8]) -> bool {
        true
    }

    /// Checks that a string can stand in a row at all.
    ///
    /// # Errors
    /// It cannot, however it is written.
    fn fits(&self, _string: &[u8]) -> Result<(), Reject> {
        Ok(())
    }

    /// Writes a string as it stands in a row; `quoted` is whether it stands between quotes already.
    fn put(&self, string: &[u8], _quoted: bool, out: &mut Text) {
        out.push(string);
    }

    /// Where something can be appended to a row: its length, or what it ends with is after that.
    fn end_of_fields(&self, row: &[u8]) -> usize {
        row.len()
    }

    /// What stands in each row before that which is said under a name: it is made once, for [`Framing::append`].
    fn label(&self, _name: &str) -> Vec<u8> {
        Vec::new()
    }

    /// Appends what is said of each string of a row, after its label; `list` is whether these stand in a list.
    fn append(&self, _label: &[u8], _values: &[Value], _list: bool, _out: &mut Text) {}

    /// Whether [`Framing::append`] writes values of no other characters than letters, digits, `.`, `-` and `:` at the end of the row, as
    /// they are.
    fn appends_bare(&self) -> bool {
        false
    }

    /// Appends a name to the header.
    fn append_name(&self, _name: &str, _out: &mut Text) {}

    /// Whether something is appended to a row that is refused and kept, too; `of_row` is why, if it is not for its strings.
    fn appends_to_refused(&self, _of_row: Option<Code>) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

    #[test]
    fn each_can_be_made_with_all_options_and_says_what_it_lacks() {
        let without = Options {
            columns: Vec::new(),
            fields: Vec::new(),
            solution_columns: Vec::new(),
            solution_fields: Vec::new(),
            delimiter: None,
            no_header: false,
            null: None,
            hints: Hints::default(),
            to: Id::V2,
        };
        let with = Options { columns: vec!["1".into()], fields: vec!["/a".into()], ..without.clone() };
        let asked = Asked { from: None, hints: Hints::default(), names: &[] };
        for (at, entry) in REGISTRY.iter().enumerate() {
            assert!(REGISTRY[..at].iter().all(|other| other.name != entry.name), "{}", entry.name);
            let made = (entry.make)(&with).and_then(|framing| framing.check(&asked).map(|()| framing));
            assert!(made.is_ok(), "{}: {made:?}", entry.name);
            if let Err(words) = (entry.make)(&without) {
                assert!(entry.flags.iter().any(|flag| words.contains(flag)), "{}: {words}", entry.name);
            }
        }
    }

    /// Whatever a framing makes of a text: its rows are in order, and strings put back as they were found give the text.
    #[test]
    fn what_is_put_back_is_what_was_found() {
        let plain = "1".repeat(9) + &"0".repeat(72);
        let text = format!(
            "n,bd\n1,{plain}\n2,\"{plain}\"\r\n{{\"bd\":[\"{plain}\",\"x\"]}}\nhttps://sudokuwiki.org/sudoku.htm?bd={plain}\n"
        );
        for entry in REGISTRY {
            let options = Options {
                columns: vec!["2".into()],
                fields: vec!["/bd".into()],
                solution_columns: Vec::new(),
                solution_fields: Vec::new(),
                delimiter: None,
                no_header: true,
                null: None,
                hints: Hints::default(),
                to: Id::V2,
            };
            let mut framing = (entry.make)(&options).expect("all options are there");
            let piece = Piece { text: text.as_bytes(), start: 0, quotes: None, kernel: kernels::best(), owed: 0 };
            framing.begin(&piece, &Asked { from: None, hints: Hints::default(), names: &[] }).expect("good text");
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
            assert!(framing.is_lines() || rows.lines == 5, "{}: {}", entry.name, rows.lines);
        }
    }
}
