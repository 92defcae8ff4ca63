//! Values in the JSON of puzzles of other programs.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde_core::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::error::{Code, Reject, escape};

/// The most values that are read, members of objects and items of lists counted alike. Puzzles have some thousands. A value
/// takes up to some hundred bytes of memory, but two characters of text.
pub(super) const MOST_VALUES: usize = 1 << 18;

/// What is wrong with a text of more values.
pub(super) const TOO_MANY: &str = "more values than a puzzle has";

/// Reads JSON of at most [`MOST_VALUES`] values, in which no object has a member twice. A key may have another name, which
/// `long_key` returns.
pub(super) fn parse(text: &str, long_key: fn(&str) -> Option<&'static str>) -> Result<Value, serde_json::Error> {
    let left = Cell::new(MOST_VALUES);
    let text = &without_lone_surrogates(text);
    // serde_json refuses values that are nested too deeply.
    let mut json = serde_json::Deserializer::from_str(text);
    let value = Bounded { left: &left, long_key }.deserialize(&mut json)?;
    json.end()?;
    Ok(value)
}

/// The text with U+FFFD for each escaped half of a character, such as `\ud800`. JavaScript writes these; serde_json refuses them.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let unit = |at: usize| {
        let digits =
            text.get(at..at + 6)?.strip_prefix("\\u").filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (mut new, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = memchr::memchr(b'\\', &text.as_bytes()[at..]) {
        at += found;
        at += match (unit(at), unit(at + 6)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => 12,
            (Some(0xD800..0xE000), _) => {
                new.push_str(&text[copied..at]);
                new.push_str("\\uFFFD");
                copied = at + 6;
                6
            }
            _ => 2,
        };
        at = at.min(text.len());
    }
    match copied {
        0 => text.into(),
        _ => (new + &text[copied..]).into(),
    }
}

/// Reads JSON of a puzzle, whose keys are what they are.
///
/// # Errors
/// It is not JSON, has too many values, or a member twice. `what` is what should be JSON.
pub(super) fn parse_puzzle(text: &str, what: &str) -> Result<Value, Reject> {
    parse(text, |_| None).map_err(|error| {
        Reject::whole(Code::Digit, format!("{what} not JSON: {}", escape(error.to_string().as_bytes())))
    })
}

/// Reads a value, and counts it.
#[derive(Clone, Copy)]
struct Bounded<'c> {
    left: &'c Cell<usize>,
    long_key: fn(&str) -> Option<&'static str>,
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.left.get().checked_sub(1).ok_or_else(|| D::Error::custom(TOO_MANY))?;
        self.left.set(left);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(self)? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = items.next_key::<String>()? {
            let key = (self.long_key)(&key).map_or(key, str::to_string);
            if members.contains_key(&key) {
                return Err(A::Error::custom(format!("a second {key}")));
            }
            members.insert(key, items.next_value_seed(self)?);
        }
        Ok(members.into())
    }
}

/// The members of an object.
pub(super) type Members = Map<String, Value>;

/// Whether a value says nothing.
pub(super) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) => false,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(members) => members.is_empty(),
    }
}

/// The text of a title or the like: nothing if the value says nothing, and JSON if it is no text.
pub(super) fn text_of(value: Option<&Value>) -> Cow<'_, str> {
    match value {
        Some(Value::String(text)) => text.into(),
        Some(value) if !is_nothing(value) => value.to_string().into(),
        _ => "".into(),
    }
}

/// The values of a list, or none if there is no such member or it says nothing.
///
/// # Errors
/// It is something else.
pub(super) fn list<'v>(members: &'v Members, key: &str) -> Result<&'v [Value], Reject> {
    match members.get(key).filter(|value| !is_nothing(value)) {
        None => Ok(&[]),
        Some(Value::Array(values)) => Ok(values),
        Some(_) => Err(Reject::whole(Code::Range, format!("{key} is no list"))),
    }
}

/// The keys of an object that are not known and say something.
pub(super) fn unknown_keys<'v>(members: &'v Members, known: &[&str]) -> impl Iterator<Item = &'v str> {
    members
        .iter()
        .filter(|(key, value)| !is_nothing(value) && !known.contains(&key.as_str()))
        .map(|(key, _)| key.as_str())
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
pub(super) fn number(value: Option<&Value>) -> JsonNumber {
    let number = match value {
        None | Some(Value::Null) => return JsonNumber::None,
        Some(Value::String(text)) if text.is_empty() => return JsonNumber::None,
        Some(Value::Number(number)) => number.as_u64().filter(|&number| number < 10_000),
        Some(Value::String(text)) => {
            let digits = text.trim();
            let is_number = (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse().ok()).flatten()
        }
        Some(_) => None,
    };
    number.map_or(JsonNumber::Other, |number| JsonNumber::Some(number as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_characters_are_replaced() {
        for (json, text) in [
            (r#""a\ud800b""#, "a\u{fffd}b"),
            (r#""\uD83D\uDE00\ude00""#, "\u{1f600}\u{fffd}"),
            (r#""\ud800\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (r#""\\ud800""#, r"\ud800"),
            (r#""\ud800""#, "\u{fffd}"),
            (r#""\u00e9\n\"""#, "\u{e9}\n\""),
        ] {
            assert_eq!(parse_puzzle(json, "it is").expect(json), Value::from(text), "{json}");
        }
        for json in [r#""\ud8""#, r#""\ud800"#, r#""\é""#, r#""\"#, r#""\u+d80""#] {
            assert!(parse_puzzle(json, "it is").is_err(), "{json}");
        }
    }
}
