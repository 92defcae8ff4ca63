//! The inner loops, compiled for several instruction sets.
//!
//! A client takes [`best`], or one of [`available`] [by its name](by_name), and passes it on. Every kernel gives the same results.
//
// One table of functions for each instruction set, kept to what the batch loop calls: one indirect call for a stage and a batch.
// This is the only folder with intrinsics and detection.
//
// Text kernels work board by board: the codes of a board stand side by side. A kernel says yes or no, a bit for each record; the
// formats' cold explainers find the cell and the words. Every kernel gives the same bits and, for the records it accepts, the
// same codes and bytes as [`SCALAR`]; of refused records nothing is promised but that nothing outside their own row or place is
// written.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[doc(hidden)]
pub mod bitslice;
pub(crate) mod bytes16;
#[doc(hidden)]
pub mod bytes8;
#[doc(hidden)]
pub mod cells9;
#[doc(hidden)]
pub mod houses9;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod measures;
#[cfg(target_arch = "x86_64")]
mod prefetch;
#[doc(hidden)]
pub mod rows16;
mod scalar;
#[doc(hidden)]
pub mod sha256;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod slices;
mod solved9;
mod straight;
pub(crate) mod tables;
pub(crate) mod vector;
mod wide;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(all(test, unix))]
mod edges;

use std::fmt;

use crate::error::Unavailable;
use bitslice::{Block, ExtraHouse};
use bytes8::Settle8;
use rows16::Settle16;

#[doc(hidden)]
pub use scalar::SCALAR;
#[doc(hidden)]
pub use wide::{Width, Work};

/// Records of one width in a text: record i is `bytes[starts[i]..][..width]`, where the width is known by the kernel's
/// name or parameters. At most 64 records, each wholly inside `bytes`; kernels check that.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    /// The text around the records; a kernel never reads outside it.
    pub bytes: &'a [u8],
    /// Where each record begins.
    pub starts: &'a [u32],
}

impl fmt::Debug for Texts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texts").field("len", &self.starts.len()).finish_non_exhaustive()
    }
}

impl<'a> Texts<'a> {
    /// Record `i` of `width` bytes.
    pub fn get(&self, i: usize, width: usize) -> &'a [u8] {
        &self.bytes[self.starts[i] as usize..][..width]
    }

    /// A bit for each record, all set.
    pub fn all(&self) -> u64 {
        all_bits(self.starts.len())
    }
}

/// The lowest `count` bits; `count` is at most 64.
#[doc(hidden)]
pub fn all_bits(count: usize) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The numbers of the bits that are set.
#[inline(always)]
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}

/// What a decoding kernel found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Decoded {
    /// Bit i: record i is well-formed, and its row of codes is right.
    pub good: u64,
    /// Solved cells in the well-formed records.
    pub solved: u32,
    /// Bit i: record i is well-formed, but reading it lost something (`Format::read_losses` says what). Kernels leave it 0.
    pub doubtful: u64,
}

