//! Names of outputs that say something else than what is written.

use std::path::Path;

use super::framings::{PARQUET, by_extension, by_name, one_of};
use crate::error::shown_path;
use crate::framing::NamedFraming;

/// The extensions of tables, of JSON, and of all files of text that are no files with columns.
const TABLES: &[&str] = &["csv", "tsv"];
const JSON: &[&str] = &["json", "jsonl", "ndjson"];
const TEXTS: &[&str] = &["csv", "tsv", "txt", "json", "jsonl", "ndjson", "md", "html"];

const AS_PARQUET: &str = "name it .parquet; for text, export that file afterwards, for example with DuckDB: \
    copy (from 'new.parquet') to 'new.csv'";
const AS_ARROW: &str = "name it .arrow (.arrows, if the input is a stream); for text, export that file afterwards, for example \
    with pyarrow.csv.write_csv";

/// Extensions of compressed files that are not written, and the program for them.
const PACKED: [(&[&str], &str); 5] =
    [(&["gz", "tgz"], "gzip"), (&["bz2"], "bzip2"), (&["xz", "lzma"], "xz"), (&["lz4"], "lz4"), (&["br"], "brotli")];

/// Extensions of other files that are not written, and what they are.
const OTHERS: [(&[&str], &str); 5] = [
    (&["zip", "7z", "rar", "tar"], "an archive"),
    (&["xlsx", "xls", "xlsm", "ods", "docx", "pdf"], "a document"),
    (&["db", "sqlite", "sqlite3", "duckdb"], "a database"),
    (&["npy", "npz"], "a NumPy array (--to-numpy writes one)"),
    (&["orc", "avro"], "a file with columns"),
];

fn extension(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

/// Checks that an output, which is arranged as in this framing, does not have the name of something else. Without a framing,
/// it is text, one string on each line. (Such text is a table of one column.)
pub(in crate::cli) fn check_output_name(output: Option<&Path>, written: Option<&NamedFraming>) -> anyhow::Result<()> {
    // Pipes and devices may have any name.
    let is_file = |path: &&Path| path.metadata().map_or(true, |metadata| metadata.is_file());
    let Some(path) = output.filter(|path| !path.starts_with("/dev")).filter(is_file) else { return Ok(()) };
    let inner = path.with_extension("");
    let is_compressed = extension(path).is_some_and(|last| last.eq_ignore_ascii_case("zst"));
    let Some(ending) = extension(if is_compressed { &inner } else { path }) else { return Ok(()) };
    let is_one_of = |endings: &[&str]| endings.iter().any(|of| ending.eq_ignore_ascii_case(of));
    let name = shown_path(path);
    if let Some((_, program)) = PACKED.iter().find(|(endings, _)| is_one_of(endings)) {
        anyhow::bail!(
            "-o {name}: the output would not be compressed with {program}, which its name says; leave out -o and use \
             '| {program} > FILE', or end the name in .zst"
        );
    }
    if let Some((_, what)) = OTHERS.iter().find(|(endings, _)| is_one_of(endings)) {
        anyhow::bail!(
            "-o {name}: the output would not be {what}, which its name says; give it another name, such as .txt"
        );
    }
    let columns = written.filter(|written| by_name(written.name).is_some());
    let framing = written.map_or("lines", |written| written.name);
    let (what, advice) = match (columns, by_extension(ending)) {
        (Some(columns), Some(named)) if std::ptr::eq(columns, named) => return Ok(()),
        (Some(columns), named) if named.is_some() || is_one_of(TEXTS) => {
            (one_of(columns), if std::ptr::eq(columns, &PARQUET) { AS_PARQUET } else { AS_ARROW })
        }
        (None, Some(_)) => ("text", "give it another name"),
        (None, None) if is_one_of(TABLES) && framing == "jsonl" => {
            ("lines of JSON, like the input", "give it another name, such as .jsonl")
        }
        (None, None) if is_one_of(JSON) && framing == "lines" => {
            ("one string on each line", "give it another name, such as .txt")
        }
        (None, None) if is_one_of(JSON) && ["csv", "tsv"].contains(&framing) => {
            ("a table, like the input", "give it another name, such as .csv")
        }
        _ => return Ok(()),
    };
    anyhow::bail!("-o {name}: the output would be {what}, which its name denies; {advice}");
}
