//! Strings of every format, damaged in every way: nothing panics, a refusal is explained, an accepted string has no
//! fault, and all kernels and batches agree.

use crate::kernel;
use gridmill_core::board::{BATCH, Batch, Kind, Shape};
use gridmill_core::error::{Code, Reject};
use gridmill_core::formats::{
    DecodedString, Evidence, Form, Format, FormatLayouts, Hints, Layout, Records, losses, read_one, resolve_layout,
};
use gridmill_core::kernels::{self, all_bits};

use crate::forms::{forms, same_board, written};
use crate::random::{Rng, anything, often, shapes};

/// Characters that are digits in some format, or look like it.
const JUNK: &[&str] = &[
    "0",
    "1",
    "2",
    "5",
    "6",
    "9",
    "a",
    "e",
    "f",
    "k",
    "s",
    "u",
    "v",
    "w",
    "z",
    "A",
    "S",
    "V",
    "Z",
    ",",
    "|",
    "#",
    "&",
    "!",
    ".",
    "_",
    "-",
    "+",
    " ",
    "\t",
    "\0",
    "\r",
    "?",
    "*",
    "x",
    "~",
    "\u{17f}",
    "\u{212a}",
    "\u{664}",
    "\u{ff11}",
    "\u{1f600}",
];

/// The hints for readers: kinds, and the layouts of v2 and v1; none, and each layout.
const HINTS: [(Option<Kind>, Option<Layout>, Option<Layout>); 4] = [
    (None, None, None),
    (None, Some(Layout::Spec), Some(Layout::Site)),
    (None, Some(Layout::Site), Some(Layout::Snippet)),
    (Some(Kind::Str8tsB), Some(Layout::First), None),
];

fn hints((kind, v2, v1): (Option<Kind>, Option<Layout>, Option<Layout>)) -> Hints {
    Hints { kind, layouts: FormatLayouts::default().with(Format::V2, v2).with(Format::V1, v1), ..Hints::default() }
}

fn damage(text: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(text.len() + 1);
    let end = (at + 1).min(text.len());
    let junk = rng.pick(JUNK).as_bytes();
    match rng.below(12) {
        0..4 => drop(text.splice(at..end, junk.iter().copied())),
        4 => drop(text.splice(at..at, junk.iter().copied())),
        5 => drop(text.splice(at..end, [])),
        6 if end > at => text[at] = rng.next() as u8,
        7 if end > at => text[at] ^= 1 << rng.below(8),
        8 if end > at => text[at] = text[at].wrapping_add(1),
        9 => text.truncate(at),
        10 if text.len() > 1 => {
            let (one, other) = (rng.below(text.len()), rng.below(text.len()));
            text.swap(one, other);
        }
        _ => {
            // Copies a piece of the string to another place.
            let (from, length) = (rng.below(text.len() + 1), rng.below(9));
            let piece = text[from..].iter().copied().take(length).collect::<Vec<_>>();
            let until = (at + piece.len()).min(text.len());
            text.splice(at..until, piece);
        }
    }
}

fn is_explained(reject: &Reject, form: Option<Form>, text: &[u8]) {
    let shown = String::from_utf8_lossy(text);
    assert!(!reject.message.is_empty() && !reject.message.contains("internal"), "{shown}: {reject}");
    assert!(
        matches!(
            reject.code,
            Code::Length
                | Code::Digit
                | Code::Range
                | Code::Flag
                | Code::Header
                | Code::Cage
                | Code::Region
                | Code::Unsupported
                | Code::Ambiguous
                | Code::Link
                | Code::Remote
        ),
        "{shown}: {reject}"
    );
    if let (Some(form), Some(cell)) = (form, reject.cell) {
        let side = form.shape.side.get();
        let within = |place: u8| (1..=side).contains(&place.into());
        assert!(within(cell.row) && within(cell.column), "{shown}: {reject}");
    }
}

/// Checks that a string is refused for this reason, perhaps with advice.
fn is_same_with_advice(one: Result<DecodedString, Reject>, reject: &Reject, shown: &str) {
    let one = one.err().unwrap_or_else(|| panic!("{shown} is not refused"));
    assert_eq!((one.code, one.cell), (reject.code, reject.cell), "{shown}");
    assert!(one.message.starts_with(&reject.message), "{shown}: {one}");
}

