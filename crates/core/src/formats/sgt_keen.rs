//! Reads and writes game ids of Keen, one of Simon Tatham's puzzles (KenKens): `4:a_a_a3__a__a_aa,s2d2s1m4a9a6m6`.

use super::losses::Holds;
use super::neutral::{NeutralBoard, NeutralCage, NeutralRegions, cages_of};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::sgt::{Walls, cells_of, id_of, is_link, split};
use super::text::decimal;
use super::{About, Format, Hints, LayoutDoc, Text};
use crate::board::{Batch, Kind, Shape};
use crate::error::{Code, Reject};

/// The format `sgt-keen`.
pub(super) struct SgtKeen;

static ABOUT: About = About {
    id: Format::SgtKeen,
    name: "sgt-keen",
    summary: "a game id of Keen, one of Simon Tatham's puzzles; also in a link",
    layouts: &[LayoutDoc {
        kinds: "kenken, sides 3 to 9",
        body: "the side, a colon, the borders of cages, a comma, their clues after `a m s d`",
        length: "any",
    }],
};

const PAGE: &str = "keen.html";
const BORDERS: Walls = Walls { longest: 25, repeats: true };
/// The letters of the operators 1 to 4.
const OPERATORS: &[u8; 4] = b"asmd";
/// No id is longer, nor its first field.
const LONGEST: usize = 1000;
const LONGEST_BORDERS: usize = 400;

impl Notation for SgtKeen {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        if is_link(text, PAGE) {
            return true;
        }
        let begin = &text[..text.len().min(LONGEST)];
        let Ok((parameters, description)) = split(begin) else { return false };
        let Some(comma) = memchr::memchr(b',', description).filter(|&comma| comma <= LONGEST_BORDERS) else {
            return false;
        };
        let (borders, clues) = (&description[..comma], &description[comma + 1..]);
        text.len() <= LONGEST
            && side(parameters).is_some()
            && borders.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_')
            && clues.first().is_some_and(|first| OPERATORS.contains(first))
            && clues.iter().all(|byte| byte.is_ascii_digit() || OPERATORS.contains(byte))
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let id = id_of(text, PAGE);
        let (parameters, description) = split(&id)?;
        let side = side(parameters)
            .ok_or_else(|| Reject::whole(Code::Header, "these are no parameters of Keen, such as 6 or 6dn"))?;
        let fields: Vec<&[u8]> = description.split(|&byte| byte == b',').collect();
        let [borders, clues] = fields[..] else {
            return Err(Reject::whole(Code::Length, format!("{} fields after the colon, expected 2", fields.len())));
        };
        let cages = cells_of(&BORDERS.read(borders, side)?);
        let mut board = NeutralBoard::new(side)?;
        board.regions = NeutralRegions::None;
        board.arithmetic = true;
        board.cages = read_clues(clues, cages, side)?;
        board.into_board()
    }

    fn writes(&self, shape: Shape) -> Result<Shape, Reject> {
        let words = match shape.kind {
            kind if !kind.has_operators() => "Keen has only cages with operators".to_string(),
            _ if shape.side.get() > 9 => format!("Keen has no boards of side {}", shape.side),
            _ => return Ok(Shape::new(Kind::KenKen, shape.side)),
        };
        Err(Reject::whole(Code::Unsupported, words))
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds { clue: false, cages: true, operators: true, ..Holds::clues(&[Kind::KenKen]) }
    }

    fn write(&self, batch: &Batch, board: usize, out: &mut Text) -> Result<(), Reject> {
        let n = batch.shape().side.get();
        let cages = cages_of(batch, board);
        let mut areas = vec![0; n * n];
        for cage in &cages {
            cage.cells.iter().for_each(|&cell| areas[usize::from(cell)] = cage.cells[0]);
        }
        out.push_number(n as u32);
        out.push_byte(b':');
        BORDERS.write(&areas, n, out);
        out.push_byte(b',');
        for cage in cages {
            let operator = usize::from(cage.operator.max(1)) - 1;
            let faults = OPERATORS.get(operator).zip(cage.clue);
            let (&letter, clue) = faults
                .ok_or_else(|| Reject::whole(Code::Unsupported, "cages without a clue, which Keen does not have"))?;
            if cage.operator.is_multiple_of(2) && cage.operator > 0 && cage.cells.len() != 2 {
                let words = "a cage with - or / that has not two cells, which Keen does not have";
                return Err(Reject::whole(Code::Unsupported, words));
            }
            out.push_byte(letter);
            out.push_number(clue);
        }
        Ok(())
    }
}

