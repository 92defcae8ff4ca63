//! Lists outside of the registries: each has what its registry has. A message says which list of which file lacks what.

use std::fs;
use std::path::Path;

use gridmill::board::{FillCandidates, Kind};
use gridmill::convert::CheckLevel;
use gridmill::formats::{Format, Layout, REGISTRY};
use gridmill::{framing, kernels};

use crate::support::{commands, program, run};

/// What to do about a list that differs.
const WHERE: &str = "docs/ARCHITECTURE.md, \"Where new things go\", names all places";

/// A list in a file: the text between `begin` and the next `end`.
struct List {
    path: &'static str,
    begin: &'static str,
    end: &'static str,
}

impl List {
    /// The names in the list, which are words of lower-case letters, digits and hyphens.
    fn names(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path).unwrap_or_else(|error| panic!("{}: {error}", self.path));
        let list = text.split_once(self.begin).and_then(|(_, rest)| rest.split_once(self.end)).map(|(list, _)| list);
        let list = list.unwrap_or_else(|| panic!("{}: there is no list after {:?}", self.path, self.begin));
        let words = list.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '-');
        words.filter(|word| !["", "or"].contains(word)).map(str::to_string).collect()
    }
}

const fn list(path: &'static str, begin: &'static str, end: &'static str) -> List {
    List { path, begin, end }
}

const TYPES: &str = "crates/web/gridmill.d.mts";
const PYTHON: &str = "crates/python/python/gridmill/__init__.py";
const SAME_BYTES: &str = "benches/same_bytes.py";

/// Compares lists with the names of a registry.
fn compare(lists: &[List], names: &[&str]) {
    let differ = lists.iter().filter(|list| list.names() != names);
    let differ: Vec<_> = differ.map(|list| format!("{}: the list after {:?}", list.path, list.begin)).collect();
    assert!(differ.is_empty(), "these should be {names:?}; {WHERE}:\n{}", differ.join("\n"));
}

/// The first cells of the rows of tables, below a heading.
fn rows(path: &str, heading: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let section = text.split_once(&format!("\n{heading}\n")).map(|(_, rest)| rest);
    let section = section.unwrap_or_else(|| panic!("{path}: there is no heading {heading:?}"));
    let rows = section.lines().take_while(|line| !line.starts_with("## "));
    let cells = rows.filter_map(|line| line.strip_prefix("| ")?.split_once(" |").map(|(cell, _)| cell.to_string()));
    cells.filter(|cell| cell.contains('`')).collect()
}

/// Fails if `path` has no text `wanted`.
fn has(path: &str, wanted: &str) {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(text.contains(wanted), "{path}: {wanted:?} is missing; {WHERE}");
}

#[test]
fn formats() {
    let names = REGISTRY.map(|format| format.about().name);
    compare(
        &[
            list(TYPES, "    to?: ", ";"),
            list(PYTHON, ":param to: the new format: ", "."),
            list(PYTHON, "[format[\"name\"] for format in formats()]", "]"),
            list("docs/CLI.md", "`--to` that of the output (`v2` by default): ", "."),
            list(SAME_BYTES, "\nFORMATS = ", ".split"),
        ],
        &names,
    );
    assert_eq!(rows("README.md", "## Formats"), names.map(|name| format!("`{name}`")), "README.md; {WHERE}");
    for name in names {
        has("docs/FORMATS.md", &format!("\n## {name}\n"));
        has("data/make.sh", &format!("{name}.txt\n"));
        has("data/README.md", &format!("| `{name}.txt`"));
        assert!(Path::new("data").join(format!("{name}.txt")).exists(), "data/{name}.txt is missing; {WHERE}");
    }
}

