//! Reads the stages of one puzzle as one board: its clues, the same with digits that were placed later, and its candidates. Programs
//! write them as sections of a file, or one below the other. Where it is not clear what they are, they are refused.

use std::ops::Range;

use super::groups::{BlockFate, MOST_TITLES, Role};
use super::joined;
use super::labels::{Label, label, section};
use super::named::Square;
use super::neighbours::{FEWEST_DIGITS, Neighbours};
use super::{GridCells, marked_string};
use crate::board::{Cell, Kind, Mask};
use crate::error::{Code, Reject};
use crate::formats::notation::OneBoard;
use crate::formats::{Loss, line_at};

/// The most copies of a grid between two stages, and itself.
const COPIES: usize = 3;
/// The most sections of a puzzle.
const SECTIONS: usize = 4;

/// The parts of a board that stages say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StagePart {
    Digits,
    Candidates,
    Marks,
}

impl Neighbours<'_> {
    /// What the section says that a block is, if it is below the name of one.
    fn section(&self, at: usize) -> Option<Label> {
        section(self.title(at)?)
    }

    /// Whether a block is a section of a puzzle that is in a section before it.
    pub(super) fn is_later_section(&self, at: usize) -> bool {
        matches!(self.section(at), Some(Label::State | Label::Candidates | Label::Marks))
    }

    /// Whether the title of a block says that it is a later stage of a puzzle.
    pub(super) fn is_state(&self, at: usize) -> bool {
        let label = self.title(at).and_then(label);
        matches!(label, Some(Label::State | Label::Candidates | Label::Marks))
    }

    /// Decides about a block that begins a puzzle or is one.
    pub(super) fn stage(&self, at: usize) -> BlockFate {
        let Some(stages) = self.stages_from(at) else { return BlockFate::Alone(at) };
        if self.is_before_map(stages.end - 1) {
            return BlockFate::Refused(at, contradiction("a map is beside them"));
        }
        match self.join_stages(stages.clone()) {
            Ok(string) => BlockFate::Joined(stages, string),
            Err(reject) => BlockFate::Refused(at, reject),
        }
    }

    /// Whether the map of another kind of puzzle is the section after this one. Below a title, it may be of the grid after it.
    fn is_before_map(&self, section: usize) -> bool {
        let map = section + 1;
        let is_of_section = |titles: usize| titles == 0 || !self.are_linked(map);
        map < self.blocks.len()
            && self.blocks[map].role() == Role::Map
            && self.titles(section, map).is_some_and(is_of_section)
    }

    /// Whether such a map is the section before this one. With text between them, it may be of the grid before it.
    fn is_after_map(&self, section: usize) -> bool {
        let Some(map) = section.checked_sub(1).filter(|&map| self.blocks[map].role() == Role::Map) else {
            return false;
        };
        let is_of_section = |titles: usize| titles == 0 || map == 0 || !self.are_linked(map - 1);
        self.titles(map, section).is_some_and(is_of_section)
    }

    /// The stages of the puzzle that begins with a block, if it has several and it is clear what they are.
    pub(super) fn stages_from(&self, at: usize) -> Option<Range<usize>> {
        let is_next = |next: usize| next < self.blocks.len() && self.gap(next - 1, next).is_some();
        self.blocks[at].cells.as_ref().ok()?;
        if self.section(at) == Some(Label::Puzzle) {
            let is_section = |&next: &usize| is_next(next) && self.is_later_section(next);
            let sections = (at + 1..at + SECTIONS).take_while(is_section).count();
            return Some(at..at + 1 + sections).filter(|_| sections > 0);
        }
        if self.is_later_section(at) {
            return None;
        }
        let cells = |at: usize| self.blocks.get(at)?.cells.as_ref().ok().filter(|_| is_next(at));
        let is_part = |before: usize, after: usize| self.is_stage_beside(before, after);
        let first = self.blocks[at].cells.as_ref().ok().filter(|first| !has_candidates(first))?;
        let second = cells(at + 1).filter(|second| has_all(second, first))?;
        let end = match has_candidates(second) {
            true => at + 2,
            false => cells(at + 2).filter(|third| has_candidates(third) && has_all(third, second)).map(|_| at + 3)?,
        };
        let is_alone = (at == 0 || !is_part(at - 1, at)) && !is_part(end - 1, end);
        let is_clear = digits_of(first) >= FEWEST_DIGITS && (end == at + 3 || digits_of(second) == digits_of(first));
        (is_alone && is_clear).then_some(at..end)
    }

    /// Whether two blocks, of which the second follows the first, are stages of one puzzle or the same.
    fn is_stage_beside(&self, before: usize, after: usize) -> bool {
        let cells = |at: usize| self.blocks.get(at).and_then(|block| block.cells.as_ref().ok());
        let (Some(one), Some(two)) = (cells(before), cells(after)) else { return false };
        self.gap(before, after).is_some() && (one == two || is_another_stage(one, two))
    }

    /// Makes the board of stages.
    fn join_stages(&self, stages: Range<usize>) -> Result<Box<[u8]>, Reject> {
        let mut lost = Vec::new();
        let Ok(first) = &self.blocks[stages.start].cells else { return Err(contradiction("its clues cannot be read")) };
        let mut cells = *first;
        let mut known = Vec::new();
        for at in stages.start + 1..stages.end {
            match self.titles(at - 1, at) {
                Some(0) => {}
                Some(1..=MOST_TITLES) => lost.push(Loss::Title),
                _ => return Err(contradiction("several lines of text are between them")),
            }
            let part = match self.section(at) {
                Some(Label::State) => StagePart::Digits,
                Some(Label::Candidates) => StagePart::Candidates,
                Some(Label::Marks) => StagePart::Marks,
                _ if self.blocks[at].cells.as_ref().is_ok_and(has_candidates) => StagePart::Candidates,
                _ => StagePart::Digits,
            };
            if known.contains(&part) {
                return Err(contradiction("there are two of the same name"));
            }
            known.push(part);
            let sets = self.sets(at)?;
            match part {
                StagePart::Digits => {
                    // The digits of a state are all of them, or only those that were placed.
                    let clues =
                        |is: fn(Mask) -> bool| first.iter().zip(&sets).any(|(clue, &set)| clue.digit() > 0 && is(set));
                    if clues(|set| set == 0) && clues(|set| set != 0) {
                        return Err(contradiction("a later one lacks some of the clues"));
                    }
                    place(&mut cells, &sets)?;
                }
                StagePart::Candidates => note(&mut cells, &sets)?,
                StagePart::Marks if sets.iter().any(|&set| set != 0) => lost.push(Loss::Marks),
                StagePart::Marks => {}
            }
        }
        let string = joined::string(OneBoard::of_cells(&cells, Kind::Sudoku)?)?;
        Ok(marked_string(&string, &lost))
    }

    /// The digits of each cell of a block, which may be a list with commas.
    fn sets(&self, at: usize) -> Result<Vec<Mask>, Reject> {
        let block = &self.blocks[at];
        let set = |cell: &Cell| match *cell {
            Cell::Candidates(set) => set,
            other => 1_u32.unbounded_shl(other.digit().into()) >> 1,
        };
        match &block.cells {
            Ok(cells) => Ok(cells.iter().map(set).collect()),
            Err(_) => list_of_sets(&self.text[block.start..block.end])
                .ok_or_else(|| contradiction("one of them is not nine rows of nine cells")),
        }
    }

    /// Why a grid by itself is no puzzle: what is beside it is the same puzzle at another stage.
    pub(super) fn reject(&self, at: usize) -> Option<Reject> {
        let others = [at.checked_sub(1), Some(at + 1).filter(|&after| after < self.blocks.len())];
        let is_section = |other: usize| self.are_sections(at.min(other), at.max(other));
        let is_before_clues =
            self.is_later_section(at) && at + 1 < self.blocks.len() && self.may_be_sections(at, at + 1);
        let has_section = is_before_clues || others.into_iter().flatten().any(is_section);
        if let Some(square) = &self.blocks[at].square {
            let is_stage = |other: usize| self.gap(at, other).is_some() && self.are_stages(square, other);
            return (has_section || others.into_iter().flatten().any(is_stage)).then(|| {
                ambiguous("beside a square of the same side that is the same puzzle at another stage; keep only the clues of a sudoku")
            });
        }
        let cells = self.blocks[at].cells.as_ref().ok()?;
        if has_section || self.follows_its_sections(at) {
            return Some(ambiguous(
                "a section of a puzzle that has several, such as [Puzzle] and [State], of which the first is not the clues or cannot be read; \
                 keep only the section with the clues",
            ));
        }
        if self.is_later_section(at) && (self.is_before_map(at) || self.is_after_map(at)) {
            return Some(ambiguous(
                "a section of a puzzle that has several, of which one is a map: it is another puzzle than a sudoku; keep only the sections with \
                 the clues and the map",
            ));
        }
        let is_titled = |other: usize| self.have_titles_of_stages(at.min(other), at.max(other));
        if others.into_iter().flatten().any(is_titled) {
            return Some(ambiguous(
                "its title and that of the grid before or after it say that they are stages of one puzzle; keep only the clues, or name them \
                 [Puzzle] and [State]",
            ));
        }
        let is_stage = self.stages(at, cells, |at| (at + 1 < self.blocks.len()).then_some(at + 1))
            || self.stages(at, cells, |at| at.checked_sub(1));
        is_stage.then(|| {
            ambiguous(
                "the same puzzle as the grid before or after it, at another stage: with digits that were placed later, or with \
                 candidates; keep only one of them, since placed digits would become clues, or name them [Puzzle] and [State]",
            )
        })
    }

    /// Whether a square is the same puzzle as the block beside it.
    fn are_stages(&self, square: &Square, other: usize) -> bool {
        let beside = self.blocks[other].square.as_ref().filter(|beside| beside.side == square.side);
        let digits = square.digits().zip(beside.and_then(Square::digits));
        digits.is_some_and(|(one, two)| are_stages(&one, &two))
    }

    /// Whether the next block in one direction shows the same puzzle at another stage. Copies of the grid are passed
    /// over.
    fn stages(&self, at: usize, cells: &GridCells, next: impl Fn(usize) -> Option<usize>) -> bool {
        let mut from = at;
        for _ in 0..COPIES {
            let Some(other) = next(from) else { return false };
            let Ok(found) = &self.blocks[other].cells else { return false };
            if found != cells {
                let (before, after) = if other < at { (found, cells) } else { (cells, found) };
                return is_another_stage(before, after) && self.gap(from, other).is_some();
            }
            if self.gap(from, other).is_none() {
                return false;
            }
            from = other;
        }
        false
    }

    /// Whether a block is the clues of a puzzle of which other sections are before it, without clues.
    fn follows_its_sections(&self, at: usize) -> bool {
        let is_linked = |at: usize| self.gap(at - 1, at).is_some();
        let is_section = |&before: &usize| is_linked(before + 1) && self.is_later_section(before);
        let first = (at.saturating_sub(SECTIONS)..at).rev().take_while(is_section).last();
        let has_clues = |first: usize| first > 0 && is_linked(first) && self.section(first - 1) == Some(Label::Puzzle);
        self.section(at) == Some(Label::Puzzle) && first.is_some_and(|first| !has_clues(first))
    }

    /// Whether two grids are below the names of sections, of which one is a part of a puzzle.
    pub(super) fn may_be_sections(&self, before: usize, after: usize) -> bool {
        self.are_sections(before, after)
            || self.have_titles_of_stages(before, after)
            || self.is_later_section(before)
                && self.section(after) == Some(Label::Puzzle)
                && self.gap(before, after).is_some()
    }

    /// Whether two grids are below the names of sections of which the second is a part of the same puzzle.
    fn are_sections(&self, before: usize, after: usize) -> bool {
        let has_name = |at: usize| self.title(at).is_some_and(|title| title.starts_with(b"[") && title.ends_with(b"]"));
        self.is_later_section(after) && has_name(before) && self.gap(before, after).is_some()
    }

    /// Whether two grids are below the bare words `Puzzle` and `State`, or the like, in either order. That does not make one board of
    /// them, but no two.
    fn have_titles_of_stages(&self, before: usize, after: usize) -> bool {
        let labels = [before, after].map(|at| self.title(at).and_then(label));
        let is_part = |label| matches!(label, Some(Label::State | Label::Candidates | Label::Marks));
        let are_stages = match labels {
            [Some(Label::Puzzle), other] | [other, Some(Label::Puzzle)] => is_part(other),
            _ => false,
        };
        are_stages && self.gap(before, after).is_some()
    }
}

