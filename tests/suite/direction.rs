//! docs/ARCHITECTURE.md, "One direction": reads the sources of every crate, and fails on any dependency between
//! top-level folders that is not in the plan.

mod source;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use source::{Imports, Source, circles, code, sources, used};

/// What a folder (or file) of a crate may use from it, besides itself.
type Plan = &'static [(&'static str, &'static [&'static str])];

/// The folder, name and plan of each crate. The root package re-exports the folders of the core, so its plan lists them
/// like its own.
const CRATES: &[(&str, &str, Plan)] = &[
    ("crates/core/src", "gridmill_core", CORE),
    ("src", "gridmill", PACKAGE),
    ("crates/columns/src", "gridmill_columns", COLUMNS),
    ("crates/python/src", "_gridmill", PYTHON),
    ("crates/web/src", "gridmill_web", WEB),
];

const CORE: Plan = &[
    ("lib", &[]),
    ("error", &[]),
    ("board", &[]),
    ("kernels", &["error"]),
    ("formats", &["error", "board", "kernels"]),
    ("check", &["error", "board", "kernels"]),
    ("solve", &["error", "board", "kernels"]),
    // The key is that of the v2 string; the form of a solution needs one.
    ("canon", &["error", "board", "kernels", "formats", "solve"]),
    ("make", &["error", "board", "kernels", "solve"]),
    ("draw", &["board"]),
    ("describe", &["error", "board", "formats", "draw"]),
    ("framing", &["error", "board", "formats", "kernels"]),
    ("convert", &["error", "board", "kernels", "formats", "check", "solve", "canon"]),
    ("front", &["error", "board", "kernels", "formats", "check", "solve", "canon", "convert"]),
];

const PACKAGE: Plan = &[
    ("lib", &FROM_CORE),
    ("main", &["cli"]),
    ("error", &[]),
    ("amounts", &["error"]),
    ("platform", &["error"]),
    ("frames", &[]),
    // Reading finds line ends; it shares the layout of archives with output.
    ("source", &["error", "framing", "frames", "platform"]),
    ("output", &["error", "frames", "platform"]),
    (
        "engine",
        &[
            "amounts", "error", "board", "canon", "convert", "kernels", "source", "framing", "formats", "output",
            "make", "solve",
        ],
    ),
    (
        "columnar",
        &["amounts", "error", "convert", "engine", "formats", "framing", "kernels", "output", "platform", "source"],
    ),
    ("migrate", &["error", "platform", "board", "kernels", "formats", "framing", "engine", "output"]),
    (
        "cli",
        &[
            "amounts", "error", "board", "canon", "kernels", "source", "framing", "formats", "solve", "output",
            "engine", "columnar", "migrate", "platform", "describe", "draw", "make",
        ],
    ),
];

/// Folders without a line of their own here are those of the core.
const COLUMNS: Plan = &[
    ("lib", &[]),
    ("exchange", &[]),
    ("refused", &[]),
    ("error", &["refused"]),
    ("strings", &["error"]),
    ("session", &["strings", "convert", "formats", "kernels"]),
    ("blocks", &["error", "session", "strings", "convert"]),
    ("reader", &["blocks", "session", "strings", "board", "convert", "formats"]),
    ("rewrite_options", &["error", "refused", "session", "convert"]),
    ("text", &[]),
    ("platform", &[]),
    (
        "assemble",
        &[
            "blocks",
            "error",
            "rewrite_options",
            "platform",
            "reader",
            "refused",
            "session",
            "strings",
            "text",
            "convert",
            "formats",
        ],
    ),
    ("dictionary", &["assemble", "error", "rewrite_options", "refused", "session", "strings"]),
    ("rewrite", &["assemble", "dictionary", "error", "rewrite_options", "refused", "session", "strings", "convert"]),
    ("report", &["error", "refused", "strings"]),
    ("evidence", &["blocks", "error", "session", "strings", "convert", "formats"]),
    ("detect", &["blocks", "error", "reader", "session", "strings", "convert", "formats"]),
    ("validate", &["blocks", "error", "reader", "session", "strings", "convert"]),
    ("facts", &["blocks", "error", "reader", "session", "strings", "convert"]),
    ("duplicates", &["blocks", "error", "reader", "refused", "session", "strings", "canon", "convert"]),
    ("boards", &["blocks", "error", "reader", "refused", "session", "strings", "board", "convert", "formats"]),
    ("generate", &["assemble", "blocks", "error", "refused", "session", "board", "formats", "kernels", "make"]),
];

