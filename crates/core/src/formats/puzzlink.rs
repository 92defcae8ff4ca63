//! Reads and writes sudokus of puzz.link and other sites with its program: `https://puzz.link/p?sudoku/9/9/...`.

use super::addresses::Address;
use super::losses::Holds;
use super::neutral::{NeutralBoard, NeutralRegions, unsupported};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::text::decimal;
use super::{About, Format, Hints, LayoutDoc, Text};
use crate::board::{Batch, Kind, Shape};
use crate::error::{Code, Reject, escape};

/// The format `puzzlink`.
pub(super) struct Puzzlink;

static ABOUT: About = About {
    id: Format::Puzzlink,
    name: "puzzlink",
    summary: "a link to a sudoku of puzz.link, or what follows its question mark",
    layouts: &[LayoutDoc {
        kinds: "sudoku, sides 6, 9, 16 and 25",
        body: "`https://puzz.link/p?sudoku/9/9/`, clues and runs of empty cells",
        length: "any",
    }],
};

/// The address that is written.
const ADDRESS: &[u8] = b"https://puzz.link/p?";
/// The pages of the program on the sites that have it.
const PAGES: [&[u8]; 2] = [b"p", b"p.html"];
/// The most empty cells of one letter.
const LONGEST: usize = 20;

impl Notation for Puzzlink {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        body(text).is_some_and(|body| {
            let is_number = |part: &[u8]| (1..=2).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
            body.splitn(3, |&byte| byte == b'/').take(2).filter(|part| is_number(part)).count() == 2
        })
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let Some(body) = body(text) else {
            return Err(Reject::whole(Code::Header, "a sudoku of puzz.link begins with sudoku/, or its address"));
        };
        let fields: Vec<&[u8]> = body.splitn(3, |&byte| byte == b'/').collect();
        let number = |field: &[u8]| decimal(field).filter(|&side| side <= 99).map(|side| side as usize);
        let (width, height, cells) = match fields[..] {
            [width, height, cells] => (number(width), number(height), cells),
            _ => (None, None, &b""[..]),
        };
        let (Some(width), Some(height)) = (width, height) else {
            return Err(Reject::whole(Code::Header, "sudoku/ is followed by the width, the height, and the cells"));
        };
        if width != height {
            return Err(unsupported(format!("a grid of {height} rows and {width} columns")));
        }
        let mut board = NeutralBoard::new(width)?;
        read_cells(cells, &mut board)?;
        // Other sides than squares have no rectangles for boxes there: the last ones are cut off.
        let (rows, columns) = if width == 6 { (2, 3) } else { (width.isqrt(), width.isqrt()) };
        if rows * columns == width {
            let number = |cell: usize| cell / width / rows * width + cell % width / columns;
            let numbers = (0..width * width).map(|cell| Some(number(cell) as u16));
            board.regions = NeutralRegions::Numbers(numbers.collect());
        } else {
            board.refuse(format!("boxes of side {width}"));
        }
        board.into_board()
    }

    fn writes(&self, shape: Shape) -> Result<Shape, Reject> {
        let side = shape.side.get();
        let words = match shape.kind {
            _ if side != 6 && side.isqrt().pow(2) != side => {
                format!("puzz.link has other boxes on boards of side {side}")
            }
            kind if kind.has_operators() => "puzz.link has no operators".to_string(),
            kind if kind.has_black() => "puzz.link has no black cells".to_string(),
            _ => return Ok(Shape::new(Kind::Sudoku, shape.side)),
        };
        Err(Reject::whole(Code::Unsupported, words))
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds::clues(&[Kind::Sudoku])
    }

    fn write(&self, batch: &Batch, board: usize, out: &mut Text) -> Result<(), Reject> {
        let n = batch.shape().side.get();
        out.push(ADDRESS);
        out.push(format!("sudoku/{n}/{n}/").as_bytes());
        let mut empty = 0;
        for cell in 0..=n * n {
            let digit = if cell < n * n { batch.cell(board, cell).digit() } else { 0 };
            if empty == LONGEST || empty > 0 && (digit != 0 || cell == n * n) {
                out.push_byte(b'f' + empty as u8);
                empty = 0;
            }
            match digit {
                0 => empty += 1,
                1..=15 => out.push(format!("{digit:x}").as_bytes()),
                _ => out.push(format!("-{digit:x}").as_bytes()),
            }
        }
        Ok(())
    }
}

