use super::cell_sets::CandidateSets;
use super::grid::{LadderGrid, Step};
use super::ladder::{apply, climb, close};
use super::matching::SettledPlaces;
use super::names::{Grade, GradeRange};
use crate::kernels;

/// Puzzles with one solution, by grade.
const PUZZLES: [(&str, u8); 10] = [
    ("..86..2..3.......7.95...4...29........3.........75..9.....21.581....9.4.4....86..", 1),
    ("5..6..2...213..6.......1..........9..57..6.......85.1.9.6....2..7...23...845.9...", 2),
    ("3..2.1..78..5..1.....93......7..4........3....146..7...9...6..4....8..1.....2.65.", 3),
    ("...8...9.....3.16..9...43...2......54...1.6.......6...783.5......1.28..3..6......", 4),
    ("......4.8...6...9.6..25....9.7...8......6324......4....7.8..1.4.81.7.......3.....", 5),
    ("....9...3.2..7.8..53...6.42..83.......6....1.9.....32.........4..498.........51..", 6),
    ("....17..9...5.943.3......279.....16...2..58...4.......6..7.....4.1.5....57.1....8", 8),
    ("...1.5.......831.7..86.......9...76.4.3.....2.5.......2...6.....3..14..8645.7..3.", 9),
    ("..3....4916..4.....9.......316..2..5....61..8.8.4.....8....5.3.27.....56....2.8..", 10),
    ("1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1", 11),
];

fn grid(puzzle: &str) -> LadderGrid {
    LadderGrid::new(puzzle.as_bytes().first_chunk().expect("81 cells"))
}

/// A generator of random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 33) * below as u64) >> 31) as usize
    }
}

#[test]
fn each_rung_solves_its_puzzle() {
    for (puzzle, number) in PUZZLES {
        let found = climb(kernels::best(), puzzle.as_bytes().first_chunk().expect("81 cells"));
        assert_eq!(found.map_or(11, Grade::number), number, "{puzzle}");
    }
}

/// Rules in a random order leave the same candidates, on every rung.
#[test]
fn the_order_of_rules_does_not_matter() {
    let mut dice = Dice(5);
    for (puzzle, _) in PUZZLES {
        for rung in 1..=10 {
            let mut closed = grid(puzzle);
            assert_ne!(close(kernels::best(), &mut closed, rung, &mut SettledPlaces::none()), Step::Contradiction);
            for _ in 0..3 {
                let mut other = grid(puzzle);
                // Every rule in turn, in an order of its own each time, until a whole round changes nothing.
                loop {
                    let before = other;
                    let mut order: Vec<u8> = (1..=rung).collect();
                    for i in (1..order.len()).rev() {
                        order.swap(i, dice.below(i + 1));
                    }
                    for rule in order {
                        for _ in 0..=dice.below(3) {
                            assert_ne!(apply(&mut other, rule), Step::Contradiction);
                        }
                    }
                    if other == before {
                        break;
                    }
                }
                assert_eq!(other, closed, "rung {rung} of {puzzle}");
            }
        }
    }
}

#[test]
fn each_rung_leaves_no_more_candidates_than_the_one_before() {
    for (puzzle, _) in PUZZLES {
        let mut before = grid(puzzle);
        for rung in 1..=10 {
            let mut after = grid(puzzle);
            close(kernels::best(), &mut after, rung, &mut SettledPlaces::none());
            for (before, after) in before.rows.iter().zip(&after.rows) {
                assert_eq!(*before & *after, *after, "rung {rung} of {puzzle}");
            }
            before = after;
        }
    }
}

/// A board with all candidates besides those that are removed from some cells.
fn without(removed: &[(usize, usize, u16)]) -> LadderGrid {
    let mut grid = grid(&".".repeat(81));
    for &(row, column, digits) in removed {
        for digit in (0..9).filter(|digit| digits >> digit & 1 == 1) {
            grid.rows[row].0[digit] &= !(1 << column);
        }
    }
    grid
}

/// The digits of a cell.
fn digits(grid: &LadderGrid, row: usize, column: usize) -> u16 {
    CandidateSets::of(grid).cells[9 * row + column]
}

/// A mask of digits, counted from 1.
fn mask(digits: &[u8]) -> u16 {
    digits.iter().map(|digit| 1 << (digit - 1)).sum()
}

const ALL: u16 = 0x1FF;

