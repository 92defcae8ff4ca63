//! Strings of any format to version 2, one a line: `cargo run -p gridmill-core --example convert < old.txt`.

use std::io::{self, BufRead};

fn main() -> io::Result<()> {
    let lines: Vec<String> = io::stdin().lock().lines().collect::<Result<_, _>>()?;
    let strings = lines.iter().map(String::as_str);
    for (number, converted) in (1..).zip(gridmill_core::convert_all(strings)) {
        match converted {
            Ok(v2) => println!("{v2}"),
            Err(reject) => eprintln!("line {number}: {reject}"),
        }
    }
    Ok(())
}
