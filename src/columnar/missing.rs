//! Stands for `columnar` in builds without the feature `parquet`: the same names, and an error that says how to build it.

use std::path::Path;

pub(crate) use crate::engine::ColumnFile;
use crate::engine::{Convert, Dedupe, Deduped, Report, StringColumns};
use crate::error::Error;

pub(crate) fn run(_: Convert, _: ColumnFile, _: StringColumns) -> Result<Report, Error> {
    Err(missing())
}

pub(crate) fn dedupe(_: Dedupe, _: ColumnFile, _: StringColumns, _: StringColumns) -> Result<Deduped, Error> {
    Err(missing())
}

pub(crate) fn strings(
    _: &Path,
    _: ColumnFile,
    _: Option<&str>,
    _: &mut dyn FnMut(usize, &[u8]) -> bool,
) -> Result<(), Error> {
    Err(missing())
}

/// Whether the calling thread is reading such a file.
pub(crate) fn is_reading() -> bool {
    false
}

fn missing() -> Error {
    let words =
        "this program was built without Parquet and Arrow support; build it with cargo build --release --all-features";
    Error::Usage(words.into())
}
