//! gridmill: a SIMD batch engine for databases of number-puzzle strings.
pub mod board;
pub mod error;
pub mod make;
