//! Bytes that share their memory.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A range of a shared buffer: the new strings of thousands of rows are one allocation.
#[derive(Clone)]
pub struct SharedBytes {
    all: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl SharedBytes {
    /// A range of `all`; empty if it is out of bounds.
    pub(super) fn part(all: &Arc<Vec<u8>>, range: Range<usize>) -> Self {
        Self { all: Arc::clone(all), range }
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.all.get(self.range.clone()).unwrap_or_default()
    }
}

impl From<Vec<u8>> for SharedBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self { range: 0..bytes.len(), all: Arc::new(bytes) }
    }
}

impl PartialEq for SharedBytes {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for SharedBytes {}

impl fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedBytes").field(&&**self).finish()
    }
}
