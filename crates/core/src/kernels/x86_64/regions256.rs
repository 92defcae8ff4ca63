//! Singles of boards of side 9 with regions, in vectors of bytes: digits 1 to 8 are a byte of each cell, and digit 9 is
//! another one. AVX2 has no lookup in more than sixteen bytes, so that fetching a cell of each house takes a lookup in
//! every sixteenth of the board. Of masks of 16 bits, there would be twice as many.
#![expect(unsafe_code)] // loads and stores

use std::arch::x86_64::*;

use crate::kernels::houses9::{Frame9, Grid9};

/// The number of cells in a vector: three rows. The bytes after them are 0.
const CELLS: usize = 27;

/// The value of the second byte of a cell that can have digit 9.
const NINE: i8 = 0x11;

/// A lookup that gives 0.
const NONE: u8 = 0x80;

// The lanes of the houses: columns, rows 0 to 5, and after an unused lane rows 6 to 8, and regions. So the rows of each
// vector of cells are in the same sixteen lanes.

/// For each house, the byte of its k-th cell, but 0 for regions; `u8::MAX` for lanes without a house.
const PLACES: [[u8; 32]; 9] = {
    let (mut places, mut k) = ([[u8::MAX; 32]; 9], 0);
    while k < 9 {
        let mut house = 0;
        while house < 9 {
            places[k][house] = place(9 * k + house);
            let row = if house < 6 { 9 + house } else { 10 + house };
            places[k][row] = place(9 * house + k);
            places[k][FIRST_REGION + house] = 0;
            house += 1;
        }
        k += 1;
    }
    places
};

/// The lane of the first region.
const FIRST_REGION: usize = 19;

/// All ones in the lanes of regions, among the last sixteen lanes.
const REGION_LANES: [u8; 16] = {
    let (mut lanes, mut region) = ([0; 16], 0);
    while region < 9 {
        lanes[FIRST_REGION - 16 + region] = u8::MAX;
        region += 1;
    }
    lanes
};

/// One bit for each lane with a house.
const HOUSES: u32 = 0x0FFF_7FFF;

/// For each cell of a vector, the lane of its column.
const COLUMNS: [u8; 32] = lanes_of_cells(0, true);

/// For each cell of each vector, the lane of its row, among the sixteen lanes that have these rows.
const ROWS: [[u8; 32]; 3] = [lanes_of_cells(9, false), lanes_of_cells(12, false), lanes_of_cells(0, false)];

const fn lanes_of_cells(first: u8, columns: bool) -> [u8; 32] {
    let (mut lanes, mut cell) = ([NONE; 32], 0);
    while cell < CELLS {
        let line = if columns { cell % 9 } else { cell / 9 };
        lanes[cell] = first + line as u8;
        cell += 1;
    }
    lanes
}

/// All ones for the cells of a vector.
const IN_USE: [u8; 32] = {
    let (mut in_use, mut cell) = ([0; 32], 0);
    while cell < CELLS {
        in_use[cell] = u8::MAX;
        cell += 1;
    }
    in_use
};

/// The byte of a cell among those of all vectors.
const fn place(cell: usize) -> u8 {
    (cell + (32 - CELLS) * (cell / CELLS)) as u8
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the reference covers the 32 bytes that are read.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Loads the masks of the cells of vector `part` as two vectors.
#[target_feature(enable = "avx2")]
#[inline]
fn load_masks(masks: &[u16; 96], part: usize) -> [__m256i; 2] {
    let masks: &[u16; 32] = masks[CELLS * part..].first_chunk().expect("cells, and some more");
    // SAFETY: the reference covers the two times 32 bytes that are read.
    unsafe { [_mm256_loadu_si256(masks.as_ptr().cast()), _mm256_loadu_si256(masks[16..].as_ptr().cast())] }
}

/// Joins the low bytes of two vectors of masks, whose high bytes are 0.
#[target_feature(enable = "avx2")]
#[inline]
fn narrow(a: __m256i, b: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(a, b))
}

