//! `gridmill migrate restore`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::pace::PaceFlags;
use super::report::{ReportSubject, pair_text, read_back};
use super::{BesideFlags, ConsentFlags, Seconds, SideOutputs, print_unless, stopped, timed};
use crate::amounts::grouped;
use crate::cli::outputs::CommandInputs;
use crate::cli::{print_stderr, progress, signals};
use crate::error::escape;
use crate::migrate::{Backup, Database, Migrated, Preview, Restore, Sqlite, Tally, Verified};
#[cfg(feature = "databases")]
use crate::migrate::{Mysql, Postgres};

#[derive(Debug, Args)]
#[command(next_help_heading = "Database")]
pub(in crate::cli) struct RestoreFlags {
    /// The backup that --backup wrote.
    #[arg(value_name = "FILE", help_heading = None)]
    file: PathBuf,

    /// The database: postgres://USER@HOST/DATABASE, mysql://USER@HOST/DATABASE, or the file of a SQLite database.
    #[arg(value_name = "URL", help_heading = None)]
    url: String,

    #[command(flatten)]
    consent: ConsentFlags,

    #[command(flatten)]
    pace: PaceFlags,

    /// MySQL: let ON UPDATE CURRENT_TIMESTAMP columns take the time of the restore; otherwise they keep their values.
    #[arg(long)]
    touch: bool,

    #[command(flatten)]
    beside: BesideFlags,
}

pub(super) fn run(flags: &RestoreFlags) -> anyhow::Result<u8> {
    let wait = flags.pace.wait();
    let backup = Backup::open(&flags.file)?;
    let job = backup.job();
    flags.pace.check(backup.database() != "sqlite")?;
    let claim = |database: &CommandInputs| {
        SideOutputs::claim(database, Some(&flags.file), None, &flags.beside, flags.consent.yes)
    };
    match backup.database() {
        "sqlite" => {
            let file = Path::new(&flags.url);
            let beside = claim(&CommandInputs::Database(file))?;
            let mut database = Sqlite::open(file, &job, flags.consent.yes, wait)?;
            restore(&mut database, backup, flags, beside)
        }
        #[cfg(feature = "databases")]
        "postgres" => {
            let beside = claim(&CommandInputs::Nothing)?;
            let mut database = Postgres::open(&flags.url, &job, flags.consent.yes, wait)?;
            flags.pace.replica().map_or(Ok(()), |url| database.ask_replica(url))?;
            restore(&mut database, backup, flags, beside)
        }
        #[cfg(feature = "databases")]
        "mysql" => {
            let beside = claim(&CommandInputs::Nothing)?;
            let mut database = Mysql::open(&flags.url, &job, flags.consent.yes, wait, flags.touch)?;
            flags.pace.replica().map_or(Ok(()), |url| database.ask_replica(url))?;
            restore(&mut database, backup, flags, beside)
        }
        #[cfg(not(feature = "databases"))]
        "postgres" | "mysql" => super::sqlite_only(),
        _ => {
            anyhow::bail!("the backup is from a database that this program does not know; use the program that made it")
        }
    }
}

fn restore(
    database: &mut impl Database,
    backup: Backup,
    flags: &RestoreFlags,
    beside: SideOutputs,
) -> anyhow::Result<u8> {
    let what = if backup.job().columns.len() > 1 { "strings" } else { "rows" };
    let meter = progress::Meter::start(what, progress::ProgressShown::unless_quiet(flags.beside.quiet))?;
    let (seen, shown) = (meter.progress(), meter.progress());
    let told = move |rows| seen.report(rows);
    let (table, columns) = (backup.table().to_string(), backup.job().columns);
    let about = ReportSubject {
        table: &table,
        columns: &columns,
        backup: Some(flags.file.clone()),
        restores: true,
        filter: None,
        quiet: flags.beside.quiet,
        notes: database.table().notes.clone(),
    };
    let say = |text: &str| print_unless(flags.beside.quiet, text);
    let mut restore = Restore::new(database, backup, &told).with_pace(flags.pace.pace(&say));
    let mut seconds = Seconds::default();
    about.notes.iter().for_each(|note| print_stderr(note));
    shown.begin_step(0);
    if !flags.consent.yes {
        let preview = timed(&mut seconds.read, || restore.preview())?;
        meter.finish();
        return beside.finish_preview(&about, &preview, &seconds, &preview_text(&about, &preview));
    }
    let done = timed(&mut seconds.write, || signals::stoppable(|| restore.write()))?;
    if restore.breaks_off() {
        let file = flags.file.display().to_string();
        print_stderr(&format!(
            "{}: ends in the middle of a batch, and the database has no journal of the migration to tell whether that batch was \
             committed; none of its rows were put back",
            escape(file.as_bytes())
        ));
    }
    if done.stopped {
        meter.finish();
        return Ok(stopped(flags.beside.quiet, &done));
    }
    shown.begin_step(0);
    let verified = timed(&mut seconds.verify, || restore.verify(&done));
    meter.finish();
    beside.done(&about, &done, verified, &seconds, |verified| done_text(&about, &done, verified, &seconds))
}

/// Describes in one line which rows the backup has.
fn rows(about: &ReportSubject, tally: &Tally, written: &str) -> String {
    let done = match tally.done {
        0 => String::new(),
        done => format!(", {} with their old string already", grouped(done)),
    };
    let [count, rejected] = [tally.written, tally.rejected].map(grouped);
    format!("{}: {count} {written}{done}, {rejected} rejected", about.counted(tally))
}

fn preview_text(about: &ReportSubject, preview: &Preview) -> String {
    let mut text = format!("{}\n", rows(about, &preview.tally, "to be put back"));
    for pair in &preview.pairs {
        text.push_str(&pair_text(pair));
    }
    text.push_str(&match preview.tally.written {
        0 => "There is nothing to write.\n".to_string(),
        _ => {
            format!("Nothing was written. --yes writes {}.\n", about.written())
        }
    });
    text
}

fn done_text(about: &ReportSubject, done: &Migrated, verified: &Verified, seconds: &Seconds) -> String {
    let resumed = if done.resumed { "; resumed an interrupted run" } else { "" };
    format!("{}{resumed}{}", rows(about, &done.tally, "put back"), read_back(verified, seconds))
}
