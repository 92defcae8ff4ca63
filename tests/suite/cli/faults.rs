//! `strace` makes system calls fail: every call that writes, syncs or renames, once and permanently. Whatever fails,
//! the run reports it, leaves no temporary file, and every output is as before or complete.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use crate::support::{Done, Folder, PLAIN, have, many, run, shell, v2};

/// The run that is disturbed.
const RUN: &str = "$G convert -q -j1 -f in -o out --rejects rejects --list-solved list --report report";
const OUTPUTS: [&str; 4] = ["out", "rejects", "list", "report"];

struct Case {
    folder: Folder,
    script: String,
    /// The files after a good run.
    expected: BTreeMap<String, Vec<u8>>,
    /// The files before the run.
    before: BTreeMap<String, Vec<u8>>,
}

impl Case {
    fn new(script: &str, old: bool) -> Self {
        let folder = Folder::new();
        let few = &many()[..163 * 3];
        folder.write("in", [few, b"bad\n", few, b"worse\n"].concat());
        let before = if old { OUTPUTS.map(|name| (name.to_string(), b"old".to_vec())).into() } else { BTreeMap::new() };
        let mut case = Self { folder, script: script.to_string(), expected: BTreeMap::new(), before };
        case.reset();
        assert_eq!(case.run_with_strace("").code, Some(1));
        case.expected = case.files();
        assert!(case.expected.len() >= 3);
        case
    }

    /// Restores the state before the run.
    fn reset(&self) {
        for name in self.folder.names().iter().filter(|name| *name != "in") {
            fs::remove_file(self.folder.at(name)).expect("removing");
        }
        self.before.iter().for_each(|(name, bytes)| drop(self.folder.write(name, bytes)));
    }

    /// All files but the input.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let names = self.folder.names().into_iter().filter(|name| name != "in");
        names.map(|name| (name.clone(), self.folder.read(&name))).collect()
    }

    /// Runs under strace with `options`.
    fn run_with_strace(&self, options: &str) -> Done {
        let script = self.script.replace("$G", &format!("exec strace -f -qq -o /dev/null {options} $G"));
        run(shell(&script).current_dir(self.folder.path()), b"")
    }

    /// How often the run makes a call.
    fn count(&self, call: &str) -> usize {
        self.reset();
        let log = Folder::new();
        let path = log.at("log");
        let script = self.script.replace("$G", &format!("exec strace -f -qq -e trace={call} -o {} $G", path.display()));
        assert_eq!(run(shell(&script).current_dir(self.folder.path()), b"").code, Some(1));
        fs::read_to_string(path).expect("a log").lines().filter(|line| line.contains(&format!(" {call}("))).count()
    }

    /// Checks what must be true whatever failed. Returns whether the output exists.
    fn check(&self, what: &str, done: &Done, told: bool) {
        // A file that cannot be named is copied to one with a name.
        if what.starts_with("linkat") && done.code == Some(1) {
            let files = self.files();
            let good = |(name, bytes): (&String, _)| name == "report" || files.get(name) == Some(bytes);
            assert!(files.len() == self.expected.len() && self.expected.iter().all(good), "{what}: {:?}", files.keys());
            return;
        }
        assert_eq!(done.code, Some(2), "{what}: {}", done.stderr);
        // strace may print messages first.
        let said = done.stderr.lines().any(|line| line.starts_with("gridmill: "));
        assert!(!told || said, "{what}: {}", done.stderr);
        for (name, bytes) in self.files() {
            let (old, new) = (self.before.get(&name), self.expected.get(&name));
            // A report contains times.
            let whole = if name == "report" { bytes.ends_with(b"}\n") } else { Some(&bytes) == new };
            assert!(whole || Some(&bytes) == old, "{what}: {name} is neither old nor complete: {}", done.stderr);
        }
        if !told {
            return;
        }
        // Everything is prepared before anything is put in place, and the output comes first.
        let files = self.files();
        if done.stderr.contains("is in place and complete") {
            assert!(
                self.expected.keys().all(|name| files.get(name) != self.before.get(name)),
                "{what}: {}",
                done.stderr
            );
        } else if done.stderr.contains("already in place: out") {
            assert_eq!(files.get("out"), self.expected.get("out"), "{what}: {}", done.stderr);
        } else {
            assert!(files == self.before, "{what}: {:?}: {}", files.keys(), done.stderr);
        }
    }

    /// Makes every instance of a call fail in turn.
    fn fail(&self, call: &str, errors: &[&str]) -> usize {
        let count = self.count(call);
        for n in 1..=count {
            for error in errors {
                for (on, told) in [("", true), ("+", false)] {
                    self.reset();
                    let what = format!("{call} {n}{on} {error}");
                    let done = self.run_with_strace(&format!("-e inject={call}:error={error}:when={n}{on}"));
                    self.check(&what, &done, told || call != "write");
                }
            }
        }
        count
    }
}

fn ready() -> bool {
    have("strace", "--version")
}

