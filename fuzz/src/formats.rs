//! Formats: a string becomes a board or is refused, whatever the kernel and the strings beside it; and a board that is
//! written is read back.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use gridmill::board::{Batch, Kind, Side};
use gridmill::convert::{Bad, Conversion, Converter, RecordGroup};
use gridmill::error::Reject;
use gridmill::formats::{
    DecodedString, Evidence, Format, FormatLayouts, Good, Hints, Layout, REGISTRY, Records, StringsOut, Text, losses,
    read_one, write_one,
};
use gridmill::kernels;
use gridmill::make::{Maker, MakerMemory, Mix};

/// The hints in an input's first byte: nothing, a kind, or the layouts.
fn hints(first: u8) -> Hints {
    let kind = Kind::all().nth(usize::from(first % 16));
    let layouts = [
        FormatLayouts::default(),
        FormatLayouts::default().with(Format::V2, Layout::Spec).with(Format::V1, Layout::Site),
    ];
    Hints { kind, layouts: layouts[usize::from(first >> 4 & 1)], ..Hints::default() }
}

/// Reads strings, writes their boards, and reads these again. Inputs with the same first byte are handled together.
pub(crate) fn quick(from: Option<Format>, inputs: &[&[u8]]) {
    let alike = |a: &&[u8], b: &&[u8]| a.first() == b.first();
    for inputs in inputs.chunk_by(alike) {
        let Some(&first) = inputs[0].first() else { continue };
        READERS.with_borrow_mut(|all| {
            let key = (from, first & 0x1f);
            all.entry(key).or_insert_with(|| Reader::new(key.0, key.1)).check(inputs);
        });
    }
}

/// Reads and writes boards, with reused memory.
struct Reader {
    converter: Converter,
    records: Memory,
    again: Again,
}

/// Consecutive records.
#[derive(Default)]
struct Memory {
    bytes: Vec<u8>,
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Memory {
    fn take<'t>(&mut self, texts: impl Iterator<Item = &'t [u8]>) {
        let Self { bytes, starts, ends } = self;
        bytes.clear();
        starts.clear();
        ends.clear();
        for text in texts {
            starts.push(bytes.len() as u32);
            bytes.extend_from_slice(text);
            ends.push(bytes.len() as u32);
            bytes.push(b'\n');
        }
    }

    fn records(&self) -> Records<'_> {
        Records { bytes: &self.bytes, starts: &self.starts, ends: &self.ends }
    }
}

impl Reader {
    fn new(from: Option<Format>, first: u8) -> Self {
        let plan = Conversion { from, hints: hints(first), bad: Bad::Reject, ..Conversion::default() };
        let converter = Converter::new(plan, kernels::best());
        Self { converter, records: Memory::default(), again: Again::default() }
    }

    fn check(&mut self, inputs: &[&[u8]]) {
        let Self { converter, records, again } = self;
        records.take(inputs.iter().map(|input| &input[1..]));
        let check = |group: &RecordGroup<'_>, boards: &Batch, good| again.check(group, boards, good);
        let read = converter.read(records.records(), &Evidence::default(), check);
        (0..inputs.len()).filter_map(|record| read.refusal(record)).for_each(is_said_well);
    }
}

/// Writes boards and reads them again.
#[derive(Default)]
struct Again {
    text: Text,
    written: Memory,
    boards: Batch,
}

impl Again {
    /// Checks that the boards in `good` are the same after they were written in the form that they were read in.
    fn check(&mut self, group: &RecordGroup<'_>, boards: &Batch, good: u64) {
        let (format, kernel) = (group.form.id.codec(), kernels::best());
        let Some(form) = format.writes(boards.shape()).ok().filter(|_| good != 0) else { return };
        let form = form.write_as(group.form.layout);
        let mut ends = [0; 64];
        self.text.clear();
        let held = good
            & format.encode(
                form,
                boards,
                kernel,
                StringsOut { text: &mut self.text, gap: 0, ends: &mut ends[..group.len()] },
            );
        assert!(form.layout != group.form.layout || held == good, "{}: what was read cannot be written", form.id);
        let text = self.text.as_slice();
        let is_held = |board: &usize| held >> board & 1 == 1;
        let start = |board: usize| board.checked_sub(1).map_or(0, |before| ends[before]);
        let held: Vec<_> = (0..group.len()).filter(is_held).collect();
        self.written.take(held.iter().map(|&board| &text[start(board)..ends[board]]));
        let decoded = format.decode(form, self.written.records(), &mut self.boards, kernel);
        assert_eq!(decoded.good.count_ones() as usize, held.len(), "{} does not read what it writes", form.id);
        for (again, &board) in held.iter().enumerate() {
            let is_same =
                (0..boards.shape().side.cells()).all(|cell| boards.code(board, cell) == self.boards.code(again, cell));
            assert!(is_same && boards.groups(board) == self.boards.groups(again), "{}: another board", form.id);
        }
    }
}

