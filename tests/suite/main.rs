//! The test suite: one binary, a contents page of modules.

mod formats;
mod vectors;
