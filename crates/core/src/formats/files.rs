//! Finds the puzzles in files of other programs, and makes a string of each: OpenSudoku, KSudoku, GNOME Sudoku, Sudoku Solver by
//! D. Hancock, Simon Tatham's puzzles, and KenKens as text.

use super::foreign::{is_gnome_sudoku, is_kenken_letters, is_kenken_rows};
use super::neutral::unsupported;
use super::text::decimal;
use super::xml::elements;
use crate::error::{Code, Reject, escape};

/// A puzzle in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePuzzle {
    /// The offset of its first byte.
    pub start: usize,
    /// The offset after its last byte.
    pub end: usize,
    /// Its string, on one line.
    pub string: Result<Vec<u8>, Reject>,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// XML whose elements of this name have puzzles in attributes.
    Games(&'static [u8]),
    /// One puzzle, whose line ends may be spaces.
    Whole,
    /// A saved game of Simon Tatham's puzzles.
    Saved,
    /// A KenKen, with comments.
    KenKen,
    /// A file of Sudoku Solver: an element for each digit.
    Digits,
}

/// The attributes that have the puzzle of a game.
const ATTRIBUTES: [&str; 2] = ["data", "cells_data"];

/// Finds out what a text is by its beginning.
fn sort(text: &[u8]) -> Option<Sort> {
    let begin = &text[..text.len().min(64 << 10)];
    let begin = begin.trim_ascii_start();
    if begin.starts_with(b"<") {
        let root = elements(begin).next()?;
        return match root.name {
            b"Sudoku" if root.attribute("version").is_some() => Some(Sort::Digits),
            b"opensudoku" | b"opensudoku2" => Some(Sort::Games(b"game")),
            b"onegravitysudoku" => Some(Sort::Games(b"sudoku")),
            b"ksudoku" => Some(Sort::Whole),
            _ => None,
        };
    }
    if begin.starts_with(b"SAVEFILE:") {
        return Some(Sort::Saved);
    }
    if is_gnome_sudoku(begin) {
        return Some(Sort::Whole);
    }
    (is_kenken_rows(begin) || is_kenken_letters(begin)).then_some(Sort::KenKen)
}

/// Whether a text begins as a file of another program whose puzzles are read.
pub fn is_file(text: &[u8]) -> bool {
    sort(text).is_some()
}

/// The puzzles of a file, or `None` if it is none that is read.
pub fn file_puzzles(text: &[u8]) -> Option<Vec<FilePuzzle>> {
    let string = match sort(text)? {
        Sort::Games(name) => return Some(games(text, name)),
        Sort::Whole => Ok(text.iter().map(|&byte| if b"\r\n\t".contains(&byte) { b' ' } else { byte }).collect()),
        Sort::Saved => saved(text),
        Sort::KenKen => Ok(without_comments(text)),
        Sort::Digits => digits(text),
    };
    let start = text.len() - text.trim_ascii_start().len();
    Some(vec![FilePuzzle { start, end: start + text.trim_ascii().len(), string }])
}

/// Whether the last tag of XML is the end of its first element.
fn ends_with_its_root(text: &[u8]) -> bool {
    let (root, last) = (elements(text).next(), elements(text).last());
    let name = last.and_then(|last| last.name.strip_prefix(b"/"));
    name.is_some_and(|name| root.is_some_and(|root| root.name == name)) && text.trim_ascii_end().ends_with(b">")
}

fn games(text: &[u8], name: &[u8]) -> Vec<FilePuzzle> {
    let games = elements(text).filter(|element| element.name == name);
    let puzzle = |game: super::xml::XmlElement| FilePuzzle {
        start: game.start,
        end: game.end,
        string: ATTRIBUTES
            .iter()
            .find_map(|attribute| game.attribute(attribute))
            .ok_or_else(|| Reject::whole(Code::Column, "the game has no attribute data or cells_data")),
    };
    let mut puzzles: Vec<_> = games.map(puzzle).collect();
    if !ends_with_its_root(text) {
        let cut_off = || Err(Reject::whole(Code::Length, "the file is cut off, here or after this"));
        let start = puzzles.last().map_or(0, |last| last.end);
        match (text[start..].trim_ascii().is_empty(), puzzles.last_mut()) {
            (true, Some(last)) => last.string = cut_off(),
            _ => puzzles.push(FilePuzzle { start, end: text.len(), string: cut_off() }),
        }
    }
    if puzzles.is_empty() {
        let string = Err(Reject::whole(Code::Length, "the file has no game"));
        return vec![FilePuzzle { start: 0, end: text.len(), string }];
    }
    puzzles
}

