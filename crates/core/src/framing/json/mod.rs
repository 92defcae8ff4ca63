//! JSON lines: a string, or an array of strings, at a pointer (RFC 6901) of each line.
//!
//! - `walk`: a quick walk through lines that are plain to see.
//! - `seek`: the way to the value in all others. `list`: the strings of an array.

mod list;
mod seek;
mod walk;

use std::borrow::Cow;
use std::ops::Range;

use serde::de::DeserializeSeed;
use serde_json::value::RawValue;

use super::rows::{FoundString, Rows, StringPlace, TextRow, holds_line_end, too_long_row};
use super::{Asked, Framing, MAX_ROW, NamedFraming, Options, Piece, Unsuited, Value};
use crate::error::{Code, Reject};
use crate::formats::Text;
use crate::formats::line_at;
use list::List;
use seek::{Pointed, Seek};
use walk::Walk;

pub(super) static JSONL: NamedFraming = NamedFraming {
    name: "jsonl",
    plural: "JSON lines",
    help: "In a field of each line of JSON",
    flags: &["--field", "--solution-field"],
    make: |options: &Options| {
        if options.fields.is_empty() {
            return Err("say with --field where the strings are, for example --field /puzzle".into());
        }
        let pointers = |flag: &str, fields: &[String]| {
            let read =
                |field: &String| pointer(field).ok_or_else(|| format!("{flag} {field}: a pointer begins with a slash"));
            fields.iter().map(read).collect::<Result<Vec<_>, _>>()
        };
        let paths = pointers("--field", &options.fields)?;
        let solutions = pointers("--solution-field", &options.solution_fields)?;
        Ok(Box::new(JsonLines { paths, solutions, fresh: Vec::new() }))
    },
};

/// Names of keys, or numbers of elements.
type Path = Vec<String>;

/// Reads a pointer.
fn pointer(text: &str) -> Option<Path> {
    let mut parts = text.split('/');
    if parts.next() != Some("") {
        return None;
    }
    Some(parts.map(|part| part.replace("~1", "/").replace("~0", "~")).collect())
}

/// JSON lines, and where the strings are in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonLines {
    paths: Vec<Path>,
    /// Where the solutions are that came with the strings: as many as `paths`, or none.
    solutions: Vec<Path>,
    /// A key that the outermost object must not have yet.
    fresh: Vec<String>,
}

impl JsonLines {
    /// Reads a pointer: nothing for the whole line, or `/name/0/name`, with `~1` for a slash in a name and `~0` for a tilde.
    pub fn new(text: &str) -> Option<Self> {
        Some(Self { paths: vec![pointer(text)?], solutions: Vec::new(), fresh: Vec::new() })
    }

    /// Finds the rows of `text`, which begins at the start of one. `all` takes those without a string, too.
    fn rows_of(&self, text: &[u8], all: bool, rows: &mut Rows) {
        let (mut at, mut found) = (0, Vec::new());
        while let Some(line) = line_at(text, at) {
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
            if self.quick(content, &mut found) {
                self.take_quick(line.start, &found, row, rows);
            } else if let [path] = &self.paths[..]
                && self.solutions.is_empty()
            {
                match self.find(content, path) {
                    Ok(found) => self.strings(text, found, row, all, rows),
                    Err(reject) => rows.take(row, Err(reject), all),
                }
            } else {
                let found = self.several(text, content, rows);
                match found {
                    Ok(fields) => rows.take(row, Ok(fields), all),
                    Err(reject) => rows.refuse(row, reject),
                }
            }
        }
    }

    /// All strings at the pointers, and then the solutions, where they are plain to see: a line of printable ASCII without a
    /// backslash, one flat object, each key once. Nothing is said of other lines; most are like this, and this is three times as fast
    /// as a look at all that JSON can be.
    fn quick(&self, line: &[u8], found: &mut Vec<Range<usize>>) -> bool {
        found.clear();
        found.resize(self.paths.len() + self.solutions.len(), 0..0);
        self.look(line, found).is_some() && found.iter().all(|place| !place.is_empty())
    }

