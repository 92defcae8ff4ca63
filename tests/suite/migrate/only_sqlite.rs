//! What only SQLite has.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use super::db::{Db, Lite, literal};
use super::{all_sorts, lines};
use crate::support::{Done, Folder, finish, gridmill, run, v2};

/// Values of any type in any column, and one writer at a time.
#[test]
#[ignore = "depends on the time that others leave it, so .ci/run runs it alone"]
fn blobs_numbers_and_writers() {
    let mut db = Lite::new();
    let (old, new) = all_sorts()[0].clone();
    let (old, new) = (old.unwrap(), new.unwrap());
    db.run("CREATE TABLE boards (bd)");
    db.run(&format!("INSERT INTO boards VALUES (CAST('{old}' AS BLOB)), (17), (1.5), ('{old}')"));
    let args = ["--table", "boards", "--column", "bd", "--yes", "-q"];
    let done = db.migrate(&args);
    assert_eq!(done.code, Some(1));
    assert_eq!(done.stderr.matches("it is a number").count(), 2);
    let rows: Vec<_> = db.rows("SELECT bd FROM boards ORDER BY rowid").into_iter().flatten().flatten().collect();
    assert_eq!(rows, [format!("blob {new}"), "17".into(), "1.5".into(), new.clone()]);

    db.run(&format!("INSERT INTO boards VALUES ('{old}')"));
    db.run("BEGIN IMMEDIATE");
    let waiting = ["--table", "boards", "--column", "bd", "--yes", "-q", "--wait", "0"];
    db.migrate(&waiting).failed(&["locked", "--wait"]);
    let child = gridmill(db.place())
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(300));
    db.run("COMMIT");
    assert_eq!(finish(child).code, Some(1));
    assert_eq!(db.rows("SELECT count(*) FROM boards WHERE bd LIKE 'S9B%'")[0][0].as_deref(), Some("3"));

    let folder = Folder::new();
    let not = folder.write("not.db", "this is no database, but long enough to be preview at".repeat(100));
    let args = ["--table", "boards", "--column", "bd"];
    run(gridmill(["migrate", "sqlite"]).arg(&not).args(args), b"").failed(&["not.db", "not a database"]);
    run(gridmill(["migrate", "sqlite", "none.db"]).args(args), b"").failed(&["none.db", "no such file"]);
    run(&mut gridmill(["migrate", "sqlite"]), b"").failed(&["FILE"]);
}

/// A deferred foreign key fails at the end of a transaction, for no particular row.
#[test]
fn deferred_foreign_keys() {
    let mut db = Lite::new();
    let old = lines(300, 5).into_iter().map(Some).collect::<Vec<_>>();
    db.fill(&old);
    db.run("CREATE UNIQUE INDEX b ON boards (bd); CREATE TABLE notes (of TEXT REFERENCES boards (bd) DEFERRABLE INITIALLY DEFERRED)");
    // One row refers to nothing.
    db.run("PRAGMA foreign_keys = off; INSERT INTO notes VALUES ('none'); PRAGMA foreign_keys = on");
    db.run("INSERT INTO notes SELECT bd FROM boards WHERE id IN (7, 9)");
    let args = ["--table", "boards", "--column", "bd", "--yes"];
    db.migrate(&args).failed(&[
        "2 rows would refer to missing rows of table boards, the first by column of of table notes, row 2",
        "The batch was not written",
        "ON UPDATE CASCADE",
    ]);
    assert_eq!(db.strings(), old);
    db.run("DROP TABLE notes; CREATE TABLE notes (of TEXT REFERENCES boards (bd) ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED)");
    db.run("INSERT INTO notes SELECT bd FROM boards WHERE id IN (7, 9)");
    let done = db.migrate(&args);
    assert!(done.code == Some(0) && done.stderr.contains("300 rows: 300 written"), "{done:?}");
    assert_eq!(db.rows("SELECT count(*) FROM notes JOIN boards ON bd = of")[0][0].as_deref(), Some("2"));
    // Within one table, in one batch.
    db.run("CREATE TABLE pairs (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT REFERENCES pairs (a) DEFERRABLE INITIALLY DEFERRED)");
    for (n, line) in old.iter().enumerate() {
        db.run(&format!("INSERT INTO pairs VALUES ({n}, {}, NULL)", literal(line.as_deref())));
    }
    db.run("UPDATE pairs SET b = (SELECT p.a FROM pairs AS p WHERE p.id = (pairs.id + 50) % 300)");
    let args = ["--table", "pairs", "--column", "a", "--column", "b", "--yes", "--batch-time", "0"];
    db.migrate(&[&args[..], &["--batch", "100"]].concat()).failed(&["table pairs", "--batch-time 0"]);
    let done = db.migrate(&args);
    assert!(done.code == Some(0) && done.stderr.contains("300 rows with 2 columns each: 600 written"), "{done:?}");
    // A table that refers to this one must follow. Its name contains quotes.
    db.run("CREATE TABLE parents (a TEXT UNIQUE)");
    db.run(&format!("INSERT INTO parents VALUES ({})", literal(old[0].as_deref())));
    db.run("CREATE TABLE \"\"\"q\"\"\" (id INTEGER PRIMARY KEY, b TEXT REFERENCES parents (a) DEFERRABLE INITIALLY DEFERRED)");
    db.run("INSERT INTO \"\"\"q\"\"\" SELECT 1, a FROM parents");
    db.migrate(&["--table", "\"q\"", "--column", "b", "--yes"]).failed(&[
        "1 row would refer to missing rows of table parents, the first by column b of table \"q\", row 1",
        "migrate the column that it refers to instead",
    ]);
}

