//! Random numbers that are the same on every machine: only integers, and a separate stream for each board.

/// SplitMix64 (Steele, Lea, Flood 2014). It has one word of state, so a stream for each board costs nothing to set up.
#[derive(Debug, Clone)]
pub(super) struct Rng(u64);

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A bijection that spreads every input bit over all output bits (the finaliser of SplitMix64).
const fn spread(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// Stream number `number` of a family. Streams of one family never start in the same state.
    pub(super) fn stream(family: u64, number: u64) -> Self {
        Self(spread(family ^ spread(number.wrapping_mul(GOLDEN))))
    }

    /// The family of streams for a list of `words`.
    pub(super) fn family(words: &[u64]) -> u64 {
        words.iter().fold(0, |hash, &word| spread(hash.wrapping_add(GOLDEN) ^ spread(word.wrapping_add(GOLDEN))))
    }

    /// The next 64 random bits.
    #[inline]
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        spread(self.0)
    }

    /// A number from 0 to `bound - 1`, for a `bound` of at least 1. The bias is at most `bound` in 2^32, which does not
    /// matter for test data.
    #[inline]
    pub(super) fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0 && bound <= 1 << 31);
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number from `low` to `high`, inclusive.
    #[inline]
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True with a probability of `part` in `whole`.
    #[inline]
    pub(super) fn chance(&mut self, part: usize, whole: usize) -> bool {
        self.below(whole) < part
    }

    /// Moves `chosen` random elements to the front, in random order.
    #[inline]
    pub(super) fn draw<T>(&mut self, items: &mut [T], chosen: usize) {
        for i in 0..chosen.min(items.len()) {
            let j = i + self.below(items.len() - i);
            items.swap(i, j);
        }
    }

    /// Puts all elements in random order.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        self.draw(items, items.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_outputs_of_splitmix64() {
        let mut rng = Rng(1_234_567);
        assert_eq!([rng.next(), rng.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn below_reaches_every_number_and_no_other() {
        let mut rng = Rng::stream(1, 2);
        let mut seen = [0; 7];
        (0..7000).for_each(|_| seen[rng.below(7)] += 1);
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
    }
}
