//! The cell code: the one integer that v2 itself uses for a cell, and the form of a cell in memory.
//!
//! docs/FORMATS.md, "Cell code": 0 empty, 1..n clue, n+1..2n solved, 2n+mask candidates; for the Str8ts kinds 0 white empty,
//! 1..n clue, n+1 black empty, n+1+d black clue, 2n+1+d solved, 3n+1+mask candidates. The ranges are defined here only.

use super::kind::{Kind, Side};

/// A set of digits: digit d is bit d-1.
pub type Mask = u32;

/// What one cell holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing; white in Str8ts.
    Empty,
    /// A given digit, 1..n.
    Clue(u8),
    /// A digit that was entered, 1..n.
    Solved(u8),
    /// A non-empty set of candidates.
    Candidates(Mask),
    /// A black cell without a digit (Str8ts).
    BlackEmpty,
    /// A black cell with a digit, 1..n (Str8ts).
    BlackClue(u8),
}

impl Cell {
    /// The placed digit (clue, black clue or solved), or 0.
    pub fn digit(self) -> u8 {
        match self {
            Self::Clue(d) | Self::Solved(d) | Self::BlackClue(d) => d,
            Self::Empty | Self::Candidates(_) | Self::BlackEmpty => 0,
        }
    }

    /// Whether the cell is black.
    pub fn is_black(self) -> bool {
        matches!(self, Self::BlackEmpty | Self::BlackClue(_))
    }
}

/// The ranges of cell codes for boards of one side, with or without black cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Codes {
    side: u32,
    black: bool,
}

impl Codes {
    /// The ranges for a kind and a side.
    pub const fn new(side: Side, black: bool) -> Self {
        Self { side: side.get() as u32, black }
    }

    /// The ranges for a kind and a side.
    pub fn of(kind: Kind, side: Side) -> Self {
        Self::new(side, kind.has_black())
    }

    /// The code of an empty (white) cell.
    pub const EMPTY: u32 = 0;

    /// The code of black empty, n+1. Only for ranges with black cells.
    pub const fn black_empty(self) -> u32 {
        self.side + 1
    }

    /// What is added to a digit to make a solved code: n, or 2n+1 with black cells.
    pub const fn solved_base(self) -> u32 {
        if self.black { 2 * self.side + 1 } else { self.side }
    }

    /// What is added to a mask to make a candidates code: 2n, or 3n+1 with black cells.
    pub const fn candidates_base(self) -> u32 {
        self.solved_base() + self.side
    }

    /// All n candidates.
    pub const fn full_mask(self) -> Mask {
        (1 << self.side) - 1
    }

    /// The largest code: all candidates.
    pub const fn max(self) -> u32 {
        self.candidates_base() + self.full_mask()
    }

    /// The cell that a code stands for, or `None` over [`Codes::max`].
    pub const fn read(self, code: u32) -> Option<Cell> {
        Some(if code == 0 {
            Cell::Empty
        } else if code <= self.side {
            Cell::Clue(code as u8)
        } else if self.black && code == self.black_empty() {
            Cell::BlackEmpty
        } else if self.black && code <= self.solved_base() {
            Cell::BlackClue((code - self.black_empty()) as u8)
        } else if code <= self.candidates_base() {
            Cell::Solved((code - self.solved_base()) as u8)
        } else if code <= self.max() {
            Cell::Candidates(code - self.candidates_base())
        } else {
            return None;
        })
    }

    /// The code of a cell. The cell must be possible in these ranges: digits 1..n, masks not empty and within n digits,
    /// black only where there is black; debug builds check that it is.
    pub const fn write(self, cell: Cell) -> u32 {
        match cell {
            Cell::Empty => Self::EMPTY,
            Cell::Clue(d) => d as u32,
            Cell::Solved(d) => self.solved_base() + d as u32,
            Cell::Candidates(mask) => {
                debug_assert!(mask != 0 && mask <= self.full_mask());
                self.candidates_base() + mask
            }
            Cell::BlackEmpty => {
                debug_assert!(self.black);
                self.black_empty()
            }
            Cell::BlackClue(d) => {
                debug_assert!(self.black);
                self.black_empty() + d as u32
            }
        }
    }
}
