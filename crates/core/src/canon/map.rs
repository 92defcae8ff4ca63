//! Maps: a cell permutation and a digit permutation, written in a form that anyone can apply.

use std::fmt;
use std::str::FromStr;

use super::arrangement::{Arrangement, LineValues, MAX_SIDE, REGROUPED, TRANSPOSED};
use super::groups;
use crate::board::{Kind, Side};
use crate::kernels::tables::{DIGIT36, DIGITS};

/// A map from a puzzle to its canonical form, or to another board that is the same puzzle.
///
/// It is written as `FLAGS:ROWS:COLUMNS:DIGITS` in digits of base 36 from 1, for example
/// `t:132465879:879213564:245617938`. The flags are `-`, or `b` and `t` in this order. `b` (colour-sudoku): the cell at
/// row 3a+b, column 3c+d (from 0) moves to row 3a+c, column 3b+d. `t`: then rows and columns are exchanged. Cell (i, j)
/// of the image is cell (ROWS\[i\], COLUMNS\[j\]) of the result, and its digit d becomes DIGITS\[d\].
///
/// ```
/// use gridmill_core::canon::Map;
///
/// let map: Map = "t:132465879:879213564:245617938".parse()?;
/// assert_eq!(map.inverse().then(&map)?.to_string(), "-:123456789:123456789:123456789");
/// assert_eq!(map.to_string(), "t:132465879:879213564:245617938");
/// assert!("t:112465879:879213564:245617938".parse::<Map>().is_err());
/// # Ok::<(), gridmill_core::canon::BadMap>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Map {
    pub(super) side: u8,
    pub(super) cells: Arrangement,
    /// The new name of each digit; that of digit d is at d - 1.
    pub(super) digits: LineValues,
}

/// The error for a string that is not a map, or for two maps that cannot be combined; the message says which part is
/// wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadMap(String);

impl fmt::Display for BadMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadMap {}

fn bad<T>(words: impl Into<String>) -> Result<T, BadMap> {
    Err(BadMap(words.into()))
}

impl Map {
    /// Returns the map that leaves boards of this side unchanged.
    pub fn identity(side: Side) -> Self {
        let side = side.get();
        let digits = std::array::from_fn(|i| if i < side { i as u8 + 1 } else { 0 });
        Self { side: side as u8, cells: Arrangement::identity(side), digits }
    }

    /// Returns the side of the boards that it maps.
    pub fn side(&self) -> usize {
        self.side.into()
    }

    /// Returns the cell, as row and column from 0, that moves to row `row`, column `column` of the image.
    ///
    /// # Panics
    /// If the row or column is outside the board.
    pub fn source(&self, row: usize, column: usize) -> (usize, usize) {
        assert!(row < self.side() && column < self.side());
        self.cells.source(row, column)
    }

    /// Returns the new name of a digit; 0 (no digit) stays 0.
    ///
    /// # Panics
    /// If the digit is greater than the side.
    pub fn digit(&self, digit: u8) -> u8 {
        assert!(digit <= self.side);
        if digit == 0 { 0 } else { self.digits[usize::from(digit) - 1] }
    }

    /// Returns the map that applies this map and then another one.
    ///
    /// # Errors
    /// If they have different sides, or if one regroups cells (`b`) and the other is not for colour-sudokus: their
    /// combination cannot be written as a map.
    pub fn then(&self, next: &Self) -> Result<Self, BadMap> {
        let side = self.side();
        if self.side != next.side {
            return bad(format!("a map of side {side} and one of side {} cannot be combined", next.side));
        }
        let (first, second) = (self.cells.sources(side), next.cells.sources(side));
        let both: Vec<u16> = second.iter().map(|&cell| first[usize::from(cell)]).collect();
        let Some(cells) = Arrangement::from_sources(&both, side) else {
            return bad(format!("{self} and then {next} separate rows: together they are not a map"));
        };
        let digits = self.digits.map(|digit| next.digit(digit));
        Ok(Self { side: self.side, cells, digits })
    }

    /// Returns the inverse of this map.
    pub fn inverse(&self) -> Self {
        let side = self.side();
        let mut back = vec![0; side * side];
        self.cells.sources(side).iter().zip(0..).for_each(|(&source, cell)| back[usize::from(source)] = cell);
        let mut digits = [0; MAX_SIDE];
        (1..=self.side).for_each(|digit| digits[usize::from(self.digit(digit)) - 1] = digit);
        // Maps that regroup are elements of a group, because no others are made or parsed. So the inverse exists.
        let cells = Arrangement::from_sources(&back, side).unwrap_or(self.cells);
        Self { side: self.side, cells, digits }
    }

    /// Returns whether all digits keep their names.
    pub(super) fn keeps_digits(&self) -> bool {
        (1..=self.side).all(|digit| self.digit(digit) == digit)
    }

    /// Returns whether each digit d becomes n+1-d.
    pub(super) fn complements(&self) -> bool {
        (1..=self.side).all(|digit| self.digit(digit) == self.side + 1 - digit)
    }
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.side();
        let text = |lines: &LineValues, from: u8| -> String {
            lines[..side].iter().map(|&line| char::from(DIGITS[usize::from(line + from)])).collect()
        };
        let flags = ["-", "b", "t", "bt"][usize::from(self.cells.flags)];
        let (rows, columns, digits) = (text(&self.cells.rows, 1), text(&self.cells.columns, 1), text(&self.digits, 0));
        write!(f, "{flags}:{rows}:{columns}:{digits}")
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Map({self})")
    }
}

impl FromStr for Map {
    type Err = BadMap;

    fn from_str(text: &str) -> Result<Self, BadMap> {
        let parts: Vec<&str> = text.split(':').collect();
        let &[flags, rows, columns, digits] = parts.as_slice() else {
            return bad(format!("a map has four parts with colons between them, not {}", parts.len()));
        };
        let flags = match flags {
            "-" => 0,
            "b" => REGROUPED,
            "t" => TRANSPOSED,
            "bt" => REGROUPED | TRANSPOSED,
            _ => return bad("the flags of a map are -, b, t or bt"),
        };
        let Some(side) = Side::new(rows.len()) else {
            return bad(format!("no board has {} rows, as this map does", rows.len()));
        };
        let rows = permutation("rows", rows, side)?.map(|row| row.saturating_sub(1));
        let columns = permutation("columns", columns, side)?.map(|column| column.saturating_sub(1));
        let digits = permutation("digits", digits, side)?;
        let cells = Arrangement { flags, rows, columns };
        if flags & REGROUPED != 0 && (side != Side::NINE || !groups::contains(Kind::ColourSudoku, side, &cells)) {
            return bad("the flag b is only for maps of colour-sudokus");
        }
        Ok(Self { side: side.get() as u8, cells, digits })
    }
}

/// Parses a permutation: the digits of base 36 from 1, each once.
fn permutation(name: &str, text: &str, side: Side) -> Result<LineValues, BadMap> {
    let n = side.get();
    let wrong = || bad(format!("the {name} of a map of side {n} are the digits of base 36 from 1 to {n}, each once"));
    if text.len() != n {
        return wrong();
    }
    let (mut lines, mut seen) = ([0; MAX_SIDE], 0_u32);
    for (line, byte) in lines.iter_mut().zip(text.bytes()) {
        let value = DIGIT36[usize::from(byte)];
        if !(1..=n).contains(&usize::from(value)) || seen >> value & 1 == 1 {
            return wrong();
        }
        seen |= 1 << value;
        *line = value as u8;
    }
    Ok(lines)
}
