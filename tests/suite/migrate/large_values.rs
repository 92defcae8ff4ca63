//! Values of many MiB, and many values of one. Each run has the limit that is promised for its threads, if it is alone.

use super::db::Db;
use super::lines;
use crate::support::{Done, Folder, PLAIN, run, shell, v2};

const LINK: &str = "https://www.sudokuwiki.org/sudoku.htm?bd=";

/// Three threads: one that writes, one that records, and one that reads ahead or syncs. The limit is for a run alone, which
/// .ci/run says with a variable: when memory is given back depends on the other programs on a machine.
#[track_caller]
fn limited(args: &[String], code: i32) -> Done {
    let limit = match std::env::var_os("GRIDMILL_ALONE") {
        Some(_) => format!("ulimit -d {}; ", (64 + 3 * 4) << 10),
        None => String::new(),
    };
    let script = format!("{limit}exec \"$G\" \"$@\"");
    let mut command = shell(&script);
    command.arg("gridmill").args(args).env("RUST_BACKTRACE", "0");
    let done = run(&mut command, b"");
    assert_eq!((done.code, done.signal), (Some(code), None), "{args:?}: {:.600}", done.stderr);
    done
}

#[track_caller]
fn migrate(db: &dyn Db, args: &[&str], code: i32) -> Done {
    limited(&[db.place(), args.iter().map(|arg| arg.to_string()).collect()].concat(), code)
}

/// An expression: a text of this many letters `x`.
fn long(db: &dyn Db, bytes: usize) -> String {
    match db.place()[1].as_str() {
        "sqlite" => format!("replace(hex(zeroblob({})), '0', 'x')", bytes / 2),
        _ => format!("repeat('x', {bytes})"),
    }
}

/// More than the limit, or as much as a server of MySQL sends.
fn too_large(db: &dyn Db) -> usize {
    if db.place()[1] == "mysql" { 12_000_000 } else { 60_000_000 }
}

fn create(db: &mut dyn Db) {
    let text = if db.place()[1] == "mysql" { "LONGTEXT" } else { "TEXT" };
    db.run(&format!("CREATE TABLE boards (id INTEGER PRIMARY KEY, bd {text}, other {text})"));
}

/// The start of each string, and its length.
fn starts(db: &mut dyn Db, column: &str) -> Vec<(Option<String>, Option<String>)> {
    let rows = db.rows(&format!("SELECT substr({column}, 1, 600), length({column}) FROM boards ORDER BY id"));
    rows.into_iter().map(|mut row| (row.remove(0), row.remove(0))).collect()
}

pub(super) fn a_value_that_is_too_large(db: &mut dyn Db) {
    let (folder, old) = (Folder::new(), lines(3, 77));
    let bytes = too_large(db);
    create(db);
    let long = long(db, bytes);
    let values = [format!("'{}'", old[0]), long.clone(), format!("'{}'", old[1]), "NULL".into(), "'bad'".into(), long];
    for (id, value) in (1..).zip(values) {
        db.run(&format!("INSERT INTO boards VALUES ({id}, {value}, '{}')", old[2]));
    }
    let before = starts(db, "bd");
    let (rejects, backup) = (folder.at("rejects"), folder.at("old.zst"));
    let args = ["--table", "boards", "--column", "bd", "-q", "-f", "--rejects", rejects.to_str().unwrap()];
    let row = |id: usize, column: &str, help: &str| {
        format!("{id}\t{column}-\ttoolong\tit has {bytes} bytes, and values over 4 MiB are not read{help}\t...{bytes}")
    };
    let check = |rows: &[String]| {
        let text = folder.text("rejects");
        let found: Vec<_> = text.lines().skip(1).filter(|line| line.contains("toolong")).collect();
        assert_eq!(found, rows, "{text:.2000}");
    };
    let refused = [row(2, "", ""), row(6, "", "")];
    migrate(db, &args, 1);
    check(&refused);
    assert_eq!(starts(db, "bd"), before);
    let saving = [&args[..], &["--yes", "--backup", backup.to_str().unwrap()]].concat();
    migrate(db, &saving, 1);
    check(&refused);
    let mut after = before.clone();
    for (at, line) in [(0, &old[0]), (2, &old[1])] {
        let new = v2(line);
        after[at] = (Some(new.clone()), Some(new.len().to_string()));
    }
    assert!(starts(db, "bd") == after, "{:?}", starts(db, "bd"));
    // Again: nothing changes.
    migrate(db, &[&args[..], &["--yes"]].concat(), 1);
    check(&refused);
    let place = db.place().remove(2);
    let restore = ["migrate", "restore", backup.to_str().unwrap(), &place, "-q"].map(str::to_string);
    limited(&[&restore[..], &["--yes".to_string()]].concat(), 0);
    assert!(starts(db, "bd") == before);

    // As one of two columns, for some rows only, beside a column for new strings, and as that column.
    // (SQLite reads all of a row that it changes.)
    let two = [&args[..], &["--column", "other", "--where", "id < 4", "--yes"]].concat();
    assert_eq!(db.migrate(&two).code, Some(1));
    check(&[row(2, "bd\t", "")]);
    let others = starts(db, "other");
    assert!((0..6).all(|at| (others[at].0.as_deref() == Some(&*v2(&old[2]))) == (at < 3)), "{others:?}");
    db.run(&format!("UPDATE boards SET other = NULL; UPDATE boards SET bd = '{}' WHERE id = 1", old[0]));
    let beside = [&args[..], &["--to-column", "other", "--yes"]].concat();
    migrate(db, &beside, 1);
    check(&refused);
    assert_eq!(starts(db, "other")[0].0.as_deref(), Some(&*v2(&old[0])));
    let args = ["--table", "boards", "--column", "other", "--to-column", "bd", "-q", "--yes"];
    db.run(&format!("UPDATE boards SET other = '{}'", old[0]));
    let done = migrate(db, &args, 1);
    assert!(done.stderr.contains("the column for the new string already holds something else"), "{done:?}");
    assert_eq!(starts(db, "bd")[5], before[5]);

    // Links.
    db.run("UPDATE boards SET other = NULL");
    db.run(&format!("UPDATE boards SET bd = 'at {LINK}{}' WHERE id = 1", old[0]));
    let args = ["--table", "boards", "--column", "bd", "--links", "-q", "-f", "--rejects", rejects.to_str().unwrap()];
    migrate(db, &[&args[..], &["--yes"]].concat(), 1);
    let relink = "; use gridmill relink on an export of it";
    check(&[row(2, "", relink), row(6, "", relink)]);
    assert_eq!(starts(db, "bd")[0].0, Some(format!("at {LINK}{}", v2(&old[0]))));
}

