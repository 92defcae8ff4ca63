//! The search over blocks: puzzles go in, nodes that are left open are split and go in again.

use std::fmt;

use crate::board::{Batch, Kind, Side};
use crate::error::Unavailable;
use crate::kernels::Kernel;
use crate::kernels::bitslice::{
    Bits, NodeFilter, Nodes, Outcomes, PROGRESSING, PUZZLE, WORDS, node_lanes, puzzle_lanes,
};

use super::alone::{Alone, SearchVerdict, Terms, UNDECIDED};
use super::blocks::Blocks;
use super::houses;
use super::near::Near;

/// Nodes that a puzzle may take by default. The hardest known sudokus take a few hundred for one that is unique.
pub(super) const BUDGET: u32 = 4_000_000;

/// The largest limit.
pub(super) const MOST: u32 = 10_000;

/// Puzzles that are searched together: what is kept for each of them stays small.
const WINDOW: usize = PUZZLE as usize + 1;

/// Counts the solutions of puzzles in bulk. It holds the memory for that, some hundred kB and more while it searches; each
/// thread has its own.
///
/// Counts do not depend on the kernel or on which puzzles come together, [`UNDECIDED`] included; which solution of several is
/// written may.
pub struct Batches {
    blocks: Blocks,
    budget: u32,
    /// The nodes that are near, for the budget.
    near: Near,
    /// First children, which are searched next.
    batch: Nodes,
    /// Second children; the last ones come first.
    stack: Nodes,
    /// Lanes on their way out of the block.
    out: Nodes,
    /// The puzzles of the block's lanes, by node number.
    tags: Vec<u32>,
    /// Nodes of each puzzle of the window, searched or waiting: all, if they are asked for, else those that are deep.
    nodes: Vec<u32>,
    /// See [`Batches::with_nodes`].
    with_nodes: bool,
    /// See [`Batches::searched_nodes`].
    searched_nodes: Vec<u32>,
    /// The last puzzles of a list, when they do not fill a block.
    padded: Vec<u8>,
    /// For puzzles whose answer may be owed to the order in which nodes were looked at.
    alone: Alone,
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches")
            .field("lanes", &self.blocks.widest().lanes())
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

/// Where puzzles come from.
#[derive(Clone, Copy)]
enum PuzzleSource<'a> {
    /// 81 bytes each, so far apart.
    Text(&'a [u8], usize),
    /// Candidates.
    Masks(&'a [[u16; 81]]),
}

impl<'a> PuzzleSource<'a> {
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

impl Batches {
    /// For puzzles of side 9 of a kind: sudoku, sudoku-x, windoku or colour-sudoku.
    ///
    /// # Errors
    /// For the other kinds.
    pub fn new(kind: Kind, kernel: &'static Kernel) -> Result<Self, Unavailable> {
        let houses = houses::further(kind).ok_or_else(|| {
            let solved = Kind::all().filter(|&kind| houses::further(kind).is_some()).map(Kind::name);
            let names = solved.collect::<Vec<_>>().join(", ");
            Unavailable(format!("solutions of {kind} cannot be counted; kinds that can: {names}"))
        })?;
        let blocks = Blocks::new(kernel, houses);
        let tags = vec![0; blocks.widest().lanes()];
        let [batch, stack, out] = std::array::from_fn(|_| Nodes::default());
        let (nodes, searched_nodes, padded) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self {
            blocks,
            budget: BUDGET,
            near: Near::new(BUDGET),
            batch,
            stack,
            out,
            tags,
            nodes,
            with_nodes: false,
            searched_nodes,
            padded,
            alone: Alone::default(),
        })
    }

    /// Whether board `board` of a batch is of a kind that [`Batches::new`] takes, of side 9, and without further groups.
    pub fn takes(batch: &Batch, board: usize) -> bool {
        let shape = batch.shape();
        shape.side == Side::NINE && houses::are_known(shape.kind) && batch.groups(board).is_none()
    }

    /// How many nodes the search of a puzzle may take before it is [`UNDECIDED`], at least 1; 4 million unless told. A node is
    /// the puzzle itself, or what becomes of a node by taking a digit for sure or for excluded. They are counted for each
    /// puzzle as if it were alone: no other puzzle, and no kernel, makes a difference.
    #[must_use]
    pub fn budget(self, nodes: u32) -> Self {
        let budget = nodes.max(1);
        Self { budget, near: Near::new(budget), ..self }
    }

    /// Counts the solutions of `n` puzzles. Puzzle `i` is the 81 bytes at `i * pitch` of `text`; `1` to `9` and the bytes 1
    /// to 9 are givens, every other byte is an empty cell. `counts[i]` becomes the number of solutions but at most `limit`
    /// (1 to 10,000; what is outside is taken as the nearest), or [`UNDECIDED`].
    ///
    /// # Panics
    /// If `text` or `counts` is too short for `n` puzzles, or `pitch` is less than 81.
    pub fn count(&mut self, text: &[u8], pitch: usize, n: usize, limit: u32, counts: &mut [u32]) {
        check_text(text, pitch, n);
        self.windows(PuzzleSource::Text(text, pitch), limit, &mut counts[..n], None);
    }

    /// As [`Batches::count`]; also writes one solution of every puzzle that has one, digits 1 to 9 in reading order, and
    /// zeros for those without. Of an undecided puzzle the solution is one if it is not zeros.
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
        self.windows(PuzzleSource::Text(text, pitch), limit, &mut counts[..n], Some(&mut solutions[..n]));
    }

    /// As [`Batches::count`], for cells with candidates: bit d-1 of a mask allows digit d; the bits above nine are ignored.
    ///
    /// # Panics
    /// If `counts` is shorter than `masks`.
    pub fn count_masks(&mut self, masks: &[[u16; 81]], limit: u32, counts: &mut [u32]) {
        self.windows(PuzzleSource::Masks(masks), limit, &mut counts[..masks.len()], None);
    }

    /// As [`Batches::count_masks`]; also writes solutions as [`Batches::solve`] does.
    ///
    /// # Panics
    /// If `counts` or `solutions` is shorter than `masks`.
    pub fn solve_masks(&mut self, masks: &[[u16; 81]], limit: u32, counts: &mut [u32], solutions: &mut [[u8; 81]]) {
        let n = masks.len();
        self.windows(PuzzleSource::Masks(masks), limit, &mut counts[..n], Some(&mut solutions[..n]));
    }

    /// Also keeps what [`Batches::searched_nodes`] says.
    #[must_use]
    pub fn with_nodes(self) -> Self {
        Self { with_nodes: true, ..self }
    }

    /// The nodes of each puzzle of the last call, if all of its tree was searched: as many for every kernel and whatever puzzles
    /// came with it. 0 where the search ended before, with as many solutions as the limit or without an answer. What a node is:
    /// see [`Batches::budget`]. None without [`Batches::with_nodes`].
    pub fn searched_nodes(&self) -> &[u32] {
        &self.searched_nodes
    }

    fn windows(
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
        let limit = limit.clamp(1, MOST);
        for (i, counts) in counts.chunks_mut(WINDOW).enumerate() {
            let first = i * WINDOW;
            let window = solutions.as_deref_mut().map(|solutions| &mut solutions[first..][..counts.len()]);
            let doubtful = vec![false; counts.len()];
            let mut found = Answers { counts, limit, near: self.near, solutions: window, ended: false, doubtful };
            let source = source.from(first);
            self.window(source, &mut found);
            self.search_alone(source, &mut found);
            if self.with_nodes {
                let nodes = found.counts.iter().zip(&self.nodes);
                self.searched_nodes.extend(nodes.map(|(&count, &nodes)| if count < limit { nodes } else { 0 }));
            }
        }
    }

    /// Searches those puzzles alone whose answer may be owed to the order in which nodes were looked at.
    fn search_alone(&mut self, source: PuzzleSource, found: &mut Answers) {
        let doubtful = found.doubtful();
        let puzzles = doubtful.iter().map(|&puzzle| (puzzle, source.words(puzzle as usize)));
        let terms = Terms { limit: found.limit, effort: self.budget, near: self.near };
        self.alone.search(&mut self.blocks, puzzles, &terms, |verdict| found.replace(&verdict));
    }

    /// The search: a block of nodes if there are enough for one, or no more puzzles, else a block of puzzles.
    fn window(&mut self, source: PuzzleSource, found: &mut Answers) {
        let (n, lanes) = (found.counts.len(), self.blocks.widest().lanes());
        found.start();
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
                self.blocks.widest().pop(&mut self.stack, &mut self.batch, found.counts, found.limit);
                if !self.batch.is_empty() {
                    self.search(found);
                }
            } else {
                let taken = lanes.min(n - next);
                self.fresh(source, next, taken, found);
                next += taken;
            }
        }
    }

    /// One block of nodes.
    fn search(&mut self, found: &mut Answers) {
        let count = self.batch.len();
        let block = self.blocks.choose(count);
        block.load_nodes(&self.batch);
        self.tags[..count].copy_from_slice(self.batch.tags());
        self.batch.truncate(0);
        let ends = block.run(&node_lanes(count, block.lanes()), false);
        self.after(ends, found);
    }

    /// One block of puzzles, `count` from `first` on.
    fn fresh(&mut self, source: PuzzleSource, first: usize, count: usize, found: &mut Answers) {
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
                self.out.truncate(0);
                for node in 0..lanes {
                    let puzzle = node % width * 32 + node / width;
                    let words = if puzzle < count { source.words(first + puzzle) } else { [0; WORDS] };
                    self.out.push(&words, 0);
                }
                block.load_nodes(&self.out);
            }
        }
        let ends = block.run(&puzzle_lanes(count, lanes), true);
        self.after(ends, found);
    }

    /// Counts the nodes that those of a block are split into, and gives up puzzles that may have too many: their own search says
    /// whether they do. Of a puzzle that is not deep there are few.
    fn count_nodes(&mut self, ends: &Outcomes, found: &mut Answers) {
        // All lanes are looked at: that is a loop of vector instructions.
        if !self.with_nodes && !self.tags.iter().fold(false, |any, &tag| any | found.near.is_deepest(tag)) {
            return;
        }
        let width = self.blocks.chosen().lanes() / 32;
        let at_rest: Bits = std::array::from_fn(|word| ends.open[word] & !ends.progressing[word]);
        self.nodes.resize(found.counts.len(), 0);
        let uncounted = if self.with_nodes { 0 } else { found.near.shallow() };
        for_each(&at_rest, width, |bit, word| {
            let tag = self.tags[bit * width + word];
            if self.with_nodes || found.near.is_deepest(tag) {
                let nodes = &mut self.nodes[(tag & PUZZLE) as usize];
                *nodes = nodes.saturating_add(2);
                if *nodes > self.budget - uncounted {
                    found.give_up(tag & PUZZLE);
                }
            }
        });
    }

    /// Records what a block found and splits what it left open.
    fn after(&mut self, ends: Outcomes, found: &mut Answers) {
        let width = self.blocks.chosen().lanes() / 32;
        let mut wanted = Bits::default();
        for_each(&ends.solved, width, |bit, word| {
            if found.solution(self.tags[bit * width + word]) {
                wanted[word] |= 1 << bit;
            }
        });
        for_each(&ends.progressing, width, |bit, word| self.tags[bit * width + word] |= PROGRESSING);
        self.count_nodes(&ends, found);
        let some = |bits: &Bits| bits.iter().any(|&word| word != 0);
        if !some(&ends.open) && !some(&wanted) {
            return;
        }
        let block = self.blocks.chosen();
        block.store_nodes();
        if let Some(solutions) = &mut found.solutions {
            block.write_solutions(&wanted, &self.tags, solutions);
        }
        self.out.truncate(0);
        // All nodes of a block were of puzzles to be searched; that may have changed just now.
        let still = if found.ended { NodeFilter::CountBelow(found.counts, found.limit) } else { NodeFilter::All };
        block.collect(&ends.open, &self.tags, still, &mut self.out);
        found.ended = false;
        block.branch(&self.out, &mut self.batch, &mut self.stack);
    }
}

