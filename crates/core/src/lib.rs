//! Strings and boards of number puzzles, in memory: no files, threads, clocks or environment.
//!
//! [`formats`] turn text into boards and back, many at a time; [`board`] says what a board is; [`kernels`] are the inner loops,
//! one table of functions for each instruction set; [`check`] has the rules, [`solve`] counts solutions, [`make`] makes boards
//! out of a seed, [`draw`] draws them, and [`convert`] does the whole of it: strings to other strings, millions of them.

pub mod board;
pub mod check;
pub mod convert;
pub mod draw;
pub mod error;
pub mod formats;
pub mod kernels;
pub mod make;
pub mod solve;
