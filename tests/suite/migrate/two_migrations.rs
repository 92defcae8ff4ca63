//! Two concurrent migrations of one database.

use std::cell::Cell;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use gridmill::engine::Conversion;
use gridmill::migrate::{JobColumn, Migration, MigrationJob, Sqlite};

use super::db::{Db, Lite};
use super::lines;
use crate::support::{Done, finish, gridmill, run, v2};

/// Rows in a batch, however long they take.
const ARGS: [&str; 9] = ["--table", "boards", "--column", "bd", "--yes", "--batch", "500", "--batch-time", "0"];

fn job(batch: usize) -> MigrationJob {
    MigrationJob {
        table: "boards".into(),
        columns: vec![JobColumn::in_place("bd")],
        key: None,
        filter: None,
        plain: false,
        links: false,
        plan: Conversion::default(),
        batch,
    }
}

/// Two at once, repeatedly: each row is written once, and the journal is that of one run after another.
pub(super) fn two_migrations_at_once(db: &mut dyn Db) {
    let lines = lines(4_000, 17);
    let want: Vec<_> = lines.iter().map(|line| Some(v2(line))).collect();
    let mut refused = 0;
    for _ in 0..4 {
        db.fill(&lines.iter().cloned().map(Some).collect::<Vec<_>>());
        let start = || {
            let mut child = gridmill(db.place());
            child.args(ARGS).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let (first, second) = (start(), start());
        let done = [finish(first), finish(second)];
        for Done { code, stderr, .. } in &done {
            match code {
                Some(0) => assert!(stderr.contains("4,000 rows: "), "{stderr}"),
                _ => {
                    assert!(*code == Some(2) && stderr.contains("another migration is running"), "{stderr}");
                    refused += 1;
                }
            }
        }
        assert!(done.iter().any(|done| done.code == Some(0)), "{done:?}");
        assert!(db.strings() == want);
        let noted = db.rows(
            "SELECT sum(CASE WHEN entry LIKE '%\"begin\"%' THEN 1 ELSE 0 END), sum(CASE WHEN entry LIKE '%\"batch\"%' THEN 1 ELSE 0 END),
                    sum(CASE WHEN entry LIKE '%\"end\"%' THEN 1 ELSE 0 END) FROM gridmill_migration",
        );
        assert_eq!(noted[0], [Some("1".to_string()), Some("8".into()), Some("1".into())]);
        let third = db.migrate(&ARGS);
        assert!(third.code == Some(0) && third.stderr.contains("4,000 rows: 0 written"), "{third:?}");
        db.run("DROP TABLE gridmill_migration");
    }
    assert!(refused > 0, "they never met");
}

#[test]
fn side_by_side_in_sqlite() {
    let mut db = Lite::new();
    two_migrations_at_once(&mut db);
    // Their lock files are removed.
    let folder = fs::read_dir(std::path::Path::new(&db.path).parent().unwrap()).unwrap();
    let names: Vec<_> = folder.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["site.db"]);
    db.run("PRAGMA journal_mode = WAL");
    two_migrations_at_once(&mut db);
}

/// The second run stops at once, says why, and writes nothing; a preview needs no lock. The name of the database does
/// not matter.
#[cfg(unix)]
#[test]
fn the_second_stops() {
    let mut db = Lite::new();
    let lines = lines(10, 17);
    db.fill(&lines.iter().cloned().map(Some).collect::<Vec<_>>());
    let link = db.path.replace("site.db", "link.db");
    std::os::unix::fs::symlink(&db.path, &link).unwrap();
    let first = Sqlite::open(db.path.as_ref(), &job(50), true, Duration::from_secs(5)).unwrap();
    for path in [&db.path, &link] {
        run(gridmill(["migrate", "sqlite", path]).args(ARGS), b"")
            .failed(&["another migration is running", "wait until it ends"]);
        assert_eq!(run(gridmill(["migrate", "sqlite", path]).args(&ARGS[..4]), b"").code, Some(0));
    }
    assert_eq!(db.strings()[0].as_ref(), Some(&lines[0]));
    drop(first);
    // A run that was killed leaves a file without a lock.
    fs::write(format!("{}-gridmill", db.path), "").unwrap();
    assert_eq!(run(gridmill(["migrate", "sqlite", &link]).args(ARGS), b"").code, Some(0));
    assert!(!fs::exists(format!("{}-gridmill", db.path)).unwrap());
}

/// If the lock does not work, as with two names of one file, the run that was overtaken sees it in the journal, and
/// stops.
#[test]
fn one_that_was_overtaken_stops() {
    let mut db = Lite::new();
    let lines = lines(500, 17);
    db.fill(&lines.iter().cloned().map(Some).collect::<Vec<_>>());
    let other = db.path.replace("site.db", "other.db");
    fs::hard_link(&db.path, &other).unwrap();
    let mut first = Sqlite::open(db.path.as_ref(), &job(50), true, Duration::from_secs(5)).unwrap();
    let is_writing = Cell::new(false);
    let overtake = |rows| {
        if rows > 0 && is_writing.take() {
            let done = run(gridmill(["migrate", "sqlite", &other]).args(ARGS), b"");
            assert!(done.code == Some(0) && done.stderr.contains("resumed an interrupted run"), "{done:?}");
        }
    };
    let mut migration = Migration::new(&mut first, job(50), gridmill::engine::kernel().unwrap(), &overtake);
    let preview = migration.preview().unwrap();
    is_writing.set(true);
    let error = migration.write(&preview).unwrap_err().to_string();
    assert!(error.contains("somebody else wrote to table gridmill_migration"), "{error}");
    assert!(db.strings() == lines.iter().map(|line| Some(v2(line))).collect::<Vec<_>>());
    let noted = db.rows("SELECT count(*) FROM gridmill_migration");
    assert_eq!(noted[0][0].as_deref(), Some("4"), "a beginning, a batch of each and an end");
}
