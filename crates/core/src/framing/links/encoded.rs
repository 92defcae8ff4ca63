//! Finds links that are percent-encoded as part of other addresses (`...?u=https%3A%2F%2F...%3Fbd%3D...`), or written
//! with HTML entities. They are read, but not rewritten.

use std::ops::Range;

use super::find::{LONGEST, SolverLink, is_query_byte};

/// How often a link may be encoded. More does not occur.
const ROUNDS: usize = 4;

/// Whether a text begins with an encoded `=`: percent-encoded once or more, or as an HTML entity.
pub(super) fn is_equals_sign(text: &[u8]) -> bool {
    let mut rest = text.strip_prefix(b"%").unwrap_or_default();
    while let Some(more) = rest.strip_prefix(b"25") {
        rest = more;
    }
    let as_percent = rest.get(..2).is_some_and(|code| code.eq_ignore_ascii_case(b"3d"));
    as_percent || text.first() == Some(&b'&') && entity(text).is_some_and(|(c, _)| c == b'=')
}

/// The range around `at` of bytes that may belong to one link, and its decoded bytes.
pub(super) fn decode_around(text: &[u8], at: usize) -> (Range<usize>, Vec<u8>) {
    let low = at.saturating_sub(LONGEST);
    let start = text[low..at].iter().rposition(|&byte| !is_query_byte(byte)).map_or(low, |before| low + before + 1);
    let most = text.len().min(at + LONGEST);
    let end = text[at..most].iter().position(|&byte| !is_query_byte(byte)).map_or(most, |length| at + length);
    let mut plain = text[start..end].to_vec();
    for _ in 0..ROUNDS {
        let next = decoded(&plain);
        if next == plain {
            break;
        }
        plain = next;
    }
    (start..end, plain)
}

/// The first link in decoded text.
pub(super) fn first_link(plain: &[u8], any_host: bool) -> Option<SolverLink> {
    memchr::memmem::find_iter(plain, b"bd=").find_map(|at| SolverLink::around(plain, at, any_host))
}

/// Decodes percent codes and entities once.
fn decoded(text: &[u8]) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some(&byte) = rest.first() {
        let (byte, width) = match byte {
            b'%' => percent(rest).map_or((byte, 1), |byte| (byte, 3)),
            b'&' => entity(rest).unwrap_or((byte, 1)),
            _ => (byte, 1),
        };
        out.push(byte);
        rest = &rest[width..];
    }
    out
}

/// The byte of the percent code at the start of a text.
pub(super) fn percent(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    text.starts_with(b"%").then(|| Some((digit(1)? * 16 + digit(2)?) as u8))?
}

/// The ASCII character of the HTML entity at the start of a text, and the entity's length.
fn entity(text: &[u8]) -> Option<(u8, usize)> {
    let end = text.iter().take(12).position(|&byte| byte == b';')?;
    let name = std::str::from_utf8(text.get(1..end)?).ok()?;
    let code = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        },
        None => match name {
            "amp" => u32::from(b'&'),
            "equals" => u32::from(b'='),
            "quest" => u32::from(b'?'),
            "sol" => u32::from(b'/'),
            "colon" => u32::from(b':'),
            "period" => u32::from(b'.'),
            _ => return None,
        },
    };
    u8::try_from(code).ok().filter(u8::is_ascii_graphic).map(|byte| (byte, end + 1))
}
