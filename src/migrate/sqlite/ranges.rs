//! Divides the rows between two keys into ranges of one column each. For a comparison of several columns,
//! `(a, b) > (?, ?)`, SQLite would find only the first row by an index, and then compare every row again.

use std::cmp::Ordering;

use super::Sqlite;
use crate::migrate::KeyValue;

/// Rows with the same values in the first columns of their keys, and with values of the next column in a range. SQLite
/// finds the first and the last of them by an index.
pub(super) struct IndexRange<'k> {
    /// A condition for the rows, with parameters from `?1` on; `None` for all rows.
    pub(super) condition: Option<String>,
    pub(super) values: Vec<&'k KeyValue>,
}

impl<'k> IndexRange<'k> {
    /// Creates a range. `columns` are the columns of the key as expressions to compare, `same` the values of the first
    /// ones, and `bounds` the bounds of the next one.
    fn of(columns: &[&str], same: &'k [KeyValue], bounds: &[(&str, &'k KeyValue)]) -> Self {
        let equal = columns.iter().zip(same).map(|(column, value)| (*column, "=", value));
        let bounds = bounds.iter().map(|(operator, value)| (columns[same.len()], *operator, *value));
        let (mut terms, mut values) = (Vec::new(), Vec::new());
        for (column, operator, value) in equal.chain(bounds) {
            values.push(value);
            terms.push(format!("{column} {operator} ?{}", values.len()));
        }
        Self { condition: Some(terms.join(" AND ")).filter(|condition| !condition.is_empty()), values }
    }
}

/// Ranges, in the order of keys, that contain each row once whose key is after `from` (with `>`), or `from` or after it
/// (with `>=`), and not after `last`. Both keys are equal in their first `same` columns, which are fewer than all.
fn ranges<'k>(
    columns: &[&str],
    from: Option<(&str, &'k KeyValue)>,
    last: Option<&'k KeyValue>,
    same: usize,
) -> Vec<IndexRange<'k>> {
    let end = columns.len() - 1;
    let from = from.map(|(operator, key)| (operator, key.parts()));
    let last = last.map(KeyValue::parts);
    // Only in the last column may the value be equal to that of the bound.
    let above = |n: usize| from.map(|(operator, key)| (if n == end { operator } else { ">" }, &key[n]));
    let below = |n: usize| last.map(|key| (if n == end { "<=" } else { "<" }, &key[n]));
    let mut ranges = Vec::new();
    for (n, (_, key)) in (same + 1..=end).rev().filter_map(|n| Some((n, from?))) {
        ranges.push(IndexRange::of(columns, &key[..n], &above(n).into_iter().collect::<Vec<_>>()));
    }
    let key = from.map(|(_, key)| key).or(last).unwrap_or_default();
    ranges.push(IndexRange::of(columns, &key[..same], &above(same).into_iter().chain(below(same)).collect::<Vec<_>>()));
    for (n, key) in (same + 1..=end).filter_map(|n| Some((n, last?))) {
        ranges.push(IndexRange::of(columns, &key[..n], &below(n).into_iter().collect::<Vec<_>>()));
    }
    ranges
}

impl Sqlite {
    /// Ranges, in the order of keys, of the rows whose keys are after `from` (with `>`), or `from` or after it (with
    /// `>=`), and not after `last`.
    pub(super) fn ranges<'k>(
        &self,
        from: Option<(&str, &'k KeyValue)>,
        last: Option<&'k KeyValue>,
    ) -> rusqlite::Result<Vec<IndexRange<'k>>> {
        let columns: Vec<_> = self.table.key.columns.iter().map(|column| column.order.as_str()).collect();
        let mut same = 0;
        if let (Some((_, from)), Some(last)) = (from, last) {
            while same + 1 < columns.len() && self.compare(same, &from.parts()[same], &last.parts()[same])?.is_eq() {
                same += 1;
            }
        }
        Ok(ranges(&columns, from, last, same))
    }

    /// Compares two values of a column of the key by its collation.
    pub(super) fn compare(&self, column: usize, one: &KeyValue, other: &KeyValue) -> rusqlite::Result<Ordering> {
        let collation = &self.collations[column];
        match (one, other) {
            (KeyValue::Integer(one), KeyValue::Integer(other)) => Ok(one.cmp(other)),
            (KeyValue::Text(one), KeyValue::Text(other)) if collation.is_bytewise => Ok(one.cmp(other)),
            _ => {
                let sql = format!("SELECT (?1 > ?2{0}) - (?1 < ?2{0})", collation.clause);
                let order = self.connection.prepare_cached(&sql)?.query_row([one, other], |row| row.get(0));
                order.map(|order: i64| order.cmp(&0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(columns: &[&str], from: Option<(&str, [i64; 3])>, last: Option<[i64; 3]>, same: usize) -> Vec<String> {
        let key = |parts: [i64; 3]| {
            KeyValue::Several(parts[..columns.len()].iter().copied().map(KeyValue::Integer).collect())
        };
        let (operator, from) = (from.map(|(operator, _)| operator), from.map(|(_, parts)| key(parts)));
        let last = last.map(key);
        let found = ranges(columns, operator.zip(from.as_ref()), last.as_ref(), same);
        let filled = found.iter().map(|range| {
            let values = range.values.iter().zip(1..);
            values.fold(range.condition.clone().unwrap_or_default(), |sql, (value, n)| {
                sql.replace(&format!("?{n}"), &value.shown())
            })
        });
        filled.collect()
    }

    #[test]
    fn ranges_of_one_column_each() {
        let (one, three) = (&["a"][..], &["a", "b", "c"][..]);
        let none: &[&str] = &[""];
        assert_eq!(shown(one, None, None, 0), none);
        assert_eq!(shown(one, Some((">", [1, 0, 0])), None, 0), ["a > 1"]);
        assert_eq!(shown(one, Some((">=", [1, 0, 0])), Some([1, 0, 0]), 0), ["a >= 1 AND a <= 1"]);
        assert_eq!(shown(three, None, None, 0), none);
        let after = ["a = 1 AND b = 2 AND c > 3", "a = 1 AND b > 2", "a > 1"];
        assert_eq!(shown(three, Some((">", [1, 2, 3])), None, 0), after);
        assert_eq!(shown(three, None, Some([4, 5, 6]), 0), ["a < 4", "a = 4 AND b < 5", "a = 4 AND b = 5 AND c <= 6"]);
        let between = |last, same| shown(three, Some((">=", [1, 2, 3])), Some(last), same);
        let parts = [
            "a = 1 AND b = 2 AND c >= 3",
            "a = 1 AND b > 2",
            "a > 1 AND a < 4",
            "a = 4 AND b < 5",
            "a = 4 AND b = 5 AND c <= 6",
        ];
        assert_eq!(between([4, 5, 6], 0), parts);
        let parts = ["a = 1 AND b = 2 AND c >= 3", "a = 1 AND b > 2 AND b < 5", "a = 1 AND b = 5 AND c <= 6"];
        assert_eq!(between([1, 5, 6], 1), parts);
        assert_eq!(between([1, 2, 6], 2), ["a = 1 AND b = 2 AND c >= 3 AND c <= 6"]);
    }
}
