//! Framings by name, and the options to create them with.

use super::Framing;
use crate::formats::{Format, Hints, Within, WrittenAs};

/// A framing in [`REGISTRY`](super::REGISTRY).
#[derive(Debug)]
#[non_exhaustive]
pub struct NamedFraming {
    /// The name on the command line.
    pub name: &'static str,
    /// The texts it is for, as a plural.
    pub plural: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The flags that it accepts and others may not.
    pub flags: &'static [&'static str],
    /// The extensions of files with such text, without the dot.
    pub extensions: &'static [&'static str],
    /// The extension for a file of some of its rows, if these can be read alone.
    pub rows_extension: Option<&'static str>,
    /// Where a value stands that comes with a string: its solution, or a map.
    pub beside: Beside,
    /// What the records are.
    pub records: RecordSort,
    /// Where its strings are, for advice about them.
    pub within: Within,
    /// Creates the framing.
    ///
    /// # Errors
    /// An option is missing or invalid. The message says which.
    pub make: fn(&Options) -> Result<Box<dyn Framing>, String>,
}

/// Where a value stands that comes with a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Beside {
    /// After the string and a tab.
    Tab,
    /// In a column of its own.
    Column,
    /// In a field of its own.
    Field,
    /// Nowhere.
    Nowhere,
}

/// What the records of a framing are, as far as it matters to commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordSort {
    /// Lines that are strings and nothing else.
    Lines,
    /// Lines or rows with strings in them.
    Rows,
    /// Several lines each, with other lines between them.
    Blocks,
    /// Parts of a text that only hold boards in the format that their reader knows: no solutions or canonical forms.
    Links,
}

impl NamedFraming {
    /// The framing of this name in [`REGISTRY`](super::REGISTRY).
    pub fn named(name: &str) -> Option<&'static Self> {
        super::REGISTRY.into_iter().find(|entry| entry.name == name)
    }

    /// A framing that is not in [`REGISTRY`](super::REGISTRY).
    pub const fn new(
        name: &'static str,
        plural: &'static str,
        help: &'static str,
        flags: &'static [&'static str],
        make: fn(&Options) -> Result<Box<dyn Framing>, String>,
    ) -> Self {
        let (rows_extension, beside, records) = (Some("txt"), Beside::Nowhere, RecordSort::Rows);
        let within = Within::Field;
        Self { name, plural, help, flags, extensions: &[], rows_extension, beside, records, within, make }
    }
}

/// The options for creating a framing by name. Each framing uses those it needs. They
/// may get more fields: create them with `..Default::default()`.
#[derive(Debug, Clone)]
pub struct Options {
    /// `--column`: the names of columns in the header, or their numbers from 1.
    pub columns: Vec<String>,
    /// `--field`: JSON pointers.
    pub fields: Vec<String>,
    /// `--solution-column`: for each of the columns, the column with the solutions of its strings.
    pub solution_columns: Vec<String>,
    /// `--solution-field`: likewise for JSON pointers.
    pub solution_fields: Vec<String>,
    /// `--delimiter`, if it is not the usual one.
    pub delimiter: Option<u8>,
    /// `--no-header`: whether the first row is a record.
    pub no_header: bool,
    /// `--null`: the text of a field without a string.
    pub null: Option<String>,
    /// What the user says about Str8ts strings.
    pub hints: Hints,
    /// How the new strings are written.
    pub to: WrittenAs,
    /// Whether the framing was guessed.
    pub guessed: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            columns: Vec::new(),
            fields: Vec::new(),
            solution_columns: Vec::new(),
            solution_fields: Vec::new(),
            delimiter: None,
            no_header: false,
            null: None,
            hints: Hints::default(),
            to: Format::V2.into(),
            guessed: false,
        }
    }
}
