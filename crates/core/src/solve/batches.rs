//! Solves many puzzles at once: puzzles are propagated in blocks, and the nodes that stay open are split and propagated
//! in later blocks.
//!
//! Puzzles are searched in windows. Towards the end of a window, ever fewer of its nodes are open. The next window, if it
//! is known by then, fills the other lanes; its puzzles are searched as far as that goes, and the rest of them later.

use std::fmt;
use std::ops::Range;

use crate::board::{Batch, Kind, Side};
use crate::error::Unavailable;
use crate::kernels::Kernel;
use crate::kernels::bitslice::{Bits, NodeFilter, Nodes, Outcomes, PROGRESSING, PUZZLE, WORDS, puzzle_lanes};

use super::UNDECIDED;
use super::answers::Answers;
use super::blocks::BlockPair;
use super::houses;
use super::ordered::{OrderedSearch, SearchLimits};
use super::pending::PendingNodes;
use super::window::{MAX_PUZZLES, PuzzleSource, Puzzles, WindowPair};

/// The default for the number of nodes that the search of a puzzle may take. The hardest known sudokus take a few
/// hundred if they are unique.
pub(super) const BUDGET: u32 = 4_000_000;

/// The largest limit for the number of solutions. Only the budget bounds the time that so many take.
pub(super) const MAX_LIMIT: u32 = UNDECIDED - 1;

/// Counts the solutions of puzzles in bulk. It owns the memory for that: some hundred kB, and more during a search.
/// Each thread has its own.
///
/// The counts, including [`UNDECIDED`], depend neither on the kernel nor on which puzzles are passed together. If a
/// puzzle has several solutions, which of them is written may depend on both.
pub struct BatchSolver {
    blocks: BlockPair,
    /// The limits of the last call. What is near the root follows from its effort.
    limits: SearchLimits,
    pending: PendingNodes,
    taken: TakenPuzzles,
    /// See [`Answers`].
    order_dependent: Vec<bool>,
    lanes: LaneMemory,
    counted: NodeCounts,
    /// The search for puzzles whose answer may depend on the order in which their nodes were searched.
    ordered: OrderedSearch,
}

/// How many puzzles of the current window and of the next one are in a block or were in one.
#[derive(Clone, Copy, Default)]
struct TakenPuzzles {
    current: usize,
    next: usize,
    /// The current window was the next one of the last call.
    is_begun: bool,
}

impl TakenPuzzles {
    /// Whether there are none of the next window.
    fn is_alone(self) -> bool {
        self.next == 0
    }
}

/// What is in the lanes of a block.
#[derive(Default)]
struct LaneMemory {
    /// The tags of the lanes, by node number.
    tags: Vec<u32>,
    /// The puzzles, if they are not one piece of text, with padding.
    padded: Vec<u8>,
    /// The open nodes.
    open: Nodes,
}

/// The numbers of nodes of puzzles.
#[derive(Default)]
struct NodeCounts {
    /// Those of each puzzle, searched or pending: all of them if they are asked for, otherwise only the deep ones.
    nodes: Vec<u32>,
    /// See [`BatchSolver::with_nodes`].
    are_wanted: bool,
    /// See [`BatchSolver::searched_nodes`].
    searched: Vec<u32>,
}

impl fmt::Debug for BatchSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchSolver")
            .field("lanes", &self.blocks.widest().lanes())
            .field("budget", &self.limits.effort)
            .finish_non_exhaustive()
    }
}

