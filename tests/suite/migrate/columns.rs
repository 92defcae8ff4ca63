//! Several columns at once.

use super::db::{Db, Lite, literal};
use super::{lines, report};
use crate::support::{Folder, gridmill, run, v2};

const ARGS: [&str; 12] =
    ["--table", "sites", "--column", "a", "--column", "b", "--to-column", "b2", "--column", "c", "--batch", "10"];

/// Values of a, b, b2 and c.
type Row = [Option<String>; 4];

/// Rows and their results. Of every ten rows, one has a bad string in b, one has NULL in it, one is already done in c,
/// and one has all of that and nothing to write.
fn rows() -> Vec<(Row, Row)> {
    let (v1, more) = (lines(300, 5), lines(300, 6));
    let row = |n: usize| {
        let (old, bad, new) = (more[n].clone(), Some("bad".to_string()), v2(&v1[n]));
        match n % 10 {
            3 => ([Some(old.clone()), bad.clone(), None, Some(v1[n].clone())], [Some(v2(&old)), bad, None, Some(new)]),
            4 => ([Some(old.clone()), None, None, Some(v1[n].clone())], [Some(v2(&old)), None, None, Some(new)]),
            5 => {
                let b = Some(v1[n].clone());
                let kept = Some(v2(&old));
                ([Some(old.clone()), b.clone(), None, kept.clone()], [kept.clone(), b, Some(new), kept])
            }
            6 => ([None, bad.clone(), None, Some(new.clone())], [None, bad, None, Some(new)]),
            _ => {
                let b = Some(old.clone());
                let (a, c) = (Some(v1[n].clone()), Some(old.clone()));
                ([a, b.clone(), None, c], [Some(new), b, Some(v2(&old)), Some(v2(&old))])
            }
        }
    };
    (0..300).map(row).collect()
}

fn fill(db: &mut dyn Db, rows: &[(Row, Row)]) {
    let (of_b2, of_c) = match db.place()[1].as_str() {
        "mysql" => ("VARBINARY(300)", "VARCHAR(300) CHARACTER SET latin1"),
        "postgres" => ("bytea", "varchar(300)"),
        _ => ("", ""),
    };
    db.run("DROP TABLE IF EXISTS sites");
    db.run(&format!(
        "CREATE TABLE sites (id INTEGER PRIMARY KEY, a VARCHAR(300) UNIQUE, b TEXT, b2 {of_b2}, c {of_c}, CHECK (id <> 52 OR a NOT LIKE 'S9B%'))"
    ));
    for (n, (old, _)) in rows.iter().enumerate() {
        let [a, b, _, c] = old.each_ref().map(|value| literal(value.as_deref()));
        db.run(&format!("INSERT INTO sites VALUES ({}, {a}, {b}, NULL, {c})", n + 1));
    }
}

fn now(db: &mut dyn Db) -> Vec<Row> {
    let b2 = if db.place()[1] == "postgres" { "convert_from(b2, 'UTF8')" } else { "b2" };
    let rows = db.rows(&format!("SELECT a, b, {b2}, c FROM sites ORDER BY id"));
    rows.into_iter().map(|row| row.try_into().unwrap()).collect()
}

/// Makes it look as if the run had been interrupted after some batches.
fn interrupt(db: &mut dyn Db, batches: usize) {
    let all = "SELECT id FROM gridmill_migration WHERE entry LIKE '%\"entry\":\"batch\"%' ORDER BY id";
    let next = db.rows(all)[batches][0].clone().unwrap();
    db.run(&format!("DELETE FROM gridmill_migration WHERE id >= {next}"));
}

