//! The vector operations that the bit-sliced solver needs.

use super::state::BlockState;
use super::text;

/// A vector with one bit for each of [`BitVector::LANES`] puzzles.
///
/// A value of a type that implements this trait proves that the machine has the instructions of the type: an unsafe
/// function makes the first value, and all others are made from it. All functions are always inlined, so that they
/// become instructions inside the functions that are compiled for them.
pub(crate) trait BitVector: Copy + Send {
    /// The number of bits, a multiple of 64.
    const LANES: usize;
    /// The number of 32-bit words.
    const WIDTH: usize = Self::LANES / 32;

    /// Returns a vector whose words are all `word`.
    fn splat(self, word: u32) -> Self;
    #[inline(always)]
    fn zero(self) -> Self {
        self.splat(0)
    }
    /// Loads the first words of a slice.
    fn load(self, words: &[u32]) -> Self;
    /// Stores to the first words of a slice.
    fn store(self, words: &mut [u32]);

    fn and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    /// `self & !b`
    fn and_not(self, b: Self) -> Self;

    fn any(self) -> bool;
    fn count(self) -> u32;
}

/// Functions of three bits, which are single instructions in some sets.
pub(crate) trait ThreeBits: BitVector {
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }
    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        self.and(b).and(c)
    }
    /// Bits that are set in at least two of the three vectors.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self.and(b).or(self.or(b).and(c))
    }
    /// `self & !(b | c)`
    #[inline(always)]
    fn and_nor(self, b: Self, c: Self) -> Self {
        self.and_not(b.or(c))
    }
    /// `self & (b | c)`
    #[inline(always)]
    fn and_or(self, b: Self, c: Self) -> Self {
        self.and(b.or(c))
    }
    /// `self & !(b & c)`
    #[inline(always)]
    fn and_nand(self, b: Self, c: Self) -> Self {
        self.and_not(b.and(c))
    }
    /// `self | (b & c)`
    #[inline(always)]
    fn or_and(self, b: Self, c: Self) -> Self {
        self.or(b.and(c))
    }
    /// `self | (b & !c)`
    #[inline(always)]
    fn or_and_not(self, b: Self, c: Self) -> Self {
        self.or(b.and_not(c))
    }
    /// Takes the bits of `b` where `self` has ones, and those of `c` where it has zeros.
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        c.xor(self.and(b.xor(c)))
    }
}

/// The vector as one of 32-bit words.
pub(crate) trait WordVector: ThreeBits {
    /// Shifts each word by a constant.
    fn shl(self, by: u32) -> Self;
    fn shr(self, by: u32) -> Self;
    fn add(self, b: Self) -> Self;
    /// `self - b`
    fn sub(self, b: Self) -> Self;
    /// Exchanges the high bits of `self` with the low bits of `b`, in each word: `mask` is the mask of the low bits,
    /// and together with `mask << by` it has all bits.
    #[inline(always)]
    fn exchange(self, b: Self, by: u32, mask: u32) -> (Self, Self) {
        let mask = self.splat(mask);
        (mask.select(self, b.shl(by)), mask.select(self.shr(by), b))
    }
    /// Returns the number of ones in each word.
    fn popcounts(self) -> Self;
    /// Sets all bits of each word that is not 0.
    fn nonzero(self) -> Self;
    /// Sets all bits of each word that is greater than that of `b`, and clears the others. Both are less than 2^31.
    fn greater(self, b: Self) -> Self;
    /// Returns a mask of the words that are not 0: bit `j` is for word `j`.
    fn nonzero_bits(self) -> u32;
}

/// What the bit-sliced solver does with a vector: all lanes of a block, or words of its nodes.
pub(crate) trait Lanes: WordVector {
    /// Moves the words whose bit in `keep` is set to the front; what follows them may be anything.
    fn compress(self, keep: u32) -> Self;

    /// Each word has at most one bit among 27, which is a cell of a band. Returns the cells of the same band in the
    /// same row, column or box, and the cells of any other band in the same column. The result is arbitrary for words
    /// without a bit.
    #[inline(always)]
    fn peers(self) -> (Self, Self) {
        let (mut same, mut column) = ([0; 16], [0; 16]);
        self.store(&mut same);
        for (same, column) in same.iter_mut().zip(&mut column) {
            let cell = same.trailing_zeros().min(31) as usize;
            (*same, *column) = (PEERS[cell], COLUMN[cell]);
        }
        (self.load(&same), self.load(&column))
    }

