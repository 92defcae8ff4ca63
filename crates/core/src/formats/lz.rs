//! lz-string, by pieroxy: text in base 64, as f-puzzles and other sites put puzzles into links.
//!
//! The text is a sequence of UTF-16 code units. It becomes a sequence of codes: 0 and 1 are followed by a new unit of 8 or
//! 16 bits, 2 is the end, and all others are words that have occurred before: a dictionary in which each code adds the word
//! before it and the first unit of its own. The codes grow with the dictionary. Their bits, the lowest first, fill digits of
//! six bits from the highest on.

use std::fmt;

/// Why a text cannot be unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LzError {
    /// The byte at this place is no digit.
    Digit(usize),
    /// The text ends within a code, or before the code for the end.
    Cut,
    /// A code is in no dictionary.
    Code,
    /// There would be more than the allowed number of units.
    TooLong,
    /// Something follows the code for the end.
    Rest,
    /// A unit is not of the type that was asked for.
    Unit,
}

impl fmt::Display for LzError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digit(at) => write!(f, "its character {} is no digit of base 64", at + 1),
            Self::Cut => f.write_str("it is cut off"),
            Self::Code => f.write_str("it is damaged"),
            Self::TooLong => f.write_str("it unpacks to more than a puzzle has"),
            Self::Rest => f.write_str("something follows its end"),
            Self::Unit => f.write_str("it is not ASCII"),
        }
    }
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A bit of the value of what is no digit.
const NONE: u32 = 1 << 31;

/// The value of each byte as each of four digits that follow each other, with the lowest bit first. In addresses, `-` stands for
/// the last digit.
static VALUES: [[u32; 256]; 4] = {
    let mut values = [[NONE; 256]; 4];
    let mut place = 0;
    while place < 4 {
        let mut digit = 0;
        while digit < 64 {
            values[place][DIGITS[digit] as usize] = ((digit as u8).reverse_bits() as u32 >> 2) << (6 * place);
            digit += 1;
        }
        values[place][b'-' as usize] = values[place][b'/' as usize];
        place += 1;
    }
    values
};

/// The digit of each value with the lowest bit first.
static SIGNS: [u8; 64] = {
    let mut signs = [0; 64];
    let mut value = 0;
    while value < 64 {
        signs[value] = DIGITS[((value as u8).reverse_bits() >> 2) as usize];
        value += 1;
    }
    signs
};

/// The codes that are no words.
const UNIT8: u32 = 0;
const UNIT16: u32 = 1;
const END: u32 = 2;
const WORDS: u32 = 3;

/// Reads codes from digits.
struct CodeReader<'t> {
    text: &'t [u8],
    /// The bits of the digits, the lowest first, and at least 8 bytes of zeros.
    bits: Vec<u8>,
    /// How many bits there are before the first byte that is no digit, and how many of them were taken.
    end: usize,
    at: usize,
}

impl<'t> CodeReader<'t> {
    fn new(text: &'t [u8]) -> Self {
        let mut bits = vec![0; text.len().div_ceil(8) * 6 + 8];
        let mut end = 6 * text.len();
        let (eights, rest) = text.as_chunks::<8>();
        let mut last = [DIGITS[0]; 8];
        last[..rest.len()].copy_from_slice(rest);
        for (at, digits) in eights.iter().chain([&last]).enumerate() {
            let four = |from: usize| (0..4).fold(0, |four, at| four | VALUES[at][usize::from(digits[from + at])]);
            let (low, high) = (four(0), four(4));
            if (low | high) & NONE != 0 {
                let is_none = |byte: &u8| VALUES[0][usize::from(*byte)] == NONE;
                end = 6 * (8 * at + digits.iter().position(is_none).unwrap_or(0));
            }
            // What follows a byte that is no digit is not read.
            let value = u64::from(high & !NONE) << 24 | u64::from(low & !NONE);
            bits[6 * at..][..8].copy_from_slice(&value.to_le_bytes());
            if (low | high) & NONE != 0 {
                break;
            }
        }
        Self { text, bits, end, at: 0 }
    }

