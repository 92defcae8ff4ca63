//! Makes a unified diff of a text whose lines stay in place. It is made while the new text is produced, and takes
//! little memory.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Seek, Write};

use tempfile::SpooledTempFile;

/// The number of unchanged lines around changes.
const CONTEXT: usize = 3;

/// The number of bytes of a hunk that are kept in memory; the rest is stored in a file without a name. (A hunk cannot
/// be split: `patch` assumes that one with fewer lines of context after the changes than before them is at the end of
/// the file.)
const MAX_MEMORY: usize = 1 << 20;

/// The maximum length of a line in bytes.
pub(super) const MAX_LINE: usize = 4 << 20;

/// Takes the new text and writes the diff.
pub(super) struct LineDiff<R, W> {
    old: R,
    out: W,
    /// The lines before the first hunk; empty after that.
    header: String,
    /// The number of the current line, from 1.
    number: u64,
    /// The start of the current line in the new text.
    line: Vec<u8>,
    /// The last unchanged lines, if they are not part of a hunk.
    before: VecDeque<Vec<u8>>,
    hunk: Option<Hunk>,
}

/// Lines with changes.
struct Hunk {
    start: u64,
    lines: u64,
    body: SpooledTempFile,
    /// The new versions of the last changed lines. The old versions are in the body.
    plus: SpooledTempFile,
    /// The unchanged lines after them.
    after: Vec<Vec<u8>>,
}

impl<R: BufRead, W: Write> LineDiff<R, W> {
    /// A diff of two texts that are both called `name`. The old text is read from `old`.
    pub(super) fn new(name: &str, old: R, out: W) -> Self {
        let header = format!("--- a/{name}\n+++ b/{name}\n");
        Self { old, out, header, number: 1, line: Vec::new(), before: VecDeque::new(), hunk: None }
    }

    /// Ends the new text.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.end_line()?;
        }
        if !self.old.fill_buf()?.is_empty() {
            return Err(changed());
        }
        self.close()?;
        self.out.flush()
    }

    /// Ends the current line.
    fn end_line(&mut self) -> io::Result<()> {
        let (mut old, new) = (Vec::new(), std::mem::take(&mut self.line));
        (&mut self.old).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut old)?;
        if old.len() > MAX_LINE || new.len() > MAX_LINE {
            return Err(too_long(self.number));
        }
        if old.is_empty() {
            return Err(changed());
        }
        if old == new {
            self.keep(new)?
        } else {
            self.change(&old, &new)?
        }
        self.number += 1;
        Ok(())
    }

    fn keep(&mut self, line: Vec<u8>) -> io::Result<()> {
        let Some(hunk) = &mut self.hunk else {
            self.before.push_back(line);
            if self.before.len() > CONTEXT {
                self.before.pop_front();
            }
            return Ok(());
        };
        hunk.after.push(line);
        if hunk.after.len() < 2 * CONTEXT {
            return Ok(());
        }
        let before = hunk.after.split_off(hunk.after.len() - CONTEXT);
        self.close()?;
        self.before = before.into();
        Ok(())
    }

    fn change(&mut self, old: &[u8], new: &[u8]) -> io::Result<()> {
        let start = self.number - self.before.len() as u64;
        let hunk = self.hunk.get_or_insert_with(|| {
            let empty = || SpooledTempFile::new(MAX_MEMORY);
            Hunk { start, lines: 0, body: empty(), plus: empty(), after: Vec::new() }
        });
        for line in self.before.drain(..) {
            hunk.context(&line)?;
        }
        if !hunk.after.is_empty() {
            hunk.end_changes()?;
            for line in std::mem::take(&mut hunk.after) {
                hunk.context(&line)?;
            }
        }
        hunk.lines += 1;
        put(&mut hunk.body, b'-', old)?;
        put(&mut hunk.plus, b'+', new)
    }

    /// Writes the current hunk.
    fn close(&mut self) -> io::Result<()> {
        let Some(mut hunk) = self.hunk.take() else { return Ok(()) };
        hunk.end_changes()?;
        for line in std::mem::take(&mut hunk.after).iter().take(CONTEXT) {
            hunk.context(line)?;
        }
        let range = match hunk.lines {
            1 => hunk.start.to_string(),
            lines => format!("{},{lines}", hunk.start),
        };
        writeln!(self.out, "{}@@ -{range} +{range} @@", std::mem::take(&mut self.header))?;
        hunk.body.rewind()?;
        io::copy(&mut hunk.body, &mut self.out).map(drop)
    }
}

