//! Converts the numbers of boards between base 68 and base 10 or 11, with loops that the compiler vectorises.
//!
//! A number is the sum of groups of digits times precomputed powers: groups of four digits of base 68, or of eight of
//! base 10 or 11. Its limbs are such groups of the other base. So a product of a group and a limb has 52 bits, the
//! products for a limb are added up in 64 bits, and one vector holds the sums of eight limbs. Carries are only
//! propagated at the end, for all limbs at the same time.

use std::ops::Range;
use std::sync::LazyLock;

use super::radix::Source;
use crate::kernels::SimdTask;

/// The number of limbs and, at most, of groups: more than the candidates of a board without clues need.
const GROUPS: usize = 120;

/// The number of limbs in a vector.
const LANES: usize = 8;

/// The number of vectors of limbs.
const VECTORS: usize = GROUPS / LANES;

/// The digits in a group of base 68, and in a group of base 10 or 11.
const FOUR: usize = 4;
const EIGHT: usize = 8;

/// The maximum number of characters, and the maximum number of digits, of a number that is converted here. The limbs
/// suffice for both.
pub(super) const MAX_TEXT: usize = GROUPS * FOUR;
pub(super) const MAX_DIGITS: usize = 13 * 64;

/// The number of bytes that are converted at a time. Buffers have as many zeros before a number.
const CHUNK: usize = 64;

/// The room for the digits of a number that is read, at whose end they are.
pub(super) const DIGITS_ROOM: usize = GROUPS * EIGHT;

/// The room for the characters of a number that is written, at whose end they are.
pub(super) const TEXT_ROOM: usize = GROUPS * FOUR;

/// The powers of the radix of groups, in limbs of another radix.
pub(super) struct Powers {
    /// For each vector of limbs, these limbs of every power.
    limbs: [[[u32; LANES]; GROUPS]; VECTORS],
    /// For each vector of limbs, the first power with a limb that is not 0.
    first: [usize; VECTORS],
}

impl Powers {
    /// Computes the powers. They are allocated, because a static of 58 kB would add 58 kB to the program.
    fn new(group: u64, modulus: u64) -> Box<Self> {
        let mut powers = Box::new(Self { limbs: [[[0; LANES]; GROUPS]; VECTORS], first: [usize::MAX; VECTORS] });
        let mut power = [0; GROUPS];
        power[0] = 1;
        // No number has the last power as a factor; it says which limbs numbers of the most groups have.
        for n in 0..=GROUPS {
            for (i, &limb) in power.iter().enumerate().filter(|(_, limb)| **limb != 0) {
                let (vector, lane) = (i / LANES, i % LANES);
                if let Some(limbs) = powers.limbs[vector].get_mut(n) {
                    limbs[lane] = limb as u32;
                }
                powers.first[vector] = powers.first[vector].min(n);
            }
            // Powers that are too large for the limbs lose their upper limbs; no number has them as factors.
            let mut carry = 0;
            for limb in &mut power {
                let product = *limb * group + carry;
                (*limb, carry) = (product % modulus, product / modulus);
            }
        }
        powers
    }

    /// Returns the powers of groups of base 68 in limbs of eight digits.
    fn of_text(target: Source) -> &'static Self {
        static DECIMAL: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new(68_u64.pow(4), 10_u64.pow(8)));
        static ELEVEN: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new(68_u64.pow(4), 11_u64.pow(8)));
        if target == Source::Decimal { &DECIMAL } else { &ELEVEN }
    }

    /// Returns the powers of groups of eight digits in limbs of base 68.
    fn of_digits(source: Source) -> &'static Self {
        static DECIMAL: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new(10_u64.pow(8), 68_u64.pow(4)));
        static ELEVEN: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new(11_u64.pow(8), 68_u64.pow(4)));
        if source == Source::Decimal { &DECIMAL } else { &ELEVEN }
    }
}

/// A divisor of at most 28 bits, for division without a division.
struct Divisor {
    divisor: u64,
    /// The shifts that leave 32 bits of a dividend of 59 bits, and of 35 bits.
    large: u32,
    small: u32,
    /// 2^(`bits`) divided by the divisor: 32 bits.
    reciprocal: u64,
    bits: u32,
}

impl Divisor {
    const fn new(divisor: u64) -> Self {
        let bits = 32 + divisor.ilog2();
        Self { divisor, large: 27, small: 3, reciprocal: (1 << bits) / divisor, bits }
    }

