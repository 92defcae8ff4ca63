//! Recognises what accompanies boards and looks like a string of one: maps of regions and the like, numbers and sums of
//! cages, and masks of clues.

use super::plain;
use crate::board::{Geometry, Kind, Shape, Side, components};

/// The fewest clues of a sudoku with one solution.
const FEWEST_CLUES: usize = 17;
/// The largest sum of a cage: that of all nine digits.
const MAX_SUM: u8 = 45;
/// Sudokus have no more clues than this; Str8ts have more white cells.
const MOST_CLUES: usize = 40;
/// How many pairs of neighbouring white cells a solved Str8ts has at least: far fewer than any Str8ts, and more than
/// fit each other by chance.
const FEWEST_PAIRS: u32 = 16;
/// The sum of a complete grid, and so of all cages of a killer.
pub(super) const ALL_SUMS: u32 = 9 * 45;
/// In this many rows and columns at least, a map of regions has cells of one region twice. A solution in which one digit
/// was exchanged for another repeats digits in four at most.
const MANY_LINES: usize = 9;
/// This many digits at least must be on connected cells to make a map of a board. Digits of sudokus never are.
const MANY_PIECES: usize = 3;

/// The rows and columns of a board, each as its cells.
fn lines() -> impl Iterator<Item = [usize; 9]> {
    (0..9).flat_map(|n| [std::array::from_fn(|i| 9 * n + i), std::array::from_fn(|i| 9 * i + n)])
}

fn boxes() -> impl Iterator<Item = [usize; 9]> {
    (0..9).map(|n| std::array::from_fn(|i| n / 3 * 27 + n % 3 * 3 + i / 3 * 9 + i % 3))
}

