//! README and `docs/`: commands print what is shown, and links and citations lead somewhere.
//!
//! A ```` ```console ```` block has commands after `$ ` (`> ` continues one) and, below each, its output on both
//! streams; a line `...` stands for any lines. Each block runs in a folder that is empty except for `data/`. Times and
//! rates may differ. `UPDATE_DOCS=1 cargo test --test suite -- manual::` updates the output in the documents.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use gridmill::board::Kind;
use gridmill::engine::Convert;
use gridmill::error::Code;
use gridmill::formats::{Loss, REGISTRY};
use gridmill::output::Target;
use gridmill::source::Input;

use crate::support::{Folder, wait};

/// README, and everything under `docs/`.
fn documents() -> Vec<PathBuf> {
    let entries = fs::read_dir("docs").expect("docs/").map(|entry| entry.expect("an entry").path());
    let pages = entries.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut found: Vec<_> = pages.chain(["README.md", "CONTRIBUTING.md"].map(PathBuf::from)).collect();
    found.retain(|path| path.exists());
    found.sort();
    found
}

/// The output of a command on both streams.
fn print(command: &str, folder: &Folder) -> Vec<String> {
    let beside = Folder::new();
    let output = fs::File::create(beside.at("output")).expect("a file");
    let program = Path::new(env!("CARGO_BIN_EXE_gridmill")).parent().expect("the folder of the program");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").expect("PATH"));
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder.path()).stdin(Stdio::null());
    shell.env("PATH", path).env("LC_ALL", "C.UTF-8").env("TERM", "dumb").env_remove("GRIDMILL_KERNEL");
    shell.stdout(output.try_clone().expect("the same file")).stderr(output);
    wait(&mut shell.spawn().expect("sh"));
    beside.text("output").trim_end().lines().map(str::to_string).collect()
}

/// A line without the time and the rate at the end of a summary.
fn timeless(line: &str) -> &str {
    let Some((start, _)) = line.rsplit_once(", ").filter(|(_, rate)| rate.ends_with("B/s")) else {
        return line.trim_end();
    };
    start.rsplit_once(" s").and_then(|(start, _)| start.rsplit_once(", ")).map_or(start, |(start, _)| start)
}

/// Whether output matches what is shown.
fn is_shown(shown: &[&str], printed: &[String]) -> bool {
    match (shown.split_first(), printed.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((&"...", after)), rest) => {
            is_shown(after, printed) || rest.is_some_and(|(_, printed)| is_shown(shown, printed))
        }
        (Some(_), None) => false,
        (Some((line, after)), Some((first, printed))) => timeless(line) == timeless(first) && is_shown(after, printed),
    }
}

/// A document with the actual output of its commands, and their number.
fn typed_again(text: &str) -> (String, usize) {
    let (mut lines, mut out, mut commands) = (text.lines().peekable(), Vec::new(), 0);
    while let Some(line) = lines.next() {
        out.push(line.to_string());
        if line != "```console" {
            continue;
        }
        let folder = Folder::new();
        std::os::unix::fs::symlink(fs::canonicalize("data").expect("data/"), folder.at("data")).expect("a link");
        while let Some(first) = lines.next_if(|line| *line != "```") {
            out.push(first.to_string());
            let mut command = first.strip_prefix("$ ").unwrap_or_else(|| panic!("no command: {first}")).to_string();
            while let Some(more) = lines.next_if(|line| line.starts_with("> ")) {
                out.push(more.to_string());
                command = format!("{command}\n{}", &more[2..]);
            }
            let mut shown = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && *line != "```") {
                shown.push(line);
            }
            let printed = print(&command, &folder);
            match is_shown(&shown, &printed) {
                true => out.extend(shown.into_iter().map(str::to_string)),
                false => out.extend(printed),
            }
            commands += 1;
        }
    }
    (out.join("\n") + "\n", commands)
}

#[test]
fn commands_in_documents_print_what_is_shown() {
    let mut commands = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a document");
        let (again, count) = typed_again(&text);
        commands += count;
        if again == text {
            continue;
        }
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, again).expect("writing a document");
            continue;
        }
        let lines = text.lines().zip(again.lines()).enumerate();
        let (number, (shown, printed)) =
            lines.into_iter().find(|(_, (shown, printed))| shown != printed).expect("a line that differs");
        panic!("{}, line {}: shown\n{shown}\nprinted\n{printed}", path.display(), number + 1);
    }
    assert!(commands > 20, "{commands} commands were found");
}

