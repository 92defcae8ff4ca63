//! No output is an input, or another output: a table of all commands.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rusqlite::Connection;

use crate::support::{Done, Folder, PLAIN, gridmill, recode, run, shell};
use gridmill::formats::Format;

/// A command: its arguments (`@` marks an input, before which others may be inserted), and the flags that name its
/// outputs.
struct Command {
    words: &'static str,
    outputs: &'static [&'static str],
    /// Its inputs.
    inputs: &'static [&'static str],
    /// Whether it also reads its input from stdin.
    stdin: bool,
}

const TEXT: &[&str] = &["in", "hard", "soft", "./in", "sub/../in"];
const PAGES: &[&str] = &["site/a.html", "site/deep/b.html", "page", "site/../page"];
const DATABASE: &[&str] = &["x.db", "x.db-wal", "x.db-shm", "x.db-journal", "link.db", "journal"];

const COMMANDS: &[Command] = &[
    Command { words: "convert other in", outputs: CONVERT, inputs: TEXT, stdin: false },
    Command { words: "convert --framing csv --column 1 other in", outputs: CONVERT, inputs: TEXT, stdin: false },
    Command { words: "convert other in", outputs: ARRAY, inputs: TEXT, stdin: false },
    Command { words: "convert", outputs: CONVERT, inputs: TEXT, stdin: true },
    Command { words: "convert other -", outputs: CONVERT, inputs: TEXT, stdin: true },
    Command { words: "validate other in", outputs: VALIDATE, inputs: TEXT, stdin: false },
    Command { words: "validate", outputs: VALIDATE, inputs: TEXT, stdin: true },
    Command { words: "solve other in", outputs: VALIDATE, inputs: TEXT, stdin: false },
    Command { words: "canon other in", outputs: VALIDATE, inputs: TEXT, stdin: false },
    Command { words: "canon", outputs: VALIDATE, inputs: TEXT, stdin: true },
    Command { words: "dedupe other in", outputs: DEDUPE, inputs: TEXT, stdin: false },
    Command { words: "dedupe other --against in", outputs: DEDUPE, inputs: TEXT, stdin: false },
    Command { words: "dedupe", outputs: DEDUPE, inputs: TEXT, stdin: true },
    Command { words: "gen", outputs: &["--output"], inputs: &[], stdin: false },
    Command { words: "show", outputs: &["--svg"], inputs: TEXT, stdin: true },
    Command { words: "show -", outputs: &["--svg"], inputs: TEXT, stdin: true },
    Command { words: "bench --runs 1 -j1 in", outputs: &["--svg"], inputs: TEXT, stdin: false },
    Command { words: "relink site page", outputs: &["--rejects"], inputs: PAGES, stdin: false },
    Command { words: "relink --write site page", outputs: &["--rejects"], inputs: PAGES, stdin: false },
    Command { words: "relink", outputs: &["--rejects"], inputs: TEXT, stdin: true },
    Command { words: "migrate sqlite x.db --table t --column bd", outputs: MIGRATE, inputs: DATABASE, stdin: false },
    Command {
        words: "migrate sqlite x.db --table t --column bd --yes",
        outputs: MIGRATE,
        inputs: DATABASE,
        stdin: false,
    },
    Command { words: "migrate sqlite link.db --table t --column bd", outputs: MIGRATE, inputs: DATABASE, stdin: false },
    Command {
        words: "migrate postgres postgres://nobody@127.0.0.1:1/none --table t --column bd",
        outputs: MIGRATE,
        inputs: &[],
        stdin: false,
    },
    Command {
        words: "migrate restore back.zst x.db",
        outputs: RESTORE,
        inputs: &["back.zst", "x.db", "x.db-wal"],
        stdin: false,
    },
    Command {
        words: "migrate mysql mysql://nobody@127.0.0.1:1/none --table t --column bd",
        outputs: MIGRATE,
        inputs: &[],
        stdin: false,
    },
];

/// The commands that this program has.
fn built_commands() -> impl Iterator<Item = &'static Command> {
    let is_of_a_server = |words: &str| ["migrate postgres", "migrate mysql"].iter().any(|name| words.starts_with(name));
    COMMANDS.iter().filter(move |command| cfg!(feature = "databases") || !is_of_a_server(command.words))
}

/// Flags that name files to be read.
const INPUTS: &[&str] = &["--against"];

const CONVERT: &[&str] = &["--output", "--rejects", "--list-solved", "--report"];
const ARRAY: &[&str] = &["--to-numpy", "--rejects", "--list-solved", "--report"];
const VALIDATE: &[&str] = &["--output", "--rejects", "--report"];
const DEDUPE: &[&str] = &["--output", "--groups", "--rejects", "--report"];
const MIGRATE: &[&str] = &["--backup", "--rejects", "--report"];
const RESTORE: &[&str] = &["--rejects", "--report"];

