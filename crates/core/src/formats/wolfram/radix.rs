//! Whole numbers of a fixed size in any radix: base-68 strings to decimal or base-11 digits and back, without allocation.
//!
//! A number is stored in limbs of a large power of the target radix. It is the sum of its digits times the powers of
//! the source radix, which are precomputed: each limb is a sum of products, and only that sum is divided. (Adding
//! digits one after another, with a division for each limb and step, took three times as long. It is still done for
//! numbers longer than those of any board.)

use std::sync::LazyLock;

use crate::kernels::tables::table;

/// The digits of base 68 in their order. Case matters.
pub(super) const DIGITS68: &[u8; 68] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!@#$%&";

/// The value of a byte as a base-68 digit, or [`NONE`].
pub(super) static DIGIT68: [u8; 256] = {
    let mut table = [NONE; 256];
    let mut value = 0;
    while value < 68 {
        table[DIGITS68[value] as usize] = value as u8;
        value += 1;
    }
    table
};

/// Not a digit.
pub(super) const NONE: u8 = 0xff;

/// A radix of limbs, with the constants for dividing by it and writing it.
pub(super) trait Radix: Sized + 'static {
    /// The small radix whose power this is.
    const SMALL: u64;
    /// Small digits in a limb, an even number.
    const DIGITS: usize;
    /// The large radix.
    const MODULUS: u64 = Self::SMALL.pow(Self::DIGITS as u32);
    /// The left shift that normalises the modulus.
    const SHIFT: u32 = Self::MODULUS.leading_zeros();
    /// The reciprocal used for division.
    const RECIPROCAL: u64 = (u128::MAX / (Self::MODULUS << Self::SHIFT) as u128 - (1 << 64)) as u64;

    /// The characters or values of each pair of small digits.
    fn two(value: usize) -> [u8; 2];

    /// The powers of the source radixes.
    fn powers(from: Base) -> &'static Powers;
}

/// The digits that numbers are read from, several at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    /// Nine base-68 digits.
    SixtyEight,
    /// 16 base-11 digits.
    Eleven,
    /// 16 decimal digits.
    Decimal,
}

impl Base {
    /// The radix of a digit, and the digits at a time. Their power is less than 2^56.
    const fn parts(self) -> (u64, usize) {
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

const fn twos<const COUNT: usize>(small: usize, digits: Option<&[u8; 68]>) -> [[u8; 2]; COUNT] {
    let mut table = [[0; 2]; COUNT];
    let mut value = 0;
    while value < COUNT {
        let (high, low) = (value / small, value % small);
        table[value] = match digits {
            Some(digits) => [digits[high], digits[low]],
            None => [high as u8, low as u8],
        };
        value += 1;
    }
    table
}

impl Radix for Decimal {
    const SMALL: u64 = 10;
    const DIGITS: usize = 18;

    fn two(value: usize) -> [u8; 2] {
        static TWO: [[u8; 2]; 100] = twos(10, None);
        TWO[value]
    }

    fn powers(_: Base) -> &'static Powers {
        static POWERS: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new::<Decimal>(Base::SixtyEight));
        &POWERS
    }
}

impl Radix for Eleven {
    const SMALL: u64 = 11;
    const DIGITS: usize = 18;

    fn two(value: usize) -> [u8; 2] {
        static TWO: [[u8; 2]; 121] = twos(11, None);
        TWO[value]
    }

    fn powers(_: Base) -> &'static Powers {
        static POWERS: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new::<Eleven>(Base::SixtyEight));
        &POWERS
    }
}

/// Digits are written as characters.
impl Radix for SixtyEight {
    const SMALL: u64 = 68;
    const DIGITS: usize = 10;

    fn two(value: usize) -> [u8; 2] {
        table! { TWO: [[u8; 2]; 4624] = twos(68, Some(DIGITS68)) }
        TWO[value]
    }

    fn powers(from: Base) -> &'static Powers {
        static ELEVEN: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new::<SixtyEight>(Base::Eleven));
        static DECIMAL: LazyLock<Box<Powers>> = LazyLock::new(|| Powers::new::<SixtyEight>(Base::Decimal));
        if from == Base::Eleven { &ELEVEN } else { &DECIMAL }
    }
}

