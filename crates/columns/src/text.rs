//! Arrays of the strings that were written.

#![allow(unsafe_code)] // new strings are not looked at once more, which would take a tenth of the time

use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::types::StringViewType;
use arrow_array::{Array, ArrayRef, GenericByteViewArray, GenericStringArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};

/// Bytes of a buffer of views, at most: their offsets are 31 bits.
const MOST: usize = i32::MAX as usize;

/// Strings one after the other, of which each is ASCII that a format wrote, or was a string of a column of strings.
pub(crate) struct Text<O: OffsetSizeTrait> {
    /// Where each begins, and where the last one ends.
    pub(crate) offsets: Vec<O>,
    pub(crate) bytes: Buffer,
    pub(crate) nulls: Option<NullBuffer>,
}

impl<O: OffsetSizeTrait> Text<O> {
    /// As an array of strings.
    pub(crate) fn into_array(self) -> ArrayRef {
        let offsets = OffsetBuffer::new(ScalarBuffer::from(self.offsets));
        debug_assert!(str::from_utf8(&self.bytes).is_ok());
        debug_assert!(offsets.last().as_usize() <= self.bytes.len());
        // SAFETY: `OffsetBuffer::new` has seen that offsets ascend from 0, and the last one is the length of the text. Each string is
        // UTF-8 by itself, as the type promises, so no offset stands within a character. There are as many nulls as rows, from which
        // the offsets were made.
        let array = unsafe { GenericStringArray::new_unchecked(offsets, self.bytes, self.nulls) };
        Arc::new(array)
    }

    /// As an array of views of strings.
    pub(crate) fn into_views(self) -> ArrayRef {
        let ends = self.offsets.windows(2).map(|pair| (pair[0].as_usize(), pair[1].as_usize()));
        let (mut views, mut buffers, mut first) = (Vec::with_capacity(self.offsets.len()), Vec::new(), 0);
        let mut last = 0;
        for (start, end) in ends {
            if end - first > MOST {
                buffers.push(self.bytes.slice_with_length(first, start - first));
                first = start;
            }
            let (buffer, offset) = (buffers.len() as u32, (start - first) as u32);
            views.push(make_view(&self.bytes[start..end], buffer, offset));
            last = end;
        }
        if last > first {
            buffers.push(self.bytes.slice_with_length(first, last - first));
        }
        debug_assert!(str::from_utf8(&self.bytes).is_ok());
        // SAFETY: every view was made of the bytes at its place in a buffer, which has less than 2 GiB; or it holds its string itself.
        // Each string is UTF-8, as the type promises. There are as many nulls as rows.
        let array = unsafe {
            GenericByteViewArray::<StringViewType>::new_unchecked(ScalarBuffer::from(views), buffers.into(), self.nulls)
        };
        debug_assert!(array.to_data().validate_full().is_ok());
        Arc::new(array)
    }
}
