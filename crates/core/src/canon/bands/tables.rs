//! All bands up to the names of digits: their classes, and the orders of rows and columns that make each of them least.
//!
//! A band is numbered below 72,576 once its digits are named by their place in its left box and the columns of each other box are
//! sorted by their top digit: 56 ways of sharing out digits among the rows of the middle box (the right box has the others), times
//! 36 orders of its two lower rows under the sorted top row, times 36 of those of the right box. Naming and sorting are maps, so no
//! class is lost.

use std::sync::OnceLock;

/// The orders of three things.
pub(super) const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Bands by number.
const BANDS: usize = 56 * 36 * 36;

/// Orders of columns that keep stacks together.
const COLUMN_ORDERS: usize = 1296;

/// Classes of bands, as Red Ed and others counted them.
const CLASSES: usize = 416;

/// A band as rows of digits.
type Band = [[u8; 9]; 3];

/// The number of a band, and how the columns of its middle and right box are sorted.
#[derive(Clone, Copy)]
pub(super) struct BandNumber {
    number: u32,
    sorted: u8,
}

/// The tables; about 400 kB.
pub(super) struct Tables {
    /// The sharing out of digits by which of 3..=8 are in the top row of the middle box, and which of 0, 1, 2, 6, 7, 8 in its middle
    /// row; digits from 0, as named by the left box.
    shares: [u8; 4096],
    /// The orders of the two lower rows of a box by the nine comparisons in its rows.
    lower: [u8; 512],
    /// By the comparisons in the top rows of the middle box and (times 8) of the right box: the columns, sorted in these boxes.
    sorted: [[u8; 9]; 64],
    /// The class of each band, in the order of what they become at least.
    class: Vec<u16>,
    /// Where the orders of each band begin in `orders`; one more at the end.
    start: Vec<u32>,
    /// Row order times 1296, plus column order.
    orders: Vec<u16>,
    columns: Vec<[u8; 9]>,
}

/// The tables, made once.
pub(super) fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(Tables::new)
}

/// Which of three are less than which: 0 < 1, 0 < 2, 1 < 2.
#[inline(always)]
fn comparisons(three: [u8; 3]) -> usize {
    usize::from(three[0] < three[1]) | usize::from(three[0] < three[2]) << 1 | usize::from(three[1] < three[2]) << 2
}

/// The order that sorts three things, by their comparisons; `None` for those that contradict each other.
fn ascending(comparisons_of: usize) -> Option<[u8; 3]> {
    let ranks = |order: [u8; 3]| {
        let mut ranks = [0; 3];
        order.iter().zip(0..).for_each(|(&place, rank)| ranks[usize::from(place)] = rank);
        ranks
    };
    ORDERS.into_iter().find(|&order| comparisons(ranks(order)) == comparisons_of)
}

impl Tables {
    /// Numbers a band, three rows of nine digits each.
    #[inline]
    pub(super) fn number(&self, rows: &[u8]) -> BandNumber {
        let mut names = [0_u8; 16];
        for (row, first) in [0, 9, 18].into_iter().zip([0, 3, 6]) {
            for column in 0..3 {
                names[usize::from(rows[row + column] & 15)] = first + column as u8;
            }
        }
        let named = |at: usize| [0, 1, 2].map(|column| names[usize::from(rows[at + column] & 15)]);
        let (middle, right) = ([3, 12, 21].map(named), [6, 15, 24].map(named));
        let set = |three: [u8; 3]| three.iter().fold(0_usize, |set, &digit| set | 1 << digit);
        let (top, second) = (set(middle[0]), set(middle[1]));
        let shares = self.shares[(top >> 3 | (second & 7) << 6 | second >> 6 << 9) & 4095];
        let code = |rows: [[u8; 3]; 3]| comparisons(rows[0]) | comparisons(rows[1]) << 3 | comparisons(rows[2]) << 6;
        let (middle, right) = (code(middle), code(right));
        let number = (u32::from(shares) * 36 + u32::from(self.lower[middle])) * 36 + u32::from(self.lower[right]);
        BandNumber { number, sorted: (middle & 7 | (right & 7) << 3) as u8 }
    }

    /// The class of a band.
    #[inline]
    pub(super) fn class(&self, band: &BandNumber) -> u16 {
        self.class[band.number as usize]
    }

    /// The orders that make a band least.
    #[inline]
    pub(super) fn orders(&self, band: &BandNumber) -> &[u16] {
        let number = band.number as usize;
        &self.orders[self.start[number] as usize..self.start[number + 1] as usize]
    }

