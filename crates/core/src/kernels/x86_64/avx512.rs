//! AVX-512 with byte permutations (VBMI): 32 cells, or 64 characters, at a time; Ice Lake, Zen 4 and later.
//!
//! A character becomes a digit by one look-up in its 128 ASCII values, two digits a number by one multiply-add. The few
//! numbers that mean a single digit are looked up among 32 words, at a place that a multiplication finds.
#![allow(unsafe_code)] // intrinsics that load and store, and the calls into functions that need their instructions

use std::arch::x86_64::*;

use super::lanes512::{Block512, Lanes512};
use super::verdict::judged;
use crate::kernels::measures::{check_decode, check_encode, check_pairs, check_rewrite};
use crate::kernels::prefetch::prefetch;
use crate::kernels::slices::{piece, piece_mut, pieces, pieces_mut};
use crate::kernels::tables::{BAD, CODE_TO_OFFSET32, CODE_TO_PLAIN, CODE_TO_V1, DIGIT32, DIGIT36, DIGITS, PAIR36};
use crate::kernels::tables::{OFFSET32_TO_CODE, PLAIN_TO_CODE, V1_TO_CODE};
use crate::kernels::{Decoded, Kernel, Pairs, ROW9, SCALAR, Texts, all_bits};

/// The AVX-512 kernel. To be listed only where [`detected`] says yes: its functions rely on that.
pub static AVX512: Kernel = Kernel {
    name: "avx512",
    // SAFETY: this table is reached through `available()` only, which lists it only if `detected()` found every
    // instruction set that the functions are compiled for; so for all nine.
    decode_v1: |texts, codes| unsafe { decode_v1(texts, codes) },
    // SAFETY: as above.
    encode_v1: |codes, out, pitch| unsafe { encode_v1(codes, out, pitch) },
    // SAFETY: as above.
    decode_pairs36: |texts, pairs, codes| unsafe { decode_pairs36(texts, pairs, codes) },
    // SAFETY: as above.
    encode_pairs36: |codes, pairs, out, pitch| unsafe { encode_pairs36(codes, pairs, out, pitch) },
    // SAFETY: as above.
    decode_offset32: |texts, codes| unsafe { decode_offset32(texts, codes) },
    // SAFETY: as above.
    encode_offset32: |codes, out, pitch| unsafe { encode_offset32(codes, out, pitch) },
    // SAFETY: as above.
    decode_plain: |texts, codes| unsafe { decode_plain(texts, codes) },
    // SAFETY: as above.
    encode_plain: |codes, out, pitch| unsafe { encode_plain(codes, out, pitch) },
    // SAFETY: as above.
    v1_to_pairs36: Some(|texts, out, pitch| unsafe { v1_to_pairs36(texts, out, pitch) }),
    width: crate::kernels::Width::Avx512,
    // SAFETY: as above.
    block: |houses| Block512::boxed(unsafe { Lanes512::new() }, houses),
};

/// Whether this machine has all that the functions here are compiled for.
pub fn detected() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        // What follows is for the solver's lanes; every processor with VBMI2 has it.
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("gfni")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

/// A table in one or two vectors.
#[repr(C, align(64))]
struct Aligned<T>(T);

/// The low half of a table of all byte values, marks in the top bit. The look-up ignores a byte's top bit: bytes over 127
/// are to be refused by that bit itself.
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

// ---- loads and stores ----

