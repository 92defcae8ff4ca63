//! KenKens and boards with boxes of side 3 to 8, cages of at most four cells, one after the other: a kernel takes what singles
//! and cages take, and the search tries both "this digit" and "not this digit" of a cell. A puzzle's tree depends on the
//! puzzle alone.
//!
//! - `parts`: the cells of a board and its cages, as sets of bits.
//! - `lists`: the ways to fill a cage, made once for each shape, operator and clue.
//! - `read`: a board as what the kernel needs.

mod lists;
mod parts;
mod read;

use super::UNDECIDED;
use super::propagation::SolutionCount;
use crate::board::{Batch, Cages};
use crate::kernels::bytes8::{Grid8, Node8};
use crate::kernels::{Kernel, Work};
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
    stack: Vec<Node8>,
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
            stack: Vec::with_capacity(MOST),
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
    pub(super) fn takes(&mut self, batch: &Batch, board: usize, all_given: bool) -> bool {
        let side = batch.shape().side.get();
        if self.layout.side != side {
            self.layout = Layout::new(side);
        }
        self.lists.make_room();
        let Self { layout, lists, frame, .. } = self;
        self.root = self.kernel.run(Read { batch, board, all_given, layout, lists, frame });
        !matches!(self.root, Root::NotHere)
    }

    /// Counts the solutions of the board that was taken last, as [`super::PropagationSolver::count`] does.
    pub(super) fn count(&mut self, limit: u32, effort: u32) -> SolutionCount<'_> {
        self.solution.clear();
        let count = match &self.root {
            Root::Node(node) => self.search(node.clone(), limit.max(1), effort),
            _ => 0,
        };
        SolutionCount { count, solution: Some(&self.solution[..]).filter(|solution| !solution.is_empty()) }
    }

    fn search(&mut self, mut node: Node8, limit: u32, effort: u32) -> u32 {
        let (mut count, mut nodes) = (0, 0);
        self.stack.clear();
        loop {
            nodes += 1;
            if nodes > effort {
                return UNDECIDED;
            }
            if (self.kernel.settle8)(&mut node, &self.frame, self.lists.ways()) {
                if let Some(cell) = self.kernel.run(Fewest(&node.grid)) {
                    let mask = node.grid.0[cell];
                    let first = mask & mask.wrapping_neg();
                    node.grid.0[cell] = mask & !first;
                    self.stack.push(node.clone());
                    node.grid.0[cell] = first;
                    continue;
                }
                if count == 0 {
                    let (n, grid) = (self.layout.side, &node.grid.0);
                    let cells = (0..n * n).map(|i| grid[self.layout.place(i / n, i % n)]);
                    self.solution.extend(cells.map(|mask| mask.trailing_zeros() as u8 + 1));
                }
                count += 1;
                if count >= limit {
                    return count;
                }
            }
            let Some(next) = self.stack.pop() else { return count };
            node = next;
        }
    }
}

/// The first cell of those with the fewest candidates, if any is open.
struct Fewest<'a>(&'a Grid8);

impl Work for Fewest<'_> {
    type Done = Option<usize>;

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
