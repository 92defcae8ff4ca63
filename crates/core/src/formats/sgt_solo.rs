//! Reads and writes game ids of Solo, one of Simon Tatham's puzzles: `3x3:a5b7...`, `9j:...`, `3x3k:...`.

use super::losses::Holds;
use super::neutral::{NeutralBoard, NeutralCage, NeutralRegions, cages_of, regions_of};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::sgt::{Walls, cells_of, id_of, is_link, read_grid, split, write_grid};
use super::text::decimal;
use super::{About, Format, Hints, LayoutDoc, Text};
use crate::board::{Batch, Kind, Shape, components};
use crate::error::{Code, Reject};

/// The format `sgt-solo`.
pub(super) struct SgtSolo;

static ABOUT: About = About {
    id: Format::SgtSolo,
    name: "sgt-solo",
    summary: "a game id of Solo, one of Simon Tatham's puzzles; also in a link",
    layouts: &[LayoutDoc {
        kinds: "sudoku, -x, jigsaw, killer, killer-jigsaw",
        body: "`3x3:` or `9j:`, clues and runs of empty cells, then regions, cages, sums",
        length: "any",
    }],
};

const PAGE: &str = "solo.html";
const BORDERS: Walls = Walls { longest: 26, repeats: false };
/// How many characters of a text decide whether it may be an id.
const EXAMINED: usize = 256;

impl Notation for SgtSolo {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        if is_link(text, PAGE) {
            return true;
        }
        let Some(end) = text.iter().take(16).position(|byte| b":#".contains(byte)) else { return false };
        let rest = &text[end + 1..][..(text.len() - end - 1).min(EXAMINED)];
        let is_sign = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_,".contains(byte);
        let is_rest = if text[end] == b'#' { rest.iter().all(u8::is_ascii_digit) } else { rest.iter().all(is_sign) };
        !rest.is_empty()
            && is_rest
            && read_parameters(&text[..end])
                .is_some_and(|parameters| parameters.is_jigsaw || parameters.columns.is_some())
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let id = id_of(text, PAGE);
        let (parameters, description) = split(&id)?;
        let parameters = read_parameters(parameters)
            .ok_or_else(|| Reject::whole(Code::Header, "these are no parameters of Solo, such as 3x3, 9j or 3x3k"))?;
        read_board(&parameters, description)?.into_board()
    }

    fn writes(&self, shape: Shape) -> Result<Shape, Reject> {
        let words = match shape.kind {
            kind if kind.has_operators() => "Solo has no operators",
            kind if kind.has_black() => "Solo has no black cells",
            Kind::Windoku | Kind::ColourSudoku => return Ok(Shape::new(Kind::Sudoku, shape.side)),
            _ => return Ok(shape),
        };
        Err(Reject::whole(Code::Unsupported, words))
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds {
            regions: true,
            cages: true,
            ..Holds::clues(&[Kind::Sudoku, Kind::SudokuX, Kind::Jigsaw, Kind::Killer, Kind::KillerJigsaw])
        }
    }

    fn write(&self, batch: &Batch, board: usize, out: &mut Text) -> Result<(), Reject> {
        let Shape { kind, side } = batch.shape();
        let n = side.get();
        let regions = if kind.has_regions() { areas(&regions_of(batch, board)?, n)? } else { Vec::new() };
        match side.box_shape() {
            Some((rows, columns)) if regions.is_empty() => {
                out.push_number(rows as u32);
                out.push_byte(b'x');
                out.push_number(columns as u32);
            }
            _ => {
                out.push_number(n as u32);
                out.push_byte(b'j');
            }
        }
        if kind == Kind::SudokuX {
            out.push_byte(b'x');
        }
        if kind.has_cages() {
            out.push_byte(b'k');
        }
        out.push_byte(b':');
        let digits: Vec<u32> = (0..n * n).map(|cell| u32::from(batch.cell(board, cell).digit())).collect();
        write_grid(&digits, out);
        if !regions.is_empty() {
            out.push_byte(b',');
            BORDERS.write(&regions, n, out);
        }
        if kind.has_cages() {
            let (mut areas, mut sums) = (vec![0; n * n], vec![0; n * n]);
            for cage in cages_of(batch, board) {
                cage.cells.iter().for_each(|&cell| areas[usize::from(cell)] = cage.cells[0]);
                sums[usize::from(cage.cells[0])] = cage.clue.unwrap_or(0);
            }
            out.push_byte(b',');
            BORDERS.write(&areas, n, out);
            out.push_byte(b',');
            write_grid(&sums, out);
        }
        Ok(())
    }
}

