//! Boards of side 9 in nine vectors of 256 bits, one for each row, and their houses in three.
#![expect(unsafe_code)] // intrinsics, and the calls into functions that need their instructions

use std::arch::x86_64::*;

use super::regions256;
use super::rows16::Row256;
use crate::kernels::houses9::{Frame9, Grid9, HouseMasks, MaskTask, Masks, Portable, Segments};
use crate::kernels::rows16::Row16;
use crate::kernels::vector::Vector;

/// Runs a task with these vectors.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
pub(in crate::kernels) fn avx2<T: MaskTask>(task: T) -> T::Output {
    // SAFETY: this function is called only where the machine has the instructions that it is compiled for.
    task.run(Avx2Masks(unsafe { Row256::new() }))
}

/// The vectors. A value is the proof that the machine has AVX2.
#[derive(Clone, Copy)]
struct Avx2Masks(Row256);

/// Ones in the nine lanes that are in use.
const NINE: [u16; 16] = {
    let (mut nine, mut lane) = ([0; 16], 0);
    while lane < 9 {
        nine[lane] = u16::MAX;
        lane += 1;
    }
    nine
};

/// Lane i has only bit i set.
const BITS: [u16; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 0, 0, 0, 0, 0, 0, 0];

/// Calls an intrinsic that does not access memory, on values of [`Row256`].
macro_rules! on {
    ($intrinsics:expr) => {{
        // SAFETY: the arguments come from a value of the type, which exists only where the machine has AVX2.
        unsafe { $intrinsics }
    }};
}

impl Row256 {
    #[inline(always)]
    fn load_nine(self, masks: &[u16]) -> Self {
        self.load(masks.first_chunk().expect("sixteen masks")).and(self.load(&NINE))
    }

    /// Returns one bit for each of nine masks: whether it is not 0.
    #[inline(always)]
    fn bits9(self) -> u32 {
        let Self(zeros) = self.empty();
        let zeros = on!(_mm256_movemask_epi8(_mm256_packs_epi16(zeros, zeros))) as u32;
        (!zeros & 0xFF) | (!zeros >> 8 & 0x100)
    }

    /// Returns the masks as an array.
    #[inline(always)]
    fn masks(self) -> [u16; 16] {
        let mut masks = [0; 16];
        self.store(&mut masks);
        masks
    }

    /// Makes a vector of nine masks.
    #[inline(always)]
    fn of_nine(self, masks: [u16; 9]) -> Self {
        let word = |i: usize| {
            let part = |k: usize| u64::from(masks[4 * i + k]) << (16 * k);
            (part(0) | part(1) | part(2) | part(3)) as i64
        };
        Self(on!(_mm256_set_epi64x(0, i64::from(masks[8]), word(1), word(0))))
    }

    /// Returns one bit for each of eight digits: whether it has a bit in common with a mask.
    #[inline(always)]
    fn meets(self, mask: u32) -> u32 {
        let common = on!(_mm256_and_si256(self.0, _mm256_set1_epi32(mask as i32)));
        let none = on!(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(common, _mm256_setzero_si256()))));
        0xFF ^ none as u32
    }
}

impl HouseMasks for Avx2Masks {
    type Cells = [Row256; 9];
    type Houses = [Row256; 3];

