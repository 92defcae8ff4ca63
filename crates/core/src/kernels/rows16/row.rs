//! The vector operations that the solver of side 16 needs.

use crate::kernels::vector::Vector;

/// A vector of sixteen masks of 16 bits: a row, a column, or one mask for each of sixteen cells or houses.
pub(crate) trait Row16: Vector {
    /// Returns a vector whose masks are all `mask`.
    fn splat(self, mask: u16) -> Self;
    /// Loads masks.
    fn load(self, masks: &[u16; 16]) -> Self;
    /// Stores the masks.
    fn store(self, masks: &mut [u16; 16]);

    /// Rotates each group of four masks: mask i of a group is its former mask i+1, or i+2.
    fn rotate<const BY: usize>(self) -> Self;
    /// Rotates the groups of four masks: group i is the former group i+1, i+2 or i+3.
    fn rotate_groups<const BY: usize>(self) -> Self;
    /// Exchanges rows and columns.
    fn transpose(rows: &[Self; 16]) -> [Self; 16];
}

#[cfg(test)]
pub(in crate::kernels) mod tests {
    use super::*;

    fn masks<R: Row16>(row: R) -> [u16; 16] {
        let mut masks = [0; 16];
        row.store(&mut masks);
        masks
    }

    /// Checks every operation of a type against plain code, on masks of all sorts.
    pub(in crate::kernels) fn check<R: Row16>(row: R) {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mask = (state >> 32) as u16;
            [mask, 1 << (mask % 16), 1 << (mask % 16) | 1 << (mask >> 4 & 15), 0, 0x8001][(state >> 60) as usize % 5]
        };
        for _ in 0..crate::kernels::rounds(2_000) {
            let [a, b, c]: [[u16; 16]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
            let [x, y, z] = [row.load(&a), row.load(&b), row.load(&c)];
            let each = |f: &dyn Fn(usize) -> u16| -> [u16; 16] { std::array::from_fn(f) };
            let all = |set: bool| if set { u16::MAX } else { 0 };
            assert_eq!(masks(x), a);
            assert_eq!(masks(x.splat(a[3])), [a[3]; 16]);
            assert_eq!(masks(x.zero()), [0; 16]);
            assert_eq!(masks(x.and(y)), each(&|i| a[i] & b[i]));
            assert_eq!(masks(x.or(y)), each(&|i| a[i] | b[i]));
            assert_eq!(masks(x.xor(y)), each(&|i| a[i] ^ b[i]));
            assert_eq!(masks(x.and_not(y)), each(&|i| a[i] & !b[i]));
            assert_eq!(masks(x.empty()), each(&|i| all(a[i] == 0)));
            assert_eq!(masks(x.several()), a.map(|mask| mask & mask.wrapping_sub(1)));
            assert_eq!(masks(x.rotate::<1>()), each(&|i| a[i / 4 * 4 + (i + 1) % 4]));
            assert_eq!(masks(x.rotate::<2>()), each(&|i| a[i / 4 * 4 + (i + 2) % 4]));
            assert_eq!(masks(x.rotate_groups::<1>()), each(&|i| a[(i + 4) % 16]));
            assert_eq!(masks(x.rotate_groups::<2>()), each(&|i| a[(i + 8) % 16]));
            assert_eq!(masks(x.rotate_groups::<3>()), each(&|i| a[(i + 12) % 16]));
            assert_eq!(masks(x.empty().select(y, z)), each(&|i| if a[i] == 0 { b[i] } else { c[i] }));
            let one = each(&|i| if i == usize::from(b[0] % 16) { b[1] } else { 0 });
            assert_eq!(row.load(&one).is_zero(), b[1] == 0);
            let grid: [[u16; 16]; 16] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
            let transposed = R::transpose(&grid.map(|masks| row.load(&masks))).map(masks);
            assert_eq!(transposed, std::array::from_fn(|i| each(&|j| grid[j][i])));
        }
    }
}
