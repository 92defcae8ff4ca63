//! Boards from a seed: they obey the rules of their kind, and are the same however they are made.

/// Outputs that must never change.
mod golden;
/// A naive implementation of the rules.
mod rules;
/// Puzzles with one solution.
mod unique;

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, OnceLock};

use gridmill::board::{BATCH, Batch, Kind, Side};
use gridmill::canon::{CanonicalForm, Canonizer};
use gridmill::engine::Generate;
use gridmill::error::{Error, Unavailable};
use gridmill::formats::Format;
use gridmill::kernels;
use gridmill::make::{Maker, MakerMemory, Mix};
use gridmill::output::Target;
use rules::{Board, Content};

/// A maker. Its pool, which takes long at side 25 without optimisation, is made once for all tests.
fn maker(kind: Kind, side: Side, mix: Mix, seed: u64) -> Maker {
    type Makers = Mutex<HashMap<(Kind, Side, u64), Arc<OnceLock<Maker>>>>;
    static MAKERS: OnceLock<Makers> = OnceLock::new();
    let slot = MAKERS.get_or_init(Mutex::default).lock().unwrap().entry((kind, side, seed)).or_default().clone();
    slot.get_or_init(|| Maker::new(kind, side, mix, seed).unwrap()).clone().mix(mix)
}

/// The boards `first..first + count`, made `step` at a time.
fn boards(maker: &Maker, first: u64, count: usize, step: usize, scratch: &mut MakerMemory) -> Vec<Board> {
    let mut batch = Batch::new();
    let mut boards = Vec::new();
    for from in (0..count).step_by(step) {
        batch.reset(maker.shape(), step.min(count - from));
        maker.fill(first.wrapping_add(from as u64), &mut batch, scratch);
        boards.extend((0..batch.len()).map(|board| Board::of(&batch, board)));
    }
    boards
}

/// Every kind with every side of it.
fn shapes() -> impl Iterator<Item = (Kind, Side)> {
    Kind::all().flat_map(|kind| rules::sides(kind).iter().map(move |&side| (kind, Side::new(side).unwrap())))
}

/// The usual side of a kind, for tests that would take long with every side.
fn usual(kind: Kind) -> Side {
    Side::new(if matches!(kind, Kind::KenKen | Kind::KenDoku) { 6 } else { 9 }).unwrap()
}

#[test]
fn boards_of_every_kind_side_and_mix_obey_the_rules() {
    let mut scratch = MakerMemory::default();
    for (kind, side) in shapes() {
        let [clues, progress, solved] =
            Mix::ALL.map(|mix| boards(&maker(kind, side, mix, 1), 0, 2 * BATCH, BATCH, &mut scratch));
        let singles = maker(kind, side, Mix::Progress, 1).single_candidates(true);
        let singles = boards(&singles, 0, 2 * BATCH, BATCH, &mut scratch);
        let (mut given, mut candidates, mut placed, mut single) = (0, 0, 0, 0);
        for (i, solution) in solved.iter().enumerate() {
            let fault = |fault: String| panic!("{kind} {side}, board {i}: {fault}");
            solution.check_solution().unwrap_or_else(fault);
            progress[i].check_progress(solution).unwrap_or_else(fault);
            singles[i].check_progress(solution).unwrap_or_else(fault);
            // The puzzle is the same in every mix.
            for board in [&clues[i], &progress[i], &singles[i]] {
                assert_eq!(board.puzzle(), solution.puzzle(), "{kind} {side}, board {i}");
            }
            assert_eq!(clues[i], clues[i].puzzle(), "{kind} {side}, board {i}");
            let alone = |cell: &&Content| matches!(cell, Content::Candidates(mask) if mask.is_power_of_two());
            assert_eq!(progress[i].cells.iter().filter(alone).count(), 0, "{kind} {side}, board {i}");
            single += singles[i].cells.iter().filter(alone).count();
            given += clues[i].cells.iter().filter(|cell| matches!(cell, Content::Clue(_))).count();
            candidates += progress[i].cells.iter().filter(|cell| matches!(cell, Content::Candidates(_))).count();
            placed += progress[i].cells.iter().filter(|cell| matches!(cell, Content::Solved(_))).count();
        }
        let cells = 2 * BATCH * side.cells();
        assert!(
            candidates > cells / 10 && placed > cells / 100,
            "{kind} {side}: {candidates} with candidates, {placed} solved"
        );
        assert!(single > 0 || side.get() > 9, "{kind} {side}: no single candidates");
        // If there are cages, they are the clues.
        let caged = !clues[0].contents.is_empty();
        assert!(if caged { given == 0 } else { given > cells / 12 }, "{kind} {side}: {given} clues");
    }
}

