//! Regressions in what is in place, and what is said, after a failure in a command with several outputs. Each test is
//! named after what once went wrong.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use rusqlite::Connection;

use crate::support::{Done, Folder, PLAIN, have, many, recode, run, shell, v2};
use gridmill::formats::Format;

fn has_strace() -> bool {
    have("strace", "--version")
}

/// Runs a script in which `$S` is strace with output to `log`.
fn traced(folder: &Folder, script: &str) -> Done {
    run(shell(&script.replace("$S", "strace -f -qq -o log")).current_dir(folder.path()), b"")
}

/// The calls in the log that begin with one of these names, without their threads.
fn calls(folder: &Folder, names: &[&str]) -> Vec<String> {
    let text = String::from_utf8_lossy(&folder.read("log")).into_owned();
    let call = |line: &str| line.split_once(' ').map(|(_, call)| call.trim_start().to_string());
    let is_named = |call: &String| names.iter().any(|name| call.starts_with(&format!("{name}(")));
    text.lines().filter_map(call).filter(is_named).collect()
}

fn database(folder: &Folder) {
    let db = Connection::open(folder.at("db")).expect("a database");
    db.execute_batch("create table t (id integer primary key, p text)").expect("a table");
    for text in [&recode(PLAIN, Format::V1), "bad"] {
        db.execute("insert into t (p) values (?1)", [text]).expect("a row");
    }
}

#[test]
fn rejects_of_a_migration_stood_without_its_report() {
    if !has_strace() {
        return;
    }
    let migrate = "$G migrate sqlite db --table t --column p -q -f --rejects rejects --report report";
    for flags in ["", "--yes --backup old.zst"] {
        let folder = Folder::new();
        database(&folder);
        let files = ["rejects", "report"];
        files.iter().for_each(|name| drop(folder.write(name, "old")));
        fs::copy(folder.at("db"), folder.at("before")).expect("copying");
        assert_eq!(traced(&folder, &format!("$S {migrate} {flags}")).code, Some(1));
        let order = calls(&folder, &["fsync", "renameat"]);
        let put = |name| order.iter().position(|call| call.contains(&format!("\"{name}\""))).expect("its place");
        assert_eq!(put("report"), put("rejects") + 1, "{order:?}");
        let syncs = order[..put("rejects")].iter().filter(|call| call.starts_with("fsync")).count();
        // The report cannot be written.
        fs::rename(folder.at("before"), folder.at("db")).expect("renaming");
        drop(fs::remove_file(folder.at("old.zst")));
        files.iter().for_each(|name| drop(folder.write(name, "old")));
        traced(&folder, &format!("$S -e inject=fsync:error=ENOSPC:when={syncs} {migrate} {flags}"))
            .failed(&["gridmill: report: cannot sync"]);
        assert!(files.iter().all(|name| folder.text(name) == "old"), "{flags}");
        // It cannot be put in place: the message says what is.
        traced(&folder, &format!("$S -e inject=renameat:error=EIO:when=2 {migrate} {flags}"))
            .failed(&["gridmill: report: cannot put in place", "(already in place: rejects)"]);
        assert_eq!(files.map(|name| folder.text(name) == "old"), [false, true]);
        assert!(folder.names().iter().all(|name| !name.ends_with("gridmill-tmp")));
    }
}

#[test]
#[ignore = "sets a limit of the system, so .ci/run runs it alone"]
fn drawings_were_replaced_one_by_one() {
    if !has_strace() {
        return;
    }
    let folder = Folder::new();
    folder.write("in", &many()[..163 * 20]);
    let show = "$G show --svg 'b-{}.svg' -f in";
    let name = |number| format!("b-{number}.svg");
    let old = || (1..=20).filter(|&number| folder.read(&name(number)) == b"old").count();
    let reset = || (1..=20).for_each(|number| drop(folder.write(&name(number), "old")));
    reset();
    traced(&folder, &format!("$S -e inject=fsync:error=ENOSPC:when=7 {show}"))
        .failed(&["gridmill: b-7.svg: cannot sync"]);
    assert_eq!(old(), 20);
    traced(&folder, &format!("$S -e inject=renameat:error=EIO:when=4 {show}"))
        .failed(&["b-4.svg: cannot put in place", "(already in place: b-1.svg, b-2.svg, b-3.svg)"]);
    assert_eq!(old(), 17);
    reset();
    traced(&folder, &format!("$S -e inject=renameat:error=EIO:when=12 {show}"))
        .failed(&["b-12.svg: cannot put in place", "(already in place: 11 files, from b-1.svg to b-11.svg)"]);
    // As many as may be open at a time are put in place together.
    reset();
    traced(&folder, &format!("ulimit -n 40; $S -e inject=renameat:error=EIO:when=12 {show}")).failed(&[
        "(already in place: b-9.svg, b-10.svg, b-11.svg)",
        "(put in place earlier in this run: b-1.svg to b-8.svg)",
    ]);
    assert_eq!(old(), 9);
    assert_eq!(run(shell(&format!("ulimit -n 27; {show}")).current_dir(folder.path()), b"").code, Some(0));
    assert_eq!(old(), 0);
    assert!(folder.names().iter().all(|name| !name.ends_with("gridmill-tmp")));
}

