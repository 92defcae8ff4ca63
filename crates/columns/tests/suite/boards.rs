//! Boards as arrays of numbers, and back.

use arrow_array::ArrayRef;
use gridmill_columns::{BoardCells, Boards, CallError, CellValue, Session, Values, generate, write_boards};
use gridmill_core::board::{Batch, Cell, Shape};
use gridmill_core::formats::{Format, write_one};
use gridmill_core::make::{Clues, Maker, Mix};
use gridmill_core::{Kind, Side};

use crate::support::{chunk, column, made, strings};

fn v2(batch: &Batch) -> Vec<String> {
    (0..batch.len()).map(|board| write_one(batch, board, Format::V2).unwrap()).collect()
}

/// Everything on boards as 32-bit numbers.
fn read(columns: &[ArrayRef], what: CellValue) -> Vec<u32> {
    let session = Session { threads: 2, ..Session::default() };
    let boards = Boards::of(columns, &session).unwrap();
    let cells = boards.len() * boards.side().cells();
    match what.width(boards.side()) {
        1 => {
            let mut to = vec![77; cells];
            boards.read(what, Values::Small(&mut to)).unwrap();
            to.into_iter().map(u32::from).collect()
        }
        2 => {
            let mut to = vec![77; cells];
            boards.read(what, Values::Medium(&mut to)).unwrap();
            to.into_iter().map(u32::from).collect()
        }
        _ => {
            let mut to = vec![77; cells];
            boards.read(what, Values::Large(&mut to)).unwrap();
            to
        }
    }
}

#[test]
fn arrays_have_what_the_cells_have() {
    for kind in Kind::all() {
        for side in [4, 6, 9, 16].into_iter().filter_map(Side::new) {
            let Some(batch) = made(kind, side, Mix::Progress, 5, 4) else { continue };
            let columns = column(&v2(&batch).iter().map(String::as_str).collect::<Vec<_>>());
            let arrays: Vec<_> = CellValue::ALL.iter().map(|&(_, what)| read(&columns, what)).collect();
            let codes = batch.shape().codes();
            for (at, board, cell) in
                (0..4).flat_map(|board| (0..side.cells()).map(move |cell| (board * side.cells() + cell, board, cell)))
            {
                let holds = batch.cell(board, cell);
                let place = board * batch.stride() + cell;
                let mask = match holds {
                    Cell::Candidates(mask) => mask,
                    other => 1 << other.digit() >> 1,
                };
                let expected = [
                    holds.digit().into(),
                    u32::from(matches!(holds, Cell::Clue(_) | Cell::BlackClue(_))),
                    codes.write(holds),
                    mask,
                    if kind.has_regions() { batch.regions()[place].into() } else { 0 },
                    if kind.has_cages() { batch.colours()[place].into() } else { 0 },
                    if kind.has_cages() { batch.contents()[place].into() } else { 0 },
                    u32::from(holds.is_black()),
                ];
                let found: Vec<_> = arrays.iter().map(|array| array[at]).collect();
                assert_eq!(found, expected, "{kind} {side} {holds:?}");
            }
        }
    }
}

/// In formats that do not distinguish clues from solved cells, all digits are givens.
#[test]
fn digits_of_v0_are_given() {
    let batch = made(Kind::Sudoku, Side::NINE, Mix::Solved, 5, 3).unwrap();
    let v0: Vec<_> = (0..3).map(|board| write_one(&batch, board, Format::V0)).collect();
    let v0: Vec<String> = v0.into_iter().filter_map(Result::ok).collect();
    if !v0.is_empty() {
        let columns = column(&v0.iter().map(String::as_str).collect::<Vec<_>>());
        let (digits, given) = (read(&columns, CellValue::Digits), read(&columns, CellValue::Given));
        assert!(digits.iter().zip(&given).all(|(&digit, &given)| (digit > 0) == (given > 0)));
    }
}

