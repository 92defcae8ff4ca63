//! Reads the pages of a chunk, after checking what their headers say: the decoder reserves memory for it. Pages with
//! checksums are compared with them before.

use parquet::basic::{Compression, Encoding, PageType, Type as PhysicalType};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedRowGroupReader;
use parquet::schema::types::ColumnDescPtr;

use super::checksums::{CHECKSUM, is_checksum};
use super::deltas;
use super::footer::{catch, damaged};
use super::kinds::PAGE;
use super::properties::ENCODINGS;
use super::shared_file::SharedFile;
use super::thrift::{Element, Stop, walk};
use crate::columnar::damage;

/// How many bytes of a page header are read at first. Few are longer.
const HEADER_BYTES: u64 = 512;

/// How many values a page of deltas may have for each of its bytes, and how many at least. All deltas of a block may be
/// the same and take no bytes.
const MAX_DELTAS: u64 = 1024;
const MIN_DELTAS: u64 = 1 << 16;

/// The longest page without a compression that shows its length.
const MAX_UNKNOWN: u64 = 128 << 20;

/// The kinds of pages with a dictionary, and with data.
const DICTIONARY: i64 = 2;
const DATA: [i64; 2] = [0, 3];

/// A row group whose chunks are checked before they are read.
pub(super) struct CheckedGroup<'f> {
    pub(super) file: &'f SharedFile,
    pub(super) group: SerializedRowGroupReader<'f, SharedFile>,
}

impl CheckedGroup<'_> {
    pub(super) fn metadata(&self) -> &RowGroupMetaData {
        self.group.metadata()
    }

    /// Returns the pages of a column chunk. All of them are compared with their checksums, if they have some.
    pub(super) fn get_column_page_reader(&self, leaf: usize) -> Result<Box<dyn PageReader>, ParquetError> {
        self.pages(leaf, true)
    }

    /// Returns the pages of a column chunk, of which only the headers will be read.
    pub(super) fn pages_with_headers(&self, leaf: usize) -> Result<Box<dyn PageReader>, ParquetError> {
        self.pages(leaf, false)
    }

    fn pages(&self, leaf: usize, contents: bool) -> Result<Box<dyn PageReader>, ParquetError> {
        let column = self.metadata().column(leaf);
        check_headers(self.file, column, contents)?;
        let pages = catch(|| self.group.get_column_page_reader(leaf))?;
        Ok(Box::new(CheckedPages { pages, has_dictionary: false, column: column.column_descr_ptr() }))
    }
}

/// Returns a reader for the values of a column in a row group.
pub(super) fn values_of(group: &CheckedGroup<'_>, leaf: usize) -> Result<ColumnReader, ParquetError> {
    let column = group.metadata().column(leaf).column_descr_ptr();
    Ok(get_column_reader(column, group.get_column_page_reader(leaf)?))
}

/// What the header of a page says.
#[derive(Default)]
struct PageFacts {
    /// Its own length.
    bytes: u64,
    kind: i64,
    uncompressed: i64,
    compressed: i64,
    values: i64,
    /// The bytes before the compressed ones.
    levels: i64,
    checksum: Option<u32>,
    encoding: i64,
}

impl PageFacts {
    /// Reads the header at a position. The chunk ends at `end`.
    fn read(file: &SharedFile, at: u64, end: u64) -> Result<Self, ParquetError> {
        let mut length = HEADER_BYTES.min(end - at);
        loop {
            let mut header = Self::default();
            let bytes = file.get_bytes(at, length as usize)?;
            let walked = walk(&bytes, PAGE, |path, seen| match (path, seen) {
                ([1], Element::Number(number)) => header.kind = number,
                ([2], Element::Number(number)) => header.uncompressed = number,
                ([3], Element::Number(number)) => header.compressed = number,
                ([CHECKSUM], Element::Number(number)) => header.checksum = Some(number as u32),
                ([5 | 7 | 8, 1], Element::Number(number)) => header.values = number,
                ([5, 2] | [8, 4], Element::Number(number)) => header.encoding = number,
                ([8, 5 | 6], Element::Number(number)) => header.levels = header.levels.saturating_add(number),
                _ => {}
            });
            match walked {
                Ok(bytes) => return Ok(Self { bytes: bytes as u64, ..header }),
                Err(Stop::Short) if length < end - at => length = length.saturating_mul(16).min(end - at),
                Err(_) => return Err(damaged()),
            }
        }
    }
}

