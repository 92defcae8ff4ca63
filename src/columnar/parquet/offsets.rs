//! Checks and corrects the offsets of column chunks that a file states, before anything is read there.

use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

/// The number of bytes at the start of a file that belong to no chunk.
const MAGIC: i64 = 4;

/// Returns the metadata with offsets as most writers state them. If the offset of a dictionary is 0 or not before that
/// of the data, there is no dictionary; other readers use the offset of the data. If the offset of the data is 0, there
/// is no data after the dictionary.
pub(super) fn with_corrected_offsets(metadata: ParquetMetaData) -> Result<ParquetMetaData, ParquetError> {
    if !metadata.row_groups().iter().flat_map(|group| group.columns()).any(|column| corrected_offsets(column).is_some())
    {
        return Ok(metadata);
    }
    let corrected = |column: &ColumnChunkMetaData| match corrected_offsets(column) {
        Some((dictionary, data)) => {
            let builder = column.clone().into_builder();
            builder.set_dictionary_page_offset(dictionary).set_data_page_offset(data).build()
        }
        None => Ok(column.clone()),
    };
    let mut builder = metadata.into_builder();
    let groups = builder.take_row_groups().into_iter().map(|group| {
        let columns = group.columns().iter().map(corrected).collect::<Result<_, _>>()?;
        group.into_builder().set_column_metadata(columns).build()
    });
    let groups = groups.collect::<Result<_, _>>()?;
    Ok(builder.set_row_groups(groups).build())
}

/// Returns the correct offsets of the dictionary and the data of a chunk, if the stated ones are wrong.
fn corrected_offsets(column: &ColumnChunkMetaData) -> Option<(Option<i64>, i64)> {
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

/// Finds a chunk that is not between the start of the file and `end`, or that has a page outside it. Returns its row
/// group and column.
pub(super) fn find_outside(metadata: &ParquetMetaData, end: u64) -> Option<(usize, usize)> {
    let is_outside = |group: usize, leaf: usize| {
        let column = metadata.row_group(group).column(leaf);
        let (data, size) = (column.data_page_offset(), column.compressed_size());
        let start = column.dictionary_page_offset().unwrap_or(data);
        // The offset of a chunk without pages may be stated as 0.
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
