//! Solutions that came with the records of a call.

use super::digits::written;

/// Solutions of the records of a call.
#[derive(Debug, Default)]
pub(super) struct GivenSolutions {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl GivenSolutions {
    /// The solution of a record; empty if it has none.
    #[inline]
    pub(super) fn get(&self, record: usize) -> &[u8] {
        let Some(&end) = self.ends.get(record) else { return b"" };
        let start = record.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..end]
    }

    /// Whether the solution of a record is this one, as this program writes it.
    #[inline]
    pub(super) fn is(&self, record: usize, solution: &[u8]) -> bool {
        let text = self.get(record);
        let same = |(&digit, &byte): (&u8, &u8)| byte == written(digit);
        solution.len() == text.len() && solution.iter().zip(text).fold(true, |all, pair| all & same(pair))
    }

    /// Takes others in place of those that there are.
    pub(super) fn take<'s>(&mut self, solutions: impl Iterator<Item = &'s [u8]>) {
        let Self { text, ends } = self;
        text.clear();
        ends.clear();
        for solution in solutions {
            text.extend_from_slice(solution);
            ends.push(text.len());
        }
    }
}
