//! Finds the puzzles in files of other programs, and makes a string of each: OpenSudoku, KSudoku, GNOME Sudoku, Sudoku Solver by
//! D. Hancock, Simon Tatham's puzzles, and KenKens as text.

use std::borrow::Cow;
use std::sync::Arc;

use super::foreign::{is_gnome_sudoku, is_kenken_letters, is_kenken_rows};
use super::names::{Name, Names};
use super::neutral::unsupported;
use super::text::decimal;
use super::xml::{XmlElement, elements};
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
    /// The title and the author that the file says beside it.
    pub names: Arc<Names>,
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
    Some(vec![FilePuzzle { start, end: start + text.trim_ascii().len(), string, names: Arc::default() }])
}

/// Whether the last tag of XML is the end of its first element.
fn ends_with_its_root(text: &[u8]) -> bool {
    let (root, last) = (elements(text).next(), elements(text).last());
    let name = last.and_then(|last| last.name.strip_prefix(b"/"));
    name.is_some_and(|name| root.is_some_and(|root| root.name == name)) && text.trim_ascii_end().ends_with(b">")
}

fn games(text: &[u8], name: &[u8]) -> Vec<FilePuzzle> {
    let mut names = FileNames::of(text);
    let mut puzzles = Vec::new();
    for element in elements(text) {
        names.enter(&element);
        if element.name == name {
            puzzles.push(FilePuzzle {
                start: element.start,
                end: element.end,
                string: ATTRIBUTES
                    .iter()
                    .find_map(|attribute| element.attribute(attribute))
                    .ok_or_else(|| Reject::whole(Code::Column, "the game has no attribute data or cells_data")),
                names: names.of_game(&element),
            });
        }
    }
    if !ends_with_its_root(text) {
        let cut_off = || Err(Reject::whole(Code::Length, "the file is cut off, here or after this"));
        let start = puzzles.last().map_or(0, |last| last.end);
        match (text[start..].trim_ascii().is_empty(), puzzles.last_mut()) {
            (true, Some(last)) => last.string = cut_off(),
            _ => puzzles.push(FilePuzzle { start, end: text.len(), string: cut_off(), names: Arc::default() }),
        }
    }
    if puzzles.is_empty() {
        let string = Err(Reject::whole(Code::Length, "the file has no game"));
        return vec![FilePuzzle { start: 0, end: text.len(), string, names: Arc::default() }];
    }
    puzzles
}

/// The most bytes of the names of all games of a file. Each folder has one name, but its games may be very many.
const MOST_OF_NAMES: usize = 32 << 20;

/// The names of the games in a file.
struct FileNames {
    /// What the file says of all games.
    of_file: Names,
    /// The name of the folder, and the names of the games in it.
    folder: Option<(Vec<u8>, Arc<Names>)>,
    /// The names of games in no folder.
    outside: Arc<Names>,
    /// How many bytes more may be given to games.
    left: usize,
}

impl FileNames {
    fn of(text: &[u8]) -> Self {
        let mut of_file = Names::default();
        for element in elements(text) {
            match element.name {
                b"name" => of_file.title.add(&lossy(&element.content())),
                b"author" | b"source" => of_file.author.add(&lossy(&element.content())),
                _ => {}
            }
        }
        Self { outside: Arc::new(of_file.clone()), of_file, folder: None, left: MOST_OF_NAMES }
    }

    /// Notes where a folder begins and ends.
    fn enter(&mut self, element: &XmlElement<'_>) {
        match element.name {
            b"folder" if !element.is_over => self.take_folder(element.attribute("name").unwrap_or_default()),
            b"/folder" => self.folder = None,
            _ => {}
        }
    }

    fn take_folder(&mut self, folder: Vec<u8>) {
        if self.folder.as_ref().is_none_or(|(name, _)| *name != folder) {
            let mut names = self.of_file.clone();
            names.title.add(&lossy(&folder));
            self.folder = Some((folder, Arc::new(names)));
        }
    }

    /// The names of a game. Its folder may be an attribute.
    fn of_game(&mut self, game: &XmlElement<'_>) -> Arc<Names> {
        if let Some(folder) = game.attribute("folder_name") {
            self.take_folder(folder);
        }
        let names = self.folder.as_ref().map_or(&self.outside, |(_, names)| names);
        let length = names.title.text.len() + names.author.text.len();
        match self.left.checked_sub(length) {
            Some(left) => {
                self.left = left;
                Arc::clone(names)
            }
            None => {
                let cut = |name: &Name| Name { text: String::new(), is_cut: !name.text.is_empty() };
                Arc::new(Names { title: cut(&names.title), author: cut(&names.author) })
            }
        }
    }
}

