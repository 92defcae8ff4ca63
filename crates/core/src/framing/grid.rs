//! The framing `grid`: sudokus that span several lines. The format `grid` finds and reads them.

use memchr::{memchr, memchr_iter, memrchr};

use super::chunk::{Cut, Limits};
use super::cutter::{Cutter, TextBefore};
use super::{
    Asked, BYTE_ORDER_MARK, Beside, Framing, NamedFraming, Piece, RecordSort, RowWriter, Rows, TextRow, Unsuited,
    count_lines,
};
use crate::formats::{Format, GridBlocks, Within, find_puzzle_cut, is_too_long_for_grid};
use crate::kernels::Kernel;

pub(super) static GRID: NamedFraming = NamedFraming {
    name: "grid",
    plural: "grids",
    help: "Boards over several lines, with or without borders, candidates and maps of regions or cages; each becomes one line",
    flags: &[],
    extensions: &["sdk", "ss", "sud"],
    rows_extension: None,
    beside: Beside::Nowhere,
    records: RecordSort::Blocks,
    within: Within::Field,
    make: |_| Ok(Box::new(Grids::default())),
};

/// Sudokus that span several lines. Each becomes one line. Text between them is kept and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Grids {
    /// Whether the user says of what kind they are.
    is_kind_known: bool,
}

impl Framing for Grids {
    fn cutter(&self, _: &'static Kernel) -> Option<Box<dyn Cutter>> {
        Some(Box::new(GridCutter::default()))
    }

    fn too_long(&self, piece: &[u8]) -> Option<&'static str> {
        let is_one_line = memchr(b'\n', piece).is_none_or(|feed| feed + 1 == piece.len());
        if is_one_line && is_too_long_for_grid(piece) {
            let line = piece.strip_suffix(b"\n").unwrap_or(piece);
            (line.len() > LONGEST_LINE).then_some("has a line of more than 16 MiB, which cannot be a line of a grid")
        } else {
            (piece.len() > LONGEST).then_some(
                "has more than 4 MiB in which nothing shows where a grid ends; put a line of text between grids or, if there \
                 are only rows, nine of each grid, a blank line: awk 'NF { print; if (++n % 9 == 0) print \"\" }'",
            )
        }
    }

    fn check(&self, asked: &Asked) -> Result<(), String> {
        let words = if asked.from.is_some() {
            "--framing grid reads only grids; leave out --from"
        } else if !asked.names.is_empty() {
            "solutions cannot be appended to grids; leave out --solutions"
        } else {
            return Ok(());
        };
        Err(words.into())
    }

    fn begin(&mut self, first: &Piece, asked: &Asked) -> Result<(), Unsuited> {
        self.is_kind_known = asked.hints.kind.is_some();
        if !is_json_over_lines(first.text) {
            return Ok(());
        }
        if is_object_of_rows(first.text) {
            return Err(Unsuited::Input(format!("it is {OBJECT_OF_ROWS}")));
        }
        let words = "it is JSON over several lines, of which --framing grid would skip everything but the grid: make each object one line and its grid \
                     a string, for example with jq -c '.grid |= (flatten | join(\"\"))' (of a list of objects '.[] | .grid |= ...'), and use \
                     --framing jsonl --field /grid";
        Err(Unsuited::Input(words.into()))
    }

    fn format(&self, _: Option<Format>) -> Option<Format> {
        Some(Format::Grid)
    }

    fn find_rows(&self, piece: &Piece, _: bool, rows: &mut Rows) {
        let mut blocks = GridBlocks::of_rest(piece.text, piece.before.lines).with_kind_known(self.is_kind_known);
        for block in &mut blocks {
            let (start, end, next) = (block.start as u32, block.end as u32, block.next as u32);
            let line = block.line.saturating_sub(piece.before.lines as u64) as u32;
            let row = TextRow { start, end, next, line, fields: 0, list: false };
            rows.take_string(row, block.string());
        }
        rows.text = blocks.lines_of_text();
        rows.lines = count_lines(piece.text);
    }
}

impl RowWriter for Grids {}

/// The most bytes of a piece of several lines. Reading grids that nothing separates takes about ten times their size,
/// since they are grids only if there are no lines left in the end.
const LONGEST: usize = 4 << 20;