#[inline]
#[target_feature(enable = "avx512f")]
fn load(from: &[u8; 64]) -> __m512i {
    // SAFETY: the reference covers the 64 bytes that are read; no alignment is needed.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_words(from: &[u16; 32]) -> __m512i {
    // SAFETY: the reference covers the 64 bytes that are read; no alignment is needed.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// The at most 64 bytes of a slice, and `0` characters, a good digit in every alphabet, behind them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_tail(from: &[u8]) -> __m512i {
    debug_assert!(from.len() <= 64);
    // SAFETY: the mask's lowest `len` bits (64 at most) are set, and bytes whose bit is clear are not accessed.
    unsafe { _mm512_mask_loadu_epi8(_mm512_set1_epi8(b'0' as i8), all_bits(from.len()), from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(to: &mut [u8; 64], vector: __m512i) {
    // SAFETY: the reference covers the 64 bytes that are written; no alignment is needed.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) }
}

/// As many of a vector's bytes as the slice has, 64 at most.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store_head(to: &mut [u8], vector: __m512i) {
    debug_assert!(to.len() <= 64);
    // SAFETY: the mask's lowest `len` bits (64 at most) are set, and bytes whose bit is clear are not accessed.
    unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), all_bits(to.len()), vector) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_words(to: &mut [u16; 32], vector: __m512i) {
    // SAFETY: the reference covers the 64 bytes that are written; no alignment is needed.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn load_half(from: &[u8; 32]) -> __m256i {
    // SAFETY: the reference covers the 32 bytes that are read; no alignment is needed.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn store_half_words(to: &mut [u16; 16], vector: __m256i) {
    // SAFETY: the reference covers the 32 bytes that are written; no alignment is needed.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn store_half(to: &mut [u8; 32], vector: __m256i) {
    // SAFETY: the reference covers the 32 bytes that are written; no alignment is needed.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
}

/// The `V` vectors that a record fills, the last one in part.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_text<const V: usize>(text: &[u8]) -> [__m512i; V] {
    let mut vectors = [_mm512_setzero_si512(); V];
    for v in 0..V - 1 {
        vectors[v] = load(text[64 * v..].first_chunk().expect("checked at the kernel's entry"));
    }
    vectors[V - 1] = load_tail(&text[64 * (V - 1)..]);
    vectors
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_row<const V: usize>(row: &[[u16; 32]; V]) -> [__m512i; V] {
    let mut vectors = [_mm512_setzero_si512(); V];
    for v in 0..V {
        vectors[v] = load_words(&row[v]);
    }
    vectors
}

/// 16 codes of one board and 16 of another.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_half_words(low: &[u16; 16], high: &[u16; 16]) -> __m512i {
    load_halves(bytemuck::cast_ref(low), bytemuck::cast_ref(high))
}

/// 32 bytes of one text and 32 of another.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_halves(low: &[u8; 32], high: &[u8; 32]) -> __m512i {
    // SAFETY: each reference covers the 32 bytes that are read; no alignment is needed.
    let (low, high) = unsafe { (_mm256_loadu_si256(low.as_ptr().cast()), _mm256_loadu_si256(high.as_ptr().cast())) };
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

// ---- decoding ----

/// What is found in records: marks (the top bit of a byte of `bytes` or of a word) refuse, solved cells are counted.
#[derive(Clone, Copy)]
struct Accumulated {
    bytes: __m512i,
    words: __m512i,
    solved: u32,
}

impl Accumulated {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn nothing() -> Self {
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
    fn marks(self) -> bool {
        let top = _mm512_set1_epi16(BAD as i16);
        let all = _mm512_ternarylogic_epi32::<0xf8>(self.bytes, self.words, top); // a | b & c
        _mm512_movepi8_mask(all) != 0
    }
}

/// Decodes boards of 81 pairs of characters by `vectors`, which turns those of 160 cells into codes.
///
/// Two boards at a time fill five vectors and leave a cell each; these last cells are collected, and decoded at the end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn each_two(
    texts: Texts,
    codes: &mut [u16],
    scalar: impl Fn(Texts, &mut [u16]) -> Decoded,
    vectors: impl Fn([__m512i; 5], &mut Accumulated) -> [__m512i; 5],
) -> Decoded {
    judged(texts, codes, scalar, |text, twos, rows| two_by_two(text, twos, rows, &vectors))
}

