//! Recognises strings, links and files of other programs, which gridmill does not read, so that a refusal can name them.
//!
//! [`FOREIGN`] is the list: what each is called, which addresses its links have, and what its strings and files look
//! like. `strings` recognises what is on one line, `documents` what has several.

mod documents;
mod strings;

use super::kenken_clues::is_row;
use super::{REGISTRY, Within, wolfram};
pub(super) use documents::{is_gnome_sudoku, is_kenken_letters, is_kenken_rows};

/// A text of another program that was recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignText {
    /// The name of its format in `FOREIGN`.
    pub name: &'static str,
    /// What it is, and what reads it, if something does.
    pub words: String,
}

/// A format of another program.
#[derive(Debug)]
struct Foreign {
    /// The name: of the program, or of the form of the string.
    name: &'static str,
    /// What such a text is, as it follows "it is" or "it looks like".
    what: &'static str,
    /// The hosts of its links, each with the beginning of what must follow it.
    links: &'static [(&'static str, &'static str)],
    /// Whether a line without spaces around it is a string of this format.
    is_string: fn(&[u8]) -> bool,
    /// Whether a text of several lines is a file of this format.
    is_document: fn(&[u8]) -> bool,
    /// Whether other text may look the same by chance.
    is_guess: bool,
    /// What reads it, or a part of it, nevertheless: words that follow what it is.
    instead: fn(&[u8], Within) -> Option<String>,
}

impl Foreign {
    const DEFAULT: Self = Self {
        name: "",
        what: "",
        links: &[],
        is_string: |_| false,
        is_document: |_| false,
        is_guess: false,
        instead: |_, _| None,
    };

    /// Describes a text of this format.
    fn describe(&self, text: &[u8], within: Within) -> ForeignText {
        let Self { name, what, .. } = *self;
        let it_is = if self.is_guess { "it looks like" } else { "it is" };
        let words = match (self.instead)(text, within) {
            Some(instead) => format!("{it_is} {what}{instead}"),
            None => format!("{it_is} {what}, which gridmill does not read"),
        };
        ForeignText { name, words }
    }
}

