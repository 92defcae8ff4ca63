//! Reads and writes v1 killers: two halves of 162 base-32 digits with a comma between them: `sum<<3 | colour-1`, then
//! `mask<<1`. A single bit is a solved cell. The low bit of the second half is never set.

use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::formats::cages::{self, OpenCages};
use crate::formats::samples::{BadSample, Good, Samples};
use crate::formats::text::{characters, explain_cells, number, two_parts, value32};
use crate::formats::{Form, Format, Holds, Layout, Records, StringsOut, no_fault};
use crate::kernels::{Decoded, Kernel, ROW9, SimdTask, Texts};

pub(super) const WIDTH: usize = 325;
/// The position of the comma. The second half follows it.
const COMMA: usize = 162;
/// The largest sum: that of all nine digits.
const MAX_SUM: u16 = 45;

pub(super) fn form() -> Form {
    Form { id: Format::V1, shape: Shape::new(Kind::Killer, Side::NINE), layout: Layout::Spec, width: WIDTH }
}

pub(super) fn holds() -> Holds {
    Holds { clue: false, single: false, regions: false, operators: false, black: false, ..Holds::all(&[Kind::Killer]) }
}

pub(super) fn decode(form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded {
    batch.reset(form.shape, records.len());
    // The second half is a v1 sudoku without clues.
    let mut halves = [0; crate::board::BATCH];
    let halves = &mut halves[..records.len()];
    halves.iter_mut().zip(records.starts).for_each(|(half, start)| *half = start + COMMA as u32 + 1);
    let cells = (kernel.codecs.decode_v1)(Texts { bytes: records.bytes, starts: halves }, batch.codes16_mut());
    let mut decoded = Decoded::default();
    let filled = kernel.run(DecodeKillers { records, batch });
    decoded.good = cages::valid_boards(batch, cells.good & filled, OpenCages::Refused, kernel);
    decoded.solved = kernel.run(CountSolved { batch, good: decoded.good });
    decoded
}

struct DecodeKillers<'a> {
    records: Records<'a>,
    batch: &'a mut Batch,
}

impl SimdTask for DecodeKillers<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let mut good = 0;
        for i in 0..self.records.len() {
            good |= u64::from(decode_cages(self.records.get(i), self.batch, i)) << i;
        }
        good
    }
}

/// Counts the solved cells of valid boards.
struct CountSolved<'a> {
    batch: &'a Batch,
    good: u64,
}

impl SimdTask for CountSolved<'_> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let mut all = 0;
        for (i, codes) in self.batch.codes16().chunks_exact(ROW9).enumerate() {
            let mut solved = 0_u16;
            for code in &codes[..81] {
                solved += u16::from(code.wrapping_sub(10) < 9);
            }
            all += u32::from(solved) * (self.good >> i & 1) as u32;
        }
        all
    }
}

/// Decodes the cages of one board from the first half. Returns false if the first half or the comma is invalid, or if a
/// cell of the second half is a clue.
#[inline(always)]
fn decode_cages(text: &[u8], batch: &mut Batch, board: usize) -> bool {
    let row = board * batch.stride()..board * batch.stride() + 81;
    let text: &[u8; WIDTH] = text.first_chunk().expect("the width of the form");
    let mut bad = text[COMMA] != b',';
    for (pair, content) in text.as_chunks::<2>().0.iter().zip(&mut batch.contents_mut()[row.clone()]) {
        let (high, low) = (value32(pair[0]), value32(pair[1]));
        *content = u16::from(high) << 2 | u16::from(low >> 3);
        bad |= high.max(low) > 31 || *content > MAX_SUM;
    }
    for (pair, colour) in text.as_chunks::<2>().0.iter().zip(&mut batch.colours_mut()[row.clone()]) {
        *colour = (value32(pair[1]) & 7) + 1;
        bad |= *colour > 5;
    }
    let codes = &batch.codes16()[row];
    let clues = codes.iter().fold(false, |clues, &code| clues | (code.wrapping_sub(1) < 9));
    !bad & !clues
}

pub(super) fn explain(text: &[u8]) -> Reject {
    find_fault(text).err().unwrap_or_else(|| no_fault("v1"))
}

