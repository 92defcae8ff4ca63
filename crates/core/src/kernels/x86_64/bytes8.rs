//! The vectors of the solver of sides 3 to 8: two of 256 bits, or one of 512.
#![expect(unsafe_code)] // intrinsics, and the calls into functions that need their instructions

use std::arch::x86_64::*;

use crate::kernels::bytes8::{Bytes64, CageLists, Frame8, Node8, Ways, bytes8};
use crate::kernels::vector::Vector;

/// A board in two vectors of four rows each. A value is the proof that the machine has AVX2.
#[derive(Clone, Copy)]
struct Grid256(__m256i, __m256i);

/// A board in one vector. A value is the proof that the machine has AVX-512 F, BW and VBMI, and BMI2.
#[derive(Clone, Copy)]
struct Grid512(__m512i);

bytes8!(propagate_256, Grid256, "avx2,popcnt,bmi1,bmi2,lzcnt");
bytes8!(propagate_512, Grid512, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,popcnt,bmi1,bmi2,lzcnt");

/// Implements [`crate::kernels::bytes8::Propagate8`].
///
/// # Safety
/// The machine must have AVX2, POPCNT, BMI1, BMI2 and LZCNT.
pub(super) unsafe fn avx2(node: &mut Node8, frame: &Frame8, ways: &[Ways]) -> bool {
    // SAFETY: the caller promises that the machine has the instructions.
    unsafe { propagate_256(Grid256(_mm256_setzero_si256(), _mm256_setzero_si256()), node, frame, ways) }
}

/// Implements [`crate::kernels::bytes8::Propagate8`].
///
/// # Safety
/// The machine must have AVX-512 F, BW, DQ, VL and VBMI, POPCNT, BMI1, BMI2 and LZCNT.
pub(super) unsafe fn avx512(node: &mut Node8, frame: &Frame8, ways: &[Ways]) -> bool {
    // SAFETY: the caller promises that the machine has the instructions.
    unsafe { propagate_512(Grid512(_mm512_setzero_si512()), node, frame, ways) }
}

/// Calls an intrinsic that does not access memory, on values of the types of this module.
macro_rules! on {
    ($intrinsics:expr) => {{
        // SAFETY: the arguments come from a value of the type, which exists only where the machine has its instructions.
        unsafe { $intrinsics }
    }};
}

/// Applies a function of one vector to both halves.
macro_rules! both {
    ($self:ident, $x:ident => $intrinsics:expr) => {{
        let half = |$x: __m256i| on!($intrinsics);
        Grid256(half($self.0), half($self.1))
    }};
}

impl Vector for Grid256 {
    #[inline(always)]
    fn zero(self) -> Self {
        both!(self, _x => _mm256_setzero_si256())
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        Self(on!(_mm256_and_si256(self.0, b.0)), on!(_mm256_and_si256(self.1, b.1)))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        Self(on!(_mm256_or_si256(self.0, b.0)), on!(_mm256_or_si256(self.1, b.1)))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        Self(on!(_mm256_xor_si256(self.0, b.0)), on!(_mm256_xor_si256(self.1, b.1)))
    }
    #[inline(always)]
    fn and_not(self, b: Self) -> Self {
        Self(on!(_mm256_andnot_si256(b.0, self.0)), on!(_mm256_andnot_si256(b.1, self.1)))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        let all = self.0;
        let all = on!(_mm256_or_si256(all, self.1));
        on!(_mm256_testz_si256(all, all)) == 1
    }
    #[inline(always)]
    fn empty(self) -> Self {
        both!(self, x => _mm256_cmpeq_epi8(x, _mm256_setzero_si256()))
    }
    #[inline(always)]
    fn several(self) -> Self {
        both!(self, x => _mm256_and_si256(x, _mm256_add_epi8(x, _mm256_set1_epi8(-1))))
    }
}

impl Bytes64 for Grid256 {
    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> Self {
        // SAFETY: the reference covers the two times 32 bytes that are read; `self` proves the instructions.
        unsafe { Self(_mm256_loadu_si256(bytes.as_ptr().cast()), _mm256_loadu_si256(bytes[32..].as_ptr().cast())) }
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; 64]) {
        // SAFETY: the reference covers the 32 bytes that are written; `self` proves the instructions.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), self.0) }
        // SAFETY: as above, for the 32 bytes after them.
        unsafe { _mm256_storeu_si256(bytes[32..].as_mut_ptr().cast(), self.1) }
    }
    #[inline(always)]
    fn swap_columns<const BY: usize>(self) -> Self {
        match BY {
            1 => both!(self, x => _mm256_or_si256(_mm256_slli_epi16::<8>(x), _mm256_srli_epi16::<8>(x))),
            2 => both!(self, x => _mm256_shufflehi_epi16::<0xB1>(_mm256_shufflelo_epi16::<0xB1>(x))),
            _ => both!(self, x => _mm256_shuffle_epi32::<0xB1>(x)),
        }
    }
    #[inline(always)]
    fn swap_rows<const BY: usize>(self) -> Self {
        match BY {
            1 => both!(self, x => _mm256_shuffle_epi32::<0x4E>(x)),
            2 => both!(self, x => _mm256_permute4x64_epi64::<0x4E>(x)),
            _ => Self(self.1, self.0),
        }
    }
    #[inline(always)]
    fn nonzero_words(self) -> u32 {
        let zeros = |x: __m256i| {
            on!(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(x, _mm256_setzero_si256())))) as u32
        };
        0xFFFF ^ (zeros(self.0) | zeros(self.1) << 8)
    }
    #[inline(always)]
    fn possible_digits(self, candidates: u32, ways: &[Ways]) -> u32 {
        let lacking = on!(_mm256_set1_epi32(!candidates as i32));
        let mut held = self.zero();
        for ways in ways {
            // SAFETY: the reference covers the two times 32 bytes that are read; `self` proves the instructions.
            let (a, b) =
                unsafe { (_mm256_loadu_si256(ways.as_ptr().cast()), _mm256_loadu_si256(ways[8..].as_ptr().cast())) };
            let open = |ways: __m256i| {
                on!(_mm256_and_si256(ways, _mm256_cmpeq_epi32(_mm256_and_si256(ways, lacking), _mm256_setzero_si256())))
            };
            held = held.or(Self(open(a), open(b)));
        }
        let half = held.0;
        let half = on!(_mm256_or_si256(half, held.1));
        let quarter = on!(_mm_or_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half)));
        let two = on!(_mm_or_si128(quarter, _mm_shuffle_epi32::<0x4E>(quarter)));
        on!(_mm_cvtsi128_si32(_mm_or_si128(two, _mm_shuffle_epi32::<0xB1>(two)))) as u32
    }
}

