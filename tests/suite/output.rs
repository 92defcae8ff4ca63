use std::fs::{self, File};
use std::io::{self, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

use gridmill::error::Error;
#[cfg(unix)]
use gridmill::output::FileId;
use gridmill::output::zstd::{FrameWriter, LEVELS};
use gridmill::output::{Claim, LazyFile, Output, RunFiles, Target};
use tempfile::TempDir;

fn claim(path: &Path, force: bool) -> Result<Claim, Error> {
    RunFiles::default().claim("the output", Target::File { path: path.into(), force })
}

fn open(path: &Path, force: bool) -> Result<Output, Error> {
    claim(path, force)?.open(true)
}

fn open_lazily(path: &Path, force: bool) -> Result<LazyFile, Error> {
    claim(path, force)?.open_lazily(true)
}

fn write(path: &Path, force: bool, bytes: &[u8]) -> Result<(), Error> {
    let mut output = open(path, force)?;
    output.write(bytes)?;
    output.finish()
}

/// Names in the folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> = entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn message(result: Result<impl Sized, Error>) -> String {
    result.err().map_or_else(String::new, |e| e.to_string())
}

#[test]
fn a_file_appears_when_it_is_finished_and_not_before() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("out");
    let mut output = open(&path, false).expect("opening");
    output.write(b"some ").expect("writing");
    output.write(b"text\n").expect("writing");
    assert!(!path.exists());
    output.finish().expect("finishing");
    assert_eq!(fs::read(&path).expect("reading"), b"some text\n");
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn dropped_without_finish_nothing_is_left() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("out");
    fs::write(&path, "old").expect("writing");
    let mut output = open(&path, true).expect("opening");
    output.write(b"new").expect("writing");
    drop(output);
    assert_eq!(names(folder.path()), ["out"]);
    assert_eq!(fs::read(&path).expect("reading"), b"old");
}

#[cfg(unix)]
#[test]
fn an_existing_file_needs_force_and_keeps_its_mode() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("out");
    fs::write(&path, "old").expect("writing");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("chmod");
    assert!(message(open(&path, false)).contains("-f/--force"));
    write(&path, true, b"new").expect("replacing");
    assert_eq!(fs::read(&path).expect("reading"), b"new");
    assert_eq!(fs::metadata(&path).expect("metadata").mode() & 0o7777, 0o640);
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_mode_that_any_new_file_has() {
    let folder = TempDir::new().expect("a folder");
    let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
    write(&ours, false, b"x").expect("writing");
    fs::write(&plain, "x").expect("writing");
    let mode = |path: &Path| fs::metadata(path).expect("metadata").mode();
    assert_eq!(mode(&ours), mode(&plain));
}

