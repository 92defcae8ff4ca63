//! Encodes codes to characters.

use std::arch::x86_64::*;

use super::vectors::{load_table, load_words, store};
use crate::kernels::bounds::{check_encode, check_pairs};
use crate::kernels::slices::{piece, piece_mut, pieces, pieces_mut, vector_starts};
use crate::kernels::tables::{CODE_TO_OFFSET32, CODE_TO_V1, PAIR36};
use crate::kernels::{Pairs, ROW9};

/// Encodes boards of 81 pairs. `vector` translates 16 codes to 32 characters and marks words whose codes cannot be
/// represented; `last` returns the characters of the last cell, and whether its code can be represented. Returns one bit for
/// each board: whether all of it could be represented.
#[inline]
#[target_feature(enable = "avx2")]
fn encode_boards(
    codes: &[u16],
    out: &mut [u8],
    pitch: usize,
    vector: impl Fn(__m256i, &mut __m256i) -> __m256i,
    last: impl Fn(u16) -> ([u8; 2], bool),
) -> u64 {
    check_encode(codes, ROW9, 162, out, pitch);
    let mut held = 0;
    for (i, row) in codes.as_chunks::<ROW9>().0.iter().enumerate() {
        let text: &mut [u8; 162] = piece_mut(&mut out[i * pitch..]);
        let texts: &mut [_; 5] = pieces_mut(text);
        let codes: &[_; 5] = pieces(row);
        let mut marks = _mm256_setzero_si256();
        for v in 0..5 {
            store(&mut texts[v], vector(load_words(&codes[v]), &mut marks));
        }
        let (pair, is_held) = last(row[80]);
        text[160..].copy_from_slice(&pair);
        held |= u64::from(_mm256_testz_si256(marks, marks) == 1 && is_held) << i;
    }
    held
}

/// The characters of a code in a table whose length is a power of two.
#[inline(always)]
fn pair_of<const N: usize>(table: &[[u8; 2]; N], code: u16) -> [u8; 2] {
    table[code as usize & (N - 1)]
}

/// Returns the lower-case characters of digits below 36.
#[inline]
#[target_feature(enable = "avx2")]
fn chars(digits: __m256i) -> __m256i {
    const BASES: [u8; 16] = {
        let mut table = [b'a' - 10; 16];
        table.first_chunk_mut::<10>().unwrap().copy_from_slice(&[b'0'; 10]);
        table
    };
    let bases = _mm256_shuffle_epi8(load_table(&BASES), _mm256_min_epu8(digits, _mm256_set1_epi8(15)));
    _mm256_add_epi8(digits, bases)
}

/// Returns the two base-36 characters of each code.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn chars36(codes: __m256i) -> __m256i {
    let high = _mm256_mulhi_epu16(codes, _mm256_set1_epi16(HIGH_36 as i16));
    // The second digit, code - 36 high, goes to the upper byte, and the first stays in the lower: code * 256 + high *
    // (1 - 36 * 256).
    let first = _mm256_mullo_epi16(high, _mm256_set1_epi16(1 - 36 * 256));
    chars(_mm256_add_epi16(_mm256_slli_epi16::<8>(codes), first))
}

/// 65536 / 36, rounded up: the upper half of a product is the first digit.
const HIGH_36: u16 = 1821;

/// Proves [`HIGH_36`] at compile time.
const _: () = {
    let mut value = 0;
    while value < 1296 {
        assert!((value * HIGH_36 as u32) >> 16 == value / 36);
        value += 1;
    }
};

#[target_feature(enable = "avx2")]
pub(super) fn encode_pairs36(codes: &[u16], pairs: Pairs, out: &mut [u8], pitch: usize) {
    check_pairs(pairs);
    check_encode(codes, pairs.row, 2 * pairs.cells, out, pitch);
    let vector = |codes: __m256i, _: &mut __m256i| chars36(codes);
    if pairs.cells == 81 {
        encode_boards(codes, out, pitch, vector, |code| (pair_of(&PAIR36, code), true));
        return;
    }
    let mut unused = _mm256_setzero_si256();
    for (i, row) in codes.chunks_exact(pairs.row).enumerate() {
        let out = &mut out[i * pitch..];
        for cell in vector_starts(pairs.cells) {
            let text = vector(load_words(piece(&row[cell..])), &mut unused);
            // With fewer than 16 cells this overwrites some of what follows, which encoders may do.
            store(piece_mut(&mut out[2 * cell..]), text);
        }
    }
}

