//! The flag for additional columns.

use clap::Args;

use crate::engine::Added;

/// Columns that are added.
#[derive(Debug, Args)]
pub(in crate::cli) struct AddFlags {
    /// Add columns (csv, tsv, parquet, arrow), fields (jsonl) or, to lines and words, tab-separated columns: a comma-separated list, each
    /// item with '=NAME' to give its column another name.
    #[arg(long, value_name = "WHAT[=NAME],...", value_delimiter = ',', value_parser = parse_added, long_help = long_help())]
    pub(in crate::cli) add: Vec<(Added, String)>,
}

fn long_help() -> String {
    let each = Added::ALL.map(|added| format!("\n- {}: {}", added.name(), added.about()));
    format!(
        "Add columns (csv, tsv, parquet, arrow), fields (jsonl) or, to lines and words, tab-separated columns: a comma-separated list, each \
         item with '=NAME' to give its column another name. Unknown values are left empty.{}",
        each.concat()
    )
}

fn parse_added(text: &str) -> Result<(Added, String), String> {
    let (what, name) = text.split_once('=').unwrap_or((text, text));
    let found = Added::ALL.into_iter().find(|added| added.name() == what);
    let added = found.ok_or_else(|| {
        let all = Added::ALL.map(Added::name).join(", ");
        format!("unknown item '{what}'; known items: {all}")
    })?;
    match name {
        "" => Err(format!("'{what}=' needs a column name")),
        _ => Ok((added, name.to_string())),
    }
}