/// The keys of the rejects on stderr, and their messages.
fn rejects(done: &Done) -> BTreeMap<usize, String> {
    let row = |row: &str| row.split_once('\t').map(|(key, rest)| (key.parse().unwrap(), rest.to_string())).unwrap();
    done.stderr.lines().skip(1).map(row).collect()
}

/// A board that is written in two ways becomes one string. The second row is reported, whatever the constraint's
/// conflict clause is, and never replaces the first.
#[test]
fn no_row_is_deleted_for_another() {
    let lines = lines(2_100, 5);
    let new: Vec<_> = lines.iter().map(|line| v2(line)).collect();
    for conflict in ["", "ABORT", "REPLACE", "IGNORE", "FAIL", "ROLLBACK", "/* of this sort */ \n rollback"] {
        for without in ["", " WITHOUT ROWID"] {
            let mut db = Lite::new();
            let clause = if conflict.is_empty() { String::new() } else { format!("ON CONFLICT {conflict}") };
            db.run(&format!("CREATE TABLE boards (id INTEGER PRIMARY KEY, bd TEXT UNIQUE {clause}){without}"));
            // Rows 5, 10 and 15 have the board of the previous row.
            let string = |id: usize| match id {
                5 | 10 | 15 => lines[id - 1].to_uppercase(),
                _ => lines[id].clone(),
            };
            let values: Vec<_> = (1..2_100).map(|id| format!("({id}, '{}')", string(id))).collect();
            db.run(&format!("INSERT INTO boards VALUES {}", values.join(",")));
            let args = ["--table", "boards", "--column", "bd", "--yes", "-q"];
            for again in [false, true] {
                let done = db.migrate(&args);
                assert_eq!(done.code, Some(1), "{conflict}{without}: {done:?}");
                let rejects = rejects(&done);
                assert_eq!(rejects.keys().copied().collect::<Vec<_>>(), [5, 10, 15], "{conflict}, again {again}");
                assert!(rejects.values().all(|why| why.contains("UNIQUE constraint failed")), "{rejects:?}");
            }
            let rows = db.strings();
            assert_eq!(rows.len(), 2_099, "{conflict}{without}");
            for (id, row) in (1..).zip(rows) {
                let want = if [5, 10, 15].contains(&id) { string(id) } else { new[id].clone() };
                assert_eq!(row, Some(want), "row {id} of {conflict}{without}");
            }
        }
    }
}