/// The most bytes of a line. Lines that belong to grids are much shorter, but a longer one is refused as a whole.
const LONGEST_LINE: usize = 16 << 20;

/// Cuts text between grids, and counts its lines.
#[derive(Debug, Clone, Copy, Default)]
struct GridCutter {
    /// The number of lines before the current piece.
    lines: usize,
}

impl Cutter for GridCutter {
    fn fresh(&self) -> Box<dyn Cutter> {
        Box::new(Self::default())
    }

    fn before(&self) -> TextBefore {
        TextBefore { lines: self.lines, ..TextBefore::default() }
    }

    fn enough(&self, _: Limits) -> usize {
        LONGEST_LINE + 1
    }

    /// A piece that [`Grids::too_long`] refuses is one that cannot be cut.
    fn cut(&mut self, text: &[u8], complete: bool, limits: Limits) -> Option<Cut> {
        let head = &text[..text.len().min(LONGEST_LINE + 1)];
        let first = &head[..memchr(b'\n', head).map_or(head.len(), |feed| feed + 1)];
        let end = if is_too_long_for_grid(first) {
            // Nothing before or after it belongs to the same grid.
            let is_known = first.ends_with(b"\n") || complete || first.len() > LONGEST_LINE;
            is_known.then_some(first.len())
        } else {
            find_cut(text, complete, limits.begin())
        }?;
        self.lines += memchr_iter(b'\n', &text[..end]).count();
        Some(Cut { end, open: false })
    }

    fn cut_early(&mut self, _: &[u8], _: Limits) -> Option<Cut> {
        None
    }
}

/// Finds where to cut a text whose first line is not too long for a grid. `begin` is the fewest bytes of a piece.
fn find_cut(text: &[u8], complete: bool, begin: usize) -> Option<usize> {
    let is_last = complete || text.len() > LONGEST;
    let text = &text[..text.len().min(LONGEST + 1)];
    // If the line there is too long, the text is cut before it.
    let start = memrchr(b'\n', &text[..begin.min(text.len())]).or_else(|| memchr(b'\n', text));
    let cut = start.and_then(|feed| find_puzzle_cut(text, feed + 1));
    cut.or_else(|| (is_last && !text.is_empty()).then_some(text.len()))
}

/// What to do about a JSON object whose members are the rows of a grid.
pub(super) const OBJECT_OF_ROWS: &str = "a JSON object with the rows of a grid as members: make them a list on one line, for example \
    with jq -c '[.[]]', and use --framing grid";

/// Whether a text is a JSON object with nine members, each a list or string of nine cells on a line of its own.
pub(super) fn is_object_of_rows(text: &[u8]) -> bool {
    let is_row = |line: &[u8]| {
        let line = line.trim_ascii();
        let value =
            line.strip_prefix(b"\"").and_then(|member| Some(&member[memchr::memmem::find(member, b"\":")? + 2..]));
        let is_cell = |byte: &&u8| byte.is_ascii_digit() || b"._".contains(byte);
        let is_sign = |byte: &u8| byte.is_ascii_digit() || b"._[]\", ".contains(byte);
        value.is_some_and(|value| value.iter().all(is_sign) && value.iter().filter(is_cell).count() == 9)
    };
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    lines.next() == Some(b"{")
        && lines.by_ref().take(9).filter(|line| is_row(line)).count() == 9
        && lines.next() == Some(b"}")
}

/// Whether a text begins with a JSON object, or a list of objects, that continues after its first line. If it ends with
/// that line, it is an ordinary line; lists of lists are grids.
fn is_json_over_lines(text: &[u8]) -> bool {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).trim_ascii_start();
    let object = text.strip_prefix(b"[").unwrap_or(text).trim_ascii_start();
    let first = memchr(b'\n', text).map_or(text, |feed| &text[..feed]).trim_ascii_end();
    let is_object = object.strip_prefix(b"{").is_some_and(|inner| inner.trim_ascii_start().starts_with(b"\""));
    is_object && first.len() < text.len() && !first.ends_with(b"}") && !first.ends_with(b"]")
}
