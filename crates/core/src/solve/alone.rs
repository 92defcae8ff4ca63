//! The search of puzzles in an order of their own, which says what the search over blocks leaves open.
//!
//! A node is a puzzle with what is left of its candidates once singles and locked candidates are exhausted; a node that is
//! neither solved nor contradictory has two children. That tree depends on the puzzle alone, and an effort of `E` nodes
//! leads to an answer if
//!
//! - the tree has no more than `E` nodes; or
//! - as many solutions as the limit asks for are among its first `E` nodes, in the order of this search; or
//! - they are among its [`Near`] nodes, of which there are at most `2 E`.
//!
//! Else the puzzle is undecided. The search over blocks takes nodes in whatever order fills its lanes, and is done with a
//! puzzle if it came to the end of the tree, or found near solutions only. All others come here.

use crate::kernels::bitslice::{Bits, NodeFilter, Nodes, PUZZLE, WORDS, node_lanes};

use super::blocks::Blocks;
use super::near::Near;

/// The count of a puzzle whose search took more nodes than the budget allows: neither none nor unique nor the limit is
/// known.
pub const UNDECIDED: u32 = u32::MAX;

/// What is asked of every puzzle.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    /// Solutions are counted up to this.
    pub limit: u32,
    /// Nodes.
    pub effort: u32,
    /// The nodes that are near.
    pub near: Near,
}

/// What was found of a puzzle.
pub(super) struct SearchVerdict {
    /// The puzzle's number.
    pub puzzle: u32,
    /// Solutions, or [`UNDECIDED`].
    pub count: u32,
    /// The first solution.
    pub solution: Option<[u32; WORDS]>,
}

/// Nodes of a round, at most.
const WIDEST: usize = 512;

/// Nodes that may lead straight to the solutions of a puzzle of few clues: as long as no more were looked at, rounds grow
/// slowly, since all but one node of a round are beside the way.
const STRAIGHT: u32 = 512;

/// Puzzles that are searched at a time: with more, their nodes do not fit the second-level cache.
const MOST: usize = 256;

/// Searches puzzles alone. It holds the memory for that.
#[derive(Default)]
pub(super) struct Alone {
    store: Store,
    rounds: Rounds,
}

impl Alone {
    /// Searches puzzles, each given by its number and candidates, and says what it found.
    pub(super) fn search(
        &mut self,
        blocks: &mut Blocks,
        mut puzzles: impl Iterator<Item = (u32, [u32; WORDS])>,
        terms: &Terms,
        mut found: impl FnMut(SearchVerdict),
    ) {
        let Self { store, rounds } = self;
        let mut searches: Vec<Search> = Vec::new();
        for (puzzle, words) in puzzles.by_ref().take(MOST) {
            let mut search = Search::default();
            search.start(puzzle, store.put(words, 0));
            searches.push(search);
        }
        rounds.restless.resize(searches.len(), 0);
        loop {
            for (number, search) in searches.iter_mut().enumerate() {
                while rounds.restless[number] == 0 && !search.is_over {
                    search.end_round(store, terms);
                    let Some(count) = search.count(store, terms) else {
                        rounds.begin(number, search.next_round(terms), store);
                        break;
                    };
                    search.pending.drain(..).for_each(|node| _ = store.take(node));
                    found(SearchVerdict { puzzle: search.puzzle, count, solution: search.solution });
                    match puzzles.next() {
                        Some((puzzle, words)) => search.start(puzzle, store.put(words, 0)),
                        None => search.is_over = true,
                    }
                }
            }
            if rounds.nodes.is_empty() {
                return;
            }
            rounds.run_block(blocks, &mut searches, store);
        }
    }
}

/// Nodes that are not in a block, by numbers.
#[derive(Default)]
struct Store {
    /// With their tags, of which only the turns count.
    nodes: Vec<([u32; WORDS], u32)>,
    free: Vec<u32>,
}

impl Store {
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

    fn take(&mut self, number: u32) -> &([u32; WORDS], u32) {
        self.free.push(number);
        &self.nodes[number as usize]
    }

    fn is_near(&self, number: u32, near: Near) -> bool {
        near.has(self.nodes[number as usize].1)
    }
}

/// The search of one puzzle, in rounds of nodes that are searched together.
#[derive(Default)]
struct Search {
    puzzle: u32,
    /// Nodes that are still to be searched, the next ones last.
    pending: Vec<u32>,
    looked_at: u32,
    solutions: u32,
    near_solutions: u32,
    solution: Option<[u32; WORDS]>,
    /// The effort is used up, and only near nodes are searched.
    only_near: bool,
    is_over: bool,
    /// What the nodes of the round became, by their place in it.
    solved: Vec<(u32, u32)>,
    firsts: Vec<(u32, u32)>,
    seconds: Vec<(u32, u32)>,
}

impl Search {
    /// Begins with a puzzle: what is left of the one before is its memory.
    fn start(&mut self, puzzle: u32, root: u32) {
        let Self { mut pending, mut solved, mut firsts, mut seconds, .. } = std::mem::take(self);
        for nodes in [&mut solved, &mut firsts, &mut seconds] {
            nodes.clear();
        }
        pending.clear();
        pending.push(root);
        *self = Self { puzzle, pending, solved, firsts, seconds, ..Self::default() };
    }

