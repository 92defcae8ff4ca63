//! Reads the string of a link.

use std::ops::Range;

use crate::board::{Batch, Kind};
use crate::error::{Code, Reject};
use crate::formats::{DecodedString, Evidence, Format, Hints, Losses, read_one};

/// A range of the text, and its replacement.
pub(super) type Edit = (Range<usize>, String);

/// A link that was read.
pub(super) struct ReadLink {
    /// The edits that rewrite it; empty if its string stays.
    pub edits: Vec<Edit>,
    /// Its board, in a batch of one.
    pub board: Batch,
    /// What is lost of it.
    pub losses: Losses,
}

impl ReadLink {
    /// A link of which nothing is lost.
    pub(super) fn whole(edits: Vec<Edit>, board: Batch) -> Self {
        Self { edits, board, losses: Losses::default() }
    }
}

/// Reads the string of a parameter. In `n`, numbers are masks; in `bd`, they are if one is too large for a digit.
pub(super) fn read_string(
    string: &[u8],
    name: &str,
    hints: &Hints,
    evidence: &Evidence,
) -> Result<DecodedString, Reject> {
    let one = read_one(string, (name == "n").then_some(Format::V0), hints, evidence)?;
    if one.form.id == Format::Plain && one.form.width == 0 {
        return Err(refused("none of its 81 numbers is above 9, so they could be digits or masks"));
    }
    Ok(one)
}

/// Refuses a board of another kind than the page's, since the page would not show it. (The page for killers also shows
/// those with regions.)
pub(super) fn same_kind(one: &DecodedString, kind: Kind) -> Result<(), Reject> {
    let found = one.form.shape.kind;
    (found == kind || (found, kind) == (Kind::KillerJigsaw, Kind::Killer))
        .then_some(())
        .ok_or_else(|| refused(&format!("its board is a {found}, but its page is for {kind}")))
}

/// The refusal of a link that is left alone.
pub(super) fn refused(why: &str) -> Reject {
    Reject::whole(Code::Link, format!("the link is left alone: {why}"))
}
