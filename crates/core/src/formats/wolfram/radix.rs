//! Converts integers of a limited size between radixes, without allocation: base-68 strings to base-11 digits and back.
//! This is for the numbers that are longer than those of any board; for the others, `sums` is faster.
//!
//! A number is stored in limbs, whose radix is a large power of the target radix. Groups of digits are added one after
//! another, with a division for each limb and group.

use crate::kernels::tables::table;

/// The digits of base 68, in order. Case matters.
pub(super) const DIGITS68: &[u8; 68] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!@#$%&";

/// The value of each byte as a base-68 digit, or [`NOT_A_DIGIT`].
pub(super) static DIGIT68: [u8; 256] = {
    let mut table = [NOT_A_DIGIT; 256];
    let mut value = 0;
    while value < 68 {
        table[DIGITS68[value] as usize] = value as u8;
        value += 1;
    }
    table
};

/// The value of a byte that is not a digit.
pub(super) const NOT_A_DIGIT: u8 = 0xff;

/// A radix of limbs, with the constants that are needed to divide by it and to write its digits.
pub(super) trait Radix: Sized + 'static {
    /// The radix of the digits in a limb.
    const DIGIT_RADIX: u64;
    /// The number of digits in a limb, which is even.
    const DIGITS: usize;
    /// The radix of limbs: a power of the digit radix.
    const MODULUS: u64 = Self::DIGIT_RADIX.pow(Self::DIGITS as u32);
    /// The left shift that normalises the modulus.
    const SHIFT: u32 = Self::MODULUS.leading_zeros();
    /// The reciprocal of the normalised modulus, for division.
    const RECIPROCAL: u64 = (u128::MAX / (Self::MODULUS << Self::SHIFT) as u128 - (1 << 64)) as u64;

    /// Returns two digits of a value, as values or as characters.
    fn digit_pair(value: usize) -> [u8; 2];
}

/// The radix of the digits of clues and of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Decimal,
    Eleven,
}

/// Limbs of 18 base-11 digits.
pub(super) struct Eleven;
/// Limbs of ten base-68 digits.
pub(super) struct SixtyEight;

/// Makes the table of the pairs of digits for all values of two digits.
const fn digit_pairs<const COUNT: usize>(radix: usize, digits: Option<&[u8; 68]>) -> [[u8; 2]; COUNT] {
    let mut table = [[0; 2]; COUNT];
    let mut value = 0;
    while value < COUNT {
        let (high, low) = (value / radix, value % radix);
        table[value] = match digits {
            Some(digits) => [digits[high], digits[low]],
            None => [high as u8, low as u8],
        };
        value += 1;
    }
    table
}

impl Radix for Eleven {
    const DIGIT_RADIX: u64 = 11;
    const DIGITS: usize = 18;

    fn digit_pair(value: usize) -> [u8; 2] {
        static PAIRS: [[u8; 2]; 121] = digit_pairs(11, None);
        PAIRS[value]
    }
}

/// The digits are written as characters.
impl Radix for SixtyEight {
    const DIGIT_RADIX: u64 = 68;
    const DIGITS: usize = 10;

    fn digit_pair(value: usize) -> [u8; 2] {
        table! { PAIRS: [[u8; 2]; 4624] = digit_pairs(68, Some(DIGITS68)) }
        PAIRS[value]
    }
}

/// Divides `value` by the modulus, and returns quotient and remainder. `value` is less than 2^64 times the modulus.
/// (Möller and Granlund, "Improved division by invariant integers", algorithm 4.)
#[inline]
fn divide<R: Radix>(value: u128) -> (u64, u64) {
    let (divisor, value) = (R::MODULUS << R::SHIFT, value << R::SHIFT);
    let (high, low) = ((value >> 64) as u64, value as u64);
    let estimate = u128::from(R::RECIPROCAL) * u128::from(high) + value;
    let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
    let mut remainder = low.wrapping_sub(quotient.wrapping_mul(divisor));
    // Both outcomes are equally likely, so this has no branch.
    let less = u64::from(remainder > estimate as u64).wrapping_neg();
    quotient = quotient.wrapping_add(less);
    remainder = remainder.wrapping_add(divisor & less);
    // Very rare.
    if remainder >= divisor {
        quotient = quotient.wrapping_add(1);
        remainder -= divisor;
    }
    (quotient, remainder >> R::SHIFT)
}

