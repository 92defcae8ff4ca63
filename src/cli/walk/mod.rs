//! The files in a folder, as ripgrep walks through it: without hidden ones, and without those that `.gitignore` and
//! `.ignore` name.
//!
//! - `patterns`: the lines of these files.

mod patterns;

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use patterns::Patterns;

/// What could not be read, and why.
pub(super) type Unreadable = (PathBuf, io::Error);

/// Calls `found` with each regular file in a folder and the folders in it, in the order of their names.
pub(super) fn walk(folder: &Path, with_hidden: bool, found: &mut dyn FnMut(Result<PathBuf, Unreadable>)) {
    let top = match folder.canonicalize() {
        Ok(top) => top,
        Err(error) => return found(Err((folder.into(), error))),
    };
    let mut parents: Vec<_> = top.ancestors().skip(1).map(Level::of).collect();
    parents.reverse();
    let mut walk = Walk { levels: parents, everywhere: of_user(), with_hidden, found };
    walk.folder(folder.into(), &top);
}

/// A folder around the present one, or itself, and what its files say of names in it.
struct Level {
    ignore: Patterns,
    gitignore: Patterns,
    /// `.git/info/exclude`.
    exclude: Patterns,
    has_git: bool,
}

impl Level {
    fn of(folder: &Path) -> Self {
        let git = folder.join(".git");
        let has_git = git.exists();
        let exclude =
            if has_git { Patterns::read(&git_folder(git).join("info/exclude"), folder) } else { Patterns::default() };
        let [ignore, gitignore] = [".ignore", ".gitignore"].map(|name| Patterns::read(&folder.join(name), folder));
        Self { ignore, gitignore, exclude, has_git }
    }
}

struct Walk<'w> {
    levels: Vec<Level>,
    /// What the user has git ignore in all repositories.
    everywhere: Patterns,
    with_hidden: bool,
    found: &'w mut dyn FnMut(Result<PathBuf, Unreadable>),
}

impl Walk<'_> {
    /// Walks through a folder, whose names begin as the user has named it. `place` is where it is.
    fn folder(&mut self, name: PathBuf, place: &Path) {
        let entries = fs::read_dir(&name).and_then(|entries| {
            let entry =
                |entry: io::Result<fs::DirEntry>| entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?)));
            entries.map(entry).collect::<io::Result<Vec<_>>>()
        });
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return (self.found)(Err((name, error))),
        };
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.levels.push(Level::of(place));
        for (entry, kind) in entries {
            let inside = place.join(&entry);
            let is_hidden = entry.as_encoded_bytes().starts_with(b".");
            if self.verdict(&inside, kind.is_dir()).unwrap_or(is_hidden && !self.with_hidden) {
                continue;
            }
            if kind.is_dir() {
                self.folder(name.join(&entry), &inside);
            } else if kind.is_file() {
                (self.found)(Ok(name.join(&entry)));
            }
        }
        self.levels.pop();
    }

    /// Whether a path is ignored, or kept; `None` if nothing is said about it. `.ignore` has the first word, then
    /// `.gitignore`, and of each the innermost. git's files count inside a repository only, up to its top.
    fn verdict(&self, path: &Path, is_folder: bool) -> Option<bool> {
        let in_repository = self.levels.iter().any(|level| level.has_git);
        let (mut ignore, mut gitignore, mut exclude) = (None, None, None);
        let mut is_of_repository = in_repository;
        for level in self.levels.iter().rev() {
            ignore = ignore.or_else(|| level.ignore.verdict(path, is_folder));
            if is_of_repository {
                gitignore = gitignore.or_else(|| level.gitignore.verdict(path, is_folder));
                exclude = exclude.or_else(|| level.exclude.verdict(path, is_folder));
            }
            is_of_repository &= !level.has_git;
        }
        let everywhere = || if in_repository { self.everywhere.verdict(path, is_folder) } else { None };
        ignore.or(gitignore).or(exclude).or_else(everywhere)
    }
}

