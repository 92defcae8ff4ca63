//! Decides which blocks are one board: a grid and the map beside it, and a map of cages with its sums.
//!
//! A map may belong to the grid before it or to the one after it. Blocks of which each is linked to the next form a chain. Titles that
//! differ only in their numbers cut it. Of what remains, grids and maps in turn, as many of each, are pairs. If there is one more, it is
//! not known which belong together, and all are refused.

use std::ops::Range;

use super::clues::LetterClue;
use super::companion::Companion;
use super::joined::{self, SignMap};
use super::labels::{Label, label};
use super::neighbours::{FEWEST_DIGITS, Neighbours, REACH, is_barrier, is_frame};
use super::{GridBlock, marked_string};
use crate::error::{Code, Reject};
use crate::formats::neutral::NeutralCell;
use crate::formats::{Loss, line_at};

/// The most lines of text between two blocks of a board, without labels.
pub(super) const MOST_TITLES: usize = 3;

/// What a block is to the blocks beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A board by itself.
    Grid,
    /// A map, or anything else that accompanies a grid.
    Map,
    /// Rows that are known to be nothing.
    Scrap,
    /// A line with which every grid ends.
    Barrier,
}

/// What becomes of some blocks.
#[derive(Debug)]
pub(super) enum BlockFate {
    /// A block is what it is by itself.
    Alone(usize),
    /// A block is refused.
    Refused(usize, Reject),
    /// Blocks are one board: its string, as [`marked_string`] makes it.
    Joined(Range<usize>, Box<[u8]>),
}

impl GridBlock {
    /// What it is to the blocks beside it.
    pub(super) fn role(&self) -> Role {
        match &self.square {
            _ if self.companion.is_some() => Role::Map,
            Some(square) if square.string.is_none() => Role::Map,
            Some(_) => Role::Grid,
            None if self.cells.is_ok() => Role::Grid,
            None if !is_barrier(self) => Role::Scrap,
            None => Role::Barrier,
        }
    }

    /// Its side, if that is known.
    fn side(&self) -> Option<usize> {
        let side = self.square.as_ref().map(|square| square.side);
        side.or(self.cells.is_ok().then_some(9))
    }
}

