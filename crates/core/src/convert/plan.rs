//! The plan of a conversion, after it was checked.

use super::canonical::CanonicalPlan;
use super::facts::Facts;
use crate::board::{FillCandidates, Shape, Side};
use crate::formats::{Format, FormatLayouts, Hints, REGISTRY, WrittenAs};
use crate::solve::{GradeRange, Grader};

/// What to do with bad records (docs/CLI.md, `--bad`). The list is complete, since every client must do each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bad {
    /// Leave them out of the output and report them.
    #[default]
    Reject,
    /// Copy them unchanged and report them.
    Keep,
    /// End the run at the first one.
    Stop,
    /// Replace them by null, in a column that may be null, and report them.
    Null,
}

/// How thoroughly boards are checked (docs/CLI.md, `validate`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum CheckLevel {
    /// The string can be read.
    #[default]
    Syntax,
    /// It also follows the rules of the kind.
    Rules,
    /// The givens also have exactly one solution, which agrees with all other cells.
    Unique,
}

impl CheckLevel {
    /// Every level, each of which includes those before it.
    pub const ALL: [Self; 3] = [Self::Syntax, Self::Rules, Self::Unique];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Rules => "rules",
            Self::Unique => "unique",
        }
    }
}

/// What is given on a board (docs/CLI.md, `--givens`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Givens {
    /// The clues or, in formats without clues, all digits.
    #[default]
    Clues,
    /// All digits.
    Placed,
    /// All digits, and the candidates: a solution has one of those of each cell.
    Candidates,
}

impl Givens {
    /// Every choice, each of which includes those before it.
    pub const ALL: [Self; 3] = [Self::Clues, Self::Placed, Self::Candidates];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clues => "clues",
            Self::Placed => "placed",
            Self::Candidates => "candidates",
        }
    }
}

/// The checks of boards. They may get more fields: create them with `..Default::default()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks {
    /// How thoroughly.
    pub level: CheckLevel,
    /// Whether to list every problem and warning of a record, and not only the one that refuses it.
    pub all: bool,
    /// How many solutions to count at most, 1 to 10,000. A puzzle with more than one is refused.
    pub max_solutions: u32,
    /// How many nodes the search may take for each puzzle before it is `undecided`. They are counted for each puzzle as
    /// if it were alone.
    pub effort: u32,
    /// Whether to count boards by the number of their givens.
    pub clue_counts: bool,
    /// The grades of the boards to pass on: all others are passed over, and counted. Needs [`Facts::grade`].
    pub grades: Option<GradeRange>,
    /// What is given for the solver and for solutions that come with the records.
    pub givens: Givens,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            level: CheckLevel::Syntax,
            all: false,
            max_solutions: 2,
            effort: EFFORT,
            clue_counts: false,
            grades: None,
            givens: Givens::Clues,
        }
    }
}

/// The default effort. The hardest known sudokus take some hundred nodes, and this many take some seconds.
pub const EFFORT: u32 = 100_000;

/// What to write for good records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Emit {
    /// The board in the output's format.
    #[default]
    Encoded,
    /// The record unchanged; comments are copied, too.
    AsTheyAre,
    /// The solution, as digits if these can be read back ([`Emit::writes_digits`]), otherwise like
    /// [`Emit::SolvedBoard`]. Needs [`CheckLevel::Unique`].
    Solution,
    /// The board in the output's format with all cells filled in. Needs [`CheckLevel::Unique`].
    SolvedBoard,
    /// The key of the replacement. Needs [`Conversion::canonical`] and [`Facts::key`].
    Key,
    /// The placed digits in the notation of solutions, with a point for an empty cell, and nothing around them.
    Digits,
    /// Nothing.
    Nothing,
}

impl Emit {
    /// Whether anything is written.
    pub fn writes(self) -> bool {
        !matches!(self, Self::AsTheyAre | Self::Nothing)
    }

    /// Whether boards in the output's format are written.
    pub fn encodes(self) -> bool {
        matches!(self, Self::Encoded | Self::SolvedBoard)
    }

    /// Whether boards are needed.
    pub(super) fn takes_boards(self) -> bool {
        self.encodes() || self == Self::Digits
    }

    /// Whether solutions of boards of a shape are written as digits. A line of digits is read as a sudoku of side 9, so
    /// only those are.
    pub fn writes_digits(self, shape: Shape) -> bool {
        let is_sudoku = shape.side == Side::NINE && shape.kind.rules().houses.boxes && !shape.kind.has_black();
        self == Self::Solution && is_sudoku
    }

    /// Whether solutions are written.
    pub fn solves(self) -> bool {
        matches!(self, Self::Solution | Self::SolvedBoard)
    }
}

/// The plan of a conversion: everything that a worker needs to know. It
/// may get more fields: create it with `..Default::default()`.
#[derive(Debug, Clone, Copy)]
pub struct Conversion {
    /// The format of the input, or `None` to guess it for each record.
    pub from: Option<Format>,
    /// The format of the output.
    pub to: Format,
    /// What the strings themselves do not say.
    pub hints: Hints,
    /// The layouts to write, other than the formats' usual ones.
    pub write_layouts: FormatLayouts,
    /// The sign for an empty cell in plain sudokus, if not `0`.
    pub blank: Option<u8>,
    /// What to do with candidates.
    pub candidates: FillCandidates,
    /// Whether to convert boards that lose something, and count the losses.
    pub lossy: bool,
    /// What to do with bad records.
    pub bad: Bad,
    /// Whether to list every solved cell read from a format that cannot tell it from a single candidate.
    pub list_solved: bool,
    /// The checks of boards.
    pub checks: Checks,
    /// What to write for good records.
    pub emit: Emit,
    /// The facts that are wanted.
    pub facts: Facts,
    /// What replaces boards, if they are not written themselves.
    pub canonical: Option<CanonicalPlan>,
    /// Whether the records come with solutions ([`Converter::give_solutions`](super::Converter::give_solutions)), which
    /// must be right, or with maps to be applied.
    pub given_solutions: bool,
}

impl Default for Conversion {
    fn default() -> Self {
        Self {
            from: None,
            to: Format::V2,
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
    /// Returns the format of the output, with the layout that it is written in, if one was asked for.
    pub fn written_as(&self) -> WrittenAs {
        WrittenAs { format: self.to, layout: self.write_layouts.get(self.to) }
    }

    /// Whether solutions are needed.
    pub fn asks_solver(&self) -> bool {
        self.checks.level == CheckLevel::Unique
            || self.emit.solves()
            || self.facts.ask_solver()
            || self.facts.grade
            || self.canonical.is_some_and(|canonical| canonical.asks_solver())
    }

    /// Whether solutions of boards of a shape are needed.
    pub(super) fn asks_solver_about(&self, shape: Shape) -> bool {
        match self.facts.ask_only_for_grades() {
            true if Grader::takes(shape) => true,
            true => Self { facts: Facts::default(), ..*self }.asks_solver(),
            false => self.asks_solver(),
        }
    }

    /// Whether there may be strings whose layout must be found from the strings.
    pub fn surveys(&self) -> bool {
        let is_read = |id| self.from.is_none_or(|from| from == id);
        let is_open = |id| self.hints.layouts.get(id).is_none();
        let with_layouts = REGISTRY.iter().filter(|format| format.layout_rules().is_some());
        with_layouts.map(|format| format.about().id).any(|id| is_read(id) && is_open(id))
    }
}
