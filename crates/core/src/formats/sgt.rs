//! What game ids of Simon Tatham's puzzles have in common: parameters and a description, `3x3:a5b...`; grids of numbers; and
//! borders.

use super::addresses::{Address, unescaped};
use super::text::decimal;
use super::{Format, Text};
use crate::error::{Code, Reject, escape};

/// Where the program's own site has the pages of its games.
const FOLDER: &[u8] = b"~sgtatham/puzzles/js/";

/// Returns the id of a text: all of it, or what follows the `#` in a link to the page of a game (`solo.html#`).
pub(super) fn id_of(text: &[u8], page: &str) -> Vec<u8> {
    let text = text.trim_ascii();
    let in_link = Address::of(text).and_then(|address| {
        let folder = address.path().strip_suffix(page.as_bytes())?;
        address.fragment().filter(|_| folder.is_empty() || folder.ends_with(b"/"))
    });
    in_link.map_or_else(|| text.to_vec(), unescaped)
}

/// Whether a text is a link to a game on the program's own site.
pub(super) fn is_link(text: &[u8], page: &str) -> bool {
    Address::of(text).is_some_and(|address| {
        // The site has both games.
        let is_own = address.is_of(Format::SgtSolo) && address.fragment().is_some();
        is_own && address.path().strip_prefix(FOLDER) == Some(page.as_bytes())
    })
}

/// Splits an id into its parameters and its description.
pub(super) fn split(id: &[u8]) -> Result<(&[u8], &[u8]), Reject> {
    match id.iter().position(|byte| b":#".contains(byte)) {
        Some(at) if id[at] == b':' => Ok((&id[..at], &id[at + 1..])),
        Some(_) => Err(Reject::whole(Code::Unsupported, "a random seed, of which only the program makes a puzzle")),
        None => Err(Reject::whole(Code::Header, "a game id has parameters and a colon")),
    }
}

/// Reads a grid of numbers up to `most`: a letter is so many empty cells, and `_` only separates.
pub(super) fn read_grid(text: &[u8], side: usize, most: u32) -> Result<Vec<u32>, Reject> {
    let mut cells = Vec::with_capacity(side * side);
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if cells.len() > side * side {
            break;
        }
        match byte {
            b'_' => at += 1,
            b'a'..=b'z' => {
                cells.resize(cells.len() + usize::from(byte - b'a') + 1, 0);
                at += 1;
            }
            b'1'..=b'9' => {
                let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let number = decimal(&text[at..at + digits]).filter(|&number| number <= most);
                cells.push(number.ok_or_else(|| Reject::whole(Code::Range, format!("a number is above {most}")))?);
                at += digits;
            }
            _ => return Err(wrong_sign(byte)),
        }
    }
    match cells.len() == side * side {
        true => Ok(cells),
        false => {
            let words = format!("the description has not {} cells, but {}", side * side, cells.len());
            Err(Reject::whole(Code::Length, words))
        }
    }
}

fn wrong_sign(byte: u8) -> Reject {
    Reject::whole(Code::Digit, format!("'{}' is no sign of the description", escape(&[byte])))
}

/// Appends a grid of numbers.
pub(super) fn write_grid(numbers: &[u32], out: &mut Text) {
    let mut empty = 0_u8;
    let mut is_after_number = false;
    for &number in numbers {
        if number == 0 {
            empty += 1;
            if empty == 26 {
                out.push_byte(b'z');
                (empty, is_after_number) = (0, false);
            }
            continue;
        }
        if empty > 0 {
            out.push_byte(b'a' + empty - 1);
        } else if is_after_number {
            out.push_byte(b'_');
        }
        (empty, is_after_number) = (0, true);
        out.push_number(number);
    }
    if empty > 0 {
        out.push_byte(b'a' + empty - 1);
    }
}

/// How a game writes borders.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walls {
    /// The places without a border that the last letter stands for. No border follows them.
    pub(super) longest: u8,
    /// Whether a number after a letter repeats it.
    pub(super) repeats: bool,
}

