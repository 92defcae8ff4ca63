//! An interrupted run must be continued before another one writes the same columns together with others, or with
//! another condition.

use serde_json::Value;

use super::Database;
use super::batches::Migrated;
use super::database::jobs;
use super::decide::Decide;
use super::run::Work;
use super::table::written_by;
use crate::error::{Error, escape};

/// The prefix of the condition in a job's name.
pub(super) const FILTER: &str = "where";

impl<D: Database, R: Decide> Work<'_, D, R> {
    /// Fails if an interrupted run writes some of the same columns, but with others or with another condition: its
    /// backup would lack what this run writes.
    pub(super) fn check_interrupted(&mut self) -> Result<(), Error> {
        let own = JobName::of(&self.name);
        for name in jobs(self.database)? {
            let other = JobName::of(&name);
            let Some(what) = own.as_ref().zip(other.as_ref()).and_then(|(own, other)| other.differs(own)) else {
                continue;
            };
            let mut done = Migrated::default();
            // A run that has written nothing does not matter.
            if self.unfinished_of(&name, &mut done)?.is_none() || done.batches() == 0 {
                continue;
            }
            let message = format!(
                "a run {what} was interrupted; run that again first to resume it, or abandon it by dropping the table \
                 gridmill_migration"
            );
            return Err(self.database.table().fault("begin", message));
        }
        Ok(())
    }
}

/// The parts of a job's name.
struct JobName {
    /// See [`written_by`].
    names: Vec<String>,
    filter: Option<String>,
    /// Everything else.
    rest: Value,
}

impl JobName {
    /// `None` if the name is not that of a migration.
    fn of(name: &str) -> Option<Self> {
        let mut rest: Value = serde_json::from_str(name).ok()?;
        let job = rest.as_object_mut()?;
        let filter = job.remove(FILTER).and_then(|filter| filter.as_str().map(str::to_string));
        let names = serde_json::from_value(job.remove("names")?).ok()?;
        Some(Self { names, filter, rest })
    }

    /// How this job differs from another one that writes one of its columns; `None` if it does not, or if only flags
    /// differ that do not matter.
    fn differs(&self, other: &Self) -> Option<String> {
        let (own, others) = (written_by(&self.names), written_by(&other.names));
        if self.names.first() != other.names.first() {
            return None;
        }
        let shared = own.iter().find(|column| others.contains(column))?;
        if self.names != other.names {
            let is_of_several = own.len() > 1 || others.len() > 1;
            return is_of_several
                .then(|| format!("that writes column {} together with other columns", escape(shared.as_bytes())));
        }
        if self.rest != other.rest || self.filter == other.filter {
            return None;
        }
        Some(match &self.filter {
            Some(filter) => format!("with --where {:?}", escape(filter.as_bytes())),
            None => "without --where".into(),
        })
    }
}
