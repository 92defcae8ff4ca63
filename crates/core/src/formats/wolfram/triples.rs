//! Reads lists of numbers three base-11 digits at a time, with tables. Only valid lists are read. For an invalid list,
//! `parts` finds the fault digit by digit.

use std::array;
use std::sync::LazyLock;

/// The base-11 digit that separates two numbers.
pub(super) const SEPARATOR: u8 = 10;

/// The number of values of a triple of digits.
const VALUES: usize = 11 * 11 * 11;

/// The maximum number of candidate lists of a board, with room for those that are written past the end.
pub(super) const MAX_LISTS: usize = 84;

/// What three digits (or fewer at the beginning) mean in candidate lists. In a mask of digits, the lowest bit is digit
/// 0.
#[derive(Clone, Copy)]
struct CandidateTriple {
    /// The digits before the first separator, or all digits if there is no separator.
    before: u16,
    /// The digit between two separators.
    between: u16,
    /// The digits after the last separator.
    after: u16,
    /// A mask of the digits that may follow the last digit; the upper four bits are the first digit.
    follows: u16,
    separators: u8,
    /// Some digit is followed by one that may not follow it.
    is_wrong: bool,
}

/// Returns a mask of the digits that may follow a digit: larger ones, or a separator. Only a separator may follow 0,
/// and any digit except another separator may follow a separator.
fn follows(digit: u8) -> u16 {
    match digit {
        0 => 1 << SEPARATOR,
        SEPARATOR => (1 << SEPARATOR) - 1,
        _ => 0x7FE << digit & 0x7FF,
    }
}

/// Returns the three digits of a value.
fn digits_of(value: usize) -> [u8; 3] {
    [(value / 121) as u8, (value / 11 % 11) as u8, (value % 11) as u8]
}

fn candidate_triple(value: usize, len: usize) -> CandidateTriple {
    let digits = digits_of(value);
    let first = digits[3 - len];
    let mut all = CandidateTriple {
        before: 0,
        between: 0,
        after: 0,
        follows: follows(digits[2]) | (first as u16) << 12,
        separators: 0,
        is_wrong: false,
    };
    let mut i = 3 - len;
    while i < 3 {
        let digit = digits[i];
        if i > 3 - len && follows(digits[i - 1]) >> digit & 1 == 0 {
            all.is_wrong = true;
        }
        if digit == SEPARATOR {
            all.between = all.after;
            all.after = 0;
            all.separators += 1;
        } else if all.separators == 0 {
            all.before |= 1 << digit;
        } else {
            all.after |= 1 << digit;
        }
        i += 1;
    }
    all
}

/// What three digits (or fewer at the beginning) mean in lists of cell numbers. Each number is represented by a 1
/// followed by its decimal digits, so that 05 differs from 5.
#[derive(Clone, Copy)]
struct NumberTriple {
    /// The factor and the summand that append the digits before the first separator to the number so far.
    scale: u16,
    before: u16,
    /// The number between two separators.
    between: u16,
    /// The number after the last separator.
    after: u16,
    separators: u8,
}

fn number_triple(value: usize, len: usize) -> NumberTriple {
    let digits = digits_of(value);
    let mut all = NumberTriple { scale: 1, before: 0, between: 1, after: 1, separators: 0 };
    let mut i = 3 - len;
    while i < 3 {
        let digit = digits[i];
        if digit == SEPARATOR {
            all.between = all.after;
            all.after = 1;
            all.separators += 1;
        } else if all.separators == 0 {
            all.scale *= 10;
            all.before = all.before * 10 + digit as u16;
        } else {
            all.after = all.after * 10 + digit as u16;
        }
        i += 1;
    }
    all
}

static CANDIDATES: LazyLock<[CandidateTriple; VALUES]> =
    LazyLock::new(|| array::from_fn(|value| candidate_triple(value, 3)));

static NUMBERS: LazyLock<[NumberTriple; VALUES]> = LazyLock::new(|| array::from_fn(|value| number_triple(value, 3)));

/// Skips leading zeros. Returns the first triple, its number of digits, and the other triples.
fn skip_zeros(triples: &[u16]) -> (usize, usize, &[u16]) {
    let zeros = triples.iter().take_while(|&&triple| triple == 0).count();
    match triples[zeros..] {
        [first, ref others @ ..] => {
            let len = 1 + usize::from(first >= 11) + usize::from(first >= 121);
            (first.into(), len, others)
        }
        [] => (0, 0, &[]),
    }
}

/// Writes the masks of candidate lists in order, and returns their number.
pub(super) fn masks(triples: &[u16], masks: &mut [u16; MAX_LISTS]) -> Option<usize> {
    let (first, len, others) = skip_zeros(triples);
    if len == 0 {
        // The list consists of a single 0.
        masks[0] = 0;
        return Some(1);
    }
    let mut list = 0;
    // `current` is the mask of the current list so far. Any digit may come first.
    let (mut current, mut allowed, mut is_wrong) = (0, u16::MAX, false);
    let mut push = |triple: &CandidateTriple| {
        is_wrong |= triple.is_wrong | (allowed >> (triple.follows >> 12) & 1 == 0);
        current |= triple.before;
        allowed = triple.follows;
        if list >= MAX_LISTS - 2 {
            return false;
        }
        masks[list] = current >> 1;
        masks[list + 1] = triple.between >> 1;
        list += usize::from(triple.separators);
        current = if triple.separators > 0 { triple.after } else { current };
        true
    };
    let table: &[_; VALUES] = &CANDIDATES;
    if !push(&candidate_triple(first, len))
        || !others.iter().all(|&triple| push(&table[usize::from(triple).min(VALUES - 1)]))
    {
        return None;
    }
    let ends_with_separator = allowed & 0x7FF == follows(SEPARATOR);
    *masks.get_mut(list)? = current >> 1;
    (!is_wrong && !ends_with_separator).then_some(list + 1)
}

