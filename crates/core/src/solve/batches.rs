//! Solves many puzzles at once: puzzles are propagated in blocks, and the nodes that stay open are split and propagated
//! in later blocks.
//!
//! Puzzles are searched in windows. Towards the end of a window, ever fewer of its nodes are open. The next window, if it
//! is known by then, fills the other lanes; its puzzles are searched as far as that goes, and the rest of them later.

use std::fmt;

use crate::board::{Batch, Kind, Side};
use crate::error::Unavailable;
use crate::kernels::Kernel;
use crate::kernels::bitslice::{Bits, NodeFilter, Nodes, Outcomes, PROGRESSING, PUZZLE, WORDS, puzzle_lanes};

use super::answers::Answers;
use super::blocks::BlockPair;
use super::houses;
use super::near_root::NearRoot;
use super::ordered::{OrderedSearch, SearchLimits};
use super::window::{MAX_PUZZLES, PuzzleSource, Window, WindowPair, check_text};

/// The default for the number of nodes that the search of a puzzle may take. The hardest known sudokus take a few
/// hundred if they are unique.
pub(super) const BUDGET: u32 = 4_000_000;

/// The largest limit for the number of solutions.
pub(super) const MAX_LIMIT: u32 = 10_000;

/// Counts the solutions of puzzles in bulk. It owns the memory for that: some hundred kB, and more during a search.
/// Each thread has its own.
///
/// The counts, including [`UNDECIDED`](super::UNDECIDED), depend neither on the kernel nor on which puzzles are passed together. If a
/// puzzle has several solutions, which of them is written may depend on both.
pub struct BatchSolver {
    blocks: BlockPair,
    budget: u32,
    /// Which nodes are near the root, for this budget.
    near_root: NearRoot,
    /// The nodes to be searched next: first children, and nodes that another pass may narrow further.
    batch: Nodes,
    /// Second children of the current window's puzzles. The last ones are searched first.
    stack: Nodes,
    /// Second children of the next window's puzzles, which are searched after those.
    later: Nodes,
    /// How many puzzles of the current window and of the next one are in a block or were in one.
    taken: [usize; 2],
    /// The current window was the next one of the last call.
    is_begun: bool,
    /// See [`Answers`].
    order_dependent: Vec<bool>,
    /// The open nodes of the current block.
    open: Nodes,
    /// The tags of the block's lanes, by node number.
    tags: Vec<u32>,
    /// The number of nodes of each puzzle, searched or pending: all of them if they are asked for, otherwise only the
    /// deep ones.
    nodes: Vec<u32>,
    /// See [`BatchSolver::with_nodes`].
    with_nodes: bool,
    /// See [`BatchSolver::searched_nodes`].
    searched_nodes: Vec<u32>,
    /// The puzzles of a block that are not one piece of text, with padding.
    padded: Vec<u8>,
    /// The search for puzzles whose answer may depend on the order in which their nodes were searched.
    ordered: OrderedSearch,
}

