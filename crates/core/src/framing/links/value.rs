//! Reads the string in the value of a link's parameter.

use super::encoded::percent;

/// The string of a board, and its length in the text.
pub(super) struct BoardText {
    /// The string, without percent codes.
    pub text: String,
    /// The number of bytes of text that belong to it.
    pub length: usize,
}

/// Bytes that may follow a link without a space: punctuation and Markdown.
const PUNCTUATION: &[u8] = b".,-_*|";

/// Reads the string in a value, whose characters may be percent-encoded (`%2C` is a comma). Excludes punctuation after
/// the link.
pub(super) fn board_text(value: &[u8]) -> BoardText {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b".,_*|%-".contains(&byte);
    let whole = &value[..value.iter().position(|&byte| !is_digit(byte)).unwrap_or(value.len())];
    let least = whole.iter().rposition(|byte| !PUNCTUATION.contains(byte)).map_or(0, |last| last + 1);
    // A plain board may end in points, but then it has 81 characters.
    let plain = (least..=whole.len()).find(|&length| unescaped(&whole[..length]).len() == 81);
    let length = plain.unwrap_or(least);
    BoardText { text: unescaped(&whole[..length]), length }
}

/// Decodes percent codes. An invalid one stays as it is.
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
