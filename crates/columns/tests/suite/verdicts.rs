//! Verdicts on strings.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt8Type, UInt32Type};
use arrow_array::{Array, ArrayRef};
use gridmill_columns::{Session, detect, detected_type, solve, validate, verdict_type};
use gridmill_core::convert::{CheckLevel, Checks, Conversion};

use crate::support::{STRINGS, chunk, program, strings};

/// The column `ok` of verdicts.
pub(crate) fn ok(chunks: &[ArrayRef]) -> Vec<Option<bool>> {
    chunks.iter().flat_map(|chunk| chunk.as_struct().column(0).as_boolean().iter().collect::<Vec<_>>()).collect()
}

/// A column of strings of verdicts.
pub(crate) fn words(chunk: &ArrayRef, column: &str) -> Vec<Option<String>> {
    let column = chunk.as_struct().column_by_name(column).expect("a column");
    column.as_string::<i32>().iter().map(|words| words.map(str::to_string)).collect()
}

const PUZZLE: &str = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
const SOLUTION: &str = "174385962293467158586192734451923876928674315367851249719548623635219487842736591";

#[test]
fn puzzles_are_solved_and_counted() {
    let twice = format!("11{}", &PUZZLE[2..]);
    let empty = ".".repeat(81);
    // A wrong solved cell: in v2, which distinguishes them from clues.
    let v2 = gridmill_core::convert(PUZZLE).unwrap();
    let wrong = format!("{}{}{}", &v2[..7], "0h", &v2[9..]);
    let rows = [Some(PUZZLE), None, Some(""), Some("bad"), Some(&twice), Some(&empty), Some(&wrong)];
    let column = [chunk(2, &rows)];
    let checks = Checks { level: CheckLevel::Unique, max_solutions: 5, ..Checks::default() };
    let session = Session { conversion: Conversion { checks, ..Conversion::default() }, ..Session::default() };
    let verdicts = validate(&column, &session).unwrap();
    assert_eq!(*verdicts[0].data_type(), verdict_type());
    let no = Some(false);
    assert_eq!(ok(&verdicts), [Some(true), None, None, no, no, no, no]);
    let codes: Vec<_> = words(&verdicts[0], "code").into_iter().map(Option::unwrap_or_default).collect();
    assert_eq!(codes, ["", "", "", "length", "duplicate", "many-solutions", "wrong-progress"]);
    let cells: Vec<_> = words(&verdicts[0], "cell").into_iter().map(Option::unwrap_or_default).collect();
    assert_eq!((cells[4].as_str(), cells[6].as_str()), ("r1c2", "r1c3"));
    let solutions: Vec<_> =
        verdicts[0].as_struct().column_by_name("solutions").unwrap().as_primitive::<UInt32Type>().iter().collect();
    assert_eq!(solutions, [Some(1), None, None, None, Some(0), Some(5), Some(1)]);
    let mut expected = vec![None; 7];
    expected[0] = Some(SOLUTION.to_string());
    assert_eq!(strings(&solve(&column, &Session::default()).unwrap().chunks), expected);
    // Without the option there is no number.
    let verdicts = validate(&column, &Session::default()).unwrap();
    assert_eq!(verdicts[0].as_struct().column_by_name("solutions").unwrap().null_count(), 7);
}

/// Enough rows for several threads and blocks, and one chunk in which all have one solution.
#[test]
fn solutions_stand_in_their_rows_whatever_the_blocks() {
    let mirrored: String = PUZZLE.chars().rev().collect();
    let its_solution: String = SOLUTION.chars().rev().collect();
    let (rows, expected): (Vec<_>, Vec<_>) = (0..20_000)
        .map(|row| match row {
            _ if row % 9001 == 8000 => (Some("bad"), None),
            _ if row % 7001 == 6000 => (None, None),
            _ if row % 11_003 == 10_000 => (Some(""), None),
            _ if row % 3 == 0 => (Some(mirrored.as_str()), Some(its_solution.clone())),
            _ => (Some(PUZZLE), Some(SOLUTION.to_string())),
        })
        .unzip();
    let cuts = [0, 17, 5000, 20_000];
    for (of, threads) in [(0, 1), (2, 3)] {
        let chunks: Vec<ArrayRef> = cuts.windows(2).map(|cut| chunk(of, &rows[cut[0]..cut[1]])).collect();
        let done = solve(&chunks, &Session { threads, ..Session::default() }).unwrap();
        assert!(strings(&done.chunks) == expected, "{of} {threads}");
        assert_eq!(done.refused.count(), 2);
    }
}

