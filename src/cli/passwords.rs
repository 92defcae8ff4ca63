//! Passwords among the arguments, which no message may repeat: an address of a database may be typed in any place.

use std::ffi::OsStr;

use crate::error::escape;

/// What messages show instead of a password.
const MASK: &str = "***";

/// A password, and what stands before it.
struct Password {
    before: String,
    password: String,
}

/// Masks the passwords of this process's arguments wherever a message repeats them, or their beginnings.
pub(super) fn mask(text: &str) -> String {
    std::env::args_os().fold(text.to_string(), |text, argument| mask_those_of(&argument, text))
}

fn mask_those_of(argument: &OsStr, mut text: String) -> String {
    let bytes = argument.as_encoded_bytes();
    if ["://", "password="].iter().all(|sign| memchr::memmem::find(bytes, sign.as_bytes()).is_none()) {
        return text;
    }
    // As messages may show it.
    let plain = argument.to_string_lossy();
    let shown = [plain.to_string(), escape(bytes), format!("{plain:?}")];
    let passwords = || shown.iter().flat_map(|shown| in_address(shown).into_iter().chain(in_setting(shown)));
    for length in [LeastMasked::Whole, LeastMasked::Part] {
        text = passwords().fold(text, |text, password| password.mask(&text, length));
    }
    text
}

/// How much of a password must be found to be masked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LeastMasked {
    Whole,
    /// Its beginning, because a message may cut it, or lack some of its characters.
    Part,
}

/// The password in `scheme://user:password@host`. It may contain any character, so it ends at the last `@`.
fn in_address(argument: &str) -> Option<Password> {
    let user = argument.find("://")?;
    let end = argument.rfind('@').filter(|&end| end > user)?;
    let start = user + 3 + argument.get(user + 3..end)?.find(':')? + 1;
    Some(Password { before: argument[user..start].into(), password: argument[start..end].into() })
}

/// What follows `password=`, up to the end, since it may contain spaces and quotes.
fn in_setting(argument: &str) -> Option<Password> {
    let before = "password=";
    let (_, password) = argument.split_once(before)?;
    Some(Password { before: before.into(), password: password.into() })
}

impl Password {
    fn mask(&self, text: &str, length: LeastMasked) -> String {
        let mut parts = text.split(&self.before);
        let mut out = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let end = if part.starts_with(MASK) { 0 } else { self.end(part, length) };
            out.push_str(&self.before);
            out.push_str(if end > 0 { MASK } else { "" });
            out.push_str(&part[end..]);
        }
        out
    }

    /// The end of the password at the start of a text; 0 if there is none.
    fn end(&self, text: &str, length: LeastMasked) -> usize {
        if length == LeastMasked::Whole {
            return if text.starts_with(&self.password) { self.password.len() } else { 0 };
        }
        let same = text.char_indices().zip(self.password.chars()).take_while(|((_, one), other)| one == other);
        let end = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
        let is_setting = !self.before.starts_with(':');
        if is_setting && end > 0 { text.len() } else { text.rfind('@').filter(|_| !is_setting).unwrap_or(end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_and_their_beginnings_are_masked() {
        for (argument, text, masked) in [
            ("postgres://u:pw@h/db", "postgres://u:pw@h/db: no file", "postgres://u:***@h/db: no file"),
            (
                "postgres://u:p/w@h/db",
                "no folder postgres://u:p; 'postgres://u:p/w@h'",
                "no folder postgres://u:***; 'postgres://u:***@h'",
            ),
            ("--backup=x://u:p@w:d@h", "x://u:p@w:d@h: me@h", "x://u:***@h: me@h"),
            ("x://u:a\\b@h", "x://u:a\\\\b@h, x://u:a\\b@h", "x://u:***@h, x://u:***@h"),
            ("x://u@h:5432/db", "x://u@h:5432/db", "x://u@h:5432/db"),
            ("x://h:5432/db", "x://h:5432/db: user@host", "x://h:5432/db: user@host"),
            ("host=h password='a b' user=u", "host=h password='a b' user=u: no", "host=h password=***: no"),
            ("x://u:\x1b[1mab@h", "x://u:ab@h", "x://u:***@h"),
            ("password=a\\b c", "password=a\\b, no", "password=***"),
            ("x://u:@h", "x://u:@h", "x://u:@h"),
            ("a@b://c", "a@b://c", "a@b://c"),
        ] {
            assert_eq!(mask_those_of(OsStr::new(argument), text.into()), masked, "{argument}");
        }
    }
}