/// In [`CELLS`]: the number is not that of a cell.
const NO_CELL: u8 = u8::MAX;

/// The cell, counted from 0, for each number that is written with a 1 before it.
static CELLS: [u8; 256] = {
    let mut table = [NO_CELL; 256];
    let mut number = 1;
    while number <= 81 {
        table[if number < 10 { 10 } else { 100 } + number] = number as u8 - 1;
        number += 1;
    }
    table
};

/// Returns the cells of a list of numbers, counted from 0. `None` for long lists.
pub(super) fn cells<'c>(triples: &[u16], cells: &'c mut [u8; MAX_CELLS]) -> Option<&'c [u8]> {
    let (first, len, others) = skip_zeros(triples);
    let first = number_triple(first, len);
    let cell = |number: u32| CELLS[number.min(255) as usize];
    let mut count = usize::from(first.separators);
    if len == 0 || 2 * others.len() + 4 > MAX_CELLS {
        return None;
    }
    let mut number = u32::from(first.scale + first.before);
    cells[0] = cell(number);
    cells[1] = cell(first.between.into());
    number = if count > 0 { first.after.into() } else { number };
    let table: &[_; VALUES] = &NUMBERS;
    for &triple in others {
        let triple = &table[usize::from(triple).min(VALUES - 1)];
        let [here, next] = cells.get_mut(count..)?.first_chunk_mut()?;
        *here = cell(number * u32::from(triple.scale) + u32::from(triple.before));
        *next = cell(triple.between.into());
        count += usize::from(triple.separators);
        number = triple.after.into();
        if triple.separators == 0 {
            // Three digits without a separator are not a cell number.
            return None;
        }
    }
    *cells.get_mut(count)? = cell(number);
    let cells = &cells[..=count];
    cells.iter().all(|&cell| cell != NO_CELL).then_some(cells)
}

/// The maximum number of cells that `cells` reads.
pub(super) const MAX_CELLS: usize = 728;

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups digits in triples, after zeros that pad them to whole limbs.
    fn triples(digits: &[u8]) -> Vec<u16> {
        let zeros = vec![0; 18 - digits.len() % 18];
        let all = [&zeros[..], digits].concat();
        all.chunks_exact(3).map(|triple| triple.iter().fold(0, |value, &digit| value * 11 + u16::from(digit))).collect()
    }

    /// The numbers of a list without its leading zeros. The first number may be empty.
    fn numbers(digits: &[u8]) -> Vec<Vec<u8>> {
        let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
        digits[zeros..].split(|&digit| digit == SEPARATOR).map(<[u8]>::to_vec).collect()
    }

    fn slow_masks(digits: &[u8]) -> Option<Vec<u16>> {
        let mask = |(i, list): (usize, Vec<u8>)| match &list[..] {
            [0] => Some(0),
            [] if i == 0 => Some(0),
            [] | [0, ..] => None,
            list => list.is_sorted_by(|a, b| a < b).then(|| list.iter().fold(0, |mask, digit| mask | 1 << (digit - 1))),
        };
        numbers(digits).into_iter().enumerate().map(mask).collect()
    }

    fn slow_cells(digits: &[u8]) -> Option<Vec<u8>> {
        let cell = |number: Vec<u8>| {
            let value = number.iter().fold(0_u64, |value, &digit| (10 * value + u64::from(digit)).min(1000));
            (number.first() != Some(&0) && (1..=81).contains(&value)).then(|| value as u8 - 1)
        };
        numbers(digits).into_iter().map(cell).collect()
    }

    #[test]
    fn triples_give_the_results_of_single_digits() {
        let mut state = 3_u64;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut seen = [0; 4];
        for round in 0..20_000 {
            let (count, mut digits) = (random(MAX_LISTS - 2) + 1, Vec::new());
            for i in 0..count {
                digits.extend((i > 0).then_some(SEPARATOR));
                if round % 2 == 0 {
                    let mask = if random(5) == 0 { 0 } else { random(512) };
                    digits.extend((1..10).filter(|digit| mask >> (digit - 1) & 1 == 1));
                    digits.extend((mask == 0).then_some(0));
                } else {
                    let number = random(82).max(1);
                    digits.extend((number > 9).then_some((number / 10) as u8));
                    digits.push((number % 10) as u8);
                }
            }
            // Most lists have few mutations.
            for _ in 0..[0, 0, 1, 2, 60][random(5)] {
                let at = random(digits.len());
                match random(3) {
                    0 => digits[at] = random(11) as u8,
                    1 => digits.insert(at, random(11) as u8),
                    _ => {
                        digits.truncate(at);
                        digits.push(random(11) as u8);
                    }
                }
            }
            let (triples, mut masks, mut cells) = (triples(&digits), [7; MAX_LISTS], [7; MAX_CELLS]);
            let found = super::masks(&triples, &mut masks).map(|count| masks[..count].to_vec());
            let expected = slow_masks(&digits).filter(|lists| lists.len() < MAX_LISTS - 1);
            assert_eq!(found, expected, "{digits:?}");
            let found_cells = super::cells(&triples, &mut cells).map(<[u8]>::to_vec);
            assert_eq!(found_cells, slow_cells(&digits), "{digits:?}");
            for (i, is_some) in [found.is_some(), found_cells.is_some()].into_iter().enumerate() {
                seen[2 * i + usize::from(is_some)] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
    }
}
