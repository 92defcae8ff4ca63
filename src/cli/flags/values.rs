//! The values of flags, such as names of formats and kinds, from the lists of the library.

use std::io::IsTerminal;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::framings::{ARROW, AUTO, PARQUET};
use crate::board::{FillCandidates, Kind, Side};
use crate::engine::{Bad, CheckLevel, Givens, RejectsAs};
use crate::formats::{Format, Layout, LayoutRules, PLAIN_OF_OTHER_SIDES, REGISTRY, WrittenAs};
use crate::framing::{self, NamedFraming, RecordSort};
use crate::make::Mix;

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ColourChoice {
    Auto,
    Always,
    Never,
}

impl ColourChoice {
    /// Whether stdout gets colours.
    pub(in crate::cli) fn colours(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
            }
        }
    }
}

/// `--from`: a format or `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct InputFormat(pub(in crate::cli) Option<Format>);

/// A layout, or `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct ChosenLayout(pub(in crate::cli) Option<Layout>);

/// Returns a parser of the layouts in which a format can be read.
pub(super) fn layout_parser(id: Format) -> impl TypedValueParser<Value = ChosenLayout> {
    let auto = (PossibleValue::new("auto"), ChosenLayout(None));
    one_of(std::iter::once(auto).chain(layouts(id, |rules| rules.all())).collect())
}

/// Returns a parser of the alphabets of plain sudokus, and of `auto`.
pub(super) fn alphabet_parser() -> impl TypedValueParser<Value = ChosenLayout> {
    let auto = (PossibleValue::new("auto"), ChosenLayout(None));
    let alphabets = Layout::ALPHABETS.map(|layout| (PossibleValue::new(layout.name()), ChosenLayout(Some(layout))));
    one_of(std::iter::once(auto).chain(alphabets).collect())
}

/// Returns a parser of the layouts in which a format can be written.
pub(in crate::cli) fn written_layout_parser(id: Format) -> impl TypedValueParser<Value = ChosenLayout> {
    one_of(layouts(id, |rules| rules.writable()).collect())
}

fn layouts(
    id: Format,
    which: impl Fn(&dyn LayoutRules) -> &'static [Layout],
) -> impl Iterator<Item = (PossibleValue, ChosenLayout)> {
    let layouts = id.codec().layout_rules().map_or(&[][..], which);
    layouts.iter().map(|&layout| (PossibleValue::new(layout.name()), ChosenLayout(Some(layout))))
}

/// Returns the names of all formats.
pub(in crate::cli) fn format_names() -> String {
    REGISTRY.map(|format| format.about().name).join(", ")
}

fn one_of<T>(values: Vec<(PossibleValue, T)>) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let parser = PossibleValuesParser::new(values.iter().map(|(name, _)| name.clone()));
    parser.try_map(move |typed: String| {
        let found = values.iter().find(|(name, _)| name.matches(&typed, false));
        found.map(|(_, value)| value.clone()).ok_or_else(|| format!("unknown value '{typed}'"))
    })
}

fn formats() -> Vec<(PossibleValue, Format)> {
    REGISTRY
        .iter()
        .map(|format| format.about())
        .map(|about| {
            let name = PossibleValue::new(about.name).help(about.description());
            (if about.id == Format::Plain { name.alias(PLAIN_OF_OTHER_SIDES) } else { name }, about.id)
        })
        .collect()
}

/// Returns a parser of framings.
pub(in crate::cli) fn framing_parser() -> impl TypedValueParser<Value = &'static NamedFraming> {
    framings(|_| false)
}

/// Returns a parser of framings that hides those with such records in the help. The command accepts them in order to
/// explain why it does not support them.
pub(in crate::cli) fn framing_parser_without(
    hidden: RecordSort,
) -> impl TypedValueParser<Value = &'static NamedFraming> {
    framings(move |entry| entry.records == hidden)
}

fn framings(hides: impl Fn(&NamedFraming) -> bool) -> impl TypedValueParser<Value = &'static NamedFraming> {
    let all = framing::REGISTRY.into_iter().chain([&PARQUET, &ARROW, &AUTO]);
    let shown = |entry: &NamedFraming| PossibleValue::new(entry.name).help(entry.help).hide(hides(entry));
    one_of(all.map(|entry| (shown(entry), entry)).collect())
}

