//! The program: everything is in [`gridmill::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    gridmill::cli::run()
}
