//! Reads and writes v1 sudokus: 162 base-32 digits, two for each cell: `mask<<1 | clue`. A single bit is a clue, or a
//! solved cell if the flag is not set.

use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::formats::companions::is_pair;
use crate::formats::samples::{BadSample, Good, Samples};
use crate::formats::text::{characters, explain_cells, wrong_length};
use crate::formats::{Form, Format, Hints, Holds, Layout, Records, StringsOut};
use crate::kernels::{Decoded, Kernel};

pub(super) const WIDTH: usize = 162;

/// Returns the form for a kind, which the string itself cannot name.
pub(super) fn form(kind: Kind) -> Result<Form, Reject> {
    Ok(Form { id: Format::V1, shape: Shape::new(kind, Side::NINE), layout: Layout::Spec, width: WIDTH })
}

pub(super) fn holds(_: Form) -> Holds {
    Holds { single: false, regions: false, cages: false, operators: false, black: false, ..Holds::all(&[Kind::Sudoku]) }
}

pub(super) fn decode(form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded {
    batch.reset(form.shape, records.len());
    (kernel.codecs.decode_v1)(records.texts(), batch.codes16_mut())
}

pub(super) fn encode(batch: &Batch, kernel: &Kernel, out: StringsOut<'_>) -> u64 {
    out.fixed(WIDTH, batch.len(), |out, pitch| (kernel.codecs.encode_v1)(batch.codes16(), out, pitch))
}

pub(super) fn explain(_: Form, text: &[u8]) -> Reject {
    let characters = characters(text);
    if characters.len() != WIDTH {
        return wrong_length(text, "162");
    }
    let fault = explain_cells(&characters, 32, 2, 9, |_, value| {
        let digits = (value >> 1).count_ones();
        match (value & 1, digits) {
            (1, 0) => Some((Code::Flag, "the clue flag is set on an empty cell".to_string())),
            (1, 2..) => Some((Code::Flag, format!("the clue flag is set on a cell with {digits} candidates"))),
            _ => None,
        }
    });
    let mut reject = fault.unwrap_or_else(|| crate::formats::no_fault("v1"));
    if is_pair(text, 9) {
        // The advice for all strings says so.
    } else if text.iter().all(u8::is_ascii_digit) {
        // Nearly all strings of decimal digits are valid offset32, but none of them is meant as offset32.
        reject.message.push_str("; if it is a puzzle and its solution, 81 digits each, split it");
    } else if reads_as_offset32(text) {
        reject.message.push_str("; the string is well-formed offset32; read it with --from offset32");
    }
    reject
}

/// Whether the string is valid in the other format with this length and these digits (docs/FORMATS.md, "v1 traps").
fn reads_as_offset32(text: &[u8]) -> bool {
    let Ok(form) = Format::Offset32.codec().recognise(text, &Hints::default()) else { return false };
    let records = Records { bytes: text, starts: &[0], ends: &[text.len() as u32] };
    text.len() == form.width
        && Format::Offset32.codec().decode(form, records, &mut Batch::new(), &crate::kernels::SCALAR).good == 1
}

pub(super) const SAMPLES: Samples = Samples {
    good: &[
        Good::same(
            Kind::Sudoku,
            "03c848csc4cs1121g10hg005481020024881c8112002c0g1040h485848g0210h4481140350200gs403c4k81448050281k0091120k00gc8\
             0h4811s4cck80320g1c810c820020hc805210503cos0cok8s811",
        ),
        Good::same(
            Kind::Sudoku,
            "0305090h11214181g10h11214181g10305094181g10305090h112105030h09211181g14109211181g14105030h81g14105030h09211111\
             0903210h05g14181210h05g14181110903g14181110903210h05",
        ),
        Good {
            kind: Kind::Sudoku,
            text: "03C848CSC4CS1121G10HG005481020024881C8112002C0G1040H485848G0210H4481140350200GS403C4K81448050281K0091120K0\
                   0GC80H4811S4CCK80320G1C810C820020HC805210503COS0COK8S811",
            canonical: Some(
                "03c848csc4cs1121g10hg005481020024881c8112002c0g1040h485848g0210h4481140350200gs403c4k81448050281k0091120k0\
                 0gc80h4811s4cck80320g1c810c820020hc805210503cos0cok8s811",
            ),
        },
    ],
    bad: &[
        BadSample {
            text: "03c848csc4cs1121g10hg005481020024881c8112002c0g1040h485848g0210h4481140350200gs403c4k81448050281k0091120k0\
                   0gc80h4811s4cck80320g1c810c820020hc805210503cos0cok8s81",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "03w848csc4cs1121g10hg005481020024881c8112002c0g1040h485848g0210h4481140350200gs403c4k81448050281k0091120k0\
                   0gc80h4811s4cck80320g1c810c820020hc805210503cos0cok8s811",
            code: Code::Digit,
            cell: Some((1, 2)),
        },
        BadSample {
            text: "vvc848csc4cs1121g10hg005481020024881c8112002c0g1040h485848g0210h4481140350200gs403c4k81448050281k0091120k0\
                   0gc80h4811s4cck80320g1c810c820020hc805210503cos0cok8s811",
            code: Code::Flag,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "03c848csc4cs1121g10hg005481020024881c8112002c0g1040h485848g0210h4481140350200gs403c4k81448050281k0091120k0\
                   0gc80h4811s4cck80320g1c810c820020hc805210503cos0cok8s801",
            code: Code::Flag,
            cell: Some((9, 9)),
        },
    ],
};
