//! The patterns of `.gitignore` and `.ignore`, as ripgrep reads them: like git, and `{a,b}` stands for either.

use std::fs;
use std::path::{Path, PathBuf};

/// The lines of a file, for names relative to a folder.
#[derive(Default)]
pub(super) struct Patterns {
    folder: PathBuf,
    lines: Vec<PatternLine>,
}

/// A line.
struct PatternLine {
    /// One for each choice between braces.
    globs: Vec<Vec<GlobPart>>,
    /// It begins with `!`: what it matches is kept.
    keeps: bool,
    /// It ends with `/`.
    only_folders: bool,
}

enum GlobPart {
    Byte(u8),
    /// `?`: any byte but a slash.
    One,
    /// `*`: any bytes but slashes.
    Many,
    /// `[a-z]`.
    Class {
        negated: bool,
        ranges: Vec<(u8, u8)>,
    },
    /// `**/`: nothing, or what follows, [`GlobPart::Within`].
    Folders,
    /// Any bytes, the last of which is a slash.
    Within,
}

impl Patterns {
    /// Reads a file whose patterns are about names in a folder. If it cannot be read, there are none.
    pub(super) fn read(file: &Path, folder: &Path) -> Self {
        fs::read(file).map_or_else(|_| Self::default(), |text| Self::parse(&text, folder))
    }

    fn parse(text: &[u8], folder: &Path) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        Self {
            folder: folder.into(),
            lines: text.split(|&byte| byte == b'\n').filter_map(PatternLine::parse).collect(),
        }
    }

    /// Whether a path is ignored, or kept; `None` if no line is about it. The last line decides.
    pub(super) fn verdict(&self, path: &Path, is_folder: bool) -> Option<bool> {
        if self.lines.is_empty() {
            return None;
        }
        let name = path.strip_prefix(&self.folder).unwrap_or(path).as_os_str().as_encoded_bytes();
        let line = self
            .lines
            .iter()
            .rev()
            .find(|line| (is_folder || !line.only_folders) && line.globs.iter().any(|glob| is_match(glob, name)))?;
        Some(!line.keeps)
    }
}

impl PatternLine {
    fn parse(line: &[u8]) -> Option<Self> {
        let mut line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.starts_with(b"#") {
            return None;
        }
        if !line.ends_with(b"\\ ") {
            line = line.trim_ascii_end();
        }
        let (mut keeps, mut is_rooted) = (false, false);
        if line.starts_with(b"\\!") || line.starts_with(b"\\#") {
            line = &line[1..];
        } else {
            if let Some(rest) = line.strip_prefix(b"!") {
                (keeps, line) = (true, rest);
            }
            if let Some(rest) = line.strip_prefix(b"/") {
                (is_rooted, line) = (true, rest);
            }
        }
        let only_folders = line.ends_with(b"/");
        if only_folders {
            line = &line[..line.len() - 1];
            line = line.strip_suffix(b"\\").unwrap_or(line);
        }
        if line.is_empty() {
            return None;
        }
        let mut glob = Vec::new();
        if !is_rooted && !line.contains(&b'/') {
            glob.extend(b"**/"); // a name in any folder
        }
        glob.extend(line);
        if glob.ends_with(b"/**") {
            glob.extend(b"/*"); // all that is inside, but not the folder itself
        }
        let globs = choices(&glob)?.iter().map(|glob| parts(glob)).collect::<Option<_>>()?;
        Some(Self { globs, keeps, only_folders })
    }
}

/// The globs that a glob with braces stands for. `None` if a brace is not closed or not opened.
fn choices(glob: &[u8]) -> Option<Vec<Vec<u8>>> {
    const MOST: usize = 1000;
    let (mut done, mut todo) = (Vec::new(), vec![glob.to_vec()]);
    while let Some(glob) = todo.pop() {
        let marks = first_braces(&glob)?;
        if marks.is_empty() {
            done.push(glob);
            continue;
        }
        let (from, to) = (marks[0], marks[marks.len() - 1]);
        for choice in marks.windows(2) {
            todo.push([&glob[..from], &glob[choice[0] + 1..choice[1]], &glob[to + 1..]].concat());
        }
        if todo.len() + done.len() > MOST {
            return None;
        }
    }
    Some(done)
}

