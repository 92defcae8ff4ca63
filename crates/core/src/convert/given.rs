//! Solutions that came with the records of a call.

use std::ops::Range;

use super::digits::digit_char;

/// The ranges of solutions, in the same bytes as the records.
#[derive(Debug, Default)]
pub(super) struct GivenSolutions {
    places: Vec<Range<u32>>,
}

impl GivenSolutions {
    /// The range of a record's solution; empty if it has none.
    #[inline]
    pub(super) fn place(&self, record: usize) -> Range<usize> {
        self.places.get(record).map_or(0..0, |place| place.start as usize..place.end as usize)
    }

    /// Whether a text is this solution in our notation.
    #[inline]
    pub(super) fn matches_solution(text: &[u8], solution: &[u8]) -> bool {
        let same = |(&digit, &byte): (&u8, &u8)| byte == digit_char(digit);
        solution.len() == text.len() && solution.iter().zip(text).fold(true, |all, pair| all & same(pair))
    }

    /// Replaces all ranges.
    pub(super) fn take(&mut self, places: impl Iterator<Item = Range<u32>>) {
        self.places.clear();
        self.places.extend(places);
    }
}
