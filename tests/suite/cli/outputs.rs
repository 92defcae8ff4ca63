//! No output is an input, or another output: a table over all commands.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rusqlite::Connection;

use crate::support::{Done, Folder, PLAIN, gridmill, recode, run, shell};
use gridmill::formats::Id;

/// A command: its words (`@` is an input that others may stand before), and the flags that name its outputs.
struct Command {
    words: &'static str,
    outputs: &'static [&'static str],
    /// What it reads.
    inputs: &'static [&'static str],
    /// It reads its input from stdin, too.
    stdin: bool,
}

const TEXT: &[&str] = &["in", "hard", "soft", "./in", "sub/../in"];
const PAGES: &[&str] = &["site/a.html", "site/deep/b.html", "page", "site/../page"];
const DATABASE: &[&str] = &["x.db", "x.db-wal", "x.db-shm", "x.db-journal", "link.db", "journal"];

const COMMANDS: &[Command] = &[
    Command { words: "convert other in", outputs: CONVERT, inputs: TEXT, stdin: false },
    Command { words: "convert --framing csv --column 1 other in", outputs: CONVERT, inputs: TEXT, stdin: false },
    Command { words: "convert", outputs: CONVERT, inputs: TEXT, stdin: true },
    Command { words: "convert other -", outputs: CONVERT, inputs: TEXT, stdin: true },
    Command { words: "validate other in", outputs: VALIDATE, inputs: TEXT, stdin: false },
    Command { words: "validate", outputs: VALIDATE, inputs: TEXT, stdin: true },
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
];

const CONVERT: &[&str] = &["--output", "--rejects", "--list-solved", "--report"];
const VALIDATE: &[&str] = &["--output", "--rejects", "--report"];
const MIGRATE: &[&str] = &["--rejects", "--report"];

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

/// A folder with inputs for all commands; a database with a journal in use.
fn folder() -> (Folder, Connection) {
    let folder = Folder::new();
    let v1 = recode(PLAIN, Id::V1);
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
    symlink("x.db", folder.at("link.db")).expect("a link");
    symlink("x.db-journal", folder.at("journal")).expect("a link that dangles");
    (folder, database)
}

/// Every file and what is in it.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                all.extend(contents(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
            }
            // Locks stand in it, which a reader takes too.
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
    for command in COMMANDS {
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
    for command in COMMANDS {
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

/// The name that rejects have without a flag.
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

/// What the shell has opened for the program.
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
    // Messages may stand among other lines.
    for script in ["convert in > new 2>&1", "convert in -o /dev/null --rejects /dev/stderr 2> log", "gen > new 2>> log"]
    {
        let done = run(shell(&format!("$G {script}")).current_dir(folder.path()), b"");
        assert!(done.code < Some(2), "{script}: {done:?}");
    }
}

/// Every flag that names an output is in the table.
#[test]
fn the_table_is_whole() {
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
        let text = help(&words);
        let flags = text.lines().filter(|line| line.trim_start().starts_with('-'));
        let outputs = flags.filter(|line| line.contains(" <FILE>") || line.contains(" <OUT>"));
        for line in outputs {
            let flag = line.split_whitespace().find(|word| word.starts_with("--")).expect("a long flag");
            let of_it = COMMANDS.iter().filter(|command| command.words().starts_with(&words));
            let known = of_it.clone().all(|command| command.outputs.contains(&flag));
            assert!(known && of_it.count() > 0, "{words:?} {flag} is not in the table");
        }
    }
}
