//! Cell permutations as rows, columns and two flags. Every element of every group can be written in this form.

/// The largest side.
pub(super) const MAX_SIDE: usize = 25;

/// The number of cells of the largest board.
pub(super) const CELLS: usize = MAX_SIDE * MAX_SIDE;

/// A list with one value for each line of a board; the values after its side are 0.
pub(super) type LineValues = [u8; MAX_SIDE];

/// The cells are regrouped: rows become boxes (`b`, colour-sudoku).
pub(super) const REGROUPED: u8 = 1;

/// Rows and columns are exchanged (`t`).
pub(super) const TRANSPOSED: u8 = 2;

/// A cell permutation: cell (i, j) of the image is cell (rows\[i\], columns\[j\]) of the original after the flags are
/// applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Arrangement {
    /// [`REGROUPED`] and [`TRANSPOSED`].
    pub flags: u8,
    /// For each row of the image, its row in the original.
    pub rows: LineValues,
    /// For each column of the image, its column in the original.
    pub columns: LineValues,
}

/// Returns the cell of the original that the flags move to row `row`, column `column`.
pub(super) fn apply_flags(flags: u8, row: usize, column: usize) -> (usize, usize) {
    let (row, column) = if flags & TRANSPOSED != 0 { (column, row) } else { (row, column) };
    if flags & REGROUPED != 0 {
        return (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
    }
    (row, column)
}

impl Arrangement {
    /// Returns the arrangement that changes nothing.
    pub(super) fn identity(side: usize) -> Self {
        let lines = std::array::from_fn(|i| if i < side { i as u8 } else { 0 });
        Self { flags: 0, rows: lines, columns: lines }
    }

    /// Returns the cell of the original that moves to row `i`, column `j`.
    pub(super) fn source(&self, i: usize, j: usize) -> (usize, usize) {
        apply_flags(self.flags, self.rows[i].into(), self.columns[j].into())
    }

    /// Returns, for each cell of the image, the cell of the original.
    pub(super) fn sources(&self, side: usize) -> Vec<u16> {
        let mut sources = vec![0; side * side];
        self.fill_sources(side, &mut sources);
        sources
    }

    /// Writes, for each cell of the image, the cell of the original.
    pub(super) fn fill_sources(&self, side: usize, sources: &mut [u16]) {
        let n = side as u16;
        let (row_step, column_step) = if self.flags & TRANSPOSED != 0 { (1, n) } else { (n, 1) };
        for (sources, &row) in sources.chunks_exact_mut(side).zip(&self.rows) {
            for (source, &column) in sources.iter_mut().zip(&self.columns) {
                *source = u16::from(row) * row_step + u16::from(column) * column_step;
            }
        }
        if self.flags & REGROUPED != 0 {
            for source in sources {
                let (row, column) = apply_flags(REGROUPED, usize::from(*source) / side, usize::from(*source) % side);
                *source = (row * side + column) as u16;
            }
        }
    }

    /// Returns the arrangement with these sources, if there is one.
    pub(super) fn from_sources(sources: &[u16], side: usize) -> Option<Self> {
        let flags = [0, REGROUPED, TRANSPOSED, REGROUPED | TRANSPOSED];
        flags.into_iter().filter(|flags| side == 9 || flags & REGROUPED == 0).find_map(|flags| {
            // Regrouping and exchanging are their own inverses, and they commute.
            let back = |cell: usize| {
                let source = usize::from(sources[cell]);
                let (row, column) = apply_flags(flags & REGROUPED, source / side, source % side);
                apply_flags(flags & TRANSPOSED, row, column)
            };
            let (mut rows, mut columns) = ([0; MAX_SIDE], [0; MAX_SIDE]);
            for i in 0..side {
                rows[i] = back(i * side).0 as u8;
                columns[i] = back(i).1 as u8;
            }
            let fits = (0..side * side)
                .all(|cell| back(cell) == (usize::from(rows[cell / side]), usize::from(columns[cell % side])));
            fits.then_some(Self { flags, rows, columns })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrangement_is_found_again_from_its_sources() {
        for flags in 0..4 {
            let mut one = Arrangement { flags, ..Arrangement::identity(9) };
            one.rows[..9].rotate_left(3);
            one.columns.swap(0, 2);
            let again = Arrangement::from_sources(&one.sources(9), 9).expect("it is one");
            assert_eq!(again.sources(9), one.sources(9));
            assert_eq!(again, one);
        }
    }
}
