//! Boards as SVG.

use std::fmt::{self, Write};

use super::borders::Borders;
use super::fills::{FILLS, fills};
use super::outline::outlines;
use super::theme::Theme;
use super::view::{BoardView, DrawnCage, ExtraOrigin, candidate_columns, digits};
use crate::board::{Batch, Cell};

const MARGIN: f64 = 10.0;
/// The gap between two boards in a row.
const GAP: f64 = 30.0;
/// The height of a caption.
const CAPTION: f64 = 30.0;
/// The distance from the borders of a cage's cells to its outline.
const INSET: f64 = 4.0;
/// The height of the strip for a cage's clue at the top of a cell.
const STRIP: f64 = 18.0;

const THIN: &str = "#9a9a9a";
const THICK: &str = "#111";
const BLACK: &str = "#202020";
const REGIONS: [&str; FILLS] = ["#fbe3df", "#dfebfa", "#e4f3df", "#fdf3cf", "#ece2f6", "#dff2f1"];
const GROUPS: [&str; 9] =
    ["#f7d4cf", "#cfe1f7", "#d3eccb", "#faedb9", "#e3d3f2", "#c9ebe9", "#fadfbd", "#e6e6e6", "#f5cfe4"];
const LINES: [&str; 5] = ["#b0413e", "#2f6db3", "#3f8a3a", "#8a5bb5", "#b07d1e"];

/// Draws boards, each given as a batch and an index, one below another in one SVG document.
///
/// # Panics
/// If a batch has no board of that index.
pub fn svg(boards: &[(&Batch, usize)]) -> String {
    let mut page = SvgPage::default();
    boards.iter().for_each(|(batch, _)| page.make_room(batch));
    let mut out = page.begin();
    for &(batch, board) in boards {
        out += &page.draw(batch, board, "");
    }
    out + SvgPage::END
}

/// An SVG document for any number of boards, which are drawn one by one. Call [`SvgPage::make_room`] for each board,
/// then [`SvgPage::begin`], then [`SvgPage::draw`] for each in the same order; [`SvgPage::END`] completes the document.
#[derive(Debug, Clone)]
pub struct SvgPage {
    columns: usize,
    captions: bool,
    theme: Theme,
    /// The sides of the boards.
    sides: Vec<u8>,
    /// The number of boards drawn so far, and the upper edge of the current row.
    drawn: usize,
    top: f64,
}

impl Default for SvgPage {
    fn default() -> Self {
        Self::new(1, false, Theme::Light)
    }
}

impl SvgPage {
    /// The end of the document.
    pub const END: &str = "</svg>\n";

    /// A page with so many boards in a row; `captions` is whether each has a line above it.
    pub fn new(columns: usize, captions: bool, theme: Theme) -> Self {
        Self { columns: columns.max(1), captions, theme, sides: Vec::new(), drawn: 0, top: MARGIN }
    }

    /// Makes room for a board of a batch.
    pub fn make_room(&mut self, batch: &Batch) {
        self.sides.push(batch.shape().side.get() as u8);
    }

