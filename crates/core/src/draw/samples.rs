//! Boards for tests: every kind and side with regions, cages, clues, solved cells, candidates and black cells.

use crate::board::{Batch, Cell, Kind, Shape, Side, components};

/// A batch of one empty board.
pub(super) fn empty(kind: Kind, side: usize) -> Batch {
    let mut batch = Batch::new();
    batch.reset(Shape::new(kind, Side::new(side).unwrap()), 1);
    (0..side * side).for_each(|i| batch.set_cell(0, i, Cell::Empty));
    batch
}

/// Sets cells from text, ignoring spaces and line feeds: `.` empty, a digit given, a letter from `a` (1) solved, `#`
/// black, `!` black with the next character as its digit, `*` all candidates, `%` all candidates except the first and
/// the last.
pub(super) fn set_cells(batch: &mut Batch, text: &str) {
    let codes = batch.shape().codes();
    let mut chars = text.chars().filter(|c| !c.is_whitespace());
    let mut i = 0;
    while let Some(c) = chars.next() {
        let cell = match c {
            '.' => Cell::Empty,
            '1'..='9' => Cell::Clue(c as u8 - b'0'),
            'a'..='z' => Cell::Solved(c as u8 - b'a' + 1),
            '#' => Cell::BlackEmpty,
            '!' => Cell::BlackClue(chars.next().unwrap() as u8 - b'0'),
            '*' => Cell::Candidates(codes.full_mask()),
            '%' => Cell::Candidates(codes.full_mask() >> 2 << 1),
            _ => panic!("{c}"),
        };
        batch.set_cell(0, i, cell);
        i += 1;
    }
    assert_eq!(i, batch.shape().side.cells());
}

/// Sets regions 1..n from text, ignoring spaces and line feeds: a digit or a letter from `a` (10) for each cell.
pub(super) fn set_regions(batch: &mut Batch, text: &str) {
    let numbers = text.chars().filter_map(|c| c.to_digit(36)).map(|d| d as u8);
    batch.regions_mut().iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
}

/// Sets cages from text, ignoring spaces and line feeds: a colour 1..5 for each cell. The clues are in the order of the
/// cages' first cells, with operators if the kind has them.
pub(super) fn set_cages(batch: &mut Batch, colours: &str, clues: &[&str]) {
    let side = batch.shape().side.get();
    let colours: Vec<u8> = colours.chars().filter_map(|c| c.to_digit(10)).map(|d| d as u8).collect();
    assert_eq!(colours.len(), side * side);
    batch.colours_mut()[..colours.len()].copy_from_slice(&colours);
    batch.contents_mut().fill(0);
    let labels = components(&colours, side);
    let firsts: Vec<usize> = (0..colours.len()).filter(|&i| labels[i] as usize == i).collect();
    assert_eq!(firsts.len(), clues.len(), "cages");
    for (first, clue) in firsts.into_iter().zip(clues) {
        let number = clue.trim_end_matches(['+', '-', 'x', '/']);
        batch.contents_mut()[first] = number.parse().unwrap();
        if let Some(operator) = "+-x/".find(|c| clue.ends_with(c)) {
            let right = first + 1;
            let place = if right % side != 0 && labels[right] as usize == first { right } else { first + side };
            batch.contents_mut()[place] = operator as u16 + 1;
        }
    }
}

