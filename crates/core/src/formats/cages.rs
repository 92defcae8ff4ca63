//! Checks the structure of cages: which cells must have clues and operators (docs/FORMATS.md, "Regions and cages",
//! "KenKen cage content").

use crate::board::{Batch, Cages, Kind, Shape, components};
use crate::error::{Code, Reject};
use crate::kernels::{Kernel, SimdTask};

/// Whether the strings of a format can have open cages: cages of killers without a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenCages {
    Held,
    Refused,
}

/// The name of open cages where they are refused.
pub(super) const WITHOUT_SUM: &str = "cages without a sum";

/// Why a board cannot be written in a format that cannot have open cages: it has some.
pub(super) fn refuse_open(batch: &Batch, board: usize) -> Option<Reject> {
    (batch.open_boards(1 << board) != 0).then(|| Reject::whole(Code::Unsupported, WITHOUT_SUM))
}

/// Finds the first fault of a board's cages in reading order. Returns a cell and a message. Does not check whether
/// sums, arities and shapes make sense.
///
/// `colours` and `contents` are the rows of one board, with `side * side` entries.
pub(super) fn fault(
    kind: Kind,
    side: usize,
    colours: &[u8],
    contents: &[u16],
    open: OpenCages,
) -> Option<(usize, String)> {
    let labels = components(colours, side);
    let operators = kind.has_operators();
    let needs_clues = operators || open == OpenCages::Refused;
    (0..colours.len()).find_map(|i| {
        let content = contents[i];
        let first = labels[i] as usize;
        let words = if i == first {
            (needs_clues && content == 0).then(|| "a cage without a clue in its first cell".to_string())
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

/// Returns the boards among `good` whose cages have no [`fault`], and notes which of them have no open cages. Colours may
/// be out of range; contents are less than 2^15. For boards without open cages, this is much faster than calling
/// [`fault`] for each.
pub(super) fn valid_boards(batch: &mut Batch, good: u64, open: OpenCages, kernel: &Kernel) -> u64 {
    let closed = kernel.run(ClosedBoards { batch, good });
    batch.set_closed(closed);
    let shape = batch.shape();
    let others = if open == OpenCages::Held && shape.kind.rules().cages == Cages::Sums { good & !closed } else { 0 };
    let (cells, stride) = (shape.side.cells(), batch.stride());
    let is_valid = |board: usize| {
        let row = board * stride..board * stride + cells;
        fault(shape.kind, shape.side.get(), &batch.colours()[row.clone()], &batch.contents()[row], open).is_none()
    };
    let boards = (0..batch.len()).filter(|&board| others >> board & 1 == 1 && is_valid(board));
    boards.fold(closed, |valid, board| valid | 1 << board)
}

/// Finds the boards whose cages have no fault and all have clues.
struct ClosedBoards<'a> {
    batch: &'a Batch,
    good: u64,
}

impl SimdTask for ClosedBoards<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { batch, good } = self;
        let (shape, stride) = (batch.shape(), batch.stride());
        let mut invalid = 0;
        for (i, (colours, contents)) in
            batch.colours().chunks_exact(stride).zip(batch.contents().chunks_exact(stride)).enumerate()
        {
            if good >> i & 1 == 1 {
                invalid |= u64::from(!are_valid(shape, colours, contents)) << i;
            }
        }
        good & !invalid
    }
}

/// Whether the cages of one board have no fault, and none is open. The slices are rows with their padding.
#[inline(always)]
fn are_valid(shape: Shape, colours: &[u8], contents: &[u16]) -> bool {
    let quick = match shape.side.get() {
        // As far as the padding allows, the counts are those of whole vectors.
        9 => are_valid_small::<9, 80, 80, 96>(shape.kind, colours, contents),
        8 => are_valid_small::<8, 63, 56, 64>(shape.kind, colours, contents),
        6 => are_valid_small::<6, 48, 48, 48>(shape.kind, colours, contents),
        _ => None,
    };
    let cells = shape.side.cells();
    let (side, open) = (shape.side.get(), OpenCages::Refused);
    quick.unwrap_or_else(|| fault(shape.kind, side, &colours[..cells], &contents[..cells], open).is_none())
}

/// Like [`are_valid`], for side `N` up to 9, with one bit for each cell. `None` if undecided. The first `ACROSS` cells
/// are compared with the next cell, the first `DOWN` cells with the cell below, and the first `ALL` contents are read.
///
/// The number of cells, minus the number of neighbouring pairs in one cage, plus the number of 2x2 squares in one cage,
/// equals the number of cages minus the number of their holes. If this also equals the number of clues, and every cell
/// can be reached from a clue within its cage, then every cage has exactly one clue and no cage has a hole. A clue is
/// in the first cell of its cage if it precedes all other cells that have their cage neither above nor to the left.
/// Most boards are decided without the search for reachable cells, which took two thirds of the time.
#[inline(always)]
fn are_valid_small<const N: usize, const ACROSS: usize, const DOWN: usize, const ALL: usize>(
    kind: Kind,
    colours: &[u8],
    contents: &[u16],
) -> Option<bool> {
    let cells = N * N;
    let all = (1_u128 << cells) - 1;
    let (mut same, mut filled, mut large) = ([0; PADDED_CELLS], [0; PADDED_CELLS], [0; PADDED_CELLS]);
    for ((same, a), b) in same[..ACROSS].iter_mut().zip(&colours[..ACROSS]).zip(&colours[1..][..ACROSS]) {
        *same = u8::from(a == b);
    }
    let joins_right = to_bits(&same) & all & !last_column::<N>();
    let mut same = [0; PADDED_CELLS];
    for ((same, a), b) in same[..DOWN].iter_mut().zip(&colours[..DOWN]).zip(&colours[N..][..DOWN]) {
        *same = u8::from(a == b);
    }
    let joins_below = to_bits(&same) & all >> N;
    for (filled, &content) in filled[..ALL].iter_mut().zip(&contents[..ALL]) {
        *filled = u8::from(content != 0);
    }
    let filled = to_bits(&filled) & all;
    let tops = all & !(joins_right << 1) & !(joins_below << N);
    let clues = filled & tops;
    let expected = if kind.has_operators() {
        for (large, &content) in large[..ALL].iter_mut().zip(&contents[..ALL]) {
            *large = u8::from(content > 4);
        }
        let operators = (clues & joins_right) << 1 | (clues & !joins_right & joins_below) << N;
        if operators & to_bits(&large) != 0 {
            return Some(false);
        }
        clues | operators
    } else {
        clues
    };
    if filled != expected {
        return Some(false);
    }
    let squares = joins_right & joins_below & joins_right >> N & joins_below >> 1;
    let count = |cells: u128| cells.count_ones() as usize;
    if count(clues) + count(joins_right) + count(joins_below) != cells + count(squares) {
        return None;
    }
    let step = |from: u128| {
        from | (from & joins_right) << 1 | from >> 1 & joins_right | (from & joins_below) << N | from >> N & joins_below
    };
    // Find horizontal runs of a cage in which no cell (up to three cells on) has the cage above it. The first cell of a
    // cage is in such a run. If all such runs have clues, every cage has a clue; and because there are no more clues
    // than cages, no cage has two.
    let above = joins_below << N;
    let above = above | above >> 1 & joins_right;
    let above = above | above >> 2 & joins_right & joins_right >> 1;
    if clues == tops & !above {
        return Some(true);
    }
    let mut reached = clues;
    while reached != all {
        let next = step(reached);
        if next == reached {
            return Some(false);
        }
        reached = next;
    }
    let mut others = tops & !clues;
    while others != 0 {
        let other = others & others.wrapping_neg();
        let mut reached = other;
        while reached & clues == 0 {
            reached = step(reached);
        }
        if reached & clues > other {
            return Some(false);
        }
        others ^= other;
    }
    Some(true)
}

/// The cells of the largest board here, with padding.
const PADDED_CELLS: usize = 96;

/// Returns the set of the cells that are marked with 1. The others are marked with 0.
#[inline(always)]
fn to_bits(marks: &[u8; PADDED_CELLS]) -> u128 {
    let mut set = 0;
    for (i, eight) in marks.as_chunks::<8>().0.iter().enumerate() {
        // The multiplication collects the lowest bits of eight bytes in the highest byte.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        set |= u128::from(bits) << (8 * i);
    }
    set
}

/// Returns the cells of the last column.
const fn last_column<const N: usize>() -> u128 {
    let (mut set, mut row) = (0, 0);
    while row < N {
        set |= 1 << (row * N + N - 1);
        row += 1;
    }
    set
}

/// Returns the cell that contains the operator of a cage: the cell to the right of the first cell if it is in the cage,
/// otherwise the cell below. A cage of one cell has no operator.
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
    use crate::board::Side;

    /// The fast check agrees with the slow check for valid and invalid cages of every shape.
    #[test]
    fn quick_and_slow_agree() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut invalid = 0;
        for round in 0..20_000 {
            let side = [6, 8, 9][random(3)];
            let kind = if round % 2 == 0 { Kind::Killer } else { Kind::KenKen };
            // With few colours, cages are large and have holes; with many colours, they are small.
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
            // Rows with padding, whose contents do not matter.
            let shape = Shape::new(kind, Side::new(side).expect("a side"));
            let cells = side * side;
            let row: Vec<u8> = (0..shape.stride()).map(|_| 1 + random(5) as u8).collect();
            let colours = [&colours[..], &row[cells..]].concat();
            contents.resize_with(shape.stride(), || random(400) as u16);
            assert!(are_valid(shape, &colours, &contents), "{kind} {side} {colours:?}");
            if round % 4 < 2 {
                // Move a clue to another cell, if possible of the same cage.
                let from = labels[random(cells)] as usize;
                let to = (0..8).map(|_| random(cells)).find(|&to| labels[to] as usize == from).unwrap_or(random(cells));
                contents.swap(from, to);
            }
            for _ in 0..random(3) {
                contents[random(cells)] = [0, 0, 1, 4, 5, 300][random(6)];
            }
            let expected = fault(kind, side, &colours[..cells], &contents[..cells], OpenCages::Refused).is_none();
            assert_eq!(are_valid(shape, &colours, &contents), expected, "{kind} {side} {colours:?} {contents:?}");
            invalid += u32::from(!expected);
        }
        assert!(invalid > 5_000);
    }
}
