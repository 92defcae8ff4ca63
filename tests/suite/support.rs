//! Shared parts of tests of the program: running it, folders, strings.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use gridmill::board::{Kind, Shape, Side};
use gridmill::formats::{Evidence, Format, Hints, read_one, write_one};
use gridmill::output::zstd::{Archive, FrameWriter};
use tempfile::TempDir;

/// A run fails as hanging after this time.
const PATIENCE: Duration = Duration::from_secs(600);

/// A plain puzzle.
pub(crate) const PLAIN: &str = "100000569492056108056109240009640801064010000218035604040500016905061402621000005";

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Done {
    /// The exit code; `None` after a signal.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Its stdout.
    pub stdout: Vec<u8>,
    /// Its stderr.
    pub stderr: String,
}

impl Done {
    /// The output as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("UTF-8 on stdout")
    }

    /// Checks that the run succeeded with nothing on stderr, and returns the output.
    #[track_caller]
    pub(crate) fn good(self) -> Vec<u8> {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        self.stdout
    }

    /// Checks that the run failed, with a message that contains all of `words`.
    #[track_caller]
    pub(crate) fn failed(self, words: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:?}");
        for word in words {
            assert!(self.stderr.contains(word), "'{word}' is missing in: {}", self.stderr);
        }
    }
}

/// The digits of a solution that was written in any form, as they may be given.
pub(crate) fn digits_of_solution(written: &str) -> String {
    let one = read_one(written.as_bytes(), None, &Hints::default(), &Evidence::default()).expect("a board");
    let sign = |digit: u8| char::from(b".123456789ABCDEFGHIJKLMNOP"[usize::from(digit)]);
    (0..one.batch.shape().side.cells()).map(|cell| sign(one.batch.cell(0, cell).digit())).collect()
}

/// The program.
pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_gridmill"))
}

/// The program with arguments.
pub(crate) fn gridmill<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = program();
    command.args(args);
    command
}

/// The commands listed in the help.
pub(crate) fn commands() -> Vec<String> {
    let help = String::from_utf8(run(program().arg("--help"), b"").good()).expect("UTF-8");
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<String> = listed
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_string)
        .filter(|name| name != "help")
        .collect();
    assert!(names.len() >= 5 && names.contains(&"convert".to_string()), "{names:?}");
    names
}

/// A shell script in which `$G` is the program.
pub(crate) fn shell(script: &str) -> Command {
    let mut command = Command::new("bash");
    command.arg("-c").arg(script).env("G", env!("CARGO_BIN_EXE_gridmill"));
    command
}

/// Runs a command to its end with `stdin` as input.
#[track_caller]
pub(crate) fn run(command: &mut Command, stdin: &[u8]) -> Done {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let bytes = stdin.to_vec();
    // The program need not read all of it.
    let writer = thread::spawn(move || drop(input.write_all(&bytes)));
    let done = finish(child);
    writer.join().expect("no panic");
    done
}

/// `gridmill convert -q ARGS`.
#[track_caller]
pub(crate) fn convert<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>, stdin: &[u8]) -> Done {
    run(program().arg("convert").arg("-q").args(args), stdin)
}

/// Waits for a child whose stdout and stderr are pipes (or not taken).
#[track_caller]
pub(crate) fn finish(mut child: Child) -> Done {
    fn reader(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
        thread::spawn(move || {
            let mut all = Vec::new();
            if let Some(mut pipe) = pipe {
                pipe.read_to_end(&mut all).expect("reading a pipe");
            }
            all
        })
    }
    let (stdout, stderr) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let status = wait(&mut child);
    let stderr = String::from_utf8_lossy(&stderr.join().expect("no panic")).into_owned();
    assert!(!stderr.contains("internal error") && !stderr.contains("panicked"), "{stderr}");
    Done { code: status.code(), signal: signal(status), stdout: stdout.join().expect("no panic"), stderr }
}

/// The signal that ended a program; there are none on Windows.
pub(crate) fn signal(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    return status.code().and(None);
}

/// Waits for the end of a child, with a limit.
#[track_caller]
pub(crate) fn wait(child: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait().expect("waiting") {
            return status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill().expect("killing");
            panic!("the program hangs");
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Waits until `condition` holds, with a limit.
#[track_caller]
pub(crate) fn until(mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < PATIENCE, "it never happens");
        thread::sleep(Duration::from_millis(1));
    }
}

/// The sizes of a process's open files in a folder that are not in their places yet: without a name, or with that of a
/// temporary.
pub(crate) fn temporaries(process: u32, folder: &Folder) -> Vec<u64> {
    let Ok(open) = fs::read_dir(format!("/proc/{process}/fd")) else { return Vec::new() };
    let folder = folder.path().canonicalize().expect("a folder");
    let size = |entry: io::Result<fs::DirEntry>| {
        let descriptor = entry.ok()?.path();
        let name = fs::read_link(&descriptor).ok().filter(|name| name.starts_with(&folder))?;
        let name = name.to_string_lossy().into_owned();
        let temporary = name.ends_with("(deleted)") || name.ends_with(".gridmill-tmp");
        fs::metadata(&descriptor).ok().filter(|_| temporary).map(|metadata| metadata.len())
    };
    open.filter_map(size).collect()
}

/// A folder for one test.
pub(crate) struct Folder(TempDir);

