//! Canonical forms.

/// The groups, computed from the houses.
mod houses;
/// Images of boards under random elements of the groups.
mod images;
/// Forms compared with those that trying all maps gives.
mod least;

use gridmill_core::board::{BATCH, Batch, BoardSet, Cell, Kind, Shape, Side};
use gridmill_core::canon::{CanonicalForm, Canonized, Canonizer, CountedSolutions, Map};
use gridmill_core::convert::{CanonicalPlan, Canonize, Conversion, Converter, Emit, Facts};
use gridmill_core::error::{Code, Reject};
use gridmill_core::formats::{Evidence, Format, FormatLayouts, Hints, Layout, Records, write_one};
use gridmill_core::kernels::{SCALAR, available};
use gridmill_core::make::Mix;
use gridmill_core::solve::{Query, Solver};

use crate::formats::decode;
use crate::random::{Rng, made, shapes};
use crate::shared::vectors;

/// The board of a string: v2 as specified, or 81 digits.
fn read(string: &str) -> Result<Batch, Reject> {
    let hints = Hints { layouts: FormatLayouts::default().with(Format::V2, Layout::Spec), ..Hints::default() };
    let id = if string.len() == 81 { Format::Plain } else { Format::V2 };
    Ok(decode(id, &hints, string.as_bytes())?.1)
}

/// The string of a board's image under a map.
fn mapped(batch: &Batch, map: &Map) -> Result<String, Reject> {
    let mut to = Batch::new();
    to.reset(batch.shape(), 1);
    map.apply(batch, 0, false, &mut to)?;
    write_one(&to, 0, Format::V2)
}

#[test]
fn shared_vectors_have_the_same_forms_keys_and_counts_and_all_maps_hold() {
    let mut canonizer = Canonizer::new(crate::kernel());
    let mut wrong = Vec::new();
    for row in vectors("canon.tsv").unwrap_or_default() {
        let [_, form, input, _, canonical, key, automorphisms, grid, map] = &row[..] else { panic!("{row:?}") };
        let form = if form == "puzzle" { CanonicalForm::Puzzle } else { CanonicalForm::Solution };
        let batch = match read(input) {
            Ok(batch) => batch,
            Err(reject) => {
                assert_eq!(canonical, "!format", "{input}: {reject}");
                continue;
            }
        };
        let canonized = canonizer.canonize(&batch, false, form);
        let found = match canonized.found(0) {
            Ok(found) => found,
            Err(reject) if format!("!{}", reject.code) == *canonical => continue,
            Err(reject) => {
                wrong.push(format!("{input} {form:?}: {reject}, not {canonical}"));
                continue;
            }
        };
        let string = String::from_utf8_lossy(canonized.string(0));
        let grids = found.grid_automorphisms.map_or("-".into(), |grids| grids.to_string());
        let got = [string.to_string(), canonized.key(0).to_string(), found.automorphisms.to_string(), grids];
        if got.each_ref() != [canonical, key, automorphisms, grid] {
            wrong.push(format!("{input} {form:?}:\n{got:?}, not\n{:?}", [canonical, key, automorphisms, grid]));
            continue;
        }
        for map in [found.map, map.parse().expect("a map")] {
            assert_eq!(mapped(&batch, &map).as_deref(), Ok(canonical.as_str()), "{input}: {map}");
        }
        assert_eq!(found.map.to_string().parse(), Ok(found.map));
    }
    assert!(wrong.is_empty(), "{} wrong: {}", wrong.len(), wrong.join("\n"));
}

#[test]
fn empty_boards_have_all_maps_as_automorphisms() {
    let mut canonizer = Canonizer::new(crate::kernel());
    let plain = |shape: &Shape| shape.kind.is_plain() || shape.kind.has_black();
    for shape in shapes().filter(plain) {
        let mut empty = Batch::new();
        empty.reset(shape, 1);
        (0..shape.side.cells()).for_each(|cell| empty.set_cell(0, cell, Cell::Empty));
        let found = canonizer.canonize(&empty, false, CanonicalForm::Puzzle).found(0).copied();
        match found {
            Ok(found) => {
                let order = houses::structure(shape.kind, shape.side).group().order;
                assert_eq!(u128::from(found.automorphisms), order, "{shape:?}");
            }
            Err(reject) => {
                let nine_only = matches!(shape.kind, Kind::Windoku | Kind::ColourSudoku) && shape.side != Side::NINE;
                let large = shape.kind == Kind::Sudoku && shape.side.get() > 9;
                let x25 = shape.kind == Kind::SudokuX && shape.side.get() == 25;
                assert!(reject.code == Code::Unsupported && (nine_only || large || x25), "{shape:?}: {reject}");
            }
        }
    }
}

/// The only class of grids with 648 automorphisms.
const MOST_CANONICAL: &str = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

