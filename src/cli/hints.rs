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
    let mut refused = report.refused.iter().filter(|refused| has_advice && refused.reject.code == code);
    refused.next().map(|refused| refused.reject.message.clone())
}

/// Returns how records seem to be arranged that were refused with this code.
fn arranged(report: &Report, code: Code, framing: &NamedFraming, reads_links: bool) -> Option<String> {
    // Records with an invalid map were found in the right place.
    if framing.records != RecordSort::Lines || code == Code::Map {
        return None;
    }
    // There may be records with other codes between them, such as the names of columns, or borders.
    let lines: Vec<_> = report.refused.iter().map(|refused| &refused.record[..]).collect();
    use_instead(&lines.join(&b'\n'), framing, reads_links)
}

/// Returns how a text seems to be arranged, other than in this framing.
fn use_instead(text: &[u8], framing: &NamedFraming, reads_links: bool) -> Option<String> {
    match guess(text, None, true, &NamedPlace::default()) {
        Ok(guess) if guess.framing == framing.name => None,
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

/// Returns what to say after a run that found no record: what the input looks like, or that there is nothing in it. Only
/// the latter is left out if the run is `quiet`.
pub(super) fn without_records(
    report: &Report,
    framing: &NamedFraming,
    reads_links: bool,
    quiet: bool,
) -> Option<String> {
    let counts = &report.counts;
    if counts.records > 0 {
        return None;
    }
    if report.found_nothing() {
        let without = counts.without;
        let rows = || {
            let rows = counted(without, "row");
            format!("{rows} without a string; check which column or field has the strings")
        };
        let text = &report.unread;
        let looks = || match framing.name {
            "xml" => "no attribute or element of this XML has the name that --column gives".to_string(),
            _ => use_instead(text, framing, reads_links).unwrap_or_else(|| looks_like(text)),
        };
        let words = if without > 0 { rows() } else { looks() };
        return Some(format!("no record was found in the input: {words}"));
    }
    let what = match report.text_bytes {
        _ if quiet => return None,
        0 if report.raw_bytes == 0 => "it is empty",
        0 => "it has no rows",
        _ => "it has nothing but blank lines, comments or a header",
    };
    Some(format!("there is no record in the input: {what}"))
}

/// Says what a text looks like in which nothing is found.
fn looks_like(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let first = text.lines().next().unwrap_or_default();
    let mut words = text.split_whitespace();
    if first.trim_start().starts_with('<') {
        return "it looks like HTML or XML, in which only links to boards are found; copy the board out of it as text"
            .into();
    }
    if let Some(link) = text.split_whitespace().find(|word| word.contains("://")) {
        let link: String = link.chars().take(MOST_SHOWN).collect();
        return format!(
            "it has links, such as {link}, but none to a board on a site whose links are read (sudokuwiki.org, str8ts.com, \
             scanraid.com, sudokupad.app, f-puzzles.com and others)"
        );
    }
    if let Some(digit) = text.chars().find(|c| c.is_numeric() && !c.is_ascii()) {
        return format!("it has digits such as '{digit}', which are not read; replace them by 0 to 9");
    }
    if words
        .any(|word| matches!(word.trim_matches(|c: char| c.is_ascii_punctuation()), "None" | "nan" | "NaN" | "null"))
    {
        return "it has words for empty cells, such as None; replace them by 0".into();
    }
    if let Some(side) = side(&text) {
        return format!(
            "it looks like a grid of {side} rows of {side} cells, and only grids with digits and 6, 8, 9, 16 or 25 rows are read"
        );
    }
    let first: String = first.chars().take(MOST_SHOWN).collect();
    format!("it begins with '{first}'")
}

/// The number of characters that are shown.
const MOST_SHOWN: usize = 60;

/// Returns the side of a square of cells at the start of a text, if it is not 9.
fn side(text: &str) -> Option<usize> {
    let is_separator = |c: char| c.is_whitespace() || "|,;[](){}\"".contains(c);
    let cells = |line: &str| match line.split(is_separator).filter(|cell| !cell.is_empty()).collect::<Vec<_>>()[..] {
        [word] => word.chars().count(),
        ref words if words.iter().all(|word| word.chars().count() <= 2) => words.len(),
        ref words => words.iter().map(|word| word.chars().count()).sum(),
    };
    let is_border = |line: &&str| line.chars().all(|c| !c.is_alphanumeric() && !"._*?".contains(c));
    let mut rows = text.lines().filter(|line| !line.trim().is_empty()).filter(|line| !is_border(line)).map(cells);
    let side = rows.next().filter(|side| (4..=25).contains(side) && *side != 9)?;
    (rows.take_while(|cells| *cells == side).count() + 1 >= side).then_some(side)
}
