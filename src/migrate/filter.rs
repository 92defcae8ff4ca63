//! `--where`: rows that a migration is about, and those that are nobody's.

use serde_json::Value;

use super::batches::Migrated;
use super::decide::Decide;
use super::run::Work;
use super::{Database, Key};
use crate::error::{Error, escape};

/// What a job's name calls its condition.
const NAME: &str = "where";

impl<D: Database, R: Decide> Work<'_, D, R> {
    /// Fails if the rows of a batch, some of which were written, are not those that the condition is true of any more: they
    /// would not be found again.
    pub(super) fn check_filter(&mut self, after: Option<&Key>, last: &Key, rows: u64) -> Result<(), Error> {
        if self.job.filter.is_none() {
            return Ok(());
        }
        let there = self.database.count(after, Some(last))?;
        if there == rows {
            return Ok(());
        }
        Err(Error::Database {
            database: self.database.name(),
            action: "write a batch".into(),
            message: format!(
                "what --where says depends on what is written: it was true of {rows} rows and then of {there}. Nothing of the batch \
                 was written. Name other columns there; rows that are done already are left as they are without being told"
            ),
        })
    }

    /// Fails if a run was interrupted that had another condition, and else was the same.
    pub(super) fn check_filters(&mut self) -> Result<(), Error> {
        let but_for_filter = |name: &str| {
            let mut job: Value = serde_json::from_str(name).ok()?;
            let filter = job.as_object_mut()?.remove(NAME);
            Some((job, filter))
        };
        let own = but_for_filter(&self.name).map(|(job, _)| job);
        for name in self.database.jobs()? {
            let Some((job, filter)) = but_for_filter(&name) else { continue };
            if name == self.name || own != Some(job) || self.unfinished_of(&name, &mut Migrated::default())?.is_none() {
                continue;
            }
            let with = match filter.as_ref().and_then(Value::as_str) {
                Some(filter) => format!("with --where {:?}", escape(filter.as_bytes())),
                None => "without --where".into(),
            };
            let message = format!("a run {with} was interrupted; run that again first, and it goes on where it was");
            return Err(Error::Database { database: self.database.name(), action: "begin".into(), message });
        }
        Ok(())
    }
}
