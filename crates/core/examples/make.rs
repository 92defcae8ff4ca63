//! Puzzles with exactly one solution, out of a seed: `cargo run -p gridmill-core --example make -- SEED`.

use gridmill_core::board::Batch;
use gridmill_core::error::Unavailable;
use gridmill_core::formats::write_one;
use gridmill_core::make::{Clues, Maker, MakerMemory, Mix, UniqueMaker};
use gridmill_core::{Format, Kind, Side, kernels};

fn main() -> Result<(), Unavailable> {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let maker = Maker::new(Kind::Sudoku, Side::NINE, Mix::Clues, seed)?;
    let mut unique = UniqueMaker::new(&maker, Clues::Minimal, kernels::best())?;
    let (mut batch, mut scratch) = (Batch::new(), MakerMemory::default());
    batch.reset(maker.shape(), 5);
    unique.fill(0, &mut batch, &mut scratch)?;
    for board in 0..batch.len() {
        match write_one(&batch, board, Format::Plain) {
            Ok(string) => println!("{string}"),
            Err(reject) => eprintln!("{reject}"),
        }
    }
    Ok(())
}
