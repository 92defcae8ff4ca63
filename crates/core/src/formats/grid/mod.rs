//! Reads the format `grid`: sudokus that span several lines, as people paste them and programs print them. Each grid
//! becomes a board or a reason why it is not one. gridmill does not write grids.
//!
//! - `find`: finds grids in a text that has other content before and after them, each by itself. `cut`: finds where such
//!   a text can be cut.
//! - `grid_blocks`: decides what each grid is, by what is beside it (`neighbours`). `puzzle_cut`: finds where a text can be cut so that
//!   this does not change.
//! - `glyphs`: normalises a line to glyphs, so that all ways to draw a line, a dot or a space are the same byte.
//! - `line`: splits glyphs into tokens and finds the spans of the nine cells of a row, for each known layout.
//! - `classify`: decides what a single line may be: a row, a border, text.
//! - `rows`: reads nine rows as a board.
//! - `one_line`: reads boards that are written on one line.
//! - `block`: reads consecutive lines as boards.
//! - `named`: says what lines are that are no board.
//! - `letter_row`, `letters`: finds maps of letters. `companion`: recognises what accompanies a grid and is none itself.
//!   `clues`: reads the sums or clues of cages below a map. `labels`: reads the names of what is below them.
//! - `joined`: makes one board of blocks that belong together. `cage_clues`: whether digits can be those of a map of cages. `groups`: decides which these are. `stages`: reads the stages of one
//!   puzzle as one board.
//! - `unread`: finds what is beside a board and was not read, though it looks like cells; `sign_rows` says what does, `joints` what may
//!   stand between them. `cell_lists` finds definitions by the names of cells, `columns` maps of vertical
//!   pieces, `pictures` cells that are no map of pieces.
//! - `heading`: reads the line that `show` prints above a drawing.
//!
//! A block of lines is a board only if every line of it is explained: nine rows of nine cells in one layout, and
//! otherwise only what is known to surround them: borders, column names, row labels, a title. Anything left over
//! rejects the whole block, because a digit that belongs to no cell means that the other cells were guessed. A second
//! possible reading rejects it too. Only digits distinguish a grid from a drawing made of lines, and a wrong board
//! looks as plausible as a right one.
//!
//! Lines that contain words, and numbers above a grid, are text: they are skipped and counted.
//!
//! Finding a grid means reading it. To avoid reading it twice, whoever finds a grid in a text passes on its cells in
//! their in-memory form ([`GridBlock::string`]) instead of its lines.

mod block;
mod cage_clues;
mod cell_lists;
mod classify;
mod clues;
mod columns;
mod companion;
mod cut;
mod find;
mod glyphs;
mod grid_blocks;
mod grid_line;
mod groups;
mod heading;
mod joined;
mod joints;
mod labels;
mod letter_row;
mod letters;
mod line;
mod named;
mod neighbours;
mod one_line;
mod pictures;
mod puzzle_cut;
mod rows;
mod sign_rows;
mod stages;
#[cfg(test)]
mod tests;
mod unread;

use std::borrow::Cow;

use super::advice::is_consistent;
use super::samples::{BadSample, Good, Samples};
use super::{
    About, Codec, DecodedString, Evidence, Form, Format, Hints, Holds, Layout, LayoutDoc, Loss, Records, Remainder,
    StringsOut, plain, read_one,
};
use crate::board::{Batch, Cell, Codes, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::kernels::{Decoded, Kernel};

pub use cut::find_grid_cut;
pub use find::EachGrid;
pub use grid_blocks::GridBlocks;
pub use puzzle_cut::find_puzzle_cut;

/// The cells of a grid, row by row: empty, clue, solved or candidates. Most grids do not say which digits are clues;
/// all digits of such a grid are clues.
pub type GridCells = [Cell; 81];

/// The codes of the cells of a grid, which take a quarter of their memory.
type GridCodes = [u16; 81];

fn codes_of(cells: &GridCells) -> GridCodes {
    cells.map(|cell| CODES.write(cell) as u16)
}

/// The reverse of [`codes_of`]; there are no other codes.
fn cells_of(codes: &GridCodes) -> GridCells {
    codes.map(|code| CODES.read(code.into()).unwrap_or(Cell::Empty))
}

/// A grid, or a group of lines that looks like one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridBlock {
    /// The offset of its first byte.
    pub start: usize,
    /// The offset after its last byte, not counting the line end.
    pub end: usize,
    /// The offset after its line end.
    pub next: usize,
    /// The number of its first line, counted from 0.
    pub line: u64,
    /// Its cells, row by row, or the reason why they cannot be read.
    pub cells: Result<GridCells, Reject>,
    /// What it is, if it accompanies a grid and is none itself.
    companion: Option<companion::Companion>,
    /// The sums or clues below it, if it is a map of cages, and the length of the map without them.
    list: Option<(usize, Box<[clues::LetterClue]>)>,
    /// What it is, if it is a square or a board of its own that is no sudoku of side 9. `cells` says that it is.
    square: Option<named::Square>,
}

