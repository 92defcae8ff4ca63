//! The result for a record depends only on the record and the flags: strings of every form give the same beside others
//! of their length, which a run of lines of equal width could mistake for more of the same, as alone.

use gridmill::board::{Kind, Shape, Side};
use gridmill::engine::Conversion;
use gridmill::formats::{Evidence, Form, Format, FormatLayouts, Hints, Layout, REGISTRY, read_one};
use gridmill::kernels;

use crate::forms::{forms, hints, written};
use crate::model::{How, Model, engine};
use crate::random::{Rng, anything, often, shapes};

/// Some strings of a form.
fn strings(form: Form, shape: Shape, rng: &mut Rng) -> Vec<Vec<u8>> {
    let (text, ends, _) = written(form, &anything(shape, rng), kernels::best());
    let starts = std::iter::once(9).chain(ends.iter().map(|end| end + 1));
    let strings = starts.zip(&ends).map(|(start, &end)| text.as_slice()[start..end].to_vec());
    // Losses were accepted in writing, so the string need not be well-formed.
    strings
        .filter(|string| read_one(string, Some(form.id), &hints(form), &Evidence::default()).is_ok())
        .take(6)
        .collect()
}

/// A wolfram string of `width` bytes, padded with leading zeros of the candidates.
fn wolfram(width: usize, rng: &mut Rng) -> Option<Vec<u8>> {
    let sudoku = Shape::new(Kind::Sudoku, Side::NINE);
    let form = Format::Wolfram.codec().writes(sudoku).unwrap();
    let made = crate::random::made(sudoku, gridmill::make::Mix::Progress, false, rng.next())?;
    let (text, ends, _) = written(form, &made, kernels::best());
    let string = text.as_slice()[9..ends[0]].to_vec();
    let bar = string.iter().position(|&byte| byte == b'|').unwrap_or(string.len());
    let (clues, rest) = string.split_at(bar);
    let candidates = rest.strip_prefix(b"|").unwrap_or_default();
    let zeros = width.checked_sub(clues.len() + 1 + candidates.len())?;
    Some([clues, b"|", &vec![b'0'; zeros], candidates].concat())
}

/// A v0 string of `width` bytes.
fn v0(width: usize, rng: &mut Rng) -> Option<Vec<u8>> {
    let mut digits = [1; 81];
    for _ in 0..width.checked_sub(161)? {
        let short: Vec<usize> = (0..81).filter(|&i| digits[i] < 3).collect();
        digits[*(!short.is_empty()).then(|| rng.pick(&short))?] += 1;
    }
    let masks = digits.map(|digits| match digits {
        1 => rng.below(10),
        2 => 10 + rng.below(90),
        _ => 100 + rng.below(412),
    });
    Some(masks.map(|mask| mask.to_string()).join(",").into_bytes())
}

/// A list of digits of `width` bytes, padded with spaces.
fn list(width: usize, rng: &mut Rng) -> Option<Vec<u8>> {
    let mut values = [(); 81].map(|()| rng.below(10).to_string());
    for _ in 0..width.checked_sub(161)? {
        values[1 + rng.below(80)].insert(0, ' ');
    }
    Some(values.join(",").into_bytes())
}

/// `width` bytes of characters of one or several bytes each.
fn characters(width: usize, from: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() < width {
        text.extend_from_slice(rng.pick(from).as_bytes());
    }
    text.truncate(width);
    text
}

/// A well-formed string with some other characters, but of as many bytes, or of as many characters.
fn damaged(string: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut text = string.to_vec();
    let at = rng.below(text.len() - 4);
    match rng.below(6) {
        0 => text[at] = *rng.pick(b"|!#,;~ \r\0\xff"),
        1 => text[at..at + 2].copy_from_slice("\u{e9}".as_bytes()),
        2 => text[at..at + 4].copy_from_slice("\u{1f600}".as_bytes()),
        3 => drop(text.splice(at..at + 1, *b"\xc3\xa9")),
        4 => text.swap(at, at + 1),
        _ => text[..2].copy_from_slice(rng.pick(&[b"# ", b"##", b"#x", b"\xef\xbb"]).as_slice()),
    }
    text
}

