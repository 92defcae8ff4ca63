//! The program as a user meets it: arguments, inputs, outputs, messages and exit codes.

/// Access lists and attributes of files that are replaced.
#[cfg(unix)] // those of Linux
mod access_lists;
/// The advice of refusals, followed.
mod advice;
/// Added columns and fields, and their names.
mod appended;
/// Compressed inputs and outputs: valid, truncated, foreign, hostile.
mod archives;
/// Refused records: what happens to them, and the messages.
mod bad_records;
/// Canonical forms, keys and maps.
mod canon;
/// Files with columns: what is said about them in any build.
mod columns;
/// Conventions of command-line programs.
mod conventions;
/// Conversion: kinds, candidates, losses, and counts.
mod conversion;
/// Removing duplicates.
mod dedupe;
/// Every system call fails in turn.
#[cfg(unix)] // strace
mod faults;
/// Valid and invalid flags.
mod flags;
/// Files that are not read, and names of outputs.
mod foreign;
/// Solutions that come with puzzles; strings in several columns.
mod given_solutions;
/// Grades: in columns, in the summary and the report, and to choose records.
mod grades;
/// Headers of tables.
mod headers;
/// What is in place after a failure in a command with several outputs.
#[cfg(unix)] // strace, owners, modes
mod in_place;
/// Inputs as people have them.
mod inputs;
/// Titles and authors in columns.
mod names;
/// Inputs without a record.
mod nothing;
/// NumPy arrays.
mod numpy;
/// Killers with cages without a sum.
mod open_cages;
/// Paths that may not be written, or not in that way.
#[cfg(unix)] // links, pipes, devices
mod output_paths;
/// No output is an input, or another output.
#[cfg(unix)] // links, descriptors
mod outputs;
/// Help, version, formats, completions, manual.
mod pages;
/// Calls that the system hardly ever refuses.
#[cfg(unix)] // strace
mod refused_calls;
/// Regressions: each test is named after what once went wrong.
#[cfg(unix)] // strace, owners, modes
mod regressions;
/// Regressions in the replacement of files.
#[cfg(unix)] // strace
mod replacing;
/// Reports and suggestions.
mod reports;
/// The output does not depend on threads or on how the input is read.
mod reproducibility;
/// Drawing and measuring, and the published examples.
mod show;
/// Solutions in appended columns.
mod solution_strings;
/// Solutions, and facts about puzzles.
mod solve;
/// Pipes, closed streams, signals, files that change.
#[cfg(unix)] // signals, descriptors, a shell
mod streams;
/// Puzzles that consist of candidates.
mod sukaku;
/// Tables and JSON lines.
mod tables;
/// Lines and their ends, and invalid bytes.
mod text;
/// Rules and solutions, and the messages for boards that violate them.
mod validate;
/// XML.
mod xml;