    /// The beginning of the document.
    pub fn begin(&mut self) -> String {
        let across = self.columns.min(self.sides.len()) as f64;
        let width = across * (self.column() + GAP) - GAP + 2.0 * MARGIN;
        let height = self.sides.chunks(self.columns).map(|row| self.row(row)).sum::<f64>() + MARGIN;
        let (width, height) = (SvgLength(width), SvgLength(height));
        let paper = format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n");
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif\" text-anchor=\"middle\">\n{}{}",
            self.theme.style(),
            self.theme.colours(paper)
        )
    }

    /// The next board, with its caption if the page has captions.
    ///
    /// # Panics
    /// If the batch has no such board.
    pub fn draw(&mut self, batch: &Batch, board: usize, caption: &str) -> String {
        let (view, column) = (BoardView::new(batch, board), self.drawn % self.columns);
        let (x, mut y) = (MARGIN + column as f64 * (self.column() + GAP), self.top);
        let mut out = String::new();
        if self.captions {
            text(&mut out, x, y + 0.75 * CAPTION, caption);
            // Letters are about half as wide as high.
            let font = (self.column() / (0.6 * caption.chars().count().max(1) as f64)).min(18.0).floor();
            let font = SvgLength(font);
            out = format!("<g font-size=\"{font}\" fill=\"#111\" text-anchor=\"start\">\n{out}</g>\n");
            y += CAPTION;
        }
        let (x, y) = (SvgLength(x), SvgLength(y));
        out += &format!("<g transform=\"translate({x} {y})\">\n{}</g>\n", Drawing::new(&view).draw());
        self.drawn += 1;
        if self.drawn.is_multiple_of(self.columns) {
            self.top += self.row(&self.sides[self.drawn - self.columns..self.drawn]);
        }
        self.theme.colours(out)
    }

    /// The width of a column.
    fn column(&self) -> f64 {
        self.sides.iter().map(|&side| size(side.into())).fold(0.0, f64::max)
    }

    /// The height of a row of boards.
    fn row(&self, sides: &[u8]) -> f64 {
        let tallest = sides.iter().map(|&side| size(side.into())).fold(0.0, f64::max);
        tallest + MARGIN + if self.captions { CAPTION } else { 0.0 }
    }
}

/// The side of a cell in pixels.
fn unit(side: usize) -> f64 {
    match side {
        25 => 120.0,
        16 => 90.0,
        _ => 60.0,
    }
}

/// The side of a board in pixels.
fn size(side: usize) -> f64 {
    unit(side) * side as f64
}

/// One board being drawn; lengths are in user units (pixels).
struct Drawing<'a> {
    view: &'a BoardView,
    side: usize,
    /// The side of a cell.
    unit: f64,
}

impl<'a> Drawing<'a> {
    fn new(view: &'a BoardView) -> Self {
        Self { view, side: view.side(), unit: unit(view.side()) }
    }

    /// The upper left corner of a cell.
    fn corner(&self, i: usize) -> (f64, f64) {
        ((i % self.side) as f64 * self.unit, (i / self.side) as f64 * self.unit)
    }

    fn draw(&self) -> String {
        let shape = self.view.shape;
        let mut out = format!("<title>{}</title>\n", escape(&format!("{} {1}x{1}", shape.kind, shape.side)));
        self.fill_cells(&mut out);
        self.thin_lines(&mut out);
        self.extra_lines(&mut out);
        self.cage_lines(&mut out);
        self.thick_lines(&mut out);
        self.clues(&mut out);
        self.candidates(&mut out);
        self.placed(&mut out);
        out
    }

    /// Regions, extra houses and black cells.
    fn fill_cells(&self, out: &mut String) {
        if let (true, Some(areas)) = (self.view.shape.kind.has_regions(), &self.view.areas) {
            for (i, fill) in fills(areas, self.side).into_iter().enumerate() {
                self.fill_cell(out, i, REGIONS[fill]);
            }
        }
        for (k, extra) in self.view.extras.iter().enumerate() {
            let fill = match extra.origin {
                ExtraOrigin::Diagonal | ExtraOrigin::Outlined => continue,
                ExtraOrigin::Window => "#dbe7f5",
                ExtraOrigin::Colour | ExtraOrigin::Coloured => GROUPS[k % GROUPS.len()],
            };
            // Groups of a wolfram string may share cells, in which both fills are shown.
            let opacity = if extra.origin == ExtraOrigin::Coloured { "0.6" } else { "1" };
            let mut cells = String::new();
            extra.cells.iter().for_each(|&i| self.fill_cell(&mut cells, i, fill));
            group(out, &format!("opacity=\"{opacity}\""), &cells);
        }
        for (i, _) in self.view.cells.iter().enumerate().filter(|(_, cell)| cell.is_black()) {
            self.fill_cell(out, i, BLACK);
        }
    }

