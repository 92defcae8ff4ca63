//! Writes strings in canonical form: without leading zeros, trailing bars and the plain layout.

use std::array;
use std::sync::{LazyLock, OnceLock};

use super::radix::{Base, DIGITS, Number, SixtyEight};
use crate::board::{Batch, Kind, Side, geometry};
use crate::formats::text::Text;
use crate::kernels::{ROW9, all_bits};

/// The length of the longest string: clues, candidates, layout, and 81 groups twice.
const LONGEST: usize = 45 + 470 + 6 + 2 * 1260 + 4;

/// The layout of a plain sudoku without its boxes, for jigsaws.
pub(super) const BOXLESS_LAYOUT: [u16; 5] = [9, 9, 0, 1, 0];

/// The usual text of a kind's groups, and their cells in that order.
struct Usual {
    kind: Kind,
    text: Vec<u8>,
    groups: Vec<[u8; 9]>,
}

/// The groups of the kinds that have some: the diagonals in the order of the published example, windows and colour
/// groups ordered by their first cells.
fn usual() -> &'static [Usual; 3] {
    static USUAL: OnceLock<[Usual; 3]> = OnceLock::new();
    USUAL.get_or_init(|| {
        let table = geometry(Side::NINE);
        let [down, up] = &table.diagonals;
        let up_and_down = [up.clone(), down.clone()];
        let groups: [(Kind, &[Vec<u16>]); 3] =
            [(Kind::SudokuX, &up_and_down), (Kind::Windoku, &table.windows), (Kind::ColourSudoku, &table.colours)];
        groups.map(|(kind, groups)| {
            let mut writer = Writer::new();
            groups.iter().flatten().for_each(|&cell| writer.number(cell + 1));
            let groups = groups.iter().map(|group| array::from_fn(|i| group[i] as u8)).collect();
            Usual { kind, text: writer.finished(), groups }
        })
    })
}

/// The kind whose groups have this text.
pub(super) fn kind_of_usual_groups(text: &[u8]) -> Option<Kind> {
    usual().iter().find(|usual| usual.text == text).map(|usual| usual.kind)
}

/// The groups of the kind whose groups have this text.
pub(super) fn usual_groups(text: &[u8]) -> Option<&'static [[u8; 9]]> {
    usual().iter().find(|usual| usual.text == text).map(|usual| &usual.groups[..])
}

/// Whether a layout is that of a jigsaw, as it is written.
pub(super) fn is_usual_boxless_layout(text: &[u8]) -> bool {
    static TEXT: OnceLock<Vec<u8>> = OnceLock::new();
    let usual = TEXT.get_or_init(|| {
        let mut writer = Writer::new();
        BOXLESS_LAYOUT.iter().for_each(|&number| writer.number(number));
        writer.finished()
    });
    text == usual
}

/// See [`crate::formats::Format::encode`].
pub(super) fn encode(kind: Kind, batch: &Batch, out: &mut Text, gap: usize, ends: &mut [usize]) -> u64 {
    let mut held = all_bits(batch.len());
    let mut writer = Writer::new();
    for (i, codes) in batch.codes16().chunks_exact(ROW9).enumerate() {
        let codes = &codes[..81];
        let solved = codes.iter().fold(false, |solved, &code| solved | (10..=18).contains(&code));
        let whole = kind != Kind::Jigsaw || nine_of_nine(batch, i);
        held &= !(u64::from(solved || !whole) << i);
        encode_one(kind, batch, i, codes, &mut writer, out);
        ends[i] = out.len();
        out.room(gap);
        out.advance(gap);
    }
    held
}

fn encode_one(kind: Kind, batch: &Batch, board: usize, codes: &[u16], writer: &mut Writer, out: &mut Text) {
    writer.clues(codes);
    writer.finish_clues(out);
    // A bar is written before the part after it, so that none is left at the end.
    let mut bars = 0;
    let mut part = |out: &mut Text, write: &mut dyn FnMut(&mut Text) -> bool| {
        bars += 1;
        let start = out.len();
        out.push(&b"||||"[..bars]);
        if write(out) {
            bars = 0;
        } else {
            out.truncate(start);
        }
    };
    part(out, &mut |out| {
        let any = codes.iter().fold(false, |any, &code| any | (code > 18));
        if any {
            writer.candidates(codes.iter().copied().filter(|&code| code == 0 || code > 9));
            writer.finish(out);
        }
        any
    });
    part(out, &mut |out| {
        if kind == Kind::Jigsaw {
            BOXLESS_LAYOUT.iter().for_each(|&number| writer.number(number));
            writer.finish(out);
        }
        kind == Kind::Jigsaw
    });
    let groups = batch.groups(board);
    part(out, &mut |out| {
        if kind == Kind::Jigsaw {
            writer.regions(&batch.regions()[board * ROW9..][..81]);
        } else {
            let outlined = groups.map_or(&[][..], |groups| &groups.outlined);
            outlined.iter().flatten().for_each(|&cell| writer.number(u16::from(cell) + 1));
        }
        writer.finish(out)
    });
    part(out, &mut |out| {
        let coloured = groups.map_or(&[][..], |groups| &groups.coloured);
        if coloured.is_empty()
            && let Some(usual) = usual().iter().find(|usual| usual.kind == kind)
        {
            out.push(&usual.text);
            return true;
        }
        coloured.iter().flatten().for_each(|&cell| writer.number(u16::from(cell) + 1));
        writer.finish(out)
    });
}

