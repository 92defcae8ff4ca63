//! The command-line program. There is a file for each command: its flags, what they mean, and what is printed. `flags`
//! has the flags that several commands share.

mod bench;
mod canon;
mod command;
mod convert;
mod dedupe;
mod deferred;
mod diff_output;
mod first_rows;
mod flags;
mod formats;
mod generate;
mod help;
mod hints;
mod large_text;
mod line_diff;
mod link_rows;
mod migrate;
mod outputs;
mod pages;
mod passwords;
mod progress;
mod relink;
mod show;
mod signals;
mod solve;
mod startup;
mod streams;
mod typed;
mod validate;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches};

use crate::error::{Error, escape};
use crate::framing::RecordSort;
use crate::platform;
use command::{Cli, Command};
use deferred::{Deferred, build_flags};
use streams::{Stderr, Stdout};

pub use startup::{Allocator, before_main};

/// The run succeeded.
const GOOD: u8 = 0;
/// The run ended; some records were rejected or invalid.
const SOME_BAD: u8 = 1;
/// The run failed.
const FAILED: u8 = 2;

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    startup::take_stack();
    std::panic::set_hook(Box::new(|panic| {
        // Rust's runtime panics with these words if there is no memory for a thread, and would abort the program
        // afterwards.
        let words = panic.payload().downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.payload().downcast_ref::<&str>().copied()).unwrap_or_default();
        if words.starts_with("failed to ") && words.contains("alternative") {
            startup::end_for_memory();
        }
        // The standard library and Arrow's need them for hash tables, in any thread.
        if words.starts_with("failed to generate random data") || words.starts_with("getrandom::fill() failed") {
            startup::end_without_randomness();
        }
        // It also panics if a folder that was read cannot be closed.
        if words.starts_with("unexpected error during closedir") {
            let why = words.split('"').nth(1).unwrap_or("the system gave no reason");
            print_stderr(&format!("a folder that was read cannot be closed: {why}; run again"));
            return;
        }
        if crate::columnar::is_reading() {
            return;
        }
        let place = panic.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
        print_stderr(&format!("internal error{place}; please report it with the input that caused it"));
    }));
    let matches = match program().try_get_matches_from(platform::arguments()) {
        Ok(matches) => matches,
        Err(error) => return answer(error),
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return answer(error),
    };
    let framing_is_typed = matches.subcommand().is_some_and(|(_, typed)| {
        typed.try_contains_id("framing").is_ok() && typed.value_source("framing") == Some(ValueSource::CommandLine)
    });
    let done = std::panic::catch_unwind(move || {
        signals::install().context("cannot watch for signals")?;
        dispatch(cli.command, framing_is_typed)
    });
    drop(crate::output::remove_temporaries());
    print_notes();
    match done {
        Ok(Ok(code)) => {
            if code == FAILED {
                // A run that was stopped by a signal has cleaned up by now.
                signals::end();
            }
            ExitCode::from(code)
        }
        Ok(Err(error)) => fail(&error),
        Err(_) => ExitCode::from(FAILED),
    }
}

/// Prints clap's messages: help and version to stdout, errors to stderr.
fn answer(error: clap::Error) -> ExitCode {
    let command = platform::arguments().nth(1).unwrap_or_default();
    let error = typed::with_tip(error, &command.to_string_lossy());
    if error.use_stderr() {
        // The message repeats what was typed.
        let text = error.to_string();
        let safe = printable(&without_typed_line_ends(&text));
        // The text lacks escape sequences that were typed, but the coloured message repeats them.
        let is_safe =
            |argument: std::ffi::OsString| argument.to_str().is_some_and(|argument| printable(argument) == argument);
        if safe == text && std::env::args_os().all(is_safe) {
            drop(error.print());
        } else {
            drop(Stderr.write_all(safe.as_bytes()));
        }
        if let Some(hint) = hints::for_a_string_as_command(&error) {
            drop(Stderr.write_all(hint.as_bytes()));
        }
        return ExitCode::from(FAILED);
    }
    let printed = match platform::was_closed(1) {
        true => Err(anyhow::anyhow!("stdout is closed")),
        false => error.print().map_err(|error| Error::io("<stdout>", "write", error).into()),
    };
    printed.map_or_else(|error| fail(&error), |()| ExitCode::from(GOOD))
}