    /// Takes a code of at most 32 bits.
    fn take(&mut self, width: u32) -> Result<u32, LzError> {
        let eight = self.bits.get(self.at / 8..self.at / 8 + 8).and_then(|eight| eight.first_chunk());
        let bits = u64::from_le_bytes(*eight.ok_or_else(|| self.fault())?) >> (self.at % 8);
        self.at += width as usize;
        if self.at > self.end {
            return Err(self.fault());
        }
        Ok((bits & ((1 << width) - 1)) as u32)
    }

    /// Takes the unit after a code.
    fn unit<U: CodeUnit>(&mut self, code: u32) -> Result<U, LzError> {
        U::of(self.take(if code == UNIT8 { 8 } else { 16 })?).ok_or(LzError::Unit)
    }

    /// What is wrong after the last bit.
    fn fault(&self) -> LzError {
        let digits = self.end / 6;
        if digits < self.text.len() { LzError::Digit(digits) } else { LzError::Cut }
    }

    /// Whether no digit is left, or only the one of zeros that packers write if the code for the end ends with the last bit of one.
    fn is_at_end(&self) -> bool {
        matches!(self.text[self.at.div_ceil(6)..], [] | [b'A'])
    }
}

/// A UTF-16 code unit as far as a text needs it.
trait CodeUnit: Copy + Default {
    fn of(code: u32) -> Option<Self>;
}

/// Of ASCII, which nearly all puzzles are.
impl CodeUnit for u8 {
    fn of(code: u32) -> Option<Self> {
        u8::try_from(code).ok().filter(u8::is_ascii)
    }
}

impl CodeUnit for u16 {
    fn of(code: u32) -> Option<Self> {
        code.try_into().ok()
    }
}

/// Unpacks a text of at most `most` UTF-16 code units. Padding at its end is ignored.
pub(super) fn decompress(text: &[u8], most: usize) -> Result<String, LzError> {
    match decompress_units(text, most) {
        Err(LzError::Unit) => Ok(String::from_utf16_lossy(&decompress_units(text, most)?)),
        bytes => Ok(String::from_utf8(bytes?).unwrap_or_default()), // ASCII is UTF-8
    }
}

/// Words of up to this many units are copied as so many, which takes less time than finding out how many there are.
const SHORT: usize = 16;

/// A word stands in the text already, where it was first completed.
#[derive(Debug, Clone, Copy, Default)]
struct Word {
    start: u32,
    length: u32,
}

/// A text as far as it is unpacked.
struct Unpacked<U> {
    /// Those up to `start` are units of the text. There are at least [`SHORT`] more.
    units: Vec<U>,
    start: usize,
    /// Where the last word begins.
    before: usize,
    /// The words by their codes, as far as `next`.
    words: Vec<Word>,
    next: usize,
}

impl<U: CodeUnit> Unpacked<U> {
    /// A text of one unit. It has as many `digits` when it is packed.
    fn of(first: U, digits: usize, most: usize) -> Self {
        let mut units = vec![U::default(); (4 * digits).min(most) + SHORT];
        units[0] = first;
        // There cannot be more words than digits, but for the first ones, whose codes are shorter than a digit.
        let mut words = vec![Word::default(); digits + 32];
        words[WORDS as usize].length = 1;
        Self { units, start: 1, before: 0, words, next: WORDS as usize + 1 }
    }

    /// The width of the next code, which may be that of the next word.
    fn width(&self) -> u32 {
        self.next.ilog2() + 1
    }

    /// The word before and the first unit of the one that begins now.
    fn longer(&self) -> Word {
        Word { start: self.before as u32, length: (self.start - self.before) as u32 + 1 }
    }

