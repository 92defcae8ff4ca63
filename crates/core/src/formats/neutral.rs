//! The neutral board: what formats of other programs say about a puzzle, before it is known whether some kind has all of it.
//!
//! Their readers fill in a [`NeutralBoard`], which then becomes a board of the kind that has exactly these rules, or is refused
//! with the names of everything that no kind has. Writers get the parts of a board from [`cages_of`] and [`regions_of`].

use std::collections::BTreeSet;

use super::losses::{Loss, Losses};
use super::names::Names;
use super::notation::OneBoard;
use crate::board::{Batch, Cell, Colourer, Geometry, Kind, Mask, Shape, Side, components, geometry};
use crate::error::{Code, Reject, escape};

/// The largest side of a neutral board.
pub(super) const LARGEST: usize = 36;

/// The most names that a refusal lists, and the most characters of a name.
const MOST_NAMES: usize = 40;
const MOST_OF_A_NAME: usize = 60;

/// What is in a cell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NeutralCell {
    /// A clue, or 0.
    pub(super) given: u8,
    /// A digit that a player has placed, or 0.
    pub(super) solved: u8,
    /// Candidates: notes in the middle of the cell.
    pub(super) centre: Mask,
    /// Whether there are notes in the corners.
    pub(super) has_corner_notes: bool,
}

/// What the regions of a board are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NeutralRegions {
    /// The boxes that boards of this side have.
    Boxes,
    /// There are none, only rows and columns.
    None,
    /// A number for each cell, with no meaning but that equal ones are a region; `None` for a cell in no region.
    Numbers(Vec<Option<u16>>),
}

/// A cage.
#[derive(Debug, Clone)]
pub(super) struct NeutralCage {
    /// Its cells, in any order.
    pub(super) cells: Vec<u16>,
    /// Its sum or clue, if it has one.
    pub(super) clue: Option<u32>,
    /// Its operator as in version 2: 1 `+`, 2 `-`, 3 `x`, 4 `/`; 0 for none.
    pub(super) operator: u16,
}

/// Rules besides rows, columns, regions and cages.
#[derive(Debug, Default)]
pub(super) struct FurtherHouses {
    /// The diagonals that rise and fall to the right.
    pub(super) rising: bool,
    /// See `rising`.
    pub(super) falling: bool,
    /// Cells in the same place of their boxes.
    pub(super) disjoint: bool,
    /// The four windows.
    pub(super) windows: bool,
    /// Other groups of cells.
    pub(super) groups: Vec<Vec<u16>>,
}

/// A board of any rules.
#[derive(Debug)]
pub(super) struct NeutralBoard {
    pub(super) side: usize,
    pub(super) cells: Vec<NeutralCell>,
    pub(super) regions: NeutralRegions,
    pub(super) cages: Vec<NeutralCage>,
    /// Whether cages have operators, and cells need no regions.
    pub(super) arithmetic: bool,
    pub(super) further: FurtherHouses,
    /// The names of rules that no kind has.
    unsupported: BTreeSet<String>,
    /// Losses of the whole board.
    losses: Losses,
    names: Names,
}

impl NeutralBoard {
    /// An empty board with boxes.
    ///
    /// # Errors
    /// No program has boards of such a side.
    pub(super) fn new(side: usize) -> Result<Self, Reject> {
        if !(1..=LARGEST).contains(&side) {
            return Err(Reject::whole(Code::Range, format!("{side} is not the side of a board")));
        }
        Ok(Self {
            side,
            cells: vec![NeutralCell::default(); side * side],
            regions: NeutralRegions::Boxes,
            cages: Vec::new(),
            arithmetic: false,
            further: FurtherHouses::default(),
            unsupported: BTreeSet::new(),
            losses: Losses::default(),
            names: Names::default(),
        })
    }

