//! Migrations while other sessions work: what they wait for, and that they do not block others.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::path::Path;
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

pub(super) fn it_pauses_on_request(db: &mut dyn Db) {
    let folder = Folder::new();
    let lines = lines(300, 5);
    let want: Vec<_> = lines.iter().map(|line| Some(v2(line))).collect();
    db.fill(&lines.into_iter().map(Some).collect::<Vec<_>>());
    db.run("CREATE TABLE behind (seconds REAL)");
    db.run("INSERT INTO behind VALUES (7.5)");
    let pause = folder.at("pause");
    // Nobody knows whether it exists.
    #[cfg(unix)]
    symlink("pause", &pause).unwrap();
    let query = "SELECT seconds FROM behind";
    let flags = ["--pause-file", pause.to_str().unwrap(), "--max-lag", "5", "--lag-query", query, "--batch", "100"];
    let log = fs::File::create(folder.at("log")).unwrap();
    let mut command = gridmill(db.place());
    let child = command.args(ARGS).args(flags).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
    let it_waits = |db: &mut dyn Db, because: &str| {
        until(|| folder.text("log").contains(because));
        assert_eq!(new_rows(db), 0);
    };
    #[cfg(unix)]
    it_waits(db, "pause cannot be examined: ");
    fs::rename(folder.write("file", ""), &pause).unwrap();
    it_waits(db, "pause exists (--pause-file)");
    fs::remove_file(&pause).unwrap();
    it_waits(db, "the replica is 7.5 s behind (--max-lag 5)");
    db.run("UPDATE behind SET seconds = NULL");
    it_waits(db, "unknown how far the replica is behind: --lag-query returns NULL");
    db.run("UPDATE behind SET seconds = 4");
    let (done, said) = (finish(child), folder.text("log"));
    assert_eq!(done.code, Some(0), "{said}");
    assert!(said.contains("continuing"), "{said}");
    assert_eq!(db.strings(), want);
    // Lag that cannot be determined is reported before anything is written.
    db.migrate(&[&ARGS[..], &["--max-lag", "5"]].concat()).failed(&["--max-lag needs --replica"]);
    let wrong = ["--plain", "--max-lag", "5", "--lag-query", "SELECT nothing"];
    db.run(&format!("UPDATE boards SET bd = {} WHERE id = 1", literal(Some(&super::lines(1, 9)[0]))));
    db.migrate(&[&ARGS[..], &wrong].concat()).failed(&["how far the replica is behind", "nothing"]);
}

/// Rows that others delete after they were written are counted, and the run does not fail.
pub(super) fn others_delete_rows_meanwhile(db: &mut dyn Db) {
    let folder = Folder::new();
    db.fill(&lines(60, 5).into_iter().map(Some).collect::<Vec<_>>());
    db.run("CREATE TABLE behind (seconds REAL)");
    db.run("INSERT INTO behind VALUES (7.5)");
    let report = folder.at("report");
    // Batches of ten rows, two a second. The lag, which is asked for once a second, holds the run after the first ones.
    let query = "SELECT CASE WHEN EXISTS (SELECT 1 FROM boards WHERE bd LIKE 'S9B%') THEN (SELECT seconds FROM behind) ELSE 0 END";
    let flags = ["--rate", "20", "--max-lag", "5", "--lag-query", query, "--report", report.to_str().unwrap()];
    let child = start(db, &flags);
    until(|| new_rows(db) > 0);
    db.run("DELETE FROM boards WHERE id IN (2, 3)");
    db.run("UPDATE behind SET seconds = 4");
    let done = finish(child);
    assert!(done.stderr.contains("2 rows were deleted by others meanwhile"), "{done:?}");
    let found = super::report(done, &folder, 1);
    assert_eq!(found["verified"]["rows_gone"], serde_json::json!(["2", "3"]), "{found:#}");
    assert_eq!(new_rows(db), 58);
}

