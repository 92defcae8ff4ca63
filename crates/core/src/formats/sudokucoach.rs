//! Reads and writes states of sudoku.coach, and reads its games: JSON in a zlib stream in base 32.

use std::borrow::Cow;

use super::addresses::{Address, unescaped};
use super::inflate::{Wrapping, inflate};
use super::json_values::{Arena, JsonValue, is_nothing, parse_puzzle};
use super::losses::{Holds, Loss, Losses};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::{About, Format, GridCells, Hints, LayoutDoc, Text, plain_kind};
use crate::board::{Batch, Cell, Kind, Mask, Shape, Side};
use crate::error::{Code, Reject, escape};
use miniz_oxide::deflate::compress_to_vec_zlib;

/// The format `sudokucoach`.
pub(super) struct Sudokucoach;

static ABOUT: About = About {
    id: Format::Sudokucoach,
    name: "sudokucoach",
    summary: "a state or a game of sudoku.coach, also in a link: JSON, packed by zlib, in base 32",
    layouts: &[LayoutDoc { kinds: "sudoku", body: "`SCv7_32_` or `32_` and base 32", length: "any" }],
};

/// What a state begins with, and a game.
const STATE: &[u8] = b"SCv7_32_";
const GAME: &[u8] = b"32_";

/// The most bytes of the JSON. A long game has some ten thousand.
const MOST: usize = 1 << 20;

/// The effort of zlib: more makes strings hardly shorter.
const LEVEL: u8 = 6;

impl Notation for Sudokucoach {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        if Address::of(text).is_some_and(|address| in_link(&address).is_some()) || has_other_version(text) {
            return true;
        }
        // The bits of each stream begin with 01111000.
        let packed = text.strip_prefix(STATE).or_else(|| text.strip_prefix(GAME)).unwrap_or_default();
        matches!(packed, [b'f' | b'F', b'0'..=b'3', ..])
            && packed.len() >= 30
            && packed.iter().all(|&digit| char::from(digit).is_digit(32))
    }

    fn read(&self, text: &[u8], hints: &Hints) -> Result<OneBoard, Reject> {
        let kind = plain_kind(hints, "sudokucoach")?;
        let address = Address::of(text).filter(|address| address.host == "sudoku.coach");
        let (string, is_link) = match &address {
            Some(address) => (in_link(address).map(unescaped).map_or(Cow::Borrowed(text), Cow::Owned), true),
            None => (Cow::Borrowed(text), false),
        };
        if is_link && string.len() == 81 && string.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
            let cell = |at: usize| Cell::Clue(string[at].wrapping_sub(b'0'));
            let cells: GridCells =
                std::array::from_fn(|at| if b"0.".contains(&string[at]) { Cell::Empty } else { cell(at) });
            return OneBoard::of_cells(&cells, kind);
        }
        if let Some(packed) = string.strip_prefix(STATE) {
            return read_state(&json(&Arena::new(), &unpacked(packed)?)?, kind);
        }
        if let Some(packed) = string.strip_prefix(GAME) {
            let (arena, game) = (Arena::new(), unpacked(packed)?);
            return read_state(&state_of_game(&arena, &json(&arena, &game)?)?, kind);
        }
        if has_other_version(&string) {
            let version = String::from_utf8_lossy(&string[..string.iter().position(|&byte| byte == b'_').unwrap_or(0)]);
            let words = format!("a state of version {version}, of which nothing is known; SCv7_32_ is read");
            return Err(Reject::whole(Code::Unsupported, words));
        }
        if is_link && string.len() <= 60 {
            let words =
                "a link without a state: the puzzle is on the server of sudoku.coach, and gridmill fetches nothing";
            return Err(Reject::whole(Code::Remote, words));
        }
        Err(Reject::whole(Code::Header, "a string of sudoku.coach begins with SCv7_32_ or 32_"))
    }

    fn writes(&self, shape: Shape) -> Result<Shape, Reject> {
        super::need_side_nine(shape, "sudokucoach")?;
        Ok(Shape::new(Kind::Sudoku, Side::NINE))
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds { regions: false, cages: false, operators: false, black: false, ..Holds::all(&[Kind::Sudoku]) }
    }

    fn write(&self, batch: &Batch, board: usize, out: &mut Text) -> Result<(), Reject> {
        let cells: GridCells = std::array::from_fn(|at| batch.cell(board, at));
        let digits =
            |digit: fn(Cell) -> u8| cells.iter().map(|&cell| char::from(b'0' + digit(cell))).collect::<String>();
        let given = digits(|cell| match cell {
            Cell::Clue(digit) | Cell::BlackClue(digit) => digit,
            _ => 0,
        });
        let solved = digits(|cell| if let Cell::Solved(digit) = cell { digit } else { 0 });
        let mut json = format!("{{\"gridSize\":9,\"givenDigits\":\"{given}\"");
        if cells.iter().any(|cell| matches!(cell, Cell::Solved(_))) {
            json.push_str(&format!(",\"userDigits\":\"{solved}\""));
        }
        if cells.iter().any(|cell| matches!(cell, Cell::Candidates(_))) {
            let mask = |cell: &Cell| if let Cell::Candidates(set) = cell { (set << 1).to_string() } else { "0".into() };
            let masks: Vec<String> = cells.iter().map(mask).collect();
            json.push_str(&format!(",\"userCellCandidates\":\"{}\"", masks.join("-")));
        }
        json.push('}');
        out.push(STATE);
        out.push(&base32(&compress_to_vec_zlib(json.as_bytes(), LEVEL)));
        Ok(())
    }
}

