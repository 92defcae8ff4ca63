//! Reads JSON, also as SudokuPad shortens it.

use std::borrow::Cow;
use std::fmt;

use super::{Arena, JsonValue, Member, Members};
use crate::error::{Code, Reject, escape};

/// The most values that are read, members of objects and items of lists counted alike. Puzzles have some thousands. A value
/// takes up to some hundred bytes of memory, but two characters of text.
pub(in crate::formats) const MOST_VALUES: usize = 1 << 18;

/// What is wrong with a text of more values.
const TOO_MANY: &str = "more values than a puzzle has";

/// How deep values may be nested.
pub(super) const DEEPEST: usize = 128;

/// Returns the name of a key that has another.
pub(in crate::formats) type LongKey = fn(&str) -> Option<&'static str>;

/// What is wrong with a text, and at which byte.
#[derive(Debug)]
pub(in crate::formats) struct JsonError {
    pub(in crate::formats) what: Cow<'static, str>,
    pub(in crate::formats) at: usize,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at + 1)
    }
}

/// Reads JSON of at most [`MOST_VALUES`] values, in which no object has a member twice. `long_key` names keys.
pub(in crate::formats) fn parse<'t>(
    arena: &'t Arena,
    text: &'t str,
    long_key: LongKey,
) -> Result<JsonValue<'t>, JsonError> {
    read::<false>(arena, text, long_key)
}

/// Reads JSON as SudokuPad shortens it, see [`JsonReader`].
pub(in crate::formats) fn parse_short<'t>(
    arena: &'t Arena,
    text: &'t str,
    long_key: LongKey,
) -> Result<JsonValue<'t>, JsonError> {
    read::<true>(arena, text, long_key)
}

fn read<'t, const SHORT: bool>(arena: &'t Arena, text: &'t str, long_key: LongKey) -> Result<JsonValue<'t>, JsonError> {
    let (values, members) = (Vec::new(), Vec::new());
    let mut reader = JsonReader::<SHORT> { arena, text, at: 0, left: MOST_VALUES, long_key, values, members };
    reader.skip_space();
    let value = reader.value(0)?;
    reader.skip_space();
    if reader.at < text.len() { Err(reader.fault("text after the end")) } else { Ok(value) }
}

/// Reads JSON of a puzzle, whose keys are what they are.
///
/// # Errors
/// It is not JSON, has too many values, or a member twice. `what` is what should be JSON.
pub(in crate::formats) fn parse_puzzle<'t>(
    arena: &'t Arena,
    text: &'t str,
    what: &str,
) -> Result<JsonValue<'t>, Reject> {
    parse(arena, text, |_| None).map_err(|error| {
        Reject::whole(Code::Digit, format!("{what} not JSON: {}", escape(error.to_string().as_bytes())))
    })
}

/// Reads JSON. If it is `SHORT`, strings may also be between single quotes and hold any character, keys may have no quotes, an empty
/// slot of an array is an empty object, some [values](short_value) are shortened, and there is no white space between them.
struct JsonReader<'t, const SHORT: bool> {
    arena: &'t Arena,
    text: &'t str,
    at: usize,
    /// How many more values there may be.
    left: usize,
    long_key: LongKey,
    /// The values of the arrays, and the members of the objects, that are not at their ends.
    values: Vec<JsonValue<'t>>,
    members: Vec<Member<'t>>,
}

