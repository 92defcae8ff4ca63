//! `gridmill show`.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value, json};

use super::flags::{ReadAs, When};
use super::outputs::{Outputs, Reads};
use super::{GOOD, SOME_BAD, complain, print, startup};
use crate::board::{Batch, Cell};
use crate::draw::{Style, SvgPage, json, terminal};
use crate::error::{Error, Reject, escape};
use crate::formats::{
    Evidence, Hints, Id, Losses, One, REGISTRY, begins_like_a_comment, losses, read_one, recognise, weigh,
};
use crate::framing::is_no_record;
use crate::output::LazyFile;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill show $(head -n 1 strings.txt)
  gridmill show --svg board.svg < strings.txt   all of them in one drawing
  gridmill gen --kind killer --count 1 -q | gridmill show
  gridmill show --json STRING | jq .board       the board as data

The line above a drawing says what the string is; those below, what other
formats would lose of it. JSON: an object a line with 'format', 'kind',
'side', 'layout' (Str8ts), 'string', 'lost_in_reading', 'board' (cells,
regions, cages, groups) and 'other_formats' ('loses' or 'unsupported' for
each).")]
pub(super) struct ShowFlags {
    /// Strings; none or '-' reads lines from stdin. Before one that begins with '-' write '--'.
    #[arg(value_name = "STRING")]
    pub(super) strings: Vec<OsString>,

    #[command(flatten)]
    pub(super) read_as: ReadAs,

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

    /// Colours and bold type; 'auto' is for terminals, unless NO_COLOR or TERM=dumb is set.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(super) color: When,
}

/// More text than this is not for the eye.
const MOST: u64 = 32 << 20;

pub(super) fn run(flags: &ShowFlags) -> anyhow::Result<u8> {
    let svg_output = svg_output(flags)?;
    let strings = strings(&flags.strings)?;
    let (from, hints) = (flags.read_as.format(), flags.read_as.hints());
    let evidence = evidence(&strings, from, &hints);
    let mut code = GOOD;
    let read = || {
        let records = strings.iter().enumerate().filter(|(_, string)| {
            !is_no_record(string, from == Some(Id::Wolfram)) || from.is_none() && begins_like_a_comment(string)
        });
        records.map(|(i, string)| (i, string, read_one(string, from, &hints, &evidence)))
    };
    let (mut page, mut boards) = (SvgPage::default(), 0);
    for (i, string, one) in read() {
        match one {
            Ok(one) if flags.svg.is_some() => {
                page.make_room(&one.batch);
                boards += 1;
            }
            Ok(one) if flags.json => _ = print(format!("{}\n", as_json(&one, string)).as_bytes())?,
            Ok(one) => _ = print(drawing(&one, style(flags)).as_bytes())?,
            Err(reject) => {
                complain(&format!("string {}: {reject}{}", i + 1, hint(string, &flags.strings)));
                code = SOME_BAD;
            }
        }
    }
    if let Some(mut output) = svg_output {
        if boards == 0 {
            anyhow::bail!("no board to draw, so no drawing was written");
        }
        output.write(page.begin().as_bytes())?;
        // They are read again: many boards take more memory than their strings.
        for one in read().filter_map(|(_, _, one)| one.ok()) {
            output.write(page.draw(&one.batch, 0).as_bytes())?;
        }
        output.write(SvgPage::END.as_bytes())?;
        output.finish()?;
    }
    Ok(code)
}

/// Where the one drawing goes, if there is one; else stdout is for all.
fn svg_output(flags: &ShowFlags) -> anyhow::Result<Option<LazyFile>> {
    let reads = if reads_stdin(&flags.strings) { Reads::Streams(&[]) } else { Reads::Nothing };
    let mut outputs = Outputs::new(&reads, flags.force, true)?;
    let svg = outputs.named("--svg", flags.svg.as_deref())?;
    if svg.is_none() {
        outputs.stdout("the drawing (without --svg)")?;
    }
    outputs.lazily(svg)
}

fn reads_stdin(named: &[OsString]) -> bool {
    named.is_empty() || named == ["-"]
}

/// The strings to draw.
enum Strings<'f> {
    Named(&'f [OsString]),
    /// The lines of a text.
    Lines(Vec<u8>),
}

impl Strings<'_> {
    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let (named, text) = match self {
            Self::Named(named) => (*named, None),
            Self::Lines(text) => (&[][..], Some(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text))),
        };
        let lines = text.into_iter().flat_map(|text| text.split(|&byte| byte == b'\n'));
        let all = named.iter().map(|string| string.as_bytes()).chain(lines);
        all.map(|string| string.strip_suffix(b"\r").unwrap_or(string))
    }
}

