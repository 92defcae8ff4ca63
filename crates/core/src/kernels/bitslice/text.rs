//! Transposes puzzles in text to bit slices, in plain Rust.

use super::MAX_LANES;

/// The candidates of a cell by its byte: bits 0 to 8 for the digits 1 to 9.
static CANDIDATES: [u16; 256] = candidates();

const fn candidates() -> [u16; 256] {
    let mut table = [0x1FF; 256];
    let mut digit = 1;
    while digit <= 9 {
        table[digit] = 1 << (digit - 1);
        table[b'0' as usize + digit] = 1 << (digit - 1);
        digit += 1;
    }
    table
}

/// Bit `i` of byte `k` becomes bit `k` of byte `i`.
#[inline(always)]
fn transpose8(mut x: u64) -> u64 {
    let mut swap = |mask: u64, by: u32| {
        let t = (x ^ (x >> by)) & mask;
        x ^= t ^ (t << by);
    };
    swap(0x00AA_00AA_00AA_00AA, 7);
    swap(0x0000_CCCC_0000_CCCC, 14);
    swap(0x0000_0000_F0F0_F0F0, 28);
    x
}

/// Returns the slices of a cell: for each digit the puzzles in which the cell can have it, with puzzle `p` of `lanes`
/// in bit `p % 32` of word `p / 32`. The cell's byte in puzzle `p` is at `p * pitch + cell`.
#[inline(always)]
pub(super) fn slices(lanes: usize, text: &[u8], pitch: usize, cell: usize) -> [[u32; MAX_LANES / 32]; 9] {
    // Eight puzzles fill one byte of each digit's slice.
    let mut slices = [[0u32; MAX_LANES / 32]; 9];
    for eight in 0..lanes / 8 {
        let (mut low, mut ninth) = (0, 0);
        for k in 0..8 {
            let mask = CANDIDATES[text[(eight * 8 + k) * pitch + cell] as usize];
            low |= u64::from(mask & 0xFF) << (8 * k);
            ninth |= u32::from(mask >> 8) << k;
        }
        let digits = transpose8(low).to_le_bytes();
        let (word, shift) = (eight / 4, eight % 4 * 8);
        for (slice, byte) in slices.iter_mut().zip(digits) {
            slice[word] |= u32::from(byte) << shift;
        }
        slices[8][word] |= ninth << shift;
    }
    slices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bytes_of_eight_bits_change_places() {
        for i in 0..8 {
            for k in 0..8 {
                assert_eq!(transpose8(1 << (8 * k + i)), 1 << (8 * i + k));
            }
        }
    }
}
