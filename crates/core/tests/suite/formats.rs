//! The samples of every format, and round trips of random boards through every format.

use crate::kernel;
use gridmill_core::board::{BATCH, Batch, Cell, Kind, Shape, Side};
use gridmill_core::error::{Code, Reject};
use gridmill_core::formats::{
    Evidence, Form, Format, Hints, Layout, Losses, REGISTRY, Records, StringsOut, Text, losses, read_one,
    resolve_layout,
};
use gridmill_core::kernels::{self, Kernel};
use proptest::prelude::*;

/// Decodes one string as a named format, as the engine does.
pub(crate) fn decode(id: Format, hints: &Hints, text: &[u8]) -> Result<(Form, Batch), Reject> {
    decode_with(id, hints, text, kernel())
}

fn decode_with(id: Format, hints: &Hints, text: &[u8], kernel: &Kernel) -> Result<(Form, Batch), Reject> {
    let form = id.codec().recognise(text, hints)?;
    let form = resolve_layout(form, text, &Evidence::default())?;
    if form.width != 0 && form.width != text.len() {
        return Err(id.codec().explain(form, text));
    }
    let mut batch = Batch::new();
    let records = Records { bytes: text, starts: &[0], ends: &[text.len() as u32] };
    let decoded = id.codec().decode(form, records, &mut batch, kernel);
    if decoded.good == 1 { Ok((form, batch)) } else { Err(id.codec().explain(form, text)) }
}

/// Encodes board 0 of a batch, or returns why that is impossible.
pub(crate) fn encode(id: Format, batch: &Batch) -> Result<String, Reject> {
    encode_as(id, batch, id.codec().writes(batch.shape())?.layout)
}

/// Encodes board 0 of a batch in a Str8ts layout, or returns why that is impossible.
pub(crate) fn encode_as(id: Format, batch: &Batch, layout: Layout) -> Result<String, Reject> {
    let form = id.codec().writes(batch.shape())?.write_as(layout);
    let holds = id.codec().holds(form);
    let lost: Losses = losses(batch, 0, &holds);
    let mut out = Text::new();
    let mut ends = [0; BATCH];
    if !lost.is_empty() {
        return Err(lost.reject(id.name(), batch.shape().side.get()));
    }
    let held = id.codec().encode(form, batch, kernel(), StringsOut { text: &mut out, gap: 0, ends: &mut ends });
    if let Some(reject) = id.codec().unwritable(form, batch, 0) {
        assert_eq!(held & 1, 0, "{reject}");
        return Err(reject);
    }
    assert_eq!(held, (1 << batch.len()) - 1, "losses() found none");
    Ok(String::from_utf8(out.as_slice().to_vec()).unwrap())
}

#[test]
fn good_samples_decode_and_come_back_and_bad_ones_name_their_cell() {
    for kernel in kernels::available() {
        for format in REGISTRY {
            let id = format.about().id;
            let samples = id.samples();
            assert!(samples.iter().any(|samples| !samples.bad.is_empty()), "{id}");
            for good in samples.iter().flat_map(|samples| samples.good) {
                let (form, batch) = decode_with(id, &Hints::default(), good.text.as_bytes(), kernel).unwrap();
                assert_eq!(form.shape.kind, good.kind, "{id} {}", good.text);
                // Some formats, or some of their boards, are only read.
                if id.codec().writes(batch.shape()).is_ok() {
                    assert_eq!(encode(id, &batch).unwrap(), good.canonical.unwrap_or(good.text), "{id}");
                }
            }
            for bad in samples.iter().flat_map(|samples| samples.bad) {
                let Err(reject) = decode_with(id, &Hints::default(), bad.text.as_bytes(), kernel) else {
                    panic!("{id} accepts {}", bad.text)
                };
                assert_eq!(reject.code, bad.code, "{id} {} {}", bad.text, reject.message);
                assert_eq!(reject.cell.map(|cell| (cell.row, cell.column)), bad.cell, "{id} {}", bad.text);
            }
        }
    }
}

#[test]
fn every_name_reads_back_and_the_registry_is_in_order() {
    for (i, format) in REGISTRY.iter().enumerate() {
        assert_eq!(format.about().id as usize, i);
        assert_eq!(format.about().name.parse::<Format>(), Ok(format.about().id));
    }
    for kind in Kind::all() {
        assert_eq!(kind.name().parse::<Kind>(), Ok(kind));
    }
    assert!("sudoku9".parse::<Kind>().is_err() && "v3".parse::<Format>().is_err());
}

#[test]
fn pages_of_sudokupad_are_no_puzzles() {
    let code = |text: &str, from| {
        let read = read_one(text.as_bytes(), from, &Hints::default(), &Evidence::default());
        read.map(|_| ()).map_err(|reject| reject.code)
    };
    for text in ["https://sudokupad.app/about", "https://sudokupad.app/Blog/2024"] {
        assert_eq!(code(text, Some(Format::Sudokupad)), Err(Code::Header), "{text}");
        assert_eq!(code(text, None), Err(Code::Header), "{text}");
    }
    assert_eq!(code("https://sudokupad.app/wsj7iunsg6", None), Err(Code::Remote));
    for text in ["sudokupad://puzzle/wsj7iunsg6", "SudokuPad://PUZZLE/wsj7iunsg6"] {
        assert_eq!(code(text, None), Err(Code::Remote), "{text}");
    }
}