impl<'t, const SHORT: bool> JsonReader<'t, SHORT> {
    #[cold]
    fn fault(&self, what: impl Into<Cow<'static, str>>) -> JsonError {
        JsonError { what: what.into(), at: self.at }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn skip_space(&mut self) {
        while !SHORT && matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Goes past a byte, and white space around it, if it is the next one.
    #[inline]
    fn skips(&mut self, byte: u8) -> bool {
        self.skip_space();
        let is_next = self.peek() == Some(byte);
        if is_next {
            self.at += 1;
            self.skip_space();
        }
        is_next
    }

    fn value(&mut self, depth: usize) -> Result<JsonValue<'t>, JsonError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| self.fault(TOO_MANY))?;
        match self.peek() {
            Some(b'{' | b'[') if depth >= DEEPEST => Err(self.fault("values nested too deeply")),
            // Most values are empty cells.
            Some(b'{') if self.text.as_bytes().get(self.at + 1) == Some(&b'}') => {
                self.at += 2;
                Ok(JsonValue::Object(Members::default()))
            }
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            Some(b'"') => self.string().map(JsonValue::String),
            Some(b'\'') if SHORT => self.string().map(JsonValue::String),
            _ if SHORT => self.short_value(),
            Some(digit @ b'1'..=b'9') if matches!(self.text.as_bytes().get(self.at + 1), Some(b',' | b']' | b'}')) => {
                self.at += 1;
                Ok(JsonValue::Integer((digit - b'0').into()))
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    /// A value without quotes: `t` and `f` are true and false, `#0` and `#F` are black and white, and six hexadecimal digits as a member
    /// are a colour, even if all are decimal.
    fn short_value(&mut self) -> Result<JsonValue<'t>, JsonError> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| b",]}".contains(&byte)).unwrap_or(rest.len());
        let word = &rest[..length];
        let value = match word {
            "t" => JsonValue::Bool(true),
            "f" => JsonValue::Bool(false),
            "#0" => JsonValue::String("#000000"),
            "#F" => JsonValue::String("#FFFFFF"),
            _ if self.text[..self.at].ends_with(':')
                && word.len() == 6
                && word.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
            {
                JsonValue::String(self.arena.alloc_str(&format!("#{word}")))
            }
            _ => match parse(self.arena, word, |_| None) {
                Ok(JsonValue::String(_) | JsonValue::Array(_) | JsonValue::Object(_)) | Err(_) => {
                    return Err(self.fault("no value"));
                }
                Ok(value) => value,
            },
        };
        self.at += length;
        Ok(value)
    }

    fn word(&mut self) -> Result<JsonValue<'t>, JsonError> {
        let rest = &self.text.as_bytes()[self.at..];
        for (word, value) in
            [("true", JsonValue::Bool(true)), ("false", JsonValue::Bool(false)), ("null", JsonValue::Null)]
        {
            if rest.starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.fault(if rest.is_empty() { "the text ends" } else { "no value" }))
    }

    fn number(&mut self) -> Result<JsonValue<'t>, JsonError> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let digits = |at: &mut usize| {
            let from = *at;
            *at += bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            *at - from
        };
        let mut at = start + usize::from(bytes[start] == b'-');
        let (whole, count) = (at, digits(&mut at));
        let mut is_number = count == 1 || count > 1 && bytes[whole] != b'0';
        let mut is_whole = true;
        if bytes.get(at) == Some(&b'.') {
            at += 1;
            (is_whole, is_number) = (false, is_number && digits(&mut at) > 0);
        }
        if let Some(b'e' | b'E') = bytes.get(at) {
            at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            (is_whole, is_number) = (false, is_number && digits(&mut at) > 0);
        }
        let text = &self.text[start..at];
        let integer = if is_number && is_whole { text.parse().ok().map(JsonValue::Integer) } else { None };
        // JavaScript has one sort of numbers: 5.0 is 5.
        let whole = |number: f64| number.fract() == 0.0 && number.abs() < 1e15;
        let of = |number: f64| if whole(number) { JsonValue::Integer(number as i64) } else { JsonValue::Float(number) };
        let float = || text.parse().ok().filter(|number: &f64| is_number && number.is_finite()).map(of);
        let value = integer.or_else(float).ok_or_else(|| self.fault("no number"))?;
        self.at = at;
        Ok(value)
    }

