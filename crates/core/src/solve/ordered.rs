//! Searches puzzles in a fixed order, for those whose answer must not depend on the order in which [`BatchSolver`]
//! searched them.
//!
//! A node is a puzzle with the candidates that remain once singles and locked candidates remove no more. A node that is
//! neither solved nor contradictory has two children. The tree of these nodes depends only on the puzzle. With an
//! effort of `E` nodes, the answer is decided if
//!
//! - the tree has no more than `E` nodes; or
//! - its first `E` nodes, in the order of this search, include as many solutions as the limit; or
//! - its nodes [near the root](NearRoot), of which there are at most `2 E`, include that many.
//!
//! Otherwise the puzzle is undecided. [`BatchSolver`] searches nodes in whatever order fills its lanes. Its answer
//! stands if it searched all of the tree, or if all solutions that it found are near the root. All other puzzles are
//! searched here.
//!
//! [`BatchSolver`]: super::BatchSolver

use crate::kernels::bitslice::{Bits, NodeFilter, Nodes, PUZZLE, WORDS};

use super::UNDECIDED;
use super::blocks::BlockPair;
use super::near_root::NearRoot;

/// The limits of the search of every puzzle.
#[derive(Clone, Copy)]
pub(super) struct SearchLimits {
    /// The largest number of solutions to count.
    pub limit: u32,
    /// The largest number of nodes to search in order.
    pub effort: u32,
    /// Which nodes are near the root.
    pub near_root: NearRoot,
}

impl SearchLimits {
    pub(super) fn new(limit: u32, effort: u32) -> Self {
        Self { limit, effort, near_root: NearRoot::new(effort) }
    }
}

/// The answer for a puzzle.
pub(super) struct SearchVerdict {
    /// The puzzle's number.
    pub puzzle: u32,
    /// The number of solutions, or [`UNDECIDED`].
    pub count: u32,
    /// The first solution.
    pub solution: Option<[u32; WORDS]>,
}

/// The largest number of nodes in a round.
const MAX_ROUND: usize = 512;

/// Rounds grow slowly until a search has searched this many nodes. A puzzle with few clues has solutions on an almost
/// direct path from the root, and only one node of a round is on that path.
const SMALL_SEARCH: u32 = 512;

/// The number of puzzles that are searched at the same time. The nodes of more would not fit into the second-level
/// cache.
const MAX_SEARCHES: usize = 256;

/// Searches puzzles, each in its own fixed order, and several at the same time. It owns the memory for that.
#[derive(Default)]
pub(super) struct OrderedSearch {
    pool: NodePool,
    rounds: Rounds,
}

impl OrderedSearch {
    /// Searches puzzles, which are given by their numbers and candidates, and calls `found` with the answer for each.
    pub(super) fn search(
        &mut self,
        blocks: &mut BlockPair,
        mut puzzles: impl Iterator<Item = (u32, [u32; WORDS])>,
        limits: &SearchLimits,
        mut found: impl FnMut(SearchVerdict),
    ) {
        let Self { pool, rounds } = self;
        let mut searches: Vec<PuzzleSearch> = Vec::new();
        for (puzzle, words) in puzzles.by_ref().take(MAX_SEARCHES) {
            let mut search = PuzzleSearch::default();
            search.start(puzzle, pool.put(words, 0));
            searches.push(search);
        }
        rounds.unfinished.resize(searches.len(), 0);
        loop {
            for (number, search) in searches.iter_mut().enumerate() {
                while rounds.unfinished[number] == 0 && !search.is_over {
                    search.end_round(pool, limits);
                    let Some(count) = search.count(pool, limits) else {
                        rounds.begin(number, search.next_round(limits), pool);
                        break;
                    };
                    search.pending.drain(..).for_each(|node| _ = pool.take(node));
                    found(SearchVerdict { puzzle: search.puzzle, count, solution: search.solution });
                    match puzzles.next() {
                        Some((puzzle, words)) => search.start(puzzle, pool.put(words, 0)),
                        None => search.is_over = true,
                    }
                }
            }
            if rounds.nodes.is_empty() {
                return;
            }
            rounds.run_block(blocks, &mut searches, pool);
        }
    }
}

