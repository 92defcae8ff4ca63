//! Flags for refused records.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;

use super::values::{bad_parser, rejects_as_parser};
use super::{InputFlags, OutputFlags};
use crate::cli::first_rows::{FirstRows, MoreRows};
use crate::cli::outputs::{Outputs, into_target, is_stdout};
use crate::cli::streams::Stderr;
use crate::engine::{Bad, RejectsAs, RejectsTo};
use crate::error::Error;
use crate::platform::is_device;

/// The longest name of a file on nearly all file systems.
const LONGEST_NAME: usize = 255;

/// What happens to bad records, and where they and the run are reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Bad records")]
pub(in crate::cli) struct BadRecordFlags {
    /// What to do with bad records: 'reject' leaves them out, 'keep' copies them, 'stop' ends the run. All are reported.
    #[arg(long, value_parser = bad_parser(), default_value = "reject")]
    pub(in crate::cli) bad: Bad,

    #[command(flatten)]
    pub(in crate::cli) rejects: RejectFlags,

    /// Write a report of the run as JSON; '-' is stdout.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(in crate::cli) report: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Bad records")]
pub(in crate::cli) struct RejectFlags {
    /// Where rejected records go; '-' is stdout (default: OUT.rejects.tsv next to an output file, else stderr).
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) rejects: Option<PathBuf>,

    /// How rejected records are written: 'report' says why each one was rejected; 'rows' writes them unchanged, under the header
    /// of their table, so that they can be repaired and read again.
    #[arg(long, value_parser = rejects_as_parser(), default_value = "report", value_name = "HOW")]
    pub(in crate::cli) rejects_as: RejectsAs,
}

impl RejectFlags {
    /// Returns the form in which refused records are written. `input` says how they are arranged in the inputs.
    pub(in crate::cli) fn written_as(&self, input: &InputFlags) -> anyhow::Result<RejectsAs> {
        anyhow::ensure!(
            self.rejects_as != RejectsAs::Rows || input.framing.rows_extension.is_some(),
            "--rejects-as rows is only for lines, tables and JSON lines; links and grids are not rows"
        );
        Ok(self.rejects_as)
    }

    /// Returns where refused records go: to the file of `--rejects`, to a file beside the output file, or to stderr.
    pub(in crate::cli) fn target(
        &self,
        outputs: &mut Outputs,
        input: &InputFlags,
        output: &OutputFlags,
        more: &MoreRows,
    ) -> anyhow::Result<RejectsTo> {
        let beside = if self.rejects.is_none() { self.default_path(input, output) } else { None };
        if let (Some(path), Some(name)) = (&output.output, beside.as_deref().and_then(Path::file_name)) {
            anyhow::ensure!(
                name.len() <= LONGEST_NAME || path.file_name().is_some_and(|own| own.len() > LONGEST_NAME),
                Error::file(
                    path,
                    "its name is so long that no list of rejects can be beside it; name one with --rejects FILE"
                )
            );
        }
        let file = self.rejects.clone().or(beside);
        Ok(match outputs.named("--rejects", file.as_deref())? {
            Some(claim) => RejectsTo::Lazy(into_target(claim)),
            None => to_stderr(more),
        })
    }

    /// Returns `OUT.rejects.tsv` beside an output file. For rows, it has the extension of the framing.
    fn default_path(&self, input: &InputFlags, output: &OutputFlags) -> Option<PathBuf> {
        let path = output.output.as_ref().filter(|path| !is_stdout(path))?;
        // If the output is a device, or exists and is not a regular file (a FIFO), no file is put beside it.
        if is_device(path) || path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return None;
        }
        let ending = match self.rejects_as {
            RejectsAs::Rows => input.framing.rows_extension.unwrap_or("txt"),
            _ => "tsv",
        };
        let mut name = path.clone().into_os_string();
        name.push(format!(".rejects.{ending}"));
        Some(name.into())
    }
}

/// Writes rows to stderr; on a terminal, only the first of them.
pub(in crate::cli) fn to_stderr(more: &MoreRows) -> RejectsTo {
    match std::io::stderr().is_terminal() {
        true => RejectsTo::Writer(Box::new(FirstRows::new(Stderr, more))),
        false => RejectsTo::Writer(Box::new(Stderr)),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn rejects_go_beside_the_output() {
        let parse = |args: &[&str]| {
            let cli = crate::cli::command::Cli::try_parse_from([&["gridmill", "convert"], args].concat()).unwrap();
            let crate::cli::command::Command::Convert(flags) = cli.command else { panic!("another command") };
            flags.0.rejects.default_path(&flags.0.input, &flags.0.output)
        };
        assert_eq!(parse(&[]), None);
        assert_eq!(parse(&["-o", "x.txt"]), Some(PathBuf::from("x.txt.rejects.tsv")));
        assert_eq!(parse(&["-o", "x.txt", "--rejects-as", "rows"]), Some(PathBuf::from("x.txt.rejects.txt")));
        let table = ["-o", "x", "--rejects-as", "rows", "--framing", "csv", "--column", "1"];
        assert_eq!(parse(&table), Some(PathBuf::from("x.rejects.csv")));
        assert_eq!(parse(&["-o", if cfg!(windows) { "NUL" } else { "/dev/null" }]), None);
        assert_eq!(parse(&["-o", "-"]), None);
        assert_eq!(parse(&["-o", "./-"]), Some(PathBuf::from("./-.rejects.tsv")));
    }
}