/// The areas of regions, each of which must be in one piece.
fn areas(regions: &[u8], side: usize) -> Result<Vec<u16>, Reject> {
    let labels = &components(regions, side)[..side * side];
    let pieces = (0..side * side).filter(|&cell| usize::from(labels[cell]) == cell).count();
    match pieces == side {
        true => Ok(labels.to_vec()),
        false => Err(Reject::whole(Code::Unsupported, "regions in several pieces, which Solo does not have")),
    }
}

/// What stands before the colon.
struct Parameters {
    /// The side, or the rows of a box.
    first: usize,
    /// The number after `x`: the columns of a box.
    columns: Option<usize>,
    is_jigsaw: bool,
    has_diagonals: bool,
    has_cages: bool,
}

/// Reads parameters: `3x3`, then `j` jigsaw, `x` diagonals, `k` killer; symmetry (`r2`, `m4`, `md2`, `a`) and difficulty (`dt`)
/// say nothing about the puzzle.
fn read_parameters(text: &[u8]) -> Option<Parameters> {
    let number = |text: &[u8]| {
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = decimal(&text[..digits]).filter(|&number| number <= 100)?;
        Some((number as usize, digits))
    };
    let (first, digits) = number(text)?;
    let mut rest = &text[digits..];
    let mut parameters = Parameters { first, columns: None, is_jigsaw: false, has_diagonals: false, has_cages: false };
    if let Some(after) = rest.strip_prefix(b"x")
        && let Some((columns, digits)) = number(after)
    {
        parameters.columns = Some(columns);
        rest = &after[digits..];
    }
    while !rest.is_empty() {
        rest = match *rest {
            [b'm', b'd', b'0'..=b'9', ref rest @ ..]
            | [b'm' | b'r', b'0'..=b'9', ref rest @ ..]
            | [b'd', b'a'..=b'z', ref rest @ ..]
            | [b'a', ref rest @ ..] => rest,
            [flag @ (b'j' | b'x' | b'k'), ref rest @ ..] => {
                match flag {
                    b'j' => parameters.is_jigsaw = true,
                    b'x' => parameters.has_diagonals = true,
                    _ => parameters.has_cages = true,
                }
                rest
            }
            _ => return None,
        };
    }
    Some(parameters)
}

