//! Files that are neither text nor anything else that is read, recognised by their first bytes, and how to get at the text
//! in them.

/// A type of file that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ForeignFile {
    /// Says what it is, and what to do.
    pub(crate) refusal: &'static str,
    /// It is an archive, which may hold text.
    pub(crate) is_archive: bool,
}

/// How many bytes are enough to recognise all of them.
pub(super) const LONGEST: usize = TAR_AT + TAR.len();

const TAR: &[u8] = b"ustar";
/// Where the magic of tar archives is.
const TAR_AT: usize = 257;

const ZIP: &str = "is a zip archive, not text; unpack it (unzip FILE), and name the files in it";
const OFFICE: &str =
    "is a document of a spreadsheet or office program, not text; save the table as CSV, and name that file";
const PICTURE: &str = "is a picture, not text; type the board as digits, row by row, with dots for empty cells";

/// Beginnings, what they are, and whether that is an archive. All have bytes that no text has at this place.
const BEGINNINGS: [(&[u8], &str, bool); 27] = [
    (b"\xfd7zXZ\0", "is compressed with xz, which is not read; decompress it first: xz -dc FILE | gridmill ...", true),
    (
        b"LZIP\x01",
        "is compressed with lzip, which is not read; decompress it first: lzip -dc FILE | gridmill ...",
        true,
    ),
    (b"\x04\x22\x4d\x18", LZ4, true),
    (b"\x02\x21\x4c\x18", LZ4, true),
    (
        b"\x1f\x9d",
        "is compressed with compress, which is not read; decompress it first: gzip -dc FILE | gridmill ...",
        true,
    ),
    (
        b"\x89LZO\0",
        "is compressed with lzop, which is not read; decompress it first: lzop -dc FILE | gridmill ...",
        true,
    ),
    (b"7z\xbc\xaf\x27\x1c", "is a 7-Zip archive (7z), not text; unpack it (7z x FILE), and name the files in it", true),
    (b"Rar!\x1a\x07", "is a RAR archive, not text; unpack it (unrar x FILE), and name the files in it", true),
    (b"PK\x03\x04", ZIP, true),
    (b"PK\x05\x06", ZIP, true),
    (b"PK\x07\x08", ZIP, true),
    (b"\x37\xa4\x30\xec", "is a dictionary of zstd, not data; name the files that were compressed with it", false),
    (
        b"SQLite format 3\0",
        "is a SQLite database, not text; 'gridmill migrate sqlite FILE --table TABLE --column COLUMN' converts a column of it",
        false,
    ),
    (
        b"PGDMP\x01",
        "is a dump of PostgreSQL in its custom format; write it as text first: pg_restore -f dump.sql FILE",
        true,
    ),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OFFICE, false),
    (b"%PDF-", "is a PDF, not text; extract its text first (pdftotext FILE text.txt), and name that file", false),
    (b"\x7fELF", "is a program (ELF), not text; name the files with strings", false),
    (b"\x93NUMPY", "is a NumPy array, not text; write it as lines of digits first, or use the Python package", false),
    (b"\x89HDF\r\n", "is an HDF5 file, not text; export the strings as text, one on each line", false),
    (b"Obj\x01", "is an Avro file, not text; export the strings as text or Parquet", false),
    (b"FEA1\0", "is a Feather file of version 1, which is not read; write it as version 2 (an Arrow file)", false),
    (b"\x89PNG\r\n", PICTURE, false),
    (b"\xff\xd8\xff", PICTURE, false),
    (b"GIF87a", PICTURE, false),
    (b"GIF89a", PICTURE, false),
    (b"II*\0", PICTURE, false),
    (b"MM\0*", PICTURE, false),
];

const LZ4: &str = "is compressed with lz4, which is not read; decompress it first: lz4 -dc FILE | gridmill ...";

