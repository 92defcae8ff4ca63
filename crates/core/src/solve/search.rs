//! The search of solvers that take puzzles one by one: both "this digit" and "not this digit" of a cell are tried. A puzzle's tree
//! depends on the puzzle alone.

use super::UNDECIDED;

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

/// Counts solutions up to `limit`, with at most `effort` nodes, over which it is [`UNDECIDED`]. `solution` becomes the first one
/// found. The memory of `waiting` is used, not what it holds.
pub(super) fn search<T: Tree>(
    tree: &T,
    mut node: T::Node,
    waiting: &mut Vec<T::Node>,
    solution: &mut Vec<u8>,
    limit: u32,
    effort: u32,
) -> u32 {
    let (mut count, mut nodes) = (0, 0);
    waiting.clear();
    solution.clear();
    loop {
        nodes += 1;
        if nodes > effort {
            return UNDECIDED;
        }
        if tree.settle(&mut node) {
            if tree.branch(&mut node, waiting) {
                continue;
            }
            if count == 0 {
                tree.read(&node, solution);
            }
            count += 1;
            if count >= limit {
                return count;
            }
        }
        let Some(next) = waiting.pop() else { return count };
        node = next;
    }
}