/// Cells of the board, or one cell of each house.
#[derive(Clone, Copy)]
struct Cells {
    /// Digits 1 to 8.
    low: __m256i,
    /// Digit 9: [`NINE`] or 0.
    nine: __m256i,
}

impl Cells {
    /// The cells with at most one digit, and not digit 9.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn with_one_low(self) -> __m256i {
        let several = _mm256_and_si256(self.low, _mm256_add_epi8(self.low, _mm256_set1_epi8(-1)));
        _mm256_cmpeq_epi8(_mm256_or_si256(several, self.nine), _mm256_setzero_si256())
    }

    /// The cells without digits 1 to 8.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn without_low(self) -> __m256i {
        _mm256_cmpeq_epi8(self.low, _mm256_setzero_si256())
    }
}

/// A board in three vectors.
type Board = [Cells; 3];

#[target_feature(enable = "avx2")]
#[inline]
fn read(grid: &Grid9) -> Board {
    let (in_use, low, zero) = (load(&IN_USE), _mm256_set1_epi16(0xFF), _mm256_setzero_si256());
    let mut board = [Cells { low: zero, nine: zero }; 3];
    for (part, cells) in board.iter_mut().enumerate() {
        let [a, b] = load_masks(&grid.0, part);
        cells.low = _mm256_and_si256(in_use, narrow(_mm256_and_si256(a, low), _mm256_and_si256(b, low)));
        let nine = narrow(_mm256_srli_epi16::<8>(a), _mm256_srli_epi16::<8>(b));
        cells.nine = _mm256_and_si256(in_use, _mm256_or_si256(nine, _mm256_slli_epi16::<4>(nine)));
    }
    board
}

#[target_feature(enable = "avx2")]
#[inline]
fn write(board: &Board, grid: &mut Grid9) {
    for (part, cells) in board.iter().enumerate() {
        let nine = _mm256_and_si256(cells.nine, _mm256_set1_epi8(1));
        // The lanes after the cells are zeros, and the next vector overwrites them.
        let masks: &mut [u16; 32] = grid.0[CELLS * part..].first_chunk_mut().expect("cells, and some more");
        let low = [_mm256_castsi256_si128(cells.low), _mm256_extracti128_si256::<1>(cells.low)];
        let nine = [_mm256_castsi256_si128(nine), _mm256_extracti128_si256::<1>(nine)];
        for (half, masks) in masks.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let nine = _mm256_slli_epi16::<8>(_mm256_cvtepu8_epi16(nine[half]));
            let digits = _mm256_or_si256(_mm256_cvtepu8_epi16(low[half]), nine);
            // SAFETY: the reference covers the 32 bytes that are written.
            unsafe { _mm256_storeu_si256(masks.as_mut_ptr().cast(), digits) }
        }
    }
}

/// What the houses of a board can have.
struct RegionDigits {
    /// The digits from 1 to 8 that at least one cell can have, and those that at least two can have.
    any: __m256i,
    two: __m256i,
    /// The digits from 1 to 8 of cells with a single candidate.
    placed: __m256i,
    /// The number of cells that can have digit 9, and sixteen times that of those that have no other.
    nines: __m256i,
}

impl RegionDigits {
    /// Whether all houses have all digits.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn are_all(&self) -> bool {
        let low = _mm256_movemask_epi8(_mm256_cmpeq_epi8(self.any, _mm256_set1_epi8(-1))) as u32;
        let no_nine = _mm256_movemask_epi8(_mm256_cmpeq_epi8(self.nines, _mm256_setzero_si256())) as u32;
        low & !no_nine & HOUSES == HOUSES
    }
}

/// The lookups for the houses of a board.
struct Lookups {
    /// For the k-th cell of each house, the lookups in each sixteen bytes of the board.
    cells: [[__m256i; 6]; 9],
    /// For each cell, the lane of its region among the last sixteen.
    regions: [__m256i; 3],
}

