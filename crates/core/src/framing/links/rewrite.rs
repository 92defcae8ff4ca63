//! Rewrites a link to have its board in version 2, or says why it is left alone.

use super::Links;
use super::find::{Parameter, SolverLink};
use super::read::{ReadLink, read_string, refused, same_kind};
use super::regions::{BoardString, has_layout, with_regions};
use super::value::board_text;
use crate::board::Kind;
use crate::error::Reject;
use crate::formats::{Evidence, Format, Hints, kind_of_page, kind_of_type, write_one};

/// Reads a link and plans its edits.
pub(super) fn rewrite(text: &[u8], link: &SolverLink, plan: &Links, evidence: &Evidence) -> Result<ReadLink, Reject> {
    let kind = match kind(text, link)? {
        Kind::Killer if has_layout(link) => Kind::KillerJigsaw,
        kind if has_layout(link) && !kind.has_regions() => {
            return Err(refused(&format!("it names a layout (shape or jigmap), but a {kind} has none")));
        }
        kind => kind,
    };
    let board = board(link)?;
    let value = board_text(&text[board.value.clone()]);
    let (string, length) = (value.text.as_bytes(), value.length);
    if string.is_empty() {
        return Err(refused("it has no board; is it a template?"));
    }
    let range = board.value.start..board.value.start + length;
    let hints = Hints { kind: Some(kind), ..plan.hints };
    if string.starts_with(b"3D") {
        return Err(refused("it is in a quoted-printable mail, with = written as =3D; decode the mail first"));
    }
    if kind.has_regions() {
        return with_regions(text, link, BoardString { range, string, name: &board.name, kind }, plan);
    }
    let one = read_string(string, &board.name, &hints, evidence)?;
    let id = one.form.id;
    if id == plan.string_format() || id == Format::Plain && !plan.plain {
        same_kind(&one, kind)?;
        return Ok(ReadLink::whole(Vec::new(), one.batch));
    }
    if id == Format::Wolfram {
        return Err(refused("it has a wolfram string, which none of these pages accepts"));
    }
    same_kind(&one, kind)?;
    if one.losses.need_consent() {
        return Err(refused(&format!("reading it loses: {}", one.losses)));
    }
    let new = write_one(&one.batch, 0, plan.string_format())?;
    let mut edits = Vec::new();
    // A string of masks is in another parameter.
    if board.name == "n" {
        edits.push((board.separator.end..board.separator.end + 1, "bd".to_string()));
    }
    edits.push((range, new));
    Ok(ReadLink::whole(edits, one.batch))
}

/// The parameter with the board: `bd`, or `n` for masks.
fn board(link: &SolverLink) -> Result<&Parameter, Reject> {
    let mut boards = link.named("bd").chain(link.named("n"));
    match (boards.next(), boards.next()) {
        (Some(board), None) => Ok(board),
        _ => Err(refused("it has two boards")),
    }
}

/// The kind that the page of a link shows.
fn kind(text: &[u8], link: &SolverLink) -> Result<Kind, Reject> {
    let Some(kind) = kind_of_page(&link.page) else {
        return Err(refused("its page is unknown, so the kind of its board is unknown"));
    };
    let value = link.named("type").next().map(|parameter| &text[parameter.value.clone()]);
    kind_of_type(kind, value).ok_or_else(|| refused("its type parameter is unknown"))
}
