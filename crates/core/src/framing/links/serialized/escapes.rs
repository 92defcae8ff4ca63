//! How the bytes of a value are written in the text around it, and where so many of them end.

use memchr::{memchr, memchr2};

/// A way of writing bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// As they are.
    None,
    /// A single quote is written twice: standard SQL, as SQLite and PostgreSQL dump it.
    Quotes,
    /// A backslash and the byte after it are one: MySQL, `COPY` of PostgreSQL.
    Backslashes,
    /// Both: MySQL, as some of its tools write it.
    Both,
    /// A backslash and the byte after it are one, but `\u00e9` is a character in UTF-8.
    Json,
    /// A double quote is written twice.
    Csv,
}

/// Where a walk over bytes of a value came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Walk {
    /// They end here.
    End(usize),
    /// They cannot end: an escape would be cut in two, or stands where none may.
    Past,
    /// The text ends before.
    Short,
}

impl Escapes {
    /// Where `count` bytes of a value end that are written from `from` on, if that takes at most `longest` bytes.
    pub(super) fn walk(self, text: &[u8], from: usize, count: usize, longest: usize) -> Walk {
        let most = from.saturating_add(longest);
        let (text, short) = if text.len() > most { (&text[..most], Walk::Past) } else { (text, Walk::Short) };
        let (mut at, mut left) = (from, count);
        while left > 0 {
            let rest = &text[at..];
            let window = &rest[..rest.len().min(left)];
            let plain = self.special(window).unwrap_or(window.len());
            at += plain;
            left -= plain;
            if left == 0 {
                break;
            }
            match self.unit(&text[at..]) {
                Unit::Bytes { written, meant } if meant <= left => {
                    at += written;
                    left -= meant;
                }
                Unit::Bytes { .. } | Unit::Stray => return Walk::Past,
                Unit::Short => return short,
            }
        }
        Walk::End(at)
    }

    /// How many bytes of a value a text stands for; as it is read if it cannot be all of it.
    pub fn count(self, text: &[u8]) -> usize {
        let (mut at, mut count) = (0, 0);
        while at < text.len() {
            let (written, meant) = match self.unit(&text[at..]) {
                Unit::Bytes { written, meant } => (written, meant),
                Unit::Stray | Unit::Short => (1, 1),
            };
            at += written;
            count += meant;
        }
        count
    }

    /// The first byte that may not stand for itself.
    fn special(self, text: &[u8]) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Quotes => memchr(b'\'', text),
            Self::Backslashes | Self::Json => memchr(b'\\', text),
            Self::Both => memchr2(b'\'', b'\\', text),
            Self::Csv => memchr(b'"', text),
        }
    }

    /// The byte, or the escape, that a text begins with.
    fn unit(self, text: &[u8]) -> Unit {
        let one = Unit::Bytes { written: 1, meant: 1 };
        let two = Unit::Bytes { written: 2, meant: 1 };
        let twice = |quote: u8| match text.get(1) {
            None => Unit::Short,
            Some(&next) if next == quote => two,
            Some(_) => Unit::Stray,
        };
        match (self, text.first()) {
            (_, None) => Unit::Short,
            (Self::Quotes | Self::Both, Some(b'\'')) => twice(b'\''),
            (Self::Csv, Some(b'"')) => twice(b'"'),
            (Self::Json, Some(b'\\')) if text.get(1) == Some(&b'u') => json_character(text),
            (Self::Backslashes | Self::Both | Self::Json, Some(b'\\')) => {
                if text.len() > 1 {
                    two
                } else {
                    Unit::Short
                }
            }
            _ => one,
        }
    }
}

/// What a piece of text stands for.
#[derive(Clone, Copy)]
enum Unit {
    /// So many bytes of text for so many of the value.
    Bytes { written: usize, meant: usize },
    /// A quote that ends what it stands in.
    Stray,
    /// More text is needed to tell.
    Short,
}

/// `\u` and four digits, twice for characters beyond the first 65,536.
fn json_character(text: &[u8]) -> Unit {
    let code = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |code, &digit| Some(code * 16 + char::from(digit).to_digit(16)?))
    };
    match code(0) {
        None if text.len() < 6 => Unit::Short,
        None => Unit::Stray,
        Some(0..0x80) => Unit::Bytes { written: 6, meant: 1 },
        Some(0x80..0x800) => Unit::Bytes { written: 6, meant: 2 },
        Some(0xd800..0xdc00) if text.len() < 12 && text.get(6).is_none_or(|&next| next == b'\\') => Unit::Short,
        Some(0xd800..0xdc00) if matches!(code(6), Some(0xdc00..0xe000)) => Unit::Bytes { written: 12, meant: 4 },
        Some(_) => Unit::Bytes { written: 6, meant: 3 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_as_they_are_meant() {
        for (escapes, text, count) in [
            (Escapes::None, r#"a\n''"""#, 7),
            (Escapes::Quotes, r#"it''s \n"#, 7),
            (Escapes::Backslashes, r#"\"a\\\0\Z''"#, 7),
            (Escapes::Both, r#"\"a\\\0\Z''"#, 6),
            (Escapes::Json, r#"\/\u00e9\u20AC\ud83d\ude00\u0026\ud83d."#, 1 + 2 + 3 + 4 + 1 + 3 + 1),
            (Escapes::Csv, r#"a""b\n"#, 5),
        ] {
            assert_eq!(escapes.count(text.as_bytes()), count, "{escapes:?} {text}");
            let longer = format!("{text};;;");
            let walk = |count| escapes.walk(longer.as_bytes(), 0, count, 100);
            assert_eq!(walk(count), Walk::End(text.len()), "{escapes:?} {text}");
            assert_eq!(walk(count + 3), Walk::End(longer.len()));
            assert_eq!(walk(count + 4), Walk::Short);
            assert_eq!(escapes.walk(longer.as_bytes(), 0, count + 4, longer.len() - 1), Walk::Past);
        }
    }

    #[test]
    fn no_escape_is_cut_in_two() {
        let walk = |escapes: Escapes, text: &str, count| escapes.walk(text.as_bytes(), 0, count, 100);
        assert_eq!(walk(Escapes::Json, r"a\u00e9b", 2), Walk::Past);
        assert_eq!(walk(Escapes::Json, r"a\u00", 2), Walk::Short);
        assert_eq!(walk(Escapes::Json, r"a\u00zz", 2), Walk::Past);
        assert_eq!(walk(Escapes::Quotes, "a'b", 2), Walk::Past);
        assert_eq!(walk(Escapes::Both, "a'", 2), Walk::Short);
        assert_eq!(walk(Escapes::Backslashes, "a\\", 2), Walk::Short);
        assert_eq!(walk(Escapes::Csv, "a\"b", 2), Walk::Past);
    }
}
