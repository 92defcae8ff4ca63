//! Tells which nodes of a search are near its root: so few that all of them can be searched.

use crate::kernels::bitslice::branch_counts;

/// The nodes near the root of a search. At every guess, the first child of a node has a digit in a cell, and the second
/// child excludes that digit.
///
/// Two kinds of nodes are near: those that few guesses lead to, and also deeper ones if most of the guesses led to
/// first children. Puzzles with few solutions have their solutions among the former, puzzles with few clues among the
/// latter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NearRoot {
    /// The largest number of guesses on the way to a node of the first kind.
    depth: u32,
    /// The largest cost of the way to a node of the second kind. A step to a first child costs 1, a step to a second
    /// child [`SECOND_GUESS_COST`].
    cost: u32,
}

/// The cost of a step to a second child. The solutions of an empty grid are some 38 first children away. With a smaller
/// value, those with two second children on the way would no longer be near; with a larger one, fewer of those with
/// three would be.
const SECOND_GUESS_COST: u32 = 20;

impl NearRoot {
    /// The nodes that are near for an effort. A search has at most twice as many of them as the effort allows nodes: a
    /// quarter of that because of their number of guesses, the others because of their cost.
    pub(super) fn new(effort: u32) -> Self {
        let effort = u64::from(effort);
        Self { depth: max_cost(effort / 2, 1), cost: max_cost(effort * 3 / 2, SECOND_GUESS_COST) }
    }

    /// Whether the node with a tag is near. If it is, so are all nodes on the way to it.
    pub(super) fn contains(self, tag: u32) -> bool {
        let (firsts, seconds) = branch_counts(tag);
        firsts + seconds <= self.depth || firsts + SECOND_GUESS_COST * seconds <= self.cost
    }

    /// Whether the children of the node with a tag are deep: too many guesses lead to them to be near because of their
    /// number.
    pub(super) fn has_deep_children(self, tag: u32) -> bool {
        let (firsts, seconds) = branch_counts(tag);
        firsts + seconds >= self.depth
    }

    /// The largest number of nodes of a search that are near because of their number of guesses.
    pub(super) fn max_shallow_nodes(self) -> u32 {
        u32::MAX >> (31 - self.depth)
    }
}

/// The largest cost such that at most `nodes` nodes have it or a smaller one, where a step to a second child costs
/// `second`; 0 if there is none.
fn max_cost(nodes: u64, second: u32) -> u32 {
    // For each of the costs 0, 1, 2, ... the number of nodes of at most this cost: the root, the nodes below its first
    // child, and those below its second child.
    let mut counts: Vec<u64> = Vec::new();
    let below_child = |counts: &[u64], by: u32| counts.len().checked_sub(by as usize).map_or(0, |cost| counts[cost]);
    loop {
        let count = 1 + below_child(&counts, 1) + below_child(&counts, second);
        if count > nodes {
            return (counts.len() as u32).saturating_sub(1);
        }
        counts.push(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::bitslice::Nodes;

    /// The number of near nodes from a node of an infinite tree on.
    fn count(near_root: NearRoot, firsts: u32, seconds: u32) -> u64 {
        match near_root.contains(Nodes::tag(0, firsts, seconds)) {
            true => 1 + count(near_root, firsts + 1, seconds) + count(near_root, firsts, seconds + 1),
            false => 0,
        }
    }

    #[test]
    fn near_nodes_are_never_more_than_twice_the_effort() {
        for effort in [1, 2, 3, 6, 7, 50, 100, 2_000, 100_000] {
            let near = count(NearRoot::new(effort), 0, 0);
            assert!((1..=2 * u64::from(effort)).contains(&near) && near * 4 >= effort.into(), "{effort}: {near}");
        }
        assert_eq!(NearRoot::new(6), NearRoot { depth: 1, cost: 8 });
        let largest = NearRoot::new(u32::MAX);
        assert_eq!(largest.max_shallow_nodes(), u32::MAX / 2);
        assert!(largest.depth < 63 && largest.cost < 63 * SECOND_GUESS_COST);
    }

    /// The number of nodes from a node of an infinite tree on that are not counted one by one.
    fn uncounted(near_root: NearRoot, firsts: u32, seconds: u32) -> u64 {
        match near_root.has_deep_children(Nodes::tag(0, firsts, seconds)) {
            true => 1,
            false => 1 + uncounted(near_root, firsts + 1, seconds) + uncounted(near_root, firsts, seconds + 1),
        }
    }

    #[test]
    fn nodes_that_are_not_counted_are_at_most_half_of_the_effort() {
        for effort in [1, 2, 3, 6, 7, 50, 100, 2_000, 100_000] {
            let near_root = NearRoot::new(effort);
            assert_eq!(uncounted(near_root, 0, 0), u64::from(near_root.max_shallow_nodes()), "{effort}");
            assert!(near_root.max_shallow_nodes() <= 1.max(effort / 2), "{effort}");
        }
    }
}
