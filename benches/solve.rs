//! The solver by kernel, text in memory, one core, counting to two: over lists of puzzles, one in a line, or without any
//! over puzzles made here. What is no `.`, `0` or digit in the first 81 characters makes a line a comment.
//!
//! `GRIDMILL_LISTS="easy.txt:hard.txt" cargo bench --bench solve -- avx512` measures what its name says.
#![allow(missing_docs)] // criterion's macros

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridmill::board::{Batch, Cell, Kind, Shape, Side};
use gridmill::kernels;
use gridmill::make::{Maker, Mix, Scratch};
use gridmill::solve::Batches;

/// A list: its name, and lines of 81 characters and a line end.
type List = (String, Vec<u8>);

const LINE: usize = 82;

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

/// Boards of a kind with the clues that the maker draws: many have several solutions.
fn made(kind: Kind) -> List {
    let shape = Shape::new(kind, Side::NINE);
    let maker = Maker::new(kind, Side::NINE, Mix::Clues, 1).expect("a kind of side 9");
    let (mut batch, mut scratch, mut text) = (Batch::new(), Scratch::default(), Vec::new());
    batch.reset(shape, 64);
    for first in (0..32_768).step_by(64) {
        maker.fill(first, &mut batch, &mut scratch);
        for board in 0..64 {
            text.extend((0..81).map(|cell| match batch.cell(board, cell) {
                Cell::Clue(digit) => b'0' + digit,
                _ => b'.',
            }));
            text.push(b'\n');
        }
    }
    (kind.name().to_string(), text)
}

fn solve(criterion: &mut Criterion) {
    let mut work: Vec<(Kind, List)> = lists().into_iter().map(|list| (Kind::Sudoku, list)).collect();
    if work.is_empty() {
        let kinds = [Kind::Sudoku, Kind::SudokuX, Kind::Windoku, Kind::ColourSudoku];
        work = kinds.map(|kind| (kind, made(kind))).to_vec();
    }
    for (kind, (name, text)) in &work {
        let n = text.len() / LINE;
        let mut group = criterion.benchmark_group(format!("solve/{name}"));
        group.throughput(Throughput::Elements(n as u64)).sample_size(10).measurement_time(Duration::from_secs(2));
        let mut expected = None;
        for kernel in kernels::available() {
            let mut batches = Batches::new(*kind, kernel).expect("a kind that is solved");
            let mut counts = vec![0; n];
            batches.count(text, LINE, n, 2, &mut counts);
            assert_eq!(*expected.get_or_insert(counts.clone()), counts, "{}", kernel.name);
            group.bench_function(kernel.name, |bencher| {
                bencher.iter(|| batches.count(text, LINE, n, 2, &mut counts));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, solve);
criterion_main!(benches);
