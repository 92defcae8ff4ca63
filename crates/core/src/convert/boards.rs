//! Records as boards, shown to who wants no other strings of them.

use super::converted::{Converted, Tied};
use super::converter::Converter;
use super::group::RecordGroup;
use crate::board::Batch;
use crate::formats::Records;
use crate::kernels::all_bits;

impl Converter {
    /// Reads the boards of the records of a text, and writes nothing. `see` is shown them in the order of their records: up to 64 of
    /// one form at a time, and a bit for each that could be read. Those that could not are refused, as are those of which reading
    /// loses something; the plan says no more than as what strings are read.
    ///
    /// # Errors
    /// [`Tied`], as for [`Converter::convert`]. Boards may have been shown before.
    pub fn read(
        &mut self,
        records: Records<'_>,
        mut see: impl FnMut(&RecordGroup<'_>, &Batch, u64),
    ) -> Result<&Converted, Tied> {
        self.begin();
        self.add_groups(records, |converter, group, quick| {
            let decoded = converter.decode(group);
            if decoded.good != all_bits(group.len()) && quick {
                return false;
            }
            converter.converted.take(group);
            converter.explain(group, decoded.good);
            let good = converter.refuse_doubtful(group, decoded.doubtful & decoded.good, decoded.good);
            converter.converted.ends.resize(group.first + group.len(), 0);
            converter.report(group.first);
            see(group, &converter.batch, good);
            true
        })?;
        Ok(self.converted())
    }
}
