//! Why a record is rejected ([`Reject`]), and what is not available at all ([`Unavailable`]).

use std::fmt;
use std::sync::Arc;

/// Something that was requested but is not available: a kernel that this machine cannot run, or boards of a kind and
/// side that cannot be generated or whose solutions cannot be counted. The message says what is available instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable(pub String);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unavailable {}

/// Escapes text for a terminal or a TSV field, reversibly: `\\ \t \n \r \xNN`. Printable Unicode stays, except for
/// characters that change how a terminal shows the rest (C1 controls, bidirectional and zero-width marks).
pub fn escape(bytes: &[u8]) -> String {
    // The first scan visits every byte, so that it is compiled to vector instructions. Nearly every text has nothing to
    // escape.
    let plain = bytes.iter().fold(true, |plain, &byte| plain & (b' '..=b'~').contains(&byte) & (byte != b'\\'));
    if plain && let Ok(text) = str::from_utf8(bytes) {
        return text.to_string();
    }
    let mut out = String::with_capacity(bytes.len());
    for part in bytes.utf8_chunks() {
        for c in part.valid().chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                '\t' => out.push_str("\\t"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                c if hostile(c) => {
                    let mut utf8 = [0; 4];
                    for b in c.encode_utf8(&mut utf8).bytes() {
                        out.push_str(&format!("\\x{b:02x}"));
                    }
                }
                c => out.push(c),
            }
        }
        for b in part.invalid() {
            out.push_str(&format!("\\x{b:02x}"));
        }
    }
    out
}

/// Whether a terminal would act on a character instead of showing it.
fn hostile(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// The stable codes of rejected records and validation problems, as listed in docs/CLI.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The string has the wrong shape or length.
    Length,
    /// A character is not a digit of the format.
    Digit,
    /// A number is out of range: a cell code, sum, colour or region.
    Range,
    /// A flag where none is allowed.
    Flag,
    /// A v2 header that is unknown, a draft or a misprint.
    Header,
    /// A cage has no clue, two clues, or a clue in the wrong cell; or an operator is missing or invalid.
    Cage,
    /// Regions or groups do not fit the grid.
    Region,
    /// The target format cannot hold everything on the board (see `--lossy`).
    Lossy,
    /// The target needs something the board lacks, or the string is of a known type that is not supported.
    Unsupported,
    /// The string can be read in two ways.
    Ambiguous,
    /// A line of more than 64 KiB.
    TooLong,
    /// A row without the requested column.
    Column,
    /// A line is not JSON, or lacks the requested field.
    Json,
    /// A link that cannot be rewritten.
    Link,
    /// A link with a name instead of a puzzle, which is on the server of a site.
    Remote,
    /// A digit occurs twice in a house, or in a cage of different digits.
    Duplicate,
    /// A cell for which no digit is left.
    NoCandidate,
    /// A cage whose sum cannot be reached.
    Sum,
    /// A KenKen cage whose clue cannot be made with its operator.
    Operator,
    /// A Str8ts run that cannot become consecutive digits.
    Straight,
    /// A puzzle without a solution.
    NoSolution,
    /// A puzzle with more than one solution.
    ManySolutions,
    /// A solved cell or candidates that the only solution contradicts.
    WrongProgress,
    /// The given solution is not the solution of the puzzle.
    WrongSolution,
    /// The given solution is missing or lacks a digit.
    IncompleteSolution,
    /// A puzzle whose search was stopped before its solutions were known.
    Undecided,
    /// A map that is not valid for the board's kind.
    Map,
    /// A warning: a placed digit excludes a candidate.
    Stale,
}

impl Code {
    /// Every code, in the order of docs/CLI.md.
    pub const ALL: [Self; 28] = [
        Self::Length,
        Self::Digit,
        Self::Range,
        Self::Flag,
        Self::Header,
        Self::Cage,
        Self::Region,
        Self::Lossy,
        Self::Unsupported,
        Self::Ambiguous,
        Self::TooLong,
        Self::Column,
        Self::Json,
        Self::Link,
        Self::Remote,
        Self::Duplicate,
        Self::NoCandidate,
        Self::Sum,
        Self::Operator,
        Self::Straight,
        Self::NoSolution,
        Self::ManySolutions,
        Self::WrongProgress,
        Self::WrongSolution,
        Self::IncompleteSolution,
        Self::Undecided,
        Self::Map,
        Self::Stale,
    ];

