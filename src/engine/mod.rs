//! Everything as one run: the library's front door.
//!
//! - [`Convert`]: inputs, output and settings; `run` gives a [`Report`].
//! - [`Dedupe`]: records of which an earlier one is the same puzzle are left out.
//! - [`Generate`]: boards out of a seed.
//! - [`Worker`]: one chunk, in memory, without files or threads.
//! - [`Framing`](crate::framing::Framing): how records stand in the text; `framed`: a worker for any of them.
//! - `opened`: what a run has opened, and how it ends; `ordered`: what happens in turn; `joined`: several inputs as one output; `account`: that nothing was lost; [`RejectsTo`]: the reject file; `survey`: the layouts of
//!   the first strings whose format has several layouts; `columns`: files that are no text.

mod account;
mod appended;
#[cfg(feature = "parquet")]
mod columns;
mod compressed;
#[cfg(feature = "zstd")]
mod dedupe;
mod fields;
mod framed;
mod generate;
mod joined;
mod kernel;
mod opened;
mod ordered;
mod outcome;
mod parts;
mod progress;
mod put_back;
mod rejects;
mod report;
mod report_document;
mod run;
mod session;
mod strings;
mod survey;
mod threads;
mod worker;

pub use appended::{Added, Appended};
#[cfg(feature = "parquet")]
pub(crate) use appended::{NewColumn, What};
#[cfg(feature = "parquet")]
pub use columns::StringColumns;
#[cfg(feature = "parquet")]
pub(crate) use columns::{ColumnJob, ColumnSink};
#[cfg(feature = "parquet")]
pub(crate) use dedupe::{ChosenRows, ColumnPasses, RowChoice};
#[cfg(feature = "zstd")]
pub use dedupe::{Dedupe, Deduped};
pub use generate::{Generate, Generated};
pub use kernel::kernel;
pub use outcome::{Outcome, RejectRow, SolvedLine};
pub use progress::Progress;
pub use rejects::{RejectsAs, RejectsTo};
pub use report::{InputReport, Refused, Report};
pub use run::{CHUNK_SIZE, Convert};
pub use strings::{Became, Strings};
#[cfg(feature = "parquet")]
pub(crate) use survey::WINDOW;
pub use worker::Worker;

pub use crate::convert::{Bad, Canonical, Canonize, CheckLevel, Checks, Conversion, Counts, EFFORT, Emit};
