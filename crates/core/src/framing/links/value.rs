//! The string of a link: which bytes are its own, and what they mean.

use super::encoded::percent;

/// A board as a string, and how many bytes of the text are its own.
pub(super) struct Value {
    /// What is meant.
    pub text: String,
    /// Bytes of the text.
    pub length: usize,
}

/// Bytes that may follow a link without a space, as punctuation and Markdown's signs do.
const BEHIND: &[u8] = b".,-_*|";

/// What stands in a value, whose characters may be escaped (`%2C` is a comma). Punctuation after a link is none of it.
pub(super) fn board_text(value: &[u8]) -> Value {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b".,_*|%-".contains(&byte);
    let whole = &value[..value.iter().position(|&byte| !is_digit(byte)).unwrap_or(value.len())];
    let least = whole.iter().rposition(|byte| !BEHIND.contains(byte)).map_or(0, |last| last + 1);
    // A plain board may end in points, but then it has 81 characters.
    let plain = (least..=whole.len()).find(|&length| unescaped(&whole[..length]).len() == 81);
    let length = plain.unwrap_or(least);
    Value { text: unescaped(&whole[..length]), length }
}

/// Text without percent escapes; one that is none stays.
fn unescaped(text: &[u8]) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&byte) = rest.first() {
        let escaped = percent(rest);
        out.push(escaped.unwrap_or(byte));
        rest = &rest[if escaped.is_some() { 3 } else { 1 }..];
    }
    String::from_utf8_lossy(&out).into_owned()
}
