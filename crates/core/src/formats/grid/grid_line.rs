//! A line that may be part of a grid: where it is, and what it may be there.

use super::classify::LineClass;

/// A line that may be part of a grid.
#[derive(Debug, Clone, Copy)]
pub(super) struct GridLine {
    pub(super) role: LineRole,
    /// The name of a list precedes it (`board = [`). Only the first row of a grid may have one.
    pub(super) has_list_name: bool,
    /// A blank line precedes it.
    pub(super) follows_blank_line: bool,
    /// Byte offsets of the line, and of the next line.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) next: u32,
    /// The number of the line, counted from 0.
    pub(super) number: u32,
}

/// What a line may be in a grid; see [`LineClass`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineRole {
    Row,
    Border,
    RuleOrRow,
    SpaceOrRow,
    Header,
    Number,
    Malformed,
}

impl LineRole {
    pub(super) fn of(class: LineClass) -> Option<Self> {
        Some(match class {
            LineClass::Row => Self::Row,
            LineClass::Border => Self::Border,
            LineClass::RuleOrRow => Self::RuleOrRow,
            LineClass::SpaceOrRow => Self::SpaceOrRow,
            LineClass::Header => Self::Header,
            LineClass::Number => Self::Number,
            LineClass::Malformed => Self::Malformed,
            LineClass::Blank | LineClass::Text | LineClass::Letters | LineClass::String => return None,
        })
    }

    pub(super) fn may_be_row(self) -> bool {
        matches!(self, Self::Row | Self::RuleOrRow | Self::SpaceOrRow)
    }

    pub(super) fn may_be_border(self) -> bool {
        matches!(self, Self::Border | Self::RuleOrRow | Self::SpaceOrRow)
    }
}
