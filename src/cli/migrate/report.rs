//! The output of a migration: refused rows, report, summary.

use std::collections::HashSet;
use std::path::PathBuf;

use serde_json::json;

use super::super::print_stderr;
use super::super::streams::write_rows;
use super::{MigrateFlags, Seconds};
use crate::amounts::{self, counted, grouped};
use crate::error::{Code, escape};
use crate::migrate::{JobColumn, KeyRange, Migrated, Pair, Preview, Rejected, RejectedRows, Tally, Verified};
use crate::output::{LazyFile, Output};

/// What a report is about.
pub(super) struct ReportSubject<'f> {
    pub(super) table: &'f str,
    pub(super) columns: &'f [JobColumn],
    pub(super) backup: Option<PathBuf>,
    pub(super) restores: bool,
    /// Only the rows that meet this condition.
    pub(super) filter: Option<&'f str>,
    pub(super) quiet: bool,
    pub(super) notes: Vec<String>,
}

impl ReportSubject<'_> {
    /// Returns how many rows were read. A migration counts each row once for each column.
    pub(super) fn rows(&self, tally: &Tally) -> u64 {
        tally.rows / self.columns.len() as u64
    }

    /// Returns this number in words. A restore counts the strings in its backup.
    pub(super) fn counted(&self, tally: &Tally) -> String {
        let rows = self.rows(tally);
        match self.columns.len() {
            1 => counted(rows, "row"),
            columns if self.restores => format!("{} of {columns} columns", counted(tally.rows, "string")),
            columns => format!("{} with {columns} columns each", counted(rows, "row")),
        }
    }

    /// Returns the columns that --yes writes, in words.
    pub(super) fn written(&self) -> String {
        let names = self.columns.iter().map(|column| format!("{:?}", escape(column.written().as_bytes())));
        match self.columns.len() {
            1 => format!("column {}", names.collect::<String>()),
            _ => format!("columns {}", names.collect::<Vec<_>>().join(", ")),
        }
    }
}

/// The header of refused rows. If there are several columns, the column is named after the key.
const HEADER: &str = "key\tcell\tcode\tmessage\trecord\n";
const HEADER_OF_SEVERAL: &str = "key\tcolumn\tcell\tcode\tmessage\trecord\n";

/// The number of refused rows that are shown if no file is named for them.
const SHOWN: u64 = 20;
/// The number of characters of a record that are shown on stderr. Puzzle strings are shorter, except for large killers.
const MAX_SHOWN_CHARS: usize = 256;

/// The number of bytes of refused rows that are written at a time.
const FLUSH_BYTES: usize = 1 << 20;

/// Names the rows that differ from what was written.
pub(super) fn print_changed_rows(verified: &Verified, filtered: bool) {
    let not_version_2: HashSet<_> = verified.not_version_2.iter().collect();
    let others = |keys: &[String]| keys.iter().filter(|key| !not_version_2.contains(key)).cloned().collect::<Vec<_>>();
    let gone = match filtered {
        true => "is gone or no longer meets --where; it existed when its batch was written",
        false => "is gone; it existed when its batch was written",
    };
    let lists = [
        (verified.gone.clone(), gone),
        (verified.not_version_2.clone(), "is not version 2: it was changed afterwards; run again"),
        (others(&verified.differing), "does not hold what was written: it was changed afterwards"),
        (others(&verified.new), "is new: it did not exist when its batch was written"),
    ];
    for (keys, what) in lists {
        for key in keys.iter().take(SHOWN as usize) {
            print_stderr(&format!("the row with key {key} {what}"));
        }
        if keys.len() > SHOWN as usize {
            let more = grouped(keys.len() as u64 - SHOWN);
            print_stderr(&format!("... and {more} more; --report FILE lists them all"));
        }
    }
    if let Some(text) = gone_text(verified, filtered) {
        print_stderr(&text);
    }
    for KeyRange { after, last, written, found } in &verified.ranges {
        let after = after.as_ref().map_or(String::new(), |after| format!("after key {after} "));
        let rows = format!("the rows {after}up to key {last}, which an interrupted run wrote");
        let [written, found] = [*written, *found].map(grouped);
        print_stderr(&format!("{rows}, are not as they were written: there were {written}, now there are {found}"));
    }
}

