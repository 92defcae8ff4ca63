//! Assigns fill colours to regions so that neighbours differ.

use crate::board::Geometry;

/// The number of fills. A map of connected regions always has a region with at most five neighbours, so colouring them
/// in reverse of the order in which such regions can be removed never needs a seventh.
pub(super) const FILLS: usize = 6;

/// A fill, 0 to [`FILLS`] - 1, for each cell: the same within a region and different in neighbouring regions. Only
/// disconnected regions, which need not form a map, may share a fill with a neighbour.
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

/// A smallest-last order: the last region has the fewest neighbours, and so on among the rest.
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
