//! Keys: collations, invalid UTF-8, damaged indexes and tables.

use std::fs;

use rusqlite::params;
use rusqlite::types::{ToSqlOutput, ValueRef};

use super::db::{Db, Lite, literal};
use super::{all_sorts, lines};
use crate::support::v2;

/// A value for SQLite: text with any bytes.
fn text(bytes: &[u8]) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(ValueRef::Text(bytes))
}

/// A table of SQLite with keys of any type, each row with a board of its own.
fn keyed(db: &mut Lite, table: &str, keys: &[&[u8]]) -> Vec<String> {
    db.run(table);
    let lines = lines(keys.len(), 21);
    let transaction = db.connection.unchecked_transaction().unwrap();
    for (key, line) in keys.iter().zip(&lines) {
        transaction.execute("INSERT INTO boards (k, bd) VALUES (?1, ?2)", params![text(key), line]).unwrap();
    }
    transaction.commit().unwrap();
    lines
}

/// Keys that are equal, or in another order, in one of two collations, of the column and of its index.
#[test]
fn collations_of_column_and_index() {
    // One row before the pairs, so that pages end within pairs.
    let pairs = (0..1_500).flat_map(|n| [format!("k{n:05}"), format!("K{n:05}")]);
    let keys: Vec<String> = std::iter::once("a".into()).chain(pairs).collect();
    let both: Vec<_> = keys.iter().map(String::as_bytes).collect();
    let mixed: Vec<_> = both
        .iter()
        .copied()
        .skip(1)
        .enumerate()
        .filter(|(n, _)| n % 4 == 0 || n % 4 == 3)
        .map(|(_, key)| key)
        .collect();
    let spaces: Vec<_> = (1..500).map(|n| "x".to_string() + &" ".repeat(n % 5) + &n.to_string()).collect();
    let spaces: Vec<_> = spaces.iter().map(String::as_bytes).collect();
    for (table, keys) in [
        (
            "CREATE TABLE boards (k TEXT COLLATE nocase, bd TEXT); CREATE UNIQUE INDEX u ON boards (k COLLATE binary)",
            &both,
        ),
        (
            "CREATE TABLE boards (k TEXT COLLATE rtrim, bd TEXT); CREATE UNIQUE INDEX u ON boards (k COLLATE binary DESC)",
            &both,
        ),
        ("CREATE TABLE boards (k TEXT, bd TEXT); CREATE UNIQUE INDEX u ON boards (k COLLATE nocase)", &mixed),
        ("CREATE TABLE boards (k TEXT COLLATE nocase PRIMARY KEY, bd TEXT) WITHOUT ROWID", &mixed),
        ("CREATE TABLE boards (k TEXT, bd TEXT, PRIMARY KEY (k COLLATE rtrim)) WITHOUT ROWID", &spaces),
        ("PRAGMA encoding = 'UTF-16le'; CREATE TABLE boards (k TEXT UNIQUE, bd TEXT)", &both),
    ] {
        let mut db = Lite::new();
        let lines = keyed(&mut db, table, keys);
        let args = ["--table", "boards", "--column", "bd", "--key", "k", "--yes", "--batch", "500"];
        let done = db.migrate(&args);
        let all = format!("gridmill: {0} rows: {0} written", keys.len());
        assert!(done.code == Some(0) && done.stderr.replace(',', "").starts_with(&all), "{table}: {done:?}");
        for (key, line) in keys.iter().zip(&lines) {
            let sql = "SELECT bd FROM boards WHERE k = ?1 COLLATE binary";
            let new: String = db.connection.query_row(sql, [text(key)], |row| row.get(0)).unwrap();
            assert_eq!(new, v2(line), "{table}");
        }
    }
}