/// Nodes that are not in a block. Each has a number.
#[derive(Default)]
struct NodePool {
    /// The candidates and the tag of each node. Only the guesses in the tag are used.
    nodes: Vec<([u32; WORDS], u32)>,
    /// Numbers that are not in use.
    free: Vec<u32>,
}

impl NodePool {
    fn put(&mut self, words: [u32; WORDS], tag: u32) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.nodes[number as usize] = (words, tag);
                number
            }
            None => {
                self.nodes.push((words, tag));
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// Returns a node and releases its number.
    fn take(&mut self, number: u32) -> &([u32; WORDS], u32) {
        self.free.push(number);
        &self.nodes[number as usize]
    }

    fn is_near(&self, number: u32, near_root: NearRoot) -> bool {
        near_root.contains(self.nodes[number as usize].1)
    }
}

/// The search of one puzzle, in rounds of nodes that are propagated together.
#[derive(Default)]
struct PuzzleSearch {
    puzzle: u32,
    /// The nodes to be searched. The last ones are searched first.
    pending: Vec<u32>,
    searched: u32,
    solutions: u32,
    near_root_solutions: u32,
    solution: Option<[u32; WORDS]>,
    /// The effort is used up, and only nodes near the root are still searched.
    near_only: bool,
    is_over: bool,
    round: RoundResults,
}

/// The results of a round: nodes, each with the position in the round of the node that it came from.
#[derive(Default)]
struct RoundResults {
    solved: Vec<(u32, u32)>,
    /// First children.
    firsts: Vec<(u32, u32)>,
    /// Second children.
    seconds: Vec<(u32, u32)>,
}

impl RoundResults {
    fn each(&mut self) -> impl Iterator<Item = &mut Vec<(u32, u32)>> {
        [&mut self.solved, &mut self.firsts, &mut self.seconds].into_iter()
    }
}

impl PuzzleSearch {
    /// Starts the search of another puzzle, and keeps nothing of the previous one but its memory.
    fn start(&mut self, puzzle: u32, root: u32) {
        let Self { mut pending, mut round, .. } = std::mem::take(self);
        round.each().for_each(Vec::clear);
        pending.clear();
        pending.push(root);
        *self = Self { puzzle, pending, round, ..Self::default() };
    }

    /// Takes the nodes of the next round. The first rounds have one node, since many searches end soon; later rounds
    /// have more.
    fn next_round(&mut self, limits: &SearchLimits) -> impl Iterator<Item = u32> {
        let left = if self.near_only { u32::MAX } else { limits.effort - self.searched };
        let wanted = 1 + self.searched / if self.searched < SMALL_SEARCH { 16 } else { 4 };
        let width = (wanted.min(left) as usize).min(MAX_ROUND).min(self.pending.len());
        self.searched = self.searched.saturating_add(width as u32);
        self.pending.drain(self.pending.len() - width..)
    }

    /// Ends a round. Its results are sorted first: the order in which they arrived depends on the other searches, and
    /// this search must not.
    fn end_round(&mut self, pool: &mut NodePool, limits: &SearchLimits) {
        self.round.each().for_each(|nodes| nodes.sort_unstable());
        for (_, node) in self.round.solved.drain(..) {
            let (words, tag) = pool.take(node);
            self.solutions += 1;
            self.near_root_solutions += u32::from(limits.near_root.contains(*tag));
            self.solution.get_or_insert(*words);
        }
        let RoundResults { firsts, seconds, .. } = &mut self.round;
        self.pending.extend(seconds.drain(..).chain(firsts.drain(..)).map(|(_, node)| node));
        if self.near_only {
            self.keep_near_root(pool, limits);
        }
    }

    /// Drops pending nodes that are not near the root.
    fn keep_near_root(&mut self, pool: &mut NodePool, limits: &SearchLimits) {
        self.pending.retain(|&node| {
            let is_near = pool.is_near(node, limits.near_root);
            if !is_near {
                pool.take(node);
            }
            is_near
        });
    }

