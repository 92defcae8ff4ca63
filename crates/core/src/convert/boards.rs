//! Reading records as boards, for callers that do not want strings.

use super::converted::Converted;
use super::converter::Converter;
use super::group::RecordGroup;
use crate::board::Batch;
use crate::formats::{EvidenceSource, Records};
use crate::kernels::all_bits;

impl Converter {
    /// Reads the boards of the records of a text, and writes nothing. `visit` is called with up to 64 boards of one form
    /// at a time, in the order of their records, and with a bit for each that could be read. Records that cannot be
    /// read, or that lose something in reading, are refused. Of the plan, only what concerns reading is used.
    pub fn read(
        &mut self,
        records: Records<'_>,
        evidence: &dyn EvidenceSource,
        mut visit: impl FnMut(&RecordGroup<'_>, &Batch, u64),
    ) -> &Converted {
        self.begin();
        self.add_groups(records, evidence, |converter, group, quick| {
            let decoded = converter.decode(group);
            if decoded.good != all_bits(group.len()) && quick {
                return false;
            }
            converter.converted.take(group);
            converter.refuse_unreadable(group, decoded.good);
            let good = converter.refuse_doubtful(group, decoded.doubtful & decoded.good, decoded.good);
            converter.converted.ends.resize(group.first + group.len(), 0);
            converter.report(group.first);
            visit(group, &converter.work.batch, good);
            true
        });
        self.converted()
    }
}
