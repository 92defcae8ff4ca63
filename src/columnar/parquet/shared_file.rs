//! Reads a file at any position, without large allocations for wrong lengths.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

use crate::platform::{read_at, read_exact_at};
use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::FOOTER_SIZE;
use parquet::file::metadata::FooterTail;
use parquet::file::reader::{ChunkReader, Length};

/// A file that several threads read at different positions at the same time.
pub(super) struct SharedFile {
    pub(super) file: Arc<File>,
    pub(super) length: u64,
}

impl SharedFile {
    /// Returns the position of the metadata at the end of the file.
    pub(super) fn metadata_start(&self) -> Result<u64, ParquetError> {
        let at = self.length.saturating_sub(FOOTER_SIZE as u64);
        let tail = FooterTail::try_from(&self.get_bytes(at, FOOTER_SIZE)?[..])?;
        Ok(at.saturating_sub(tail.metadata_length() as u64))
    }
}

/// Reads the file from a position on.
pub(super) struct ReadFrom {
    file: Arc<File>,
    at: u64,
}

impl Read for ReadFrom {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = read_at(&self.file, buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for SharedFile {
    type T = BufReader<ReadFrom>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(BufReader::new(ReadFrom { file: Arc::clone(&self.file), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        // A wrong length must not lead to a large allocation.
        if start.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Err(ParquetError::EOF(format!("{length} bytes from byte {start} on are not all there")));
        }
        let mut bytes = vec![0; length];
        read_exact_at(&self.file, &mut bytes, start)?;
        Ok(bytes.into())
    }
}

/// The size of reads in a chunk that is read from start to end.
const BUFFER_BYTES: usize = 256 << 10;

/// A file whose chunks are read from start to end.
pub(super) struct SequentialFile<'f>(pub(super) &'f SharedFile);

impl Length for SequentialFile<'_> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for SequentialFile<'_> {
    type T = BufReader<ReadFrom>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let reader = ReadFrom { file: Arc::clone(&self.0.file), at: start };
        Ok(BufReader::with_capacity(BUFFER_BYTES, reader))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        self.0.get_bytes(start, length)
    }
}
