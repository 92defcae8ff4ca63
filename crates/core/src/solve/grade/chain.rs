//! Chains and loops of strong links: rung 9.
//!
//! What a true candidate makes true does not depend on what else is assumed, so all candidates are assumed at once: each
//! end of a strong link has a set of the assumptions that make it true.

use super::cell_sets::{CandidateSets, CellSet, PEERS, UNITS, cells};
use super::grid::LadderGrid;

/// How many candidates are assumed at once.
const ASSUMED: usize = 256;

/// A set of assumptions.
type Assumptions = [u64; ASSUMED / 64];

/// The candidates that are the end of a strong link, and what they see of each other.
struct StrongLinks {
    /// Their digits and cells.
    ends: Vec<(u8, u8)>,
    /// Two ends of which one is true.
    links: Vec<(u16, u16)>,
    /// The number of each end, by digit and cell.
    number: Box<[[u16; 81]; 9]>,
    /// The ends by digit.
    by_digit: [CellSet; 9],
}

impl LadderGrid {
    /// Removes the candidates that chains refute. Returns whether there were some.
    #[inline(always)]
    pub(super) fn remove_by_chains(&mut self) -> bool {
        let sets = CandidateSets::of(self);
        let strong = StrongLinks::of(&sets);
        let (mut assumed, mut removed) = (Vec::with_capacity(ASSUMED), [0; 9]);
        for digit in 0..9 {
            for cell in cells(sets.digits[digit] & sets.open) {
                assumed.push((digit as u8, cell as u8));
            }
        }
        for assumed in assumed.chunks(ASSUMED) {
            strong.refute(&sets, assumed, &mut removed);
        }
        self.remove_cells(&removed)
    }
}

impl StrongLinks {
    #[inline(always)]
    fn of(sets: &CandidateSets) -> Self {
        let number = Box::new([[u16::MAX; 81]; 9]);
        let mut strong = Self { ends: Vec::new(), links: Vec::new(), number, by_digit: [0; 9] };
        for cell in cells(sets.cells_with_two_and_three().0) {
            let mask = sets.cells[cell];
            let (one, other) = (mask.trailing_zeros() as usize, 15 - mask.leading_zeros() as usize);
            strong.link((one, cell), (other, cell));
        }
        for digit in 0..9 {
            for unit in &UNITS {
                let places = sets.digits[digit] & unit;
                let rest = places & places.wrapping_sub(1);
                if rest != 0 && rest & (rest - 1) == 0 {
                    strong.link((digit, places.trailing_zeros() as usize), (digit, rest.trailing_zeros() as usize));
                }
            }
        }
        strong
    }

    #[inline(always)]
    fn link(&mut self, one: (usize, usize), other: (usize, usize)) {
        let (one, other) = (self.end(one), self.end(other));
        self.links.push((one, other));
    }

    /// The number of an end.
    #[inline(always)]
    fn end(&mut self, (digit, cell): (usize, usize)) -> u16 {
        let number = &mut self.number[digit][cell];
        if *number == u16::MAX {
            *number = self.ends.len() as u16;
            self.ends.push((digit as u8, cell as u8));
            self.by_digit[digit] |= 1 << cell;
        }
        *number
    }

    /// Calls `f` with the number of each end that a candidate sees.
    #[inline(always)]
    fn for_each_seen(&self, sets: &CandidateSets, (digit, cell): (u8, u8), mut f: impl FnMut(usize)) {
        let (digit, cell) = (usize::from(digit), usize::from(cell));
        for other in cells(self.by_digit[digit] & PEERS[cell]) {
            f(usize::from(self.number[digit][other]));
        }
        let mut digits = sets.cells[cell] & !(1 << digit);
        while digits != 0 {
            let number = self.number[digits.trailing_zeros() as usize][cell];
            if number != u16::MAX {
                f(usize::from(number));
            }
            digits &= digits - 1;
        }
    }

    /// Finds which of these candidates make one both true and false.
    #[inline(always)]
    fn refute(&self, sets: &CandidateSets, assumed: &[(u8, u8)], removed: &mut [CellSet; 9]) {
        let n = self.ends.len();
        let (mut seen, mut seen_ends) = (Vec::with_capacity(8 * n), Vec::with_capacity(n));
        for &end in &self.ends {
            self.for_each_seen(sets, end, |number| seen.push(number as u16));
            seen_ends.push(seen.len());
        }
        let (mut made_true, mut made_false) = (vec![Assumptions::default(); n], vec![Assumptions::default(); n]);
        for (lane, &(digit, cell)) in assumed.iter().enumerate() {
            let (word, bit) = (lane / 64, 1 << (lane % 64));
            if let Some(own) = made_true.get_mut(usize::from(self.number[usize::from(digit)][usize::from(cell)])) {
                own[word] |= bit;
            }
            self.for_each_seen(sets, (digit, cell), |number| made_false[number][word] |= bit);
        }
        loop {
            let mut first = 0;
            for (number, &end) in seen_ends.iter().enumerate() {
                for &other in &seen[first..end] {
                    made_false[number] = or(made_false[number], made_true[usize::from(other)]);
                }
                first = end;
            }
            let mut changed = 0;
            for &(one, other) in &self.links {
                let (one, other) = (usize::from(one), usize::from(other));
                for (this, that) in [(one, other), (other, one)] {
                    let all = or(made_true[that], made_false[this]);
                    for word in 0..all.len() {
                        changed |= all[word] ^ made_true[that][word];
                    }
                    made_true[that] = all;
                }
            }
            if changed == 0 {
                break;
            }
        }
        let mut refuted = Assumptions::default();
        for (made_true, made_false) in made_true.iter().zip(&made_false) {
            for word in 0..refuted.len() {
                refuted[word] |= made_true[word] & made_false[word];
            }
        }
        for (lane, &(digit, cell)) in assumed.iter().enumerate() {
            let (word, shift) = (lane / 64, lane % 64);
            let mut wrong = refuted[word] >> shift & 1;
            self.for_each_seen(sets, (digit, cell), |number| wrong |= made_true[number][word] >> shift & 1);
            if wrong == 1 {
                removed[usize::from(digit)] |= 1 << cell;
            }
        }
    }
}

#[inline(always)]
fn or(mut a: Assumptions, b: Assumptions) -> Assumptions {
    for word in 0..a.len() {
        a[word] |= b[word];
    }
    a
}
