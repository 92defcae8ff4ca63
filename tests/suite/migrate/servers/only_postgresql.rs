//! What only PostgreSQL has.

use std::process::Stdio;

use super::postgresql_db::Server;
use crate::migrate::db::Db;
use crate::migrate::triggers::{check, fill, migrate};
use crate::migrate::two_migrations::two_migrations_at_once;
use crate::migrate::{all_sorts, lines};
use crate::random::Rng;
use crate::support::{finish, gridmill, run, v2};

/// Rows of a child table are visible through its parent and may have the same keys. They are not converted, which is
/// reported.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn children_are_left_as_they_are() {
    let mut db = Server::new("children");
    let lines = lines(900, 4);
    db.run("CREATE TABLE base (id int PRIMARY KEY, bd text); CREATE TABLE \"the child\" () INHERITS (base)");
    db.run("CREATE TABLE grandchild () INHERITS (\"the child\"); CREATE SCHEMA app; CREATE TABLE app.other () INHERITS (base)");
    let tables = ["base", "\"the child\"", "grandchild", "app.other"];
    // The same ids in all of them, with another board each.
    for (table, part) in tables.iter().zip(lines.chunks(225)) {
        let values: Vec<_> = (1..).zip(part).map(|(id, line)| format!("({id}, '{line}')")).collect();
        db.run(&format!("INSERT INTO {table} VALUES {}", values.join(",")));
    }
    let strings = |db: &mut Server, table: &str| -> Vec<String> {
        let rows = db.rows(&format!("SELECT bd FROM ONLY {table} ORDER BY id"));
        rows.into_iter().flatten().flatten().collect()
    };
    let new: Vec<Vec<_>> = lines.chunks(225).map(|part| part.iter().map(|line| v2(line)).collect()).collect();
    let args = ["--table", "base", "--column", "bd", "--batch", "50", "-q"];
    let note = "inherit from it are left unchanged; migrate each of them separately: \"the child\", app.other";
    let look = db.migrate(&args);
    assert!(look.code == Some(0) && look.stderr.contains(note) && look.text().starts_with("225 rows: "), "{look:?}");
    let done = db.migrate(&[&args[..], &["--yes"]].concat());
    assert!(done.code == Some(0) && done.stderr.contains(note), "{done:?}");
    assert!(strings(&mut db, "base") == new[0]);
    for (table, part) in tables.iter().zip(lines.chunks(225)).skip(1) {
        assert!(strings(&mut db, table) == part, "{table}");
    }
    // Each table by its own name, where its own key identifies rows.
    db.migrate(&["--table", "the child", "--column", "bd", "--yes"]).failed(&["the child", "--key"]);
    db.run("CREATE UNIQUE INDEX ON \"the child\" (id); CREATE UNIQUE INDEX ON grandchild (id); CREATE UNIQUE INDEX ON app.other (id)");
    for (n, table) in [(1, "the child"), (2, "grandchild"), (3, "app.other")] {
        let done = db.migrate(&["--table", table, "--column", "bd", "--key", "id", "--yes", "--batch", "50", "-q"]);
        assert_eq!(done.code, Some(0), "{done:?}");
        assert_eq!(done.stderr.contains("inherit from it"), n == 1, "{done:?}");
        assert!(strings(&mut db, tables[n]) == new[n], "{table}");
    }
}