/// Columns are processed by the crate for columns; only the interface to Python is here.
const PYTHON: Plan = &[
    ("lib", &["about", "call", "column", "evidence", "numbers", "puzzles", "strings"]),
    ("evidence", &["formats"]),
    ("call", &["evidence", "convert", "formats", "kernels"]),
    ("about", &["call", "formats", "kernels"]),
    ("arrow", &["call"]),
    ("column", &["arrow", "call"]),
    ("strings", &["arrow", "call", "column", "evidence", "board", "convert", "formats"]),
    ("puzzles", &["arrow", "call", "strings", "canon", "convert", "formats"]),
    ("numbers", &["arrow", "call", "column", "strings", "board", "formats", "make"]),
];

/// JavaScript calls `exports`; no crate calls it.
const WEB: Plan = &[
    ("lib", &[]),
    ("memory", &[]),
    ("answer", &["formats"]),
    ("options", &["board", "convert", "formats"]),
    ("summary", &["convert", "formats"]),
    ("lines", &["convert", "formats", "framing"]),
    ("framed", &["options", "convert", "formats", "framing", "kernels"]),
    ("put_back", &["framed", "lines", "summary", "canon", "convert", "formats", "framing"]),
    ("columns", &["answer", "framed", "options", "framing"]),
    (
        "run",
        &[
            "answer", "framed", "lines", "options", "put_back", "summary", "canon", "convert", "formats", "framing",
            "kernels",
        ],
    ),
    ("cell_ranges", &[]),
    (
        "show",
        &[
            "answer",
            "cell_ranges",
            "framed",
            "options",
            "run",
            "board",
            "check",
            "convert",
            "describe",
            "draw",
            "formats",
            "kernels",
            "solve",
        ],
    ),
    ("cages", &["options", "board"]),
    ("edit", &["answer", "cages", "options", "show", "board", "formats"]),
    ("exports", &["answer", "columns", "edit", "memory", "options", "run", "show"]),
    ("tests", &["exports", "memory", "convert"]),
];

/// The folders of the core, which the root package re-exports.
const FROM_CORE: [&str; 11] =
    ["board", "canon", "check", "convert", "describe", "draw", "formats", "framing", "kernels", "make", "solve"];

/// Dependencies of a crate that the plan does not allow, and those that it allows but nothing uses.
fn against_the_plan(root: &str, name: &str, plan: Plan) -> Vec<String> {
    let all = sources(Path::new(root));
    assert!(all.len() >= plan.len(), "{root}");
    let imports = Imports::of(&all, name);
    let mut top: BTreeSet<String> = all.iter().map(Source::top).collect();
    top.extend(FROM_CORE.map(str::to_string));
    let mut wrong = Vec::new();
    let mut unused: BTreeSet<(&str, &str)> =
        plan.iter().flat_map(|&(folder, allowed)| allowed.iter().map(move |&to| (folder, to))).collect();
    for source in &all {
        let (path, folder) = (source.path.display(), source.top());
        let Some(&(folder, allowed)) = plan.iter().find(|(name, _)| *name == folder) else {
            wrong.push(format!("{path}: {folder} is not in the plan"));
            continue;
        };
        // A name that the top of the crate passes on is one of the folder that defines it. One that a folder passes on
        // belongs to what that folder offers.
        let own = used(&source.code, &source.module, &[name]);
        let mut paths = used(&source.code, &source.module, &[name, "gridmill_core"]);
        paths.retain(|path| !own.contains(path));
        let is_of_folder = |path: &Vec<String>| path.first().is_some_and(|first| top.contains(first));
        let follow = |path| if is_of_folder(&path) { path } else { imports.follow(&path, &source.module) };
        paths.extend(own.into_iter().map(follow));
        let crates: Vec<_> = CRATES.iter().map(|&(_, name, _)| name).collect();
        paths.extend(used(&source.code, &source.module, &crates).into_iter().filter(|path| path == &["*"]));
        if paths.contains(&vec!["*".to_string()]) || source.code.contains("extern crate ") {
            wrong.push(format!("{path}: an asterisk or a new name of a crate hides what is used"));
        }
        for to in paths.into_iter().filter_map(|path| path.into_iter().next()).filter(|to| top.contains(to)) {
            unused.retain(|edge| *edge != (folder, to.as_str()));
            if to != folder && !allowed.contains(&to.as_str()) {
                wrong.push(format!("{path}: {folder} -> {to}"));
            }
        }
    }
    wrong.extend(unused.into_iter().map(|(from, to)| format!("{root}: nothing of {from} uses {to}: strike it out")));
    wrong
}

