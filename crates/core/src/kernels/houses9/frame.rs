//! The positions of a board's cells and houses in vectors.

/// The candidates of a board of side 9, row by row. Bit d-1 of a mask is digit d. The 15 masks after the 81 cells are
/// 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Grid9(pub [u16; 96]);

impl Grid9 {
    /// All masks are 0.
    pub(crate) const NONE: Self = Self([0; 96]);
    /// Every digit in every cell.
    pub(crate) const OPEN: Self = {
        let mut grid = [0; 96];
        let mut cell = 0;
        while cell < 81 {
            grid[cell] = 0x1FF;
            cell += 1;
        }
        Self(grid)
    };
}

/// One value for each house: rows in lanes 0 to 8, columns in 9 to 17, regions in 18 to 26.
pub(in crate::kernels) type PerHouse = [u16; 32];

/// A lane without a house: lookups of this lane give 0.
pub(in crate::kernels) const NO_HOUSE: u16 = 31;

/// Returns the index of a cell in vectors of 32 masks: the highest bit is set for the cells of the third vector.
const fn index(cell: usize) -> u16 {
    cell as u16 | if cell < 64 { 0 } else { 0x8000 }
}

/// The index of a mask that is always 0.
const NO_CELL: u16 = index(95);

/// The segments of a board: the cells where a line crosses a region. They form a board of their own: its cell 9 l + r
/// is the segment of line l and region r.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct Segments {
    /// Element k has the k-th cell of each segment.
    pub(in crate::kernels) cells: [[u16; 96]; 9],
    /// The segment of each cell.
    pub(in crate::kernels) of_cell: [u16; 96],
    /// The number of cells of the longest segment.
    pub(in crate::kernels) longest: usize,
}

/// The houses of a board.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct Frame9 {
    /// Element k has the k-th cell of each house.
    pub(in crate::kernels) cells: [PerHouse; 9],
    /// The lane of each cell's region.
    pub(in crate::kernels) regions: [u16; 96],
    pub(in crate::kernels) has_regions: bool,
    /// The segments of rows, and those of columns.
    pub(in crate::kernels) segments: [Segments; 2],
}

impl Frame9 {
    /// Makes a frame with rows and columns only.
    pub(crate) fn lines() -> Self {
        let segments = || Segments { cells: [[NO_CELL; 96]; 9], of_cell: [NO_CELL; 96], longest: 0 };
        let segments = [segments(), segments()];
        let mut frame = Self { cells: [[NO_CELL; 32]; 9], regions: [NO_HOUSE; 96], has_regions: false, segments };
        for (k, lanes) in frame.cells.iter_mut().enumerate() {
            for line in 0..9 {
                lanes[line] = index(line * 9 + k);
                lanes[9 + line] = index(k * 9 + line);
            }
        }
        frame
    }

    /// Sets the region, 0 to 8, of each cell. Returns false if a region does not have nine cells. Locked candidates
    /// need [`Frame9::set_segments`], too.
    pub(crate) fn set_regions(&mut self, regions: &[u8; 81]) -> bool {
        // The sizes have four bits each, so they are in a register: memory would be slower.
        let mut sizes = 0_u64;
        for (cell, &region) in regions.iter().enumerate() {
            let region = usize::from(region);
            let size = (sizes >> (4 * (region & 15)) & 15) as usize;
            if region > 8 || size > 8 {
                return false;
            }
            self.cells[size][18 + region] = index(cell);
            sizes += 1 << (4 * region);
        }
        self.has_regions = true;
        self.regions.iter_mut().zip(regions).for_each(|(lane, &region)| *lane = 18 + u16::from(region));
        true
    }

    /// Computes the segments from the regions.
    pub(crate) fn set_segments(&mut self) {
        let Self { regions, segments, .. } = self;
        for (way, segments) in segments.iter_mut().enumerate() {
            // Clear the segments of the previous regions.
            segments.cells[..segments.longest].fill([NO_CELL; 96]);
            segments.longest = 0;
            for line in 0..9 {
                // The sizes of a line's segments have four bits each, so they are in a register: memory would be
                // slower.
                let mut sizes = 0_u64;
                for k in 0..9 {
                    let cell = if way == 0 { 9 * line + k } else { 9 * k + line };
                    let region = usize::from(regions[cell] - 18) & 15;
                    let (segment, size) = (9 * line + region, (sizes >> (4 * region) & 15) as usize);
                    segments.cells[size % 9][segment] = index(cell);
                    segments.of_cell[cell] = index(segment);
                    segments.longest = segments.longest.max(size + 1);
                    sizes += 1 << (4 * region);
                }
            }
        }
    }
}

/// What houses and cells must have.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct Needs9 {
    /// The digits that each house must have: all, or none.
    pub houses: [u16; 32],
    /// All ones for cells that must have a digit.
    pub cells: Grid9,
}

impl Needs9 {
    /// All cells must have a digit, and all 27 houses every digit.
    pub(crate) const ALL: Self = {
        let mut needs = Self { houses: [0; 32], cells: Grid9::NONE };
        let mut house = 0;
        while house < 27 {
            needs.houses[house] = 0x1FF;
            house += 1;
        }
        let mut cell = 0;
        while cell < 81 {
            needs.cells.0[cell] = u16::MAX;
            cell += 1;
        }
        needs
    };
}
