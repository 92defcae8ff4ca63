//! Reads and writes puzzles of f-puzzles, which is also what SudokuPad takes after `fpuz`: JSON, packed by lz-string.

mod grid;
mod read;
mod samples;
mod write;

use super::addresses::{Address, unescaped_base64};
use super::json_values::{Arena, parse};
use super::losses::Holds;
use super::notation::{Notation, OneBoard};
use super::{About, Format, Hints, LayoutDoc, Text, lz};
use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use read::read_puzzle;
pub(super) use samples::SAMPLES;
use write::write_puzzle;

/// The format `fpuzzles`.
pub(super) struct Fpuzzles;

/// The most UTF-16 code units of the JSON. Puzzles have some thousands.
const MOST: usize = 1 << 24;

const KINDS: &[Kind] =
    &[Kind::Sudoku, Kind::SudokuX, Kind::Windoku, Kind::ColourSudoku, Kind::Jigsaw, Kind::Killer, Kind::KillerJigsaw];

static ABOUT: About = About {
    id: Format::Fpuzzles,
    name: "fpuzzles",
    summary: "a puzzle of f-puzzles: JSON, packed by lz-string; also after `fpuz`, or a link",
    layouts: &[LayoutDoc {
        kinds: "sudoku, -x, windoku, colour-sudoku, jigsaw, killer, killer-jigsaw",
        body: "base 64 that begins with `N4Ig`",
        length: "any",
    }],
};

impl Notation for Fpuzzles {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        is_remote(text)
            || payload(text).is_some_and(|(payload, is_named)| {
                payload.starts_with(b"N4Ig") && (is_named || !payload.starts_with(b"N4IgZg")) && payload.len() >= 32
            })
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        if is_remote(text) {
            let words = "a short id: the puzzle is on the server of f-puzzles, and gridmill fetches nothing";
            return Err(Reject::whole(Code::Remote, words));
        }
        let Some((payload, _)) = payload(text) else {
            return Err(Reject::whole(
                Code::Header,
                "a puzzle of f-puzzles begins with N4Ig, fpuz, or the address of a link",
            ));
        };
        let json = unpack(payload, |json| parse(&Arena::new(), json, |_| None).is_ok())?;
        read_puzzle(&json)?.into_board()
    }

    fn writes(&self, shape: Shape) -> Result<Shape, Reject> {
        need_writable(shape, "f-puzzles")
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds { operators: false, black: false, ..Holds::all(KINDS) }
    }

    fn write(&self, batch: &Batch, board: usize, out: &mut Text) -> Result<(), Reject> {
        out.push(&lz::compress(&write_puzzle(batch, board)?));
        Ok(())
    }
}

/// Refuses shapes that no puzzle of f-puzzles has. `name` is what has only such puzzles.
pub(super) fn need_writable(shape: Shape, name: &str) -> Result<Shape, Reject> {
    let Shape { kind, side } = shape;
    let words = if kind.has_operators() {
        format!("{name} has no operators")
    } else if kind.has_black() {
        format!("{name} has no black cells")
    } else if side.get() > 16 {
        format!("{name} has no boards of side {side}")
    } else if matches!(kind, Kind::Windoku) && side != Side::NINE {
        format!("windows are not defined for side {side}")
    } else {
        return Ok(shape);
    };
    Err(Reject::whole(Code::Unsupported, words))
}

/// Finds the payload of a text, and whether something before it says what it is. `None` without a payload.
fn payload(text: &[u8]) -> Option<(&[u8], bool)> {
    if text.starts_with(b"N4") {
        return Some((text, false));
    }
    if let Some(payload) = named(text) {
        return Some((payload, true));
    }
    let address = Address::of(text)?;
    match address.host.as_str() {
        "f-puzzles.com" => Some((address.parameter("load")?, true)),
        _ if address.is_sudokupad() => Some((named(address.sudokupad_id())?, true)),
        _ => None,
    }
}

/// What follows the name of the format in an id of SudokuPad.
fn named(id: &[u8]) -> Option<&[u8]> {
    let rest = id.strip_prefix(b"fpuz")?;
    Some(rest.strip_prefix(b"zles").unwrap_or(rest))
}

/// Whether a text is a link to a puzzle on the server of f-puzzles.
fn is_remote(text: &[u8]) -> bool {
    // Nothing else is looked for in most strings, which are long.
    !text.starts_with(b"N4")
        && Address::of(text).is_some_and(|address| address.host == "f-puzzles.com" && address.parameter("id").is_some())
}

/// The most single slashes that are doubled to repair a link.
const MOST_SLASHES: usize = 400;

/// The most characters of JSON of a repaired link, so that 400 attempts end soon.
const MOST_REPAIRED: usize = 1 << 20;

/// Unpacks a payload to the text of an object that `is_good` finds to be a puzzle. Some sites make one slash of two: then one of
/// the slashes is doubled.
pub(super) fn unpack(payload: &[u8], is_good: fn(&str) -> bool) -> Result<String, Reject> {
    let plain = unescaped_base64(payload);
    let error = match lz::decompress(&plain, MOST) {
        Ok(text) if text.starts_with('{') => return Ok(text),
        Ok(_) => "it unpacks to no puzzle".to_string(),
        Err(lz::LzError::TooLong) => return Err(refused(&lz::LzError::TooLong.to_string())),
        Err(error) => error.to_string(),
    };
    let slashes = plain.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at).take(MOST_SLASHES);
    for at in slashes {
        let text = [&plain[..at], b"/", &plain[at..]].concat();
        if let Ok(json) = lz::decompress(&text, MOST_REPAIRED)
            && is_good(&json)
        {
            return Ok(json);
        }
    }
    Err(refused(&error))
}

fn refused(error: &str) -> Reject {
    Reject::whole(Code::Digit, format!("it cannot be unpacked: {error}"))
}

/// The rows and columns of a box where f-puzzles has one; one row if it has none.
fn box_shape(side: usize) -> (usize, usize) {
    let height = (1..=side.isqrt()).rev().find(|height| side.is_multiple_of(*height)).unwrap_or(1);
    (height, side / height)
}
