//! Sudokus over several lines, which the format `grid` finds and reads.

use super::{Asked, Framing, NamedFraming, Piece, Rows, TextRow, count_lines};
use crate::formats::{GridBlocks, Id, grid_cells};

pub(super) static GRID: NamedFraming = NamedFraming {
    name: "grid",
    plural: "grids",
    help: "Sudokus over several lines, with or without borders and candidates; each becomes a line",
    flags: &[],
    make: |_| Ok(Box::new(Grids)),
};

/// Sudokus over several lines. Each becomes a line; what stands between them stays, and is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Grids;

impl Framing for Grids {
    fn needs_whole_inputs(&self) -> Option<&'static str> {
        Some("has more than 1 GiB, too much for grids; cut it in two")
    }

    fn check(&self, asked: &Asked) -> Result<(), String> {
        let words = if asked.from.is_some() {
            "--framing grid reads grids and nothing else; leave --from out"
        } else if !asked.names.is_empty() {
            "a solution cannot be appended to a grid; leave --solutions out"
        } else {
            return Ok(());
        };
        Err(words.into())
    }

    fn format(&self, _: Option<Id>) -> Option<Id> {
        Some(Id::Grid)
    }

    fn rows(&self, piece: &Piece, _: bool, rows: &mut Rows) {
        let mut blocks = GridBlocks::new(piece.text);
        for block in &mut blocks {
            let (start, end, next) = (block.start as u32, block.end as u32, block.next as u32);
            let cells = block.cells.map(|cells| grid_cells(&cells));
            let row = TextRow { start, end, next, line: block.line as u32, fields: 0, list: false };
            rows.take_string(row, cells);
        }
        rows.text = blocks.lines_of_text();
        rows.lines = count_lines(piece.text);
    }
}
