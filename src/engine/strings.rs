//! Strings out of a database, some thousands at a time, and what becomes of each.

use super::counts::Counts;
use super::plan::{Bad, Conversion};
use super::worker::{Row, Worker};
use crate::error::{Code, Reject};
use crate::formats::{Evidence, Id};
use crate::kernels::Kernel;

/// Converts strings that somebody else keeps: each is taken for a record, and nothing is lost of their order.
pub struct Strings {
    worker: Worker,
    /// The strings, each with a line feed behind it.
    lines: Vec<u8>,
    /// Where each begins in `lines`; nothing where it cannot be a line.
    starts: Vec<Option<u32>>,
    /// Where what became of each begins in the outcome's text, and where it ends.
    places: Vec<(u32, u32)>,
    /// What each is, and the index of its refusal, if it has one.
    found: Vec<(Option<Id>, Option<u32>)>,
    /// The refusal of strings that hold a line end.
    no_line: Row,
    counts: Counts,
}

/// What became of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Became<'a> {
    /// The new string, and the format that the old one has.
    Written(&'a [u8], Id),
    /// It was refused, and why.
    Refused(&'a Reject),
}

impl Strings {
    /// A converter. `plan.bad` has no meaning here: what is refused is for the caller to keep.
    pub fn new(plan: Conversion, kernel: &'static Kernel) -> Self {
        let reject = Reject::whole(Code::Digit, "the string holds a line end; no puzzle string does");
        Self {
            worker: Worker::new(Conversion { bad: Bad::Keep, ..plan }, kernel).with_every_line(true),
            lines: Vec::new(),
            starts: Vec::new(),
            places: Vec::new(),
            found: Vec::new(),
            no_line: Row { line: 0, at: 0, reject, record: Vec::new(), too_long: None, warning: false },
            counts: Counts::default(),
        }
    }

    /// What other strings say of Str8ts layouts; to be said before anything is converted.
    pub fn know(&mut self, evidence: Evidence) {
        self.worker.know(evidence);
    }

    /// Forgets all strings, and what became of them.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.starts.clear();
        self.counts.clear();
    }

    /// Takes a string.
    pub fn push(&mut self, string: &[u8]) {
        let is_line = !string.is_empty() && string.last() != Some(&b'\r') && memchr::memchr(b'\n', string).is_none();
        self.starts.push(is_line.then_some(self.lines.len() as u32));
        if is_line {
            self.lines.extend_from_slice(string);
            self.lines.push(b'\n');
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Bytes taken.
    pub fn bytes(&self) -> usize {
        self.lines.len()
    }

    /// What the strings say of Str8ts layouts.
    pub fn weigh(&self) -> Evidence {
        self.worker.weigh(&self.lines, self.lines.len())
    }

    /// Converts them.
    pub fn convert(&mut self) {
        self.worker.begin();
        self.worker.convert(&self.lines);
        debug_assert!(!self.worker.is_tied(), "what others say is known");
        self.places.clear();
        self.found.clear();
        let outcome = &self.worker.outcome;
        let text = outcome.text.as_slice();
        let mut refused = outcome.rows.iter().enumerate().filter(|(_, row)| !row.warning).peekable();
        let mut stretches = outcome.stretches.iter().peekable();
        let (mut at, mut line, mut id) = (0, 0, None);
        self.counts = outcome.counts.clone();
        for start in &self.starts {
            if start.is_none() {
                self.counts.records += 1;
                self.counts.reject(Code::Digit);
                self.places.push((0, 0));
                self.found.push((None, None));
                continue;
            }
            let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end);
            self.places.push((at as u32, end as u32));
            at = end + 1;
            while let Some(stretch) = stretches.next_if(|stretch| stretch.line <= line) {
                id = Some(stretch.id);
            }
            let mut why = None;
            while let Some((row, _)) = refused.next_if(|(_, row)| row.line == line) {
                why.get_or_insert(row as u32);
            }
            self.found.push((id, why));
            line += 1;
        }
    }

    /// What became of string `i`, from 0 in the order in which they were taken.
    pub fn became(&self, i: usize) -> Became<'_> {
        match (self.starts[i], self.found[i]) {
            (None, _) => Became::Refused(&self.no_line.reject),
            (_, (_, Some(row))) => Became::Refused(&self.worker.outcome.rows[row as usize].reject),
            (_, (None, None)) => Became::Refused(&self.no_line.reject),
            (Some(_), (Some(id), None)) => {
                let (start, end) = self.places[i];
                Became::Written(&self.worker.outcome.text.as_slice()[start as usize..end as usize], id)
            }
        }
    }

    /// What was counted, all strings together.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}
