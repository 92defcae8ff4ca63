//! Digits that sums and runs surely hold.

/// What some cells surely hold between them, by their number: it is to be taken from the cells that see all of them.
pub(super) struct Sure {
    /// The first `count` of these; the last one never counts.
    list: [(u8, u16); 65],
    count: usize,
}

impl Sure {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { list: [(0, 0); 65], count: 0 }
    }

    #[inline(always)]
    pub(super) fn take(&mut self) -> &[(u8, u16)] {
        let count = std::mem::take(&mut self.count);
        &self.list[..count.min(64)]
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    pub(super) fn push(&mut self, number: usize, digits: u32) {
        // Whether there are any cannot be guessed.
        self.list[self.count.min(64)] = (number as u8, digits as u16);
        self.count = (self.count + usize::from(digits != 0)).min(64);
    }
}
