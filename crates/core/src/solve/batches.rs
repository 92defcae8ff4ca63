//! Solves many puzzles at once: puzzles are propagated in blocks, and the nodes that stay open are split and propagated
//! in later blocks.

use std::fmt;

use crate::board::{Batch, Kind, Side};
use crate::error::Unavailable;
use crate::kernels::Kernel;
use crate::kernels::bitslice::{
    Bits, NodeFilter, Nodes, Outcomes, PROGRESSING, PUZZLE, WORDS, node_lanes, puzzle_lanes,
};

use super::UNDECIDED;
use super::blocks::Blocks;
use super::houses;
use super::near_root::NearRoot;
use super::ordered::{OrderedSearch, SearchLimits, SearchVerdict};

/// The default for the number of nodes that the search of a puzzle may take. The hardest known sudokus take a few
/// hundred if they are unique.
pub(super) const BUDGET: u32 = 4_000_000;

/// The largest limit for the number of solutions.
pub(super) const MAX_LIMIT: u32 = 10_000;

/// The largest number of puzzles that are searched together. A tag has room for so many numbers, and the memory that
/// holds something for each puzzle stays small.
const MAX_CHUNK: usize = PUZZLE as usize + 1;

/// Counts the solutions of puzzles in bulk. It owns the memory for that: some hundred kB, and more during a search.
/// Each thread has its own.
///
/// The counts, including [`UNDECIDED`], depend neither on the kernel nor on which puzzles are passed together. If a
/// puzzle has several solutions, which of them is written may depend on both.
pub struct BatchSolver {
    blocks: Blocks,
    budget: u32,
    /// Which nodes are near the root, for this budget.
    near_root: NearRoot,
    /// The nodes to be searched next: first children, and nodes that another pass may narrow further.
    batch: Nodes,
    /// Second children. The last ones are searched first.
    stack: Nodes,
    /// The open nodes of the current block.
    open: Nodes,
    /// The tags of the block's lanes, by node number.
    tags: Vec<u32>,
    /// The number of nodes of each puzzle of the chunk, searched or pending: all of them if they are asked for,
    /// otherwise only the deep ones.
    nodes: Vec<u32>,
    /// See [`BatchSolver::with_nodes`].
    with_nodes: bool,
    /// See [`BatchSolver::searched_nodes`].
    searched_nodes: Vec<u32>,
    /// The last puzzles of a list if they do not fill a block, with padding.
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

/// The puzzles to be solved.
#[derive(Clone, Copy)]
enum PuzzleSource<'a> {
    /// Puzzles of 81 bytes, and the distance from the start of one to the start of the next.
    Text(&'a [u8], usize),
    /// The candidates of each cell.
    Masks(&'a [[u16; 81]]),
}

impl<'a> PuzzleSource<'a> {
    /// The puzzles from number `first` on.
    fn from(self, first: usize) -> Self {
        match self {
            Self::Text(text, pitch) => Self::Text(&text[first * pitch..], pitch),
            Self::Masks(masks) => Self::Masks(&masks[first..]),
        }
    }

    /// A puzzle as a node.
    fn words(self, puzzle: usize) -> [u32; WORDS] {
        match self {
            Self::Masks(masks) => words(&masks[puzzle]),
            Self::Text(text, pitch) => {
                let mut masks = [0x1FF; 81];
                for (mask, byte) in masks.iter_mut().zip(&text[puzzle * pitch..][..81]) {
                    if let digit @ 1..=9 | digit @ b'1'..=b'9' = byte {
                        *mask = 1 << ((digit & 15) - 1);
                    }
                }
                words(&masks)
            }
        }
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
        let blocks = Blocks::new(kernel, houses);
        let tags = vec![0; blocks.widest().lanes()];
        let [batch, stack, open] = std::array::from_fn(|_| Nodes::default());
        let (nodes, searched_nodes, padded) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self {
            blocks,
            budget: BUDGET,
            near_root: NearRoot::new(BUDGET),
            batch,
            stack,
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

    /// Sets how many nodes the search of a puzzle may take before the puzzle is [`UNDECIDED`]: at least 1, by default 4
    /// million. A node is the puzzle itself, or a node's puzzle with a digit either placed in a cell or excluded from
    /// it. Nodes are counted separately for each puzzle: neither other puzzles nor the kernel make a difference.
    #[must_use]
    pub fn budget(self, nodes: u32) -> Self {
        let budget = nodes.max(1);
        Self { budget, near_root: NearRoot::new(budget), ..self }
    }

    /// Counts the solutions of `n` puzzles. Puzzle `i` is the 81 bytes at `i * pitch` of `text`. The ASCII digits `1`
    /// to `9` and the bytes 1 to 9 are givens; every other byte is an empty cell. Sets `counts[i]` to the number of
    /// solutions, at most `limit`, or to [`UNDECIDED`]. The limit is clamped to the range from 1 to 10,000.
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
        if !cfg!(feature = "solvers") {
            return counts.fill(UNDECIDED);
        }
        let limit = limit.clamp(1, MAX_LIMIT);
        for (i, counts) in counts.chunks_mut(MAX_CHUNK).enumerate() {
            let first = i * MAX_CHUNK;
            let solutions = solutions.as_deref_mut().map(|solutions| &mut solutions[first..][..counts.len()]);
            let order_dependent = vec![false; counts.len()];
            let near_root = self.near_root;
            let mut answers = ChunkAnswers { counts, limit, near_root, solutions, any_done: false, order_dependent };
            let source = source.from(first);
            self.search_chunk(source, &mut answers);
            self.search_in_order(source, &mut answers);
            answers.clear_missing_solutions();
            if self.with_nodes {
                let nodes = answers.counts.iter().zip(&self.nodes);
                self.searched_nodes.extend(nodes.map(|(&count, &nodes)| if count < limit { nodes } else { 0 }));
            }
        }
    }

    /// Searches again, in a fixed order, the puzzles whose answer may depend on the order in which nodes were searched.
    fn search_in_order(&mut self, source: PuzzleSource, answers: &mut ChunkAnswers) {
        let repeated = answers.puzzles_to_repeat();
        let puzzles = repeated.iter().map(|&puzzle| (puzzle, source.words(puzzle as usize)));
        let limits = SearchLimits { limit: answers.limit, effort: self.budget, near_root: self.near_root };
        self.ordered.search(&mut self.blocks, puzzles, &limits, |verdict| answers.replace(&verdict));
    }

    /// Searches the puzzles of a chunk, block by block: a block of pending nodes if they fill one or if no puzzles are
    /// left, otherwise a block of new puzzles.
    fn search_chunk(&mut self, source: PuzzleSource, answers: &mut ChunkAnswers) {
        let (n, lanes) = (answers.counts.len(), self.blocks.widest().lanes());
        answers.counts.fill(0);
        self.nodes.clear();
        self.nodes.resize(if self.with_nodes { n } else { 0 }, 1);
        let mut next = 0;
        loop {
            let waiting = self.batch.len() + self.stack.len();
            if waiting >= lanes || next == n {
                if waiting == 0 {
                    return;
                }
                self.batch.spill(lanes, &mut self.stack);
                self.blocks.widest().pop(&mut self.stack, &mut self.batch, answers.counts, answers.limit);
                if !self.batch.is_empty() {
                    self.search_nodes(answers);
                }
            } else {
                let taken = lanes.min(n - next);
                self.search_puzzles(source, next, taken, answers);
                next += taken;
            }
        }
    }

    /// Propagates the nodes of `batch` in one block.
    fn search_nodes(&mut self, answers: &mut ChunkAnswers) {
        let count = self.batch.len();
        let block = self.blocks.choose(count);
        block.load_nodes(&self.batch);
        self.tags[..count].copy_from_slice(self.batch.tags());
        self.batch.truncate(0);
        let ends = block.run(&node_lanes(count, block.lanes()), false);
        self.finish_block(ends, answers);
    }

    /// Propagates `count` puzzles, from number `first` on, in one block.
    fn search_puzzles(&mut self, source: PuzzleSource, first: usize, count: usize, answers: &mut ChunkAnswers) {
        let block = self.blocks.choose(count);
        let (lanes, width) = (block.lanes(), block.lanes() / 32);
        for (bit, tags) in self.tags.chunks_exact_mut(width).enumerate() {
            tags.iter_mut().enumerate().for_each(|(word, tag)| *tag = (first + 32 * word + bit) as u32);
        }
        match source {
            PuzzleSource::Text(text, pitch) if count == lanes => block.load_text(&text[first * pitch..], pitch),
            PuzzleSource::Text(text, pitch) => {
                self.padded.resize(lanes * 81, 0);
                for (i, puzzle) in self.padded.chunks_exact_mut(81).take(count).enumerate() {
                    puzzle.copy_from_slice(&text[(first + i) * pitch..][..81]);
                }
                block.load_text(&self.padded, 81);
            }
            PuzzleSource::Masks(_) => {
                self.open.truncate(0);
                for node in 0..lanes {
                    let puzzle = node % width * 32 + node / width;
                    let words = if puzzle < count { source.words(first + puzzle) } else { [0; WORDS] };
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
    fn count_nodes(&mut self, ends: &Outcomes, answers: &mut ChunkAnswers) {
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
    fn finish_block(&mut self, ends: Outcomes, answers: &mut ChunkAnswers) {
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
        let block = self.blocks.chosen();
        block.store_nodes();
        if let Some(solutions) = &mut answers.solutions {
            block.write_solutions(&wanted, &self.tags, solutions);
        }
        self.open.truncate(0);
        // Before this block no puzzle of its nodes was done. If one is now, its nodes are dropped.
        let wanted =
            if answers.any_done { NodeFilter::CountBelow(answers.counts, answers.limit) } else { NodeFilter::All };
        block.collect(&ends.open, &self.tags, wanted, &mut self.open);
        answers.any_done = false;
        block.branch(&self.open, &mut self.batch, &mut self.stack);
    }
}

/// The answers for the puzzles of a chunk.
struct ChunkAnswers<'a> {
    counts: &'a mut [u32],
    limit: u32,
    near_root: NearRoot,
    solutions: Option<&'a mut [[u8; 81]]>,
    /// Whether some puzzle became done in the current block.
    any_done: bool,
    /// Whether the answer for each puzzle may depend on the order of its search: it has a solution that is not near the
    /// root, or was abandoned.
    order_dependent: Vec<bool>,
}

impl ChunkAnswers<'_> {
    /// Writes zeros for the puzzles without a solution. Writing zeros for all of them before the search would take all of
    /// that memory through the cache once more.
    fn clear_missing_solutions(&mut self) {
        if let Some(solutions) = &mut self.solutions {
            let missing = self.counts.iter().zip(&mut **solutions).filter(|(count, _)| **count == 0);
            missing.for_each(|(_, solution)| *solution = [0; 81]);
        }
    }

    /// Whether the search of a puzzle has ended before its tree: it has as many solutions as the limit, or was
    /// abandoned.
    fn is_done(&self, puzzle: u32) -> bool {
        self.counts[puzzle as usize] >= self.limit
    }

    /// Counts a solution, which is a node with this tag. Returns whether to write the solution.
    fn add_solution(&mut self, tag: u32) -> bool {
        let puzzle = tag & PUZZLE;
        let count = &mut self.counts[puzzle as usize];
        if *count >= self.limit {
            return false;
        }
        *count += 1;
        self.any_done |= *count == self.limit;
        if !self.near_root.contains(tag) {
            self.order_dependent[puzzle as usize] = true;
        }
        *count == 1 && self.solutions.is_some()
    }

    fn abandon(&mut self, puzzle: u32) {
        if !self.is_done(puzzle) {
            self.counts[puzzle as usize] = UNDECIDED;
            self.any_done = true;
            self.order_dependent[puzzle as usize] = true;
        }
    }

    /// The puzzles that must be searched again in a fixed order. If all of a tree was searched, the order did not
    /// matter.
    fn puzzles_to_repeat(&self) -> Vec<u32> {
        let puzzles = (0..).zip(&self.order_dependent);
        let repeated = puzzles.filter(|(puzzle, order_dependent)| **order_dependent && self.is_done(*puzzle));
        repeated.map(|(puzzle, _)| puzzle).collect()
    }

    /// Replaces the answer for a puzzle with that of the search in a fixed order.
    fn replace(&mut self, verdict: &SearchVerdict) {
        let puzzle = verdict.puzzle as usize;
        self.counts[puzzle] = verdict.count;
        if let Some(solutions) = &mut self.solutions {
            solutions[puzzle] = verdict.solution.map_or([0; 81], |words| digits(&words));
        }
    }
}

fn check_text(text: &[u8], pitch: usize, n: usize) {
    assert!(pitch >= 81, "puzzles of 81 bytes overlap");
    assert!(n == 0 || text.len() >= (n - 1) * pitch + 81, "the text has fewer puzzles than told");
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

/// The digits of a solved node.
fn digits(words: &[u32; WORDS]) -> [u8; 81] {
    let mut digits = [0; 81];
    for (word, &cells) in words.iter().enumerate() {
        let mut cells = cells;
        while cells != 0 {
            digits[word % 3 * 27 + cells.trailing_zeros() as usize % 27] = (word / 3 + 1) as u8;
            cells &= cells - 1;
        }
    }
    digits
}

/// The node of a puzzle that is given by its candidates.
fn words(masks: &[u16; 81]) -> [u32; WORDS] {
    let mut words = [0; WORDS];
    for (cell, mask) in masks.iter().enumerate() {
        for digit in 0..9 {
            words[digit * 3 + cell / 27] |= u32::from(mask >> digit & 1) << (cell % 27);
        }
    }
    words
}