/// The limbs of the longest number: 2,048 base-68 digits. Ten of these digits are less than one limb of each [`Radix`]
/// here.
const LIMBS: usize = 212;

/// The digits of the longest number in base 11, rounded up to whole limbs.
pub(super) const DIGITS: usize = 208 * Eleven::DIGITS;

/// An unsigned integer. The least significant limb comes first, and there are no leading zero limbs.
pub(super) struct Number {
    limbs: [u64; LIMBS],
    len: usize,
}

impl Number {
    /// Returns zero.
    pub(super) fn new() -> Self {
        Self { limbs: [0; LIMBS], len: 0 }
    }

    /// Sets `self` to `self * factor + summand`. `factor` is at most the modulus, and `summand` is less than the
    /// modulus. The caller ensures that the number does not become longer than the longest one.
    #[inline]
    fn multiply_add<R: Radix>(&mut self, factor: u64, summand: u64) {
        let mut carry = summand;
        for limb in &mut self.limbs[..self.len] {
            let (quotient, remainder) = divide::<R>(u128::from(*limb) * u128::from(factor));
            // The sum is less than twice the modulus, which may exceed 64 bits.
            let (sum, wrapped) = remainder.overflowing_add(carry);
            let over = wrapped || sum >= R::MODULUS;
            *limb = sum.wrapping_sub(R::MODULUS & u64::from(over).wrapping_neg());
            carry = quotient + u64::from(over);
        }
        if carry > 0 {
            self.limbs[self.len] = carry;
            self.len += 1;
        }
    }

    /// Reads groups of digits, most significant first, whose values are less than `radix`.
    fn read_groups<R: Radix>(&mut self, radix: u64, groups: impl Iterator<Item = u64>) {
        self.len = 0;
        groups.for_each(|group| self.multiply_add::<R>(radix, group));
    }

    /// Reads base-68 digits, most significant first: at most 2,048, of which the first is not 0. Returns false if a
    /// digit is invalid.
    pub(super) fn read68<R: Radix>(&mut self, text: &[u8]) -> bool {
        const GROUP: usize = 9;
        let mut bad = 0;
        let group = |digits: &[u8]| {
            digits.iter().fold(0_u64, |value, &byte| {
                let digit = DIGIT68[byte as usize];
                bad |= digit;
                value * 68 + u64::from(digit)
            })
        };
        self.read_groups::<R>(68_u64.pow(GROUP as u32), text.rchunks(GROUP).rev().map(group));
        // Valid digits are less than 68. Sums that contain invalid digits do not overflow.
        bad < 0x80
    }

    /// Reads base-11 digits, most significant first, into limbs of base 68.
    pub(super) fn read11(&mut self, digits: &[u8]) {
        const GROUP: usize = 16;
        let group = |digits: &[u8]| digits.iter().fold(0, |value, &digit| value * 11 + u64::from(digit));
        self.read_groups::<SixtyEight>(11_u64.pow(GROUP as u32), digits.rchunks(GROUP).rev().map(group));
    }

    /// Writes the digits of all limbs to the end of `out`, most significant first. Returns their number. Leading digits
    /// may be 0.
    pub(super) fn digits<R: Radix>(&self, out: &mut [u8]) -> usize {
        // Each limb is split in two halves, to have two independent chains of divisions.
        let low_digits = R::DIGITS / 4 * 2;
        let (square, half) = (R::DIGIT_RADIX * R::DIGIT_RADIX, R::DIGIT_RADIX.pow(low_digits as u32));
        let mut places = out.rchunks_exact_mut(R::DIGITS);
        for (&limb, place) in self.limbs[..self.len].iter().zip(&mut places) {
            let (high, low) = place.split_at_mut(R::DIGITS - low_digits);
            for (place, mut value) in [(low, limb % half), (high, limb / half)] {
                for two in place.as_chunks_mut::<2>().0.iter_mut().rev() {
                    *two = R::digit_pair((value % square) as usize);
                    value /= square;
                }
            }
        }
        self.len * R::DIGITS
    }

