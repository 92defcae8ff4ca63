//! Decodes characters to codes.

use std::arch::x86_64::*;

use super::vectors::{Aligned, load, load_halves, load_text, load_words, store_half_words, store_words};
use crate::kernels::bounds::{check_decode, check_pairs};
use crate::kernels::prefetch::prefetch;
use crate::kernels::slices::{piece, piece_mut, pieces, pieces_mut};
use crate::kernels::tables::{BAD, DIGIT32, DIGIT36, OFFSET32_TO_CODE, PLAIN_TO_CODE, V1_TO_CODE};
use crate::kernels::x86_64::decode_groups::decode_in_groups;
use crate::kernels::{Decoded, Pairs, ROW9, SCALAR, Texts, all_bits};

/// Returns the low half of a table of all byte values, with marks in the top bit. The lookup ignores the top bit of a
/// byte: bytes over 127 must be rejected because of that bit itself.
const fn ascii(table: &[u16; 256]) -> Aligned<[[u8; 64]; 2]> {
    let mut halves = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        halves[i / 64][i % 64] = if table[i] == BAD { 0x80 } else { table[i] as u8 };
        i += 1;
    }
    Aligned(halves)
}

static ASCII32: Aligned<[[u8; 64]; 2]> = ascii(&DIGIT32);
static ASCII36: Aligned<[[u8; 64]; 2]> = ascii(&DIGIT36);
static ASCII_PLAIN: Aligned<[[u8; 64]; 2]> = ascii(&PLAIN_TO_CODE);

/// What is accumulated over records: marks (the top bit of a byte of `bytes` or of a word of `words`), which reject,
/// and the count of solved cells.
#[derive(Clone, Copy)]
pub(super) struct Accumulated512 {
    bytes: __m512i,
    words: __m512i,
    pub(super) solved: u32,
}

impl Accumulated512 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn nothing() -> Self {
        let zero = _mm512_setzero_si512();
        Self { bytes: zero, words: zero, solved: 0 }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn bytes(&mut self, a: __m512i, b: __m512i) {
        self.bytes = _mm512_ternarylogic_epi32::<0xfe>(self.bytes, a, b);
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn words<const N: usize>(&mut self, words: [__m512i; N]) {
        for word in words {
            self.words = _mm512_or_si512(self.words, word);
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn marks(self) -> bool {
        let top = _mm512_set1_epi16(BAD as i16);
        let all = _mm512_ternarylogic_epi32::<0xf8>(self.bytes, self.words, top); // a | b & c
        _mm512_movepi8_mask(all) != 0
    }
}

/// Decodes boards of 81 pairs of characters with `vectors`, which translates those of 160 cells to codes.
///
/// Two boards at a time fill five vectors and leave one cell each; these last cells are collected and decoded at the
/// end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn decode_boards(
    texts: Texts,
    codes: &mut [u16],
    scalar: impl Fn(Texts, &mut [u16]) -> Decoded,
    vectors: impl Fn([__m512i; 5], &mut Accumulated512) -> [__m512i; 5],
) -> Decoded {
    decode_in_groups(texts, codes, scalar, |text, twos, rows| decode_pairs(text, twos, rows, &vectors))
}

/// Decodes pairs of boards. Returns `None` if any of them must be rejected.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn decode_pairs(
    text: &[u8],
    twos: &[[u32; 2]],
    rows: &mut [[[u16; ROW9]; 2]],
    vectors: impl Fn([__m512i; 5], &mut Accumulated512) -> [__m512i; 5],
) -> Option<Decoded> {
    let mut found = Accumulated512::nothing();
    let mut lasts = Aligned([[[b'0'; 2]; 2]; 32]);
    for ((starts, rows), lasts) in twos.iter().zip(&mut *rows).zip(&mut lasts.0) {
        prefetch::<6>(text, starts[0]); // two lines of 163 bytes
        let [a, b] = starts.map(|start| piece::<_, 162>(&text[start as usize..]));
        let ([a0, a1], [b0, b1]) = (pieces(a), pieces(b));
        let tails = load_halves(piece(&a[128..]), piece(&b[128..]));
        *lasts = [*piece(&a[160..]), *piece(&b[160..])];
        let [a0, a1, b0, b1, tails] = vectors([load(a0), load(a1), load(b0), load(b1), tails], &mut found);
        let [a, b] = rows;
        store_row(a, a0, a1, _mm512_castsi512_si256(tails));
        store_row(b, b0, b1, _mm512_extracti64x4_epi64::<1>(tails));
    }
    let filler = _mm512_set1_epi8(b'0' as i8);
    let [a, b]: &[[u8; 64]; 2] = bytemuck::cast_ref(&lasts.0);
    let lasts = vectors([load(a), load(b), filler, filler, filler], &mut found);
    let mut codes = [[[0; 2]; 16]; 2];
    codes.iter_mut().zip(lasts).for_each(|(codes, last)| store_words(bytemuck::cast_mut(codes), last));
    for (rows, last) in rows.iter_mut().zip(codes.as_flattened()) {
        [rows[0][80], rows[1][80]] = *last;
    }
    (!found.marks()).then(|| Decoded { good: all_bits(2 * twos.len()), solved: found.solved, ..Decoded::default() })
}

/// Writes the first 80 codes of a row.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn store_row(row: &mut [u16; ROW9], a: __m512i, b: __m512i, half: __m256i) {
    let [to_a, to_b] = pieces_mut(row);
    store_words(to_a, a);
    store_words(to_b, b);
    store_half_words(piece_mut(&mut row[64..]), half);
}

