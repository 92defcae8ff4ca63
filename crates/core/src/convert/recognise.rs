//! What a record is: its form, and of a format with several layouts which of them.

use super::converted::Tied;
use super::plan::Conversion;
use super::{MAX_RECORD, RecordGroup};
use crate::board::BATCH;
use crate::error::{Code, Reject};
use crate::formats::{
    By, Evidence, Form, LayoutVerdict, Records, carriage_returns, of_same_form, recognise, resolve_weighed, weigh,
};

/// What a record is taken for.
pub(super) enum RecordClass {
    /// A record of this form; if its layout was to be found, with what it was found by.
    Form(Form, Option<By>),
    /// It is of no form.
    Refused(Reject),
}

/// Recognises records, one by one.
#[derive(Clone, Copy)]
pub(super) struct Recogniser<'c> {
    pub(super) plan: &'c Conversion,
    /// The evidence of other strings for layouts, once it is given.
    pub(super) evidence: Option<&'c Evidence>,
}

impl Recogniser<'_> {
    /// The form of a record, whose layout may be open.
    pub(super) fn form(&self, record: &[u8]) -> Result<Form, Reject> {
        if record.len() > MAX_RECORD {
            return Err(too_long(record));
        }
        recognise(record, self.plan.from, &self.plan.hints)
    }

    /// What a record is, and in which layout.
    pub(super) fn classify(&self, record: &[u8]) -> Result<RecordClass, Tied> {
        let form = match self.form(record) {
            Ok(form) => form,
            Err(reject) => return Ok(RecordClass::Refused(reject)),
        };
        let Some(verdict) = weigh(&form, record) else { return Ok(RecordClass::Form(form, None)) };
        let evidence = match (self.evidence, verdict) {
            (None, LayoutVerdict::Tied(_)) => return Err(Tied),
            (None, _) => &Evidence::default(), // not asked
            (Some(evidence), _) => evidence,
        };
        Ok(match resolve_weighed(form, record, verdict, evidence) {
            Ok((form, by)) => RecordClass::Form(form, Some(by)),
            Err(reject) => RecordClass::Refused(reject),
        })
    }

    /// How many records, of at most 64, are sure to be of a form by a quick look, beginning with record `from`.
    pub(super) fn alike(&self, form: &Form, records: &Records, from: usize) -> usize {
        if form.width == 0 {
            return 0;
        }
        let auto = self.plan.from.is_none();
        let most = (records.len() - from).min(BATCH);
        let texts = (from..from + most).map(|i| records.get(i));
        of_same_form(form, texts, auto, &self.plan.hints)
    }

    /// The group that begins with record `first` of a call, which is record `from` of these and of a form that is known. Where
    /// `quick`, records that look alike are taken for such; otherwise each is recognised alone.
    pub(super) fn group<'r>(
        &self,
        (form, by): (Form, Option<By>),
        records: Records<'r>,
        from: usize,
        first: usize,
        quick: bool,
    ) -> Result<RecordGroup<'r>, Tied> {
        let mut layouts = [0; By::ALL.len()];
        let mut count = |by: Option<By>| {
            if let Some(by) = by {
                layouts[by as usize] += 1;
            }
        };
        count(by);
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
                RecordClass::Form(other, by) if other == form => count(by),
                _ => break,
            }
            next += 1;
        }
        Ok(RecordGroup { form, first, records: records.slice(from..next), layouts })
    }
}

/// Bytes of a record that are read to explain why it may be too long; of some records no more are kept.
const LOOKED_AT: usize = 256;

/// The refusal of a record of more than [`MAX_RECORD`] bytes; `record` is at least the first of them.
pub fn too_long(record: &[u8]) -> Reject {
    let advice = carriage_returns(&record[..record.len().min(LOOKED_AT)]);
    let advice = advice.map_or(String::new(), |advice| format!("; {advice}"));
    Reject::whole(Code::TooLong, format!("longer than {MAX_RECORD} bytes: not a puzzle string{advice}"))
}
