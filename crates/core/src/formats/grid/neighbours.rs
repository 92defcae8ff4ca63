//! Refuses grids if what is beside them shows that they are not a sudoku by themselves: a map of regions or cages, a
//! mask of black cells, or another grid that shows the same puzzle at another stage.
//!
//! Only blocks next to each other are compared, with at most [`FARTHEST`] lines of text between them. A companion may
//! belong to the grid before or after it. If their titles do not show which, both are refused; how many blank lines are
//! between them shows nothing.

use std::collections::VecDeque;

use super::cut::find_grid_cut;
use super::glyphs::is_border_glyph;
use super::named::Square;
use super::{EachGrid, GridBlock, GridCells, is_too_long_for_grid};
use crate::board::Cell;
use crate::error::{Code, Reject};
use crate::formats::line_at;

/// The most lines of text between two blocks that are compared.
const FARTHEST: usize = 50;
/// The most blocks between two of which one decides on the other, and more than two companions in sequence.
const REACH: usize = 6;
/// The most companions of one grid in sequence.
const COMPANIONS: usize = 3;
/// The fewest rows of a block that separates others. Fewer may be a part of a companion, such as a row of empty cells.
const ROWS: usize = 9;
/// With fewer digits than this, two grids have them in common by chance.
const FEWEST_DIGITS: usize = 8;

/// An iterator over the grids of a text, in order.
///
/// ```
/// use gridmill_core::formats::GridBlocks;
///
/// let text = "Puzzle 7 (easy)\n    1 2 3   4 5 6   7 8 9\nA | 5 3 . | . 7 . | . . . |\nB | 6 . . | 1 9 5 | . . . |\n";
/// let mut grids = GridBlocks::new(text.as_bytes());
/// let block = grids.next().expect("something like a grid");
/// assert_eq!(block.line, 1);
/// assert!(block.cells.is_err(), "it has two rows");
/// assert_eq!((grids.next(), grids.lines_of_text()), (None, 1));
/// ```
#[derive(Debug)]
pub struct GridBlocks<'t> {
    text: &'t [u8],
    each: EachGrid<'t>,
    /// The next block, those that follow it, and some before it.
    blocks: VecDeque<GridBlock>,
    /// The index of the next block.
    at: usize,
    is_over: bool,
}

impl<'t> GridBlocks<'t> {
    /// Makes an iterator over the grids of a text of at most 4 GiB.
    pub fn new(text: &'t [u8]) -> Self {
        Self::of_rest(text, 0)
    }

    /// Makes an iterator over the grids of the rest of a text, which follows this many lines. Lines are those of the
    /// whole text, in messages, too.
    pub fn of_rest(text: &'t [u8], lines: usize) -> Self {
        Self { text, each: EachGrid::of_rest(text, lines), blocks: VecDeque::new(), at: 0, is_over: false }
    }

    /// Returns how many lines so far belong to no grid and to nothing that looks like a grid. Blank lines do not count.
    pub fn lines_of_text(&self) -> u64 {
        self.each.lines_of_text()
    }
}

impl Iterator for GridBlocks<'_> {
    type Item = GridBlock;

    fn next(&mut self) -> Option<GridBlock> {
        while !self.is_over && self.blocks.len() <= self.at + REACH {
            match self.each.next() {
                Some(block) => self.blocks.push_back(block),
                None => self.is_over = true,
            }
        }
        let blocks: &[GridBlock] = self.blocks.make_contiguous();
        let block = blocks.get(self.at)?;
        let reject = Neighbours { text: self.text, from: 0, blocks }.reject(self.at);
        let block = match reject {
            Some(reject) => GridBlock { cells: Err(reject), square: None, ..block.clone() },
            None => block.clone(),
        };
        match self.at {
            REACH => _ = self.blocks.pop_front(),
            _ => self.at += 1,
        }
        Some(block)
    }
}

/// Blocks of a text that follow each other.
struct Neighbours<'b> {
    text: &'b [u8],
    /// The offset at which the text begins.
    from: usize,
    blocks: &'b [GridBlock],
}

