//! Reads the parts of a string, and finds their faults.

use super::lists::{Elements, LIST_END, SEPARATOR};
use super::radix::{DIGIT68, DIGITS, Eleven, NOT_A_DIGIT, Number};
use super::sums::{DIGITS_ROOM, MAX_TEXT, Read68, Work};
use super::write::{self, BOXLESS_LAYOUT};
use crate::error::{Code, plural};
use crate::kernels::{Kernel, MAX_ELEMENTS, TAIL};

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
pub(super) struct PartsMemory<'k> {
    kernel: &'k Kernel,
    /// The digits of a number of at most [`MAX_TEXT`] characters, at the end, with [`LIST_END`] after them.
    digits: [u8; DIGITS_ROOM + TAIL],
    elements: Elements,
    work: Work,
    /// The same for longer numbers, without the end of a list.
    number: Number,
    many_digits: [u8; DIGITS],
}

impl<'k> PartsMemory<'k> {
    pub(super) fn new(kernel: &'k Kernel) -> Self {
        let mut digits = [0; DIGITS_ROOM + TAIL];
        digits[DIGITS_ROOM..].copy_from_slice(&LIST_END);
        Self {
            kernel,
            digits,
            elements: Elements::new(),
            work: Work::new(),
            number: Number::new(),
            many_digits: [0; DIGITS],
        }
    }

    /// Reads a number of at most [`MAX_TEXT`] characters. Returns its number of digits, which includes leading zeros
    /// and is a multiple of eight, or `None` if a character is not a digit.
    fn read<const RADIX: u64>(&mut self, text: &[u8]) -> Option<usize> {
        let room = self.digits.first_chunk_mut()?;
        self.kernel.run(Read68::<RADIX>::new(text, room, &mut self.work))
    }
}

/// Returns a part without its leading zeros.
pub(super) fn significant(text: &[u8]) -> &[u8] {
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    &text[zeros..]
}

/// Reads the clues: 81 digits, with 0 for a cell without a clue.
pub(super) fn clues<'s>(text: &[u8], scratch: &'s mut PartsMemory) -> Result<&'s [u8; 81], Fault> {
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
    let count = scratch.read::<10>(text).ok_or(Fault::NotADigit)?;
    let digits = &mut scratch.digits[..DIGITS_ROOM];
    if count < 81 {
        digits[DIGITS_ROOM - 81..DIGITS_ROOM - count].fill(0);
    }
    match digits.split_last_chunk() {
        Some((before, clues)) if before.iter().rev().take(count.saturating_sub(81)).all(|&digit| digit == 0) => {
            Ok(clues)
        }
        _ => Err(Fault::CluesTooLarge),
    }
}

/// Reads a part that is a list of numbers as one number in base 11. Returns the place of its first digit that is not 0,
/// in `scratch.digits`, or `None` for long numbers, which are in `scratch.number`.
fn read_list(text: &[u8], scratch: &mut PartsMemory) -> Result<Option<usize>, Fault> {
    let text = significant(text);
    if text.len() <= MAX_TEXT {
        let count = scratch.read::<11>(text).ok_or(Fault::NotADigit)?;
        let start = DIGITS_ROOM - count;
        let words = scratch.digits[start..DIGITS_ROOM].as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
        let (zeros, first) = words.zip(0..).find_map(|(word, zeros)| (word != 0).then_some((zeros, word))).unzip();
        let zeros =
            zeros.map_or(count, |zeros: usize| 8 * zeros) + first.map_or(0, |word| word.trailing_zeros() as usize / 8);
        return Ok(Some(start + zeros));
    }
    // `decode` rejects parts with too many characters. A part with too many bytes contains bytes that are not digits.
    let is_read = text.len() <= MAX_CHARACTERS && scratch.number.read68::<Eleven>(text);
    if is_read { Ok(None) } else { Err(Fault::NotADigit) }
}

/// Returns the base-11 digits of a list of numbers. A first number 0 has no digits.
fn list_digits<'s>(text: &[u8], scratch: &'s mut PartsMemory) -> Result<&'s [u8], Fault> {
    if let Some(start) = read_list(text, scratch)? {
        return Ok(&scratch.digits[start..DIGITS_ROOM]);
    }
    let count = scratch.number.digits::<Eleven>(&mut scratch.many_digits);
    let digits = &scratch.many_digits[DIGITS - count..];
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
    if let Some(start) = read_list(text, scratch)? {
        let (digits, len) = (&scratch.digits[start..], DIGITS_ROOM - start);
        if let Some((masks, count)) = scratch.elements.masks(digits, len, scratch.kernel)
            && count == cells
        {
            put_candidates(masks, codes);
            return Ok(());
        }
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

/// Puts candidates into the cells without a clue, of which there are as many as masks.
fn put_candidates(masks: &[u16; MAX_ELEMENTS], codes: &mut [u16]) {
    let mut list = 0;
    for code in codes {
        // Without a branch, because the positions of clues are unpredictable. The code of an open cell is still 0.
        let mask = masks[list % MAX_ELEMENTS];
        let candidates = mask + 18 * u16::from(mask != 0);
        let is_open = u16::from(*code == 0);
        *code |= candidates & is_open.wrapping_neg();
        list += usize::from(is_open);
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
    if let Some(start) = read_list(text, scratch)? {
        let (digits, len) = (&scratch.digits[start..], DIGITS_ROOM - start);
        let numbers = scratch.elements.numbers(digits, len, scratch.kernel);
        if numbers.is_some_and(|numbers| put_groups(numbers, out)) {
            return Ok(());
        }
        out.clear();
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

/// Appends groups of nine cells, whose numbers are counted from 1. Returns false if the numbers are invalid.
fn put_groups(numbers: &[u16], out: &mut Vec<[u8; 9]>) -> bool {
    let (groups, []) = numbers.as_chunks::<9>() else { return false };
    // For each cell, the number of the last group that contains it.
    let (mut last, mut is_wrong) = ([0; 128], false);
    for (group, numbers) in (1_u8..).zip(groups) {
        let cells = numbers.map(|number| number.wrapping_sub(1) as u8);
        for (&cell, &number) in cells.iter().zip(numbers) {
            let last = &mut last[usize::from(cell & 127)];
            is_wrong |= (*last == group) | (number.wrapping_sub(1) > 80);
            *last = group;
        }
        out.push(cells);
    }
    !is_wrong
}

/// Numbers the cells of nine groups that cover the grid as regions 1 to 9.
pub(super) fn regions(groups: &[[u8; 9]], regions: &mut [u8]) -> Result<(), Fault> {
    regions.fill(0);
    for (number, group) in (1..).zip(groups) {
        group.iter().for_each(|&cell| regions[cell as usize] = number);
    }
    if groups.len() == 9 && !regions.contains(&0) { Ok(()) } else { Err(Fault::NoTiling) }
}
