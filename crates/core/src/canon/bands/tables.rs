//! The tables of all bands up to the names of digits: their classes, and the orders of rows and columns that make each
//! of them least.
//!
//! A band has a number below 72,576 after its digits are named by their place in its left box, and the columns of each
//! other box are sorted by their top digit. There are 56 ways to distribute digits among the rows of the middle box
//! (the right box has the others), times 36 orders of the two lower rows of the middle box under its sorted top row,
//! times 36 of those of the right box. Naming and sorting are maps, so no class is lost.

use std::hint::select_unpredictable;
use std::sync::OnceLock;

use crate::board::BATCH;

/// The orders of three things.
pub(super) const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The number of numbered bands.
const BANDS: usize = 56 * 36 * 36;

/// The number of column orders that keep stacks together.
const COLUMN_ORDERS: usize = 1296;

/// The number of classes of bands, as counted by Red Ed and others.
const CLASSES: usize = 416;

/// The number of orders, over all numbered bands of a class, that make a band least: 6 orders of rows, times 6 of
/// stacks, times 6 of the columns of one box.
const MEMBERS: usize = 216;

/// The distance between the first orders of two classes; a power of two, so that indices are computed without a
/// multiplication.
const CLASS_ORDERS: usize = 256;

/// The class of a band, numbered in the order of the least bands, and the orders that make it least. It is one word,
/// because there is one lookup per band: the class is in the highest 16 bits. The other bits are the order itself if
/// there is only one, as for most bands, so that it need not be looked up; otherwise [`SEVERAL`], the index of the
/// first order in those of the class, and their number.
#[derive(Clone, Copy, Default)]
pub(super) struct BandOrders(u32);

/// The bit of [`BandOrders`] that is set if there are several orders.
const SEVERAL: u32 = 1 << 15;

/// The bits for the number of orders, which is at most 108: the number of orders that leave the band with rows
/// 123456789, 456789123 and 789123456 unchanged.
const COUNT_BITS: u32 = 7;

impl BandOrders {
    pub(super) const NONE: Self = Self(0);

    fn new(class: usize, first: usize, orders: &[(u32, Order)]) -> Self {
        let orders = match *orders {
            [(_, order)] => order.into(),
            _ => SEVERAL | (first as u32) << COUNT_BITS | orders.len() as u32,
        };
        Self((class as u32) << 16 | orders)
    }

    #[inline(always)]
    pub(super) fn class(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// Returns the number of orders.
    #[inline(always)]
    pub(super) fn count(self) -> usize {
        if self.0 & SEVERAL == 0 { 1 } else { (self.0 & ((1 << COUNT_BITS) - 1)) as usize }
    }
}

/// A row order and a column order, in the lowest bits.
pub(super) type Order = u16;

/// The bits for the number of a column order; together with those for a row order they are fewer than the bits below
/// [`SEVERAL`].
const COLUMN_BITS: u32 = 11;

/// A band as rows of digits.
type Band = [[u8; 9]; 3];

/// The tables; about 530 kB.
pub(super) struct BandTables {
    /// The columns, sorted in the middle and the right box, indexed by the orders of the top rows of these boxes as
    /// digits of base 6.
    sorted: [[u8; 16]; 36],
    /// Indexed by band number.
    bands: Vec<BandOrders>,
    /// [`MEMBERS`] orders for each class; those of class c begin at c times [`CLASS_ORDERS`].
    orders: Vec<Order>,
    columns: Vec<[u8; 16]>,
}

/// Returns the tables, which are made once.
pub(super) fn tables() -> &'static BandTables {
    static TABLES: OnceLock<BandTables> = OnceLock::new();
    TABLES.get_or_init(BandTables::new)
}

impl BandTables {
    /// Looks up the bands of boards by the distribution of their digits and the orders of their lower rows.
    #[inline(always)]
    pub(super) fn bands(&self, shares: &[u8; BATCH], middle: &[u8; BATCH], right: &[u8; BATCH]) -> [BandOrders; BATCH] {
        let (mut numbers, mut orders) = ([0; BATCH], [BandOrders::default(); BATCH]);
        for i in 0..BATCH {
            numbers[i] = number(shares[i], middle[i], right[i]).min(BANDS as u32 - 1);
        }
        // The lookups are done one after the other, through a slice whose length the compiler does not know: otherwise
        // it would use gather instructions, which takes longer.
        let bands = self.bands.as_slice();
        for (orders, number) in orders.iter_mut().zip(numbers) {
            *orders = bands[number as usize];
        }
        orders
    }

