//! Loads, stores, and tables that fill vectors.
#![expect(unsafe_code)] // intrinsics that load and store

use std::arch::x86_64::*;

use crate::kernels::all_bits;

/// A table in one or two vectors.
#[repr(C, align(64))]
pub(super) struct Aligned<T>(pub(super) T);

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(from: &[u8; 64]) -> __m512i {
    // SAFETY: the reference covers the 64 bytes that are read; no alignment is needed.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_words(from: &[u16; 32]) -> __m512i {
    // SAFETY: the reference covers the 64 bytes that are read; no alignment is needed.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Loads the bytes of a slice, at most 64, followed by `0` characters, a good digit in every alphabet.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn load_tail(from: &[u8]) -> __m512i {
    debug_assert!(from.len() <= 64);
    // SAFETY: the mask's lowest `len` bits (64 at most) are set, and bytes whose bit is clear are not accessed.
    unsafe { _mm512_mask_loadu_epi8(_mm512_set1_epi8(b'0' as i8), all_bits(from.len()), from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store(to: &mut [u8; 64], vector: __m512i) {
    // SAFETY: the reference covers the 64 bytes that are written; no alignment is needed.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) }
}

/// Stores as many bytes of a vector as the slice has, at most 64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn store_head(to: &mut [u8], vector: __m512i) {
    debug_assert!(to.len() <= 64);
    // SAFETY: the mask's lowest `len` bits (64 at most) are set, and bytes whose bit is clear are not accessed.
    unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), all_bits(to.len()), vector) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store_words(to: &mut [u16; 32], vector: __m512i) {
    // SAFETY: the reference covers the 64 bytes that are written; no alignment is needed.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn load_half(from: &[u8; 32]) -> __m256i {
    // SAFETY: the reference covers the 32 bytes that are read; no alignment is needed.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn store_half_words(to: &mut [u16; 16], vector: __m256i) {
    // SAFETY: the reference covers the 32 bytes that are written; no alignment is needed.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn store_half(to: &mut [u8; 32], vector: __m256i) {
    // SAFETY: the reference covers the 32 bytes that are written; no alignment is needed.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
}

/// Loads the `V` vectors that a record fills, the last one partly.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn load_text<const V: usize>(text: &[u8]) -> [__m512i; V] {
    let mut vectors = [_mm512_setzero_si512(); V];
    for v in 0..V - 1 {
        vectors[v] = load(text[64 * v..].first_chunk().expect("checked at the kernel's entry"));
    }
    vectors[V - 1] = load_tail(&text[64 * (V - 1)..]);
    vectors
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_row<const V: usize>(row: &[[u16; 32]; V]) -> [__m512i; V] {
    let mut vectors = [_mm512_setzero_si512(); V];
    for v in 0..V {
        vectors[v] = load_words(&row[v]);
    }
    vectors
}

/// Loads 16 codes of one board and 16 of another.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_half_words(low: &[u16; 16], high: &[u16; 16]) -> __m512i {
    load_halves(bytemuck::cast_ref(low), bytemuck::cast_ref(high))
}

/// Loads 32 bytes of one text and 32 of another.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_halves(low: &[u8; 32], high: &[u8; 32]) -> __m512i {
    // SAFETY: each reference covers the 32 bytes that are read; no alignment is needed.
    let (low, high) = unsafe { (_mm256_loadu_si256(low.as_ptr().cast()), _mm256_loadu_si256(high.as_ptr().cast())) };
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}
