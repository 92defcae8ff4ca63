//! What a link is read as, whatever its board is.

use std::ops::Range;

use crate::board::{Batch, Kind};
use crate::error::{Code, Reject};
use crate::formats::{Evidence, Hints, Id, One, read_one};

/// What stands somewhere, and what is put there.
pub(super) type Edit = (Range<usize>, String);

/// A link that was read.
pub(super) struct ReadLink {
    /// What is to be changed of it; nothing, if its string stays.
    pub edits: Vec<Edit>,
    /// Its board, alone.
    pub board: Batch,
}

/// Reads the string of a parameter of this name. Numbers are masks in `n`; in `bd` one that is too large for a digit shows it.
pub(super) fn read_string(string: &[u8], name: &str, hints: &Hints, evidence: &Evidence) -> Result<One, Reject> {
    let one = read_one(string, (name == "n").then_some(Id::V0), hints, evidence)?;
    if one.form.id == Id::Plain && one.form.width == 0 {
        return Err(refused("none of its 81 numbers is above 9, so they could be digits or masks"));
    }
    Ok(one)
}

/// A board of another kind than the page's is not what the page would show. (A page for killers shows those with regions, too.)
pub(super) fn same_kind(one: &One, kind: Kind) -> Result<(), Reject> {
    let found = one.form.shape.kind;
    (found == kind || (found, kind) == (Kind::KillerJigsaw, Kind::Killer))
        .then_some(())
        .ok_or_else(|| refused(&format!("its board is a {found}, but its page is for {kind}")))
}

/// What is said of a link that is left alone.
pub(super) fn refused(why: &str) -> Reject {
    Reject::whole(Code::Link, format!("the link is left alone: {why}"))
}