/// The rows of a partitioned table are those of its partitions, at any depth.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn partitions_are_part_of_their_table() {
    let mut db = Server::new("partitions");
    let lines = lines(1_000, 14);
    let layouts = [
        "CREATE TABLE boards (id int PRIMARY KEY, bd text) PARTITION BY RANGE (id);
         CREATE TABLE p1 PARTITION OF boards FOR VALUES FROM (500) TO (600); CREATE TABLE p2 PARTITION OF boards DEFAULT",
        "CREATE TABLE boards (bd text, id int PRIMARY KEY) PARTITION BY HASH (id);
         CREATE TABLE p1 PARTITION OF boards FOR VALUES WITH (MODULUS 2, REMAINDER 0) PARTITION BY HASH (id);
         CREATE TABLE p11 PARTITION OF p1 FOR VALUES WITH (MODULUS 4, REMAINDER 0);
         CREATE TABLE p12 PARTITION OF p1 FOR VALUES WITH (MODULUS 4, REMAINDER 2);
         CREATE TABLE p2 PARTITION OF boards FOR VALUES WITH (MODULUS 2, REMAINDER 1)",
        // A partition that was a table before, with its columns in another order and a constraint.
        "CREATE TABLE boards (id int PRIMARY KEY, bd text) PARTITION BY LIST (id);
         CREATE TABLE p1 (gone int, bd text CHECK (bd <> 'x'), id int NOT NULL); ALTER TABLE p1 DROP COLUMN gone;
         ALTER TABLE boards ATTACH PARTITION p1 FOR VALUES IN (1, 2, 3, 999); CREATE TABLE p2 PARTITION OF boards DEFAULT",
    ];
    for layout in layouts {
        db.run("DROP TABLE IF EXISTS boards, gridmill_migration");
        db.run(layout);
        let values: Vec<_> = (1..).zip(&lines).map(|(id, line)| format!("({id}, '{line}')")).collect();
        db.run(&format!("INSERT INTO boards (id, bd) VALUES {}", values.join(",")));
        let args = ["--table", "boards", "--column", "bd", "--yes", "--batch", "70"];
        let done = db.migrate(&args);
        assert!(done.code == Some(0) && done.stderr.starts_with("gridmill: 1,000 rows: 1,000 written"), "{done:?}");
        assert!(done.stderr.contains("1,000 rows read back, 15 batches as written;"), "{done:?}");
        let want: Vec<_> = lines.iter().map(|line| Some(v2(line))).collect();
        assert!(db.strings() == want, "{layout}");
        // One of the partitions by its own name.
        db.run(&format!("UPDATE boards SET bd = '{}' WHERE id BETWEEN 600 AND 620", lines[0]));
        let done = db.migrate(&["--table", "p2", "--column", "bd", "--yes", "-q"]);
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
        let left = db.rows(&format!("SELECT count(*) FROM ONLY p2 WHERE bd = '{}'", lines[0]));
        assert_eq!(left[0][0].as_deref(), Some("0"));
    }
}

