//! docs/ARCHITECTURE.md, "One direction": reads the sources of every crate and fails on any edge between top folders that is not in the plan.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What a folder (or file) of a crate may use from it, besides itself.
type Plan = &'static [(&'static str, &'static [&'static str])];

/// The crates: where their sources are, and what may use what. The package names the folders of the core as its own.
const CRATES: &[(&str, Plan)] = &[("crates/core/src", CORE), ("src", PACKAGE)];

const CORE: Plan = &[
    ("lib", &[]),
    ("error", &[]),
    ("board", &["error"]),
    ("kernels", &["error", "board"]),
    ("formats", &["error", "board", "kernels"]),
    ("check", &["error", "board", "kernels"]),
    ("solve", &["error", "board", "kernels"]),
    ("make", &["error", "board", "kernels", "check", "solve"]),
    ("draw", &["error", "board"]),
    ("convert", &["error", "board", "kernels", "formats", "check", "solve"]),
    ("front", &["error", "board", "kernels", "formats", "check", "solve", "convert"]),
];

const PACKAGE: Plan = &[
    ("lib", &[]),
    ("main", &["cli"]),
    ("error", &[]),
    ("file_id", &[]),
    ("frames", &[]),
    // Where lines end is looked for while reading; which file it is, and the layout of archives, is shared with output.
    ("source", &["error", "records", "file_id", "frames"]),
    ("records", &["error", "kernels", "formats"]),
    ("output", &["error", "file_id", "frames"]),
    // Links stand in serialized strings, whose lengths change with them.
    ("relink", &["error", "board", "formats", "records"]),
    (
        "engine",
        &[
            "error", "file_id", "board", "convert", "kernels", "source", "records", "formats", "output", "make",
            "relink",
        ],
    ),
    ("migrate", &["error", "file_id", "board", "kernels", "formats", "engine", "output", "records", "source"]),
    (
        "cli",
        &[
            "error", "file_id", "board", "kernels", "source", "records", "formats", "check", "solve", "output",
            "engine", "migrate", "draw", "make", "relink",
        ],
    ),
];

/// The folders of the core, which the package names as its own.
const FROM_CORE: [&str; 8] = ["board", "check", "convert", "draw", "formats", "kernels", "make", "solve"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without comments, and with strings and space as they are.
fn code(text: &str) -> String {
    let line = |line: &str| line.find("//").map_or(line, |at| &line[..at]).to_string() + "\n";
    text.lines().map(line).collect()
}

/// The identifier at the start of a text.
fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// What stands directly behind a `crate::` (or as many `super::` as lead there): one name, or those in braces.
fn names(rest: &str) -> Vec<&str> {
    let Some(list) = rest.trim_start().strip_prefix('{') else { return vec![identifier(rest.trim_start())] };
    let (mut depth, mut fresh, mut found) = (1, true, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => fresh = true,
            c if fresh && !c.is_whitespace() => {
                found.push(identifier(&list[at..]));
                fresh = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// The top folders that a file uses, `depth` modules below the crate.
fn used<'t>(code: &'t str, depth: usize, top: &BTreeSet<String>) -> BTreeSet<&'t str> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        if !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            found.extend(names(&code[at + "crate::".len()..]));
        }
    }
    // A module in a file is one deeper, so this sees at least as much as there is.
    let up = "super::".repeat(depth);
    for (at, _) in code.match_indices(&up) {
        found.extend(names(&code[at + up.len()..]));
    }
    found.retain(|name| top.contains(*name));
    found
}

/// The modules of a path below `src`: the top one, and how many there are.
fn place(path: &Path) -> (String, usize) {
    let parts: Vec<_> = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let depth = parts.iter().filter(|part| *part != "mod").count();
    (parts[0].clone(), depth)
}

#[test]
fn nothing_flows_back() {
    let mut wrong = Vec::new();
    for &(root, plan) in CRATES {
        let mut files = Vec::new();
        sources(Path::new(root), &mut files);
        assert!(files.len() > 50, "{root}");
        let inside = |file: &PathBuf| file.strip_prefix(root).expect("a file of the crate").to_path_buf();
        let mut top: BTreeSet<String> = files.iter().map(|file| place(&inside(file)).0).collect();
        top.extend(FROM_CORE.map(str::to_string));
        for file in &files {
            let (folder, depth) = place(&inside(file));
            let Some((_, allowed)) = plan.iter().find(|(name, _)| *name == folder) else {
                wrong.push(format!("{}: {folder} is not in the plan", file.display()));
                continue;
            };
            let text = fs::read_to_string(file).expect("a source file");
            for name in used(&code(&text), depth, &top) {
                if name != folder && !allowed.contains(&name) {
                    wrong.push(format!("{}: {folder} -> {name}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "edges that are not in the plan:\n{}", wrong.join("\n"));
}

#[test]
fn edges_are_seen_however_they_are_written() {
    let top = ["board", "cli", "engine", "error", "source"].map(str::to_string).into();
    for (text, depth, expected) in [
        ("use crate::engine::Convert;", 2, vec!["engine"]),
        ("use crate::{error::{Error, Code}, board, other};", 2, vec!["board", "error"]),
        ("use crate::{\n    engine::{self, x::{y, source}},\n    cli,\n};", 1, vec!["cli", "engine"]),
        ("let x = crate::source::Source::new(); // crate::cli", 1, vec!["source"]),
        ("/// [`crate::engine`]\nuse super::super::cli;", 2, vec!["cli"]),
        ("use super::super::cli;", 3, vec![]),
        ("my_crate::engine()", 1, vec![]),
        ("pub(in crate::engine) fn f()", 2, vec!["engine"]),
    ] {
        let code = code(text);
        let found: Vec<_> = used(&code, depth, &top).into_iter().collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn unsafe_code_is_where_it_may_be() {
    let mut files = Vec::new();
    CRATES.iter().for_each(|(root, _)| sources(Path::new(root), &mut files));
    for file in files {
        let text = code(&fs::read_to_string(&file).expect("a source file"));
        let has = text.contains("unsafe {") || text.contains("unsafe fn") || text.contains("unsafe impl");
        let may = file.starts_with("crates/core/src/kernels")
            || file == Path::new("src/source/mapped.rs")
            || file == Path::new("src/cli/startup.rs"); // says why
        assert!(may || !has, "unsafe code in {}", file.display());
    }
}

/// Whoever opens an output has claimed it, and a command claims all of its outputs in one place.
#[test]
fn commands_open_outputs_in_one_place() {
    let mut files = Vec::new();
    sources(Path::new("src/cli"), &mut files);
    let claims = |file: &&PathBuf| code(&fs::read_to_string(file).expect("a source file")).contains("RunFiles");
    let found: Vec<_> = files.iter().filter(claims).collect();
    assert_eq!(found, [Path::new("src/cli/outputs.rs")]);
}
