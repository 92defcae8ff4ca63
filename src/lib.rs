//! gridmill: a SIMD batch engine for databases of number-puzzle strings.
pub mod error;
pub mod file_id;
pub mod frames;
pub mod output;
pub mod records;
pub mod source;
