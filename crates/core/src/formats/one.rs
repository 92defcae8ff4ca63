//! Reads and writes one string at a time.

use super::advice::advice;
use super::decode_one::{DecodedString, decode_one};
use super::{Form, Format, Hints, Losses, WrittenAs, detect, losses, resolve_layout};
use crate::board::Batch;
use crate::error::{Code, Reject};
use crate::formats::{Evidence, StringsOut, Text};
use crate::kernels::SCALAR;

/// Determines the form of one string: in format `from`, or in the format that it seems to have. The layout of a Str8ts
/// string may be left [undecided](Form::is_undecided).
///
/// # Errors
/// The string has no form.
pub fn recognise(text: &[u8], from: Option<Format>, hints: &Hints) -> Result<Form, Reject> {
    let form = match from {
        Some(id) => id.codec().recognise(text, hints),
        None => detect(text, hints),
    }
    .map_err(|reject| with_advice(reject, text, from, hints))?;
    // The string has the right number of characters, but some have several bytes. No format has such digits.
    if form.width != 0 && form.width != text.len() {
        return Err(explain(form, text, from, hints));
    }
    Ok(form)
}

/// Explains why a string of a known form could not be decoded. `from` and `hints` are those with which it was recognised.
#[cold]
pub fn explain(form: Form, text: &[u8], from: Option<Format>, hints: &Hints) -> Reject {
    with_advice(form.id.codec().explain(form, text), text, from, hints)
}

/// Adds advice to a rejection, if there is any.
fn with_advice(mut reject: Reject, text: &[u8], from: Option<Format>, hints: &Hints) -> Reject {
    let may_be_other = matches!(reject.code, Code::Length | Code::Header | Code::Digit | Code::Flag | Code::Range);
    if may_be_other
        && from != Some(Format::Grid)
        && let Some(advice) = advice(text, from, hints)
    {
        reject.message = format!("{}; {advice}", reject.message);
    }
    reject
}

/// Reads one string, without its line end.
///
/// ```
/// use gridmill_core::board::Cell;
/// use gridmill_core::formats::{Evidence, Hints, read_one};
///
/// let puzzle = format!("5{}", ".".repeat(80));
/// let one = read_one(puzzle.as_bytes(), None, &Hints::default(), &Evidence::default()).expect("a plain sudoku");
/// assert_eq!(one.form.id.name(), "plain");
/// assert_eq!(one.batch.cell(0, 0), Cell::Clue(5));
/// ```
///
/// # Errors
/// The first fault of the string, in the order of docs/FORMATS.md.
pub fn read_one(
    text: &[u8],
    from: Option<Format>,
    hints: &Hints,
    evidence: &Evidence,
) -> Result<DecodedString, Reject> {
    let form = resolve_layout(recognise(text, from, hints)?, text, evidence)?;
    debug_assert!(!form.is_undecided());
    decode_one(form, text).map_err(|reject| with_advice(reject, text, from, hints))
}

/// Writes board `board` of a batch as a string of a format.
///
/// # Errors
/// `unsupported` if the format has no such boards, `lossy` if something would be lost.
pub fn write_one(batch: &Batch, board: usize, to: Format) -> Result<String, Reject> {
    let (text, losses) = write_in(batch, board, to.into())?;
    match losses.is_empty() {
        true => Ok(text),
        false => Err(losses.reject(to.name(), batch.shape().side.get())),
    }
}

/// The same in a layout that was asked for, and even if something is lost, with what is.
///
/// # Errors
/// `unsupported` if the format has no such boards, or not in this layout.
pub fn write_in(batch: &Batch, board: usize, to: WrittenAs) -> Result<(String, Losses), Reject> {
    let WrittenAs { format: to, layout } = to;
    let mut single = Batch::new();
    single.reset(batch.shape(), 1);
    single.copy_board(0, batch, board);
    let format = to.codec();
    let form = format.writes(batch.shape())?;
    if let Some(reject) = form.refuses(layout, None) {
        return Err(reject);
    }
    let form = form.write_as(layout.unwrap_or(form.layout));
    let losses = losses(&single, 0, &format.holds(form));
    let mut text = Text::new();
    let lossless = format.encode(form, &single, &SCALAR, StringsOut { text: &mut text, gap: 0, ends: &mut [0] });
    if lossless & 1 == 0
        && let Some(reject) = format.unwritable(form, &single, 0)
    {
        return Err(reject);
    }
    Ok((String::from_utf8_lossy(text.as_slice()).into_owned(), losses))
}
