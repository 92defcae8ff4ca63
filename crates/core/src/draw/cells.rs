//! The contents of cells in a terminal drawing, and the size of cells.
//!
//! Up to side 9, candidates are a block with a position for each digit. On larger sides such blocks would not fit a
//! screen: cells have one line, with the candidates if they fit, or else their number.

use super::canvas::{CellPlace, Ink, Style};
use super::view::{BoardView, DrawnCage, ExtraOrigin, candidate_columns, digits};
use crate::board::Cell;

/// Characters of a cell without its borders.
pub(super) struct CellLayout {
    pub width: usize,
    pub height: usize,
    /// Lines above the content, for cage clues.
    top: usize,
    blocks: bool,
    /// Whether candidates are left out.
    compact: bool,
    /// Whether solved cells are marked, because there is no bold type to tell them from givens.
    mark_solved: bool,
    /// Whether the first character of a cell is reserved for the mark of its extra houses.
    mark_extras: bool,
}

/// Marks of extra houses without colour: a letter for each.
const LETTERS: &[u8; 26] = b"abcdefghijklmnopqrstuvwxyz";

impl CellLayout {
    pub(super) fn new(view: &BoardView, style: Style) -> Self {
        let side = view.side();
        let candidates = view.has_candidates() && !style.compact;
        let blocks = candidates && side <= 9;
        let (mut width, mut height) = match (candidates, side) {
            _ if style.compact => (if side > 9 { 2 } else { 1 }, 1),
            (true, 25) => (6, 1), // 176 columns
            (true, 16) => (8, 1), // 145 columns
            (true, _) => (2 * candidate_columns(side) + 1, side.div_ceil(candidate_columns(side))),
            (false, 16 | 25) => (4, 1),
            (false, _) => (3, 1),
        };
        let mark_extras = !style.colour && !view.extras.is_empty();
        let mark_solved = !style.colour && view.has_clues_and_solved();
        if style.compact {
            width += usize::from(mark_solved) + usize::from(mark_extras);
        } else if mark_extras && !candidates {
            width += 2; // room for a mark apart from the digit
        }
        let top = usize::from(view.cage_of.is_some());
        if top == 1 {
            let longest = view.cages.iter().map(|cage| clue(cage, style.ascii).chars().count()).max();
            width = width.max(if style.compact { 3 } else { 5 }).max(longest.unwrap_or(0));
            height += 1;
        }
        Self { width, height, top, blocks, compact: style.compact, mark_solved, mark_extras }
    }

    /// Draws the contents of cell `i`.
    pub(super) fn draw(&self, at: &mut CellPlace, view: &BoardView, i: usize, style: Style) {
        let cell = view.cells[i];
        if cell.is_black() {
            let fill = match style {
                Style { colour: true, .. } => " ",
                Style { ascii: true, .. } => "@",
                _ => "█",
            };
            (0..self.height).for_each(|line| at.put(0, line, &fill.repeat(self.width), Ink::Black));
        }
        match cell {
            Cell::Empty | Cell::BlackEmpty => {}
            Cell::Candidates(_) if self.compact => {}
            Cell::Candidates(mask) if self.blocks => self.block(at, view.side(), mask, style),
            Cell::Candidates(mask) => self.list(at, mask),
            Cell::Clue(digit) => self.digit(at, view.side(), digit, Ink::Given),
            Cell::Solved(digit) => self.digit(at, view.side(), digit, Ink::Solved),
            Cell::BlackClue(digit) => self.digit(at, view.side(), digit, Ink::Black),
        }
    }

    /// Draws the clue of a cage in its first cell.
    pub(super) fn draw_clue(&self, at: &mut CellPlace, cage: &DrawnCage, style: Style) {
        at.put(0, 0, &clue(cage, style.ascii), Ink::Clue);
    }

