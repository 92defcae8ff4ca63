//! What is appended to rows and lines, beside the strings.

use crate::convert::{Conversion, Converted, Facts};
use crate::error::Error;
use crate::framing::{Asked, Framing, Unsuited, Value};

/// What can be said of a string in a column of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Added {
    /// The number of givens.
    Clues,
    /// The number of solutions.
    Solutions,
    /// The nodes of the search.
    Nodes,
    /// The kind that was found.
    Kind,
    /// The format that was found.
    Format,
    /// The only solution.
    Solution,
    /// Whether the givens are symmetric.
    Symmetric,
}

impl Added {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Clues, Self::Solutions, Self::Nodes, Self::Kind, Self::Format, Self::Solution, Self::Symmetric];

    /// The name in the command line, and of the column unless told.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clues => "clues",
            Self::Solutions => "solutions",
            Self::Nodes => "nodes",
            Self::Kind => "kind",
            Self::Format => "format",
            Self::Solution => "solution",
            Self::Symmetric => "symmetric",
        }
    }

    /// A line of help.
    pub fn about(self) -> &'static str {
        match self {
            Self::Clues => "the number of givens",
            Self::Solutions => "the number of solutions, up to --max-solutions",
            Self::Nodes => "nodes of the search for all solutions: 1 where nothing had to be guessed",
            Self::Kind => "the kind that was found",
            Self::Format => "the format that was found",
            Self::Solution => "the solution, if there is only one",
            Self::Symmetric => "whether the cells with givens are the same after half a turn: true or false",
        }
    }

    /// What has to be found out for it.
    fn needs(self, facts: &mut Facts) {
        match self {
            Self::Clues | Self::Symmetric => facts.givens = true,
            Self::Solutions | Self::Nodes => facts.search = true,
            Self::Solution => facts.solution = true,
            Self::Kind | Self::Format => {}
        }
    }
}

/// What is appended to rows and lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Appended {
    /// The new string goes into a column, or a field of the outermost object, of this name; the old one stays.
    pub to: Option<String>,
    /// What else is said of each string, and the name of the column.
    pub added: Vec<(Added, String)>,
}

/// What a column that is appended says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// The new string.
    String,
    /// Something of the string.
    Added(Added),
}

impl What {
    /// What it says of a record.
    pub(super) fn of(self, converted: &Converted, record: usize) -> Value<'_> {
        let form = || converted.form(record);
        let number = |number: Option<u32>| number.map_or(Value::Nothing, Value::Number);
        match self {
            Self::String => Value::Text(converted.string(record)),
            Self::Added(Added::Clues) => Value::Number(converted.facts(record).clues.into()),
            Self::Added(Added::Symmetric) => Value::Truth(converted.facts(record).symmetric),
            Self::Added(Added::Solutions) => number(converted.facts(record).solutions),
            Self::Added(Added::Nodes) => number(converted.facts(record).nodes),
            Self::Added(Added::Solution) => match converted.solution(record) {
                b"" => Value::Nothing,
                solution => Value::Text(solution),
            },
            Self::Added(Added::Format) => Value::Text(form().map_or(b"", |form| form.id.name().as_bytes())),
            Self::Added(Added::Kind) => Value::Text(form().map_or(b"", |form| form.shape.kind.name().as_bytes())),
        }
    }
}

impl Appended {
    /// What is appended, in order, and the names of it.
    pub(super) fn columns(&self) -> Vec<(What, String)> {
        let string = self.to.iter().map(|name| (What::String, name.clone()));
        string.chain(self.added.iter().map(|(what, name)| (What::Added(*what), name.clone()))).collect()
    }

    /// The names of what is appended.
    pub(super) fn names(&self) -> Vec<String> {
        self.columns().into_iter().map(|(_, name)| name).collect()
    }

    /// What has to be found out of each string.
    pub(super) fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        self.added.iter().for_each(|(what, _)| what.needs(&mut facts));
        facts
    }

    /// Checks that this, a framing and a plan go together.
    ///
    /// # Errors
    /// [`Error::Usage`] says what does not.
    pub(super) fn check(&self, framing: &dyn Framing, plan: &Conversion) -> Result<(), Error> {
        let names = self.names();
        if let Some((_, name)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
            let words = format!("two columns of one name ({name:?}) would be appended; choose another name");
            return Err(Error::Usage(words));
        }
        if self.to.is_some() && !framing.appends() {
            let words = "the new string goes into a column of a table or JSON lines; say which they are with --framing csv, tsv or \
                jsonl, or leave --to-column out";
            return Err(Error::Usage(words.into()));
        }
        if !names.is_empty() && !framing.appends() && !framing.is_lines() {
            let words = "columns are appended to lines, and to tables and JSON lines (--framing csv, tsv or jsonl)";
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
