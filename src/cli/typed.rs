//! Says what to type instead of a flag or a command that there is in other programs, or in another command of this one. clap only finds
//! words that are spelled nearly alike.

use clap::error::{ContextKind, ContextValue};

use crate::framing::NamedFraming;

/// A tip for the words that people type in a command, or in any if it is empty.
struct Tip {
    command: &'static str,
    typed: &'static [&'static str],
    words: &'static str,
}

const TIPS: [Tip; 10] = [
    Tip { command: "gen", typed: &["--to", "--from"], words: "use '--format'" },
    Tip {
        command: "convert",
        typed: &["--format"],
        words: "'--to' gives the format to write, '--from' that of the input",
    },
    Tip { command: "validate", typed: &["--unique"], words: "use '--level unique'" },
    Tip { command: "convert", typed: &["--unique"], words: "use '--check unique'" },
    Tip { command: "", typed: &["--input", "--file", "--in"], words: "files are named without a flag" },
    Tip { command: "", typed: &["--jobs", "--parallel"], words: "use '--threads'" },
    Tip { command: "", typed: &["--separator", "--sep"], words: "use '--delimiter'" },
    Tip {
        command: "",
        typed: &["grade", "rate", "difficulty"],
        words: "'gridmill validate --add grade-name' writes the grade of each puzzle",
    },
    Tip {
        command: "",
        typed: &["undo", "rollback", "revert"],
        words: "'gridmill migrate restore' puts back what a migration changed",
    },
    Tip { command: "", typed: &["check", "verify"], words: "use 'gridmill validate'" },
];

/// The words of a tip for what was typed in a command.
fn tip(command: &str, typed: &str) -> Option<String> {
    let is_of = |tip: &&Tip| (tip.command.is_empty() || tip.command == command) && tip.typed.contains(&typed);
    let framing = || typed.strip_prefix("--").filter(|name| NamedFraming::named(name).is_some());
    let is_file = |name: &&str| matches!(*name, "parquet" | "arrow");
    let by_name =
        || typed.strip_prefix("--").filter(is_file).map(|_| "such files are recognised without a flag".into());
    let known = TIPS.iter().find(is_of).map(|tip| tip.words.to_string());
    known.or_else(|| framing().map(|name| format!("use '--framing {name}'"))).or_else(by_name)
}

/// Whether a command has the flags that a tip names. (Tips that are whole commands are not about the one that was typed.)
fn has_flags(command: &str, words: &str) -> bool {
    let program = super::program();
    let Some(command) = program.find_subcommand(command).filter(|_| !words.contains("gridmill ")) else { return true };
    let mut command = command.clone();
    command.build();
    let mut flags = words.split(['\'', ' ']).filter_map(|word| word.strip_prefix("--"));
    flags.all(|flag| command.get_arguments().any(|argument| argument.get_long() == Some(flag)))
}

/// Replaces what clap suggests by a tip, if there is one for what was typed.
pub(super) fn with_tip(mut error: clap::Error, command: &str) -> clap::Error {
    let typed = [ContextKind::InvalidArg, ContextKind::InvalidSubcommand].into_iter().find_map(|kind| error.get(kind));
    let Some(ContextValue::String(typed)) = typed else { return error };
    let Some(words) = tip(command, typed).filter(|words| has_flags(command, words)) else { return error };
    // The line of usage has what clap suggests, too.
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::Usage] {
        error.remove(kind);
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![words.into()]));
    error
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;

    fn said(arguments: &[&str]) -> String {
        let command = arguments.first().copied().unwrap_or_default();
        let error = crate::cli::program().try_get_matches_from([&["gridmill"], arguments].concat()).map(|_| ());
        let error = error.expect_err("words that there are not");
        let is_unknown = matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand);
        assert!(is_unknown, "{arguments:?}: {error}");
        with_tip(error, command).to_string()
    }

    /// What is typed is unknown, and each flag of a tip is one of the command.
    #[test]
    fn tips_name_what_there_is() {
        for Tip { command, typed, words } in TIPS {
            let command = if command.is_empty() { "convert" } else { command };
            for typed in typed {
                let arguments = if typed.starts_with("--") { vec![command, typed] } else { vec![*typed] };
                let said = said(&arguments);
                assert!(said.contains(words), "{arguments:?}: {said}");
                assert_eq!(said.matches("tip:").count(), 1, "{arguments:?}: {said}");
            }
            let program = crate::cli::whole_program();
            for word in words.split(['\'', ' ']).filter(|word| word.starts_with("--")) {
                let name = if words.contains("gridmill validate") { "validate" } else { command };
                let mut command = program.find_subcommand(name).expect("a command").clone();
                command.build();
                let has_flag = command.get_arguments().any(|argument| argument.get_long() == word.strip_prefix("--"));
                assert!(has_flag, "{word} in {name}");
            }
        }
    }

    #[test]
    fn tips_for_framings_and_words_in_subcommands() {
        assert!(said(&["validate", "--csv", "x"]).contains("use '--framing csv'"));
        assert!(!said(&["gen", "--csv", "x"]).contains("--framing"));
        assert!(said(&["convert", "--parquet", "x"]).contains("without a flag"));
        assert!(said(&["migrate", "undo"]).contains("'gridmill migrate restore'"));
        let other = said(&["convert", "--framin", "csv"]);
        assert!(other.contains("'--framing'") && other.contains("Usage"), "{other}");
    }
}
