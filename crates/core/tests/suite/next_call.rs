//! Calls of the converter whose puzzles are solved beside those of the next call: the results are those of each call
//! alone.

use gridmill_core::Refusal;
use gridmill_core::board::{Kind, Shape, Side};
use gridmill_core::convert::{CheckLevel, Checks, Conversion, Converter, Emit};
use gridmill_core::formats::{Evidence, Format, write_one};
use gridmill_core::kernels;
use gridmill_core::make::Mix;

use crate::puzzles::grids;
use crate::random::made;
use crate::uncount::Strings;

/// The strings of a call, each with a solution. These are among the strings, after the records.
struct Call {
    strings: Strings,
    solutions: Vec<u32>,
}

impl Call {
    fn new(records: &[(String, &str)]) -> Self {
        let solutions = records.iter().map(|&(_, solution)| solution);
        let strings = records.iter().map(|(record, _)| &**record).chain(solutions.clone());
        let mut end: usize = records.iter().map(|(record, _)| record.len()).sum();
        let start = |solution: &str| {
            end += solution.len();
            (end - solution.len()) as u32
        };
        Self { strings: Strings::of(strings.map(str::as_bytes)), solutions: solutions.map(start).collect() }
    }

    fn add_to(&self, converter: &mut Converter) {
        converter.begin();
        converter.give_solutions(self.solutions.iter().map(|&start| start..start + 81));
        converter.add(self.strings.records().slice(0..self.solutions.len()), &Evidence::default());
    }

    fn finish(&self, converter: &mut Converter, next: Option<&mut Converter>) -> Vec<Refusal> {
        let records = self.strings.records().slice(0..self.solutions.len());
        converter.finish_beside(records, next).expect("the results are small").refused.clone()
    }
}

#[test]
fn wrong_solutions_are_compared_with_the_only_ones() {
    let grid = grids(Kind::Sudoku, 5)[0].map(|digit| digit + b'0');
    let right = str::from_utf8(&grid).expect("digits");
    // Obeys all rules, but contradicts the givens.
    let wrong = &right.replace('1', "x").replace('2', "1").replace('x', "2");
    let puzzle = |skipped: usize| {
        let mut puzzle = grid;
        (0..9).for_each(|row| puzzle[row * 9 + (row + skipped) % 9] = b'.');
        String::from_utf8(puzzle.to_vec()).expect("digits")
    };
    let boards = made(Shape::new(Kind::Sudoku, Side::NINE), Mix::Progress, false, 3).expect("boards");
    let progress = (0..9).map(|board| write_one(&boards, board, Format::V2).expect("a v2 string"));
    // The first two calls do not need solutions, except for the one that will be compared.
    let calls = [
        Call::new(&[(puzzle(0), right)]),
        Call::new(&(0..100).map(|i| (puzzle(i), if i == 7 { &**wrong } else { right })).collect::<Vec<_>>()),
        Call::new(&progress.map(|board| (board, right)).collect::<Vec<_>>()),
    ];
    let checks = Checks { level: CheckLevel::Unique, ..Checks::default() };
    let plan = Conversion { checks, emit: Emit::Nothing, given_solutions: true, ..Conversion::default() };
    for kernel in kernels::available() {
        let [mut alone, mut current, mut next] = std::array::from_fn(|_| Converter::new(plan, kernel));
        calls[0].add_to(&mut current);
        for (i, call) in calls.iter().enumerate() {
            call.add_to(&mut alone);
            let expected = call.finish(&mut alone, None);
            let after = calls.get(i + 1).inspect(|after| after.add_to(&mut next));
            let found = call.finish(&mut current, after.is_some().then_some(&mut next));
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{}, call {i}", kernel.name);
            assert_eq!(found.is_empty(), i == 0);
            current.hand_over(&mut next);
            std::mem::swap(&mut current, &mut next);
        }
    }
}
