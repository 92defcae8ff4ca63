//! The NEON kernel: 16 cells, or 32 characters, at a time. It runs on every 64-bit ARM processor that runs an operating
//! system.
//!
//! Its loads and stores separate and combine pairs of characters, so the first and the second digits of 16 cells are a
//! vector each. Its lookups use tables of up to 64 bytes.
#![allow(unsafe_code)] // intrinsics that load and store, and the calls into functions that need their instructions

use std::arch::aarch64::*;

use super::lanes128::{Block128, Lanes128};
use crate::kernels::bounds::{check_decode, check_encode, check_pairs};
use crate::kernels::slices::{piece, piece_mut, pieces, pieces_mut, vector_starts};
use crate::kernels::tables::{CODE_TO_OFFSET32, CODE_TO_PLAIN, CODE_TO_V1, DIGIT36, DIGITS, PLAIN_LOWER, PLAIN_UPPER};
use crate::kernels::{CodecKernels, Decoded, Kernel, Pairs, ROW9, SolvingKernels, Texts};

/// The NEON kernel. It may be listed only where [`super::detected`] returns true: its functions rely on that.
pub(super) static NEON: Kernel = Kernel {
    name: "neon",
    codecs: CodecKernels {
        // SAFETY: this table is only reachable through `available()`, which lists it only if `detected()` found NEON, which
        // is all that the functions are compiled for. This holds for all nine of them.
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
        v1_to_pairs36: None,
    },
    find3: crate::kernels::scalar::find3,
    solved9: |solutions, codes, given| crate::kernels::solved9::portable(solutions, codes, given),
    compress: None,
    by_cell: None,
    instruction_set: crate::kernels::InstructionSet::Neon,
    solving: SolvingKernels {
        propagate8: crate::kernels::bytes8::portable_propagate,
        propagate16: crate::kernels::rows16::portable_propagate,
        // SAFETY: as above.
        block: |houses| Block128::boxed(unsafe { Lanes128::new() }, houses),
        narrow_block: Some(crate::kernels::bitslice::portable_block),
        few_nodes: 0,
    },
};

/// 16 codes.
type CodeVectors = [uint16x8_t; 2];

// ---- loads and stores ----

