//! `gridmill migrate`.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use serde_json::json;

use super::flags::ReadAs;
use super::outputs::{Outputs, Reads};
use super::streams::write_rows;
use super::{FAILED, GOOD, SOME_BAD, complain, print_beside, progress};
use crate::amounts;
use crate::engine::{Conversion, kernel};
use crate::error::plural;
#[cfg(feature = "mysql")]
use crate::migrate::Mysql;
use crate::migrate::{
    Database, Job, Migrated, Migration, Postgres, Preview, Range, Rejected, RejectedRows, Sqlite, Tally, Verified,
};
use crate::output::{Claim, LazyFile};

#[derive(Debug, Args)]
pub(super) struct MigrateCommand {
    #[command(subcommand)]
    pub(super) target: DatabaseKind,
}

#[derive(Debug, Subcommand)]
pub(super) enum DatabaseKind {
    /// A column of a SQLite database.
    #[command(
        override_usage = "gridmill migrate sqlite [OPTIONS] --table TABLE --column COLUMN FILE",
        after_help = "Examples:
  gridmill migrate sqlite site.db --table boards --column puzzle
      what would become of it
  gridmill migrate sqlite site.db --table boards --column puzzle --yes
      do it
  gridmill migrate sqlite site.db --table boards --column puzzle \\
      --to-column puzzle_v2 --yes"
    )]
    Sqlite {
        /// The database file.
        #[arg(value_name = "FILE")]
        file: PathBuf,

        #[command(flatten)]
        flags: Box<MigrateFlags>,
    },
    /// A column of a PostgreSQL database.
    #[command(
        override_usage = "gridmill migrate postgres [OPTIONS] --table TABLE --column COLUMN URL",
        after_help = "Examples:
  gridmill migrate postgres postgres://me@localhost/site \\
      --table boards --column puzzle
      what would become of it
  gridmill migrate postgres postgres://me@localhost/site \\
      --table boards --column puzzle --yes
      do it
  gridmill migrate postgres 'host=/run/postgresql user=me dbname=site' \\
      --table app.boards --column puzzle

A password is taken from PGPASSWORD if the URL has none; it is never printed.
sslmode=disable|prefer|require|verify-ca|verify-full and sslrootcert=FILE|system
in the URL say how connections are encrypted, as libpq has them (default: prefer
for this machine, verify-full for others). Encryption needs a build with
--features tls; others connect to other machines with sslmode=disable only."
    )]
    Postgres {
        /// Where the database is: postgres://USER@HOST/DATABASE or 'host=... user=... dbname=...'.
        #[arg(value_name = "URL")]
        url: String,

        #[command(flatten)]
        flags: Box<MigrateFlags>,
    },
    /// A column of a MySQL or MariaDB database.
    #[command(
        override_usage = "gridmill migrate mysql [OPTIONS] --table TABLE --column COLUMN URL",
        after_help = "Examples:
  gridmill migrate mysql mysql://me@localhost/site \\
      --table boards --column puzzle
      what would become of it
  gridmill migrate mysql mysql://me@localhost/site \\
      --table boards --column puzzle --yes
      do it
  gridmill migrate mysql \\
      'mysql://me@localhost/site?socket=/run/mysqld/mysqld.sock' ...

A password is taken from MYSQL_PWD if the URL has none; it is never printed.
sslmode=disable|prefer|require|verify-ca|verify-full and sslrootcert=FILE|system
in the URL say how connections are encrypted, as libpq has them (default: prefer
for this machine, verify-full for others).
The program has it if it was built with --features mysql."
    )]
    Mysql {
        /// Where the database is: mysql://USER@HOST/DATABASE.
        #[arg(value_name = "URL")]
        url: String,

        /// Let columns with ON UPDATE CURRENT_TIMESTAMP take the time of the migration; else they keep theirs.
        #[arg(long)]
        touch: bool,

        #[command(flatten)]
        flags: Box<MigrateFlags>,
    },
}

/// What `migrate` has for every database.
#[derive(Debug, Args)]
pub(super) struct MigrateFlags {
    /// The table.
    #[arg(long, value_name = "TABLE")]
    pub(super) table: String,

    /// The column with the strings.
    #[arg(long, value_name = "COLUMN")]
    pub(super) column: String,

