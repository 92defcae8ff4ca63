//! What several commands can be told in the same words; what belongs to one command stands in its file.
//!
//! - `input`: what is read, and how records stand in it; `auto`: how they seem to; `columns`: in files that are no text; `read_as`: as what strings are read.
//! - `added`: what is added to rows and lines.
//! - `output`: where the output goes; `rejects`: where refused records go.
//! - `values`: the names of formats, kinds and the like.

mod added;
mod auto;
mod columns;
mod input;
mod output;
mod puzzle;
mod read_as;
mod rejects;
mod values;

pub(super) use added::AddFlags;
pub(super) use input::{InputFlags, SolutionFlags};
pub(super) use output::OutputFlags;
pub(super) use puzzle::PuzzleFlags;
pub(super) use read_as::{ReadAs, Str8tsFlags};
pub(super) use rejects::{RejectFlags, WriteRejects, to_stderr};
pub(super) use values::{
    ValidateLevel, When, bad_or_null_parser, bad_parser, format_parser, framing_parser_without, kind_parser,
    mix_parser, notes_parser, parse_blank, parse_side,
};