/// Reads a string as a format in every possible way, all of which must agree. Returns the form and the board if it is
/// accepted.
fn agreed(text: &[u8], id: Format, hints: &Hints) -> Option<(Form, Batch)> {
    let shown = String::from_utf8_lossy(text);
    let form = id.codec().recognise(text, hints).and_then(|form| resolve_layout(form, text, &Evidence::default()));
    let one = read_one(text, Some(id), hints, &Evidence::default());
    let form = match form {
        Ok(form) => form,
        Err(reject) => {
            is_explained(&reject, None, text);
            is_same_with_advice(one, &reject, &shown);
            return None;
        }
    };
    let explained = id.codec().explain(form, text);
    if form.width != 0 && form.width != text.len() {
        is_explained(&explained, Some(form), text);
        is_same_with_advice(one, &explained, &shown);
        return None;
    }
    let mut boards = kernels::available().into_iter().map(|kernel| {
        let mut batch = Batch::new();
        let records = Records { bytes: text, starts: &[0], ends: &[text.len() as u32] };
        let decoded = id.codec().decode(form, records, &mut batch, kernel);
        (kernel.name, decoded, batch)
    });
    let (_, decoded, batch) = boards.next().expect("a kernel");
    let good = decoded.good == 1;
    for (name, other, board) in boards {
        assert_eq!(other, decoded, "{name}: {shown}");
        assert!(!good || same_board(&board, 0, &batch, 0), "{name}: {shown}");
    }
    if !good {
        is_explained(&explained, Some(form), text);
        is_same_with_advice(one, &explained, &shown);
        return None;
    }
    assert!(explained.message.contains("no fault was found"), "taken, but {explained}: {shown}");
    let one = one.unwrap_or_else(|reject| panic!("{shown}: {reject}"));
    assert!(one.form == form && same_board(&one.batch, 0, &batch, 0), "{shown}");
    is_stable(&form, &batch, &shown);
    Some((form, batch))
}

/// Whatever was read can be written in its own format, and is then read as the same.
fn is_stable(form: &Form, batch: &Batch, shown: &str) {
    let format = form.id.codec();
    let Ok(to) = format.writes(batch.shape()) else {
        assert!(!form.id.is_written(), "read but not written: {shown}");
        return;
    };
    let lost = losses(batch, 0, &format.holds(to));
    // A format that cannot name the kind needs the hint.
    if to.shape.kind != form.shape.kind {
        return;
    }
    if format.unwritable(to, batch, 0).is_some() {
        return;
    }
    assert!(lost.is_empty(), "{lost}: {shown}");
    let (text, ends, held) = written(to, batch, kernel());
    assert_eq!(held, 1, "{shown}");
    let text = &text.as_slice()[9..ends[0]];
    let hints = hints((None, Some(Layout::Spec), Some(Layout::Site)));
    let alphabet = Some(to.layout).filter(|layout| Layout::ALPHABETS.contains(layout));
    let hints = Hints { layouts: hints.layouts.with(Format::Plain, alphabet), ..hints };
    let back = read_one(text, Some(form.id), &hints, &Evidence::default()).unwrap_or_else(|r| panic!("{shown}: {r}"));
    assert!(same_board(&back.batch, 0, batch, 0), "{shown}");
}

