//! A regular file that is cut in order but read in parallel: each thread that asks for a chunk first reads a block, and the blocks are
//! then cut one after the other.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use memchr::memchr;

use super::blocks::Blocks;
use super::raw::{Shared, retry, shrank};
use crate::error::Error;
use crate::framing::chunk::Limits;
use crate::platform::append_at;

/// How far to look for a line end at which a block can end.
const GLANCE: usize = 4096;

/// A file that is read ahead.
pub(super) struct Ahead {
    file: Arc<File>,
    path: PathBuf,
    limits: Limits,
    shared: Arc<Shared>,
    blocks: Blocks,
}

impl Ahead {
    /// The part of the file between two positions: from the first to the end that it had when it was opened.
    pub(super) fn new(file: Arc<File>, path: &Path, part: Range<u64>, limits: Limits, shared: &Arc<Shared>) -> Self {
        let blocks = Blocks::new(part, limits.size);
        Self { file, path: path.into(), limits, shared: Arc::clone(shared), blocks }
    }

    /// Reads the next block into `buffer`. Returns the buffer if there is no next block, or if enough blocks wait.
    pub(super) fn read(&self, mut buffer: Vec<u8>) -> Vec<u8> {
        let Some(reserved) = self.blocks.reserve(|position| self.length(position)) else { return buffer };
        buffer.clear();
        let block = self.fill(buffer, reserved.position, reserved.length);
        reserved.hand_over(block);
        Vec::new()
    }

    /// Appends the next block to `buffer` and returns its length; 0 is the end.
    pub(super) fn append(&self, buffer: &mut Vec<u8>) -> Result<usize, Error> {
        let Some(block) = self.blocks.take(|| drop(self.read(Vec::new())))? else { return Ok(0) };
        let length = block.len();
        match buffer.is_empty() {
            true => *buffer = block,
            false => buffer.extend_from_slice(&block),
        }
        Ok(length)
    }

    /// Whether more blocks follow.
    pub(super) fn more(&self) -> bool {
        self.blocks.more()
    }

    /// The length of the block at `position`: a chunk's, up to a line end if one is near, so that nothing of it is left over.
    fn length(&self, position: u64) -> usize {
        let begin = self.limits.begin();
        let mut window = Vec::new();
        // An error here occurs again when the block is read.
        let got = retry(|| append_at(&self.file, &mut window, GLANCE, position + begin as u64)).unwrap_or(0);
        window.truncate(got);
        begin + memchr(b'\n', &window).map_or(1, |end| end + 1)
    }

    fn fill(&self, mut block: Vec<u8>, position: u64, length: usize) -> Result<Vec<u8>, Error> {
        while block.len() < length {
            let (before, at) = (block.len(), position + block.len() as u64);
            let got = retry(|| append_at(&self.file, &mut block, length - before, at));
            let got = got.map_err(|error| Error::io(&self.path, "read", error))?;
            if got == 0 {
                return Err(shrank(&self.path, at));
            }
            block.truncate(before + got);
        }
        self.shared.taken.fetch_add(length as u64, Ordering::Relaxed);
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::WAITING;
    use super::*;
    use std::io::Write;

    fn ahead(text: &[u8], size: usize) -> Ahead {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(text).expect("writing");
        let limits = Limits { size, line: 100 };
        Ahead::new(Arc::new(file), Path::new("file"), 0..text.len() as u64, limits, &Arc::default())
    }

    #[test]
    fn blocks_come_in_order_whoever_reads_them() {
        let text: Vec<u8> = (0..50_000).flat_map(|n| format!("line {n}\n").into_bytes()).collect();
        let ahead = ahead(&text, 1000);
        let done = std::thread::scope(|scope| {
            (0..3).for_each(|_| drop(scope.spawn(|| (0..200).for_each(|_| drop(ahead.read(Vec::new()))))));
            let mut done = Vec::new();
            loop {
                let mut block = Vec::new();
                let more = ahead.more();
                assert_eq!(ahead.append(&mut block).expect("the file is whole") > 0, more);
                if block.is_empty() {
                    break done;
                }
                assert!(block.ends_with(b"\n") && block.len() <= 1020);
                done.extend(block);
            }
        });
        assert!(done == text);
    }

    #[test]
    fn no_more_is_read_ahead_than_is_allowed() {
        let ahead = ahead(&vec![b'x'; 4 << 20], 512 << 10);
        let read = (0..8).filter(|_| ahead.read(b"back".to_vec()) != b"back");
        assert_eq!(read.count(), WAITING / (512 << 10));
    }

    #[test]
    fn a_file_that_became_shorter_is_an_error_in_its_place() {
        let ahead = ahead(&[b"12345678\n".repeat(100), vec![b'x'; 100]].concat(), 500);
        ahead.file.set_len(901).expect("a file can be made shorter");
        ahead.read(Vec::new());
        ahead.read(Vec::new());
        let mut text = Vec::new();
        assert_eq!(ahead.append(&mut text).expect("this block is whole"), 504);
        let error = ahead.append(&mut text).expect_err("this one is not").to_string();
        assert!(error.contains("became shorter"), "{error}");
    }
}
