//! Represents one board in the form that the rules need: placed digits, houses and cages.

use std::fmt;

use super::batch::Batch;
use super::cell::{Cell, Mask};
use super::components::{components, region_labels};
use super::geometry::geometry;
use super::kind::{Cages, Kind, Side};

/// The name of a house: `row 3`, `region 12`, `window 1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HouseName(&'static str, u16);

impl fmt::Display for HouseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

/// n cells in which no digit repeats.
#[derive(Debug, Clone)]
pub struct House {
    /// Its name.
    pub name: HouseName,
    /// Its cells, from 0.
    pub cells: Vec<u16>,
}

/// The cells and contents of one cage.
#[derive(Debug, Clone)]
pub struct Cage {
    /// Its cells, from 0, in reading order.
    pub cells: Vec<u16>,
    /// The sum or clue; 0 for a cage of a killer without a sum.
    pub clue: u32,
    /// The operator: 1 add, 2 subtract, 3 multiply, 4 divide, or 0 for none.
    pub operator: u16,
}

/// One board of a batch, with everything that the rules of its kind need.
#[derive(Debug, Clone)]
pub struct RuledBoard {
    /// The kind.
    pub kind: Kind,
    /// The side.
    pub side: usize,
    /// The contents of each cell.
    pub cells: Vec<Cell>,
    /// The placed digit of each cell, or 0 for none.
    pub digits: Vec<u8>,
    /// Every house: rows, columns, boxes or regions, and any others of the kind or the board.
    pub houses: Vec<House>,
    /// Every cage.
    pub cages: Vec<Cage>,
    /// Region numbers as read; empty for kinds without regions.
    pub regions: Vec<u8>,
}

impl RuledBoard {
    /// Prepares board `board` of a batch.
    pub fn new(batch: &Batch, board: usize) -> Self {
        let shape = batch.shape();
        let (kind, side, count) = (shape.kind, shape.side.get(), shape.side.cells());
        let cells: Vec<Cell> = (0..count).map(|i| batch.cell(board, i)).collect();
        let digits: Vec<u8> = cells.iter().map(|cell| cell.digit()).collect();
        let row = board * batch.stride()..board * batch.stride() + count;
        let regions = if kind.has_regions() { batch.regions()[row.clone()].to_vec() } else { Vec::new() };
        let mut cages = Vec::new();
        if kind.has_cages() {
            let contents = &batch.contents()[row.clone()];
            cages = cells_by_label(&components(&batch.colours()[row], side), count)
                .into_iter()
                .map(|cells| Cage {
                    clue: contents[usize::from(cells[0])].into(),
                    operator: operator(kind, contents, &cells),
                    cells,
                })
                .collect();
        }
        let mut houses = fixed_houses(kind, shape.side);
        if kind.has_regions() {
            houses.extend(
                cells_by_label(&region_labels(&regions, side), count)
                    .into_iter()
                    .map(|cells| House { name: HouseName("region", regions[usize::from(cells[0])].into()), cells }),
            );
        }
        if let Some(groups) = batch.groups(board) {
            for (name, groups) in [("outlined group", &groups.outlined), ("coloured group", &groups.coloured)] {
                houses.extend(groups.iter().zip(1..).map(|(group, number)| House {
                    name: HouseName(name, number),
                    cells: group.iter().map(|&cell| cell.into()).collect(),
                }));
            }
        }
        Self { kind, side, cells, digits, houses, cages, regions }
    }

    /// For each cell, the digits placed in its houses, and in its cage if digits must not repeat there. They include
    /// the cell's own digit.
    pub fn digits_in_houses(&self) -> Vec<Mask> {
        let mut seen = vec![0; self.cells.len()];
        let sums = self.kind.rules().cages == Cages::Sums;
        let cages = self.cages.iter().filter(|_| sums).map(|cage| &cage.cells);
        for cells in self.houses.iter().map(|house| &house.cells).chain(cages) {
            let union = cells.iter().fold(0, |union, &cell| union | bit(self.digits[usize::from(cell)]));
            cells.iter().for_each(|&cell| seen[usize::from(cell)] |= union);
        }
        seen
    }

    /// The mask of all digits.
    pub fn full(&self) -> Mask {
        (1 << self.side) - 1
    }

    /// The white runs of every line (and diagonal, if the kind has them), each with the cells of its line. Lines
    /// without a black cell have none.
    pub fn runs(&self) -> Vec<(&'static [u16], Vec<u16>)> {
        let (rules, side) = (self.kind.rules(), Side::new(self.side));
        let Some(table) = side.filter(|_| rules.straights).map(geometry) else { return Vec::new() };
        let diagonals = if rules.houses.diagonals { &table.diagonals[..] } else { &[] };
        let black = |cell: &u16| self.cells[usize::from(*cell)].is_black();
        let lines = table.lines.iter().chain(diagonals).map(Vec::as_slice);
        lines
            .flat_map(|line| line.split(black).filter(|run| !run.is_empty()).map(move |run| (line, run.to_vec())))
            .collect()
    }
}

/// The bit of a digit, or no bit for 0.
pub fn bit(digit: u8) -> Mask {
    if digit == 0 { 0 } else { 1 << (digit - 1) }
}

/// The houses that all boards of a kind have.
fn fixed_houses(kind: Kind, side: Side) -> Vec<House> {
    let (table, n) = (geometry(side), side.get());
    let rules = kind.rules();
    let mut houses = Vec::new();
    let mut add = |have: bool, name: &'static str, groups: &[Vec<u16>]| {
        let groups = groups.iter().filter(|_| have).zip(1..);
        houses.extend(groups.map(|(group, number)| House { name: HouseName(name, number), cells: group.clone() }));
    };
    add(true, "row", &table.lines[..n]);
    add(true, "column", &table.lines[n..]);
    add(rules.houses.boxes, "box", &table.boxes);
    add(rules.houses.diagonals, "diagonal", &table.diagonals);
    add(rules.houses.windows, "window", &table.windows);
    add(rules.houses.colours, "colour group", &table.colours);
    houses
}

/// The lists of cells with equal labels, ordered by their first cells, each in reading order.
fn cells_by_label(labels: &[u16; 625], count: usize) -> Vec<Vec<u16>> {
    let mut position = [usize::MAX; 626];
    let mut parts: Vec<Vec<u16>> = Vec::new();
    for (cell, &label) in labels[..count].iter().enumerate() {
        let position = &mut position[usize::from(label)];
        if *position == usize::MAX {
            *position = parts.len();
            parts.push(Vec::new());
        }
        parts[*position].push(cell as u16);
    }
    parts
}

/// The operator of a cage: the content of its only other cell that has one.
fn operator(kind: Kind, contents: &[u16], cells: &[u16]) -> u16 {
    if !kind.has_operators() {
        return 0;
    }
    cells[1..].iter().map(|&cell| contents[usize::from(cell)]).find(|&content| content != 0).unwrap_or(0)
}
