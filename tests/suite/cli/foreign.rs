//! Files that are not read are called by their names, and so are outputs whose names say something else than is written.
//! What messages advise works.

use std::fs;

use crate::support::{Folder, PLAIN, convert, gridmill, gzip, have, recode, run, shell, v2};

/// The start of a tar archive: a header of 512 bytes, and the lines.
fn tar(text: &[u8]) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..9].copy_from_slice(b"lines.txt");
    header[124..136].copy_from_slice(format!("{:011o} ", text.len()).as_bytes());
    header[257..263].copy_from_slice(b"ustar\0");
    [header, text.to_vec(), vec![0; 1024]].concat()
}

fn lines() -> Vec<u8> {
    format!("{PLAIN}\n").repeat(30).into_bytes()
}

/// The frame of another program that needs a dictionary: one raw block.
fn with_dictionary(text: &[u8]) -> Vec<u8> {
    let block = (text.len() as u32) << 3 | 1;
    let size = (text.len() as u16 - 256).to_le_bytes();
    [&[0x28, 0xb5, 0x2f, 0xfd, 0x63][..], &123_456_u32.to_le_bytes(), &size, &block.to_le_bytes()[..3], text].concat()
}

#[test]
fn files_that_are_not_read_are_called_by_their_names() {
    let folder = Folder::new();
    let lines = lines();
    let after = |magic: &[u8]| [magic, &lines[..]].concat();
    let office =
        [b"PK\x03\x04\x14\0\0\0\x08\0aaaabbbbccccdddd\x13\0\0\0".as_slice(), b"[Content_Types].xml", &lines].concat();
    for (bytes, words) in [
        (after(b"\xfd7zXZ\0\0\x04"), &["xz", "xz -dc"][..]),
        (after(b"BZh91AY&SY\x01\x02"), &["bzip2", "bzip2 -dc"]),
        (b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0".to_vec(), &["bzip2"]),
        (after(b"\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0"), &["lzma", "xz -dc"]),
        (after(b"\x04\x22\x4d\x18\x60\x40\x82"), &["lz4"]),
        (after(b"7z\xbc\xaf\x27\x1c\0\x04\0\0\0\0"), &["7-Zip"]),
        (after(b"Rar!\x1a\x07\0"), &["RAR"]),
        (after(b"PK\x03\x04\x14\0\0\0\x08\0"), &["zip", "unzip"]),
        (office, &["spreadsheet", "CSV"]),
        (tar(&lines), &["tar -xf"]),
        (after(b"SQLite format 3\0\x10\0\x01\x01\0\r\r"), &["SQLite", "migrate sqlite"]),
        (after(b"\x7fELF\x02\x01\x01\0"), &["ELF"]),
        (after(b"%PDF-1.7\r\r"), &["PDF", "pdftotext"]),
        (after(b"\x37\xa4\x30\xec"), &["dictionary of zstd"]),
        (after(b"\x89PNG\r\n\x1a\n"), &["picture"]),
        (gzip(&tar(&lines)), &["compressed", "tar -xf"]),
        (gzip(&after(b"\xfd7zXZ\0\0\x04")), &["compressed", "xz"]),
        (gzip(&gzip(&lines)), &["compressed twice", "gzip -dc"]),
        (crate::support::foreign(&gzip(&lines)), &["compressed twice"]),
        (with_dictionary(&lines), &["dictionary", "zstd -dc -D"]),
    ] {
        let path = folder.write("in", &bytes);
        for flags in [&[][..], &["--framing", "auto"], &["--framing", "csv", "--column", "bd"]] {
            for (input, stdin) in [(vec![path.as_os_str()], &b""[..]), (vec![], &bytes)] {
                let done = run(gridmill(["convert"]).args(flags).args(&input), stdin);
                assert!(done.stdout.is_empty(), "{words:?} {flags:?}");
                for wrong in ["UTF-", "carriage", "damaged"] {
                    assert!(!done.stderr.contains(wrong), "{}", done.stderr);
                }
                let of_stdin = ["--framing", "auto"] == flags && input.is_empty();
                // Archives that are read are not inspected on stdin.
                let words = if of_stdin && done.stderr.contains("cannot inspect it") { &[][..] } else { words };
                done.failed(words);
            }
        }
    }
}

#[test]
fn what_is_advised_for_archives_works() {
    let folder = Folder::new();
    let text = lines();
    let expected = format!("{}\n", v2(PLAIN)).repeat(30);
    for (name, bytes, words) in [
        ("twice", gzip(&gzip(&text)), "'gzip -dc FILE | gridmill ...'"),
        ("line-end", [gzip(&text), b"\n".to_vec()].concat(), "'gzip -dc FILE | gridmill ...'"),
    ] {
        let path = folder.write(name, bytes);
        convert([&path], b"").failed(&[words]);
        if have("gzip", "--version") {
            let script = format!("gzip -dc {name} 2> /dev/null | $G convert -q");
            assert_eq!(run(shell(&script).current_dir(folder.path()), b"").good(), expected.as_bytes(), "{name}");
        }
    }
    let page = format!(
        "<a href='https://www.sudokuwiki.org/sudoku.htm?bd={}'>x</a>\n",
        recode(PLAIN, gridmill::formats::Format::V1)
    );
    folder.write("dump.sql.gz", gzip(page.as_bytes()));
    for write in ["", "--write"] {
        let done = run(shell(&format!("$G relink {write} dump.sql.gz")).current_dir(folder.path()), b"");
        assert_eq!(done.code, Some(1), "{}", done.stderr);
        assert!(done.stderr.contains("dump.sql.gz: is compressed") && done.stderr.contains("gridmill relink < FILE"));
    }
    let done = run(shell("$G relink -q < dump.sql.gz").current_dir(folder.path()), b"");
    assert!(done.text().contains("bd=S9B"), "{done:?}");
    // In a folder, such files are only counted.
    let done = run(shell("$G relink .").current_dir(folder.path()), b"");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("3 binary files skipped"), "{}", done.stderr);
}

