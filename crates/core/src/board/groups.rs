//! The extra groups of cells of a board, which only wolfram strings have.

use super::geometry::geometry;
use super::kind::{Kind, Side};

/// The groups of one board: lists of nine cells, numbered from 0, in the order of the string.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    /// Outlined groups (part 4 of a wolfram string).
    pub outlined: Vec<[u8; 9]>,
    /// Coloured groups (part 5 of a wolfram string).
    pub coloured: Vec<[u8; 9]>,
}

impl Groups {
    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.outlined.is_empty() && self.coloured.is_empty()
    }

    /// Removes the groups and keeps the memory.
    pub fn clear(&mut self) {
        self.outlined.clear();
        self.coloured.clear();
    }

    /// The kind of a plain sudoku with exactly these groups, whatever the order of groups and cells: both diagonals,
    /// the four windows, or the nine colour groups, all coloured (docs/FORMATS.md, "wolfram").
    pub fn kind(&self) -> Option<Kind> {
        if !self.outlined.is_empty() {
            return None;
        }
        let table = geometry(Side::NINE);
        let same = |houses: &[Vec<u16>]| {
            houses.len() == self.coloured.len()
                && houses
                    .iter()
                    .all(|house| self.coloured.iter().any(|group| house.iter().all(|&i| group.contains(&(i as u8)))))
        };
        if same(&table.diagonals) {
            Some(Kind::SudokuX)
        } else if same(&table.windows) {
            Some(Kind::Windoku)
        } else if same(&table.colours) {
            Some(Kind::ColourSudoku)
        } else {
            None
        }
    }

    /// Whether `kind` by itself implies exactly these groups.
    pub fn implied_by(&self, kind: Kind) -> bool {
        self.is_empty() || self.kind() == Some(kind)
    }
}
