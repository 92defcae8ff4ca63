//! JSON lines: a string, or an array of strings, at a pointer (RFC 6901) of each line.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::MAX_ROW;
use super::lines::line_at;
use super::rows::{Row, Rows, field, holds_line_end, too_long_row};
use crate::error::{Code, Reject};

/// Where the strings are in JSON lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// Names of keys, or numbers of elements.
    path: Vec<String>,
    /// A key that the outermost object must not have yet.
    fresh: Vec<String>,
}

impl Pointer {
    /// Reads a pointer: nothing for the whole line, or `/name/0/name`, with `~1` for a slash in a name and `~0` for a tilde.
    pub fn new(pointer: &str) -> Option<Self> {
        let mut parts = pointer.split('/');
        if parts.next() != Some("") {
            return None;
        }
        let path = parts.map(|part| part.replace("~1", "/").replace("~0", "~")).collect();
        Some(Self { path, fresh: Vec::new() })
    }

    /// Has rows refused whose outermost object has one of these keys already.
    #[must_use]
    pub fn with_fresh(mut self, keys: Vec<String>) -> Self {
        self.fresh = keys;
        self
    }

    /// The whole line is the string.
    pub fn is_whole_line(&self) -> bool {
        self.path.is_empty()
    }

    /// Finds the rows of `text`, which begins at the start of one. `all` takes those without a string, too.
    pub fn rows(&self, text: &[u8], all: bool, rows: &mut Rows) {
        let mut at = 0;
        while let Some(line) = line_at(text, at) {
            at = line.next;
            let number = rows.lines as u32;
            rows.lines += 1;
            let content = &text[line.start..line.end];
            if content.iter().all(|byte| b" \t\r".contains(byte)) {
                continue;
            }
            let (start, end, next) = (line.start as u32, line.end as u32, line.next as u32);
            let row = Row { start, end, next, line: number, fields: 0, list: false };
            if content.len() > MAX_ROW {
                rows.refuse(row, too_long_row());
                continue;
            }
            if let Some(place) = self.quick(content) {
                rows.fields.push(field(line.start + place.start..line.start + place.end, true));
                rows.rows.push(Row { fields: 1, ..row });
                continue;
            }
            match self.find(content) {
                Ok(found) => self.strings(text, found, row, all, rows),
                Err(reject) => rows.take(row, Err(reject), all),
            }
        }
    }

    /// The string at the pointer, where that is plain to see: a line of printable ASCII without a backslash, one flat object,
    /// the key once. Nothing is said of other lines; most are like this, and this is three times as fast as a look at all that
    /// JSON can be.
    fn quick(&self, line: &[u8]) -> Option<Range<usize>> {
        let [wanted] = &self.path[..] else { return None };
        let odd = |&byte: &u8| byte.wrapping_sub(b' ') >= 0x5f || byte == b'\\';
        if line.iter().fold(false, |any, byte| any | odd(byte)) {
            return None;
        }
        let mut walk = Walk { line, at: 0 };
        let mut found = None;
        walk.expect(b'{')?;
        loop {
            walk.expect(b'"')?;
            let key = walk.string_end();
            walk.expect(b':')?;
            let is_wanted = line[key.clone()] == *wanted.as_bytes();
            if found.is_some() && is_wanted || self.fresh.iter().any(|fresh| line[key.clone()] == *fresh.as_bytes()) {
                return None;
            }
            if walk.next()? == b'"' {
                walk.at += 1;
                let value = walk.string_end();
                if is_wanted {
                    found = Some(value).filter(|value| !value.is_empty());
                }
            } else if is_wanted || !walk.number_or_name() {
                return None;
            }
            match walk.next()? {
                b',' => walk.at += 1,
                b'}' => break,
                _ => return None,
            }
        }
        walk.at += 1;
        walk.next().is_none().then_some(found)?
    }