/// Whether each region number 1 to 9 occurs nine times.
pub(super) fn nine_of_nine(batch: &Batch, board: usize) -> bool {
    let mut counts = [0; 256];
    batch.regions()[board * ROW9..][..81].iter().for_each(|&region| counts[region as usize] += 1);
    counts[1..=9] == [9; 9]
}

/// Collects the digits of a part, and writes it.
struct Writer {
    number: Number,
    digits: [u8; DIGITS],
    len: usize,
    text: [u8; LONGEST],
}

impl Writer {
    fn new() -> Self {
        Self { number: Number::new(), digits: [0; DIGITS], len: 0, text: [0; LONGEST] }
    }

    /// The clues, as one number of 81 decimal digits.
    fn clues(&mut self, codes: &[u16]) {
        for (digit, &code) in self.digits.iter_mut().zip(codes) {
            *digit = if code < 10 { code as u8 } else { 0 };
        }
        self.len = 81;
    }

    fn push(&mut self, digit: u8) {
        // A row without a board cannot be longer: 81 lists of ten digits, 162 groups of nine numbers of three.
        if let Some(place) = self.digits.get_mut(self.len) {
            *place = digit;
            self.len += 1;
        }
    }

    /// A separator, if this is not the first number.
    fn separate(&mut self) {
        if self.len > 0 {
            self.push(10);
        }
    }

    /// A number below 100.
    fn number(&mut self, number: u16) {
        self.separate();
        if number > 9 {
            self.push((number / 10 % 10) as u8);
        }
        self.push((number % 10) as u8);
    }

    /// Writes the cells of regions 1 to 9, if each has nine; otherwise the result is not used.
    fn regions(&mut self, regions: &[u8]) {
        /// A separator and a cell's number, from 1; the last byte is their count.
        static CELLS: [[u8; 4]; 81] = {
            let mut table = [[10, 0, 0, 2]; 81];
            let mut cell = 0;
            while cell < 81 {
                let number = cell as u8 + 1;
                table[cell] = if number < 10 { [10, number, 0, 2] } else { [10, number / 10, number % 10, 3] };
                cell += 1;
            }
            table
        };
        let mut next: [u8; 16] = array::from_fn(|region| (region as u8).wrapping_sub(1).wrapping_mul(9));
        let mut order = [0_u8; 81];
        for (cell, region) in (0..).zip(regions) {
            let next = &mut next[usize::from(region & 15)];
            if let Some(place) = order.get_mut(usize::from(*next)) {
                *place = cell;
            }
            *next = next.wrapping_add(1);
        }
        let mut len = 0;
        for cell in order {
            let digits = &CELLS[usize::from(cell)];
            self.digits[len..][..4].copy_from_slice(digits);
            len += usize::from(digits[3]);
        }
        // The first separator is one too many.
        self.digits.copy_within(1..len, 0);
        self.len = len - 1;
    }

    /// The candidates of cells without a clue.
    fn candidates(&mut self, codes: impl Iterator<Item = u16>) {
        /// A separator and the digits of a mask; 0 of none. Last, how many there are.
        static LISTS: LazyLock<[[u8; 16]; 512]> = LazyLock::new(|| {
            let list = |mask: usize| {
                let (mut list, mut len) = ([0; 16], 1);
                list[0] = 10;
                for digit in (1..10).filter(|digit| mask >> (digit - 1) & 1 == 1) {
                    list[len] = digit;
                    len += 1;
                }
                list[15] = len.max(2) as u8;
                list
            };
            array::from_fn(list)
        });
        let lists: &[[u8; 16]; 512] = &LISTS;
        let mut len = 0;
        for code in codes {
            // As a whole: what is too much the next list overwrites. There are 81 at most, of ten digits.
            let list = &lists[usize::from(if code > 18 { (code - 18) & 511 } else { 0 })];
            self.digits[len..][..16].copy_from_slice(list);
            len += usize::from(list[15]);
        }
        // The first separator is one too many.
        self.digits.copy_within(1..len.max(1), 0);
        self.len = len.saturating_sub(1);
    }

    /// Writes a list; nothing, and false, if it has no numbers.
    fn finish(&mut self, out: &mut Text) -> bool {
        let any = self.len > 0;
        if any {
            self.write(Base::Eleven, out);
        }
        any
    }

    /// A list alone.
    fn finished(&mut self) -> Vec<u8> {
        let mut text = Text::new();
        self.finish(&mut text);
        text.as_slice().to_vec()
    }

    fn finish_clues(&mut self, out: &mut Text) {
        self.write(Base::Decimal, out);
    }

    fn write(&mut self, base: Base, out: &mut Text) {
        self.number.read_small(base, &self.digits[..self.len]);
        self.len = 0;
        let count = self.number.digits::<SixtyEight>(&mut self.text);
        let digits = &self.text[LONGEST - count..];
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count().min(count.saturating_sub(1));
        out.push(if digits.is_empty() { b"0" } else { &digits[zeros..] });
    }
}
