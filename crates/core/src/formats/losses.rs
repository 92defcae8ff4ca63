//! Finds what a format cannot represent of a board (docs/FORMATS.md, "Losses").

use std::fmt;

use crate::board::{Batch, Cages, Cell, Kind, Shape, Side, components, peers9};
use crate::error::{Code, Position, Reject};

/// A kind of loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Loss {
    /// The kind of the board, in a format that cannot name it.
    Variant,
    /// Region numbers.
    Regions,
    /// Cages and their sums.
    Cages,
    /// The operators of KenKen cages.
    Operators,
    /// Extra groups.
    Groups,
    /// The information that a digit is a clue.
    Clue,
    /// The information that a digit is solved, or the digit itself if the target has no digits.
    Solved,
    /// The information that a single candidate is a candidate and not a solved cell.
    SingleCandidate,
    /// Candidates.
    Candidates,
    /// Black cells, or the meaning of a black cell in a layout that has one code for two meanings.
    Black,
    /// Notes in the corners of cells, which other programs have beside candidates.
    CornerNotes,
    /// Candidates in a cell with a digit.
    HiddenNotes,
    /// Colours that a player has given to cells.
    Marks,
    /// A text with rules, which may say more than the board does.
    Rules,
    /// The title of a puzzle.
    Title,
    /// The name of its author.
    Author,
}

impl Loss {
    /// Every kind of loss, in the order of reports.
    pub const ALL: [Self; 16] = [
        Self::Variant,
        Self::Regions,
        Self::Cages,
        Self::Operators,
        Self::Groups,
        Self::Clue,
        Self::Solved,
        Self::SingleCandidate,
        Self::Candidates,
        Self::Black,
        Self::CornerNotes,
        Self::HiddenNotes,
        Self::Marks,
        Self::Rules,
        Self::Title,
        Self::Author,
    ];

    /// Returns the name in messages and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Variant => "variant",
            Self::Regions => "regions",
            Self::Cages => "cages",
            Self::Operators => "operators",
            Self::Groups => "groups",
            Self::Clue => "clue",
            Self::Solved => "solved",
            Self::SingleCandidate => "single-candidate",
            Self::Candidates => "notes",
            Self::Black => "black",
            Self::CornerNotes => "corner notes",
            Self::HiddenNotes => "notes under digits",
            Self::Marks => "colour marks",
            Self::Rules => "rules",
            Self::Title => "title",
            Self::Author => "author",
        }
    }
}

/// Which candidates a form can represent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeldCandidates {
    /// None.
    None,
    /// Those of boards on which every cell without a digit has some, none of them a digit that stands in one of its houses, and
    /// something shows that there are any. Of other boards, none.
    Consistent,
    /// All, but a single one is read as a clue unless an open cell of a house of its cell has it, too.
    NotAlone,
    /// All.
    All,
}

/// What a form of a format can represent. Boards lose what belongs to a field that is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holds {
    /// The kinds that are read back as themselves. Boards of any other kind have a `variant` loss.
    pub kinds: &'static [Kind],
    /// Clues, as distinct from other digits.
    pub clue: bool,
    /// Solved digits, as distinct from clues.
    pub solved: bool,
    /// Candidates.
    pub candidates: HeldCandidates,
    /// Single candidates, as distinct from solved cells.
    pub single: bool,
    /// Region numbers.
    pub regions: bool,
    /// Cages with their sums or clues.
    pub cages: bool,
    /// Operators.
    pub operators: bool,
    /// Extra groups that the kind does not imply.
    pub groups: bool,
    /// Black cells.
    pub black: bool,
}

impl Holds {
    /// Represents everything of boards of these kinds, except for groups.
    pub const fn all(kinds: &'static [Kind]) -> Self {
        Self {
            kinds,
            clue: true,
            solved: true,
            candidates: HeldCandidates::All,
            single: true,
            regions: true,
            cages: true,
            operators: true,
            groups: false,
            black: true,
        }
    }

    /// Represents the clues of boards of these kinds, and nothing else.
    pub(super) const fn clues(kinds: &'static [Kind]) -> Self {
        Self {
            solved: false,
            candidates: HeldCandidates::None,
            single: false,
            regions: false,
            cages: false,
            operators: false,
            black: false,
            ..Self::all(kinds)
        }
    }

    /// What it holds of one board: all of its candidates or none, where that depends on the board.
    pub(super) fn of_board(&self, batch: &Batch, board: usize) -> Self {
        let candidates = match self.candidates {
            HeldCandidates::Consistent if !are_consistent(batch, board) => HeldCandidates::None,
            other => other,
        };
        Self { candidates, ..*self }
    }

    /// Whether boards of a shape lose nothing, apart from losses of cells and groups.
    pub fn whole_shape(&self, shape: Shape) -> bool {
        let rules = shape.kind.rules();
        self.kinds.contains(&shape.kind)
            && (self.regions || !rules.houses.regions)
            && (self.cages || rules.cages == Cages::None)
            && (self.operators || rules.cages != Cages::Arithmetic)
            && (self.black || !rules.straights)
    }
}

/// The losses of one board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Losses {
    cells: [u16; Loss::ALL.len()],
    kinds: u32,
    first_cell: Option<u16>,
}

impl Losses {
    /// Whether nothing is lost.
    pub fn is_empty(&self) -> bool {
        self.kinds == 0
    }

    /// Whether the board may only be written if losses are accepted. Title and author are no part of it.
    pub fn need_consent(&self) -> bool {
        let names = 1 << Loss::Title as u8 | 1 << Loss::Author as u8;
        self.kinds & !names != 0
    }

