//! The summary of a run: counts, a list of the first refused records, and the rows of a reject file.

use std::collections::BTreeMap;

use gridmill_core::Kind;
use gridmill_core::convert::{Converted, Counts};
use gridmill_core::error::{Code, Refused, Reject, RejectPlace, RejectRows, escape};
use gridmill_core::formats::{Form, Format};
use serde_json::{Value, json};

/// How many of a run's refused records are listed.
const LISTED: u64 = 1000;

/// A position in a text, with lines and bytes from 0.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TextPosition {
    pub(crate) line: u64,
    pub(crate) byte: u64,
}

/// The summary of a run.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    input: String,
    good: u64,
    /// Good records that are the same as an earlier one.
    duplicates: u64,
    without: u64,
    codes: BTreeMap<Code, u64>,
    forms: BTreeMap<(Format, Kind), u64>,
    losses: Counts,
    refused: u64,
    /// Refused records since the last answer.
    listed: Vec<Value>,
    rows: String,
    reject_rows: RejectRows,
}

impl Summary {
    /// An empty summary for an input of this name.
    pub(crate) fn new(input: &str) -> Self {
        Self { input: escape(input.as_bytes()), ..Self::default() }
    }

    /// Reports a refused record.
    pub(crate) fn refuse(&mut self, at: TextPosition, record: &[u8], reject: &Reject) {
        self.refused += 1;
        *self.codes.entry(reject.code).or_default() += 1;
        let too_long = (reject.code == Code::TooLong).then_some(record.len() as u64);
        let most = if too_long.is_some() { Refused::SHOWN } else { usize::MAX };
        let record = record[..record.len().min(most)].into();
        let refused = Refused { line: at.line, at: 0, reject: reject.clone(), record, too_long, warning: false };
        let (line, byte) = (at.line + 1, at.byte);
        let place = RejectPlace { input: &self.input, line, byte: Some(byte) };
        self.rows.extend(self.reject_rows.row(place, &refused));
        if self.refused <= LISTED {
            let (cell, code) = (reject.cell.map(|cell| cell.to_string()), reject.code.name());
            let message = escape(reject.message.as_bytes());
            self.listed.push(json!({
                "line": line, "byte": byte, "cell": cell, "code": code, "message": message, "record": refused.shown_record(),
            }));
        }
    }

    /// Counts a string of a good record.
    pub(crate) fn string(&mut self, form: Option<Form>) {
        if let Some(form) = form {
            *self.forms.entry((form.id, form.shape.kind)).or_default() += 1;
        }
    }

    /// Counts `records` records, all of which are good.
    pub(crate) fn all_good(&mut self, converted: &Converted, records: usize) {
        self.good += records as u64;
        let ends = converted.forms.iter().skip(1).map(|&(next, _)| next).chain([records]);
        for (&(first, form), end) in converted.forms.iter().zip(ends) {
            *self.forms.entry((form.id, form.shape.kind)).or_default() += (end - first) as u64;
        }
    }

    /// Counts good records, whose strings are counted elsewhere.
    pub(crate) fn more_good(&mut self, records: u64) {
        self.good += records;
    }

    /// Counts good records that are left out, being the same as earlier ones.
    pub(crate) fn more_duplicates(&mut self, records: u64) {
        self.duplicates += records;
    }

    /// Counts rows without a string.
    pub(crate) fn without(&mut self, rows: u64) {
        self.without += rows;
    }

    /// Counts losses.
    pub(crate) fn losses(&mut self, converted: &Converted) {
        self.losses.add(&converted.counts);
    }

    /// The length of the reject rows since the last answer.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The counts so far, and the list and rows since the last call.
    pub(crate) fn take(&mut self) -> (Value, String) {
        let codes = self.codes.iter().map(|(code, records)| (code.name().to_string(), json!(records)));
        let forms =
            self.forms.iter().map(|(&(id, kind), n)| json!({"format": id.name(), "kind": kind.name(), "records": n}));
        let losses = self.losses.losses().map(|(loss, records, _)| (loss.name().to_string(), json!(records)));
        let counts = json!({
            "records": self.good + self.refused,
            "good": self.good,
            "rejected": self.refused,
            "duplicates": self.duplicates,
            "without": self.without,
            "lossy": self.losses.lossy_records,
            "codes": codes.collect::<serde_json::Map<_, _>>(),
            "losses": losses.collect::<serde_json::Map<_, _>>(),
            "forms": forms.collect::<Vec<_>>(),
        });
        let head = json!({"counts": counts, "listed": std::mem::take(&mut self.listed)});
        (head, std::mem::take(&mut self.rows))
    }
}
