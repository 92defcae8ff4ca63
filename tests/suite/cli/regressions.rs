//! Regressions in failures of the system, changes of files, and messages. Each test is named after what once went
//! wrong.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::{Command, Stdio};

use rusqlite::Connection;

use crate::support::{Done, Folder, PLAIN, finish, gridmill, have, many, program, run, shell, temporaries, until, v2};

/// A script in which `$S` is strace with output to `log`.
fn traced(folder: &Folder, script: &str) -> Done {
    let strace = "strace -f -qq -o log";
    run(shell(&script.replace("$S", strace)).current_dir(folder.path()), b"")
}

fn has_strace() -> bool {
    have("strace", "--version")
}

/// The lines of the log in which a call of one of these names begins, without the thread's id.
fn calls(folder: &Folder, names: &[&str]) -> Vec<String> {
    let text = String::from_utf8_lossy(&folder.read("log")).into_owned();
    let call = |line: &str| line.split_once(' ').map(|(_, call)| call.trim_start().to_string());
    text.lines()
        .filter_map(call)
        .filter(|call| names.iter().any(|name| call.starts_with(&format!("{name}("))))
        .collect()
}

/// A folder with an input that has a bad line.
fn with_input() -> Folder {
    let folder = Folder::new();
    folder.write("in", [&many()[..163 * 20], b"bad\n"].concat());
    folder
}

/// The number of the call, among those of its name in the first thread, that creates the output without a name; 0 if
/// the file system does not support that.
fn unnamed(folder: &Folder) -> usize {
    assert_eq!(traced(folder, "$S $G convert -q -j1 -f in -o probe --rejects probe2").code, Some(1));
    let log = String::from_utf8_lossy(&folder.read("log")).into_owned();
    let first = log.split_whitespace().next().unwrap_or_default().to_string();
    let opens = log.lines().filter(|line| line.starts_with(&first) && line.contains(" openat("));
    let at = opens.enumerate().find(|(_, line)| line.contains("O_TMPFILE") && !line.contains(" = -1 "));
    ["probe", "probe2", "log"].iter().for_each(|name| fs::remove_file(folder.at(name)).expect("removing"));
    at.map_or(0, |(before, _)| before + 1)
}

#[test]
fn a_thread_that_cannot_start_leaves_no_file() {
    if !has_strace() {
        return;
    }
    let folder = with_input();
    assert_eq!(traced(&folder, "$S $G convert -q -j3 in -o out").code, Some(1));
    let order = calls(&folder, &["clone3", "clone", "openat"]);
    let made = order.iter().position(|call| call.contains("O_TMPFILE") || call.contains("O_EXCL")).expect("a file");
    assert!(order[made..].iter().all(|call| !call.starts_with("clone")), "{order:?}");
    ["out", "out.rejects.tsv"].iter().for_each(|name| fs::remove_file(folder.at(name)).expect("removing"));
    for command in ["convert -j3 in", "gen -j3 --count 10", "validate -j3 in"] {
        for at in 1..=4 {
            let done = traced(&folder, &format!("$S -e inject=clone3:error=EAGAIN:when={at} $G {command} -q -o out"));
            done.failed(&["gridmill: cannot "]);
            assert_eq!(folder.names(), ["in", "log"], "{command} {at}");
        }
    }
}

#[test]
fn memory_that_ends_is_a_message_and_no_abort() {
    if !has_strace() {
        return;
    }
    let folder = with_input();
    for call in ["mmap", "mprotect"] {
        assert_eq!(traced(&folder, "$S $G convert -q -j2 -f in -o out").code, Some(1));
        // Earlier calls are those of the loader and the runtime.
        let order = calls(&folder, &[call, "rt_sigaction"]);
        let main = order.iter().rposition(|line| line.contains("(SIGXFSZ")).expect("the handlers");
        let before = order[..main].iter().filter(|line| line.starts_with(call)).count();
        let all = before + order[main..].iter().filter(|line| line.starts_with(call)).count();
        for at in before + 1..=all + 1 {
            folder.write("out", "old");
            let done =
                traced(&folder, &format!("$S -e inject={call}:error=ENOMEM:when={at}+ $G convert -q -j2 -f in -o out"));
            let what = format!("{call} {at}: {done:?}");
            assert!(matches!(done.code, Some(1 | 2)), "{what}");
            assert!(done.code == Some(1) || done.stderr.starts_with("gridmill: "), "{what}");
            assert!(!done.stderr.contains("BACKTRACE"), "{what}");
            assert_eq!(folder.text("out") == "old", done.code == Some(2), "{what}");
            assert!(folder.names().iter().all(|name| !name.ends_with("gridmill-tmp")), "{what}");
        }
    }
}