#[test]
fn files_that_relink_had_changed_before_an_error_were_not_named() {
    if !has_strace() {
        return;
    }
    let folder = Folder::new();
    let link = |string: &str| format!("https://www.sudokuwiki.org/sudoku.htm?bd={string}\n");
    let (old, new) = (link(&recode(PLAIN, Format::V1)), link(&v2(PLAIN)));
    let names: Vec<_> = (1..=12).map(|number| format!("page{number:02}")).collect();
    let reset = || names.iter().for_each(|name| drop(folder.write(name, &old)));
    let changed = || names.iter().filter(|name| folder.text(name) == new).count();
    // Each file has two syncs, of itself and of its folder. A full disk ends the run.
    for (at, files) in [(3, "1 file (page01)"), (5, "2 files (page01, page02)"), (21, "10 files (page01, page02, ")] {
        reset();
        let script = format!("$S -e inject=fsync:error=ENOSPC:when={at} $G relink --write page*");
        let done = traced(&folder, &script);
        assert_eq!(changed(), at / 2);
        done.failed(&[&format!(": cannot sync: No space left on device (os error 28); changed before that: {files}")]);
    }
    assert!(names.iter().all(|name| [&old, &new].contains(&&folder.text(name))));
    // The rest is named by its number.
    traced(&folder, "$S -e inject=fsync:error=ENOSPC:when=1 $G relink --write page*").failed(&["page11: cannot sync"]);
    reset();
    traced(&folder, "$S -e inject=fsync:error=ENOSPC:when=21 $G relink --write page*").failed(&["page08 and 2 more)"]);
    // Nor were they if the list of links could not be written.
    reset();
    names[..2].iter().for_each(|name| drop(folder.write(name, format!("{old}{}", link("bad")))));
    let done = traced(&folder, "$G relink --write --rejects /dev/full page*");
    done.failed(&["/dev/full: cannot write", "changed before that: 1 file (page01); run again"]);
}

/// A user who is not root owns what replaces a file of somebody else, and is refused if its group would get
/// permissions that it did not have.
#[test]
fn another_user_replaces_a_file() {
    if !rustix::process::geteuid().is_root() || !have("setpriv", "--version") {
        eprintln!("skipped: this needs root and setpriv");
        return;
    }
    let folder = Folder::open();
    folder.write("in", &many()[..163 * 20]);
    fs::copy(env!("CARGO_BIN_EXE_gridmill"), folder.at("program")).expect("copying");
    let as_user = |groups: &str| {
        let user = format!("setpriv --reuid=54321 --regid=54322 {groups} ./program convert -q -f in -o out");
        run(shell(&user).current_dir(folder.path()), b"")
    };
    let old = |mode, owner, group| {
        let old = folder.write("out", "old");
        std::os::unix::fs::chown(&old, Some(owner), Some(group)).expect("chown");
        fs::set_permissions(&old, fs::Permissions::from_mode(mode)).expect("chmod");
    };
    let is = || fs::metadata(folder.at("out")).map(|m| (m.uid(), m.gid(), m.mode() & 0o777)).expect("metadata");
    let (clear, with) = ("--clear-groups", "--groups=777");
    // The group can be kept: it is the user's own, or one of the user's groups.
    for (group, mode, groups) in [(54322, 0o660, clear), (54322, 0o664, clear), (777, 0o660, with), (777, 0o664, with)]
    {
        old(mode, 12345, group);
        let done = as_user(groups);
        assert_eq!((done.code, is()), (Some(0), (54321, group, mode)), "{}", done.stderr);
    }
    // It cannot be kept, but has the permissions that everybody has.
    old(0o666, 12345, 12346);
    let done = as_user(clear);
    assert_eq!((done.code, is()), (Some(0), (54321, 54322, 0o666)), "{}", done.stderr);
    // The group of the replacement would get more permissions than everybody, or fewer.
    for mode in [0o676, 0o646, 0o606] {
        old(mode, 12345, 12346);
        as_user(clear)
            .failed(&["out: belongs to user 12345 and group 12346", "write to another file, or run as that user"]);
        assert_eq!((folder.text("out").as_str(), is()), ("old", (12345, 12346, mode)));
    }
    assert_eq!(folder.names(), ["in", "out", "program"]);
}

#[test]
fn the_message_about_an_unreadable_folder_did_not_begin_with_it() {
    if !has_strace() {
        return;
    }
    let folder = Folder::new();
    fs::create_dir_all(folder.at("site/sub")).expect("folders");
    folder.write("site/sub/page", "nothing");
    // Of the folder that was named, and of one in it.
    for (call, name) in [("getdents64:error=ENOMEM:when=1", "site"), ("open,openat:error=ENOMEM:when=LAST", "site/sub")]
    {
        assert_eq!(traced(&folder, "$S -e trace=open,openat $G relink -q site/sub").code, Some(0));
        let all = folder.text("log");
        let opens = |line: &&str| line.contains("open") && line.starts_with(all.split(' ').next().unwrap_or_default());
        let last = all.lines().filter(opens).position(|line| line.contains("\"site/sub\"")).expect("it is opened") + 1;
        let call = call.replace("LAST", &last.to_string());
        let done = traced(&folder, &format!("$S -e inject={call} $G relink -q {name}"));
        let words = format!("gridmill: {name}: cannot read the folder: Cannot allocate memory (os error 12)\n");
        assert_eq!((done.code, done.stderr), (Some(1), words));
    }
}

#[test]
fn a_file_that_could_not_be_examined_was_taken_for_a_string() {
    if !has_strace() {
        return;
    }
    let folder = Folder::new();
    folder.write("boards", &many()[..163 * 2]);
    let done = traced(&folder, "$S -P boards -e inject=statx,openat:error=EIO $G show boards");
    assert!(
        done.stderr.ends_with("gridmill: boards: cannot open: Input/output error (os error 5)\n"),
        "{}",
        done.stderr
    );
    assert_eq!(done.code, Some(2));
    // These are strings.
    let long = "1".repeat(5000);
    for name in [long.as_str(), "boards/x", "nothing"] {
        assert_eq!(run(shell(&format!("$G show {name}")).current_dir(folder.path()), b"").code, Some(1), "{name}");
    }
}
