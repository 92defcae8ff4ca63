//! Writes column chunks page by page, into memory or, if they are large or many, into a file.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use parquet::column::page::PageWriter;
use parquet::column::writer::{ColumnCloseResult, ColumnWriterImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::checksums::ChecksummedPages;
use super::errors::write_error;
use crate::error::Error;
use crate::output::Scratch;

/// Where the pages of all row groups in progress are stored: in memory, up to a limit, and beyond it in files.
#[derive(Debug)]
pub(super) struct PageSpace {
    folder: PathBuf,
    /// The number of bytes in memory, and the limit.
    bytes: AtomicU64,
    most: u64,
}

impl PageSpace {
    /// Pages up to `most` bytes in memory, and files in this folder.
    pub(super) fn new(folder: PathBuf, most: u64) -> Self {
        Self { folder, bytes: AtomicU64::new(0), most }
    }
}

/// Pages that wait until their row group is written.
pub(super) struct Pages {
    written: TrackedWrite<Store>,
    have_checksums: bool,
}

enum Store {
    Memory(PagesInMemory),
    File(Scratch),
}

/// The size of a block of pages in memory. Larger pages are blocks of their own.
const BLOCK: usize = 256 << 10;

/// Pages in memory, in blocks: to make one buffer grow, its bytes would have to be there twice.
struct PagesInMemory {
    blocks: Vec<Vec<u8>>,
    length: u64,
    space: Arc<PageSpace>,
}

impl PagesInMemory {
    /// Appends bytes, unless there is no room for them.
    fn push(&mut self, bytes: &[u8]) -> bool {
        let more = bytes.len() as u64;
        if self.space.bytes.fetch_add(more, Ordering::Relaxed) + more > self.space.most {
            self.space.bytes.fetch_sub(more, Ordering::Relaxed);
            return false;
        }
        self.length += more;
        match self.blocks.last_mut().filter(|block| block.len() + bytes.len() <= BLOCK) {
            Some(block) => block.extend_from_slice(bytes),
            None => self.blocks.push(bytes.to_vec()),
        }
        true
    }
}

impl Drop for PagesInMemory {
    fn drop(&mut self) {
        self.space.bytes.fetch_sub(self.length, Ordering::Relaxed);
    }
}

impl Pages {
    /// No pages yet. `is_large` says that they are stored in a file from the start, `have_checksums` that each gets a
    /// checksum.
    pub(super) fn new(space: &Arc<PageSpace>, is_large: bool, have_checksums: bool) -> Result<Self, Error> {
        let store = match is_large {
            true => Store::File(Scratch::create_beside(&space.folder)?),
            false => Store::Memory(PagesInMemory { blocks: Vec::new(), length: 0, space: Arc::clone(space) }),
        };
        Ok(Self { written: TrackedWrite::new(store), have_checksums })
    }

    /// Ends the pages, which form a chunk that `about` describes.
    pub(super) fn end(mut self, about: ColumnCloseResult) -> Result<NewChunk, Error> {
        // Without this, an error of the last write would be lost.
        self.written.flush().map_err(|error| write_error(error.into()))?;
        let store = self.written.into_inner().map_err(write_error)?;
        Ok(NewChunk { store, about })
    }
}

impl Write for Store {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Self::Memory(blocks) = self
            && !blocks.push(bytes)
        {
            let mut file = Scratch::create_beside(&blocks.space.folder).map_err(io::Error::other)?;
            for block in &blocks.blocks {
                file.append(block).map_err(io::Error::other)?;
            }
            *self = Self::File(file);
        }
        if let Self::File(file) = self {
            file.append(bytes).map_err(io::Error::other)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A chunk that was written, with the information that a row group needs to append it.
pub(super) struct NewChunk {
    store: Store,
    about: ColumnCloseResult,
}

impl NewChunk {
    /// Appends it to a row group.
    pub(super) fn append_to<W: Write + Send>(
        self,
        rows: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        match self.store {
            Store::Memory(mut blocks) => {
                let chunk = MemoryChunk { blocks: std::mem::take(&mut blocks.blocks).into(), length: blocks.length };
                rows.append_column(&chunk, self.about)
            }
            Store::File(file) => {
                rows.append_column(&StoredChunk { file, length: self.about.bytes_written }, self.about)
            }
        }
    }
}

/// A chunk in memory, to be read.
struct MemoryChunk {
    blocks: Arc<[Vec<u8>]>,
    length: u64,
}

/// Reads blocks from a position on.
struct PagesReader {
    blocks: Arc<[Vec<u8>]>,
    block: usize,
    at: usize,
}

impl Read for PagesReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(block) = self.blocks.get(self.block) {
            let read = (&block[self.at..]).read(buffer)?;
            if read > 0 || buffer.is_empty() {
                self.at += read;
                return Ok(read);
            }
            (self.block, self.at) = (self.block + 1, 0);
        }
        Ok(0)
    }
}

impl Length for MemoryChunk {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for MemoryChunk {
    type T = PagesReader;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let (mut block, mut at) = (0, usize::try_from(start).unwrap_or(usize::MAX));
        while let Some(length) = self.blocks.get(block).map(Vec::len).filter(|length| *length <= at) {
            (block, at) = (block + 1, at - length);
        }
        Ok(PagesReader { blocks: Arc::clone(&self.blocks), block, at })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let mut bytes = Vec::new();
        self.get_read(start)?.take(length as u64).read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// A stored chunk, to be read.
struct StoredChunk {
    file: Scratch,
    length: u64,
}

impl Length for StoredChunk {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for StoredChunk {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(Box::new(self.file.reader_from(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let mut bytes = Vec::new();
        self.get_read(start)?.take(length as u64).read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// Writes the values of a chunk, with page ends at the number of rows that the properties specify.
pub(super) struct ChunkWriter<'p, T: DataType> {
    writer: ColumnWriterImpl<'p, T>,
    deepest: i16,
    rows_of_page: usize,
    /// The number of rows that still fit on the current page.
    rows_left: usize,
}

impl<'p, T: DataType> ChunkWriter<'p, T> {
    pub(super) fn new(column: ColumnDescPtr, properties: WriterPropertiesPtr, pages: &'p mut Pages) -> Self {
        let (deepest, rows_of_page) = (column.max_def_level(), properties.data_page_row_count_limit());
        let pages: Box<dyn PageWriter> = match pages.have_checksums {
            true => Box::new(ChecksummedPages(&mut pages.written)),
            false => Box::new(SerializedPageWriter::new(&mut pages.written)),
        };
        let writer = ColumnWriterImpl::new(column, properties, pages);
        Self { writer, deepest, rows_of_page, rows_left: rows_of_page }
    }

    /// Writes whole rows: values, and for each field its definition and repetition level, if the column has these
    /// levels.
    pub(super) fn write(&mut self, values: &[T::T], defined: &[i16], repeated: &[i16]) -> Result<(), ParquetError> {
        let fields = if self.deepest > 0 { defined.len() } else { values.len() };
        let (mut first, mut first_value, mut value) = (0, 0, 0);
        for field in 0..fields {
            if repeated.get(field).is_none_or(|&repeated| repeated == 0) {
                if self.rows_left == 0 {
                    self.write_page_rows(
                        &values[first_value..value],
                        defined.get(first..field),
                        repeated.get(first..field),
                    )?;
                    (first, first_value, self.rows_left) = (field, value, self.rows_of_page);
                }
                self.rows_left -= 1;
            }
            value += usize::from(defined.get(field).is_none_or(|&defined| defined == self.deepest));
        }
        self.write_page_rows(&values[first_value..value], defined.get(first..fields), repeated.get(first..fields))
    }

    /// Writes rows of one page. The writer only ends a page at the end of a call.
    fn write_page_rows(
        &mut self,
        values: &[T::T],
        defined: Option<&[i16]>,
        repeated: Option<&[i16]>,
    ) -> Result<(), ParquetError> {
        let levels = |levels: Option<&'_ [i16]>| levels.is_some_and(|levels| !levels.is_empty());
        if values.is_empty() && !levels(defined) {
            return Ok(());
        }
        let (defined, repeated) = (defined.filter(|_| levels(defined)), repeated.filter(|_| levels(repeated)));
        self.writer.write_batch(values, defined, repeated).map(drop)
    }

    /// Returns what a row group needs to know about the chunk.
    pub(super) fn close(self) -> Result<ColumnCloseResult, ParquetError> {
        self.writer.close()
    }
}
