//! What can be typed. What is meant by it is worked out where it is used.

use std::path::PathBuf;

use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::startup;
use crate::board::{Kind, Notes, Side};
use crate::engine::{self, Bad, Column, Conversion, EFFORT, Level};
use crate::formats::{Flavour, Hints, Id, REGISTRY};
use crate::make::Mix;
use crate::output::zstd::{DEFAULT_LEVEL, LEVELS};
use crate::records::Pointer;
use crate::relink;
use crate::source::{Input, Reading};

/// Convert, check and measure databases of number-puzzle strings.
#[derive(Debug, Parser)]
#[command(
    name = "gridmill",
    version,
    max_term_width = 100,
    after_help = "Examples:
  gridmill convert boards.txt -o boards-v2.txt      any strings to v2
  zcat boards.gz | gridmill convert > boards.txt    in a pipe
  gridmill validate --level unique puzzles.txt      which are no good, and why
  gridmill gen --count 1000000 --format v1 -o test.txt
  gridmill formats                                  what is read and written

'gridmill COMMAND --help' says more. Exit codes: 0 all good; 1 some records were rejected; 2 the run could not be done.
GRIDMILL_KERNEL=scalar|avx2|avx512|neon forces the kernels (see --version)."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Re-encode strings: anything to v2 by default.
    Convert(Box<Convert>),
    /// Check strings and puzzles: that they can be read, obey the rules, have one solution.
    Validate(Box<Validate>),
    /// Rewrite links to boards inside text: their strings become v2.
    Relink(Relink),
    /// Re-encode a column of a database, in place: its strings become v2.
    #[command(after_help = "Examples:
  gridmill migrate sqlite site.db --table boards --column puzzle
  gridmill migrate postgres postgres://me@localhost/site --table boards --column puzzle --yes

Without --yes nothing is written. Rows are written in batches, each a transaction that also notes in a table
gridmill_migration what it did; a run that was interrupted goes on there, and one that finished finds nothing to do. Rows whose
string is refused stay as they are, as do NULLs, version 2 strings and, without --plain, plain ones. At the end every row is read
back and compared. Exit codes: 0 all good, 1 some rows were rejected, 2 it could not be done.")]
    Migrate(Migrate),
    /// Make valid puzzles and boards, repeatably.
    Gen(Box<Generate>),
    /// Draw boards in the terminal, as SVG or as JSON.
    Show(Show),
    /// Measure this machine: formats, kernels and threads, against memcpy.
    Bench(Bench),
    /// The table of formats.
    Formats(Formats),
    /// Shell completions.
    Completions(Completions),
    /// The manual page.
    Man(Man),
}

#[derive(Debug, Args)]
pub(super) struct Migrate {
    #[command(subcommand)]
    pub(super) target: MigrateTarget,
}

#[derive(Debug, Subcommand)]
pub(super) enum MigrateTarget {
    /// A column of a SQLite database.
    #[command(after_help = "Examples:
  gridmill migrate sqlite site.db --table boards --column puzzle          what would become of it
  gridmill migrate sqlite site.db --table boards --column puzzle --yes    do it
  gridmill migrate sqlite site.db --table boards --column puzzle --to-column puzzle_v2 --yes")]
    Sqlite {
        /// The database file.
        #[arg(value_name = "FILE")]
        file: PathBuf,

        #[command(flatten)]
        flags: Box<MigrateFlags>,
    },
    /// A column of a PostgreSQL database.
    #[command(after_help = "Examples:
  gridmill migrate postgres postgres://me@localhost/site --table boards --column puzzle          what would become of it
  gridmill migrate postgres postgres://me@localhost/site --table boards --column puzzle --yes    do it
  gridmill migrate postgres 'host=/run/postgresql user=me dbname=site' --table app.boards --column puzzle

A password is taken from PGPASSWORD if the URL has none; it is never printed. Connections are not encrypted: use a local one, or
a tunnel.")]
    Postgres {
        /// Where the database is: postgres://USER@HOST/DATABASE or 'host=... user=... dbname=...'.
        #[arg(value_name = "URL")]
        url: String,

        #[command(flatten)]
        flags: Box<MigrateFlags>,
    },
}

/// What `migrate` has for every database.
#[derive(Debug, Args)]
pub(super) struct MigrateFlags {
    /// The table.
    #[arg(long, value_name = "TABLE")]
    pub(super) table: String,

