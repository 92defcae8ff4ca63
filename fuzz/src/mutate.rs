//! Mutations that keep most of a text: a character is replaced, a field or line is repeated, a string is inserted.

use super::formats::strings;

/// A random number generator (SplitMix64).
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number less than `below`, which is not 0.
    pub fn below(&mut self, below: usize) -> usize {
        (self.next() % below as u64) as usize
    }
}

/// The characters of strings, tables, JSON and links.
const ALPHABET: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,-_|*+ \t\r\n\"'\\{}[]:;&%=/?#<>\x00\x1b\x80\xc3\xff";

/// Makes a change that keeps the length: replaces a character by another one of the text, or of the alphabet.
pub fn substitute(data: &mut [u8], random: &mut Random) {
    if data.is_empty() {
        return;
    }
    let at = random.below(data.len());
    data[at] = match random.below(3) {
        0 => data[random.below(data.len())],
        1 => data[at] ^ 1 << random.below(8),
        _ => ALPHABET[random.below(ALPHABET.len())],
    };
}

/// Makes one change.
pub fn mutate(data: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(data.len() + 1);
    let to = at + random.below((data.len() - at).min(40) + 1);
    match random.below(9) {
        0..=3 => substitute(data, random),
        4 => data.insert(at, ALPHABET[random.below(ALPHABET.len())]),
        5 => drop(data.drain(at..to)),
        6 => {
            data.extend_from_within(at..to);
            let place = random.below(data.len() - (to - at) + 1);
            data[place..].rotate_right(to - at);
        }
        7 => {
            let strings = strings();
            let string = strings[random.below(strings.len())].bytes();
            data.splice(at..at, string);
        }
        _ => data.truncate(at),
    }
}
