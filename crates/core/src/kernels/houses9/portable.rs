//! The vectors in plain Rust: arrays that the compiler vectorises.

use super::frame::{Frame9, Grid9, Segments};
use super::masks::{HouseMasks, Masks};
use crate::kernels::vector::Vector;

/// The masks of a board or of its houses.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(in crate::kernels) struct MaskArray<const N: usize>([u16; N]);

impl<const N: usize> MaskArray<N> {
    #[inline(always)]
    fn with(mut self, other: Self, f: impl Fn(u16, u16) -> u16) -> Self {
        for i in 0..N {
            self.0[i] = f(self.0[i], other.0[i]);
        }
        self
    }
}

impl<const N: usize> Vector for MaskArray<N> {
    #[inline(always)]
    fn zero(self) -> Self {
        Self([0; N])
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        self.with(b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        self.with(b, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        self.with(b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn and_not(self, b: Self) -> Self {
        self.with(b, |a, b| a & !b)
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        let mut all = 0;
        for mask in self.0 {
            all |= mask;
        }
        all == 0
    }
    #[inline(always)]
    fn empty(self) -> Self {
        self.with(self, |a, _| if a == 0 { u16::MAX } else { 0 })
    }
    #[inline(always)]
    fn several(self) -> Self {
        self.with(self, |a, _| a & a.wrapping_sub(1))
    }
}

/// Vectors that work on every machine.
#[derive(Clone, Copy)]
pub(in crate::kernels) struct Portable;

impl HouseMasks for Portable {
    type Cells = MaskArray<96>;
    type Houses = MaskArray<32>;

    #[inline(always)]
    fn load(self, grid: &Grid9) -> MaskArray<96> {
        MaskArray(grid.0)
    }
    #[inline(always)]
    fn store(self, cells: MaskArray<96>, grid: &mut Grid9) {
        grid.0 = cells.0;
    }
    #[inline(always)]
    fn load_houses(self, lanes: &[u16; 32]) -> MaskArray<32> {
        MaskArray(*lanes)
    }
    #[inline(always)]
    fn house_cells(self, cells: MaskArray<96>, frame: &Frame9) -> [MaskArray<32>; 9] {
        let mut places = [MaskArray([0; 32]); 9];
        for (k, place) in places.iter_mut().enumerate() {
            for line in 0..9 {
                place.0[line] = cells.0[9 * line + k];
                place.0[9 + line] = cells.0[9 * k + line];
                place.0[18 + line] = cells.0[cell(frame.cells[k][18 + line])];
            }
        }
        places
    }
    #[inline(always)]
    fn broadcast_rows(self, houses: MaskArray<32>) -> MaskArray<96> {
        let mut cells = [0; 96];
        for row in 0..9 {
            for column in 0..9 {
                cells[9 * row + column] = houses.0[row];
            }
        }
        MaskArray(cells)
    }
    #[inline(always)]
    fn broadcast_columns(self, houses: MaskArray<32>) -> MaskArray<96> {
        let mut cells = [0; 96];
        for row in 0..9 {
            for column in 0..9 {
                cells[9 * row + column] = houses.0[9 + column];
            }
        }
        MaskArray(cells)
    }
    #[inline(always)]
    fn broadcast_regions(self, houses: MaskArray<32>, frame: &Frame9) -> MaskArray<96> {
        let mut cells = [0; 96];
        for (mask, region) in cells[..81].iter_mut().zip(&frame.regions) {
            *mask = houses.0[usize::from(region & 31)];
        }
        MaskArray(cells)
    }
    #[inline(always)]
    fn across(self, houses: MaskArray<32>, k: usize) -> MaskArray<32> {
        let mut lanes = [0; 32];
        for line in 0..9 {
            lanes[line] = houses.0[9 + k];
            lanes[9 + line] = houses.0[k];
        }
        MaskArray(lanes)
    }
    #[inline(always)]
    fn house_bits(self, houses: MaskArray<32>) -> u32 {
        let mut bits = 0;
        for house in 0..27 {
            bits |= u32::from(houses.0[house] != 0) << house;
        }
        bits
    }
    #[inline(always)]
    fn cell_bits(self, cells: MaskArray<96>) -> u128 {
        let mut bits = 0;
        for row in 0..9 {
            let mut part = 0;
            for column in 0..9 {
                part |= u32::from(cells.0[9 * row + column] != 0) << column;
            }
            bits |= u128::from(part) << (9 * row);
        }
        bits
    }
}

impl Masks for Portable {
    #[inline(always)]
    fn gather_segments(self, cells: MaskArray<96>, segments: &Segments) -> MaskArray<96> {
        let mut held = [0; 96];
        for i in 0..81 {
            held[cell(segments.of_cell[i])] |= cells.0[i];
        }
        MaskArray(held)
    }
    #[inline(always)]
    fn broadcast_segments(self, cells: MaskArray<96>, segments: &Segments) -> MaskArray<96> {
        let mut held = [0; 96];
        for (mask, &segment) in held[..81].iter_mut().zip(&segments.of_cell) {
            *mask = cells.0[cell(segment)];
        }
        MaskArray(held)
    }
    #[inline(always)]
    fn remove(self, mut cells: MaskArray<96>, mut bits: u128, digits: u16) -> MaskArray<96> {
        while bits != 0 {
            cells.0[(bits.trailing_zeros() as usize).min(95)] &= !digits;
            bits &= bits - 1;
        }
        cells
    }
    #[inline(always)]
    fn cells_with(self, cells: MaskArray<96>, digits: u16) -> u128 {
        self.cell_bits(cells.and(MaskArray([digits; 96])))
    }
}

/// Returns the cell of an index in a vector, for lookups that cannot fail.
#[inline(always)]
fn cell(index: u16) -> usize {
    usize::from(index & 127).min(95)
}

#[cfg(test)]
#[test]
fn boards_do_what_they_say() {
    super::check(Portable);
}