impl<'b> Neighbours<'b> {
    /// Why a block is no sudoku by itself.
    fn reject(&self, at: usize) -> Option<Reject> {
        if let Some(square) = self.blocks[at].square.as_ref() {
            return self.reject_square(at, square);
        }
        let cells = self.blocks[at].cells.as_ref().ok()?;
        let others = || [self.beside(at, true), self.beside(at, false)].into_iter().flatten();
        let companion = others().find_map(|other| {
            let companion = self.blocks[other].companion?;
            (self.gap(at, other).is_some() && self.may_belong(other, at)).then_some(companion)
        });
        if let Some(companion) = companion {
            return Some(companion.reject_grid());
        }
        if others().any(|other| self.are_sections(at.min(other), at.max(other))) {
            return Some(ambiguous(
                "a section of a puzzle that has several, such as [Puzzle] and [State], which --framing grid does not put together; \
                 keep only the section with the clues",
            ));
        }
        let is_stage = self.stages(at, cells, |at| (at + 1 < self.blocks.len()).then_some(at + 1))
            || self.stages(at, cells, |at| at.checked_sub(1));
        is_stage.then(|| {
            ambiguous(
                "the same puzzle as the grid before or after it, at another stage: with digits that were placed later, or with \
                 candidates; keep only one of them, since placed digits would become clues",
            )
        })
    }

    /// Why a square of another side than 9 is no sudoku by itself: beside another one of its side that is none, which may be a
    /// map, or is the same puzzle at another stage, or beside as many lines of as many letters.
    fn reject_square(&self, at: usize, square: &Square) -> Option<Reject> {
        let digits = square.digits()?;
        let others = [at.checked_sub(1), Some(at + 1).filter(|&after| after < self.blocks.len())];
        for other in others.into_iter().flatten().filter(|&other| self.gap(at, other).is_some()) {
            let Some(beside) = self.blocks[other].square.as_ref().filter(|beside| beside.side == square.side) else {
                continue;
            };
            let is_stage = beside.digits().is_none_or(|beside| are_stages(&digits, &beside));
            if is_stage || self.are_sections(at.min(other), at.max(other)) {
                return Some(ambiguous(
                    "beside a square of the same side that is its map, or the same puzzle at another stage; keep only the clues of a sudoku",
                ));
            }
        }
        self.has_letters_beside(at, square.side).then(|| {
            ambiguous(
                "beside lines of letters that may be the map of its regions or cages; keep only the clues of a sudoku",
            )
        })
    }