pub(super) fn a_signal_ends_the_run_after_a_batch(db: &mut dyn Db) {
    let folder = Folder::new();
    let lines = lines(600, 5);
    let old: Vec<_> = lines.iter().cloned().map(Some).collect();
    let want: Vec<_> = lines.iter().map(|line| Some(v2(line))).collect();
    db.fill(&old);
    let backup = folder.at("old.zst");
    let begun = Instant::now();
    // It would take 15 seconds, so that it still runs when the signal comes. All batches have the same size, however long
    // they take.
    let batches = ["--batch-time", "0", "--batch", "20", "--rate", "40"];
    let child = start(db, &[&batches[..], &["--backup", backup.to_str().unwrap()]].concat());
    until(|| new_rows(db) > 0);
    let process = child.id().to_string();
    run(std::process::Command::new("kill").args(["-TERM", &process]), b"").good();
    let done = finish(child);
    assert_eq!((done.code, done.signal), (None, Some(15)), "{done:?}");
    assert!(done.stderr.contains("stopped after ") && done.stderr.contains("at the end of a batch"), "{done:?}");
    let is_left = |end| Path::new(&format!("{}{end}", db.place()[2])).exists();
    assert!(db.place()[1] != "sqlite" || !is_left("-journal"), "the rollback journal is still there");
    let rows = new_rows(db);
    assert!(rows > 0 && rows < 600 && rows.is_multiple_of(20), "{rows}");
    assert!(done.stderr.replace(',', "").contains(&format!("stopped after {rows} rows")), "{done:?}");
    // It continues, no faster than allowed.
    let done = db.migrate(&[&ARGS[..], &["--rate", "200", "--backup", backup.to_str().unwrap()]].concat());
    assert!(done.code == Some(0) && done.stderr.contains("resumed an interrupted run"), "{done:?}");
    assert!(begun.elapsed() > Duration::from_secs((600 - rows as u64) / 250));
    assert_eq!(db.strings(), want);
    let mut back = gridmill(["migrate", "restore"]);
    assert_eq!(run(back.arg(&backup).arg(&db.place()[2]).args(["--yes", "-q"]), b"").code, Some(0));
    assert_eq!(db.strings(), old);
}

/// A lock is waited for as long as allowed, and meanwhile the migration releases its own locks.
pub(super) fn locks_of_other_sessions_are_waited_for(db: &mut dyn Db) {
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
    if db.place()[1] != "sqlite" {
        // The batch that met the lock was begun again with half as many rows.
        let entries = db.rows("SELECT entry FROM gridmill_migration").into_iter().flatten().flatten();
        let entries = entries.map(|entry| serde_json::from_str::<serde_json::Value>(&entry).unwrap());
        let rows: Vec<_> = entries.filter_map(|entry| entry["rows"].as_u64()).collect();
        assert!(rows.contains(&100) && rows.iter().any(|&rows| rows < 100), "{rows:?}");
    }
}