    /// The value at the pointer.
    fn find<'t>(&self, line: &'t [u8]) -> Result<&'t str, Reject> {
        let mut json = serde_json::Deserializer::from_slice(line);
        let mut found = Found { value: None, twice: false, taken: None };
        let seek = Seek { path: &self.path, fresh: &self.fresh, found: &mut found };
        seek.deserialize(&mut json).and_then(|()| json.end()).map_err(|error| not_json(&error))?;
        let column = |message: String| Reject::whole(Code::Column, message);
        let pointer = || self.path.iter().fold(String::new(), |all, part| format!("{all}/{part}"));
        if let Some(key) = found.taken {
            return Err(column(format!("the object has a field {key:?} already")));
        }
        if found.twice {
            return Err(column(format!("there are two fields at {}", pointer())));
        }
        found.value.map(RawValue::get).ok_or_else(|| column(format!("there is nothing at {}", pointer())))
    }

    /// Takes the strings of a value: its own, or those of an array.
    fn strings(&self, text: &[u8], value: &str, row: Row, all: bool, rows: &mut Rows) {
        if !value.starts_with('[') {
            let found = string(text, value, rows);
            return rows.take(row, found, all);
        }
        let elements: Vec<&RawValue> = match serde_json::from_str(value) {
            Ok(elements) => elements,
            Err(error) => return rows.take(row, Err(not_json(&error)), all),
        };
        let mut fields = 0;
        for element in elements {
            match string(text, element.get(), rows) {
                Ok(taken) => fields += taken,
                Err(reject) => return rows.refuse(Row { fields, ..row }, reject),
            }
        }
        rows.take(Row { list: true, ..row }, Ok(fields), all);
    }
}

/// A walk through a line.
struct Walk<'t> {
    line: &'t [u8],
    at: usize,
}

impl Walk<'_> {
    /// The next byte that is no space; it is not passed.
    fn next(&mut self) -> Option<u8> {
        while *self.line.get(self.at)? == b' ' {
            self.at += 1;
        }
        Some(self.line[self.at])
    }

    /// Passes a byte that has to come next.
    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then(|| self.at += 1)
    }

    /// The string whose opening quote was passed; passes the closing one. One that is not closed ends with the line, and then
    /// nothing follows that has to.
    fn string_end(&mut self) -> Range<usize> {
        let start = self.at;
        let rest = &self.line[start..];
        // Keys are short.
        let near = rest.iter().take(16).position(|&byte| byte == b'"');
        let length = near.or_else(|| memchr::memchr(b'"', rest));
        let end = length.map_or(self.line.len(), |length| start + length);
        self.at = end + usize::from(length.is_some());
        start..end
    }

    /// Passes a number, `true`, `false` or `null`; false if there is none.
    fn number_or_name(&mut self) -> bool {
        let rest = &self.line[self.at..];
        let length = rest.iter().position(|byte| b" ,}".contains(byte)).unwrap_or(rest.len());
        self.at += length;
        let word = &rest[..length];
        matches!(word, b"true" | b"false" | b"null") || is_number(word)
    }
}

/// Whether these are all the characters of a JSON number.
fn is_number(word: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = word.strip_prefix(b"-").unwrap_or(word);
    let whole = digits(rest);
    if whole == 0 || whole > 1 && rest[0] == b'0' {
        return false;
    }
    let mut rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent);
        let length = digits(exponent);
        return length > 0 && length == exponent.len();
    }
    rest.is_empty()
}

/// Takes a string, if there is one and not nothing.
fn string(text: &[u8], value: &str, rows: &mut Rows) -> Result<u32, Reject> {
    let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    let Some(inner) = inner else {
        if value == "null" {
            return Ok(0);
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
        return Ok(0);
    }
    // Both are of the same text: the value was borrowed from it.
    let start = inner.as_ptr() as usize - text.as_ptr() as usize;
    let place = field(start..start + inner.len(), true);
    let meant = match memchr::memchr(b'\\', inner.as_bytes()) {
        None => Cow::Borrowed(inner.as_bytes()),
        Some(_) => Cow::Owned(serde_json::from_str::<String>(value).map_err(|error| not_json(&error))?.into_bytes()),
    };
    if rows.push(meant, place) { Ok(1) } else { Err(holds_line_end()) }
}

fn not_json(error: &serde_json::Error) -> Reject {
    // It says a line of its own, which is always the first.
    let message = error.to_string();
    let message = message.replace(" at line 1 column ", ", at byte ");
    Reject::whole(Code::Json, format!("this is no JSON: {message}"))
}

/// What was found on the way through a line.
struct Found<'t> {
    value: Option<&'t RawValue>,
    twice: bool,
    taken: Option<String>,
}

