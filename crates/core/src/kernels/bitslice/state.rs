//! The memory of a block.

use super::{ExtraHouse, MAX_LANES, WORDS};

/// Candidates, and what a pass computes between its steps. Cells are ordered by box: box 0 to 8, place in the box 0 to
/// 8.
#[repr(C, align(64))]
pub(crate) struct BlockState<V> {
    /// Candidates by box, digit and place.
    pub candidates: [[[V; 9]; 9]; 9],
    /// Cells with exactly one candidate, by box and place.
    pub single: [[V; 9]; 9],
    /// Rows and columns of each box.
    pub lines: [BoxLines<V>; 9],
    /// Transposed nodes, by word and lane. The stride of the rows is odd for the same reason as in [`super::Nodes`].
    pub words: [[u32; MAX_LANES + 16]; WORDS],
    /// Houses besides rows, columns and boxes.
    pub houses: Vec<ExtraHouse>,
}

/// The rows and columns of one box.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub(crate) struct BoxLines<V> {
    /// Digit d can be in row r of the box.
    pub rows: [[V; 3]; 9],
    /// Digit d can be in column c of the box.
    pub columns: [[V; 3]; 9],
    /// Digit d has more than one place in the box.
    pub shared: [V; 9],
}

impl<V: Copy> BlockState<V> {
    /// Makes a state that is filled with a vector.
    pub(crate) fn new(zero: V, houses: Vec<ExtraHouse>) -> Self {
        let digits = nine(&nine(&zero));
        let lines = BoxLines { rows: nine(&[zero; 3]), columns: nine(&[zero; 3]), shared: nine(&zero) };
        Self {
            candidates: nine(&digits),
            single: digits,
            lines: nine(&lines),
            words: [[0; MAX_LANES + 16]; WORDS],
            houses,
        }
    }
}

impl<V> BlockState<V> {
    /// Implements [`super::Block::set_node`].
    pub(crate) fn set_node(&mut self, node: usize, words: &[u32; WORDS]) {
        self.words.iter_mut().zip(words).for_each(|(row, &word)| row[node] = word);
    }
}

/// Repeats a value nine times.
#[inline(never)] // else the copies become thousands of stores, one after the other
fn nine<T: Copy>(one: &T) -> [T; 9] {
    [*one; 9]
}
