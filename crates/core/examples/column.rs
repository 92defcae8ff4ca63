//! Strings anywhere in a text, here in the second column of a table, converted without a copy of any of them:
//! `cargo run -p gridmill-core --example column`.

use std::error::Error;

use gridmill_core::convert::{Conversion, Converter};
use gridmill_core::formats::{Evidence, Records};
use gridmill_core::kernels;

fn main() -> Result<(), Box<dyn Error>> {
    let puzzles = [
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
        "not a puzzle",
        "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    ];
    let table: String = (1..).zip(puzzles).map(|(id, puzzle)| format!("{id};{puzzle};hard\n")).collect();

    let (mut starts, mut ends, mut line_start) = (Vec::new(), Vec::new(), 0);
    for line in table.lines() {
        let start = line.find(';').map_or(0, |semicolon| semicolon + 1);
        let end = line.rfind(';').unwrap_or(line.len());
        starts.push(u32::try_from(line_start + start)?);
        ends.push(u32::try_from(line_start + end)?);
        line_start += line.len() + 1;
    }

    let mut converter = Converter::new(Conversion::default(), kernels::best());
    let records = Records { bytes: table.as_bytes(), starts: &starts, ends: &ends };
    let converted = converter.convert(records, &Evidence::default());
    for row in 0..starts.len() {
        match converted.refusal(row) {
            None => println!("{}", String::from_utf8_lossy(converted.string(row))),
            Some(reject) => println!("row {}: {reject}", row + 1),
        }
    }
    Ok(())
}
