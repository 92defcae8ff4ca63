//! Maps of regions beside grids, written as no reader of maps expects, with parts missing, or beside several stages of the puzzle. They
//! become the jigsaw that they are, or nothing: never a sudoku with the clues of the jigsaw.

use gridmill::formats::Format;

use super::beside::{boards, digits, letter, puzzle, read_as, signs};
use super::companions::{Board, boxes, change};
use super::hidden::texts;
use super::list;
use crate::random::Rng;

/// The signs of the nine regions.
fn region_signs(rng: &mut Rng, map: &Board) -> Vec<String> {
    let first = *rng.pick(&['A', 'a', '1', '\u{3b1}', '\u{430}', '\u{ff21}', '\u{2460}', '\u{1f34e}']);
    signs(map, |region| char::from_u32(first as u32 + region as u32).expect("a sign").to_string())
}

/// Nine rows of cells, in some dress.
fn dressed(rng: &mut Rng, cells: &[String]) -> String {
    let separator = *rng.pick(&["", "", " ", "-", "/", ".", "_", ":", ";", ",", "|", "\t", "~", "+", "="]);
    let dress = rng.below(12);
    let last_words = *rng.pick(&["# a row", "// top", "(row)", "<- here", "; map"]);
    let row_name = *rng.pick(&["Zeile", "Reihe", "Row", "Ligne", "line", "Rij"]);
    let mut text = String::new();
    for (at, row) in cells.chunks(9).enumerate() {
        let (row, name) = (row.join(separator), letter(at, b'A'));
        text += &match dress {
            0 => format!("{name} {row}"),
            1 => format!("{name}: {row}"),
            2 => format!("{name}) {row}"),
            3 => format!("{row} {}", at + 1),
            4 => format!("{row} {name}"),
            5 => format!("{row} {last_words}"),
            6 => format!("{row_name} {}: {row}", at + 1),
            7 => format!("{row_name}{} {row}", at + 1),
            8 => format!("[{row}],"),
            9 => format!("\"{row}\""),
            _ => row,
        };
        text += "\n";
    }
    text
}

/// A map of which some cells or rows are missing, or that has too many.
fn damaged(rng: &mut Rng, cells: &[String]) -> String {
    let separator = *rng.pick(&["", " ", ","]);
    let damage = rng.below(6);
    let mut rows: Vec<Vec<&str>> = cells.chunks(9).map(|row| row.iter().map(String::as_str).collect()).collect();
    match damage {
        0 => rows.iter_mut().for_each(|row| row.push(row[8])),
        1 => rows.iter_mut().for_each(|row| row.truncate(7 + rng.below(3))),
        2 => rows.iter_mut().for_each(|row| _ = row.pop()),
        3 => _ = rows.remove(rng.below(9)),
        4 => {
            let at = rng.below(9);
            rows.insert(at, rows[at].clone());
        }
        _ => {
            let end = rows.split_off(1 + rng.below(2));
            return format!("Regions:\n{}", written(if rng.once_in(9) { &end } else { &rows }, separator));
        }
    }
    written(&rows, separator)
}

fn written(rows: &[Vec<&str>], separator: &str) -> String {
    rows.iter().map(|row| row.join(separator) + "\n").collect()
}

/// A map of side 10 or 12: rectangles.
fn large(rng: &mut Rng) -> String {
    let (height, width) = *rng.pick(&[(2, 5), (3, 4), (5, 2), (4, 3)]);
    let (side, separator) = (height * width, *rng.pick(&["", " ", ","]));
    let sign = |cell: usize| letter(cell / side / height * height + cell % side / width, b'A');
    let cells: Vec<String> = (0..side * side).map(sign).collect();
    cells.chunks(side).map(|row| row.join(separator) + "\n").collect()
}

/// A text in which a grid is no sudoku, and the jigsaw that it may be.
fn text(rng: &mut Rng, map: &mut Board) -> (String, Option<String>) {
    (0..5).for_each(|_| change(rng, map));
    let clues = loop {
        let clues = puzzle(rng);
        // With few digits, other grids have them by chance.
        if clues.iter().filter(|clue| **clue > 0).count() >= 17 {
            break clues;
        }
    };
    let regions = *map;
    let pair = list(&clues, "") + &signs(&regions, |region| letter(region, b'A')).concat();
    let jigsaw = read_as(&pair, Some(Format::JigsawPair), None, None);
    let rows = |cells: &[String]| -> String { cells.chunks(9).map(|row| row.concat() + "\n").collect() };
    let grid = rows(&digits(&clues, "."));
    let mut later = clues;
    let empty: Vec<usize> = (0..81).filter(|&cell| clues[cell] == 0).collect();
    for _ in 0..1 + rng.below(6) {
        later[*rng.pick(&empty)] = 1 + rng.below(9);
    }
    let state = rows(&digits(&later, "."));
    let cells = region_signs(rng, map);
    let plain = rows(&signs(map, |region| letter(region, b'A')));
    let between = *rng.pick(&["\n", "\n", "", "\nRegions:\n", "\n\n", "# regions\n", "\nMedium\n\n"]);
    let beside = |rng: &mut Rng, map: String| match rng.once_in(3) {
        true => format!("{map}{between}{grid}"),
        false => format!("{grid}{between}{map}"),
    };
    let first = *rng.pick(&["Current", "State", "Progress", "[State]"]);
    let (written, jigsaw) = match rng.below(10) {
        0..=3 => (dressed(rng, &cells), jigsaw),
        4 | 5 => (damaged(rng, &cells), None),
        6 => (large(rng), None),
        7 => (format!("Regions: {}\n", cells.concat()), None),
        8 => ("ABCDEFGHI\n".repeat(9), None),
        _ => {
            let title = *rng.pick(&["[Layout]\n", "[Regions]\n", "\n"]);
            return match rng.below(5) {
                0 => (format!("{grid}\n{grid}{between}{plain}"), None),
                1 => (format!("{plain}{between}{grid}\n{grid}"), None),
                2 => (format!("{first}\n{state}\n{title}{plain}"), None),
                3 => (format!("[Puzzle]\n{grid}\n[State]\n{state}\n{title}{plain}"), None),
                _ => (format!("{title}{plain}\n{first}\n{state}"), None),
            };
        }
    };
    (beside(rng, written), jigsaw)
}

#[test]
fn no_clues_of_a_jigsaw_become_a_sudoku() {
    let (mut rng, mut map, mut read, mut wrong) = (Rng(450), boxes(), 0, Vec::new());
    for _ in 0..texts() {
        let (text, jigsaw) = text(&mut rng, &mut map);
        let found = boards(&text);
        read += found.iter().flatten().count();
        if found.is_empty() || found.iter().flatten().any(|board| Some(board) != jigsaw.as_ref()) {
            wrong.push(format!("{text}\n{found:?}\n{jigsaw:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong boards:\n{}", wrong.len(), wrong.join("\n"));
    assert!(read > 0, "no map was read");
}