/// Every format of other programs that is recognised. Earlier ones win.
static FOREIGN: &[Foreign] = &[
    Foreign {
        name: "f-puzzles",
        what: "a puzzle of f-puzzles",
        links: &[
            ("f-puzzles.com", ""),
            ("sudokupad.app", "fpuz"),
            ("sudokupad.app", "?puzzleid=fpuz"),
            ("crackingthecryptic.com", "?puzzleid=fpuz"),
            ("crackingthecryptic.com", "sudoku/?puzzleid=fpuz"),
        ],
        instead: reads_links,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "SudokuPad",
        what: "a puzzle of SudokuPad",
        links: &[("sudokupad.app", ""), ("crackingthecryptic.com", "")],
        instead: reads_links,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "SudokuMaker",
        what: "a puzzle of SudokuMaker",
        links: &[("sudokumaker.app", "")],
        instead: reads_links,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "sudoku.coach",
        what: "a puzzle of sudoku.coach",
        links: &[("sudoku.coach", "")],
        instead: reads_links,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "Sudoku Exchange",
        what: "a link of Sudoku Exchange",
        links: &[("sudokuexchange.com", "")],
        instead: reads_links,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "penpa-edit",
        what: "a puzzle of penpa-edit",
        links: &[
            ("swaroopg92.github.io", "penpa-edit"),
            ("logicmastersindia.com", "penpa-edit"),
            ("opt-pan.github.io", "penpa-edit"),
        ],
        instead: reads_links,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "puzz.link",
        what: "a puzzle of puzz.link",
        links: &[("puzz.link", ""), ("pzv.jp", ""), ("pzprxs.vercel.app", ""), ("pzplus.tck.mn", "")],
        instead: reads_links,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "Interactive Sudoku Solver",
        what: "a puzzle of Interactive Sudoku Solver",
        links: &[("sigh.github.io", "Interactive-Sudoku-Solver")],
        is_string: strings::is_constraints,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "lisudoku",
        what: "a link of lisudoku",
        links: &[("lisudoku.xyz", "")],
        instead: digits_within,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "Solo",
        what: "a game id of Solo, one of Simon Tatham's puzzles",
        links: &[("chiark.greenend.org.uk", "~sgtatham/puzzles/js/solo.html")],
        instead: reads_links,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "Keen",
        what: "a game id of Keen, one of Simon Tatham's puzzles (a KenKen)",
        links: &[("chiark.greenend.org.uk", "~sgtatham/puzzles/js/keen.html")],
        instead: reads_links,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "Simon Tatham's puzzles",
        what: "a saved game of Simon Tatham's puzzles",
        is_string: |line| line.starts_with(b"SAVEFILE:"),
        is_document: |text| text.starts_with(b"SAVEFILE:"),
        instead: in_file,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "Susser",
        what: "a sudoku in Susser's form (a + before each placed digit, deleted candidates after a colon)",
        is_string: strings::is_susser,
        instead: strings::susser_instead,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "str8ts signs",
        what: "a str8ts of 81 signs (# is black, a letter a black clue)",
        is_string: strings::is_str8ts_signs,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "str8ts cells",
        what: "a str8ts of black and white cells (b0,w5,...)",
        is_string: strings::is_str8ts_cells,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "joined rows",
        what: "a sudoku of nine rows joined by separators",
        is_string: strings::is_joined_rows,
        instead: strings::joined_rows_instead,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "OpenSudoku cells",
        what: "the cells of a game of OpenSudoku",
        is_string: strings::is_opensudoku_cells,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "KSudoku",
        what: "an XML file of KSudoku",
        is_document: |text| documents::has_element(text, "ksudoku"),
        is_string: |line| documents::has_element(line, "ksudoku"),
        instead: in_file,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "OpenSudoku",
        what: "an XML file of OpenSudoku",
        is_document: |text| documents::has_element(text, "opensudoku"),
        is_string: |line| documents::has_element(line, "opensudoku"),
        instead: in_file,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "1gsudoku",
        what: "an XML file of OneGravity's sudoku (.1gsudoku)",
        is_document: |text| documents::has_element(text, "onegravitysudoku"),
        is_string: |line| documents::has_element(line, "onegravitysudoku"),
        instead: in_file,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "sudoku XML",
        what: "an XML file with sudokus",
        is_document: documents::is_sudoku_xml,
        is_string: |line| documents::has_element(line, "sudoku"),
        instead: digits_within,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "MiniZinc",
        what: "an array of MiniZinc ([| rows between bars |])",
        is_document: documents::is_minizinc,
        is_string: |line| line.starts_with(b"[|") || line.ends_with(b"[|"),
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "GNOME Sudoku",
        what: "a saved game of GNOME Sudoku",
        is_document: is_gnome_sudoku,
        is_string: is_gnome_sudoku,
        instead: in_file,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "KenKen rows",
        what: "a KenKen as rows of cages (r1.24*,r1,r2.3-)",
        is_document: is_kenken_rows,
        is_string: is_row,
        instead: in_file,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "KenKen letters",
        what: "a KenKen as a grid of letters and a clue for each letter",
        is_document: is_kenken_letters,
        instead: in_file,
        ..Foreign::DEFAULT
    },
    Foreign {
        name: "other side",
        what: "a sudoku of another side than 9, a sign for each cell",
        is_string: strings::is_other_side,
        is_guess: true,
        instead: strings::other_side_instead,
        ..Foreign::DEFAULT
    },
];

/// Recognises a line of another program.
pub(super) fn foreign_line(line: &[u8], within: Within) -> Option<ForeignText> {
    let line = line.trim_ascii();
    if line.len() < SHORTEST || REGISTRY.iter().any(|format| format.resembles(line)) {
        return None;
    }
    let format = match address(line) {
        Some((host, rest)) => linked(host, rest),
        None => FOREIGN.iter().find(|format| (format.is_string)(line)),
    };
    format.map(|format| format.describe(line, within))
}

/// Recognises a text of another program: all of it, or one of its first lines. Only the first 64 KiB are examined.
///
/// ```
/// use gridmill_core::formats::{Within, foreign};
///
/// let found = foreign(b"https://lisudoku.xyz/p/abc\n", Within::Line).expect("a link of another site");
/// assert_eq!(found.name, "lisudoku");
/// assert_eq!(found.words, "it is a link of lisudoku, which gridmill does not read");
/// ```
pub fn foreign(text: &[u8], within: Within) -> Option<ForeignText> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    let begin = &text[..text.len().min(MOST_EXAMINED)];
    let line = begin.trim_ascii_end();
    if !line.contains(&b'\n') && REGISTRY.iter().any(|format| format.resembles(line)) {
        return None;
    }
    let document = FOREIGN.iter().find(|format| (format.is_document)(begin));
    document.map(|format| format.describe(begin, within)).or_else(|| {
        let lines = begin.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        lines.take(MOST_LINES).find_map(|line| foreign_line(line, within))
    })
}

