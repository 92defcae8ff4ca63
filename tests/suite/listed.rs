//! Lists outside of the registries: each has what its registry has. A message says which list of which file lacks what.
//! `UPDATE_DOCS=1 cargo test --test suite -- listed::` writes the lists of formats, and the samples of formats without kernels
//! in `data/`.

use std::fs;
use std::path::Path;

use gridmill::board::{FillCandidates, Kind};
use gridmill::convert::CheckLevel;
use gridmill::formats::{About, Format, Layout, REGISTRY};
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

/// Whether lists are to be written instead of compared.
fn is_update() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some()
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Puts words on lines of at most 120 characters.
fn wrapped(words: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let is_first = text.is_empty();
        let fits = width + 1 + word.len() <= 120;
        text.push_str(if is_first {
            ""
        } else if fits {
            " "
        } else {
            "\n"
        });
        width = if is_first || !fits { word.len() } else { width + 1 + word.len() };
        text.push_str(&word);
    }
    text
}

/// A list of the names of the formats that is written by [`formats`], as it stands between `begin` and `end`.
struct FormatList {
    list: List,
    write: fn(&[&str]) -> String,
    /// Whether formats that are only read are missing.
    written: bool,
}

impl FormatList {
    fn check(&self, abouts: &[&About]) {
        let abouts = abouts.iter().filter(|about| !self.written || about.id.is_written());
        let names: Vec<_> = abouts.map(|about| about.name).collect();
        let List { path, begin, end } = self.list;
        let text = read(path);
        let found = text.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?)));
        let (before, (list, after)) = found.unwrap_or_else(|| panic!("{path}: there is no list after {begin:?}"));
        let wanted = (self.write)(&names);
        if is_update() && list != wanted {
            fs::write(path, [before, begin, &wanted, end, after].concat()).expect("writing a list");
        } else {
            assert_eq!(list, wanted, "{path}: the list after {begin:?}; UPDATE_DOCS=1 writes it; {WHERE}");
        }
    }
}

/// The lists of the names of formats.
const FORMAT_LISTS: [FormatList; 4] = [
    FormatList {
        list: list(TYPES, "    to?: ", ";"),
        write: |names| names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" | "),
        written: true,
    },
    FormatList {
        list: list(PYTHON, ":param to: the new format: ", "."),
        write: |names| match names {
            [names @ .., last] => format!("{} or {last}", names.join(", ")),
            [] => String::new(),
        },
        written: true,
    },
    FormatList {
        list: list(PYTHON, "[format[\"name\"] for format in formats()]\n    [", "]"),
        write: |names| names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", "),
        written: false,
    },
    FormatList {
        list: list("docs/CLI.md", "The formats are\n\n", ".\n"),
        write: |names| {
            let last = names.len() - 1;
            let word = |(at, name): (usize, &&str)| format!("`{name}`{}", if at < last { "," } else { "" });
            wrapped(names.iter().enumerate().map(word))
        },
        written: false,
    },
];

/// Checks that a table below a heading has a row for each name, or writes the rows that are missing: `cell` is how a name
/// stands in its first cell, `row` makes a row.
fn check_rows(path: &str, heading: &str, cell: impl Fn(&str) -> String, row: impl Fn(&str) -> String) {
    let names = REGISTRY.map(|format| format.about().name);
    let text = read(path);
    let is_row = |line: &str, name: &str| line.starts_with(&format!("| {} ", cell(name)));
    let (before, section) =
        text.split_once(heading).unwrap_or_else(|| panic!("{path}: there is no heading {heading:?}"));
    let mut lines: Vec<String> = section.lines().map(str::to_string).collect();
    for (at, name) in names.iter().enumerate() {
        if lines.iter().any(|line| is_row(line, name)) {
            continue;
        }
        assert!(
            is_update(),
            "{path}: the table below {heading:?} has no row for {name}; UPDATE_DOCS=1 writes it; {WHERE}"
        );
        let is_before = |line: &String| names[..at].iter().any(|name| is_row(line, name));
        let after =
            lines.iter().rposition(is_before).unwrap_or_else(|| panic!("{path}: there is no table below {heading:?}"));
        lines.insert(after + 1, row(name));
    }
    if is_update() {
        let end = if text.ends_with('\n') { "\n" } else { "" };
        fs::write(path, [before, heading, &lines.join("\n"), end].concat()).expect("writing a table");
    }
}

/// Checks the samples of a format in `data/`. Those of formats that `make.sh` does not make are the good samples of the format.
fn check_samples(name: &str, id: Format) {
    let path = format!("data/{name}.txt");
    if !read("data/make.sh").contains(&format!("{name}.txt\n")) {
        let good = id.samples().iter().flat_map(|samples| samples.good);
        let wanted: String = good.map(|good| format!("{}\n", good.text)).collect();
        if is_update() {
            fs::write(&path, wanted).expect("writing samples");
        } else {
            assert_eq!(fs::read_to_string(&path).ok(), Some(wanted), "{path}; UPDATE_DOCS=1 writes it; {WHERE}");
        }
    }
    assert!(Path::new(&path).exists(), "{path} is missing; {WHERE}");
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
    let abouts = REGISTRY.map(|format| format.about());
    let about = |name: &str| abouts.into_iter().find(|about| about.name == name).expect("a name of the registry");
    FORMAT_LISTS.iter().for_each(|list| list.check(&abouts));
    let cell = |name: &str| format!("`{name}`");
    check_rows("README.md", "\n## Formats\n", cell, |name| {
        let (summary, layouts) = (about(name).description().replace('|', "\\|"), about(name).layouts);
        let kinds: Vec<_> = layouts.iter().map(|layout| layout.kinds).collect();
        format!("| `{name}` | {summary} | {} |", kinds.join("; "))
    });
    assert_eq!(rows("README.md", "## Formats"), abouts.map(|about| cell(about.name)), "README.md; {WHERE}");
    check_rows(
        "data/README.md",
        "\n| file | what | origin |\n",
        |name| format!("`{name}.txt`"),
        |name| {
            format!(
                "| `{name}.txt` | strings that the tests of the format have | the samples in its file of `crates/core/src/formats` |"
            )
        },
    );
    for about in abouts {
        has("docs/FORMATS.md", &format!("\n## {}\n", about.name));
        check_samples(about.name, about.id);
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
