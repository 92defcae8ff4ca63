//! Encodes codes to characters.

use std::arch::x86_64::*;

use super::vectors::{Aligned, load, load_half, load_half_words, load_row, load_words, store, store_half, store_head};
use crate::kernels::bounds::{check_encode, check_pairs};
use crate::kernels::slices::{piece, piece_mut, pieces, pieces_mut};
use crate::kernels::tables::{CODE_TO_OFFSET32, CODE_TO_PLAIN, CODE_TO_V1, DIGIT32, DIGITS, PAIR36};
use crate::kernels::{Pairs, ROW9, SCALAR};

/// Encodes boards of 81 pairs, two boards at a time. `vector` translates 32 codes to 64 characters, and `last` is a
/// table for the last cell of each board. Returns the last one of an odd number of boards, and its place in the output.
#[inline]
#[must_use]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn encode_boards<'a, const N: usize>(
    codes: &'a [u16],
    out: &'a mut [u8],
    pitch: usize,
    vector: impl Fn(__m512i) -> __m512i,
    last: &[[u8; 2]; N],
) -> Option<(&'a [u16], &'a mut [u8])> {
    check_encode(codes, ROW9, 162, out, pitch);
    for (i, rows) in codes.chunks(2 * ROW9).enumerate() {
        let Ok(rows) = <&[u16; 2 * ROW9]>::try_from(rows) else {
            return Some((rows, &mut out[2 * i * pitch..]));
        };
        let [a, b]: &[[u16; ROW9]; 2] = pieces(rows);
        let ([a0, a1, _], [b0, b1, _]): (&[_; 3], &[_; 3]) = (pieces(a), pieces(b));
        let tails = vector(load_half_words(piece(&a[64..]), piece(&b[64..])));
        let [a0, a1, b0, b1] = [a0, a1, b0, b1].map(|codes| vector(load_words(codes)));
        let (to_a, to_b) = out[2 * i * pitch..].split_at_mut(pitch);
        store_text(to_a, a0, a1, _mm512_castsi512_si256(tails), last[a[80] as usize & (N - 1)]);
        store_text(to_b, b0, b1, _mm512_extracti64x4_epi64::<1>(tails), last[b[80] as usize & (N - 1)]);
    }
    None
}

/// Writes 162 characters: two vectors, half a vector, and two characters.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn store_text(text: &mut [u8], a: __m512i, b: __m512i, half: __m256i, last: [u8; 2]) {
    let text: &mut [u8; 162] = piece_mut(text);
    let [to_a, to_b] = pieces_mut(text);
    store(to_a, a);
    store(to_b, b);
    store_half(piece_mut(&mut text[128..]), half);
    text[160..].copy_from_slice(&last);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn encode_pairs36(codes: &[u16], pairs: Pairs, out: &mut [u8], pitch: usize) {
    check_pairs(pairs);
    check_encode(codes, pairs.row, 2 * pairs.cells, out, pitch);
    let writer = Writer36::new();
    let split = |codes: __m512i| writer.write(codes);
    if pairs.cells == 81 {
        if let Some((codes, out)) = encode_boards(codes, out, pitch, split, &PAIR36) {
            (SCALAR.codecs.encode_pairs36)(codes, pairs, out, pitch);
        }
        return;
    }
    for (i, row) in codes.chunks_exact(pairs.row).enumerate() {
        let text = &mut out[i * pitch..][..2 * pairs.cells];
        for (codes, text) in row.as_chunks().0.iter().zip(text.chunks_mut(64)) {
            store_head(text, split(load_words(codes)));
        }
    }
}

/// Translates codes to two base-36 characters each.
#[derive(Clone, Copy)]
pub(super) struct Writer36 {
    firsts: __m512i,
    seconds: __m512i,
}

impl Writer36 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn new() -> Self {
        Self { firsts: load(&CHARS36.0[0]), seconds: load(&CHARS36.0[1]) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(super) fn write(self, codes: __m512i) -> __m512i {
        let high = _mm512_mulhi_epu16(codes, _mm512_set1_epi16(HIGH_36 as i16));
        let low = _mm512_mullo_epi16(codes, _mm512_set1_epi16(LOW_36 as i16));
        let first = _mm512_permutexvar_epi8(high, self.firsts);
        _mm512_mask_permutexvar_epi8(first, 0xaaaa_aaaa_aaaa_aaaa, low, self.seconds)
    }
}

/// 65536 / 36, rounded up: the upper half of a product is the first digit.
const HIGH_36: u16 = 1821;
/// 16384 / 36: bits 8 to 13 of a product are the fractional part of the division by 36, and tell the second digit.
const LOW_36: u16 = 455;

/// First characters, indexed with [`HIGH_36`], and second ones, indexed with [`LOW_36`]: 64 of each, because a lookup
/// uses the lower six bits of a byte. This also proves both multipliers: it does not compile if a number gives a wrong
/// digit, or if two digits get the same index.
static CHARS36: Aligned<[[u8; 64]; 2]> = {
    let mut table = [[0; 64]; 2];
    let mut value = 0;
    while value < 1296 {
        let places = [(value * HIGH_36 as usize) >> 16, (value * LOW_36 as usize) >> 8 & 63];
        let digits = [DIGITS[value / 36], DIGITS[value % 36]];
        let mut i = 0;
        while i < 2 {
            assert!(places[i] < 64 && (table[i][places[i]] == 0 || table[i][places[i]] == digits[i]));
            table[i][places[i]] = digits[i];
            i += 1;
        }
        value += 1;
    }
    Aligned(table)
};

/// Base-32 characters, indexed with the lower five bits of a byte.
static CHARS32: Aligned<[u8; 64]> = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = DIGITS[i % 32];
        i += 1;
    }
    Aligned(table)
};