    /// The nodes of the next round: one by one as long as that leads to an end soon, then more.
    fn next_round(&mut self, terms: &Terms) -> impl Iterator<Item = u32> {
        let left = if self.only_near { u32::MAX } else { terms.effort - self.looked_at };
        let wide = 1 + self.looked_at / if self.looked_at < STRAIGHT { 16 } else { 4 };
        let width = (wide.min(left) as usize).min(WIDEST).min(self.pending.len());
        self.looked_at = self.looked_at.saturating_add(width as u32);
        self.pending.drain(self.pending.len() - width..)
    }

    /// Ends a round. The order in which its nodes came to rest depends on other searches; this one must not.
    fn end_round(&mut self, store: &mut Store, terms: &Terms) {
        for nodes in [&mut self.solved, &mut self.seconds, &mut self.firsts] {
            nodes.sort_unstable();
        }
        for (_, node) in self.solved.drain(..) {
            let (words, tag) = store.take(node);
            self.solutions += 1;
            self.near_solutions += u32::from(terms.near.has(*tag));
            self.solution.get_or_insert(*words);
        }
        self.pending.extend(self.seconds.drain(..).chain(self.firsts.drain(..)).map(|(_, node)| node));
        if self.only_near {
            self.drop_far(store, terms);
        }
    }

    fn drop_far(&mut self, store: &mut Store, terms: &Terms) {
        self.pending.retain(|&node| {
            let is_near = store.is_near(node, terms.near);
            if !is_near {
                store.take(node);
            }
            is_near
        });
    }

    /// The number of solutions, if it is known, or known not to be found.
    fn count(&mut self, store: &mut Store, terms: &Terms) -> Option<u32> {
        if !self.only_near && !self.pending.is_empty() && self.looked_at >= terms.effort {
            self.only_near = true;
            self.drop_far(store, terms);
        }
        let found = if self.only_near { self.near_solutions } else { self.solutions };
        match (found >= terms.limit, self.pending.is_empty()) {
            (true, _) => Some(terms.limit),
            (false, true) if self.only_near => Some(UNDECIDED),
            (false, true) => Some(found),
            (false, false) => None,
        }
    }
}

/// The rounds of all searches: nodes on their way to rest. Instead of a puzzle's number, their tags have the search's and
/// the place in its round.
#[derive(Default)]
struct Rounds {
    /// For each search, nodes that are not at rest.
    restless: Vec<u32>,
    nodes: Nodes,
    batch: Nodes,
    tags: Vec<u32>,
    solved: Nodes,
    open: Nodes,
    firsts: Nodes,
    seconds: Nodes,
}

/// Places in a round.
const PLACES: u32 = WIDEST as u32;

impl Rounds {
    fn begin(&mut self, search: usize, round: impl Iterator<Item = u32>, store: &mut Store) {
        for (place, node) in (0..).zip(round) {
            let (words, tag) = store.take(node);
            self.nodes.push(words, tag & !PUZZLE | (search as u32 * PLACES + place));
            self.restless[search] += 1;
        }
    }

    /// One block of nodes. Those that came to rest go back to their searches: solved, or as their children.
    fn run_block(&mut self, blocks: &mut Blocks, searches: &mut [Search], store: &mut Store) {
        for nodes in [&mut self.batch, &mut self.solved, &mut self.open, &mut self.firsts, &mut self.seconds] {
            nodes.truncate(0);
        }
        self.nodes.spill(self.nodes.len().saturating_sub(blocks.widest().lanes()), &mut self.batch);
        let block = blocks.choose(self.batch.len());
        block.load_nodes(&self.batch);
        let ends = block.run(&node_lanes(self.batch.len(), block.lanes()), false);
        block.store_nodes();
        self.tags.resize(block.lanes(), 0);
        self.tags[..self.batch.len()].copy_from_slice(self.batch.tags());
        let at_rest: Bits = std::array::from_fn(|word| ends.open[word] & !ends.progressing[word]);
        let others = self.nodes.len();
        for (bits, to) in
            [(&ends.progressing, &mut self.nodes), (&ends.solved, &mut self.solved), (&at_rest, &mut self.open)]
        {
            block.collect(bits, &self.tags, NodeFilter::All, to);
        }
        block.branch(&self.open, &mut self.firsts, &mut self.seconds);

        self.batch.tags().iter().for_each(|&tag| self.restless[place(tag).0] -= 1);
        self.nodes.tags()[others..].iter().for_each(|&tag| self.restless[place(tag).0] += 1);
        hand_out(&self.solved, store, |search, node| searches[search].solved.push(node));
        hand_out(&self.firsts, store, |search, node| searches[search].firsts.push(node));
        hand_out(&self.seconds, store, |search, node| searches[search].seconds.push(node));
    }
}

/// The search of a tag, and the place in its round.
fn place(tag: u32) -> (usize, u32) {
    let number = tag & PUZZLE;
    ((number / PLACES) as usize, number % PLACES)
}

/// Stores nodes and tells whose they are, with their places and numbers.
fn hand_out(nodes: &Nodes, store: &mut Store, mut give: impl FnMut(usize, (u32, u32))) {
    for (at, &tag) in nodes.tags().iter().enumerate() {
        let (search, place) = place(tag);
        give(search, (place, store.put(nodes.words(at), tag)));
    }
}
