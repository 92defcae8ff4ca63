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

/// No digit.
const NONE: u8 = 0xff;

/// The value of each byte as a digit, with the lowest bit first. In addresses, `-` stands for the last digit.
static VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut digit = 0;
    while digit < 64 {
        values[DIGITS[digit] as usize] = (digit as u8).reverse_bits() >> 2;
        digit += 1;
    }
    values[b'-' as usize] = values[b'/' as usize];
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
    at: usize,
    bits: u64,
    count: u32,
}

impl CodeReader<'_> {
    #[inline]
    fn take(&mut self, width: u32) -> Result<u32, LzError> {
        if self.count < width {
            self.refill(width)?;
        }
        let code = self.bits & ((1 << width) - 1);
        self.bits >>= width;
        self.count -= width;
        Ok(code as u32)
    }

    /// Whether no digit is left, or only the one of zeros that packers write if the code for the end ends with the last bit of one.
    fn is_at_end(&self) -> bool {
        // Whole digits among the bits are not read yet.
        let next = self.at - self.count as usize / 6;
        matches!(self.text[next..], [] | [b'A'])
    }

    /// Takes digits until there are `width` bits, at most 32.
    #[inline(never)]
    fn refill(&mut self, width: u32) -> Result<(), LzError> {
        if let Some(eight) = self.text[self.at..].first_chunk::<8>()
            && self.count <= 16
        {
            let (mut bits, mut any) = (0, 0);
            for (at, &byte) in eight.iter().enumerate() {
                let digit = VALUES[usize::from(byte)];
                bits |= u64::from(digit) << (6 * at);
                any |= digit;
            }
            if any != NONE {
                self.bits |= bits << self.count;
                self.count += 48;
                self.at += 8;
                return Ok(());
            }
        }
        while self.count < width {
            let digit = VALUES[usize::from(*self.text.get(self.at).ok_or(LzError::Cut)?)];
            if digit == NONE {
                return Err(LzError::Digit(self.at));
            }
            self.bits |= u64::from(digit) << self.count;
            self.count += 6;
            self.at += 1;
        }
        Ok(())
    }
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

fn decompress_units<U: CodeUnit>(text: &[u8], most: usize) -> Result<Vec<U>, LzError> {
    let end = text.iter().rposition(|&byte| byte != b'=' && byte != b'$').map_or(0, |last| last + 1);
    let mut codes = CodeReader { text: &text[..end], at: 0, bits: 0, count: 0 };
    let first = match codes.take(2)? {
        UNIT8 => codes.take(8)?,
        UNIT16 => codes.take(16)?,
        END => return if codes.is_at_end() { Ok(Vec::new()) } else { Err(LzError::Rest) },
        _ => return Err(LzError::Code),
    };
    // Those up to `start` are units of the text.
    let mut units = vec![U::default(); (4 * text.len()).min(most) + SHORT + 1];
    units[0] = U::of(first).ok_or(LzError::Unit)?;
    let mut start = 1;
    // Each word stands in the text already, where it was first completed: its start and its length.
    let mut words: Vec<(u32, u32)> = Vec::with_capacity(text.len() + 2);
    words.push((0, 1));
    let mut before = (0, 1);
    let mut width = Width { bits: 3, room: 4 };
    loop {
        let code = codes.take(width.bits)?;
        let length = match code {
            END => {
                units.truncate(start);
                return if codes.is_at_end() { Ok(units) } else { Err(LzError::Rest) };
            }
            UNIT8 | UNIT16 => {
                units[start] = U::of(codes.take(if code == UNIT8 { 8 } else { 16 })?).ok_or(LzError::Unit)?;
                words.push((start as u32, 1));
                width.add_word();
                1
            }
            _ => {
                let index = (code - WORDS) as usize;
                // The next word is the last one and its own first unit.
                let is_next = index == words.len();
                let next = (before.0, before.1 + 1);
                let (from, length) = if is_next { next } else { *words.get(index).ok_or(LzError::Code)? };
                let (from, size) = (from as usize, length as usize);
                if start + size > most {
                    return Err(LzError::TooLong);
                }
                if units.len() < start + size + SHORT {
                    units.resize(2 * units.len() + size + SHORT, U::default());
                }
                match units[from..].first_chunk::<SHORT>().copied() {
                    Some(short) if size <= SHORT => units[start..start + SHORT].copy_from_slice(&short),
                    _ => units.copy_within(from..from + size, start),
                }
                if is_next {
                    units[start + size - 1] = units[from];
                }
                length
            }
        };
        words.push((before.0, before.1 + 1));
        width.add_word();
        before = (start as u32, length);
        start += length as usize;
        if start > most {
            return Err(LzError::TooLong);
        }
        if start == units.len() {
            units.resize(2 * start, U::default());
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOST: usize = 1 << 20;

    #[test]
    fn known_texts_are_packed_as_by_lz_string() {
        let known = [
            ("", "Q==="),
            ("a", "IZA="),
            ("aaaa", "IY5A"),
            ("Hello, Hello, Hello", "BIUwNmD2A0AEoRvcUg=="),
            ("\u{20ac}", "jUEQ"),
        ];
        for (text, packed) in known {
            assert_eq!(compress(text), packed.as_bytes(), "{text}");
            assert_eq!(decompress(packed.as_bytes(), MOST).as_deref(), Ok(text));
        }
    }

    #[test]
    fn what_unpacks_to_too_much_is_refused_and_so_is_every_part() {
        let text = "0".repeat(3_000_000);
        let packed = compress(&text[..900_000]);
        assert!(packed.len() < 3_000);
        assert_eq!(decompress(&packed, 1000), Err(LzError::TooLong));
        assert_eq!(decompress(&packed, 900_000).map(|text| text.len()), Ok(900_000));
        let packed = compress("{\"size\":9,\"grid\":[[{},{}]]}");
        let end = packed.iter().position(|&byte| byte == b'=').unwrap_or(packed.len());
        for length in 0..end - 1 {
            assert_eq!(decompress(&packed[..length], MOST), Err(LzError::Cut), "{length}");
        }
        assert_eq!(decompress(b"N4!g", MOST), Err(LzError::Digit(2)));
    }

    proptest! {
        #[test]
        fn texts_come_back(text in "[ab{}0-9\":,é€😀]{0,400}") {
            prop_assert_eq!(decompress(&compress(&text), MOST), Ok(text));
        }

        #[test]
        fn nothing_panics(text in prop::collection::vec(prop::sample::select(DIGITS.to_vec()), 0..200)) {
            let _ = decompress(&text, 10_000);
        }
    }

    #[test]
    fn what_follows_the_end_is_refused() {
        for length in 1..40 {
            let packed = compress(&"abcabc{\"x\":1}".repeat(4)[..length]);
            assert!(decompress(&packed, 1000).is_ok());
            for rest in ["N4Ig", "B", "AA", "=A", "==x"] {
                let longer = [&packed[..], rest.as_bytes()].concat();
                assert_eq!(decompress(&longer, 1000), Err(LzError::Rest), "{length} {rest}");
            }
        }
    }
}
