//! Recognises the form of a record, and its layout if the format has several.

use super::plan::Conversion;
use super::{MAX_RECORD, RecordGroup};
use crate::board::BATCH;
use crate::error::{Code, Reject};
use crate::formats::{
    DecidedBy, Evidence, EvidenceSource, Form, LayoutVerdict, Records, carriage_returns, of_same_form, recognise,
    resolve_weighed, weigh,
};

/// The result of recognising a record.
pub(super) enum RecordClass {
    /// The record is of this form. If its layout had to be found, with what decided it.
    Form(Form, Option<DecidedBy>),
    /// The record has no form.
    Refused(Reject),
}

/// Recognises records, one by one.
#[derive(Clone, Copy)]
pub(super) struct Recogniser<'c> {
    pub(super) plan: &'c Conversion,
}

impl Recogniser<'_> {
    /// The form of a record, whose layout may be undecided.
    pub(super) fn form(&self, record: &[u8]) -> Result<Form, Reject> {
        if record.len() > MAX_RECORD {
            return Err(too_long(record));
        }
        recognise(record, self.plan.from, &self.plan.hints)
    }

    /// The form of a record, with its layout.
    pub(super) fn classify(&self, record: &[u8], evidence: &dyn EvidenceSource) -> RecordClass {
        let form = match self.form(record) {
            Ok(form) => form,
            Err(reject) => return RecordClass::Refused(reject),
        };
        let Some(verdict) = weigh(&form, record) else { return RecordClass::Form(form, None) };
        let evidence = match verdict {
            LayoutVerdict::Tied(_) => evidence.evidence(),
            _ => &Evidence::default(), // not used
        };
        match resolve_weighed(form, record, verdict, evidence) {
            Ok((form, by)) => RecordClass::Form(form, Some(by)),
            Err(reject) => RecordClass::Refused(reject),
        }
    }

    /// How many records from number `from` on, at most 64, are of a form by the fast check.
    pub(super) fn alike(&self, form: &Form, records: &Records, from: usize) -> usize {
        if form.width == 0 {
            return 0;
        }
        let auto = self.plan.from.is_none();
        let next = records.slice(from..records.len().min(from + BATCH));
        of_same_form(form, next, auto, &self.plan.hints)
    }

    /// How many of the records that follow the first one of `group` are of its form. With `quick`, they are recognised by
    /// the fast check; otherwise each is recognised by itself. What decided their layouts is noted in the group.
    pub(super) fn extend<'r>(
        &self,
        group: &mut RecordGroup<'r>,
        records: Records<'r>,
        evidence: &dyn EvidenceSource,
        quick: bool,
    ) {
        let most = BATCH.min(records.len());
        let mut next = 1;
        while next < most {
            if quick {
                next += self.alike(&group.form, &records, next).min(most - next);
            }
            if next == most {
                break;
            }
            match self.classify(records.get(next), evidence) {
                RecordClass::Form(other, by) if other == group.form => group.decided(next, by),
                _ => break,
            }
            next += 1;
        }
        group.records = records.slice(0..next);
    }
}

impl Conversion {
    /// The evidence of records for layouts.
    pub fn weigh<'r>(&self, records: impl Iterator<Item = &'r [u8]>) -> Evidence {
        let (recogniser, mut evidence) = (Recogniser { plan: self }, Evidence::default());
        for record in records {
            if let Ok(form) = recogniser.form(record)
                && let Some(verdict) = weigh(&form, record)
            {
                evidence.add(&form, verdict);
            }
        }
        evidence
    }
}

/// How many bytes of a record are examined to explain why it may be too long. Some callers keep no more.
const LOOKED_AT: usize = 256;

/// The refusal of a record of more than [`MAX_RECORD`] bytes. `record` may be truncated, but not to fewer bytes than
/// are examined.
pub fn too_long(record: &[u8]) -> Reject {
    let advice = carriage_returns(&record[..record.len().min(LOOKED_AT)]);
    let advice = advice.map_or(String::new(), |advice| format!("; {advice}"));
    Reject::whole(Code::TooLong, format!("longer than {MAX_RECORD} bytes: not a puzzle string{advice}"))
}
