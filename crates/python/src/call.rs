//! Handles the arguments that all functions share, and runs work without the interpreter's lock.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use gridmill_columns::{CallError, LayoutEvidence, RefusedRows, Session};
use gridmill_core::Kind;
use gridmill_core::convert::Conversion;
use gridmill_core::error::Unavailable;
use gridmill_core::formats::{Format, FormatLayouts, Hints, Layout};
use gridmill_core::kernels::{self, Kernel};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::evidence::PyEvidence;

pyo3::create_exception!(
    gridmill,
    InternalError,
    PyException,
    "A bug in gridmill, not in its input. Please report it with the string that caused it."
);

/// The maximum number of threads that can be asked for.
const MAX_THREADS: usize = 1024;

/// How often signals (Ctrl-C) are checked.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The arguments of all functions: how strings are read, and the number of threads.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ReadArguments<'py> {
    from_: Option<String>,
    kind: Option<String>,
    alphabet: Option<String>,
    str8ts_layout: Option<String>,
    str8ts_flags: Option<String>,
    evidence: Option<Bound<'py, PyAny>>,
    threads: i64,
}

impl ReadArguments<'_> {
    /// Returns a conversion with these settings.
    pub(crate) fn conversion(&self) -> PyResult<Conversion> {
        let from = match self.from_.as_deref() {
            None | Some("auto") => None,
            Some(name) => Some(name.parse::<Format>().map_err(value_error)?),
        };
        let kind = self.kind.as_deref().map(|name| name.parse::<Kind>().map_err(value_error)).transpose()?;
        let layout = layout("str8ts_layout", self.str8ts_layout.as_deref(), Format::V2, false)?;
        let flags = self::layout("str8ts_flags", self.str8ts_flags.as_deref(), Format::V1, false)?;
        let layouts = FormatLayouts::default().with(Format::V2, layout).with(Format::V1, flags);
        let alphabet = self.alphabet.as_deref().filter(|&name| name != "auto").map(Layout::alphabet).transpose();
        let alphabet = alphabet.map_err(|names| value_error(format!("alphabet must be {names}")))?;
        let layouts = layouts.with(Format::Plain, alphabet);
        Ok(Conversion { from, hints: Hints { kind, layouts, ..Hints::default() }, ..Conversion::default() })
    }

    fn evidence(&self) -> PyResult<LayoutEvidence> {
        let Some(evidence) = &self.evidence else { return Ok(LayoutEvidence::OfCall) };
        if let Ok(evidence) = evidence.cast::<PyEvidence>() {
            return Ok(LayoutEvidence::Given(evidence.get().votes));
        }
        match evidence.cast::<PyBool>() {
            Ok(evidence) if !evidence.is_true() => Ok(LayoutEvidence::Nothing),
            _ => Err(PyTypeError::new_err("evidence must be None, False or a gridmill.Evidence")),
        }
    }

    /// Runs `work` without the interpreter's lock. Ctrl-C ends it.
    pub(crate) fn detached<T: Send>(
        &self,
        py: Python<'_>,
        conversion: Conversion,
        list_refused: bool,
        work: impl FnOnce(&Session<'_>) -> Result<T, CallError> + Send,
    ) -> PyResult<T> {
        let (kernel, evidence, threads) = (kernel()?, self.evidence()?, threads(self.threads)?);
        let signals = Signals { seen: Mutex::new((Instant::now(), None)) };
        let done = py.detach(|| {
            let interrupted = || signals.interrupt();
            let session = Session { conversion, kernel, evidence, threads, list_refused, interrupted: &interrupted };
            catch_unwind(AssertUnwindSafe(|| work(&session)))
        });
        match done {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error @ CallError::Type(_))) => Err(PyTypeError::new_err(error.to_string())),
            Ok(Err(CallError::Interrupted)) => Err(signals.error()),
            Ok(Err(error)) => Err(value_error(error)),
            Err(panic) => {
                let words = panic.downcast_ref::<String>().map(String::as_str);
                let words = words.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
                Err(InternalError::new_err(words.to_string()))
            }
        }
    }
}