    fn fill_cell(&self, out: &mut String, i: usize, fill: &str) {
        let ((x, y), unit) = (self.corner(i), SvgLength(self.unit));
        let (x, y) = (SvgLength(x), SvgLength(y));
        let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{unit}\" height=\"{unit}\" fill=\"{fill}\"/>");
    }

    fn thin_lines(&self, out: &mut String) {
        let mut path = String::new();
        for k in 1..self.side {
            let at = SvgLength(k as f64 * self.unit);
            let _ = write!(path, "M0 {at}H{0}M{at} 0V{0}", SvgLength(size(self.side)));
        }
        stroke(out, &path, THIN, 1.0, "");
    }

    /// Diagonals, and the outlined groups of a wolfram string. The outlines are at different distances from the borders
    /// of cells, since the groups may share cells.
    fn extra_lines(&self, out: &mut String) {
        let size = SvgLength(size(self.side));
        if self.view.shape.kind.rules().houses.diagonals {
            stroke(out, &format!("M0 0L{size} {size}M{size} 0L0 {size}"), "#b3c4d8", 1.5, "");
        }
        let outlined = self.view.extras.iter().filter(|extra| extra.origin == ExtraOrigin::Outlined);
        for (k, extra) in outlined.enumerate() {
            let inset = 3.0 + 2.5 * (k % 4) as f64;
            stroke(out, &self.outline(&extra.cells, inset), LINES[k % LINES.len()], 1.5, "");
        }
    }

    /// Cages as broken outlines, but not around cells in no cage. On boards without boxes and regions, thick lines show them
    /// instead.
    fn cage_lines(&self, out: &mut String) {
        let is_cage = |cage: &&DrawnCage| cage.clue != 0 || cage.cells.len() > 1;
        if !self.view.cages_are_areas() {
            let path: String =
                self.view.cages.iter().filter(is_cage).map(|cage| self.outline(&cage.cells, INSET)).collect();
            stroke(out, &path, "#444", 1.2, " stroke-dasharray=\"4 3\"");
        }
    }

    fn outline(&self, cells: &[usize], inset: f64) -> String {
        let mut path = String::new();
        for corners in outlines(cells, self.side, self.unit, inset) {
            for (k, (x, y)) in corners.into_iter().enumerate() {
                let _ = write!(path, "{}{} {}", if k == 0 { 'M' } else { 'L' }, SvgLength(x), SvgLength(y));
            }
            path.push('Z');
        }
        path
    }

    /// The outer border, and the borders of boxes, regions and of KenKen's cages.
    fn thick_lines(&self, out: &mut String) {
        let (borders, unit, size) = (Borders::new(self.view), self.unit, SvgLength(size(self.side)));
        let mut path = format!("M0 0H{size}V{size}H0Z");
        for line in 1..self.side {
            let along = |k: usize| SvgLength(k as f64 * unit);
            let at = along(line);
            for (from, to) in runs(self.side, |k| borders.above(line, k).heavy) {
                let _ = write!(path, "M{} {at}H{}", along(from), along(to));
            }
            for (from, to) in runs(self.side, |k| borders.left(k, line).heavy) {
                let _ = write!(path, "M{at} {}V{}", along(from), along(to));
            }
        }
        stroke(out, &path, THICK, 3.0, " stroke-linecap=\"square\"");
    }

    fn clues(&self, out: &mut String) {
        let mut texts = String::new();
        for cage in self.view.cages.iter().filter(|cage| cage.clue != 0) {
            let (x, y) = self.corner(cage.cells[0]);
            text(&mut texts, x + INSET + 2.5, y + INSET + 12.0, &clue(cage));
        }
        group(out, "font-size=\"12\" fill=\"#222\" text-anchor=\"start\"", &texts);
    }

    /// The area for candidates and digits within a cell, excluding a cage's clue and outline (left, top, width,
    /// height).
    fn room(&self) -> (f64, f64, f64, f64) {
        let top = if self.view.cage_of.is_some() { STRIP } else { 3.0 };
        let pad = if self.view.cage_of.is_some() && !self.view.cages_are_areas() { INSET + 2.0 } else { 3.0 };
        (pad, top, self.unit - 2.0 * pad, self.unit - top - pad)
    }

    fn candidates(&self, out: &mut String) {
        let (left, top, width, height) = self.room();
        let columns = candidate_columns(self.side);
        let (across, down) = (width / columns as f64, height / self.side.div_ceil(columns) as f64);
        let size = (0.85 * down).min(if self.side > 9 { 0.62 * across } else { 13.0 }).floor();
        let mut texts = String::new();
        for (i, cell) in self.view.cells.iter().enumerate() {
            let &Cell::Candidates(mask) = cell else { continue };
            let (x, y) = self.corner(i);
            for d in digits(mask) {
                let (row, column) = ((d - 1) / columns, (d - 1) % columns);
                let middle = (x + left + (column as f64 + 0.5) * across, y + top + (row as f64 + 0.5) * down);
                text(&mut texts, middle.0, middle.1 + 0.36 * size, &d.to_string());
            }
        }
        group(out, &format!("font-size=\"{}\" fill=\"#5c5c5c\"", SvgLength(size)), &texts);
    }

    /// Givens, solved cells and the digits of black cells.
    fn placed(&self, out: &mut String) {
        let (_, top, _, height) = self.room();
        let size = (0.9 * height).min(if self.side > 9 { 0.46 } else { 0.56 } * self.unit).floor();
        // Below a clue, the digit is a little lower than the middle of the cell.
        let middle = if self.view.cage_of.is_some() { top - 1.0 + height / 2.0 } else { self.unit / 2.0 };
        type Has = fn(&Cell) -> bool;
        let inks: [(Has, &str); 3] = [
            (|cell| matches!(cell, Cell::Clue(_)), "fill=\"#111\" font-weight=\"bold\""),
            (|cell| matches!(cell, Cell::Solved(_)), "fill=\"#1a5fc8\""),
            (|cell| matches!(cell, Cell::BlackClue(_)), "fill=\"#fefefe\" font-weight=\"bold\""),
        ];
        for (has, ink) in inks {
            let mut texts = String::new();
            for (i, cell) in self.view.cells.iter().enumerate().filter(|(_, cell)| has(cell)) {
                let (x, y) = self.corner(i);
                text(&mut texts, x + self.unit / 2.0, y + middle + 0.36 * size, &cell.digit().to_string());
            }
            group(out, &format!("font-size=\"{}\" {ink}", SvgLength(size)), &texts);
        }
    }
}