#[test]
fn cages_and_black_cells_are_of_fair_sizes() {
    let mut scratch = MakerMemory::default();
    for (kind, side) in shapes() {
        let made = boards(&maker(kind, side, Mix::Solved, 1), 0, 2 * BATCH, BATCH, &mut scratch);
        let cells = made.len() * side.cells();
        let count = |which: &dyn Fn(&Board) -> usize| made.iter().map(which).sum::<usize>();
        if !made[0].contents.is_empty() {
            // A cell has a number if it is the first of its cage.
            let colours: BTreeSet<u8> = made.iter().flat_map(|board| board.colours.iter().copied()).collect();
            assert!(colours.len() >= 4, "{kind} {side}: {colours:?}");
            let cages = count(&|board| board.cages().len());
            let lonely = count(&|board| board.cages().iter().filter(|cage| cage.len() == 1).count());
            assert!((cells / 4..cells / 2).contains(&cages), "{kind} {side}: {cages} cages of {cells} cells");
            assert!(lonely * 4 < cages, "{kind} {side}: {lonely} of {cages} cages have one cell");
        }
        let black = count(&|board| board.cells.iter().filter(|cell| cell.is_black()).count());
        let shown = count(&|board| board.cells.iter().filter(|cell| matches!(cell, Content::BlackClue(_))).count());
        if black > 0 {
            assert!((cells / 10..cells * 7 / 10).contains(&black), "{kind} {side}: {black} black of {cells}");
            assert!(shown * 5 > black && shown < black, "{kind} {side}: {shown} of {black} black cells with a digit");
        }
    }
}

/// The checks above detect injected faults.
#[test]
fn a_fault_in_any_part_of_a_board_is_found() {
    let mut scratch = MakerMemory::default();
    for kind in Kind::all() {
        let side = usual(kind);
        let [progress, solved] =
            [Mix::Progress, Mix::Solved].map(|mix| boards(&maker(kind, side, mix, 1), 0, 8, 8, &mut scratch));
        for (half, whole) in progress.iter().zip(&solved) {
            for i in 0..side.cells() {
                let bad = |change: &dyn Fn(&mut Board)| {
                    let mut board = whole.clone();
                    change(&mut board);
                    assert!(board.check_solution().is_err(), "{kind}, cell {i}");
                };
                let digit = whole.cells[i].digit();
                if whole.cells[i].is_black() {
                    let row = i / side.get() * side.get()..(i / side.get() + 1) * side.get();
                    if let Some(other) = whole.cells[row].iter().find(|cell| !cell.is_black()) {
                        bad(&|board| board.cells[i] = Content::BlackClue(other.digit()));
                    }
                } else {
                    let next = digit % side.get() as u8 + 1;
                    // A straight may have room for another digit, and without cages there are no sums.
                    if !kind.name().starts_with("str8ts") {
                        bad(&|board| board.cells[i] = Content::Solved(next));
                    }
                    bad(&|board| board.cells[i] = Content::Empty);
                    bad(&|board| board.cells[i] = Content::Candidates(1));
                }
                if !whole.regions.is_empty() {
                    bad(&|board| board.regions[i] = board.regions[i] % 9 + 1);
                }
                if !whole.contents.is_empty() {
                    // Another operator may be right, too: 2 + 2 is 2 x 2.
                    if whole.contents[i] == 0 || whole.cages().iter().any(|cage| cage[0] == i) {
                        bad(&|board| board.contents[i] += 1);
                    }
                    bad(&|board| board.colours[i] = 6);
                    if whole.contents[i] > 0 {
                        bad(&|board| board.contents[i] = 0);
                    }
                }
                if let Content::Candidates(mask) = half.cells[i] {
                    let mut board = half.clone();
                    board.cells[i] = Content::Candidates(mask & !(1 << (digit - 1)));
                    assert!(board.check_progress(whole).is_err(), "{kind}, cell {i}");
                }
            }
        }
    }
}

