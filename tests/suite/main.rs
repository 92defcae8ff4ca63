//! The test suite: one binary with a module for each topic.

/// Names and paths in docs/ARCHITECTURE.md.
mod architecture;
/// The program as a user meets it.
mod cli;
/// Tables and JSON lines with one byte changed: every row is in the output or in the rejects.
mod damaged_rows;
/// Dependencies between the folders of a crate.
mod direction;
/// Search effort: results depend on the puzzle alone.
mod effort;
/// TSV with backslashes before line ends and tabs.
mod escapes;
/// Boards in every form that can hold them.
#[path = "../../crates/core/tests/suite/forms.rs"]
mod forms;
/// The layout of archives, which tests damage. It is private in the library.
#[expect(dead_code)]
#[path = "../../src/frames.rs"]
mod frames;
/// Tables and JSON lines: strings in rows.
mod framing;
/// The checks of fuzzing, on seeds and some mutations.
mod fuzzed;
/// Grids over several lines, in random layouts.
mod grids;
/// Guessing formats and framings.
mod guessing;
/// Limits for the length of files and functions.
mod limits;
/// Lists of formats, kinds and other things outside of their registries.
mod listed;
/// Boards from a seed: they obey the rules, and are reproducible.
mod make;
/// README and `docs/`: examples, links and citations.
#[cfg(unix)] // commands of a shell
mod manual;
/// Limits for the memory of a run.
#[cfg(unix)] // limits of a shell
mod memory;
/// Columns of databases.
mod migrate;
/// The engine against a naive model of lines.
mod model;
/// Records beside others of the same length: nothing depends on the previous record.
mod neighbours;
/// Outputs: refused paths, and files that appear complete or not at all.
mod output;
/// Sudokus as digits, for the solver.
#[path = "../../crates/core/tests/suite/puzzles.rs"]
mod puzzles;
/// Boards to test with.
#[path = "../../crates/core/tests/suite/random.rs"]
mod random;
/// Links to boards inside text.
mod relink;
/// Links inside values that PHP serialized.
mod serialized;
/// Files of the shared folder.
#[path = "../../crates/core/tests/suite/shared.rs"]
mod shared;
/// Inputs: the same text however it is read, and detection of damage.
mod source;
/// Str8ts layouts: which one a string follows.
mod str8ts;
/// Shared parts of tests of the program.
mod support;
/// Tables, written and read by another library.
mod tables;
