//! Dictionaries: their values are rewritten once, and their indices stay.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, make_array};
use arrow_buffer::NullBuffer;
use gridmill_core::Reject;

use crate::assemble::rewrite_strings;
use crate::error::Error;
use crate::how::{Bad, Rewrite, Rewritten, Written};
use crate::refused::Refused;
use crate::session::{Known, Session};
use crate::strings::Strings;

/// Rewrites dictionaries, whose strings by rows are `columns`.
pub(crate) fn rewrite_dictionaries(
    chunks: &[ArrayRef],
    columns: &[Strings<'_>],
    how: &Rewrite<'_>,
    known: &Known<'_>,
) -> Result<Rewritten, Error> {
    let mut rewritten = Rewritten { chunks: Vec::new(), refused: Refused::default() };
    // What is refused is refused for each of its rows, so that all values are to be known.
    let session = Session {
        list_refused: true,
        evidence: how.session.evidence,
        interrupted: how.session.interrupted,
        ..*how.session
    };
    let values_how = Rewrite { session: &session, ..*how };
    let mut first = 0;
    for (chunk, strings) in chunks.iter().zip(columns) {
        let dictionary = chunk.as_any_dictionary();
        let values = [Strings::of(dictionary.values().as_ref())?];
        let mut done = rewrite_strings(dictionary.values().data_type(), &values, &values_how, known)?;
        let (Some(array), true) = (done.chunks.pop(), done.chunks.is_empty()) else {
            return Err(Error::Usage("the values of a dictionary have more than 2 GiB as 'string'".into()));
        };
        let reasons = done.refused.rows;
        let reason =
            |key: usize| reasons.binary_search_by_key(&key, |refused| refused.row).ok().map(|at| &reasons[at].reject);
        rewritten.chunks.push(with_values(chunk, strings, array, &reason, how, |row, reject| {
            rewritten.refused.add(first + row, reject, how.session.list_refused);
        })?);
        first += chunk.len();
    }
    Ok(rewritten)
}

/// A dictionary with other values, and null where the index of a row is that of a value that is refused.
fn with_values<'r>(
    chunk: &ArrayRef,
    strings: &Strings<'_>,
    values: ArrayRef,
    reason: &impl Fn(usize) -> Option<&'r Reject>,
    how: &Rewrite<'_>,
    mut refuse: impl FnMut(usize, &Reject),
) -> Result<ArrayRef, Error> {
    let valid = (0..chunk.len()).map(|row| {
        let Some(key) = strings.key(row) else { return false };
        if let Some(reject) = reason(key) {
            refuse(row, reject);
            // What is no UTF-8 is null among the values, too.
            return how.bad == Bad::Keep && !values.is_null(key);
        }
        how.written == Written::Strings || !values.is_null(key)
    });
    let nulls = NullBuffer::from_iter(valid);
    let keys = chunk.as_any_dictionary().with_values(values.clone()).to_data();
    let builder = keys.into_builder().nulls(Some(nulls).filter(|nulls| nulls.null_count() > 0));
    let data = builder.build().map_err(|error| Error::Usage(error.to_string()))?;
    Ok(make_array(data))
}