/// Quotient and remainder of `value`, which is less than 2^64 times the modulus, by the modulus. (Möller and Granlund,
/// "Improved division by invariant integers", algorithm 4.)
#[inline]
fn divide<R: Radix>(value: u128) -> (u64, u64) {
    let (divisor, value) = (R::MODULUS << R::SHIFT, value << R::SHIFT);
    let (high, low) = ((value >> 64) as u64, value as u64);
    let estimate = u128::from(R::RECIPROCAL) * u128::from(high) + value;
    let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
    let mut remainder = low.wrapping_sub(quotient.wrapping_mul(divisor));
    // As likely as not, so without a branch.
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

/// The value of eight digits of a radix up to 11, most significant first: neighbours are combined three times.
fn of_eight(digits: [u8; 8], small: u64) -> u64 {
    let twos = u64::from_le_bytes(digits).wrapping_mul(small << 8 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = twos.wrapping_mul(small.pow(2) << 16 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(small.pow(4) << 32 | 1) >> 32
}

/// How many powers of groups of digits are precomputed: more than the candidates of a board without clues need, and few
/// enough that the sum of as many products, each of a limb and a group less than 2^56, fits 128 bits.
const KNOWN: usize = 60;

/// Powers of one radix in limbs of another.
pub(super) struct Powers {
    /// For each limb, its value in each power.
    limbs: [[u64; KNOWN]; KNOWN],
    /// For each limb, the first power that reaches it.
    first: [usize; KNOWN],
}

impl Powers {
    /// Allocated, since a static of 29 kB would add 29 kB to the program.
    fn new<R: Radix>(from: Base) -> Box<Self> {
        let (small, digits) = from.parts();
        let mut powers = Box::new(Self { limbs: [[0; KNOWN]; KNOWN], first: [KNOWN; KNOWN] });
        let mut power = Number::new();
        power.step::<R>(1, 1);
        for n in 0..KNOWN {
            for (i, &limb) in power.limbs().iter().enumerate() {
                powers.limbs[i][n] = limb;
                powers.first[i] = powers.first[i].min(n);
            }
            power.step::<R>(small.pow(digits as u32), 0);
        }
        powers
    }
}

/// Limbs of the longest number: 2,048 base-68 digits, ten of which are less than one limb of any [`Radix`] here.
const LIMBS: usize = 212;

/// Digits of the longest number in base 11, as whole limbs.
pub(super) const DIGITS: usize = 208 * Eleven::DIGITS;

/// The most groups of three base-11 digits that are read at a time.
pub(super) const THREES: usize = KNOWN * Eleven::DIGITS / 3;

/// An unsigned integer, least significant limb first, without leading zero limbs.
pub(super) struct Number {
    limbs: [u64; LIMBS],
    len: usize,
}

impl Number {
    /// Zero.
    pub(super) fn new() -> Self {
        Self { limbs: [0; LIMBS], len: 0 }
    }

    /// `self * factor + more`. Both are at most the modulus, and `more` is less. The caller ensures that the number
    /// does not become longer than the longest one.
    #[inline]
    fn step<R: Radix>(&mut self, factor: u64, more: u64) {
        let mut carry = more;
        for limb in &mut self.limbs[..self.len] {
            let (quotient, remainder) = divide::<R>(u128::from(*limb) * u128::from(factor));
            // Less than twice the modulus, which may exceed 64 bits.
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

    /// The sum of groups of digits, most significant first, times their powers.
    fn sum<R: Radix>(&mut self, groups: &[u64], from: Base) {
        let (count, powers) = (groups.len(), R::powers(from));
        let mut least_first = [0; KNOWN];
        least_first.iter_mut().zip(groups.iter().rev()).for_each(|(to, &group)| *to = group);
        // The carry is added after the division, which therefore does not depend on the previous one.
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
    fn read<R: Radix>(&mut self, from: Base, groups: impl ExactSizeIterator<Item = u64>) {
        let count = groups.len();
        if count <= KNOWN {
            let mut known = [0; KNOWN];
            known.iter_mut().zip(groups).for_each(|(known, group)| *known = group);
            return self.sum::<R>(&known[..count], from);
        }
        let (small, digits) = from.parts();
        self.len = 0;
        groups.for_each(|group| self.step::<R>(small.pow(digits as u32), group));
    }

    /// Reads base-68 digits, most significant first: at most 2,048, the first one not 0. Returns false if one is
    /// invalid.
    pub(super) fn read68<R: Radix>(&mut self, text: &[u8]) -> bool {
        const AT_ONCE: usize = Base::SixtyEight.parts().1;
        let mut bad = 0;
        let group = |digits: &[u8]| {
            digits.iter().fold(0_u64, |value, &byte| {
                let digit = DIGIT68[byte as usize];
                bad |= digit;
                value * 68 + u64::from(digit)
            })
        };
        self.read::<R>(Base::SixtyEight, text.rchunks(AT_ONCE).rev().map(group));
        // Valid digits are less than 68. Sums with invalid ones do not overflow.
        bad < 0x80
    }

    /// Reads base-11 or decimal digits, most significant first, into limbs of base 68.
    pub(super) fn read_small(&mut self, from: Base, digits: &[u8]) {
        const AT_ONCE: usize = Base::Eleven.parts().1;
        let small = from.parts().0;
        let group = |digits: &[u8]| match digits.first_chunk::<AT_ONCE>().map(|digits| digits.as_chunks().0) {
            Some(&[upper, lower]) => of_eight(upper, small) * small.pow(8) + of_eight(lower, small),
            _ => digits.iter().fold(0, |value, &digit| value * small + u64::from(digit)),
        };
        self.read::<SixtyEight>(from, digits.rchunks(AT_ONCE).rev().map(group));
    }

    /// The digits of the small radix, as whole limbs, most significant first, at the end of `out`. Returns their
    /// number; some of the first may be 0.
    pub(super) fn digits<R: Radix>(&self, out: &mut [u8]) -> usize {
        // Two halves are two independent chains of divisions.
        let low_digits = R::DIGITS / 4 * 2;
        let (square, half) = (R::SMALL * R::SMALL, R::SMALL.pow(low_digits as u32));
        let mut places = out.rchunks_exact_mut(R::DIGITS);
        for (&limb, place) in self.limbs[..self.len].iter().zip(&mut places) {
            let (high, low) = place.split_at_mut(R::DIGITS - low_digits);
            for (place, mut value) in [(low, limb % half), (high, limb / half)] {
                for two in place.as_chunks_mut::<2>().0.iter_mut().rev() {
                    *two = R::two((value % square) as usize);
                    value /= square;
                }
            }
        }
        self.len * R::DIGITS
    }

    /// Base-11 digits in groups of three, most significant first; some of the first may be 0. `None` if there are too
    /// many.
    pub(super) fn threes<'t>(&self, out: &'t mut [u16; THREES]) -> Option<&'t [u16]> {
        const CUBE: u32 = 11 * 11 * 11;
        const HALF: u64 = 11_u64.pow(Eleven::DIGITS as u32 / 2);
        let out = out.get_mut(..self.len * Eleven::DIGITS / 3)?;
        for (limb, threes) in self.limbs().iter().rev().zip(out.as_chunks_mut::<{ Eleven::DIGITS / 3 }>().0) {
            let halves = [limb / HALF, limb % HALF].map(|half| half as u32);
            for (half, threes) in halves.into_iter().zip(threes.as_chunks_mut::<3>().0) {
                let (upper, uppermost) = (half / CUBE, half / (CUBE * CUBE));
                *threes = [uppermost, upper - CUBE * uppermost, half - CUBE * upper].map(|three| three as u16);
            }
        }
        Some(out)
    }

    /// Limbs, the least first.
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

    /// Converts a base-68 number there and back and compares it with another library.
    fn goes_there_and_back<R: Radix>(text: &[u8], from: Base) {
        let expected = from68(text);
        let mut number = Number::new();
        assert!(number.read68::<R>(text));
        assert_eq!(big::<R>(&number), expected);
        let mut out = [0; 4000];
        let count = number.digits::<R>(&mut out);
        let digits = &out[4000 - count..];
        let expected = expected.to_radix_be(R::SMALL as u32);
        let zeros = count - expected.len();
        assert!(digits[..zeros].iter().all(|&digit| digit == 0));
        assert_eq!(digits[zeros..], expected[..]);
        let mut back = Number::new();
        back.read_small(from, digits);
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
            goes_there_and_back::<Decimal>(&text, Base::Decimal);
            goes_there_and_back::<Eleven>(&text, Base::Eleven);
        }
    }

    /// Sums of products are largest if all groups are.
    #[test]
    fn the_largest_sums_fit() {
        let (_, digits) = Base::SixtyEight.parts();
        for groups in [1, KNOWN - 1, KNOWN, KNOWN + 1] {
            let text = vec![b'&'; groups * digits];
            goes_there_and_back::<Decimal>(&text, Base::Decimal);
            goes_there_and_back::<Eleven>(&text, Base::Eleven);
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
