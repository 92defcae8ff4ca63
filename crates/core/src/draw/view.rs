//! One board in the form that all drawings need: cells, houses and cages.

use crate::board::{Batch, Cell, Labels, Shape, components, geometry, region_labels};

/// One board of a batch.
pub(super) struct BoardView {
    pub shape: Shape,
    /// In reading order.
    pub cells: Vec<Cell>,
    /// The box or region of each cell, if the kind has them.
    pub areas: Option<Vec<u16>>,
    /// The cage of each cell as an index of `cages`, if the kind has them.
    pub cage_of: Option<Vec<u16>>,
    /// In the order of their first cells.
    pub cages: Vec<DrawnCage>,
    /// Houses beyond rows, columns, boxes, regions and cages.
    pub extras: Vec<Extra>,
}

/// A cage of killer or KenKen.
pub(super) struct DrawnCage {
    /// In reading order.
    pub cells: Vec<usize>,
    pub colour: u8,
    /// 0 for a cage without a sum.
    pub clue: u16,
    /// One of `+ - x /`.
    pub operator: Option<char>,
}

/// A house beyond rows, columns, boxes, regions and cages.
pub(super) struct Extra {
    pub origin: ExtraOrigin,
    pub cells: Vec<usize>,
}

/// Where an extra house comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExtraOrigin {
    Diagonal,
    Window,
    Colour,
    Outlined,
    Coloured,
}

impl BoardView {
    pub(super) fn new(batch: &Batch, board: usize) -> Self {
        assert!(board < batch.len(), "board {board} of a batch of {}", batch.len());
        let shape = batch.shape();
        let (kind, side, cells) = (shape.kind, shape.side.get(), shape.side.cells());
        let row = board * batch.stride()..board * batch.stride() + cells;
        let areas = if kind.has_regions() {
            Some(region_labels(&batch.regions()[row.clone()], side)[..cells].to_vec())
        } else if kind.rules().houses.boxes && shape.side.box_shape().is_some() {
            Some(geometry(shape.side).box_of.iter().map(|&b| b.into()).collect())
        } else {
            None
        };
        let (mut cages, mut cage_of) = (Vec::new(), None);
        if kind.has_cages() {
            let (colours, contents) = (&batch.colours()[row.clone()], &batch.contents()[row]);
            let labels = components(colours, side);
            cages = read_cages(&labels, colours, contents, shape);
            let mut index = vec![0; cells];
            for (k, cage) in (0..).zip(&cages) {
                cage.cells.iter().for_each(|&i| index[i] = k);
            }
            cage_of = Some(index);
        }
        let cells = (0..cells).map(|i| batch.cell(board, i)).collect();
        Self { shape, cells, areas, cage_of, cages, extras: extras(batch, board) }
    }

    pub(super) fn side(&self) -> usize {
        self.shape.side.get()
    }

    /// Whether thick borders are those of cages, because there are no boxes or regions (KenKen).
    pub(super) fn cages_are_areas(&self) -> bool {
        self.cage_of.is_some() && self.areas.is_none()
    }

    pub(super) fn has_candidates(&self) -> bool {
        self.cells.iter().any(|cell| matches!(cell, Cell::Candidates(_)))
    }

    /// Whether givens and solved cells must be distinguished.
    pub(super) fn has_clues_and_solved(&self) -> bool {
        let any = |is: fn(&Cell) -> bool| self.cells.iter().any(is);
        any(|cell| matches!(cell, Cell::Clue(_))) && any(|cell| matches!(cell, Cell::Solved(_)))
    }

    /// The extra houses of each cell, as indices of `extras`.
    pub(super) fn extras_of(&self) -> Vec<Vec<usize>> {
        let mut of = vec![Vec::new(); self.cells.len()];
        for (k, extra) in self.extras.iter().enumerate() {
            extra.cells.iter().for_each(|&i| of[i].push(k));
        }
        of
    }
}

/// The number of columns in a cell's block of candidates.
pub(super) fn candidate_columns(side: usize) -> usize {
    match side {
        4 => 2,
        16 => 4,
        25 => 5,
        _ => 3,
    }
}

/// The digits of a candidate set, ascending.
pub(super) fn digits(mask: u32) -> impl Iterator<Item = usize> {
    (1..=32).filter(move |d| mask >> (d - 1) & 1 == 1)
}

fn read_cages(labels: &Labels, colours: &[u8], contents: &[u16], shape: Shape) -> Vec<DrawnCage> {
    let side = shape.side.get();
    let mut members = vec![Vec::new(); colours.len()];
    (0..colours.len()).for_each(|i| members[labels[i] as usize].push(i));
    let cage = |cells: Vec<usize>| {
        let first = cells[0];
        // The cell to the right of the first if it is in the cage, or else the one below (docs/FORMATS.md, "KenKen cage
        // content").
        let place =
            cells.iter().find(|&&i| i == first + 1 && i % side != 0).or(cells.iter().find(|&&i| i == first + side));
        let operator = place.filter(|_| shape.kind.has_operators()).and_then(|&i| match contents[i] {
            1 => Some('+'),
            2 => Some('-'),
            3 => Some('x'),
            4 => Some('/'),
            _ => None,
        });
        DrawnCage { colour: colours[first], clue: contents[first], operator, cells }
    };
    members.into_iter().filter(|cells| !cells.is_empty()).map(cage).collect()
}

fn extras(batch: &Batch, board: usize) -> Vec<Extra> {
    let shape = batch.shape();
    let (rules, table) = (shape.kind.rules(), geometry(shape.side));
    let mut extras = Vec::new();
    let mut add = |origin, have: bool, houses: &[Vec<u16>]| {
        for house in houses.iter().filter(|_| have) {
            extras.push(Extra { origin, cells: house.iter().map(|&i| i.into()).collect() });
        }
    };
    add(ExtraOrigin::Diagonal, rules.houses.diagonals, &table.diagonals);
    add(ExtraOrigin::Window, rules.houses.windows, &table.windows);
    add(ExtraOrigin::Colour, rules.houses.colours, &table.colours);
    if let Some(groups) = batch.groups(board).filter(|groups| !groups.implied_by(shape.kind)) {
        for (origin, list) in [(ExtraOrigin::Outlined, &groups.outlined), (ExtraOrigin::Coloured, &groups.coloured)] {
            for group in list {
                let cells = group.iter().map(|&i| usize::from(i)).filter(|&i| i < shape.side.cells()).collect();
                extras.push(Extra { origin, cells });
            }
        }
    }
    extras
}