/// A trigger that rolls the transaction back affects only its own row, and the journal is complete.
#[test]
fn triggers_that_end_the_transaction() {
    let lines = lines(2_500, 6);
    let new: Vec<_> = lines.iter().map(|line| v2(line)).collect();
    let when = ["new.id % 50 = 3", "new.id = 2499", "new.id > 2000", "(SELECT count(*) FROM log) > 20"];
    let is_bad: [fn(usize) -> bool; 4] = [|id| id % 50 == 3, |id| id == 2499, |id| id > 2000, |id| id > 20];
    for (when, is_bad) in when.into_iter().zip(is_bad) {
        let mut db = Lite::new();
        db.fill(&lines.iter().cloned().map(Some).collect::<Vec<_>>());
        db.run("CREATE TABLE log (id)");
        db.run(&format!("CREATE TRIGGER a AFTER UPDATE ON boards WHEN {when} BEGIN SELECT raise(ROLLBACK, 'no'); END"));
        db.run("CREATE TRIGGER b AFTER UPDATE ON boards BEGIN INSERT INTO log VALUES (new.id); END");
        let done =
            db.migrate(&["--table", "boards", "--column", "bd", "--yes", "-q", "--rejects", "/dev/stderr", "-f"]);
        assert_eq!(done.code, Some(1), "{when}: {done:?}");
        let rejects = rejects(&done);
        let bad: Vec<_> = (1..=2_500).filter(|id| is_bad(*id)).collect();
        assert!(rejects.keys().eq(&bad), "{when}: {} rejects, not {}", rejects.len(), bad.len());
        assert!(rejects.values().all(|why| why.starts_with("-\tcolumn\tno")), "{when}");
        for (id, row) in (1..).zip(db.strings()) {
            let want = if is_bad(id) { &lines[id - 1] } else { &new[id - 1] };
            assert_eq!(row.as_ref(), Some(want), "row {id}, {when}");
        }
        let log = db.rows("SELECT count(*), count(DISTINCT id) FROM log").remove(0);
        assert_eq!(log, vec![Some((2_500 - bad.len()).to_string()); 2], "{when}");
        let noted =
            "SELECT sum(json_extract(entry, '$.rows')), sum(entry LIKE '%\"reject\"%'), sum(entry LIKE '%\"end\"%')
                     FROM gridmill_migration";
        assert_eq!(db.rows(noted)[0], [Some("2500".into()), Some(bad.len().to_string()), Some("1".into())], "{when}");
    }
}

/// Triggers may change other tables in any way, as long as this table itself has no such clause.
#[test]
fn triggers_may_replace_rows_of_theirs() {
    let mut db = Lite::new();
    db.fill(&lines(100, 7).into_iter().map(Some).collect::<Vec<_>>());
    db.run("CREATE TABLE last (n PRIMARY KEY, id)");
    db.run(
        "CREATE TRIGGER t AFTER UPDATE ON boards BEGIN INSERT OR REPLACE INTO last VALUES (new.id % 10, new.id); END",
    );
    let done = db.migrate(&["--table", "boards", "--column", "bd", "--yes", "-q"]);
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    assert_eq!(db.rows("SELECT count(*), min(id) FROM last")[0], [Some("10".into()), Some("91".into())]);
}

/// Rows that were changed after they were written are found by the verification.
#[test]
fn verification_finds_changes() {
    use gridmill::engine::Conversion;
    use gridmill::migrate::{JobColumn, Migration, MigrationJob, Sqlite};

    let mut db = Lite::new();
    let rows = all_sorts();
    db.fill(&rows.iter().map(|(old, _)| old.clone()).collect::<Vec<_>>());
    let job = MigrationJob {
        table: "boards".into(),
        columns: vec![JobColumn::in_place("bd")],
        key: None,
        filter: None,
        plain: false,
        links: false,
        plan: Conversion::default(),
        batch: 4,
    };
    let mut sqlite = Sqlite::open(db.path.as_ref(), &job, true, Duration::from_secs(5)).unwrap();
    let mut migration = Migration::new(&mut sqlite, job, gridmill::engine::kernel().unwrap(), &|_| {});
    let preview = migration.preview().unwrap();
    let done = migration.write(&preview).unwrap();
    let verified = migration.verify(&done).unwrap();
    assert_eq!((verified.rows, verified.as_written, verified.changed), (16, 4, 0));
    db.run(&format!("UPDATE boards SET bd = {} WHERE id = 2", literal(rows[0].0.as_deref())));
    db.run("UPDATE boards SET bd = NULL WHERE id = 6");
    let verified = migration.verify(&done).unwrap();
    assert_eq!((verified.rows, verified.as_written, verified.changed), (16, 2, 2));
    assert_eq!((&verified.not_version_2, &verified.differing), (&vec!["2".to_string()], &vec!["2".into(), "6".into()]));
    assert!(!verified.is_as_written() && verified.gone_rows() == 0 && verified.new.is_empty());
    db.run("DELETE FROM boards WHERE id IN (10, 9)");
    db.run("INSERT INTO boards VALUES (-1, 'n', NULL), (20, 'n', NULL)");
    db.run(&format!("INSERT INTO boards VALUES (21, 'n', {})", literal(rows[0].0.as_deref())));
    let verified = migration.verify(&done).unwrap();
    assert_eq!((verified.rows, verified.as_written, verified.changed), (17, 1, 3));
    assert_eq!(verified.gone, ["9", "10"]);
    assert_eq!(verified.new, ["-1", "20", "21"]);
    assert_eq!(verified.not_version_2, ["2", "21"]);
    assert!(verified.gone_rows() == 2 && !verified.may_have_deleted && verified.ranges.is_empty());
}

