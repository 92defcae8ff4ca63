//! Changes the cells, kind, regions and cages of a board, and writes its string again.

use gridmill_core::board::{Batch, Cell, Shape, geometry};
use gridmill_core::formats::{Format, write_one};
use gridmill_core::{Kind, Side};
use serde_json::{Map, Value, json};

use crate::answer::CallAnswer;
use crate::cages::BoardCages;
use crate::options::{CallOptions, field, text as text_of};
use crate::show;

/// Changes the board of a string, or an empty board if there is no string. The request has
///
/// - `options`: how to read the string;
/// - `kind`, `side`: the new shape of the board; cells are kept if it can have them;
/// - `cells`: a list of `[cell, content]`, with cells from 0 in reading order and contents as in `draw::json`;
/// - `regions`: a list of `[cell, region]`, with regions from 1;
/// - `cages`: see [`BoardCages::draw`].
///
/// The JSON of the answer has `string`, in v2.
pub(crate) fn edit(asked: &Value, text: &[u8]) -> Result<CallAnswer, String> {
    let asked = asked.as_object().ok_or("the request is not an object")?;
    let options = field(asked, "options").map_or_else(|| Ok(CallOptions::default()), CallOptions::read)?;
    let old = match text.trim_ascii() {
        b"" => None,
        string => Some(show::read(&options, string).map_err(|reject| reject.to_string())?.batch),
    };
    let shape = shape(asked, old.as_ref())?;
    let mut board = match old {
        Some(old) if old.shape() == shape => old,
        old => changed(shape, old.as_ref())?,
    };
    for (cell, what) in pairs(asked, "cells", shape)? {
        board.set_cell(0, cell, cell_of(what, shape)?);
    }
    for (cell, region) in pairs(asked, "regions", shape)? {
        let number = region.as_u64().filter(|number| (1..=shape.side.get() as u64).contains(number));
        let number = number.ok_or_else(|| format!("regions are numbered 1 to {}", shape.side))?;
        if !shape.kind.has_regions() {
            return Err(format!("a {} has no regions", shape.kind));
        }
        board.regions_mut()[cell] = number as u8;
    }
    if let Some(cages) = field(asked, "cages") {
        if !shape.kind.has_cages() {
            return Err(format!("a {} has no cages", shape.kind));
        }
        let mut all = BoardCages::read(&board);
        all.draw(cages, shape)?;
        all.write(&mut board)?;
    }
    let string = write_one(&board, 0, Format::V2).map_err(|reject| reject.to_string())?;
    Ok(CallAnswer::new(&json!({ "string": string })))
}

fn shape(asked: &Map<String, Value>, old: Option<&Batch>) -> Result<Shape, String> {
    let kind = match (field(asked, "kind"), old) {
        (Some(kind), _) => text_of("kind", kind)?.parse()?,
        (None, Some(old)) => old.shape().kind,
        (None, None) => Kind::Sudoku,
    };
    let side = match (field(asked, "side"), old) {
        (Some(side), _) => {
            let number = side.as_u64().and_then(|side| Side::new(side as usize));
            number.ok_or_else(|| format!("there are no boards of side {side}"))?
        }
        (None, Some(old)) => old.shape().side,
        (None, None) => Side::NINE,
    };
    if !kind.rules().sides.contains(&(side.get() as u8)) {
        let sides: Vec<_> = kind.rules().sides.iter().map(u8::to_string).collect();
        return Err(format!("a {kind} has the sides {}, not {side}", sides.join(", ")));
    }
    Ok(Shape::new(kind, side))
}

/// A board of another shape with the cells of the old one, as far as both have them.
fn changed(shape: Shape, old: Option<&Batch>) -> Result<Batch, String> {
    let mut board = Batch::new();
    board.reset(shape, 1);
    for cell in 0..shape.side.cells() {
        let before = old.filter(|old| old.shape().side == shape.side).map_or(Cell::Empty, |old| old.cell(0, cell));
        let kept = match before {
            Cell::BlackEmpty if !shape.kind.has_black() => Cell::Empty,
            Cell::BlackClue(digit) if !shape.kind.has_black() => Cell::Clue(digit),
            other => other,
        };
        board.set_cell(0, cell, kept);
    }
    let old = old.filter(|old| old.shape().side == shape.side);
    if shape.kind.has_regions() {
        match old.filter(|old| old.shape().kind.has_regions()) {
            Some(old) => {
                board.regions_mut()[..shape.side.cells()].copy_from_slice(&old.regions()[..shape.side.cells()])
            }
            None => {
                let boxes = geometry(shape.side).box_of.iter();
                board.regions_mut().iter_mut().zip(boxes).for_each(|(region, &of)| *region = of + 1);
            }
        }
    }
    if shape.kind.has_cages() {
        let old = old.filter(|old| old.shape().kind.has_cages());
        old.map_or_else(|| BoardCages::rows(shape), BoardCages::read).write(&mut board)?;
    }
    Ok(board)
}

/// A list of cells, each with a value.
fn pairs<'v>(asked: &'v Map<String, Value>, name: &str, shape: Shape) -> Result<Vec<(usize, &'v Value)>, String> {
    let Some(list) = field(asked, name) else { return Ok(Vec::new()) };
    let list = list.as_array().ok_or_else(|| format!("{name} must be a list"))?;
    let pair = |pair: &'v Value| {
        let [cell, what] = pair.as_array()?.as_slice() else { return None };
        let cell = cell.as_u64().filter(|&cell| cell < shape.side.cells() as u64)?;
        Some((cell as usize, what))
    };
    list.iter().map(|one| pair(one).ok_or_else(|| format!("{one} is not a cell for {name}"))).collect()
}

/// A cell from JSON.
fn cell_of(what: &Value, shape: Shape) -> Result<Cell, String> {
    let side = shape.side.get() as u64;
    let digit = |value: &Value| value.as_u64().filter(|digit| (1..=side).contains(digit)).map(|digit| digit as u8);
    let wrong = || format!("a {} of side {side} has no cell with {what}", shape.kind);
    let map = what.as_object().ok_or_else(wrong)?;
    let black = field(map, "black").is_some_and(|black| black == true);
    if black && !shape.kind.has_black() {
        return Err(wrong());
    }
    if let Some(value) = field(map, "clue") {
        let digit = digit(value).ok_or_else(wrong)?;
        return Ok(if black { Cell::BlackClue(digit) } else { Cell::Clue(digit) });
    }
    if black {
        return Ok(Cell::BlackEmpty);
    }
    if let Some(value) = field(map, "solved") {
        return Ok(Cell::Solved(digit(value).ok_or_else(wrong)?));
    }
    let Some(list) = field(map, "candidates") else { return Ok(Cell::Empty) };
    let digits = list.as_array().ok_or_else(wrong)?.iter().map(digit);
    let mask = digits.map(|digit| digit.map(|digit| 1 << (digit - 1))).sum::<Option<u32>>().ok_or_else(wrong)?;
    Ok(if mask == 0 { Cell::Empty } else { Cell::Candidates(mask) })
}
