//! The operations that the solvers of side 9 need of an instruction set.

use super::frame::{Frame9, Grid9, Segments};
use crate::kernels::vector::Vector;

/// The vectors of an instruction set. A value of a type that implements this trait proves that the machine has the
/// instructions.
pub(crate) trait HouseMasks: Copy {
    /// One mask for each cell; 15 more are 0 or ignored.
    type Cells: Vector;
    /// One mask for each house; lanes without a house are ignored.
    type Houses: Vector;

    fn load(self, grid: &Grid9) -> Self::Cells;
    fn store(self, cells: Self::Cells, grid: &mut Grid9);
    fn load_houses(self, lanes: &[u16; 32]) -> Self::Houses;

    /// Element k of the result has, for each house, the mask of its k-th cell. Lanes without a house are 0.
    fn house_cells(self, cells: Self::Cells, frame: &Frame9) -> [Self::Houses; 9];
    /// Gives each cell the mask of its row.
    fn broadcast_rows(self, houses: Self::Houses) -> Self::Cells;
    /// Gives each cell the mask of its column.
    fn broadcast_columns(self, houses: Self::Houses) -> Self::Cells;
    /// Gives each cell the mask of its region.
    fn broadcast_regions(self, houses: Self::Houses, frame: &Frame9) -> Self::Cells;
    /// Gives each row the mask of column `k`, and each column that of row `k`.
    fn across(self, houses: Self::Houses, k: usize) -> Self::Houses;

    /// Returns one bit for each of the 27 houses: whether its mask is not 0.
    fn house_bits(self, houses: Self::Houses) -> u32;
    /// Returns one bit for each of the 81 cells: whether its mask is not 0.
    fn cell_bits(self, cells: Self::Cells) -> u128;
}

/// What the solvers do with these vectors beyond the rules of houses.
pub(crate) trait Masks: HouseMasks {
    /// Removes digits from the cells whose bit is set.
    fn remove(self, cells: Self::Cells, bits: u128, digits: u16) -> Self::Cells;
    /// Returns one bit for each cell: whether it has any of these digits.
    fn cells_with(self, cells: Self::Cells, digits: u16) -> u128;

    /// Returns the board of segments: each segment has the candidates of all its cells.
    fn gather_segments(self, cells: Self::Cells, segments: &Segments) -> Self::Cells;
    /// Gives each cell the mask of its segment.
    fn broadcast_segments(self, cells: Self::Cells, segments: &Segments) -> Self::Cells;

    /// Applies naked and hidden singles to a board with nine regions, where this is faster than
    /// [`singles`](super::singles). Returns whether it solved the board. If not, there may be more singles, or a
    /// contradiction.
    #[inline(always)]
    fn solve_by_singles(self, _grid: &mut Grid9, _frame: &Frame9) -> bool {
        false
    }

    /// Returns the possible digits of three cells with a fixed sum. `reversed` are the candidates of the second and the
    /// third cell in reverse order. If one cell has digit x (counted from 0), lane x shifts the reversed candidates of
    /// another cell by `shifts` and keeps the bits in `kept`: the result is the digits that the remaining cell can
    /// have.
    #[inline(always)]
    fn sum_of_three(self, cells: [u32; 3], reversed: [u32; 2], shifts: &[u32; 16], kept: &[u32; 16]) -> [u32; 3] {
        let mut found = [0; 3];
        for x in 0..9 {
            let left = reversed.map(|reversed| reversed >> shifts[x] & kept[x]);
            found[0] |= u32::from(left[1] & cells[1] != 0) << x;
            found[1] |= u32::from(left[1] & cells[0] != 0) << x;
            found[2] |= u32::from(left[0] & cells[0] != 0) << x;
        }
        [found[0] & cells[0], found[1] & cells[1], found[2] & cells[2]]
    }
}

/// A task that uses the vectors of an instruction set. [`MaskTask::run`] and everything that it calls must be
/// `#[inline(always)]`.
pub(crate) trait MaskTask {
    /// The result of the task.
    type Output;

