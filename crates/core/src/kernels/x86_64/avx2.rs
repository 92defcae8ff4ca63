//! AVX2: 16 cells, or 32 characters, at a time; Haswell, Zen and later.
//!
//! A character becomes a digit by adding what stands in a table of 16 at a place made of both its halves; two digits become
//! a number by one multiply-add. Masks of one digit are looked up likewise, at a place that a multiplication finds.
#![allow(unsafe_code)] // intrinsics that load and store, and the calls into functions that need their instructions

use std::arch::x86_64::*;

use super::lanes256::{Block256, Lanes256};
use super::verdict::judged;
use crate::kernels::measures::{check_decode, check_encode, check_pairs, check_rewrite};
use crate::kernels::prefetch::prefetch;
use crate::kernels::slices::{piece, piece_mut, pieces, pieces_mut, vector_starts};
use crate::kernels::tables::{BAD, CODE_TO_OFFSET32, CODE_TO_V1, DIGIT36, PAIR36, PLAIN_LOWER, PLAIN_UPPER};
use crate::kernels::{Decoded, Kernel, Pairs, ROW9, SCALAR, Texts, all_bits};

/// The AVX2 kernel. To be listed only where [`detected`] says yes: its functions rely on that.
pub static AVX2: Kernel = Kernel {
    name: "avx2",
    // SAFETY: this table is reached through `available()` only, which lists it only if `detected()` found all that the
    // functions are compiled for; so for all nine.
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
    width: crate::kernels::Width::Avx2,
    // SAFETY: as above.
    block: |houses| Block256::boxed(unsafe { Lanes256::new() }, houses),
};

