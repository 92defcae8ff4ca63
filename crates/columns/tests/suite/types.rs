//! Types of columns, and empty columns.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::{Array, ArrayRef, Int64Array, StringArray};
use arrow_schema::DataType;
use gridmill_columns::{BadStrings, CallError, Session, convert, detect, solve, validate};
use gridmill_core::convert::Conversion;

use crate::support::{TYPES, chunk, dictionary, strings};

const PUZZLE: &str = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";

#[test]
fn other_types_are_refused_by_their_names() {
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let text: ArrayRef = Arc::new(StringArray::from(vec!["1"]));
    for chunks in [vec![numbers.clone()], vec![text, numbers]] {
        let Err(CallError::Type(name)) = convert(&chunks, &Session::default(), BadStrings::Null) else {
            panic!("it has a type")
        };
        assert!(name.contains("Int64"), "{name}");
    }
}

#[test]
fn columns_without_rows_stay_so() {
    for of in 0..TYPES {
        assert!(convert(&[], &Session::default(), BadStrings::Null).unwrap().chunks.is_empty());
        let empty = [chunk(of, &[]), chunk(of, &[None, Some("")])];
        let done = convert(&empty, &Session::default(), BadStrings::Null).unwrap();
        assert_eq!(strings(&done.chunks), [None, Some(String::new())]);
        assert_eq!(strings(&solve(&empty, &Session::default()).unwrap().chunks), [None, None]);
        let rows = |chunks: Vec<ArrayRef>| chunks.iter().map(|chunk| chunk.len()).collect::<Vec<_>>();
        assert_eq!(rows(validate(&empty, &Session::default()).unwrap()), [0, 2]);
        assert_eq!(rows(detect(&empty, &Session::default()).unwrap()), [0, 2]);
    }
}

#[test]
fn dictionaries_keep_their_indices() {
    for chunk in dictionary(PUZZLE) {
        let done = convert(std::slice::from_ref(&chunk), &Session::default(), BadStrings::Null).unwrap();
        let new = strings(&done.chunks);
        assert!(new[0].as_ref().is_some_and(|string| string.starts_with("S9B01")));
        assert_eq!([&new[1], &new[2], &new[3], &new[4]], [&None, &None, &None, &new[0]]);
        // A row has the string 'worse', but no row has 'bad'.
        let refused: Vec<_> = done.refused.rows.iter().map(|refused| refused.record).collect();
        assert_eq!(refused, [3]);
        let (DataType::Dictionary(old, _), DataType::Dictionary(key, _)) =
            (chunk.data_type(), done.chunks[0].data_type())
        else {
            panic!("dictionaries")
        };
        assert_eq!(old, key);
        assert_eq!(done.chunks[0].nulls().map(|nulls| nulls.null_count()), Some(3));
        let kept = convert(std::slice::from_ref(&chunk), &Session::default(), BadStrings::Keep).unwrap();
        assert_eq!(strings(&kept.chunks)[3].as_deref(), Some("worse"));
    }
}

#[test]
fn line_ends_are_digits_and_comments_are_records() {
    let long = "1".repeat(65_537);
    let rows = [Some("1\n2"), Some("12\r"), Some("# 12"), Some(long.as_str()), Some(PUZZLE)];
    let with_end = format!("{PUZZLE}\r");
    for of in 0..TYPES {
        let chunk = [chunk(of, &[&rows[..], &[Some(with_end.as_str())]].concat())];
        let done = convert(&chunk, &Session::default(), BadStrings::Null).unwrap();
        let codes: Vec<_> = done.refused.rows.iter().map(|row| (row.record, row.reject.code.name())).collect();
        assert_eq!(codes, [(0, "digit"), (1, "digit"), (2, "length"), (3, "toolong"), (5, "digit")]);
    }
}

/// A string with a line end is invalid in every format.
#[test]
fn no_string_with_a_line_end_is_taken() {
    for string in crate::support::STRINGS.iter().filter(|string| string.len() < 1000 && string.is_ascii()) {
        let ends = [format!("\n{}", string.get(1..).unwrap_or_default()), format!("{string}\n"), format!("{string}\r")];
        for with in &ends {
            let done = convert(&[chunk(1, &[Some(with)])], &Session::default(), BadStrings::Null).unwrap();
            let code = done.refused.first().map(|refused| refused.reject.code.name());
            assert!(matches!(code, Some("digit" | "toolong")), "{with:?}: {code:?}");
        }
    }
}

#[test]
fn binary_strings_that_are_no_text_are_not_kept() {
    let column: ArrayRef = Arc::new(arrow_array::BinaryArray::from(vec![&b"\xff"[..], b"no", PUZZLE.as_bytes()]));
    let kept = convert(&[column], &Session::default(), BadStrings::Keep).unwrap();
    assert_eq!(strings(&kept.chunks)[..2], [None, Some("no".to_string())]);
    assert_eq!(kept.refused.count(), 2);
}

#[test]
fn only_the_first_refusal_is_listed_if_that_is_enough() {
    let session = Session { list_refused: false, ..Session::default() };
    let done = convert(&[chunk(0, &[Some(PUZZLE), Some("a"), None, Some("b")])], &session, BadStrings::Null).unwrap();
    assert_eq!((done.refused.rows.len(), done.refused.count(), done.refused.rows[0].record), (1, 2, 1));
}

#[test]
fn interruption_stops_a_call() {
    let session = Session { interrupted: &|| true, conversion: Conversion::default(), ..Session::default() };
    let done = convert(&[chunk(0, &[Some(PUZZLE)])], &session, BadStrings::Null);
    assert!(matches!(done, Err(CallError::Interrupted)));
}

/// Interruption also works between the puzzles of a block, since each may take the solver long.
#[test]
fn interruption_stops_a_call_that_solves() {
    let asked = AtomicUsize::new(0);
    let interrupted = || asked.fetch_add(1, Ordering::Relaxed) > 0;
    let session = Session { interrupted: &interrupted, ..Session::default() };
    let done = solve(&[chunk(0, &[Some(PUZZLE); 100])], &session);
    assert!(matches!(done, Err(CallError::Interrupted)));
    assert_eq!(asked.into_inner(), 2);
}

#[test]
fn refused_rows_are_a_column() {
    let not_text: ArrayRef = Arc::new(arrow_array::BinaryArray::from(vec![PUZZLE.as_bytes(), &b"\xff"[..]]));
    let chunks = [not_text.slice(0, 1), not_text.slice(0, 0), not_text.slice(1, 1), not_text];
    let refused = convert(&chunks, &Session::default(), BadStrings::Null).unwrap().refused;
    let rows = gridmill_columns::refused_rows(&chunks, &refused).unwrap();
    let rows = arrow_array::RecordBatch::from(arrow_array::cast::AsArray::as_struct(&rows).clone());
    assert_eq!(*rows.column(0).as_ref(), Int64Array::from(vec![1, 3]));
    assert_eq!(*rows.column(1).as_ref(), StringArray::from(vec!["length", "length"]));
    assert_eq!(rows.column(2).null_count(), 2);
    assert_eq!(*rows.column(4).as_ref(), StringArray::from(vec!["\\xff", "\\xff"]));
}