    /// Takes codes of short words as long as there is room for them and codes do not become wider. That is nearly all of them, and
    /// the loop is so small that it fits into registers. All else is left to [`Self::take`], which also finds out whether the digits
    /// ended: after them there are zeros, which are the code of no word.
    fn take_short_words(&mut self, codes: &mut CodeReader) {
        let width = self.width() as usize;
        let end = (1 << width).min(self.words.len());
        let (words, units, bits) = (&mut self.words[..end], &mut self.units[..], &codes.bits[..]);
        let (mut at, mut next, mut before, mut start) = (codes.at, self.next, self.before, self.start);
        while next < words.len() && start + 2 * SHORT <= units.len() {
            let Some(eight) = bits.get(at / 8..at / 8 + 8).and_then(|eight| eight.first_chunk()) else { break };
            let code = (u64::from_le_bytes(*eight) >> (at % 8)) as usize & ((1 << width) - 1);
            words[next] = Word { start: before as u32, length: (start - before) as u32 + 1 };
            let Some(&Word { start: from, length }) = words[..=next].get(code) else { break };
            let (from, length) = (from as usize, length as usize);
            if code < WORDS as usize || length > SHORT {
                break;
            }
            units.copy_within(from..from + SHORT, start);
            // The word that was added now ends with its own first unit.
            if code == next {
                units[start + length - 1] = units[from];
            }
            (before, start) = (start, start + length);
            next += 1;
            at += width;
        }
        (codes.at, self.next, self.before, self.start) = (at, next, before, start);
    }

    /// Takes a code. Returns whether it is not the end.
    fn take(&mut self, codes: &mut CodeReader, most: usize) -> Result<bool, LzError> {
        let code = codes.take(self.width())?;
        if code == END {
            return Ok(false);
        }
        let longer = self.longer();
        let (from, length) = if code > END {
            let known = self.words.get_mut(..=self.next).ok_or(LzError::Code)?;
            known[self.next] = longer;
            let word = known.get(code as usize).ok_or(LzError::Code)?;
            (word.start as usize, word.length as usize)
        } else {
            self.units[self.start] = codes.unit(code)?;
            let two = self.words.get_mut(self.next..self.next + 2).ok_or(LzError::Code)?;
            two.copy_from_slice(&[Word { start: self.start as u32, length: 1 }, longer]);
            self.next += 1;
            (self.start, 1)
        };
        let end = self.start + length;
        if end > most {
            return Err(LzError::TooLong);
        }
        if end + SHORT > self.units.len() {
            self.units.resize((2 * end).min(most) + SHORT, U::default());
        }
        self.units.copy_within(from..from + length, self.start);
        if code as usize == self.next {
            self.units[end - 1] = self.units[from];
        }
        (self.before, self.start) = (self.start, end);
        self.next += 1;
        Ok(true)
    }
}

fn decompress_units<U: CodeUnit>(text: &[u8], most: usize) -> Result<Vec<U>, LzError> {
    let end = text.iter().rposition(|&byte| byte != b'=' && byte != b'$').map_or(0, |last| last + 1);
    let mut codes = CodeReader::new(&text[..end]);
    let units = match codes.take(2)? {
        code @ (UNIT8 | UNIT16) => {
            let mut unpacked = Unpacked::of(codes.unit(code)?, end, most);
            while unpacked.take(&mut codes, most)? {
                unpacked.take_short_words(&mut codes);
            }
            unpacked.units.truncate(unpacked.start);
            unpacked.units
        }
        END => Vec::new(),
        _ => return Err(LzError::Code),
    };
    if codes.is_at_end() { Ok(units) } else { Err(LzError::Rest) }
}

/// The width of codes, which grows with the dictionary.
struct Width {
    bits: u32,
    /// How many words can be added before it grows.
    room: u32,
}

impl Width {
    #[inline]
    fn add_word(&mut self) {
        self.room -= 1;
        if self.room == 0 {
            self.room = 1 << self.bits;
            self.bits += 1;
        }
    }
}

/// Writes codes as digits.
struct CodeWriter {
    text: Vec<u8>,
    bits: u64,
    count: u32,
}

