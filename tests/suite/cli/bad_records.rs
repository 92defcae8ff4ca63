use std::fs;

use gridmill::formats::Format;

use crate::support::{Done, Folder, HEADER, PLAIN, archive, convert, gzip, recode, v2};

/// The bytes of an escaped text.
pub(super) fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match bytes.next().expect("something escaped") {
            b'\\' => out.push(b'\\'),
            b't' => out.push(b'\t'),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b'x' => {
                let digits = [bytes.next().expect("a digit"), bytes.next().expect("a digit")];
                let digits = std::str::from_utf8(&digits).expect("ASCII");
                out.push(u8::from_str_radix(digits, 16).expect("two hexadecimal digits"));
            }
            other => panic!("unknown escape {other}"),
        }
    }
    out
}

/// The rows of a reject file: line, byte, code and record.
#[track_caller]
fn rows(text: &str) -> Vec<(usize, usize, String, Vec<u8>)> {
    let rows = text.strip_prefix(HEADER).expect("the header");
    assert!(!rows.contains(|c: char| c.is_control() && c != '\t' && c != '\n'));
    let row = |row: &str| {
        let fields: Vec<_> = row.split('\t').collect();
        assert_eq!(fields.len(), 7, "{row}");
        assert!(!fields[5].is_empty());
        let number = |n: usize| fields[n].parse::<usize>().expect("a number");
        (number(1), number(2), fields[4].to_string(), unescape(fields[6]))
    };
    rows.lines().map(row).collect()
}

/// Good lines mixed with bad ones. Every byte value occurs in a bad line.
fn some_bad() -> Vec<u8> {
    let mut text = Vec::new();
    for byte in 0..=255u8 {
        if byte != b'\n' {
            text.extend_from_slice(b"?? ");
            text.push(byte);
            text.extend_from_slice(b" \\x41 \\ \xe2\x80\xae\xef\xbf\xbd\xff line\n");
        }
        if byte % 3 == 0 {
            text.extend_from_slice(PLAIN.as_bytes());
            text.extend_from_slice(if byte % 2 == 0 { b"\n" } else { b"\r\n" });
        }
    }
    text
}

#[test]
fn good_lines_and_rejects_together_hold_every_record() {
    let text = some_bad();
    let lines: Vec<&[u8]> = text.split_inclusive(|&b| b == b'\n').collect();
    for packed in [text.clone(), gzip(&text), archive(&text, 700)] {
        let done = convert([""; 0], &packed);
        assert_eq!(done.code, Some(1));
        let rows = rows(&done.stderr);
        assert_eq!(rows.len(), 255);
        for (line, byte, code, record) in &rows {
            let content = lines[line - 1].strip_suffix(b"\n").expect("a line");
            assert_eq!((code.as_str(), record.as_slice()), ("length", content));
            assert!(text[*byte..].starts_with(record), "line {line} is not at byte {byte}");
            assert_eq!(*byte, lines[..line - 1].iter().map(|line| line.len()).sum::<usize>());
        }
        let mut good = done.stdout.split_inclusive(|&b| b == b'\n');
        for (n, line) in lines.iter().enumerate() {
            if !rows.iter().any(|row| row.0 == n + 1) {
                let old = String::from_utf8(line.to_vec()).expect("a good line");
                assert_eq!(good.next(), Some(old.replace(PLAIN, &v2(PLAIN)).as_bytes()));
            }
        }
        assert_eq!(good.next(), None);
    }
}

#[test]
fn bad_records_are_left_out_kept_or_end_the_run() {
    let folder = Folder::new();
    let (p, v) = (PLAIN, v2(PLAIN));
    let text = format!("# a\n{p}\nbad 1\r\n\n{p}\nbad 2\n{p}\nbad 3");
    let input = folder.write("in", &text);
    let convert_bad = |bad: &str, out: &str| -> Done {
        convert([input.as_os_str(), "--bad".as_ref(), bad.as_ref(), "-o".as_ref(), folder.at(out).as_os_str()], b"")
    };
    assert_eq!(convert_bad("reject", "reject").code, Some(1));
    assert_eq!(folder.text("reject"), format!("# a\n{v}\n\n{v}\n{v}\n"));
    assert_eq!(convert_bad("keep", "keep").code, Some(1));
    assert_eq!(folder.text("keep"), format!("# a\n{v}\nbad 1\r\n\n{v}\nbad 2\n{v}\nbad 3"));
    assert_eq!(folder.text("reject.rejects.tsv"), folder.text("keep.rejects.tsv"));
    let places: Vec<_> = rows(&folder.text("keep.rejects.tsv")).iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(places, [(3, 86), (6, 176), (8, 264)]);
    let stopped = convert_bad("stop", "stop");
    assert_eq!(stopped.code, Some(1));
    assert!(stopped.stderr.contains("line 3") && stopped.stderr.contains("--bad stop"), "{}", stopped.stderr);
    assert_eq!(rows(&folder.text("stop.rejects.tsv")).len(), 1);
    assert_eq!(folder.names(), ["in", "keep", "keep.rejects.tsv", "reject", "reject.rejects.tsv", "stop.rejects.tsv"]);
    // Output that was written to stdout stays.
    let done = convert(["--bad", "stop"], text.as_bytes());
    assert_eq!((done.code, done.text()), (Some(1), format!("# a\n{v}\n").as_str()));
    // A run that stops does not replace an existing file.
    folder.write("stop", "old");
    let out = folder.at("stop");
    let done = convert([input.as_os_str(), "--bad=stop".as_ref(), "-fo".as_ref(), out.as_os_str()], b"");
    assert_eq!((done.code, folder.text("stop").as_str()), (Some(1), "old"));
}

