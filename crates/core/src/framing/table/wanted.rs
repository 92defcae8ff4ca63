//! The columns of a table to read, and the texts in them that mean "no string".

/// A column that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Its number, from 0.
    pub(super) column: usize,
    pub(super) role: ColumnRole,
}

/// What a column contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnRole {
    /// Strings. The number is the index of the column among those that the user named.
    Strings(u16),
    /// The solutions of the strings in the column with this index.
    Solutions(u16),
}

impl Wanted {
    /// The index of the column among those that the user named, if it contains strings.
    pub(super) fn strings(&self) -> Option<u16> {
        match self.role {
            ColumnRole::Strings(column) => Some(column),
            ColumnRole::Solutions(_) => None,
        }
    }
}

/// The text that the user gave for "no string" (`--null`). An empty field and the texts that databases write, `\N` and
/// `NULL`, always mean this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Null {
    bytes: [u8; Self::MOST],
    length: usize,
}

impl Null {
    /// The maximal length of the text in bytes.
    pub(super) const MOST: usize = 32;

    pub(super) fn new(text: &[u8]) -> Option<Self> {
        let mut bytes = [0; Self::MOST];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(Self { bytes, length: text.len() })
    }

    /// The length of the text in bytes; 0 if the user gave none.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Whether a field contains no string.
    pub(super) fn matches(&self, field: &[u8], quoted: bool) -> bool {
        let usual = field.is_empty() || !quoted && (field == b"\\N" || field == b"NULL");
        usual || self.length > 0 && *field == self.bytes[..self.length]
    }
}