impl Command {
    fn words(&self) -> Vec<&'static str> {
        self.words.split(' ').collect()
    }

    /// Runs it in the folder with these outputs, `--force` and the input on stdin.
    #[track_caller]
    fn run(&self, folder: &Folder, outputs: &[(&str, &str)]) -> Done {
        let mut script = format!("$G {} --force", self.words);
        for (flag, name) in outputs {
            script.push_str(&format!(" {flag} '{name}'"));
        }
        if self.stdin {
            script.push_str(" < in");
        }
        run(shell(&script).current_dir(folder.path()), b"")
    }
}

/// A folder with inputs for all commands, and a database with a journal in use.
fn folder() -> (Folder, Connection) {
    let folder = Folder::new();
    let v1 = recode(PLAIN, Format::V1);
    folder.write("in", format!("{v1}\nbad\n"));
    folder.write("other", format!("{v1}\n"));
    fs::hard_link(folder.at("in"), folder.at("hard")).expect("a link");
    symlink("in", folder.at("soft")).expect("a link");
    fs::create_dir(folder.at("sub")).expect("a folder");
    fs::create_dir_all(folder.at("site/deep")).expect("folders");
    for page in ["site/a.html", "site/deep/b.html", "page"] {
        let link = "https://www.sudokuwiki.org/sudoku.htm?bd=";
        folder.write(page, format!("{link}{v1} {link}cut"));
    }
    let database = Connection::open(folder.at("x.db")).expect("a database");
    let sql = format!(
        "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, bd TEXT);
         INSERT INTO t (bd) VALUES ('{v1}'), ('bad')"
    );
    database.execute_batch(&sql).expect("rows");
    // A backup, of a database like that one.
    let other = Connection::open(folder.at("y.db")).expect("a database");
    other.execute_batch(&sql.replace("WAL", "DELETE")).expect("rows");
    drop(other);
    let words = "migrate sqlite y.db --table t --column bd --yes -q --backup back.zst";
    assert_eq!(run(gridmill(words.split(' ')).current_dir(folder.path()), b"").code, Some(1));
    symlink("x.db", folder.at("link.db")).expect("a link");
    symlink("x.db-journal", folder.at("journal")).expect("a link that dangles");
    (folder, database)
}

/// Every file and its contents.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                all.extend(contents(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
            }
            // It contains locks, which readers take, too.
            Ok(_) if name.ends_with("-shm") => _ = all.insert(name, Vec::new()),
            Ok(_) => _ = all.insert(name, fs::read(&path).expect("reading")),
            Err(_) => _ = all.insert(name, b"a link that dangles".to_vec()),
        }
    }
    all
}

#[test]
fn no_output_of_any_command_is_an_input() {
    let (folder, _database) = folder();
    let before = contents(folder.path());
    for command in built_commands() {
        for flag in command.outputs {
            for name in command.inputs {
                let done = command.run(&folder, &[(flag, name)]);
                assert!(done.stdout.is_empty(), "{} {flag} {name}", command.words);
                done.failed(&[name, "also an input"]);
                assert!(contents(folder.path()) == before, "{} {flag} {name}", command.words);
            }
        }
    }
}

#[test]
fn no_two_outputs_of_any_command_are_one_file() {
    let (folder, _database) = folder();
    folder.write("there", "old");
    fs::hard_link(folder.at("there"), folder.at("there2")).expect("a link");
    symlink("new", folder.at("leads")).expect("a link that dangles");
    let before = contents(folder.path());
    for command in built_commands() {
        for (n, a) in command.outputs.iter().enumerate() {
            for b in &command.outputs[..n] {
                for (one, two) in [("new", "./new"), ("new", "leads"), ("there", "there2"), ("new", "sub/../new")] {
                    for (one, two) in [(one, two), (two, one)] {
                        let done = command.run(&folder, &[(a, one), (b, two)]);
                        assert!(done.stdout.is_empty(), "{} {a} {one} {b} {two}", command.words);
                        done.failed(&["same file", a, b]);
                        assert!(contents(folder.path()) == before, "{} {a} {one} {b} {two}", command.words);
                    }
                }
            }
        }
    }
}

/// The default name of rejects.
#[test]
fn rejects_beside_the_output_are_an_output() {
    let folder = Folder::new();
    let text = format!("{PLAIN}\nbad\n");
    folder.write("out.rejects.tsv", &text);
    for words in ["convert out.rejects.tsv -o out", "convert out.rejects.tsv -f -o out"] {
        run(gridmill(words.split(' ')).current_dir(folder.path()), b"").failed(&["out.rejects.tsv", "also an input"]);
    }
    assert_eq!((folder.text("out.rejects.tsv"), folder.names().len()), (text, 1));
}

