//! Metadata of files, as keys and values: what is not in the output, and what does not hold for it, is said.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::amounts::counted;
use crate::error::shown_path;
use crate::output::note;

/// Keys and values.
pub(super) type Metadata = BTreeMap<String, String>;

/// The key of pandas.
const PANDAS: &str = "pandas";

/// How many keys are named.
const MOST_KEYS: usize = 5;

/// Says which metadata of an input is not in the output, which has that of the first one.
pub(super) fn note_left_out(first: (&Path, &Metadata), other: (&Path, &Metadata)) {
    let is_lost = |(key, value): &(&String, &String)| first.1.get(*key) != Some(*value);
    let lost: Vec<_> = other.1.iter().filter(is_lost).map(|(key, _)| format!("{key:?}")).collect();
    if lost.is_empty() {
        return;
    }
    let more = lost.len().saturating_sub(MOST_KEYS);
    let more = if more > 0 { format!(" and {}", counted(more as u64, "other key")) } else { String::new() };
    let keys = lost[..lost.len().min(MOST_KEYS)].join(", ");
    note(format!(
        "{}: its metadata {keys}{more} is not in the output, which has that of {}",
        shown_path(other.0),
        shown_path(first.0)
    ));
}

/// Says if pandas will not find the index of rows that its metadata describes as a range. `read` and `written` are the
/// numbers of rows.
pub(super) fn note_range_of_pandas(metadata: &Metadata, (read, written): (u64, u64)) {
    let Some(range) = metadata.get(PANDAS).and_then(|pandas| range(pandas)) else { return };
    // Rows that are numbered from 0 go on to be so when others follow them.
    let is_lost = if range.is_usual { read != written } else { range.rows != i128::from(written) || read != written };
    if is_lost {
        note(format!(
            "pandas' index of the rows ({}) is only described in the metadata, which does not fit the {} of the output: \
             pandas will number them from 0; DataFrame.reset_index() makes it a column, which stays",
            range.words,
            counted(written, "row")
        ));
    }
}

/// An index that pandas describes as a range.
struct Range {
    rows: i128,
    /// It has no name, begins at 0, and increases by 1.
    is_usual: bool,
    words: String,
}

fn range(pandas: &str) -> Option<Range> {
    let pandas: Value = serde_json::from_str(pandas).ok()?;
    let range = pandas["index_columns"].as_array()?.iter().find(|index| index["kind"] == "range")?;
    let [start, stop, step] = ["start", "stop", "step"].map(|name| range[name].as_i64().map(i128::from));
    let (start, stop, step) = (start?, stop?, step.filter(|step| *step != 0)?);
    let rows = ((stop - start + step - step.signum()) / step).max(0);
    let name = &range["name"];
    let is_usual = start == 0 && step == 1 && name.is_null();
    let name = name.as_str().map_or(String::new(), |name| format!("{name:?}: "));
    let steps = if step == 1 { String::new() } else { format!(" in steps of {step}") };
    Some(Range { rows, is_usual, words: format!("{name}{start} up to {stop}{steps}") })
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn a_range_has_as_many_rows_as_in_python() {
        for (start, stop, step, rows) in [(10, 40, 10, 3), (10, 41, 10, 4), (0, 0, 1, 0), (5, 0, -2, 3), (0, 5, -1, 0)]
        {
            let text = format!(
                r#"{{"index_columns": [{{"kind": "range", "name": "k", "start": {start}, "stop": {stop}, "step": {step}}}]}}"#
            );
            let range = range(&text).expect("a range");
            assert_eq!((range.rows, range.is_usual), (rows, false), "{text}");
        }
        assert!(range(r#"{"index_columns": ["k"]}"#).is_none());
        assert!(range("{").is_none());
        let usual = r#"{"index_columns": [{"kind": "range", "name": null, "start": 0, "stop": 2, "step": 1}]}"#;
        assert!(range(usual).is_some_and(|range| range.is_usual && range.words == "0 up to 2"));
    }
}
