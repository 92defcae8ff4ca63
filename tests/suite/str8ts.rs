//! Str8ts strings, whose layout nobody names: each by itself, and many in one input.

use gridmill::board::{BATCH, Batch, Cell, Kind, Notes, Shape, Side, fill_notes};
use gridmill::engine::{Conversion, Convert};
use gridmill::error::Code;
use gridmill::formats::{Evidence, Flavour, Hints, Id, read_one, write_one};
use gridmill::make::{Maker, Mix, Scratch};
use gridmill::output::Target;
use gridmill::source::Input;

const KINDS: [Kind; 4] = [Kind::Str8ts, Kind::Str8tsX, Kind::Str8tsB, Kind::Str8tsBX];

/// `count` random boards of a kind, every other one with full notes.
fn boards(kind: Kind, count: usize) -> Vec<Batch> {
    let maker = Maker::new(kind, Side::NINE, Mix::Progress, 3).unwrap();
    let mut scratch = Scratch::default();
    (0..count.div_ceil(BATCH))
        .map(|i| {
            let mut batch = Batch::new();
            batch.reset(Shape::new(kind, Side::NINE), BATCH);
            maker.fill((i * BATCH) as u64, &mut batch, &mut scratch);
            (0..BATCH).step_by(2).for_each(|board| _ = fill_notes(&mut batch, board, Notes::Full));
            batch
        })
        .collect()
}

/// Board `board` as a v2 string in any layout, by the ranges of docs/FORMATS.md.
fn v2(batch: &Batch, board: usize, layout: Flavour) -> String {
    let (n, letter) = (9, char::from(batch.shape().kind.rules().letter));
    let (black_empty, solved, candidates) = match layout {
        Flavour::Spec => (n + 1, 2 * n + 1, 3 * n + 1),
        Flavour::Site => (n + 1, 2 * n + 2, 3 * n + 2),
        _ => (2 * n, 2 * n, 3 * n),
    };
    let black_clue = if layout == Flavour::First { n } else { n + 1 };
    let mut text = format!("{letter}9B");
    for cell in 0..81 {
        let value = match batch.cell(board, cell) {
            Cell::Empty => 0,
            Cell::Clue(d) => d.into(),
            Cell::BlackEmpty => black_empty,
            Cell::BlackClue(d) => black_clue + u32::from(d),
            Cell::Solved(d) => solved + u32::from(d),
            Cell::Candidates(mask) => candidates + mask,
        };
        let digit = |value| char::from_digit(value, 36).unwrap();
        text.extend([digit(value / 36), digit(value % 36)]);
    }
    text
}

/// Board `board` as a v1 string in either layout.
fn v1(batch: &Batch, board: usize, layout: Flavour) -> String {
    let (black, clue) = if layout == Flavour::Site { (2, 1) } else { (1, 2) };
    let mut text = String::new();
    for cell in 0..81 {
        let value = match batch.cell(board, cell) {
            Cell::Empty => 0,
            Cell::Clue(d) => 4 << (d - 1) | clue,
            Cell::BlackEmpty => black,
            Cell::BlackClue(d) => 4 << (d - 1) | black | clue,
            Cell::Solved(d) => 4 << (d - 1),
            Cell::Candidates(mask) => mask << 2,
        };
        let digit = |value| char::from_digit(value & 31, 32).unwrap();
        text.extend([digit(value >> 10), digit(value >> 5), digit(value)]);
    }
    text
}

/// What reading a layout leaves of a cell.
fn read_back(cell: Cell, id: Id, layout: Flavour) -> Cell {
    match cell {
        Cell::BlackClue(9) if layout == Flavour::First => Cell::BlackEmpty,
        Cell::Candidates(mask) if id == Id::V1 && mask.is_power_of_two() => {
            Cell::Solved(mask.trailing_zeros() as u8 + 1)
        }
        other => other,
    }
}

/// Reads a string as an input of its own. It must give the board, or be refused as ambiguous; the latter is counted.
fn check_alone(text: &str, batch: &Batch, board: usize, id: Id, layout: Flavour) -> usize {
    match read_one(text.as_bytes(), Some(id), &Hints::default(), &Evidence::default()) {
        Ok(one) => {
            for cell in 0..81 {
                let want = read_back(batch.cell(board, cell), id, layout);
                assert_eq!(
                    one.batch.cell(0, cell),
                    want,
                    "cell {cell} of {text} ({layout}) read as {}",
                    one.form.flavour
                );
            }
            0
        }
        Err(reject) => {
            assert_eq!(reject.code, Code::Ambiguous, "{text}: {reject}");
            1
        }
    }
}