    /// Returns a quotient that is not too large, and too small by less than 16, and the corresponding remainder.
    #[inline(always)]
    fn divide_large(&self, value: u64) -> (u64, u64) {
        let quotient = ((value >> self.large) * self.reciprocal) >> (self.bits - self.large);
        (quotient, value.wrapping_sub(quotient.wrapping_mul(self.divisor)))
    }

    /// Returns a quotient that is not too large, and too small by at most 1, and the corresponding remainder.
    #[inline(always)]
    fn divide_small(&self, value: u64) -> (u64, u64) {
        let quotient = ((value >> self.small) * self.reciprocal) >> (self.bits - self.small);
        (quotient, value.wrapping_sub(quotient.wrapping_mul(self.divisor)))
    }
}

/// Memory for conversions, which is reused, because clearing it would take a tenth of the time of a conversion.
pub(super) struct Work {
    /// The characters of a number that is read.
    bytes: [u8; MAX_TEXT + CHUNK],
    /// The groups of digits, most significant first, and then least significant first with zeros up to a multiple of
    /// [`STEP`].
    groups: [u32; (MAX_TEXT + CHUNK) / FOUR],
    least_first: [u64; GROUPS],
    /// Least significant first.
    limbs: [u64; GROUPS],
    /// The carries that each limb gets in each step. The lowest limb gets none.
    carries: [[u64; GROUPS + 1]; 3],
}

impl Work {
    pub(super) fn new() -> Self {
        Self {
            bytes: [0; MAX_TEXT + CHUNK],
            groups: [0; (MAX_TEXT + CHUNK) / FOUR],
            least_first: [0; GROUPS],
            limbs: [0; GROUPS],
            carries: [[0; GROUPS + 1]; 3],
        }
    }

    /// Sums up the groups in a range, times their powers. Returns the limbs, which include leading zeros.
    #[inline(always)]
    fn sum(&mut self, groups: Range<usize>, powers: &Powers, divisor: &Divisor) -> &[u64] {
        let groups = &self.groups[groups];
        let count = groups.len().min(GROUPS);
        let end = count.next_multiple_of(STEP);
        let least_first = &mut self.least_first[..end];
        for (to, &group) in least_first.iter_mut().zip(groups.iter().rev()) {
            *to = group.into();
        }
        for to in &mut least_first[count..] {
            *to = 0;
        }
        let least_first = least_first.as_chunks::<STEP>().0;
        let mut vectors = 0;
        for (&first, limbs) in powers.first.iter().zip(self.limbs.as_chunks_mut::<LANES>().0) {
            // A number with fewer groups is less than this power.
            if first > count {
                break;
            }
            *limbs = sums(&powers.limbs[vectors], least_first, first / STEP);
            vectors += 1;
        }
        let limbs = &mut self.limbs[..vectors * LANES];
        carry(limbs, &mut self.carries, divisor);
        limbs
    }
}

/// The number of powers that are added in one step of a loop.
const STEP: usize = 4;

/// Returns the sums of products for one vector of limbs, without the first powers, for which the limbs are 0.
#[inline(always)]
fn sums(powers: &[[u32; LANES]; GROUPS], groups: &[[u64; STEP]], first: usize) -> [u64; LANES] {
    let mut sums = [0; LANES];
    let powers = &powers.as_chunks::<STEP>().0[..groups.len()];
    let first = first.min(groups.len());
    for (powers, groups) in powers[first..].iter().zip(&groups[first..]) {
        for (power, &group) in powers.iter().zip(groups) {
            for (sum, &limb) in sums.iter_mut().zip(power) {
                *sum += u64::from(limb) * (group & 0xFFFF_FFFF);
            }
        }
    }
    sums
}

/// Propagates carries. Limbs are less than 2^59.
#[inline(always)]
fn carry(limbs: &mut [u64], carries: &mut [[u64; GROUPS + 1]; 3], divisor: &Divisor) {
    let [large, small, one] = carries;
    // Quotients of less than 2^35.
    for (limb, carry) in limbs.iter_mut().zip(&mut large[1..]) {
        (*carry, *limb) = divisor.divide_large(*limb);
    }
    // Quotients of less than 2^11, and limbs of less than twice the modulus.
    for (limb, (carry, &add)) in limbs.iter_mut().zip(small[1..].iter_mut().zip(&large[..])) {
        (*carry, *limb) = divisor.divide_small(*limb + add);
    }
    for (limb, (carry, &add)) in limbs.iter_mut().zip(one[1..].iter_mut().zip(&small[..])) {
        let sum = *limb + add;
        let quotient = u64::from(sum >= divisor.divisor) + u64::from(sum >= 2 * divisor.divisor);
        *carry = quotient;
        *limb = sum - quotient * divisor.divisor;
    }
    let mut over = 0;
    for (limb, &add) in limbs.iter_mut().zip(&one[..]) {
        *limb += add;
        over |= u64::from(*limb >= divisor.divisor);
    }
    if over != 0 {
        carry_on(limbs, divisor.divisor);
    }
}

