//! Descriptions of a string that was read, as text and as JSON.

use serde_json::{Map, Value, json};

use crate::board::{Batch, Cell};
use crate::draw;
use crate::error::{Reject, escape, plural};
use crate::formats::{DecodedString, Format, Losses, REGISTRY, losses};

/// Kind, side, layout and contents, in one line.
pub fn summary(one: &DecodedString) -> String {
    let shape = one.batch.shape();
    let mut counts = [0; 4];
    for i in 0..shape.side.cells() {
        match one.batch.cell(0, i) {
            Cell::Clue(_) | Cell::BlackClue(_) => counts[0] += 1,
            Cell::Solved(_) => counts[1] += 1,
            Cell::Candidates(_) => counts[2] += 1,
            Cell::Empty => counts[3] += 1,
            Cell::BlackEmpty => {}
        }
    }
    let layout = if one.form.has_layouts() { format!(", layout {}", one.form.layout) } else { String::new() };
    let clues = format!("clue{}", plural(counts[0]));
    let words = [&clues, "solved", "with candidates", "empty"];
    let cells: Vec<_> =
        counts.iter().zip(words).filter(|(n, _)| **n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    format!("{} {side}x{side}{layout}: {}", shape.kind, cells.join(", "), side = shape.side)
}

/// For each other format that is written, what it would lose of the board, or why it cannot hold it.
pub fn other_formats(one: &DecodedString) -> impl Iterator<Item = (Format, Result<Losses, Reject>)> {
    REGISTRY
        .iter()
        .map(|format| format.about().id)
        .filter(|&id| id != one.form.id && id.is_written())
        .map(|id| (id, losses_in(&one.batch, id)))
}

/// The whole description as JSON: `format`, `kind`, `side`, `layout` (Str8ts), `string`, `lost_in_reading`, `board`
/// (see [`draw::json`]) and `other_formats` (with `loses` or `unsupported` for each).
pub fn json(one: &DecodedString, string: &[u8]) -> Value {
    let shape = one.batch.shape();
    let mut value = json!({
        "format": one.form.id.name(),
        "kind": shape.kind.name(),
        "side": shape.side.get(),
        "string": escape(string),
        "lost_in_reading": loss_values(&one.losses),
        "board": draw::json(&one.batch, 0),
    });
    if one.form.has_layouts() {
        value["layout"] = one.form.layout.name().into();
    }
    let others = other_formats(one).map(|(id, result)| {
        let result = match result {
            Ok(losses) => json!({"loses": loss_values(&losses)}),
            Err(reject) => json!({"unsupported": reject.message}),
        };
        (id.name().to_string(), result)
    });
    value["other_formats"] = Value::Object(others.collect::<Map<_, _>>());
    value
}

fn losses_in(batch: &Batch, id: Format) -> Result<Losses, Reject> {
    let format = id.codec();
    let form = format.writes(batch.shape())?;
    match format.unwritable(form, batch, 0) {
        Some(reject) => Err(reject),
        None => Ok(losses(batch, 0, &format.holds(form))),
    }
}

/// The number of cells for each kind of loss; 0 if the loss concerns the whole board.
fn loss_values(losses: &Losses) -> Value {
    losses.iter().map(|(loss, cells)| (loss.name().to_string(), json!(cells))).collect::<Map<_, _>>().into()
}