/// Checks every format and every kernel, with other strings beside this one.
pub(crate) fn thorough(from: Option<Format>, data: &[u8]) {
    let Some((&first, text)) = data.split_first() else { return };
    let first = first & 0x1f;
    let hints = hints(first);
    let read = read_one(text, from, &hints, &Evidence::default());
    match &read {
        Ok(one) => comes_back(one),
        Err(reject) => is_said_well(reject),
    }
    if !text.contains(&b'\n') && from != Some(Format::Grid) {
        is_the_same_among_others(from, first, text, &read);
    }
}

/// Whether the string of an input can be read.
pub(crate) fn takes(from: Option<Format>, data: &[u8]) -> bool {
    let read = |(first, text): (&u8, _)| read_one(text, from, &hints(first & 0x1f), &Evidence::default()).is_ok();
    data.split_first().is_some_and(read)
}

/// A message must not contain bytes that a terminal interprets, and its cell must exist.
fn is_said_well(reject: &Reject) {
    let message = &reject.message;
    let is_text = |message: &str| match message.is_ascii() {
        true => !message.bytes().any(|byte| byte.is_ascii_control()),
        false => !message.contains(char::is_control),
    };
    assert!(!message.is_empty() && is_text(message) && !message.contains("internal error"), "{reject:?}");
}

/// Every format that holds all of the board must give it back.
fn comes_back(one: &DecodedString) {
    let shape = one.batch.shape();
    for format in REGISTRY {
        let to = format.about().id;
        let Ok(string) = write_one(&one.batch, 0, to) else { continue };
        let form = format.writes(shape).expect("it was written");
        let layouts = FormatLayouts::default().with(to, form.layout);
        let again = read_one(
            string.as_bytes(),
            Some(to),
            &Hints { kind: Some(shape.kind), layouts, ..Hints::default() },
            &Evidence::default(),
        );
        // Kinds that the format cannot name are read back as another kind.
        let again = again.or_else(|_| {
            read_one(
                string.as_bytes(),
                Some(to),
                &Hints { kind: None, layouts, ..Hints::default() },
                &Evidence::default(),
            )
        });
        let again = again.unwrap_or_else(|reject| panic!("{to} does not read what it writes, {string}: {reject}"));
        assert!(losses(&one.batch, 0, &format.holds(form)).is_empty(), "{to} loses something, and does not say so");
        if again.batch.shape() == shape {
            assert_eq!(codes(&again.batch), codes(&one.batch), "{to}: {string}");
            assert_eq!(write_one(&again.batch, 0, to).ok(), Some(string), "{to}");
        }
    }
}

fn codes(batch: &Batch) -> Vec<u32> {
    (0..batch.shape().side.cells()).map(|cell| batch.code(0, cell)).collect()
}