#[test]
fn boards_come_back_from_arrays() {
    for (kind, side) in
        [(Kind::Sudoku, 9), (Kind::Windoku, 9), (Kind::Jigsaw, 9), (Kind::Sudoku, 16), (Kind::SudokuX, 6)]
    {
        let side = Side::new(side).unwrap();
        let batch = made(kind, side, Mix::Progress, 5, 50).unwrap();
        let v2 = v2(&batch);
        let columns = column(&v2.iter().map(String::as_str).collect::<Vec<_>>());
        let small = |what| read(&columns, what).into_iter().map(|number| number as u8).collect::<Vec<_>>();
        let (digits, regions) = (small(CellValue::Digits), small(CellValue::Regions));
        let given: Vec<bool> = small(CellValue::Given).into_iter().map(|given| given > 0).collect();
        let masks = read(&columns, CellValue::Masks);
        let regions = if kind.has_regions() { &regions[..] } else { &[] };
        let cells = BoardCells { digits: &digits, given: &given, masks: &masks, regions };
        let back = write_boards(cells, Shape::new(kind, side), Format::V2, &Session::default()).unwrap();
        assert_eq!(strings(&back), v2.into_iter().map(Some).collect::<Vec<_>>());
    }
}

#[test]
fn what_is_no_board_is_refused_by_its_row() {
    let puzzle = ".".repeat(81);
    let session = Session::default();
    let small =
        gridmill_core::write(&gridmill_core::Board::empty(Kind::Sudoku, Side::new(6).unwrap()).unwrap(), Format::V2)
            .unwrap();
    let rows = [Some(puzzle.as_str()), None, Some(""), Some("bad"), Some(&small)];
    for (row, code, of) in [(1, "length", 2), (2, "length", 3), (3, "length", 4), (4, "unsupported", 5)] {
        let rows: Vec<_> =
            rows[..of].iter().enumerate().map(|(at, string)| if at == row { *string } else { rows[0] }).collect();
        let columns = [chunk(0, &rows)];
        let boards = Boards::of(&columns, &session).unwrap();
        let Err(CallError::Refused(refused)) = boards.read(CellValue::Digits, Values::Small(&mut vec![0; of * 81]))
        else {
            panic!()
        };
        let first = refused.first().unwrap();
        assert_eq!((refused.count(), first.record, first.reject.code.name()), (1, row, code));
    }
    let columns = [chunk(0, &rows[..1])];
    let boards = Boards::of(&columns, &session).unwrap();
    assert!(matches!(boards.read(CellValue::Digits, Values::Small(&mut [0; 80])), Err(CallError::Usage(_))));
    assert!(matches!(boards.read(CellValue::Codes, Values::Small(&mut [0; 81])), Err(CallError::Usage(_))));
    let shape = Shape::new(Kind::Sudoku, Side::NINE);
    let cells = BoardCells { digits: &[10; 162], given: &[true], masks: &[], regions: &[] };
    let Err(CallError::Refused(refused)) = write_boards(cells, shape, Format::V2, &session) else { panic!() };
    assert_eq!(
        (refused.count(), refused.to_string().as_str()),
        (2, "row 0: range at r1c1: digit 10 is out of range for side 9 (and one more row)")
    );
    for kind in [Kind::Killer, Kind::Str8ts, Kind::Jigsaw] {
        assert!(matches!(
            write_boards(cells, Shape::new(kind, Side::NINE), Format::V2, &session),
            Err(CallError::Usage(_))
        ));
    }
}

/// Boards from a seed are those of `gridmill gen`, in parts or as a whole.
#[test]
fn parts_of_a_seed_add_up() {
    let maker = Maker::new(Kind::Sudoku, Side::NINE, Mix::Progress, 7).unwrap();
    let session = Session { threads: 2, ..Session::default() };
    let all = strings(&generate(&maker, None, 0..5000, Format::V2, &session).unwrap());
    let golden = made(Kind::Sudoku, Side::NINE, Mix::Progress, 7, 64).unwrap();
    assert_eq!(all[..64], v2(&golden).into_iter().map(Some).collect::<Vec<_>>());
    let parts = [0..1, 1..2100, 2100..2100, 2100..5000];
    let parts: Vec<_> = parts
        .into_iter()
        .flat_map(|part| strings(&generate(&maker, None, part, Format::V2, &session).unwrap()))
        .collect();
    assert!(all == parts);
    let unique = strings(&generate(&maker, Some(Clues::Drawn), 3..10, Format::V2, &session).unwrap());
    assert_eq!(unique.len(), 7);
    // v1 cannot hold single candidates. A board that cannot be held is an error, and not a loss.
    let wide = Maker::new(Kind::Killer, Side::NINE, Mix::Clues, 7).unwrap();
    assert!(matches!(generate(&wide, None, 0..1, Format::Offset32, &session), Err(CallError::Usage(_))));
}
