//! Finds least forms of the kinds whose cells may only be rotated and mirrored (the dihedral group): those with
//! regions, cages or black cells.
//!
//! The up to eight images are compared field by field, and only as far as they are equal: most drop out after a few
//! cells.

use std::cmp::Ordering;
use std::hint::select_unpredictable;

use super::arrangement::{CELLS, MAX_SIDE};
use super::form::FoundForm;
use super::groups::{self, renames};
use super::map::Map;
use super::puzzle::Puzzle;
use crate::board::Shape;

/// The largest number of images of a layout.
const IMAGES: usize = 8;

/// The number of first cells of all images that are compared together.
const HEAD: usize = 8;

/// The search, with its memory.
pub(super) struct DihedralSearch {
    shape: Option<Shape>,
    /// For each element of the group, the cells of the original in the order of the image.
    sources: Vec<Vec<u16>>,
    /// The images that are least in the fields compared so far.
    images: Vec<PuzzleImage>,
    scratch: Vec<PuzzleImage>,
    numbers: Box<[FirstSeen; 2]>,
}

impl Default for DihedralSearch {
    fn default() -> Self {
        let numbers = Box::new([FirstSeen::EMPTY; 2]);
        Self { shape: None, sources: Vec::new(), images: Vec::new(), scratch: Vec::new(), numbers }
    }
}

/// The image of the puzzle under an element of the group, with its digits complemented or not.
#[derive(Clone, Copy)]
struct PuzzleImage {
    element: usize,
    complement: bool,
}

/// Numbers items in the order of their first appearance.
#[derive(Clone, Copy)]
struct FirstSeen {
    /// For each item, `time` plus its number if it was seen since the last [`FirstSeen::clear`].
    of: [u32; CELLS],
    time: u32,
    last: u32,
}

impl FirstSeen {
    const EMPTY: Self = Self { of: [0; CELLS], time: 0, last: 0 };

    /// Forgets all numbers.
    #[inline(always)]
    fn clear(&mut self) {
        const ONCE: u32 = 1 << 16;
        if self.time >= u32::MAX - ONCE {
            *self = Self::EMPTY;
        }
        self.time += ONCE;
        self.last = 0;
    }

    /// Returns the number of an item, and whether it is new.
    #[inline(always)]
    fn number(&mut self, item: usize) -> (u32, bool) {
        let known = self.of[item];
        let is_new = known < self.time;
        self.last += u32::from(is_new);
        let number = select_unpredictable(is_new, self.last, known.wrapping_sub(self.time));
        self.of[item] = self.time + number;
        (number, is_new)
    }
}

impl DihedralSearch {
    /// Finds a map to the least form of a puzzle, and the number of cell permutations that give it. With a solution,
    /// this is the `solution` form.
    pub(super) fn least(&mut self, puzzle: &Puzzle, solution: Option<&[u8]>) -> FoundForm {
        let (shape, n) = (puzzle.shape, puzzle.side());
        let list = groups::list(shape.kind, shape.side);
        if self.shape != Some(shape) {
            self.shape = Some(shape);
            self.sources = list.iter().map(|cells| cells.sources(n)).collect();
        }
        self.images.clear();
        self.images.extend((0..list.len()).map(|element| PuzzleImage { element, complement: false }));
        if shape.kind.has_black() {
            self.keep_least(|_, [a, b]| compare(a, b, |cell| puzzle.black[cell]));
        }
        if shape.kind.has_regions() {
            self.keep_least_numbered(|cell| puzzle.regions[cell].into());
        }
        if shape.kind.has_cages() {
            self.keep_least_numbered(|cell| puzzle.cages[cell]);
        }
        if puzzle.complements {
            let with = |image: PuzzleImage| [image, PuzzleImage { complement: true, ..image }];
            self.scratch.clear();
            self.scratch.extend(self.images.iter().copied().flat_map(with));
            std::mem::swap(&mut self.images, &mut self.scratch);
        }
        if shape.kind.has_cages() && self.images.len() > 1 {
            self.keep_least_contents(puzzle);
        }
        let renames = renames(shape.kind);
        let mut grid_automorphisms = None;
        if let Some(solution) = solution {
            match renames {
                true => {
                    self.keep_least(|numbers, [a, b]| compare_numbers(numbers, a, b, |cell| solution[cell].into()));
                }
                false => self.keep_least_digits(n, solution),
            }
            grid_automorphisms = Some(self.elements());
        }
        match (renames, solution) {
            (false, _) => self.keep_least_digits(n, &puzzle.clues),
            (true, None) => {
                self.keep_least(|numbers, [a, b]| compare_named(numbers, a, b, None, &puzzle.clues));
            }
            (true, Some(solution)) => {
                self.keep_least(|numbers, [a, b]| compare_named(numbers, a, b, Some(solution), &puzzle.clues));
            }
        }
        let Some(&first) = self.images.first() else {
            return FoundForm { map: Map::identity(shape.side), automorphisms: 0, grid_automorphisms };
        };
        let map = Map { side: n as u8, cells: list[first.element], digits: self.names(first, puzzle, solution) };
        FoundForm { map, automorphisms: self.elements(), grid_automorphisms }
    }

