//! Finds the lines of a text that are records.

use gridmill_core::convert::Conversion;
use gridmill_core::formats::{Format, begins_like_a_comment, line_at};
use gridmill_core::framing::is_no_record;

/// The lines of a piece that are records.
#[derive(Default)]
pub(crate) struct RecordLines {
    /// Where records begin and end.
    pub(crate) starts: Vec<u32>,
    pub(crate) ends: Vec<u32>,
    /// Whether the piece consists of these records, each with a line feed after it.
    pub(crate) nothing_else: bool,
}

impl RecordLines {
    /// Finds the lines of a text that are records.
    pub(crate) fn find(&mut self, text: &[u8], plan: &Conversion) {
        self.starts.clear();
        self.ends.clear();
        let strict = plan.from == Some(Format::Wolfram);
        let (mut next, mut bytes) = (0, 0);
        while let Some(line) = line_at(text, next) {
            next = line.next;
            let content = &text[line.start..line.end];
            if !is_no_record(content, strict) || plan.from.is_none() && begins_like_a_comment(content) {
                self.starts.push(line.start as u32);
                self.ends.push(line.end as u32);
                bytes += content.len() + 1;
            }
        }
        self.nothing_else = bytes == text.len() && text.ends_with(b"\n");
    }
}
