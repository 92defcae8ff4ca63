//! Removes from boards what a format cannot represent, for `--lossy` (docs/FORMATS.md, "Losses").

use super::losses::{HeldCandidates, Holds, Loss, Losses, board_losses, cell_losses};
use crate::board::{Batch, Cell, Shape};

/// Copies the boards of `batch` to `out` without what a target of shape `to` cannot represent. Invalid codes (in rows
/// of rejected records) become empty cells.
pub fn flatten(batch: &Batch, to: Shape, holds: &Holds, out: &mut Batch) {
    Flattening::new(batch.shape(), to, holds).flatten(batch, out);
}

/// Converts boards of one shape for one target. For small sides, the replacement of each cell code and its losses are
/// computed only once.
pub(crate) struct Flattening {
    from: Shape,
    to: Shape,
    holds: Holds,
    /// The same for boards none of whose candidates the target holds, if that depends on the board.
    without: Option<Box<Self>>,
    /// For small sides, the replacement of each cell code.
    codes: Vec<u16>,
    /// For each cell code, one byte for each kind of [`CELL_LOSSES`]: 1 if the cell has this loss, otherwise 0.
    losses: Vec<u64>,
}

/// The losses of single cells. A board of a small side has fewer than 256 of each kind.
const CELL_LOSSES: [Loss; 5] = [Loss::Clue, Loss::Solved, Loss::SingleCandidate, Loss::Candidates, Loss::Black];

impl Flattening {
    /// Prepares to convert boards of shape `from` to shape `to`, which has the same side.
    pub(crate) fn new(from: Shape, to: Shape, holds: &Holds) -> Self {
        assert_eq!(from.side, to.side);
        let (codes, out) = (from.codes(), to.codes());
        let last = if from.side.is_small() { codes.max() } else { 0 };
        let cells = (0..=last).map(|code| codes.read(code).unwrap_or(Cell::Empty));
        let (codes, losses) =
            cells.map(|cell| (out.write(flatten_cell(cell, holds)) as u16, pack_losses(cell, holds))).unzip();
        let without = (holds.candidates == HeldCandidates::Consistent)
            .then(|| Box::new(Self::new(from, to, &Holds { candidates: HeldCandidates::None, ..*holds })));
        Self { from, to, holds: *holds, without, codes, losses }
    }

    /// Whether this converts between these shapes for this target.
    pub(crate) fn is_for(&self, from: Shape, to: Shape, holds: &Holds) -> bool {
        (self.from, self.to) == (from, to) && self.holds == *holds
    }

    /// Returns the losses of a board.
    pub(crate) fn losses(&self, batch: &Batch, board: usize) -> Losses {
        if let Some(without) = self.without_candidates(batch, board) {
            return without.losses(batch, board);
        }
        if !self.from.side.is_small() {
            return super::losses(batch, board, &self.holds);
        }
        let mut losses = board_losses(batch, board, &self.holds);
        let codes = &batch.codes16()[board * batch.stride()..][..self.from.side.cells()];
        let lost = |code: u16| self.losses.get(usize::from(code)).copied().unwrap_or(0);
        let all: u64 = codes.iter().map(|&code| lost(code)).sum();
        for (byte, loss) in CELL_LOSSES.into_iter().enumerate() {
            let cells = (all >> (8 * byte)) as u8;
            if cells > 0 {
                losses.add_cells(loss, cells.into());
            }
        }
        if let Some(first) = codes.iter().position(|&code| lost(code) != 0) {
            losses.note_cell(first);
        }
        losses
    }

    /// Converts a batch; see [`flatten`].
    pub(crate) fn flatten(&self, batch: &Batch, out: &mut Batch) {
        let (to, holds) = (self.to, &self.holds);
        assert_eq!(batch.shape(), self.from);
        out.reset(to, batch.len());
        for board in 0..batch.len() {
            self.flatten_cells(batch, board, out);
            if let Some(groups) = batch.groups(board).filter(|_| holds.groups) {
                out.groups_mut(board).clone_from(groups);
            }
        }
        if to.kind.has_regions() {
            out.regions_mut().copy_from_slice(batch.regions());
        }
        if to.kind.has_cages() {
            out.colours_mut().copy_from_slice(batch.colours());
            out.contents_mut().copy_from_slice(batch.contents());
        }
    }

