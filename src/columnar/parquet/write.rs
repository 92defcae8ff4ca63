//! Writes column chunks page by page, into memory or, if they are large, into a file.

use std::io::{self, Read, Write};
use std::path::Path;

use bytes::Bytes;
use parquet::column::writer::{ColumnCloseResult, ColumnWriterImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::write_error;
use crate::columnar::output::FileOutput;
use crate::error::Error;
use crate::output::Scratch;

/// Pages that wait until their row group is written.
pub(super) struct Pages(TrackedWrite<Store>);

enum Store {
    Memory(Vec<u8>),
    File(Scratch),
}

impl Pages {
    /// No pages yet. They are stored in a file in this folder or, without a folder, in memory.
    pub(super) fn new(folder: Option<&Path>) -> Result<Self, Error> {
        let store = match folder {
            Some(folder) => Store::File(Scratch::create_beside(folder)?),
            None => Store::Memory(Vec::new()),
        };
        Ok(Self(TrackedWrite::new(store)))
    }

    /// Ends the pages, which form a chunk that `about` describes.
    pub(super) fn end(mut self, about: ColumnCloseResult) -> Result<NewChunk, Error> {
        // Without this, an error of the last write would be lost.
        self.0.flush().map_err(|error| write_error(error.into()))?;
        let store = self.0.into_inner().map_err(write_error)?;
        Ok(NewChunk { store, about })
    }
}

impl Write for Store {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Memory(pages) => pages.extend_from_slice(bytes),
            Self::File(file) => {
                file.append(bytes).map_err(io::Error::other)?;
            }
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
    pub(super) fn append_to(self, rows: &mut SerializedRowGroupWriter<'_, FileOutput>) -> Result<(), ParquetError> {
        match self.store {
            Store::Memory(pages) => rows.append_column(&Bytes::from(pages), self.about),
            Store::File(file) => {
                rows.append_column(&StoredChunk { file, length: self.about.bytes_written }, self.about)
            }
        }
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
        let pages = Box::new(SerializedPageWriter::new(&mut pages.0));
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
