//! stdout for a diff: as `patch` takes it, or for a terminal, harmless and in colours.

use std::io::{self, IsTerminal, Write};

use super::flags::When;
use super::streams::Stdout;
use crate::error::escape;

/// Where a diff goes. A line may be written in several parts.
#[derive(Debug, Clone)]
pub(super) struct DiffOutput {
    terminal: bool,
    colours: bool,
    /// A line has begun.
    inside: bool,
}

const RESET: &str = "\x1b[0m";

impl DiffOutput {
    pub(super) fn new(when: When) -> Self {
        Self { terminal: io::stdout().is_terminal(), colours: when.colours(), inside: false }
    }

    /// What a part of a line becomes; it may end with the line end.
    fn part(&mut self, part: &[u8], out: &mut Vec<u8>) {
        let (text, ends) = match part.strip_suffix(b"\n") {
            Some(text) => (text, true),
            None => (part, false),
        };
        if self.colours && !self.inside {
            out.extend_from_slice(colour(text).as_bytes());
        }
        if self.terminal {
            out.extend_from_slice(&harmless(text));
        } else {
            out.extend_from_slice(text);
        }
        self.inside = !ends;
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

/// The colour of a line, as `git diff` has it.
fn colour(line: &[u8]) -> &'static str {
    match line {
        [b'-', b'-', b'-', b' ', b'a', b'/', ..] | [b'+', b'+', b'+', b' ', b'b', b'/', ..] => "\x1b[1m",
        [b'@', ..] => "\x1b[36m",
        [b'-', ..] => "\x1b[31m",
        [b'+', ..] => "\x1b[32m",
        _ => "",
    }
}

/// Text for a terminal, which would obey some bytes: control characters and what is not UTF-8 as escapes, tabs as they are.
fn harmless(line: &[u8]) -> Vec<u8> {
    let part = |part: &[u8]| escape(part).replace("\\\\", "\\");
    line.split(|&byte| byte == b'\t').map(part).collect::<Vec<_>>().join("\t").into_bytes()
}
