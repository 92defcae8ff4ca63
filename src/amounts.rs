//! Amounts as words for people: numbers of things, times, rates.

use crate::error::plural;

/// A number of things. `noun` is the singular.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), plural(number))
}

/// A duration in seconds, with at least three digits from one second on.
pub(crate) fn seconds(seconds: f64) -> String {
    format!("{} s", if seconds < 1.0 { format!("{seconds:.3}") } else { three_digits(seconds) })
}

/// `number` units per second, with three digits.
pub(crate) fn rate(number: f64, unit: &str) -> String {
    // A number that three digits would round up to a thousand gets the next prefix.
    let scales = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let (scale, prefix) = scales.into_iter().find(|(scale, _)| number >= scale * 0.9995).unwrap_or((1.0, ""));
    // A prefix is joined to B and stands alone without a unit, but not before a word: k/s, MB/s, k lines/s.
    let gap = if prefix.is_empty() || unit.len() <= 3 { "" } else { " " };
    format!("{} {prefix}{gap}{unit}", three_digits(number / scale))
}

/// A number with three digits, or with all digits before the point if there are more.
pub(crate) fn three_digits(number: f64) -> String {
    let decimals = match number {
        n if n < 9.995 => 2,
        n if n < 99.95 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}")
}

/// A number with commas between thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn nouns_and_three_digits() {
        assert_eq!([0, 1, 2000].map(|n| counted(n, "row")), ["0 rows", "1 row", "2,000 rows"]);
        assert_eq!(
            [0.0, 0.0512, 1.0, 12.34, 99.96, 4321.4].map(seconds),
            ["0.000 s", "0.051 s", "1.00 s", "12.3 s", "100 s", "4321 s"]
        );
        assert_eq!([12.0, 12_345.6].map(|n| rate(n, "lines/s")), ["12.0 lines/s", "12.3 k lines/s"]);
        let rates = [0.0, 3.456, 999.9, 12_345.6, 999_600.0, 1e6, 4.375e9, 2.5e11].map(|n| rate(n, "B/s"));
        assert_eq!(
            rates,
            ["0.00 B/s", "3.46 B/s", "1.00 kB/s", "12.3 kB/s", "1.00 MB/s", "1.00 MB/s", "4.38 GB/s", "250 GB/s"]
        );
    }
}