    /// The column with the strings.
    #[arg(long, value_name = "COLUMN")]
    pub(super) column: String,

    /// Write the new strings to this column, which has to be there, instead of replacing the old ones.
    #[arg(long, value_name = "COLUMN")]
    pub(super) to_column: Option<String>,

    /// A column that names each row, with a unique index (default: the primary key, or SQLite's row number).
    #[arg(long, value_name = "COLUMN")]
    pub(super) key: Option<String>,

    /// Write; else only what would become of the rows is said.
    #[arg(long, conflicts_with = "dry_run")]
    pub(super) yes: bool,

    /// Write nothing, as without --yes.
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Rewrite plain strings too.
    #[arg(long)]
    pub(super) plain: bool,

    /// The format of the strings; 'auto' decides for each.
    #[arg(long, value_parser = from_parser(), default_value = "auto", value_name = "FORMAT", hide_possible_values = true,
          long_help = format!("The format of the strings; 'auto' decides for each.\n[possible values: auto, {}]", format_names()))]
    pub(super) from: From,

    /// The kind of strings that do not say it.
    #[arg(long, value_parser = kind_parser())]
    pub(super) kind: Option<Kind>,

    #[command(flatten)]
    pub(super) str8ts: Str8tsFlags,

    /// Convert boards that lose something, and count what is lost.
    #[arg(long)]
    pub(super) lossy: bool,

    /// Rows of a transaction.
    #[arg(long, default_value_t = 50_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) batch: u32,

    /// How long others that write are waited for.
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=86_400))]
    pub(super) wait: u32,

    /// Where rejected rows go; '-' is stdout (default: stderr).
    #[arg(long, value_name = "FILE")]
    pub(super) rejects: Option<PathBuf>,

    /// Write what was done as JSON; '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    /// Replace these files if they exist.
    #[arg(short, long)]
    pub(super) force: bool,

    /// No summary and no progress.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill convert old.txt -o new.txt           v1, v0 and plain strings, mixed, to v2; bad ones to new.txt.rejects.tsv
  gridmill convert old.txt.zst -o new.txt.zst   compressed both ways
  gridmill convert --to v1 --lossy new.txt      back to v1; what v1 cannot hold is changed and counted
  gridmill convert --kind sudoku-x clues.txt    for strings that do not say their kind
  gridmill convert --notes auto clues.txt       with candidates filled in
  gridmill convert --framing csv --column board boards.csv -o new.csv
  gridmill convert --framing jsonl --field /board --to-column board_v2 boards.jsonl

One output at a time may be on stdout: with '--report -' name a file with -o. './-' is a file of that name.
In tables and JSON lines everything outside of the strings is copied as it is. Rows whose field is empty or NULL (\\N, null)
are copied; rows without the field are rejected.")]
pub(super) struct Convert {
    #[command(flatten)]
    pub(super) input: InputFlags,

    #[command(flatten)]
    pub(super) output: OutputFlags,

    /// The format of the output.
    #[arg(long, value_parser = format_parser(), default_value = "v2", value_name = "FORMAT")]
    pub(super) to: Id,

    /// Append the new string to the row, as a column (csv, tsv) or field (jsonl) of this name, instead of replacing the old one.
    #[arg(long, value_name = "NAME")]
    pub(super) to_column: Option<String>,

    /// Append two columns or fields, 'format' and 'kind': what the string was found to be.
    #[arg(long)]
    pub(super) add_kind: bool,

    /// What happens to candidates: 'none' drops them, 'full' gives every cell that is not placed all of them, 'auto' gives
    /// empty cells what the placed digits leave.
    #[arg(long, value_parser = notes_parser(), default_value = "keep")]
    pub(super) notes: Notes,

    /// The layout in which v2 Str8ts strings are written.
    #[arg(long, value_enum, default_value = "spec", value_name = "LAYOUT")]
    pub(super) str8ts_write: WriteLayout,

    /// Convert boards that lose something, and count what is lost.
    #[arg(long)]
    pub(super) lossy: bool,

    /// Convert only boards that obey the rules, or have one solution: see 'gridmill validate --help'.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(super) check: Option<CheckLevel>,

    /// What happens to bad records: 'reject' leaves them out, 'keep' copies them, 'stop' ends the run; all report them.
    #[arg(long, value_parser = bad_parser(), default_value = "reject")]
    pub(super) bad: Bad,

