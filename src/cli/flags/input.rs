//! Flags for the inputs, and how records are arranged in them.

use std::io::{Cursor, IsTerminal, Read};
use std::path::PathBuf;

use clap::Args;

use super::framings::{ARROW, PARQUET};
use super::read_as::ReadAs;
use super::values::{framing_parser, parse_delimiter};
use crate::engine::Conversion;
use crate::error::Error;
use crate::formats::{Evidence, Hints, WrittenAs, read_one};
use crate::framing::{Framing, Guess, NamedFraming, Options, REGISTRY};
use crate::platform;
use crate::source::{Input, Reading};

/// What is read, and as what.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Input")]
pub(in crate::cli) struct InputFlags {
    /// Files to read in order, as one stream; none or '-' is stdin. .zst and .gz files are recognised by their first bytes.
    #[arg(value_name = "INPUT", help_heading = None)]
    pub(in crate::cli) inputs: Vec<PathBuf>,

    /// Where the records are in the input.
    #[arg(long, value_parser = framing_parser(), default_value = "lines", value_name = "FRAMING")]
    pub(in crate::cli) framing: &'static NamedFraming,

    /// The column with the strings, by its name or its number from 1.
    ///
    /// In a table (csv, tsv) it has a name in the header or a number, in lines of words (words) the number of the word, in a
    /// Parquet or Arrow file a name. Where a name is a number, 'name:1' or 'number:1' decides. Repeat for several columns.
    #[arg(long, value_name = "N|NAME")]
    pub(in crate::cli) column: Vec<String>,

    /// The JSON pointer to the string, or to an array of strings, in each line of JSON (jsonl): '/puzzle', '/boards/0/text'.
    /// Repeat for several strings.
    #[arg(long, value_name = "/POINTER")]
    pub(in crate::cli) field: Vec<String>,

    /// The delimiter of a table: one character, or 'tab' (default: a comma for csv, a tab for tsv).
    #[arg(long, value_name = "CHARACTER", value_parser = parse_delimiter)]
    pub(in crate::cli) delimiter: Option<u8>,

    /// Text of a table field that means "no string", in addition to an empty field, \N and NULL.
    #[arg(long, value_name = "TEXT")]
    pub(in crate::cli) null: Option<String>,

    /// The first row of a table is a record, not a header.
    #[arg(long)]
    pub(in crate::cli) no_header: bool,

    #[command(flatten)]
    pub(in crate::cli) read_as: ReadAs,

    /// What was found out about the framing.
    #[arg(skip)]
    pub(in crate::cli) detection: FramingDetection,

    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

/// How the framing was chosen.
#[derive(Debug, Clone, Default)]
pub(in crate::cli) struct FramingDetection {
    /// Whether the user typed it. Otherwise, files with columns are recognised.
    pub(in crate::cli) is_typed: bool,
    /// Whether the command is about puzzles, so that complete grids are hardly meant.
    pub(super) puzzles: bool,
    /// The part of stdin that was read to detect its framing.
    pub(super) peeked: Option<Vec<u8>>,
    /// The detected framing of the inputs, if detection is asked for.
    pub(super) guessed: Option<Guess>,
}

/// Where solutions are that came with the strings.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Input")]
pub(in crate::cli) struct SolutionFlags {
    /// The column (csv, tsv, parquet, arrow) with a solution for each string, to be checked: it must be complete, contain all
    /// givens and break no rule; at --level unique it must be the only solution. Once for each --column.
    #[arg(long, value_name = "N|NAME")]
    pub(in crate::cli) solution_column: Vec<String>,

    /// The same for JSON lines (jsonl): the pointer to the solution. Once for each --field.
    #[arg(long, value_name = "/POINTER")]
    pub(in crate::cli) solution_field: Vec<String>,
}

/// How files are read.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Input")]
pub(in crate::cli) struct ReadingFlags {
    /// Map input files into memory, or fail.
    #[arg(long, conflicts_with = "no_mmap")]
    pub(in crate::cli) mmap: bool,

    /// Read input files instead of mapping them.
    #[arg(long)]
    pub(in crate::cli) no_mmap: bool,
}

impl SolutionFlags {
    /// Whether there are any.
    pub(in crate::cli) fn are_given(&self) -> bool {
        !self.solution_column.is_empty() || !self.solution_field.is_empty()
    }
}

impl InputFlags {
    /// Returns the inputs that were named, or stdin.
    pub(in crate::cli) fn inputs(&self) -> anyhow::Result<Vec<Input>> {
        let mut inputs = inputs(&self.inputs)?;
        if let (Some(peeked), Some(stdin)) =
            (&self.detection.peeked, inputs.iter_mut().find(|input| matches!(input, Input::Stdin)))
        {
            let reader = Box::new(Cursor::new(peeked.clone()).chain(std::io::stdin()));
            *stdin = Input::Reader { name: "<stdin>".into(), reader };
        }
        Ok(inputs)
    }

    /// Whether somebody has to type the input.
    pub(in crate::cli) fn reads_terminal(&self) -> bool {
        let reads_stdin = self.inputs.is_empty() || self.inputs.iter().any(|path| path.as_os_str() == "-");
        reads_stdin && std::io::stdin().is_terminal()
    }

