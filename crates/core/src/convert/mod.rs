//! Converts records: decodes the strings of a text, checks and solves their boards, and encodes these as other strings.
//!
//! - `plan`: what to do with each record.
//! - `group`: consecutive records of one form, which all stages process together.
//! - `recognise`: recognises the form of a record.
//! - `converter`: runs the stages in their order. `check` and `encode` are two of them; `encode_plan` says how boards
//!   of a shape are written.
//! - `canonical`: what replaces each board, if it is not written itself. `canonize` makes these replacements;
//!   `canonical_state` is the memory for this.
//! - `facts`: facts about records, such as the number of givens; `count_givens` finds this one.
//! - `given`: solutions that come with the records. `check_given` checks them; `digits` is the notation of solutions.
//! - `verdicts`: collects puzzles while records are read, solves them together, and gives the answers.
//!   `answer` completes the groups that wait for these.
//! - `solutions`: solutions that stay in the solver's memory as digits until the caller writes them.
//! - `boards`: reads records as boards, for callers that do not want strings.
//! - `converted`: the results. `counts`: the counts among them; `count_log`: what single records have added to these;
//!   `uncount` takes it back.

mod answer;
mod boards;
mod canonical;
mod canonical_state;
mod canonize;
mod check;
mod check_given;
mod converted;
mod converter;
mod count_givens;
mod count_log;
mod counts;
mod digits;
mod encode;
mod encode_plan;
mod facts;
mod given;
mod grades;
mod group;
mod judge;
mod plan;
mod recognise;
mod solutions;
mod uncount;
mod verdicts;

use crate::kernels::bits;

pub use canonical::{CanonicalPlan, Canonize};
pub use converted::{Converted, SolvedCell};
pub use converter::Converter;
pub use counts::Counts;
pub use facts::{Facts, RecordFacts};
pub use group::RecordGroup;
pub use plan::{Bad, CheckLevel, Checks, Conversion, EFFORT, Emit, Givens};
pub use recognise::too_long;
pub use solutions::LeftSolutions;

/// The longest record in bytes; longer ones are refused as `toolong`.
pub const MAX_RECORD: usize = 64 * 1024;

/// How many bytes of refusals and facts a call should have at most: see [`Converter::is_full`]. They take three to four
/// times as much memory until they are written.
const MAX_HELD_BYTES: usize = 512 << 10;