/// Checks that a page has the checksum that its header says, if it says one. Its contents are at this position.
fn check_contents(
    file: &SharedFile,
    column: &ColumnChunkMetaData,
    header: &PageFacts,
    (at, length): (u64, u64),
) -> Result<(), ParquetError> {
    let Some(checksum) = header.checksum else { return Ok(()) };
    if is_checksum(file, at, length, checksum)? {
        return Ok(());
    }
    let words = format!(
        "it is damaged: a page of column {}, at byte {at}, does not have the checksum in its header; restore the file from a copy",
        column.column_path()
    );
    Err(ParquetError::General(words))
}

/// Checks the pages of a chunk that is copied as bytes, up to its last value: that they are where their headers say, and
/// have their checksums.
pub(super) fn check_copied(file: &SharedFile, column: &ColumnChunkMetaData) -> Result<(), ParquetError> {
    let (mut at, length) = column.byte_range();
    let (end, mut values_left) = (at + length, column.num_values());
    while at < end && values_left > 0 {
        let header = PageFacts::read(file, at, end)?;
        at += header.bytes;
        let contents = u64::try_from(header.compressed).ok().filter(|bytes| *bytes <= end - at).ok_or_else(damaged)?;
        check_contents(file, column, &header, (at, contents))?;
        at += contents;
        if DATA.contains(&header.kind) {
            values_left = values_left.saturating_sub(header.values.max(0));
        }
    }
    Ok(())
}

/// Returns the kinds and encodings of the data pages of a chunk, each once.
pub(super) fn kinds_of_data(
    file: &SharedFile,
    column: &ColumnChunkMetaData,
) -> Result<Vec<(PageType, Encoding)>, ParquetError> {
    let is_data = |kind| matches!(kind, PageType::DATA_PAGE | PageType::DATA_PAGE_V2);
    if let Some(pages) = column.page_encoding_stats() {
        let data = pages.iter().filter(|page| is_data(page.page_type) && page.count > 0);
        return Ok(data.map(|page| (page.page_type, page.encoding)).collect());
    }
    let (mut at, length) = column.byte_range();
    let (end, mut found) = (at + length, Vec::new());
    while at < end {
        let header = PageFacts::read(file, at, end)?;
        at = at.saturating_add(header.bytes).saturating_add(header.compressed.unsigned_abs());
        let kind = if header.kind == DATA[0] { PageType::DATA_PAGE } else { PageType::DATA_PAGE_V2 };
        let encoding = ENCODINGS.into_iter().find(|encoding| *encoding as i64 == header.encoding);
        if let Some(encoding) = encoding.filter(|_| DATA.contains(&header.kind))
            && !found.contains(&(kind, encoding))
        {
            found.push((kind, encoding));
        }
    }
    Ok(found)
}

/// Whether the first page of a chunk has a checksum.
pub(super) fn has_checksum(file: &SharedFile, column: &ColumnChunkMetaData) -> bool {
    let (at, length) = column.byte_range();
    length > 0 && PageFacts::read(file, at, at + length).is_ok_and(|header| header.checksum.is_some())
}

