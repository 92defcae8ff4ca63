//! Two helps for each command: `-h` has the flags that most people need and some examples, `--help` has everything. And the
//! parts of a help that are sections of a manual page.

use clap::Command;

/// The commonest flags of each command that has many. No two commands have the same last word.
const COMMON: [(&str, [&str; 5]); 13] = [
    ("convert", ["framing", "column", "to", "lossy", "output"]),
    ("validate", ["framing", "column", "level", "add", "output"]),
    ("solve", ["framing", "column", "to", "output", "force"]),
    ("canon", ["framing", "column", "form", "key", "output"]),
    ("dedupe", ["framing", "column", "by", "against", "output"]),
    ("relink", ["write", "plain", "any_host", "hidden", "rejects"]),
    ("migrate sqlite", ["table", "column", "to_column", "yes", "backup"]),
    ("migrate postgres", ["table", "column", "to_column", "yes", "backup"]),
    ("migrate mysql", ["table", "column", "to_column", "yes", "backup"]),
    ("migrate restore", ["yes", "wait", "rejects", "report", "quiet"]),
    ("gen", ["count", "kind", "format", "unique", "output"]),
    ("show", ["column", "kind", "svg", "json", "compact"]),
    ("bench", ["level", "format", "kind", "threads", "json"]),
];

/// The number of examples in a short help.
const EXAMPLES: usize = 2;

const EXAMPLES_TITLE: &str = "Examples:";
const EXIT_CODES_TITLE: &str = "Exit codes: ";

/// Gives a command with many flags a short help.
pub(super) fn with_short_help(command: Command) -> Command {
    let Some((page, common)) = COMMON.iter().find(|(page, _)| last_word(page) == command.get_name()) else {
        return command;
    };
    let whole = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let number = command.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_hide_set()).count();
    let examples = first_examples(&whole);
    let short = format!("{examples}\n\n'gridmill {page} --help' has all {number} flags, and more examples.");
    command
        .mut_args(|arg| {
            let is_common = arg.is_positional() || common.contains(&arg.get_id().as_str());
            arg.hide_short_help(!is_common)
        })
        .after_help(short)
        .after_long_help(whole)
}

fn last_word(page: &str) -> &str {
    page.rsplit(' ').next().unwrap_or(page)
}

/// The first examples of a help, each with the lines that continue or explain it.
fn first_examples(help: &str) -> String {
    let paragraph = help.split("\n\n").find(|paragraph| paragraph.starts_with(EXAMPLES_TITLE)).unwrap_or_default();
    let mut examples = 0;
    let mut is_first = |line: &&str| {
        examples += usize::from(line.starts_with("  ") && !line.starts_with("   "));
        examples <= EXAMPLES
    };
    paragraph.lines().take_while(&mut is_first).collect::<Vec<_>>().join("\n")
}

/// The sections of a manual page, with their lines, that a help is made of.
pub(super) fn sections(help: &str) -> Vec<(&'static str, Vec<&str>)> {
    let (mut examples, mut notes, mut codes) = (Vec::new(), Vec::new(), Vec::new());
    for paragraph in help.split("\n\n") {
        if let Some(text) = paragraph.strip_prefix(EXAMPLES_TITLE) {
            examples.extend(text.lines().skip(1));
        } else if let Some(text) = paragraph.strip_prefix(EXIT_CODES_TITLE) {
            codes.extend(text.lines());
        } else {
            if !notes.is_empty() {
                notes.push("");
            }
            notes.extend(paragraph.lines());
        }
    }
    if codes.is_empty() {
        codes.push("0 all good, 2 the run failed.");
    }
    let all = [("NOTES", notes), ("EXAMPLES", examples), ("EXIT STATUS", codes)];
    all.into_iter().filter(|(_, lines)| !lines.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::whole_program;
    use super::*;

    fn all(command: &Command, found: &mut Vec<Command>) {
        found.push(command.clone());
        command.get_subcommands().for_each(|command| all(command, found));
    }

    #[test]
    fn common_flags_exist_and_every_flag_has_a_heading() {
        let (mut program, mut commands) = (whole_program(), Vec::new());
        program.build();
        all(&program, &mut commands);
        for (name, common) in COMMON {
            let command = commands.iter().find(|command| command.get_name() == last_word(name)).expect(name);
            for flag in common {
                assert!(command.get_arguments().any(|arg| arg.get_id() == flag), "{name} {flag}");
            }
            let of_clap = ["help", "version"];
            let flags =
                command.get_arguments().filter(|arg| !arg.is_positional() && !of_clap.contains(&arg.get_id().as_str()));
            flags.for_each(|arg| assert!(arg.get_help_heading().is_some(), "{name} {}", arg.get_id()));
        }
    }

    #[test]
    fn examples_end_before_the_third_one() {
        let help = "Examples:\n  one\n  two \\\n      more\n      why\n  three\n\nNotes.\n\nExit codes: 0 good.";
        assert_eq!(first_examples(help), "Examples:\n  one\n  two \\\n      more\n      why");
        let lines: usize = sections(help).iter().map(|(_, lines)| lines.len()).sum();
        assert_eq!(lines, 5 + 1 + 1);
        assert_eq!(sections("")[0].0, "EXIT STATUS");
    }
}