/// The numbers of a list without those above 99, of which there must be none. A comma before the first of 80 numbers
/// stands for 0.
fn small_numbers(text: &[u8]) -> Option<[u8; 81]> {
    let commas = memchr::memchr_iter(b',', text).count();
    let text = if commas > 80 { text.strip_prefix(b",")? } else { text };
    let mut parts = text.strip_prefix(b"9:").unwrap_or(text).split(|&byte| byte == b',');
    let mut numbers = [0; 81];
    for (cell, number) in numbers.iter_mut().enumerate() {
        *number = match parts.next()?.trim_ascii_start() {
            [] if cell == 0 => 0,
            &[ones @ b'0'..=b'9'] => ones - b'0',
            &[tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => 10 * (tens - b'0') + ones - b'0',
            _ => return None,
        };
    }
    parts.next().is_none().then_some(numbers)
}

/// A board of digits with at least this many of 27 houses that have a digit twice is no sudoku with a few wrong digits.
const MANY_HOUSES: usize = 14;

/// Whether digits, 0 for an empty cell, are on a board as no sudoku has them.
pub(super) fn repeats_in_most_houses(digits: &[u8; 81]) -> bool {
    plain::repeats(digits, Shape::new(Kind::Sudoku, Side::NINE)) >= MANY_HOUSES
}

/// Whether a list is rather one of the numbers or sums of cages than of masks. As masks, numbers below 100 are cells
/// without an 8 and a 9.
pub(super) fn is_list_of_cages(text: &[u8]) -> bool {
    let Some(numbers) = small_numbers(text) else { return false };
    let filled = || numbers.iter().filter(|&&number| number > 0);
    let is_at_most = |most: u8| numbers.iter().all(|&number| number <= most);
    // The masks of clues and solved cells are powers of two.
    let several = filled().filter(|number| !number.is_power_of_two()).count();
    let has_no_mask_of_two_digits = filled().count() >= FEWEST_CLUES && 3 * several >= filled().count();
    let is_sums = || is_at_most(MAX_SUM) && numbers.iter().map(|&sum| u32::from(sum)).sum::<u32>() == ALL_SUMS;
    let counts = |most: u8| (1..=most).all(|number| numbers.contains(&number));
    let is_full = |house: [usize; 9]| house.iter().all(|&cell| numbers[cell] > 0);
    has_no_mask_of_two_digits
        || is_sums()
        || filled().max().is_some_and(|&most| counts(most))
        || lines().chain(boxes()).any(is_full)
}

/// Whether the candidates of a board, without any for an empty cell, are rather the sums of cages, such as 14 for 1 and 4:
/// none is above 45, and they are 405 together, or a house without empty cells lacks a digit. If few have two digits, they
/// are so only if they are 405 together and a house has a digit twice.
pub(super) fn are_sums(sets: &[u16; 81]) -> bool {
    let number = |set: u16| match set.count_ones() {
        0 => 0,
        1 => set.trailing_zeros() as u8 + 1,
        2 => 10 * (set.trailing_zeros() as u8 + 1) + set.ilog2() as u8 + 1,
        _ => u8::MAX,
    };
    let count = |digits: u32| sets.iter().filter(|set| set.count_ones() == digits).count();
    let is_total = || sets.iter().map(|&set| u32::from(number(set))).sum::<u32>() == ALL_SUMS;
    let lacks_digit = |house: [usize; 9]| {
        house.iter().all(|&cell| sets[cell] != 0) && house.iter().fold(0, |all, &cell| all | sets[cell]) != 0x1ff
    };
    let repeats_digit = |house: [usize; 9]| {
        let singles = || house.iter().map(|&cell| sets[cell]).filter(|set| set.is_power_of_two());
        singles().fold(0, |all, set| all | set).count_ones() < singles().count() as u32
    };
    let mut houses = lines().chain(boxes());
    sets.iter().all(|&set| number(set) <= MAX_SUM)
        && match 3 * count(2) >= (81 - count(0)).max(1) {
            true => is_total() || houses.any(lacks_digit),
            false => count(2) > 0 && is_total() && houses.any(repeats_digit),
        }
}

/// Whether the signs of a board, 0 for an empty cell, are rather a map than a sudoku. There are maps
/// - of regions: nine signs, nine times each, that many rows and columns repeat;
/// - of pieces: digits of which each is on connected cells;
/// - of colours: no sign for an empty cell, and fewer than nine digits;
/// - of clues: more than nine times 1, and otherwise 0.
pub(super) fn is_map(signs: &[u8; 81]) -> bool {
    let mut counts = [0_u8; 10];
    signs.iter().for_each(|&sign| counts[usize::from(sign)] += 1);
    let repeats = |line: &[usize; 9]| line.iter().fold(0_u16, |found, &cell| found | 1 << signs[cell]).count_ones() < 9;
    let different = counts[1..].iter().filter(|&&count| count > 0).count();
    let are_nine_of_nine = || counts.iter().filter(|&&count| count == 9).count() == 9;
    if counts[0] == 0 && different < 9
        || counts[1] > 9 && different == 1
        || are_nine_of_nine() && lines().filter(repeats).count() >= MANY_LINES
    {
        return true;
    }
    let labels = components(signs, 9);
    let mut pieces = [0_u8; 10];
    (0..81).filter(|&cell| usize::from(labels[cell]) == cell).for_each(|cell| pieces[usize::from(signs[cell])] += 1);
    let repeated = || (1..=9).filter(|&digit| counts[digit] > 1);
    repeated().count() >= MANY_PIECES && repeated().all(|digit| pieces[digit] == 1)
}

/// Whether signs are a map of the regions of a board: as many as its side, as often each, and nearly every cell has a neighbour
/// of its region. (One published map has four stray cells.) No cell of a solution has an equal neighbour, nor have those of one with
/// a few wrong digits.
pub(super) fn is_map_of_regions(signs: &[u8], side: usize) -> bool {
    let mut counts = [0_usize; 256];
    signs.iter().for_each(|&sign| counts[usize::from(sign)] += 1);
    if signs.len() != side * side || signs.iter().any(|&sign| counts[usize::from(sign)] != side) {
        return false;
    }
    let is_stray = |&cell: &usize| Geometry::neighbours(cell, side).all(|other| signs[other] != signs[cell]);
    (0..signs.len()).filter(is_stray).count() <= side / 2
}

/// Whether one half of a text is a map of regions.
pub(super) fn is_pair(text: &[u8], side: usize) -> bool {
    let halves = text.split_at_checked(side * side);
    halves.is_some_and(|(first, second)| [first, second].into_iter().any(|half| is_map_of_regions(half, side)))
}

/// Whether 162 characters may be such a pair: in a map of regions, each corner is in the region of a cell beside it.
#[inline(always)]
pub(super) fn may_be_pair(text: &[u8]) -> bool {
    let Ok(text) = <&[u8; 162]>::try_from(text) else { return false };
    let may_be_map = |first: usize| {
        let is_beside = |corner: usize, across: usize, down: usize| {
            text[first + corner] == text[first + across] || text[first + corner] == text[first + down]
        };
        is_beside(0, 1, 9) && is_beside(8, 7, 17) && is_beside(72, 73, 63) && is_beside(80, 79, 71)
    };
    may_be_map(0) || may_be_map(81)
}

/// Whether a list of digits is rather a map than a sudoku.
pub(super) fn is_list_of_map(text: &[u8]) -> bool {
    small_numbers(text).is_some_and(|digits| digits.iter().all(|&digit| digit < 10) && is_map(&digits))
}

/// Whether 81 characters need no closer look, because they cannot be a map, and some of them are digits.
#[inline(always)]
pub(super) fn is_no_map(text: &[u8]) -> bool {
    let has_more_than_ones = |first: &[u8; 16]| first.iter().fold(0, |any, &byte| any | in_range(byte, b'2')) != 0;
    text.first_chunk().is_some_and(has_more_than_ones) && !is_dense(text)
}

/// Whether a digit is from `least` to 9, as a number.
#[inline(always)]
fn in_range(byte: u8, least: u8) -> u8 {
    u8::from(byte.wrapping_sub(least) <= b'9' - least)
}

/// Whether so many of the first characters are digits that a map may follow. It has at most nine signs for its ninth
/// region that are none.
#[inline(always)]
fn is_dense(text: &[u8]) -> bool {
    const FIRST: usize = 32;
    let count = |first: &[u8; FIRST]| first.iter().fold(0, |digits, &byte| digits + in_range(byte, b'1'));
    text.first_chunk().is_some_and(|first| usize::from(count(first)) >= FIRST - 9)
}

/// Whether 81 characters are rather a map than a sudoku.
#[inline(never)]
pub(super) fn is_line_of_map(text: &[u8]) -> bool {
    let Some(text) = text.first_chunk::<81>() else { return false };
    // Nearly all complete grids are solutions, which end here. In a map of regions of nine connected cells, the region
    // of the first cell also has the cell to the right of it or the one below it.
    let first_row = || text[..9].iter().fold(0_u16, |found, byte| found | 1 << (byte & 15));
    let is_other = match is_dense(text) {
        true => first_row() == ALL_DIGITS && text[0] != text[9],
        false => text.iter().any(|byte| (b'2'..=b'9').contains(byte)),
    };
    !is_other && is_map(&text.map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 }))
}

