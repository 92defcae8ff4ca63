//! Writes the report as JSON. The names of its fields are part of the program's interface (docs/CLI.md, "Summary and
//! report").

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::report::{InputReport, Report, RunSettings};
use crate::convert::Counts;
use crate::error::Code;
use crate::formats::DecidedBy;
use crate::solve::{Grade, LADDER};

impl Report {
    /// Returns the report as JSON, as `--report` writes it. `schema` increases when a field changes its meaning.
    pub fn to_json(&self) -> Value {
        // All keys are strings, and all values are numbers, strings or lists of these, so this cannot fail.
        serde_json::to_value(Document::of(self)).unwrap_or_else(|error| unreachable!("a report as JSON: {error}"))
    }
}

/// The whole report.
#[derive(Serialize)]
struct Document<'r> {
    schema: u32,
    program: &'static str,
    #[serde(flatten)]
    settings: SettingsPart,
    #[serde(flatten)]
    records: RecordPart<'r>,
    #[serde(flatten)]
    boards: BoardPart,
    #[serde(flatten)]
    cells: CellPart,
    inputs: &'r [InputReport],
    bytes: ByteCounts,
    seconds: f64,
    gigabytes_per_second: f64,
}

#[derive(Serialize)]
struct SettingsPart {
    to: Option<&'static str>,
    level: &'static str,
    kernel: &'static str,
    threads: usize,
}

/// The counts of records, and of what is none.
#[derive(Serialize)]
struct RecordPart<'r> {
    lines: u64,
    records: u64,
    /// Good records, under this name if they were encoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    converted: Option<u64>,
    /// Good records, if they were not encoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    valid: Option<u64>,
    rejected: u64,
    /// Good records whose grade was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    passed_over: Option<u64>,
    rows_without_string: u64,
    lines_of_text: u64,
    #[serde(flatten)]
    codes: CodePart<'r>,
}

/// What was refused or warned about.
#[derive(Serialize)]
struct CodePart<'r> {
    /// Counts by code: refused records and, with `--all`, the further problems of these records.
    codes: BTreeMap<&'static str, u64>,
    warnings: BTreeMap<&'static str, u64>,
    unsupported: Vec<NameCount<'r>>,
}

/// The number of records with something that no kind of board has.
#[derive(Serialize)]
struct NameCount<'r> {
    /// Its name. None for all names that are not counted each on its own.
    name: Option<&'r str>,
    records: u64,
}

/// What the boards were.
#[derive(Serialize)]
struct BoardPart {
    /// Boards by the number of their givens.
    clue_counts: BTreeMap<String, u64>,
    /// Boards by the name of their grade, and `none` for those without one, if grades were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    grades: Option<GradeCounts>,
    forms: Vec<FormCount>,
    str8ts_layouts: Vec<LayoutCount>,
    losses: BTreeMap<&'static str, LossCount>,
    lossy_records: u64,
}

/// What became of cells.
#[derive(Serialize)]
struct CellPart {
    solved_cells_that_may_be_notes: u64,
    cells_left_without_notes: u64,
    /// Cells with progress that canonical forms leave out.
    #[serde(skip_serializing_if = "Option::is_none")]
    cells_left_out: Option<u64>,
    /// Killers with cages without a sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    killers_with_open_cages: Option<u64>,
}

/// The numbers of boards by grade.
#[derive(Serialize)]
struct GradeCounts {
    ladder: &'static str,
    #[serde(flatten)]
    boards: BTreeMap<&'static str, u64>,
}

/// The number of records of a format and kind.
#[derive(Serialize)]
struct FormCount {
    format: &'static str,
    kind: &'static str,
    records: u64,
}

/// The number of strings of a Str8ts layout, and how the layout was determined.
#[derive(Serialize)]
struct LayoutCount {
    format: &'static str,
    layout: &'static str,
    records: u64,
    #[serde(flatten)]
    by: BTreeMap<&'static str, u64>,
}

