//! The strings to be drawn: those on the command line, and those in files and stdin, in any framing.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

use super::super::flags::{refused_columns, take_strings};
use super::super::print_stderr;
use crate::amounts::{counted, grouped};
use crate::engine::kernel;
use crate::error::{Error, escape, shown_path};
use crate::formats::{Format, Hints, begins_like_a_comment, recognise};
use crate::framing::cutter::TextBefore;
use crate::framing::{
    Asked, BYTE_ORDER_MARK, Guess, NamedFraming, NamedPlace, Options, Piece, RecordSort, Rows, TextRow, Unsure,
    count_lines, guess, is_no_record,
};
use crate::platform;
use crate::source::{Input, Reading, Source, begin_as_utf8};

/// The maximum amount of text; more cannot be viewed.
const MAX_TEXT: u64 = 32 << 20;

/// The number of bytes of a line that are shown.
const MAX_SHOWN: usize = 40;

/// The strings to be drawn.
pub(super) struct DrawInputs<'f> {
    inputs: Vec<DrawInput<'f>>,
    from: Option<Format>,
    /// Whether something was left out that is not a board, other than titles of boards.
    pub(super) is_partial: bool,
}

/// A string to be drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberedString<'s> {
    /// Its number in its file, or among the arguments. For lines, it is the number of the line.
    pub(super) number: usize,
    pub(super) string: &'s [u8],
    /// Its format, if that is known.
    pub(super) from: Option<Format>,
}

enum DrawInput<'f> {
    Named(usize, &'f [u8]),
    /// The lines of a text.
    Lines(Vec<u8>),
    /// The strings of rows.
    Rows {
        text: Vec<u8>,
        rows: Box<Rows>,
        from: Option<Format>,
    },
    /// The strings of a file with columns.
    Column(ColumnStrings),
}

/// The strings of a column, each with the number of its row.
type ColumnStrings = Vec<(usize, Vec<u8>)>;

/// Whether there are no arguments, so that stdin is read.
pub(super) fn reads_stdin(named: &[OsString]) -> bool {
    named.is_empty() || named == ["-"]
}

/// Whether there is a file of this name. If the system cannot tell, opening it will say why.
fn may_be_file(path: &Path) -> bool {
    use std::io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    match path.metadata() {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), InvalidFilename | InvalidInput | NotADirectory | NotFound),
    }
}

/// Returns the arguments that are files. The others are strings.
pub(super) fn files<'f>(named: &'f [OsString], from: Option<Format>, hints: &Hints) -> Vec<&'f Path> {
    let is_file =
        |name: &&OsString| recognise(name.as_encoded_bytes(), from, hints).is_err() && may_be_file(Path::new(name));
    if reads_stdin(named) { Vec::new() } else { named.iter().filter(is_file).map(Path::new).collect() }
}

impl<'f> DrawInputs<'f> {
    /// Reads the arguments, or stdin.
    pub(super) fn read(
        named: &'f [OsString],
        from: Option<Format>,
        hints: &Hints,
        place: &NamedPlace,
    ) -> anyhow::Result<Self> {
        let (mut inputs, mut is_partial) = (Vec::new(), false);
        if reads_stdin(named) {
            let text = stdin()?;
            if let Some(words) = refused_columns(&text, "show") {
                anyhow::bail!("<stdin>: {words}");
            }
            inputs.push(of_text(
                NamedText { name: "<stdin>", text, ending: None },
                from,
                hints,
                place,
                &mut is_partial,
            )?);
        }
        let files = files(named, from, hints);
        let mut read = 0;
        for (number, name) in (1..).zip(named).filter(|_| !reads_stdin(named)) {
            if !files.contains(&Path::new(name)) {
                let string = name.as_encoded_bytes();
                let is_link = recognise(string, from, hints).is_err() && memchr::memmem::find(string, b"://").is_some();
                inputs.push(if is_link {
                    let text = NamedText { name: &format!("string {number}"), text: string.to_vec(), ending: None };
                    of_text(text, from, hints, place, &mut is_partial)?
                } else {
                    DrawInput::Named(number, string)
                });
                continue;
            }
            let (path, shown) = (Path::new(name), shown_path(name));
            let too_much = || Err(anyhow::anyhow!("{shown}: more than {} MiB to draw; pick some", MAX_TEXT >> 20));
            if let Some(strings) = column(path, place, &mut read)? {
                if read > MAX_TEXT {
                    return too_much();
                }
                inputs.push(DrawInput::Column(strings));
                continue;
            }
            let text = decoded(Input::File(path.to_path_buf()))?;
            read += text.len() as u64;
            if read > MAX_TEXT {
                return too_much();
            }
            let ending = path.extension().and_then(|ending| ending.to_str());
            inputs.push(of_text(NamedText { name: &shown, text, ending }, from, hints, place, &mut is_partial)?);
        }
        Ok(Self { inputs, from, is_partial })
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
                DrawInput::Column(strings) => Box::new(strings.iter().map(|(number, string)| NumberedString {
                    number: *number,
                    string,
                    from: self.from,
                })),
            }
        })
    }

    fn is_record(&self, line: &[u8]) -> bool {
        let strict = self.from == Some(Format::Wolfram);
        !is_no_record(line, strict) || self.from.is_none() && begins_like_a_comment(line)
    }
}

