//! `gridmill migrate`.
//!
//! - `columns`: which columns. `pace`: how fast. `restore`: the reverse. `report`: messages and reports.

mod columns;
mod pace;
mod report;
mod restore;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};

use super::flags::ReadAs;
use super::outputs::{CommandInputs, Outputs};
use super::{FAILED, GOOD, SOME_BAD, print_beside, print_stderr, progress, signals};
use crate::amounts::counted;
use crate::engine::{Conversion, kernel};
use crate::error::Error;
use crate::migrate::{Database, Migrated, Migration, MigrationJob, Preview, Sqlite, Verified};
#[cfg(feature = "databases")]
use crate::migrate::{Mysql, Postgres};
use crate::output::{Claim, LazyFile, Target, finish_together};
use columns::ColumnFlags;
use pace::PaceFlags;
use report::{ReportSubject, done_text, links_text, preview_text, print_changed_rows, write_rejects, write_report};
use restore::RestoreFlags;

#[derive(Debug, Args)]
pub(super) struct MigrateCommand {
    #[command(subcommand)]
    pub(super) target: DatabaseKind,
}

#[derive(Debug, Subcommand)]
pub(super) enum DatabaseKind {
    /// Convert a column of a SQLite database.
    #[command(
        override_usage = "gridmill migrate sqlite [OPTIONS] --table TABLE --column COLUMN FILE",
        after_help = "Examples:
  gridmill migrate sqlite site.db --table boards --column puzzle
      show what would happen
  gridmill migrate sqlite site.db --table boards --column puzzle --yes
      do it
  gridmill migrate sqlite site.db --table boards --column puzzle \\
      --to-column puzzle_v2 --yes
  gridmill migrate sqlite site.db --table boards --column puzzle \\
      --backup old.zst --pause-file pause --yes
      keep the old strings; pause while a file 'pause' exists"
    )]
    Sqlite {
        /// The database file.
        #[arg(value_name = "FILE")]
        file: PathBuf,

        #[command(flatten)]
        flags: Box<MigrateFlags>,
    },
    /// Convert a column of a PostgreSQL database.
    #[command(
        override_usage = "gridmill migrate postgres [OPTIONS] --table TABLE --column COLUMN URL",
        after_help = "Examples:
  gridmill migrate postgres postgres://me@localhost/site \\
      --table boards --column puzzle
      show what would happen
  gridmill migrate postgres postgres://me@localhost/site \\
      --table boards --column puzzle --yes
      do it
  gridmill migrate postgres postgres://me@localhost/site \\
      --table boards --column puzzle --backup old.zst --yes \\
      --max-lag 5 --replica postgres://me@replica/site
      keep the old strings; wait while the replica is over 5 s behind
  gridmill migrate postgres 'host=/run/postgresql user=me dbname=site' \\
      --table app.boards --column puzzle

If the URL has no password, it is taken from PGPASSWORD; it is never printed.
sslmode=disable|prefer|require|verify-ca|verify-full and sslrootcert=FILE|system
in the URL set the encryption, as in libpq (default: prefer for this machine,
verify-full for others).
This command needs a build with --all-features."
    )]
    Postgres {
        /// The database: postgres://USER@HOST/DATABASE or 'host=... user=... dbname=...'.
        #[arg(value_name = "URL")]
        url: String,

        #[command(flatten)]
        flags: Box<MigrateFlags>,
    },
    /// Convert a column of a MySQL or MariaDB database.
    #[command(
        override_usage = "gridmill migrate mysql [OPTIONS] --table TABLE --column COLUMN URL",
        after_help = "Examples:
  gridmill migrate mysql mysql://me@localhost/site \\
      --table boards --column puzzle
      show what would happen
  gridmill migrate mysql mysql://me@localhost/site \\
      --table boards --column puzzle --yes
      do it
  gridmill migrate mysql mysql://me@localhost/site \\
      --table boards --column puzzle --backup old.zst --yes \\
      --rate 2000 --max-lag 5 --replica mysql://me@replica/site
      keep the old strings; at most 2000 rows a second; wait while
      the replica is over 5 s behind
  gridmill migrate mysql \\
      'mysql://me@localhost/site?socket=/run/mysqld/mysqld.sock' ...