/// Says that rejected strings are texts with links.
pub(super) fn links_text(texts: u64) -> String {
    let hold = if texts == 1 { "holds" } else { "hold" };
    format!("{} {hold} links to boards: --links rewrites the links inside texts", counted(texts, "rejected text"))
}

/// Counts the rows that have disappeared, and says why.
fn gone_text(verified: &Verified, filtered: bool) -> Option<String> {
    let gone = verified.gone_rows();
    let rows = counted(gone, "row");
    let (were, have, them) = if gone == 1 { ("was", "has", "it") } else { ("were", "have", "them") };
    let filter = if filtered { ", or no longer meet --where" } else { "" };
    (gone > 0).then(|| match verified.may_have_deleted {
        true => format!(
            "{rows} {have} disappeared: a trigger or rule of the table may have deleted {them} as the run wrote"
        ),
        false => format!("{rows} {were} deleted by others meanwhile (or {have} another key now{filter})"),
    })
}

/// Writes refused rows to the file that was named, or to stderr. The file is not in its place yet.
pub(super) fn write_rejects(
    file: Option<LazyFile>,
    rejected: &RejectedRows,
    columns: usize,
) -> anyhow::Result<Option<Output>> {
    if rejected.is_empty() {
        return Ok(None);
    }
    let cut = file.is_none();
    let row = |one: &Rejected| {
        // A record that is too long to be a puzzle is already cut.
        let record = if cut && one.code != "toolong" { abbreviated(&one.record) } else { one.record.clone() };
        let column = one.column.as_ref().map_or(String::new(), |name| format!("{}\t", escape(name.as_bytes())));
        format!("{}\t{column}{}\t{}\t{}\t{record}\n", one.key, one.cell, one.code, one.message)
    };
    let header = if columns > 1 { HEADER_OF_SEVERAL } else { HEADER };
    let (mut file, mut text, mut shown) = (file, header.to_string(), 0);
    rejected.each(|one| {
        // Without a file, only a readable number is shown. The journal has them all.
        if file.is_some() || shown < SHOWN {
            text.push_str(&row(&one));
            shown += 1;
        }
        match &mut file {
            Some(file) if text.len() >= FLUSH_BYTES => {
                let written = file.write(text.as_bytes());
                text.clear();
                written
            }
            _ => Ok(()),
        }
    })?;
    if rejected.len() > shown {
        let more = grouped(rejected.len() - shown);
        text.push_str(&format!("... and {more} more; --rejects FILE lists them all\n"));
    }
    let Some(mut file) = file else {
        write_rows(&text)?;
        return Ok(None);
    };
    file.write(text.as_bytes())?;
    Ok(file.into_output())
}

/// Abbreviates a long record for display: its start and its length.
fn abbreviated(record: &str) -> String {
    match record.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}...{}", &record[..end], record.len()),
        None => record.to_string(),
    }
}

/// Writes the report. Its file is not in its place yet.
pub(super) fn write_report(
    file: Option<LazyFile>,
    about: &ReportSubject,
    tally: &Tally,
    verified: Option<&Verified>,
    seconds: &Seconds,
) -> anyhow::Result<Option<Output>> {
    let Some(mut file) = file else { return Ok(None) };
    let report = json!({
        "schema": 1,
        "program": concat!("gridmill ", env!("CARGO_PKG_VERSION")),
        "table": about.table,
        "columns": about.columns.iter().map(|column| json!({"column": column.name, "to_column": column.to})).collect::<Vec<_>>(),
        "where": about.filter,
        "backup": about.backup.as_ref().map(|backup| backup.display().to_string()),
        "restored": about.restores,
        "dry_run": verified.is_none(),
        "notes": about.notes,
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
        "seconds": {"read": seconds.read, "write": seconds.write, "verify": seconds.verify},
    });
    file.write(format!("{report:#}\n").as_bytes())?;
    Ok(file.into_output())
}

