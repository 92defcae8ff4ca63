//! Everyday contents of databases and files that are not boards.

use crate::random::Rng;

/// Makes one string of a sort.
type Make = fn(&mut Rng) -> String;

/// Sorts of data with their makers. None has a line end.
pub(super) const EVERYDAY: &[(&str, Make)] = &[
    ("hash, hexadecimal", hash),
    ("hash, upper case", |rng| hash(rng).to_uppercase()),
    ("hash with its name", |rng| format!("sha256:{}", hash(rng))),
    ("base64", |rng| base64(rng, b"+/", "=")),
    ("base64 for URLs", |rng| base64(rng, b"-_", "")),
    ("base32", |rng| letters(rng, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")),
    ("base58", |rng| letters(rng, b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")),
    ("token", token),
    ("UUID", uuid),
    ("integer", |rng| {
        let digits = 1 + rng.below(40);
        digits_of(rng, digits)
    }),
    ("decimal number", |rng| format!("{}.{}", rng.below(100_000), digits_of(rng, 3))),
    ("numbers in scientific notation", |rng| format!("{}e-{}", rng.below(1000), rng.below(300))),
    ("date and time", date),
    ("address of a page", url),
    ("address of a mailbox", |rng| format!("{}@{}.example", word(rng), word(rng))),
    ("path", |rng| format!("/{}/{}/{}.{}", word(rng), word(rng), word(rng), digits_of(rng, 2))),
    ("IPv4 and IPv6", address),
    ("JSON object", object),
    ("JSON array of numbers", |rng| format!("[{}]", numbers(rng, ","))),
    ("JSON array of digits", |rng| format!("[{}]", few(rng, 81, ","))),
    ("numbers with commas", |rng| numbers(rng, ",")),
    ("numbers with spaces", |rng| numbers(rng, " ")),
    ("row of CSV", |rng| row(rng, ",")),
    ("row of TSV", |rng| row(rng, "\t")),
    ("prose", |rng| {
        let words = 1 + rng.below(60);
        prose(rng, words)
    }),
    ("one word of any length", |rng| {
        let length = 1 + rng.below(400);
        (0..length).map(|_| char::from(b'a' + rng.below(26) as u8)).collect()
    }),
    ("one character, repeated", |rng| {
        let length = 1 + rng.below(400);
        rng.pick(&["-", "=", "*", "#", "_", "~", "x", "?", "|", "+"]).repeat(length)
    }),
    ("chess position", chess),
    ("colour", |rng| format!("#{:06x}", rng.below(1 << 24))),
    ("price", |rng| format!("EUR {}.{}", rng.below(10_000), digits_of(rng, 2))),
    ("phone number", |rng| format!("+{} {} {}", digits_of(rng, 2), digits_of(rng, 3), digits_of(rng, 7))),
    ("line of a log", |rng| format!("{} [{}] {}", date(rng), hash(rng), prose(rng, 8))),
    ("HTML", |rng| format!("<a href=\"{}\">{}</a>", url(rng), prose(rng, 3))),
    ("dump of bytes", |rng| {
        let bytes = 8 + rng.below(60);
        (0..bytes).map(|_| format!("{:02x} ", rng.below(256))).collect()
    }),
    ("bits", |rng| {
        let length = *rng.pick(&[8, 16, 32, 64, 128, 256]);
        (0..length).map(|_| *rng.pick(&['0', '1'])).collect()
    }),
];

fn letters(rng: &mut Rng, of: &[u8]) -> String {
    let length = 1 + rng.below(400);
    (0..length).map(|_| char::from(*rng.pick(of))).collect()
}

fn digits_of(rng: &mut Rng, count: usize) -> String {
    (0..count).map(|_| char::from(b'0' + rng.below(10) as u8)).collect()
}

/// Of the usual lengths, from CRC-32 to SHA-512.
fn hash(rng: &mut Rng) -> String {
    let digits = *rng.pick(&[8, 16, 32, 40, 56, 64, 96, 128]);
    (0..digits).map(|_| char::from(*rng.pick(b"0123456789abcdef"))).collect()
}

fn base64(rng: &mut Rng, last: &[u8; 2], padding: &str) -> String {
    let bytes = 1 + rng.below(300);
    let digit = |rng: &mut Rng| match rng.below(64) as u8 {
        digit @ 0..26 => b'A' + digit,
        digit @ 26..52 => b'a' + digit - 26,
        digit @ 52..62 => b'0' + digit - 52,
        digit => last[usize::from(digit) - 62],
    };
    let text: String = (0..(bytes * 4).div_ceil(3)).map(|_| char::from(digit(rng))).collect();
    text + &padding.repeat((3 - bytes % 3) % 3)
}

fn token(rng: &mut Rng) -> String {
    [base64(rng, b"-_", ""), base64(rng, b"-_", ""), base64(rng, b"-_", "")].join(".")
}

fn uuid(rng: &mut Rng) -> String {
    let (a, b) = (rng.next(), rng.next());
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
        a >> 32,
        a >> 16 & 0xffff,
        a & 0xfff,
        b >> 52,
        b & 0xffff_ffff_ffff
    )
}

fn date(rng: &mut Rng) -> String {
    let (month, day, hour, minute) = (1 + rng.below(12), 1 + rng.below(28), rng.below(24), rng.below(60));
    format!("{}-{month:02}-{day:02}T{hour:02}:{minute:02}:00Z", 1970 + rng.below(80))
}

fn url(rng: &mut Rng) -> String {
    format!("https://www.{}.example/{}?id={}&hash={}", word(rng), word(rng), rng.below(100_000), hash(rng))
}

fn address(rng: &mut Rng) -> String {
    if rng.once_in(2) {
        return [(); 4].map(|()| rng.below(256).to_string()).join(".");
    }
    [(); 8].map(|()| format!("{:x}", rng.below(65_536))).join(":")
}

fn object(rng: &mut Rng) -> String {
    format!(
        "{{\"id\":{},\"name\":\"{}\",\"of\":[{}],\"sha\":\"{}\"}}",
        rng.below(1000),
        word(rng),
        numbers(rng, ","),
        hash(rng)
    )
}

/// Not 81 numbers, which would be a board.
fn numbers(rng: &mut Rng, between: &str) -> String {
    let count = match 1 + rng.below(160) {
        count @ 80..=82 => count + 20,
        count => count,
    };
    let most = *rng.pick(&[2, 10, 100, 512, 100_000]);
    (0..count).map(|_| rng.below(most).to_string()).collect::<Vec<_>>().join(between)
}

fn few(rng: &mut Rng, count: usize, between: &str) -> String {
    (0..count).map(|_| rng.below(10).to_string()).collect::<Vec<_>>().join(between)
}

fn row(rng: &mut Rng, between: &str) -> String {
    [rng.below(1_000_000).to_string(), word(rng), date(rng), hash(rng), digits_of(rng, 5), prose(rng, 4)].join(between)
}

fn word(rng: &mut Rng) -> String {
    rng.pick(&["puzzle", "easy", "grid", "daily", "solution", "sudoku", "killer", "row", "level", "author", "Monday"])
        .to_string()
}

fn prose(rng: &mut Rng, words: usize) -> String {
    (0..words).map(|_| word(rng)).collect::<Vec<_>>().join(" ") + "."
}

/// Forsyth-Edwards notation.
fn chess(rng: &mut Rng) -> String {
    let rank = |rng: &mut Rng| (0..8).map(|_| char::from(*rng.pick(b"pnbrqkPNBRQK1"))).collect::<String>();
    [(); 8].map(|()| rank(rng)).join("/") + " w KQkq - 0 1"
}
