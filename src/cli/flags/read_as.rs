//! Flags for reading strings: format, kind, and the layout of Str8ts strings.

use clap::Args;

use super::values::{
    ChosenLayout, InputFormat, alphabet_parser, format_names, from_parser, kind_parser, layout_parser,
};
use crate::board::Kind;
use crate::formats::{Format, FormatLayouts, Hints};

/// As what strings are read.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Format")]
pub(in crate::cli) struct ReadAs {
    /// The format of the strings; 'auto' detects it for each one.
    #[arg(long, value_parser = from_parser(), default_value = "auto", value_name = "FORMAT", hide_possible_values = true,
          long_help = format!("The format of the strings; 'auto' detects it for each one.\n[possible values: auto, {}]", format_names()))]
    pub(in crate::cli) from: InputFormat,

    /// The kind of strings that do not name their kind.
    #[arg(long, value_parser = kind_parser())]
    pub(in crate::cli) kind: Option<Kind>,

    /// The alphabet of plain sudokus of other sides than 9, read and written; 'auto' finds it out for each string read, and
    /// writes 'digits'.
    #[arg(long, value_parser = alphabet_parser(), default_value = "auto", value_name = "ALPHABET")]
    pub(in crate::cli) alphabet: ChosenLayout,

    #[command(flatten)]
    pub(in crate::cli) str8ts: Str8tsFlags,
}

impl ReadAs {
    /// Returns the format, if one is given.
    pub(in crate::cli) fn format(&self) -> Option<Format> {
        self.from.0
    }

    /// Returns the hints for strings that do not determine their kind or layout.
    pub(in crate::cli) fn hints(&self) -> Hints {
        let hints = self.str8ts.hints(self.kind);
        Hints { layouts: hints.layouts.with(Format::Plain, self.alphabet.0), ..hints }
    }
}

/// How Str8ts strings are read, of which several layouts were published.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Str8ts")]
pub(in crate::cli) struct Str8tsFlags {
    /// The layout of v2 Str8ts strings; 'auto' decides from each string or, if that is not enough, from the first 4 MiB. 'nine'
    /// uses the codes of side 9 at sides 6 and 8.
    #[arg(long, value_parser = layout_parser(Format::V2), default_value = "auto", value_name = "LAYOUT")]
    pub(in crate::cli) str8ts_layout: ChosenLayout,

    /// Which flags of v1 Str8ts strings mean black and clue: those that the site writes, or those of its JavaScript snippet.
    #[arg(long, value_parser = layout_parser(Format::V1), default_value = "auto", value_name = "LAYOUT")]
    pub(in crate::cli) str8ts_flags: ChosenLayout,
}

impl Str8tsFlags {
    /// Returns the hints, with the kind of strings that do not name it.
    pub(in crate::cli) fn hints(&self, kind: Option<Kind>) -> Hints {
        let layouts =
            FormatLayouts::default().with(Format::V2, self.str8ts_layout.0).with(Format::V1, self.str8ts_flags.0);
        Hints { kind, layouts, ..Hints::default() }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::cli::command::Cli;
    use crate::cli::deferred::build_flags;
    use crate::cli::relink::RelinkFlags;
    use crate::formats::REGISTRY;

    /// Messages about layouts name these flags.
    #[test]
    fn each_format_with_layouts_has_its_flag() {
        let relink = build_flags::<RelinkFlags>(Cli::command());
        for rules in REGISTRY.iter().filter_map(|format| format.layout_rules()) {
            let is_flag = |arg: &clap::Arg| arg.get_long() == rules.flag().strip_prefix("--");
            assert!(relink.get_arguments().any(is_flag), "{}", rules.flag());
        }
    }
}