If the URL has no password, it is taken from MYSQL_PWD; it is never printed.
sslmode=disable|prefer|require|verify-ca|verify-full and sslrootcert=FILE|system
in the URL set the encryption, as in libpq (default: prefer for this machine,
verify-full for others).
This command needs a build with --all-features."
    )]
    Mysql {
        /// The database: mysql://USER@HOST/DATABASE.
        #[arg(value_name = "URL")]
        url: String,

        /// Let ON UPDATE CURRENT_TIMESTAMP columns take the time of the migration; otherwise they keep their values.
        #[arg(long, help_heading = "Database")]
        touch: bool,

        #[command(flatten)]
        flags: Box<MigrateFlags>,
    },
    /// Put old strings from a backup back into their rows.
    #[command(
        override_usage = "gridmill migrate restore [OPTIONS] FILE URL",
        after_help = "Examples:
  gridmill migrate restore old.zst site.db
      show what would happen
  gridmill migrate restore old.zst site.db --yes
      do it
  gridmill migrate restore old.zst postgres://me@localhost/site --yes

A row gets its old string back if it still holds what the migration wrote. Other
rows stay unchanged and are listed as rejects, by key. An interrupted restore
resumes when it is run again."
    )]
    Restore(Box<RestoreFlags>),
}

/// What `migrate` has for every database.
#[derive(Debug, Args)]
#[command(next_help_heading = "Database")]
pub(super) struct MigrateFlags {
    #[command(flatten)]
    pub(super) rows: RowFlags,

    #[command(flatten)]
    pub(super) consent: ConsentFlags,

    /// Rewrite plain strings too.
    #[arg(long, help_heading = "Format")]
    pub(super) plain: bool,

    /// Rewrite the links in the texts of the column, as 'gridmill relink' does; a text with a link that cannot be rewritten stays.
    #[arg(long, conflicts_with_all = ["from", "kind", "lossy", "to_column"], help_heading = "Format")]
    pub(super) links: bool,

    #[command(flatten)]
    pub(super) read_as: ReadAs,

    /// Convert boards even if something is lost, and count the losses.
    #[arg(long, help_heading = "Format")]
    pub(super) lossy: bool,

    /// Maximum number of rows per transaction.
    #[arg(long, default_value_t = 50_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Pace")]
    pub(super) batch: u32,

    #[command(flatten)]
    pub(super) pace: PaceFlags,

    /// Save the key and old string of every row that is written to this file; 'gridmill migrate restore' puts them back.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) backup: Option<PathBuf>,

    #[command(flatten)]
    pub(super) beside: BesideFlags,
}

/// Which rows of a database are migrated, and which of their columns.
#[derive(Debug, Args)]
#[command(next_help_heading = "Database")]
pub(super) struct RowFlags {
    /// The table.
    #[arg(long, value_name = "TABLE")]
    pub(super) table: String,

    #[command(flatten)]
    pub(super) columns: ColumnFlags,

    /// The column, or columns, that identify each row; they need a unique index (default: the primary key).
    #[arg(long, value_name = "COLUMN[,COLUMN...]")]
    pub(super) key: Option<String>,

    /// Migrate only the rows that meet this SQL condition; it must not depend on the columns being written.
    #[arg(long = "where", value_name = "SQL")]
    pub(super) filter: Option<String>,
}

/// Whether a database is written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Database")]
pub(super) struct ConsentFlags {
    /// Write to the database; without this flag, only show what would happen.
    #[arg(long, conflicts_with = "dry_run")]
    pub(super) yes: bool,

    /// Write nothing, the same as without --yes.
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// What is written beside a database.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct BesideFlags {
    /// Where rejected rows go; '-' is stdout (default: stderr).
    #[arg(long, value_name = "FILE", help_heading = "Bad records")]
    pub(super) rejects: Option<PathBuf>,

    /// Write a report of the run as JSON; '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    /// Replace existing reject and report files.
    #[arg(short, long)]
    pub(super) force: bool,