impl ForeignFile {
    /// The type of a file that begins with `bytes`.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        let found = BEGINNINGS.iter().find(|(magic, ..)| bytes.starts_with(magic));
        let (refusal, is_archive) = match found {
            Some((_, ZIP, _)) if is_office(bytes) => (OFFICE, false),
            Some((_, refusal, is_archive)) => (*refusal, *is_archive),
            None if is_bzip2(bytes) => (
                "is compressed with bzip2, which is not read; decompress it first: bzip2 -dc FILE | gridmill ...",
                true,
            ),
            None if is_lzma(bytes) => {
                ("is compressed with lzma, which is not read; decompress it first: xz -dc FILE | gridmill ...", true)
            }
            None if bytes.get(TAR_AT..).is_some_and(|rest| rest.starts_with(TAR)) => {
                ("is a tar archive, not text; unpack it (tar -xf FILE), and name the files in it", true)
            }
            None => return None,
        };
        Some(Self { refusal, is_archive })
    }

    /// Whether more bytes may show that it is such a file.
    pub(super) fn is_possible(bytes: &[u8]) -> bool {
        // The text of a tar's first field, the name of a file, ends with NUL.
        let name = bytes.iter().position(|&byte| byte == 0).filter(|&end| end > 0);
        let rest = name.and_then(|end| bytes.get(end..bytes.len().min(100)));
        let tar = bytes.len() < LONGEST && rest.is_some_and(|rest| rest.iter().all(|&byte| byte == 0));
        let begins = |magic: &[u8]| bytes.len() < magic.len() && magic.starts_with(bytes);
        tar || BEGINNINGS.iter().any(|(magic, ..)| begins(magic))
            || bytes.len() < BZIP2_ENOUGH && (begins(b"BZh1") || bytes.starts_with(b"BZh") && is_level(bytes.get(3)))
    }
}

/// The number of bytes that tell bzip2 from text.
const BZIP2_ENOUGH: usize = 10;

fn is_level(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| (b'1'..=b'9').contains(byte))
}

/// A level, and the first block or the end.
fn is_bzip2(bytes: &[u8]) -> bool {
    let rest = bytes.strip_prefix(b"BZh").filter(|rest| is_level(rest.first()));
    rest.is_some_and(|rest| rest[1..].starts_with(b"1AY&SY") || rest[1..].starts_with(b"\x17\x72\x45\x38\x50\x90"))
}

/// The properties that the program writes, a window whose size is a power of 2 or 3 times that, and no more.
fn is_lzma(bytes: &[u8]) -> bool {
    matches!(bytes, [0x5d, 0, 0, size, 0 | 1 | 2 | 4, ..] if *size != 0)
        && bytes.get(5..13).is_some_and(|length| length == [0xff; 8] || length[5..] == [0; 3])
}

/// Whether the first entry of a zip archive is one of office programs.
fn is_office(bytes: &[u8]) -> bool {
    const ENTRIES: [&[u8]; 6] =
        [b"[Content_Types].xml", b"_rels/", b"xl/", b"word/", b"docProps/", b"mimetypeapplication/vnd.oasis"];
    const NAME: usize = 30;
    bytes.get(NAME..).is_some_and(|name| ENTRIES.iter().any(|entry| name.starts_with(entry)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_foreign() {
        for text in [
            "PK",
            "7z",
            "BZh9 and more",
            "BZh91A",
            "%PDF",
            "SQLite format 3",
            "GIF",
            "Rar!",
            "II*",
            "]",
            "PGDMP",
            "Obj",
        ] {
            for text in [text.to_string(), format!("{text}\n"), format!("{text}\nmore text than any magic has\n")] {
                assert_eq!(ForeignFile::of(text.as_bytes()), None, "{text:?}");
            }
        }
        // UTF-16 and UTF-32, with and without marks.
        for text in [&b"]\0\0\0[\0\0\0"[..], b"1\x002\x003\0", b"\xff\xfe1\0", b"\xfe\xff\x001", b"M\0M\0"] {
            assert_eq!(ForeignFile::of(text), None, "{text:?}");
        }
    }

    #[test]
    fn beginnings_are_waited_for() {
        for (magic, ..) in BEGINNINGS {
            assert!((1..magic.len()).all(|length| ForeignFile::is_possible(&magic[..length])), "{magic:?}");
            assert!(ForeignFile::of(magic).is_some(), "{magic:?}");
        }
        let bzip2 = b"BZh61AY&SY";
        assert!((1..bzip2.len()).all(|length| ForeignFile::is_possible(&bzip2[..length])));
        assert!(ForeignFile::of(bzip2).is_some() && !ForeignFile::is_possible(b"BZh\n"));
    }
}
