//! Checks boards against the rules of their kind: placed digits, regions, cages and candidates (docs/FORMATS.md, "Rules
//! of the kinds").
//!
//! [`passing`] answers yes or no for a whole batch. [`problems`] is slower, takes one board, and finds the cells and
//! messages. Each rule has a file.
//!
//! ```
//! use gridmill_core::board::{Batch, Cell, Kind, Shape, Side};
//! use gridmill_core::check::problems;
//!
//! let mut batch = Batch::new();
//! batch.reset(Shape::new(Kind::Sudoku, Side::NINE), 1);
//! (0..81).for_each(|cell| batch.set_cell(0, cell, Cell::Empty));
//! batch.set_cell(0, 0, Cell::Clue(7));
//! assert!(problems(&batch, 0).is_empty());
//! batch.set_cell(0, 8, Cell::Solved(7));
//! assert_eq!(problems(&batch, 0)[0].to_string(), "duplicate at r1c9: 7 is also in r1c1, and both are in row 1");
//! ```

mod arithmetic;
mod candidates;
mod duplicates;
mod lanes;
mod regions;
mod solution;
mod straights;
mod sums;

use std::fmt;

use crate::board::{Batch, RuledBoard, Shape, Side};
use crate::error::{Code, Position, Reject};
use crate::kernels::Kernel;

pub use regions::are_regions_usual;
pub use solution::solved_by;

/// A violation of the rules, or a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The stable code, the cell and the message, as for a refused record.
    pub reject: Reject,
    /// Whether it only deserves attention: no rule is broken.
    pub warning: bool,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reject.fmt(f)
    }
}

/// All problems and warnings of board `board`, ordered by cell, and for one cell in the order of the rules (houses,
/// regions, cages, straights, what is left for a cell, candidates). For boards whose rules are not known, the list is
/// incomplete: see [`unsupported`].
pub fn problems(batch: &Batch, board: usize) -> Vec<Problem> {
    if let Some(reject) = unsupported(batch.shape()) {
        return vec![Problem { reject, warning: false }];
    }
    let board = RuledBoard::new(batch, board);
    let mut found = Problems { side: board.side, all: Vec::new() };
    duplicates::check(&board, &mut found);
    regions::check(&board, &mut found);
    sums::check(&board, &mut found);
    arithmetic::check(&board, &mut found);
    straights::check(&board, &mut found);
    candidates::check(&board, &mut found);
    // The sort is stable, so problems of one cell stay in the order of the rules.
    found.all.sort_by_key(|(cell, _)| *cell);
    found.all.into_iter().map(|(_, problem)| problem).collect()
}

/// Why boards of a shape cannot be fully checked: windows and colour groups are defined for side 9 only.
pub fn unsupported(shape: Shape) -> Option<Reject> {
    let rules = shape.kind.rules();
    (shape.side != Side::NINE && (rules.houses.windows || rules.houses.colours)).then(|| {
        let words = format!("the rules of {} are known only for side 9, not for {}", shape.kind, shape.side);
        Reject::whole(Code::Unsupported, words)
    })
}

/// The boards among `good` for which [`problems`] would find neither a problem nor a warning. Boards other than plain
/// sudokus of side 9 are checked one by one, which takes some microseconds each.
pub fn passing(batch: &Batch, good: u64, kernel: &Kernel) -> u64 {
    if lanes::takes(batch) { lanes::passing(batch, good, kernel) } else { passing_one_by_one(batch, good) }
}

/// The boards among `good` that have neither a problem nor a warning, checked one by one.
fn passing_one_by_one(batch: &Batch, good: u64) -> u64 {
    (0..batch.len())
        .filter(|i| good >> i & 1 == 1 && problems(batch, *i).is_empty())
        .fold(0, |passing, i| passing | 1 << i)
}

/// The problems found so far.
struct Problems {
    side: usize,
    all: Vec<(usize, Problem)>,
}

impl Problems {
    fn problem(&mut self, code: Code, cell: usize, message: String) {
        self.push(code, cell, message, false);
    }

    fn warning(&mut self, code: Code, cell: usize, message: String) {
        self.push(code, cell, message, true);
    }

    fn push(&mut self, code: Code, cell: usize, message: String, warning: bool) {
        self.all.push((cell, Problem { reject: Reject::at(code, cell, self.side, message), warning }));
    }

    /// The position of a cell, for messages.
    fn at(&self, cell: usize) -> Position {
        Position::of(cell, self.side)
    }
}

/// Whether [`passing`] checks this batch at full speed.
pub fn is_quick(batch: &Batch) -> bool {
    lanes::takes(batch)
}

/// The slow equivalent of [`passing`], for tests.
#[doc(hidden)]
pub fn passing_slowly(batch: &Batch, good: u64, _: &Kernel) -> u64 {
    passing_one_by_one(batch, good)
}
