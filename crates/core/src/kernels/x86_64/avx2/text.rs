//! Transposes puzzles in text to slices of 256 bits: 16 cells of 32 puzzles at a time are transposed as bytes, looked
//! up as candidates, and split bit by bit.
#![expect(unsafe_code)] // intrinsics that load

use std::arch::x86_64::*;

use super::vector::Lanes256;
use crate::kernels::bitslice::{BitVector, BlockState};

/// The start cells of the squares of 16 cells that cover a puzzle; of the last square, only cell 80 is new.
const STARTS: [usize; 6] = [0, 16, 32, 48, 64, 65];

/// The candidates 1 to 8 for each digit of a cell; index 10 is for bytes that are not digits.
const EIGHT: [u8; 16] = [255, 1, 2, 4, 8, 16, 32, 64, 128, 0, 255, 0, 0, 0, 0, 0];
/// Candidate 9, in the highest bit, with the same index.
const NINTH: [u8; 16] = [128, 0, 0, 0, 0, 0, 0, 0, 0, 128, 128, 0, 0, 0, 0, 0];

#[inline]
#[target_feature(enable = "avx2")]
fn halves(bytes: &[u8; 16]) -> __m256i {
    // SAFETY: the reference covers the 16 bytes that are read.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

/// Returns the cells `start..start + 16` of 32 puzzles: vector `c` has cell `start + c` of puzzle `p` in byte `p`.
#[inline]
#[target_feature(enable = "avx2")]
fn cells(text: &[u8], pitch: usize, first: usize, start: usize) -> [__m256i; 16] {
    assert!((first + 31) * pitch + start + 16 <= text.len());
    // SAFETY: for each of at most 32 puzzles from `first` on, 16 bytes are read, which end within the text by the
    // assertion.
    let of = |p: usize| unsafe { _mm_loadu_si128(text.as_ptr().add((first + p) * pitch + start).cast()) };
    let mut rows = [_mm256_setzero_si256(); 16];
    for (i, row) in rows.iter_mut().enumerate() {
        *row = _mm256_set_m128i(of(16 + i), of(i));
    }
    // Interleaving the bytes of rows that are eight apart, four times, exchanges rows and columns of each half.
    for _ in 0..4 {
        let mut next = rows;
        for i in 0..8 {
            next[2 * i] = _mm256_unpacklo_epi8(rows[i], rows[i + 8]);
            next[2 * i + 1] = _mm256_unpackhi_epi8(rows[i], rows[i + 8]);
        }
        rows = next;
    }
    rows
}

/// Implements [`crate::kernels::bitslice::Block::load_text`].
#[target_feature(enable = "avx2")]
pub(super) fn load_text(v: Lanes256, state: &mut BlockState<Lanes256>, text: &[u8], pitch: usize) {
    let (eight, ninth) = (halves(&EIGHT), halves(&NINTH));
    for start in STARTS {
        // Indexed by cell, digit and group of 32 puzzles.
        let mut slices = [[[0; 8]; 9]; 16];
        for g in 0..8 {
            for (byte, slices) in cells(text, pitch, 32 * g, start).into_iter().zip(&mut slices) {
                // A digit is the smaller of the byte and the byte xor '0'; no other byte gets below 10 this way.
                let digit = _mm256_min_epu8(byte, _mm256_xor_si256(byte, _mm256_set1_epi8(b'0' as i8)));
                let digit = _mm256_min_epu8(digit, _mm256_set1_epi8(10));
                slices[8][g] = _mm256_movemask_epi8(_mm256_shuffle_epi8(ninth, digit)) as u32;
                let mut bits = _mm256_shuffle_epi8(eight, digit);
                for d in (0..8).rev() {
                    slices[d][g] = _mm256_movemask_epi8(bits) as u32;
                    bits = _mm256_add_epi8(bits, bits);
                }
            }
        }
        let known = if start == 65 { 15 } else { 0 };
        for (c, slices) in slices.iter().enumerate().skip(known) {
            let (row, column) = ((start + c) / 9, (start + c) % 9);
            let (b, i) = (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
            for (d, slice) in slices.iter().enumerate() {
                state.candidates[b][d][i] = v.load(slice);
            }
        }
    }
}
