//! Extra groups of cells, as wolfram strings list them.

/// The groups of one board: lists of nine cells, numbered from 0, in the order of the string they came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    /// Outlined groups (part 4 of a wolfram string).
    pub outlined: Vec<[u8; 9]>,
    /// Coloured groups (part 5 of a wolfram string).
    pub coloured: Vec<[u8; 9]>,
}

impl Groups {
    /// No groups at all.
    pub fn is_empty(&self) -> bool {
        self.outlined.is_empty() && self.coloured.is_empty()
    }

    /// Forgets the groups and keeps the memory.
    pub fn clear(&mut self) {
        self.outlined.clear();
        self.coloured.clear();
    }
}
