//! Files with columns: which inputs are some, and what is done with them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::framings::{ARROW, PARQUET};
use super::{InputFlags, SolutionFlags};
#[cfg(feature = "parquet")]
use crate::columnar::{self, ColumnFile};
#[cfg(feature = "parquet")]
use crate::engine::StringColumns;
use crate::engine::{Convert, Dedupe, Deduped, Report};
use crate::error::{Error, escape};
use crate::framing::NamedFraming;

/// The first bytes of an Arrow stream. A possible length of a schema follows them.
const STREAM: [u8; 4] = [0xff; 4];

/// The number of bytes that are inspected.
const INSPECTED_BYTES: usize = 8;

/// Returns the framing for files with columns that begin with these bytes.
pub(super) fn by_first_bytes(bytes: &[u8]) -> Option<&'static NamedFraming> {
    match bytes {
        [b'P', b'A', b'R', b'1' | b'E', ..] => Some(&PARQUET),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] => Some(&ARROW),
        [a, b, c, d, _, _, _, 0, ..] if [*a, *b, *c, *d] == STREAM => Some(&ARROW),
        _ => None,
    }
}

/// Says what to do with these bytes, if they are a file with columns and the command reads only text. (No text has NUL
/// bytes.)
pub(in crate::cli) fn refused_columns(bytes: &[u8], command: &str) -> Option<String> {
    let framing = by_first_bytes(bytes).filter(|_| memchr::memchr(0, bytes).is_some());
    framing.map(|framing| only_text(framing, command))
}

/// Does the same for a file.
pub(in crate::cli) fn refused_column_file(path: &Path, command: &str) -> Option<String> {
    // If the file cannot be read, reading it says why.
    beyond_doubt(path).ok().flatten().map(|framing| only_text(framing, command))
}

fn only_text(framing: &NamedFraming, command: &str) -> String {
    format!(
        "{command} reads no {}; export the strings as text, one on each line, for example with DuckDB: \
         copy (select board from 'boards.parquet') to 'boards.txt' (header false)",
        framing.plural
    )
}

/// Returns the framing for files with columns that have this extension.
pub(super) fn by_extension(extension: &str) -> Option<&'static NamedFraming> {
    match extension.to_ascii_lowercase().as_str() {
        "parquet" | "pq" => Some(&PARQUET),
        "arrow" | "arrows" | "feather" | "ipc" => Some(&ARROW),
        _ => None,
    }
}

/// Returns the first bytes of a regular file, and nothing for other files.
fn first_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path != Path::new("-") && path.metadata()?.is_file() {
        File::open(path)?.take(INSPECTED_BYTES as u64).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Returns the framing of a file, if its first bytes show that it has columns.
fn of_file(path: &Path) -> Result<Option<&'static NamedFraming>, Error> {
    let first_bytes = first_bytes(path).map_err(|error| Error::io(path, "open", error))?;
    Ok(by_first_bytes(&first_bytes))
}

/// Returns the framing of a file that has columns and cannot be a text that happens to begin like one.
fn beyond_doubt(path: &Path) -> io::Result<Option<&'static NamedFraming>> {
    let first_bytes = first_bytes(path)?;
    let Some(framing) = by_first_bytes(&first_bytes).filter(|_| !first_bytes.starts_with(&STREAM)) else {
        return Ok(by_first_bytes(&first_bytes));
    };
    let mut file = File::open(path)?;
    let length = file.metadata()?.len().min(INSPECTED_BYTES as u64);
    file.seek(SeekFrom::End(-(length as i64)))?;
    let mut last_bytes = Vec::new();
    file.read_to_end(&mut last_bytes)?;
    let marks: &[&[u8]] = if std::ptr::eq(framing, &PARQUET) { &[b"PAR1", b"PARE"] } else { &[b"ARROW1"] };
    Ok(marks.iter().any(|mark| last_bytes.ends_with(mark)).then_some(framing))
}

/// Whether a path cannot be inspected without consuming its contents.
fn is_pipe(path: &Path) -> bool {
    path.metadata().map_or(true, |metadata| !metadata.is_file())
}

impl InputFlags {
    /// Whether the inputs are files with columns.
    pub(in crate::cli) fn have_columns(&self) -> bool {
        std::ptr::eq(self.framing, &PARQUET) || std::ptr::eq(self.framing, &ARROW)
    }

    /// Checks that other files, which are read in the same way as the inputs, have the same format.
    pub(in crate::cli) fn check_others(&self) -> anyhow::Result<()> {
        for path in &self.inputs {
            let found = of_file(path)?;
            let is_as_said =
                found.map_or(!self.have_columns() || is_pipe(path), |found| std::ptr::eq(found, self.framing));
            let what = |of: Option<&NamedFraming>| of.map_or("text", |of| of.plural);
            anyhow::ensure!(
                is_as_said,
                "{}: {}, but the input is read with --framing {}; both must have the same form",
                escape(path.as_os_str().as_encoded_bytes()),
                what(found),
                self.framing.name
            );
        }
        self.check_guessed()
    }

