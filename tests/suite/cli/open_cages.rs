//! Killers with cages without a sum.

use crate::support::{convert, gridmill, run};

/// Killers of side 9 with this many open cages each.
fn killers(kind: &str, open: &str, count: &str) -> Vec<u8> {
    let args = ["gen", "-q", "--mix", "clues", "--seed", "5", "--kind", kind, "--open", open, "--count", count];
    run(&mut gridmill(args), b"").good()
}

/// The numbers in the first cells of the cages of a drawing, 0 for none.
fn clues(string: &[u8]) -> Vec<u64> {
    let drawn = run(&mut gridmill(["show", "--json"]), string).good();
    let board: serde_json::Value = serde_json::from_slice(&drawn).expect("JSON");
    let cages = board["board"]["cages"].as_array().expect("cages");
    cages.iter().map(|cage| cage["clue"].as_u64().expect("a number")).collect()
}

#[test]
fn gen_takes_as_many_sums_away_as_it_is_told_and_changes_nothing_else() {
    for kind in ["killer", "killer-jigsaw"] {
        let all = clues(&killers(kind, "0", "1"));
        assert!(all.iter().all(|&clue| clue > 0));
        for open in [1, 7, all.len(), 600] {
            let some = clues(&killers(kind, &open.to_string(), "1"));
            let same = all.iter().zip(&some).filter(|(clue, other)| clue == other).count();
            let none = some.iter().filter(|&&clue| clue == 0).count();
            assert_eq!((some.len(), none), (all.len(), open.min(all.len())));
            assert_eq!(same, all.len() - none);
        }
    }
    run(&mut gridmill(["gen", "--open", "1", "--kind", "kenken"]), b"").failed(&["kenken", "cages without a sum"]);
    run(&mut gridmill(["gen", "--open", "1", "--kind", "killer", "--format", "plain", "--mix", "clues"]), b"")
        .failed(&["plain cannot hold these boards", "cages without a sum"]);
}

#[test]
fn puzzles_with_one_solution_have_it_without_the_sums() {
    let args = ["gen", "-q", "--unique", "--mix", "clues", "--kind", "killer", "--side", "6", "--open", "9"];
    let puzzles = run(&mut gridmill(args), b"").good();
    let done = run(&mut gridmill(["validate", "--level", "unique"]), &puzzles);
    assert!(done.stderr.contains("10 records, 0 rejected, 10 killers with cages without a sum"), "{done:?}");
    // The solutions obey the rules.
    let solved = run(&mut gridmill(["solve", "-q", "--to", "v2"]), &puzzles).good();
    run(&mut gridmill(["validate", "-q"]), &solved).good();
}

#[test]
fn only_formats_with_open_cages_take_them() {
    let boards = killers("killer", "3", "4");
    for to in ["v1", "plain"] {
        for lossy in [&[][..], &["--lossy"]] {
            let done = convert([&["--to", to][..], lossy].concat(), &boards);
            assert!(done.stdout.is_empty(), "{done:?}");
            assert_eq!(done.stderr.matches("\tunsupported\tcages without a sum\t").count(), 4, "{done:?}");
        }
    }
    let done = run(&mut gridmill(["convert"]), &boards);
    assert!(done.stderr.contains("no losses, 4 killers with cages without a sum,"), "{done:?}");
    // Jigsaws lose their regions, but not the rule that digits differ.
    let done = convert(["--to", "v1", "--lossy"], &killers("killer-jigsaw", "3", "1"));
    assert!(done.stderr.contains("\tunsupported\tcages without a sum\t"), "{done:?}");
    // Other formats lose all cages.
    let empty = [b"0,".repeat(80), b"0\n".to_vec()].concat();
    assert_eq!(convert(["--to", "v0", "--lossy"], &boards).good(), empty.repeat(4));
    let there = convert(["--to", "fpuzzles"], &boards).good();
    let canonical = |boards: &[u8]| run(&mut gridmill(["canon", "-q", "--form", "puzzle"]), boards).good();
    assert_eq!(canonical(&there), canonical(&boards));
}

#[test]
fn a_zero_in_a_first_cell_stays_an_error_where_cages_need_sums() {
    let whole = killers("killer", "0", "1");
    for (to, sum) in [("plain", 82..84), ("v1", 0..2)] {
        let mut string = convert(["--to", to], &whole).good();
        // A v1 killer has the colour in the lowest three bits.
        let colour = char::from(string[1]).to_digit(32).expect("a digit") as u8 & 7;
        string[sum].copy_from_slice(&[b'0', b'0' + if to == "v1" { colour } else { 0 }]);
        let done = convert(["--to", "v2"], &string);
        assert!(done.stderr.contains("\tr1c1\tcage\ta cage without a clue in its first cell\t"), "{to}: {done:?}");
    }
}

#[test]
fn sums_that_are_not_there_are_not_drawn() {
    for extra in [&[][..], &["--ascii"], &["--svg", "-"]] {
        let drawn =
            |open: &str| run(&mut gridmill([&["show"][..], extra].concat()), &killers("killer", open, "1")).good();
        let (whole, none) = (drawn("0"), drawn("600"));
        let digits = |text: &[u8]| String::from_utf8_lossy(text).matches("27").count();
        assert!(digits(&whole) > digits(&none), "{extra:?}");
    }
}
