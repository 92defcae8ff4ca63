//! Summarises what was done, as text and as JSON.

use serde_json::{Map, Value, json};

use super::classes::ClassTally;
use super::collect::Collector;
use crate::amounts::{counted, grouped, rate, seconds};
use crate::engine::rejects::unless_closed;
use crate::engine::report::Report;
use crate::error::Error;
use crate::output::LazyFile;

/// What was done.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Deduped {
    /// The report about the inputs. It does not count the records of other files.
    pub records: Report,
    /// The report about the other files, if there are any.
    pub others: Option<Report>,
    /// Good records that are not counted below.
    pub kept: u64,
    /// Records that are the same as an earlier one.
    pub duplicates: u64,
    /// Records that are the same as a record in one of the other files.
    pub in_other: u64,
    /// Classes of two or more records.
    pub repeated: u64,
    /// Records of the largest class.
    pub largest: u64,
    /// Classes by the number of their records, rounded down to a power of two.
    pub sizes: Vec<(u64, u64)>,
    /// Records, good and bad.
    total: u64,
    /// Whether the others are written, and not those that are kept.
    invert: bool,
}

impl Deduped {
    pub(super) fn new(
        records: Report,
        others: Option<Report>,
        collector: &Collector,
        tally: &ClassTally,
        invert: bool,
    ) -> Self {
        let refused = collector.refused.count;
        let numbered = collector.own() - collector.without.count;
        let sizes = tally.sizes.iter().enumerate().filter(|(_, classes)| **classes > 0);
        Self {
            kept: numbered - refused - tally.duplicates - tally.in_other,
            duplicates: tally.duplicates,
            in_other: tally.in_other,
            repeated: tally.repeated,
            largest: tally.largest,
            sizes: sizes.map(|(power, &classes)| (1 << power, classes)).collect(),
            // Records that are too long for a chunk have no number.
            total: numbered - refused + records.counts.rejected,
            records,
            others,
            invert,
        }
    }

    /// Returns the number of records that were refused, including those of other files.
    pub fn rejected(&self) -> u64 {
        self.records.counts.rejected + self.others.as_ref().map_or(0, |others| others.counts.rejected)
    }

    /// The summary: one line.
    pub fn summary(&self) -> String {
        let codes = |report: &Report| match report.counts.codes.is_empty() {
            true => String::new(),
            false => {
                let codes = report.counts.codes.iter().map(|(code, n)| format!("{code} {}", grouped(*n)));
                format!(" ({})", codes.collect::<Vec<_>>().join(", "))
            }
        };
        let rejected = |report: &Report| format!("{} rejected{}", grouped(report.counts.rejected), codes(report));
        let mut line = format!("{}, {}", counted(self.total, "record"), rejected(&self.records));
        let (kept, duplicates) = (grouped(self.kept), counted(self.duplicates, "duplicate"));
        line.push_str(&match (self.invert, &self.others) {
            (false, _) => format!(", {kept} kept, {duplicates}"),
            (true, None) => format!(", {kept} left out, {duplicates} written"),
            (true, Some(_)) => {
                format!(", {kept} left out, {} written: {duplicates}", grouped(self.duplicates + self.in_other))
            }
        });
        if let Some(others) = &self.others {
            let records = counted(others.counts.records, "record");
            line.push_str(&format!(", {} in other files ({records}, {})", grouped(self.in_other), rejected(others)));
        }
        let classes = if self.repeated == 1 { "class" } else { "classes" };
        line.push_str(&format!(
            ", {} {classes} of two or more, largest {}",
            grouped(self.repeated),
            grouped(self.largest)
        ));
        line.push_str(&self.records.utf16_words());
        let speed = self.total as f64 / self.records.seconds.max(1e-9);
        line.push_str(&format!(", {}, {}", seconds(self.records.seconds), rate(speed, "records/s")));
        line
    }

    /// Returns the report as JSON: the report of the records, with a section `dedupe`.
    pub fn to_json(&self) -> Value {
        let sizes: Map<_, _> = self.sizes.iter().map(|(size, classes)| (size.to_string(), json!(classes))).collect();
        let mut document = self.records.to_json();
        document["dedupe"] = json!({
            "kept": self.kept,
            "duplicates": self.duplicates,
            "in_other_files": self.in_other,
            "classes_of_two_or_more": self.repeated,
            "largest_class": self.largest,
            "class_sizes": sizes,
        });
        if let Some(others) = &self.others {
            document["other_files"] = others.to_json();
        }
        document
    }

    /// Writes the report.
    pub(super) fn write(&self, mut file: LazyFile) -> Result<LazyFile, Error> {
        unless_closed(file.write(format!("{:#}\n", self.to_json()).as_bytes()))?;
        Ok(file)
    }
}
