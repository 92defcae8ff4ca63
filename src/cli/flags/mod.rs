//! Flags that several commands share. Flags of a single command are in its own file.
//!
//! - `input`: the inputs, and how records are arranged in them. `framings`: the framings that only the program has. `auto`:
//!   detects the framing. `columns`: files with columns. `read_as`: how strings are read.
//! - `added`: additional columns.
//! - `output`: where the output goes; `output_names`: names that say something else. `rejects`: where refused records go.
//! - `values`: the names of formats, kinds and other values.

mod added;
mod auto;
mod columns;
mod framings;
mod input;
mod output;
mod output_names;
mod puzzle;
mod read_as;
mod rejects;
mod values;

pub(super) use added::AddFlags;
pub(super) use columns::{refused_columns, take_strings};
pub(super) use input::{InputFlags, SolutionFlags};
pub(super) use output::OutputFlags;
pub(super) use output_names::check_output_name;
pub(super) use puzzle::PuzzleFlags;
pub(super) use read_as::{ReadAs, Str8tsFlags};
pub(super) use rejects::{BadRecordFlags, RejectFlags, to_stderr};
pub(super) use values::{
    ChosenLayout, ColourChoice, bad_or_null_parser, framing_parser_without, givens_parser, kind_parser, level_parser,
    mix_parser, notes_parser, parse_blank, parse_side, written_as_parser, written_layout_parser, written_parser,
};