#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn compression_without_memory_was_an_internal_error() {
    let folder = Folder::new();
    folder.write("in", &many()[..163 * 4000]);
    run(program().args(["convert", "-q", "-f", "--zstd", "in", "-o", "in.zst"]).current_dir(folder.path()), b"");
    let mut ended = 0;
    for limit in (30_000..150_000).step_by(15_000) {
        for command in ["convert -q -f -j2 --zstd=19 in -o out", "convert -q -f -j2 in.zst -o out"] {
            // A program that does not even load cannot report anything.
            let script = format!("ulimit -v {limit}; $G --version > /dev/null 2>&1 || exit 1; $G {command}");
            let done = run(shell(&script).current_dir(folder.path()), b"");
            assert!(matches!(done.code, Some(0..=2)) && !done.stderr.contains("damaged"), "{limit}: {done:?}");
            ended += usize::from(done.stderr.contains("out of memory"));
        }
    }
    assert!(ended > 0);
}

#[test]
fn an_abort_or_a_kill_left_the_temporary() {
    if !has_strace() {
        return;
    }
    let folder = with_input();
    let at = unnamed(&folder);
    for signal in ["KILL", "ABRT", "BUS"] {
        let done = traced(&folder, &format!("$S -e inject=fsync:signal={signal}:when=1 $G convert -q -j1 in -o out"));
        assert!(done.code != Some(1), "{done:?}");
        assert!(at == 0 || folder.names() == ["in", "log"], "{signal}: {:?}", folder.names());
    }
    // Where files have names from the beginning.
    let named = format!("-e inject=openat:error=EOPNOTSUPP:when={at}");
    let named = if at == 0 { String::new() } else { named };
    for signal in ["ABRT", "BUS"] {
        let script = format!("$S {named} -e inject=fsync:signal={signal}:when=1 $G convert -q -j1 in -o out");
        let done = traced(&folder, &script);
        assert!(done.code != Some(1), "{done:?}");
        assert!(!calls(&folder, &["unlinkat"]).is_empty(), "{signal}");
        assert_eq!(folder.names(), ["in", "log"], "{signal}");
    }
}

#[test]
fn a_private_file_was_readable_while_it_was_replaced() {
    if !has_strace() {
        return;
    }
    let folder = with_input();
    folder.write("out", "old");
    fs::set_permissions(folder.at("out"), fs::Permissions::from_mode(0o600)).expect("chmod");
    assert_eq!(traced(&folder, "umask 0; $S $G convert -q -j1 -f in -o out").code, Some(1));
    let order = calls(&folder, &["openat", "fchmod", "renameat"]);
    let made = order.iter().position(|call| call.contains(", 0600)")).expect("a private file");
    assert!(order[made..].iter().any(|call| call.starts_with("fchmod(") && call.contains("0600")), "{order:?}");
    // Killed at the one moment when the new file has another name.
    folder.write("out", "old");
    traced(&folder, "umask 0; $S -e inject=renameat:signal=KILL:when=1 $G convert -q -j1 -f in -o out");
    let of_the_output = |name: &&String| name.starts_with(".out.") && !name.starts_with(".out.rejects");
    for name in folder.names().iter().filter(of_the_output) {
        assert_eq!(fs::metadata(folder.at(name)).expect("metadata").mode() & 0o777, 0o600, "{name}");
    }
    assert_eq!(folder.text("out"), "old");
}

#[test]
fn root_took_the_files_that_it_replaced() {
    let folder = with_input();
    let old = folder.write("out", "old");
    if std::os::unix::fs::chown(&old, Some(12345), Some(12346)).is_err() {
        eprintln!("skipped: only root can give files away");
        return;
    }
    fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).expect("chmod");
    let is = || fs::metadata(&old).map(|m| (m.uid(), m.gid(), m.mode() & 0o777)).expect("metadata");
    assert_eq!(run(shell("$G convert -q -f in -o out").current_dir(folder.path()), b"").code, Some(1));
    assert_eq!(is(), (12345, 12346, 0o640));
    if has_strace() {
        let new = folder.read("out");
        let done = traced(&folder, "$S -e inject=fchown:error=EPERM $G convert -q -f in -o out");
        done.failed(&["out: belongs to user 12345 and group 12346", "write to another file"]);
        assert!(folder.read("out") == new && folder.names() == ["in", "log", "out", "out.rejects.tsv"]);
    }
}

