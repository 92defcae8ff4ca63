//! Solutions in appended columns: they are those of `solve`, and are read back.

use std::io::Write;

use gridmill::board::Kind;

use crate::support::{Done, Folder, PLAIN, digits_of_solution, gridmill, run};

fn go(args: &str, stdin: &str) -> Done {
    run(&mut gridmill(args.split_whitespace()), stdin.as_bytes())
}

fn good(args: &str, stdin: &str) -> String {
    String::from_utf8(go(args, stdin).good()).expect("text")
}

/// The last column of each line.
fn last_column(text: &str) -> String {
    text.lines().filter_map(|line| line.rsplit(['\t', ',']).next()).map(|solution| format!("{solution}\n")).collect()
}

/// Puzzles of each kind, and of sudokus and jigsaws of further sides.
fn puzzles() -> Vec<(String, String)> {
    let kinds = Kind::all().map(|kind| format!("--kind {kind}"));
    let sides = ["--side 6", "--side 16", "--side 6 --kind jigsaw", "--side 6 --kind str8ts"].map(String::from);
    let made = |shape| (good(&format!("gen -q --unique {shape} --mix clues --count 2"), ""), shape);
    kinds.chain(sides).map(made).map(|(text, shape)| (shape, text)).collect()
}

#[test]
fn solutions_are_read_back() {
    for (shape, text) in puzzles() {
        let solved = good("solve -q", &text);
        for args in
            ["validate -q --level unique --solutions", "validate -q --add solution", "convert -q --add solution"]
        {
            assert_eq!(last_column(&good(args, &text)), solved, "{shape} {args}");
        }
        assert_eq!(good("validate -q --level unique", &solved), "", "{shape}");
        assert_eq!(good("convert -q", &solved).lines().count(), 2, "{shape}");
        assert!(good("show --ascii", &solved).lines().count() > 12, "{shape}");
        let csv = format!("p\n{text}");
        let table = good("validate -q --level unique --solutions --framing csv --column p", &csv);
        assert_eq!(last_column(&table), format!("solution\n{solved}"), "{shape}");
        let rows: String = text.lines().map(|line| format!("{{\"p\":\"{line}\"}}\n")).collect();
        let lines = good("validate -q --add solution --framing jsonl --field /p", &rows);
        let fields: Vec<_> = solved.lines().map(|solution| format!("\"solution\":\"{solution}\"}}")).collect();
        assert!(lines.lines().zip(&fields).all(|(line, field)| line.ends_with(field)), "{shape} {lines}");
        // Given solutions may have either form.
        let given = "validate -q --level unique --framing csv --column p --solution-column solution";
        assert_eq!(good(given, &table), "", "{shape}");
        let both = text.lines().zip(solved.lines());
        let with_digits: String =
            both.map(|(puzzle, solution)| format!("{puzzle},{}\n", digits_of_solution(solution))).collect();
        assert_eq!(good(given, &format!("p,solution\n{with_digits}")), "", "{shape}");
    }
}

/// Lines of several forms, without solutions or refused, in any order.
#[test]
fn each_record_has_its_own_solution() {
    let folder = Folder::new();
    let all = puzzles();
    let mut lines: Vec<_> = (0..120).filter_map(|at| all[at % all.len()].1.lines().nth(at / all.len() % 2)).collect();
    let empty = "0".repeat(81);
    [3, 50, 51, 100].iter().for_each(|&at| lines.insert(at, &empty));
    [7, 52, 90].iter().for_each(|&at| lines.insert(at, "bad"));
    let text = lines.join("\n") + "\n";
    let mut file = std::fs::File::create(folder.at("in")).expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    let done = run(gridmill(["validate", "-q", "--add", "solution", "in"]).current_dir(folder.path()), b"");
    let expected: String = lines
        .iter()
        .filter(|line| **line != "bad")
        .map(|line| format!("{line}\t{}\n", go("solve -q", line).text()))
        .collect();
    assert_eq!(done.text(), expected);
}

/// What is documented as digits stays so.
#[test]
fn canonical_solutions_are_digits() {
    let puzzle = good("gen -q --unique --side 6 --mix clues --count 1", "");
    let found = last_column(&good("canon -q --solution", &puzzle));
    assert!(found.trim_end().len() == 36 && found.trim_end().bytes().all(|byte| byte.is_ascii_digit()), "{found}");
    assert_eq!(last_column(&good("validate -q --add solution", &format!("{PLAIN}\n"))).trim_end().len(), 81);
}