impl GridBlock {
    /// Returns its board as a string of the format grid: its cells in their in-memory form, or, if it is no sudoku of side 9, a string of
    /// another format.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn string(self) -> Result<Vec<u8>, Reject> {
        match self.square.and_then(|square| square.string) {
            Some(string) => Ok(string.into()),
            None => self.cells.map(|cells| grid_cells(&cells).into()),
        }
    }

    /// Whether this is a single line of `text` with signs that are no sudoku, and thus perhaps a part of a drawing.
    pub fn may_be_drawing(&self, text: &[u8]) -> bool {
        let text = &text[self.start..self.end];
        let is_mixed = || [b'-', b'.'].iter().all(|sign| text.contains(sign));
        let digits = |cells: &GridCells| cells.each_ref().map(|cell| b'0' + cell.digit());
        memchr::memchr(b'\n', text).is_none()
            && self.cells.as_ref().is_ok_and(|cells| is_mixed() || !is_consistent(&digits(cells)))
    }
}

/// The most bytes of a line, without spaces around it. Longer lines belong to no grid, whatever is in them, and are not
/// read, since that would take many times their size.
const LONGEST_LINE: usize = 64 << 10;

/// Whether a line is too long for a line of a grid. The grids before and after it are read as if it were a line of text.
pub fn is_too_long_for_grid(line: &[u8]) -> bool {
    line.len() > LONGEST_LINE && line.trim_ascii().len() > LONGEST_LINE
}

/// Bytes of a grid in its in-memory form: a NUL, which no grid in a text contains, and two bytes for each cell.
const WIDTH: usize = 1 + 2 * 81;

const CODES: Codes = Codes::new(Side::NINE, false);

/// The format `grid`.
#[derive(Debug)]
pub(super) struct Grid;

static ABOUT: About = About {
    id: Format::Grid,
    name: "grid",
    summary: "a board over several lines; found with --framing grid, not written",
    layouts: &[LayoutDoc {
        kinds: "sudoku",
        body: "rows of cells, with or without borders, at side 9 also with labels and candidates",
        length: "any",
    }],
};

/// The cells of a grid that was found as a string of this format.
fn grid_cells(cells: &GridCells) -> [u8; WIDTH] {
    let mut string = [0; WIDTH];
    for (pair, code) in string[1..].chunks_exact_mut(2).zip(codes_of(cells)) {
        pair.copy_from_slice(&code.to_le_bytes());
    }
    string
}

/// The first byte of a board that is a string of another format.
const MARK: u8 = 1;

/// What may have been lost between the blocks of a board: the byte after [`MARK`] says which of it.
const LOST: [Loss; 2] = [Loss::Title, Loss::Marks];

/// A string of another format as a string of this one, and what was lost in reading it.
fn marked_string(string: &str, lost: &[Loss]) -> Box<[u8]> {
    let bits = (0..).zip(LOST).filter(|(_, loss)| lost.contains(loss)).map(|(bit, _)| 1_u8 << bit);
    [&[MARK, bits.sum()], string.as_bytes()].concat().into()
}

/// Reads what [`marked_string`] has made.
fn read_marked(text: &[u8], hints: &Hints) -> Option<Result<DecodedString, Reject>> {
    let [MARK, lost, string @ ..] = text else { return None };
    Some(read_one(string, None, hints, &Evidence::default()).map(|mut one| {
        let lost = (0..).zip(LOST).filter(|(bit, _)| lost >> bit & 1 == 1);
        lost.for_each(|(_, loss)| one.losses.add(loss));
        one
    }))
}

