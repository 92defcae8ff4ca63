//! `gridmill show`.

mod bad_strings;
mod drawings;
mod texts;

use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::Value;

use super::flags::{ColourChoice, ReadAs};
use super::outputs::{CommandInputs, Outputs};
use super::{GOOD, SOME_BAD, print};
use crate::board::{Batch, Cell};
use crate::describe;
use crate::draw::{Style, SvgPage, Theme, terminal, terminal_width};
use crate::engine::EFFORT;
use crate::error::{Reject, plural};
use crate::formats::{DecodedString, Evidence, Format, Hints, read_one, recognise, weigh};
use crate::framing::NamedPlace;
use crate::platform;
use crate::solve::{Grade, grade_one};
use bad_strings::BadStringMessages;
use clap::{Args, ValueEnum};
use drawings::Drawings;
use texts::{DrawInputs, NumberedString};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:
  gridmill show $(head -n 1 strings.txt)
  gridmill show --svg board.svg strings.txt     all of them on one sheet
  gridmill show --svg 'board-{}.svg' --theme dark strings.txt
  gridmill gen --kind killer --count 1 -q | gridmill show
  gridmill show --json STRING | jq .board       the board as data

The line above a drawing says what the string is; the lines below it say what
other formats would lose. --json prints one object per line with 'format',
'kind', 'side', 'layout' (Str8ts), 'string', 'lost_in_reading', 'board' (cells,
regions, cages, groups), 'other_formats' ('loses' or 'unsupported' for each)
and, for a sudoku of side 9 with one solution, 'grade' and 'grade_name'.

Exit codes: 0 all good, 1 some strings cannot be drawn, 2 the run failed.",
    next_help_heading = "Drawing"
)]
pub(super) struct ShowFlags {
    /// Strings, or files with lines, grids, a table, columns or links; none or '-' reads stdin. Put '--' before a string that begins with
    /// '-'.
    #[arg(value_name = "STRING|FILE", help_heading = None)]
    pub(super) strings: Vec<OsString>,

    #[command(flatten)]
    pub(super) place: PlaceFlags,

    #[command(flatten)]
    pub(super) read_as: ReadAs,

    #[command(flatten)]
    pub(super) terminal: TerminalFlags,

    #[command(flatten)]
    pub(super) svg: SvgFlags,

    /// Print the boards as JSON, one per line.
    #[arg(long)]
    pub(super) json: bool,

    /// Use colours and bold type; 'auto' does so on terminals, unless NO_COLOR or TERM=dumb is set.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(super) color: ColourChoice,
}

/// How boards are drawn as SVG.
#[derive(Debug, Args)]
#[command(next_help_heading = "Drawing")]
pub(super) struct SvgFlags {
    /// Write one SVG sheet with all boards or, if the name contains '{}', one file per numbered board; '-' is stdout.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub(super) svg: Option<PathBuf>,

    /// Boards per row of an SVG sheet [default: 1 to 4, by the number of boards].
    #[arg(long, value_name = "N", requires = "svg", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) columns: Option<u16>,

    /// The colours of SVG drawings; 'auto' follows the preference set in the browser.
    #[arg(long, value_enum, default_value = "light", value_name = "THEME", requires = "svg")]
    pub(super) theme: ThemeName,

    /// Replace an existing SVG file.
    #[arg(short, long)]
    pub(super) force: bool,
}

/// How boards are drawn as text.
#[derive(Debug, Args)]
#[command(next_help_heading = "Drawing")]
pub(super) struct TerminalFlags {
    /// Draw with ASCII characters only.
    #[arg(long, conflicts_with_all = ["json", "svg"])]
    pub(super) ascii: bool,

    /// Draw as narrow as possible, without candidates; this is automatic for drawings too wide for the terminal.
    #[arg(long, conflicts_with_all = ["json", "svg"])]
    pub(super) compact: bool,
}

/// Where the strings are.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(super) struct PlaceFlags {
    /// The column of a table, by name or by number from 1, or of a Parquet or Arrow file, by name, if several have strings.
    #[arg(long, value_name = "N|NAME")]
    pub(super) column: Option<String>,

    /// The field of JSON lines, if several fields have strings.
    #[arg(long, value_name = "/POINTER")]
    pub(super) field: Option<String>,
}

/// `--theme`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ThemeName {
    Light,
    Dark,
    Auto,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Self {
        match name {
            ThemeName::Light => Self::Light,
            ThemeName::Dark => Self::Dark,
            ThemeName::Auto => Self::Auto,
        }
    }
}

/// The placeholder for the number of a board in file names.
const NUMBER: &str = "{}";

