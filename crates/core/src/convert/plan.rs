//! What a run is to do, checked.

use super::canonical::Canonical;
use super::facts::Facts;
use crate::board::{FillCandidates, Shape, Side};
use crate::formats::{FormatLayouts, Hints, Id, REGISTRY};

/// What happens to bad records (docs/CLI.md, `--bad`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bad {
    /// Left out of the output and reported.
    #[default]
    Reject,
    /// Copied through unchanged and reported.
    Keep,
    /// The first one ends the run.
    Stop,
    /// Null is put in its place, in a column that may be null, and it is reported.
    Null,
}

/// How far boards are checked (docs/CLI.md, `validate`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum CheckLevel {
    /// That the string can be read.
    #[default]
    Syntax,
    /// The rules of the kind, too.
    Rules,
    /// That the givens have exactly one solution, and that the rest agrees with it, too.
    Unique,
}

impl CheckLevel {
    /// The name in the command line and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Rules => "rules",
            Self::Unique => "unique",
        }
    }
}

/// What boards are checked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks {
    /// How far.
    pub level: CheckLevel,
    /// A row for each problem and warning of a record, not only for the problem that refuses it.
    pub all: bool,
    /// How far solutions are counted, 1 to 10,000; one is the puzzle's, a second one refuses it.
    pub max_solutions: u32,
    /// Nodes that the search for solutions may take for each puzzle before it is `undecided`. They are counted for each
    /// puzzle as if it were alone.
    pub effort: u32,
    /// Boards are counted by the number of their givens.
    pub clue_counts: bool,
}

impl Default for Checks {
    fn default() -> Self {
        Self { level: CheckLevel::Syntax, all: false, max_solutions: 2, effort: EFFORT, clue_counts: false }
    }
}

/// The effort that is allowed unless told: the hardest known sudokus take some hundred nodes, and some seconds go by before so
/// many are used up.
pub const EFFORT: u32 = 100_000;

/// What becomes of good records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Emit {
    /// They are encoded in the output's format.
    #[default]
    Encoded,
    /// They are passed on as they are, as are comments.
    AsTheyAre,
    /// Their solutions are written in place of them, as digits where these read back as what they are ([`Emit::writes_digits`]), else
    /// as [`Emit::SolvedBoard`] does it; at [`CheckLevel::Unique`].
    Solution,
    /// They are encoded in the output's format with all cells filled in; at [`CheckLevel::Unique`].
    SolvedBoard,
    /// The keys of what stands for them are written in place of them, with [`Conversion::canonical`] and [`Facts::key`].
    #[cfg(feature = "keys")]
    Key,
    /// Their placed digits are written in place of them, as solutions are, with a point for an empty cell; nothing stands around them.
    Digits,
    /// Nothing is written.
    Nothing,
}

impl Emit {
    /// Whether new strings are written.
    pub fn writes(self) -> bool {
        !matches!(self, Self::AsTheyAre | Self::Nothing)
    }

    /// Whether they are boards in the output's format.
    pub fn encodes(self) -> bool {
        matches!(self, Self::Encoded | Self::SolvedBoard)
    }

    /// Whether what is written is made of boards.
    pub(super) fn takes_boards(self) -> bool {
        self.encodes() || self == Self::Digits
    }

    /// Whether solutions of boards of a shape are digits: a line of these is read as a sudoku of side 9, which has boxes.
    pub fn writes_digits(self, shape: Shape) -> bool {
        let is_sudoku = shape.side == Side::NINE && shape.kind.rules().boxes && !shape.kind.has_black();
        self == Self::Solution && is_sudoku
    }

    /// Whether they are solutions.
    pub fn solves(self) -> bool {
        matches!(self, Self::Solution | Self::SolvedBoard)
    }
}

/// How records become other records: all that a worker needs to know.
#[derive(Debug, Clone, Copy)]
pub struct Conversion {
    /// The format of the input; `None` to guess it for each record.
    pub from: Option<Id>,
    /// The format of the output.
    pub to: Id,
    /// What the strings themselves leave open.
    pub hints: Hints,
    /// The layouts in which strings are written, where it is not the usual one of the format.
    pub write_layouts: FormatLayouts,
    /// What stands for an empty cell in plain sudokus, if not `0`.
    pub blank: Option<u8>,
    /// What happens to candidates.
    pub candidates: FillCandidates,
    /// Convert boards that lose something, and count the losses.
    pub lossy: bool,
    /// What happens to bad records.
    pub bad: Bad,
    /// Name every solved cell read from a format that cannot tell it from a single candidate.
    pub list_solved: bool,
    /// What boards are checked for.
    pub checks: Checks,
    /// What becomes of good records.
    pub emit: Emit,
    /// What else is to be found out of them.
    pub facts: Facts,
    /// What is encoded are not the boards but what stands for them.
    pub canonical: Option<Canonical>,
    /// Solutions come with the records ([`Converter::give_solutions`](super::Converter::give_solutions)), and are to be right; or the
    /// maps that are to be applied.
    pub given_solutions: bool,
}

impl Default for Conversion {
    fn default() -> Self {
        Self {
            from: None,
            to: Id::V2,
            hints: Hints::default(),
            write_layouts: FormatLayouts::default(),
            blank: None,
            candidates: FillCandidates::Keep,
            lossy: false,
            bad: Bad::Reject,
            list_solved: false,
            checks: Checks::default(),
            emit: Emit::default(),
            facts: Facts::default(),
            canonical: None,
            given_solutions: false,
        }
    }
}

impl Conversion {
    /// Whether the solver is to be asked about each board.
    pub(super) fn asks_solver(&self) -> bool {
        self.checks.level == CheckLevel::Unique
            || self.emit.solves()
            || self.facts.ask_solver()
            || self.canonical.is_some_and(|canonical| canonical.asks_solver())
    }

    /// Whether there can be strings whose layout is for the strings themselves to say.
    pub fn surveys(&self) -> bool {
        let is_read = |id| self.from.is_none_or(|from| from == id);
        let is_open = |id| self.hints.layouts.get(id).is_none();
        let with_layouts = REGISTRY.iter().filter(|format| format.layout_rules().is_some());
        with_layouts.map(|format| format.about().id).any(|id| is_read(id) && is_open(id))
    }
}
