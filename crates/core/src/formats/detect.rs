//! Detects the format of a string if the user does not name it (`--from auto`; docs/FORMATS.md, "v1 traps").

use super::companions::{is_line_of_map, is_list_of_cages, is_list_of_map, is_no_map, is_sudoku_and_mask, may_be_pair};
use super::decode_one::decode_one;
use super::text::length;
use super::{Form, Format, Hints, Layout, REGISTRY, Records, plain, v2, wolfram};
use crate::board::Kind;
use crate::error::{Code, Reject, plural};

/// Guesses the form of a string from its length, header and characters.
///
/// # Errors
/// The string is of no format, its format cannot be guessed, or it has the wrong shape for the format that it seems to
/// be of.
pub fn detect(text: &[u8], hints: &Hints) -> Result<Form, Reject> {
    match detect_by_shape(text, hints) {
        Ok(form) if !may_be_notation(text) => Ok(form),
        found => detect_notation(found, text, hints),
    }
}

/// Whether a text begins as strings of formats without kernels do that may have the length of another format.
#[inline(always)]
fn may_be_notation(text: &[u8]) -> bool {
    let begins = matches!(
        text,
        [b':', ..]
            | [b'N', b'4', ..]
            | [b'f', b'p', ..]
            | [b'h', b't', ..]
            | [b'S', b'u', ..]
            | [b's' | b'?', b'u' | b's', ..]
            | [b'1'..=b'9', b'x', b'1'..=b'9', ..]
            | [b'1'..=b'9', b'j', b':' | b'a'..=b'z', ..]
            | [b'1'..=b'9', b'0'..=b'9', b'j', b':' | b'a'..=b'z', ..]
            | [b'3'..=b'9', b':', b'a'..=b'z' | b'_', ..]
            | [b'3'..=b'9', b'd', b'a'..=b'z', b':', ..]
            | [b's', b'c', b'l' | b'f', ..]
            | [b'c', b't', b'c', ..]
            | [b'c', b'l', b'a', ..]
            | [b'S', b'C', b'v', ..]
            | [b'3', b'2', b'_', ..]
    );
    begins || has_arrows(text) || may_be_pair(text)
}

/// Whether a text has 81 characters and an arrow that is not a sign of other strings.
#[inline]
fn has_arrows(text: &[u8]) -> bool {
    text.len() == 81 && memchr::memchr3(b'<', b'^', b'`', text).is_some()
}

/// Finds out whether a text is of a format without a kernel. `found` is what it is by its length and header, which has
/// precedence if that can be read.
#[cold]
fn detect_notation(found: Result<Form, Reject>, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
    let Some(format) = REGISTRY.iter().find(|format| format.resembles(text)) else { return found };
    match found {
        Ok(form) if decode_one(form, text).is_ok() => Ok(form),
        _ => format.recognise(text, hints),
    }
}

/// Guesses the form of a string of a format with kernels.
fn detect_by_shape(text: &[u8], hints: &Hints) -> Result<Form, Reject> {
    let commas = memchr::memchr_iter(b',', text).count();
    if wolfram::is_likely(text) {
        return Format::Wolfram.codec().recognise(text, hints);
    }
    let id = match (commas, length(text)) {
        (80, _) if !text.starts_with(b"[") && !text.starts_with(b"{") => return detect_list(text, hints),
        (81, _) if text[0] == b',' => return detect_list(text, hints),
        (1, 244) => Format::Plain,
        (1, 325) => Format::V1,
        (_, 81) if is_no_map(text) => Format::Plain,
        (_, 81) if is_ruled_line(text) => {
            return ambiguous(
                "either an empty plain sudoku or just a line of signs; if it is a board, use --from plain",
            );
        }
        (_, 81) if is_line_of_map(text) => return ambiguous(MAP),
        (_, 81) => Format::Plain,
        (_, 162) => return detect_162(text, hints),
        (_, 243) => return detect_243(text, hints),
        _ if v2::resembles(text) => Format::V2,
        _ if plain::has_length_of_side(text) => return plain::detect_side(text, hints),
        (_, length) if v2::has_length(length) => {
            let words =
                format!("{length} characters, as some v2 strings have, but they begin with a header such as S9B");
            return Err(Reject::whole(Code::Length, words));
        }
        (_, length) => {
            let words = format!(
                "{length} character{}: no format has strings of this length (81 plain, 162 v1, 165 v2 S9B, and others; \
                 'gridmill formats' lists them)",
                plural(length)
            );
            return Err(Reject::whole(Code::Length, words));
        }
    };
    id.codec().recognise(text, hints)
}

