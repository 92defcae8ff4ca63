//! The colours of cages in a canonical string: the least sequence in which cages that touch along an edge differ.

use std::hint::select_unpredictable;

use super::arrangement::CELLS;

/// Colours that v2 has.
const COLOURS: u8 = 5;

/// Elements of a list by cage: more than there are cells, so that any ten bits are the number of one.
const PLACES: usize = 1024;

/// Colours cages. It holds the memory for that.
pub(super) struct Colourer {
    /// For each cage a set of cages before it: those that touch it, and in a search those that took part in a dead end after it.
    before: Vec<u64>,
    /// The sets of those that touch, while `before` has more.
    touching: Vec<u64>,
    /// The cage of each cell of an image, and the first cell of each cage, in order.
    cages: Vec<u16>,
    first_cells: Vec<u16>,
    /// By cage its first cell.
    first: [u16; PLACES],
}

impl Default for Colourer {
    fn default() -> Self {
        let (before, touching) = (Vec::new(), Vec::new());
        Self { before, touching, cages: Vec::new(), first_cells: Vec::new(), first: [0; PLACES] }
    }
}

impl Colourer {
    /// Lists the cages of an image: `cages` has the cage of each cell that it comes from. The cage of each cell, and the first cell of
    /// each cage, in order. There is no branch for a cell, and none waits for the one before.
    pub(super) fn list(&mut self, sources: &[u16], cages: &[u16; CELLS]) -> (&[u16], &[u16]) {
        self.cages.resize(sources.len(), 0);
        self.first_cells.resize(sources.len() + 1, 0);
        for (cell, (&source, own)) in sources.iter().zip(&mut self.cages).enumerate().rev() {
            *own = cages[usize::from(source)];
            self.first[usize::from(*own) % PLACES] = cell as u16;
        }
        let mut found = 0;
        for (cell, &cage) in (0..).zip(&self.cages) {
            self.first_cells[found] = cell;
            found += usize::from(self.first[usize::from(cage) % PLACES] == cell);
        }
        self.first_cells.truncate(found);
        (&self.cages, &self.first_cells)
    }

    /// Colours the cages that were listed last.
    pub(super) fn colour_listed(&mut self, side: usize, out: &mut [u8]) {
        if few(&self.cages, &self.first_cells, side, out) {
            return;
        }
        let mut names = [0; PLACES];
        for (number, &cell) in (0..).zip(&self.first_cells) {
            names[usize::from(self.cages[usize::from(cell)]) % PLACES] = number;
        }
        let numbers: Vec<u16> = self.cages.iter().map(|&cage| names[usize::from(cage) % PLACES]).collect();
        self.colour(&numbers, side, out);
    }

    /// Colours the cages of a board, given for each cell by their numbers, which are by first cell.
    ///
    /// Greedy choice is not enough: a cage may find all colours around it. Then the search goes back to the last cage that had a
    /// part in that, and what comes after is coloured again. Cages are a map in the plane, which four colours colour: it ends.
    pub(super) fn colour(&mut self, numbers: &[u16], side: usize, out: &mut [u8]) {
        let count = numbers.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let words = count.div_ceil(64);
        self.touch(numbers, side, count, words);
        let (mut colour, mut cage, mut searching) = ([0_u8; CELLS], 0, false);
        while cage < count {
            let mut taken = 0_u8;
            let touching = if searching { &self.touching } else { &self.before };
            each(&touching[cage * words..][..words], |other| taken |= 1 << colour[other]);
            if let Some(free) = (colour[cage] + 1..=COLOURS).find(|colour| taken >> colour & 1 == 0) {
                colour[cage] = free;
                cage += 1;
                continue;
            }
            if !searching {
                self.touching.clone_from(&self.before);
                searching = true;
            }
            let Some(back) = self.blame(cage, words) else { break };
            colour[back + 1..=cage].fill(0);
            let later = (back + 1) * words..(cage + 1) * words;
            self.before[later.clone()].copy_from_slice(&self.touching[later]);
            cage = back;
        }
        out.iter_mut().zip(numbers).for_each(|(out, &number)| *out = colour[usize::from(number)]);
    }

    /// For each cage the set of those before it that touch it.
    fn touch(&mut self, numbers: &[u16], side: usize, count: usize, words: usize) {
        self.before.clear();
        self.before.resize(count * words, 0);
        for (cell, &number) in numbers.iter().enumerate() {
            let right = numbers.get(cell + 1).filter(|_| !(cell + 1).is_multiple_of(side));
            for &other in right.into_iter().chain(numbers.get(cell + side)) {
                if other != number {
                    let (first, second) = (usize::from(number.min(other)), usize::from(number.max(other)));
                    self.before[second * words + first / 64] |= 1 << (first % 64);
                }
            }
        }
    }

    /// The last cage that had a part in a cage's dead end; it takes over the others'.
    fn blame(&mut self, cage: usize, words: usize) -> Option<usize> {
        let mut last = None;
        each(&self.before[cage * words..][..words], |other| last = Some(other));
        let last = last?;
        for word in 0..words {
            let mut blamed = self.before[cage * words + word];
            if word == last / 64 {
                blamed &= !(1 << (last % 64));
            }
            self.before[last * words + word] |= blamed;
        }
        Some(last)
    }
}

