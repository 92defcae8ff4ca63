//! Where the strings are: chunks, lines and fields. Pure functions on slices.
pub mod chunk;
