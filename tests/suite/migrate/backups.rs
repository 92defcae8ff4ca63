//! Backups, and restoring from them.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use super::db::{Db, Lite, literal};
use super::{all_sorts, lines, report};
use crate::random::Rng;
use crate::support::{Done, Folder, finish, gridmill, have, run, shell, v2};

const ARGS: [&str; 5] = ["--table", "boards", "--column", "bd", "--yes"];

fn migrate(db: &dyn Db, backup: &Path, more: &[&str]) -> Done {
    db.migrate(&[&ARGS[..], &["--backup", backup.to_str().unwrap()], more].concat())
}

fn restore(db: &dyn Db, backup: &Path, more: &[&str]) -> Done {
    run(gridmill(["migrate", "restore"]).arg(backup).arg(&db.place()[2]).args(more), b"")
}

/// The lines of a backup.
fn listed(backup: &Path) -> Vec<serde_json::Value> {
    let text = zstd::decode_all(fs::File::open(backup).unwrap()).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(super) fn old_strings_are_restored(db: &mut dyn Db) {
    let folder = Folder::new();
    let old: Vec<_> = all_sorts().into_iter().map(|(old, _)| old).collect();
    db.fill(&old);
    let backup = folder.at("old.zst");
    assert_eq!(migrate(db, &backup, &["-q", "--batch", "3"]).code, Some(1));
    #[cfg(unix)]
    assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    let new = db.strings();
    let lines = listed(&backup);
    assert_eq!(lines[0]["gridmill_backup"], 3);
    assert_eq!(lines[1]["old"].as_str(), old[0].as_deref());
    assert_eq!(lines[1]["hash"].as_str().map(str::len), Some(16));
    let rows = lines.iter().filter(|line| !line["key"].is_null()).skip(1).count() + 1;
    assert_eq!(rows, old.iter().zip(&new).filter(|(old, new)| old != new).count(), "{lines:#?}");
    // A preview writes nothing. Then the strings are restored, and after that there is nothing to do.
    let look = restore(db, &backup, &[]);
    assert!(look.text().starts_with("6 rows: 6 to be put back, 0 rejected\nkey 1\n  - S9B"), "{look:?}");
    assert!(look.text().contains("Nothing was written. --yes writes column \"bd\"."), "{look:?}");
    assert_eq!(db.strings(), new);
    let file = folder.at("report");
    let found = report(restore(db, &backup, &["--yes", "--report", file.to_str().unwrap()]), &folder, 0);
    assert_eq!((found["rows"]["written"].as_u64(), found["restored"].as_bool()), (Some(6), Some(true)), "{found:#}");
    assert_eq!(db.strings(), old);
    let again = restore(db, &backup, &["--yes"]);
    assert!(again.stderr.contains("6 rows: 0 put back, 6 with their old string already, 0 rejected"), "{again:?}");
    // The backup stays as it is.
    let bytes = fs::read(&backup).unwrap();
    migrate(db, &backup, &["-f"]).failed(&["old.zst", "has the rows of an earlier run", "name another file"]);
    assert_eq!((fs::read(&backup).unwrap() == bytes, db.strings()), (true, old.clone()));
    assert_eq!(migrate(db, &folder.at("second.zst"), &["-q"]).code, Some(1));
    assert_eq!(db.strings(), new);
    // If there is nothing to write, there is no backup.
    assert_eq!(migrate(db, &folder.at("third.zst"), &["-q"]).code, Some(1));
    assert_eq!((migrate(db, &backup, &["-q"]).code, fs::exists(folder.at("third.zst")).unwrap()), (Some(1), false));
    assert!(fs::read(&backup).unwrap() == bytes);
}

pub(super) fn rows_that_others_wrote_stay(db: &mut dyn Db) {
    let folder = Folder::new();
    let old: Vec<_> = lines(40, 5).into_iter().map(Some).collect();
    db.fill(&old);
    let backup = folder.at("old.zst");
    assert_eq!(migrate(db, &backup, &["-q", "--batch", "10"]).code, Some(0));
    db.run("UPDATE boards SET bd = 'theirs' WHERE id = 12");
    db.run("UPDATE boards SET bd = NULL WHERE id = 13");
    db.run("DELETE FROM boards WHERE id = 25 OR id BETWEEN 31 AND 40");
    db.run(&format!("INSERT INTO boards VALUES (25000, 'n', {})", literal(old[3].as_deref())));
    let look = restore(db, &backup, &[]);
    assert!(look.text().starts_with("40 rows: 27 to be put back, 13 rejected"), "{look:?}");
    let done = restore(db, &backup, &["--yes", "-q"]);
    assert_eq!((done.code, look.stderr), (Some(1), done.stderr.clone()));
    let rejected: Vec<Vec<_>> = done.stderr.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    let keys: Vec<_> = rejected.iter().map(|row| row[0].parse::<usize>().unwrap()).collect();
    assert_eq!(keys, [12, 13, 25].into_iter().chain(31..=40).collect::<Vec<_>>());
    assert!(rejected[0][3].contains("changed since") && rejected[0][4] == "theirs", "{rejected:?}");
    assert!(rejected[2][3].contains("no longer exists") && rejected[2][4] == old[24].as_deref().unwrap());
    let mut want = old[..30].to_vec();
    (want[11], want[12]) = (Some("theirs".into()), None);
    want.remove(24);
    want.push(old[3].clone());
    assert_eq!(db.strings(), want);
}

pub(super) fn a_separate_column_is_emptied_again(db: &mut dyn Db) {
    let folder = Folder::new();
    let old: Vec<_> = lines(10, 5).into_iter().map(Some).collect();
    db.fill(&old);
    db.run("ALTER TABLE boards ADD COLUMN new TEXT");
    db.run("UPDATE boards SET new = '' WHERE id = 2");
    let before = db.rows("SELECT id, bd, new FROM boards ORDER BY id");
    let backup = folder.at("old.zst");
    assert_eq!(migrate(db, &backup, &["-q", "--to-column", "new"]).code, Some(0));
    assert!(db.rows("SELECT new FROM boards").concat().iter().all(|new| new.as_ref().unwrap().starts_with("S9B")));
    assert_eq!(restore(db, &backup, &["--yes", "-q"]).code, Some(0));
    assert_eq!(db.rows("SELECT id, bd, new FROM boards ORDER BY id"), before);
}

/// Runs a command repeatedly until it succeeds. Often it is killed, or its connection cut, at a random moment.
fn go_through(db: &mut dyn Db, kills: &mut usize, rng: &mut Rng, command: &mut std::process::Command) -> Option<i32> {
    for left in (0..12).rev() {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if left > 0 {
            thread::sleep(Duration::from_micros(rng.below(120_000) as u64));
            if rng.once_in(2) {
                db.cut();
                thread::sleep(Duration::from_millis(2));
            }
            child.kill().unwrap();
        }
        let done = finish(child);
        if done.code.is_some_and(|code| code < 2) {
            return done.code;
        }
        assert!(left > 0, "{done:?}");
        *kills += 1;
    }
    None
}

pub(super) fn killed_with_a_backup(db: &mut dyn Db) {
    const ROWS: usize = 4_000;
    let folder = Folder::new();
    // Every hundredth string is bad.
    let row = |(n, line): (usize, &String)| if n % 100 == 7 { "bad".to_string() } else { line.clone() };
    let lines: Vec<_> = lines(ROWS, 12).iter().enumerate().map(row).collect();
    let old: Vec<_> = lines.iter().cloned().map(Some).collect();
    let new: Vec<_> = lines.iter().map(|line| Some(if line == "bad" { line.clone() } else { v2(line) })).collect();
    db.fill(&old);
    let (mut rng, mut kills) = (Rng(7), 0);
    for round in 0.. {
        let backup = folder.at(&format!("{round}.zst"));
        let mut forth = gridmill(db.place());
        forth.args(ARGS).args(["--batch", "50", "--backup"]).arg(&backup);
        assert_eq!(go_through(db, &mut kills, &mut rng, &mut forth), Some(1));
        assert!(db.strings() == new);
        let rows: Vec<_> = listed(&backup).into_iter().skip(1).filter(|line| line["batch"].is_null()).collect();
        // Each row that was written occurs once, whatever was repeated.
        assert_eq!(rows.len(), ROWS - ROWS / 100);
        let mut back = gridmill(["migrate", "restore"]);
        back.arg(&backup).arg(&db.place()[2]).arg("--yes");
        assert_eq!(go_through(db, &mut kills, &mut rng, &mut back), Some(0));
        assert!(db.strings() == old);
        if kills >= 50 {
            return;
        }
        assert!(round < 40, "it is hardly ever killed");
    }
}

/// Makes it look as if the run had been interrupted after some entries of the journal.
fn interrupt(db: &mut dyn Db, entries: usize) {
    db.run(&format!(
        "DELETE FROM gridmill_migration WHERE id > (SELECT min(id) FROM (SELECT id FROM gridmill_migration) AS j) + {entries}"
    ));
}

pub(super) fn an_interrupted_run_has_its_backup(db: &mut dyn Db) {
    let folder = Folder::new();
    let old: Vec<_> = lines(100, 5).into_iter().map(Some).collect();
    db.fill(&old);
    let (backup, other) = (folder.at("old.zst"), folder.at("other.zst"));
    assert_eq!(migrate(db, &backup, &["-q", "--batch", "10"]).code, Some(0));
    interrupt(db, 3);
    let rest = old[30..].iter().zip(31..);
    rest.for_each(|(old, id)| db.run(&format!("UPDATE boards SET bd = {} WHERE id = {id}", literal(old.as_deref()))));
    // Without it, or with another, the run does not go on.
    db.migrate(&ARGS).failed(&["has a backup", "name that file with --backup"]);
    migrate(db, &other, &[]).failed(&["other.zst", "does not exist", "name that file with --backup"]);
    let bytes = fs::read(&backup).unwrap();
    fs::write(&backup, &bytes[..bytes.len() / 5]).unwrap();
    migrate(db, &backup, &[]).failed(&["old.zst", "lacks its last"]);
    restore(db, &backup, &["--yes"]).failed(&["old.zst", "lacks its last"]);
    fs::write(&backup, &bytes).unwrap();
    // What follows the last committed batch is overwritten.
    let done = migrate(db, &backup, &["--batch", "10"]);
    assert!(done.code == Some(0) && done.stderr.contains("resumed an interrupted run"), "{done:?}");
    let rows = listed(&backup).iter().skip(1).filter(|line| line["batch"].is_null()).count();
    assert_eq!(rows, 100);
    // A run that is restored before its end starts over.
    interrupt(db, 3);
    let done = restore(db, &backup, &["--yes"]);
    assert!(done.code == Some(0) && done.stderr.contains("30 rows: 30 put back"), "{done:?}");
    assert_eq!(db.strings()[..30], old[..30]);
    let done = migrate(db, &other, &[]);
    assert!(done.code == Some(0) && done.stderr.contains("100 rows: 30 written, 70 version 2 already"), "{done:?}");
    assert!(!done.stderr.contains("interrupted"), "{done:?}");
}

/// A backup that began late reports what it lacks.
#[test]
fn a_backup_that_begins_late_says_so() {
    let (mut db, folder) = (Lite::new(), Folder::new());
    db.fill(&lines(100, 5).into_iter().map(Some).collect::<Vec<_>>());
    assert_eq!(db.migrate(&[&ARGS[..], &["-q", "--batch", "10"]].concat()).code, Some(0));
    interrupt(&mut db, 3);
    let done = migrate(&db, &folder.at("old.zst"), &[]);
    assert!(done.stderr.contains("the 30 rows it had already written are not in the backup"), "{done:?}");
}

/// A damaged byte made a block longer than the file, which looked like the end of an unfinished backup.
#[test]
fn a_damaged_byte_is_no_end_of_a_backup() {
    let (mut db, folder) = (Lite::new(), Folder::new());
    let (old, backup, copy) = (lines(6, 5), folder.at("old.zst"), folder.at("copy"));
    db.fill(&old.iter().cloned().map(Some).collect::<Vec<_>>());
    assert_eq!(migrate(&db, &backup, &["--batch", "2", "--batch-time", "0"]).code, Some(0));
    let (whole, database) = (fs::read(&backup).expect("a backup"), fs::read(&db.place()[2]).expect("a database"));
    let strings = || {
        let copy = rusqlite::Connection::open(&copy).expect("a database");
        let mut rows = copy.prepare("SELECT bd FROM boards ORDER BY id").expect("a table");
        let rows = rows.query_map([], |row| row.get::<_, String>(0)).expect("rows");
        rows.collect::<Result<Vec<_>, _>>().expect("strings")
    };
    let mut refused = 0;
    for at in (0..whole.len()).step_by(3) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x80;
        fs::write(&backup, &damaged).expect("a backup");
        fs::write(&copy, &database).expect("a database");
        let done = run(gridmill(["migrate", "restore"]).arg(&backup).arg(&copy).args(["--yes", "-q"]), b"");
        // Some bits do not matter.
        assert_eq!(done.code == Some(0), strings() == old, "{at}: {done:?}");
        refused += u32::from(done.code == Some(2));
    }
    assert!(refused > 0);
}