    /// Returns a mask of the words whose count is below the limit: bit `j` is set if word `j` is the index of such a
    /// count. Words that are not an index give 0.
    #[inline(always)]
    fn below(self, counts: &[u32], limit: u32) -> u32 {
        let mut words = [0; 16];
        self.store(&mut words);
        let mut bits = 0;
        for (j, &word) in words[..Self::WIDTH].iter().enumerate() {
            bits |= u32::from(*counts.get(word as usize).unwrap_or(&limit) < limit) << j;
        }
        bits
    }

    /// Writes digits: byte `k` becomes the number whose bits are bit `k` of each word.
    #[inline(always)]
    fn digits(self, [ones, twos, fours, eights]: [u32; 4], to: &mut [u8; 32]) {
        for (k, to) in to.iter_mut().enumerate() {
            let bit = |word: u32| (word >> k & 1) as u8;
            *to = bit(ones) | bit(twos) << 1 | bit(fours) << 2 | bit(eights) << 3;
        }
    }

    /// Implements [`super::Block::load_text`].
    #[inline(always)]
    fn load_text(self, state: &mut BlockState<Self>, text: &[u8], pitch: usize) {
        for cell in 0..81 {
            let (row, column) = (cell / 9, cell % 9);
            let (b, i) = (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
            for (digit, slice) in text::slices(Self::LANES, text, pitch, cell).iter().enumerate() {
                state.candidates[b][digit][i] = self.load(slice);
            }
        }
    }
}

/// Methods of two vectors that are one intrinsic each, which the macro `$on` calls.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! of_two {
    ($on:ident: $($name:ident = $intrinsic:ident),+) => {$(
        #[inline(always)]
        fn $name(self, b: Self) -> Self {
            Self($on!($intrinsic(self.0, b.0)))
        }
    )+};
}
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
pub(in crate::kernels) use of_two;

/// For each cell of a band, its peers in the band, without itself. The cells of a band are numbered as in a node.
pub(crate) static PEERS: [u32; 32] = peers(true);
/// For each cell of a band, the cells of a band in its column, including itself.
pub(crate) static COLUMN: [u32; 32] = peers(false);

const fn peers(in_band: bool) -> [u32; 32] {
    let mut masks = [0; 32];
    let mut p = 0;
    while p < 27 {
        let mut q = 0;
        while q < 27 {
            let column = p % 9 == q % 9;
            let shared = column || p / 9 == q / 9 || p % 9 / 3 == q % 9 / 3;
            if if in_band { shared && p != q } else { column } {
                masks[p] |= 1 << q;
            }
            q += 1;
        }
        p += 1;
    }
    masks
}

#[cfg(test)]
pub(in crate::kernels) mod tests {
    use super::*;