impl Grid512 {
    /// Adds to `self` the digits of those ways that have none of the digits that a cage lacks.
    #[inline(always)]
    fn with_open(self, ways: &Ways, lacking: i32) -> Self {
        // SAFETY: the reference covers the 64 bytes that are read; `self` proves the instructions.
        let ways = unsafe { _mm512_loadu_si512(ways.as_ptr().cast()) };
        let open = on!(_mm512_testn_epi32_mask(ways, _mm512_set1_epi32(lacking)));
        Self(on!(_mm512_mask_or_epi32(self.0, open, self.0, ways)))
    }
}

impl Vector for Grid512 {
    #[inline(always)]
    fn zero(self) -> Self {
        Self(on!(_mm512_setzero_si512()))
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        Self(on!(_mm512_and_si512(self.0, b.0)))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        Self(on!(_mm512_or_si512(self.0, b.0)))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        Self(on!(_mm512_xor_si512(self.0, b.0)))
    }
    #[inline(always)]
    fn and_not(self, b: Self) -> Self {
        Self(on!(_mm512_andnot_si512(b.0, self.0)))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        on!(_mm512_test_epi64_mask(self.0, self.0)) == 0
    }
    #[inline(always)]
    fn empty(self) -> Self {
        Self(on!(_mm512_movm_epi8(_mm512_testn_epi8_mask(self.0, self.0))))
    }
    #[inline(always)]
    fn several(self) -> Self {
        Self(on!(_mm512_and_si512(self.0, _mm512_add_epi8(self.0, _mm512_set1_epi8(-1)))))
    }
}

