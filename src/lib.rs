//! gridmill: a SIMD batch engine for databases of number-puzzle strings.
pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod engine;
pub mod error;
pub mod file_id;
pub mod formats;
pub mod frames;
pub mod kernels;
pub mod make;
pub mod output;
pub mod records;
pub mod source;
