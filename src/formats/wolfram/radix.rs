//! Whole numbers of a fixed size in any radix: base-68 strings to decimal or base-11 digits and back, without allocation.
//!
//! A number is kept in limbs of a large power of the radix that it goes to, so that no division of whole numbers is needed:
//! adding a few digits of the other radix is one pass over the limbs. In that pass the divisions of all limbs are
//! independent, and what is carried from one to the next is an addition and a comparison.

/// The digits of base 68, in their order: case counts.
pub const DIGITS68: &[u8; 68] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!@#$%&";

/// The value of a byte as a base-68 digit, or [`NONE`].
pub static DIGIT68: [u8; 256] = {
    let mut table = [NONE; 256];
    let mut value = 0;
    while value < 68 {
        table[DIGITS68[value] as usize] = value as u8;
        value += 1;
    }
    table
};

/// No digit.
pub const NONE: u8 = 0xff;

/// Base-68 digits that are added at once: 68^10 is the largest power below 2^64.
const AT_ONCE: usize = 10;

/// Powers of 68 up to [`AT_ONCE`].
const POWERS68: [u64; AT_ONCE + 1] = {
    let mut powers = [1; AT_ONCE + 1];
    let mut i = 1;
    while i <= AT_ONCE {
        powers[i] = powers[i - 1] * 68;
        i += 1;
    }
    powers
};

/// A radix of limbs, with what dividing by it needs.
pub struct Radix {
    /// The small radix whose power this is.
    small: u64,
    /// Small digits in a limb.
    digits: usize,
    modulus: u64,
    shift: u32,
    reciprocal: u64,
}

/// Limbs of 19 decimal digits.
pub static DECIMAL: Radix = Radix::new(10, 19);
/// Limbs of 18 base-11 digits.
pub static ELEVEN: Radix = Radix::new(11, 18);
/// Limbs of ten base-68 digits.
pub static SIXTY_EIGHT: Radix = Radix::new(68, AT_ONCE);

impl Radix {
    const fn new(small: u64, digits: usize) -> Self {
        let modulus = small.pow(digits as u32);
        let shift = modulus.leading_zeros();
        let reciprocal = (u128::MAX / (modulus << shift) as u128 - (1 << 64)) as u64;
        Self { small, digits, modulus, shift, reciprocal }
    }

    /// Quotient and remainder of `value`, which is less than 2^64 times the modulus, by the modulus. (Möller and Granlund,
    /// "Improved division by invariant integers", algorithm 4.)
    #[inline]
    fn divide(&self, value: u128) -> (u64, u64) {
        let (divisor, value) = (self.modulus << self.shift, value << self.shift);
        let (high, low) = ((value >> 64) as u64, value as u64);
        let estimate = u128::from(self.reciprocal) * u128::from(high) + value;
        let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
        let mut remainder = low.wrapping_sub(quotient.wrapping_mul(divisor));
        // As often as not, so without a branch.
        let less = u64::from(remainder > estimate as u64).wrapping_neg();
        quotient = quotient.wrapping_add(less);
        remainder = remainder.wrapping_add(divisor & less);
        // Hardly ever.
        if remainder >= divisor {
            quotient = quotient.wrapping_add(1);
            remainder -= divisor;
        }
        (quotient, remainder >> self.shift)
    }
}

/// Limbs of the longest number: 2,048 base-68 digits, ten of which are less than a limb of any [`Radix`] here.
const LIMBS: usize = 208;

/// A whole number, least limb first, without leading zero limbs.
pub struct Number {
    limbs: [u64; LIMBS],
    len: usize,
}

impl Number {
    /// Zero.
    pub fn new() -> Self {
        Self { limbs: [0; LIMBS], len: 0 }
    }

    /// Zero again.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// `self * factor + more`; both are at most the modulus, `more` is less. The caller sees to it that it does not become
    /// longer than the longest number.
    #[inline]
    fn step(&mut self, radix: &Radix, factor: u64, more: u64) {
        let mut carry = more;
        for limb in &mut self.limbs[..self.len] {
            let (quotient, remainder) = radix.divide(u128::from(*limb) * u128::from(factor));
            // Less than twice the modulus, which can be more than 64 bits hold.
            let (sum, wrapped) = remainder.overflowing_add(carry);
            let over = wrapped || sum >= radix.modulus;
            *limb = sum.wrapping_sub(radix.modulus & u64::from(over).wrapping_neg());
            carry = quotient + u64::from(over);
        }
        if carry > 0 {
            self.limbs[self.len] = carry;
            self.len += 1;
        }
    }

    /// Reads base-68 digits, most significant first: at most 2,048, the first one not 0. False if one is no digit.
    pub fn read68(&mut self, radix: &Radix, text: &[u8]) -> bool {
        self.clear();
        let mut bad = 0;
        let (first, rest) = text.split_at(text.len() % AT_ONCE);
        for digits in std::iter::once(first).chain(rest.chunks_exact(AT_ONCE)) {
            // Two halves are two chains of multiplications at once.
            let (high, low) = digits.split_at(digits.len() / 2);
            let mut read = |digits: &[u8]| {
                digits.iter().fold(0_u64, |value, &byte| {
                    let digit = DIGIT68[byte as usize];
                    bad |= digit;
                    value * 68 + u64::from(digit)
                })
            };
            let value = read(high) * POWERS68[low.len()] + read(low);
            if bad == NONE {
                return false;
            }
            self.step(radix, POWERS68[digits.len()], value);
        }
        true
    }

