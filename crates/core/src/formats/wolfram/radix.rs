//! Converts integers of a limited size between radixes, without allocation: base-68 strings to decimal or base-11
//! digits and back.
//!
//! A number is stored in limbs, whose radix is a large power of the target radix. Its value is the sum of its digits
//! times powers of the source radix, which are precomputed: each limb is a sum of products, and only that sum is
//! divided. (Adding one digit after another, with a division for each limb and digit, took three times as long. Numbers
//! longer than those of any board are still read that way.)

use std::sync::LazyLock;

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

    /// Returns the powers of a source radix in limbs of this radix.
    fn powers(from: SourceRadix) -> &'static Powers;
}

/// The radix of the digits that a number is read from. Digits are read in groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceRadix {
    /// Base 68, in groups of nine digits.
    SixtyEight,
    /// Base 11, in groups of 16 digits.
    Eleven,
    /// Base 10, in groups of 16 digits.
    Decimal,
}

impl SourceRadix {
    /// Returns the radix, and the number of digits in a group. A group is less than 2^56.
    const fn digit_group(self) -> (u64, usize) {
        match self {
            Self::SixtyEight => (68, 9),
            Self::Eleven => (11, 16),
            Self::Decimal => (10, 16),
        }
    }
}

/// Limbs of 18 decimal digits.
pub(super) struct Decimal;
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

impl Radix for Decimal {
    const DIGIT_RADIX: u64 = 10;
    const DIGITS: usize = 18;

    fn digit_pair(value: usize) -> [u8; 2] {
        static PAIRS: [[u8; 2]; 100] = digit_pairs(10, None);
        PAIRS[value]
    }

    fn powers(_: SourceRadix) -> &'static Powers {
        static POWERS: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new::<Decimal>(SourceRadix::SixtyEight));
        &POWERS
    }
}

impl Radix for Eleven {
    const DIGIT_RADIX: u64 = 11;
    const DIGITS: usize = 18;

    fn digit_pair(value: usize) -> [u8; 2] {
        static PAIRS: [[u8; 2]; 121] = digit_pairs(11, None);
        PAIRS[value]
    }

    fn powers(_: SourceRadix) -> &'static Powers {
        static POWERS: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new::<Eleven>(SourceRadix::SixtyEight));
        &POWERS
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

    fn powers(from: SourceRadix) -> &'static Powers {
        static ELEVEN: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new::<SixtyEight>(SourceRadix::Eleven));
        static DECIMAL: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new::<SixtyEight>(SourceRadix::Decimal));
        if from == SourceRadix::Eleven { &ELEVEN } else { &DECIMAL }
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