impl BatchSolver {
    /// Makes a solver for puzzles of side 9 of one kind: sudoku, sudoku-x, windoku or colour-sudoku.
    ///
    /// # Errors
    /// Returns an error for all other kinds.
    pub fn new(kind: Kind, kernel: &'static Kernel) -> Result<Self, Unavailable> {
        let houses = houses::extra_houses(kind).ok_or_else(|| {
            let solved = Kind::all().filter(|&kind| houses::extra_houses(kind).is_some()).map(Kind::name);
            let names = solved.collect::<Vec<_>>().join(", ");
            Unavailable(format!("solutions of {kind} cannot be counted; kinds that can: {names}"))
        })?;
        let blocks = BlockPair::new(kernel, houses);
        let lanes = LaneMemory { tags: vec![0; blocks.widest().lanes()], ..LaneMemory::default() };
        Ok(Self {
            blocks,
            limits: SearchLimits::new(MAX_LIMIT, BUDGET),
            pending: PendingNodes::default(),
            taken: TakenPuzzles::default(),
            order_dependent: Vec::new(),
            lanes,
            counted: NodeCounts::default(),
            ordered: OrderedSearch::default(),
        })
    }

    /// Whether board `board` of a batch is of a kind that [`BatchSolver::new`] accepts, has side 9 and no groups of its
    /// own.
    pub fn takes(batch: &Batch, board: usize) -> bool {
        let shape = batch.shape();
        shape.side == Side::NINE && houses::are_supported(shape.kind) && batch.groups(board).is_none()
    }

    /// Sets how many nodes the search of a puzzle may take before the puzzle is [`UNDECIDED`]: at least 1, by default 4
    /// million. A node is the puzzle itself, or a node's puzzle with a digit either placed in a cell or excluded from
    /// it. Nodes are counted separately for each puzzle: neither other puzzles nor the kernel make a difference.
    #[must_use]
    pub fn budget(self, nodes: u32) -> Self {
        Self { limits: SearchLimits::new(MAX_LIMIT, nodes.max(1)), ..self }
    }

    /// Counts the solutions of puzzles. Sets `counts[i]` to the number of solutions of puzzle `i`, at most `limit`, or to
    /// [`UNDECIDED`]. The limit is at least 1.
    ///
    /// # Panics
    /// If there are fewer `counts` than puzzles.
    pub fn count(&mut self, puzzles: Puzzles<'_>, limit: u32, counts: &mut [u32]) {
        self.search_all(puzzles, limit, &mut counts[..puzzles.len], None);
    }

    /// Like [`BatchSolver::count`], and also writes one solution of every puzzle: digits 1 to 9 in reading order, or
    /// zeros if there is no solution. For an undecided puzzle it writes a solution if one was found, otherwise zeros.
    ///
    /// # Panics
    /// If there are fewer `counts` or `solutions` than puzzles.
    pub fn solve(&mut self, puzzles: Puzzles<'_>, limit: u32, counts: &mut [u32], solutions: &mut [[u8; 81]]) {
        let n = puzzles.len;
        self.search_all(puzzles, limit, &mut counts[..n], Some(&mut solutions[..n]));
    }

    /// Makes [`BatchSolver::searched_nodes`] available.
    #[must_use]
    pub fn with_nodes(self) -> Self {
        Self { counted: NodeCounts { are_wanted: true, ..self.counted }, ..self }
    }

    /// The number of nodes of each puzzle of the last call whose search tree was searched completely. It depends
    /// neither on the kernel nor on the other puzzles. It is 0 for puzzles whose search ended early, at the limit of
    /// solutions or undecided. [`BatchSolver::budget`] defines what a node is. Empty without
    /// [`BatchSolver::with_nodes`].
    pub fn searched_nodes(&self) -> &[u32] {
        &self.counted.searched
    }

    fn search_all(&mut self, puzzles: Puzzles, limit: u32, counts: &mut [u32], mut solutions: Option<&mut [[u8; 81]]>) {
        self.counted.searched.clear();
        for (i, counts) in counts.chunks_mut(MAX_PUZZLES).enumerate() {
            let skipped = i * MAX_PUZZLES;
            let solutions = solutions.as_deref_mut().map(|solutions| &mut solutions[skipped..][..counts.len()]);
            let current = puzzles.slice(skipped, counts.len()).numbered_from(0);
            self.reset();
            self.search_window(WindowPair { current, next: None }, limit, counts, solutions);
        }
    }

