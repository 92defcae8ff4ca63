//! Reads killers of 81 signs: the sum of a cage, or an arrow towards another cell of the same cage.

use super::killer_text::{add_cages, packed};
use super::losses::Holds;
use super::neutral::NeutralBoard;
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::{About, Format, Hints, LayoutDoc};
use crate::board::{Kind, Shape};
use crate::error::{Code, Reject, escape};

/// The format `arrow-killer`.
pub(super) struct ArrowKiller;

static ABOUT: About = About {
    id: Format::ArrowKiller,
    name: "arrow-killer",
    summary: "a killer of sums and of arrows towards other cells of a cage",
    layouts: &[LayoutDoc { kinds: "killer", body: "sums `0-9A-Za-j` and arrows ``< > ^ v ` ' , .``", length: "81" }],
};

impl Notation for ArrowKiller {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        // Most cells of a killer have one. Fewer may be damage in another string of 81 characters.
        const FEWEST: usize = 27;
        let arrows = text.iter().filter(|byte| b"<>^v".contains(byte)).count();
        arrows >= FEWEST && text.iter().all(|&byte| sum(byte).is_some() || step(byte).is_some())
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let text = packed(text);
        if text.len() != 81 {
            return Err(super::text::wrong_length(&text, "81"));
        }
        let mut next = [0_usize; 81];
        for (at, &byte) in text.iter().enumerate() {
            next[at] = towards(at, byte)?;
        }
        if next.iter().enumerate().all(|(at, &next)| at == next) {
            return Err(Reject::whole(Code::Digit, "no cell has an arrow"));
        }
        let cage = |at: usize| {
            // The arrows of a good string end after at most 80 steps.
            let first = (0..81).fold(at, |cell, _| next[cell]);
            if next[first] != first {
                return Err(Reject::at(Code::Cage, at, 9, "the arrows from here go in a circle"));
            }
            let sum = sum(text[first]).unwrap_or(0);
            Ok((sum > 0).then_some((first as u16, sum)))
        };
        let cages = (0..81).map(cage).collect::<Result<Vec<_>, Reject>>()?;
        let mut board = NeutralBoard::new(9)?;
        add_cages(&mut board, &cages)?;
        board.into_board()
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds::all(&[Kind::Killer])
    }
}

/// The sum that a sign stands for.
fn sum(byte: u8) -> Option<u32> {
    Some(match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        b'A'..=b'Z' => u32::from(byte - b'A') + 10,
        b'a'..=b'j' => u32::from(byte - b'a') + 36,
        _ => return None,
    })
}

/// The rows and columns that an arrow goes, plus one.
fn step(byte: u8) -> Option<(usize, usize)> {
    Some(match byte {
        b'v' => (2, 1),
        b'^' => (0, 1),
        b'<' => (1, 0),
        b'>' => (1, 2),
        b'`' => (0, 0),
        b'\'' => (0, 2),
        b',' => (2, 0),
        b'.' => (2, 2),
        _ => return None,
    })
}

/// The cell that the sign in a cell points to: itself, if it is a sum.
fn towards(at: usize, byte: u8) -> Result<usize, Reject> {
    let Some((down, right)) = step(byte) else {
        let words = || format!("'{}' is neither a sum nor an arrow", escape(&[byte]));
        return sum(byte).map(|_| at).ok_or_else(|| Reject::at(Code::Digit, at, 9, words()));
    };
    let (row, column) = (at / 9 + down, at % 9 + right);
    match (1..=9).contains(&row) && (1..=9).contains(&column) {
        true => Ok((row - 1) * 9 + column - 1),
        false => Err(Reject::at(Code::Cage, at, 9, "the arrow leaves the board")),
    }
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[Good::same(
        Kind::Killer,
        "A<AP<vE<DM<^``<^F^E`<D<8<^^^DK<F^P<<^^``^N^25K<D^^^T9<^8^^'^^`<9^L<3S'I<^`^>'^`^`",
    )],
    bad: &[
        BadSample {
            text: "A<AP<vE<DM<^``<^F^E`<D<8<^^^DK<F^P<<^^``^N^25K<D^^^T9<^8^^'^^`<9^L<3S'I<^`^>'^`^",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "*<AP<vE<DM<^``<^F^E`<D<8<^^^DK<F^P<<^^``^N^25K<D^^^T9<^8^^'^^`<9^L<3S'I<^`^>'^`^`",
            code: Code::Digit,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "<<AP<vE<DM<^``<^F^E`<D<8<^^^DK<F^P<<^^``^N^25K<D^^^T9<^8^^'^^`<9^L<3S'I<^`^>'^`^`",
            code: Code::Cage,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "><AP<vE<DM<^``<^F^E`<D<8<^^^DK<F^P<<^^``^N^25K<D^^^T9<^8^^'^^`<9^L<3S'I<^`^>'^`^`",
            code: Code::Cage,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "555555555555555555555555555555555555555555555555555555555555555555555555555555555",
            code: Code::Digit,
            cell: None,
        },
    ],
}];
