//! Reads the JSON of a puzzle.

use super::box_shape;
use super::grid::read_usual_grid;
use crate::error::{Code, Reject};
use crate::formats::json_values::{
    Arena, JsonNumber, JsonValue, Members, is_nothing, items, list, number, parse_puzzle, text_of, unknown_keys,
};
use crate::formats::losses::Loss;
use crate::formats::neutral::{NeutralBoard, NeutralCage, NeutralRegions};

/// Constraints, which no kind has, by their keys.
const CONSTRAINTS: &[&str] = &[
    "antiknight",
    "antiking",
    "nonconsecutive",
    "arrow",
    "littlekillersum",
    "odd",
    "even",
    "minimum",
    "maximum",
    "rowindexer",
    "columnindexer",
    "boxindexer",
    "thermometer",
    "palindrome",
    "renban",
    "whispers",
    "regionsumline",
    "difference",
    "xv",
    "ratio",
    "clone",
    "quadruple",
    "betweenline",
    "lockout",
    "sandwichsum",
    "xsum",
    "skyscraper",
    "entropicline",
    "modularline",
    "nabner",
    "doublearrow",
    "zipperline",
    "slowthermometer",
    "triggereffect",
    "fogofwar",
    "foglight",
];

/// Keys of drawings, whose meaning only the rules say.
const DRAWINGS: &[&str] = &["line", "rectangle", "circle", "text"];

/// Keys that are read below, and keys without a meaning for the puzzle.
const KNOWN: &[&str] = &[
    "size",
    "title",
    "author",
    "ruleset",
    "grid",
    "extraregion",
    "killercage",
    "cage",
    "diagonal+",
    "diagonal-",
    "disjointgroups",
    "negative",
    "solution",
    "highlightConflicts",
    "disabledlogic",
    "truecandidatesoptions",
    "successMessage",
    "metadata",
];

/// Keys of a killer cage that are read below, or only say how it is drawn.
const CAGE: &[&str] = &["cells", "value", "outlineC", "fontC", "hidden"];

/// How many bytes the values of a character take, in most puzzles at most.
const ROOM: usize = 8;

fn wrong(words: &str) -> Reject {
    Reject::whole(Code::Range, words.to_string())
}

/// Reads the JSON of a puzzle. What no kind has is noted on the board.
pub(super) fn read_puzzle(json: &str) -> Result<NeutralBoard, Reject> {
    read_usual_puzzle(json).map_or_else(|| read_any_puzzle(json), Ok)
}

/// Reads a puzzle in whatever JSON.
fn read_any_puzzle(json: &str) -> Result<NeutralBoard, Reject> {
    let arena = Arena::with_capacity(ROOM * json.len().min(1 << 14));
    let value = parse_puzzle(&arena, json, "what it unpacks to is")?;
    let no_grid = || Reject::whole(Code::Length, "what it unpacks to has no grid");
    let puzzle = value.as_object().ok_or_else(no_grid)?;
    let rows = puzzle.get("grid").and_then(JsonValue::as_array).ok_or_else(no_grid)?;
    let side = match puzzle.get("size") {
        None => rows.len(),
        Some(size) => size.as_u64().and_then(|size| usize::try_from(size).ok()).ok_or_else(|| {
            let said = size.as_str().map_or("it is no number", |_| "it is a text between quotes");
            Reject::whole(Code::Length, format!("the size of its grid must be a number such as 9, but {said}"))
        })?,
    };
    if rows.len() != side || rows.iter().any(|row| row.as_array().is_none_or(|row| row.len() != side)) {
        return Err(Reject::whole(Code::Length, format!("its grid has not {side} rows of {side} cells")));
    }
    let mut board = NeutralBoard::new(side)?;
    read_grid(rows, &mut board)?;
    read_rest(puzzle, &mut board)?;
    Ok(board)
}

/// Reads a puzzle that begins as most do. `None` for any other, and for any fault, which is then found in the whole text.
fn read_usual_puzzle(json: &str) -> Option<NeutralBoard> {
    let (mut board, rest) = read_usual_grid(json)?;
    if rest == "}" {
        return Some(board);
    }
    let others = ["{", rest.strip_prefix(',').filter(|others| others.starts_with('"'))?].concat();
    let arena = Arena::with_capacity(ROOM * others.len());
    let value = parse_puzzle(&arena, &others, "").ok()?;
    let others = value.as_object().filter(|others| others.get("size").is_none() && others.get("grid").is_none())?;
    read_rest(others, &mut board).ok()?;
    Some(board)
}