/// With WAL, other sessions read while it writes and see the table as it was when they began; and they write, too.
#[test]
#[ignore = "depends on the time that others leave it, so .ci/run runs it alone"]
fn others_are_connected_in_wal() {
    let mut db = Lite::new();
    db.run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 50");
    let old: Vec<_> = lines(2_000, 9).into_iter().map(Some).collect();
    let want: Vec<_> = old.iter().flatten().map(|old| Some(v2(old))).collect();
    db.fill(&old);
    let (mut reader, mut idle) = (db.another(), db.another());
    reader.run("BEGIN");
    assert!(reader.strings() == old);
    assert!(idle.strings() == old);
    let args = ["--table", "boards", "--column", "bd", "--yes", "--batch", "100", "--wait", "5"];
    let done = db.migrate(&args);
    assert!(done.code == Some(0) && done.stderr.contains("2,000 rows read back, 20 batches as written;"), "{done:?}");
    // A checkpoint cannot pass what the reader still sees.
    assert!(reader.strings() == old && idle.strings() == want);
    reader.run("COMMIT");
    assert!(reader.strings() == want);
    idle.run(&format!("UPDATE boards SET bd = {} WHERE id = 7", literal(old[6].as_deref())));
    assert!(db.migrate(&args).stderr.contains("2,000 rows: 1 written, 1,999 version 2 already"));
    assert!(reader.strings() == want && idle.strings() == want);
    super::concurrency::another_session_writes_meanwhile(&mut db);
    super::backups::killed_with_a_backup(&mut db);
}

/// Between two batches, others have time to write, also those who only try every now and then.
#[test]
#[ignore = "depends on the time that others leave it, so .ci/run runs it alone"]
fn another_writer_gets_in_between_batches() {
    let mut db = Lite::new();
    db.fill(&lines(200, 5).into_iter().map(Some).collect::<Vec<_>>());
    db.run("CREATE TABLE gridmill_migration (id INTEGER PRIMARY KEY, job TEXT NOT NULL, entry TEXT NOT NULL)");
    // Four batches that take long.
    db.run("CREATE VIEW many AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT i FROM n");
    db.run("CREATE TRIGGER slow BEFORE UPDATE ON boards BEGIN SELECT max(i) FROM many; END");
    db.run("CREATE TABLE seen (entries INTEGER)");
    let mut child = gridmill(db.place());
    child.args(["--table", "boards", "--column", "bd", "--yes", "--batch-time", "0", "--batch", "50"]);
    let mut child = child.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    db.run("PRAGMA busy_timeout = 0");
    while child.try_wait().unwrap().is_none() {
        db.tries("INSERT INTO seen SELECT count(*) FROM gridmill_migration");
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(finish(child).code, Some(0));
    let seen = db.rows("SELECT DISTINCT entries FROM seen WHERE entries BETWEEN 2 AND 4");
    assert!(!seen.is_empty(), "nothing was written between the first and the last batch");
}

/// Others add and delete rows while all are read, for which one transaction is not enough. That is no damaged index.
#[test]
#[ignore = "depends on the time that others leave it, so .ci/run runs it alone"]
fn others_write_while_rows_are_read() {
    let mut db = Lite::new();
    let want = v2(&lines(1, 5)[0]);
    db.fill(&vec![Some(want); 60_000]);
    let mut child = gridmill(db.place());
    child.args(["--table", "boards", "--column", "bd"]);
    let mut child = child.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut id = 0;
    while child.try_wait().unwrap().is_none() {
        id += 1;
        db.run(&format!("INSERT INTO boards VALUES ({}, 'n', NULL); DELETE FROM boards WHERE id = {id}", -2 * id));
        db.run(&format!("INSERT INTO boards VALUES ({}, 'n', NULL)", -2 * id - 1));
        thread::sleep(Duration::from_millis(5));
    }
    let done = finish(child);
    assert!(done.code == Some(0) && done.text().contains("There is nothing to write."), "{done:?}");
}