/// The way to a value.
struct Seek<'p, 'f, 't> {
    path: &'p [String],
    fresh: &'p [String],
    found: &'f mut Found<'t>,
}

impl<'t> DeserializeSeed<'t> for Seek<'_, '_, 't> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.path.is_empty() {
            let value = <&RawValue as serde::Deserialize>::deserialize(deserializer)?;
            self.found.twice |= self.found.value.replace(value).is_some();
            return Ok(());
        }
        deserializer.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for Seek<'_, '_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Key { wanted: &self.path[0], fresh: self.fresh })? {
            match key {
                Seen::Wanted => {
                    let deeper = Seek { path: &self.path[1..], fresh: &[], found: &mut *self.found };
                    map.next_value_seed(deeper)?;
                }
                Seen::Taken(key) => {
                    self.found.taken = Some(key);
                    map.next_value::<IgnoredAny>()?;
                }
                Seen::Other => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut list: A) -> Result<(), A::Error> {
        let wanted = self.path[0].parse::<usize>().ok().filter(|number| number.to_string() == self.path[0]);
        for number in 0.. {
            if wanted == Some(number) {
                let deeper = Seek { path: &self.path[1..], fresh: &[], found: &mut *self.found };
                if list.next_element_seed(deeper)?.is_none() {
                    break;
                }
            } else if list.next_element::<IgnoredAny>()?.is_none() {
                break;
            }
        }
        Ok(())
    }

    // Nothing is at the pointer where the value on the way is no object and no array.
    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E: serde::de::Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        Ok(())
    }
}

/// What a key is.
enum Seen {
    Wanted,
    Taken(String),
    Other,
}

struct Key<'p> {
    wanted: &'p str,
    fresh: &'p [String],
}

impl<'t> DeserializeSeed<'t> for Key<'_> {
    type Value = Seen;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Seen, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Seen;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: serde::de::Error>(self, key: &str) -> Result<Seen, E> {
        Ok(if key == self.wanted {
            Seen::Wanted
        } else if self.fresh.iter().any(|fresh| fresh == key) {
            Seen::Taken(key.to_string())
        } else {
            Seen::Other
        })
    }

    fn visit_bytes<E: serde::de::Error>(self, _: &[u8]) -> Result<Seen, E> {
        Err(E::custom("a key is no text"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row's strings, or why it has none.
    fn read(pointer: &str, text: &str) -> Vec<String> {
        let mut rows = Rows::default();
        Pointer::new(pointer).expect("a pointer").rows(text.as_bytes(), true, &mut rows);
        let values: Vec<_> =
            rows.strings(text.as_bytes()).map(|value| String::from_utf8_lossy(value).into_owned()).collect();
        let mut values = values.into_iter().zip(&rows.fields);
        let mut refused = rows.refused.iter();
        let row = |(index, row): (usize, &Row)| {
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
        assert!(Pointer::new("a").is_none());
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
        let pointer = Pointer::new("/a").expect("a pointer").with_fresh(vec!["n".into()]);
        let text = b"{\"a\":\"x\",\"n\":1}\n{\"a\":\"y\",\"o\":{\"n\":1}}";
        pointer.rows(text, false, &mut rows);
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
        let pointer = Pointer::new("/bd").expect("a pointer").with_fresh(vec!["new".into()]);
        let (mut seen, mut quick) = (0, 0);
        let mut look = |text: &[u8]| {
            seen += 1;
            let Some(place) = pointer.quick(text) else { return };
            quick += 1;
            let value =
                pointer.find(text).unwrap_or_else(|reject| panic!("{reject}: {}", String::from_utf8_lossy(text)));
            assert_eq!(value.as_bytes(), &text[place.start - 1..place.end + 1], "{}", String::from_utf8_lossy(text));
        };
        let bytes: Vec<u8> = (0..=255).collect();
        for line in lines.map(str::as_bytes) {
            assert!(pointer.quick(line).is_some(), "{}", String::from_utf8_lossy(line));
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
        let pointer = Pointer::new("/a/b").expect("a pointer");
        let mut good = 0;
        for at in 0..line.len() {
            for byte in 0..=255 {
                let mut text = line.to_vec();
                text[at] = byte;
                let mut rows = Rows::default();
                pointer.rows(&text, true, &mut rows);
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
