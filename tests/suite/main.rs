//! The test suite: one binary, a contents page of modules.

/// The program as a user meets it.
mod cli;
/// Tables and JSON lines with one byte changed: every row is in the output or in the rejects.
mod damaged_rows;
/// Which folder of the crate uses which.
mod direction;
/// Effort: what is said of a puzzle depends on it alone.
mod effort;
/// Boards written in every form that takes them.
#[path = "../../crates/core/tests/suite/forms.rs"]
mod forms;
/// Tables and JSON lines: strings in rows.
mod framing;
/// What fuzzing tries.
mod fuzzed;
/// Grids over several lines, in layouts at random.
mod grids;
/// What strings are taken for where nobody says it.
mod guessing;
/// How long files and functions may be.
mod limits;
/// Boards out of a seed: the rules of their kinds, and sameness.
mod make;
/// README and `docs/`: what they show, and what is cited of them.
mod manual;
/// What a run may take of memory.
mod memory;
/// Columns of databases.
mod migrate;
/// The engine against a naive model of lines.
mod model;
/// Records among others of their length: nothing depends on the record before.
mod neighbours;
/// Bytes out: places that are refused, files that appear complete or not at all.
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
/// Bytes in: the same text however it is read, and damage that is always found.
mod source;
/// Str8ts layouts: which one a string follows.
mod str8ts;
/// What tests of the program share.
mod support;
/// Tables as another library writes and reads them.
mod tables;
