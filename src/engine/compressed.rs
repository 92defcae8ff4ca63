//! Text as the frames of an archive.

#[cfg(feature = "zstd")]
pub(super) use with::Compressed;
#[cfg(not(feature = "zstd"))]
pub(super) use without::Compressed;

#[cfg(feature = "zstd")]
mod with {
    use crate::error::Error;
    use crate::output::zstd::{EndRecord, FrameInfo, FrameWriter, mark};

    /// Text of one frame at most; a chunk that grew beyond it becomes several.
    const FRAME: usize = 4 << 20;

    /// Text as frames of an archive. A worker compresses with one of its own; the one in order keeps the account.
    pub(in crate::engine) struct Compressed {
        writer: FrameWriter,
        bytes: Vec<u8>,
        frames: Vec<FrameInfo>,
        end: EndRecord,
    }

    impl Compressed {
        pub(in crate::engine) fn new(level: i32) -> Result<Self, Error> {
            let (bytes, frames) = (Vec::new(), Vec::new());
            Ok(Self { writer: FrameWriter::new(level)?, bytes, frames, end: EndRecord::new() })
        }

        /// What an archive begins with.
        pub(in crate::engine) fn mark() -> Vec<u8> {
            mark()
        }

        /// Compresses a text; what was compressed before is forgotten.
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

        /// Takes the frames of a worker into the account.
        pub(in crate::engine) fn count(&mut self, worker: &Self) {
            worker.frames.iter().for_each(|frame| self.end.add(frame));
        }

        /// Takes its own frames into the account.
        pub(in crate::engine) fn count_own(&mut self) {
            self.frames.iter().for_each(|frame| self.end.add(frame));
        }

        /// What an archive ends with.
        pub(in crate::engine) fn end(&self) -> Vec<u8> {
            self.end.bytes()
        }
    }
}

#[cfg(not(feature = "zstd"))]
mod without {
    use crate::error::Error;

    /// Stands for compression where the library was built without it: it cannot be made.
    pub(in crate::engine) enum Compressed {}

    impl Compressed {
        pub(in crate::engine) fn new(_: i32) -> Result<Self, Error> {
            Err(Error::Usage("this build has no zstd: build it with the feature 'zstd'".into()))
        }

        pub(in crate::engine) fn mark() -> Vec<u8> {
            Vec::new()
        }

        pub(in crate::engine) fn compress(&mut self, _: &[u8]) -> Result<(), Error> {
            match *self {}
        }

        pub(in crate::engine) fn bytes(&self) -> &[u8] {
            match *self {}
        }

        pub(in crate::engine) fn count(&mut self, _: &Self) {
            match *self {}
        }

        pub(in crate::engine) fn count_own(&mut self) {
            match *self {}
        }

        pub(in crate::engine) fn end(&self) -> Vec<u8> {
            match *self {}
        }
    }
}
