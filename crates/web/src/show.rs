//! Describes one string: its board as a drawing and as data, the strings of other formats, the findings of rules and
//! solver, and if it is refused, where it is wrong.

use gridmill_core::board::{Batch, Cell, Shape};
use gridmill_core::check;
use gridmill_core::convert::{CheckLevel, Checks, Conversion, Converter, EFFORT, Emit, MAX_RECORD};
use gridmill_core::describe;
use gridmill_core::draw::{SvgPage, Theme};
use gridmill_core::error::{Reject, escape};
use gridmill_core::formats::{
    DecodedString, Evidence, Format, Hints, REGISTRY, Records, read_one, recognise, write_one,
};
use gridmill_core::kernels;
use gridmill_core::solve::grade_one;
use gridmill_core::{Kind, Side};
use serde_json::{Map, Value, json};

use crate::answer::CallAnswer;
use crate::cell_ranges;
use crate::framed::{self, FramedText, mark};
use crate::options::CallOptions;
use crate::run::FoundRecords;

/// The most strings that are listed of a text.
const MAX_STRINGS: usize = 500;

/// Describes a string. The JSON has `string`. If the string can be read, it has the fields of [`describe::json`],
/// `words`, `svg`, `strings` (of all other formats), `problems`, `v2`, and with the option `effort` also `solutions`;
/// otherwise `refused`, `places` in the string, and `mended`, the board with all other cells.
pub(crate) fn show(options: &CallOptions, text: &[u8]) -> Result<CallAnswer, String> {
    let value = match read(options, text) {
        Ok(one) => shown(options, text, &one),
        Err(reject) => refused(options, text, &reject),
    };
    Ok(CallAnswer::new(&value))
}

/// Finds the strings of a text: the text itself if it is one, or the strings in its framing. The JSON has `strings`,
/// `more` (how many are left out), `refused` rows and `read_as`.
pub(crate) fn find(options: &CallOptions, text: &[u8]) -> Result<CallAnswer, String> {
    let alone = text.trim_ascii();
    let one = |words: &str| {
        let strings: &[_] = if alone.is_empty() { &[] } else { &[String::from_utf8_lossy(alone)] };
        CallAnswer::new(&json!({"strings": strings, "more": 0, "refused": [], "read_as": words}))
    };
    // Numbers may end on one line and strings follow on the next.
    let is_one = options.from() == Some(Format::Grid) || !alone.contains(&b'\n');
    if is_one && recognise(alone, options.from(), &options.hints()).is_ok() {
        return Ok(one(""));
    }
    let plan = CallOptions::default().of("detect").conversion()?;
    let mut framed = match FramedText::new(options, &plan, text, true) {
        Ok(framed) => framed,
        Err(words) if !alone.contains(&b'\n') => return Ok(one(&words)),
        Err(words) => return Err(words),
    };
    let kernel = kernels::best();
    let (mut cutter, mut found, mut strings, mut refused, mut at) =
        (framed.cutter(), FoundRecords::default(), Vec::new(), Vec::new(), 0);
    let mut more = 0;
    while let Some(cut_piece) = cutter.next(&text[at..], true)? {
        let piece = &text[at..at + cut_piece.end];
        let mut start = if at == 0 { mark(piece) } else { 0 };
        if at == 0 {
            start += framed.begin(&cut_piece.piece(&piece[start..], start, kernel), &plan)?;
        }
        while start < piece.len() {
            let rest = &piece[start..];
            let end = found.find(framed.framing(), &cut_piece.piece(rest, start, kernel), &plan, false);
            refused.extend(found.refused().map(|reject| json!(escape(reject.to_string().as_bytes()))));
            let records = found.records(&rest[..end], framed.framing().facts().is_lines);
            for record in 0..records.len() {
                match strings.len() < MAX_STRINGS {
                    true => strings.push(as_string(records.get(record), framed.framing().format(None))),
                    false => more += 1,
                }
            }
            start += end;
        }
        at += cut_piece.end;
    }
    refused.truncate(MAX_STRINGS);
    Ok(CallAnswer::new(&json!({"strings": strings, "more": more, "refused": refused, "read_as": framed.flags})))
}

/// A record as a string. Grids become version 2, since they are several lines.
fn as_string(record: &[u8], format: Option<Format>) -> String {
    let read = || read_one(record, Some(Format::Grid), &Hints::default(), &Evidence::default());
    let grid = format.filter(|id| *id == Format::Grid).and_then(|_| write_one(&read().ok()?.batch, 0, Format::V2).ok());
    grid.unwrap_or_else(|| String::from_utf8_lossy(record).into_owned())
}

/// The names of formats, framings and kinds.
pub(crate) fn names() -> CallAnswer {
    let formats = REGISTRY
        .map(|format| format.about())
        .map(|about| json!({"name": about.name, "written": about.id.is_written()}));
    let kind = |kind: Kind| {
        let rules = kind.rules();
        json!({
            "name": kind.name(), "sides": rules.sides, "boxes": rules.houses.boxes, "regions": kind.has_regions(),
            "cages": kind.has_cages(), "operators": kind.has_operators(), "black": kind.has_black(),
        })
    };
    let kinds: Vec<_> = Kind::all().map(kind).collect();
    let value = json!({
        "version": env!("CARGO_PKG_VERSION"), "kernel": kernels::best().name, "formats": formats, "kinds": kinds,
        "framings": framed::names(), "effort": EFFORT,
    });
    CallAnswer::new(&value)
}

