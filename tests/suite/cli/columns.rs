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

/// It was said that `--column` is only for other files, or nothing.
#[test]
fn what_is_no_file_with_columns_is_named() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.at("boards/more")).expect("a folder");
    std::fs::create_dir_all(folder.at("lake/_delta_log")).expect("a folder");
    folder.write("boards/_SUCCESS", b"");
    folder.write("boards/part-0.parquet", PARQUET);
    folder.write("boards/part-1.parquet", PARQUET);
    folder.write("boards/.part-0.parquet.crc", b"crc\0\0\0\x02\0\x01\x02\x03\x04");
    folder.write("page.parquet", "<!DOCTYPE html>\n<p>404 not found\n");
    folder.write("empty.parquet", b"");
    folder.write("old.feather", b"FEA1\0\0\0\0");
    folder.write("text.parquet", format!("{PLAIN}\n"));
    for more in [&[][..], &["--column", "board"], &["--framing", "auto"], &["--framing", "auto", "--column", "board"]] {
        for (input, words) in [
            ("boards", "boards is a folder; name the files in it: boards/*.parquet"),
            ("lake", "lake is a table of Delta Lake"),
            ("boards/more/", "boards/more/ is a folder; name the files in it"),
            (
                "boards/.part-0.parquet.crc",
                "holds only checksums, which Hadoop writes beside its files; name boards/part-0.parquet",
            ),
            (
                "page.parquet",
                "page.parquet is not a Parquet file, although its name says so: it begins with '<!DOCTYP'",
            ),
            ("empty.parquet", "empty.parquet is not a Parquet file, although its name says so: it is empty"),
            (
                "old.feather",
                "old.feather is not an Arrow file, although its name says so: it is a Feather file of version 1",
            ),
        ] {
            let done = run(gridmill(["convert", input]).args(more).current_dir(folder.path()), b"");
            done.failed(&[words]);
        }
    }
    folder.write("a.txt", format!("{PLAIN}\n"));
    let done = run(gridmill(["dedupe", "--against", "boards", "a.txt"]).current_dir(folder.path()), b"");
    done.failed(&["boards is a folder; name the files in it: boards/*.parquet"]);
    // As the message says.
    let done = run(gridmill(["convert", "--framing", "lines", "text.parquet"]).current_dir(folder.path()), b"");
    assert_eq!((done.code, done.text().lines().count()), (Some(0), 1), "{}", done.stderr);
    #[cfg(feature = "parquet")]
    for (input, bytes, words) in [
        ("page.parquet", &b"<!DOCTYPE html>"[..], "page.parquet: is not a Parquet file: it begins with '<!DOCTYP'"),
        ("empty.parquet", b"", "empty.parquet: is empty"),
        ("cut.parquet", &PARQUET[..9], "cut.parquet: is cut off: it begins like a Parquet file"),
    ] {
        folder.write(input, bytes);
        let args = ["convert", "--framing", "parquet", "--column", "board", input];
        run(gridmill(args).current_dir(folder.path()), b"").failed(&[words]);
    }
    for (stdin, words) in [
        (PARQUET, "stdin is one of those Parquet files that are read from their end; save it to a file"),
        (ARROW, "stdin is one of those Arrow files that are read from their end; save it to a file"),
        (STREAM, "stdin is an Arrow stream; use --framing arrow"),
        (b"board\n", "--column is only for tables"),
    ] {
        let folder = Folder::new();
        for more in [&[][..], &["-o", "new.parquet"]] {
            let args = ["convert", "--column", "board"];
            run(gridmill(args).args(more).current_dir(folder.path()), stdin).failed(&[words]);
        }
    }
    for stdin in [PARQUET, ARROW] {
        run(&mut gridmill(["convert", "-o", "new.parquet"]), stdin).failed(&["that are read from their end"]);
    }
}

/// Text had the name of a Parquet file, and a Parquet file that of a table.
#[test]
fn an_output_has_no_name_of_something_else() {
    let folder = Folder::new();
    folder.write("a.parquet", PARQUET);
    folder.write("a.arrow", ARROW);
    folder.write("a.txt", format!("{PLAIN}\n"));
    folder.write("a.csv", format!("bd\n{PLAIN}\n"));
    folder.write("a.jsonl", format!("{{\"bd\":\"{PLAIN}\"}}\n"));
    let table = ["--framing", "csv", "--column", "bd"];
    let json = ["--framing", "jsonl", "--field", "/bd"];
    let refused = |command: &[&str], output: &str, form: &str| {
        let words = format!("-o {output}: the output would be {form}, which its name denies");
        run(gridmill(command).args(["-o", output]).current_dir(folder.path()), b"").failed(&[&words]);
        assert!(!folder.at(output).exists());
    };
    for command in ["convert", "validate", "solve", "canon", "dedupe"] {
        for output in ["x.csv", "x.tsv", "x.txt", "x.json", "x.jsonl", "x.arrow", "x.CSV"] {
            refused(&[command, "--column", "bd", "a.parquet"], output, "a Parquet file");
        }
        refused(&[command, "--column", "bd", "a.arrow"], "x.parquet", "an Arrow file");
        refused(&[command, "a.txt"], "x.parquet", "text");
        refused(&[&[command], &table[..], &["a.csv"]].concat(), "x.pq", "text");
        refused(&[&[command], &json[..], &["a.jsonl"]].concat(), "x.csv", "lines of JSON, like the input");
        refused(&[&[command], &json[..], &["a.jsonl"]].concat(), "x.csv.zst", "lines of JSON, like the input");
    }
    refused(&["gen", "--count", "1"], "x.feather", "text");
    for (command, output) in [
        (&["convert", "a.txt"][..], "y.csv"),
        (&["convert", "--framing", "jsonl", "--field", "/bd", "a.jsonl"], "y.json"),
    ] {
        let done = run(gridmill(command).args(["-o", output]).current_dir(folder.path()), b"");
        assert_eq!(done.code, Some(0), "{}", done.stderr);
    }
}
