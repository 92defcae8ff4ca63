//! The program from outside: what is typed, what is read and written, how it ends.

/// What is appended to rows, and under what name.
mod appended;
/// Compressed inputs and outputs: whole, cut, foreign, hostile.
mod archives;
/// Arrays for NumPy.
mod array;
/// Records that are refused: what happens to them and what is said.
mod bad;
/// Canonical forms, keys and maps.
mod canon;
/// Records of which an earlier one is the same.
mod dedupe;
/// The system fails at every call in turn.
mod faults;
/// What can be typed, and what is said of what cannot.
mod flags;
/// Solutions that come with puzzles; several columns.
mod given;
/// What people expect because other programs do so.
mod habits;
/// Inputs as people have them.
mod inputs;
/// What is converted: kinds, notes, losses, and what is counted.
mod meaning;
/// What went wrong once.
mod mended;
/// No output is an input, or another output.
mod outputs;
/// Help, version, formats, completions, manual.
mod pages;
/// Files that may not be written, or not like that.
mod places;
/// The same output however it is read, and by however many threads.
mod same;
/// Drawing and measuring, and the published examples.
mod show;
/// Solutions, and what else is said of puzzles.
mod solve;
/// Pipes, closed streams, signals, files that change.
mod streams;
/// Tables and JSON lines.
mod tables;
/// Lines and their ends, and what no line should hold.
mod text;
/// What is said of a run.
mod told;
/// Rules, solutions, and what is said of boards that lack them.
mod validate;
