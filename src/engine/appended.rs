//! Columns that are appended to rows and lines.

use super::solved_strings::SolvedStrings;
use crate::convert::{Conversion, Converted, Emit, Facts, RecordFacts};
use crate::error::Error;
use crate::framing::{Appends, Asked, Framing, NewName, Unsuited, Value};

/// A fact about a string that can be written in a column of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Added {
    /// The number of givens.
    Clues,
    /// The number of solutions.
    Solutions,
    /// The nodes of the search.
    Nodes,
    /// The kind that was detected.
    Kind,
    /// The format that was detected.
    Format,
    /// The only solution.
    Solution,
    /// Whether the givens are symmetric.
    Symmetric,
    /// The title of the puzzle.
    Title,
    /// The author of the puzzle.
    Author,
    /// The number of the first rung of a ladder of techniques that solves the puzzle.
    Grade,
    /// The name of this rung.
    GradeName,
    /// The key of the canonical form. This one and all that follow need canonical forms.
    Key,
    /// The map to the canonical form.
    Map,
    /// The number of automorphisms.
    Automorphisms,
    /// The number of records that are the same; only `dedupe` finds it.
    Count,
}

impl Added {
    /// The facts that any run can find.
    pub const ALL: [Self; 11] = [
        Self::Clues,
        Self::Solutions,
        Self::Nodes,
        Self::Kind,
        Self::Format,
        Self::Solution,
        Self::Symmetric,
        Self::Title,
        Self::Author,
        Self::Grade,
        Self::GradeName,
    ];

    /// The names that strings have beside their boards.
    pub const NAMES: [Self; 2] = [Self::Title, Self::Author];

    /// The name on the command line. It is also the name of the column unless another is given.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clues => "clues",
            Self::Solutions => "solutions",
            Self::Nodes => "nodes",
            Self::Kind => "kind",
            Self::Format => "format",
            Self::Solution => "solution",
            Self::Symmetric => "symmetric",
            Self::Title => "title",
            Self::Author => "author",
            Self::Grade => "grade",
            Self::GradeName => "grade-name",
            Self::Key => "key",
            Self::Map => "map",
            Self::Automorphisms => "automorphisms",
            Self::Count => "count",
        }
    }

    /// A line of help about it.
    pub fn about(self) -> &'static str {
        match self {
            Self::Clues => "the number of givens",
            Self::Solutions => {
                "the number of solutions; 2 means several, unless validate --max-solutions counts further"
            }
            Self::Nodes => {
                "search nodes for all solutions; 1 means that nothing had to be guessed; empty if the count stopped early"
            }
            Self::Kind => "the kind detected",
            Self::Format => "the format detected",
            Self::Solution => {
                "the solution, if there is only one, as 'gridmill solve' writes it: digits, or a v2 string"
            }
            Self::Symmetric => "whether the pattern of givens is unchanged by half a turn: true or false",
            Self::Title => "the title that the string says, which is then no loss",
            Self::Author => "the author that the string says, which is then no loss",
            Self::Grade => {
                "the techniques that a sudoku of side 9 needs, from 1 (box) to 11 (beyond); empty for other kinds and without exactly one solution"
            }
            Self::GradeName => {
                "the same as a name: box, hidden, single, locked, pair, subset, fish, wing, chain, net, beyond"
            }
            Self::Key => "the key of the canonical form",
            Self::Map => "the map to the canonical form",
            Self::Automorphisms => "the number of automorphisms",
            Self::Count => "how many records are the same",
        }
    }

    /// Adds to `facts` what has to be found out for it.
    fn needs(self, facts: &mut Facts) {
        match self {
            Self::Clues => facts.givens = true,
            Self::Symmetric => facts.symmetric = true,
            Self::Solutions | Self::Nodes => facts.search = true,
            Self::Solution => facts.solution = true,
            Self::Title => facts.title = true,
            Self::Author => facts.author = true,
            Self::Grade | Self::GradeName => facts.grade = true,
            Self::Key => facts.key = true,
            Self::Map => facts.map = true,
            Self::Automorphisms => facts.automorphisms = true,
            Self::Kind | Self::Format | Self::Count => {}
        }
    }
}

/// The columns that are appended to rows and lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Appended {
    /// The names of new columns (or fields of the outermost object) for the new strings of each column; the old strings
    /// stay. If empty, the new strings replace the old ones.
    pub to: Vec<String>,
    /// The facts to append about each string, and the name of the column for each. If there are strings in several
    /// columns, the name of the column and an underscore are put before it.
    pub added: Vec<(Added, String)>,
    /// The flag that names the column of the solution, for messages, if it is not `--add solution=NAME`.
    pub solution_flag: Option<&'static str>,
}

/// A column that is appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AppendedColumn {
    pub(super) content: ColumnContent,
    pub(super) name: String,
    /// The bytes before the value in each row: see [`RowWriter::label`].
    pub(super) label: Vec<u8>,
    /// The number of the column with the strings that it describes, from 0.
    pub(super) source: u16,
}

