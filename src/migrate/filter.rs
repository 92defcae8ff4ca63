//! `--where`: the condition must still be true of rows that were written.

use super::decide::Decide;
use super::dialect::fault;
use super::run::Work;
use super::{Database, Key};
use crate::error::Error;

impl<D: Database, R: Decide> Work<'_, D, R> {
    /// Fails if the condition is no longer true of all rows of a batch after some were written. Such rows would not be
    /// found again.
    pub(super) fn check_filter(&mut self, after: Option<&Key>, last: &Key, rows: u64) -> Result<(), Error> {
        if self.job.filter.is_none() {
            return Ok(());
        }
        let there = self.database.count(after, Some(last))?;
        if there == rows {
            return Ok(());
        }
        let why = format!(
            "what --where says depends on what is written, or is not the same each time, as a random number is: it was true of \
             {rows} rows and then of {there}. Nothing of the batch was written. Name other columns there; rows that are \
             version 2 already are left alone without a condition"
        );
        Err(fault(&self.database.name(), "write a batch", why))
    }
}
