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

/// The encodings of values that are written.
pub(super) const ENCODINGS: [Encoding; 8] = [
    Encoding::PLAIN,
    Encoding::PLAIN_DICTIONARY,
    Encoding::RLE,
    Encoding::DELTA_BINARY_PACKED,
    Encoding::DELTA_LENGTH_BYTE_ARRAY,
    Encoding::DELTA_BYTE_ARRAY,
    Encoding::RLE_DICTIONARY,
    Encoding::BYTE_STREAM_SPLIT,
];

/// A chunk, and what its pages are like.
pub(super) struct OldPages<'c> {
    pub(super) column: &'c ColumnChunkMetaData,
    /// The number of rows on a page.
    pub(super) rows: usize,
    /// The kinds and encodings of the data pages.
    pub(super) kinds: Vec<(PageType, Encoding)>,
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
pub(super) fn like(old: &OldPages<'_>) -> WriterProperties {
    builder_like(old).set_encoding(encoding(old)).build()
}

/// The properties of a chunk with values of another type that is appended beside an old one.
pub(super) fn of_other_type(old: &OldPages<'_>) -> WriterProperties {
    builder_like(old).build()
}

/// The properties of a chunk with few different values that is appended beside an old one.
pub(super) fn of_few_values(old: &OldPages<'_>) -> WriterProperties {
    builder_like(old).set_dictionary_enabled(true).build()
}

/// Pages with dictionary values wait in memory for the end of the dictionary. If the old chunk is large, the new one
/// has no dictionary.
fn builder_like(pages: &OldPages<'_>) -> WriterPropertiesBuilder {
    let old = pages.column;
    let statistics = match (old.statistics(), old.column_index_offset()) {
        (_, Some(_)) => EnabledStatistics::Page,
        (Some(_), None) => EnabledStatistics::Chunk,
        (None, None) => EnabledStatistics::None,
    };
    let bound = |bound: Option<&[u8]>| bound.map_or(0, <[u8]>::len);
    let bytes = old.statistics().map_or(0, |all| bound(all.min_bytes_opt()).max(bound(all.max_bytes_opt())));
    let second = pages.kinds.iter().any(|(kind, _)| *kind == PageType::DATA_PAGE_V2);
    WriterProperties::builder()
        .set_writer_version(if second { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 })
        .set_encoding(Encoding::PLAIN)
        .set_compression(codec(old.compression()))
        .set_dictionary_enabled(all_in_dictionary(pages) && old.uncompressed_size() <= LARGE)
        .set_dictionary_page_size_limit(max_dictionary_size(old))
        .set_data_page_row_count_limit(pages.rows)
        .set_data_page_size_limit(MAX_PAGE_BYTES)
        .set_statistics_enabled(statistics)
        .set_statistics_truncate_length(Some(if bytes > USUAL_BOUND { MAX_BOUND } else { USUAL_BOUND }))
        .set_offset_index_disabled(old.offset_index_offset().is_none())
}

/// The number of bytes of a minimum or maximum, and of one that is not cut, as several writers do not cut them.
const USUAL_BOUND: usize = 64;
const MAX_BOUND: usize = 4096;

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

/// Whether all values of a chunk are in its dictionary. If some were not, not all of the new ones would be either.
fn all_in_dictionary(old: &OldPages<'_>) -> bool {
    !old.kinds.is_empty() && old.kinds.iter().all(|(_, encoding)| in_dictionary(*encoding))
}

/// Returns the encoding of values that are not in the dictionary of a chunk.
fn encoding(old: &OldPages<'_>) -> Encoding {
    let mut encodings = old.kinds.iter().map(|(_, encoding)| *encoding);
    let is_written = |encoding: &Encoding| ENCODINGS.contains(encoding) && !in_dictionary(*encoding);
    encodings.find(is_written).unwrap_or(Encoding::PLAIN)
}
