//! Reads the JSON of a puzzle.

use super::drawings::read_drawings;
use crate::error::{Code, Reject};
use crate::formats::json_values::{
    Arena, JsonNumber, JsonValue, Member, Members, is_nothing, list, number, text_of, unknown_keys,
};
use crate::formats::neutral::{NeutralBoard, NeutralCage, NeutralRegions, unsupported};

/// Keys of a puzzle that are read, and keys without a meaning for it.
const KNOWN: &[&str] = &[
    "id",
    "cellSize",
    "cells",
    "regions",
    "cages",
    "metadata",
    "global",
    "lines",
    "arrows",
    "overlays",
    "underlays",
    "foglight",
    "fogofwar",
    "triggereffect",
    "settings",
    "solution",
    "title",
    "author",
    "rules",
    "videos",
    "duration",
];

/// Keys of a cage that are read, and keys that say how it is drawn.
const CAGE: [&str; 14] = [
    "cells",
    "value",
    "sum",
    "unique",
    "style",
    "type",
    "hidden",
    "outlineC",
    "fontC",
    "color",
    "borderColor",
    "backgroundColor",
    "fontSize",
    "thickness",
];

/// Constraints that are named in the metadata, or have a key of their own.
const CONSTRAINTS: [&str; 6] = ["antiknight", "antiking", "nonconsecutive", "foglight", "fogofwar", "triggereffect"];

/// Whether a text of the metadata is read.
fn is_read(name: &str) -> bool {
    ["title", "author", "rules"].contains(&name) || CONSTRAINTS.contains(&name)
}

fn wrong(words: &str) -> Reject {
    Reject::whole(Code::Range, words.to_string())
}

/// Reads a puzzle. What no kind has is noted on the board.
pub(super) fn read_puzzle<'t>(arena: &'t Arena, value: &JsonValue<'t>) -> Result<NeutralBoard, Reject> {
    let no_cells = || Reject::whole(Code::Length, "what it unpacks to has no cells");
    let puzzle = value.as_object().ok_or_else(no_cells)?;
    let rows = list(puzzle, "cells")?;
    let side = rows.len();
    if side == 0 || rows.iter().any(|row| row.as_array().is_none()) {
        return Err(no_cells());
    }
    if rows.iter().any(|row| row.as_array().is_none_or(|row| row.len() != side)) {
        return Err(unsupported("a grid that is not square"));
    }
    let mut board = NeutralBoard::new(side)?;
    for (at, cell) in rows.iter().filter_map(JsonValue::as_array).flatten().enumerate() {
        read_cell(cell, at, &mut board)?;
    }
    read_regions(puzzle, &mut board)?;
    let mut texts = match puzzle.get("metadata").filter(|texts| !is_nothing(texts)) {
        None => Vec::new(),
        Some(JsonValue::Object(texts)) => {
            texts.iter().filter(|text| is_read(text.0)).map(|(name, text)| (name, *text)).collect()
        }
        Some(_) => return Err(wrong("the metadata is not an object")),
    };
    for cage in list(puzzle, "cages")? {
        match cage.as_object() {
            Some(cage) => read_cage(cage, &mut board, &mut texts)?,
            None => return Err(wrong("a cage is not an object")),
        }
    }
    let texts = Members::new(arena, &texts).unwrap_or_default(); // each has a name of its own
    read_globals(puzzle, &texts, &mut board)?;
    read_drawings(puzzle, &mut board)?;
    for (key, _) in puzzle.iter().filter(|(key, value)| !is_nothing(value) && !KNOWN.contains(key)) {
        board.refuse(format!("unknown: {key}"));
    }
    read_texts(&texts, &mut board);
    read_texts(puzzle, &mut board);
    Ok(board)
}

/// The names of rules for the whole board.
fn read_globals(puzzle: &Members, texts: &Members, board: &mut NeutralBoard) -> Result<(), Reject> {
    let names = match puzzle.get("global") {
        Some(name @ JsonValue::String(_)) => std::slice::from_ref(name),
        _ => list(puzzle, "global")?,
    };
    for name in names {
        match name.as_str() {
            Some("disjoint") => board.further.disjoint = true,
            name => board.refuse(name.filter(|name| !name.is_empty()).unwrap_or("global")),
        }
    }
    let is_set =
        |value: &JsonValue| !is_nothing(value) && value.as_str().is_none_or(|text| text != "false" && text != "f");
    for name in CONSTRAINTS {
        if [puzzle, texts].iter().any(|members| members.get(name).is_some_and(is_set)) {
            board.refuse(name);
        }
    }
    Ok(())
}

