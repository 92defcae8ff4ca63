//! Checks solutions against the givens of their puzzles and the rules of rows, columns and boxes. Houses are checked
//! for two solutions at a time, one in each half of a vector.

use std::arch::x86_64::*;

use super::vectors::{load, load_halves, load_table, load_words};
use crate::kernels::bounds::check_decode;
use crate::kernels::slices::{piece, pieces};
use crate::kernels::{ROW9, Texts};

/// The digits 1 to 8 as bits: see `kernels::solved9`. Other characters are refused separately.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
/// Where the three boxes of each row of a band go, from bytes 0, 3 and 6: the boxes of row r to r, r + 3 and r + 6.
const PLACES: [[u8; 16]; 3] = [places(0), places(1), places(2)];
/// Zeros for the bytes with the sums of columns, of the boxes of a band, and of its rows.
const COLUMNS: [u8; 16] = unchecked(1, 9);
const BOXES: [u8; 16] = unchecked(3, 9);
const ROWS: [u8; 16] = unchecked(1, 3);

const fn places(row: usize) -> [u8; 16] {
    let mut places = [128; 16]; // a zero
    (places[row], places[row + 3], places[row + 6]) = (0, 3, 6);
    places
}

const fn unchecked(step: usize, end: usize) -> [u8; 16] {
    let (mut bytes, mut at) = ([255; 16], 0);
    while at < end {
        bytes[at] = 0;
        at += step;
    }
    bytes
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn solved9(solutions: Texts, codes: &[u16], given: u16) -> u64 {
    check_decode(solutions, 81, codes, ROW9);
    let (count, mut right) = (solutions.starts.len(), 0);
    for i in (0..count).step_by(2) {
        // The last one of an odd number is checked twice.
        let pair = [i, (i + 1).min(count - 1)];
        let texts = pair.map(|i| piece(solutions.get(i, 81)));
        let halves = has_houses(texts);
        for ((i, text), half) in pair.into_iter().zip(texts).zip(halves) {
            right |= u64::from(half && has_givens(text, pieces(&codes[ROW9 * i..]), given)) << i;
        }
    }
    right
}

/// Returns whether a solution agrees with all givens of its puzzle.
#[inline]
#[target_feature(enable = "avx2")]
fn has_givens(text: &[u8; 81], codes: &[[u16; 16]; 6], given: u16) -> bool {
    let codes: &[u16; ROW9] = piece(codes.as_flattened());
    let (one, nine, last) = (_mm256_set1_epi8(1), _mm256_set1_epi8(9), _mm256_set1_epi8(given as i8 - 1));
    let mut differ = _mm256_setzero_si256();
    for at in [0, 32, 81 - 32] {
        // Candidates become 255, which is not a given.
        let codes = _mm256_packus_epi16(load_words(piece(&codes[at..])), load_words(piece(&codes[at + 16..])));
        let code = _mm256_sub_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(codes), one);
        // A clue less nine is a large number, so the minimum is the digit.
        let clue = _mm256_min_epu8(code, _mm256_sub_epi8(code, nine));
        let is_given = _mm256_cmpeq_epi8(_mm256_min_epu8(code, last), code);
        let same = _mm256_cmpeq_epi8(clue, digits(load(piece(&text[at..]))));
        differ = _mm256_or_si256(differ, _mm256_andnot_si256(same, is_given));
    }
    _mm256_testz_si256(differ, differ) == 1
}

/// Returns digits from 0; other characters give more than 8.
#[inline]
#[target_feature(enable = "avx2")]
fn digits(text: __m256i) -> __m256i {
    _mm256_sub_epi8(text, _mm256_set1_epi8(b'1' as i8))
}

/// Returns the exclusive or of each byte and the next two.
#[inline]
#[target_feature(enable = "avx2")]
fn neighbours(bytes: __m256i) -> __m256i {
    let both = _mm256_xor_si256(_mm256_srli_si256::<1>(bytes), _mm256_srli_si256::<2>(bytes));
    _mm256_xor_si256(bytes, both)
}

/// Returns the exclusive or of each byte and those three and six bytes after it.
#[inline]
#[target_feature(enable = "avx2")]
fn thirds(bytes: __m256i) -> __m256i {
    let both = _mm256_xor_si256(_mm256_srli_si256::<3>(bytes), _mm256_srli_si256::<6>(bytes));
    _mm256_xor_si256(bytes, both)
}

/// Returns for each of two solutions whether all cells have a digit, and all houses have all of them.
#[inline]
#[target_feature(enable = "avx2")]
fn has_houses([low, high]: [&[u8; 81]; 2]) -> [bool; 2] {
    let (table, ones) = (load_table(&BITS), _mm256_set1_epi8(-1));
    let (mut highest, mut columns, mut boxes, mut rows) = (_mm256_set1_epi8(8), _mm256_setzero_si256(), ones, ones);
    for band in 0..3 {
        let (mut sum, mut triples) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        for (row, places) in PLACES.iter().enumerate() {
            let at = 27 * band + 9 * row;
            // The last row has no seven bytes after it.
            let start = at.min(81 - 16);
            let digits = digits(load_halves(piece(&low[start..]), piece(&high[start..])));
            let digits = if start < at { _mm256_srli_si256::<7>(digits) } else { digits };
            highest = _mm256_max_epu8(highest, digits);
            let bits = _mm256_shuffle_epi8(table, digits);
            sum = _mm256_xor_si256(sum, bits);
            let triple = _mm256_shuffle_epi8(neighbours(bits), load_table(places));
            triples = _mm256_or_si256(triples, triple);
        }
        columns = _mm256_xor_si256(columns, sum);
        boxes = _mm256_and_si256(boxes, neighbours(sum));
        rows = _mm256_and_si256(rows, thirds(triples));
    }
    let checked = |sums, unchecked| _mm256_or_si256(sums, load_table(unchecked));
    let all = _mm256_and_si256(checked(columns, &COLUMNS), checked(boxes, &BOXES));
    let all =
        _mm256_and_si256(_mm256_and_si256(all, checked(rows, &ROWS)), _mm256_cmpeq_epi8(highest, _mm256_set1_epi8(8)));
    let right = _mm256_movemask_epi8(_mm256_cmpeq_epi8(all, ones)) as u32;
    [right & 0xFFFF == 0xFFFF, right >> 16 == 0xFFFF]
}