/// A column that is appended to a file with columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewColumn {
    pub(crate) content: ColumnContent,
    pub(crate) name: String,
    /// The flag that names the column.
    pub(crate) flag: String,
    /// The number of the column with the strings that it describes, from 0 in the order in which they were named.
    pub(crate) source: usize,
}

impl AppendedColumn {
    /// A column about the strings of the first column.
    pub(super) fn new(content: ColumnContent, name: String, framing: &dyn Framing) -> Self {
        let label = framing.label(&name);
        Self { content, name, label, source: 0 }
    }
}

/// The content of an appended column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnContent {
    /// The new string.
    String,
    /// A fact about the string.
    Added(Added),
}

impl ColumnContent {
    /// Whether the values are texts of any characters.
    pub(super) fn has_words(self) -> bool {
        matches!(self, Self::Added(Added::Title | Added::Author))
    }

    /// Returns a function that extracts the value from the facts about a record, if the value is a number or nothing.
    pub(super) fn number_getter(self) -> Option<fn(&RecordFacts) -> Option<u32>> {
        match self {
            Self::Added(Added::Clues) => Some(|facts| Some(facts.clues.into())),
            Self::Added(Added::Solutions) => Some(|facts| facts.solutions),
            Self::Added(Added::Nodes) => Some(|facts| facts.nodes),
            Self::Added(Added::Grade) => Some(|facts| facts.grade.map(|grade| grade.number().into())),
            _ => None,
        }
    }

    /// Returns the value for a record. `solved` has the solutions that are not written as digits.
    #[inline(always)]
    pub(super) fn value<'c>(self, converted: &'c Converted, solved: &'c SolvedStrings, record: usize) -> Value<'c> {
        let form = || converted.form(record);
        let number = |number: Option<u32>| number.map_or(Value::Nothing, Value::Number);
        let text = |text: &'c [u8]| if text.is_empty() { Value::Nothing } else { Value::Text(text) };
        let words = |text: &'c [u8]| if text.is_empty() { Value::Nothing } else { Value::Words(text) };
        match self {
            Self::String => Value::Text(converted.string(record)),
            Self::Added(Added::Clues) => Value::Number(converted.facts(record).clues.into()),
            Self::Added(Added::Symmetric) => Value::Truth(converted.facts(record).symmetric),
            Self::Added(Added::Solutions) => number(converted.facts(record).solutions),
            Self::Added(Added::Nodes) => number(converted.facts(record).nodes),
            Self::Added(Added::Grade) => number(converted.facts(record).grade.map(|grade| grade.number().into())),
            Self::Added(Added::GradeName) => {
                converted.facts(record).grade.map_or(Value::Nothing, |grade| Value::Text(grade.name().as_bytes()))
            }
            Self::Added(Added::Solution) => text(solved.of(converted, record)),
            Self::Added(Added::Title) => words(converted.title(record)),
            Self::Added(Added::Author) => words(converted.author(record)),
            Self::Added(Added::Key) => text(converted.key_text(record)),
            Self::Added(Added::Map) => text(converted.map(record)),
            Self::Added(Added::Automorphisms) => text(converted.automorphisms(record)),
            Self::Added(Added::Count) => Value::Nothing,
            Self::Added(Added::Format) => Value::Text(form().map_or(b"", |form| form.id.name().as_bytes())),
            Self::Added(Added::Kind) => Value::Text(form().map_or(b"", |form| form.shape.kind.name().as_bytes())),
        }
    }
}

impl Appended {
    /// Returns the name of a new column for each of these columns: the name itself if there is one column, otherwise
    /// with the name of the column before it.
    pub fn for_each(name: &str, columns: &[String]) -> impl Iterator<Item = String> {
        let several = columns.len() > 1;
        columns.iter().map(move |column| if several { format!("{column}_{name}") } else { name.to_string() })
    }

    /// Returns the flag that names a column with this content.
    fn flag(&self, content: ColumnContent) -> String {
        match (content, self.solution_flag) {
            (ColumnContent::String, _) => "--to-column NAME".into(),
            (ColumnContent::Added(Added::Solution), Some(flag)) => flag.into(),
            (ColumnContent::Added(added @ (Added::Key | Added::Map | Added::Automorphisms | Added::Count)), _) => {
                format!("--{}=NAME", added.name())
            }
            (ColumnContent::Added(added), _) => format!("--add {}=NAME", added.name()),
        }
    }

    /// Returns what is appended, in order, to rows with strings in these columns: the content, the number of the column
    /// that it describes, and the name.
    fn to_columns(&self, columns: &[String]) -> Vec<(ColumnContent, u16, String)> {
        let mut all: Vec<_> = (0..).zip(&self.to).map(|(of, to)| (ColumnContent::String, of, to.clone())).collect();
        for (what, name) in &self.added {
            all.extend(
                (0..).zip(Self::for_each(name, columns)).map(|(of, name)| (ColumnContent::Added(*what), of, name)),
            );
        }
        // Facts about the same column are adjacent.
        let strings = self.to.len();
        all[strings..].sort_by_key(|(_, of, _)| *of);
        all
    }

