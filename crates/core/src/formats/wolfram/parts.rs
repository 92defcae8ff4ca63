//! Reads the parts of a string, and finds their faults.

use super::radix::{DIGIT68, DIGITS, Decimal, Eleven, MAX_TRIPLES, NOT_A_DIGIT, Number, Radix};
use super::triples::{self, SEPARATOR};
use super::write::{self, BOXLESS_LAYOUT};
use crate::error::{Code, plural};

/// The maximum number of characters of a part, not counting leading zeros, and the maximum number of groups in a part
/// (docs/FORMATS.md, "wolfram").
pub(super) const MAX_CHARACTERS: usize = 2048;
pub(super) const MAX_GROUPS: usize = 81;

/// The layout of a plain sudoku, which strings omit.
const PLAIN_LAYOUT: [u16; 6] = [9, 9, 0, 1, 0, 1];

/// A fault of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    TooLong,
    NotADigit,
    NoClues,
    CluesTooLarge,
    Separators,
    LeadingZero,
    Lists { lists: usize, cells: usize },
    Candidates { cell: u8 },
    Layout,
    NoMultipleOfNine(usize),
    TooManyGroups(usize),
    CellNumber,
    CellTwice,
    NoTiling,
}

impl Fault {
    /// Returns the code, the cell counted from 0, and the message without the name of the part.
    pub(super) fn words(self) -> (Code, Option<usize>, String) {
        let whole = |code, words: &str| (code, None, words.to_string());
        match self {
            Self::TooLong => (Code::Length, None, format!("more than {MAX_CHARACTERS} characters")),
            Self::NotADigit => whole(Code::Digit, "a character that is not a base-68 digit (0-9 A-Z a-z ! @ # $ % &)"),
            Self::NoClues => whole(Code::Length, "there are none"),
            Self::CluesTooLarge => whole(Code::Range, "a number of more than 81 digits"),
            Self::Separators => whole(Code::Digit, "two separators in a row, or one at the end"),
            Self::LeadingZero => whole(Code::Digit, "a number that begins with 0"),
            Self::Lists { lists, cells } => (
                Code::Length,
                None,
                format!("{lists} list{} for {cells} cell{} without a clue", plural(lists), plural(cells)),
            ),
            Self::Candidates { cell } => {
                (Code::Range, Some(cell.into()), "not digits 1 to 9 in ascending order".to_string())
            }
            Self::Layout => whole(Code::Unsupported, "not that of a single 9x9 grid"),
            Self::NoMultipleOfNine(count) => {
                (Code::Length, None, format!("{count} cell number{}, not nine a group", plural(count)))
            }
            Self::TooManyGroups(count) => (Code::Length, None, format!("{count} groups, more than {MAX_GROUPS}")),
            Self::CellNumber => whole(Code::Range, "a cell number that is not 1 to 81"),
            Self::CellTwice => whole(Code::Region, "a group with a repeated cell"),
            Self::NoTiling => whole(Code::Region, "a layout without boxes that lacks nine groups covering the grid"),
        }
    }
}

/// Memory for reading parts, which is reused.
pub(super) struct PartsMemory {
    pub(super) number: Number,
    /// Decimal or base-11 digits, at the end of the buffer.
    pub(super) digits: [u8; DIGITS],
    triples: [u16; MAX_TRIPLES],
    cells: [u8; triples::MAX_CELLS],
}

impl PartsMemory {
    pub(super) fn new() -> Self {
        Self { number: Number::new(), digits: [0; DIGITS], triples: [0; MAX_TRIPLES], cells: [0; triples::MAX_CELLS] }
    }
}

/// Returns a part without its leading zeros.
pub(super) fn significant(text: &[u8]) -> &[u8] {
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    &text[zeros..]
}

