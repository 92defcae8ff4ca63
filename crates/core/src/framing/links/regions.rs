//! Rewrites links to boards with regions. Version 2 has the regions in the string, whereas old links have them in
//! another parameter.

use std::ops::Range;

use super::Links;
use super::find::{Parameter, SolverLink};
use super::layouts::layout;
use super::read::{Edit, ReadLink, read_string, refused, same_kind};
use crate::board::{Batch, Kind, Shape};
use crate::error::Reject;
use crate::formats::{Evidence, Format, Hints, read_one, write_one};

/// The parameters with regions.
const LAYOUT: [&str; 2] = ["shape", "jigmap"];

/// Whether a link says what the regions of its board are.
pub(super) fn has_layout(link: &SolverLink) -> bool {
    link.parameters.iter().any(|parameter| LAYOUT.contains(&parameter.name.as_str()))
}

/// The string of a link's board.
pub(super) struct BoardString<'t> {
    /// Where it is in the text.
    pub(super) range: Range<usize>,
    pub(super) string: &'t [u8],
    /// The name of its parameter.
    pub(super) name: &'t str,
    /// The kind of the board.
    pub(super) kind: Kind,
}

/// Reads a link to a board with regions.
pub(super) fn with_regions(
    text: &[u8],
    link: &SolverLink,
    board: BoardString<'_>,
    plan: &Links,
) -> Result<ReadLink, Reject> {
    let BoardString { range, string, name, kind } = board;
    if let Ok(one) = read_one(string, Some(Format::V2), &Hints::default(), &Evidence::default()) {
        same_kind(&one, kind)?;
        let new =
            (plan.string_format() != Format::V2).then(|| write_one(&one.batch, 0, plan.string_format())).transpose()?;
        return Ok(ReadLink::whole(new.map(|new| (range, new)).into_iter().collect(), one.batch));
    }
    let map = map(text, link)?;
    // The string has the cells (and cages) only, and is read as the kind without regions.
    let without = if kind == Kind::KillerJigsaw { Kind::Killer } else { Kind::Sudoku };
    let hints = Hints { kind: Some(without), ..plan.hints };
    let one = read_string(string, name, &hints, &Evidence::default())?;
    if one.form.shape.kind != without || !matches!(one.form.id, Format::V1 | Format::Plain) {
        return Err(refused(&format!("its board is not a {kind}")));
    }
    let board = combine(&one.batch, kind, map);
    if one.form.id == Format::Plain && !plan.plain {
        return Ok(ReadLink::whole(Vec::new(), board));
    }
    let mut edits = vec![(range, write_one(&board, 0, plan.string_format())?)];
    edits.extend(removals(text, link));
    edits.sort_by_key(|(range, _)| range.start);
    Ok(ReadLink::whole(edits, board))
}

/// The regions that a link gives: 81 digits of 1 to 9.
fn map<'t>(text: &'t [u8], link: &SolverLink) -> Result<&'t [u8], Reject> {
    let only = |name| {
        let mut all = link.named(name);
        let first = all.next().map(|parameter| &text[digits(text, link, parameter)]);
        if all.next().is_some() { Err(refused(&format!("it has {name} twice"))) } else { Ok(first) }
    };
    let map = match (only("shape")?, only("jigmap")?) {
        (Some(b"33"), Some(map)) => map,
        (None, _) => {
            return Err(refused("it lacks the regions of its board (shape=33 and jigmap, or the number of a layout)"));
        }
        (Some(b"33"), None) => return Err(refused("it has shape=33, which needs a jigmap, but no jigmap")),
        (Some(_), Some(_)) => {
            return Err(refused("it has a jigmap but its shape is not 33, so it names two layouts"));
        }
        (Some(number), None) => {
            let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
            let known = number.and_then(layout).map(str::as_bytes);
            return known
                .ok_or_else(|| refused("the regions of its shape are built into the site and are not known here"));
        }
    };
    if map.len() != 81 || !map.iter().all(|digit| (b'1'..=b'9').contains(digit)) {
        return Err(refused("its jigmap is not 81 digits of 1 to 9"));
    }
    Ok(map)
}

/// The range of a parameter's value. Punctuation may follow the last one, but nothing that would become a part of the
/// string if the parameter were removed.
fn digits(text: &[u8], link: &SolverLink, parameter: &Parameter) -> Range<usize> {
    let Range { start, end } = parameter.value;
    let value = &text[start..end];
    let length = value.iter().rposition(u8::is_ascii_digit).map_or(value.len(), |last| last + 1);
    let continues = value[length..].iter().any(|&byte| byte.is_ascii_alphanumeric() || byte == b'%');
    if end != link.end || continues { start..end } else { start..start + length }
}

/// The edits that remove the parameters with regions, each with the separator before it. Parameters at the start of the
/// query are removed with the separator after them.
fn removals(text: &[u8], link: &SolverLink) -> Vec<Edit> {
    let is_layout = |parameter: &&Parameter| LAYOUT.contains(&parameter.name.as_str());
    let all = &link.parameters;
    let first = all.iter().take_while(is_layout).count();
    let mut edits = Vec::new();
    if let (1.., Some(next)) = (first, all.get(first)) {
        edits.push((all[0].separator.end..next.separator.end, String::new()));
    }
    let others = all[first..].iter().filter(is_layout);
    let end = |parameter| digits(text, link, parameter).end;
    edits.extend(others.map(|parameter| (parameter.separator.start..end(parameter), String::new())));
    edits
}

/// Combines cells and regions into a board of side 9.
fn combine(cells: &Batch, kind: Kind, map: &[u8]) -> Batch {
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