    /// Notes a rule that no kind has.
    pub(super) fn refuse(&mut self, name: impl Into<String>) {
        if self.unsupported.len() < MOST_NAMES {
            self.unsupported.insert(shown_name(&name.into()));
        }
    }

    /// Notes something that is lost.
    pub(super) fn lose(&mut self, loss: Loss) {
        self.losses.add(loss);
    }

    /// Takes the title of a puzzle, unless it is empty.
    pub(super) fn take_title(&mut self, text: &str) {
        if !text.is_empty() {
            self.lose(Loss::Title);
            self.names.title.add(text);
        }
    }

    /// Takes the name of an author, or a source, unless it is empty.
    pub(super) fn take_author(&mut self, text: &str) {
        if !text.is_empty() {
            self.lose(Loss::Author);
            self.names.author.add(text);
        }
    }

    /// Takes the text of the rules, which is a loss unless it says nothing.
    pub(super) fn take_rules(&mut self, text: &str) {
        if !is_normal(text) {
            self.lose(Loss::Rules);
        }
    }

    /// Makes it a board of the kind that has its rules.
    ///
    /// # Errors
    /// `range` if something is outside the board, `unsupported` if no kind has its rules.
    pub(super) fn into_board(mut self) -> Result<OneBoard, Reject> {
        self.check_range()?;
        let shape = self.find_shape();
        let (Some(shape), true) = (shape, self.unsupported.is_empty()) else {
            return Err(Reject::unsupported(self.unsupported.into_iter().collect::<Vec<_>>()));
        };
        let mut batch = Batch::new();
        batch.reset(shape, 1);
        self.fill_cells(&mut batch);
        if let NeutralRegions::Numbers(numbers) = &self.regions
            && shape.kind.has_regions()
        {
            batch.regions_mut()[..numbers.len()].copy_from_slice(&renumbered(numbers));
        }
        if shape.kind.has_cages() {
            self.fill_cages(&mut batch);
        }
        Ok(OneBoard { batch, losses: self.losses, names: self.names })
    }

    /// Checks digits and cells.
    fn check_range(&self) -> Result<(), Reject> {
        for (at, cell) in self.cells.iter().enumerate() {
            let digit = usize::from(cell.given.max(cell.solved));
            if digit > self.side || u64::from(cell.centre) >> self.side != 0 {
                let words = if digit > self.side { format!("the digit {digit}") } else { "a candidate".to_string() };
                let words = format!("{words} is above {0} on a board of side {0}", self.side);
                return Err(Reject::at(Code::Range, at, self.side, words));
            }
        }
        let mut cells = self.cages.iter().flat_map(|cage| &cage.cells).chain(self.further.groups.iter().flatten());
        match cells.find(|&&cell| usize::from(cell) >= self.cells.len()) {
            Some(_) => Err(Reject::whole(Code::Range, "a cell of a cage or group is outside the board")),
            None => Ok(()),
        }
    }

