//! Random columns, compared with the program.

use arrow_array::ArrayRef;
use gridmill_columns::{BadStrings, LayoutEvidence, Session, convert, rewritten_type, weigh};
use gridmill_core::Format;
use gridmill_core::board::{Batch, Cell, Shape};
use gridmill_core::convert::{CheckLevel, Checks, Conversion};
use gridmill_core::make::Mix;
use gridmill_core::{Kind, Side};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::{STRINGS, TYPES, chunk, column, made, program, said, site, strings};

/// The rows of chunks: indices of strings, or null.
fn rows() -> impl Strategy<Value = Vec<Vec<Option<prop::sample::Index>>>> {
    let row = prop::option::weighted(0.9, any::<prop::sample::Index>());
    vec(vec(row, 0..200), 0..4)
}

fn formats() -> impl Strategy<Value = Format> {
    prop::sample::select(vec![Format::V2, Format::V2, Format::V1, Format::Plain, Format::V0, Format::Wolfram])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn columns_become_what_the_program_makes_of_the_same_strings(
        rows in rows(), of in 0..TYPES, to in formats(), lossy: bool, rules: bool, threads in 1..4_usize
    ) {
        let rows: Vec<Vec<Option<&str>>> = rows
            .iter()
            .map(|rows| rows.iter().map(|row| row.as_ref().map(|row| row.get(&STRINGS).as_str())).collect())
            .collect();
        let level = if rules { CheckLevel::Rules } else { CheckLevel::Syntax };
        let conversion =
            Conversion { to, lossy, checks: Checks { level, ..Checks::default() }, ..Conversion::default() };
        let chunks: Vec<ArrayRef> = rows.iter().map(|rows| chunk(of, rows)).collect();
        let session = Session { conversion, threads, ..Session::default() };
        let expected = program(&rows.concat(), conversion);
        let kept = convert(&chunks, &session, BadStrings::Keep).unwrap();
        prop_assert_eq!(kept.chunks.len(), chunks.len());
        prop_assert_eq!(said(&kept.refused), expected.refused);
        prop_assert_eq!(strings(&kept.chunks), &expected.strings[..]);
        let nulled = convert(&chunks, &session, BadStrings::Null).unwrap();
        prop_assert_eq!(&nulled.refused, &kept.refused);
        let mut nulls = expected.strings;
        kept.refused.rows.iter().for_each(|refused| nulls[refused.record] = None);
        prop_assert_eq!(strings(&nulled.chunks), nulls);
        for (old, new) in chunks.iter().zip(&nulled.chunks) {
            prop_assert_eq!(&rewritten_type(old.data_type()).unwrap(), new.data_type());
            prop_assert_eq!(old.len(), new.len());
            new.to_data().validate_full().unwrap();
        }
    }
}

/// Enough rows for several threads and blocks, with some of another width, some refused and some null.
#[test]
fn threads_and_blocks_change_nothing() {
    let good: Vec<&String> = STRINGS.iter().filter(|string| string.len() == 162).collect();
    let rows: Vec<Option<&str>> = (0..20_000)
        .map(|row| match row {
            _ if row % 9001 == 8000 => Some("bad"),
            _ if row % 7001 == 6000 => None,
            _ if row % 11_003 == 10_000 => Some(""),
            _ if row > 15_000 && row % 5003 == 0 => Some(STRINGS[row % STRINGS.len()].as_str()),
            _ => Some(good[row % good.len()].as_str()),
        })
        .collect();
    let expected = program(&rows, Conversion::default());
    for of in [0, 2, 3] {
        for cuts in [vec![0, 20_000], vec![0, 17, 2065, 2065, 15_000, 20_000]] {
            let chunks: Vec<ArrayRef> = cuts.windows(2).map(|cut| chunk(of, &rows[cut[0]..cut[1]])).collect();
            for threads in [1, 3] {
                let done = convert(&chunks, &Session { threads, ..Session::default() }, BadStrings::Keep).unwrap();
                assert!(strings(&done.chunks) == expected.strings, "{of} {cuts:?} {threads}");
                assert_eq!(said(&done.refused), expected.refused);
            }
        }
    }
}

/// Str8ts strings, some of which do not determine their layout: with the evidence of the call they are read as in a
/// file; one by one with that of all; without evidence they are refused.
#[test]
fn evidence_is_that_of_a_file() {
    let batch = made(Kind::Str8ts, Side::NINE, Mix::Progress, 3, 64).unwrap();
    let mut all = site(&batch);
    // Boards with a single solved cell, which is another digit in each layout.
    let mut lone = Batch::new();
    lone.reset(Shape::new(Kind::Str8ts, Side::NINE), 64);
    for board in 0..64 {
        (0..81).for_each(|cell| lone.set_cell(board, cell, Cell::Empty));
        lone.set_cell(board, board, Cell::Solved(1 + board as u8 % 8));
    }
    all.extend(site(&lone));
    let rows: Vec<Option<&str>> = (0..10_000).map(|row| Some(all[row * 7 % all.len()].as_str())).collect();
    let strings_of: Vec<&str> = rows.iter().flatten().copied().collect();
    let expected = program(&rows, Conversion::default());
    let columns = column(&strings_of);
    let session = Session::default();
    let done = convert(&columns, &session, BadStrings::Keep).unwrap();
    assert!(strings(&done.chunks) == expected.strings);
    assert_eq!(said(&done.refused), expected.refused);
    let evidence = weigh(&columns, &session).unwrap();
    let session = Session { evidence: LayoutEvidence::Given(evidence), ..Session::default() };
    for (row, string) in strings_of.iter().enumerate() {
        let one = convert(&column(&[string]), &session, BadStrings::Keep).unwrap();
        assert_eq!(strings(&one.chunks)[0], expected.strings[row]);
    }
    let session = Session { evidence: LayoutEvidence::Nothing, ..Session::default() };
    let refused = convert(&columns, &session, BadStrings::Null).unwrap().refused;
    assert!(refused.count() > 0 && refused.codes.keys().all(|code| code.name() == "ambiguous"), "{:?}", refused.codes);
}
