//! Files with columns, as far as programs without the feature `parquet` know them. crates/python/tests converts them.

use crate::support::{Folder, PLAIN, gridmill, run};
#[cfg(feature = "parquet")]
use crate::support::{have, shell};

/// They begin and end like such files, which is all that is inspected here.
const PARQUET: &[u8] = b"PAR1\x15\x04\x15\xf0\x15\xf0L\x15\n rest PAR1";
const ARROW: &[u8] = b"ARROW1\0\0\xff\xff\xff\xff rest ARROW1";
const STREAM: &[u8] = b"\xff\xff\xff\xff\x10\x01\0\0 rest";

/// `lines` was overridden without a word, and with the others the rows were read as text.
#[test]
fn a_framing_that_was_typed_is_not_overridden() {
    let folder = Folder::new();
    for (name, bytes, files, framing) in [
        ("a.parquet", PARQUET, "Parquet files", "parquet"),
        ("a.arrow", ARROW, "Arrow files", "arrow"),
        ("a.arrows", STREAM, "Arrow files", "arrow"),
    ] {
        folder.write(name, bytes);
        for typed in ["lines", "csv", "jsonl", "words", "grid"] {
            let args = ["convert", "--framing", typed, "-o", "out", name];
            let (reads, advice) = (format!("{name}: --framing {typed} reads "), format!("use --framing {framing}"));
            run(gridmill(args).current_dir(folder.path()), b"").failed(&[&reads, files, &advice]);
        }
        for command in ["validate", "solve", "canon", "dedupe"] {
            let args = [command, "--framing", "lines", "-o", "out", name];
            run(gridmill(args).current_dir(folder.path()), b"").failed(&["--framing lines reads lines", files]);
        }
        assert!(!folder.at("out").exists());
    }
    let args = ["convert", "--framing", "arrow", "--column", "a", "a.parquet"];
    run(gridmill(args).current_dir(folder.path()), b"")
        .failed(&["--framing arrow reads Arrow files", "use --framing parquet"]);
    // A text may begin so. What is typed decides.
    folder.write("text", format!("PAR1\n{PLAIN}\n"));
    let done = run(gridmill(["convert", "--framing", "lines", "text"]).current_dir(folder.path()), b"");
    assert_eq!((done.code, done.text().lines().count()), (Some(1), 1), "{}", done.stderr);
    let done = run(gridmill(["convert", "text"]).current_dir(folder.path()), b"");
    assert!(done.code == Some(2) && done.stderr.contains("text: read with --framing parquet"), "{}", done.stderr);
}

/// Its bytes were converted as lines, and refused one by one.
#[test]
fn columns_on_stdin_are_no_text() {
    for args in
        [&["convert"][..], &["convert", "--framing", "lines"], &["validate", "--framing", "csv", "--column", "1"]]
    {
        run(&mut gridmill(args), PARQUET).failed(&["<stdin>: is a Parquet file", "save it to a file"]);
        run(&mut gridmill(args), ARROW).failed(&["<stdin>: is an Arrow file", "use --framing arrow"]);
        run(&mut gridmill(args), STREAM).failed(&["<stdin>: is an Arrow file", "use --framing arrow"]);
    }
    #[cfg(feature = "parquet")]
    for framing in ["parquet", "auto"] {
        let args = ["convert", "--framing", framing, "--column", "a"];
        run(&mut gridmill(args), PARQUET).failed(&["cannot be read from stdin", "save it to a file"]);
    }
    let done = run(&mut gridmill(["convert"]), format!("PAR1\n{PLAIN}\n").as_bytes());
    assert_eq!((done.code, done.text().lines().count()), (Some(1), 1), "{}", done.stderr);
}

/// `dedupe` took a file whose status the system did not tell for stdin.
#[cfg(feature = "parquet")]
#[test]
fn files_whose_status_cannot_be_read_are_named() {
    if !have("strace", "--version") {
        return;
    }
    let folder = Folder::new();
    folder.write("a.parquet", PARQUET);
    let traced = |options: &str| {
        let script = format!(
            "strace -f -qq -o log -P a.parquet -e trace=statx,newfstatat {options} \
             $G dedupe --framing parquet --column a a.parquet -o out.parquet"
        );
        run(shell(&script).current_dir(folder.path()), b"")
    };
    traced("").failed(&["gridmill: a.parquet: "]);
    let calls = folder.text("log").lines().count();
    assert!(calls >= 2, "{}", folder.text("log"));
    for call in 1..=calls {
        traced(&format!("-e inject=statx,newfstatat:error=EIO:when={call}+")).failed(&["gridmill: a.parquet: "]);
    }
}
