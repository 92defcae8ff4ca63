//! Consecutive records of one form.

use super::verdicts::Question;
use crate::board::{BATCH, Batch, Kind};
use crate::error::Reject;
use crate::formats::{DecidedBy, Form, Records, Text};
use crate::kernels::{Decoded, all_bits};

/// Up to 64 consecutive records of one form.
#[derive(Debug, Clone, Copy)]
pub struct RecordGroup<'r> {
    /// Their form.
    pub form: Form,
    /// The index of the first one in its call.
    pub first: usize,
    /// Their ranges.
    pub records: Records<'r>,
    /// The records whose layout had to be found, with a bit for each, by what decided it.
    pub layouts: [u64; DecidedBy::ALL.len()],
}

impl<'r> RecordGroup<'r> {
    /// The first of some records, as a group of its own. If its layout had to be found, with what decided it.
    pub(super) fn of_first(records: Records<'r>, form: Form, by: Option<DecidedBy>, first: usize) -> Self {
        let mut group = Self { form, first, records: records.slice(0..1), layouts: Default::default() };
        group.decided(0, by);
        group
    }

    /// Notes what decided the layout of one of its records, if it had to be found.
    pub(super) fn decided(&mut self, record: usize, by: Option<DecidedBy>) {
        if let Some(by) = by {
            self.layouts[by as usize] |= 1 << record;
        }
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The first `len` records of the group.
    pub(super) fn truncated(self, len: usize) -> Self {
        let layouts = self.layouts.map(|records| records & all_bits(len));
        Self { records: self.records.slice(0..len), layouts, ..self }
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}

/// The group that is being converted: its boards, its new strings, and what is wrong with its records.
pub(super) struct GroupWork {
    pub(super) batch: Batch,
    /// New strings, not all of which will be written, and where each ends.
    pub(super) scratch: Text,
    pub(super) ends: [usize; BATCH],
    /// Refusals and notices, by the records of the group.
    pub(super) refused: Vec<(usize, Reject)>,
    pub(super) notices: Vec<(usize, Reject)>,
    /// The solution of the current board.
    pub(super) solution: Vec<u8>,
    /// The cells that were read as solved, of the boards that were then filled in, in order.
    pub(super) solved_before: Vec<(usize, usize)>,
}

impl Default for GroupWork {
    fn default() -> Self {
        Self {
            batch: Batch::new(),
            scratch: Text::new(),
            ends: [0; BATCH],
            refused: Vec::new(),
            notices: Vec::new(),
            solution: Vec::new(),
            solved_before: Vec::new(),
        }
    }
}

/// The groups of a call that wait for the solver.
#[derive(Default)]
pub(super) struct WaitingGroups {
    pub(super) groups: Vec<Waiting>,
    /// Batches for the boards of such groups, to be used again.
    #[expect(
        clippy::vec_box,
        reason = "they are moved to groups, which would be thrice as large with a batch in each"
    )]
    pub(super) spare: Vec<Box<Batch>>,
    /// Whether solutions may be left as digits.
    pub(super) leaves_solutions: bool,
    /// The kind and number of the records whose solutions the last call left as digits, if it did.
    pub(super) left: Option<(Kind, usize)>,
}

/// A group that waits for the solver.
pub(super) struct Waiting {
    pub(super) form: Form,
    pub(super) first: usize,
    pub(super) len: usize,
    pub(super) decoded: Decoded,
    pub(super) question: Question,
    /// The boards whose given solution breaks no rule. If such a puzzle has only one solution, the given one is right.
    pub(super) given_right: u64,
    /// Its boards, if they will be needed again and are not to be decoded again.
    pub(super) boards: Option<Box<Batch>>,
}

impl Waiting {
    /// Whether all records could be read, and nothing was lost.
    pub(super) fn is_complete(&self) -> bool {
        self.decoded.good == all_bits(self.len) && self.decoded.doubtful == 0
    }
}
