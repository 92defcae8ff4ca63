//! Tables, columns and keys that cannot be migrated, and unusual values.

use super::all_sorts;
use super::db::{Db, Lite, Server, literal};
use crate::support::{gridmill, run};

/// Generated columns are read, but not written, and are not keys.
pub(super) fn columns_that_the_database_makes(db: &mut dyn Db) {
    let (old, new) = all_sorts()[0].clone();
    db.run(
        "CREATE TABLE boards (id INTEGER PRIMARY KEY, bd VARCHAR(300), made VARCHAR(300) GENERATED ALWAYS AS (bd || '') STORED,
         k VARCHAR(9) GENERATED ALWAYS AS (substr(bd, 1, 5)) STORED UNIQUE, other TEXT)",
    );
    db.run(&format!("INSERT INTO boards (id, bd) VALUES (1, {})", literal(old.as_deref())));
    db.migrate(&["--table", "boards", "--column", "made"]).failed(&["made", "from others", "--to-column"]);
    db.migrate(&["--table", "boards", "--column", "bd", "--to-column", "made"]).failed(&["made", "from others"]);
    db.migrate(&["--table", "boards", "--column", "bd", "--key", "k"]).failed(&["k", "from other columns"]);
    let done = db.migrate(&["--table", "boards", "--column", "made", "--to-column", "other", "--yes", "-q"]);
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    assert_eq!(db.rows("SELECT bd, made, other FROM boards"), [[old.clone(), old, new]]);
}

/// A column with two roles, and the journal's own table.
pub(super) fn columns_and_tables_that_are_taken(db: &mut dyn Db) {
    db.fill(&[all_sorts()[0].0.clone()]);
    let twice = "--to-column names the column with the old strings";
    db.migrate(&["--table", "boards", "--column", "bd", "--to-column", "bd", "--yes"]).failed(&[twice]);
    if db.place()[1] == "sqlite" {
        db.migrate(&["--table", "boards", "--column", "bd", "--to-column", "BD", "--yes"]).failed(&[twice]);
    }
    assert_eq!(db.migrate(&["--table", "boards", "--column", "bd", "--yes"]).code, Some(0));
    db.migrate(&["--table", "gridmill_migration", "--column", "entry"]).failed(&["migrations write down"]);
}

/// However its names are spelled, a migration is the same one, and is continued after an interruption.
pub(super) fn names_typed_in_another_way(db: &mut dyn Db) {
    let old = all_sorts()[0].0.clone();
    db.fill(&vec![old; 10]);
    let args = ["--table", "boards", "--column", "bd", "--yes", "--batch", "3"];
    assert_eq!(db.migrate(&args).code, Some(0));
    db.run("DELETE FROM gridmill_migration WHERE id > (SELECT min(id) FROM gridmill_migration) + 1");
    let again = match db.place()[1].as_str() {
        "sqlite" => ["--table", "Boards", "--column", "BD", "--yes"],
        _ => ["--table", "public.boards", "--column", "bd", "--yes"],
    };
    let done = db.migrate(&again);
    assert!(done.code == Some(0) && done.stderr.contains("an interrupted run went on"), "{done:?}");
}

/// The text after an @ in a password is not taken for a host, and not shown.
#[test]
fn passwords_with_an_at_sign() {
    let at = "postgres://me:top@secret@127.0.0.1:1/none";
    let done = run(gridmill(["migrate", "postgres", at]).args(["--table", "t", "--column", "c"]), b"");
    assert!(!done.stderr.contains("secret"), "{}", done.stderr);
    done.failed(&["%40", "PGPASSWORD"]);
}

/// A program without encryption only connects to this machine, unless told otherwise.
#[cfg(not(feature = "tls"))]
#[test]
fn programs_without_encryption() {
    for address in ["postgres://me:secret@db.example/none", "postgres://me:secret@127.0.0.1:1/none?sslmode=require"] {
        let done = run(gridmill(["migrate", "postgres", address]).args(["--table", "t", "--column", "c"]), b"");
        assert!(!done.stderr.contains("secret"), "{}", done.stderr);
        done.failed(&["built without", "--features tls", "sslmode=disable"]);
    }
    let unknown = "postgres://me:secret@127.0.0.1:1/none?sslmode=secret";
    let done = run(gridmill(["migrate", "postgres", unknown]).args(["--table", "t", "--column", "c"]), b"");
    assert!(!done.stderr.contains("secret"), "{}", done.stderr);
    done.failed(&["sslmode is disable, prefer, require, verify-ca or verify-full"]);
    let done =
        run(gridmill(["migrate", "mysql", "mysql://me@127.0.0.1:1/none"]).args(["--table", "t", "--column", "c"]), b"");
    done.failed(&["--features mysql"]);
}

