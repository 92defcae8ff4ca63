//! Adds up the elements of lists whose digits are in memory, with separators between elements.

use super::{Kernel, SimdTask};

/// The digit that separates two elements.
#[doc(hidden)]
pub const SEPARATOR11: u8 = 10;

/// The number of elements that are added up at a time, and of elements that lists must have room for after their end.
pub(crate) const TAIL: usize = 64;

/// The number of digits in a block.
#[doc(hidden)]
pub const BLOCK: usize = 32;

/// The maximum number of elements, rounded up.
pub(crate) const MAX_ELEMENTS: usize = 1024;

/// Memory for the sums of a list, after a 0.
pub(crate) struct Sums {
    sums: [u16; MAX_ELEMENTS + 1],
    elements: [u16; MAX_ELEMENTS],
}

impl Sums {
    pub(crate) fn new() -> Self {
        Self { sums: [0; MAX_ELEMENTS + 1], elements: [0; MAX_ELEMENTS] }
    }
}

/// For each separator among the digits, in order, writes the sum of all weights up to there, which may wrap around.
/// Returns their number. There are as many weights as digits. The output has room for as many sums as there are digits,
/// and [`BLOCK`] more; what is written after the last sum is unspecified.
#[doc(hidden)]
pub type RunningSums = fn(&[[u8; BLOCK]], &[[u16; BLOCK]], &mut [u16]) -> usize;

impl Kernel {
    /// Returns the sums of the weights of the digits before each separator and after the one before, and the number of
    /// sums; what follows them is unspecified. `len` digits count, the last of which is a separator; the block that the
    /// last one is in has no other separators after it.
    pub(crate) fn elements<'s>(
        &self,
        digits: &[u8],
        weights: &[u16],
        len: usize,
        sums: &'s mut Sums,
    ) -> (&'s [u16; MAX_ELEMENTS], usize) {
        let blocks = len.div_ceil(BLOCK);
        let digits = &digits.as_chunks().0[..blocks];
        let weights = &weights.as_chunks().0[..blocks];
        let count = match self.running_sums {
            Some(running_sums) => running_sums(digits, weights, &mut sums.sums[1..]),
            None => plain_running_sums(digits, weights, &mut sums.sums[1..]),
        };
        self.run(Differences { sums: &sums.sums, elements: &mut sums.elements, count });
        (&sums.elements, count)
    }
}

/// Implements [`RunningSums`] without a branch for each digit, because separators are unpredictable.
pub(super) fn plain_running_sums(digits: &[[u8; BLOCK]], weights: &[[u16; BLOCK]], sums: &mut [u16]) -> usize {
    let (mut sum, mut count) = (0_u16, 0);
    for (digits, weights) in digits.iter().zip(weights) {
        for (&digit, &weight) in digits.iter().zip(weights) {
            sum = sum.wrapping_add(weight);
            if let Some(place) = sums.get_mut(count) {
                *place = sum;
            }
            count += usize::from(digit == SEPARATOR11);
        }
    }
    count
}

struct Differences<'a> {
    sums: &'a [u16; MAX_ELEMENTS + 1],
    elements: &'a mut [u16; MAX_ELEMENTS],
    count: usize,
}

impl SimdTask for Differences<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let end = self.count.next_multiple_of(BLOCK);
        let (before, sums) = (&self.sums[..end], &self.sums[1..][..end]);
        for ((before, sums), elements) in
            before.as_chunks::<BLOCK>().0.iter().zip(sums.as_chunks::<BLOCK>().0).zip(self.elements.as_chunks_mut().0)
        {
            let elements: &mut [u16; BLOCK] = elements;
            for i in 0..BLOCK {
                elements[i] = sums[i].wrapping_sub(before[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::available;

    #[test]
    fn all_kernels_find_the_same_sums() {
        let mut state = 1_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..super::super::rounds(2_000) {
            let blocks = 1 + random(32) as usize;
            let digits: Vec<[u8; BLOCK]> = (0..blocks)
                .map(|_| std::array::from_fn(|_| if round == 0 { SEPARATOR11 } else { random(12) as u8 }))
                .collect();
            let weights: Vec<[u16; BLOCK]> =
                (0..blocks).map(|_| std::array::from_fn(|_| random(1 << 16) as u16)).collect();
            let mut expected = vec![0; (blocks + 1) * BLOCK];
            let count = plain_running_sums(&digits, &weights, &mut expected);
            for kernel in available() {
                let Some(running_sums) = kernel.running_sums else { continue };
                let mut found = vec![0; (blocks + 1) * BLOCK];
                assert_eq!(running_sums(&digits, &weights, &mut found), count, "{}", kernel.name);
                assert_eq!(found[..count], expected[..count], "{}", kernel.name);
            }
        }
    }
}
