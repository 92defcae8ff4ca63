//! Puzzles that consist of candidates: `--givens candidates`.

use crate::support::{Folder, gridmill, run};

const SOLUTION: &str = "174385962293467158586192734451923876928674315367851249719548623635219487842736591";

/// 729 characters: the candidates of each cell, from its digit in the solution and its place.
fn marks(candidates: impl Fn(usize, char, char) -> bool) -> String {
    let digit = |cell: usize, own: char, digit: char| if candidates(cell, own, digit) { digit } else { '.' };
    SOLUTION
        .chars()
        .enumerate()
        .flat_map(|(cell, own)| ('1'..='9').map(move |d| (cell, own, d)))
        .map(|(c, o, d)| digit(c, o, d))
        .collect()
}

/// Most cells have two candidates, so that there is no digit at all, but one solution.
fn sukaku() -> String {
    marks(|cell, own, digit| digit == own || cell % 4 != 0 && digit as u8 == b'1' + (own as u8 - b'0') % 9)
}

/// The code of the only record's row.
fn code(args: &[&str], string: &str) -> Option<String> {
    let done = run(
        &mut gridmill([&["validate", "-q", "--from", "pencilmarks", "--level", "unique"], args].concat()),
        string.as_bytes(),
    );
    done.text().lines().nth(1).map(|row| row.split('\t').nth(4).expect("a code").to_string())
}

#[test]
fn a_solution_has_one_of_the_candidates_of_each_cell() {
    let puzzle = sukaku();
    assert_eq!(code(&[], &puzzle).as_deref(), Some("many-solutions"));
    assert_eq!(code(&["--givens", "candidates"], &puzzle), None);
    let solve = |string: &str| {
        run(&mut gridmill(["solve", "-q", "--from", "pencilmarks", "--givens", "candidates"]), string.as_bytes())
    };
    assert_eq!(solve(&puzzle).good(), SOLUTION.as_bytes());
    // Without the right digit in a cell there is no solution; with all candidates there are many.
    let without = marks(|cell, own, digit| (digit == own) != (cell == 40) || cell == 40 && digit != own);
    assert_eq!(code(&["--givens", "candidates"], &without).as_deref(), Some("no-solution"));
    let all = marks(|_, _, _| true);
    assert_eq!(code(&["--givens", "candidates"], &all).as_deref(), Some("many-solutions"));
    // The message says how candidates are used.
    let done = run(&mut gridmill(["validate", "--from", "pencilmarks", "--level", "unique"]), puzzle.as_bytes());
    assert!(done.text().contains("only its digits; --givens candidates uses both"), "{done:?}");
}

#[test]
fn solutions_that_come_with_puzzles_respect_candidates() {
    let folder = Folder::new();
    let table = |solution: &str| format!("puzzle,solution\n{},{solution}\n", sukaku());
    let args = [
        "validate",
        "-q",
        "--framing",
        "csv",
        "--from",
        "pencilmarks",
        "--column",
        "puzzle",
        "--solution-column",
        "solution",
    ];
    let wrong: String = SOLUTION.chars().map(|digit| char::from(b'1' + (digit as u8 - b'1' + 4) % 9)).collect();
    for level in ["rules", "unique"] {
        for (solution, givens, good) in
            [(SOLUTION, "candidates", true), (&wrong, "candidates", false), (&wrong, "clues", level == "rules")]
        {
            let input = folder.write("in.csv", table(solution));
            let input = input.to_str().expect("a path");
            let done = run(&mut gridmill([&args[..], &["--level", level, "--givens", givens, input]].concat()), b"");
            assert_eq!(done.code == Some(0), good, "{level} {givens} {done:?}");
            assert!(good || givens == "clues" || done.text().contains("\twrong-solution\t"), "{done:?}");
        }
    }
}

#[test]
fn placed_digits_may_be_given() {
    // Two solved digits of v2, as progress or as givens: different ones, which have several solutions, or the same twice in a row.
    let empty = "0".repeat(162);
    let solved = format!("S9B0a0b{}", &empty[4..]);
    let codes = |givens: &str| {
        let done = run(
            &mut gridmill(["validate", "-q", "--level", "unique", "--givens", givens, "--max-solutions", "2"]),
            solved.as_bytes(),
        );
        done.text().contains("many-solutions")
    };
    assert!(codes("clues") && codes("placed") && codes("candidates"));
    let twice = format!("S9B0a0a{}", &empty[4..]);
    let found = |givens: &str| {
        let args = ["validate", "-q", "--level", "unique", "--all", "--givens", givens];
        run(&mut gridmill(args), twice.as_bytes()).text().contains("many-solutions")
    };
    assert!(found("clues") && !found("placed") && !found("candidates"));
}

#[test]
fn canonical_forms_have_no_candidates() {
    for command in [&["canon"][..], &["dedupe"], &["dedupe", "--by", "grid"]] {
        let args = [command, &["--givens", "candidates"]].concat();
        run(&mut gridmill(args), sukaku().as_bytes()).failed(&["unsupported", "candidates"]);
    }
}