    /// Write the new strings to this column, which must exist, instead of replacing the old ones.
    #[arg(long, value_name = "COLUMN")]
    pub(super) to_column: Option<String>,

    /// The column that names each row, or the columns: those of a unique index (default: the primary key).
    #[arg(long, value_name = "COLUMN[,COLUMN...]")]
    pub(super) key: Option<String>,

    /// Write; without it, only say what would become of the rows.
    #[arg(long, conflicts_with = "dry_run")]
    pub(super) yes: bool,

    /// Write nothing, as without --yes.
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Rewrite plain strings too.
    #[arg(long)]
    pub(super) plain: bool,

    #[command(flatten)]
    pub(super) read_as: ReadAs,

    /// Convert boards that lose something, and count what is lost.
    #[arg(long)]
    pub(super) lossy: bool,

    /// Rows in each transaction.
    #[arg(long, default_value_t = 50_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) batch: u32,

    /// How long to wait for others that write.
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=86_400))]
    pub(super) wait: u32,

    /// Where rejected rows go; '-' is stdout (default: stderr).
    #[arg(long, value_name = "FILE")]
    pub(super) rejects: Option<PathBuf>,

    /// Write what was done as JSON; '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    /// Replace these files if they exist.
    #[arg(short, long)]
    pub(super) force: bool,

    /// No summary and no progress.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// The rows of what was refused.
const HEADER: &str = "key\tcell\tcode\tmessage\trecord\n";

/// Refused rows that are shown where no file is named for them.
const SHOWN: u64 = 20;
/// The characters of a record that are shown on stderr; what a puzzle may have is shorter but for large killers.
const LONG: usize = 256;

/// Bytes of refused rows that are written at a time.
const PORTION: usize = 1 << 20;

pub(super) fn run(flags: &MigrateCommand) -> anyhow::Result<u8> {
    match &flags.target {
        DatabaseKind::Sqlite { file, flags } => {
            let beside = Beside::claim(&Reads::Database(file), flags)?;
            let job = job(flags);
            let wait = Duration::from_secs(flags.wait.into());
            let mut database = Sqlite::open(file, &job, flags.yes, wait)?;
            migrate(&mut database, job, flags, beside)
        }
        DatabaseKind::Postgres { url, flags } => {
            let beside = Beside::claim(&Reads::Nothing, flags)?;
            let job = job(flags);
            let wait = Duration::from_secs(flags.wait.into());
            let mut database = Postgres::open(url, &job, flags.yes, wait)?;
            migrate(&mut database, job, flags, beside)
        }
        #[cfg(feature = "mysql")]
        DatabaseKind::Mysql { url, touch, flags } => {
            let beside = Beside::claim(&Reads::Nothing, flags)?;
            let job = job(flags);
            let wait = Duration::from_secs(flags.wait.into());
            let mut database = Mysql::open(url, &job, flags.yes, wait, *touch)?;
            migrate(&mut database, job, flags, beside)
        }
        #[cfg(not(feature = "mysql"))]
        DatabaseKind::Mysql { .. } => {
            anyhow::bail!("this program was built without MySQL; build it with cargo build --release --features mysql")
        }
    }
}

/// What is written beside the database.
struct Beside {
    rejects: Option<LazyFile>,
    report: Option<LazyFile>,
    /// One of them goes to stdout.
    on_stdout: bool,
}

impl Beside {
    /// Checks what the flags name before the database is opened.
    fn claim(database: &Reads, flags: &MigrateFlags) -> anyhow::Result<Self> {
        let mut outputs = Outputs::new(database, flags.force, true)?;
        let rejects = outputs.named("--rejects", flags.rejects.as_deref())?;
        let report = outputs.named("--report", flags.report.as_deref())?;
        let on_stdout = rejects.iter().chain(&report).any(Claim::is_stdout);
        if !flags.yes && !on_stdout {
            outputs.stdout("what would be written (without --yes)")?;
        }
        Ok(Self { rejects: outputs.lazily(rejects)?, report: outputs.lazily(report)?, on_stdout })
    }
}

fn job(flags: &MigrateFlags) -> Job {
    Job {
        table: flags.table.clone(),
        column: flags.column.clone(),
        to: flags.to_column.clone(),
        key: flags.key.clone(),
        plain: flags.plain,
        plan: Conversion {
            from: flags.read_as.format(),
            hints: flags.read_as.hints(),
            lossy: flags.lossy,
            ..Conversion::default()
        },
        batch: flags.batch as usize,
    }
}

