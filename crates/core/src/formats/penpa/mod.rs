//! Reads puzzles of penpa-edit: lines of text, packed by deflate, in base 64. It draws puzzles of all sorts, so most links have
//! something that no kind has. They are not written.

mod base64;
mod edges;
mod layers;
mod place;
mod samples;

use std::borrow::Cow;

use super::addresses::{Address, unescaped, unescaped_base64};
use super::inflate::{Wrapping, beginning, inflate};
use super::json_values::{Arena, JsonValue, Members, parse};
use super::losses::Holds;
use super::neutral::{NeutralBoard, unsupported};
use super::notation::{Notation, OneBoard};
use super::{About, Format, Hints, LayoutDoc};
use crate::board::Shape;
use crate::error::{Code, Reject, escape};
use layers::{read_answer, read_question};
use place::Place;
pub(super) use samples::SAMPLES;

/// The format `penpa`.
pub(super) struct Penpa;

static ABOUT: About = About {
    id: Format::Penpa,
    name: "penpa",
    summary: "a puzzle of penpa-edit, also as a link: lines of text, packed by deflate, in base 64",
    layouts: &[LayoutDoc {
        kinds: "sudoku, -x, jigsaw, killer, killer-jigsaw",
        body: "base 64; before it `m=edit&p=`, or the address of a link",
        length: "any",
    }],
};

/// The most bytes of the text. Puzzles have some thousands.
const MOST: usize = 4 << 20;

/// The kinds of grids that penpa-edit has.
const GRIDS: [&str; 17] = [
    "square",
    "sudoku",
    "kakuro",
    "hex",
    "tri",
    "pyramid",
    "cube",
    "iso",
    "tetrakis_square",
    "truncated_square",
    "snub_square",
    "cairo_pentagonal",
    "rhombitrihexagonal",
    "deltoidal_trihexagonal",
    "deltaoidal_trihexagonal",
    "penrose_P2",
    "penrose_P3",
];

impl Notation for Penpa {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        if Address::of(text).is_some_and(|address| address.is_of(Format::Penpa)) {
            let is_page = |address: Address<'_>| address.rest.starts_with(b"penpa-edit");
            return Address::of(text).is_some_and(is_page) && parameter(text).is_some();
        }
        let query = text.strip_prefix(b"#").or_else(|| text.strip_prefix(b"?")).unwrap_or(text);
        query.starts_with(b"m=edit&p=") || query.starts_with(b"m=solve&p=") || is_packed(text)
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let packed = unescaped_base64(parameter(text).unwrap_or(text));
        let bytes = base64::decode(&packed).map_err(|at| {
            let words = match packed.get(at) {
                Some(sign) => format!("'{}' is no digit of base 64", escape(&[*sign])),
                None => "its base 64 is cut off".to_string(),
            };
            Reject::whole(Code::Digit, words)
        })?;
        let text = String::from_utf8(inflate(&bytes, Wrapping::Raw, MOST)?);
        let text = text.map_err(|_| Reject::whole(Code::Digit, "what it unpacks to is not UTF-8"))?;
        read_text(&text)?.into_board()
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds::all(&[])
    }
}

/// The value of `p` after the first `#` or `?`, or in a query that stands alone.
fn parameter(text: &[u8]) -> Option<&[u8]> {
    let mut parameters = text.split(|byte| b"#?&".contains(byte)).map(|one| one.strip_prefix(b"amp;").unwrap_or(one));
    parameters.find_map(|parameter| parameter.strip_prefix(b"p="))
}

/// Whether a text is base 64 that unpacks to the first line of a puzzle.
fn is_packed(text: &[u8]) -> bool {
    const SHORTEST: usize = 100;
    // So many digits have the codes of the stream, and the first bytes of the text.
    const EXAMINED: usize = 400;
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=%".contains(byte);
    if text.len() < SHORTEST || !text.iter().all(is_digit) {
        return false;
    }
    let digits = unescaped_base64(&text[..text.len().min(EXAMINED)]);
    let digits = &digits[..digits.iter().position(|&byte| byte == b'%').unwrap_or(digits.len()) & !3];
    let Ok(bytes) = base64::decode(digits) else { return false };
    let (begin, length) = beginning::<32>(&bytes);
    let begin = &begin[..length];
    GRIDS.iter().any(|grid| begin.strip_prefix(grid.as_bytes()).is_some_and(|rest| rest.starts_with(b",")))
}

