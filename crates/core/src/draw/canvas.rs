//! A rectangle of characters with colours. Only this module writes ANSI sequences.

/// What a character means, which decides how it is shown in colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Ink {
    #[default]
    Plain,
    /// Light lines.
    Line,
    Given,
    Solved,
    Candidate,
    /// A cage's clue and operator.
    Clue,
    /// A black cell; its digit.
    Black,
}

/// How a board is drawn in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// Whether to use only printable ASCII, for plain terminals and files.
    pub ascii: bool,
    /// Whether to use ANSI colours and bold type. Without them, line feeds are the only control bytes.
    pub colour: bool,
    /// Whether to draw as narrow as possible, without candidates.
    pub compact: bool,
}

/// Tints of cells in extra houses, as numbers of the 256-colour palette: light, so they are used with dark inks.
const TINTS: [u8; 9] = [153, 224, 193, 229, 183, 158, 223, 255, 250];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spot {
    glyph: char,
    ink: Ink,
    tint: Option<usize>,
}

/// Characters in rows of one width.
pub(super) struct Canvas {
    width: usize,
    spots: Vec<Spot>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, spots: vec![Spot { glyph: ' ', ink: Ink::Plain, tint: None }; width * height] }
    }

    /// Writes text from (x, y) to the right. The layout leaves room for it: nothing may cross the edge.
    pub(super) fn put(&mut self, x: usize, y: usize, text: &str, ink: Ink) {
        for (x, glyph) in (x..).zip(text.chars()) {
            let spot = &mut self.spots[y * self.width + x];
            (spot.glyph, spot.ink) = (glyph, ink);
        }
    }

    /// The place that begins at (x, y).
    pub(super) fn at(&mut self, x: usize, y: usize) -> CellPlace<'_> {
        CellPlace { canvas: self, x, y }
    }

    /// Tints one character.
    pub(super) fn tint(&mut self, x: usize, y: usize, tint: usize) {
        self.spots[y * self.width + x].tint = Some(tint);
    }

    /// The rows, each ended by a line feed.
    pub(super) fn print(&self, colour: bool) -> String {
        let mut out = String::with_capacity(2 * self.spots.len());
        for row in self.spots.chunks_exact(self.width) {
            let mut now = String::new();
            for spot in row {
                let sgr = if colour { sgr(spot) } else { String::new() };
                if sgr != now {
                    if !now.is_empty() {
                        out.push_str("\x1b[0m");
                    }
                    if !sgr.is_empty() {
                        out.push_str(&format!("\x1b[{sgr}m"));
                    }
                    now = sgr;
                }
                out.push(spot.glyph);
            }
            if !now.is_empty() {
                out.push_str("\x1b[0m");
            }
            out.push('\n');
        }
        out
    }
}

/// Where a cell is drawn: the part of a canvas inside its borders.
pub(super) struct CellPlace<'c> {
    canvas: &'c mut Canvas,
    x: usize,
    y: usize,
}

impl CellPlace<'_> {
    /// Writes text from (x, y), counted from the first character of the cell.
    pub(super) fn put(&mut self, x: usize, y: usize, text: &str, ink: Ink) {
        self.canvas.put(self.x + x, self.y + y, text, ink);
    }
}

/// The parameters of the SGR sequence for a spot; empty for plain.
fn sgr(spot: &Spot) -> String {
    let invisible = spot.glyph == ' ' && spot.ink != Ink::Black;
    let Some(tint) = spot.tint else {
        let plain = match spot.ink {
            _ if invisible => "",
            Ink::Plain => "",
            Ink::Line | Ink::Candidate => "2",
            Ink::Given => "1",
            Ink::Solved => "36",
            Ink::Clue => "35",
            Ink::Black => "7",
        };
        return plain.into();
    };
    let ink = match spot.ink {
        Ink::Black => return "7".into(),
        Ink::Given => "1;38;5;16",
        Ink::Solved => "38;5;25",
        Ink::Clue => "38;5;90",
        Ink::Plain | Ink::Line | Ink::Candidate => "38;5;240",
    };
    format!("{ink};48;5;{}", TINTS[tint % TINTS.len()])
}
