//! Column chunks as they are written: page by page, into memory, or into a file where they would take too much of it.

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

use super::unwritten;
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
    /// Kept in a file in this folder, if there is one; else in memory.
    pub(super) fn new(folder: Option<&Path>) -> Result<Self, Error> {
        let store = match folder {
            Some(folder) => Store::File(Scratch::create_beside(folder)?),
            None => Store::Memory(Vec::new()),
        };
        Ok(Self(TrackedWrite::new(store)))
    }

    /// They are a chunk, of which a writer says this.
    pub(super) fn end(mut self, about: ColumnCloseResult) -> Result<NewChunk, Error> {
        // What goes wrong with the last of them would be but words otherwise.
        self.0.flush().map_err(|error| unwritten(error.into()))?;
        let store = self.0.into_inner().map_err(unwritten)?;
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

/// A chunk that was written, with what a row group has to know to append it.
pub(super) struct NewChunk {
    store: Store,
    about: ColumnCloseResult,
}

impl NewChunk {
    /// Appends it to a row group.
    pub(super) fn append_to(self, rows: &mut SerializedRowGroupWriter<'_, FileOutput>) -> Result<(), ParquetError> {
        match self.store {
            Store::Memory(pages) => rows.append_column(&Bytes::from(pages), self.about),
            Store::File(file) => rows.append_column(&PutAside { file, length: self.about.bytes_written }, self.about),
        }
    }
}

/// A chunk in a file, to be read.
struct PutAside {
    file: Scratch,
    length: u64,
}

impl Length for PutAside {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for PutAside {
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

/// Writes the values of a chunk, so that its pages end after as many rows as its properties say.
pub(super) struct ChunkWriter<'p, T: DataType> {
    writer: ColumnWriterImpl<'p, T>,
    deepest: i16,
    rows_of_page: usize,
    /// Rows that the page at hand has room for.
    left: usize,
}

impl<'p, T: DataType> ChunkWriter<'p, T> {
    pub(super) fn new(column: ColumnDescPtr, properties: WriterPropertiesPtr, pages: &'p mut Pages) -> Self {
        let (deepest, rows_of_page) = (column.max_def_level(), properties.data_page_row_count_limit());
        let pages = Box::new(SerializedPageWriter::new(&mut pages.0));
        let writer = ColumnWriterImpl::new(column, properties, pages);
        Self { writer, deepest, rows_of_page, left: rows_of_page }
    }

    /// Writes whole rows: the values that are there, and of each field how far it is defined and whether it goes on with a list, as far
    /// as the column has such levels.
    pub(super) fn write(&mut self, values: &[T::T], defined: &[i16], repeated: &[i16]) -> Result<(), ParquetError> {
        let fields = if self.deepest > 0 { defined.len() } else { values.len() };
        let (mut first, mut first_value, mut value) = (0, 0, 0);
        for field in 0..fields {
            if repeated.get(field).is_none_or(|&repeated| repeated == 0) {
                if self.left == 0 {
                    self.put(&values[first_value..value], defined.get(first..field), repeated.get(first..field))?;
                    (first, first_value, self.left) = (field, value, self.rows_of_page);
                }
                self.left -= 1;
            }
            value += usize::from(defined.get(field).is_none_or(|&defined| defined == self.deepest));
        }
        self.put(&values[first_value..value], defined.get(first..fields), repeated.get(first..fields))
    }

    /// The writer ends a page after rows that it is given at a time.
    fn put(&mut self, values: &[T::T], defined: Option<&[i16]>, repeated: Option<&[i16]>) -> Result<(), ParquetError> {
        let levels = |levels: Option<&'_ [i16]>| levels.is_some_and(|levels| !levels.is_empty());
        if values.is_empty() && !levels(defined) {
            return Ok(());
        }
        let (defined, repeated) = (defined.filter(|_| levels(defined)), repeated.filter(|_| levels(repeated)));
        self.writer.write_batch(values, defined, repeated).map(drop)
    }

    /// What is to be known of the chunk.
    pub(super) fn close(self) -> Result<ColumnCloseResult, ParquetError> {
        self.writer.close()
    }
}
