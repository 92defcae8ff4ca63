//! Blocks of a text that are beside each other and no board together: none of them is read, and none is copied as text.

use super::beside::boards;
use crate::support::{gridmill, run};

const CLUES: &str =
    "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";
const SOLUTION: &str =
    "534678912\n672195348\n198342567\n859761423\n426853791\n713924856\n961537284\n287419635\n345286179\n";
const BLANK: &str =
    ".........\n.........\n.........\n.........\n.........\n.........\n.........\n.........\n.........\n";
/// The cages are the rows, of which the sum is 45.
const CAGES: &str =
    "aaaaaaaaa\nbbbbbbbbb\nccccccccc\nddddddddd\neeeeeeeee\nfffffffff\nggggggggg\nhhhhhhhhh\niiiiiiiii\n";
const SUMS: &str = "a=45 b=45 c=45 d=45 e=45 f=45 g=45 h=45 i=45\n";
const SIX: &str = "...53.\n...1..\n...2..\n.24.5.\n..5...\n.....5\n";

/// Checks that each of these texts has this many blocks that are refused, no board and no rows that are text.
fn are_refused(blocks: usize, texts: &[String]) {
    for text in texts {
        let found = boards(text);
        assert!(found.len() == blocks && found.iter().all(Result::is_err), "{text}\n{found:?}");
        let done = run(&mut gridmill(["convert", "-q", "--framing", "grid"]), text.as_bytes());
        assert!(done.code == Some(1), "{text}\n{}", done.text());
    }
}

#[test]
fn a_grid_that_is_no_part_of_a_killer_is_refused_with_it() {
    let killer = format!("{CAGES}{SUMS}");
    // Clues that a killer can have are its own.
    assert!(boards(&format!("{killer}\n{CLUES}"))[0].is_ok() && boards(&format!("{killer}\n{CLUES}")).len() == 1);
    assert_eq!(boards(&format!("{killer}Clues:\n{CLUES}")).len(), 1);
    let pairs = "aabbccdde\naabbccdde\nffgghhiie\nffgghhiie\njjkkllmme\njjkkllmme\nnnooppqqe\nnnooppqqe\nrrrrrrrre\n";
    let sums = "a=20 b=20 c=20 d=20 f=20 g=20 h=20 i=20 j=20 k=20 l=20 m=20 n=20 o=20 p=20 q=20 e=45 r=40\n";
    assert!(boards(&format!("{pairs}{sums}"))[0].is_ok());
    are_refused(
        2,
        &[
            format!("{killer}\nA sudoku\n{CLUES}"),
            format!("{killer}\nSolution:\n{SOLUTION}"),
            format!("{killer}\n{SOLUTION}"),
            format!("{SOLUTION}\n{killer}"),
            format!("{CLUES}The killer\n{killer}"),
            // r9c9 is 9 and r8c9 is 5, and the last column is a cage; the sum of d would be that of one more.
            format!("{pairs}{}\n{CLUES}", sums.replace("a=20", "a=10").replace("b=20", "b=30")),
            format!("{killer}\n{}", CLUES.replacen("53", "55", 1)),
        ],
    );
    // A KenKen: a full cage of other digits, and a digit twice in a row.
    let kenken = "AABBCC\nDDEEFF\nGGHHII\nJJKKLL\nMMNNOO\nPPQQRR\n".to_string()
        + &('A'..='R')
            .map(|letter| format!("{letter} {}\n", if letter == 'A' { "3+" } else { "1-" }))
            .collect::<String>();
    let clues = |first: &str| format!("{first}\n{}", "000000\n".repeat(5));
    let found = boards(&format!("{kenken}\n{}", clues("120000")));
    assert!(found.len() == 1 && found[0].is_ok(), "{found:?}");
    are_refused(2, &["130000", "101000", "001300"].map(|first| format!("{kenken}\n{}", clues(first))));
}

#[test]
fn the_last_border_of_a_map_is_no_part_of_its_list() {
    let rule = "+-------+-------+-------+\n";
    let boxed = |map: &str| {
        let row = |row: &str| {
            let cells: Vec<String> = row.chars().map(String::from).collect();
            format!("| {} |\n", cells.chunks(3).map(|three| three.join(" ")).collect::<Vec<_>>().join(" | "))
        };
        format!("{rule}{}{rule}", map.lines().map(row).collect::<String>())
    };
    let list = SUMS.replace('=', ": ").replace(" b", "\nb").replace(' ', "\n").replace(":\n", ": ");
    for text in [
        format!("{}{list}\n[Layout]\n\n{BLANK}", boxed(CAGES)),
        format!("```\n{CAGES}```\n{list}\n{BLANK}"),
        format!("{BLANK}\n{}\n{list}", boxed(CAGES)),
    ] {
        let found = boards(&text);
        assert!(found.len() == 1 && found[0].as_ref().is_ok_and(|board| board.starts_with('L')), "{text}\n{found:?}");
    }
}

