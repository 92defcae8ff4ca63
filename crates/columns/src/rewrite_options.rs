//! The options of a rewrite, and its result.

use arrow_array::ArrayRef;
use arrow_schema::DataType;
use gridmill_core::convert::Conversion;

use crate::error::CallError;
use crate::refused::RefusedRows;
use crate::session::Session;

/// The value of a row whose string is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BadStrings {
    /// Null.
    #[default]
    Null,
    /// The old string. In a binary column it becomes null if it is not UTF-8.
    Keep,
}

/// A column of new strings.
#[derive(Debug)]
#[non_exhaustive]
pub struct RewrittenColumn {
    /// The chunks: as many as before, or more if new strings of the type `string` have more than 2 GiB.
    pub chunks: Vec<ArrayRef>,
    /// The rows whose strings were refused.
    pub refused: RefusedRows,
}

/// What is written for each string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RewriteTo {
    /// The string in the new format. An empty string stays empty.
    Strings,
    /// The digits of its only solution, or null if there is none.
    Solutions,
}

/// The options of a rewrite.
pub(crate) struct RewriteOptions<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) plan: Conversion,
    pub(crate) bad: BadStrings,
    pub(crate) to: RewriteTo,
    /// The old strings may be invalid UTF-8.
    pub(crate) is_binary: bool,
}

/// The type of the column that [`convert()`](crate::convert()) and [`solve()`](crate::solve()) make of one of this type.
///
/// # Errors
/// [`CallError::Type`].
pub fn rewritten_type(of: &DataType) -> Result<DataType, CallError> {
    Ok(match of {
        DataType::Utf8 | DataType::Binary => DataType::Utf8,
        DataType::LargeUtf8 | DataType::LargeBinary => DataType::LargeUtf8,
        DataType::Utf8View | DataType::BinaryView => DataType::Utf8View,
        DataType::Dictionary(keys, values) if !matches!(**values, DataType::Dictionary(..)) => {
            let values = rewritten_type(values).map_err(|_| CallError::Type(of.to_string()))?;
            DataType::Dictionary(keys.clone(), Box::new(values))
        }
        other => return Err(CallError::Type(other.to_string())),
    })
}
