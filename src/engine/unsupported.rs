//! How many records have something on their board that no kind of board has, by its name.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::amounts::grouped;
use crate::error::Refused;

/// The most names that are counted each on its own, since strings may hold any names: the first ones of a run.
const MOST_NAMES: usize = 1_000;

/// The most names that the summary lists.
const MOST_LISTED: usize = 10;

/// Records that were refused because of what no kind of board has, by its name. A record counts for each of its names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnsupportedNames {
    records: BTreeMap<String, u64>,
    others: u64,
}

impl UnsupportedNames {
    /// Adds the refused records of the next part of a run. The rows of a record are adjacent.
    pub(super) fn take(&mut self, rows: &[Refused]) {
        for record in rows.chunk_by(|one, next| one.at == next.at) {
            let refused = record.iter().filter(|row| !row.warning);
            let names: BTreeSet<&String> = refused.flat_map(|row| &row.reject.names).collect();
            let mut has_others = false;
            for name in names {
                if let Some(records) = self.records.get_mut(name) {
                    *records += 1;
                } else if self.records.len() < MOST_NAMES {
                    self.records.insert(name.clone(), 1);
                } else {
                    has_others = true;
                }
            }
            self.others += u64::from(has_others);
        }
    }

    /// The names and the number of records of each: the most frequent first, and the others in the order of the names.
    pub fn by_frequency(&self) -> Vec<(&str, u64)> {
        let mut names: Vec<_> = self.records.iter().map(|(name, &records)| (name.as_str(), records)).collect();
        names.sort_by_key(|&(_, records)| std::cmp::Reverse(records));
        names
    }

    /// The records with names that came when there were already 1,000 others.
    pub fn others(&self) -> u64 {
        self.others
    }

    /// The lines of the summary of a run with so many records.
    pub(super) fn lines(&self, records: u64) -> Vec<String> {
        let names = self.by_frequency();
        let of = |count: u64| format!("{} of {}", grouped(count), grouped(records));
        let mut lines: Vec<_> =
            names.iter().take(MOST_LISTED).map(|(name, count)| format!("{}: {name}", of(*count))).collect();
        let more = names.len().saturating_sub(MOST_LISTED);
        if self.others > 0 {
            lines.push(format!("and {} more, and other names in {}", grouped(more as u64), of(self.others)));
        } else if more > 0 {
            lines.push(format!("and {more} more"));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_NAMES, Refused, UnsupportedNames};
    use crate::error::{Code, Reject};

    fn row(at: usize, names: &[&str], warning: bool) -> Refused {
        let names: Vec<_> = names.iter().map(|name| (*name).to_string()).collect();
        let record = b"board".as_slice().into();
        Refused { line: at as u64, at, reject: Reject::unsupported(names), record, too_long: None, warning }
    }

    /// Each record counts once for each of its names, however many rows it has, and warnings do not count.
    #[test]
    fn records_count_once_for_each_name() {
        let mut names = UnsupportedNames::default();
        let other = Refused { reject: Reject::whole(Code::Unsupported, "c"), ..row(3, &[], false) };
        names.take(&[
            row(0, &["b", "a"], false),
            row(0, &["b"], false),
            row(1, &["b"], true),
            row(2, &["b"], false),
            other,
        ]);
        names.take(&[row(0, &["a", "x, y"], false)]);
        assert_eq!(names.by_frequency(), [("a", 2), ("b", 2), ("x, y", 1)]);
        assert_eq!(names.lines(5_000), ["2 of 5,000: a", "2 of 5,000: b", "1 of 5,000: x, y"]);
    }

    /// The same records give the same numbers in parts of any size, also if there are more names than are counted.
    #[test]
    fn parts_and_many_names_change_nothing() {
        let rows: Vec<_> = (0..MOST_NAMES + 5)
            .map(|at| row(at, &["all", &format!("unknown: {:04}", (at * 7) % 2_000), &format!("x{at}")], false))
            .collect();
        let mut whole = UnsupportedNames::default();
        whole.take(&rows);
        for size in [1, 3, 1_000] {
            let mut parts = UnsupportedNames::default();
            rows.chunks(size).for_each(|part| parts.take(part));
            assert_eq!(parts, whole);
        }
        assert_eq!((whole.by_frequency().len(), whole.by_frequency()[0]), (MOST_NAMES, ("all", 1_005)));
        // Of the record in which the last place was taken, one name is among the others.
        assert_eq!(whole.others(), 506);
        let lines = whole.lines(1_005);
        assert_eq!((lines.len(), lines[10].as_str()), (11, "and 990 more, and other names in 506 of 1,005"));
    }
}