    /// Reads digits of a small radix (at most 17 go into a step), most significant first, into limbs of base 68.
    pub fn read_small(&mut self, small: u64, digits: &[u8]) {
        /// 11^17 is less than 68^10.
        const STEP: usize = 17;
        self.clear();
        let (first, rest) = digits.split_at(digits.len() % STEP);
        for digits in std::iter::once(first).chain(rest.chunks_exact(STEP)) {
            let value = digits.iter().fold(0, |value, &digit| value * small + u64::from(digit));
            self.step(&SIXTY_EIGHT, small.pow(digits.len() as u32), value);
        }
    }

    /// The digits of the small radix, as many as whole limbs have, most significant first at the end of `out`. Returns how
    /// many there are; some of the first ones can be 0.
    pub fn digits(&self, radix: &Radix, out: &mut [u8]) -> usize {
        let mut places = out.rchunks_exact_mut(radix.digits);
        for (&limb, place) in self.limbs[..self.len].iter().zip(&mut places) {
            // Two halves are two chains of divisions at once.
            let (low_digits, half) = (radix.digits / 2, radix.small.pow(radix.digits as u32 / 2));
            let (mut high, mut low) = (limb / half, limb % half);
            let (high_place, low_place) = place.split_at_mut(radix.digits - low_digits);
            low_place.iter_mut().rev().for_each(|digit| {
                *digit = (low % radix.small) as u8;
                low /= radix.small;
            });
            high_place.iter_mut().rev().for_each(|digit| {
                *digit = (high % radix.small) as u8;
                high /= radix.small;
            });
        }
        self.len * radix.digits
    }

    /// Limbs, the least first.
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

    fn big(number: &Number, radix: &Radix) -> BigUint {
        number.limbs().iter().rev().fold(BigUint::default(), |value, &limb| value * radix.modulus + limb)
    }

    fn from68(text: &[u8]) -> BigUint {
        text.iter().fold(BigUint::default(), |value, &byte| value * 68_u32 + u32::from(DIGIT68[byte as usize]))
    }

    #[test]
    fn division_at_the_edges() {
        for radix in [&DECIMAL, &ELEVEN, &SIXTY_EIGHT] {
            let m = u128::from(radix.modulus);
            for quotient in [0, 1, 2, m - 1, m, u128::from(u64::MAX)] {
                for remainder in [0, 1, m / 2, m - 1] {
                    let expected = (quotient as u64, remainder as u64);
                    assert_eq!(radix.divide(quotient * m + remainder), expected, "{quotient} {remainder}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn division(quotient: u64, remainder: u64) {
            for radix in [&DECIMAL, &ELEVEN, &SIXTY_EIGHT] {
                let remainder = remainder % radix.modulus;
                let value = u128::from(quotient) * u128::from(radix.modulus) + u128::from(remainder);
                prop_assert_eq!(radix.divide(value), (quotient, remainder));
            }
        }

        #[test]
        fn numbers_are_those_of_another_library(mut digits in proptest::collection::vec(0_usize..68, 1..2048)) {
            digits[0] = digits[0].max(1);
            let text: Vec<u8> = digits.iter().map(|&digit| DIGITS68[digit]).collect();
            let expected = from68(&text);
            for radix in [&DECIMAL, &ELEVEN] {
                let mut number = Number::new();
                prop_assert!(number.read68(radix, &text));
                prop_assert_eq!(&big(&number, radix), &expected);
                let mut out = [0; 4000];
                let count = number.digits(radix, &mut out);
                let digits = &out[4000 - count..];
                let expected = expected.to_radix_be(radix.small as u32);
                let zeros = count - expected.len();
                prop_assert!(digits[..zeros].iter().all(|&digit| digit == 0));
                prop_assert_eq!(&digits[zeros..], &expected[..]);
                let mut back = Number::new();
                back.read_small(radix.small, digits);
                let mut again = [0; 4000];
                let count = back.digits(&SIXTY_EIGHT, &mut again);
                let again: Vec<u8> = again[4000 - count..].iter().map(|&digit| DIGITS68[digit as usize]).collect();
                let zeros = again.len() - text.len();
                prop_assert!(again[..zeros].iter().all(|&digit| digit == b'0'));
                prop_assert_eq!(&again[zeros..], &text[..]);
            }
        }
    }

    #[test]
    fn no_digits() {
        let mut number = Number::new();
        for text in [&b"^"[..], b"123456789012345^", b"^23456789012345"] {
            assert!(!number.read68(&DECIMAL, text));
        }
        assert!(number.read68(&DECIMAL, b""));
        assert_eq!(number.limbs(), [0; 0]);
    }
}
