//! A link's board as a version 2 string, or why the link is left alone.

use std::ops::Range;

use super::Relink;
use super::find::{Link, Parameter};
use crate::board::{Batch, Kind, Shape};
use crate::error::{Code, Reject};
use crate::formats::{Evidence, Hints, Id, One, read_one, write_one};

/// What stands somewhere, and what is put there.
pub type Edit = (Range<usize>, String);

/// A link that was read.
pub struct Read {
    /// What is to be changed of it; nothing, if its string stays.
    pub edits: Vec<Edit>,
    /// Its board, alone.
    pub board: Batch,
}

/// Reads a link, and says what is to be changed of it.
pub fn rewrite(text: &[u8], link: &Link, plan: &Relink, evidence: &Evidence) -> Result<Read, Reject> {
    let kind = kind(text, link)?;
    let board = board(link)?;
    let value = board_text(&text[board.value.clone()]);
    let (string, length) = (value.text.as_bytes(), value.length);
    if string.is_empty() {
        return Err(refused("no board stands in it; is it a template?"));
    }
    let range = board.value.start..board.value.start + length;
    let hints = Hints { kind: Some(kind), ..plan.hints };
    if kind.has_regions() {
        return with_regions(text, link, range, (string, &board.name), kind, plan);
    }
    let one = read_string(string, &board.name, &hints, evidence)?;
    let id = one.form.id;
    if id == plan.to || id == Id::Plain && !plan.plain {
        same_kind(&one, kind)?;
        return Ok(Read { edits: Vec::new(), board: one.batch });
    }
    if id == Id::Wolfram {
        return Err(refused("it has a wolfram string, which no page of these takes"));
    }
    same_kind(&one, kind)?;
    if !one.losses.is_empty() {
        return Err(refused(&format!("reading it loses: {}", one.losses)));
    }
    let new = write_one(&one.batch, 0, plan.to)?;
    let mut edits = Vec::new();
    // Masks stand in a parameter of another name.
    if board.name == "n" {
        edits.push((board.separator.end..board.separator.end + 1, "bd".to_string()));
    }
    edits.push((range, new));
    Ok(Read { edits, board: one.batch })
}

/// The parameter with the board: `bd`, or `n` with masks.
fn board(link: &Link) -> Result<&Parameter, Reject> {
    let mut boards = link.named("bd").chain(link.named("n"));
    match (boards.next(), boards.next()) {
        (Some(board), None) => Ok(board),
        _ => Err(refused("it has two boards")),
    }
}

/// Reads the string of a parameter of this name. Numbers are masks in `n`; in `bd` one that is too large for a digit shows it.
fn read_string(string: &[u8], name: &str, hints: &Hints, evidence: &Evidence) -> Result<One, Reject> {
    let one = read_one(string, (name == "n").then_some(Id::V0), hints, evidence)?;
    if one.form.id == Id::Plain && one.form.width == 0 {
        return Err(refused("of its 81 numbers none is above 9, so that they could be digits or masks"));
    }
    Ok(one)
}

/// A board as a string, and how many bytes of the text are its own.
struct Value {
    text: String,
    length: usize,
}

/// What stands in a value, whose characters may be escaped (`%2C` is a comma). Punctuation behind a link is none of it.
fn board_text(value: &[u8]) -> Value {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b".,_*|%-".contains(&byte);
    let whole = &value[..value.iter().position(|&byte| !is_digit(byte)).unwrap_or(value.len())];
    let text = unescaped(whole);
    // A plain board may end in points, but then it has 81 characters.
    if text.len() == 81 {
        return Value { text, length: whole.len() };
    }
    let length = whole.iter().rposition(|byte| !b".,-_*".contains(byte)).map_or(0, |last| last + 1);
    Value { text: unescaped(&whole[..length]), length }
}

