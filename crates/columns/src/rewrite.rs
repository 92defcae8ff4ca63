//! Rewrites columns of strings as columns of other strings.

use arrow_array::ArrayRef;
use arrow_schema::DataType;
use gridmill_core::convert::{CheckLevel, Conversion, Emit, Facts};

use crate::assemble::rewrite_strings;
use crate::dictionary::rewrite_dictionaries;
use crate::error::CallError;
use crate::refused::RefusedRows;
use crate::rewrite_options::{BadStrings, RewriteOptions, RewriteTo, RewrittenColumn};
use crate::session::{KnownEvidence, Session};
use crate::strings::Strings;

/// Converts a column to the format of the session's conversion, with its checks. Nulls stay null, and empty strings empty.
///
/// # Errors
/// [`CallError::Type`], [`CallError::Interrupted`].
pub fn convert(chunks: &[ArrayRef], session: &Session<'_>, bad: BadStrings) -> Result<RewrittenColumn, CallError> {
    let plan = Conversion { emit: Emit::Encoded, ..session.conversion };
    rewrite(chunks, session, plan, bad, RewriteTo::Strings)
}

/// Returns the key of what replaces each board: see [`Conversion::canonical`] of the session's conversion, without which all
/// strings are refused.
///
/// # Errors
/// [`CallError::Type`], [`CallError::Interrupted`].
pub fn keys(chunks: &[ArrayRef], session: &Session<'_>, bad: BadStrings) -> Result<RewrittenColumn, CallError> {
    let facts = Facts { key: true, ..Facts::default() };
    let plan = Conversion { emit: Emit::Key, facts, ..session.conversion };
    rewrite(chunks, session, plan, bad, RewriteTo::Strings)
}

/// Returns the only solution of each puzzle: a digit for each cell, the letters `A` to `P` above 9, and a point for a
/// black cell without a digit. It is null if there is no string, or the string is refused: it cannot be read, breaks a
/// rule, does not have exactly one solution, or has progress that contradicts the solution.
///
/// # Errors
/// [`CallError::Type`], [`CallError::Interrupted`].
pub fn solve(chunks: &[ArrayRef], session: &Session<'_>) -> Result<RewrittenColumn, CallError> {
    let mut plan = Conversion { emit: Emit::Nothing, ..session.conversion };
    plan.checks.level = CheckLevel::Unique;
    plan.facts = Facts { solution: true, ..Facts::default() };
    rewrite(chunks, session, plan, BadStrings::Null, RewriteTo::Solutions)
}

fn rewrite(
    chunks: &[ArrayRef],
    session: &Session<'_>,
    plan: Conversion,
    bad: BadStrings,
    to: RewriteTo,
) -> Result<RewrittenColumn, CallError> {
    let columns = Strings::of_all(chunks)?;
    let Some(first) = chunks.first() else {
        return Ok(RewrittenColumn { chunks: Vec::new(), refused: RefusedRows::default() });
    };
    let known = KnownEvidence::new(session, plan, &columns);
    let of = first.data_type();
    let values = if let DataType::Dictionary(_, values) = of { values } else { of };
    let is_binary = matches!(values, DataType::Binary | DataType::LargeBinary | DataType::BinaryView);
    let options = RewriteOptions { session, plan, bad, to, is_binary };
    match of {
        DataType::Dictionary(..) => rewrite_dictionaries(chunks, &columns, &options, &known),
        _ => rewrite_strings(of, &columns, &options, &known),
    }
}
