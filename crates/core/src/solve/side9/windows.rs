//! Tables of the digits that runs leave. A window is a set of consecutive digits, as many as a run has cells. In a set
//! of windows, bit w stands for the window whose lowest digit is w + 1.

use std::sync::OnceLock;

/// The tables for runs of one length.
pub(super) struct Windows {
    /// For the union of the candidates of a run, the windows within it.
    pub(super) inside: [u16; 512],
    /// For the candidates of a cell, the windows that contain at least one of them.
    pub(super) overlapping: [u16; 512],
    /// For a set of windows, the digits that are in any of them.
    pub(super) union: [u16; 512],
    /// For a set of windows, the digits that are in all of them.
    pub(super) common: [u16; 512],
}

impl Windows {
    /// The tables for each length from 0 to 9.
    pub(super) fn get() -> &'static [Self] {
        static TABLES: OnceLock<Vec<Windows>> = OnceLock::new();
        TABLES.get_or_init(|| (0..10).map(Self::new).collect())
    }

    fn new(len: usize) -> Self {
        let windows = || (0..=9 - len).map(move |first| (1_u16 << first, ((1_u16 << len) - 1) << first));
        let those =
            |f: &dyn Fn(u16) -> bool| windows().filter(|&(_, window)| f(window)).fold(0, |those, (bit, _)| those | bit);
        let of = |set: usize| windows().filter(move |&(bit, _)| bit & set as u16 != 0).map(|(_, window)| window);
        Self {
            inside: std::array::from_fn(|digits| those(&|window| window & !(digits as u16) == 0)),
            overlapping: std::array::from_fn(|digits| those(&|window| window & digits as u16 != 0)),
            union: std::array::from_fn(|set| of(set).fold(0, |any, window| any | window)),
            common: std::array::from_fn(|set| of(set).reduce(|common, window| common & window).unwrap_or(0)),
        }
    }
}

/// The state of [`exact`] for a run of up to four cells. A place of a window is one of its digits, counted from the
/// lowest.
struct Places<const N: usize> {
    /// The candidates of each cell.
    cells: [u32; N],
    /// For each set of places, the windows in which the first cells can take exactly these places.
    first: [u32; 16],
    /// For each set of places, those of these windows in which the other cells can take the remaining places.
    rest: [u32; 16],
    /// The candidates of each cell that are left.
    left: [u32; N],
}

impl<const N: usize> Places<N> {
    /// Computes `first` for a set of places: the last of the first cells takes one of them, the cells before it the
    /// others.
    #[inline(always)]
    fn forward<const SET: usize>(&mut self) {
        for place in 0..N {
            if SET < 1 << N && SET >> place & 1 == 1 {
                let cell = self.cells[SET.count_ones() as usize - 1];
                self.first[SET] |= self.first[SET ^ 1 << place] & cell >> place;
            }
        }
    }

    /// Computes `rest` for a set of places: the next cell takes one of the remaining places, the cells after it the
    /// others.
    #[inline(always)]
    fn backward<const SET: usize>(&mut self) {
        for place in 0..N {
            if SET < (1 << N) - 1 && SET >> place & 1 == 0 {
                let number = SET.count_ones() as usize;
                let open = self.rest[SET | 1 << place] & self.cells[number] >> place & self.first[SET];
                self.rest[SET] |= open;
                self.left[number] |= open << place;
            }
        }
    }
}

/// Calls a method for sets of places, one after the other. A loop would not be unrolled, and a step takes only a few
/// operations if its set is a constant.
macro_rules! for_sets {
    ($places:ident . $step:ident, $($set:literal)*) => {
        $($places.$step::<$set>();)*
    };
}

/// Finds the candidates that are left in the cells of a run, exactly and for all windows at once, and the windows that
/// are left. This is dynamic programming over the sets of places that the first cells take: forward, then backward.
#[inline(always)]
pub(super) fn exact<const N: usize>(cells: [u32; N]) -> ([u32; N], u32) {
    let mut places = Places { cells, first: [0; 16], rest: [0; 16], left: [0; N] };
    places.first[0] = 0x1FF;
    for_sets!(places.forward, 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    let all = (1 << N) - 1;
    let windows = places.first[all] & ((1 << (10 - N)) - 1);
    places.rest[all] = windows;
    for_sets!(places.backward, 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
    (places.left, windows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same result as [`exact`], found by trying each window with each order of its digits.
    fn tried(cells: &[u32]) -> (Vec<u32>, u32) {
        fn fill(cells: &[u32], digits: u32, chosen: &mut Vec<u32>, left: &mut [u32]) -> bool {
            let Some(&cell) = cells.get(chosen.len()) else {
                chosen.iter().zip(left).for_each(|(digit, left)| *left |= digit);
                return true;
            };
            let mut found = false;
            for digit in (0..9).map(|d| 1 << d).filter(|digit| digit & cell & digits != 0) {
                chosen.push(digit);
                found |= fill(cells, digits & !digit, chosen, left);
                chosen.pop();
            }
            found
        }
        let (mut left, mut windows) = (vec![0; cells.len()], 0);
        for first in 0..=9 - cells.len() {
            let digits = ((1 << cells.len()) - 1) << first;
            windows |= u32::from(fill(cells, digits, &mut Vec::new(), &mut left)) << first;
        }
        (left, windows)
    }

    #[test]
    fn exact_finds_what_all_orders_leave() {
        let mut state = 5_u64;
        for _ in 0..20_000 {
            let cells: [u32; 4] = std::array::from_fn(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 40) as u32 & (state >> 50) as u32 & 0x1FF
            });
            let (left, windows) = exact(cells);
            assert_eq!((left.to_vec(), windows), tried(&cells));
            let (left, windows) = exact([cells[0], cells[1], cells[2]]);
            assert_eq!((left.to_vec(), windows), tried(&cells[..3]));
            let (left, windows) = exact([cells[0], cells[1]]);
            assert_eq!((left.to_vec(), windows), tried(&cells[..2]));
        }
    }
}
