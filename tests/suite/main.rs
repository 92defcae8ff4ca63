//! The test suite: one binary, a contents page of modules.

/// The program as a user meets it.
mod cli;
/// Strings of every format damaged in every way: no panic, and always the reason.
mod damage;
/// Tables and JSON lines with one byte changed: every row is in the output or in the rejects.
mod damaged_rows;
/// Which folder of the crate uses which.
mod direction;
/// What the documents of the formats show as examples.
mod documents;
/// Effort: what is said of a puzzle depends on it alone.
mod effort;
/// Text to boards and back: samples, names.
mod formats;
/// Tables and JSON lines: strings in rows.
mod framing;
/// Grids over several lines, in layouts at random.
mod grids;
/// What strings are taken for where nobody says it.
mod guessing;
/// Every kernel against the scalar one, and that one against the rules.
mod kernels;
/// How long files and functions may be.
mod limits;
/// Boards out of a seed: the rules of their kinds, and sameness.
mod make;
/// README and `docs/`: what they show, and what is cited of them.
mod manual;
/// Columns of databases.
mod migrate;
/// The engine against a naive model of lines.
mod model;
/// Records among others of their length: nothing depends on the record before.
mod neighbours;
/// Bytes out: places that are refused, files that appear complete or not at all.
mod output;
/// Boards to test with.
mod random;
/// Links to boards inside text.
mod relink;
/// Boards to text and back, every format, kind and side.
mod round_trips;
/// The rules of the kinds and exact counts, against the same written down plainly.
mod rules;
/// Links inside values that PHP serialized.
mod serialized;
/// Solutions: every kernel against a plain search.
mod solve;
/// Bytes in: the same text however it is read, and damage that is always found.
mod source;
/// Str8ts layouts: which one a string follows.
mod str8ts;
/// What tests of the program share.
mod support;
mod tables;
/// The shared vectors, where they are.
mod vectors;