/// Title, author, and the rules as a text, which may be several.
fn read_texts(texts: &Members, board: &mut NeutralBoard) {
    let rules = match texts.get("rules") {
        Some(JsonValue::String(text)) => text.to_string(),
        Some(JsonValue::Array(texts)) => texts.iter().filter_map(JsonValue::as_str).collect::<Vec<_>>().join("\n"),
        Some(rules) if !is_nothing(rules) => rules.to_string(),
        _ => String::new(),
    };
    board.take_title(&text_of(texts.get("title")));
    board.take_author(&text_of(texts.get("author")));
    board.take_rules(&rules);
}

fn read_cell(cell: &JsonValue, at: usize, board: &mut NeutralBoard) -> Result<(), Reject> {
    let side = board.side;
    let cell = match cell {
        JsonValue::Object(cell) => cell,
        JsonValue::Null => return Ok(()),
        JsonValue::String("") => return Ok(()),
        _ => return Err(Reject::at(Code::Digit, at, side, "a cell is not an object")),
    };
    match number(cell.get("value")) {
        JsonNumber::None => {}
        JsonNumber::Some(digit) if digit == 0 || digit as usize > side => {
            board.refuse(format!("a given {digit} in side {side}"));
        }
        JsonNumber::Some(digit) => board.cells[at].given = digit as u8,
        JsonNumber::Other => board.refuse("values that are no digits"),
    }
    for note in list(cell, "centremarks")? {
        match number(Some(note)) {
            JsonNumber::Some(digit @ 1..=32) if digit as usize <= side => board.cells[at].centre |= 1 << (digit - 1),
            JsonNumber::Some(_) => return Err(Reject::at(Code::Range, at, side, "a note is no digit of the board")),
            _ => board.refuse("notes that are no digits"),
        }
    }
    board.cells[at].has_corner_notes = !list(cell, "pencilMarks")?.is_empty();
    unknown_keys(cell, &["value", "centremarks", "pencilMarks"])
        .for_each(|key| board.refuse(format!("unknown: {key}")));
    Ok(())
}

/// Reads a list of cells, each a row and a column from 0.
fn read_cells(of: Option<&JsonValue>, side: usize) -> Result<Vec<u16>, Reject> {
    let cells = match of.filter(|cells| !is_nothing(cells)) {
        None => &[][..],
        Some(JsonValue::Array(cells)) => cells,
        Some(_) => return Err(wrong("cells that are no list")),
    };
    let cell = |cell: &JsonValue| {
        let [row, column] = cell.as_array()? else { return None };
        let number = |value: &JsonValue| value.as_u64().and_then(|at| usize::try_from(at).ok()).filter(|&at| at < side);
        Some((number(row)? * side + number(column)?) as u16)
    };
    let cells = cells.iter().map(cell).collect::<Option<Vec<_>>>();
    cells.ok_or_else(|| wrong("it names a cell that its grid does not have"))
}

fn read_regions(puzzle: &Members, board: &mut NeutralBoard) -> Result<(), Reject> {
    let side = board.side;
    let mut numbers = vec![None; side * side];
    for (number, region) in list(puzzle, "regions")?.iter().filter(|region| !is_nothing(region)).enumerate() {
        let cells = read_cells(Some(region), side)?;
        if cells.len() != side {
            board.refuse("regions of other sizes");
        }
        for cell in cells {
            if numbers[usize::from(cell)].replace(u16::try_from(number).unwrap_or(u16::MAX)).is_some() {
                board.refuse("overlapping regions");
            }
        }
    }
    let has_none = numbers.iter().all(Option::is_none);
    board.regions = if has_none { NeutralRegions::None } else { NeutralRegions::Numbers(numbers) };
    Ok(())
}

