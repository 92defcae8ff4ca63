//! Writes strings in canonical form: without leading zeros, trailing `|` and the plain layout.

use std::array;
use std::sync::{LazyLock, OnceLock};

use super::radix::{DIGITS, Number, SixtyEight, SourceRadix};
use crate::board::{Batch, Kind, Side, geometry};
use crate::formats::{StringsOut, text::Text};
use crate::kernels::{ROW9, all_bits};

/// The maximum length of a string: clues, candidates, layout, twice 81 groups, and separators.
const MAX_LENGTH: usize = 45 + 470 + 6 + 2 * 1260 + 4;

/// The layout of a plain sudoku without boxes, which jigsaws have.
pub(super) const BOXLESS_LAYOUT: [u16; 5] = [9, 9, 0, 1, 0];

/// The groups that every board of a kind has, as canonical text and as cells in the same order.
struct CanonicalGroups {
    kind: Kind,
    text: Vec<u8>,
    groups: Vec<[u8; 9]>,
}

/// Returns the groups of the kinds that have fixed groups: the diagonals in the order of the published example, windows
/// and colour groups in the order of their first cells.
fn canonical_groups() -> &'static [CanonicalGroups; 3] {
    static GROUPS: OnceLock<[CanonicalGroups; 3]> = OnceLock::new();
    GROUPS.get_or_init(|| {
        let table = geometry(Side::NINE);
        let [down, up] = &table.diagonals;
        let up_and_down = [up.clone(), down.clone()];
        let groups: [(Kind, &[Vec<u16>]); 3] =
            [(Kind::SudokuX, &up_and_down), (Kind::Windoku, &table.windows), (Kind::ColourSudoku, &table.colours)];
        groups.map(|(kind, groups)| {
            let mut writer = PartWriter::new();
            groups.iter().flatten().for_each(|&cell| writer.push_number(cell + 1));
            let groups = groups.iter().map(|group| array::from_fn(|i| group[i] as u8)).collect();
            CanonicalGroups { kind, text: writer.finish_alone(), groups }
        })
    })
}

/// Returns the kind whose groups have this text.
pub(super) fn kind_of_canonical_groups(text: &[u8]) -> Option<Kind> {
    canonical_groups().iter().find(|canonical| canonical.text == text).map(|canonical| canonical.kind)
}

/// Returns the cells of the groups that have this text, if it is the canonical text of a kind.
pub(super) fn cells_of_canonical_groups(text: &[u8]) -> Option<&'static [[u8; 9]]> {
    canonical_groups().iter().find(|canonical| canonical.text == text).map(|canonical| &canonical.groups[..])
}

/// Whether a layout is the canonical text of a jigsaw's layout.
pub(super) fn is_canonical_boxless_layout(text: &[u8]) -> bool {
    static TEXT: OnceLock<Vec<u8>> = OnceLock::new();
    let canonical = TEXT.get_or_init(|| {
        let mut writer = PartWriter::new();
        BOXLESS_LAYOUT.iter().for_each(|&number| writer.push_number(number));
        writer.finish_alone()
    });
    text == canonical
}

/// Writes boards; see [`crate::formats::Codec::encode`].
pub(super) fn encode(kind: Kind, batch: &Batch, out: StringsOut<'_>) -> u64 {
    let StringsOut { text, gap, ends } = out;
    let mut lossless = all_bits(batch.len());
    let mut writer = PartWriter::new();
    for (i, codes) in batch.codes16().chunks_exact(ROW9).enumerate() {
        let codes = &codes[..81];
        let solved = codes.iter().fold(false, |solved, &code| solved | (10..=18).contains(&code));
        let has_regions = kind != Kind::Jigsaw || has_nine_regions_of_nine(batch, i);
        lossless &= !(u64::from(solved || !has_regions) << i);
        encode_one(kind, batch, i, &mut writer, text);
        ends[i] = text.len();
        text.room(gap);
        text.advance(gap);
    }
    lossless
}

