//! Errors of Parquet files, as errors of the run.

use std::fmt;
use std::io;
use std::path::Path;

use parquet::errors::ParquetError;

use crate::columnar::output::output_error;
use crate::error::{Error, escape};

/// The error for a failed read or copy. If the output failed, it is the output's error.
pub(super) fn read_error(path: &Path, error: ParquetError) -> Error {
    let damaged = |words: &dyn fmt::Display| {
        // Some messages have bytes of the file.
        let words = escape(words.to_string().as_bytes());
        Error::file(path, format!("cannot be read as Parquet: {words}"))
    };
    let ParquetError::External(error) = error else { return damaged(&error) };
    match error.downcast::<io::Error>() {
        Ok(error) => output_error(*error).unwrap_or_else(|error| Error::io(path, "read", error)),
        Err(error) => damaged(&error),
    }
}

/// The error for a failed write. If the output failed, it is the output's error.
pub(super) fn write_error(error: ParquetError) -> Error {
    let failed = |words: &dyn fmt::Display| {
        let words = escape(words.to_string().as_bytes());
        Error::Usage(format!("the Parquet file cannot be written: {words}"))
    };
    let ParquetError::External(error) = error else { return failed(&error) };
    match error.downcast::<io::Error>() {
        Ok(error) => output_error(*error).unwrap_or_else(|error| failed(&error)),
        Err(error) => failed(&error),
    }
}
