//! The types of values in appended columns.

use arrow_schema::{DataType, Field};

use crate::engine::{Added, ColumnContent, NewColumn};

/// The type of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueType {
    /// Strings.
    Text,
    /// 64-bit integers, which all programs that read such files can read.
    Number,
    /// Booleans.
    Truth,
}

impl ValueType {
    /// The type of this content.
    pub(super) fn of(what: ColumnContent) -> Self {
        match what {
            ColumnContent::Added(Added::Clues | Added::Solutions | Added::Nodes | Added::Grade | Added::Count) => {
                Self::Number
            }
            ColumnContent::Added(Added::Symmetric) => Self::Truth,
            ColumnContent::String
            | ColumnContent::Added(
                Added::Kind
                | Added::Format
                | Added::Solution
                | Added::Title
                | Added::Author
                | Added::GradeName
                | Added::Key
                | Added::Map
                | Added::Automorphisms,
            ) => Self::Text,
        }
    }
}

impl NewColumn {
    /// The field for an Arrow schema. New strings have the type `of_strings`.
    pub(super) fn field(&self, of_strings: &DataType) -> Field {
        let of = match ValueType::of(self.content) {
            ValueType::Text if self.content == ColumnContent::String => of_strings.clone(),
            ValueType::Text => DataType::Utf8,
            ValueType::Number => DataType::Int64,
            ValueType::Truth => DataType::Boolean,
        };
        Field::new(&self.name, of, true)
    }
}
