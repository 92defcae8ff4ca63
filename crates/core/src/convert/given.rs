//! Solutions that came with the records of a call.

use std::ops::Range;

use super::digits::written;

/// Where the solutions of the records of a call stand, in the bytes that the records stand in.
#[derive(Debug, Default)]
pub(super) struct GivenSolutions {
    places: Vec<Range<u32>>,
}

impl GivenSolutions {
    /// Where the solution of a record stands; of no bytes if it has none.
    #[inline]
    pub(super) fn place(&self, record: usize) -> Range<usize> {
        self.places.get(record).map_or(0..0, |place| place.start as usize..place.end as usize)
    }

    /// Whether a text is this solution, as this program writes it.
    #[inline]
    pub(super) fn is(text: &[u8], solution: &[u8]) -> bool {
        let same = |(&digit, &byte): (&u8, &u8)| byte == written(digit);
        solution.len() == text.len() && solution.iter().zip(text).fold(true, |all, pair| all & same(pair))
    }

    /// Takes others in place of those that there are.
    pub(super) fn take(&mut self, places: impl Iterator<Item = Range<u32>>) {
        self.places.clear();
        self.places.extend(places);
    }
}