/// Escapes the line ends of arguments in a message of several lines.
fn without_typed_line_ends(text: &str) -> String {
    let arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    arguments.filter(|argument| argument.contains('\n')).fold(text.to_string(), |text, argument| {
        let value = argument.split_once('=').map_or("", |(_, value)| value);
        let typed = if text.contains(&argument) || value.is_empty() { &argument } else { value };
        text.replace(typed, &typed.replace('\n', "\\n"))
    })
}

/// Returns the command line for clap, with the values that are only known at run time.
fn program() -> clap::Command {
    Cli::command()
        .long_version(pages::long_version())
        .mut_subcommand("validate", |validate| validate.defer(validate_flags))
        .mut_subcommand("solve", |solve| solve.defer(without_links::<solve::SolveFlags>))
        .mut_subcommand("canon", |canon| canon.defer(without_links::<canon::CanonFlags>))
        .mut_subcommand("dedupe", |dedupe| dedupe.defer(without_links::<dedupe::DedupeFlags>))
        .mut_subcommand("migrate", |migrate| migrate.defer(migrate_flags))
}

/// Like [`program`], but for pages that list every command: `help` only lists subcommands of commands that are already
/// built.
fn whole_program() -> clap::Command {
    program().mut_subcommand("migrate", |migrate| migrate_flags(migrate).defer(|migrate| migrate))
}

/// Adapts shared flags for `validate`, where they write something else than in `convert`.
fn validate_flags(command: clap::Command) -> clap::Command {
    let bad =
        "Where the rows for bad records go; '-' is stdout (default: stdout, or stderr if good records go to stdout)";
    let passed_on =
        "Write the good records to this file, unchanged; '-' is stdout. A name that ends in .zst compresses.";
    build_flags::<validate::ValidateFlags>(command)
        .mut_arg("rejects", |rejects| rejects.help(bad))
        .mut_arg("output", |output| output.help(passed_on))
}

/// Adapts the flags of a command that does not support links, which are not rows.
fn without_links<T: Args>(command: clap::Command) -> clap::Command {
    build_flags::<T>(command)
        .mut_arg("framing", |framing| framing.value_parser(flags::framing_parser_without(RecordSort::Links)))
}

/// Adapts the flags of `migrate`: only SQLite has rowids, and a restore has the batches of the migration, however long
/// they take.
fn migrate_flags(command: clap::Command) -> clap::Command {
    let key = "The column, or columns, that identify each row; they need a unique index \
        (default: the rowid, or the primary key)";
    build_flags::<migrate::MigrateCommand>(command)
        .mut_subcommands(help::with_short_help)
        .mut_subcommand("sqlite", |sqlite| sqlite.mut_arg("key", |arg| arg.help(key)))
        .mut_subcommand("restore", |restore| restore.mut_arg("batch_time", |arg| arg.hide(true)))
}

fn dispatch(command: Command, framing_is_typed: bool) -> anyhow::Result<u8> {
    match command {
        Command::Convert(Deferred(mut flags)) => {
            prepare("convert", &mut flags.input, framing_is_typed, flags.output.quiet)?;
            convert::run(&flags)
        }
        Command::Gen(Deferred(flags)) => generate::run(&flags),
        Command::Bench(Deferred(flags)) => bench::run(&flags),
        Command::Show(Deferred(flags)) => show::run(&flags),
        Command::Formats(Deferred(flags)) => formats::run(&flags),
        Command::Completions(Deferred(flags)) => pages::completions(&flags),
        Command::Man(Deferred(flags)) => pages::man(&flags),
        Command::Validate(Deferred(mut flags)) => {
            prepare("validate", &mut flags.input, framing_is_typed, flags.output.quiet)?;
            validate::run(&flags)
        }
        Command::Solve(Deferred(mut flags)) => {
            prepare("solve", &mut flags.input, framing_is_typed, flags.output.quiet)?;
            solve::run(&flags)
        }
        Command::Canon(Deferred(mut flags)) => {
            prepare("canon", &mut flags.input, framing_is_typed, flags.output.quiet)?;
            canon::run(&flags)
        }
        Command::Dedupe(Deferred(mut flags)) => {
            prepare("dedupe", &mut flags.input, framing_is_typed, flags.output.quiet)?;
            dedupe::run(&flags)
        }
        Command::Relink(Deferred(flags)) => relink::run(&flags),
        Command::Migrate(Deferred(flags)) => migrate::run(&flags),
    }
}

