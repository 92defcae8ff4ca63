//! Backups of `migrate --backup`: what is accepted is the text that a migration writes, the rest is refused with its
//! name, and the result does not depend on how the bytes arrive.
//!
//! An input is a file, if it begins as one, or its text, which is put into frames as a migration does it: hardly any
//! other change of compressed bytes would reach the lines.

use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use gridmill::migrate::Backup;

use super::formats::strings;

const NAME: &str = "old.zst";

/// The first bytes of a frame.
const MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();

/// The longest block of a frame.
const BLOCK: usize = 128 << 10;

/// What was read: the text, and whether the backup ended within a batch.
type Found = Result<(Vec<u8>, bool), String>;

fn read(from: impl Read + Seek) -> Found {
    Backup::text_of(Path::new(NAME), from).map_err(|error| error.to_string())
}

/// A reader that gives a few bytes at a time.
struct Slow<'d>(Cursor<&'d [u8]>);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let most = into.len().min(7);
        self.0.read(&mut into[..most])
    }
}

impl Seek for Slow<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

/// Whether a backup is accepted, and has a row.
pub(crate) fn takes(data: &[u8]) -> bool {
    let has_row = |text: &[u8]| text.windows(6).any(|bytes| bytes == b"\"hash\"");
    read(Cursor::new(&file_of(data))).is_ok_and(|(text, _)| has_row(&text))
}

/// What is accepted is the text in the file, up to its end or to where it breaks off; and it is accepted again.
pub(crate) fn quick(data: &[u8]) {
    let file = file_of(data);
    match read(Cursor::new(&file)) {
        Ok((text, breaks_off)) => {
            let mut there = Vec::new();
            let whole = zstd::stream::read::Decoder::new(&file[..]).and_then(|mut all| all.read_to_end(&mut there));
            assert!(there.starts_with(&text), "it is not what is in the file");
            assert!(breaks_off || (whole.is_ok() && there == text), "something was left out");
            let again = read(Cursor::new(&frames_of(&text)));
            assert_eq!(again, Ok((text, false)), "what was accepted is refused");
        }
        Err(words) => {
            assert!(words.starts_with(&format!("{NAME}: ")) && !words.contains(char::is_control), "{words:?}");
            assert!(!words.contains("internal error"), "{words}");
        }
    }
}

/// Read a few bytes at a time, it is the same. (Before zstd finds damage, it gives more or fewer lines.)
pub(crate) fn thorough(data: &[u8]) {
    let file = file_of(data);
    let (slow, once) = (read(Slow(Cursor::new(&file))), read(Cursor::new(&file)));
    match data.starts_with(&MAGIC) {
        true => assert_eq!(slow.ok(), once.ok()),
        false => assert_eq!(slow, once),
    }
}

fn file_of(data: &[u8]) -> Vec<u8> {
    if data.starts_with(&MAGIC) { data.to_vec() } else { frames_of(data) }
}

/// A frame for the first line, and one for each batch.
fn frames_of(text: &[u8]) -> Vec<u8> {
    let mut frames = Vec::new();
    let mut batch = Vec::new();
    for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        batch.extend_from_slice(line);
        if number == 0 || line.starts_with(b"{\"batch\"") {
            frames.extend(frame(&batch));
            batch.clear();
        }
    }
    if !batch.is_empty() {
        frames.extend(frame(&batch));
    }
    frames
}

/// A frame that is not compressed, which takes a hundredth of the time.
fn frame(text: &[u8]) -> Vec<u8> {
    // One segment, whose length has four bytes; no checksum.
    let mut frame = [&MAGIC[..], &[0b1010_0000], &(text.len() as u32).to_le_bytes()].concat();
    let mut blocks = text.chunks(BLOCK).peekable();
    while let Some(block) = blocks.next() {
        let header = (block.len() as u32) << 3 | u32::from(blocks.peek().is_none());
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.extend_from_slice(block);
    }
    frame
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let header = |columns: &str, key: &str| {
        format!(
            "{{\"gridmill_backup\":3,\"id\":\"0123456789abcdef0123456789abcdef\",\"database\":\"sqlite\",\
             \"table\":\"boards\",\"columns\":[{columns}],\"key\":{key},\"job\":\"[\\\"boards\\\"]\"}}\n"
        )
    };
    let row = |key: &str, column: &str, old: &str| {
        format!("{{\"key\":{key}{column},\"old\":{old},\"hash\":\"00ff00ff00ff00ff\"}}\n")
    };
    let end = |after: &str, last: &str, rows| {
        format!("{{\"batch\":{{\"after\":{after},\"last\":{last},\"rows\":{rows}}}}}\n")
    };
    let integer = |number| format!("{{\"integer\":{number}}}");
    let one = header("\"bd\"", "null");
    let rows: Vec<_> =
        strings().iter().zip(1..).map(|(text, key)| row(&integer(key), "", &format!("{text:?}"))).collect();
    let all = [one.clone(), rows.concat(), end("null", &integer(rows.len()), rows.len())].concat();
    let values = [
        "null",
        "\"\"",
        "\"a \\\"b\\\" \\u0000 ü\"",
        "{\"text\":\"ff00\"}",
        "{\"blob\":\"00ff\"}",
        "{\"number\":\"1.5\"}",
    ];
    let keys = [
        "{\"unsigned\":18446744073709551615}",
        "{\"text\":\"k7\"}",
        "{\"text_bytes\":[255,0]}",
        "{\"blob\":[0,255]}",
        "{\"real\":4609434218613702656}",
        "{\"several\":[{\"integer\":-7},{\"text\":\"b\"}]}",
    ];
    let mut sorts = header("\"bd\",\"other\"", "\"a,b\"");
    for (value, key) in values.iter().zip(keys) {
        sorts += &row(key, "", value);
        sorts += &row(key, ",\"column\":1", value);
        sorts += &end(if key == keys[0] { "null" } else { keys[0] }, key, 2);
    }
    let texts = [one, all, sorts];
    texts
        .iter()
        .for_each(|text| assert_eq!(read(Cursor::new(&frames_of(text.as_bytes()))), Ok((text.clone().into(), false))));
    let compressed = texts.iter().map(|text| {
        let lines = text.split_inclusive('\n').map(|line| zstd::bulk::compress(line.as_bytes(), 1).expect("in memory"));
        lines.collect::<Vec<_>>().concat()
    });
    let compressed: Vec<_> = compressed.collect();
    let short = compressed[1][..compressed[1].len() - 9].to_vec();
    texts.iter().map(|text| text.clone().into_bytes()).chain(compressed).chain([short]).collect()
}