/// Adds digits that were placed later.
fn place(cells: &mut GridCells, sets: &[Mask]) -> Result<(), Reject> {
    for (cell, &set) in cells.iter_mut().zip(sets) {
        let digit = if set.is_power_of_two() { set.trailing_zeros() as u8 + 1 } else { 0 };
        match cell.digit() {
            _ if set == 0 || cell.digit() == digit => {}
            0 if digit > 0 => *cell = Cell::Solved(digit),
            _ => return Err(contradiction("a later one has another digit in a cell")),
        }
    }
    Ok(())
}

/// Adds candidates. What has a digit has no others.
fn note(cells: &mut GridCells, sets: &[Mask]) -> Result<(), Reject> {
    for (cell, &set) in cells.iter_mut().zip(sets) {
        match cell.digit() {
            0 if set == 0 => {}
            0 => *cell = Cell::Candidates(set),
            digit if set == 0 || set == 1 << (digit - 1) => {}
            _ => return Err(contradiction("a cell with a digit has other candidates")),
        }
    }
    Ok(())
}

/// Reads nine lines of nine lists of digits, each of which may be empty, with commas between them.
fn list_of_sets(text: &[u8]) -> Option<Vec<Mask>> {
    let (mut sets, mut at) = (Vec::new(), 0);
    while let Some(line) = line_at(text, at) {
        at = line.next;
        let mut fields = text[line.start..line.end].split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
        for _ in 0..9 {
            let digits = fields.next()?;
            let is_list = digits.iter().all(|digit| (b'1'..=b'9').contains(digit)) && digits.is_sorted_by(|a, b| a < b);
            sets.push(is_list.then(|| digits.iter().fold(0, |set, digit| set | 1 << (digit - b'1')))?);
        }
        fields.next().is_none().then_some(())?;
    }
    (sets.len() == 81).then_some(sets)
}

