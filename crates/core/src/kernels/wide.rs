//! Plain Rust, compiled once more for each instruction set.
#![allow(unsafe_code)] // the calls into functions that need their instructions

#[cfg(target_arch = "aarch64")]
use super::aarch64;
use super::bytes16::{Bytes16Work, Plain16};
use super::houses9::{MaskWork, Portable};
#[cfg(target_arch = "x86_64")]
use super::x86_64;

/// Loops that a compiler makes vectors of. What [`Work::run`] calls must be `#[inline(always)]`, and so must it be itself:
/// only what ends up inside the function of an instruction set is compiled for it. (Loops rather than `fold`, which need not.)
pub trait Work {
    /// What comes of it.
    type Done;

    /// Does it.
    fn run(self) -> Self::Done;
}

/// Instruction sets that plain Rust is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// What every machine of its kind has: 16 bytes on x86-64 and on 64-bit ARM.
    Usual,
    /// 16 bytes, with look-ups. For a kernel that is listed only where NEON is.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// 32 bytes. For a kernel that is listed only where AVX2 is.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 64 bytes. For a kernel that is listed only where AVX-512 F, BW, VL and VBMI are.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl super::Kernel {
    /// Does work with the widest vectors that this kernel uses.
    #[inline]
    pub fn run<W: Work>(&self, work: W) -> W::Done {
        match self.width {
            Width::Usual => work.run(),
            // Whoever compiles for this architecture has it.
            #[cfg(target_arch = "aarch64")]
            Width::Neon => work.run(),
            // SAFETY: kernels of this width are listed only where the processor has been found to have the instructions.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { avx512(work) },
        }
    }

    /// Does work with the vectors of boards of side 9 that this kernel uses.
    #[inline]
    pub(crate) fn run_masks<W: MaskWork>(&self, work: W) -> W::Done {
        match self.width {
            Width::Usual => work.run(Portable),
            #[cfg(target_arch = "aarch64")]
            Width::Neon => work.run(Portable),
            // SAFETY: kernels of this width are listed only where the processor has been found to have the instructions.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { x86_64::houses256::avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { x86_64::houses::avx512(work) },
        }
    }

    /// Does work with the look-ups in sixteen bytes that this kernel has.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", allow(unused_unsafe))] // where the target has NEON anyway
    pub(crate) fn run_bytes16<W: Bytes16Work>(&self, work: W) -> W::Done {
        match self.width {
            Width::Usual => work.run(Plain16::NONE),
            // SAFETY: kernels of this width are listed only where the processor has been found to have the instructions.
            #[cfg(target_arch = "aarch64")]
            Width::Neon => unsafe { aarch64::bytes16::neon(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { x86_64::bytes16::avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { x86_64::bytes16::avx512(work) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn avx2<W: Work>(work: W) -> W::Done {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
fn avx512<W: Work>(work: W) -> W::Done {
    work.run()
}