#[test]
fn a_board_depends_on_seed_and_number_alone() {
    let (mut scratch, mut other) = (MakerMemory::default(), MakerMemory::default());
    for kind in Kind::all() {
        let large = matches!(kind, Kind::KillerJigsaw | Kind::KenDoku).then(|| Side::new(16).unwrap());
        for side in std::iter::once(usual(kind)).chain(large) {
            for mix in Mix::ALL {
                let maker = maker(kind, side, mix, 2);
                let whole = boards(&maker, 1000, 130, BATCH, &mut scratch);
                for step in [1, 7, 63] {
                    assert_eq!(boards(&maker, 1000, 130, step, &mut scratch), whole, "{kind} {side} {mix}");
                }
                // The same boards in reverse order, with memory that another kind used before.
                for i in (0..130).rev().step_by(11) {
                    let alone = boards(&maker, 1000 + i as u64, 1, 1, &mut other);
                    assert_eq!(alone[0], whole[i], "{kind} {side} {mix}");
                }
                let around = boards(&maker, u64::MAX - 1, 4, 4, &mut scratch);
                assert_eq!(around[2..], boards(&maker, 0, 2, 2, &mut scratch), "{kind} {side} {mix}");
            }
        }
    }
}

#[test]
fn a_maker_is_what_its_arguments_say() {
    let mut scratch = MakerMemory::default();
    let side = Side::NINE;
    for mix in Mix::ALL {
        let fresh = Maker::new(Kind::Killer, side, mix, 1).unwrap();
        let shared = maker(Kind::Killer, side, mix, 1);
        let [a, b] = [&fresh, &shared].map(|maker| boards(maker, 5, BATCH, BATCH, &mut scratch));
        assert_eq!(a, b);
    }
    let [a, b] = [1, 2].map(|seed| boards(&maker(Kind::Sudoku, side, Mix::Solved, seed), 0, 64, 64, &mut scratch));
    assert!(a.iter().zip(&b).all(|(a, b)| a != b), "two seeds give the same board");
}

#[test]
fn boards_hardly_ever_repeat() {
    let mut scratch = MakerMemory::default();
    for kind in Kind::all() {
        let made = boards(&maker(kind, usual(kind), Mix::Solved, 1), 0, 1000, BATCH, &mut scratch);
        let text = |board: &Board| format!("{:?}", (&board.cells, &board.regions, &board.contents));
        let different: BTreeSet<String> = made.iter().map(text).collect();
        assert_eq!(different.len(), made.len(), "{kind}");
    }
}

/// The number of classes of the solution grids of 2,000 boards. Cages are left out, since they make all boards different.
fn classes(maker: &Maker) -> usize {
    let (mut batch, mut scratch, mut canonizer) =
        (Batch::new(), MakerMemory::default(), Canonizer::new(kernels::best()));
    let mut keys = BTreeSet::new();
    for first in (0..2000).step_by(50) {
        batch.reset(maker.shape(), 50);
        maker.fill(first, &mut batch, &mut scratch);
        let canonized = canonizer.canonize(&batch, true, CanonicalForm::Solution);
        keys.extend((0..50).map(|board| {
            canonized.found(board).expect("a full grid");
            canonized.key(board).to_string()
        }));
    }
    keys.len()
}

#[test]
fn there_are_as_many_classes_of_grids_as_boards_or_as_few_as_are_wanted() {
    let kinds =
        [Kind::Sudoku, Kind::SudokuX, Kind::Windoku, Kind::ColourSudoku, Kind::Jigsaw, Kind::Str8ts, Kind::Str8tsBX];
    for kind in kinds {
        let maker = maker(kind, Side::NINE, Mix::Solved, 1);
        let found = classes(&maker);
        assert!(found >= 1990, "{kind}: {found} classes");
        for few in [1, 3, 300] {
            let found = classes(&maker.clone().grids(NonZeroU64::new(few).unwrap()));
            // Str8ts boards of one grid differ in the black cells that show their digit.
            let black = kind == Kind::Str8ts || kind == Kind::Str8tsBX;
            assert!(black || found as u64 == few, "{kind}: {found} classes of {few}");
        }
    }
}