/// The bits of the digits 1 to 9.
const ALL_DIGITS: u16 = 0x3fe;

/// Whether 81 digits and 81 of 0 and 1 are rather a sudoku and a mask of its clues than a Str8ts.
pub(super) fn is_sudoku_and_mask(text: &[u8]) -> bool {
    let Some((digits, mask)) =
        text.split_first_chunk::<81>().and_then(|(digits, mask)| Some((digits, mask.first_chunk::<81>()?)))
    else {
        return false;
    };
    // Nearly all Str8ts have empty cells of both colours, some of them in the first rows.
    let both = WHITE | BLACK;
    if empty_colours(&digits[..32], &mask[..32]) == both {
        return false;
    }
    let empty = empty_colours(digits, mask);
    if empty == both {
        return false;
    }
    let has_digit = |black: u8| digits.iter().zip(mask).any(|(&digit, &colour)| colour == black && digit != b'0');
    let black = mask.iter().filter(|&&colour| colour == b'1').count();
    if empty == WHITE {
        // The mask may be that of the clues, and digits of white cells were placed later.
        return black >= FEWEST_CLUES || !has_digit(b'0');
    }
    // Each white cell has a digit.
    let is_exact = empty == 0 || !has_digit(b'1');
    (is_exact || 81 - black <= MOST_CLUES) && !is_solved_str8ts(digits, mask)
}

const WHITE: u8 = 1;
const BLACK: u8 = 2;

/// The colours that empty cells have.
#[inline(always)]
fn empty_colours(digits: &[u8], mask: &[u8]) -> u8 {
    let colours = digits.iter().zip(mask).map(|(&digit, &colour)| match digit {
        b'0' => colour.wrapping_sub(b'0') + WHITE,
        _ => 0,
    });
    colours.fold(0, |any, colour| any | colour)
}

/// Whether the rules of Str8ts hold for a board without empty white cells, and enough white cells are neighbours for that
/// not to be by chance.
fn is_solved_str8ts(digits: &[u8; 81], mask: &[u8; 81]) -> bool {
    let mut pairs = 0;
    for line in lines() {
        let (mut in_line, mut straight) = (0_u16, 0_u16);
        for cell in line.into_iter().map(Some).chain([None]) {
            if let Some(cell) = cell.filter(|&cell| digits[cell] != b'0') {
                let digit = 1 << (digits[cell] & 15);
                if in_line & digit != 0 {
                    return false;
                }
                in_line |= digit;
                if mask[cell] == b'0' {
                    straight |= digit;
                    continue;
                }
            }
            // A black cell, or the end of the line.
            let lowest = straight >> straight.trailing_zeros().min(15);
            if lowest & (lowest + 1) != 0 {
                return false;
            }
            pairs += straight.count_ones().saturating_sub(1);
            straight = 0;
        }
    }
    pairs >= FEWEST_PAIRS
}
