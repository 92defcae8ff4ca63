//! Runs plain Rust code that is compiled once for each instruction set.
#![allow(unsafe_code)] // the calls into functions that need their instructions

#[cfg(target_arch = "aarch64")]
use super::aarch64;
use super::bytes16::{Bytes16Task, Plain16};
use super::houses9::{MaskTask, Portable};
use super::task::SimdTask;
#[cfg(target_arch = "x86_64")]
use super::x86_64;

/// The instruction sets that plain Rust is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstructionSet {
    /// The baseline of the architecture: vectors of 16 bytes on x86-64 and on 64-bit ARM.
    Baseline,
    /// Vectors of 16 bytes, with byte lookups. Only for a kernel that is listed only where NEON is available.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// Vectors of 32 bytes. Only for a kernel that is listed only where AVX2 is available.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Vectors of 64 bytes. Only for a kernel that is listed only where AVX-512 F, BW, VL and VBMI are available.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl super::Kernel {
    /// Runs a task compiled for the widest vectors that this kernel uses. A task may run another one, which is then a
    /// function of its own: all in one would take much longer to compile.
    #[inline]
    pub fn run<T: SimdTask>(&self, task: T) -> T::Output {
        match self.instruction_set {
            InstructionSet::Baseline => baseline(task),
            // Every target of this architecture has NEON by default.
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => baseline(task),
            // SAFETY: kernels with this instruction set are listed only where the processor was found to have it.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { avx2(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { avx512(task) },
        }
    }

    /// Runs a task with this kernel's vectors for boards of side 9.
    #[inline]
    pub(crate) fn run_masks<T: MaskTask>(&self, task: T) -> T::Output {
        match self.instruction_set {
            InstructionSet::Baseline => task.run(Portable),
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => task.run(Portable),
            // SAFETY: kernels with this instruction set are listed only where the processor was found to have it.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { x86_64::houses256::avx2(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { x86_64::houses512::avx512(task) },
        }
    }

    /// Runs a task with this kernel's lookups in sixteen bytes.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", allow(unused_unsafe))] // where the target has NEON anyway
    pub(crate) fn run_bytes16<T: Bytes16Task>(&self, task: T) -> T::Output {
        match self.instruction_set {
            InstructionSet::Baseline => task.run(Plain16::NONE),
            // SAFETY: kernels with this instruction set are listed only where the processor was found to have it.
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => unsafe { aarch64::bytes16::neon(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { x86_64::bytes16::avx2(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { x86_64::bytes16::avx512(task) },
        }
    }
}

#[inline(never)]
fn baseline<T: SimdTask>(task: T) -> T::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn avx2<T: SimdTask>(task: T) -> T::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
fn avx512<T: SimdTask>(task: T) -> T::Output {
    task.run()
}
