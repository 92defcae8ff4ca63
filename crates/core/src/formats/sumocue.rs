//! Reads puzzles of SumoCue: `SumoCueV1` and 81 entries, each the start of a cage with its sum, or the cell in which its cage
//! starts, and perhaps a region.

use super::killer_text::{add_cages, packed};
use super::losses::Holds;
use super::neutral::{NeutralBoard, NeutralRegions};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::text::decimal;
use super::{About, Format, Hints, LayoutDoc};
use crate::board::{Kind, Shape};
use crate::error::{Code, Reject};

/// The format `sumocue`.
pub(super) struct Sumocue;

static ABOUT: About = About {
    id: Format::Sumocue,
    name: "sumocue",
    summary: "a puzzle of SumoCue: where each cage starts, and regions",
    layouts: &[LayoutDoc {
        kinds: "sudoku, -x, jigsaw, killer, killer-jigsaw",
        body: "`SumoCueV1` and 81 times `=sum` or `+cell`, each perhaps with `J` and a region",
        length: "171 or more",
    }],
};

const HEADER: &[u8] = b"SumoCueV1";

impl Notation for Sumocue {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        text.starts_with(HEADER)
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let text = packed(text);
        let Some(entries) = text.strip_prefix(HEADER) else {
            return Err(Reject::whole(Code::Header, "a puzzle of SumoCue begins with SumoCueV1"));
        };
        let mut board = NeutralBoard::new(9)?;
        let entries = match entries.strip_prefix(b"D") {
            Some(entries) => {
                (board.further.rising, board.further.falling) = (true, true);
                entries
            }
            None => entries,
        };
        let entries = read_entries(entries)?;
        if entries.iter().all(|entry| entry.region.is_some()) {
            board.regions = NeutralRegions::Numbers(entries.iter().map(|entry| entry.region).collect());
        } else if let Some(at) = entries.iter().position(|entry| entry.region.is_some() != entries[0].region.is_some())
        {
            return Err(Reject::at(Code::Region, at, 9, "some cells have a region, and others have none"));
        }
        if entries.iter().all(|entry| entry.is_start) {
            for (at, entry) in entries.iter().enumerate() {
                let clue = u8::try_from(entry.number).ok().filter(|&clue| clue <= 9);
                board.cells[at].given = clue
                    .ok_or_else(|| Reject::at(Code::Range, at, 9, "without cages, the number is a clue of 0 to 9"))?;
            }
        } else {
            add_cages(&mut board, &cages(&entries)?)?;
        }
        board.into_board()
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds::all(&[Kind::Sudoku, Kind::SudokuX, Kind::Jigsaw, Kind::Killer, Kind::KillerJigsaw])
    }
}

struct CageEntry {
    /// Whether a cage starts here.
    is_start: bool,
    /// Its sum, or the cell in which it starts.
    number: u32,
    region: Option<u16>,
}

fn read_entries(text: &[u8]) -> Result<Vec<CageEntry>, Reject> {
    let mut entries = Vec::with_capacity(81);
    let mut rest = text;
    while !rest.is_empty() {
        let fault = |words| Err(Reject::at(Code::Digit, entries.len(), 9, words));
        if entries.len() == 81 {
            return Err(Reject::whole(Code::Length, "more than 81 entries"));
        }
        let is_start = match rest[0] {
            b'=' => true,
            b'+' => false,
            _ => return fault("an entry begins with = or +"),
        };
        let end = rest[1..].iter().take(10).take_while(|byte| byte.is_ascii_digit()).count() + 1;
        let Some(number) = decimal(&rest[1..end]) else { return fault("an entry needs a number of up to nine digits") };
        rest = &rest[end..];
        let region = match *rest {
            [b'J', digit @ b'0'..=b'9', ref after @ ..] => {
                rest = after;
                Some(u16::from(digit - b'0'))
            }
            _ => None,
        };
        entries.push(CageEntry { is_start, number, region });
    }
    match entries.len() {
        81 => Ok(entries),
        count => Err(Reject::whole(Code::Length, format!("{count} entries, expected 81"))),
    }
}