    /// See [`JsonLines::quick`].
    fn look(&self, line: &[u8], found: &mut [Range<usize>]) -> Option<()> {
        let odd = |&byte: &u8| byte.wrapping_sub(b' ') >= 0x5f || byte == b'\\';
        if line.iter().fold(false, |any, byte| any | odd(byte)) {
            return None;
        }
        let mut walk = Walk { line, at: 0 };
        walk.expect(b'{')?;
        loop {
            walk.expect(b'"')?;
            let key = walk.string_end();
            walk.expect(b':')?;
            let is_key = |path: &Path| matches!(&path[..], [one] if line[key.clone()] == *one.as_bytes());
            let wanted = self.paths.iter().chain(&self.solutions).position(is_key);
            let again = wanted.is_some_and(|wanted| !found[wanted].is_empty());
            if again || self.fresh.iter().any(|fresh| line[key.clone()] == *fresh.as_bytes()) {
                return None;
            }
            if walk.next()? == b'"' {
                walk.at += 1;
                let value = walk.string_end();
                if let Some(wanted) = wanted {
                    found[wanted] = value;
                }
            } else if wanted.is_some() || !walk.number_or_name() {
                return None;
            }
            match walk.next()? {
                b',' => walk.at += 1,
                b'}' => break,
                _ => return None,
            }
        }
        walk.at += 1;
        walk.next().is_none().then_some(())
    }

    /// Takes the strings of a line that were plain to see; the line begins at `start`.
    fn take_quick(&self, start: usize, found: &[Range<usize>], row: TextRow, rows: &mut Rows) {
        let place = |at: usize| StringPlace::new(start + found[at].start..start + found[at].end, true);
        let count = self.paths.len();
        let mut order: Vec<usize> = (0..count).collect();
        if count > 1 {
            order.sort_unstable_by_key(|&at| found[at].start);
        }
        for at in order {
            rows.fields.push(StringPlace { column: at as u16, ..place(at) });
            if !self.solutions.is_empty() {
                rows.push_solution(Some((Cow::Borrowed(b""), place(count + at))));
            }
        }
        rows.rows.push(TextRow { fields: count as u32, ..row });
    }

    /// Takes the strings of several pointers, or those with solutions, of a line. Returns how many; nothing is taken on an error.
    fn several(&self, text: &[u8], line: &[u8], rows: &mut Rows) -> Result<u32, Reject> {
        let mut found = Vec::new();
        for (column, path) in (0..).zip(&self.paths) {
            let Some((value, place)) = one_string(text, self.find(line, path)?)? else { continue };
            let solution = match self.solutions.get(usize::from(column)) {
                Some(path) => Some(one_string(text, self.find(line, path)?)?),
                None => None,
            };
            found.push((value, StringPlace { column, ..place }, solution));
        }
        found.sort_by_key(|(_, place, _)| place.start);
        let before = rows.fields.len();
        for (value, place, solution) in found {
            if !rows.push(value, place) {
                rows.keep(before);
                return Err(holds_line_end());
            }
            if let Some(solution) = solution {
                rows.push_solution(solution);
            }
        }
        Ok((rows.fields.len() - before) as u32)
    }

    /// The value at a pointer.
    fn find<'t>(&self, line: &'t [u8], path: &[String]) -> Result<&'t str, Reject> {
        let mut json = serde_json::Deserializer::from_slice(line);
        let mut found = Pointed { value: None, twice: false, taken: None };
        let seek = Seek { path, fresh: &self.fresh, found: &mut found };
        seek.deserialize(&mut json).and_then(|()| json.end()).map_err(|error| not_json(&error))?;
        let column = |message: String| Reject::whole(Code::Column, message);
        let pointer = || path.iter().fold(String::new(), |all, part| format!("{all}/{part}"));
        if let Some(key) = found.taken {
            return Err(column(format!("the object has a field {key:?} already")));
        }
        if found.twice {
            return Err(column(format!("there are two fields at {}", pointer())));
        }
        found.value.map(RawValue::get).ok_or_else(|| column(format!("there is nothing at {}", pointer())))
    }

    /// Takes the strings of a value: its own, or those of an array.
    fn strings(&self, text: &[u8], value: &str, row: TextRow, all: bool, rows: &mut Rows) {
        if !value.starts_with('[') {
            let found = string(text, value, rows);
            return rows.take(row, found, all);
        }
        let mut list = List { text, rows, fields: 0, reject: None };
        let read = (&mut list).deserialize(&mut serde_json::Deserializer::from_str(value));
        let List { fields, reject, .. } = list;
        match reject.or(read.err().map(|error| not_json(&error))) {
            Some(reject) => rows.refuse(TextRow { fields, ..row }, reject),
            None => rows.take(TextRow { list: true, ..row }, Ok(fields), all),
        }
    }
}