    /// One of these: the number of the row order, and the columns.
    #[inline]
    pub(super) fn order(&self, band: &BandNumber, order: u16) -> (usize, [u8; 9]) {
        let (rows, columns) = (usize::from(order) / COLUMN_ORDERS, usize::from(order) % COLUMN_ORDERS);
        let sorted = &self.sorted[usize::from(band.sorted & 63)];
        (rows, self.columns[columns].map(|column| sorted[usize::from(column)]))
    }

    fn new() -> Self {
        let mut tables = Self {
            shares: [0; 4096],
            lower: [0; 512],
            sorted: [[0; 9]; 64],
            class: Vec::new(),
            start: vec![0; BANDS + 1],
            orders: Vec::new(),
            columns: column_orders(),
        };
        tables.fill_small();
        let shared = tables.fill_shares();
        let mut classes = Vec::with_capacity(CLASSES);
        let mut seen = vec![false; BANDS];
        for number in 0..BANDS {
            if !seen[number] {
                let least = tables.least(&band(number, &shared));
                let members = tables.members(&least);
                members.iter().for_each(|&(member, _)| seen[member as usize] = true);
                classes.push((least, members));
            }
        }
        classes.sort_unstable();
        tables.class = vec![0; BANDS];
        let mut all: Vec<(u32, u16)> = Vec::new();
        for ((_, members), class) in classes.into_iter().zip(0..) {
            members.iter().for_each(|&(member, _)| tables.class[member as usize] = class);
            all.extend(members);
        }
        all.sort_unstable();
        for (member, order) in all {
            tables.start[member as usize + 1] += 1;
            tables.orders.push(order);
        }
        (0..BANDS).for_each(|number| tables.start[number + 1] += tables.start[number]);
        tables
    }

    fn fill_small(&mut self) {
        for (code, lower) in self.lower.iter_mut().enumerate() {
            if let [Some(top), Some(second), Some(third)] = [code & 7, code >> 3 & 7, code >> 6].map(ascending) {
                // The ranks of a row's digits under the sorted top row.
                let under = |row: [u8; 3]| {
                    let ranks = top.map(|column| row.iter().position(|&other| other == column).unwrap_or(0) as u8);
                    ORDERS.iter().position(|&order| order == ranks).unwrap_or(0)
                };
                *lower = (under(second) * 6 + under(third)) as u8;
            }
        }
        for (code, sorted) in self.sorted.iter_mut().enumerate() {
            if let [Some(middle), Some(right)] = [code & 7, code >> 3].map(ascending) {
                for i in 0..3 {
                    sorted[i] = i as u8;
                    sorted[3 + i] = 3 + middle[i];
                    sorted[6 + i] = 6 + right[i];
                }
            }
        }
    }

    /// Numbers the ways to share out digits among the rows of the middle box, and lists them.
    fn fill_shares(&mut self) -> Vec<[u16; 3]> {
        let threes = |of: u16| (0..512_u16).filter(move |set| set & !of == 0 && set.count_ones() == 3);
        let mut shared = Vec::new();
        for top in threes(0b111_111_000) {
            for second in threes(0b111_000_111 & !top) {
                let third = 0b111_111_111 & !top & !second;
                if third & 0b111_000_000 == 0 {
                    let key = top >> 3 | (second & 7) << 6 | second >> 6 << 9;
                    self.shares[usize::from(key)] = shared.len() as u8;
                    shared.push([top, second, third]);
                }
            }
        }
        shared
    }

    /// The least that a band becomes, digits from 1.
    fn least(&self, band: &Band) -> [u8; 27] {
        let mut least = [u8::MAX; 27];
        for rows in ORDERS.map(|order| order.map(|row| band[usize::from(row)])) {
            for columns in &self.columns {
                let mut names = [0; 9];
                for (&column, name) in columns.iter().zip(1..) {
                    names[usize::from(rows[0][usize::from(column)])] = name;
                }
                let made = |row: [u8; 9]| columns.map(|column| names[usize::from(row[usize::from(column)])]);
                // The first row is always the same.
                let second = made(rows[1]);
                if second[..] <= least[9..18] {
                    let whole = [[1, 2, 3, 4, 5, 6, 7, 8, 9], second, made(rows[2])];
                    if whole.as_flattened() < &least[..] {
                        least.copy_from_slice(whole.as_flattened());
                    }
                }
            }
        }
        least
    }

