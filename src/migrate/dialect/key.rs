//! What names rows, as it stands in statements, and which rows come next.

use crate::migrate::Key;

/// A column of a key.
#[derive(Debug, Clone, Default)]
pub(in crate::migrate) struct KeyColumn {
    /// Its name between quotes, where they are needed.
    pub(in crate::migrate) quoted: String,
    /// What is compared and sorted: the column, with the collation of the index in which it is unique.
    pub(in crate::migrate) order: String,
    /// The database makes it from others.
    pub(in crate::migrate) is_made: bool,
}

/// What names rows.
#[derive(Debug, Clone, Default)]
pub(in crate::migrate) struct RowKey {
    /// Its column.
    pub(in crate::migrate) column: KeyColumn,
}

impl RowKey {
    /// What rows are sorted by.
    pub(in crate::migrate) fn order(&self) -> &str {
        &self.column.order
    }

    /// Whether a row's key compares with a value like this, as a condition.
    pub(in crate::migrate) fn is(&self, operator: &str, value: &str) -> String {
        format!("{} {operator} {value}", self.order())
    }

    /// What follows the table in a query for rows in the order of their keys: after `after`, up to `last`, at most `limit`.
    pub(in crate::migrate) fn page(&self, after: Option<&str>, last: Option<&str>, limit: usize) -> String {
        let after = after.map(|after| self.is(">", after));
        let last = last.map(|last| self.is("<=", last));
        let conditions: Vec<_> = after.into_iter().chain(last).collect();
        let filter = if conditions.is_empty() { String::new() } else { format!("WHERE {} ", conditions.join(" AND ")) };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        format!("{filter}ORDER BY {} LIMIT {limit}", self.order())
    }
}

/// What is said of a row that does not come after the one before, and what helps.
pub(in crate::migrate) fn out_of_order(key: &Key, before: Option<&Key>, help: &str) -> String {
    let before = before.map_or("the rows before".into(), |before| format!("that with key {}", before.shown()));
    format!("the row with key {} comes after {before}: {help}", key.shown())
}