/// A board of any kind and side with something in every field that it can have. `candidates` says whether there are
/// candidates.
pub(super) fn rich(kind: Kind, side: usize, candidates: bool) -> Batch {
    let mut batch = empty(kind, side);
    let full = batch.shape().codes().full_mask();
    for i in 0..side * side {
        let (row, column) = (i / side, i % side);
        let digit = ((row * 2 + column) % side + 1) as u8;
        let few = 1 << (digit - 1) | 1 << (i * 7 % side);
        let cell = match (i * 5 + row) % 11 {
            0 | 4 => Cell::Clue(digit),
            1 => Cell::Solved(digit),
            2 | 3 if kind.has_black() => Cell::BlackEmpty,
            5 if kind.has_black() => Cell::BlackClue(digit),
            6 if candidates => Cell::Candidates(full),
            7 | 8 if candidates => Cell::Candidates(few),
            9 if candidates => Cell::Candidates(full & (0xb5_b5b5 << (row % 3)) | few),
            _ => Cell::Empty,
        };
        batch.set_cell(0, i, cell);
        if kind.has_regions() {
            // Rows, with steps: column bands wander up and down by one row.
            let shift = [0, 0, 1, 1, 0, 2, 2, 0][column % 8];
            batch.regions_mut()[i] = ((row + shift) % side + 1) as u8;
        }
        if kind.has_cages() {
            batch.colours_mut()[i] = [1, 1, 2, 3, 3, 4, 4, 4, 5, 2, 1][(row / 2 * 3 + (column + row % 2) / 2 * 4) % 11];
        }
    }
    if kind.has_cages() {
        let labels = components(&batch.colours()[..side * side], side);
        let top = batch.shape().side.get() * 13;
        for (i, &label) in labels[..side * side].iter().enumerate() {
            let first = label as usize == i;
            batch.contents_mut()[i] = if first && kind.has_operators() {
                if i % 5 == 0 && side > 6 { 2047 } else { (i % top + 1) as u16 }
            } else if first {
                (i % 45 + 1) as u16
            } else {
                0
            };
        }
        if kind.has_operators() {
            for i in (0..side * side).filter(|&i| labels[i] as usize == i) {
                let right = i + 1;
                let inside = |j: usize| j < side * side && labels[j] as usize == i;
                if right % side != 0 && inside(right) {
                    batch.contents_mut()[right] = (i % 4 + 1) as u16;
                } else if inside(i + side) {
                    batch.contents_mut()[i + side] = (i % 4 + 1) as u16;
                }
            }
        }
    }
    batch
}

/// A sudoku of side 6 with givens, a solved cell and an empty one.
pub(super) fn sudoku6() -> Batch {
    let mut batch = empty(Kind::Sudoku, 6);
    set_cells(&mut batch, "1...5. .b.4.. ...... 6....c .....1 .4....");
    batch
}

/// A KenKen of side 4 with every operator, a cage of one cell, and cells of all three types.
pub(super) fn kenken4() -> Batch {
    let mut batch = empty(Kind::KenKen, 4);
    set_cells(&mut batch, "1*.. .... b..% ...4");
    set_cages(&mut batch, "1122 1344 3315 2255", &["7+", "2/", "9+", "1-", "4", "24x", "3+"]);
    batch
}

/// A killer whose cages cross boxes and go around corners.
pub(super) fn killer9() -> Batch {
    let mut batch = empty(Kind::Killer, 9);
    set_cells(
        &mut batch,
        ". . 5 * . . . . .  . . . * * . . c .  . . . . . . . . .
         1 . . . . . . . .  . % . . 7 . . % .  . . . . . . . . i
         * * * * * * * * *  . . . . . . . . .  . . b . . . . 8 .",
    );
    let cages = "311144133 211342132 234332231 332212111 442311443 441131223 331334221 322221133 112311223";
    let clues = [
        "1", "20", "19", "8", "24", "11", "10", "23", "3", "13", "9", "24", "16", "20", "28", "8", "5", "11", "8",
        "16", "21", "13", "8", "2", "27", "14", "17", "10", "3", "13",
    ];
    set_cages(&mut batch, cages, &clues[..]);
    batch
}

/// A jigsaw with nine regions of nine cells.
pub(super) fn jigsaw9(kind: Kind) -> Batch {
    let mut batch = empty(kind, 9);
    set_regions(
        &mut batch,
        "111112233 111222336 122223366 755555366 745455336 744445996 748849996 777849896 778888899",
    );
    set_cells(&mut batch, "3......4. ..2.f.1.. .1.9.8.2. ..5...6.. .b.....%. ..8...9.. .8.3.4.6. ..4.1.9.. .5.....7.");
    batch
}

/// A sudoku with outlined and coloured extra groups that share cells.
pub(super) fn groups9() -> Batch {
    let mut batch = empty(Kind::Sudoku, 9);
    set_cells(&mut batch, &"1.%..b... ".repeat(9));
    let groups = batch.groups_mut(0);
    groups.outlined.push([0, 1, 2, 3, 12, 21, 30, 39, 48]);
    groups.outlined.push([20, 21, 22, 29, 31, 38, 39, 40, 42]);
    groups.coloured.push([60, 61, 62, 69, 70, 71, 78, 79, 80]);
    groups.coloured.push([40, 50, 60, 70, 80, 36, 37, 38, 39]);
    batch
}

/// Boards made by hand, with names.
pub(super) fn named() -> Vec<(String, Batch)> {
    let boards = [
        ("sudoku", sudoku6()),
        ("kenken", kenken4()),
        ("killer", killer9()),
        ("jigsaw", jigsaw9(Kind::Jigsaw)),
        ("groups", groups9()),
    ];
    boards.into_iter().map(|(name, batch)| (format!("hand-{name}"), batch)).collect()
}