    /// Keeps the images that are least in a field whose values are numbered by first appearance.
    #[inline(always)]
    fn keep_least_numbered(&mut self, field: impl Fn(usize) -> u16) {
        self.keep_least_heads(&field);
        self.keep_least(|numbers, [a, b]| compare_numbers(numbers, a, b, |cell| field(cell).into()));
    }

    /// Does the same with only the first cells of all images in parallel: most images drop out here, and no branch
    /// depends on which.
    #[inline(always)]
    fn keep_least_heads(&mut self, field: impl Fn(usize) -> u16) {
        if self.images.len() < 2 {
            return;
        }
        // Indexed by place and image. The first place of a value sorts in the same way as its number would.
        let mut names = [[0; IMAGES]; HEAD];
        for (i, image) in self.images.iter().enumerate().take(IMAGES) {
            let cells = self.sources[image.element].iter();
            names.iter_mut().zip(cells).for_each(|(names, &cell)| names[i] = field(cell.into()));
        }
        let mut heads = [0_u32; IMAGES];
        for place in 0..HEAD {
            let mut first = [place as u16; IMAGES];
            for before in (0..place).rev() {
                for i in 0..IMAGES {
                    first[i] = if names[before][i] == names[place][i] { before as u16 } else { first[i] };
                }
            }
            heads.iter_mut().zip(first).for_each(|(head, first)| *head = *head << 4 | u32::from(first));
        }
        let heads = &heads[..self.images.len()];
        let least = heads.iter().fold(u32::MAX, |least, &head| least.min(head));
        let mut kept = 0;
        for (i, &head) in heads.iter().enumerate() {
            self.images[kept] = self.images[i];
            kept += usize::from(head == least);
        }
        self.images.truncate(kept);
    }

    /// Keeps the images that are least by a comparison of two images' sources; it gets memory for numbers.
    #[inline(always)]
    fn keep_least(&mut self, mut compare: impl FnMut(&mut [FirstSeen; 2], [&[u16]; 2]) -> Ordering) {
        self.keep_least_images(|numbers, sources, a, b| compare(numbers, [&sources[a.element], &sources[b.element]]));
    }

    #[inline(always)]
    fn keep_least_images(
        &mut self,
        mut compare: impl FnMut(&mut [FirstSeen; 2], &[Vec<u16>], PuzzleImage, PuzzleImage) -> Ordering,
    ) {
        if self.images.len() < 2 {
            return;
        }
        let mut kept = 1;
        for i in 1..self.images.len() {
            let image = self.images[i];
            match compare(&mut self.numbers, &self.sources, image, self.images[0]) {
                Ordering::Less => kept = 0,
                Ordering::Equal => {}
                Ordering::Greater => continue,
            }
            self.images[kept] = image;
            kept += 1;
        }
        self.images.truncate(kept);
    }

