//! `--where`: the condition must still be true of rows that were written.

use super::decide::Decide;
use super::run::Work;
use super::{Database, KeyValue};
use crate::error::Error;

impl<D: Database, R: Decide> Work<'_, D, R> {
    /// Fails if the condition is no longer true of all rows of a batch after some were written. Such rows would not be
    /// found again.
    pub(super) fn check_filter(&mut self, after: Option<&KeyValue>, last: &KeyValue, rows: u64) -> Result<(), Error> {
        if self.job.filter.is_none() {
            return Ok(());
        }
        let there = self.database.count(after, Some(last))?;
        if there == rows {
            return Ok(());
        }
        let why = format!(
            "the --where condition depends on the columns being written, or changes by itself, as a random number does: it held for \
             {rows} rows and then for {there}. The batch was not written. Use other columns in the condition; rows that are \
             already version 2 are left alone without it"
        );
        Err(self.database.table().fault("write a batch", why))
    }
}
