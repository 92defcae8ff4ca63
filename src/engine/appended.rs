//! What is appended to rows, beside the strings.

use crate::convert::{Conversion, Emit};
use crate::error::Error;
use crate::framing::{Asked, Framing, Unsuited};

/// What is appended to rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Appended {
    /// The new string goes into a column, or a field of the outermost object, of this name; the old one stays.
    pub to: Option<String>,
    /// The format and the kind that were found go into two more.
    pub kind: bool,
}

/// What a column that is appended says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// The new string.
    String,
    /// The solution.
    Solution,
    /// The format that was found.
    Format,
    /// The kind that was found.
    Kind,
}

impl Appended {
    /// What is appended, in order, and the names of it.
    pub(super) fn columns(&self, emit: Emit) -> Vec<(What, String)> {
        let string = self.to.iter().map(|name| (What::String, name.clone()));
        let solution = (emit == Emit::Solved).then(|| (What::Solution, "solution".to_string()));
        let kind = [(What::Format, "format"), (What::Kind, "kind")].map(|(what, name)| (what, name.to_string()));
        string.chain(solution).chain(kind.into_iter().filter(|_| self.kind)).collect()
    }

    /// The names of what is appended.
    pub(super) fn names(&self, emit: Emit) -> Vec<String> {
        self.columns(emit).into_iter().map(|(_, name)| name).collect()
    }

    /// Checks that this, a framing and a plan go together.
    ///
    /// # Errors
    /// [`Error::Usage`] says what does not.
    pub(super) fn check(&self, framing: &dyn Framing, plan: &Conversion) -> Result<(), Error> {
        let names = self.names(plan.emit);
        if names.iter().enumerate().any(|(at, name)| names[..at].contains(name)) {
            let words = "two columns of one name would be appended; choose another name";
            return Err(Error::Usage(words.into()));
        }
        if *self != Self::default() && !framing.appends() {
            let words =
                "columns are appended to tables and JSON lines; say which they are with --framing csv, tsv or jsonl";
            return Err(Error::Usage(words.into()));
        }
        framing.check(&asked(plan, &names)).map_err(Error::Usage)
    }
}

/// What a plan asks of strings, whatever their framing.
pub(super) fn asked<'a>(plan: &Conversion, names: &'a [String]) -> Asked<'a> {
    Asked { from: plan.from, hints: plan.hints, names }
}

/// An error of the run.
pub(super) fn unsuited(unsuited: Unsuited, path: &std::path::Path) -> Error {
    match unsuited {
        Unsuited::Asked(words) => Error::Usage(words),
        Unsuited::Input(words) => Error::file(path, words),
    }
}
