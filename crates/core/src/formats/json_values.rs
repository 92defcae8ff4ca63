//! Values in the JSON of puzzles of other programs.

use serde_json::{Map, Value};

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

/// The values of a list, or none.
pub(super) fn list<'v>(members: &'v Members, key: &str) -> &'v [Value] {
    members.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A number, which may stand in quotes.
pub(super) enum Number {
    /// There is nothing, or empty text.
    None,
    /// A number below 10,000.
    Some(u32),
    /// Something else.
    Other,
}

/// Reads a number.
pub(super) fn number(value: Option<&Value>) -> Number {
    let number = match value {
        None | Some(Value::Null) => return Number::None,
        Some(Value::String(text)) if text.is_empty() => return Number::None,
        Some(Value::Number(number)) => number.as_u64().filter(|&number| number < 10_000),
        Some(Value::String(text)) => {
            let digits = text.trim();
            let is_number = (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse().ok()).flatten()
        }
        Some(_) => None,
    };
    number.map_or(Number::Other, |number| Number::Some(number as u32))
}
