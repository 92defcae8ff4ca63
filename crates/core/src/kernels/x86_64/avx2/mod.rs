//! AVX2: 16 cells, or 32 characters, at a time; Haswell, Zen and later.
//!
//! A character becomes a digit by adding what stands in a table of 16 at a place made of both its halves; two digits become
//! a number by one multiply-add. Masks of one digit are looked up likewise, at a place that a multiplication finds.
#![allow(unsafe_code)] // the calls into functions that need their instructions

mod decode;
mod encode;
mod find;
mod lanes;
mod rewrite;
mod text;
mod vector;
mod vectors;

use decode::{decode_offset32, decode_pairs36, decode_plain, decode_v1};
use encode::{encode_offset32, encode_pairs36, encode_plain, encode_v1};
use find::find3;
use lanes::Block256;
use rewrite::v1_to_pairs36;
pub(super) use vector::Lanes256;

use crate::kernels::{Kernel, Texts};

/// The AVX2 kernel. To be listed only where [`detected`] says yes: its functions rely on that.
pub(super) static AVX2: Kernel = Kernel {
    name: "avx2",
    // SAFETY: this table is reached through `available()` only, which lists it only if `detected()` found all that the
    // functions are compiled for; so for all.
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
    // SAFETY: as above.
    find3: |text, bytes, out| unsafe { find3(text, bytes, out) },
    // SAFETY: as above.
    solved9: |solutions, codes, given| unsafe { solved9(solutions, codes, given) },
    compress: None,
    by_cell: None,
    width: crate::kernels::Width::Avx2,
    // SAFETY: as above.
    settle8: |node, frame, ways| unsafe { crate::kernels::x86_64::bytes::avx2(node, frame, ways) },
    // SAFETY: as above.
    settle16: |grid| unsafe { crate::kernels::x86_64::rows::avx2(grid) },
    // SAFETY: as above.
    block: |houses| Block256::boxed(unsafe { Lanes256::new() }, houses),
    narrow_block: Some(crate::kernels::bitslice::portable_block),
};

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn solved9(solutions: Texts, codes: &[u16], given: u16) -> u64 {
    crate::kernels::solved9::portable(solutions, codes, given)
}

/// Whether this machine has all that the functions here are compiled for.
pub(super) fn detected() -> bool {
    is_x86_feature_detected!("avx2")
        // What follows is for plain Rust and the solver's lanes; every processor with AVX2 has it.
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}
