//! Applies maps to boards of batches.

use super::map::Map;
use super::puzzle::Puzzle;
use crate::board::{Batch, Cell, Colourer, bit};
use crate::error::Reject;

impl Map {
    /// Applies this map to the puzzle of board `board` of a batch, and writes the result as the same board of another
    /// batch of the same shape: givens as clues, everything else empty, regions by first appearance, cages in the least
    /// colours.
    ///
    /// # Errors
    /// `map` if the map is not allowed for the board's kind, `region` for a jigsaw without n regions of n cells,
    /// `unsupported` for a board with its own groups.
    ///
    /// # Panics
    /// If a batch has no such board, or the batches differ in shape.
    pub fn apply(&self, from: &Batch, board: usize, all_given: bool, to: &mut Batch) -> Result<(), Reject> {
        assert_eq!(from.shape(), to.shape());
        let mut puzzle = Puzzle::new();
        puzzle.read(from, board, all_given)?;
        puzzle.check_map(self)?;
        puzzle.write(self, to, board, &mut Colourer::default());
        Ok(())
    }

    /// Moves solved cells, unless they are givens, and candidates of board `board` of a batch to the board that
    /// [`Map::apply`] wrote from it.
    ///
    /// # Panics
    /// If a batch has no such board, or the batches differ in shape from each other or from the map.
    pub fn carry(&self, from: &Batch, board: usize, all_given: bool, to: &mut Batch) {
        assert_eq!(from.shape(), to.shape());
        let side = self.side();
        for cell in 0..side * side {
            let (row, column) = self.source(cell / side, cell % side);
            match from.cell(board, row * side + column) {
                Cell::Solved(digit) if !all_given => to.set_cell(board, cell, Cell::Solved(self.digit(digit))),
                Cell::Candidates(mask) => {
                    let digits = (1..=side as u8).filter(|&digit| mask & bit(digit) != 0);
                    let moved = digits.fold(0, |moved, digit| moved | bit(self.digit(digit)));
                    to.set_cell(board, cell, Cell::Candidates(moved));
                }
                _ => {}
            }
        }
    }
}
