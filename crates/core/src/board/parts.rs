//! The parts of a board that belong to the board and not to its kind: regions and cages, as a label for each cell.

use super::geometry::Geometry;

/// A label for each cell (of the largest side; what follows a smaller board's cells is unspecified).
pub type Labels = [u16; 625];

/// The region of each cell as a label: the numbers themselves if each of 1..n occurs exactly n times, else the connected
/// components of equal numbers (docs/FORMATS.md, "Regions and cages").
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

/// The orthogonally connected components of equal values; a component's label is its first cell in reading order.
pub fn components(values: &[u8], side: usize) -> Labels {
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