/// Checks what was typed as the inputs of a command. Detects their framing if that is asked for, and prints what was
/// detected.
fn prepare(command: &str, input: &mut flags::InputFlags, framing_is_typed: bool, quiet: bool) -> anyhow::Result<()> {
    input.detection.is_typed = framing_is_typed;
    input.check_names(command)?;
    if !quiet && input.reads_terminal() {
        let end = platform::END_OF_TYPING;
        print_stderr(&format!("reads from the terminal until {end}; name a file, or '--help' for more"));
    }
    if let Some(note) = input.detect_framing(command)?.filter(|_| !quiet) {
        print_stderr(&note);
    }
    Ok(())
}

/// Prints why the run failed, and returns the exit code.
fn fail(error: &anyhow::Error) -> ExitCode {
    match error.downcast_ref::<Error>() {
        // The reader has closed the output because it has what it wanted.
        Some(Error::Closed) => return ExitCode::from(GOOD),
        Some(Error::Stopped(_)) => {
            print_stderr(&format!("{error:#}"));
            return ExitCode::from(SOME_BAD);
        }
        _ => {}
    }
    print_stderr(&message(error));
    ExitCode::from(FAILED)
}

/// Returns an error and its causes in one line, without repetitions.
fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            text = if text.is_empty() { cause } else { format!("{text}: {cause}") };
        }
    }
    text
}

/// Prints a line to stderr, made safe for a terminal. A failure to print it cannot be reported and is ignored.
fn print_stderr(text: &str) {
    drop(Stderr.write_all(as_messages(&[text]).as_bytes()));
}

/// Prints what was lost with files that were replaced.
fn print_notes() {
    crate::output::take_notes().iter().for_each(|note| print_stderr(note));
}

/// Returns lines as messages for stderr.
fn as_messages(lines: &[impl AsRef<str>]) -> String {
    lines.iter().map(|line| format!("gridmill: {}\n", printable(line.as_ref()))).collect()
}

/// Masks passwords, and escapes control characters. (Paths and records in messages are already escaped; their
/// backslashes stay as they are.)
fn printable(text: &str) -> String {
    let text = passwords::mask(text);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\\' || c == '\n' {
            out.push(c);
        } else {
            let mut utf8 = [0; 4];
            out.push_str(&escape(c.encode_utf8(&mut utf8).as_bytes()));
        }
    }
    out
}

/// Prints to stdout.
fn print(bytes: &[u8]) -> anyhow::Result<u8> {
    if platform::was_closed(1) {
        anyhow::bail!("stdout is closed");
    }
    Stdout.write_all(bytes).map_err(|error| Error::io("<stdout>", "write", error))?;
    Ok(GOOD)
}

/// Prints a message for people to stdout, or to stderr if stdout has other output.
fn print_beside(stdout_is_taken: bool, text: &str) -> anyhow::Result<()> {
    let text = passwords::mask(text);
    if stdout_is_taken {
        // As with all messages, a failure cannot be reported.
        drop(Stderr.write_all(text.as_bytes()));
        return Ok(());
    }
    print(text.as_bytes()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So ends a run whose counts do not add up.
    #[test]
    fn an_internal_error_is_a_failure() {
        let code = fail(&Error::Internal("one record too many".into()).into());
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(FAILED)));
    }
}