impl Folder {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    /// A folder that every user can read and write.
    #[cfg(unix)]
    pub(crate) fn open() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let folder = Self::new();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("chmod");
        folder
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        fs::write(&path, bytes).expect("writing a test file");
        path
    }

    /// Reads a file.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Reads a file of text.
    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("UTF-8")
    }

    /// The names in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("a folder");
        let mut names: Vec<_> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Makes a named pipe.
    pub(crate) fn fifo(&self, name: &str) -> PathBuf {
        let path = self.at(name);
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
        path
    }
}

/// A string in another format.
#[track_caller]
pub(crate) fn recode(text: &str, to: Format) -> String {
    let one = read_one(text.as_bytes(), None, &Hints::default(), &Evidence::default());
    let one = one.unwrap_or_else(|reject| panic!("{reject}: {text}"));
    write_one(&one.batch, 0, to).unwrap_or_else(|reject| panic!("{reject}: {text}"))
}

/// The v2 string of a string.
#[track_caller]
pub(crate) fn v2(text: &str) -> String {
    recode(text, Format::V2)
}

/// Boards in progress, as made by `gridmill gen`, one per line.
pub(crate) fn boards(format: &str, count: usize, seed: u32) -> Vec<u8> {
    let made = |format: &str| {
        let kind = match format {
            "ps-killer" => "killer",
            "sgt-keen" => "kenken",
            _ => "sudoku",
        };
        let arguments = format!(
            "gen -q --format {format} --kind {kind} --count {count} --seed {seed} --lossy --mix progress --no-sync"
        );
        run(&mut gridmill(arguments.split(' ')), b"").good()
    };
    let id: Format = format.parse().expect("a format");
    if !Kind::all().any(|kind| id.codec().writes(Shape::new(kind, Side::NINE)).is_ok()) {
        // Such strings are only read.
        let goods = id.samples().iter().flat_map(|samples| samples.good);
        let goods: Vec<String> = goods.map(|good| format!("{}\n", good.text)).collect();
        return goods.iter().cycle().take(count).map(String::as_str).collect::<String>().into_bytes();
    }
    if format != "pencilmarks" {
        return made(format);
    }
    // Cells without a digit must have candidates.
    run(&mut gridmill(["convert", "-q", "--lossy", "--notes", "auto", "--to", format]), &made("v2")).good()
}

/// 20,000 v1 lines, made once.
pub(crate) fn many() -> &'static [u8] {
    static MANY: OnceLock<Vec<u8>> = OnceLock::new();
    MANY.get_or_init(|| boards("v1", 20_000, 5))
}

/// Text as gzip.
pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text).and_then(|()| out.finish()).expect("compressing in memory")
}

/// Text as one ordinary zstd frame.
pub(crate) fn foreign(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).expect("compressing in memory")
}

/// Text as an archive of our own, in frames of `size` bytes.
pub(crate) fn archive(text: &[u8], size: usize) -> Vec<u8> {
    archive_of(text.chunks(size.max(1)))
}

/// An archive of our own with a frame for each text.
pub(crate) fn archive_of<'t>(texts: impl IntoIterator<Item = &'t [u8]>) -> Vec<u8> {
    let mut writer = FrameWriter::new(3).expect("a compressor");
    let (mut out, mut archive) = (Vec::new(), Archive::new());
    for text in texts {
        let mut bytes = Vec::new();
        let frames = writer.frame(text, &mut bytes).expect("compressing");
        out.extend_from_slice(&archive.add(&frames, &bytes).expect("its frames"));
    }
    out.extend(archive.end());
    out
}

/// An archive as it was written before the first frame was one of text: a mark, and a head before every frame.
pub(crate) fn marked_archive<'t>(texts: impl IntoIterator<Item = &'t [u8]>) -> Vec<u8> {
    use crate::frames::{Frame, Totals, length, mark, parse};
    let mut writer = FrameWriter::new(3).expect("a compressor");
    let (mut out, mut totals) = (mark(), Totals::default());
    for text in texts {
        let begin = out.len();
        drop(writer.frame(text, &mut out).expect("compressing"));
        if begin < out.len() {
            let head = &out[begin..begin + length(&out[begin..]).expect("a head")];
            let Ok(Frame::Head(head)) = parse(head) else { panic!("no head") };
            totals.add(&head);
        }
    }
    out.extend(totals.bytes());
    out
}

/// The row of the reject file for a record of stdin.
pub(crate) fn row(line: u64, byte: usize, cell: &str, code: &str, message: &str, record: &str) -> String {
    format!("<stdin>\t{line}\t{byte}\t{cell}\t{code}\t{message}\t{record}\n")
}

/// The first line of a reject file.
pub(crate) const HEADER: &str = "input\tline\tbyte\tcell\tcode\tmessage\trecord\n";

/// Whether a tool is installed. If `CI` is set it must be.
pub(crate) fn have(tool: &str, argument: &str) -> bool {
    let there = Command::new(tool).arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = there.is_ok_and(|status| status.success());
    if !there {
        assert!(std::env::var_os("CI").is_none(), "{tool} is missing");
        eprintln!("skipped: {tool} is missing");
    }
    there
}

/// A writer into memory.
#[derive(Clone, Default)]
pub(crate) struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// A reader that gives a few bytes at a time.
pub(crate) struct Few(pub io::Cursor<Vec<u8>>, pub usize);

impl Read for Few {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}