#[test]
fn a_string_alone_is_never_read_in_a_wrong_layout() {
    for kind in KINDS {
        let batches = boards(kind, 3000);
        for layout in [Flavour::Spec, Flavour::Site, Flavour::First] {
            let mut ambiguous = 0;
            for batch in &batches {
                for board in 0..BATCH {
                    ambiguous += check_alone(&v2(batch, board, layout), batch, board, Id::V2, layout);
                }
            }
            assert!(ambiguous < 600, "{kind} {layout}: {ambiguous}");
        }
        // v1 has no kind but the first: to it the others look the same.
        if kind == Kind::Str8ts {
            for layout in [Flavour::Site, Flavour::Snippet] {
                for batch in &batches {
                    for board in 0..BATCH {
                        check_alone(&v1(batch, board, layout), batch, board, Id::V1, layout);
                    }
                }
            }
        }
    }
}

/// Converts text to v2, with what reading loses.
fn convert(text: String, threads: usize, chunk: usize) -> (String, gridmill::engine::Report) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let report = Convert::new(Target::File { path: path.clone(), force: false })
        .input(Input::Reader { name: "boards".into(), reader: Box::new(std::io::Cursor::new(text)) })
        .conversion(Conversion { lossy: true, ..Conversion::default() })
        .threads(threads)
        .chunk_size(chunk)
        .sync(false)
        .run()
        .unwrap();
    (std::fs::read_to_string(path).unwrap(), report)
}

#[test]
fn strings_of_one_layout_in_one_input_are_all_read_right() {
    for kind in KINDS {
        let batches = boards(kind, 1500);
        for (id, layout) in [
            (Id::V2, Flavour::Spec),
            (Id::V2, Flavour::Site),
            (Id::V2, Flavour::First),
            (Id::V1, Flavour::Site),
            (Id::V1, Flavour::Snippet),
        ] {
            if id == Id::V1 && kind != Kind::Str8ts {
                continue;
            }
            let (mut text, mut want) = (String::new(), String::new());
            for batch in &batches {
                for board in 0..BATCH {
                    let line = if id == Id::V2 { v2(batch, board, layout) } else { v1(batch, board, layout) };
                    text += &format!("{line}\n");
                    let mut read = Batch::new();
                    read.reset(batch.shape(), 1);
                    (0..81).for_each(|cell| read.set_cell(0, cell, read_back(batch.cell(board, cell), id, layout)));
                    want += &format!("{}\n", write_one(&read, 0, Id::V2).unwrap());
                }
            }
            // Small chunks: the majority is that of the first 4 MiB, however they are cut and whoever has them.
            for (threads, chunk) in [(1, 1 << 20), (2, 4000), (3, 20_000)] {
                let (got, report) = convert(text.clone(), threads, chunk);
                assert_eq!(report.counts.rejected, 0, "{kind} {id} {layout}: {}", report.summary());
                assert!(got == want, "{kind} {id} {layout}");
                let layouts: Vec<_> = report.counts.found_layouts().map(|(_, flavour, _)| flavour).collect();
                assert!(layouts.contains(&layout), "{kind} {id} {layout}: {layouts:?}");
            }
        }
    }
}

#[test]
fn tied_strings_wait_for_the_first_that_decides_and_without_one_are_ambiguous() {
    // A board of black and empty cells and one full list: full in one layout is short of it in another.
    let batches = boards(Kind::Str8ts, 64);
    let decided: Vec<String> = (0..BATCH).map(|board| v2(&batches[0], board, Flavour::Site)).collect();
    let tied = "T9B".to_string() + &"0a".repeat(80) + "0t";
    let reject = read_one(tied.as_bytes(), None, &Hints::default(), &Evidence::default()).err().unwrap();
    assert_eq!(reject.code, Code::Ambiguous);
    assert!(reject.message.contains("--str8ts-layout"), "{}", reject.message);
    let (_, report) = convert(format!("{tied}\n"), 2, 100);
    assert_eq!(report.counts.codes[&Code::Ambiguous], 1);
    for threads in [1, 2] {
        let (got, report) = convert(format!("{tied}\n{}\n", decided.join("\n")), threads, 300);
        assert_eq!(report.counts.rejected, 0, "{}", report.summary());
        let site = read_one(
            tied.as_bytes(),
            None,
            &Hints { str8ts_layout: Some(Flavour::Site), ..Hints::default() },
            &Evidence::default(),
        );
        assert_eq!(got.lines().next().unwrap(), write_one(&site.unwrap().batch, 0, Id::V2).unwrap());
    }
}
