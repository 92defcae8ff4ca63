//! Columns of databases: SQLite here, PostgreSQL and MySQL where there are servers (`GRIDMILL_POSTGRES`, `GRIDMILL_MYSQL`).

/// Backups, and restores.
mod backups;
/// Several columns at once.
mod columns;
/// Keys of several columns.
mod composite_keys;
/// Migrations while other sessions read and write.
mod concurrency;
/// Databases that tests inspect.
mod db;
/// `--where`.
mod filter;
/// The keys of rows.
mod keys;
/// Values that are not read as a whole.
mod large_values;
/// Migrations that run out of memory.
mod memory_ends;
/// What only SQLite has.
mod only_sqlite;
/// Links inside texts.
mod posts;
/// What needs PostgreSQL or MySQL in the program.
#[cfg(feature = "databases")]
mod servers;
/// Tables with triggers and rules.
mod triggers;
/// Two migrations at the same time.
mod two_migrations;
/// Tables, columns and keys that cannot be migrated.
mod unsupported;
/// What is found when rows are read again.
mod verified;

use std::collections::BTreeMap;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::random::Rng;
use crate::support::{Done, Folder, PLAIN, boards, finish, gridmill, v2};
use backups::{
    a_separate_column_is_emptied_again, an_interrupted_run_has_its_backup, killed_with_a_backup,
    old_strings_are_restored, rows_that_others_wrote_stay,
};
use columns::{changes_of_several_columns_are_found, several_columns_in_one_pass};
use concurrency::{
    a_deadlock_is_retried, a_signal_ends_the_run_after_a_batch, another_session_writes_meanwhile, it_pauses_on_request,
    locks_of_other_sessions_are_waited_for, others_delete_rows_meanwhile, passwords_and_strings_are_nowhere,
};
use db::{Db, literal};
use filter::{conditions_that_do_not_stay_true, only_rows_of_a_condition};
use keys::{another_key_is_another_run, keys_of_other_types};
use large_values::{a_value_that_is_too_large, many_long_values, texts_with_links_of_4_mebibytes};
use posts::{a_site_with_wordpress, links_in_texts};
use triggers::{
    a_trigger_that_adds_rows_to_the_table, triggers_that_change_other_rows, triggers_that_change_what_is_written,
    triggers_that_keep_rows,
};
use unsupported::{columns_and_tables_that_are_taken, columns_that_the_database_makes, names_typed_in_another_way};
use verified::{batches_of_an_interrupted_run, rows_that_do_not_stay_as_written};

/// Defines a test for SQLite, and one for PostgreSQL. What comes after `alone` has a limit, or depends on the time that others
/// leave it.
macro_rules! on_both {
    ($($name:ident)* $(; alone $($alone:ident)*)?) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(&mut super::db::Lite::new()); })*
            $(mod alone {
                $(
                    #[test]
                    #[ignore = "needs the machine, so .ci/run runs it alone"]
                    fn $alone() { super::super::$alone(&mut super::super::db::Lite::new()); }
                )*
            })?
        }
        #[cfg(feature = "databases")]
        mod postgresql {
            on_servers!(postgresql_db::Server, $($name)* $($($alone)*)?);
        }
    };
}

/// Like [`on_both`], and for MySQL.
macro_rules! on_all {
    ($($name:ident)* $(; alone $($alone:ident)*)?) => {
        on_both!($($name)* $(; alone $($alone)*)?);
        #[cfg(feature = "databases")]
        mod mysql {
            on_servers!(mysql_db::MyServer, $($name)* $($($alone)*)?);
        }
    };
}

/// Defines tests for a server.
#[cfg(feature = "databases")]
macro_rules! on_servers {
    ($module:ident::$server:ident, $($name:ident)*) => {
        $(
            #[test]
            #[ignore = "needs a server, named by GRIDMILL_POSTGRES or GRIDMILL_MYSQL"]
            fn $name() { super::$name(&mut super::servers::$module::$server::new(stringify!($name))); }
        )*
    };
}