    /// Returns the columns that are appended in this framing, in order.
    pub(super) fn columns(&self, framing: &dyn Framing) -> Vec<AppendedColumn> {
        let all = self.to_columns(&framing.columns()).into_iter();
        all.map(|(what, of, name)| AppendedColumn { source: of, ..AppendedColumn::new(what, name, framing) }).collect()
    }

    /// Returns the names of these columns.
    pub(super) fn names(&self, framing: &dyn Framing) -> Vec<NewName> {
        let new = |column: AppendedColumn| NewName { name: column.name, flag: self.flag(column.content) };
        self.columns(framing).into_iter().map(new).collect()
    }

    /// Returns the columns that are appended to files with columns. The strings are in `columns`.
    ///
    /// # Errors
    /// Names are missing, or two are the same.
    pub(super) fn of_files(&self, columns: &[String]) -> Result<Vec<NewColumn>, Error> {
        if columns.is_empty() {
            // The reader of the file reports this, with the columns that it has.
            return Ok(Vec::new());
        }
        self.is_for_each(columns.len())?;
        let all = self.to_columns(columns).into_iter();
        let new = |(what, of, name)| NewColumn { content: what, name, flag: self.flag(what), source: u16::into(of) };
        let all: Vec<_> = all.map(new).collect();
        let names = all.iter().map(|new| NewName { name: new.name.clone(), flag: new.flag.clone() });
        Self::are_distinct(&names.collect::<Vec<_>>())?;
        Ok(all)
    }

    /// Checks that there is a new column for each of these columns with strings, or for none.
    fn is_for_each(&self, columns: usize) -> Result<(), Error> {
        if self.to.is_empty() || self.to.len() == columns {
            return Ok(());
        }
        let names = self.to.len();
        let words = format!(
            "--to-column is needed once for each column with strings, or not at all: got {names} for {columns}"
        );
        Err(Error::Usage(words))
    }

    /// Returns what has to be found out about each string.
    pub(super) fn facts(&self, emit: Emit) -> Facts {
        let mut facts = Facts::default();
        self.added.iter().for_each(|(what, _)| what.needs(&mut facts));
        facts.key |= emit == Emit::Key;
        facts
    }

    /// Checks that these columns can be appended in this framing and with this plan.
    ///
    /// # Errors
    /// [`Error::Usage`] says what is wrong.
    pub(super) fn check(&self, framing: &dyn Framing, plan: &Conversion) -> Result<(), Error> {
        let names = self.names(framing);
        if framing.facts().appends == Appends::Named {
            self.is_for_each(framing.columns().len())?;
        }
        if !self.to.is_empty() && framing.facts().appends != Appends::Named {
            let words = "new strings can be appended only to tables and JSON lines; choose one with --framing csv, tsv or \
                jsonl, or leave --to-column out";
            return Err(Error::Usage(words.into()));
        }
        let appends = framing.facts().appends;
        if appends == Appends::Nothing && self.added.iter().any(|added| Added::NAMES.contains(&added.0)) {
            let words = "titles and authors can be kept only beside strings on lines, words, in tables, JSON lines, files of other \
                programs, parquet and arrow files; put each string or link on a line of its own (--framing lines)";
            return Err(Error::Usage(words.into()));
        }
        let are_titles = appends == Appends::Titles && self.added.iter().all(|added| Added::NAMES.contains(&added.0));
        if are_titles && !names.is_empty() && plan.emit == Emit::AsTheyAre {
            let words = "titles and authors can be kept beside new strings of files, not in their text, which is written as it is; use \
                'gridmill convert'";
            return Err(Error::Usage(words.into()));
        }
        if !names.is_empty() && appends < Appends::Values && !are_titles {
            let words = "columns can be appended only to lines, words, tables and JSON lines (--framing lines, words, csv, tsv or \
                jsonl), and to parquet and arrow files; 'gridmill convert --framing grid' turns grids into lines";
            return Err(Error::Usage(words.into()));
        }
        // Framings that take no others refuse all names.
        framing.check(&asked(plan, if are_titles { &[] } else { &names })).map_err(Error::Usage)?;
        Self::are_distinct(&names)
    }

    /// Checks that all names are present and distinct.
    fn are_distinct(names: &[NewName]) -> Result<(), Error> {
        if let Some(NewName { flag, .. }) = names.iter().find(|new| new.name.is_empty()) {
            return Err(Error::Usage(format!("an appended column needs a name: {flag}")));
        }
        let mut news = names.iter().enumerate();
        if let Some((_, NewName { name, flag })) =
            news.find(|(at, new)| names[..*at].iter().any(|other| other.name == new.name))
        {
            let words = format!("two appended columns would have the same name ({name:?}); rename one with {flag}");
            return Err(Error::Usage(words));
        }
        Ok(())
    }
}

/// Returns what the framing has to know of a plan.
pub(super) fn asked<'a>(plan: &Conversion, names: &'a [NewName]) -> Asked<'a> {
    Asked { from: plan.from, hints: plan.hints, lossy: plan.lossy, names }
}

/// Converts an error of a framing to an error of the run.
pub(super) fn unsuited(unsuited: Unsuited, path: &std::path::Path) -> Error {
    match unsuited {
        Unsuited::Asked(words) => Error::Usage(words),
        other => Error::file(path, other.into_message()),
    }
}