/// Computes the values of pairs of digits: `high` times the first plus the second.
#[derive(Clone, Copy)]
struct PairReader512 {
    digits: [__m512i; 2],
    weights: __m512i,
}

impl PairReader512 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn new(ascii: &Aligned<[[u8; 64]; 2]>, high: u8) -> Self {
        Self { digits: [load(&ascii.0[0]), load(&ascii.0[1])], weights: _mm512_set1_epi16(256 | i16::from(high)) }
    }

    /// Computes the values of 32 pairs per vector. The marks of texts are or-ed before the lookup, for pairs of
    /// vectors, so that the lookup can overwrite them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn read<const N: usize>(self, text: [__m512i; N], found: &mut Accumulated512) -> [__m512i; N] {
        for v in (1..N).step_by(2) {
            found.bytes(text[v - 1], text[v]);
        }
        let mut digits = text;
        for v in 0..N {
            digits[v] = _mm512_permutex2var_epi8(self.digits[0], text[v], self.digits[1]);
        }
        if N % 2 == 1 {
            found.bytes(text[N - 1], digits[0]);
        }
        for v in (1 + N % 2..N).step_by(2) {
            found.bytes(digits[v - 1], digits[v]);
        }
        let mut values = digits;
        for v in 0..N {
            values[v] = _mm512_maddubs_epi16(digits[v], self.weights);
        }
        values
    }
}

/// A multiplier: bits 16 to 20 of its product with 0, 2^d or 2^d + 1 for d in 1..=9 (the v1 values of cells without
/// candidates) are all different. The table below does not compile with a multiplier that fails.
const SINGLES: u16 = 0xd795;

/// Codes of v1 values without candidates, indexed with [`SINGLES`].
static V1_SINGLE: Aligned<[u16; 32]> = {
    let mut table = [BAD; 32];
    let mut value = 0;
    while value < 1024_usize {
        if (value & !1).count_ones() <= 1 && value != 1 {
            let place = ((value * SINGLES as usize) >> 16) % 32;
            assert!(table[place] == BAD);
            table[place] = V1_TO_CODE[value];
        }
        value += 1;
    }
    Aligned(table)
};

/// Decodes v1 characters to codes.
#[derive(Clone, Copy)]
pub(super) struct V1Reader512 {
    pairs: PairReader512,
    singles: __m512i,
}

