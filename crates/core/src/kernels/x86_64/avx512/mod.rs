//! The AVX-512 kernel, which needs byte permutations (VBMI): 32 cells, or 64 characters, at a time. It runs on Ice
//! Lake, Zen 4 and later.
//!
//! A character becomes a digit with one lookup in a table of the 128 ASCII values, and two digits become a number with
//! one multiply-add. The few numbers that mean a single digit are looked up in a table of 32 words, with an index that
//! a multiplication computes.
#![expect(unsafe_code)] // the calls into functions that need their instructions

mod decode;
mod encode;
mod find;
mod lanes;
mod rewrite;
mod sha256;
mod solved;
mod text;
mod vector;
mod vectors;

use decode::{decode_offset32, decode_pairs36, decode_plain, decode_v1};
use encode::{encode_offset32, encode_pairs36, encode_plain, encode_v1};
use find::find3;
use lanes::{Block256, Block512};
use rewrite::v1_to_pairs36;
use sha256::compress;
use solved::solved9;
use vector::Lanes512;

use super::avx2::Lanes256;
use crate::kernels::{CodecKernels, Kernel, SolvingKernels};

/// The AVX-512 kernel. It may be listed only where [`detected`] returns true: its functions rely on that.
pub(super) static AVX512: Kernel = Kernel {
    name: "avx512",
    codecs: CodecKernels {
        // SAFETY: this table is only reachable through `available()`, which lists it only if `detected()` found all
        // instruction sets that the functions are compiled for. This holds for all its functions.
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
    },
    // SAFETY: as above.
    find3: |text, bytes, out| unsafe { find3(text, bytes, out) },
    // SAFETY: as above.
    solved9: |solutions, codes, given| unsafe { solved9(solutions, codes, given) },
    // SAFETY: as above.
    compress: Some(|states, blocks, strings| unsafe { compress(states, blocks, strings) }),
    // SAFETY: as above.
    by_cell: Some(|boards, cells| unsafe { text::by_cell(boards, cells) }),
    instruction_set: crate::kernels::InstructionSet::Avx512,
    solving: SolvingKernels {
        // SAFETY: as above.
        propagate8: |node, frame, ways| unsafe { crate::kernels::x86_64::bytes8::avx512(node, frame, ways) },
        // SAFETY: as above.
        propagate16: |grid| unsafe { crate::kernels::x86_64::rows16::avx512(grid) },
        // SAFETY: as above.
        block: |houses| Block512::boxed(unsafe { Lanes512::new() }, houses),
        // SAFETY: as above; `detected` also checks for everything that the AVX2 kernel needs.
        narrow_block: Some(|houses| Block256::boxed(unsafe { Lanes512::new() }, unsafe { Lanes256::new() }, houses)),
        few_nodes: 24,
    },
};

/// Returns whether this machine has all instruction sets that the functions here are compiled for.
pub(super) fn detected() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        // The rest is for the solver's lanes and canonical forms; every processor with VBMI2 has it.
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("gfni")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}