fn find_fault(text: &[u8]) -> Result<(), Reject> {
    let characters = characters(text);
    let (first, second) = two_parts(&characters, COMMA, COMMA)?;
    let range = |words: String| Some((Code::Range, words));
    let found = explain_cells(first, 32, 2, 9, |_, value| match (value >> 3, (value & 7) + 1) {
        (sum, _) if sum > MAX_SUM.into() => range(format!("cage sum {sum} is more than {MAX_SUM}")),
        (_, colour) if colour > 5 => range(format!("cage colour {colour} is more than 5")),
        _ => None,
    })
    .or_else(|| {
        let flag = |_, value| (value & 1 == 1).then(|| (Code::Flag, "the unused low bit is set".to_string()));
        explain_cells(second, 32, 2, 9, flag)
    });
    if let Some(reject) = found {
        return Err(reject);
    }
    let values = first.chunks(2).map(|digits| number(digits, 32, 0, 9)).collect::<Result<Vec<_>, _>>()?;
    let colours: Vec<u8> = values.iter().map(|value| (value & 7) as u8 + 1).collect();
    let sums: Vec<u16> = values.iter().map(|value| (value >> 3) as u16).collect();
    match cages::fault(Kind::Killer, 9, &colours, &sums, OpenCages::Refused) {
        Some((cell, words)) => Err(Reject::at(Code::Cage, cell, 9, words)),
        None => Ok(()),
    }
}

pub(super) fn encode(batch: &Batch, kernel: &Kernel, out: StringsOut<'_>) -> u64 {
    out.fixed(WIDTH, batch.len(), |out, pitch| {
        // The second halves are written first, because a kernel may write past the end of a string.
        let lossless = (kernel.codecs.encode_v1)(batch.codes16(), &mut out[COMMA + 1..], pitch);
        let lossless = lossless & kernel.run(EncodeCages { batch, out, pitch });
        lossless & !batch.open_boards(lossless)
    })
}

/// Writes the first halves and the commas. Returns the boards without clues.
struct EncodeCages<'a> {
    batch: &'a Batch,
    out: &'a mut [u8],
    pitch: usize,
}

impl SimdTask for EncodeCages<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let mut lossless = 0;
        for (i, codes) in self.batch.codes16().chunks_exact(ROW9).enumerate() {
            let row = i * ROW9..i * ROW9 + 81;
            let text: &mut [u8; COMMA + 1] = self.out[i * self.pitch..].first_chunk_mut().expect("room for the board");
            text[COMMA] = b',';
            let cages = self.batch.colours()[row.clone()].iter().zip(&self.batch.contents()[row]);
            for (digits, (&colour, &sum)) in text.as_chunks_mut::<2>().0.iter_mut().zip(cages) {
                let value = sum << 3 | u16::from(colour.wrapping_sub(1) & 7);
                *digits = [digit32((value >> 5) as u8 & 31), digit32(value as u8 & 31)];
            }
            let clues = codes[..81].iter().fold(false, |clues, &code| clues | (code.wrapping_sub(1) < 9));
            lossless |= u64::from(!clues) << i;
        }
        lossless
    }
}

/// Returns the character of a digit below 32. This is pure arithmetic, which compilers can vectorise.
#[inline(always)]
fn digit32(digit: u8) -> u8 {
    digit + if digit < 10 { b'0' } else { b'a' - 10 }
}