/// An address typed in the wrong place, or for the wrong database, was part of the message.
#[test]
fn a_part_of_a_password_was_printed_from_the_wrong_place() {
    let folder = with_input();
    Connection::open(folder.at("db")).and_then(|db| db.execute_batch("CREATE TABLE t (c)")).expect("a table");
    folder.write("old.zst", "no backup");
    let table = ["--table", "t", "--column", "c"];
    let specials = (' '..='~').filter(|c| !c.is_ascii_alphanumeric());
    for url in specials
        .map(|one| format!("postgres://u:fir{one}s3c@r3t@127.0.0.1:1/base"))
        .chain(["host=h password='s3c r3t' user=u".into(), "mysql://u:s3c/r3t@h".into()])
    {
        let backup = format!("--backup={url}");
        let mut tried = vec![
            [&["migrate", "sqlite", &url][..], &table].concat(),
            [&["migrate", "sqlite", "db", "--yes", &backup][..], &table].concat(),
            [&["migrate", "sqlite", "db", "--backup", &url][..], &table].concat(),
            [&["migrate", "postgres", &url, &url][..], &table].concat(),
            vec!["migrate", &url],
            vec!["convert", &url],
        ];
        if url.contains(['&', '=']) {
            tried.extend([
                vec!["migrate", "restore", "old.zst", &url],
                vec!["migrate", "restore", &url, "old.zst"],
                vec!["show", &url],
                vec!["relink", &url],
                vec!["gen", "--side", &url],
                vec!["man", &url],
            ]);
        }
        for args in tried {
            let done = run(gridmill(&args).current_dir(folder.path()), b"");
            let said = format!("{}{}", done.stderr, done.text());
            // A file may have any name.
            let is_name = url.starts_with("host=") && args.contains(&"--backup");
            assert!(done.code != Some(0) || is_name || args.contains(&backup.as_str()), "{args:?}: {done:?}");
            assert!(!said.contains("s3c") && !said.contains("r3t"), "{args:?}: {said}");
        }
    }
    assert_eq!(folder.names(), ["db", "in", "old.zst"]);
}

#[test]
fn rejects_stood_without_their_output() {
    if !has_strace() {
        return;
    }
    let folder = with_input();
    let names = ["out", "list", "rejects", "report"];
    let flags = "-f in -o out --rejects rejects --list-solved list --report report";
    for round in 0..2 {
        assert_eq!(traced(&folder, &format!("$S $G convert -q -j1 {flags}")).code, Some(1));
        let order = calls(&folder, &["fsync", "linkat", "renameat"]);
        let put = |call: &&String| names.iter().any(|name| call.contains(&format!("\"{name}\"")));
        let places: Vec<_> = order.iter().filter(put).collect();
        assert_eq!(places.len(), 4, "{order:?}");
        for (call, name) in places.iter().zip(names) {
            assert!(call.contains(&format!("\"{name}\"")), "round {round}: {order:?}");
        }
        let first = order.iter().position(|call| put(&call)).expect("the first");
        // Four files are synced first, then their common folder.
        assert_eq!(order[..first].iter().filter(|call| call.starts_with("fsync")).count(), 4, "{order:?}");
        assert_eq!(order[first..].iter().filter(|call| call.starts_with("fsync")).count(), 1, "{order:?}");
    }
    names.iter().for_each(|name| drop(folder.write(name, "old")));
    let old = |name: &str| folder.text(name) == "old";
    // The report cannot be written: nothing is put in its place.
    for (at, error) in [(4, "EIO"), (4, "ENOSPC")] {
        let done = traced(&folder, &format!("$S -e inject=fsync:error={error}:when={at} $G convert -q -j1 {flags}"));
        done.failed(&["report: cannot sync"]);
        assert!(names.iter().all(|name| old(name)));
    }
    // The third file cannot be put in its place: the message says which ones are.
    let done = traced(&folder, &format!("$S -e inject=renameat:error=EIO:when=3 $G convert -q -j1 {flags}"));
    done.failed(&["rejects: cannot put in place", "already in place: out, list"]);
    assert_eq!(names.map(old), [false, false, true, true]);
    names.iter().for_each(|name| drop(folder.write(name, "old")));
    // The folder cannot be synced: all files are there.
    let done = traced(&folder, &format!("$S -e inject=fsync:error=EIO:when=5 $G convert -q -j1 {flags}"));
    done.failed(&["out: is in place and complete", "cannot be synced"]);
    assert!(names.iter().all(|name| !old(name)));
    assert!(folder.names().iter().all(|name| !name.ends_with("gridmill-tmp")));
}