pub(super) fn several_columns_in_one_pass(db: &mut dyn Db) {
    let folder = Folder::new();
    let rows = rows();
    fill(db, &rows);
    let old: Vec<_> = rows.iter().map(|(old, _)| old.clone()).collect();
    // The database refuses row 52.
    let want: Vec<_> = rows.iter().enumerate().map(|(n, (old, new))| if n == 51 { old } else { new }.clone()).collect();
    let cells = |rows: &[Row], other: &[Row]| -> usize {
        rows.iter().zip(other).map(|(row, other)| row.iter().zip(other).filter(|(a, b)| a != b).count()).sum()
    };
    let look = db.migrate(&ARGS);
    let said =
        format!("300 rows with 3 columns each: {} to be written, 60 version 2 already, ", cells(&old, &want) + 3);
    assert!(look.code == Some(1) && look.text().starts_with(&said), "{said}: {look:?}");
    assert!(
        look.text().contains("key 1, column \"b\"\n  - ")
            && look.text().contains("--yes writes columns \"a\", \"b2\", \"c\"")
    );
    let backup = folder.at("old.zst");
    let args = [&ARGS[..], &["--yes", "--backup", backup.to_str().unwrap()]].concat();
    let done = db.migrate(&args);
    let said = format!("300 rows with 3 columns each: {} written, ", cells(&old, &want));
    assert!(done.code == Some(1) && done.stderr.contains(&said), "{said}: {done:?}");
    assert!(done.stderr.contains("300 rows read back, 30 batches as written;"), "{done:?}");
    assert!(done.stderr.contains("key\tcolumn\tcell\tcode\tmessage\trecord\n4\tb\t-\tlength\t"), "{done:?}");
    assert!(now(db) == want);
    for column in ["a", "b", "c"] {
        assert!(done.stderr.contains(&format!("\n52\t{column}\t-\tcolumn\t")), "{done:?}");
    }
    interrupt(db, 10);
    // Rows from 101 on are old again.
    for (n, row) in old.iter().enumerate().skip(100) {
        let [a, b, _, c] = row.each_ref().map(|value| literal(value.as_deref()));
        db.run(&format!("UPDATE sites SET a = {a}, b = {b}, b2 = NULL, c = {c} WHERE id = {}", n + 1));
    }
    // Names of columns may be spelled differently, if the database accepts that.
    let is_column = |at: usize| at > 0 && ["--column", "--to-column"].contains(&args[at - 1]);
    let typed = |(at, arg): (usize, &&str)| if is_column(at) { arg.to_uppercase() } else { arg.to_string() };
    let in_capitals: Vec<_> = args.iter().enumerate().map(typed).collect();
    let again: Vec<&str> = in_capitals.iter().map(String::as_str).collect();
    let done = if db.place()[1] == "postgres" { db.migrate(&args) } else { db.migrate(&again) };
    assert!(done.code == Some(1) && done.stderr.contains("resumed an interrupted run"), "{done:?}");
    assert!(!done.stderr.contains("not version 2"), "{done:?}");
    assert!(done.stderr.contains(&said) && now(db) == want, "{done:?}");
    // A column that was changed since is not restored.
    db.run("UPDATE sites SET c = 'theirs' WHERE id = 8");
    db.run("DELETE FROM sites WHERE id = 300");
    let file = folder.at("report");
    let mut back = gridmill(["migrate", "restore"]);
    back.arg(&backup).arg(&db.place()[2]).args(["--yes", "--report", file.to_str().unwrap()]);
    let done = run(&mut back, b"");
    assert!(done.stderr.contains("\n8\tc\t-\tcolumn\t") && done.stderr.contains("\n300\tb2\t-\tcolumn\t"), "{done:?}");
    let strings = cells(&old, &want);
    assert!(done.stderr.contains(&format!("{strings} strings of 3 columns: {} put back, ", strings - 4)), "{done:?}");
    let found = report(done, &folder, 1);
    assert_eq!(found["columns"][1]["column"], "b2", "{found:#}");
    let mut want = old;
    want[7][3] = Some("theirs".into());
    want.pop();
    assert!(now(db) == want);
}

