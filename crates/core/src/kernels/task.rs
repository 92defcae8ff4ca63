//! What is compiled once for each instruction set.

/// A task whose loops the compiler vectorises. [`SimdTask::run`] and everything that it calls must be
/// `#[inline(always)]`: only code that ends up inside the function of an instruction set is compiled for it. (Write
/// loops, not `fold`, which need not be inlined.)
pub trait SimdTask {
    /// The result of the task.
    type Output;

    /// Runs the task.
    fn run(self) -> Self::Output;
}
