//! Round trips of random boards through every format, kind, side and kernel: what a format claims to hold is read back,
//! and other boards are not written.

use std::collections::HashSet;

use crate::kernel;
use gridmill_core::board::{Batch, FillCandidates, Kind, Shape, Side, components, fill_candidates};
use gridmill_core::formats::{Codec, Evidence, Form, Format, REGISTRY, Records, flatten, losses, resolve_layout};
use gridmill_core::kernels;
use gridmill_core::make::Mix;

use crate::forms::{forms, hints, same_board, written};
use crate::random::{Rng, anything, made, often, shapes};

/// Some boards of a batch as a batch of their own.
fn chosen(batch: &Batch, boards: &[usize]) -> Batch {
    let mut out = Batch::new();
    out.reset(batch.shape(), boards.len());
    boards.iter().enumerate().for_each(|(to, &from)| out.copy_board(to, batch, from));
    out
}

/// The boards with candidates in all open cells, which some formats need.
fn filled_in(batch: &Batch) -> Batch {
    let mut out = chosen(batch, &(0..batch.len()).collect::<Vec<_>>());
    (0..out.len()).for_each(|board| _ = fill_candidates(&mut out, board, FillCandidates::Auto));
    out
}

/// The form of the strings when they are read: that of the kind of the boards.
fn of_kind(mut form: Form, batch: &Batch) -> Form {
    form.shape = Shape::new(batch.shape().kind, form.shape.side);
    form
}

/// Whether two boards of two batches are the same but for the colours of cages and the numbers of regions.
fn alike(a: &Batch, i: usize, b: &Batch, j: usize) -> bool {
    let (shape, n) = (a.shape(), a.shape().side.get());
    let own = |batch: &Batch, board: usize| board * batch.stride()..board * batch.stride() + n * n;
    let cages = |batch: &Batch, board: usize| components(&batch.colours()[own(batch, board)], n)[..n * n].to_vec();
    let regions = |batch: &Batch, board: usize| -> Vec<Option<usize>> {
        let numbers = &batch.regions()[own(batch, board)];
        numbers.iter().map(|number| numbers.iter().position(|first| first == number)).collect()
    };
    shape == b.shape()
        && (0..n * n).all(|cell| a.code(i, cell) == b.code(j, cell))
        && (!shape.kind.has_regions() || regions(a, i) == regions(b, j))
        && (!shape.kind.has_cages() || cages(a, i) == cages(b, j))
        && (!shape.kind.has_cages() || a.contents()[own(a, i)] == b.contents()[own(b, j)])
}

/// Writes boards that the form can hold, reads them back with every kernel, and writes them again.
fn comes_back(form: Form, batch: &Batch) {
    let what = |i: usize| format!("{} {} {} side {} board {i}", form.id, form.layout, form.shape.kind, form.shape.side);
    let kernels = kernels::available();
    let (text, ends, held) = written(form, batch, kernels[0]);
    assert_eq!(held, kernels::all_bits(batch.len()), "{}", what(0));
    let starts: Vec<u32> = std::iter::once(9).chain(ends.iter().map(|&end| end as u32 + 1)).take(ends.len()).collect();
    let ends: Vec<u32> = ends.iter().map(|&end| end as u32).collect();
    let records = Records { bytes: text.as_slice(), starts: &starts, ends: &ends };
    for i in 0..batch.len() {
        let read = form.id.codec().recognise(records.get(i), &hints(form)).unwrap();
        let read = resolve_layout(read, records.get(i), &Evidence::default()).unwrap();
        assert_eq!(read, of_kind(form, batch), "{}", what(i));
    }
    let form = of_kind(form, batch);
    for kernel in kernels {
        let mut back = Batch::new();
        let decoded = form.id.codec().decode(form, records, &mut back, kernel);
        assert_eq!(
            (decoded.good, decoded.doubtful),
            (kernels::all_bits(batch.len()), 0),
            "{} {}",
            kernel.name,
            what(0)
        );
        for i in 0..batch.len() {
            let is_same = match form.id {
                Format::Plain | Format::V0 | Format::V1 | Format::Offset32 | Format::V2 | Format::Wolfram => {
                    same_board(batch, i, &back, i)
                }
                // Cages have new colours, and regions new numbers.
                _ => alike(batch, i, &back, i),
            };
            assert!(is_same, "{} {}", kernel.name, what(i));
        }
        let (again, ends_again, held) = written(form, &back, kernel);
        assert_eq!(held, kernels::all_bits(batch.len()));
        assert!(
            again.as_slice() == text.as_slice()
                && ends_again == ends.iter().map(|&end| end as usize).collect::<Vec<_>>()
        );
    }
}

