//! Reads the two layers of a puzzle: what its setter has drawn, and what a player has.

use std::collections::BTreeMap;

use super::edges::{read_edges, refuse_drawn_cages};
use super::place::{Place, point, point_of_key};
use crate::board::Mask;
use crate::error::{Code, Reject};
use crate::formats::json_values::{JsonValue, Members, is_nothing, list, unknown_keys};
use crate::formats::losses::Loss;
use crate::formats::neutral::{NeutralBoard, NeutralCage};

/// Lists of what is drawn, which have rules of their own.
const LISTS: [&str; 6] = ["thermo", "nobulbthermo", "arrows", "direction", "squareframe", "polygon"];

/// What is drawn, and has no meaning by itself.
const DRAWINGS: [&str; 6] = ["symbol", "line", "freeline", "freelineE", "wall", "surface"];

/// What is read elsewhere, says nothing about a puzzle, or only how its grid is drawn.
const OTHERS: [&str; 9] = [
    "number",
    "numberS",
    "lineE",
    "cage",
    "killercages",
    "deletelineE",
    "command_redo",
    "command_undo",
    "command_replay",
];

/// Reads the layer of the setter. What no kind has is noted on the board.
pub(super) fn read_question(layer: &Members, place: &Place, board: &mut NeutralBoard) -> Result<(), Reject> {
    read_numbers(layer, place, board, false)?;
    read_edges(&members(layer, "lineE")?, place, board)?;
    read_cages(layer, place, board)?;
    for name in LISTS {
        if list(layer, name)?.iter().any(|drawn| !is_nothing(drawn)) {
            board.refuse(name);
        }
    }
    for name in DRAWINGS {
        if has_members(layer, name)? {
            board.refuse(format!("{name} (drawing)"));
        }
    }
    refuse_unknown(layer, board);
    Ok(())
}

/// Reads the layer of the player: digits and notes. What else is drawn there are marks.
pub(super) fn read_answer(layer: &Members, place: &Place, board: &mut NeutralBoard) -> Result<(), Reject> {
    read_numbers(layer, place, board, true)?;
    for (key, _) in members(layer, "numberS")? {
        match place.cell_of_quarter(point_of_key(key)?) {
            Some(cell) => board.cells[cell].has_corner_notes = true,
            None => board.lose(Loss::Marks),
        }
    }
    let says = |name: &&str| match layer.get(name) {
        Some(JsonValue::Array(drawn)) => drawn.iter().any(|drawn| !is_nothing(drawn)),
        Some(JsonValue::Object(drawn)) => drawn.iter().any(|(_, drawn)| !drawn.is_null()),
        value => value.is_some_and(|value| !is_nothing(value)),
    };
    if LISTS.iter().chain(&DRAWINGS).chain(&["lineE", "cage", "killercages", "deletelineE"]).any(says) {
        board.lose(Loss::Marks);
    }
    refuse_unknown(layer, board);
    Ok(())
}

fn refuse_unknown(layer: &Members, board: &mut NeutralBoard) {
    let known: Vec<&str> = LISTS.iter().chain(&DRAWINGS).chain(&OTHERS).copied().collect();
    unknown_keys(layer, &known).for_each(|key| board.refuse(format!("unknown: {key}")));
}

/// The members of a part of a layer that are not null.
pub(super) fn members<'l, 't>(layer: &'l Members<'t>, name: &str) -> Result<Vec<(&'l str, &'l JsonValue<'t>)>, Reject> {
    match layer.get(name).filter(|value| !is_nothing(value)) {
        None => Ok(Vec::new()),
        Some(JsonValue::Object(members)) => Ok(members.iter().filter(|member| !member.1.is_null()).collect()),
        Some(_) => Err(Reject::whole(Code::Range, format!("{name} is no object"))),
    }
}

/// Whether a part of a layer has members, null or not.
fn has_members(layer: &Members, name: &str) -> Result<bool, Reject> {
    members(layer, name)?;
    Ok(layer.get(name).is_some_and(|value| !is_nothing(value)))
}

/// Reads the numbers in cells.
fn read_numbers(layer: &Members, place: &Place, board: &mut NeutralBoard, is_answer: bool) -> Result<(), Reject> {
    for (key, item) in members(layer, "number")? {
        let Some((value, item)) = number_item(item, "a number")? else { continue };
        let Some(cell) = place.cell(point_of_key(key)?) else {
            board.refuse("numbers outside the grid");
            continue;
        };
        let style = item.get(2).map_or("1".to_string(), as_text);
        match (style.as_str(), is_answer) {
            ("7", _) => read_candidates(value, cell, board)?,
            // What players write small are candidates.
            ("5" | "6", true) => read_small(&as_text(value), cell, board),
            _ => read_digit(&as_text(value), cell, board, is_answer),
        }
    }
    Ok(())
}

