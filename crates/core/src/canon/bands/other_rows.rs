//! Orders the six rows below the top band: the rows of each band ascend by their first digits, and so do the two bands.

use crate::kernels::bytes16::Bytes16;

/// The ordering of the other rows for each band on top.
pub(super) static OTHER_ROWS: [OtherRows; 3] =
    [OtherRows::for_top_band(0), OtherRows::for_top_band(1), OtherRows::for_top_band(2)];

/// Orders the rows below a band by the first digits of all nine rows, of which it compares six.
pub(super) struct OtherRows {
    /// Pairs of rows that are compared: byte i of `one` with byte i of `other`.
    one: [u8; 16],
    other: [u8; 16],
    /// The first, second and third rows of both bands.
    thirds: [[u8; 16]; 3],
    /// The order of the rows, indexed by the bits of the comparisons.
    rows: [[u8; 6]; 128],
}

/// The ascending order of three values, indexed by three comparison bits: the first is less than the second, the first
/// is less than the third, and the second is less than the third. Two of the eight combinations are impossible.
const ASCENDING: [[u8; 3]; 8] =
    [[2, 1, 0], [2, 0, 1], [0, 1, 2], [0, 2, 1], [1, 2, 0], [0, 1, 2], [1, 0, 2], [0, 1, 2]];

impl OtherRows {
    /// Makes the ordering of the rows of the other two bands.
    const fn for_top_band(band: u8) -> Self {
        let starts = match band {
            0 => [3, 6],
            1 => [0, 6],
            _ => [0, 3],
        };
        let mut table = Self { one: [0; 16], other: [0; 16], thirds: [[0; 16]; 3], rows: [[0; 6]; 128] };
        let mut i = 0;
        while i < 2 {
            let (start, at) = (starts[i], 3 * i);
            (table.one[at], table.other[at]) = (start, start + 1);
            (table.one[at + 1], table.other[at + 1]) = (start, start + 2);
            (table.one[at + 2], table.other[at + 2]) = (start + 1, start + 2);
            (table.thirds[0][i], table.thirds[1][i], table.thirds[2][i]) = (start, start + 1, start + 2);
            i += 1;
        }
        let mut bits = 0;
        while bits < 128 {
            let order = [ASCENDING[bits & 7], ASCENDING[bits >> 3 & 7]];
            let first = if bits >> 6 == 1 { 0 } else { 1 };
            let mut k = 0;
            while k < 3 {
                table.rows[bits][k] = starts[first] + order[first][k];
                table.rows[bits][3 + k] = starts[1 - first] + order[1 - first][k];
                k += 1;
            }
            bits += 1;
        }
        table
    }

    /// Returns the rows in their order; `heads` are the first digits of all nine rows.
    #[inline(always)]
    pub(super) fn rows<B: Bytes16>(&self, bytes: B, heads: B) -> [u8; 6] {
        let of = |rows: &[u8; 16]| heads.pick(bytes.load(rows));
        let within = of(&self.one).less(of(&self.other)) & 63;
        let [first, second, third] = self.thirds.each_ref().map(of);
        let least = first.min(second).min(third);
        let between = least.less(least.pick(bytes.load(&[1; 16]))) & 1;
        self.rows[(within | between << 6) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::bytes16::Plain16;

    #[test]
    fn rows_ascend_within_their_bands_and_so_do_these() {
        for round in 0..20_000_u32 {
            let mut heads = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0];
            let mut state = u64::from(round).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            for i in (1..9).rev() {
                heads.swap(i, (state >> 40) as usize % (i + 1));
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            }
            for (band, ordering) in (0..).zip(&OTHER_ROWS) {
                let mut bands: Vec<Vec<u8>> =
                    (0..3).filter(|&other| other != band).map(|other| (3 * other..3 * other + 3).collect()).collect();
                let head = |row: &u8| heads[usize::from(*row)];
                bands.iter_mut().for_each(|rows| rows.sort_by_key(head));
                bands.sort_by_key(|rows| head(&rows[0]));
                let heads = Plain16::NONE.load(&heads);
                assert_eq!(ordering.rows(Plain16::NONE, heads).to_vec(), bands.concat());
            }
        }
    }
}
