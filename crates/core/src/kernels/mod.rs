//! The inner loops, compiled for several instruction sets.
//!
//! Clients take [`best`], or one of [`available`] [by its name](by_name), and pass it on.
//! All kernels give the same results.
//
// Each instruction set has one table of functions, limited to what the batch loop calls: one indirect call for each
// stage and batch. This is the only folder with intrinsics and detection of processor features.
//
// Text kernels process one board at a time; the codes of a board are adjacent in memory. A kernel only answers yes or
// no, with one bit for each record; the cold explainers of the formats find the cell and write the message. Every
// kernel returns the same bits as [`SCALAR`] and, for the records that it accepts, the same codes and bytes. For
// rejected records, kernels only promise to write nothing outside the record's own row or output range.

#[cfg(target_arch = "aarch64")]
mod aarch64;
pub(crate) mod bitslice;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod bounds;
pub(crate) mod bytes16;
pub(crate) mod bytes8;
pub(crate) mod cells9;
mod dispatch;
pub(crate) mod houses9;
#[cfg(target_arch = "x86_64")]
mod prefetch;
mod rewrite;
pub(crate) mod rows16;
mod scalar;
pub(crate) mod sha256;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod slices;
mod solved9;
pub(crate) mod tables;
mod task;
pub(crate) mod vector;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(all(test, unix))]
#[path = "tests/guard_pages.rs"]
mod guard_pages;

use std::fmt;

use crate::error::Unavailable;
use bitslice::{Block, ExtraHouse};
use bytes8::Propagate8;
use rows16::Propagate16;

#[doc(hidden)]
pub use dispatch::InstructionSet;
#[doc(hidden)]
pub use scalar::SCALAR;
#[doc(hidden)]
pub use task::SimdTask;

/// Records of one width in a text: record i is `bytes[starts[i]..][..width]`. The width follows from the kernel's name
/// or parameters. There are at most 64 records, each entirely inside `bytes`; kernels check that.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    /// The text that contains the records; a kernel never reads outside it.
    pub bytes: &'a [u8],
    /// The offset of each record.
    pub starts: &'a [u32],
}

impl fmt::Debug for Texts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texts").field("len", &self.starts.len()).finish_non_exhaustive()
    }
}

impl<'a> Texts<'a> {
    /// Returns record `i`, of `width` bytes.
    pub fn get(&self, i: usize, width: usize) -> &'a [u8] {
        &self.bytes[self.starts[i] as usize..][..width]
    }

    /// Returns a mask with one bit set for each record.
    pub fn all(&self) -> u64 {
        all_bits(self.starts.len())
    }
}

/// Returns a mask of the lowest `count` bits; `count` is at most 64.
#[doc(hidden)]
pub fn all_bits(count: usize) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Iterates over the indices of the bits that are set, lowest first.
#[inline(always)]
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}

/// The result of a decoding kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Decoded {
    /// Bit i: record i is well-formed, and its row contains its codes.
    pub good: u64,
    /// The number of solved cells in the well-formed records.
    pub solved: u32,
    /// Bit i: record i is well-formed, but reading it lost something (`Codec::remainder` says what). Kernels leave
    /// this 0.
    pub doubtful: u64,
}

/// The inner loops for one instruction set. The choice of kernel changes the speed and nothing else.
//
// In all functions, rows of codes of side 9 are 96 codes apart ([`ROW9`]); the slices of codes have as many rows as
// there are records. Encoders write the `width` bytes of record i at `i * pitch`. They may also overwrite what follows,
// up to the end of the next record or for 64 bytes (`out` ends at least [`SLACK`] bytes after the last record), so the
// caller writes separators afterwards. They return one bit for each record: whether the format can represent the whole
// board.
pub struct Kernel {
    /// The name, as in `GRIDMILL_KERNEL`: `scalar`, `avx2`, `avx512`, `neon`.
    pub name: &'static str,
    /// Strings to codes and back.
    #[doc(hidden)]
    pub codecs: CodecKernels,
    /// Finds all positions of any of three bytes in a text, in order. Returns their number, and whether the third byte
    /// is among them. The output has room for as many positions as the text has bytes, plus [`SLACK`]; what is written
    /// after the last position is unspecified.
    #[doc(hidden)]
    pub find3: Find3,
    /// Finds which solutions of 81 bytes have a digit 1 to 9 in each cell, agree with the givens of their puzzles
    /// (codes from 1 to the given number, 9 or 18), and have each digit once in every row, column and box.
    #[doc(hidden)]
    pub solved9: fn(Texts, &[u16], u16) -> u64,
    /// Compresses a SHA-256 block of sixteen strings in parallel, if there is a faster way than plain loops.
    #[doc(hidden)]
    pub compress: Option<sha256::Compress>,
    /// Transposes boards to cells, if there is a faster way than plain loops.
    #[doc(hidden)]
    pub by_cell: Option<cells9::ByCell>,
    /// The instruction set that [`Kernel::run`] uses. Private, because the machine must support it.
    instruction_set: InstructionSet,
    /// What solvers do.
    #[doc(hidden)]
    pub solving: SolvingKernels,
}

