//! The lookup tables of the scalar kernel, computed at compile time from the rules of docs/FORMATS.md.

/// Defines a table that is computed at compile time. In WebAssembly, which is sent over networks, it is computed at
/// first use instead.
macro_rules! table {
    ($(#[$about:meta])* $visible:vis $name:ident: $type:ty = $made:expr) => {
        $(#[$about])*
        #[cfg(not(target_family = "wasm"))]
        $visible static $name: $type = $made;
        $(#[$about])*
        #[cfg(target_family = "wasm")]
        $visible static $name: std::sync::LazyLock<$type> = std::sync::LazyLock::new(|| $made);
    };
}
pub(crate) use table;

/// The value of an ASCII digit in base 36, in either case, or [`BAD`].
pub(crate) const DIGIT36: [u16; 256] = digits(36);
/// The value of an ASCII digit in base 32, in either case, or [`BAD`].
pub(crate) const DIGIT32: [u16; 256] = digits(32);
/// 36 times [`DIGIT36`], or [`BAD`].
pub(crate) static TIMES36: [u16; 256] = times(&DIGIT36, 36);
/// 32 times [`DIGIT32`], or [`BAD`].
pub(crate) static TIMES32: [u16; 256] = times(&DIGIT32, 32);
/// The mark of characters that are not digits, and of values without a code. It is the top bit, which no value has, so
/// the mark survives when values are added or or-ed.
pub(crate) const BAD: u16 = 0x8000;

/// The digits of base 36, lower case; the first 32 of them are those of base 32.
pub(crate) const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

const fn digits(base: u16) -> [u16; 256] {
    let mut table = [BAD; 256];
    let mut value = 0;
    while value < base {
        let digit = DIGITS[value as usize];
        table[digit as usize] = value;
        table[digit.to_ascii_uppercase() as usize] = value;
        value += 1;
    }
    table
}

const fn times(digits: &[u16; 256], factor: u16) -> [u16; 256] {
    let mut table = [BAD; 256];
    let mut i = 0;
    while i < 256 {
        if digits[i] != BAD {
            table[i] = digits[i] * factor;
        }
        i += 1;
    }
    table
}

table! {
    /// Translates a v1 value (10 bits) to a code of side 9, or to [`BAD`] if it has a clue flag without exactly one
    /// digit.
    pub(crate) V1_TO_CODE: [u16; 1024] = {
        let mut table = [0; 1024];
        let mut value = 0;
        while value < 1024 {
            let mask = value as u16 >> 1;
            let digit = mask.trailing_zeros() as u16 + 1;
            table[value] = match (mask.count_ones(), value & 1) {
                (0, 0) => 0,
                (1, 1) => digit,
                (1, _) => 9 + digit,
                (_, 0) => 18 + mask,
                _ => BAD,
            };
            value += 1;
        }
        table
    }
}

table! {
    /// Translates a code of side 9 to v1 digits. It covers all 10-bit numbers, for rows that contain no board.
    pub(crate) CODE_TO_V1: [[u8; 2]; 1024] = {
        let mut table = [[b'0'; 2]; 1024];
        let mut code = 0;
        while code < 530 {
            let value = match code {
                0 => 0,
                1..=9 => 1 << code | 1,
                10..=18 => 1 << (code - 9),
                _ => (code - 18) << 1,
            };
            table[code] = [DIGITS[value >> 5], DIGITS[value & 31]];
            code += 1;
        }
        table
    }
}

table! {
    /// Translates an offset32 value to a code of side 9, or to [`BAD`] for 10, 20 and values over 531.
    pub(crate) OFFSET32_TO_CODE: [u16; 1024] = {
        let mut table = [BAD; 1024];
        let mut value = 0;
        while value <= 531 {
            table[value] = match value {
                0 => 0,
                1..=9 => 9 + value as u16,
                10 | 20 => BAD,
                11..=19 => value as u16 - 10,
                _ => value as u16 - 20 + 18,
            };
            value += 1;
        }
        table
    }
}

table! {
    /// Translates a code of side 9 (or any other 10-bit number) to offset32 digits.
    pub(crate) CODE_TO_OFFSET32: [[u8; 2]; 1024] = {
        let mut table = [[b'0'; 2]; 1024];
        let mut code = 0;
        while code < 530 {
            let value = match code {
                0 => 0,
                1..=9 => code + 10,
                10..=18 => code - 9,
                _ => code - 18 + 20,
            };
            table[code] = [DIGITS[value >> 5], DIGITS[value & 31]];
            code += 1;
        }
        table
    }
}

table! {
    /// Translates a number below 2048 to two base-36 digits; those over 1295 (in rows that contain no board) may give
    /// any characters.
    pub(crate) PAIR36: [[u8; 2]; 2048] = {
        let mut table = [[b'0'; 2]; 2048];
        let mut value = 0;
        while value < 1296 {
            table[value] = [DIGITS[value / 36], DIGITS[value % 36]];
            value += 1;
        }
        table
    }
}

/// The characters that mean a blank in plain sudoku strings.
pub(crate) const BLANKS: &[u8] = b"0._-*xX?";

/// Translates a character of a plain sudoku string to its code, or to [`BAD`].
pub(crate) static PLAIN_TO_CODE: [u16; 256] = {
    let mut table = [BAD; 256];
    let mut digit = 1;
    while digit <= 9 {
        table[b'0' as usize + digit] = digit as u16;
        digit += 1;
    }
    let mut i = 0;
    while i < BLANKS.len() {
        table[BLANKS[i] as usize] = 0;
        i += 1;
    }
    table
};

/// Translates a code of side 9 (or any other 10-bit number) to a character of a plain string.
pub(crate) static CODE_TO_PLAIN: [u8; 1024] = {
    let mut table = [b'0'; 1024];
    let mut code = 1;
    while code <= 18 {
        table[code] = b'0' + (if code > 9 { code - 9 } else { code }) as u8;
        code += 1;
    }
    table
};

/// Two tables for plain strings, indexed by the lower and the upper half of a character, whose entries are and-ed. The
/// upper four bits of the result are not 0 if the character is good: there is one bit for each value of the upper half
/// that has good characters. The lower four bits are the code.
pub(crate) const PLAIN_LOWER: [u8; 16] = {
    let mut table = [0; 16];
    let mut byte = 0;
    while byte < 128 {
        if PLAIN_TO_CODE[byte] != BAD {
            table[byte % 16] |= PLAIN_UPPER[byte / 16] & 0xf0 | PLAIN_TO_CODE[byte] as u8;
        }
        byte += 1;
    }
    table
};
/// The table for the upper half; see [`PLAIN_LOWER`].
pub(crate) const PLAIN_UPPER: [u8; 16] = [0, 0, 0x10, 0x2f, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0];

/// Proves both tables at compile time.
const _: () = {
    let mut byte = 0;
    while byte < 256 {
        let lower = if byte < 128 { PLAIN_LOWER[byte % 16] } else { 0 };
        let meant = lower & PLAIN_UPPER[byte / 16];
        let code = PLAIN_TO_CODE[byte];
        assert!(if code == BAD { meant < 16 } else { meant >= 16 && (meant & 15) as u16 == code });
        byte += 1;
    }
};