    /// Returns the kinds of loss, each with the number of cells that have it (0 for the whole board).
    pub fn iter(&self) -> impl Iterator<Item = (Loss, u16)> {
        Loss::ALL
            .into_iter()
            .filter(|&loss| self.kinds >> loss as u8 & 1 == 1)
            .map(|loss| (loss, self.cells[loss as usize]))
    }

    /// Adds a loss that concerns the whole board.
    pub fn add(&mut self, loss: Loss) {
        self.kinds |= 1 << loss as u8;
    }

    /// The rest, if the title or the author is kept.
    pub(crate) fn but_names(self, [title, author]: [bool; 2]) -> Self {
        let names = u32::from(title) << Loss::Title as u8 | u32::from(author) << Loss::Author as u8;
        Self { kinds: self.kinds & !names, ..self }
    }

    /// Adds a loss in one cell.
    pub fn add_cell(&mut self, loss: Loss, cell: usize) {
        self.add_cells(loss, 1);
        self.note_cell(cell);
    }

    /// Adds losses of one kind in a number of cells.
    pub(super) fn add_cells(&mut self, loss: Loss, cells: u16) {
        self.add(loss);
        self.cells[loss as usize] += cells;
    }

    /// Records a cell that loses something, because it may be the first such cell.
    pub(super) fn note_cell(&mut self, cell: usize) {
        self.first_cell = Some(self.first_cell.map_or(cell as u16, |first| first.min(cell as u16)));
    }

    /// Adds the losses of another step, for example those of reading to those of writing.
    pub fn join(&mut self, other: &Self) {
        self.kinds |= other.kinds;
        self.first_cell = self.first_cell.into_iter().chain(other.first_cell).min();
        self.cells.iter_mut().zip(other.cells).for_each(|(mine, theirs)| *mine += theirs);
    }

    /// Rejects a board with these losses.
    pub fn reject(&self, target: &str, side: usize) -> Reject {
        let words = format!("{target} would lose: {self}; --lossy converts it anyway and counts the losses");
        let cell = self.first_cell.map(|cell| Position::of(cell.into(), side));
        Reject { cell, ..Reject::whole(Code::Lossy, words) }
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (loss, cells)) in self.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            match cells {
                0 => write!(f, "{comma}{}", loss.name())?,
                1 => write!(f, "{comma}{} (1 cell)", loss.name())?,
                n => write!(f, "{comma}{} ({n} cells)", loss.name())?,
            }
        }
        Ok(())
    }
}

/// Whether a board of side 9 has candidates as [`HeldCandidates::Consistent`] says.
fn are_consistent(batch: &Batch, board: usize) -> bool {
    let cell = |at: usize| batch.cell(board, at);
    let placed = |at: usize| {
        peers9(at).map(cell).filter(|cell| cell.digit() != 0).fold(0, |set, cell| set | 1 << (cell.digit() - 1))
    };
    let is_fit = |at: usize| match cell(at) {
        Cell::Candidates(set) => set & placed(at) == 0,
        cell => cell.digit() != 0,
    };
    let shows = |at: usize| matches!(cell(at), Cell::Candidates(set) if set != 0x1ff) || cell(at).digit() != 0;
    batch.shape().side == Side::NINE && (0..81).all(is_fit) && (0..81).any(shows)
}

/// Returns what board `board` would lose in a target that `holds` this.
pub fn losses(batch: &Batch, board: usize, holds: &Holds) -> Losses {
    let holds = &holds.of_board(batch, board);
    let mut losses = board_losses(batch, board, holds);
    for i in 0..batch.shape().side.cells() {
        cell_losses(batch.cell(board, i), holds).for_each(|loss| losses.add_cell(loss, i));
    }
    losses
}

/// Returns the losses of one cell.
pub(super) fn cell_losses(cell: Cell, holds: &Holds) -> impl Iterator<Item = Loss> {
    let loss = match cell {
        Cell::Clue(_) | Cell::BlackClue(_) if !holds.clue => Some(Loss::Clue),
        Cell::Solved(_) if !holds.solved => Some(Loss::Solved),
        Cell::Candidates(_) if holds.candidates == HeldCandidates::None => Some(Loss::Candidates),
        Cell::Candidates(mask) if !holds.single && mask.is_power_of_two() => Some(Loss::SingleCandidate),
        _ => None,
    };
    loss.into_iter().chain((!holds.black && cell.is_black()).then_some(Loss::Black))
}

/// Returns the losses of a board apart from those of its cells: kind, groups, regions, cages and operators.
pub(super) fn board_losses(batch: &Batch, board: usize, holds: &Holds) -> Losses {
    let kind = batch.shape().kind;
    let mut losses = Losses::default();
    if !holds.kinds.contains(&kind) {
        losses.add(Loss::Variant);
    }
    if !holds.groups && batch.groups(board).is_some_and(|groups| !groups.implied_by(kind)) {
        losses.add(Loss::Groups);
    }
    shape_losses(batch, board, holds, &mut losses);
    losses
}

/// Adds the losses of regions, cages and operators.
fn shape_losses(batch: &Batch, board: usize, holds: &Holds, losses: &mut Losses) {
    let shape = batch.shape();
    let (cells, at) = (shape.side.cells(), board * batch.stride());
    if shape.kind.has_regions() && !holds.regions {
        (0..cells).for_each(|i| losses.add_cell(Loss::Regions, i));
    }
    if shape.kind.has_cages() && !(holds.cages && holds.operators) {
        let labels = components(&batch.colours()[at..at + cells], shape.side.get());
        let firsts = (0..cells).filter(|&i| labels[i] as usize == i);
        for first in firsts {
            if !holds.cages {
                losses.add_cell(Loss::Cages, first);
            }
            let more_cells = (0..cells).any(|i| i != first && labels[i] as usize == first);
            if !holds.operators && shape.kind.has_operators() && more_cells {
                losses.add_cell(Loss::Operators, first);
            }
        }
    }
}
