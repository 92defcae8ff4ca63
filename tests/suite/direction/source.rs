//! Source files as the direction test reads them: code without comments and strings, and the names that it uses from
//! its crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A path of modules: `["convert", "encode"]`.
pub(super) type Module = Vec<String>;

/// A file of a crate.
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// Its module path; empty for `lib.rs` and `main.rs`.
    pub(super) module: Module,
    pub(super) code: String,
}

impl Source {
    /// The top-level folder or file that contains it.
    pub(super) fn top(&self) -> String {
        let stem = || self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        self.module.first().cloned().unwrap_or_else(stem)
    }
}

/// The files of a crate below `root`.
pub(super) fn sources(root: &Path) -> Vec<Source> {
    let mut paths = Vec::new();
    files(root, &mut paths);
    let source = |path: PathBuf| {
        let inside = path.strip_prefix(root).expect("a file of the crate").with_extension("");
        let mut module: Module = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
            module.pop();
        }
        let code = code(&fs::read_to_string(&path).expect("a source file"));
        Source { path, module, code }
    };
    paths.into_iter().map(source).collect()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without comments and without the contents of strings.
pub(super) fn code(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' => {
                out.push_str("\"\"");
                quoted(rest)
            }
            'r' if is_raw(rest) && !out.ends_with(|c: char| c.is_alphanumeric() || c == '_') => raw(rest),
            '\'' => character(rest),
            _ => {
                out.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// The length of a string literal.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn is_raw(text: &str) -> bool {
    text[1..].trim_start_matches('#').starts_with('"') && (text[1..].starts_with('"') || text[1..].starts_with('#'))
}

fn raw(text: &str) -> usize {
    let hashes = text[1..].len() - text[1..].trim_start_matches('#').len();
    let end = format!("\"{}", "#".repeat(hashes));
    let start = hashes + 2;
    text[start..].find(&end).map_or(text.len(), |at| start + at + end.len())
}

/// The length of a character literal, or of the quote of a lifetime.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => text[3..].find('\'').map_or(text.len(), |at| 3 + at + 1),
        Some((at, c)) if text[at + c.len_utf8()..].starts_with('\'') => at + c.len_utf8() + 1,
        _ => 1,
    }
}

/// The identifier at the start of a text.
fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The paths after a `crate::` or `super::`: one, or a list in braces. An asterisk is the name `*`.
fn paths(rest: &str) -> Vec<Module> {
    let rest = rest.trim_start();
    if rest.starts_with('*') {
        return vec![vec!["*".into()]];
    }
    if !rest.starts_with('{') {
        let name = identifier(rest);
        let mut path = vec![name.to_string()];
        if let Some(deeper) = rest[name.len()..].strip_prefix("::") {
            let all = paths(deeper);
            return all.into_iter().map(|deeper| [path.clone(), deeper].concat()).collect();
        }
        path.retain(|name| !name.is_empty());
        return vec![path];
    }
    parts(&rest[1..]).into_iter().flat_map(paths).collect()
}

/// The parts of a list, separated by commas, up to its closing brace.
fn parts(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (1, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && c == ',' {
            found.push(&list[start..at]);
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    found.retain(|part| !part.trim().is_empty());
    found
}

/// The paths, from the top of the crate, that a module's code uses: those after `crate::`, `$crate::`, the crate's own
/// name, and any number of `super::`.
pub(super) fn used(code: &str, module: &[String], own_name: &str) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let begins = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    for root in ["crate", own_name] {
        for (at, _) in code.match_indices(&format!("{root}::")) {
            if begins(at) {
                found.extend(paths(&code[at + root.len() + 2..]));
            }
        }
    }
    for (at, _) in code.match_indices("super::").filter(|&(at, _)| begins(at)) {
        let mut rest = &code[at..];
        let mut base = module.to_vec();
        while let Some(deeper) = rest.strip_prefix("super::") {
            base.pop();
            rest = deeper;
        }
        found.extend(paths(rest).into_iter().map(|path| [base.clone(), path].concat()));
    }
    found
}

/// Whether code imports everything from its crate, or renames the crate, so that its dependencies cannot be determined.
pub(super) fn hides(code: &str) -> Option<&'static str> {
    let squeezed: String = code.split_whitespace().collect::<Vec<_>>().join(" ");
    ["use crate::*", "use crate as ", "extern crate ", "use crate::{self"]
        .into_iter()
        .find(|what| squeezed.contains(what))
}

/// The circular imports of a crate, direct and indirect: a list of modules for each. Dependencies between a folder's
/// `mod.rs` and the files below it do not count.
pub(super) fn circles(sources: &[Source], own_name: &str) -> Vec<Vec<String>> {
    let modules: BTreeSet<&Module> = sources.iter().map(|source| &source.module).collect();
    let is_above = |a: &[String], b: &[String]| b.starts_with(a);
    let mut edges: BTreeMap<&Module, BTreeSet<&Module>> = BTreeMap::new();
    for source in sources {
        let tests = source.code.find("#[cfg(test)]\nmod tests {").unwrap_or(source.code.len());
        for path in used(&source.code[..tests], &source.module, own_name) {
            let longest = (0..=path.len()).rev().find_map(|length| modules.get(&path[..length].to_vec()));
            let Some(&to) = longest else { continue };
            if !is_above(to, &source.module) && !is_above(&source.module, to) {
                edges.entry(&source.module).or_default().insert(to);
            }
        }
    }
    let mut found = Vec::new();
    for (&from, direct) in &edges {
        for &to in direct {
            // A circle is reported once, at its first module.
            if let Some(back) = way(&edges, to, from)
                && back.iter().all(|module| from <= *module)
            {
                let all = std::iter::once(from).chain(back);
                found.push(all.map(|module| module.join("/")).collect());
            }
        }
    }
    found
}

/// A shortest path along edges.
fn way<'m>(
    edges: &BTreeMap<&'m Module, BTreeSet<&'m Module>>,
    from: &'m Module,
    to: &'m Module,
) -> Option<Vec<&'m Module>> {
    let mut before: BTreeMap<&Module, &Module> = BTreeMap::new();
    let mut next = std::collections::VecDeque::from([from]);
    while let Some(at) = next.pop_front() {
        if at == to {
            let back =
                std::iter::successors(Some(at), |module| before.get(module).copied().filter(|_| *module != from));
            let mut all: Vec<_> = back.collect();
            all.reverse();
            return Some(all);
        }
        for &further in edges.get(at).into_iter().flatten() {
            if further != from && !before.contains_key(further) {
                before.insert(further, at);
                next.push_back(further);
            }
        }
    }
    None
}