    /// Print no summary and no progress.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

pub(super) fn run(flags: &MigrateCommand) -> anyhow::Result<u8> {
    match &flags.target {
        DatabaseKind::Sqlite { file, flags } => {
            flags.pace.check(false)?;
            let beside = SideOutputs::of(&CommandInputs::Database(file), flags)?;
            let job = job(flags);
            let mut database = Sqlite::open(file, &job, flags.consent.yes, flags.pace.wait())?;
            migrate(&mut database, job, flags, beside)
        }
        #[cfg(feature = "databases")]
        DatabaseKind::Postgres { url, flags } => {
            flags.pace.check(true)?;
            let beside = SideOutputs::of(&CommandInputs::Nothing, flags)?;
            let job = job(flags);
            let mut database = Postgres::open(url, &job, flags.consent.yes, flags.pace.wait())?;
            flags.pace.replica().map_or(Ok(()), |url| database.ask_replica(url))?;
            migrate(&mut database, job, flags, beside)
        }
        #[cfg(feature = "databases")]
        DatabaseKind::Mysql { url, touch, flags } => {
            flags.pace.check(true)?;
            let beside = SideOutputs::of(&CommandInputs::Nothing, flags)?;
            let job = job(flags);
            let mut database = Mysql::open(url, &job, flags.consent.yes, flags.pace.wait(), *touch)?;
            flags.pace.replica().map_or(Ok(()), |url| database.ask_replica(url))?;
            migrate(&mut database, job, flags, beside)
        }
        #[cfg(not(feature = "databases"))]
        DatabaseKind::Postgres { .. } | DatabaseKind::Mysql { .. } => sqlite_only(),
        DatabaseKind::Restore(flags) => restore::run(flags),
    }
}

#[cfg(not(feature = "databases"))]
fn sqlite_only() -> anyhow::Result<u8> {
    anyhow::bail!(
        "this program was built without PostgreSQL, MySQL and MariaDB; build it with cargo build --release --all-features"
    )
}

/// The files that are written beside the database.
struct SideOutputs {
    backup: Option<PathBuf>,
    rejects: Option<LazyFile>,
    report: Option<LazyFile>,
    /// One of them goes to stdout.
    on_stdout: bool,
}

impl SideOutputs {
    fn of(database: &CommandInputs, flags: &MigrateFlags) -> anyhow::Result<Self> {
        Self::claim(database, None, flags.backup.as_deref(), &flags.beside, flags.consent.yes)
    }

    /// Checks the names of these files before the database is opened.
    fn claim(
        database: &CommandInputs,
        also_reads: Option<&Path>,
        backup: Option<&Path>,
        flags: &BesideFlags,
        yes: bool,
    ) -> anyhow::Result<Self> {
        let mut outputs = Outputs::new(database, flags.force, true)?;
        also_reads.into_iter().for_each(|path| outputs.also_reads(path));
        // The migration opens the backup. It adds to an existing backup, and never replaces it.
        let backup = match outputs.named("--backup", backup)?.map(Claim::into_target) {
            None => None,
            Some(Target::File { path, .. }) => Some(path),
            Some(_) => anyhow::bail!("--backup needs a file, which must be readable later; it cannot be stdout"),
        };
        let rejects = outputs.named("--rejects", flags.rejects.as_deref())?;
        let report = outputs.named("--report", flags.report.as_deref())?;
        let on_stdout = rejects.iter().chain(&report).any(Claim::is_stdout);
        if !yes && !on_stdout {
            outputs.stdout("what would be written (without --yes)")?;
        }
        Ok(Self { backup, rejects: outputs.lazily(rejects)?, report: outputs.lazily(report)?, on_stdout })
    }

    /// Reports the result of a dry run.
    fn finish_preview(
        self,
        about: &ReportSubject,
        preview: &Preview,
        seconds: &Seconds,
        text: &str,
    ) -> anyhow::Result<u8> {
        let rejects = write_rejects(self.rejects, &preview.rejected, about.columns.len())?;
        let report = write_report(self.report, about, &preview.tally, None, seconds)?;
        finish_together([rejects, report].into_iter().flatten())?;
        print_beside(self.on_stdout, text)?;
        Ok(if preview.tally.rejected > 0 { SOME_BAD } else { GOOD })
    }

