//! Makes arrays of the strings that were written.

#![expect(unsafe_code)] // new strings are not validated as UTF-8 again, which would take a tenth of the time

use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::StringViewType;
use arrow_array::{Array, ArrayRef, GenericByteViewArray, GenericStringArray, OffsetSizeTrait};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::{ByteView, MAX_INLINE_VIEW_LEN};

/// The entry of an array for each string: the offset where it ends, or a view.
pub(crate) trait Entry: Copy + Default + Send {
    /// The number of bytes in a text, or in one of its buffers, that entries can address.
    const MAX_BYTES: usize;

    /// The entry of a string that begins at this byte.
    fn of(start: usize, string: &[u8]) -> Self;

    /// The entry of a row without a string. The string before it ends at this byte.
    fn empty(end: usize) -> Self;

    /// The entry of the same string in the part `part`, moved by `by` bytes, with wrapping.
    fn moved(self, part: usize, by: usize) -> Self;

    /// Returns the strings as arrays: one, or as many as the text has parts if entries are offsets.
    fn arrays(text: PackedStrings<Self>) -> Vec<ArrayRef>;
}

/// Strings, one after the other. Each is ASCII that a format has written, or a string of a column of strings.
pub(crate) struct PackedStrings<M: Entry> {
    /// The entries of the strings, after one empty entry.
    pub(crate) entries: Vec<M>,
    pub(crate) bytes: Buffer,
    pub(crate) nulls: Option<NullBuffer>,
    pub(crate) parts: Vec<Part>,
}

/// A part of a text that has no more bytes than entries can address. Offsets start again in each part.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) rows: Range<usize>,
    pub(crate) bytes: Range<usize>,
}

macro_rules! ends {
    ($offset:ty) => {
        impl Entry for $offset {
            const MAX_BYTES: usize = <$offset>::MAX_OFFSET;

            #[inline(always)]
            fn of(start: usize, string: &[u8]) -> Self {
                Self::usize_as(start + string.len())
            }

            #[inline(always)]
            fn empty(end: usize) -> Self {
                Self::usize_as(end)
            }

            #[inline(always)]
            fn moved(self, _: usize, by: usize) -> Self {
                Self::usize_as(self.as_usize().wrapping_add(by))
            }

            fn arrays(text: PackedStrings<Self>) -> Vec<ArrayRef> {
                let PackedStrings { entries, bytes, nulls, parts } = text;
                if let [_] = parts[..] {
                    return vec![strings(entries, bytes, nulls)];
                }
                let part = |Part { rows, bytes: own }: Part| {
                    let mut offsets = vec![0];
                    offsets.extend_from_slice(&entries[1 + rows.start..=rows.end]);
                    let nulls = nulls.as_ref().map(|nulls| nulls.slice(rows.start, rows.len()));
                    strings(offsets, bytes.slice_with_length(own.start, own.len()), nulls)
                };
                parts.into_iter().map(part).collect()
            }
        }
    };
}

ends!(i32);
ends!(i64);

/// Makes an array of strings with these offsets.
fn strings<O: OffsetSizeTrait>(offsets: Vec<O>, bytes: Buffer, nulls: Option<NullBuffer>) -> ArrayRef {
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    debug_assert!(str::from_utf8(&bytes).is_ok());
    debug_assert!(offsets.last().as_usize() <= bytes.len());
    // SAFETY: `OffsetBuffer::new` has checked that offsets ascend from 0, and the last one is the length of the text.
    // Each string is UTF-8 by itself, as the type requires, so no offset is inside a character. There are as many nulls
    // as rows, and each row has an offset.
    let array = unsafe { GenericStringArray::new_unchecked(offsets, bytes, nulls) };
    Arc::new(array)
}

/// Entries that are views. Each part of the text is one buffer.
impl Entry for u128 {
    const MAX_BYTES: usize = i32::MAX as usize;

    #[inline(always)]
    fn of(start: usize, string: &[u8]) -> Self {
        // The index of the buffer is known when all strings are in their final places.
        let length = string.len() as u32;
        if length > MAX_INLINE_VIEW_LEN {
            let prefix = [string[0], string[1], string[2], string[3]];
            let prefix = u32::from_le_bytes(prefix);
            return ByteView { length, prefix, buffer_index: 0, offset: start as u32 }.as_u128();
        }
        let mut view = [0; size_of::<u128>()];
        view[..4].copy_from_slice(&length.to_le_bytes());
        view[4..4 + string.len()].copy_from_slice(string);
        Self::from_le_bytes(view)
    }

    #[inline(always)]
    fn empty(_: usize) -> Self {
        0
    }

    #[inline(always)]
    fn moved(self, part: usize, by: usize) -> Self {
        let view = ByteView::from(self);
        if view.length <= MAX_INLINE_VIEW_LEN {
            return self;
        }
        ByteView { buffer_index: part as u32, offset: view.offset.wrapping_add(by as u32), ..view }.as_u128()
    }

    fn arrays(text: PackedStrings<Self>) -> Vec<ArrayRef> {
        let PackedStrings { entries, bytes, nulls, parts } = text;
        let rows = entries.len() - 1;
        let views = ScalarBuffer::from(entries).slice(1, rows);
        let buffers = parts.into_iter().map(|part| bytes.slice_with_length(part.bytes.start, part.bytes.len()));
        let buffers = buffers.filter(|buffer| !buffer.is_empty()).collect();
        debug_assert!(str::from_utf8(&bytes).is_ok());
        // SAFETY: every view was made from the bytes at its place in a buffer, which has less than 2 GiB, and was moved
        // with them; or it contains its string. Only the last part may have no bytes, so buffer indices stay right
        // without it. Each string is UTF-8, as the type requires. There are as many nulls as rows.
        let array = unsafe { GenericByteViewArray::<StringViewType>::new_unchecked(views, buffers, nulls) };
        debug_assert!(array.to_data().validate_full().is_ok());
        vec![Arc::new(array)]
    }
}
