//! Decodes characters to codes.

use std::arch::x86_64::*;

use super::vectors::{load, load_table, store_words};
use crate::kernels::bounds::{check_decode, check_pairs};
use crate::kernels::prefetch::prefetch;
use crate::kernels::slices::{piece, piece_mut, pieces, pieces_mut, vector_starts};
use crate::kernels::tables::{BAD, DIGIT36, PLAIN_LOWER, PLAIN_UPPER};
use crate::kernels::x86_64::decode_groups::decode_in_groups;
use crate::kernels::{Decoded, Pairs, ROW9, SCALAR, Texts, all_bits};

/// What is accumulated over records: the largest digit and number, which must not be too large, and the count of solved
/// cells.
#[derive(Clone, Copy)]
pub(super) struct Accumulated256 {
    digits: __m256i,
    words: __m256i,
    solved: __m256i,
}

impl Accumulated256 {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn nothing() -> Self {
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
    pub(super) fn within(self, digit: u8, word: u16) -> bool {
        let digits = _mm256_subs_epu8(self.digits, _mm256_set1_epi8(digit as i8));
        let words = _mm256_subs_epu16(self.words, _mm256_set1_epi16(word as i16));
        let over = _mm256_or_si256(digits, words);
        _mm256_testz_si256(over, over) == 1
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn solved(self) -> u32 {
        let mut counts = [0_u16; 16];
        store_words(&mut counts, self.solved);
        counts.into_iter().map(u32::from).sum()
    }
}

/// The maximum of a digit and of a number.
#[derive(Clone, Copy)]
pub(super) struct DigitLimits {
    pub(super) digit: u8,
    pub(super) word: u16,
}

/// The limits for codes of side 9 from base-32 digits.
pub(super) const NINE: DigitLimits = DigitLimits { digit: 31, word: 529 };

/// Decodes boards of 81 pairs of characters with `vector`, which translates those of 16 cells to codes.
///
/// A board fills five vectors and leaves one cell; these last cells are collected and decoded at the end.
#[inline]
#[target_feature(enable = "avx2")]
fn decode_boards(
    texts: Texts,
    codes: &mut [u16],
    limits: DigitLimits,
    scalar: impl Fn(Texts, &mut [u16]) -> Decoded,
    vector: impl Fn(__m256i, &mut Accumulated256) -> __m256i,
) -> Decoded {
    decode_in_groups(texts, codes, scalar, |text, starts, rows| decode_group(text, starts, rows, limits, &vector))
}

/// Decodes at most 64 boards. Returns `None` if any of them must be rejected.
#[inline]
#[target_feature(enable = "avx2")]
fn decode_group(
    text: &[u8],
    starts: &[[u32; 1]],
    rows: &mut [[[u16; ROW9]; 1]],
    limits: DigitLimits,
    vector: impl Fn(__m256i, &mut Accumulated256) -> __m256i,
) -> Option<Decoded> {
    let mut found = Accumulated256::nothing();
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

/// Two tables that translate a character to a digit of base 36, in either case. The first is indexed by the lower half
/// of the character and gives a distance, which is added to its upper half to get an index of the second. The second
/// table has what must be added to the character, never more than -'0'. Characters that are not digits get more than
/// 35: either the entry of the second table does not fit them, or they come after the last digit of their 16.
const PLACES: [u8; 16] = {
    let mut table = [11; 16]; // a distance of 6
    table[0] = 0; // '0' is a digit, '@' and '`' are not
    let mut lower = 10;
    while lower < 16 {
        table[lower] = 1; // ':' to '?' are not digits: a distance of 1
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

/// Proves both tables at compile time, in the way that the instructions use them: the upper bits contain any lower bits
/// of the next character.
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

/// Computes the values of pairs of digits: `high` times the first plus the second.
#[derive(Clone, Copy)]
struct PairReader256 {
    places: __m256i,
    addends: __m256i,
    weights: __m256i,
}

impl PairReader256 {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(high: u8) -> Self {
        let weights = _mm256_set1_epi16(256 | i16::from(high));
        Self { places: load_table(&PLACES), addends: load_table(&ADDENDS), weights }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn read(self, text: __m256i, found: &mut Accumulated256) -> __m256i {
        // The shift moves a bit of the next character into the upper half; the average drops it.
        let place = _mm256_avg_epu8(_mm256_srli_epi16::<3>(text), _mm256_shuffle_epi8(self.places, text));
        let digits = _mm256_adds_epi8(text, _mm256_shuffle_epi8(self.addends, place));
        found.digits(digits);
        _mm256_maddubs_epi16(digits, self.weights)
    }
}

/// Multiplies a v1 value so that its clue flag is also in the top bit.
const FLAG_ON_TOP: u16 = 0x8001;

/// The top four bits of such a word with one digit, multiplied by this, are not 0 and tell which digit it is.
const PLACE_OF_DIGIT: u16 = 0x7b15;

/// Codes of solved cells, indexed with [`PLACE_OF_DIGIT`], with and without the flag; 0 for an empty cell.
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

/// Decodes v1 characters to codes.
#[derive(Clone, Copy)]
pub(super) struct V1Reader256 {
    pairs: PairReader256,
    solved_by_place: __m256i,
}

impl V1Reader256 {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn new() -> Self {
        Self { pairs: PairReader256::new(32), solved_by_place: load_table(&SOLVED_BY_PLACE) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn read(self, text: __m256i, found: &mut Accumulated256) -> __m256i {
        let word = |word: u16| _mm256_set1_epi16(word as i16);
        let value = _mm256_mullo_epi16(self.pairs.read(text, found), word(FLAG_ON_TOP));
        // And-ed with itself less 2 (the other bit makes up for the flag in the top bit), such a word is 0 without a
        // digit or with one, 1 with one digit and the flag, 0x8001 with the flag alone, and 4 to 1021 with several
        // digits.
        let rest = _mm256_and_si256(value, _mm256_add_epi16(value, word(0x7ffe)));
        let place = _mm256_srli_epi16::<12>(_mm256_mullo_epi16(value, word(PLACE_OF_DIGIT)));
        // Subtracting 9 times this value turns the code of a solved cell into that of a clue. Everything else becomes
        // negative, or at least 0x7ff7 with the flag alone.
        let placed = _mm256_add_epi16(
            _mm256_shuffle_epi8(self.solved_by_place, place),
            _mm256_mullo_epi16(rest, word(9_u16.wrapping_neg())),
        );
        let solved = _mm256_cmpgt_epi16(placed, word(9));
        found.solved = _mm256_sub_epi16(found.solved, solved);
        // The mask plus 18 is greater than any code of a placed digit. With a flag it is over 0x4000, which is not a
        // code.
        let candidates = _mm256_avg_epu16(value, word(35));
        let codes = _mm256_min_epu16(placed, candidates);
        found.words(codes);
        codes
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn decode_v1(texts: Texts, codes: &mut [u16]) -> Decoded {
    let reader = V1Reader256::new();
    decode_boards(texts, codes, NINE, SCALAR.codecs.decode_v1, |text, found| reader.read(text, found))
}

#[target_feature(enable = "avx2")]
pub(super) fn decode_offset32(texts: Texts, codes: &mut [u16]) -> u64 {
    let pairs = PairReader256::new(32);
    let vector = |text: __m256i, found: &mut Accumulated256| {
        let value = pairs.read(text, found);
        let word = |word: i16| _mm256_set1_epi16(word);
        let from = |least: i16, add: i16| _mm256_and_si256(_mm256_cmpgt_epi16(value, word(least - 1)), word(add));
        // 0 stays, 9 is added to 1 to 9, 10 is subtracted from 11 to 19, and 2 from the others.
        let steps = _mm256_add_epi16(from(1, 9), _mm256_add_epi16(from(10, -19), from(20, 8)));
        let gap = _mm256_or_si256(_mm256_cmpeq_epi16(value, word(10)), _mm256_cmpeq_epi16(value, word(20)));
        let codes = _mm256_or_si256(_mm256_add_epi16(value, steps), gap);
        found.words(codes);
        codes
    };
    decode_boards(texts, codes, NINE, only_good(SCALAR.codecs.decode_offset32), vector).good
}

/// Makes a decoder that does not count solved cells.
#[inline(always)]
fn only_good(decode: impl Fn(Texts, &mut [u16]) -> u64) -> impl Fn(Texts, &mut [u16]) -> Decoded {
    move |texts, codes| Decoded { good: decode(texts, codes), ..Decoded::default() }
}

#[target_feature(enable = "avx2")]
pub(super) fn decode_pairs36(texts: Texts, pairs: Pairs, codes: &mut [u16]) -> u64 {
    check_pairs(pairs);
    check_decode(texts, 2 * pairs.cells, codes, pairs.row);
    let (reader, limits) = (PairReader256::new(36), DigitLimits { digit: 35, word: pairs.max });
    let vector = |text: __m256i, found: &mut Accumulated256| {
        let codes = reader.read(text, found);
        found.words(codes);
        codes
    };
    if pairs.cells == 81 {
        let scalar = only_good(|texts, codes| (SCALAR.codecs.decode_pairs36)(texts, pairs, codes));
        return decode_boards(texts, codes, limits, scalar, vector).good;
    }
    let mut good = 0;
    for (i, row) in codes.chunks_exact_mut(pairs.row).take(texts.starts.len()).enumerate() {
        let mut found = Accumulated256::nothing();
        let text = texts.get(i, 2 * pairs.cells);
        for cell in vector_starts(pairs.cells) {
            let codes = vector(load_text(&text[2 * cell..]), &mut found);
            store_words(piece_mut(&mut row[cell..]), codes);
        }
        good |= u64::from(found.within(limits.digit, limits.word)) << i;
    }
    good
}

/// Loads the first 32 bytes of a slice; a shorter one is padded with `0`, a good digit in every alphabet.
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
pub(super) fn decode_plain(texts: Texts, codes: &mut [u16]) -> u64 {
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
        // Values below 16 give a result that is not 0.
        let faults = _mm256_subs_epu8(half, least);
        good |= u64::from(_mm256_testz_si256(faults, faults) == 1) << i;
    }
    good
}