/// Checks the headers of all pages of a chunk and, if they will be read, their `contents`.
fn check_headers(file: &SharedFile, column: &ColumnChunkMetaData, contents: bool) -> Result<(), ParquetError> {
    let (mut at, length) = column.byte_range();
    let end = at + length;
    while at < end {
        let header = PageFacts::read(file, at, end)?;
        at += header.bytes;
        let in_chunk = |bytes: &u64| *bytes <= end - at;
        let compressed = u64::try_from(header.compressed).ok().filter(in_chunk).ok_or_else(damaged)?;
        if contents {
            check_contents(file, column, &header, (at, compressed))?;
        }
        let uncompressed = u64::try_from(header.uncompressed).map_err(|_| damaged())?;
        let levels = u64::try_from(header.levels).ok().filter(|levels| *levels <= compressed.min(uncompressed));
        let levels = levels.ok_or_else(damaged)?;
        // Values without any bytes are possible, but not in a dictionary.
        let is_empty = header.kind == DICTIONARY && u64::try_from(header.values).is_ok_and(|all| all > uncompressed);
        if is_empty || !may_be(file, column, at + levels, (compressed - levels, uncompressed - levels))? {
            return Err(damaged());
        }
        at += compressed;
    }
    Ok(())
}

/// Whether the bytes at a position can be decompressed to so many.
fn may_be(
    file: &SharedFile,
    column: &ColumnChunkMetaData,
    at: u64,
    (compressed, length): (u64, u64),
) -> Result<bool, ParquetError> {
    // The most that a byte can stand for.
    let up_to = |most: u64| length <= compressed.saturating_mul(most).saturating_add(64);
    Ok(match column.compression() {
        Compression::UNCOMPRESSED => true,
        Compression::SNAPPY => up_to(32),
        Compression::LZ4 | Compression::LZ4_RAW => up_to(256),
        Compression::GZIP(_) => up_to(1040),
        _ if damage::is_usual(compressed, length) => true,
        Compression::ZSTD(_) => damage::zstd_gives(&file.get_bytes(at, compressed as usize)?, length),
        _ => length <= MAX_UNKNOWN,
    })
}

/// Pages with checks of what the decoder assumes: a page that needs a dictionary comes after one, and there are not more
/// values than there can be.
struct CheckedPages {
    pages: Box<dyn PageReader>,
    has_dictionary: bool,
    column: ColumnDescPtr,
}

impl Iterator for CheckedPages {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        let page = catch(|| self.pages.get_next_page())?;
        match &page {
            Some(Page::DictionaryPage { buf, num_values, .. }) if *num_values as usize > buf.len() => {
                return Err(damaged());
            }
            Some(Page::DictionaryPage { .. }) => self.has_dictionary = true,
            Some(page) if !self.has_dictionary && needs_dictionary(page) => {
                return Err(ParquetError::General("a page needs a dictionary, and there is none before it".into()));
            }
            Some(page) if !self.has_plausible_deltas(page) => return Err(damaged()),
            _ => {}
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        catch(|| self.pages.peek_next_page())
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        catch(|| self.pages.skip_next_page())
    }

    fn at_record_boundary(&mut self) -> Result<bool, ParquetError> {
        catch(|| self.pages.at_record_boundary())
    }
}

impl CheckedPages {
    /// Whether a page of deltas has as many lengths as it can have. The decoder makes room for all of them.
    fn has_plausible_deltas(&self, page: &Page) -> bool {
        let streams = match page.encoding() {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
            Encoding::DELTA_BYTE_ARRAY => 2,
            _ => return true,
        };
        if !matches!(self.column.physical_type(), PhysicalType::BYTE_ARRAY | PhysicalType::FIXED_LEN_BYTE_ARRAY) {
            return true;
        }
        let most = u64::from(page.num_values());
        if most > MIN_DELTAS + MAX_DELTAS * page.buffer().len() as u64 {
            return false;
        }
        let Some(mut values) = deltas::values_of(page, &self.column) else { return false };
        (0..streams).all(|_| match deltas::skip(values, most) {
            Some(rest) => {
                values = rest;
                true
            }
            None => false,
        })
    }
}

fn needs_dictionary(page: &Page) -> bool {
    matches!(page.encoding(), Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY)
}