#[cfg(unix)]
#[test]
fn a_read_only_file_stays() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("out");
    fs::write(&path, "old").expect("writing");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("chmod");
    assert!(message(open(&path, true)).contains("read-only"));
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn a_file_that_appeared_meanwhile_stays() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("out");
    let output = open(&path, false).expect("opening");
    fs::write(&path, "somebody else's").expect("writing");
    assert!(message(output.finish()).contains("in the meantime"));
    assert_eq!(fs::read(&path).expect("reading"), b"somebody else's");
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn a_place_that_became_a_folder_is_an_error_with_the_name() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("out");
    let output = open(&path, true).expect("opening");
    fs::create_dir(&path).expect("a folder");
    assert!(message(output.finish()).contains("out"));
    assert_eq!(names(folder.path()), ["out"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed() {
    let (folder, other) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    let target = other.path().join("target");
    let (link, link_to_link) = (folder.path().join("link"), folder.path().join("link2"));
    symlink(&target, &link).expect("a link");
    symlink("link", &link_to_link).expect("a link");
    // Dangling: the target is made.
    let output = open(&link_to_link, false).expect("opening");
    output.finish().expect("finishing");
    assert_eq!(names(other.path()), ["target"]);
    // Existing: the target is replaced, the link stays.
    assert!(message(open(&link, false)).contains("exists"));
    write(&link, true, b"new").expect("replacing");
    assert!(fs::symlink_metadata(&link).expect("metadata").is_symlink());
    assert_eq!(fs::read(&target).expect("reading"), b"new");
    // A loop of links, and a link into a missing folder.
    let (a, b, c) = (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
    symlink(&a, &b).expect("a link");
    symlink(&b, &a).expect("a link");
    symlink("/missing-folder/file", &c).expect("a link");
    assert!(message(open(&a, true)).contains("loop"));
    assert!(message(open(&c, true)).contains("does not exist"));
}

#[test]
fn folders_and_impossible_names_are_refused() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("file"), "x").expect("writing");
    let at = |name: &str| folder.path().join(name);
    assert!(message(open(folder.path(), true)).contains("folder"));
    assert!(message(open(&at("no/out"), true)).contains("does not exist"));
    for bad in [at("new/"), at("."), at(".."), at("file/out"), PathBuf::new(), PathBuf::from("/")] {
        assert!(open(&bad, true).is_err(), "{bad:?}");
    }
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn names_as_long_as_they_may_be_work() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("é".repeat(127));
    write(&path, false, b"x").expect("writing");
    assert_eq!(names(folder.path()).len(), 1);
}

#[cfg(unix)]
#[test]
fn an_input_is_never_an_output() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("in");
    fs::write(&path, "text").expect("writing");
    let (hard, soft) = (folder.path().join("hard"), folder.path().join("soft"));
    fs::hard_link(&path, &hard).expect("a link");
    symlink("in", &soft).expect("a link");
    let mut files = RunFiles::default();
    files.reads(&path);
    for name in [path.clone(), hard, soft, folder.path().join("./in")] {
        let claimed = files.claim("the output", Target::File { path: name, force: true });
        assert!(message(claimed).contains("also an input"));
    }
    assert_eq!(fs::read(&path).expect("reading"), b"text");
}

#[test]
fn the_outputs_of_a_conversion_are_different_files() {
    use gridmill::engine::{Convert, RejectsTo};
    let folder = TempDir::new().expect("a folder");
    let target = |name: &str| Target::File { path: folder.path().join(name), force: true };
    for [output, rejects, solved] in [["a", "./a", "b"], ["a", "b", "a"], ["a", "b", "b"]] {
        let convert = Convert::new(target(output)).rejects(RejectsTo::Lazy(target(rejects)));
        assert!(message(convert.list_solved(target(solved)).run()).contains("same file"));
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_written_as_they_are() {
    write(Path::new("/dev/null"), false, b"x").expect("writing");
    let full = write(Path::new("/dev/full"), false, b"x");
    assert!(message(full).contains("/dev/full"));
    assert!(fs::metadata("/dev/full").expect("metadata").file_type().is_char_device());
    let folder = TempDir::new().expect("a folder");
    let fifo = folder.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    let other = fifo.clone();
    let reader = thread::spawn(move || fs::read(other).expect("reading the pipe"));
    let bytes = b"0123456789".repeat(300_000);
    write(&fifo, false, &bytes).expect("writing");
    assert!(reader.join().expect("no panic") == bytes);
    assert_eq!(names(folder.path()), ["fifo"]);
}

#[cfg(unix)]
#[test]
fn descriptors_by_name_are_written_where_they_stand() {
    use std::os::fd::AsRawFd;
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("log");
    let mut file = File::create(&path).expect("creating");
    file.write_all(b"before\n").expect("writing");
    for folder in ["/dev/fd", "/proc/self/fd"] {
        write(&Path::new(folder).join(file.as_raw_fd().to_string()), false, b"after\n").expect("writing");
    }
    assert_eq!(fs::read(&path).expect("reading"), b"before\nafter\nafter\n");
    let mut files = RunFiles::default();
    files.reads_these(&[FileId::at(&path).expect("a file")]);
    let name = Path::new("/dev/fd").join(file.as_raw_fd().to_string());
    assert!(message(files.claim("x", Target::File { path: name, force: true })).contains("also an input"));
}

#[test]
fn a_closed_reader_is_an_error_of_its_own() {
    let folder = TempDir::new().expect("a folder");
    let fifo = folder.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    let other = fifo.clone();
    let reader = thread::spawn(move || File::open(other).and_then(|mut f| f.read(&mut [0; 10])).expect("reading"));
    let mut output = open(&fifo, false).expect("opening");
    let mut result = Ok(());
    for _ in 0..100 {
        result = output.write(&[b'x'; 100_000]);
        if result.is_err() {
            break;
        }
    }
    assert!(matches!(result, Err(Error::Closed)));
    reader.join().expect("no panic");
}

/// A writer that accepts a few bytes at a time.
struct Slow(Arc<Mutex<Vec<u8>>>, usize);

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1 += 1;
        if self.1.is_multiple_of(3) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = bytes.len().min(3);
        self.0.lock().expect("no panic").extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::Error::other("flush is answered"))
    }
}

