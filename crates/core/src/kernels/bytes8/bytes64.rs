//! The vector operations that the solver of sides 3 to 8 needs.

use super::Ways;
use crate::kernels::vector::Vector;

/// The ways to fill sixteen cages.
#[derive(Clone, Copy)]
pub(crate) struct CageLists<'a> {
    /// For each cage, the index of its first block, and the number of blocks.
    pub(crate) ranges: &'a [(u32, u32); 16],
    /// The cages that have a single block, as bits.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only AVX-512 makes a difference"))]
    pub(crate) one_block: u32,
    /// The blocks of all lists.
    pub(crate) ways: &'a [Ways],
}

impl<'a> CageLists<'a> {
    /// The blocks of a cage.
    #[inline(always)]
    pub(crate) fn of(self, cage: usize) -> &'a [Ways] {
        let (first, count) = self.ranges[cage & 15];
        &self.ways[first as usize..][..count as usize]
    }
}

/// A vector of 64 bytes: eight rows of eight.
pub(crate) trait Bytes64: Vector {
    fn load(self, bytes: &[u8; 64]) -> Self;
    fn store(self, bytes: &mut [u8; 64]);
    /// Permutes the bytes of each row: byte i is the former byte i ^ BY; BY is 1, 2 or 4.
    fn swap_columns<const BY: usize>(self) -> Self;
    /// Permutes the rows: row i is the former row i ^ BY; BY is 1, 2 or 4.
    fn swap_rows<const BY: usize>(self) -> Self;
    /// Returns a mask of the 32-bit words that are not 0: bit i is for the bytes 4 i to 4 i + 3.
    fn nonzero_words(self) -> u32;

    /// Returns the digits of all ways that are still open, which means that all their digits are candidates.
    #[inline(always)]
    fn possible_digits(self, candidates: u32, ways: &[Ways]) -> u32 {
        let mut all = 0;
        for &way in ways.as_flattened() {
            all |= if way & !candidates == 0 { way } else { 0 };
        }
        all
    }

    /// `self` are the candidates of sixteen cages, of four bytes each. Replaces those of the cages in `changed` by the
    /// digits of the ways that are still open; 0 if there is none.
    #[inline(always)]
    fn restrict_cages(self, mut changed: u32, lists: CageLists<'_>) -> Self {
        let mut cages = [0; 64];
        self.store(&mut cages);
        while changed != 0 {
            let cage = changed.trailing_zeros() as usize & 15;
            changed &= changed - 1;
            let candidates: &mut [u8; 4] = &mut cages.as_chunks_mut().0[cage];
            *candidates = self.possible_digits(u32::from_le_bytes(*candidates), lists.of(cage)).to_le_bytes();
        }
        self.load(&cages)
    }

    /// Looks up bytes: byte i of the result is byte `places[i]` of `self`; places are below 64.
    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        let (mut bytes, mut at, mut picked) = ([0; 64], [0; 64], [0; 64]);
        self.store(&mut bytes);
        places.store(&mut at);
        for (picked, at) in picked.iter_mut().zip(at) {
            *picked = bytes[usize::from(at & 63)];
        }
        self.load(&picked)
    }
}

#[cfg(test)]
pub(in crate::kernels) mod tests {
    use super::*;

    fn bytes<B: Bytes64>(b: B) -> [u8; 64] {
        let mut bytes = [0; 64];
        b.store(&mut bytes);
        bytes
    }

