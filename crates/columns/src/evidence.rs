//! Collects evidence about layouts.

use arrow_array::ArrayRef;
use gridmill_core::convert::CheckLevel;
use gridmill_core::formats::Evidence;

use crate::blocks;
use crate::error::CallError;
use crate::session::Session;
use crate::strings::Strings;

/// Returns the evidence about layouts in the strings of a column. It may have all rows or a sample of them, and the
/// evidence can be given to other calls.
///
/// # Errors
/// [`CallError::Type`], [`CallError::Interrupted`].
pub fn weigh(chunks: &[ArrayRef], session: &Session<'_>) -> Result<Evidence, CallError> {
    let columns = Strings::of_all(chunks)?;
    let rows = columns.iter().map(Strings::len).sum();
    let jobs = blocks::of_columns(&columns, session, CheckLevel::Syntax);
    let found = blocks::run_jobs(
        session,
        rows,
        jobs,
        || (),
        |(), (chunk, rows), _| session.conversion.weigh(rows.filter_map(|row| columns[chunk].get(row))),
    )?;
    let mut all = Evidence::default();
    found.iter().for_each(|found| all.join(found));
    Ok(all)
}
