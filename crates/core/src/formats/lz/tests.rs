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

/// What lz-string itself does, a bit and a string at a time. `None` for what it does not unpack.
fn unpacked_slowly(text: &[u8], most: usize) -> Option<Vec<u16>> {
    let end = text.iter().rposition(|&byte| byte != b'=' && byte != b'$').map_or(0, |last| last + 1);
    let digit = |at: usize| {
        let byte = if text[at] == b'-' { b'/' } else { text[at] };
        DIGITS.iter().position(|&digit| digit == byte)
    };
    let mut at = 0;
    let mut take = |width: u32| {
        (0..width).try_fold(0, |code, bit| {
            let place = at;
            at += 1;
            let digit = if place / 6 < end { digit(place / 6)? } else { return None };
            Some(code | (digit >> (5 - place % 6) & 1) << bit)
        })
    };
    let (mut words, mut out): (Vec<Vec<u16>>, Vec<u16>) = (vec![Vec::new(); 3], Vec::new());
    let mut before: Vec<u16> = Vec::new();
    loop {
        let width = if before.is_empty() { 2 } else { usize::BITS - words.len().leading_zeros() };
        let word = match take(width)? {
            2 => break,
            code @ (0 | 1) => {
                let unit = vec![take(if code == 0 { 8 } else { 16 })? as u16];
                words.push(unit.clone());
                unit
            }
            _ if before.is_empty() => return None,
            code if code == words.len() => [&before[..], &before[..1]].concat(),
            code => words.get(code)?.clone(),
        };
        if !before.is_empty() {
            before.push(word[0]);
            words.push(before);
        }
        out.extend(&word);
        before = word;
        if out.len() > most {
            return None;
        }
    }
    matches!(text[at.div_ceil(6)..end], [] | [b'A']).then_some(out)
}

proptest! {
    /// Whole strings, damaged ones, and any digits; with and without units that are not ASCII, and words of all lengths.
    #[test]
    fn it_unpacks_what_lz_string_does(
        parts in prop::collection::vec((prop::sample::select(vec!["{\"value\":", "1", "[3,4,", "aaaaaaaaaaaaaaaaaaaaa", "é", "€😀", "\u{7f}"]), 1_usize..40), 0..12),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"AQ/-+9z=!".to_vec())), 0..3),
        length in any::<prop::sample::Index>(),
        is_whole in any::<bool>(),
        most in prop::sample::select(vec![60, 400, 1 << 20]),
    ) {
        let text: String = parts.iter().map(|(part, count)| part.repeat(*count)).collect();
        let mut packed = compress(&text);
        for (at, byte) in changes {
            let at = at.index(packed.len());
            packed[at] = byte;
        }
        if !is_whole {
            packed.truncate(length.index(packed.len() + 1));
        }
        let expected = unpacked_slowly(&packed, most).map(|units| String::from_utf16_lossy(&units));
        prop_assert_eq!(decompress(&packed, most).ok(), expected, "{:?}", String::from_utf8_lossy(&packed));
    }

    #[test]
    fn it_unpacks_any_digits_as_lz_string_does(digits in prop::collection::vec(prop::sample::select(DIGITS.to_vec()), 0..300)) {
        let expected = unpacked_slowly(&digits, 10_000).map(|units| String::from_utf16_lossy(&units));
        prop_assert_eq!(decompress(&digits, 10_000).ok(), expected);
    }
}
