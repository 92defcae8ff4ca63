//! What only SQLite has.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use super::all_sorts;
use super::db::{Db, Lite, literal};
use crate::support::{Folder, finish, gridmill, run};

/// What only SQLite has: values of any type in any column, and one writer at a time.
#[test]
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
    let not = folder.write("not.db", "this is no database, but long enough to be looked at".repeat(100));
    let args = ["--table", "boards", "--column", "bd"];
    run(gridmill(["migrate", "sqlite"]).arg(&not).args(args), b"").failed(&["not.db", "not a database"]);
    run(gridmill(["migrate", "sqlite", "none.db"]).args(args), b"").failed(&["none.db", "no such file"]);
    run(&mut gridmill(["migrate", "sqlite"]), b"").failed(&["FILE"]);
}

/// What was changed after it was written is found when it is read back.
#[test]
fn the_look_back_finds_changes() {
    use gridmill::engine::Conversion;
    use gridmill::migrate::{Job, Migration, Sqlite};

    let mut db = Lite::new();
    let rows = all_sorts();
    db.fill(&rows.iter().map(|(old, _)| old.clone()).collect::<Vec<_>>());
    let job = Job {
        table: "boards".into(),
        column: "bd".into(),
        to: None,
        key: None,
        plain: false,
        plan: Conversion::default(),
        batch: 4,
    };
    let mut sqlite = Sqlite::open(db.path.as_ref(), &job, true, Duration::from_secs(5)).unwrap();
    let mut migration = Migration::new(&mut sqlite, job, gridmill::engine::kernel().unwrap(), &|_| {});
    let looked = migration.look().unwrap();
    let done = migration.write(&looked).unwrap();
    let verified = migration.verify(&done).unwrap();
    assert_eq!((verified.rows, verified.as_written, verified.changed), (16, 4, 0));
    db.run(&format!("UPDATE boards SET bd = {} WHERE id = 2", literal(rows[0].0.as_deref())));
    db.run("UPDATE boards SET bd = NULL WHERE id = 6");
    let verified = migration.verify(&done).unwrap();
    assert_eq!((verified.rows, verified.as_written, verified.changed), (16, 2, 2));
    assert_eq!(verified.unsettled, ["2"]);
}