    /// Returns the limbs, least significant first.
    #[cfg(test)]
    fn limbs(&self) -> &[u64] {
        &self.limbs[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;

    fn big<R: Radix>(number: &Number) -> BigUint {
        number.limbs().iter().rev().fold(BigUint::default(), |value, &limb| value * R::MODULUS + limb)
    }

    fn from68(text: &[u8]) -> BigUint {
        text.iter().fold(BigUint::default(), |value, &byte| value * 68_u32 + u32::from(DIGIT68[byte as usize]))
    }

    fn divides_at_the_edges<R: Radix>() {
        let m = u128::from(R::MODULUS);
        for quotient in [0, 1, 2, m - 1, m, u128::from(u64::MAX)] {
            for remainder in [0, 1, m / 2, m - 1] {
                let expected = (quotient as u64, remainder as u64);
                assert_eq!(divide::<R>(quotient * m + remainder), expected, "{quotient} {remainder}");
            }
        }
    }

    #[test]
    fn division_at_the_edges() {
        divides_at_the_edges::<Eleven>();
        divides_at_the_edges::<SixtyEight>();
    }

    fn divides<R: Radix>(quotient: u64, remainder: u64) {
        let remainder = remainder % R::MODULUS;
        let value = u128::from(quotient) * u128::from(R::MODULUS) + u128::from(remainder);
        assert_eq!(divide::<R>(value), (quotient, remainder));
    }

    /// Converts a base-68 number to another radix and back, and compares it with the result of another library.
    fn round_trips(text: &[u8]) {
        let expected = from68(text);
        let mut number = Number::new();
        assert!(number.read68::<Eleven>(text));
        assert_eq!(big::<Eleven>(&number), expected);
        let mut out = [0; 4000];
        let count = number.digits::<Eleven>(&mut out);
        let digits = &out[4000 - count..];
        let expected = expected.to_radix_be(11);
        let zeros = count - expected.len();
        assert!(digits[..zeros].iter().all(|&digit| digit == 0));
        assert_eq!(digits[zeros..], expected[..]);
        let mut back = Number::new();
        back.read11(digits);
        let mut again = [0; 4000];
        let count = back.digits::<SixtyEight>(&mut again);
        let again = &again[4000 - count..];
        let zeros = again.len() - text.len();
        assert!(again[..zeros].iter().all(|&digit| digit == b'0'));
        assert_eq!(again[zeros..], text[..]);
    }

    proptest! {
        #[test]
        fn division(quotient: u64, remainder: u64) {
            divides::<Eleven>(quotient, remainder);
            divides::<SixtyEight>(quotient, remainder);
        }

        #[test]
        fn numbers_are_those_of_another_library(
            mut digits in prop_oneof![1_usize..60, 1_usize..600, 500_usize..2048]
                .prop_flat_map(|most| proptest::collection::vec(0_usize..68, 1..=most)),
            all in prop_oneof![Just(None), Just(Some(0)), Just(Some(67))],
        ) {
            if let Some(all) = all {
                digits.fill(all);
            }
            digits[0] = digits[0].max(1);
            let text: Vec<u8> = digits.iter().map(|&digit| DIGITS68[digit]).collect();
            round_trips(&text);
        }
    }

    #[test]
    fn no_digits() {
        let mut number = Number::new();
        for text in [&b"^"[..], b"123456789012345^", b"^23456789012345"] {
            assert!(!number.read68::<Eleven>(text));
        }
        assert!(number.read68::<Eleven>(b""));
        assert_eq!(number.limbs(), [0; 0]);
    }
}
