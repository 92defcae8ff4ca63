//! The shared vectors in columns.

use gridmill_columns::{BadStrings, Session, convert, validate};
use gridmill_core::Format;
use gridmill_core::convert::{CheckLevel, Checks, Conversion};
use gridmill_core::formats::{FormatLayouts, Hints, Layout};
use gridmill_core::kernels::{SCALAR, best};

use crate::support::{chunk, strings, vectors};
use crate::verdicts::words;

/// The program's name for one of the oracle's formats.
fn id(oracle: &str) -> Option<(Format, Hints)> {
    let layouts = FormatLayouts::default().with(Format::V2, Layout::Spec);
    let hints = Hints { layouts: layouts.with(Format::V1, Layout::Site), ..Hints::default() };
    let snippet = Hints { layouts: layouts.with(Format::V1, Layout::Snippet), ..Hints::default() };
    Some(match oracle {
        "plain81" | "killer-plain" | "str8ts-plain" => (Format::Plain, hints),
        "wiki-v1" | "killer-v1" | "str8ts-v1" => (Format::V1, hints),
        "str8ts-v1-snippet" => (Format::V1, snippet),
        "sasha32" => (Format::Offset32, hints),
        "v2" => (Format::V2, hints),
        "wolfram" => (Format::Wolfram, hints),
        _ => return None,
    })
}

/// Every good string is converted to the string of its board: by itself and in a column with all others of its file,
/// with the scalar kernel and the best one, and in columns of three types.
#[test]
fn good_vectors_are_converted_and_are_right() {
    for file in ["plain81.tsv", "wiki-v1.tsv", "sasha32.tsv", "v2.tsv", "wolfram.tsv", "killer-v1.tsv", "str8ts-v1.tsv"]
    {
        let rows = vectors(file);
        let Some((from, hints)) = rows.first().and_then(|row| id(&row[0])) else { continue };
        let texts: Vec<Option<&str>> = rows.iter().map(|row| Some(row[1].as_str())).collect();
        let same = Conversion { from: Some(from), hints, to: from, ..Conversion::default() };
        for kernel in [&SCALAR, best()] {
            for of in 0..3 {
                let session = Session { conversion: same, kernel, ..Session::default() };
                let columns = [chunk(of, &texts)];
                let done = convert(&columns, &session, BadStrings::Null).unwrap();
                assert_eq!(done.refused.rows, [], "{file}");
                for (row, new) in rows.iter().zip(strings(&done.chunks)) {
                    let canonical = row.get(4).filter(|text| !text.is_empty()).unwrap_or(&row[1]);
                    assert_eq!(new.as_ref(), Some(canonical));
                }
                let checks = Checks { level: CheckLevel::Syntax, ..Checks::default() };
                let session = Session { conversion: Conversion { checks, ..same }, ..session };
                let verdicts = validate(&columns, &session).unwrap();
                assert!(crate::verdicts::ok(&verdicts).iter().all(|&ok| ok == Some(true)), "{file}");
            }
        }
    }
}

/// Bad strings have the same code and cell as in the core (whose own tests compare them with the vectors).
#[test]
fn bad_vectors_are_refused_with_the_same_code_and_cell() {
    let mut seen = 0;
    for row in vectors("bad.tsv") {
        let Some((from, hints)) = id(&row[0]) else { continue };
        let evidence = gridmill_core::formats::Evidence::default();
        let alone = gridmill_core::formats::read_one(row[1].as_bytes(), Some(from), &hints, &evidence);
        // An empty string stays empty.
        let Err(alone) = alone else { continue };
        if row[1].is_empty() {
            continue;
        }
        for kernel in [&SCALAR, best()] {
            for of in 0..3 {
                let conversion = Conversion { from: Some(from), hints, ..Conversion::default() };
                let session = Session { conversion, kernel, ..Session::default() };
                let columns = [chunk(of, &[None, Some(&row[1])])];
                let done = convert(&columns, &session, BadStrings::Null).unwrap();
                let refused = done.refused.first().expect("it is bad");
                assert_eq!(
                    (refused.record, refused.reject.code, refused.reject.cell),
                    (1, alone.code, alone.cell),
                    "{row:?}"
                );
                let verdict = validate(&columns, &session).unwrap();
                let said = ["code", "cell"].map(|column| words(&verdict[0], column).pop().flatten());
                assert_eq!(said, [Some(alone.code.to_string()), alone.cell.map(|cell| cell.to_string())], "{row:?}");
                seen += 1;
            }
        }
    }
    assert!(seen > 700 || vectors("bad.tsv").is_empty(), "{seen}");
}