#[test]
fn formats_that_are_only_read_are_no_targets() {
    let (written, read): (Vec<Format>, Vec<_>) =
        REGISTRY.iter().map(|format| format.about().id).partition(|id| id.is_written());
    assert!(written.contains(&Format::V2) && written.contains(&Format::SgtKeen) && read.contains(&Format::Sumocue));
    for id in written {
        assert_eq!(Format::to_write(id.name()), Ok(id));
        assert_eq!(id.codec().about().description(), id.codec().about().summary);
    }
    for id in read {
        let words = Format::to_write(id.name()).expect_err("a format that is only read");
        assert!(
            words.starts_with(&format!("{id} strings can be read but not written; formats that are written: plain,"))
        );
        assert!(id.codec().about().description().ends_with("; read only"));
        assert!(!words.split(", ").any(|name| name == id.name()), "{words}");
    }
    assert!(Format::to_write("v3").is_err());
}

fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        Just(Cell::Empty),
        (1..=9_u8).prop_map(Cell::Clue),
        (1..=9_u8).prop_map(Cell::Solved),
        (1..=511_u32).prop_map(Cell::Candidates),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// What a format claims to hold is read back. Anything else is a named loss and not written.
    #[test]
    fn what_is_held_comes_back(cells in prop::collection::vec(cell(), 81), simple in any::<bool>()) {
        let mut batch = Batch::new();
        batch.reset(Shape::new(Kind::Sudoku, Side::NINE), 1);
        for (i, &cell) in cells.iter().enumerate() {
            batch.set_cell(0, i, if simple && !matches!(cell, Cell::Clue(_)) { Cell::Empty } else { cell });
        }
        for format in REGISTRY {
            let id = format.about().id;
            if let Ok(text) = encode(id, &batch) {
                let (_, back) = decode(id, &Hints::default(), text.as_bytes()).unwrap();
                prop_assert_eq!(&back.codes16()[..81], &batch.codes16()[..81], "{}", id);
            } else {
                prop_assert!(id != Format::V2 && id != Format::Offset32);
            }
        }
    }
}

/// Returns the strings of records of one width, put one after the other, in v2, as [`Codec::rewrite`] and as decoding and
/// encoding make them. A form that is not rewritten gives `None` for the first.
fn rewritten(id: Format, kernel: &Kernel, texts: &[Vec<u8>]) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    let form = id.codec().recognise(&texts[0], &Hints::default()).expect("a known length");
    let target = Format::V2.codec().writes(form.shape).expect("a shape of v2");
    let bytes = texts.concat();
    let starts: Vec<u32> = (0..).step_by(form.width).take(texts.len()).collect();
    let ends: Vec<u32> = starts.iter().map(|start| start + form.width as u32).collect();
    let records = Records { bytes: &bytes, starts: &starts, ends: &ends };
    let mut ends = [0; BATCH];
    let mut out = Text::new();
    out.push(b"before");
    let done =
        id.codec().rewrite([form, target], records, kernel, StringsOut { text: &mut out, gap: 1, ends: &mut ends });
    let text = |out: &Text, ends: &[usize; BATCH]| -> Vec<u8> {
        ends[..texts.len()].iter().flat_map(|&end| out.as_slice()[end - target.width..end].to_vec()).collect()
    };
    let straight = done.map(|decoded| (decoded, text(&out, &ends)));
    assert_eq!(out.len(), 6 + straight.as_ref().map_or(0, |_| texts.len() * (target.width + 1)));
    let mut batch = Batch::new();
    let decoded = id.codec().decode(form, records, &mut batch, kernel);
    let all_good = decoded.good == u64::MAX >> (BATCH - texts.len());
    let in_two_steps = all_good.then(|| {
        let mut out = Text::new();
        Format::V2.codec().encode(target, &batch, kernel, StringsOut { text: &mut out, gap: 0, ends: &mut ends });
        text(&out, &ends)
    });
    if let Some((straight, _)) = &straight {
        assert_eq!((straight.good, straight.solved), (decoded.good, decoded.solved), "{id} {}", kernel.name);
    }
    (straight.map(|(_, text)| text), in_two_steps)
}

#[test]
fn plain_strings_are_rewritten_to_what_decoding_and_encoding_make_of_them() {
    let puzzle = *b"1.0...569492056108056109240009640801064010000218035604040500016905061402621000.05";
    for kernel in kernels::available() {
        // Every byte value at every place, in the first and in the last of several strings.
        for (place, byte) in (0..81).flat_map(|place| (0..=u8::MAX).map(move |byte| (place, byte))) {
            for changed in [0, 2] {
                let mut texts = vec![puzzle.to_vec(); 3];
                texts[changed][place] = byte;
                let (straight, in_two_steps) = rewritten(Format::Plain, kernel, &texts);
                let is_rewritten = byte.is_ascii_digit() || byte == b'.';
                assert_eq!(straight.is_some(), is_rewritten, "{} {place} {byte}", kernel.name);
                assert!(straight.is_none() || straight == in_two_steps, "{} {place} {byte}", kernel.name);
            }
        }
        for count in 1..=BATCH {
            let texts: Vec<Vec<u8>> =
                (0..count).map(|i| puzzle.iter().cycle().skip(i).take(81).copied().collect()).collect();
            let (straight, in_two_steps) = rewritten(Format::Plain, kernel, &texts);
            assert!(straight.is_some() && straight == in_two_steps, "{} {count}", kernel.name);
        }
    }
}