impl CodeWriter {
    #[inline]
    fn put(&mut self, code: u32, width: u32) {
        self.bits |= u64::from(code) << self.count;
        self.count += width;
        while self.count >= 6 {
            self.text.push(SIGNS[self.bits as usize & 63]);
            self.bits >>= 6;
            self.count -= 6;
        }
    }
}

/// The words of a text that is packed, by the word before and the unit that follows it.
struct WordTable {
    /// From the highest bit on: a 1, the word before (24 bits), the unit (16 bits), and the code (23 bits); 0 if empty.
    slots: Vec<u64>,
    shift: u32,
    /// The codes of the units below 256 as words, or 0.
    units: [u32; 256],
}

impl WordTable {
    fn new(units: usize) -> Self {
        // Each unit adds at most two words.
        let bits = (2 * units + 16).next_power_of_two().ilog2();
        Self { slots: vec![0; 1 << bits], shift: 64 - bits, units: [0; 256] }
    }

    /// The code of a word, or the slot in which to put it.
    #[inline]
    fn find(&self, before: u32, unit: u16) -> Result<u32, usize> {
        let key = u64::from(before) << 16 | u64::from(unit) | 1 << 40;
        let mut slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        loop {
            match self.slots[slot] {
                0 => return Err(slot),
                found if found >> 23 == key => return Ok(found as u32 & 0x7f_ffff),
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// The code of a unit as a word, and whether it is new, which then gets the code `next`.
    #[inline]
    fn find_unit(&mut self, unit: u16, next: u32) -> (u32, bool) {
        if let Some(code) = self.units.get_mut(usize::from(unit)) {
            let is_new = *code == 0;
            if is_new {
                *code = next;
            }
            return (*code, is_new);
        }
        match self.find(0, unit) {
            Ok(code) => (code, false),
            Err(slot) => {
                self.put(slot, 0, unit, next);
                (next, true)
            }
        }
    }

    fn put(&mut self, slot: usize, before: u32, unit: u16, code: u32) {
        let key = u64::from(before) << 16 | u64::from(unit) | 1 << 40;
        self.slots[slot] = key << 23 | u64::from(code);
    }
}

/// Packs a text of less than a million units. The result is that of lz-string's `compressToBase64`.
pub(super) fn compress(text: &str) -> Vec<u8> {
    let mut words = WordTable::new(text.len());
    let mut digits = CodeWriter { text: Vec::with_capacity(text.len() / 2 + 8), bits: 0, count: 0 };
    let (mut next, mut width) = (WORDS, Width { bits: 2, room: 2 });
    // The word that is not written yet, and whether it is a unit that was not written before.
    let (mut word, mut is_new, mut last) = (None, false, 0);
    let mut write = |word: u32, is_new: bool, unit: u16, width: &mut Width| {
        if is_new {
            let (code, bits) = if unit < 256 { (UNIT8, 8) } else { (UNIT16, 16) };
            digits.put(code, width.bits);
            digits.put(unit.into(), bits);
            width.add_word();
        } else {
            digits.put(word, width.bits);
        }
        width.add_word();
    };
    for unit in text.encode_utf16() {
        if let Some(before) = word
            && let Ok(longer) = words.find(before, unit)
        {
            // Its last unit has occurred before.
            (word, is_new) = (Some(longer), false);
            continue;
        }
        let (code, is_new_unit) = words.find_unit(unit, next);
        next += u32::from(is_new_unit);
        let Some(before) = word else {
            (word, is_new, last) = (Some(code), is_new_unit, unit);
            continue;
        };
        write(before, is_new, last, &mut width);
        if let Err(slot) = words.find(before, unit) {
            words.put(slot, before, unit, next);
        }
        next += 1;
        (word, is_new, last) = (Some(code), is_new_unit, unit);
    }
    if let Some(word) = word {
        write(word, is_new, last, &mut width);
    }
    digits.put(END, width.bits);
    // At least one more bit, up to a whole digit.
    let more = 6 - digits.count;
    digits.put(0, more);
    while !digits.text.len().is_multiple_of(4) {
        digits.text.push(b'=');
    }
    digits.text
}

#[cfg(test)]
mod tests;
