//! Determines how chunks are written: in the same way as the old chunks.

use parquet::basic::{Compression, Encoding, PageType};
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::properties::{
    BloomFilterPosition, EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion,
};

use super::LARGE;

/// The properties of a whole file. What they leave out, `ending` takes from the inputs.
pub(super) fn of_file(metadata: Vec<KeyValue>, indexed: bool) -> WriterProperties {
    WriterProperties::builder()
        .set_key_value_metadata((!metadata.is_empty()).then_some(metadata))
        .set_bloom_filter_position(BloomFilterPosition::AfterRowGroup)
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

/// The properties of a chunk that replaces an old one, or is appended beside it with values of the same type. Its pages
/// have the same number of rows, and the same encoding.
pub(super) fn like(old: &ColumnChunkMetaData, rows_of_page: usize) -> WriterProperties {
    builder_like(old, rows_of_page).set_encoding(encoding(old)).build()
}

/// The properties of a chunk with values of another type that is appended beside an old one.
pub(super) fn of_other_type(old: &ColumnChunkMetaData, rows_of_page: usize) -> WriterProperties {
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
    WriterProperties::builder()
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

/// Returns the codec for a new chunk. The first layout of LZ4 is no longer written by any program, and programs that
/// read it read the second one, too.
fn codec(old: Compression) -> Compression {
    if old == Compression::LZ4 { Compression::LZ4_RAW } else { old }
}

/// Whether the values on pages with this encoding are in a dictionary.
fn in_dictionary(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY)
}

/// Returns the encodings of the data pages of a chunk, if the file has them.
fn encodings_of_data(old: &ColumnChunkMetaData) -> Option<impl Iterator<Item = Encoding>> {
    let is_data = |page_type| matches!(page_type, PageType::DATA_PAGE | PageType::DATA_PAGE_V2);
    let pages = old.page_encoding_stats()?.iter().filter(move |page| is_data(page.page_type) && page.count > 0);
    Some(pages.map(|page| page.encoding))
}

/// Whether all values of a chunk are in its dictionary. If some were not, not all of the new ones would be either.
fn all_in_dictionary(old: &ColumnChunkMetaData) -> bool {
    let Some(data) = encodings_of_data(old) else { return false };
    let mut data = data.peekable();
    data.peek().is_some() && data.all(in_dictionary)
}

/// Returns the encoding of values that are not in the dictionary of a chunk.
fn encoding(old: &ColumnChunkMetaData) -> Encoding {
    let is_of_values = |encoding: &Encoding| {
        use Encoding::{BYTE_STREAM_SPLIT, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY};
        matches!(encoding, BYTE_STREAM_SPLIT | DELTA_BINARY_PACKED | DELTA_BYTE_ARRAY | DELTA_LENGTH_BYTE_ARRAY)
    };
    let found = match encodings_of_data(old) {
        // Booleans may be encoded as levels are.
        Some(mut data) => data.find(|encoding| is_of_values(encoding) || *encoding == Encoding::RLE),
        None => old.encodings().find(is_of_values),
    };
    found.unwrap_or(Encoding::PLAIN)
}
