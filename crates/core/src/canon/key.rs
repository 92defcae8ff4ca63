//! Computes the keys of canonical strings.

use std::fmt;

use crate::error::{Code, Reject};
use crate::kernels::sha256::{STRINGS, hash_each, hash_one, hash_padded};
use crate::kernels::{Kernel, SimdTask};

/// From this number of strings on, hashing them in parallel takes less time than one after the other.
const MIN_PARALLEL: usize = 4;

/// The key of a canonical string: the first 128 bits of its SHA-256, as 32 hexadecimal digits. This definition will
/// never change. `printf %s STRING | sha256sum | cut -c1-32` prints the same. Strings with equal keys are considered
/// equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub [u8; 16]);

impl Key {
    /// Returns the key of a canonical string.
    ///
    /// ```
    /// use gridmill_core::canon::Key;
    ///
    /// assert_eq!(Key::of(b"abc").to_string(), "ba7816bf8f01cfea414140de5dae2223");
    /// ```
    pub fn of(string: &[u8]) -> Self {
        Self(hash_one(string))
    }

    /// Returns the keys of strings, like [`Key::of`]; many strings are hashed in parallel.
    pub(crate) fn of_each<'s>(kernel: &Kernel, strings: impl Iterator<Item = &'s [u8]>) -> Vec<Self> {
        let strings: Vec<&[u8]> = strings.collect();
        let mut keys = Vec::with_capacity(strings.len());
        for some in strings.chunks(STRINGS) {
            if some.len() < MIN_PARALLEL {
                keys.extend(some.iter().map(|string| Self::of(string)));
            } else {
                let padded = std::array::from_fn(|i| some.get(i).copied().unwrap_or_default());
                keys.extend(hash_each(kernel, &padded)[..some.len()].iter().map(|&hash| Self(hash)));
            }
        }
        keys
    }

    /// Returns the keys of strings that have the same length and are padded for SHA-256.
    pub(super) fn of_padded<const BLOCKS: usize>(
        kernel: &Kernel,
        strings: &[[[u8; 64]; BLOCKS]],
        length: usize,
    ) -> Vec<Self> {
        let (sixteens, rest) = strings.as_chunks::<STRINGS>();
        let mut keys = Vec::with_capacity(strings.len());
        keys.extend(sixteens.iter().flat_map(|strings| hash_padded(kernel, strings)).map(Self));
        keys.extend(Self::of_each(kernel, rest.iter().map(|string| &string.as_flattened()[..length])));
        keys
    }

    /// Returns its two halves, as numbers in the order of keys.
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

    /// Returns its 32 hexadecimal digits.
    pub fn hex(&self) -> [u8; 32] {
        let mut text = [0; 32];
        Hex { keys: &self.0, to: &mut text }.run();
        text
    }

    /// Writes the hexadecimal digits of keys, one after the other.
    pub(crate) fn hex_each(kernel: &Kernel, keys: &[Self], to: &mut [[u8; 32]]) {
        let keys: Vec<[u8; 16]> = keys.iter().map(|key| key.0).collect();
        kernel.run(Hex { keys: keys.as_flattened(), to: to.as_flattened_mut() });
    }
}

/// Writes keys as hexadecimal digits.
struct Hex<'a> {
    keys: &'a [u8],
    to: &'a mut [u8],
}

impl SimdTask for Hex<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (pair, &byte) in self.to.as_chunks_mut::<2>().0.iter_mut().zip(self.keys) {
            // Both digits are in one word, which compilers vectorise.
            let values = u16::from(byte >> 4) | u16::from(byte & 15) << 8;
            let letters = (values + 0x0606) >> 4 & 0x0101;
            *pair = (values + 0x3030 + letters * u16::from(b'a' - b'9' - 1)).to_le_bytes();
        }
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
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::kernels;
    use crate::kernels::sha256::padded;

    /// The key as the crate `sha2` computes it.
    fn reference(string: &[u8]) -> Key {
        Key(*Sha256::digest(string).first_chunk().expect("32 bytes"))
    }

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
                let expected: Vec<Key> = strings.iter().map(|string| reference(string)).collect();
                assert_eq!(strings.iter().map(|string| Key::of(string)).collect::<Vec<_>>(), expected);
                assert_eq!(Key::of_each(kernel, strings.iter().copied()), expected, "{}", kernel.name);
            }
            for count in 0..40 {
                let strings = || (0..count).map(|i| &text[7 * i..][..165]);
                let expected: Vec<Key> = strings().map(reference).collect();
                let strings: Vec<_> = strings().map(padded::<3>).collect();
                assert_eq!(Key::of_padded(kernel, &strings, 165), expected, "{}", kernel.name);
                let mut text = vec![[0; 32]; count];
                Key::hex_each(kernel, &expected, &mut text);
                let expected: String =
                    expected.iter().flat_map(|key| key.0).map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(String::from_utf8_lossy(text.as_flattened()), expected);
            }
        }
    }
}