/// Colours the cages of a small board, if they are up to 64 and greedy choice is enough; whether they are. `cages` has the cage of each
/// cell, by any numbers below their count, and `first_cells` the first cell of each, in order.
fn few(cages: &[u16], first_cells: &[u16], side: usize, out: &mut [u8]) -> bool {
    /// The largest side; a column after the last one and rows before and after all are of no cage.
    const MOST: usize = 9;
    if side > MOST || !(1..=64).contains(&first_cells.len()) {
        return false;
    }
    /// Looked up: without instructions for it, vectors are shifted by different numbers of bits at great length.
    const BITS: [u64; 64] = {
        let (mut bits, mut i) = ([0; 64], 0);
        while i < 64 {
            bits[i] = 1 << i;
            i += 1;
        }
        bits
    };
    let width = side + 1;
    let mut bits = [0_u64; (MOST + 2) * (MOST + 1)];
    for (bits, cages) in bits[width..].chunks_exact_mut(width).zip(cages.chunks_exact(side)) {
        bits.iter_mut().zip(cages).for_each(|(bit, &cage)| *bit = BITS[usize::from(cage) % 64]);
    }
    // For each cage itself and those that touch it.
    let mut touching = [0_u64; 64];
    for (row, cages) in cages.chunks_exact(side).enumerate() {
        let around = |from: usize| &bits[row * width + from..][..side];
        let beside = around(width - 1).iter().zip(around(width + 1)).zip(around(0).iter().zip(around(2 * width)));
        for (&cage, ((left, right), (above, below))) in cages.iter().zip(beside) {
            touching[usize::from(cage) % 64] |= left | right | above | below;
        }
    }
    // Each cage in turn has the first colour that none has which touches it. No branch depends on which.
    let (mut colours, mut coloured, mut without) = ([0; 64], [0_u64; COLOURS as usize], 0);
    for &first in first_cells {
        let cage = usize::from(cages[usize::from(first)]) % 64;
        let (mut bit, mut colour) = (1 << cage, 1);
        for coloured in &mut coloured {
            let taken = select_unpredictable(*coloured & touching[cage] == 0, bit, 0);
            *coloured |= taken;
            bit ^= taken;
            colour += u8::from(bit != 0);
        }
        without |= bit;
        colours[cage] = colour;
    }
    out.iter_mut().zip(cages).for_each(|(out, &cage)| *out = colours[usize::from(cage) % 64]);
    without == 0
}

/// Calls `see` with each element of a set, ascending.
#[inline]
fn each(set: &[u64], mut see: impl FnMut(usize)) {
    for (word, &bits) in set.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            see(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the rule says it: cages one by one, back by one at a dead end.
    fn plainly(numbers: &[u16], side: usize) -> Vec<u8> {
        let count = usize::from(*numbers.iter().max().expect("cells")) + 1;
        let touch = |a: usize, b: usize| {
            (0..numbers.len()).any(|cell| {
                let beside = [((cell + 1) % side != 0).then_some(cell + 1), Some(cell + side)];
                beside.into_iter().flatten().filter(|&other| other < numbers.len()).any(|other| {
                    let pair = (usize::from(numbers[cell]), usize::from(numbers[other]));
                    pair == (a, b) || pair == (b, a)
                })
            })
        };
        let (mut colours, mut lowest): (Vec<u8>, u8) = (Vec::new(), 1);
        while colours.len() < count {
            let here = colours.len();
            let taken: Vec<u8> = (0..here).filter(|&other| touch(other, here)).map(|other| colours[other]).collect();
            match (lowest..=COLOURS).find(|colour| !taken.contains(colour)) {
                Some(free) => {
                    colours.push(free);
                    lowest = 1;
                }
                None => lowest = colours.pop().expect("an earlier cage") + 1,
            }
        }
        numbers.iter().map(|&number| colours[usize::from(number)]).collect()
    }

    #[test]
    fn colours_are_the_least_also_where_greedy_choice_fails() {
        let mut colourer = Colourer::default();
        let (mut state, mut greedy_fails) = (7_u64, 0);
        for round in 0..3000 {
            let side = 6 + round % 4;
            // Dominoes and single cells, and unions of them.
            let mut of: Vec<usize> = (0..side * side).collect();
            for _ in 0..side * side * (1 + round % 3) / 2 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let cell = (state >> 33) as usize % (side * side);
                let other = if state >> 62 & 1 == 0 { cell + 1 } else { cell + side };
                if other < side * side && (other % side != 0 || other == cell + side) {
                    let (from, to) = (of[cell].max(of[other]), of[cell].min(of[other]));
                    of.iter_mut().filter(|of| **of == from).for_each(|of| *of = to);
                }
            }
            let (mut names, mut numbers) = (vec![u16::MAX; side * side], Vec::new());
            let mut last = 0;
            for &part in &of {
                if names[part] == u16::MAX {
                    names[part] = last;
                    last += 1;
                }
                numbers.push(names[part]);
            }
            let mut found = vec![0; side * side];
            colourer.colour(&numbers, side, &mut found);
            assert_eq!(found, plainly(&numbers, side));
            let mut quickly = vec![0; side * side];
            let first = |number: u16| numbers.iter().position(|&other| other == number).expect("a cell") as u16;
            let first_cells: Vec<u16> = (0..last).map(first).collect();
            if few(&numbers, &first_cells, side, &mut quickly) {
                assert_eq!(quickly, found);
            }
            greedy_fails += usize::from(colourer.touching == colourer.before || found.contains(&5));
        }
        assert!(greedy_fails > 0);
    }
}
