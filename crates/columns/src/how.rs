//! How a column is rewritten, and what that gives.

use arrow_array::ArrayRef;
use arrow_schema::DataType;
use gridmill_core::convert::Conversion;

use crate::error::Error;
use crate::refused::Refused;
use crate::session::Session;

/// What stands in the row of a string that is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bad {
    /// Nothing.
    #[default]
    Null,
    /// The string as it was; of a binary column nothing, if it is no UTF-8.
    Keep,
}

/// A column of new strings.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rewritten {
    /// The chunks, as many as there were; more, where new strings of the type `string` have more than 2 GiB.
    pub chunks: Vec<ArrayRef>,
    /// The rows whose strings are refused.
    pub refused: Refused,
}

/// What is written of each string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// The string of the new format; of nothing, nothing.
    Strings,
    /// The digits of its only solution; null where there is none.
    Solutions,
}

/// How a column is rewritten.
pub(crate) struct Rewrite<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) plan: Conversion,
    pub(crate) bad: Bad,
    pub(crate) written: Written,
    /// What comes in may be no UTF-8.
    pub(crate) is_binary: bool,
}

/// The type of the column that [`convert()`](crate::convert()) and [`solve()`](crate::solve()) make of one of this type.
///
/// # Errors
/// [`Error::Type`].
pub fn rewritten_type(of: &DataType) -> Result<DataType, Error> {
    Ok(match of {
        DataType::Utf8 | DataType::Binary => DataType::Utf8,
        DataType::LargeUtf8 | DataType::LargeBinary => DataType::LargeUtf8,
        DataType::Utf8View | DataType::BinaryView => DataType::Utf8View,
        DataType::Dictionary(keys, values) if !matches!(**values, DataType::Dictionary(..)) => {
            let values = rewritten_type(values).map_err(|_| Error::Type(of.to_string()))?;
            DataType::Dictionary(keys.clone(), Box::new(values))
        }
        other => return Err(Error::Type(other.to_string())),
    })
}
