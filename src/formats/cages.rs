//! The structure of cages: where clues and operators must stand (FORMATS.md, "Regions and cages", "KenKen cage content").

use crate::board::{Kind, components};

/// The first fault of a board's cages in reading order: the cell and what is wrong with it. Whether sums, arities and
/// shapes make sense is not asked here.
///
/// `colours` and `contents` are one board's rows, `side * side` long.
pub(super) fn fault(kind: Kind, side: usize, colours: &[u8], contents: &[u16]) -> Option<(usize, String)> {
    let labels = components(colours, side);
    let operators = kind.has_operators();
    (0..colours.len()).find_map(|i| {
        let content = contents[i];
        let first = labels[i] as usize;
        let words = if i == first {
            (content == 0).then(|| "a cage without a clue in its first cell".to_string())
        } else if operators && Some(i) == operator_cell(&labels, side, first) {
            match content {
                1..=4 => None,
                0 => Some("the operator of this cage is missing".to_string()),
                _ => Some(format!("{content} is not an operator (1 +, 2 -, 3 x, 4 /)")),
            }
        } else if content == 0 {
            None
        } else if operators {
            Some(format!("cage content {content} in a cell that holds neither clue nor operator"))
        } else {
            Some(format!("cage clue {content} in a cell that is not the first of its cage"))
        };
        words.map(|words| (i, words))
    })
}

/// Whether a board's cages have no [`fault`]: the same question at the speed of decoding. Colours may be out of range,
/// contents are less than 2^15.
pub(super) fn right(kind: Kind, side: usize, colours: &[u8], contents: &[u16]) -> bool {
    match side {
        9 => right_small::<9, 96>(kind, colours, contents),
        8 => right_small::<8, 64>(kind, colours, contents),
        6 => right_small::<6, 48>(kind, colours, contents),
        _ => fault(kind, side, colours, contents).is_none(),
    }
}

/// Places before and behind the cells of a small board, so that what is left, right, above and below a cell can be looked at
/// for all cells at once.
const AROUND: usize = 16;
const ROOM: usize = CELLS + 2 * AROUND;
const CELLS: usize = 96;

/// The first `V` cells of a board with room around it, all moved by some places.
fn moved<const V: usize>(room: &[u8; ROOM], by: isize) -> &[u8; V] {
    room[AROUND.wrapping_add_signed(by)..].first_chunk().expect("moved by less than the room around")
}

/// [`right`] for side `N`, up to 9, whose cells fill `V` places.
///
/// Each cell takes the lowest number that it or a neighbour of its colour has, beginning with its own. Cells that keep their
/// own are first cells of cages, sooner or later only those. Their number says when: cells less pairs of neighbours in one
/// cage plus squares of four in one cage is the number of cages (less the holes in cages, so that a board with such a cage
/// goes on until nothing changes). Two or three rounds do for most boards; the lowest numbers themselves would take six.
fn right_small<const N: usize, const V: usize>(kind: Kind, colours: &[u8], contents: &[u16]) -> bool {
    let (n, cells) = (N as isize, N * N);
    let mut padded = [0; ROOM];
    padded[AROUND..AROUND + cells].copy_from_slice(colours);
    // 0xff between a cell and one of another colour or none: it hides a number from the minimum.
    let (mut apart_right, mut apart_below) = ([0xff; ROOM], [0xff; ROOM]);
    let (here, right, below) = (moved::<V>(&padded, 0), moved::<V>(&padded, 1), moved::<V>(&padded, n));
    for i in 0..V {
        apart_right[AROUND + i] = differ(here[i], right[i]) | LAST_COLUMN[N][i];
        apart_below[AROUND + i] = differ(here[i], below[i]) | LAST_ROW[N][i];
    }
    let cages = cages_less_holes::<V>(cells, n, &apart_right, &apart_below);
    let mut lowest = [0xff; ROOM];
    lowest[AROUND..AROUND + CELLS].copy_from_slice(&NUMBERS[N]);
    let mut first = [0; ROOM];
    loop {
        let mut next = *moved::<V>(&lowest, 0);
        for (way, apart) in [(1, &apart_right), (n, &apart_below)] {
            let (on, back) = (moved::<V>(&lowest, way), moved::<V>(&lowest, -way));
            let (apart, apart_back) = (moved::<V>(apart, 0), moved::<V>(apart, -way));
            for i in 0..V {
                next[i] = next[i].min(on[i] | apart[i]).min(back[i] | apart_back[i]);
            }
        }
        let firsts: &mut [u8; V] = first[AROUND..].first_chunk_mut().expect("V is at most CELLS");
        for i in 0..V {
            firsts[i] = !differ(next[i], NUMBERS[N][i]) & BOARD[N][i];
        }
        let changed = next.iter().zip(moved::<V>(&lowest, 0)).fold(0, |changed, (a, b)| changed | (a ^ b));
        lowest[AROUND..AROUND + V].copy_from_slice(&next);
        if count(firsts) == cages || changed == 0 {
            break;
        }
    }
    let mut held = [0; V];
    held.iter_mut().zip(contents).for_each(|(held, &content)| *held = (content as i16).min(255) as u8);
    let operators = if kind.has_operators() { 0xff } else { 0 };
    let (here, left, above) = (moved::<V>(&first, 0), moved::<V>(&first, -1), moved::<V>(&first, -n));
    let (left_apart, above_apart) = (moved::<V>(&apart_right, -1), moved::<V>(&apart_below, -n));
    let right_of_above_apart = moved::<V>(&apart_right, -n);
    let mut wrong = 0;
    for i in 0..V {
        let operator =
            (left[i] & !left_apart[i] | above[i] & !above_apart[i] & right_of_above_apart[i]) & !here[i] & operators;
        wrong |= (differ(held[i], 0) ^ (here[i] | operator)) | operator & held[i].saturating_sub(4);
    }
    wrong == 0
}

