//! How chunks are written: as those that they take the place of.

use parquet::basic::{Compression, Encoding, PageType};
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue, RowGroupMetaData, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion};

use super::LARGE;

/// What is the same for all of a file: who wrote it, and its metadata. Bloom filters are appended where they are passed through.
pub(super) fn of_file(metadata: Vec<KeyValue>, sorted: Option<Vec<SortingColumn>>, indexed: bool) -> WriterProperties {
    base()
        .set_key_value_metadata((!metadata.is_empty()).then_some(metadata))
        .set_sorting_columns(sorted)
        .set_offset_index_disabled(!indexed)
        .build()
}

/// Bytes of a page at most, whatever the rows: other writers make pages of up to 100 MB.
const LARGEST_PAGE: usize = 128 << 20;

/// Bytes of a dictionary up to which a chunk may have one, whatever was in the old one: what most writers take.
const SMALL_DICTIONARY: i64 = 1 << 20;

/// How many times as long as the old strings the new ones are taken to be at most: a dictionary that grows by that stays one.
const LONGER: i64 = 4;

/// How a chunk is written in the place of an old one, or beside it: with as many rows in each page.
pub(super) fn like(old: &ColumnChunkMetaData, rows_of_page: usize) -> WriterProperties {
    builder_like(old, rows_of_page).build()
}

/// How a chunk of few different values is written beside an old one.
pub(super) fn of_few_values(old: &ColumnChunkMetaData, rows_of_page: usize) -> WriterProperties {
    builder_like(old, rows_of_page).set_dictionary_enabled(true).build()
}

/// Pages whose values are in a dictionary wait in memory for its end: where that is much, there is none.
fn builder_like(old: &ColumnChunkMetaData, rows_of_page: usize) -> WriterPropertiesBuilder {
    let statistics = match (old.statistics(), old.column_index_offset()) {
        (_, Some(_)) => EnabledStatistics::Page,
        (Some(_), None) => EnabledStatistics::Chunk,
        (None, None) => EnabledStatistics::None,
    };
    let pages = old.page_encoding_stats();
    let of_second_version = |page_type| page_type == PageType::DATA_PAGE_V2;
    let second = pages.is_some_and(|pages| pages.iter().any(|page| of_second_version(page.page_type)));
    base()
        .set_writer_version(if second { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 })
        .set_encoding(Encoding::PLAIN)
        .set_compression(codec(old.compression()))
        .set_dictionary_enabled(all_in_dictionary(old) && old.uncompressed_size() <= LARGE)
        .set_dictionary_page_size_limit(largest_dictionary(old))
        .set_data_page_row_count_limit(rows_of_page)
        .set_data_page_size_limit(LARGEST_PAGE)
        .set_statistics_enabled(statistics)
        .set_offset_index_disabled(old.offset_index_offset().is_none())
}

/// Bytes of the dictionary of a new chunk at most. The old one was not larger than its chunk.
fn largest_dictionary(old: &ColumnChunkMetaData) -> usize {
    old.uncompressed_size().saturating_mul(LONGER).clamp(SMALL_DICTIONARY, LARGE) as usize
}

fn base() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_created_by(concat!("gridmill ", env!("CARGO_PKG_VERSION")).into())
}

/// The codec of an old chunk. What wrote LZ4 in its first layout is gone; what reads that reads the second one, too.
fn codec(old: Compression) -> Compression {
    if old == Compression::LZ4 { Compression::LZ4_RAW } else { old }
}

/// Whether all values of a chunk are in its dictionary: where some were not, the new ones will not be.
fn all_in_dictionary(old: &ColumnChunkMetaData) -> bool {
    let in_dictionary = |encoding| matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY);
    let is_data = |page_type| matches!(page_type, PageType::DATA_PAGE | PageType::DATA_PAGE_V2);
    let Some(pages) = old.page_encoding_stats() else { return false };
    let mut data = pages.iter().filter(|page| is_data(page.page_type)).peekable();
    data.peek().is_some() && data.all(|page| in_dictionary(page.encoding))
}

/// By which columns all row groups are sorted, up to one whose strings are replaced.
pub(super) fn sorted<'g>(
    mut groups: impl Iterator<Item = &'g RowGroupMetaData>,
    replaced: &[usize],
) -> Option<Vec<SortingColumn>> {
    let first = groups.next()?.sorting_columns()?;
    if !groups.all(|group| group.sorting_columns() == Some(first)) {
        return None;
    }
    let stays =
        |column: &&SortingColumn| !usize::try_from(column.column_idx).is_ok_and(|leaf| replaced.contains(&leaf));
    let sorted: Vec<_> = first.iter().take_while(stays).cloned().collect();
    (!sorted.is_empty()).then_some(sorted)
}