    /// Finds the kind and the side. What no kind has is noted.
    fn find_shape(&mut self) -> Option<Shape> {
        self.settle_regions();
        self.settle_groups();
        self.check_cages();
        let FurtherHouses { rising, falling, disjoint, windows, .. } = self.further;
        if rising != falling {
            self.refuse("one diagonal only");
        }
        let further = [(rising && falling, "diagonals", Kind::SudokuX), (windows, "windows", Kind::Windoku)];
        let further = further.into_iter().chain([(disjoint, "disjoint groups", Kind::ColourSudoku)]);
        let further: Vec<_> = further.filter(|further| further.0).collect();
        let (has_cages, has_regions) = (!self.cages.is_empty(), matches!(self.regions, NeutralRegions::Numbers(_)));
        let others = [(has_cages, "cages"), (has_regions, "regions")].into_iter().filter(|other| other.0);
        let rules: Vec<_> = further.iter().map(|further| further.1).chain(others.map(|other| other.1)).collect();
        if rules.len() > 1 && (rules != ["cages", "regions"] || self.arithmetic) {
            self.refuse(format!("the combination of {}", rules.join(" and ")));
        }
        let kind = match (&self.regions, has_cages) {
            (NeutralRegions::None, _) if self.arithmetic => Kind::KenKen,
            (NeutralRegions::Boxes, _) if self.arithmetic => Kind::KenDoku,
            (NeutralRegions::Numbers(_), _) if self.arithmetic => Kind::KenKen,
            (NeutralRegions::None, true) => {
                self.refuse("cages without boxes");
                Kind::Killer
            }
            (NeutralRegions::None, false) => {
                self.refuse("no boxes (latin square)");
                Kind::Sudoku
            }
            (NeutralRegions::Boxes, true) => Kind::Killer,
            (NeutralRegions::Numbers(_), true) => Kind::KillerJigsaw,
            (NeutralRegions::Numbers(_), false) => Kind::Jigsaw,
            (NeutralRegions::Boxes, false) => further.first().map_or(Kind::Sudoku, |further| further.2),
        };
        let side = Side::new(self.side).filter(|side| kind.rules().sides.contains(&(side.get() as u8)));
        if side.is_none() {
            self.refuse(format!("side {}", self.side));
        }
        side.map(|side| Shape::new(kind, side))
    }

    /// Checks numbers of regions, and makes those of the boxes boxes.
    fn settle_regions(&mut self) {
        let NeutralRegions::Numbers(numbers) = &self.regions else { return };
        if numbers.iter().all(Option::is_none) {
            self.regions = NeutralRegions::None;
            return;
        }
        let has_none = numbers.iter().any(Option::is_none);
        let new = renumbered(numbers);
        let mut sizes = [0; 256];
        new.iter().for_each(|number| sizes[usize::from(*number)] += 1);
        let is_even = sizes[1..=self.side].iter().all(|size| *size == self.side);
        let is_boxes = boxes_of(self.side).into_iter().map(|number| number + 1).eq(new.iter().copied());
        if has_none {
            self.refuse("cells without a region");
        }
        if !is_even {
            self.refuse("regions of other sizes");
        }
        if is_boxes && !has_none {
            self.regions = NeutralRegions::Boxes;
        }
    }

    /// Recognises the windows among the groups. Others are refused.
    fn settle_groups(&mut self) {
        if self.further.groups.is_empty() {
            return;
        }
        let sorted = |group: &[u16]| {
            let mut group = group.to_vec();
            group.sort_unstable();
            group.dedup();
            group
        };
        let mut groups: BTreeSet<Vec<u16>> = self.further.groups.iter().map(|group| sorted(group)).collect();
        let windows: Vec<_> = geometry(Side::NINE).windows.iter().map(|window| sorted(window)).collect();
        if self.side == 9 && windows.iter().all(|window| groups.contains(window)) {
            windows.iter().for_each(|window| _ = groups.remove(window));
            self.further.windows = true;
        }
        if !groups.is_empty() {
            self.refuse("extra regions");
        }
    }

