//! `gridmill formats`: prints the table of formats from the registry.

use clap::Args;
use serde_json::{Value, json};

use super::print;
use crate::board::{Kind, Side};
use crate::formats::{About, REGISTRY};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill formats
  gridmill formats --json | jq -r '.formats[].name'")]
pub(super) struct FormatsFlags {
    /// Print the table as JSON.
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(flags: &FormatsFlags) -> anyhow::Result<u8> {
    let text = if flags.json { format!("{:#}\n", as_json()) } else { table() };
    print(text.as_bytes())
}

fn abouts() -> impl Iterator<Item = &'static About> {
    REGISTRY.iter().map(|format| format.about())
}

fn table() -> String {
    let mut text = String::new();
    for about in abouts() {
        text.push_str(&format!("{}: {}\n", about.name, about.description()));
        for layout in about.layouts {
            text.push_str(&format!("    {:<44} {:>12}  {}\n", layout.kinds, layout.length, layout.body));
        }
    }
    text.push_str("\nThe numbers are characters at side 9.\n\nKinds and their v2 headers:\n");
    for kind in Kind::all() {
        let alias = kind.rules().alias.map(|alias| format!(" ({alias})")).unwrap_or_default();
        text.push_str(&format!("    {:<24} {}\n", format!("{kind}{alias}"), headers(kind).join(" ")));
    }
    text
}

/// Returns the v2 headers of a kind, one for each side.
fn headers(kind: Kind) -> Vec<String> {
    let rules = kind.rules();
    let sides = rules.sides.iter().filter_map(|&side| Side::new(side.into()));
    sides.map(|side| [rules.letter, side.letter(), rules.version].map(char::from).iter().collect()).collect()
}

fn as_json() -> Value {
    let layouts = |about: &About| -> Vec<Value> {
        let row = |layout: &crate::formats::LayoutDoc| json!({"kinds": layout.kinds, "body": layout.body, "length": layout.length});
        about.layouts.iter().map(row).collect()
    };
    let formats: Vec<_> = abouts()
        .map(|about| json!({"name": about.name, "summary": about.description(), "layouts": layouts(about)}))
        .collect();
    let kinds: Vec<_> = Kind::all()
        .map(|kind| json!({"name": kind.name(), "alias": kind.rules().alias, "v2_headers": headers(kind)}))
        .collect();
    json!({"formats": formats, "kinds": kinds})
}
