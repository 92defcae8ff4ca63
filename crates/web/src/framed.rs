//! The framing of a text, as requested or guessed from its first lines. Cuts the text into pieces of whole rows.

use gridmill_core::convert::Conversion;
use gridmill_core::error::escape;
use gridmill_core::formats::{Hints, Within};
use gridmill_core::framing::chunk::{Cut, Limits, cut};
use gridmill_core::framing::cutter::{Cutter, TextBefore};
use gridmill_core::framing::table::quotes::Quotes;
use gridmill_core::framing::{
    Appends, Asked, BYTE_ORDER_MARK, Framing, Guess, MAX_ROW, NamedFraming, NamedPlace, NewName, Piece, REGISTRY,
    RecordSort, Unsuited, guess,
};
use gridmill_core::kernels::{self, Kernel};

use crate::options::CallOptions;

/// The size of a piece. The reject rows for so many bytes of bad records fit in memory.
const PIECE: usize = 128 << 10;

/// How many bytes are examined to guess the framing.
pub(crate) const GUESS_WINDOW: usize = 64 << 10;

/// The framings that are tables with columns.
pub(crate) const CSV_AND_TSV: [&str; 2] = ["csv", "tsv"];

/// The longest piece that cannot be cut.
const LARGEST: usize = 64 << 20;

/// The framing of a text.
#[derive(Debug)]
pub(crate) struct FramedText {
    framing: Box<dyn Framing>,
    /// Where its strings are.
    pub(crate) within: Within,
    /// The equivalent flags of the program.
    pub(crate) flags: String,
    /// The column that solutions are appended in, if they do not replace their puzzles.
    pub(crate) solution: Option<SolutionColumn>,
}

/// A column or field for solutions.
#[derive(Debug)]
pub(crate) struct SolutionColumn {
    pub(crate) name: [NewName; 1],
    /// The bytes before the value in each row.
    pub(crate) label: Vec<u8>,
}

/// A piece that was cut off.
#[derive(Debug)]
pub(crate) struct CutPiece {
    /// Its length.
    pub(crate) end: usize,
    quotes: Option<Quotes>,
    before: TextBefore,
}

/// Cuts a text into pieces of whole rows, in order.
pub(crate) struct PieceCutter {
    cutter: Option<Box<dyn Cutter>>,
}

impl FramedText {
    /// The requested framing, or the one of a text that begins with `text`. `whole` says that `text` is all of it.
    ///
    /// # Errors
    /// It cannot be guessed, or contradicts other options.
    pub(crate) fn new(options: &CallOptions, plan: &Conversion, text: &[u8], whole: bool) -> Result<Self, String> {
        let found = guessed(options, plan, text, whole)?;
        let entry = NamedFraming::named(found.framing).ok_or_else(|| unknown(found.framing))?;
        let framing = make(entry, &found, plan, options.records.framing.is_none())?;
        if plan.emit.solves() && entry.records == RecordSort::Links {
            return Err("solutions cannot be written into links; put each puzzle on a line of its own".into());
        }
        if plan.canonical.is_some() && framing.facts().keeps_refused {
            return Err("links and values in XML cannot be left out of the text around them".into());
        }
        let solution = (plan.emit.solves() && framing.facts().appends == Appends::Named).then(|| {
            let name = options.records.to_column.clone().unwrap_or_else(|| "solution".into());
            SolutionColumn { name: [NewName { name, flag: "--to-column NAME".into() }], label: Vec::new() }
        });
        framing.check(&asked(plan, solution.as_ref()))?;
        Ok(Self { framing, within: entry.within, flags: found.flags(), solution })
    }

    pub(crate) fn framing(&self) -> &dyn Framing {
        &*self.framing
    }

    /// Processes the start of the first piece, from `start` on, after the byte order mark. Returns the end of its
    /// header.
    ///
    /// # Errors
    /// The piece is not in this framing.
    pub(crate) fn begin(&mut self, piece: &Piece, plan: &Conversion) -> Result<usize, String> {
        self.framing.begin(piece, &asked(plan, self.solution.as_ref())).map_err(Unsuited::into_message)?;
        if let Some(solution) = &mut self.solution {
            solution.label = self.framing.label(&solution.name[0].name);
        }
        Ok(self.framing.header(piece.text))
    }