/// Reads everything but the size and the grid.
fn read_rest(puzzle: &Members, board: &mut NeutralBoard) -> Result<(), Reject> {
    let side = board.side;
    let is_set = |key: &str| puzzle.get(key).is_some_and(|value| !is_nothing(value));
    board.further.rising = is_set("diagonal+");
    board.further.falling = is_set("diagonal-");
    board.further.disjoint = is_set("disjointgroups");
    for group in list(puzzle, "extraregion")? {
        let cells = read_cells(group, side)?;
        if !cells.is_empty() {
            board.further.groups.push(cells);
        }
    }
    for cage in list(puzzle, "killercage")? {
        // Whether digits may repeat, for example.
        let more = cage.as_object().into_iter().flat_map(|cage| unknown_keys(cage, CAGE));
        more.for_each(|key| board.refuse(format!("unknown: {key}")));
        let cells = read_cells(cage, side)?;
        let clue = match number(cage.get("value")) {
            JsonNumber::None => None,
            JsonNumber::Some(sum) => Some(sum),
            JsonNumber::Other => {
                board.refuse("killer cage with text");
                None
            }
        };
        board.cages.push(NeutralCage { cells, clue, operator: 0 });
    }
    for cage in list(puzzle, "cage")? {
        match metadata(cage) {
            Some(("rules", text)) => board.take_rules(text),
            Some(("title", text)) => board.take_title(text),
            Some(("author", text)) => board.take_author(text),
            Some(_) => {}
            None => board.refuse("cage (drawing)"),
        }
    }
    for (key, _) in puzzle.iter().filter(|(_, value)| !is_nothing(value)) {
        match key {
            key if CONSTRAINTS.contains(&key) => board.refuse(key),
            key if DRAWINGS.contains(&key) => board.refuse(format!("{key} (drawing)")),
            key if KNOWN.contains(&key) => {}
            key => board.refuse(format!("unknown: {key}")),
        }
    }
    for name in list(puzzle, "negative")? {
        board.refuse(format!("negative {}", name.as_str().unwrap_or("constraint")));
    }
    board.take_title(&text_of(puzzle.get("title")));
    board.take_author(&text_of(puzzle.get("author")));
    board.take_rules(&text_of(puzzle.get("ruleset")));
    Ok(())
}

/// The name and the text of an invisible cage that stands for a title or the like: `author: A. Setter`.
fn metadata<'v>(cage: &'v JsonValue) -> Option<(&'v str, &'v str)> {
    let (name, text) = cage.get("value").and_then(JsonValue::as_str)?.split_once(':')?;
    (!name.is_empty() && !name.contains(' ') && !text.trim().is_empty()).then_some((name, text))
}

/// Reads the names of cells, `R1C9`.
fn read_cells(of: &JsonValue, side: usize) -> Result<Vec<u16>, Reject> {
    let of = of.as_object().ok_or_else(|| wrong("a cage or a group is not an object"))?;
    let names = list(of, "cells")?;
    let number = |digits: &[u8]| {
        let add = |number: usize, byte: &u8| {
            byte.is_ascii_digit().then(|| number.saturating_mul(10).saturating_add(usize::from(byte - b'0')))
        };
        digits.iter().try_fold(0, add).filter(|number| (1..=side).contains(number))
    };
    let cell = |name: &JsonValue| {
        let name = name.as_str()?.as_bytes().strip_prefix(b"R")?;
        let (row, column) = name.split_at(name.iter().position(|&byte| byte == b'C')?);
        Some(((number(row)? - 1) * side + number(&column[1..])? - 1) as u16)
    };
    names
        .iter()
        .map(cell)
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| wrong("it names a cell that its grid does not have"))
}

fn read_grid(rows: &[JsonValue], board: &mut NeutralBoard) -> Result<(), Reject> {
    let side = board.side;
    let (height, width) = box_shape(side);
    let mut regions = Vec::with_capacity(side * side);
    let mut is_default = true;
    for (row, cells) in rows.iter().filter_map(JsonValue::as_array).enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let Some(cell) = cell.as_object() else { return Err(wrong("a cell is not an object")) };
            let own = Some((row / height * height + column / width) as u16);
            let region = match read_cell(cell, row * side + column, board)? {
                None => own,
                Some(JsonValue::Null) => None,
                Some(region) => {
                    let number = region.as_u64().and_then(|number| u16::try_from(number).ok());
                    Some(number.ok_or_else(|| wrong("the region of a cell is not a number"))?)
                }
            };
            is_default &= region == own;
            regions.push(region);
        }
    }
    board.regions = match is_default {
        true if height == 1 => NeutralRegions::None,
        true => NeutralRegions::Boxes,
        false => NeutralRegions::Numbers(regions),
    };
    Ok(())
}

