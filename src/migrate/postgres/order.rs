//! Checks that keys are read in their order.

use std::cmp::Ordering;

use crate::migrate::Key;

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
    pub(super) fn of(types: &[String]) -> Self {
        let is_number = |kind: &String| ["smallint", "integer", "bigint"].contains(&kind.as_str());
        if types.iter().all(is_number) { Self::Numbers } else { Self::Asked }
    }

    pub(super) fn is_asked(self) -> bool {
        self == Self::Asked
    }

    /// Whether a key may come after another, as far as that is known here.
    pub(super) fn may_follow(self, before: &Key, key: &Key) -> bool {
        let pairs = || before.parts().iter().zip(key.parts());
        self.is_asked() || pairs().find_map(|(before, key)| compare(before, key)) == Some(Ordering::Less)
    }
}

/// Compares the first numbers that differ.
fn compare(before: &Key, key: &Key) -> Option<Ordering> {
    let number = |key: &Key| match key {
        Key::Text(text) => std::str::from_utf8(text).ok()?.parse::<i64>().ok(),
        _ => None,
    };
    // Text that is not a number cannot be compared.
    let order = number(before).zip(number(key)).map_or(Ordering::Greater, |(before, key)| before.cmp(&key));
    Some(order).filter(|order| order.is_ne())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let key = |parts: &[&str]| Key::of_parts(parts.iter().map(|part| Key::Text((*part).into())).collect());
        let follows = |before: &[&str], next: &[&str]| KeyOrder::Numbers.may_follow(&key(before), &key(next));
        for (before, next) in
            [(&["9"][..], &["10"][..]), (&["-9"], &["-8"]), (&["1", "9"], &["1", "10"]), (&["9", "1"], &["10", "0"])]
        {
            assert!(follows(before, next) && !follows(next, before) && !follows(next, next), "{before:?} {next:?}");
        }
        assert!(!follows(&["x"], &["1"]) && !follows(&["1"], &["x"]));
        let of = |types: &[&str]| KeyOrder::of(&types.iter().map(|kind| kind.to_string()).collect::<Vec<_>>());
        assert_eq!((of(&["integer", "bigint"]), of(&["integer", "text"])), (KeyOrder::Numbers, KeyOrder::Asked));
    }
}