/// The seconds of each step.
#[derive(Default)]
struct Seconds {
    look: f64,
    write: f64,
    verify: f64,
}

fn migrate(database: &mut impl Database, job: Job, flags: &MigrateFlags, beside: Beside) -> anyhow::Result<u8> {
    let Beside { rejects, report, on_stdout } = beside;
    let meter = progress::Meter::start("rows", flags.quiet)?;
    let seen = meter.progress();
    let told = move |rows| seen.taken.store(rows, std::sync::atomic::Ordering::Relaxed);
    let mut migration = Migration::new(database, job, kernel()?, &told);
    let mut seconds = Seconds::default();
    let timed = |place: &mut f64, begun: Instant| *place = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let notes = migration.notes().to_vec();
    notes.iter().for_each(|note| complain(note));
    let preview = migration.preview()?;
    timed(&mut seconds.look, begun);
    if !flags.yes {
        meter.finish();
        write_rejects(rejects, &preview.rejected)?;
        write_report(report, flags, &notes, &preview.tally, None, &seconds)?;
        print_beside(on_stdout, &preview_text(flags, &preview))?;
        return Ok(if preview.tally.rejected > 0 { SOME_BAD } else { GOOD });
    }
    let begun = Instant::now();
    let done = migration.write(&preview)?;
    timed(&mut seconds.write, begun);
    let begun = Instant::now();
    let verified = migration.verify(&done);
    timed(&mut seconds.verify, begun);
    meter.finish();
    write_rejects(rejects, &done.rejected)?;
    let verified = verified?;
    write_report(report, flags, &notes, &done.tally, Some(&verified), &seconds)?;
    complain_about(&verified);
    if !flags.quiet {
        complain(&done_text(flags, &done, &verified, &seconds));
    }
    Ok(match () {
        () if verified.has_gone_rows() => FAILED,
        () if done.tally.rejected > 0 || !verified.is_as_written() => SOME_BAD,
        () => GOOD,
    })
}

/// Names the rows that are not as they were written.
fn complain_about(verified: &Verified) {
    let not_version_2: HashSet<_> = verified.not_version_2.iter().collect();
    let others = |keys: &[String]| keys.iter().filter(|key| !not_version_2.contains(key)).cloned().collect::<Vec<_>>();
    let lists = [
        (verified.gone.clone(), "is gone; it was there when its batch was written"),
        (verified.not_version_2.clone(), "is not version 2: it was changed since it was written; run again"),
        (others(&verified.differing), "does not hold what was written: it was changed since"),
        (others(&verified.new), "was not there when its batch was written"),
    ];
    for (keys, what) in lists {
        for key in keys.iter().take(SHOWN as usize) {
            complain(&format!("the row with key {key} {what}"));
        }
        if keys.len() > SHOWN as usize {
            complain(&format!("... and {} more; --report FILE has them all", keys.len() - SHOWN as usize));
        }
    }
    for Range { after, last, written, found } in &verified.ranges {
        let after = after.as_ref().map_or(String::new(), |after| format!("after key {after} "));
        let rows = format!("the rows {after}up to key {last}, which an interrupted run wrote");
        complain(&format!("{rows}, are not as they were written: there were {written}, and there are {found}"));
    }
}

/// Writes refused rows to the file that was named, or to stderr.
fn write_rejects(file: Option<LazyFile>, rejected: &RejectedRows) -> anyhow::Result<()> {
    if rejected.is_empty() {
        return Ok(());
    }
    let cut = file.is_none();
    let row = |one: &Rejected| {
        // One that is too long to be a puzzle is cut already.
        let record = if cut && one.code != "toolong" { beginning(&one.record) } else { one.record.clone() };
        format!("{}\t{}\t{}\t{}\t{record}\n", one.key, one.cell, one.code, one.message)
    };
    let (mut file, mut text, mut shown) = (file, HEADER.to_string(), 0);
    rejected.each(|one| {
        // Without a file, as many as can be read; the journal has them all.
        if file.is_some() || shown < SHOWN {
            text.push_str(&row(&one));
            shown += 1;
        }
        match &mut file {
            Some(file) if text.len() >= PORTION => {
                let written = file.write(text.as_bytes());
                text.clear();
                written
            }
            _ => Ok(()),
        }
    })?;
    if rejected.len() > shown {
        text.push_str(&format!("... and {} more; --rejects FILE has them all\n", rejected.len() - shown));
    }
    match file {
        Some(mut file) => Ok(file.write(text.as_bytes()).and_then(|()| file.finish())?),
        None => Ok(write_rows(&text)?),
    }
}

