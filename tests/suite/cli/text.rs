use std::io::{self, Read};
use std::sync::{Arc, Mutex};

use gridmill::engine::{Convert, RejectsTo};
use gridmill::output::Target;
use gridmill::source::Input;

use crate::support::{Folder, HEADER, PLAIN, convert, row, v2};

const NO_FORMAT: &str = "characters: no format has strings of this length (81 plain, 162 v1, 165 v2 S9B, and others; 'gridmill \
                         formats' lists them)";
const TOO_LONG: &str = "longer than 65536 bytes: not a puzzle string";

#[test]
fn line_ends_comments_and_blank_lines_are_kept() {
    let (p, v) = (PLAIN, v2(PLAIN));
    for (text, expected) in [
        (format!("{p}\n"), format!("{v}\n")),
        (p.to_string(), v.clone()),
        (format!("{p}\r\n{p}\r\n"), format!("{v}\r\n{v}\r\n")),
        (format!("{p}\r\n{p}"), format!("{v}\r\n{v}")),
        (format!("{p}\n{p}\r\n{p}\n\r\n"), format!("{v}\n{v}\r\n{v}\n\r\n")),
        (format!("# a\n\n#\n##b\n#\tc\r\n{p}\n# end"), format!("# a\n\n#\n##b\n#\tc\r\n{v}\n# end")),
        (String::new(), String::new()),
        ("\n".into(), "\n".into()),
        ("\r\n".into(), "\r\n".into()),
        ("\n\n\n".into(), "\n\n\n".into()),
        ("#".into(), "#".into()),
        (format!("\n{p}"), format!("\n{v}")),
    ] {
        let stdout = convert([""; 0], text.as_bytes()).good();
        assert_eq!(String::from_utf8(stdout), Ok(expected), "{text:?}");
    }
}

#[test]
fn files_of_nothing_or_little_are_converted_to_as_much() {
    let folder = Folder::new();
    for (name, text) in [("empty", ""), ("newline", "\n"), ("mark", "\u{feff}"), ("comment", "# x")] {
        let path = folder.write(name, text);
        for reading in ["--mmap", "--no-mmap"] {
            let done = convert([path.as_os_str(), reading.as_ref()], b"");
            assert_eq!(done.good(), text.as_bytes(), "{name} {reading}");
        }
        let out = folder.at(&format!("{name}.out"));
        convert([path.as_os_str(), "-o".as_ref(), out.as_os_str()], b"").good();
        assert_eq!(folder.text(&format!("{name}.out")), text);
    }
    assert!(!folder.names().iter().any(|name| name.contains("rejects")));
}

#[test]
fn a_byte_order_mark_is_kept_at_the_start_only() {
    let folder = Folder::new();
    let (p, v) = (PLAIN, v2(PLAIN));
    let a = folder.write("a", format!("\u{feff}{p}\nbad\n"));
    let b = folder.write("b", format!("\u{feff}bad\n{p}"));
    let done = convert([&a, &b], b"");
    assert_eq!(done.code, Some(1));
    assert_eq!(done.text(), format!("\u{feff}{v}\n{v}"));
    let places: Vec<Vec<&str>> =
        done.stderr.lines().skip(1).map(|row| row.split('\t').take(3).skip(1).collect()).collect();
    assert_eq!(places, [vec!["2", "85"], vec!["1", "3"]]);
    // Elsewhere it is an ordinary (bad) character.
    let done = convert([""; 0], format!("{p}\n\u{feff}{p}\n").as_bytes());
    assert_eq!((done.code, done.stderr.contains("\tlength\t")), (Some(1), true));
}

