//! Reads and writes the format `v2`: a header of type letter, side and version, then base 36 with a fixed width for
//! each cell (docs/FORMATS.md, "v2").

mod explain;
mod fields;
mod large;
mod layout_faults;
mod layout_rules;
mod packed;
mod samples;
mod str8ts;
mod str8ts_layouts;

use super::text::length;
use super::{
    About, Codec, Form, Format, Hints, Holds, Layout, LayoutDoc, LayoutRules, Loss, Losses, Records, Remainder,
    Samples, StringsOut,
    cages::{self, OpenCages},
};
use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject, escape, plural};
use crate::kernels::tables::{BAD, DIGIT36, DIGITS};
use crate::kernels::{Decoded, Kernel, Pairs, Texts, all_bits};
use fields::FieldSizes;

/// The format `v2`.
pub(super) struct V2;

/// The length of a header.
const HEADER: usize = 3;

static ABOUT: About = About {
    id: Format::V2,
    name: "v2",
    summary: "header and base 36; all kinds and sides, nothing is lost",
    layouts: &[
        LayoutDoc {
            kinds: "sudoku, sudoku-x, windoku, colour-sudoku",
            body: "S9B X9B W9B C9B, cell code",
            length: "165",
        },
        LayoutDoc { kinds: "jigsaw", body: "J9B, region and cell code", length: "246" },
        LayoutDoc { kinds: "killer", body: "L9B, cage colour, sum and cell code", length: "327" },
        LayoutDoc { kinds: "killer-jigsaw", body: "M9B, region, cage colour, sum and cell code", length: "408" },
        LayoutDoc {
            kinds: "kenken, kendoku",
            body: "K6C D6C, cage colour, content and cell code",
            length: "147 (side 6)",
        },
        LayoutDoc {
            kinds: "str8ts, str8ts-x, str8ts-b, str8ts-bx",
            body: "T9B U9B B9B V9B, str8ts cell code",
            length: "165",
        },
    ],
};

impl Codec for V2 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
        let shape = read_header(text)?;
        let mut form = form(shape);
        if shape.kind.has_black() {
            form.layout = match hints.layouts.get(Format::V2) {
                Some(Layout::Nine) if !str8ts_layouts::has_nine(shape.side) => Layout::Spec,
                said => said.unwrap_or(Layout::Undecided),
            };
        }
        if text.len() == form.width || length(text) == form.width {
            return Ok(form);
        }
        let draft = if &text[..3] == b"L9B" && text.len() == 408 {
            " (408 characters are an early draft of L9B, which no longer exists)"
        } else {
            ""
        };
        let after = length(text) - HEADER;
        let words = format!(
            "{after} character{} after the header {}, expected {}{draft}",
            plural(after),
            escape(&text[..HEADER]),
            form.width - HEADER
        );
        Err(Reject::whole(Code::Length, words))
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded {
        batch.reset(form.shape, records.len());
        if form.layout == Layout::Undecided {
            return Decoded::default();
        }
        let fields = FieldSizes::in_layout(form.shape, form.layout);
        let good = match pairs(form.shape, &fields) {
            Some(pairs) => {
                // The kernel takes the bodies: the same records without their headers.
                let mut bodies = [0; crate::board::BATCH];
                let bodies = &mut bodies[..records.len()];
                bodies.iter_mut().zip(records.starts).for_each(|(body, start)| *body = start + HEADER as u32);
                (kernel.codecs.decode_pairs36)(
                    Texts { bytes: records.bytes, starts: bodies },
                    pairs,
                    batch.codes16_mut(),
                )
            }
            None if form.shape.side <= Side::NINE => packed::decode_all(records, &fields, batch, kernel),
            None if large::applies(batch, &fields) => large::decode_all(records, &fields, batch, kernel),
            None => (0..records.len())
                .map(|i| u64::from(decode_fields(&records.get(i)[HEADER..], &fields, batch, i)) << i)
                .fold(0, |bits, bit| bits | bit),
        };
        let good = match form.shape.kind.has_cages() {
            true => cages::valid_boards(batch, good, OpenCages::Held, kernel),
            false => good,
        };
        if form.layout == Layout::Spec {
            return Decoded { good, ..Decoded::default() };
        }
        let (good, doubtful) = str8ts::codes_to_spec(form.layout, batch, good);
        Decoded { good, doubtful, ..Decoded::default() }
    }

    fn remainder(&self, form: Form, text: &[u8]) -> Remainder {
        let mut losses = Losses::default();
        if form.layout == Layout::First && text.len() == form.width {
            str8ts::doubtful_cells(&form, text).into_iter().for_each(|cell| losses.add_cell(Loss::Black, cell));
        }
        Remainder { losses, ..Remainder::default() }
    }

    fn explain(&self, form: Form, text: &[u8]) -> Reject {
        explain::explain(super::evidence::likely_form(form, text), text)
    }

    fn writes(&self, shape: Shape) -> Result<Form, Reject> {
        if !shape.kind.rules().sides.contains(&(shape.side.get() as u8)) {
            let words = format!("v2 has no header for a {} of side {}", shape.kind, shape.side);
            return Err(Reject::whole(Code::Unsupported, words));
        }
        Ok(form(shape))
    }

    fn holds(&self, form: Form) -> Holds {
        Holds::all(std::slice::from_ref(&form.shape.kind.rules().kind))
    }

    fn encode(&self, form: Form, batch: &Batch, kernel: &Kernel, out: StringsOut<'_>) -> u64 {
        let fields = FieldSizes::in_layout(form.shape, form.layout);
        let header = header(form.shape);
        out.fixed(form.width, batch.len(), |out, pitch| {
            match pairs(form.shape, &fields).filter(|_| form.layout == Layout::Spec) {
                Some(pairs) => (kernel.codecs.encode_pairs36)(batch.codes16(), pairs, &mut out[HEADER..], pitch),
                None if form.shape.side <= Side::NINE && form.layout == Layout::Spec => {
                    packed::encode_all(&fields, batch, kernel, &mut out[HEADER..], pitch);
                }
                None => {
                    for i in 0..batch.len() {
                        encode_fields(form, &fields, batch, i, &mut out[i * pitch + HEADER..][..form.width - HEADER]);
                    }
                }
            }
            // Headers are written after the bodies, because a kernel may write past the end of a body.
            let places = out.chunks_mut(pitch).take(batch.len()).filter_map(|place| place.first_chunk_mut());
            places.for_each(|place| *place = header);
            all_bits(batch.len())
        })
    }

    fn layout_rules(&self) -> Option<&'static dyn LayoutRules> {
        Some(&layout_rules::V2Layouts)
    }
}

