//! Tables with triggers and rules that act when rows are written.

use super::db::Db;
use super::lines;
use crate::support::{Done, v2};

const ARGS: [&str; 9] = ["--table", "boards", "--column", "bd", "--yes", "--batch", "100", "--rejects", "/dev/stderr"];

/// 300 boards, of which the one with key 4 has no string.
pub(super) fn fill(db: &mut dyn Db) -> Vec<Option<String>> {
    let mut rows: Vec<_> = lines(300, 3).into_iter().map(Some).collect();
    rows[3] = None;
    db.fill(&rows);
    db.run("DROP TABLE IF EXISTS gridmill_migration");
    rows
}

/// Executes `what` after rows for which `when` holds were changed.
fn after_update(db: &mut dyn Db, when: &str, what: &str) {
    if db.place()[1] == "sqlite" {
        db.run(&format!("CREATE TRIGGER t AFTER UPDATE ON boards WHEN {when} BEGIN {what}; END"));
    } else {
        db.run(&format!(
            "CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {what}; RETURN new; END $$;
             CREATE TRIGGER t AFTER UPDATE ON boards FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION f()"
        ));
    }
}

pub(super) fn migrate(db: &mut dyn Db) -> Done {
    db.migrate(&[&ARGS[..], &["-f"]].concat())
}

/// The rows for which `is_kept` holds are refused with this message and stay; all others are written.
pub(super) fn check(db: &mut dyn Db, done: &Done, rows: &[Option<String>], is_kept: fn(usize) -> bool, why: &str) {
    assert_eq!(done.code, Some(1), "{done:?}");
    let rejects: Vec<_> = done.stderr.lines().filter(|line| line.contains("\t-\tcolumn\t")).collect();
    let keys: Vec<usize> = rejects.iter().map(|line| line.split('\t').next().unwrap().parse().unwrap()).collect();
    assert_eq!(keys, (1..=300).filter(|id| is_kept(*id)).collect::<Vec<_>>());
    assert!(rejects.iter().all(|line| line.contains(why)), "{rejects:?}");
    assert!(done.stderr.contains("as written;"), "{done:?}");
    for ((id, old), now) in (1..).zip(rows).zip(db.strings()) {
        let want = if is_kept(id) { old.clone() } else { old.as_deref().map(v2) };
        assert_eq!(now, want, "row {id}");
    }
}

/// A row keeps its old string if a trigger would change the new one.
pub(super) fn triggers_that_change_what_is_written(db: &mut dyn Db) {
    let why = "a trigger or rule of the table stores something other than the new string";
    let rows = fill(db);
    after_update(
        db,
        "new.id % 7 = 3 AND new.bd <> lower(new.bd)",
        "UPDATE boards SET bd = lower(bd) WHERE id = new.id",
    );
    let done = migrate(db);
    check(db, &done, &rows, |id| id % 7 == 3, why);
    // A trigger that does not change the string does not matter.
    let rows = fill(db);
    after_update(db, "old.bd <> new.bd", "UPDATE boards SET note = 'seen' WHERE id = new.id");
    assert_eq!(migrate(db).code, Some(0));
    assert!(db.strings() == rows.iter().map(|row| row.as_deref().map(v2)).collect::<Vec<_>>());
    let seen = db.rows("SELECT count(*) FROM boards WHERE note = 'seen'");
    assert_eq!(seen[0][0].as_deref(), Some("299"));
}

/// A trigger that silently skips rows.
pub(super) fn triggers_that_keep_rows(db: &mut dyn Db) {
    let rows = fill(db);
    if db.place()[1] == "sqlite" {
        db.run("CREATE TRIGGER t BEFORE UPDATE ON boards WHEN new.id % 50 = 7 BEGIN SELECT raise(IGNORE); END");
    } else {
        db.run(
            "CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
             CREATE TRIGGER t BEFORE UPDATE ON boards FOR EACH ROW WHEN (new.id % 50 = 7) EXECUTE FUNCTION f()",
        );
    }
    let done = migrate(db);
    check(db, &done, &rows, |id| id % 50 == 7, "it stayed unchanged");
}

/// If other rows of a batch have changed, nothing of the batch is written.
pub(super) fn triggers_that_change_other_rows(db: &mut dyn Db) {
    for (what, said) in [
        ("DELETE FROM boards WHERE id = 120", "removes the row with key 120"),
        ("UPDATE boards SET bd = 'x' WHERE id = 4", "changes the row with key 4"),
        ("INSERT INTO boards VALUES (-5, 'n', NULL)", "adds the row with key -5"),
    ] {
        let rows = fill(db);
        let when = if said.contains("120") { "new.id = 150" } else { "new.id = 50" };
        after_update(db, when, what);
        let done = migrate(db);
        done.failed(&[said, "the batch was not written", "Disable it"]);
        let whole = if said.contains("120") { 100 } else { 0 };
        for ((id, old), now) in (1..).zip(&rows).zip(db.strings()) {
            assert_eq!(now, if id <= whole { old.as_deref().map(v2) } else { old.clone() }, "row {id}");
        }
        // Without the trigger the run continues.
        db.run(if db.place()[1] == "sqlite" { "DROP TRIGGER t" } else { "DROP TRIGGER t ON boards" });
        let done = migrate(db);
        assert!(done.code == Some(0) && done.stderr.contains("resumed an interrupted run"), "{done:?}");
        assert!(db.strings() == rows.iter().map(|row| row.as_deref().map(v2)).collect::<Vec<_>>());
    }
}

/// A history in the table itself grows with every row that is written, but the run ends nevertheless.
pub(super) fn a_trigger_that_adds_rows_to_the_table(db: &mut dyn Db) {
    let rows = fill(db);
    after_update(db, "old.bd <> new.bd", "INSERT INTO boards SELECT max(id) + 1, 'old', old.bd FROM boards");
    let done = migrate(db);
    assert!(done.code == Some(1) && done.stderr.contains("300 rows: 299 written"), "{done:?}");
    assert!(done.stderr.contains("key 301 is not version 2") && done.stderr.contains("... and 279 more"), "{done:?}");
    let now = db.strings();
    assert_eq!(now.len(), 599);
    assert!(now[..300] == rows.iter().map(|row| row.as_deref().map(v2)).collect::<Vec<_>>());
}