    /// The cutter for a text in this framing.
    pub(crate) fn cutter(&self) -> PieceCutter {
        PieceCutter { cutter: self.framing.cutter(kernels::best()) }
    }
}

impl PieceCutter {
    /// Cuts off the piece at the start of `text`; `None` if more text is needed to find its end.
    ///
    /// # Errors
    /// A row is too long, or a quote is never closed.
    pub(crate) fn next(&mut self, text: &[u8], last: bool) -> Result<Option<CutPiece>, String> {
        let limits = Limits { size: PIECE, line: MAX_ROW };
        let before = self.cutter.as_ref().map(|cutter| cutter.before()).unwrap_or_default();
        let Some(Cut { end, open }) = (match &mut self.cutter {
            Some(cutter) => cutter.cut(text, last, limits),
            None => cut(text, last, limits),
        }) else {
            // Other framings cut texts of this length.
            if text.len() > LARGEST {
                return Err(format!(
                    "{} MiB of grids without a line of text or a blank line after nine rows; the program accepts more",
                    LARGEST >> 20
                ));
            }
            return Ok(None);
        };
        let quotes = self.cutter.as_mut().and_then(|cutter| cutter.take_quotes());
        if open {
            return Err(format!("a line has more than {MAX_ROW} bytes; no puzzle string is that long"));
        }
        if quotes.as_ref().is_some_and(|quotes| quotes.unclosed.is_some()) {
            return Err("a quote is not closed, and it is unclear where the next row begins; repair the table".into());
        }
        Ok(Some(CutPiece { end, quotes, before }))
    }
}

impl CutPiece {
    /// The input for finding rows. `text` begins `start` bytes after the start of the piece.
    pub(crate) fn piece<'t>(&'t self, text: &'t [u8], start: usize, kernel: &'static Kernel) -> Piece<'t> {
        Piece { text, start, quotes: self.quotes.as_ref(), kernel, before: self.before }
    }
}

/// The length of the byte order mark.
pub(crate) fn mark(text: &[u8]) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// The requested or guessed framing, with its options.
fn guessed(options: &CallOptions, plan: &Conversion, text: &[u8], whole: bool) -> Result<Guess, String> {
    let puzzles = matches!(&*options.command, "validate" | "solve" | "dedupe");
    let place =
        NamedPlace { column: options.records.column.as_deref(), field: options.records.field.as_deref(), puzzles };
    let ending = options.records.name.as_deref().and_then(|name| Some(name.rsplit_once('.')?.1));
    match options.records.framing.as_deref() {
        Some(name) => Ok(Guess {
            framing: NamedFraming::named(name).ok_or_else(|| unknown(name))?.name,
            column: options.records.column.clone(),
            field: options.records.field.clone(),
            delimiter: options.records.delimiter,
            no_header: options.records.no_header,
            ..Guess::default()
        }),
        None if plan.from.is_some() => Ok(Guess { framing: "lines", ..Guess::default() }),
        None => guess(text, ending, whole, &place).map_err(|unsure| unsure.to_string()),
    }
}

/// The framing for a guess, which is `guessed` or requested.
fn make(entry: &NamedFraming, found: &Guess, plan: &Conversion, guessed: bool) -> Result<Box<dyn Framing>, String> {
    (entry.make)(&gridmill_core::framing::Options {
        columns: found.column.iter().cloned().collect(),
        fields: found.field.iter().cloned().collect(),
        solution_columns: Vec::new(),
        solution_fields: Vec::new(),
        delimiter: found.delimiter,
        no_header: found.no_header,
        null: None,
        hints: Hints { kind: None, ..plan.hints },
        to: plan.written_as(),
        guessed,
    })
}

fn asked<'a>(plan: &Conversion, solution: Option<&'a SolutionColumn>) -> Asked<'a> {
    let names = solution.map_or(&[][..], |solution| &solution.name);
    Asked { from: plan.from, hints: plan.hints, lossy: plan.lossy, names }
}

fn unknown(name: &str) -> String {
    format!("no framing is named '{}'; framings: auto, {}", escape(name.as_bytes()), names().join(", "))
}

/// The names of all framings.
pub(crate) fn names() -> Vec<&'static str> {
    REGISTRY.iter().map(|entry| entry.name).collect()
}