    /// What converts a board if its candidates are not held although those of others are.
    fn without_candidates(&self, batch: &Batch, board: usize) -> Option<&Self> {
        let without = self.without.as_deref()?;
        (self.holds.of_board(batch, board).candidates == HeldCandidates::None).then_some(without)
    }

    fn flatten_cells(&self, batch: &Batch, board: usize, out: &mut Batch) {
        if let Some(without) = self.without_candidates(batch, board) {
            return without.flatten_cells(batch, board, out);
        }
        let cells = self.to.side.cells();
        if !self.to.side.is_small() {
            return (0..cells).for_each(|i| out.set_cell(board, i, flatten_cell(batch.cell(board, i), &self.holds)));
        }
        let from = &batch.codes16()[board * batch.stride()..][..cells];
        let stride = out.stride();
        let to = &mut out.codes16_mut()[board * stride..][..cells];
        for (to, &code) in to.iter_mut().zip(from) {
            *to = self.codes.get(usize::from(code)).copied().unwrap_or(0);
        }
    }
}

/// Returns the losses of a cell with one byte for each kind, so that [`Flattening::losses`] can add them up.
fn pack_losses(cell: Cell, holds: &Holds) -> u64 {
    let byte = |loss| CELL_LOSSES.iter().position(|&other| other == loss).map_or(0, |byte| 1 << (8 * byte));
    cell_losses(cell, holds).map(byte).sum()
}

/// Returns the replacement of a cell for a target that `holds` this.
fn flatten_cell(cell: Cell, holds: &Holds) -> Cell {
    let cell = match cell {
        Cell::BlackClue(d) if !holds.black => Cell::Clue(d),
        Cell::BlackEmpty if !holds.black => Cell::Empty,
        Cell::Candidates(_) if holds.candidates == HeldCandidates::None => Cell::Empty,
        Cell::Candidates(mask) if !holds.single && mask.is_power_of_two() => {
            Cell::Solved(mask.trailing_zeros() as u8 + 1)
        }
        other => other,
    };
    match cell {
        Cell::Clue(_) | Cell::Solved(_) if !holds.clue && !holds.solved => Cell::Empty,
        Cell::Clue(d) if !holds.clue => Cell::Solved(d),
        Cell::Solved(d) if !holds.solved && holds.single && holds.candidates == HeldCandidates::All => {
            Cell::Candidates(1 << (d - 1))
        }
        Cell::Solved(d) if !holds.solved => Cell::Clue(d),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{BATCH, Codes, Kind, Side};
    use crate::formats::{Format, losses};

    #[test]
    fn codes_and_cells_are_flattened_alike() {
        for (kind, side) in Kind::all().flat_map(|kind| Side::all().map(move |side| (kind, side))) {
            let shape = Shape::new(kind, side);
            // Every code occurs, including the largest codes and invalid ones.
            let (codes, cells) = (shape.codes(), side.cells());
            let boards = (codes.max() as usize / cells + 2).min(BATCH);
            let mut batch = Batch::new();
            batch.reset(shape, boards);
            for i in 0..boards * cells {
                batch.set_code(i / cells, i % cells, (codes.max() + 9).saturating_sub(i as u32));
            }
            for form in Format::ALL.iter().filter_map(|id| id.codec().writes(shape).ok()) {
                check(&batch, form.shape, &form.id.codec().holds(form));
            }
        }
    }

    fn check(batch: &Batch, to: Shape, holds: &Holds) {
        let flattening = Flattening::new(batch.shape(), to, holds);
        let mut out = Batch::new();
        flattening.flatten(batch, &mut out);
        for board in 0..batch.len() {
            assert_eq!(flattening.losses(batch, board), losses(batch, board, holds), "{to:?} {holds:?}");
            for cell in 0..to.side.cells() {
                let expected = flatten_cell(batch.cell(board, cell), &holds.of_board(batch, board));
                assert_eq!(out.cell(board, cell), expected, "{to:?} {holds:?}");
                assert!(out.code(board, cell) == Codes::EMPTY || expected != Cell::Empty);
            }
        }
    }
}
