//! Symmetries: permutations of rows and of columns, and transposition, that map every house of a kind to a house.
//!
//! A box, a window or a colour group is the intersection of a set of rows with a set of columns. A permutation of the
//! rows keeps these houses if it maps each family of such sets (for example the bands) onto itself, and likewise for
//! columns. Diagonals are kept if rows and columns have the same permutation and it maps the pairs {i, n-1-i} to each
//! other.

use super::rng::Rng;
use crate::board::{Kind, Side};

/// A permutation of the lines of a board: line `i` of the image is line `order[i]` of the original.
type LineOrder = [u8; 32];

/// How many permutations are drawn: few enough for the first-level cache, and so many that two boards hardly ever have
/// the same full board, permutations and digits.
const ORDERS: usize = 512;

/// The symmetries of a kind, as permutations to choose from.
#[derive(Clone)]
pub(super) struct Symmetries {
    rows: Vec<LineOrder>,
    columns: Vec<LineOrder>,
    /// Whether columns have the permutation of the rows or its mirror image.
    tied: bool,
    /// Whether boards may be transposed.
    transposes: bool,
}

/// One symmetry, which maps each cell of the image to a cell of the original.
#[derive(Clone, Copy)]
pub(super) struct SymmetryImage<'a> {
    /// For each row of the image, a line of the original.
    pub rows: &'a LineOrder,
    /// For each column of the image, a line of the original.
    pub columns: &'a LineOrder,
    /// The distance between cells of two `rows` in the original: the side, or 1 if the image is transposed.
    pub row_step: usize,
    /// The distance between cells of two `columns` in the original.
    pub column_step: usize,
}

impl Symmetries {
    /// The symmetries that keep the fixed houses of a kind: all suitable permutations of rows and columns, or with
    /// regions or black cells only the symmetries of the square, since regions and straights depend on neighbours.
    pub(super) fn of(kind: Kind, side: Side, rng: &mut Rng) -> Self {
        let rules = kind.rules();
        let boxes = side.box_shape().filter(|_| rules.houses.boxes);
        let transposes = boxes.is_none_or(|(height, width)| height == width);
        let n = side.get();
        if rules.houses.regions || rules.straights {
            let turned = vec![identity(), mirror(n)];
            return Self { rows: turned.clone(), columns: turned, tied: false, transposes };
        }
        let mut families = Vec::new();
        if rules.houses.diagonals {
            families.push((0..n).map(|i| 1 << i | 1 << (n - 1 - i)).collect());
        }
        if rules.houses.windows {
            families.push(vec![0b0_0000_1110, 0b0_1110_0000]);
        }
        if rules.houses.colours {
            families.push(vec![0b0_0100_1001, 0b0_1001_0010, 0b1_0010_0100]);
        }
        let bands = |size: usize| (0..n / size).map(|band| ((1 << size) - 1) << (band * size)).collect::<Vec<u32>>();
        let (mut of_rows, mut of_columns) = (families.clone(), families);
        if let Some((height, width)) = boxes {
            of_rows.push(bands(height));
            of_columns.push(bands(width));
        }
        if rules.houses.diagonals {
            // Rows and columns share one permutation.
            of_rows.extend(of_columns);
            let rows = random_orders(n, &of_rows, rng);
            let reverse = mirror(n);
            let columns = rows.iter().copied().chain(rows.iter().map(|order| compose(order, &reverse))).collect();
            return Self { rows, columns, tied: true, transposes };
        }
        Self {
            rows: random_orders(n, &of_rows, rng),
            columns: random_orders(n, &of_columns, rng),
            tied: false,
            transposes,
        }
    }

    /// Draws a random symmetry of a board of side `side`.
    #[inline]
    pub(super) fn draw(&self, side: usize, rng: &mut Rng) -> SymmetryImage<'_> {
        let row = rng.below(self.rows.len());
        let column = rng.below(self.columns.len());
        let column = if self.tied { row + self.rows.len() * (column & 1) } else { column };
        let transposed = self.transposes & rng.chance(1, 2);
        let (row_step, column_step) = if transposed { (1, side) } else { (side, 1) };
        SymmetryImage { rows: &self.rows[row], columns: &self.columns[column], row_step, column_step }
    }
}

