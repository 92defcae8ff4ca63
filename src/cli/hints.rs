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

/// How commands that do not read links get the strings of links.
pub(super) const STRINGS_OF_LINKS: &str = "to get their strings, in version 2, one on each line: \
    gridmill convert --framing links FILE | grep -o 'bd=[0-9A-Za-z]*' | cut -c 4-";

/// Returns the suggestion after a run with this framing. `reads_links` says that the command does so.
pub(super) fn after(report: &Report, framing: &NamedFraming, reads_links: bool) -> Option<String> {
    let arranged = |code| arranged(report, code, framing, reads_links);
    let counts = &report.counts;
    let (code, most) = counts.codes.iter().max_by_key(|(_, count)| **count)?;
    if counts.rejected < MIN_REFUSED && counts.rejected == counts.records {
        let all = if counts.records == 1 { "the only record is" } else { "all records are" };
        return arranged(*code).map(|what| format!("{all} rejected: {what}"));
    }
    if counts.rejected < MIN_REFUSED || counts.rejected * 2 <= counts.records || most * 10 < counts.rejected * 9 {
        return None;
    }
    let records = counted(counts.records, "record");
    let what = help(report, *code).or_else(|| arranged(*code))?;
    Some(format!("{} of {records} are rejected, nearly all as '{code}': {what}", grouped(counts.rejected)))
}

/// Returns the message about the first record that was refused with this code, if it says what to do.
fn help(report: &Report, code: Code) -> Option<String> {
    let has_advice = matches!(code, Code::Ambiguous | Code::Flag | Code::Lossy | Code::Unsupported);
    let mut refused = report.refused.iter().filter(|refused| has_advice && refused.code == code);
    refused.next().map(|refused| refused.message.clone())
}

/// Returns how records seem to be arranged that were refused with this code.
fn arranged(report: &Report, code: Code, framing: &NamedFraming, reads_links: bool) -> Option<String> {
    // Records with an invalid map were found in the right place.
    if framing.records != RecordSort::Lines || code == Code::Map {
        return None;
    }
    // There may be records with other codes between them, such as the names of columns, or borders.
    let lines: Vec<_> = report.refused.iter().map(|refused| &refused.record[..]).collect();
    match guess(&lines.join(&b'\n'), None, true, &NamedPlace::default()) {
        Ok(guess) => match NamedFraming::named(guess.framing)?.records {
            RecordSort::Lines => None,
            RecordSort::Links if reads_links => {
                Some(format!("'gridmill relink' rewrites links in files; {} reads their strings", guess.flags()))
            }
            RecordSort::Links => Some(format!("these are links; {STRINGS_OF_LINKS}")),
            _ => Some(format!("use {}", guess.flags())),
        },
        Err(Unsure::Refused(words)) => Some(words),
        Err(_) => None,
    }
}