/// Reads a file of Sudoku Solver, whose cells have a column and a row from 0, a digit, and who has put it there. Returns a line of
/// HoDoKu, which says which digits are clues.
fn digits(text: &[u8]) -> Result<Vec<u8>, Reject> {
    let version = elements(text).next().and_then(|root| root.attribute("version")).unwrap_or_default();
    if ![&b"1"[..], b"2"].contains(&&version[..]) {
        return Err(wrong(format!("a file of version {}; 1 and 2 are read", escape(&version))));
    }
    let is_empty = elements(text).next().is_some_and(|root| root.is_over);
    if !is_empty && !ends_with_its_root(text) {
        return Err(Reject::whole(Code::Length, "the file is cut off"));
    }
    let mut reader = DigitsReader { board: [None; 81], cell: None, part: None, is_over: is_empty };
    for (number, element) in elements(text).enumerate() {
        reader.check(&element, number == 0)?;
        if number > 0 {
            reader.take(&element)?;
        }
    }
    let mut line = b":0000:x:".to_vec();
    for digit in reader.board {
        let (digit, is_clue) = digit.unwrap_or((b'.', true));
        line.extend(if is_clue { &b""[..] } else { b"+" });
        line.push(digit);
    }
    line.extend(b":::");
    Ok(line)
}

/// The elements of a cell.
const PARTS: [&[u8]; 4] = [b"x", b"y", b"value", b"origin"];

/// A file of Sudoku Solver that is being read.
struct DigitsReader {
    /// The digits, and whether they are clues.
    board: [Option<(u8, bool)>; 81],
    /// The parts of the cell that is open.
    cell: Option<[Option<Vec<u8>>; 4]>,
    /// The part that is open.
    part: Option<usize>,
    /// Whether the root has ended.
    is_over: bool,
}

impl DigitsReader {
    /// Refuses what an element says beside its name: attributes, and text where none is expected.
    fn check(&self, element: &XmlElement<'_>, is_root: bool) -> Result<(), Reject> {
        if let Some(fault) = element.fault() {
            return Err(Reject::whole(Code::Digit, fault));
        }
        let says_nothing = |name: &[u8]| is_root && (name == b"version" || name.starts_with(b"xmlns"));
        if let Some(name) = element.attribute_names().find(|name| !says_nothing(name)) {
            return Err(unsupported(format!("unknown: attribute {} of {}", lossy(name), lossy(element.name))));
        }
        let text = element.content();
        if !text.trim_ascii().is_empty() && (element.is_over || !PARTS.contains(&element.name)) {
            return Err(unsupported(format!(
                "unknown: text {} after {}",
                lossy(text.trim_ascii()),
                lossy(element.name)
            )));
        }
        Ok(())
    }

    /// Takes an element after the root, or the end of one.
    fn take(&mut self, element: &XmlElement<'_>) -> Result<(), Reject> {
        let (end, name) = (element.name.strip_prefix(b"/"), element.name);
        let part = PARTS.iter().position(|part| *part == end.unwrap_or(name));
        match (&mut self.cell, part) {
            (Some(cell), Some(part)) if end.is_none() && self.part.is_none() => {
                if cell[part].replace(element.content().trim_ascii().to_vec()).is_some() {
                    return Err(wrong(format!("a cell with {} twice", escape(name))));
                }
                self.part = (!element.is_over).then_some(part);
            }
            (Some(_), Some(part)) if end.is_some() && self.part == Some(part) => self.part = None,
            (None, None) if name == b"Cell" && !element.is_over && !self.is_over => {
                self.cell = Some(Default::default())
            }
            (None, None) if name == b"/Sudoku" && !self.is_over => self.is_over = true,
            (Some(_), None) if name == b"/Cell" && self.part.is_none() => return self.end_cell(),
            (None, None) if name == b"Cell" && !self.is_over => return Err(no_cell()),
            (_, None) if ![&b"Cell"[..], b"Sudoku"].contains(&end.unwrap_or(name)) => {
                return Err(unsupported(format!("unknown: {}", lossy(name))));
            }
            _ => return Err(wrong(format!("{} where it does not belong", escape(name)))),
        }
        Ok(())
    }

