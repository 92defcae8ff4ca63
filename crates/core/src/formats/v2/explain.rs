//! Explains why a v2 string was rejected: which cell is invalid, and why.

use super::fields::{FieldSizes, FieldValues};
use super::{HEADER, OpenCages, cages, str8ts_layouts};
use crate::error::{Code, Reject};
use crate::formats::text::{characters, explain_cells, number, wrong_length};
use crate::formats::{Form, no_fault};

/// Explains why a string with the header of `form` was rejected.
pub(super) fn explain(form: Form, text: &[u8]) -> Reject {
    let (fields, side) = (FieldSizes::in_layout(form.shape, form.layout), form.shape.side.get());
    let characters = characters(text);
    if characters.len() != form.width {
        return wrong_length(text, &form.width.to_string());
    }
    let body = &characters[HEADER..];
    let fault = explain_cells(body, 36, fields.width, side, |_, value| {
        let words = if value > fields.max {
            format!("value {value} is more than {}", fields.max)
        } else if form.shape.kind.has_black() {
            // Only one value in the range of a layout has no meaning.
            let unused = str8ts_layouts::to_spec(form.layout, form.shape.side, value as u32).is_none();
            return unused.then(|| (Code::Range, format!("{value} is not a cell code in the layout {}", form.layout)));
        } else {
            let (field, value, high) = fields.fault(&fields.split(value))?;
            format!("{field} {value} is more than {high}")
        };
        Some((Code::Range, words))
    });
    if let Some(reject) = fault {
        return reject;
    }
    let cells = body.chunks(fields.width).map(|digits| number(digits, 36, 0, side).unwrap_or(0));
    let cells: Vec<FieldValues> = cells.map(|value| fields.split(value)).collect();
    let colours: Vec<u8> = cells.iter().map(|cell| cell.colour as u8).collect();
    let contents: Vec<u16> = cells.iter().map(|cell| cell.content as u16).collect();
    match cages::fault(form.shape.kind, side, &colours, &contents, OpenCages::Held)
        .filter(|_| form.shape.kind.has_cages())
    {
        Some((cell, words)) => Reject::at(Code::Cage, cell, side, words),
        None => no_fault("v2"),
    }
}
