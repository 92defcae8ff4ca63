//! Nodes near the root of a search, of which there are few enough to look at all of them.

use crate::kernels::bitslice::branch_counts;

/// Two kinds of nodes are near: those that few guesses lead to, and those that may be deeper if most of the guesses were a
/// digit that the search tried first. Puzzles of few solutions have them among the former, those of few clues among the latter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Near {
    /// Guesses, at most.
    depth: u32,
    /// The cost, at most, where a first guess costs 1 and a second one [`SECOND`].
    cost: u32,
}

/// What a second guess costs: with less, solutions of empty grids, some 38 first guesses away, are not near after two second
/// ones; with more, fewer are after three.
const SECOND: u32 = 20;

impl Near {
    /// The nodes that are near for an effort. No search has more of them than twice the nodes that the effort allows: by their
    /// number of guesses a quarter, by their cost the others.
    pub(super) fn new(effort: u32) -> Self {
        let effort = u64::from(effort);
        Self { depth: largest_cost(effort / 2, 1), cost: largest_cost(effort * 3 / 2, SECOND) }
    }

    /// Whether the node of a tag is near. If it is, so are the nodes that lead to it.
    pub(super) fn has(self, tag: u32) -> bool {
        let (firsts, seconds) = branch_counts(tag);
        firsts + seconds <= self.depth || firsts + SECOND * seconds <= self.cost
    }

    /// Whether more guesses lead to the children of the node of a tag than to any node that is near by their number alone.
    pub(super) fn is_deepest(self, tag: u32) -> bool {
        let (firsts, seconds) = branch_counts(tag);
        firsts + seconds >= self.depth
    }

    /// The most nodes of a search that are near by the number of guesses alone.
    pub(super) fn shallow(self) -> u32 {
        u32::MAX >> (31 - self.depth)
    }
}

/// The largest cost that no more than so many nodes have or fall below; 0 if there is none.
fn largest_cost(nodes: u64, second: u32) -> u32 {
    // For the costs 0, 1, 2, ... how many nodes have no larger one: the root, those after a first guess, those after a second.
    let mut counts: Vec<u64> = Vec::new();
    let less = |counts: &[u64], by: u32| counts.len().checked_sub(by as usize).map_or(0, |cost| counts[cost]);
    loop {
        let count = 1 + less(&counts, 1) + less(&counts, second);
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

    /// Near nodes below one of a tree without an end.
    fn count(near: Near, firsts: u32, seconds: u32) -> u64 {
        match near.has(Nodes::tag(0, firsts, seconds)) {
            true => 1 + count(near, firsts + 1, seconds) + count(near, firsts, seconds + 1),
            false => 0,
        }
    }

    #[test]
    fn near_nodes_are_never_more_than_twice_the_effort() {
        for effort in [1, 2, 3, 6, 7, 50, 100, 2_000, 100_000] {
            let near = count(Near::new(effort), 0, 0);
            assert!((1..=2 * u64::from(effort)).contains(&near) && near * 4 >= effort.into(), "{effort}: {near}");
        }
        assert_eq!(Near::new(6), Near { depth: 1, cost: 8 });
        let largest = Near::new(u32::MAX);
        assert_eq!(largest.shallow(), u32::MAX / 2);
        assert!(largest.depth < 63 && largest.cost < 63 * SECOND);
    }
    /// Nodes of a tree without an end, from one of them on, that are not counted one by one.
    fn uncounted(near: Near, firsts: u32, seconds: u32) -> u64 {
        match near.is_deepest(Nodes::tag(0, firsts, seconds)) {
            true => 1,
            false => 1 + uncounted(near, firsts + 1, seconds) + uncounted(near, firsts, seconds + 1),
        }
    }

    #[test]
    fn nodes_that_are_not_counted_are_at_most_half_of_the_effort() {
        for effort in [1, 2, 3, 6, 7, 50, 100, 2_000, 100_000] {
            let near = Near::new(effort);
            assert_eq!(uncounted(near, 0, 0), u64::from(near.shallow()), "{effort}");
            assert!(near.shallow() <= 1.max(effort / 2), "{effort}");
        }
    }
}