    /// Checks every operation of a type against plain code, on words of all sorts.
    pub(in crate::kernels) fn check<V: Lanes>(v: V) {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Some words have few bits or none.
            let word = (state >> 32) as u32;
            [word, word, 1 << (word % 27), 0][(state >> 30) as usize % 4]
        };
        let counts: Vec<u32> = (0..40).map(|i| i % 5).collect();
        for round in 0..crate::kernels::rounds(500) as u32 {
            let [a, b, c]: [[u32; 16]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
            let [x, y, z] = [v.load(&a), v.load(&b), v.load(&c)];
            let same = |what: &str, result: V, of: &dyn Fn(u32, u32, u32) -> u32| {
                let mut words = [0; 16];
                result.store(&mut words);
                for j in 0..V::WIDTH {
                    assert_eq!(words[j], of(a[j], b[j], c[j]), "{what}: {:x} {:x} {:x}", a[j], b[j], c[j]);
                }
                assert!(words[V::WIDTH..].iter().all(|&word| word == 0), "{what} wrote too far");
            };
            let all = |set: bool| if set { u32::MAX } else { 0 };
            same("load", x, &|a, _, _| a);
            same("splat", x.splat(0x8000_0001 + round), &|_, _, _| 0x8000_0001 + round);
            same("zero", x.zero(), &|_, _, _| 0);
            same("and", x.and(y), &|a, b, _| a & b);
            same("or", x.or(y), &|a, b, _| a | b);
            same("xor", x.xor(y), &|a, b, _| a ^ b);
            same("and_not", x.and_not(y), &|a, b, _| a & !b);
            same("or3", x.or3(y, z), &|a, b, c| a | b | c);
            same("and3", x.and3(y, z), &|a, b, c| a & b & c);
            same("majority", x.majority(y, z), &|a, b, c| a & b | a & c | b & c);
            same("and_nor", x.and_nor(y, z), &|a, b, c| a & !(b | c));
            same("and_or", x.and_or(y, z), &|a, b, c| a & (b | c));
            same("and_nand", x.and_nand(y, z), &|a, b, c| a & !(b & c));
            same("or_and", x.or_and(y, z), &|a, b, c| a | b & c);
            same("or_and_not", x.or_and_not(y, z), &|a, b, c| a | b & !c);
            same("select", x.select(y, z), &|a, b, c| a & b | !a & c);
            same("add", x.add(y), &|a, b, _| a.wrapping_add(b));
            same("sub", x.sub(y), &|a, b, _| a.wrapping_sub(b));
            same("popcounts", x.popcounts(), &|a, _, _| a.count_ones());
            same("nonzero", x.nonzero(), &|a, _, _| all(a != 0));
            let small = x.splat(0x7FFF_FFFF);
            let greater = |a, b, _| all(a & 0x7FFF_FFFF > b & 0x7FFF_FFFF);
            same("greater", x.and(small).greater(y.and(small)), &greater);
            for by in [1, 2, 4, 8, 16] {
                same("shl", x.shl(by), &|a, _, _| a << by);
                same("shr", x.shr(by), &|a, _, _| a >> by);
            }

            let words = &a[..V::WIDTH];
            let bits = words.iter().enumerate().map(|(j, &word)| u32::from(word != 0) << j);
            assert_eq!(x.count(), words.iter().map(|word| word.count_ones()).sum::<u32>());
            assert_eq!((x.any(), x.zero().any()), (words.iter().any(|&word| word != 0), false));
            let nonzero: u32 = bits.sum();
            assert_eq!(x.nonzero_bits(), nonzero);
            let places = v.load(&a.map(|word| if word & 0x100 == 0 { word } else { word % 50 }));
            let mut words = [0; 16];
            places.store(&mut words);
            let below = |word: u32| counts.get(word as usize).is_some_and(|&count| count < 3);
            let expected = (0..V::WIDTH).map(|j| u32::from(below(words[j])) << j).sum::<u32>();
            assert_eq!(places.below(&counts, 3), expected);

            let keep = b[0] & (u32::MAX >> (32 - V::WIDTH));
            let mut packed = [0; 16];
            x.compress(keep).store(&mut packed);
            let kept: Vec<u32> = (0..V::WIDTH).filter(|j| keep >> j & 1 == 1).map(|j| a[j]).collect();
            assert_eq!(packed[..kept.len()], kept);

            check_digits(v, [a[0], b[0], c[0], a[1]]);

            let cells: [u32; 16] = std::array::from_fn(|j| (c[j] >> 3) % 27);
            let (peers, columns) = v.load(&cells.map(|cell| 1 << cell)).peers();
            let (mut found, mut column) = ([0; 16], [0; 16]);
            peers.store(&mut found);
            columns.store(&mut column);
            for j in 0..V::WIDTH {
                assert_eq!((found[j], column[j]), (PEERS[cells[j] as usize], COLUMN[cells[j] as usize]));
            }
        }
    }

    /// Checks [`Lanes::digits`].
    fn check_digits<V: Lanes>(v: V, planes: [u32; 4]) {
        let mut digits = [0; 32];
        v.digits(planes, &mut digits);
        for (k, &digit) in digits.iter().enumerate() {
            let expected: u32 = (0..4).map(|bit| (planes[bit] >> k & 1) << bit).sum();
            assert_eq!(u32::from(digit), expected);
        }
    }

    #[test]
    fn lanes_of_plain_rust_do_what_they_say() {
        check(0u64);
    }

    #[test]
    fn peers_are_those_of_a_band() {
        for cell in 0..27 {
            assert_eq!((PEERS[cell].count_ones(), COLUMN[cell].count_ones()), (8 + 6, 3), "{cell}");
            assert_eq!((PEERS[cell] >> cell & 1, COLUMN[cell] >> cell & 1), (0, 1));
        }
    }
}
