//! Suggests what to do if most records of a run are refused for the same reason, or if a string is in the place of a
//! command.

use clap::error::{ContextKind, ContextValue};

use crate::amounts::{counted, grouped};
use crate::engine::Report;
use crate::error::Code;
use crate::formats::{Evidence, Hints, read_one};
use crate::framing::{NamedFraming, NamedPlace, RecordSort, Unsure, guess};

/// If fewer records are refused, and others are not, their messages are enough.
const MIN_REFUSED: u64 = 3;

/// Returns what to add to the message of clap if a puzzle string is in the place of a command.
pub(super) fn for_a_string_as_command(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let one = read_one(typed.as_bytes(), None, &Hints::default(), &Evidence::default()).ok()?;
    Some(format!(
        "\nThis reads as a {} string. Draw it with gridmill show 'STRING', or convert it with \
         echo 'STRING' | gridmill convert.\n",
        one.form.id
    ))
}

/// Returns the suggestion after a run with this framing.
pub(super) fn after(report: &Report, framing: &NamedFraming) -> Option<String> {
    let counts = &report.counts;
    let (code, most) = counts.codes.iter().max_by_key(|(_, count)| **count)?;
    if counts.rejected < MIN_REFUSED && counts.rejected == counts.records {
        let all = if counts.records == 1 { "the only record is" } else { "all records are" };
        return arranged(report, *code, framing).map(|what| format!("{all} rejected: {what}"));
    }
    if counts.rejected < MIN_REFUSED || counts.rejected * 2 <= counts.records || most * 10 < counts.rejected * 9 {
        return None;
    }
    let records = counted(counts.records, "record");
    let what = help(report, *code, framing)?;
    Some(format!("{} of {records} are rejected, nearly all as '{code}': {what}", grouped(counts.rejected)))
}

/// Returns what to do about records that were refused with this code.
fn help(report: &Report, code: Code, framing: &NamedFraming) -> Option<String> {
    let refused: Vec<_> = report.refused.iter().filter(|refused| refused.code == code).collect();
    if matches!(code, Code::Ambiguous | Code::Flag | Code::Lossy | Code::Unsupported) {
        return refused.first().map(|refused| refused.message.clone());
    }
    arranged(report, code, framing)
}

/// Returns how records seem to be arranged that were refused with this code.
fn arranged(report: &Report, code: Code, framing: &NamedFraming) -> Option<String> {
    // Records with an invalid map were found in the right place.
    if framing.records != RecordSort::Lines || code == Code::Map {
        return None;
    }
    // There may be records with other codes between them, such as the names of columns, or borders.
    let lines: Vec<_> = report.refused.iter().map(|refused| &refused.record[..]).collect();
    match guess(&lines.join(&b'\n'), None, true, &NamedPlace::default()) {
        Ok(guess) => match NamedFraming::named(guess.framing)?.records {
            RecordSort::Lines => None,
            RecordSort::Links => {
                Some(format!("'gridmill relink' rewrites links in files; {} reads their strings", guess.flags()))
            }
            _ => Some(format!("use {}", guess.flags())),
        },
        Err(Unsure::Refused(words)) => Some(words),
        Err(_) => None,
    }
}
