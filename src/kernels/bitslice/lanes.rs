//! What the solver needs of a vector.

use super::state::State;
use super::{House, text};

/// A vector with one bit for each of [`Lanes::LANES`] puzzles, or of 32-bit words.
///
/// A value of a type that implements this is the proof that the machine has the instructions of the type: the first one is
/// made by an unsafe function, all others out of it. All functions are inlined always, so that they become instructions
/// inside the functions that are compiled for them.
pub trait Lanes: Copy + Send {
    /// Bits, a multiple of 64.
    const LANES: usize;
    /// 32-bit words.
    const WIDTH: usize = Self::LANES / 32;

    /// The same word everywhere.
    fn splat(self, word: u32) -> Self;
    /// The first words of a slice.
    fn load(self, words: &[u32]) -> Self;
    /// Writes to the first words of a slice.
    fn store(self, words: &mut [u32]);

    fn and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    /// `self & !b`
    fn and_not(self, b: Self) -> Self;

    #[inline(always)]
    fn zero(self) -> Self {
        self.splat(0)
    }
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }
    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        self.and(b).and(c)
    }
    /// Two or three of the three.
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
    /// Bits of `b` where `self` has ones, of `c` where it has zeros.
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        c.xor(self.and(b.xor(c)))
    }

    fn any(self) -> bool;
    fn count(self) -> u32;

    /// Words shifted by a constant.
    fn shl(self, by: u32) -> Self;
    fn shr(self, by: u32) -> Self;
    fn add(self, b: Self) -> Self;
    /// `self - b`
    fn sub(self, b: Self) -> Self;
    /// Words with their number of ones.
    fn popcounts(self) -> Self;
    /// All ones where a word is not 0.
    fn nonzero(self) -> Self;
    /// All ones where a word is more than the other one; both less than 2^31.
    fn greater(self, b: Self) -> Self;
    /// Bit `j`: word `j` is not 0.
    fn nonzero_bits(self) -> u32;
    /// The words whose bit in `keep` is set, moved to the front; what follows them may be anything.
    fn compress(self, keep: u32) -> Self;

    /// For words of at most one bit among 27 (a cell of a band): the cells of the band in the same row, column or box, and
    /// the cells of a band in the same column. Anything for words of no bit.
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

    /// Bit `j`: word `j` is the place of a count below the limit. Words that are no place give 0.
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

    /// [`super::Block::load_text`].
    #[inline(always)]
    fn load_text(self, state: &mut State<Self>, text: &[u8], pitch: usize) {
        text::load(self, state, text, pitch);
    }

    /// Memory for a block, and the houses that its puzzles have besides rows, columns and boxes.
    fn state(self, houses: Vec<House>) -> Box<State<Self>> {
        Box::new(State::new(self.zero(), houses))
    }
}

/// The peers of a cell in its band, without itself; cells of the band as in a node.
pub static PEERS: [u32; 32] = peers(true);
/// The cells of a band in the column of a cell, itself included.
pub static COLUMN: [u32; 32] = peers(false);

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
