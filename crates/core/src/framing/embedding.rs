//! The trait of all framings, and what passes between a framing and its clients.

use std::{fmt, iter};

use super::MAX_ROW;
use super::cutter::{Cutter, TextBefore};
use super::rows::{NoStrings, Rows};
use super::table::quotes::Quotes;
use crate::error::{Code, Refused, Reject};
use crate::formats::{Format, Hints, Losses, Text};
use crate::kernels::Kernel;

/// The user's requests that concern all framings. They may get more fields: create them with `..Default::default()`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    /// The format of the strings, if the user gives it.
    pub from: Option<Format>,
    /// What else the user says about them.
    pub hints: Hints,
    /// Whether losses are accepted.
    pub lossy: bool,
    /// The names of values that are appended to each row.
    pub names: &'a [NewName],
}

/// The name of a value that is appended to each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewName {
    /// The name of the column or field.
    pub name: String,
    /// How to choose another name: `--to-column NAME`.
    pub flag: String,
}

/// A piece of an input, in which rows are searched. Clients make it, and must know all of its fields.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'t> {
    /// Whole rows, less than 4 GiB of them.
    pub text: &'t [u8],
    /// The position of the text in its chunk: after a byte order mark, a header or the rest of an earlier row.
    pub start: usize,
    /// The state of quotes, if the chunk's cutter keeps track of it.
    pub quotes: Option<&'t Quotes>,
    /// The kernel for searching.
    pub kernel: &'static Kernel,
    /// What the cutter says about the text before the chunk ([`Cutter::before`]).
    pub before: TextBefore,
}

/// A value that is appended for a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'v> {
    /// A text of printable characters.
    Text(&'v [u8]),
    /// A text that may have any characters.
    Words(&'v [u8]),
    /// A number.
    Number(u32),
    /// True or false.
    Truth(bool),
    /// Unknown.
    Nothing,
}

impl<'v> Value<'v> {
    /// The values for the list of a row, with [`Value::Nothing`] for each of its elements that is not a string. `numbered`
    /// has the values of the strings, with the numbers of these.
    pub fn of_list(no_strings: &[NoStrings], numbered: impl Iterator<Item = (usize, Self)>) -> Vec<Self> {
        let nothing = |none: &NoStrings| iter::repeat_n(Value::Nothing, none.count as usize);
        let (mut values, mut none) = (Vec::new(), no_strings.iter().peekable());
        for (at, value) in numbered {
            while let Some(none) = none.next_if(|none| none.before <= at) {
                values.extend(nothing(none));
            }
            values.push(value);
        }
        values.extend(none.flat_map(nothing));
        values
    }

    /// Writes the value; nothing if it is unknown. In [`Value::Words`], tabs, line ends and backslashes are escaped by
    /// backslashes: `\t`, `\n`, `\r` and `\\`.
    #[inline(always)]
    pub fn write(self, out: &mut Text) {
        match self {
            Self::Text(text) => out.push(text),
            Self::Words(text) => push_escaped(text, b'\t', out),
            Self::Number(number) => out.push_number(number),
            Self::Truth(truth) => out.push(if truth { b"true" } else { b"false" }),
            Self::Nothing => {}
        }
    }
}

/// Writes a text with escapes for backslashes, line ends and the delimiter of fields.
pub(super) fn push_escaped(text: &[u8], delimiter: u8, out: &mut Text) {
    for &byte in text {
        match byte {
            b'\\' => out.push(b"\\\\"),
            b'\n' => out.push(b"\\n"),
            b'\r' => out.push(b"\\r"),
            b'\t' if delimiter == b'\t' => out.push(b"\\t"),
            byte if byte == delimiter => out.push(format!("\\x{byte:02x}").as_bytes()),
            byte => out.push_byte(byte),
        }
    }
}

/// Why a run with a framing cannot start.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsuited {
    /// The options contradict each other or the input.
    Asked(String),
    /// The input is invalid.
    Input(String),
}

impl Unsuited {
    /// The message.
    pub fn into_message(self) -> String {
        let (Self::Asked(words) | Self::Input(words)) = self;
        words
    }
}

/// A text whose strings were all replaced at once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RewrittenText {
    /// The new text; `None` if nothing changes.
    pub text: Option<Vec<u8>>,
    /// The number of strings that were rewritten.
    pub rewritten: u64,
    /// The number of strings that stay as they are.
    pub kept: u64,
    /// What was lost of strings that were rewritten.
    pub lost: Vec<Losses>,
    /// The strings that could not be rewritten, with the text around each, such as its link, in the order of the text.
    pub left: Vec<Refused>,
}

/// What is known of a framing before it has seen any text.
#[derive(Debug, Clone, Copy)]
pub struct FramingFacts {
    /// Whether each line is a string and nothing else, so that [`Framing::rows`] need not be called.
    pub is_lines: bool,
    /// The length of the longest row in bytes.
    pub longest: usize,
    /// What can be appended to the rows.
    pub appends: Appends,
    /// Whether [`RowWriter::append`] writes values of letters, digits, `.`, `-` and `:` unchanged at the end of the row.
    pub appends_bare: bool,
    /// Whether a refused string must stay in the text because it is part of it, like a link.
    pub keeps_refused: bool,
    /// How records are written that are chosen among others.
    pub chosen: ChosenAs,
    /// Whether rows can be found from any row on without the text before it. Then [`Framing::rows`] may stop early, and
    /// is called again for the rest.
    pub rows_stand_alone: bool,
    /// Whether a byte order mark at the start of the text stays there.
    pub keeps_mark: bool,
}

