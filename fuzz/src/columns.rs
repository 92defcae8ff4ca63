//! Parquet and Arrow files are converted completely or refused with their name, and the output can be converted again.
//! What other crates panic about is an error of the file.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Once};

use gridmill::columnar::{self, ColumnFile};
use gridmill::convert::{Bad, CheckLevel, Checks, Conversion};
use gridmill::engine::{Convert, Dedupe, StringColumns};
use gridmill::output::Target;
use gridmill::source::Input;

use super::Random;
use super::formats::strings;

mod seeds;

pub(crate) use seeds::seeds;

/// The first bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// The bytes at its end: the length of its metadata, and these four again.
const TAIL: usize = 8;

/// The column with the strings, and where it is if they are in lists.
const COLUMNS: [&str; 2] = ["board", "board.list.element"];

thread_local! {
    /// A folder for the file, which is read from its end.
    static FOLDER: RefCell<tempfile::TempDir> = RefCell::new(tempfile::tempdir().expect("a folder"));
}

/// A writer whose bytes are shared.
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().map_err(|_| io::ErrorKind::Other)?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader that gives a few bytes at a time.
struct Slow(Cursor<Vec<u8>>);

impl Read for Slow {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = into.len().min(7);
        self.0.read(&mut into[..most])
    }
}

/// The output, and counts: rows, strings, and those refused.
type Done = Result<(Vec<u8>, [u64; 3]), String>;

/// How a file is converted.
#[derive(Clone, Copy)]
struct How {
    bad: Bad,
    threads: usize,
}

const KEEP: How = How { bad: Bad::Keep, threads: 1 };

/// Writes a file, and returns its path.
fn write(name: &str, data: &[u8]) -> PathBuf {
    FOLDER.with_borrow(|folder| {
        let path = folder.path().join(name);
        fs::write(&path, data).expect("a file");
        path
    })
}

fn kind_of(data: &[u8]) -> ColumnFile {
    if data.starts_with(PARQUET) { ColumnFile::Parquet } else { ColumnFile::Arrow }
}

fn named(column: &str) -> StringColumns {
    StringColumns { strings: vec![column.into()], solutions: Vec::new() }
}

/// A run without input.
fn run_to(bytes: &Arc<Mutex<Vec<u8>>>, how: How) -> Convert {
    let checks = Checks { level: CheckLevel::Syntax, ..Checks::default() };
    let plan = Conversion { bad: how.bad, lossy: true, checks, ..Conversion::default() };
    Convert::new(Target::Writer { name: "memory".into(), writer: Box::new(Shared(Arc::clone(bytes))) })
        .conversion(plan)
        .threads(how.threads)
}

/// Converts the column that is there.
fn convert(file: ColumnFile, input: impl Fn() -> Input, how: How) -> Done {
    let mut done = Err(String::new());
    for column in COLUMNS {
        let bytes = Arc::default();
        let run = columnar::run(run_to(&bytes, how).input(input()), file, named(column));
        done = run.map_err(|error| error.to_string()).map(|report| {
            let counts = report.counts;
            (bytes.lock().expect("nobody else has it").clone(), [counts.lines, counts.records, counts.rejected])
        });
        if !matches!(&done, Err(words) if words.contains("there is no column of strings")) {
            break;
        }
    }
    done
}

/// Panics that are errors of the file are not shown, and do not end libFuzzer.
fn show_only_our_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let shown = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !columnar::is_reading() {
                shown(panic);
            }
        }));
    });
}

/// A message begins with the name of the file, and has nothing that a terminal interprets.
fn is_said_well(words: &str, name: &str) {
    assert!(words.starts_with(&format!("{name}: ")), "{words:?}");
    assert!(!words.contains(char::is_control) && !words.contains("internal error"), "{words:?}");
}

/// Whether a file is converted.
pub(crate) fn takes(data: &[u8]) -> bool {
    show_only_our_panics();
    let path = write("old", data);
    convert(kind_of(data), || Input::File(path.clone()), KEEP).is_ok()
}

/// A file is converted twice with the same result, or refused twice in the same words. The output can be converted, and
/// then stays as it is.
pub(crate) fn quick(data: &[u8]) {
    show_only_our_panics();
    let (path, file) = (write("old", data), kind_of(data));
    let once = convert(file, || Input::File(path.clone()), KEEP);
    match &once {
        Ok((new, [rows, ..])) => {
            let new_path = write("new", new);
            match convert(kind_of(new), || Input::File(new_path.clone()), KEEP) {
                Ok((again, [again_rows, ..])) => {
                    assert_eq!(again_rows, *rows, "other rows");
                    assert!(again == *new, "the output is converted to something else");
                }
                Err(words) => panic!("the output cannot be read: {words}"),
            }
        }
        Err(words) => is_said_well(words, &path.display().to_string()),
    }
}

