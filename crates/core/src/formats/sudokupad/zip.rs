//! JSON as SudokuPad shortens it: strings between single quotes, keys without quotes and of one or two letters, `t` and `f` for
//! true and false, an empty slot for an empty object, and colours without their signs.

use serde_json::{Map, Number, Value};

use crate::formats::json_values::{MOST_VALUES, TOO_MANY, parse};

/// How deep values may be nested.
const DEEPEST: usize = 64;

/// What is wrong, and at which byte.
pub(super) struct ZipError {
    pub(super) what: &'static str,
    pub(super) at: usize,
}

/// Reads a text that is JSON, shortened or not. Its short keys are replaced by the long ones.
pub(super) fn unzip(text: &str) -> Result<Value, ZipError> {
    if let Ok(value) = parse(text, long_key) {
        return Ok(value);
    }
    let mut reader = ZipReader { text: text.as_bytes(), at: 0, left: MOST_VALUES };
    let value = reader.value(false, 0)?;
    match reader.at == text.len() {
        true => Ok(value),
        false => Err(reader.fault("text after the end")),
    }
}

struct ZipReader<'t> {
    text: &'t [u8],
    at: usize,
    /// How many more values there may be.
    left: usize,
}

impl ZipReader<'_> {
    fn fault(&self, what: &'static str) -> ZipError {
        ZipError { what, at: self.at }
    }

    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    /// Goes past a byte if it is the next one.
    fn skips(&mut self, byte: u8) -> bool {
        let is_next = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn value(&mut self, after_colon: bool, depth: usize) -> Result<Value, ZipError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| self.fault(TOO_MANY))?;
        match self.peek() {
            b'{' | b'[' if depth >= DEEPEST => Err(self.fault("values nested too deeply")),
            b'{' => self.object(depth + 1),
            b'[' => self.array(depth + 1),
            quote @ (b'\'' | b'"') => self.string(quote).map(Value::String),
            _ => self.word(after_colon),
        }
    }

    /// A value without quotes. After a colon, six hexadecimal digits are a colour, even if all are decimal.
    fn word(&mut self, after_colon: bool) -> Result<Value, ZipError> {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|byte| b",]}".contains(byte)).unwrap_or(rest.len());
        let word = std::str::from_utf8(&rest[..length]).unwrap_or_default();
        let value = match word {
            "t" => Value::Bool(true),
            "f" => Value::Bool(false),
            "#0" => Value::from("#000000"),
            "#F" => Value::from("#FFFFFF"),
            "null" => Value::Null,
            "true" | "false" => Value::Bool(word == "true"),
            _ if after_colon && word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                Value::String(format!("#{word}"))
            }
            _ => Value::Number(serde_json::from_str::<Number>(word).map_err(|_| self.fault("no value"))?),
        };
        self.at += length;
        Ok(value)
    }

    fn string(&mut self, quote: u8) -> Result<String, ZipError> {
        let start = self.at;
        self.at += 1;
        let mut out = Vec::new();
        loop {
            let rest = &self.text[self.at..];
            match *rest {
                [] => return Err(ZipError { what: "a string without its end", at: start }),
                [byte, ..] if byte == quote => {
                    self.at += 1;
                    // Nothing but whole characters and escapes was copied.
                    return Ok(String::from_utf8_lossy(&out).into_owned());
                }
                [b'\\', b'u', ..] => {
                    let unit = self.unit(self.at + 2).ok_or_else(|| self.fault("a wrong escape"))?;
                    let second = (self.text.get(self.at + 6..self.at + 8) == Some(b"\\u"))
                        .then(|| self.unit(self.at + 8))
                        .flatten()
                        .filter(|second| (0xd800..0xdc00).contains(&unit) && (0xdc00..0xe000).contains(second));
                    let units: Vec<u16> = [Some(unit), second].into_iter().flatten().collect();
                    out.extend_from_slice(String::from_utf16_lossy(&units).as_bytes());
                    self.at += 6 * units.len();
                }
                [b'\\', escaped, ..] => {
                    out.push(match escaped {
                        b'\'' if quote == b'\'' => b'\'',
                        b'"' | b'\\' | b'/' => escaped,
                        b'b' => 8,
                        b'f' => 12,
                        b'n' => b'\n',
                        b'r' => b'\r',
                        b't' => b'\t',
                        _ => return Err(self.fault("a wrong escape")),
                    });
                    self.at += 2;
                }
                [byte, ..] => {
                    out.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    /// The UTF-16 code unit whose four hexadecimal digits begin at a byte.
    fn unit(&self, at: usize) -> Option<u16> {
        let digits = std::str::from_utf8(self.text.get(at..at + 4)?).ok()?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    }

    fn array(&mut self, depth: usize) -> Result<Value, ZipError> {
        self.at += 1;
        let mut values = Vec::new();
        if self.skips(b']') {
            return Ok(Value::Array(values));
        }
        loop {
            values.push(match self.peek() {
                b',' | b']' => {
                    self.left = self.left.checked_sub(1).ok_or_else(|| self.fault(TOO_MANY))?;
                    Value::Object(Map::new())
                }
                _ => self.value(false, depth)?,
            });
            if self.skips(b']') {
                return Ok(Value::Array(values));
            }
            if !self.skips(b',') {
                return Err(self.fault("an array without its end"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, ZipError> {
        self.at += 1;
        let mut members = Map::new();
        if self.skips(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            let key = match self.peek() {
                quote @ (b'\'' | b'"') => self.string(quote)?,
                _ => {
                    let rest = &self.text[self.at..];
                    let length = rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
                    self.at += length;
                    String::from_utf8_lossy(&rest[..length]).into_owned()
                }
            };
            if key.is_empty() || !self.skips(b':') {
                return Err(self.fault("a member without a name"));
            }
            let key = long_key(&key).map_or(key, str::to_string);
            if members.contains_key(&key) {
                return Err(self.fault("a member with the name of another"));
            }
            let value = self.value(true, depth)?;
            members.insert(key, value);
            if self.skips(b'}') {
                return Ok(Value::Object(members));
            }
            if !self.skips(b',') {
                return Err(self.fault("an object without its end"));
            }
        }
    }
}

/// The key that a short one stands for.
fn long_key(key: &str) -> Option<&'static str> {
    Some(match key {
        "c" => "color",
        "ca" => "cages",
        "ct" => "center",
        "c1" => "borderColor",
        "c2" => "backgroundColor",
        "ce" => "cells",
        "cs" => "cellSize",
        "a" => "arrows",
        "o" => "overlays",
        "u" => "underlays",
        "w" => "width",
        "h" => "height",
        "v" => "value",
        "vd" => "videos",
        "l" => "lines",
        "r" => "rounded",
        "re" => "regions",
        "fs" => "fontSize",
        "th" => "thickness",
        "hl" => "headLength",
        "wp" => "wayPoints",
        "t" => "title",
        "te" => "text",
        "d" => "duration",
        "d2" => "d",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Option<String> {
        unzip(text).ok().map(|value| value.to_string())
    }

    #[test]
    fn shortened_json_is_json() {
        for (text, expected) in [
            ("{ce:[[,{v:3}],[{},]],l:t}", r#"{"cells":[[{},{"value":3}],[{},{}]],"lines":true}"#),
            (
                r"{t:'it\'s \u00e9 \ud83d\ude00 \n\\',f:[f,null,-1.5]}",
                "{\"f\":[false,null,-1.5],\"title\":\"it's é 😀 \\n\\\\\"}",
            ),
            ("{c:123456,v:#0,w:[123456]}", r##"{"color":"#123456","value":"#000000","width":[123456]}"##),
            (r#"{"t":"a","cells":[]}"#, r#"{"cells":[],"title":"a"}"#),
            (r#"{t:"a'b",'x y':2024}"#, r#"{"title":"a'b","x y":2024}"#),
        ] {
            assert_eq!(json(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "{", "{a}", "{a:1", "{a:1}x", "[1", "{a:'b}", "{a:x}", r"{a:'\x'}", r"{a:'\u12'}", "[1 2]"] {
            assert_eq!(json(text), None, "{text}");
        }
        assert_eq!(json(&"[".repeat(100_000)), None);
    }
}
