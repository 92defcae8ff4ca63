//! What boards and strings need, and refusals of those that lack it.

use super::Hints;
use crate::board::{Kind, Shape, Side};
use crate::error::{Code, Reject};

/// Returns the kind of a string that looks like a sudoku and does not name its kind: the hint, or sudoku without a
/// hint.
pub(super) fn plain_kind(hints: &Hints, format: &str) -> Result<Kind, Reject> {
    kind_for(hints, format, Kind::Sudoku, Kind::is_plain)
}

/// Returns the kind of a string that looks like one of kind `default`: the hint, if it `fits`, or `default` without a
/// hint.
pub(super) fn kind_for(hints: &Hints, format: &str, default: Kind, fits: fn(Kind) -> bool) -> Result<Kind, Reject> {
    let Some(kind) = hints.kind else { return Ok(default) };
    if fits(kind) {
        return Ok(kind);
    }
    let words = if default.is_plain() {
        format!("a {format} string of this length has no {}, which --kind {kind} needs", needs(kind))
    } else {
        format!("a {format} string of this length is a {default}, not a {kind}; leave out --kind, or check --from")
    };
    Err(Reject::whole(Code::Unsupported, words))
}

/// Rejects boards without cages that have sums.
pub(super) fn need_sums(shape: Shape, format: &str) -> Result<(), Reject> {
    if shape.kind.has_cages() && !shape.kind.has_operators() {
        return Ok(());
    }
    Err(Reject::whole(Code::Unsupported, format!("{format} holds only killers, and this is a {}", shape.kind)))
}

/// Says what boards of a kind have in addition to the cells of a sudoku.
pub(super) fn needs(kind: Kind) -> &'static str {
    if kind.has_black() {
        "black cells"
    } else if kind.has_cages() {
        "cages"
    } else {
        "regions"
    }
}

/// Rejects boards that are not 9 by 9.
pub(super) fn need_side_nine(shape: Shape, format: &str) -> Result<(), Reject> {
    if shape.side == Side::NINE {
        return Ok(());
    }
    let words = format!("{format} holds only 9x9 boards, and this one is {0}x{0}; v2 can hold it", shape.side);
    Err(Reject::whole(Code::Unsupported, words))
}

/// The rejection by an explainer that finds nothing wrong with a rejected string. This is a bug, which must not be
/// hidden.
pub(super) fn no_fault(format: &str) -> Reject {
    Reject::whole(
        Code::Unsupported,
        format!("internal error: this {format} string was refused, but no fault was found"),
    )
}
