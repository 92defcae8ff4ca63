//! The lookup tables of the scalar kernel, made at compile time from the rules of docs/FORMATS.md.

/// A table that is made at compile time; in WebAssembly, which is sent over networks, when it is needed first.
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
/// The mark of what is no digit, or no code: the top bit, which no value has, so that it survives being added up or or-ed.
pub(crate) const BAD: u16 = 0x8000;

/// The digits of base 36, lower case; base 32 are the first 32 of them.
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
    /// v1 value (10 bits) to code of side 9, or [`BAD`] for a clue flag without exactly one digit.
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
    /// Code of side 9 (and any 10-bit number, for rows that hold no board) to v1 digits.
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
    /// offset32 value to code of side 9, or [`BAD`] for 10, 20 and what is over 531.
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
    /// Code of side 9 (and any 10-bit number) to offset32 digits.
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
    /// A number below 2048 to two base-36 digits; those over 1295 (rows that hold no board) to anything.
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

/// The characters that stand for a blank in plain sudoku strings.
pub(crate) const BLANKS: &[u8] = b"0._-*xX?";

/// A character of a plain sudoku string to its code, or [`BAD`].
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

/// Code of side 9 (and any 10-bit number) to a character of a plain string.
pub(crate) static CODE_TO_PLAIN: [u8; 1024] = {
    let mut table = [b'0'; 1024];
    let mut code = 1;
    while code <= 18 {
        table[code] = b'0' + (if code > 9 { code - 9 } else { code }) as u8;
        code += 1;
    }
    table
};

/// What a character of a plain string means, by its lower half and its upper half, to be and-ed: in the upper four bits one
/// if it is good, a bit for each of the upper halves that have good ones; in the lower four the code.
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
/// The other half of [`PLAIN_LOWER`].
pub(crate) const PLAIN_UPPER: [u8; 16] = [0, 0, 0x10, 0x2f, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0];

/// The proof of both tables.
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
