//! Reads and writes v1 Str8ts: 243 base-32 digits, three for each cell: `mask<<2` and two flags. According to the text
//! and the example on the site's page, black is bit 1 and clue is bit 0 (`site`). The JavaScript of the page does the
//! opposite (`snippet`).

use std::sync::LazyLock;

use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::formats::samples::{BadSample, Good, Samples};
use crate::formats::text::{characters, explain_cells, value32, wrong_length};
use crate::formats::{Form, Format, Holds, Layout, Records, StringsOut, no_fault};
use crate::kernels::tables::{BAD, DIGIT32, DIGITS};
use crate::kernels::{Decoded, Kernel, ROW9, SimdTask};

pub(super) const WIDTH: usize = 243;

/// Returns the form for one of the Str8ts kinds, which the string itself cannot name.
pub(super) fn form(kind: Kind, layout: Layout) -> Form {
    Form { id: Format::V1, shape: Shape::new(kind, Side::NINE), layout, width: WIDTH }
}

pub(super) fn holds() -> Holds {
    Holds { single: false, regions: false, cages: false, operators: false, ..Holds::all(&[Kind::Str8ts]) }
}

/// Returns the bits of the black flag and of the clue flag.
const fn flags(layout: Layout) -> (u16, u16) {
    match layout {
        Layout::Snippet => (1, 2),
        _ => (2, 1),
    }
}

/// The code of each value in `site` and in `snippet`, or [`BAD`] for impossible flags.
static TO_CODE: LazyLock<[[u16; 2048]; 2]> = LazyLock::new(|| [Layout::Site, Layout::Snippet].map(all_codes));

/// The digits of each code (and of other 10-bit numbers) in `site` and in `snippet`. The last byte is 1 if the code is
/// a single candidate, which the digits cannot represent.
static FROM_CODE: LazyLock<[[[u8; 4]; 1024]; 2]> = LazyLock::new(|| [Layout::Site, Layout::Snippet].map(from_code));

fn all_codes(layout: Layout) -> [u16; 2048] {
    let (black_bit, clue_bit) = flags(layout);
    let mut table = [BAD; 2048];
    let mut value = 0;
    while value < 2048 {
        let mask = value as u16 >> 2;
        let digit = mask.trailing_zeros() as u16 + 1;
        let (black, clue) = (value as u16 & black_bit != 0, value as u16 & clue_bit != 0);
        table[value] = match (mask.count_ones(), black, clue) {
            (0, false, false) => 0,
            (0, true, false) => 10,
            (1, false, true) => digit,
            (1, true, true) => 10 + digit,
            (1, false, false) => 19 + digit,
            (2.., false, false) => 28 + mask,
            _ => BAD,
        };
        value += 1;
    }
    table
}

fn from_code(layout: Layout) -> [[u8; 4]; 1024] {
    let to_code = all_codes(layout);
    let mut table = [[b'0', b'0', b'0', 0]; 1024];
    let mut value = 0;
    while value < 2048 {
        if to_code[value] != BAD {
            table[to_code[value] as usize] = [DIGITS[value >> 10], DIGITS[value >> 5 & 31], DIGITS[value & 31], 0];
        }
        value += 1;
    }
    // A single candidate is written as a solved cell, which is how it is read back.
    let mut digit = 1;
    while digit < 10 {
        table[28 + (1 << (digit - 1))] = table[19 + digit];
        table[28 + (1 << (digit - 1))][3] = 1;
        digit += 1;
    }
    table
}

fn index(layout: Layout) -> usize {
    matches!(layout, Layout::Snippet) as usize
}

/// Returns the value of three digits. It is at least 2048 if a digit is invalid or the mask is out of range.
pub(super) fn value(digits: &[u8]) -> u16 {
    let [a, b, c] = [digits[0], digits[1], digits[2]].map(|byte| DIGIT32[byte as usize]);
    if (a | b | c) & BAD != 0 { BAD } else { a << 10 | b << 5 | c }
}

/// Returns the code of a value below 2048 in one layout, unless its flags are impossible.
pub(super) fn code(layout: Layout, value: u16) -> Option<u16> {
    Some(TO_CODE[index(layout)][value as usize & 2047]).filter(|&code| code != BAD)
}

pub(super) fn decode(form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded {
    batch.reset(form.shape, records.len());
    match form.layout {
        Layout::Undecided => Decoded::default(),
        layout => kernel.run(DecodeStr8ts { layout, records, batch }),
    }
}

struct DecodeStr8ts<'a> {
    layout: Layout,
    records: Records<'a>,
    batch: &'a mut Batch,
}

