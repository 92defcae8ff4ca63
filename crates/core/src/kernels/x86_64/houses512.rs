//! Boards of side 9 in three vectors of 512 bits, and their houses in one.
#![expect(unsafe_code)] // intrinsics, and the calls into functions that need their instructions

use std::arch::x86_64::*;

use crate::kernels::houses9::{Frame9, Grid9, HouseMasks, MaskTask, Masks, PerHouse, Segments};
use crate::kernels::vector::Vector;

/// 32 masks. A value is the proof that the machine has AVX-512 F and BW.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Masks32(__m512i);

/// The masks of a board.
type Masks96 = [Masks32; 3];

/// Calls an intrinsic that does not access memory, on values of the types of this module.
macro_rules! on {
    ($intrinsics:expr) => {{
        // SAFETY: the arguments come from a value of the type, which exists only where the machine has its instructions.
        unsafe { $intrinsics }
    }};
}

/// Runs a task with these vectors.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2,lzcnt")]
pub(in crate::kernels) fn avx512<T: MaskTask>(task: T) -> T::Output {
    task.run(Masks32(_mm512_setzero_si512()))
}

impl Masks32 {
    #[inline(always)]
    fn read(self, masks: &[u16; 32]) -> Self {
        // SAFETY: the reference covers the 64 bytes that are read; `self` proves the instructions.
        Self(unsafe { _mm512_loadu_si512(masks.as_ptr().cast()) })
    }
    /// Returns one bit for each mask: whether it is not 0.
    #[inline(always)]
    fn nonzero(self) -> u32 {
        on!(_mm512_test_epi16_mask(self.0, self.0))
    }
    /// Looks up masks: mask i of the result is mask `index[i]` of `self`.
    #[inline(always)]
    fn pick(self, index: Self) -> Self {
        Self(on!(_mm512_permutexvar_epi16(index.0, self.0)))
    }
    /// Looks up one mask for each cell.
    #[inline(always)]
    fn spread(self, index: &[u16; 96]) -> Masks96 {
        let [a, b, c] = thirds(index);
        [self.pick(self.read(a)), self.pick(self.read(b)), self.pick(self.read(c))]
    }
}

/// Looks up masks of cells: mask i of the result is that of cell `index[i]`.
#[inline(always)]
fn pick([a, b, c]: Masks96, index: &[u16; 32]) -> Masks32 {
    let Masks32(index) = a.read(index);
    let picked = on!(_mm512_permutex2var_epi16(a.0, index, b.0));
    Masks32(on!(_mm512_mask_permutexvar_epi16(picked, _mm512_movepi16_mask(index), index, c.0)))
}

/// Looks up one cell's mask for each cell.
#[inline(always)]
fn pick_all(cells: Masks96, index: &[u16; 96]) -> Masks96 {
    let [a, b, c] = thirds(index);
    [pick(cells, a), pick(cells, b), pick(cells, c)]
}

/// Returns one bit for each cell: whether its mask is not 0.
#[inline(always)]
fn nonzero([a, b, c]: Masks96) -> u128 {
    let low = u64::from(a.nonzero()) | u64::from(b.nonzero()) << 32;
    u128::from(low) | u128::from(c.nonzero()) << 64
}

/// Splits the masks of a board for three vectors.
#[inline(always)]
fn thirds(masks: &[u16; 96]) -> [&[u16; 32]; 3] {
    match masks.as_chunks() {
        ([a, b, c], _) => [a, b, c],
        _ => unreachable!("96 masks"),
    }
}

impl Vector for Masks32 {
    #[inline(always)]
    fn zero(self) -> Self {
        Self(on!(_mm512_setzero_si512()))
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        Self(on!(_mm512_and_si512(self.0, b.0)))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        Self(on!(_mm512_or_si512(self.0, b.0)))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        Self(on!(_mm512_xor_si512(self.0, b.0)))
    }
    #[inline(always)]
    fn and_not(self, b: Self) -> Self {
        Self(on!(_mm512_andnot_si512(b.0, self.0)))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        on!(_mm512_test_epi64_mask(self.0, self.0)) == 0
    }
    #[inline(always)]
    fn empty(self) -> Self {
        Self(on!(_mm512_movm_epi16(_mm512_testn_epi16_mask(self.0, self.0))))
    }
    #[inline(always)]
    fn several(self) -> Self {
        Self(on!(_mm512_and_si512(self.0, _mm512_add_epi16(self.0, _mm512_set1_epi16(-1)))))
    }
}

/// The lane of each cell's row, and that of its column; the masks after the cells have no lane.
const ROWS: [u16; 96] = lanes(true);
const COLUMNS: [u16; 96] = lanes(false);

const fn lanes(rows: bool) -> [u16; 96] {
    let (mut lanes, mut cell) = ([31; 96], 0);
    while cell < 81 {
        lanes[cell] = if rows { cell / 9 } else { 9 + cell % 9 } as u16;
        cell += 1;
    }
    lanes
}

