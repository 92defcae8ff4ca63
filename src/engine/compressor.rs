//! Compresses text into the frames of a zstd archive.

use std::borrow::Cow;

use crate::error::Error;
use crate::output::zstd::{Archive, FrameInfo, FrameWriter};

/// The most text in one frame. A chunk that has become longer is split into several frames.
const FRAME: usize = 4 << 20;

/// Compresses text into frames. Each worker has a compressor of its own; the compressor of the output has the archive
/// to which the frames of all of them are added.
pub(super) struct Compressor {
    writer: FrameWriter,
    bytes: Vec<u8>,
    frames: FrameInfo,
    archive: Archive,
}

impl Compressor {
    pub(super) fn new(level: i32) -> Result<Self, Error> {
        let (bytes, frames) = (Vec::new(), FrameInfo::default());
        Ok(Self { writer: FrameWriter::new(level)?, bytes, frames, archive: Archive::new() })
    }

    /// Compresses a text. Discards what was compressed before.
    pub(super) fn compress(&mut self, text: &[u8]) -> Result<(), Error> {
        self.bytes.clear();
        self.frames.clear();
        for part in text.chunks(FRAME) {
            self.frames.append(self.writer.frame(part, &mut self.bytes)?);
        }
        Ok(())
    }

    /// Adds the frames of a worker's compressor to the archive, and returns the bytes to be written.
    pub(super) fn add_frames<'w>(&mut self, worker: &'w Self) -> Result<Cow<'w, [u8]>, Error> {
        self.archive.add(&worker.frames, &worker.bytes)
    }

    /// Adds its own frames to the archive, and returns the bytes to be written.
    pub(super) fn add_own_frames(&mut self) -> Result<Cow<'_, [u8]>, Error> {
        self.archive.add(&self.frames, &self.bytes)
    }

    /// Returns the bytes at the end of an archive.
    pub(super) fn archive_end(&self) -> Vec<u8> {
        self.archive.end()
    }
}