    /// Notes what no kind has of the cages. Those of killers are sorted, and cells in none get cages of their own.
    fn check_cages(&mut self) {
        let n = self.side;
        self.cages.retain(|cage| !cage.cells.is_empty());
        if self.cages.is_empty() {
            if self.arithmetic {
                self.refuse("cells outside cages");
                self.refuse("cages without a clue");
            }
            return;
        }
        self.cages.iter_mut().for_each(|cage| cage.cells.sort_unstable());
        let mut owners = vec![0_usize; n * n];
        self.cages.iter().flat_map(|cage| &cage.cells).for_each(|&cell| owners[usize::from(cell)] += 1);
        let (overlap, uncaged) = (owners.iter().any(|&owners| owners > 1), owners.contains(&0));
        let most = match self.arithmetic {
            true => (n as u64).pow(3).saturating_mul(n.saturating_sub(1) as u64 * n.saturating_sub(2) as u64).min(2047),
            false => (n * (n + 1) / 2) as u64,
        };
        let clues: Vec<_> = self.cages.iter().map(|cage| cage.clue).collect();
        let is_out = |clue: &Option<u32>| clue.is_some_and(|clue| u64::from(clue) > most || clue == 0);
        let has_pieces = !overlap && self.cages.iter().any(|cage| !is_connected(&cage.cells, n));
        if overlap {
            self.refuse("overlapping cages");
        }
        if has_pieces {
            self.refuse("cages in several pieces");
        }
        if self.arithmetic && uncaged {
            self.refuse("cells outside cages");
        }
        if clues.iter().any(is_out) {
            self.refuse(if self.arithmetic {
                format!("cage clues above {most}")
            } else {
                "cage sums out of range".into()
            });
        }
        if self.arithmetic && clues.contains(&None) {
            self.refuse("cages without a clue");
        }
        if self.arithmetic && self.cages.iter().any(|cage| cage.cells.len() > 1 && cage.operator == 0) {
            self.refuse("cages without an operator");
        }
        if !self.arithmetic {
            let uncaged = (0..).zip(&owners).filter(|(_, owners)| **owners == 0);
            self.cages.extend(uncaged.map(|(cell, _)| NeutralCage { cells: vec![cell], clue: None, operator: 0 }));
        }
        self.cages.sort_by_key(|cage| cage.cells[0]);
    }

    fn fill_cells(&mut self, batch: &mut Batch) {
        let codes = batch.shape().codes();
        for (at, cell) in self.cells.iter().enumerate() {
            let digit = cell.given.max(cell.solved);
            let content = match (cell.given, digit, cell.centre) {
                (given @ 1.., _, _) => Cell::Clue(given),
                (_, solved @ 1.., _) => Cell::Solved(solved),
                (_, _, 0) => Cell::Empty,
                (_, _, candidates) => Cell::Candidates(candidates),
            };
            batch.set_code(0, at, codes.write(content));
            if cell.has_corner_notes {
                self.losses.add_cell(Loss::CornerNotes, at);
            }
            if digit != 0 && cell.centre != 0 {
                self.losses.add_cell(Loss::HiddenNotes, at);
            }
        }
    }

    /// Fills in cages, of which every cell is in one, in the order of their first cells.
    fn fill_cages(&self, batch: &mut Batch) {
        let n = self.side;
        let mut numbers = vec![0; n * n];
        for (number, cage) in (0..).zip(&self.cages) {
            cage.cells.iter().for_each(|&cell| numbers[usize::from(cell)] = number);
        }
        Colourer::default().colour(&numbers, n, &mut batch.colours_mut()[..n * n]);
        batch.contents_mut()[..n * n].fill(0);
        for cage in &self.cages {
            let first = usize::from(cage.cells[0]);
            let has = |cell: usize| cage.cells.binary_search(&(cell as u16)).is_ok();
            batch.contents_mut()[first] = cage.clue.and_then(|clue| u16::try_from(clue).ok()).unwrap_or(0);
            if self.arithmetic && cage.cells.len() > 1 {
                let is_beside = !(first + 1).is_multiple_of(n) && has(first + 1);
                batch.contents_mut()[if is_beside { first + 1 } else { first + n }] = cage.operator;
            }
        }
    }
}

/// The boxes of boards of a side, from 0; of sides that no kind has, those nearest to squares.
fn boxes_of(side: usize) -> Vec<u8> {
    let is_known = |side: &Side| Kind::Sudoku.rules().sides.contains(&(side.get() as u8));
    if let Some(side) = Side::new(side).filter(is_known) {
        return geometry(side).box_of.to_vec();
    }
    let height = (1..=side.isqrt()).rev().find(|height| side.is_multiple_of(*height)).unwrap_or(1);
    let width = side / height;
    (0..side * side).map(|at| (at / side / height * height + at % side / width) as u8).collect()
}