    /// Returns order `k` of those of a band.
    #[inline(always)]
    pub(super) fn order(&self, of: BandOrders, k: usize) -> Order {
        let several = of.0 & SEVERAL != 0;
        let number = (of.0 >> 16) as usize * CLASS_ORDERS + ((of.0 & (SEVERAL - 1)) >> COUNT_BITS) as usize + k;
        // If there is only one order, the lookup always reads the same entry, which is in the cache. There is no
        // branch, because it would be mispredicted.
        let order = self.orders[select_unpredictable(several, number, 0)];
        select_unpredictable(several, order, of.0 as Order)
    }

    /// Returns the meaning of an order for a band whose top rows have the orders `sorted`: the number of the row order,
    /// and two orders of columns, of which the second is applied to the result of the first.
    #[inline(always)]
    pub(super) fn columns(&self, sorted: u8, order: Order) -> (usize, &[u8; 16], &[u8; 16]) {
        let (rows, columns) = (order >> COLUMN_BITS, order & ((1 << COLUMN_BITS) - 1));
        (rows.into(), &self.sorted[usize::from(sorted) % 36], &self.columns[usize::from(columns)])
    }

    fn new() -> Self {
        let mut tables = Self {
            sorted: sorted_columns(),
            bands: vec![BandOrders::default(); BANDS],
            orders: vec![0; CLASSES * CLASS_ORDERS],
            columns: column_orders(),
        };
        let shared = shares();
        let mut classes = Vec::with_capacity(CLASSES);
        let mut seen = vec![false; BANDS];
        for number in 0..BANDS {
            if !seen[number] {
                let least = tables.least(&band(number, &shared));
                let mut members = tables.members(&least);
                members.iter().for_each(|&(member, _)| seen[member as usize] = true);
                members.sort_unstable();
                classes.push((least, members));
            }
        }
        classes.sort_unstable();
        let orders = tables.orders.as_chunks_mut::<CLASS_ORDERS>().0.iter_mut();
        for (class, ((_, members), orders)) in classes.iter().zip(orders).enumerate() {
            let mut first = 0;
            for same in members.chunk_by(|a, b| a.0 == b.0) {
                tables.bands[same[0].0 as usize] = BandOrders::new(class, first, same);
                first += same.len();
            }
            orders.iter_mut().zip(members).for_each(|(order, member)| *order = member.1);
        }
        tables
    }

    /// Returns the least band that a band can become, with digits from 1.
    fn least(&self, band: &Band) -> [u8; 27] {
        let mut least = [u8::MAX; 27];
        for rows in ORDERS.map(|order| order.map(|row| band[usize::from(row)])) {
            // Two of the three digits below the left box's top row are in the top row of the same other box. This can
            // be the middle box, so the least second row begins with 4 and 5. The columns of the right box make no
            // difference here, so six orders are checked at a time.
            let begins_with_4_and_5 = |columns: &[u8; 16]| {
                let [first, second, _, four, five] = [0, 1, 2, 3, 4].map(|i| usize::from(columns[i]));
                rows[1][first] == rows[0][four] && rows[1][second] == rows[0][five]
            };
            let orders = self.columns.as_chunks::<6>().0.iter().filter(|orders| begins_with_4_and_5(&orders[0]));
            for columns in orders.flatten().filter_map(|columns| columns.first_chunk::<9>()) {
                let mut names = [0; 9];
                for (&column, name) in columns.iter().zip(1..) {
                    names[usize::from(rows[0][usize::from(column)])] = name;
                }
                let made = rows.map(|row| columns.map(|column| names[usize::from(row[usize::from(column)])]));
                if made.as_flattened() < &least[..] {
                    least.copy_from_slice(made.as_flattened());
                }
            }
        }
        least
    }

    /// Returns the numbered bands that become a least band, each with the orders that do it. They are the images of the
    /// least band under the inverse orders; sorting the middle and the right box leaves 216 of these.
    fn members(&self, least: &[u8; 27]) -> Vec<(u32, Order)> {
        let mut members = Vec::with_capacity(MEMBERS);
        for (row_order, rows) in ORDERS.iter().enumerate() {
            let row_at = inverse(rows);
            for (stack_order, stacks) in ORDERS.iter().enumerate() {
                let [left, middle, right] = inverse(stacks);
                for (inner, columns) in ORDERS.iter().enumerate() {
                    let mut names = [0; 10];
                    for (i, &column) in columns.iter().enumerate() {
                        for (row, digits) in rows.iter().zip(least.as_chunks::<9>().0) {
                            names[usize::from(digits[3 * left + i])] = 3 * row + column;
                        }
                    }
                    // The digits in a row of the member, in a stack of the least band whose columns are not sorted.
                    let named = |row: usize, stack: usize| {
                        [0, 1, 2].map(|i| names[usize::from(least[9 * row_at[row] + 3 * stack + i])])
                    };
                    let sorted = |stack: usize| {
                        let [a, b, c] = named(0, stack);
                        usize::from(order_of(a, b, c))
                    };
                    let lower = |stack: usize| {
                        let places = ORDERS[sorted(stack)];
                        let orders = [1, 2].map(|row| {
                            let mut moved = [0; 3];
                            places.iter().zip(named(row, stack)).for_each(|(&to, name)| moved[usize::from(to)] = name);
                            order_of(moved[0], moved[1], moved[2])
                        });
                        lower_orders(orders)
                    };
                    let set = |row: usize| named(row, middle).iter().fold(0, |set, name| set | 1_u16 << name);
                    let number = number(share(share_keys(set(0), set(1))), lower(middle), lower(right));
                    let order = (0..3).fold(stack_order, |order, stack| {
                        6 * order + if stack == left { inner } else { sorted(stack) }
                    });
                    members.push((number, (row_order << COLUMN_BITS | order) as Order));
                }
            }
        }
        members
    }
}

