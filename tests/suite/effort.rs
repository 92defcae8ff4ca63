//! Search effort is counted for each puzzle alone: neither other puzzles nor the kernel, the number of threads or the
//! chunks affect the result.

use std::collections::{HashMap, HashSet};

use gridmill::board::{Batch, Groups, Kind, Shape, Side};
use gridmill::engine::{Bad, CheckLevel, Checks, Conversion, Emit};
use gridmill::formats::{Format, write_one};
use gridmill::kernels::{self, SCALAR};
use gridmill::make::Mix;
use gridmill::solve::{BatchSolver, UNDECIDED};

use crate::model::{How, engine};
use crate::puzzles::{Grid, KINDS, counts, puzzles};
use crate::random::{Rng, made, often};

const EFFORTS: [u32; 7] = [1, 2, 7, 40, 300, 2_000, 5_000];

/// Puzzles of all sorts, including nearly empty ones with solutions everywhere.
fn of_all_sorts(kind: Kind) -> Vec<Grid> {
    let mut puzzles = puzzles(kind, 130, 6);
    let rng = &mut Rng(6);
    for clues in 0..12 {
        let mut puzzle = [b'.'; 81];
        (0..clues).for_each(|_| puzzle[rng.below(81)] = b'1' + rng.below(9) as u8);
        puzzles.push(puzzle);
    }
    puzzles
}

#[test]
fn a_puzzle_is_counted_as_if_it_were_alone() {
    for kind in KINDS {
        let puzzles = of_all_sorts(kind);
        let twice: Vec<Grid> = puzzles.iter().flat_map(|puzzle| [*puzzle, *puzzle]).collect();
        let mut order: Vec<usize> = (0..700).map(|i| i % puzzles.len()).collect();
        Rng(9).shuffle(&mut order);
        let among_others: Vec<Grid> = order.iter().map(|&i| puzzles[i]).collect();
        let mut answers = HashSet::<u32>::new();
        for (effort, limit) in EFFORTS.into_iter().zip([2, 2, 2, 30, 2, 2, 50]) {
            let mut one = BatchSolver::new(kind, &SCALAR).unwrap().budget(effort).with_nodes();
            let (mut alone, mut nodes) = (Vec::new(), Vec::new());
            for puzzle in &puzzles {
                alone.extend(counts(&mut one, &[*puzzle], limit));
                nodes.extend(one.searched_nodes());
            }
            let whole =
                alone.iter().zip(&nodes).all(|(&count, &nodes)| (count < limit) == (1..=effort).contains(&nodes));
            assert!(whole && nodes.len() == puzzles.len(), "{kind} {effort}");
            answers.extend(&alone);
            for kernel in kernels::available() {
                let at = format!("{kind} {} {effort}", kernel.name);
                let mut solver = BatchSolver::new(kind, kernel).unwrap().budget(effort).with_nodes();
                assert_eq!(counts(&mut solver, &puzzles, limit), alone, "{at}");
                assert_eq!(solver.searched_nodes(), nodes, "{at}");
                let found = counts(&mut solver, &twice, limit);
                assert!(found.chunks_exact(2).zip(&alone).all(|(two, one)| two == [*one; 2]), "{at}, twice");
                let found = counts(&mut solver, &among_others, limit);
                assert!(found.iter().zip(&order).all(|(found, &i)| *found == alone[i]), "{at}, among others");
                assert!(
                    solver.searched_nodes().iter().zip(&order).all(|(found, &i)| *found == nodes[i]),
                    "{at}, among others"
                );
            }
        }
        assert!([0, 1, 2, 50, UNDECIDED].iter().all(|count| answers.contains(count)), "{kind} {answers:?}");
    }
}

#[test]
fn nodes_that_are_counted_late_are_counted() {
    // The solver counts nodes per puzzle only once it has searched many in all. Some of these puzzles reach that number
    // alone, the others only together. They have 11,000 to 94,000 nodes each, and no solution.
    let puzzles = [0, 18, 27, 32, 38, 64, 77].map(|cell| {
        let mut puzzle = *b".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
        (puzzle[cell], puzzle[(cell * 5 + 40) % 81]) = (b'9', b'7');
        puzzle
    });
    let expected = [0, 0, UNDECIDED, 0, 0, UNDECIDED, 0];
    for kernel in kernels::available() {
        let mut solver = BatchSolver::new(Kind::Sudoku, kernel).unwrap().budget(1 << 16);
        let alone = puzzles.map(|puzzle| counts(&mut solver, &[puzzle], 2)[0]);
        assert_eq!(alone, expected, "{}", kernel.name);
        // Enough of them to be solved in the widest block of this kernel.
        let together: Vec<Grid> = puzzles.into_iter().chain([[b'1'; 81]; 500]).collect();
        assert_eq!(counts(&mut solver, &together, 2)[..7], expected, "{}", kernel.name);
    }
}