/// Returns the value of eight digits of a radix up to 11, most significant first. Combines neighbours three times.
fn value_of_eight(digits: [u8; 8], radix: u64) -> u64 {
    let pairs = u64::from_le_bytes(digits).wrapping_mul(radix << 8 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(radix.pow(2) << 16 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(radix.pow(4) << 32 | 1) >> 32
}

/// The number of powers that are precomputed: more than the candidates of a board without clues need, and few enough
/// that the sum of as many products of a limb and a group fits in 128 bits. A group is less than 2^56.
const POWER_COUNT: usize = 60;

/// The values of groups of digits by their position: powers of one radix, in limbs of another radix.
pub(super) struct Powers {
    /// For each limb position, the limb of every power.
    limbs: [[u64; POWER_COUNT]; POWER_COUNT],
    /// For each limb position, the first power that has this limb.
    first: [usize; POWER_COUNT],
}

impl Powers {
    /// Computes the powers. They are allocated, because a static of 29 kB would add 29 kB to the program.
    fn new<R: Radix>(from: SourceRadix) -> Box<Self> {
        let (radix, digits) = from.digit_group();
        let mut powers = Box::new(Self { limbs: [[0; POWER_COUNT]; POWER_COUNT], first: [POWER_COUNT; POWER_COUNT] });
        let mut power = Number::new();
        power.multiply_add::<R>(1, 1);
        for n in 0..POWER_COUNT {
            for (i, &limb) in power.limbs().iter().enumerate() {
                powers.limbs[i][n] = limb;
                powers.first[i] = powers.first[i].min(n);
            }
            power.multiply_add::<R>(radix.pow(digits as u32), 0);
        }
        powers
    }
}

/// The limbs of the longest number: 2,048 base-68 digits. Ten of these digits are less than one limb of each [`Radix`]
/// here.
const LIMBS: usize = 212;

/// The digits of the longest number in base 11, rounded up to whole limbs.
pub(super) const DIGITS: usize = 208 * Eleven::DIGITS;

/// The maximum number of base-11 digit triples that are read at a time.
pub(super) const MAX_TRIPLES: usize = POWER_COUNT * Eleven::DIGITS / 3;

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

    /// Sets `self` to the sum of groups of digits, most significant first, times their powers.
    fn sum_of_powers<R: Radix>(&mut self, groups: &[u64], from: SourceRadix) {
        let (count, powers) = (groups.len(), R::powers(from));
        let mut least_first = [0; POWER_COUNT];
        least_first.iter_mut().zip(groups.iter().rev()).for_each(|(to, &group)| *to = group);
        // The carry is added after the division, so that a division does not depend on the previous one.
        let mut carry = 0;
        self.len = 0;
        for (limbs, &first) in powers.limbs.iter().zip(&powers.first) {
            if first >= count && carry == 0 {
                break;
            }
            let first = first.min(count);
            let mut sum = 0;
            for (&limb, &group) in limbs[first..count].iter().zip(&least_first[first..count]) {
                sum += u128::from(limb) * u128::from(group);
            }
            // The quotient is less than 60 times 2^57, even for bytes that are not digits, so nothing here overflows.
            let (quotient, remainder) = divide::<R>(sum);
            let limb = remainder + carry;
            self.limbs[self.len] = limb % R::MODULUS;
            carry = quotient + limb / R::MODULUS;
            self.len += 1;
        }
        while self.len > 0 && self.limbs[self.len - 1] == 0 {
            self.len -= 1;
        }
    }

    /// Reads groups of digits, most significant first.
    fn read_groups<R: Radix>(&mut self, from: SourceRadix, groups: impl ExactSizeIterator<Item = u64>) {
        let count = groups.len();
        if count <= POWER_COUNT {
            let mut values = [0; POWER_COUNT];
            values.iter_mut().zip(groups).for_each(|(value, group)| *value = group);
            return self.sum_of_powers::<R>(&values[..count], from);
        }
        let (radix, digits) = from.digit_group();
        self.len = 0;
        groups.for_each(|group| self.multiply_add::<R>(radix.pow(digits as u32), group));
    }

    /// Reads base-68 digits, most significant first: at most 2,048, of which the first is not 0. Returns false if a
    /// digit is invalid.
    pub(super) fn read68<R: Radix>(&mut self, text: &[u8]) -> bool {
        const GROUP: usize = SourceRadix::SixtyEight.digit_group().1;
        let mut bad = 0;
        let group = |digits: &[u8]| {
            digits.iter().fold(0_u64, |value, &byte| {
                let digit = DIGIT68[byte as usize];
                bad |= digit;
                value * 68 + u64::from(digit)
            })
        };
        self.read_groups::<R>(SourceRadix::SixtyEight, text.rchunks(GROUP).rev().map(group));
        // Valid digits are less than 68. Sums that contain invalid digits do not overflow.
        bad < 0x80
    }

    /// Reads base-11 or decimal digits, most significant first, into limbs of base 68.
    pub(super) fn read_digits(&mut self, from: SourceRadix, digits: &[u8]) {
        const GROUP: usize = SourceRadix::Eleven.digit_group().1;
        let radix = from.digit_group().0;
        let group = |digits: &[u8]| match digits.first_chunk::<GROUP>().map(|digits| digits.as_chunks().0) {
            Some(&[upper, lower]) => value_of_eight(upper, radix) * radix.pow(8) + value_of_eight(lower, radix),
            _ => digits.iter().fold(0, |value, &digit| value * radix + u64::from(digit)),
        };
        self.read_groups::<SixtyEight>(from, digits.rchunks(GROUP).rev().map(group));
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

    /// Returns the base-11 digits in triples, most significant first. Leading digits may be 0. `None` if there are too
    /// many.
    pub(super) fn triples<'t>(&self, out: &'t mut [u16; MAX_TRIPLES]) -> Option<&'t [u16]> {
        const CUBE: u32 = 11 * 11 * 11;
        const HALF: u64 = 11_u64.pow(Eleven::DIGITS as u32 / 2);
        let out = out.get_mut(..self.len * Eleven::DIGITS / 3)?;
        for (limb, triples) in self.limbs().iter().rev().zip(out.as_chunks_mut::<{ Eleven::DIGITS / 3 }>().0) {
            let halves = [limb / HALF, limb % HALF].map(|half| half as u32);
            for (half, triples) in halves.into_iter().zip(triples.as_chunks_mut::<3>().0) {
                let (upper, uppermost) = (half / CUBE, half / (CUBE * CUBE));
                *triples = [uppermost, upper - CUBE * uppermost, half - CUBE * upper].map(|three| three as u16);
            }
        }
        Some(out)
    }

    /// Returns the limbs, least significant first.
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
        divides_at_the_edges::<Decimal>();
        divides_at_the_edges::<Eleven>();
        divides_at_the_edges::<SixtyEight>();
    }

    fn divides<R: Radix>(quotient: u64, remainder: u64) {
        let remainder = remainder % R::MODULUS;
        let value = u128::from(quotient) * u128::from(R::MODULUS) + u128::from(remainder);
        assert_eq!(divide::<R>(value), (quotient, remainder));
    }

    /// Converts a base-68 number to another radix and back, and compares it with the result of another library.
    fn round_trips<R: Radix>(text: &[u8], from: SourceRadix) {
        let expected = from68(text);
        let mut number = Number::new();
        assert!(number.read68::<R>(text));
        assert_eq!(big::<R>(&number), expected);
        let mut out = [0; 4000];
        let count = number.digits::<R>(&mut out);
        let digits = &out[4000 - count..];
        let expected = expected.to_radix_be(R::DIGIT_RADIX as u32);
        let zeros = count - expected.len();
        assert!(digits[..zeros].iter().all(|&digit| digit == 0));
        assert_eq!(digits[zeros..], expected[..]);
        let mut back = Number::new();
        back.read_digits(from, digits);
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
            divides::<Decimal>(quotient, remainder);
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
            round_trips::<Decimal>(&text, SourceRadix::Decimal);
            round_trips::<Eleven>(&text, SourceRadix::Eleven);
        }
    }

    /// Sums of products are largest if all groups are largest.
    #[test]
    fn the_largest_sums_fit() {
        let (_, digits) = SourceRadix::SixtyEight.digit_group();
        for groups in [1, POWER_COUNT - 1, POWER_COUNT, POWER_COUNT + 1] {
            let text = vec![b'&'; groups * digits];
            round_trips::<Decimal>(&text, SourceRadix::Decimal);
            round_trips::<Eleven>(&text, SourceRadix::Eleven);
        }
    }

    #[test]
    fn no_digits() {
        let mut number = Number::new();
        for text in [&b"^"[..], b"123456789012345^", b"^23456789012345"] {
            assert!(!number.read68::<Decimal>(text));
        }
        assert!(number.read68::<Decimal>(b""));
        assert_eq!(number.limbs(), [0; 0]);
    }
}
