//! Base 64.

/// The bytes of digits, which `=` may pad, or the place of what is wrong: a sign that is no digit, or the end.
pub(super) fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    let padding = text.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
    let digits = &text[..text.len() - padding];
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 3);
    let (mut bits, mut count) = (0_u32, 0);
    for (at, &digit) in digits.iter().enumerate() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err(at),
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    // Bits are left over, or there is not even a whole byte.
    if bits != 0 || count == 6 { Err(text.len()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_padding() {
        for (text, bytes) in [("", ""), ("TQ==", "M"), ("TQ", "M"), ("TWE=", "Ma"), ("TWFu", "Man"), ("+/+/", "\u{0}")]
        {
            let decoded = decode(text.as_bytes());
            if text == "+/+/" {
                assert_eq!(decoded, Ok(vec![0xfb, 0xff, 0xbf]));
            } else {
                assert_eq!(decoded, Ok(bytes.as_bytes().to_vec()), "{text}");
            }
        }
        for (text, at) in [("T", 1), ("TR", 2), ("TWFuT", 5), ("TW=u", 2), ("TWF-", 3), ("T===", 1)] {
            assert_eq!(decode(text.as_bytes()), Err(at), "{text}");
        }
    }
}
