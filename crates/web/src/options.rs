//! The options of a call, named like the program's flags.

use gridmill_core::Kind;
use gridmill_core::board::FillCandidates;
use gridmill_core::convert::{Bad, CanonicalPlan, Canonize, CheckLevel, Checks, Conversion, Emit, Facts};
use gridmill_core::error::escape;
use gridmill_core::formats::{Format, FormatLayouts, Hints, Layout, WrittenAs};
use serde_json::{Map, Value};

/// The options of a call.
#[derive(Debug, Default)]
pub(crate) struct CallOptions {
    /// `convert`, `validate`, `solve`, `dedupe` or `detect`.
    pub(crate) command: String,
    from: Option<Format>,
    hints: Hints,
    bad: Bad,
    written: WriteOptions,
    checks: CheckOptions,
    pub(crate) records: RecordOptions,
}

/// How boards are written.
#[derive(Debug, Default)]
struct WriteOptions {
    to: Option<WrittenAs>,
    layout: Option<Layout>,
    blank: Option<u8>,
    notes: FillCandidates,
    lossy: bool,
}

/// How boards are checked.
#[derive(Debug, Default)]
struct CheckOptions {
    check: Option<CheckLevel>,
    level: Option<CheckLevel>,
    max_solutions: Option<u32>,
    effort: Option<u32>,
    /// What counts as the same.
    by: Option<Canonize>,
}

/// How strings are found in a text.
#[derive(Debug, Default)]
pub(crate) struct RecordOptions {
    /// `None` for `auto`.
    pub(crate) framing: Option<String>,
    pub(crate) column: Option<String>,
    pub(crate) field: Option<String>,
    pub(crate) delimiter: Option<u8>,
    pub(crate) no_header: bool,
    /// The name of the column or field for solutions.
    pub(crate) to_column: Option<String>,
    /// The name of the file, whose extension may determine the framing.
    pub(crate) name: Option<String>,
}

impl CallOptions {
    /// Reads options from JSON.
    ///
    /// # Errors
    /// A name or a value is unknown. The message lists the known ones.
    pub(crate) fn read(value: &Value) -> Result<Self, String> {
        let map = value.as_object().ok_or("the options are not an object")?;
        let records = RecordOptions { framing: Some("lines".into()), ..RecordOptions::default() };
        let mut options = Self { records, ..Self::default() };
        for (name, value) in map {
            options.take(name, value)?;
        }
        Ok(options)
    }

    /// The same options for another command.
    pub(crate) fn of(self, command: &str) -> Self {
        Self { command: command.into(), ..self }
    }

    fn take(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let layouts = self.hints.layouts;
        match name {
            "command" => self.command = text(name, value)?.into(),
            "from" => self.from = unless_auto(name, value, str::parse)?,
            "to" => self.written.to = unless_auto(name, value, str::parse::<WrittenAs>)?,
            "kind" => self.hints.kind = unless_auto(name, value, str::parse::<Kind>)?,
            "alphabet" => self.hints.layouts = layouts.with(Format::Plain, unless_auto(name, value, Layout::alphabet)?),
            "str8ts_layout" => self.hints.layouts = layouts.with(Format::V2, layout(name, value, Format::V2)?),
            "str8ts_flags" => self.hints.layouts = layouts.with(Format::V1, layout(name, value, Format::V1)?),
            "str8ts_write" => self.written.layout = layout(name, value, Format::V2)?,
            "blank" => self.written.blank = sign(name, value, b"0._-*xX?")?,
            "notes" => {
                self.written.notes =
                    one_of(name, value, FillCandidates::ALL.map(FillCandidates::name), FillCandidates::ALL)?;
            }
            "lossy" => self.written.lossy = truth(name, value)?,
            "check" => self.checks.check = Some(level(name, value)?),
            "level" => self.checks.level = Some(level(name, value)?),
            "max_solutions" => self.checks.max_solutions = Some(number(name, value, 2..=10_000)?),
            "effort" => self.checks.effort = Some(number(name, value, 1..=u32::MAX)?),
            "by" => {
                let all = [Canonize::EitherForm, Canonize::Grid, Canonize::Board];
                self.checks.by = Some(one_of(name, value, ["puzzle", "grid", "string"], all)?);
            }
            "bad" => self.bad = one_of(name, value, ["reject", "keep"], [Bad::Reject, Bad::Keep])?,
            "framing" => self.records.framing = unless_auto(name, value, |name| Ok::<_, String>(name.into()))?,
            "column" => self.records.column = Some(text(name, value)?.into()),
            "field" => self.records.field = Some(text(name, value)?.into()),
            "delimiter" => self.records.delimiter = sign(name, value, b"\t,;|: ")?,
            "no_header" => self.records.no_header = truth(name, value)?,
            "to_column" => self.records.to_column = Some(text(name, value)?.into()),
            "name" => self.records.name = Some(text(name, value)?.into()),
            _ => return Err(format!("unknown option '{}'", escape(name.as_bytes()))),
        }
        Ok(())
    }