impl Lookups {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn new(frame: &Frame9) -> Self {
        let zero = _mm256_setzero_si256();
        let mut lookups = Self { cells: [[zero; 6]; 9], regions: [zero; 3] };
        // SAFETY: the array has the 16 bytes that are read.
        let region_lanes = unsafe { _mm_loadu_si128(REGION_LANES.as_ptr().cast()) };
        for ((cells, houses), places) in lookups.cells.iter_mut().zip(&frame.cells).zip(&PLACES) {
            let last: &[u16; 16] = houses[16..].first_chunk().expect("sixteen lanes");
            // SAFETY: the reference covers the 32 bytes that are read.
            let last = unsafe { _mm256_loadu_si256(last.as_ptr().cast()) };
            // Regions begin in lane 18 of the frame.
            let last = narrow(_mm256_and_si256(last, _mm256_set1_epi16(0x7F)), zero);
            let last = _mm_slli_si128::<{ FIRST_REGION as i32 - 18 }>(_mm256_castsi256_si128(last));
            let after = |rows: i8| {
                let is_after = _mm_cmpgt_epi8(last, _mm_set1_epi8(CELLS as i8 * rows - 1));
                _mm_and_si128(is_after, _mm_set1_epi8(32 - CELLS as i8))
            };
            let last = _mm_add_epi8(last, _mm_add_epi8(after(1), after(2)));
            let regions = _mm256_set_m128i(_mm_and_si128(last, region_lanes), _mm_setzero_si128());
            let places = _mm256_or_si256(load(places), regions);
            for (i, lookup) in cells.iter_mut().enumerate() {
                // Only for these sixteen bytes the highest bit stays 0.
                let place = _mm256_sub_epi8(places, _mm256_set1_epi8(16 * i as i8));
                *lookup = _mm256_adds_epu8(place, _mm256_set1_epi8(0x70));
            }
        }
        let unused = _mm256_andnot_si256(load(&IN_USE), _mm256_set1_epi8(NONE as i8));
        for (part, lanes) in lookups.regions.iter_mut().enumerate() {
            let [a, b] = load_masks(&frame.regions, part);
            // Of the last sixteen lanes, the lane of the first region is FIRST_REGION - 16; in the frame it is 18.
            let lane = _mm256_sub_epi8(narrow(a, b), _mm256_set1_epi8(18 + 16 - FIRST_REGION as i8));
            *lanes = _mm256_or_si256(lane, unused);
        }
        lookups
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn house_digits(&self, board: &Board) -> RegionDigits {
        let zero = _mm256_setzero_si256();
        let mut of = [Cells { low: zero, nine: zero }; 6];
        for (of, cells) in of.as_chunks_mut::<2>().0.iter_mut().zip(board) {
            of[0].low = _mm256_permute4x64_epi64::<0b01_00_01_00>(cells.low);
            of[1].low = _mm256_permute4x64_epi64::<0b11_10_11_10>(cells.low);
            of[0].nine = _mm256_permute4x64_epi64::<0b01_00_01_00>(cells.nine);
            of[1].nine = _mm256_permute4x64_epi64::<0b11_10_11_10>(cells.nine);
        }
        let mut digits = RegionDigits { any: zero, two: zero, placed: zero, nines: zero };
        for lookups in &self.cells {
            let mut cell = Cells { low: zero, nine: zero };
            for (of, &lookup) in of.iter().zip(lookups) {
                cell.low = _mm256_or_si256(cell.low, _mm256_shuffle_epi8(of.low, lookup));
                cell.nine = _mm256_or_si256(cell.nine, _mm256_shuffle_epi8(of.nine, lookup));
            }
            digits.two = _mm256_or_si256(digits.two, _mm256_and_si256(digits.any, cell.low));
            digits.any = _mm256_or_si256(digits.any, cell.low);
            digits.placed = _mm256_or_si256(digits.placed, _mm256_and_si256(cell.low, cell.with_one_low()));
            let counted = _mm256_or_si256(cell.without_low(), _mm256_set1_epi8(1));
            digits.nines = _mm256_add_epi8(digits.nines, _mm256_and_si256(cell.nine, counted));
        }
        digits
    }

