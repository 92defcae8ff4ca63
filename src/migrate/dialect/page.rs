//! How many rows are asked for at a time.

use crate::migrate::PAGE;

/// The number of rows of a page: smaller where values are long, since a server sends all rows that it was asked for.
#[derive(Debug, Clone, Copy)]
pub(in crate::migrate) struct PageRows {
    rows: usize,
    most: usize,
}

impl PageRows {
    /// At most this many, which is also where it begins.
    pub(in crate::migrate) fn new(most: usize) -> Self {
        Self { rows: most, most }
    }

    /// The number of rows to ask for.
    pub(in crate::migrate) fn get(self) -> usize {
        self.rows
    }

    /// Learns from a page of `rows` with this many bytes. `is_cut` says that there were more rows, which were thrown
    /// away. Their number is at most twice that of the rows on the page before, except after the first long value, so
    /// all of them together are not much more than the table.
    pub(in crate::migrate) fn learn(&mut self, rows: usize, bytes: usize, is_cut: bool) {
        if is_cut {
            self.rows = rows.clamp(1, self.most);
        } else if rows >= self.rows && bytes < PAGE / 4 {
            self.rows = self.most.min(self.rows * 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_shrink_at_long_values_and_grow_again() {
        let mut page = PageRows::new(10_000);
        let mut learn = |rows, bytes, is_cut| {
            page.learn(rows, bytes, is_cut);
            page.get()
        };
        assert_eq!(learn(10_000, 1 << 20, false), 10_000);
        assert_eq!(learn(0, 0, true), 1);
        assert_eq!(learn(1, PAGE, false), 1);
        assert_eq!(learn(1, 1 << 19, false), 2);
        assert_eq!(learn(1, 1 << 19, false), 2);
        assert_eq!(learn(2, 1 << 19, false), 4);
        assert_eq!(learn(3, PAGE, true), 3);
        assert_eq!((0..12).map(|_| learn(10_000, 10, false)).last(), Some(10_000));
    }
}
