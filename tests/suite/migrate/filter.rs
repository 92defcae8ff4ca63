//! `--where`: converting some rows only.

use std::fs;

use super::db::{Db, Lite, literal};
use super::{lines, report};
use crate::support::{Folder, gridmill, run, v2};

const ARGS: [&str; 7] = ["--table", "boards", "--column", "bd", "--yes", "--batch", "10"];

/// Every third row, one of which is bad.
fn fill(db: &mut dyn Db) -> (Vec<String>, Vec<Option<String>>) {
    let lines = lines(300, 5);
    db.run("DROP TABLE IF EXISTS gridmill_migration");
    db.fill(&lines.iter().cloned().map(Some).collect::<Vec<_>>());
    db.run("UPDATE boards SET note = 'x' WHERE id % 3 = 0");
    db.run("UPDATE boards SET bd = 'bad' WHERE id = 30 OR id = 31");
    let old = db.strings().into_iter().map(Option::unwrap).collect::<Vec<_>>();
    let new = |(n, old): (usize, &String)| Some(if n % 3 == 2 && old != "bad" { v2(old) } else { old.clone() });
    let want = old.iter().enumerate().map(new).collect();
    (old, want)
}

pub(super) fn only_rows_of_a_condition(db: &mut dyn Db) {
    let folder = Folder::new();
    let (old, want) = fill(db);
    // The condition is treated as a unit, even with alternatives, or a comment at its end.
    let filter = ["--where", "note = 'x' OR id = -1 -- some"];
    let look = db.migrate(&[&ARGS[..4], &filter].concat());
    assert!(look.text().starts_with("100 rows: 99 to be written, 1 rejected (length 1)"), "{look:?}");
    let backup = folder.at("old.zst");
    let args = [&ARGS[..], &filter, &["--backup", backup.to_str().unwrap()]].concat();
    let file = folder.at("report");
    let done = db.migrate(&[&args[..], &["--report", file.to_str().unwrap()]].concat());
    assert!(done.stderr.contains("100 rows: 99 written, 1 rejected"), "{done:?}");
    assert!(done.stderr.contains("100 rows read back, 10 batches as written;"), "{done:?}");
    assert_eq!(report(done, &folder, 1)["where"], filter[1]);
    assert_eq!(db.strings(), want);
    // As if it had been interrupted after its fourth batch, whose rejected row is an entry of its own.
    let begun = "SELECT min(id) FROM gridmill_migration";
    let first: u64 = db.rows(begun)[0][0].as_ref().unwrap().parse().unwrap();
    db.run(&format!("DELETE FROM gridmill_migration WHERE id > {}", first + 5));
    for (n, old) in old.iter().enumerate().skip(120) {
        db.run(&format!("UPDATE boards SET bd = {} WHERE id = {}", literal(Some(old)), n + 1));
    }
    let bytes = fs::read(&backup).unwrap();
    for other in [&[][..], &["--where", "note = 'x'"]] {
        db.migrate(&[&ARGS[..], other].concat()).failed(&[
            "--where",
            "OR id = -1 -- some",
            "was interrupted; run that again first",
        ]);
    }
    assert_eq!(fs::read(&backup).unwrap(), bytes);
    let done = db.migrate(&args);
    assert!(done.code == Some(1) && done.stderr.contains("resumed an interrupted run"), "{done:?}");
    assert!(done.stderr.contains("100 rows read back, 10 batches as written;"), "{done:?}");
    assert_eq!(db.strings(), want);
    // A completed run does not matter.
    let rest = db.migrate(&[&ARGS[..], &["--where", "id < 20"]].concat());
    assert!(rest.code == Some(0) && rest.stderr.contains("19 rows: 13 written, 6 version 2 already"), "{rest:?}");
    let mut back = gridmill(["migrate", "restore"]);
    assert_eq!(run(back.arg(&backup).arg(&db.place()[2]).args(["--yes", "-q"]), b"").code, Some(0));
    let mut now = old.into_iter().map(Some).collect::<Vec<_>>();
    (0..19).filter(|n| n % 3 != 2).for_each(|n| now[n] = now[n].as_deref().map(v2));
    assert_eq!(db.strings(), now);
}

pub(super) fn conditions_that_do_not_stay_true(db: &mut dyn Db) {
    const ONE: &str = "use the --where condition as one expression";
    let (old, _) = fill(db);
    for (filter, said) in [
        (
            "bd NOT LIKE 'S9B%'",
            "depends on the columns being written, or changes by itself, as a random number does: it held for 10 rows",
        ),
        ("nowhere = 1", "nowhere"),
        ("", "the --where condition is empty"),
        // What would not be one condition among others.
        ("id < 0) OR (note = 'n'", ONE),
        ("note = 'x'); DELETE FROM boards; --", ONE),
        ("1 THEN 1 END FROM boards; DELETE FROM boards; SELECT CASE WHEN 1", ONE),
        ("1 = 1 THEN 1 WHEN 1 = 0", ONE),
        ("id > ?", ONE),
        ("length(bd) > 3", ""),
    ] {
        let done = db.migrate(&[&ARGS[..], &["--where", filter]].concat());
        if said.is_empty() {
            assert!(done.code == Some(0) && done.stderr.contains("298 rows: 298 written"), "{done:?}");
        } else {
            done.failed(&[said]);
            // It wrote nothing, so it does not matter.
            assert!(db.strings().into_iter().eq(old.iter().cloned().map(Some)), "{filter}");
        }
    }
    fill(db);
    let random = match &db.place()[1][..] {
        "sqlite" => "random() % 2 = 0",
        "postgres" => "random() < 0.5",
        _ => "rand() < 0.5",
    };
    db.migrate(&[&ARGS[..], &["--where", random]].concat()).failed(&["--where", "changes by itself"]);
}

/// The message names the condition, and not the trigger.
#[test]
fn a_violated_condition_is_reported_and_not_the_trigger() {
    let mut db = Lite::new();
    fill(&mut db);
    db.run("CREATE TABLE log (id); CREATE TRIGGER t AFTER UPDATE ON boards BEGIN INSERT INTO log VALUES (NEW.id); END");
    let done = db.migrate(&[&ARGS[..], &["--where", "bd NOT LIKE 'S9B%'"]].concat());
    done.failed(&["depends on the columns being written"]);
}

/// Rows outside of the condition are not reported.
#[test]
fn changes_of_other_rows_are_not_reported() {
    let mut db = Lite::new();
    let (_, want) = fill(&mut db);
    db.run(
        "CREATE TRIGGER t AFTER INSERT ON boards BEGIN SELECT 1; END;
         CREATE TRIGGER u AFTER UPDATE ON boards WHEN NEW.id = 3 BEGIN UPDATE boards SET bd = 'other' WHERE id = 4; END",
    );
    let done = db.migrate(&[&ARGS[..], &["--where", "note = 'x'"]].concat());
    assert!(done.code == Some(1) && done.stderr.contains("100 rows read back, 10 batches as written;"), "{done:?}");
    let mut want = want;
    want[3] = Some("other".into());
    assert_eq!(db.strings(), want);
}
