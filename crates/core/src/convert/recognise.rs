//! Recognises the form of a record, and its layout if the format has several.

use super::converted::Tied;
use super::plan::Conversion;
use super::{MAX_RECORD, RecordGroup};
use crate::board::BATCH;
use crate::error::{Code, Reject};
use crate::formats::{
    DecidedBy, Evidence, Form, LayoutVerdict, Records, carriage_returns, of_same_form, recognise, resolve_weighed,
    weigh,
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
    /// The evidence of other strings for layouts, once it is known.
    pub(super) evidence: Option<&'c Evidence>,
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
    pub(super) fn classify(&self, record: &[u8]) -> Result<RecordClass, Tied> {
        let form = match self.form(record) {
            Ok(form) => form,
            Err(reject) => return Ok(RecordClass::Refused(reject)),
        };
        let Some(verdict) = weigh(&form, record) else { return Ok(RecordClass::Form(form, None)) };
        let evidence = match (self.evidence, verdict) {
            (None, LayoutVerdict::Tied(_)) => return Err(Tied),
            (None, _) => &Evidence::default(), // not used
            (Some(evidence), _) => evidence,
        };
        Ok(match resolve_weighed(form, record, verdict, evidence) {
            Ok((form, by)) => RecordClass::Form(form, Some(by)),
            Err(reject) => RecordClass::Refused(reject),
        })
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

    /// The group that begins with record `first` of a call, which is number `from` of `records` and has a known form.
    /// If `quick`, the following records are added by the fast check; otherwise each is recognised by itself.
    pub(super) fn group<'r>(
        &self,
        (form, by): (Form, Option<DecidedBy>),
        records: Records<'r>,
        from: usize,
        first: usize,
        quick: bool,
    ) -> Result<RecordGroup<'r>, Tied> {
        let mut layouts = [0; DecidedBy::ALL.len()];
        let mut found = |by: Option<DecidedBy>, record: usize| {
            if let Some(by) = by {
                layouts[by as usize] |= 1 << (record - from);
            }
        };
        found(by, from);
        let most = (from + BATCH).min(records.len());
        let mut next = from + 1;
        while next < most {
            if quick {
                next += self.alike(&form, &records, next).min(most - next);
            }
            if next == most {
                break;
            }
            match self.classify(records.get(next))? {
                RecordClass::Form(other, by) if other == form => found(by, next),
                _ => break,
            }
            next += 1;
        }
        Ok(RecordGroup { form, first, records: records.slice(from..next), layouts })
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
