//! A board as JSON.

use serde_json::{Map, Value, json};

use super::view::{BoardView, DrawnCage, digits};
use crate::board::{Batch, Cell};

/// Everything on board `board` of a batch, as JSON.
///
/// ```text
/// {
///   "kind": "killer",              a name of docs/FORMATS.md, "Kinds"
///   "side": 9,                     cells in a row, and the largest digit
///   "box": {"rows": 3, "columns": 3},   the shape of a box; kinds with boxes only
///   "cells": [[...], ...],         a list of cells for each row; r4c7 is the seventh of the fourth list. A cell is
///                                    {}                          empty
///                                    {"clue": 5}                 given
///                                    {"solved": 5}               entered
///                                    {"candidates": [1, 5]}      ascending, not empty
///                                  and with "black": true (str8ts kinds) it is black, with a clue or without
///   "regions": [[1, 1, 2, ...], ...],   the region number of each cell, row by row; kinds with regions only
///   "cages": [{                    in the order of their first cells; kinds with cages only
///     "cells": ["r1c1", "r1c2"],     in reading order; rows and columns count from 1
///     "clue": 15,                    the sum (killer) or the result (KenKen); 0 if the board has none
///     "operator": "x",               "+", "-", "x" or "/"; KenKen cages of more than one cell only
///     "colour": 1                    1..5; neighbouring cages differ
///   }],
///   "groups": {                    extra groups of a wolfram string; boards with such groups only
///     "outlined": [["r1c1", ...], ...],
///     "coloured": [["r1c1", ...], ...]
///   }
/// }
/// ```
///
/// What follows from the kind (diagonals, windows, colour groups) is not included. Fields may be added, and their order
/// is unspecified.
///
/// # Panics
/// If the batch has no board `board`.
pub fn json(batch: &Batch, board: usize) -> Value {
    let view = BoardView::new(batch, board);
    let (kind, side) = (view.shape.kind, view.side());
    let cells: Vec<Value> = view.cells.iter().map(|&cell| cell_value(cell)).collect();
    let mut out = Map::new();
    out.insert("kind".into(), kind.name().into());
    out.insert("side".into(), side.into());
    if let (true, Some((rows, columns))) = (kind.rules().houses.boxes, view.shape.side.box_shape()) {
        out.insert("box".into(), json!({"rows": rows, "columns": columns}));
    }
    out.insert("cells".into(), cells.chunks(side).collect());
    if kind.has_regions() {
        let start = board * batch.stride();
        let numbers = &batch.regions()[start..start + view.cells.len()];
        out.insert("regions".into(), numbers.chunks(side).map(Value::from).collect());
    }
    if kind.has_cages() {
        out.insert("cages".into(), view.cages.iter().map(|cage| cage_value(cage, side)).collect());
    }
    if let Some(groups) = batch.groups(board) {
        let list =
            |groups: &[[u8; 9]]| -> Value { groups.iter().map(|g| names(g.iter().map(|&i| i.into()), side)).collect() };
        let groups = json!({"outlined": list(&groups.outlined), "coloured": list(&groups.coloured)});
        out.insert("groups".into(), groups);
    }
    Value::Object(out)
}

fn cell_value(cell: Cell) -> Value {
    match cell {
        Cell::Empty => json!({}),
        Cell::Clue(d) => json!({"clue": d}),
        Cell::Solved(d) => json!({"solved": d}),
        Cell::Candidates(mask) => json!({"candidates": digits(mask).collect::<Vec<_>>()}),
        Cell::BlackEmpty => json!({"black": true}),
        Cell::BlackClue(d) => json!({"black": true, "clue": d}),
    }
}

fn cage_value(cage: &DrawnCage, side: usize) -> Value {
    let mut value = json!({"cells": names(cage.cells.iter().copied(), side), "clue": cage.clue, "colour": cage.colour});
    if let Some(operator) = cage.operator {
        value["operator"] = operator.to_string().into();
    }
    value
}

/// Cells as `r4c7`.
fn names(cells: impl Iterator<Item = usize>, side: usize) -> Value {
    cells.map(|i| format!("r{}c{}", i / side + 1, i % side + 1)).collect()
}
