//! Batches: up to 64 boards of one shape, stored in padded and aligned arrays. Every stage works on a whole batch.

use std::fmt;

use super::cell::{Cell, Codes};
use super::components::components;
use super::groups::Groups;
use super::kind::{Cages, Kind, Side};

/// The number of boards in a full batch, so that a `u64` has a bit for each. 64 sudoku boards are 12 KiB of codes,
/// which fit into the first-level cache.
pub const BATCH: usize = 64;

/// A board's row of codes is padded to a multiple of this many cells: 32 codes of 16 bits are one 64-byte vector.
pub const LANES16: usize = 32;

/// What all boards of a batch have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The kind.
    pub kind: Kind,
    /// The side.
    pub side: Side,
}

impl Shape {
    /// The shape of boards of a kind and a side.
    pub const fn new(kind: Kind, side: Side) -> Self {
        Self { kind, side }
    }

    /// The ranges of cell codes.
    pub fn codes(self) -> Codes {
        Codes::of(self.kind, self.side)
    }

    /// The distance, in cells, between the rows of two consecutive boards, in every array of a batch.
    pub const fn stride(self) -> usize {
        self.side.cells().next_multiple_of(LANES16)
    }
}

/// Some boards of a batch, and what is given on them.
#[derive(Debug, Clone, Copy)]
pub struct BoardSet<'b> {
    /// The batch.
    pub batch: &'b Batch,
    /// The boards, with a bit for each.
    pub boards: u64,
    /// Whether their solved cells are givens, too.
    pub all_given: bool,
}

/// 64 bytes of codes. Used only for the alignment.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct CacheLine([u64; 8]);

// bytemuck's derive, which checks the same, brings five crates, one of them the largest that the core would need.
// SAFETY: all of its 64 bytes, which are a multiple of its alignment, belong to integers, of which zero is one.
#[expect(unsafe_code)]
unsafe impl bytemuck::Zeroable for CacheLine {}
// SAFETY: as above, and each value of these bytes is one of the integers; it is `Copy`, and `repr(C)`.
#[expect(unsafe_code)]
unsafe impl bytemuck::Pod for CacheLine {}

/// Up to [`BATCH`] boards of one shape.
///
/// The code of cell `c` of board `b` is at index `b * stride + c` of [`Batch::codes16`] (sides up to 9) or
/// [`Batch::codes32`] (16 and 25), and likewise in the other arrays. The contents of the padding are unspecified, but
/// always initialised. Rows whose string was refused may contain any codes. Encoding them does not panic, but the
/// result must be discarded.
pub struct Batch {
    shape: Shape,
    len: usize,
    lines: Vec<CacheLine>,
    regions: Vec<u8>,
    colours: Vec<u8>,
    contents: Vec<u16>,
    /// The boards that may have open cages: all others have none.
    may_be_open: u64,
    groups: Vec<Groups>,
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("shape", &self.shape).field("len", &self.len).finish_non_exhaustive()
    }
}

impl Default for Batch {
    fn default() -> Self {
        Self::new()
    }
}

impl Batch {
    /// An empty batch. It grows to the largest shape it is used for and keeps its memory.
    pub fn new() -> Self {
        Self {
            shape: Shape::new(Kind::Sudoku, Side::NINE),
            len: 0,
            lines: Vec::new(),
            regions: Vec::new(),
            colours: Vec::new(),
            contents: Vec::new(),
            may_be_open: 0,
            groups: Vec::new(),
        }
    }

    /// Makes this a batch of `len` boards of `shape` without groups. Their contents are unspecified until a decoder
    /// fills them in.
    pub fn reset(&mut self, shape: Shape, len: usize) {
        assert!(len <= BATCH);
        self.shape = shape;
        self.len = len;
        let cells = len * shape.stride();
        let bytes = if shape.side.is_small() { 2 * cells } else { 4 * cells };
        grow(&mut self.lines, bytes / 64, CacheLine([0; 8]));
        if shape.kind.has_regions() {
            grow(&mut self.regions, cells, 0);
        }
        if shape.kind.has_cages() {
            grow(&mut self.colours, cells, 0);
            grow(&mut self.contents, cells, 0);
        }
        self.groups.iter_mut().for_each(Groups::clear);
    }

