//! Rewrites dictionaries: each value is rewritten once, and the indices stay the same.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, make_array};
use arrow_buffer::NullBuffer;
use gridmill_core::Reject;

use crate::assemble::rewrite_strings;
use crate::error::CallError;
use crate::refused::RefusedRows;
use crate::rewrite_options::{BadStrings, RewriteOptions, RewriteTo, RewrittenColumn};
use crate::session::{KnownEvidence, Session};
use crate::strings::Strings;

/// Rewrites dictionaries. `columns` are their strings by rows.
pub(crate) fn rewrite_dictionaries(
    chunks: &[ArrayRef],
    columns: &[Strings<'_>],
    options: &RewriteOptions<'_>,
    known: &KnownEvidence<'_>,
) -> Result<RewrittenColumn, CallError> {
    let mut rewritten = RewrittenColumn { chunks: Vec::new(), refused: RefusedRows::default() };
    // A refused value is reported for each of its rows, so all refused values must be listed.
    let session = Session {
        list_refused: true,
        evidence: options.session.evidence,
        interrupted: options.session.interrupted,
        ..*options.session
    };
    let value_options = RewriteOptions { session: &session, ..*options };
    let mut first = 0;
    for (chunk, strings) in chunks.iter().zip(columns) {
        let dictionary = chunk.as_any_dictionary();
        let values = [Strings::of(dictionary.values().as_ref())?];
        let mut done = rewrite_strings(dictionary.values().data_type(), &values, &value_options, known)?;
        let (Some(array), true) = (done.chunks.pop(), done.chunks.is_empty()) else {
            return Err(CallError::Usage("the values of a dictionary have more than 2 GiB as 'string'".into()));
        };
        let reasons = done.refused.rows;
        let reason = |key: usize| {
            reasons.binary_search_by_key(&key, |refused| refused.record).ok().map(|at| &reasons[at].reject)
        };
        rewritten.chunks.push(with_values(chunk, strings, array, &reason, options, |row, reject| {
            rewritten.refused.add(first + row, reject, options.session.list_refused);
        })?);
        first += chunk.len();
    }
    Ok(rewritten)
}

/// Returns the dictionary with new values. If the value of a row is refused, the row becomes null.
fn with_values<'r>(
    chunk: &ArrayRef,
    strings: &Strings<'_>,
    values: ArrayRef,
    reason: &impl Fn(usize) -> Option<&'r Reject>,
    options: &RewriteOptions<'_>,
    mut refuse: impl FnMut(usize, &Reject),
) -> Result<ArrayRef, CallError> {
    let valid = (0..chunk.len()).map(|row| {
        let Some(key) = strings.key(row) else { return false };
        if let Some(reject) = reason(key) {
            refuse(row, reject);
            // Values that are not UTF-8 are null among the new values, too.
            return options.bad == BadStrings::Keep && !values.is_null(key);
        }
        options.to == RewriteTo::Strings || !values.is_null(key)
    });
    let nulls = NullBuffer::from_iter(valid);
    let keys = chunk.as_any_dictionary().with_values(values.clone()).to_data();
    let builder = keys.into_builder().nulls(Some(nulls).filter(|nulls| nulls.null_count() > 0));
    let data = builder.build().map_err(|error| CallError::Usage(error.to_string()))?;
    Ok(make_array(data))
}