/// Reads a board that is a string of another format, or a text of several lines that is one.
fn marked_in(text: &[u8], hints: &Hints) -> Option<Result<DecodedString, Reject>> {
    match text.first() {
        Some(&MARK) => read_marked(text, hints),
        Some(0) => None,
        _ if memchr::memchr(b'\n', text).is_none() => None,
        _ => read_marked(&string_of(text)?, hints),
    }
}

/// Decodes strings of which some are of other formats.
fn decode_each(form: Form, records: Records, batch: &mut Batch) -> Decoded {
    let hints = Hints { kind: Some(form.shape.kind), ..Hints::default() };
    let mut decoded = Decoded::default();
    for board in 0..records.len() {
        let text = records.get(board);
        let plain = || Some(read_one(&plain_of(text)?, Some(Format::Plain), &hints, &Evidence::default()));
        let read = marked_in(text, &hints).or_else(plain).and_then(Result::ok);
        let Some(one) = read.filter(|one| one.batch.shape() == form.shape) else { continue };
        batch.copy_board(board, &one.batch, 0);
        decoded.good |= 1 << board;
        decoded.doubtful |= u64::from(!one.losses.is_empty()) << board;
    }
    decoded
}

/// The string of a text of several lines that is one board, if it is no sudoku of side 9.
fn string_of(text: &[u8]) -> Option<Vec<u8>> {
    let mut blocks = GridBlocks::new(text);
    let string = blocks.next()?.square?.string?;
    blocks.next().is_none().then(|| string.into())
}

/// Says what to do about a line of JSON that contains more than a grid. The words can follow the number of the line or
/// stand by themselves.
fn json_advice(line: &[u8]) -> Option<&'static str> {
    let start = line.trim_ascii_start();
    let object = start.strip_prefix(b"[").unwrap_or(start);
    object.starts_with(b"{").then_some(
        "is JSON with more than a grid in it, and --framing grid would lose the rest: make the grid a string, for example with \
         jq -c '.puzzle |= (flatten | join(\"\"))', and use --framing jsonl --field /puzzle",
    )
}

/// Returns the cell codes of a string that [`grid_cells`] made.
fn codes(text: &[u8]) -> Option<impl Iterator<Item = u16> + '_> {
    let codes = text.strip_prefix(b"\0").filter(|_| text.len() == WIDTH)?;
    Some(codes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])))
}

/// Reads a text that is exactly one grid.
fn read(text: &[u8], is_kind_known: bool) -> Result<GridCells, Reject> {
    let mut blocks = GridBlocks::new(text).with_kind_known(is_kind_known);
    let length = |words: &str| Err(Reject::whole(Code::Length, words));
    match (blocks.next(), blocks.next()) {
        (Some(block), None) => block.cells,
        (None, _) => length("it has no row of 9 cells"),
        // If they are one puzzle together, the first says so.
        (Some(block), Some(_)) => match block.cells {
            Err(reject) if matches!(reject.code, Code::Ambiguous | Code::Unsupported) => Err(reject),
            _ => length("these are several grids"),
        },
    }
}

/// Returns the plain string of a grid of another side than 9, which may be it already.
fn plain_of(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    if text.first() == Some(&MARK) || memchr::memchr(b'\n', text).is_none() {
        return plain::has_length_of_side(text).then_some(Cow::Borrowed(text));
    }
    string_of(text).map(Cow::Owned)
}