#[test]
fn a_digit_with_one_place_in_a_box_or_a_line_is_placed() {
    let cells = |row: usize| (0..9).filter(move |&i| i != 4).map(move |i| (row, i, mask(&[7]))).collect::<Vec<_>>();
    let mut line = without(&cells(0));
    assert_eq!(apply(&mut line, 1), Step::Rest);
    assert_eq!(apply(&mut line, 2), Step::Changed);
    assert_eq!((digits(&line, 0, 4), digits(&line, 1, 3) & mask(&[7])), (mask(&[7]), 0));
    let in_box: Vec<_> = (0..9).filter(|&i| i != 4).map(|i| (i / 3, i % 3, mask(&[7]))).collect();
    let mut in_box = without(&in_box);
    assert_eq!(apply(&mut in_box, 1), Step::Changed);
    assert_eq!(digits(&in_box, 1, 1), mask(&[7]));
}

#[test]
fn a_cell_with_one_candidate_waits_for_the_third_rung() {
    let mut grid = without(&[(4, 4, ALL & !mask(&[5]))]);
    assert_eq!((apply(&mut grid, 1), apply(&mut grid, 2)), (Step::Rest, Step::Rest));
    assert_eq!(apply(&mut grid, 3), Step::Changed);
    assert_eq!(digits(&grid, 4, 0), ALL & !mask(&[5]));
}

#[test]
fn the_last_cell_of_a_unit_is_placed_on_the_first_rung() {
    let mut grid = grid(&format!("12345678.{}", ".".repeat(72)));
    assert_eq!(apply(&mut grid, 1), Step::Changed);
    assert_eq!(digits(&grid, 0, 8), mask(&[9]));
}

#[test]
fn locked_candidates_point_and_claim() {
    // In the first box, 3 is in the first row only.
    let mut points = without(&(3..9).map(|i| (i / 3, i % 3, mask(&[3]))).collect::<Vec<_>>());
    assert_eq!(apply(&mut points, 4), Step::Changed);
    assert_eq!((digits(&points, 0, 2), digits(&points, 0, 3), digits(&points, 1, 3)), (ALL, ALL & !mask(&[3]), ALL));
    // In the first column, 3 is in the first box only.
    let mut claims = without(&(3..9).map(|row| (row, 0, mask(&[3]))).collect::<Vec<_>>());
    assert_eq!(apply(&mut claims, 4), Step::Changed);
    assert_eq!((digits(&claims, 2, 0), digits(&claims, 2, 1), digits(&claims, 2, 3)), (ALL, ALL & !mask(&[3]), ALL));
}

#[test]
fn pairs_and_triples_are_of_different_rungs() {
    let pair = ALL & !mask(&[1, 2]);
    let mut naked = without(&[(0, 0, pair), (5, 0, pair)]);
    assert_eq!(apply(&mut naked, 5), Step::Changed);
    assert_eq!((digits(&naked, 8, 0), digits(&naked, 8, 1)), (ALL & !mask(&[1, 2]), ALL));
    let mut hidden = without(&(2..9).map(|column| (3, column, mask(&[4, 6]))).collect::<Vec<_>>());
    assert_eq!(apply(&mut hidden, 5), Step::Changed);
    assert_eq!((digits(&hidden, 3, 0), digits(&hidden, 3, 2)), (mask(&[4, 6]), ALL & !mask(&[4, 6])));
    let triple =
        [(0, 0, [1, 2]), (1, 1, [2, 3]), (2, 2, [1, 3])].map(|(row, column, two)| (row, column, ALL & !mask(&two)));
    let mut naked = without(&triple);
    assert_eq!(apply(&mut naked, 5), Step::Rest);
    assert_eq!(apply(&mut naked, 6), Step::Changed);
    assert_eq!(digits(&naked, 0, 1), ALL & !mask(&[1, 2, 3]));
}

#[test]
fn a_fish_of_rows_or_columns_takes_the_others() {
    let others = |column: usize| ![1, 7].contains(&column);
    let rows: Vec<_> =
        [2, 5].iter().flat_map(|&row| (0..9).filter(move |&c| others(c)).map(move |c| (row, c, 1))).collect();
    let mut of_rows = without(&rows);
    assert_eq!(apply(&mut of_rows, 7), Step::Changed);
    assert_eq!((digits(&of_rows, 2, 1), digits(&of_rows, 0, 1), digits(&of_rows, 0, 0)), (ALL, ALL & !1, ALL));
    let columns: Vec<_> = rows.iter().map(|&(row, column, digits)| (column, row, digits)).collect();
    let mut of_columns = without(&columns);
    assert_eq!(apply(&mut of_columns, 7), Step::Changed);
    assert_eq!((digits(&of_columns, 1, 0), digits(&of_columns, 0, 0)), (ALL & !1, ALL));
}