/// The headings of a document outside of its blocks.
fn headings(text: &str) -> Vec<&str> {
    let mut inside = false;
    let mut outside = |line: &&str| {
        inside ^= line.starts_with("```");
        !inside
    };
    text.lines()
        .filter(|line| outside(line) && line.starts_with('#'))
        .map(|line| line.trim_matches(['#', ' ']))
        .collect()
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-' || *c == '_');
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[test]
fn links_of_documents_lead_somewhere() {
    let mut links = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a document");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if link.starts_with("http") {
                continue;
            }
            let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            assert!(target.exists(), "{}: {link} is not there", path.display());
            if !fragment.is_empty() {
                let text = fs::read_to_string(&target).expect("a document");
                let found = headings(&text).into_iter().any(|heading| anchor(heading) == fragment);
                assert!(found, "{}: {link} is no heading", path.display());
            }
            links += 1;
        }
    }
    assert!(links > 20, "{links} links were found");
}

#[test]
fn every_name_that_users_meet_is_explained() {
    let page = |name: &str| fs::read_to_string(Path::new("docs").join(name)).expect("a document");
    let (formats, cli) = (page("FORMATS.md"), page("CLI.md"));
    let explained = |page: &str, name: &str| assert!(page.contains(&format!("`{name}`")), "`{name}` is not explained");
    Code::ALL.iter().for_each(|code| explained(&cli, code.name()));
    Loss::ALL.iter().for_each(|loss| explained(&formats, loss.name()));
    REGISTRY.iter().for_each(|format| explained(&formats, format.about().name));
    for kind in Kind::all() {
        explained(&formats, kind.name());
        explained(&formats, &char::from(kind.rules().letter).to_string());
    }
    let folder = Folder::new();
    let input = Input::Reader { name: "none".into(), reader: Box::new(std::io::empty()) };
    let done = Convert::new(Target::File { path: folder.at("out"), force: false }).input(input).run().expect("a run");
    done.to_json().as_object().expect("an object").keys().for_each(|field| explained(&cli, field));
}

/// The Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The citations in comments: a document, and one of its headings or code in it.
fn citations(text: &str) -> Vec<(String, String)> {
    // A citation may span lines.
    let comments: Vec<_> = text.lines().map(|line| line.trim_start().trim_start_matches(['/', '!', ' '])).collect();
    let text = comments.join(" ");
    let mut found = Vec::new();
    for part in text.split("docs/").skip(1) {
        let Some((name, mut rest)) = part.split_once(".md") else { continue };
        while let Some(cited) = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(" and ")) {
            let Some(mark) = cited.chars().next().filter(|mark| ['"', '`'].contains(mark)) else { break };
            let Some((cited, after)) = cited[1..].split_once(mark) else { break };
            found.push((format!("docs/{name}.md"), cited.to_string()));
            rest = after;
        }
        if rest.len() + name.len() + 3 == part.len() {
            found.push((format!("docs/{name}.md"), String::new()));
        }
    }
    found
}

#[test]
fn citations_in_comments_exist() {
    let mut files = Vec::new();
    ["src", "crates", "tests", "benches"].iter().for_each(|folder| sources(Path::new(folder), &mut files));
    let mut count = 0;
    for file in files.iter().filter(|file| !file.ends_with("manual.rs")) {
        let text = fs::read_to_string(file).expect("a source file");
        for (document, cited) in citations(&text) {
            let text = fs::read_to_string(&document).unwrap_or_else(|_| panic!("{}: {document}", file.display()));
            let found =
                cited.is_empty() || headings(&text).contains(&cited.as_str()) || text.contains(&format!("`{cited}"));
            assert!(found, "{} cites \"{cited}\" of {document}, which is not there", file.display());
            count += 1;
        }
    }
    assert!(count > 20, "{count} citations were found");
}

#[test]
fn citations_are_found() {
    let text = "/// One (docs/FORMATS.md, \"Links\").\n//! Two (docs/FORMATS.md,\n//! \"Cages\", \"Cell code\"): `x`\n// docs/CLI.md, `--bad`";
    let found = citations(text);
    let found: Vec<_> = found.iter().map(|(document, cited)| (&document[5..], cited.as_str())).collect();
    assert_eq!(
        found,
        [("FORMATS.md", "Links"), ("FORMATS.md", "Cages"), ("FORMATS.md", "Cell code"), ("CLI.md", "--bad")]
    );
}
