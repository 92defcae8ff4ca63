//! Reads and writes puzzles of f-puzzles, which is also what SudokuPad takes after `fpuz`: JSON, packed by lz-string.

mod read;
mod samples;
mod write;

use serde_json::Value;

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
const MOST: usize = 1 << 20;

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
        payload(text).is_some_and(|(payload, is_named)| {
            payload.starts_with(b"N4Ig") && (is_named || !payload.starts_with(b"N4IgZg")) && payload.len() >= 32
        })
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let Some((payload, _)) = payload(text) else {
            return Err(Reject::whole(
                Code::Header,
                "a puzzle of f-puzzles begins with N4Ig, fpuz, or the address of a link",
            ));
        };
        let json = unpack(payload)?;
        let value: Value = serde_json::from_str(&json).map_err(|error| {
            let words =
                format!("what it unpacks to is not JSON: {}", crate::error::escape(error.to_string().as_bytes()));
            Reject::whole(Code::Digit, words)
        })?;
        read_puzzle(&value)?.into_board()
    }

    fn writes(&self, shape: Shape) -> Result<Shape, Reject> {
        let Shape { kind, side } = shape;
        let words = if kind.has_operators() {
            "f-puzzles has no operators".to_string()
        } else if kind.has_black() {
            "f-puzzles has no black cells".to_string()
        } else if side.get() > 16 {
            format!("f-puzzles has no boards of side {side}")
        } else if matches!(kind, Kind::Windoku) && side != Side::NINE {
            format!("windows are not defined for side {side}")
        } else {
            return Ok(shape);
        };
        Err(Reject::whole(Code::Unsupported, words))
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds { operators: false, black: false, ..Holds::all(KINDS) }
    }

    fn write(&self, batch: &Batch, board: usize, out: &mut Text) -> Result<(), Reject> {
        out.push(&lz::compress(&write_puzzle(batch, board)?));
        Ok(())
    }
}

/// The address of a link, before the payload.
const ADDRESSES: [(&str, &str); 6] = [
    ("f-puzzles.com/", "load="),
    ("sudokupad.app/", "fpuz"),
    ("sudokupad.app/", "?puzzleid=fpuz"),
    ("crackingthecryptic.com/", "?puzzleid=fpuz"),
    ("crackingthecryptic.com/sudoku/", "?puzzleid=fpuz"),
    ("crackingthecryptic.com/", "fpuz"),
];

/// Finds the payload of a text, and whether something before it says what it is.
fn payload(text: &[u8]) -> Option<(&[u8], bool)> {
    if text.starts_with(b"N4") {
        return Some((text, false));
    }
    let after_name = |code: &'static [u8]| {
        let rest = text.strip_prefix(code)?;
        Some((rest.strip_prefix(b"zles").unwrap_or(rest), true))
    };
    if let Some(found) = after_name(b"fpuz") {
        return Some(found);
    }
    let address = text.strip_prefix(b"https://").or_else(|| text.strip_prefix(b"http://"))?;
    let address = address.strip_prefix(b"www.").or_else(|| address.strip_prefix(b"app.")).unwrap_or(address);
    let address = address.strip_prefix(b"beta.").unwrap_or(address);
    ADDRESSES.iter().find_map(|(host, name)| {
        let rest = address.strip_prefix(host.as_bytes())?;
        let value = match *name {
            "load=" => {
                let mut parameters = rest.strip_prefix(b"?")?.split(|&byte| byte == b'&');
                parameters.find_map(|parameter| parameter.strip_prefix(b"load="))?
            }
            name => {
                let code = rest.strip_prefix(name.as_bytes())?;
                code.strip_prefix(b"zles").unwrap_or(code)
            }
        };
        let end = value.iter().position(|byte| b"&?#".contains(byte)).unwrap_or(value.len());
        Some((&value[..end], true))
    })
}

/// The most single slashes that are doubled to repair a link.
const MOST_SLASHES: usize = 400;

/// Unpacks a payload. Some sites make one slash of two: then one of the slashes is doubled.
fn unpack(payload: &[u8]) -> Result<String, Reject> {
    let plain = unescaped(payload);
    let error = match lz::decompress(&plain, MOST) {
        Ok(text) if text.starts_with('{') => return Ok(text),
        Ok(_) => "it unpacks to no puzzle".to_string(),
        Err(lz::LzError::TooLong) => return Err(refused(&lz::LzError::TooLong.to_string())),
        Err(error) => error.to_string(),
    };
    let slashes = plain.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at).take(MOST_SLASHES);
    for at in slashes {
        let text = [&plain[..at], b"/", &plain[at..]].concat();
        if let Ok(json) = lz::decompress(&text, MOST)
            && serde_json::from_str::<serde_core::de::IgnoredAny>(&json).is_ok()
        {
            return Ok(json);
        }
    }
    Err(refused(&error))
}

fn refused(error: &str) -> Reject {
    Reject::whole(Code::Digit, format!("it cannot be unpacked: {error}"))
}

/// Decodes percent signs. A space was a plus.
fn unescaped(payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(payload.len());
    let mut rest = payload;
    while let Some((&byte, after)) = rest.split_first() {
        let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
        rest = after;
        out.push(match (byte, after) {
            (b'%', [high, low, more @ ..]) => match (value(*high), value(*low)) {
                (Some(high), Some(low)) => {
                    rest = more;
                    high << 4 | low
                }
                _ => byte,
            },
            (b' ', _) => b'+',
            _ => byte,
        });
    }
    out
}

/// The rows and columns of a box where f-puzzles has one; one row if it has none.
fn box_shape(side: usize) -> (usize, usize) {
    let height = (1..=side.isqrt()).rev().find(|height| side.is_multiple_of(*height)).unwrap_or(1);
    (height, side / height)
}