/// Reads a cage, which may also be a title or the like, or a group.
fn read_cage<'t>(cage: &Members<'t>, board: &mut NeutralBoard, texts: &mut Vec<Member<'t>>) -> Result<(), Reject> {
    unknown_keys(cage, &CAGE).for_each(|key| board.refuse(format!("unknown: {key}")));
    let cells = read_cells(cage.get("cells"), board.side)?;
    let value = cage.get("value").unwrap_or(&JsonValue::Null);
    let is_set = |key: &str| cage.get(key).is_some_and(|value| !is_nothing(value));
    let text = |key: &str| cage.get(key).and_then(JsonValue::as_str).unwrap_or_default();
    if cells.is_empty() {
        let named = value.as_str().and_then(|value| value.split_once(": ")).filter(|text| is_read(text.0));
        if let Some((name, text)) = named
            && texts.iter().all(|other| other.0 != name)
        {
            texts.push((name, JsonValue::String(text)));
        }
        return Ok(());
    }
    let has_no_value = (value.is_null() || value.as_str() == Some("")) && !is_set("sum");
    if text("type") == "disjoint" || text("type") == "rowcol" || is_set("hidden") && !is_set("unique") && has_no_value {
        // What they say is in `global` or follows from the grid; f-puzzles' cells without a region are hidden.
        return Ok(());
    }
    match text("style") {
        "extraregion" => {
            board.further.groups.push(cells);
            return Ok(());
        }
        style if style.contains("Indexer") => board.refuse(style),
        _ => {}
    }
    let sum = cage.get("sum").unwrap_or(value);
    let (mut clue, mut operator) = (None, 0);
    match number(Some(sum)) {
        JsonNumber::Some(sum) => clue = Some(sum),
        JsonNumber::None => {}
        JsonNumber::Other => match sum.as_str().map(str::trim) {
            Some("") => {}
            text => match text.and_then(with_operator) {
                Some((number, sign)) => (clue, operator) = (Some(number), sign),
                None if matches!(sum, JsonValue::Integer(_)) => board.refuse("cage sums out of range"),
                None => board.refuse("cage with text"),
            },
        },
    }
    let may_repeat = cage.get("unique").is_some_and(|unique| unique == &JsonValue::Bool(false));
    if operator == 0 && may_repeat && cells.len() > 1 {
        board.refuse("cages where digits may repeat");
    }
    board.arithmetic |= operator != 0;
    board.cages.push(NeutralCage { cells, clue, operator });
    Ok(())
}