    /// Runs the task.
    fn run<M: Masks>(self, masks: M) -> Self::Output;
}

#[cfg(test)]
pub(in crate::kernels) mod tests {
    use super::super::frame::Needs9;
    use super::super::portable::Portable;
    use super::super::singles;
    use super::*;

    /// Checks every operation of an instruction set, on masks and regions of all sorts: plain operations against their
    /// description, and operations that depend on a frame against the portable ones, which are in turn checked cell by
    /// cell.
    pub(in crate::kernels) fn check<M: Masks>(m: M) {
        let mut state = 1_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let mut frame = Frame9::lines();
        let rounds = if cfg!(miri) { 3 } else { 1_000 }; // under Miri, each takes minutes
        for round in 0..rounds {
            if round > rounds / 50 {
                let mut regions: [u8; 81] = std::array::from_fn(|i| (i / 27 * 3 + i % 9 / 3) as u8);
                (0..round % 100).for_each(|_| regions.swap(random() % 81, random() % 81));
                assert!(frame.set_regions(&regions));
                frame.set_segments();
            }
            let mut grid = || {
                let mut grid = Grid9::NONE;
                grid.0[..81].fill_with(|| {
                    let mask = random() as u16 & 0x1FF;
                    [mask, 1 << (mask % 9), 0, 0x1FF, 1 << (mask % 9) | 1 << (mask / 64)][random() % 5]
                });
                grid
            };
            let (a, b) = (grid(), grid());
            vectors(m, &a, &b);
            framed(m, &a, &b, &frame);
            let (cells, reversed) =
                ([a.0[0], a.0[1], a.0[2]].map(u32::from), [b.0[0], b.0[1]].map(|r| u32::from(r) << 9));
            let shifts = std::array::from_fn(|i| u32::from(b.0[i]) % 18);
            let kept = std::array::from_fn(|i| if i < 9 { a.0[9 + i].into() } else { 0 });
            let found = m.sum_of_three(cells, reversed, &shifts, &kept);
            assert_eq!(found, Portable.sum_of_three(cells, reversed, &shifts, &kept));
        }
    }

    fn grid_of<M: Masks>(m: M, cells: M::Cells) -> [u16; 81] {
        let mut grid = Grid9::OPEN;
        m.store(cells, &mut grid);
        assert_eq!(grid.0[81..], [0; 15]);
        std::array::from_fn(|i| grid.0[i])
    }

    fn vectors<M: Masks>(m: M, a: &Grid9, b: &Grid9) {
        let (x, y) = (m.load(a), m.load(b));
        let each = |f: &dyn Fn(u16, u16) -> u16| -> [u16; 81] { std::array::from_fn(|i| f(a.0[i], b.0[i])) };
        let grid = |cells| grid_of(m, cells);
        assert_eq!(grid(x), each(&|a, _| a));
        assert_eq!(grid(x.zero()), [0; 81]);
        assert_eq!(grid(x.and(y)), each(&|a, b| a & b));
        assert_eq!(grid(x.or(y)), each(&|a, b| a | b));
        assert_eq!(grid(x.xor(y)), each(&|a, b| a ^ b));
        assert_eq!(grid(x.and_not(y)), each(&|a, b| a & !b));
        assert_eq!(grid(x.and(y.empty())), each(&|a, b| if b == 0 { a } else { 0 }));
        assert_eq!(grid(x.several()), each(&|a, _| a & a.wrapping_sub(1)));
        assert_eq!(grid(y.empty().select(x, y)), each(&|a, b| if b == 0 { a } else { b }));
        assert!(x.zero().is_zero() && x.xor(x).is_zero() && !x.or(m.load(&Grid9::OPEN)).is_zero());
        let bits = |f: &dyn Fn(usize) -> bool| (0..81).fold(0_u128, |bits, i| bits | u128::from(f(i)) << i);
        assert_eq!(m.cell_bits(x), bits(&|i| a.0[i] != 0));
        assert_eq!(m.cells_with(x, b.0[0]), bits(&|i| a.0[i] & b.0[0] != 0));
        let some = m.cell_bits(y);
        let taken = grid(m.remove(x, some, b.0[1]));
        assert_eq!(taken, each(&|a, c| if c == 0 { a } else { a & !b.0[1] }));
        for i in 0..81 {
            let mut one = Grid9::NONE;
            one.0[i] = 0x100;
            assert!(!m.load(&one).is_zero());
        }
    }