    /// Compares the contents of cages: operators and clues, in the order of the cages' first cells.
    fn keep_least_contents(&mut self, puzzle: &Puzzle) {
        let n = puzzle.side();
        self.keep_least_images(|numbers, sources, a, b| {
            numbers.iter_mut().for_each(FirstSeen::clear);
            let [seen, other_seen] = numbers;
            let content = |cell: u16, image: PuzzleImage, seen: &mut FirstSeen| {
                let cage = usize::from(puzzle.cages[usize::from(cell)]);
                let content = puzzle.contents[cage];
                let clue = if image.complement { content.complemented(n) as u16 } else { content.clue };
                seen.number(cage).1.then_some((content.operator, clue))
            };
            // The cages of the images have the same positions, so new cages come at the same places.
            let cells = sources[a.element].iter().zip(&sources[b.element]);
            let mut orders = cells.map(|(&cell, &other)| content(cell, a, seen).cmp(&content(other, b, other_seen)));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
    }

    /// Compares digits that keep their names or are complemented.
    fn keep_least_digits(&mut self, n: usize, digits: &[u8]) {
        self.keep_least_images(|_, sources, a, b| {
            let name = |cell: u16, image: PuzzleImage| {
                let digit = digits[usize::from(cell)];
                if image.complement && digit != 0 { n as u8 + 1 - digit } else { digit }
            };
            let cells = sources[a.element].iter().zip(&sources[b.element]);
            let mut orders = cells.map(|(&cell, &other)| name(cell, a).cmp(&name(other, b)));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
    }

    /// Returns the number of group elements among the images.
    fn elements(&self) -> u64 {
        self.images.chunk_by(|a, b| a.element == b.element).count() as u64
    }

    /// Returns the new names of all digits; digits that do not occur get the remaining names in ascending order.
    fn names(&self, image: PuzzleImage, puzzle: &Puzzle, solution: Option<&[u8]>) -> [u8; MAX_SIDE] {
        let n = puzzle.side();
        let mut names = [0; MAX_SIDE];
        if !renames(puzzle.shape.kind) {
            let name = |digit: usize| if image.complement { n + 1 - digit } else { digit };
            (1..=n).for_each(|digit| names[digit - 1] = name(digit) as u8);
            return names;
        }
        // The first place of each digit; digits that do not occur come last.
        let (digits, cells) = (solution.unwrap_or(&puzzle.clues), n * n);
        let mut first: [usize; 32] = std::array::from_fn(|digit| cells + digit);
        for (place, &cell) in self.sources[image.element].iter().enumerate().rev() {
            first[usize::from(digits[usize::from(cell)] & 31)] = place;
        }
        for digit in 1..=n {
            names[digit - 1] = first[1..=n].iter().fold(1, |name, &other| name + u8::from(other < first[digit]));
        }
        names
    }
}

/// Compares a field in the order of two images.
#[inline(always)]
fn compare(a: &[u16], b: &[u16], field: impl Fn(usize) -> u8) -> Ordering {
    let mut orders = a.iter().zip(b).map(|(&a, &b)| field(a.into()).cmp(&field(b.into())));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Compares a field whose values are numbered by first appearance.
#[inline(always)]
fn compare_numbers(numbers: &mut [FirstSeen; 2], a: &[u16], b: &[u16], field: impl Fn(usize) -> usize) -> Ordering {
    numbers.iter_mut().for_each(FirstSeen::clear);
    let [of_a, of_b] = numbers;
    let mut orders =
        a.iter().zip(b).map(|(&a, &b)| of_a.number(field(a.into())).0.cmp(&of_b.number(field(b.into())).0));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Compares clues (0 for none) whose digits are named by first appearance in the solution, or among the clues.
fn compare_named(
    numbers: &mut [FirstSeen; 2],
    a: &[u16],
    b: &[u16],
    solution: Option<&[u8]>,
    clues: &[u8],
) -> Ordering {
    for (numbers, sources) in numbers.iter_mut().zip([a, b]) {
        numbers.clear();
        for &cell in solution.iter().flat_map(|_| sources) {
            numbers.number(usize::from(solution.map_or(0, |digits| digits[usize::from(cell)])));
        }
    }
    let [of_a, of_b] = numbers;
    let name = |numbers: &mut FirstSeen, cell: u16| match clues[usize::from(cell)] {
        0 => 0,
        digit => numbers.number(digit.into()).0,
    };
    let mut orders = a.iter().zip(b).map(|(&a, &b)| name(of_a, a).cmp(&name(of_b, b)));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
