//! Finds the strings in the buffers of an array.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{BinaryViewType, GenericBinaryType, GenericStringType, StringViewType};
use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_array::{Array, ArrayRef, OffsetSizeTrait};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_data::MAX_INLINE_VIEW_LEN;
use arrow_schema::DataType;

use crate::error::CallError;

/// The strings of an array of any type of strings.
#[derive(Debug)]
pub struct Strings<'a> {
    storage: Storage<'a>,
    nulls: Option<NullBuffer>,
    len: usize,
}

/// How the strings are stored.
#[derive(Debug)]
enum Storage<'a> {
    Small {
        bytes: &'a [u8],
        offsets: &'a [i32],
    },
    Large {
        bytes: &'a [u8],
        offsets: &'a [i64],
    },
    /// Short strings are in the views themselves, whose bytes are `inline`; the others are in buffers.
    Views {
        views: &'a [u128],
        inline: &'a [u8],
        buffers: &'a [Buffer],
    },
    Keys {
        keys: Vec<usize>,
        values: Box<Strings<'a>>,
    },
}

/// A range of bytes in a buffer of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ByteSpan {
    /// The number of the buffer, from 0.
    pub(crate) buffer: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl<'a> Strings<'a> {
    /// Finds the strings of an array.
    ///
    /// # Errors
    /// [`CallError::Type`].
    pub fn of(array: &'a dyn Array) -> Result<Self, CallError> {
        let storage = match array.data_type() {
            DataType::Utf8 => small::<GenericStringType<i32>>(array),
            DataType::Binary => small::<GenericBinaryType<i32>>(array),
            DataType::LargeUtf8 => large::<GenericStringType<i64>>(array),
            DataType::LargeBinary => large::<GenericBinaryType<i64>>(array),
            DataType::Utf8View => views::<StringViewType>(array),
            DataType::BinaryView => views::<BinaryViewType>(array),
            DataType::Dictionary(_, values) if !matches!(**values, DataType::Dictionary(..)) => {
                let dictionary = array.as_any_dictionary();
                let values = Self::of(dictionary.values().as_ref())
                    .map_err(|_| CallError::Type(array.data_type().to_string()))?;
                // If there are no values, all keys are null, and there is nothing to look up.
                let keys = if values.is_empty() { vec![0; array.len()] } else { dictionary.normalized_keys() };
                Storage::Keys { keys, values: Box::new(values) }
            }
            other => return Err(CallError::Type(other.to_string())),
        };
        Ok(Self { storage, nulls: array.nulls().filter(|nulls| nulls.null_count() > 0).cloned(), len: array.len() })
    }

    /// Finds the strings of chunks, which must have the same type.
    pub(crate) fn of_all(chunks: &'a [ArrayRef]) -> Result<Vec<Self>, CallError> {
        let same = |chunk: &&ArrayRef| chunk.data_type() != chunks[0].data_type();
        if let Some(other) = chunks.iter().find(same) {
            let words = format!("{}, after chunks of {}", other.data_type(), chunks[0].data_type());
            return Err(CallError::Type(words));
        }
        chunks.iter().map(|chunk| Self::of(chunk.as_ref())).collect()
    }

    /// Returns the number of rows, including nulls.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns which rows are null.
    pub(crate) fn nulls(&self) -> Option<&NullBuffer> {
        self.nulls.as_ref()
    }

    /// Returns where the string of a row is, or `None` if it is null.
    #[inline]
    pub(crate) fn span(&self, row: usize) -> Option<ByteSpan> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        Some(match &self.storage {
            Storage::Small { offsets, .. } => {
                ByteSpan { buffer: 0, start: offsets[row] as usize, end: offsets[row + 1] as usize }
            }
            Storage::Large { offsets, .. } => {
                ByteSpan { buffer: 0, start: offsets[row] as usize, end: offsets[row + 1] as usize }
            }
            Storage::Views { views, .. } => view(views[row], row),
            Storage::Keys { keys, values } => return values.span(keys[row]),
        })
    }

    /// Counts the rows with a string that is not empty.
    pub(crate) fn count(&self, rows: Range<usize>) -> usize {
        match (&self.storage, &self.nulls) {
            (Storage::Small { offsets, .. }, None) => count(&offsets[rows.start..=rows.end]),
            (Storage::Large { offsets, .. }, None) => count(&offsets[rows.start..=rows.end]),
            (Storage::Views { views, .. }, None) => views[rows].iter().filter(|view| **view as u32 > 0).count(),
            _ => rows.filter(|&row| self.span(row).is_some_and(|span| span.start < span.end)).count(),
        }
    }

    /// Adds the start and end of the strings in these rows, cut to at most `max` bytes each, if this is possible for
    /// all rows at once: each row must have a string that is not empty, and all must be in one buffer of less than 4
    /// GiB. Returns the number of the buffer, or `None` if nothing was added.
    pub(crate) fn locate_all(
        &self,
        rows: Range<usize>,
        max: u32,
        starts: &mut Vec<u32>,
        ends: &mut Vec<u32>,
    ) -> Option<usize> {
        if self.count(rows.clone()) != rows.len() {
            return None;
        }
        let buffer = match &self.storage {
            Storage::Views { views, .. } => of_one_buffer(&views[rows.clone()])? + 1,
            _ => 0,
        };
        u32::try_from(self.buffer(buffer).len()).ok()?;
        match &self.storage {
            Storage::Small { offsets, .. } => locate(&offsets[rows.start..=rows.end], max, starts, ends),
            Storage::Large { offsets, .. } => locate(&offsets[rows.start..=rows.end], max, starts, ends),
            Storage::Views { views, .. } => {
                starts.extend(views[rows.clone()].iter().map(|view| (view >> 96) as u32));
                let end = |view: &u128| ((view >> 96) as u32).saturating_add((*view as u32).min(max));
                ends.extend(views[rows].iter().map(end));
            }
            Storage::Keys { .. } => return None,
        }
        Some(buffer)
    }

    /// Returns the number of a row's value in its dictionary, or `None` if it is null.
    pub fn key(&self, row: usize) -> Option<usize> {
        self.span(row)?;
        match &self.storage {
            Storage::Keys { keys, .. } => Some(keys[row]),
            _ => Some(row),
        }
    }

    /// Returns the bytes of a buffer.
    pub(crate) fn buffer(&self, buffer: usize) -> &[u8] {
        match &self.storage {
            Storage::Small { bytes, .. } | Storage::Large { bytes, .. } => bytes,
            Storage::Views { inline, buffers, .. } => match buffer.checked_sub(1) {
                None => inline,
                Some(buffer) => &buffers[buffer],
            },
            Storage::Keys { values, .. } => values.buffer(buffer),
        }
    }

    /// Returns the string of a row, or `None` if it is null.
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        let ByteSpan { buffer, start, end } = self.span(row)?;
        Some(&self.buffer(buffer)[start..end])
    }
}

