//! The notation of solutions.

use crate::formats::Text;
use crate::kernels::{Kernel, SimdTask};

/// A digit in a solution: letters above 9, as in v2, and a point for a black cell without a digit.
#[inline(always)]
pub(super) fn digit_char(digit: u8) -> u8 {
    match digit {
        0 => b'.',
        1..=9 => b'0' + digit,
        _ => b'A' - 10 + digit,
    }
}

/// Appends a solution.
#[inline]
pub(super) fn push_digits(solution: &[u8], kernel: &Kernel, out: &mut Text) {
    write_digits(solution, kernel, out.room(solution.len()));
    out.advance(solution.len());
}

/// Writes solutions.
#[inline]
pub(super) fn write_digits(solution: &[u8], kernel: &Kernel, to: &mut [u8]) {
    kernel.run(Digits { solution, to });
}

struct Digits<'a> {
    solution: &'a [u8],
    to: &'a mut [u8],
}

impl SimdTask for Digits<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (to, &digit) in self.to.iter_mut().zip(self.solution) {
            *to = digit_char(digit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::SCALAR;

    #[test]
    fn digits_are_written_as_they_are_read() {
        let all: Vec<u8> = (0..26).collect();
        let mut text = Text::new();
        push_digits(&all, &SCALAR, &mut text);
        assert_eq!(text.as_slice(), b".123456789ABCDEFGHIJKLMNOP");
    }
}
