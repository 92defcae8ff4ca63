//! Framings by name, and the options to create them with.

use super::Framing;
use crate::formats::{Hints, Id};

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
    /// Creates the framing.
    ///
    /// # Errors
    /// An option is missing or invalid. The message says which.
    pub make: fn(&Options) -> Result<Box<dyn Framing>, String>,
}

impl NamedFraming {
    /// A framing that is not in [`REGISTRY`](super::REGISTRY).
    pub const fn new(
        name: &'static str,
        plural: &'static str,
        help: &'static str,
        flags: &'static [&'static str],
        make: fn(&Options) -> Result<Box<dyn Framing>, String>,
    ) -> Self {
        Self { name, plural, help, flags, make }
    }
}

/// The options for creating a framing by name. Each framing uses those it needs.
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
    /// The format of the new strings.
    pub to: Id,
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
            to: Id::V2,
        }
    }
}