/// Invalid UTF-8 identifies a row like other text, also when a run is continued.
#[test]
fn keys_that_are_not_utf8() {
    let keys: Vec<Vec<u8>> = (0..3_000_u32)
        .map(|n| [&b"k"[..], format!("{n:05}").as_bytes(), if n % 50 == 49 { b"\xe9\0" } else { b"" }].concat())
        .collect();
    let keys: Vec<_> = keys.iter().map(Vec::as_slice).collect();
    let mut db = Lite::new();
    let lines = keyed(&mut db, "CREATE TABLE boards (k TEXT UNIQUE, bd TEXT)", &keys);
    let args = ["--table", "boards", "--column", "bd", "--key", "k", "--yes", "--batch", "50"];
    let written = "gridmill: 3,000 rows: 3,000 written";
    let done = db.migrate(&args);
    assert!(done.code == Some(0) && done.stderr.starts_with(written), "{done:?}");
    db.run("DELETE FROM gridmill_migration WHERE id > 20");
    let done = db.migrate(&args);
    assert!(done.code == Some(0) && done.stderr.contains("resumed an interrupted run"), "{done:?}");
    for (key, line) in keys.iter().zip(&lines) {
        let sql = "SELECT bd FROM boards WHERE k = ?1";
        let new: String = db.connection.query_row(sql, [text(key)], |row| row.get(0)).unwrap();
        assert_eq!(new, v2(line));
    }
}

/// Integers, other numbers, text and bytes in one column, in SQLite's order.
#[test]
fn keys_of_every_type() {
    let mut db = Lite::new();
    let keys = [
        "-3",
        "7",
        "7.5",
        "9007199254740993",
        "9007199254740994.0",
        "-1e300",
        "'7'",
        "''",
        "'z'",
        "x''",
        "x'00'",
        "x'7a'",
    ];
    let lines = lines(keys.len(), 5);
    db.run("CREATE TABLE boards (k UNIQUE, bd TEXT)");
    for (key, line) in keys.iter().zip(&lines) {
        db.run(&format!("INSERT INTO boards VALUES ({key}, '{line}')"));
    }
    let args = ["--table", "boards", "--column", "bd", "--key", "k", "--yes", "--batch", "1"];
    let done = db.migrate(&args);
    assert!(done.code == Some(0) && done.stderr.contains("12 rows read back, 12 batches as written;"), "{done:?}");
    for (key, line) in keys.iter().zip(&lines) {
        let row = db.rows(&format!("SELECT bd FROM boards WHERE k = {key}"));
        assert_eq!(row, [[Some(v2(line))]], "{key}");
    }
}

/// An index of several columns, or of some rows, does not make a column unique.
#[test]
fn indexes_that_name_no_row() {
    for index in ["(k, lower(bd))", "(lower(k))", "(k) WHERE k > 'b'", "(bd, k)", "(k, k COLLATE nocase)"] {
        let mut db = Lite::new();
        db.run("CREATE TABLE boards (k TEXT, bd TEXT)");
        db.run(&format!("CREATE UNIQUE INDEX u ON boards {index}; INSERT INTO boards VALUES ('a', 'x'), ('b', 'y')"));
        db.migrate(&["--table", "boards", "--column", "bd", "--key", "k"]).failed(&["no unique index"]);
    }
}

/// An index that lacks rows: they would never be processed.
#[test]
fn rows_that_an_index_lacks() {
    let mut db = Lite::new();
    let keys: Vec<_> = (0..300).map(|n| format!("k{n:03}")).collect();
    let keys: Vec<_> = keys.iter().map(String::as_bytes).collect();
    keyed(&mut db, "CREATE TABLE boards (k TEXT, bd TEXT)", &keys);
    db.run("CREATE UNIQUE INDEX u ON boards (k) WHERE k < 'k250'");
    db.run("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE UNIQUE INDEX u ON boards (k)' WHERE name = 'u'");
    let before = fs::read(&db.path).unwrap();
    for yes in [&["--yes"][..], &[]] {
        let done = db.migrate(&[&["--table", "boards", "--column", "bd", "--key", "k"], yes].concat());
        done.failed(&["the table has 300 rows, but 250 were found", "REINDEX"]);
        assert!(fs::read(&db.path).unwrap() == before, "it was written to");
    }
    db.run("PRAGMA writable_schema = RESET; REINDEX");
    let done = db.migrate(&["--table", "boards", "--column", "bd", "--key", "k", "--yes"]);
    assert!(done.code == Some(0) && done.stderr.contains("300 written"), "{done:?}");
}

