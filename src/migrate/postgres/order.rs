//! The types of keys, and a check that keys are read in their order.

use std::cmp::Ordering;

use crate::migrate::KeyValue;

/// The type of a column of the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyType {
    /// Its name in statements.
    pub(super) name: String,
    /// Whether its values are whole numbers of at most 64 bits.
    pub(super) is_number: bool,
}

impl KeyType {
    pub(super) fn new(name: String) -> Self {
        Self { is_number: ["smallint", "integer", "bigint"].contains(&name.as_str()), name }
    }
}

/// How the order is checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum KeyOrder {
    /// The server compares each row with the previous one, which takes reading half as long again.
    #[default]
    Asked,
    /// All columns are whole numbers, which are compared here.
    Numbers,
}

impl KeyOrder {
    /// For columns of these types.
    pub(super) fn of(types: &[KeyType]) -> Self {
        if types.iter().all(|key_type| key_type.is_number) { Self::Numbers } else { Self::Asked }
    }

    pub(super) fn is_asked(self) -> bool {
        self == Self::Asked
    }

    /// Whether a key may come after another, as far as that is known here.
    pub(super) fn may_follow(self, before: &KeyValue, key: &KeyValue) -> bool {
        let pairs = || before.parts().iter().zip(key.parts());
        self.is_asked() || pairs().find_map(|(before, key)| compare(before, key)) == Some(Ordering::Less)
    }
}

/// The value of a whole number in decimal.
pub(super) fn number(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Compares the first numbers that differ.
fn compare(before: &KeyValue, key: &KeyValue) -> Option<Ordering> {
    let value = |key: &KeyValue| match key {
        KeyValue::Text(text) => number(text),
        _ => None,
    };
    // Text that is not a number cannot be compared.
    let order = value(before).zip(value(key)).map_or(Ordering::Greater, |(before, key)| before.cmp(&key));
    Some(order).filter(|order| order.is_ne())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let key =
            |parts: &[&str]| KeyValue::of_parts(parts.iter().map(|part| KeyValue::Text((*part).into())).collect());
        let follows = |before: &[&str], next: &[&str]| KeyOrder::Numbers.may_follow(&key(before), &key(next));
        for (before, next) in
            [(&["9"][..], &["10"][..]), (&["-9"], &["-8"]), (&["1", "9"], &["1", "10"]), (&["9", "1"], &["10", "0"])]
        {
            assert!(follows(before, next) && !follows(next, before) && !follows(next, next), "{before:?} {next:?}");
        }
        assert!(!follows(&["x"], &["1"]) && !follows(&["1"], &["x"]));
        let of =
            |types: &[&str]| KeyOrder::of(&types.iter().map(|name| KeyType::new(name.to_string())).collect::<Vec<_>>());
        assert_eq!((of(&["integer", "bigint"]), of(&["integer", "text"])), (KeyOrder::Numbers, KeyOrder::Asked));
    }
}
