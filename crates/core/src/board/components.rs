//! Finds the parts of a board that differ from board to board, which are regions and cages, as a label for each cell.

use super::geometry::Geometry;

/// A label for each cell of a board up to the largest side. Entries after the last cell are unspecified.
pub type Labels = [u16; 625];

/// The region of each cell as a label: the region's number if each of 1..n occurs exactly n times, or else the label of
/// its connected component (docs/FORMATS.md, "Regions and cages").
pub fn region_labels(numbers: &[u8], side: usize) -> Labels {
    let mut count = [0_usize; 256];
    numbers.iter().for_each(|&r| count[r as usize] += 1);
    if (1..=side).all(|r| count[r] == side) {
        let mut labels = [0; 625];
        labels.iter_mut().zip(numbers).for_each(|(label, &r)| *label = r.into());
        return labels;
    }
    components(numbers, side)
}

/// The orthogonally connected components of equal values. A component's label is its first cell in reading order.
pub fn components(values: &[u8], side: usize) -> Labels {
    if let Some(small) = small_components(values, side) {
        let mut labels = [0; 625];
        labels.iter_mut().zip(small).for_each(|(label, small)| *label = small.into());
        return labels;
    }
    flood_fill(values, side)
}

/// Labels the components by walking from each first cell to all cells that can be reached.
fn flood_fill(values: &[u8], side: usize) -> Labels {
    const NONE: u16 = u16::MAX;
    let mut labels = [NONE; 625];
    let mut todo = [0_u16; 625];
    for first in 0..values.len() {
        if labels[first] != NONE {
            continue;
        }
        labels[first] = first as u16;
        todo[0] = first as u16;
        let mut waiting = 1;
        while waiting > 0 {
            waiting -= 1;
            let i = todo[waiting] as usize;
            for j in Geometry::neighbours(i, side) {
                if values[j] == values[first] && labels[j] == NONE {
                    labels[j] = first as u16;
                    todo[waiting] = j as u16;
                    waiting += 1;
                }
            }
        }
    }
    labels
}

/// The 96 bytes from `start` on.
fn bytes_from(bytes: &[u8; 128], start: usize) -> [u8; 96] {
    bytes[start..].first_chunk().copied().unwrap_or([0; 96])
}

/// Like [`components`], for sides up to 9; `None` for other sides. Entries after the last cell are unspecified.
pub fn small_components(values: &[u8], side: usize) -> Option<[u8; 96]> {
    // The cells, with room for a row before and after them.
    const BEFORE: usize = 16;
    let cells = side * side;
    if side > 9 || values.len() != cells {
        return None;
    }
    let mut padded = [0; 128];
    padded[BEFORE..BEFORE + cells].copy_from_slice(values);
    // 0 where a cell and its neighbour to the right, or below, belong to the same component; all ones elsewhere.
    let (mut right, mut below) = ([u8::MAX; 128], [u8::MAX; 128]);
    let (here, after, under) = (&padded[BEFORE..][..81], &padded[BEFORE + 1..][..81], &padded[BEFORE + side..][..81]);
    for i in 0..81 {
        right[BEFORE + i] = if here[i] == after[i] { 0 } else { u8::MAX };
        below[BEFORE + i] = if here[i] == under[i] { 0 } else { u8::MAX };
    }
    (0..side).for_each(|row| right[BEFORE + row * side + side - 1] = u8::MAX);
    below[BEFORE + cells - side..].fill(u8::MAX);
    right[BEFORE + cells - 1..].fill(u8::MAX);
    let mut labels: [u8; 128] = std::array::from_fn(|i| i.wrapping_sub(BEFORE) as u8);
    loop {
        let (mut next, mut changed) = ([0; 96], 0);
        // A fixed number of steps, so that the loop is compiled to vector instructions.
        let (here, after, before) =
            (bytes_from(&labels, BEFORE), bytes_from(&labels, BEFORE + 1), bytes_from(&labels, BEFORE - 1));
        let (under, over) = (bytes_from(&labels, BEFORE + side), bytes_from(&labels, BEFORE - side));
        let (right_here, right_before) = (bytes_from(&right, BEFORE), bytes_from(&right, BEFORE - 1));
        let (below_here, below_over) = (bytes_from(&below, BEFORE), bytes_from(&below, BEFORE - side));
        for i in 0..96 {
            let ahead = (after[i] | right_here[i]).min(under[i] | below_here[i]);
            let behind = (before[i] | right_before[i]).min(over[i] | below_over[i]);
            next[i] = here[i].min(ahead).min(behind);
            changed |= next[i] ^ here[i];
        }
        if changed == 0 {
            return Some(next);
        }
        labels[BEFORE..BEFORE + 96].copy_from_slice(&next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are drawn from a few, so that components of all forms occur.
    #[test]
    fn small_components_are_those_of_a_flood_fill() {
        let mut state = 1_u64;
        for round in 0..20_000 {
            let side = 2 + round % 8;
            let values: Vec<u8> = (0..side * side)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 33) as u8 % (1 + round as u8 % 5)
                })
                .collect();
            let filled = flood_fill(&values, side);
            let small = small_components(&values, side).expect("a small side");
            assert!(
                filled.iter().zip(small).take(side * side).all(|(&label, small)| label == u16::from(small)),
                "{values:?}"
            );
        }
    }
}
