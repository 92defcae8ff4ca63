//! Tables and JSON lines with complete grids beside puzzles that no format reads, or that are missing. The grids are never taken
//! for the puzzles; where they may be wanted, it is said that they were taken.

use gridmill::framing::{NamedPlace, guess};

use super::hidden::{PUZZLES, texts};
use crate::random::Rng;

/// A puzzle in a notation that is not known, or what is left of it.
fn unknown(puzzle: &str, sort: usize, rng: &mut Rng) -> String {
    let cells = puzzle.char_indices().filter(|(_, digit)| *digit != '0');
    let cells: Vec<_> = cells.map(|(at, digit)| (at / 9 + 1, at % 9 + 1, digit)).collect();
    let listed = |between: &str, one: &dyn Fn(&(usize, usize, char)) -> String| {
        cells.iter().map(one).collect::<Vec<_>>().join(between)
    };
    let number = rng.below(100_000);
    match sort {
        0 => listed(" ", &|(row, column, digit)| format!("r{row}c{column}={digit}")),
        1 => listed("; ", &|(row, column, digit)| format!("R{row}C{column} {digit}")),
        2 => listed("|", &|(row, column, digit)| format!("r{row}c{column}:{digit}")),
        3 => puzzle.bytes().map(|digit| format!("{:x}", digit & 15 | 16)).collect(),
        4 => format!("https://example.org/s/{number}"),
        5 => {
            listed("", &|(row, column, digit)| format!("{}{digit}", char::from(b'a' + (row * 9 + column) as u8 % 26)))
                + "zq7"
        }
        // From here on, only the name tells.
        6 => format!("img/{number}.png"),
        7 => String::new(),
        8 => "NULL".into(),
        9 => "nan".into(),
        10 => "None".into(),
        11 => format!("a{number:019x}"),
        _ => "-".into(),
    }
}

/// The number of these sorts, and of those that show it themselves.
const SORTS: [usize; 2] = [13, 6];

const NAMES: [&str; 8] =
    ["puzzle", "Puzzles", "quizzes", "question", "sudoku_puzzle", "initial board", "givens", "unsolvedGrid"];

/// Other columns, with values that are no puzzles.
fn other(sort: usize, rng: &mut Rng) -> (&'static str, String) {
    let number = rng.below(10_000);
    match sort {
        0 => ("id", number.to_string()),
        1 => ("level", rng.pick(&["easy", "hard", "diabolical"]).to_string()),
        2 => ("rating", format!("{}.{}", number / 100, number % 10)),
        3 => ("puzzle_id", number.to_string()),
        4 => ("date", format!("2024-{:02}-{:02}", 1 + number % 12, 1 + number % 28)),
        5 => ("puzzle", number.to_string()),
        6 => ("key", format!("e3b0c44298fc1c149afb{number:012x}")),
        _ => ("puzzle_source", format!("book {number}")),
    }
}

/// The text of rows with these names of columns, as a table or as JSON lines.
fn written(names: &[&str], rows: &[Vec<String>], rng: &mut Rng, header: bool) -> String {
    let mut text = String::new();
    if header && rng.once_in(3) {
        for row in rows {
            let value = |field: &String| match is_null(field) {
                true => "null".to_string(),
                false => format!("\"{field}\""),
            };
            let fields: Vec<_> =
                names.iter().zip(row).map(|(name, field)| format!("\"{name}\":{}", value(field))).collect();
            text.push_str(&format!("{{{}}}\n", fields.join(",")));
        }
        return text;
    }
    let delimiter = *rng.pick(&[",", "\t", ","]);
    let head: Vec<String> = names.iter().map(|name| name.to_string()).collect();
    for row in header.then_some(&head).into_iter().chain(rows) {
        text.push_str(&format!("{}\n", row.join(delimiter)));
    }
    text
}

fn is_null(field: &str) -> bool {
    field.is_empty() || field == "NULL"
}

#[test]
fn complete_grids_are_not_taken_for_puzzles_in_unknown_notations() {
    let mut rng = Rng(43);
    for _ in 0..texts() {
        let has_header = !rng.once_in(4);
        let sort = rng.below(SORTS[usize::from(!has_header)]);
        let (name, is_first) = (*rng.pick(&NAMES), rng.once_in(2));
        let with_other = rng.once_in(2).then(|| rng.below(8)).filter(|&sort| sort != 5);
        let rows: Vec<Vec<String>> = (0..1 + rng.below(9))
            .map(|_| {
                let (puzzle, solution) = rng.pick(&PUZZLES).clone();
                let mut row = vec![unknown(&puzzle, sort, &mut rng), solution];
                if !is_first {
                    row.reverse();
                }
                row.extend(with_other.map(|sort| other(sort, &mut rng).1));
                row
            })
            .collect();
        let mut names = vec![name, "solution"];
        if !is_first {
            names.reverse();
        }
        names.extend(with_other.map(|sort| other(sort, &mut Rng(1)).0));
        let text = written(&names, &rows, &mut rng, has_header);
        let place = |puzzles| NamedPlace { puzzles, ..NamedPlace::default() };
        let shown = match (has_header, is_first) {
            (true, _) => name.to_string(),
            (false, true) => "column 1".into(),
            (false, false) => "column 2".into(),
        };
        let refused = guess(text.as_bytes(), None, true, &place(true)).expect_err(&text).to_string();
        assert!(refused.contains(&shown), "{refused}\n{text}");
        // What looks like boards is refused here, too.
        let said = match guess(text.as_bytes(), None, true, &place(false)) {
            Ok(found) => found.note.unwrap_or_default(),
            Err(unsure) => unsure.to_string(),
        };
        assert!(said.contains(&shown), "{said}\n{text}");
    }
}

/// A column of complete grids is read beside everything that holds no puzzles, whatever is wanted.
#[test]
fn complete_grids_are_read_beside_other_things() {
    let mut rng = Rng(44);
    for _ in 0..texts() {
        let sorts: Vec<usize> = (0..8).filter(|_| rng.once_in(3)).collect();
        let sorts = if sorts.is_empty() { vec![rng.below(8)] } else { sorts };
        let at = rng.below(sorts.len() + 1);
        let rows: Vec<Vec<String>> = (0..1 + rng.below(9))
            .map(|_| {
                let mut row: Vec<_> = sorts.iter().map(|&sort| other(sort, &mut rng).1).collect();
                row.insert(at, rng.pick(&PUZZLES).1.clone());
                row
            })
            .collect();
        let mut names: Vec<_> = sorts.iter().map(|&sort| other(sort, &mut Rng(1)).0).collect();
        names.insert(at, *rng.pick(&["solution", "grid", "answer", "bd"]));
        let text = written(&names, &rows, &mut rng, true);
        for puzzles in [false, true] {
            let found = guess(text.as_bytes(), None, true, &NamedPlace { puzzles, ..NamedPlace::default() });
            let found = found.map_err(|unsure| format!("{unsure}\n{text}")).expect("it is read");
            assert!(found.flags().contains(names[at]) && found.note.is_none(), "{found:?}\n{text}");
        }
    }
}