    /// Whether as many lines before or after a square as its side have as many letters each.
    fn has_letters_beside(&self, at: usize, side: usize) -> bool {
        let letters = |line: &[u8]| {
            let signs = || line.iter().filter(|byte| !byte.is_ascii_whitespace());
            signs().all(u8::is_ascii_alphabetic) && signs().count() == side
        };
        let are_letters = |lines: &mut dyn Iterator<Item = &[u8]>| {
            let mut lines = lines.map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).take(side);
            (0..side).all(|_| lines.next().is_some_and(letters))
        };
        let (start, next) = (self.blocks[at].start, self.blocks[at].next);
        let (before, after) = (self.text.get(self.from..start), self.text.get(next..));
        let is_feed = |&byte: &u8| byte == b'\n';
        before.is_some_and(|before| are_letters(&mut before.rsplit(is_feed)))
            || after.is_some_and(|after| are_letters(&mut after.split(is_feed)))
    }

    /// The block after or before another, without one that is only a few rows.
    fn beside(&self, at: usize, after: bool) -> Option<usize> {
        let next =
            |at: usize| if after { at.checked_add(1).filter(|&at| at < self.blocks.len()) } else { at.checked_sub(1) };
        let beside = next(at)?;
        if is_scrap(self.text, &self.blocks[beside]) { next(beside) } else { Some(beside) }
    }

    /// Whether the next block in one direction shows the same puzzle at another stage. Copies of the grid are passed
    /// over.
    fn stages(&self, at: usize, cells: &GridCells, next: impl Fn(usize) -> Option<usize>) -> bool {
        let mut from = at;
        for _ in 0..COMPANIONS {
            let Some(other) = next(from) else { return false };
            let Ok(found) = &self.blocks[other].cells else { return false };
            if found != cells {
                let (before, after) = if other < at { (found, cells) } else { (cells, found) };
                return is_later_stage(before, after) && self.gap(from, other).is_some();
            }
            if self.gap(from, other).is_none() {
                return false;
            }
            from = other;
        }
        false
    }

    /// Whether a companion may belong to the grid next to it, and not only to the grid on its other side.
    fn may_belong(&self, companion: usize, grid: usize) -> bool {
        // A grid may have several companions below it.
        let mut last = companion;
        let other = loop {
            let beside = if grid < companion { last.checked_add(1) } else { last.checked_sub(1) };
            let Some(beside) =
                beside.filter(|&beside| beside < self.blocks.len() && beside.abs_diff(companion) < COMPANIONS)
            else {
                return true;
            };
            if self.gap(last, beside).is_none() {
                return true;
            }
            match &self.blocks[beside] {
                GridBlock { cells: Ok(_), .. } => break beside,
                // Of several companions, each may belong to another grid, unless all are below the same title.
                GridBlock { companion: Some(_), .. } if grid > companion && self.gap(last, beside) == Some(0) => {
                    last = beside;
                }
                _ => return true,
            }
        };
        let (Some(here), Some(there)) = (self.gap(companion, grid), self.gap(last, other)) else { return true };
        let belongs_there = match (here, there) {
            // Numbered titles are above the grids, and none is above the companion.
            (1.., 0) if grid > companion => self.have_numbered_titles(other, grid),
            (0, 1..) if grid > companion => false,
            (1.., 0) => self.have_numbered_titles(grid, last),
            _ => false,
        };
        !belongs_there
    }

    /// The number of lines of text between two blocks; none if they are too many.
    fn gap(&self, one: usize, two: usize) -> Option<usize> {
        let (before, after) = (&self.blocks[one.min(two)], &self.blocks[one.max(two)]);
        let mut gap = 0;
        let mut at = before.next;
        while let Some(line) = line_at(self.text, at).filter(|line| line.start < after.start) {
            gap += usize::from(!self.text[line.start..line.end].trim_ascii().is_empty());
            if gap > FARTHEST {
                return None;
            }
            at = line.next;
        }
        Some(gap)
    }

    /// The line of text above a block, with only blank lines and borders between them.
    fn title(&self, at: usize) -> Option<&'b [u8]> {
        let from = at.checked_sub(1).map_or(self.from, |before| self.blocks[before].next);
        let above = self.text.get(from..self.blocks[at].start)?;
        let is_border = |line: &[u8]| line.iter().all(|&byte| is_border_glyph(byte));
        let mut lines = above.rsplit(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        lines.find(|line| !is_border(line))
    }

    /// Whether the titles of two blocks differ only in their numbers.
    fn have_numbered_titles(&self, one: usize, two: usize) -> bool {
        let [Some(one), Some(two)] = [one, two].map(|at| self.title(at)) else { return false };
        let is_digit = |byte: &&u8| byte.is_ascii_digit();
        let words = |title: &[u8]| -> Vec<u8> { title.iter().filter(|byte| !is_digit(byte)).copied().collect() };
        let has_number = |title: &[u8]| title.iter().any(u8::is_ascii_digit);
        has_number(one) && has_number(two) && one != two && words(one) == words(two)
    }

    /// Whether two grids are below the names of sections of which the second is a part of the same puzzle.
    fn are_sections(&self, before: usize, after: usize) -> bool {
        let section = |at: usize| self.title(at).filter(|title| title.starts_with(b"[") && title.ends_with(b"]"));
        let Some(name) = section(after).filter(|_| section(before).is_some()) else { return false };
        let name = name.to_ascii_lowercase();
        let has = |part: &&str| memchr::memmem::find(&name, part.as_bytes()).is_some();
        PARTS.iter().any(has) && self.gap(before, after).is_some()
    }
}