/// The string in an address of sudoku.coach: what follows `play`, perhaps after a language.
fn in_link<'t>(address: &Address<'t>) -> Option<&'t [u8]> {
    if address.host != "sudoku.coach" {
        return None;
    }
    let mut parts = address.path().split(|&byte| byte == b'/');
    let mut page = parts.next()?;
    if page.len() == 2 && page.iter().all(u8::is_ascii_lowercase) {
        page = parts.next()?;
    }
    let string = parts.next().filter(|string| !string.is_empty())?;
    [&b"play"[..], b"solver", b"s"].contains(&page).then_some(string)
}

/// Whether a text is a state of another version: `SCv8_...`.
fn has_other_version(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"SCv") else { return false };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=3).contains(&digits) && rest.get(digits) == Some(&b'_') && !text.starts_with(STATE)
}

/// Reads base 32, with the highest bit first and no padding, and unpacks the stream.
fn unpacked(packed: &[u8]) -> Result<Vec<u8>, Reject> {
    let (mut bytes, mut bits, mut count) = (Vec::with_capacity(packed.len() * 5 / 8), 0_u32, 0);
    for (at, &digit) in packed.iter().enumerate() {
        let value = char::from(digit).to_digit(32).ok_or_else(|| {
            let words = format!("its character {}, '{}', is no digit of base 32", at + 1, escape(&[digit]));
            Reject::whole(Code::Digit, words)
        })?;
        bits = bits << 5 | value;
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    if bits != 0 || count > 4 {
        return Err(Reject::whole(Code::Digit, "bits are left over at its end"));
    }
    inflate(&bytes, Wrapping::Zlib, MOST)
}

/// Writes base 32.
fn base32(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghijklmnopqrstuv";
    let (mut digits, mut bits, mut count) = (Vec::with_capacity(bytes.len() * 8 / 5 + 1), 0_u32, 0);
    for &byte in bytes {
        bits = bits << 8 | u32::from(byte);
        count += 8;
        while count >= 5 {
            count -= 5;
            digits.push(DIGITS[(bits >> count) as usize & 31]);
        }
        bits &= (1 << count) - 1;
    }
    if count > 0 {
        digits.push(DIGITS[(bits << (5 - count)) as usize & 31]);
    }
    digits
}

fn json<'t>(arena: &'t Arena, text: &'t [u8]) -> Result<JsonValue<'t>, Reject> {
    let text = str::from_utf8(text).map_err(|_| Reject::whole(Code::Digit, "what it unpacks to is not UTF-8"))?;
    parse_puzzle(arena, text, "what it unpacks to is")
}

/// The state at which a game is.
fn state_of_game<'t>(arena: &'t Arena, game: &JsonValue<'t>) -> Result<JsonValue<'t>, Reject> {
    let at = game.get("i").and_then(JsonValue::as_u64).and_then(|at| usize::try_from(at).ok());
    let states = game.get("a").and_then(JsonValue::as_array);
    let state = at.zip(states).and_then(|(at, states)| states.get(at)?.as_str());
    json(arena, state.ok_or_else(|| Reject::whole(Code::Length, "the game has no state"))?.as_bytes())
}

/// Reads the digits of a member, 0 for an empty cell.
fn digits(state: &JsonValue, key: &str) -> Result<[u8; 81], Reject> {
    let Some(text) = state.get(key).filter(|value| !is_nothing(value)) else { return Ok([0; 81]) };
    let digits = text.as_str().map(str::as_bytes).filter(|text| text.iter().all(u8::is_ascii_digit));
    let digits = digits.and_then(|digits| <[u8; 81]>::try_from(digits).ok());
    let digits = digits.ok_or_else(|| Reject::whole(Code::Length, format!("{key} has not 81 digits")))?;
    Ok(digits.map(|digit| digit - b'0'))
}

/// Reads the candidates of the cells: bit d of a number is digit d.
fn candidates(state: &JsonValue) -> Result<[Mask; 81], Reject> {
    let mut masks = [0; 81];
    let Some(value) = state.get("userCellCandidates").filter(|value| !is_nothing(value)) else { return Ok(masks) };
    let numbers: Vec<&str> = value.as_str().unwrap_or_default().split('-').collect();
    if numbers.len() != masks.len() {
        return Err(Reject::whole(Code::Length, "userCellCandidates has not 81 numbers"));
    }
    for (at, number) in numbers.into_iter().enumerate() {
        let is_number = (1..=4).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
        let mask = number.parse().ok().filter(|mask: &Mask| is_number && mask & 1 == 0 && *mask <= 1022);
        masks[at] = mask.ok_or_else(|| {
            Reject::at(Code::Range, at, 9, format!("{} is no set of digits", escape(number.as_bytes())))
        })? >> 1;
    }
    Ok(masks)
}

fn read_state(state: &JsonValue, kind: Kind) -> Result<OneBoard, Reject> {
    if state.as_object().is_none() || state.get("gridSize").is_some_and(|side| side.as_u64() != Some(9)) {
        return Err(Reject::whole(Code::Length, "it is no state of a board of side 9"));
    }
    let (given, solved, notes) = (digits(state, "givenDigits")?, digits(state, "userDigits")?, candidates(state)?);
    let mut losses = Losses::default();
    let cells: GridCells = std::array::from_fn(|at| match (given[at], solved[at], notes[at]) {
        (0, 0, 0) => Cell::Empty,
        (0, 0, notes) => Cell::Candidates(notes),
        (0, digit, _) => Cell::Solved(digit),
        (digit, _, _) => Cell::Clue(digit),
    });
    for at in (0..81).filter(|&at| notes[at] != 0 && cells[at].digit() != 0) {
        losses.add_cell(Loss::HiddenNotes, at);
    }
    let is_coloured = |value: &JsonValue| match value {
        JsonValue::String(text) => text.bytes().any(|byte| !b",-".contains(&byte)),
        JsonValue::Array(values) => values.iter().any(|value| !is_nothing(value)),
        value => !is_nothing(value),
    };
    let colours = ["givenColours", "userColours", "userCellCandidatesColours"];
    if colours.iter().any(|key| state.get(key).is_some_and(is_coloured)) {
        losses.add(Loss::Marks);
    }
    Ok(OneBoard { losses, ..OneBoard::of_cells(&cells, kind)? })
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good {
            kind: Kind::Sudoku,
            text: "SCv7_32_f3d2b2pr1q030323tu99jgftq6j36dv019a5a5g680621rier9tb57subul8er5b7i2j4jqksknfm8illq9j418\
                  78hk6dg3gd26t7m39a0s0vrfaj4jdkjgrgvmq4docuihsti7kvlk6c6hi",
            canonical: Some(
                "SCv7_32_f2e2b2tr1m030423eusplgnpi5e6kdj00mheg6ga80a20tn7iasb57subul8er5b7i2j4jqksknfm8illq9j41878\
                hk6dg3gd26t7m39a0s0vrfaj4jdkjgrgvmq4docuihsti7kvlk6c6hi",
            ),
        },
        Good {
            kind: Kind::Sudoku,
            text: "SCv7_32_f3dcqja91q1j047rpee8jp44emsd47vk0l41ih9344740ur8onfpm16k2toc0sth7mrfp9dgl1vukht8su185fj\
                  5fpkd0rd5jrl14q0hq409dqu4n0tn8tto50lk87jj6o2lqtkj1ubo75b540bq6r4p19tarcns0to7sbm374ocgd0dsfmdb3\
                  srsggg7koo1fjgprjqmjvg1buuahpg",
            canonical: Some(
                "SCv7_32_f2ecqja91q1j047rpee8jp44emsd47vk0l41ih9344740ur8qmvje2c82toc0sth7mrfp9dgl1vukht8su185fj5f\
                pkd0rd5jrl14q0hq409dqu4n3dnbdtr50lk87jj6o2lqtkj1ubo75b540bq6r4p19tarcks0cs3t5v130c696k6e7relhqdua\
                882qccglpgctptvbug3buuahpg",
            ),
        },
        Good {
            kind: Kind::Sudoku,
            text: "32_f3dcr4ht1r130345lt97ijl4ivq3eneb1kc4j1t28qaqbai354659f9r945840p0giuthjufv837m9d6b84ula1uq5l6\
                  jo4rjc73ps3im5a2f5ni2gke38o0ij4k6pdanmnnc5b90pfnn7oa8oetb8238thqc30g2tulm6ib3e4oh6lp7vpdq1ce274\
                  mvm41eeurhu8jgfjvoqvhooq6s74rdrlbjromuv14ji2259k2rsdf367d82hqvenmhdo7ed87ggo",
            canonical: Some(
                "SCv7_32_f2ecqja91q1j047rpee8jp44emsd47vk0l41ih9344740ur8qmvje2c82toc0sth7mrfp9dgl1vukht8su185fj5f\
                pkd0rd5jrl14q0hq409dqu4n3dnbdtr50lk87jj6o2lqtkj1ubo75b540bq6r4p19tarcks0cs3t5v130c696k6e7relhqdua\
                882qccglpgctptvbug3buuahpg",
            ),
        },
        Good {
            kind: Kind::Sudoku,
            text: "https://sudoku.coach/en/play/530070000600195000098000060800060003400803001700020006060000280000\
                  419005000080079",
            canonical: Some(
                "SCv7_32_f2e2b2tr1m030423eusplgnpi5e6kdj00mheg6ga80a20tn7iasb57subul8er5b7i2j4jqksknfm8illq9j41878\
                hk6dg3gd26t7m39a0s0vrfaj4jdkjgrgvmq4docuihsti7kvlk6c6hi",
            ),
        },
        Good {
            kind: Kind::Sudoku,
            text: "https://sudoku.coach/de/play/SCv7_32_F3DCQJA91Q1J047RPEE8JP44EMSD47VK0L41IH9344740UR8ONFPM16K2T\
                  OC0STH7MRFP9DGL1VUKHT8SU185FJ5FPKD0RD5JRL14Q0HQ409DQU4N0TN8TTO50LK87JJ6O2LQTKJ1UBO75B540BQ6R4P1\
                  9TARCNS0TO7SBM374OCGD0DSFMDB3SRSGGG7KOO1FJGPRJQMJVG1BUUAHPG",
            canonical: Some(
                "SCv7_32_f2ecqja91q1j047rpee8jp44emsd47vk0l41ih9344740ur8qmvje2c82toc0sth7mrfp9dgl1vukht8su185fj5f\
                pkd0rd5jrl14q0hq409dqu4n3dnbdtr50lk87jj6o2lqtkj1ubo75b540bq6r4p19tarcks0cs3t5v130c696k6e7relhqdua\
                882qccglpgctptvbug3buuahpg",
            ),
        },
    ],
    bad: &[
        BadSample {
            text: "SCv7_32_f3d2b2pr1q030323tu99jgftq6j36dv019a5a5g680621rier9tb",
            code: Code::Digit,
            cell: None,
        },
        BadSample {
            text: "SCv7_32_f3d2b2pr1q030323tu99jgftq6j36dv019a5a5g680621rier9tbw7subul8er5b7i2j4jqksknfm8illq9j418\
                  78hk6dg3gd26t7m39a0s0vrfaj4jdkjgrgvmq4docuihsti7kvlk6c6hi",
            code: Code::Digit,
            cell: None,
        },
        BadSample {
            text: "SCv8_32_f3d2b2pr1q030323tu99jgftq6j36dv019a5a5g680621rier9tb57subul8er5b7i2j4jqksknfm8illq9j418\
                  78hk6dg3gd26t7m39a0s0vrfaj4jdkjgrgvmq4docuihsti7kvlk6c6hi",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "SCv7_32_f3d2b2pr1q030323tu99jgft6ueri0ank2lb4c00c8072tuisb4nsujul3mr4bjiasl738h6avemcqbi3pa2ge1\
                  0849g3gt16v7fvjhvgnpt1bkut6h1rd3jr0gnlgu073l4oj7f0tjjk6hf",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "SCv7_32_f3damliapsm4njbjp56cub19aqp54chl6oo30do008pg60q39d9h1iui0b1bf04838c9m600r507b1h0gl360kc\
                  gn20h2m51h6gqb081b0hp0qteag5g15p12nag",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "SCv7_32_f3dcr3ab1a030324tu9bb1b9mir7baon25da882tv3dogtpnlmbj1mec7hfcgjabn9h9tkkihqegcchdc0gt60u\
                  qje9bputqvckdk3kion9kbp2a1c3lfcej3qk8ekldku3csfbecdedesee462vj27524a98l8qpg57unbqbrpsmf07",
            code: Code::Range,
            cell: Some((1, 3)),
        },
        BadSample { text: "32_f3damlmaaip35lih99ab52kelk2g06r10fb0", code: Code::Length, cell: None },
        BadSample { text: "plain", code: Code::Header, cell: None },
        BadSample { text: "https://sudoku.coach/en/play/daily", code: Code::Remote, cell: None },
    ],
}];