impl Codec for Grid {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
        if let Some(one) = marked_in(text, hints) {
            let shape = one?.batch.shape();
            if hints.kind.is_some_and(|kind| kind != shape.kind) {
                let words = format!("this is a {}; leave out --kind, or check it", shape.kind);
                return Err(Reject::whole(Code::Unsupported, words));
            }
            return Ok(Form { id: Format::Grid, shape, layout: Layout::Spec, width: 0 });
        }
        let kind = hints.kind.unwrap_or(Kind::Sudoku);
        if !kind.is_plain() {
            let words = format!("a grid has no {}, which --kind {kind} needs", super::needs(kind));
            return Err(Reject::whole(Code::Unsupported, words));
        }
        let shape = Shape::new(kind, Side::NINE);
        let width = if codes(text).is_some() { WIDTH } else { 0 };
        if width == 0 && hints.kind.is_none() && read(text, true).is_ok() {
            // Of the rest, it is said later why it is none.
            read(text, false)?;
        }
        if width == 0
            && let Some(plain) = plain_of(text)
        {
            return plain::recognise_side(&plain, hints).map(|form| Form { id: Format::Grid, width: 0, ..form });
        }
        Ok(Form { id: Format::Grid, shape, layout: Layout::Spec, width })
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, _: &Kernel) -> Decoded {
        batch.reset(form.shape, records.len());
        let hints = Hints { kind: Some(form.shape.kind), ..Hints::default() };
        if form.width == 0 && (0..records.len()).any(|board| marked_in(records.get(board), &hints).is_some()) {
            return decode_each(form, records, batch);
        }
        if form.shape.side != Side::NINE {
            return plain::decode_grids(form, batch, |board| plain_of(records.get(board)));
        }
        let mut good = 0;
        for board in 0..records.len() {
            let is_good = match codes(records.get(board)) {
                Some(codes) => {
                    let start = board * batch.stride();
                    let to = &mut batch.codes16_mut()[start..start + 81];
                    to.iter_mut().zip(codes).for_each(|(to, code)| *to = code);
                    to.iter().all(|&code| u32::from(code) <= CODES.max())
                }
                None => read(records.get(board), true).is_ok_and(|cells| {
                    cells.iter().enumerate().for_each(|(at, &cell)| batch.set_cell(board, at, cell));
                    true
                }),
            };
            good |= u64::from(is_good) << board;
        }
        Decoded { good, ..Decoded::default() }
    }

    fn remainder(&self, form: Form, text: &[u8]) -> Remainder {
        let hints = Hints { kind: Some(form.shape.kind), ..Hints::default() };
        let losses = marked_in(text, &hints).and_then(Result::ok).map(|one| one.losses);
        Remainder { losses: losses.unwrap_or_default(), ..Remainder::default() }
    }

    fn explain(&self, form: Form, text: &[u8]) -> Reject {
        let hints = Hints { kind: Some(form.shape.kind), ..Hints::default() };
        if let Some(Err(reject)) = marked_in(text, &hints) {
            return reject;
        }
        if form.shape.side != Side::NINE {
            return Reject::whole(Code::Unsupported, format!("it is no grid of side {}", form.shape.side));
        }
        if let Some(mut codes) = codes(text) {
            let cell = codes.position(|code| u32::from(code) > CODES.max());
            return cell.map_or_else(
                || super::no_fault("grid"),
                |cell| Reject::at(Code::Range, cell, 9, "there is no such cell code"),
            );
        }
        read(text, true).map_or_else(|reject| reject, |_| super::no_fault("grid"))
    }

    fn writes(&self, _: Shape) -> Result<Form, Reject> {
        Err(Reject::whole(Code::Unsupported, "grids can be read but not written; 'gridmill show' draws boards"))
    }

    fn holds(&self, _: Form) -> Holds {
        Holds { regions: false, cages: false, operators: false, black: false, ..Holds::all(&[Kind::Sudoku]) }
    }

    fn encode(&self, _: Form, _: &Batch, _: &Kernel, _: StringsOut<'_>) -> u64 {
        0 // `writes` refuses every shape
    }
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[Good {
        kind: Kind::Sudoku,
        text: "1 . . | . . . | 5 6 9\n4 9 2 | . 5 6 | 1 . 8\n. 5 6 | 1 . 9 | 2 4 .\n------+-------+------\n\
               . . 9 | 6 4 . | 8 . 1\n. 6 4 | . 1 . | . . .\n2 1 8 | . 3 5 | 6 . 4\n------+-------+------\n\
               . 4 . | 5 . . | . 1 6\n9 . 5 | . 6 1 | 4 . 2\n6 2 1 | . . . | . . 5\n",
        canonical: Some("100000569492056108056109240009640801064010000218035604040500016905061402621000005"),
    }],
    bad: &[BadSample { text: "100000569\n492056108\n", code: Code::Length, cell: None }],
}];
