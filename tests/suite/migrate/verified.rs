//! What is found when rows are read again at the end: changes, rows that have disappeared, and new ones.

use super::db::Db;
use super::{lines, report};
use crate::support::Folder;

/// Rows that have changed, have disappeared, or are new when they are verified are reported, and the run fails.
pub(super) fn rows_that_do_not_stay_as_written(db: &mut dyn Db) {
    let folder = Folder::new();
    let old: Vec<_> = lines(250, 3).into_iter().map(Some).collect();
    let file = folder.at("report");
    let args = ["--table", "boards", "--column", "bd", "--yes", "--batch", "100", "-f", "--report"];
    let args = [&args[..], &[file.to_str().unwrap()]].concat();
    for (what, code, list, key, said) in [
        ("UPDATE boards SET bd = 'x' WHERE id = 3", 1, "rows_changed_since", "3", "key 3 is not version 2"),
        (
            "UPDATE boards SET bd = NULL WHERE id = 4",
            1,
            "rows_changed_since",
            "4",
            "key 4 does not hold what was written",
        ),
        (
            "DELETE FROM boards WHERE id = 5",
            2,
            "rows_gone",
            "5",
            "1 row has disappeared: a trigger or rule of the table may have deleted it",
        ),
        ("INSERT INTO boards VALUES (-6, 'n', 'x')", 1, "rows_new", "-6", "key -6 is not version 2"),
        ("INSERT INTO boards VALUES (-7, 'n', NULL)", 1, "rows_new", "-7", "key -7 is new"),
    ] {
        db.fill(&old);
        if db.place()[1] == "sqlite" {
            db.run(&format!("CREATE TRIGGER t AFTER UPDATE ON boards WHEN new.id = 222 BEGIN {what}; END"));
        } else {
            db.run(&format!(
                "CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {what}; RETURN new; END $$;
                 CREATE TRIGGER t AFTER UPDATE ON boards FOR EACH ROW WHEN (new.id = 222) EXECUTE FUNCTION f()"
            ));
        }
        let done = db.migrate(&args);
        assert!(done.stderr.contains(said) && done.stderr.contains("2 batches as written, 1 not"), "{what}: {done:?}");
        let found = report(done, &folder, code);
        for name in ["rows_changed_since", "rows_gone", "rows_new"] {
            let want = if name == list { serde_json::json!([key]) } else { serde_json::json!([]) };
            assert_eq!(found["verified"][name], want, "{what}: {name}");
        }
        assert_eq!(found["verified"]["ranges_changed_since"], serde_json::json!([]), "{what}");
        db.run("DROP TABLE gridmill_migration");
    }
}

/// For batches of an earlier run it is known which ones have changed, and how many of their rows have disappeared.
pub(super) fn batches_of_an_interrupted_run(db: &mut dyn Db) {
    let folder = Folder::new();
    let old: Vec<_> = lines(250, 3).into_iter().map(Some).collect();
    let file = folder.at("report");
    let args = ["--table", "boards", "--column", "bd", "--yes", "--batch", "100", "-f", "--report"];
    let args = [&args[..], &[file.to_str().unwrap()]].concat();
    for (what, code, found) in [
        ("UPDATE boards SET bd = NULL WHERE id = 150", 1, 100),
        ("DELETE FROM boards WHERE id IN (150, 160)", 1, 98),
        (
            "INSERT INTO boards SELECT -id, note, NULL FROM boards WHERE id = 150; UPDATE boards SET id = 1000 WHERE id = 170",
            1,
            99,
        ),
    ] {
        db.fill(&old);
        assert_eq!(db.migrate(&args).code, Some(0));
        // As if the run had been interrupted after its second batch.
        db.run("DELETE FROM gridmill_migration WHERE id > (SELECT min(id) FROM gridmill_migration) + 2");
        db.run(what);
        let done = db.migrate(&args);
        let said = format!(
            "after key 100 up to key 200, which an interrupted run wrote, are not as they were written: there were 100, now there are {found}"
        );
        let deleted = match found {
            98 => "2 rows were deleted by others meanwhile",
            99 => "1 row was deleted by others meanwhile (or has another key now)",
            _ => "",
        };
        assert!(done.stderr.contains(deleted), "{what}: {done:?}");
        assert!(done.stderr.contains(&said) && done.stderr.contains("resumed an interrupted run"), "{what}: {done:?}");
        let report = report(done, &folder, code);
        let range = serde_json::json!({"after": "100", "last": "200", "written": 100, "found": found});
        assert_eq!(report["verified"]["ranges_changed_since"].as_array().unwrap().last(), Some(&range), "{what}");
        db.run("DROP TABLE gridmill_migration");
    }
}
