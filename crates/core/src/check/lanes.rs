//! Checks whole batches at once, with one board per lane. Only for sudokus of side 9 without other fields than cells.

use crate::board::{BATCH, Batch, Side, geometry};
use crate::kernels::{Kernel, ROW9, SimdTask};

/// Whether the boards of a batch can be checked together.
pub(super) fn takes(batch: &Batch) -> bool {
    batch.shape().side == Side::NINE && batch.shape().kind.is_plain() && !batch.has_groups()
}

/// The boards among `good` that have neither a problem nor a warning, of a batch that [`takes`] says yes to.
pub(super) fn passing(batch: &Batch, good: u64, kernel: &Kernel) -> u64 {
    let mut houses = [[0; 9]; 40];
    let mut count = 0;
    for (house, cells) in houses.iter_mut().zip(geometry(Side::NINE).houses(batch.shape().kind)) {
        house.iter_mut().zip(cells).for_each(|(to, &cell)| *to = cell as u8);
        count += 1;
    }
    good & kernel.run(HouseLanes { codes: batch.codes16(), houses: &houses[..count] })
}

/// One value of each board.
type Lane = [u16; BATCH];

struct HouseLanes<'a> {
    codes: &'a [u16],
    houses: &'a [[u8; 9]],
}

impl SimdTask for HouseLanes<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let mut codes = [[0; BATCH]; 81];
        for (board, row) in self.codes.chunks_exact(ROW9).enumerate() {
            for (lanes, &code) in codes.iter_mut().zip(row) {
                lanes[board] = code;
            }
        }
        let mut placed = [[0; BATCH]; 81];
        for (placed, codes) in placed.iter_mut().zip(&codes) {
            for (placed, &code) in placed.iter_mut().zip(codes) {
                // 1 to 18 are the digits of clues and of solved cells. Other codes give no bit.
                let digit = if code > 9 { code - 9 } else { code };
                *placed = if digit.wrapping_sub(1) < 9 { 1_u16 << (digit.wrapping_sub(1) & 15) } else { 0 };
            }
        }
        let mut seen = [[0; BATCH]; 81];
        let mut bad = [0; BATCH];
        for house in self.houses {
            self.house(house, &placed, &mut seen, &mut bad);
        }
        for ((codes, placed), seen) in codes.iter().zip(&placed).zip(&seen) {
            for (((bad, &code), &placed), &seen) in bad.iter_mut().zip(codes).zip(placed).zip(seen) {
                // A cell without a digit has nothing left, or has candidates that are excluded, unless it has all
                // candidates.
                let nothing = (placed == 0) & (seen == 511);
                let stale = (code > 18) & (code < 18 + 511) & (code.wrapping_sub(18) & seen != 0);
                *bad |= u16::from(nothing | stale);
            }
        }
        bad.iter().enumerate().fold(0, |passing, (i, &bad)| passing | u64::from(bad == 0) << i)
    }
}

impl HouseLanes<'_> {
    /// Checks a house. Each digit is a bit of its own, so the sum of the bits differs from their union if one repeats.
    #[inline(always)]
    fn house(&self, house: &[u8; 9], placed: &[Lane; 81], seen: &mut [Lane; 81], bad: &mut Lane) {
        let (mut union, mut sum) = ([0; BATCH], [0; BATCH]);
        for &cell in house {
            for ((union, sum), &placed) in union.iter_mut().zip(&mut sum).zip(&placed[usize::from(cell)]) {
                *union |= placed;
                *sum += placed;
            }
        }
        for ((bad, union), sum) in bad.iter_mut().zip(&union).zip(&sum) {
            *bad |= union ^ sum;
        }
        for &cell in house {
            for (seen, union) in seen[usize::from(cell)].iter_mut().zip(&union) {
                *seen |= union;
            }
        }
    }
}
