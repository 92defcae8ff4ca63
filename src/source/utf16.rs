//! Text in UTF-16 with a byte order mark, as some programs of Windows write it: becomes UTF-8, without the mark.

use crate::error::Error;
use std::path::Path;

/// The order of the two bytes of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ByteOrder {
    Little,
    Big,
}

/// The bytes of a mark.
const MARK: usize = 2;

impl ByteOrder {
    /// The order that the mark at the begin of a text shows. (That of UTF-32 begins with the same bytes.)
    fn of(begin: &[u8]) -> Option<Self> {
        match begin {
            [0xff, 0xfe, 0, 0, ..] => None,
            [0xff, 0xfe, ..] => Some(Self::Little),
            [0xfe, 0xff, ..] => Some(Self::Big),
            _ => None,
        }
    }

    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }
}

/// Whether a text that begins with `bytes` has the mark of UTF-16. `complete` says that these are all.
pub(crate) fn has_mark(bytes: &[u8], complete: bool) -> Option<bool> {
    match (bytes, complete) {
        ([] | [0xff | 0xfe] | [0xff, 0xfe] | [0xff, 0xfe, 0], false) => None,
        _ => Some(ByteOrder::of(bytes).is_some()),
    }
}

/// Text in UTF-16 that becomes UTF-8.
pub(super) struct Utf16 {
    order: ByteOrder,
    /// Bytes that were read and are no whole character yet.
    bytes: Vec<u8>,
    ended: bool,
    /// The lines that ended so far, and the bytes of UTF-8, for messages.
    lines: u64,
    position: u64,
}

impl Utf16 {
    /// Reads on after `begin`, if that has a mark.
    pub(super) fn after(begin: &[u8]) -> Option<Self> {
        let order = ByteOrder::of(begin)?;
        Some(Self { order, bytes: begin[MARK..].to_vec(), ended: false, lines: 0, position: 0 })
    }

    /// Whether there are bytes that were read before.
    pub(super) fn ready(&self) -> bool {
        self.bytes.len() >= 4 || self.ended
    }

    /// Appends some text, of about `want` bytes; 0 only at the end. `read` appends bytes, about as many as it is told.
    pub(super) fn append(
        &mut self,
        mut read: impl FnMut(&mut Vec<u8>, usize) -> Result<usize, Error>,
        buffer: &mut Vec<u8>,
        want: usize,
        path: &Path,
    ) -> Result<usize, Error> {
        let before = buffer.len();
        loop {
            self.convert(buffer);
            if buffer.len() > before {
                return Ok(buffer.len() - before);
            }
            self.check(path)?;
            if self.ended {
                return Ok(0);
            }
            // A unit of two bytes may become three.
            self.ended = read(&mut self.bytes, (want / 3 * 2).max(4))? == 0;
        }
    }

