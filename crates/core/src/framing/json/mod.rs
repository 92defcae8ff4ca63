//! JSON lines: a string, or an array of strings, at a pointer (RFC 6901) in each line.
//!
//! There are three ways to read a line, from the fastest to the most general:
//!
//! - `pattern`: the line has the same bytes between its values as an earlier one.
//! - `cursor`: the line is a flat object of printable ASCII without escapes.
//! - `seek`: `serde_json` parses the line. `list` reads the strings of an array.
//!
//! `string`: the string of a value. `guess`: finds the pointer to the strings.

mod cursor;
mod guess;
mod list;
mod pattern;
mod seek;
mod string;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use serde_core::de::DeserializeSeed;
use serde_json::value::RawValue;

use super::rows::{Rows, StringPlace, TextRow, holds_line_end, too_long_row};
use super::{
    Appends, Asked, Beside, Framing, FramingFacts, MAX_ROW, NamedFraming, NewName, Options, Piece, RecordSort,
    RowWriter, Unsuited, Value,
};
use crate::error::{Code, Reject};
use crate::formats::{Text, Within, is_string, line_at};
use crate::kernels::{Kernel, SimdTask};
use cursor::Cursor;
pub(super) use guess::guess;
use list::List;
use pattern::ObjectPattern;
use seek::{Pointed, Seek};
use string::{not_json, read_string, take_string};

pub(super) static JSONL: NamedFraming = NamedFraming {
    name: "jsonl",
    plural: "JSON lines",
    help: "A field of each line of JSON",
    flags: &["--field", "--solution-field"],
    extensions: &["jsonl", "ndjson"],
    rows_extension: Some("jsonl"),
    beside: Beside::Field,
    records: RecordSort::Rows,
    within: Within::Field,
    make: |options: &Options| {
        if options.fields.is_empty() {
            return Err("use --field to say where the strings are, for example --field /puzzle".into());
        }
        let pointers = |flag: &str, fields: &[String]| {
            let read = |field: &String| {
                pointer(field).ok_or_else(|| format!("{flag} {field}: a pointer must begin with a slash"))
            };
            fields.iter().map(read).collect::<Result<Vec<_>, _>>()
        };
        let paths = pointers("--field", &options.fields)?;
        let solutions = pointers("--solution-field", &options.solution_fields)?;
        Ok(Box::new(JsonLines { paths, solutions, new_names: Vec::new() }))
    },
};

/// A parsed pointer: names of keys and indices of elements.
type Path = Vec<String>;

/// Parses a pointer.
fn pointer(text: &str) -> Option<Path> {
    let mut parts = text.split('/');
    if parts.next() != Some("") {
        return None;
    }
    Some(parts.map(|part| part.replace("~1", "/").replace("~0", "~")).collect())
}

/// JSON lines, and the pointers to their strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonLines {
    paths: Vec<Path>,
    /// The pointers to the solutions that came with the strings: as many as `paths`, or none.
    solutions: Vec<Path>,
    /// The names to be appended, which the outermost object must not have yet.
    new_names: Vec<NewName>,
}

impl JsonLines {
    /// Strings at one pointer: empty for the whole line, or `/name/0/name`, with `~1` for a slash in a name and `~0`
    /// for a tilde. `None` if the pointer is invalid.
    pub fn new(text: &str) -> Option<Self> {
        Some(Self { paths: vec![pointer(text)?], solutions: Vec::new(), new_names: Vec::new() })
    }

    /// Finds the rows of `text`, which begins at the start of a row. If `all`, adds rows without a string, too.
    fn rows_of(&self, text: &[u8], all: bool, kernel: &Kernel, rows: &mut Rows) {
        let (mut at, mut found) = (0, Vec::new());
        let all_plain = kernel.run(IsPlain { text, also: b'\n' });
        // The pattern of an earlier line. No more patterns are made if there are already more of them than lines that
        // matched one.
        let (mut pattern, mut patterns, mut matched) = (None, 0, 0);
        loop {
            if let Some(pattern) = &pattern {
                let before = rows.rows.len();
                at = self.take_matching(text, at, pattern, &mut found, rows);
                matched += rows.rows.len() - before;
            }
            let Some(line) = line_at(text, at) else { return };
            if rows.is_full() {
                rows.stopped = Some(at);
                return;
            }
            at = line.next;
            let number = rows.lines as u32;
            rows.lines += 1;
            let content = &text[line.start..line.end];
            if content.iter().all(|byte| b" \t\r".contains(byte)) {
                continue;
            }
            let (start, end, next) = (line.start as u32, line.end as u32, line.next as u32);
            let row = TextRow { start, end, next, line: number, fields: 0, list: false };
            if content.len() > MAX_ROW {
                rows.refuse(row, too_long_row());
                continue;
            }
            let is_plain = all_plain || kernel.run(IsPlain { text: content, also: b' ' });
            if is_plain && self.find_in_flat(content, &mut found) {
                self.take_flat(line.start, &found, row, rows);
                if all_plain && patterns <= matched {
                    pattern = ObjectPattern::of(content, &found);
                    patterns += 1;
                }
            } else if let [path] = &self.paths[..]
                && self.solutions.is_empty()
            {
                match self.required_value(content, path) {
                    Ok(found) => take_strings(text, found, row, all, rows),
                    Err(reject) => rows.take(row, Err(reject), all),
                }
            } else {
                let found = self.take_several(text, content, rows);
                match found {
                    Ok(fields) => rows.take(row, Ok(fields), all),
                    Err(reject) => rows.refuse(row, reject),
                }
            }
        }
    }

