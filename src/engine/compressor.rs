//! Compresses text into the frames of a zstd archive.

#[cfg(feature = "zstd")]
pub(super) use with::Compressor;
#[cfg(not(feature = "zstd"))]
pub(super) use without::Compressor;

#[cfg(feature = "zstd")]
mod with {
    use crate::error::Error;
    use crate::output::zstd::{EndRecord, FrameInfo, FrameWriter, mark};

    /// The most text in one frame. A chunk that has become longer is split into several frames.
    const FRAME: usize = 4 << 20;

    /// Compresses text into frames. Each worker has a compressor of its own; the compressor of the output lists the
    /// frames of all of them for the end record of the archive.
    pub(in crate::engine) struct Compressor {
        writer: FrameWriter,
        bytes: Vec<u8>,
        frames: Vec<FrameInfo>,
        end: EndRecord,
    }

    impl Compressor {
        pub(in crate::engine) fn new(level: i32) -> Result<Self, Error> {
            let (bytes, frames) = (Vec::new(), Vec::new());
            Ok(Self { writer: FrameWriter::new(level)?, bytes, frames, end: EndRecord::new() })
        }

        /// Returns the bytes at the start of an archive.
        pub(in crate::engine) fn archive_start() -> Vec<u8> {
            mark()
        }

        /// Compresses a text. Discards what was compressed before.
        pub(in crate::engine) fn compress(&mut self, text: &[u8]) -> Result<(), Error> {
            self.bytes.clear();
            self.frames.clear();
            for part in text.chunks(FRAME) {
                self.frames.push(self.writer.frame(part, &mut self.bytes)?);
            }
            Ok(())
        }

        pub(in crate::engine) fn bytes(&self) -> &[u8] {
            &self.bytes
        }

        /// Adds the frames of a worker's compressor to the end record.
        pub(in crate::engine) fn add_frames(&mut self, worker: &Self) {
            worker.frames.iter().for_each(|frame| self.end.add(frame));
        }

        /// Adds its own frames to the end record.
        pub(in crate::engine) fn add_own_frames(&mut self) {
            self.frames.iter().for_each(|frame| self.end.add(frame));
        }

        /// Returns the bytes at the end of an archive.
        pub(in crate::engine) fn archive_end(&self) -> Vec<u8> {
            self.end.bytes()
        }
    }
}

#[cfg(not(feature = "zstd"))]
mod without {
    use crate::error::Error;

    /// Replaces the compressor if the library was built without zstd. It cannot be constructed.
    pub(in crate::engine) enum Compressor {}

    impl Compressor {
        pub(in crate::engine) fn new(_: i32) -> Result<Self, Error> {
            Err(Error::Usage("this build has no zstd: build it with the feature 'zstd'".into()))
        }

        pub(in crate::engine) fn archive_start() -> Vec<u8> {
            Vec::new()
        }

        pub(in crate::engine) fn compress(&mut self, _: &[u8]) -> Result<(), Error> {
            match *self {}
        }

        pub(in crate::engine) fn bytes(&self) -> &[u8] {
            match *self {}
        }

        pub(in crate::engine) fn add_frames(&mut self, _: &Self) {
            match *self {}
        }

        pub(in crate::engine) fn add_own_frames(&mut self) {
            match *self {}
        }

        pub(in crate::engine) fn archive_end(&self) -> Vec<u8> {
            match *self {}
        }
    }
}