#[test]
fn maps_of_any_signs_and_sides_are_refused_with_their_grid() {
    let mask = |white: &str, black: &str| {
        "#...#.\n......\n..#...\n......\n#...#.\n......\n".replace('.', "w").replace('#', black).replace('w', white)
    };
    let spaced = |map: &str| -> String {
        let line = |line: &str| line.chars().map(String::from).collect::<Vec<_>>().join(" ") + "\n";
        map.lines().map(line).collect()
    };
    let quoted = |text: &str| text.lines().map(|line| format!("> {line}\n")).collect::<String>();
    let mut maps: Vec<String> = [[".", "#"], ["-", "#"], ["_", "#"], [".", "X"], ["□", "■"], ["0", "1"]]
        .map(|[white, black]| mask(white, black))
        .into();
    maps.extend(maps.clone().iter().map(|map| spaced(map)));
    maps.push(
        "A: A A A A A B\nB: C A C B B B\nC: C C C C B B\nD: D D D D D D\nE: E E F F F F\nF: E E E E F F\n".into(),
    );
    for map in maps {
        are_refused(
            2,
            &[format!("{SIX}\n{map}"), format!("{map}\n{SIX}"), format!("{}\n{}", quoted(SIX), quoted(&map))],
        );
    }
    let nine = |three: [&str; 3]| three.map(|row| format!("{row}\n").repeat(3)).concat();
    let signs = nine(["@@@###$$$", "%%%&&&+++", "===???***"]).replacen("@#", "@@", 1);
    let black = "#---#---#\n---------\n--#---#--\n---------\n#---#---#\n---------\n--#---#--\n---------\n#---#---#\n";
    for map in [signs, black.into(), black.replace('-', "_")] {
        are_refused(
            2,
            &[format!("{CLUES}\n{map}"), format!("{map}\n{CLUES}"), format!("{}\n{}", quoted(CLUES), quoted(&map))],
        );
    }
}

#[test]
fn maps_with_wrong_cells_are_no_sudokus() {
    let three = |row: &str, times: usize| format!("{row}\n").repeat(times);
    let map = three("111222333", 3) + &three("444555666", 3) + &three("777888999", 2) + "777888998\n";
    let mask = "010010010\n100000001\n000110000\n011000110\n000010000\n011000110\n000011000\n100000001\n010010012\n";
    for map in [map.as_str(), mask] {
        are_refused(1, &[map.into()]);
        are_refused(2, &[format!("{CLUES}\n{map}"), format!("{map}\n{CLUES}")]);
    }
    // A few wrong digits make no map of a solution.
    assert!(boards(&SOLUTION.replacen("534", "544", 1)).iter().all(Result::is_ok));
}

#[test]
fn a_map_after_a_solution_is_of_all_three() {
    let map = "AAABBBCCC\nAAABBBCCC\nAAABBBCCC\nDDDEEEFFF\nDDDEEEFFF\nDDDEEEFFF\nGGGHHHIII\nGGGHHHIII\nGGGHHHIII\n";
    are_refused(
        3,
        &[format!("{CLUES}\nSolution:\n{SOLUTION}\nRegions:\n{map}"), format!("{map}\n{CLUES}\nSolution:\n{SOLUTION}")],
    );
    assert!(boards(&format!("{CLUES}\nSolution:\n{SOLUTION}")).iter().all(Result::is_ok));
}

#[test]
fn sections_that_contradict_are_all_refused() {
    let state = CLUES.replacen("53.", "534", 1);
    let wrong = CLUES.replacen("6..195", "2..195", 1);
    let marks = state.replace('.', "0");
    are_refused(
        3,
        &[
            format!("[Puzzle]\n{wrong}\n[State]\n{state}\n[PencilMarks]\n{marks}"),
            format!("[State]\n{state}\n[PencilMarks]\n{marks}\n[Puzzle]\n{CLUES}"),
        ],
    );
    are_refused(2, &[format!("[State]\n{state}\n[Puzzle]\n{CLUES}"), format!("[Puzzle]\n{wrong}\n[State]\n{state}")]);
    // A state has all clues, or only the digits that were placed.
    let placed: String = CLUES.chars().map(|sign| if sign == '\n' { sign } else { '.' }).collect();
    let placed = placed.replacen("...", "..4", 1);
    are_refused(
        2,
        &[format!("[Puzzle]\n{state}\n[State]\n{CLUES}"), format!("[Original]\n{state}\n[Current]\n{CLUES}")],
    );
    let joined = [&state, &placed].map(|state| boards(&format!("[Puzzle]\n{CLUES}\n[State]\n{state}")));
    assert!(joined[0].len() == 1 && joined[0] == joined[1] && joined[0][0].is_ok());
    are_refused(
        2,
        &[format!("Current\n{state}\nOriginal\n{CLUES}"), format!("{state}\n{CLUES}"), format!("{CLUES}\n{state}")],
    );
    // Without brackets, they make no board together, and no two, whatever they say.
    for later in [&state, &state.replace("534", "535"), &wrong] {
        are_refused(
            2,
            &[format!("Puzzle\n{CLUES}\nState\n{later}"), format!("puzzle:\n\n{CLUES}\nProgress:\n{later}")],
        );
    }
    for text in [format!("Puzzle 1\n{CLUES}\nPuzzle 2\n{wrong}"), format!("Puzzle\n{CLUES}\nSolution\n{SOLUTION}")] {
        assert!(boards(&text).iter().all(Result::is_ok), "{text}");
    }
    assert_eq!(boards(&format!("[Puzzle]\n{CLUES}\n[State]\n{state}\n[Puzzle]\n{CLUES}\n[State]\n{state}")).len(), 2);
}

#[test]
fn a_map_with_one_row_more_is_no_map() {
    let map = "AAABBBCCC\n".repeat(3) + &"DDDEEEFFF\n".repeat(3) + &"GGGHHHIII\n".repeat(3);
    for map in [format!("{map}GGGHHHIII\n"), format!("AAABBBCCC\n{map}")] {
        are_refused(2, &[format!("{CLUES}\n{map}"), format!("{map}\n{CLUES}")]);
    }
    are_refused(1, &["AAB\nACB\nDCC\nDDD\n\nA 6x\nB 3+\nC 6+\nD 6+\n".into()]);
}