/// Row numbers out of order, because of damage: pages that lead to each other must not cause an endless loop.
#[test]
fn row_numbers_out_of_order() {
    let mut db = Lite::new();
    let rows: Vec<_> = lines(100, 9).into_iter().map(Some).collect();
    db.fill(&rows);
    db.run("VACUUM");
    let whole = fs::read(&db.path).unwrap();
    // The leaf pages of the table. Each cell is the length of its row (two bytes here), the row's number and the row.
    let leaves: Vec<usize> = (4096..whole.len()).step_by(4096).filter(|&page| whole[page] == 0x0d).collect();
    assert!(leaves.len() > 2);
    for leaf in leaves {
        let cells = usize::from(whole[leaf + 4]);
        for (cell, number) in [(0, 100), (cells / 2, 0), (cells / 2, 1), (cells - 1, 0), (cells - 1, 1)] {
            let place = leaf + 8 + 2 * cell;
            let at = leaf + usize::from(u16::from_be_bytes([whole[place], whole[place + 1]]));
            let mut damaged = whole.clone();
            assert!(damaged[at] >= 0x80 && damaged[at + 1] < 0x80, "a length of two bytes");
            damaged[at + 2] = number;
            let before = fs::read(&db.path).unwrap();
            fs::write(&db.path, &damaged).unwrap();
            let is_damaged = damaged != whole;
            let done = db.migrate(&["--table", "boards", "--column", "bd", "--yes", "-q"]);
            if is_damaged {
                done.failed(&["damaged"]);
                assert!(fs::read(&db.path).unwrap() == damaged, "it was written to");
            }
            fs::write(&db.path, &before).unwrap();
        }
    }
}

/// A journal of one key column does not apply to a run with another one: no row is skipped.
pub(super) fn another_key_is_another_run(db: &mut dyn Db) {
    let (old, new) = all_sorts()[0].clone();
    db.run("CREATE TABLE boards (id INTEGER PRIMARY KEY, n INTEGER NOT NULL UNIQUE, bd TEXT)");
    for id in 1..=10 {
        db.run(&format!("INSERT INTO boards VALUES ({id}, {}, {})", 11 - id, literal(old.as_deref())));
    }
    let args = ["--table", "boards", "--column", "bd", "--yes", "-q", "--batch", "4"];
    assert_eq!(db.migrate(&args).code, Some(0));
    // As if it had been interrupted after its first batch.
    db.run("DELETE FROM gridmill_migration WHERE id > (SELECT min(id) FROM gridmill_migration) + 1");
    db.run(&format!("UPDATE boards SET bd = {}", literal(old.as_deref())));
    let done = db.migrate(&[&args[..], &["--key", "n"]].concat());
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    assert!(db.strings().iter().all(|string| *string == new));
}

pub(super) fn keys_of_other_types(db: &mut dyn Db) {
    let (old, new) = all_sorts()[0].clone();
    let without_rowid = if db.place()[1] == "sqlite" { "WITHOUT ROWID" } else { "" };
    let text = if db.place()[1] == "mysql" { "VARCHAR(40)" } else { "TEXT" };
    db.run(&format!("CREATE TABLE named (k {text} PRIMARY KEY NOT NULL, bd TEXT) {without_rowid}"));
    let keys: Vec<_> = (0..500).map(|n| format!("k'{}\\{n}\t", "ä".repeat(n % 3))).collect();
    for key in &keys {
        db.run(&format!("INSERT INTO named VALUES ({}, {})", literal(Some(key)), literal(old.as_deref())));
    }
    let done = db.migrate(&["--table", "named", "--column", "bd", "--yes", "--batch", "60", "-q"]);
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    let rows = db.rows("SELECT k, bd FROM named");
    assert_eq!(rows.len(), 500);
    assert!(rows.iter().all(|row| row[1] == new && keys.contains(row[0].as_ref().unwrap())));
    // A column with a unique index can be the key; one with a missing value cannot.
    db.run("CREATE TABLE other (k VARCHAR(20) UNIQUE, bd TEXT)");
    db.run(&format!("INSERT INTO other VALUES ('b', {0}), ('a', {0})", literal(old.as_deref())));
    let args = ["--table", "other", "--column", "bd", "--key", "k", "--yes", "-q"];
    assert_eq!(db.migrate(&args).code, Some(0));
    assert_eq!(db.rows("SELECT bd FROM other"), [[new.clone()], [new]]);
    db.run("INSERT INTO other VALUES (NULL, 'x')");
    db.migrate(&args).failed(&["1 rows have NULL in their key"]);
}