impl Bytes64 for Grid512 {
    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> Self {
        // SAFETY: the reference covers the 64 bytes that are read; `self` proves the instructions.
        Self(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; 64]) {
        // SAFETY: the reference covers the 64 bytes that are written; `self` proves the instructions.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn swap_columns<const BY: usize>(self) -> Self {
        Self(match BY {
            1 => on!(_mm512_or_si512(_mm512_slli_epi16::<8>(self.0), _mm512_srli_epi16::<8>(self.0))),
            2 => on!(_mm512_rol_epi32::<16>(self.0)),
            _ => on!(_mm512_rol_epi64::<32>(self.0)),
        })
    }
    #[inline(always)]
    fn swap_rows<const BY: usize>(self) -> Self {
        Self(match BY {
            1 => on!(_mm512_shuffle_epi32::<0x4E>(self.0)),
            2 => on!(_mm512_shuffle_i64x2::<0b10_11_00_01>(self.0, self.0)),
            _ => on!(_mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0)),
        })
    }
    #[inline(always)]
    fn nonzero_words(self) -> u32 {
        on!(_mm512_test_epi32_mask(self.0, self.0)).into()
    }
    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        Self(on!(_mm512_permutexvar_epi8(places.0, self.0)))
    }
    #[inline(always)]
    fn restrict_cages(self, changed: u32, lists: CageLists<'_>) -> Self {
        let mut lacking = [0; 16];
        let inverse = on!(_mm512_andnot_si512(self.0, _mm512_set1_epi32(-1)));
        // SAFETY: the array has the 64 bytes that are written; `self` proves the instructions.
        unsafe { _mm512_storeu_si512(lacking.as_mut_ptr().cast(), inverse) }
        let (none, mut kept) = (self.zero(), self.0);
        // Four cages with one block each share the steps that join the ways.
        let mut left = changed & lists.one_block;
        while left != 0 {
            let four = on!(_pdep_u32(0b1111, left));
            let (mut of_cage, mut rest) = ([none; 4], left);
            for held in &mut of_cage {
                // After the last cage, this is a cage whose result is not used.
                let cage = rest.trailing_zeros() as usize & 15;
                rest &= rest.wrapping_sub(1);
                *held = none.with_open(&lists.ways[lists.ranges[cage].0 as usize], lacking[cage]);
            }
            kept = on!(_mm512_mask_expand_epi32(kept, four as u16, _mm512_castsi128_si512(joined(of_cage))));
            left &= !four;
        }
        let mut left = changed & !lists.one_block;
        while left != 0 {
            let cage = left.trailing_zeros() as usize & 15;
            left &= left - 1;
            let (ways, mut held) = (lists.of(cage), none);
            // Four blocks at a time; the last one is repeated if there are fewer, because a loop over their exact
            // number would be mispredicted.
            for first in (0..ways.len()).step_by(4) {
                for i in first..first + 4 {
                    held = held.with_open(&ways[i.min(ways.len() - 1)], lacking[cage]);
                }
            }
            let digits = on!(_mm512_reduce_or_epi32(held.0));
            kept = on!(_mm512_mask_set1_epi32(kept, 1 << cage, digits));
        }
        Self(kept)
    }
}

/// Joins the bits of all words of each vector: word i of the result is for vector i.
#[inline(always)]
fn joined([a, b, c, d]: [Grid512; 4]) -> __m128i {
    let ab = on!(_mm512_or_si512(_mm512_unpacklo_epi32(a.0, b.0), _mm512_unpackhi_epi32(a.0, b.0)));
    let cd = on!(_mm512_or_si512(_mm512_unpacklo_epi32(c.0, d.0), _mm512_unpackhi_epi32(c.0, d.0)));
    let all = on!(_mm512_or_si512(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd)));
    let half = on!(_mm256_or_si256(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64::<1>(all)));
    on!(_mm_or_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half)))
}

#[cfg(test)]
#[test]
fn grids_do_what_they_say() {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the features were just detected.
        crate::kernels::bytes8::check(unsafe { Grid256(_mm256_setzero_si256(), _mm256_setzero_si256()) });
    }
    let has_bytes = is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vbmi");
    if has_bytes && is_x86_feature_detected!("bmi2") {
        // SAFETY: the features were just detected.
        crate::kernels::bytes8::check(unsafe { Grid512(_mm512_setzero_si512()) });
    }
}
