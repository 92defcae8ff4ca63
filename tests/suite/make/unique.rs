//! Puzzles with one solution: their uniqueness, the number of clues, and reproducibility.

use gridmill::board::{Batch, Cell, Kind, Shape, Side};
use gridmill::engine::kernel;
use gridmill::make::{Clues, Maker, MakerMemory, Mix, UniqueMaker};
use gridmill::solve::{PropagationSolver, Query};

use crate::random::{often, shapes};
use crate::support::{gridmill, run};

fn unique(maker: &Maker, clues: Clues, first: u64, boards: usize) -> Batch {
    let mut batch = Batch::new();
    batch.reset(maker.shape(), boards);
    let mut unique = UniqueMaker::new(maker, clues, kernel().expect("a kernel")).expect("a kernel");
    unique.fill(first, &mut batch, &mut MakerMemory::default()).expect("so many clues");
    batch
}

fn clues(batch: &Batch, board: usize) -> Vec<usize> {
    let cells = 0..batch.shape().side.cells();
    cells.filter(|&i| matches!(batch.cell(board, i), Cell::Clue(_))).collect()
}

fn small() -> impl Iterator<Item = Shape> {
    shapes().filter(|shape| shape.side.get() <= 9)
}

#[test]
fn made_with_one_solution_they_have_one() {
    let mut solver = PropagationSolver::new();
    for shape in small() {
        let Ok(maker) = Maker::new(shape.kind, shape.side, Mix::Clues, 8) else { continue };
        let drawn = unique(&maker, Clues::Drawn, 0, 6);
        let minimal = unique(&maker, Clues::Minimal, 0, 6);
        for board in 0..6 {
            assert_eq!(solver.count(&drawn, board, Query::count(2, 1_000_000)).count, 1, "{shape:?} {board}");
        }
        are_minimal(&minimal);
    }
}

/// Checks that each board has one solution, and several without any one of its clues.
fn are_minimal(batch: &Batch) {
    let (mut solver, mut one, shape) = (PropagationSolver::new(), Batch::new(), batch.shape());
    one.reset(shape, 1);
    for board in 0..batch.len() {
        assert_eq!(solver.count(batch, board, Query::count(2, 10_000_000)).count, 1, "{shape:?} {board}");
        for i in clues(batch, board) {
            one.copy_board(0, batch, board);
            one.set_cell(0, i, Cell::Empty);
            assert_eq!(solver.count(&one, 0, Query::count(2, 10_000_000)).count, 2, "{shape:?} {board} without {i}");
        }
    }
}

fn minimal(kind: Kind, side: usize, seed: u64, boards: usize) -> Batch {
    let maker = Maker::new(kind, Side::new(side).expect("a side"), Mix::Clues, seed).expect("a maker");
    unique(&maker, Clues::Minimal, 0, boards)
}

#[test]
fn clues_that_are_hard_to_tell_about_are_needed_too() {
    // A step of the maker does not decide about all of these clues.
    are_minimal(&minimal(Kind::KenKen, 9, 5, 8));
    are_minimal(&minimal(Kind::Sudoku, 16, 1, 2));
}

#[test]
#[ignore = "by hand, when the maker of puzzles changes: minutes, searches of some 100,000 nodes for dozens of clues"]
fn large_puzzles_are_minimal() {
    for kind in [Kind::Sudoku, Kind::SudokuX, Kind::Jigsaw] {
        are_minimal(&minimal(kind, 16, 1, 1));
    }
}

#[test]
fn they_have_as_many_clues_as_asked_for() {
    for (kind, count) in
        [(Kind::Sudoku, 24), (Kind::Sudoku, 60), (Kind::Jigsaw, 26), (Kind::Killer, 3), (Kind::Str8ts, 20)]
    {
        let shape = small().find(|shape| shape.kind == kind && shape.side.get() == 9).expect("side 9");
        let maker = Maker::new(kind, shape.side, Mix::Clues, 8).expect("a maker");
        let batch = unique(&maker, Clues::Exactly(count), 5, 20);
        (0..20).for_each(|board| assert_eq!(clues(&batch, board).len(), count, "{kind}"));
    }
}

#[test]
fn mixes_share_the_puzzle_and_batches_do_not_matter() {
    let shape = small().find(|shape| shape.kind == Kind::Jigsaw && shape.side.get() == 9).expect("side 9");
    let maker = Maker::new(shape.kind, shape.side, Mix::Clues, 8).expect("a maker");
    let puzzles = unique(&maker, Clues::Drawn, 0, 20);
    let later = unique(&maker, Clues::Drawn, 7, 3);
    for mix in [Mix::Progress, Mix::Solved] {
        let filled = unique(&maker.clone().mix(mix), Clues::Drawn, 0, 20);
        for board in 0..20 {
            assert_eq!(clues(&filled, board), clues(&puzzles, board));
            let empty = (0..81).any(|i| filled.cell(board, i) == Cell::Empty);
            assert!(!empty, "{} {board}", mix.name());
        }
    }
    (0..3).for_each(|b| (0..81).for_each(|i| assert_eq!(later.cell(b, i), puzzles.cell(b + 7, i))));
}

#[test]
fn gen_makes_the_same_ones_on_any_number_of_threads() {
    let generate_unique = |args: &str| run(&mut gridmill(format!("gen -q --unique {args}").split_whitespace()), b"");
    let counts = [often(100, 300), often(20, 70), often(40, 130)];
    for (args, count) in ["--minimal --mix clues", "--kind killer", "--clues 30 --format v1"].iter().zip(counts) {
        let args = format!("{args} --count {count}");
        let one = generate_unique(&format!("{args} -j1")).good();
        assert!(!one.is_empty() && generate_unique(&format!("{args} -j3")).good() == one, "{args}");
        assert_eq!(run(&mut gridmill(["validate", "-q", "--level", "unique"]), &one).good(), b"", "{args}");
    }
    // It tries for many seconds.
    if often(0, 1) == 1 {
        generate_unique("--clues 12 --count 1").failed(&["no puzzle with 12 clues", "ask for more"]);
    }
    generate_unique("--clues 90 --count 1").failed(&["81 cells"]);
    run(&mut gridmill(["gen", "--minimal"]), b"").failed(&["--unique"]);
}
