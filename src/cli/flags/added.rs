//! The flag for additional columns.

use clap::Args;

use crate::engine::Added;

/// Columns that are added.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(in crate::cli) struct AddFlags {
    #[arg(long, value_name = "WHAT[=NAME],...", value_delimiter = ',', value_parser = parse_added,
          help = format!("{SHORT}: {}", names()), long_help = long_help())]
    add: Vec<(Added, String)>,

    /// Keep the title and the author of each puzzle in columns. Same as --add title,author.
    #[arg(long)]
    keep_names: bool,
}

impl AddFlags {
    /// What is added, with the names of the columns.
    pub(in crate::cli) fn added(&self) -> impl Iterator<Item = (Added, String)> {
        let names = Added::NAMES.map(|added| (added, added.name().to_string()));
        self.add.iter().cloned().chain(names.into_iter().filter(|_| self.keep_names))
    }
}

const SHORT: &str = "Add columns or fields: a comma-separated list, each optionally with '=NAME'";
const PURPOSE: &str = "Add columns (csv, tsv, parquet, arrow), fields (jsonl) or, to lines and words, tab-separated columns: a \
    comma-separated list of items, each optionally with '=NAME' to give its column another name";

/// The width of a line of the list in the help, which is indented by ten columns.
const WIDTH: usize = 70;

fn names() -> String {
    Added::ALL.map(Added::name).join(", ")
}

fn long_help() -> String {
    let each = Added::ALL.map(|added| list_item(&format!("{}: {}", added.name(), added.about())));
    format!("{PURPOSE}. Unknown values are left empty.{}", each.concat())
}

/// Returns the lines of an item of a list. All but the first are indented.
fn list_item(text: &str) -> String {
    let (mut lines, mut length) = (String::from("\n-"), 1);
    for word in text.split(' ') {
        let fits = length + 1 + word.chars().count() <= WIDTH;
        lines.push_str(if fits { " " } else { "\n  " });
        length = if fits { length + 1 } else { 2 } + word.chars().count();
        lines.push_str(word);
    }
    lines
}

fn parse_added(text: &str) -> Result<(Added, String), String> {
    let (what, name) = text.split_once('=').unwrap_or((text, text));
    let found = Added::ALL.into_iter().find(|added| added.name() == what);
    let added = found.ok_or_else(|| format!("unknown item '{what}'; known items: {}", names()))?;
    match name {
        "" => Err(format!("'{what}=' needs a column name")),
        _ => Ok((added, name.to_string())),
    }
}