/// Cells less pairs plus squares. The arrays say what is apart.
fn cages_less_holes<const V: usize>(cells: usize, n: isize, right: &[u8; ROOM], below: &[u8; ROOM]) -> usize {
    let (mut pairs_across, mut pairs_down, mut squares) = ([0; V], [0; V], [0; V]);
    let (across, down) = (moved::<V>(right, 0), moved::<V>(below, 0));
    let (across_below, down_right) = (moved::<V>(right, n), moved::<V>(below, 1));
    for i in 0..V {
        pairs_across[i] = !across[i];
        pairs_down[i] = !down[i];
        squares[i] = !(across[i] | down[i] | across_below[i] | down_right[i]);
    }
    cells + count(&squares) - count(&pairs_across) - count(&pairs_down)
}

/// 0xff for two different bytes, 0 for equal ones. (As a condition around a table's entry, compilers make it a branch.)
fn differ(a: u8, b: u8) -> u8 {
    if a == b { 0 } else { 0xff }
}

/// How many bytes are 0xff, where all others are 0.
fn count<const V: usize>(marks: &[u8; V]) -> usize {
    // Sums of up to 6 marks each, as no lane may overflow.
    let mut sums = [0_u8; 8];
    marks
        .as_chunks::<8>()
        .0
        .iter()
        .for_each(|eight| sums.iter_mut().zip(eight).for_each(|(sum, mark)| *sum += mark & 1));
    sums.iter().map(|&sum| usize::from(sum)).sum()
}

/// By side: the number of each cell; 0xff behind the last.
static NUMBERS: [[u8; CELLS]; 10] = {
    let mut table = [[0xff; CELLS]; 10];
    let mut side = 1;
    while side < 10 {
        let mut i = 0;
        while i < side * side {
            table[side][i] = i as u8;
            i += 1;
        }
        side += 1;
    }
    table
};

/// By side: 0xff for each cell; 0 behind the last.
static BOARD: [[u8; CELLS]; 10] = {
    let mut table = [[0; CELLS]; 10];
    let mut side = 1;
    while side < 10 {
        let mut i = 0;
        while i < side * side {
            table[side][i] = 0xff;
            i += 1;
        }
        side += 1;
    }
    table
};

/// By side: 0xff for the cells of the last column, and for what is behind the last cell.
static LAST_COLUMN: [[u8; CELLS]; 10] = {
    let mut table = [[0xff; CELLS]; 10];
    let mut side = 1;
    while side < 10 {
        let mut i = 0;
        while i < side * side {
            if i % side != side - 1 {
                table[side][i] = 0;
            }
            i += 1;
        }
        side += 1;
    }
    table
};

/// By side: 0xff for the cells of the last row, and for what is behind the last cell.
static LAST_ROW: [[u8; CELLS]; 10] = {
    let mut table = [[0xff; CELLS]; 10];
    let mut side = 1;
    while side < 10 {
        let mut i = 0;
        while i < side * (side - 1) {
            table[side][i] = 0;
            i += 1;
        }
        side += 1;
    }
    table
};

/// Where a cage keeps its operator: right of its first cell if that is in the cage, else below it; a cage of one cell has
/// none.
pub(super) fn operator_cell(labels: &[u16], side: usize, first: usize) -> Option<usize> {
    let within = |i: usize| i < side * side && labels[i] as usize == first;
    let right = first + 1;
    if !right.is_multiple_of(side) && within(right) {
        Some(right)
    } else {
        Some(first + side).filter(|&below| within(below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quick answer is the slow one's, for cages of every shape, right and wrong.
    #[test]
    fn quick_and_slow_agree() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut wrong = 0;
        for round in 0..20_000 {
            let side = [6, 8, 9][random(3)];
            let kind = if round % 2 == 0 { Kind::Killer } else { Kind::KenKen };
            // Few colours make large cages with holes, many make small ones.
            let palette = 1 + random(5);
            let mut colours: Vec<u8> = (0..side * side).map(|_| 1 + random(palette) as u8).collect();
            for _ in 0..random(60) {
                let i = random(side * side - side - 1);
                colours[i] = colours[i + [1, side][random(2)]];
            }
            let labels = components(&colours, side);
            let mut contents = vec![0; side * side];
            for i in 0..side * side {
                if labels[i] as usize == i {
                    contents[i] = 1 + random(45) as u16;
                    if let Some(operator) = operator_cell(&labels, side, i).filter(|_| kind.has_operators()) {
                        contents[operator] = 1 + random(4) as u16;
                    }
                }
            }
            assert!(right(kind, side, &colours, &contents), "{kind} {side} {colours:?}");
            for _ in 0..1 + random(2) {
                contents[random(side * side)] = [0, 0, 1, 4, 5, 300][random(6)];
            }
            let expected = fault(kind, side, &colours, &contents).is_none();
            assert_eq!(right(kind, side, &colours, &contents), expected, "{kind} {side} {colours:?} {contents:?}");
            wrong += u32::from(!expected);
        }
        assert!(wrong > 5_000);
    }
}
