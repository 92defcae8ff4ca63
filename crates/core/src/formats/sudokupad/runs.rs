//! Run lengths: the digits of a sudoku, each with the number of empty cells after it. Two codes are in use.

/// The signs of the newer code, which stand for 0 to 59: a digit, or 0 for an empty cell, and ten times the number of empty
/// cells after it.
const SIGNS: &[u8; 60] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx";

/// The signs of the older code that stand for 0 to 69 empty cells. Digits stand for themselves.
const OLDER_SIGNS: &[u8; 70] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_";

/// How many cells a code may have that is read at all.
const MOST: usize = 1024;

/// Appends the cells of one sign of the newer code.
fn push_sign(sign: u8, cells: &mut Vec<u8>) -> Option<()> {
    let value = SIGNS.iter().position(|&other| other == sign)?;
    cells.push((value % 10) as u8);
    cells.resize(cells.len() + value / 10, 0);
    Some(())
}

/// Reads the newer code: the cells, or the place of the first sign that is none.
pub(super) fn read(code: &[u8]) -> Result<Vec<u8>, usize> {
    let mut cells = Vec::new();
    for (at, &sign) in code.iter().enumerate() {
        push_sign(sign, &mut cells).filter(|()| cells.len() <= MOST).ok_or(at)?;
    }
    Ok(cells)
}

/// Reads the newer code up to the sign that completes 81 cells, and tells how many signs were read.
pub(super) fn read_until_full(code: &[u8]) -> Result<(Vec<u8>, usize), usize> {
    let mut cells = Vec::new();
    for (at, &sign) in code.iter().enumerate() {
        if cells.len() >= 81 {
            return Ok((cells, at));
        }
        push_sign(sign, &mut cells).ok_or(at)?;
    }
    Ok((cells, code.len()))
}

/// Reads the older code.
pub(super) fn read_older(code: &[u8]) -> Option<Vec<u8>> {
    let mut cells = Vec::new();
    for &sign in code {
        match (OLDER_SIGNS.iter().position(|&other| other == sign), sign) {
            (Some(run), _) => cells.resize(cells.len() + run, 0),
            (None, b'1'..=b'9') => cells.push(sign - b'0'),
            _ => return None,
        }
        if cells.len() > MOST {
            return None;
        }
    }
    Some(cells)
}

/// Writes digits in the newer code.
pub(super) fn write(digits: &[u8]) -> Vec<u8> {
    let mut code = Vec::new();
    let mut rest = digits;
    while let Some((&digit, after)) = rest.split_first() {
        let run = after.iter().take(5).take_while(|&&digit| digit == 0).count();
        code.push(SIGNS[(usize::from(digit) + 10 * run).min(SIGNS.len() - 1)]);
        rest = &after[run..];
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_come_back(digits in prop::collection::vec(0_u8..10, 0..=81)) {
            prop_assert_eq!(read(&write(&digits)), Ok(digits));
        }
    }

    #[test]
    fn runs_are_as_in_public_links() {
        let code = b"5NlQ19j9mGca3OIN1bWGk2m41TjS79";
        let board = b"530070000600195000098000060800060003400803001700020006060000280000419005000080079";
        let digits: Vec<u8> = board.iter().map(|digit| digit - b'0').collect();
        assert_eq!(read(code).as_ref(), Ok(&digits));
        assert_eq!(write(&digits), code);
        assert_eq!(read_until_full(b"5NlQ19j9mGca3OIN1bWGk2m41TjS79xt"), Ok((digits, 30)));
        assert_eq!((read(b"5y"), read(b"5-")), (Err(1), Err(1)));
        assert_eq!(read_older(b"_M"), Some(vec![0; 81]));
        assert_eq!(
            (read_older(b"B6B91A"), read_older(b"0"), read_older(b"____________________")),
            (Some(vec![0, 6, 0, 9, 1]), None, None)
        );
    }
}
