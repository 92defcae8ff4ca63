//! Canonical strings of sudokus of side 9 straight from what makes them canonical, without boards in between; and their keys.

use super::bands::{Digits, Finds, Least};
#[cfg(feature = "keys")]
use super::key::Key;
use crate::board::BATCH;
use crate::kernels::Kernel;
use crate::kernels::bytes16::Bytes16;
use crate::kernels::sha256::padded;

/// What they begin with.
const HEADER: &[u8; 3] = b"S9B";

/// Characters of each.
pub(super) const WIDTH: usize = HEADER.len() + PAIRS;

/// Characters of the cells: two each.
const PAIRS: usize = 2 * 81;

/// Blocks that SHA-256 makes of each.
const BLOCKS: usize = 3;

/// The strings of a batch, as SHA-256 takes them.
pub(super) struct Strings(Box<[[[u8; 64]; BLOCKS]; BATCH]>);

impl Strings {
    pub(super) fn new() -> Self {
        let mut string = [b'0'; WIDTH];
        string[..HEADER.len()].copy_from_slice(HEADER);
        Self(Box::new([padded(&string); BATCH]))
    }

    /// Writes those that maps make of boards with these clues.
    pub(super) fn write<'s>(&'s mut self, clues: &'s [Digits]) -> impl Finds {
        Write { clues, strings: &mut self.0 }
    }

    /// The strings of all boards.
    pub(super) fn all(&self) -> impl Iterator<Item = &[u8; WIDTH]> {
        self.0.iter().filter_map(|string| string.as_flattened().first_chunk())
    }

    /// The keys of the first strings.
    #[cfg(feature = "keys")]
    pub(super) fn keys(&self, kernel: &Kernel, boards: usize) -> Vec<Key> {
        Key::of_padded(kernel, &self.0[..boards], WIDTH)
    }
}

struct Write<'a> {
    clues: &'a [Digits],
    strings: &'a mut [[[u8; 64]; BLOCKS]; BATCH],
}

impl Finds for Write<'_> {
    #[inline(always)]
    fn take<B: Bytes16>(&mut self, bytes: B, board: usize, least: &Least) {
        let digits = least.moved(bytes, &self.clues[board]);
        let string = self.strings[board].as_flattened_mut();
        let Some(pairs) = string[HEADER.len()..].first_chunk_mut::<PAIRS>() else { return };
        // A pair in a word, of which compilers make vectors.
        for (pair, &digit) in pairs.as_chunks_mut::<2>().0.iter_mut().zip(&digits) {
            *pair = (u16::from_le_bytes(*b"00") + (u16::from(digit) << 8)).to_le_bytes();
        }
    }
}
