//! Reads what a file says about itself. The decoder reserves memory for it, so what cannot be true is refused before.

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::FOOTER_SIZE;
use parquet::file::metadata::{
    FooterTail, PageIndexPolicy, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader,
};
use parquet::file::reader::{ChunkReader, Length};

use super::kinds::{COLUMN_INDEX, FILE, OFFSET_INDEX, StructFields};
use super::offsets;
use super::shared_file::SharedFile;
use super::thrift::{Element, walk};
use crate::columnar::damage;

/// Groups of columns within each other. The decoder calls itself for each.
const MAX_DEPTH: usize = 100;

/// The field with the schema, and in its elements that with the number of their children.
const SCHEMA: i16 = 2;
const CHILDREN: i16 = 5;

/// The error for what is not as the file says.
pub(super) fn damaged() -> ParquetError {
    ParquetError::General("it is damaged; its parts are not as it says".into())
}

/// Calls `read`, in which a panic is an error.
pub(super) fn catch<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    damage::catch(read).unwrap_or_else(|| Err(damaged()))
}

/// Reads the metadata of a file, with the index of its pages. Returns it with its encoding.
pub(super) fn read(file: &SharedFile) -> Result<(ParquetMetaData, Bytes), ParquetError> {
    let encoded = check_metadata(file)?;
    let metadata = catch(|| {
        // Page statistics are needed in full: a mask of encodings shows neither the page version nor which pages use an
        // encoding.
        let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
        let metadata = ParquetMetaDataReader::new()
            .with_page_index_policy(PageIndexPolicy::Skip)
            .with_metadata_options(Some(options))
            .parse_and_finish(file)?;
        check_sizes(&metadata)?;
        check_page_index(file, &metadata)?;
        let mut reader =
            ParquetMetaDataReader::new_with_metadata(metadata).with_page_index_policy(PageIndexPolicy::Optional);
        reader.read_page_indexes(file)?;
        reader.finish().and_then(offsets::with_corrected_offsets)
    });
    Ok((metadata?, encoded))
}

/// Checks the metadata at the end of the file, unless it is encrypted, and returns it.
fn check_metadata(file: &SharedFile) -> Result<Bytes, ParquetError> {
    let at = file.len().saturating_sub(FOOTER_SIZE as u64);
    let tail = FooterTail::try_from(&file.get_bytes(at, FOOTER_SIZE)?[..])?;
    if tail.is_encrypted_footer() {
        return Ok(Bytes::new());
    }
    let length = tail.metadata_length();
    let start = at.checked_sub(length as u64).ok_or_else(damaged)?;
    let mut children = Vec::new();
    let encoded = file.get_bytes(start, length)?;
    let walked = walk(&encoded, FILE, |path, seen| match (path, seen) {
        ([SCHEMA], Element::Struct) => children.push(0),
        ([SCHEMA, CHILDREN], Element::Number(number)) => {
            children.iter_mut().last().into_iter().for_each(|of| *of = number)
        }
        _ => {}
    });
    match walked {
        Ok(length) if is_tree(&children) => Ok(encoded.slice(..length)),
        _ => Err(damaged()),
    }
}

/// Whether elements with so many children each can be a schema.
fn is_tree(children: &[i64]) -> bool {
    // How many children are still to come, of each element around the next one.
    let mut around: Vec<i64> = Vec::new();
    for (&of_this, left) in children.iter().zip((0..children.len()).rev()) {
        if let Some(of_parent) = around.last_mut() {
            *of_parent -= 1;
        }
        // The decoder takes the lower 32 bits of a number, which can be large in a negative one.
        if !(0..=left as i64).contains(&of_this) || around.len() > MAX_DEPTH {
            return false;
        }
        if of_this > 0 {
            around.push(of_this);
        }
        while around.last() == Some(&0) {
            around.pop();
        }
    }
    true
}

/// Checks the sizes of chunks without compression, which are added up.
fn check_sizes(metadata: &ParquetMetaData) -> Result<(), ParquetError> {
    let sizes = metadata.row_groups().iter().flat_map(|group| group.columns()).map(|column| column.uncompressed_size());
    let sum = sizes.filter(|&size| size != 0).try_fold(0_i64, |sum, size| sum.checked_add(size).filter(|_| size > 0));
    sum.map(drop).ok_or_else(damaged)
}

/// Checks the index of pages.
fn check_page_index(file: &SharedFile, metadata: &ParquetMetaData) -> Result<(), ParquetError> {
    let columns = metadata.row_groups().iter().flat_map(|group| group.columns());
    // Files with such columns are refused in other words.
    let columns = columns.filter(|column| column.crypto_metadata().is_none() && column.file_path().is_none());
    let mut indexes: Vec<_> = columns
        .flat_map(|column| [(column.column_index_range(), COLUMN_INDEX), (column.offset_index_range(), OFFSET_INDEX)])
        .filter_map(|(range, fields)| Some((range?, fields)))
        .collect();
    indexes.retain(|(range, _)| !range.is_empty());
    let (Some(start), Some(end)) =
        (indexes.iter().map(|(range, _)| range.start).min(), indexes.iter().map(|(range, _)| range.end).max())
    else {
        return Ok(());
    };
    // The decoder reads it at once, too.
    let all = file.get_bytes(start, usize::try_from(end - start).map_err(|_| damaged())?)?;
    let is_good = |(range, fields): &(std::ops::Range<u64>, StructFields)| {
        walk(&all[(range.start - start) as usize..(range.end - start) as usize], fields, |_, _| {}).is_ok()
    };
    if indexes.iter().all(is_good) { Ok(()) } else { Err(damaged()) }
}

#[cfg(test)]
mod tests {
    use super::is_tree;

    #[test]
    fn a_schema_is_a_tree_that_is_not_too_deep() {
        assert!(is_tree(&[2, 0, 0]) && is_tree(&[2, 1, 0, 0]) && is_tree(&[]) && is_tree(&[0]));
        assert!(!is_tree(&[3, 0, 0]) && !is_tree(&[1, i64::MAX, 0]));
        assert!(!is_tree(&[1, -1, 0]) && !is_tree(&[1, i64::from(i32::MIN) - 1, 0]));
        let chain = |depth| [vec![1; depth], vec![0]].concat();
        assert!(is_tree(&chain(100)) && !is_tree(&chain(102)));
    }
}
