//! Solves small boards one by one: KenKens and boards with boxes, of side 3 to 8, with cages of at most four cells. A
//! kernel applies singles and the rules of cages.
//!
//! - `layout`: represents the cells of a board and its cages as sets of bits.
//! - `way_lists`: lists the ways to fill a cage, once for each shape, operator and clue.
//! - `read_board`: makes from a board what the kernel needs.

mod layout;
mod read_board;
mod way_lists;

use super::search::{Query, SearchCount, SearchTree, SolutionCount, search};
use crate::board::{Batch, Cages};
use crate::kernels::bytes8::{Grid8, Node8, Ways};
use crate::kernels::{Kernel, SimdTask};
use layout::CellPlacement;
use read_board::{Frame, ReadBoard, Root};
use way_lists::WayLists;

/// The largest number of nodes that wait: each guess on the way to the current node leaves one, and each guess decides
/// a cell.
const MAX_WAITING: usize = 64;

/// Counts the solutions of boards with small sides. Its memory does not grow with the number of puzzles.
pub(super) struct SmallSolver {
    kernel: &'static Kernel,
    layout: CellPlacement,
    lists: WayLists,
    frame: Frame,
    root: Root,
    node: Node8,
    waiting: Vec<Node8>,
    solution: Vec<u8>,
}

impl SmallSolver {
    pub(super) fn new(kernel: &'static Kernel) -> Self {
        Self {
            kernel,
            layout: CellPlacement::new(8),
            lists: WayLists::default(),
            frame: read_board::empty_frame(),
            root: Root::Unsupported,
            node: read_board::EMPTY_NODE,
            waiting: Vec::with_capacity(MAX_WAITING),
            solution: Vec::with_capacity(64),
        }
    }

    /// Whether this solver supports the kind and side of board `board` of a batch. [`Self::takes`] checks its cages.
    pub(super) fn may_take(batch: &Batch, board: usize) -> bool {
        let shape = batch.shape();
        let rules = shape.kind.rules();
        // Killers need the sums that their cages imply together, which this solver does not know.
        let is_supported = rules.cages != Cages::Sums && (rules.houses.boxes || rules.cages == Cages::Arithmetic);
        let has_more = rules.houses.regions
            || rules.houses.diagonals
            || rules.houses.windows
            || rules.houses.colours
            || rules.straights;
        is_supported && !has_more && shape.side.get() <= 8 && batch.groups(board).is_none()
    }

    /// Reads a board. Returns whether this solver can count its solutions: it cannot if the board has cages that are
    /// too large.
    pub(super) fn takes(&mut self, batch: &Batch, board: usize, query: Query) -> bool {
        let side = batch.shape().side.get();
        if self.layout.side != side {
            self.layout = CellPlacement::new(side);
        }
        self.lists.make_room();
        let Self { layout, lists, frame, node, .. } = self;
        let all_given = query.all_given;
        self.root = self.kernel.run(ReadBoard { batch, board, all_given, layout, lists, frame, node });
        if let Some((cell, others)) = query.exclusion() {
            self.node.grid.0[self.layout.index(cell / side, cell % side)] &= others as u8;
        }
        self.root != Root::Unsupported
    }

    /// Answers a query about the board that was read last.
    pub(super) fn count(&mut self, query: Query) -> SolutionCount<'_> {
        let Self { kernel, layout, lists, frame, root, node, waiting, solution } = self;
        let board = BoardSearch { kernel, layout, ways: lists.ways(), frame };
        let counted = match root {
            Root::Node => search(&board, node.clone(), waiting, solution, query),
            _ => {
                solution.clear();
                SearchCount::NONE
            }
        };
        counted.with(solution)
    }
}

/// The search tree of a board.
struct BoardSearch<'s> {
    kernel: &'static Kernel,
    layout: &'s CellPlacement,
    ways: &'s [Ways],
    frame: &'s Frame,
}

impl SearchTree for BoardSearch<'_> {
    type Node = Node8;

    #[inline]
    fn propagate(&self, node: &mut Node8) -> bool {
        (self.kernel.solving.propagate8)(node, self.frame, self.ways)
    }

    #[inline]
    fn branch(&self, node: &mut Node8, waiting: &mut Vec<Node8>) -> bool {
        let Some(cell) = self.kernel.run(FewestCandidates(&node.grid)) else { return false };
        let mask = node.grid.0[cell];
        let first = mask & mask.wrapping_neg();
        node.grid.0[cell] = mask & !first;
        waiting.push(node.clone());
        node.grid.0[cell] = first;
        true
    }

    fn read(&self, node: &Node8, solution: &mut Vec<u8>) {
        let n = self.layout.side;
        for row in 0..n {
            let cells = (0..n).map(|column| node.grid.0[self.layout.index(row, column)]);
            solution.extend(cells.map(|mask| mask.trailing_zeros() as u8 + 1));
        }
    }
}

/// Finds the first of the cells with the fewest candidates, if any cell is open.
struct FewestCandidates<'a>(&'a Grid8);

impl SimdTask for FewestCandidates<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let mut sizes = [0; 64];
        let mut fewest = u8::MAX;
        for (size, mask) in sizes.iter_mut().zip(self.0.0) {
            let count = mask.count_ones() as u8;
            // Solved cells, and bytes that are no cells, get the largest size.
            *size = if count < 2 { u8::MAX } else { count };
            fewest = fewest.min(*size);
        }
        if fewest == u8::MAX { None } else { sizes.iter().position(|&size| size == fewest) }
    }
}
