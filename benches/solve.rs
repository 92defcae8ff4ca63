//! Measures the solver with each kernel on one core, counting up to two solutions. It reads text in memory: lists of puzzles, one per
//! line, or puzzles generated here if no lists are given. A line with any character but `.`, `0` and digits in its first 81 is a comment.
//!
//! `GRIDMILL_LISTS="easy.txt:hard.txt" cargo bench -p gridmill-benches --bench solve -- avx512` measures one kernel on two lists.
//! `GRIDMILL_WRITE=folder` only writes the generated lists of sudokus; `GRIDMILL_COUNTS=folder` also writes the count of each puzzle as
//! a character. `benches/solve.sh` compares with other solvers.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridmill::board::{Batch, Cell, Kind, Side, geometry};
use gridmill::kernels;
use gridmill::make::{Clues, Maker, MakerMemory, Mix, UniqueMaker};
use gridmill::solve::{BatchSolver, PropagationSolver, Puzzles, Query};

/// A list: its name, and lines of 81 characters and a line end.
type List = (String, Vec<u8>);

const LINE: usize = 82;

/// Puzzles in a generated list.
const PUZZLES: u64 = 65_536;

/// The lists that are named in the environment.
fn lists() -> Vec<List> {
    let paths = std::env::var("GRIDMILL_LISTS").unwrap_or_default();
    let read = |path: &str| {
        let text = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let is_cell = |&byte: &u8| byte == b'.' || byte.is_ascii_digit();
        let lines = text.split(|&byte| byte == b'\n').filter_map(|line| line.first_chunk::<81>());
        let puzzles = lines.filter(|line| line.iter().all(is_cell));
        let name = path.rsplit('/').next().unwrap_or(path).to_string();
        (name, puzzles.flat_map(|puzzle| puzzle.iter().copied().chain([b'\n'])).collect())
    };
    paths.split(':').filter(|path| !path.is_empty()).map(read).collect()
}

/// Minimal puzzles of a kind, and their solutions.
fn minimal(kind: Kind) -> Vec<([u8; 81], [u8; 81])> {
    let maker = Maker::new(kind, Side::NINE, Mix::Solved, 1).expect("a kind of side 9");
    let mut unique = UniqueMaker::new(&maker, Clues::Minimal, kernels::best()).expect("a kernel");
    let (mut batch, mut scratch, mut puzzles) = (Batch::new(), MakerMemory::default(), Vec::new());
    batch.reset(maker.shape(), 64);
    for first in (0..PUZZLES).step_by(64) {
        unique.fill(first, &mut batch, &mut scratch).expect("minimal puzzles");
        puzzles.extend((0..64).map(|board| {
            let clue = |i: usize| if let Cell::Clue(digit) = batch.cell(board, i) { b'0' + digit } else { b'.' };
            (std::array::from_fn(clue), std::array::from_fn(|i| b'0' + batch.cell(board, i).digit()))
        }));
    }
    puzzles
}

/// Whether naked and hidden singles solve a sudoku.
fn is_easy(puzzle: &[u8; 81]) -> bool {
    let houses: Vec<&[u16]> = geometry(Side::NINE).houses(Kind::Sudoku).collect();
    let mut left = puzzle.map(|byte| if byte == b'.' { 511_u16 } else { 1 << (byte - b'1') });
    loop {
        let before = left;
        for house in &houses {
            let placed =
                house.iter().map(|&i| left[usize::from(i)]).filter(|m| m.is_power_of_two()).fold(0, |a, m| a | m);
            for &i in *house {
                let mask = &mut left[usize::from(i)];
                if !mask.is_power_of_two() {
                    *mask &= !placed;
                }
            }
            for digit in (0..9).map(|digit| 1_u16 << digit).filter(|digit| placed & digit == 0) {
                let mut cells = house.iter().filter(|&&i| left[usize::from(i)] & digit != 0);
                if let (Some(&i), None) = (cells.next(), cells.next()) {
                    left[usize::from(i)] = digit;
                }
            }
        }
        if left == before {
            return left.iter().all(|mask| mask.is_power_of_two());
        }
    }
}

/// Hashes the number of a puzzle and a step to a position; adjacent numbers give distant positions.
fn anywhere(number: usize, step: usize, below: usize) -> usize {
    (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ step.wrapping_mul(0xBF58_476D_1CE4_E5B9)) % 1_000_003 % below
}

