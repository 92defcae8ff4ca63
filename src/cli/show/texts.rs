//! The strings to be drawn: those on the command line, and those in files and stdin, in any framing.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::super::startup;
use crate::engine::kernel;
use crate::error::{Error, escape};
use crate::formats::{Hints, Id, begins_like_a_comment, recognise};
use crate::framing::{
    Asked, BYTE_ORDER_MARK, NamedPlace, Options, Piece, REGISTRY, Rows, Unsuited, Unsure, guess, is_no_record,
};
use crate::source::{Input, Reading, Source};

/// The maximum amount of text; more cannot be viewed.
const MAX_TEXT: u64 = 32 << 20;

/// The strings to be drawn.
pub(super) struct DrawInputs<'f> {
    inputs: Vec<DrawInput<'f>>,
    from: Option<Id>,
}

/// A string to be drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberedString<'s> {
    /// Its number in its file, or among the arguments. For lines, it is the number of the line.
    pub(super) number: usize,
    pub(super) string: &'s [u8],
    /// Its format, if that is known.
    pub(super) from: Option<Id>,
}

enum DrawInput<'f> {
    Named(usize, &'f [u8]),
    /// The lines of a text.
    Lines(Vec<u8>),
    /// The strings of rows.
    Rows {
        text: Vec<u8>,
        rows: Box<Rows>,
        from: Option<Id>,
    },
}

/// Whether there are no arguments, so that stdin is read.
pub(super) fn reads_stdin(named: &[OsString]) -> bool {
    named.is_empty() || named == ["-"]
}

/// Returns the arguments that are files. The others are strings.
pub(super) fn files<'f>(named: &'f [OsString], from: Option<Id>, hints: &Hints) -> Vec<&'f Path> {
    let is_file = |name: &&OsString| recognise(name.as_bytes(), from, hints).is_err() && Path::new(name).is_file();
    if reads_stdin(named) { Vec::new() } else { named.iter().filter(is_file).map(Path::new).collect() }
}

impl<'f> DrawInputs<'f> {
    /// Reads the arguments, or stdin.
    pub(super) fn read(
        named: &'f [OsString],
        from: Option<Id>,
        hints: &Hints,
        place: &NamedPlace,
    ) -> anyhow::Result<Self> {
        let mut inputs = Vec::new();
        if reads_stdin(named) {
            inputs.push(of_text("<stdin>", stdin()?, None, from, hints, place)?);
        }
        let files = files(named, from, hints);
        let mut read = 0;
        for (number, name) in (1..).zip(named).filter(|_| !reads_stdin(named)) {
            if !files.contains(&Path::new(name)) {
                inputs.push(DrawInput::Named(number, name.as_bytes()));
                continue;
            }
            let (path, shown) = (Path::new(name), escape(name.as_bytes()));
            let text = file(path)?;
            read += text.len() as u64;
            if read > MAX_TEXT {
                anyhow::bail!("{shown}: more than {} MiB to draw; pick some with head", MAX_TEXT >> 20);
            }
            let ending = path.extension().and_then(|ending| ending.to_str());
            inputs.push(of_text(&shown, text, ending, from, hints, place)?);
        }
        Ok(Self { inputs, from })
    }

    /// Returns the strings.
    pub(super) fn iter(&self) -> impl Iterator<Item = NumberedString<'_>> {
        self.inputs.iter().flat_map(|input| -> Box<dyn Iterator<Item = NumberedString<'_>>> {
            match input {
                DrawInput::Named(number, string) => {
                    Box::new(std::iter::once(NumberedString { number: *number, string, from: self.from }))
                }
                DrawInput::Lines(text) => {
                    let lines = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).split(|&byte| byte == b'\n');
                    let lines = (1..).zip(lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)));
                    let records = lines.filter(|(_, line)| self.is_record(line));
                    Box::new(records.map(|(number, string)| NumberedString { number, string, from: self.from }))
                }
                DrawInput::Rows { text, rows, from } => {
                    let strings = (1..).zip(rows.strings(text));
                    Box::new(strings.map(|(number, string)| NumberedString { number, string, from: *from }))
                }
            }
        })
    }

    fn is_record(&self, line: &[u8]) -> bool {
        let strict = self.from == Some(Id::Wolfram);
        !is_no_record(line, strict) || self.from.is_none() && begins_like_a_comment(line)
    }
}

