//! Where strings are in a text, and where new ones are appended.

use std::fmt;

use super::Text;
use crate::kernels::Texts;

/// Ranges of a text: record i is `bytes[starts[i]..ends[i]]`. Records may have any length and order, and any position in
/// the first 4 GiB of the text; one that is not in the text makes whatever reads it panic. Formats take at most 64 records
/// at a time.
#[derive(Clone, Copy)]
pub struct Records<'a> {
    /// The text that contains the records.
    pub bytes: &'a [u8],
    /// The offset at which each record starts.
    pub starts: &'a [u32],
    /// The offset after the last byte of each record.
    pub ends: &'a [u32],
}

impl fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("len", &self.starts.len()).finish_non_exhaustive()
    }
}

impl<'a> Records<'a> {
    /// Returns record `i`.
    pub fn get(&self, i: usize) -> &'a [u8] {
        &self.bytes[self.starts[i] as usize..self.ends[i] as usize]
    }

    /// Returns a range of the records.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        Self { bytes: self.bytes, starts: &self.starts[range.clone()], ends: &self.ends[range] }
    }

    /// Returns how many records, counted from the first, have `width` bytes.
    pub(super) fn count_of_width(&self, width: usize) -> usize {
        let ranges = || self.starts.iter().zip(self.ends);
        let has_width = |(start, end): (&u32, &u32)| end.wrapping_sub(*start) as usize == width;
        // Nearly always all of them have it, which this finds without a branch for each.
        if ranges().fold(true, |all, range| all & has_width(range)) {
            return self.len();
        }
        ranges().take_while(|&range| has_width(range)).count()
    }

    /// Returns the records, which must have one width, in the form that kernels take.
    #[doc(hidden)]
    pub fn texts(&self) -> Texts<'a> {
        Texts { bytes: self.bytes, starts: self.starts }
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }
}

/// Where strings are appended.
#[derive(Debug)]
pub struct StringsOut<'o> {
    /// The text that they are appended to.
    pub text: &'o mut Text,
    /// How many bytes after each string are left for the caller to fill in.
    pub gap: usize,
    /// Where string i ends in the text.
    pub ends: &'o mut [usize],
}

impl StringsOut<'_> {
    /// Reserves space for strings of one width, calls `fill` to write them with the distance between their starts, and
    /// sets their ends.
    pub(super) fn fixed(self, width: usize, strings: usize, fill: impl FnOnce(&mut [u8], usize) -> u64) -> u64 {
        let pitch = width + self.gap;
        let start = self.text.len();
        let lossless = fill(self.text.room(strings * pitch), pitch);
        self.text.advance(strings * pitch);
        for (i, end) in self.ends[..strings].iter_mut().enumerate() {
            *end = start + i * pitch + width;
        }
        lossless
    }
}