#[test]
fn nothing_flows_back() {
    let wrong: Vec<_> = CRATES.iter().flat_map(|&(root, name, plan)| against_the_plan(root, name, plan)).collect();
    assert!(wrong.is_empty(), "edges that are not in the plan:\n{}", wrong.join("\n"));
}

#[test]
fn no_files_import_each_other() {
    let found: Vec<_> = CRATES.iter().flat_map(|&(root, name, _)| circles(&sources(Path::new(root)), name)).collect();
    assert!(found.is_empty(), "circles of files: {found:#?}");
}

#[test]
fn edges_are_found_however_they_are_written() {
    let module = |path: &str| path.split('/').filter(|part| !part.is_empty()).map(str::to_string).collect::<Vec<_>>();
    for (text, at, expected) in [
        ("use crate::engine::Convert;", "cli/show", vec!["engine/Convert"]),
        ("use crate::{error::{Error, Code}, board, other};", "", vec!["board", "error/Code", "error/Error", "other"]),
        (
            "use crate::{\n    engine::{self, x::{y, source}},\n    cli,\n};",
            "cli",
            vec!["cli", "engine", "engine/x/source", "engine/x/y"],
        ),
        ("let x = crate::source::Source::new(); // crate::cli", "x", vec!["source/Source/new"]),
        ("/// [`crate::engine`]\nuse super::super::cli;", "a/b", vec!["cli"]),
        ("use super::super::cli;", "a/b/c", vec!["a/cli"]),
        ("let a = \"// no comment\"; use crate::cli;", "a", vec!["cli"]),
        (
            "let a = \"crate::cli\"; let b = r#\"crate::board \" \"#; let c = '\"'; crate::error::x()",
            "a",
            vec!["error/x"],
        ),
        ("macro_rules! m { () => { $crate::engine::run() } }", "a", vec!["engine/run"]),
        ("gridmill::engine::run()", "a", vec!["engine/run"]),
        ("my_crate::engine()", "a", vec![]),
        ("pub(in crate::engine) fn f<'a>(a: &'a str) {}", "engine/a", vec!["engine"]),
        ("use crate::*;", "a", vec!["*"]),
        ("/* crate::a /* crate::b */ */ crate::c()", "a", vec!["c"]),
        ("use crate::{*};", "a", vec!["*"]),
        ("use crate::{error::Code, *};", "a", vec!["*", "error/Code"]),
        ("use crate::{error::{self as e, Code}, self as all};", "a", vec!["*", "error", "error/Code"]),
        ("use crate as all;", "a", vec!["*"]),
        ("let a = \"use crate::*\";", "a", vec![]),
        ("use super::super::*;", "a/b", vec!["*"]),
        ("use super::super as up;", "a/b", vec!["*"]),
        ("use super as up;", "a", vec!["*"]),
        ("pub(super) fn f() {}", "a", vec![]),
        ("use gridmill::*;", "a", vec!["*"]),
        ("use gridmill as g;", "a", vec!["*"]),
        ("use gridmill_core::*;", "a", vec!["*"]),
        ("use gridmill_core as core;", "a", vec!["*"]),
        ("use ::gridmill_core::solve;", "a", vec!["solve"]),
        ("my::gridmill_core::solve()", "a", vec![]),
        ("use self::super::super::cli;", "a/b", vec!["cli"]),
        ("use super::{super::cli};", "a/b", vec!["cli"]),
        ("use super::{b, super::{cli, super::error}};", "a/b/c", vec!["a/b/b", "a/cli", "error"]),
        ("mod tests { use super::*; mod more { use super::super::x; } } use super::y;", "a", vec!["a/*", "a/x", "y"]),
        ("let a = br#\"\"//\"#; crate::cli::x()", "a", vec!["cli/x"]),
        ("let a = cr\"//\"; let b = c\"//\"; crate::cli::x()", "a", vec!["cli/x"]),
        ("crate::a::X as crate::b::Y; crate::c::Z as u8", "x", vec!["a/X", "b/Y", "c/Z"]),
    ] {
        let used = used(&code(text), &module(at), &["gridmill", "gridmill_core"]);
        let found: Vec<_> = used.into_iter().map(|path| path.join("/")).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn indirect_circles_are_found() {
    let source = |module: &str, code: &str| Source {
        path: PathBuf::from(module),
        module: module.split('/').map(str::to_string).collect(),
        code: code.into(),
    };
    let all = [
        source("a/x", "use super::y::Y;"),
        source("a/y", "use crate::b::Z;"),
        source("b", "use crate::a::x::X;"),
        source("a", "mod x; mod y;"),
        source("c", "use crate::b::Z;"),
    ];
    assert_eq!(circles(&all, "gridmill"), [["a/x", "a/y", "b", "a/x"]]);
    assert!(circles(&all[1..], "gridmill").is_empty());
    // Through names that a folder imports: files below it see all of them, others those that it passes on.
    let all = [
        source("a", "mod x; mod y; pub(super) use x::{T, U as V}; use self::y::{self, W};"),
        source("a/x", "use super::W;"),
        source("a/y", "use crate::a::V;"),
    ];
    assert_eq!(circles(&all, "gridmill"), [["a/x", "a/y", "a/x"]]);
    assert!(circles(&all[..2], "gridmill").is_empty());
    let imports = Imports::of(&all, "gridmill");
    for (path, from, expected) in [
        ("a/W", "a/x", "a/y/W"),
        ("a/W/new", "a/x/z", "a/y/W/new"),
        ("a/W", "b", "a/W"),
        ("a/V", "b", "a/x/U"),
        ("a/y/V", "b", "a/y/V"),
    ] {
        let [path, from] = [path, from].map(|path| path.split('/').map(str::to_string).collect::<Vec<_>>());
        assert_eq!(imports.follow(&path, &from).join("/"), expected);
    }
}

#[test]
fn unsafe_code_is_where_it_may_be() {
    for Source { path, code, .. } in CRATES.iter().flat_map(|(root, _, _)| sources(Path::new(root))) {
        let has = code.contains("unsafe {") || code.contains("unsafe fn") || code.contains("unsafe impl");
        let may = path.starts_with("crates/core/src/kernels")
            || path == Path::new("crates/core/src/board/batch.rs") // says why
            || path == Path::new("src/platform/unix/mapping.rs")
            || path == Path::new("src/platform/unix/process.rs")
            || path.starts_with("src/platform/windows") // nothing of its API can be called without
            || path == Path::new("src/cli/startup.rs") // says why
            || path == Path::new("crates/columns/src/platform/mod.rs") // large pages
            || path == Path::new("crates/columns/src/text.rs") // arrays of strings that were just written
            || path == Path::new("crates/columns/src/exchange.rs") // Arrow's C interfaces
            || path == Path::new("crates/python/src/arrow.rs") // Arrow's C interfaces
            || path == Path::new("crates/python/src/numbers.rs"); // memory of Python's buffers
        assert!(may || !has, "unsafe code in {}", path.display());
    }
}
