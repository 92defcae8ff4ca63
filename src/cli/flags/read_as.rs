//! Flags for reading strings: format, kind, and the layout of Str8ts strings.

use clap::{Args, ValueEnum};

use super::values::{From, format_names, from_parser, kind_parser};
use crate::board::Kind;
use crate::formats::{FormatLayouts, Hints, Id, Layout};

/// As what strings are read.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct ReadAs {
    /// The format of the strings; 'auto' detects it for each one.
    #[arg(long, value_parser = from_parser(), default_value = "auto", value_name = "FORMAT", hide_possible_values = true,
          long_help = format!("The format of the strings; 'auto' detects it for each one.\n[possible values: auto, {}]", format_names()))]
    pub(in crate::cli) from: From,

    /// The kind of strings that do not name their kind.
    #[arg(long, value_parser = kind_parser())]
    pub(in crate::cli) kind: Option<Kind>,

    #[command(flatten)]
    pub(in crate::cli) str8ts: Str8tsFlags,
}

impl ReadAs {
    /// Returns the format, if one is given.
    pub(in crate::cli) fn format(&self) -> Option<Id> {
        self.from.0
    }

    /// Returns the hints for strings that do not determine their kind or layout.
    pub(in crate::cli) fn hints(&self) -> Hints {
        self.str8ts.hints(self.kind)
    }
}

/// How Str8ts strings are read, of which several layouts were published.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct Str8tsFlags {
    /// The layout of v2 Str8ts strings; 'auto' decides from each string or, if that is not enough, from the first 4 MiB. 'nine'
    /// uses the codes of side 9 at sides 6 and 8.
    #[arg(long, value_enum, default_value = "auto", value_name = "LAYOUT")]
    pub(in crate::cli) str8ts_layout: ReadLayout,

    /// Which flags of v1 Str8ts strings mean black and clue: those that the site writes, or those of its JavaScript snippet.
    #[arg(long, value_enum, default_value = "auto", value_name = "LAYOUT")]
    pub(in crate::cli) str8ts_flags: ReadFlags,
}

impl Str8tsFlags {
    /// Returns the hints, with the kind of strings that do not name it.
    pub(in crate::cli) fn hints(&self, kind: Option<Kind>) -> Hints {
        let str8ts_layout = match self.str8ts_layout {
            ReadLayout::Auto => None,
            ReadLayout::Spec => Some(Layout::Spec),
            ReadLayout::Site => Some(Layout::Site),
            ReadLayout::First => Some(Layout::First),
            ReadLayout::Nine => Some(Layout::Nine),
        };
        let str8ts_flags = match self.str8ts_flags {
            ReadFlags::Auto => None,
            ReadFlags::Site => Some(Layout::Site),
            ReadFlags::Snippet => Some(Layout::Snippet),
        };
        let layouts = FormatLayouts::default().with(Id::V2, str8ts_layout).with(Id::V1, str8ts_flags);
        Hints { kind, layouts }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ReadLayout {
    Auto,
    Spec,
    Site,
    First,
    Nine,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ReadFlags {
    Auto,
    Site,
    Snippet,
}
