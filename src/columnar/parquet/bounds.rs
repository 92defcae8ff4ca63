//! Minima and maxima of floats. The crate writes those of the total order of IEEE 754, in which -0 is less than +0 and
//! NaN has a place. In the older order of the type, which most files and programs have, a zero stands for both, and NaN is
//! not allowed.

use super::fields::{BYTES, LIST, StructFields, contents, elements, encoded_bytes, list};

/// Fields of statistics: a minimum and a maximum, in the newer and the older form, and whether they are exact.
const BOUNDS: [(i16, Bound); 4] = [(6, Bound::Least), (5, Bound::Greatest), (2, Bound::Least), (1, Bound::Greatest)];
const ARE_EXACT: [i16; 2] = [7, 8];

/// Fields of an index of pages.
const NULL_PAGES: i16 = 1;
const MINIMA: i16 = 2;
const MAXIMA: i16 = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Least,
    Greatest,
}

/// Removes the minimum and maximum from statistics.
pub(super) fn drop_bounds(statistics: &mut StructFields<'_>) {
    let fields = BOUNDS.map(|(field, _)| field);
    fields.into_iter().chain(ARE_EXACT).for_each(|field| statistics.remove(field));
}

/// Makes zeros in statistics stand for those of both signs. If all numbers are NaN, there is no minimum and no maximum.
pub(super) fn with_zeros_of_both_signs(statistics: &mut StructFields<'_>) {
    for (field, bound) in BOUNDS {
        let Some(old) = statistics.get(field) else { continue };
        match contents(old).and_then(|old| of_type_order(old, bound)) {
            Some(new) => statistics.set(field, BYTES, encoded_bytes(&new)),
            None => return drop_bounds(statistics),
        }
    }
}

/// Does the same in an index of pages. Returns nothing if all numbers of a page are NaN: such an index has no place for
/// this page.
pub(super) fn without_numbers_that_are_none(index: &[u8]) -> Option<Vec<u8>> {
    let mut fields = StructFields::of(index)?;
    let nulls = fields.elements(NULL_PAGES)?.concat();
    for (field, bound) in [(MINIMA, Bound::Least), (MAXIMA, Bound::Greatest)] {
        let pages = elements(fields.get(field)?)?;
        // A true element is 1.
        let new = pages.iter().zip(&nulls).map(|(&page, &is_null)| match is_null {
            1 => Some(page.to_vec()),
            _ => of_type_order(contents(page)?, bound).map(|new| encoded_bytes(&new)),
        });
        let new = list(BYTES, &new.collect::<Option<Vec<_>>>()?);
        fields.set(field, LIST, new);
    }
    Some(fields.write())
}

/// Returns a minimum or maximum of floats in the order of the type. The bytes of floats begin with the lowest.
fn of_type_order(float: &[u8], bound: Bound) -> Option<Vec<u8>> {
    let (high, low) = float.split_last()?;
    let is_zero = high & 0x7f == 0 && low.iter().all(|byte| *byte == 0);
    let is_nan = match *float {
        [a, b] => u16::from_le_bytes([a, b]) & 0x7fff > 0x7c00,
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]).is_nan(),
        _ => f64::from_le_bytes(float.try_into().ok()?).is_nan(),
    };
    let sign = if bound == Bound::Least { 0x80 } else { 0 };
    let high = if is_zero { sign } else { *high };
    (!is_nan).then(|| [low, &[high]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statistics(min: f64, max: f64) -> Vec<u8> {
        let mut fields = StructFields::of(&[0]).expect("no fields");
        for (field, bound) in BOUNDS {
            let number = if bound == Bound::Least { min } else { max };
            fields.set(field, BYTES, encoded_bytes(&number.to_le_bytes()));
        }
        fields.write()
    }

    #[test]
    fn a_zero_stands_for_both_and_nan_for_none() {
        let of_type = |min, max| {
            let old = statistics(min, max);
            let mut fields = StructFields::of(&old).expect("statistics");
            with_zeros_of_both_signs(&mut fields);
            fields.write()
        };
        assert_eq!(of_type(0.0, -0.0), statistics(-0.0, 0.0));
        assert_eq!(of_type(-1.5, f64::INFINITY), statistics(-1.5, f64::INFINITY));
        assert_eq!(of_type(f64::NAN, f64::NAN), [0]);
        assert_eq!(of_type_order(&[0, 0x80], Bound::Greatest), Some(vec![0, 0]));
        assert_eq!(of_type_order(&[1, 0x7c], Bound::Least), None);
        assert_eq!(of_type_order(&[0, 0x7c], Bound::Least), Some(vec![0, 0x7c]));
        assert_eq!(of_type_order(&[1, 0, 0xc0, 0xff], Bound::Least), None);
    }

    #[test]
    fn an_index_of_pages_does_the_same() {
        let index = |pages: &[Option<f64>]| {
            let mut fields = StructFields::of(&[0]).expect("no fields");
            let nulls: Vec<_> = pages.iter().map(|page| [if page.is_none() { 1 } else { 2 }]).collect();
            fields.set(NULL_PAGES, LIST, list(1, &nulls));
            let bound = |number: &Option<f64>| number.map_or(vec![0], |number| encoded_bytes(&number.to_le_bytes()));
            let bounds: Vec<_> = pages.iter().map(bound).collect();
            [MINIMA, MAXIMA].into_iter().for_each(|field| fields.set(field, LIST, list(BYTES, &bounds)));
            fields.write()
        };
        let new = without_numbers_that_are_none(&index(&[Some(0.0), None, Some(2.5)])).expect("an index");
        let fields = StructFields::of(&new).expect("an index");
        assert_eq!(fields.elements(MINIMA).expect("minima")[0], encoded_bytes(&(-0.0_f64).to_le_bytes()));
        assert_eq!(
            fields.get(MAXIMA),
            StructFields::of(&index(&[Some(0.0), None, Some(2.5)])).expect("an index").get(MAXIMA)
        );
        assert_eq!(without_numbers_that_are_none(&index(&[Some(1.0), Some(f64::NAN)])), None);
    }
}
