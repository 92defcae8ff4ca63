//! Reads Parquet files.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use parquet::bloom_filter::Sbbf;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::FOOTER_SIZE;
use parquet::file::metadata::{
    FooterTail, PageIndexPolicy, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader,
};
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::{ChunkReader, Length, RowGroupReader};
use parquet::file::serialized_reader::SerializedRowGroupReader;
use parquet::schema::types::TypePtr;

use super::{offsets, read_error};
use crate::error::Error;
use crate::source::Input;

/// The number of rows on a page if it is unknown.
const ROWS_OF_PAGE: usize = 20_000;

/// A file that several threads read at different positions at the same time.
pub(super) struct SharedFile {
    file: Arc<File>,
    length: u64,
}

impl SharedFile {
    /// Returns the position of the metadata at the end of the file.
    fn metadata_start(&self) -> Result<u64, ParquetError> {
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
        let read = self.file.read_at(buffer, self.at)?;
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
        self.file.read_exact_at(&mut bytes, start)?;
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

/// An input, and what is known about it before any column is read.
pub(super) struct ParquetInput {
    pub(super) path: PathBuf,
    pub(super) shared: Arc<SharedFile>,
    pub(super) metadata: ParquetMetaData,
    modified: (i64, i64),
}

impl ParquetInput {
    pub(super) fn open(input: Input) -> Result<Self, Error> {
        let Input::File(path) = input else {
            let words = "a Parquet file cannot be read from stdin, because its contents are listed at its end; save it to a file, for \
                 example with cat > boards.parquet, and name that";
            return Err(Error::Usage(words.into()));
        };
        let file = File::open(&path).map_err(|error| Error::io(&path, "open", error))?;
        let about = file.metadata().map_err(|error| Error::io(&path, "read", error))?;
        if !about.is_file() {
            return Err(Error::file(
                path,
                "is not a regular file, but a Parquet file is read from its end; save it to a file, and name that",
            ));
        }
        let shared = Arc::new(SharedFile { file: Arc::new(file), length: about.len() });
        // Page statistics are needed in full: a mask of encodings shows neither the page version nor which pages use an
        // encoding.
        let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
        let metadata = ParquetMetaDataReader::new()
            .with_page_index_policy(PageIndexPolicy::Optional)
            .with_metadata_options(Some(options))
            .parse_and_finish(&*shared)
            .and_then(offsets::with_corrected_offsets)
            .map_err(|error| read_error(&path, error))?;
        for column in metadata.row_groups().iter().flat_map(|group| group.columns()) {
            if column.file_path().is_some() {
                return Err(Error::file(path, "has columns in other files, which is not supported; make it one file"));
            }
            if column.crypto_metadata().is_some() {
                let words = format!(
                    "its column {} is encrypted and would be lost; write the file without encryption",
                    column.column_path()
                );
                return Err(Error::file(path, words));
            }
        }
        let end = shared.metadata_start().map_err(|error| read_error(&path, error))?;
        if let Some((group, leaf)) = offsets::find_outside(&metadata, end) {
            let column = metadata.row_group(group).column(leaf).column_path();
            let words = format!("is damaged: column {column} of row group {group} is not where the file says");
            return Err(Error::file(path, words));
        }
        Ok(Self { path, shared, metadata, modified: (about.mtime(), about.mtime_nsec()) })
    }

    /// Returns the fields of the root. The root itself is not compared, because its name depends on the writer.
    fn fields(&self) -> &[TypePtr] {
        self.metadata.file_metadata().schema_descr().root_schema().get_fields()
    }

    /// Returns the size of the file.
    pub(super) fn bytes(&self) -> u64 {
        self.shared.length
    }

    /// Checks that the file has not changed since it was opened.
    pub(super) fn unchanged(&self) -> Result<(), Error> {
        let now = self.shared.file.metadata().map_err(|error| Error::io(&self.path, "read", error))?;
        match (now.len(), (now.mtime(), now.mtime_nsec())) == (self.shared.length, self.modified) {
            true => Ok(()),
            false => Err(Error::file(&self.path, "was changed while it was being read; run again")),
        }
    }

    /// Returns a reader for a row group.
    pub(super) fn group(&self, group: usize) -> Result<SerializedRowGroupReader<'_, SharedFile>, Error> {
        let about = self.metadata.row_group(group);
        let index = self.metadata.page_index_for_row_group(group);
        let properties = Arc::new(ReaderProperties::builder().build());
        SerializedRowGroupReader::new(Arc::clone(&self.shared), about, index, properties)
            .map_err(|error| read_error(&self.path, error))
    }

    /// Returns the number of rows on the pages of a chunk, judging by its first page. For lists, this is an estimate.
    pub(super) fn rows_of_page(&self, group: usize, leaf: usize) -> Result<usize, Error> {
        let failed = |error| read_error(&self.path, error);
        let about = self.metadata.row_group(group);
        let rows = self.group(group)?;
        let mut pages = rows.get_column_page_reader(leaf).map_err(failed)?;
        while let Some(page) = pages.peek_next_page().map_err(failed)? {
            if page.is_dict {
                pages.skip_next_page().map_err(failed)?;
                continue;
            }
            let fields = about.column(leaf).num_values().max(1) as u128;
            let by_fields = |of_page: usize| (of_page as u128 * about.num_rows().max(0) as u128 / fields) as usize;
            return Ok(page.num_rows.or(page.num_levels.map(by_fields)).unwrap_or(ROWS_OF_PAGE).max(1));
        }
        Ok(ROWS_OF_PAGE)
    }

    /// Returns what a writer needs to append a column chunk unchanged.
    pub(super) fn unchanged_chunk(&self, group: usize, column: usize) -> ColumnCloseResult {
        let rows = self.metadata.row_group(group);
        let chunk = rows.column(column);
        let index = self.metadata.page_index();
        ColumnCloseResult {
            bytes_written: chunk.compressed_size() as u64,
            rows_written: rows.num_rows() as u64,
            metadata: chunk.clone(),
            // A Bloom filter that cannot be read is left out: it only makes reading faster.
            bloom_filter: Sbbf::read_from_column_chunk(chunk, &*self.shared).ok().flatten(),
            column_index: index.and_then(|index| index.column_index(group, column)).cloned(),
            offset_index: index.and_then(|index| index.offset_index(group, column)).cloned(),
        }
    }
}

/// Checks that inputs have the same columns.
pub(super) fn check_same_columns(first: &ParquetInput, other: &ParquetInput) -> Result<(), Error> {
    match first.fields() == other.fields() {
        true => Ok(()),
        false => Err(Error::file(
            &other.path,
            format!(
                "its columns are not those of {}; convert files with different columns separately",
                shown(&first.path)
            ),
        )),
    }
}

fn shown(path: &Path) -> String {
    crate::error::escape(path.as_os_str().as_encoded_bytes())
}