/// The functions of a kernel between strings and codes: see [`Kernel`].
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct CodecKernels {
    /// Decodes v1 sudoku, 162 base-32 digits: `mask<<1 | clue`. A mask with a single bit is a clue or a solved cell.
    pub decode_v1: fn(Texts, &mut [u16]) -> Decoded,
    /// Encodes v1 sudoku. A cell with a single candidate cannot be represented (it is written as a solved cell).
    pub encode_v1: fn(&[u16], &mut [u8], usize) -> u64,
    /// Decodes two base-36 digits per cell into rows of `cells` codes that are `row` apart, each value at most `max`:
    /// v2 bodies with one field.
    pub decode_pairs36: fn(Texts, Pairs, &mut [u16]) -> u64,
    /// Encodes codes of at most 1295 as two base-36 digits each.
    pub encode_pairs36: fn(&[u16], Pairs, &mut [u8], usize),
    /// Decodes offset32, 162 base-32 digits.
    pub decode_offset32: fn(Texts, &mut [u16]) -> u64,
    /// Encodes offset32, which can represent every board whose codes are in the sudoku ranges.
    pub encode_offset32: fn(&[u16], &mut [u8], usize),
    /// Decodes plain sudoku, 81 digits and blanks.
    pub decode_plain: fn(Texts, &mut [u16]) -> u64,
    /// Encodes plain sudoku with `0` for a blank. Solved cells and candidates cannot be represented (they are written
    /// as digits and as blanks).
    pub encode_plain: fn(&[u16], &mut [u8], usize) -> u64,
    /// Rewrites v1 sudoku directly to the bodies of `S9B`, without codes. Returns the number of solved cells if all
    /// records are good, otherwise `None`, and then the output is unspecified. Kernels that process records in pairs
    /// return `None` for an odd number of records; the caller then decodes and encodes them.
    pub v1_to_pairs36: Option<Rewrite>,
}

/// The functions of a kernel for solvers.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct SolvingKernels {
    /// Propagates singles and cages on a board of side 3 to 8.
    pub propagate8: Propagate8,
    /// Propagates singles and locked candidates on a sudoku of side 16.
    pub propagate16: Propagate16,
    /// Makes an empty block of the bit-sliced solver, for puzzles that have these houses besides rows, columns and
    /// boxes.
    pub block: NewBlock,
    /// The same with fewer lanes, which takes less time if they are enough.
    pub narrow_block: Option<NewBlock>,
    /// Up to how many nodes take less time one by one than in a block. 0 where this was not measured.
    pub few_nodes: usize,
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Makes an empty block for puzzles that have these houses besides rows, columns and boxes.
#[doc(hidden)]
pub type NewBlock = fn(Vec<ExtraHouse>) -> Box<dyn Block>;

/// See [`Kernel::find3`].
#[doc(hidden)]
pub type Find3 = fn(&[u8], [u8; 3], &mut [u32]) -> (usize, bool);

/// Rewrites text to text: the records, the output, and the distance between two output records.
#[doc(hidden)]
pub type Rewrite = fn(Texts, &mut [u8], usize) -> Option<u32>;

/// The distance between two rows of codes at side 9.
#[doc(hidden)]
pub const ROW9: usize = 96;

/// The number of bytes after the last record that an encoder may overwrite.
#[doc(hidden)]
pub const SLACK: usize = 64;

/// The dimensions of a body of base-36 pairs.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairs {
    /// The number of cells of a board, at most 81.
    pub cells: usize,
    /// The distance between two rows of codes: `cells` rounded up to a multiple of 32.
    pub row: usize,
    /// The largest value allowed, at most 1295.
    pub max: u16,
}

impl Pairs {
    /// Those of sudokus of side 9.
    pub(crate) const NINE: Self = Self { cells: 81, row: ROW9, max: 529 };
}

/// Returns the compiled kernels that this machine can run, best first.
pub fn available() -> Vec<&'static Kernel> {
    let mut kernels: Vec<&'static Kernel> = Vec::new();
    #[cfg(target_arch = "x86_64")]
    kernels.extend(x86_64::available());
    #[cfg(target_arch = "aarch64")]
    kernels.extend(aarch64::available());
    kernels.push(&SCALAR);
    kernels
}

/// Returns the names of all compiled kernels, best first, including those that this machine cannot run.
pub fn compiled() -> &'static [&'static str] {
    if cfg!(target_arch = "x86_64") {
        &["avx512", "avx2", "scalar"]
    } else if cfg!(target_arch = "aarch64") {
        &["neon", "scalar"]
    } else {
        &["scalar"]
    }
}

/// Returns the best kernel that this machine can run. The standard library detects processor features once per process.
pub fn best() -> &'static Kernel {
    available().first().copied().unwrap_or(&SCALAR)
}

/// Returns the kernel with this name.
///
/// # Errors
/// There is no such kernel, or this machine cannot run it; the message lists those that it can run.
pub fn by_name(name: &str) -> Result<&'static Kernel, Unavailable> {
    let kernels = available();
    kernels.iter().find(|kernel| kernel.name == name).copied().ok_or_else(|| {
        let names = kernels.iter().map(|kernel| kernel.name).collect::<Vec<_>>().join(", ");
        let why = if compiled().contains(&name) { "this processor cannot run it" } else { "there is no such kernel" };
        Unavailable(format!(
            "kernel '{}': {why}; kernels of this machine: {names}",
            crate::error::escape(name.as_bytes())
        ))
    })
}

/// Returns the scalar kernel with another function that decodes plain strings, for example one that counts them.
#[cfg(test)]
pub(crate) fn scalar_with(decode_plain: fn(Texts, &mut [u16]) -> u64) -> &'static Kernel {
    Box::leak(Box::new(Kernel { codecs: CodecKernels { decode_plain, ..SCALAR.codecs }, ..SCALAR }))
}

/// Returns how many random inputs a test tries: fewer under Miri, which takes a thousand times as long.
#[cfg(test)]
const fn rounds(inputs: usize) -> usize {
    if cfg!(miri) { inputs / 100 } else { inputs }
}
