//! Reads and writes plain killers: 81 cage colours 1 to 5, a comma, then 162 decimal digits: the sum of a cage in its
//! first cell in reading order, 00 in other cells. Cells have no digits.

use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::formats::cages::{self, OpenCages};
use crate::formats::samples::{BadSample, Good, Samples};
use crate::formats::text::{characters, explain_cells, number, two_parts};
use crate::formats::{Form, Format, Holds, Layout, Records, StringsOut, no_fault};
use crate::kernels::{Decoded, Kernel, SimdTask};

pub(super) const WIDTH: usize = 244;
/// The largest sum: that of all nine digits.
const MAX_SUM: u64 = 45;

pub(super) fn form() -> Form {
    Form { id: Format::Plain, shape: Shape::new(Kind::Killer, Side::NINE), layout: Layout::Spec, width: WIDTH }
}

pub(super) fn holds() -> Holds {
    Holds { clue: false, cages: true, ..Holds::clues(&[Kind::Killer]) }
}

pub(super) fn decode(form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded {
    batch.reset(form.shape, records.len());
    batch.codes16_mut().fill(0);
    let good = kernel.run(DecodePlainKillers { records, batch });
    Decoded { good: cages::valid_boards(batch, good, OpenCages::Refused, kernel), ..Decoded::default() }
}

struct DecodePlainKillers<'a> {
    records: Records<'a>,
    batch: &'a mut Batch,
}

impl SimdTask for DecodePlainKillers<'_> {
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

/// Decodes the cages of one board. Returns false if a digit is invalid or out of range.
#[inline(always)]
fn decode_cages(text: &[u8], batch: &mut Batch, board: usize) -> bool {
    let row = board * batch.stride()..board * batch.stride() + 81;
    let text: &[u8; WIDTH] = text.first_chunk().expect("the width of the form");
    let mut bad = text[81] != b',';
    for (&byte, colour) in text[..81].iter().zip(&mut batch.colours_mut()[row.clone()]) {
        *colour = byte.wrapping_sub(b'0');
        bad |= colour.wrapping_sub(1) > 4;
    }
    for (pair, content) in text[82..].chunks_exact(2).zip(&mut batch.contents_mut()[row.clone()]) {
        let (tens, ones) = (pair[0].wrapping_sub(b'0'), pair[1].wrapping_sub(b'0'));
        *content = 10 * u16::from(tens) + u16::from(ones);
        bad |= tens > 4 || ones > 9 || *content > MAX_SUM as u16;
    }
    !bad
}

pub(super) fn explain(text: &[u8]) -> Reject {
    find_fault(text).err().unwrap_or_else(|| no_fault("plain"))
}

fn find_fault(text: &[u8]) -> Result<(), Reject> {
    let characters = characters(text);
    let (colours, sums) = two_parts(&characters, 81, 162)?;
    let found = explain_cells(colours, 10, 1, 9, |_, colour| {
        (!(1..=5).contains(&colour)).then(|| (Code::Range, format!("{colour} is not a cage colour (1 to 5)")))
    })
    .or_else(|| {
        explain_cells(sums, 10, 2, 9, |_, sum| {
            (sum > MAX_SUM).then(|| (Code::Range, format!("cage sum {sum} is more than {MAX_SUM}")))
        })
    });
    if let Some(reject) = found {
        return Err(reject);
    }
    let value = |digits| number(digits, 10, 0, 9);
    let colours = colours.chunks(1).map(|digit| Ok(value(digit)? as u8)).collect::<Result<Vec<_>, Reject>>()?;
    let sums = sums.chunks(2).map(|digits| Ok(value(digits)? as u16)).collect::<Result<Vec<_>, Reject>>()?;
    match cages::fault(Kind::Killer, 9, &colours, &sums, OpenCages::Refused) {
        Some((cell, words)) => Err(Reject::at(Code::Cage, cell, 9, words)),
        None => Ok(()),
    }
}

pub(super) fn encode(batch: &Batch, out: StringsOut<'_>) -> u64 {
    out.fixed(WIDTH, batch.len(), |out, pitch| {
        let mut lossless = 0;
        for (i, codes) in batch.codes16().chunks_exact(batch.stride()).enumerate() {
            let row = i * batch.stride()..i * batch.stride() + 81;
            let (colours, sums) = out[i * pitch..][..WIDTH].split_at_mut(81);
            for (digit, colour) in colours.iter_mut().zip(&batch.colours()[row.clone()]) {
                *digit = b'0' + colour % 10;
            }
            sums[0] = b',';
            for (digits, sum) in sums[1..].chunks_exact_mut(2).zip(&batch.contents()[row]) {
                digits.copy_from_slice(&[b'0' + (sum / 10 % 10) as u8, b'0' + (sum % 10) as u8]);
            }
            lossless |= u64::from(codes[..81].iter().all(|&code| code == 0)) << i;
        }
        lossless & !batch.open_boards(lossless)
    })
}

pub(super) const SAMPLES: Samples = Samples {
    good: &[Good::same(
        Kind::Killer,
        "111222333111222333333444555333444555555111222555111222222333444222333444444555111,3000003000003000000000\
             00000000000000300000300000300000000000000000000000300000300000300000000000000000000000300000300000300000\
             000000000000000000150000150000150000",
    )],
    bad: &[
        BadSample {
            text: "111222333111222333333444555333444555555111222555111222222333444222333444444555111;3000003000003000\
                   00000000000000000000300000300000300000000000000000000000300000300000300000000000000000000000300000\
                   300000300000000000000000000000150000150000150000",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "11122233311122233333344455533344455555511122255511122222233344422233344444455511,,3000003000003000\
                   00000000000000000000300000300000300000000000000000000000300000300000300000000000000000000000300000\
                   300000300000000000000000000000150000150000150000",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "x11222333111222333333444555333444555555111222555111222222333444222333444444555111,3000003000003000\
                   00000000000000000000300000300000300000000000000000000000300000300000300000000000000000000000300000\
                   300000300000000000000000000000150000150000150000",
            code: Code::Digit,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "111222333111622333333444555333444555555111222555111222222333444222333444444555111,3000003000003000\
                   00000000000000000000300000300000300000000000000000000000300000300000300000000000000000000000300000\
                   300000300000000000000000000000150000150000150000",
            code: Code::Range,
            cell: Some((2, 4)),
        },
        BadSample {
            text: "111222333111222333333444555333444555555111222555111222222333444222333444444555111,3000004600003000\
                   00000000000000000000300000300000300000000000000000000000300000300000300000000000000000000000300000\
                   300000300000000000000000000000150000150000150000",
            code: Code::Range,
            cell: Some((1, 4)),
        },
        BadSample {
            text: "111222333111222333333444555333444555555111222555111222222333444222333444444555111,0000003000003000\
                   00000000000000000000300000300000300000000000000000000000300000300000300000000000000000000000300000\
                   300000300000000000000000000000150000150000150000",
            code: Code::Cage,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "111222333111222333333444555333444555555111222555111222222333444222333444444555111,3007003000003000\
                   00000000000000000000300000300000300000000000000000000000300000300000300000000000000000000000300000\
                   300000300000000000000000000000150000150000150000",
            code: Code::Cage,
            cell: Some((1, 2)),
        },
        BadSample {
            text: "111222333111222333333444555333444555555111222555111222222333444222333444444555111,0000003000003000\
                   00000000000000000000300000300000300000000000000000000000300000300000300000000000000000000000300000\
                   30000030000000000000000000000015000015000015000a",
            code: Code::Digit,
            cell: Some((9, 9)),
        },
    ],
};
