//! The cell code: the integer that v2 uses for the contents of a cell, which is also the form of a cell in memory.
//!
//! docs/FORMATS.md, "Cell code": 0 empty, 1..n clue, n+1..2n solved, 2n+mask candidates; for the Str8ts kinds 0 white
//! empty, 1..n clue, n+1 black empty, n+1+d black clue, 2n+1+d solved, 3n+1+mask candidates. This module alone defines
//! the ranges.

use super::kind::{Kind, Side};

/// A set of digits, with bit d-1 for digit d.
pub type Mask = u32;

/// The contents of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Empty; in Str8ts, a white cell.
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
    /// The placed digit (clue, black clue or solved), or 0 if there is none.
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

/// The ranges of cell codes for a side, with or without black cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Codes {
    side: u32,
    black: bool,
}

impl Codes {
    /// The ranges for a side, with or without black cells.
    pub const fn new(side: Side, black: bool) -> Self {
        Self { side: side.get() as u32, black }
    }

    /// The ranges for a kind and a side.
    pub fn of(kind: Kind, side: Side) -> Self {
        Self::new(side, kind.has_black())
    }

    /// The code of an empty (white) cell.
    pub const EMPTY: u32 = 0;

    /// The code of an empty black cell, n+1. Only for ranges with black cells.
    pub const fn black_empty(self) -> u32 {
        self.side + 1
    }

    /// The difference between the code of a solved cell and its digit: n, or 2n+1 with black cells.
    pub const fn solved_base(self) -> u32 {
        if self.black { 2 * self.side + 1 } else { self.side }
    }

    /// The difference between the code of a cell with candidates and its mask: 2n, or 3n+1 with black cells.
    pub const fn candidates_base(self) -> u32 {
        self.solved_base() + self.side
    }

    /// The mask of all n candidates.
    pub const fn full_mask(self) -> Mask {
        (1 << self.side) - 1
    }

    /// The largest code, that of a cell with all candidates.
    pub const fn max(self) -> u32 {
        self.candidates_base() + self.full_mask()
    }

    /// The cell with this code; `None` above [`Codes::max`].
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

    /// The code of a cell. The cell must be valid for these ranges, which debug builds check: digits are 1..n, masks
    /// are not empty and have no more than n bits, and cells are black only if the ranges have black cells.
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
