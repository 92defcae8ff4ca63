//! Finds sums that houses and cages imply together. The digits of a house have a known sum. So the cells of a house
//! that are in none of the cages inside it have a known sum (innies), and so have the cells outside the house that
//! belong to cages touching it (outies).

use crate::board::RuledBoard;

/// The largest number of cells for which such a sum excludes enough to be worth its time.
const MAX_CELLS: u32 = 4;

/// Calls `give` with each implied sum of cells that share a house: for every house, and for two to four adjacent rows
/// or columns. Returns false if one of the sums is impossible. The side is at most 9, since the cells are bits of 128.
pub(super) fn for_each(board: &RuledBoard, mut give: impl FnMut(&[u16], u32)) -> bool {
    let n = board.side;
    let total = (n * (n + 1) / 2) as i64;
    let bits = |cells: &[u16]| cells.iter().fold(0_u128, |bits, &cell| bits | 1 << cell);
    let houses: Vec<u128> =
        board.houses.iter().filter(|house| house.cells.len() == n).map(|h| bits(&h.cells)).collect();
    let closed = board.cages.iter().filter(|cage| cage.clue != 0);
    let cages: Vec<(u128, i64)> = closed.map(|cage| (bits(&cage.cells), cage.clue.into())).collect();
    // The first n houses are rows, the next n columns.
    let lines = |from: usize| {
        let houses = &houses;
        (2..5).flat_map(move |count| houses[from..from + n].windows(count).map(move |few| (few, count)))
    };
    let blocks_of_lines = lines(0).chain(lines(n)).map(|(few, count)| (few.iter().fold(0, |all, h| all | h), count));
    for (area, count) in houses.iter().map(|&house| (house, 1)).chain(blocks_of_lines) {
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
        let area_total = total * count as i64;
        // If a cell of the area is in no cage with a sum, nothing follows for the cells outside.
        let outside = (touching & !area, sum_touching - area_total);
        let outside = Some(outside).filter(|_| area & !touching == 0);
        for (cells, sum) in [(area & !inside, area_total - sum_inside)].into_iter().chain(outside) {
            let size = cells.count_ones();
            if size == 0 && sum != 0 || sum < 0 {
                return false;
            }
            let share_house = || size == 1 || houses.iter().any(|house| cells & !house == 0);
            // The sum of a single cage is a rule already.
            if size > 0 && size <= MAX_CELLS && share_house() && !cages.iter().any(|&(cage, _)| cage == cells) {
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