    /// Where rejected records go; '-' is stdout (default: OUT.rejects.tsv beside a file output, else stderr).
    #[arg(long, value_name = "FILE")]
    pub(super) rejects: Option<PathBuf>,

    /// List the cells that v0 and v1 hold as solved and that may have been single candidates; '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) list_solved: Option<PathBuf>,

    /// Write what was done as JSON; '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill validate boards.txt                       every record that breaks a rule, as a row of TSV
  gridmill validate --level unique --all boards.txt  and those without exactly one solution; every problem
  gridmill validate --level syntax -q *.txt          only whether all can be read: look at the exit code
  gridmill validate --level unique --solutions -o solved.txt puzzles.txt   good puzzles, a tab, the solution
  gridmill validate --report report.json -o good.txt --rejects bad.tsv boards.txt

One output at a time may be on stdout: with '-o -' or '--report -' name a file with --rejects.
A row: input, line (from 1), byte (from 0), cell, code, message, record. Codes of validation: duplicate, no-candidate, region,
sum, operator, straight, no-solution, many-solutions, wrong-progress, undecided. Warnings (stale candidates, regions in pieces)
are counted, and shown with --all; they do not refuse a record. Exit codes: 0 all good, 1 some are not, 2 the run could not be done.")]
pub(super) struct Validate {
    #[command(flatten)]
    pub(super) input: InputFlags,

    /// How far boards are checked: that they can be read; that they obey the rules of their kind; that the givens have exactly
    /// one solution and the rest agrees with it.
    #[arg(long, value_enum, default_value = "rules", value_name = "LEVEL")]
    pub(super) level: ValidateLevel,

    /// Report all problems of a record, and warnings; not only its first problem.
    #[arg(long)]
    pub(super) all: bool,

    /// Count solutions up to this many, 2 to 10000.
    #[arg(long, default_value_t = 2, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub(super) max_solutions: u32,

    /// Nodes that the search for solutions may take for each puzzle; over it the verdict is 'undecided'.
    #[arg(long, default_value_t = EFFORT, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) effort: u32,

    /// Write the solution behind each good record of the output: after a tab, or as a column or field 'solution'.
    #[arg(long, requires = "output")]
    pub(super) solutions: bool,

    /// Where the rows of bad records go; '-' is stdout (default).
    #[arg(long, value_name = "FILE")]
    pub(super) rejects: Option<PathBuf>,

    /// Write what was found as JSON: counts by kind, format, code and number of givens; '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    #[command(flatten)]
    pub(super) output: OutputFlags,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill relink site/                        what would change in the files of a folder, as a diff
  gridmill relink --write site/ dump.sql       change it
  gridmill relink < page.html > new.html       in a pipe

A link is an address at sudokuwiki.org, str8ts.com or scanraid.com whose query has bd=STRING (or n= with 81 masks), in text,
HTML, Markdown, JSON or SQL. Its page says the kind. v1 and v0 strings become v2; the regions of a jigsaw (shape=33 and jigmap)
go into the string. Plain strings stay unless --plain is given; everything else in the text stays as it is. Links that cannot
be rewritten are listed on stderr, or where --rejects says (on stdout only with --write), and the exit code is 1. Folders are walked as ripgrep does: what
.gitignore and .ignore name is passed over, as are binary and hidden files. A file is replaced only as a whole; it keeps its
mode and gets a new time.")]
pub(super) struct Relink {
    /// Files and folders; none or '-' is stdin to stdout.
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,

    /// Change the files instead of showing what would change.
    #[arg(long)]
    pub(super) write: bool,

    /// Look into hidden files and folders too.
    #[arg(long)]
    pub(super) hidden: bool,

    /// Take links to any host, and without one.
    #[arg(long)]
    pub(super) any_host: bool,

    /// Rewrite plain strings too.
    #[arg(long)]
    pub(super) plain: bool,

    #[command(flatten)]
    pub(super) str8ts: Str8tsFlags,

    /// Where links go that cannot be rewritten; '-' is stdout (default: stderr).
    #[arg(long, value_name = "FILE")]
    pub(super) rejects: Option<PathBuf>,

    /// Replace the rejects file if it exists.
    #[arg(short, long)]
    pub(super) force: bool,