    /// The number of solutions, or [`UNDECIDED`], if the search has ended.
    fn count(&mut self, pool: &mut NodePool, limits: &SearchLimits) -> Option<u32> {
        if !self.near_only && !self.pending.is_empty() && self.searched >= limits.effort {
            self.near_only = true;
            self.keep_near_root(pool, limits);
        }
        let found = if self.near_only { self.near_root_solutions } else { self.solutions };
        match (found >= limits.limit, self.pending.is_empty()) {
            (true, _) => Some(limits.limit),
            (false, true) if self.near_only => Some(UNDECIDED),
            (false, true) => Some(found),
            (false, false) => None,
        }
    }
}

/// The nodes of all searches that are in a round. Instead of a puzzle's number, their tags have the number of the
/// search and the position in its round.
#[derive(Default)]
struct Rounds {
    /// For each search, how many nodes of its round are not yet solved, contradictory or ready to be split.
    unfinished: Vec<u32>,
    nodes: Nodes,
    batch: Nodes,
    tags: Vec<u32>,
    solved: Nodes,
    open: Nodes,
    firsts: Nodes,
    seconds: Nodes,
}

/// The number of positions in a round.
const POSITIONS: u32 = MAX_ROUND as u32;

impl Rounds {
    fn begin(&mut self, search: usize, round: impl Iterator<Item = u32>, pool: &mut NodePool) {
        for (position, node) in (0..).zip(round) {
            let (words, tag) = pool.take(node);
            self.nodes.push(words, tag & !PUZZLE | (search as u32 * POSITIONS + position));
            self.unfinished[search] += 1;
        }
    }

    /// Propagates one block of nodes. Solved nodes and the children of nodes that are ready to be split go back to
    /// their searches.
    fn run_block(&mut self, blocks: &mut BlockPair, searches: &mut [PuzzleSearch], pool: &mut NodePool) {
        for nodes in [&mut self.batch, &mut self.solved, &mut self.open, &mut self.firsts, &mut self.seconds] {
            nodes.truncate(0);
        }
        self.nodes.spill(self.nodes.len().saturating_sub(blocks.widest().lanes()), &mut self.batch);
        let ends = blocks.run_nodes(&self.batch);
        blocks.store_nodes();
        let block = blocks.chosen();
        self.tags.resize(block.lanes(), 0);
        self.tags[..self.batch.len()].copy_from_slice(self.batch.tags());
        let to_split: Bits = std::array::from_fn(|word| ends.open[word] & !ends.progressing[word]);
        let first_moved = self.nodes.len();
        for (bits, to) in
            [(&ends.progressing, &mut self.nodes), (&ends.solved, &mut self.solved), (&to_split, &mut self.open)]
        {
            block.collect(bits, &self.tags, NodeFilter::All, to);
        }
        block.branch(&self.open, &mut self.firsts, &mut self.seconds);

        self.batch.tags().iter().for_each(|&tag| self.unfinished[position(tag).0] -= 1);
        self.nodes.tags()[first_moved..].iter().for_each(|&tag| self.unfinished[position(tag).0] += 1);
        distribute(&self.solved, pool, |search, node| searches[search].round.solved.push(node));
        distribute(&self.firsts, pool, |search, node| searches[search].round.firsts.push(node));
        distribute(&self.seconds, pool, |search, node| searches[search].round.seconds.push(node));
    }
}

/// The number of the search in a tag, and the position in its round.
fn position(tag: u32) -> (usize, u32) {
    let number = tag & PUZZLE;
    ((number / POSITIONS) as usize, number % POSITIONS)
}

/// Puts nodes into the pool, and calls `give` for each with its search, and its position and number.
fn distribute(nodes: &Nodes, pool: &mut NodePool, mut give: impl FnMut(usize, (u32, u32))) {
    for (at, &tag) in nodes.tags().iter().enumerate() {
        let (search, position) = position(tag);
        give(search, (position, pool.put(nodes.words(at), tag)));
    }
}
