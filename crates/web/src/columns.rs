//! The columns of a table and its first rows, to choose the column with the puzzles from.

use gridmill_core::error::escape;
use gridmill_core::framing::table::Column;
use gridmill_core::framing::{Guess, NamedPlace, guess, table_rows};
use serde_json::{Value, json};

use crate::answer::CallAnswer;
use crate::framed::{CSV_AND_TSV, GUESS_WINDOW, mark};
use crate::options::{CallOptions, RecordOptions};

/// The most columns that are shown, and that are tried when the table is looked for.
const MOST_COLUMNS: usize = 64;

/// The rows that are shown, besides the header.
const ROWS: usize = 5;

/// The characters of a field that are shown.
const SHOWN: usize = 60;

/// The columns of a text that is a table, of which the first bytes are given. The JSON has `columns`, each with its `name`
/// and how it is named in the option `column`; the fields of the first `rows`; the index of the `chosen` one, null if
/// that cannot be guessed; `framing`, `delimiter` and `no_header` as options. Of what is no table, `columns` is null.
pub(crate) fn columns(options: &CallOptions, text: &[u8]) -> Result<CallAnswer, String> {
    let text = &text[mark(text)..];
    let whole = text.len() < GUESS_WINDOW;
    let cut = if whole { text.len() } else { memchr::memrchr(b'\n', text).map_or(text.len(), |feed| feed + 1) };
    let text = &text[..cut];
    let found = table(options, text, whole).map(|(table, chosen)| described(&table, chosen, text));
    Ok(CallAnswer::new(&found.unwrap_or_else(|| json!({ "columns": null }))))
}

/// The table that a text is, and whether its column is certain.
fn table(options: &CallOptions, text: &[u8], whole: bool) -> Option<(Guess, bool)> {
    let RecordOptions { framing, column, name, delimiter, no_header, .. } = &options.records;
    if let Some(asked) = framing.as_deref() {
        let framing = CSV_AND_TSV.into_iter().find(|name| *name == asked)?;
        let guess =
            Guess { framing, column: column.clone(), delimiter: *delimiter, no_header: *no_header, ..Guess::default() };
        return Some((guess, column.is_some()));
    }
    let ending = name.as_deref().and_then(|name| Some(name.rsplit_once('.')?.1));
    let guessed = |column: Option<&str>| guess(text, ending, whole, &NamedPlace { column, ..NamedPlace::default() });
    // Where several columns have strings, none is guessed, but each can be asked for.
    let (found, certain) = match guessed(column.as_deref()) {
        Ok(found) => (found, true),
        Err(_) => ((1..=MOST_COLUMNS).find_map(|number| guessed(Some(&number.to_string())).ok())?, false),
    };
    CSV_AND_TSV.contains(&found.framing).then_some((found, certain))
}

fn described(table: &Guess, certain: bool, text: &[u8]) -> Value {
    let [csv, _] = CSV_AND_TSV;
    let delimiter = table.delimiter.unwrap_or(if table.framing == csv { b',' } else { b'\t' });
    let mut rows: Vec<Vec<&[u8]>> = table_rows(text, delimiter, table.framing == csv).take(ROWS + 1).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0).min(MOST_COLUMNS);
    let header = if table.no_header || rows.is_empty() { Vec::new() } else { rows.remove(0) };
    rows.truncate(ROWS);
    let name =
        |at: usize| header.get(at).and_then(|name| std::str::from_utf8(name).ok()).filter(|name| !name.is_empty());
    let columns = (0..width).map(|at| {
        let number = at + 1;
        let value = match name(at) {
            Some(name) if is_unmistakable(name) && header.iter().filter(|other| **other == name.as_bytes()).count() == 1 => {
                name.to_string()
            }
            _ if header.is_empty() => number.to_string(),
            _ => format!("number:{number}"),
        };
        json!({"name": name(at).map_or_else(|| format!("Column {number}"), |name| escape(name.as_bytes())), "value": value})
    });
    let is_chosen = |at: &usize| {
        let column = table.column.as_deref().and_then(|column| Column::typed(column).ok());
        column.is_some_and(|column| match column {
            Column::Name(asked) => name(*at) == Some(&asked),
            Column::Number(number) => number == at + 1,
            Column::NumberOrName(asked) => asked == (at + 1).to_string(),
            _ => false,
        })
    };
    let chosen = (0..width).filter(|_| certain).find(is_chosen);
    let shown = |field: &&[u8]| String::from_utf8_lossy(field).chars().take(SHOWN).collect::<String>();
    json!({
        "columns": columns.collect::<Vec<_>>(),
        "rows": rows.iter().map(|row| row.iter().take(width).map(shown).collect()).collect::<Vec<Vec<_>>>(),
        "chosen": chosen,
        "framing": table.framing,
        "delimiter": table.delimiter.map(|byte| char::from(byte).to_string()),
        "no_header": table.no_header,
    })
}

/// Whether a name can only be a name where a column is named.
fn is_unmistakable(name: &str) -> bool {
    name.parse::<usize>().is_err() && !name.starts_with("name:") && !name.starts_with("number:")
}