fn encode_one(kind: Kind, batch: &Batch, board: usize, writer: &mut PartWriter, out: &mut Text) {
    let codes = &batch.codes16()[board * ROW9..][..81];
    writer.clues(codes);
    writer.finish_clues(out);
    // Separators are written before a part that is not empty, so that none is left at the end.
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
            BOXLESS_LAYOUT.iter().for_each(|&number| writer.push_number(number));
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
            outlined.iter().flatten().for_each(|&cell| writer.push_number(u16::from(cell) + 1));
        }
        writer.finish(out)
    });
    part(out, &mut |out| {
        let coloured = groups.map_or(&[][..], |groups| &groups.coloured);
        if coloured.is_empty()
            && let Some(canonical) = canonical_groups().iter().find(|canonical| canonical.kind == kind)
        {
            out.push(&canonical.text);
            return true;
        }
        coloured.iter().flatten().for_each(|&cell| writer.push_number(u16::from(cell) + 1));
        writer.finish(out)
    });
}

/// Whether each region number from 1 to 9 occurs nine times.
pub(super) fn has_nine_regions_of_nine(batch: &Batch, board: usize) -> bool {
    let mut counts = [0; 256];
    batch.regions()[board * ROW9..][..81].iter().for_each(|&region| counts[region as usize] += 1);
    counts[1..=9] == [9; 9]
}

/// Collects the digits of a part, and writes the part.
struct PartWriter {
    number: Number,
    digits: [u8; DIGITS],
    len: usize,
    text: [u8; MAX_LENGTH],
}

impl PartWriter {
    fn new() -> Self {
        Self { number: Number::new(), digits: [0; DIGITS], len: 0, text: [0; MAX_LENGTH] }
    }

    /// Takes the clues as one number of 81 decimal digits.
    fn clues(&mut self, codes: &[u16]) {
        for (digit, &code) in self.digits.iter_mut().zip(codes) {
            *digit = if code < 10 { code as u8 } else { 0 };
        }
        self.len = 81;
    }

    fn push(&mut self, digit: u8) {
        // The digits of a board always fit: 81 lists of ten digits, or 162 groups of nine numbers of three digits.
        if let Some(place) = self.digits.get_mut(self.len) {
            *place = digit;
            self.len += 1;
        }
    }

    /// Appends a separator, unless this is the first number.
    fn separate(&mut self) {
        if self.len > 0 {
            self.push(10);
        }
    }

    /// Appends a number below 100.
    fn push_number(&mut self, number: u16) {
        self.separate();
        if number > 9 {
            self.push((number / 10 % 10) as u8);
        }
        self.push((number % 10) as u8);
    }

    /// Takes the cells of regions 1 to 9, if each has nine cells; otherwise the result is not used.
    fn regions(&mut self, regions: &[u8]) {
        /// For each cell, a separator and the digits of its number, counted from 1. The last byte is their count.
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
        // Remove the first separator.
        self.digits.copy_within(1..len, 0);
        self.len = len - 1;
    }

    /// Takes the candidates of the cells without a clue.
    fn candidates(&mut self, codes: impl Iterator<Item = u16>) {
        /// For each mask, a separator and the digits of the mask, or 0 if it is empty. The last byte is their count.
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
            // Copies all 16 bytes; the next list overwrites the excess. There are at most 81 lists of ten digits.
            let list = &lists[usize::from(if code > 18 { (code - 18) & 511 } else { 0 })];
            self.digits[len..][..16].copy_from_slice(list);
            len += usize::from(list[15]);
        }
        // Remove the first separator.
        self.digits.copy_within(1..len.max(1), 0);
        self.len = len.saturating_sub(1);
    }

    /// Writes a list. Returns false, and writes nothing, if the list has no numbers.
    fn finish(&mut self, out: &mut Text) -> bool {
        let any = self.len > 0;
        if any {
            self.write(SourceRadix::Eleven, out);
        }
        any
    }

    /// Returns the text of a list.
    fn finish_alone(&mut self) -> Vec<u8> {
        let mut text = Text::new();
        self.finish(&mut text);
        text.as_slice().to_vec()
    }

    fn finish_clues(&mut self, out: &mut Text) {
        self.write(SourceRadix::Decimal, out);
    }

    fn write(&mut self, radix: SourceRadix, out: &mut Text) {
        self.number.read_digits(radix, &self.digits[..self.len]);
        self.len = 0;
        let count = self.number.digits::<SixtyEight>(&mut self.text);
        let digits = &self.text[MAX_LENGTH - count..];
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count().min(count.saturating_sub(1));
        out.push(if digits.is_empty() { b"0" } else { &digits[zeros..] });
    }
}
