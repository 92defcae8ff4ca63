//! Reads the heading that `show` prints above a drawing. It says what the board contains.

use super::GridCells;
use crate::board::Cell;

/// The heading above a drawing: the kind of the board, and how many cells are given, solved, with candidates and empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    kind: String,
    cells: [usize; 4],
}

impl Heading {
    /// Reads a heading, for example `v2, sudoku 9x9: 29 clues, 52 with candidates`.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let (_, board) = line.split_once(", ")?;
        let (board, counts) = board.split_once(": ")?;
        let (kind, shape) = board.split_once(' ')?;
        let (rows, columns) = shape.split_once('x')?;
        (rows.parse::<u8>().is_ok() && columns.starts_with(rows)).then_some(())?;
        let counts = counts.split([';', '(']).next().unwrap_or_default();
        let mut cells = [0; 4];
        for count in counts.trim().split(", ") {
            let (number, words) = count.split_once(' ')?;
            let place = ["clues", "solved", "with candidates", "empty"].iter().position(|known| *known == words)?;
            cells[place] = number.parse().ok()?;
        }
        Some(Self { kind: kind.into(), cells })
    }

    /// Corrects the board below the heading by it: a drawing without colours may not distinguish solved digits from
    /// clues.
    ///
    /// # Errors
    /// The heading is that of another kind of board, or its counts differ from those of the board.
    pub(super) fn apply_to(&self, mut cells: GridCells) -> Result<GridCells, String> {
        if self.kind != "sudoku" {
            return Err(format!("the line above says that it is a drawing of kind {}", self.kind));
        }
        let is_digit = |cell: &Cell| matches!(cell, Cell::Clue(_) | Cell::Solved(_));
        let digits = cells.iter().filter(|cell| is_digit(cell)).count();
        if self.cells[0] == 0 && self.cells[1] == digits {
            for cell in &mut cells {
                if let Cell::Clue(digit) = *cell {
                    *cell = Cell::Solved(digit);
                }
            }
        }
        let mut counts = [0; 4];
        for cell in &cells {
            counts[match cell {
                Cell::Clue(_) => 0,
                Cell::Solved(_) => 1,
                Cell::Candidates(_) => 2,
                _ => 3,
            }] += 1;
        }
        if counts != self.cells {
            let [given, solved, ..] = self.cells;
            let words =
                "the line above says that {given} digits are given and {solved} solved, which the grid does not show";
            return Err(words.replace("{given}", &given.to_string()).replace("{solved}", &solved.to_string()));
        }
        Ok(cells)
    }
}