impl Default for FramingFacts {
    fn default() -> Self {
        Self {
            is_lines: false,
            longest: MAX_ROW,
            appends: Appends::Nothing,
            appends_bare: false,
            keeps_refused: false,
            chosen: ChosenAs::Rows,
            rows_stand_alone: false,
            keeps_mark: true,
        }
    }
}

/// How records are written that are chosen among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChosenAs {
    /// The text is copied without the rows of the others.
    Rows,
    /// The text would break without them: each string is written on a line of its own, and nothing else.
    Strings,
    /// The same, but the place of the string in the text is written, as it is there: all of a link.
    Places,
}

/// What can be appended to the rows of a framing, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Appends {
    /// Nothing.
    Nothing,
    /// The title and the author, without names, after new strings: the old ones are not on a line of their own.
    Titles,
    /// Values without names.
    Values,
    /// Columns or fields with names.
    Named,
}

/// A way of embedding strings in text: finds the strings, and replaces them.
///
/// A client checks the options ([`Framing::check`]), passes the first text ([`Framing::begin`]), and then, for each
/// piece of whole rows, finds the rows ([`Framing::rows`]), converts their strings, and writes the new ones in place of
/// the old ([`RowWriter::put`]) or beside them ([`RowWriter::append`]). All other text is copied.
///
/// ```
/// use gridmill_core::formats::Text;
/// use gridmill_core::kernels;
/// use gridmill_core::framing::{Asked, Column, Framing, Piece, RowWriter, Rows, Table};
///
/// let text = b"id,board\n7,\"1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1\"\n";
/// let mut table = Table::csv(Column::Name("board".into()));
/// let whole = Piece { text, start: 0, quotes: None, kernel: kernels::best(), before: Default::default() };
/// table.begin(&whole, &Asked::default()).unwrap();
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
pub trait Framing: RowWriter + fmt::Debug + Send + Sync {
    /// What is known before any text has been seen.
    fn facts(&self) -> FramingFacts {
        FramingFacts::default()
    }

    /// The cutter that decides where text may be cut, if not at every line end.
    fn cutter(&self, _kernel: &'static Kernel) -> Option<Box<dyn Cutter>> {
        None
    }

    /// If a piece is too long because it cannot be cut, the message about it.
    fn too_long(&self, _piece: &[u8]) -> Option<&'static str> {
        None
    }

    /// The names of the columns or fields with strings, in the order in which the user gave them. One empty name if the
    /// framing has no columns or fields.
    fn columns(&self) -> Vec<String> {
        vec![String::new()]
    }

    /// Checks that options do not contradict each other.
    ///
    /// # Errors
    /// They contradict each other. The message says how.
    fn check(&self, _asked: &Asked) -> Result<(), String> {
        Ok(())
    }

    /// Processes the start of the first input, before any rows are found.
    ///
    /// # Errors
    /// The text is not in this framing.
    fn begin(&mut self, _first: &Piece, _asked: &Asked) -> Result<(), Unsuited> {
        Ok(())
    }

    /// The format of the strings that [`Framing::rows`] gives, if it is known. `asked` is the user's choice.
    fn format(&self, asked: Option<Format>) -> Option<Format> {
        asked
    }

    /// The length of the header at the start of an input.
    fn header(&self, _text: &[u8]) -> usize {
        0
    }

    /// The names in a header, without what makes no difference. Inputs with the same names are parts of one table.
    fn names(&self, header: &[u8]) -> Vec<u8> {
        header.trim_ascii_end().to_vec()
    }

    /// Finds the rows of a text. With `all`, includes those without a string.
    ///
    /// # Panics
    /// The text has 4 GiB or more, so that 32 bits do not hold all positions.
    fn rows(&self, piece: &Piece, all: bool, rows: &mut Rows) {
        assert!(u32::try_from(piece.text.len()).is_ok(), "a piece must have less than 4 GiB");
        self.find_rows(piece, all, rows);
    }

    /// What [`Framing::rows`] does, for a text of less than 4 GiB.
    fn find_rows(&self, piece: &Piece, all: bool, rows: &mut Rows);

    /// Replaces all strings of a text at once, if they cannot be replaced one by one; `None` if they can.
    fn rewrite(&self, _piece: &Piece) -> Option<RewrittenText> {
        None
    }
}

/// Writes strings and values into the rows of a framing.
pub trait RowWriter {
    /// Whether all of these bytes can be part of a string without quotes or escapes.
    fn is_bare(&self, _strings: &[u8]) -> bool {
        true
    }

    /// Checks that a string can be written in a row at all.
    ///
    /// # Errors
    /// It cannot be written, not even quoted or escaped.
    fn fits(&self, _string: &[u8]) -> Result<(), Reject> {
        Ok(())
    }

    /// Writes a string into a row. `quoted` says that the quotes around it are already there.
    fn put(&self, string: &[u8], _quoted: bool, out: &mut Text) {
        out.push(string);
    }

    /// The position in a row where values are appended: its end, or its closing bracket.
    fn end_of_fields(&self, row: &[u8]) -> usize {
        row.len()
    }

    /// The text before an appended value with this name. The caller computes it once for all calls of
    /// [`RowWriter::append`].
    fn label(&self, _name: &str) -> Vec<u8> {
        Vec::new()
    }

    /// Appends the values for each string of a row, after their label. `list` says that the strings are in a list.
    fn append(&self, _label: &[u8], _values: &[Value], _list: bool, _out: &mut Text) {}

    /// Appends a name to the header.
    fn append_name(&self, _name: &str, _out: &mut Text) {}

    /// Whether values are also appended to a row that is refused and kept. `of_row` is the reason for refusing it, if
    /// it concerns the row and not its strings.
    fn appends_to_refused(&self, _of_row: Option<Code>) -> bool {
        false
    }
}
