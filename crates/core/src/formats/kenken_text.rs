//! Reads KenKens as text: rows of cells that name their cages (`r1.24*,r1,r2`), or a grid of letters and the clue of each letter.

use super::kenken_clues::{NamedClue, cage_and_clue, is_row, letter_clue};
use super::losses::Holds;
use super::neutral::{NeutralBoard, NeutralCage, NeutralRegions};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::{About, Format, Hints, LayoutDoc};
use crate::board::{Kind, Shape};
use crate::error::{Code, Reject, escape};

/// The format `kenken-text`.
pub(super) struct KenkenText;

static ABOUT: About = About {
    id: Format::KenkenText,
    name: "kenken-text",
    summary: "a kenken of named cages: rows of cells, or a grid of letters and their clues",
    layouts: &[LayoutDoc {
        kinds: "kenken",
        body: "rows `r1.24*,r1,r2`, or rows `AAB` and then clues `A24x`, separated by spaces",
        length: "any",
    }],
};

impl Notation for KenkenText {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        let mut words = words(text);
        let Some(first) = words.next() else { return false };
        if is_row(first) {
            return words.count() == memchr::memchr_iter(b',', first).count();
        }
        let is_grid_row = |word: &[u8]| word.len() == first.len() && word.iter().all(u8::is_ascii_alphanumeric);
        let mut clues = 0;
        (3..=9).contains(&first.len())
            && is_grid_row(first)
            && words.by_ref().take(first.len() - 1).filter(|word| is_grid_row(word)).count() == first.len() - 1
            && words.all(|word| {
                clues += 1;
                letter_clue(word).is_some()
            })
            && clues >= 2
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let words: Vec<&[u8]> = words(text).collect();
        let has_names = words.first().is_some_and(|word| word.contains(&b','));
        let (cages, side) = if has_names { read_rows(&words)? } else { read_letters(&words)? };
        let mut board = NeutralBoard::new(side)?;
        board.regions = NeutralRegions::None;
        board.arithmetic = true;
        for cage in cages {
            board.cages.push(cage.checked(side)?);
        }
        board.into_board()
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds::all(&[Kind::KenKen])
    }
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// A cage with its name.
pub(super) struct NamedCage {
    pub(super) name: Vec<u8>,
    pub(super) cells: Vec<u16>,
    pub(super) clue: Option<NamedClue>,
}

impl NamedCage {
    /// Checks that it has a clue, and an operator that it can have.
    pub(super) fn checked(self, side: usize) -> Result<NeutralCage, Reject> {
        let name = escape(&self.name);
        let Some(&first) = self.cells.first() else {
            return Err(Reject::whole(Code::Cage, format!("a clue for {name}, which has no cell")));
        };
        let fault = |words: String| Reject::at(Code::Cage, first.into(), side, words);
        let (clue, operator) = self.clue.ok_or_else(|| fault(format!("no clue for {name}")))?;
        let operator = match (self.cells.len(), operator) {
            (1, _) => 0,
            (_, 0) => return Err(fault(format!("no operator for {name}"))),
            (cells, 2 | 4) if cells != 2 => return Err(fault(format!("- or / for {name}, which has {cells} cells"))),
            (_, operator) => operator,
        };
        Ok(NeutralCage { cells: self.cells, clue: Some(clue), operator })
    }
}

/// Finds the cage of a name, or makes it.
fn named<'c>(cages: &'c mut Vec<NamedCage>, name: &[u8]) -> &'c mut NamedCage {
    let at = cages.iter().position(|cage| cage.name == name).unwrap_or_else(|| {
        cages.push(NamedCage { name: name.to_vec(), cells: Vec::new(), clue: None });
        cages.len() - 1
    });
    &mut cages[at]
}