/// Columns that are too narrow, schemas, bytes, and concurrent writers.
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

    // Text into a column of bytes, and bytes into one of text.
    db.run(&format!(
        "ALTER TABLE app.boards ADD COLUMN b2 bytea, ADD COLUMN t2 text; UPDATE app.boards SET bytes = '{old}'"
    ));
    for (column, to) in [("narrow", "b2"), ("bytes", "t2")] {
        let done = db.migrate(&["--table", "app.boards", "--column", column, "--to-column", to, "--yes", "-q"]);
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{column}");
    }
    let row = db.rows("SELECT convert_from(b2, 'UTF8'), t2 FROM app.boards").remove(0);
    assert_eq!(row, [Some(new.clone()), Some(new.clone())]);

    // Another session writes to the same rows all the time, and none of its changes is lost.
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
    // What was changed after it was written is named.
    assert!(done.code == Some(0) || done.code == Some(1) && done.stderr.contains("changed afterwards"), "{done:?}");
    assert_eq!(db.rows("SELECT sum(length(note) - 1) FROM boards")[0][0].as_deref(), Some("200"));
    let done = db.migrate(&["--table", "boards", "--column", "bd", "--yes"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(db.rows(&format!("SELECT count(*) FROM boards WHERE bd <> '{new}'"))[0][0].as_deref(), Some("0"));

    // A password is never shown.
    let url = "postgres://me:secret@127.0.0.1:1/none";
    let done = run(gridmill(["migrate", "postgres", url]).args(["--table", "t", "--column", "c"]), b"");
    assert!(!done.stderr.contains("secret"), "{}", done.stderr);
    done.failed(&["127.0.0.1/none: cannot connect to it at port 1: "]);
    let done = run(
        gridmill(["migrate", "postgres", "postgres://me:secret@[::/x"]).args(["--table", "t", "--column", "c"]),
        b"",
    );
    assert!(!done.stderr.contains("secret"), "{}", done.stderr);
    done.failed(&["cannot be read"]);
}

/// Batches of more rows than are read at a time: a second connection reads the next rows while the present ones are
/// written. Without one, the result is the same.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn the_next_rows_are_read_meanwhile() {
    const ROWS: usize = 35_003;
    let mut db = Server::new("read_ahead");
    db.run("DROP ROLE IF EXISTS gridmill_lonely; CREATE ROLE gridmill_lonely LOGIN SUPERUSER");
    let lines = lines(1_009, 8);
    let values: Vec<_> = (0..).zip(&lines).map(|(n, line)| format!("({n}, '{line}', '{}')", v2(line))).collect();
    db.run(&format!("CREATE TABLE pairs (n int, old text, new text); INSERT INTO pairs VALUES {}", values.join(",")));
    let keys = [
        ("id smallint PRIMARY KEY", "s.n - 20000"),
        (
            "id bigint PRIMARY KEY",
            "CASE s.n WHEN 1 THEN -9223372036854775808 WHEN 2 THEN 9223372036854775807 ELSE s.n * 1000003::bigint END",
        ),
        ("id text PRIMARY KEY", "md5(s.n::text)"),
        ("id int, part int, PRIMARY KEY (id, part)", "s.n / 100, -s.n"),
    ];
    let url = db.place()[2].replacen("//postgres@", "//gridmill_lonely@", 1);
    for (columns, key) in keys {
        for connections in [-1, 1] {
            // Limits do not hold for superusers.
            let is_limited = connections == 1;
            db.run(&format!(
                "ALTER ROLE gridmill_lonely {} CONNECTION LIMIT {connections}; DROP TABLE IF EXISTS boards, gridmill_migration;
                 CREATE TABLE boards ({columns}, bd text, want text);
                 INSERT INTO boards SELECT {key}, old, new FROM generate_series(1, {ROWS}) AS s (n) JOIN pairs AS p ON p.n = s.n % 1009;
                 GRANT ALL ON boards TO gridmill_lonely; GRANT ALL ON SCHEMA public TO gridmill_lonely",
                if is_limited { "NOSUPERUSER" } else { "SUPERUSER" }
            ));
            let mut migrate = gridmill(["migrate", "postgres", &url]);
            migrate.args(["--table", "boards", "--column", "bd", "--yes", "--batch", "25000", "--batch-time", "0"]);
            let done = run(&mut migrate, b"");
            assert!(done.code == Some(0), "{columns} {connections}: {done:?}");
            assert!(
                done.stderr.replace(',', "").contains(&format!("{ROWS} rows read back 2 batches as written")),
                "{done:?}"
            );
            let left = db.rows("SELECT count(*), count(*) FILTER (WHERE bd IS DISTINCT FROM want) FROM boards");
            assert_eq!(left[0], [Some(ROWS.to_string()), Some("0".into())], "{columns} {connections}");
        }
    }

    // Others write at the same time. What they write is kept, converted or as it is.
    db.run("ALTER ROLE gridmill_lonely SUPERUSER CONNECTION LIMIT -1; UPDATE boards SET bd = p.old FROM pairs AS p WHERE p.new = bd");
    let mut migrate = gridmill(["migrate", "postgres", &url]);
    migrate.args(["--table", "boards", "--column", "bd", "--yes"]);
    let child = migrate.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut rng = Rng(5);
    for _ in 0..100 {
        let part = -1 - rng.below(ROWS) as i64;
        db.run(&format!("UPDATE boards SET bd = (SELECT old FROM pairs WHERE n = 7), want = (SELECT new FROM pairs WHERE n = 7) WHERE part = {part}"));
    }
    let done = finish(child);
    assert!(done.code == Some(0) || done.code == Some(1) && done.stderr.contains("changed afterwards"), "{done:?}");
    let done = db.migrate(&["--table", "boards", "--column", "bd", "--yes"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(db.rows("SELECT count(*) FROM boards WHERE bd IS DISTINCT FROM want")[0][0].as_deref(), Some("0"));
    db.run("DROP OWNED BY gridmill_lonely; DROP ROLE gridmill_lonely");
}

#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn messages_say_what_the_server_says_and_which_tables_there_are() {
    let mut db = Server::new("messages");
    let line = &lines(1, 3)[0];
    db.run(
        "CREATE TABLE Boards (id int PRIMARY KEY, bd text); CREATE TABLE unique_ids (id int NOT NULL UNIQUE, bd text)",
    );
    db.run(&format!("INSERT INTO boards VALUES (1, '{line}'); INSERT INTO unique_ids VALUES (1, '{line}')"));
    db.migrate(&["--table", "Boards", "--column", "bd"])
        .failed(&["there is", ".boards: names without quotes are in lower case"]);
    db.migrate(&["--table", "puzzles", "--column", "bd"]).failed(&["there are: ", ".boards, ", ".unique_ids"]);
    // The table has no identity for the replication of updates; the server says how to give it one.
    db.run("CREATE PUBLICATION gridmill_messages FOR TABLE unique_ids");
    let done = db.migrate(&["--table", "unique_ids", "--column", "bd", "--key", "id", "--yes"]);
    assert!(done.code == Some(2) && done.stderr.contains("the server's hint: "), "{done:?}");
}

#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn a_table_with_its_schema_is_found_without_a_search_path() {
    let mut db = Server::new("no_path");
    let line = &lines(1, 5)[0];
    db.run(&format!("CREATE TABLE boards (id int PRIMARY KEY, bd text); INSERT INTO boards VALUES (1, '{line}')"));
    db.run("ALTER DATABASE gridmill_no_path SET search_path = ''");
    let done = db.migrate(&["--table", "public.boards", "--column", "bd", "--yes"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(db.strings(), [Some(v2(line))]);
}

/// Rules of PostgreSQL replace or add statements.
#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn rules_of_postgresql() {
    let mut db = Server::new("rules");
    let rows = fill(&mut db);
    db.run("CREATE RULE r AS ON UPDATE TO boards WHERE new.id < 30 DO INSTEAD NOTHING");
    let done = migrate(&mut db);
    check(&mut db, &done, &rows, |id| id < 30 && id != 4, "it stayed unchanged");
    fill(&mut db);
    db.run("CREATE RULE r AS ON UPDATE TO boards DO ALSO DELETE FROM boards WHERE id = 4");
    migrate(&mut db).failed(&["removes the row with key 4"]);
    // A trigger of one partition.
    db.run("DROP TABLE boards, gridmill_migration; CREATE TABLE boards (id int PRIMARY KEY, bd text) PARTITION BY RANGE (id)");
    db.run(
        "CREATE TABLE p1 PARTITION OF boards FOR VALUES FROM (1) TO (3); CREATE TABLE p2 PARTITION OF boards DEFAULT",
    );
    db.run(
        "CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.bd = lower(new.bd); RETURN new; END $$;
         CREATE TRIGGER t BEFORE UPDATE ON p1 FOR EACH ROW EXECUTE FUNCTION g()",
    );
    let (old, new) = all_sorts()[0].clone();
    for id in 1..=5 {
        db.run(&format!("INSERT INTO boards VALUES ({id}, '{}')", old.as_deref().unwrap()));
    }
    assert_eq!(migrate(&mut db).code, Some(1));
    assert_eq!(db.strings(), [old.clone(), old, new.clone(), new.clone(), new]);
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
        done.code == Some(1) && done.stderr.contains("2\t-\tcolumn\tthe column for the new string already holds"),
        "{done:?}"
    );
    let rows = db.rows("SELECT convert_from(new, 'UTF8') FROM boards ORDER BY id");
    assert_eq!(rows, [[new.clone()], [Some("x".into())], [new]]);
}

#[test]
#[ignore = "needs a PostgreSQL server, named by GRIDMILL_POSTGRES"]
fn side_by_side_in_postgresql() {
    two_migrations_at_once(&mut Server::new("two_migrations_at_once"));
}
