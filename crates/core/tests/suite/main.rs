//! The tests of the library: one binary, a contents page of modules. Those that the package needs too, to make boards and to
//! write them, are named by its suite with their path.

/// Canonical forms: vectors, random maps, groups.
mod canon;
/// Strings of every format damaged in every way: no panic, and always the reason.
mod damage;
/// What the documents of the formats show as examples.
mod documents;
/// Text to boards and back: samples, names.
mod formats;
/// Boards written in every form that takes them.
mod forms;
/// Every kernel against the scalar one, and that one against the rules.
mod kernels;
/// Sudokus as digits, for the solver.
mod puzzles;
/// Boards to test with.
mod random;
/// Boards to text and back, every format, kind and side.
mod round_trips;
/// The rules of the kinds and exact counts, against the same written down plainly.
mod rules;
/// Files of the shared folder.
mod shared;
/// Solutions: every kernel against a plain search.
mod solve;
/// Solvers of single shapes, against propagation.
mod solvers;
/// The shared vectors, where they are.
mod vectors;

/// The kernel that `GRIDMILL_KERNEL` names, as for the program, else the best one.
fn kernel() -> &'static gridmill_core::kernels::Kernel {
    match std::env::var("GRIDMILL_KERNEL") {
        Ok(name) if !name.is_empty() => gridmill_core::kernels::by_name(&name).expect("GRIDMILL_KERNEL"),
        _ => gridmill_core::kernels::best(),
    }
}