    /// A string between quotes.
    fn string(&mut self) -> Result<&'t str, JsonError> {
        let start = self.at + 1;
        let quote = if SHORT { self.text.as_bytes()[self.at] } else { b'"' };
        let bytes = &self.text.as_bytes()[start..];
        let is_end = |&byte: &u8| !SHORT && byte < b' ' || byte == quote || byte == b'\\';
        let length = bytes.iter().position(is_end).unwrap_or(bytes.len());
        match bytes.get(length) {
            Some(&byte) if byte == quote => {
                self.at = start + length + 1;
                Ok(&self.text[start..start + length])
            }
            Some(b'\\') => self.string_with_escapes(start, start + length),
            _ => Err(self.fault("a string without its end")),
        }
    }

    /// A string whose text begins at `start`, and whose first escape is at `at`.
    #[cold]
    fn string_with_escapes(&mut self, start: usize, mut at: usize) -> Result<&'t str, JsonError> {
        let bytes = self.text.as_bytes();
        let quote = bytes[start - 1];
        let mut copied = start;
        let mut out = String::new();
        loop {
            let byte = bytes.get(at).filter(|byte| SHORT || **byte >= b' ');
            let byte = *byte.ok_or_else(|| self.fault("a string without its end"))?;
            if byte != quote && byte != b'\\' {
                at += 1;
                continue;
            }
            out.push_str(&self.text[copied..at]);
            if byte == quote {
                self.at = at + 1;
                return Ok(self.arena.alloc_str(&out));
            }
            let escaped = &self.text[at..];
            let quoted = (quote == b'\'' && escaped.starts_with("\\'")).then_some(('\'', 2));
            let (sign, length) = quoted.or_else(|| unescaped_sign(escaped)).ok_or_else(|| {
                self.at = at;
                self.fault("a wrong escape")
            })?;
            out.push(sign);
            at += length;
            copied = at;
        }
    }

    fn array(&mut self, depth: usize) -> Result<JsonValue<'t>, JsonError> {
        self.at += 1;
        self.skip_space();
        let start = self.values.len();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(JsonValue::Array(&[]));
        }
        loop {
            let value = match self.peek() {
                Some(b',' | b']') if SHORT => {
                    self.left = self.left.checked_sub(1).ok_or_else(|| self.fault(TOO_MANY))?;
                    JsonValue::Object(Members::default())
                }
                _ => self.value(depth)?,
            };
            self.values.push(value);
            if !self.skips(b',') {
                break;
            }
        }
        if self.peek() != Some(b']') {
            return Err(self.fault("an array without its end"));
        }
        self.at += 1;
        let values = self.arena.alloc_slice_copy(&self.values[start..]);
        self.values.truncate(start);
        Ok(JsonValue::Array(values))
    }

    fn object(&mut self, depth: usize) -> Result<JsonValue<'t>, JsonError> {
        self.at += 1;
        self.skip_space();
        let start = self.members.len();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(JsonValue::Object(Members::default()));
        }
        loop {
            let key = match self.peek() {
                Some(b'"') => self.string()?,
                Some(b'\'') if SHORT => self.string()?,
                Some(sign) if SHORT && sign.is_ascii_alphanumeric() => {
                    let rest = &self.text[self.at..];
                    let length = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
                    self.at += length;
                    &rest[..length]
                }
                _ => return Err(self.fault("a member without a name")),
            };
            if !self.skips(b':') {
                return Err(self.fault("a member without a value"));
            }
            let value = self.value(depth)?;
            self.members.push(((self.long_key)(key).unwrap_or(key), value));
            if !self.skips(b',') {
                break;
            }
        }
        if self.peek() != Some(b'}') {
            return Err(self.fault("an object without its end"));
        }
        self.at += 1;
        let members = Members::new(self.arena, &self.members[start..]);
        self.members.truncate(start);
        members.map(JsonValue::Object).map_err(|key| self.fault(format!("a second {key}")))
    }
}

/// The sign for which an escape at the start of a text stands, and the length of the escape. JavaScript writes half of a surrogate
/// pair as it is: what it stands for is lost.
fn unescaped_sign(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    };
    let sign = match text.as_bytes().get(1)? {
        b'u' => {
            let (first, second) = (unit(0)?, unit(6));
            let pair = [Some(first), second];
            let mut signs = char::decode_utf16(pair.into_iter().flatten());
            return match signs.next()? {
                Ok(sign) => Some((sign, 6 * sign.len_utf16())),
                Err(_) => Some((char::REPLACEMENT_CHARACTER, 6)),
            };
        }
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        &other @ (b'"' | b'\\' | b'/') => char::from(other),
        _ => return None,
    };
    Some((sign, 2))
}
