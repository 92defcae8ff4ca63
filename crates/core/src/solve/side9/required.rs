//! Collects digits that are required in the cells of sums and runs.

/// For some sums or runs, by their numbers, digits that occur in every way to fill their cells. These digits can be
/// removed from the common peers of the cells.
pub(super) struct RequiredDigits {
    /// Numbers and digits. Only the first `count` entries are used, and never the last one.
    list: [(u8, u16); 65],
    count: usize,
}

impl RequiredDigits {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { list: [(0, 0); 65], count: 0 }
    }

    /// Returns all entries, and clears the list.
    #[inline(always)]
    pub(super) fn take(&mut self) -> &[(u8, u16)] {
        let count = std::mem::take(&mut self.count);
        &self.list[..count.min(64)]
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds the digits of a sum or run, if there are any.
    #[inline(always)]
    pub(super) fn push(&mut self, number: usize, digits: u32) {
        // There is no branch on whether there are digits, since it would often be mispredicted.
        self.list[self.count.min(64)] = (number as u8, digits as u16);
        self.count = (self.count + usize::from(digits != 0)).min(64);
    }
}