    /// Converts what was read, up to a part of a character or an error.
    fn convert(&mut self, buffer: &mut Vec<u8>) {
        let before = buffer.len();
        let units = self.bytes.as_chunks::<2>().0.iter().map(|bytes| self.order.unit(*bytes));
        let mut used = 0;
        for one in char::decode_utf16(units) {
            let Ok(one) = one else { break };
            used += 2 * one.len_utf16();
            buffer.extend_from_slice(one.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.bytes.drain(..used);
        let text = &buffer[before..];
        self.lines += memchr::memchr_iter(b'\n', text).count() as u64;
        self.position += text.len() as u64;
    }

    /// Checks what could not be converted.
    fn check(&self, path: &Path) -> Result<(), Error> {
        let unit = |at: usize| Some(self.order.unit(*self.bytes.get(at..)?.first_chunk()?));
        let is_low = |unit: u16| (0xdc00..0xe000).contains(&unit);
        let what = match (unit(0), unit(2)) {
            (None, _) if self.bytes.is_empty() || !self.ended => return Ok(()),
            (None, _) => "it ends in the middle of a unit of two bytes",
            (Some(first), None) if !self.ended && !is_low(first) => return Ok(()),
            _ => "there is half of a surrogate pair, which is no character",
        };
        let (line, byte) = (self.lines + 1, self.position);
        Err(Error::file(
            path,
            format!("is UTF-16 by its mark, but damaged: {what} (line {line}, byte {byte} of it as UTF-8)"),
        ))
    }
}

/// Returns the begin of a text as UTF-8, if it is UTF-16 with a mark: as far as that is possible.
#[cfg(any(feature = "cli", test))]
pub(crate) fn begin_as_utf8(begin: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    Utf16::after(begin)?.convert(&mut text);
    Some(text)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::source::{Input, Reading, Source};

    fn encoded(text: &str, order: ByteOrder) -> Vec<u8> {
        let units = ['\u{feff}'].into_iter().chain(text.chars()).collect::<String>();
        let bytes = |unit: u16| match order {
            ByteOrder::Little => unit.to_le_bytes(),
            ByteOrder::Big => unit.to_be_bytes(),
        };
        units.encode_utf16().flat_map(bytes).collect()
    }

    /// A reader of a few bytes at a time.
    struct Few(Cursor<Vec<u8>>, usize);

    impl std::io::Read for Few {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let most = buffer.len().min(self.1);
            self.0.read(&mut buffer[..most])
        }
    }

    fn read(bytes: Vec<u8>, at_a_time: usize, chunk: usize) -> Result<Vec<u8>, String> {
        let input = Input::Reader { name: "in".into(), reader: Box::new(Few(Cursor::new(bytes), at_a_time)) };
        let source = Source::new(vec![input], Reading::Read, chunk).expect("opening");
        let mut all = Vec::new();
        while let Some(pulled) = source.next(Vec::new()) {
            let chunk = pulled.chunk.map_err(|error| error.to_string())?;
            assert_eq!(chunk.shape.offset, all.len() as u64);
            all.extend_from_slice(chunk.text());
        }
        Ok(all)
    }

    #[test]
    fn text_is_the_same_however_it_is_read() {
        let text = format!("12\r\n\u{e9}\u{20ac}\u{1d11e}|\n{}\n\nend", "\u{1d11e}\u{20ac}a".repeat(40));
        for text in [&text[..], "", "1", "\n", "\u{1d11e}", "\u{feff}1\n"] {
            for order in [ByteOrder::Little, ByteOrder::Big] {
                for (at_a_time, chunk) in [(1, 1), (2, 7), (3, 10), (7, 1 << 20), (1000, 1), (1000, 50)] {
                    let bytes = encoded(text, order);
                    assert_eq!(read(bytes.clone(), at_a_time, chunk).as_deref(), Ok(text.as_bytes()), "{order:?}");
                    assert_eq!(begin_as_utf8(&bytes).as_deref(), Some(text.as_bytes()));
                }
            }
        }
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_place() {
        let bytes = |units: &[u16]| units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>();
        let begin = &[0xfeff, 0x31, 0xe9, 0x0a, 0x32][..];
        for (more, odd, words) in [
            (&[][..], true, "it ends in the middle of a unit of two bytes (line 2, byte 5"),
            (&[0xd834], false, "half of a surrogate pair, which is no character (line 2, byte 5"),
            (&[0xd834], true, "half of a surrogate pair"),
            (&[0xdd1e, 0x33], false, "half of a surrogate pair, which is no character (line 2, byte 5"),
            (&[0xd834, 0x33, 0x0a], false, "half of a surrogate pair, which is no character (line 2, byte 5"),
            (&[0x0a, 0xd834, 0xd834, 0xdd1e], false, "half of a surrogate pair, which is no character (line 3, byte 6"),
        ] {
            let mut all = bytes(&[begin, more].concat());
            all.extend(odd.then_some(0x31));
            for at_a_time in [1, 2, 3, 100] {
                let error = read(all.clone(), at_a_time, 1 << 20).expect_err("damage");
                assert!(error.contains(words) && error.starts_with("in: is UTF-16"), "{words}: {error}");
            }
        }
    }

    #[test]
    fn marks() {
        for (bytes, complete, marked) in [
            (&b""[..], false, None),
            (b"", true, Some(false)),
            (b"\xff", false, None),
            (b"\xff", true, Some(false)),
            (b"\xff\xfe", false, None),
            (b"\xff\xfe", true, Some(true)),
            (b"\xfe\xff", false, Some(true)),
            (b"\xff\xfe\0", false, None),
            (b"\xff\xfe\0\0", false, Some(false)),
            (b"\xff\xfe1\0", false, Some(true)),
            (b"\xff1", false, Some(false)),
            (b"12", false, Some(false)),
        ] {
            assert_eq!(has_mark(bytes, complete), marked, "{bytes:?} {complete}");
        }
    }
}