    /// Forgets the puzzles of the next window.
    pub(crate) fn reset(&mut self) {
        self.taken = TakenPuzzles::default();
        self.pending.clear();
    }

    /// Whether the last call has begun with the puzzles of the next one.
    pub(crate) fn is_begun(&self) -> bool {
        self.taken.is_begun
    }

    /// Like [`BatchSolver::count`], or [`BatchSolver::solve`] if there are `solutions`, for the puzzles of the current window, whose
    /// answers go where their numbers say. Lanes that would have nothing to do search puzzles of the next window, which
    /// must be the window of the next call, with the same limit. Its answers are not complete then, but what there is of
    /// them must be passed to the next call. The puzzles of both windows have different numbers.
    pub(crate) fn count_window(
        &mut self,
        windows: WindowPair<'_>,
        limit: u32,
        counts: &mut [u32],
        solutions: Option<&mut [[u8; 81]]>,
    ) {
        self.counted.searched.clear();
        self.search_window(windows, limit, counts, solutions);
    }

    fn search_window(
        &mut self,
        windows: WindowPair<'_>,
        limit: u32,
        counts: &mut [u32],
        solutions: Option<&mut [[u8; 81]]>,
    ) {
        let (window, next) = (&windows.current, windows.next.as_ref());
        self.limits.limit = limit.clamp(1, MAX_LIMIT);
        let mut order_dependent = std::mem::take(&mut self.order_dependent);
        order_dependent.resize(counts.len(), false);
        let order = &mut order_dependent[..];
        let mut answers = Answers {
            current: window.numbers(),
            counts,
            limits: self.limits,
            solutions,
            any_done: false,
            order_dependent: order,
        };
        if !self.is_begun() {
            self.begin(window, &mut answers);
        }
        if let Some(next) = next {
            self.begin(next, &mut answers);
        }
        self.search_blocks(window, next, &mut answers);
        self.search_in_order(window, &mut answers);
        answers.clear_missing_solutions();
        self.counted.keep(window, answers.counts, self.limits.limit);
        self.order_dependent = order_dependent;
        self.taken = TakenPuzzles { current: self.taken.next, next: 0, is_begun: next.is_some() };
        self.pending.advance();
    }

    /// Begins to answer about the puzzles of a window.
    fn begin(&mut self, window: &Puzzles, answers: &mut Answers) {
        let numbers = window.numbers();
        answers.counts[numbers.clone()].fill(0);
        answers.order_dependent[numbers.clone()].fill(false);
        self.counted.begin(numbers);
    }

    /// Searches again, in a fixed order, the puzzles whose answer may depend on the order in which nodes were searched.
    fn search_in_order(&mut self, window: &Puzzles, answers: &mut Answers) {
        let repeated = answers.puzzles_to_repeat();
        let puzzles = repeated.iter().map(|&puzzle| (puzzle, window.words(puzzle as usize)));
        self.ordered.search(&mut self.blocks, puzzles, &self.limits, |verdict| answers.replace(&verdict));
    }