    /// Reports what was done, and what the verification found.
    fn done(
        self,
        about: &ReportSubject,
        done: &Migrated,
        verified: Result<Verified, Error>,
        seconds: &Seconds,
        summary: impl FnOnce(&Verified) -> String,
    ) -> anyhow::Result<u8> {
        let rejects = write_rejects(self.rejects, &done.rejected, about.columns.len())?;
        let verified = match verified {
            Ok(verified) => verified,
            Err(error) => {
                // The rows are written, and the rejects say which ones are not.
                finish_together(rejects)?;
                return Err(error.into());
            }
        };
        let report = write_report(self.report, about, &done.tally, Some(&verified), seconds)?;
        finish_together([rejects, report].into_iter().flatten())?;
        print_changed_rows(&verified, about.filter.is_some());
        if !about.quiet {
            print_stderr(&summary(&verified));
        }
        Ok(match () {
            () if verified.gone_rows() > 0 && verified.may_have_deleted => FAILED,
            () if done.tally.rejected > 0 || !verified.is_as_written() => SOME_BAD,
            () => GOOD,
        })
    }
}

fn job(flags: &MigrateFlags) -> MigrationJob {
    MigrationJob {
        table: flags.rows.table.clone(),
        columns: flags.rows.columns.0.clone(),
        key: flags.rows.key.clone(),
        filter: flags.rows.filter.clone(),
        plain: flags.plain,
        links: flags.links,
        plan: Conversion {
            from: flags.read_as.format(),
            hints: flags.read_as.hints(),
            lossy: flags.lossy,
            ..Conversion::default()
        },
        batch: flags.batch as usize,
    }
}

/// The time of each step in seconds.
#[derive(Default)]
struct Seconds {
    read: f64,
    write: f64,
    verify: f64,
}

/// Performs a step, and measures its time.
fn timed<T>(seconds: &mut f64, step: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = step();
    *seconds = begun.elapsed().as_secs_f64();
    done
}

fn migrate(
    database: &mut impl Database,
    job: MigrationJob,
    flags: &MigrateFlags,
    beside: SideOutputs,
) -> anyhow::Result<u8> {
    let meter = progress::Meter::start("rows", progress::ProgressShown::unless_quiet(flags.beside.quiet))?;
    let (seen, shown) = (meter.progress(), meter.progress());
    let told = move |rows| seen.report(rows);
    let mut about = ReportSubject {
        table: &flags.rows.table,
        columns: &flags.rows.columns.0,
        backup: beside.backup.clone(),
        restores: false,
        filter: flags.rows.filter.as_deref(),
        quiet: flags.beside.quiet,
        notes: database.table().notes.clone(),
    };
    let say = |text: &str| print_unless(flags.beside.quiet, text);
    let pace = flags.pace.pace(&say);
    let mut migration =
        Migration::new(database, job, kernel()?, &told).with_backup(about.backup.clone()).with_pace(pace);
    let mut seconds = Seconds::default();
    about.notes.iter().for_each(|note| print_stderr(note));
    shown.begin_step(0);
    let preview = timed(&mut seconds.read, || migration.preview())?;
    if preview.with_links > 0 {
        let note = links_text(preview.with_links);
        print_stderr(&note);
        about.notes.push(note);
    }
    if !flags.consent.yes {
        meter.finish();
        return beside.finish_preview(&about, &preview, &seconds, &preview_text(flags, &about, &preview));
    }
    let rows = about.rows(&preview.tally);
    shown.begin_step(rows);
    let done = timed(&mut seconds.write, || signals::stoppable(|| migration.write(&preview)))?;
    if done.stopped {
        meter.finish();
        return Ok(stopped(flags.beside.quiet, &done));
    }
    shown.begin_step(rows);
    let verified = timed(&mut seconds.verify, || migration.verify(&done));
    meter.finish();
    beside.done(&about, &done, verified, &seconds, |verified| done_text(flags, &about, &done, verified, &seconds))
}

/// Prints a message during the run.
fn print_unless(quiet: bool, text: &str) {
    if !quiet {
        print_stderr(text);
    }
}

/// Reports how far a run got that was ended by a signal.
fn stopped(quiet: bool, done: &Migrated) -> u8 {
    if !quiet {
        let rows = done.tally.rows;
        print_stderr(&format!("stopped after {}, at the end of a batch; run again to resume", counted(rows, "row")));
    }
    FAILED
}