    /// Adds the lines from `at` on that match a pattern. The text must not contain backslashes. Returns the start of
    /// the first line that does not match.
    fn take_matching(
        &self,
        text: &[u8],
        mut at: usize,
        pattern: &ObjectPattern,
        found: &mut [Range<usize>],
        rows: &mut Rows,
    ) -> usize {
        while !rows.is_full()
            && let Some(length) = pattern.match_line(&text[at..], found)
            && length <= MAX_ROW
        {
            let (start, next, line) = (at as u32, (at + length) as u32, rows.lines as u32);
            rows.lines += 1;
            let row = TextRow { start, end: next - 1, next, line, fields: 0, list: false };
            self.take_flat(at, found, row, rows);
            at += length;
        }
        at
    }

    /// Finds all strings at the pointers, and then the solutions, in a line that is one flat object of printable ASCII
    /// without backslashes. Returns false if the line is something else, or lacks a string, or has a wanted key twice;
    /// [`JsonLines::value_at`] must then read it. Most lines are flat objects, and this is three times as fast as a
    /// parser of all JSON.
    fn find_in_flat(&self, line: &[u8], found: &mut Vec<Range<usize>>) -> bool {
        found.clear();
        found.resize(self.paths.len() + self.solutions.len(), 0..0);
        self.scan_flat(line, found).is_some() && found.iter().all(|place| !place.is_empty())
    }

    /// Finds the strings for [`JsonLines::find_in_flat`]. The range of a string that is missing stays empty.
    fn scan_flat(&self, line: &[u8], found: &mut [Range<usize>]) -> Option<()> {
        let mut cursor = Cursor { line, at: 0 };
        cursor.expect(b'{')?;
        loop {
            cursor.expect(b'"')?;
            let key = cursor.string_contents();
            cursor.expect(b':')?;
            let is_key = |path: &Path| matches!(&path[..], [one] if line[key.clone()] == *one.as_bytes());
            let wanted = self.paths.iter().chain(&self.solutions).position(is_key);
            let again = wanted.is_some_and(|wanted| !found[wanted].is_empty());
            if again || self.new_names.iter().any(|new| line[key.clone()] == *new.name.as_bytes()) {
                return None;
            }
            if cursor.peek()? == b'"' {
                cursor.at += 1;
                let value = cursor.string_contents();
                if let Some(wanted) = wanted {
                    found[wanted] = value;
                }
            } else if wanted.is_some() || !cursor.skip_bare_value() {
                return None;
            }
            match cursor.peek()? {
                b',' => cursor.at += 1,
                b'}' => break,
                _ => return None,
            }
        }
        cursor.at += 1;
        cursor.peek().is_none().then_some(())
    }

    /// Adds the strings that were found in a flat object. The line begins at `start`.
    fn take_flat(&self, start: usize, found: &[Range<usize>], row: TextRow, rows: &mut Rows) {
        let place = |at: usize| StringPlace::new(start + found[at].start..start + found[at].end, true);
        let count = self.paths.len();
        let mut take = |at: usize| {
            rows.fields.push(StringPlace { column: at as u16, ..place(at) });
            if !self.solutions.is_empty() {
                rows.push_solution(Some((Cow::Borrowed(b""), place(count + at))));
            }
        };
        if count == 1 {
            take(0);
        } else {
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_unstable_by_key(|&at| found[at].start);
            order.into_iter().for_each(take);
        }
        rows.rows.push(TextRow { fields: count as u32, ..row });
    }

