//! Migrations that run out of memory.

use std::fs;

use rusqlite::Connection;

use super::lines;
use crate::support::{Done, Folder, run, shell, v2};

const ROWS: usize = 300;

/// A migration with a backup, rejects and a report.
const COMMAND: &str = "$G migrate sqlite db --table boards --column bd --yes -q -f --batch 50 --backup old.zst \
                       --rejects rejects --report report";

/// A database of strings, and after them two values of 4 MB, which are read together, and refused if there is memory for
/// them.
fn database(folder: &Folder, strings: &[String]) {
    let db = Connection::open(folder.at("first")).expect("a database");
    db.execute_batch("CREATE TABLE boards (id INTEGER PRIMARY KEY, bd TEXT)").expect("a table");
    for (n, string) in strings.iter().enumerate() {
        db.execute("INSERT INTO boards VALUES (?, ?)", (n as i64 + 1, string)).expect("a row");
    }
    for id in [1000, 1001] {
        db.execute("INSERT INTO boards VALUES (?, replace(hex(zeroblob(2000000)), '0', 'x'))", [id]).expect("a row");
    }
}

/// The strings of an intact database.
fn strings(folder: &Folder) -> Vec<String> {
    let db = Connection::open(folder.at("db")).expect("a database");
    let check: String = db.query_row("PRAGMA integrity_check", (), |row| row.get(0)).expect("a check");
    assert_eq!(check, "ok");
    let mut query = db.prepare("SELECT bd FROM boards WHERE id < 1000 ORDER BY id").expect("a query");
    query.query_map((), |row| row.get(0)).expect("rows").collect::<Result<_, _>>().expect("text")
}

/// How many rows are written: a beginning that ends with a batch.
fn written(folder: &Folder, old: &[String], new: &[String]) -> usize {
    let rows = strings(folder);
    let written = rows.iter().zip(new).take_while(|(row, new)| row == new).count();
    assert!(rows[written..] == old[written..] && written % 50 == 0, "{written} rows are written");
    written
}

#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn memory_ended_after_some_batches() {
    let folder = Folder::new();
    let old = lines(ROWS, 6);
    let new: Vec<_> = old.iter().map(|line| v2(line)).collect();
    database(&folder, &old);
    let run = |limit: &str, command: &str| -> Done {
        run(shell(&format!("{limit}{command}")).current_dir(folder.path()), b"")
    };
    let (mut after, mut before) = (0, 0);
    for limit in (16_000..100_000).step_by(3_000) {
        for name in ["db-journal", "old.zst", "rejects", "report"] {
            _ = fs::remove_file(folder.at(name));
        }
        fs::copy(folder.at("first"), folder.at("db")).expect("a copy");
        // A program that is not even loaded, or lacks memory for the stack of its first functions, cannot report anything.
        let begins =
            "$G migrate sqlite none --table boards --column bd --yes -q > /dev/null 2>&1; [ $? = 2 ] || exit 1; ";
        let done = run(&format!("ulimit -v {limit}; {begins}"), COMMAND);
        let written = written(&folder, &old, &new);
        let names = folder.names();
        let what = format!("{limit}, {written} rows, {names:?}: {done:?}");
        assert!(!names.iter().any(|name| name.ends_with("-gridmill") || name.ends_with("gridmill-tmp")), "{what}");
        match done.code {
            Some(1) if names.contains(&"report".into()) => break,
            Some(1) => continue,
            _ => {}
        }
        assert_eq!(done.code, Some(2), "{what}");
        // With the least memory, no thread can be started.
        assert!(done.stderr.contains("out of memory") || written == 0, "{what}");
        assert!(done.stderr.starts_with("gridmill: ") && !done.stderr.contains("BACKTRACE"), "{what}");
        assert!(!names.contains(&"rejects".into()) && !names.contains(&"report".into()), "{what}");
        assert_eq!(done.stderr.contains("batches of a migration"), written > 0, "{what}");
        if written == 0 {
            before += 1;
            continue;
        }
        after += 1;
        // The same command succeeds when there is memory, and the backup has the old string of every row.
        assert_eq!(run("", COMMAND).code, Some(1));
        assert!(strings(&folder) == new);
        assert_eq!(run("", "$G migrate restore old.zst db --yes -q").code, Some(0));
        assert!(strings(&folder) == old && !folder.names().contains(&"db-journal".into()), "{what}");
    }
    assert!(after > 0, "{before} ended before the first batch");
}
