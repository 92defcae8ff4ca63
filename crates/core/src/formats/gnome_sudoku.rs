//! Reads saved games of GNOME Sudoku, which are JSON.

use super::json_values::{Arena, JsonValue, Members, is_nothing, parse_puzzle};
use super::losses::Holds;
use super::neutral::{NeutralBoard, unsupported};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::{About, Format, Hints, LayoutDoc};
use crate::board::{Kind, Shape};
use crate::error::{Code, Reject};

/// The format `gnome-sudoku`.
pub(super) struct GnomeSudoku;

static ABOUT: About = About {
    id: Format::GnomeSudoku,
    name: "gnome-sudoku",
    summary: "a saved game of GNOME Sudoku: JSON with a list of cells",
    layouts: &[LayoutDoc {
        kinds: "sudoku",
        body: "an object with `difficulty_category` and `cells`, on one line or in a file",
        length: "any",
    }],
};

impl Notation for GnomeSudoku {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        let begin = &text[..text.len().min(1024)];
        let has = |part: &[u8]| memchr::memmem::find(begin, part).is_some();
        begin.trim_ascii_start().starts_with(b"{") && has(b"\"difficulty_category\"") && has(b"\"cells\"")
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let text = str::from_utf8(text).map_err(|_| Reject::whole(Code::Digit, "it is not UTF-8"))?;
        let arena = Arena::new();
        let value = parse_puzzle(&arena, text, "it is")?;
        let mut members = value.as_object().into_iter().flat_map(Members::iter);
        if let Some((key, _)) = members.find(|(key, value)| is_unknown(KNOWN, key, value)) {
            return Err(unknown(key));
        }
        let cells = value.get("cells").and_then(JsonValue::as_array);
        let cells = cells.ok_or_else(|| Reject::whole(Code::Header, "it has no list of cells"))?;
        let mut board = NeutralBoard::new(9)?;
        let mut seen = [false; 81];
        for cell in cells {
            read_cell(cell, &mut seen, &mut board)?;
        }
        board.into_board()
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds::all(&[Kind::Sudoku])
    }
}

/// The keys of a game, of which only the cells say something about the puzzle.
const KNOWN: &[&str] = &["difficulty_category", "time_elapsed", "cells"];
/// The keys of a cell.
const CELL: &[&str] = &["position", "value", "fixed", "earmarks"];

fn is_unknown(known: &[&str], key: &str, value: &JsonValue) -> bool {
    !known.contains(&key) && !is_nothing(value)
}

fn unknown(key: &str) -> Reject {
    unsupported(format!("unknown: {key}"))
}

