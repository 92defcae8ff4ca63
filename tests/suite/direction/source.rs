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
            'r' if is_raw(rest) && begins_literal(&out) => raw(rest),
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

/// Whether an `r` after this code is the first letter of a literal, or the second after `b` or `c`.
fn begins_literal(before: &str) -> bool {
    let before = before.strip_suffix(['b', 'c']).unwrap_or(before);
    !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
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

/// The paths, from the top of the crate, that a module's code uses: those that start with `crate`, `$crate`, one of the
/// names of crates, `self` or `super`. An asterisk is the name `*`. Whoever renames the crate can use anything of it, as
/// with an asterisk.
pub(super) fn used(code: &str, module: &[String], crates: &[&str]) -> BTreeSet<Module> {
    let (mut found, mut at) = (BTreeSet::new(), 0);
    // The module of the code at `at`, for each open brace the length of the module outside it, and the words since the last sign.
    let (mut here, mut outer, mut words) = (module.to_vec(), Vec::new(), Vec::new());
    while let Some(c) = code[at..].chars().next() {
        let word = identifier(&code[at..]);
        if word.is_empty() {
            match c {
                '{' => {
                    outer.push(here.len());
                    if let [.., "mod", name] = words[..] {
                        here.push(name.to_string());
                    }
                }
                '}' => here.truncate(outer.pop().unwrap_or(here.len())),
                _ => {}
            }
            if !c.is_whitespace() {
                words.clear();
            }
            at += c.len_utf8();
            continue;
        }
        let (is_first, after) = (begins_path(&code[..at]), &code[at + word.len()..]);
        at += word.len();
        words.push(word);
        let base = match word {
            "super" => here[..here.len().saturating_sub(1)].to_vec(),
            "self" if after.starts_with("::") => here.clone(),
            _ if word == "crate" || crates.contains(&word) => Vec::new(),
            _ => continue,
        };
        if is_first && (after.starts_with("::") || new_name(after).is_some()) {
            at += rest_of_path(after, base, &mut found);
        }
    }
    found
}

/// Whether a name after this code is the first of its path.
fn begins_path(before: &str) -> bool {
    let before = before.strip_suffix("::").unwrap_or(before);
    !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '>')
}

/// The text from the new name on, if `as` and a name follow.
fn new_name(after: &str) -> Option<&str> {
    let new = after.trim_start().strip_prefix("as ")?;
    let name = identifier(new);
    (after.starts_with(char::is_whitespace) && !name.is_empty() && !new[name.len()..].starts_with("::")).then_some(new)
}

/// Adds the paths that start with `path` and go on with a text. Returns how much of the text belongs to them.
fn rest_of_path(text: &str, mut path: Module, found: &mut BTreeSet<Module>) -> usize {
    if let Some(next) = text.strip_prefix("::").map(str::trim_start) {
        return text.len() - next.len() + tree(next, path, found);
    }
    let new = new_name(text);
    if path.is_empty() && new.is_some() {
        path.push("*".into());
    }
    found.insert(path);
    new.map_or(0, |new| text.len() - new.len() + identifier(new).len())
}

/// Like [`rest_of_path`], for what follows `::` or is in a list: an asterisk, a list in braces, or a name.
fn tree(text: &str, mut path: Module, found: &mut BTreeSet<Module>) -> usize {
    if text.starts_with('*') {
        path.push("*".into());
        found.insert(path);
        return 1;
    }
    if let Some(list) = text.strip_prefix('{') {
        let mut rest = list;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if rest.is_empty() || rest.starts_with('}') {
                return text.len() - rest.len() + usize::from(!rest.is_empty());
            }
            let length = tree(rest, path.clone(), found);
            if length == 0 {
                return text.len() - rest.len(); // no list of paths
            }
            rest = &rest[length..];
        }
    }
    let name = identifier(text);
    match name {
        "super" => drop(path.pop()),
        "self" | "" => {}
        _ => path.push(name.to_string()),
    }
    name.len() + rest_of_path(&text[name.len()..], path, found)
}

/// What the names that a crate's modules import stand for, so that a name can be followed to the file that defines it.
pub(super) struct Imports {
    modules: BTreeSet<Module>,
    /// For each module and name, the path that is imported under it, and whether the module passes the name on.
    paths: BTreeMap<(Module, String), (Module, bool)>,
}

impl Imports {
    pub(super) fn of(sources: &[Source], own_name: &str) -> Self {
        let modules: BTreeSet<Module> = sources.iter().map(|source| source.module.clone()).collect();
        let mut paths = BTreeMap::new();
        for source in sources {
            for (statement, passed_on) in use_statements(without_tests(&source.code)) {
                let mut names = Vec::new();
                expand(statement, &mut Vec::new(), &mut names);
                for (path, name) in names {
                    if let Some(path) = absolute(&path, &source.module, &modules, own_name) {
                        paths.insert((source.module.clone(), name), (path, passed_on));
                    }
                }
            }
        }
        Self { modules, paths }
    }

