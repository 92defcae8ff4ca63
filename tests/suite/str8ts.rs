//! Str8ts strings whose layout nobody names: each by itself, and many in one input.

use gridmill::board::{BATCH, Batch, Cell, FillCandidates, Kind, Shape, Side, fill_candidates};
use gridmill::engine::{Conversion, Convert};
use gridmill::error::Code;
use gridmill::formats::{Evidence, Format, FormatLayouts, Hints, Layout, read_one, write_one};
use gridmill::make::{Maker, MakerMemory, Mix};
use gridmill::output::Target;
use gridmill::source::Input;

const KINDS: [Kind; 4] = [Kind::Str8ts, Kind::Str8tsX, Kind::Str8tsB, Kind::Str8tsBX];

/// The layouts of v2 at a side.
fn layouts(side: Side) -> Vec<Layout> {
    let nine = if side == Side::NINE { vec![] } else { vec![Layout::Nine] };
    [vec![Layout::Spec, Layout::Site, Layout::First], nine].concat()
}

/// `count` random boards of a kind, every other one with full candidates.
fn boards(kind: Kind, count: usize) -> Vec<Batch> {
    let mut batches = boards_of(kind, Side::NINE, Mix::Progress, count);
    for batch in &mut batches {
        (0..BATCH).step_by(2).for_each(|board| _ = fill_candidates(batch, board, FillCandidates::Full));
    }
    batches
}

/// `count` random boards.
fn boards_of(kind: Kind, side: Side, mix: Mix, count: usize) -> Vec<Batch> {
    let maker = Maker::new(kind, side, mix, 3).unwrap();
    let mut scratch = MakerMemory::default();
    (0..count.div_ceil(BATCH))
        .map(|i| {
            let mut batch = Batch::new();
            batch.reset(Shape::new(kind, side), BATCH);
            maker.fill((i * BATCH) as u64, &mut batch, &mut scratch);
            batch
        })
        .collect()
}

