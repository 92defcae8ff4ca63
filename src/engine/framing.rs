//! How records stand in the text, and what is written beside them.

use std::borrow::Cow;
use std::ops::Range;

use crate::board::{Batch, Cell, Kind, Shape, Side};
use crate::convert::{Conversion, Emit};
use crate::error::{Error, Reject, escape};
use crate::formats::{Hints, Id, recognise, write_one};
use crate::framing::cutter::Cutter;
use crate::framing::links::{Linked, Links};
use crate::framing::table::quotes::Quotes;
use crate::framing::{GridCell, Grids, MAX_LINE, MAX_ROW, Pointer, Row, Rows, Table};
use crate::source::Chunk;

/// How records stand in the text (docs/CLI.md, "Records").
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Framing {
    /// One a line.
    #[default]
    Lines,
    /// In a column of a table.
    Table {
        /// What stands between two fields.
        delimiter: u8,
        /// Fields may be quoted: CSV, else TSV.
        quotes: bool,
        /// The first row has the names of the columns.
        header: bool,
        /// Which column it is.
        column: Column,
    },
    /// At a pointer of each line of JSON: a string, or an array of strings.
    Json(Pointer),
    /// In links inside text, which are never left out.
    Links(Links),
    /// Sudokus over several lines. Each becomes a line.
    Grid,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// By its number, from 1.
    Number(usize),
    /// By its name in the header.
    Name(String),
}

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
    fn names(&self, emit: Emit) -> Vec<String> {
        self.columns(emit).into_iter().map(|(_, name)| name).collect()
    }
}

impl Framing {
    /// The longest record.
    pub(super) fn longest(&self) -> usize {
        if matches!(self, Self::Lines) { MAX_LINE } else { MAX_ROW }
    }

    /// What says where a chunk may end, if not every line end will do.
    pub(super) fn cutter(&self) -> Option<Cutter> {
        match self {
            Self::Table { delimiter, quotes: true, .. } => Some(Cutter::quotes(*delimiter)),
            Self::Links(_) => Some(Cutter::serialized()),
            _ => None,
        }
    }

    /// Checks what goes together.
    ///
    /// # Errors
    /// [`Error::Usage`] says what does not.
    pub(super) fn check(&self, appended: &Appended, plan: &Conversion) -> Result<(), Error> {
        let usage = |message: &str| Err(Error::Usage(message.into()));
        let names = appended.names(plan.emit);
        let any = !names.is_empty();
        if names.iter().enumerate().any(|(at, name)| names[..at].contains(name)) {
            return usage("two columns of one name would be appended; choose another name");
        }
        match self {
            Self::Lines | Self::Links(_) | Self::Grid if *appended != Appended::default() => usage(
                "columns are appended to tables and JSON lines; say which they are with --framing csv, tsv or jsonl",
            ),
            Self::Table { delimiter: b'\n' | b'\r' | b'"', .. } => usage("a line end or a quote is no delimiter"),
            Self::Table { column: Column::Number(0), .. } => usage("columns are numbered from 1"),
            Self::Table { header: false, column: Column::Name(name), .. } => {
                usage(&format!("without a header there is no column {name:?}; give its number"))
            }
            Self::Links(_) | Self::Grid if plan.from.is_some() => {
                usage("grids are in no format, and each link is read for itself; leave --from out")
            }
            Self::Links(_) if plan.hints.kind.is_some() => {
                usage("the page of a link says the kind of its board; leave --kind out")
            }
            Self::Links(_) | Self::Grid if any => {
                usage("a solution cannot be appended to a link or a grid; leave --solutions out")
            }
            Self::Json(pointer) if any && pointer.is_whole_line() => {
                usage("where the whole line is the string, nothing can be appended; give a pointer with --field")
            }
            _ => Ok(()),
        }
    }