pub(super) const SAMPLES: &[Samples] = &[samples::SAMPLES, samples::STR8TS];

/// Appends strings of side 9 whose cells have only a code: writes the headers, and calls `fill` to write the bodies.
/// `fill` returns the number of solved cells, or `None` to append nothing. Formats that convert directly to v2 use this
/// function.
pub(super) fn bodies(
    form: Form,
    boards: usize,
    out: StringsOut<'_>,
    fill: impl FnOnce(&mut [u8], usize) -> Option<u32>,
) -> Option<Decoded> {
    let plain = form.id == Format::V2 && form.shape.side == Side::NINE && form.shape.kind.is_plain();
    let StringsOut { text, gap, ends } = out;
    let (start, header) = (text.len(), header(form.shape));
    let mut solved = None;
    if !plain {
        return None;
    }
    StringsOut { text, gap, ends }.fixed(form.width, boards, |out, pitch| {
        solved = fill(&mut out[HEADER..], pitch);
        out.chunks_mut(pitch).take(boards).for_each(|place| place[..HEADER].copy_from_slice(&header));
        0
    });
    if solved.is_none() {
        text.truncate(start);
    }
    solved.map(|solved| Decoded { good: all_bits(boards), solved, doubtful: 0 })
}

/// Whether a string that fits no other format may be meant as v2: it has a header, something like a header, or the
/// length of a v2 string.
pub(super) fn resembles(text: &[u8]) -> bool {
    let is_letter = text.first().is_some_and(|&letter| Kind::from_letter(letter).is_some());
    let has_header = || match text {
        [_, side, version, ..] => side.is_ascii_digit() && b"ABCX".contains(&version.to_ascii_uppercase()),
        _ => false,
    };
    is_letter && (has_length(length(text)) || (has_header() || read_header(text).is_ok()) && !is_digest(text))
}

/// Whether a text is a digest in hexadecimal digits, which may begin as a header does.
fn is_digest(text: &[u8]) -> bool {
    matches!(text.len(), 32 | 40 | 56 | 64 | 96 | 128) && text.iter().all(u8::is_ascii_hexdigit)
}

/// Whether strings of some kind and side have this length.
pub(super) fn has_length(length: usize) -> bool {
    let sides = |kind: Kind| kind.rules().sides.iter().filter_map(|&side| Side::new(side.into()));
    Kind::all().any(|kind| sides(kind).any(|side| form(Shape::new(kind, side)).width == length))
}

/// Returns the form of a shape that has a header.
fn form(shape: Shape) -> Form {
    let width = HEADER + FieldSizes::of(shape).width * shape.side.cells();
    Form { id: Format::V2, shape, layout: Layout::Spec, width }
}

