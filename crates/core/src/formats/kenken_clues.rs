//! The clues of KenKens as text, and the rows of cells that name their cages.

use super::text::decimal;

/// A clue, and the operator as version 2 has it.
pub(super) type NamedClue = (u32, u16);

/// A clue: a number, and perhaps an operator.
fn clue(text: &[u8]) -> Option<NamedClue> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let operator = match &text[digits..] {
        b"" => 0,
        b"+" => 1,
        b"-" => 2,
        b"*" | b"x" | b"X" | b"\xc3\x97" => 3,
        b"/" | b"\xc3\xb7" => 4,
        _ => return None,
    };
    Some((decimal(&text[..digits])?, operator))
}

/// A cell, `r1` or `r1.24*`: the name of its cage, and the clue.
pub(super) fn cage_and_clue(cell: &[u8]) -> Option<(&[u8], Option<NamedClue>)> {
    let digits = cell.strip_prefix(b"r")?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (name, rest) = cell.split_at(1 + digits);
    match rest {
        _ if !(1..=9).contains(&digits) => None,
        b"" => Some((name, None)),
        _ => Some((name, Some(clue(rest.strip_prefix(b".")?)?))),
    }
}

/// Whether a text is a row of cells that name their cages: `r1.24*,r1,r2`.
pub(super) fn is_row(text: &[u8]) -> bool {
    let mut cells = text.split(|&byte| byte == b',');
    (3..=25).contains(&(memchr::memchr_iter(b',', text).count() + 1)) && cells.all(|cell| cage_and_clue(cell).is_some())
}

/// The clue of a letter: `A24x`, `A:24x` or `A=24x`.
pub(super) fn letter_clue(word: &[u8]) -> Option<(u8, NamedClue)> {
    let (&letter, rest) = word.split_first().filter(|(letter, _)| letter.is_ascii_alphabetic())?;
    let rest = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"=")).unwrap_or(rest);
    Some((letter, clue(rest)?))
}