    /// The numbered bands that become a least band, each with the orders that make it so: what all inverse orders make of it.
    fn members(&self, least: &[u8; 27]) -> Vec<(u32, u16)> {
        let mut members = Vec::new();
        for (row_order, number) in ORDERS.iter().zip(0..) {
            for (columns, column_number) in self.columns.iter().zip(0..) {
                let mut band = [0; 27];
                for (row, digits) in row_order.iter().zip(least.as_chunks::<9>().0) {
                    for (column, digit) in columns.iter().zip(digits) {
                        band[9 * usize::from(*row) + usize::from(*column)] = *digit;
                    }
                }
                if is_sorted(&band) {
                    members.push((self.number(&band).number, number * COLUMN_ORDERS as u16 + column_number));
                }
            }
        }
        members
    }
}

/// Whether the middle and right box of a band have their top digits sorted by the names that the left box gives them.
fn is_sorted(band: &[u8; 27]) -> bool {
    let mut names = [0; 16];
    for (at, name) in [0, 1, 2, 9, 10, 11, 18, 19, 20].into_iter().zip(0_u8..) {
        names[usize::from(band[at] & 15)] = name;
    }
    let name = |at: usize| names[usize::from(band[at] & 15)];
    name(3) < name(4) && name(4) < name(5) && name(6) < name(7) && name(7) < name(8)
}

fn column_orders() -> Vec<[u8; 9]> {
    let mut orders = Vec::with_capacity(COLUMN_ORDERS);
    for stacks in ORDERS {
        for inner in (0..216).map(|number| [number / 36, number / 6 % 6, number % 6]) {
            let column = |i: usize| 3 * stacks[i / 3] + ORDERS[inner[i / 3]][i % 3];
            orders.push(std::array::from_fn(column));
        }
    }
    orders
}

/// The band of a number.
fn band(number: usize, shared: &[[u16; 3]]) -> Band {
    let middle = shared[number / 1296];
    let mut band = [[0; 9]; 3];
    for (row, digits) in band.iter_mut().enumerate() {
        let left = 0b111 << (3 * row);
        for (set, at, pair) in
            [(left, 0, 0), (middle[row], 3, number / 36 % 36), (511 & !left & !middle[row], 6, number % 36)]
        {
            let order = ORDERS[[0, pair / 6, pair % 6][row]];
            for (place, rank) in order.iter().enumerate() {
                let mut members = (0..9).filter(|digit| set >> digit & 1 == 1);
                digits[at + place] = members.nth(usize::from(*rank)).unwrap_or(0);
            }
        }
    }
    band
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables without the large ones.
    fn small(tables: &Tables) -> Tables {
        Tables { columns: Vec::new(), class: Vec::new(), start: Vec::new(), orders: Vec::new(), ..*tables }
    }

    #[test]
    fn the_numbers_of_the_literature() {
        let tables = tables();
        assert_eq!(tables.class.iter().max(), Some(&(CLASSES as u16 - 1)));
        assert_eq!(tables.orders.len(), 89_856);
        assert_eq!(tables.columns.len(), COLUMN_ORDERS);
        let mut shared = small(tables);
        assert_eq!(shared.fill_shares().len(), 56);
        // Each numbered band stands for as many as sorting undoes: 36 times 9! names, of 9! * 72,576 * 36 in all.
        assert_eq!(BANDS * 36, 2_612_736);
    }

    #[test]
    fn every_numbered_band_has_its_number_and_becomes_the_least_of_its_class() {
        let tables = tables();
        let shared = small(tables).fill_shares();
        let mut least = vec![None; CLASSES];
        for number in 0..BANDS {
            let rows = band(number, &shared);
            let found = tables.number(rows.as_flattened());
            assert_eq!((found.number as usize, found.sorted), (number, 0b111_111));
            assert!(!tables.orders(&found).is_empty());
            for &order in tables.orders(&found) {
                let (row_order, columns) = tables.order(&found, order);
                let rows = ORDERS[row_order].map(|row| rows[usize::from(row)]);
                let mut names = [0; 9];
                (0..9).for_each(|j| names[usize::from(rows[0][usize::from(columns[j])])] = j as u8 + 1);
                let made = rows.map(|row| columns.map(|column| names[usize::from(row[usize::from(column)])]));
                assert_eq!(*least[usize::from(tables.class(&found))].get_or_insert(made), made);
            }
        }
        assert!(
            least.is_sorted() && least.iter().all(Option::is_some),
            "classes are in the order of their least bands"
        );
    }
}