/// If none of the first strings has a solution, the width of solutions is not known yet.
#[test]
fn many_strings_without_a_solution_come_first() {
    let row = |row| if row < 400 { (Some("bad"), None) } else { (Some(PUZZLE), Some(SOLUTION.to_string())) };
    let (rows, expected): (Vec<_>, Vec<_>) = (0..3000).map(row).unzip();
    for of in 0..3 {
        let done = solve(&[chunk(of, &rows)], &Session::default()).unwrap();
        assert!(strings(&done.chunks) == expected, "{of}");
        assert_eq!(done.refused.count(), 400);
    }
}

/// All strings, at each level, have the same codes, cells and messages as in the program.
#[test]
fn verdicts_are_those_of_the_program() {
    let rows: Vec<Option<&str>> =
        STRINGS.iter().filter(|string| string.len() < 600).map(|string| Some(string.as_str())).collect();
    let column = [chunk(0, &rows)];
    for level in [CheckLevel::Syntax, CheckLevel::Rules, CheckLevel::Unique] {
        let checks = Checks { level, effort: 1000, ..Checks::default() };
        let conversion = Conversion { checks, ..Conversion::default() };
        let expected = program(&rows, Conversion { emit: gridmill::engine::Emit::AsTheyAre, ..conversion });
        let verdicts = validate(&column, &Session { conversion, ..Session::default() }).unwrap();
        let [codes, cells, messages] = ["code", "cell", "message"].map(|column| words(&verdicts[0], column));
        for (row, &ok) in ok(&verdicts).iter().enumerate() {
            assert_eq!(ok, rows[row].filter(|row| !row.is_empty()).map(|_| !expected.refused.contains_key(&row)));
            let Some(refused) = expected.refused.get(&row) else { continue };
            let message = gridmill_core::error::escape(messages[row].as_ref().unwrap().as_bytes());
            let found = (codes[row].clone().unwrap(), cells[row].clone().unwrap_or_default(), message);
            assert_eq!(found, *refused);
        }
    }
}

#[test]
fn warnings_do_not_refuse() {
    // r1c2 has the candidates 1 and 2, and r1c1 is 1.
    let stale = format!("S9B01{:0>2}{}", "0l", "00".repeat(79));
    let checks = Checks { level: CheckLevel::Rules, ..Checks::default() };
    let session = Session { conversion: Conversion { checks, ..Conversion::default() }, ..Session::default() };
    let verdicts = validate(&[chunk(0, &[Some(&stale), Some(PUZZLE)])], &session).unwrap();
    assert_eq!(ok(&verdicts), [Some(true), Some(true)]);
    let warnings = verdicts[0].as_struct().column_by_name("warnings").unwrap().as_list::<i32>().clone();
    assert_eq!(warnings.value(1).len(), 0);
    assert!(warnings.value(0).as_string::<i32>().value(0).starts_with("stale at r1c2: "), "{:?}", warnings.value(0));
}

#[test]
fn strings_are_detected() {
    let v2 = gridmill_core::convert(PUZZLE).unwrap();
    let rows = [Some(PUZZLE), Some(&v2), None, Some(""), Some("bad"), Some("K6C")];
    let found = &detect(&[chunk(3, &rows)], &Session::default()).unwrap()[0];
    assert_eq!(*found.data_type(), detected_type());
    let names = |column: usize| {
        let names = found.as_struct().column(column).as_dictionary::<Int8Type>().clone();
        let names = names.downcast_dict::<arrow_array::StringArray>().unwrap();
        names.into_iter().map(|name| name.unwrap_or("").to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(0), ["plain", "v2", "", "", "", ""]);
    assert_eq!(names(1), ["sudoku", "sudoku", "", "", "", ""]);
    let sides: Vec<_> = found.as_struct().column(2).as_primitive::<UInt8Type>().iter().collect();
    assert_eq!(sides, [Some(9), Some(9), None, None, None, None]);
    let codes: Vec<_> = words(found, "code").into_iter().map(Option::unwrap_or_default).collect();
    assert_eq!(codes, ["", "", "", "", "length", "length"]);
}