pub(super) fn run(flags: &ShowFlags) -> anyhow::Result<u8> {
    let (from, hints) = (flags.read_as.format(), flags.read_as.hints());
    let one_each = flags.svg.svg.as_ref().and_then(|path| path.to_str()).filter(|path| path.contains(NUMBER));
    let mut outputs = outputs(flags)?;
    let sheet = match one_each {
        Some(_) => None,
        None => outputs.named("--svg", flags.svg.svg.as_deref())?,
    };
    if flags.svg.svg.is_none() {
        outputs.stdout("the drawing (without --svg)")?;
    }
    let sheet = outputs.lazily(sheet)?;
    let place = NamedPlace {
        column: flags.place.column.as_deref(),
        field: flags.place.field.as_deref(),
        ..NamedPlace::default()
    };
    let strings = DrawInputs::read(&flags.strings, from, &hints, &place)?;
    let evidence = evidence(&strings, &hints);
    let read = || strings.iter().map(|one| (one, read_one(one.string, one.from, &hints, &evidence)));
    let mut bad = BadStringMessages::default();
    let drawn = draw(flags, read(), &mut bad);
    let ended = bad.end();
    let boards = drawn?;
    ended?;
    if flags.svg.svg.is_some() && boards == 0 {
        anyhow::bail!("there is no board to draw; no drawing was written");
    }
    // The strings are read again, because many boards take more memory than their strings.
    let good = || read().filter_map(|(_, one)| one.ok());
    let theme = flags.svg.theme.into();
    if let Some(mut output) = sheet {
        let columns = flags.svg.columns.map_or_else(|| usual_columns(boards), usize::from);
        let mut page = SvgPage::new(columns, boards > 1, theme);
        good().for_each(|one| page.make_room(&one.batch));
        output.write(page.begin().as_bytes())?;
        for (at, one) in good().enumerate() {
            let caption = format!("{}. {}", at + 1, caption(&one.batch));
            output.write(page.draw(&one.batch, 0, &caption).as_bytes())?;
        }
        output.write(SvgPage::END.as_bytes())?;
        output.finish()?;
    }
    if let Some(name) = one_each {
        let paths = (1..=boards).map(|number| PathBuf::from(name.replace(NUMBER, &number.to_string())));
        let claims: Vec<_> = paths.map(|path| outputs.named("--svg", Some(&path))).collect::<Result<_, _>>()?;
        let mut drawings = Drawings::new(name);
        for (claim, one) in claims.into_iter().flatten().zip(good()) {
            let mut page = SvgPage::new(1, false, theme);
            page.make_room(&one.batch);
            let drawing = page.begin() + &page.draw(&one.batch, 0, "") + SvgPage::END;
            drawings.add(|| outputs.lazily(Some(claim)), drawing.as_bytes())?;
        }
        drawings.finish()?;
    }
    Ok(if bad.is_empty() && !strings.is_partial { GOOD } else { SOME_BAD })
}

/// Draws boards on stdout, unless they are drawn as SVG; collects those that cannot be drawn. Returns the number of
/// boards that are to be drawn as SVG.
fn draw<'s>(
    flags: &ShowFlags,
    strings: impl Iterator<Item = (NumberedString<'s>, Result<DecodedString, Reject>)>,
    bad: &mut BadStringMessages,
) -> anyhow::Result<usize> {
    let screen = Screen::new(flags);
    let mut boards = 0;
    for (NumberedString { number, string, .. }, one) in strings {
        let text = match one {
            Ok(_) if flags.svg.svg.is_some() => {
                boards += 1;
                continue;
            }
            Ok(one) if flags.json => format!("{}\n", with_grade(describe::json(&one, string), grade(&one))),
            Ok(one) => drawing(&one, &screen),
            Err(reject) => {
                bad.add(|| format!("string {number}: {reject}{}", no_file(string, &flags.strings)));
                continue;
            }
        };
        bad.print()?;
        print(text.as_bytes())?;
    }
    Ok(boards)
}

/// Describes a board in a few words.
fn caption(batch: &Batch) -> String {
    let shape = batch.shape();
    let clues =
        (0..shape.side.cells()).filter(|&i| matches!(batch.cell(0, i), Cell::Clue(_) | Cell::BlackClue(_))).count();
    let clues = if clues > 0 { format!(", {clues} clue{}", plural(clues)) } else { String::new() };
    format!("{} {side}x{side}{clues}", shape.kind, side = shape.side)
}

/// Suggests what else the user may have meant by a string that cannot be read.
fn no_file(string: &[u8], named: &[OsString]) -> &'static str {
    let is_name =
        named.iter().any(|name| name.as_encoded_bytes() == string) && string.iter().any(|byte| b"./".contains(byte));
    if is_name && string.len() < 60 { "; there is no file of this name either" } else { "" }
}

