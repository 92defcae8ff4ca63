//! Loads and stores.
#![expect(unsafe_code)] // intrinsics that load and store

use std::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load(from: &[u8; 32]) -> __m256i {
    // SAFETY: the reference covers the 32 bytes that are read; no alignment is needed.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store(to: &mut [u8; 32], vector: __m256i) {
    // SAFETY: the reference covers the 32 bytes that are written; no alignment is needed.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_words(from: &[u16; 16]) -> __m256i {
    load(bytemuck::cast_ref(from))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_words(to: &mut [u16; 16], vector: __m256i) {
    store(bytemuck::cast_mut(to), vector);
}

/// Loads a table for byte lookups, which work within each half of a vector.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_table(table: &[u8; 16]) -> __m256i {
    // SAFETY: the reference covers the 16 bytes that are read; no alignment is needed.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

/// Loads the two halves of a vector from different places.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_halves(low: &[u8; 16], high: &[u8; 16]) -> __m256i {
    // SAFETY: the references cover the 16 bytes that are read from each; no alignment is needed.
    unsafe { _mm256_set_m128i(_mm_loadu_si128(high.as_ptr().cast()), _mm_loadu_si128(low.as_ptr().cast())) }
}