    /// Checks that no input is a puzzle string instead of the name of a file. `command` is what reads the inputs.
    pub(in crate::cli) fn check_names(&self, command: &str) -> anyhow::Result<()> {
        for path in self.inputs.iter().filter(|path| path.as_os_str() != "-") {
            let Err(error) = path.symlink_metadata() else { continue };
            let (text, hints) = (path.as_os_str().as_encoded_bytes(), self.read_as.hints());
            if let Ok(one) = read_one(text, self.read_as.format(), &hints, &Evidence::default()) {
                anyhow::bail!(
                    "{}; it reads as a {} string, but {command} takes names of files: pipe the string \
                     (echo 'STRING' | gridmill {command}), or draw it (gridmill show 'STRING')",
                    Error::io(path, "open", error),
                    one.form.id
                );
            }
        }
        Ok(())
    }

    /// Checks that the flags for columns and fields fit the framing.
    pub(in crate::cli) fn check_places(&self, solutions: &SolutionFlags) -> anyhow::Result<()> {
        for (flag, given) in [
            ("--column", !self.column.is_empty()),
            ("--solution-column", !solutions.solution_column.is_empty()),
            ("--solution-field", !solutions.solution_field.is_empty()),
            ("--delimiter", self.delimiter.is_some()),
            ("--no-header", self.no_header),
            ("--null", self.null.is_some()),
            ("--field", !self.field.is_empty()),
        ] {
            if given && !self.framing.flags.contains(&flag) {
                let of_stdin = if self.detection.is_typed { None } else { self.refused_stdin() };
                anyhow::bail!("{}", of_stdin.unwrap_or_else(|| belongs(flag)));
            }
        }
        Ok(())
    }

    /// Returns the framing, with the `solutions` that came with the strings. `to` is the format of the output.
    pub(in crate::cli) fn framing(&self, to: WrittenAs, solutions: &SolutionFlags) -> anyhow::Result<Box<dyn Framing>> {
        self.check_places(solutions)?;
        let options = Options {
            columns: self.column.clone(),
            fields: self.field.clone(),
            solution_columns: solutions.solution_column.clone(),
            solution_fields: solutions.solution_field.clone(),
            delimiter: self.delimiter,
            no_header: self.no_header,
            null: self.null.clone(),
            hints: self.read_as.str8ts.hints(None),
            to,
            guessed: self.detection.guessed.is_some(),
        };
        (self.framing.make)(&options).map_err(anyhow::Error::msg)
    }

    /// Checks that new columns do not have the names of columns that are read.
    pub(in crate::cli) fn check_appended(&self, names: &[String]) -> anyhow::Result<()> {
        for name in names {
            let is_field = self.field.iter().any(|field| field.strip_prefix('/') == Some(name));
            let flag = if is_field { "--field" } else { "--column" };
            anyhow::ensure!(
                !is_field && !self.column.contains(name),
                "--to-column and {flag} have the same name; choose another name, or leave out --to-column to replace the strings"
            );
        }
        Ok(())
    }

    /// Returns how files are read.
    pub(in crate::cli) fn reading(&self) -> Reading {
        match (self.reading.mmap, self.reading.no_mmap) {
            (true, _) => Reading::Mapped,
            (_, true) => Reading::Read,
            _ => Reading::Auto,
        }
    }

    /// Returns the flags for other files that are read in the same way.
    pub(in crate::cli) fn of_files(&self, inputs: Vec<PathBuf>) -> Self {
        let detection = FramingDetection { peeked: None, ..self.detection.clone() };
        Self { inputs, detection, ..self.clone() }
    }

    /// Returns the conversion, as far as these flags define it, with defaults for everything else.
    pub(in crate::cli) fn conversion(&self) -> Conversion {
        let hints = Hints { within: self.framing.within, ..self.read_as.hints() };
        Conversion { from: self.read_as.format(), hints, ..Conversion::default() }
    }
}

/// Returns the inputs that were named, or stdin.
fn inputs(paths: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    let stdin = PathBuf::from("-");
    let paths = if paths.is_empty() { std::slice::from_ref(&stdin) } else { paths };
    if paths.contains(&stdin) && platform::was_closed(0) {
        anyhow::bail!("stdin is closed; open it, or name a file");
    }
    Ok(paths.iter().map(|path| if *path == stdin { Input::Stdin } else { Input::File(path.clone()) }).collect())
}

/// Says which framings a flag is for.
fn belongs(flag: &str) -> String {
    let all = REGISTRY.into_iter().chain([&PARQUET, &ARROW]);
    let takers: Vec<_> = all.filter(|entry| entry.flags.contains(&flag)).collect();
    let names: Vec<_> = takers.iter().map(|entry| entry.name).collect();
    let mut plurals: Vec<_> = takers.iter().map(|entry| entry.plural).collect();
    plurals.dedup();
    format!("{flag} is only for {}; use --framing {}", listed(&plurals, "and"), listed(&names, "or"))
}

/// Lists words as in a sentence, with `before_last` before the last one.
fn listed(words: &[&str], before_last: &str) -> String {
    match words {
        [rest @ .., last] if !rest.is_empty() => format!("{} {before_last} {last}", rest.join(", ")),
        words => words.concat(),
    }
}