/// Reads a cell. `seen` says which cells there have been.
fn read_cell(cell: &JsonValue, seen: &mut [bool; 81], board: &mut NeutralBoard) -> Result<(), Reject> {
    let place = cell.get("position").and_then(JsonValue::as_array).unwrap_or_default();
    let number = |value: &JsonValue| value.as_u64().filter(|&number| number < 9);
    let at = match place {
        [row, column] => number(row).zip(number(column)).map(|(row, column)| (row * 9 + column) as usize),
        _ => None,
    };
    let at = at.ok_or_else(|| Reject::whole(Code::Range, "a cell has no position on the board"))?;
    let fault = |words: &str| Reject::at(Code::Digit, at, 9, words.to_string());
    if let Some((key, _)) =
        cell.as_object().into_iter().flat_map(Members::iter).find(|(key, value)| is_unknown(CELL, key, value))
    {
        return Err(unknown(key));
    }
    if std::mem::replace(&mut seen[at], true) {
        return Err(fault("there are two cells with this position"));
    }
    let digit = |value: &JsonValue| value.as_u64().filter(|&digit| digit <= 9).map(|digit| digit as u8);
    let value = cell.get("value").and_then(digit).ok_or_else(|| fault("its value is no digit"))?;
    match cell.get("fixed").and_then(JsonValue::as_bool) {
        Some(true) => board.cells[at].given = value,
        Some(false) => board.cells[at].solved = value,
        None => return Err(fault("it does not say whether it is fixed")),
    }
    let marks = match cell.get("earmarks").filter(|marks| !is_nothing(marks)) {
        Some(marks) => marks.as_array().ok_or_else(|| fault("its marks are no list"))?,
        None => &[],
    };
    for mark in marks {
        match digit(mark) {
            Some(digit @ 1..) => board.cells[at].centre |= 1 << (digit - 1),
            _ => return Err(fault("a mark is no digit")),
        }
    }
    Ok(())
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[Good::same(
        Kind::Sudoku,
        "{\"difficulty_category\": \"easy\", \"time_elapsed\": 2.5, \"cells\": [{\"position\": [0, 4], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [0, 7], \"value\": 8, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 1], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 4], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 6], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 2], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 4], \"value\": 4, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 8], \"value\": 2, \"fixed\": true, \"earmarks\": []}, {\"position\": [3, 6], \"value\": 2, \"fixed\": true, \"earmarks\": []}, {\"position\": [3, 7], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [4, 4], \"value\": 9, \"fixed\": true, \"earmarks\": []}, {\"position\": [4, 8], \"value\": 7, \"fixed\": true, \"earmarks\": []}, {\"position\": [5, 6], \"value\": 4, \"fixed\": true, \"earmarks\": []}, {\"position\": [5, 7], \"value\": 9, \"fixed\": true, \"earmarks\": []}, {\"position\": [6, 2], \"value\": 7, \"fixed\": true, \"earmarks\": []}, {\"position\": [6, 5], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [7, 0], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 2], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 6], \"value\": 5, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 7], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [0, 0], \"value\": 0, \"fixed\": false, \"earmarks\": [1, 2]}, {\"position\": [0, 1], \"value\": 4, \"fixed\": false, \"earmarks\": []}]}",
    )],
    bad: &[
        BadSample {
            text: "{\"difficulty_category\": \"easy\", \"time_elapsed\": 2.5, \"cells\": [{\"position\": [0, 4], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [0, 7], \"value\": 8, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 1], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 4], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 6], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 2], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 4], \"value\": 4, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 8], \"value\": 2, \"fixed\": true, \"earmarks\": []}, {\"position\": [3, 6], \"value\": 2, \"fixed\": true, \"earmarks\": []}, {\"position\": [3, 7], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [4, 4], \"value\": 9, \"fixed\": true, \"earmarks\": []}, {\"position\": [4, 8], \"value\": 7, \"fixed\": true, \"earmarks\": []}, {\"position\": [5, 6], \"value\": 4, \"fixed\": true, \"earmarks\": []}, {\"position\": [5, 7], \"value\": 9, \"fixed\": true, \"earmarks\": []}, {\"position\": [6, 2], \"value\": 7, \"fixed\": true, \"earmarks\": []}, {\"position\": [6, 5], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [7, 0], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 2], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 6], \"value\": 5, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 7], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [0, 0], \"value\": 0, \"fixed\": false, \"earmarks\": [1, 2]}, {\"position\": [0, 1], \"value\": 4, \"fixed\": false, \"earmarks\": []}]",
            code: Code::Digit,
            cell: None,
        },
        BadSample {
            text: "{\"difficulty_category\": \"easy\", \"time_elapsed\": 2.5, \"cells\": [{\"position\": [0, 4], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [0, 7], \"value\": 8, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 1], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 4], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 6], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 2], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 4], \"value\": 4, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 8], \"value\": 2, \"fixed\": true, \"earmarks\": []}, {\"position\": [3, 6], \"value\": 2, \"fixed\": true, \"earmarks\": []}, {\"position\": [3, 7], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [4, 4], \"value\": 9, \"fixed\": true, \"earmarks\": []}, {\"position\": [4, 8], \"value\": 7, \"fixed\": true, \"earmarks\": []}, {\"position\": [5, 6], \"value\": 4, \"fixed\": true, \"earmarks\": []}, {\"position\": [5, 7], \"value\": 9, \"fixed\": true, \"earmarks\": []}, {\"position\": [6, 2], \"value\": 7, \"fixed\": true, \"earmarks\": []}, {\"position\": [6, 5], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [7, 0], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 2], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 6], \"value\": 5, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 7], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [0, 0], \"value\": 0, \"fixed\": false, \"earmarks\": [1, 2]}, {\"position\": [0, 9], \"value\": 4, \"fixed\": false, \"earmarks\": []}]}",
            code: Code::Range,
            cell: None,
        },
        BadSample {
            text: "{\"difficulty_category\": \"easy\", \"time_elapsed\": 2.5, \"cells\": [{\"position\": [0, 4], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [0, 7], \"value\": 8, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 1], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 4], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 6], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 2], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 4], \"value\": 4, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 8], \"value\": 2, \"fixed\": true, \"earmarks\": []}, {\"position\": [3, 6], \"value\": 2, \"fixed\": true, \"earmarks\": []}, {\"position\": [3, 7], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [4, 4], \"value\": 9, \"fixed\": true, \"earmarks\": []}, {\"position\": [4, 8], \"value\": 7, \"fixed\": true, \"earmarks\": []}, {\"position\": [5, 6], \"value\": 4, \"fixed\": true, \"earmarks\": []}, {\"position\": [5, 7], \"value\": 9, \"fixed\": true, \"earmarks\": []}, {\"position\": [6, 2], \"value\": 7, \"fixed\": true, \"earmarks\": []}, {\"position\": [6, 5], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [7, 0], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 2], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 6], \"value\": 5, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 7], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [0, 0], \"value\": 0, \"fixed\": false, \"earmarks\": [1, 2]}, {\"position\": [0, 1], \"value\": 10, \"fixed\": false, \"earmarks\": []}]}",
            code: Code::Digit,
            cell: Some((1, 2)),
        },
        BadSample {
            text: "{\"difficulty_category\": \"easy\", \"time_elapsed\": 2.5, \"cells\": [{\"position\": [0, 4], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [0, 7], \"value\": 8, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 1], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 4], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [1, 6], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 2], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 4], \"value\": 4, \"fixed\": true, \"earmarks\": []}, {\"position\": [2, 8], \"value\": 2, \"fixed\": true, \"earmarks\": []}, {\"position\": [3, 6], \"value\": 2, \"fixed\": true, \"earmarks\": []}, {\"position\": [3, 7], \"value\": 3, \"fixed\": true, \"earmarks\": []}, {\"position\": [4, 4], \"value\": 9, \"fixed\": true, \"earmarks\": []}, {\"position\": [4, 8], \"value\": 7, \"fixed\": true, \"earmarks\": []}, {\"position\": [5, 6], \"value\": 4, \"fixed\": true, \"earmarks\": []}, {\"position\": [5, 7], \"value\": 9, \"fixed\": true, \"earmarks\": []}, {\"position\": [6, 2], \"value\": 7, \"fixed\": true, \"earmarks\": []}, {\"position\": [6, 5], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [7, 0], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 2], \"value\": 1, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 6], \"value\": 5, \"fixed\": true, \"earmarks\": []}, {\"position\": [8, 7], \"value\": 6, \"fixed\": true, \"earmarks\": []}, {\"position\": [0, 0], \"value\": 0, \"fixed\": false, \"earmarks\": [0, 2]}, {\"position\": [0, 1], \"value\": 4, \"fixed\": false, \"earmarks\": []}]}",
            code: Code::Digit,
            cell: Some((1, 1)),
        },
        BadSample { text: "{\"difficulty_category\":\"easy\"}", code: Code::Header, cell: None },
    ],
}];