/// What the names of sections contain that are not a puzzle of their own.
const PARTS: [&str; 10] =
    ["state", "pencil", "mark", "candidate", "color", "colour", "note", "progress", "current", "highlight"];

/// Whether a block is a line with which every grid ends, whatever follows. Nothing on the other side of it is compared.
fn is_barrier(block: &GridBlock) -> bool {
    matches!(&block.cells, Err(reject) if reject.code == Code::TooLong)
}

/// Whether a block is a few rows that are no grid and are not known to be anything else.
fn is_scrap(text: &[u8], block: &GridBlock) -> bool {
    block.cells.is_err()
        && block.companion.is_none()
        && !is_barrier(block)
        && memchr::memchr_iter(b'\n', &text[block.start..block.end]).take(ROWS).count() + 1 < ROWS
}

fn ambiguous(words: &str) -> Reject {
    Reject::whole(Code::Ambiguous, words)
}

/// Whether of two different grids the second shows the same puzzle as the first, but later, or one of them shows
/// candidates, too. A solution is a board of its own.
fn is_later_stage(before: &GridCells, after: &GridCells) -> bool {
    let digits = |cells: &GridCells| cells.iter().filter(|cell| cell.digit() > 0).count();
    let has_all = |more: &GridCells, less: &GridCells| {
        less.iter().zip(more).all(|(less, more)| less.digit() == 0 || less.digit() == more.digit())
    };
    let has_candidates = |cells: &GridCells| cells.iter().any(|cell| matches!(cell, Cell::Candidates(_)));
    // Most neighbours differ in one of the first cells.
    if has_all(after, before) {
        return digits(before) >= FEWEST_DIGITS
            && (has_candidates(after) || has_candidates(before) || digits(after) < 81);
    }
    has_all(before, after) && digits(after) >= FEWEST_DIGITS && has_candidates(before)
}

/// Whether one of two different boards of digits has all digits of the other, and neither is a solution.
fn are_stages(one: &[u8], two: &[u8]) -> bool {
    let has_all = |more: &[u8], less: &[u8]| less.iter().zip(more).all(|(&less, more)| less == 0 || less == *more);
    let placed = |digits: &[u8]| digits.iter().filter(|&&digit| digit > 0).count();
    let (few, many) = (placed(one).min(placed(two)), placed(one).max(placed(two)));
    one != two && (has_all(one, two) || has_all(two, one)) && few >= FEWEST_DIGITS && many < one.len()
}

/// Finds a place at or after `from`, the start of a line, at which a text can be cut: the grids of both parts, and their
/// lines of text, are those of the whole, whatever follows the text. `None` if none is known.
///
/// ```
/// use gridmill_core::formats::{GridBlocks, find_puzzle_cut};
///
/// let one = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";
/// let two = one.replace('3', "2");
/// let text = format!("Puzzle 1\n{one}Puzzle 2\n{two}Puzzle 3\n{one}");
/// let cut = find_puzzle_cut(text.as_bytes(), 0).expect("a line of text between two grids");
/// let grids = [&text[..cut], &text[cut..]].map(|part| GridBlocks::new(part.as_bytes()).count());
/// assert_eq!(grids, [1, 2]);
/// ```
pub fn find_puzzle_cut(text: &[u8], from: usize) -> Option<usize> {
    let mut at = find_grid_cut(text, from)?;
    let mut search = CutSearch { text, cuts: VecDeque::new(), blocks: VecDeque::new(), forgotten: 0 };
    let mut lines = 0;
    loop {
        let line = line_at(text, at)?;
        if is_too_long_for_grid(&text[line.start..line.end]) {
            return Some(at);
        }
        search.cuts.push_back(CutPlace { at, blocks: search.forgotten + search.blocks.len(), lines });
        let end = find_grid_cut(text, line.next)?;
        let mut each = EachGrid::new(&text[at..end]);
        while let Some(block) = each.next() {
            let (start, end, next) = (block.start + at, block.end + at, block.next + at);
            search.blocks.push_back(GridBlock { start, end, next, ..block });
            if let Some(found) = search.find(lines + each.lines_of_text()) {
                return Some(found);
            }
        }
        lines += each.lines_of_text();
        if let Some(found) = search.find(lines) {
            return Some(found);
        }
        at = end;
    }
}

