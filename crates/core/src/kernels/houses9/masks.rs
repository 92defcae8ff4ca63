//! What the solvers of side 9 need of an instruction set.

use super::frame::{Frame9, Grid9, Segments};
use crate::kernels::vector::Vector;

/// The vectors of an instruction set. A value of a type that implements this is the proof that the machine has the instructions.
pub(crate) trait Masks: Copy {
    /// A mask for each cell; 15 more hold nothing, or nothing that counts.
    type Cells: Vector;
    /// A mask for each house; what is in the lanes of no house does not count.
    type Houses: Vector;

    fn load(self, grid: &Grid9) -> Self::Cells;
    fn store(self, cells: Self::Cells, grid: &mut Grid9);
    fn load_houses(self, lanes: &[u16; 32]) -> Self::Houses;

    /// The first cell of every house, the second one, and so on. Lanes without a house hold nothing.
    fn by_place(self, cells: Self::Cells, frame: &Frame9) -> [Self::Houses; 9];
    /// For each cell what its row has.
    fn of_row(self, houses: Self::Houses) -> Self::Cells;
    /// For each cell what its column has.
    fn of_column(self, houses: Self::Houses) -> Self::Cells;
    /// For each cell what its region has.
    fn of_region(self, houses: Self::Houses, frame: &Frame9) -> Self::Cells;
    /// For each row what column `k` has, and for each column what row `k` has.
    fn across(self, houses: Self::Houses, k: usize) -> Self::Houses;

    /// What the cells of each segment hold.
    fn segments(self, cells: Self::Cells, segments: &Segments) -> Self::Cells;
    /// For each cell what its segment has.
    fn of_segment(self, cells: Self::Cells, segments: &Segments) -> Self::Cells;

    /// A bit for each of the 27 houses that is not 0.
    fn house_bits(self, houses: Self::Houses) -> u32;
    /// A bit for each of the 81 cells that is not 0.
    fn bits(self, cells: Self::Cells) -> u128;
    /// Takes digits from the cells of these bits.
    fn take(self, cells: Self::Cells, bits: u128, digits: u16) -> Self::Cells;
    /// A bit for each cell that has any of these digits.
    fn having(self, cells: Self::Cells, digits: u16) -> u128;

    /// For each digit of one of three cells with a sum, bit by bit: whether digit x is possible in the first, the second, the third.
    /// `seconds` and `thirds` are the candidates of the other two in reverse order; lane x shifts them by `shifts` and leaves
    /// `kept` of them, so that they are what is left for one cell if another is the reversed one and this one is digit x.
    #[inline(always)]
    fn threes(self, cells: [u32; 3], reversed: [u32; 2], shifts: &[u32; 16], kept: &[u32; 16]) -> [u32; 3] {
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

/// Work for the vectors of an instruction set. What [`MaskWork::run`] calls must be `#[inline(always)]`, and so must it be itself.
pub(crate) trait MaskWork {
    /// What comes of it.
    type Done;

    /// Does it.
    fn run<M: Masks>(self, masks: M) -> Self::Done;
}

#[cfg(test)]
pub(in crate::kernels) mod tests {
    use super::super::portable::Portable;
    use super::*;

    /// Every operation of an instruction set, over masks and regions of all sorts: plain operations by what they say, what depends on
    /// a frame by the portable one, which is held to the cells' own words here, too.
    pub(in crate::kernels) fn check<M: Masks>(m: M) {
        let mut state = 1_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let mut frame = Frame9::lines();
        let rounds = if cfg!(miri) { 3 } else { 1_000 }; // of minutes each there
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
            let found = m.threes(cells, reversed, &shifts, &kept);
            assert_eq!(found, Portable.threes(cells, reversed, &shifts, &kept));
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
        assert_eq!(m.bits(x), bits(&|i| a.0[i] != 0));
        assert_eq!(m.having(x, b.0[0]), bits(&|i| a.0[i] & b.0[0] != 0));
        let some = m.bits(y);
        let taken = grid(m.take(x, some, b.0[1]));
        assert_eq!(taken, each(&|a, c| if c == 0 { a } else { a & !b.0[1] }));
        for i in 0..81 {
            let mut one = Grid9::NONE;
            one.0[i] = 0x100;
            assert!(!m.load(&one).is_zero());
        }
    }

    fn framed<M: Masks>(m: M, a: &Grid9, b: &Grid9, frame: &Frame9) {
        let in_use = if frame.regions[0] == 31 { 18 } else { 27 };
        let lanes = std::array::from_fn(|i| if i < in_use { b.0[i] } else { 0 });
        let (houses, plain) = (m.load_houses(&lanes), Portable.load_houses(&lanes));
        // Houses are seen by what their cells see of them.
        let seen = |houses: M::Houses| {
            [m.of_row(houses), m.of_column(houses), m.of_region(houses, frame)].map(|cells| grid_of(m, cells))
        };
        let of_plain = |houses| {
            let cells = [Portable.of_row(houses), Portable.of_column(houses), Portable.of_region(houses, frame)];
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
        let (places, plain_places) = (m.by_place(x, frame), Portable.by_place(y, frame));
        for k in 0..9 {
            assert_eq!(seen(places[k]), of_plain(plain_places[k]));
            let across = rows_and_columns(seen(m.across(houses, k)));
            assert_eq!(across, rows_and_columns(of_plain(Portable.across(plain, k))));
        }
        for segments in frame.segments.iter().take(usize::from(in_use == 27) * 2) {
            assert_eq!(grid_of(m, m.segments(x, segments)), grid_of(Portable, Portable.segments(y, segments)));
            assert_eq!(grid_of(m, m.of_segment(x, segments)), grid_of(Portable, Portable.of_segment(y, segments)));
        }
    }
}
