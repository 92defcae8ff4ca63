//! Rewrites plain sudokus directly to v2.

use super::sudoku::WIDTH;
use crate::formats::v2::bodies;
use crate::formats::{Form, Records, StringsOut};
use crate::kernels::{Decoded, Kernel, SimdTask};

/// Implements [`Codec::rewrite`](crate::formats::Codec::rewrite) for strings whose blanks are `0` or `.`; the others
/// are rare, and looking for them would take longer than the rest.
pub(super) fn rewrite(to: Form, records: Records, kernel: &Kernel, out: StringsOut<'_>) -> Option<Decoded> {
    bodies(to, records.len(), out, |out, pitch| kernel.run(WritePairs { records, out, pitch }).then_some(0))
}

/// Writes the cells of v2: `0` and the digit for a clue, `00` for an empty cell.
struct WritePairs<'a> {
    records: Records<'a>,
    out: &'a mut [u8],
    pitch: usize,
}

impl SimdTask for WritePairs<'_> {
    /// Whether all records consist of `0` to `9` and `.`.
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        const LANES: usize = 32;
        let mut any_other = 0;
        for (i, out) in self.out.chunks_mut(self.pitch).enumerate().take(self.records.len()) {
            let text: &[u8; WIDTH] = self.records.get(i).first_chunk().expect("the width of the form");
            // The last part overlaps the one before, so that there is no rest.
            for first in [0, LANES, WIDTH - LANES] {
                let text = &text[first..first + LANES];
                let pairs = out[2 * first..2 * (first + LANES)].as_chunks_mut::<2>().0;
                // One byte, since an array for all lanes would be kept in memory.
                let mut other = 0;
                for lane in 0..LANES {
                    let byte = text[lane];
                    let is_digit = byte.wrapping_sub(b'0') <= 9;
                    other |= u8::from(!is_digit & (byte != b'.'));
                    let digit = if is_digit { byte } else { b'0' };
                    // As 16-bit words, which the compiler vectorises.
                    pairs[lane] = (u16::from(b'0') | u16::from(digit) << 8).to_le_bytes();
                }
                any_other |= other;
            }
        }
        any_other == 0
    }
}
