//! What cages say together: the digits of a house add up to a known total, so do the cells of it that are left over by the
//! cages inside, and those by which its cages stick out.

use crate::board::RuledBoard;

/// Cells at most for which such a sum says enough to be worth its time.
const MOST: u32 = 4;

/// Gives each such sum of cells that see each other: of every house, and of two to four rows or columns side by side. False
/// if one cannot be. Sides up to 9 only: cells are bits.
pub(super) fn each(board: &RuledBoard, mut give: impl FnMut(&[u16], u32)) -> bool {
    let n = board.side;
    let total = (n * (n + 1) / 2) as i64;
    let bits = |cells: &[u16]| cells.iter().fold(0_u128, |bits, &cell| bits | 1 << cell);
    let houses: Vec<u128> =
        board.houses.iter().filter(|house| house.cells.len() == n).map(|h| bits(&h.cells)).collect();
    let cages: Vec<(u128, i64)> = board.cages.iter().map(|cage| (bits(&cage.cells), cage.clue.into())).collect();
    // The first n houses are rows, the next n columns.
    let lines = |from: usize| {
        let houses = &houses;
        (2..5).flat_map(move |count| houses[from..from + n].windows(count).map(move |few| (few, count)))
    };
    let several = lines(0).chain(lines(n)).map(|(few, count)| (few.iter().fold(0, |all, h| all | h), count));
    for (area, count) in houses.iter().map(|&house| (house, 1)).chain(several) {
        let (mut inside, mut touching, mut sum_inside, mut sum_touching) = (0, 0, 0, 0);
        for &(cage, sum) in &cages {
            if cage & area != 0 {
                touching |= cage;
                sum_touching += sum;
                if cage & !area == 0 {
                    inside |= cage;
                    sum_inside += sum;
                }
            }
        }
        let whole = total * count as i64;
        for (cells, sum) in [(area & !inside, whole - sum_inside), (touching & !area, sum_touching - whole)] {
            let size = cells.count_ones();
            if size == 0 && sum != 0 || sum < 0 {
                return false;
            }
            let see_each_other = || size == 1 || houses.iter().any(|house| cells & !house == 0);
            // A cage is a rule of its own.
            if size > 0 && size <= MOST && see_each_other() && !cages.iter().any(|&(cage, _)| cage == cells) {
                give(&of_bits(cells), sum as u32);
            }
        }
    }
    true
}

fn of_bits(mut bits: u128) -> Vec<u16> {
    let mut cells = Vec::with_capacity(bits.count_ones() as usize);
    while bits != 0 {
        cells.push(bits.trailing_zeros() as u16);
        bits &= bits - 1;
    }
    cells
}
