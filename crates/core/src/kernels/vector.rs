//! What every solver of single shapes needs of a vector of candidates, whatever a cell of it is: 8 or 16 bits wide.

/// Masks side by side, each about a cell or a house.
///
/// A value of a type that implements this is the proof that the machine has the instructions of the type: the first one is
/// made by an unsafe function, all others out of it. All functions are inlined always, so that they become instructions
/// inside the functions that are compiled for them.
pub(crate) trait Vector: Copy {
    /// Nothing in any mask.
    fn zero(self) -> Self;
    fn and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    /// `self & !b`
    fn and_not(self, b: Self) -> Self;
    /// Whether all masks are 0.
    fn is_zero(self) -> bool;

    /// All ones where a mask is 0.
    fn empty(self) -> Self;
    /// Each mask without its lowest bit: not 0 where it has two or more.
    fn several(self) -> Self;

    /// Masks of `b` where `self` has ones, of `c` where it has zeros.
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        self.and(b).or(c.and_not(self))
    }
}

/// Several vectors as one.
impl<V: Vector, const N: usize> Vector for [V; N] {
    #[inline(always)]
    fn zero(self) -> Self {
        [self[0].zero(); N]
    }
    #[inline(always)]
    fn and(mut self, b: Self) -> Self {
        for i in 0..N {
            self[i] = self[i].and(b[i]);
        }
        self
    }
    #[inline(always)]
    fn or(mut self, b: Self) -> Self {
        for i in 0..N {
            self[i] = self[i].or(b[i]);
        }
        self
    }
    #[inline(always)]
    fn xor(mut self, b: Self) -> Self {
        for i in 0..N {
            self[i] = self[i].xor(b[i]);
        }
        self
    }
    #[inline(always)]
    fn and_not(mut self, b: Self) -> Self {
        for i in 0..N {
            self[i] = self[i].and_not(b[i]);
        }
        self
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        let mut all = self[0];
        for vector in &self[1..] {
            all = all.or(*vector);
        }
        all.is_zero()
    }
    #[inline(always)]
    fn empty(mut self) -> Self {
        for vector in &mut self {
            *vector = vector.empty();
        }
        self
    }
    #[inline(always)]
    fn several(mut self) -> Self {
        for vector in &mut self {
            *vector = vector.several();
        }
        self
    }
}
