//! Keys of several columns.

use super::db::{Db, Lite};
use super::lines;
use crate::support::{Folder, gridmill, run, v2};

/// Rows of `boards`. Hundreds have the same value in the first column of the primary key (a, b), so pages end among
/// them.
fn fill(db: &mut dyn Db, lines: &[String], options: &str) {
    db.run(&format!(
        "DROP TABLE IF EXISTS boards; DROP TABLE IF EXISTS gridmill_migration;
         CREATE TABLE boards (b VARCHAR(9) NOT NULL, a INT NOT NULL, n INT NOT NULL, bd TEXT, PRIMARY KEY (a, b), UNIQUE (n, b)) {options}"
    ));
    let values = lines.iter().enumerate().map(|(n, line)| format!("('k{:03}', {}, {n}, '{line}')", n % 500, n / 500));
    db.run(&format!("INSERT INTO boards (b, a, n, bd) VALUES {}", values.collect::<Vec<_>>().join(",")));
    db.run("UPDATE boards SET bd = 'bad' WHERE n = 507");
}

const ARGS: [&str; 7] = ["--table", "boards", "--column", "bd", "--yes", "--batch", "130"];

/// Two columns of different types: written, refused by key, interrupted, continued, verified.
pub(super) fn keys_of_two_columns(db: &mut dyn Db, options: &str) {
    let lines = lines(1_200, 8);
    let rows_have_numbers = db.place()[1] == "sqlite" && options.is_empty();
    for key in ["", "a,b", "b , a", "n,b"].into_iter().filter(|key| !(key.is_empty() && rows_have_numbers)) {
        fill(db, &lines, options);
        let named: &[&str] = if key.is_empty() { &[] } else { &["--key", key] };
        for again in [false, true] {
            let done = db.migrate(&[&ARGS[..], named].concat());
            assert!(done.code == Some(1) && done.stderr.contains("1,200 rows: 1,199 written"), "{key}: {done:?}");
            assert!(done.stderr.contains("1,200 rows read back, 10 batches as written;"), "{key}: {done:?}");
            assert_eq!(done.stderr.contains("resumed an interrupted run"), again, "{done:?}");
            let refused = if key == "n,b" { "\n(507, k007)\t" } else { "\n(1, k007)\t" };
            assert!(done.stderr.contains(refused), "{key}: {done:?}");
            let now = db.rows("SELECT bd FROM boards WHERE n <> 507 ORDER BY n").into_iter().flatten();
            let want = lines.iter().enumerate().filter(|(n, _)| *n != 507).map(|(_, line)| Some(v2(line)));
            assert!(now.eq(want), "{key}");
            // As if it had been interrupted after its fourth batch: the strings of the other rows are old again.
            if !again {
                let batches = "SELECT id FROM gridmill_migration WHERE entry LIKE '%several%' ORDER BY id";
                let fifth = db.rows(batches)[4][0].clone().unwrap();
                db.run(&format!("DELETE FROM gridmill_migration WHERE id >= {fifth}"));
                for (n, line) in lines.iter().enumerate().skip(520).filter(|(n, _)| *n != 507) {
                    db.run(&format!("UPDATE boards SET bd = '{line}' WHERE n = {n}"));
                }
            }
        }
    }
    // A change since an interruption is found, with the range of its keys.
    let batches = "SELECT id FROM gridmill_migration WHERE entry LIKE '%several%' ORDER BY id";
    let fifth = db.rows(batches)[4][0].clone().unwrap();
    db.run(&format!("DELETE FROM gridmill_migration WHERE id >= {fifth}"));
    db.run(&format!("UPDATE boards SET bd = '{}' WHERE n = 9; DELETE FROM boards WHERE n = 300", v2(&lines[10])));
    let done = db.migrate(&[&ARGS[..], &["--key", "n,b"]].concat());
    assert!(done.code == Some(1) && done.stderr.contains("1 row was deleted by others meanwhile"), "{done:?}");
    for key in ["(129, k129)", "(259, k259)", "(389, k389)"] {
        assert!(done.stderr.contains(key), "{key}: {done:?}");
    }
}