    /// No summary.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// `validate --level`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ValidateLevel {
    Syntax,
    Rules,
    Unique,
}

impl std::convert::From<ValidateLevel> for Level {
    fn from(level: ValidateLevel) -> Self {
        match level {
            ValidateLevel::Syntax => Self::Syntax,
            ValidateLevel::Rules => Self::Rules,
            ValidateLevel::Unique => Self::Unique,
        }
    }
}

/// `convert --check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckLevel {
    Rules,
    Unique,
}

/// What is read, and as what.
#[derive(Debug, Args)]
pub(super) struct InputFlags {
    /// Files to read, in order, as one stream; none or '-' is stdin. .zst and .gz are recognised by their first bytes.
    #[arg(value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,

    /// How records stand in the text.
    #[arg(long, value_enum, default_value_t, value_name = "FRAMING")]
    pub(super) framing: Framing,

    /// The column of a table (csv, tsv) that has the strings: its name in the header, or its number from 1.
    #[arg(long, value_name = "N|NAME")]
    pub(super) column: Option<String>,

    /// Where the string, or an array of strings, is in each line of JSON (jsonl): '/puzzle', '/boards/0/text'.
    #[arg(long, value_name = "/POINTER")]
    pub(super) field: Option<String>,

    /// What stands between the fields of a table: one character, or 'tab' (default: a comma for csv, a tab for tsv).
    #[arg(long, value_name = "CHARACTER", value_parser = parse_delimiter)]
    pub(super) delimiter: Option<u8>,

    /// The first row of a table is a record, not the names of the columns.
    #[arg(long)]
    pub(super) no_header: bool,

    /// The format of the input; 'auto' decides for each record.
    #[arg(long, value_parser = from_parser(), default_value = "auto", value_name = "FORMAT", hide_possible_values = true,
          long_help = format!("The format of the input; 'auto' decides for each record.\n[possible values: auto, {}]", format_names()))]
    pub(super) from: From,

    /// The kind of strings that do not say it.
    #[arg(long, value_parser = kind_parser())]
    pub(super) kind: Option<Kind>,

    #[command(flatten)]
    pub(super) str8ts: Str8tsFlags,

    /// Map input files into memory, or fail.
    #[arg(long, conflicts_with = "no_mmap")]
    pub(super) mmap: bool,

    /// Read input files instead of mapping them.
    #[arg(long)]
    pub(super) no_mmap: bool,
}

impl InputFlags {
    /// The inputs named, or stdin.
    pub(super) fn inputs(&self) -> anyhow::Result<Vec<Input>> {
        inputs(&self.inputs)
    }

    /// How records stand in the text; `to` is the format of the output.
    pub(super) fn framing(&self, to: Id) -> anyhow::Result<engine::Framing> {
        let table = matches!(self.framing, Framing::Csv | Framing::Tsv);
        for (flag, given) in [
            ("--column", self.column.is_some()),
            ("--delimiter", self.delimiter.is_some()),
            ("--no-header", self.no_header),
        ] {
            anyhow::ensure!(table || !given, "{flag} is for tables: say --framing csv or --framing tsv");
        }
        let json = self.framing == Framing::Jsonl;
        anyhow::ensure!(json || self.field.is_none(), "--field is for JSON lines: say --framing jsonl");
        match self.framing {
            Framing::Lines => Ok(engine::Framing::Lines),
            Framing::Csv => self.table(true, b','),
            Framing::Tsv => self.table(false, b'\t'),
            Framing::Jsonl => {
                let Some(field) = &self.field else {
                    anyhow::bail!("say with --field where the strings are, for example --field /puzzle");
                };
                let pointer = Pointer::new(field);
                let pointer = pointer.with_context(|| format!("--field {field}: a pointer begins with a slash"))?;
                Ok(engine::Framing::Json(pointer))
            }
            Framing::Links => Ok(engine::Framing::Links(relink::Relink {
                plain: true,
                to,
                hints: self.str8ts.hints(None),
                ..relink::Relink::default()
            })),
            Framing::Grid => Ok(engine::Framing::Grid),
        }
    }

    fn table(&self, quotes: bool, delimiter: u8) -> anyhow::Result<engine::Framing> {
        let Some(column) = &self.column else {
            anyhow::bail!(
                "say with --column which column has the strings: its name in the header, or its number from 1"
            );
        };
        let column = match column.parse() {
            Ok(number) => Column::Number(number),
            Err(_) => Column::Name(column.clone()),
        };
        let delimiter = self.delimiter.unwrap_or(delimiter);
        Ok(engine::Framing::Table { delimiter, quotes, header: !self.no_header, column })
    }