    /// Adds the strings of a line for several pointers, or for one with solutions. Returns their number. Adds nothing
    /// in case of an error.
    fn take_several(&self, text: &[u8], line: &[u8], rows: &mut Rows) -> Result<u32, Reject> {
        let mut found = Vec::new();
        for (column, path) in (0..).zip(&self.paths) {
            let Some((value, place)) = read_string(text, self.required_value(line, path)?)? else { continue };
            let solution = match self.solutions.get(usize::from(column)) {
                Some(path) => Some(self.value_at(line, path)?.map_or(Ok(None), |value| read_string(text, value))?),
                None => None,
            };
            found.push((value, StringPlace { column, ..place }, solution));
        }
        found.sort_by_key(|(_, place, _)| place.start);
        let before = rows.fields.len();
        for (value, place, solution) in found {
            if !rows.push(value, place) {
                rows.truncate_strings(before);
                return Err(holds_line_end());
            }
            if let Some(solution) = solution {
                rows.push_solution(solution);
            }
        }
        Ok((rows.fields.len() - before) as u32)
    }

    /// The value at a pointer, or a refusal if there is none.
    fn required_value<'t>(&self, line: &'t [u8], path: &[String]) -> Result<&'t str, Reject> {
        let nothing = || Reject::whole(Code::Column, format!("there is nothing at {}", shown(path)));
        self.value_at(line, path)?.ok_or_else(nothing)
    }

    /// The value at a pointer, if there is one.
    fn value_at<'t>(&self, line: &'t [u8], path: &[String]) -> Result<Option<&'t str>, Reject> {
        let mut json = serde_json::Deserializer::from_slice(line);
        let mut found = Pointed { value: None, twice: false, taken: None };
        let seek = Seek { path, new_names: &self.new_names, found: &mut found };
        seek.deserialize(&mut json).and_then(|()| json.end()).map_err(|error| not_json(&error))?;
        let column = |message: String| Reject::whole(Code::Column, message);
        let is_object = line.trim_ascii_start().first() == Some(&b'{');
        if !is_object && !self.new_names.is_empty() {
            return Err(column("the line is not an object; fields can be appended only to objects".into()));
        }
        if let Some(new) = found.taken {
            let NewName { name, flag } = new;
            return Err(column(format!("the object already has a field {name:?}; use {flag} to choose another name")));
        }
        if found.twice {
            return Err(column(format!("there are two fields at {}", shown(path))));
        }
        Ok(found.value.map(RawValue::get))
    }
}

/// Adds the row with the strings of a value: the value itself, or those of an array.
fn take_strings(text: &[u8], value: &str, row: TextRow, all: bool, rows: &mut Rows) {
    if !value.starts_with('[') {
        let found = take_string(text, value, rows);
        return rows.take(row, found, all);
    }
    let mut list = List { text, rows, fields: 0, all, none: 0, reject: None };
    let read = (&mut list).deserialize(&mut serde_json::Deserializer::from_str(value));
    let List { fields, reject, .. } = list;
    match reject.or(read.err().map(|error| not_json(&error))) {
        Some(reject) => rows.refuse(TextRow { fields, ..row }, reject),
        None => rows.take(TextRow { list: true, ..row }, Ok(fields), all),
    }
}

/// Advice for a text that is a JSON array with strings in its first elements or, with `lists`, lists of 81 numbers.
pub(super) fn array_of_boards(text: &[u8], lists: bool) -> Option<&'static str> {
    /// How many elements are examined.
    const EXAMINED: usize = 60;
    let mut rest = text.trim_ascii_start().strip_prefix(b"[")?;
    for _ in 0..EXAMINED {
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<serde_json::Value>();
        let value = values.next()?.ok()?;
        if holds_board(&value, lists) {
            return Some(match value {
                serde_json::Value::String(_) => "it is a JSON array of strings; jq -r '.[]' puts each on its own line",
                _ => "it is a JSON document, not JSON lines; jq -c '.[]' puts each element on its own line",
            });
        }
        rest = rest[values.byte_offset()..].trim_ascii_start().strip_prefix(b",")?;
    }
    None
}

/// Whether a value is or contains a string or, with `lists`, a list of 81 numbers, which may be in lists themselves.
fn holds_board(value: &serde_json::Value, lists: bool) -> bool {
    fn numbers(value: &serde_json::Value) -> usize {
        value.as_array().map_or(usize::from(value.is_number()), |list| list.iter().map(numbers).sum())
    }
    match value {
        serde_json::Value::String(text) => is_string(text.as_bytes()),
        serde_json::Value::Array(list) => {
            lists && numbers(value) == 81 || list.iter().any(|value| holds_board(value, lists))
        }
        serde_json::Value::Object(object) => object.values().any(|value| holds_board(value, lists)),
        _ => false,
    }
}