/// Propagates the carries that are left, which is very rare.
#[cold]
fn carry_on(limbs: &mut [u64], modulus: u64) {
    let mut carry = 0;
    for limb in limbs {
        let sum = *limb + carry;
        (*limb, carry) = (sum % modulus, sum / modulus);
    }
}

/// Multiplies the two halves of a word by a factor. The products fit into the halves.
#[inline(always)]
const fn times(word: u64, factor: u64) -> u64 {
    (word & 0xFFFF_FFFF) * factor | ((word >> 32) * factor) << 32
}

/// Returns the eight digits of a value, the most significant one in the lowest byte. Splits everything in two, three
/// times.
#[inline(always)]
fn eight_digits<const RADIX: u64>(value: u64) -> u64 {
    let (square, fourth) = (RADIX.pow(2), RADIX.pow(4));
    // The reciprocals are rounded up, and precise enough for all values here; a test tries all quotients.
    let upper = (value * ((1 << 45) / fourth + 1)) >> 45;
    let fours = upper | (value - upper * fourth) << 32;
    let upper = times(fours, (1 << 21) / square + 1) >> 21 & 0x0000_07FF_0000_07FF;
    let pairs = upper | (fours - times(upper, square)) << 16;
    let upper = times(pairs, (1 << 11) / RADIX + 1) >> 11 & 0x001F_001F_001F_001F;
    upper | (pairs - times(upper, RADIX)) << 8
}

/// Returns the value of eight digits, the most significant one in the lowest byte.
#[inline(always)]
fn value_of_eight<const RADIX: u64>(digits: u64) -> u64 {
    let pairs = times(digits & 0x00FF_00FF_00FF_00FF, RADIX) + (digits >> 8 & 0x00FF_00FF_00FF_00FF);
    let fours = times(pairs & 0x0000_FFFF_0000_FFFF, RADIX.pow(2)) + (pairs >> 16 & 0x0000_FFFF_0000_FFFF);
    (fours & 0xFFFF_FFFF) * RADIX.pow(4) + (fours >> 32)
}

/// Returns the four base-68 digits of a value, the most significant one in the lowest byte.
#[inline(always)]
fn four_digits(value: u64) -> u32 {
    let upper = (value * ((1 << 40) / 4624 + 1)) >> 40;
    let pairs = upper | (value - upper * 4624) << 32;
    let upper = times(pairs, (1 << 20) / 68 + 1) >> 20 & 0x0000_0FFF_0000_0FFF;
    let digits = upper | (pairs - times(upper, 68)) << 8;
    digits as u32 | (digits >> 32 << 16) as u32
}

/// Returns the value of four base-68 digits, the most significant one in the lowest byte.
#[inline(always)]
fn value_of_four(digits: u32) -> u32 {
    let pairs = (digits & 0x00FF_00FF) * 68 + (digits >> 8 & 0x00FF_00FF);
    (pairs & 0xFFFF) * 4624 + (pairs >> 16)
}

/// Returns the value of a base-68 digit, and 0xFF for other bytes. Unlike a lookup, this is vectorised.
#[inline(always)]
fn digit_of(byte: u8) -> u8 {
    let is_in = |first: u8, last: u8| byte.wrapping_sub(first) <= last - first;
    let mut digit = 0xFF;
    digit = if is_in(b'0', b'9') { byte.wrapping_sub(b'0') } else { digit };
    digit = if is_in(b'A', b'Z') { byte.wrapping_sub(b'A' - 10) } else { digit };
    digit = if is_in(b'a', b'z') { byte.wrapping_sub(b'a' - 36) } else { digit };
    digit = if is_in(b'!', b'&') && byte != b'"' { byte.wrapping_add(29) } else { digit };
    if byte == b'@' { 63 } else { digit }
}

/// Returns the character of a base-68 digit.
#[inline(always)]
fn character_of(digit: u8) -> u8 {
    let mut distance = 29_u8.wrapping_neg();
    distance = if digit == 63 { 1 } else { distance };
    distance = if digit < 62 { b'a' - 36 } else { distance };
    distance = if digit < 36 { b'A' - 10 } else { distance };
    distance = if digit < 10 { b'0' } else { distance };
    digit.wrapping_add(distance)
}

