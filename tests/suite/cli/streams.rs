use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use crate::support::{Folder, PLAIN, finish, gridmill, many, program, run, shell, temporaries, until, v2, wait};

/// The program with pipes.
fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn send(child: &Child, signal: &str) {
    let status = shell(&format!("kill -s {signal} {}", child.id())).status();
    assert!(status.expect("kill").success());
}

#[test]
fn a_reader_that_has_enough_ends_the_run_quietly() {
    let folder = Folder::new();
    let input = folder.write("in", many().repeat(3));
    for threads in ["-j1", "-j2", "-j5"] {
        let mut child = start(gridmill(["convert", threads]).arg(&input));
        let mut first = String::new();
        // The buffered reader reads ahead. Dropping it closes the pipe.
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut first).expect("a line");
        assert!(first.starts_with("S9B") && first.len() == 166);
        let done = finish(child);
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{threads}");
    }
    for script in [
        "set -o pipefail; $G convert in | head -1",
        "set -o pipefail; $G convert < in | head -1",
        "set -o pipefail; $G convert --zstd in | head -c 1",
        "set -o pipefail; trap '' PIPE; $G convert in | head -1",
        "set -o pipefail; $G gen --count 1000000000 | head -1",
        "set -o pipefail; $G convert in | true",
    ] {
        let done = run(shell(script).current_dir(folder.path()), b"");
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{script}");
    }
    // The same for a named pipe.
    folder.fifo("pipe");
    let done = run(
        shell("head -c 10 pipe > /dev/null & $G convert in -o pipe; code=$?; wait; exit $code")
            .current_dir(folder.path()),
        b"",
    );
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_closed_side_output_does_not_end_the_conversion() {
    let folder = Folder::new();
    let good = &many()[..163 * 2000];
    folder.write("in", [&b"bad\n".repeat(30_000)[..], good].concat());
    for flag in ["--rejects", "--list-solved"] {
        folder.fifo("pipe");
        let script =
            format!("head -c 1 pipe > /dev/null & $G convert -q in -o out {flag} pipe; code=$?; wait; exit $code");
        let done = run(shell(&script).current_dir(folder.path()), b"");
        assert_eq!((done.code, done.stderr.as_str()), (Some(1), ""), "{flag}");
        assert_eq!(folder.read("out").len(), 2000 * 166, "{flag}");
        for name in ["pipe", "out", "out.rejects.tsv"] {
            drop(fs::remove_file(folder.at(name)));
        }
        assert_eq!(folder.names(), ["in"]);
    }
    // Nobody reads the rejects on stderr.
    let done = run(
        shell("$G convert -q in -o out --rejects /dev/stderr 2> >(head -c 1 > /dev/null)").current_dir(folder.path()),
        b"",
    );
    assert_eq!((done.code, folder.read("out").len()), (Some(1), 2000 * 166));
    let done = run(shell("$G convert -q in 2> >(head -c 1 > /dev/null)").current_dir(folder.path()), b"");
    assert_eq!((done.code, done.stdout.len()), (Some(1), 2000 * 166));
}

#[test]
fn closed_streams_are_noticed() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\nbad\n"));
    let run_script = |script: &str| run(shell(script).current_dir(folder.path()), b"");
    run_script("$G convert in >&-").failed(&["stdout is closed", "-o"]);
    run_script("$G gen >&-").failed(&["stdout is closed", "-o"]);
    run_script("$G convert <&-").failed(&["stdin is closed"]);
    run_script("$G convert - in <&-").failed(&["stdin is closed"]);
    run_script("$G convert -o out <&-").failed(&["stdin is closed"]);
    assert_eq!(folder.names(), ["in"]);
    // Streams that are not used may be closed.
    let done = run_script("$G convert in <&-");
    assert_eq!((done.code, done.text()), (Some(1), format!("{}\n", v2(PLAIN)).as_str()));
    let done = run_script("$G convert in -o out >&- <&-");
    assert_eq!(done.code, Some(1));
    // A closed stderr: the run does what it can, and no file receives the messages.
    let done = run_script("$G convert in -fo out 2>&-");
    assert_eq!((done.code, folder.text("out")), (Some(1), format!("{}\n", v2(PLAIN))));
    let done = run_script("$G convert in -fo out <&- >&- 2>&-");
    assert_eq!((done.code, folder.text("out")), (Some(1), format!("{}\n", v2(PLAIN))));
    let done = run_script("$G convert missing 2>&-");
    assert_eq!((done.code, done.stdout.len()), (Some(2), 0));
    // Open for reading only, or for writing only.
    run_script("$G convert in 1< in").failed(&["<stdout>"]);
    run_script("$G convert 0> new").failed(&["<stdin>"]);
}