/// A record for people: its beginning and its length, if it is long.
fn beginning(record: &str) -> String {
    match record.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}...{}", &record[..end], record.len()),
        None => record.to_string(),
    }
}

fn write_report(
    file: Option<LazyFile>,
    flags: &MigrateFlags,
    notes: &[String],
    tally: &Tally,
    verified: Option<&Verified>,
    seconds: &Seconds,
) -> anyhow::Result<()> {
    let Some(mut file) = file else { return Ok(()) };
    let report = json!({
        "schema": 1,
        "program": concat!("gridmill ", env!("CARGO_PKG_VERSION")),
        "table": flags.table,
        "column": flags.column,
        "to_column": flags.to_column,
        "dry_run": verified.is_none(),
        "notes": notes,
        "rows": tally,
        "verified": verified.map(|verified| json!({
            "rows": verified.rows,
            "batches_as_written": verified.as_written,
            "batches_changed_since": verified.changed,
            "rows_changed_since": verified.differing,
            "rows_gone": verified.gone,
            "rows_new": verified.new,
            "ranges_changed_since": verified.ranges,
            "rows_not_version_2": verified.not_version_2,
        })),
        "seconds": {"look": seconds.look, "write": seconds.write, "verify": seconds.verify},
    });
    Ok(file.write(format!("{report:#}\n").as_bytes()).and_then(|()| file.finish())?)
}

/// What rows were found, in a line.
fn rows(tally: &Tally, written: &str) -> String {
    let mut text = format!("{} row{}: {} {written}", tally.rows, plural(tally.rows), tally.written);
    for (count, what) in
        [(tally.done, "version 2 already"), (tally.plain, "plain, left as they are"), (tally.empty, "without a string")]
    {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    let list = |map: &std::collections::BTreeMap<String, u64>| {
        map.iter().map(|(name, rows)| format!("{name} {rows}")).collect::<Vec<_>>().join(", ")
    };
    text.push_str(&format!(", {} rejected", tally.rejected));
    if tally.rejected > 0 {
        text.push_str(&format!(" ({})", list(&tally.codes)));
    }
    match tally.losses.is_empty() {
        true => text.push_str(", no losses"),
        false => text.push_str(&format!(", losses: {}", list(&tally.losses))),
    }
    text
}

fn preview_text(flags: &MigrateFlags, preview: &Preview) -> String {
    let mut text = format!("{}\n", rows(&preview.tally, "to be written"));
    for (form, strings) in &preview.tally.forms {
        text.push_str(&format!("  {form}: {strings}\n"));
    }
    for pair in &preview.pairs {
        text.push_str(&format!("key {}\n  - {}\n  + {}\n", pair.key, pair.old, pair.new));
    }
    let column = flags.to_column.as_ref().unwrap_or(&flags.column);
    let column = crate::error::escape(column.as_bytes());
    text.push_str(&match preview.tally.written {
        0 => "There is nothing to be written.\n".to_string(),
        _ => format!("Nothing was written. With --yes column {column:?} is.\n"),
    });
    text
}

fn done_text(flags: &MigrateFlags, done: &Migrated, verified: &Verified, seconds: &Seconds) -> String {
    let mut text = rows(&done.tally, "written");
    if done.resumed {
        text.push_str("; an interrupted run went on");
    }
    if done.tally.plain > 0 && !flags.plain {
        text.push_str(" (--plain rewrites plain strings too)");
    }
    if verified.rows > 0 {
        text.push_str(&format!(
            "; {} row{} read back, {} batch{} as written",
            verified.rows,
            plural(verified.rows),
            verified.as_written,
            if verified.as_written == 1 { "" } else { "es" }
        ));
        if verified.changed > 0 {
            text.push_str(&format!(", {} not", verified.changed));
        }
    }
    let Seconds { look, write, verify } = seconds;
    let [look, write, verify] = [look, write, verify].map(|&step| amounts::seconds(step));
    text.push_str(&format!("; look {look}, write {write}, verify {verify}"));
    text
}