/// What follows `sudoku/` in a link or without its address.
fn body(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii();
    let query = match Address::of(text) {
        Some(address) => {
            let page = Some(address.path()).filter(|page| PAGES.contains(page) && address.is_of(Format::Puzzlink))?;
            address.rest[page.len()..].strip_prefix(b"?")?
        }
        None => text.strip_prefix(b"?").unwrap_or(text),
    };
    let body = query.strip_prefix(b"sudoku/")?;
    Some(body.strip_prefix(b"v:/").unwrap_or(body))
}

/// Reads the cells. Those after the last sign are empty.
fn read_cells(text: &[u8], board: &mut NeutralBoard) -> Result<(), Reject> {
    let mut rest = text;
    let mut cell = 0;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let fault = || {
            let words = format!("'{}' is no sign of a sudoku of puzz.link", escape(&[byte]));
            Reject::whole(Code::Digit, words)
        };
        let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
        let (clue, cells) = match byte {
            b'0'..=b'9' | b'a'..=b'f' => (value(byte).unwrap_or(0), 1),
            b'-' => match *rest {
                [high, low, ref after @ ..] if !high.is_ascii_uppercase() && !low.is_ascii_uppercase() => {
                    rest = after;
                    let (high, low) = value(high).zip(value(low)).ok_or_else(fault)?;
                    (high << 4 | low, 1)
                }
                _ => return Err(fault()),
            },
            // A question mark: a clue that the author left open.
            b'.' => (0, 1),
            b'g'..=b'z' => (0, usize::from(byte - b'f')),
            _ => return Err(fault()),
        };
        if cell + cells > board.cells.len() {
            let words = format!("more than the {} cells of its board", board.cells.len());
            return Err(Reject::whole(Code::Length, words));
        }
        board.cells[cell].given = clue;
        cell += cells;
    }
    Ok(())
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(Kind::Sudoku, "https://puzz.link/p?sudoku/9/9/j1h8h6h3g1j3g4i2l23k9i7l49i7h1i6p1i56g"),
        Good {
            kind: Kind::Sudoku,
            text: "sudoku/9/9/j1h8h6h3g1j3g4i2l23k9i7l49i7h1i6p1i56g",
            canonical: Some("https://puzz.link/p?sudoku/9/9/j1h8h6h3g1j3g4i2l23k9i7l49i7h1i6p1i56g"),
        },
        Good::same(Kind::Sudoku, "https://puzz.link/p?sudoku/6/6/i53j1k2i24g5i5n5"),
        Good::same(
            Kind::Sudoku,
            "https://puzz.link/p?sudoku/16/16/g-10jf3mcq8aj6h8hcgfg5jd1j4-1039ckah-10h3jbei4i2hag67g3mf49bj5gcg3idj2ka-10k8jf9j9k4x9dbj4dgchfg7k5h3kcej-108i6kd4k7jdh95-103gfmf75gag6geg4",
        ),
        Good {
            kind: Kind::Sudoku,
            text: "http://pzv.jp/p.html?sudoku/9/9/1.2",
            canonical: Some("https://puzz.link/p?sudoku/9/9/1g2zzzx"),
        },
    ],
    bad: &[
        BadSample { text: "sudoku/9/9/zzzzzg", code: Code::Length, cell: None },
        BadSample { text: "sudoku/9/9/A", code: Code::Digit, cell: None },
        BadSample { text: "sudoku/9/9/-1", code: Code::Digit, cell: None },
        BadSample { text: "sudoku/9/8/z", code: Code::Unsupported, cell: None },
        BadSample { text: "sudoku/8/8/z", code: Code::Unsupported, cell: None },
        BadSample { text: "sudoku/9/", code: Code::Header, cell: None },
        BadSample { text: "sudoku/9/9/ff", code: Code::Range, cell: Some((1, 1)) },
    ],
}];
