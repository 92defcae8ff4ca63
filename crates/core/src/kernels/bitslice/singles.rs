//! Combines the nine vectors of a cell, or of a digit in a house.

use super::lanes::Lanes;

/// Returns the bits that are set in at least one, and in at least two, of nine vectors.
#[inline(always)]
pub(super) fn at_least_one_and_two<V: Lanes>(x: &[V; 9]) -> (V, V) {
    let any = [x[0].or3(x[1], x[2]), x[3].or3(x[4], x[5]), x[6].or3(x[7], x[8])];
    let two = [x[0].majority(x[1], x[2]), x[3].majority(x[4], x[5]), x[6].majority(x[7], x[8])];
    (any[0].or3(any[1], any[2]), two[0].or3(two[1], two[2]).or(any[0].majority(any[1], any[2])))
}

/// Returns the lanes in which a digit of a cell has no other place in the house; `shared` has the digits that have more
/// than one.
#[inline(always)]
pub(super) fn hidden_single<V: Lanes>(x: &[V; 9], shared: &[V; 9]) -> V {
    let a = x[0].and_not(shared[0]).or_and_not(x[1], shared[1]).or_and_not(x[6], shared[6]);
    let b = x[2].and_not(shared[2]).or_and_not(x[3], shared[3]).or_and_not(x[7], shared[7]);
    let c = x[4].and_not(shared[4]).or_and_not(x[5], shared[5]).or_and_not(x[8], shared[8]);
    a.or3(b, c)
}
