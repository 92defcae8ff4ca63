//! Rewrites v1 directly to the bodies of v2, with one table lookup for the two characters of each cell.

use std::sync::OnceLock;

use super::Texts;
use super::tables::{BAD, DIGIT32, PAIR36, TIMES32, V1_TO_CODE};

/// The table entries, indexed by two v1 characters (the first one in the lower byte): the two base-36 characters of the
/// cell (the first one in the lower byte) with [`SOLVED`], or [`WRONG`].
type CellTable = [u32; 1 << 16];

/// Marks of an entry, above its characters. They are so far apart that the marks of a whole board can be added up.
const SOLVED: u32 = 1 << 16;
const WRONG: u32 = 1 << 23;

/// Returns the table, which is made at the first call: stored in the program, it would be larger than all other code.
/// Only 8 KiB of it are ever read for good records.
fn cells() -> &'static CellTable {
    static CELLS: OnceLock<Box<CellTable>> = OnceLock::new();
    CELLS.get_or_init(|| {
        let all = (0..=u16::MAX).map(|pair| {
            let [high, low] = pair.to_le_bytes();
            let value = TIMES32[high as usize] | DIGIT32[low as usize];
            let code = V1_TO_CODE[value as usize & 1023];
            if (value | code) & BAD != 0 {
                return WRONG;
            }
            let solved = if matches!(code, 10..=18) { SOLVED } else { 0 };
            solved | u32::from(u16::from_le_bytes(PAIR36[code as usize]))
        });
        // There are as many entries as pairs, so the conversion cannot fail.
        all.collect::<Box<[u32]>>().try_into().unwrap_or_else(|_| Box::new([WRONG; 1 << 16]))
    })
}

/// Implements [`super::CodecKernels::v1_to_pairs36`].
pub(super) fn v1_to_pairs36(texts: Texts, out: &mut [u8], pitch: usize) -> Option<u32> {
    let table = cells();
    let mut solved = 0;
    for i in 0..texts.starts.len() {
        let pairs = texts.get(i, 162).as_chunks::<2>().0;
        let mut marks = 0;
        for (pair, out) in pairs.iter().zip(out[i * pitch..][..162].as_chunks_mut::<2>().0) {
            let cell = table[u16::from_le_bytes(*pair) as usize];
            marks += cell >> 16;
            *out = (cell as u16).to_le_bytes();
        }
        if marks >= WRONG >> 16 {
            return None;
        }
        solved += marks;
    }
    Some(solved)
}
