//! docs/ARCHITECTURE.md: the types, functions, files and folders that it names exist.

use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem;

/// What begins a definition.
const KEYWORDS: [&str; 9] = ["const", "enum", "fn", "macro_rules", "mod", "static", "struct", "trait", "type"];

/// Endings of files.
const ENDINGS: [&str; 7] = [".md", ".mjs", ".mts", ".py", ".rs", ".sh", ".toml"];

/// The files and folders of the repository, and the texts of its Rust files.
struct Repository {
    paths: Vec<PathBuf>,
    sources: Vec<(PathBuf, String)>,
}

impl Repository {
    fn read() -> Self {
        let mut this = Self { paths: vec!["Cargo.toml".into()], sources: Vec::new() };
        for root in [".ci", "benches", "crates", "data", "docs", "fuzz", "scripts", "src", "tests"] {
            this.add(PathBuf::from(root));
        }
        this
    }

    fn add(&mut self, path: PathBuf) {
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            for entry in fs::read_dir(&path).expect("a folder") {
                self.add(entry.expect("an entry").path());
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            self.sources.push((path.clone(), fs::read_to_string(&path).expect("a source file")));
        }
        self.paths.push(path);
    }

    /// Whether a path ends with these parts, of which `*` is any.
    fn has_path(&self, name: &str) -> bool {
        let parts: Vec<&str> = name.trim_end_matches('/').split('/').collect();
        let same = |(part, wanted): (&str, &&str)| *wanted == "*" || part == *wanted || part == format!("{wanted}.rs");
        self.paths.iter().any(|path| {
            let path: Vec<_> = path.iter().filter_map(|part| part.to_str()).collect();
            path.len() >= parts.len() && path[path.len() - parts.len()..].iter().copied().zip(&parts).all(same)
        })
    }

    /// Whether a name is defined: in a type or trait, in a module, or anywhere.
    fn has_name(&self, name: &str) -> bool {
        let Some((rest, last)) = name.rsplit_once("::") else {
            return self.sources.iter().any(|(_, text)| defines(text, name));
        };
        let parent = rest.rsplit("::").next().unwrap_or(rest);
        let is_crate = parent.starts_with("gridmill");
        let is_type = parent.starts_with(char::is_uppercase);
        let is_inside = |path: &Path, text: &str| match is_type {
            true => implements(text, parent),
            false => is_crate || path.with_extension("").iter().any(|part| part == parent),
        };
        self.sources.iter().any(|(path, text)| is_inside(path, text) && defines(text, last))
    }

    /// Whether what stands between backticks exists, if it looks like a path or a name in Rust.
    fn has(&self, code: &str) -> bool {
        let name = code.strip_suffix("()").unwrap_or(code);
        if is_path(code) {
            return self.has_path(code);
        }
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
        let looks_like_rust = name.contains(['_', ':']) || name.starts_with(char::is_uppercase) || name != code;
        !is_name || !looks_like_rust || self.has_name(name)
    }
}

fn is_path(code: &str) -> bool {
    !code.contains([' ', '<', '[']) && (code.contains('/') || ENDINGS.iter().any(|ending| code.ends_with(ending)))
}

fn words(line: &str) -> Vec<&str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect()
}

/// The lines of a source without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_start).filter(|line| !line.starts_with("//"))
}

/// The lines of a source without comments that contain a name. (Tests are not optimised, but the search of memchr is.)
fn lines_with<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let finder = memmem::Finder::new(name.as_bytes());
    let is_anywhere = finder.find(text.as_bytes()).is_some();
    let text = if is_anywhere { text } else { "" };
    lines(text).filter(move |line| finder.find(line.as_bytes()).is_some())
}

/// Whether a source defines a name, as a variant too, or as a string: the name of a variable of the environment.
fn defines(text: &str, name: &str) -> bool {
    lines_with(text, name).any(|line| {
        let is_item = words(line).windows(2).any(|pair| KEYWORDS.contains(&pair[0]) && pair[1] == name);
        let is_variant =
            line.strip_prefix(name).is_some_and(|rest| [",", "(", " {"].iter().any(|c| rest.starts_with(c)));
        is_item || is_variant || line.contains(&format!("\"{name}\""))
    })
}

/// Whether a source defines a trait or an enum, or has an `impl` of a type.
fn implements(text: &str, name: &str) -> bool {
    lines_with(text, name).map(words).any(|words| {
        let begins = words.iter().any(|word| ["impl", "trait", "enum"].contains(word));
        begins && words.contains(&name)
    })
}

/// What stands between backticks outside of blocks, and the paths in the first words of the lines of blocks.
fn named(document: &str) -> (Vec<&str>, Vec<String>) {
    let (mut outside, mut listed, mut folder) = (Vec::new(), Vec::new(), "");
    for (at, part) in document.split("```").enumerate() {
        if at % 2 == 0 {
            outside.extend(part.split('`').skip(1).step_by(2));
            continue;
        }
        for line in part.lines() {
            let is_inside = line.starts_with(' ');
            let paths = line.split_whitespace().take_while(|word| is_path(word));
            for path in paths {
                if !is_inside {
                    folder = path;
                }
                listed.push(if is_inside { format!("{folder}{path}") } else { path.to_string() });
            }
        }
    }
    (outside, listed)
}

#[test]
fn what_the_architecture_names_exists() {
    let repository = Repository::read();
    let text = fs::read_to_string("docs/ARCHITECTURE.md").expect("a document");
    let (names, paths) = named(&text);
    assert!(names.len() > 200 && paths.len() > 50, "{} names, {} paths", names.len(), paths.len());
    let missing = names.into_iter().filter(|name| !repository.has(name)).map(str::to_string);
    let missing: Vec<_> = missing.chain(paths.into_iter().filter(|path| !Path::new(path).exists())).collect();
    assert!(missing.is_empty(), "docs/ARCHITECTURE.md names what is not there: {missing:#?}");
}

#[test]
fn names_that_do_not_exist_are_found() {
    let repository = Repository::read();
    for name in [
        "Kernel",
        "Format::ALL",
        "Codec::rewrite",
        "solve()",
        "solve_one",
        "cli::convert::run",
        "gridmill::formats",
        "RULES",
        "GRIDMILL_KERNEL",
        "board/kind.rs",
        "columnar/*/selection.rs",
        "migrate/dialect",
        "src/",
        "gen --unique",
    ] {
        assert!(repository.has(name), "{name}");
    }
    // In two parts, since this file is searched too.
    for (name, end) in [
        ("Abs", "ent"),
        ("Session::abs", "ent"),
        ("abs", "ent()"),
        ("abs", "ent_too"),
        ("cli::abs", "ent"),
        ("board/abs", "ent.rs"),
    ] {
        assert!(!repository.has(&format!("{name}{end}")), "{name}{end}");
    }
}
