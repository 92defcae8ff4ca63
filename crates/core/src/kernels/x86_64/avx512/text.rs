//! Transposes puzzles in text to slices of 512 bits: 16 cells of 64 puzzles at a time are transposed as bytes, looked
//! up as candidates, and transposed as bits.
#![expect(unsafe_code)] // intrinsics that load
#![expect(clippy::needless_range_loop)] // the index is one of several arrays

use std::arch::x86_64::*;

use super::vector::Lanes512;
use super::vectors::store;
use crate::kernels::ROW9;
use crate::kernels::bitslice::BlockState;
use crate::kernels::cells9::BOARDS;

/// The start cells of the squares of 16 cells that cover a puzzle; of the last square, only cell 80 is new.
const STARTS: [usize; 6] = [0, 16, 32, 48, 64, 65];

/// The candidates 1 to 8 for each digit of a cell; index 10 is for bytes that are not digits.
const EIGHT: [u8; 16] = [255, 1, 2, 4, 8, 16, 32, 64, 128, 0, 255, 0, 0, 0, 0, 0];
/// Candidate 9, in the highest bit, with the same index.
const NINTH: [u8; 16] = [128, 0, 0, 0, 0, 0, 0, 0, 0, 128, 128, 0, 0, 0, 0, 0];
/// The byte indices of a quarter with each half reversed.
const REVERSED: [u8; 16] = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];

/// Byte `8 i + k` comes from byte `8 k + i`.
static SQUARE: [u8; 64] = {
    let mut places = [0; 64];
    let mut i = 0;
    while i < 64 {
        places[i] = (i % 8 * 8 + i / 8) as u8;
        i += 1;
    }
    places
};

#[inline]
#[target_feature(enable = "avx512f")]
fn quarters(bytes: &[u8; 16]) -> __m512i {
    // SAFETY: the reference covers the 16 bytes that are read.
    _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the reference covers the 64 bytes that are read.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Returns the cells `start..start + 16` of 64 puzzles: vector `c` has cell `start + c` of puzzle `p` in byte `p`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
fn cells(text: &[u8], pitch: usize, first: usize, start: usize) -> [__m512i; 16] {
    assert!((first + 63) * pitch + start + 16 <= text.len());
    // SAFETY: for each of at most 64 puzzles from `first` on, 16 bytes are read, which end within the text by the
    // assertion.
    let of = |p: usize| unsafe { _mm_loadu_si128(text.as_ptr().add((first + p) * pitch + start).cast()) };
    let mut rows = [_mm512_setzero_si512(); 16];
    for (i, row) in rows.iter_mut().enumerate() {
        let low = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(of(i)), of(16 + i));
        *row = _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(low, of(32 + i)), of(48 + i));
    }
    // Interleaving four times exchanges rows and columns of each quarter.
    interleaved(interleaved(interleaved(interleaved(rows))))
}

/// Interleaves the bytes of rows that are eight apart. It is written without a loop, so that no rows are copied through
/// memory.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn interleaved(rows: [__m512i; 16]) -> [__m512i; 16] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = rows;
    [
        _mm512_unpacklo_epi8(a, i),
        _mm512_unpackhi_epi8(a, i),
        _mm512_unpacklo_epi8(b, j),
        _mm512_unpackhi_epi8(b, j),
        _mm512_unpacklo_epi8(c, k),
        _mm512_unpackhi_epi8(c, k),
        _mm512_unpacklo_epi8(d, l),
        _mm512_unpackhi_epi8(d, l),
        _mm512_unpacklo_epi8(e, m),
        _mm512_unpackhi_epi8(e, m),
        _mm512_unpacklo_epi8(f, n),
        _mm512_unpackhi_epi8(f, n),
        _mm512_unpacklo_epi8(g, o),
        _mm512_unpackhi_epi8(g, o),
        _mm512_unpacklo_epi8(h, p),
        _mm512_unpackhi_epi8(h, p),
    ]
}

/// Implements [`crate::kernels::cells9::ByCell`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
pub(super) fn by_cell(boards: &[[u8; ROW9]; BOARDS], to: &mut [[u8; BOARDS]; ROW9]) {
    for (square, to) in to.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let cells = cells(boards.as_flattened(), ROW9, 0, 16 * square);
        for (to, cell) in to.iter_mut().zip(&cells) {
            store(to, *cell);
        }
    }
}

/// Transposes quadwords: quadword `g` of row `d` comes from quadword `d` of row `g`.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose(r: [__m512i; 8]) -> [__m512i; 8] {
    let mut out = r;
    for half in 0..2 {
        let mut pairs = r;
        for i in 0..4 {
            pairs[i] = if half == 0 {
                _mm512_unpacklo_epi64(r[2 * i], r[2 * i + 1])
            } else {
                _mm512_unpackhi_epi64(r[2 * i], r[2 * i + 1])
            };
        }
        let low = _mm512_shuffle_i64x2::<0x88>(pairs[0], pairs[1]);
        let high = _mm512_shuffle_i64x2::<0x88>(pairs[2], pairs[3]);
        out[half] = _mm512_shuffle_i64x2::<0x88>(low, high);
        out[half + 4] = _mm512_shuffle_i64x2::<0xDD>(low, high);
        let low = _mm512_shuffle_i64x2::<0xDD>(pairs[0], pairs[1]);
        let high = _mm512_shuffle_i64x2::<0xDD>(pairs[2], pairs[3]);
        out[half + 2] = _mm512_shuffle_i64x2::<0x88>(low, high);
        out[half + 6] = _mm512_shuffle_i64x2::<0xDD>(low, high);
    }
    out
}

/// Implements [`crate::kernels::bitslice::Block::load_text`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
pub(super) fn load_text(v: Lanes512, state: &mut BlockState<Lanes512>, text: &[u8], pitch: usize) {
    let (eight, ninth, reversed) = (quarters(&EIGHT), quarters(&NINTH), quarters(&REVERSED));
    let diagonal = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
    let square = load(&SQUARE);
    let mut groups = [[_mm512_setzero_si512(); 16]; 8];
    for start in STARTS {
        for (g, group) in groups.iter_mut().enumerate() {
            *group = cells(text, pitch, 64 * g, start);
        }
        let known = if start == 65 { 15 } else { 0 };
        for c in known..16 {
            let mut rows = [_mm512_setzero_si512(); 8];
            let mut nines = [0; 8];
            for g in 0..8 {
                // A digit is the smaller of the byte and the byte xor '0'; no other byte gets below 10 this way.
                let byte = groups[g][c];
                let digit = _mm512_min_epu8(byte, _mm512_xor_si512(byte, _mm512_set1_epi8(b'0' as i8)));
                let digit = _mm512_min_epu8(digit, _mm512_set1_epi8(10));
                nines[g] = _mm512_movepi8_mask(_mm512_shuffle_epi8(ninth, digit)) as i64;
                let bits = _mm512_shuffle_epi8(eight, _mm512_shuffle_epi8(digit, reversed));
                let bits = _mm512_gf2p8affine_epi64_epi8::<0>(diagonal, bits);
                rows[g] = _mm512_permutexvar_epi8(square, bits);
            }
            let (row, column) = ((start + c) / 9, (start + c) % 9);
            let (b, i) = (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
            for (d, slice) in transpose(rows).into_iter().enumerate() {
                state.candidates[b][d][i] = v.with(slice);
            }
            let [a, b_, c_, d, e, f, g, h] = nines;
            state.candidates[b][8][i] = v.with(_mm512_setr_epi64(a, b_, c_, d, e, f, g, h));
        }
    }
}
