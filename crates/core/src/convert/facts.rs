//! Facts about records, such as the numbers of givens, solutions and search nodes.

use std::ops::Range;

use super::digits::push_digits;
use crate::board::BoardSet;
use crate::canon::{FoundForm, Key, Map};
use crate::formats::{Names, Text};
use crate::kernels::{Kernel, ROW9, SimdTask};
use crate::solve::{Grade, UNDECIDED};

/// Which facts are wanted about each record. This may get more fields: create it with `..Default::default()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// The number of givens.
    pub givens: bool,
    /// Whether the givens are symmetric.
    pub symmetric: bool,
    /// The number of solutions, and the nodes of the search.
    pub search: bool,
    /// The grade, in kinds with a ladder (docs/GRADE.md).
    pub grade: bool,
    /// The only solution, or that of the replacement if there is a
    /// [`Conversion::canonical`](super::Conversion::canonical).
    pub solution: bool,
    /// The title, as far as the string says it.
    pub title: bool,
    /// The author, as far as the string says it.
    pub author: bool,
    /// With canonical forms: the map to the replacement.
    pub map: bool,
    /// With canonical forms: the number of automorphisms.
    pub automorphisms: bool,
    /// With canonical forms: the key of the replacement.
    pub key: bool,
}

impl Facts {
    /// Whether solutions are needed.
    pub(super) fn ask_solver(self) -> bool {
        self.search || self.solution
    }

    /// Whether the solver is needed only for boards with a grade.
    pub(super) fn ask_only_for_grades(self) -> bool {
        self.grade && !self.ask_solver()
    }
}

/// The facts about a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RecordFacts {
    /// The number of givens.
    pub clues: u16,
    /// Whether the cells with givens are symmetric under half a turn, if the plan asks for it.
    pub symmetric: bool,
    /// The number of solutions, up to [`Checks::max_solutions`](super::Checks::max_solutions), if the search was
    /// completed.
    pub solutions: Option<u32>,
    /// The nodes of a complete search: see [`SolutionCount::nodes`](crate::solve::SolutionCount::nodes).
    pub nodes: Option<u32>,
    /// The grade, if there is one.
    pub grade: Option<Grade>,
}

/// The positions of a record's textual facts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RecordTexts {
    /// The start and end of the only solution, and likewise for the others.
    pub(super) solution: (usize, usize),
    pub(super) map: (usize, usize),
    pub(super) automorphisms: (usize, usize),
    pub(super) title: (usize, usize),
    pub(super) author: (usize, usize),
    /// Whether nothing is missing of the title, and of the author.
    pub(super) whole_names: [bool; 2],
}

/// The facts about the records of a call, as far as they are known.
#[derive(Debug, Default)]
pub(super) struct FactMemory {
    pub(super) by_record: Vec<RecordFacts>,
    /// Where textual facts are in `text`.
    texts: Vec<RecordTexts>,
    /// Keys, and where each begins as text.
    pub(super) keys: Vec<(Option<Key>, usize)>,
    text: Text,
}

impl FactMemory {
    /// Removes all facts and keeps their memory.
    pub(super) fn clear(&mut self) {
        let Self { by_record, texts, keys, text } = self;
        by_record.clear();
        texts.clear();
        keys.clear();
        text.clear();
    }

    /// A textual fact about a record; empty if it is not known.
    #[inline]
    pub(super) fn text(&self, record: usize, place: impl Fn(&RecordTexts) -> (usize, usize)) -> &[u8] {
        let (start, end) = self.texts.get(record).map_or((0, 0), place);
        &self.text.as_slice()[start..end]
    }

    /// The key of a record as text; empty if it has none.
    #[inline]
    pub(super) fn key_text(&self, record: usize) -> &[u8] {
        match self.keys.get(record) {
            Some(&(Some(_), start)) => &self.text.as_slice()[start..start + 32],
            _ => b"",
        }
    }

    /// Records that each of these records has one solution, with the nodes of their searches if known.
    pub(super) fn keep_unique(&mut self, records: Range<usize>, nodes: &[u32]) {
        if self.by_record.len() < records.end {
            self.by_record.resize(records.end, RecordFacts::default());
        }
        let facts = &mut self.by_record[records];
        facts.iter_mut().for_each(|facts| facts.solutions = Some(1));
        facts.iter_mut().zip(nodes).for_each(|(facts, &nodes)| facts.nodes = Some(nodes));
    }

    /// Records the grades of records, of which there are some.
    pub(super) fn keep_grades(&mut self, first: usize, grades: &[Option<Grade>]) {
        let end = first + grades.len();
        if self.by_record.len() < end {
            self.by_record.resize(end, RecordFacts::default());
        }
        self.by_record[first..end].iter_mut().zip(grades).for_each(|(facts, &grade)| facts.grade = grade);
    }

    /// Records the result of the search for a record: the number of solutions, and the nodes.
    #[inline]
    pub(super) fn keep_answer(&mut self, record: usize, count: u32, nodes: Option<u32>) {
        let facts = at_mut(&mut self.by_record, record);
        (facts.solutions, facts.nodes) = (Some(count).filter(|&count| count != UNDECIDED), nodes);
    }

    /// Records the only solution of a record.
    #[inline]
    pub(super) fn keep_solution(&mut self, record: usize, solution: &[u8], kernel: &Kernel) {
        let start = self.text.len();
        push_digits(solution, kernel, &mut self.text);
        self.texts_mut(record).solution = (start, self.text.len());
    }

