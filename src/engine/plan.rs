//! What a run is to do, checked.

use crate::board::Notes;
use crate::formats::{Flavour, Hints, Id};

/// What happens to bad records (CLI.md, `--bad`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bad {
    /// Left out of the output and reported.
    #[default]
    Reject,
    /// Copied through unchanged and reported.
    Keep,
    /// The first one ends the run.
    Stop,
}

/// How records become other records: all that a worker needs to know.
#[derive(Debug, Clone, Copy)]
pub struct Conversion {
    /// The format of the input; `None` to guess it for each record.
    pub from: Option<Id>,
    /// The format of the output.
    pub to: Id,
    /// What the user says of strings that do not say it.
    pub hints: Hints,
    /// The layout in which v2 Str8ts strings are written, if another than [`Flavour::Spec`].
    pub str8ts_write: Option<Flavour>,
    /// What happens to candidates.
    pub notes: Notes,
    /// Convert boards that lose something, and count the losses.
    pub lossy: bool,
    /// What happens to bad records.
    pub bad: Bad,
    /// Name every solved cell read from a format that cannot tell it from a single candidate.
    pub list_solved: bool,
}

impl Default for Conversion {
    fn default() -> Self {
        Self {
            from: None,
            to: Id::V2,
            hints: Hints::default(),
            str8ts_write: None,
            notes: Notes::Keep,
            lossy: false,
            bad: Bad::Reject,
            list_solved: false,
        }
    }
}

impl Conversion {
    /// Whether there can be Str8ts strings whose layout is for the strings themselves to say.
    pub(super) fn surveys(&self) -> bool {
        match self.from {
            None => self.hints.str8ts_flags.is_none() || self.hints.str8ts_layout.is_none(),
            Some(Id::V1) => self.hints.str8ts_flags.is_none(),
            Some(Id::V2) => self.hints.str8ts_layout.is_none(),
            Some(_) => false,
        }
    }
}