/// The refusal of a string that can be read in two ways.
fn ambiguous<T>(words: &str) -> Result<T, Reject> {
    Err(Reject::whole(Code::Ambiguous, words))
}

/// The words about what can be a map.
const MAP: &str = "81 digits that are either a map, of regions or of clues, or a sudoku that repeats digits in many rows and \
    columns; if they are a sudoku, use --from plain";

/// Detects the format of 81 numbers. They are masks if one is too large for a digit, otherwise digits. With a comma
/// before the first number they can only be masks, but are accepted only if one of them is too large for a digit.
fn detect_list(text: &[u8], hints: &Hints) -> Result<Form, Reject> {
    let is_above_nine = |pair: &[u8]| (b'1'..=b'9').contains(&pair[0]) && pair[1].is_ascii_digit();
    let has_mask_above_99 = has_mask_above_99(text);
    if has_mask_above_99 || text.windows(2).any(is_above_nine) {
        if text.split(|&byte| byte == b',').all(are_candidates) {
            return ambiguous(
                "81 numbers that can be v0 masks or candidates written as digits; if they are masks, use --from v0",
            );
        }
        if counts_up(text) {
            return ambiguous("81 numbers in ascending order; if they are v0 masks, use --from v0");
        }
        if !has_mask_above_99 && is_list_of_cages(text) {
            return ambiguous(
                "81 numbers, none above 99, that are either the numbers or sums of cages or v0 masks; if they are masks, use --from v0",
            );
        }
        return Format::V0.codec().recognise(text, hints);
    }
    if text[0] == b',' {
        return ambiguous(
            "numbers after a comma, none above 9: v0 masks, or plain digits without the first one; if they are masks, \
             use --from v0",
        );
    }
    if is_list_of_map(text) {
        return ambiguous(MAP);
    }
    Format::Plain.codec().recognise(text, hints)
}

/// Whether a number of a list has three digits, as the masks of 8 and 9, which nearly all boards have, and no number or
/// sum of a cage.
fn has_mask_above_99(text: &[u8]) -> bool {
    text.windows(3)
        .any(|three| (b'1'..=b'9').contains(&three[0]) && three[1].is_ascii_digit() && three[2].is_ascii_digit())
}

/// Whether the digits of a number can be the candidates of a cell, that is, whether they ascend. Hardly any board in v0
/// consists only of such numbers, because 6 and 7 alone are 32 and 64.
fn are_candidates(number: &[u8]) -> bool {
    number == b"0" || !number.contains(&b'0') && number.is_sorted_by(|a, b| a < b)
}

/// Whether each number is larger than the previous one, as in lists that count something.
fn counts_up(text: &[u8]) -> bool {
    text.split(|&byte| byte == b',').is_sorted_by(|a, b| (a.len(), *a) < (b.len(), *b))
}

/// Whether a text consists of signs for empty cells, without a digit, and not only of dots. It may then be a line that
/// separates parts of a text.
#[inline(always)]
pub(super) fn is_ruled_line(text: &[u8]) -> bool {
    // Most texts have a digit among the first characters.
    if let Some(first) = text.first_chunk::<16>()
        && first.iter().fold(0, |any, byte| any | u8::from(byte.is_ascii_digit())) != 0
    {
        return false;
    }
    is_ruled_throughout(text)
}

#[inline(never)]
fn is_ruled_throughout(text: &[u8]) -> bool {
    text.iter().all(|byte| b"._-*xX?".contains(byte)) && text.iter().any(|&byte| byte != b'.')
}