/// Reads the lines of a puzzle: the grid and texts, two layers, and the cells that there are. The others say how it is shown and
/// edited.
fn read_text(text: &str) -> Result<NeutralBoard, Reject> {
    let mut lines = text.split('\n');
    let mut line = || lines.next().ok_or_else(|| Reject::whole(Code::Length, "what it unpacks to has too few lines"));
    let fields: Vec<&str> = line()?.split(',').collect();
    let (_, _) = (line()?, line()?);
    let (question, answer, cells) = (line()?, line()?, line()?);
    let grid = fields.first().copied().unwrap_or_default();
    if !["square", "sudoku"].contains(&grid) {
        return Err(match GRIDS.contains(&grid) {
            true => unsupported(format!("a {grid} grid")),
            false => Reject::whole(Code::Header, "what it unpacks to does not begin with a grid of penpa-edit"),
        });
    }
    let place = Place::of(&fields, cells)?;
    let mut board = NeutralBoard::new(place.side())?;
    let (question, answer) = (with_quotes(question), with_quotes(answer));
    let arena = Arena::new();
    let question = layer(&arena, &question)?;
    let answer = if answer.trim().is_empty() { Members::default() } else { layer(&arena, &answer)? };
    read_question(&question, &place, &mut board)?;
    read_answer(&answer, &place, &mut board)?;
    read_texts(&fields, &mut board);
    Ok(board)
}

/// Title, author and source, and the rules, in which some signs have codes.
fn read_texts(fields: &[&str], board: &mut NeutralBoard) {
    let text = |at: usize| fields.get(at).copied().unwrap_or_default();
    let after = |at: usize, name: &str| text(at).strip_prefix(name).unwrap_or(text(at)).trim();
    let decoded = |text: &str| {
        let text = text.replace("%2D", "\n").replace("%2E", "&").replace("%2F", "=");
        String::from_utf8_lossy(&unescaped(text.as_bytes())).into_owned()
    };
    board.take_title(&decoded(after(15, "Title:")));
    board.take_author(&decoded(after(16, "Author:")));
    board.take_author(&decoded(text(17).trim()));
    board.take_rules(&decoded(text(18)));
}

/// Reads a layer: JSON, in which `z` and a sign stand for names that occur often.
fn layer<'t>(arena: &'t Arena, json: &'t str) -> Result<Members<'t>, Reject> {
    let wrong = |words: String| Reject::whole(Code::Digit, format!("a layer is not JSON: {words}"));
    let value = parse(arena, json, long_key).map_err(|error| wrong(escape(error.to_string().as_bytes())))?;
    match value {
        JsonValue::Object(members) => Ok(members),
        _ => Err(wrong("it is no object".into())),
    }
}

/// Sets short names in quotes.
fn with_quotes(line: &str) -> Cow<'_, str> {
    if !line.contains('z') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(2 * line.len());
    let (mut in_string, mut signs) = (false, line.chars());
    while let Some(sign) = signs.next() {
        match sign {
            'z' if !in_string => match signs.next() {
                Some('O') => out.push_str("null"),
                name => {
                    out.push_str("\"z");
                    out.extend(name);
                    out.push('"');
                }
            },
            '\\' => {
                out.push(sign);
                out.extend(signs.next());
            }
            sign => {
                in_string ^= sign == '"';
                out.push(sign);
            }
        }
    }
    Cow::Owned(out)
}

/// The name that a short one stands for, of those that layers have.
fn long_key(key: &str) -> Option<&'static str> {
    const NAMES: [(&str, &str); 23] = [
        ("zS", "surface"),
        ("zL", "line"),
        ("zE", "lineE"),
        ("zW", "wall"),
        ("zC", "cage"),
        ("zN", "number"),
        ("zY", "symbol"),
        ("zP", "special"),
        ("zB", "board"),
        ("zR", "command_redo"),
        ("zU", "command_undo"),
        ("z8", "command_replay"),
        ("z1", "numberS"),
        ("zF", "freeline"),
        ("z2", "freelineE"),
        ("zT", "thermo"),
        ("z3", "arrows"),
        ("zD", "direction"),
        ("z0", "squareframe"),
        ("z5", "polygon"),
        ("z4", "deletelineE"),
        ("z6", "killercages"),
        ("z7", "nobulbthermo"),
    ];
    NAMES.iter().find(|name| name.0 == key).map(|name| name.1)
}

#[cfg(test)]
mod tests;