/// PostgreSQL's pages had 10,000 rows, however large.
pub(super) fn many_long_values(db: &mut dyn Db) {
    const LONG: usize = 150;
    let (folder, old) = (Folder::new(), lines(300, 78));
    create(db);
    let long = long(db, 1_000_000);
    // Short values, long ones, and short ones again.
    let short = |from: usize| {
        let rows = (from..).zip(&old).map(|(id, line)| format!("({id}, '{line}', NULL)"));
        format!("INSERT INTO boards VALUES {}", rows.collect::<Vec<_>>().join(", "))
    };
    db.run(&short(1));
    for id in 301..301 + LONG {
        db.run(&format!("INSERT INTO boards VALUES ({id}, {long}, NULL)"));
    }
    db.run(&short(301 + LONG));
    let rejects = folder.at("rejects");
    let args = ["--table", "boards", "--column", "bd", "-q", "-f", "--rejects", rejects.to_str().unwrap()];
    for more in [&[][..], &["--yes", "--batch-time", "0", "--batch", "100000"]] {
        migrate(db, &[&args[..], more].concat(), 1);
        let text = folder.text("rejects");
        let keys = text.lines().skip(1).filter_map(|line| line.split('\t').next()?.parse().ok());
        let keys: Vec<usize> = keys.collect();
        assert_eq!(keys, (301..301 + LONG).collect::<Vec<_>>());
    }
    let now = starts(db, "bd");
    let (first, rest) = now.split_at(300);
    for rows in [first, &rest[LONG..]] {
        assert!(rows.iter().zip(&old).all(|(row, line)| row.0.as_deref() == Some(&*v2(line))));
    }
    assert!(rest[..LONG].iter().all(|row| row.1.as_deref() == Some("1000000")));
}

/// As much as is read of a value, and a new text that would be larger than that.
pub(super) fn texts_with_links_of_4_mebibytes(db: &mut dyn Db) {
    let (folder, old) = (Folder::new(), lines(1, 79).remove(0));
    create(db);
    // The new link is longer.
    let link = format!("{LINK}{PLAIN}");
    let new = format!("{LINK}{}", v2(PLAIN));
    assert!(old.len() > 100 && new.len() > link.len());
    let long = long(db, (4 << 20) - 2000);
    let text = |links: usize| format!("'{}' || {long}", format!("{link} ").repeat(links));
    for (id, links) in [(1, 1), (2, 2), (3, 15)] {
        let text = text(links);
        db.run(&format!("INSERT INTO boards VALUES ({id}, {text}, NULL)"));
    }
    let before = starts(db, "bd");
    let (rejects, backup) = (folder.at("rejects"), folder.at("old.zst"));
    let args = ["--table", "boards", "--column", "bd", "--links", "--plain", "-q", "-f", "--yes"];
    let files = ["--rejects", rejects.to_str().unwrap(), "--backup", backup.to_str().unwrap()];
    migrate(db, &[&args[..], &files].concat(), 1);
    let rows = folder.text("rejects");
    let words = "\ttoolong\tits new text has ";
    assert!(rows.lines().count() == 2 && rows.contains("\n3\t-") && rows.contains(words), "{rows}");
    let after = starts(db, "bd");
    assert!(after[0].0.as_ref().unwrap().starts_with(&new) && after[1].0.as_ref().unwrap().starts_with(&new));
    assert_eq!(after[2], before[2]);
    let place = db.place().remove(2);
    let restore = ["migrate", "restore", backup.to_str().unwrap(), &place, "-q", "--yes"].map(str::to_string);
    limited(&restore, 0);
    assert_eq!(starts(db, "bd"), before);
}
