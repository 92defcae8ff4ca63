//! A board as text for a terminal.

use super::borders::{Borders, Edge, horizontal, junction, vertical};
use super::canvas::{Canvas, Ink, Style};
use super::cells::CellLayout;
use super::view::BoardView;
use crate::board::Batch;

/// Draws board `board` of a batch as lines of equal width, each ending with a line feed. If the drawing has marks, a
/// last line explains them.
///
/// Heavy lines are the borders of boxes and regions, or in KenKen those of cages. In other kinds with cages, lines are
/// solid between cages and broken inside one. Givens are bold; without colour, a board with both givens and solved
/// cells marks the solved ones. Boards of side 25 with candidates are 176 columns wide, all others at most 151. A
/// compact drawing takes 19 columns for side 9 (37 with cages) and at most 151 for side 25.
///
/// # Panics
/// If the batch has no board `board`.
pub fn terminal(batch: &Batch, board: usize, style: Style) -> String {
    let view = BoardView::new(batch, board);
    let side = view.side();
    let layout = CellLayout::new(&view, style);
    let (across, down) = (layout.width + 1, layout.height + 1);
    let mut canvas = Canvas::new(side * across + 1, side * down + 1);
    let extras = view.extras_of();
    for (i, extras) in extras.iter().enumerate() {
        let (x, y) = (i % side * across + 1, i / side * down + 1);
        if let (true, Some(&extra)) = (style.colour, extras.first()) {
            for spot in 0..layout.width * layout.height {
                canvas.tint(x + spot % layout.width, y + spot / layout.width, extra);
            }
        }
        let mut at = canvas.at(x, y);
        layout.draw(&mut at, &view, i, style);
        if !view.cells[i].is_black() {
            layout.draw_extra(&mut at, &view, extras);
        }
    }
    for cage in &view.cages {
        let (x, y) = (cage.cells[0] % side * across + 1, cage.cells[0] / side * down + 1);
        layout.draw_clue(&mut canvas.at(x, y), cage, style);
    }
    draw_borders(&mut canvas, &view, &layout, style);
    let mut out = canvas.print(style.colour);
    if let Some(legend) = layout.legend(&view) {
        out.push_str(&legend);
        out.push('\n');
    }
    out
}

/// The width in columns of [`terminal()`]'s drawing of a board.
///
/// # Panics
/// If the batch has no board `board`.
pub fn terminal_width(batch: &Batch, board: usize, style: Style) -> usize {
    let view = BoardView::new(batch, board);
    view.side() * (CellLayout::new(&view, style).width + 1) + 1
}

fn draw_borders(canvas: &mut Canvas, view: &BoardView, layout: &CellLayout, style: Style) {
    let side = view.side();
    let borders = Borders::new(view);
    // Light lines between cages are as bright as heavy ones, and lines inside a cage are dim.
    let caged = view.cage_of.is_some() && !view.cages_are_areas();
    let ink = |edge: Edge| if edge.heavy || caged && !edge.broken { Ink::Plain } else { Ink::Line };
    for row in 0..=side {
        for column in 0..=side {
            let (x, y) = (column * (layout.width + 1), row * (layout.height + 1));
            let arms = borders.meeting(row, column);
            let brightest = arms.into_iter().flatten().map(ink).find(|&ink| ink == Ink::Plain).unwrap_or(Ink::Line);
            canvas.put(x, y, junction(arms, style.ascii).encode_utf8(&mut [0; 4]), brightest);
            if column < side {
                let edge = borders.above(row, column);
                let line: String = (0..layout.width).map(|step| horizontal(edge, step, style.ascii)).collect();
                canvas.put(x + 1, y, &line, ink(edge));
            }
            if row < side {
                let edge = borders.left(row, column);
                for line in 1..=layout.height {
                    canvas.put(x, y + line, vertical(edge, style.ascii).encode_utf8(&mut [0; 4]), ink(edge));
                }
            }
        }
    }
}