fn read_rows(rows: &[&[u8]]) -> Result<(Vec<NamedCage>, usize), Reject> {
    let side = rows.len();
    let mut cages = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        let cells: Vec<&[u8]> = text.split(|&byte| byte == b',').collect();
        if cells.len() != side || side > 25 {
            let words = format!("row {} has {} cells, but there are {side} rows", row + 1, cells.len());
            return Err(Reject::whole(Code::Length, words));
        }
        for (column, cell) in cells.into_iter().enumerate() {
            let at = row * side + column;
            let (name, clue) = cage_and_clue(cell)
                .ok_or_else(|| Reject::at(Code::Digit, at, side, "a cell is r and a number, then perhaps .24*"))?;
            let cage = named(&mut cages, name);
            cage.cells.push(at as u16);
            if clue.is_some() && std::mem::replace(&mut cage.clue, clue).is_some() {
                return Err(Reject::at(Code::Cage, at, side, "a second clue for its cage"));
            }
        }
    }
    Ok((cages, side))
}

fn read_letters(words: &[&[u8]]) -> Result<(Vec<NamedCage>, usize), Reject> {
    let side = words.first().map_or(0, |row| row.len());
    if side == 0 || side > 25 || words.len() < side {
        return Err(Reject::whole(Code::Length, "it has not as many rows as the first one has cells"));
    }
    let (rows, clues) = words.split_at(side);
    let mut cages = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        if text.len() != side || !text.iter().all(u8::is_ascii_alphanumeric) {
            let words = format!("row {} is not {side} letters or digits", row + 1);
            return Err(Reject::whole(Code::Length, words));
        }
        for (column, &sign) in text.iter().enumerate() {
            let at = row * side + column;
            // A digit is a cage of one cell.
            let digit = sign.is_ascii_digit().then(|| (u32::from(sign - b'0'), 0));
            let name = if digit.is_some() { format!("{at}").into_bytes() } else { vec![sign] };
            let cage = named(&mut cages, &name);
            cage.cells.push(at as u16);
            cage.clue = digit;
        }
    }
    for word in clues {
        let (letter, clue) = letter_clue(word).ok_or_else(|| {
            Reject::whole(Code::Digit, format!("'{}' is no clue of a letter, such as A24x", escape(word)))
        })?;
        let cage = named(&mut cages, &[letter]);
        if cage.clue.replace(clue).is_some() {
            return Err(Reject::whole(Code::Cage, format!("two clues for {}", escape(&[letter]))));
        }
    }
    Ok((cages, side))
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(Kind::KenKen, "r1.3+,r1,r2.2 r3.2/,r4.18*,r4 r3,r4,r4"),
        Good::same(Kind::KenKen, "AA2 BCC BCC A3+ B2/ C18x"),
        Good::same(Kind::KenKen, "AA2 BCC BCC A:3+ B=2/ C18x"),
        Good::same(Kind::KenKen, "r1.3+,r1,r2.2 r3.2÷,r4.18x,r4 r3,r4,r4"),
    ],
    bad: &[
        BadSample { text: "r1.3+,r1 r3.2/,r4.18*,r4 r3,r4,r4", code: Code::Length, cell: None },
        BadSample { text: "r1.3+,r1,r2.2 r3,r4.18*,r4 r3,r4,r4", code: Code::Cage, cell: Some((2, 1)) },
        BadSample { text: "r1.3+,r1,r2.2 r3.2/,r4.18*,r4 r3.2/,r4,r4", code: Code::Cage, cell: Some((3, 1)) },
        BadSample { text: "r1.3%,r1,r2.2 r3.2/,r4.18*,r4 r3,r4,r4", code: Code::Digit, cell: Some((1, 1)) },
        BadSample { text: "AA2 BCC BCC A3+ B2/", code: Code::Cage, cell: Some((2, 2)) },
        BadSample { text: "AA2 BCC BCC A3 B2/ C18x", code: Code::Cage, cell: Some((1, 1)) },
        BadSample { text: "AA2 BCC BCC A3+ B2/ C18-", code: Code::Cage, cell: Some((2, 2)) },
        BadSample { text: "AA2 BCC BCC A3+ B2/ C18x D4+", code: Code::Cage, cell: None },
        BadSample { text: "AA2 BCC BCC A3+ B2/ C18x D", code: Code::Digit, cell: None },
        BadSample { text: "AA2 BC", code: Code::Length, cell: None },
    ],
}];
