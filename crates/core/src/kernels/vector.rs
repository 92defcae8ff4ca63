//! The vector operations that all solvers of single boards need, for masks of 8 or 16 bits.

/// A vector of masks, one for each cell or house.
///
/// A value of a type that implements this trait proves that the machine has the instructions of the type: an unsafe
/// function makes the first value, and all others are made from it. All functions are always inlined, so that they
/// become instructions inside the functions that are compiled for them.
pub(crate) trait Vector: Copy {
    /// Returns a vector of zeros.
    fn zero(self) -> Self;
    fn and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    /// `self & !b`
    fn and_not(self, b: Self) -> Self;
    /// Returns whether all masks are 0.
    fn is_zero(self) -> bool;

    /// Sets all bits of each mask that is 0, and clears all other masks.
    fn empty(self) -> Self;
    /// Clears the lowest bit of each mask. The result is not 0 where a mask has two or more bits.
    fn several(self) -> Self;

    /// Takes the bits of `b` where `self` has ones, and those of `c` where it has zeros.
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        self.and(b).or(c.and_not(self))
    }
}

/// An array of vectors is used as one vector.
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
