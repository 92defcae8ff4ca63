//! The colours of cages in a canonical string: the least sequence in which cages that touch along an edge differ.

use super::arrangement::CELLS;

/// Colours that v2 has.
const COLOURS: u8 = 5;

/// Colours cages. It holds the memory for that.
#[derive(Default)]
pub(super) struct Colourer {
    /// For each cage a set of cages before it: those that touch it, and in a search those that took part in a dead end after it.
    before: Vec<u64>,
    /// The sets of those that touch, while `before` has more.
    touching: Vec<u64>,
    /// The number of each cell's cage by first cell, and the first cell of each.
    numbers: Vec<u16>,
    first_cells: Vec<u16>,
    /// By cage its first cell, and its number.
    first: Vec<u16>,
    names: Vec<u16>,
}

impl Colourer {
    /// Numbers the cages of an image by first cell: `cages` has the cage of each cell that it comes from, below `count`. The number of
    /// each cell's cage, and the first cell of each. There is no branch for a cell, and none waits for the one before.
    pub(super) fn number(&mut self, sources: &[u16], cages: &[u16], count: usize) -> (&[u16], &[u16]) {
        self.first.resize(count, 0);
        self.names.resize(count, 0);
        self.numbers.resize(sources.len(), 0);
        self.first_cells.resize(sources.len() + 1, 0);
        for (cell, &source) in sources.iter().enumerate().rev() {
            self.first[usize::from(cages[usize::from(source)])] = cell as u16;
        }
        let mut found = 0;
        for (cell, &source) in (0..).zip(sources) {
            self.first_cells[found] = cell;
            found += usize::from(self.first[usize::from(cages[usize::from(source)])] == cell);
        }
        self.first_cells.truncate(found);
        for (number, &cell) in (0..).zip(&self.first_cells) {
            self.names[usize::from(cages[usize::from(sources[usize::from(cell)])])] = number;
        }
        for (number, &source) in self.numbers.iter_mut().zip(sources) {
            *number = self.names[usize::from(cages[usize::from(source)])];
        }
        (&self.numbers, &self.first_cells)
    }

    /// Colours the cages that were numbered last.
    pub(super) fn colour_numbered(&mut self, side: usize, out: &mut [u8]) {
        let numbers = std::mem::take(&mut self.numbers);
        if !few(&numbers, self.names.len(), side, out) {
            self.colour(&numbers, side, out);
        }
        self.numbers = numbers;
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

/// Colours cages, if they are up to 64 and greedy choice is enough; whether they are.
fn few(numbers: &[u16], count: usize, side: usize, out: &mut [u8]) -> bool {
    if !(1..=64).contains(&count) {
        return false;
    }
    // For each cage those after it that touch it, and itself: four sets, for what follows each other would wait for one.
    let mut after = [[0_u64; 64]; 4];
    let mut touch = |set: usize, one: u16, other: u16| {
        after[set][usize::from(one.min(other)) & 63] |= 1 << (one.max(other) & 63);
    };
    for row in numbers.chunks_exact(side) {
        row.windows(2).enumerate().for_each(|(i, pair)| touch(i & 1, pair[0], pair[1]));
    }
    let below = numbers.iter().zip(&numbers[side..]);
    below.enumerate().for_each(|(i, (&one, &other))| touch(2 | i & 1, one, other));
    // The first colour goes to each cage in turn that touches none with it, the second likewise to those that are left, and so on.
    let (mut rest, mut colour) = (u64::MAX >> (64 - count), [0; 64]);
    for number in 1..=COLOURS {
        let mut open = rest;
        while open != 0 {
            let cage = open.trailing_zeros() as usize;
            colour[cage] = number;
            rest &= !(1 << cage);
            open &= !(1 << cage | after.iter().fold(0, |all, sets| all | sets[cage]));
        }
    }
    if rest != 0 {
        return false;
    }
    out.iter_mut().zip(numbers).for_each(|(out, &number)| *out = colour[usize::from(number) & 63]);
    true
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
            if few(&numbers, last.into(), side, &mut quickly) {
                assert_eq!(quickly, found);
            }
            greedy_fails += usize::from(colourer.touching == colourer.before || found.contains(&5));
        }
        assert!(greedy_fails > 0);
    }
}
