//! Messages about strings that cannot be drawn.

use super::super::as_messages;
use super::super::streams::write_rows;
use crate::amounts::counted;
use crate::error::Error;

/// The number of messages that are printed.
const SHOWN: u64 = 20;

/// Collects messages about rejected strings, and counts those that are too many to be printed.
#[derive(Default)]
pub(super) struct BadStringMessages {
    count: u64,
    /// Messages that are not printed yet.
    lines: Vec<String>,
}

impl BadStringMessages {
    /// Adds a string, with a message that is only made if it will be printed.
    pub(super) fn add(&mut self, message: impl FnOnce() -> String) {
        self.count += 1;
        if self.count <= SHOWN {
            self.lines.push(message());
        }
    }

    /// Whether there is no such string.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Prints the messages so far, so that they come before what is drawn next.
    pub(super) fn print(&mut self) -> Result<(), Error> {
        if self.lines.is_empty() {
            return Ok(());
        }
        write_rows(&as_messages(&std::mem::take(&mut self.lines)))
    }

    /// Prints the last messages, and says how many more strings there were.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        let more = self.count.saturating_sub(SHOWN);
        if more > 0 {
            let were = if more == 1 { "was" } else { "were" };
            self.lines.push(format!("and {} {were} rejected", counted(more, "more string")));
        }
        self.print()
    }
}
