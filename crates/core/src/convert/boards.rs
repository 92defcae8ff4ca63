//! Reading records as boards, for callers that do not want strings.

use super::converted::{Converted, Tied};
use super::converter::Converter;
use super::group::RecordGroup;
use crate::board::Batch;
use crate::formats::Records;
use crate::kernels::all_bits;

impl Converter {
    /// Reads the boards of the records of a text, and writes nothing. `visit` is called with up to 64 boards of one form
    /// at a time, in the order of their records, and with a bit for each that could be read. Records that cannot be
    /// read, or that lose something in reading, are refused. Of the plan, only what concerns reading is used.
    ///
    /// # Errors
    /// [`Tied`], as for [`Converter::convert`]. `visit` may have been called before.
    pub fn read(
        &mut self,
        records: Records<'_>,
        mut visit: impl FnMut(&RecordGroup<'_>, &Batch, u64),
    ) -> Result<&Converted, Tied> {
        self.begin();
        self.add_groups(records, |converter, group, quick| {
            let decoded = converter.decode(group);
            if decoded.good != all_bits(group.len()) && quick {
                return false;
            }
            converter.converted.take(group);
            converter.refuse_unreadable(group, decoded.good);
            let good = converter.refuse_doubtful(group, decoded.doubtful & decoded.good, decoded.good);
            converter.converted.ends.resize(group.first + group.len(), 0);
            converter.report(group.first);
            visit(group, &converter.batch, good);
            true
        })?;
        Ok(self.converted())
    }
}
