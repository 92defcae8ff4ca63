//! The framing `grid`: sudokus that span several lines. The format `grid` finds and reads them.

use super::{
    Asked, BYTE_ORDER_MARK, Beside, Framing, NamedFraming, Piece, RecordSort, Rows, TextRow, Unsuited, count_lines,
};
use crate::formats::{Format, GridBlocks, grid_cells};

pub(super) static GRID: NamedFraming = NamedFraming {
    name: "grid",
    plural: "grids",
    help: "Sudokus over several lines, with or without borders and candidates; each becomes one line",
    flags: &[],
    extensions: &["sdk", "ss", "sud"],
    rows_extension: None,
    beside: Beside::Nowhere,
    records: RecordSort::Blocks,
    make: |_| Ok(Box::new(Grids)),
};

/// Sudokus that span several lines. Each becomes one line. Text between them is kept and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Grids;

impl Framing for Grids {
    fn needs_whole_inputs(&self) -> Option<&'static str> {
        Some("has more than 1 GiB, the limit for grids; split it")
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

    fn begin(&mut self, first: &Piece, _: &Asked) -> Result<(), Unsuited> {
        if !is_json_over_lines(first.text) {
            return Ok(());
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
        let mut blocks = GridBlocks::new(piece.text);
        for block in &mut blocks {
            let (start, end, next) = (block.start as u32, block.end as u32, block.next as u32);
            let cells = block.cells.map(|cells| grid_cells(&cells));
            let row = TextRow { start, end, next, line: block.line as u32, fields: 0, list: false };
            rows.take_string(row, cells);
        }
        rows.text = blocks.lines_of_text();
        rows.lines = count_lines(piece.text);
    }
}

/// Whether a text begins with a JSON object, or a list of objects, that continues after its first line. If it ends with
/// that line, it is an ordinary line; lists of lists are grids.
fn is_json_over_lines(text: &[u8]) -> bool {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).trim_ascii_start();
    let object = text.strip_prefix(b"[").unwrap_or(text).trim_ascii_start();
    let first = memchr::memchr(b'\n', text).map_or(text, |feed| &text[..feed]).trim_ascii_end();
    let is_object = object.strip_prefix(b"{").is_some_and(|inner| inner.trim_ascii_start().starts_with(b"\""));
    is_object && first.len() < text.len() && !first.ends_with(b"}") && !first.ends_with(b"]")
}