on_all!(
    every_row_is_right_at_the_end
    a_preview_writes_nothing
    into_a_separate_column
    names_that_need_quotes
    rows_that_the_database_refuses
    missing_tables_and_columns_are_named
    keys_of_other_types
    another_key_is_another_run
    batches_of_an_interrupted_run
    columns_that_the_database_makes
    columns_and_tables_that_are_taken
    old_strings_are_restored
    rows_that_others_wrote_stay
    a_separate_column_is_emptied_again
    an_interrupted_run_has_its_backup
    links_in_texts
    a_site_with_wordpress
    a_deadlock_is_retried
    several_columns_in_one_pass
    changes_of_several_columns_are_found
    only_rows_of_a_condition
    conditions_that_do_not_stay_true
    ; alone
    killed_at_any_moment
    killed_with_a_backup
    it_pauses_on_request
    others_delete_rows_meanwhile
    a_signal_ends_the_run_after_a_batch
    locks_of_other_sessions_are_waited_for
    another_session_writes_meanwhile
    passwords_and_strings_are_nowhere
    a_value_that_is_too_large
    many_long_values
    texts_with_links_of_4_mebibytes
);

/// Not for MySQL, in which triggers cannot write to their own table.
mod by_triggers {
    use super::*;

    on_both!(
    rows_that_do_not_stay_as_written
    names_typed_in_another_way
    triggers_that_change_what_is_written
    triggers_that_keep_rows
    triggers_that_change_other_rows
    a_trigger_that_adds_rows_to_the_table
    );
}

/// Boards, as v1.
fn lines(count: usize, seed: u32) -> Vec<String> {
    String::from_utf8(boards("v1", count, seed)).unwrap().lines().map(str::to_string).collect()
}

/// Strings of all sorts, and their results.
fn all_sorts() -> Vec<(Option<String>, Option<String>)> {
    let v1 = String::from_utf8(boards("v1", 5, 3)).unwrap();
    let mut rows: Vec<_> = v1.lines().map(|line| (Some(line.to_string()), Some(v2(line)))).collect();
    let kept = |text: &str| (Some(text.to_string()), Some(text.to_string()));
    let v0 = String::from_utf8(boards("v0", 1, 3)).unwrap();
    rows.push((Some(v0.trim().to_string()), Some(v2(v0.trim()))));
    rows.push(kept(PLAIN));
    // Left byte for byte, including the case of its letters.
    rows.push(kept(&v2(PLAIN)));
    rows.push(kept(&v2(PLAIN).to_lowercase().replacen("s9b", "S9B", 1)));
    rows.push((None, None));
    rows.push(kept(""));
    for bad in ["xyz", "two\nlines", "a\ttab \\ and 'quote'", "ünï", &v1[1..162]] {
        rows.push(kept(bad));
    }
    rows
}

fn report(done: Done, folder: &Folder, code: i32) -> Value {
    assert_eq!(done.code, Some(code), "{done:?}");
    serde_json::from_slice(&folder.read("report")).unwrap()
}

