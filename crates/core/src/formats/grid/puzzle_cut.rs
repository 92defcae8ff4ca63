//! Finds places at which a text can be cut so that no grid is separated from what decides on it.

use std::collections::VecDeque;

use super::cut::find_grid_cut;
use super::grid_blocks::add_block;
use super::groups::Role;
use super::neighbours::{FARTHEST, Neighbours, REACH, is_barrier, is_scrap};
use super::stages::is_another_stage;
use super::{EachGrid, GridBlock, is_too_long_for_grid};
use crate::error::Reject;
use crate::formats::line_at;

/// Finds a place at or after `from`, the start of a line, at which a text can be cut: the grids of both parts, and their
/// lines of text, are those of the whole, whatever follows the text. `None` if none is known.
///
/// ```
/// use gridmill_core::formats::{GridBlocks, find_puzzle_cut};
///
/// let one = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";
/// let two = one.replace('3', "2");
/// let text = format!("Puzzle 1\n{one}Puzzle 2\n{two}Puzzle 3\n{one}Puzzle 4\n{two}Puzzle 5\n{one}");
/// let cut = find_puzzle_cut(text.as_bytes(), 0).expect("a line of text between two grids");
/// let grids = [&text[..cut], &text[cut..]].map(|part| GridBlocks::new(part.as_bytes()).count());
/// assert_eq!(grids, [2, 3]);
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
        // No list below a map is cut off.
        if search.blocks.back().is_none_or(|last| last.next <= at) {
            search.cuts.push_back(CutPlace { at, blocks: search.forgotten + search.blocks.len(), lines });
        }
        let end = find_grid_cut(text, line.next)?;
        let mut each = EachGrid::new(&text[at..end]);
        while let Some(block) = each.next() {
            let (start, end, next) = (block.start + at, block.end + at, block.next + at);
            add_block(text, &mut search.blocks, GridBlock { start, end, next, ..block });
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
    match decides_nothing(text, cut, lines, blocks, next)? {
        true => has_same_sides(text, cut, lines, blocks, next),
        false => Some(false),
    }
}

/// Whether the same lines that were not read decide on the boards before and after a cut as without it.
fn has_same_sides(text: &[u8], cut: CutPlace, lines: u64, blocks: &[GridBlock], next: usize) -> Option<bool> {
    let (before, after) = blocks.split_at(next);
    let whole = Neighbours { text, from: 0, blocks };
    let upper = Neighbours { text: &text[..cut.at], from: 0, blocks: before };
    let lower = Neighbours { text, from: cut.at, blocks: after };
    let is_far = |blocks: &[GridBlock], lines: u64| blocks.len() >= REACH || lines > FARTHEST as u64;
    // The last block of a board may be its grid or its map, and so may the first one.
    let last = |role: Role| (0..next).rev().take(REACH).find(|&at| blocks[at].role() == role);
    if last(Role::Grid).is_none() && !is_far(before, cut.lines) {
        // A board before this part of the text may be near.
        return Some(false);
    }
    for last in [Role::Grid, Role::Map].into_iter().filter_map(last) {
        let side = whole.lines_after(last);
        if side.is_open {
            return None;
        }
        if side.unread() != upper.lines_after(last).unread() {
            return Some(false);
        }
    }
    let first = |role: Role| (0..after.len()).take(REACH).find(|&at| after[at].role() == role);
    if first(Role::Grid).is_none() && !is_far(after, lines - cut.lines) {
        return None;
    }
    let is_same = |first: usize| {
        let side = whole.lines_before(next + first);
        !side.is_open && side.unread() == lower.lines_before(first).unread()
    };
    Some([Role::Grid, Role::Map].into_iter().filter_map(first).all(is_same))
}

/// The same for what blocks decide on each other.
fn decides_nothing(text: &[u8], cut: CutPlace, lines: u64, blocks: &[GridBlock], next: usize) -> Option<bool> {
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
    if keeps_title && pair.gap(0, 1).is_none() {
        return Some(true);
    }
    // The last line of a list may go on.
    if whole_list_is_unknown(text, first) {
        return None;
    }
    // Whether rows that are nothing, or two grids, are linked to what follows them depends on that.
    let whole = Neighbours { text, from: 0, blocks };
    let are_grids = last.role() == Role::Grid && first.role() == Role::Grid;
    let is_known = |near: Role, beyond: Option<&GridBlock>, count: usize| match (near, beyond.map(GridBlock::role)) {
        (Role::Scrap, _) => count >= 2,
        (Role::Grid, _) if are_grids && whole.are_same_puzzle(next - 1) => count > REACH,
        (Role::Grid, beyond) if are_grids => count > 2 || beyond.is_some_and(|beyond| beyond != Role::Map),
        _ => true,
    };
    if !is_known(first.role(), after.get(1), after.len()) {
        return None;
    }
    // So it does on what is before them, which may be before this part of the text.
    if !is_known(last.role(), before.iter().nth_back(1), before.len()) {
        return Some(false);
    }
    // Sections with a map beside them are refused.
    let is_section_by_map = |map: Role, section: usize| map == Role::Map && whole.is_later_section(section);
    if is_section_by_map(first.role(), next - 1) || is_section_by_map(last.role(), next) {
        return Some(false);
    }
    if whole.are_linked(next - 1) {
        return Some(keeps_title && whole.are_parted(next - 1));
    }
    if keeps_title && !may_decide(&pair, last, first) {
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
        (0..2 * REACH).all(|at| stage_of(&part, at, 0) == stage_of(&whole, start + at, start))
    });
    Some(is_same)
}

/// Whether a block is a map whose list goes on to the end of the text, which may not be the end of the list.
fn whole_list_is_unknown(text: &[u8], block: &GridBlock) -> bool {
    block.role() == Role::Map && text[block.next.min(text.len())..].trim_ascii().is_empty()
}

/// What a block is, as far as the stages of puzzles beside it decide: the first and last of them, counted from `start`, or why it is
/// refused.
fn stage_of(blocks: &Neighbours, at: usize, start: usize) -> Result<Option<(usize, usize)>, Reject> {
    let mut groups = (at.saturating_sub(REACH)..=at).filter_map(|first| blocks.stages_from(first));
    match groups.find(|group| group.contains(&at)) {
        Some(group) => Ok(Some((group.start.wrapping_sub(start), group.end.wrapping_sub(start)))),
        None => blocks.reject(at).map_or(Ok(None), Err),
    }
}

/// Whether one of two neighbours may decide on the other or on what is beside it, though neither is a map.
fn may_decide(pair: &Neighbours, last: &GridBlock, next: &GridBlock) -> bool {
    if [last, next].iter().any(|block| is_barrier(block)) {
        return false;
    }
    if [last, next].iter().any(|block| is_scrap(pair.text, block)) || pair.may_be_sections(0, 1) {
        return true;
    }
    match (&last.cells, &next.cells) {
        (Ok(one), Ok(two)) => one == two || is_another_stage(one, two),
        _ => last.square.is_some() && next.square.is_some(),
    }
}
