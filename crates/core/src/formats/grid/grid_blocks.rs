//! Decides what each grid of a text is: a board by itself, a part of a board with a map or with other stages of the same puzzle, or
//! refused, because that is not clear.

use std::collections::VecDeque;
use std::ops::Range;

use super::clues::read_list;
use super::companion::Companion;
use super::groups::BlockFate;
use super::named::Square;
use super::neighbours::{Neighbours, REACH, lines_of};
use super::{EachGrid, GridBlock};
use crate::error::{Code, Reject};

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
    /// The next block that is not decided, those that follow it, and some before it.
    blocks: VecDeque<GridBlock>,
    /// The index of the next block.
    at: usize,
    /// What was decided.
    decided: VecDeque<GridBlock>,
    /// How many lines of text are parts of boards, for they are between their blocks or in lists below maps.
    lines_of_boards: i64,
    is_over: bool,
    /// Whether the user says of what kind the boards are, whatever is beside them.
    is_kind_known: bool,
}

impl<'t> GridBlocks<'t> {
    /// Makes an iterator over the grids of a text of at most 4 GiB.
    pub fn new(text: &'t [u8]) -> Self {
        Self::of_rest(text, 0)
    }

    /// Makes an iterator over the grids of the rest of a text, which follows this many lines. Lines are those of the
    /// whole text, in messages, too.
    pub fn of_rest(text: &'t [u8], lines: usize) -> Self {
        Self {
            text,
            each: EachGrid::of_rest(text, lines),
            blocks: VecDeque::new(),
            at: 0,
            decided: VecDeque::new(),
            lines_of_boards: 0,
            is_over: false,
            is_kind_known: false,
        }
    }

    /// Says whether the user has said of what kind the boards are. Otherwise, what looks like cells of something else and
    /// cannot be read refuses the board beside it.
    pub fn with_kind_known(self, is_kind_known: bool) -> Self {
        Self { is_kind_known, ..self }
    }

    /// Returns how many lines so far belong to no grid and to nothing that looks like a grid. Blank lines do not count.
    pub fn lines_of_text(&self) -> u64 {
        self.each.lines_of_text().saturating_add_signed(-self.lines_of_boards)
    }

    /// Reads blocks until there are this many after the next one, or the text is over.
    fn read(&mut self, after: usize) {
        while !self.is_over && self.blocks.len() <= self.at + after {
            match self.each.next() {
                Some(block) => self.lines_of_boards += add_block(self.text, &mut self.blocks, block),
                None => self.is_over = true,
            }
        }
        self.blocks.make_contiguous();
    }

    fn neighbours(&self) -> Neighbours<'_> {
        Neighbours { text: self.text, from: 0, blocks: self.blocks.as_slices().0 }
    }

    /// Why a board is refused, if something beside it was not read.
    fn reject_unread(&self, board: &Range<usize>) -> Option<Reject> {
        let neighbours = self.neighbours();
        let is_asked = !self.is_kind_known && (board.len() > 1 || neighbours.is_board(board.start));
        is_asked.then(|| neighbours.reject_unread(board)).flatten()
    }

    /// The number of blocks of the chain that begins with the next one.
    fn read_chain(&mut self) -> usize {
        let mut count = 1;
        loop {
            // Whether the last one is linked to the next may depend on the one after that.
            self.read(count + REACH);
            if !self.neighbours().are_linked(self.at + count - 1) {
                return count;
            }
            count += 1;
        }
    }

    /// Decides about the next blocks.
    fn decide(&mut self) {
        let count = self.read_chain();
        let mut decisions = self.neighbours().decide(self.at..self.at + count);
        let mut taken = count;
        if let [BlockFate::Alone(at)] = decisions[..] {
            decisions = vec![self.neighbours().stage(at)];
            if let BlockFate::Joined(stages, _) = &decisions[0] {
                taken = stages.len();
            }
        }
        for decision in decisions {
            let block = match decision {
                BlockFate::Alone(at) => {
                    let reject = self.neighbours().reject(at);
                    match reject.or_else(|| self.reject_unread(&(at..at + 1))) {
                        Some(reject) => self.blocks[at].refused(reject),
                        None => self.blocks[at].clone(),
                    }
                }
                BlockFate::Refused(at, reject) => self.blocks[at].refused(reject),
                BlockFate::Joined(joined, string) => {
                    let reject = self.reject_unread(&joined);
                    let (first, last) = (&self.blocks[joined.start], &self.blocks[joined.end - 1]);
                    let between =
                        joined.clone().skip(1).map(|at| self.neighbours().lines_between(at - 1, at)).sum::<usize>();
                    self.lines_of_boards += between as i64;
                    GridBlock {
                        end: last.end,
                        next: last.next,
                        companion: None,
                        list: None,
                        square: reject.is_none().then_some(Square { side: 9, string: Some(string) }),
                        cells: Err(reject.unwrap_or_else(several_blocks)),
                        ..first.clone()
                    }
                }
            };
            self.decided.push_back(block);
        }
        self.at += taken;
        self.blocks.drain(..self.at.saturating_sub(REACH));
        self.at = self.at.min(REACH);
    }
}

fn several_blocks() -> Reject {
    Reject::whole(Code::Unsupported, "several blocks, which are one board")
}

impl Iterator for GridBlocks<'_> {
    type Item = GridBlock;

    fn next(&mut self) -> Option<GridBlock> {
        if self.decided.is_empty() {
            self.read(REACH);
            if self.at < self.blocks.len() {
                self.decide();
            }
        }
        self.decided.pop_front()
    }
}

impl GridBlock {
    /// The same block with the reason why it is no board.
    fn refused(&self, reject: Reject) -> Self {
        Self { cells: Err(reject), square: None, ..self.clone() }
    }
}

/// Adds a block that was found in a text to those before it, with the list of clues below it. Blocks in the list of the one before are
/// passed over. Returns how many more lines of text are in lists; lines of a block that is passed over were none.
pub(super) fn add_block(text: &[u8], blocks: &mut VecDeque<GridBlock>, mut block: GridBlock) -> i64 {
    let lines = |start: usize, end: usize| lines_of(&text[start..end]) as i64;
    if let Some(last) = blocks.back_mut()
        && block.start < last.next
    {
        if block.end <= last.next {
            return -lines(block.start, block.end);
        }
        // Rows are directly below the list, so it is not known where it ends: without clues, the map is refused.
        let lost = lines(block.start, last.next);
        last.end = last.start + text[last.start..block.start].trim_ascii_end().len();
        last.next = block.start;
        if let Some((_, clues)) = &mut last.list {
            *clues = Box::default();
        }
        blocks.push_back(block);
        return -lost;
    }
    let may_have_list = block.companion == Some(Companion::Letters)
        || block.square.as_ref().is_some_and(|square| square.string.is_none());
    let mut added = 0;
    if may_have_list && let Some(list) = read_list(text, block.next) {
        added = lines(block.next, list.next);
        block.list = Some((block.end - block.start, list.clues.into()));
        (block.end, block.next) = (list.end, list.next);
    }
    blocks.push_back(block);
    added
}