/// A truncated backup lacks batches of the journal. Without the journal, its complete batches are restored, and a
/// warning says that it ends within a batch.
#[test]
fn a_truncated_backup_is_reported() {
    let (mut db, folder) = (Lite::new(), Folder::new());
    let (old, backup) = (lines(6, 5), folder.at("old.zst"));
    db.fill(&old.iter().cloned().map(Some).collect::<Vec<_>>());
    assert_eq!(migrate(&db, &backup, &["--batch", "2", "--batch-time", "0"]).code, Some(0));
    let whole = fs::read(&backup).expect("a backup");
    fs::write(&backup, &whole[..whole.len() - 10]).expect("a backup");
    assert_eq!(restore(&db, &backup, &["--yes"]).code, Some(2));
    assert!(db.strings().iter().flatten().all(|new| new.starts_with("S9B")));
    db.run("DROP TABLE gridmill_migration");
    let done = restore(&db, &backup, &["--yes"]);
    assert!(done.code == Some(0) && done.stderr.contains("ends in the middle of a batch"), "{done:?}");
    let now: Vec<_> = db.strings().into_iter().flatten().collect();
    assert_eq!(now[..4], old[..4]);
    assert!(now[4..].iter().all(|new| new.starts_with("S9B")));
}

/// No existing file is overwritten, and only backups are read.
#[cfg(unix)]
#[test]
fn existing_files_are_not_overwritten() {
    let (mut db, folder) = (Lite::new(), Folder::new());
    let old: Vec<_> = lines(100, 5).into_iter().map(Some).collect();
    db.fill(&old);
    folder.write("text", "something else");
    folder.write("empty", "");
    fs::create_dir(folder.at("folder")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.at("link")).unwrap();
    folder.write("other.zst", zstd::encode_all(&b"{}\n"[..], 1).unwrap());
    let before = folder.names();
    for (name, words) in [
        ("text", "already exists"),
        ("folder", "folder"),
        ("link", "symbolic link"),
        ("other.zst", "already exists"),
        ("none/old.zst", "does not exist"),
    ] {
        migrate(&db, &folder.at(name), &["-f"]).failed(&[name, words]);
    }
    migrate(&db, Path::new("/dev/null"), &[]).failed(&["regular file"]);
    migrate(&db, Path::new("-"), &[]).failed(&["--backup", "stdout"]);
    migrate(&db, Path::new(&db.path), &[]).failed(&["also an input"]);
    assert_eq!((folder.names(), folder.text("text").as_str(), db.strings()), (before, "something else", old.clone()));
    for (name, words) in
        [("text", "not a backup"), ("other.zst", "not a backup"), ("folder", "regular file"), ("nowhere", "open")]
    {
        restore(&db, &folder.at(name), &["--yes"]).failed(&[name, words]);
    }
    // A damaged backup, and that of another migration. An empty file counts as none.
    let backup = folder.at("empty");
    assert_eq!(migrate(&db, &backup, &["-q", "--batch", "10"]).code, Some(0));
    #[cfg(unix)]
    assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    let bytes = fs::read(&backup).unwrap();
    let mut hurt = bytes.clone();
    hurt[bytes.len() / 2] ^= 1;
    fs::write(&backup, &hurt).unwrap();
    restore(&db, &backup, &["--yes"]).failed(&["empty", "is damaged"]);
    assert!(db.strings().iter().all(|new| new.as_ref().unwrap().starts_with("S9B")));
    fs::write(&backup, &bytes).unwrap();
    assert_eq!(restore(&db, &backup, &["--yes", "-q"]).code, Some(0));
    assert_eq!(db.strings(), old);
    let args = ["--table", "boards", "--column", "bd", "--plain", "--yes", "--backup", backup.to_str().unwrap()];
    db.migrate(&args).failed(&["empty", "backup of another migration"]);
}