/// The folder of a repository's own files. In another working tree of it, `.git` is a file that says where that is.
fn git_folder(git: PathBuf) -> PathBuf {
    let line = |file: &Path| Some(fs::read_to_string(file).ok()?.lines().next()?.to_string());
    let folder = line(&git).and_then(|line| Some(git.parent()?.join(line.strip_prefix("gitdir: ")?)));
    let Some(folder) = folder else { return git };
    let shared = line(&folder.join("commondir")).map(|line| folder.join(line));
    shared.unwrap_or(folder)
}

/// The patterns that git ignores everywhere: `core.excludesFile`, or `git/ignore` beside the user's settings.
fn of_user() -> Patterns {
    let home = || env::home_dir();
    let settings = env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let Some(settings) = settings.or_else(|| Some(home()?.join(".config"))) else { return Patterns::default() };
    let named = [home().map(|home| home.join(".gitconfig")), Some(settings.join("git/config"))];
    let named = named.into_iter().flatten().find_map(|file| excludes_file(&fs::read_to_string(file).ok()?));
    let named = named.map(|named| match (named.strip_prefix("~/"), home()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(named),
    });
    let folder = env::current_dir().unwrap_or_default();
    Patterns::read(&named.unwrap_or_else(|| settings.join("git/ignore")), &folder)
}

/// The value of `core.excludesFile` in a text of git's settings.
fn excludes_file(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        let value = value.trim().trim_matches('"').trim();
        (name.trim().eq_ignore_ascii_case("excludesfile") && !value.is_empty()).then(|| value.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks through a folder of these files, of which those that end with a slash are folders.
    fn walked(files: &[(&str, &str)], start: &str, with_hidden: bool) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(if name.ends_with('/') { &path } else { path.parent().expect("a folder") })
                .expect("a folder");
            if !name.ends_with('/') {
                fs::write(path, text).expect("a file");
            }
        }
        let (mut all, start) = (Vec::new(), folder.path().join(start));
        walk(&start, with_hidden, &mut |path| {
            let path = path.expect("it can be read");
            all.push(path.strip_prefix(&start).expect("inside").display().to_string());
        });
        all
    }

    #[test]
    fn the_innermost_file_decides_and_ignore_before_gitignore() {
        let files = [
            (".git/info/exclude", "excluded\n"),
            (".gitignore", "*.log\n/top\n"),
            (".ignore", "no\n"),
            ("a.log", ""),
            ("b", ""),
            ("excluded", ""),
            ("no", ""),
            ("sub/.gitignore", "!a.log\nb\n"),
            ("sub/.ignore", "!b\n!.kept\n"),
            ("sub/.hidden", ""),
            ("sub/.kept", ""),
            ("sub/a.log", ""),
            ("sub/b", ""),
            ("sub/no", ""),
            ("sub/top", ""),
            ("top", ""),
        ];
        assert_eq!(walked(&files, "", false), ["b", "sub/.kept", "sub/a.log", "sub/b", "sub/top"]);
        // Files around the folder count, too.
        assert_eq!(walked(&files, "sub", false), [".kept", "a.log", "b", "top"]);
        let hidden = walked(&files[4..5], "", true);
        assert_eq!(hidden, ["b"]);
    }

    #[test]
    fn files_of_git_count_in_repositories_only() {
        let files = [(".gitignore", "a\n"), ("a", ""), ("sub/repository/.git/", ""), ("sub/repository/a", "")];
        // What is above a repository does not count in it.
        assert_eq!(walked(&files, "", false), ["a", "sub/repository/a"]);
        assert_eq!(walked(&[files[0], files[1], (".git/", "")], "", false), Vec::<String>::new());
        assert_eq!(walked(&[files[0], files[1], (".git/", "")], "", true), [".gitignore"]);
    }

    #[test]
    fn settings_name_the_file_of_the_user() {
        assert_eq!(excludes_file("[core]\n\texcludesFile = \"~/.ignored\"\n"), Some("~/.ignored".into()));
        assert_eq!(excludes_file("[core]\n\teditor = vi\n"), None);
    }
}
