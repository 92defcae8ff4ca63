mod archives;

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::thread;

use gridmill::error::Error;
use gridmill::source::{Chunk, Input, MAX_LINE, Reading, Source};
use tempfile::TempDir;

use crate::support::archive;

/// A reader that gives one byte at a time, with interruptions.
struct Drops(Cursor<Vec<u8>>, bool);

impl Read for Drops {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = buffer.len().min(1);
        self.0.read(&mut buffer[..most])
    }
}

fn drops(bytes: &[u8]) -> Input {
    Input::Reader { name: "drops".into(), reader: Box::new(Drops(Cursor::new(bytes.to_vec()), false)) }
}

fn reader(bytes: &[u8]) -> Input {
    Input::Reader { name: "reader".into(), reader: Box::new(Cursor::new(bytes.to_vec())) }
}

fn file(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("writing a test file");
    path
}

/// All chunks, on one thread.
fn chunks(input: Input, reading: Reading, size: usize) -> Result<Vec<Chunk>, Error> {
    let source = Source::new(vec![input], reading, size)?;
    let mut all = Vec::new();
    while let Some(pulled) = source.next(Vec::new()) {
        assert_eq!(pulled.sequence, all.len() as u64);
        all.push(pulled.chunk?);
    }
    source.unchanged()?;
    Ok(all)
}

/// The text of all chunks. Checks everything that chunks say about themselves.
fn text(input: Input, reading: Reading, size: usize) -> Result<Vec<u8>, Error> {
    let chunks = chunks(input, reading, size)?;
    let mut all = Vec::new();
    let mut open = false;
    for (n, chunk) in chunks.iter().enumerate() {
        let text = chunk.text();
        assert!(!text.is_empty() && text.len() <= (size + MAX_LINE + 1).max(16 << 20));
        assert_eq!(chunk.shape.offset, all.len() as u64);
        assert_eq!((chunk.shape.first, chunk.shape.last), (n == 0, n == chunks.len() - 1));
        assert_eq!(chunk.shape.continues, open);
        assert!(chunk.shape.open || chunk.shape.last || text.ends_with(b"\n"));
        let line = text.len() - memchr::memrchr(b'\n', text).map_or(0, |newline| newline + 1);
        assert!(!chunk.shape.open || line > MAX_LINE || (chunk.shape.continues && line == text.len()));
        open = chunk.shape.open;
        all.extend_from_slice(text);
    }
    assert!(!open);
    Ok(all)
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text).and_then(|()| out.finish()).expect("compressing in memory")
}

fn foreign(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).expect("compressing in memory")
}

/// Reproducible texts with all line ends, short and overlong lines.
fn texts() -> Vec<Vec<u8>> {
    let mut seed = 7u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    let mut all: Vec<Vec<u8>> =
        [&b"\n"[..], b"a", b"a\r\n", b"\n\n\r\n\r", b"a\nb"].iter().map(|t| t.to_vec()).collect();
    for n in 0..6 {
        let mut text = Vec::new();
        for _ in 0..30 {
            let length = random(90);
            text.extend((0..length).map(|_| b"0123456789.\r\0\xff"[random(14)]));
            text.extend_from_slice([&b"\n"[..], b"\r\n"][random(2)]);
        }
        if n % 2 == 0 {
            text.extend_from_slice(b"no line end");
        }
        all.push(text);
    }
    all
}

fn long_texts() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for length in [MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, MAX_LINE + 2, MAX_LINE + 3, 3 * MAX_LINE + 7] {
        for end in [&b""[..], b"\n", b"\r\n", b"\nlast"] {
            all.push([b"ab\n", &vec![b'x'; length][..], end].concat());
        }
    }
    all
}

