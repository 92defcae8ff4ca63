//! XML with many bad strings, in several pieces, and without a string.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::support::{Folder, PLAIN, finish, gridmill, run};

/// Reading stops after some thousand refusals, between the tags of elements.
#[test]
fn many_bad_strings_are_counted_once() {
    let folder = Folder::new();
    let pair = format!("<g data=\"{PLAIN}\"/><g data=\"bad\"/><data>bad</data>");
    for (element, count, bad, good) in [
        ("<g data=\"bad\"/>", 3201, 1, 0),
        ("<data>bad</data >\n", 3201, 1, 0),
        ("<g data='1' data='2'/>", 5000, 1, 0),
        (&pair, 9000, 2, 1),
    ] {
        let text = format!("<r>{}</r>", element.repeat(count));
        folder.write("in", &text);
        let args = ["convert", "--framing", "xml", "--column", "data", "--rejects", "rejects", "--force", "in"];
        let done = run(gridmill(args).current_dir(folder.path()), b"");
        assert_eq!(done.code, Some(1), "{element}: {}", done.stderr);
        assert_eq!(folder.text("rejects").lines().count(), 1 + bad * count, "{element}");
        let expected = text.matches(PLAIN).count();
        assert_eq!((expected, done.text().matches("S9B").count()), (good * count, expected), "{element}");
        assert_eq!(done.text().matches("bad").count(), text.matches("bad").count(), "{element}");
    }
}

/// The lines of the refused records.
fn lines(rejects: &str) -> Vec<u64> {
    let line = |row: &str| row.split('\t').nth(1).and_then(|line| line.parse().ok());
    rejects.lines().skip(1).map(|row| line(row).expect("a line")).collect()
}

#[test]
fn refused_strings_have_their_lines() {
    let folder = Folder::new();
    for (between, last) in [("\n", 60_002), ("", 2), ("\n\n", 120_002)] {
        let mut text = "<r>\n".to_string();
        for number in 0..60_000 {
            write!(text, "<o number=\"{number}\" text=\"a row that is about seventy characters long\"/>{between}")
                .unwrap();
        }
        folder.write("in", text + "<g data=\"bad\"/></r>");
        for jobs in ["1", "2"] {
            let args = ["convert", "-q", "-j", jobs, "--framing", "xml", "--column", "data", "--rejects", "rejects"];
            let args = args.into_iter().chain(["--force", "in", "-o", "out"]);
            let done = run(gridmill(args).current_dir(folder.path()), b"");
            assert_eq!((done.code, lines(&folder.text("rejects"))), (Some(1), vec![last]), "{}", done.stderr);
        }
    }
}

/// Text that arrives slowly is cut where elements end, and not where lines do.
#[test]
fn text_that_arrives_without_line_ends_has_its_lines() {
    let args = ["convert", "-q", "--framing", "xml", "--column", "data", "--rejects", "/dev/stderr", "-o", "/dev/null"];
    let mut command = gridmill(args);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    for part in ["<r><g data=\"bad\"/>", "<g data=\"bad\"/>", "\n<g data=\"bad\"/><o/>", "<g data=\"bad\"/>\n", "</r>"]
    {
        input.write_all(part.as_bytes()).expect("the program reads");
        sleep(Duration::from_millis(300));
    }
    drop(input);
    let done = finish(child);
    let rows: Vec<_> = done.stderr.lines().filter(|row| row.contains("\tbad")).collect();
    assert_eq!(lines(&format!("\n{}", rows.join("\n"))), [1, 1, 2, 2], "{}", done.stderr);
}

/// A byte order mark belongs to a file of another program, of which nothing but its puzzles is written.
#[test]
fn a_mark_before_a_file_of_another_program_is_not_written() {
    let file = format!("\u{feff}<opensudoku><game data=\"{PLAIN}\"/></opensudoku>\n");
    let done = run(&mut gridmill(["convert", "-q", "--framing", "file", "--to", "plain"]), file.as_bytes());
    assert_eq!(done.text(), format!("{PLAIN}\n"));
}
