//! Keys of PostgreSQL: collations, encodings, types, several columns.

use super::postgresql_db::Server;
use super::{number, pages_are_found_by_the_index};
use crate::migrate::composite_keys::{keys_of_two_columns, keys_that_cannot_be_used};
use crate::migrate::db::{Db, literal};
use crate::migrate::lines;
use crate::support::{Folder, gridmill, run, v2};

/// A column of PostgreSQL whose index has another collation.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn collations_of_postgresql() {
    let mut db = Server::new("collations");
    db.run("CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
    let lines = lines(2_000, 31);
    let keys: Vec<_> = (0..1_000).flat_map(|n| [format!("k{n:04}"), format!("K{n:04}")]).collect();
    let values: Vec<_> = keys.iter().zip(&lines).map(|(key, line)| format!("('{key}', '{line}')")).collect();
    for table in [
        "CREATE TABLE boards (k text COLLATE ci, bd text); CREATE UNIQUE INDEX ON boards (k COLLATE \"C\")",
        "CREATE TABLE boards (k text COLLATE \"C\", bd text); CREATE UNIQUE INDEX ON boards (k COLLATE \"en-x-icu\")",
        "CREATE TABLE boards (k varchar(9) COLLATE \"C\", bd text); CREATE UNIQUE INDEX ON boards (k varchar_pattern_ops)",
    ] {
        db.run(&format!(
            "DROP TABLE IF EXISTS boards, gridmill_migration; {table}; INSERT INTO boards VALUES {}",
            values.join(",")
        ));
        let done = db.migrate(&["--table", "boards", "--column", "bd", "--key", "k", "--yes", "--batch", "77"]);
        assert!(
            done.code == Some(0) && done.stderr.starts_with("gridmill: 2,000 rows: 2,000 written"),
            "{table}: {done:?}"
        );
        let rows = db.rows("SELECT k, bd FROM boards ORDER BY lower(k) COLLATE \"C\", k COLLATE \"C\" DESC");
        for ((key, line), row) in keys.iter().zip(&lines).zip(rows) {
            assert_eq!(row, [Some(key.clone()), Some(v2(line))], "{table}");
        }
    }
}

/// An index whose order is no longer that of the collation, as after an update of the library that sorts.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn an_index_of_postgresql_out_of_order() {
    let mut db = Server::new("out_of_order");
    db.run("CREATE COLLATION mine (provider = icu, locale = 'und'); CREATE TABLE boards (k text COLLATE mine PRIMARY KEY, bd text)");
    let line = &lines(1, 1)[0];
    db.run(&format!("INSERT INTO boards SELECT 'k' || n, {} FROM generate_series(1, 3000) AS n", literal(Some(line))));
    // Numbers in text are now sorted by value: k10 comes after k9.
    db.run("UPDATE pg_collation SET colliculocale = 'und-u-kn-true' WHERE collname = 'mine'");
    db.run("ALTER DATABASE gridmill_out_of_order SET enable_seqscan = off; ALTER DATABASE gridmill_out_of_order SET enable_sort = off");
    let args = ["--table", "boards", "--column", "bd", "--yes", "--batch", "100"];
    db.migrate(&args).failed(&["comes after the row with key", "REINDEX"]);
    assert_eq!(db.rows("SELECT count(*) FROM boards WHERE bd LIKE 'S9B%'")[0][0].as_deref(), Some("0"));
    db.client = postgres::Client::connect(&db.url, postgres::NoTls).unwrap();
    db.run("REINDEX TABLE boards");
    let done = db.migrate(&args);
    assert!(done.code == Some(0) && done.stderr.starts_with("gridmill: 3,000 rows: 3,000 written"), "{done:?}");
}

/// Keys that no statement can contain, in a database without an encoding.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn keys_of_postgresql_that_are_not_utf8() {
    let mut db = Server::new("no_encoding");
    db.run("DROP DATABASE IF EXISTS gridmill_ascii WITH (FORCE)");
    db.run("CREATE DATABASE gridmill_ascii ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
    db.url = db.url.replace("gridmill_no_encoding", "gridmill_ascii");
    db.client = postgres::Client::connect(&db.url, postgres::NoTls).unwrap();
    let line = &lines(1, 1)[0];
    db.run("CREATE TABLE boards (k text PRIMARY KEY, id int UNIQUE, bd text)");
    db.run(&format!("INSERT INTO boards SELECT 'k' || n, n, {} FROM generate_series(1, 99) AS n", literal(Some(line))));
    db.run("UPDATE boards SET k = convert_from('\\x6b35e9', 'SQL_ASCII') WHERE id = 51");
    let args = ["--table", "boards", "--column", "bd", "--yes", "--batch", "10"];
    db.migrate(&args).failed(&["k5\\xe9, is not UTF-8", "--key"]);
    let done = db.migrate(&[&args[..], &["--key", "id"]].concat());
    assert!(done.code == Some(0) && done.stderr.starts_with("gridmill: 99 rows: 99 written"), "{done:?}");
    // In the column itself they are refused, like other text.
    db.run("UPDATE boards SET bd = k WHERE id = 51");
    let done = db.migrate(&[&args[..], &["--key", "id"]].concat());
    assert!(done.code == Some(1) && done.stderr.contains("\n51\t-\t"), "{done:?}");
}