#[test]
fn slow_pipes_give_their_lines_at_once() {
    let mut child = start(&mut gridmill(["convert", "-q", "-j2"]));
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for _ in 0..3 {
        for byte in format!("{PLAIN}\n").bytes() {
            input.write_all(&[byte]).expect("writing");
        }
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        assert_eq!(line, format!("{}\n", v2(PLAIN)));
    }
    input.write_all(PLAIN.as_bytes()).expect("writing");
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("the rest");
    assert_eq!(rest, v2(PLAIN));
    finish(child).good();
}

#[test]
fn signals_leave_nothing_behind() {
    let folder = Folder::new();
    let names = ["out", "rejects", "list", "report"];
    // A signal that these tests inherited as ignored (`nohup`) is also ignored in the programs they start.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let heeded = |number: i32| ignored.unwrap_or(0) >> (number - 1) & 1 == 0;
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)].into_iter().filter(|(_, number)| heeded(*number)) {
        for old in [false, true] {
            for name in names.iter().filter(|_| old) {
                folder.write(name, "old");
            }
            let before = folder.names();
            let mut command = program();
            command.args([
                "convert",
                "-f",
                "-o",
                "out",
                "--rejects",
                "rejects",
                "--list-solved",
                "list",
                "--report",
                "report",
            ]);
            let mut child = start(command.current_dir(folder.path()));
            // The input stays open, so the run continues until the signal.
            let mut input = child.stdin.take().expect("a pipe");
            input.write_all(b"bad\n").and_then(|()| input.write_all(&many()[..163 * 100])).expect("writing");
            // The temporaries of the output, the list and the rejects.
            until(|| temporaries(child.id(), &folder).len() == 3);
            send(&child, signal);
            let done = finish(child);
            assert_eq!((done.code, done.signal), (None, Some(number)), "{signal}: {}", done.stderr);
            assert_eq!(folder.names(), before, "{signal}");
            assert!(before.iter().all(|name| folder.text(name) == "old"));
            drop(input);
        }
        names.iter().for_each(|name| fs::remove_file(folder.at(name)).expect("removing"));
    }
    // `gen` too, also while it writes.
    let mut child = start(gridmill(["gen", "-q", "--count", "1000000000", "-o", "out"]).current_dir(folder.path()));
    until(|| temporaries(child.id(), &folder).iter().any(|&size| size > 0));
    send(&child, "TERM");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&wait(&mut child)), Some(15));
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn an_ignored_hangup_stays_ignored() {
    let folder = Folder::new();
    let mut child = start(shell("trap '' HUP; exec $G convert -q -o out").current_dir(folder.path()));
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(format!("{PLAIN}\n").as_bytes()).expect("writing");
    until(|| !temporaries(child.id(), &folder).is_empty());
    send(&child, "HUP");
    input.write_all(format!("{PLAIN}\n").as_bytes()).expect("writing");
    drop(input);
    finish(child).good();
    assert_eq!(folder.text("out"), format!("{0}\n{0}\n", v2(PLAIN)));
}