impl SymmetryImage<'_> {
    /// The original's cell for the cell at `row`, `column` of the image.
    #[inline]
    pub(super) fn source(&self, row: usize, column: usize) -> usize {
        self.rows[row] as usize * self.row_step + self.columns[column] as usize * self.column_step
    }
}

fn identity() -> LineOrder {
    std::array::from_fn(|i| i as u8)
}

fn mirror(n: usize) -> LineOrder {
    std::array::from_fn(|i| if i < n { n - 1 - i } else { i } as u8)
}

/// The composition: line `i` of the image is `first[second[i]]`.
fn compose(first: &LineOrder, second: &LineOrder) -> LineOrder {
    std::array::from_fn(|i| first[second[i] as usize])
}

/// [`ORDERS`] random products of simple exchanges that map every family of line sets onto itself.
fn random_orders(n: usize, families: &[Vec<u32>], rng: &mut Rng) -> Vec<LineOrder> {
    let simple: Vec<LineOrder> = generators(n).into_iter().filter(|order| preserves(order, families)).collect();
    let mut order = identity();
    let mut next = || {
        (0..4 * n).for_each(|_| order = compose(&order, &simple[rng.below(simple.len())]));
        order
    };
    (0..ORDERS).map(|_| next()).collect()
}

/// Whether an order maps every set of every family onto a set of that family.
fn preserves(order: &LineOrder, families: &[Vec<u32>]) -> bool {
    let image = |set: u32| (0..32).filter(|&i| set >> i & 1 == 1).fold(0_u32, |image, i| image | 1 << order[i]);
    families.iter().all(|family| family.iter().all(|&set| family.contains(&image(set))))
}

/// Generators of the symmetries of all kinds: the exchange of two lines, of two bands, or of two places in every band,
/// each of these together with its mirror image, and the reflection itself. The identity is included, so that products
/// of an odd and of an even number of exchanges are equally likely.
fn generators(n: usize) -> Vec<LineOrder> {
    let reverse = mirror(n);
    let mut found = vec![identity(), reverse];
    let mut add = |pairs: &[(usize, usize)]| {
        let mut order = identity();
        pairs.iter().for_each(|&(a, b)| order.swap(a, b));
        let mirrored = compose(&reverse, &compose(&order, &reverse));
        found.extend([order, compose(&order, &mirrored)]);
    };
    for b in 0..n {
        (0..b).for_each(|a| add(&[(a, b)]));
    }
    for size in (2..n).filter(|size| n.is_multiple_of(*size)) {
        for b in 0..n / size {
            for a in 0..b {
                add(&(0..size).map(|k| (a * size + k, b * size + k)).collect::<Vec<_>>());
            }
        }
        for b in 0..size {
            for a in 0..b {
                add(&(0..n / size).map(|band| (band * size + a, band * size + b)).collect::<Vec<_>>());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::geometry;
    use std::collections::BTreeSet;

    #[test]
    fn symmetries_map_houses_onto_houses() {
        let mut rng = Rng::stream(1, 1);
        for kind in Kind::all() {
            for &side in kind.rules().sides {
                let side = Side::new(side.into()).unwrap();
                if side != Side::NINE && (kind.rules().houses.windows || kind.rules().houses.colours) {
                    continue;
                }
                let n = side.get();
                let sets = |map: &dyn Fn(usize) -> usize| -> BTreeSet<BTreeSet<usize>> {
                    geometry(side).houses(kind).map(|house| house.iter().map(|&i| map(i.into())).collect()).collect()
                };
                let symmetries = Symmetries::of(kind, side, &mut rng);
                for _ in 0..50 {
                    let image = symmetries.draw(n, &mut rng);
                    assert_eq!(sets(&|i| image.source(i / n, i % n)), sets(&|i| i), "{kind} {side}");
                }
            }
        }
    }

    #[test]
    fn sudoku_uses_many_orders() {
        let symmetries = Symmetries::of(Kind::Sudoku, Side::NINE, &mut Rng::stream(1, 1));
        let different: BTreeSet<_> = symmetries.rows.iter().collect();
        assert!(different.len() > 350, "{}", different.len()); // 512 drawn out of 1296
    }
}