    /// The format to read.
    pub(crate) fn from(&self) -> Option<Format> {
        self.from
    }

    /// What the caller says about strings that do not say it themselves.
    pub(crate) fn hints(&self) -> Hints {
        self.hints
    }

    /// The limit for search nodes.
    pub(crate) fn effort(&self) -> Option<u32> {
        self.checks.effort
    }

    /// The plan for records.
    ///
    /// # Errors
    /// The command is unknown, or options contradict each other.
    pub(crate) fn conversion(&self) -> Result<Conversion, String> {
        let to = self.written.to.unwrap_or(Format::V2.into());
        let plan = Conversion {
            from: self.from,
            to: to.format,
            hints: self.hints,
            write_layouts: to.with(FormatLayouts::default().with(Format::V2, self.written.layout)),
            blank: self.written.blank,
            candidates: self.written.notes,
            lossy: self.written.lossy,
            bad: self.bad,
            ..Conversion::default()
        };
        if self.written.blank.is_some() && plan.to != Format::Plain {
            return Err("blank is only for to: \"plain\"; other formats have a fixed sign for empty cells".into());
        }
        let usual = Checks::default();
        let checks = |level| Checks {
            level,
            max_solutions: self.checks.max_solutions.unwrap_or(usual.max_solutions),
            effort: self.checks.effort.unwrap_or(usual.effort),
            ..usual
        };
        Ok(match self.command.as_str() {
            "convert" => Conversion { checks: checks(self.checks.check.unwrap_or_default()), ..plan },
            "validate" => {
                let level = self.checks.level.unwrap_or(CheckLevel::Rules);
                Conversion { checks: checks(level), emit: Emit::Nothing, ..plan }
            }
            "solve" => {
                let emit = if self.written.to.is_some() { Emit::SolvedBoard } else { Emit::Solution };
                Conversion { checks: checks(CheckLevel::Unique), emit, ..plan }
            }
            "dedupe" => Conversion {
                checks: Checks { effort: self.checks.effort.unwrap_or(usual.effort), ..usual },
                emit: Emit::Nothing,
                facts: Facts { key: true, ..Facts::default() },
                canonical: Some(CanonicalPlan::new(self.checks.by.unwrap_or(Canonize::EitherForm))),
                ..plan
            },
            "detect" => Conversion { emit: Emit::Nothing, ..plan },
            other => {
                return Err(format!(
                    "unknown command '{}'; commands: convert, validate, solve, dedupe and detect",
                    escape(other.as_bytes())
                ));
            }
        })
    }
}

/// Text from JSON.
pub(crate) fn text<'v>(name: &str, value: &'v Value) -> Result<&'v str, String> {
    value.as_str().ok_or_else(|| format!("{name} must be a string, not {value}"))
}

/// A field of an object, if it is present.
pub(crate) fn field<'v>(map: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    map.get(name).filter(|value| !value.is_null())
}

fn truth(name: &str, value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("{name} must be true or false, not {value}"))
}

fn number(name: &str, value: &Value, range: std::ops::RangeInclusive<u32>) -> Result<u32, String> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| range.contains(number));
    number.ok_or_else(|| format!("{name} must be a number from {} to {}, not {value}", range.start(), range.end()))
}

fn sign(name: &str, value: &Value, signs: &[u8]) -> Result<Option<u8>, String> {
    match text(name, value)?.as_bytes() {
        &[sign] if signs.contains(&sign) => Ok(Some(sign)),
        _ => Err(format!("{name} must be one of '{}', not {value}", escape(signs))),
    }
}

/// Parses a value; `None` for `auto` and null.
fn unless_auto<T, E: ToString>(
    name: &str,
    value: &Value,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Option<T>, String> {
    if value.is_null() || value == "auto" {
        return Ok(None);
    }
    parse(text(name, value)?).map(Some).map_err(|error| format!("{name}: {}", error.to_string()))
}

fn one_of<T, const N: usize>(name: &str, value: &Value, names: [&str; N], values: [T; N]) -> Result<T, String> {
    let asked = text(name, value)?;
    let found = names.iter().zip(values).find(|(name, _)| **name == asked).map(|(_, value)| value);
    found.ok_or_else(|| format!("{name} must be one of {}, not '{}'", names.join(", "), escape(asked.as_bytes())))
}

fn level(name: &str, value: &Value) -> Result<CheckLevel, String> {
    one_of(name, value, CheckLevel::ALL.map(CheckLevel::name), CheckLevel::ALL)
}

fn layout(name: &str, value: &Value, id: Format) -> Result<Option<Layout>, String> {
    let layouts = id.codec().layout_rules().map_or(&[][..], |rules| rules.all());
    unless_auto(name, value, |asked| {
        let names = || layouts.iter().map(|layout| layout.name()).collect::<Vec<_>>().join(", ");
        let found = layouts.iter().copied().find(|layout| layout.name() == asked);
        found.ok_or_else(|| format!("one of auto, {}", names()))
    })
}