/// If a batch cannot be written to the backup, it is not committed, and the run can be continued later.
#[test]
fn without_room_for_the_backup_nothing_more_is_written() {
    if !have("strace", "--version") {
        return;
    }
    let (mut db, folder) = (Lite::new(), Folder::new());
    let old: Vec<_> = lines(1_000, 5).into_iter().map(Some).collect();
    db.fill(&old);
    let backup = folder.path().canonicalize().unwrap().join("old.zst");
    // The first sync is that of the header.
    for (fault, said, batches) in
        [("pwrite64:error=ENOSPC:when=4", "write", 2), ("fdatasync:error=EIO:when=3", "sync", 4)]
    {
        let trace = format!("strace -f -qq -o log -P {} -e inject={fault}", backup.display());
        let script =
            format!("{trace} $G migrate sqlite {} {} -q --batch 100 --backup old.zst", db.path, ARGS.join(" "));
        let done = run(shell(&script).current_dir(folder.path()), b"");
        done.failed(&["old.zst", &format!("cannot {said}")]);
        let now = db.strings();
        assert_eq!(now.iter().zip(&old).filter(|(now, old)| now != old).count(), batches * 100);
    }
    assert_eq!(migrate(&db, &backup, &["-q"]).code, Some(0));
    assert_eq!(listed(&backup).iter().skip(1).filter(|line| line["batch"].is_null()).count(), 1_000);
    assert_eq!(restore(&db, &backup, &["--yes", "-q"]).code, Some(0));
    assert!(db.strings() == old);
}
