//! Determines how chunks are written: in the same way as the old chunks.

use parquet::basic::{Compression, Encoding, PageType};
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue, RowGroupMetaData, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion};

use super::LARGE;

/// The properties of a whole file: its writer and its metadata. Bloom filters are copied with their chunks.
pub(super) fn of_file(metadata: Vec<KeyValue>, sorted: Option<Vec<SortingColumn>>, indexed: bool) -> WriterProperties {
    base()
        .set_key_value_metadata((!metadata.is_empty()).then_some(metadata))
        .set_sorting_columns(sorted)
        .set_offset_index_disabled(!indexed)
        .build()
}

/// The maximum size of a page, whatever its number of rows. Other writers make pages of up to 100 MB.
const MAX_PAGE_BYTES: usize = 128 << 20;

/// The size of dictionary that a chunk may always have, regardless of the old one. Most writers use this limit.
const MIN_DICTIONARY_LIMIT: i64 = 1 << 20;

/// How many times as long as the old strings the new ones may be. A dictionary that grows by less than this stays a
/// dictionary.
const MAX_GROWTH: i64 = 4;

/// The properties of a chunk that replaces an old one or is appended beside it. Its pages have the same number of rows.
pub(super) fn like(old: &ColumnChunkMetaData, rows_of_page: usize) -> WriterProperties {
    builder_like(old, rows_of_page).build()
}

/// The properties of a chunk with few different values that is appended beside an old one.
pub(super) fn of_few_values(old: &ColumnChunkMetaData, rows_of_page: usize) -> WriterProperties {
    builder_like(old, rows_of_page).set_dictionary_enabled(true).build()
}

/// Pages with dictionary values wait in memory for the end of the dictionary. If the old chunk is large, the new one
/// has no dictionary.
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
        .set_dictionary_page_size_limit(max_dictionary_size(old))
        .set_data_page_row_count_limit(rows_of_page)
        .set_data_page_size_limit(MAX_PAGE_BYTES)
        .set_statistics_enabled(statistics)
        .set_offset_index_disabled(old.offset_index_offset().is_none())
}

/// Returns the maximum size of the dictionary of a new chunk. The old dictionary was not larger than its chunk.
fn max_dictionary_size(old: &ColumnChunkMetaData) -> usize {
    old.uncompressed_size().saturating_mul(MAX_GROWTH).clamp(MIN_DICTIONARY_LIMIT, LARGE) as usize
}

fn base() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_created_by(concat!("gridmill ", env!("CARGO_PKG_VERSION")).into())
}

/// Returns the codec for a new chunk. The first layout of LZ4 is no longer written by any program, and programs that
/// read it read the second one, too.
fn codec(old: Compression) -> Compression {
    if old == Compression::LZ4 { Compression::LZ4_RAW } else { old }
}

/// Whether all values of a chunk are in its dictionary. If some were not, not all of the new ones would be either.
fn all_in_dictionary(old: &ColumnChunkMetaData) -> bool {
    let in_dictionary = |encoding| matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY);
    let is_data = |page_type| matches!(page_type, PageType::DATA_PAGE | PageType::DATA_PAGE_V2);
    let Some(pages) = old.page_encoding_stats() else { return false };
    let mut data = pages.iter().filter(|page| is_data(page.page_type)).peekable();
    data.peek().is_some() && data.all(|page| in_dictionary(page.encoding))
}

/// Returns the columns by which all row groups are sorted, up to the first whose strings are replaced.
pub(super) fn sorted<'g>(
    mut groups: impl Iterator<Item = &'g RowGroupMetaData>,
    replaced: &[usize],
) -> Option<Vec<SortingColumn>> {
    let first = groups.next()?.sorting_columns()?;
    if !groups.all(|group| group.sorting_columns() == Some(first)) {
        return None;
    }
    let is_kept =
        |column: &&SortingColumn| !usize::try_from(column.column_idx).is_ok_and(|leaf| replaced.contains(&leaf));
    let sorted: Vec<_> = first.iter().take_while(is_kept).cloned().collect();
    (!sorted.is_empty()).then_some(sorted)
}
