//! Reads and writes the format `v0`: 81 decimal masks 0 to 511 without leading zeros, separated by 80 commas (links
//! `?n=`). 0 is an empty cell, and a single bit is a solved cell. Old links have a comma before the masks. If only 80
//! masks follow this comma, the first mask was 0 and is missing.

use super::samples::{BadSample, Good, Samples};
use super::text::{Character, characters};
use super::{About, Codec, Form, Format, Hints, Holds, Layout, LayoutDoc, Records, StringsOut};
use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::kernels::{Decoded, Kernel, ROW9, all_bits};

/// The format `v0`.
pub(super) struct V0;

static ABOUT: About = About {
    id: Format::V0,
    name: "v0",
    summary: "decimal masks separated by commas; no clues, a single candidate is a solved cell",
    layouts: &[LayoutDoc { kinds: "sudoku", body: "81 masks 0..511 separated by commas", length: "161 to 323" }],
};

impl Codec for V0 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
        let commas = memchr::memchr_iter(b',', without_first_comma(text)).count();
        if commas != COMMAS {
            return Err(Reject::whole(Code::Length, format!("{commas} commas, expected {COMMAS} (81 masks)")));
        }
        let kind = super::plain_kind(hints, "v0")?;
        Ok(Form { id: Format::V0, shape: Shape::new(kind, Side::NINE), layout: Layout::Spec, width: 0 })
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, _: &Kernel) -> Decoded {
        batch.reset(form.shape, records.len());
        let mut decoded = Decoded::default();
        for (i, codes) in batch.codes16_mut().chunks_exact_mut(ROW9).enumerate() {
            if let Some(solved) = decode(records.get(i), codes) {
                decoded.good |= 1 << i;
                decoded.solved += solved;
            }
        }
        decoded
    }

    fn explain(&self, _: Form, text: &[u8]) -> Reject {
        let characters = characters(without_first_comma(text));
        let masks = characters.split(|&character| character == Character::Char(',')).enumerate();
        let mut masks = masks.skip(usize::from(lacks_first_mask(text)));
        let fault = masks.find_map(|(cell, mask)| Some((cell, explain_mask(mask)?)));
        fault.map_or_else(|| super::no_fault("v0"), |(cell, (code, words))| Reject::at(code, cell, 9, words))
    }

    fn writes(&self, shape: Shape) -> Result<Form, Reject> {
        super::need_side_nine(shape, "v0")?;
        let shape = Shape::new(Kind::Sudoku, Side::NINE);
        Ok(Form { id: Format::V0, shape, layout: Layout::Spec, width: 0 })
    }

    fn holds(&self, _: Form) -> Holds {
        Holds {
            clue: false,
            single: false,
            regions: false,
            cages: false,
            operators: false,
            black: false,
            ..Holds::all(&[Kind::Sudoku])
        }
    }

    fn encode(&self, _: Form, batch: &Batch, _: &Kernel, out: StringsOut<'_>) -> u64 {
        let StringsOut { text, gap, ends } = out;
        let mut lossless = all_bits(batch.len());
        for (i, codes) in batch.codes16().chunks_exact(ROW9).enumerate() {
            let room = text.room(81 * 4 + gap);
            let mut at = 0;
            for &code in &codes[..81] {
                let (mask, exact) = match code {
                    0 => (0, true),
                    1..=9 => (1 << (code - 1), false),
                    10..=18 => (1 << (code - 10), true),
                    _ => (code.wrapping_sub(18) & 511, !code.wrapping_sub(18).is_power_of_two()),
                };
                lossless &= !(u64::from(!exact) << i);
                at += decimal(mask, &mut room[at..]);
                room[at] = b',';
                at += 1;
            }
            text.advance(at - 1);
            ends[i] = text.len();
            text.advance(gap);
        }
        lossless
    }
}

/// The number of commas between the masks.
const COMMAS: usize = 80;

/// Returns a string without the comma that old links have before 81 masks.
fn without_first_comma(text: &[u8]) -> &[u8] {
    match text {
        [b',', rest @ ..] if memchr::memchr_iter(b',', rest).count() == COMMAS => rest,
        _ => text,
    }
}