/// Whether a line that begins like a comment is nevertheless a string: `#` is a digit of wolfram, and one wolfram
/// string in some thousands begins with two of them. Text and rows of `#` never decode to clues without repeats. It is also
/// a black cell in strings of other programs, which are to be refused, not copied.
pub fn begins_like_a_comment(text: &[u8]) -> bool {
    text.starts_with(b"##") && (wolfram::is_likely(text) || strings::is_str8ts_signs(text))
}

/// The shortest string that is recognised: six cells of a game id.
const SHORTEST: usize = 6;

/// How many bytes of a text, and how many of its lines, are examined.
const MOST_EXAMINED: usize = 64 << 10;
const MOST_LINES: usize = 60;

/// How many bytes of a line are searched for an address.
const MOST_BEFORE_ADDRESS: usize = 4096;

/// Returns the host of the first address in a text, and what follows the host.
fn address(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let begin = &text[..text.len().min(MOST_BEFORE_ADDRESS)];
    let mut colons = memchr::memchr_iter(b':', begin);
    let start = match colons.find(|&colon| begin[colon + 1..].starts_with(b"//")) {
        Some(colon) => colon + 3,
        None if begin.starts_with(b"www.") => 0,
        None => return host_alone(text),
    };
    Some(split_host(&text[start..]))
}

/// Splits an address without its scheme into the host and what follows the slash after it.
fn split_host(address: &[u8]) -> (&[u8], &[u8]) {
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
    let end = address.iter().take(256).position(|byte| !is_host(byte)).unwrap_or(address.len().min(256));
    let (host, rest) = address.split_at(end);
    (host, rest.strip_prefix(b"/").unwrap_or(rest))
}

/// The same for an address without a scheme, if its host is a known one: `sudokupad.app/...`.
fn host_alone(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (host, rest) = split_host(text);
    (host.contains(&b'.') && !rest.is_empty() && linked(host, rest).is_some()).then_some((host, rest))
}

/// Returns the format of a link.
fn linked(host: &[u8], rest: &[u8]) -> Option<&'static Foreign> {
    let is_of = |known: &str| {
        let before = host.len().checked_sub(known.len());
        before.is_some_and(|at| host[at..].eq_ignore_ascii_case(known.as_bytes()) && (at == 0 || host[at - 1] == b'.'))
    };
    let is_link = |(known, begin): &(&str, &str)| is_of(known) && rest.starts_with(begin.as_bytes());
    FOREIGN.iter().find(|format| format.links.iter().any(is_link))
}

/// Says which links are read of a site of which gridmill reads those that hold a puzzle.
fn reads_links(_: &[u8], within: Within) -> Option<String> {
    Some(match within {
        Within::Line => {
            "; a link that holds the puzzle is read if it stands alone, and in text with --framing links".into()
        }
        _ => "; a link that holds the puzzle is read if it stands alone".into(),
    })
}

/// Says that it is read from a file.
fn in_file(_: &[u8], within: Within) -> Option<String> {
    Some(match within {
        Within::Line => "; a file of this is read with --framing file".into(),
        _ => ", which gridmill reads only from a file".into(),
    })
}

/// Says how to get at strings of 81 digits inside a text of another program.
fn digits_within(text: &[u8], within: Within) -> Option<String> {
    let is_sign = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let begin = &text[..text.len().min(MOST_EXAMINED)];
    let mut runs = begin.split(|byte| !is_sign(byte));
    let has_board = runs.any(|run| run.len() == 81 && run.iter().any(|&sign| sign != b'.'));
    let words = match within {
        Within::Line => "its 81 digits are a string, which \"grep -oE '[0-9.]{81}'\" takes out of it",
        _ => "its 81 digits are a string by themselves",
    };
    has_board.then(|| format!(", which gridmill does not read; but {words}"))
}