#[test]
fn more_effort_only_decides_more() {
    for kind in KINDS {
        let puzzles = of_all_sorts(kind);
        let mut before = vec![UNDECIDED; puzzles.len()];
        let mut undecided = before.len();
        for effort in EFFORTS.into_iter().chain([200_000]) {
            let mut solver = BatchSolver::new(kind, kernels::best()).unwrap().budget(effort);
            let found = counts(&mut solver, &puzzles, 2);
            assert!(found.iter().zip(&before).all(|(now, before)| now == before || *before == UNDECIDED), "{kind}");
            let left = found.iter().filter(|count| **count == UNDECIDED).count();
            assert!(left <= undecided);
            (before, undecided) = (found, left);
        }
        assert_eq!(undecided, 0, "{kind}");
    }
}

/// A board as a wolfram string with a group that its kind does not have, so that another solver is used.
fn with_a_group(batch: &Batch, board: usize) -> String {
    let mut one = Batch::new();
    one.reset(batch.shape(), 1);
    one.copy_board(0, batch, board);
    let skew = std::array::from_fn(|i| (i * 9 + i * 2 % 9) as u8);
    *one.groups_mut(0) = Groups { outlined: vec![skew], ..Groups::default() };
    write_one(&one, 0, Format::Wolfram).expect("a wolfram string")
}

/// Records of many kinds: with one solution, several or none, and some that take long.
fn records() -> Vec<String> {
    let nine = |kind| Shape::new(kind, Side::NINE);
    let mut records = vec![vec!["511"; 81].join(","), "0".repeat(81), "S9B".to_string() + &"08".repeat(81)];
    for kind in [Kind::Sudoku, Kind::SudokuX, Kind::Jigsaw, Kind::Killer, Kind::Str8ts] {
        let [batch, clues] = [Mix::Progress, Mix::Clues].map(|mix| made(nine(kind), mix, false, 3).expect("boards"));
        records.extend((0..12).map(|board| write_one(&batch, board, Format::V2).expect("a v2 string")));
        if kind == Kind::Sudoku {
            records.extend((0..8).map(|board| write_one(&clues, board, Format::Wolfram).expect("a wolfram string")));
            records.extend((8..16).map(|board| with_a_group(&clues, board)));
        }
    }
    records.extend(of_all_sorts(Kind::Sudoku).into_iter().filter_map(|puzzle| {
        let digits = puzzle.map(|byte| if byte.is_ascii_digit() { byte } else { b'0' });
        String::from_utf8(digits.to_vec()).ok()
    }));
    records
}

/// The rejects for some records: cell, code and message.
fn said(plan: Conversion, records: &[&str], how: How) -> Vec<Option<String>> {
    let found = engine(plan, &[records.iter().flat_map(|record| [record, "\n"]).collect::<String>().into_bytes()], how);
    let mut said = vec![None; records.len()];
    for row in found.rejects.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let line: usize = columns[1].parse().expect("a line");
        assert_eq!(said[line - 1].replace(columns[3..6].join(" ")), None, "one row a record");
    }
    said
}

#[test]
fn what_is_said_of_a_record_depends_on_it_alone() {
    let records = records();
    let rng = &mut Rng(17);
    for effort in [1, 60, 2_000] {
        let checks = Checks { level: CheckLevel::Unique, effort, ..Checks::default() };
        let plan = Conversion { checks, bad: Bad::Reject, ..Conversion::default() };
        let one = How { chunk: 1 << 20, threads: 1, way: 3, zstd: false, kernel: 0 };
        let alone: HashMap<&str, Option<String>> =
            records.iter().map(|record| (&**record, said(plan, &[record], one).remove(0))).collect();
        assert!(effort > 60 || alone.values().flatten().any(|said| said.contains("undecided")));
        assert!(effort == 1 || alone.values().flatten().any(|said| said.contains("many-solutions")));
        for kernel in 0..kernels::available().len() {
            for threads in 1..=3 {
                let mut some: Vec<&str> = records.iter().chain(&records).map(String::as_str).collect();
                rng.shuffle(&mut some);
                let (chunk, way) = (*rng.pick(&[1, 1000, 20_000, 1 << 20]), *rng.pick(&[0, 1, 3]));
                let how = How { chunk, threads, way, zstd: false, kernel };
                for (record, said) in some.iter().zip(said(plan, &some, how)) {
                    assert_eq!(&said, &alone[record], "{record}, effort {effort}");
                }
            }
        }
    }
}

