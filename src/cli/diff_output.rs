//! Writes diffs to stdout: unchanged for `patch`, or made safe and coloured for a terminal.

use std::io::{self, IsTerminal, Write};

use super::flags::ColourChoice;
use super::streams::Stdout;
use crate::error::escape;

/// The destination of a diff. A line may be written in several parts.
#[derive(Debug, Clone)]
pub(super) struct DiffOutput {
    terminal: bool,
    colours: bool,
    /// The start of a line was written, but not its end.
    in_line: bool,
}

const RESET: &str = "\x1b[0m";

impl DiffOutput {
    pub(super) fn new(when: ColourChoice) -> Self {
        Self { terminal: io::stdout().is_terminal(), colours: when.colours(), in_line: false }
    }

    /// Appends a part of a line, which may include its line end.
    fn part(&mut self, part: &[u8], out: &mut Vec<u8>) {
        let (text, ends) = match part.strip_suffix(b"\n") {
            Some(text) => (text, true),
            None => (part, false),
        };
        if self.colours && !self.in_line {
            out.extend_from_slice(colour(text).as_bytes());
        }
        if self.terminal {
            out.extend_from_slice(&harmless(text));
        } else {
            out.extend_from_slice(text);
        }
        self.in_line = !ends;
        if ends {
            out.extend_from_slice(if self.colours { RESET.as_bytes() } else { b"" });
            out.push(b'\n');
        }
    }
}

impl Write for DiffOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut out = Vec::with_capacity(bytes.len());
        bytes.split_inclusive(|&byte| byte == b'\n').for_each(|part| self.part(part, &mut out));
        Stdout.write_all(&out).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the colour of a line, as in `git diff`.
fn colour(line: &[u8]) -> &'static str {
    match line {
        [b'-', b'-', b'-', b' ', b'a', b'/', ..] | [b'+', b'+', b'+', b' ', b'b', b'/', ..] => "\x1b[1m",
        [b'@', ..] => "\x1b[36m",
        [b'-', ..] => "\x1b[31m",
        [b'+', ..] => "\x1b[32m",
        _ => "",
    }
}

/// Makes text safe for a terminal, which would interpret some bytes: escapes control characters and invalid UTF-8, but
/// not tabs.
fn harmless(line: &[u8]) -> Vec<u8> {
    let part = |part: &[u8]| escape(part).replace("\\\\", "\\");
    line.split(|&byte| byte == b'\t').map(part).collect::<Vec<_>>().join("\t").into_bytes()
}