/// Detects the format of 162 characters: a v1 sudoku, or a plain Str8ts if the characters are 81 digits followed by 81
/// of 0 and 1.
fn detect_162(text: &[u8], hints: &Hints) -> Result<Form, Reject> {
    if !looks_like_str8ts_plain(text) || hints.kind.is_some_and(Kind::is_plain) {
        return Format::V1.codec().recognise(text, hints);
    }
    if hints.kind.is_none() && text[81..].iter().all(|&byte| byte == b'0') {
        return ambiguous(
            "162 digits that can be a v1 sudoku or a plain str8ts without black cells; choose with --from or --kind",
        );
    }
    if hints.kind.is_none() && is_sudoku_and_mask(text) {
        return ambiguous(
            "81 digits and 81 of 0 and 1 that are either a sudoku and a mask of its clues or a plain str8ts; of a sudoku, keep only the \
             81 digits; if it is a str8ts, use --kind str8ts",
        );
    }
    Format::Plain.codec().recognise(text, hints)
}

/// Detects the format of 243 characters: v1 Str8ts, unless all are decimal and the last 81 are 0 and 1, which is a
/// player link.
fn detect_243(text: &[u8], hints: &Hints) -> Result<Form, Reject> {
    if is_player_link(text) {
        let words = "a string from a player link (clues, solution, black cells), which is not supported";
        return Err(Reject::whole(Code::Unsupported, words));
    }
    Format::V1.codec().recognise(text, hints)
}

/// Whether 243 characters are all decimal and the last 81 are only 0 and 1.
fn is_player_link(text: &[u8]) -> bool {
    text.len() == 243 && text[162..].iter().all(|byte| byte & !1 == b'0') && text.iter().all(u8::is_ascii_digit)
}

/// Whether 162 characters are all decimal and the second half is only 0 and 1.
#[inline]
fn looks_like_str8ts_plain(text: &[u8]) -> bool {
    // The last eight characters decide for nearly all other strings. This function runs for every string.
    let last = text.last_chunk().map_or(0, |last| u64::from_ne_bytes(*last));
    last & 0xfefe_fefe_fefe_fefe == 0x3030_3030_3030_3030 && is_str8ts_plain(text)
}

#[cold]
fn is_str8ts_plain(text: &[u8]) -> bool {
    text.len() == 162 && text[81..].iter().all(|byte| byte & !1 == b'0') && text[..81].iter().all(u8::is_ascii_digit)
}

/// Returns how many of these strings, counted from the first, have the width of `form` and are of that form if they
/// decode as such. This is the fast check for consecutive records. `auto` says whether formats are guessed. A string
/// that does not decode may be of any form or of none, and must be recognised separately.
pub fn of_same_form(form: &Form, texts: Records<'_>, auto: bool, hints: &Hints) -> usize {
    if form.has_layouts() && hints.layouts.get(form.id).is_none() {
        return 0;
    }
    let texts = (0..texts.count_of_width(form.width)).map(|i| texts.get(i));
    let one_comma = |text: &[u8]| memchr::memchr_iter(b',', text).count() == 1;
    // Decide by width and form once, not for every string.
    match (form.id, form.width) {
        (Format::Plain, _) if Layout::ALPHABETS.contains(&form.layout) => {
            texts.take_while(|text| plain::is_same_side(form, text, auto, hints)).count()
        }
        (Format::V2, _) => texts.take_while(|text| v2::same_header(form, text)).count(),
        _ if !auto => texts.count(),
        (Format::V1, 162) => texts.take_while(|text| !looks_like_str8ts_plain(text)).count(),
        (Format::Plain, 162) => {
            let is_str8ts = |text: &[u8]| {
                looks_like_str8ts_plain(text)
                    && text[81..].contains(&b'1')
                    && (hints.kind.is_some() || !is_sudoku_and_mask(text))
            };
            texts.take_while(|text| is_str8ts(text)).count()
        }
        (Format::V1, 243) => texts.take_while(|text| !is_player_link(text)).count(),
        (Format::Plain, 244) | (Format::V1, 325) => texts.take_while(|text| one_comma(text)).count(),
        (Format::Plain, 81) => {
            let is_sudoku = |text: &[u8]| is_no_map(text) || !is_ruled_line(text) && !is_line_of_map(text);
            texts.take_while(|text| is_sudoku(text)).count()
        }
        _ => texts.count(),
    }
}
