//! Pairs, subsets and fish (rungs 5 to 7): all of them are sets of lines of a matrix that have as few places together as
//! there are lines.
//!
//! The lines of a unit are its digits, with their cells; those of a digit are the rows, with their columns. A set of
//! lines with as many places takes these from all other lines. A naked set of k cells is the set of the other digits,
//! which have no place in them; and a fish of k columns is the set of the other rows.

use super::digit_lanes::DigitLanes;
use super::grid::LadderGrid;

/// Which sets of lines count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SetSize {
    /// Those of two lines, and those of all lines but two.
    Pairs,
    /// All.
    Any,
}

/// The places of units and digits in which no set takes any: most are the same when they are looked at again.
pub(super) struct SettledPlaces {
    units: [DigitLanes; 27],
    digits: [[u16; 9]; 9],
}

impl SettledPlaces {
    /// None are known.
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self { units: [DigitLanes::ZERO; 27], digits: [[0; 9]; 9] }
    }
}

/// Removes from the places of each line those that a set of other lines needs. Returns whether some were removed.
#[inline(always)]
fn reduce(lines: &mut [u16; 9], sizes: SetSize) -> bool {
    // A line with one place is done. Three others that are left would have singles.
    let (mut open, mut n) = ([0_usize; 9], 0);
    for (line, places) in lines.iter().enumerate() {
        open[n] = line;
        n += usize::from(places & places.wrapping_sub(1) != 0);
    }
    if n < 4 {
        return false;
    }
    let mut unions = [0_u16; 512];
    for k in 0..n {
        let places = lines[open[k]];
        for set in 0..1 << k {
            unions[(1 << k) + set] = unions[set] | places;
        }
    }
    let before = *lines;
    let mut apply = |set: usize| {
        for (k, &line) in open[..n].iter().enumerate() {
            if set >> k & 1 == 0 {
                lines[line] &= !unions[set];
            }
        }
    };
    match sizes {
        SetSize::Pairs => {
            for one in 0..n {
                for other in 0..one {
                    let pair = 1 << one | 1 << other;
                    for set in [pair, (1 << n) - 1 - pair] {
                        if unions[set].count_ones() <= set.count_ones() {
                            apply(set);
                        }
                    }
                }
            }
        }
        SetSize::Any => {
            for first in (0..1 << n).step_by(16) {
                let mut tight = 0_u16;
                for i in 0..16 {
                    let set = first + i;
                    tight |= u16::from(unions[set].count_ones() as u16 <= SIZES[set]) << i;
                }
                while tight != 0 {
                    apply(first + tight.trailing_zeros() as usize);
                    tight &= tight - 1;
                }
            }
        }
    }
    *lines != before
}

/// The sizes of sets.
static SIZES: [u16; 512] = sizes();

const fn sizes() -> [u16; 512] {
    let (mut sizes, mut set) = ([0; 512], 0_usize);
    while set < 512 {
        sizes[set] = set.count_ones() as u16;
        set += 1;
    }
    sizes
}

impl LadderGrid {
    /// Applies naked and hidden sets of all sizes in all units. Returns whether candidates were removed.
    #[inline(always)]
    pub(super) fn remove_by_sets(&mut self, settled: &mut SettledPlaces) -> bool {
        let mut changed = false;
        for unit in 0..27 {
            let mut places = self.places(unit);
            if places == settled.units[unit] {
                continue;
            }
            let mut lines = *places.0.first_chunk::<9>().unwrap_or(&[0; 9]);
            if reduce(&mut lines, SetSize::Any) {
                places.0[..9].copy_from_slice(&lines);
                self.keep_places(unit, places);
                changed = true;
            } else {
                settled.units[unit] = places;
            }
        }
        changed
    }

    /// Applies naked and hidden pairs in all units. Returns whether candidates were removed.
    #[inline(always)]
    pub(super) fn remove_by_pairs(&mut self) -> bool {
        let mut changed = false;
        for unit in 0..27 {
            let mut places = self.places(unit);
            let mut lines = *places.0.first_chunk::<9>().unwrap_or(&[0; 9]);
            if reduce(&mut lines, SetSize::Pairs) {
                places.0[..9].copy_from_slice(&lines);
                self.keep_places(unit, places);
                changed = true;
            }
        }
        changed
    }

    /// Applies fish of all digits. Returns whether candidates were removed.
    #[inline(always)]
    pub(super) fn remove_by_fish(&mut self, settled: &mut SettledPlaces) -> bool {
        let mut changed = false;
        for digit in 0..9 {
            let mut lines = [0; 9];
            for (line, row) in lines.iter_mut().zip(&self.rows) {
                *line = row.0[digit];
            }
            if lines == settled.digits[digit] {
                continue;
            }
            let before = lines;
            if reduce(&mut lines, SetSize::Any) {
                for (line, row) in lines.iter().zip(&mut self.rows) {
                    row.0[digit] = *line;
                }
                changed = true;
            } else {
                settled.digits[digit] = before;
            }
        }
        changed
    }

    /// The places of all digits in a unit: rows, columns, boxes.
    #[inline(always)]
    fn places(&self, unit: usize) -> DigitLanes {
        let mut places = DigitLanes::ZERO;
        match (unit / 9, unit % 9) {
            (0, row) => places = self.rows[row],
            (1, column) => {
                for row in 0..9 {
                    let cell = self.rows[row].shr(column as u32) & DigitLanes::splat(1);
                    places = places | cell.shl(row as u32);
                }
            }
            (_, number) => {
                let (band, first) = (number / 3, number % 3 * 3);
                for i in 0..3 {
                    let cells = self.rows[3 * band + i].shr(first as u32) & DigitLanes::splat(7);
                    places = places | cells.shl(3 * i as u32);
                }
            }
        }
        places
    }

    /// Removes the candidates of a unit that are not in `places`.
    #[inline(always)]
    fn keep_places(&mut self, unit: usize, mut places: DigitLanes) {
        for lane in &mut places.0[9..] {
            *lane = u16::MAX;
        }
        match (unit / 9, unit % 9) {
            (0, row) => self.rows[row] = self.rows[row] & places,
            (1, column) => {
                for row in 0..9 {
                    let cell = places.shr(row as u32) & DigitLanes::splat(1);
                    let others = DigitLanes::splat(!(1 << column));
                    self.rows[row] = self.rows[row] & (cell.shl(column as u32) | others);
                }
            }
            (_, number) => {
                let (band, first) = (number / 3, number % 3 * 3);
                for i in 0..3 {
                    let cells = places.shr(3 * i as u32) & DigitLanes::splat(7);
                    let others = DigitLanes::splat(!(7 << first));
                    let row = &mut self.rows[3 * band + i];
                    *row = *row & (cells.shl(first as u32) | others);
                }
            }
        }
    }
}