#[test]
fn text_is_the_same_for_every_size_and_way_of_reading() {
    let folder = TempDir::new().expect("a folder");
    for text_ in texts() {
        let path = file(&folder, "text", &text_);
        for size in 1..200 {
            for reading in [Reading::Auto, Reading::Mapped, Reading::Read] {
                assert_eq!(text(Input::File(path.clone()), reading, size).expect("reading"), text_);
            }
            assert_eq!(text(reader(&text_), Reading::Read, size).expect("reading"), text_);
            if size % 13 == 1 {
                assert_eq!(text(drops(&text_), Reading::Auto, size).expect("reading"), text_);
            }
        }
    }
}

#[test]
fn chunks_of_plain_text_are_cut_alike_however_it_is_read() {
    let folder = TempDir::new().expect("a folder");
    for text_ in texts().into_iter().chain(long_texts()) {
        let path = file(&folder, "text", &text_);
        for size in [1, 2, 50, MAX_LINE, 1 << 20] {
            let shapes = |input, reading| -> Vec<_> {
                let all = chunks(input, reading, size).expect("reading");
                all.iter()
                    .map(|c| {
                        (c.shape.offset, c.text().len(), c.shape.first, c.shape.last, c.shape.continues, c.shape.open)
                    })
                    .collect()
            };
            let mapped = shapes(Input::File(path.clone()), Reading::Mapped);
            assert_eq!(shapes(Input::File(path.clone()), Reading::Read), mapped);
            assert_eq!(shapes(reader(&text_), Reading::Auto), mapped);
        }
    }
}

#[test]
fn overlong_lines_come_in_pieces() {
    let folder = TempDir::new().expect("a folder");
    for text_ in long_texts() {
        let path = file(&folder, "text", &text_);
        let packed = [gzip(&text_), foreign(&text_), archive(&text_, 50_000)];
        for size in [1, 3, 4, MAX_LINE, 2 * MAX_LINE] {
            for reading in [Reading::Mapped, Reading::Read] {
                assert_eq!(text(Input::File(path.clone()), reading, size).expect("reading"), text_);
            }
            for packed in &packed {
                assert_eq!(text(reader(packed), Reading::Auto, size).expect("reading"), text_);
            }
        }
    }
    // A line of exactly the maximal length is never cut.
    let text_ = [b"ab\n", &vec![b'x'; MAX_LINE][..], b"\r\ncd"].concat();
    assert!(chunks(reader(&text_), Reading::Auto, 1).expect("reading").iter().all(|c| !c.shape.open));
}

#[test]
fn several_inputs_are_one_stream() {
    let folder = TempDir::new().expect("a folder");
    let inputs = || {
        vec![
            Input::File(file(&folder, "a", b"1\n2")),
            Input::File(file(&folder, "empty", b"")),
            reader(&gzip(b"")),
            reader(b"3\n"),
            Input::File(file(&folder, "b", &archive(b"4\n5\n", 2))),
        ]
    };
    let source = Source::new(inputs(), Reading::Auto, 1).expect("opening");
    let mut all = Vec::new();
    while let Some(pulled) = source.next(Vec::new()) {
        let chunk = pulled.chunk.expect("a chunk");
        all.push((
            pulled.sequence,
            chunk.input,
            chunk.shape.offset,
            chunk.shape.first,
            chunk.shape.last,
            chunk.text().to_vec(),
        ));
    }
    let expected = [
        (0, 0, 0, true, false, b"1\n".to_vec()),
        (1, 0, 2, false, true, b"2".to_vec()),
        (2, 3, 0, true, true, b"3\n".to_vec()),
        (3, 4, 0, true, false, b"4\n".to_vec()),
        (4, 4, 2, false, true, b"5\n".to_vec()),
    ];
    assert_eq!(all, expected);
    assert_eq!((source.identities().len(), source.total_bytes(), source.inputs()), (3, None, 5));
    assert!(source.path(4).ends_with("b"));
}

