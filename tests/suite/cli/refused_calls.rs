//! Regressions in calls that the system hardly ever refuses. Each once ended with a message that asked for a report.

use crate::support::{Done, Folder, have, many, run, shell};

fn has_strace() -> bool {
    have("strace", "--version")
}

/// Converts in a folder under strace with these options.
fn convert(options: &str) -> (Folder, Done) {
    let folder = Folder::new();
    folder.write("in", &many()[..163 * 20]);
    let script = format!("strace -f -qq -o log {options} $G convert -q -j1 in -o out");
    let done = run(shell(&script).current_dir(folder.path()), b"");
    (folder, done)
}

#[test]
fn random_numbers_that_the_system_did_not_give_were_an_internal_error() {
    if !has_strace() {
        return;
    }
    // The first call is made before main, by the loader's allocator.
    let (folder, done) = convert("-e inject=getrandom:error=EIO:when=2+");
    let words = ["gridmill: the system provides no random numbers (getrandom)", "no output file was put in place"];
    assert!(!done.stderr.contains("report it") && folder.names() == ["in", "log"], "{}", done.stderr);
    done.failed(&words);
}

#[test]
fn handlers_that_the_system_refused_were_an_internal_error() {
    if !has_strace() {
        return;
    }
    let (folder, done) = convert("");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let log = folder.text("log");
    let of_first: Vec<_> = log.lines().filter(|line| line.split(' ').next() == log.split(' ').next()).collect();
    let main = of_first.iter().position(|line| line.contains(" sigaltstack({")).expect("main begins");
    let is_handler = |line: &&&str| line.contains(" rt_sigaction(");
    let before = of_first[..main].iter().filter(is_handler).count();
    let handlers: Vec<_> = of_first[main..].iter().filter(is_handler).collect();
    // Handlers of SIGBUS, SIGABRT, SIGXFSZ, SIGINT, SIGTERM and, unless the tests run with `nohup`, SIGHUP.
    assert!(handlers.len() >= 5, "{handlers:?}");
    let mut refused = 0;
    for (at, call) in handlers.iter().enumerate() {
        let (folder, done) = convert(&format!("-e inject=rt_sigaction:error=EINVAL:when={}", before + at + 1));
        assert!(!done.stderr.contains("report it") && done.code != Some(101), "{call}: {}", done.stderr);
        if done.code != Some(0) {
            refused += 1;
            done.failed(&[
                "gridmill: cannot watch for signals: the system refused a handler",
                "Invalid argument",
                "run again",
            ]);
            assert_eq!(folder.names(), ["in", "log"], "{call}");
        }
    }
    assert!(refused >= 5, "{refused} of {}", handlers.len());
}

/// Nor is a signal lost if the system does not let the program wait for one.
#[test]
#[ignore = "depends on the time that others leave it, so .ci/run runs it alone"]
fn waiting_for_signals_that_the_system_refused_was_an_internal_error() {
    if !has_strace() {
        return;
    }
    for call in ["recvfrom", "poll"] {
        let folder = Folder::new();
        folder.fifo("pipe");
        // The pipe has a writer that never writes. The program is sent SIGTERM.
        let script = format!(
            "sleep 60 > pipe & strace -f -qq -o log -e inject={call}:error=ENOMEM \
             timeout -s TERM -k 100 1.5 $G convert -q pipe -o out; code=$?; kill %1; exit $code"
        );
        let done = run(shell(&script).current_dir(folder.path()), b"");
        assert_eq!((done.code, done.stderr.contains("internal error")), (Some(124), false), "{call}: {}", done.stderr);
        assert_eq!(folder.names(), ["log", "pipe"], "{call}");
    }
}

/// The message says what there is not enough of, and not only that the resource is not available.
#[test]
fn a_stack_that_could_not_be_mapped_had_a_message_without_advice() {
    if !has_strace() {
        return;
    }
    let (folder, _) = convert("");
    let threads = folder.text("log").lines().filter(|line| line.contains(" clone3(")).count();
    for (at, words) in [(1, "the system starts no thread for that"), (threads, "memory for its stack")] {
        let (folder, done) = convert(&format!("-e inject=clone3:error=EAGAIN:when={at}"));
        done.failed(&["gridmill: cannot ", words, "ulimit -u"]);
        assert_eq!(folder.names(), ["in", "log"]);
    }
    let folder = Folder::new();
    folder.write("in", &many()[..163 * 20]);
    let script = "strace -f -qq -o log -e inject=clone3:error=EAGAIN:when=2 $G convert -q -j2 in -o out";
    run(shell(script).current_dir(folder.path()), b"").failed(&[
        "gridmill: cannot start 2 threads",
        "no memory for their stacks",
        "use fewer with -j",
    ]);
}

#[test]
fn a_folder_that_could_not_be_closed_was_an_internal_error() {
    if !has_strace() {
        return;
    }
    let folder = Folder::new();
    std::fs::create_dir(folder.at("site")).expect("a folder");
    folder.write("site/page", "nothing");
    let script = "strace -f -qq -o log -P site -e inject=close:error=EIO $G relink -q site";
    let done = run(shell(script).current_dir(folder.path()), b"");
    let words = "gridmill: a folder that was read cannot be closed: Input/output error; run again\n";
    assert!(done.stderr.ends_with(words) && !done.stderr.contains("report it"), "{}", done.stderr);
    assert_eq!(done.code, Some(2));
}
