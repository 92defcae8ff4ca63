//! Computes SHA-256 of sixteen strings: a vector has one word of each. A rotation and any function of three words are
//! one instruction each.

use std::arch::x86_64::*;

use super::vectors::{load, store};
use crate::kernels::sha256::{ROUNDS, STRINGS, States};

/// Truth tables of three words: their exclusive or; the second where the first has ones, otherwise the third; and their
/// majority.
const XOR: i32 = 0x96;
const CHOOSE: i32 = 0xCA;
const MAJORITY: i32 = 0xE8;

/// Repeats a statement sixteen times, by index. This is not a loop, so that words stay in their registers.
macro_rules! sixteen_times {
    ($i:ident => $body:block) => {
        sixteen_times!($i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($i:ident $body:block $($n:literal)*) => {
        $({
            let $i: usize = $n;
            $body
        })*
    };
}

/// Implements [`crate::kernels::sha256::Compress`].
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn compress(states: &mut States, blocks: &[&[u8; 64]; STRINGS], strings: u16) {
    let mut words = words(blocks);
    let before = states.each_ref().map(|words| load(bytemuck::cast_ref(words)));
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = before;
    for (part, constants) in ROUNDS.as_chunks::<16>().0.iter().enumerate() {
        if part > 0 {
            sixteen_times!(i => {
                let (first, second) = (words[(i + 1) % 16], words[(i + 14) % 16]);
                let first = xor(
                    _mm512_ror_epi32::<7>(first),
                    _mm512_ror_epi32::<18>(first),
                    _mm512_srli_epi32::<3>(first),
                );
                let second = xor(
                    _mm512_ror_epi32::<17>(second),
                    _mm512_ror_epi32::<19>(second),
                    _mm512_srli_epi32::<10>(second),
                );
                let sum = _mm512_add_epi32(words[i], words[(i + 9) % 16]);
                words[i] = _mm512_add_epi32(sum, _mm512_add_epi32(first, second));
            });
        }
        sixteen_times!(i => {
            let sum = xor(_mm512_ror_epi32::<6>(e), _mm512_ror_epi32::<11>(e), _mm512_ror_epi32::<25>(e));
            let word = _mm512_add_epi32(words[i], _mm512_set1_epi32(constants[i] as i32));
            let one = _mm512_add_epi32(_mm512_add_epi32(h, word), _mm512_ternarylogic_epi32::<CHOOSE>(e, f, g));
            let one = _mm512_add_epi32(one, sum);
            let sum = xor(_mm512_ror_epi32::<2>(a), _mm512_ror_epi32::<13>(a), _mm512_ror_epi32::<22>(a));
            let other = _mm512_add_epi32(sum, _mm512_ternarylogic_epi32::<MAJORITY>(a, b, c));
            (h, g, f, e) = (g, f, e, _mm512_add_epi32(d, one));
            (d, c, b, a) = (c, b, a, _mm512_add_epi32(one, other));
        });
    }
    for ((state, before), after) in states.iter_mut().zip(before).zip([a, b, c, d, e, f, g, h]) {
        store(bytemuck::cast_mut(state), _mm512_mask_add_epi32(before, strings, before, after));
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn xor(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<XOR>(a, b, c)
}

/// Transposes the words of blocks: vector i has word i of each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn words(blocks: &[&[u8; 64]; STRINGS]) -> [__m512i; 16] {
    let big_endian = _mm512_broadcast_i32x4(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    let mut rows = [_mm512_setzero_si512(); STRINGS];
    for (row, block) in rows.iter_mut().zip(blocks) {
        *row = _mm512_shuffle_epi8(load(block), big_endian);
    }
    // For four rows at a time: quarter k of vector i has word 4 k + i of each.
    let mut fours = [[_mm512_setzero_si512(); 4]; 4];
    for (four, rows) in fours.iter_mut().zip(rows.as_chunks::<4>().0) {
        let (a, b) = (_mm512_unpacklo_epi32(rows[0], rows[1]), _mm512_unpackhi_epi32(rows[0], rows[1]));
        let (c, d) = (_mm512_unpacklo_epi32(rows[2], rows[3]), _mm512_unpackhi_epi32(rows[2], rows[3]));
        *four = [
            _mm512_unpacklo_epi64(a, c),
            _mm512_unpackhi_epi64(a, c),
            _mm512_unpacklo_epi64(b, d),
            _mm512_unpackhi_epi64(b, d),
        ];
    }
    let mut words = rows;
    for i in 0..4 {
        let [a, b, c, d] = fours.map(|four| four[i]);
        let (even, odd) = (_mm512_shuffle_i32x4::<0x88>(a, b), _mm512_shuffle_i32x4::<0xDD>(a, b));
        let (even_after, odd_after) = (_mm512_shuffle_i32x4::<0x88>(c, d), _mm512_shuffle_i32x4::<0xDD>(c, d));
        words[i] = _mm512_shuffle_i32x4::<0x88>(even, even_after);
        words[4 + i] = _mm512_shuffle_i32x4::<0x88>(odd, odd_after);
        words[8 + i] = _mm512_shuffle_i32x4::<0xDD>(even, even_after);
        words[12 + i] = _mm512_shuffle_i32x4::<0xDD>(odd, odd_after);
    }
    words
}
