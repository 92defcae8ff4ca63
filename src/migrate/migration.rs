//! The public interface of a migration.

use std::path::PathBuf;

use serde_json::json;

use super::batches::Migrated;
use super::decide::Decider;
use super::interrupted::FILTER;
use super::pace::Pace;
use super::run::{Preview, Work};
use super::verify::Verified;
use super::{Database, MigrationJob};
use crate::board::Kind;
use crate::error::Error;
use crate::formats::{Format, Layout, REGISTRY};
use crate::kernels::Kernel;

/// A migration of one column.
#[derive(Debug)]
pub struct Migration<'d, D> {
    work: Work<'d, D, Decider>,
    /// The path of the backup, if there is to be one.
    backup: Option<PathBuf>,
}

impl<'d, D: Database> Migration<'d, D> {
    /// Prepares a migration. `progress` is called with the number of rows processed in the current step, first when the
    /// step begins.
    pub fn new(database: &'d mut D, job: MigrationJob, kernel: &'static Kernel, progress: &'d dyn Fn(u64)) -> Self {
        // The name of the job has everything that must be the same for an interrupted run to be continued: the journal
        // has one key per row, and strings must be read in the same way.
        let mut name = json!({
            "names": database.table().names(), "plain": job.plain,
            "from": job.plan.from.map(Format::name), "kind": job.plan.hints.kind.map(Kind::name),
            "lossy": job.plan.lossy,
        });
        for format in REGISTRY {
            if let Some(rules) = format.layout_rules() {
                let layout = job.plan.hints.layouts.get(format.about().id);
                name[rules.flag().trim_start_matches('-').replace('-', "_")] = layout.map(Layout::name).into();
            }
        }
        if job.links {
            name["links"] = true.into();
        }
        if let Some(filter) = &job.filter {
            name[FILTER] = filter.as_str().into();
        }
        let name = name.to_string();
        let decider = Decider::new(&job, kernel);
        Self { work: Work::of(database, job, name, decider, progress), backup: None }
    }

    /// Keeps the old strings of all rows that are written in a file.
    pub fn with_backup(mut self, file: Option<PathBuf>) -> Self {
        self.backup = file;
        self
    }

    /// Sets another pace than [`Pace::default`].
    pub fn with_pace(mut self, pace: Pace<'d>) -> Self {
        self.work.set_pace(pace);
        self
    }

    /// Reads all rows and reports what would be done with them. Nothing is written.
    ///
    /// # Errors
    /// An error of the database, or a column that is too narrow for the new strings.
    pub fn preview(&mut self) -> Result<Preview, Error> {
        self.work.preview()
    }

    /// Writes the rows that the preview found, or continues an interrupted run.
    ///
    /// # Errors
    /// An error of the database. Batches that were committed stay, and the next run continues after them.
    pub fn write(&mut self, preview: &Preview) -> Result<Migrated, Error> {
        self.work.write(preview, self.backup.as_deref())
    }

    /// Reads every row again, and compares it with what was recorded of its batch. If new strings have a column of
    /// their own, they are also computed again from the old ones.
    ///
    /// # Errors
    /// An error of the database, or rows that exist but cannot be found by their key.
    pub fn verify(&mut self, done: &Migrated) -> Result<Verified, Error> {
        self.work.verify(done)
    }
}
