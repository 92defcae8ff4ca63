//! The framings that only the program has: detection, and files with columns, which are not text.

use crate::framing::{Framing, NamedFraming, Options};

/// Stands for a framing that is not known yet.
pub(super) static AUTO: NamedFraming = NamedFraming::new(
    "auto",
    "whatever it is",
    "Detected from the file name extension and the first bytes, and reported on stderr",
    &["--column", "--solution-column", "--delimiter", "--no-header", "--null", "--field", "--solution-field"],
    |_| Err("--framing auto is not resolved".into()),
);

/// The framing for Parquet files.
pub(super) static PARQUET: NamedFraming = NamedFraming::new(
    "parquet",
    "Parquet files",
    "One or more columns of a Parquet file, named with --column; columns in structs and lists by their path: OUTER.FIELD, OUTER.list.element with most writers. The rest of the file stays unchanged",
    &["--column", "--solution-column"],
    no_text,
);

/// The framing for Arrow files and streams.
pub(super) static ARROW: NamedFraming = NamedFraming::new(
    "arrow",
    "Arrow files",
    "One or more columns of an Arrow file or stream (IPC, Feather 2), named with --column. The rest stays unchanged",
    &["--column", "--solution-column"],
    no_text,
);

fn no_text(_: &Options) -> Result<Box<dyn Framing>, String> {
    Err("only convert, validate, solve, canon and dedupe read Parquet and Arrow files; for other commands, export CSV, for example \
        with DuckDB: copy (from 'boards.parquet') to 'boards.csv'"
        .into())
}

/// Returns the framing for files with columns that have this extension.
pub(super) fn by_extension(extension: &str) -> Option<&'static NamedFraming> {
    match extension.to_ascii_lowercase().as_str() {
        "parquet" | "pq" => Some(&PARQUET),
        "arrow" | "arrows" | "feather" | "ipc" => Some(&ARROW),
        _ => None,
    }
}

/// Returns the framing for files with columns that has this name.
pub(super) fn by_name(name: &str) -> Option<&'static NamedFraming> {
    [&PARQUET, &ARROW].into_iter().find(|framing| framing.name == name)
}

/// Names one file of a framing for files with columns.
pub(super) fn one_of(framing: &NamedFraming) -> &'static str {
    if std::ptr::eq(framing, &PARQUET) { "a Parquet file" } else { "an Arrow file" }
}