    /// Records the title of a record, its author, or both, and returns how many bytes they take.
    pub(super) fn keep_names(&mut self, record: usize, names: &Names, [title, author]: [bool; 2]) -> usize {
        let start = self.text.len();
        if title {
            let place = self.push_fact(names.title.text.as_bytes());
            self.texts_mut(record).title = place;
        }
        if author {
            let place = self.push_fact(names.author.text.as_bytes());
            self.texts_mut(record).author = place;
        }
        self.texts_mut(record).whole_names = [title && names.title.is_whole(), author && names.author.is_whole()];
        self.text.len() - start
    }

    /// Whether the title and the author of a record are recorded, and nothing is missing of them.
    pub(super) fn whole_names(&self, record: usize) -> [bool; 2] {
        self.texts.get(record).map_or([false; 2], |texts| texts.whole_names)
    }

    /// Records the map from a record's board to its replacement.
    pub(super) fn keep_map(&mut self, record: usize, map: &Map) {
        let place = self.push_fact(map.to_string().as_bytes());
        self.texts_mut(record).map = place;
    }

    /// Records the numbers of automorphisms of a record.
    pub(super) fn keep_automorphisms(&mut self, record: usize, found: &FoundForm) {
        let of_grid = found.grid_automorphisms.map_or(String::new(), |grids| format!("/{grids}"));
        let place = self.push_fact(format!("{}{of_grid}", found.automorphisms).as_bytes());
        self.texts_mut(record).automorphisms = place;
    }

    /// Records the key of a record's replacement.
    pub(super) fn keep_key(&mut self, record: usize, key: Key) {
        *at_mut(&mut self.keys, record) = (Some(key), self.text.len());
        self.text.push(&key.hex());
    }

    /// Keeps the keys of the records from `first` on. Keys of earlier records must have been kept before.
    pub(super) fn keep_keys(&mut self, first: usize, keys: &[Key], texts: &[[u8; 32]]) {
        let start = self.text.len();
        self.text.push(texts.as_flattened());
        self.keys.resize(first, (None, 0));
        self.keys.extend(keys.iter().zip((start..).step_by(32)).map(|(&key, start)| (Some(key), start)));
    }

    fn push_fact(&mut self, text: &[u8]) -> (usize, usize) {
        let start = self.text.len();
        self.text.push(text);
        (start, self.text.len())
    }

    fn texts_mut(&mut self, record: usize) -> &mut RecordTexts {
        at_mut(&mut self.texts, record)
    }
}

/// The entry of a record, which is created if there is none.
#[inline]
fn at_mut<T: Clone + Default>(of: &mut Vec<T>, record: usize) -> &mut T {
    if of.len() <= record {
        of.resize(record + 1, T::default());
    }
    &mut of[record]
}

/// Counts the givens of boards and, if `asked`, finds out whether they are symmetric.
pub(super) fn find_givens(boards: BoardSet<'_>, asked: bool, kernel: &Kernel, facts: &mut [RecordFacts]) {
    let BoardSet { batch, boards: good, all_given } = boards;
    let (shape, codes) = (batch.shape(), batch.shape().codes());
    // The codes of givens are one range, apart from the black cell without a digit in it.
    let limit = if all_given { codes.candidates_base() } else { codes.solved_base() };
    let black = if shape.kind.has_black() { codes.black_empty() } else { u32::MAX };
    let (stride, cells) = (shape.stride(), shape.side.cells());
    match shape.side.is_small() {
        true => {
            let (limit, black) = (limit as u16, black as u16);
            let is_given = |code: u16| (code.wrapping_sub(1) < limit) & (code != black);
            kernel.run(CountGivens { codes: batch.codes16(), stride, cells, good, is_given, asked, facts });
        }
        false => {
            let is_given = |code: u32| (code.wrapping_sub(1) < limit) & (code != black);
            kernel.run(CountGivens { codes: batch.codes32(), stride, cells, good, is_given, asked, facts });
        }
    }
}

struct CountGivens<'a, T, F> {
    codes: &'a [T],
    stride: usize,
    cells: usize,
    good: u64,
    is_given: F,
    asked: bool,
    facts: &'a mut [RecordFacts],
}

impl<T: Copy, F: Fn(T) -> bool> SimdTask for CountGivens<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { codes, stride, cells, good, is_given, asked, facts } = self;
        for (i, (row, facts)) in codes.chunks_exact(stride).zip(facts).enumerate() {
            if good >> i & 1 == 0 {
                continue;
            }
            // Most rows have a length that is a constant here.
            facts.clues = match row.first_chunk::<ROW9>() {
                Some(row) if cells == INSIDE9 => count9(row, &is_given),
                _ => count(&row[..cells], &is_given),
            };
            let row = &row[..cells];
            facts.symmetric = asked && {
                let mut differ = false;
                for (&one, &other) in row.iter().zip(row.iter().rev()) {
                    differ |= is_given(one) != is_given(other);
                }
                !differ
            };
        }
    }
}

/// The number of cells of a board of side 9. The codes after them in a row are unspecified.
const INSIDE9: usize = 81;

/// The same as [`count`], in whole vectors.
#[inline(always)]
fn count9<T: Copy>(codes: &[T; ROW9], is_given: impl Fn(T) -> bool) -> u16 {
    let mut clues = 0;
    for (cell, &code) in codes.iter().enumerate() {
        clues += u16::from(is_given(code) & (cell < INSIDE9));
    }
    clues
}

/// The number of givens among some codes.
#[inline(always)]
fn count<T: Copy>(codes: &[T], is_given: impl Fn(T) -> bool) -> u16 {
    let mut clues = 0;
    for &code in codes {
        clues += u16::from(is_given(code));
    }
    clues
}
