//! A migration, as its users have it.

use std::path::PathBuf;

use serde_json::json;

use super::batches::Migrated;
use super::decide::Decider;
use super::interrupted::FILTER;
use super::pace::Pace;
use super::run::{Preview, Work};
use super::verify::Verified;
use super::{Database, Job};
use crate::board::Kind;
use crate::error::Error;
use crate::formats::{Id, Layout};
use crate::kernels::Kernel;

/// A migration of one column.
#[derive(Debug)]
pub struct Migration<'d, D>(Work<'d, D, Decider>);

impl<'d, D: Database> Migration<'d, D> {
    /// A migration; `progress` is told how many rows were looked at, of this step.
    pub fn new(database: &'d mut D, job: Job, kernel: &'static Kernel, progress: &'d dyn Fn(u64)) -> Self {
        // A run goes on only where it was the same one: the journal has one key for a row, and its strings are read in one way.
        let mut name = json!({
            "names": database.names(), "plain": job.plain,
            "from": job.plan.from.map(Id::name), "kind": job.plan.hints.kind.map(Kind::name),
            "str8ts_layout": job.plan.hints.layouts.get(Id::V2).map(Layout::name),
            "str8ts_flags": job.plan.hints.layouts.get(Id::V1).map(Layout::name), "lossy": job.plan.lossy,
        });
        if job.links {
            name["links"] = true.into();
        }
        if let Some(filter) = &job.filter {
            name[FILTER] = filter.as_str().into();
        }
        let name = name.to_string();
        let decider = Decider::new(&job, kernel);
        Self(Work::of(database, job, name, decider, progress))
    }

    /// Has the old strings of all rows that are written kept in a file.
    pub fn with_backup(mut self, file: Option<PathBuf>) -> Self {
        self.0.keep = file;
        self
    }

    /// Goes by another pace than that of [`Pace::default`].
    pub fn with_pace(mut self, pace: Pace<'d>) -> Self {
        self.0.set_pace(pace);
        self
    }

    /// Reads all rows and says what would become of them. Nothing is written.
    ///
    /// # Errors
    /// What the database answers; a column that is too narrow for the new strings.
    pub fn preview(&mut self) -> Result<Preview, Error> {
        self.0.preview()
    }

    /// Writes what a look found to be written; or goes on where a run was interrupted.
    ///
    /// # Errors
    /// What the database answers. Batches that were committed stay, and the next run goes on after them.
    pub fn write(&mut self, preview: &Preview) -> Result<Migrated, Error> {
        self.0.write(preview)
    }

    /// Reads every row back, and compares it with what was written down of its batch. Where new strings have a column of their
    /// own, they are made again from the old ones, too.
    ///
    /// # Errors
    /// What the database answers; rows that are there and cannot be found by their key.
    pub fn verify(&mut self, done: &Migrated) -> Result<Verified, Error> {
        self.0.verify(done)
    }
}
