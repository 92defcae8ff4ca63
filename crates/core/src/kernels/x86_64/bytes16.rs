//! Sixteen bytes in a vector of 128 bits.
#![expect(unsafe_code)] // intrinsics, and the calls into functions that need their instructions

use std::arch::x86_64::*;

use crate::kernels::ROW9;
use crate::kernels::bytes16::{Bytes16, Bytes16Task, Permutation9};
use crate::kernels::cells9::Cells9;

/// The bytes for AVX2. A value is the proof that the machine has AVX2.
#[derive(Clone, Copy)]
struct Avx2Bytes(__m128i);

/// The bytes for AVX-512. A value is the proof that the machine has what [`avx512`] is compiled for.
#[derive(Clone, Copy)]
struct Bytes128Avx512(Avx2Bytes);

/// Runs a task with the bytes for AVX2.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
pub(in crate::kernels) fn avx2<T: Bytes16Task>(task: T) -> T::Output {
    task.run(Avx2Bytes(_mm_setzero_si128()))
}

/// Runs a task with the bytes for AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,bmi1,bmi2,popcnt,lzcnt")]
pub(in crate::kernels) fn avx512<T: Bytes16Task>(task: T) -> T::Output {
    task.run(Bytes128Avx512(Avx2Bytes(_mm_setzero_si128())))
}

impl Bytes16 for Avx2Bytes {
    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> Self {
        // SAFETY: the reference covers the 16 bytes that are read; `self` proves the instructions.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16]) {
        // SAFETY: the reference covers the 16 bytes that are written; `self` proves the instructions.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        // SAFETY: the arguments are values of the type, which exist only where the machine has AVX2, and therefore
        // SSSE3.
        Self(unsafe { _mm_shuffle_epi8(self.0, places.0) })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_min_epu8(self.0, other.0) })
    }
    #[inline(always)]
    fn less(self, other: Self) -> u32 {
        // SAFETY: as above.
        unsafe { _mm_movemask_epi8(_mm_cmpgt_epi8(other.0, self.0)) as u32 }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        // SAFETY: as above.
        unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, other.0)) as u32 }
    }
    #[inline(always)]
    fn first(self) -> u8 {
        // SAFETY: as above.
        unsafe { _mm_cvtsi128_si32(self.0) as u8 }
    }
    #[inline(always)]
    fn inverse(self) -> Self {
        // SAFETY: as above.
        unsafe {
            let all = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let mut places = _mm_setzero_si128();
            // This takes nine comparisons instead of nine byte stores, because loading a vector stalls on bytes that
            // were just written one by one.
            for i in 0..9 {
                let digit = _mm_shuffle_epi8(self.0, _mm_set1_epi8(i));
                places = _mm_or_si128(places, _mm_and_si128(_mm_cmpeq_epi8(digit, all), _mm_set1_epi8(i + 1)));
            }
            Self(places)
        }
    }
}

