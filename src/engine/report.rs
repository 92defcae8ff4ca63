//! Summarises what a run did, as a line of text.

use serde::Serialize;

use super::unsupported::UnsupportedNames;
use crate::amounts::{counted, grouped, rate, seconds};
use crate::convert::{CheckLevel, Conversion, Counts, Emit};
use crate::error::{Code, Refused};
use crate::formats::{DecidedBy, Format, Layout};
use crate::kernels::Kernel;
use crate::solve::{Grade, LADDER};

/// What a run did.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// How records were converted, and with what.
    pub settings: RunSettings,
    /// The counts of the whole run.
    pub counts: Counts,
    /// Each input's name, lines and records, in order.
    pub inputs: Vec<InputReport>,
    /// The first refused records, which the program uses to suggest flags.
    pub refused: Vec<Refused>,
    /// The names of what was on the boards of refused records, and no kind of board has.
    pub unsupported: UnsupportedNames,
    /// If there is no record, the first 64 KiB of text from the first line that is neither blank nor a comment.
    pub unread: Vec<u8>,
    /// Bytes of text read, after decompression.
    pub text_bytes: u64,
    /// Bytes read, before decompression.
    pub raw_bytes: u64,
    /// Inputs that were UTF-16 and were read as UTF-8.
    pub utf16_inputs: u64,
    /// Wall time of the run.
    pub seconds: f64,
}

/// How records were converted, and with what.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RunSettings {
    /// The format written, where records were encoded.
    pub to: Format,
    /// What was written for good records.
    pub emit: Emit,
    /// How far boards were checked.
    pub check_level: CheckLevel,
    /// The kernel used.
    pub kernel: &'static str,
    /// The number of threads that converted.
    pub threads: usize,
}

impl RunSettings {
    pub(super) fn new(plan: &Conversion, kernel: &Kernel, threads: usize) -> Self {
        Self { to: plan.to, emit: plan.emit, check_level: plan.checks.level, kernel: kernel.name, threads }
    }
}

/// What was read from one input.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct InputReport {
    /// The path, or `<stdin>`.
    pub name: String,
    /// Lines.
    pub lines: u64,
    /// Records.
    pub records: u64,
    /// Records that were refused.
    pub rejected: u64,
}

impl Report {
    /// A report with these counts. The caller sets the other fields.
    pub(super) fn new(counts: Counts, inputs: Vec<InputReport>, refused: Vec<Refused>) -> Self {
        let (to, emit, check_level) = (Format::V2, Emit::Encoded, CheckLevel::Syntax);
        Self {
            settings: RunSettings { to, emit, check_level, kernel: "", threads: 0 },
            counts,
            inputs,
            refused,
            unsupported: UnsupportedNames::default(),
            unread: Vec::new(),
            text_bytes: 0,
            raw_bytes: 0,
            utf16_inputs: 0,
            seconds: 0.0,
        }
    }

    /// Whether there is no record in inputs that hold something: text besides blank lines, comments and a header, or
    /// rows without a string.
    pub fn found_nothing(&self) -> bool {
        self.counts.records == 0 && (self.counts.without > 0 || !self.unread.is_empty())
    }

    /// Text read, in 10^9 bytes a second.
    pub fn gigabytes_per_second(&self) -> f64 {
        self.text_bytes as f64 / self.seconds.max(1e-9) / 1e9
    }

    /// The summary: one line.
    pub fn summary(&self) -> String {
        let counts = &self.counts;
        let mut line = format!("{}, {} rejected", counted(counts.records, "record"), grouped(counts.rejected));
        if counts.rejected > 0 {
            let codes: Vec<_> = counts.codes.iter().map(|(code, n)| format!("{code} {}", grouped(*n))).collect();
            line.push_str(&format!(" ({})", codes.join(", ")));
        }
        if counts.passed_over > 0 {
            line.push_str(&format!(", {} passed over", grouped(counts.passed_over)));
        }
        let grades: Vec<_> = counts.grades().map(|(grade, n)| grade_words(grade, n)).collect();
        if !grades.is_empty() {
            line.push_str(&format!(", grades ({LADDER}): {}", grades.join(", ")));
        }
        if counts.without > 0 {
            line.push_str(&format!(", {} without a string", counted(counts.without, "row")));
        }
        if counts.text > 0 {
            line.push_str(&format!(", {} of text between grids", counted(counts.text, "line")));
        }
        if !counts.warnings.is_empty() {
            let codes: Vec<_> = counts.warnings.iter().map(|(code, n)| format!("{code} {}", grouped(*n))).collect();
            line.push_str(&format!(", warnings: {}", codes.join(", ")));
        }
        let losses: Vec<_> =
            counts.losses().map(|(loss, records, _)| format!("{} {}", loss.name(), grouped(records))).collect();
        match losses.is_empty() {
            true if !self.settings.emit.encodes() || counts.codes.contains_key(&Code::Lossy) => {}
            true => line.push_str(", no losses"),
            false => line.push_str(&format!(", {} with losses ({})", grouped(counts.lossy_records), losses.join(", "))),
        }
        let layouts: Vec<_> = counts.found_layouts().map(|(id, layout, by)| layout_words(id, layout, by)).collect();
        if !layouts.is_empty() {
            line.push_str(&format!(", str8ts layouts: {}", layouts.join(", ")));
        }
        if counts.solved_cells > 0 {
            let cells = counted(counts.solved_cells, "cell");
            line.push_str(&format!(", {cells} read as solved (v0 and v1 write single notes in the same way)"));
        }
        if counts.open_killers > 0 {
            line.push_str(&format!(", {} with cages without a sum", counted(counts.open_killers, "killer")));
        }
        if counts.left_out > 0 {
            let cells = counted(counts.left_out, "cell");
            line.push_str(&format!(", {cells} with progress left out"));
        }
        if counts.cells_left_with_nothing > 0 {
            let cells = counted(counts.cells_left_with_nothing, "cell");
            line.push_str(&format!(", warning: {cells} left without a candidate"));
        }
        line.push_str(&self.utf16_words());
        line.push_str(&format!(", {}, {}", seconds(self.seconds), rate(self.gigabytes_per_second() * 1e9, "B/s")));
        line
    }

    /// Says how many inputs were UTF-16, if any were.
    pub(super) fn utf16_words(&self) -> String {
        let were = if self.utf16_inputs == 1 { "was" } else { "were" };
        let words = || format!(", {} {were} UTF-16 and read as UTF-8", counted(self.utf16_inputs, "input"));
        if self.utf16_inputs > 0 { words() } else { String::new() }
    }

    /// The lines after the summary: the names of what was on the boards of refused records and no kind of board has, each
    /// with the number of records.
    pub fn unsupported_lines(&self) -> Vec<String> {
        self.unsupported.lines(self.counts.records)
    }
}

/// Describes how many boards have a grade.
fn grade_words(grade: Option<Grade>, boards: u64) -> String {
    format!("{} {}", grade.map_or("none", Grade::name), grouped(boards))
}

/// Describes a layout that was found.
fn layout_words(id: Format, layout: Layout, by: [u64; DecidedBy::ALL.len()]) -> String {
    let [_, majority, _] = by;
    let others = if majority > 0 { format!(" ({} by the majority)", grouped(majority)) } else { String::new() };
    format!("{id} {layout} {}{others}", grouped(by.iter().sum()))
}