/// Splits 10-bit numbers into two base-32 characters each.
#[derive(Clone, Copy)]
struct PairWriter {
    chars: __m512i,
    bits: __m512i,
}

impl PairWriter {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn new() -> Self {
        // The first bit of each byte's eight bits in 64 bits: bits 5 and 0 of the four words.
        let bits = _mm512_set1_epi64(i64::from_le_bytes([5, 0, 21, 16, 37, 32, 53, 48]));
        Self { chars: load(&CHARS32.0), bits }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn write(self, values: __m512i) -> __m512i {
        _mm512_permutexvar_epi8(_mm512_multishift_epi64_epi8(self.bits, values), self.chars)
    }
}

/// Returns the values of the codes without candidates, taken from the characters of a base-32 format.
const fn values32(pairs: &[[u8; 2]; 1024]) -> Aligned<[u16; 32]> {
    let mut table = [0; 32];
    let mut code = 0;
    while code < 19 {
        let [high, low] = pairs[code];
        table[code] = DIGIT32[high as usize] * 32 + DIGIT32[low as usize];
        code += 1;
    }
    Aligned(table)
}

static V1_VALUES: Aligned<[u16; 32]> = values32(&CODE_TO_V1);
static OFFSET32_VALUES: Aligned<[u16; 32]> = values32(&CODE_TO_OFFSET32);

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn encode_v1(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
    let (writer, singles) = (PairWriter::new(), load_words(&V1_VALUES.0));
    let vector = |codes: __m512i| {
        let candidates = _mm512_cmpgt_epu16_mask(codes, _mm512_set1_epi16(18));
        let mask = _mm512_sub_epi16(codes, _mm512_set1_epi16(18));
        let placed = _mm512_permutexvar_epi16(codes, singles);
        writer.write(_mm512_mask_add_epi16(placed, candidates, mask, mask))
    };
    if let Some((codes, out)) = encode_boards(codes, out, pitch, vector, &CODE_TO_V1) {
        (SCALAR.codecs.encode_v1)(codes, out, pitch);
    }
    let single_candidate = |codes: __m512i| {
        let candidates = _mm512_cmpgt_epu16_mask(codes, _mm512_set1_epi16(18));
        let mask = _mm512_sub_epi16(codes, _mm512_set1_epi16(18));
        _mm512_mask_testn_epi16_mask(candidates, mask, _mm512_sub_epi16(mask, _mm512_set1_epi16(1)))
    };
    rows_without(codes, single_candidate)
}

/// Returns one bit for each row of side 9: whether `fault` finds no cell in it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn rows_without(codes: &[u16], fault: impl Fn(__m512i) -> __mmask32) -> u64 {
    let mut good = 0;
    for (i, row) in codes.chunks_exact(ROW9).enumerate() {
        let [a, b, c] = load_row::<3>(pieces(row)).map(&fault);
        good |= u64::from(a | b | c & LAST_17 == 0) << i;
    }
    good
}

/// The last 17 cells of a board, in its third vector; the padding after them is ignored.
const LAST_17: u32 = (1 << 17) - 1;

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn encode_offset32(codes: &[u16], out: &mut [u8], pitch: usize) {
    let (writer, singles) = (PairWriter::new(), load_words(&OFFSET32_VALUES.0));
    let vector = |codes: __m512i| {
        let placed = _mm512_cmplt_epu16_mask(codes, _mm512_set1_epi16(19));
        let candidates = _mm512_add_epi16(codes, _mm512_set1_epi16(2));
        writer.write(_mm512_mask_permutexvar_epi16(candidates, placed, codes, singles))
    };
    if let Some((codes, out)) = encode_boards(codes, out, pitch, vector, &CODE_TO_OFFSET32) {
        (SCALAR.codecs.encode_offset32)(codes, out, pitch);
    }
}

static CHARS_PLAIN: Aligned<[u8; 32]> = {
    let mut table = [0; 32];
    let mut code = 0;
    while code < 32 {
        table[code] = CODE_TO_PLAIN[code];
        code += 1;
    }
    Aligned(table)
};

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn encode_plain(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
    check_encode(codes, ROW9, 81, out, pitch);
    let chars = load_half(&CHARS_PLAIN.0);
    for (i, row) in codes.chunks_exact(ROW9).enumerate() {
        let row = load_row::<3>(pieces(row));
        let out: &mut [_; 3] = pieces_mut(&mut out[i * pitch..]);
        for v in 0..3 {
            // Large codes become 255 and then 31, which is a blank, like all codes from 19 on.
            let bytes = _mm256_min_epu8(_mm512_cvtusepi16_epi8(row[v]), _mm256_set1_epi8(31));
            store_half(&mut out[v], _mm256_permutexvar_epi8(bytes, chars));
        }
    }
    rows_without(codes, |codes| _mm512_cmpgt_epu16_mask(codes, _mm512_set1_epi16(9)))
}