    /// How files are read.
    pub(super) fn reading(&self) -> Reading {
        match (self.mmap, self.no_mmap) {
            (true, _) => Reading::Mapped,
            (_, true) => Reading::Read,
            _ => Reading::Auto,
        }
    }

    /// How records are read: a conversion to v2 with nothing else said.
    pub(super) fn conversion(&self) -> Conversion {
        let From(from) = self.from;
        Conversion { from, hints: self.str8ts.hints(self.kind), ..Conversion::default() }
    }
}

/// The inputs named, or stdin.
fn inputs(paths: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    let stdin = PathBuf::from("-");
    let paths = if paths.is_empty() { std::slice::from_ref(&stdin) } else { paths };
    if paths.contains(&stdin) && startup::was_closed(0) {
        anyhow::bail!("stdin is closed; name a file, or open it");
    }
    Ok(paths.iter().map(|path| if *path == stdin { Input::Stdin } else { Input::File(path.clone()) }).collect())
}

/// How Str8ts strings are read, of which several layouts were published.
#[derive(Debug, Args)]
pub(super) struct Str8tsFlags {
    /// The layout of v2 Str8ts strings; 'auto' weighs each string, and where that decides nothing, the first 4 MiB.
    #[arg(long, value_enum, default_value = "auto", value_name = "LAYOUT")]
    pub(super) str8ts_layout: ReadLayout,

    /// Which flags of v1 Str8ts strings are black and clue: as the site writes them, or as its JavaScript snippet has them.
    #[arg(long, value_enum, default_value = "auto", value_name = "LAYOUT")]
    pub(super) str8ts_flags: ReadFlags,
}

