//! The alphabets of plain strings: which sign is which digit. (Source: what is published for sides above 9.)

use crate::board::Side;
use crate::error::{Code, Reject};
use crate::formats::Layout;

/// The sides with boxes, apart from 9.
pub(super) const SIDES: [Side; 4] = {
    const fn side(side: usize) -> Side {
        Side::new(side).expect("a side of boards")
    }
    [side(6), side(8), side(16), side(25)]
};

/// The sides of squares with a sign for each cell that are in use elsewhere, and that no board here has.
pub(in crate::formats) const SIDES_OF_OTHERS: [usize; 8] = [4, 5, 7, 10, 12, 14, 15, 20];

/// The entry of [`table`] for what is no sign.
pub(super) const NO_SIGN: u8 = u8::MAX;

/// The sign that is written for an empty cell.
pub(super) const fn of_blank(alphabet: Layout) -> u8 {
    if matches!(alphabet, Layout::Zero) { b'.' } else { b'0' }
}

/// The sign of a digit, 1 to the side, in an alphabet with one sign for each.
pub(super) const fn of_digit(alphabet: Layout, side: Side, digit: u8) -> u8 {
    match alphabet {
        Layout::Letters => b'A' + digit - 1,
        Layout::Ascii => b'0' + digit,
        Layout::Zero if digit as usize == side.get() => b'0',
        _ if digit < 10 => b'0' + digit,
        _ => b'A' + digit - 10,
    }
}

/// Whether boards of a side are written in an alphabet.
pub(in crate::formats) const fn has_side(alphabet: Layout, side: Side) -> bool {
    match alphabet {
        Layout::Digits | Layout::Letters => true,
        Layout::Zero | Layout::Ascii | Layout::Pairs => side.get() > 9,
        _ => false,
    }
}

/// The refusal of an alphabet that has not the side of a board.
pub(super) fn lacks_side(alphabet: Layout, side: Side) -> Reject {
    let words = format!(
        "alphabet {alphabet} is for sides 16 and 25, and this is of side {side}; use --alphabet digits or letters"
    );
    Reject::whole(Code::Unsupported, words)
}

/// The digits of all signs: 0 for a blank, [`NO_SIGN`] for what is no sign. An alphabet without the side has
/// no signs.
pub(super) fn table(alphabet: Layout, side: Side) -> &'static [u8; 256] {
    static TABLES: [[[u8; 256]; 4]; 4] = {
        let mut tables = [[[NO_SIGN; 256]; 4]; 4];
        let mut at = 0;
        while at < 16 {
            tables[at / 4][at % 4] = fill(Layout::ALPHABETS[at / 4], SIDES[at % 4]);
            at += 1;
        }
        tables
    };
    let of = SIDES.iter().position(|&one| one == side).unwrap_or(0);
    &TABLES[Layout::ALPHABETS.iter().position(|&one| one == alphabet).unwrap_or(0) % 4][of]
}

const fn fill(alphabet: Layout, side: Side) -> [u8; 256] {
    let mut table = [NO_SIGN; 256];
    let small = side.get() < 10;
    if !has_side(alphabet, side) {
        return table;
    }
    let signs = b"._-*?xX0";
    let mut at = 0;
    while at < signs.len() {
        table[signs[at] as usize] = 0;
        at += 1;
    }
    let mut digit = 1;
    while digit as usize <= side.get() {
        let sign = of_digit(alphabet, side, digit);
        table[sign as usize] = digit;
        if !small {
            table[sign.to_ascii_lowercase() as usize] = digit;
        }
        digit += 1;
    }
    table
}

/// Whether strings can be written with another sign for empty cells than [`of_blank`].
pub(super) fn can_have_blank(alphabet: Layout, side: Side, blank: u8) -> bool {
    if alphabet == Layout::Pairs { blank == b'0' } else { table(alphabet, side)[usize::from(blank)] == 0 }
}
