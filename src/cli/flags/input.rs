//! What is read, and how records stand in it.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::read_as::ReadAs;
use super::values::parse_delimiter;
use crate::cli::startup;
use crate::engine::{self, Column, Conversion};
use crate::formats::Id;
use crate::framing::{Links, Pointer};
use crate::source::{Input, Reading};

/// What is read, and as what.
#[derive(Debug, Args)]
pub(in crate::cli) struct InputFlags {
    /// Files to read, in order, as one stream; none or '-' is stdin. .zst and .gz are recognised by their first bytes.
    #[arg(value_name = "INPUT")]
    pub(in crate::cli) inputs: Vec<PathBuf>,

    /// How records stand in the text.
    #[arg(long, value_enum, default_value_t, value_name = "FRAMING")]
    pub(in crate::cli) framing: Framing,

    /// The column of a table (csv, tsv) that has the strings: its name in the header, or its number from 1.
    #[arg(long, value_name = "N|NAME")]
    pub(in crate::cli) column: Option<String>,

    /// Where the string, or an array of strings, is in each line of JSON (jsonl): '/puzzle', '/boards/0/text'.
    #[arg(long, value_name = "/POINTER")]
    pub(in crate::cli) field: Option<String>,

    /// What stands between the fields of a table: one character, or 'tab' (default: a comma for csv, a tab for tsv).
    #[arg(long, value_name = "CHARACTER", value_parser = parse_delimiter)]
    pub(in crate::cli) delimiter: Option<u8>,

    /// The first row of a table is a record, not the names of the columns.
    #[arg(long)]
    pub(in crate::cli) no_header: bool,

    #[command(flatten)]
    pub(in crate::cli) read_as: ReadAs,

    /// Map input files into memory, or fail.
    #[arg(long, conflicts_with = "no_mmap")]
    pub(in crate::cli) mmap: bool,

    /// Read input files instead of mapping them.
    #[arg(long)]
    pub(in crate::cli) no_mmap: bool,
}

impl InputFlags {
    /// The inputs named, or stdin.
    pub(in crate::cli) fn inputs(&self) -> anyhow::Result<Vec<Input>> {
        inputs(&self.inputs)
    }

    /// How records stand in the text; `to` is the format of the output.
    pub(in crate::cli) fn framing(&self, to: Id) -> anyhow::Result<engine::Framing> {
        let table = matches!(self.framing, Framing::Csv | Framing::Tsv);
        for (flag, given) in [
            ("--column", self.column.is_some()),
            ("--delimiter", self.delimiter.is_some()),
            ("--no-header", self.no_header),
        ] {
            anyhow::ensure!(table || !given, "{flag} is for tables: say --framing csv or --framing tsv");
        }
        let json = self.framing == Framing::Jsonl;
        anyhow::ensure!(json || self.field.is_none(), "--field is for JSON lines: say --framing jsonl");
        match self.framing {
            Framing::Lines => Ok(engine::Framing::Lines),
            Framing::Csv => self.table(true, b','),
            Framing::Tsv => self.table(false, b'\t'),
            Framing::Jsonl => {
                let Some(field) = &self.field else {
                    anyhow::bail!("say with --field where the strings are, for example --field /puzzle");
                };
                let pointer = Pointer::new(field);
                let pointer = pointer.with_context(|| format!("--field {field}: a pointer begins with a slash"))?;
                Ok(engine::Framing::Json(pointer))
            }
            Framing::Links => Ok(engine::Framing::Links(Links {
                plain: true,
                to,
                hints: self.read_as.str8ts.hints(None),
                ..Links::default()
            })),
            Framing::Grid => Ok(engine::Framing::Grid),
        }
    }

    fn table(&self, quotes: bool, delimiter: u8) -> anyhow::Result<engine::Framing> {
        let Some(column) = &self.column else {
            anyhow::bail!(
                "say with --column which column has the strings: its name in the header, or its number from 1"
            );
        };
        let column = match column.parse() {
            Ok(number) => Column::Number(number),
            Err(_) => Column::Name(column.clone()),
        };
        let delimiter = self.delimiter.unwrap_or(delimiter);
        Ok(engine::Framing::Table { delimiter, quotes, header: !self.no_header, column })
    }

    /// How files are read.
    pub(in crate::cli) fn reading(&self) -> Reading {
        match (self.mmap, self.no_mmap) {
            (true, _) => Reading::Mapped,
            (_, true) => Reading::Read,
            _ => Reading::Auto,
        }
    }

    /// How records are read: a conversion to v2 with nothing else said.
    pub(in crate::cli) fn conversion(&self) -> Conversion {
        Conversion { from: self.read_as.format(), hints: self.read_as.hints(), ..Conversion::default() }
    }
}

/// The inputs named, or stdin.
fn inputs(paths: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    let stdin = PathBuf::from("-");
    let paths = if paths.is_empty() { std::slice::from_ref(&stdin) } else { paths };
    if paths.contains(&stdin) && startup::was_closed(0) {
        anyhow::bail!("stdin is closed; name a file, or open it");
    }
    Ok(paths.iter().map(|path| if *path == stdin { Input::Stdin } else { Input::File(path.clone()) }).collect())
}

/// How records stand in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(in crate::cli) enum Framing {
    /// One a line.
    #[default]
    Lines,
    /// In a column of CSV, whose fields may be quoted and hold line ends.
    Csv,
    /// In a column of TSV, where a quote is a character like others.
    Tsv,
    /// In a field of each line of JSON.
    Jsonl,
    /// In links inside text, as 'gridmill relink' finds them; plain strings in them are taken too.
    Links,
    /// Sudokus over several lines, with or without borders and candidates; each becomes a line.
    Grid,
}