/// Files that the shell has opened for the program.
#[test]
fn streams_are_outputs() {
    let (folder, _database) = folder();
    let database = "migrate sqlite x.db --table t --column bd";
    for (script, words) in [
        ("convert in >> in", &["<stdout>", "also an input"][..]),
        ("convert < in >> hard", &["<stdout>", "also an input"]),
        ("validate in >> in", &["<stdout>", "also an input"]),
        ("show < in >> in", &["<stdout>", "also an input"]),
        ("bench --runs 1 in >> in", &["<stdout>", "also an input"]),
        ("relink < in >> in", &["<stdout>", "also an input"]),
        ("relink site >> site/a.html", &["<stdout>", "also an input"]),
        (&format!("{database} >> x.db"), &["<stdout>", "also an input"]),
        ("convert in --report new -f > new", &["--report", "the output", "same file"]),
        ("convert in -o new -f --report /dev/fd/3 3> new", &["--report", "--output", "same file"]),
        ("gen -o log -f 2>> log; cat log >&2", &["--output", "the messages on stderr", "same file"]),
        (&format!("{database} --report log -f 2>> log; cat log >&2"), &["--report", "stderr", "same file"]),
    ] {
        for name in ["new", "log"] {
            drop(fs::remove_file(folder.at(name)));
        }
        let before = contents(folder.path());
        let done = run(shell(&format!("$G {script}")).current_dir(folder.path()), b"");
        for word in words {
            assert!(done.stderr.contains(word), "{script}: {done:?}");
        }
        let mut after = contents(folder.path());
        after.retain(|name, _| name != "new" && name != "log");
        assert!(after == before, "{script}");
    }
    // Messages may be mixed with other lines.
    for script in ["convert in > new 2>&1", "convert in -o /dev/null --rejects /dev/stderr 2> log", "gen > new 2>> log"]
    {
        let done = run(shell(&format!("$G {script}")).current_dir(folder.path()), b"");
        assert!(done.code < Some(2), "{script}: {done:?}");
    }
}

/// A command writes the same to stdout, if an output is `-`, as to a file, while other output to stdout moves
/// elsewhere.
#[test]
fn a_dash_is_stdout() {
    let (folder, _database) = folder();
    let v1 = recode(PLAIN, Format::V1);
    for (words, flag) in [
        ("convert -q in -f --rejects r", "-o"),
        ("convert -q in -f -o /dev/null", "--rejects"),
        ("convert -q in -f -o /dev/null --rejects r", "--list-solved"),
        ("convert -q other -f -o o", "--report"),
        ("validate -q in -f --rejects r", "-o"),
        ("validate -q in -f -o o", "--rejects"),
        ("validate -q in -f", "--rejects"),
        ("validate -q in -f --rejects r", "--report"),
        ("gen -q --count 3", "-o"),
        ("gen -q --count 3 --zstd", "-o"),
        (&format!("show {v1}"), "--svg"),
        ("relink -q --write site", "--rejects"),
        ("relink -q --write page", "--rejects"),
        ("migrate sqlite x.db --table t --column bd", "--rejects"),
        ("migrate sqlite x.db --table t --column bd", "--report"),
        ("migrate sqlite x.db --table t --column bd --yes -q --rejects r -f", "--report"),
    ] {
        let command = |place: &str| {
            let done = run(gridmill(words.split(' ')).args([flag, place]).current_dir(folder.path()), b"");
            assert!(done.code < Some(2), "{words} {flag} {place}: {done:?}");
            done.stdout
        };
        // The second `--write` finds what the third one finds.
        command("/dev/null");
        drop(fs::remove_file(folder.at("x")));
        command("x");
        let named = folder.read("x");
        let printed = command("-");
        assert!(!named.is_empty(), "{words} {flag}");
        // Times differ.
        let steady = |text: Vec<u8>| -> Vec<String> {
            let lines = String::from_utf8_lossy(&text).lines().map(str::to_string).collect::<Vec<_>>();
            lines
                .into_iter()
                .filter(|line| !["second", "\"read\"", "write", "verify"].iter().any(|w| line.contains(w)))
                .collect()
        };
        assert_eq!(steady(printed), steady(named), "{words} {flag}");
        assert!(!folder.at("-").exists(), "{words} {flag}");
    }
    // A file of that name.
    for words in ["gen -q --count 1 -o ./-", "convert -q in --rejects r -f -o ./-"] {
        run(gridmill(words.split(' ')).current_dir(folder.path()), b"");
        assert!(!folder.read("-").is_empty());
        fs::remove_file(folder.at("-")).expect("removing");
    }
    let done = run(gridmill("bench --runs 1 -j1 --svg - in".split(' ')).current_dir(folder.path()), b"");
    assert!(done.text().starts_with("<svg") && done.stderr.contains("memcpy"), "{done:?}");
}