#[test]
fn kinds_and_sides_without_boards_are_refused_with_the_sides_that_have_some() {
    for kind in Kind::all() {
        for side in Side::all().filter(|side| !rules::sides(kind).contains(&side.get())) {
            let Err(Unavailable(message)) = Maker::new(kind, side, Mix::Clues, 1) else {
                panic!("{kind} boards of side {side}");
            };
            let sides: Vec<String> = rules::sides(kind).iter().map(ToString::to_string).collect();
            assert!(message.contains(kind.name()) && message.ends_with(&sides.join(", ")), "{message}");
            assert!(message.contains(&format!("side {side};")), "{message}");
        }
    }
}

/// Boards in progress are useful test data only if most of them are not solved yet.
#[test]
fn few_positions_are_solved_to_the_end() {
    let mut scratch = MakerMemory::default();
    for kind in Kind::all() {
        let made = boards(&maker(kind, Side::NINE, Mix::Progress, 1), 0, 500, BATCH, &mut scratch);
        let open =
            |board: &&Board| board.cells.iter().filter(|cell| matches!(cell, Content::Candidates(_))).count() > 8;
        let open = made.iter().filter(open).count();
        assert!(open > 500 * 4 / 5, "{kind}: {open} of 500 have more than 8 cells with candidates");
    }
}

/// The output of `Generate`, or its error.
fn generate(maker: Maker, format: Format, count: u64, threads: usize, level: Option<i32>) -> Result<Vec<u8>, Error> {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("out");
    let generate = Generate {
        maker,
        count,
        format,
        lossy: false,
        unique: None,
        distinct: false,
        grades: None,
        threads,
        zstd_level: level,
        sync: false,
    };
    generate.run(Target::File { path: path.clone(), force: false }, None)?;
    Ok(std::fs::read(path).unwrap())
}

#[test]
fn the_output_does_not_depend_on_threads_and_begins_with_that_of_a_smaller_count() {
    for (kind, format) in [(Kind::Sudoku, Format::V1), (Kind::KillerJigsaw, Format::V2), (Kind::Str8ts, Format::V1)] {
        let make = |count, threads, level| {
            generate(maker(kind, Side::NINE, Mix::Progress, 1), format, count, threads, level).unwrap()
        };
        let one = make(9000, 1, None);
        assert_eq!(one.iter().filter(|&&byte| byte == b'\n').count(), 9000);
        for threads in [2, 3, 16] {
            assert!(make(9000, threads, None) == one, "{kind} with {threads} threads");
        }
        assert!(one.starts_with(&make(4097, 2, None)), "{kind}");
        assert!(make(0, 2, None).is_empty());
        let packed = make(9000, 2, Some(3));
        assert!(packed == make(9000, 1, Some(3)), "{kind}, compressed");
        assert!(zstd::decode_all(&packed[..]).unwrap() == one, "{kind}, compressed");
    }
}

#[test]
fn formats_that_cannot_hold_the_boards_are_refused_with_what_would_help() {
    let refused = |kind, side, mix, format| {
        let Err(Error::Usage(message)) = generate(maker(kind, side, mix, 1), format, 1, 1, None) else {
            panic!("{format} takes {kind} of side {side}");
        };
        message
    };
    let six = Side::new(6).unwrap();
    assert!(refused(Kind::Sudoku, six, Mix::Clues, Format::V1).contains("9x9"));
    assert!(refused(Kind::KenKen, Side::NINE, Mix::Clues, Format::V1).contains("operators"));
    assert!(refused(Kind::Windoku, Side::NINE, Mix::Progress, Format::V1).contains("variant"));
    let message = refused(Kind::Sudoku, Side::NINE, Mix::Progress, Format::Plain);
    assert!(message.contains("--mix") && message.contains("--lossy"), "{message}");
}