pub(super) const SAMPLES: Samples = Samples {
    good: &[
        Good::same(
            Kind::Killer,
            "7g00007h01017i02020000000101010202027i02027j03037k04040202020303030404047k04047g00007h010104040400000001\
             01017h01017i02027j03030101010202020303033r03033s04043o0000,6i00200000ga00000040pg000000000i0200000054000\
             08000bc000000000200000000o800080000ik0000000g5200000000cc040000003000000g0024000000008000000000ao0020000\
             0h2000000g05i",
        ),
        Good {
            kind: Kind::Killer,
            text: "7G00007H01017I02020000000101010202027I02027J03037K04040202020303030404047K04047G00007H010104040400\
                   00000101017H01017I02027J03030101010202020303033R03033S04043O0000,6I00200000GA00000040PG000000000I0\
                   20000005400008000BC000000000200000000O800080000IK0000000G5200000000CC040000003000000G0024000000008\
                   000000000AO00200000H2000000G05I",
            canonical: Some(
                "7g00007h01017i02020000000101010202027i02027j03037k04040202020303030404047k04047g00007h01010404040000\
                 000101017h01017i02027j03030101010202020303033r03033s04043o0000,6i00200000ga00000040pg000000000i02000\
                 0005400008000bc000000000200000000o800080000ik0000000g5200000000cc040000003000000g0024000000008000000\
                 000ao00200000h2000000g05i",
            ),
        },
    ],
    bad: &[
        BadSample {
            text: "7g00007h01017i02020000000101010202027i02027j03037k04040202020303030404047k04047g00007h010104040400\
                   00000101017h01017i02027j03030101010202020303033r03033s04043o000006i00200000ga00000040pg000000000i0\
                   20000005400008000bc000000000200000000o800080000ik0000000g5200000000cc040000003000000g0024000000008\
                   000000000ao00200000h2000000g05i",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "wg00007h01017i02020000000101010202027i02027j03037k04040202020303030404047k04047g00007h010104040400\
                   00000101017h01017i02027j03030101010202020303033r03033s04043o0000,6i00200000ga00000040pg000000000i0\
                   20000005400008000bc000000000200000000o800080000ik0000000g5200000000cc040000003000000g0024000000008\
                   000000000ao00200000h2000000g05i",
            code: Code::Digit,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "7g00057h01017i02020000000101010202027i02027j03037k04040202020303030404047k04047g00007h010104040400\
                   00000101017h01017i02027j03030101010202020303033r03033s04043o0000,6i00200000ga00000040pg000000000i0\
                   20000005400008000bc000000000200000000o800080000ik0000000g5200000000cc040000003000000g0024000000008\
                   000000000ao00200000h2000000g05i",
            code: Code::Range,
            cell: Some((1, 3)),
        },
        BadSample {
            text: "7g0000bg01017i02020000000101010202027i02027j03037k04040202020303030404047k04047g00007h010104040400\
                   00000101017h01017i02027j03030101010202020303033r03033s04043o0000,6i00200000ga00000040pg000000000i0\
                   20000005400008000bc000000000200000000o800080000ik0000000g5200000000cc040000003000000g0024000000008\
                   000000000ao00200000h2000000g05i",
            code: Code::Range,
            cell: Some((1, 4)),
        },
        BadSample {
            text: "7g00007h01017i02020000000101010202027i02027j03037k04040202020303030404047k04047g00007h010104040400\
                   00000101017h01017i02027j03030101010202020303033r03033s04043o0000,6i00200000ga00000140pg000000000i0\
                   20000005400008000bc000000000200000000o800080000ik0000000g5200000000cc040000003000000g0024000000008\
                   000000000ao00200000h2000000g05i",
            code: Code::Flag,
            cell: Some((1, 9)),
        },
        BadSample {
            text: "7g00007h01017i02020000000101010202027i02027j03037k04040202020303030404047k04047g00007h010104040400\
                   00000101017h01017i02027j03030101010202020303033r03033s04043o000-,6i00200000ga00000140pg000000000i0\
                   20000005400008000bc000000000200000000o800080000ik0000000g5200000000cc040000003000000g0024000000008\
                   000000000ao00200000h2000000g05i",
            code: Code::Digit,
            cell: Some((9, 9)),
        },
        BadSample {
            text: "0000007h01017i02020000000101010202027i02027j03037k04040202020303030404047k04047g00007h010104040400\
                   00000101017h01017i02027j03030101010202020303033r03033s04043o0000,6i00200000ga00000040pg000000000i0\
                   20000005400008000bc000000000200000000o800080000ik0000000g5200000000cc040000003000000g0024000000008\
                   000000000ao00200000h2000000g05i",
            code: Code::Cage,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "0000007h01017i02020000000101010202027i02027j03037k04040202020303030404047k04047g00007h010104040400\
                   00000101017h01017i02027j03030101010202020303033r03033s04043o0000,6i00200000ga00000040pg000000000i0\
                   20000005400008000bc000000000200000000o800080000ik0000000g5200000000cc040000003000000g0024000000008\
                   000000000ao00200000h2000000g0w0",
            code: Code::Digit,
            cell: Some((9, 9)),
        },
    ],
};