/// The cage of each cell, named by the cell in which it starts. Cages with the sum 0 are none.
fn cages(entries: &[CageEntry]) -> Result<Vec<Option<(u16, u32)>>, Reject> {
    let cage = |(at, entry): (usize, &CageEntry)| {
        let start = if entry.is_start { at } else { entry.number as usize };
        match entries.get(start).filter(|start| start.is_start) {
            Some(first) => Ok((first.number > 0).then_some((start as u16, first.number))),
            None => Err(Reject::at(Code::Cage, at, 9, format!("no cage starts in cell {start}, counted from 0"))),
        }
    };
    entries.iter().enumerate().map(cage).collect()
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(
            Kind::Killer,
            "SumoCueV1=10+0=10=25+3+3=14+6=13=22+9+2+2+3+3+6=15+8=14+9+9=13+21=8+23+16+8+18=13=20+29=15+23=25+33+33+18+28+28+29+31=23+33=2=5=20+45=13+29+31+41=29=9+52+45=8+47+29+41+41+51+51+51=9+55=21+65=3=28+51=18+70+63+63+65+68+68+68+68+70+70",
        ),
        Good::same(
            Kind::KillerJigsaw,
            "SumoCueV1=8J0+0J0=8J0=10J1+3J1=16J1+5J2+5J2=29J2=14J0+9J0+2J0=21J1+12J1=2J1=13J2+8J2+8J2=8J0+9J0=20J0+20J1+12J1=9J3+15J4+8J2+8J2=8J5+27J5+20J5=8J1+30J3+23J3+15J4=18J2+34J4=14J5+36J5=6J5=17J3+39J3=17J3+41J4+34J4+34J4+36J5=27J6+46J5+39J3=4J3+41J3=6J4=10J4+52J4+36J5+46J6+46J6+46J7=23J7+58J7+58J7+52J7=26J8=21J6=8J6=13J6=8J8+66J7+58J7+58J7+62J7+62J8+63J6+63J6+65J6+65J8+65J8=13J8+77J8+62J8+62J8",
        ),
        Good::same(
            Kind::Jigsaw,
            "SumoCueV1=0J0=0J0=0J0=0J1=0J1=0J1=0J2=0J2=0J2=8J0=0J0=0J1=0J1=7J1=3J1=4J2=1J2=0J2=1J0=0J0=0J0=0J0=0J1=0J1=3J3=0J3=0J2=5J4=0J4=0J5=0J5=0J5=4J5=0J3=7J3=0J2=4J4=2J4=0J4=6J4=0J5=0J5=5J3=0J3=0J2=3J6=0J4=9J6=0J5=5J5=7J5=0J7=0J3=0J3=0J6=0J4=0J6=4J7=0J7=5J7=0J7=2J3=0J8=0J6=9J4=0J6=0J7=0J7=0J8=8J8=0J8=0J8=2J6=0J6=1J6=0J7=0J7=0J8=0J8=0J8=0J8",
        ),
        Good::same(
            Kind::SudokuX,
            "SumoCueV1D=0=0=0=7=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0",
        ),
    ],
    bad: &[
        BadSample {
            text: "SumoCueV1=10+0=10=25+3+3=14+6=13=22+9+2+2+3+3+6=15+8=14+9+9=13+21=8+23+16+8+18=13=20+29=15+23=25+33+33+18+28+28+29+31=23+33=2=5=20+45=13+29+31+41=29=9+52+45=8+47+29+41+41+51+51+51=9+55=21+65=3=28+51=18+70+63+63+65+68+68+68+68+70",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "SumoCueV1=10+0=10=25+3+3=14+6=13=22+9+2+2+3+3+6=15+8=14+9+9=13+21=8+23+16+8+18=13=20+29=15+23=25+33+33+18+28+28+29+31=23+33=2=5=20+45=13+29+31+41=29=9+52+45=8+47+29+41+41+51+51+51=9+55=21+65=3=28+51=18+70+63+63+65+68+68+68+68+70+70+70",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "SumoCueV1=10+0=10*25+3+3=14+6=13=22+9+2+2+3+3+6=15+8=14+9+9=13+21=8+23+16+8+18=13=20+29=15+23=25+33+33+18+28+28+29+31=23+33=2=5=20+45=13+29+31+41=29=9+52+45=8+47+29+41+41+51+51+51=9+55=21+65=3=28+51=18+70+63+63+65+68+68+68+68+70+70",
            code: Code::Digit,
            cell: Some((1, 4)),
        },
        BadSample {
            text: "SumoCueV1=10+1=10=25+3+3=14+6=13=22+9+2+2+3+3+6=15+8=14+9+9=13+21=8+23+16+8+18=13=20+29=15+23=25+33+33+18+28+28+29+31=23+33=2=5=20+45=13+29+31+41=29=9+52+45=8+47+29+41+41+51+51+51=9+55=21+65=3=28+51=18+70+63+63+65+68+68+68+68+70+70",
            code: Code::Cage,
            cell: Some((1, 2)),
        },
        BadSample {
            text: "SumoCueV1=0=0J0=0J0=0J1=0J1=0J1=0J2=0J2=0J2=8J0=0J0=0J1=0J1=7J1=3J1=4J2=1J2=0J2=1J0=0J0=0J0=0J0=0J1=0J1=3J3=0J3=0J2=5J4=0J4=0J5=0J5=0J5=4J5=0J3=7J3=0J2=4J4=2J4=0J4=6J4=0J5=0J5=5J3=0J3=0J2=3J6=0J4=9J6=0J5=5J5=7J5=0J7=0J3=0J3=0J6=0J4=0J6=4J7=0J7=5J7=0J7=2J3=0J8=0J6=9J4=0J6=0J7=0J7=0J8=8J8=0J8=0J8=2J6=0J6=1J6=0J7=0J7=0J8=0J8=0J8=0J8",
            code: Code::Region,
            cell: Some((1, 2)),
        },
        BadSample {
            text: "SumoCueV1=0J0=0J0=0J0=0J1=0J1=0J1=0J2=0J2=0J2=10J0=0J0=0J1=0J1=7J1=3J1=4J2=1J2=0J2=1J0=0J0=0J0=0J0=0J1=0J1=3J3=0J3=0J2=5J4=0J4=0J5=0J5=0J5=4J5=0J3=7J3=0J2=4J4=2J4=0J4=6J4=0J5=0J5=5J3=0J3=0J2=3J6=0J4=9J6=0J5=5J5=7J5=0J7=0J3=0J3=0J6=0J4=0J6=4J7=0J7=5J7=0J7=2J3=0J8=0J6=9J4=0J6=0J7=0J7=0J8=8J8=0J8=0J8=2J6=0J6=1J6=0J7=0J7=0J8=0J8=0J8=0J8",
            code: Code::Range,
            cell: Some((2, 1)),
        },
        BadSample {
            text: "SumoCueV1D=10+0=10=25+3+3=14+6=13=22+9+2+2+3+3+6=15+8=14+9+9=13+21=8+23+16+8+18=13=20+29=15+23=25+33+33+18+28+28+29+31=23+33=2=5=20+45=13+29+31+41=29=9+52+45=8+47+29+41+41+51+51+51=9+55=21+65=3=28+51=18+70+63+63+65+68+68+68+68+70+70",
            code: Code::Unsupported,
            cell: None,
        },
    ],
}];