/// Describes in one line which rows were found.
fn rows(about: &ReportSubject, tally: &Tally, written: &str, links: bool) -> String {
    let none = if links { "without a link" } else { "without a string" };
    let mut text = format!("{}: {} {written}", about.counted(tally), grouped(tally.written));
    for (count, what) in
        [(tally.done, "version 2 already"), (tally.plain, "plain, left as they are"), (tally.empty, none)]
    {
        if count > 0 {
            text.push_str(&format!(", {} {what}", grouped(count)));
        }
    }
    let list = |map: &std::collections::BTreeMap<String, u64>| {
        map.iter().map(|(name, rows)| format!("{name} {}", grouped(*rows))).collect::<Vec<_>>().join(", ")
    };
    text.push_str(&format!(", {} rejected", grouped(tally.rejected)));
    if tally.rejected > 0 {
        text.push_str(&format!(" ({})", list(&tally.codes)));
    }
    match tally.losses.is_empty() {
        true if tally.codes.contains_key(Code::Lossy.name()) => {}
        true => text.push_str(", no losses"),
        false => text.push_str(&format!(", losses: {}", list(&tally.losses))),
    }
    text
}

/// Shows a string before and after.
pub(super) fn pair_text(Pair { key, column, old, new }: &Pair) -> String {
    let column = column.as_ref().map_or(String::new(), |name| format!(", column {:?}", escape(name.as_bytes())));
    format!("key {key}{column}\n  - {old}\n  + {new}\n")
}

pub(super) fn preview_text(flags: &MigrateFlags, about: &ReportSubject, preview: &Preview) -> String {
    let mut text = format!("{}\n", rows(about, &preview.tally, "to be written", flags.links));
    for (form, strings) in &preview.tally.forms {
        text.push_str(&format!("  {form}: {}\n", grouped(*strings)));
    }
    for pair in &preview.pairs {
        text.push_str(&pair_text(pair));
    }
    let is_in_place = about.columns.iter().any(|column| column.to.is_none());
    let columns = about.written();
    text.push_str(&match preview.tally.written {
        0 => "There is nothing to write.\n".to_string(),
        _ if flags.backup.is_some() || !is_in_place => format!("Nothing was written. --yes writes {columns}.\n"),
        _ => format!(
            "Nothing was written. --yes writes {columns}; the old strings are then lost unless --backup FILE.zst keeps them.\n"
        ),
    });
    text
}

pub(super) fn done_text(
    flags: &MigrateFlags,
    about: &ReportSubject,
    done: &Migrated,
    verified: &Verified,
    seconds: &Seconds,
) -> String {
    let mut text = rows(about, &done.tally, "written", flags.links);
    if done.resumed {
        text.push_str("; resumed an interrupted run");
    }
    if done.without_backup > 0 {
        let rows = grouped(done.without_backup);
        text.push_str(&format!(" (the {rows} rows it had already written are not in the backup)"));
    }
    if done.tally.plain > 0 && !flags.plain {
        text.push_str(" (--plain rewrites plain strings too)");
    }
    text.push_str(&read_back(verified, seconds));
    text
}

/// Describes what the verification found, and how long each step took.
pub(super) fn read_back(verified: &Verified, seconds: &Seconds) -> String {
    let mut text = String::new();
    if verified.rows > 0 {
        let batches = if verified.as_written == 1 { "batch" } else { "batches" };
        let (rows, as_written) = (counted(verified.rows, "row"), grouped(verified.as_written));
        text.push_str(&format!("; {rows} read back, {as_written} {batches} as written"));
        if verified.changed > 0 {
            text.push_str(&format!(", {} not", grouped(verified.changed)));
        }
    }
    let Seconds { read, write, verify } = seconds;
    let [read, write, verify] = [read, write, verify].map(|&step| amounts::seconds(step));
    text.push_str(&format!("; read {read}, write {write}, verify {verify}"));
    text
}