impl Hunk {
    fn context(&mut self, line: &[u8]) -> io::Result<()> {
        self.lines += 1;
        put(&mut self.body, b' ', line)
    }

    fn end_changes(&mut self) -> io::Result<()> {
        self.plus.rewind()?;
        io::copy(&mut self.plus, &mut self.body)?;
        self.plus.rewind()?;
        self.plus.set_len(0)
    }
}

fn put(text: &mut impl Write, sign: u8, line: &[u8]) -> io::Result<()> {
    text.write_all(&[sign])?;
    text.write_all(line)?;
    if line.last() == Some(&b'\n') { Ok(()) } else { text.write_all(b"\n\\ No newline at end of file\n") }
}

fn changed() -> io::Error {
    io::Error::other("it was changed while it was being read; run again")
}

fn too_long(number: u64) -> io::Error {
    let most = MAX_LINE >> 20;
    io::Error::other(format!("line {number} has more than {most} MiB, too long for a diff; --write changes it"))
}

impl<R: BufRead, W: Write> Write for LineDiff<R, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.end_line()?;
            } else if self.line.len() > MAX_LINE {
                return Err(too_long(self.number));
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: &str, new: &str) -> String {
        let mut out = Vec::new();
        let mut diff = LineDiff::new("x", old.as_bytes(), &mut out);
        for part in new.as_bytes().chunks(5) {
            diff.write_all(part).expect("lines that match");
        }
        diff.finish().expect("as many lines");
        String::from_utf8(out).expect("text")
    }

    /// Texts of different lines, of which any may change: the diff is the same as that of a diff of whole texts.
    #[test]
    fn it_is_the_diff_of_the_whole_texts() {
        let mut seed = 7_u64;
        let mut random = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % most
        };
        for round in 0..2000 {
            let (lines, often) = (1 + random(40), 1 + random(12));
            let (mut old, mut new) = (String::new(), String::new());
            for line in 0..lines {
                let end = if line + 1 == lines && round % 3 == 0 { "" } else { "\n" };
                old.push_str(&format!("old {line}{end}"));
                let what = if random(often) == 0 { "new" } else { "old" };
                new.push_str(&format!("{what} {line}{end}"));
            }
            let mut options = diffy::DiffOptions::new();
            options.set_original_filename("a/x").set_modified_filename("b/x");
            let whole = if old == new { String::new() } else { options.create_patch(&old, &new).to_string() };
            assert_eq!(diff(&old, &new), whole, "{old}{new}");
        }
    }

    #[test]
    fn a_long_change_is_one_hunk_and_other_lines_are_an_error() {
        let (old, new) = ("a".repeat(99) + "\n", "b".repeat(99) + "\n");
        let text = diff(&old.repeat(30_000), &new.repeat(30_000));
        let (minus, plus) = (format!("-{old}").repeat(30_000), format!("+{new}").repeat(30_000));
        assert!(text == format!("--- a/x\n+++ b/x\n@@ -1,30000 +1,30000 @@\n{minus}{plus}"));
        for (old, new) in [("a\n", "a\nb\n"), ("a\nb\n", "a\n")] {
            let mut diff = LineDiff::new("x", old.as_bytes(), Vec::new());
            assert!(diff.write_all(new.as_bytes()).and_then(|()| diff.finish()).is_err());
        }
        let mut diff = LineDiff::new("x", &b"a"[..], Vec::new());
        assert!(diff.write_all(&vec![b'a'; MAX_LINE + 1]).is_err());
    }
}