/// Returns the header of a shape, in upper case.
fn header(shape: Shape) -> [u8; HEADER] {
    let rules = shape.kind.rules();
    [rules.letter, shape.side.letter(), rules.version]
}

/// Reads the kind and side from a header in upper or lower case.
pub(super) fn read_header(text: &[u8]) -> Result<Shape, Reject> {
    let wrong = |words: String| Err(Reject::whole(Code::Header, words));
    let Some(&[letter, side, version]) = text.get(..HEADER) else {
        let words =
            format!("{0} character{1} are too short for a v2 header such as S9B", length(text), plural(length(text)));
        return Err(Reject::whole(Code::Length, words));
    };
    let shown = escape(&[letter, side, version].map(|byte| byte.to_ascii_uppercase()));
    let Some(kind) = Kind::from_letter(letter) else {
        return wrong(format!("'{shown}' is not a v2 header: no kind has that letter (S X W C J L M K D T U B V)"));
    };
    let rules = kind.rules();
    let Some(side) = Side::from_letter(side).filter(|side| rules.sides.contains(&(side.get() as u8))) else {
        let sides = rules.sides.iter().filter_map(|&side| Side::new(side.into()));
        let letters = sides.map(|side| char::from(side.letter()).to_string()).collect::<Vec<_>>().join(" ");
        return wrong(format!("'{shown}' is not a v2 header: a {kind} has the sides {letters}"));
    };
    if version.to_ascii_uppercase() != rules.version {
        let why = match shown.as_str() {
            "V9X" => " (V9X in the published table is a misprint for V9B)".to_string(),
            _ if rules.version == b'C' && version.eq_ignore_ascii_case(&b'B') => {
                " (drafts with version B exist in two indistinguishable layouts)".to_string()
            }
            _ => String::new(),
        };
        let expected = escape(&header(Shape::new(kind, side)));
        return wrong(format!("'{shown}' is not a v2 header: expected {expected} for a {kind} of side {side}{why}"));
    }
    Ok(Shape::new(kind, side))
}

/// Whether a string with the width of `form` has the header of `form`.
pub(super) fn same_header(form: &Form, text: &[u8]) -> bool {
    text[..HEADER].eq_ignore_ascii_case(&header(form.shape))
}

/// Returns the parameters of the kernel for cells of two characters that have only a code, or none for other cells.
fn pairs(shape: Shape, fields: &FieldSizes) -> Option<Pairs> {
    (fields.only_code() && fields.width == 2).then(|| Pairs {
        cells: shape.side.cells(),
        row: shape.stride(),
        max: fields.max as u16,
    })
}

/// Decodes a body with any width and fields. Returns false if a field is out of range.
fn decode_fields(body: &[u8], fields: &FieldSizes, batch: &mut Batch, board: usize) -> bool {
    let shape = batch.shape();
    let at = board * batch.stride();
    for (i, digits) in body.chunks_exact(fields.width).enumerate() {
        let (mut value, mut marks) = (0_u64, 0);
        for &byte in digits {
            let digit = DIGIT36[byte as usize];
            marks |= digit;
            value = value * 36 + u64::from(digit);
        }
        if marks & BAD != 0 || value > fields.max {
            return false;
        }
        let cell = fields.split(value);
        if !fields.within(&cell) {
            return false;
        }
        batch.set_code(board, i, cell.code);
        if shape.kind.has_regions() {
            batch.regions_mut()[at + i] = cell.region as u8;
        }
        if shape.kind.has_cages() {
            batch.colours_mut()[at + i] = cell.colour as u8;
            batch.contents_mut()[at + i] = cell.content as u16;
        }
    }
    true
}

/// Writes a body with any width and fields. A row without a board is written as arbitrary digits.
fn encode_fields(form: Form, fields: &FieldSizes, batch: &Batch, board: usize, out: &mut [u8]) {
    let shape = batch.shape();
    let at = board * batch.stride();
    for (i, digits) in out.chunks_exact_mut(fields.width).enumerate() {
        let code = str8ts_layouts::from_spec(form.layout, shape.side, batch.code(board, i));
        let mut cell = fields::FieldValues { code, ..Default::default() };
        if shape.kind.has_regions() {
            cell.region = batch.regions()[at + i].into();
        }
        if shape.kind.has_cages() {
            cell.colour = batch.colours()[at + i].into();
            cell.content = batch.contents()[at + i].into();
        }
        let mut value = fields.join(&cell);
        for digit in digits.iter_mut().rev() {
            *digit = DIGITS[(value % 36) as usize];
            value /= 36;
        }
    }
}