fn every_row_is_right_at_the_end(db: &mut dyn Db) {
    let folder = Folder::new();
    let rows = all_sorts();
    db.fill(&rows.iter().map(|(old, _)| old.clone()).collect::<Vec<_>>());
    let (file, rejects) = (folder.at("report"), folder.at("rejects"));
    let mut args = vec!["--table", "boards", "--column", "bd", "--yes", "-f", "--batch", "3"];
    args.extend(["--report", file.to_str().unwrap(), "--rejects", rejects.to_str().unwrap()]);
    let found = report(db.migrate(&args), &folder, 1);
    assert_eq!(db.strings(), rows.iter().map(|(_, new)| new.clone()).collect::<Vec<_>>());
    let tally = &found["rows"];
    let counts = ["rows", "written", "done", "plain", "empty", "rejected"].map(|name| tally[name].as_u64().unwrap());
    assert_eq!(counts, [16, 6, 2, 1, 2, 5], "{found:#}");
    assert_eq!(found["verified"]["rows"], 16);
    assert_eq!(found["verified"]["batches_as_written"], 6);
    assert_eq!(db.rows("SELECT count(*) FROM boards WHERE note = 'n'")[0][0].as_deref(), Some("16"));
    // Five rejects, in the order of their keys, with the string escaped.
    let text = folder.text("rejects");
    let lines: Vec<Vec<_>> = text.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    assert_eq!(lines.iter().map(|row| row[0]).collect::<Vec<_>>(), ["12", "13", "14", "15", "16"]);
    assert_eq!(lines[1][4], "two\\nlines");
    assert_eq!(lines[2][4], "a\\ttab \\\\ and 'quote'");
    // Again: there is nothing to do, nothing changes, and the rejects are the same.
    let journal = db.rows("SELECT count(*) FROM gridmill_migration");
    let found = report(db.migrate(&args), &folder, 1);
    assert_eq!((found["rows"]["written"].as_u64(), found["rows"]["done"].as_u64()), (Some(0), Some(8)));
    assert_eq!(folder.text("rejects"), text);
    assert_eq!(db.rows("SELECT count(*) FROM gridmill_migration"), journal);
    // New rows are found, and plain strings if that is requested.
    db.run(&format!("INSERT INTO boards VALUES (100, 'n', {})", literal(rows[0].0.as_deref())));
    let found = report(db.migrate(&args), &folder, 1);
    assert_eq!((found["rows"]["written"].as_u64(), found["rows"]["done"].as_u64()), (Some(1), Some(8)));
    args.push("--plain");
    let found = report(db.migrate(&args), &folder, 1);
    assert_eq!((found["rows"]["written"].as_u64(), found["rows"]["done"].as_u64()), (Some(1), Some(9)));
    assert_eq!(db.strings()[6], Some(v2(PLAIN)));
}

fn a_preview_writes_nothing(db: &mut dyn Db) {
    let rows = all_sorts();
    let old: Vec<_> = rows.iter().map(|(old, _)| old.clone()).cycle().take(64).collect();
    db.fill(&old);
    for args in [&["--table", "boards", "--column", "bd"][..], &["--table", "boards", "--column", "bd", "--dry-run"]] {
        let done = db.migrate(args);
        assert_eq!(done.code, Some(1), "{done:?}");
        let text = done.text();
        assert!(text.starts_with("64 rows: 24 to be written, 8 version 2 already, 4 plain"), "{text}");
        assert!(text.contains("v1 sudoku: ") && text.contains("Nothing was written."), "{text}");
        assert_eq!(text.matches("\n  + S9B").count(), 10, "{text}");
        assert_eq!(db.strings(), old);
    }
    let tables = db.rows("SELECT count(*) FROM boards");
    assert_eq!(tables[0][0].as_deref(), Some("64"));
    let sql = match db.place()[1].as_str() {
        "sqlite" => "SELECT name FROM sqlite_schema WHERE name LIKE 'grid%'",
        "mysql" => {
            "SELECT table_name FROM information_schema.tables WHERE table_schema = database() AND table_name LIKE 'grid%'"
        }
        _ => "SELECT relname FROM pg_class WHERE relname LIKE 'gridmill%'",
    };
    assert!(db.rows(sql).is_empty());
}

fn into_a_separate_column(db: &mut dyn Db) {
    let rows = all_sorts();
    let old: Vec<_> = rows.iter().map(|(old, _)| old.clone()).collect();
    db.fill(&old);
    db.run("ALTER TABLE boards ADD COLUMN new TEXT");
    db.run("UPDATE boards SET new = '' WHERE id = 2");
    db.run("UPDATE boards SET new = 'something else' WHERE id = 3");
    let args = ["--table", "boards", "--column", "bd", "--to-column", "new", "--yes", "-q"];
    let done = db.migrate(&args);
    assert_eq!(done.code, Some(1));
    assert!(
        done.stderr.contains("3\t-\tcolumn\tthe column for the new string already holds something else"),
        "{}",
        done.stderr
    );
    assert_eq!(db.strings(), old);
    let new: Vec<_> = db.rows("SELECT new FROM boards ORDER BY id").into_iter().map(|mut row| row.remove(0)).collect();
    for (n, (old, want)) in rows.iter().enumerate() {
        let is_good = want.as_deref().is_some_and(|want| want.starts_with("S9B"));
        let expected = match n {
            2 => Some("something else".to_string()),
            _ => want.clone().filter(|_| is_good),
        };
        assert_eq!(new[n], expected, "row {n}: {old:?}");
    }
    let done = db.migrate(&["--table", "boards", "--column", "bd", "--to-column", "new", "--yes"]);
    assert!(done.stderr.contains("16 rows: 0 written, 7 version 2 already"), "{}", done.stderr);
}