/// Returns the two base-32 digits of 10-bit numbers, the first one in the lower byte.
#[inline]
#[target_feature(enable = "avx2")]
fn digits32(values: __m256i) -> __m256i {
    let second = _mm256_and_si256(_mm256_slli_epi16::<8>(values), _mm256_set1_epi16(0x1f00));
    _mm256_or_si256(_mm256_srli_epi16::<5>(values), second)
}

/// The v1 digits of a placed digit d: the first at index d, the second (of a solved cell) at index d + 11. The second
/// digit for d = 0 is -1, so that adding the clue flag, which empty cells get too, makes it 0.
const V1_DIGITS: [u8; 16] = {
    let mut table = [0; 16];
    table[11] = 0xff;
    let mut digit = 1;
    while digit <= 9 {
        let value = 1 << digit;
        table[digit] = (value / 32) as u8;
        let second = (digit + 11) % 16;
        assert!(table[second] == 0);
        table[second] = (value % 32) as u8;
        digit += 1;
    }
    table
};

#[target_feature(enable = "avx2")]
pub(super) fn encode_v1(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
    let digits = load_table(&V1_DIGITS);
    let word = |word: i16| _mm256_set1_epi16(word);
    let vector = |codes: __m256i, marks: &mut __m256i| {
        let solved = _mm256_cmpgt_epi16(codes, word(9));
        let digit = _mm256_sub_epi16(codes, _mm256_and_si256(solved, word(9)));
        let places = _mm256_add_epi16(_mm256_mullo_epi16(digit, word(0x101)), word(11 << 8));
        let flag = _mm256_andnot_si256(solved, word(1 << 8));
        let placed = _mm256_add_epi8(_mm256_shuffle_epi8(digits, places), flag);
        let mask = _mm256_sub_epi16(codes, word(18));
        let candidates = _mm256_cmpgt_epi16(codes, word(18));
        let single = _mm256_cmpeq_epi16(_mm256_and_si256(mask, _mm256_add_epi16(mask, word(-1))), word(0));
        *marks = _mm256_or_si256(*marks, _mm256_and_si256(candidates, single));
        chars(_mm256_blendv_epi8(placed, digits32(_mm256_add_epi16(mask, mask)), candidates))
    };
    let last = |code: u16| (pair_of(&CODE_TO_V1, code), code <= 18 || !(code - 18).is_power_of_two());
    encode_boards(codes, out, pitch, vector, last)
}

#[target_feature(enable = "avx2")]
pub(super) fn encode_offset32(codes: &[u16], out: &mut [u8], pitch: usize) {
    let vector = |codes: __m256i, _: &mut __m256i| {
        let word = |word: i16| _mm256_set1_epi16(word);
        let from = |least: i16, add: i16| _mm256_and_si256(_mm256_cmpgt_epi16(codes, word(least - 1)), word(add));
        // 0 stays, 10 is added to clues, 9 is subtracted from solved cells, and 2 is added to candidates.
        let steps = _mm256_add_epi16(from(1, 10), _mm256_add_epi16(from(10, -19), from(19, 11)));
        chars(digits32(_mm256_add_epi16(codes, steps)))
    };
    encode_boards(codes, out, pitch, vector, |code| (pair_of(&CODE_TO_OFFSET32, code), true));
}

#[target_feature(enable = "avx2")]
pub(super) fn encode_plain(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
    check_encode(codes, ROW9, 81, out, pitch);
    let byte = |byte: i8| _mm256_set1_epi8(byte);
    let mut held = 0;
    for (i, row) in codes.as_chunks::<ROW9>().0.iter().enumerate() {
        let text: &mut [u8; 81] = piece_mut(&mut out[i * pitch..]);
        let mut most = _mm256_setzero_si256();
        for cell in [0, 32, 49] {
            let [a, b]: &[_; 2] = pieces(&row[cell..]);
            let (a, b) = (load_words(a), load_words(b));
            most = _mm256_max_epu16(most, _mm256_max_epu16(a, b));
            let codes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(a, b));
            // Codes up to 18 become digits; larger ones become 10, and then a blank.
            let codes = _mm256_min_epu8(codes, byte(19));
            let solved = _mm256_cmpgt_epi8(codes, byte(9));
            let digits = _mm256_sub_epi8(codes, _mm256_and_si256(solved, byte(9)));
            let text: &mut [u8; 32] = piece_mut(&mut text[cell..]);
            store(text, _mm256_shuffle_epi8(load_table(b"0123456789000000"), digits));
        }
        let over = _mm256_subs_epu16(most, _mm256_set1_epi16(9));
        held |= u64::from(_mm256_testz_si256(over, over) == 1) << i;
    }
    held
}