    #[inline(always)]
    fn load(self, grid: &Grid9) -> [Row256; 9] {
        let mut rows = [self.0; 9];
        for (i, row) in rows.iter_mut().enumerate() {
            *row = self.0.load_nine(&grid.0[9 * i..]);
        }
        rows
    }
    #[inline(always)]
    fn store(self, cells: [Row256; 9], grid: &mut Grid9) {
        // The lanes after a row are zeros, and the next row overwrites them.
        for (i, row) in cells.into_iter().enumerate() {
            row.store(grid.0[9 * i..].first_chunk_mut().expect("sixteen masks"));
        }
    }
    #[inline(always)]
    fn load_houses(self, lanes: &[u16; 32]) -> [Row256; 3] {
        [
            self.0.load_nine(lanes),
            self.0.load_nine(&lanes[9..]),
            self.0.of_nine(*lanes[18..].first_chunk().expect("nine regions")),
        ]
    }
    #[inline(always)]
    fn house_cells(self, cells: [Row256; 9], frame: &Frame9) -> [[Row256; 3]; 9] {
        let mut rows = [self.0.zero(); 16];
        rows[..9].copy_from_slice(&cells);
        let columns = Row256::transpose(&rows);
        let mut grid = [0; 128];
        for (i, row) in cells.into_iter().enumerate() {
            row.store(grid[9 * i..].first_chunk_mut().expect("sixteen masks"));
        }
        let mut places = [[self.0; 3]; 9];
        for (k, place) in places.iter_mut().enumerate() {
            let mut region = [0; 9];
            for (mask, cell) in region.iter_mut().zip(&frame.cells[k][18..27]) {
                *mask = grid[usize::from(cell & 127)];
            }
            *place = [columns[k], cells[k], self.0.of_nine(region)];
        }
        places
    }
    #[inline(always)]
    fn broadcast_rows(self, [rows, ..]: [Row256; 3]) -> [Row256; 9] {
        let (masks, nine) = (rows.masks(), self.0.load(&NINE));
        let mut cells = [self.0; 9];
        for (row, mask) in cells.iter_mut().zip(masks) {
            *row = self.0.splat(mask).and(nine);
        }
        cells
    }
    #[inline(always)]
    fn broadcast_columns(self, [_, columns, _]: [Row256; 3]) -> [Row256; 9] {
        [columns.and(self.0.load(&NINE)); 9]
    }
    #[inline(always)]
    fn broadcast_regions(self, [.., regions]: [Row256; 3], frame: &Frame9) -> [Row256; 9] {
        let (nine, last) = (self.0.load(&NINE), self.0.splat(regions.masks()[8]));
        let first = on!(_mm256_permute4x64_epi64::<0b01_00_01_00>(regions.0));
        let mut cells = [self.0; 9];
        for (i, row) in cells.iter_mut().enumerate() {
            let lanes: &[u16; 16] = frame.regions[9 * i..].first_chunk().expect("sixteen lanes");
            let Row256(lanes) = self.0.load(lanes);
            let region = on!(_mm256_sub_epi16(lanes, _mm256_set1_epi16(18)));
            let bytes =
                on!(_mm256_add_epi16(_mm256_mullo_epi16(region, _mm256_set1_epi16(0x0202)), _mm256_set1_epi16(0x0100)));
            let is_last = on!(_mm256_cmpeq_epi16(region, _mm256_set1_epi16(8)));
            *row = Row256(on!(_mm256_blendv_epi8(_mm256_shuffle_epi8(first, bytes), last.0, is_last))).and(nine);
        }
        cells
    }
    #[inline(always)]
    fn across(self, [rows, columns, _]: [Row256; 3], k: usize) -> [Row256; 3] {
        [self.0.splat(columns.masks()[k & 15]), self.0.splat(rows.masks()[k & 15]), self.0.zero()]
    }
    #[inline(always)]
    fn house_bits(self, houses: [Row256; 3]) -> u32 {
        houses[0].bits9() | houses[1].bits9() << 9 | houses[2].bits9() << 18
    }
    #[inline(always)]
    fn cell_bits(self, cells: [Row256; 9]) -> u128 {
        let mut bits = 0;
        for (i, three) in cells.as_chunks::<3>().0.iter().enumerate() {
            bits |= u128::from(self.house_bits(*three)) << (27 * i);
        }
        bits
    }
}

impl Masks for Avx2Masks {
    #[inline(always)]
    fn gather_segments(self, cells: [Row256; 9], segments: &Segments) -> [Row256; 9] {
        self.by_portable(cells, |cells| Portable.gather_segments(cells, segments))
    }
    #[inline(always)]
    fn broadcast_segments(self, cells: [Row256; 9], segments: &Segments) -> [Row256; 9] {
        self.by_portable(cells, |cells| Portable.broadcast_segments(cells, segments))
    }
    #[inline(always)]
    fn solve_by_singles(self, grid: &mut Grid9, frame: &Frame9) -> bool {
        // SAFETY: `self` proves that the machine has AVX2.
        unsafe { regions256::solve(grid, frame) }
    }
    #[inline(always)]
    fn remove(self, mut cells: [Row256; 9], bits: u128, digits: u16) -> [Row256; 9] {
        let (each, digits) = (self.0.load(&BITS), self.0.splat(digits));
        for (i, row) in cells.iter_mut().enumerate() {
            let not_of = self.0.splat((bits >> (9 * i)) as u16 & 0x1FF).and(each).empty();
            *row = row.and_not(digits.and_not(not_of));
        }
        cells
    }
    #[inline(always)]
    fn cells_with(self, cells: [Row256; 9], digits: u16) -> u128 {
        self.cell_bits(cells.and([self.0.splat(digits); 9]))
    }
    #[inline(always)]
    fn sum_of_three(self, cells: [u32; 3], reversed: [u32; 2], shifts: &[u32; 16], kept: &[u32; 16]) -> [u32; 3] {
        // SAFETY: the references cover the 32 bytes that are read; `self` proves the instructions.
        let (by, of) =
            unsafe { (_mm256_loadu_si256(shifts.as_ptr().cast()), _mm256_loadu_si256(kept.as_ptr().cast())) };
        let left = reversed.map(|reversed| {
            Row256(on!(_mm256_and_si256(_mm256_srlv_epi32(_mm256_set1_epi32(reversed as i32), by), of)))
        });
        // The ninth digit is handled separately.
        let last = reversed.map(|reversed| reversed >> (shifts[8] & 31) & kept[8]);
        let meets = |i: usize, cell: u32| left[i].meets(cell) | u32::from(last[i] & cell != 0) << 8;
        [cells[0] & meets(1, cells[1]), cells[1] & meets(1, cells[0]), cells[2] & meets(0, cells[0])]
    }
}

impl Avx2Masks {
    /// Applies an operation that works cell by cell.
    #[inline(always)]
    fn by_portable(
        self,
        cells: [Row256; 9],
        f: impl Fn(<Portable as HouseMasks>::Cells) -> <Portable as HouseMasks>::Cells,
    ) -> [Row256; 9] {
        let mut grid = Grid9::NONE;
        self.store(cells, &mut grid);
        Portable.store(f(Portable.load(&grid)), &mut grid);
        self.load(&grid)
    }
}

#[cfg(test)]
#[test]
fn boards_do_what_they_say() {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was just detected.
        crate::kernels::houses9::check(Avx2Masks(unsafe { Row256::new() }));
    }
}
