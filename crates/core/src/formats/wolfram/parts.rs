//! The parts of a string: what stands in each, and what can be wrong with it.

use super::radix::{DIGIT68, Decimal, Eleven, NONE, Number, Radix};
use crate::error::{Code, plural};

/// The most characters of a part, leading zeros apart, and the most groups in a part (docs/FORMATS.md, "wolfram").
pub(super) const MOST_CHARACTERS: usize = 2048;
pub(super) const MOST_GROUPS: usize = 81;

/// The layout of a plain sudoku, which is left out.
pub(super) const PLAIN_LAYOUT: [u16; 6] = [9, 9, 0, 1, 0, 1];
/// The same without its boxes, for jigsaws.
pub(super) const BOXLESS_LAYOUT: [u16; 5] = [9, 9, 0, 1, 0];

/// What is wrong with a part.
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
    LayoutDoc,
    NoMultipleOfNine(usize),
    TooManyGroups(usize),
    CellNumber,
    CellTwice,
    NoTiling,
}

impl Fault {
    /// Code, cell from 0, and words without the name of the part.
    pub(super) fn words(self) -> (Code, Option<usize>, String) {
        let whole = |code, words: &str| (code, None, words.to_string());
        match self {
            Self::TooLong => (Code::Length, None, format!("more than {MOST_CHARACTERS} characters")),
            Self::NotADigit => whole(Code::Digit, "a character that is no base-68 digit (0-9 A-Z a-z ! @ # $ % &)"),
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
            Self::LayoutDoc => whole(Code::Unsupported, "not that of a single 9x9 grid"),
            Self::NoMultipleOfNine(count) => {
                (Code::Length, None, format!("{count} cell number{}, not nine a group", plural(count)))
            }
            Self::TooManyGroups(count) => (Code::Length, None, format!("{count} groups, more than {MOST_GROUPS}")),
            Self::CellNumber => whole(Code::Range, "a cell number that is not 1 to 81"),
            Self::CellTwice => whole(Code::Region, "a group that has a cell twice"),
            Self::NoTiling => whole(Code::Region, "a layout without boxes, but no nine groups that cover the grid"),
        }
    }
}

/// Memory for reading and writing parts, used over and over.
pub(super) struct PartsMemory {
    pub(super) number: Number,
    /// Digits, at the end.
    pub(super) digits: [u8; DIGITS],
}

/// Digits of the longest part in base 11, by whole limbs; those in base 10 are not of that length.
pub(super) const DIGITS: usize = 208 * 18;

impl PartsMemory {
    pub(super) fn new() -> Self {
        Self { number: Number::new(), digits: [0; DIGITS] }
    }
}

/// A part without its leading zeros.
pub(super) fn significant(text: &[u8]) -> &[u8] {
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    &text[zeros..]
}

/// Reads the clues: 81 digits, 0 for none.
pub(super) fn clues<'s>(text: &[u8], scratch: &'s mut PartsMemory) -> Result<&'s [u8], Fault> {
    /// 68^44 is less than 10^81, and 68^45 more.
    const MOST: usize = 45;
    if text.is_empty() {
        return Err(Fault::NoClues);
    }
    let text = significant(text);
    if text.len() > MOST {
        let all_digits = text.iter().all(|&byte| DIGIT68[byte as usize] != NONE);
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

/// The base-11 digits of a list of numbers; a first number 0 is there as no digit at all.
fn list_digits<'s>(text: &[u8], scratch: &'s mut PartsMemory) -> Result<&'s [u8], Fault> {
    let text = significant(text);
    // Too many characters were refused before; too many bytes are not all digits.
    if text.len() > MOST_CHARACTERS || !scratch.number.read68::<Eleven>(text) {
        return Err(Fault::NotADigit);
    }
    let count = scratch.number.digits::<Eleven>(&mut scratch.digits);
    let digits = &scratch.digits[DIGITS - count..];
    let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
    Ok(&digits[zeros..])
}

const SEPARATOR: u8 = 10;

