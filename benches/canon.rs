//! Measures canonical forms, from boards in memory to boards, strings and maps, with every kernel that this machine can run, on one
//! core.
//!
//! `cargo bench -p gridmill-benches --bench canon -- grids/avx2` runs one of the measurements. All rates count boards.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridmill::board::{BATCH, Batch, Cell, Kind, Shape, Side};
use gridmill::canon::{CanonicalForm, Canonizer, Key};
use gridmill::kernels;
use gridmill::make::{Maker, MakerMemory, Mix};
use gridmill::solve::{BatchSolver, Puzzles};

const BATCHES: usize = 32;

/// Boards of a kind, with solved cells turned into clues.
fn boards(kind: Kind, side: Side, mix: Mix) -> Vec<Batch> {
    let maker = Maker::new(kind, side, mix, 11).expect("boards of this kind are made");
    let mut scratch = MakerMemory::default();
    let batch = |number: usize| {
        let mut batch = Batch::new();
        batch.reset(Shape::new(kind, side), BATCH);
        maker.fill((number * BATCH) as u64, &mut batch, &mut scratch);
        for (board, cell) in (0..BATCH).flat_map(|board| (0..side.cells()).map(move |cell| (board, cell))) {
            if let Cell::Solved(digit) = batch.cell(board, cell) {
                batch.set_cell(board, cell, Cell::Clue(digit));
            }
        }
        batch
    };
    (0..BATCHES).map(batch).collect()
}

/// Removes clues in a random order per grid while the solution stays unique.
fn minimal(grids: &[Batch]) -> Vec<Batch> {
    let mut solver = BatchSolver::new(Kind::Sudoku, kernels::best()).expect("sudokus are solved");
    let mut state = 1_u64;
    let mut take = |from: &Batch| {
        let mut clues: Vec<[u8; 81]> =
            (0..BATCH).map(|board| std::array::from_fn(|cell| from.cell(board, cell).digit())).collect();
        let mut orders: Vec<Vec<usize>> = Vec::new();
        for _ in 0..BATCH {
            let mut order: Vec<usize> = (0..81).collect();
            for i in (1..81).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                order.swap(i, (state >> 33) as usize % (i + 1));
            }
            orders.push(order);
        }
        for step in 0..81 {
            let mut fewer = clues.clone();
            fewer.iter_mut().zip(&orders).for_each(|(clues, order)| clues[order[step]] = 0);
            let mut counts = [0; BATCH];
            solver.count(Puzzles::of_text(fewer.as_flattened(), 81, BATCH), 2, &mut counts);
            for ((clues, fewer), count) in clues.iter_mut().zip(fewer).zip(counts) {
                *clues = if count == 1 { fewer } else { *clues };
            }
        }
        let mut batch = Batch::new();
        batch.reset(from.shape(), BATCH);
        for (board, clues) in clues.iter().enumerate() {
            for (cell, &clue) in clues.iter().enumerate() {
                batch.set_cell(board, cell, if clue == 0 { Cell::Empty } else { Cell::Clue(clue) });
            }
        }
        batch
    };
    grids.iter().map(&mut take).collect()
}

fn forms(c: &mut Criterion) {
    let side = |side| Side::new(side).expect("a side");
    let grids = boards(Kind::Sudoku, Side::NINE, Mix::Solved);
    let of = |kind, n| boards(kind, side(n), Mix::Clues);
    let all = [
        ("minimal", minimal(&grids)),
        ("killer", of(Kind::Killer, 9)),
        ("jigsaw", of(Kind::Jigsaw, 9)),
        ("kenken", of(Kind::KenKen, 8)),
        ("str8ts", of(Kind::Str8ts, 9)),
        ("grids", grids),
    ];
    for (name, batches) in &all {
        let mut group = c.benchmark_group(*name);
        group.throughput(Throughput::Elements((BATCHES * BATCH) as u64));
        for kernel in kernels::available() {
            let mut canonizer = Canonizer::new(kernel);
            group.bench_function(kernel.name, |b| {
                b.iter(|| {
                    for batch in batches {
                        black_box(canonizer.canonize(black_box(batch), false, CanonicalForm::Puzzle));
                    }
                });
            });
        }
        group.finish();
    }
}

fn keys(c: &mut Criterion) {
    let string: String = "S9B".chars().chain("0102030405060708090000".chars().cycle()).take(165).collect();
    let mut group = c.benchmark_group("keys");
    group.throughput(Throughput::Elements(1));
    group.bench_function("one", |b| b.iter(|| Key::of(black_box(string.as_bytes()))));
    group.finish();
}

criterion_group!(benches, forms, keys);
criterion_main!(benches);