/// Whether the comma at the start of a string is the comma after its first mask.
fn lacks_first_mask(text: &[u8]) -> bool {
    text.first() == Some(&b',') && without_first_comma(text).len() == text.len()
}

/// Decodes a string into a row of codes. Returns the number of solved cells, or `None` if the string is invalid.
fn decode(text: &[u8], codes: &mut [u16]) -> Option<u32> {
    let mut solved = 0;
    let missing = usize::from(lacks_first_mask(text));
    let mut rest = without_first_comma(text)[missing..].iter();
    codes[..missing].fill(0);
    for code in &mut codes[missing..81] {
        let mut mask = 0_u16;
        let mut digits = 0;
        for &byte in rest.by_ref().take_while(|&&byte| byte != b',') {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 || digits == 3 || digits > 0 && mask == 0 {
                return None;
            }
            mask = 10 * mask + u16::from(digit);
            digits += 1;
        }
        if digits == 0 || mask > 511 {
            return None;
        }
        *code = match mask {
            0 => 0,
            mask if mask.is_power_of_two() => 10 + mask.trailing_zeros() as u16,
            mask => 18 + mask,
        };
        solved += u32::from(mask.is_power_of_two());
    }
    Some(solved)
}

/// Returns the fault of a mask, if it has one.
fn explain_mask(mask: &[Character]) -> Option<(Code, String)> {
    if let Some(bad) = mask.iter().find(|character| !character.ascii().is_some_and(|byte| byte.is_ascii_digit())) {
        return Some((Code::Digit, format!("{} is not a decimal digit", bad.quoted())));
    }
    if mask.is_empty() {
        return Some((Code::Digit, "no mask between two commas".to_string()));
    }
    if mask.len() > 1 && mask[0] == Character::Char('0') {
        return Some((Code::Digit, "a mask with a leading zero".to_string()));
    }
    let value = mask.iter().fold(0_u64, |value, character| {
        value.saturating_mul(10).saturating_add(u64::from(character.ascii().unwrap_or(b'0') - b'0'))
    });
    (value > 511).then(|| (Code::Range, format!("mask {value} is more than 511")))
}

/// Writes a number below 1000, and returns its length.
fn decimal(value: u16, out: &mut [u8]) -> usize {
    let digits = [value / 100, value / 10 % 10, value % 10].map(|digit| b'0' + digit as u8);
    let skip = if value >= 100 {
        0
    } else if value >= 10 {
        1
    } else {
        2
    };
    out[..3 - skip].copy_from_slice(&digits[skip..]);
    3 - skip
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(
            Kind::Sudoku,
            "511,1,2,4,8,16,32,64,128,256,0,3,5,9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\
             0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,510",
        ),
        Good {
            kind: Kind::Sudoku,
            text: ",1,2,4,8,16,32,64,128,256,0,3,5,9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\
                   0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,510",
            canonical: Some(
                "0,1,2,4,8,16,32,64,128,256,0,3,5,9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\
                 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,510",
            ),
        },
        Good {
            kind: Kind::Sudoku,
            text: ",511,1,2,4,8,16,32,64,128,256,0,3,5,9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\
                   0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,510",
            canonical: Some(
                "511,1,2,4,8,16,32,64,128,256,0,3,5,9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\
                 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,510",
            ),
        },
    ],
    bad: &[
        BadSample {
            text: ",,1,2,4,8,16,32,64,128,256,0,3,5,9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\
                   0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,510",
            code: Code::Digit,
            cell: Some((1, 1)),
        },
        BadSample { text: "1,2,3", code: Code::Length, cell: None },
        BadSample {
            text: "512,,2,4,8,16,32,64,128,256,0,3,5,9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\
                   0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,510",
            code: Code::Range,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "511,01,2,4,8,16,32,64,128,256,0,3,5,9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\
                   0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,510",
            code: Code::Digit,
            cell: Some((1, 2)),
        },
    ],
}];