/// Where the first braces of a glob begin, where their choices are separated, and where they end; nothing if there are none.
fn first_braces(glob: &[u8]) -> Option<Vec<usize>> {
    let (mut marks, mut depth, mut at) = (Vec::new(), 0, 0);
    while let Some(&byte) = glob.get(at) {
        match byte {
            b'\\' => at += 1,
            b'[' => at = class(glob, at)?.1 - 1,
            b'{' => {
                if depth == 0 {
                    marks.push(at);
                }
                depth += 1;
            }
            b',' if depth == 1 => marks.push(at),
            b'}' if depth == 0 => return None,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    marks.push(at);
                    return Some(marks);
                }
            }
            _ => {}
        }
        at += 1;
    }
    (depth == 0).then_some(marks)
}

/// The parts of a glob without braces. `None` if it ends in the middle of one.
fn parts(glob: &[u8]) -> Option<Vec<GlobPart>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(&byte) = glob.get(at) {
        let begins_a_name = at == 0 || glob[at - 1] == b'/';
        at += 1;
        match byte {
            b'*' if begins_a_name && glob[at..].starts_with(b"*/") => {
                parts.extend([GlobPart::Folders, GlobPart::Within]);
                at += 2;
            }
            b'*' => parts.push(GlobPart::Many),
            b'?' => parts.push(GlobPart::One),
            b'[' => {
                let (part, end) = class(glob, at - 1)?;
                parts.push(part);
                at = end;
            }
            b'\\' => {
                parts.push(GlobPart::Byte(*glob.get(at)?));
                at += 1;
            }
            byte => parts.push(GlobPart::Byte(byte)),
        }
    }
    Some(parts)
}

/// The class that begins at a bracket, and where it ends.
fn class(glob: &[u8], bracket: usize) -> Option<(GlobPart, usize)> {
    let mut at = bracket + 1;
    let negated = matches!(glob.get(at), Some(b'!' | b'^'));
    at += usize::from(negated);
    let (first, mut ranges) = (at, Vec::new());
    loop {
        let low = *glob.get(at)?;
        at += 1;
        if low == b']' && at - 1 > first {
            return Some((GlobPart::Class { negated, ranges }, at));
        }
        match glob.get(at..at + 2) {
            Some(&[b'-', high]) if high != b']' => {
                ranges.push((low, high));
                at += 2;
            }
            _ => ranges.push((low, low)),
        }
    }
}

/// Whether a glob matches a whole name. The time is bounded by the product of their lengths.
fn is_match(glob: &[GlobPart], name: &[u8]) -> bool {
    // Before which parts the match may be.
    let mut now = vec![false; glob.len() + 1];
    enter(&mut now, glob, 0);
    for &byte in name {
        let mut next = vec![false; glob.len() + 1];
        for (at, part) in glob.iter().enumerate().filter(|&(at, _)| now[at]) {
            let is_slash = byte == b'/';
            match part {
                GlobPart::Byte(wanted) if byte == *wanted => enter(&mut next, glob, at + 1),
                GlobPart::One if !is_slash => enter(&mut next, glob, at + 1),
                GlobPart::Many if !is_slash => enter(&mut next, glob, at),
                GlobPart::Class { negated, ranges } if !is_slash => {
                    let is_inside = ranges.iter().any(|&(low, high)| (low..=high).contains(&byte));
                    if is_inside != *negated {
                        enter(&mut next, glob, at + 1);
                    }
                }
                GlobPart::Within => {
                    next[at] = true;
                    if is_slash {
                        enter(&mut next, glob, at + 1);
                    }
                }
                _ => {}
            }
        }
        now = next;
    }
    now[glob.len()]
}