/// Another session changes some hundred random rows a second. At the end each row is the conversion of the last string
/// written by others, or that string if it came after the conversion; and a restore gives the old string of rows that
/// nobody else wrote.
pub(super) fn another_session_writes_meanwhile(db: &mut dyn Db) {
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
                // Several at a time in random order, so that sessions may wait for each other.
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
    // A second run converts the rest.
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

/// Two sessions wait for each other, and the database ends the migration's transaction, which is then repeated.
pub(super) fn a_deadlock_is_retried(db: &mut dyn Db) {
    let (waiting, deadlocks) = match db.place()[1].as_str() {
        "mysql" => (
            "SELECT count(*) FROM information_schema.innodb_trx JOIN information_schema.processlist ON id = trx_mysql_thread_id
             WHERE trx_state = 'LOCK WAIT' AND db = DATABASE()",
            "SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'Innodb_deadlocks'",
        ),
        "postgres" => (
            "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()",
            "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
        ),
                _ => return, // with one writer at a time there are no deadlocks
    };
    let lines = lines(300, 5);
    let want: Vec<_> = lines.iter().map(|line| Some(v2(line))).collect();
    db.fill(&lines.into_iter().map(Some).collect::<Vec<_>>());
    if db.place()[1] == "postgres" {
        // The session that detects a deadlock is ended, and the migration detects it first.
        db.run("ALTER DATABASE gridmill_a_deadlock_is_retried SET deadlock_timeout = '400ms'; SET deadlock_timeout = '60s'");
    }
    let mut other = db.another();
    let number = |db: &mut dyn Db, sql| -> u64 { db.rows(sql)[0][0].as_ref().unwrap().parse().unwrap() };
    let before = number(&mut *other, deadlocks);
    // MySQL ends the session that has changed less.
    db.run("BEGIN");
    db.run("UPDATE boards SET note = 'm' WHERE id > 100");
    let child = start(db, &["--batch", "300", "--wait", "60"]);
    until(|| {
        thread::sleep(Duration::from_millis(150)); // MySQL does not update its table more often
        number(&mut *other, waiting) > 0
    });
    db.run("UPDATE boards SET note = 'm' WHERE id = 10");
    db.run("COMMIT");
    let done = finish(child);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(db.strings(), want);
    assert_eq!(db.rows("SELECT count(*) FROM boards WHERE note = 'm'")[0][0].as_deref(), Some("201"));
    until(|| number(&mut *other, deadlocks) > before);
}

/// Passwords are not in the list of processes, in messages, in the journal, in a backup or in a report; strings are not
/// in the first two.
pub(super) fn passwords_and_strings_are_nowhere(db: &mut dyn Db) {
    const SECRET: &str = "open-sesame";
    let folder = Folder::new();
    let line = lines(1, 5).remove(0);
    db.fill(&[Some(line.clone())]);
    let [pause, backup, report] = ["pause", "old.zst", "report"].map(|name| folder.at(name));
    fs::write(&pause, "").unwrap();
    let mut place = db.place();
    if place[1] == "mysql" {
        for host in ["127.0.0.1", "localhost"] {
            db.run(&format!(
                "DROP USER IF EXISTS sesame@'{host}'; CREATE USER sesame@'{host}' IDENTIFIED BY '{SECRET}'; GRANT ALL ON *.* TO sesame@'{host}'"
            ));
        }
        place[2] = place[2].replace("//root@", "//sesame@");
    }
    let mut command = gridmill(place);
    command.args(ARGS).env("PGPASSWORD", SECRET).env("MYSQL_PWD", SECRET).arg("--pause-file").arg(&pause);
    command.arg("--backup").arg(&backup).arg("--report").arg(&report);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_millis(500));
    let mut seen = Vec::new();
    for name in ["cmdline", "comm", "status"] {
        seen.extend(fs::read(format!("/proc/{}/{name}", child.id())).unwrap());
    }
    assert!(child.try_wait().unwrap().is_none());
    fs::remove_file(&pause).unwrap();
    let done = finish(child);
    assert_eq!(done.code, Some(0), "{done:?}");
    let mut texts = vec![String::from_utf8_lossy(&seen).into_owned(), done.stderr];
    assert!(!texts.iter().any(|text| text.contains(&line) || text.contains(&v2(&line))), "{texts:?}");
    texts.extend(db.rows("SELECT job, entry FROM gridmill_migration").into_iter().flatten().flatten());
    assert!(!texts.iter().any(|text| text.contains(&line) || text.contains(&v2(&line))), "{texts:?}");
    texts.push(String::from_utf8(zstd::decode_all(fs::File::open(&backup).unwrap()).unwrap()).unwrap());
    texts.push(folder.text("report"));
    // A password in a URL at which no server listens.
    for args in [
        ["migrate", "postgres", "postgres://me:open-sesame@127.0.0.1:1/none"],
        ["migrate", "mysql", "mysql://me:open-sesame@127.0.0.1:1/none"],
    ] {
        let failed = run(gridmill(args).args(ARGS), b"");
        assert_eq!(failed.code, Some(2));
        texts.push(failed.stderr);
    }
    assert!(!texts.iter().any(|text| text.contains(SECRET)), "{texts:?}");
}