#[test]
fn layouts() {
    let names = |id: Format, which: fn(&dyn gridmill::formats::LayoutRules) -> &'static [Layout]| {
        let rules = id.codec().layout_rules().expect("a format with layouts");
        which(rules).iter().map(|layout| layout.name()).collect::<Vec<_>>()
    };
    let auto = |names: Vec<&'static str>| [vec!["auto"], names].concat();
    let in_python = ":param str8ts_layout: the layout of v2 Str8ts strings: ";
    compare(
        &[list(TYPES, "str8ts_layout?: ", ";"), list(PYTHON, in_python, ".")],
        &auto(names(Format::V2, |rules| rules.all())),
    );
    let in_python = ":param str8ts_flags: the layout of v1 Str8ts strings: ";
    compare(
        &[list(TYPES, "str8ts_flags?: ", ";"), list(PYTHON, in_python, ".")],
        &auto(names(Format::V1, |rules| rules.all())),
    );
    let in_python = ":param str8ts_write: the layout in which v2 Str8ts strings are written: ";
    compare(
        &[list(TYPES, "str8ts_write?: ", ";"), list(PYTHON, in_python, ".")],
        &names(Format::V2, |rules| rules.writable()),
    );
}

#[test]
fn choices() {
    let notes = FillCandidates::ALL.map(FillCandidates::name);
    compare(&[list(TYPES, "notes?: ", ";"), list(PYTHON, ":param notes: what to do with candidates: ", ".")], &notes);
    let levels = CheckLevel::ALL.map(CheckLevel::name);
    compare(&[list(TYPES, "check?: ", ";"), list(TYPES, "    level?: ", ";")], &levels);
    compare(&[list(PYTHON, ":param level: what to check: ", ".")], &levels);
}

#[test]
fn kinds() {
    let names: Vec<_> = Kind::all().map(Kind::name).collect();
    compare(&[list("data/make.sh", "\nfor kind in ", "\ndo"), list(SAME_BYTES, "\nKINDS = ", ".split")], &names);
    has("README.md", &format!("| all {}, sides ", names.len()));
    has("data/README.md", &format!("each of the {} kinds", names.len()));
    for kind in Kind::all() {
        has("docs/FORMATS.md", &format!("\n| `{}` | `{}` | ", char::from(kind.rules().letter), kind.name()));
        let sites = fs::read_to_string("crates/web/page/sites.mjs").expect("a module of the page");
        let (name, sites) = (kind.name(), sites.replace('"', ""));
        assert!(sites.contains(&format!(" {name}: ")), "crates/web/page/sites.mjs: {name} is missing; {WHERE}");
    }
}

#[test]
fn framings() {
    let names = framing::REGISTRY.map(|entry| entry.name);
    compare(&[list(TYPES, "    framing?: ", ";")], &[&["auto"][..], &names].concat());
    let listed = rows("docs/CLI.md", "## Records").join(" ");
    for name in names {
        assert!(listed.contains(&format!("`{name}`")), "docs/CLI.md, \"Records\": `{name}` is missing; {WHERE}");
    }
}

#[test]
fn kernels_and_commands() {
    let help = String::from_utf8(run(program().arg("--help"), b"").good()).expect("UTF-8");
    let cli = fs::read_to_string("docs/CLI.md").expect("a document");
    let row = cli.lines().find(|line| line.starts_with("| `GRIDMILL_KERNEL`")).expect("a row on kernels");
    let line = help.lines().find(|line| line.contains("GRIDMILL_KERNEL=")).expect("a line on kernels");
    for name in kernels::compiled() {
        assert!(line.split(['=', '|', ' ']).any(|word| word == *name), "gridmill --help: {name} is missing; {WHERE}");
        assert!(row.contains(&format!("`{name}`")), "docs/CLI.md, \"Environment\": {name} is missing; {WHERE}");
    }
    let listed = rows("docs/CLI.md", "## Commands").join("\n");
    for name in commands() {
        assert!(listed.contains(&format!("`gridmill {name}")), "docs/CLI.md, \"Commands\": {name} is missing; {WHERE}");
    }
}