    /// Checks every operation of a type against plain code, on bytes of all sorts.
    pub(in crate::kernels) fn check<B: Bytes64>(v: B) {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let byte = (state >> 32) as u8;
            [byte, 1 << (byte % 8), 1 << (byte % 8) | 1 << (byte >> 3 & 7), 0, 0x81, 0x80][(state >> 50) as usize % 6]
        };
        for round in 0..crate::kernels::rounds(2_000) {
            let [a, b, c]: [[u8; 64]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
            let [x, y, z] = [v.load(&a), v.load(&b), v.load(&c)];
            let each = |f: &dyn Fn(usize) -> u8| -> [u8; 64] { std::array::from_fn(f) };
            let all = |set: bool| if set { u8::MAX } else { 0 };
            assert_eq!(bytes(x), a);
            assert_eq!(bytes(x.zero()), [0; 64]);
            assert_eq!(bytes(x.and(y)), each(&|i| a[i] & b[i]));
            assert_eq!(bytes(x.or(y)), each(&|i| a[i] | b[i]));
            assert_eq!(bytes(x.xor(y)), each(&|i| a[i] ^ b[i]));
            assert_eq!(bytes(x.and_not(y)), each(&|i| a[i] & !b[i]));
            assert_eq!(bytes(x.empty()), each(&|i| all(a[i] == 0)));
            assert_eq!(bytes(x.several()), a.map(|byte| byte & byte.wrapping_sub(1)));
            assert_eq!(bytes(x.swap_columns::<1>()), each(&|i| a[i ^ 1]));
            assert_eq!(bytes(x.swap_columns::<2>()), each(&|i| a[i ^ 2]));
            assert_eq!(bytes(x.swap_columns::<4>()), each(&|i| a[i ^ 4]));
            assert_eq!(bytes(x.swap_rows::<1>()), each(&|i| a[i ^ 8]));
            assert_eq!(bytes(x.swap_rows::<2>()), each(&|i| a[i ^ 16]));
            assert_eq!(bytes(x.swap_rows::<4>()), each(&|i| a[i ^ 32]));
            assert_eq!(bytes(x.empty().select(y, z)), each(&|i| if a[i] == 0 { b[i] } else { c[i] }));
            let places = each(&|i| b[i] & 63);
            assert_eq!(bytes(x.pick(v.load(&places))), each(&|i| a[usize::from(places[i])]));
            let word = |i: usize| u32::from_le_bytes([a[4 * i], a[4 * i + 1], a[4 * i + 2], a[4 * i + 3]]);
            assert_eq!(x.nonzero_words(), (0..16).map(|i| u32::from(word(i) != 0) << i).sum::<u32>());
            let ways: Vec<Ways> = (0..round % 4)
                .map(|_| std::array::from_fn(|_| u32::from_le_bytes([random(), random(), 1, 0])))
                .collect();
            let candidates = word(0) | 0x10101;
            let open = ways.as_flattened().iter().filter(|&&way| way & !candidates == 0);
            assert_eq!(x.possible_digits(candidates, &ways), open.fold(0, |all, way| all | way));
            let mut lists: Vec<Ways> = ways.clone();
            lists.extend([[word(1); 16], [word(2); 16], std::array::from_fn(|i| word(i) & 0x303)]);
            let ranges: [(u32, u32); 16] = std::array::from_fn(|i| {
                let first = usize::from(c[i]) % lists.len();
                (first as u32, 1 + (usize::from(c[16 + i]) % 3).min(lists.len() - 1 - first) as u32)
            });
            let one_block = (0..16).map(|i| u32::from(ranges[i].1 == 1) << i).sum();
            let changed = u32::from(c[63]) | u32::from(b[62]) << 8;
            let restricted = bytes(x.restrict_cages(changed, CageLists { ranges: &ranges, one_block, ways: &lists }));
            for (i, cage) in restricted.as_chunks().0.iter().enumerate() {
                let (first, count) = (ranges[i].0 as usize, ranges[i].1 as usize);
                let open = lists[first..first + count].as_flattened().iter().filter(|&&way| way & !word(i) == 0);
                let expected = if changed >> i & 1 == 1 { open.fold(0, |all, way| all | way) } else { word(i) };
                assert_eq!(u32::from_le_bytes(*cage), expected, "{i}");
            }
            let one = each(&|i| if i == round % 64 { b[1] } else { 0 });
            assert_eq!(v.load(&one).is_zero(), b[1] == 0);
            assert_eq!(v.load(&one).nonzero_words(), if b[1] == 0 { 0 } else { 1 << (round % 64 / 4) });
        }
    }
}