/// Checks for Ctrl-C in the calling thread.
struct Signals {
    /// The time of the last check, and what it found.
    seen: Mutex<(Instant, Option<PyErr>)>,
}

impl Signals {
    /// Whether to stop.
    fn interrupt(&self) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.0.elapsed() < SIGNAL_INTERVAL {
            return false;
        }
        let found = Python::attach(|py| py.check_signals()).err();
        *seen = (Instant::now(), found);
        seen.1.is_some()
    }

    /// Returns what was found.
    fn error(self) -> PyErr {
        let (_, error) = self.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        error.unwrap_or_else(|| InternalError::new_err("interrupted by nothing"))
    }
}

/// The error for an invalid value.
pub(crate) fn value_error(words: impl Display) -> PyErr {
    PyValueError::new_err(words.to_string())
}

/// Returns the layout of a format that has this name. `None` if no name is given or, unless it is for writing, it is
/// `auto`.
pub(crate) fn layout(argument: &str, name: Option<&str>, id: Format, writes: bool) -> PyResult<Option<Layout>> {
    let auto = if writes { "" } else { "auto" };
    let Some(name) = name.filter(|&name| writes || name != auto) else { return Ok(None) };
    let rules = id.codec().layout_rules();
    let layouts = rules.map_or(&[][..], |rules| if writes { rules.writable() } else { rules.all() });
    let found = layouts.iter().copied().find(|layout| layout.name() == name);
    found.map(Some).ok_or_else(|| {
        let names: Vec<_> = [auto].into_iter().filter(|_| !writes).chain(layouts.iter().map(|of| of.name())).collect();
        value_error(format!("{argument} must be one of {}, not '{name}'", names.join(", ")))
    })
}

/// Returns the kernel that `GRIDMILL_KERNEL` names, or else the best one. The choice is made once.
pub(crate) fn kernel() -> PyResult<&'static Kernel> {
    static CHOSEN: OnceLock<Result<&'static Kernel, Unavailable>> = OnceLock::new();
    let chosen = CHOSEN.get_or_init(|| match std::env::var_os("GRIDMILL_KERNEL") {
        Some(name) if !name.is_empty() => kernels::by_name(&name.to_string_lossy()),
        _ => Ok(kernels::best()),
    });
    chosen.clone().map_err(|why| value_error(format!("GRIDMILL_KERNEL: {why}")))
}

/// Returns the number of threads: the argument, or if that is 0, `GRIDMILL_THREADS`, or else 0 for one for each core.
fn threads(asked: i64) -> PyResult<usize> {
    let threads = match std::env::var("GRIDMILL_THREADS") {
        Ok(said) if asked == 0 && !said.is_empty() => {
            said.parse().map_err(|_| value_error(format!("GRIDMILL_THREADS must be a number, not '{said}'")))?
        }
        _ => asked,
    };
    match usize::try_from(threads) {
        Ok(threads @ 0..=MAX_THREADS) => Ok(threads),
        _ => Err(value_error(format!("threads must be 0 to {MAX_THREADS}, not {threads}"))),
    }
}

/// The first refused row: its number, code, cell and message, the number of refused rows, and their number by code.
pub(crate) type FirstRefused = (usize, &'static str, Option<String>, String, usize, Vec<(&'static str, usize)>);

/// Returns the first refused row, if there is one.
pub(crate) fn first_refused(refused: &RefusedRows) -> Option<FirstRefused> {
    let first = refused.first()?;
    let codes = refused.codes.iter().map(|(code, &count)| (code.name(), count)).collect();
    let reject = &first.reject;
    let cell = reject.cell.map(|cell| cell.to_string());
    Some((first.record, reject.code.name(), cell, reject.message.clone(), refused.count(), codes))
}
