//! Reads grids as f-puzzles itself writes them, without a tree of their values, which would take longer than all else.

use super::box_shape;
use crate::board::Mask;
use crate::formats::neutral::{NeutralBoard, NeutralCell, NeutralRegions};

/// The longest text that is read here, so that there cannot be more values than [are read](crate::formats::json_values).
const LONGEST: usize = 1 << 16;

/// Reads the size and the grid, with which the JSON of a puzzle begins, and returns the board and what follows. `None` if there is
/// anything unusual, even if it is no fault.
pub(super) fn read_usual_grid(json: &str) -> Option<(NeutralBoard, &str)> {
    let mut scan = Scan { rest: json.as_bytes() };
    (json.len() < LONGEST && scan.skips(b"{\"size\":")).then_some(())?;
    let side = usize::from(scan.number()?);
    let mut board = NeutralBoard::new(side).ok()?;
    let mut regions = Vec::new();
    scan.need(b",\"grid\":[")?;
    for row in 0..side {
        if row > 0 {
            scan.need(b",")?;
        }
        scan.need(b"[")?;
        for column in 0..side {
            if column > 0 {
                scan.need(b",")?;
            }
            let at = row * side + column;
            if let Some(region) = scan.cell(&mut board.cells[at])? {
                regions.push((at, region));
            }
        }
        scan.need(b"]")?;
    }
    scan.need(b"]")?;
    board.regions = regions_of(side, &regions);
    Some((board, &json[json.len() - scan.rest.len()..]))
}

/// The regions of a grid in which some cells name theirs.
fn regions_of(side: usize, named: &[(usize, u16)]) -> NeutralRegions {
    let (height, width) = box_shape(side);
    let own = |at: usize| (at / side / height * height + at % side / width) as u16;
    if named.iter().any(|&(at, region)| region != own(at)) {
        let mut regions: Vec<_> = (0..side * side).map(|at| Some(own(at))).collect();
        named.iter().for_each(|&(at, region)| regions[at] = Some(region));
        NeutralRegions::Numbers(regions)
    } else if height == 1 {
        NeutralRegions::None
    } else {
        NeutralRegions::Boxes
    }
}

/// What is left of the text.
struct Scan<'t> {
    rest: &'t [u8],
}

impl Scan<'_> {
    /// Goes past a word if it is next.
    #[inline]
    fn skips<const N: usize>(&mut self, word: &[u8; N]) -> bool {
        let rest = self.rest.strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    #[inline]
    fn need<const N: usize>(&mut self, word: &[u8; N]) -> Option<()> {
        self.skips(word).then_some(())
    }

    /// Reads a number below 100.
    #[inline]
    fn number(&mut self) -> Option<u8> {
        let (tens, ones, rest) = match self.rest {
            [tens @ b'1'..=b'9', ones @ b'0'..=b'9', rest @ ..] => (tens - b'0', ones - b'0', rest),
            [ones @ b'0'..=b'9', rest @ ..] => (0, ones - b'0', rest),
            _ => return None,
        };
        self.rest = rest;
        Some(10 * tens + ones)
    }

    /// Reads a list of notes, after its bracket.
    #[inline]
    fn notes(&mut self) -> Option<Mask> {
        let mut notes = 0;
        if self.skips(b"]") {
            return Some(notes);
        }
        loop {
            if let [digit @ b'1'..=b'9', end @ (b',' | b']'), rest @ ..] = self.rest {
                notes |= 1 << (digit - b'1');
                self.rest = rest;
                if *end == b']' {
                    return Some(notes);
                }
                continue;
            }
            let note = self.number().filter(|note| (1..=32).contains(note))?;
            notes |= 1 << (note - 1);
            if !self.skips(b",") {
                self.need(b"]")?;
                return Some(notes);
            }
        }
    }

    /// Reads a cell. Returns its region, if it names one.
    #[inline]
    fn cell(&mut self, cell: &mut NeutralCell) -> Option<Option<u16>> {
        self.need(b"{")?;
        let (mut digit, mut is_given, mut region) = (None, None, None);
        let (mut centre, mut corner) = (None, None);
        let mut is_last = self.skips(b"}");
        while !is_last {
            // No key may be there twice.
            let is_second = if self.skips(b"\"value\":") {
                digit.replace(self.number()?).is_some()
            } else if self.skips(b"\"centerPencilMarks\":[") {
                centre.replace(self.notes()?).is_some()
            } else if self.skips(b"\"given\":true") {
                is_given.replace(true).is_some()
            } else if self.skips(b"\"region\":") {
                region.replace(self.number()?.into()).is_some()
            } else if self.skips(b"\"cornerPencilMarks\":[") {
                corner.replace(self.notes()? != 0).is_some()
            } else {
                return None;
            };
            is_last = !self.skips(b",");
            if is_second || is_last && !self.skips(b"}") {
                return None;
            }
        }
        let digit = digit.unwrap_or(0);
        let (given, solved) = if is_given.is_some() { (digit, 0) } else { (0, digit) };
        *cell = NeutralCell { given, solved, centre: centre.unwrap_or(0), has_corner_notes: corner.unwrap_or(false) };
        Some(region)
    }
}