/// The inner loops for one instruction set. Which one is used changes the speed and nothing else.
//
// In all functions a row of codes is 96 apart at side 9 ([`ROW9`]); the slices of codes hold as many rows as there are records.
// Encoders write the `width` bytes of record i at `i * pitch` and may overwrite what follows it up to the next record's end or
// 64 bytes (`out` ends at least [`SLACK`] bytes after the last record), so separators are for the caller to write afterwards.
// They return a bit for each record: it holds the whole board.
pub struct Kernel {
    /// As in `GRIDMILL_KERNEL`: `scalar`, `avx2`, `avx512`, `neon`.
    pub name: &'static str,
    /// v1 sudoku, 162 base-32 digits: `mask<<1 | clue`. One bit alone is a clue or solved.
    #[doc(hidden)]
    pub decode_v1: fn(Texts, &mut [u16]) -> Decoded,
    /// v1 sudoku. A single candidate is not held (it is written as a solved cell).
    #[doc(hidden)]
    pub encode_v1: fn(&[u16], &mut [u8], usize) -> u64,
    /// Two base-36 digits a cell, `cells` cells in rows `row` apart, each value at most `max`: v2 bodies of one field.
    #[doc(hidden)]
    pub decode_pairs36: fn(Texts, Pairs, &mut [u16]) -> u64,
    /// The reverse: codes at most 1295.
    #[doc(hidden)]
    pub encode_pairs36: fn(&[u16], Pairs, &mut [u8], usize),
    /// offset32, 162 base-32 digits.
    #[doc(hidden)]
    pub decode_offset32: fn(Texts, &mut [u16]) -> u64,
    /// offset32; holds every board of the sudoku ranges.
    #[doc(hidden)]
    pub encode_offset32: fn(&[u16], &mut [u8], usize),
    /// plain sudoku, 81 digits and blanks.
    #[doc(hidden)]
    pub decode_plain: fn(Texts, &mut [u16]) -> u64,
    /// plain sudoku with `0` for a blank. Solved cells and candidates are not held (written as the digit, as a blank).
    #[doc(hidden)]
    pub encode_plain: fn(&[u16], &mut [u8], usize) -> u64,
    /// v1 sudoku straight to the bodies of `S9B`, codes skipped: the solved cells if all records are good, otherwise nothing,
    /// and what was written is unspecified. An odd number of records is left to the others.
    #[doc(hidden)]
    pub v1_to_pairs36: Option<Rewrite>,
    /// Where any of three bytes stands in a text, in order; how many there are, and whether the third byte is among them. There is
    /// room for as many as the text has bytes, and [`SLACK`] more; what is written after the last one is unspecified.
    #[doc(hidden)]
    pub find3: Find3,
    /// Which solutions of 81 bytes are a digit 1 to 9 for each cell, have the givens of their puzzles (codes up to the number, 9 or 18),
    /// and in all rows, columns and boxes each digit once.
    #[doc(hidden)]
    pub solved9: fn(Texts, &[u16], u16) -> u64,
    /// SHA-256 of sixteen strings side by side, where that is faster than one after the other with the instructions for it.
    #[doc(hidden)]
    pub compress: Option<sha256::Compress>,
    /// Boards in rows to cells in rows, where there is a faster way than loops.
    #[doc(hidden)]
    pub by_cell: Option<cells9::ByCell>,
    /// What [`Kernel::run`] compiles for. Set here only, since the machine must have it.
    width: Width,
    /// What singles and cages take from a board of side 3 to 8.
    #[doc(hidden)]
    pub settle8: Settle8,
    /// What singles and locked candidates take from a sudoku of side 16.
    #[doc(hidden)]
    pub settle16: Settle16,
    /// An empty block of the bit-sliced solver, for puzzles with these houses besides rows, columns and boxes.
    #[doc(hidden)]
    pub block: NewBlock,
    /// One of fewer lanes, which takes less time where they are enough.
    #[doc(hidden)]
    pub narrow_block: Option<NewBlock>,
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").field("name", &self.name).finish_non_exhaustive()
    }
}

/// An empty block for puzzles with these houses besides rows, columns and boxes.
#[doc(hidden)]
pub type NewBlock = fn(Vec<ExtraHouse>) -> Box<dyn Block>;

/// See [`Kernel::find3`].
#[doc(hidden)]
pub type Find3 = fn(&[u8], [u8; 3], &mut [u32]) -> (usize, bool);

/// A way from text straight to text: records, room for the others, how far those are apart.
#[doc(hidden)]
pub type Rewrite = fn(Texts, &mut [u8], usize) -> Option<u32>;

/// Codes from one row to the next at side 9.
#[doc(hidden)]
pub const ROW9: usize = 96;

/// Bytes after the last record that an encoder may overwrite.
#[doc(hidden)]
pub const SLACK: usize = 64;

/// The measures of a body of base-36 pairs.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairs {
    /// Cells of a board, at most 81.
    pub cells: usize,
    /// Codes from one row to the next: `cells` rounded up to a multiple of 32.
    pub row: usize,
    /// The largest value allowed, at most 1295.
    pub max: u16,
}

/// The kernels compiled in that this machine can run, best first.
pub fn available() -> Vec<&'static Kernel> {
    let mut kernels: Vec<&'static Kernel> = Vec::new();
    #[cfg(target_arch = "x86_64")]
    kernels.extend(x86_64::available());
    #[cfg(target_arch = "aarch64")]
    kernels.extend(aarch64::available());
    kernels.push(&SCALAR);
    kernels
}

/// The names of all kernels compiled in, best first, also those that this machine cannot run.
pub fn compiled() -> &'static [&'static str] {
    if cfg!(target_arch = "x86_64") {
        &["avx512", "avx2", "scalar"]
    } else if cfg!(target_arch = "aarch64") {
        &["neon", "scalar"]
    } else {
        &["scalar"]
    }
}

/// The best kernel that this machine can run. Detection is done once a process by the standard library.
pub fn best() -> &'static Kernel {
    available().first().copied().unwrap_or(&SCALAR)
}

/// The kernel of this name.
///
/// # Errors
/// There is no such kernel, or this machine cannot run it; the message lists those it can.
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

/// How many random inputs a test tries: fewer under Miri, which takes a thousand times as long.
#[cfg(test)]
const fn rounds(inputs: usize) -> usize {
    if cfg!(miri) { inputs / 100 } else { inputs }
}
