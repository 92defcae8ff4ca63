//! Finds the characters of a cell in a string, to mark faults.

use std::ops::Range;

use gridmill_core::{Kind, Side};

/// The side that a string seems to have: that of its header, or else 9.
pub(crate) fn likely_side(text: &[u8]) -> Side {
    header(text).map_or(Side::NINE, |(_, side)| side)
}

/// The ranges of a cell in the parts of a string. They are found by the string's length alone, since it may be invalid.
/// Empty if cells are not of one width.
pub(crate) fn cell_ranges(text: &[u8], cell: usize) -> Vec<Range<usize>> {
    let (start, cells) = header(text).map_or((0, Side::NINE.cells()), |(start, side)| (start, side.cells()));
    let parts = parts(text, start);
    if parts.len() >= cells {
        return parts.into_iter().nth(cell).into_iter().collect();
    }
    let in_part = |part: Range<usize>| {
        let width = part.len() / cells;
        let whole = cell < cells && width > 0 && part.len() == width * cells;
        whole.then(|| part.start + cell * width..part.start + (cell + 1) * width)
    };
    parts.into_iter().filter_map(in_part).collect()
}

/// The length of a v2 string's header, and the side that it names.
fn header(text: &[u8]) -> Option<(usize, Side)> {
    let [letter, side, version, ..] = *text else { return None };
    Kind::from_letter(letter.to_ascii_uppercase())?;
    let side = Side::from_letter(side.to_ascii_uppercase())?;
    matches!(version, b'B' | b'C' | b'b' | b'c').then_some((3, side))
}

/// The ranges between commas.
fn parts(text: &[u8], start: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut from = start.min(text.len());
    for part in text[from..].split(|&byte| byte == b',') {
        parts.push(from..from + part.len());
        from += part.len() + 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_in_strings_of_every_shape() {
        let v2 = format!("S9B{}", "0".repeat(162));
        let killer = format!("{},{}", "0".repeat(162), "0".repeat(162));
        let masks = vec!["511"; 81].join(",");
        for (text, cell, expected) in [
            ("0".repeat(81), 80, vec![(80, 81)]),
            ("0".repeat(162), 1, vec![(2, 4)]),
            ("0".repeat(243), 1, vec![(3, 6)]),
            (v2, 80, vec![(163, 165)]),
            (killer, 1, vec![(2, 4), (165, 167)]),
            (masks, 2, vec![(8, 11)]),
            ("0".repeat(80), 3, vec![]),
            ("0".repeat(81), 81, vec![]),
            (String::new(), 0, vec![]),
        ] {
            let found: Vec<_> =
                cell_ranges(text.as_bytes(), cell).into_iter().map(|place| (place.start, place.end)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
