//! Records to records: strings anywhere in a text are decoded, checked, solved and encoded as other strings.
//!
//! - `plan`: what to do with each record.
//! - `group`: consecutive records of one form, which all stages work on.
//! - `recognise`: the form of a record.
//! - `converter`: the stages in their order; `check` and `encode` are two of them, and `encode_plan` says how boards of
//!   a shape are written.
//! - `canonical`: what replaces boards; `canonize`: how that is made; `forms`: its state.
//! - `facts`: facts about records; `given`: solutions that come with them, which `check_given` checks; `digits`: the
//!   notation of solutions.
//! - `verdicts`: the solver's answers. Questions are collected while records are read, and answered together.
//! - `solutions`: solutions that stay in the solver's memory as digits until the caller writes them.
//! - `boards`: records as boards, for callers that do not want strings.
//! - `converted`: the results; `counts`: the counts among them.

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
mod solutions;
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
pub use solutions::LeftSolutions;

/// The longest record in bytes; longer ones are refused as `toolong`.
pub const MAX_RECORD: usize = 64 * 1024;

/// How many bytes of refusals and facts a call should have at most: see [`Converter::is_full`]. Three to four times as
/// much is in memory until it is written.
const MAX_HELD: usize = 512 << 10;