/// Returns the strings of a file, if it is one with columns. Adds their length to `read`, and stops where that is too much.
fn column(path: &Path, place: &NamedPlace, read: &mut u64) -> anyhow::Result<Option<ColumnStrings>> {
    let mut strings = Vec::new();
    let mut take = |number, string: &[u8]| {
        *read += (string.len() + size_of::<(usize, Vec<u8>)>()) as u64; // what it takes in memory
        strings.push((number, string.to_vec()));
        *read <= MAX_TEXT
    };
    let has_columns = take_strings(path, place.column, &mut take)?;
    if has_columns && place.field.is_some() {
        anyhow::bail!("{}: --field is for JSON lines; use --column", shown_path(path));
    }
    Ok(has_columns.then_some(strings))
}

/// A text, with its name in messages.
struct NamedText<'n> {
    name: &'n str,
    text: Vec<u8>,
    /// The ending of its file's name.
    ending: Option<&'n str>,
}

/// Finds the strings in a text, in any framing. Says what is not read, and sets `is_partial` if that is more than titles.
fn of_text<'f>(
    named: NamedText<'_>,
    from: Option<Format>,
    hints: &Hints,
    place: &NamedPlace,
    is_partial: &mut bool,
) -> anyhow::Result<DrawInput<'f>> {
    let NamedText { name, text, ending } = named;
    let guessed = match from {
        Some(_) => return Ok(DrawInput::Lines(text)),
        None => guess(&text, ending, true, place),
    };
    let named = |guess: &Guess| {
        let entry = NamedFraming::named(guess.framing);
        entry.ok_or_else(|| Error::Internal(format!("no framing {}", guess.framing)))
    };
    let (guessed, entry) = match guessed.map(|guess| (named(&guess), guess)) {
        Ok((entry, guess)) if !matches!(entry, Ok(NamedFraming { records: RecordSort::Lines, .. })) => (guess, entry?),
        // Each line then gets its own error.
        Ok(_) | Err(Unsure::Nothing(_)) => return Ok(DrawInput::Lines(text)),
        Err(unsure) => anyhow::bail!("{name}: {unsure}"),
    };
    let options = Options {
        columns: guessed.column.into_iter().collect(),
        fields: guessed.field.into_iter().collect(),
        delimiter: guessed.delimiter,
        no_header: guessed.no_header,
        hints: *hints,
        guessed: true,
        ..Options::default()
    };
    let mut framing = (entry.make)(&options).map_err(anyhow::Error::msg)?;
    let text = text.strip_prefix(BYTE_ORDER_MARK).map_or_else(|| text.clone(), <[u8]>::to_vec);
    let kernel = kernel()?;
    let whole = Piece { text: &text, start: 0, quotes: None, kernel, before: TextBefore::default() };
    let asked = Asked { hints: *hints, ..Asked::default() };
    framing.begin(&whole, &asked).map_err(|unsuited| anyhow::anyhow!("{name}: {}", unsuited.into_message()))?;
    let header = framing.header(&text);
    let body = text[header..].to_vec();
    let mut rows = Rows::default();
    framing.rows(&Piece { text: &body, start: 0, ..whole }, false, &mut rows);
    *is_partial |= say_what_is_left_out(name, entry, &text[..header], &body, &rows);
    Ok(DrawInput::Rows { from: framing.format(None), text: body, rows: Box::new(rows) })
}