    /// Searches the puzzles of a window, block by block: a block of pending nodes if they fill one or if no puzzles are
    /// left, otherwise a block of new puzzles.
    fn search_blocks(&mut self, window: &Puzzles, next: Option<&Puzzles>, answers: &mut Answers) {
        let lanes = self.blocks.widest().lanes();
        loop {
            let left = window.len - self.taken.current;
            if left == 0 && !self.pending.has_current(self.taken.is_alone(), answers) {
                return;
            }
            let ahead = next.map_or(0, |next| next.len - self.taken.next);
            if self.pending.len() >= lanes || left + ahead == 0 {
                self.pending.fill_batch(self.blocks.widest(), self.taken.is_alone(), answers);
                if !self.pending.batch.is_empty() {
                    self.search_nodes(answers);
                }
            } else {
                let own = left.min(lanes);
                let ahead = ahead.min(lanes - own);
                if ahead == 0 && self.taken.is_alone() && self.blocks.are_few(own) {
                    // They are nodes like the others, and may be propagated with them.
                    let puzzles = window.slice(self.taken.current, own);
                    puzzles.numbers().for_each(|i| self.pending.batch.push(&puzzles.words(i), i as u32 & PUZZLE));
                    self.taken.current += own;
                    continue;
                }
                let TakenPuzzles { current: of_current, next: of_next, .. } = self.taken;
                let puzzles = [window.slice(of_current, own), next.unwrap_or(window).slice(of_next, ahead)];
                self.taken.current += own;
                self.taken.next += ahead;
                self.search_puzzles(&puzzles, answers);
            }
        }
    }

    /// Propagates the nodes of `batch` in one block.
    fn search_nodes(&mut self, answers: &mut Answers) {
        let batch = &mut self.pending.batch;
        let ends = self.blocks.run_nodes(batch);
        self.lanes.tags[..batch.len()].copy_from_slice(batch.tags());
        batch.truncate(0);
        self.finish_block(ends, answers);
    }

    /// Propagates new puzzles of both windows in one block.
    fn search_puzzles(&mut self, puzzles: &[Puzzles; 2], answers: &mut Answers) {
        let [own, ahead] = puzzles;
        let count = own.len + ahead.len;
        let block = self.blocks.choose(count);
        let (lanes, width) = (block.lanes(), block.lanes() / 32);
        let ahead_first = ahead.first.wrapping_sub(own.len);
        let number = |i| if i < own.len { own.first + i } else { ahead_first.wrapping_add(i) };
        for (bit, tags) in self.lanes.tags.chunks_exact_mut(width).enumerate() {
            tags.iter_mut().enumerate().for_each(|(word, tag)| *tag = number(32 * word + bit) as u32 & PUZZLE);
        }
        match (own.source, ahead.source) {
            (PuzzleSource::Text(text, pitch), _) if own.len == lanes => block.load_text(text, pitch),
            (_, PuzzleSource::Text(text, pitch)) if ahead.len == lanes => block.load_text(text, pitch),
            (PuzzleSource::Text(own_text, pitch), PuzzleSource::Text(ahead_text, ahead_pitch)) => {
                self.lanes.padded.resize(lanes * 81, 0);
                for (i, puzzle) in self.lanes.padded.chunks_exact_mut(81).take(count).enumerate() {
                    let text = match i < own.len {
                        true => &own_text[i * pitch..],
                        false => &ahead_text[(i - own.len) * ahead_pitch..],
                    };
                    puzzle.copy_from_slice(&text[..81]);
                }
                block.load_text(&self.lanes.padded, 81);
            }
            _ => {
                self.lanes.open.truncate(0);
                for node in 0..lanes {
                    let puzzle = node % width * 32 + node / width;
                    let words = if puzzle < count { own.words(own.first + puzzle) } else { [0; WORDS] };
                    self.lanes.open.push(&words, 0);
                }
                block.load_nodes(&self.lanes.open);
            }
        }
        let ends = block.run(&puzzle_lanes(count, lanes), true);
        self.finish_block(ends, answers);
    }