/// A number with what stands beside it: its text, its colour, and its style. Returns the text and all, or `None` if it says nothing.
fn number_item<'v, 't>(
    item: &'v JsonValue<'t>,
    what: &str,
) -> Result<Option<(&'v JsonValue<'t>, &'v [JsonValue<'t>])>, Reject> {
    let wrong = |words: &str| Reject::whole(Code::Range, format!("{what} {words}"));
    match item {
        item if is_nothing(item) => Ok(None),
        JsonValue::Array(item) => match item.first() {
            None | Some(JsonValue::Null) => Err(wrong("has no text")),
            Some(value) => Ok(Some((value, item))),
        },
        _ => Err(wrong("is no list of a text, a colour and a style")),
    }
}

fn as_text(value: &JsonValue) -> String {
    match value {
        JsonValue::String(text) => text.to_string(),
        JsonValue::Null => String::new(),
        value => value.to_string(),
    }
}

/// Candidates, each 0 or 1.
fn read_candidates(flags: &JsonValue, cell: usize, board: &mut NeutralBoard) -> Result<(), Reject> {
    let no_list = || Reject::at(Code::Range, cell, board.side, "candidates are no list");
    let (flags, side) = (flags.as_array().ok_or_else(no_list)?, board.side);
    for (at, _) in flags.iter().enumerate().filter(|flag| !is_nothing(flag.1)) {
        if at >= side || at >= Mask::BITS as usize {
            return Err(Reject::at(Code::Range, cell, side, "a candidate is no digit of the board"));
        }
        board.cells[cell].centre |= 1 << at;
    }
    Ok(())
}

fn read_small(text: &str, cell: usize, board: &mut NeutralBoard) {
    for sign in text.chars().filter(|sign| *sign != ' ') {
        match sign.to_digit(10) {
            Some(digit @ 1..) if digit as usize <= board.side && board.side <= 9 => {
                board.cells[cell].centre |= 1 << (digit - 1);
            }
            _ => board.refuse("notes that are no digits"),
        }
    }
}

fn read_digit(text: &str, cell: usize, board: &mut NeutralBoard, is_answer: bool) {
    let digits = text.trim_matches(' ');
    let is_number = (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    match digits.parse().ok().filter(|_| is_number) {
        Some(digit) if (1..=board.side).contains(&usize::from(digit)) => match is_answer {
            true if ![0, digit].contains(&board.cells[cell].given) => board.refuse("digits over clues"),
            true => board.cells[cell].solved = digit,
            false => board.cells[cell].given = digit,
        },
        Some(_) => board.refuse("numbers out of range"),
        None if text.trim().is_empty() => {}
        None => board.refuse("text in cells"),
    }
}

/// Reads cages. The sum of one stands in the corner of one of its cells. Other small numbers, and lines that are drawn like those
/// of cages, have no meaning by themselves.
fn read_cages(layer: &Members, place: &Place, board: &mut NeutralBoard) -> Result<(), Reject> {
    let mut small = BTreeMap::new();
    for (key, number) in members(layer, "numberS")? {
        let point = point_of_key(key)?;
        small.extend(number_item(number, "a small number")?.map(|(text, _)| (point, as_text(text))));
    }
    for cage in list(layer, "killercages")?.iter().filter(|cage| !is_nothing(cage)) {
        let no_cage = || Reject::whole(Code::Range, "a cage is no list of cells");
        let mut points = cage.as_array().ok_or_else(no_cage)?.iter().map(point).collect::<Result<Vec<_>, _>>()?;
        points.sort_unstable();
        if points.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Reject::whole(Code::Range, "a cage has a cell twice"));
        }
        let Some(cells) = points.iter().map(|&point| Some(place.cell(point)? as u16)).collect::<Option<Vec<_>>>()
        else {
            board.refuse("a cage outside the grid");
            continue;
        };
        let sum = points.iter().find_map(|&point| small.remove(&place.quarter(point)));
        let digits = sum.as_deref().unwrap_or_default().trim();
        let is_sum = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        let clue = digits.parse().ok().filter(|_| is_sum);
        if !digits.is_empty() && clue.is_none() {
            board.refuse("cage with text");
        }
        board.cages.push(NeutralCage { cells, clue, operator: 0 });
    }
    if !small.is_empty() {
        board.refuse("small numbers (drawing)");
    }
    if board.cages.is_empty() && has_members(layer, "cage")? {
        board.refuse("cage (drawing)");
    }
    refuse_drawn_cages(&members(layer, "cage")?, place, board)
}
