//! Reads and writes killers in PS code, as forums have posted them since 2006: `3x3::k:` and 81 numbers, each the sum of a cage
//! times 256 and its number.

use super::cages::WITHOUT_SUM;
use super::killer_text::{add_cages, packed};
use super::losses::Holds;
use super::neutral::{NeutralBoard, cages_of};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::text::decimal;
use super::{About, Format, Hints, LayoutDoc, Text};
use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};

/// The format `ps-killer`.
pub(super) struct PsKiller;

static ABOUT: About = About {
    id: Format::PsKiller,
    name: "ps-killer",
    summary: "a killer in PS code: the number and sum of the cage of each cell",
    layouts: &[LayoutDoc { kinds: "killer", body: "`3x3::k:` and 81 numbers with colons", length: "170 or more" }],
};

/// What one number adds to the sum of a cage.
const PER_SUM: u32 = 256;

impl Notation for PsKiller {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        text.starts_with(b"3x3::k:") || text.starts_with(b"3x3:d:k:")
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let text = packed(text);
        let header = || Reject::whole(Code::Header, "a killer in PS code begins with 3x3::k: or 3x3:d:k:");
        let (has_diagonals, numbers) = match (text.strip_prefix(b"3x3::k:"), text.strip_prefix(b"3x3:d:k:")) {
            (Some(numbers), _) => (false, numbers),
            (_, Some(numbers)) => (true, numbers),
            _ => return Err(header()),
        };
        let mut board = NeutralBoard::new(9)?;
        board.further.rising = has_diagonals;
        board.further.falling = has_diagonals;
        add_cages(&mut board, &read_numbers(numbers)?)?;
        if board.cages.is_empty() {
            return Err(Reject::whole(Code::Cage, "no cage has a sum"));
        }
        board.into_board()
    }

    fn writes(&self, shape: Shape) -> Result<Shape, Reject> {
        super::need_side_nine(shape, "ps-killer")?;
        super::need_sums(shape, "ps-killer")?;
        Ok(Shape::new(Kind::Killer, Side::NINE))
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds { clue: false, cages: true, ..Holds::clues(&[Kind::Killer]) }
    }

    fn write(&self, batch: &Batch, board: usize, out: &mut Text) -> Result<(), Reject> {
        let (cages, uncaged): (Vec<_>, Vec<_>) =
            cages_of(batch, board).into_iter().partition(|cage| cage.clue.is_some() || cage.cells.len() > 1);
        let mut numbers = [0; 81];
        for (id, cage) in (1..).zip(&cages) {
            let Some(sum) = cage.clue else {
                return Err(Reject::whole(Code::Unsupported, WITHOUT_SUM));
            };
            cage.cells.iter().for_each(|&cell| numbers[usize::from(cell)] = sum * PER_SUM + id);
        }
        if cages.is_empty() {
            return Err(Reject::whole(Code::Unsupported, "a killer without a sum, which ps-killer cannot say"));
        }
        for (id, cage) in (cages.len() as u32 + 1..).zip(&uncaged) {
            numbers[usize::from(cage.cells[0])] = id;
        }
        out.push(b"3x3::k:");
        for number in numbers {
            out.push_number(number);
            out.push_byte(b':');
        }
        Ok(())
    }
}