/// Calls `take` for each number of a list, as its decimal digits; for a first number 0, `[0]`. A part without a character is
/// no list.
fn each_number(
    text: &[u8],
    scratch: &mut PartsMemory,
    mut take: impl FnMut(&[u8]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if text.is_empty() {
        return Ok(());
    }
    let digits = list_digits(text, scratch)?;
    // Faults of the list itself come before those of its numbers.
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
    digits.split(|&digit| digit == SEPARATOR).try_for_each(|number| take(if number.is_empty() { &[0] } else { number }))
}

/// Reads the candidates of the cells without a clue: their masks, in the order of the cells. Nothing if the part is empty.
///
/// `codes` are the clues (0 for none), and become cell codes.
pub(super) fn candidates(text: &[u8], codes: &mut [u16], scratch: &mut PartsMemory) -> Result<(), Fault> {
    if text.is_empty() {
        return Ok(());
    }
    let cells = codes.iter().filter(|&&code| code == 0).count();
    let digits = list_digits(text, scratch)?;
    let mut masks = [0; MASKS];
    if masks_of(digits, &mut masks) == Some(cells) {
        let mut masks = masks.iter();
        for code in codes.iter_mut().filter(|code| **code == 0) {
            *code = masks.next().map_or(0, |&mask| if mask == 0 { 0 } else { 18 + mask });
        }
        return Ok(());
    }
    // Something is wrong; the slow way finds what it is.
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
        let mut right = digits == [0];
        if !right {
            right = digits.iter().all(|&digit| {
                mask |= 1 << digit >> 1;
                std::mem::replace(&mut before, digit) < digit
            });
        }
        if !right && fault.is_none() {
            fault = Some(Fault::Candidates { cell: at as u8 });
        }
        if right && mask != 0 {
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

/// A place for each list that can be, and for one that is too many.
const MASKS: usize = 82;

/// The masks of the candidate lists in base-11 digits, and how many lists there are; nothing if any is not as it should be.
/// Without a branch for each digit: where a list ends cannot be foreseen.
fn masks_of(digits: &[u8], masks: &mut [u16; MASKS]) -> Option<usize> {
    // What stands before the first separator may be nothing, which is a 0.
    let empty_first = digits.first().is_none_or(|&digit| digit == SEPARATOR);
    let (mut separators, mut bad) = (0, digits.last() == Some(&SEPARATOR));
    for &digit in digits {
        separators += usize::from(digit == SEPARATOR);
    }
    // What may follow a digit: a larger one or a separator, but only a separator a 0, and none another.
    for (&digit, &next) in digits.iter().zip(digits.get(1..).unwrap_or_default()) {
        let (after, before) = (digit == SEPARATOR, next == SEPARATOR);
        bad |= after & before | !after & !before & ((next <= digit) | (digit == 0));
    }
    if bad || separators >= MASKS - 1 {
        return None;
    }
    // The sum of all lists so far stands where the list at hand ends; as bits add up, differences are masks.
    let (mut list, mut sum) = (0, u32::from(empty_first));
    let mut sums = [0; MASKS + 1];
    sums[1] = sum;
    for &digit in digits {
        list += usize::from(digit == SEPARATOR);
        sum = sum.wrapping_add(WORTH[digit as usize & 15]);
        sums[list + 1] = sum;
    }
    for (mask, ends) in masks.iter_mut().zip(sums.windows(2)) {
        *mask = (ends[1].wrapping_sub(ends[0]) >> 1) as u16;
    }
    Some(separators + 1)
}

/// The bit of each digit; none for a separator.
const WORTH: [u32; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 0, 0, 0, 0, 0, 0];

/// Whether a layout is that of a grid with boxes.
pub(super) fn has_boxes(text: &[u8], scratch: &mut PartsMemory) -> Result<bool, Fault> {
    if text.is_empty() {
        return Ok(true);
    }
    let (mut layout, mut len) = ([0; PLAIN_LAYOUT.len() + 1], 0);
    each_number(text, scratch, |digits| {
        if let Some(place) = layout.get_mut(len) {
            *place = small(digits);
            len += 1;
        }
        Ok(())
    })?;
    match &layout[..len] {
        layout if *layout == PLAIN_LAYOUT => Ok(true),
        layout if *layout == BOXLESS_LAYOUT => Ok(false),
        _ => Err(Fault::LayoutDoc),
    }
}

/// A number of up to two digits, or 100.
fn small(digits: &[u8]) -> u16 {
    match *digits {
        [ones] => ones.into(),
        [tens, ones] => u16::from(tens) * 10 + u16::from(ones),
        _ => 100,
    }
}

/// Reads groups of nine cells, which are numbered from 1, into lists of cells numbered from 0.
pub(super) fn groups(text: &[u8], scratch: &mut PartsMemory, out: &mut Vec<[u8; 9]>) -> Result<(), Fault> {
    out.clear();
    let (mut count, mut group, mut fault) = (0, [0; 9], None);
    each_number(text, scratch, |digits| {
        let number = small(digits);
        let place = count % 9;
        count += 1;
        if count > 9 * MOST_GROUPS {
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
        _ if count > 9 * MOST_GROUPS => Err(Fault::TooManyGroups(count / 9)),
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// Fills regions 1..9 from nine groups that cover the grid.
pub(super) fn regions(groups: &[[u8; 9]], regions: &mut [u8]) -> Result<(), Fault> {
    let seen = groups.iter().flatten().fold(0_u128, |seen, &cell| seen | 1 << cell);
    if groups.len() != 9 || seen != (1 << 81) - 1 {
        return Err(Fault::NoTiling);
    }
    for (number, group) in (1..).zip(groups) {
        group.iter().for_each(|&cell| regions[cell as usize] = number);
    }
    Ok(())
}
