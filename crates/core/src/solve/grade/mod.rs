//! The grade of a sudoku of side 9: the first rung of a fixed ladder of techniques that solves it (docs/GRADE.md).
//!
//! The rules of each rung are monotone, so the candidates that they leave do not depend on their order.

mod cell_sets;
mod chain;
mod digit_lanes;
mod grid;
mod ladder;
mod matching;
mod names;
#[cfg(test)]
mod tests;
mod wing;

pub use ladder::{Grader, grade_one};
pub use names::{Grade, GradeRange, LADDER};
