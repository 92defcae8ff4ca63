//! What help, the table of formats and documentation say about a format.

use super::Format;

/// The description of a format for help, the table of formats and documentation.
#[derive(Debug)]
#[non_exhaustive]
pub struct About {
    /// The format.
    pub id: Format,
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// A summary for tables, on one line.
    pub summary: &'static str,
    /// Its layouts.
    pub layouts: &'static [LayoutDoc],
}

impl About {
    /// Returns the summary, which also says whether the format is only read.
    pub fn description(&self) -> String {
        format!("{}{}", self.summary, if self.id.is_written() { "" } else { "; read only" })
    }
}

/// The description of one layout of a format.
#[derive(Debug)]
#[non_exhaustive]
pub struct LayoutDoc {
    /// The kinds that have this layout, as text.
    pub kinds: &'static str,
    /// What a string looks like.
    pub body: &'static str,
    /// The length at side 9, as text.
    pub length: &'static str,
}