/// Finds the strings in a text, in any framing.
fn of_text<'f>(
    name: &str,
    text: Vec<u8>,
    ending: Option<&str>,
    from: Option<Id>,
    hints: &Hints,
    place: &NamedPlace,
) -> anyhow::Result<DrawInput<'f>> {
    let guessed = match from {
        Some(_) => return Ok(DrawInput::Lines(text)),
        None => guess(&text, ending, true, place),
    };
    let guessed = match guessed {
        Ok(guessed) if guessed.framing != "lines" => guessed,
        // Each line then gets its own error.
        Ok(_) | Err(Unsure::Nothing(_)) => return Ok(DrawInput::Lines(text)),
        Err(Unsure::Refused(words)) => {
            anyhow::bail!("{name}: {words}")
        }
    };
    let entry = REGISTRY.iter().find(|entry| entry.name == guessed.framing);
    let entry = entry.ok_or_else(|| Error::Internal(format!("no framing {}", guessed.framing)))?;
    let options = Options {
        columns: guessed.column.into_iter().collect(),
        fields: guessed.field.into_iter().collect(),
        solution_columns: Vec::new(),
        solution_fields: Vec::new(),
        delimiter: guessed.delimiter,
        no_header: guessed.no_header,
        null: None,
        hints: *hints,
        to: Id::V2,
    };
    let mut framing = (entry.make)(&options).map_err(anyhow::Error::msg)?;
    let text = text.strip_prefix(BYTE_ORDER_MARK).map_or_else(|| text.clone(), <[u8]>::to_vec);
    let kernel = kernel()?;
    let whole = Piece { text: &text, start: 0, quotes: None, kernel, owed: 0 };
    framing.begin(&whole, &Asked { from: None, hints: *hints, names: &[] }).map_err(|unsuited| match unsuited {
        Unsuited::Asked(words) | Unsuited::Input(words) => anyhow::anyhow!("{name}: {words}"),
    })?;
    let header = framing.header(&text);
    let body = text[header..].to_vec();
    let mut rows = Rows::default();
    framing.rows(&Piece { text: &body, start: 0, ..whole }, false, &mut rows);
    if let Some((_, reject)) = rows.refused.first() {
        super::super::print_stderr(&format!(
            "{name}: {} of its rows are not boards; the first: {reject}",
            rows.refused.len()
        ));
    }
    Ok(DrawInput::Rows { from: framing.format(None), text: body, rows: Box::new(rows) })
}

fn stdin() -> anyhow::Result<Vec<u8>> {
    if startup::was_closed(0) {
        anyhow::bail!("stdin is closed; open it, or give the strings as arguments");
    }
    let mut text = Vec::new();
    let read = std::io::stdin().lock().take(MAX_TEXT + 1).read_to_end(&mut text);
    read.map_err(|error| Error::io("<stdin>", "read", error))?;
    if text.len() as u64 > MAX_TEXT {
        anyhow::bail!("more than {} MiB of strings to draw; pick some with head", MAX_TEXT >> 20);
    }
    Ok(text)
}

/// Returns the text of a file, which may be compressed.
fn file(path: &Path) -> anyhow::Result<Vec<u8>> {
    let source = Source::new(vec![Input::File(path.to_path_buf())], Reading::Read, 1 << 20)?;
    let mut text = Vec::new();
    while let Some(pulled) = source.next(Vec::new()) {
        text.extend_from_slice(pulled.chunk?.text());
        if text.len() as u64 > MAX_TEXT {
            break;
        }
    }
    Ok(text)
}