/// The answers of a window.
struct Answers<'a> {
    counts: &'a mut [u32],
    limit: u32,
    near: Near,
    solutions: Option<&'a mut [[u8; 81]]>,
    /// Some puzzle came to its end since this was last looked at.
    ended: bool,
    /// Puzzles with a solution that is not near, and those that were given up.
    doubtful: Vec<bool>,
}

impl Answers<'_> {
    fn start(&mut self) {
        self.counts.fill(0);
        if let Some(solutions) = &mut self.solutions {
            solutions.fill([0; 81]);
        }
    }

    /// Whether nothing more of a puzzle is to be searched.
    fn is_done(&self, puzzle: u32) -> bool {
        self.counts[puzzle as usize] >= self.limit
    }

    /// One more solution of a puzzle, a node with this tag; whether it is to be written down.
    fn solution(&mut self, tag: u32) -> bool {
        let puzzle = tag & PUZZLE;
        let count = &mut self.counts[puzzle as usize];
        if *count >= self.limit {
            return false;
        }
        *count += 1;
        self.ended |= *count == self.limit;
        if !self.near.has(tag) {
            self.doubtful[puzzle as usize] = true;
        }
        *count == 1 && self.solutions.is_some()
    }

    fn give_up(&mut self, puzzle: u32) {
        if !self.is_done(puzzle) {
            self.counts[puzzle as usize] = UNDECIDED;
            self.ended = true;
            self.doubtful[puzzle as usize] = true;
        }
    }

    /// The puzzles that are to be searched again. Those that came to the end of their tree are not.
    fn doubtful(&self) -> Vec<u32> {
        let doubtful = (0..).zip(&self.doubtful).filter(|(puzzle, doubtful)| **doubtful && self.is_done(*puzzle));
        doubtful.map(|(puzzle, _)| puzzle).collect()
    }

    /// Takes the answer of a puzzle's own search.
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

/// The places of the bits that are set: bit and word.
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

/// A puzzle of candidates as a node.
fn words(masks: &[u16; 81]) -> [u32; WORDS] {
    let mut words = [0; WORDS];
    for (cell, mask) in masks.iter().enumerate() {
        for digit in 0..9 {
            words[digit * 3 + cell / 27] |= u32::from(mask >> digit & 1) << (cell % 27);
        }
    }
    words
}
