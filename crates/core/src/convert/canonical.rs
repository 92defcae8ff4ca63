//! What stands for boards in place of them: their canonical forms, and what else has a key.

use crate::canon::CanonicalForm;

/// What stands for each board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Canonize {
    /// Its canonical form.
    Form(CanonicalForm),
    /// The `solution` form of puzzles with one solution, the `puzzle` form of those with none or several.
    EitherForm,
    /// The canonical form of its only solution.
    Grid,
    /// Itself, as it is written in v2: for its key.
    Board,
    /// It is no board but a key, as [`Key`](crate::canon::Key) writes it.
    #[cfg(feature = "keys")]
    Key,
    /// What the map makes of it that came with it ([`Converter::give_solutions`](super::Converter::give_solutions)).
    Mapped,
}

/// How boards become canonical.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canonical {
    /// What stands for each.
    pub canonize: Canonize,
    /// Solved cells are givens in all formats.
    pub all_given: bool,
    /// Solved cells and candidates are moved by the map; otherwise they are left out.
    pub carry: bool,
    /// Nothing is of this type: what there is for canonical forms is never reached, and left out.
    #[cfg(not(feature = "canon"))]
    _never: std::convert::Infallible,
}

impl Canonical {
    /// Whether the solver has to be asked.
    pub(super) fn asks_solver(&self) -> bool {
        use Canonize::{EitherForm, Form, Grid};
        matches!(self.canonize, Form(CanonicalForm::Solution) | EitherForm | Grid)
    }

    /// The form that is asked for, if it is the same for all.
    pub(super) fn form(&self) -> Option<CanonicalForm> {
        match self.canonize {
            Canonize::Form(form) => Some(form),
            Canonize::Grid => Some(CanonicalForm::Solution),
            _ => None,
        }
    }
}
