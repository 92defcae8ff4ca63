//! Writes the JSON of a puzzle.

use super::box_shape;
use crate::board::{Batch, Cell, Shape, geometry};
use crate::error::Reject;
use crate::formats::neutral::{NeutralCage, cages_of, regions_of};

/// Writes the JSON of a board, with its keys in the order of f-puzzles.
pub(super) fn write_puzzle(batch: &Batch, board: usize) -> Result<String, Reject> {
    let Shape { kind, side } = batch.shape();
    let n = side.get();
    let regions = if kind.has_regions() { regions_of(batch, board)? } else { Vec::new() };
    let mut json = format!("{{\"size\":{n},\"grid\":[");
    for row in 0..n {
        json.push_str(if row == 0 { "[" } else { ",[" });
        for column in 0..n {
            if column > 0 {
                json.push(',');
            }
            let cell = row * n + column;
            write_cell(batch.cell(board, cell), (cell, n), regions.get(cell), &mut json);
        }
        json.push(']');
    }
    json.push(']');
    if kind.rules().houses.diagonals {
        json.push_str(",\"diagonal+\":true,\"diagonal-\":true");
    }
    if kind.rules().houses.colours {
        json.push_str(",\"disjointgroups\":true");
    }
    let names = |cells: &[u16]| {
        let name = |&cell: &u16| format!("\"R{}C{}\"", usize::from(cell) / n + 1, usize::from(cell) % n + 1);
        cells.iter().map(name).collect::<Vec<_>>().join(",")
    };
    if kind.rules().houses.windows {
        let windows = geometry(side).windows.iter().map(|cells| format!("{{\"cells\":[{}]}}", names(cells)));
        json.push_str(&format!(",\"extraregion\":[{}]", windows.collect::<Vec<_>>().join(",")));
    }
    if kind.has_cages() {
        let cage = |cage: &NeutralCage| {
            let value = cage.clue.map_or(String::new(), |sum| format!(",\"value\":\"{sum}\""));
            format!("{{\"cells\":[{}]{value}}}", names(&cage.cells))
        };
        let mut cages = cages_of(batch, board);
        // Cells in no cage. If there is no other cage, one of them says that this is a killer.
        let is_none = |cage: &NeutralCage| cage.clue.is_none() && cage.cells.len() == 1;
        match cages.iter().all(is_none) {
            true => cages.truncate(1),
            false => cages.retain(|cage| !is_none(cage)),
        }
        let cages: Vec<_> = cages.iter().map(cage).collect();
        json.push_str(&format!(",\"killercage\":[{}]", cages.join(",")));
    }
    json.push('}');
    Ok(json)
}

/// Writes the cell at a place of a board of side n. Its region is left out where f-puzzles has it anyway.
fn write_cell(cell: Cell, (at, n): (usize, usize), region: Option<&u8>, json: &mut String) {
    let (height, width) = box_shape(n);
    let mut members = Vec::new();
    if let Some(number) = region.map(|number| usize::from(number - 1))
        && number != at / n / height * height + at % n / width
    {
        members.push(format!("\"region\":{number}"));
    }
    match cell {
        Cell::Clue(digit) => members.push(format!("\"value\":{digit},\"given\":true")),
        Cell::Solved(digit) => members.push(format!("\"value\":{digit}")),
        Cell::Candidates(set) => {
            let digits = (1..=n).filter(|digit| set >> (digit - 1) & 1 == 1).map(|digit| digit.to_string());
            members.push(format!("\"centerPencilMarks\":[{}]", digits.collect::<Vec<_>>().join(",")));
        }
        _ => {}
    }
    json.push('{');
    json.push_str(&members.join(","));
    json.push('}');
}
