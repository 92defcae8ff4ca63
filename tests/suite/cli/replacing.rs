//! Regressions in the replacement of files. Each test is named after what once went wrong.

use std::fs;
use std::process::{Child, Command, Stdio};

use crate::support::{Folder, finish, gridmill, many, run, shell, temporaries, until, v2};

/// A page with this many links, all of which are rewritten.
fn page(links: usize) -> String {
    let link = format!("https://www.sudokuwiki.org/sudoku.htm?bd={}\n", String::from_utf8_lossy(&many()[..162]));
    link.repeat(links)
}

fn signal(child: &Child, signal: &str) {
    let done = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
    assert!(done.expect("kill").success());
}

#[test]
#[ignore = "depends on the time that others leave it, so .ci/run runs it alone"]
fn what_somebody_saved_while_relink_wrote_was_lost() {
    let folder = Folder::new();
    let (text, saved) = (page(100_000), page(100_000).replace("https", "http"));
    let new = text.len() / 203 * (v2(&String::from_utf8_lossy(&many()[..162])).len() + 41);
    // The run must be stopped in the middle of its second pass, for which a busy machine may need several attempts.
    for attempt in 0.. {
        assert!(attempt < 50, "the second pass is always missed");
        folder.write("page", &text);
        folder.write("other", &saved);
        let mut command = gridmill(["relink", "-q", "--write", "page"]);
        command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let written = || temporaries(child.id(), &folder).into_iter().max().unwrap_or(0);
        let ended = || fs::read_to_string(format!("/proc/{}/stat", child.id())).is_ok_and(|stat| stat.contains(") Z "));
        until(|| written() > 0 || ended());
        signal(&child, "-STOP");
        let before = written();
        if before == 0 || before > new as u64 / 2 {
            signal(&child, "-CONT");
            child.wait().expect("waiting");
            continue;
        }
        fs::rename(folder.at("other"), folder.at("page")).expect("renaming");
        signal(&child, "-CONT");
        let done = finish(child);
        assert_eq!(done.code, Some(1), "{done:?}");
        assert!(done.stderr.contains("page: was changed while it was being read"), "{}", done.stderr);
        assert!(folder.text("page") == saved);
        assert_eq!(folder.names(), ["page"]);
        break;
    }
}

#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn no_output_was_in_place_when_memory_ended_after_the_first() {
    let folder = Folder::new();
    let (small, large) = (page(1), page(9_000));
    let (mut some, mut none) = (0, 0);
    for limit in (500..20_000).step_by(500) {
        folder.write("a", &small);
        folder.write("b", &large);
        let done = run(shell(&format!("ulimit -d {limit}; $G relink -q --write a b")).current_dir(folder.path()), b"");
        if done.code != Some(2) || !done.stderr.contains("out of memory: the system") {
            continue;
        }
        let in_place = folder.text("a") != small;
        some += usize::from(in_place);
        none += usize::from(!in_place);
        assert_eq!(done.stderr.contains("some outputs are already in place"), in_place, "{limit}: {}", done.stderr);
        assert_eq!(done.stderr.contains("no output file was put in place"), !in_place, "{limit}: {}", done.stderr);
        assert!(folder.text("b") == large);
        if some == 2 {
            break;
        }
    }
    assert!(some > 0, "{none}");
}