impl SimdTask for DecodeStr8ts<'_> {
    type Output = Decoded;

    /// Converts all characters of a board to digits by arithmetic, then cell by cell to codes.
    #[inline(always)]
    fn run(self) -> Decoded {
        let mut decoded = Decoded::default();
        let mut digits = [0; 256];
        for (i, codes) in self.batch.codes16_mut().as_chunks_mut::<ROW9>().0.iter_mut().enumerate() {
            let text: &[u8; WIDTH] = self.records.get(i).first_chunk().expect("the width of the form");
            let (mut bad, mut marks, mut solved) = (0, 0, 0);
            for (digit, &byte) in digits.iter_mut().zip(text) {
                *digit = value32(byte);
                bad |= *digit;
            }
            for (cell, code) in codes[..81].iter_mut().enumerate() {
                let digits: [u8; 4] = *digits[3 * cell..].first_chunk().expect("room after the last cell");
                let digits = u32::from_be_bytes(digits);
                *code = (digits >> 14 & 0x7c00 | digits >> 11 & 0x3e0 | digits >> 8 & 31) as u16;
            }
            for code in &mut codes[..81] {
                *code = to_code(*code, self.layout);
                marks |= *code;
                solved += u16::from(code.wrapping_sub(20) < 9);
            }
            if bad < 32 && marks < 0x800 {
                decoded.good |= 1 << i;
                decoded.solved += u32::from(solved);
            }
        }
        decoded
    }
}

/// Returns the code of a value, or a number of more than 11 bits for impossible values. This is [`TO_CODE`] as
/// arithmetic.
#[inline(always)]
fn to_code(value: u16, layout: Layout) -> u16 {
    let mask = value >> 2;
    let bit = |bits: u16, weight: u16| if mask & bits != 0 { weight } else { 0 };
    // The index of the only bit of the mask.
    let digit = bit(0xaa, 1) + bit(0xcc, 2) + bit(0xf0, 4) + bit(0x100, 8);
    let (black_bit, clue_bit) = flags(layout);
    let (black, clue) = (value & black_bit != 0, value & clue_bit != 0);
    let none = if clue {
        BAD
    } else if black {
        10
    } else {
        0
    };
    let one = match (black, clue) {
        (false, true) => 1 + digit,
        (true, true) => 11 + digit,
        (false, false) => 20 + digit,
        (true, false) => BAD,
    };
    let more = if value & 3 == 0 { 28 + mask } else { BAD };
    let code = if mask == 0 {
        none
    } else if mask & (mask - 1) == 0 {
        one
    } else {
        more
    };
    if mask > 511 { BAD } else { code }
}

/// Returns the first fault of a string in the layout of the form.
pub(super) fn explain(form: Form, text: &[u8]) -> Reject {
    let characters = characters(text);
    if characters.len() != WIDTH {
        return wrong_length(text, "243");
    }
    let (black_bit, clue_bit) = flags(form.layout);
    let fault = explain_cells(&characters, 32, 3, 9, |_, value| {
        let (mask, digits) = (value >> 2, (value >> 2 & 511).count_ones());
        let (black, clue) = (value as u16 & black_bit != 0, value as u16 & clue_bit != 0);
        if mask > 511 {
            return Some((Code::Range, format!("mask {mask} is more than 511")));
        }
        let words = match digits {
            0 if clue => "the clue flag is set on an empty cell".to_string(),
            1 if black && !clue => "a black cell with a digit and no clue flag".to_string(),
            2.. if clue => format!("the clue flag is set on a cell with {digits} candidates"),
            2.. if black => format!("a black cell with {digits} candidates"),
            _ => return None,
        };
        Some((Code::Flag, words))
    });
    fault.unwrap_or_else(|| no_fault("v1"))
}

pub(super) fn encode(form: Form, batch: &Batch, out: StringsOut<'_>) -> u64 {
    let table = &FROM_CODE[index(form.layout)];
    out.fixed(WIDTH, batch.len(), |out, pitch| {
        let mut lossless = 0;
        for (i, codes) in batch.codes16().chunks_exact(batch.stride()).enumerate() {
            let text: &mut [u8; WIDTH + 1] = out[i * pitch..].first_chunk_mut().expect("room for the board and more");
            let mut singles = 0;
            for (cell, &code) in codes[..81].iter().enumerate() {
                // Writes four bytes at once, of which the next cell overwrites the last. Writing single bytes took
                // twice as long.
                let digits = table[code as usize & 1023];
                text[3 * cell..3 * cell + 4].copy_from_slice(&digits);
                singles |= digits[3];
            }
            lossless |= u64::from(singles == 0) << i;
        }
        lossless
    })
}