/// A place where a text can be cut, as far as each grid by itself is concerned.
#[derive(Debug, Clone, Copy)]
struct CutPlace {
    at: usize,
    /// How many blocks are before it.
    blocks: usize,
    /// How many lines of text are before it.
    lines: u64,
}

/// A search for the first of some places at which the blocks before and after it do not decide on each other.
struct CutSearch<'t> {
    text: &'t [u8],
    /// The places that are not decided yet, in order.
    cuts: VecDeque<CutPlace>,
    /// The last blocks so far: those before the first of these places that may matter, and all after it.
    blocks: VecDeque<GridBlock>,
    /// How many blocks are before these.
    forgotten: usize,
}

impl CutSearch<'_> {
    /// Decides what can be decided with the blocks so far, after this many lines of text. Returns the first free place.
    fn find(&mut self, lines: u64) -> Option<usize> {
        while let Some(&cut) = self.cuts.front() {
            let next = cut.blocks - self.forgotten;
            match is_free(self.text, cut, lines, self.blocks.make_contiguous(), next) {
                Some(true) => return Some(cut.at),
                Some(false) => _ = self.cuts.pop_front(),
                None => break,
            }
        }
        // A text may be full of rows that are no grids, so what cannot matter any more is not kept.
        let all = self.forgotten + self.blocks.len();
        let first = self.cuts.front().map_or(all, |cut| cut.blocks).saturating_sub(2 * REACH);
        let old = first.saturating_sub(self.forgotten);
        self.blocks.drain(..old);
        self.forgotten += old;
        None
    }
}

/// Whether the blocks before a cut and those after it, from the block `next` on, do not decide on each other. `None` if
/// more of the text has to be read for that. `lines` is the number of lines of text so far.
fn is_free(text: &[u8], cut: CutPlace, lines: u64, blocks: &[GridBlock], next: usize) -> Option<bool> {
    let (before, after) = blocks.split_at(next);
    let Some(first) = after.first() else {
        return (lines - cut.lines > FARTHEST as u64).then_some(true);
    };
    // A title that is cut off from its grid may be what shows that a block after it belongs to another one.
    let title_from = |from: usize| Neighbours { text, from, blocks: &after[..1] }.title(0);
    let keeps_title = title_from(cut.at) == title_from(before.last().map_or(0, |last| last.next));
    let Some(last) = before.last() else {
        return Some(cut.lines > FARTHEST as u64 && keeps_title);
    };
    let pair = Neighbours { text, from: 0, blocks: &blocks[next - 1..=next] };
    if keeps_title && (pair.gap(0, 1).is_none() || !may_decide(&pair, last, first)) {
        return Some(true);
    }
    if before.len() < 2 * REACH {
        return Some(false);
    }
    if after.len() < 2 * REACH {
        return None;
    }
    let near = &blocks[next - 2 * REACH..next + 2 * REACH];
    let whole = Neighbours { text, from: 0, blocks: near };
    let parts = [(&near[..2 * REACH], 0, 0), (&near[2 * REACH..], 2 * REACH, cut.at)];
    let is_same = parts.iter().all(|&(part, start, from)| {
        let part = Neighbours { text, from, blocks: part };
        (0..2 * REACH).all(|at| part.reject(at) == whole.reject(start + at))
    });
    Some(is_same)
}

/// Whether one of two neighbours may decide on the other or on what is beside it.
fn may_decide(pair: &Neighbours, last: &GridBlock, next: &GridBlock) -> bool {
    if [last, next].iter().any(|block| is_barrier(block)) {
        return false;
    }
    if [last, next].iter().any(|block| is_scrap(pair.text, block)) {
        return true;
    }
    if last.companion.is_some() || next.companion.is_some() || pair.are_sections(0, 1) {
        return true;
    }
    match (&last.cells, &next.cells) {
        (Ok(one), Ok(two)) => one == two || is_later_stage(one, two),
        _ => false,
    }
}