impl fmt::Debug for BatchSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchSolver")
            .field("lanes", &self.blocks.widest().lanes())
            .field("budget", &self.budget)
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
        let tags = vec![0; blocks.widest().lanes()];
        let [batch, stack, later, open] = std::array::from_fn(|_| Nodes::default());
        let (nodes, searched_nodes, padded) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self {
            blocks,
            budget: BUDGET,
            near_root: NearRoot::new(BUDGET),
            batch,
            stack,
            later,
            taken: [0; 2],
            is_begun: false,
            order_dependent: Vec::new(),
            open,
            tags,
            nodes,
            with_nodes: false,
            searched_nodes,
            padded,
            ordered: OrderedSearch::default(),
        })
    }

    /// Whether board `board` of a batch is of a kind that [`BatchSolver::new`] accepts, has side 9 and no groups of its
    /// own.
    pub fn takes(batch: &Batch, board: usize) -> bool {
        let shape = batch.shape();
        shape.side == Side::NINE && houses::are_supported(shape.kind) && batch.groups(board).is_none()
    }

    /// Sets how many nodes the search of a puzzle may take before the puzzle is [`UNDECIDED`](super::UNDECIDED): at least 1, by default 4
    /// million. A node is the puzzle itself, or a node's puzzle with a digit either placed in a cell or excluded from
    /// it. Nodes are counted separately for each puzzle: neither other puzzles nor the kernel make a difference.
    #[must_use]
    pub fn budget(self, nodes: u32) -> Self {
        let budget = nodes.max(1);
        Self { budget, near_root: NearRoot::new(budget), ..self }
    }

    /// Counts the solutions of `n` puzzles. Puzzle `i` is the 81 bytes at `i * pitch` of `text`. The ASCII digits `1`
    /// to `9` and the bytes 1 to 9 are givens; every other byte is an empty cell. Sets `counts[i]` to the number of
    /// solutions, at most `limit`, or to [`UNDECIDED`](super::UNDECIDED). The limit is clamped to the range from 1 to 10,000.
    ///
    /// # Panics
    /// If `text` or `counts` is too short for `n` puzzles, or `pitch` is less than 81.
    pub fn count(&mut self, text: &[u8], pitch: usize, n: usize, limit: u32, counts: &mut [u32]) {
        check_text(text, pitch, n);
        self.search_all(PuzzleSource::Text(text, pitch), limit, &mut counts[..n], None);
    }

    /// Like [`BatchSolver::count`], and also writes one solution of every puzzle: digits 1 to 9 in reading order, or
    /// zeros if there is no solution. For an undecided puzzle it writes a solution if one was found, otherwise zeros.
    ///
    /// # Panics
    /// If `text`, `counts` or `solutions` is too short for `n` puzzles, or `pitch` is less than 81.
    pub fn solve(
        &mut self,
        text: &[u8],
        pitch: usize,
        n: usize,
        limit: u32,
        counts: &mut [u32],
        solutions: &mut [[u8; 81]],
    ) {
        check_text(text, pitch, n);
        self.search_all(PuzzleSource::Text(text, pitch), limit, &mut counts[..n], Some(&mut solutions[..n]));
    }

    /// Like [`BatchSolver::count`], for cells with candidates: bit d-1 of a mask allows digit d. Bits above the lowest
    /// nine are ignored.
    ///
    /// # Panics
    /// If `counts` is shorter than `masks`.
    pub fn count_masks(&mut self, masks: &[[u16; 81]], limit: u32, counts: &mut [u32]) {
        self.search_all(PuzzleSource::Masks(masks), limit, &mut counts[..masks.len()], None);
    }

    /// Like [`BatchSolver::count_masks`], and also writes solutions as [`BatchSolver::solve`] does.
    ///
    /// # Panics
    /// If `counts` or `solutions` is shorter than `masks`.
    pub fn solve_masks(&mut self, masks: &[[u16; 81]], limit: u32, counts: &mut [u32], solutions: &mut [[u8; 81]]) {
        let n = masks.len();
        self.search_all(PuzzleSource::Masks(masks), limit, &mut counts[..n], Some(&mut solutions[..n]));
    }

    /// Makes [`BatchSolver::searched_nodes`] available.
    #[must_use]
    pub fn with_nodes(self) -> Self {
        Self { with_nodes: true, ..self }
    }

    /// The number of nodes of each puzzle of the last call whose search tree was searched completely. It depends
    /// neither on the kernel nor on the other puzzles. It is 0 for puzzles whose search ended early, at the limit of
    /// solutions or undecided. [`BatchSolver::budget`] defines what a node is. Empty without
    /// [`BatchSolver::with_nodes`].
    pub fn searched_nodes(&self) -> &[u32] {
        &self.searched_nodes
    }

    fn search_all(
        &mut self,
        source: PuzzleSource,
        limit: u32,
        counts: &mut [u32],
        mut solutions: Option<&mut [[u8; 81]]>,
    ) {
        self.searched_nodes.clear();
        for (i, counts) in counts.chunks_mut(MAX_PUZZLES).enumerate() {
            let skipped = i * MAX_PUZZLES;
            let solutions = solutions.as_deref_mut().map(|solutions| &mut solutions[skipped..][..counts.len()]);
            let window = Window { source: source.from(skipped), first: 0, len: counts.len() };
            self.reset();
            self.search_window(WindowPair { current: window, next: None }, limit, counts, solutions);
        }
    }

    /// Forgets the puzzles of the next window.
    pub(crate) fn reset(&mut self) {
        (self.taken, self.is_begun) = ([0; 2], false);
        for nodes in [&mut self.batch, &mut self.stack, &mut self.later] {
            nodes.truncate(0);
        }
    }

    /// Whether the last call has begun with the puzzles of the next one.
    pub(crate) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Whether no puzzles of the next window are in a block or were in one.
    fn is_alone(&self) -> bool {
        self.taken[1] == 0
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
        self.searched_nodes.clear();
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
        let (limit, current, near_root) = (limit.clamp(1, MAX_LIMIT), window.numbers(), self.near_root);
        let mut order_dependent = std::mem::take(&mut self.order_dependent);
        order_dependent.resize(counts.len(), false);
        let order = &mut order_dependent[..];
        let mut answers =
            Answers { current, counts, limit, near_root, solutions, any_done: false, order_dependent: order };
        if !self.is_begun() {
            self.begin(window, &mut answers);
        }
        if let Some(next) = next {
            self.begin(next, &mut answers);
        }
        self.search_blocks(window, next, &mut answers);
        self.search_in_order(window, &mut answers);
        answers.clear_missing_solutions();
        if self.with_nodes {
            let numbers = window.numbers();
            let nodes = answers.counts[numbers.clone()].iter().zip(&self.nodes[numbers]);
            self.searched_nodes.extend(nodes.map(|(&count, &nodes)| if count < limit { nodes } else { 0 }));
        }
        self.order_dependent = order_dependent;
        (self.taken, self.is_begun) = ([self.taken[1], 0], next.is_some());
        std::mem::swap(&mut self.stack, &mut self.later);
    }

    /// Begins to answer about the puzzles of a window.
    fn begin(&mut self, window: &Window, answers: &mut Answers) {
        let (numbers, nodes) = (window.numbers(), u32::from(self.with_nodes));
        answers.counts[numbers.clone()].fill(0);
        answers.order_dependent[numbers.clone()].fill(false);
        if self.with_nodes && self.nodes.len() < numbers.end {
            self.nodes.resize(numbers.end, nodes);
        }
        let known = self.nodes.len();
        self.nodes[numbers.start.min(known)..numbers.end.min(known)].fill(nodes);
    }

    /// Searches again, in a fixed order, the puzzles whose answer may depend on the order in which nodes were searched.
    fn search_in_order(&mut self, window: &Window, answers: &mut Answers) {
        let repeated = answers.puzzles_to_repeat();
        let puzzles = repeated.iter().map(|&puzzle| (puzzle, window.words(puzzle as usize)));
        let limits = SearchLimits { limit: answers.limit, effort: self.budget, near_root: self.near_root };
        self.ordered.search(&mut self.blocks, puzzles, &limits, |verdict| answers.replace(&verdict));
    }

    /// Searches the puzzles of a window, block by block: a block of pending nodes if they fill one or if no puzzles are
    /// left, otherwise a block of new puzzles.
    fn search_blocks(&mut self, window: &Window, next: Option<&Window>, answers: &mut Answers) {
        let lanes = self.blocks.widest().lanes();
        loop {
            let left = window.len - self.taken[0];
            if left == 0 && !self.has_current_nodes(answers) {
                return;
            }
            let ahead = next.map_or(0, |next| next.len - self.taken[1]);
            let waiting = self.batch.len() + self.stack.len() + self.later.len();
            if waiting >= lanes || left + ahead == 0 {
                self.fill_batch(answers);
                if !self.batch.is_empty() {
                    self.search_nodes(answers);
                }
            } else {
                let own = left.min(lanes);
                let ahead = ahead.min(lanes - own);
                if ahead == 0 && self.is_alone() && self.blocks.are_few(own) {
                    // They are nodes like the others, and may be propagated with them.
                    let puzzles = window.slice(self.taken[0], own);
                    puzzles.numbers().for_each(|i| self.batch.push(&puzzles.words(i), i as u32 & PUZZLE));
                    self.taken[0] += own;
                    continue;
                }
                let puzzles = [window.slice(self.taken[0], own), next.unwrap_or(window).slice(self.taken[1], ahead)];
                self.taken[0] += own;
                self.taken[1] += ahead;
                self.search_puzzles(&puzzles, answers);
            }
        }
    }

    /// Whether nodes of the current window are pending.
    fn has_current_nodes(&self, answers: &Answers) -> bool {
        !self.stack.is_empty()
            || !self.batch.is_empty()
                && (self.is_alone() || self.batch.tags().iter().any(|&tag| answers.is_current(tag)))
    }

    /// Completes the batch to a block, with nodes of the current window if there are enough.
    fn fill_batch(&mut self, answers: &Answers) {
        let lanes = self.blocks.widest().lanes();
        let is_alone = self.is_alone();
        if !is_alone && self.batch.len() > lanes {
            // Nodes of the next window were added after all others.
            let excess = &self.batch.tags()[lanes..];
            let own = excess.iter().position(|&tag| !answers.is_current(tag)).unwrap_or(excess.len());
            self.batch.spill(lanes + own, &mut self.later);
        }
        self.batch.spill(lanes, &mut self.stack);
        let block = self.blocks.widest();
        block.pop(&mut self.stack, &mut self.batch, answers.counts, answers.limit);
        if !is_alone {
            block.pop(&mut self.later, &mut self.batch, answers.counts, answers.limit);
        }
    }

    /// Propagates the nodes of `batch` in one block.
    fn search_nodes(&mut self, answers: &mut Answers) {
        let count = self.batch.len();
        let ends = self.blocks.run_nodes(&self.batch);
        self.tags[..count].copy_from_slice(self.batch.tags());
        self.batch.truncate(0);
        self.finish_block(ends, answers);
    }

    /// Propagates new puzzles of both windows in one block.
    fn search_puzzles(&mut self, puzzles: &[Window; 2], answers: &mut Answers) {
        let [own, ahead] = puzzles;
        let count = own.len + ahead.len;
        let block = self.blocks.choose(count);
        let (lanes, width) = (block.lanes(), block.lanes() / 32);
        let ahead_first = ahead.first.wrapping_sub(own.len);
        let number = |i| if i < own.len { own.first + i } else { ahead_first.wrapping_add(i) };
        for (bit, tags) in self.tags.chunks_exact_mut(width).enumerate() {
            tags.iter_mut().enumerate().for_each(|(word, tag)| *tag = number(32 * word + bit) as u32 & PUZZLE);
        }
        match (own.source, ahead.source) {
            (PuzzleSource::Text(text, pitch), _) if own.len == lanes => block.load_text(text, pitch),
            (_, PuzzleSource::Text(text, pitch)) if ahead.len == lanes => block.load_text(text, pitch),
            (PuzzleSource::Text(own_text, pitch), PuzzleSource::Text(ahead_text, ahead_pitch)) => {
                self.padded.resize(lanes * 81, 0);
                for (i, puzzle) in self.padded.chunks_exact_mut(81).take(count).enumerate() {
                    let text = match i < own.len {
                        true => &own_text[i * pitch..],
                        false => &ahead_text[(i - own.len) * ahead_pitch..],
                    };
                    puzzle.copy_from_slice(&text[..81]);
                }
                block.load_text(&self.padded, 81);
            }
            _ => {
                self.open.truncate(0);
                for node in 0..lanes {
                    let puzzle = node % width * 32 + node / width;
                    let words = if puzzle < count { own.words(own.first + puzzle) } else { [0; WORDS] };
                    self.open.push(&words, 0);
                }
                block.load_nodes(&self.open);
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
        if !self.with_nodes && !self.tags.iter().fold(false, |any, &tag| any | answers.near_root.has_deep_children(tag))
        {
            return;
        }
        let width = self.blocks.chosen().lanes() / 32;
        let to_split: Bits = std::array::from_fn(|word| ends.open[word] & !ends.progressing[word]);
        self.nodes.resize(answers.counts.len(), 0);
        let uncounted = if self.with_nodes { 0 } else { answers.near_root.max_shallow_nodes() };
        for_each(&to_split, width, |bit, word| {
            let tag = self.tags[bit * width + word];
            if self.with_nodes || answers.near_root.has_deep_children(tag) {
                let nodes = &mut self.nodes[(tag & PUZZLE) as usize];
                *nodes = nodes.saturating_add(2);
                if *nodes > self.budget - uncounted {
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
            if answers.add_solution(self.tags[bit * width + word]) {
                wanted[word] |= 1 << bit;
            }
        });
        for_each(&ends.progressing, width, |bit, word| self.tags[bit * width + word] |= PROGRESSING);
        self.count_nodes(&ends, answers);
        let has_any = |bits: &Bits| bits.iter().any(|&word| word != 0);
        if !has_any(&ends.open) && !has_any(&wanted) {
            return;
        }
        let is_alone = self.is_alone();
        self.blocks.store_nodes();
        let block = self.blocks.chosen();
        if let Some(solutions) = &mut answers.solutions {
            block.write_solutions(&wanted, &self.tags, solutions);
        }
        // Before this block no puzzle of its nodes was done. If one is now, its nodes are dropped.
        let wanted =
            if answers.any_done { NodeFilter::CountBelow(answers.counts, answers.limit) } else { NodeFilter::All };
        let mut split = |open: &Bits, seconds: &mut Nodes| {
            self.open.truncate(0);
            block.collect(open, &self.tags, wanted, &mut self.open);
            block.branch(&self.open, &mut self.batch, seconds);
        };
        if is_alone {
            split(&ends.open, &mut self.stack);
        } else {
            let current = answers.current_lanes(&self.tags, width);
            split(&std::array::from_fn(|word| ends.open[word] & current[word]), &mut self.stack);
            split(&std::array::from_fn(|word| ends.open[word] & !current[word]), &mut self.later);
        }
        answers.any_done = false;
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