/// Marks a place, and those after parts that may match nothing.
fn enter(places: &mut [bool], glob: &[GlobPart], at: usize) {
    if std::mem::replace(&mut places[at], true) {
        return;
    }
    match glob.get(at) {
        Some(GlobPart::Many) => enter(places, glob, at + 1),
        Some(GlobPart::Folders) => {
            places[at + 1] = true;
            enter(places, glob, at + 2);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &str, name: &str) -> Option<bool> {
        let (name, is_folder) = name.strip_suffix('/').map_or((name, false), |name| (name, true));
        Patterns::parse(text.as_bytes(), Path::new("/top")).verdict(&Path::new("/top").join(name), is_folder)
    }

    #[test]
    fn names_are_ignored_as_git_and_ripgrep_do() {
        let ignored = [
            ("a", "a"),
            ("a", "x/a"),
            ("a", "x/y/a/"),
            ("/a", "a"),
            ("a/", "a/"),
            ("a/", "x/a/"),
            ("x/a", "x/a"),
            ("*.txt", "x/y.txt"),
            ("*", "x/y"),
            ("x/*", "x/y"),
            ("x/**", "x/y"),
            ("x/**", "x/y/z"),
            ("**/a", "a"),
            ("**/a", "x/y/a"),
            ("x/**/a", "x/a"),
            ("x/**/a", "x/y/z/a"),
            ("**", "a"),
            ("**", "x/a"),
            ("a**b", "axxb"),
            ("?", "a"),
            ("[a-c]", "b"),
            ("[!a-c]", "d"),
            ("[^a-c]", "d"),
            ("[]x]", "]"),
            ("[a-]", "-"),
            ("\\*", "*"),
            ("\\#a", "#a"),
            ("\\!a", "!a"),
            ("a\\ ", "a "),
            ("a  ", "a"),
            ("a\r", "a"),
            ("\u{feff}a", "a"),
            ("{a,b}.txt", "x/b.txt"),
            ("{a,{b,c}d}", "cd"),
            ("x/{a,b}/*", "x/b/c"),
            ("[{]a", "{a"),
            ("\\{a", "{a"),
            ("!a\na", "a"),
            ("a\n!b", "a"),
            ("ä*", "äö"),
        ];
        let not = [
            ("a", "b"),
            ("a", "ab"),
            ("/a", "x/a"),
            ("a/", "a"),
            ("x/a", "y/x/a"),
            ("*.txt", "a.txt.b"),
            ("x/*", "x/y/z"),
            ("x/**", "x/"),
            ("x/**", "x"),
            ("a**b", "ax/b"),
            ("?", "ab"),
            ("[a-c]", "d"),
            ("[!a-c]", "a"),
            ("x[^a]y", "x/y"),
            ("x?y", "x/y"),
            ("#a", "#a"),
            ("", "a"),
            ("/", "a"),
            ("a\\", "a"),
            ("[a", "[a"),
            ("{a", "{a"),
            ("a}", "a}"),
            ("**/a", "ba"),
            ("x/**/a", "xa"),
        ];
        for (text, name) in ignored {
            assert_eq!(verdict(text, name), Some(true), "{text:?} {name:?}");
        }
        for (text, name) in not {
            assert_eq!(verdict(text, name), None, "{text:?} {name:?}");
        }
        for (text, name) in [("a\n!a", "a"), ("*\n!*/", "x/"), ("*.txt\n!/b.txt", "b.txt")] {
            assert_eq!(verdict(text, name), Some(false), "{text:?} {name:?}");
        }
    }

    #[test]
    fn many_stars_and_braces_take_little_time() {
        assert_eq!(verdict(&"*a".repeat(200), &"a".repeat(5_000)), Some(true));
        assert_eq!(verdict(&format!("{}b", "*a".repeat(200)), &"a".repeat(5_000)), None);
        assert_eq!(verdict(&"{a,b}".repeat(40), &"a".repeat(40)), None, "too many choices");
    }
}
