//! The JSON of puzzles of other programs.
//!
//! Each puzzle has hundreds of values, most of them empty objects, so a tree that allocates each of them takes longer than unpacking
//! its text. Here all values of a text are in one arena.

use std::borrow::Cow;
use std::fmt;

use bumpalo::Bump;

use crate::error::{Code, Reject, escape};

/// The memory of the values of a text.
pub(super) type Arena = Bump;

/// A value. Its strings are those of the text as far as they have no escapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum JsonValue<'t> {
    Null,
    Bool(bool),
    /// A whole number that 64 bits hold.
    Integer(i64),
    /// Any other number.
    Float(f64),
    String(&'t str),
    Array(&'t [JsonValue<'t>]),
    Object(Members<'t>),
}

impl<'t> JsonValue<'t> {
    /// The member of an object.
    pub(super) fn get(&self, key: &str) -> Option<&'t Self> {
        self.as_object()?.get(key)
    }

    pub(super) fn as_object(&self) -> Option<&Members<'t>> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    pub(super) fn as_array(&self) -> Option<&'t [Self]> {
        if let Self::Array(values) = self { Some(values) } else { None }
    }

    pub(super) fn as_str(&self) -> Option<&'t str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    pub(super) fn as_i64(&self) -> Option<i64> {
        if let Self::Integer(number) = self { Some(*number) } else { None }
    }

    pub(super) fn as_u64(&self) -> Option<u64> {
        self.as_i64().and_then(|number| number.try_into().ok())
    }

    pub(super) fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

impl fmt::Display for JsonValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Integer(number) => number.fmt(f),
            Self::Float(number) => write!(f, "{number:?}"),
            Self::String(text) => f.write_str(&quoted(text)),
            Self::Array(values) => {
                let comma = |at| if at > 0 { "," } else { "" };
                f.write_str("[")?;
                values.iter().enumerate().try_for_each(|(at, value)| write!(f, "{}{value}", comma(at)))?;
                f.write_str("]")
            }
            Self::Object(members) => {
                let comma = |at| if at > 0 { "," } else { "" };
                f.write_str("{")?;
                members
                    .iter()
                    .enumerate()
                    .try_for_each(|(at, (key, value))| write!(f, "{}{}:{value}", comma(at), quoted(key)))?;
                f.write_str("}")
            }
        }
    }
}

/// The members of an object, no two of which have the same key.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Members<'t>(&'t [Member<'t>]);

/// A member: its key and its value.
pub(super) type Member<'t> = (&'t str, JsonValue<'t>);

/// Up to how many members are compared one by one; more are sorted by their keys.
const FEW: usize = 16;

