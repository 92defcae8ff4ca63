//! JSON as SudokuPad shortens it: strings between single quotes, keys without quotes and of one or two letters, `t` and `f` for
//! true and false, an empty slot for an empty object, and colours without their signs.

use crate::formats::json_values::{Arena, JsonError, MOST_VALUES, Members, TOO_MANY, JsonValue, parse, unescaped_sign};

/// How deep values may be nested.
const DEEPEST: usize = 64;

/// Reads a text that is JSON, shortened or not. Its short keys are replaced by the long ones.
pub(super) fn unzip<'t>(arena: &'t Arena, text: &'t str) -> Result<JsonValue<'t>, JsonError> {
    if let Ok(value) = parse(arena, text, long_key) {
        return Ok(value);
    }
    let mut reader = ZipReader { arena, text, at: 0, left: MOST_VALUES };
    let value = reader.value(false, 0)?;
    match reader.at == text.len() {
        true => Ok(value),
        false => Err(reader.fault("text after the end")),
    }
}

struct ZipReader<'t> {
    arena: &'t Arena,
    text: &'t str,
    at: usize,
    /// How many more values there may be.
    left: usize,
}

impl<'t> ZipReader<'t> {
    fn fault(&self, what: &'static str) -> JsonError {
        JsonError { what: what.into(), at: self.at }
    }

    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Goes past a byte if it is the next one.
    fn skips(&mut self, byte: u8) -> bool {
        let is_next = self.text.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn value(&mut self, after_colon: bool, depth: usize) -> Result<JsonValue<'t>, JsonError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| self.fault(TOO_MANY))?;
        match self.peek() {
            b'{' | b'[' if depth >= DEEPEST => Err(self.fault("values nested too deeply")),
            b'{' => self.object(depth + 1),
            b'[' => self.array(depth + 1),
            quote @ (b'\'' | b'"') => self.string(quote).map(JsonValue::String),
            _ => self.word(after_colon),
        }
    }

    /// A value without quotes. After a colon, six hexadecimal digits are a colour, even if all are decimal.
    fn word(&mut self, after_colon: bool) -> Result<JsonValue<'t>, JsonError> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| b",]}".contains(&byte)).unwrap_or(rest.len());
        let word = &rest[..length];
        let value = match word {
            "t" => JsonValue::Bool(true),
            "f" => JsonValue::Bool(false),
            "#0" => JsonValue::String("#000000"),
            "#F" => JsonValue::String("#FFFFFF"),
            "null" => JsonValue::Null,
            "true" | "false" => JsonValue::Bool(word == "true"),
            _ if after_colon && word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                JsonValue::String(self.arena.alloc_str(&format!("#{word}")))
            }
            _ => match parse(self.arena, word, |_| None) {
                Ok(number @ (JsonValue::Integer(_) | JsonValue::Float(_))) => number,
                _ => return Err(self.fault("no value")),
            },
        };
        self.at += length;
        Ok(value)
    }

    fn string(&mut self, quote: u8) -> Result<&'t str, JsonError> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let is_end = |byte: u8| byte == quote || byte == b'\\';
            let Some(length) = rest.bytes().position(is_end) else {
                return Err(JsonError { what: "a string without its end".into(), at: start });
            };
            out.push_str(&rest[..length]);
            self.at += length;
            let rest = &rest[length..];
            if rest.as_bytes()[0] == quote {
                self.at += 1;
                return Ok(self.arena.alloc_str(&out));
            }
            let quoted = (quote == b'\'' && rest.starts_with("\\'")).then_some(('\'', 2));
            let (sign, length) = quoted.or_else(|| unescaped_sign(rest)).ok_or_else(|| self.fault("a wrong escape"))?;
            out.push(sign);
            self.at += length;
        }
    }

    fn array(&mut self, depth: usize) -> Result<JsonValue<'t>, JsonError> {
        self.at += 1;
        let mut values = Vec::new();
        if self.skips(b']') {
            return Ok(JsonValue::Array(self.arena.alloc_slice_copy(&values)));
        }
        loop {
            values.push(match self.peek() {
                b',' | b']' => {
                    self.left = self.left.checked_sub(1).ok_or_else(|| self.fault(TOO_MANY))?;
                    JsonValue::Object(Members::default())
                }
                _ => self.value(false, depth)?,
            });
            if self.skips(b']') {
                return Ok(JsonValue::Array(self.arena.alloc_slice_copy(&values)));
            }
            if !self.skips(b',') {
                return Err(self.fault("an array without its end"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<JsonValue<'t>, JsonError> {
        self.at += 1;
        let mut members = Vec::new();
        if self.skips(b'}') {
            return Ok(JsonValue::Object(Members::default()));
        }
        loop {
            let key = match self.peek() {
                quote @ (b'\'' | b'"') => self.string(quote)?,
                _ => {
                    let rest = &self.text[self.at..];
                    let length = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
                    self.at += length;
                    &rest[..length]
                }
            };
            if key.is_empty() || !self.skips(b':') {
                return Err(self.fault("a member without a name"));
            }
            let value = self.value(true, depth)?;
            members.push((long_key(key).unwrap_or(key), value));
            if self.skips(b'}') {
                let members =
                    Members::new(self.arena, &members).map_err(|_| self.fault("a member with the name of another"));
                return members.map(JsonValue::Object);
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
        unzip(&Arena::new(), text).ok().map(|value| value.to_string())
    }

    #[test]
    fn shortened_json_is_json() {
        for (text, expected) in [
            ("{ce:[[,{v:3}],[{},]],l:t}", r#"{"cells":[[{},{"value":3}],[{},{}]],"lines":true}"#),
            (
                r"{t:'it\'s \u00e9 \ud83d\ude00 \n\\',f:[f,null,-1.5]}",
                "{\"title\":\"it's é 😀 \\n\\\\\",\"f\":[false,null,-1.5]}",
            ),
            ("{c:123456,v:#0,w:[123456]}", r##"{"color":"#123456","value":"#000000","width":[123456]}"##),
            (r#"{"t":"a","cells":[]}"#, r#"{"title":"a","cells":[]}"#),
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