/// The result is the same each time, with two threads and, for a stream, a few bytes at a time. Rows are left out, and
/// duplicates are found, without harm.
pub(crate) fn thorough(data: &[u8]) {
    show_only_our_panics();
    let (path, file) = (write("old", data), kind_of(data));
    let input = || Input::File(path.clone());
    let once = convert(file, input, KEEP);
    assert!(once == convert(file, input, KEEP), "read twice it is not the same");
    if let Ok(once) = &once {
        // After an error, threads differ in what they have read until then.
        assert!(Ok(once) == convert(file, input, How { threads: 2, ..KEEP }).as_ref(), "with two threads");
    }
    if file == ColumnFile::Arrow && !data.starts_with(b"ARROW1") {
        let reader = || Box::new(Slow(Cursor::new(data.to_vec())));
        let slow = convert(file, || Input::Reader { name: path.display().to_string(), reader: reader() }, KEEP);
        assert!(slow == once, "{slow:?} and not {once:?}");
    }
    for bad in [Bad::Reject, Bad::Null] {
        if let Err(words) = convert(file, input, How { bad, ..KEEP })
            && !words.starts_with("--bad null")
        {
            is_said_well(&words, &path.display().to_string());
        }
    }
    let dedupe = Dedupe::new(run_to(&Arc::default(), How { bad: Bad::Reject, threads: 1 }).input(input()));
    if let Err(error) = columnar::dedupe(dedupe, file, named(COLUMNS[0]), StringColumns::default()) {
        let words = error.to_string();
        assert!(!words.contains(char::is_control) && !words.contains("internal error"), "{words:?}");
    }
}

/// Numbers at which sizes go wrong.
const NUMBERS: [i64; 16] =
    [0, 1, -1, 2, 7, 64, 127, 128, 256, 1 << 16, 1 << 24, i32::MAX as i64, i32::MIN as i64, 1 << 32, 1 << 40, i64::MAX];

/// Makes a change where the sizes are: in the metadata and in the headers of pages, or in a number of Arrow. Returns
/// false if any change will do.
pub(crate) fn mutate(data: &mut Vec<u8>, random: &mut Random) -> bool {
    if data.len() < 16 || random.below(4) == 0 {
        return false;
    }
    let number = NUMBERS[random.below(NUMBERS.len())];
    if !data.starts_with(PARQUET) {
        let bytes = if random.below(2) == 0 { 4 } else { 8 };
        let at = random.below(data.len() / 4 - 1) * 4;
        let end = data.len().min(at + bytes);
        let old = data[at..end].iter().rev().fold(0, |old: i64, &byte| old << 8 | i64::from(byte));
        let new = if random.below(2) == 0 { number } else { old.wrapping_add(random.below(17) as i64 - 8) };
        data[at..end].copy_from_slice(&new.to_le_bytes()[..end - at]);
        return true;
    }
    let tail = data.len() - TAIL;
    let length = data[tail..].first_chunk().map_or(0, |length| u32::from_le_bytes(*length)) as usize;
    let Some(start) = tail.checked_sub(length).filter(|start| *start < tail) else { return false };
    let at = start + random.below(length);
    match random.below(6) {
        0 | 1 => data[at] = data[at].wrapping_add(random.below(9) as u8).wrapping_sub(4),
        2 => data[at] = random.next() as u8,
        // Another number, and the metadata with the new length.
        3 | 4 => {
            let mut rest = (number << 1 ^ number >> 63) as u64;
            let mut varint = Vec::new();
            while rest > 0x7f {
                varint.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            varint.push(rest as u8);
            data.splice(at..at + 1, varint);
            let length = (data.len() - TAIL - start) as u32;
            let tail = data.len() - TAIL;
            data[tail..tail + 4].copy_from_slice(&length.to_le_bytes());
        }
        // In the pages, whose headers cannot become longer.
        _ => {
            let at = 4 + random.below(start.saturating_sub(4).max(1));
            data[at] = if random.below(2) == 0 { random.next() as u8 } else { data[at] ^ 1 << random.below(8) };
        }
    }
    true
}