impl V1Reader512 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn new() -> Self {
        Self { pairs: PairReader512::new(&ASCII32, 32), singles: load_words(&V1_SINGLE.0) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    pub(super) fn read(self, text: [__m512i; 5], found: &mut Accumulated512) -> [__m512i; 5] {
        let codes = self.pairs.read(text, found).map(|value| self.code(value, found));
        found.words(codes);
        codes
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    fn code(self, value: __m512i, found: &mut Accumulated512) -> __m512i {
        // The rotation moves the clue flag to the top bit, where it is the mark of a flag on several digits. Such a
        // word less 0x8001 is its mask less 1, and so are the lower bits of a word without a flag: the and is 0 for at
        // most one digit, except for a flag alone.
        let mask = _mm512_shrdi_epi16::<1>(value, value);
        let less = _mm512_sub_epi16(mask, _mm512_set1_epi16(0x8001_u16 as i16));
        let single = _mm512_testn_epi16_mask(mask, less);
        let place = _mm512_mulhi_epu16(value, _mm512_set1_epi16(SINGLES as i16));
        let candidates = _mm512_add_epi16(mask, _mm512_set1_epi16(18));
        let solved = _mm512_mask_cmpgt_epi16_mask(single, mask, _mm512_setzero_si512());
        found.solved += solved.count_ones();
        _mm512_mask_permutexvar_epi16(candidates, single, place, self.singles)
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn decode_v1(texts: Texts, codes: &mut [u16]) -> Decoded {
    let reader = V1Reader512::new();
    decode_boards(texts, codes, SCALAR.codecs.decode_v1, |text, found| reader.read(text, found))
}

/// Codes of offset32 values below 21, which have no candidates.
static OFFSET32_SINGLE: Aligned<[u16; 32]> = Aligned(*OFFSET32_TO_CODE.first_chunk().unwrap());

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn decode_offset32(texts: Texts, codes: &mut [u16]) -> u64 {
    let pairs = PairReader512::new(&ASCII32, 32);
    let singles = load_words(&OFFSET32_SINGLE.0);
    let decode = |value: __m512i| {
        let single = _mm512_cmplt_epu16_mask(value, _mm512_set1_epi16(21));
        let candidates = _mm512_sub_epi16(value, _mm512_set1_epi16(2));
        _mm512_mask_permutexvar_epi16(candidates, single, value, singles)
    };
    let vectors = |text: [__m512i; 5], found: &mut Accumulated512| {
        let codes = pairs.read(text, found).map(decode);
        found.words(codes.map(|codes| over(codes, 529)));
        codes
    };
    let scalar = |texts: Texts, codes: &mut [u16]| Decoded {
        good: (SCALAR.codecs.decode_offset32)(texts, codes),
        ..Decoded::default()
    };
    decode_boards(texts, codes, scalar, vectors).good
}

/// Marks words greater than `max` (and those that already have a mark).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn over(words: __m512i, max: u16) -> __m512i {
    _mm512_adds_epu16(words, _mm512_set1_epi16((0x7fff - max) as i16))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn decode_pairs36(texts: Texts, pairs: Pairs, codes: &mut [u16]) -> u64 {
    check_pairs(pairs);
    check_decode(texts, 2 * pairs.cells, codes, pairs.row);
    match pairs {
        Pairs { cells: 81, .. } => decode_pairs36_81(texts, pairs, codes),
        Pairs { row: 96, .. } => decode_pairs36_any::<3>(texts, pairs, codes),
        Pairs { row: 64, .. } => decode_pairs36_any::<2>(texts, pairs, codes),
        _ => decode_pairs36_any::<1>(texts, pairs, codes),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn decode_pairs36_81(texts: Texts, pairs: Pairs, codes: &mut [u16]) -> u64 {
    let reader = PairReader512::new(&ASCII36, 36);
    let vectors = |text: [__m512i; 5], found: &mut Accumulated512| {
        let codes = reader.read(text, found);
        found.words(codes.map(|codes| over(codes, pairs.max)));
        codes
    };
    let scalar = |texts: Texts, codes: &mut [u16]| Decoded {
        good: (SCALAR.codecs.decode_pairs36)(texts, pairs, codes),
        ..Decoded::default()
    };
    decode_boards(texts, codes, scalar, vectors).good
}

/// Decodes bodies of other sides, one by one, each in `V` vectors, of which the last may be padded.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn decode_pairs36_any<const V: usize>(texts: Texts, pairs: Pairs, codes: &mut [u16]) -> u64 {
    let reader = PairReader512::new(&ASCII36, 36);
    let mut good = 0;
    for (i, row) in codes.chunks_exact_mut(32 * V).take(texts.starts.len()).enumerate() {
        let mut found = Accumulated512::nothing();
        let codes = reader.read(load_text::<V>(texts.get(i, 2 * pairs.cells)), &mut found);
        found.words(codes.map(|codes| over(codes, pairs.max)));
        let row: &mut [_; V] = pieces_mut(row);
        for v in 0..V {
            store_words(&mut row[v], codes[v]);
        }
        good |= u64::from(!found.marks()) << i;
    }
    good
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn decode_plain(texts: Texts, codes: &mut [u16]) -> u64 {
    check_decode(texts, 81, codes, ROW9);
    let (low, high) = (load(&ASCII_PLAIN.0[0]), load(&ASCII_PLAIN.0[1]));
    let mut good = 0;
    for (i, row) in codes.chunks_exact_mut(ROW9).take(texts.starts.len()).enumerate() {
        let [a, b] = load_text::<2>(texts.get(i, 81));
        let (codes_a, codes_b) = (_mm512_permutex2var_epi8(low, a, high), _mm512_permutex2var_epi8(low, b, high));
        let mut found = Accumulated512::nothing();
        found.bytes(a, codes_a);
        found.bytes(b, codes_b);
        good |= u64::from(!found.marks()) << i;
        let thirds =
            [_mm512_castsi512_si256(codes_a), _mm512_extracti64x4_epi64::<1>(codes_a), _mm512_castsi512_si256(codes_b)];
        let row: &mut [_; 3] = pieces_mut(row);
        for v in 0..3 {
            store_words(&mut row[v], _mm512_cvtepu8_epi16(thirds[v]));
        }
    }
    good
}