impl Framing for JsonLines {
    fn appends(&self) -> bool {
        true
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
                "each --field needs its --solution-field, in the same order: {fields} and {solutions}"
            ));
        }
        if paths().any(Vec::is_empty) && !asked.names.is_empty() {
            return Err(
                "where the whole line is the string, nothing can be appended; give a pointer with --field".into()
            );
        }
        Ok(())
    }

    fn columns(&self) -> Vec<String> {
        self.paths.iter().map(|path| path.last().cloned().unwrap_or_default()).collect()
    }

    fn begin(&mut self, _: &Piece, asked: &Asked) -> Result<(), Unsuited> {
        self.fresh = asked.names.to_vec();
        Ok(())
    }

    fn rows(&self, piece: &Piece, all: bool, rows: &mut Rows) {
        self.rows_of(piece.text, all, rows);
    }

    fn rows_stand_alone(&self) -> bool {
        true
    }

    fn is_bare(&self, strings: &[u8]) -> bool {
        memchr::memchr2(b'\\', b'"', strings).is_none()
    }

    fn put(&self, string: &[u8], _: bool, out: &mut Text) {
        // Strings are ASCII; what JSON escapes of that are quotes and backslashes.
        let escaped = serde_json::to_string(&String::from_utf8_lossy(string)).unwrap_or_default();
        let inner = escaped.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default();
        out.push(inner.as_bytes());
    }

    fn end_of_fields(&self, row: &[u8]) -> usize {
        memchr::memrchr(b'}', row).unwrap_or(row.len())
    }

    fn append(&self, name: &str, values: &[Value], list: bool, out: &mut Text) {
        out.push(b",\"");
        self.put(name.as_bytes(), true, out);
        out.push(b"\":");
        if values.is_empty() {
            return out.push(b"null");
        }
        out.push(if list { b"[" } else { b"" });
        for (at, value) in values.iter().enumerate() {
            out.push(if at > 0 { b"," } else { b"" });
            match value {
                Value::Text(text) => {
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

/// Takes a string, if there is one and not nothing; returns how many were taken.
fn string(text: &[u8], value: &str, rows: &mut Rows) -> Result<u32, Reject> {
    let Some((value, place)) = one_string(text, value)? else { return Ok(0) };
    if rows.push(value, place) { Ok(1) } else { Err(holds_line_end()) }
}

/// What a string means and where it stands, if it is not null or empty.
fn one_string<'t>(text: &[u8], value: &'t str) -> Result<Option<FoundString<'t>>, Reject> {
    let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    let Some(inner) = inner else {
        if value == "null" {
            return Ok(None);
        }
        let what = match value.as_bytes().first() {
            Some(b'{') => "an object",
            Some(b'[') => "an array",
            Some(b't' | b'f') => "true or false",
            _ => "a number",
        };
        return Err(Reject::whole(Code::Column, format!("it is {what}, not a string")));
    };
    if inner.is_empty() {
        return Ok(None);
    }
    // Both are of the same text: the value was borrowed from it.
    let start = inner.as_ptr() as usize - text.as_ptr() as usize;
    let place = StringPlace::new(start..start + inner.len(), true);
    let meant = match memchr::memchr(b'\\', inner.as_bytes()) {
        None => Cow::Borrowed(inner.as_bytes()),
        Some(_) => Cow::Owned(serde_json::from_str::<String>(value).map_err(|error| not_json(&error))?.into_bytes()),
    };
    Ok(Some((meant, place)))
}

fn not_json(error: &serde_json::Error) -> Reject {
    // It says a line of its own, which is always the first.
    let message = error.to_string();
    let message = message.replace(" at line 1 column ", ", at byte ");
    Reject::whole(Code::Json, format!("this is no JSON: {message}"))
}

#[cfg(test)]
mod tests {
    use super::walk::is_number;
    use super::*;

    /// Each row's strings, or why it has none.
    fn read(pointer: &str, text: &str) -> Vec<String> {
        let mut rows = Rows::default();
        JsonLines::new(pointer).expect("a pointer").rows_of(text.as_bytes(), true, &mut rows);
        let values: Vec<_> =
            rows.strings(text.as_bytes()).map(|value| String::from_utf8_lossy(value).into_owned()).collect();
        let mut values = values.into_iter().zip(&rows.fields);
        let mut refused = rows.refused.iter();
        let row = |(index, row): (usize, &TextRow)| {
            if refused.clone().next().is_some_and(|(of, _)| *of == index) {
                return refused
                    .next()
                    .map(|(_, reject)| format!("{}: {}", reject.code, reject.message))
                    .expect("it is there");
            }
            let strings = values.by_ref().take(row.fields as usize).map(|(value, place)| {
                let raw = &text[place.start as usize..place.end as usize];
                assert_eq!(serde_json::from_str::<String>(&format!("\"{raw}\"")).expect("a string"), value);
                value
            });
            strings.collect::<Vec<_>>().join("|")
        };
        rows.rows.iter().enumerate().map(row).collect()
    }

    #[test]
    fn strings_at_pointers() {
        assert_eq!(read("/a", "{\"a\":\"x\"}\n\n {\"b\":{\"a\":1}, \"a\" : \"y\" } \r\n"), ["x", "y"]);
        assert_eq!(read("/a/b", "{\"a\":{\"c\":[],\"b\":\"x\"},\"b\":\"z\"}"), ["x"]);
        assert_eq!(read("/a/1", "{\"a\":[\"x\",\"y\",\"z\"]}"), ["y"]);
        assert_eq!(read("/a", "{\"a\":[\"x\",null,\"\",\"y\"]}\n{\"a\":[]}"), ["x|y", ""]);
        assert_eq!(read("", "\"x\"\nnull\n\"\""), ["x", "", ""]);
        assert_eq!(read("/~1~0~01", "{\"/~~1\":\"x\"}"), ["x"]);
        assert_eq!(read("/ä", "{\"\\u00e4\":\"\\u0031\\/2\"}"), ["1/2"]);
        assert_eq!(read("/", "{\"\":\"x\"}"), ["x"]);
        assert!(JsonLines::new("a").is_none());
    }

    #[test]
    fn refused_rows() {
        for (line, why) in [
            ("{\"b\":\"x\"}", "column: there is nothing at /a"),
            ("[\"x\"]", "column: there is nothing at /a"),
            ("7", "column: there is nothing at /a"),
            ("{\"a\":12}", "column: it is a number, not a string"),
            ("{\"a\":{}}", "column: it is an object, not a string"),
            ("{\"a\":[\"x\",3]}", "column: it is a number, not a string"),
            ("{\"a\":[\"x\",[]]}", "column: it is an array, not a string"),
            ("{\"a\":\"x\",\"a\":\"y\"}", "column: there are two fields at /a"),
            ("{\"a\":\"x\"", "json: this is no JSON: EOF while parsing an object, at byte 8"),
            ("{\"a\":\"x\"} {}", "json: this is no JSON: trailing characters, at byte 11"),
            ("{\"a\":\"x\",}", "json: this is no JSON: trailing comma, at byte 10"),
            ("{'a':1}", "json: this is no JSON: key must be a string, at byte 2"),
            ("# x", "json: this is no JSON: expected value, at byte 1"),
            ("{\"a\":\"x\\ny\"}", "digit: the string holds a line end; no puzzle string does"),
            ("{\"a\":[\"x\",\"\\n\"]}", "digit: the string holds a line end; no puzzle string does"),
        ] {
            assert_eq!(read("/a", &format!("{{\"a\":\"1\"}}\n{line}\n{{\"a\":\"2\"}}")), ["1", why, "2"], "{line}");
        }
    }

    #[test]
    fn a_key_that_is_to_be_new_is_refused_if_it_is_there() {
        let mut rows = Rows::default();
        let pointer = JsonLines { fresh: vec!["n".into()], ..JsonLines::new("/a").expect("a pointer") };
        let text = b"{\"a\":\"x\",\"n\":1}\n{\"a\":\"y\",\"o\":{\"n\":1}}";
        pointer.rows_of(text, false, &mut rows);
        assert_eq!(rows.refused.len(), 1);
        assert_eq!(rows.refused[0].1.message, "the object has a field \"n\" already");
        assert_eq!(rows.strings(text).collect::<Vec<_>>(), [b"y"]);
    }

    /// What is plain to see is what the parser says, whatever is done to a line; and most of these lines are plain to see.
    #[test]
    fn the_quick_look_agrees_with_the_parser() {
        let lines = [
            r#"{"id":1,"bd":"0123","z":"user"}"#,
            r#" { "bd" : "x" , "a":-1.50e+3 , "b":true,"c":null, "dd": 0 } "#,
            r#"{"a":"","bd":"y","a":false,"n":0.0}"#,
        ];
        let pointer = JsonLines { fresh: vec!["new".into()], ..JsonLines::new("/bd").expect("a pointer") };
        let (mut seen, mut quick) = (0, 0);
        let mut look = |text: &[u8]| {
            seen += 1;
            let mut found = Vec::new();
            if !pointer.quick(text, &mut found) {
                return;
            }
            let [place] = &found[..] else { panic!("one string") };
            quick += 1;
            let value = pointer
                .find(text, &pointer.paths[0])
                .unwrap_or_else(|reject| panic!("{reject}: {}", String::from_utf8_lossy(text)));
            assert_eq!(value.as_bytes(), &text[place.start - 1..place.end + 1], "{}", String::from_utf8_lossy(text));
        };
        let bytes: Vec<u8> = (0..=255).collect();
        for line in lines.map(str::as_bytes) {
            assert!(pointer.quick(line, &mut Vec::new()), "{}", String::from_utf8_lossy(line));
            for at in 0..=line.len() {
                look(&line[..at]);
                look(&[&line[..at], &line[(at + 1).min(line.len())..]].concat());
                for &byte in &bytes {
                    look(&[&line[..at], &[byte], &line[at..]].concat());
                    look(&[&line[..at], &[byte], &line[(at + 1).min(line.len())..]].concat());
                }
            }
        }
        assert!(quick > 5_000 && quick < seen, "{quick} of {seen}");
        for text in ["01", "-", "1.", ".5", "1e", "1e+", "+1", "0x1", "1.5.2", "--1", "NaN", "1 2", "00"] {
            assert!(!is_number(text.as_bytes()), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
        }
        for text in ["0", "-0", "10", "1.5", "-1.25e-10", "1E5", "1e+5", "0.0e0"] {
            assert!(is_number(text.as_bytes()), "{text}");
        }
    }

    /// Whatever bytes a line has: it is refused, or what is found is a JSON string where it is said to be.
    #[test]
    fn changed_bytes() {
        let line = br#"{"id":1.5e3,"a":{"b":["x\u0031","\"y"],"c":null},"d":[true,{"a":"\\"}]}"#;
        let pointer = JsonLines::new("/a/b").expect("a pointer");
        let mut good = 0;
        for at in 0..line.len() {
            for byte in 0..=255 {
                let mut text = line.to_vec();
                text[at] = byte;
                let mut rows = Rows::default();
                pointer.rows_of(&text, true, &mut rows);
                for place in &rows.fields {
                    let raw = &text[place.start as usize - 1..place.end as usize + 1];
                    assert!(serde_json::from_slice::<String>(raw).is_ok(), "{}", String::from_utf8_lossy(&text));
                }
                good += usize::from(!rows.fields.is_empty());
            }
        }
        assert!(good > 1000);
    }
}