    /// The name in reject files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Digit => "digit",
            Self::Range => "range",
            Self::Flag => "flag",
            Self::Header => "header",
            Self::Cage => "cage",
            Self::Region => "region",
            Self::Lossy => "lossy",
            Self::Unsupported => "unsupported",
            Self::Ambiguous => "ambiguous",
            Self::TooLong => "toolong",
            Self::Column => "column",
            Self::Json => "json",
            Self::Link => "link",
            Self::Remote => "remote",
            Self::Duplicate => "duplicate",
            Self::NoCandidate => "no-candidate",
            Self::Sum => "sum",
            Self::Operator => "operator",
            Self::Straight => "straight",
            Self::NoSolution => "no-solution",
            Self::ManySolutions => "many-solutions",
            Self::WrongProgress => "wrong-progress",
            Self::WrongSolution => "wrong-solution",
            Self::IncompleteSolution => "incomplete-solution",
            Self::Undecided => "undecided",
            Self::Map => "map",
            Self::Stale => "stale",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A cell of a board by row and column, both from 1. Displayed as `r4c7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Row, from 1 at the top.
    pub row: u8,
    /// Column, from 1 at the left.
    pub column: u8,
}

impl Position {
    /// The position of cell `index` (from 0, in reading order) of a board of side `side`.
    pub fn of(index: usize, side: usize) -> Self {
        Self { row: (index / side + 1) as u8, column: (index % side + 1) as u8 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row, self.column)
    }
}

/// Why a record is rejected. The caller that read it knows where it was (input, line, byte).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reject {
    /// The stable code.
    pub code: Code,
    /// The first cell concerned, if any.
    pub cell: Option<Position>,
    /// What is wrong and, if possible, what to do about it.
    pub message: String,
    /// What is on the board that no kind of board has, by name, if that is why. The message lists these names.
    pub names: Box<[String]>,
}

impl Reject {
    /// A rejection because of everything on a board that no kind of board has. Each has a name of at most a few words, which
    /// reports sum up.
    pub fn unsupported(names: impl Into<Box<[String]>>) -> Self {
        let names = names.into();
        Self { code: Code::Unsupported, cell: None, message: names.join(", "), names }
    }

    /// A rejection that concerns no single cell.
    pub fn whole(code: Code, message: impl Into<String>) -> Self {
        Self { code, cell: None, message: message.into(), names: Box::default() }
    }

    /// A rejection because of cell `index` (from 0) of a board of side `side`.
    pub fn at(code: Code, index: usize, side: usize, message: impl Into<String>) -> Self {
        Self { cell: Some(Position::of(index, side)), ..Self::whole(code, message) }
    }
}

impl std::error::Error for Reject {}

/// A record that was refused, or that has a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The record, from 0 in its call.
    pub record: usize,
    /// Why.
    pub reject: Reject,
}

/// A record that was refused, or about which there is a warning, where it stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The line, from 0 in the text.
    pub line: u64,
    /// Its first byte, from 0 in the text.
    pub at: usize,
    /// Why it was refused.
    pub reject: Reject,
    /// The record, or the first [`Refused::SHOWN`] bytes of an overlong line. All rows of a record share these bytes.
    pub record: Arc<[u8]>,
    /// The full length of an overlong line.
    pub too_long: Option<u64>,
    /// It is only a warning: the record was not refused.
    pub warning: bool,
}

impl Refused {
    /// The number of bytes that are shown of an overlong line.
    pub const SHOWN: usize = 256;

    /// The record as a reject file shows it, in parts.
    fn shown(&self) -> impl Iterator<Item = String> {
        let length = self.too_long.map(|length| format!("...{length}"));
        parts(&self.record).map(escape).chain(length)
    }

    /// The record as a reject file shows it.
    pub fn shown_record(&self) -> String {
        self.shown().collect()
    }
}

/// Splits a record, which may be a table row of many megabytes, into parts that are escaped one at a time. No character is split.
fn parts(record: &[u8]) -> impl Iterator<Item = &[u8]> {
    const PART: usize = 64 << 10;
    let mut rest = record;
    std::iter::from_fn(move || {
        let is_continuation = |at: usize| rest.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
        let end = PART.min(rest.len());
        // At least one of these four positions is not inside a character, because a character has at most three
        // continuation bytes.
        let end = (end.saturating_sub(3)..=end).rev().find(|&at| !is_continuation(at)).unwrap_or(end);
        let (part, after) = rest.split_at(end);
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

/// The place of a refused record, as a reject file names it.
#[derive(Debug, Clone, Copy)]
pub struct RejectPlace<'a> {
    /// The input, [escaped](escape).
    pub input: &'a str,
    /// The line, from 1.
    pub line: u64,
    /// The first byte, from 0, if it is known.
    pub byte: Option<u64>,
}

/// The rows of a reject file, under one header.
#[derive(Debug, Default)]
pub struct RejectRows {
    begun: bool,
}

impl RejectRows {
    const HEADER: &str = "input\tline\tbyte\tcell\tcode\tmessage\trecord\n";

    /// Rows that follow others, so that the header is there.
    pub fn after(begun: bool) -> Self {
        Self { begun }
    }

    /// Whether there are no rows yet.
    pub fn is_first(&self) -> bool {
        !self.begun
    }

    /// Whether the next row is the first, which needs a header. After this question it is not any more.
    pub fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.begun, true)
    }

    /// The next row, in parts: if it is the first, with the header.
    pub fn row<'r>(&mut self, place: RejectPlace, refused: &'r Refused) -> impl Iterator<Item = String> + use<'r> {
        let RejectPlace { input, line, byte } = place;
        let Reject { code, cell, message, .. } = &refused.reject;
        let byte = byte.map_or("-".to_string(), |byte| byte.to_string());
        let cell = cell.map_or("-".to_string(), |cell| cell.to_string());
        let header = if self.begin() { Self::HEADER } else { "" };
        let message = escape(message.as_bytes());
        let begin = format!("{header}{input}\t{line}\t{byte}\t{cell}\t{code}\t{message}\t");
        [begin].into_iter().chain(refused.shown()).chain(["\n".to_string()])
    }
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cell {
            Some(cell) => write!(f, "{} at {cell}: {}", self.code, self.message),
            None => write!(f, "{}: {}", self.code, self.message),
        }
    }
}

/// The plural ending of a noun after a number: `1 cell`, `2 cells`.
pub fn plural(count: impl TryInto<u64>) -> &'static str {
    if count.try_into().is_ok_and(|count| count == 1) { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_errors_that_may_be_sent() {
        fn is_error<T: std::error::Error + Send + Sync + 'static>() {}
        is_error::<Reject>();
        is_error::<Unavailable>();
    }
}
