//! The functions that JavaScript calls, with numbers as arguments. Text is written to a buffer of [`alloc`] and passed
//! as address and length. A call returns the address of its answer, [`answer_len`] bytes of JSON, which is valid until
//! the next call.
#![allow(unsafe_code)] // names that are not mangled; there is no unsafe block

use std::cell::RefCell;

use crate::answer::CallAnswer;
use crate::options::CallOptions;
use crate::run::Run;
use crate::{columns, edit, memory, show};

/// About how many bytes a run gives in one answer.
const ANSWERED: usize = 4 << 20;

thread_local! {
    /// The last answer.
    static ANSWER: RefCell<CallAnswer> = RefCell::default();
    /// Runs whose text comes in pieces. The number of a run is its index plus one.
    static RUNS: RefCell<Vec<Option<Box<Run>>>> = const { RefCell::new(Vec::new()) };
}

/// Allocates a buffer.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn alloc(length: usize) -> usize {
    memory::alloc(length)
}

/// Frees a buffer of [`alloc`].
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn release(address: usize) {
    memory::release(address);
}

/// The length of the last answer's JSON.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer_len() -> usize {
    ANSWER.with_borrow(|answer| answer.head().len())
}

/// Converts a text as `gridmill convert` does.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn convert(options: usize, options_len: usize, text: usize, text_len: usize) -> usize {
    whole("convert", (options, options_len), (text, text_len))
}

/// Checks a text as `gridmill validate` does.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn validate(options: usize, options_len: usize, text: usize, text_len: usize) -> usize {
    whole("validate", (options, options_len), (text, text_len))
}

/// Solves a text as `gridmill solve` does.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn solve(options: usize, options_len: usize, text: usize, text_len: usize) -> usize {
    whole("solve", (options, options_len), (text, text_len))
}

/// Leaves out the puzzles of a text that are the same as earlier ones, as `gridmill dedupe` does.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn dedupe(options: usize, options_len: usize, text: usize, text_len: usize) -> usize {
    whole("dedupe", (options, options_len), (text, text_len))
}

/// Recognises each string of a text.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn detect(options: usize, options_len: usize, text: usize, text_len: usize) -> usize {
    whole("detect", (options, options_len), (text, text_len))
}

/// Begins a run whose text comes in pieces. `command` is one of the options. The answer has the run's number.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn begin(options: usize, options_len: usize) -> usize {
    answer(|| {
        let run = Box::new(Run::new(read_options((options, options_len))?)?);
        let number = RUNS.with_borrow_mut(|runs| {
            let free = runs.iter().position(Option::is_none).unwrap_or(runs.len());
            runs.resize_with(runs.len().max(free + 1), || None);
            runs[free] = Some(run);
            free + 1
        });
        Ok(CallAnswer::new(&serde_json::json!({ "run": number })))
    })
}

/// Makes room for at most `length` bytes of the next piece of a run's text, to be written there. Returns 0 if there is
/// no such run.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn room(run: usize, length: usize) -> usize {
    RUNS.with_borrow_mut(|runs| {
        let run = runs.get_mut(run.wrapping_sub(1)).and_then(Option::as_mut);
        run.map_or(0, |run| run.room(length).as_mut_ptr() as usize)
    })
}

/// Takes `length` bytes that were written to [`room`], and answers with the results of the rows that are complete.
/// While the answer says that there is `more`, the next piece may be empty. The run is over after the `last` piece and
/// all of its results.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn feed(run: usize, length: usize, last: bool) -> usize {
    answer(|| {
        let mut own = take_run(run).ok_or_else(|| format!("there is no run {run}"))?;
        own.write_to(ANSWER.take().into_text());
        let (done, more) = own.feed(length, last, ANSWERED)?;
        if more || !last {
            RUNS.with_borrow_mut(|runs| runs[run - 1] = Some(own));
        }
        Ok(done)
    })
}

/// Ends a run early.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn end(run: usize) {
    take_run(run);
}

/// Describes one string: see `show`.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn show(options: usize, options_len: usize, text: usize, text_len: usize) -> usize {
    asked((options, options_len), (text, text_len), show::show)
}

/// Finds the strings of a text, in whatever framing.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn find(options: usize, options_len: usize, text: usize, text_len: usize) -> usize {
    asked((options, options_len), (text, text_len), show::find)
}

/// The columns of a table: see `columns`.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn columns_of(options: usize, options_len: usize, text: usize, text_len: usize) -> usize {
    asked((options, options_len), (text, text_len), columns::columns)
}

/// Edits a board: see `edit`.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn edit(options: usize, options_len: usize, text: usize, text_len: usize) -> usize {
    answer(|| {
        let asked = memory::with(options..options.saturating_add(options_len), json)??;
        memory::with(text..text.saturating_add(text_len), |text| edit::edit(&asked, text))?
    })
}

/// The names of formats, framings, kinds and sides, for lists to choose from.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn names() -> usize {
    answer(|| Ok(show::names()))
}

fn take_run(number: usize) -> Option<Box<Run>> {
    RUNS.with_borrow_mut(|runs| runs.get_mut(number.checked_sub(1)?)?.take())
}

/// Converts a whole text.
fn whole(command: &str, options: (usize, usize), text: (usize, usize)) -> usize {
    answer(|| {
        let mut run = Run::new(read_options(options)?.of(command))?;
        memory::with(text.0..text.0.saturating_add(text.1), |text| run.convert_all(text))?
    })
}

fn asked(
    options: (usize, usize),
    text: (usize, usize),
    call: fn(&CallOptions, &[u8]) -> Result<CallAnswer, String>,
) -> usize {
    answer(|| {
        let options = read_options(options)?;
        memory::with(text.0..text.0.saturating_add(text.1), |text| call(&options, text))?
    })
}

fn json(text: &[u8]) -> Result<serde_json::Value, String> {
    serde_json::from_slice(text).map_err(|error| format!("the options are not valid JSON: {error}"))
}

fn read_options((address, length): (usize, usize)) -> Result<CallOptions, String> {
    let value = memory::with(address..address.saturating_add(length), json)??;
    CallOptions::read(&value)
}

/// Stores an answer, or an error message, and returns its address.
fn answer(call: impl FnOnce() -> Result<CallAnswer, String>) -> usize {
    let answer = call().unwrap_or_else(|words| CallAnswer::error(&words));
    ANSWER.with_borrow_mut(|kept| {
        *kept = answer;
        kept.head().as_ptr() as usize
    })
}

/// The parts of the last answer, as JavaScript reads them.
#[cfg(test)]
pub(crate) fn answered() -> [String; 3] {
    ANSWER.with_borrow(CallAnswer::parts)
}

/// Writes to the room for a run's next piece, as JavaScript does.
#[cfg(test)]
pub(crate) fn write(run: usize, bytes: &[u8]) {
    RUNS.with_borrow_mut(|runs| runs[run - 1].as_mut().expect("a run").room(bytes.len()).copy_from_slice(bytes));
}
