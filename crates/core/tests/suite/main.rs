//! The tests of the library, as one binary with a module for each topic. The suite of the package includes some of them
//! by path, to make boards and to write them.

/// Canonical forms: vectors, random maps, groups.
mod canon;
/// Strings of every format, damaged in every way: nothing panics, and every refusal has a reason.
mod damage;
/// The examples in the documents of the formats.
mod documents;
/// Strings, links and files of other programs: each is recognised, and none is taken for another.
mod field;
mod foreign;
/// Text to boards and back: samples, names.
mod formats;
/// Boards in every form that can hold them.
mod forms;
/// Puzzles of other programs that say more than is read: refused, by name.
mod further;
/// Grades of sudokus: vectors, and what no turn and no order changes.
mod grades;
/// Every kernel against the scalar one, and that one against the rules.
mod kernels;
/// Calls of the converter whose puzzles are solved beside those of the next one.
mod next_call;
/// Sudokus as digits, for the solver.
mod puzzles;
/// Boards to test with.
mod random;
/// Boards to text and back, in every format, kind and side.
mod round_trips;
/// The rules of the kinds and counts of solutions, compared with a naive implementation.
mod rules;
/// Files of the shared folder.
mod shared;
/// Solutions: every kernel, compared with a naive search.
mod solve;
/// Solvers of single shapes, compared with propagation.
mod solvers;
/// Rows with bad strings, of which the others do not count.
mod uncount;
/// The shared vectors, on machines that have them.
mod vectors;

/// The kernel that `GRIDMILL_KERNEL` names, as for the program, or else the best one.
fn kernel() -> &'static gridmill_core::kernels::Kernel {
    match std::env::var("GRIDMILL_KERNEL") {
        Ok(name) if !name.is_empty() => gridmill_core::kernels::by_name(&name).expect("GRIDMILL_KERNEL"),
        _ => gridmill_core::kernels::best(),
    }
}
