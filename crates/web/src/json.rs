//! Reads and writes JSON as [`Value`]. The code of serde_json for this can do more, in particular with numbers, but is
//! as large in the WebAssembly module as two formats.

use serde_json::{Map, Value};

/// The limit for nested lists and objects.
const DEEPEST: usize = 16;

/// Reads a value. Only integers are supported as numbers.
///
/// # Errors
/// The text is not JSON, or has another number.
pub(crate) fn read(text: &[u8]) -> Result<Value, String> {
    let text = str::from_utf8(text).map_err(|_| "the options are not UTF-8")?;
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0).filter(|_| reader.next() == 0 && reader.at == text.len());
    value.ok_or_else(|| format!("the options are not valid JSON with integers, from byte {} on", reader.at))
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    /// The next byte that is not white space; 0 at the end.
    fn next(&mut self) -> u8 {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Takes a byte, if it is the next one.
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.next() == byte;
        self.at += usize::from(is_next);
        is_next
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        match self.next() {
            b'"' => self.string().map(Value::String),
            b'[' if depth < DEEPEST => self.list(b']', |reader| reader.value(depth + 1)).map(Value::Array),
            b'{' if depth < DEEPEST => {
                let fields = self.list(b'}', |reader| {
                    let name = Some(reader.next()).filter(|&next| next == b'"').and_then(|_| reader.string())?;
                    Some((name, reader.take(b':').then(|| reader.value(depth + 1))??))
                });
                fields.map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>()))
            }
            _ => self.word(),
        }
    }

    /// The elements of a list, separated by commas, up to the closing bracket.
    fn list<T>(&mut self, end: u8, mut part: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.at += 1;
        let mut parts = Vec::new();
        if self.take(end) {
            return Some(parts);
        }
        loop {
            parts.push(part(self)?);
            if self.take(end) {
                return Some(parts);
            }
            self.take(b',').then_some(())?;
        }
    }

    /// A number, or `true`, `false` or `null`.
    fn word(&mut self) -> Option<Value> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(|&byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)).count();
        let word = &rest[..length];
        let digits = word.strip_prefix('-').unwrap_or(word);
        let is_number = digits.len() == 1 || !digits.starts_with(['0', '+']);
        let number = || word.parse().map(|number: u64| number.into()).or_else(|_| word.parse().map(|n: i64| n.into()));
        let value = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            _ => number().ok().filter(|_| is_number)?,
        };
        self.at += length;
        Some(value)
    }

    fn string(&mut self) -> Option<String> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|sign: char| sign == '"' || sign == '\\' || sign < ' ')?;
            string.push_str(&rest[..plain]);
            self.at += plain + 1;
            match rest.as_bytes()[plain] {
                b'"' => return Some(string),
                b'\\' => string.push(self.escaped()?),
                _ => return None,
            }
        }
    }

    /// The character after a backslash.
    fn escaped(&mut self) -> Option<char> {
        let sign = *self.text.as_bytes().get(self.at)?;
        self.at += 1;
        Some(match sign {
            b'"' | b'\\' | b'/' => sign.into(),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.unit()?;
                if !(0xd800..0xdc00).contains(&first) {
                    return char::from_u32(first);
                }
                self.at += 2 * usize::from(self.text[self.at..].starts_with("\\u"));
                let second = self.unit()?.checked_sub(0xdc00).filter(|&second| second < 0x400)?;
                return char::from_u32(0x1_0000 + ((first - 0xd800) << 10 | second));
            }
            _ => return None,
        })
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        digits.chars().try_fold(0, |unit, digit| Some(unit << 4 | digit.to_digit(16)?))
    }
}

/// A value as JSON, on one line.
pub(crate) fn write(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(is) => out.push_str(if *is { "true" } else { "false" }),
        Value::Number(number) => match number.as_u64() {
            Some(number) => out.push_str(&number.to_string()),
            None => out.push_str(&number.as_i64().unwrap_or_default().to_string()), // only integers occur
        },
        Value::String(text) => write_string(text, out),
        Value::Array(values) => {
            for (at, value) in values.iter().enumerate() {
                out.push(if at == 0 { '[' } else { ',' });
                write_value(value, out);
            }
            out.push_str(if values.is_empty() { "[]" } else { "]" });
        }
        Value::Object(fields) => {
            for (at, (name, value)) in fields.iter().enumerate() {
                out.push(if at == 0 { '{' } else { ',' });
                write_string(name, out);
                out.push(':');
                write_value(value, out);
            }
            out.push_str(if fields.is_empty() { "{}" } else { "}" });
        }
    }
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for sign in text.chars() {
        match sign {
            '"' | '\\' => out.extend(['\\', sign]),
            '\n' => out.push_str("\\n"),
            '\0'..' ' => out.push_str(&format!("\\u{:04x}", u32::from(sign))),
            _ => out.push(sign),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_written_as_serde_json_does() {
        let texts = [
            r#"{"a":[1,-2,{"b":null}],"c":"d\"\\\n\u0001 \ud83e\udde9 ü","e":{},"f":[],"g":true,"h":18446744073709551615}"#,
            " [ 0 , -9223372036854775808 , \"\\u00e9\\/\\b\\f\\r\\t\" ] ",
            "false",
            "{\"a\":1,\"a\":2}",
        ];
        for text in texts {
            let value: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(read(text.as_bytes()).as_ref(), Ok(&value), "{text}");
            assert_eq!(serde_json::from_str::<Value>(&write(&value)).expect("JSON"), value, "{text}");
        }
    }

    #[test]
    fn invalid_json_is_an_error() {
        let deep = "[".repeat(2000);
        let texts = [
            "",
            "{",
            "[1,]",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "[1 2]",
            "1 2",
            "01",
            "-",
            "+1",
            "-01",
            "1.5",
            "1e3",
            "nul",
            "\"",
            "\"\\",
            "\"\\u12\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\\udc00\"",
            "\"\\x\"",
            "\"\n\"",
            "[,]",
            "{,}",
            &deep,
        ];
        for text in texts {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
        assert!(read(b"\"\xff\"").is_err());
    }
}