/// Says on stderr which rows and lines of a text are not boards. `header` is the text before the rows. Returns whether
/// there is more of that than titles of boards.
fn say_what_is_left_out(name: &str, framing: &NamedFraming, header: &[u8], body: &[u8], rows: &Rows) -> bool {
    if let Some((at, reject)) = rows.refused.first() {
        let line = count_lines(header) + u64::from(rows.rows[*at].line) + 1;
        let are = if rows.refused.len() == 1 { "is not a board" } else { "are not boards" };
        let what = if framing.records == RecordSort::Blocks { framing.plural } else { "rows" };
        let count = grouped(rows.refused.len() as u64);
        print_stderr(&format!("{name}: {count} of its {what} {are}; the first (line {line}): {reject}"));
    }
    if framing.records != RecordSort::Blocks {
        return !rows.refused.is_empty();
    }
    let lines = lines_between(body, &rows.rows);
    if let Some(TextLine { number, text, .. }) = lines.first() {
        let shown = escape(&text[..text.len().min(MAX_SHOWN)]);
        let belong = if lines.len() == 1 { "belongs to no grid and was" } else { "belong to no grid and were" };
        let count = counted(lines.len() as u64, "line");
        print_stderr(&format!("{name}: {count} of text {belong} not read; the first (line {number}): {shown}"));
    }
    !rows.refused.is_empty() || lines.iter().any(|line| !line.may_be_title)
}

/// A line between grids.
struct TextLine<'t> {
    /// Its number, from 1.
    number: usize,
    text: &'t [u8],
    /// Whether it is the last one before a grid.
    may_be_title: bool,
}

/// Returns the lines of a text between its rows, apart from blank lines and comments.
fn lines_between<'t>(text: &'t [u8], rows: &[TextRow]) -> Vec<TextLine<'t>> {
    let (mut lines, mut number, mut at) = (Vec::new(), 1, 0);
    let places = rows.iter().map(|row| (row.start as usize, row.next as usize)).chain([(text.len(), text.len())]);
    for (start, next) in places {
        let before = lines.len();
        for line in text[at..start].split_inclusive(|&byte| byte == b'\n') {
            let text = line.trim_ascii();
            if !is_no_record(text, false) {
                lines.push(TextLine { number, text, may_be_title: false });
            }
            number += 1;
        }
        if let Some(last) = lines[before..].last_mut() {
            last.may_be_title = start < text.len();
        }
        number += count_lines(&text[start..next]) as usize;
        at = next;
    }
    lines
}

fn stdin() -> anyhow::Result<Vec<u8>> {
    if platform::was_closed(0) {
        anyhow::bail!("stdin is closed; open it, or give the strings as arguments");
    }
    let mut text = Vec::new();
    let read = std::io::stdin().lock().take(MAX_TEXT + 1).read_to_end(&mut text);
    read.map_err(|error| Error::io("<stdin>", "read", error))?;
    need_drawable(&text)?;
    let reader = Box::new(std::io::Cursor::new(text));
    let text = match begin_as_utf8(reader.get_ref()) {
        Some(_) => decoded(Input::Reader { name: "<stdin>".into(), reader })?,
        None => reader.into_inner(),
    };
    need_drawable(&text)?;
    Ok(text)
}

/// Refuses too much text.
fn need_drawable(text: &[u8]) -> anyhow::Result<()> {
    if text.len() as u64 > MAX_TEXT {
        anyhow::bail!("more than {} MiB of strings to draw; pick some with head", MAX_TEXT >> 20);
    }
    Ok(())
}

/// Returns the text of an input, which may be compressed, or UTF-16: at most a chunk more than can be drawn.
fn decoded(input: Input) -> anyhow::Result<Vec<u8>> {
    let source = Source::new(vec![input], Reading::Read, 1 << 20)?;
    let mut text = Vec::new();
    while let Some(pulled) = source.next(Vec::new()) {
        text.extend_from_slice(pulled.chunk?.text());
        if text.len() as u64 > MAX_TEXT {
            break;
        }
    }
    Ok(text)
}