#[test]
fn an_error_takes_its_place_and_ends_the_stream() {
    let bad = [&gzip(b"1\n")[..], b"rest"].concat();
    let source =
        Source::new(vec![reader(b"0\n"), reader(&bad), reader(b"never\n")], Reading::Auto, 1).expect("opening");
    let next = || source.next(Vec::new()).map(|p| (p.sequence, p.chunk.map(|c| c.text().to_vec())));
    assert!(matches!(next(), Some((0, Ok(text))) if text == b"0\n"));
    assert!(matches!(next(), Some((1, Ok(text))) if text == b"1\n"));
    assert!(matches!(next(), Some((2, Err(Error::Archive { .. })))));
    assert!(next().is_none());
}

#[test]
fn many_files_do_not_use_up_the_descriptors() {
    let folder = TempDir::new().expect("a folder");
    let inputs = (0..200).map(|n| Input::File(file(&folder, &format!("f{n}"), format!("{n}\n").as_bytes())));
    let source = Source::new(inputs.collect(), Reading::Auto, 1).expect("opening");
    let open = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    assert!(open < 150, "{open} open files");
    let mut count = 0;
    while let Some(pulled) = source.next(Vec::new()) {
        let chunk = pulled.chunk.expect("a chunk");
        assert_eq!(chunk.text(), format!("{count}\n").as_bytes());
        count += 1;
    }
    assert_eq!(count, 200);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_refused_at_the_start() {
    let folder = TempDir::new().expect("a folder");
    let fifo = folder.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    let open = |path: &std::path::Path, reading| Source::new(vec![Input::File(path.into())], reading, 1).map(|_| ());
    assert!(matches!(open(&folder.path().join("missing"), Reading::Auto), Err(Error::Io { .. })));
    assert!(matches!(open(folder.path(), Reading::Auto), Err(Error::File { .. })));
    assert!(matches!(open(&fifo, Reading::Mapped), Err(Error::File { .. })));
    assert!(matches!(open(std::path::Path::new("/dev/null"), Reading::Mapped), Err(Error::File { .. })));
    assert!(open(&fifo, Reading::Auto).is_ok());
    assert!(matches!(Source::new(vec![], Reading::Auto, 0), Err(Error::Usage(_))));
    assert!(matches!(Source::new(vec![], Reading::Auto, usize::MAX), Err(Error::Usage(_))));
    assert!(matches!(Source::new(vec![Input::Stdin, Input::Stdin], Reading::Auto, 1), Err(Error::Usage(_))));
}

#[cfg(unix)]
#[test]
fn files_without_a_size_and_devices_are_read() {
    let status = text(Input::File("/proc/self/status".into()), Reading::Auto, 10).expect("reading");
    assert!(status.starts_with(b"Name:"));
    assert_eq!(text(Input::File("/dev/null".into()), Reading::Auto, 10).expect("reading"), b"");
    let source = Source::new(vec![Input::File("/dev/zero".into())], Reading::Auto, 10).expect("opening");
    let chunk = source.next(Vec::new()).expect("something").chunk.expect("a chunk");
    assert!(chunk.shape.open && chunk.text().len() == 10 + MAX_LINE + 1);
}

#[test]
fn a_file_that_changes_is_an_error() {
    let folder = TempDir::new().expect("a folder");
    let line = b"0123456789\n".repeat(2000);
    type Change = fn(&File) -> io::Result<()>;
    let cases: [(&str, Change); 3] = [
        ("became shorter", |f| f.set_len(5000)),
        ("became longer", |f| f.set_len(50_000)),
        ("was changed", |f| f.set_modified(std::time::SystemTime::UNIX_EPOCH)),
    ];
    for (what, change) in cases {
        for (name, bytes) in [("text", line.clone()), ("packed", gzip(&line)), ("packed", archive(&line, 1100))] {
            let path = file(&folder, name, &bytes);
            let source = Source::new(vec![Input::File(path.clone())], Reading::Read, 1000).expect("opening");
            source.next(Vec::new()).expect("a chunk").chunk.expect("a chunk");
            let handle = File::options().write(true).open(&path).expect("opening");
            if what == "became shorter" {
                handle.set_len(40).expect("cutting");
            } else {
                change(&handle).expect("changing");
            }
            assert!(source.unchanged().is_err());
            let error = loop {
                match source.next(Vec::new()).expect("an error before the end").chunk {
                    Ok(_) => {}
                    Err(error) => break error,
                }
            };
            assert!(error.to_string().contains(what), "{name}: {error}");
        }
    }
    // Mapped, and completely read before it changed.
    let path = file(&folder, "mapped", &line);
    let source = Source::new(vec![Input::File(path.clone())], Reading::Mapped, 1 << 20).expect("opening");
    assert!(source.next(Vec::new()).expect("a chunk").chunk.is_ok_and(|c| c.shape.last));
    source.unchanged().expect("nothing changed yet");
    File::options().append(true).open(&path).and_then(|mut f| f.write_all(b"more\n")).expect("appending");
    assert!(source.unchanged().is_err() && source.next(Vec::new()).expect("an error").chunk.is_err());
}

/// A named pipe, and what its writer does.
#[cfg(unix)]
fn fifo(folder: &TempDir, writer: impl FnOnce(File) + Send + 'static) -> PathBuf {
    let path = folder.path().join("fifo");
    let _ = fs::remove_file(&path);
    assert!(std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    let other = path.clone();
    thread::spawn(move || writer(File::options().write(true).open(other).expect("opening the pipe")));
    path
}

#[cfg(unix)]
#[test]
fn pipes_give_the_same_text() {
    let folder = TempDir::new().expect("a folder");
    for text_ in texts().into_iter().chain(long_texts()) {
        for packed in [text_.clone(), gzip(&text_), archive(&text_, 40)] {
            let path = fifo(&folder, move |mut pipe| {
                for part in packed.chunks(9000) {
                    pipe.write_all(part).expect("writing to the pipe");
                }
            });
            let mut all = Vec::new();
            for chunk in chunks(Input::File(path), Reading::Auto, 100).expect("reading") {
                all.extend_from_slice(chunk.text());
            }
            assert_eq!(all, text_);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_slow_writers_lines_come_at_once_and_a_stop_ends_the_waiting() {
    let folder = TempDir::new().expect("a folder");
    let (send, receive) = std::sync::mpsc::channel::<&[u8]>();
    let path = fifo(&folder, move |mut pipe| {
        for part in receive {
            pipe.write_all(part).expect("writing to the pipe");
        }
    });
    let source = Source::new(vec![Input::File(path)], Reading::Auto, 1 << 20).expect("opening");
    let next = || source.next(Vec::new()).map(|p| p.chunk.expect("a chunk").text().to_vec());
    for (part, chunk) in [(&b"1\n2\nhalf"[..], &b"1\n2\n"[..]), (b" whole\n", b"half whole\n"), (b"3\n", b"3\n")] {
        send.send(part).expect("a writer");
        assert_eq!(next().as_deref(), Some(chunk));
    }
    thread::scope(|scope| {
        let waiting = scope.spawn(next);
        thread::sleep(std::time::Duration::from_millis(20));
        source.stop();
        assert_eq!(waiting.join().expect("no panic"), None);
    });
}

#[cfg(unix)]
#[test]
fn links_show_the_same_identity() {
    let folder = TempDir::new().expect("a folder");
    let path = file(&folder, "a", b"x\n");
    let (hard, soft) = (folder.path().join("hard"), folder.path().join("soft"));
    fs::hard_link(&path, &hard).expect("a link");
    symlink(&path, &soft).expect("a link");
    let inputs = [path, hard, soft].map(Input::File).into();
    let source = Source::new(inputs, Reading::Auto, 1).expect("opening");
    let ids = source.identities();
    assert!(ids.len() == 3 && ids.iter().all(|id| *id == ids[0]));
}