/// Keys that do not identify rows.
pub(super) fn keys_that_cannot_be_used(db: &mut dyn Db) {
    fill(db, &lines(600, 3), "");
    for (key, says) in [
        ("a", "its key \"a\" has no unique index of its own"),
        ("a,n", "its key \"a, n\" has no unique index on exactly these columns"),
        ("a,b,n", "its key \"a, b, n\" has no unique index"),
        ("a,none", "it has no column \"none\"; columns: b, a, n, bd"),
        ("a,", "it has no column \"\""),
        ("a,b,a", "--key names column \"a\" twice"),
    ] {
        db.migrate(&[&ARGS[..], &["--key", key]].concat()).failed(&[says]);
    }
    let args = ["--table", "boards", "--column", "b", "--key", "a,b"];
    db.migrate(&args).failed(&["the key column cannot be the column that is written"]);
    db.run("CREATE TABLE loose (a INT, b VARCHAR(9), bd TEXT, UNIQUE (a, b))");
    db.run("INSERT INTO loose VALUES (1, NULL, 'x'), (NULL, 'y', 'x'), (2, 'z', 'x')");
    let args = ["--table", "loose", "--column", "bd", "--key", "a,b"];
    db.migrate(&args).failed(&["2 rows have NULL in their key"]);
    db.run("DELETE FROM loose WHERE a = 1; DELETE FROM loose WHERE b = 'y'");
    let done = db.migrate(&args);
    assert!(done.code == Some(1) && done.stderr.contains("\n(2, z)\t"), "{done:?}");
    // With columns in different directions, a comparison of rows does not find the next ones.
    db.run("CREATE TABLE ways (a INT NOT NULL, b INT NOT NULL, bd TEXT); CREATE UNIQUE INDEX w ON ways (a, b DESC)");
    db.migrate(&["--table", "ways", "--column", "bd", "--key", "a,b"]).failed(&["all sorted in the same direction"]);
}

#[test]
fn keys_of_two_columns_of_sqlite() {
    keys_of_two_columns(&mut Lite::new(), "");
    keys_of_two_columns(&mut Lite::new(), "WITHOUT ROWID");
    keys_that_cannot_be_used(&mut Lite::new());
}

/// For several columns, only an index with their own collations finds the next rows.
#[test]
fn collations_of_several_columns_of_sqlite() {
    for (column, index, is_good) in [
        ("TEXT COLLATE nocase", "k, n", true),
        ("TEXT COLLATE nocase", "k COLLATE binary, n", false),
        ("TEXT", "n, k COLLATE nocase", false),
        ("TEXT", "n, k", true),
    ] {
        let mut db = Lite::new();
        let line = &lines(1, 5)[0];
        db.run(&format!("CREATE TABLE boards (k {column}, n, bd TEXT); CREATE UNIQUE INDEX u ON boards ({index})"));
        for (n, k) in ["a", "B", "A", "c", "b"].iter().cycle().take(100).enumerate() {
            // Numbers, others, text and bytes.
            let other = [format!("{n}"), format!("{n}.5"), format!("'{n}'"), format!("x'{n:04}'")];
            db.run(&format!("INSERT INTO boards VALUES ('{k}', {}, '{line}')", other[n / 4 % 4]));
        }
        let done = db.migrate(&["--table", "boards", "--column", "bd", "--key", "n,k", "--yes", "--batch", "7"]);
        if is_good {
            assert!(done.code == Some(0) && done.stderr.starts_with("gridmill: 100 rows: 100 written"), "{done:?}");
        } else {
            done.failed(&["by their own collations"]);
        }
    }
}

/// Values that compare as equal need not be identical: `x` and `X`, 1 and 1.0. Pages end among them.
#[test]
fn equal_values_of_several_columns_of_sqlite() {
    let (mut db, folder) = (Lite::new(), Folder::new());
    let lines = lines(600, 6);
    db.run("CREATE TABLE boards (a TEXT COLLATE nocase, b, c INT, bd TEXT, PRIMARY KEY (a, b, c)) WITHOUT ROWID");
    let key = |n: usize| format!("'{}', {}", ["x", "X", "y", "Y"][n % 4], ["1", "1.0", "2.5"][n / 4 % 3]);
    let values: Vec<_> = lines.iter().enumerate().map(|(n, line)| format!("({}, {n}, '{line}')", key(n))).collect();
    db.run(&format!("INSERT INTO boards VALUES {}", values.join(",")));
    let now =
        |db: &mut Lite| db.rows("SELECT bd FROM boards ORDER BY c").into_iter().flatten().flatten().collect::<Vec<_>>();
    let is_new = |is: fn(usize) -> bool| {
        lines.iter().enumerate().map(move |(n, line)| if is(n) { v2(line) } else { line.clone() })
    };
    let backup = folder.at("old.zst");
    let args = ["--table", "boards", "--column", "bd", "--yes", "-q", "--batch", "37"];
    // Some of the rows between two keys, and then all.
    let some = [&args[..], &["--where", "c % 3 = 0"]].concat();
    assert_eq!(db.migrate(&some).code, Some(0));
    assert!(now(&mut db).into_iter().eq(is_new(|n| n.is_multiple_of(3))));
    let done = db.migrate(&[&args[..], &["--backup", backup.to_str().unwrap()]].concat());
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    assert!(now(&mut db).into_iter().eq(is_new(|_| true)));
    let done = run(gridmill(["migrate", "restore"]).arg(&backup).arg(&db.path).args(["--yes", "-q"]), b"");
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    assert!(now(&mut db).into_iter().eq(is_new(|n| n.is_multiple_of(3))));
}
