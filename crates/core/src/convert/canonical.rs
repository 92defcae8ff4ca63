//! What replaces boards: their canonical forms, and other things that have a key.

use crate::canon::CanonicalForm;

/// What replaces each board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Canonize {
    /// Its canonical form.
    Form(CanonicalForm),
    /// The `solution` form of puzzles with one solution, the `puzzle` form of those with none or several.
    EitherForm,
    /// The canonical form of its only solution.
    Grid,
    /// The board itself in v2, for its key.
    Board,
    /// The record is not a board but a key, as [`Key`](crate::canon::Key) displays it.
    Key,
    /// The image under the map that came with the board
    /// ([`Converter::give_solutions`](super::Converter::give_solutions)).
    Mapped,
}

/// How boards are made canonical.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CanonicalPlan {
    /// What replaces each board.
    pub canonize: Canonize,
    /// Whether solved cells are givens in all formats.
    pub all_given: bool,
    /// Whether solved cells and candidates are mapped, too; otherwise they are left out.
    pub carry: bool,
}

impl CanonicalPlan {
    /// A plan with these replacements, of givens alone.
    pub fn new(canonize: Canonize) -> Self {
        Self { canonize, all_given: false, carry: false }
    }

    /// Sets whether solved cells are givens in all formats.
    #[must_use]
    pub fn all_given(self, all_given: bool) -> Self {
        Self { all_given, ..self }
    }

    /// Sets whether solved cells and candidates are mapped, too.
    #[must_use]
    pub fn carry(self, carry: bool) -> Self {
        Self { carry, ..self }
    }

    /// Whether solutions are needed.
    pub(super) fn asks_solver(&self) -> bool {
        use Canonize::{EitherForm, Form, Grid};
        matches!(self.canonize, Form(CanonicalForm::Solution) | EitherForm | Grid)
    }

    /// The canonical form, if it is the same for all boards.
    pub(super) fn form(&self) -> Option<CanonicalForm> {
        match self.canonize {
            Canonize::Form(form) => Some(form),
            Canonize::Grid => Some(CanonicalForm::Solution),
            _ => None,
        }
    }
}
