//! Finds how many numbers a sequence of deltas has, and where it ends.

use parquet::basic::Encoding;
use parquet::column::page::Page;
use parquet::schema::types::ColumnDescriptor;

/// Returns the bytes of a data page after its levels. `None` if it has fewer.
pub(super) fn values_of<'p>(page: &'p Page, column: &ColumnDescriptor) -> Option<&'p [u8]> {
    match page {
        Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
            buf.get((*def_levels_byte_len as usize).checked_add(*rep_levels_byte_len as usize)?..)
        }
        Page::DataPage { buf, num_values, def_level_encoding, rep_level_encoding, .. } => {
            let levels = [(column.max_rep_level(), rep_level_encoding), (column.max_def_level(), def_level_encoding)];
            levels.into_iter().filter(|(max, _)| *max > 0).try_fold(&buf[..], |rest, (max, encoding)| match encoding {
                Encoding::RLE => {
                    let length = u32::from_le_bytes(*rest.first_chunk()?);
                    rest.get(usize::try_from(length).ok()?.checked_add(4)?..)
                }
                _ => {
                    let bits = u64::from(i16::BITS - max.leading_zeros());
                    rest.get((u64::from(*num_values) * bits).div_ceil(8) as usize..)
                }
            })
        }
        Page::DictionaryPage { .. } => None,
    }
}

/// Skips a sequence of at most `most` numbers. Returns what follows it; `None` if there are more numbers than that, or
/// it breaks off.
pub(super) fn skip(bytes: &[u8], most: u64) -> Option<&[u8]> {
    let mut rest = bytes;
    let [of_block, blocks, numbers, _] =
        [varint(&mut rest)?, varint(&mut rest)?, varint(&mut rest)?, varint(&mut rest)?];
    if blocks == 0 || of_block == 0 || numbers > most {
        return None;
    }
    let of_part = of_block / blocks;
    if of_part == 0 {
        return None;
    }
    // The first number is in the header.
    let mut left = numbers.saturating_sub(1);
    while left > 0 {
        varint(&mut rest)?;
        let (widths, parts) = rest.split_at_checked(usize::try_from(blocks).ok()?)?;
        rest = parts;
        for &width in widths {
            if left == 0 {
                break;
            }
            // The last part may lack what no number needs.
            let bytes = of_part.checked_mul(width.into())?.div_ceil(8);
            rest = match usize::try_from(bytes).ok().and_then(|bytes| rest.get(bytes..)) {
                Some(rest) => rest,
                None if left <= of_part => &[],
                None => return None,
            };
            left = left.saturating_sub(of_part);
        }
    }
    Some(rest)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
