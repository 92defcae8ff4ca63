//! KenKens and boards with boxes of side 3 to 8, cages of at most four cells, one after the other: a kernel takes what singles
//! and cages take.
//!
//! - `parts`: the cells of a board and its cages, as sets of bits.
//! - `lists`: the ways to fill a cage, made once for each shape, operator and clue.
//! - `read`: a board as what the kernel needs.

mod lists;
mod parts;
mod read;

use super::propagation::SolutionCount;
use super::search::{Counted, Question, Tree, search};
use crate::board::{Batch, Cages};
use crate::kernels::bytes8::{Grid8, Node8, Ways};
use crate::kernels::{Kernel, SimdTask};
use lists::Lists;
use parts::Layout;
use read::{Frame, Read, Root};

/// Nodes that wait, at most: while a node is searched, each cell that was decided on the way to it left one.
const MOST: usize = 64;

/// Counts the solutions of boards of small sides. Its memory does not grow with the number of puzzles.
pub(super) struct Small {
    kernel: &'static Kernel,
    layout: Layout,
    lists: Lists,
    frame: Frame,
    root: Root,
    waiting: Vec<Node8>,
    solution: Vec<u8>,
}

impl Small {
    pub(super) fn new(kernel: &'static Kernel) -> Self {
        Self {
            kernel,
            layout: Layout::new(8),
            lists: Lists::default(),
            frame: read::empty_frame(),
            root: Root::NotHere,
            waiting: Vec::with_capacity(MOST),
            solution: Vec::with_capacity(64),
        }
    }

    /// Whether board `board` of a batch is of a kind and side that may be counted here. Its cages are another question.
    pub(super) fn may_take(batch: &Batch, board: usize) -> bool {
        let shape = batch.shape();
        let rules = shape.kind.rules();
        // Killers need what cages say together, which is not known here.
        let known = rules.cages != Cages::Sums && (rules.boxes || rules.cages == Cages::Arithmetic);
        let further = rules.regions || rules.diagonals || rules.windows || rules.colours || rules.straights;
        known && !further && shape.side.get() <= 8 && batch.groups(board).is_none()
    }

    /// Takes a board, and says whether it can be counted here: not if it has cages that are too large.
    pub(super) fn takes(&mut self, batch: &Batch, board: usize, question: Question) -> bool {
        let side = batch.shape().side.get();
        if self.layout.side != side {
            self.layout = Layout::new(side);
        }
        self.lists.make_room();
        let Self { layout, lists, frame, .. } = self;
        let all_given = question.all_given;
        self.root = self.kernel.run(Read { batch, board, all_given, layout, lists, frame });
        if let (Root::Node(node), Some((cell, others))) = (&mut self.root, question.excluded()) {
            node.grid.0[self.layout.place(cell / side, cell % side)] &= others as u8;
        }
        !matches!(self.root, Root::NotHere)
    }

    /// Answers the question about the board that was taken last.
    pub(super) fn count(&mut self, question: Question) -> SolutionCount<'_> {
        let Self { kernel, layout, lists, frame, root, waiting, solution } = self;
        let board = Board { kernel, layout, ways: lists.ways(), frame };
        let counted = match root {
            Root::Node(node) => search(&board, node.clone(), waiting, solution, question),
            _ => {
                solution.clear();
                Counted::NONE
            }
        };
        counted.with(solution)
    }
}

/// A board, for the search.
struct Board<'s> {
    kernel: &'static Kernel,
    layout: &'s Layout,
    ways: &'s [Ways],
    frame: &'s Frame,
}

impl Tree for Board<'_> {
    type Node = Node8;

    #[inline]
    fn settle(&self, node: &mut Node8) -> bool {
        (self.kernel.propagate8)(node, self.frame, self.ways)
    }

    #[inline]
    fn branch(&self, node: &mut Node8, waiting: &mut Vec<Node8>) -> bool {
        let Some(cell) = self.kernel.run(Fewest(&node.grid)) else { return false };
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
            let cells = (0..n).map(|column| node.grid.0[self.layout.place(row, column)]);
            solution.extend(cells.map(|mask| mask.trailing_zeros() as u8 + 1));
        }
    }
}

/// The first cell of those with the fewest candidates, if any is open.
struct Fewest<'a>(&'a Grid8);

impl SimdTask for Fewest<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let mut sizes = [0; 64];
        let mut fewest = u8::MAX;
        for (size, mask) in sizes.iter_mut().zip(self.0.0) {
            let count = mask.count_ones() as u8;
            // Decided cells, and those that are none, become the largest.
            *size = if count < 2 { u8::MAX } else { count };
            fewest = fewest.min(*size);
        }
        if fewest == u8::MAX { None } else { sizes.iter().position(|&size| size == fewest) }
    }
}