    /// The framing with what the first row of the first input says.
    ///
    /// # Errors
    /// The column is not there; a column that is to be appended is; or the header looks like a record.
    pub(super) fn settle(
        self,
        first: &[u8],
        seen: Option<&Quotes>,
        appended: &Appended,
        plan: &Conversion,
    ) -> Result<Settled, Error> {
        let names = appended.names(plan.emit);
        let (delimiter, quotes, has_header, column) = match self {
            Self::Lines => return Ok(Settled::Lines),
            Self::Json(pointer) => return Ok(Settled::Json(pointer.with_fresh(names))),
            Self::Links(_) if first.starts_with(b"%PDF") => {
                let message =
                    "the input is a PDF, in which nothing may change its length; take the text that it was made of";
                return Err(Error::Usage(message.into()));
            }
            Self::Links(links) => return Ok(Settled::Links(links)),
            Self::Grid => return Ok(Settled::Grid(plan.hints.kind)),
            Self::Table { delimiter, quotes, header, column } => (delimiter, quotes, header, column),
        };
        let number = if let Column::Number(number) = column { number - 1 } else { 0 };
        let mut table = Table { delimiter, quotes, column: number, width: None };
        let (found, next) = table.header(first);
        table.width = match seen {
            Some(seen) => seen.width,
            None => Some(found.len()).filter(|_| !matches!(first, [] | [b'\n', ..] | [b'\r', b'\n', ..])),
        };
        if !has_header {
            return Ok(Settled::Table { table, header: None });
        }
        let shown = |name: &[u8]| escape(&name[..name.len().min(100)]);
        if let Column::Name(name) = &column {
            let mut places = (0..found.len()).filter(|&place| *found[place] == *name.as_bytes());
            table.column = match (places.next(), places.next()) {
                (Some(place), None) => place,
                (None, _) => {
                    let all: Vec<_> = found.iter().map(|name| shown(name)).collect();
                    let (name, all) = (escape(name.as_bytes()), all.join(", "));
                    return Err(Error::Usage(format!("there is no column {name:?}; the first row has: {all}")));
                }
                _ => {
                    let name = escape(name.as_bytes());
                    return Err(Error::Usage(format!("there are two columns {name:?}; give the number of one")));
                }
            };
        } else if found.get(number).is_some_and(|name| recognise(name, plan.from, &plan.hints).is_ok()) {
            let message =
                "the first row looks like a record, not like the names of columns; say --no-header if it is one";
            return Err(Error::Usage(message.into()));
        }
        if let Some(name) = found.iter().find(|name| ends_in_record(name, &plan.hints)) {
            return Err(Error::Usage(format!(
                "the first row has a record in it, {:?}; give it its line end, or say --no-header if it is a record itself",
                shown(name)
            )));
        }
        if let Some(name) = names.iter().find(|name| found.contains(&Cow::Borrowed(name.as_bytes()))) {
            return Err(Error::Usage(format!("there is a column {:?} already", escape(name.as_bytes()))));
        }
        let header = Some(first[..next].to_vec());
        Ok(Settled::Table { table, header })
    }
}

/// Whether a field of a table has a record at its end: it is one, or what separated it from one is missing.
fn ends_in_record(field: &[u8], hints: &Hints) -> bool {
    /// The shortest record, and as many bytes as any has that is looked for.
    const LENGTHS: Range<usize> = 20..3000;
    let field = field.strip_suffix(b"\"").unwrap_or(field);
    // No record has other bytes.
    let start = field.iter().rposition(|byte| !byte.is_ascii_graphic() || *byte == b'"').map_or(0, |at| at + 1);
    let end = &field[start.max(field.len().saturating_sub(LENGTHS.end))..];
    (0..(end.len() + 1).saturating_sub(LENGTHS.start)).any(|start| recognise(&end[start..], None, hints).is_ok())
}

/// A framing of which everything is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// One a line.
    Lines,
    /// In a column of a table, whose inputs all begin with the header, if there is one.
    Table {
        /// How to read it.
        table: Table,
        /// The first row, with its line end.
        header: Option<Vec<u8>>,
    },
    /// In lines of JSON.
    Json(Pointer),
    /// In links.
    Links(Links),
    /// Over several lines, of this kind if it is said.
    Grid(Option<Kind>),
}