fn contradiction(words: &str) -> Reject {
    ambiguous(&format!("it is followed by other stages of the same puzzle, but {words}; keep only the clues"))
}

fn ambiguous(words: &str) -> Reject {
    Reject::whole(Code::Ambiguous, words)
}

fn digits_of(cells: &GridCells) -> usize {
    cells.iter().filter(|cell| cell.digit() > 0).count()
}

/// Whether a grid has all digits of another one.
fn has_all(more: &GridCells, less: &GridCells) -> bool {
    less.iter().zip(more).all(|(less, more)| less.digit() == 0 || less.digit() == more.digit())
}

fn has_candidates(cells: &GridCells) -> bool {
    cells.iter().any(|cell| matches!(cell, Cell::Candidates(_)))
}

/// Whether of two different grids one shows the same puzzle as the other, but later, or with candidates. A solution is a board of its
/// own.
pub(super) fn is_another_stage(before: &GridCells, after: &GridCells) -> bool {
    // Most neighbours differ in one of the first cells.
    if has_all(after, before) {
        return digits_of(before) >= FEWEST_DIGITS
            && (has_candidates(after) || has_candidates(before) || digits_of(after) < 81);
    }
    has_all(before, after) && digits_of(after) >= FEWEST_DIGITS && (has_candidates(before) || digits_of(before) < 81)
}

/// Whether one of two different boards of digits has all digits of the other, and neither is a solution.
fn are_stages(one: &[u8], two: &[u8]) -> bool {
    let has_all = |more: &[u8], less: &[u8]| less.iter().zip(more).all(|(&less, more)| less == 0 || less == *more);
    let placed = |digits: &[u8]| digits.iter().filter(|&&digit| digit > 0).count();
    let (few, many) = (placed(one).min(placed(two)), placed(one).max(placed(two)));
    one != two && (has_all(one, two) || has_all(two, one)) && few >= FEWEST_DIGITS && many < one.len()
}
