//! The program: everything is in [`gridmill::cli`].

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: gridmill::cli::Allocator = gridmill::cli::Allocator;

fn main() -> ExitCode {
    gridmill::cli::run()
}