fn read_board(parameters: &Parameters, description: &[u8]) -> Result<NeutralBoard, Reject> {
    let &Parameters { first, columns, is_jigsaw, has_diagonals, has_cages } = parameters;
    let side = match columns {
        Some(columns) => first * columns,
        None if is_jigsaw => first,
        None => first * first,
    };
    if !(2..=31).contains(&side) {
        return Err(Reject::whole(Code::Header, format!("Solo has no boards of side {side}")));
    }
    let fields: Vec<&[u8]> = description.split(|&byte| byte == b',').collect();
    let expected = 1 + usize::from(is_jigsaw) + 2 * usize::from(has_cages);
    if fields.len() != expected {
        let words = format!("{} fields after the colon, expected {expected}", fields.len());
        return Err(Reject::whole(Code::Length, words));
    }
    let mut board = NeutralBoard::new(side)?;
    for (cell, clue) in board.cells.iter_mut().zip(read_grid(fields[0], side, side as u32)?) {
        cell.given = clue as u8;
    }
    board.regions = NeutralRegions::Numbers(match is_jigsaw {
        true => BORDERS.read(fields[1], side)?.into_iter().map(Some).collect(),
        false => {
            let (height, width) = (first, side / first);
            let number = |cell: usize| cell / side / height * height + cell % side / width;
            (0..side * side).map(|cell| Some(number(cell) as u16)).collect()
        }
    });
    (board.further.rising, board.further.falling) = (has_diagonals, has_diagonals);
    if let (true, [.., cages, sums]) = (has_cages, &fields[..]) {
        let cages = BORDERS.read(cages, side)?;
        let sums = read_grid(sums, side, (side * side * side) as u32)?;
        if let Some(cell) = (0..side * side).find(|&cell| sums[cell] != 0 && usize::from(cages[cell]) != cell) {
            return Err(Reject::at(Code::Cage, cell, side, "a sum in a cell that is not the first of its cage"));
        }
        board.cages.extend(cells_of(&cages).into_iter().map(|cells| {
            let clue = Some(sums[usize::from(cells[0])]).filter(|&sum| sum > 0);
            NeutralCage { cells, clue, operator: 0 }
        }));
    }
    Ok(board)
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(Kind::Sudoku, "3x3:d1b8b6b3a1d3a4c2f2_3e9c7f4_9c7b1c6j1c5_6a"),
        Good::same(Kind::Sudoku, "2x3:c5_3d1e2c2_4a5c5h5"),
        Good::same(Kind::SudokuX, "3x3x:a6_8e4_5_9a6b8c2d6g7d7a4a6d5h4d1b6l4_5c"),
        Good::same(
            Kind::Jigsaw,
            "9j:i8c7_3_4_1a1e3b5d4a7a4_2a6b5b3a9a5_7f4a5a2b9d8b2a1f,bbcceaaacacaa___b_a__c____aeaeaed_____d____dbdb_bbabde_b",
        ),
        Good::same(
            Kind::Killer,
            "3x3k:zzzc,a_baaaa___aaa___a__ba_____a_____a___ab_a___b_ca_baaaa_aa___aa__c_a_b__aabb_ab_a____c____a,10a10_25b14a13_22f15a14b13a8d13_20a15a25g23a2_5_20a13c29_9b8g9a21a3_28a18j",
        ),
        Good::same(
            Kind::KillerJigsaw,
            "9jk:zzzc,bbdbda__c_a__bbb__bbadb_cbgccaebea_cbaacaacacaabbb,a_aba_a__a_a___b_a__b_aaaa____abb____aabbaa___baa__a_aa_aa___a___a_______aaa_b__a_aaaca_b,8a8_10a16b29_14b21a2_13b8a20b9c8b8c18a14a6_17a17d27b4a6_10e23c26_21_8_13_8j13c",
        ),
        Good {
            kind: Kind::Sudoku,
            text: "3x3r4dt:d1b8b6b3a1d3a4c2f2_3e9c7f4_9c7b1c6j1c5_6a",
            canonical: Some("3x3:d1b8b6b3a1d3a4c2f2_3e9c7f4_9c7b1c6j1c5_6a"),
        },
        Good { kind: Kind::Jigsaw, text: "3x2:zj", canonical: Some("6j:zj,aabababababacdddddb") },
    ],
    bad: &[
        BadSample { text: "3x3:zzzb", code: Code::Length, cell: None },
        BadSample { text: "3x3:0zzzb", code: Code::Digit, cell: None },
        BadSample { text: "3x3:10zzzb", code: Code::Range, cell: None },
        BadSample { text: "3y3:zzzc", code: Code::Header, cell: None },
        BadSample { text: "3x3k:zzzc", code: Code::Length, cell: None },
        BadSample { text: "3x3db#529619113385357", code: Code::Unsupported, cell: None },
        BadSample { text: "2x2:1f2_4f3", code: Code::Unsupported, cell: None },
        BadSample { text: "9j:zzzc,zz", code: Code::Length, cell: None },
    ],
}];