    /// Checks that [`Masks::solve_by_singles`] leaves the same singles to be found.
    fn solved<M: Masks>(m: M, before: &Grid9, frame: &Frame9) {
        let all = |grid: &Grid9| {
            let left = singles(Portable, Portable.load(grid), frame, &Needs9::ALL, usize::MAX);
            left.ok().map(|(cells, _)| grid_of(Portable, cells))
        };
        let (mut grid, expected) = (*before, all(before));
        let is_solved = m.solve_by_singles(&mut grid, frame);
        assert_eq!(grid.0[81..], [0; 15]);
        assert_eq!(all(&grid), expected);
        if is_solved {
            assert_eq!(expected.map(|cells| cells.iter().all(|mask| mask.is_power_of_two())), Some(true));
            assert_eq!(expected.as_ref().map(|cells| &cells[..]), Some(&grid.0[..81]));
        }
    }

    fn framed<M: Masks>(m: M, a: &Grid9, b: &Grid9, frame: &Frame9) {
        let in_use = if frame.regions[0] == 31 { 18 } else { 27 };
        let lanes = std::array::from_fn(|i| if i < in_use { b.0[i] } else { 0 });
        let (houses, plain) = (m.load_houses(&lanes), Portable.load_houses(&lanes));
        // Values of houses are compared by what their cells get.
        let seen = |houses: M::Houses| {
            [m.broadcast_rows(houses), m.broadcast_columns(houses), m.broadcast_regions(houses, frame)]
                .map(|cells| grid_of(m, cells))
        };
        let of_plain = |houses| {
            let cells = [
                Portable.broadcast_rows(houses),
                Portable.broadcast_columns(houses),
                Portable.broadcast_regions(houses, frame),
            ];
            cells.map(|cells| grid_of(Portable, cells))
        };
        let rows_and_columns = |all: [[u16; 81]; 3]| [all[0], all[1]];
        assert_eq!(seen(houses), of_plain(plain));
        assert_eq!(m.house_bits(houses), (0..27).fold(0, |bits, i| bits | u32::from(lanes[i] != 0) << i));
        for i in 0..81 {
            let region = usize::from(frame.regions[i]);
            let expected = [lanes[i / 9], lanes[9 + i % 9], lanes[if in_use == 27 { region } else { 31 }]];
            assert_eq!(of_plain(plain).map(|cells| cells[i]), expected);
        }
        let (x, y) = (m.load(a), Portable.load(a));
        let (places, plain_places) = (m.house_cells(x, frame), Portable.house_cells(y, frame));
        for k in 0..9 {
            assert_eq!(seen(places[k]), of_plain(plain_places[k]));
            let across = rows_and_columns(seen(m.across(houses, k)));
            assert_eq!(across, rows_and_columns(of_plain(Portable.across(plain, k))));
        }
        if in_use == 27 {
            solved(m, a, frame);
            // Most boards with digits in a few cells have no contradiction.
            let mut few = Grid9::OPEN;
            (0..81)
                .filter(|i| i % 9 == i / 9 * 4 % 9 && b.0[*i] != 0)
                .for_each(|i| few.0[i] = b.0[i] & b.0[i].wrapping_neg());
            solved(m, &few, frame);
        }
        for segments in frame.segments.iter().take(usize::from(in_use == 27) * 2) {
            assert_eq!(
                grid_of(m, m.gather_segments(x, segments)),
                grid_of(Portable, Portable.gather_segments(y, segments))
            );
            assert_eq!(
                grid_of(m, m.broadcast_segments(x, segments)),
                grid_of(Portable, Portable.broadcast_segments(y, segments))
            );
        }
    }
}
