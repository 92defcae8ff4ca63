//! Colours cages with the colours 1..5, so that cages that share an edge have different colours.
//!
//! The cages of a board are the countries of a map, so five colours are always enough. Usually one pass succeeds, in
//! reading order with a random one of four colours, and the fifth where neighbours have all four. If they have all
//! five, the board is coloured again by the method of the proof of the five-colour theorem.

use super::cages::{BORDER, FramedCages};
use super::rng::Rng;

/// The colour of each cage, 1..5, or 0 for none yet.
pub(super) type Colours = [u8; 625];

/// Colours all cages.
pub(super) fn colour(cages: &FramedCages, colours: &mut Colours, rng: &mut Rng) {
    colours[..cages.count].fill(0);
    for cage in 0..cages.count {
        let taken = neighbours(cages, cage).fold(1_u32, |taken, neighbour| taken | 1 << colours[neighbour]);
        let free = !taken & 0b1_1110;
        colours[cage] = if free != 0 {
            // Try the four colours from a random one on.
            let turned = free | free << 4;
            let skip = 1 + rng.below(4) as u32;
            ((skip + (turned >> skip).trailing_zeros() - 1) % 4 + 1) as u8
        } else if taken >> 5 & 1 == 0 {
            5
        } else {
            return colour_with_proof(cages, colours);
        }
    }
}

/// The cages next to a cage. Some may be repeated.
fn neighbours(cages: &FramedCages, cage: usize) -> impl Iterator<Item = usize> {
    cages.cells(cage).flat_map(|cell| cages.neighbours(cell)).filter_map(move |cell| {
        let neighbour = cages.cage[cell];
        (neighbour != BORDER && neighbour as usize != cage).then_some(neighbour as usize)
    })
}

/// Colours all cages by the proof of the five-colour theorem: removes a cage with at most five neighbours again and
/// again (a map always has one), then puts the cages back in reverse order. If a cage has five neighbours in five
/// colours, two of these colours can be exchanged in a part of the map that contains one of the neighbours but not the
/// other.
#[cold]
fn colour_with_proof(cages: &FramedCages, colours: &mut Colours) {
    colours[..cages.count].fill(0);
    let adjacent: Vec<Vec<usize>> = (0..cages.count)
        .map(|cage| {
            let mut list: Vec<usize> = neighbours(cages, cage).collect();
            list.sort_unstable();
            list.dedup();
            list
        })
        .collect();
    for cage in smallest_last(&adjacent) {
        let taken =
            |colours: &Colours| adjacent[cage].iter().fold(0_u32, |taken, &neighbour| taken | 1 << colours[neighbour]);
        let mut free = !taken(colours) & 0b11_1110;
        if free == 0 {
            let pairs = (1..=5).flat_map(|a| (1..a).map(move |b| (a, b)));
            for (a, b) in pairs {
                let mut changed = *colours;
                let holder = adjacent[cage].iter().copied().find(|&neighbour| colours[neighbour] == a);
                holder.into_iter().for_each(|neighbour| exchange(&mut changed, neighbour, a, b, &adjacent));
                free = !taken(&changed) & 0b11_1110;
                if free != 0 {
                    *colours = changed;
                    break;
                }
            }
        }
        assert!(free != 0, "cages that cannot be coloured with five colours: not a map");
        colours[cage] = free.trailing_zeros() as u8;
    }
}

/// An order in which each cage has at most five neighbours among the cages before it.
fn smallest_last(adjacent: &[Vec<usize>]) -> Vec<usize> {
    let mut degree: Vec<usize> = adjacent.iter().map(Vec::len).collect();
    let mut left: Vec<usize> = (0..adjacent.len()).collect();
    let mut order = Vec::with_capacity(adjacent.len());
    while let Some(k) = (0..left.len()).min_by_key(|&k| degree[left[k]]) {
        let cage = left.swap_remove(k);
        adjacent[cage].iter().for_each(|&neighbour| degree[neighbour] = degree[neighbour].saturating_sub(1));
        order.push(cage);
    }
    order.reverse();
    order
}

/// Exchanges colours `a` and `b` in the connected component of cages of these colours that contains `from`.
fn exchange(colours: &mut Colours, from: usize, a: u8, b: u8, adjacent: &[Vec<usize>]) {
    let mut component = vec![from];
    let mut done = 0;
    while let Some(&cage) = component.get(done) {
        done += 1;
        for &neighbour in &adjacent[cage] {
            if (colours[neighbour] == a || colours[neighbour] == b) && !component.contains(&neighbour) {
                component.push(neighbour);
            }
        }
    }
    component.iter().for_each(|&cage| colours[cage] = a + b - colours[cage]);
}

#[cfg(test)]
mod tests {
    use super::super::grids::full_grid;
    use super::*;
    use crate::board::{Kind, Side};

    /// Checks a colouring and returns the number of cages with the fifth colour.
    fn checked(cages: &FramedCages, colours: &Colours) -> usize {
        for cage in 0..cages.count {
            assert!((1..=5).contains(&colours[cage]));
            assert!(neighbours(cages, cage).all(|neighbour| colours[neighbour] != colours[cage]));
        }
        colours[..cages.count].iter().filter(|&&colour| colour == 5).count()
    }

    #[test]
    fn both_ways_colour_every_map() {
        let mut rng = Rng::stream(5, 5);
        let (mut cages, mut colours) = (FramedCages::default(), [0; 625]);
        let mut fifth = [0; 2];
        for side in [6, 9, 25].map(|side| Side::new(side).unwrap()) {
            let grid = full_grid(Kind::Killer, side, &mut rng);
            for round in 0..300 {
                cages.divide(&grid, side, round % 2 == 0, &mut rng);
                colour(&cages, &mut colours, &mut rng);
                fifth[0] += checked(&cages, &colours);
                colour_with_proof(&cages, &mut colours);
                fifth[1] += checked(&cages, &colours);
            }
        }
        assert!(fifth[0] > 0, "the fifth colour never occurs");
    }
}
