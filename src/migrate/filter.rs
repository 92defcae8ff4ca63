//! What `--where` says stays true of rows that are written; and an interrupted run goes on before another one writes the same
//! columns with another condition or with others.

use serde_json::Value;

use super::batches::Migrated;
use super::decide::Decide;
use super::run::Work;
use super::{Database, Key};
use crate::error::{Error, escape};

/// What a job's name calls its condition.
pub(super) const NAME: &str = "where";

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

    /// Fails if a run was interrupted that writes some of the same columns, but with others or with another condition: what
    /// this one writes would be missing in its backup.
    pub(super) fn check_interrupted(&mut self) -> Result<(), Error> {
        let own = JobName::of(&self.name);
        for name in self.database.jobs()? {
            let other = JobName::of(&name);
            let Some(what) = own.as_ref().zip(other.as_ref()).and_then(|(own, other)| other.differs(own)) else {
                continue;
            };
            let mut done = Migrated::default();
            // One that has written nothing is in nobody's way.
            if self.unfinished_of(&name, &mut done)?.is_none() || done.batches() == 0 {
                continue;
            }
            let message = format!(
                "a run {what} was interrupted; run that again first, and it goes on where it was. Or give it up: drop the table \
                 gridmill_migration"
            );
            return Err(Error::Database { database: self.database.name(), action: "begin".into(), message });
        }
        Ok(())
    }
}

/// What the name of a job says.
struct JobName {
    /// See [`names`](super::dialect::names).
    names: Vec<String>,
    filter: Option<String>,
    /// All else.
    rest: Value,
}

impl JobName {
    /// `None` if it is not of a migration.
    fn of(name: &str) -> Option<Self> {
        let mut rest: Value = serde_json::from_str(name).ok()?;
        let job = rest.as_object_mut()?;
        let filter = job.remove(NAME).and_then(|filter| filter.as_str().map(str::to_string));
        let names = serde_json::from_value(job.remove("names")?).ok()?;
        Some(Self { names, filter, rest })
    }

    /// How this job, which writes a column that the other one writes too, differs from it; `None` if it does not, or is in its way
    /// no more than its own flags make it.
    fn differs(&self, other: &Self) -> Option<String> {
        let (own, others) = (written(&self.names), written(&other.names));
        if self.names.first() != other.names.first() {
            return None;
        }
        let shared = own.iter().find(|column| others.contains(column))?;
        if self.names != other.names {
            let is_of_several = own.len() > 1 || others.len() > 1;
            return is_of_several
                .then(|| format!("that writes column {} with other columns", escape(shared.as_bytes())));
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

/// The columns that a job with these names writes.
fn written(names: &[String]) -> Vec<&str> {
    match names {
        [_, column, _] => vec![column],
        [_, _, _, to] => vec![to],
        [_, _, pairs @ ..] => {
            pairs.chunks_exact(2).map(|pair| if pair[1].is_empty() { &pair[0][..] } else { &pair[1] }).collect()
        }
        _ => Vec::new(),
    }
}
