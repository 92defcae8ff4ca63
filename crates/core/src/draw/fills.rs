//! Fills for regions such that neighbours differ.

use crate::board::Geometry;

/// How many fills there are. A map of connected regions always has a region with at most five neighbours, so colouring
/// them in the order in which such regions can be taken away never needs a seventh.
pub(super) const FILLS: usize = 6;

/// A fill, 0 to [`FILLS`] - 1, for each cell: the same within a region, another one in every neighbouring region. Only
/// regions of several pieces, which need not be a map, can come to share a fill with a neighbour.
pub(super) fn fills(labels: &[u16], side: usize) -> Vec<usize> {
    let count = labels.iter().max().map_or(0, |&label| usize::from(label) + 1);
    let mut neighbours = vec![Vec::new(); count];
    for (i, &a) in labels.iter().enumerate() {
        for j in Geometry::neighbours(i, side) {
            let (a, b) = (usize::from(a), usize::from(labels[j]));
            if a != b && !neighbours[a].contains(&b) {
                neighbours[a].push(b);
            }
        }
    }
    let mut fill_of: Vec<Option<usize>> = vec![None; count];
    for region in smallest_last(&neighbours) {
        let taken = |fill: &usize| neighbours[region].iter().any(|&other| fill_of[other] == Some(*fill));
        fill_of[region] = Some((0..FILLS).find(|fill| !taken(fill)).unwrap_or(region % FILLS));
    }
    labels.iter().map(|&label| fill_of[usize::from(label)].unwrap_or(0)).collect()
}

/// The regions, the one with the fewest neighbours last, and so on with what is left.
fn smallest_last(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut left = vec![true; neighbours.len()];
    let mut order = Vec::with_capacity(neighbours.len());
    let degree = |left: &[bool], region: usize| neighbours[region].iter().filter(|&&other| left[other]).count();
    while let Some(next) = (0..left.len()).filter(|&r| left[r]).min_by_key(|&r| degree(&left, r)) {
        left[next] = false;
        order.push(next);
    }
    order.reverse();
    order
}