/// Reads a number in base 68.
pub(super) struct Read68<'a, const RADIX: u64> {
    powers: &'static Powers,
    text: &'a [u8],
    digits: &'a mut [u8; DIGITS_ROOM],
    work: &'a mut Work,
}

impl<'a, const RADIX: u64> Read68<'a, RADIX> {
    /// A task that writes the digits of `text`, which has at most [`MAX_TEXT`] bytes, to the end of `digits`. It
    /// returns their number, which includes leading zeros, or `None` if a byte is not a digit.
    pub(super) fn new(text: &'a [u8], digits: &'a mut [u8; DIGITS_ROOM], work: &'a mut Work) -> Self {
        let radix = if RADIX == 10 { Source::Decimal } else { Source::Eleven };
        Self { powers: Powers::of_text(radix), text, digits, work }
    }
}

impl<const RADIX: u64> SimdTask for Read68<'_, RADIX> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let len = self.text.len().next_multiple_of(CHUNK);
        let zeros = len - self.text.len();
        let bytes = &mut self.work.bytes[..len];
        if let Some(first) = bytes.first_chunk_mut() {
            *first = [b'0'; CHUNK];
        }
        bytes[zeros..].copy_from_slice(self.text);
        let chunks = bytes.as_chunks::<CHUNK>().0.iter();
        let mut bad = [0; CHUNK];
        for (bytes, groups) in chunks.zip(self.work.groups.as_chunks_mut::<{ CHUNK / FOUR }>().0) {
            let mut digits = [0; CHUNK];
            for ((digit, &byte), bad) in digits.iter_mut().zip(bytes).zip(&mut bad) {
                *digit = digit_of(byte);
                *bad |= *digit;
            }
            for (digits, group) in digits.as_chunks::<FOUR>().0.iter().zip(groups) {
                *group = value_of_four(u32::from_le_bytes(*digits));
            }
        }
        let mut any = 0;
        for bad in bad {
            any |= bad;
        }
        if any > 0x7F {
            return None;
        }
        let divisor = const { Divisor::new(RADIX.pow(8)) };
        let limbs = self.work.sum(zeros / FOUR..len / FOUR, self.powers, &divisor);
        let places = self.digits.as_chunks_mut::<EIGHT>().0.iter_mut().rev();
        for (place, &limb) in places.zip(limbs) {
            *place = eight_digits::<RADIX>(limb).to_le_bytes();
        }
        Some(limbs.len() * EIGHT)
    }
}

/// Writes a number in base 68.
pub(super) struct Write68<'a, const RADIX: u64> {
    powers: &'static Powers,
    digits: &'a [u8],
    len: usize,
    text: &'a mut [u8; TEXT_ROOM],
    work: &'a mut Work,
}

impl<'a, const RADIX: u64> Write68<'a, RADIX> {
    /// A task that writes the characters of a number to the end of `text`. It returns their number, which includes
    /// leading zeros. The number is the last `len` of `digits`, at most [`MAX_DIGITS`], with [`ZEROS`] zeros before
    /// them.
    pub(super) fn new(digits: &'a [u8], len: usize, text: &'a mut [u8; TEXT_ROOM], work: &'a mut Work) -> Self {
        let radix = if RADIX == 10 { Source::Decimal } else { Source::Eleven };
        Self { powers: Powers::of_digits(radix), digits, len, text, work }
    }
}

/// The number of zeros before digits to be written.
pub(super) const ZEROS: usize = CHUNK;

impl<const RADIX: u64> SimdTask for Write68<'_, RADIX> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let len = self.len.min(MAX_DIGITS).next_multiple_of(CHUNK);
        let digits = &self.digits[self.digits.len() - len..];
        for (digits, group) in digits.as_chunks::<EIGHT>().0.iter().zip(&mut self.work.groups) {
            *group = value_of_eight::<RADIX>(u64::from_le_bytes(*digits)) as u32;
        }
        let divisor = const { Divisor::new(68_u64.pow(4)) };
        let zeros = (len - self.len.min(len)) / EIGHT;
        let limbs = self.work.sum(zeros..len / EIGHT, self.powers, &divisor);
        let places = self.text.as_chunks_mut::<FOUR>().0.iter_mut().rev();
        for (place, &limb) in places.zip(limbs) {
            *place = four_digits(limb).to_le_bytes();
        }
        let count = limbs.len() * FOUR;
        for byte in &mut self.text[TEXT_ROOM - count..] {
            *byte = character_of(*byte);
        }
        count
    }
}

#[cfg(test)]
mod tests;
