//! Makes the forms of sudokus of side 9 one batch at a time, because there may be millions.

use super::bands::{BandSearch, Digits, FormSink, LeastGrids};
use super::map::Map;
use super::strings::{HashBlocks, write_to};
use crate::board::{BATCH, Batch};
use crate::kernels::bytes16::{Bytes16, Bytes16Task, Permutation9};
use crate::kernels::{Kernel, ROW9, SimdTask, all_bits};

/// The current batch: its clues, its grids and its results.
pub(super) struct Side9Batch {
    bands: BandSearch,
    clues: Box<[Digits; BATCH]>,
    grids: Box<[Digits; BATCH]>,
    pub(super) strings: HashBlocks,
}

impl Side9Batch {
    pub(super) fn new() -> Self {
        let none = || Box::new([[0; ROW9]; BATCH]);
        Self { bands: BandSearch::new(), clues: none(), grids: none(), strings: HashBlocks::new() }
    }

    /// Reads the givens of a batch. Returns one bit for each board whose digits are all given.
    pub(super) fn read(&mut self, kernel: &Kernel, from: &Batch, all_given: bool) -> u64 {
        kernel.run(GivenDigits {
            codes: from.codes16(),
            largest_code: largest_given_code(all_given),
            rows: &mut self.clues[..],
        })
    }

    /// Sets the givens of boards instead of reading them.
    pub(super) fn take(&mut self, givens: &[Digits]) {
        self.clues[..givens.len()].copy_from_slice(givens);
    }

    /// Returns the clues of a board that was read.
    pub(super) fn clues(&self, board: usize) -> &Digits {
        &self.clues[board]
    }

    /// Finds the forms of the boards whose grids are known. Returns one bit for each of them whose grid obeys the rules
    /// and therefore has a form.
    pub(super) fn least(&mut self, kernel: &Kernel, grids: KnownGrids<'_>, found: impl FormSink) -> u64 {
        let KnownGrids { boards, full, solved, solutions } = grids;
        let known = full | solved;
        for (board, solution) in solutions.as_chunks::<81>().0.iter().enumerate().take(boards) {
            if (solved & !full) >> board & 1 == 1 {
                self.grids[board][..81].copy_from_slice(solution);
            }
        }
        if known == 0 {
            return 0;
        }
        let grids = if full == known && known.count_ones() as usize == boards {
            &self.clues
        } else {
            for board in (0..boards).filter(|board| full >> board & 1 == 1) {
                self.grids[board] = self.clues[board];
            }
            &self.grids
        };
        let known = known & self.bands.number(kernel, grids);
        let (grids, clues) = (&grids[..], &self.clues[..]);
        kernel.run_bytes16(LeastGrids { search: &mut self.bands, boards: known, grids, clues, found });
        known
    }

    /// Writes the canonical strings of boards with these givens and solutions: to `to`, with a distance from the start of
    /// one to the start of the next, or to `strings`. Returns false if some of the solutions break the rules.
    pub(super) fn write_strings(
        &mut self,
        kernel: &Kernel,
        givens: &[Digits],
        solutions: &[[u8; 81]],
        to: Option<(&mut [u8], usize)>,
    ) -> bool {
        for (grid, solution) in self.grids.iter_mut().zip(solutions) {
            grid[..81].copy_from_slice(solution);
        }
        let all = all_bits(givens.len());
        if self.bands.number(kernel, &self.grids) & all != all {
            return false;
        }
        let (search, grids) = (&mut self.bands, &self.grids[..]);
        match to {
            Some((to, pitch)) => {
                let found = write_to(givens, to, pitch);
                kernel.run_bytes16(LeastGrids { search, boards: all, grids, clues: givens, found });
            }
            None => {
                let found = self.strings.write(givens);
                kernel.run_bytes16(LeastGrids { search, boards: all, grids, clues: givens, found });
            }
        }
        true
    }

    /// Applies maps to the boards that were read, and writes the results as clues. `map` returns the map of a board, if
    /// it has one.
    pub(super) fn write<'m>(&mut self, kernel: &Kernel, map: impl Fn(usize) -> Option<&'m Map>, to: &mut Batch) {
        kernel.run_bytes16(ApplyMaps { clues: &self.clues[..], map, boards: to.len(), codes: to.codes16_mut() });
    }
}

/// Boards whose grids are known.
pub(super) struct KnownGrids<'s> {
    /// The number of boards of the batch.
    pub(super) boards: usize,
    /// The boards that have all digits given, with a bit for each.
    pub(super) full: u64,
    /// The boards that have their solutions in `solutions`.
    pub(super) solved: u64,
    /// 81 digits for each board of the batch.
    pub(super) solutions: &'s [u8],
}

/// Returns the largest code of a given.
fn largest_given_code(all_given: bool) -> u16 {
    if all_given { 18 } else { 9 }
}

/// Translates codes to the digits of givens, and 0 for all others. The output has one bit for each board whose digits
/// are all given.
struct GivenDigits<'a> {
    codes: &'a [u16],
    largest_code: u16,
    rows: &'a mut [Digits],
}

impl SimdTask for GivenDigits<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let mut full = 0;
        for (board, (codes, row)) in self.codes.as_chunks::<ROW9>().0.iter().zip(self.rows).enumerate() {
            for (digit, &code) in row.iter_mut().zip(codes) {
                let given = if code > 9 { code.wrapping_sub(9) } else { code };
                *digit = if code <= self.largest_code { given as u8 } else { 0 };
            }
            let mut least = u8::MAX;
            for &digit in &row[..81] {
                least = least.min(digit);
            }
            full |= u64::from(least != 0) << board;
        }
        full
    }
}

/// Returns one bit for each board of a batch whose digits are all given.
pub(super) fn full(kernel: &Kernel, batch: &Batch, all_given: bool) -> u64 {
    let mut rows = [[0; ROW9]; BATCH];
    kernel.run(GivenDigits { codes: batch.codes16(), largest_code: largest_given_code(all_given), rows: &mut rows })
}

/// Applies maps to the clues of boards, and writes them as codes.
struct ApplyMaps<'a, M> {
    clues: &'a [Digits],
    map: M,
    boards: usize,
    codes: &'a mut [u16],
}

impl<'m, M: Fn(usize) -> Option<&'m Map>> Bytes16Task for ApplyMaps<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bytes16>(self, bytes: B) {
        let codes = self.codes.as_chunks_mut::<ROW9>().0;
        for (board, (clues, codes)) in self.clues.iter().zip(codes).enumerate().take(self.boards) {
            let Some(map) = (self.map)(board) else {
                *codes = [0; ROW9];
                continue;
            };
            let mut names = [0; 16];
            names[1..10].copy_from_slice(&map.digits[..9]);
            let [rows, columns] =
                [&map.cells.rows, &map.cells.columns].map(|lines| lines.first_chunk().unwrap_or(&[0; 16]));
            let (transpose, columns, names) = (map.cells.flags != 0, bytes.load(columns), bytes.load(&names));
            let made = bytes.moved(clues, Permutation9 { transpose, rows, columns, names });
            for (code, digit) in codes.iter_mut().zip(made) {
                *code = digit.into();
            }
        }
    }
}
