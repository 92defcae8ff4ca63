use super::*;

/// An entry that can address ten bytes: the part, the start of its string, and its length.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct ShortEntry(usize, usize, usize);

impl Entry for ShortEntry {
    const MAX_BYTES: usize = 10;

    fn of(start: usize, string: &[u8]) -> Self {
        Self(0, start, string.len())
    }

    fn empty(end: usize) -> Self {
        Self(0, end, 0)
    }

    fn moved(self, part: usize, by: usize) -> Self {
        Self(part, self.1.wrapping_add(by), self.2)
    }

    fn arrays(_: PackedStrings<Self>) -> Vec<ArrayRef> {
        Vec::new()
    }
}

/// A block with room for strings of this width, and with these strings.
fn block(
    width: usize,
    start: usize,
    strings: &[&str],
    bytes: &mut Vec<u8>,
    entries: &mut Vec<ShortEntry>,
) -> StringBlock {
    let (room, mut len) = (strings.len() * width, 0);
    for string in strings {
        entries.push(ShortEntry::of(start + len, string.as_bytes()));
        len += string.len();
    }
    let text = strings.concat().into_bytes();
    let before = bytes.len();
    bytes.resize(before + room, b'?');
    let overflow = if len > room {
        Some(text)
    } else {
        bytes[before..before + len].copy_from_slice(&text);
        None
    };
    let (missing, refused) = (Vec::new(), RefusedRows::default());
    StringBlock { chunk: 0, rows: strings.len(), room, start, len, overflow, missing, refused }
}

/// Tests lists of blocks in which strings have the assumed width, are shorter, or longer.
#[test]
fn strings_are_where_their_marks_say_in_parts_that_marks_reach() {
    let all: [&[&[&str]]; 6] = [
        &[],
        &[&["abc", "def"], &["ghi"], &["jkl"]],
        &[&["abc", "def"], &["ghi", "jkl"], &["mno", "pqr"], &["stu"]],
        &[&["a", "bc"], &["", "def"], &["g"], &["h", "i", "j"]],
        &[&["abcd", "efgh"], &["ijk"], &["lmnopqrstu"], &["v"], &["wxy", "z"]],
        &[&["", ""], &["abcdefghij"], &[""]],
    ];
    for blocks in all {
        let (mut bytes, mut entries) = (Vec::new(), vec![ShortEntry::default()]);
        let rooms = blocks.iter().map(|strings| strings.len() * 3);
        let starts: Vec<_> = places::<ShortEntry>(rooms).map(|place| place.start).collect();
        let of = |(strings, &start): (&&[&str], &usize)| block(3, start, strings, &mut bytes, &mut entries);
        let done: Vec<_> = blocks.iter().zip(&starts).map(of).collect();
        let text = assemble(bytes, entries, None, done);
        let strings: Vec<&str> = blocks.iter().flat_map(|strings| strings.iter().copied()).collect();
        assert_eq!(text.bytes.as_slice(), strings.concat().as_bytes());
        let ends = |part: &Part| (part.rows.end, part.bytes.end);
        assert_eq!(text.parts.last().map(ends), Some((strings.len(), strings.concat().len())));
        for (row, string) in strings.iter().enumerate() {
            let ShortEntry(part, start, len) = text.entries[1 + row];
            let Part { rows, bytes } = &text.parts[part];
            assert!(rows.contains(&row) && bytes.len() <= ShortEntry::MAX_BYTES, "{blocks:?}: {row}");
            assert_eq!(&text.bytes[bytes.start + start..][..len], string.as_bytes(), "{blocks:?}: {row}");
        }
    }
}
