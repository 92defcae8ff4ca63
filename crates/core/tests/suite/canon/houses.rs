//! The groups, computed only from sets of cells: the permutations of the cells that map every set to a set.
//!
//! Uses a base and strong generators: cells are fixed one after another until only the identity is left. Then, from the
//! last cell to the first, permutations are searched that fix the cells before it and move it. The order is the product
//! of the orbits.

use std::collections::{BTreeSet, HashMap};

use gridmill_core::board::{Geometry, Kind, Side, geometry};

use crate::random::Rng;

/// The image of each cell.
pub(super) type Permutation = Vec<u16>;

/// Cells and sets of them.
pub(super) struct Structure {
    cells: usize,
    sets: Vec<Vec<u16>>,
    of: Vec<Vec<u16>>,
}

/// A group of permutations.
pub(super) struct Group {
    pub(super) order: u128,
    pub(super) generators: Vec<Permutation>,
    cells: usize,
}

/// The sets of cells that the maps of a kind keep (CANON.md, section 2): its houses, for windokus also the five that
/// follow from them, and if neighbourhood matters, the boxes and all pairs of neighbours.
pub(super) fn structure(kind: Kind, side: Side) -> Structure {
    let (n, table) = (side.get(), geometry(side));
    let mut sets: Vec<Vec<u16>> = Vec::new();
    if kind.is_plain() {
        sets.extend(table.houses(kind).map(<[u16]>::to_vec));
        if kind == Kind::Windoku {
            let parts = [[1, 2, 3], [5, 6, 7], [0, 4, 8]];
            for (rows, columns) in parts.iter().flat_map(|rows| parts.iter().map(move |columns| (rows, columns))) {
                sets.push(rows.iter().flat_map(|row| columns.iter().map(move |column| row * 9 + column)).collect());
            }
        }
    } else {
        sets.extend(table.boxes.iter().filter(|_| kind.rules().houses.boxes).cloned());
        let pair = |cell: usize| Geometry::neighbours(cell, n).map(move |other| vec![cell as u16, other as u16]);
        sets.extend((0..n * n).flat_map(pair).filter(|pair| pair[0] < pair[1]));
    }
    sets.iter_mut().for_each(|set| set.sort_unstable());
    sets.sort();
    sets.dedup();
    let mut of = vec![Vec::new(); n * n];
    for (set, number) in sets.iter().zip(0..) {
        set.iter().for_each(|&cell| of[usize::from(cell)].push(number));
    }
    Structure { cells: n * n, sets, of }
}

fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 31).wrapping_mul(0x7fb5_d329_728e_a185);
    (value ^ value >> 27).wrapping_mul(0x81da_def4_bc2d_d44d)
}

impl Structure {
    /// Colours of the cells that are invariant under permutations that fix the first cells, in this order. Equal
    /// colours prove nothing.
    fn colours(&self, fixed: &[u16]) -> Vec<u64> {
        let mut colours = vec![1; self.cells];
        fixed.iter().zip(2..).for_each(|(&cell, colour)| colours[usize::from(cell)] = mix(colour));
        let mut count = 0;
        loop {
            let sum = |cells: &[u16]| {
                cells.iter().fold(0_u64, |sum, &cell| sum.wrapping_add(mix(colours[usize::from(cell)])))
            };
            let sets: Vec<u64> = self.sets.iter().map(|set| mix(sum(set) ^ set.len() as u64)).collect();
            let next: Vec<u64> = (0..self.cells)
                .map(|cell| {
                    self.of[cell].iter().fold(mix(colours[cell]), |sum, &set| sum.wrapping_add(sets[usize::from(set)]))
                })
                .collect();
            let different = next.iter().collect::<BTreeSet<_>>().len();
            if different == count {
                return next;
            }
            (count, colours) = (different, next);
        }
    }

