//! Packs the fields of a v2 cell into one value. Each field is stored minus its lower bound, in the fewest bits that
//! hold its range. The number of characters depends on the largest value, with every field at its maximum, and not on
//! the number of bits.

use super::str8ts_layouts;
use crate::board::{Cages, Shape};
use crate::formats::Layout;

/// The fields of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct FieldValues {
    /// The region number 1 to n, or 0 for kinds without regions.
    pub region: u32,
    /// The cage colour 1 to 5, or 0 for kinds without cages.
    pub colour: u32,
    /// The cage content.
    pub content: u32,
    /// The cell code.
    pub code: u32,
}

/// The size of one field: its largest stored value and its number of bits. Both are 0 if the kind does not have this
/// field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PackedField {
    pub(super) high: u32,
    pub(super) bits: u32,
}

impl PackedField {
    const fn new(high: u32) -> Self {
        Self { high, bits: u32::BITS - high.leading_zeros() }
    }
}

/// The sizes of the fields of a shape, most significant first: region, colour, content, code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldSizes {
    pub(super) region: PackedField,
    pub(super) colour: PackedField,
    pub(super) content: PackedField,
    pub(super) code: PackedField,
    /// The largest value of a cell.
    pub max: u64,
    /// The number of characters of a cell.
    pub width: usize,
}

impl FieldSizes {
    /// Returns the fields of a shape. For Str8ts, codes are those of the layout `spec`.
    pub(super) fn of(shape: Shape) -> Self {
        let n = shape.side.get() as u32;
        let (region, colour, content) = (
            if shape.kind.has_regions() { PackedField::new(n - 1) } else { PackedField::default() },
            if shape.kind.has_cages() { PackedField::new(4) } else { PackedField::default() },
            match shape.kind.rules().cages {
                Cages::None => PackedField::default(),
                Cages::Sums => PackedField::new(n * (n + 1) / 2),
                Cages::Arithmetic => PackedField::new((n * n * n * (n - 1) * (n - 2)).min(2047)),
            },
        );
        let code = PackedField::new(shape.codes().max());
        let mut fields = Self { region, colour, content, code, max: 0, width: 0 };
        fields.max = fields.join(&FieldValues {
            region: region.high + 1,
            colour: colour.high + 1,
            content: content.high,
            code: code.high,
        });
        fields.width = 1 + fields.max.ilog(36) as usize;
        fields
    }

    /// Returns the fields of a shape in a Str8ts layout, which may have another largest code. The width is the same.
    pub(super) fn in_layout(shape: Shape, layout: Layout) -> Self {
        let mut fields = Self::of(shape);
        if shape.kind.has_black() {
            fields.code = PackedField::new(str8ts_layouts::max(layout, shape.side));
            fields.max = fields.code.high.into();
        }
        fields
    }

    /// Whether cells have only a code.
    pub(super) fn only_code(&self) -> bool {
        u64::from(self.code.high) == self.max
    }

    /// Packs the fields of a cell into a value.
    pub(super) fn join(&self, cell: &FieldValues) -> u64 {
        let mut value = 0;
        for (field, stored) in [
            (self.region, cell.region.wrapping_sub(1)),
            (self.colour, cell.colour.wrapping_sub(1)),
            (self.content, cell.content),
            (self.code, cell.code),
        ] {
            if field.bits > 0 {
                value = value << field.bits | u64::from(stored);
            }
        }
        value
    }

    /// Unpacks a value of at most [`FieldSizes::max`]. The fields can be out of range.
    pub(super) fn split(&self, mut value: u64) -> FieldValues {
        let mut take = |field: PackedField| {
            let stored = value & ((1 << field.bits) - 1);
            value >>= field.bits;
            stored as u32
        };
        let (code, content) = (take(self.code), take(self.content));
        let (colour, region) = (take(self.colour), take(self.region));
        FieldValues {
            region: if self.region.bits > 0 { region + 1 } else { 0 },
            colour: if self.colour.bits > 0 { colour + 1 } else { 0 },
            content,
            code,
        }
    }

    /// Whether every field is in its range.
    pub(super) fn within(&self, cell: &FieldValues) -> bool {
        self.fault(cell).is_none()
    }

    /// Returns the first field that is out of its range, most significant first: its name, its value, and its largest
    /// allowed value.
    pub(super) fn fault(&self, cell: &FieldValues) -> Option<(&'static str, u32, u32)> {
        [
            ("region", cell.region, self.region.high + u32::from(self.region.bits > 0)),
            ("cage colour", cell.colour, self.colour.high + u32::from(self.colour.bits > 0)),
            ("cage content", cell.content, self.content.high),
            ("cell code", cell.code, self.code.high),
        ]
        .into_iter()
        .find(|(_, value, high)| value > high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Kind, Side};

    /// The table of widths for each kind and side.
    #[test]
    fn widths_are_those_of_the_largest_value() {
        let check = |kinds: &[Kind], widths: &[(usize, usize)]| {
            for &kind in kinds {
                for &(side, width) in widths {
                    let shape = Shape::new(kind, Side::new(side).unwrap());
                    assert_eq!(FieldSizes::of(shape).width, width, "{kind} {side}");
                }
            }
        };
        let single = [(6, 2), (8, 2), (9, 2), (16, 4), (25, 5)];
        check(&[Kind::Sudoku, Kind::SudokuX, Kind::Windoku, Kind::ColourSudoku, Kind::Str8ts, Kind::Str8tsBX], &single);
        check(&[Kind::Jigsaw], &[(6, 2), (8, 3), (9, 3), (16, 5), (25, 6)]);
        check(&[Kind::Killer], &[(6, 3), (8, 4), (9, 4), (16, 6), (25, 8)]);
        check(&[Kind::KillerJigsaw], &[(6, 4), (8, 5), (9, 5), (16, 7), (25, 9)]);
        for (side, _) in single {
            let shape = Shape::new(Kind::Str8ts, Side::new(side).unwrap());
            for layout in [Layout::Site, Layout::First, Layout::Nine] {
                let fields = FieldSizes::in_layout(shape, layout);
                assert_eq!(1 + fields.max.ilog(36) as usize, fields.width, "{side} {layout}");
            }
        }
        check(&[Kind::KenDoku], &[(6, 4), (8, 5), (9, 5), (16, 6), (25, 8)]);
        check(&[Kind::KenKen], &[(3, 3), (4, 4), (5, 4), (6, 4), (7, 5), (8, 5), (9, 5), (16, 6), (25, 8)]);
    }
}
