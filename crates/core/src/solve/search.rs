//! Backtracking search for the solvers that take puzzles one by one. Every node branches into two: a cell has a certain
//! digit, or it does not have it. The search tree of a puzzle depends only on the puzzle.

use super::UNDECIDED;

/// What to find out about a board: how many solutions it has.
#[derive(Debug, Clone, Copy)]
pub struct Query {
    /// Whether solved cells are givens, too.
    pub(super) all_given: bool,
    /// Whether candidates are, too.
    pub(super) candidates_given: bool,
    /// A cell without a clue, and a digit that is excluded from it.
    pub(super) excluded: Option<(usize, u8)>,
    /// The largest number of solutions to count, at least one.
    pub(super) limit: u32,
    /// The largest number of nodes to search.
    pub(super) effort: u32,
}

impl Query {
    /// Whether there is a solution in which a cell has another digit.
    pub(crate) fn other_than(digit: u8, cell: usize, effort: u32) -> Self {
        Self { all_given: false, candidates_given: false, excluded: Some((cell, digit)), limit: 1, effort }
    }

    /// How many solutions there are, up to `limit`, at least one. A solution obeys the rules of the kind and keeps the
    /// clues; solved cells and candidates are ignored. If more than `effort` search nodes would be needed, the count is
    /// [`UNDECIDED`].
    pub fn count(limit: u32, effort: u32) -> Self {
        Self { all_given: false, candidates_given: false, excluded: None, limit: limit.max(1), effort }
    }

    /// Sets whether a solution keeps solved cells, too.
    #[must_use]
    pub fn all_given(self, all_given: bool) -> Self {
        Self { all_given, ..self }
    }

    /// A solution keeps solved cells, and has one of the candidates of each cell that has any.
    #[must_use]
    pub fn candidates_given(self) -> Self {
        Self { all_given: true, candidates_given: true, ..self }
    }

    /// The cell from which a digit is excluded, and the mask of all other digits.
    #[inline(always)]
    pub(super) fn exclusion(&self) -> Option<(usize, u16)> {
        self.excluded.map(|(cell, digit)| (cell, !(1 << (digit - 1))))
    }
}

/// The number of solutions of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolutionCount<'a> {
    /// The number of solutions, at most the limit; [`UNDECIDED`] if the search was abandoned.
    pub count: u32,
    /// One of the solutions: a digit 1 to n for each cell in reading order, and 0 for black cells without a digit.
    /// `None` if there is none, or it was not asked for.
    pub solution: Option<&'a [u8]>,
    /// The number of nodes, if all of the search tree was searched. A node is the puzzle itself, or a node's puzzle
    /// with a digit either placed in a cell or excluded from it. `None` if the search ended early, at the limit of
    /// solutions or undecided.
    pub nodes: Option<u32>,
}

/// The result of a search.
#[derive(Clone, Copy)]
pub(super) struct SearchCount {
    /// The number of solutions, or [`UNDECIDED`].
    pub(super) count: u32,
    /// See [`SolutionCount::nodes`].
    pub(super) nodes: Option<u32>,
}

impl SearchCount {
    /// The result for a puzzle that is known to have no solution before any search.
    pub(super) const NONE: Self = Self { count: 0, nodes: Some(1) };

    /// Adds the solution, which is empty if there is none.
    pub(super) fn with(self, solution: &[u8]) -> SolutionCount<'_> {
        let Self { count, nodes } = self;
        SolutionCount { count, solution: Some(solution).filter(|solution| !solution.is_empty()), nodes }
    }
}

/// The search tree of a puzzle, with everything that all of its nodes share.
pub(super) trait SearchTree {
    /// The candidates of all cells after some guesses.
    type Node;

    /// Removes the candidates of a node that can be excluded without guessing. Returns false if the node has no
    /// solution.
    fn propagate(&self, node: &mut Self::Node) -> bool;

    /// Guesses: places a candidate of an open cell, and pushes a node without this candidate to `waiting`. Returns
    /// false if no cell is open.
    fn branch(&self, node: &mut Self::Node, waiting: &mut Vec<Self::Node>) -> bool;

    /// Appends the digits of a node without open cells, row by row.
    fn read(&self, node: &Self::Node, solution: &mut Vec<u8>);
}

/// Counts the solutions below a node. The count is [`UNDECIDED`] if more nodes than the effort would be needed. Sets
/// `solution` to the first solution. The contents of `waiting` are discarded; only its memory is used.
#[inline(always)]
pub(super) fn search<T: SearchTree>(
    tree: &T,
    mut node: T::Node,
    waiting: &mut Vec<T::Node>,
    solution: &mut Vec<u8>,
    query: Query,
) -> SearchCount {
    let (mut count, mut nodes) = (0, 0);
    waiting.clear();
    solution.clear();
    loop {
        nodes += 1;
        if nodes > query.effort {
            return SearchCount { count: UNDECIDED, nodes: None };
        }
        if tree.propagate(&mut node) {
            if tree.branch(&mut node, waiting) {
                continue;
            }
            if count == 0 {
                tree.read(&node, solution);
            }
            count += 1;
            if count >= query.limit {
                return SearchCount { count, nodes: None };
            }
        }
        let Some(next) = waiting.pop() else { return SearchCount { count, nodes: Some(nodes) } };
        node = next;
    }
}
