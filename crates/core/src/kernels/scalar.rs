//! The kernel in plain Rust, with one table lookup for each character or cell. It is the fallback, and the reference
//! for the tests of the other kernels.

use super::bitslice::portable_block;
use super::tables::{
    BAD, CODE_TO_OFFSET32, CODE_TO_PLAIN, CODE_TO_V1, DIGIT32, DIGIT36, OFFSET32_TO_CODE, PAIR36, PLAIN_TO_CODE,
    TIMES32, TIMES36, V1_TO_CODE,
};
use super::{CodecKernels, Decoded, Kernel, Pairs, ROW9, SolvingKernels, Texts, bytes8, rewrite, rows16, solved9};

/// The scalar kernel.
pub static SCALAR: Kernel = Kernel {
    name: "scalar",
    codecs: CodecKernels {
        decode_v1,
        encode_v1,
        decode_pairs36,
        encode_pairs36,
        decode_offset32,
        encode_offset32,
        decode_plain,
        encode_plain,
        v1_to_pairs36: Some(rewrite::v1_to_pairs36),
    },
    find3,
    solved9: |solutions, codes, given| solved9::portable(solutions, codes, given),
    compress: None,
    by_cell: None,
    instruction_set: super::InstructionSet::Baseline,
    solving: SolvingKernels {
        propagate8: bytes8::portable_propagate,
        propagate16: rows16::portable_propagate,
        block: portable_block,
        narrow_block: None,
        few_nodes: if cfg!(target_arch = "x86_64") { 4 } else { 0 },
    },
};

pub(super) fn find3(text: &[u8], [a, b, c]: [u8; 3], out: &mut [u32]) -> (usize, bool) {
    let found = memchr::memchr3_iter(a, b, c, text);
    let count = found.zip(out).map(|(at, out)| *out = at as u32).count();
    (count, memchr::memchr(c, text).is_some())
}

/// Decodes every record with `row`, which fills a row of codes and returns marks: if [`BAD`] is among them, the record
/// is rejected.
#[inline(always)]
fn decode_rows(
    texts: Texts,
    width: usize,
    pitch: usize,
    codes: &mut [u16],
    row: impl Fn(&[u8], &mut [u16]) -> u16,
) -> u64 {
    let mut good = 0;
    for (i, codes) in codes.chunks_exact_mut(pitch).take(texts.starts.len()).enumerate() {
        let marks = row(texts.get(i, width), codes);
        good |= u64::from(marks & BAD == 0) << i;
    }
    good
}

/// Decodes two base-32 digits per cell; `map` translates their value to a code.
#[inline(always)]
fn decode_pairs32(texts: Texts, codes: &mut [u16], map: &[u16; 1024]) -> u64 {
    decode_rows(texts, 162, ROW9, codes, |text, codes| {
        let mut marks = 0;
        for (pair, code) in text.chunks_exact(2).zip(codes) {
            let value = TIMES32[pair[0] as usize] | DIGIT32[pair[1] as usize];
            *code = map[value as usize & 1023];
            marks |= value | *code;
        }
        marks
    })
}

fn decode_v1(texts: Texts, codes: &mut [u16]) -> Decoded {
    let good = decode_pairs32(texts, codes, &V1_TO_CODE);
    let solved = codes
        .chunks_exact(ROW9)
        .take(texts.starts.len())
        .enumerate()
        .filter(|(i, _)| good >> i & 1 == 1)
        .map(|(_, row)| row[..81].iter().filter(|&&code| code.wrapping_sub(10) < 9).count() as u32)
        .sum();
    Decoded { good, solved, ..Decoded::default() }
}

fn decode_offset32(texts: Texts, codes: &mut [u16]) -> u64 {
    decode_pairs32(texts, codes, &OFFSET32_TO_CODE)
}

fn decode_pairs36(texts: Texts, pairs: Pairs, codes: &mut [u16]) -> u64 {
    decode_rows(texts, 2 * pairs.cells, pairs.row, codes, |text, codes| {
        let mut marks = 0;
        for (pair, code) in text.chunks_exact(2).zip(codes) {
            // The sum of two marks would overflow, so the digits are or-ed for their marks and added for their value.
            let (high, low) = (TIMES36[pair[0] as usize], DIGIT36[pair[1] as usize]);
            *code = high.wrapping_add(low);
            marks |= high | low | if *code > pairs.max { BAD } else { 0 };
        }
        marks
    })
}

fn decode_plain(texts: Texts, codes: &mut [u16]) -> u64 {
    decode_rows(texts, 81, ROW9, codes, |text, codes| {
        let mut marks = 0;
        for (&byte, code) in text.iter().zip(codes) {
            *code = PLAIN_TO_CODE[byte as usize];
            marks |= *code;
        }
        marks
    })
}

/// Writes two characters per cell from a table that covers every number below its length, a power of two.
#[inline(always)]
fn encode_pairs<const N: usize>(codes: &[u16], pairs: Pairs, out: &mut [u8], pitch: usize, table: &[[u8; 2]; N]) {
    for (i, codes) in codes.chunks_exact(pairs.row).enumerate() {
        let text = &mut out[i * pitch..][..2 * pairs.cells];
        for (pair, &code) in text.chunks_exact_mut(2).zip(codes) {
            pair.copy_from_slice(&table[code as usize & (N - 1)]);
        }
    }
}

/// Returns one bit for each row of side 9: whether `held` is true of all its codes. It checks all of them: on mixed
/// boards, stopping at the first failure costs a mispredicted branch, which is more than the rest of the row.
#[inline(always)]
fn rows_where(codes: &[u16], held: impl Fn(u16) -> bool) -> u64 {
    let rows = codes.as_chunks::<ROW9>().0.iter().enumerate();
    rows.fold(0, |bits, (i, row)| bits | u64::from(row[..81].iter().fold(true, |all, &code| all & held(code))) << i)
}

fn encode_v1(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
    encode_pairs(codes, Pairs::NINE, out, pitch, &CODE_TO_V1);
    rows_where(codes, |code| {
        let mask = code.wrapping_sub(18);
        (mask & mask.wrapping_sub(1) != 0) | (code <= 18)
    })
}

fn encode_pairs36(codes: &[u16], pairs: Pairs, out: &mut [u8], pitch: usize) {
    encode_pairs(codes, pairs, out, pitch, &PAIR36);
}

fn encode_offset32(codes: &[u16], out: &mut [u8], pitch: usize) {
    encode_pairs(codes, Pairs::NINE, out, pitch, &CODE_TO_OFFSET32);
}

fn encode_plain(codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
    for (i, codes) in codes.chunks_exact(ROW9).enumerate() {
        for (byte, &code) in out[i * pitch..][..81].iter_mut().zip(codes) {
            *byte = CODE_TO_PLAIN[code as usize & 1023];
        }
    }
    rows_where(codes, |code| code < 10)
}