/// Returns the number of the order of three different values: that of their ranks in [`ORDERS`].
#[inline(always)]
pub(super) fn order_of(a: u8, b: u8, c: u8) -> u8 {
    2 * (u8::from(b < a) + u8::from(c < a)) + u8::from(c < b)
}

/// Returns the combined number, below 36, of the orders of the two lower rows of a box.
#[inline(always)]
pub(super) fn lower_orders([second, third]: [u8; 2]) -> u8 {
    6 * second + third
}

/// Returns how the digits that are not in the left box's top row are distributed among the rows of the middle box, as a
/// number below 56. The digits are named from 0 by the left box; `top` is the set of 3..=8 in the middle box's top row,
/// and `second` the set of 0, 1, 2, 6, 7, 8 in its middle row, one bit each.
#[inline(always)]
pub(super) fn share([top, second]: [u8; 2]) -> u8 {
    // Either there is one of 3, 4, 5 and there are two of 6, 7, 8 and two of 0, 1, 2, or the other way round. In each
    // of the three groups, one digit is separate from the other two. Or there are all or none of each group.
    let (low, high, rest) = (top & 7, top >> 3 & 7, second & 7);
    let two = if low & (low >> 1 | low >> 2) != 0 { 7 } else { 0 };
    let odd = low ^ two;
    let number = 9 * (odd >> 1) + 3 * ((high ^ two ^ 7) >> 1) + ((rest ^ two ^ 7) >> 1);
    let two = two & 1;
    if odd == 0 { 54 + two } else { 27 * two + number }
}

/// Returns the number of a band.
#[inline(always)]
fn number(share: u8, middle: u8, right: u8) -> u32 {
    1296 * u32::from(share) + 36 * u32::from(middle) + u32::from(right)
}

/// Inverts an order: returns the thing at each place.
fn inverse(places: &[u8; 3]) -> [usize; 3] {
    let mut things = [0; 3];
    places.iter().enumerate().for_each(|(thing, &place)| things[usize::from(place)] = thing);
    things
}

/// Returns the part of a band's number that depends on the digits in the top and the middle row of its middle box.
fn share_keys(top: u16, second: u16) -> [u8; 2] {
    [top >> 3, second & 7 | second >> 6 << 3].map(|key| key as u8)
}

/// The columns, sorted in the middle and the right box, indexed by the orders of the top rows of these boxes as digits
/// of base 6.
fn sorted_columns() -> [[u8; 16]; 36] {
    let mut all = [[0; 16]; 36];
    for (code, sorted) in all.iter_mut().enumerate() {
        let (middle, right) = (inverse(&ORDERS[code / 6]), inverse(&ORDERS[code % 6]));
        for i in 0..3 {
            sorted[i] = i as u8;
            sorted[3 + i] = 3 + middle[i] as u8;
            sorted[6 + i] = 6 + right[i] as u8;
        }
    }
    all
}

fn column_orders() -> Vec<[u8; 16]> {
    let mut orders = Vec::with_capacity(COLUMN_ORDERS);
    for stacks in ORDERS {
        for inner in (0..216).map(|number| [number / 36, number / 6 % 6, number % 6]) {
            let column = |i: usize| if i < 9 { 3 * stacks[i / 3] + ORDERS[inner[i / 3]][i % 3] } else { 0 };
            orders.push(std::array::from_fn(column));
        }
    }
    orders
}

/// Returns the ways to distribute digits among the rows of the middle box, and thus of the right one, ordered by their
/// numbers.
fn shares() -> Vec<[u16; 3]> {
    let triples = |of: u16| (0..512_u16).filter(move |set| set & !of == 0 && set.count_ones() == 3);
    let mut shares = Vec::new();
    for top in triples(0b111_111_000) {
        for second in triples(0b111_000_111 & !top) {
            let third = 0b111_111_111 & !top & !second;
            if third & 0b111_000_000 == 0 {
                shares.push([top, second, third]);
            }
        }
    }
    shares.sort_unstable_by_key(|&[top, second, _]| share(share_keys(top, second)));
    shares
}