/// Reads strings of one form as one batch with something between them. Each is accepted or refused as it is alone.
fn agreed_together(form: Form, strings: &[(Vec<u8>, Option<Batch>)], rng: &mut Rng) {
    for strings in strings.chunks(BATCH) {
        let (mut text, mut starts, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for (string, _) in strings {
            text.extend((0..rng.below(4)).map(|_| b'0'));
            starts.push(text.len() as u32);
            text.extend(string);
            ends.push(text.len() as u32);
        }
        let records = Records { bytes: &text, starts: &starts, ends: &ends };
        for kernel in kernels::available() {
            let mut batch = Batch::new();
            let decoded = form.id.codec().decode(form, records, &mut batch, kernel);
            assert_eq!(decoded.good & !all_bits(strings.len()), 0);
            for (i, (string, alone)) in strings.iter().enumerate() {
                let shown = String::from_utf8_lossy(string);
                assert_eq!(decoded.good >> i & 1 == 1, alone.is_some(), "{}: {shown}", kernel.name);
                assert!(alone.as_ref().is_none_or(|alone| same_board(alone, 0, &batch, i)), "{}: {shown}", kernel.name);
            }
        }
    }
}

/// Damages the strings of one form. Returns how many were accepted and how many refused.
fn damage_strings(form: Form, batch: &Batch, rounds: usize, rng: &mut Rng) -> [usize; 2] {
    let (text, ends, _) = written(form, batch, kernel());
    let starts: Vec<usize> = std::iter::once(9).chain(ends.iter().map(|end| end + 1)).collect();
    let mut counts = [0; 2];
    let mut alike: Vec<(Vec<u8>, Option<Batch>)> = Vec::new();
    let mut first = None;
    for (&start, &end) in starts.iter().zip(&ends) {
        for _ in 0..rounds {
            let mut string = text.as_slice()[start..end].to_vec();
            // Mostly damage that keeps the length, since only such strings reach decoders.
            (0..1 + rng.below(2)).for_each(|_| damage(&mut string, rng));
            let hints = hints(*rng.pick(&HINTS));
            let named = agreed(&string, form.id, &hints);
            counts[usize::from(named.is_none())] += 1;
            match read_one(&string, None, &hints, &Evidence::default()) {
                Ok(one) => drop(agreed(&string, one.form.id, &hints)),
                Err(reject) => is_explained(&reject, None, &string),
            }
            let resolved = form
                .id
                .codec()
                .recognise(&string, &hints)
                .and_then(|form| resolve_layout(form, &string, &Evidence::default()))
                .ok()
                .filter(|form| form.width == 0 || form.width == string.len());
            if let Some(resolved) = resolved
                && *first.get_or_insert(resolved) == resolved
            {
                alike.push((string, named.map(|(_, batch)| batch)));
            }
        }
    }
    if let Some(form) = first {
        agreed_together(form, &alike, rng);
    }
    counts
}

#[test]
fn damaged_strings_are_refused_with_a_reason_or_have_no_fault() {
    let mut rng = Rng(4);
    for shape in shapes() {
        let batch = anything(shape, &mut rng);
        for form in forms(shape) {
            let rounds = often(2, if shape.side.is_small() { 6 } else { 8 });
            let [taken, refused] = damage_strings(form, &batch, rounds, &mut rng);
            assert!(refused > 0, "{form:?}: {taken} taken, {refused} refused");
        }
    }
}

/// Cages are judged by a fast check and explained by a slow one. Changes few cells of boards with cages of any shape.
#[test]
fn damaged_cages_are_refused_with_a_reason_or_have_no_fault() {
    let mut rng = Rng(5);
    for shape in shapes().filter(|shape| shape.kind.has_cages() && shape.side.is_small()) {
        let batch = anything(shape, &mut rng);
        let mut counts = [0; 2];
        for board in 0..batch.len() {
            for _ in 0..often(3, 12) {
                let mut damaged = Batch::new();
                damaged.reset(shape, 1);
                damaged.copy_board(0, &batch, board);
                let i = rng.below(shape.side.cells());
                match rng.below(4) {
                    0 => damaged.colours_mut()[i] = rng.below(5) as u8 + 1,
                    1 => damaged.contents_mut()[i] = 0,
                    2 => damaged.contents_mut()[i] = rng.below(7) as u16,
                    _ => {
                        let j = rng.below(shape.side.cells());
                        damaged.contents_mut().swap(i, j);
                    }
                }
                for form in forms(shape) {
                    let (text, ends, _) = written(form, &damaged, kernel());
                    let taken = agreed(&text.as_slice()[9..ends[0]], form.id, &Hints::default());
                    counts[usize::from(taken.is_none())] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 10), "{} {}: {counts:?}", shape.kind, shape.side);
    }
}

#[test]
fn short_and_random_strings_are_refused_with_a_reason_or_have_no_fault() {
    let mut rng = Rng(6);
    let lengths = [0, 1, 2, 3, 4, 44, 80, 81, 82, 161, 162, 163, 165, 243, 244, 246, 325, 327, 408];
    for round in 0..often(1500, 6000) {
        let length = if round % 2 == 0 { *rng.pick(&lengths) } else { rng.below(200) };
        let few = rng.below(JUNK.len()) + 1;
        let mut text = Vec::new();
        while text.len() < length {
            match rng.below(40) {
                0 => text.push(rng.next() as u8),
                _ => text.extend(JUNK[rng.below(few)].as_bytes()),
            }
        }
        if rng.once_in(4) {
            let shape: Shape = *rng.pick(&shapes().collect::<Vec<_>>());
            let header = [shape.kind.rules().letter, shape.side.letter(), shape.kind.rules().version];
            text.splice(0..text.len().min(3), header);
        }
        let hints = &hints(*rng.pick(&HINTS));
        gridmill_core::formats::REGISTRY.iter().for_each(|format| drop(agreed(&text, format.about().id, hints)));
        if let Err(reject) = read_one(&text, None, hints, &Evidence::default()) {
            is_explained(&reject, None, &text);
        }
    }
}
