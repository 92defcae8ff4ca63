//! Makes partly filled boards: which cells are placed, and which candidates the others have.

use super::rng::Rng;
use crate::board::Mask;

/// Cells of the largest board.
pub(super) const CELLS: usize = 625;

/// Which cells of a board are clues.
pub(super) type GivenCells = [bool; CELLS];

/// The cells of the board being made, as an array for each field. Entries after the last cell are unspecified.
pub(super) struct CellArrays {
    /// The digit of the solution; 0 in a black cell that shows none.
    pub digit: [u8; CELLS],
    /// The digit as a mask.
    pub bit: [Mask; CELLS],
    /// All ones for a cell without a placed digit, otherwise 0.
    pub open: [Mask; CELLS],
    /// The difference between the code of a placed cell and its digit, which says clue, solved or black.
    pub base: [u32; CELLS],
    /// The digits that placed digits do not exclude.
    pub candidates: [Mask; CELLS],
    /// The finished codes.
    pub code: [u32; CELLS],
}

impl Default for CellArrays {
    fn default() -> Self {
        Self {
            digit: [0; CELLS],
            bit: [0; CELLS],
            open: [0; CELLS],
            base: [0; CELLS],
            candidates: [0; CELLS],
            code: [0; CELLS],
        }
    }
}

/// The houses of a board besides its rows and columns, and its cages.
pub(super) struct ExtraHouses<'a> {
    /// The box or region of each cell, 0..n-1; empty if there are none.
    pub box_or_region: &'a [u8],
    /// The diagonals, windows or colour groups.
    pub extra: &'a [Vec<u16>],
    /// The cage of each cell, if digits do not repeat in cages; otherwise empty.
    pub cage: &'a [u16],
}

impl CellArrays {
    /// Computes `candidates` for an N x N board. Every open cell keeps the digit of the solution.
    #[inline]
    pub(super) fn compute_candidates<const N: usize>(&mut self, houses: &ExtraHouses, full: Mask) {
        let (mut rows, mut columns, mut boxes) = ([0; N], [0; N], [0; 32]);
        let mut placed = [0; CELLS];
        let (placed, bit, open) = (&mut placed[..N * N], &self.bit[..N * N], &self.open[..N * N]);
        let candidates = &mut self.candidates[..N * N];
        for i in 0..N * N {
            placed[i] = bit[i] & !open[i];
        }
        for row in 0..N {
            for column in 0..N {
                rows[row] |= placed[row * N + column];
                columns[column] |= placed[row * N + column];
            }
        }
        for row in 0..N {
            for column in 0..N {
                candidates[row * N + column] = full & !(rows[row] | columns[column]);
            }
        }
        if let Some(box_or_region) = houses.box_or_region.get(..N * N) {
            for i in 0..N * N {
                boxes[box_or_region[i] as usize & 31] |= placed[i];
            }
            for i in 0..N * N {
                candidates[i] &= !boxes[box_or_region[i] as usize & 31];
            }
        }
        for house in houses.extra {
            let seen = house.iter().fold(0, |seen, &i| seen | placed[i as usize]);
            house.iter().for_each(|&i| candidates[i as usize] &= !seen);
        }
        if let Some(cage) = houses.cage.get(..N * N) {
            let mut cages = [0; CELLS];
            for i in 0..N * N {
                cages[cage[i] as usize] |= placed[i];
            }
            for i in 0..N * N {
                candidates[i] &= !cages[cage[i] as usize];
            }
        }
    }

    /// Solves every open cell with only one candidate. Returns whether there was one.
    #[inline]
    pub(super) fn solve_singles<const N: usize>(&mut self) -> bool {
        let (candidates, open) = (&self.candidates[..N * N], &mut self.open[..N * N]);
        let mut any = 0;
        for i in 0..N * N {
            let single = if candidates[i] & candidates[i].wrapping_sub(1) == 0 { open[i] } else { 0 };
            open[i] &= !single;
            any |= single;
        }
        any != 0
    }

    /// Writes the codes of placed cells, and of the candidates of the others. Some candidates are struck out, but never
    /// the digit of the solution, and never so many that only this digit is left, unless `singles` allows that.
    #[inline]
    pub(super) fn write_progress<const N: usize>(
        &mut self,
        strikeouts: &Strikeouts,
        candidates_base: u32,
        singles: bool,
        rng: &mut Rng,
    ) {
        let [a, b, c] = strikeouts.draw(rng).map(|from| &from[..N * N]);
        let (candidates, bit, open) = (&self.candidates[..N * N], &self.bit[..N * N], &self.open[..N * N]);
        let (base, digit, code) = (&self.base[..N * N], &self.digit[..N * N], &mut self.code[..N * N]);
        for i in 0..N * N {
            let kept = candidates[i] & (a[i] | b[i] | c[i] | bit[i]);
            let single = !singles & (kept & kept.wrapping_sub(1) == 0);
            let kept = if single { candidates[i] } else { kept };
            let placed = base[i] + u32::from(digit[i]);
            code[i] = (placed & !open[i]) | ((candidates_base + kept) & open[i]);
        }
    }

    /// Writes the codes of placed cells. The others are empty, or solved if `solved`.
    #[inline]
    pub(super) fn write_placed<const N: usize>(&mut self, solved: bool) {
        let (open, base, digit) = (&self.open[..N * N], &self.base[..N * N], &self.digit[..N * N]);
        let code = &mut self.code[..N * N];
        for i in 0..N * N {
            let placed = base[i] + u32::from(digit[i]);
            code[i] = if solved { placed } else { placed & !open[i] };
        }
    }
}

/// Which candidates a player has struck out: those for which three random stretches of one table all have a 0. This
/// costs three random numbers for each board instead of one for each cell.
#[derive(Clone)]
pub(super) struct Strikeouts(Vec<Mask>);

/// The number of stretches to choose from.
const STRETCHES: usize = 1 << 12;

impl Strikeouts {
    /// A table of random masks.
    pub(super) fn new(rng: &mut Rng) -> Self {
        Self((0..STRETCHES + CELLS).map(|_| rng.next() as u32).collect())
    }

    /// Draws three random stretches of the table.
    #[inline]
    fn draw(&self, rng: &mut Rng) -> [&[Mask]; 3] {
        std::array::from_fn(|_| {
            let from = rng.below(STRETCHES);
            &self.0[from..from + CELLS]
        })
    }
}