/// Keys of bytes have one textual form, whatever the database's settings, so a restore finds its rows.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn keys_of_bytes_of_postgresql() {
    let (mut db, folder) = (Server::new("key_of_bytes"), Folder::new());
    let line = &lines(1, 1)[0];
    db.run("CREATE TABLE boards (k bytea PRIMARY KEY, id int, bd text)");
    db.run(&format!(
        "INSERT INTO boards SELECT decode(lpad(to_hex(n), 2, '0') || '00ff', 'hex'), n, {} FROM generate_series(1, 99) AS n",
        literal(Some(line))
    ));
    let (old, backup) = (db.strings(), folder.at("old.zst"));
    let args =
        ["--table", "boards", "--column", "bd", "--yes", "-q", "--batch", "10", "--backup", backup.to_str().unwrap()];
    assert_eq!(db.migrate(&args).code, Some(0));
    assert!(db.strings().iter().flatten().all(|new| new.starts_with("S9B")));
    db.run("ALTER DATABASE gridmill_key_of_bytes SET bytea_output = 'escape'");
    let done = run(gridmill(["migrate", "restore"]).arg(&backup).arg(&db.url).args(["--yes", "-q"]), b"");
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    assert_eq!(db.strings(), old);
}

/// Keys of other types have the same textual form whatever the output settings of the database, and a row is found by
/// it again.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn keys_of_every_type_of_postgresql() {
    let (mut db, folder) = (Server::new("key_types"), Folder::new());
    for setting in ["datestyle = 'SQL, DMY'", "timezone = 'Europe/Berlin'", "extra_float_digits = -5"] {
        db.run(&format!("ALTER DATABASE gridmill_key_types SET {setting}"));
    }
    let lines = lines(300, 5);
    let new: Vec<_> = lines.iter().map(|line| Some(v2(line))).collect();
    let args = ["--table", "boards", "--column", "bd", "--yes", "--batch", "70"];
    for (n, (kind, key)) in [
        ("uuid", "gen_random_uuid()"),
        ("bigint", ":n - 150"),
        ("numeric", "(:n - 150) / 7.0"),
        ("double precision", "(:n - 150) / 7.0"),
        ("text", "'Ä' || :n || '''\\'"),
        ("date", "date '1999-12-01' + :n"),
        ("timestamptz", "timestamptz '2023-10-28 23:00+00' + :n * interval '1 min'"),
        ("inet", "inet '10.0.0.250' + :n"),
    ]
    .into_iter()
    .enumerate()
    {
        db.run("DROP TABLE IF EXISTS boards, gridmill_migration");
        db.run(&format!("CREATE TABLE boards (k {kind} PRIMARY KEY, id int, bd text)"));
        let value = |(n, line): (usize, &String)| format!("({}, {n}, '{line}')", key.replace(":n", &n.to_string()));
        let values: Vec<_> = lines.iter().enumerate().map(value).collect();
        db.run(&format!("INSERT INTO boards VALUES {}", values.join(",")));
        let old = db.strings();
        let backup = folder.at(&n.to_string());
        let done = db.migrate(&[&args[..], &["--backup", backup.to_str().unwrap()]].concat());
        let read_back = "300 rows read back, 5 batches as written;";
        assert!(done.code == Some(0) && done.stderr.contains(read_back), "{kind}: {done:?}");
        assert!(db.strings() == new, "{kind}");
        let done = run(gridmill(["migrate", "restore"]).arg(&backup).arg(&db.url).args(["--yes", "-q"]), b"");
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{kind}");
        assert!(db.strings() == old, "{kind}");
        // As if it had been interrupted after its second batch.
        assert_eq!(db.migrate(&args).code, Some(0));
        let begun = "SELECT max(id) FROM gridmill_migration WHERE entry LIKE '%\"begin\"%'";
        db.run(&format!("DELETE FROM gridmill_migration WHERE id > ({begun}) + 2"));
        let done = db.migrate(&args);
        assert!(done.code == Some(0) && done.stderr.contains("resumed an interrupted run"), "{kind}: {done:?}");
    }
}

#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn keys_of_two_columns_of_postgresql() {
    keys_of_two_columns(&mut Server::new("two_columns"), "");
    keys_that_cannot_be_used(&mut Server::new("no_keys"));
}

#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn pages_of_postgresql_are_found_by_the_index() {
    let mut db = Server::new("pages");
    // Small tables are scanned instead.
    db.run(
        "ALTER DATABASE gridmill_pages SET enable_seqscan = off; ALTER DATABASE gridmill_pages SET enable_sort = off",
    );
    pages_are_found_by_the_index(&mut db, &|db| {
        number(&db.rows("SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'boards'"))
    });
}