fn names_that_need_quotes(db: &mut dyn Db) {
    let old = all_sorts()[0].clone();
    for (n, (table, column)) in [
        ("a \"b\" c", "select"),
        ("table", "it's"),
        ("Semi;colon--", "UPPER case"),
        ("with.point", "%s\\"),
        ("ünï", "☃"),
    ]
    .into_iter()
    .enumerate()
    {
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        let (t, c) = (quoted(table), quoted(column));
        db.run(&format!("CREATE TABLE {t} (\"the key\" INTEGER PRIMARY KEY, {c} TEXT)"));
        db.run(&format!("INSERT INTO {t} VALUES (1, {}), (2, NULL)", literal(old.0.as_deref())));
        let key: &[&str] = if n % 2 == 0 { &["--key", "the key"] } else { &[] };
        let done = db.migrate(&[&["--table", table, "--column", column, "--yes", "-q"], key].concat());
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{table} {column}");
        assert_eq!(
            db.rows(&format!("SELECT {c} FROM {t} ORDER BY 1 DESC"))[..].iter().flatten().flatten().next(),
            old.1.as_ref()
        );
    }
    let done = db.migrate(&["--table", "", "--column", "x"]);
    done.failed(&["is empty"]);
}

/// Constraints and triggers: the refused row is reported, and the others are written.
fn rows_that_the_database_refuses(db: &mut dyn Db) {
    let old: Vec<_> = boards("v1", 300, 8)
        .split(|&b| b == b'\n')
        .filter(|l| !l.is_empty())
        .map(|l| Some(String::from_utf8(l.to_vec()).unwrap()))
        .collect();
    db.fill(&[]);
    db.run("DROP TABLE boards; CREATE TABLE boards (id INTEGER PRIMARY KEY, note TEXT, bd TEXT, CONSTRAINT checked CHECK (id <> 17 OR length(bd) = 162))");
    for (n, row) in old.iter().enumerate() {
        db.run(&format!("INSERT INTO boards VALUES ({}, 'n', {})", n + 1, literal(row.as_deref())));
    }
    if db.place()[1] == "sqlite" {
        db.run(
            "CREATE TRIGGER t BEFORE UPDATE ON boards WHEN new.id = 200 BEGIN SELECT raise(ABORT, 'not this one'); END",
        );
        db.run(
            "CREATE TABLE log (id); CREATE TRIGGER u AFTER UPDATE ON boards BEGIN INSERT INTO log VALUES (new.id); END",
        );
    } else if db.place()[1] == "mysql" {
        db.run("CREATE TABLE log (id INT)");
        db.run(
            "CREATE TRIGGER t BEFORE UPDATE ON boards FOR EACH ROW BEGIN
             IF new.id = 200 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not this one'; END IF; INSERT INTO log VALUES (new.id); END",
        );
    } else {
        db.run(
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             IF new.id = 200 THEN RAISE 'not this one'; END IF; INSERT INTO log VALUES (new.id); RETURN new; END $$;
             CREATE TABLE log (id int); CREATE TRIGGER t BEFORE UPDATE ON boards FOR EACH ROW EXECUTE FUNCTION f()",
        );
    }
    let done = db.migrate(&["--table", "boards", "--column", "bd", "--yes", "--batch", "100", "-q"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let rejected: BTreeMap<&str, &str> = done.stderr.lines().skip(1).map(|row| row.split_once('\t').unwrap()).collect();
    assert_eq!(rejected.keys().copied().collect::<Vec<_>>(), ["17", "200"]);
    assert!(
        rejected["200"].contains("not this one") && rejected["17"].to_lowercase().contains("check"),
        "{rejected:?}"
    );
    let new = db.strings();
    for (n, old) in old.iter().enumerate() {
        let kept = [17, 200].contains(&(n + 1));
        assert_eq!(new[n], if kept { old.clone() } else { old.as_deref().map(v2) }, "row {}", n + 1);
    }
    // Each row was written once.
    let log = db.rows("SELECT count(*), count(DISTINCT id) FROM log");
    assert_eq!(log[0], [Some("298".to_string()), Some("298".to_string())]);
}

/// The run is killed, or its connection cut, at random moments. Each time the next run continues, and finally every row
/// is right.
fn killed_at_any_moment(db: &mut dyn Db) {
    const ROWS: usize = 6_000;
    let lines = boards("v1", ROWS, 12);
    let lines: Vec<_> = std::str::from_utf8(&lines).unwrap().lines().collect();
    // Every hundredth string is bad, every fiftieth is NULL.
    let row = |n: usize| match n {
        n if n % 100 == 7 => Some("bad".to_string()),
        n if n % 50 == 9 => None,
        n => Some(lines[n].to_string()),
    };
    let old: Vec<_> = (0..ROWS).map(row).collect();
    let want: Vec<_> =
        old.iter().map(|old| old.as_deref().map(|old| if old == "bad" { old.into() } else { v2(old) })).collect();
    db.fill(&old);
    let mut rng = Rng(9);
    let args = ["--table", "boards", "--column", "bd", "--yes", "--batch", "60"];
    let (mut killed, mut rounds) = (0, 0);
    while killed < 50 {
        let mut child = gridmill(db.place())
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_micros(rng.below(60_000) as u64));
        if rng.once_in(2) {
            child.kill().unwrap();
        } else {
            db.cut();
            thread::sleep(Duration::from_millis(2));
            child.kill().unwrap();
        }
        let done = finish(child);
        killed += usize::from(done.code.is_none() || done.code == Some(2));
        rounds += 1;
        for (n, (now, (old, want))) in db.strings().iter().zip(old.iter().zip(&want)).enumerate() {
            assert!(now == old || now == want, "row {}: {now:?}", n + 1);
        }
        // After a complete run, start over.
        if done.code.is_some_and(|code| code < 2) {
            assert_eq!(db.strings(), want);
            db.run("DROP TABLE gridmill_migration");
            db.fill(&old);
        }
        assert!(rounds < 400, "it is never killed");
    }
    let folder = Folder::new();
    let (file, rejects) = (folder.at("report"), folder.at("rejects"));
    let files = ["--report", file.to_str().unwrap(), "--rejects", rejects.to_str().unwrap()];
    let found = report(db.migrate(&[&args[..], &files].concat()), &folder, 1);
    assert_eq!(db.strings(), want);
    assert_eq!(found["rows"]["rows"].as_u64(), Some(ROWS as u64), "{found:#}");
    assert_eq!(found["rows"]["rejected"], 60);
    assert_eq!(found["rows"]["empty"], 120);
    assert_eq!(found["verified"]["batches_changed_since"], 0);
    assert_eq!(folder.text("rejects").lines().count(), 61);
}

fn missing_tables_and_columns_are_named(db: &mut dyn Db) {
    db.fill(&[Some("x".into())]);
    let there_are = match db.place()[1].as_str() {
        "sqlite" => "tables: boards",
        "mysql" => "there are: boards",
        _ => "there are: public.boards",
    };
    db.migrate(&["--table", "none", "--column", "bd"]).failed(&["none", "there is no such table", there_are]);
    db.migrate(&["--table", "boards", "--column", "no such"]).failed(&["no such"]);
    db.migrate(&["--table", "boards", "--column", "bd", "--to-column", "nowhere"]).failed(&["nowhere"]);
    db.migrate(&["--table", "boards", "--column", "bd", "--key", "note"]).failed(&["note", "unique index"]);
    let done = db.migrate(&["--table", "boards", "--column", "id"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    db.run("CREATE VIEW seen AS SELECT * FROM boards");
    db.migrate(&["--table", "seen", "--column", "bd"]).failed(&["\"seen\": it is a view; name the table"]);
    db.run("CREATE TABLE pairs (a INTEGER NOT NULL, b INTEGER NOT NULL, bd TEXT)");
    if db.place()[1] != "sqlite" {
        db.migrate(&["--table", "pairs", "--column", "bd"]).failed(&["--key"]);
    }
}
