//! What only MySQL and MariaDB have.

use super::mysql_db::MyServer;
use super::{number, pages_are_found_by_the_index};
use crate::migrate::composite_keys::{keys_of_two_columns, keys_that_cannot_be_used};
use crate::migrate::db::{Db, literal};
use crate::migrate::{all_sorts, lines};
use crate::support::{gridmill, run, v2};

const ARGS: [&str; 5] = ["--table", "boards", "--column", "bd", "--yes"];

/// Columns of every character set, and of bytes. Padding is removed when they are read.
#[test]
#[ignore = "needs a MySQL server, named by GRIDMILL_MYSQL"]
fn charsets_and_bytes() {
    let mut db = MyServer::new("charsets");
    let lines = lines(300, 4);
    for kind in [
        "VARCHAR(400) CHARACTER SET utf8mb3",
        "CHAR(200) CHARACTER SET latin1",
        "TEXT CHARACTER SET utf8mb4",
        "MEDIUMTEXT CHARACTER SET ucs2",
        "VARCHAR(400) CHARACTER SET ascii",
        "BINARY(200)",
        "VARBINARY(400)",
        "BLOB",
    ] {
        db.run(&format!(
            "DROP TABLE IF EXISTS boards, gridmill_migration; CREATE TABLE boards (id INTEGER PRIMARY KEY, bd {kind})"
        ));
        let values: Vec<_> = (1..).zip(&lines).map(|(id, line)| format!("({id}, '{line}')")).collect();
        db.run(&format!("INSERT INTO boards VALUES {}", values.join(",")));
        if !kind.contains("ascii") {
            db.run("INSERT INTO boards VALUES (1000, 'ü')");
        } else {
            db.run("INSERT INTO boards VALUES (1000, 'bad')");
        }
        let before = db.rows("SELECT hex(bd) FROM boards WHERE id = 1000");
        let done = db.migrate(&[&ARGS[..], &["--batch", "70"]].concat());
        assert!(done.code == Some(1) && done.stderr.contains("300 written, 1 rejected"), "{kind}: {done:?}");
        assert!(done.stderr.contains("301 rows read back, 5 batches as written;"), "{kind}: {done:?}");
        let trimmed =
            "SELECT convert(trim(TRAILING x'00' FROM bd) USING utf8mb4) FROM boards WHERE id < 1000 ORDER BY id";
        let sql = if kind.starts_with("BINARY") {
            trimmed
        } else {
            "SELECT convert(bd USING utf8mb4) FROM boards WHERE id < 1000 ORDER BY id"
        };
        let now: Vec<_> = db.rows(sql).into_iter().flatten().collect();
        assert!(now == lines.iter().map(|line| Some(v2(line))).collect::<Vec<_>>(), "{kind}");
        assert_eq!(db.rows("SELECT hex(bd) FROM boards WHERE id = 1000"), before, "{kind}");
        let again = db.migrate(&ARGS);
        assert!(again.stderr.contains("301 rows: 0 written, 300 version 2 already, 1 rejected"), "{kind}: {again:?}");
    }
}