#[test]
fn a_callers_writer_gets_everything_and_its_errors_are_reported() {
    let got = Arc::default();
    let writer = Box::new(Slow(Arc::clone(&got), 0));
    let claim = RunFiles::default().claim("x", Target::Writer { name: "slow".into(), writer });
    let mut output = claim.and_then(|claim| claim.open(true)).expect("opening");
    output.write(b"all of these bytes").expect("writing");
    assert_eq!(*got.lock().expect("no panic"), b"all of these bytes");
    assert!(message(output.finish()).contains("slow"));
}

#[test]
fn a_lazy_file_is_made_only_if_something_is_written() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("rejects");
    let mut lazy = open_lazily(&path, false).expect("a place");
    lazy.write(b"").expect("nothing");
    lazy.finish().expect("finishing");
    assert_eq!(names(folder.path()), [""; 0]);
    let mut lazy = open_lazily(&path, false).expect("a place");
    lazy.write(b"row\n").expect("writing");
    assert!(!path.exists());
    lazy.finish().expect("finishing");
    assert_eq!(fs::read(&path).expect("reading"), b"row\n");
    assert!(message(open_lazily(&path, false)).contains("-f/--force"));
    drop(open_lazily(&path, true).expect("a place"));
    assert_eq!(names(folder.path()), ["rejects"]);
}

#[test]
fn two_runs_to_one_file_leave_one_whole_result() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("out");
    thread::scope(|scope| {
        for n in 0..8u8 {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..20 {
                    let claim = claim(path, true).expect("a place");
                    let mut output = claim.open(false).expect("opening");
                    for _ in 0..10 {
                        output.write(&[b'0' + n; 1000]).expect("writing");
                    }
                    output.finish().expect("finishing");
                }
            });
        }
    });
    let bytes = fs::read(&path).expect("reading");
    assert!(bytes.len() == 10_000 && bytes.iter().all(|&b| b == bytes[0]));
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn levels_of_compression_are_checked() {
    for level in LEVELS {
        assert!(FrameWriter::new(level).is_ok());
    }
    for level in [0, 23, -1, i32::MAX, i32::MIN] {
        assert!(matches!(FrameWriter::new(level), Err(Error::Usage(_))));
    }
}

#[test]
fn text_too_long_for_a_frame_gives_several() {
    use crate::frames::MAX_TEXT;
    use gridmill::source::{Input, Reading, Source};
    let text = b"0123456\n".repeat(MAX_TEXT / 8 + 1000);
    let out = crate::support::archive(&text, usize::MAX);
    let reader = Box::new(io::Cursor::new(out));
    let source = Source::new(vec![Input::Reader { name: "x".into(), reader }], Reading::Auto, 1).expect("opening");
    let mut all = Vec::new();
    while let Some(pulled) = source.next(Vec::new()) {
        all.extend_from_slice(pulled.chunk.expect("a chunk").text());
    }
    assert!(all == text);
}