/// Every board of a batch through every format.
fn all_ways(batch: &Batch, taken: &mut [usize]) {
    let shape = batch.shape();
    for form in forms(shape) {
        let format = form.id.codec();
        let holds = format.holds(form);
        let (_, _, held) = written(form, batch, kernel());
        let unwritable = |i: usize| format.unwritable(form, batch, i).is_some();
        let lossless = |i: usize| losses(batch, i, &holds).is_empty();
        for i in 0..batch.len() {
            // The encoder's answer agrees with the losses, which explain it.
            let groups_fit = holds.groups || batch.groups(i).is_none_or(|groups| groups.implied_by(shape.kind));
            if holds.whole_shape(shape) && groups_fit {
                assert_eq!(held >> i & 1 == 1, lossless(i) && !unwritable(i), "{} {}", form.id, shape.kind);
            }
        }
        let whole: Vec<usize> = (0..batch.len()).filter(|&i| lossless(i) && !unwritable(i)).collect();
        taken[form.id as usize] += whole.len();
        if !whole.is_empty() {
            comes_back(form, &chosen(batch, &whole));
        }
        let writable: Vec<usize> = (0..batch.len()).filter(|&i| !unwritable(i)).collect();
        if !writable.is_empty() {
            // What `--lossy` leaves can be held.
            let mut flat = Batch::new();
            flatten(&chosen(batch, &writable), form.shape, &holds, &mut flat);
            (0..flat.len()).for_each(|i| assert!(losses(&flat, i, &holds).is_empty(), "{} {}", form.id, shape.kind));
            comes_back(form, &flat);
        }
    }
}

#[test]
fn made_boards_come_back_from_every_format() {
    let mut taken = vec![0; REGISTRY.len()];
    for (seed, shape) in shapes().enumerate() {
        // Making large boards takes minutes without optimisation; boards with any contents are tested below.
        if (shape.kind.has_black() || shape.kind.has_regions()) && !shape.side.is_small() {
            continue;
        }
        let mixes = if shape.side == Side::NINE { &Mix::ALL[..] } else { &[Mix::Progress] };
        for batch in mixes.iter().filter_map(|&mix| made(shape, mix, shape.side != Side::NINE, seed as u64)) {
            all_ways(&batch, &mut taken);
            all_ways(&filled_in(&batch), &mut taken);
        }
    }
    // Puzzles have clues, which v0 cannot hold: all boards went through it as `--lossy` leaves them.
    let is_taken = |(format, &taken): (&&dyn Codec, &usize)| (taken > 20) == (format.about().id != Format::V0);
    assert!(
        REGISTRY.iter().zip(&taken).filter(|(format, _)| format.about().id.is_written()).all(is_taken),
        "{taken:?}"
    );
}

#[test]
fn boards_that_hold_anything_come_back_from_every_format() {
    let mut rng = Rng(20);
    let mut taken = vec![0; REGISTRY.len()];
    for shape in shapes() {
        let times = if shape.side == Side::NINE { often(6, 12) } else { often(1, 3) };
        (0..times).for_each(|_| all_ways(&anything(shape, &mut rng), &mut taken));
    }
    // Random candidates exclude most of the random digits beside them, and few boards have no digits or only clues.
    let rare = [Format::Pencilmarks, Format::PsKiller, Format::SgtKeen, Format::Puzzlink];
    let is_taken = |(format, &taken): (&&dyn Codec, &usize)| {
        taken > if rare.contains(&format.about().id) { 0 } else { often(24, 64) }
    };
    assert!(
        REGISTRY.iter().zip(&taken).filter(|(format, _)| format.about().id.is_written()).all(is_taken),
        "{taken:?}"
    );
}

#[test]
fn every_kind_has_a_format_and_side_nine_all_but_those_that_need_more() {
    for shape in shapes() {
        let ids: Vec<Format> = forms(shape).iter().map(|form| form.id).collect();
        assert!(ids.contains(&Format::V2), "{} {}", shape.kind, shape.side);
        let needs_nine = |id: &Format| {
            matches!(id, Format::V0 | Format::V1 | Format::Offset32 | Format::Wolfram)
                || matches!(id, Format::Hodoku | Format::Pencilmarks | Format::PsKiller)
        };
        assert!(shape.side == Side::NINE || !ids.iter().any(needs_nine), "{} {}", shape.kind, shape.side);
    }
    // Two more layouts.
    let forms = forms(Shape::new(Kind::Str8ts, Side::NINE));
    let ids: HashSet<Format> = forms.iter().map(|form| form.id).collect();
    assert_eq!(forms.len(), ids.len() + 2);
}
