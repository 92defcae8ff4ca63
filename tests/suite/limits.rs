//! Limits for the length of files and functions: a longer one usually has more than one idea. Tables are constants
//! outside of functions, so they only count in the length of a file.

use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file.
const FILE: usize = 500;

/// The most lines of a function, from its name to its closing brace.
const FUNCTION: usize = 80;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if !path.ends_with("target") {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The functions of a formatted source with their lengths. A function ends at a brace with the indentation of its first
/// line.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let Some(at) = code.find("fn ").filter(|&at| code[..at].split_whitespace().all(is_qualifier)) else { continue };
        let name = code[at + 3..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let indent = line.len() - code.len();
        let ends = |line: &str| line.len() == indent + 1 && line.ends_with('}') && line.trim_start() == "}";
        if !line.ends_with('}') && !line.ends_with(';') {
            let count = lines[first..].iter().position(|line| ends(line)).map_or(1, |last| last + 1);
            found.push((name, count));
        }
    }
    found
}

fn is_qualifier(word: &str) -> bool {
    word.starts_with("pub")
        || word.ends_with(')')
        || ["const", "async", "unsafe", "extern", "\"C\"", "in"].contains(&word)
}

#[test]
fn files_and_functions_are_short() {
    let mut paths = Vec::new();
    ["src", "crates", "tests", "benches", "fuzz/src", "fuzz/targets"]
        .iter()
        .for_each(|folder| sources(Path::new(folder), &mut paths));
    assert!(paths.len() > 200);
    let mut long = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a source file");
        let (path, lines) = (path.display(), text.lines().count());
        if lines > FILE {
            long.push(format!("{path} has {lines} lines"));
        }
        let functions = functions(&text);
        assert!(lines < 400 || !functions.is_empty(), "{path} has no function");
        let over = functions.into_iter().filter(|(_, lines)| *lines > FUNCTION);
        long.extend(over.map(|(name, lines)| format!("{path}: {name} has {lines} lines")));
    }
    assert!(long.is_empty(), "more than {FILE} lines in a file or {FUNCTION} in a function:\n{}", long.join("\n"));
}

#[test]
fn functions_are_measured_from_their_name_to_their_last_brace() {
    let text = "pub(super) const fn one(a: u8) -> u8 {\n    if a > 0 {\n    }\n    a\n}\n\nimpl X {\n    fn two() {}\n\n    \
                unsafe fn three(\n        a: u8,\n    ) {\n        loop {}\n    }\n    type F = fn (u8);\n}\n";
    assert_eq!(functions(text), [("one", 5), ("three", 5)]);
}