#[test]
fn stdout_is_for_one_output() {
    let (folder, _database) = folder();
    let before = contents(folder.path());
    let migrate = "migrate sqlite x.db --table t --column bd";
    for (words, names) in [
        ("convert in --report -", ["the output (without -o)", "--report"]),
        ("convert in --rejects -", ["the output (without -o)", "--rejects"]),
        ("convert in --list-solved -", ["the output (without -o)", "--list-solved"]),
        ("convert in -o - --report -", ["--output", "--report"]),
        ("convert in -o - --report /dev/stdout", ["--output", "--report"]),
        ("convert in -o /dev/fd/1 --rejects -", ["--output", "--rejects"]),
        ("convert in -o new --rejects - --list-solved -", ["--rejects", "--list-solved"]),
        ("validate in --report -", ["the rows of bad records (without --rejects)", "--report"]),
        ("validate in -o - --rejects -", ["--output", "--rejects"]),
        ("validate in --rejects - --report -", ["--rejects", "--report"]),
        ("bench --json --svg - in", ["--svg", "the figures (--json)"]),
        ("relink site --rejects -", ["the diff (without --write)", "--rejects"]),
        ("relink --rejects -", ["the text (without PATH)", "--rejects"]),
        (&format!("{migrate} --rejects - --report -"), ["--rejects", "--report"]),
        (&format!("{migrate} --yes --rejects - --report -"), ["--rejects", "--report"]),
    ] {
        let done = run(gridmill(words.split(' ')).current_dir(folder.path()), b"");
        assert!(done.stdout.is_empty(), "{words}");
        done.failed(&[names[0], names[1], "both go to stdout", "name a file"]);
        assert!(contents(folder.path()) == before, "{words}");
    }
    // If no output needs it, stdout may be closed.
    let done = run(shell("$G convert -q other -o new --report r >&-").current_dir(folder.path()), b"");
    assert_eq!(done.code, Some(0), "{done:?}");
    for script in ["convert other -o - >&-", "convert other -o new --report - >&-", "validate other --rejects - >&-"] {
        run(shell(&format!("$G {script}")).current_dir(folder.path()), b"").failed(&["stdout is closed"]);
    }
}

/// Every flag that names an output is in the table: all flags that name a file, except `INPUTS`.
#[test]
fn the_table_has_every_output_flag() {
    let help = |words: &[&str]| run(gridmill(words).arg("--help"), b"").text().to_string();
    let section = |text: &str, title: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| *line != title).skip(1);
        lines.take_while(|line| !line.is_empty()).map(str::to_string).collect()
    };
    let commands = |text: &str| -> Vec<String> {
        let lines = section(text, "Commands:").into_iter();
        lines
            .filter_map(|line| Some(line.split_whitespace().next()?.to_string()))
            .filter(|word| word != "help")
            .collect()
    };
    let mut all: Vec<Vec<String>> = Vec::new();
    for command in commands(&help(&[])) {
        let inner = commands(&help(&[&command]));
        match inner.is_empty() {
            true => all.push(vec![command]),
            false => all.extend(inner.into_iter().map(|inner| vec![command.clone(), inner])),
        }
    }
    assert!(all.len() > 8, "{all:?}");
    for words in all {
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        if matches!(words[..], ["migrate", "postgres" | "mysql"]) && !cfg!(feature = "databases") {
            continue; // the command only says that it is not available
        }
        let text = help(&words);
        let flags = text.lines().filter(|line| line.trim_start().starts_with('-'));
        let outputs = flags.filter(|line| line.contains(" <FILE>") || line.contains(" <OUT>"));
        for line in outputs {
            let flag = line.split_whitespace().find(|word| word.starts_with("--")).expect("a long flag");
            if INPUTS.contains(&flag) {
                continue;
            }
            let of_it = COMMANDS.iter().filter(|command| command.words().starts_with(&words));
            let has = |command: &Command, flag| command.outputs.contains(&flag);
            // A run has only one of these.
            let one_of = ["--output", "--to-numpy"];
            let instead = |command: &Command| one_of.contains(&flag) && one_of.iter().any(|other| has(command, *other));
            let known = of_it.clone().all(|command| has(command, flag) || instead(command));
            assert!(known && of_it.clone().any(|command| has(command, flag)), "{words:?} {flag} is not in the table");
        }
    }
}