/// Reads a cell. Returns its region, if it names one.
fn read_cell<'t>(cell: &Members<'t>, at: usize, board: &mut NeutralBoard) -> Result<Option<&'t JsonValue<'t>>, Reject> {
    let side = board.side;
    let fault = |words: &str| Reject::at(Code::Digit, at, side, words);
    let (mut digit, mut is_given, mut region) = (0, false, None);
    for (key, value) in cell.iter() {
        match key {
            "value" => match number(Some(value)) {
                JsonNumber::None => {}
                JsonNumber::Some(number) => digit = u8::try_from(number).map_err(|_| fault("its value is no digit"))?,
                JsonNumber::Other => return Err(fault("its value is no digit")),
            },
            "given" => is_given = !is_nothing(value),
            "centerPencilMarks" => {
                for note in items(key, value)? {
                    match number(Some(note)) {
                        JsonNumber::Some(digit @ 1..=32) => board.cells[at].centre |= 1 << (digit - 1),
                        _ => return Err(fault("a note is no digit")),
                    }
                }
            }
            "region" => region = Some(value),
            "c" | "highlight" if !value.is_null() => board.lose(Loss::Marks),
            _ if is_nothing(value) => {}
            "cornerPencilMarks" => board.cells[at].has_corner_notes = true,
            "givenPencilMarks" => board.refuse("given candidates"),
            "parity" | "extreme" => board.refuse("parity or extreme cells (old version)"),
            "cArray" | "highlightArray" => board.lose(Loss::Marks),
            // They follow from the digits.
            "candidates" => {}
            _ => board.refuse(format!("unknown: {key}")),
        }
    }
    match is_given {
        true => board.cells[at].given = digit,
        false => board.cells[at].solved = digit,
    }
    Ok(region)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What is in a cell, and whether the grid is written as f-puzzles does if there are no others.
    const CELLS: &[(&str, bool)] = &[
        ("", true),
        ("\"value\":7", true),
        ("\"value\":4,\"given\":true", true),
        ("\"given\":true,\"value\":12", true),
        ("\"centerPencilMarks\":[1,3,16,2]", true),
        ("\"region\":3,\"centerPencilMarks\":[32]", true),
        ("\"region\":0", true),
        ("\"cornerPencilMarks\":[5],\"value\":0", true),
        ("\"cornerPencilMarks\":[],\"centerPencilMarks\":[]", true),
        ("\"region\":null", false),
        ("\"value\":\"8\"", false),
        ("\"given\":false,\"value\":8", false),
        ("\"value\":1,\"value\":1", false),
        ("\"value\":01", false),
        ("\"value\":100", false),
        ("\"value\":7,", false),
        ("\"centerPencilMarks\":[1,]", false),
        ("\"centerPencilMarks\":[0]", false),
        ("\"centerPencilMarks\":[33]", false),
        ("\"centerPencilMarks\":[1 ]", false),
        ("\"centerPencilMarks\":[1", false),
        ("\"highlight\":\"#fff\"", false),
        ("\"antiknight\":1", false),
    ];

    /// What may follow a grid.
    const ENDS: &[&str] = &[
        "}",
        ",}",
        "",
        "]}",
        "} ",
        "}x",
        ",\"title\":\"A\"}",
        ",\"diagonal+\":true,\"diagonal-\":true}",
        ",\"size\":9}",
        ",\"grid\":[]}",
        ",\"killercage\":[{\"cells\":[\"R1C1\",\"R1C2\"],\"value\":\"3\"}]}",
        ",\"killercage\":[{\"cells\":[\"R1\"]}]}",
        ",\"title\":\"A\",\"title\":\"B\"}",
        ",\"arrow\":[1]}",
        ", \"author\":\"B\"}",
        ",\"extraregion\":7}",
    ];

    fn json(side: usize, cells: &[(usize, &str)], end: &str) -> String {
        let cell = |at: usize| cells.iter().find(|(place, _)| *place == at).map_or("", |(_, cell)| cell);
        let row = |row: usize| (0..side).map(|column| format!("{{{}}}", cell(row * side + column))).collect::<Vec<_>>();
        let rows: Vec<_> = (0..side).map(|at| format!("[{}]", row(at).join(","))).collect();
        format!("{{\"size\":{side},\"grid\":[{}]{end}", rows.join(","))
    }

    proptest! {
        #[test]
        fn usual_grids_are_read_as_any_others(
            side in prop::sample::select(vec![1_usize, 4, 5, 9, 16, 36, 37]),
            cells in prop::collection::vec((0_usize..81, prop::sample::select(CELLS)), 0..5),
            end in prop::sample::select(ENDS),
            change in prop::option::weighted(0.2, (any::<prop::sample::Index>(), prop::sample::select(vec!["[", "{", ",", " ", "1", "\""]))),
        ) {
            let is_usual = cells.iter().all(|(_, (_, is_usual))| *is_usual);
            let cells: Vec<_> = cells.iter().map(|(at, (cell, _))| (*at, *cell)).collect();
            let mut json = json(side, &cells, end);
            if let Some((at, text)) = &change {
                json.insert_str(at.index(json.len()), text);
            }
            let (usual, any) = (read_usual_puzzle(&json), read_any_puzzle(&json));
            if let Some(usual) = &usual {
                prop_assert_eq!(format!("{:?}", usual), format!("{:?}", any.expect(&json)), "{}", json);
            } else if change.is_none() && is_usual && any.is_ok() && side < 37 && !end.contains(' ') {
                prop_assert!(false, "not read: {}", json);
            }
        }
    }

    #[test]
    fn long_texts_are_left_to_the_reader_of_all_json() {
        let notes = format!("\"centerPencilMarks\":[{}1]", "1,".repeat(1 << 15));
        let json = json(9, &[(0, &notes)], "}");
        assert!(read_usual_puzzle(&json).is_none());
        assert_eq!(read_any_puzzle(&json).ok().map(|board| board.cells[0].centre), Some(1));
    }
}