#[test]
fn solved_grids_have_one_form_with_every_kernel_in_every_batch() {
    let most = read(MOST_CANONICAL).expect("a grid");
    let found = Canonizer::new(crate::kernel()).canonize(&most, false, CanonicalForm::Solution).found(0).copied();
    assert_eq!(found.map(|found| (found.automorphisms, found.grid_automorphisms)), Ok((648, Some(648))));
    let solved = made(Shape::new(Kind::Sudoku, Side::NINE), Mix::Solved, false, 3).expect("boards");
    let mut canonizer = Canonizer::new(&SCALAR);
    let alone: Vec<String> = (0..solved.len())
        .map(|board| {
            let mut one = Batch::new();
            one.reset(solved.shape(), 1);
            one.copy_board(0, &solved, board);
            let canonized = canonizer.canonize(&one, true, CanonicalForm::Solution);
            String::from_utf8_lossy(canonized.string(0)).into_owned()
        })
        .collect();
    for kernel in available() {
        for form in [CanonicalForm::Puzzle, CanonicalForm::Solution] {
            let mut canonizer = Canonizer::new(kernel);
            let canonized = canonizer.canonize(&solved, true, form);
            for (board, alone) in alone.iter().enumerate() {
                assert_eq!(canonized.string(board), alone.as_bytes(), "{} {form:?}", kernel.name);
            }
        }
    }
}

#[test]
fn batches_together_and_solved_before_have_the_forms_of_each_by_itself() {
    let shape = |kind, side| Shape::new(kind, Side::new(side).expect("a side"));
    let shapes = [(Kind::Sudoku, 9), (Kind::Killer, 6), (Kind::Windoku, 9), (Kind::Sudoku, 9), (Kind::Str8ts, 9)];
    let batches: Vec<Batch> = (1..)
        .zip(shapes)
        .filter_map(|(seed, (kind, side))| made(shape(kind, side), Mix::Progress, false, seed))
        .collect();
    assert_eq!(batches.len(), shapes.len());
    let forms = |canonized: &Canonized, len: usize| -> Vec<_> {
        (0..len).map(|i| canonized.found(i).copied().map(|found| (found, canonized.string(i).to_vec()))).collect()
    };
    let mut alone = Canonizer::new(crate::kernel());
    let all: Vec<&Batch> = batches.iter().collect();
    for form in [CanonicalForm::Puzzle, CanonicalForm::Solution] {
        let mut together = Canonizer::new(crate::kernel());
        together.canonize_all(&all, false, form, |number, canonized| {
            let batch = &batches[number];
            let expected = forms(alone.canonize(batch, false, form), batch.len());
            assert_eq!(forms(canonized, batch.len()), expected);
            if form == CanonicalForm::Solution {
                let mut solver = Solver::new(crate::kernel());
                let (mut counts, mut solutions) = (Vec::new(), Vec::new());
                for board in 0..batch.len() {
                    let counted = solver.count(batch, board, Query::count(2, 100_000));
                    counts.push(counted.count);
                    let cells = batch.shape().side.cells();
                    solutions.extend_from_slice(counted.solution.map_or(&vec![0; cells], |digits| &digits[..cells]));
                }
                let boards = BoardSet { batch, boards: u64::MAX, all_given: false };
                let answers = CountedSolutions { counts: &counts, solutions: &solutions };
                let found = forms(alone.canonize_answered(boards, Some(form), answers), batch.len());
                assert_eq!(found, expected);
            }
        });
    }
}

