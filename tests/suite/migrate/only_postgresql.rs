//! What only PostgreSQL has.

use std::process::Stdio;

use super::all_sorts;
use super::db::{Db, Server};
use crate::random::Rng;
use crate::support::{finish, gridmill, run};

/// What only PostgreSQL has: columns that are too narrow, schemas, bytes, other writers at the same time.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn columns_and_writers_of_postgresql() {
    let mut db = Server::new("columns_and_writers");
    let (old, new) = all_sorts()[0].clone();
    let (old, new) = (old.unwrap(), new.unwrap());
    db.run("CREATE SCHEMA app; CREATE TABLE app.boards (id bigserial PRIMARY KEY, narrow varchar(164), wide varchar(165), fixed char(200), bytes bytea, number int)");
    db.run(&format!(
        "INSERT INTO app.boards (narrow, wide, fixed, bytes, number) VALUES ('{old}', '{old}', '{old}', '{old}', 1)"
    ));
    db.migrate(&["--table", "app.boards", "--column", "narrow", "--yes"]).failed(&[
        "164 characters",
        "key 1 has 165",
        "Nothing was written",
    ]);
    db.migrate(&["--table", "app.boards", "--column", "number"]).failed(&["integer"]);
    for column in ["wide", "fixed", "bytes"] {
        let done = db.migrate(&["--table", "app.boards", "--column", column, "--yes", "-q"]);
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{column}");
    }
    let row = db.rows("SELECT narrow, wide, rtrim(fixed), convert_from(bytes, 'UTF8') FROM app.boards").remove(0);
    assert_eq!(row, [Some(old.clone()), Some(new.clone()), Some(new.clone()), Some(new.clone())]);

    // Somebody writes to the same rows all the time; nothing of that is lost.
    db.fill(&vec![Some(old.clone()); 3_000]);
    let mut child = gridmill(db.place());
    child.args(["--table", "boards", "--column", "bd", "--yes", "--batch", "200"]);
    let child = child.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut rng = Rng(4);
    for _ in 0..200 {
        let id = rng.below(3_000) + 1;
        db.run(&format!(
            "UPDATE boards SET note = note || '.', bd = CASE WHEN id % 2 = 0 THEN NULL ELSE bd END WHERE id = {id}"
        ));
    }
    let done = finish(child);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(db.rows("SELECT sum(length(note) - 1) FROM boards")[0][0].as_deref(), Some("200"));
    let done = db.migrate(&["--table", "boards", "--column", "bd", "--yes"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(db.rows(&format!("SELECT count(*) FROM boards WHERE bd <> '{new}'"))[0][0].as_deref(), Some("0"));

    // A password is never shown.
    let url = "postgres://me:secret@127.0.0.1:1/none";
    let done = run(gridmill(["migrate", "postgres", url]).args(["--table", "t", "--column", "c"]), b"");
    assert!(!done.stderr.contains("secret"), "{}", done.stderr);
    done.failed(&["127.0.0.1/none", "connect"]);
    let done = run(
        gridmill(["migrate", "postgres", "postgres://me:secret@[::/x"]).args(["--table", "t", "--column", "c"]),
        b"",
    );
    assert!(!done.stderr.contains("secret"), "{}", done.stderr);
    done.failed(&["cannot be read"]);
}
