//! What is drawn on a puzzle: the two diagonals and the four windows are recognised. What other drawings mean only the rules
//! say, so they are refused.

use crate::error::Reject;
use crate::formats::json_values::{JsonValue, Members, is_nothing, list};
use crate::formats::neutral::NeutralBoard;

/// A place on the grid, in sides of cells from its corner: a row and a column.
fn place(value: &JsonValue) -> Option<(f64, f64)> {
    let [row, column] = value.as_array()? else { return None };
    Some((row.as_f64()?, column.as_f64()?))
}

/// The name that a program has given to the rule of a drawing.
fn feature<'v>(drawing: &'v JsonValue) -> &'v str {
    drawing.get("feature").and_then(|feature| feature.get("type")?.as_str()).unwrap_or_default()
}

pub(super) fn read_drawings(puzzle: &Members, board: &mut NeutralBoard) -> Result<(), Reject> {
    let side = board.side as f64;
    for line in list(puzzle, "lines")? {
        let points = line.get("wayPoints").and_then(JsonValue::as_array).unwrap_or_default();
        let ends = match points {
            [first, last] => place(first).zip(place(last)),
            _ => None,
        };
        let is_between = |from: (f64, f64), to: (f64, f64)| ends == Some((from, to)) || ends == Some((to, from));
        if is_between((0.0, 0.0), (side, side)) {
            board.further.falling = true;
        } else if is_between((0.0, side), (side, 0.0)) {
            board.further.rising = true;
        } else if feature(line) == "sudokux" {
            (board.further.rising, board.further.falling) = (true, true);
        } else {
            board.refuse("lines (drawing)");
        }
    }
    let is_window = |drawing: &&JsonValue| {
        let is_three = |key: &str| drawing.get(key).and_then(JsonValue::as_f64) == Some(3.0);
        let is_middle = |at: f64| at == 2.5 || at == 6.5;
        let centre = drawing.get("center").and_then(place);
        feature(drawing) == "windoku"
            || is_three("width")
                && is_three("height")
                && centre.is_some_and(|(row, column)| is_middle(row) && is_middle(column))
    };
    let underlays = list(puzzle, "underlays")?;
    let windows = underlays.iter().filter(is_window).count();
    let centres: Vec<_> = underlays.iter().filter(is_window).filter_map(|window| window.get("center")).collect();
    let are_apart = centres.iter().enumerate().all(|(at, centre)| !centres[at + 1..].contains(centre));
    let has_windows = board.side == 9 && windows == 4 && are_apart;
    board.further.windows |= has_windows;
    if underlays.len() > if has_windows { windows } else { 0 } {
        board.refuse("underlays (drawing)");
    }
    for (key, name) in [("arrows", "arrows (drawing)"), ("overlays", "overlays (drawing)")] {
        if puzzle.get(key).is_some_and(|value| !is_nothing(value)) {
            board.refuse(name);
        }
    }
    Ok(())
}