/// Reads the clues: 81 digits, with 0 for a cell without a clue.
pub(super) fn clues<'s>(text: &[u8], scratch: &'s mut PartsMemory) -> Result<&'s [u8], Fault> {
    /// 45 characters are enough: 68^44 is less than 10^81, and 68^45 is more.
    const MAX: usize = 45;
    if text.is_empty() {
        return Err(Fault::NoClues);
    }
    let text = significant(text);
    if text.len() > MAX {
        let all_digits = text.iter().all(|&byte| DIGIT68[byte as usize] != NOT_A_DIGIT);
        return Err(if all_digits { Fault::CluesTooLarge } else { Fault::NotADigit });
    }
    if !scratch.number.read68::<Decimal>(text) {
        return Err(Fault::NotADigit);
    }
    let start = DIGITS - 5 * Decimal::DIGITS;
    scratch.digits[start..].fill(0);
    let count = scratch.number.digits::<Decimal>(&mut scratch.digits);
    let first = DIGITS - 81;
    if count > 81 && scratch.digits[DIGITS - count..first].iter().any(|&digit| digit != 0) {
        return Err(Fault::CluesTooLarge);
    }
    Ok(&scratch.digits[first..])
}

/// Reads a part that is a list of numbers as one number in base 11.
fn read_list(text: &[u8], scratch: &mut PartsMemory) -> Result<(), Fault> {
    let text = significant(text);
    // `decode` rejects parts with too many characters. A part with too many bytes contains bytes that are not digits.
    let is_read = text.len() <= MAX_CHARACTERS && scratch.number.read68::<Eleven>(text);
    if is_read { Ok(()) } else { Err(Fault::NotADigit) }
}

/// Returns the base-11 digits of a list of numbers. A first number 0 has no digits.
fn list_digits<'s>(text: &[u8], scratch: &'s mut PartsMemory) -> Result<&'s [u8], Fault> {
    read_list(text, scratch)?;
    let count = scratch.number.digits::<Eleven>(&mut scratch.digits);
    let digits = &scratch.digits[DIGITS - count..];
    let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
    Ok(&digits[zeros..])
}

