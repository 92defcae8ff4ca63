//! The search of solvers that take puzzles one by one: both "this digit" and "not this digit" of a cell are tried. A puzzle's tree
//! depends on the puzzle alone.

use super::{SolutionCount, UNDECIDED};

/// What is asked of a board.
#[derive(Clone, Copy)]
pub(super) struct Question {
    /// Solved cells are givens, too.
    pub(super) all_given: bool,
    /// A cell without a clue, and a digit that it shall not hold.
    pub(super) without: Option<(usize, u8)>,
    /// Solutions at most, one or more.
    pub(super) limit: u32,
    /// Nodes of search at most.
    pub(super) effort: u32,
}

impl Question {
    /// The cell that shall not hold some digit, and the mask of all others.
    #[inline(always)]
    pub(super) fn excluded(&self) -> Option<(usize, u16)> {
        self.without.map(|(cell, digit)| (cell, !(1 << (digit - 1))))
    }
}

/// What a search has counted.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    /// Solutions, or [`UNDECIDED`].
    pub(super) count: u32,
    /// See [`SolutionCount::nodes`].
    pub(super) nodes: Option<u32>,
}

impl Counted {
    /// Of a puzzle that has no solution, which shows before any search.
    pub(super) const NONE: Self = Self { count: 0, nodes: Some(1) };

    /// With the solution, empty if there is none.
    pub(super) fn with(self, solution: &[u8]) -> SolutionCount<'_> {
        let Self { count, nodes } = self;
        SolutionCount { count, solution: Some(solution).filter(|solution| !solution.is_empty()), nodes }
    }
}

/// A puzzle with what is the same for all nodes of its search.
pub(super) trait Tree {
    /// The candidates of all cells, somewhere on the way.
    type Node;

    /// Takes from a node what follows without trying. False if it cannot be solved.
    fn settle(&self, node: &mut Self::Node) -> bool;

    /// Takes a digit of an open cell for sure, and has a node without it wait. False if no cell is open.
    fn branch(&self, node: &mut Self::Node, waiting: &mut Vec<Self::Node>) -> bool;

    /// Appends the digits of a node without open cells, row by row.
    fn read(&self, node: &Self::Node, solution: &mut Vec<u8>);
}

/// Counts solutions, with at most so many nodes as is said, over which it is [`UNDECIDED`]. `solution` becomes the first one found.
/// The memory of `waiting` is used, not what it holds.
#[inline(always)]
pub(super) fn search<T: Tree>(
    tree: &T,
    mut node: T::Node,
    waiting: &mut Vec<T::Node>,
    solution: &mut Vec<u8>,
    question: Question,
) -> Counted {
    let (mut count, mut nodes) = (0, 0);
    waiting.clear();
    solution.clear();
    loop {
        nodes += 1;
        if nodes > question.effort {
            return Counted { count: UNDECIDED, nodes: None };
        }
        if tree.settle(&mut node) {
            if tree.branch(&mut node, waiting) {
                continue;
            }
            if count == 0 {
                tree.read(&node, solution);
            }
            count += 1;
            if count >= question.limit {
                return Counted { count, nodes: None };
            }
        }
        let Some(next) = waiting.pop() else { return Counted { count, nodes: Some(nodes) } };
        node = next;
    }
}
