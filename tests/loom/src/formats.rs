//! Evidence: for each chunk, how many of its bytes were weighed.

use crate::source::CHUNKS;

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Evidence(pub [usize; CHUNKS]);

impl Evidence {
    pub fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(here, more)| *here += more);
    }
}