/// For each row the lane of column k, and for each column that of row k.
const ACROSS: [PerHouse; 9] = {
    let (mut across, mut k) = ([[31; 32]; 9], 0);
    while k < 9 {
        let mut line = 0;
        while line < 9 {
            across[k][line] = 9 + k as u16;
            across[k][9 + line] = k as u16;
            line += 1;
        }
        k += 1;
    }
    across
};

impl HouseMasks for Masks32 {
    type Cells = Masks96;
    type Houses = Self;

    #[inline(always)]
    fn load(self, grid: &Grid9) -> Masks96 {
        thirds(&grid.0).map(|third| self.read(third))
    }
    #[inline(always)]
    fn store(self, cells: Masks96, grid: &mut Grid9) {
        for (third, words) in grid.0.as_chunks_mut::<32>().0.iter_mut().zip(cells) {
            // SAFETY: the reference covers the 64 bytes that are written; `self` proves the instructions.
            unsafe { _mm512_storeu_si512(third.as_mut_ptr().cast(), words.0) }
        }
    }
    #[inline(always)]
    fn load_houses(self, lanes: &[u16; 32]) -> Self {
        self.read(lanes)
    }
    #[inline(always)]
    fn house_cells(self, cells: Masks96, frame: &Frame9) -> [Self; 9] {
        let mut places = [self; 9];
        for (place, index) in places.iter_mut().zip(&frame.cells) {
            *place = pick(cells, index);
        }
        places
    }
    #[inline(always)]
    fn broadcast_rows(self, houses: Self) -> Masks96 {
        houses.spread(&ROWS)
    }
    #[inline(always)]
    fn broadcast_columns(self, houses: Self) -> Masks96 {
        houses.spread(&COLUMNS)
    }
    #[inline(always)]
    fn broadcast_regions(self, houses: Self, frame: &Frame9) -> Masks96 {
        houses.spread(&frame.regions)
    }
    #[inline(always)]
    fn across(self, houses: Self, k: usize) -> Self {
        houses.pick(self.read(&ACROSS[k]))
    }
    #[inline(always)]
    fn house_bits(self, houses: Self) -> u32 {
        houses.nonzero() & 0x7FF_FFFF
    }
    #[inline(always)]
    fn cell_bits(self, cells: Masks96) -> u128 {
        nonzero(cells)
    }
}

impl Masks for Masks32 {
    #[inline(always)]
    fn gather_segments(self, cells: Masks96, segments: &Segments) -> Masks96 {
        let mut held = cells.zero();
        for index in segments.cells.iter().take(segments.longest) {
            held = held.or(pick_all(cells, index));
        }
        held
    }
    #[inline(always)]
    fn broadcast_segments(self, cells: Masks96, segments: &Segments) -> Masks96 {
        pick_all(cells, &segments.of_cell)
    }
    #[inline(always)]
    fn remove(self, cells: Masks96, bits: u128, digits: u16) -> Masks96 {
        let digits = on!(_mm512_set1_epi16(digits as i16));
        let third = |i: usize| {
            let Masks32(cells) = cells[i];
            let of = (bits >> (32 * i)) as u32;
            Masks32(on!(_mm512_andnot_si512(_mm512_maskz_mov_epi16(of, digits), cells)))
        };
        [third(0), third(1), third(2)]
    }
    #[inline(always)]
    fn cells_with(self, cells: Masks96, digits: u16) -> u128 {
        let digits = Self(on!(_mm512_set1_epi16(digits as i16)));
        nonzero(cells.and([digits; 3]))
    }
    #[inline(always)]
    fn sum_of_three(self, cells: [u32; 3], reversed: [u32; 2], shifts: &[u32; 16], kept: &[u32; 16]) -> [u32; 3] {
        // SAFETY: the references cover the 64 bytes that are read; `self` proves the instructions.
        let (shifts, kept) =
            unsafe { (_mm512_loadu_si512(shifts.as_ptr().cast()), _mm512_loadu_si512(kept.as_ptr().cast())) };
        let [second, third] = reversed
            .map(|reversed| on!(_mm512_and_si512(_mm512_srlv_epi32(_mm512_set1_epi32(reversed as i32), shifts), kept)));
        let meets =
            |left: __m512i, cell: u32| u32::from(on!(_mm512_test_epi32_mask(left, _mm512_set1_epi32(cell as i32))));
        [cells[0] & meets(third, cells[1]), cells[1] & meets(third, cells[0]), cells[2] & meets(second, cells[0])]
    }
}

#[cfg(test)]
#[test]
fn boards_do_what_they_say() {
    if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512dq") {
        // SAFETY: the features were just detected.
        crate::kernels::houses9::check(Masks32(unsafe { _mm512_setzero_si512() }));
    }
}
