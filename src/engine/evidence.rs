//! The evidence about layouts of strings that a chunk of text gives.

use super::chunk_bounds::ChunkBounds;
use super::fields::piece;
use super::worker::is_between_records;
use crate::convert::Conversion;
use crate::formats::Evidence;
use crate::framing::{Framing, Rows, line_at};
use crate::kernels::Kernel;
use crate::source::Chunk;

/// Returns the evidence in the records that begin in the first `window` bytes of a chunk. Those that are cut by its bounds
/// do not count.
pub(super) fn weigh(
    framing: &dyn Framing,
    plan: &Conversion,
    kernel: &'static Kernel,
    chunk: &Chunk,
    window: usize,
) -> Evidence {
    if chunk.unclosed().is_some() {
        return Evidence::default();
    }
    let bounds = ChunkBounds::of(chunk, plan.bad);
    let text = &chunk.text()[bounds.start..bounds.tail];
    let window = window.saturating_sub(bounds.start);
    if framing.facts().is_lines {
        let lines = std::iter::successors(line_at(text, 0), |line| line_at(text, line.next));
        let records = lines.take_while(|line| line.start < window).map(|line| &text[line.start..line.end]);
        return plan.weigh(records.filter(|record| !is_between_records(plan, record)));
    }
    let mut rows = Rows::default();
    let body = if chunk.shape.first { framing.header(text).min(text.len()) } else { 0 };
    framing.rows(&piece(chunk, bounds.start + body..bounds.tail, kernel), false, &mut rows);
    let within = rows.rows.iter().take_while(|row| body + (row.start as usize) < window);
    let fields: usize = within.map(|row| row.fields as usize).sum();
    let plan = Conversion { from: framing.format(plan.from), ..*plan };
    plan.weigh(rows.strings(&text[body..]).take(fields))
}
