//! Finds rows that are the same puzzle as an earlier one.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Int64Array};
use gridmill_core::canon::Key;
use gridmill_core::convert::{CheckLevel, Conversion, Emit, Facts};

use crate::blocks;
use crate::error::CallError;
use crate::reader::{Reader, StringAnswers, first_rows};
use crate::refused::RefusedRows;
use crate::session::{KnownEvidence, Session};
use crate::strings::Strings;

/// Which rows are the same.
#[derive(Debug)]
#[non_exhaustive]
pub struct Duplicates {
    /// For each row of a chunk, whether it is the first of its class. True where there is no string, and null where it was
    /// refused.
    pub keep: Vec<ArrayRef>,
    /// For each row of a chunk, the row of the column, from 0, that is the first of its class. Null where there is no string,
    /// and where it was refused.
    pub first: Vec<ArrayRef>,
    /// The rows whose strings were refused.
    pub refused: RefusedRows,
}

/// The key of a row, if it has a string that is not refused.
#[derive(Debug, Clone, Copy)]
enum FoundKey {
    Key(Key),
    Refused,
    NoString,
}

/// Finds the rows of a column that are the same as an earlier row: those with the same key. What has a key is said by
/// [`Conversion::canonical`] of the session, without which all strings are refused.
///
/// # Errors
/// [`CallError::Type`], [`CallError::Interrupted`].
pub fn duplicates(chunks: &[ArrayRef], session: &Session<'_>) -> Result<Duplicates, CallError> {
    let facts = Facts { key: true, ..Facts::default() };
    let plan = Conversion { emit: Emit::Nothing, facts, ..session.conversion };
    let columns = Strings::of_all(chunks)?;
    let known = KnownEvidence::new(session, plan, &columns);
    let jobs = blocks::of_columns(&columns, session, CheckLevel::Unique);
    let rows = columns.iter().map(Strings::len).sum();
    let starts = first_rows(&columns);
    let found = blocks::run_jobs(
        session,
        rows,
        jobs,
        || Reader::new(&known),
        |reader, (chunk, rows), stop| {
            let first = starts[chunk] + rows.start;
            find(reader, &columns[chunk], rows, (first, session.list_refused), stop)
        },
    )?;
    let mut done = Duplicates { keep: Vec::new(), first: Vec::new(), refused: RefusedRows::default() };
    let mut keys = Vec::with_capacity(rows);
    for (of_block, refused) in found {
        keys.extend(of_block);
        done.refused.join(refused, session.list_refused);
    }
    let mut seen = HashMap::with_capacity(rows);
    let mut all = keys.into_iter().enumerate();
    for strings in &columns {
        let (mut keep, mut first) = (Vec::with_capacity(strings.len()), Vec::with_capacity(strings.len()));
        for (row, key) in all.by_ref().take(strings.len()) {
            let of_key = match key {
                FoundKey::Key(key) => Some(*seen.entry(key).or_insert(row)),
                FoundKey::Refused | FoundKey::NoString => None,
            };
            first.push(of_key.map(|row| row as i64));
            keep.push(match key {
                FoundKey::Refused => None,
                FoundKey::Key(_) | FoundKey::NoString => Some(of_key.is_none_or(|first| first == row)),
            });
        }
        done.keep.push(Arc::new(BooleanArray::from(keep)));
        done.first.push(Arc::new(Int64Array::from(first)));
    }
    Ok(done)
}

/// Finds the keys of the strings of these rows. The first of them has this number in the column.
fn find(
    reader: &mut Reader<'_>,
    strings: &Strings<'_>,
    rows: Range<usize>,
    (first, list_refused): (usize, bool),
    stop: &dyn Fn() -> bool,
) -> (Vec<FoundKey>, RefusedRows) {
    let (mut keys, mut refused) = (vec![FoundKey::NoString; rows.len()], RefusedRows::default());
    reader.convert(strings, rows.clone(), stop, &mut |answers: &StringAnswers<'_>| {
        for (record, &row) in answers.rows.iter().enumerate() {
            keys[row - rows.start] = answers.converted.key(record).map_or(FoundKey::Refused, FoundKey::Key);
        }
        for (record, reject) in answers.refused() {
            let at = answers.rows[record] - rows.start;
            keys[at] = FoundKey::Refused;
            refused.add(first + at, &reject, list_refused);
        }
    });
    (keys, refused)
}
