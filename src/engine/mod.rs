//! Runs a whole conversion: from inputs to outputs, on several threads. This is the entry point of the library.
//!
//! - [`Convert`]: inputs, output and settings; `run` gives a [`Report`].
//! - [`Dedupe`]: leaves out each record that is the same puzzle as an earlier one.
//! - [`Generate`]: makes boards from a seed.
//! - [`Worker`]: converts one chunk in memory, without files or threads.
//! - [`Framing`](crate::framing::Framing): how records are arranged in a text. `framed` is a worker for any framing.
//! - `driver`: the loop that each worker of a run executes. `text_pass`: text in it.
//! - `ledger`: the counts and refused records of any run, in order. `ordered`: what else is done in the order of the chunks
//!   of a text.
//! - `unsupported`: how many records have what no kind of board has, by its name.
//! - `resources`: the inputs, outputs and threads of a run.
//! - `text_output`: writes the text of several inputs to one output.
//! - `cross_check`: makes sure that no record was lost.
//! - [`RejectsTo`]: where the reject file goes.
//! - `solved_strings`: solutions in appended columns that digits alone would not tell.
//! - `survey`: determines the layouts of the first strings, for formats with several layouts.
//! - `evidence`: what a chunk says about layouts.
//! - `columns`: runs on files with columns instead of text.

mod appended;
mod choose;
mod chunk_bounds;
mod columns;
mod compressor;
mod cross_check;
mod dedupe;
mod driver;
mod evidence;
mod fields;
mod framed;
mod generate;
mod kernel;
mod ledger;
mod ordered;
mod outcome;
mod progress;
mod put_back;
mod rejects;
mod report;
mod report_document;
mod resources;
mod run;
mod solved_strings;
mod strings;
mod survey;
mod text_output;
mod text_pass;
mod threads;
mod unsupported;
mod worker;

pub use appended::{Added, Appended};
pub(crate) use appended::{ColumnContent, NewColumn};
pub use choose::GradeSearch;
pub use columns::{ColumnFile, StringColumns};
pub(crate) use columns::{ColumnJob, ColumnSink};
pub(crate) use dedupe::{ColumnPasses, RowSelection, SelectedRows};
pub use dedupe::{Dedupe, Deduped};
pub(crate) use driver::{Container, End, NextPortion, PortionQueue, Seat, Turns};
pub use generate::{Generate, Generated};
pub use kernel::kernel;
pub(crate) use outcome::RecordAt;
pub use outcome::{Outcome, SolvedLine};
pub use progress::Progress;
pub use rejects::{RejectsAs, RejectsTo};
pub use report::{InputReport, Report, RunSettings};
pub use run::{CHUNK_SIZE, Convert};
pub use strings::{StringConverter, StringResult};
pub(crate) use survey::SURVEY_BYTES;
pub use unsupported::UnsupportedNames;
pub use worker::Worker;

pub use crate::convert::{
    Bad, CanonicalPlan, Canonize, CheckLevel, Checks, Conversion, Counts, EFFORT, Emit, Facts, Givens,
};
