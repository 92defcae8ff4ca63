//! Writes the canonical strings of sudokus of side 9 directly from clues and maps, without boards in between, and
//! computes their keys.

use super::bands::{Digits, FormSink, LeastForm};
use super::key::Key;
use crate::board::BATCH;
use crate::kernels::Kernel;
use crate::kernels::bytes16::Bytes16;
use crate::kernels::sha256::padded;

/// The beginning of each string.
const HEADER: &[u8; 3] = b"S9B";

/// The number of characters of each string.
pub(crate) const WIDTH: usize = HEADER.len() + PAIRS;

/// The number of characters for the cells, two each.
const PAIRS: usize = 2 * 81;

/// The number of SHA-256 blocks of each string.
const BLOCKS: usize = 3;

/// The strings of a batch, padded for SHA-256.
pub(super) struct HashBlocks(Box<[[[u8; 64]; BLOCKS]; BATCH]>);

impl HashBlocks {
    pub(super) fn new() -> Self {
        let mut string = [b'0'; WIDTH];
        string[..HEADER.len()].copy_from_slice(HEADER);
        Self(Box::new([padded(&string); BATCH]))
    }

    /// Returns the sink that writes these strings.
    pub(super) fn write<'s>(&'s mut self, clues: &'s [Digits]) -> impl FormSink {
        write_to(clues, self.0.as_flattened_mut().as_flattened_mut(), 64 * BLOCKS)
    }

    /// Returns the strings of all boards.
    pub(super) fn all(&self) -> impl Iterator<Item = &[u8; WIDTH]> {
        self.0.iter().filter_map(|string| string.as_flattened().first_chunk())
    }

    /// Returns the keys of the first strings.
    pub(super) fn keys(&self, kernel: &Kernel, boards: usize) -> Vec<Key> {
        Key::of_padded(kernel, &self.0[..boards], WIDTH)
    }
}

/// Returns a sink that writes the strings of boards with these clues when their forms are found: that of board i begins at
/// `i * pitch`.
pub(super) fn write_to<'s>(clues: &'s [Digits], to: &'s mut [u8], pitch: usize) -> impl FormSink {
    Write { clues, to, pitch }
}

struct Write<'a> {
    clues: &'a [Digits],
    to: &'a mut [u8],
    pitch: usize,
}

impl FormSink for Write<'_> {
    #[inline(always)]
    fn put<B: Bytes16>(&mut self, bytes: B, board: usize, least: &LeastForm) {
        let digits = least.moved(bytes, &self.clues[board]);
        let Some(string) = self.to[board * self.pitch..].first_chunk_mut::<WIDTH>() else { return };
        let (header, pairs) = string.split_at_mut(HEADER.len());
        header.copy_from_slice(HEADER);
        // Written as 16-bit words, which the compiler vectorises.
        for (pair, &digit) in pairs.as_chunks_mut::<2>().0.iter_mut().zip(&digits) {
            *pair = (u16::from_le_bytes(*b"00") + (u16::from(digit) << 8)).to_le_bytes();
        }
    }
}