/// Keys beyond the signed numbers, negative numbers, dates, UUIDs and bytes.
#[test]
#[ignore = "needs a MySQL server, named by GRIDMILL_MYSQL"]
fn keys_of_mysql() {
    let mut db = MyServer::new("keys");
    let lines = lines(300, 5);
    for (kind, key) in [
        ("BIGINT UNSIGNED", "18446744073709551315 + :n"),
        ("BIGINT UNSIGNED", "CAST(9223372036854775700 AS UNSIGNED) + :n"),
        ("BIGINT", ":n - 150"),
        ("BINARY(4)", "unhex(lpad(hex(:n * 65521), 8, '0'))"),
        ("VARBINARY(9)", "unhex(concat('ff', lpad(hex(:n), 4, '0')))"),
        ("VARCHAR(40) COLLATE utf8mb4_general_ci", "concat('Ä', :n, '''\\')"),
        ("VARCHAR(40) CHARACTER SET latin1", "concat('ä', :n)"),
        ("CHAR(36) CHARACTER SET ascii", "uuid()"),
        ("UUID", "uuid()"),
        ("DATE", "date_add('1999-12-01', INTERVAL :n DAY)"),
        ("DATETIME(6)", "date_add('1999-12-01', INTERVAL :n MICROSECOND)"),
    ] {
        let sql = format!(
            "DROP TABLE IF EXISTS boards, gridmill_migration; CREATE TABLE boards (id {kind} PRIMARY KEY, n INT, bd TEXT)"
        );
        db.run(&sql);
        let value = |n: usize, line: &str| format!("({}, {n}, '{line}')", key.replace(":n", &n.to_string()));
        let values: Vec<_> = lines.iter().enumerate().map(|(n, line)| value(n, line)).collect();
        db.run(&format!("INSERT INTO boards VALUES {}", values.join(",")));
        let done = db.migrate(&[&ARGS[..], &["--batch", "70"]].concat());
        assert!(
            done.code == Some(0) && done.stderr.contains("300 rows read back, 5 batches as written;"),
            "{kind}: {done:?}"
        );
        let now: Vec<_> = db.rows("SELECT bd FROM boards ORDER BY n").into_iter().flatten().collect();
        assert!(now == lines.iter().map(|line| Some(v2(line))).collect::<Vec<_>>(), "{kind}");
        // The journal of an interrupted run is read back.
        db.run("DELETE FROM gridmill_migration WHERE id > 3");
        let done = db.migrate(&ARGS);
        assert!(done.code == Some(0) && done.stderr.contains("resumed an interrupted run"), "{kind}: {done:?}");
    }
    for kind in ["DOUBLE", "DECIMAL (9, 2)", "TIMESTAMP", "ENUM ('a', 'b')"] {
        db.run(&format!("DROP TABLE boards; CREATE TABLE boards (id {kind} PRIMARY KEY, bd TEXT)"));
        db.migrate(&ARGS).failed(&["id", &kind.to_lowercase()[..4], "--key"]);
    }
}

/// If other columns of a row are written, an unchanged column is converted to Unicode and back, which changes some
/// characters.
#[test]
#[ignore = "needs a MySQL server, named by GRIDMILL_MYSQL"]
fn text_that_unicode_does_not_give_back_is_written_alone() {
    let mut db = MyServer::new("lost");
    db.run("CREATE TABLE boards (id INT PRIMARY KEY, bd TEXT CHARACTER SET cp932, b TEXT)");
    db.run(&format!("INSERT INTO boards VALUES (1, '{0}', '{0}')", lines(1, 5)[0]));
    let both = [&ARGS[..], &["--column", "b"]].concat();
    db.migrate(&both).failed(&["column \"bd\" has the character set cp932", "migrate it alone"]);
    assert_eq!(db.migrate(&ARGS).code, Some(0));
}

/// Columns with the time of the last change keep it, unless `--touch` is given, also during summer time.
#[test]
#[ignore = "needs a MySQL server, named by GRIDMILL_MYSQL"]
fn times_of_changes_are_kept() {
    let mut db = MyServer::new("touch");
    let old = all_sorts()[0].0.clone();
    db.run(
        "CREATE TABLE boards (id INT PRIMARY KEY, bd TEXT, changed TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
         also DATETIME(3) NULL ON UPDATE CURRENT_TIMESTAMP(3))",
    );
    let fill = |db: &mut MyServer| {
        db.run("DELETE FROM boards; SET time_zone = '+00:00'");
        let old = literal(old.as_deref());
        // In many time zones one local time occurs twice.
        for (id, time) in [(1, "2001-02-03 04:05:06"), (2, "2023-10-29 00:30:00"), (3, "2023-10-29 01:30:00")] {
            db.run(&format!("INSERT INTO boards VALUES ({id}, {old}, '{time}', NULL)"));
        }
    };
    fill(&mut db);
    let sql = "SELECT unix_timestamp(changed), also FROM boards ORDER BY id";
    let before = db.rows(sql);
    assert_eq!(db.migrate(&ARGS).code, Some(0));
    assert_eq!(db.rows(sql), before);
    fill(&mut db);
    assert_eq!(db.migrate(&[&ARGS[..], &["--touch"]].concat()).code, Some(0));
    assert!(db.rows(sql).iter().zip(&before).all(|(now, before)| now[0] != before[0] && now[1].is_some()));
}

