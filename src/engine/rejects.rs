//! The reject file: a TSV row for each refused record (CLI.md, "Bad records").

use super::worker::Row;
use crate::error::escape;

/// The first line.
pub const HEADER: &str = "input\tline\tbyte\tcell\tcode\tmessage\trecord\n";

/// A row as text. `line` is the record's line from 1 and `byte` its first byte from 0, both in its input.
pub fn row(input: &str, line: u64, byte: u64, row: &Row) -> String {
    let cell = row.reject.cell.map_or("-".to_string(), |cell| cell.to_string());
    let message = escape(row.reject.message.as_bytes());
    let record = match row.too_long {
        None => escape(&row.record),
        Some(length) => format!("{}...{length}", escape(&row.record)),
    };
    format!("{input}\t{line}\t{byte}\t{cell}\t{}\t{message}\t{record}\n", row.reject.code)
}