/// Returns a parser of formats to write. It hides those that are only read, and says of them that they are.
pub(in crate::cli) fn written_parser() -> impl TypedValueParser<Value = Format> {
    let names = formats().into_iter().map(|(name, id)| name.hide(!id.is_written()));
    PossibleValuesParser::new(names.collect::<Vec<_>>()).try_map(|typed| Format::to_write(&typed))
}

/// Returns a parser of the same formats, and of those of their layouts that the name of the format decides: the pages of links.
pub(in crate::cli) fn written_as_parser() -> impl TypedValueParser<Value = WrittenAs> {
    let names = formats().into_iter().map(|(name, id)| name.hide(!id.is_written()));
    let page = |page: Layout| PossibleValue::new(format!("{}={page}", Format::Link)).help("a link to this page");
    PossibleValuesParser::new(names.chain(Layout::PAGES.map(page)).collect::<Vec<_>>())
        .try_map(|typed| typed.parse::<WrittenAs>())
}

pub(in crate::cli) fn from_parser() -> impl TypedValueParser<Value = InputFormat> {
    let auto = (PossibleValue::new("auto").help("detected for each record"), InputFormat(None));
    one_of(std::iter::once(auto).chain(formats().into_iter().map(|(name, id)| (name, InputFormat(Some(id))))).collect())
}

pub(in crate::cli) fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    let value = |kind: Kind| match kind.rules().alias {
        Some(alias) => (PossibleValue::new(kind.name()).alias(alias), kind),
        None => (PossibleValue::new(kind.name()), kind),
    };
    one_of(Kind::all().map(value).collect())
}

pub(in crate::cli) fn notes_parser() -> impl TypedValueParser<Value = FillCandidates> {
    one_of(FillCandidates::ALL.map(|notes| (PossibleValue::new(notes.name()), notes)).to_vec())
}

/// Returns a parser of levels from `least` on.
pub(in crate::cli) fn level_parser(least: CheckLevel) -> impl TypedValueParser<Value = CheckLevel> {
    let levels = CheckLevel::ALL.into_iter().filter(|level| *level >= least);
    one_of(levels.map(|level| (PossibleValue::new(level.name()), level)).collect())
}

pub(in crate::cli) fn givens_parser() -> impl TypedValueParser<Value = Givens> {
    one_of(Givens::ALL.map(|givens| (PossibleValue::new(givens.name()), givens)).to_vec())
}

pub(in crate::cli) fn bad_parser() -> impl TypedValueParser<Value = Bad> {
    one_of(BAD.map(|(name, bad)| (PossibleValue::new(name), bad)).to_vec())
}

/// The same for commands whose strings may be in columns with nulls.
pub(in crate::cli) fn bad_or_null_parser() -> impl TypedValueParser<Value = Bad> {
    one_of(BAD.into_iter().chain([("null", Bad::Null)]).map(|(name, bad)| (PossibleValue::new(name), bad)).collect())
}

pub(in crate::cli) fn rejects_as_parser() -> impl TypedValueParser<Value = RejectsAs> {
    let values = [("report", RejectsAs::Report), ("rows", RejectsAs::Rows)];
    one_of(values.map(|(name, value)| (PossibleValue::new(name), value)).to_vec())
}

const BAD: [(&str, Bad); 3] = [("reject", Bad::Reject), ("keep", Bad::Keep), ("stop", Bad::Stop)];

pub(in crate::cli) fn mix_parser() -> impl TypedValueParser<Value = Mix> {
    one_of(Mix::ALL.map(|mix| (PossibleValue::new(mix.name()), mix)).to_vec())
}

pub(in crate::cli) fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte] if byte.is_ascii() => Ok(byte),
        _ => Err("a delimiter is one ASCII character, or 'tab'".into()),
    }
}

pub(in crate::cli) fn parse_blank(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        &[sign] if b"0._-*xX?".contains(&sign) => Ok(sign),
        _ => Err("an empty cell must be one of 0 . _ - * x X ?".into()),
    }
}

pub(in crate::cli) fn parse_side(text: &str) -> Result<Side, String> {
    let side = text.parse().ok().and_then(Side::new);
    side.ok_or_else(|| format!("sides are {}", Side::all().map(|side| side.to_string()).collect::<Vec<_>>().join(", ")))
}