#[inline]
#[target_feature(enable = "neon")]
fn load(from: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the reference covers the 16 bytes that are read; no alignment is needed.
    unsafe { vld1q_u8(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn load_32(from: &[u8; 32]) -> uint8x16x2_t {
    let [a, b] = pieces(from);
    uint8x16x2_t(load(a), load(b))
}

/// Loads the first and the second characters of 16 pairs.
#[inline]
#[target_feature(enable = "neon")]
fn load_pairs(from: &[u8; 32]) -> uint8x16x2_t {
    // SAFETY: the reference covers the 32 bytes that are read; no alignment is needed.
    unsafe { vld2q_u8(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn load_codes(from: &[u16; 16]) -> CodeVectors {
    let [a, b]: &[[u16; 8]; 2] = pieces(from);
    // SAFETY: each reference covers the eight words that are read.
    unsafe { [vld1q_u16(a.as_ptr()), vld1q_u16(b.as_ptr())] }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(to: &mut [u8; 16], vector: uint8x16_t) {
    // SAFETY: the reference covers the 16 bytes that are written; no alignment is needed.
    unsafe { vst1q_u8(to.as_mut_ptr(), vector) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store_pairs(to: &mut [u8; 32], pairs: uint8x16x2_t) {
    // SAFETY: the reference covers the 32 bytes that are written; no alignment is needed.
    unsafe { vst2q_u8(to.as_mut_ptr(), pairs) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store_codes(to: &mut [u16; 16], codes: CodeVectors) {
    let [a, b]: &mut [[u16; 8]; 2] = pieces_mut(to);
    // SAFETY: each reference covers the eight words that are written.
    unsafe {
        vst1q_u16(a.as_mut_ptr(), codes[0]);
        vst1q_u16(b.as_mut_ptr(), codes[1]);
    }
}

// ---- decoding ----

/// What is accumulated over a record: the largest digit and the largest code, which must not be too large.
struct Accumulated {
    digits: uint8x16_t,
    words: uint16x8_t,
}

impl Accumulated {
    #[inline]
    #[target_feature(enable = "neon")]
    fn nothing() -> Self {
        Self { digits: vdupq_n_u8(0), words: vdupq_n_u16(0) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn digits(&mut self, digits: uint8x16_t) {
        self.digits = vmaxq_u8(self.digits, digits);
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn words(&mut self, words: CodeVectors) {
        self.words = vmaxq_u16(self.words, vmaxq_u16(words[0], words[1]));
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn within(self, digit: u8, word: u16) -> bool {
        vmaxvq_u8(self.digits) <= digit && vmaxvq_u16(self.words) <= word
    }
}

/// Returns the values of base-36 digits in either case; 36 and more for other characters.
#[inline]
#[target_feature(enable = "neon")]
fn digits(text: uint8x16_t) -> uint8x16_t {
    let number = vsubq_u8(text, vdupq_n_u8(b'0'));
    // Characters before 'a' wrap round to a large number, which stays large when 10 is added.
    let letter = vsubq_u8(vorrq_u8(text, vdupq_n_u8(0x20)), vdupq_n_u8(b'a'));
    vbslq_u8(vcltq_u8(number, vdupq_n_u8(10)), number, vqaddq_u8(letter, vdupq_n_u8(10)))
}

/// Decodes records of `pairs` with `vector`, which translates the digits of 16 cells to codes. Digits are at most
/// `digit`.
#[inline]
#[target_feature(enable = "neon")]
fn decode_boards(
    texts: Texts,
    pairs: Pairs,
    digit: u8,
    codes: &mut [u16],
    vector: impl Fn(uint8x16_t, uint8x16_t, &mut Accumulated) -> CodeVectors,
) -> u64 {
    check_decode(texts, 2 * pairs.cells, codes, pairs.row);
    let mut good = 0;
    for (i, row) in codes.chunks_exact_mut(pairs.row).take(texts.starts.len()).enumerate() {
        let text = texts.get(i, 2 * pairs.cells);
        let mut found = Accumulated::nothing();
        for cell in vector_starts(pairs.cells) {
            let uint8x16x2_t(first, second) = load_text(&text[2 * cell..]);
            let (first, second) = (digits(first), digits(second));
            found.digits(vmaxq_u8(first, second));
            let codes = vector(first, second, &mut found);
            found.words(codes);
            store_codes(piece_mut(&mut row[cell..]), codes);
        }
        good |= u64::from(found.within(digit, pairs.max)) << i;
    }
    good
}

/// Loads the first 16 pairs of a slice; a shorter one is padded with `0`, a good digit in every alphabet.
#[inline]
#[target_feature(enable = "neon")]
fn load_text(text: &[u8]) -> uint8x16x2_t {
    if let Some(text) = text.first_chunk() {
        return load_pairs(text);
    }
    let mut padded = [b'0'; 32];
    padded[..text.len()].copy_from_slice(text);
    load_pairs(&padded)
}

/// The cell's digit for each base-32 digit of a mask with one bit: for the first by its value, at most 31, and for the
/// second by half its value, at most 15.
const DIGIT_OF_FIRST: [u8; 32] = digit_of_bit(5);
const DIGIT_OF_SECOND: [u8; 16] = digit_of_bit(1);

const fn digit_of_bit<const N: usize>(lowest: u8) -> [u8; N] {
    let mut table = [0; N];
    let mut bit = 0;
    while 1 << bit < N {
        table[1 << bit] = lowest + bit;
        bit += 1;
    }
    table
}

#[target_feature(enable = "neon")]
fn decode_v1(texts: Texts, codes: &mut [u16]) -> Decoded {
    let (of_first, of_second) = (load_32(&DIGIT_OF_FIRST), load(&DIGIT_OF_SECOND));
    let (one, nine) = (vdupq_n_u8(1), vdupq_n_u8(9));
    let vector = |first: uint8x16_t, second: uint8x16_t, found: &mut Accumulated| {
        let half = vshrq_n_u8::<1>(second);
        let bits = vaddq_u8(vcntq_u8(first), vcntq_u8(half));
        let single = vceqq_u8(bits, one);
        let clue = vtstq_u8(second, one);
        found.digits(vbicq_u8(clue, single));
        let digit = vaddq_u8(vqtbl2q_u8(of_first, first), vqtbl1q_u8(of_second, half));
        let placed = vandq_u8(single, vaddq_u8(digit, vbicq_u8(nine, clue)));
        let several = vcgtq_u8(bits, one);
        let code = |first: uint8x8_t, half: uint8x8_t, placed: uint8x8_t, several: uint8x8_t| {
            let mask = vaddw_u8(vshll_n_u8::<4>(first), half);
            let candidates = vaddq_u16(mask, vdupq_n_u16(18));
            vbslq_u16(widen_mask(several), candidates, vmovl_u8(placed))
        };
        [
            code(vget_low_u8(first), vget_low_u8(half), vget_low_u8(placed), vget_low_u8(several)),
            code(vget_high_u8(first), vget_high_u8(half), vget_high_u8(placed), vget_high_u8(several)),
        ]
    };
    let good = decode_boards(texts, Pairs::NINE, 31, codes, vector);
    let solved = codes.as_chunks::<ROW9>().0.iter().take(texts.starts.len()).enumerate().map(|(i, row)| {
        let solved: u16 = row[..81].iter().map(|&code| u16::from(code.wrapping_sub(10) < 9)).sum();
        u32::from(solved) * (good >> i & 1) as u32
    });
    Decoded { good, solved: solved.sum(), ..Decoded::default() }
}

/// Widens bytes of all or no bits to words of all or no bits.
#[inline]
#[target_feature(enable = "neon")]
fn widen_mask(mask: uint8x8_t) -> uint16x8_t {
    vreinterpretq_u16_s16(vmovl_s8(vreinterpret_s8_u8(mask)))
}

#[target_feature(enable = "neon")]
fn decode_offset32(texts: Texts, codes: &mut [u16]) -> u64 {
    let code = |first: uint8x8_t, second: uint8x8_t| {
        let value = vaddw_u8(vshll_n_u8::<5>(first), second);
        let word = |word: u16| vdupq_n_u16(word);
        let from = |least: u16, add: u16| vandq_u16(vcgeq_u16(value, word(least)), word(add));
        // 0 stays, 9 is added to 1 to 9, 10 is subtracted from 11 to 19, and 2 from the others.
        let steps = vaddq_u16(from(1, 9), vaddq_u16(from(10, 19_u16.wrapping_neg()), from(20, 8)));
        let gap = vorrq_u16(vceqq_u16(value, word(10)), vceqq_u16(value, word(20)));
        vorrq_u16(vaddq_u16(value, steps), gap)
    };
    let vector = |first: uint8x16_t, second: uint8x16_t, _: &mut Accumulated| {
        [code(vget_low_u8(first), vget_low_u8(second)), code(vget_high_u8(first), vget_high_u8(second))]
    };
    decode_boards(texts, Pairs::NINE, 31, codes, vector)
}

#[target_feature(enable = "neon")]
fn decode_pairs36(texts: Texts, pairs: Pairs, codes: &mut [u16]) -> u64 {
    check_pairs(pairs);
    let code = |first: uint8x8_t, second: uint8x8_t| vaddw_u8(vmull_u8(first, vdup_n_u8(36)), second);
    let vector = |first: uint8x16_t, second: uint8x16_t, _: &mut Accumulated| {
        [code(vget_low_u8(first), vget_low_u8(second)), code(vget_high_u8(first), vget_high_u8(second))]
    };
    decode_boards(texts, pairs, 35, codes, vector)
}

#[target_feature(enable = "neon")]
fn decode_plain(texts: Texts, codes: &mut [u16]) -> u64 {
    check_decode(texts, 81, codes, ROW9);
    let (lower, upper, half) = (load(&PLAIN_LOWER), load(&PLAIN_UPPER), vdupq_n_u8(15));
    let mut good = 0;
    for (i, row) in codes.as_chunks_mut::<ROW9>().0.iter_mut().take(texts.starts.len()).enumerate() {
        let text: &[u8; 81] = piece(texts.get(i, 81));
        let mut least = vdupq_n_u8(u8::MAX);
        for cell in vector_starts(81) {
            let text = load(piece(&text[cell..]));
            let lower = vqtbl1q_u8(lower, vandq_u8(text, half));
            let meant = vandq_u8(lower, vqtbl1q_u8(upper, vshrq_n_u8::<4>(text)));
            least = vminq_u8(least, meant);
            let codes = vandq_u8(meant, half);
            store_codes(piece_mut(&mut row[cell..]), [vmovl_u8(vget_low_u8(codes)), vmovl_high_u8(codes)]);
        }
        good |= u64::from(vminvq_u8(least) >= 16) << i;
    }
    good
}

// ---- encoding ----

/// Encodes boards of `pairs` with `vector`, which translates 16 codes to their first and second digits and marks words
/// whose codes cannot be represented. Returns one bit for each board: whether all of it could be represented.
#[inline]
#[target_feature(enable = "neon")]
fn encode_boards(
    codes: &[u16],
    pairs: Pairs,
    out: &mut [u8],
    pitch: usize,
    vector: impl Fn(CodeVectors, &mut uint16x8_t) -> [uint8x16_t; 2],
) -> u64 {
    check_encode(codes, pairs.row, 2 * pairs.cells, out, pitch);
    let chars = CHARS.each_ref().map(|chars| load(chars));
    let chars = uint8x16x3_t(chars[0], chars[1], chars[2]);
    let mut held = 0;
    for (i, row) in codes.chunks_exact(pairs.row).enumerate() {
        let text = &mut out[i * pitch..];
        let mut marks = vdupq_n_u16(0);
        for cell in vector_starts(pairs.cells) {
            let [first, second] = vector(load_codes(piece(&row[cell..])), &mut marks);
            let text_pairs = uint8x16x2_t(vqtbl3q_u8(chars, first), vqtbl3q_u8(chars, second));
            // With fewer than 16 cells this overwrites some of what follows, which encoders may do.
            store_pairs(piece_mut(&mut text[2 * cell..]), text_pairs);
        }
        held |= u64::from(vmaxvq_u16(marks) == 0) << i;
    }
    held
}

/// The lower-case characters of the digits.
const CHARS: [[u8; 16]; 3] = {
    let mut chars = [[0; 16]; 3];
    let mut digit = 0;
    while digit < 36 {
        chars[digit / 16][digit % 16] = DIGITS[digit];
        digit += 1;
    }
    chars
};

/// Returns the lower bytes of 16 words.
#[inline]
#[target_feature(enable = "neon")]
fn narrow_to_bytes(words: CodeVectors) -> uint8x16_t {
    vmovn_high_u16(vmovn_u16(words[0]), words[1])
}

/// Returns 16 words as bytes; those over 255 become 255.
#[inline]
#[target_feature(enable = "neon")]
fn narrow_saturated(words: CodeVectors) -> uint8x16_t {
    vqmovn_high_u16(vqmovn_u16(words[0]), words[1])
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

#[target_feature(enable = "neon")]
fn encode_pairs36(codes: &[u16], pairs: Pairs, out: &mut [u8], pitch: usize) {
    check_pairs(pairs);
    let first = |codes: uint16x8_t| {
        let low = vmull_n_u16(vget_low_u16(codes), HIGH_36);
        vshrn_high_n_u32::<16>(vshrn_n_u32::<16>(low), vmull_high_n_u16(codes, HIGH_36))
    };
    let vector = |codes: CodeVectors, _: &mut uint16x8_t| {
        let firsts = codes.map(first);
        let seconds = [0, 1].map(|i| vmlsq_n_u16(codes[i], firsts[i], 36));
        [narrow_to_bytes(firsts), narrow_to_bytes(seconds)]
    };
    encode_boards(codes, pairs, out, pitch, vector);
}

/// Returns the first and second base-32 digits of the codes without candidates, taken from the characters of a format.
const fn digits_of(pairs: &[[u8; 2]; 1024]) -> [[u8; 32]; 2] {
    let mut table = [[0; 32]; 2];
    let mut code = 0;
    while code < 19 {
        table[0][code] = DIGIT36[pairs[code][0] as usize] as u8;
        table[1][code] = DIGIT36[pairs[code][1] as usize] as u8;
        code += 1;
    }
    table
}

const V1_DIGITS: [[u8; 32]; 2] = digits_of(&CODE_TO_V1);
const OFFSET32_DIGITS: [[u8; 32]; 2] = digits_of(&CODE_TO_OFFSET32);

/// Returns base-32 digits: those in `candidates` for codes of candidates, and those of the table for other codes.
#[inline]
#[target_feature(enable = "neon")]
fn digits32(codes: CodeVectors, candidates: [uint8x16_t; 2], table: &[[u8; 32]; 2]) -> [uint8x16_t; 2] {
    let placed = narrow_saturated(codes);
    let is_candidates = vcgtq_u8(placed, vdupq_n_u8(18));
    [0, 1].map(|i| vbslq_u8(is_candidates, candidates[i], vqtbl2q_u8(load_32(&table[i]), placed)))
}

#[target_feature(enable = "neon")]
fn encode_v1(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
    let word = |word: u16| vdupq_n_u16(word);
    let vector = |codes: CodeVectors, marks: &mut uint16x8_t| {
        let masks = codes.map(|codes| vsubq_u16(codes, word(18)));
        for i in 0..2 {
            let several = vtstq_u16(masks[i], vsubq_u16(masks[i], word(1)));
            *marks = vorrq_u16(*marks, vbicq_u16(vcgtq_u16(codes[i], word(18)), several));
        }
        let first = narrow_to_bytes(masks.map(|mask| vshrq_n_u16::<4>(mask)));
        let second = vshlq_n_u8::<1>(vandq_u8(narrow_to_bytes(masks), vdupq_n_u8(15)));
        digits32(codes, [first, second], &V1_DIGITS)
    };
    encode_boards(codes, Pairs::NINE, out, pitch, vector)
}

#[target_feature(enable = "neon")]
fn encode_offset32(codes: &[u16], out: &mut [u8], pitch: usize) {
    let vector = |codes: CodeVectors, _: &mut uint16x8_t| {
        let values = codes.map(|codes| vaddq_u16(codes, vdupq_n_u16(2)));
        let first = narrow_to_bytes(values.map(|value| vshrq_n_u16::<5>(value)));
        digits32(codes, [first, vandq_u8(narrow_to_bytes(values), vdupq_n_u8(31))], &OFFSET32_DIGITS)
    };
    encode_boards(codes, Pairs::NINE, out, pitch, vector);
}

#[target_feature(enable = "neon")]
fn encode_plain(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
    check_encode(codes, ROW9, 81, out, pitch);
    let chars = load_32(piece(&CODE_TO_PLAIN));
    let mut held = 0;
    for (i, row) in codes.as_chunks::<ROW9>().0.iter().enumerate() {
        let text: &mut [u8; 81] = piece_mut(&mut out[i * pitch..]);
        let mut most = vdupq_n_u16(0);
        for cell in vector_starts(81) {
            let codes = load_codes(piece(&row[cell..]));
            most = vmaxq_u16(most, vmaxq_u16(codes[0], codes[1]));
            // Large codes become 31, which is a blank, like all codes from 19 on.
            let places = vminq_u8(narrow_saturated(codes), vdupq_n_u8(31));
            store(piece_mut(&mut text[cell..]), vqtbl2q_u8(chars, places));
        }
        held |= u64::from(vmaxvq_u16(most) <= 9) << i;
    }
    held
}