    /// The path of what a path in the module `from` stands for, where it is defined.
    pub(super) fn follow(&self, path: &Module, from: &[String]) -> Module {
        let mut path = path.clone();
        // Names that stand for themselves end nowhere.
        for _ in 0..16 {
            let Some(length) = self.length_of_module(&path).filter(|&length| length < path.len()) else { break };
            let name = (path[..length].to_vec(), path[length].clone());
            let Some((target, passed_on)) = self.paths.get(&name) else { break };
            // Other imports are visible below their module.
            if !passed_on && !from.starts_with(&name.0) {
                break;
            }
            path = target.iter().chain(&path[length + 1..]).cloned().collect();
        }
        path
    }

    /// The module in which a path ends.
    fn module(&self, path: &Module) -> Option<&Module> {
        self.modules.get(&path[..self.length_of_module(path)?])
    }

    fn length_of_module(&self, path: &Module) -> Option<usize> {
        (0..=path.len()).rev().find(|&length| self.modules.contains(&path[..length]))
    }
}

fn without_tests(code: &str) -> &str {
    &code[..code.find("mod tests {").unwrap_or(code.len())]
}

/// The paths of `use` statements, without `use` and the semicolon, and whether they have a visibility.
fn use_statements(code: &str) -> impl Iterator<Item = (&str, bool)> {
    let begins = |at: usize| code[..at].ends_with(|c: char| c.is_whitespace() || c == '}') || at == 0;
    let at = code.match_indices("use ").map(|(at, _)| at).filter(move |&at| begins(at));
    let passes_on = |before: &str| before.ends_with("pub") || before.ends_with(')');
    at.filter_map(move |at| Some((code[at + 4..].split_once(';')?.0, passes_on(code[..at].trim_end()))))
}

/// Adds the paths of a `use` statement below `path`, each with the name that it is imported under.
fn expand(tree: &str, path: &mut Vec<String>, found: &mut Vec<(Module, String)>) {
    let tree = tree.trim();
    let length = path.len();
    if let Some((before, list)) = tree.split_once('{') {
        path.extend(before.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_string));
        let list = list.rsplit_once('}').map_or(list, |(list, _)| list);
        let (mut depth, mut start) = (0, 0);
        for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&list[start..at], path, found);
                    start = at + 1;
                }
                _ => {}
            }
        }
    } else if !tree.is_empty() {
        let (names, new) = tree.split_once(" as ").map_or((tree, None), |(names, new)| (names, Some(new.trim())));
        path.extend(names.split("::").map(str::trim).filter(|name| *name != "self" || length == 0).map(str::to_string));
        let name = new.map(str::to_string).or_else(|| path.last().cloned()).unwrap_or_default();
        found.push((path.clone(), name));
    }
    path.truncate(length);
}

/// The path from the top of the crate, if it is one of the crate's own.
fn absolute(path: &[String], module: &Module, modules: &BTreeSet<Module>, own_name: &str) -> Option<Module> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        name if name == own_name => Some(rest.to_vec()),
        "self" => Some([module, rest].concat()),
        "super" => {
            let up = path.iter().take_while(|name| *name == "super").count();
            Some([&module[..module.len().checked_sub(up)?], &path[up..]].concat())
        }
        _ => {
            let below = [module, path].concat();
            modules.contains(&below[..=module.len()]).then_some(below)
        }
    }
}

/// The circular imports of a crate, direct and indirect: a list of modules for each. A name that a `mod.rs` passes on
/// counts as an import of the file that defines it. Dependencies between a folder's `mod.rs` and the files below it do
/// not count.
pub(super) fn circles(sources: &[Source], own_name: &str) -> Vec<Vec<String>> {
    let imports = Imports::of(sources, own_name);
    let is_above = |a: &[String], b: &[String]| b.starts_with(a);
    let mut edges: BTreeMap<&Module, BTreeSet<&Module>> = BTreeMap::new();
    for source in sources {
        for path in used(without_tests(&source.code), &source.module, &[own_name]) {
            let Some(to) = imports.module(&imports.follow(&path, &source.module)) else { continue };
            if !is_above(to, &source.module) && !is_above(&source.module, to) {
                edges.entry(&source.module).or_default().insert(to);
            }
        }
    }
    let mut found = Vec::new();
    for (&from, direct) in &edges {
        for &to in direct {
            // A circle is reported once, at its first module.
            if let Some(back) = shortest_path(&edges, to, from)
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
fn shortest_path<'m>(
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