/// Virtual tables, whose rows are stored elsewhere.
#[test]
fn virtual_tables() {
    let mut db = Lite::new();
    db.run("CREATE VIRTUAL TABLE found USING fts5 (bd); INSERT INTO found VALUES ('x')");
    for (table, column, why) in [
        ("found", "bd", "virtual table"),
        ("FOUND", "bd", "virtual table"),
        ("found_content", "c0", "belongs to a virtual table"),
    ] {
        db.migrate(&["--table", table, "--column", column, "--yes"]).failed(&[table, why]);
    }
    db.migrate(&["--table", "sqlite_schema", "--column", "sql"]).failed(&["sqlite_schema"]);
}

/// Text with a NUL, invalid text, strict tables, text in a column of numbers.
#[test]
fn values_of_odd_sorts() {
    let mut db = Lite::new();
    let (old, new) = all_sorts()[0].clone();
    let (old, new) = (old.unwrap(), new.unwrap());
    db.run("CREATE TABLE boards (id INTEGER PRIMARY KEY, bd NUMERIC)");
    db.run(&format!(
        "INSERT INTO boards (bd) VALUES ('{old}' || char(0)), (char(0) || '{old}'), ('{old}'), (CAST('{old}' || char(0) AS BLOB)),
         (CAST(x'ff' || '{old}' AS TEXT)), ('000000010400000000020000000000050407008000300001090000300400200050100000000806000')"
    ));
    let before = db.rows("SELECT id, hex(bd), typeof(bd) FROM boards ORDER BY id");
    let done = db.migrate(&["--table", "boards", "--column", "bd", "--yes", "-q", "--plain"]);
    let keys: Vec<_> = done.stderr.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
    assert_eq!((done.code, &keys[..]), (Some(1), &["1", "2", "4", "5", "6"][..]), "{done:?}");
    assert!(done.stderr.contains("\\x00") && done.stderr.contains("it is a number, not a string"), "{done:?}");
    let after = db.rows("SELECT id, hex(bd), typeof(bd) FROM boards ORDER BY id");
    for (before, after) in before.iter().zip(&after) {
        let is_written = before[0].as_deref() == Some("3");
        assert_eq!(is_written, before != after, "{after:?}");
    }
    assert_eq!(db.rows("SELECT bd FROM boards WHERE id = 3"), [[Some(new.clone())]]);

    db.run("CREATE TABLE strict (id INTEGER PRIMARY KEY, bd BLOB, t TEXT, n INTEGER) STRICT");
    db.run(&format!("INSERT INTO strict (bd) VALUES (CAST('{old}' AS BLOB))"));
    for (to, why) in
        [("t", "cannot store BLOB value in TEXT column"), ("n", "cannot store BLOB value in INTEGER column")]
    {
        let done = db.migrate(&["--table", "strict", "--column", "bd", "--to-column", to, "--yes", "-q"]);
        assert!(done.code == Some(1) && done.stderr.contains(why), "{done:?}");
    }
    let done = db.migrate(&["--table", "strict", "--column", "bd", "--yes", "-q"]);
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    assert_eq!(db.rows("SELECT bd, t, n FROM strict"), [[Some(format!("blob {new}")), None, None]]);
}

/// Rows that a policy hides would be skipped.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn rows_that_a_policy_of_postgresql_hides() {
    let mut db = Server::new("policies");
    let old = all_sorts()[0].0.clone();
    db.fill(&vec![old; 10]);
    db.run("DROP ROLE IF EXISTS gridmill_guest; CREATE ROLE gridmill_guest LOGIN");
    db.run("GRANT ALL ON boards TO gridmill_guest; GRANT CREATE ON SCHEMA public TO gridmill_guest");
    db.run("ALTER TABLE boards ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON boards USING (id < 5)");
    db.url = db.url.replace("postgres@", "gridmill_guest@");
    for args in [&["--table", "boards", "--column", "bd"][..], &["--table", "boards", "--column", "bd", "--yes"]] {
        db.migrate(args).failed(&["row-level security", "would hide rows", "BYPASSRLS"]);
    }
    db.run("DROP OWNED BY gridmill_guest; DROP ROLE gridmill_guest");
}

/// An empty value of bytes counts as free, like NULL.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn empty_bytes_of_postgresql_are_free() {
    let mut db = Server::new("empty_bytes");
    let (old, new) = all_sorts()[0].clone();
    db.fill(&vec![old; 3]);
    db.run("ALTER TABLE boards ADD COLUMN new bytea; UPDATE boards SET new = '' WHERE id = 1; UPDATE boards SET new = 'x' WHERE id = 2");
    let done = db.migrate(&["--table", "boards", "--column", "bd", "--to-column", "new", "--yes", "-q"]);
    assert!(
        done.code == Some(1) && done.stderr.contains("2\t-\tcolumn\tthe column for the new string holds"),
        "{done:?}"
    );
    let rows = db.rows("SELECT convert_from(new, 'UTF8') FROM boards ORDER BY id");
    assert_eq!(rows, [[new.clone()], [Some("x".into())], [new]]);
}