/// A value that does not fit is refused, whatever the server does for others.
#[test]
#[ignore = "needs a MySQL server, named by GRIDMILL_MYSQL"]
fn nothing_is_cut() {
    let mut db = MyServer::new("modes");
    let old = all_sorts()[0].0.clone();
    let mode = db.rows("SELECT @@GLOBAL.sql_mode")[0][0].clone().unwrap();
    for mode in ["", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES", "STRICT_ALL_TABLES,PAD_CHAR_TO_FULL_LENGTH", &mode] {
        db.run(&format!("SET GLOBAL sql_mode = '{mode}'; DROP TABLE IF EXISTS boards, gridmill_migration"));
        db.run("CREATE TABLE boards (id INT PRIMARY KEY, bd VARCHAR(170), new VARCHAR(20), b VARBINARY(30))");
        db.run(&format!("INSERT INTO boards (id, bd) VALUES (1, {}), (2, 'bad')", literal(old.as_deref())));
        for to in ["new", "b"] {
            let done = db.migrate(&[&ARGS[..], &["--to-column", to]].concat());
            done.failed(&[&format!("column \"{to}\" holds"), "widen it", "Nothing was written"]);
        }
        db.run("ALTER TABLE boards MODIFY new VARCHAR(400), ADD CONSTRAINT c CHECK (length(new) < 20)");
        let done = db.migrate(&[&ARGS[..], &["--to-column", "new", "-q"]].concat());
        assert!(done.code == Some(1) && done.stderr.contains("\n1\t-\tcolumn\t"), "{done:?}");
        assert_eq!(db.rows("SELECT new FROM boards"), [[None], [None]]);
    }
}

/// Tables without transactions, and names that are not tables.
#[test]
#[ignore = "needs a MySQL server, named by GRIDMILL_MYSQL"]
fn engines_without_transactions() {
    let mut db = MyServer::new("engines");
    for engine in ["MyISAM", "MEMORY", "Aria"] {
        db.run(&format!("CREATE OR REPLACE TABLE boards (id INT PRIMARY KEY, bd VARCHAR(400)) ENGINE = {engine}"));
        db.migrate(&ARGS).failed(&["boards", engine, "has no transactions", "ENGINE = InnoDB"]);
    }
    db.run("CREATE OR REPLACE TABLE boards (id INT, bd TEXT)");
    db.migrate(&ARGS).failed(&["boards", "--key"]);
    db.run("CREATE OR REPLACE TABLE boards (id INT PRIMARY KEY, bd INT)");
    db.migrate(&ARGS).failed(&["bd", "type int"]);
}

/// A new string that a trigger changes is not kept.
#[test]
#[ignore = "needs a MySQL server, named by GRIDMILL_MYSQL"]
fn triggers_of_mysql() {
    let mut db = MyServer::new("triggers");
    let lines = lines(300, 3);
    let rows: Vec<_> = lines.iter().cloned().map(Some).collect();
    for (what, why) in [("lower(new.bd)", "stores something other"), ("old.bd", "it stayed unchanged")] {
        db.fill(&rows);
        db.run("DROP TABLE IF EXISTS gridmill_migration");
        db.run(&format!(
            "CREATE TRIGGER t BEFORE UPDATE ON boards FOR EACH ROW IF new.id % 50 = 7 THEN SET new.bd = {what}; END IF"
        ));
        let done = db.migrate(&[&ARGS[..], &["--batch", "100"]].concat());
        assert!(done.code == Some(1) && done.stderr.contains("294 written, 6 rejected"), "{done:?}");
        assert_eq!(done.stderr.matches(why).count(), 6, "{done:?}");
        for ((id, old), now) in (1..).zip(&lines).zip(db.strings()) {
            assert_eq!(now, Some(if id % 50 == 7 { old.clone() } else { v2(old) }));
        }
    }
}