#[test]
fn a_missing_newline_is_supplied_between_inputs() {
    let folder = Folder::new();
    let (p, v) = (PLAIN, v2(PLAIN));
    let one = folder.write("one", p);
    let two = folder.write("two", format!("{p}\n"));
    let bad_first = folder.write("bad", format!("bad\n{p}"));
    let empty = folder.write("empty", "");
    let inputs = [&one, &empty, &two, &one, &bad_first];
    let done = convert(inputs, b"");
    assert_eq!((done.code, done.text()), (Some(1), format!("{v}\n{v}\n{v}\n{v}").as_str()));
    // The same if the first good line of the next input is in a later chunk than its first rejects.
    for size in 1..200 {
        let got = Arc::new(Mutex::new(Vec::new()));
        let target = Target::Writer { name: "memory".into(), writer: Box::new(Memory(Arc::clone(&got))) };
        let convert = inputs.iter().fold(Convert::new(target), |c, path| c.input(Input::File(path.into())));
        convert.chunk_size(size).threads(1).run().expect("a run");
        assert_eq!(String::from_utf8_lossy(&got.lock().unwrap()), format!("{v}\n{v}\n{v}\n{v}"), "size {size}");
    }
    // `-` is stdin, wherever it stands.
    let done = convert([one.as_os_str(), "-".as_ref(), one.as_os_str()], p.as_bytes());
    assert_eq!(done.good(), format!("{v}\n{v}\n{v}").as_bytes());
}

#[test]
fn bytes_that_no_string_holds_are_refused_where_they_stand() {
    let at = |cell: usize, byte: &[u8]| [&PLAIN.as_bytes()[..cell], byte, &PLAIN.as_bytes()[cell + 1..]].concat();
    for (line, cell, code, shown) in [
        (at(10, b"\0"), "r2c2", "digit", "\\x00"),
        (at(0, b"\xff"), "r1c1", "digit", "\\xff"),
        (at(80, b"\x1b"), "r9c9", "digit", "\\x1b"),
        (at(40, b"\r"), "r5c5", "digit", "\\r"),
        (at(40, b"\t"), "r5c5", "digit", "\\t"),
        (at(40, b" "), "r5c5", "digit", " "),
        (at(40, b"\\"), "r5c5", "digit", "\\\\"),
        (at(40, "é".as_bytes()), "r5c5", "digit", "é"),
        (at(40, "\u{202e}".as_bytes()), "r5c5", "digit", "\\xe2\\x80\\xae"),
        (at(40, "\u{9b}".as_bytes()), "r5c5", "digit", "\\xc2\\x9b"),
        ([PLAIN.as_bytes(), b"\0"].concat(), "-", "length", "\\x00"),
        (b"\0".to_vec(), "-", "length", "\\x00"),
        (b"\xff\xff".to_vec(), "-", "length", "\\xff\\xff"),
        (b"\r".to_vec(), "-", "length", "\\r"),
        (b" ".to_vec(), "-", "length", " "),
        (b"#x".to_vec(), "-", "length", "#x"),
    ] {
        let done = convert([""; 0], &line);
        assert_eq!((done.code, done.stdout.len()), (Some(1), 0));
        let fields: Vec<_> = done.stderr.lines().nth(1).expect("a row").split('\t').collect();
        assert_eq!(&fields[..5], ["<stdin>", "1", "0", cell, code], "{line:?}");
        assert!(fields[6].contains(shown), "{fields:?}");
        assert!(!done.stderr.trim_end().contains(|c: char| c.is_control() && c != '\t' && c != '\n'));
    }
}

#[test]
fn lines_up_to_64_kib_are_records_and_longer_ones_are_too_long() {
    for end in ["", "\n", "\r\n", "\n\n", "\nlast"] {
        for (length, long) in [(65_535, false), (65_536, false), (65_537, true), (65_538, true), (200_000, true)] {
            let line = "1".repeat(length);
            let done = convert([""; 0], format!("{line}{end}").as_bytes());
            assert_eq!(done.code, Some(1));
            let expected = match long {
                false => row(1, 0, "-", "length", &format!("{length} {NO_FORMAT}"), &line),
                true => row(1, 0, "-", "toolong", TOO_LONG, &format!("{}...{length}", &line[..256])),
            };
            let rest = done.stderr.strip_prefix(HEADER).and_then(|rows| rows.strip_prefix(expected.as_str()));
            assert!(rest.is_some_and(|rest| rest.is_empty() == (end != "\nlast")), "{length} {end:?}");
        }
    }
}

