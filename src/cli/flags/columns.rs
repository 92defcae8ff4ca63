//! Files with columns: which inputs are some, and what is done with them.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::path::Path;

use super::framings::{ARROW, PARQUET, by_extension, one_of};
use super::output_names::check_output_name;
use super::{InputFlags, SolutionFlags};
use crate::columnar::{self, ColumnFile};
use crate::engine::StringColumns;
use crate::engine::{Convert, Dedupe, Deduped, Report};
use crate::error::{Error, escape, shown_path};
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

/// Passes the strings of a column to `take`, as [`columnar::strings`] does, if a file is beyond doubt one with columns. Returns
/// whether it is.
pub(in crate::cli) fn take_strings(
    path: &Path,
    column: Option<&str>,
    take: &mut dyn FnMut(usize, &[u8]) -> bool,
) -> anyhow::Result<bool> {
    // If the file cannot be read, reading it as text says why.
    let Some(framing) = beyond_doubt(path).ok().flatten() else { return Ok(false) };
    let column = column.map(|column| name("--column", column)).transpose()?;
    columnar::strings(path, column_file(framing), column.as_deref(), take)?;
    Ok(true)
}

fn only_text(framing: &NamedFraming, command: &str) -> String {
    format!(
        "{command} reads no {}; export the strings as text, one on each line, for example with DuckDB: \
         copy (select board from 'boards.parquet') to 'boards.txt' (header false)",
        framing.plural
    )
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

/// How many files of a folder are inspected to say how they are named.
const MOST_IN_FOLDER: usize = 1000;

/// The first bytes of the files with checksums that Hadoop puts beside its own.
const HADOOP_CHECKSUMS: &[u8] = b"crc\0";

/// Checks that a file that does not begin like a file with columns does not have the name of one.
fn check_name(path: &Path) -> anyhow::Result<()> {
    let name = shown_path(path);
    let first_bytes = first_bytes(path).map_err(|error| Error::io(path, "open", error))?;
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    let of_hadoop = file_name.strip_prefix('.').and_then(|name| name.strip_suffix(".crc"));
    if let Some(other) = of_hadoop.filter(|_| first_bytes.starts_with(HADOOP_CHECKSUMS)) {
        let other = shown_path(path.with_file_name(other));
        anyhow::bail!("{name} holds only checksums, which Hadoop writes beside its files; name {other} instead");
    }
    let Some(framing) = extension(path).and_then(by_extension).filter(|_| path.is_file()) else { return Ok(()) };
    let one = one_of(framing);
    let why = match &first_bytes[..] {
        [] => "it is empty".into(),
        [b'F', b'E', b'A', b'1', ..] => {
            "it is a Feather file of version 1; write it again with pyarrow.feather.write_feather".into()
        }
        first => format!("it begins with '{}'", escape(first)),
    };
    anyhow::bail!(
        "{name} is not {one}, although its name says so: {why}; if it is text, use --framing to say how it is arranged"
    );
}

fn extension(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

/// Says how to name the files of a folder, if it is one.
fn refused_folder(path: &Path) -> Option<String> {
    let files = path.read_dir().ok().filter(|_| path.as_os_str() != "-")?;
    let files: Vec<_> = files.take(MOST_IN_FOLDER).filter_map(|entry| Some(entry.ok()?.path())).collect();
    let with_columns: Vec<_> = files.iter().filter(|file| matches!(of_file(file), Ok(Some(_)))).collect();
    let name = shown_path(path);
    if files.iter().any(|file| file.ends_with("_delta_log")) {
        return Some(format!(
            "{name} is a table of Delta Lake, whose log says which of its files are current; export it to one Parquet file"
        ));
    }
    let endings: Vec<_> = with_columns.iter().filter_map(|file| extension(file)).collect();
    let all = match (endings.first(), with_columns.len()) {
        (Some(ending), found) if endings.len() == found && endings.iter().all(|other| other == ending) => {
            format!(": {}/*.{ending}", name.trim_end_matches('/'))
        }
        _ => String::new(),
    };
    Some(format!("{name} is a folder; name the files in it{all}"))
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
            if let Some(words) = refused_folder(path) {
                anyhow::bail!("{words}");
            }
            let found = of_file(path)?;
            let is_as_said =
                found.map_or(!self.have_columns() || is_pipe(path), |found| std::ptr::eq(found, self.framing));
            let what = |of: Option<&NamedFraming>| of.map_or("text", |of| of.plural);
            anyhow::ensure!(
                is_as_said,
                "{}: {}, but the input is read with --framing {}; both must have the same form",
                shown_path(path),
                what(found),
                self.framing.name
            );
        }
        self.check_guessed()
    }

    /// Detects whether the inputs are files with columns, unless the framing is given. `is_auto` says whether detection
    /// is asked for. Returns what to tell the user about it.
    pub(super) fn detect_columns(&mut self, is_auto: bool) -> anyhow::Result<Option<String>> {
        if let Some(words) = self.inputs.iter().find_map(|path| refused_folder(path)) {
            anyhow::bail!("{words}");
        }
        if !is_auto && self.detection.is_typed {
            return self.check_typed().map(|()| None);
        }
        let mut found: Option<(String, &'static NamedFraming)> = None;
        for (at, path) in self.inputs.iter().enumerate() {
            let name = shown_path(path);
            let one = of_file(path)?;
            if one.is_none() {
                check_name(path)?;
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

    /// Checks that the output of a command does not have the name of something else than it is, after the flags that say
    /// where the strings are.
    pub(in crate::cli) fn check_output(&self, solutions: &SolutionFlags, output: Option<&Path>) -> anyhow::Result<()> {
        self.check_places(solutions)?;
        let checked = check_output_name(output, Some(self.framing));
        // If the input is of that sort, that is what has to be said.
        let of_stdin = || if self.detection.is_typed { None } else { self.refused_stdin() };
        checked.map_err(|error| of_stdin().map_or(error, anyhow::Error::msg))
    }

    /// Says what to do with stdin, if its first bytes are those of a file with columns. They are consumed.
    pub(super) fn refused_stdin(&self) -> Option<String> {
        if !self.inputs.iter().all(|path| path.as_os_str() == "-") || io::stdin().is_terminal() {
            return None;
        }
        let mut bytes = Vec::new();
        io::stdin().lock().take(INSPECTED_BYTES as u64).read_to_end(&mut bytes).ok()?;
        let framing = by_first_bytes(&bytes)?;
        Some(match std::ptr::eq(framing, &ARROW) && bytes.starts_with(&STREAM) {
            true => format!("stdin is an Arrow stream; use --framing arrow{NEEDED}"),
            false => format!(
                "stdin is one of those {} that are read from their end; save it to a file, for example with cat > boards.{}, and \
                 name that",
                framing.plural, framing.name
            ),
        })
    }

    /// Checks that no input is beyond doubt a file with columns that the framing, which was typed, does not read.
    fn check_typed(&self) -> anyhow::Result<()> {
        for path in &self.inputs {
            // A file that cannot be opened is reported when it is read.
            let found = beyond_doubt(path).ok().flatten();
            let Some(found) = found.filter(|found| !std::ptr::eq(*found, self.framing)) else { continue };
            let name = shown_path(path);
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
    pub(in crate::cli) fn run_columns(&self, convert: Convert, solutions: &SolutionFlags) -> anyhow::Result<Report> {
        let columns = StringColumns {
            strings: names("--column", &self.column)?,
            solutions: names("--solution-column", &solutions.solution_column)?,
        };
        Ok(columnar::run(convert, self.column_file(), columns)?)
    }

    /// Removes duplicate rows from files with columns. `others` are the other files, if there are any.
    pub(in crate::cli) fn dedupe_columns(&self, dedupe: Dedupe, others: Option<&Self>) -> anyhow::Result<Deduped> {
        let columns = |of: &Self| -> anyhow::Result<_> {
            Ok(StringColumns { strings: names("--column", &of.column)?, solutions: Vec::new() })
        };
        let of_others = others.map(columns).transpose()?.unwrap_or_default();
        Ok(columnar::dedupe(dedupe, self.column_file(), columns(self)?, of_others)?)
    }

    fn column_file(&self) -> ColumnFile {
        column_file(self.framing)
    }
}

fn column_file(framing: &NamedFraming) -> ColumnFile {
    if std::ptr::eq(framing, &PARQUET) { ColumnFile::Parquet } else { ColumnFile::Arrow }
}

/// Returns the names of columns that were given with a flag.
fn names(flag: &str, columns: &[String]) -> anyhow::Result<Vec<String>> {
    columns.iter().map(|column| name(flag, column)).collect()
}

/// Returns the name of a column that was given with a flag. Numbers are names, too, since columns of these files are not
/// given by their numbers.
fn name(flag: &str, column: &str) -> anyhow::Result<String> {
    match (column.strip_prefix("name:"), column.strip_prefix("number:")) {
        (Some(name), _) => Ok(name.to_string()),
        (None, Some(_)) => anyhow::bail!(
            "{flag} '{column}': in Parquet and Arrow files, give the name of the column; if this is its name, use {flag} \
             'name:{column}'"
        ),
        (None, None) => Ok(column.to_string()),
    }
}

/// Follows the advice to use these framings.
const NEEDED: &str = if cfg!(feature = "parquet") { "" } else { " (in a program that was built with --all-features)" };