#[test]
fn wings_take_what_their_ends_see() {
    // XY-wing: the pivot is 12, its ends are 13 in its row and 23 in its column.
    let xy =
        [(0, 0, [1, 2]), (0, 4, [1, 3]), (4, 0, [2, 3])].map(|(row, column, two)| (row, column, ALL & !mask(&two)));
    let mut grid = without(&xy);
    assert_eq!(apply(&mut grid, 8), Step::Changed);
    assert_eq!((digits(&grid, 4, 4), digits(&grid, 4, 5)), (ALL & !mask(&[3]), ALL));
    // W-wing: two cells with 12, and a row whose 1s both see one of them.
    let mut w: Vec<_> = (0..9).filter(|&c| c != 0 && c != 4).map(|column| (8, column, mask(&[1]))).collect();
    w.extend([(0, 0, ALL & !mask(&[1, 2])), (2, 4, ALL & !mask(&[1, 2]))]);
    let mut grid = without(&w);
    assert_eq!(apply(&mut grid, 8), Step::Changed);
    assert_eq!(
        (digits(&grid, 0, 3), digits(&grid, 2, 0), digits(&grid, 3, 3)),
        (ALL & !mask(&[2]), ALL & !mask(&[2]), ALL)
    );
    // Turbot fish: two rows with two places each, one above the other.
    let two = |row: usize, places: [usize; 2]| {
        (0..9).filter(move |column| !places.contains(column)).map(move |column| (row, column, mask(&[1])))
    };
    let mut grid = without(&two(0, [0, 4]).chain(two(8, [0, 5])).collect::<Vec<_>>());
    assert_eq!(apply(&mut grid, 8), Step::Changed);
    assert_eq!((digits(&grid, 1, 5), digits(&grid, 7, 4), digits(&grid, 4, 4)), (ALL & !1, ALL & !1, ALL));
}

#[test]
fn chains_of_cells_with_two_candidates_are_followed_to_their_end() {
    let cells = [(0, 0, [1, 2]), (0, 3, [2, 3]), (4, 3, [3, 4]), (4, 7, [4, 1])];
    let mut grid = without(&cells.map(|(row, column, two)| (row, column, ALL & !mask(&two))));
    assert_eq!(apply(&mut grid, 8), Step::Rest);
    assert_eq!(apply(&mut grid, 9), Step::Changed);
    assert_eq!((digits(&grid, 0, 7), digits(&grid, 4, 0)), (ALL & !mask(&[1]), ALL & !mask(&[1])));
}

#[test]
fn an_assumption_that_singles_refute_is_removed() {
    // The cells of a row between them: a 1 in the first leaves three cells for two digits.
    let cells = [(0, 1, [1, 2, 3]), (0, 2, [1, 2, 3]), (1, 0, [1, 2, 3])];
    let mut grid = without(&cells.map(|(row, column, three)| (row, column, ALL & !mask(&three))));
    let before = grid;
    assert_eq!(apply(&mut grid, 10), Step::Rest);
    assert_eq!(grid, before, "what takes more than singles stays");
    let cells = [(0, 1, [1, 2]), (0, 2, [1, 2])];
    let mut grid = without(&cells.map(|(row, column, two)| (row, column, ALL & !mask(&two))));
    assert_eq!(apply(&mut grid, 10), Step::Changed);
    assert_eq!(digits(&grid, 0, 8), ALL & !mask(&[1, 2]));
}

#[test]
fn names_numbers_and_ranges_are_read() {
    for grade in Grade::ALL {
        assert_eq!((grade.name().parse(), grade.number().to_string().parse()), (Ok(grade), Ok(grade)));
        assert_eq!(Grade::of_rung(grade.number()), Some(grade));
    }
    let range: GradeRange = "pair..9".parse().expect("a range");
    assert_eq!(Grade::ALL.map(|grade| range.contains(grade)).iter().filter(|&&contains| contains).count(), 5);
    assert_eq!(
        (range.to_string(), "net".parse::<GradeRange>().expect("a grade").to_string()),
        ("pair..chain".into(), "net".into())
    );
    for (text, words) in [
        ("easy", "grades: 1 box, 2 hidden"),
        ("net..box", "net (grade 10) is above box (grade 1)"),
        ("12", "no grade"),
        ("pair..", "no grade \"\""),
    ] {
        let refused = text.parse::<GradeRange>().expect_err(text).to_string();
        assert!(refused.contains(words), "{refused}");
    }
}
