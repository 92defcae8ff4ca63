//! Reads Parquet files.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use parquet::bloom_filter::Sbbf;
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedRowGroupReader;
use parquet::schema::types::TypePtr;

use super::errors::read_error;
use super::footer::{self, catch};
use super::offsets;
use super::pages::{CheckedGroup, check_copied, has_checksum, kinds_of_data};
use super::properties::OldPages;
use super::shared_file::SharedFile;
use crate::columnar::metadata::Metadata;
use crate::error::{Error, escape, shown_path};
use crate::platform::{FileFacts, Time};
use crate::source::Input;

/// The number of rows on a page if it is unknown.
const ROWS_OF_PAGE: usize = 20_000;

/// An input, and what is known about it before any column is read.
pub(super) struct ParquetInput {
    pub(super) path: PathBuf,
    pub(super) shared: Arc<SharedFile>,
    pub(super) metadata: ParquetMetaData,
    /// The metadata as it is encoded in the file.
    pub(super) footer: Bytes,
    has_checksums: OnceLock<bool>,
    modified: Time,
}

impl ParquetInput {
    pub(super) fn open(input: Input) -> Result<Self, Error> {
        let Input::File(path) = input else {
            let words = "a Parquet file cannot be read from stdin, because its contents are listed at its end; save it to a file, for \
                 example with cat > boards.parquet, and name that";
            return Err(Error::Usage(words.into()));
        };
        let file = File::open(&path).map_err(|error| Error::io(&path, "open", error))?;
        let about = FileFacts::of(&file).map_err(|error| Error::io(&path, "read", error))?;
        if !about.is_file() {
            return Err(Error::file(
                path,
                "is not a regular file, but a Parquet file is read from its end; save it to a file, and name that",
            ));
        }
        let shared = Arc::new(SharedFile { file: Arc::new(file), length: about.length() });
        if let Some(words) = what_else(&shared) {
            return Err(Error::file(path, words));
        }
        let (metadata, footer) = footer::read(&shared).map_err(|error| read_error(&path, error))?;
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
        let modified = about.modified();
        Ok(Self { path, shared, metadata, footer, has_checksums: OnceLock::new(), modified })
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
        let now = FileFacts::of(&self.shared.file).map_err(|error| Error::io(&self.path, "read", error))?;
        match (now.length(), now.modified()) == (self.shared.length, self.modified) {
            true => Ok(()),
            false => Err(Error::file(&self.path, "was changed while it was being read; run again")),
        }
    }

    /// Returns a reader for a row group.
    pub(super) fn group(&self, group: usize) -> Result<CheckedGroup<'_>, Error> {
        let about = self.metadata.row_group(group);
        let index = self.metadata.page_index_for_row_group(group);
        let properties = Arc::new(ReaderProperties::builder().build());
        let group = catch(|| SerializedRowGroupReader::new(Arc::clone(&self.shared), about, index, properties));
        let group = group.map_err(|error| read_error(&self.path, error))?;
        Ok(CheckedGroup { file: &self.shared, group })
    }

    /// Returns the keys and values that it says about itself, and which program has written it.
    pub(super) fn about(&self) -> Metadata {
        let about = self.metadata.file_metadata();
        let of_pair = |pair: &KeyValue| Some((pair.key.clone(), pair.value.clone()?));
        let pairs = about.key_value_metadata().into_iter().flatten().filter_map(of_pair);
        let by = about.created_by().map(|by| ("created_by".into(), by.into()));
        pairs.chain(by).collect()
    }

    /// Whether its pages have checksums, judging by the first page of each column.
    pub(super) fn has_checksums(&self) -> bool {
        let is_any = || {
            let first = self.metadata.row_groups().iter().find(|group| group.num_rows() > 0);
            first.is_some_and(|group| group.columns().iter().any(|column| has_checksum(&self.shared, column)))
        };
        *self.has_checksums.get_or_init(is_any)
    }

    /// Checks the pages of a chunk before it is copied as bytes.
    pub(super) fn check_copied(&self, group: usize, leaf: usize) -> Result<(), Error> {
        let column = self.metadata.row_group(group).column(leaf);
        catch(|| check_copied(&self.shared, column)).map_err(|error| read_error(&self.path, error))
    }

    /// Returns what the pages of a chunk are like.
    pub(super) fn old_pages(&self, group: usize, leaf: usize) -> Result<OldPages<'_>, Error> {
        let column = self.metadata.row_group(group).column(leaf);
        let kinds = catch(|| kinds_of_data(&self.shared, column)).map_err(|error| read_error(&self.path, error))?;
        Ok(OldPages { column, rows: self.rows_of_page(group, leaf)?, kinds })
    }

    /// Returns the number of rows on the pages of a chunk, judging by its first page. For lists, this is an estimate.
    fn rows_of_page(&self, group: usize, leaf: usize) -> Result<usize, Error> {
        let failed = |error| read_error(&self.path, error);
        let about = self.metadata.row_group(group);
        let rows = self.group(group)?;
        let mut pages = rows.pages_with_headers(leaf).map_err(failed)?;
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
            bloom_filter: catch(|| Sbbf::read_from_column_chunk(chunk, &*self.shared)).ok().flatten(),
            column_index: index.and_then(|index| index.column_index(group, column)).cloned(),
            offset_index: index.and_then(|index| index.offset_index(group, column)).cloned(),
        }
    }
}

/// The first and last bytes of a Parquet file, of which all columns may be encrypted.
const MARKS: [&[u8]; 2] = [b"PAR1", b"PARE"];

/// Says what a file is that does not begin and end like a Parquet file. If it cannot be read, reading it says why.
fn what_else(file: &SharedFile) -> Option<String> {
    let length = file.length.min(8) as usize;
    let first = file.get_bytes(0, length).ok()?;
    let last = file.get_bytes(file.length - length as u64, length).ok()?;
    match MARKS.iter().any(|mark| first.starts_with(mark)) {
        _ if first.is_empty() => Some("is empty, which no Parquet file is".into()),
        false => Some(format!("is not a Parquet file: it begins with '{}'", escape(&first))),
        true if MARKS.iter().any(|mark| last.ends_with(mark)) => None,
        true => Some(
            "is cut off: it begins like a Parquet file, but does not end like one; copy or download it again".into(),
        ),
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
                shown_path(&first.path)
            ),
        )),
    }
}