pub(crate) fn read(options: &CallOptions, text: &[u8]) -> Result<DecodedString, Reject> {
    read_one(text, options.from(), &options.hints(), &Evidence::default())
}

/// The description of a string that can be read.
fn shown(options: &CallOptions, text: &[u8], one: &DecodedString) -> Value {
    let mut value = describe::json(one, text);
    value["words"] = describe::summary(one).into();
    value["svg"] = svg(&one.batch).into();
    value["strings"] = strings(options, text, one);
    value["v2"] = write_one(&one.batch, 0, Format::V2).map_or(Value::Null, Value::from);
    let problems = check::problems(&one.batch, 0);
    value["problems"] = problems
        .iter()
        .map(|problem| {
            let mut value = reject_value(&problem.reject);
            value["warning"] = problem.warning.into();
            value
        })
        .collect();
    if let Some(effort) = options.effort() {
        value["solved"] = solved(options, text, effort);
        let all_given = !one.form.id.codec().holds(one.form).clue;
        if let Some(grade) = grade_one(&one.batch, 0, all_given, effort) {
            value["solved"]["grade"] = json!({"number": grade.number(), "name": grade.name(), "about": grade.about()});
        }
    }
    value
}

/// The string in every other format that can have the board, even if it loses something.
fn strings(options: &CallOptions, text: &[u8], one: &DecodedString) -> Value {
    let plan = Conversion { from: options.from(), hints: options.hints(), lossy: true, ..Conversion::default() };
    let others = REGISTRY.iter().map(|format| format.about().id).filter(|id| *id != one.form.id && id.is_written());
    let string = |id| converted(Conversion { to: id, ..plan }, text).ok();
    others.map(|id| (id.name().to_string(), json!(string(id)))).collect::<Map<_, _>>().into()
}

/// The solver's answer: the only solution, or why it is not shown. This may be because other cells contradict it.
fn solved(options: &CallOptions, text: &[u8], effort: u32) -> Value {
    let plan = Conversion {
        from: options.from(),
        hints: options.hints(),
        lossy: true,
        checks: Checks { level: CheckLevel::Unique, effort, ..Checks::default() },
        emit: Emit::SolvedBoard,
        ..Conversion::default()
    };
    match converted(plan, text) {
        Ok(string) => {
            let drawn = read_one(string.as_bytes(), Some(Format::V2), &Hints::default(), &Evidence::default());
            json!({"v2": string, "svg": drawn.map_or(Value::Null, |one| svg(&one.batch).into())})
        }
        Err(reject) => json!({"refused": reject_value(&reject), "effort": effort}),
    }
}

/// Converts one string.
fn converted(plan: Conversion, text: &[u8]) -> Result<String, Reject> {
    let mut converter = Converter::new(plan, kernels::best());
    let length = text.len().min(MAX_RECORD + 1) as u32;
    let converted = converter.convert(Records { bytes: text, starts: &[0], ends: &[length] }, &Evidence::default());
    match converted.refusal(0) {
        Some(reject) => Err(reject.clone()),
        None => Ok(escape(converted.string(0))),
    }
}

/// Why a string is refused, and its board without the cells that are wrong, if these are known.
fn refused(options: &CallOptions, text: &[u8], reject: &Reject) -> Value {
    let side = cell_ranges::likely_side(text);
    let mut value = json!({"string": escape(text), "refused": reject_value(reject), "places": [], "side": side.get()});
    let Some(cell) = cell_of(reject, side) else { return value };
    let places = |cell| cell_ranges::cell_ranges(text, cell);
    let (mut mended, mut wrong) = (text.to_vec(), Vec::new());
    let mut next = Some(cell);
    while let Some(cell) = next.take().filter(|cell| !wrong.contains(cell)) {
        wrong.push(cell);
        places(cell).into_iter().for_each(|place| mended[place].fill(b'0'));
        match read(options, &mended) {
            Ok(one) => {
                value["svg"] = svg(&one.batch).into();
                value["board"] = gridmill_core::draw::json(&one.batch, 0);
            }
            Err(reject) => next = cell_of(&reject, side),
        }
    }
    if value.get("svg").is_none() {
        wrong.truncate(1);
        let mut empty = Batch::new();
        empty.reset(Shape::new(Kind::Sudoku, side), 1);
        (0..side.cells()).for_each(|cell| empty.set_cell(0, cell, Cell::Empty));
        value["svg"] = svg(&empty).into();
    }
    let mut marked: Vec<_> = wrong.iter().flat_map(|&cell| places(cell)).collect();
    marked.sort_by_key(|place| place.start);
    value["places"] = marked.iter().map(|place| json!([place.start, place.end])).collect();
    value["wrong"] = wrong.into();
    value
}

fn cell_of(reject: &Reject, side: Side) -> Option<usize> {
    let cell = reject.cell?;
    let (row, column) = (usize::from(cell.row).checked_sub(1)?, usize::from(cell.column).checked_sub(1)?);
    (row < side.get() && column < side.get()).then(|| row * side.get() + column)
}

fn reject_value(reject: &Reject) -> Value {
    json!({
        "code": reject.code.name(),
        "cell": reject.cell.map(|cell| cell.to_string()),
        "message": escape(reject.message.as_bytes()),
    })
}

/// A drawing in the viewer's preferred colours.
fn svg(batch: &Batch) -> String {
    let mut page = SvgPage::new(1, false, Theme::Auto);
    page.make_room(batch);
    page.begin() + &page.draw(batch, 0, "") + SvgPage::END
}