    /// Kind and side of the boards.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Changes the kind of the boards, as `--kind` does, to a kind with the same fields.
    pub fn set_kind(&mut self, kind: Kind) {
        let old = self.shape.kind;
        assert!(kind.has_regions() == old.has_regions() && kind.has_cages() == old.has_cages());
        assert!(kind.has_black() == old.has_black());
        self.shape.kind = kind;
    }

    /// Number of boards.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no boards.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// See [`Shape::stride`].
    pub fn stride(&self) -> usize {
        self.shape.stride()
    }

    /// The codes of all boards, for sides up to 9.
    pub fn codes16(&self) -> &[u16] {
        debug_assert!(self.shape.side.is_small());
        &bytemuck::cast_slice(&self.lines)[..self.len * self.stride()]
    }

    /// The codes of all boards, writable, for sides up to 9.
    pub fn codes16_mut(&mut self) -> &mut [u16] {
        debug_assert!(self.shape.side.is_small());
        let cells = self.len * self.stride();
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..cells]
    }

    /// The codes of all boards, for sides 16 and 25.
    pub fn codes32(&self) -> &[u32] {
        debug_assert!(!self.shape.side.is_small());
        &bytemuck::cast_slice(&self.lines)[..self.len * self.stride()]
    }

    /// The codes of all boards, writable, for sides 16 and 25.
    pub fn codes32_mut(&mut self) -> &mut [u32] {
        debug_assert!(!self.shape.side.is_small());
        let cells = self.len * self.stride();
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..cells]
    }

    /// Region numbers 1..n as read; only for kinds with regions.
    pub fn regions(&self) -> &[u8] {
        &self.regions[..self.len * self.stride()]
    }

    /// Region numbers, writable.
    pub fn regions_mut(&mut self) -> &mut [u8] {
        let cells = self.len * self.stride();
        &mut self.regions[..cells]
    }

    /// Cage colours 1..5; only for kinds with cages.
    pub fn colours(&self) -> &[u8] {
        &self.colours[..self.len * self.stride()]
    }

    /// Cage colours, writable.
    pub fn colours_mut(&mut self) -> &mut [u8] {
        let cells = self.len * self.stride();
        &mut self.colours[..cells]
    }

    /// Cage contents as v2 stores them: the clue in the first cell of a cage, or 0 for a cage without a sum; for KenKen the
    /// operator 1..4 in the cell to its right, or else below it; 0 elsewhere. Only for kinds with cages.
    pub fn contents(&self) -> &[u16] {
        &self.contents[..self.len * self.stride()]
    }

    /// Cage contents, writable.
    pub fn contents_mut(&mut self) -> &mut [u16] {
        self.may_be_open = u64::MAX;
        let cells = self.len * self.stride();
        &mut self.contents[..cells]
    }

    /// Returns the boards among `boards` with open cages: cages without a sum, whose digits only differ. A cell in no cage is
    /// such a cage of one cell. Only killers have them.
    pub fn open_boards(&self, boards: u64) -> u64 {
        let is_killer = self.shape.kind.rules().cages == Cages::Sums;
        let (mut left, mut open) = (if is_killer { boards & self.may_be_open } else { 0 }, 0);
        while left != 0 {
            let board = left.trailing_zeros() as usize;
            open |= u64::from(self.is_open(board)) << board;
            left &= left - 1;
        }
        open
    }

    fn is_open(&self, board: usize) -> bool {
        let (cells, at) = (self.shape.side.cells(), board * self.stride());
        let labels = components(&self.colours[at..at + cells], self.shape.side.get());
        (0..cells).any(|cell| usize::from(labels[cell]) == cell && self.contents[at + cell] == 0)
    }

    /// Notes that some boards have no open cages, until contents are written again.
    pub(crate) fn set_closed(&mut self, boards: u64) {
        self.may_be_open &= !boards;
    }

    /// The extra groups of board `board`, if it has any.
    pub fn groups(&self, board: usize) -> Option<&Groups> {
        self.groups.get(board).filter(|groups| !groups.is_empty())
    }

    /// Whether any board has extra groups.
    pub fn has_groups(&self) -> bool {
        self.groups.iter().any(|groups| !groups.is_empty())
    }

    /// The extra groups of board `board`, writable.
    pub fn groups_mut(&mut self, board: usize) -> &mut Groups {
        if self.groups.len() <= board {
            self.groups.resize(board + 1, Groups::default());
        }
        &mut self.groups[board]
    }

    /// The code of a cell.
    pub fn code(&self, board: usize, cell: usize) -> u32 {
        let at = board * self.stride() + cell;
        if self.shape.side.is_small() { self.codes16()[at].into() } else { self.codes32()[at] }
    }

    /// Sets the code of a cell.
    pub fn set_code(&mut self, board: usize, cell: usize, code: u32) {
        let at = board * self.stride() + cell;
        if self.shape.side.is_small() {
            self.codes16_mut()[at] = code as u16;
        } else {
            self.codes32_mut()[at] = code;
        }
    }

    /// The contents of a cell. An invalid code, which no accepted board has, reads as empty.
    pub fn cell(&self, board: usize, cell: usize) -> Cell {
        self.shape.codes().read(self.code(board, cell)).unwrap_or(Cell::Empty)
    }

    /// Sets the contents of a cell.
    pub fn set_cell(&mut self, board: usize, cell: usize, to: Cell) {
        self.set_code(board, cell, self.shape.codes().write(to));
    }

    /// Copies board `from` of another batch of the same shape to board `to` of this one.
    pub fn copy_board(&mut self, to: usize, other: &Self, from: usize) {
        assert_eq!(self.shape, other.shape);
        let stride = self.stride();
        let (a, b) = (to * stride..(to + 1) * stride, from * stride..(from + 1) * stride);
        if self.shape.side.is_small() {
            self.codes16_mut()[a.clone()].copy_from_slice(&other.codes16()[b.clone()]);
        } else {
            self.codes32_mut()[a.clone()].copy_from_slice(&other.codes32()[b.clone()]);
        }
        if self.shape.kind.has_regions() {
            self.regions_mut()[a.clone()].copy_from_slice(&other.regions()[b.clone()]);
        }
        if self.shape.kind.has_cages() {
            self.colours_mut()[a.clone()].copy_from_slice(&other.colours()[b.clone()]);
            self.contents_mut()[a].copy_from_slice(&other.contents()[b]);
        }
        if let Some(groups) = other.groups(from) {
            self.groups_mut(to).clone_from(groups);
        } else if to < self.groups.len() {
            self.groups[to].clear();
        }
    }
}