    /// Counts the nodes into which the nodes of a block are about to be split, and abandons puzzles that may have too
    /// many: the search in a fixed order decides whether they do. Only deep nodes are counted one by one, since a
    /// puzzle has few others.
    fn count_nodes(&mut self, ends: &Outcomes, answers: &mut Answers) {
        // No early exit: over all lanes, this loop becomes vector instructions.
        let (SearchLimits { effort, near_root, .. }, all) = (self.limits, self.counted.are_wanted);
        if !all && !self.lanes.tags.iter().fold(false, |any, &tag| any | near_root.has_deep_children(tag)) {
            return;
        }
        let width = self.blocks.chosen().lanes() / 32;
        let to_split: Bits = std::array::from_fn(|word| ends.open[word] & !ends.progressing[word]);
        self.counted.nodes.resize(answers.counts.len(), 0);
        let uncounted = if all { 0 } else { near_root.max_shallow_nodes() };
        for_each(&to_split, width, |bit, word| {
            let tag = self.lanes.tags[bit * width + word];
            if all || near_root.has_deep_children(tag) {
                let nodes = &mut self.counted.nodes[(tag & PUZZLE) as usize];
                *nodes = nodes.saturating_add(2);
                if *nodes > effort - uncounted {
                    answers.abandon(tag & PUZZLE);
                }
            }
        });
    }

    /// Records the solutions that a block found, and splits the nodes that it left open.
    fn finish_block(&mut self, ends: Outcomes, answers: &mut Answers) {
        let width = self.blocks.chosen().lanes() / 32;
        let mut wanted = Bits::default();
        for_each(&ends.solved, width, |bit, word| {
            if answers.add_solution(self.lanes.tags[bit * width + word]) {
                wanted[word] |= 1 << bit;
            }
        });
        for_each(&ends.progressing, width, |bit, word| self.lanes.tags[bit * width + word] |= PROGRESSING);
        self.count_nodes(&ends, answers);
        let has_any = |bits: &Bits| bits.iter().any(|&word| word != 0);
        if !has_any(&ends.open) && !has_any(&wanted) {
            return;
        }
        let is_alone = self.taken.is_alone();
        self.blocks.store_nodes();
        let block = self.blocks.chosen();
        if let Some(solutions) = &mut answers.solutions {
            block.write_solutions(&wanted, &self.lanes.tags, solutions);
        }
        // Before this block no puzzle of its nodes was done. If one is now, its nodes are dropped.
        let wanted = if answers.any_done {
            NodeFilter::CountBelow(answers.counts, answers.limits.limit)
        } else {
            NodeFilter::All
        };
        let mut split = |open: &Bits, seconds: &mut Nodes| {
            self.lanes.open.truncate(0);
            block.collect(open, &self.lanes.tags, wanted, &mut self.lanes.open);
            block.branch(&self.lanes.open, &mut self.pending.batch, seconds);
        };
        if is_alone {
            split(&ends.open, &mut self.pending.stack);
        } else {
            let current = answers.current_lanes(&self.lanes.tags, width);
            split(&std::array::from_fn(|word| ends.open[word] & current[word]), &mut self.pending.stack);
            split(&std::array::from_fn(|word| ends.open[word] & !current[word]), &mut self.pending.later);
        }
        answers.any_done = false;
    }
}

impl NodeCounts {
    /// Begins to count the nodes of these puzzles.
    fn begin(&mut self, puzzles: Range<usize>) {
        let first = u32::from(self.are_wanted);
        if self.are_wanted && self.nodes.len() < puzzles.end {
            self.nodes.resize(puzzles.end, first);
        }
        let known = self.nodes.len();
        self.nodes[puzzles.start.min(known)..puzzles.end.min(known)].fill(first);
    }

    /// Keeps the numbers of nodes that are asked for, of the puzzles whose search did not end early.
    fn keep(&mut self, window: &Puzzles, counts: &[u32], limit: u32) {
        if self.are_wanted {
            let numbers = window.numbers();
            let nodes = counts[numbers.clone()].iter().zip(&self.nodes[numbers]);
            self.searched.extend(nodes.map(|(&count, &nodes)| if count < limit { nodes } else { 0 }));
        }
    }
}

/// Calls `f` with the bit and the word of each set bit.
#[inline(always)]
fn for_each(bits: &Bits, width: usize, mut f: impl FnMut(usize, usize)) {
    for (word, &bits) in bits[..width].iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            f(bits.trailing_zeros() as usize, word);
            bits &= bits - 1;
        }
    }
}