#[test]
fn pipes_are_shown_like_files() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\n"));
    let done = run(shell("$G show --ascii <(cat in)").current_dir(folder.path()), b"").good();
    assert!(String::from_utf8_lossy(&done).contains("sudoku 9x9"));
    for command in ["show", "convert", "validate", "relink --rejects ."] {
        let done = run(shell(&format!("$G {command} .")).current_dir(folder.path()), b"");
        done.failed(&[" is a folder"]);
    }
}

#[test]
fn the_output_is_blamed_for_its_own_place() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\n"));
    for (name, words) in [
        ("in/out", "in/out: "),
        ("none/out", "none/out: the folder none does not exist"),
        (&"n".repeat(300), ": cannot examine: File name too long"),
        (&"n".repeat(250), ": its name is so long that no list of rejects can be beside it; name one with --rejects"),
    ] {
        let done = run(gridmill(["convert", "-q", "in", "-o", name]).current_dir(folder.path()), b"");
        assert!(!done.stderr.contains(".rejects.tsv"), "{}", done.stderr);
        done.failed(&[words]);
    }
    let long = "n".repeat(255);
    run(gridmill(["convert", "-q", "in", "--rejects", "bad", "-o", &long]).current_dir(folder.path()), b"").good();
    assert_eq!(folder.names(), ["in", &long]);
}

#[test]
fn outputs_whose_names_say_something_else_are_refused() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\n"));
    folder.write("in.csv", format!("id,bd\n1,{PLAIN}\n"));
    folder.write("in.jsonl", format!("{{\"bd\":\"{PLAIN}\"}}\n"));
    let (lines, csv, json) = (
        "convert -q in",
        "convert -q --framing csv --column bd in.csv",
        "convert -q --framing jsonl --field /bd in.jsonl",
    );
    let validate = "validate -q --framing csv --column bd in.csv";
    for (command, name, words) in [
        (lines, "x.gz", "would not be compressed with gzip"),
        (lines, "x.txt.XZ", "would not be compressed with xz"),
        (csv, "x.csv.bz2", "bzip2"),
        (lines, "x.zip", "an archive"),
        (lines, "x.parquet", "would be text"),
        (json, "x.arrow", "would be text"),
        (csv, "x.xlsx", "a document"),
        (lines, "x.npy", "--to-numpy"),
        (csv, "x.json", "a table"),
        (lines, "x.jsonl", "one string on each line"),
        (lines, "x.json.zst", "one string on each line"),
        (json, "x.csv", "lines of JSON"),
        ("gen -q --count 1", "x.json", "one string on each line"),
        ("gen -q --count 1", "x.gz", "gzip"),
        (validate, "x.parquet", "would be text"),
        ("solve -q in", "x.gz", "gzip"),
        ("canon -q in", "x.gz", "gzip"),
        ("dedupe -q in", "x.gz", "gzip"),
    ] {
        let script = format!("$G {command} -o {name}");
        run(shell(&script).current_dir(folder.path()), b"").failed(&[&format!("-o {name}: the output would"), words]);
    }
    assert_eq!(folder.names(), ["in", "in.csv", "in.jsonl"]);
    for (command, name) in [
        (lines, "a.csv"),
        (lines, "a.tsv"),
        (lines, "a.zst"),
        (csv, "a.txt"),
        (csv, "b.csv"),
        ("convert -q --framing csv --column bd --delimiter ';' in", "c.csv"),
        (json, "a.json"),
        (json, "a.jsonl.zst"),
        ("gen -q --count 1", "d.csv"),
    ] {
        if !command.contains("';'") {
            run(shell(&format!("$G {command} -o {name}")).current_dir(folder.path()), b"").good();
        }
    }
    // The program on the other side of a pipe may make it what its name says.
    folder.fifo("pipe.gz");
    run(shell("cat pipe.gz > read & $G convert -q in -o pipe.gz; wait").current_dir(folder.path()), b"").good();
    assert_eq!(folder.text("read"), format!("{}\n", v2(PLAIN)));
}

#[test]
fn a_mounted_file_is_not_replaced() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\n"));
    folder.write("out", "old");
    folder.write(
        "page",
        format!("<a href='https://www.sudokuwiki.org/sudoku.htm?bd={}'>", recode(PLAIN, gridmill::formats::Format::V1)),
    );
    let mounted = |command: &str| {
        let mount = "mount --bind out out && mount --bind page page || exit 77";
        let script = format!("unshare -m bash -c '{mount}; $G {command}' || exit $?");
        run(shell(&script).current_dir(folder.path()), b"")
    };
    let done = mounted("convert -q -f in -o out");
    if done.code == Some(77) || done.stderr.contains("unshare") {
        eprintln!("skipped: nothing can be mounted here");
        return;
    }
    done.failed(&["out: cannot be replaced, because it is mounted", "mount its folder", "cat NEW > FILE"]);
    let done = mounted("relink -q --write page");
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    assert!(done.stderr.contains("page: cannot be replaced, because it is mounted"), "{}", done.stderr);
    let done = mounted("convert -q in -o new && cat new > out");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(fs::read(folder.at("out")).expect("reading"), format!("{}\n", v2(PLAIN)).as_bytes());
}