/// Makes a vector at least `len` long, and keeps its contents.
fn grow<T: Clone>(vec: &mut Vec<T>, len: usize, value: T) {
    if vec.len() < len {
        vec.resize(len, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_reads_back_for_every_shape() {
        for kind in Kind::all() {
            for side in Side::all().filter(|side| side.get() < 25) {
                let shape = Shape::new(kind, side);
                let codes = shape.codes();
                let mut batch = Batch::new();
                batch.reset(shape, 2);
                for code in 0..=codes.max() {
                    let cell = codes.read(code).unwrap();
                    assert_eq!(codes.write(cell), code, "{kind} {side} {cell:?}");
                    batch.set_code(1, side.cells() - 1, code);
                    assert_eq!(batch.cell(1, side.cells() - 1), cell);
                }
                assert_eq!(codes.read(codes.max() + 1), None);
            }
        }
        // docs/FORMATS.md: n = 9
        assert_eq!(Codes::new(Side::NINE, false).max(), 529);
        assert_eq!(Codes::new(Side::NINE, true).max(), 539);
        assert_eq!(Codes::new(Side::NINE, true).read(10), Some(Cell::BlackEmpty));
        assert_eq!(Codes::new(Side::NINE, true).read(28), Some(Cell::Solved(9)));
    }

    #[test]
    fn rows_of_codes_are_aligned_to_vectors() {
        let mut batch = Batch::new();
        for side in Side::all() {
            batch.reset(Shape::new(Kind::KenKen, side), BATCH);
            let start = if side.is_small() {
                batch.codes16().as_ptr().align_offset(64)
            } else {
                batch.codes32().as_ptr().align_offset(64)
            };
            assert_eq!(start, 0);
            assert_eq!(batch.stride() % LANES16, 0);
        }
    }
}