/// Text without percent escapes; one that is none stays.
fn unescaped(text: &[u8]) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        let escaped = (byte == b'%').then(|| after.get(..2)).flatten();
        let code = escaped.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        out.push(code.unwrap_or(byte));
        rest = &after[if code.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The kind that a page shows.
fn kind(text: &[u8], link: &Link) -> Result<Kind, Reject> {
    let name = link.page.replace(['_', '-'], "");
    let name = name.strip_suffix("player").unwrap_or(&name);
    let kind = match name {
        "sudoku" => Kind::Sudoku,
        "sudokux" | "xsudoku" => Kind::SudokuX,
        "windoku" | "windokusudoku" => Kind::Windoku,
        "coloursudoku" | "colorsudoku" => Kind::ColourSudoku,
        "jigsaw" | "jigsawsudoku" => Kind::Jigsaw,
        "killersudoku" | "killer" => Kind::Killer,
        "killerjigsaw" => Kind::KillerJigsaw,
        "kenken" => Kind::KenKen,
        "kendoku" => Kind::KenDoku,
        "str8ts" => Kind::Str8ts,
        _ => return Err(refused("its page is not known; what kind its board is of cannot be told")),
    };
    let mut types = link.named("type").map(|parameter| text[parameter.value.clone()].to_ascii_uppercase());
    match (types.next().as_deref(), kind) {
        (None, kind) => Ok(kind),
        (Some(b"X"), Kind::Str8ts) => Ok(Kind::Str8tsX),
        (Some(b"B"), Kind::Str8ts) => Ok(Kind::Str8tsB),
        (Some(b"BX" | b"XB"), Kind::Str8ts) => Ok(Kind::Str8tsBX),
        _ => Err(refused("its parameter type is not known")),
    }
}

/// A board of another kind than the page's is not what the page would show.
fn same_kind(one: &One, kind: Kind) -> Result<(), Reject> {
    let found = one.form.shape.kind;
    (found == kind)
        .then_some(())
        .ok_or_else(|| refused(&format!("its board is of kind {found}, its page is of {kind}")))
}

/// Boards with regions: version 2 has them in the string, old links beside it.
fn with_regions(
    text: &[u8],
    link: &Link,
    range: Range<usize>,
    (string, name): (&[u8], &str),
    kind: Kind,
    plan: &Relink,
) -> Result<Read, Reject> {
    if let Ok(one) = read_one(string, Some(Id::V2), &Hints::default(), &Evidence::default()) {
        same_kind(&one, kind)?;
        let new = (plan.to != Id::V2).then(|| write_one(&one.batch, 0, plan.to)).transpose()?;
        return Ok(Read { edits: new.map(|new| (range, new)).into_iter().collect(), board: one.batch });
    }
    let only = |name| {
        let mut all = link.named(name);
        all.next().filter(|_| all.next().is_none())
    };
    let shape = only("shape").map(|parameter| &text[parameter.value.clone()]);
    let map = only("jigmap").map(|parameter| &text[parameter.value.clone()]);
    let (Some(b"33"), Some(map)) = (shape, map) else {
        return Err(refused(match shape {
            Some(_) => "its shape is one that the site has built in, and whose regions are not public",
            None => "it lacks the regions of its board (shape=33 and jigmap)",
        }));
    };
    if map.len() != 81 || !map.iter().all(|digit| (b'1'..=b'9').contains(digit)) {
        return Err(refused("its jigmap is not 81 digits of 1 to 9"));
    }
    // The string says the cells (and cages); the kind without regions is read.
    let without = if kind == Kind::KillerJigsaw { Kind::Killer } else { Kind::Sudoku };
    let hints = Hints { kind: Some(without), ..plan.hints };
    let one = read_string(string, name, &hints, &Evidence::default())?;
    if one.form.shape.kind != without || !matches!(one.form.id, Id::V1 | Id::Plain) {
        return Err(refused(&format!("its board is not one of a {kind}")));
    }
    let board = joined(&one.batch, kind, map);
    if one.form.id == Id::Plain && !plan.plain {
        return Ok(Read { edits: Vec::new(), board });
    }
    let mut edits = vec![(range, write_one(&board, 0, plan.to)?)];
    edits.extend(removals(link, &["shape", "jigmap"]));
    edits.sort_by_key(|(range, _)| range.start);
    Ok(Read { edits, board })
}

/// Parameters go, each with what separates it from the one before it; the first ones with what separates them from the next.
fn removals(link: &Link, names: &[&str]) -> Vec<Edit> {
    let goes = |parameter: &&Parameter| names.contains(&parameter.name.as_str());
    let all = &link.parameters;
    let first = all.iter().take_while(goes).count();
    let mut edits = Vec::new();
    if let (1.., Some(next)) = (first, all.get(first)) {
        edits.push((all[0].separator.end..next.separator.end, String::new()));
    }
    let others = all[first..].iter().filter(goes);
    edits.extend(others.map(|parameter| (parameter.separator.start..parameter.value.end, String::new())));
    edits
}

/// A board of side 9 with regions.
fn joined(cells: &Batch, kind: Kind, map: &[u8]) -> Batch {
    let mut batch = Batch::new();
    let side = cells.shape().side;
    batch.reset(Shape::new(kind, side), 1);
    for (i, &number) in map.iter().enumerate() {
        batch.set_cell(0, i, cells.cell(0, i));
        batch.regions_mut()[i] = number - b'0';
        if kind.has_cages() {
            batch.colours_mut()[i] = cells.colours()[i];
            batch.contents_mut()[i] = cells.contents()[i];
        }
    }
    batch
}

fn refused(why: &str) -> Reject {
    Reject::whole(Code::Link, format!("the link is left alone: {why}"))
}
