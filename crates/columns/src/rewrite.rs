//! Strings to strings.

use arrow_array::ArrayRef;
use arrow_schema::DataType;
use gridmill_core::convert::{CheckLevel, Conversion, Emit, Facts};

use crate::assemble::rewrite_strings;
use crate::dictionary::rewrite_dictionaries;
use crate::error::Error;
use crate::how::{Bad, Rewrite, Rewritten, Written};
use crate::refused::Refused;
use crate::session::{Known, Session};
use crate::strings::Strings;

/// Converts a column to the format of the session's conversion, with its checks. Nulls stay null, and empty strings empty.
///
/// # Errors
/// [`Error::Type`], [`Error::Interrupted`].
pub fn convert(chunks: &[ArrayRef], session: &Session<'_>, bad: Bad) -> Result<Rewritten, Error> {
    let plan = Conversion { emit: Emit::Encoded, ..session.conversion };
    rewrite(chunks, session, plan, bad, Written::Strings)
}

/// The only solution of each puzzle: a digit for each cell, above 9 the letters `A` to `P`, a point for a black cell without a digit.
/// Null where there is no string, and where one is refused: it cannot be read, breaks a rule, does not have exactly one solution, or
/// has progress that contradicts that.
///
/// # Errors
/// [`Error::Type`], [`Error::Interrupted`].
pub fn solve(chunks: &[ArrayRef], session: &Session<'_>) -> Result<Rewritten, Error> {
    let mut plan = Conversion { emit: Emit::Nothing, ..session.conversion };
    plan.checks.level = CheckLevel::Unique;
    plan.facts = Facts { solution: true, ..Facts::default() };
    rewrite(chunks, session, plan, Bad::Null, Written::Solutions)
}

fn rewrite(
    chunks: &[ArrayRef],
    session: &Session<'_>,
    plan: Conversion,
    bad: Bad,
    written: Written,
) -> Result<Rewritten, Error> {
    let columns = Strings::of_all(chunks)?;
    let Some(first) = chunks.first() else {
        return Ok(Rewritten { chunks: Vec::new(), refused: Refused::default() });
    };
    let known = Known::new(session, plan, &columns);
    let of = first.data_type();
    let values = if let DataType::Dictionary(_, values) = of { values } else { of };
    let is_binary = matches!(values, DataType::Binary | DataType::LargeBinary | DataType::BinaryView);
    let how = Rewrite { session, plan, bad, written, is_binary };
    match of {
        DataType::Dictionary(..) => rewrite_dictionaries(chunks, &columns, &how, &known),
        _ => rewrite_strings(of, &columns, &how, &known),
    }
}
