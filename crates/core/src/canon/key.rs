//! The key of a canonical string.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::error::{Code, Reject};
use crate::kernels::tables::DIGITS;

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
            let words = format!("a key has 32 hexadecimal digits, and here are {} characters", text.len());
            return Err(Reject::whole(Code::Length, words));
        }
        let mut key = [0; 16];
        for (byte, pair) in key.iter_mut().zip(text.as_chunks::<2>().0) {
            for &digit in pair {
                let Some(value) = char::from(digit).to_digit(16) else {
                    let words = "a key has hexadecimal digits, 0 to 9 and a to f, and nothing else";
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
        for (pair, byte) in text.as_chunks_mut::<2>().0.iter_mut().zip(self.0) {
            *pair = [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
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