    /// A permutation that maps the first cells to the second ones.
    fn find(&self, from: &mut Vec<u16>, to: &mut Vec<u16>) -> Option<Permutation> {
        let (left, right) = (self.colours(from), self.colours(to));
        let mut places: HashMap<u64, Vec<u16>> = HashMap::new();
        right.iter().zip(0..).for_each(|(&colour, cell)| places.entry(colour).or_default().push(cell));
        let mut counts: HashMap<u64, usize> = HashMap::new();
        left.iter().for_each(|&colour| *counts.entry(colour).or_default() += 1);
        if counts.len() != places.len()
            || counts.iter().any(|(colour, count)| places.get(colour).map(Vec::len) != Some(*count))
        {
            return None;
        }
        let Some(open) = (0..self.cells).find(|&cell| counts[&left[cell]] > 1) else {
            let found: Permutation = left.iter().map(|colour| places[colour][0]).collect();
            return self.keeps(&found).then_some(found);
        };
        for &image in &places[&left[open]] {
            from.push(open as u16);
            to.push(image);
            let found = self.find(from, to);
            from.pop();
            to.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether every set is mapped to a set.
    pub(super) fn keeps(&self, permutation: &Permutation) -> bool {
        self.sets.iter().all(|set| {
            let mut image: Vec<u16> = set.iter().map(|&cell| permutation[usize::from(cell)]).collect();
            image.sort_unstable();
            self.sets.binary_search(&image).is_ok()
        })
    }

    /// All permutations that keep the sets.
    pub(super) fn group(&self) -> Group {
        let mut base = Vec::new();
        loop {
            let colours = self.colours(&base);
            let mut seen = HashMap::new();
            colours.iter().for_each(|colour| *seen.entry(colour).or_insert(0) += 1);
            let Some(open) = (0..self.cells).find(|&cell| seen[&colours[cell]] > 1) else { break };
            base.push(open as u16);
        }
        let (mut generators, mut order): (Vec<Permutation>, u128) = (Vec::new(), 1);
        for level in (0..base.len()).rev() {
            let colours = self.colours(&base[..level]);
            let mut orbit = orbit(base[level], &generators);
            let mut refused = BTreeSet::new();
            for cell in 0..self.cells as u16 {
                let alike = colours[usize::from(cell)] == colours[usize::from(base[level])];
                if !alike || orbit.contains(&cell) || refused.contains(&cell) {
                    continue;
                }
                let mut to = [&base[..level], &[cell]].concat();
                match self.find(&mut base[..=level].to_vec(), &mut to) {
                    Some(found) => {
                        generators.push(found);
                        orbit = self::orbit(base[level], &generators);
                    }
                    None => refused.extend(self::orbit(cell, &generators)),
                }
            }
            order *= orbit.len() as u128;
        }
        Group { order, generators, cells: self.cells }
    }
}

fn orbit(cell: u16, generators: &[Permutation]) -> BTreeSet<u16> {
    let (mut orbit, mut todo) = (BTreeSet::from([cell]), vec![cell]);
    while let Some(cell) = todo.pop() {
        todo.extend(
            generators.iter().map(|generator| generator[usize::from(cell)]).filter(|&image| orbit.insert(image)),
        );
    }
    orbit
}

impl Group {
    /// Every element of a group that is not large.
    pub(super) fn all(&self) -> Vec<Permutation> {
        let identity: Permutation = (0..self.cells as u16).collect();
        let (mut seen, mut all) = (BTreeSet::from([identity.clone()]), vec![identity]);
        let mut next = 0;
        while next < all.len() {
            for generator in &self.generators {
                let product: Permutation = all[next].iter().map(|&cell| generator[usize::from(cell)]).collect();
                if seen.insert(product.clone()) {
                    all.push(product);
                }
            }
            next += 1;
        }
        assert_eq!(all.len() as u128, self.order);
        all
    }

    /// A random product of many generators.
    pub(super) fn draw(&self, rng: &mut Rng) -> Permutation {
        let mut drawn: Permutation = (0..self.cells as u16).collect();
        for _ in 0..4 * self.generators.len() + rng.below(2) {
            let generator = rng.pick(&self.generators);
            drawn = drawn.iter().map(|&cell| generator[usize::from(cell)]).collect();
        }
        drawn
    }
}

/// The orders in the literature, or those that follow: OEIS A346008, Leren, Mathimagics; see CANON.md, section 2.
#[test]
fn the_groups_have_the_orders_that_their_houses_give_them() {
    let order = |kind, side| structure(kind, Side::new(side).expect("a side")).group().order;
    for (kind, orders) in [
        (Kind::Sudoku, [3_456, 442_368, 3_359_232, 126_806_761_930_752]),
        (Kind::SudokuX, [8, 32, 96, 18_432]),
        (Kind::Killer, [4, 4, 8, 8]),
        (Kind::KenDoku, [4, 4, 8, 8]),
        (Kind::Str8tsBX, [4, 4, 8, 8]),
        (Kind::Jigsaw, [8; 4]),
    ] {
        assert_eq!([6, 8, 9, 16].map(|side| order(kind, side)), orders, "{kind}");
    }
    assert_eq!(order(Kind::Sudoku, 25), 2 * 120_u128.pow(12));
    assert_eq!(order(Kind::Windoku, 9), 256);
    assert_eq!(order(Kind::ColourSudoku, 9), 10_368);
    assert_eq!(order(Kind::KenKen, 3), 8);
}
