//! Sixteen bytes as a table and as places in one: a look-up in every lane is one instruction where there are vectors.

/// Sixteen bytes.
///
/// A value of a type that implements this is the proof that the machine has the instructions of the type: the first one is
/// made by an unsafe function, all others out of it. All functions are inlined always, so that they become instructions
/// inside the functions that are compiled for them.
pub(crate) trait Bytes16: Copy {
    fn load(self, bytes: &[u8; 16]) -> Self;
    fn store(self, bytes: &mut [u8; 16]);
    /// Byte i is byte `places[i]` of `self`; places are below 16.
    fn pick(self, places: Self) -> Self;
}

/// Work that needs these look-ups. What [`Bytes16Work::run`] calls must be `#[inline(always)]`, and so must it be itself.
pub(crate) trait Bytes16Work {
    /// What comes of it.
    type Done;

    /// Does it.
    fn run<B: Bytes16>(self, bytes: B) -> Self::Done;
}

/// The bytes in plain Rust.
#[derive(Clone, Copy)]
pub(in crate::kernels) struct Plain16([u8; 16]);

impl Plain16 {
    pub(in crate::kernels) const NONE: Self = Self([0; 16]);
}

impl Bytes16 for Plain16 {
    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> Self {
        Self(*bytes)
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16]) {
        *bytes = self.0;
    }
    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        Self(places.0.map(|place| self.0[usize::from(place & 15)]))
    }
}

#[cfg(test)]
pub(in crate::kernels) mod tests {
    use super::*;

    /// Every operation of a type against what it says.
    pub(in crate::kernels) fn check<B: Bytes16>(b: B) {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u8
        };
        for _ in 0..crate::kernels::rounds(2_000) {
            let table: [u8; 16] = std::array::from_fn(|_| random());
            let places: [u8; 16] = std::array::from_fn(|_| random() & 15);
            let mut picked = [0; 16];
            b.load(&table).pick(b.load(&places)).store(&mut picked);
            assert_eq!(picked, places.map(|place| table[usize::from(place)]));
        }
    }

    #[test]
    fn plain_bytes_do_what_they_say() {
        check(Plain16::NONE);
    }
}
