//! Records to records: strings anywhere in a text are decoded, checked, solved and encoded as other strings.
//!
//! - `plan`: what is to be done with each record.
//! - `group`: records of one form that follow each other, which all stages work on.
//! - `recognise`: what a record is.
//! - `converter`: the stages in their order; `check` and `encode` are two of them, and `encode_plan` how boards of a shape are
//!   written.
//! - `canonical`: what stands for boards in place of them; `canonize`: how it is made, `forms`: with what.
//! - `facts`: what else is found out of records; `given`: solutions that come with them, which `check_given` looks at; `digits`:
//!   solutions as they are written.
//! - `verdicts`: how many solutions boards have, asked for while records are read and answered together.
//! - `boards`: records as boards, for who wants no other strings.
//! - `converted`: what became of the records; `counts`: how many, of what.

mod boards;
mod canonical;
mod canonize;
mod check;
mod check_given;
mod converted;
mod converter;
mod counts;
mod digits;
mod encode;
mod encode_plan;
mod facts;
mod forms;
mod given;
mod group;
mod plan;
mod recognise;
mod verdicts;

use crate::kernels::bits;

pub use canonical::{Canonical, Canonize};
pub use converted::{Converted, Refusal, SolvedCell, Tied};
pub use converter::Converter;
pub use counts::Counts;
pub use facts::{Facts, RecordFacts};
pub use group::RecordGroup;
pub use plan::{Bad, CheckLevel, Checks, Conversion, EFFORT, Emit};
pub use recognise::too_long;

/// The longest record in bytes; longer ones are refused as `toolong`.
pub const MAX_RECORD: usize = 64 * 1024;

/// Bytes that what is said of records may take before a call had better end: see [`Converter::is_full`]. Three to four times as
/// much is in memory until it is written.
const MAX_HELD: usize = 512 << 10;
