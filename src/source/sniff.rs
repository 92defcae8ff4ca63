//! Recognises compressed input, and files that are no text, by their first bytes, never by their names.

use super::foreign::{self, ForeignFile};
use crate::frames;

/// How many bytes are enough to decide.
pub(super) const ENOUGH: usize = foreign::LONGEST;
/// How many bytes are enough to recognise an archive of our own.
const OWN_ENOUGH: usize = 24;

/// The type of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sniffed {
    /// Text.
    Text,
    /// gzip.
    Gzip,
    /// zstd, ours or foreign.
    Zstd,
    /// A file with columns.
    ColumnarFile(ColumnarFile),
    /// A file that is not read.
    Foreign(ForeignFile),
    /// A truncated archive, or one whose first bytes are damaged.
    Damaged,
    /// More bytes are needed.
    Unsure,
}

/// A type of files with columns, which are not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnarFile {
    Parquet,
    Arrow,
}

/// The number of bytes that tell files with columns from text.
const COLUMNS_ENOUGH: usize = 8;

impl ColumnarFile {
    /// The type of a file that begins with `bytes`. Control characters follow the letters, as in no text: in a Parquet
    /// file those of its first page or of its footer.
    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [b'P', b'A', b'R', b'1', 0x15, ..] => Some(Self::Parquet),
            [b'A', b'R', b'R', b'O', b'W', b'1', 0, 0, ..] => Some(Self::Arrow),
            // A stream: after this mark, the length of a schema.
            [0xff, 0xff, 0xff, 0xff, _, _, _, 0, ..] => Some(Self::Arrow),
            _ => None,
        }
    }

    /// Whether more bytes may show that it is such a file.
    fn is_possible(bytes: &[u8]) -> bool {
        let mut beginnings = [&b"PAR1\x15"[..], b"ARROW1\0\0", b"\xff\xff\xff\xff"].into_iter();
        let stream = bytes.len() >= 4 && bytes[..4] == [0xff; 4];
        bytes.len() < COLUMNS_ENOUGH && (stream || beginnings.any(|beginning| beginning.starts_with(bytes)))
    }

    /// Says what the file is, and how it is read.
    pub(super) fn refusal(self) -> &'static str {
        match self {
            Self::Parquet => {
                "is a Parquet file, not text, and is read from its end: save it to a file if it comes from a pipe, name \
                 that, and leave --framing out or use --framing parquet"
            }
            Self::Arrow => {
                "is an Arrow file, not text; use --framing arrow, or name it as a file and leave --framing out"
            }
        }
    }
}

/// The type of an input that begins with `bytes`. `complete` says that these are all.
pub(super) fn sniff(bytes: &[u8], complete: bool) -> Sniffed {
    let zstd_so_far = |n: usize| {
        let ordinary = frames::ZSTD_MAGIC.to_le_bytes();
        let skippable = frames::MAGIC.to_le_bytes();
        bytes[..n] == ordinary[..n] || (bytes[0] & 0xf0 == skippable[0] & 0xf0 && bytes[1..n] == skippable[1..n])
    };
    if let Some(columns) = ColumnarFile::of(bytes) {
        return Sniffed::ColumnarFile(columns);
    }
    if let Some(foreign) = ForeignFile::of(bytes) {
        return Sniffed::Foreign(foreign);
    }
    match bytes.len() {
        0 if complete => Sniffed::Text,
        0 => Sniffed::Unsure,
        _ if !complete && (ColumnarFile::is_possible(bytes) || ForeignFile::is_possible(bytes)) => Sniffed::Unsure,
        _ if bytes.starts_with(&[0x1f, 0x8b]) => Sniffed::Gzip,
        4.. if frames::is_zstd(bytes) => Sniffed::Zstd,
        // A file is judged by this many bytes, so a slow pipe must wait for them to get the same answer.
        n if n < OWN_ENOUGH && !complete && frames::resembles_start(bytes) => Sniffed::Unsure,
        4.. if frames::resembles_start(bytes) => Sniffed::Damaged,
        // One byte alone may still be text ("P"), since the magic of skippable frames begins with a letter.
        n @ 2..4 if zstd_so_far(n) => {
            if complete {
                Sniffed::Damaged
            } else {
                Sniffed::Unsure
            }
        }
        _ => Sniffed::Text,
    }
}

/// Why an input that begins with `bytes` is not read as text, if it is no archive that is decompressed.
#[cfg(feature = "cli")]
pub(crate) fn foreign(bytes: &[u8]) -> Option<ForeignFile> {
    match sniff(bytes, true) {
        Sniffed::Foreign(foreign) => Some(foreign),
        _ => None,
    }
}