impl Settled {
    /// Finds the rows of whole rows of text, which begins at byte `start` of its chunk. `all` takes those without a string, too.
    pub(super) fn rows(
        &self,
        text: &[u8],
        (chunk, start): (&Chunk, usize),
        plan: &Conversion,
        all: bool,
        rows: &mut Rows,
    ) {
        match self {
            Self::Lines => {}
            Self::Table { table, .. } => {
                let quotes = chunk.quotes.as_ref();
                let spoiled = quotes.map_or(&[][..], |quotes| &quotes.spoiled).iter();
                let within = spoiled.filter(|row| row.start >= start && row.end <= start + text.len());
                let spoiled: Vec<_> = within.map(|row| row.start - start..row.end - start).collect();
                // Most tables have no quotes, and then none has to be looked for in each row.
                let any = table.quotes && quotes.is_none_or(|quotes| quotes.any);
                let record = |field: &[u8]| ends_in_record(field, &plan.hints);
                Table { quotes: any, ..*table }.rows(text, &spoiled, all, &record, rows);
            }
            Self::Json(pointer) => pointer.rows(text, all, rows),
            Self::Links(links) => link_rows(links, text, rows),
            Self::Grid(kind) => grid_rows(*kind, text, rows),
        }
    }
}

/// Links as rows whose strings are their boards in version 2, which says the kind that the page says.
fn link_rows(links: &Links, text: &[u8], rows: &mut Rows) {
    let (mut counted, mut line) = (0, 0);
    for Linked { start, end, board } in links.boards(text) {
        line += memchr::memchr_iter(b'\n', &text[counted..start]).count() as u32;
        counted = start;
        let (start, end) = (start as u32, end as u32);
        rows.take_string(Row { start, end, next: end, line, fields: 0, list: false }, board);
    }
    rows.lines = lines(text);
}

/// Grids as rows whose strings are their boards: plain ones, if all they have are digits, else version 2. What stands between
/// them is counted.
fn grid_rows(kind: Option<Kind>, text: &[u8], rows: &mut Rows) {
    let mut grids = Grids::new(text);
    for block in &mut grids {
        let (start, end, next) = (block.start as u32, block.end as u32, block.next as u32);
        let string = block.cells.and_then(|cells| grid_string(&cells, kind));
        let row = Row { start, end, next, line: block.line as u32, fields: 0, list: false };
        rows.take_string(row, string);
    }
    rows.text = grids.lines_of_text();
    rows.lines = lines(text);
}

fn grid_string(cells: &[GridCell; 81], kind: Option<Kind>) -> Result<String, Reject> {
    let digit = |cell: &GridCell| match cell {
        GridCell::Empty => Some('0'),
        GridCell::Given(digit) => Some(char::from(b'0' + digit)),
        GridCell::Solved(_) | GridCell::Candidates(_) => None,
    };
    if let Some(plain) = cells.iter().map(digit).collect() {
        return Ok(plain);
    }
    let mut batch = Batch::new();
    batch.reset(Shape::new(kind.filter(|kind| kind.is_plain()).unwrap_or(Kind::Sudoku), Side::NINE), 1);
    for (at, &cell) in cells.iter().enumerate() {
        batch.set_cell(
            0,
            at,
            match cell {
                GridCell::Empty => Cell::Empty,
                GridCell::Given(digit) => Cell::Clue(digit),
                GridCell::Solved(digit) => Cell::Solved(digit),
                GridCell::Candidates(set) => Cell::Candidates(set.into()),
            },
        );
    }
    write_one(&batch, 0, Id::V2)
}

/// The lines of a text, the last one with or without its end.
pub(super) fn lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64 + u64::from(text.last().is_some_and(|&byte| byte != b'\n'))
}