/// Returns the number of boards in a row of a sheet.
fn usual_columns(boards: usize) -> usize {
    match boards {
        0 | 1 => 1,
        2..=4 => 2,
        5..=9 => 3,
        _ => 4,
    }
}

fn outputs(flags: &ShowFlags) -> anyhow::Result<Outputs> {
    let (from, hints) = (flags.read_as.format(), flags.read_as.hints());
    let files: Vec<_> = texts::files(&flags.strings, from, &hints).into_iter().map(PathBuf::from).collect();
    let reads = match texts::reads_stdin(&flags.strings) {
        true => CommandInputs::Streams(&[]),
        false => CommandInputs::Files(&files),
    };
    Outputs::new(&reads, flags.svg.force, true)
}

/// Returns the evidence about layouts in all strings together.
fn evidence(strings: &DrawInputs, hints: &Hints) -> Evidence {
    let mut evidence = Evidence::default();
    for NumberedString { string, from, .. } in strings.iter() {
        if let Ok(form) = recognise(string, from, hints)
            && let Some(verdict) = weigh(&form, string)
        {
            evidence.add(&form, verdict);
        }
    }
    evidence
}

/// Where drawings go, and in which style.
struct Screen {
    style: Style,
    /// The width of the terminal in columns.
    width: Option<usize>,
}

impl Screen {
    fn new(flags: &ShowFlags) -> Self {
        let style =
            Style { ascii: flags.terminal.ascii, colour: flags.color.colours(), compact: flags.terminal.compact };
        Self { style, width: platform::terminal_width() }
    }

    /// Returns the style in which a board fits, and a message about it.
    fn fit(&self, batch: &Batch) -> (Style, Option<String>) {
        let (style, compact) = (self.style, Style { compact: true, ..self.style });
        let columns = |style| terminal_width(batch, 0, style);
        let (wide, narrow) = (columns(style), columns(compact));
        match self.width {
            Some(width) if narrow > width => {
                let words =
                    format!("(the drawing needs {narrow} columns, but this terminal has {width}; use --svg FILE)");
                (compact, Some(words))
            }
            Some(width) if wide > width && has_candidates(batch) => {
                let words =
                    format!("(without candidates; with them, it needs {wide} columns, but this terminal has {width})");
                (compact, Some(words))
            }
            Some(width) if wide > width => (compact, None),
            _ if style.compact && has_candidates(batch) => (style, Some("(without candidates)".into())),
            _ => (style, None),
        }
    }
}

fn has_candidates(batch: &Batch) -> bool {
    (0..batch.shape().side.cells()).any(|cell| matches!(batch.cell(0, cell), Cell::Candidates(_)))
}

fn drawing(one: &DecodedString, screen: &Screen) -> String {
    let (style, note) = screen.fit(&one.batch);
    let mut text = format!("{}\n{}", headline(one), terminal(&one.batch, 0, style));
    if let Some(note) = note {
        text.push_str(&format!("{note}\n"));
    }
    if let Some(grade) = grade(one) {
        text.push_str(&format!("grade {} {grade}: {}\n", grade.number(), grade.about()));
    }
    let others: Vec<_> = describe::other_formats(one).collect();
    let width = others.iter().map(|(id, _)| id.name().len() + 1).max().unwrap_or(0);
    for (id, fate) in others {
        let words = match fate {
            Ok(losses) if losses.is_empty() => "loses nothing".to_string(),
            Ok(losses) => format!("loses {losses}"),
            Err(reject) => reject.message,
        };
        text.push_str(&format!("as {:<width$} {words}\n", format!("{id}:")));
    }
    text.push('\n');
    text
}

/// The grade of a board. Sudokus of side 9 have one.
fn grade(one: &DecodedString) -> Option<Grade> {
    grade_one(&one.batch, 0, !one.form.id.codec().holds(one.form).clue, EFFORT)
}

/// Adds a grade to a description, if there is one.
fn with_grade(mut description: Value, grade: Option<Grade>) -> Value {
    if let Some(grade) = grade {
        description["grade"] = grade.number().into();
        description["grade_name"] = grade.name().into();
    }
    description
}

/// Describes format, kind, side, layout, and the contents of the cells.
fn headline(one: &DecodedString) -> String {
    let mut line = format!("{}, {}", one.form.id, describe::summary(one));
    if matches!(one.form.id, Format::V0 | Format::V1) && line.contains(" solved") {
        line.push_str(&format!(" ({} cannot tell solved cells from single candidates)", one.form.id));
    }
    if !one.losses.is_empty() {
        line.push_str(&format!("; lost in reading: {}", one.losses));
    }
    line
}