#[test]
fn puzzles_of_which_too_much_is_to_be_said_at_once_are_answered_in_parts() {
    // Some of each sort. There are so many with several solutions that a chunk of them ends early more than once.
    let puzzles: Vec<String> = records().into_iter().filter(|record| record.len() == 81).collect();
    let rng = &mut Rng(18);
    let many: Vec<&str> = (0..14_000).map(|_| rng.pick(&puzzles).as_str()).collect();
    let checks = Checks { level: CheckLevel::Unique, effort: 60, ..Checks::default() };
    for emit in [Emit::AsTheyAre, Emit::Solution] {
        let plan = Conversion { checks, emit, bad: Bad::Reject, ..Conversion::default() };
        let how = |chunk| How { chunk, threads: 1, way: if chunk < 1 << 20 { 0 } else { 3 }, zstd: false, kernel: 0 };
        let text = || [many.iter().flat_map(|record| [record, "\n"]).collect::<String>().into_bytes()];
        let [small, large] = [20_000, 4 << 20].map(|chunk| engine(plan, &text(), how(chunk)));
        assert!(small.rejects == large.rejects && small.output == large.output);
        assert!(small.rejects.lines().count() > 7_000);
        // Chunks that end early although the next one has been read ahead.
        let several = [text().concat().repeat(3)];
        let [ahead, stream] = [0, 3].map(|way| engine(plan, &several, How { way, ..how(900_000) }));
        assert!(ahead == stream);
    }
}

#[test]
fn puzzles_of_the_next_chunk_in_the_same_block_make_no_difference() {
    // Files are read ahead, so that puzzles of two chunks are solved together; streams are not.
    let rng = &mut Rng(19);
    let mut records = records();
    for kind in [Kind::Windoku, Kind::SudokuX] {
        let batch = made(Shape::new(kind, Side::NINE), Mix::Clues, false, 4).expect("boards");
        records.extend((0..20).map(|board| write_one(&batch, board, Format::V2).expect("a v2 string")));
    }
    let records: Vec<&str> = (0..often(800, 2_500)).map(|_| rng.pick(&records).as_str()).collect();
    // In a run of one kind, only some of the puzzles need solutions.
    let sudokus = records.iter().filter(|record| record.len() == 81 || record.starts_with("S9B")).copied().collect();
    let checks = Checks { level: CheckLevel::Unique, effort: 300, ..Checks::default() };
    let plain = Conversion { checks, bad: Bad::Reject, ..Conversion::default() };
    let plans = [
        plain,
        Conversion { emit: Emit::Solution, ..plain },
        Conversion { emit: Emit::Encoded, bad: Bad::Keep, ..plain },
        Conversion { checks: Checks { max_solutions: 20, all: true, ..checks }, ..plain },
        Conversion { bad: Bad::Stop, ..plain },
    ];
    for records in [records, sudokus] {
        let text = [records.iter().flat_map(|record| [record, "\n"]).collect::<String>().into_bytes()];
        for plan in plans {
            let streamed = engine(plan, &text, How { chunk: 1 << 20, threads: 1, way: 3, zstd: false, kernel: 0 });
            for kernel in 0..kernels::available().len() {
                let chunk = *rng.pick(&[200, 5_000, 30_000, 70_000]);
                let how = How { chunk, threads: 1 + rng.below(3), way: rng.below(2), zstd: false, kernel };
                let found = engine(plan, &text, how);
                assert!(found.rejects == streamed.rejects, "{plan:?} {how:?}");
                // A puzzle with several solutions has no particular one of them.
                assert!(found == streamed, "{plan:?} {how:?}");
            }
        }
    }
}
