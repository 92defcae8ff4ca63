//! The test suite: one binary, a contents page of modules.

/// Text to boards and back: samples, round trips.
mod formats;
/// Boards out of a seed: the rules of their kinds, and sameness.
mod make;
/// Bytes out: places that are refused, files that appear complete or not at all.
mod output;
/// Bytes in: the same text however it is read, and damage that is always found.
mod source;
/// The shared vectors, where they are.
mod vectors;
