//! Reads uncompressed regular files: they are mapped, or the worker that takes a chunk reads it.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::open::Regular;
use super::raw::{Shared, retry, shrank};
use super::{ChunkShape, Reading};
use crate::error::Error;
use crate::framing::chunk::{Limits, cut, cut_in_window};
use crate::framing::cutter::Cutter;
use crate::platform::{self, Mapping};

/// How many bytes are read first to find the end of a chunk; most lines are shorter.
const FIRST_READ: usize = 4096;

/// The text of a file, which is cut into chunks.
pub(super) struct RegularText {
    regular: Regular,
    file: Arc<File>,
    mapping: Option<Arc<Mapping>>,
    position: u64,
    continues: bool,
    /// Decides where chunks end, if line ends can occur between quotes. It is only used for mapped files.
    cutter: Option<Box<dyn Cutter>>,
    window: Vec<u8>,
}

/// Where the text of a chunk is.
pub(super) enum RegularPiece {
    /// Already in memory. The pages before `expected` are populated.
    Mapped { mapping: Arc<Mapping>, start: usize, end: usize, expected: usize },
    /// Still to be read. `ends_line` says that it ends with a newline.
    Placed { file: Arc<File>, position: u64, length: usize, ends_line: bool },
}

impl RegularText {
    /// Opens the text of a file. With [`Reading::Auto`], a file that cannot be mapped is read.
    pub(super) fn new(
        regular: Regular,
        file: Arc<File>,
        path: &Path,
        reading: Reading,
        cutter: Option<Box<dyn Cutter>>,
    ) -> Result<Self, Error> {
        let mapping = match reading {
            Reading::Read => None,
            Reading::Auto | Reading::Mapped => {
                let mapped = usize::try_from(regular.stamp.size)
                    .map_err(|_| std::io::ErrorKind::FileTooLarge.into())
                    .and_then(|length| Mapping::new(&file, length, path));
                match mapped {
                    Ok(mapping) => Some(Arc::new(mapping)),
                    Err(_) if reading == Reading::Auto => None,
                    Err(source) => return Err(Error::Io { path: path.into(), action: "map", source }),
                }
            }
        };
        let position = regular.start;
        Ok(Self { regular, file, mapping, position, continues: false, cutter, window: Vec::new() })
    }

    /// Gives the file back as an error if it must be read in order: it is not mapped, but cutting it needs all of the
    /// text.
    pub(super) fn unless_streamed(self) -> Result<Self, (Regular, Arc<File>)> {
        if self.cutter.is_some() && self.mapping.is_none() { Err((self.regular, self.file)) } else { Ok(self) }
    }

    /// Cuts the next chunk. At the end, checks that the file has not changed.
    pub(super) fn next(
        &mut self,
        path: &Path,
        limits: Limits,
        shared: &Shared,
    ) -> Result<Option<(ChunkShape, RegularPiece)>, Error> {
        let left = self.regular.stamp.size - self.position;
        if left == 0 {
            self.regular.finish(&self.file, path)?;
            return Ok(None);
        }
        let position = self.position;
        let before = self.cutter.as_ref().map(|cutter| cutter.before()).unwrap_or_default();
        let (piece, length, open) = match &self.mapping {
            Some(mapping) => {
                let start = position as usize; // within the mapping, whose length is a usize
                let text = &mapping[start..];
                let (cut, expected) = match &mut self.cutter {
                    None => (cut(text, true, limits), start),
                    Some(cutter) if cutter.is_local() => (cutter.cut(text, true, limits), start),
                    Some(cutter) => {
                        let expected = start + text.len().min(limits.size);
                        mapping.expect(start, expected);
                        (cutter.cut(text, true, limits), expected)
                    }
                };
                let Some(cut) = cut else { return Ok(None) };
                let piece =
                    RegularPiece::Mapped { mapping: Arc::clone(mapping), start, end: start + cut.end, expected };
                (piece, cut.end, cut.open)
            }
            None => {
                let (length, open, ends_line) = self.look_for_end(left, path, limits)?;
                (RegularPiece::Placed { file: Arc::clone(&self.file), position, length, ends_line }, length, open)
            }
        };
        let shape = ChunkShape {
            offset: position - self.regular.start,
            first: position == self.regular.start,
            last: length as u64 == left,
            continues: self.continues,
            open,
            quotes: self.cutter.as_mut().and_then(|cutter| cutter.take_quotes()),
            before,
        };
        self.continues = open;
        self.position += length as u64;
        shared.taken.fetch_add(length as u64, Ordering::Relaxed);
        Ok(Some((shape, piece)))
    }

    /// Reads only around the expected end of the chunk. Returns its length, whether it is open, and whether it ends
    /// with a newline.
    fn look_for_end(&mut self, left: u64, path: &Path, limits: Limits) -> Result<(usize, bool, bool), Error> {
        let longest = limits.longest();
        let at = limits.begin();
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        if left <= at {
            return Ok((left, false, false));
        }
        let most = left.min(longest.saturating_add(1)) - at;
        let mut size = FIRST_READ.min(most);
        loop {
            self.window.resize(size, 0);
            read_at(&self.file, &mut self.window, self.position + at as u64, path)?;
            if let Some(cut) = cut_in_window(&self.window, at, at + size == left, limits) {
                return Ok((cut.end, cut.open, self.window[cut.end - at - 1] == b'\n'));
            }
            size = (size * 4).min(most);
        }
    }
}

impl RegularPiece {
    /// Reads the text of a chunk into `buffer`. Called without the lock of the source.
    pub(super) fn read(
        file: &File,
        position: u64,
        ends_line: bool,
        buffer: &mut [u8],
        path: &Path,
    ) -> Result<(), Error> {
        read_at(file, buffer, position, path)?;
        if ends_line && buffer.last() != Some(&b'\n') {
            return Err(Error::file(
                path,
                "was changed while it was being read; run again when nothing is changing it",
            ));
        }
        Ok(())
    }
}

fn read_at(file: &File, buffer: &mut [u8], position: u64, path: &Path) -> Result<(), Error> {
    let mut got = 0;
    while got < buffer.len() {
        let at = position + got as u64;
        match retry(|| platform::read_at(file, &mut buffer[got..], at)) {
            Ok(0) => return Err(shrank(path, at)),
            Ok(n) => got += n,
            Err(e) => return Err(Error::io(path, "read", e)),
        }
    }
    Ok(())
}
