//! Keys in SQL: conditions and orders for the rows to be read next.

use crate::migrate::KeyValue;

/// A column of a key.
#[derive(Debug, Clone, Default)]
pub(in crate::migrate) struct KeyColumn {
    /// Its name, quoted if necessary.
    pub(in crate::migrate) quoted: String,
    /// The expression to compare and sort by: the column with the collation of its unique index.
    pub(in crate::migrate) order: String,
    /// Whether it is generated from other columns.
    pub(in crate::migrate) is_generated: bool,
}

/// The key by which rows are found.
#[derive(Debug, Clone, Default)]
pub(in crate::migrate) struct RowKey {
    /// Its columns, in the order of its index.
    pub(in crate::migrate) columns: Vec<KeyColumn>,
    /// Whether the server uses an index of several columns only if each is compared separately.
    pub(in crate::migrate) one_by_one: bool,
    /// A further condition on rows.
    pub(in crate::migrate) filter: Option<String>,
}

impl RowKey {
    /// The expressions to sort by.
    pub(in crate::migrate) fn order(&self) -> String {
        self.columns.iter().map(|column| column.order.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Its columns, quoted.
    pub(in crate::migrate) fn quoted(&self) -> String {
        self.columns.iter().map(|column| column.quoted.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// A condition: a column of the key is NULL.
    pub(in crate::migrate) fn is_null(&self) -> String {
        self.columns.iter().map(|column| format!("{} IS NULL", column.quoted)).collect::<Vec<_>>().join(" OR ")
    }

    /// A condition: the key compares with these values.
    pub(in crate::migrate) fn is(&self, operator: &str, values: &[String]) -> String {
        let mut pairs: Vec<_> = self.columns.iter().map(|column| &column.order).zip(values).collect();
        let is = |(column, value): (&String, &String), operator: &str| format!("{column} {operator} {value}");
        if operator == "=" {
            return pairs.into_iter().map(|pair| is(pair, "=")).collect::<Vec<_>>().join(" AND ");
        }
        if !self.one_by_one && pairs.len() > 1 {
            return format!("({}) {operator} ({})", self.order(), values.join(", "));
        }
        let last = pairs.pop().map_or(String::new(), |pair| is(pair, operator));
        // `<=` applies to the last column only; earlier columns need `<`.
        let strict = operator.trim_end_matches('=');
        pairs
            .into_iter()
            .rev()
            .fold(last, |rest, pair| format!("({} OR ({} AND {rest}))", is(pair, strict), is(pair, "=")))
    }

    /// The rest of a query for rows after `after` and up to `last`.
    pub(in crate::migrate) fn range(&self, after: Option<&[String]>, last: Option<&[String]>) -> String {
        let after = after.map(|after| self.is(">", after));
        let last = last.map(|last| self.is("<=", last));
        self.filtered(after.into_iter().chain(last))
    }

    /// What follows the table in a query for rows that meet all these conditions.
    pub(in crate::migrate) fn filtered(&self, conditions: impl IntoIterator<Item = String>) -> String {
        // A comment may be its end.
        let filter = self.filter.as_ref().map(|filter| format!("({filter}\n)"));
        let conditions: Vec<_> = conditions.into_iter().chain(filter).collect();
        if conditions.is_empty() { String::new() } else { format!("WHERE {} ", conditions.join(" AND ")) }
    }

    /// The same in the order of their keys, at most `limit` rows.
    #[cfg(any(feature = "databases", test))]
    pub(in crate::migrate) fn page(&self, after: Option<&[String]>, last: Option<&[String]>, limit: usize) -> String {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        format!("{}ORDER BY {} LIMIT {limit}", self.range(after, last), self.order())
    }
}

/// Two queries that are both valid only if the condition is a single expression: text that closes the parenthesis in
/// one of them has none to close in the other. Each is prepared as a single statement without parameters, and would
/// return no rows.
pub(in crate::migrate) fn trials_of(filter: &str, table: &str) -> [String; 2] {
    [
        format!("SELECT CASE WHEN {filter}\n THEN 1 END FROM {table} LIMIT 0"),
        format!("SELECT 1 FROM {table} WHERE ({filter}\n) LIMIT 0"),
    ]
}

/// The message for a row that does not come after the previous one. `help` says what to do.
pub(in crate::migrate) fn out_of_order(key: &KeyValue, before: Option<&KeyValue>, help: &str) -> String {
    let before = before.map_or("the rows before".into(), |before| format!("the row with key {}", before.shown()));
    format!("the row with key {} comes after {before}: {help}", key.shown())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions() {
        let column = |name: &str| KeyColumn { quoted: name.into(), order: name.into(), is_generated: false };
        let key = |names: &[&str], one_by_one| RowKey {
            columns: names.iter().map(|name| column(name)).collect(),
            one_by_one,
            filter: None,
        };
        let values = |values: &[&str]| values.iter().map(|value| value.to_string()).collect::<Vec<_>>();
        let three = values(&["1", "2", "3"]);
        assert_eq!(key(&["a"], true).is("<=", &three[..1]), "a <= 1");
        assert_eq!(key(&["a", "b", "c"], false).is(">", &three), "(a, b, c) > (1, 2, 3)");
        assert_eq!(key(&["a", "b", "c"], false).is("=", &three), "a = 1 AND b = 2 AND c = 3");
        assert_eq!(key(&["a", "b", "c"], true).is(">", &three), "(a > 1 OR (a = 1 AND (b > 2 OR (b = 2 AND c > 3))))");
        assert_eq!(key(&["a", "b"], true).is("<=", &three[..2]), "(a < 1 OR (a = 1 AND b <= 2))");
        let page = key(&["a", "b"], false).page(Some(&three[..2]), None, 9);
        assert_eq!(page, "WHERE (a, b) > (1, 2) ORDER BY a, b LIMIT 9");
        let some = RowKey { filter: Some("n = 1 OR n = 2 -- or".into()), ..key(&["a"], false) };
        assert_eq!(some.range(None, Some(&three[..1])), "WHERE a <= 1 AND (n = 1 OR n = 2 -- or\n) ");
    }
}