#[test]
fn a_stop_is_at_the_first_bad_record_whatever_the_threads() {
    let good = format!("{PLAIN}\n").repeat(30_000);
    let text = format!("{good}bad\n{good}worse\n");
    for threads in ["-j1", "-j2", "-j4"] {
        let done = convert([threads, "--bad=stop"], text.as_bytes());
        assert_eq!(done.code, Some(1));
        assert_eq!(done.stdout.len(), 30_000 * 166);
        let (row, message) = done.stderr.split_once("gridmill:").expect("a message");
        assert_eq!(rows(row).len(), 1);
        assert!(message.contains("line 30001"));
    }
}

#[test]
fn files_of_nothing_but_bad_records() {
    let folder = Folder::new();
    let input = folder.write("in", "bad\n".repeat(1000));
    let out = folder.at("out");
    let done = convert([input.as_os_str(), "-o".as_ref(), out.as_os_str()], b"");
    assert_eq!((done.code, folder.text("out").as_str()), (Some(1), ""));
    assert_eq!(rows(&folder.text("out.rejects.tsv")).len(), 1000);
    let done = convert([input.as_os_str(), "-fo".as_ref(), out.as_os_str(), "--bad=keep".as_ref()], b"");
    assert_eq!((done.code, folder.text("out")), (Some(1), "bad\n".repeat(1000)));
    let done = convert(["--bad=stop"], b"bad\nbad\n");
    assert_eq!((done.code, done.stdout.len()), (Some(1), 0));
    let done = convert(["--zstd"], b"bad\n");
    assert_eq!((done.code, zstd::decode_all(&done.stdout[..]).expect("an archive").len()), (Some(1), 0));
}

#[test]
fn rejects_go_where_they_are_sent() {
    let folder = Folder::new();
    let input = folder.write("in", format!("{PLAIN}\nbad\n"));
    let (out, rejects) = (folder.at("out"), folder.at("r.tsv"));
    let input = input.to_str().expect("UTF-8");
    let (out, rejects) = (out.to_str().expect("UTF-8"), rejects.to_str().expect("UTF-8"));
    // To stderr, even with -q.
    let done = convert([input], b"");
    assert_eq!((done.code, rows(&done.stderr).len()), (Some(1), 1));
    assert!(done.stderr.contains(input));
    // To a file: nothing on stderr.
    let done = convert([input, "--rejects", rejects], b"");
    assert_eq!((done.code, done.stderr.as_str(), rows(&folder.text("r.tsv")).len()), (Some(1), "", 1));
    // An existing file needs -f, which is checked before anything else is done.
    convert([input, "--rejects", rejects, "-o", out], b"").failed(&["r.tsv", "-f/--force"]);
    assert!(!fs::exists(out).expect("a folder"));
    let done = convert([input, "--rejects", rejects, "-o", out, "-f"], b"");
    assert_eq!((done.code, folder.text("out")), (Some(1), format!("{}\n", v2(PLAIN))));
    // Without rejects there is no file, and an existing one stays.
    fs::remove_file(out).expect("removing");
    let old = folder.text("r.tsv");
    let good = folder.write("good", format!("{PLAIN}\n"));
    convert([good.to_str().expect("UTF-8"), "--rejects", rejects, "-o", out, "-f"], b"").good();
    assert_eq!((folder.text("r.tsv"), folder.names().len()), (old, 4));
    // To a device.
    let done = convert([input, "--rejects", "/dev/null"], b"");
    assert_eq!((done.code, done.stderr.as_str()), (Some(1), ""));
    convert([input, "--rejects", "/dev/full", "-fo", out], b"").failed(&["/dev/full", "No space left"]);
}

#[test]
fn names_and_records_cannot_speak_to_the_terminal() {
    let folder = Folder::new();
    let name = "evil\u{1b}]52;c;x\u{7}\n\u{9b}2J\u{202e}";
    let input = folder.write(name, "\u{1b}[2J\u{7}\u{9b}31mboo\n");
    let quiet = |text: &str| !text.contains(|c: char| c.is_control() && c != '\t' && c != '\n' || c == '\u{202e}');
    let done = convert([&input], b"");
    assert!(done.code == Some(1) && quiet(&done.stderr), "{:?}", done.stderr);
    assert!(done.stderr.contains("evil\\x1b]52;c;x\\x07\\n\\xc2\\x9b2J\\xe2\\x80\\xae"));
    assert!(done.stderr.contains("\\x1b[2J\\x07\\xc2\\x9b31mboo"));
    let done = convert([folder.at("no\u{1b}such")], b"");
    assert!(done.code == Some(2) && quiet(&done.stderr) && done.stderr.contains("no\\x1bsuch"));
    let done = convert([input.as_os_str(), "-o".as_ref(), input.as_os_str(), "-f".as_ref()], b"");
    assert!(done.code == Some(2) && quiet(&done.stderr) && done.stderr.contains("also an input"));
    let done = convert([input.as_os_str(), "--bad=stop".as_ref()], b"");
    assert!(done.code == Some(1) && quiet(&done.stderr));
}

#[test]
fn losses_are_rejects_too() {
    let lossy = recode(PLAIN, Format::V2).replacen("00", "0j", 1); // candidates of one digit
    let done = convert(["--to", "v1"], format!("{lossy}\n").as_bytes());
    let rows = rows(&done.stderr);
    assert_eq!((done.code, rows.len(), rows[0].2.as_str()), (Some(1), 1, "lossy"));
    assert!(done.stderr.contains("single-candidate") && done.stderr.contains("--lossy"));
}