/// Lists of four sorts: puzzles that singles solve, minimal ones, minimal ones with a clue or two removed,
/// and minimal ones with a wrong clue.
fn sorts(puzzles: &[([u8; 81], [u8; 81])]) -> Vec<List> {
    let line = |puzzle: [u8; 81]| puzzle.into_iter().chain([b'\n']);
    let easy = |(number, (puzzle, solution)): (usize, &([u8; 81], [u8; 81]))| {
        let mut puzzle = *puzzle;
        let mut step = 0;
        while !is_easy(&puzzle) {
            step += 1;
            let i = anywhere(number, step, 81);
            puzzle[i] = solution[i];
        }
        line(puzzle)
    };
    let changed = |(number, (puzzle, _)): (usize, &([u8; 81], [u8; 81])), wrong: bool| {
        let mut puzzle = *puzzle;
        let clues: Vec<usize> = (0..81).filter(|&i| puzzle[i] != b'.').collect();
        let clue = &mut puzzle[clues[anywhere(number, 7, clues.len())]];
        *clue = if wrong { b'1' + (*clue - b'1' + 1 + anywhere(number, 8, 8) as u8) % 9 } else { b'.' };
        line(puzzle)
    };
    let all = || puzzles.iter().enumerate();
    vec![
        ("easy".into(), all().flat_map(easy).collect()),
        ("minimal".into(), all().flat_map(|(_, (puzzle, _))| line(*puzzle)).collect()),
        ("several".into(), all().flat_map(|one| changed(one, false)).collect()),
        ("none".into(), all().flat_map(|one| changed(one, true)).collect()),
    ]
}

/// The puzzles to measure if no lists are given.
fn made() -> Vec<(Kind, List)> {
    let mut work: Vec<_> = sorts(&minimal(Kind::Sudoku)).into_iter().map(|list| (Kind::Sudoku, list)).collect();
    for kind in [Kind::SudokuX, Kind::Windoku, Kind::ColourSudoku] {
        let lines = minimal(kind).into_iter().flat_map(|(puzzle, _)| puzzle.into_iter().chain([b'\n']));
        work.push((kind, (kind.name().to_string(), lines.collect())));
    }
    work
}

/// Measures kinds that are solved one board at a time, on puzzles with one solution.
fn exact(criterion: &mut Criterion) {
    let kinds =
        [Kind::Jigsaw, Kind::Killer, Kind::KillerJigsaw, Kind::KenKen, Kind::KenDoku, Kind::Str8ts, Kind::Str8tsX];
    let shapes = kinds.map(|kind| (kind, if kind.has_operators() { 6 } else { 9 }));
    for (kind, side) in shapes.into_iter().chain([(Kind::Sudoku, 16)]) {
        let side = Side::new(side).expect("a side");
        let maker = Maker::new(kind, side, Mix::Clues, 1).expect("a shape that is made");
        let mut unique = UniqueMaker::new(&maker, Clues::Drawn, kernels::best()).expect("a kernel");
        let mut scratch = MakerMemory::default();
        let batches: Vec<Batch> = (0..8)
            .map(|number| {
                let mut batch = Batch::new();
                batch.reset(maker.shape(), 64);
                unique.fill(64 * number, &mut batch, &mut scratch).expect("puzzles");
                batch
            })
            .collect();
        let mut group = criterion.benchmark_group(format!("exact/{kind} {side}"));
        group.throughput(Throughput::Elements(512)).sample_size(10).measurement_time(Duration::from_secs(2));
        let mut solver = PropagationSolver::new();
        group.bench_function("one by one", |bencher| {
            bencher.iter(|| {
                for batch in &batches {
                    (0..64).for_each(|i| assert_eq!(solver.count(batch, i, Query::count(2, 100_000)).count, 1));
                }
            });
        });
        group.finish();
    }
}

fn solve(criterion: &mut Criterion) {
    if let Some(folder) = std::env::var_os("GRIDMILL_WRITE").map(std::path::PathBuf::from) {
        for (name, text) in sorts(&minimal(Kind::Sudoku)) {
            std::fs::write(folder.join(&name), text).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        return;
    }
    let mut work: Vec<(Kind, List)> = lists().into_iter().map(|list| (Kind::Sudoku, list)).collect();
    if work.is_empty() {
        work = made();
    }
    for (kind, (name, text)) in &work {
        let n = text.len() / LINE;
        let mut group = criterion.benchmark_group(format!("solve/{name}"));
        group.throughput(Throughput::Elements(n as u64)).sample_size(10).measurement_time(Duration::from_secs(2));
        let mut expected: Option<Vec<u32>> = None;
        for kernel in kernels::available() {
            let mut solver = BatchSolver::new(*kind, kernel).expect("a kind that is solved");
            let mut counts = vec![0; n];
            solver.count(Puzzles::of_text(text, LINE, n), 2, &mut counts);
            assert_eq!(*expected.get_or_insert(counts.clone()), counts, "{}", kernel.name);
            group.bench_function(kernel.name, |bencher| {
                bencher.iter(|| solver.count(Puzzles::of_text(text, LINE, n), 2, &mut counts));
            });
        }
        group.finish();
        if let (Some(folder), Some(counts)) = (std::env::var_os("GRIDMILL_COUNTS"), expected) {
            let text: Vec<u8> = counts.iter().map(|&count| b'0' + count as u8).collect();
            let path = std::path::PathBuf::from(folder).join(name);
            std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}

criterion_group!(benches, solve, exact);
criterion_main!(benches);