#[test]
fn converted_sudokus_have_the_strings_and_keys_of_their_boards() {
    let mut rng = Rng(17);
    let (mut text, mut alone) = (Vec::new(), Vec::new());
    let mut canonizer = Canonizer::new(&SCALAR);
    for seed in 0..4 {
        let grids = made(Shape::new(Kind::Sudoku, Side::NINE), Mix::Solved, false, seed).expect("boards");
        for board in 0..grids.len() {
            let mut string = String::new();
            for cell in 0..81 {
                let (Cell::Clue(digit) | Cell::Solved(digit)) = grids.cell(board, cell) else { panic!("no grid") };
                // Some of the last ones have several solutions.
                let given = !rng.once_in(if seed < 3 { 12 } else { 2 });
                string.push(char::from(b'0' + if given { digit } else { 0 }));
            }
            let one = read(&string).expect("a board");
            let canonized = canonizer.canonize(&one, true, CanonicalForm::Solution);
            let key = || (canonized.string(0).to_vec(), canonized.key(0));
            alone.push(canonized.found(0).map(|_| key()).map_err(|reject| reject.code));
            text.extend_from_slice(string.as_bytes());
        }
    }
    assert!(alone.iter().any(Result::is_err) && alone[..BATCH].iter().all(Result::is_ok));
    for (kernel, emit) in
        available().into_iter().flat_map(|k| [Emit::Encoded, Emit::Key, Emit::Nothing].map(|e| (k, e)))
    {
        let canonize = Canonize::Form(CanonicalForm::Solution);
        let canonical = Some(CanonicalPlan::new(canonize).all_given(true));
        let facts = Facts { key: true, ..Facts::default() };
        let plan = Conversion { from: Some(Format::Plain), canonical, facts, emit, ..Conversion::default() };
        let mut converter = Converter::new(plan, kernel);
        for (count, carriage_returns) in [(1, true), (17, false), (BATCH, true), (100, false), (alone.len(), true)] {
            converter.end_lines(carriage_returns);
            let line_end = if carriage_returns { "\r\n" } else { "\n" };
            let starts: Vec<u32> = (0..count as u32).map(|i| 81 * i).collect();
            let ends: Vec<u32> = starts.iter().map(|start| start + 81).collect();
            let records = Records { bytes: &text, starts: &starts, ends: &ends };
            let converted = converter.convert(records, &Evidence::default());
            for (i, expected) in alone.iter().enumerate().take(count) {
                let (string, key) = match expected {
                    Ok((string, key)) => (String::from_utf8_lossy(string), key),
                    Err(code) => {
                        assert_eq!(converted.refusal(i).map(|reject| reject.code), Some(*code));
                        continue;
                    }
                };
                let line = match emit {
                    Emit::Encoded => format!("{string}{line_end}"),
                    Emit::Key => format!("{key}{line_end}"),
                    _ => String::new(),
                };
                assert_eq!(converted.string(i), line.as_bytes(), "{} {emit:?} {i} of {count}", kernel.name);
                assert_eq!(converted.key_text(i), key.to_string().as_bytes());
                assert_eq!(converted.key(i), Some(*key));
            }
        }
    }
}

/// The forms of boards, in batches of 64 and a rest, or the codes of their refusals.
fn strings(canonizer: &mut Canonizer, batches: &[Batch], form: CanonicalForm) -> Vec<Result<Vec<u8>, Code>> {
    let mut all = Vec::new();
    canonizer.canonize_all(&batches.iter().collect::<Vec<_>>(), false, form, |_, canonized| {
        let string = |i| canonized.found(i).map(|_| canonized.string(i).to_vec()).map_err(|reject| reject.code);
        all.extend((0..canonized.batch().len()).map(string));
    });
    all
}

/// Some boards of a list, given by their indices, in batches.
fn chosen(from: &[Batch], numbers: &[usize]) -> Vec<Batch> {
    let batch = |numbers: &[usize]| {
        let mut batch = Batch::new();
        batch.reset(from[0].shape(), numbers.len());
        numbers.iter().enumerate().for_each(|(i, number)| batch.copy_board(i, &from[number / BATCH], number % BATCH));
        batch
    };
    numbers.chunks(BATCH).map(batch).collect()
}

#[test]
fn forms_do_not_depend_on_kernels_or_on_what_is_canonised_together() {
    let mut rng = Rng(5);
    let shape = |kind, side| Shape::new(kind, Side::new(side).expect("a side"));
    for (kind, side) in [(Kind::Sudoku, 9), (Kind::Killer, 9), (Kind::KenKen, 6), (Kind::Str8ts, 9), (Kind::Jigsaw, 9)]
    {
        let shape = shape(kind, side);
        let boards: Vec<Batch> = (0..5)
            .filter_map(|seed| {
                let mut batch = made(shape, if seed < 3 { Mix::Clues } else { Mix::Solved }, false, seed)?;
                // Solved boards as givens, some with a digit that clashes.
                for board in 0..batch.len() {
                    for cell in 0..shape.side.cells() {
                        if let Cell::Solved(digit) = batch.cell(board, cell) {
                            let other = if rng.once_in(500) { 1 } else { digit };
                            batch.set_cell(board, cell, Cell::Clue(other));
                        }
                    }
                }
                Some(batch)
            })
            .collect();
        let all: Vec<usize> = (0..boards.len() * BATCH).collect();
        for form in [CanonicalForm::Puzzle, CanonicalForm::Solution] {
            let alone: Vec<_> = {
                let mut canonizer = Canonizer::new(&SCALAR).effort(2000);
                all.iter().flat_map(|&i| strings(&mut canonizer, &chosen(&boards, &[i]), form)).collect()
            };
            for kernel in available() {
                let mut canonizer = Canonizer::new(kernel).effort(2000);
                for count in [1, 2, 7, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 299, 300] {
                    let numbers: Vec<usize> = (0..count).map(|_| rng.below(all.len())).collect();
                    let found = strings(&mut canonizer, &chosen(&boards, &numbers), form);
                    assert!(found.iter().eq(numbers.iter().map(|&i| &alone[i])), "{shape:?} {} {count}", kernel.name);
                }
            }
        }
    }
}
