//! Chooses the colours of cages: the least sequence in which cages that share an edge differ.

use std::hint::select_unpredictable;

/// The cells of the largest board.
const CELLS: usize = 625;

/// The number of colours in v2.
const COLOURS: u8 = 5;

/// The length of lists that are indexed by cage: more than there are cells, so that any ten bits are a valid index.
const PLACES: usize = 1024;

/// Colours cages. It holds the memory for this.
pub(crate) struct Colourer {
    /// For each cage, a set of earlier cages: those that touch it, and during a search also those that took part in a
    /// dead end after it (its conflict set).
    conflicts: Vec<u64>,
    /// The sets of earlier cages that touch each cage, while `conflicts` contains more.
    neighbours: Vec<u64>,
    /// The cage of each cell of an image, and the first cell of each cage, in order.
    cages: Vec<u16>,
    first_cells: Vec<u16>,
    /// The first cell of each cage.
    first: [u16; PLACES],
}

impl Default for Colourer {
    fn default() -> Self {
        let (conflicts, neighbours) = (Vec::new(), Vec::new());
        Self { conflicts, neighbours, cages: Vec::new(), first_cells: Vec::new(), first: [0; PLACES] }
    }
}

impl Colourer {
    /// Lists the cages of an image; `cages` has the cage of each source cell. Returns the cage of each cell, and the
    /// first cell of each cage, in order. There is no branch per cell, and no cell depends on the result of the one
    /// before.
    pub(crate) fn list_cages(&mut self, sources: &[u16], cages: &[u16; CELLS]) -> (&[u16], &[u16]) {
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
    pub(crate) fn colour_cages(&mut self, side: usize, out: &mut [u8]) {
        if colour_greedily(&self.cages, &self.first_cells, side, out) {
            return;
        }
        let mut names = [0; PLACES];
        for (number, &cell) in (0..).zip(&self.first_cells) {
            names[usize::from(self.cages[usize::from(cell)]) % PLACES] = number;
        }
        let numbers: Vec<u16> = self.cages.iter().map(|&cage| names[usize::from(cage) % PLACES]).collect();
        self.colour(&numbers, side, out);
    }

    /// Colours the cages of a board; `numbers` has the number of each cell's cage, in the order of first cells.
    ///
    /// Greedy choice is not enough: a cage may touch all colours. Then the search jumps back to the last cage that took
    /// part in this conflict, and colours the later cages again. Cages are a planar map, which can be coloured with
    /// four colours, so the search ends.
    pub(crate) fn colour(&mut self, numbers: &[u16], side: usize, out: &mut [u8]) {
        let count = numbers.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let words = count.div_ceil(64);
        self.find_neighbours(numbers, side, count, words);
        let (mut colour, mut cage, mut searching) = ([0_u8; CELLS], 0, false);
        while cage < count {
            let mut taken = 0_u8;
            let neighbours = if searching { &self.neighbours } else { &self.conflicts };
            for_each(&neighbours[cage * words..][..words], |other| taken |= 1 << colour[other]);
            if let Some(free) = (colour[cage] + 1..=COLOURS).find(|colour| taken >> colour & 1 == 0) {
                colour[cage] = free;
                cage += 1;
                continue;
            }
            if !searching {
                self.neighbours.clone_from(&self.conflicts);
                searching = true;
            }
            let Some(back) = self.backjump(cage, words) else { break };
            colour[back + 1..=cage].fill(0);
            let later = (back + 1) * words..(cage + 1) * words;
            self.conflicts[later.clone()].copy_from_slice(&self.neighbours[later]);
            cage = back;
        }
        out.iter_mut().zip(numbers).for_each(|(out, &number)| *out = colour[usize::from(number)]);
    }

    /// Computes for each cage the set of earlier cages that touch it.
    fn find_neighbours(&mut self, numbers: &[u16], side: usize, count: usize, words: usize) {
        self.conflicts.clear();
        self.conflicts.resize(count * words, 0);
        for (cell, &number) in numbers.iter().enumerate() {
            let right = numbers.get(cell + 1).filter(|_| !(cell + 1).is_multiple_of(side));
            for &other in right.into_iter().chain(numbers.get(cell + side)) {
                if other != number {
                    let (first, second) = (usize::from(number.min(other)), usize::from(number.max(other)));
                    self.conflicts[second * words + first / 64] |= 1 << (first % 64);
                }
            }
        }
    }

    /// Returns the last cage in a cage's conflict set; that cage inherits the rest of the set.
    fn backjump(&mut self, cage: usize, words: usize) -> Option<usize> {
        let mut last = None;
        for_each(&self.conflicts[cage * words..][..words], |other| last = Some(other));
        let last = last?;
        for word in 0..words {
            let mut conflict = self.conflicts[cage * words + word];
            if word == last / 64 {
                conflict &= !(1 << (last % 64));
            }
            self.conflicts[last * words + word] |= conflict;
        }
        Some(last)
    }
}

/// Colours the cages of a small board if there are at most 64 and greedy choice is enough. Returns whether this is so.
/// `cages` has the cage of each cell, as any number below the number of cages, and `first_cells` the first cell of each
/// cage, in order.
fn colour_greedily(cages: &[u16], first_cells: &[u16], side: usize, out: &mut [u8]) -> bool {
    /// The largest side. A column after the last one, and a row before the first and after the last one, belong to no
    /// cage.
    const MAX_SIDE: usize = 9;
    if side > MAX_SIDE || !(1..=64).contains(&first_cells.len()) {
        return false;
    }
    /// A table, because without an instruction for it, shifting the elements of a vector by different numbers of bits
    /// takes many instructions.
    const BITS: [u64; 64] = {
        let (mut bits, mut i) = ([0; 64], 0);
        while i < 64 {
            bits[i] = 1 << i;
            i += 1;
        }
        bits
    };
    let width = side + 1;
    let mut bits = [0_u64; (MAX_SIDE + 2) * (MAX_SIDE + 1)];
    for (bits, cages) in bits[width..].chunks_exact_mut(width).zip(cages.chunks_exact(side)) {
        bits.iter_mut().zip(cages).for_each(|(bit, &cage)| *bit = BITS[usize::from(cage) % 64]);
    }
    // For each cage, the set of itself and the cages that touch it.
    let mut neighbours = [0_u64; 64];
    for (row, cages) in cages.chunks_exact(side).enumerate() {
        let around = |from: usize| &bits[row * width + from..][..side];
        let beside = around(width - 1).iter().zip(around(width + 1)).zip(around(0).iter().zip(around(2 * width)));
        for (&cage, ((left, right), (above, below))) in cages.iter().zip(beside) {
            neighbours[usize::from(cage) % 64] |= left | right | above | below;
        }
    }
    // Each cage in turn gets the first colour that no touching cage has. No branch depends on which colour.
    let (mut colours, mut coloured, mut without) = ([0; 64], [0_u64; COLOURS as usize], 0);
    for &first in first_cells {
        let cage = usize::from(cages[usize::from(first)]) % 64;
        let (mut bit, mut colour) = (1 << cage, 1);
        for coloured in &mut coloured {
            let taken = select_unpredictable(*coloured & neighbours[cage] == 0, bit, 0);
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

/// Calls `visit` with each element of a set, in ascending order.
#[inline]
fn for_each(set: &[u64], mut visit: impl FnMut(usize)) {
    for (word, &bits) in set.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            visit(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Colours cages one by one as the rule says, and goes back by one cage at a dead end.
    fn by_backtracking(numbers: &[u16], side: usize) -> Vec<u8> {
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
            assert_eq!(found, by_backtracking(&numbers, side));
            let mut greedy = vec![0; side * side];
            let first = |number: u16| numbers.iter().position(|&other| other == number).expect("a cell") as u16;
            let first_cells: Vec<u16> = (0..last).map(first).collect();
            if colour_greedily(&numbers, &first_cells, side, &mut greedy) {
                assert_eq!(greedy, found);
            }
            greedy_fails += usize::from(colourer.neighbours == colourer.conflicts || found.contains(&5));
        }
        assert!(greedy_fails > 0);
    }
}