/// Returns the band with a number.
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

    /// Computes the number of a single band: its share and the orders of its lower rows; and the orders of the top rows
    /// of its middle and right box, 0 if both ascend.
    fn keys(band: &[u8; 27]) -> ([u8; 3], u8) {
        let mut names = [0; 16];
        for (at, name) in [0, 1, 2, 9, 10, 11, 18, 19, 20].into_iter().zip(0_u8..) {
            names[usize::from(band[at] & 15)] = name;
        }
        let row = |at: usize| [at, at + 1, at + 2].map(|at| names[usize::from(band[at] & 15)]);
        let order = |[a, b, c]: [u8; 3]| order_of(a, b, c);
        let lower = |at: usize| {
            let mut columns: Vec<[u8; 3]> = (0..3).map(|i| [row(at)[i], row(at + 9)[i], row(at + 18)[i]]).collect();
            columns.sort_unstable();
            lower_orders([1, 2].map(|i| order([columns[0][i], columns[1][i], columns[2][i]])))
        };
        let set = |at: usize| row(at).iter().fold(0, |set, name| set | 1_u16 << name);
        let share = share(share_keys(set(3), set(12)));
        ([share, lower(3), lower(6)], order(row(3)) * 6 + order(row(6)))
    }

    #[test]
    fn the_numbers_of_the_literature() {
        let tables = tables();
        assert_eq!(tables.bands.iter().map(|band| band.class() as usize + 1).max(), Some(CLASSES));
        let mut members = [0; CLASSES];
        tables.bands.iter().for_each(|band| members[band.class() as usize] += band.count());
        assert_eq!((members, CLASSES * MEMBERS), ([MEMBERS; CLASSES], 89_856));
        assert_eq!(tables.columns.len(), COLUMN_ORDERS);
        assert_eq!(shares().len(), 56);
        // Each numbered band represents as many bands as sorting undoes: 36 times 9! names, of 9! * 72,576 * 36 in all.
        assert_eq!(BANDS * 36, 2_612_736);
    }

    /// Returns the least band over all orders of rows and columns.
    fn least_of_all(tables: &BandTables, band: &Band) -> [u8; 27] {
        let of_rows = |rows: Band| {
            tables.columns.iter().map(move |columns| {
                let columns: [u8; 9] = std::array::from_fn(|j| columns[j]);
                let mut names = [0; 9];
                (0..9).for_each(|j| names[usize::from(rows[0][usize::from(columns[j])])] = j as u8 + 1);
                rows.map(|row| columns.map(|column| names[usize::from(row[usize::from(column)])]))
            })
        };
        let all = ORDERS.iter().flat_map(|order| of_rows(order.map(|row| band[usize::from(row)])));
        let least = all.min().expect("some orders");
        *least.as_flattened().first_chunk().expect("27 digits")
    }

    #[test]
    fn no_order_makes_a_band_less_than_its_least() {
        let (tables, shared) = (tables(), shares());
        for number in (0..BANDS).step_by(if cfg!(miri) { 20_011 } else { 211 }) {
            let band = band(number, &shared);
            assert_eq!(tables.least(&band), least_of_all(tables, &band), "{number}");
        }
    }

    #[test]
    fn every_numbered_band_has_its_number_and_becomes_the_least_of_its_class() {
        let (tables, shared) = (tables(), shares());
        let mut least = vec![None; CLASSES];
        for number in 0..BANDS {
            let rows = band(number, &shared);
            let (keys, sorted) = keys(rows.as_flattened().first_chunk().expect("27 digits"));
            let [share, middle, right] = keys;
            assert_eq!((super::number(share, middle, right) as usize, sorted), (number, 0));
            let [share, middle, right] = keys.map(|key| [key; BATCH]);
            let [orders, ..] = tables.bands(&share, &middle, &right);
            assert!(orders.count() > 0);
            for k in 0..orders.count() {
                let (row_order, sorted, columns) = tables.columns(sorted, tables.order(orders, k));
                let columns: [u8; 9] = std::array::from_fn(|j| sorted[usize::from(columns[j])]);
                let rows = ORDERS[row_order].map(|row| rows[usize::from(row)]);
                let mut names = [0; 9];
                (0..9).for_each(|j| names[usize::from(rows[0][usize::from(columns[j])])] = j as u8 + 1);
                let made = rows.map(|row| columns.map(|column| names[usize::from(row[usize::from(column)])]));
                assert_eq!(*least[orders.class() as usize].get_or_insert(made), made);
            }
        }
        assert!(
            least.is_sorted() && least.iter().all(Option::is_some),
            "classes are in the order of their least bands"
        );
    }
}
