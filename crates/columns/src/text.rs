//! Arrays of the strings that were written.

#![allow(unsafe_code)] // new strings are not looked at once more, which would take a tenth of the time

use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::StringViewType;
use arrow_array::{Array, ArrayRef, GenericByteViewArray, GenericStringArray, OffsetSizeTrait};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::{ByteView, MAX_INLINE_VIEW_LEN};

/// What an array has for each string: the byte where it ends, or a view of it.
pub(crate) trait Mark: Copy + Default + Send {
    /// Bytes of a text, or of a buffer of one, that marks reach.
    const MOST: usize;

    /// That of a string, which begins at this byte.
    fn of(start: usize, string: &[u8]) -> Self;

    /// That of a row without a string, where the one before it ends at this byte.
    fn of_nothing(end: usize) -> Self;

    /// That of the same string in the part `part`, where it stands by `by` bytes further on, which may be wrapped.
    fn moved(self, part: usize, by: usize) -> Self;

    /// The strings as arrays: one, or as many as the text has parts.
    fn arrays(text: Text<Self>) -> Vec<ArrayRef>;
}

/// Strings one after the other, of which each is ASCII that a format wrote, or was a string of a column of strings.
pub(crate) struct Text<M: Mark> {
    /// For each string its mark, after one of nothing.
    pub(crate) marks: Vec<M>,
    pub(crate) bytes: Buffer,
    pub(crate) nulls: Option<NullBuffer>,
    pub(crate) parts: Vec<Part>,
}

/// A part of a text with no more bytes than marks reach. Where it begins they begin anew.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) rows: Range<usize>,
    pub(crate) bytes: Range<usize>,
}

macro_rules! ends {
    ($offset:ty) => {
        impl Mark for $offset {
            const MOST: usize = <$offset>::MAX_OFFSET;

            #[inline(always)]
            fn of(start: usize, string: &[u8]) -> Self {
                Self::usize_as(start + string.len())
            }

            #[inline(always)]
            fn of_nothing(end: usize) -> Self {
                Self::usize_as(end)
            }

            #[inline(always)]
            fn moved(self, _: usize, by: usize) -> Self {
                Self::usize_as(self.as_usize().wrapping_add(by))
            }

            fn arrays(text: Text<Self>) -> Vec<ArrayRef> {
                let Text { marks, bytes, nulls, parts } = text;
                if let [_] = parts[..] {
                    return vec![strings(marks, bytes, nulls)];
                }
                let part = |Part { rows, bytes: own }: Part| {
                    let mut offsets = vec![0];
                    offsets.extend_from_slice(&marks[1 + rows.start..=rows.end]);
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

/// An array of strings, by their offsets.
fn strings<O: OffsetSizeTrait>(offsets: Vec<O>, bytes: Buffer, nulls: Option<NullBuffer>) -> ArrayRef {
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    debug_assert!(str::from_utf8(&bytes).is_ok());
    debug_assert!(offsets.last().as_usize() <= bytes.len());
    // SAFETY: `OffsetBuffer::new` has seen that offsets ascend from 0, and the last one is the length of the text. Each string is
    // UTF-8 by itself, as the type promises, so no offset stands within a character. There are as many nulls as rows, of which
    // each has an offset.
    let array = unsafe { GenericStringArray::new_unchecked(offsets, bytes, nulls) };
    Arc::new(array)
}

/// Views of strings, in a buffer for each part.
impl Mark for u128 {
    const MOST: usize = i32::MAX as usize;

    #[inline(always)]
    fn of(start: usize, string: &[u8]) -> Self {
        // Which buffer it is shows when all strings have their places.
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
    fn of_nothing(_: usize) -> Self {
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

    fn arrays(text: Text<Self>) -> Vec<ArrayRef> {
        let Text { marks, bytes, nulls, parts } = text;
        let rows = marks.len() - 1;
        let views = ScalarBuffer::from(marks).slice(1, rows);
        let buffers = parts.into_iter().map(|part| bytes.slice_with_length(part.bytes.start, part.bytes.len()));
        let buffers = buffers.filter(|buffer| !buffer.is_empty()).collect();
        debug_assert!(str::from_utf8(&bytes).is_ok());
        // SAFETY: every view was made of the bytes at its place in a buffer, which has less than 2 GiB, and moved with them; or it holds
        // its string itself. Only the last part may be without bytes. Each string is UTF-8, as the type promises. There are as many nulls
        // as rows.
        let array = unsafe { GenericByteViewArray::<StringViewType>::new_unchecked(views, buffers, nulls) };
        debug_assert!(array.to_data().validate_full().is_ok());
        vec![Arc::new(array)]
    }
}