impl Neighbours<'_> {
    fn role(&self, at: usize) -> Option<Role> {
        self.blocks.get(at).map(|block| block.role())
    }

    /// Whether a block is a board by itself.
    pub(super) fn is_board(&self, at: usize) -> bool {
        self.role(at) == Some(Role::Grid) || self.is_map_with_list(at)
    }

    /// Whether a block is a map of cages with its sums or clues.
    pub(super) fn is_map_with_list(&self, at: usize) -> bool {
        self.role(at) == Some(Role::Map) && self.blocks[at].list.is_some()
    }

    /// Whether a map may be a part of the puzzle of the other block. One that is a square of digits only is of a grid of its side.
    pub(super) fn may_be_map_of(&self, map: usize, other: usize) -> bool {
        let [map, other] = [map, other].map(|at| &self.blocks[at]);
        let sides = (map.side(), other.side());
        map.role() == Role::Map && (map.companion.is_some() || sides.0 == sides.1)
    }

    /// Whether nothing shows that two neighbours do not belong together.
    fn may_be_linked(&self, one: usize, two: usize) -> bool {
        // A section says itself what it is, and a line that is too long ends everything.
        let stands_alone = |at: usize| self.is_later_section(at) || is_barrier(&self.blocks[at]);
        // Two maps, each with its own sums, are two puzzles.
        let are_two = self.is_map_with_list(one) && self.is_map_with_list(two);
        self.gap(one, two).is_some() && !stands_alone(one) && !stands_alone(two) && !are_two
    }

    /// Whether a block and the next one belong together, or something else is between them and the map they may have.
    pub(super) fn are_linked(&self, at: usize) -> bool {
        let next = at + 1;
        if next >= self.blocks.len() || !self.may_be_linked(at, next) {
            return false;
        }
        let is_beside = |scrap: usize, map: Option<usize>| {
            let map = map.filter(|&map| self.role(map) == Some(Role::Map));
            self.role(scrap) == Some(Role::Scrap) && map.is_some_and(|map| self.may_be_linked(scrap, map))
        };
        self.may_be_map_of(at, next)
            || self.may_be_map_of(next, at)
            || self.share_maps(at)
            || is_beside(at, at.checked_sub(1))
            || is_beside(next, Some(next + 1))
    }

    /// Whether maps beside this grid or the next one may be of both: the two are the same puzzle, or there are more maps than grids before
    /// them.
    fn share_maps(&self, at: usize) -> bool {
        let mut near = at.saturating_sub(REACH)..=at + 1 + REACH;
        if [at, at + 1].iter().any(|&at| self.role(at) != Some(Role::Grid))
            || !near.any(|at| self.role(at) == Some(Role::Map))
        {
            return false;
        }
        // The grids in one direction, and the maps after them.
        let count = |from: usize, step: &dyn Fn(usize) -> Option<usize>| {
            let is_near =
                |one: usize, two: usize| two < self.blocks.len() && self.may_be_linked(one.min(two), one.max(two));
            let (mut last, mut grids, mut maps) = (from, 1, 0);
            while let Some(next) = step(last).filter(|&next| grids + maps <= REACH && is_near(last, next)) {
                match self.role(next) {
                    Some(Role::Grid) if maps == 0 && self.are_same_puzzle(last.min(next)) => grids += 1,
                    Some(Role::Map) if maps > 0 || self.may_be_map_of(next, last) => maps += 1,
                    _ => break,
                }
                last = next;
            }
            (grids, maps)
        };
        let sides = [count(at + 1, &|at| Some(at + 1)), count(at, &|at| at.checked_sub(1))];
        sides.iter().any(|&(grids, maps)| maps > grids || maps > 0 && self.are_same_puzzle(at))
    }

    /// Whether the next block is this puzzle again: the same, its solution, or with other digits that were placed.
    pub(super) fn are_same_puzzle(&self, at: usize) -> bool {
        let cells =
            |at: usize| self.blocks.get(at).filter(|block| block.role() == Role::Grid).and_then(joined::cells_of);
        let (Some(one), Some(two)) = (cells(at), cells(at + 1)) else { return false };
        let digit = |cell: &NeutralCell| cell.given.max(cell.solved);
        let count = |cells: &[NeutralCell]| cells.iter().filter(|cell| digit(cell) > 0).count();
        let has_all = |cells: &[NeutralCell], others: &[NeutralCell]| {
            let is_same = |(one, two): (&NeutralCell, &NeutralCell)| digit(two) == 0 || digit(one) == digit(two);
            cells.len() == others.len() && cells.iter().zip(others).all(is_same)
        };
        let [later, earlier] = [has_all(&two, &one), has_all(&one, &two)];
        // Many puzzles have few digits or none.
        let is_copy = later && earlier && !self.have_numbered_titles(at, at + 1);
        is_copy || count(&one).min(count(&two)) >= FEWEST_DIGITS && (later || earlier)
    }

    /// Whether the titles show that of a map and a grid that is next to it, each belongs to what is on its other side.
    pub(super) fn are_parted(&self, at: usize) -> bool {
        let is_labelled = |one: usize, two: usize| self.titles(one, two) == Some(0);
        match (self.role(at), self.role(at + 1)) {
            // A title above a grid, and none above the map.
            (Some(Role::Map), Some(Role::Grid)) if !is_labelled(at, at + 1) => {
                at > 0
                    && self.role(at - 1) == Some(Role::Grid)
                    && is_labelled(at - 1, at)
                    && self.have_numbered_titles(at - 1, at + 1)
            }
            (Some(Role::Grid), Some(Role::Map)) if !is_labelled(at, at + 1) => {
                at > 0
                    && self.role(at - 1) == Some(Role::Map)
                    && is_labelled(at - 1, at)
                    && self.have_numbered_titles(at - 1, at + 1)
            }
            _ => false,
        }
    }

    /// The number of lines of text between two blocks that are no labels and no parts of a frame; none if there are too many.
    pub(super) fn titles(&self, one: usize, two: usize) -> Option<usize> {
        self.gap(one, two)?;
        let (mut at, mut titles) = (self.blocks[one].next, 0);
        while let Some(line) = line_at(self.text, at).filter(|line| line.start < self.blocks[two].start) {
            let text = &self.text[line.start..line.end];
            titles += usize::from(!text.trim_ascii().is_empty() && label(text).is_none() && !is_frame(text));
            at = line.next;
        }
        Some(titles)
    }

    /// Decides about a chain: blocks of which each is linked to the next.
    pub(super) fn decide(&self, chain: Range<usize>) -> Vec<BlockFate> {
        let mut decisions = Vec::with_capacity(chain.len());
        let mut start = chain.start;
        for end in chain.clone() {
            if end + 1 == chain.end || self.are_parted(end) {
                self.decide_part(start..end + 1, &mut decisions);
                start = end + 1;
            }
        }
        decisions
    }

    /// Decides about a part of a chain that nothing parts further.
    fn decide_part(&self, part: Range<usize>, decisions: &mut Vec<BlockFate>) {
        let roles: Vec<Option<Role>> = part.clone().map(|at| self.role(at)).collect();
        let take_turns = roles.windows(2).all(|two| two[0] != two[1])
            && roles.iter().all(|role| matches!(role, Some(Role::Grid | Role::Map)));
        if part.len() == 1 {
            return decisions.push(match self.is_map_with_list(part.start) {
                true => self.decide_map(part.start),
                false => BlockFate::Alone(part.start),
            });
        }
        if take_turns && part.len().is_multiple_of(2) {
            return part.step_by(2).for_each(|at| self.decide_pair(at, decisions));
        }
        for at in part.clone() {
            decisions.push(match self.role(at) {
                Some(Role::Grid) => BlockFate::Refused(at, self.unclear(part.clone())),
                _ => BlockFate::Alone(at),
            });
        }
    }

    /// Decides about a map of cages with its sums and without a grid.
    fn decide_map(&self, at: usize) -> BlockFate {
        match self.map(at).and_then(|map| joined::board(&map, None, self.list(at))) {
            Ok(string) => BlockFate::Joined(at..at + 1, marked_string(&string, &[])),
            Err(reject) => BlockFate::Refused(at, reject),
        }
    }

    /// Decides about a grid and a map.
    fn decide_pair(&self, at: usize, decisions: &mut Vec<BlockFate>) {
        let (grid, map) = if self.role(at) == Some(Role::Grid) { (at, at + 1) } else { (at + 1, at) };
        let titles = self.titles(at, at + 1).unwrap_or(usize::MAX);
        let is_whole = self.blocks[map].list.is_some();
        let string = match (titles, joined::cells_of(&self.blocks[grid])) {
            _ if self.is_state(grid) => Err(Reject::whole(Code::Ambiguous, STATE)),
            _ if self.is_named_otherwise(map, map > grid) => Err(Reject::whole(Code::Ambiguous, OTHER_NAME)),
            // A map with its sums may be a puzzle without clues.
            (1.., _) if is_whole => Err(Reject::whole(Code::Ambiguous, TWO_PUZZLES)),
            (0..=MOST_TITLES, Some(cells)) => {
                self.map(map).and_then(|signs| joined::board(&signs, Some(&cells), self.list(map)))
            }
            (0..=MOST_TITLES, None) => Err(Reject::whole(Code::Unsupported, "a map beside a board that has none")),
            _ => Err(Reject::whole(Code::Ambiguous, TOO_FAR)),
        };
        match string {
            Ok(string) => {
                let lost: &[Loss] = if titles > 0 { &[Loss::Title] } else { &[] };
                decisions.push(BlockFate::Joined(at..at + 2, marked_string(&string, lost)));
            }
            Err(reject) => {
                let refused =
                    |at| if at == grid { BlockFate::Refused(at, reject.clone()) } else { BlockFate::Alone(at) };
                decisions.extend([refused(at), refused(at + 1)]);
            }
        }
    }

    /// Whether the line above a map says that it is something else. Above a mask below its grid, it must say that it is one: two signs
    /// may be anything.
    fn is_named_otherwise(&self, map: usize, is_below: bool) -> bool {
        let Some(title) = self.title(map).filter(|title| !title.is_empty() && !is_frame(title)) else { return false };
        match label(title) {
            Some(Label::Map) => false,
            Some(Label::Puzzle) if !is_below => title.to_ascii_lowercase().windows(5).any(|word| word == b"given"),
            Some(_) => true,
            None if !self.map(map).is_ok_and(|map| map.black_cells().is_some()) => false,
            None => {
                let small = title.to_ascii_lowercase();
                let names = |known: &&str| memchr::memmem::find(&small, known.as_bytes()).is_some();
                let is_section = || {
                    let is_mark = title.len() < 3 || title.ends_with(b":") || b"@[<%$".contains(&title[0]);
                    is_mark && !title.iter().any(u8::is_ascii_digit)
                };
                let is_other = is_below || is_section() || OTHER_MASKS.iter().any(names);
                is_other && !["black", "mask", "str8"].iter().any(names)
            }
        }
    }

    fn list(&self, at: usize) -> Option<&[LetterClue]> {
        self.blocks[at].list.as_ref().map(|(_, clues)| &clues[..])
    }

    fn map(&self, at: usize) -> Result<SignMap, Reject> {
        let block = &self.blocks[at];
        SignMap::of(self.text, block).ok_or_else(|| block.companion.map_or(joined::no_map(), Companion::reject_grid))
    }

    /// Refuses a grid if it is not known which map belongs to it.
    fn unclear(&self, part: Range<usize>) -> Reject {
        let companion = part.clone().find_map(|at| self.blocks[at].companion);
        if part.clone().any(|at| self.role(at) == Some(Role::Scrap)) {
            return companion.map_or(joined::no_map(), Companion::reject_grid);
        }
        Reject::whole(Code::Ambiguous, UNCLEAR)
    }
}

const UNCLEAR: &str = "a map is beside it, of regions, cages or black cells, that may as well belong to another grid, or there are several; \
    number the titles of the puzzles ('Puzzle 1'), or put them into different files";

const STATE: &str =
    "its title says that it has digits that were placed, which would become clues beside the map; keep only the clues";

/// Words above masks of other cells than black ones.
const OTHER_MASKS: [&str; 7] = ["even", "odd", "parity", "given", "solved", "fixed", "colo"];

const OTHER_NAME: &str = "a map is beside it, and the line above that says that it is something else than regions, cages or black cells, or not what \
    it is; correct it ('Regions:', 'Black cells:'), or put the two into different files";

const TWO_PUZZLES: &str = "a map of cages with its sums or clues is beside it, with text between them: the grid has the clues of that puzzle, or is one \
    of its own; if they belong together, remove the text; if not, put them into different files";

const TOO_FAR: &str = "a map is beside it, of regions, cages or black cells, but with several lines of text between them; if they belong together, \
    remove the text; if not, put them into different files";