impl Bytes16 for Bytes128Avx512 {
    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> Self {
        Self(self.0.load(bytes))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16]) {
        self.0.store(bytes);
    }
    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        Self(self.0.pick(places.0))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }
    #[inline(always)]
    fn less(self, other: Self) -> u32 {
        self.0.less(other.0)
    }
    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        self.0.equal(other.0)
    }
    #[inline(always)]
    fn first(self) -> u8 {
        self.0.first()
    }
    #[inline(always)]
    fn inverse(self) -> Self {
        // SAFETY: a value of the type exists only where the machine has the instructions.
        unsafe {
            // Compare eight digits with 1 to 8: byte d - 1 of the mask has a bit for the place of digit d, or none if
            // that is the ninth place.
            let eight = _mm512_broadcastq_epi64(self.0.0);
            let found = _mm512_cmpeq_epi8_mask(eight, _mm512_loadu_si512(DIGITS.as_ptr().cast()));
            let ones = _mm_set1_epi8(-1);
            let places = _mm_popcnt_epi8(_mm_add_epi8(_mm_cvtsi64_si128(found as i64), ones));
            // All nine places add up to 36, so the ninth digit has what remains. The upper half belongs to no digits.
            let places = _mm_move_epi64(places);
            let sum = _mm_sad_epu8(places, _mm_setzero_si128());
            let from_one = _mm_setr_epi8(0, 1, 1, 1, 1, 1, 1, 1, 1, 37, 0, 0, 0, 0, 0, 0);
            let places = _mm_add_epi8(from_one, _mm_slli_si128::<1>(places));
            Self(Avx2Bytes(_mm_sub_epi8(places, _mm_slli_si128::<9>(sum))))
        }
    }
    #[inline(always)]
    fn transposed(self, cells: &Cells9) -> Cells9 {
        let mut transposed = [0; ROW9];
        // SAFETY: of 96 bytes, 64 are read from the start and 32 more from byte 64 on, and written in the same way; the
        // table also has 96 bytes. `self` proves the instructions.
        unsafe {
            let low = _mm512_loadu_si512(cells.as_ptr().cast());
            let high = _mm512_castsi256_si512(_mm256_loadu_si256(cells.as_ptr().add(64).cast()));
            let first = _mm512_permutex2var_epi8(low, _mm512_loadu_si512(TRANSPOSED.as_ptr().cast()), high);
            let second = _mm512_castsi256_si512(_mm256_loadu_si256(TRANSPOSED.as_ptr().add(64).cast()));
            let second = _mm512_permutex2var_epi8(low, second, high);
            _mm512_storeu_si512(transposed.as_mut_ptr().cast(), first);
            _mm256_storeu_si256(transposed.as_mut_ptr().add(64).cast(), _mm512_castsi512_si256(second));
        }
        transposed
    }
    #[inline(always)]
    fn moved(self, cells: &Cells9, by: Permutation9<'_, Self>) -> Cells9 {
        let Permutation9 { transpose, rows, columns, names } = by;
        let mut made = [0; ROW9];
        // SAFETY: of 96 bytes, 64 are read from the start and 32 more from byte 64 on, and written in the same way; the
        // tables also have 96 bytes. `self` proves the instructions.
        unsafe {
            // The source of cell (i, j) is the sum of a value for row i and one for column j.
            let (rows, columns) = (self.load(rows).0.0, columns.0.0);
            let nines = _mm_setr_epi8(0, 9, 18, 27, 36, 45, 54, 63, 72, 0, 0, 0, 0, 0, 0, 0);
            let transpose = if transpose { u16::MAX } else { 0 };
            let by_row = _mm_mask_blend_epi8(transpose, _mm_shuffle_epi8(nines, rows), rows);
            let by_column = _mm_mask_blend_epi8(transpose, columns, _mm_shuffle_epi8(nines, columns));
            let (by_row, by_column) = (_mm512_castsi128_si512(by_row), _mm512_castsi128_si512(by_column));
            let [row_of, column_of] = [LINES[0].as_ptr(), LINES[1].as_ptr()];
            let row = _mm512_permutexvar_epi8(_mm512_loadu_si512(row_of.cast()), by_row);
            let column = _mm512_permutexvar_epi8(_mm512_loadu_si512(column_of.cast()), by_column);
            let first = _mm512_add_epi8(row, column);
            let row_of = _mm512_castsi256_si512(_mm256_loadu_si256(row_of.add(64).cast()));
            let column_of = _mm512_castsi256_si512(_mm256_loadu_si256(column_of.add(64).cast()));
            let row = _mm512_permutexvar_epi8(row_of, by_row);
            let second = _mm512_add_epi8(row, _mm512_permutexvar_epi8(column_of, by_column));
            let low = _mm512_loadu_si512(cells.as_ptr().cast());
            let high = _mm512_castsi256_si512(_mm256_loadu_si256(cells.as_ptr().add(64).cast()));
            let names = _mm512_broadcast_i32x4(names.0.0);
            let first = _mm512_shuffle_epi8(names, _mm512_permutex2var_epi8(low, first, high));
            let second = _mm512_shuffle_epi8(names, _mm512_permutex2var_epi8(low, second, high));
            _mm512_storeu_si512(made.as_mut_ptr().cast(), first);
            _mm256_storeu_si256(made.as_mut_ptr().add(64).cast(), _mm512_castsi512_si256(second));
        }
        made
    }
}

/// The row and the column of each cell.
static LINES: [[u8; ROW9]; 2] = {
    let mut lines = [[0; ROW9]; 2];
    let mut cell = 0;
    while cell < 81 {
        (lines[0][cell], lines[1][cell]) = (cell as u8 / 9, cell as u8 % 9);
        cell += 1;
    }
    lines
};

/// The digits 1 to 8, eight times each.
static DIGITS: [u8; 64] = {
    let mut digits = [0; 64];
    let mut i = 0;
    while i < 64 {
        digits[i] = i as u8 / 8 + 1;
        i += 1;
    }
    digits
};

/// The source of each cell when rows and columns are exchanged.
static TRANSPOSED: [u8; ROW9] = {
    let mut places = [0; ROW9];
    let mut cell = 0;
    while cell < 81 {
        places[cell] = (cell % 9 * 9 + cell / 9) as u8;
        cell += 1;
    }
    places
};

#[cfg(test)]
#[test]
fn bytes_do_what_they_say() {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the features were just detected.
        crate::kernels::bytes16::tests::check(Avx2Bytes(unsafe { _mm_setzero_si128() }));
    }
    if super::avx512::detected() {
        // SAFETY: the features were just detected.
        crate::kernels::bytes16::tests::check(Bytes128Avx512(Avx2Bytes(unsafe { _mm_setzero_si128() })));
    }
}