/// Whether an input that begins with `bytes` is decompressed when it is read.
#[cfg(feature = "cli")]
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    matches!(sniff(bytes, true), Sniffed::Gzip | Sniffed::Zstd | Sniffed::Damaged)
}

/// Why the text of an archive that begins with `bytes` is not text.
pub(super) fn refused_contents(bytes: &[u8]) -> Option<String> {
    Some(match sniff(bytes, true) {
        Sniffed::Text | Sniffed::Unsure => return None,
        Sniffed::ColumnarFile(columns) => format!("is compressed, and what it holds {}", columns.refusal()),
        Sniffed::Foreign(foreign) => format!("is compressed, and what it holds {}", foreign.refusal),
        Sniffed::Gzip | Sniffed::Zstd | Sniffed::Damaged => {
            "is compressed twice; decompress it once, with 'gzip -dc FILE | gridmill ...' or 'zstd -dc FILE | gridmill ...'"
                .into()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_decide() {
        for (bytes, complete, kind) in [
            (&b""[..], true, Sniffed::Text),
            (b"", false, Sniffed::Unsure),
            (b"P", false, Sniffed::Unsure),
            (b"P", true, Sniffed::Text),
            (b"P*M", false, Sniffed::Unsure),
            (b"P*M", true, Sniffed::Damaged),
            (b"P*M\x18", false, Sniffed::Zstd),
            (b"\x28\xb5\x2f\xfd", false, Sniffed::Zstd),
            (b"\x1f", false, Sniffed::Unsure),
            (b"\x1f\x8b", false, Sniffed::Gzip),
            (b"1", false, Sniffed::Unsure),
            (b"1\n", false, Sniffed::Text),
            (b"12\n", false, Sniffed::Text),
            (b"P1\n", false, Sniffed::Text),
            (b"W*M?", false, Sniffed::Unsure),
            (b"W*M?more than any mark\n", false, Sniffed::Text),
            (b"PPPP", false, Sniffed::Text),
            (b"PAR1", false, Sniffed::Unsure),
            (b"PAR1", true, Sniffed::Text),
            (b"PAR12", false, Sniffed::Text),
            (b"PAR1\n", false, Sniffed::Text),
            (b"PAR1\x15", false, Sniffed::ColumnarFile(ColumnarFile::Parquet)),
            (b"ARROW1\n", false, Sniffed::Text),
            (b"ARROW1\0", false, Sniffed::Unsure),
            (b"ARROW1\0\0", false, Sniffed::ColumnarFile(ColumnarFile::Arrow)),
            (b"\xff\xff\xff\xff\x10\x01\0", false, Sniffed::Unsure),
            (b"\xff\xff\xff\xff\x10\x01\0\0", false, Sniffed::ColumnarFile(ColumnarFile::Arrow)),
            (b"\xff\xff\xff\xff\x10\x01\0\x01", false, Sniffed::Text),
        ] {
            assert_eq!(sniff(bytes, complete), kind, "{bytes:?} {complete}");
        }
    }

    #[test]
    fn a_damaged_start_is_not_text() {
        for good in starts() {
            for at in 0..4 {
                for bit in 0..8 {
                    let mut bad = good.clone();
                    bad[at] ^= 1 << bit;
                    assert!(matches!(sniff(&bad, false), Sniffed::Damaged | Sniffed::Zstd), "byte {at} bit {bit}");
                }
            }
        }
    }

    #[test]
    fn a_start_with_two_changed_bytes_is_the_same_from_a_file_and_a_slow_pipe() {
        for good in starts() {
            for (one, other) in (0..OWN_ENOUGH).flat_map(|one| (one + 1..OWN_ENOUGH).map(move |other| (one, other))) {
                let mut bytes = good.clone();
                bytes[one] ^= 1;
                bytes[other] ^= 1;
                let file = sniff(&bytes[..OWN_ENOUGH], true);
                let pipe = (1..=bytes.len()).map(|n| sniff(&bytes[..n], false)).find(|kind| *kind != Sniffed::Unsure);
                assert_eq!(pipe, Some(file), "bytes {one} and {other}");
            }
        }
    }

    /// How archives of our own begin, today and before.
    fn starts() -> [Vec<u8>; 2] {
        let first = frames::First { text: 1000, ends_line: true }.header();
        [[&first[..], b"and more of it"].concat(), [&frames::mark()[..], b"and more of it"].concat()]
    }
}
