//! The AVX2 kernel: 16 cells, or 32 characters, at a time. It runs on Haswell, Zen and later.
//!
//! A character becomes a digit by adding an entry of a table of 16, whose index is computed from both halves of the
//! character. Two digits become a number with one multiply-add. Masks with one digit are looked up in the same way,
//! with an index that a multiplication computes.
#![expect(unsafe_code)] // the calls into functions that need their instructions

mod decode;
mod encode;
mod find;
mod lanes;
mod rewrite;
mod solved;
mod text;
mod vector;
mod vectors;

use decode::{decode_offset32, decode_pairs36, decode_plain, decode_v1};
use encode::{encode_offset32, encode_pairs36, encode_plain, encode_v1};
use find::find3;
use lanes::Block256;
use rewrite::v1_to_pairs36;
use solved::solved9;
pub(super) use vector::Lanes256;

use crate::kernels::{CodecKernels, Kernel, SolvingKernels};

/// The AVX2 kernel. It may be listed only where [`detected`] returns true: its functions rely on that.
pub(super) static AVX2: Kernel = Kernel {
    name: "avx2",
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
    compress: None,
    by_cell: None,
    instruction_set: crate::kernels::InstructionSet::Avx2,
    solving: SolvingKernels {
        // SAFETY: as above.
        propagate8: |node, frame, ways| unsafe { crate::kernels::x86_64::bytes8::avx2(node, frame, ways) },
        // SAFETY: as above.
        propagate16: |grid| unsafe { crate::kernels::x86_64::rows16::avx2(grid) },
        // SAFETY: as above.
        block: |houses| Block256::boxed(unsafe { Lanes256::new() }, houses),
        narrow_block: Some(crate::kernels::bitslice::portable_block),
        few_nodes: 14,
    },
};

/// Returns whether this machine has all instruction sets that the functions here are compiled for.
pub(super) fn detected() -> bool {
    is_x86_feature_detected!("avx2")
        // The rest is for plain Rust and the solver's lanes; every processor with AVX2 has it.
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}
