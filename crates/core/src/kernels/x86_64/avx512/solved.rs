//! Checks solutions against the givens of their puzzles and the rules of rows, columns and boxes.

use std::arch::x86_64::*;

use super::vectors::{Aligned, load, load_text, load_words};
use crate::kernels::bounds::check_decode;
use crate::kernels::slices::pieces;
use crate::kernels::{ROW9, Texts};

/// The positions in a solution of the cells of the 27 houses: the first cells of all houses are in the first half of
/// the first vector, the second cells in its second half, and so on.
static HOUSES: Aligned<[[u8; 64]; 5]> = Aligned(houses());
/// The bytes of a half that belong to a house.
const HALF: u64 = (1 << 27) - 1;
/// The bytes of both vectors of a solution that are cells.
const CELLS: [u64; 2] = [u64::MAX, (1 << 17) - 1];

const fn houses() -> [[u8; 64]; 5] {
    let mut vectors = [[0; 64]; 5];
    let mut place = 0;
    while place < 81 {
        let (house, cell) = (place / 9, place % 9);
        let (row, column) = (house / 3 * 3 + cell / 3, house % 3 * 3 + cell % 3);
        let half = cell % 2 * 32;
        vectors[cell / 2][half + house] = place as u8;
        vectors[cell / 2][half + 9 + house] = (cell * 9 + house) as u8;
        vectors[cell / 2][half + 18 + house] = (row * 9 + column) as u8;
        place += 1;
    }
    vectors
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(super) fn solved9(solutions: Texts, codes: &[u16], given: u16) -> u64 {
    check_decode(solutions, 81, codes, ROW9);
    let houses = HOUSES.0.each_ref().map(|vector| load(vector));
    let mut right = 0;
    for (i, codes) in codes.chunks_exact(ROW9).take(solutions.starts.len()).enumerate() {
        // Digits from 0; other characters give more than 8.
        let digits = load_text(solutions.get(i, 81)).map(|text| _mm512_sub_epi8(text, _mm512_set1_epi8(b'1' as i8)));
        right |= u64::from(has_givens(digits, pieces(codes), given) && is_right(digits, &houses)) << i;
    }
    right
}

/// Returns whether a solution agrees with all givens of its puzzle.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn has_givens(digits: [__m512i; 2], codes: &[[u16; 32]; 3], given: u16) -> bool {
    let (one, nine, given) = (_mm512_set1_epi8(1), _mm512_set1_epi8(9), _mm512_set1_epi8(given as i8));
    // Candidates become 255, which is not a given.
    let [a, b, c] = codes.each_ref().map(|codes| _mm512_cvtusepi16_epi8(load_words(codes)));
    let codes = [_mm512_inserti64x4::<1>(_mm512_castsi256_si512(a), b), _mm512_castsi256_si512(c)];
    let differ = |v: usize| {
        let code = _mm512_sub_epi8(codes[v], one);
        // A clue less nine is a large number, so the minimum is the digit.
        let clue = _mm512_min_epu8(code, _mm512_sub_epi8(code, nine));
        _mm512_mask_cmpneq_epi8_mask(_mm512_cmplt_epu8_mask(code, given), clue, digits[v])
    };
    differ(0) | differ(1) & CELLS[1] == 0
}

/// Returns whether all cells have a digit, and all houses have all of them: see `kernels::solved9`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn is_right(digits: [__m512i; 2], houses: &[__m512i; 5]) -> bool {
    let nine = _mm512_set1_epi8(9);
    let has_digits = |v: usize| _mm512_cmplt_epu8_mask(digits[v], nine) & CELLS[v] == CELLS[v];
    let table = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    let [low, high] = digits.map(|digits| _mm512_shuffle_epi8(table, digits));
    let mut sums = _mm512_maskz_permutex2var_epi8(HALF, low, houses[4], high);
    for cells in &houses[..4] {
        sums = _mm512_xor_si512(sums, _mm512_permutex2var_epi8(low, *cells, high));
    }
    let sums = _mm256_xor_si256(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64::<1>(sums));
    let complete = u64::from(_mm256_cmpeq_epi8_mask(sums, _mm256_set1_epi8(-1)));
    has_digits(0) && has_digits(1) && complete & HALF == HALF
}
