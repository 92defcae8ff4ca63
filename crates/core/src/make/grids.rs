//! Makes full grids: each digit occurs once in every row, column and other fixed house of a kind.
//!
//! Sides up to 9 are filled by a random search. Sides 16 and 25 are prime powers: there the digit of a cell is a linear
//! function of its row and column, which is much faster than a search, and random cycle switches hide the pattern.

use super::rng::Rng;
use crate::board::{Kind, Mask, Side, geometry};

/// A random full grid of digits 1..n for the fixed houses of a kind. For kinds with regions, it has boxes, from which
/// `regions` starts.
pub(super) fn full_grid(kind: Kind, side: Side, rng: &mut Rng) -> Vec<u8> {
    let kind = if kind.has_regions() { Kind::Sudoku } else { kind };
    if side.is_small() {
        return search(kind, side, rng);
    }
    let houses: Vec<&[u16]> = geometry(side).houses(kind).collect();
    let mut grid = linear(side, &houses, rng);
    switch_cycles(&mut grid, kind, side, rng);
    grid
}

/// Fills a grid by random search: it chooses the cell with the fewest candidates, and one of them at random. A search
/// that takes long usually had a bad start. It is abandoned for a new one with a higher limit, so that the loop ends.
fn search(kind: Kind, side: Side, rng: &mut Rng) -> Vec<u8> {
    let cells = side.cells();
    let mut peers = vec![Vec::new(); cells];
    for house in geometry(side).houses(kind) {
        for &i in house {
            peers[i as usize].extend(house.iter().copied().filter(|&j| j != i));
        }
    }
    for list in &mut peers {
        list.sort_unstable();
        list.dedup();
    }
    let mut max_steps = 4 * cells;
    loop {
        let mut candidates = vec![(1 << side.get()) - 1; cells];
        let mut grid = vec![0; cells];
        let mut steps = max_steps;
        if fill(&mut grid, &mut candidates, &peers, &mut steps, rng) {
            return grid;
        }
        max_steps += cells;
    }
}

/// Fills in the rest of a grid. Returns false if that is impossible or `steps` ran out.
fn fill(grid: &mut [u8], candidates: &mut [Mask], peers: &[Vec<u16>], steps: &mut usize, rng: &mut Rng) -> bool {
    let from = rng.below(grid.len());
    let open = (from..grid.len()).chain(0..from).filter(|&i| grid[i] == 0);
    let Some(cell) = open.min_by_key(|&i| candidates[i].count_ones()) else {
        return true;
    };
    let mut choices = candidates[cell];
    while choices != 0 && *steps > 0 {
        *steps -= 1;
        let digit = nth_bit(choices, rng.below(choices.count_ones() as usize));
        choices &= !(1 << digit);
        let before = candidates.to_vec();
        grid[cell] = digit as u8 + 1;
        peers[cell].iter().for_each(|&i| candidates[i as usize] &= !(1 << digit));
        if peers[cell].iter().all(|&i| grid[i as usize] != 0 || candidates[i as usize] != 0)
            && fill(grid, candidates, peers, steps, rng)
        {
            return true;
        }
        candidates.copy_from_slice(&before);
        grid[cell] = 0;
    }
    false
}

/// The position of set bit number `n`, from 0, of a mask.
pub(super) fn nth_bit(mut mask: Mask, n: usize) -> u32 {
    (0..n).for_each(|_| mask &= mask - 1);
    mask.trailing_zeros()
}

/// A grid whose digit is a linear function of row and column, both seen as vectors over a prime field (16 is 2^4, 25 is
/// 5^2). Random matrices are tried until every house holds each digit; about one in a hundred does.
fn linear(side: Side, houses: &[&[u16]], rng: &mut Rng) -> Vec<u8> {
    let n = side.get();
    let (prime, dimension): (usize, u32) = if n == 16 { (2, 4) } else { (5, 2) };
    loop {
        let mut of_line = || -> Vec<usize> {
            let columns: Vec<usize> = (0..dimension).map(|_| rng.below(n)).collect();
            (0..n)
                .map(|line| {
                    (0..dimension).fold(0, |sum, k| add(sum, columns[k as usize], line / prime.pow(k) % prime, prime))
                })
                .collect()
        };
        let (row, column) = (of_line(), of_line());
        let grid: Vec<u8> = (0..n * n).map(|i| add(row[i / n], column[i % n], 1, prime) as u8 + 1).collect();
        let all_different =
            |house: &&[u16]| house.iter().fold(0_u32, |seen, &i| seen | 1 << grid[i as usize]).count_ones() == n as u32;
        if houses.iter().all(all_different) {
            return grid;
        }
    }
}

/// `a + times * b`, where the base-`prime` digits of `a` and `b` are the components of vectors.
fn add(a: usize, b: usize, times: usize, prime: usize) -> usize {
    let (mut a, mut b, mut sum, mut unit) = (a, b, 0, 1);
    while a > 0 || b > 0 {
        sum += (a + times * b) % prime * unit;
        (a, b, unit) = (a / prime, b / prime, unit * prime);
    }
    sum
}

/// Removes the regularity of a grid by random exchanges. Two lines of a band are permutations of the same digits. In
/// the columns of a cycle of the permutation between them, both lines have the same set of digits. So the digits of
/// these columns can be exchanged between the lines, and columns and boxes keep their digits. Cells of diagonals, if
/// these are houses, are not exchanged.
fn switch_cycles(grid: &mut [u8], kind: Kind, side: Side, rng: &mut Rng) {
    let n = side.get();
    let rules = kind.rules();
    let band = side.box_shape().filter(|_| rules.houses.boxes);
    for _ in 0..8 * n * n {
        let of_columns = rng.chance(1, 2);
        let size = band.map_or(n, |(height, width)| if of_columns { width } else { height });
        let (step, across) = if of_columns { (1, n) } else { (n, 1) };
        let first = rng.below(n / size) * size;
        let (a, b) = (first + rng.below(size), first + rng.below(size));
        let mut place = [0; 26];
        (0..n).for_each(|k| place[grid[b * step + k * across] as usize] = k);
        let mut cycle = [0; 25];
        let mut length = 0;
        let begin = rng.below(n);
        let mut k = begin;
        loop {
            cycle[length] = k;
            length += 1;
            k = place[grid[a * step + k * across] as usize];
            if k == begin {
                break;
            }
        }
        let diagonal = |line: usize, k: usize| k == line || k == n - 1 - line;
        if !(rules.houses.diagonals && cycle[..length].iter().any(|&k| diagonal(a, k) || diagonal(b, k))) {
            cycle[..length].iter().for_each(|&k| grid.swap(a * step + k * across, b * step + k * across));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_house_of_every_kind_holds_each_digit() {
        let mut rng = Rng::stream(7, 7);
        for kind in Kind::all().filter(|kind| !kind.has_regions() && !kind.has_black()) {
            for &side in kind.rules().sides {
                let side = Side::new(side.into()).unwrap();
                let grid = full_grid(kind, side, &mut rng);
                let table = geometry(side);
                for house in table.houses(kind) {
                    let seen = house.iter().fold(0_u32, |seen, &i| seen | 1 << grid[i as usize]);
                    assert_eq!(seen, (2 << side.get()) - 2, "{kind} {side}");
                }
            }
        }
    }
}