impl Str8tsFlags {
    /// What they say, with the kind of strings that do not say it.
    pub(super) fn hints(&self, kind: Option<Kind>) -> Hints {
        let str8ts_layout = match self.str8ts_layout {
            ReadLayout::Auto => None,
            ReadLayout::Spec => Some(Flavour::Spec),
            ReadLayout::Site => Some(Flavour::Site),
            ReadLayout::First => Some(Flavour::First),
        };
        let str8ts_flags = match self.str8ts_flags {
            ReadFlags::Auto => None,
            ReadFlags::Site => Some(Flavour::Site),
            ReadFlags::Snippet => Some(Flavour::Snippet),
        };
        Hints { kind, str8ts_layout, str8ts_flags }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReadLayout {
    Auto,
    Spec,
    Site,
    First,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReadFlags {
    Auto,
    Site,
    Snippet,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum WriteLayout {
    Spec,
    Site,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill show 100000569492056108056109240009640801064010000218035604040500016905061402621000005
  gridmill show --svg board.svg < strings.txt        all of them in one drawing
  gridmill gen --kind killer --count 1 -q | gridmill show
  gridmill show --json STRING | jq .board            the board as data

The line above a drawing says what the string is; those below, what other formats would lose of it.
JSON: an object a line with 'format', 'kind', 'side', 'layout' (Str8ts), 'string', 'lost_in_reading', 'board' (cells, regions,
cages, groups) and 'other_formats' ('loses' or 'unsupported' for each).")]
pub(super) struct Show {
    /// Strings; none or '-' reads lines from stdin. Before one that begins with '-' write '--'.
    #[arg(value_name = "STRING")]
    pub(super) strings: Vec<std::ffi::OsString>,

    /// The format of the strings; 'auto' decides for each.
    #[arg(long, value_parser = from_parser(), default_value = "auto", value_name = "FORMAT", hide_possible_values = true,
          long_help = format!("The format of the strings; 'auto' decides for each.\n[possible values: auto, {}]", format_names()))]
    pub(super) from: From,

    /// The kind of strings that do not say it.
    #[arg(long, value_parser = kind_parser())]
    pub(super) kind: Option<Kind>,

    #[command(flatten)]
    pub(super) str8ts: Str8tsFlags,

    /// Draw with ASCII characters only.
    #[arg(long, conflicts_with_all = ["json", "svg"])]
    pub(super) ascii: bool,

    /// Write one SVG drawing of all boards; '-' is stdout.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub(super) svg: Option<PathBuf>,

    /// Replace the SVG file if it exists.
    #[arg(short, long)]
    pub(super) force: bool,

    /// Print the boards as JSON, one a line.
    #[arg(long)]
    pub(super) json: bool,

    /// Colours and bold type; 'auto' is for terminals that have them (NO_COLOR and TERM=dumb are heeded).
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(super) color: When,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill bench                              every format and kind (about a minute)
  gridmill bench --format v1 --svg v1.svg     one format, with a chart
  gridmill bench boards.txt                   your own strings to v2
  gridmill bench --level unique               puzzles of every kind, solved
  gridmill bench --json | jq '.rows[]'

What is measured is work on text in memory, with nothing read or written: decode is strings to boards with every check,
encode the reverse, convert all that 'gridmill convert' does between reading and writing. Results are checked before they
are timed: against the scalar kernel, and by converting back.")]
pub(super) struct Bench {
    /// Strings to convert to v2, instead of boards made for the purpose.
    #[arg(value_name = "FILE")]
    pub(super) file: Option<PathBuf>,

    /// Measure 'validate' at this level, on puzzles with one solution or on the file's.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(super) level: Option<ValidateLevel>,

    /// Only this format.
    #[arg(long, value_parser = format_parser(), value_name = "FORMAT", conflicts_with = "file")]
    pub(super) format: Option<Id>,

    /// Only boards of this kind.
    #[arg(long, value_parser = kind_parser(), conflicts_with = "file")]
    pub(super) kind: Option<Kind>,

    /// Only this kernel (see --version).
    #[arg(long, value_name = "KERNEL")]
    pub(super) kernel: Option<String>,

    /// MiB of text, much more than the caches hold.
    #[arg(long, default_value_t = 64, value_name = "MIB", conflicts_with = "file", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(super) size: u16,

    /// Runs of which the median is shown.
    #[arg(long, default_value_t = 7, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) runs: u16,

    /// The larger number of threads; 0 is one for each core.
    #[arg(short = 'j', long, default_value_t = 0, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(super) threads: u16,

    /// Print the figures as JSON.
    #[arg(long)]
    pub(super) json: bool,

    /// Write a bar chart too; '-' is stdout, and the table goes to stderr.
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,

    /// Replace the chart if it exists.
    #[arg(short, long)]
    pub(super) force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum When {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Args)]
pub(super) struct OutputFlags {
    /// The output file; '-' is stdout (default). A file appears complete or not at all. A name that ends in .zst compresses.
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,

    /// Replace files that exist.
    #[arg(short, long)]
    pub(super) force: bool,

    /// Compress the output, at level 1 to 22 [default level: 3].
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true,
          default_missing_value = DEFAULT_LEVEL_TEXT,
          value_parser = clap::value_parser!(i32).range(*LEVELS.start() as i64..=*LEVELS.end() as i64))]
    pub(super) zstd: Option<i32>,

    /// Do not wait until the output is on the disk.
    #[arg(long)]
    pub(super) no_sync: bool,

    /// Threads; 0 is one for each core, more than eight for each are not started. The output does not depend on it.
    #[arg(short = 'j', long, default_value_t = 0, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(super) threads: u16,

    /// No summary and no progress.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

const DEFAULT_LEVEL_TEXT: &str = "3";
const _: () = assert!(DEFAULT_LEVEL == 3);

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill gen --count 5                                     five boards of sudoku, v2
  gridmill gen --kind killer --mix clues --count 1000 -o k.txt
  gridmill gen --format v1 --count 5000000 --seed 7 -o v1.txt    the same bytes on every machine

  gridmill gen --unique --minimal --mix clues --format plain --count 1000 -o puzzles.txt
  gridmill gen --unique --clues 30 --kind jigsaw --mix clues

Mixes: clues (the puzzle), progress (with solved cells and candidates), solved. All are consistent with one full solution;
that it is the only one is promised with --unique.")]
pub(super) struct Generate {
    /// The format of the strings.
    #[arg(long, value_parser = format_parser(), default_value = "v2", value_name = "FORMAT")]
    pub(super) format: Id,

    /// The kind of the boards.
    #[arg(long, value_parser = kind_parser(), default_value = "sudoku")]
    pub(super) kind: Kind,

    /// The side of the boards (default: 9; kenken and kendoku 6).
    #[arg(long, value_parser = parse_side, value_name = "N", allow_negative_numbers = true)]
    pub(super) side: Option<Side>,

    /// How many.
    #[arg(long, default_value_t = 10, value_name = "N", allow_negative_numbers = true)]
    pub(super) count: u64,

    /// Where the randomness comes from: the same seed makes the same boards.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    pub(super) seed: u64,

    /// What the cells hold.
    #[arg(long, value_parser = mix_parser(), default_value = "progress")]
    pub(super) mix: Mix,

    /// Only puzzles with exactly one solution.
    #[arg(long)]
    pub(super) unique: bool,

    /// ... with so many clues (cages and black cells are none).
    #[arg(long, value_name = "N", requires = "unique", conflicts_with = "minimal", allow_negative_numbers = true)]
    pub(super) clues: Option<u16>,

    /// ... of which none can be left out.
    #[arg(long, requires = "unique")]
    pub(super) minimal: bool,

    /// Write boards that the format cannot hold whole, as 'convert --lossy' does.
    #[arg(long)]
    pub(super) lossy: bool,

    #[command(flatten)]
    pub(super) output: OutputFlags,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill formats
  gridmill formats --json | jq -r '.formats[].name'")]
pub(super) struct Formats {
    /// As JSON.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill completions bash > ~/.local/share/bash-completion/completions/gridmill
  gridmill completions fish > ~/.config/fish/completions/gridmill.fish")]
pub(super) struct Completions {
    /// The shell.
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill man | man -l -
  gridmill man convert > gridmill-convert.1")]
pub(super) struct Man {
    /// The command whose page to print (default: the program's own).
    pub(super) page: Option<String>,
}

/// How records stand in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Framing {
    /// One a line.
    #[default]
    Lines,
    /// In a column of CSV, whose fields may be quoted and hold line ends.
    Csv,
    /// In a column of TSV, where a quote is a character like others.
    Tsv,
    /// In a field of each line of JSON.
    Jsonl,
    /// In links inside text, as 'gridmill relink' finds them; plain strings in them are taken too.
    Links,
    /// Sudokus over several lines, with or without borders and candidates; each becomes a line.
    Grid,
}

/// `--from`: a format or `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct From(pub(super) Option<Id>);

fn format_names() -> String {
    REGISTRY.map(|format| format.about().name).join(", ")
}

fn one_of<T>(values: Vec<(PossibleValue, T)>) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let parser = PossibleValuesParser::new(values.iter().map(|(name, _)| name.clone()));
    parser.try_map(move |typed: String| {
        let found = values.iter().find(|(name, _)| name.matches(&typed, false));
        found.map(|(_, value)| value.clone()).ok_or_else(|| format!("'{typed}' is not known"))
    })
}

fn formats() -> Vec<(PossibleValue, Id)> {
    REGISTRY
        .iter()
        .map(|format| format.about())
        .map(|about| (PossibleValue::new(about.name).help(about.summary), about.id))
        .collect()
}

fn format_parser() -> impl TypedValueParser<Value = Id> {
    one_of(formats())
}

fn from_parser() -> impl TypedValueParser<Value = From> {
    let auto = (PossibleValue::new("auto").help("decided for each record"), From(None));
    one_of(std::iter::once(auto).chain(formats().into_iter().map(|(name, id)| (name, From(Some(id))))).collect())
}

fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    let value = |kind: Kind| match kind.rules().alias {
        Some(alias) => (PossibleValue::new(kind.name()).alias(alias), kind),
        None => (PossibleValue::new(kind.name()), kind),
    };
    one_of(Kind::all().map(value).collect())
}

fn notes_parser() -> impl TypedValueParser<Value = Notes> {
    let names = [("keep", Notes::Keep), ("none", Notes::None), ("full", Notes::Full), ("auto", Notes::Auto)];
    one_of(names.map(|(name, notes)| (PossibleValue::new(name), notes)).to_vec())
}

fn bad_parser() -> impl TypedValueParser<Value = Bad> {
    let names = [("reject", Bad::Reject), ("keep", Bad::Keep), ("stop", Bad::Stop)];
    one_of(names.map(|(name, bad)| (PossibleValue::new(name), bad)).to_vec())
}

fn mix_parser() -> impl TypedValueParser<Value = Mix> {
    one_of([Mix::Clues, Mix::Progress, Mix::Solved].map(|mix| (PossibleValue::new(mix.name()), mix)).to_vec())
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte] if byte.is_ascii() => Ok(byte),
        _ => Err("a delimiter is one character of ASCII, or 'tab'".into()),
    }
}

fn parse_side(text: &str) -> Result<Side, String> {
    let side = text.parse().ok().and_then(Side::new);
    side.ok_or_else(|| format!("sides are {}", Side::all().map(|side| side.to_string()).collect::<Vec<_>>().join(", ")))
}
