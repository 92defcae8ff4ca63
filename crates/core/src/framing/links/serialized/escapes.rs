//! Knows the ways in which the bytes of a value may be escaped in the text around it, and finds where a given number of
//! these bytes ends.

use memchr::{memchr, memchr2};

/// A way of escaping bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// None: bytes are written unchanged.
    None,
    /// A single quote is doubled: standard SQL, as in dumps of SQLite and PostgreSQL.
    Quotes,
    /// A backslash and the byte after it are one byte: MySQL, and `COPY` of PostgreSQL.
    Backslashes,
    /// Both: some tools of MySQL.
    Both,
    /// A backslash and the byte after it are one byte, but `\u00e9` is a character in UTF-8.
    Json,
    /// A double quote is doubled.
    Csv,
}

/// The result of searching for the end of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueEnd {
    /// The value ends here.
    At(usize),
    /// The value cannot have this length: its end would be inside an escape, or an escape is not allowed here.
    Past,
    /// The text ends first.
    Short,
}

impl Escapes {
    /// Finds the end of the first `count` bytes of a value written from `from` on, if it takes at most `longest` bytes
    /// of text.
    pub(super) fn find_end(self, text: &[u8], from: usize, count: usize, longest: usize) -> ValueEnd {
        let most = from.saturating_add(longest);
        let (text, short) = if text.len() > most { (&text[..most], ValueEnd::Past) } else { (text, ValueEnd::Short) };
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
                Unit::Bytes { .. } | Unit::Stray => return ValueEnd::Past,
                Unit::Short => return short,
            }
        }
        ValueEnd::At(at)
    }

    /// The number of bytes of a value that a text stands for. Parts of the text that are no complete escape count as
    /// they are.
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

    /// The position of the first byte that may not stand for itself.
    fn special(self, text: &[u8]) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Quotes => memchr(b'\'', text),
            Self::Backslashes | Self::Json => memchr(b'\\', text),
            Self::Both => memchr2(b'\'', b'\\', text),
            Self::Csv => memchr(b'"', text),
        }
    }

    /// The byte or escape at the start of a text.
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

/// What the start of a text stands for.
#[derive(Clone, Copy)]
enum Unit {
    /// A number of bytes of text for a number of bytes of the value.
    Bytes { written: usize, meant: usize },
    /// A quote that ends the enclosing string.
    Stray,
    /// More text is needed to decide.
    Short,
}

/// A JSON character: `\u` and four digits, twice for characters beyond the first 65,536.
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
    fn bytes_are_counted_without_escapes() {
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
            let find_end = |count| escapes.find_end(longer.as_bytes(), 0, count, 100);
            assert_eq!(find_end(count), ValueEnd::At(text.len()), "{escapes:?} {text}");
            assert_eq!(find_end(count + 3), ValueEnd::At(longer.len()));
            assert_eq!(find_end(count + 4), ValueEnd::Short);
            assert_eq!(escapes.find_end(longer.as_bytes(), 0, count + 4, longer.len() - 1), ValueEnd::Past);
        }
    }

    #[test]
    fn no_escape_is_cut_in_two() {
        let find_end = |escapes: Escapes, text: &str, count| escapes.find_end(text.as_bytes(), 0, count, 100);
        assert_eq!(find_end(Escapes::Json, r"a\u00e9b", 2), ValueEnd::Past);
        assert_eq!(find_end(Escapes::Json, r"a\u00", 2), ValueEnd::Short);
        assert_eq!(find_end(Escapes::Json, r"a\u00zz", 2), ValueEnd::Past);
        assert_eq!(find_end(Escapes::Quotes, "a'b", 2), ValueEnd::Past);
        assert_eq!(find_end(Escapes::Both, "a'", 2), ValueEnd::Short);
        assert_eq!(find_end(Escapes::Backslashes, "a\\", 2), ValueEnd::Short);
        assert_eq!(find_end(Escapes::Csv, "a\"b", 2), ValueEnd::Past);
    }
}
