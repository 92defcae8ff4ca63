//! Which columns of a table are read, and what in them is no string.

/// A column that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Its number, from 0.
    pub(super) column: usize,
    pub(super) role: Role,
}

/// What stands in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Strings; the column is that of this number among those that were named.
    Strings(u16),
    /// The solutions of the strings in the column of this number.
    Solutions(u16),
}

impl Wanted {
    /// The number of the column among those that were named, if strings stand in it.
    pub(super) fn strings(&self) -> Option<u16> {
        match self.role {
            Role::Strings(column) => Some(column),
            Role::Solutions(_) => None,
        }
    }
}

/// What a field holds that says that there is no string, besides nothing at all and what databases write: `\N`, `NULL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Null {
    bytes: [u8; Self::MOST],
    length: usize,
}

impl Null {
    /// Bytes of it, at most.
    pub(super) const MOST: usize = 32;

    pub(super) fn new(text: &[u8]) -> Option<Self> {
        let mut bytes = [0; Self::MOST];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(Self { bytes, length: text.len() })
    }

    /// Bytes of it.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Whether that is what a field holds.
    pub(super) fn is(&self, field: &[u8], quoted: bool) -> bool {
        let usual = field.is_empty() || !quoted && (field == b"\\N" || field == b"NULL");
        usual || self.length > 0 && *field == self.bytes[..self.length]
    }
}
