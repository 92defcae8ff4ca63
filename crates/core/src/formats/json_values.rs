//! The JSON of puzzles of other programs.
//!
//! Each puzzle has hundreds of values, most of them empty objects, so a tree that allocates each of them takes longer than unpacking
//! its text. Here all values of a text are in one arena.

mod reader;

use std::borrow::Cow;
use std::fmt;

use bumpalo::Bump;

use crate::error::{Code, Reject};
#[cfg(test)]
pub(super) use reader::MOST_VALUES;
pub(super) use reader::{JsonError, parse, parse_puzzle, parse_short};

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
