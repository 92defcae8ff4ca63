//! gridmill: a SIMD batch engine for databases of number-puzzle strings.
pub mod board;
pub mod draw;
pub mod error;
pub mod formats;
pub mod kernels;
