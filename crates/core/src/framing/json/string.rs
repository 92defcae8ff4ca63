//! The strings of JSON values.

use std::borrow::Cow;

use crate::error::{Code, Reject};
use crate::framing::rows::{FoundString, Rows, StringPlace, holds_line_end};

/// Adds the string of a value, unless it is null or empty. Returns the number of strings added.
pub(super) fn take_string(text: &[u8], value: &str, rows: &mut Rows) -> Result<u32, Reject> {
    let Some((value, place)) = read_string(text, value)? else { return Ok(0) };
    if rows.push(value, place) { Ok(1) } else { Err(holds_line_end()) }
}

/// The unescaped string of a value and its position, unless it is null or empty.
pub(super) fn read_string<'t>(text: &[u8], value: &'t str) -> Result<Option<FoundString<'t>>, Reject> {
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
    // The value was borrowed from the text, so the difference of their addresses is its position.
    let start = inner.as_ptr() as usize - text.as_ptr() as usize;
    let place = StringPlace::new(start..start + inner.len(), true);
    let unescaped = match memchr::memchr(b'\\', inner.as_bytes()) {
        None => Cow::Borrowed(inner.as_bytes()),
        Some(_) => Cow::Owned(serde_json::from_str::<String>(value).map_err(|error| not_json(&error))?.into_bytes()),
    };
    Ok(Some((unescaped, place)))
}

pub(super) fn not_json(error: &serde_json::Error) -> Reject {
    // The message contains a line number, which is always 1, since each line is parsed by itself.
    let message = error.to_string();
    let message = message.replace(" at line 1 column ", ", at byte ");
    Reject::whole(Code::Json, format!("not valid JSON: {message}"))
}