/// The strings to draw: those named, or the lines of stdin.
fn strings(named: &[OsString]) -> anyhow::Result<Strings<'_>> {
    if !reads_stdin(named) {
        return Ok(Strings::Named(named));
    }
    if startup::was_closed(0) {
        anyhow::bail!("stdin is closed; give the strings as arguments, or open it");
    }
    let mut text = Vec::new();
    let read = std::io::stdin().lock().take(MOST + 1).read_to_end(&mut text);
    read.map_err(|error| Error::io("<stdin>", "read", error))?;
    if text.len() as u64 > MOST {
        anyhow::bail!("more than {} MiB of strings to draw; pick some with head", MOST >> 20);
    }
    Ok(Strings::Lines(text))
}

/// What the strings together say of layouts.
fn evidence(strings: &Strings, from: Option<Id>, hints: &Hints) -> Evidence {
    let mut evidence = Evidence::default();
    for string in strings.iter() {
        if let Ok(form) = recognise(string, from, hints)
            && let Some(verdict) = weigh(&form, string)
        {
            evidence.add(&form, verdict);
        }
    }
    evidence
}

/// What may have been meant by a string that is none.
fn hint(string: &[u8], named: &[OsString]) -> &'static str {
    let named_so = named.iter().any(|name| name.as_bytes() == string);
    if named_so && Path::new(std::ffi::OsStr::from_bytes(string)).is_file() {
        return "; that is a file: 'gridmill show < FILE' draws its lines";
    }
    ""
}

fn style(flags: &ShowFlags) -> Style {
    Style { ascii: flags.ascii, colour: flags.color.colours() }
}

fn drawing(one: &One, style: Style) -> String {
    let mut text = format!("{}\n{}", headline(one), terminal(&one.batch, 0, style));
    for (id, fate) in others(one) {
        let words = match fate {
            Ok(losses) if losses.is_empty() => "loses nothing".to_string(),
            Ok(losses) => format!("loses {losses}"),
            Err(reject) => reject.message,
        };
        text.push_str(&format!("as {:<9} {words}\n", format!("{id}:")));
    }
    text.push('\n');
    text
}

/// Format, kind, side, layout, and what stands in the cells.
fn headline(one: &One) -> String {
    let shape = one.batch.shape();
    let mut counts = [0; 4];
    for i in 0..shape.side.cells() {
        match one.batch.cell(0, i) {
            Cell::Clue(_) | Cell::BlackClue(_) => counts[0] += 1,
            Cell::Solved(_) => counts[1] += 1,
            Cell::Candidates(_) => counts[2] += 1,
            Cell::Empty => counts[3] += 1,
            Cell::BlackEmpty => {}
        }
    }
    let layout = if shape.kind.has_black() && matches!(one.form.id, Id::V1 | Id::V2) {
        format!(", layout {}", one.form.layout)
    } else {
        String::new()
    };
    let words = ["clues", "solved", "with candidates", "empty"];
    let cells: Vec<_> =
        counts.iter().zip(words).filter(|(n, _)| **n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let mut line =
        format!("{}, {} {side}x{side}{layout}: {}", one.form.id, shape.kind, cells.join(", "), side = shape.side);
    if matches!(one.form.id, Id::V0 | Id::V1) && counts[1] > 0 {
        line.push_str(&format!(" ({} cannot tell solved cells from single candidates)", one.form.id));
    }
    if !one.losses.is_empty() {
        line.push_str(&format!("; lost in reading: {}", one.losses));
    }
    line
}

/// What each other format would lose of a board, or why it cannot have it.
fn others(one: &One) -> impl Iterator<Item = (Id, Result<Losses, Reject>)> {
    REGISTRY.iter().map(|format| format.about().id).filter(|&id| id != one.form.id).map(|id| (id, fate(&one.batch, id)))
}

fn fate(batch: &Batch, id: Id) -> Result<Losses, Reject> {
    let format = id.format();
    let form = format.writes(batch.shape())?;
    match format.unwritable(form, batch, 0) {
        Some(reject) => Err(reject),
        None => Ok(losses(batch, 0, &format.holds(form))),
    }
}

fn as_json(one: &One, string: &[u8]) -> Value {
    let shape = one.batch.shape();
    let mut value = json!({
        "format": one.form.id.name(),
        "kind": shape.kind.name(),
        "side": shape.side.get(),
        "string": escape(string),
        "lost_in_reading": loss_values(&one.losses),
        "board": json(&one.batch, 0),
    });
    if shape.kind.has_black() && matches!(one.form.id, Id::V1 | Id::V2) {
        value["layout"] = one.form.layout.name().into();
    }
    let others = others(one).map(|(id, fate)| {
        let fate = match fate {
            Ok(losses) => json!({"loses": loss_values(&losses)}),
            Err(reject) => json!({"unsupported": reject.message}),
        };
        (id.name().to_string(), fate)
    });
    value["other_formats"] = Value::Object(others.collect::<Map<_, _>>());
    value
}

/// Cells by kind of loss; 0 where it concerns the whole board.
fn loss_values(losses: &Losses) -> Value {
    losses.iter().map(|(loss, cells)| (loss.name().to_string(), json!(cells))).collect::<Map<_, _>>().into()
}
