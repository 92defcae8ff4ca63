//! Records of one form that follow each other.

use super::verdicts::Question;
use crate::board::Batch;
use crate::formats::{By, Form, Records};
use crate::kernels::Decoded;

/// Up to 64 records of one form that follow each other.
#[derive(Debug, Clone, Copy)]
pub struct RecordGroup<'r> {
    /// Their form.
    pub form: Form,
    /// The first one's number, from 0 in its call.
    pub first: usize,
    /// Where they stand.
    pub records: Records<'r>,
    /// Records whose layout was to be found, by what it was found.
    pub layouts: [u64; By::ALL.len()],
}

impl RecordGroup<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}

/// A group that waits for the solver.
pub(super) struct Waiting {
    pub(super) form: Form,
    pub(super) first: usize,
    pub(super) len: usize,
    pub(super) decoded: Decoded,
    pub(super) question: Question,
    /// Those that came with a solution that breaks nothing: where a puzzle has only one, that is it.
    pub(super) right: u64,
    /// Its boards, if they are sure to be asked for again.
    pub(super) boards: Option<Batch>,
}