/// What was lost through losses of one sort.
#[derive(Serialize)]
struct LossCount {
    records: u64,
    cells: u64,
}

#[derive(Serialize)]
struct ByteCounts {
    read: u64,
    text: u64,
    written: u64,
}

impl<'r> Document<'r> {
    fn of(report: &'r Report) -> Self {
        Self {
            schema: 1,
            program: concat!("gridmill ", env!("CARGO_PKG_VERSION")),
            settings: SettingsPart::of(&report.settings),
            records: RecordPart::of(report),
            boards: BoardPart::of(&report.counts),
            cells: CellPart::of(&report.counts),
            inputs: &report.inputs,
            bytes: ByteCounts { read: report.raw_bytes, text: report.text_bytes, written: report.counts.bytes_out },
            seconds: report.seconds,
            gigabytes_per_second: report.gigabytes_per_second(),
        }
    }
}

impl SettingsPart {
    fn of(settings: &RunSettings) -> Self {
        Self {
            to: settings.emit.encodes().then(|| settings.to.name()),
            level: settings.check_level.name(),
            kernel: settings.kernel,
            threads: settings.threads,
        }
    }
}

impl<'r> RecordPart<'r> {
    fn of(report: &'r Report) -> Self {
        let (counts, encoded) = (&report.counts, report.settings.emit.encodes());
        let good = counts.records - counts.rejected;
        Self {
            lines: counts.lines,
            records: counts.records,
            converted: encoded.then_some(good),
            valid: (!encoded).then_some(good),
            rejected: counts.rejected,
            passed_over: (counts.passed_over > 0).then_some(counts.passed_over),
            rows_without_string: counts.without,
            lines_of_text: counts.text,
            codes: CodePart::of(report),
        }
    }
}

impl<'r> CodePart<'r> {
    fn of(report: &'r Report) -> Self {
        let counts = &report.counts;
        let named = report.unsupported.by_frequency().into_iter().map(|(name, records)| (Some(name), records));
        let others = Some((None, report.unsupported.others())).filter(|(_, records)| *records > 0);
        let by_code = |(code, &count): (&Code, &u64)| (code.name(), count);
        Self {
            codes: counts.codes.iter().map(by_code).collect(),
            warnings: counts.warnings.iter().map(by_code).collect(),
            unsupported: named.chain(others).map(|(name, records)| NameCount { name, records }).collect(),
        }
    }
}

impl BoardPart {
    fn of(counts: &Counts) -> Self {
        let losses = counts.losses().map(|(loss, records, cells)| (loss.name(), LossCount { records, cells }));
        let forms =
            counts.forms().map(|(id, kind, records)| FormCount { format: id.name(), kind: kind.name(), records });
        let grades = counts.grades().map(|(grade, boards)| (grade.map_or("none", Grade::name), boards));
        let layouts = counts.found_layouts().map(|(id, layout, by)| LayoutCount {
            format: id.name(),
            layout: layout.name(),
            records: by.iter().sum(),
            by: DecidedBy::ALL.map(DecidedBy::name).into_iter().zip(by).collect(),
        });
        Self {
            clue_counts: counts.clue_counts.iter().map(|(clues, &boards)| (clues.to_string(), boards)).collect(),
            grades: Some(GradeCounts { ladder: LADDER, boards: grades.collect() })
                .filter(|grades| !grades.boards.is_empty()),
            forms: forms.collect(),
            str8ts_layouts: layouts.collect(),
            losses: losses.collect(),
            lossy_records: counts.lossy_records,
        }
    }
}

impl CellPart {
    fn of(counts: &Counts) -> Self {
        Self {
            solved_cells_that_may_be_notes: counts.solved_cells,
            cells_left_without_notes: counts.cells_left_with_nothing,
            cells_left_out: (counts.left_out > 0).then_some(counts.left_out),
            killers_with_open_cages: (counts.open_killers > 0).then_some(counts.open_killers),
        }
    }
}
