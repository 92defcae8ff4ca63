//! Tests of the conversions against another library.

use num_bigint::BigUint;
use proptest::prelude::*;

use super::super::radix::{DIGIT68, DIGITS68};
use super::*;
use crate::kernels::{Kernel, available};

#[test]
fn characters_are_those_of_the_tables() {
    for byte in 0..=255 {
        assert_eq!(digit_of(byte), DIGIT68[usize::from(byte)], "{byte}");
    }
    for (digit, &character) in (0..).zip(DIGITS68) {
        assert_eq!(character_of(digit), character);
    }
}

/// All digits below the upper ones of a value, at every step of splitting it.
#[test]
fn values_are_split_into_their_digits() {
    fn check<const RADIX: u64>(value: u64) {
        let digits = eight_digits::<RADIX>(value);
        let bytes = digits.to_le_bytes();
        assert!(bytes.iter().all(|&digit| u64::from(digit) < RADIX), "{value}");
        assert_eq!(bytes.iter().fold(0, |value, &digit| value * RADIX + u64::from(digit)), value);
        assert_eq!(value_of_eight::<RADIX>(digits), value);
    }
    // Quotients are wrong first next to multiples, and for the largest values.
    for quotient in 0..14_641 {
        for rest in [0, 1, 120, 121, quotient * 7919 % 14_641, 14_640 - quotient % 121, 14_640] {
            check::<11>(quotient * 14_641 + rest);
        }
    }
    for quotient in 0..10_000 {
        for rest in [0, 1, 99, 100, quotient * 7919 % 10_000, 9_999 - quotient % 100, 9_999] {
            check::<10>(quotient * 10_000 + rest);
        }
    }
    for quotient in 0..4624 {
        for rest in [0, 1, 67, 68, quotient * 7919 % 4624, 4623 - quotient % 68, 4623] {
            let value = quotient * 4624 + rest;
            let digits = four_digits(value);
            let bytes = digits.to_le_bytes();
            assert!(bytes.iter().all(|&digit| digit < 68), "{value}");
            assert_eq!(bytes.iter().fold(0, |value, &digit| value * 68 + u64::from(digit)), value);
            assert_eq!(u64::from(value_of_four(digits)), value);
        }
    }
}

#[test]
fn quotients_are_too_small_by_no_more_than_is_allowed() {
    for modulus in [68_u64.pow(4), 10_u64.pow(8), 11_u64.pow(8)] {
        let divisor = Divisor::new(modulus);
        let check = |most: u64, distance: u64, divide: &dyn Fn(u64) -> (u64, u64)| {
            for step in 0..10_000 {
                let value = (most / 10_000 * step + step * 7919 % modulus) / modulus * modulus;
                for value in [value, value.saturating_sub(1), most - step] {
                    let (quotient, remainder) = divide(value);
                    assert!(quotient <= value / modulus && quotient + distance >= value / modulus, "{value}");
                    assert_eq!(quotient * modulus + remainder, value);
                }
            }
        };
        check((1 << 59) - 1, 15, &|value| divisor.divide_large(value));
        check((1 << 35) - 1, 1, &|value| divisor.divide_small(value));
    }
}

#[test]
fn carries_go_on() {
    for modulus in [68_u64.pow(4), 10_u64.pow(8), 11_u64.pow(8)] {
        let mut limbs = [modulus - 1; GROUPS];
        limbs[0] = modulus;
        limbs[GROUPS - 1] = 5;
        carry(&mut limbs, &mut [[0; GROUPS + 1]; 3], &Divisor::new(modulus));
        assert!(limbs[..GROUPS - 1].iter().all(|&limb| limb == 0));
        assert_eq!(limbs[GROUPS - 1], 6);
    }
}

/// Converts a number to another radix and back, and compares it with the result of another library.
fn round_trips<const RADIX: u64>(text: &[u8], kernel: &Kernel, work: &mut Work) {
    let number = text.iter().fold(BigUint::default(), |value, &byte| value * 68_u32 + DIGIT68[usize::from(byte)]);
    let mut digits = [77; DIGITS_ROOM];
    let count = kernel.run(Read68::<RADIX>::new(text, &mut digits, work)).unwrap();
    assert_eq!(count % EIGHT, 0);
    let digits = &digits[DIGITS_ROOM - count..];
    let expected = number.to_radix_be(RADIX as u32);
    let (zeros, found) = digits.split_at(count - expected.len());
    assert!(zeros.iter().all(|&digit| digit == 0));
    assert_eq!(found, expected);
    let len = found.len();
    if len > MAX_DIGITS {
        return;
    }
    let padded = [&[0; ZEROS][..], found].concat();
    let mut again = [77; TEXT_ROOM];
    let count = kernel.run(Write68::<RADIX>::new(&padded, len, &mut again, work));
    let again = &again[TEXT_ROOM - count..];
    let first = text.iter().position(|&byte| byte != b'0').unwrap_or(text.len());
    let (zeros, found) = again.split_at(count - (text.len() - first));
    assert!(zeros.iter().all(|&digit| digit == b'0'));
    assert_eq!(found, &text[first..]);
}

proptest! {
    #[test]
    fn numbers_are_those_of_another_library(
        numbers in proptest::collection::vec(
            (
                proptest::collection::vec(0_usize..68, 0..=MAX_TEXT),
                0..=MAX_TEXT,
                prop_oneof![Just(None), Just(Some(0)), Just(Some(67))],
            ),
            1..4,
        ),
    ) {
        // One memory for all of them, so that nothing of a number gets into the next one.
        for kernel in available() {
            let mut work = Work::new();
            for (digits, most, all) in &numbers {
                let mut text: Vec<u8> = digits.iter().take(*most).map(|&digit| DIGITS68[digit]).collect();
                if let Some(all) = *all {
                    text.fill(DIGITS68[all]);
                }
                round_trips::<10>(&text, kernel, &mut work);
                round_trips::<11>(&text, kernel, &mut work);
            }
        }
    }
}

#[test]
fn the_largest_numbers() {
    for kernel in available() {
        let mut work = Work::new();
        for len in [1, 8, 63, 64, 65, 455, 456, MAX_TEXT - 1, MAX_TEXT] {
            round_trips::<10>(&vec![b'&'; len], kernel, &mut work);
            round_trips::<11>(&vec![b'&'; len], kernel, &mut work);
        }
        for (radix, digit) in [(10_u32, 9_u8), (11, 10)] {
            let digits = [&[0; ZEROS][..], &[digit; MAX_DIGITS]].concat();
            let mut text = [0; TEXT_ROOM];
            let count = if radix == 10 {
                kernel.run(Write68::<10>::new(&digits, MAX_DIGITS, &mut text, &mut work))
            } else {
                kernel.run(Write68::<11>::new(&digits, MAX_DIGITS, &mut text, &mut work))
            };
            let values: Vec<u8> = text[TEXT_ROOM - count..].iter().map(|&byte| DIGIT68[usize::from(byte)]).collect();
            let number = BigUint::from_radix_be(&values, 68).unwrap();
            assert_eq!(number, BigUint::from(radix).pow(MAX_DIGITS as u32) - 1_u32);
        }
    }
}

#[test]
fn no_digits() {
    for kernel in available() {
        for text in [&b"^"[..], b"123456789012345^", b"^23456789012345", b"12\"", b"\xff", b"a b"] {
            let mut digits = [0; DIGITS_ROOM];
            assert_eq!(kernel.run(Read68::<11>::new(text, &mut digits, &mut Work::new())), None);
        }
    }
}