/// A converter for each kernel.
type EveryKernel = Vec<(&'static str, Converter)>;

thread_local! {
    /// By format and hints. Making a converter for each kernel takes a hundred times as long as converting a string.
    static CONVERTERS: RefCell<HashMap<(Option<Format>, u8), EveryKernel>> = RefCell::default();
    static READERS: RefCell<HashMap<(Option<Format>, u8), Reader>> = RefCell::default();
}

fn converters(from: Option<Format>, first: u8) -> EveryKernel {
    let plan = Conversion { from, hints: hints(first), lossy: true, bad: Bad::Reject, ..Conversion::default() };
    kernels::available().into_iter().map(|kernel| (kernel.name, Converter::new(plan, kernel))).collect()
}

/// Between good strings, with every kernel, the result must be the same as alone.
fn is_the_same_among_others(from: Option<Format>, first: u8, text: &[u8], alone: &Result<DecodedString, Reject>) {
    let good = goods(from).first().map_or("", |good| good.text);
    let bytes = [good.as_bytes(), text, good.as_bytes(), text].join(&b'\n');
    let mut starts = vec![0_u32];
    starts.extend(bytes.iter().zip(1..).filter(|(byte, _)| **byte == b'\n').map(|(_, next)| next));
    let ends: Vec<u32> = starts[1..].iter().map(|start| start - 1).chain([bytes.len() as u32]).collect();
    let records = Records { bytes: &bytes, starts: &starts, ends: &ends };
    let mut as_first: Option<(Vec<u8>, Option<Reject>)> = None;
    CONVERTERS.with_borrow_mut(|all| {
        for (kernel, converter) in all.entry((from, first)).or_insert_with(|| converters(from, first)) {
            let converted = converter.convert(records, &Evidence::default());
            let at = |record: usize| (converted.string(record).to_vec(), converted.refusal(record).cloned());
            assert_eq!(at(1), at(3), "{kernel}: the same string twice");
            assert!(alone.is_err() || !at(1).0.is_empty() || at(1).1.is_some(), "{kernel}");
            if let Err(reject) = alone {
                assert_eq!(at(1).1.as_ref().map(|said| said.code), Some(reject.code), "{kernel}: {reject}");
            }
            assert_eq!(*as_first.get_or_insert_with(|| at(1)), at(1), "{kernel} differs");
        }
    });
}

fn goods(from: Option<Format>) -> Vec<&'static Good> {
    let of = |id: Format| id.samples().iter().flat_map(|samples| samples.good);
    match from {
        Some(id) => of(id).collect(),
        None => REGISTRY.iter().flat_map(|format| of(format.about().id)).collect(),
    }
}

/// The good and bad samples of a format, without hints.
pub(crate) fn seeds(from: Option<Format>) -> Vec<Vec<u8>> {
    let bad = |id: Format| id.samples().iter().flat_map(|samples| samples.bad).map(|bad| bad.text);
    let bad: Vec<_> = from.map_or_else(|| Format::ALL.to_vec(), |id| vec![id]).into_iter().flat_map(bad).collect();
    let texts = goods(from).into_iter().map(|good| good.text).chain(bad);
    texts.map(|text| [&[0x0f], text.as_bytes()].concat()).collect()
}

/// A puzzle of every kind and side, and one in progress, in a format. If the string does not name its kind, the hint
/// does.
pub(crate) fn made(from: Option<Format>) -> impl Iterator<Item = Vec<u8>> {
    /// The boards with the hints, which are made once, since some take seconds.
    static BOARDS: LazyLock<Vec<(u8, Batch)>> = LazyLock::new(|| {
        let kinds = (0_u8..).zip(Kind::all());
        let all = kinds.flat_map(|kind| {
            Side::all().flat_map(move |side| [Mix::Clues, Mix::Progress].map(|mix| (kind, side, mix)))
        });
        let made = all.filter_map(|((hint, kind), side, mix)| {
            let maker = Maker::new(kind, side, mix, 1).ok()?;
            let mut batch = Batch::new();
            batch.reset(maker.shape(), 1);
            maker.fill(0, &mut batch, &mut MakerMemory::default());
            Some((hint, batch))
        });
        made.collect()
    });
    BOARDS.iter().filter_map(move |(hint, batch)| {
        let string = write_one(batch, 0, from.unwrap_or(Format::V2)).ok()?;
        let hint = if matches!(from, None | Some(Format::V2)) { 0x0f } else { *hint };
        Some([&[hint], string.as_bytes()].concat())
    })
}

/// One string of each format, to put into text.
pub(crate) fn strings() -> &'static [&'static str] {
    static STRINGS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        REGISTRY.iter().filter_map(|format| Some(format.about().id.samples().first()?.good.first()?.text)).collect()
    });
    &STRINGS
}