/// A run that waits for `in` (a pipe), and the pipe's writer.
fn waiting(folder: &Folder, args: &str) -> (std::process::Child, fs::File) {
    let pipe = folder.fifo("pipe");
    let mut command = gridmill(args.split(' '));
    command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    let mut writer = fs::OpenOptions::new().write(true).open(pipe).expect("the pipe is read");
    writer.write_all(format!("{PLAIN}\n").as_bytes()).expect("writing");
    until(|| !temporaries(child.id(), folder).is_empty());
    (child, writer)
}

#[test]
fn a_renamed_output_folder_kept_the_temporary() {
    let folder = Folder::new();
    fs::create_dir(folder.at("sub")).expect("a folder");
    let (child, writer) = waiting(&folder, "convert -q pipe -o sub/out");
    fs::rename(folder.at("sub"), folder.at("elsewhere")).expect("renaming");
    drop(writer);
    finish(child).failed(&["sub/out: its folder was renamed or removed"]);
    assert_eq!(fs::read_dir(folder.at("elsewhere")).expect("a folder").count(), 0);
    assert_eq!(folder.names(), ["elsewhere", "pipe"]);
}

#[test]
fn an_input_was_rewritten_and_its_time_put_back() {
    for reading in ["--mmap", "--no-mmap"] {
        let folder = Folder::new();
        let path = folder.write("in", &many()[..163 * 10]);
        let reading = if reading == "--mmap" { "" } else { " --no-mmap" };
        let (child, writer) = waiting(&folder, &format!("convert -q{reading} in pipe -o out"));
        let touch = |from: &str, to: &str| {
            let done = Command::new("touch").current_dir(folder.path()).args(["-r", from, to]).status();
            assert!(done.expect("touch").success());
        };
        folder.write("time", "");
        touch("in", "time");
        let file = fs::OpenOptions::new().write(true).open(&path).expect("opening");
        std::os::unix::fs::FileExt::write_all_at(&file, &many()[163 * 10..163 * 20], 0).expect("writing");
        touch("time", "in");
        drop(writer);
        finish(child).failed(&["in: was changed while it was being read"]);
        assert_eq!(folder.names(), ["in", "pipe", "time"]);
    }
    // An input whose name was taken by another file was read as it was.
    let folder = Folder::new();
    folder.write("in", &many()[..163 * 10]);
    folder.write("other", &many()[163 * 10..163 * 20]);
    let (child, writer) = waiting(&folder, "convert -q in pipe -o out");
    fs::rename(folder.at("other"), folder.at("in")).expect("renaming");
    drop(writer);
    finish(child).good();
    let first = run(program().args(["convert", "-q"]), &many()[..163 * 10]).good();
    assert!(folder.read("out").starts_with(&first));
}

#[test]
fn control_characters_reached_the_terminal() {
    let folder = Folder::new();
    let link = format!("https://www.sudokuwiki.org/sudoku.htm?bd={}", String::from_utf8_lossy(&many()[..162]));
    folder.write("page", format!("\x1b[31m\ta\\b {link}\r\n"));
    for args in [&["convert", "--fo\x1b[31m\ro"][..], &["convert", "--to", "v1\x1b[2J\r"], &["\x1b]52;c;x\x07"]] {
        let done = run(&mut gridmill(args), b"");
        assert_eq!(done.code, Some(2));
        let raw = done.stderr.chars().any(|c| c.is_control() && c != '\n');
        assert!(!raw, "{:?}", done.stderr);
    }
    for character in ['\r', '\t', '\n', '\x7f', '\u{9b}'] {
        for args in
            ["con@vert", "convert --fo@x", "help x@y", "gen --side @", "convert --threads 2@3", "dedupe --memory=1@K"]
        {
            let args: Vec<_> = args.split(' ').map(|arg| arg.replace('@', &character.to_string())).collect();
            let done = run(&mut gridmill(&args), b"");
            assert_eq!(done.code, Some(2), "{args:?}");
            let raw = done.stderr.chars().any(|c| c.is_control() && c != '\n');
            // Others are left out.
            let escaped = character.escape_default().to_string();
            let shown = !character.is_ascii_whitespace() || done.stderr.contains(&escaped);
            assert!(!raw && shown, "{args:?}: {:?}", done.stderr);
        }
    }
    // In a pipe the diff is for patch, and has the bytes as they are.
    let done = run(program().args(["relink", "-q", "page"]).current_dir(folder.path()), b"");
    assert!(done.text().contains("\n-\x1b[31m\ta\\b https"), "{}", done.text());
    if have("script", "--version") {
        let done = run(shell("script -qec 'NO_COLOR=1 $G relink -q page' /dev/null").current_dir(folder.path()), b"");
        // The terminal itself ends lines with CR LF.
        assert!(done.text().contains("\n-\\x1b[31m\ta\\b https") && done.text().contains("\\r\r\n"), "{}", done.text());
        assert!(!done.text().contains('\x1b'));
    }
}