    /// Gives each cell of vector `part` the bytes of its houses.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn of_houses(&self, houses: __m256i, part: usize) -> __m256i {
        let first = _mm256_permute4x64_epi64::<0b01_00_01_00>(houses);
        let last = _mm256_permute4x64_epi64::<0b11_10_11_10>(houses);
        let column = _mm256_shuffle_epi8(first, load(&COLUMNS));
        let row = _mm256_shuffle_epi8(if part < 2 { first } else { last }, load(&ROWS[part]));
        let region = _mm256_shuffle_epi8(last, self.regions[part]);
        _mm256_or_si256(_mm256_or_si256(column, row), region)
    }
}

/// Applies naked and hidden singles until there are no more. Returns whether this solves the board. Contradictions are
/// not looked for: the candidates that are left have them, too.
///
/// The frame has nine regions.
#[target_feature(enable = "avx2")]
pub(super) fn solve(grid: &mut Grid9, frame: &Frame9) -> bool {
    let (zero, one, taken_bit) = (_mm256_setzero_si256(), _mm256_set1_epi8(1), _mm256_set1_epi8(i8::MIN));
    let lookups = Lookups::new(frame);
    let (mut board, mut is_open) = (read(grid), true);
    let is_solved = loop {
        let digits = lookups.house_digits(&board);
        if !is_open {
            break digits.are_all();
        }
        let once = _mm256_andnot_si256(digits.two, digits.any);
        // For digit 9, the highest bit tells that it is placed, and NINE that a single cell can have it.
        let no_nine = _mm256_cmpeq_epi8(_mm256_and_si256(digits.nines, _mm256_set1_epi8(-0x10)), zero);
        let single_nine = _mm256_cmpeq_epi8(_mm256_and_si256(digits.nines, _mm256_set1_epi8(0x0F)), one);
        let nine = _mm256_or_si256(
            _mm256_andnot_si256(no_nine, taken_bit),
            _mm256_and_si256(single_nine, _mm256_set1_epi8(NINE)),
        );
        let (mut changed, mut open) = (zero, zero);
        for (part, cells) in board.iter_mut().enumerate() {
            let placed = lookups.of_houses(digits.placed, part);
            let hidden = lookups.of_houses(once, part);
            let nine = lookups.of_houses(nine, part);
            let taken = _mm256_andnot_si256(cells.with_one_low(), placed);
            let left = _mm256_andnot_si256(taken, cells.low);
            let taken_nine = _mm256_andnot_si256(cells.without_low(), _mm256_cmpgt_epi8(zero, nine));
            let left_nine = _mm256_andnot_si256(taken_nine, cells.nine);
            let (only, only_nine) = (_mm256_and_si256(left, hidden), _mm256_and_si256(left_nine, nine));
            let is_free = _mm256_cmpeq_epi8(_mm256_or_si256(only, only_nine), zero);
            let next = Cells {
                low: _mm256_or_si256(only, _mm256_and_si256(left, is_free)),
                nine: _mm256_or_si256(only_nine, _mm256_and_si256(left_nine, is_free)),
            };
            let change =
                _mm256_or_si256(_mm256_xor_si256(cells.low, next.low), _mm256_xor_si256(cells.nine, next.nine));
            changed = _mm256_or_si256(changed, change);
            let has_one = _mm256_or_si256(next.with_one_low(), next.without_low());
            open = _mm256_or_si256(open, _mm256_xor_si256(has_one, _mm256_set1_epi8(-1)));
            *cells = next;
        }
        if _mm256_testz_si256(changed, changed) == 1 {
            break false;
        }
        is_open = _mm256_testz_si256(open, open) == 0;
    };
    write(&board, grid);
    is_solved
}