/// Reads a clue with an operator: `12+`, `2 ÷`.
fn with_operator(text: &str) -> Option<(u32, u16)> {
    let sign = text.chars().next_back()?;
    let operator = match sign {
        '+' => 1,
        '-' => 2,
        'x' | '*' | '×' => 3,
        '/' | ':' | '÷' => 4,
        _ => return None,
    };
    let digits = text.strip_suffix(sign)?;
    let digits = digits.strip_suffix(' ').unwrap_or(digits);
    let is_number = (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    Some((digits.parse().ok().filter(|_| is_number)?, operator))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::json_values::MOST_VALUES;
    use crate::formats::sudokupad::zip::unzip;

    /// What is said about a puzzle with further members, or nothing if it is read.
    fn refusal(more: &str) -> Option<String> {
        let row = "{},".repeat(9);
        let rows = format!("[{}],", row.trim_end_matches(',')).repeat(9);
        refusal_of(&format!("{{\"cells\":[{}]{more}}}", rows.trim_end_matches(',')))
    }

    fn refusal_of(text: &str) -> Option<String> {
        let arena = Arena::new();
        let value = match unzip(&arena, text) {
            Ok(value) => value,
            Err(error) => return Some(error.what.into_owned()),
        };
        read_puzzle(&arena, &value).and_then(NeutralBoard::into_board).err().map(|reject| reject.message)
    }

    /// The boxes as regions.
    fn boxes() -> String {
        let cell = |at: usize, of: usize| format!("[{},{}]", at / 3 * 3 + of / 3, at % 3 * 3 + of % 3);
        let region = |at: usize| format!("[{}]", (0..9).map(|of| cell(at, of)).collect::<Vec<_>>().join(","));
        format!(",\"regions\":[{}]", (0..9).map(region).collect::<Vec<_>>().join(","))
    }

    #[test]
    fn members_of_another_type_are_refused() {
        let boxes = boxes();
        assert_eq!(refusal(&boxes), None);
        assert_eq!(refusal(&format!("{boxes},\"cages\":[],\"global\":null,\"lines\":{{}},\"metadata\":[]")), None);
        for (more, part) in [
            ("\"cages\":{\"0\":{\"cells\":[[0,0]]}}", "cages is no list"),
            ("\"cages\":[{\"cells\":{\"0\":[0,0]},\"value\":3}]", "cells that are no list"),
            ("\"global\":{\"antiknight\":true}", "global is no list"),
            ("\"lines\":{\"0\":1}", "lines"),
            ("\"metadata\":[\"antiknight\"]", "metadata"),
            ("\"cages\":[],\"ca\":[{\"cells\":[[0,0]],\"value\":3}]", ""),
            ("\"metadata\":{\"rules\":1,\"rules\":\"\"}", ""),
        ] {
            let refused = refusal(&format!("{boxes},{more}")).unwrap_or_else(|| panic!("{more}"));
            assert!(refused.contains(part), "{more}: {refused}");
        }
        assert_eq!(refusal(&format!("{boxes},\"cages\":[],\"ca\":[]")).as_deref(), Some("a second cages"));
        assert!(refusal(",\"regions\":{\"0\":[[0,0]]}").is_some_and(|refused| refused.contains("regions is no list")));
    }

    #[test]
    fn hidden_cages_with_sums_are_cages() {
        let hidden = |more: &str| {
            let text = format!("{},\"cages\":[{{\"hidden\":true,\"cells\":[[0,0],[0,2]]{more}}}]", boxes());
            refusal(&text)
        };
        assert_eq!(hidden(""), None);
        assert_eq!(hidden(",\"sum\":10").as_deref(), Some("cages in several pieces"));
    }

    #[test]
    fn keys_of_cages_that_are_not_known_are_refused() {
        let with = |cage: &str| refusal(&format!("{},\"cages\":[{{{cage}}}]", boxes()));
        assert_eq!(with("\"cells\":[[0,0],[0,1]],\"value\":3,\"outlineC\":\"#fff\",\"least\":0"), None);
        assert_eq!(with("\"cells\":[[0,0],[0,1]],\"value\":3,\"least\":2").as_deref(), Some("unknown: least"));
        assert_eq!(with("\"hidden\":true,\"cells\":[[0,0]],\"least\":2").as_deref(), Some("unknown: least"));
        assert_eq!(with("\"value\":\"title: One\",\"least\":2").as_deref(), Some("unknown: least"));
        assert_eq!(with("\"value\":\"title: One\""), None);
    }

    #[test]
    fn keys_of_cells_that_are_not_known_are_refused() {
        let with = |cell: &str| {
            let row = "{},".repeat(8);
            let rows = format!(",[{{}},{}]", row.trim_end_matches(',')).repeat(8);
            refusal_of(&format!("{{\"cells\":[[{row}{{{cell}}}]{rows}]{}}}", boxes()))
        };
        assert_eq!(with("\"value\":1,\"rotation\":0"), None);
        assert_eq!(with("\"value\":1,\"rotation\":90").as_deref(), Some("unknown: rotation"));
        assert!(with("\"centremarks\":{\"0\":1}").is_some_and(|refused| refused.contains("centremarks is no list")));
    }

    #[test]
    fn there_are_not_more_values_than_puzzles_have() {
        let most = MOST_VALUES;
        assert!(unzip(&Arena::new(), &format!("[{}]", ",".repeat(most - 2))).is_ok());
        assert!(
            unzip(&Arena::new(), &format!("[{}]", ",".repeat(most)))
                .is_err_and(|error| error.what.contains("more values"))
        );
        assert!(unzip(&Arena::new(), &format!("[{}0]", "0,".repeat(most - 2))).is_ok());
        assert!(
            unzip(&Arena::new(), &format!("[{}0]", "0,".repeat(most)))
                .is_err_and(|error| error.what.contains("more values"))
        );
        assert!(unzip(&Arena::new(), &format!("{}{}", "[".repeat(1000), "]".repeat(1000))).is_err());
    }
}
