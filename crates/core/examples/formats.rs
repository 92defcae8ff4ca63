//! One board in every format that can hold all of it: `cargo run -p gridmill-core --example formats -- STRING`.

use gridmill_core::formats::REGISTRY;
use gridmill_core::{Reject, read, write};

fn main() -> Result<(), Reject> {
    let usual = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    let board = read(&std::env::args().nth(1).unwrap_or_else(|| usual.to_string()))?;
    for format in REGISTRY.map(|format| format.about()) {
        match write(&board, format.id) {
            Ok(string) => println!("{:<9} {string}", format.name),
            Err(reject) => println!("{:<9} - {reject}", format.name),
        }
    }
    Ok(())
}
