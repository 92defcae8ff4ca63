//! Makes new arrays: strings, with the types of the old ones, and other values.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, Int64Array, LargeBinaryArray, LargeStringArray, StringArray,
    StringViewArray,
};
use arrow_schema::DataType;

use crate::columnar::values::ValueType;
use crate::engine::ColumnContent;
use crate::error::Error;
use crate::framing::Value;

/// The values of a new column, one after the other.
pub(super) enum NewArray {
    Strings(NewStrings),
    Numbers(Vec<Option<i64>>),
    Truths(Vec<Option<bool>>),
}

impl NewArray {
    /// An empty column for this content.
    pub(super) fn new(what: ColumnContent) -> Self {
        match ValueType::of(what) {
            ValueType::Text => Self::Strings(NewStrings::default()),
            ValueType::Number => Self::Numbers(Vec::new()),
            ValueType::Truth => Self::Truths(Vec::new()),
        }
    }

    pub(super) fn push(&mut self, value: Value<'_>) {
        match self {
            Self::Strings(strings) => {
                strings.push(if let Value::Text(text) | Value::Words(text) = value { Some(text) } else { None });
            }
            Self::Numbers(all) => all.push(if let Value::Number(number) = value { Some(number.into()) } else { None }),
            Self::Truths(all) => all.push(if let Value::Truth(truth) = value { Some(truth) } else { None }),
        }
    }

    /// Makes an array. Strings get the type `of`.
    pub(super) fn finish(self, of: &DataType) -> Result<ArrayRef, Error> {
        Ok(match self {
            Self::Strings(strings) => strings.finish(of)?,
            Self::Numbers(all) => Arc::new(Int64Array::from(all)),
            Self::Truths(all) => Arc::new(BooleanArray::from(all)),
        })
    }
}

/// New strings, one after the other.
#[derive(Default)]
pub(super) struct NewStrings {
    text: Vec<u8>,
    /// The end of each string; `None` for a null.
    ends: Vec<Option<usize>>,
}

impl NewStrings {
    fn push(&mut self, string: Option<&[u8]>) {
        self.text.extend_from_slice(string.unwrap_or_default());
        self.ends.push(string.map(|_| self.text.len()));
    }

    /// Makes an array.
    fn finish(&self, of: &DataType) -> Result<ArrayRef, Error> {
        let is_small = matches!(of, DataType::Utf8 | DataType::Binary);
        if is_small && i32::try_from(self.text.len()).is_err() {
            let words =
                format!("the new strings of a batch have more than 2 GiB, which {of} cannot hold; use large_string");
            return Err(Error::Usage(words));
        }
        let not_text = |error: std::str::Utf8Error| Error::Internal(format!("a new string is not UTF-8: {error}"));
        let texts = || {
            let texts = self.values().map(|value| value.map(str::from_utf8).transpose());
            texts.collect::<Result<Vec<_>, _>>().map_err(not_text)
        };
        Ok(match of {
            DataType::Utf8 => Arc::new(StringArray::from(texts()?)),
            DataType::LargeUtf8 => Arc::new(LargeStringArray::from(texts()?)),
            DataType::Utf8View => Arc::new(StringViewArray::from(texts()?)),
            DataType::Binary => Arc::new(BinaryArray::from_iter(self.values())),
            DataType::LargeBinary => Arc::new(LargeBinaryArray::from_iter(self.values())),
            DataType::BinaryView => Arc::new(BinaryViewArray::from_iter(self.values())),
            other => return Err(Error::Internal(format!("strings of type {other}"))),
        })
    }

    fn values(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.ends.iter().scan(0, |start, end| {
            Some(end.map(|end| {
                let value = &self.text[*start..end];
                *start = end;
                value
            }))
        })
    }
}