/// Whether this machine has all that the functions here are compiled for.
pub fn detected() -> bool {
    is_x86_feature_detected!("avx2")
        // What follows is for plain Rust and the solver's lanes; every processor with AVX2 has it.
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

// ---- loads and stores ----

#[inline]
#[target_feature(enable = "avx2")]
fn load(from: &[u8; 32]) -> __m256i {
    // SAFETY: the reference covers the 32 bytes that are read; no alignment is needed.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(to: &mut [u8; 32], vector: __m256i) {
    // SAFETY: the reference covers the 32 bytes that are written; no alignment is needed.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_words(from: &[u16; 16]) -> __m256i {
    load(bytemuck::cast_ref(from))
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_words(to: &mut [u16; 16], vector: __m256i) {
    store(bytemuck::cast_mut(to), vector);
}

/// A table for byte look-ups, which take place in each half of a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn load_table(table: &[u8; 16]) -> __m256i {
    // SAFETY: the reference covers the 16 bytes that are read; no alignment is needed.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

// ---- decoding ----

/// What is found in records: the largest digit and number, which refuse them if they are too large, and solved cells.
#[derive(Clone, Copy)]
struct Accumulated {
    digits: __m256i,
    words: __m256i,
    solved: __m256i,
}

impl Accumulated {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn nothing() -> Self {
        let zero = _mm256_setzero_si256();
        Self { digits: zero, words: zero, solved: zero }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn digits(&mut self, digits: __m256i) {
        self.digits = _mm256_max_epu8(self.digits, digits);
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn words(&mut self, words: __m256i) {
        self.words = _mm256_max_epu16(self.words, words);
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn within(self, digit: u8, word: u16) -> bool {
        let digits = _mm256_subs_epu8(self.digits, _mm256_set1_epi8(digit as i8));
        let words = _mm256_subs_epu16(self.words, _mm256_set1_epi16(word as i16));
        let over = _mm256_or_si256(digits, words);
        _mm256_testz_si256(over, over) == 1
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn solved(self) -> u32 {
        let mut counts = [0_u16; 16];
        store_words(&mut counts, self.solved);
        counts.into_iter().map(u32::from).sum()
    }
}

/// What a digit and a number can be at most.
#[derive(Clone, Copy)]
struct DigitLimits {
    digit: u8,
    word: u16,
}

/// The codes of side 9 out of base-32 digits.
const NINE: DigitLimits = DigitLimits { digit: 31, word: 529 };

/// Decodes boards of 81 pairs of characters by `vector`, which turns those of 16 cells into codes.
///
/// A board fills five vectors and leaves a cell; these last cells are collected, and decoded at the end.
#[inline]
#[target_feature(enable = "avx2")]
fn each_board(
    texts: Texts,
    codes: &mut [u16],
    limits: DigitLimits,
    scalar: impl Fn(Texts, &mut [u16]) -> Decoded,
    vector: impl Fn(__m256i, &mut Accumulated) -> __m256i,
) -> Decoded {
    judged(texts, codes, scalar, |text, starts, rows| boards(text, starts, rows, limits, &vector))
}

/// Decodes boards, 64 at most; nothing if any of them is to be refused.
#[inline]
#[target_feature(enable = "avx2")]
fn boards(
    text: &[u8],
    starts: &[[u32; 1]],
    rows: &mut [[[u16; ROW9]; 1]],
    limits: DigitLimits,
    vector: impl Fn(__m256i, &mut Accumulated) -> __m256i,
) -> Option<Decoded> {
    let mut found = Accumulated::nothing();
    let mut lasts = [[b'0'; 2]; 64];
    for ((&[start], [row]), last) in starts.iter().zip(&mut *rows).zip(&mut lasts) {
        prefetch::<3>(text, start);
        let text: &[u8; 162] = piece(&text[start as usize..]);
        let texts: &[_; 5] = pieces(text);
        let codes: &mut [_; 5] = pieces_mut(row);
        for v in 0..5 {
            store_words(&mut codes[v], vector(load(&texts[v]), &mut found));
        }
        *last = *piece(&text[160..]);
    }
    let mut codes = [0; 16];
    for (lasts, rows) in lasts.as_chunks().0.iter().zip(rows.chunks_mut(16)) {
        let lasts: &[[u8; 2]; 16] = lasts;
        store_words(&mut codes, vector(load(bytemuck::cast_ref(lasts)), &mut found));
        rows.iter_mut().zip(codes).for_each(|([row], code)| row[80] = code);
    }
    let good = found.within(limits.digit, limits.word);
    good.then(|| Decoded { good: all_bits(starts.len()), solved: found.solved(), ..Decoded::default() })
}

/// Two tables that turn a character into a digit of base 36, in either case. The first, by the character's lower half, says
/// how far behind its upper half a place in the second is, which holds what is to be added, never more than -'0'. What is
/// no digit gets more than 35: from a place that does not suit it, or since it is behind the last digit of its 16.
const PLACES: [u8; 16] = {
    let mut table = [11; 16]; // 6 places on
    table[0] = 0; // '0' is a digit, '@' and '`' are none
    let mut lower = 10;
    while lower < 16 {
        table[lower] = 1; // ':' to '?' are no digits: 1 place on
        lower += 1;
    }
    table
};
const ADDENDS: [u8; 16] = {
    let (digit, upper, lower) = (-0x30, 10 - 0x41, 10 - 0x61);
    let table: [i8; 16] =
        [-128, -128, -128, digit, lower, upper, upper, lower, lower, digit, upper, upper, lower, lower, -128, -128];
    let mut bytes = [0; 16];
    let mut i = 0;
    while i < 16 {
        bytes[i] = table[i] as u8;
        i += 1;
    }
    bytes
};

/// The proof of both tables, as the instructions use them: with any lower bits of the next character in the upper ones.
const _: () = {
    let mut i = 0;
    while i < 256 * 8 {
        let (byte, next) = (i % 256, i / 256);
        let place = if byte < 128 { PLACES[byte % 16] as usize } else { 0 };
        let place = (((next << 5 | byte >> 3) + place) + 1) >> 1;
        let addend = if place < 128 { ADDENDS[place % 16] as i8 } else { 0 };
        let digit = (byte as u8 as i8).saturating_add(addend) as u8;
        assert!(if DIGIT36[byte] == BAD { digit > 35 } else { digit as u16 == DIGIT36[byte] });
        i += 1;
    }
};

/// Values of pairs of digits, `high` times the first plus the second.
#[derive(Clone, Copy)]
struct PairReader {
    places: __m256i,
    addends: __m256i,
    weights: __m256i,
}

impl PairReader {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(high: u8) -> Self {
        let weights = _mm256_set1_epi16(256 | i16::from(high));
        Self { places: load_table(&PLACES), addends: load_table(&ADDENDS), weights }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn read(self, text: __m256i, found: &mut Accumulated) -> __m256i {
        // The average drops the bit of the upper half that would be shifted in from the next character's third.
        let place = _mm256_avg_epu8(_mm256_srli_epi16::<3>(text), _mm256_shuffle_epi8(self.places, text));
        let digits = _mm256_adds_epi8(text, _mm256_shuffle_epi8(self.addends, place));
        found.digits(digits);
        _mm256_maddubs_epi16(digits, self.weights)
    }
}

/// A v1 value, and its clue flag in the top bit too.
const FLAG_ON_TOP: u16 = 0x8001;

/// The top four bits of such a word with one digit times this say which digit, and are not 0.
const PLACE_OF_DIGIT: u16 = 0x7b15;

/// Solved codes by [`PLACE_OF_DIGIT`], with and without the flag; 0 for an empty cell.
const SOLVED_BY_PLACE: [u8; 16] = {
    let mut table = [0; 16];
    let mut value = 2_u16;
    while value < 1024 {
        if (value >> 1).is_power_of_two() {
            let word = value.wrapping_mul(FLAG_ON_TOP);
            let place = word.wrapping_mul(PLACE_OF_DIGIT) as usize >> 12;
            let solved = 9 + (value >> 1).trailing_zeros() as u8 + 1;
            assert!(place != 0 && (table[place] == 0 || table[place] == solved));
            table[place] = solved;
        }
        value += 1;
    }
    table
};

/// v1 characters to codes.
#[derive(Clone, Copy)]
struct V1Reader {
    pairs: PairReader,
    solved_by_place: __m256i,
}

impl V1Reader {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new() -> Self {
        Self { pairs: PairReader::new(32), solved_by_place: load_table(&SOLVED_BY_PLACE) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn read(self, text: __m256i, found: &mut Accumulated) -> __m256i {
        let word = |word: u16| _mm256_set1_epi16(word as i16);
        let value = _mm256_mullo_epi16(self.pairs.read(text, found), word(FLAG_ON_TOP));
        // And-ed with itself less 2 (the other bit makes up for the one on top), such a word is 0 without a digit or with
        // one, 1 with one and the flag, 0x8001 with the flag alone, and 4 to 1021 with several digits.
        let rest = _mm256_and_si256(value, _mm256_add_epi16(value, word(0x7ffe)));
        let place = _mm256_srli_epi16::<12>(_mm256_mullo_epi16(value, word(PLACE_OF_DIGIT)));
        // 9 times that less makes a solved code that of a clue, and all else negative or, with the flag alone, 0x7ff7 and
        // more.
        let placed = _mm256_add_epi16(
            _mm256_shuffle_epi8(self.solved_by_place, place),
            _mm256_mullo_epi16(rest, word(9_u16.wrapping_neg())),
        );
        let solved = _mm256_cmpgt_epi16(placed, word(9));
        found.solved = _mm256_sub_epi16(found.solved, solved);
        // The mask plus 18: more than any placed code. With a flag it is over 0x4000, which no code is.
        let candidates = _mm256_avg_epu16(value, word(35));
        let codes = _mm256_min_epu16(placed, candidates);
        found.words(codes);
        codes
    }
}

#[target_feature(enable = "avx2")]
fn decode_v1(texts: Texts, codes: &mut [u16]) -> Decoded {
    let reader = V1Reader::new();
    each_board(texts, codes, NINE, SCALAR.decode_v1, |text, found| reader.read(text, found))
}

#[target_feature(enable = "avx2")]
fn v1_to_pairs36(texts: Texts, out: &mut [u8], pitch: usize) -> Option<u32> {
    check_rewrite(texts, 162, out, pitch);
    let reader = V1Reader::new();
    let mut found = Accumulated::nothing();
    let mut lasts = [[b'0'; 2]; 64];
    for (i, (&start, last)) in texts.starts.iter().zip(&mut lasts).enumerate() {
        prefetch::<3>(texts.bytes, start);
        let text: &[u8; 162] = piece(&texts.bytes[start as usize..]);
        let to: &mut [[_; 32]; 5] = pieces_mut(&mut out[i * pitch..]);
        for (text, to) in pieces::<_, 32, 5>(text).iter().zip(to) {
            store(to, chars36(reader.read(load(text), &mut found)));
        }
        *last = *piece(&text[160..]);
    }
    for (lasts, i) in lasts.as_chunks().0.iter().zip((0..texts.starts.len()).step_by(16)) {
        let lasts: &[[u8; 2]; 16] = lasts;
        let mut characters = [[0; 2]; 16];
        let codes = reader.read(load(bytemuck::cast_ref(lasts)), &mut found);
        store(bytemuck::cast_mut(&mut characters), chars36(codes));
        for (i, last) in (i..texts.starts.len()).zip(characters) {
            out[i * pitch + 160..][..2].copy_from_slice(&last);
        }
    }
    found.within(NINE.digit, NINE.word).then(|| found.solved())
}

#[target_feature(enable = "avx2")]
fn decode_offset32(texts: Texts, codes: &mut [u16]) -> u64 {
    let pairs = PairReader::new(32);
    let vector = |text: __m256i, found: &mut Accumulated| {
        let value = pairs.read(text, found);
        let word = |word: i16| _mm256_set1_epi16(word);
        let from = |least: i16, add: i16| _mm256_and_si256(_mm256_cmpgt_epi16(value, word(least - 1)), word(add));
        // 0 stays, 1 to 9 get 9 more, 11 to 19 get 10 less, the others 2 less.
        let steps = _mm256_add_epi16(from(1, 9), _mm256_add_epi16(from(10, -19), from(20, 8)));
        let gap = _mm256_or_si256(_mm256_cmpeq_epi16(value, word(10)), _mm256_cmpeq_epi16(value, word(20)));
        let codes = _mm256_or_si256(_mm256_add_epi16(value, steps), gap);
        found.words(codes);
        codes
    };
    each_board(texts, codes, NINE, only_good(SCALAR.decode_offset32), vector).good
}

/// A decoder that counts nothing.
#[inline(always)]
fn only_good(decode: impl Fn(Texts, &mut [u16]) -> u64) -> impl Fn(Texts, &mut [u16]) -> Decoded {
    move |texts, codes| Decoded { good: decode(texts, codes), ..Decoded::default() }
}

#[target_feature(enable = "avx2")]
fn decode_pairs36(texts: Texts, pairs: Pairs, codes: &mut [u16]) -> u64 {
    check_pairs(pairs);
    check_decode(texts, 2 * pairs.cells, codes, pairs.row);
    let (reader, limits) = (PairReader::new(36), DigitLimits { digit: 35, word: pairs.max });
    let vector = |text: __m256i, found: &mut Accumulated| {
        let codes = reader.read(text, found);
        found.words(codes);
        codes
    };
    if pairs.cells == 81 {
        let scalar = only_good(|texts, codes| (SCALAR.decode_pairs36)(texts, pairs, codes));
        return each_board(texts, codes, limits, scalar, vector).good;
    }
    let mut good = 0;
    for (i, row) in codes.chunks_exact_mut(pairs.row).take(texts.starts.len()).enumerate() {
        let mut found = Accumulated::nothing();
        let text = texts.get(i, 2 * pairs.cells);
        for cell in vector_starts(pairs.cells) {
            let codes = vector(load_text(&text[2 * cell..]), &mut found);
            store_words(piece_mut(&mut row[cell..]), codes);
        }
        good |= u64::from(found.within(limits.digit, limits.word)) << i;
    }
    good
}

/// The first 32 bytes of a slice; one with less is filled up with `0`, a good digit in every alphabet.
#[inline]
#[target_feature(enable = "avx2")]
fn load_text(text: &[u8]) -> __m256i {
    if let Some(text) = text.first_chunk() {
        return load(text);
    }
    let mut padded = [b'0'; 32];
    padded[..text.len()].copy_from_slice(text);
    load(&padded)
}

#[target_feature(enable = "avx2")]
fn decode_plain(texts: Texts, codes: &mut [u16]) -> u64 {
    check_decode(texts, 81, codes, ROW9);
    let (lower, upper) = (load_table(&PLAIN_LOWER), load_table(&PLAIN_UPPER));
    let half = _mm256_set1_epi8(15);
    let mut good = 0;
    for (i, row) in codes.as_chunks_mut::<ROW9>().0.iter_mut().take(texts.starts.len()).enumerate() {
        let text: &[u8; 81] = piece(texts.get(i, 81));
        let mut least = _mm256_set1_epi8(-1);
        for cell in [0, 32, 49] {
            let text = load(piece(&text[cell..]));
            let upper_half = _mm256_and_si256(_mm256_srli_epi16::<4>(text), half);
            let meant = _mm256_and_si256(_mm256_shuffle_epi8(lower, text), _mm256_shuffle_epi8(upper, upper_half));
            least = _mm256_min_epu8(least, meant);
            let codes = _mm256_and_si256(meant, half);
            let halves = [_mm256_castsi256_si128(codes), _mm256_extracti128_si256::<1>(codes)];
            let row: &mut [_; 2] = pieces_mut(&mut row[cell..]);
            row.iter_mut().zip(halves).for_each(|(row, half)| store_words(row, _mm256_cvtepu8_epi16(half)));
        }
        // Less than 16 leaves something.
        let faults = _mm256_subs_epu8(half, least);
        good |= u64::from(_mm256_testz_si256(faults, faults) == 1) << i;
    }
    good
}

// ---- encoding ----

/// Encodes boards of 81 pairs by `vector`, which turns 16 codes into 32 characters and marks words with codes that are not
/// held, and for the last cell by `last`, a table of characters, and `lost`. Returns a bit for each board that is held.
#[inline]
#[target_feature(enable = "avx2")]
fn each_text<const N: usize>(
    codes: &[u16],
    out: &mut [u8],
    pitch: usize,
    vector: impl Fn(__m256i, &mut __m256i) -> __m256i,
    last: &[[u8; 2]; N],
    lost: impl Fn(u16) -> bool,
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
        text[160..].copy_from_slice(&last[row[80] as usize & (N - 1)]);
        held |= u64::from(_mm256_testz_si256(marks, marks) == 1 && !lost(row[80])) << i;
    }
    held
}

/// Lower-case characters of digits below 36.
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

/// Both base-36 characters of codes.
#[inline]
#[target_feature(enable = "avx2")]
fn chars36(codes: __m256i) -> __m256i {
    let high = _mm256_mulhi_epu16(codes, _mm256_set1_epi16(HIGH_36 as i16));
    // The second digit, code - 36 high, goes to the upper byte and the first stays in the lower: code * 256 +
    // high * (1 - 36 * 256).
    let first = _mm256_mullo_epi16(high, _mm256_set1_epi16(1 - 36 * 256));
    chars(_mm256_add_epi16(_mm256_slli_epi16::<8>(codes), first))
}

/// 65536 / 36 rounded up: a product's upper half is the first digit.
const HIGH_36: u16 = 1821;

/// The proof of [`HIGH_36`].
const _: () = {
    let mut value = 0;
    while value < 1296 {
        assert!((value * HIGH_36 as u32) >> 16 == value / 36);
        value += 1;
    }
};

#[target_feature(enable = "avx2")]
fn encode_pairs36(codes: &[u16], pairs: Pairs, out: &mut [u8], pitch: usize) {
    check_pairs(pairs);
    check_encode(codes, pairs.row, 2 * pairs.cells, out, pitch);
    let vector = |codes: __m256i, _: &mut __m256i| chars36(codes);
    if pairs.cells == 81 {
        each_text(codes, out, pitch, vector, &PAIR36, |_| false);
        return;
    }
    let mut unused = _mm256_setzero_si256();
    for (i, row) in codes.chunks_exact(pairs.row).enumerate() {
        let out = &mut out[i * pitch..];
        for cell in vector_starts(pairs.cells) {
            let text = vector(load_words(piece(&row[cell..])), &mut unused);
            // With less than 16 cells this overwrites some of what follows, as it may.
            store(piece_mut(&mut out[2 * cell..]), text);
        }
    }
}

/// Both base-32 digits of 10-bit numbers, the first one in the lower byte.
#[inline]
#[target_feature(enable = "avx2")]
fn digits32(values: __m256i) -> __m256i {
    let second = _mm256_and_si256(_mm256_slli_epi16::<8>(values), _mm256_set1_epi16(0x1f00));
    _mm256_or_si256(_mm256_srli_epi16::<5>(values), second)
}

/// First v1 digits of a placed digit d at place d, second digits (of solved cells) at d + 11. The latter of 0 is -1, so that
/// adding the clue flag, which empty cells get too, makes 0 of it.
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
fn encode_v1(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
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
    let lost = |code: u16| code > 18 && (code - 18).is_power_of_two();
    each_text(codes, out, pitch, vector, &CODE_TO_V1, lost)
}

#[target_feature(enable = "avx2")]
fn encode_offset32(codes: &[u16], out: &mut [u8], pitch: usize) {
    let vector = |codes: __m256i, _: &mut __m256i| {
        let word = |word: i16| _mm256_set1_epi16(word);
        let from = |least: i16, add: i16| _mm256_and_si256(_mm256_cmpgt_epi16(codes, word(least - 1)), word(add));
        // 0 stays, clues get 10 more, solved cells 9 less, candidates 2 more.
        let steps = _mm256_add_epi16(from(1, 10), _mm256_add_epi16(from(10, -19), from(19, 11)));
        chars(digits32(_mm256_add_epi16(codes, steps)))
    };
    each_text(codes, out, pitch, vector, &CODE_TO_OFFSET32, |_| false);
}

#[target_feature(enable = "avx2")]
fn encode_plain(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
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
            // Up to 18, solved digits become digits; what is over that becomes 10, and then a blank.
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
