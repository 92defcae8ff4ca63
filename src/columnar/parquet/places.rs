//! Where column chunks lie in a file: what it says of that is checked before anything is read there.

use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

/// Bytes at the start of a file that are none of a chunk.
const MAGIC: i64 = 4;

/// The metadata, with places as most writers say them. Where that of a dictionary is 0, or not before that of the data, there is none, and
/// other readers go by that of the data. Where that of the data is 0, there are none after the dictionary.
pub(super) fn with_true_places(metadata: ParquetMetaData) -> Result<ParquetMetaData, ParquetError> {
    if !metadata.row_groups().iter().flat_map(|group| group.columns()).any(|column| true_places(column).is_some()) {
        return Ok(metadata);
    }
    let mended = |column: &ColumnChunkMetaData| match true_places(column) {
        Some((dictionary, data)) => {
            let builder = column.clone().into_builder();
            builder.set_dictionary_page_offset(dictionary).set_data_page_offset(data).build()
        }
        None => Ok(column.clone()),
    };
    let mut builder = metadata.into_builder();
    let groups = builder.take_row_groups().into_iter().map(|group| {
        let columns = group.columns().iter().map(mended).collect::<Result<_, _>>()?;
        group.into_builder().set_column_metadata(columns).build()
    });
    let groups = groups.collect::<Result<_, _>>()?;
    Ok(builder.set_row_groups(groups).build())
}

/// The places of the dictionary and of the data of a chunk, if they are not as it says.
fn true_places(column: &ColumnChunkMetaData) -> Option<(Option<i64>, i64)> {
    let (dictionary, data) = (column.dictionary_page_offset()?, column.data_page_offset());
    match (dictionary, data) {
        (0..MAGIC, _) => Some((None, data)),
        (MAGIC.., 0..MAGIC) if column.num_values() == 0 => {
            Some((Some(dictionary), dictionary.saturating_add(column.compressed_size())))
        }
        (MAGIC.., MAGIC..) if dictionary > data => Some((None, data)),
        _ => None,
    }
}

/// A chunk, by row group and column, that is not between the start of a file and `end`, or of which a page is not in it.
pub(super) fn outside(metadata: &ParquetMetaData, end: u64) -> Option<(usize, usize)> {
    let is_outside = |group: usize, leaf: usize| {
        let column = metadata.row_group(group).column(leaf);
        let (data, size) = (column.data_page_offset(), column.compressed_size());
        let start = column.dictionary_page_offset().unwrap_or(data);
        // One without pages may be said to be at 0.
        let first = if size == 0 { 0 } else { MAGIC };
        let Some(last) = start.checked_add(size).filter(|_| start >= first && size >= 0) else { return true };
        let index = metadata.page_index().and_then(|index| index.offset_index(group, leaf));
        let is_inside = |at: i64| (start..=last).contains(&at);
        let pages = index.iter().flat_map(|index| index.page_locations()).map(|page| page.offset);
        last.unsigned_abs() > end || !std::iter::once(data).chain(pages).all(is_inside)
    };
    let groups = metadata.row_groups().iter().enumerate();
    let mut chunks = groups.flat_map(|(at, group)| (0..group.num_columns()).map(move |leaf| (at, leaf)));
    chunks.find(|&(group, leaf)| is_outside(group, leaf))
}