fn small<'a, T: ByteArrayType<Offset = i32>>(array: &'a dyn Array) -> Storage<'a> {
    let (bytes, offsets) = parts::<i32, T>(array);
    Storage::Small { bytes, offsets }
}

fn large<'a, T: ByteArrayType<Offset = i64>>(array: &'a dyn Array) -> Storage<'a> {
    let (bytes, offsets) = parts::<i64, T>(array);
    Storage::Large { bytes, offsets }
}

fn parts<O: OffsetSizeTrait, T: ByteArrayType<Offset = O>>(array: &dyn Array) -> (&[u8], &[O]) {
    let array = array.as_bytes::<T>();
    (array.value_data(), array.value_offsets())
}

fn views<'a, T: ByteViewType>(array: &'a dyn Array) -> Storage<'a> {
    let array = array.as_byte_view::<T>();
    let views = array.views();
    Storage::Views { views, inline: views.inner(), buffers: array.data_buffers() }
}

/// Counts the strings between offsets that are not empty.
fn count<O: OffsetSizeTrait>(offsets: &[O]) -> usize {
    offsets.iter().zip(&offsets[1..]).filter(|(start, end)| start < end).count()
}

/// Adds the start and end of strings with these offsets, which fit into 32 bits.
fn locate<O: OffsetSizeTrait>(offsets: &[O], max: u32, starts: &mut Vec<u32>, ends: &mut Vec<u32>) {
    let small = |offset: &O| offset.as_usize() as u32;
    starts.extend(offsets[..offsets.len() - 1].iter().map(small));
    let pairs = offsets.iter().zip(&offsets[1..]);
    ends.extend(pairs.map(|(start, end)| small(end).min(small(start).saturating_add(max))));
}

/// Returns the buffer that contains all these strings, if it is a single one.
fn of_one_buffer(views: &[u128]) -> Option<usize> {
    let buffer = |view: &u128| (view >> 64) as u32;
    let first = buffer(views.first()?);
    let is_there = |view: &u128| *view as u32 > MAX_INLINE_VIEW_LEN && buffer(view) == first;
    views.iter().all(is_there).then_some(first as usize)
}

/// Returns where the string of a view is. A short string is in the view itself, after its length.
#[inline]
fn view(view: u128, row: usize) -> ByteSpan {
    let length = view as u32;
    if length <= MAX_INLINE_VIEW_LEN {
        let start = row * size_of::<u128>() + size_of::<u32>();
        return ByteSpan { buffer: 0, start, end: start + length as usize };
    }
    let (buffer, start) = ((view >> 64) as u32 as usize, (view >> 96) as usize);
    ByteSpan { buffer: buffer + 1, start, end: start + length as usize }
}