    /// Draws the mark of a cell's extra houses, for drawings without colour.
    pub(super) fn draw_extra(&self, at: &mut CellPlace, view: &BoardView, of: &[usize]) {
        if !self.mark_extras {
            return;
        }
        let mark = match of {
            [] => return,
            [0] if view.extras[0].origin == ExtraOrigin::Diagonal => '\\',
            [1] if view.extras[1].origin == ExtraOrigin::Diagonal => '/',
            [0, 1] if view.extras[0].origin == ExtraOrigin::Diagonal => 'X',
            [k] if *k < LETTERS.len() => LETTERS[*k].into(),
            _ => '+',
        };
        at.put(0, 0, mark.encode_utf8(&mut [0; 4]), Ink::Candidate);
    }

    fn digit(&self, at: &mut CellPlace, side: usize, digit: u8, ink: Ink) {
        let wide = if side > 9 { 2 } else { 1 };
        let y = self.top + (self.height - self.top - 1) / 2;
        // The mark of an extra house is before the digit, and that of a solved cell after it.
        let (before, after) = match self.compact {
            true => (usize::from(self.mark_extras), usize::from(self.mark_solved)),
            false => (0, 0),
        };
        let x = before + (self.width - before - after - wide) / 2;
        let text = digit.to_string();
        let pad = wide - text.len().min(wide);
        at.put(x + pad, y, &text, ink);
        if self.mark_solved && ink == Ink::Solved {
            at.put(x + wide, y, "'", ink);
        }
    }

    /// Draws candidates as a block, with a dot for each digit that is not a candidate.
    fn block(&self, at: &mut CellPlace, side: usize, mask: u32, style: Style) {
        let columns = candidate_columns(side);
        let x = (self.width + 1 - 2 * columns) / 2;
        for k in 0..side {
            let digit = (k + 1).to_string();
            let missing = if style.ascii { "." } else { "·" };
            let text = if mask >> k & 1 == 1 { digit.as_str() } else { missing };
            at.put(x + 2 * (k % columns), self.top + k / columns, text, Ink::Candidate);
        }
    }

    /// Draws candidates as a list if it fits, or else their number.
    fn list(&self, at: &mut CellPlace, mask: u32) {
        let text = self.listed(mask);
        let left = usize::from(self.mark_extras);
        at.put(left + (self.width - left - text.len()) / 2, self.top, &text, Ink::Candidate);
    }

    fn listed(&self, mask: u32) -> String {
        let list = digits(mask).map(|d| d.to_string()).collect::<Vec<_>>().join(",");
        match mask.count_ones() {
            1 => list + "?",
            _ if list.len() + usize::from(self.mark_extras) < self.width => list,
            count => format!("#{count}"),
        }
    }

    /// An explanation of the marks, if the drawing has any.
    pub(super) fn legend(&self, view: &BoardView) -> Option<String> {
        let mut legend = Vec::new();
        if self.mark_solved {
            legend.push("' solved".to_string());
        }
        if !self.blocks {
            let lists = |cell: &Cell| match cell {
                Cell::Candidates(mask) if !self.compact => Some(self.listed(*mask)),
                _ => None,
            };
            let any = |mark: char| view.cells.iter().filter_map(lists).find(|text| text.contains(mark));
            if any('?').is_some() {
                legend.push("? the only candidate".into());
            }
            if let Some(text) = any('#') {
                legend.push(format!("{text} means {} candidates", &text[1..]));
            }
        }
        if let Some(origin) = view.extras.first().map(|extra| extra.origin).filter(|_| self.mark_extras) {
            legend.push(match origin {
                ExtraOrigin::Diagonal => r"\ / X diagonals".into(),
                ExtraOrigin::Window => "a..d windows".into(),
                ExtraOrigin::Colour => "a..i colour groups".into(),
                ExtraOrigin::Outlined | ExtraOrigin::Coloured => "a.. extra groups, + several".into(),
            });
        }
        (!legend.is_empty()).then(|| legend.join("; "))
    }
}

/// The clue of a cage and its operator; nothing for a cage without a sum.
fn clue(cage: &DrawnCage, ascii: bool) -> String {
    if cage.clue == 0 {
        return String::new();
    }
    let operator = match cage.operator {
        Some('x') if !ascii => "×".into(),
        Some('/') if !ascii => "÷".into(),
        Some(operator) => operator.to_string(),
        None => String::new(),
    };
    format!("{}{operator}", cage.clue)
}