impl<'t> Members<'t> {
    /// Takes the members of an object. If two have the same key, returns it.
    pub(super) fn new(arena: &'t Arena, members: &[Member<'t>]) -> Result<Self, &'t str> {
        if members.is_empty() {
            return Ok(Self::default());
        }
        let members = arena.alloc_slice_copy(members);
        let second = if members.len() > FEW {
            members.sort_unstable_by_key(|member| member.0);
            members.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0)
        } else {
            let is_second = |at: &usize| members[..*at].iter().any(|other| other.0 == members[*at].0);
            (1..members.len()).find(is_second).map(|at| members[at].0)
        };
        second.map_or(Ok(Self(members)), Err)
    }

    pub(super) fn get(&self, key: &str) -> Option<&'t JsonValue<'t>> {
        let at = match self.0.len() > FEW {
            true => self.0.binary_search_by_key(&key, |member| member.0).ok(),
            false => self.0.iter().position(|member| member.0 == key),
        };
        at.map(|at| &self.0[at].1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'t str, &'t JsonValue<'t>)> + use<'t> {
        self.0.iter().map(|(key, value)| (*key, value))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The most values that are read, members of objects and items of lists counted alike. Puzzles have some thousands. A value
/// takes up to some hundred bytes of memory, but two characters of text.
pub(super) const MOST_VALUES: usize = 1 << 18;

/// What is wrong with a text of more values.
pub(super) const TOO_MANY: &str = "more values than a puzzle has";

/// How deep values may be nested.
const DEEPEST: usize = 128;

/// Returns the name of a key that has another.
pub(super) type LongKey = fn(&str) -> Option<&'static str>;

/// What is wrong with a text, and at which byte.
#[derive(Debug)]
pub(super) struct JsonError {
    pub(super) what: Cow<'static, str>,
    pub(super) at: usize,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at + 1)
    }
}

/// Reads JSON of at most [`MOST_VALUES`] values, in which no object has a member twice. `long_key` names keys.
pub(super) fn parse<'t>(arena: &'t Arena, text: &'t str, long_key: LongKey) -> Result<JsonValue<'t>, JsonError> {
    let mut reader =
        JsonReader { arena, text, at: 0, left: MOST_VALUES, long_key, values: Vec::new(), members: Vec::new() };
    reader.skip_space();
    let value = reader.value(0)?;
    reader.skip_space();
    if reader.at < text.len() { Err(reader.fault("text after the end")) } else { Ok(value) }
}

/// Reads JSON of a puzzle, whose keys are what they are.
///
/// # Errors
/// It is not JSON, has too many values, or a member twice. `what` is what should be JSON.
pub(super) fn parse_puzzle<'t>(arena: &'t Arena, text: &'t str, what: &str) -> Result<JsonValue<'t>, Reject> {
    parse(arena, text, |_| None).map_err(|error| {
        Reject::whole(Code::Digit, format!("{what} not JSON: {}", escape(error.to_string().as_bytes())))
    })
}

struct JsonReader<'t> {
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

impl<'t> JsonReader<'t> {
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
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
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
            Some(digit @ b'1'..=b'9') if matches!(self.text.as_bytes().get(self.at + 1), Some(b',' | b']' | b'}')) => {
                self.at += 1;
                Ok(JsonValue::Integer((digit - b'0').into()))
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<JsonValue<'t>, JsonError> {
        let rest = &self.text.as_bytes()[self.at..];
        for (word, value) in [("true", JsonValue::Bool(true)), ("false", JsonValue::Bool(false)), ("null", JsonValue::Null)] {
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

    /// A string between double quotes.
    fn string(&mut self) -> Result<&'t str, JsonError> {
        let start = self.at + 1;
        let bytes = &self.text.as_bytes()[start..];
        let length = bytes.iter().position(|&byte| byte < b' ' || byte == b'"' || byte == b'\\').unwrap_or(bytes.len());
        match bytes.get(length) {
            Some(b'"') => {
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
        let mut copied = start;
        let mut out = String::new();
        loop {
            let byte =
                *bytes.get(at).filter(|byte| **byte >= b' ').ok_or_else(|| self.fault("a string without its end"))?;
            if byte != b'"' && byte != b'\\' {
                at += 1;
                continue;
            }
            out.push_str(&self.text[copied..at]);
            if byte == b'"' {
                self.at = at + 1;
                return Ok(self.arena.alloc_str(&out));
            }
            let (sign, length) = unescaped_sign(&self.text[at..]).ok_or_else(|| {
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
            let value = self.value(depth)?;
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
            if self.peek() != Some(b'"') {
                return Err(self.fault("a member without a name"));
            }
            let key = self.string()?;
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
pub(super) fn unescaped_sign(text: &str) -> Option<(char, usize)> {
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

/// Whether a value says nothing.
pub(super) fn is_nothing(value: &JsonValue) -> bool {
    match value {
        JsonValue::Null | JsonValue::Bool(false) => true,
        JsonValue::Bool(true) => false,
        JsonValue::Integer(number) => *number == 0,
        JsonValue::Float(number) => *number == 0.0,
        JsonValue::String(text) => text.is_empty(),
        JsonValue::Array(values) => values.is_empty(),
        JsonValue::Object(members) => members.is_empty(),
    }
}

/// The text of a title or the like: nothing if the value says nothing, and JSON if it is no text.
pub(super) fn text_of<'t>(value: Option<&JsonValue<'t>>) -> Cow<'t, str> {
    match value {
        Some(JsonValue::String(text)) => Cow::Borrowed(text),
        Some(value) if !is_nothing(value) => value.to_string().into(),
        _ => "".into(),
    }
}

/// The values of a list, or none if there is no such member or it says nothing.
///
/// # Errors
/// It is something else.
pub(super) fn list<'t>(members: &Members<'t>, key: &str) -> Result<&'t [JsonValue<'t>], Reject> {
    members.get(key).map_or(Ok(&[]), |value| items(key, value))
}

/// The values of the list of a member, or none if it says nothing.
///
/// # Errors
/// It is something else.
pub(super) fn items<'t>(key: &str, value: &JsonValue<'t>) -> Result<&'t [JsonValue<'t>], Reject> {
    match value {
        JsonValue::Array(values) => Ok(values),
        value if is_nothing(value) => Ok(&[]),
        _ => Err(Reject::whole(Code::Range, format!("{key} is no list"))),
    }
}

/// The keys of an object that are not known and say something.
pub(super) fn unknown_keys<'t>(members: &Members<'t>, known: &[&str]) -> impl Iterator<Item = &'t str> {
    members.iter().filter(|(key, value)| !is_nothing(value) && !known.contains(key)).map(|(key, _)| key)
}

/// A number, which may stand in quotes.
pub(super) enum JsonNumber {
    /// There is nothing, or empty text.
    None,
    /// A number below 10,000.
    Some(u32),
    /// Something else.
    Other,
}

/// Reads a number.
pub(super) fn number(value: Option<&JsonValue>) -> JsonNumber {
    let number = match value {
        None | Some(JsonValue::Null) => return JsonNumber::None,
        Some(JsonValue::String("")) => return JsonNumber::None,
        Some(JsonValue::Integer(number)) => u64::try_from(*number).ok().filter(|&number| number < 10_000),
        Some(JsonValue::String(text)) => {
            let digits = text.trim();
            let is_number = (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse().ok()).flatten()
        }
        Some(_) => None,
    };
    number.map_or(JsonNumber::Other, |number| JsonNumber::Some(number as u32))
}

#[cfg(test)]
mod tests;