/// Records of `width` bytes that are various other things, or invalid.
fn others(width: usize, rng: &mut Rng) -> Vec<Vec<u8>> {
    let digits: Vec<&str> = "0 1 2 3 4 5 6 7 8 9".split(' ').collect();
    let mut records = vec![
        characters(width, &digits, rng),
        characters(width, &["0", "1"], rng),
        characters(width, &["0"], rng),
        characters(width, &["0", "a", "v", ","], rng),
        characters(width, &["1", "\u{e9}", "\u{4e2d}"], rng),
        [b"# ".as_slice(), &vec![b'x'; width - 2]].concat(),
    ];
    // Clues and black cells, with or without a separator.
    let bits = characters(81, &["0", "1"], rng);
    if width == 162 || width == 243 {
        records.push([characters(width - 81, &digits, rng), bits].concat());
    }
    for _ in 0..3 {
        records.extend(wolfram(width, rng));
        records.extend(v0(width, rng));
        records.extend(list(width, rng));
    }
    records
}

/// Strings of every form, by their width.
fn pools(rng: &mut Rng) -> Vec<Vec<Vec<u8>>> {
    let mut by_width = std::collections::BTreeMap::<usize, Vec<Vec<u8>>>::new();
    for shape in shapes().filter(|shape| shape.side.is_small()) {
        for form in forms(shape).into_iter().filter(|form| form.width > 0) {
            by_width.entry(form.width).or_default().extend(strings(form, shape, rng));
        }
    }
    for (&width, pool) in &mut by_width {
        for string in pool.clone() {
            pool.push(damaged(&string, rng));
        }
        pool.extend(others(width, rng));
    }
    by_width.into_values().collect()
}

/// Lines of a pool in runs, each with its line end.
fn text(pool: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let (mut text, mut pitch) = (Vec::new(), b"\n".as_slice());
    for _ in 0..40 {
        let again = if rng.once_in(4) { 1 + rng.below(70) } else { 1 };
        let record = rng.pick(pool);
        for _ in 0..again {
            text.extend_from_slice(record);
            text.extend_from_slice(pitch);
        }
        if rng.once_in(9) {
            pitch = if rng.once_in(2) { b"\n" } else { b"\r\n" };
        }
    }
    text
}

/// The user's options. The layouts of Str8ts are always given, since strings would otherwise affect each other.
fn plans() -> Vec<Conversion> {
    let said = |from, to, kind, layout, flags| Conversion {
        from,
        to,
        hints: Hints {
            kind,
            layouts: FormatLayouts::default().with(Format::V2, layout).with(Format::V1, flags),
            ..Hints::default()
        },
        lossy: true,
        ..Conversion::default()
    };
    let mut plans = vec![
        said(None, Format::V2, None, Layout::Spec, Layout::Site),
        said(None, Format::V1, None, Layout::Site, Layout::Snippet),
        said(None, Format::V2, Some(Kind::SudokuX), Layout::First, Layout::Site),
        said(None, Format::V2, Some(Kind::Str8tsB), Layout::Spec, Layout::Snippet),
        said(None, Format::Plain, Some(Kind::Killer), Layout::Spec, Layout::Snippet),
    ];
    let named = REGISTRY.map(|format| format.about().id);
    plans.extend(named.map(|from| said(Some(from), Format::V2, None, Layout::Spec, Layout::Site)));
    plans
}

#[test]
fn records_among_others_of_their_length_come_out_as_they_do_alone() {
    let mut rng = Rng(162);
    let kernels = kernels::available().len();
    // In the gate every pool with every plan; otherwise each of both, but not with all of the other.
    let every = often(6, 1);
    for (at, pool) in pools(&mut rng).into_iter().enumerate() {
        for plan in plans().into_iter().skip(at % every).step_by(every) {
            let inputs = [text(&pool, &mut rng)];
            let expected = Model::run(plan, &inputs);
            for threads in 1..=3 {
                let (chunk, kernel) = (*rng.pick(&[1, 170, 1000, 20_000, 1 << 20]), rng.below(kernels));
                let found = engine(plan, &inputs, How { chunk, threads, way: 3, zstd: false, kernel });
                assert!(found.output == expected.output, "{plan:?} {} bytes a line", pool[0].len());
                assert_eq!(found.rejects, expected.rejects, "{plan:?}");
                assert!(found == expected, "{plan:?}");
            }
        }
    }
}