#[test]
fn every_write_that_fails_is_an_error_that_leaves_nothing_half_done() {
    if !ready() {
        return;
    }
    for old in [false, true] {
        let case = Case::new(RUN, old);
        assert!(case.fail("write", &["ENOSPC"]) >= 5);
    }
    let case = Case::new(&RUN.replace("--report report", "--zstd"), true);
    assert!(case.fail("write", &["EIO"]) >= 5);
}

#[test]
fn every_sync_and_rename_that_fails_is_an_error_that_leaves_nothing_half_done() {
    if !ready() {
        return;
    }
    for old in [false, true] {
        let case = Case::new(RUN, old);
        assert!(case.fail("fsync", &["EIO"]) >= 5);
        // Files that replace others are renamed. Other files are linked, or renamed without replacing.
        let renames: usize = ["renameat", "renameat2", "rename", "linkat"]
            .iter()
            .map(|call| case.fail(call, &["EACCES", "EXDEV"]))
            .sum();
        assert!(renames >= 4, "{renames}");
    }
    let case = Case::new(&RUN.replace("-f ", ""), false);
    let renames: usize = ["renameat", "renameat2", "linkat"].iter().map(|call| case.fail(call, &["EACCES"])).sum();
    assert!(renames >= 4, "{renames}");
    assert_eq!(Case::new(&format!("{RUN} --no-sync"), true).count("fsync"), 0);
    assert!(Case::new(RUN, true).fail("fchmod", &["EPERM"]) >= 4);
}

#[test]
fn reading_that_fails_is_an_error_that_leaves_nothing() {
    if !ready() {
        return;
    }
    for (reading, call) in [("--no-mmap", "pread64"), ("--mmap", "mmap"), ("", "openat")] {
        let case = Case::new(&RUN.replace("in -o", &format!("{reading} $PWD/in -o")), true);
        case.reset();
        let input = case.folder.at("in");
        let done = case.run_with_strace(&format!("-P {} -e inject={call}:error=EIO", input.display()));
        case.check(call, &done, true);
        assert!(done.stderr.contains("in: cannot"), "{}", done.stderr);
        assert_eq!(case.files(), case.before);
    }
    // A file that cannot be mapped is read, unless mapping was requested.
    let case = Case::new(RUN, true);
    case.reset();
    let done = case.run_with_strace(&format!("-P {} -e inject=mmap:error=ENODEV", case.folder.at("in").display()));
    assert_eq!((done.code, case.folder.read("out")), (Some(1), case.expected["out"].clone()));
}

#[test]
fn interrupted_calls_are_no_errors() {
    if !ready() {
        return;
    }
    let case = Case::new(&RUN.replace("in -o", "--no-mmap in -o"), true);
    for call in ["write", "pread64"] {
        for n in 1..=case.count(call) {
            case.reset();
            // The dynamic loader reads, too, and does not retry.
            let only = if call == "write" { String::new() } else { format!("-P {}", case.folder.at("in").display()) };
            let done = case.run_with_strace(&format!("{only} -e inject={call}:error=EINTR:when={n}"));
            assert_eq!(done.code, Some(1), "{call} {n}: {}", done.stderr);
            for name in ["out", "rejects", "list"] {
                assert!(case.files().get(name) == case.expected.get(name), "{call} {n}: {name}");
            }
        }
    }
}

#[test]
fn signals_at_any_write_leave_old_or_complete_files() {
    if !ready() {
        return;
    }
    let case = Case::new(RUN, true);
    for call in ["write", "fsync", "linkat", "renameat"] {
        for n in 1..=case.count(call) {
            case.reset();
            let done = case.run_with_strace(&format!("-e inject={call}:signal=TERM:when={n}"));
            let ended =
                done.signal == Some(15) || done.code == Some(143) || done.code == Some(1) || done.code == Some(2);
            assert!(ended, "{call} {n}: {done:?}");
            for (name, bytes) in case.files() {
                let (old, new) = (case.before.get(&name), case.expected.get(&name));
                let whole = if name == "report" { bytes.ends_with(b"}\n") } else { Some(&bytes) == new };
                assert!(whole || Some(&bytes) == old, "{call} {n}: {name} is neither old nor complete");
            }
        }
    }
}

#[test]
fn stdout_that_fails_is_an_error() {
    if !ready() {
        return;
    }
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\n"));
    let run_with_strace = |options: &str| {
        let script = format!("exec strace -f -qq -o /dev/null {options} $G convert -q -j1 in");
        run(shell(&script).current_dir(folder.path()), b"")
    };
    assert_eq!(run_with_strace("").good(), format!("{}\n", v2(PLAIN)).as_bytes());
    for error in ["ENOSPC", "EIO", "EDQUOT", "EFBIG"] {
        run_with_strace(&format!("-e inject=write:error={error}:when=1")).failed(&["<stdout>", "cannot write"]);
    }
    assert_eq!(run_with_strace("-e inject=write:error=EPIPE:when=1").good(), b"");
    let version = Command::new("strace").arg("--version").output();
    assert!(version.is_ok());
}
