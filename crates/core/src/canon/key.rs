//! The key of a canonical string.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::error::{Code, Reject};
use crate::kernels::Kernel;
use crate::kernels::sha256::{STRINGS, hash};

/// So many strings take less time side by side than one after the other.
const MANY: usize = 7;

/// The first 128 bits of SHA-256 of a canonical string: 32 hexadecimal digits, for ever. `printf %s STRING | sha256sum | cut -c1-32`
/// makes the same. Equal keys are taken for equal strings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub [u8; 16]);

impl Key {
    /// The key of a canonical string.
    ///
    /// ```
    /// use gridmill_core::canon::Key;
    ///
    /// assert_eq!(Key::of(b"abc").to_string(), "ba7816bf8f01cfea414140de5dae2223");
    /// ```
    pub fn of(string: &[u8]) -> Self {
        let hash = Sha256::digest(string);
        Self(std::array::from_fn(|i| hash[i]))
    }

    /// The keys of strings, as [`Key::of`] makes them: of many side by side.
    pub(super) fn of_each<'s>(kernel: &Kernel, strings: impl Iterator<Item = &'s [u8]>) -> Vec<Self> {
        let strings: Vec<&[u8]> = strings.collect();
        let mut keys = Vec::with_capacity(strings.len());
        for some in strings.chunks(STRINGS) {
            match kernel.compress {
                Some(compress) if some.len() >= MANY => {
                    let padded = std::array::from_fn(|i| some.get(i).copied().unwrap_or_default());
                    keys.extend(hash(compress, &padded)[..some.len()].iter().map(|&hash| Self(hash)));
                }
                _ => keys.extend(some.iter().map(|string| Self::of(string))),
            }
        }
        keys
    }

    /// Its two halves, as numbers in the order of keys.
    pub fn halves(&self) -> [u64; 2] {
        let mut halves = [0; 2];
        for (half, bytes) in halves.iter_mut().zip(self.0.as_chunks::<8>().0) {
            *half = u64::from_be_bytes(*bytes);
        }
        halves
    }

    /// Reads 32 hexadecimal digits.
    ///
    /// # Errors
    /// `length` or `digit`.
    pub fn read(text: &[u8]) -> Result<Self, Reject> {
        if text.len() != 32 {
            let words = format!("a key has 32 hexadecimal digits, but this has {} characters", text.len());
            return Err(Reject::whole(Code::Length, words));
        }
        let mut key = [0; 16];
        for (byte, pair) in key.iter_mut().zip(text.as_chunks::<2>().0) {
            for &digit in pair {
                let Some(value) = char::from(digit).to_digit(16) else {
                    let words = "a key consists of hexadecimal digits, 0 to 9 and a to f";
                    return Err(Reject::whole(Code::Digit, words));
                };
                *byte = *byte << 4 | value as u8;
            }
        }
        Ok(Self(key))
    }

    /// Its 32 hexadecimal digits.
    pub fn hex(&self) -> [u8; 32] {
        let mut text = [0; 32];
        for (eight, four) in text.as_chunks_mut::<8>().0.iter_mut().zip(self.0.as_chunks().0) {
            // Eight digits in a word: a byte each.
            let mut digits = u64::from(u32::from_be_bytes(*four));
            for (shift, mask) in [(16, 0x0000_FFFF_0000_FFFF), (8, 0x00FF_00FF_00FF_00FF), (4, 0x0F0F_0F0F_0F0F_0F0F)] {
                digits = (digits << shift | digits) & mask;
            }
            let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
            *eight = (digits + 0x3030_3030_3030_3030 + letters * u64::from(b'a' - b'9' - 1)).to_be_bytes();
        }
        text
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.hex()))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

    #[test]
    fn keys_side_by_side_are_those_of_the_crate_for_every_length_and_mixture() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let text: Vec<u8> = (0..4096).map(|_| random() as u8).collect();
        let mut lists: Vec<Vec<&[u8]>> = vec![(0..=200).map(|length| &text[length..2 * length]).collect()];
        for length in 0..=200 {
            lists.push((0..STRINGS).map(|_| &text[random() % 3800..][..length]).collect());
        }
        for count in (0..=70).chain([300]) {
            lists.push((0..count).map(|_| &text[random() % 3000..][..random() % 1000]).collect());
        }
        for kernel in kernels::available() {
            for strings in &lists {
                let expected: Vec<Key> = strings.iter().map(|string| Key::of(string)).collect();
                assert_eq!(Key::of_each(kernel, strings.iter().copied()), expected, "{}", kernel.name);
            }
        }
    }
}