/// Decodes pairs of boards; nothing if any of them is to be refused.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn two_by_two(
    text: &[u8],
    twos: &[[u32; 2]],
    rows: &mut [[[u16; ROW9]; 2]],
    vectors: impl Fn([__m512i; 5], &mut Accumulated) -> [__m512i; 5],
) -> Option<Decoded> {
    let mut found = Accumulated::nothing();
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

/// Values of pairs of digits, `high` times the first plus the second.
#[derive(Clone, Copy)]
struct PairReader {
    digits: [__m512i; 2],
    weights: __m512i,
}

impl PairReader {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn new(ascii: &Aligned<[[u8; 64]; 2]>, high: u8) -> Self {
        Self { digits: [load(&ascii.0[0]), load(&ascii.0[1])], weights: _mm512_set1_epi16(256 | i16::from(high)) }
    }

    /// The values of 32 pairs a vector. Texts are or-ed for their marks before they are looked up, as far as they come in
    /// pairs, so that the look-up can overwrite them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn read<const N: usize>(self, text: [__m512i; N], found: &mut Accumulated) -> [__m512i; N] {
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

/// A multiplier whose product, 16 bits up and modulo 32, tells 0, 2^d and 2^d + 1 for d in 1..=9 apart: the v1 values of
/// cells without candidates. The table below does not compile with one that fails.
const SINGLES: u16 = 0xd795;

/// Codes of v1 values without candidates, by [`SINGLES`].
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

/// v1 characters to codes.
#[derive(Clone, Copy)]
struct V1Reader {
    pairs: PairReader,
    singles: __m512i,
}

impl V1Reader {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn new() -> Self {
        Self { pairs: PairReader::new(&ASCII32, 32), singles: load_words(&V1_SINGLE.0) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    fn read(self, text: [__m512i; 5], found: &mut Accumulated) -> [__m512i; 5] {
        let codes = self.pairs.read(text, found).map(|value| self.code(value, found));
        found.words(codes);
        codes
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    fn code(self, value: __m512i, found: &mut Accumulated) -> __m512i {
        // The clue flag goes to the top bit, where it is the mark of a flag on several digits. Less 0x8001 such a word is
        // its mask less 1, and so are the lower bits of one without a flag: the and is 0 for at most one digit, except
        // for a flag alone.
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
fn decode_v1(texts: Texts, codes: &mut [u16]) -> Decoded {
    let reader = V1Reader::new();
    each_two(texts, codes, SCALAR.decode_v1, |text, found| reader.read(text, found))
}

/// Two boards at a time, as [`two_by_two`] takes them.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn v1_to_pairs36(texts: Texts, out: &mut [u8], pitch: usize) -> Option<u32> {
    check_rewrite(texts, 162, out, pitch);
    let (twos, []) = texts.starts.as_chunks::<2>() else { return None };
    let (reader, writer) = (V1Reader::new(), Writer36::new());
    let mut found = Accumulated::nothing();
    let mut lasts = Aligned([[[b'0'; 2]; 2]; 32]);
    for (i, (starts, lasts)) in twos.iter().zip(&mut lasts.0).enumerate() {
        prefetch::<6>(texts.bytes, starts[0]);
        let [a, b] = starts.map(|start| piece::<_, 162>(&texts.bytes[start as usize..]));
        let ([a0, a1], [b0, b1]) = (pieces(a), pieces(b));
        let tails = load_halves(piece(&a[128..]), piece(&b[128..]));
        *lasts = [*piece(&a[160..]), *piece(&b[160..])];
        let codes = reader.read([load(a0), load(a1), load(b0), load(b1), tails], &mut found);
        let [a0, a1, b0, b1, tails] = codes.map(|codes| writer.write(codes));
        let (to_a, to_b) = out[2 * i * pitch..].split_at_mut(pitch);
        // The characters of the last cells follow.
        store_text(to_a, a0, a1, _mm512_castsi512_si256(tails), [0; 2]);
        store_text(to_b, b0, b1, _mm512_extracti64x4_epi64::<1>(tails), [0; 2]);
    }
    let filler = _mm512_set1_epi8(b'0' as i8);
    let [a, b]: &[[u8; 64]; 2] = bytemuck::cast_ref(&lasts.0);
    let codes = reader.read([load(a), load(b), filler, filler, filler], &mut found);
    let mut characters = [[[0; 2]; 32]; 2];
    characters.iter_mut().zip(codes).for_each(|(to, codes)| store(bytemuck::cast_mut(to), writer.write(codes)));
    for (i, last) in characters.as_flattened()[..2 * twos.len()].iter().enumerate() {
        out[i * pitch + 160..][..2].copy_from_slice(last);
    }
    (!found.marks()).then_some(found.solved)
}

/// Codes of offset32 values below 21, which have no candidates.
static OFFSET32_SINGLE: Aligned<[u16; 32]> = Aligned(*OFFSET32_TO_CODE.first_chunk().unwrap());

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn decode_offset32(texts: Texts, codes: &mut [u16]) -> u64 {
    let pairs = PairReader::new(&ASCII32, 32);
    let singles = load_words(&OFFSET32_SINGLE.0);
    let decode = |value: __m512i| {
        let single = _mm512_cmplt_epu16_mask(value, _mm512_set1_epi16(21));
        let candidates = _mm512_sub_epi16(value, _mm512_set1_epi16(2));
        _mm512_mask_permutexvar_epi16(candidates, single, value, singles)
    };
    let vectors = |text: [__m512i; 5], found: &mut Accumulated| {
        let codes = pairs.read(text, found).map(decode);
        found.words(codes.map(|codes| over(codes, 529)));
        codes
    };
    let scalar = |texts: Texts, codes: &mut [u16]| Decoded {
        good: (SCALAR.decode_offset32)(texts, codes),
        ..Decoded::default()
    };
    each_two(texts, codes, scalar, vectors).good
}

/// Marks words greater than `max` (and those that have a mark).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn over(words: __m512i, max: u16) -> __m512i {
    _mm512_adds_epu16(words, _mm512_set1_epi16((0x7fff - max) as i16))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn decode_pairs36(texts: Texts, pairs: Pairs, codes: &mut [u16]) -> u64 {
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
    let reader = PairReader::new(&ASCII36, 36);
    let vectors = |text: [__m512i; 5], found: &mut Accumulated| {
        let codes = reader.read(text, found);
        found.words(codes.map(|codes| over(codes, pairs.max)));
        codes
    };
    let scalar = |texts: Texts, codes: &mut [u16]| Decoded {
        good: (SCALAR.decode_pairs36)(texts, pairs, codes),
        ..Decoded::default()
    };
    each_two(texts, codes, scalar, vectors).good
}

/// Bodies of other sides, one by one, each in `V` vectors of which the last may be filled up.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn decode_pairs36_any<const V: usize>(texts: Texts, pairs: Pairs, codes: &mut [u16]) -> u64 {
    let reader = PairReader::new(&ASCII36, 36);
    let mut good = 0;
    for (i, row) in codes.chunks_exact_mut(32 * V).take(texts.starts.len()).enumerate() {
        let mut found = Accumulated::nothing();
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
fn decode_plain(texts: Texts, codes: &mut [u16]) -> u64 {
    check_decode(texts, 81, codes, ROW9);
    let (low, high) = (load(&ASCII_PLAIN.0[0]), load(&ASCII_PLAIN.0[1]));
    let mut good = 0;
    for (i, row) in codes.chunks_exact_mut(ROW9).take(texts.starts.len()).enumerate() {
        let [a, b] = load_text::<2>(texts.get(i, 81));
        let (codes_a, codes_b) = (_mm512_permutex2var_epi8(low, a, high), _mm512_permutex2var_epi8(low, b, high));
        let mut found = Accumulated::nothing();
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

// ---- encoding ----

/// Encodes boards of 81 pairs, two boards at a time, by `vector`, which turns 32 codes into 64 characters, and `last`, a table
/// for the last cell of each. The last of an odd number of boards is left to `scalar`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn each_two_texts<const N: usize>(
    codes: &[u16],
    out: &mut [u8],
    pitch: usize,
    vector: impl Fn(__m512i) -> __m512i,
    last: &[[u8; 2]; N],
    scalar: impl Fn(&[u16], &mut [u8]),
) {
    check_encode(codes, ROW9, 162, out, pitch);
    for (i, rows) in codes.chunks(2 * ROW9).enumerate() {
        let out = &mut out[2 * i * pitch..];
        let Ok(rows) = <&[u16; 2 * ROW9]>::try_from(rows) else {
            return scalar(rows, out);
        };
        let [a, b]: &[[u16; ROW9]; 2] = pieces(rows);
        let ([a0, a1, _], [b0, b1, _]): (&[_; 3], &[_; 3]) = (pieces(a), pieces(b));
        let tails = vector(load_half_words(piece(&a[64..]), piece(&b[64..])));
        let [a0, a1, b0, b1] = [a0, a1, b0, b1].map(|codes| vector(load_words(codes)));
        let (to_a, to_b) = out.split_at_mut(pitch);
        store_text(to_a, a0, a1, _mm512_castsi512_si256(tails), last[a[80] as usize & (N - 1)]);
        store_text(to_b, b0, b1, _mm512_extracti64x4_epi64::<1>(tails), last[b[80] as usize & (N - 1)]);
    }
}

/// Writes 162 characters: two vectors, half a vector and two.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn store_text(text: &mut [u8], a: __m512i, b: __m512i, half: __m256i, last: [u8; 2]) {
    let text: &mut [u8; 162] = piece_mut(text);
    let [to_a, to_b] = pieces_mut(text);
    store(to_a, a);
    store(to_b, b);
    store_half(piece_mut(&mut text[128..]), half);
    text[160..].copy_from_slice(&last);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn encode_pairs36(codes: &[u16], pairs: Pairs, out: &mut [u8], pitch: usize) {
    check_pairs(pairs);
    check_encode(codes, pairs.row, 2 * pairs.cells, out, pitch);
    let writer = Writer36::new();
    let split = |codes: __m512i| writer.write(codes);
    if pairs.cells == 81 {
        return each_two_texts(codes, out, pitch, split, &PAIR36, |codes, out| {
            (SCALAR.encode_pairs36)(codes, pairs, out, pitch)
        });
    }
    for (i, row) in codes.chunks_exact(pairs.row).enumerate() {
        let text = &mut out[i * pitch..][..2 * pairs.cells];
        for (codes, text) in row.as_chunks().0.iter().zip(text.chunks_mut(64)) {
            store_head(text, split(load_words(codes)));
        }
    }
}

/// Codes to two base-36 characters each.
#[derive(Clone, Copy)]
struct Writer36 {
    firsts: __m512i,
    seconds: __m512i,
}

impl Writer36 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn new() -> Self {
        Self { firsts: load(&CHARS36.0[0]), seconds: load(&CHARS36.0[1]) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn write(self, codes: __m512i) -> __m512i {
        let high = _mm512_mulhi_epu16(codes, _mm512_set1_epi16(HIGH_36 as i16));
        let low = _mm512_mullo_epi16(codes, _mm512_set1_epi16(LOW_36 as i16));
        let first = _mm512_permutexvar_epi8(high, self.firsts);
        _mm512_mask_permutexvar_epi8(first, 0xaaaa_aaaa_aaaa_aaaa, low, self.seconds)
    }
}

/// 65536 / 36 rounded up: a product's upper half is the first digit.
const HIGH_36: u16 = 1821;
/// 16384 / 36: bits 8 to 13 of a product are the fraction that division by 36 leaves, and tell the second digit.
const LOW_36: u16 = 455;

/// First characters by [`HIGH_36`], second ones by [`LOW_36`]: 64 of each, as a look-up takes the lower six bits of a byte.
/// This is also the proof of both: it does not compile if a number gives a wrong digit or two digits share a place.
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

/// Characters by the lower five bits of a byte.
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
        // Where in 64 bits each byte's eight bits begin: at bits 5 and 0 of the four words.
        let bits = _mm512_set1_epi64(i64::from_le_bytes([5, 0, 21, 16, 37, 32, 53, 48]));
        Self { chars: load(&CHARS32.0), bits }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn write(self, values: __m512i) -> __m512i {
        _mm512_permutexvar_epi8(_mm512_multishift_epi64_epi8(self.bits, values), self.chars)
    }
}

/// The values that stand for codes without candidates, taken from the characters of a base-32 format.
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
fn encode_v1(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
    let (writer, singles) = (PairWriter::new(), load_words(&V1_VALUES.0));
    let vector = |codes: __m512i| {
        let candidates = _mm512_cmpgt_epu16_mask(codes, _mm512_set1_epi16(18));
        let mask = _mm512_sub_epi16(codes, _mm512_set1_epi16(18));
        let placed = _mm512_permutexvar_epi16(codes, singles);
        writer.write(_mm512_mask_add_epi16(placed, candidates, mask, mask))
    };
    each_two_texts(codes, out, pitch, vector, &CODE_TO_V1, |codes, out| _ = (SCALAR.encode_v1)(codes, out, pitch));
    let single_candidate = |codes: __m512i| {
        let candidates = _mm512_cmpgt_epu16_mask(codes, _mm512_set1_epi16(18));
        let mask = _mm512_sub_epi16(codes, _mm512_set1_epi16(18));
        _mm512_mask_testn_epi16_mask(candidates, mask, _mm512_sub_epi16(mask, _mm512_set1_epi16(1)))
    };
    rows_without(codes, single_candidate)
}

/// A bit for each row of side 9 in which `fault` finds no cell.
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

/// The last 17 cells of a board, in its third vector; the padding behind them counts for nothing.
const LAST_17: u32 = (1 << 17) - 1;

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
fn encode_offset32(codes: &[u16], out: &mut [u8], pitch: usize) {
    let (writer, singles) = (PairWriter::new(), load_words(&OFFSET32_VALUES.0));
    let vector = |codes: __m512i| {
        let placed = _mm512_cmplt_epu16_mask(codes, _mm512_set1_epi16(19));
        let candidates = _mm512_add_epi16(codes, _mm512_set1_epi16(2));
        writer.write(_mm512_mask_permutexvar_epi16(candidates, placed, codes, singles))
    };
    each_two_texts(codes, out, pitch, vector, &CODE_TO_OFFSET32, |codes, out| {
        (SCALAR.encode_offset32)(codes, out, pitch)
    });
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
fn encode_plain(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
    check_encode(codes, ROW9, 81, out, pitch);
    let chars = load_half(&CHARS_PLAIN.0);
    for (i, row) in codes.chunks_exact(ROW9).enumerate() {
        let row = load_row::<3>(pieces(row));
        let out: &mut [_; 3] = pieces_mut(&mut out[i * pitch..]);
        for v in 0..3 {
            // Large codes become 255 and then 31, which is a blank like all from 19.
            let bytes = _mm256_min_epu8(_mm512_cvtusepi16_epi8(row[v]), _mm256_set1_epi8(31));
            store_half(&mut out[v], _mm256_permutexvar_epi8(bytes, chars));
        }
    }
    rows_without(codes, |codes| _mm512_cmpgt_epu16_mask(codes, _mm512_set1_epi16(9)))
}
