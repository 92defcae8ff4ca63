use std::process::{Command, Stdio};

use gridmill::board::Kind;
use gridmill::formats::REGISTRY;
use gridmill::kernels;
use serde_json::Value;

use crate::support::{commands, gridmill, program, run, shell};

#[test]
fn every_help_has_examples_that_the_program_understands() {
    for command in commands().iter().map(|name| vec![name.as_str()]).chain([vec![]]) {
        let long = run(program().args(&command).arg("--help"), b"").good();
        let short = run(program().args(&command).arg("-h"), b"").good();
        let long = String::from_utf8(long).expect("UTF-8");
        assert!(long.contains("Usage: gridmill") && !short.is_empty());
        let examples = long.split("Examples:").nth(1).unwrap_or_else(|| panic!("no examples: {command:?}"));
        let examples: Vec<_> = examples.lines().filter(|line| line.contains("gridmill")).collect();
        assert!(!examples.is_empty());
        for name in &command {
            assert!(examples.iter().any(|line| line.contains(&format!("gridmill {name}"))), "{examples:?}");
        }
        assert!(long.lines().all(|line| line.chars().count() <= 130), "{command:?}");
    }
    assert_eq!(
        run(program().args(["help", "convert"]), b"").good(),
        run(program().args(["convert", "--help"]), b"").good()
    );
}

#[test]
fn the_version_names_the_kernels() {
    let short = run(program().arg("-V"), b"").good();
    assert_eq!(String::from_utf8_lossy(&short), concat!("gridmill ", env!("CARGO_PKG_VERSION"), "\n"));
    let long = String::from_utf8(run(program().arg("--version"), b"").good()).expect("UTF-8");
    for name in kernels::compiled() {
        assert!(long.lines().nth(1).is_some_and(|line| line.contains(name)));
    }
    for kernel in kernels::available() {
        assert!(long.lines().nth(2).is_some_and(|line| line.contains(kernel.name)));
    }
    let features = long.lines().last().and_then(|line| line.strip_prefix("optional features: ")).expect("features");
    for (name, is_built) in [("databases", cfg!(feature = "databases")), ("parquet", cfg!(feature = "parquet"))] {
        assert_eq!(features.contains(name), is_built, "{features}");
    }
}

#[test]
fn formats_as_a_table_and_as_json() {
    let table = String::from_utf8(run(program().arg("formats"), b"").good()).expect("UTF-8");
    let json = run(program().args(["formats", "--json"]), b"").good();
    let json: Value = serde_json::from_slice(&json).expect("JSON");
    let names: Vec<_> = json["formats"].as_array().expect("a list").iter().map(|f| f["name"].as_str()).collect();
    assert_eq!(names, REGISTRY.map(|format| Some(format.about().name)));
    for format in REGISTRY {
        assert!(table.contains(&format!("{}: {}", format.about().name, format.about().description())));
    }
    let kinds = json["kinds"].as_array().expect("a list");
    assert_eq!(kinds.len(), Kind::all().count());
    for kind in kinds {
        let headers = kind["v2_headers"].as_array().expect("a list");
        assert!(!headers.is_empty() && headers.iter().all(|h| h.as_str().is_some_and(|h| h.len() == 3)));
        assert!(table.contains(kind["name"].as_str().expect("a name")));
    }
}

#[test]
fn completions_for_every_shell_know_every_command() {
    for (name, check) in [
        ("bash", &["bash", "-n"][..]),
        ("zsh", &["zsh", "-n"]),
        ("fish", &["fish", "--no-execute"]),
        ("elvish", &[]),
        ("powershell", &[]),
    ] {
        let script = run(&mut gridmill(["completions", name]), b"").good();
        let text = String::from_utf8_lossy(&script);
        for command in commands() {
            assert!(text.contains(&command), "{name}: {command}");
        }
        assert!(text.contains("--list-solved") || text.contains("list-solved"), "{name}");
        if let [shell, argument] = check {
            let found = Command::new(shell).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            if found.is_ok() {
                let file = crate::support::Folder::new();
                let path = file.write("script", &script);
                let done = run(Command::new(shell).arg(argument).arg(path), b"");
                assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{name}");
            }
        }
    }
}

#[test]
fn the_manual_has_a_page_for_the_program_and_for_every_command() {
    let page = String::from_utf8(run(program().arg("man"), b"").good()).expect("UTF-8");
    assert!(page.contains(".TH gridmill 1") && page.contains("GRIDMILL_KERNEL"));
    for command in commands() {
        assert!(page.contains(&command));
        let page = String::from_utf8(run(program().args(["man", &command]), b"").good()).expect("UTF-8");
        assert!(page.contains(&format!(".TH gridmill-{command} 1")), "{command}");
        let sections = [".SH EXAMPLES\n.nf\n  gridmill", ".SH \"EXIT STATUS\"\n0 ", ".SH OPTIONS\n"];
        assert!(sections.iter().all(|section| page.contains(section)), "{command}: {page}");
        // No flag lacks its description.
        assert!(!page.contains("\n\n.TP") && !page.contains("\n\n.SH"), "{command}: {page}");
    }
}

#[test]
fn the_manual_is_the_same_on_every_machine() {
    let page = |kernel: &str| run(program().arg("man").env("GRIDMILL_KERNEL", kernel), b"").good();
    let text = String::from_utf8(page("scalar")).expect("UTF-8");
    assert!(text.contains(concat!("v", env!("CARGO_PKG_VERSION"))), "{text}");
    assert!(!text.contains("kernel in use") && text.as_bytes() == page(""));
}

#[test]
fn pages_that_cannot_be_written_are_no_success() {
    for page in ["--help", "--version", "convert --help", "formats", "completions bash", "man", "formats --json"] {
        let full = run(&mut shell(&format!("$G {page} > /dev/full")), b"");
        full.failed(&["<stdout>", "No space left on device"]);
        let closed = run(&mut shell(&format!("$G {page} >&-")), b"");
        closed.failed(&["stdout is closed"]);
        // A reader that goes away is not a failure.
        let gone = run(&mut shell(&format!("set -o pipefail; $G {page} | true")), b"");
        assert_eq!((gone.code, gone.stderr.as_str()), (Some(0), ""), "{page}");
    }
}

#[test]
fn the_main_command_of_the_readme_works() {
    let readme = std::fs::read_to_string("README.md").expect("the README");
    let command =
        readme.lines().find_map(|line| line.strip_prefix("cargo run --release -- ")).expect("the main command");
    let arguments = command.split('#').next().expect("a command").split_whitespace();
    let done = run(&mut gridmill(arguments), b"");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.text().lines().filter(|line| line.len() == 165 && line.starts_with("S9B")).count() > 3);
    // The other examples must at least be understood: the files they name do not exist.
    let recipes = readme.lines().filter(|line| line.starts_with("gridmill convert "));
    for recipe in recipes {
        let words = recipe.split('#').next().expect("a command").split_whitespace().skip(1);
        let folder = crate::support::Folder::new();
        let done = run(gridmill(words).current_dir(folder.path()), b"");
        assert!(done.code == Some(2) && done.stderr.contains("No such file"), "{recipe}: {}", done.stderr);
    }
}