#[test]
fn a_line_of_10_mb_is_one_reject_and_the_next_line_is_good() {
    let folder = Folder::new();
    let text = format!("{}\n{PLAIN}\n", "x".repeat(10_000_000));
    let path = folder.write("long", &text);
    let expected = [HEADER, &row(1, 0, "-", "toolong", TOO_LONG, &format!("{}...10000000", "x".repeat(256)))].concat();
    let good = format!("{}\n", v2(PLAIN));
    for arguments in [vec![], vec!["-j1"], vec!["-j2"]] {
        let done = convert(&arguments, text.as_bytes());
        assert_eq!((done.code, done.text(), done.stderr.as_str()), (Some(1), good.as_str(), expected.as_str()));
    }
    for reading in ["--mmap", "--no-mmap"] {
        let done = convert([path.as_os_str(), reading.as_ref()], b"");
        assert_eq!((done.code, done.text()), (Some(1), good.as_str()));
        assert!(done.stderr.contains("...10000000\n"));
    }
    let done = convert(["--bad", "keep"], text.as_bytes());
    assert!(done.stdout == format!("{}\n{good}", "x".repeat(10_000_000)).as_bytes());
    let done = convert(["--bad", "stop"], text.as_bytes());
    assert_eq!((done.code, done.stdout.len()), (Some(1), 0));
}

#[test]
fn formats_may_change_from_line_to_line() {
    let mixed = std::fs::read("data/mixed.txt").expect("the sample");
    let stdout = convert(["data/mixed.txt"], b"").good();
    let (before, after) = (String::from_utf8_lossy(&mixed), String::from_utf8_lossy(&stdout));
    assert_eq!(before.lines().count(), after.lines().count());
    let mut records = 0;
    for (old, new) in before.lines().zip(after.lines()) {
        if old.is_empty() || old.starts_with('#') {
            assert_eq!(old, new);
        } else {
            assert_eq!(v2(old), new);
            records += 1;
        }
    }
    assert!(records >= 4);
}

/// A writer into memory.
struct Memory(Arc<Mutex<Vec<u8>>>);

impl io::Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader that gives one byte at a time.
struct Drops(io::Cursor<Vec<u8>>);

impl Read for Drops {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(1);
        self.0.read(&mut buffer[..most])
    }
}

/// Lines of all formats and line ends, including damaged ones.
fn nasty() -> Vec<u8> {
    let mixed = std::fs::read_to_string("data/mixed.txt").expect("the sample");
    let bad = std::fs::read_to_string("data/some-bad.txt").expect("the sample");
    let mut text = "\u{feff}# begin\n".to_string();
    for (n, line) in mixed.lines().chain(bad.lines()).chain(["", "x", "#", PLAIN, PLAIN, "\0"]).enumerate() {
        text.push_str(line);
        text.push_str(["\n", "\r\n", "\n\n"][n % 3]);
    }
    text.push_str(PLAIN);
    text.into_bytes()
}

#[test]
fn output_and_rejects_do_not_depend_on_the_chunk_size() {
    let text = nasty();
    let convert_in_chunks = |size: usize, threads: usize, drops: bool| {
        let (out, rows) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
        let cursor = io::Cursor::new(text.clone());
        let reader: Box<dyn Read + Send> = if drops { Box::new(Drops(cursor)) } else { Box::new(cursor) };
        let report = Convert::new(Target::Writer { name: "out".into(), writer: Box::new(Memory(Arc::clone(&out))) })
            .input(Input::Reader { name: "in".into(), reader })
            .rejects(RejectsTo::Writer(Box::new(Memory(Arc::clone(&rows)))))
            .chunk_size(size)
            .threads(threads)
            .run()
            .expect("a run");
        let (out, rows) = (out.lock().unwrap().clone(), rows.lock().unwrap().clone());
        (out, rows, report.counts)
    };
    let whole = convert_in_chunks(1 << 20, 1, false);
    assert!(whole.2.rejected > 3 && whole.2.records > whole.2.rejected);
    for size in (1..400).chain((400..text.len() + 10).step_by(97)) {
        assert!(convert_in_chunks(size, 1, false) == whole, "chunk size {size}");
        if size % 20 == 1 {
            assert!(convert_in_chunks(size, 3, false) == whole, "chunk size {size}, 3 threads");
            assert!(convert_in_chunks(size, 1, true) == whole, "chunk size {size}, byte by byte");
        }
    }
    for size in [0, (16 << 20) + 1, usize::MAX] {
        let sink = Target::Writer { name: "out".into(), writer: Box::new(io::sink()) };
        assert!(Convert::new(sink).chunk_size(size).run().is_err());
    }
}
