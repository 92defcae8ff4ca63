//! What would help where most records of a run are refused for one reason.

use crate::amounts::{counted, grouped};
use crate::engine::Report;
use crate::error::Code;
use crate::framing::{Said, Unsure, guess};

/// Fewer refused records say enough themselves.
const FEWEST: u64 = 3;

/// What is said after a run with a framing.
pub(super) fn after(report: &Report, framing: &str) -> Option<String> {
    let counts = &report.counts;
    let (code, most) = counts.codes.iter().max_by_key(|(_, count)| **count)?;
    if counts.rejected < FEWEST || counts.rejected * 2 <= counts.records || most * 10 < counts.rejected * 9 {
        return None;
    }
    let records = counted(counts.records, "record");
    let what = help(report, *code, framing)?;
    Some(format!("{} of {records} are rejected, nearly all as '{code}': {what}", grouped(counts.rejected)))
}

/// What to do about refused records.
fn help(report: &Report, code: Code, framing: &str) -> Option<String> {
    let refused: Vec<_> = report.refused.iter().filter(|refused| refused.code == code).collect();
    if matches!(code, Code::Ambiguous | Code::Flag | Code::Lossy | Code::Unsupported) {
        return refused.first().map(|refused| refused.message.clone());
    }
    // A map that is none stands where it was looked for.
    if framing != "lines" || code == Code::Map {
        return None;
    }
    // Records of other codes stand between them: the names of columns, borders.
    let lines: Vec<_> = report.refused.iter().map(|refused| &refused.record[..]).collect();
    let guessed = guess(&lines.join(&b'\n'), None, true, &Said::default()).map(|guess| (guess.framing, guess.flags()));
    match guessed {
        Ok(("lines", _)) => None,
        Ok(("links", flags)) => Some(format!("'gridmill relink' rewrites links in files; {flags} reads their strings")),
        Ok((_, flags)) => Some(format!("use {flags}")),
        Err(Unsure::Refused(words)) => Some(words),
        Err(Unsure::Nothing(_)) => None,
    }
}