fn clue(cage: &DrawnCage) -> String {
    let operator = match cage.operator {
        Some('x') => "×".into(),
        Some('/') => "÷".into(),
        Some('-') => "−".into(),
        Some(operator) => operator.to_string(),
        None => String::new(),
    };
    format!("{}{operator}", cage.clue)
}

/// Displays a length rounded to hundredths, without trailing zeros. Formatting an arbitrary `f64` takes more code than
/// the rest of this file, and browsers load this code.
struct SvgLength(f64);

impl fmt::Display for SvgLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 * 100.0).round() as i64;
        let (sign, whole) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs() / 100);
        match hundredths.unsigned_abs() % 100 {
            0 => write!(f, "{sign}{whole}"),
            part if part % 10 == 0 => write!(f, "{sign}{whole}.{}", part / 10),
            part => write!(f, "{sign}{whole}.{part:02}"),
        }
    }
}

/// The maximal runs of `0..len` in which `is` holds, as pairs (first, one past the last).
fn runs(len: usize, is: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for k in (0..len).filter(|&k| is(k)) {
        match runs.last_mut() {
            Some(run) if run.1 == k => run.1 = k + 1,
            _ => runs.push((k, k + 1)),
        }
    }
    runs
}

fn group(out: &mut String, attributes: &str, content: &str) {
    if !content.is_empty() {
        let _ = write!(out, "<g {attributes}>\n{content}</g>\n");
    }
}

fn stroke(out: &mut String, path: &str, colour: &str, width: f64, more: &str) {
    if !path.is_empty() {
        let width = SvgLength(width);
        let _ = writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{more}/>");
    }
}

fn text(out: &mut String, x: f64, y: f64, text: &str) {
    let _ = writeln!(out, "<text x=\"{}\" y=\"{}\">{}</text>", SvgLength(x), SvgLength(y), escape(text));
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