/// The two cells beside a place for a border: first those between neighbours of a row, row by row, then those between
/// neighbours of a column, column by column.
fn beside(place: usize, side: usize) -> (usize, usize) {
    let across = side * (side - 1);
    match place.checked_sub(across) {
        None => {
            let cell = place / (side - 1) * side + place % (side - 1);
            (cell, cell + 1)
        }
        Some(place) => {
            let cell = place % (side - 1) * side + place / (side - 1);
            (cell, cell + side)
        }
    }
}

impl Walls {
    /// Reads the areas between borders: for each cell the first cell of its area.
    pub(super) fn read(self, text: &[u8], side: usize) -> Result<Vec<u16>, Reject> {
        let places = 2 * side * (side - 1);
        let mut areas: Vec<u16> = (0..(side * side) as u16).collect();
        let (mut place, mut at) = (0, 0);
        while let Some(&byte) = text.get(at) {
            let open = match byte {
                b'_' => 0,
                b'a'..=b'z' => usize::from(byte - b'a') + 1,
                _ => return Err(wrong_sign(byte)),
            };
            at += 1;
            let digits = match self.repeats {
                true => text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
                false => 0,
            };
            let times = if digits == 0 { Some(1) } else { decimal(&text[at..at + digits]) };
            at += digits;
            let skips = usize::from(open != usize::from(self.longest));
            for _ in 0..times.unwrap_or(u32::MAX) {
                if place + open > places {
                    return Err(Reject::whole(Code::Length, "more borders than there are between cells"));
                }
                (place..place + open).for_each(|place| join(&mut areas, beside(place, side)));
                place += open + skips;
            }
        }
        // One place is added at the end.
        if place != places + 1 {
            let words = format!("{place} places for borders, expected {}", places + 1);
            return Err(Reject::whole(Code::Length, words));
        }
        Ok((0..areas.len()).map(|cell| root(&mut areas, cell)).collect())
    }

    /// Appends the borders between areas.
    pub(super) fn write(self, areas: &[u16], side: usize, out: &mut Text) {
        let mut letters = Vec::new();
        let mut open = 0;
        for place in 0..=2 * side * (side - 1) {
            let is_open = place < 2 * side * (side - 1) && {
                let (one, other) = beside(place, side);
                areas[one] == areas[other]
            };
            if is_open {
                open += 1;
                if open == self.longest {
                    letters.push(b'a' + self.longest - 1);
                    open = 0;
                }
                continue;
            }
            letters.push(if open == 0 { b'_' } else { b'a' + open - 1 });
            open = 0;
        }
        for run in letters.chunk_by(|one, other| one == other) {
            match run {
                _ if !self.repeats => out.push(run),
                [_] | [_, _] => out.push(run),
                _ => {
                    out.push_byte(run[0]);
                    out.push_number(run.len() as u32);
                }
            }
        }
    }
}

/// The first cell of an area, as far as it is known.
fn root(areas: &mut [u16], cell: usize) -> u16 {
    let mut at = cell;
    while usize::from(areas[at]) != at {
        areas[at] = areas[usize::from(areas[at])];
        at = usize::from(areas[at]);
    }
    at as u16
}

fn join(areas: &mut [u16], (one, other): (usize, usize)) {
    let (one, other) = (root(areas, one), root(areas, other));
    areas[usize::from(one.max(other))] = one.min(other);
}

/// The areas, each with its cells, in the order of their first cells.
pub(super) fn cells_of(areas: &[u16]) -> Vec<Vec<u16>> {
    let firsts = (0..areas.len()).filter(|&cell| usize::from(areas[cell]) == cell);
    let cells = |first: usize| (0..areas.len()).filter(move |&cell| usize::from(areas[cell]) == first);
    firsts.map(|first| cells(first).map(|cell| cell as u16).collect()).collect()
}
