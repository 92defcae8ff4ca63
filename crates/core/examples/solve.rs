//! Solves a puzzle of any kind: `cargo run -p gridmill-core --example solve -- STRING`.

use gridmill_core::{Reject, Solution, read, solve};

fn main() -> Result<(), Reject> {
    let usual = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
    let string = std::env::args().nth(1).unwrap_or_else(|| usual.to_string());
    let board = read(&string)?;
    match solve(&board) {
        Solution::Unique(digits) => digits.chunks(board.side()).for_each(|row| println!("{row:?}")),
        Solution::None => println!("This {} has no solution.", board.kind()),
        Solution::Several(_) => println!("This {} has more than one solution.", board.kind()),
        Solution::Undecided => println!("It takes too long to tell."),
        Solution::Unsupported => println!("The rules of {} are not defined for this side.", board.kind()),
        other => println!("{other:?}"),
    }
    Ok(())
}
