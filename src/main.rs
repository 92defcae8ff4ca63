//! The program: everything is in [`gridmill::cli`].

use std::process::ExitCode;

/// What is called before `main`.
// SAFETY: the sections are lists of C functions, called once before `main`, whose parameters can be ignored. This one
// needs nothing of Rust's runtime.
#[expect(unsafe_code)] // an attribute, since nothing else can run before the runtime opens closed streams
#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
static BEFORE_MAIN: extern "C" fn() = gridmill::cli::before_main;

#[global_allocator]
static ALLOCATOR: gridmill::cli::Allocator = gridmill::cli::Allocator;

fn main() -> ExitCode {
    gridmill::cli::run()
}