/// Numbers from 1 on, in the order of the first cell of each region; 0 for a cell in none, and for regions after 255.
fn renumbered(numbers: &[Option<u16>]) -> Vec<u8> {
    let mut known: Vec<u16> = Vec::new();
    let number = |number: &u16| {
        let at = known.iter().position(|other| other == number).unwrap_or_else(|| {
            known.push(*number);
            known.len() - 1
        });
        u8::try_from(at + 1).unwrap_or(0)
    };
    let mut number = number;
    numbers.iter().map(|cell| cell.as_ref().map_or(0, &mut number)).collect()
}

/// Whether cells, in ascending order, are in one piece.
fn is_connected(cells: &[u16], side: usize) -> bool {
    let mut reached = vec![false; cells.len()];
    let mut todo = vec![0];
    reached[0] = true;
    while let Some(at) = todo.pop() {
        for beside in Geometry::neighbours(usize::from(cells[at]), side) {
            if let Ok(other) = cells.binary_search(&(beside as u16))
                && !std::mem::replace(&mut reached[other], true)
            {
                todo.push(other);
            }
        }
    }
    reached.into_iter().all(|reached| reached)
}

/// Whether a text says nothing about rules but that they are the usual ones.
fn is_normal(text: &str) -> bool {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .filter(|word| !["the", "usual", "standard", "classic", "normal"].contains(&word.as_str()))
        .collect();
    ["", "sudoku", "sudoku rules", "rules", "rules apply", "sudoku rules apply", "sudoku rules only"]
        .contains(&words.join(" ").as_str())
}

/// The cages of a board: the first cell of the cage of each cell.
pub(super) fn cages_of(batch: &Batch, board: usize) -> Vec<NeutralCage> {
    let side = batch.shape().side;
    let at = board * batch.stride();
    let labels = components(&batch.colours()[at..at + side.cells()], side.get());
    let contents = &batch.contents()[at..at + side.cells()];
    let cage = |first: usize| NeutralCage {
        cells: (first..side.cells())
            .filter(|&cell| usize::from(labels[cell]) == first)
            .map(|cell| cell as u16)
            .collect(),
        clue: Some(contents[first].into()).filter(|&clue| clue != 0),
        operator: match super::cages::operator_cell(&labels, side.get(), first) {
            Some(cell) if batch.shape().kind.has_operators() => contents[cell],
            _ => 0,
        },
    };
    (0..side.cells()).filter(|&cell| usize::from(labels[cell]) == cell).map(cage).collect()
}

/// The regions of a board for formats that take n regions of n cells, and boxes for what they are: numbers from 1 on, in the
/// order of the first cell of each.
///
/// # Errors
/// `unsupported` for other regions.
pub(super) fn regions_of(batch: &Batch, board: usize) -> Result<Vec<u8>, Reject> {
    let side = batch.shape().side;
    let at = board * batch.stride();
    let numbers: Vec<_> = batch.regions()[at..at + side.cells()].iter().map(|&number| Some(number.into())).collect();
    let regions = renumbered(&numbers);
    let size = |number: u8| regions.iter().filter(|&&other| other == number).count();
    let words = if (1..=side.get() as u8).any(|number| size(number) != side.get()) {
        "regions of other sizes than n cells"
    } else if regions.iter().map(|number| number - 1).eq(geometry(side).box_of.iter().copied()) {
        "regions that are the boxes, which would be read back as such"
    } else {
        return Ok(regions);
    };
    Err(Reject::whole(Code::Unsupported, words))
}

/// A rejection because of a single thing that no kind has.
pub(super) fn unsupported(name: impl AsRef<str>) -> Reject {
    Reject::unsupported([shown_name(name.as_ref())])
}

/// The name of something, cut to its first characters, since it may come from a string.
fn shown_name(name: &str) -> String {
    escape(name.chars().take(MOST_OF_A_NAME).collect::<String>().as_bytes())
}