/// Board `board` as a v2 string in any layout, according to docs/FORMATS.md.
fn v2(batch: &Batch, board: usize, layout: Layout) -> String {
    let (n, letter) = (batch.shape().side.get() as u32, char::from(batch.shape().kind.rules().letter));
    let (black_empty, black_clue, solved, candidates) = match layout {
        Layout::Spec => (n + 1, n + 1, 2 * n + 1, 3 * n + 1),
        Layout::Site => (n + 1, n + 1, 2 * n + 2, 3 * n + 2),
        Layout::Nine => (10, 10, 19, 28),
        _ => (2 * n, n, 2 * n, 3 * n),
    };
    let mut text = format!("{letter}{n}B");
    for cell in 0..batch.shape().side.cells() {
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
fn v1(batch: &Batch, board: usize, layout: Layout) -> String {
    let (black, clue) = if layout == Layout::Site { (2, 1) } else { (1, 2) };
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

/// The content of a cell after it was read in a layout.
fn read_back(cell: Cell, side: Side, id: Format, layout: Layout) -> Cell {
    match cell {
        Cell::BlackClue(digit) if layout == Layout::First && usize::from(digit) == side.get() => Cell::BlackEmpty,
        Cell::Candidates(mask) if id == Format::V1 && mask.is_power_of_two() => {
            Cell::Solved(mask.trailing_zeros() as u8 + 1)
        }
        other => other,
    }
}

/// Reads a string as an input of its own. It must give the board or be refused as ambiguous, which is counted.
fn check_alone(text: &str, batch: &Batch, board: usize, id: Format, layout: Layout) -> usize {
    match read_one(text.as_bytes(), Some(id), &Hints::default(), &Evidence::default()) {
        Ok(one) => {
            let side = batch.shape().side;
            for cell in 0..side.cells() {
                let want = read_back(batch.cell(board, cell), side, id, layout);
                assert_eq!(
                    one.batch.cell(0, cell),
                    want,
                    "cell {cell} of {text} ({layout}) read as {}",
                    one.form.layout
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
        for layout in layouts(Side::NINE) {
            let mut ambiguous = 0;
            for batch in &batches {
                for board in 0..BATCH {
                    ambiguous += check_alone(&v2(batch, board, layout), batch, board, Format::V2, layout);
                }
            }
            assert!(ambiguous < 600, "{kind} {layout}: {ambiguous}");
        }
        // v1 cannot name kinds other than the first, so the others look the same.
        if kind == Kind::Str8ts {
            for layout in [Layout::Site, Layout::Snippet] {
                for batch in &batches {
                    for board in 0..BATCH {
                        check_alone(&v1(batch, board, layout), batch, board, Format::V1, layout);
                    }
                }
            }
        }
    }
}

#[test]
fn a_small_string_or_one_of_clues_alone_is_never_read_in_a_wrong_layout() {
    let mut ambiguous = std::collections::BTreeMap::<_, usize>::new();
    for kind in [Kind::Str8ts, Kind::Str8tsBX] {
        for side in [6, 8, 9].map(|side| Side::new(side).unwrap()) {
            for (mix, name) in [(Mix::Clues, "clues"), (Mix::Progress, "progress")] {
                for batch in boards_of(kind, side, mix, 64) {
                    for (layout, board) in layouts(side).into_iter().flat_map(|l| (0..BATCH).map(move |b| (l, b))) {
                        let refused = check_alone(&v2(&batch, board, layout), &batch, board, Format::V2, layout);
                        *ambiguous.entry((name, side.get(), layout)).or_default() += refused;
                    }
                }
            }
        }
    }
    // Out of 128 each.
    assert!(ambiguous.values().all(|&count| count < 10), "{ambiguous:?}");
}

/// Converts text to v2, and returns the losses of reading.
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
            (Format::V2, Layout::Spec),
            (Format::V2, Layout::Site),
            (Format::V2, Layout::First),
            (Format::V1, Layout::Site),
            (Format::V1, Layout::Snippet),
        ] {
            if id == Format::V1 && kind != Kind::Str8ts {
                continue;
            }
            let (mut text, mut want) = (String::new(), String::new());
            for batch in &batches {
                for board in 0..BATCH {
                    let line = if id == Format::V2 { v2(batch, board, layout) } else { v1(batch, board, layout) };
                    text += &format!("{line}\n");
                    let mut read = Batch::new();
                    read.reset(batch.shape(), 1);
                    let cell = |cell| read_back(batch.cell(board, cell), Side::NINE, id, layout);
                    (0..81).for_each(|at| read.set_cell(0, at, cell(at)));
                    want += &format!("{}\n", write_one(&read, 0, Format::V2).unwrap());
                }
            }
            // With small chunks, too, the majority is that of the first 4 MiB, whichever thread has them.
            for (threads, chunk) in [(1, 1 << 20), (2, 4000), (3, 20_000)] {
                let (got, report) = convert(text.clone(), threads, chunk);
                assert_eq!(report.counts.rejected, 0, "{kind} {id} {layout}: {}", report.summary());
                assert!(got == want, "{kind} {id} {layout}");
                let layouts: Vec<_> = report.counts.found_layouts().map(|(_, layout, _)| layout).collect();
                assert!(layouts.contains(&layout), "{kind} {id} {layout}: {layouts:?}");
            }
        }
    }
}

#[test]
fn tied_strings_wait_for_the_first_that_decides_and_without_one_are_ambiguous() {
    // A board of black and empty cells and one full list of candidates, which is not full in another layout.
    let batches = boards(Kind::Str8ts, 64);
    let decided: Vec<String> = (0..BATCH).map(|board| v2(&batches[0], board, Layout::Site)).collect();
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
            &Hints { layouts: FormatLayouts::default().with(Format::V2, Layout::Site), ..Hints::default() },
            &Evidence::default(),
        );
        assert_eq!(got.lines().next().unwrap(), write_one(&site.unwrap().batch, 0, Format::V2).unwrap());
    }
}

/// The boards of batches as lines of v2 in a layout, and the expected result.
fn lines(batches: &[Batch], layout: Layout) -> (String, String) {
    let (mut text, mut want) = (String::new(), String::new());
    for (batch, board) in batches.iter().flat_map(|batch| (0..batch.len()).map(move |board| (batch, board))) {
        text += &format!("{}\n", v2(batch, board, layout));
        let mut read = Batch::new();
        read.reset(batch.shape(), 1);
        for cell in 0..batch.shape().side.cells() {
            read.set_cell(0, cell, read_back(batch.cell(board, cell), batch.shape().side, Format::V2, layout));
        }
        want += &format!("{}\n", write_one(&read, 0, Format::V2).unwrap());
    }
    (text, want)
}

#[test]
fn strings_of_one_layout_and_of_all_sides_in_one_input_are_all_read_right() {
    for mix in [Mix::Clues, Mix::Progress] {
        let of_side = |side| boards_of(Kind::Str8ts, Side::new(side).unwrap(), mix, 64);
        for sides in [&[6][..], &[8], &[9], &[9, 6, 8]] {
            let batches: Vec<Batch> = sides.iter().flat_map(|&side| of_side(side)).collect();
            for layout in layouts(Side::new(sides[sides.len() - 1]).unwrap()) {
                let (text, want) = lines(&batches, layout);
                let (got, report) = convert(text, 2, 5000);
                assert_eq!(report.counts.rejected, 0, "{sides:?} {layout}: {}", report.summary());
                assert!(got == want, "{sides:?} {layout}: {}", report.summary());
            }
        }
    }
}

#[test]
fn strings_that_only_exclude_a_layout_vote_for_the_others() {
    let mut batches = boards_of(Kind::Str8ts, Side::NINE, Mix::Clues, 64);
    let (decided, want) = lines(&batches, Layout::Spec);
    // In `first`, a white clue and black cells without a digit are valid black clues.
    batches = vec![Batch::new()];
    let batch = &mut batches[0];
    batch.reset(Shape::new(Kind::Str8ts, Side::NINE), 1);
    [10, 40, 70].into_iter().for_each(|cell| batch.set_cell(0, cell, Cell::BlackEmpty));
    batch.set_cell(0, 0, Cell::Clue(5));
    let (tied, tied_want) = lines(&batches, Layout::Spec);
    for line in decided.lines() {
        let refused = read_one(line.as_bytes(), None, &Hints::default(), &Evidence::default()).err();
        assert!(refused.is_none(), "read alike in the layouts left: {refused:?}");
    }
    let (_, alone) = convert(tied.clone(), 1, 1000);
    assert_eq!(alone.counts.codes[&Code::Ambiguous], 1);
    for threads in [1, 2] {
        let (got, report) = convert(format!("{tied}{decided}"), threads, 300);
        assert_eq!(report.counts.rejected, 0, "{}", report.summary());
        assert!(got == format!("{tied_want}{want}"));
    }
}

#[test]
fn a_layout_with_two_equal_clues_in_a_line_is_chosen_only_by_name() {
    let read = |text: &str, layout: Option<Layout>| {
        let layouts = FormatLayouts::default().with(Format::V2, layout);
        read_one(text.as_bytes(), None, &Hints { layouts, ..Hints::default() }, &Evidence::default())
    };
    for side in [6, 8, 9].map(|side| Side::new(side).unwrap()) {
        let mut batch = Batch::new();
        batch.reset(Shape::new(Kind::Str8ts, side), 1);
        [0, 5].into_iter().for_each(|cell| batch.set_cell(0, cell, Cell::Clue(3)));
        batch.set_cell(0, 20, Cell::Solved(2));
        for layout in layouts(side) {
            let text = v2(&batch, 0, layout);
            let reject = read(&text, None).expect_err("white clues are the same in all layouts");
            assert_eq!(reject.code, Code::Ambiguous);
            assert!(reject.message.contains("equal clues") && reject.message.contains("--str8ts-layout"), "{reject}");
            assert_eq!(read(&text, Some(layout)).expect("named").batch.cell(0, 20), Cell::Solved(2));
        }
    }
    // 10, which is an empty black cell at side 9, is a black 3 in `spec` at side 6.
    let mut batch = Batch::new();
    batch.reset(Shape::new(Kind::Str8ts, Side::new(6).unwrap()), 1);
    [0, 3].into_iter().for_each(|cell| batch.set_cell(0, cell, Cell::BlackEmpty));
    let one = read(&v2(&batch, 0, Layout::Nine), None).expect("only one layout without equal clues");
    assert_eq!((one.form.layout, one.batch.cell(0, 3)), (Layout::Nine, Cell::BlackEmpty));
}

#[test]
fn evidence_that_was_kept_before_there_was_a_fourth_layout_can_be_read() {
    let of = |numbers: &[u64]| Evidence::of_numbers(numbers).map(|evidence| evidence.to_numbers());
    assert_eq!(of(&[1, 2, 3, 4, 5, 6]), Some(vec![1, 2, 3, 4, 5, 6]));
    assert_eq!(of(&[1, 2, 3, 4, 5]), Some(vec![1, 2, 3, 4, 5, 3]));
    for damaged in [&[][..], &[1], &[1, 2, 3, 4], &[1, 2, 3, 4, 5, 6, 7]] {
        assert_eq!(of(damaged), None);
    }
}
