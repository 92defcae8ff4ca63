//! Migrations while others work: what they wait for, and what they do not keep others from.

use std::fs;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::db::{Db, literal};
use super::lines;
use crate::random::Rng;
use crate::support::{Folder, finish, gridmill, run, until, v2};

const ARGS: [&str; 5] = ["--table", "boards", "--column", "bd", "--yes"];

fn start(db: &dyn Db, args: &[&str]) -> Child {
    let mut command = gridmill(db.place());
    command.args(ARGS).args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn new_rows(db: &mut dyn Db) -> usize {
    db.strings().iter().filter(|string| string.as_ref().is_some_and(|string| string.starts_with("S9B"))).count()
}

pub(super) fn it_waits_while_it_is_told_to(db: &mut dyn Db) {
    let folder = Folder::new();
    let lines = lines(300, 5);
    let want: Vec<_> = lines.iter().map(|line| Some(v2(line))).collect();
    db.fill(&lines.into_iter().map(Some).collect::<Vec<_>>());
    db.run("CREATE TABLE behind (seconds REAL)");
    db.run("INSERT INTO behind VALUES (7.5)");
    let pause = folder.write("pause", "");
    let query = "SELECT seconds FROM behind";
    let flags = ["--pause-file", pause.to_str().unwrap(), "--max-lag", "5", "--lag-query", query, "--batch", "100"];
    let child = start(db, &flags);
    thread::sleep(Duration::from_millis(1200));
    assert_eq!(new_rows(db), 0);
    fs::remove_file(&pause).unwrap();
    thread::sleep(Duration::from_millis(700));
    assert_eq!(new_rows(db), 0);
    db.run("UPDATE behind SET seconds = NULL");
    thread::sleep(Duration::from_millis(700));
    assert_eq!(new_rows(db), 0);
    db.run("UPDATE behind SET seconds = 4");
    let done = finish(child);
    assert_eq!(done.code, Some(0), "{done:?}");
    for said in ["pause (--pause-file)", "the replica is 7.5 s behind (--max-lag 5)", "is not known", "it goes on"] {
        assert!(done.stderr.contains(said), "{said}: {done:?}");
    }
    assert_eq!(db.strings(), want);
    // What cannot be asked is said before anything is written.
    db.migrate(&[&ARGS[..], &["--max-lag", "5"]].concat()).failed(&["--max-lag needs --replica"]);
    let wrong = ["--plain", "--max-lag", "5", "--lag-query", "SELECT nothing"];
    db.run(&format!("UPDATE boards SET bd = {} WHERE id = 1", literal(Some(&super::lines(1, 9)[0]))));
    db.migrate(&[&ARGS[..], &wrong].concat()).failed(&["how far the replica is behind", "nothing"]);
}

pub(super) fn a_signal_ends_it_after_a_batch(db: &mut dyn Db) {
    let folder = Folder::new();
    let lines = lines(600, 5);
    let old: Vec<_> = lines.iter().cloned().map(Some).collect();
    let want: Vec<_> = lines.iter().map(|line| Some(v2(line))).collect();
    db.fill(&old);
    let backup = folder.at("old.zst");
    let begun = Instant::now();
    let child = start(db, &["--rate", "200", "--backup", backup.to_str().unwrap()]);
    until(|| new_rows(db) > 0);
    let process = child.id().to_string();
    run(std::process::Command::new("kill").args(["-TERM", &process]), b"").good();
    let done = finish(child);
    assert_eq!((done.code, done.signal), (None, Some(15)), "{done:?}");
    assert!(done.stderr.contains("stopped after ") && done.stderr.contains("at the end of a batch"), "{done:?}");
    // Batches of 200 rows a second, each of half a second.
    let rows = new_rows(db);
    assert!(rows > 0 && rows < 600 && rows.is_multiple_of(100), "{rows}");
    assert!(done.stderr.contains(&format!("stopped after {rows} rows")), "{done:?}");
    // It goes on, no faster than it may.
    let done = db.migrate(&[&ARGS[..], &["--rate", "200", "--backup", backup.to_str().unwrap()]].concat());
    assert!(done.code == Some(0) && done.stderr.contains("an interrupted run went on"), "{done:?}");
    assert!(begun.elapsed() > Duration::from_secs(2));
    assert_eq!(db.strings(), want);
    let mut back = gridmill(["migrate", "restore"]);
    assert_eq!(run(back.arg(&backup).arg(&db.place()[2]).args(["--yes", "-q"]), b"").code, Some(0));
    assert_eq!(db.strings(), old);
}

/// A lock is waited for as long as is allowed; what the migration has locked itself it lets go meanwhile.
pub(super) fn locks_of_others_are_waited_for(db: &mut dyn Db) {
    let lines = lines(400, 5);
    let want: Vec<_> = lines.iter().map(|line| Some(v2(line))).collect();
    db.fill(&lines.into_iter().map(Some).collect::<Vec<_>>());
    assert!(db.migrate(&ARGS[..4]).code == Some(0));
    db.run(if db.place()[1] == "sqlite" { "BEGIN IMMEDIATE" } else { "BEGIN" });
    db.run("UPDATE boards SET note = 'm' WHERE id = 350");
    let done = db.migrate(&[&ARGS[..], &["--wait", "1", "--batch", "100"]].concat());
    let said = if db.place()[1] == "sqlite" { "somebody else is writing" } else { "somebody else holds a lock" };
    done.failed(&[said, "run again later, or wait longer with --wait"]);
    let child = start(db, &["--wait", "60", "--batch", "100"]);
    thread::sleep(Duration::from_millis(2500));
    db.run("COMMIT");
    let done = finish(child);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(db.strings(), want);
}

/// Somebody changes some hundred random rows a second. Each row is at the end the conversion of the last string that it got, or
/// that string, if it came after the row was written; and where nobody wrote, the way back gives what was.
pub(super) fn somebody_writes_meanwhile(db: &mut dyn Db) {
    const ROWS: usize = 3_000;
    let folder = Folder::new();
    let old = lines(ROWS, 5);
    let others = lines(500, 6);
    db.fill(&old.iter().cloned().map(Some).collect::<Vec<_>>());
    let backup = folder.at("old.zst");
    let (is_over, mut writer) = (AtomicBool::new(false), db.another());
    let (done, latest) = thread::scope(|scope| {
        let writes = || {
            let (mut latest, mut rng) = (old.clone(), Rng(3));
            while !is_over.load(Ordering::Relaxed) {
                // Some at a time, in no order, so that each may wait for the other.
                writer.run("BEGIN");
                let rows = [(); 3].map(|()| (rng.below(ROWS), &others[rng.below(500)]));
                let sql = |(row, new): &(usize, &String)| {
                    format!("UPDATE boards SET bd = {} WHERE id = {}", literal(Some(new)), row + 1)
                };
                if rows.iter().all(|row| writer.tries(&sql(row))) {
                    writer.run("COMMIT");
                    rows.iter().for_each(|(row, new)| latest[*row].clone_from(new));
                } else {
                    writer.run("ROLLBACK"); // it lost a deadlock
                }
                thread::sleep(Duration::from_millis(10));
            }
            latest
        };
        let thread = scope.spawn(writes);
        let args = ["--rate", "1500", "--batch", "200", "--backup", backup.to_str().unwrap()];
        let done = db.migrate(&[&ARGS[..], &args].concat());
        is_over.store(true, Ordering::Relaxed);
        (done, thread.join().unwrap())
    });
    assert!(done.code.is_some_and(|code| code < 2), "{done:?}");
    for (n, (now, latest)) in db.strings().into_iter().zip(&latest).enumerate() {
        let now = now.unwrap();
        assert!(now == *latest || now == v2(latest), "row {}: {now}, {latest}", n + 1);
    }
    // A second run finds the rest.
    let rest = folder.at("rest.zst");
    let done = db.migrate(&[&ARGS[..], &["-q", "--backup", rest.to_str().unwrap()]].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(db.strings() == latest.iter().map(|latest| Some(v2(latest))).collect::<Vec<_>>());
    for file in [&rest, &backup] {
        let mut back = gridmill(["migrate", "restore"]);
        let done = run(back.arg(file).arg(&db.place()[2]).args(["--yes", "-q"]), b"");
        assert!(done.code.is_some_and(|code| code < 2), "{done:?}");
    }
    assert!(db.strings() == latest.into_iter().map(Some).collect::<Vec<_>>());
}
