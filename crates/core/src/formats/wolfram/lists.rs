//! Reads lists of numbers from their base-11 digits, for many digits at the same time. Only valid lists are read. For
//! an invalid list, `parts` finds the fault digit by digit.
//!
//! Each digit has a weight: what it adds to its candidates or to its number. So an element of a list is the difference
//! of the sums of all weights up to two consecutive separators.

use crate::kernels::{Kernel, MAX_ELEMENTS, SimdTask, Sums, TAIL};

/// The base-11 digit that separates two numbers.
pub(super) const SEPARATOR: u8 = crate::kernels::SEPARATOR11;

/// The maximum number of digits of a list.
pub(super) const MAX_LIST: usize = super::sums::DIGITS_ROOM;

/// What follows the digits of a list: a separator, and bytes that are not digits.
pub(super) const LIST_END: [u8; TAIL] = {
    let mut end = [SEPARATOR + 1; TAIL];
    end[0] = SEPARATOR;
    end
};

/// Memory for the elements of a list.
pub(super) struct Elements {
    weights: [u16; MAX_LIST + TAIL],
    sums: Sums,
}

impl Elements {
    pub(super) fn new() -> Self {
        Self { weights: [0; MAX_LIST + TAIL], sums: Sums::new() }
    }

    /// Returns the masks of candidate lists in order, in an array of which the rest is unspecified, and their number.
    /// `digits` are those of the list without leading zeros and with
    /// [`LIST_END`], without which there are `len`.
    pub(super) fn masks(
        &mut self,
        digits: &[u8],
        len: usize,
        kernel: &Kernel,
    ) -> Option<(&[u16; MAX_ELEMENTS], usize)> {
        let is_wrong = kernel.run(Weigh { digits, len, weights: &mut self.weights, weigh: Candidates });
        let (masks, count) = kernel.elements(digits, &self.weights, len + 1, &mut self.sums);
        (!is_wrong).then_some((masks, count))
    }

    /// Returns the numbers of a list of cells in order. Some may be above 81.
    pub(super) fn numbers(&mut self, digits: &[u8], len: usize, kernel: &Kernel) -> Option<&[u16]> {
        // A first number 0 is not that of a cell.
        if digits[0] == SEPARATOR {
            return None;
        }
        let is_wrong = kernel.run(Weigh { digits, len, weights: &mut self.weights, weigh: Numbers });
        let (numbers, count) = kernel.elements(digits, &self.weights, len + 1, &mut self.sums);
        (!is_wrong).then_some(&numbers[..count])
    }
}

/// What the digits of a kind of list weigh. All functions get a digit and the two digits after it.
trait Weight: Copy {
    fn weight(self, digit: u8, next: u8) -> u16;
    fn is_wrong(self, digits: [u8; 3]) -> bool;
}

#[derive(Clone, Copy)]
struct Candidates;

impl Weight for Candidates {
    #[inline(always)]
    fn weight(self, digit: u8, _: u8) -> u16 {
        (if digit == SEPARATOR { 0 } else { 1_u16.wrapping_shl(digit.into()) }) >> 1
    }

    /// After a digit, a larger one or a separator follows; after 0, only a separator; after a separator, any digit.
    #[inline(always)]
    fn is_wrong(self, [digit, next, _]: [u8; 3]) -> bool {
        (digit < SEPARATOR) & (next <= digit)
            | (digit == SEPARATOR) & (next == SEPARATOR)
            | (digit == 0) & (next != SEPARATOR)
    }
}

#[derive(Clone, Copy)]
struct Numbers;

impl Weight for Numbers {
    #[inline(always)]
    fn weight(self, digit: u8, next: u8) -> u16 {
        let weight = if next == SEPARATOR { digit } else { digit.wrapping_mul(10) };
        (if digit == SEPARATOR { 0 } else { weight }).into()
    }

    /// No number has three digits, begins with 0, or is missing.
    #[inline(always)]
    fn is_wrong(self, [digit, next, second]: [u8; 3]) -> bool {
        (digit < SEPARATOR) & (next < SEPARATOR) & (second < SEPARATOR)
            | (digit == SEPARATOR) & ((next == 0) | (next == SEPARATOR))
    }
}

/// Writes the weights of the digits. Returns whether the list is invalid.
struct Weigh<'a, W> {
    digits: &'a [u8],
    len: usize,
    weights: &'a mut [u16; MAX_LIST + TAIL],
    weigh: W,
}

impl<W: Weight> SimdTask for Weigh<'_, W> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        // Whole blocks. Nothing is wrong with what follows the last separator.
        let end = (self.len + 1).next_multiple_of(32);
        let (digits, nexts, seconds) = (&self.digits[..end], &self.digits[1..][..end], &self.digits[2..][..end]);
        let mut wrong = [0; 32];
        for (((digits, nexts), seconds), weights) in digits
            .as_chunks::<32>()
            .0
            .iter()
            .zip(nexts.as_chunks::<32>().0)
            .zip(seconds.as_chunks::<32>().0)
            .zip(self.weights.as_chunks_mut::<32>().0)
        {
            for i in 0..32 {
                wrong[i] |= u8::from(self.weigh.is_wrong([digits[i], nexts[i], seconds[i]]));
                weights[i] = self.weigh.weight(digits[i], nexts[i]);
            }
        }
        let mut any = 0;
        for wrong in wrong {
            any |= wrong;
        }
        any != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::available;

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

    /// Numbers of one or two digits.
    fn slow_numbers(digits: &[u8]) -> Option<Vec<u16>> {
        let number = |number: Vec<u8>| {
            let value = number.iter().fold(0_u64, |value, &digit| (10 * value + u64::from(digit)).min(1000));
            (number.first() != Some(&0) && (1..=99).contains(&value)).then_some(value as u16)
        };
        numbers(digits).into_iter().map(number).collect()
    }

    #[test]
    fn blocks_give_the_results_of_single_digits() {
        let mut state = 3_u64;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut seen, mut elements) = ([0; 4], Elements::new());
        for round in 0..20_000 {
            let (count, mut digits) = (random(82) + 1, Vec::new());
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
            let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
            let (ended, len) = ([&digits[zeros..], &LIST_END].concat(), digits.len() - zeros);
            for kernel in available() {
                let masks = elements.masks(&ended, len, kernel).map(|(masks, count)| masks[..count].to_vec());
                assert_eq!(masks, slow_masks(&digits), "{} {digits:?}", kernel.name);
                let numbers = elements.numbers(&ended, len, kernel).map(<[u16]>::to_vec);
                assert_eq!(numbers, slow_numbers(&digits), "{} {digits:?}", kernel.name);
                for (i, is_some) in [masks.is_some(), numbers.is_some()].into_iter().enumerate() {
                    seen[2 * i + usize::from(is_some)] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
    }
}