/// Reads a file of Sudoku Solver, whose cells have a column and a row from 0, a digit, and who has put it there. Returns a line of
/// HoDoKu, which says which digits are clues.
fn digits(text: &[u8]) -> Result<Vec<u8>, Reject> {
    let wrong = |words: String| Err(Reject::whole(Code::Unsupported, words));
    let version = elements(text).next().and_then(|root| root.attribute("version")).unwrap_or_default();
    if ![&b"1"[..], b"2"].contains(&&version[..]) {
        return wrong(format!("a file of version {}; 1 and 2 are read", escape(&version)));
    }
    let is_empty = elements(text).next().is_some_and(|root| root.is_over);
    if !is_empty && !ends_with_its_root(text) {
        return Err(Reject::whole(Code::Length, "the file is cut off"));
    }
    let no_cell =
        || Reject::whole(Code::Digit, "a cell is not a column and a row from 0 to 8, a digit, and its origin");
    let mut board: [Option<(u8, bool)>; 81] = [None; 81];
    let mut cell = [const { None }; 4];
    for element in elements(text).skip(1) {
        match element.name {
            b"Cell" => cell = [const { None }; 4],
            b"/Cell" => {
                let [Some([x @ b'0'..=b'8']), Some([y @ b'0'..=b'8']), Some([digit @ b'1'..=b'9']), Some(origin)] =
                    cell.each_ref().map(|part: &Option<Vec<u8>>| part.as_deref())
                else {
                    return Err(no_cell());
                };
                let is_clue = match origin {
                    b"User" | b"Provided" => true,
                    b"Calculated" | b"Trial" => false,
                    _ => return Err(no_cell()),
                };
                let at = usize::from(y - b'0') * 9 + usize::from(x - b'0');
                if board[at].replace((*digit, is_clue)).is_some() {
                    return wrong("a cell that stands there twice".into());
                }
            }
            name => match [&b"x"[..], b"y", b"value", b"origin"].iter().position(|part| *part == name) {
                Some(part) => cell[part] = Some(element.content().trim_ascii().to_vec()),
                None if name.starts_with(b"/") => {}
                None => return Err(unsupported(format!("unknown: {}", String::from_utf8_lossy(name)))),
            },
        }
    }
    let mut line = b":0000:x:".to_vec();
    for digit in board {
        let (digit, is_clue) = digit.unwrap_or((b'.', true));
        line.extend(if is_clue { &b""[..] } else { b"+" });
        line.push(digit);
    }
    line.extend(b":::");
    Ok(line)
}

/// Reads a saved game: lines of a key, a length and a value. Its id is the parameters and the description.
fn saved(text: &[u8]) -> Result<Vec<u8>, Reject> {
    let refuse = |words: &str| Err(Reject::whole(Code::Unsupported, words.to_string()));
    let (mut game, mut parameters, mut description, mut states) = (None, None, None, None);
    let mut rest = text.trim_ascii_start();
    while !rest.is_empty() {
        let mut fields = rest.splitn(3, |&byte| byte == b':');
        let (Some(key), Some(length), Some(value)) = (fields.next(), fields.next(), fields.next()) else {
            return Err(Reject::whole(
                Code::Length,
                "text after the last line of the saved game, or its last line is cut off",
            ));
        };
        let value = decimal(length).and_then(|length| value.split_at_checked(length as usize));
        let Some((value, after)) = value else {
            return Err(Reject::whole(Code::Length, "a line of the saved game is cut off"));
        };
        match key.trim_ascii() {
            b"GAME" => game = Some(value),
            b"PARAMS" => parameters = Some(value),
            b"DESC" => description = Some(value),
            b"NSTATES" => states = Some(value),
            _ => {}
        }
        rest = after.trim_ascii_start();
    }
    match (game, parameters, description) {
        (Some(b"Solo" | b"Keen"), Some(parameters), Some(description))
            if states.is_none_or(|states| states == b"1") =>
        {
            Ok([parameters, b":", description].concat())
        }
        (Some(b"Solo" | b"Keen"), Some(_), Some(_)) => {
            refuse("a saved game with moves, of which gridmill reads only the id before the first move")
        }
        (Some(b"Solo" | b"Keen"), ..) => {
            Err(Reject::whole(Code::Length, "the saved game has no parameters or no description"))
        }
        _ => refuse("a saved game of another puzzle than Solo and Keen"),
    }
}

/// The lines without comments and the spaces in them, separated by spaces.
fn without_comments(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b".KK"));
    let packed = lines.map(|line| line.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<u8>>());
    packed.collect::<Vec<_>>().join(&b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many bytes are left of a file, no game is passed over: those that are whole are read, and what follows is refused.
    #[test]
    fn a_file_that_is_cut_off_says_so() {
        let games: String = (0..3).map(|at| format!("<game data=\"{}\" />\n", at.to_string().repeat(81))).collect();
        let file = format!("<opensudoku>\n<name>a > b</name>\n{games}</opensudoku>\n");
        assert!(
            file_puzzles(file.as_bytes()).is_some_and(|all| all.len() == 3 && all.iter().all(|one| one.string.is_ok()))
        );
        for end in "<opensudoku>".len()..file.trim_ascii_end().len() {
            let found = file_puzzles(&file.as_bytes()[..end]).expect("a file");
            let (last, before) = found.split_last().expect("something");
            assert!(last.string.is_err() && before.iter().all(|one| one.string.is_ok()), "{}", &file[..end]);
            assert!(last.start < last.end || end == "<opensudoku>".len(), "{}", &file[..end]);
        }
    }
}