/// Converts `big`, truncates it when the run has started, and returns the run's output. With `piped`, it is truncated
/// in the middle, while the run waits for the reader of its output; otherwise before its turn, after an input that is a
/// pipe.
fn cut_short(folder: &Folder, reading: Option<&str>, piped: bool) -> String {
    let big = folder.write("big", many().repeat(2));
    let pipe = folder.fifo("pipe");
    let shorten = || OpenOptions::new().write(true).open(&big).and_then(|file| file.set_len(5000)).expect("cutting");
    let mut command = gridmill(["convert", "-q", "-j2"]);
    command.args(reading).args(["--rejects", "rejects", "--list-solved", "list"]).current_dir(folder.path());
    let done = if piped {
        let bad = folder.write("bad", "bad\n");
        let mut child = start(command.arg(bad).arg(&big));
        let mut output = child.stdout.take().expect("a pipe");
        output.read_exact(&mut [0; 1000]).expect("some output");
        shorten();
        std::io::copy(&mut output, &mut std::io::sink()).expect("the rest");
        finish(child)
    } else {
        let child = start(command.args(["-o", "out"]).arg(&pipe).arg(&big));
        // Opens when the program reaches the pipe, after it has opened the other input.
        let mut writer = OpenOptions::new().write(true).open(&pipe).expect("opening the pipe");
        writer.write_all(b"bad\n").expect("writing");
        shorten();
        drop(writer);
        finish(child)
    };
    fs::remove_file(&pipe).expect("removing");
    drop(fs::remove_file(folder.at("bad")));
    assert_eq!(folder.names(), ["big"], "{}", done.stderr);
    assert_eq!((done.code, done.signal), (Some(2), None));
    done.stderr
}

#[test]
fn an_input_that_is_cut_short_is_an_error_and_leaves_nothing() {
    let folder = Folder::new();
    for (reading, piped) in
        [(Some("--mmap"), true), (Some("--no-mmap"), true), (Some("--no-mmap"), false), (None, false)]
    {
        let message = cut_short(&folder, reading, piped);
        assert!(message.contains("big: became shorter while it was being read"), "{reading:?} {piped}: {message}");
        assert!(message.contains("un again"), "{message}");
    }
}

#[test]
fn an_input_that_changes_is_an_error() {
    let folder = Folder::new();
    for (reading, what) in [("--mmap", "longer"), ("--no-mmap", "longer"), ("--no-mmap", "changed")] {
        let big = folder.write("big", many().repeat(2));
        let mut child =
            start(gridmill(["convert", "-q", reading, "--list-solved", "list"]).arg(&big).current_dir(folder.path()));
        let mut output = child.stdout.take().expect("a pipe");
        output.read_exact(&mut [0; 1000]).expect("some output");
        let file = OpenOptions::new().append(true).open(&big).expect("opening");
        match what {
            "longer" => (&file).write_all(b"more\n").expect("writing"),
            _ => file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("touching"),
        }
        std::io::copy(&mut output, &mut std::io::sink()).expect("the rest");
        finish(child).failed(&["big", what]);
        assert_eq!(folder.names(), ["big"]);
    }
}

#[test]
fn inputs_that_are_no_files_are_read() {
    let folder = Folder::new();
    let pipe = folder.fifo("pipe");
    let expected = format!("{}\n", v2(PLAIN));
    let child = start(gridmill(["convert", "-q"]).arg(&pipe));
    let mut writer = File::options().write(true).open(&pipe).expect("opening the pipe");
    writer.write_all(format!("{PLAIN}\n").as_bytes()).expect("writing");
    drop(writer);
    assert_eq!(finish(child).good(), expected.as_bytes());
    run(gridmill(["convert", "--mmap"]).arg(&pipe), b"").failed(&["pipe", "cannot be mapped", "--mmap"]);
    run(&mut gridmill(["convert", "--mmap"]), b"").failed(&["<stdin>", "cannot be mapped"]);
    assert_eq!(run(&mut gridmill(["convert", "-q", "/dev/null"]), b"").good(), b"");
    // Files that do not say how long they are.
    let done = run(&mut gridmill(["convert", "-q", "--bad=keep", "/proc/self/status"]), b"");
    assert!(done.code == Some(1) && done.text().starts_with("Name:\tgridmill\n"));
    // A stdin from which something was already read is read from there, and left at its end.
    folder.write("in", format!("first\n{PLAIN}\n"));
    let script = "{ head -c 6 > /dev/null; $G convert -q; cat; } < in";
    assert_eq!(run(shell(script).current_dir(folder.path()), b"").good(), expected.as_bytes());
}