/// Reads 81 numbers, each followed by a colon, which the last one may lack: the number and sum of the cage of each cell.
fn read_numbers(text: &[u8]) -> Result<Vec<Option<(u16, u32)>>, Reject> {
    let numbers = text.strip_suffix(b":").unwrap_or(text);
    let count = numbers.split(|&byte| byte == b':').count();
    if count != 81 {
        return Err(Reject::whole(Code::Length, format!("{count} numbers after the header, expected 81")));
    }
    let number = |(cell, digits): (usize, &[u8])| {
        let value = decimal(digits).filter(|_| digits.len() <= 6);
        let value =
            value.ok_or_else(|| Reject::at(Code::Digit, cell, 9, "this is not a number of up to six digits"))?;
        Ok((value >= PER_SUM).then_some(((value % PER_SUM) as u16, value / PER_SUM)))
    };
    numbers.split(|&byte| byte == b':').enumerate().map(number).collect()
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(
            Kind::Killer,
            "3x3::k:2561:2561:2562:6403:6403:6403:3588:3588:3333:5638:5638:2562:2562:6403:6403:3588:3847:3333:3592:5638:5638:3337:3337:2058:2058:3847:3333:3592:3339:5132:5132:3853:2058:6414:6414:6414:3592:3339:3339:5132:3853:5903:6414:528:1297:5138:5138:3347:5132:3853:5903:7444:2325:2325:5138:2070:3347:5132:5903:5903:7444:7444:7444:2327:2070:5400:5400:793:7194:7444:4635:4635:2327:2327:5400:7194:7194:7194:7194:4635:4635:",
        ),
        Good {
            kind: Kind::Killer,
            text: "3x3: :k: 2561: 2561: 2562: 6403: 6403: 6403: 3588: 3588: 3333: 5638: 5638: 2562: 2562: 6403: 6403: 3588: 3847: 3333: 3592: 5638: 5638: 3337: 3337: 2058: 2058: 3847: 3333: 3592: 3339: 5132: 5132: 3853: 2058: 6414: 6414: 6414: 3592: 3339: 3339: 5132: 3853: 5903: 6414: 528: 1297: 5138: 5138: 3347: 5132: 3853: 5903: 7444: 2325: 2325: 5138: 2070: 3347: 5132: 5903: 5903: 7444: 7444: 7444: 2327: 2070: 5400: 5400: 793: 7194: 7444: 4635: 4635: 2327: 2327: 5400: 7194: 7194: 7194: 7194: 4635: 4635",
            canonical: Some(
                "3x3::k:2561:2561:2562:6403:6403:6403:3588:3588:3333:5638:5638:2562:2562:6403:6403:3588:3847:3333:3592:5638:5638:3337:3337:2058:2058:3847:3333:3592:3339:5132:5132:3853:2058:6414:6414:6414:3592:3339:3339:5132:3853:5903:6414:528:1297:5138:5138:3347:5132:3853:5903:7444:2325:2325:5138:2070:3347:5132:5903:5903:7444:7444:7444:2327:2070:5400:5400:793:7194:7444:4635:4635:2327:2327:5400:7194:7194:7194:7194:4635:4635:",
            ),
        },
    ],
    bad: &[
        BadSample {
            text: "3x3::k:2561:2561:2562:6403:6403:6403:3588:3588:3333:5638:5638:2562:2562:6403:6403:3588:3847:3333:3592:5638:5638:3337:3337:2058:2058:3847:3333:3592:3339:5132:5132:3853:2058:6414:6414:6414:3592:3339:3339:5132:3853:5903:6414:528:1297:5138:5138:3347:5132:3853:5903:7444:2325:2325:5138:2070:3347:5132:5903:5903:7444:7444:7444:2327:2070:5400:5400:793:7194:7444:4635:4635:2327:2327:5400:7194:7194:7194:7194:4635",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "3x3:x:k:2561:2561:2562:6403:6403:6403:3588:3588:3333:5638:5638:2562:2562:6403:6403:3588:3847:3333:3592:5638:5638:3337:3337:2058:2058:3847:3333:3592:3339:5132:5132:3853:2058:6414:6414:6414:3592:3339:3339:5132:3853:5903:6414:528:1297:5138:5138:3347:5132:3853:5903:7444:2325:2325:5138:2070:3347:5132:5903:5903:7444:7444:7444:2327:2070:5400:5400:793:7194:7444:4635:4635:2327:2327:5400:7194:7194:7194:7194:4635:4635",
            code: Code::Header,
            cell: None,
        },
        BadSample {
            text: "3x3::k:2561:2561:2562:6403:6403:6403:3588:3588:3333:x:5638:2562:2562:6403:6403:3588:3847:3333:3592:5638:5638:3337:3337:2058:2058:3847:3333:3592:3339:5132:5132:3853:2058:6414:6414:6414:3592:3339:3339:5132:3853:5903:6414:528:1297:5138:5138:3347:5132:3853:5903:7444:2325:2325:5138:2070:3347:5132:5903:5903:7444:7444:7444:2327:2070:5400:5400:793:7194:7444:4635:4635:2327:2327:5400:7194:7194:7194:7194:4635:4635",
            code: Code::Digit,
            cell: Some((2, 1)),
        },
        BadSample {
            text: "3x3::k:2561:2817:2562:6403:6403:6403:3588:3588:3333:5638:5638:2562:2562:6403:6403:3588:3847:3333:3592:5638:5638:3337:3337:2058:2058:3847:3333:3592:3339:5132:5132:3853:2058:6414:6414:6414:3592:3339:3339:5132:3853:5903:6414:528:1297:5138:5138:3347:5132:3853:5903:7444:2325:2325:5138:2070:3347:5132:5903:5903:7444:7444:7444:2327:2070:5400:5400:793:7194:7444:4635:4635:2327:2327:5400:7194:7194:7194:7194:4635:4635",
            code: Code::Cage,
            cell: Some((1, 2)),
        },
        BadSample {
            text: "3x3::k:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:",
            code: Code::Cage,
            cell: None,
        },
        BadSample {
            text: "3x3:d:k:2561:2561:2562:6403:6403:6403:3588:3588:3333:5638:5638:2562:2562:6403:6403:3588:3847:3333:3592:5638:5638:3337:3337:2058:2058:3847:3333:3592:3339:5132:5132:3853:2058:6414:6414:6414:3592:3339:3339:5132:3853:5903:6414:528:1297:5138:5138:3347:5132:3853:5903:7444:2325:2325:5138:2070:3347:5132:5903:5903:7444:7444:7444:2327:2070:5400:5400:793:7194:7444:4635:4635:2327:2327:5400:7194:7194:7194:7194:4635:4635",
            code: Code::Unsupported,
            cell: None,
        },
    ],
}];
