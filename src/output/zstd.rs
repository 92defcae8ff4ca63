//! Text as frames of our own archives, compressed by the workers and written in order. The layout is in
//! `src/frames.rs`.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;

use zstd::zstd_safe::{self, CCtx, CParameter, compress_bound};

use crate::error::Error;
use crate::frames::{First, Head, MAX_TEXT, Totals, ends_line, field};

/// The levels of compression.
pub const LEVELS: RangeInclusive<i32> = 1..=22;
/// The default level.
pub const DEFAULT_LEVEL: i32 = 3;

/// Compresses text into frames. Each worker has one and reuses it.
pub struct FrameWriter {
    context: CCtx<'static>,
    compressed: Vec<u8>,
}

impl fmt::Debug for FrameWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameWriter").finish_non_exhaustive()
    }
}

/// What the end record needs to know about the frames of one text, in order. Long text has several frames, empty text
/// none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use = "the end record must count every frame"]
pub struct FrameInfo {
    heads: Vec<Head>,
}

impl FrameInfo {
    /// Appends the frames of the text that follows.
    pub fn append(&mut self, mut next: Self) {
        self.heads.append(&mut next.heads);
    }

    /// Forgets all frames.
    pub fn clear(&mut self) {
        self.heads.clear();
    }
}

impl FrameWriter {
    /// A compressor with the given level.
    ///
    /// # Errors
    /// The level is not in [`LEVELS`], or there is no memory.
    pub fn new(level: i32) -> Result<Self, Error> {
        if !LEVELS.contains(&level) {
            let (least, most) = (LEVELS.start(), LEVELS.end());
            return Err(Error::Usage(format!("a zstd level is {least} to {most}, not {level}")));
        }
        let mut context = CCtx::try_create().ok_or_else(no_memory)?;
        for parameter in
            [CParameter::CompressionLevel(level), CParameter::ChecksumFlag(true), CParameter::ContentSizeFlag(true)]
        {
            context.set_parameter(parameter).map_err(internal)?;
        }
        Ok(Self { context, compressed: Vec::new() })
    }

    /// Appends `text` to `out` as a frame with its head. Empty text gives no frame. Text longer than a frame may hold
    /// (16 MiB) gives several, split at line ends where possible.
    ///
    /// # Errors
    /// The compressor failed.
    pub fn frame(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<FrameInfo, Error> {
        let mut info = FrameInfo::default();
        let mut rest = text;
        while !rest.is_empty() {
            let most = &rest[..rest.len().min(MAX_TEXT)];
            let end = if most.len() == rest.len() {
                most.len()
            } else {
                memchr::memrchr(b'\n', most).map_or(most.len(), |newline| newline + 1)
            };
            let (part, after) = rest.split_at(end);
            info.heads.push(self.one(part, out)?);
            rest = after;
        }
        Ok(info)
    }

    fn one(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<Head, Error> {
        self.compressed.clear();
        self.compressed.reserve(compress_bound(text.len()));
        self.context.compress2(&mut self.compressed, text).map_err(internal)?;
        let frame = &self.compressed;
        let head = Head {
            compressed: u32::try_from(frame.len()).map_err(|_| too_large())?,
            text: u32::try_from(text.len()).map_err(|_| too_large())?,
            checksum: frame.len().checked_sub(4).and_then(|at| field(frame, at)).ok_or_else(too_large)?,
            ends_line: ends_line(text),
        };
        out.extend_from_slice(&head.bytes());
        out.extend_from_slice(frame);
        Ok(head)
    }
}

/// An archive that is being written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Archive {
    totals: Totals,
}

impl Archive {
    /// An archive without frames.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds frames, in the order in which they are written. Returns what is to be written: the bytes of the frames,
    /// except that the first frame of an archive has no head, and another header.
    ///
    /// # Errors
    /// The bytes are not those of the frames.
    pub fn add<'b>(&mut self, frames: &FrameInfo, bytes: &'b [u8]) -> Result<Cow<'b, [u8]>, Error> {
        let mut heads = frames.heads.as_slice();
        let mut bytes = Cow::Borrowed(bytes);
        if let (0, [head, rest @ ..]) = (self.totals.frames, heads) {
            let begin = head.bytes().len();
            let frame = bytes.get(begin..begin + head.compressed as usize).ok_or_else(too_large)?;
            let first = First { text: head.text, ends_line: head.ends_line };
            let mut placed = first.replace_header(frame).map_err(|words| Error::Internal(words.into()))?;
            self.totals.add(&Head { compressed: u32::try_from(placed.len()).map_err(|_| too_large())?, ..*head });
            placed.extend_from_slice(&bytes[begin + frame.len()..]);
            (heads, bytes) = (rest, Cow::Owned(placed));
        }
        heads.iter().for_each(|head| self.totals.add(head));
        Ok(bytes)
    }

    /// What is written last: the end record, after an empty frame if there is no other.
    pub fn end(&self) -> Vec<u8> {
        if self.totals.frames > 0 {
            return self.totals.bytes();
        }
        let empty = First::empty();
        let mut totals = self.totals;
        totals.add(&Head::of_first(&empty, First { text: 0, ends_line: false }));
        [empty, totals.bytes()].concat()
    }
}

fn internal(code: usize) -> Error {
    match zstd_safe::get_error_name(code) {
        "Allocation error : not enough memory" => no_memory(),
        name => Error::Internal(format!("zstd: {name}")),
    }
}

fn no_memory() -> Error {
    Error::OutOfMemory("none left for a zstd compressor")
}

fn too_large() -> Error {
    Error::Internal("a zstd frame of an impossible size".into())
}