/// Reads the parameters: the side, then perhaps a difficulty (`dn`), and `m` for multiplication only.
fn side(parameters: &[u8]) -> Option<usize> {
    let rest = match parameters {
        [b'3'..=b'9', b'd', b'a'..=b'z', rest @ ..] | [b'3'..=b'9', rest @ ..] => rest,
        _ => return None,
    };
    matches!(rest, b"" | b"m").then(|| usize::from(parameters[0] - b'0'))
}

/// Reads the clues of cages, in the order of their first cells.
fn read_clues(text: &[u8], cages: Vec<Vec<u16>>, side: usize) -> Result<Vec<NeutralCage>, Reject> {
    let mut rest = text;
    let mut out = Vec::with_capacity(cages.len());
    let count = cages.len();
    for cells in cages {
        let at = usize::from(cells[0]);
        let fault = |code, words: String| Reject::at(code, at, side, words);
        let few = || fault(Code::Cage, format!("no clue for this cage, one of {count}"));
        let (&letter, after) = rest.split_first().ok_or_else(few)?;
        let operator = OPERATORS.iter().position(|&other| other == letter);
        let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (Some(operator), Some(clue)) = (operator, decimal(&after[..digits])) else {
            return Err(fault(Code::Digit, "a clue is a letter of a m s d and a number".into()));
        };
        rest = &after[digits..];
        if operator % 2 == 1 && cells.len() != 2 {
            let words = format!("a cage with - or / has two cells, and this one has {}", cells.len());
            return Err(fault(Code::Cage, words));
        }
        let operator = if cells.len() > 1 { operator as u16 + 1 } else { 0 };
        out.push(NeutralCage { cells, clue: Some(clue), operator });
    }
    match rest.is_empty() {
        true => Ok(out),
        false => Err(Reject::whole(Code::Cage, format!("more clues than there are cages, which are {count}"))),
    }
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(Kind::KenKen, "4:aa__aa_b__c__a_,a7a8a11a5a2a7"),
        Good {
            kind: Kind::KenKen,
            text: "4dn:aa__aa_b__c__a_,a7a8a11a5a2a7",
            canonical: Some("4:aa__aa_b__c__a_,a7a8a11a5a2a7"),
        },
        Good::same(Kind::KenKen, "6:_bba__cab_3abcaa__a_3a_5a_4ba,m60a13a9s1m60m120m120a9m120a9m36"),
    ],
    bad: &[
        BadSample { text: "4:aa__aa_b__c__a_,a7a8a11a5a2", code: Code::Cage, cell: Some((4, 3)) },
        BadSample { text: "4:aa__aa_b__c__a_,a7a8a11a5a2a7a3", code: Code::Cage, cell: None },
        BadSample { text: "4:ab__aa_b__c__a_,a7a8a11a5a2a7", code: Code::Length, cell: None },
        BadSample { text: "2:aa__aa_b__c__a_,a7a8a11a5a2a7", code: Code::Header, cell: None },
        BadSample { text: "4:aa__aa_b__c__a_,x7a8a11a5a2a7", code: Code::Digit, cell: Some((1, 1)) },
        BadSample { text: "4:a", code: Code::Length, cell: None },
    ],
}];