/// Advice for JSON whose first line shows that it is one document over several lines.
fn over_lines(text: &[u8]) -> Option<&'static str> {
    // A line without an end is the only one, or the last.
    let lines = std::iter::successors(line_at(text, 0), |line| line_at(text, line.next));
    let mut lines = lines.filter(|line| line.end < line.next).map(|line| text[line.start..line.end].trim_ascii());
    let first = lines.find(|line| !line.is_empty())?;
    let goes_on = matches!(first, [b'[' | b'{'] | [b'[', .., b',' | b'[' | b'{' | b':']);
    let is_open = || serde_json::from_slice::<serde_core::de::IgnoredAny>(first).is_err_and(|error| error.is_eof());
    (goes_on && is_open()).then_some(match first[0] {
        b'[' => "it is a JSON array over several lines, not JSON lines; jq -c '.[]' puts each element on its own line",
        _ => "it is JSON over several lines, not JSON lines; jq -c . puts each object on its own line",
    })
}

impl Framing for JsonLines {
    fn facts(&self) -> FramingFacts {
        FramingFacts { appends: Appends::Named, rows_stand_alone: true, ..FramingFacts::default() }
    }

    fn check(&self, asked: &Asked) -> Result<(), String> {
        let paths = || self.paths.iter().chain(&self.solutions);
        if let Some(twice) =
            paths().enumerate().find_map(|(at, path)| paths().take(at).any(|other| other == path).then_some(path))
        {
            return Err(format!("the pointer /{} is named twice", twice.join("/")));
        }
        if !self.solutions.is_empty() && self.solutions.len() != self.paths.len() {
            let (fields, solutions) = (self.paths.len(), self.solutions.len());
            return Err(format!(
                "each --field needs a --solution-field, in the same order: got {solutions} for {fields}"
            ));
        }
        if let Some(NewName { name, flag }) =
            asked.names.iter().find(|new| paths().any(|path| path.first() == Some(&new.name)))
        {
            return Err(format!("{name:?} is a field that is read; use {flag} to choose another name"));
        }
        if paths().any(Vec::is_empty) && !asked.names.is_empty() {
            return Err("nothing can be appended if the whole line is the string; give --field a pointer".into());
        }
        Ok(())
    }

    fn columns(&self) -> Vec<String> {
        self.paths.iter().map(|path| path.last().cloned().unwrap_or_default()).collect()
    }

    fn begin(&mut self, first: &Piece, asked: &Asked) -> Result<(), Unsuited> {
        self.new_names = asked.names.to_vec();
        over_lines(first.text).map_or(Ok(()), |words| Err(Unsuited::Input(words.into())))
    }

    fn find_rows(&self, piece: &Piece, all: bool, rows: &mut Rows) {
        self.rows_of(piece.text, all, piece.kernel, rows);
    }
}

impl RowWriter for JsonLines {
    fn is_bare(&self, strings: &[u8]) -> bool {
        memchr::memchr2(b'\\', b'"', strings).is_none()
    }

    fn put(&self, string: &[u8], _: bool, out: &mut Text) {
        if string.iter().all(|byte| byte.is_ascii_graphic() && !b"\\\"".contains(byte)) {
            return out.push(string);
        }
        // Puzzle strings are ASCII, of which JSON escapes quotes and backslashes.
        let escaped = serde_json::to_string(&String::from_utf8_lossy(string)).unwrap_or_default();
        let inner = escaped.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default();
        out.push(inner.as_bytes());
    }

    fn end_of_fields(&self, row: &[u8]) -> usize {
        memchr::memrchr(b'}', row).unwrap_or(row.len())
    }

    fn label(&self, name: &str) -> Vec<u8> {
        format!(",{}:", serde_json::Value::from(name)).into_bytes()
    }

    fn append(&self, label: &[u8], values: &[Value], list: bool, out: &mut Text) {
        out.push(label);
        if values.is_empty() && !list {
            return out.push(b"null");
        }
        out.push(if list { b"[" } else { b"" });
        for (at, value) in values.iter().enumerate() {
            out.push(if at > 0 { b"," } else { b"" });
            match value {
                Value::Text(text) | Value::Words(text) => {
                    out.push(b"\"");
                    self.put(text, true, out);
                    out.push(b"\"");
                }
                Value::Nothing => out.push(b"null"),
                other => other.write(out),
            }
        }
        out.push(if list { b"]" } else { b"" });
    }
}

/// Checks whether a text consists of printable ASCII without backslashes, and of the byte `also`.
struct IsPlain<'t> {
    text: &'t [u8],
    also: u8,
}

impl SimdTask for IsPlain<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let mut odd = 0;
        for &byte in self.text {
            odd |= u8::from((byte.wrapping_sub(b' ') >= 0x5f) | (byte == b'\\')) & u8::from(byte != self.also);
        }
        odd == 0
    }
}

/// A pointer as messages show it.
fn shown(path: &[String]) -> String {
    path.iter().fold(String::new(), |all, part| format!("{all}/{part}"))
}