pub(super) fn changes_of_several_columns_are_found(db: &mut dyn Db) {
    let folder = Folder::new();
    fill(db, &rows());
    assert_eq!(db.migrate(&[&ARGS[..], &["--yes", "-q"]].concat()).code, Some(1));
    interrupt(db, 1);
    db.run("UPDATE sites SET c = 'theirs' WHERE id = 8");
    db.run("DELETE FROM sites WHERE id = 9");
    let file = folder.at("report");
    let done = db.migrate(&[&ARGS[..], &["--yes", "--report", file.to_str().unwrap()]].concat());
    let found = report(done, &folder, 1);
    let range = &found["verified"]["ranges_changed_since"][0];
    assert_eq!((range["written"].as_u64(), range["found"].as_u64()), (Some(10), Some(9)), "{found:#}");
    assert_eq!(found["verified"]["rows_not_version_2"].as_array().unwrap().len(), 1, "{found:#}");
}

/// Valid and invalid combinations of columns.
#[test]
fn columns_that_go_together() {
    let mut db = Lite::new();
    fill(&mut db, &rows());
    for (args, said) in [
        (
            &["--column", "a", "--column", "A"][..],
            "column \"a\" is written, but --column \"a\" also reads or writes it",
        ),
        (&["--column", "a", "--to-column", "b", "--column", "b"], "is written, but --column"),
        (&["--column", "a", "--to-column", "b2", "--column", "b", "--to-column", "b2"], "also reads or writes"),
        (
            &["--column", "a", "--to-column", "b2", "--to-column", "c"],
            "--to-column b2 and --to-column c both belong to --column a",
        ),
        (&["--column", "a", "--column", "id"], "the key column cannot be the column that is written"),
        (&["--column", "a", "--column", "none"], "it has no column \"none\""),
        (&["--to-column", "b2"], "--column"),
        (&["--to-column", "b2", "--column", "a", "--column", "b"], "--to-column b2 comes before every --column"),
    ] {
        db.migrate(&[&["--table", "sites"], args].concat()).failed(&[said]);
    }
    // With a single column, the order does not matter.
    let done = db.migrate(&["--table", "sites", "--to-column", "b2", "--column", "b"]);
    assert!(done.text().contains("--yes writes column \"b2\"."), "{done:?}");
}

/// If one column of a row is written, invalid text stays in the others, whatever the database's encoding.
#[test]
fn what_stays_is_not_read_as_text() {
    for (encoding, bytes) in [("UTF-8", "636166E9"), ("UTF-16le", "3DD84100")] {
        let mut db = Lite::new();
        db.run(&format!("PRAGMA encoding = '{encoding}'"));
        fill(&mut db, &rows());
        db.run(&format!("UPDATE sites SET c = CAST(x'{bytes}' AS TEXT) WHERE id = 8"));
        let done = db.migrate(&[&ARGS[..], &["--yes"]].concat());
        assert!(done.code == Some(1) && done.stderr.contains("\n8\tc\t"), "{encoding}: {done:?}");
        let [a, c] =
            ["substr(a, 1, 3)", "hex(CAST(c AS BLOB))"].map(|sql| format!("SELECT {sql} FROM sites WHERE id = 8"));
        assert_eq!(db.rows(&a)[0][0].as_deref(), Some("S9B"), "{encoding}");
        assert_eq!(db.rows(&c)[0][0].as_deref(), Some(bytes), "{encoding}");
    }
}

/// A run does not do the work of an interrupted one, whose backup would lack its rows.
#[test]
fn runs_that_share_columns_wait_for_each_other() {
    let mut db = Lite::new();
    fill(&mut db, &rows());
    assert_eq!(db.migrate(&[&ARGS[..], &["--yes", "-q"]].concat()).code, Some(1));
    interrupt(&mut db, 1);
    let said = "with other columns was interrupted; run that again first";
    for (args, is_refused) in [
        (&["--column", "c"][..], true),
        (&["--column", "c", "--column", "a"], true),
        (&["--column", "b", "--to-column", "b2"], true),
        (&["--column", "b"], false),
    ] {
        let done = db.migrate(&[&["--table", "sites", "--yes", "-q"], args].concat());
        assert_eq!((done.code == Some(2), done.stderr.contains(said)), (is_refused, is_refused), "{args:?}: {done:?}");
    }
    let done = db.migrate(&[&ARGS[..], &["--yes"]].concat());
    assert!(done.stderr.contains("resumed an interrupted run"), "{done:?}");
}