    fn end_cell(&mut self) -> Result<(), Reject> {
        let cell = self.cell.take().unwrap_or_default();
        let [Some([x @ b'0'..=b'8']), Some([y @ b'0'..=b'8']), Some([digit @ b'1'..=b'9']), Some(origin)] =
            cell.each_ref().map(|part| part.as_deref())
        else {
            return Err(no_cell());
        };
        let is_clue = match origin {
            b"User" | b"Provided" => true,
            b"Calculated" | b"Trial" => false,
            _ => return Err(no_cell()),
        };
        let at = usize::from(y - b'0') * 9 + usize::from(x - b'0');
        match self.board[at].replace((*digit, is_clue)) {
            Some(_) => Err(wrong("a cell that stands there twice".into())),
            None => Ok(()),
        }
    }
}

fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn wrong(words: String) -> Reject {
    Reject::whole(Code::Unsupported, words)
}

fn no_cell() -> Reject {
    Reject::whole(Code::Digit, "a cell is not a column and a row from 0 to 8, a digit, and its origin")
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

    #[test]
    fn nothing_of_a_file_of_digits_is_passed_over() {
        let string = |inner: &str| {
            let file = format!("<?xml version=\"1.0\"?>\n<Sudoku version=\"2\" xmlns:a='b'>{inner}</Sudoku>\n");
            let mut found = file_puzzles(file.as_bytes()).expect("a file");
            found.pop().expect("a puzzle").string.map_err(|reject| reject.message.to_string())
        };
        let cell = "<Cell>\n<x>1</x><y>0</y><value>5</value><!-- a --><origin>User</origin></Cell>";
        let board = format!(":0000:x:.5{}:::", ".".repeat(79));
        assert_eq!(string(cell).as_deref(), Ok(board.as_bytes()));
        for (from, to, words) in [
            ("<Cell>", "<Cell a='1'>", "unknown: attribute a of Cell"),
            ("<x>", "<x a='1'>", "unknown: attribute a of x"),
            ("</Cell>", "", "/Sudoku where it does not belong"),
            ("</Cell>", "<Cell>", "Cell where it does not belong"),
            ("</Cell>", "</Cell></Cell>", "/Cell where it does not belong"),
            ("<x>", "<value>6</value><x>", "a cell with value twice"),
            ("</x>", "</x>7", "unknown: text 7 after /x"),
            ("</Cell>", "</Cell><![CDATA[7]]>", "unknown: text 7 after /Cell"),
            ("<Cell>", "7<Cell>", "unknown: text 7 after Sudoku"),
            ("<x>1</x>", "<x>1<b/></x>", "unknown: b"),
            ("<x>1</x>", "<x>1<y/></x>", "y where it does not belong"),
            ("<x>1</x>", "<x/>", "a cell is not a column"),
            ("<x>1</x>", "<x/>1", "unknown: text 1 after x"),
            ("</x>", "<x>2</x>", "x where it does not belong"),
            ("<x>1</x>", "<x>1", "y where it does not belong"),
            ("<x>1</x>", "<x>1</x><z/>", "unknown: z"),
            ("</Cell>", "</Cell><x>1</x>", "x where it does not belong"),
            ("</Cell>", "</Cell></Sudoku>", "/Sudoku where it does not belong"),
            ("</Cell>", "</Cell><Cell x='1' y='0' value='5' origin='User'/>", "unknown: attribute x of Cell"),
            ("</Cell>", "</Cell><Cell/>", "a cell is not a column"),
            ("<x>", "<x b=1>", "a value without quotes"),
        ] {
            let found = string(&cell.replace(from, to)).expect_err(to);
            assert!(found.contains(words), "{to}: {found}");
        }
    }

    /// A file may have very many games, but what is kept of their names is bounded, and counts as cut beyond that.
    #[test]
    fn names_of_many_games_are_bounded() {
        let name = "x".repeat(super::super::MOST_OF_A_TITLE);
        let games = "<game data='1'/>".repeat(MOST_OF_NAMES / name.len() + 10);
        let file = format!("<opensudoku><folder name='{name}'>{games}</folder></opensudoku>");
        let found = file_puzzles(file.as_bytes()).expect("a file");
        let kept = found.iter().map(|one| one.names.title.text.len()).sum::<usize>();
        assert!(kept <= MOST_OF_NAMES && kept + 2 * name.len() > MOST_OF_NAMES, "{kept}");
        assert!(found.iter().all(|one| one.names.title.is_cut == one.names.title.text.is_empty()));
    }
}