pub(super) const SAMPLES: Samples = Samples {
    good: &[
        Good::same(
            Kind::Str8ts,
            "0vo03c0vc0js0vk0us0vg0021030ro03c1rc1js1rk1qs1rg0410q010100h0vc0jc0v40uc0v00q00u00uo0020021i81sk0130020q\
             00s00p00q000j0021v41u80740020020ng0m01n00810091mk07k01g0jk0u01010u00m00u000200901g01k0v00u000206007g0680\
             7g00503o0070u01v01m01vg0eg07g00803g",
        ),
        Good {
            kind: Kind::Str8ts,
            text: "0VO03C0VC0JS0VK0US0VG0021030RO03C1RC1JS1RK1QS1RG0410Q010100H0VC0JC0V40UC0V00Q00U00UO0020021I81SK01\
                   30020Q00S00P00Q000J0021V41U80740020020NG0M01N00810091MK07K01G0JK0U01010U00M00U000200901G01K0V00U00\
                   0206007G06807G00503O0070U01V01M01VG0EG07G00803G",
            canonical: Some(
                "0vo03c0vc0js0vk0us0vg0021030ro03c1rc1js1rk1qs1rg0410q010100h0vc0jc0v40uc0v00q00u00uo0020021i81sk0130\
                 020q00s00p00q000j0021v41u80740020020ng0m01n00810091mk07k01g0jk0u01010u00m00u000200901g01k0v00u000206\
                 007g06807g00503o0070u01v01m01vg0eg07g00803g",
            ),
        },
    ],
    bad: &[
        BadSample {
            text: "0vo03c0vc0js0vk0us0vg0021030ro03c1rc1js1rk1qs1rg0410q010100h0vc0jc0v40uc0v00q00u00uo0020021i81sk01\
                   30020q00s00p00q000j0021v41u80740020020ng0m01n00810091mk07k01g0jk0u01010u00m00u000200901g01k0v00u00\
                   0206007g06807g00503o0070u01v01m01vg0eg07g00803g00",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "0vow3c0vc0js0vk0us0vg0021030ro03c1rc1js1rk1qs1rg0410q010100h0vc0jc0v40uc0v00q00u00uo0020021i81sk01\
                   30020q00s00p00q000j0021v41u80740020020ng0m01n00810091mk07k01g0jk0u01010u00m00u000200901g01k0v00u00\
                   0206007g06807g00503o0070u01v01m01vg0eg07g00803g",
            code: Code::Digit,
            cell: Some((1, 2)),
        },
        BadSample {
            text: "0vo03c2000js0vk0us0vg0021030ro03c1rc1js1rk1qs1rg0410q010100h0vc0jc0v40uc0v00q00u00uo0020021i81sk01\
                   30020q00s00p00q000j0021v41u80740020020ng0m01n00810091mk07k01g0jk0u01010u00m00u000200901g01k0v00u00\
                   0206007g06807g00503o0070u01v01m01vg0eg07g00803g",
            code: Code::Range,
            cell: Some((1, 3)),
        },
        BadSample {
            text: "0vo03c0vc0js0vk0us0vg0031030ro03c1rc1js1rk1qs1rg0410q010100h0vc0jc0v40uc0v00q00u00uo0020021i81sk01\
                   30020q00s00p00q000j0021v41u80740020020ng0m01n00810091mk07k01g0jk0u01010u00m00u000200901g01k0v00u00\
                   0206007g06807g00503o0070u01v01m01vg0eg07g00803g",
            code: Code::Flag,
            cell: Some((1, 8)),
        },
        BadSample {
            text: "0vp03c0vc0js0vk0us0vg0021030ro03c1rc1js1rk1qs1rg0410q010100h0vc0jc0v40uc0v00q00u00uo0020021i81sk01\
                   30020q00s00p00q000j0021v41u80740020020ng0m01n00810091mk07k01g0jk0u01010u00m00u000200901g01k0v00u00\
                   0206007g06807g00503o0070u01v01m01vg0eg07g00803g",
            code: Code::Flag,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "0vo03c0vc0js0vk0us0vg0021020ro03c1rc1js1rk1qs1rg0410q010100h0vc0jc0v40uc0v00q00u00uo0020021i81sk01\
                   30020q00s00p00q000j0021v41u80740020020ng0m01n00810091mk07k01g0jk0u01010u00m00u000200901g01k0v00u00\
                   0206007g06807g00503o0070u01v01m01vg0eg07g00803g",
            code: Code::Flag,
            cell: Some((1, 9)),
        },
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_says_what_the_table_says() {
        for layout in [Layout::Site, Layout::Snippet] {
            for value in 0..1 << 15 {
                let known = if value < 2048 { TO_CODE[index(layout)][value as usize] } else { BAD };
                let code = to_code(value, layout);
                assert!(if known == BAD { code >= 0x800 } else { code == known }, "{layout} {value}: {code} {known}");
            }
        }
    }

    #[test]
    fn digits_of_base_32() {
        for byte in 0..=255 {
            let known = DIGIT32[byte as usize];
            let value = value32(byte);
            assert!(if known == BAD { value > 31 } else { u16::from(value) == known }, "{byte}: {value}");
        }
    }
}