/// Calls `visit` with the decimal digits of each number of a list, and with `[0]` if the first number is 0. An empty
/// part is not a list.
fn each_number(
    text: &[u8],
    scratch: &mut PartsMemory,
    mut visit: impl FnMut(&[u8]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if text.is_empty() {
        return Ok(());
    }
    let digits = list_digits(text, scratch)?;
    // Report faults of the list itself before those of its numbers.
    let mut first = true;
    for number in digits.split(|&digit| digit == SEPARATOR) {
        match number {
            [] if first => {}
            [] => return Err(Fault::Separators),
            [0, _, ..] => return Err(Fault::LeadingZero),
            _ => {}
        }
        first = false;
    }
    digits
        .split(|&digit| digit == SEPARATOR)
        .try_for_each(|number| visit(if number.is_empty() { &[0] } else { number }))
}

/// Reads the candidates of the cells without a clue, in the order of the cells. Does nothing if the part is empty.
///
/// On entry `codes` contains the clues (0 for none); on return it contains the cell codes.
pub(super) fn candidates(text: &[u8], codes: &mut [u16], scratch: &mut PartsMemory) -> Result<(), Fault> {
    if text.is_empty() {
        return Ok(());
    }
    let cells = codes.iter().filter(|&&code| code == 0).count();
    read_list(text, scratch)?;
    let mut masks = [0; triples::MAX_LISTS];
    if scratch.number.triples(&mut scratch.triples).and_then(|list| triples::masks(list, &mut masks)) == Some(cells) {
        let mut list = 0;
        for code in codes {
            // Without a branch, because the positions of clues are unpredictable.
            let (mask, is_open) = (masks[list], *code == 0);
            let candidates = if mask == 0 { 0 } else { 18 + mask };
            *code = if is_open { candidates } else { *code };
            list = (list + usize::from(is_open)).min(masks.len() - 1);
        }
        return Ok(());
    }
    // The list is invalid. The slow path finds out why.
    let (mut lists, mut at, mut fault) = (0, 0, None);
    each_number(text, scratch, |digits| {
        lists += 1;
        while at < 81 && codes[at] != 0 {
            at += 1;
        }
        if at >= 81 {
            return Ok(());
        }
        let (mut mask, mut before) = (0_u16, 0);
        let mut is_valid = digits == [0];
        if !is_valid {
            is_valid = digits.iter().all(|&digit| {
                mask |= 1 << digit >> 1;
                std::mem::replace(&mut before, digit) < digit
            });
        }
        if !is_valid && fault.is_none() {
            fault = Some(Fault::Candidates { cell: at as u8 });
        }
        if is_valid && mask != 0 {
            codes[at] = 18 + mask;
        }
        at += 1;
        Ok(())
    })?;
    match fault {
        _ if lists != cells => Err(Fault::Lists { lists, cells }),
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// Whether a layout is that of a grid with boxes. Other layouts than those of one 9x9 grid are a fault.
pub(super) fn has_boxes(text: &[u8], scratch: &mut PartsMemory) -> Result<bool, Fault> {
    if text.is_empty() {
        return Ok(true);
    }
    if write::is_canonical_boxless_layout(text) {
        return Ok(false);
    }
    let (mut layout, mut len) = ([0; PLAIN_LAYOUT.len() + 1], 0);
    each_number(text, scratch, |digits| {
        if let Some(place) = layout.get_mut(len) {
            *place = small_number(digits);
            len += 1;
        }
        Ok(())
    })?;
    match &layout[..len] {
        layout if *layout == PLAIN_LAYOUT => Ok(true),
        layout if *layout == BOXLESS_LAYOUT => Ok(false),
        _ => Err(Fault::Layout),
    }
}

/// Returns the value of a number of up to two digits, and 100 for longer numbers.
fn small_number(digits: &[u8]) -> u16 {
    match *digits {
        [ones] => ones.into(),
        [tens, ones] => u16::from(tens) * 10 + u16::from(ones),
        _ => 100,
    }
}

/// Reads groups of nine cells. The cells are numbered from 1 in the text and from 0 in `out`.
pub(super) fn groups(text: &[u8], scratch: &mut PartsMemory, out: &mut Vec<[u8; 9]>) -> Result<(), Fault> {
    out.clear();
    if text.is_empty() {
        return Ok(());
    }
    if let Some(canonical) = write::cells_of_canonical_groups(text) {
        out.extend_from_slice(canonical);
        return Ok(());
    }
    read_list(text, scratch)?;
    let cells = scratch.number.triples(&mut scratch.triples).and_then(|list| triples::cells(list, &mut scratch.cells));
    if let Some((groups, [])) = cells.map(<[u8]>::as_chunks) {
        // For each cell, the number of the last group that contains it.
        let (mut last, mut is_twice) = ([0; 128], false);
        for (number, group) in (1_u8..).zip(groups) {
            for &cell in group {
                let last = &mut last[usize::from(cell & 127)];
                is_twice |= *last == number;
                *last = number;
            }
        }
        if !is_twice {
            out.extend_from_slice(groups);
            return Ok(());
        }
    }
    // The groups are invalid, or too many for the fast path. The slow path finds out.
    let (mut count, mut group, mut fault) = (0, [0; 9], None);
    each_number(text, scratch, |digits| {
        let number = small_number(digits);
        let place = count % 9;
        count += 1;
        if count > 9 * MAX_GROUPS {
            return Ok(());
        }
        let cell = number.wrapping_sub(1);
        if cell > 80 {
            fault = fault.or(Some(Fault::CellNumber));
        }
        group[place] = cell as u8;
        if place == 8 {
            let mut seen = 0_u128;
            group.iter().for_each(|&cell| seen |= 1 << (cell & 127));
            if seen.count_ones() != 9 {
                fault = fault.or(Some(Fault::CellTwice));
            }
            out.push(group);
        }
        Ok(())
    })?;
    match fault {
        _ if count % 9 != 0 => Err(Fault::NoMultipleOfNine(count)),
        _ if count > 9 * MAX_GROUPS => Err(Fault::TooManyGroups(count / 9)),
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// Numbers the cells of nine groups that cover the grid as regions 1 to 9.
pub(super) fn regions(groups: &[[u8; 9]], regions: &mut [u8]) -> Result<(), Fault> {
    regions.fill(0);
    for (number, group) in (1..).zip(groups) {
        group.iter().for_each(|&cell| regions[cell as usize] = number);
    }
    if groups.len() == 9 && !regions.contains(&0) { Ok(()) } else { Err(Fault::NoTiling) }
}