    /// Detects whether the inputs are files with columns, unless the framing is given. `is_auto` says whether detection
    /// is asked for. Returns what to tell the user about it.
    pub(super) fn detect_columns(&mut self, is_auto: bool) -> anyhow::Result<Option<String>> {
        if !is_auto && self.framing_is_typed {
            return self.check_typed().map(|()| None);
        }
        let mut found: Option<(String, &'static NamedFraming)> = None;
        for (at, path) in self.inputs.iter().enumerate() {
            let name = escape(path.as_os_str().as_encoded_bytes());
            let one = of_file(path)?;
            let extension = path.extension().and_then(|extension| extension.to_str()).and_then(by_extension);
            if let (true, None, Some(named)) = (is_auto, one, extension) {
                anyhow::bail!("{name}: its name says {}, but its first bytes do not; set --framing", named.plural);
            }
            match (&found, one) {
                (None, None) => {}
                (None, Some(one)) if at == 0 => found = Some((name, one)),
                (Some((_, first)), Some(one)) if std::ptr::eq(*first, one) => {}
                (other, one) => {
                    let what = |of: Option<&NamedFraming>| of.map_or("text", |of| of.plural);
                    let (other, one) = (what(other.as_ref().map(|found| found.1)), what(one));
                    anyhow::bail!("{name}: {one}, after {other}; convert them separately");
                }
            }
        }
        let Some((name, framing)) = found else { return Ok(None) };
        self.framing = framing;
        Ok(Some(format!("{name}: read with --framing {}", framing.name)))
    }

    /// Checks that no input is beyond doubt a file with columns that the framing, which was typed, does not read.
    fn check_typed(&self) -> anyhow::Result<()> {
        for path in &self.inputs {
            // A file that cannot be opened is reported when it is read.
            let found = beyond_doubt(path).ok().flatten();
            let Some(found) = found.filter(|found| !std::ptr::eq(*found, self.framing)) else { continue };
            let name = escape(path.as_os_str().as_encoded_bytes());
            let NamedFraming { name: framing, plural, .. } = self.framing;
            let (other, others) = (found.name, found.plural);
            anyhow::bail!(
                "{name}: --framing {framing} reads {plural}, but this file begins and ends like {others}; \
                 leave --framing out, or use --framing {other}{NEEDED}"
            );
        }
        Ok(())
    }

    /// Runs a conversion of files with columns, with the `solutions` that came with their strings.
    #[cfg(feature = "parquet")]
    pub(in crate::cli) fn run_columns(&self, convert: Convert, solutions: &SolutionFlags) -> anyhow::Result<Report> {
        let columns = StringColumns { strings: self.column.clone(), solutions: solutions.solution_column.clone() };
        Ok(columnar::run(convert, self.column_file(), columns)?)
    }

    /// Removes duplicate rows from files with columns. `others` are the other files, if there are any.
    #[cfg(feature = "parquet")]
    pub(in crate::cli) fn dedupe_columns(&self, dedupe: Dedupe, others: Option<&Self>) -> anyhow::Result<Deduped> {
        let columns = |of: &Self| StringColumns { strings: of.column.clone(), solutions: Vec::new() };
        let of_others = others.map(columns).unwrap_or_default();
        Ok(columnar::dedupe(dedupe, self.column_file(), columns(self), of_others)?)
    }

    #[cfg(feature = "parquet")]
    fn column_file(&self) -> ColumnFile {
        if std::ptr::eq(self.framing, &PARQUET) { ColumnFile::Parquet } else { ColumnFile::Arrow }
    }

    /// The error of a program that was built without this feature.
    #[cfg(not(feature = "parquet"))]
    pub(in crate::cli) fn run_columns(&self, _: Convert, _: &SolutionFlags) -> anyhow::Result<Report> {
        anyhow::bail!("{WITHOUT}")
    }

    /// The error of a program that was built without this feature.
    #[cfg(not(feature = "parquet"))]
    pub(in crate::cli) fn dedupe_columns(&self, _: Dedupe, _: Option<&Self>) -> anyhow::Result<Deduped> {
        anyhow::bail!("{WITHOUT}")
    }
}

/// Follows the advice to use these framings.
#[cfg(feature = "parquet")]
const NEEDED: &str = "";
#[cfg(not(feature = "parquet"))]
const NEEDED: &str = " (in a program that was built with --features parquet, as releases are)";

#[cfg(not(feature = "parquet"))]
const WITHOUT: &str = "this program was built without Parquet and Arrow support; build it with cargo build --release --features parquet, or \
    use a release";