#[test]
fn rejects_to_a_closed_stderr_vanished() {
    let folder = with_input();
    folder.write("good", format!("{PLAIN}\n"));
    let link = format!("https://www.sudokuwiki.org/sudoku.htm?bd={}", "x".repeat(81));
    folder.write("page", format!("{link}\n"));
    let exit_code = |script: &str| run(shell(script).current_dir(folder.path()), b"").code;
    for (to, code) in
        [("2>&-", Some(2)), ("2< /dev/null", Some(2)), ("2> /dev/full", Some(2)), ("2> /dev/null", Some(1))]
    {
        for script in [
            "$G convert -q in",
            "$G convert -q < in",
            "$G relink -q page",
            "$G relink -q < page",
            "$G show in",
            "$G show --json < in",
            "$G show --svg drawing -f in",
        ] {
            assert_eq!(exit_code(&format!("{script} {to}")), code, "{script} {to}");
        }
        assert_eq!(exit_code(&format!("$G convert -q good {to}")), Some(0), "{to}");
        assert_eq!(exit_code(&format!("$G show good {to}")), Some(0), "{to}");
        assert_eq!(exit_code(&format!("$G convert -q -f --rejects rejects in {to}")), Some(1), "{to}");
    }
}

#[test]
fn long_records_of_a_database_filled_the_terminal() {
    let folder = Folder::new();
    let db = Connection::open(folder.at("db")).expect("a database");
    db.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, p TEXT)").expect("a table");
    for length in [100_000, 50_000] {
        db.execute("INSERT INTO t (p) VALUES (?1)", [format!("é{}", "x".repeat(length))]).expect("a row");
    }
    drop(db);
    let done = |more: &str| {
        let args = format!("migrate sqlite db --table t --column p -q{more}");
        run(gridmill(args.split(' ')).current_dir(folder.path()), b"")
    };
    let done_without = done("");
    assert_eq!(done_without.code, Some(1));
    for words in ["x...100002\n", "x...50002\n"] {
        assert!(done_without.stderr.contains(words), "{}", done_without.stderr);
    }
    assert!(done_without.stderr.len() < 1000, "{}", done_without.stderr);
    // The file has everything that could be a string.
    assert_eq!(done(" --rejects rejects").code, Some(1));
    assert!(folder.text("rejects").contains(&"x".repeat(50_000)));
}

#[test]
#[ignore = "sets a limit of the system, so .ci/run runs it alone"]
fn twenty_eight_inputs_were_too_many_for_32_descriptors() {
    let folder = Folder::new();
    let names: Vec<_> = (0..100).map(|n| format!("in{n}")).collect();
    names.iter().for_each(|name| drop(folder.write(name, format!("{PLAIN}\nbad\n"))));
    let flags = "-o out --rejects rejects --list-solved list --report report";
    let script = format!("ulimit -n 32; $G convert -q -j2 {} {flags}", names.join(" "));
    let done = run(shell(&script).current_dir(folder.path()), b"");
    assert_eq!((done.code, done.stderr.as_str()), (Some(1), ""));
    assert_eq!(folder.text("out"), format!("{}\n", v2(PLAIN)).repeat(100));
}

#[test]
fn an_unreadable_lock_was_waited_for_without_end() {
    if !has_strace() {
        return;
    }
    let folder = Folder::new();
    let db = Connection::open(folder.at("db")).expect("a database");
    db.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, p TEXT)").expect("a table");
    drop(db);
    let lock = folder.path().canonicalize().expect("a folder").join("db-gridmill");
    let strace = format!("$S -P {} -e inject=statx,newfstatat,lstat:error=EIO", lock.display());
    let done = traced(&folder, &format!("{strace} $G migrate sqlite db --table t --column p --yes -q"));
    done.failed(&["gridmill: db: cannot lock it"]);
}
