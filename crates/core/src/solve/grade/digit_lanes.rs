//! Sixteen masks side by side, one for each digit or for each of several assumptions.

use std::ops::{BitAnd, BitOr, Not};

/// Sixteen masks, which the compiler keeps in vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct DigitLanes(pub(super) [u16; 16]);

/// The first cell of each group of three in a row.
const GROUPS: u16 = 0o111;

impl DigitLanes {
    pub(super) const ZERO: Self = Self([0; 16]);

    #[inline(always)]
    pub(super) const fn splat(mask: u16) -> Self {
        Self([mask; 16])
    }

    #[inline(always)]
    pub(super) fn shl(mut self, by: u32) -> Self {
        for lane in &mut self.0 {
            *lane <<= by;
        }
        self
    }

    #[inline(always)]
    pub(super) fn shr(mut self, by: u32) -> Self {
        for lane in &mut self.0 {
            *lane >>= by;
        }
        self
    }

    /// The masks with exactly one bit; all others become 0.
    #[inline(always)]
    pub(super) fn alone(mut self) -> Self {
        for lane in &mut self.0 {
            *lane = if *lane & lane.wrapping_sub(1) == 0 { *lane } else { 0 };
        }
        self
    }

    /// The masks with two or more bits, without their lowest; all others become 0.
    #[inline(always)]
    pub(super) fn several(mut self) -> Self {
        for lane in &mut self.0 {
            *lane &= lane.wrapping_sub(1);
        }
        self
    }

    /// All bits of each mask that is not 0.
    #[inline(always)]
    pub(super) fn nonzero(mut self) -> Self {
        for lane in &mut self.0 {
            *lane = if *lane == 0 { 0 } else { u16::MAX };
        }
        self
    }

    #[inline(always)]
    pub(super) fn any(self) -> bool {
        let mut all = 0;
        for lane in self.0 {
            all |= lane;
        }
        all != 0
    }

    /// The bits that some mask has, and those that two or more have.
    #[inline(always)]
    pub(super) fn once_and_twice(self) -> (u16, u16) {
        // Halves are put together, which are a few operations of vectors.
        let (mut once, mut twice) = (self.0, [0; 16]);
        for half in [8, 4, 2, 1] {
            for i in 0..half {
                twice[i] |= twice[i + half] | (once[i] & once[i + half]);
                once[i] |= once[i + half];
            }
        }
        (once[0], twice[0])
    }

    /// The first cell of each group of three that has a cell.
    #[inline(always)]
    pub(super) fn groups(self) -> Self {
        (self | self.shr(1) | self.shr(2)) & Self::splat(GROUPS)
    }

    /// All cells of the groups whose first cell is set.
    #[inline(always)]
    pub(super) fn spread(self) -> Self {
        self | self.shl(1) | self.shl(2)
    }

    /// The first cell of each group of three that has two cells or more.
    #[inline(always)]
    pub(super) fn groups_of_several(self) -> Self {
        let (one, two) = (self.shr(1), self.shr(2));
        ((self & one) | ((self | one) & two)) & Self::splat(GROUPS)
    }

    /// The two other cells of the group of each cell.
    #[inline(always)]
    pub(super) fn neighbours(self) -> Self {
        let up = (self & Self::splat(0o333)).shl(1) | (self & Self::splat(0o111)).shl(2);
        let down = (self & Self::splat(0o666)).shr(1) | (self & Self::splat(0o444)).shr(2);
        up | down
    }

    /// For each group, its first cell if one of the two other groups has its first cell set.
    #[inline(always)]
    pub(super) fn other_groups(self) -> Self {
        (self.shl(3) | self.shl(6) | self.shr(3) | self.shr(6)) & Self::splat(GROUPS)
    }
}

impl BitAnd for DigitLanes {
    type Output = Self;
    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        for i in 0..16 {
            self.0[i] &= other.0[i];
        }
        self
    }
}

impl BitOr for DigitLanes {
    type Output = Self;
    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        for i in 0..16 {
            self.0[i] |= other.0[i];
        }
        self
    }
}

impl Not for DigitLanes {
    type Output = Self;
    #[inline(always)]
    fn not(mut self) -> Self {
        for lane in &mut self.0 {
            *lane = !*lane;
        }
        self
    }
}
