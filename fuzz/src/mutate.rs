//! Changes that keep most of a text as it is: a character for another of the alphabets, a field or line twice, a string put in.

use super::formats::strings;

/// Random numbers (splitmix64).
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

    /// A number below another, which is not 0.
    pub fn below(&mut self, below: usize) -> usize {
        (self.next() % below as u64) as usize
    }
}

/// What strings, tables, JSON and links are made of.
const ALPHABET: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,-_|*+ \t\r\n\"'\\{}[]:;&%=/?#<>\x00\x1b\x80\xc3\xff";

/// Makes one change.
pub fn mutate(data: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(data.len() + 1);
    let to = at + random.below((data.len() - at).min(40) + 1);
    match random.below(9) {
        0..=2 if at < data.len() => data[at] = ALPHABET[random.below(ALPHABET.len())],
        3 => data.insert(at, ALPHABET[random.below(ALPHABET.len())]),
        4 => drop(data.drain(at..to)),
        5 => {
            let part = data[at..to].to_vec();
            let place = random.below(data.len() + 1);
            data.splice(place..place, part);
        }
        6 => {
            let strings = strings();
            let string = strings[random.below(strings.len())].bytes();
            data.splice(at..at, string);
        }
        7 if at < data.len() => data[at] ^= 1 << random.below(8),
        _ => data.truncate(at),
    }
}
