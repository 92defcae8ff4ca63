//! The test suite: one binary, a contents page of modules.

/// The program as a user meets it.
mod cli;
/// Which folder of the crate uses which.
mod direction;
/// Text to boards and back: samples, round trips.
mod formats;
/// Every kernel against the scalar one, and that one against the rules.
mod kernels;
/// The engine against a naive model of lines.
mod model;
/// Bytes out: places that are refused, files that appear complete or not at all.
mod output;
/// Bytes in: the same text however it is read, and damage that is always found.
mod source;
/// Str8ts layouts: which one a string follows.
mod str8ts;
/// What tests of the program share.
mod support;
/// The shared vectors, where they are.
mod vectors;