/// A batch that is written in several parts, with rows that are refused and kept, by a user who may not truncate
/// tables.
#[test]
#[ignore = "needs a MySQL server, named by GRIDMILL_MYSQL"]
fn parts_of_a_batch_by_a_guest() {
    const ROWS: usize = 25_000;
    let mut db = MyServer::new("parts");
    let lines = lines(ROWS, 3);
    db.fill(&lines.iter().cloned().map(Some).collect::<Vec<_>>());
    db.run(
        "CREATE TRIGGER t BEFORE UPDATE ON boards FOR EACH ROW BEGIN \
         IF new.id % 9000 = 1 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not this one'; END IF; \
         IF new.id % 7000 = 2 THEN SET new.bd = old.bd; END IF; END",
    );
    let schema = db.rows("SELECT DATABASE()")[0][0].clone().expect("a schema");
    for host in ["127.0.0.1", "localhost"] {
        db.run(&format!(
            "DROP USER IF EXISTS guest@'{host}'; CREATE USER guest@'{host}' IDENTIFIED BY 'guest'; \
             GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, CREATE TEMPORARY TABLES ON {schema}.* TO guest@'{host}'"
        ));
    }
    let mut place = db.place();
    place[2] = place[2].replace("//root@", "//guest@");
    let mut command = gridmill(place);
    let done = run(command.args(ARGS).args(["--batch", "25000", "--batch-time", "60"]).env("MYSQL_PWD", "guest"), b"");
    assert!(done.code == Some(1) && done.stderr.contains("24,993 written, 7 rejected"), "{done:?}");
    assert_eq!(done.stderr.matches("not this one").count(), 3, "{done:?}");
    for ((id, old), now) in (1..).zip(&lines).zip(db.strings()) {
        let is_kept = id % 9000 == 1 || id % 7000 == 2;
        assert!(now == Some(if is_kept { old.clone() } else { v2(old) }), "row {id}");
    }
}

/// Another session's lock is waited for and then reported; a deadlock does not end the run.
#[test]
#[ignore = "needs a MySQL server, named by GRIDMILL_MYSQL"]
fn locks_of_other_sessions() {
    let mut db = MyServer::new("locks");
    db.fill(&lines(300, 3).into_iter().map(Some).collect::<Vec<_>>());
    db.run("START TRANSACTION; UPDATE boards SET note = 'x' WHERE id = 250");
    let args = [&ARGS[..], &["--batch", "100", "--wait", "1"]].concat();
    db.migrate(&args).failed(&["somebody else holds a lock", "--wait"]);
    db.run("COMMIT");
    let done = db.migrate(&args);
    assert!(done.code == Some(0) && done.stderr.contains("resumed an interrupted run"), "{done:?}");
}

/// Two runs at once: one of them stops, and every row is written once.
#[test]
#[ignore = "needs a MySQL server, named by GRIDMILL_MYSQL"]
fn side_by_side_in_mysql() {
    crate::migrate::two_migrations::two_migrations_at_once(&mut MyServer::new("two_migrations_at_once"));
}

/// Invalid URLs are refused, and passwords are in no message.
#[test]
fn addresses_of_mysql() {
    for (address, said) in [
        ("mysql://me:top@secret@127.0.0.1:1/none", "%40"),
        ("mysql://me:secret@127.0.0.1:1/", "names no database"),
        ("mysql://me:secret@127.0.0.1:1/none?require_ssl=true", "sslmode"),
        ("mysql://me:secret@127.0.0.1:1/none?sslmode=secret", "sslmode must be disable, prefer"),
        ("mysql://me:secret@127.0.0.1:1/none?secret=1", "cannot be read"),
        ("postgres://me:secret@127.0.0.1:1/none", "cannot be read"),
        ("mysql://me:secret@127.0.0.1:1/none", "127.0.0.1/none"),
        ("secret", "cannot be read"),
    ] {
        let done = run(gridmill(["migrate", "mysql", address]).args(&ARGS[..4]), b"");
        assert!(!done.stderr.contains("secret"), "{}", done.stderr);
        done.failed(&[said]);
    }
}

#[test]
fn a_failed_connection_to_mysql_names_its_port() {
    let url = "mysql://me@127.0.0.1:1/none";
    let done = run(gridmill(["migrate", "mysql", url]).args(["--table", "t", "--column", "c"]), b"");
    done.failed(&["127.0.0.1/none: cannot connect to it at port 1: "]);
}

#[test]
#[ignore = "needs a MySQL server, named by GRIDMILL_MYSQL"]
fn keys_of_two_columns_of_mysql() {
    keys_of_two_columns(&mut MyServer::new("two_columns"), "");
    keys_that_cannot_be_used(&mut MyServer::new("no_keys"));
}

#[test]
#[ignore = "needs a MariaDB server, named by GRIDMILL_MYSQL"]
fn pages_of_mysql_are_found_by_the_index() {
    let mut db = MyServer::new("pages");
    db.run("SET GLOBAL userstat = ON");
    pages_are_found_by_the_index(&mut db, &|db| {
        let of = "FROM information_schema.INDEX_STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'boards'";
        number(&db.rows(&format!("SELECT CAST(sum(ROWS_READ) AS CHAR) {of}")))
    });
}
