//! Strings of other programs, compared with the rows of the shared folder.

use std::collections::{BTreeMap, BTreeSet};

use crate::shared::shared;
use gridmill_core::board::{Batch, Cell, components};
use gridmill_core::error::{Code, Reject};
use gridmill_core::formats::{Evidence, Format, Hints, read_one, write_one};

/// A row: the format, its name, the string, and the board in version 2, or what is wrong with it.
struct Row {
    format: String,
    name: String,
    text: String,
    expected: String,
}

fn unescaped(field: &str) -> String {
    let mut out = String::new();
    let mut signs = field.chars();
    while let Some(sign) = signs.next() {
        out.push(match sign {
            '\\' => match signs.next().expect("an escape") {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                other => other,
            },
            other => other,
        });
    }
    out
}

fn rows() -> Option<Vec<Row>> {
    let text = String::from_utf8(shared("field/vectors.tsv")?).expect("text");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [format, name, text, expected, ..] = fields[..] else { panic!("{line}") };
        Row { format: format.into(), name: name.into(), text: unescaped(text), expected: expected.into() }
    };
    Some(text.lines().skip(1).map(row).collect())
}

/// What two readings of a board have in common: all but the colours of cages and the numbers of regions.
fn essence(batch: &Batch) -> impl PartialEq + std::fmt::Debug {
    let shape = batch.shape();
    let n = shape.side.cells();
    let cells: Vec<Cell> = (0..n).map(|cell| batch.cell(0, cell)).collect();
    let mut numbers = BTreeMap::new();
    let regions: Vec<usize> = match shape.kind.has_regions() {
        true => batch.regions()[..n]
            .iter()
            .map(|number| {
                let next = numbers.len();
                *numbers.entry(*number).or_insert(next)
            })
            .collect(),
        false => Vec::new(),
    };
    let cages = shape
        .kind
        .has_cages()
        .then(|| (components(&batch.colours()[..n], shape.side.get())[..n].to_vec(), batch.contents()[..n].to_vec()));
    (shape, cells, regions, cages)
}

fn read(text: &str, from: Option<Format>) -> Result<Batch, Reject> {
    read_one(text.as_bytes(), from, &Hints::default(), &Evidence::default()).map(|one| one.batch)
}

/// Whether a format writes what the program itself wrote, apart from parameters that say nothing about the puzzle.
fn writes_the_same(format: Format, text: &str, written: &str) -> bool {
    let description = |text: &str| text.split_once(':').map(|(_, description)| description.to_string());
    match format {
        Format::SgtSolo | Format::SgtKeen if !text.contains("//") && !text.starts_with("3x2") => {
            description(text) == description(written)
        }
        // Some links lack their last empty cells.
        Format::Puzzlink => written.starts_with(text),
        _ => true,
    }
}

/// Names that the other readers do not say, though the strings have what they are for.
const FURTHER: [&str; 2] = ["fpColumnIndexer", "unknown: fromConstraint"];

/// Whether a refusal says the same names as the row, which are separated by semicolons. Some refusals are a sentence, which has the name.
fn says(reject: &Reject, names: &str) -> bool {
    let said: BTreeSet<&str> = reject.names.iter().map(String::as_str).filter(|name| !FURTHER.contains(name)).collect();
    let wanted = names.split("; ");
    match said.is_empty() {
        true => wanted.map(|name| name.split(':').next().unwrap_or(name)).all(|name| reject.message.contains(name)),
        false => said == wanted.collect(),
    }
}

#[test]
fn strings_of_other_programs_are_what_they_are() {
    let Some(rows) = rows() else { return };
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut others = Vec::new();
    for Row { format, name, text, expected } in &rows {
        let Ok(id) = format.parse::<Format>() else { continue };
        // In the attribute of a file, a line end is a space.
        let text = &if id == Format::OpensudokuCells { text.replace('\n', " ") } else { text.clone() };
        let [read_well, refused, written] = counts.entry(format.clone()).or_default();
        let named = read(text, Some(id));
        let detected = read(text, None);
        if let Some(what) = expected.strip_prefix('!') {
            let reject = named.expect_err(name);
            assert!(
                what.starts_with("bad") || [Code::Unsupported, Code::Remote].contains(&reject.code),
                "{format} {name}: {reject}"
            );
            if let Some(names) = what.strip_prefix("refused ").filter(|names| !says(&reject, names)) {
                others.push(format!("{format} {name}: {names}, here {reject}"));
            }
            *refused += 1;
            continue;
        }
        let board = named.unwrap_or_else(|reject| panic!("{format} {name}: {reject}"));
        let wanted = read(expected, Some(Format::V2)).expect("a board of version 2");
        assert_eq!(essence(&board), essence(&wanted), "{format} {name}");
        if let Ok(board) = detected {
            assert_eq!(essence(&board), essence(&wanted), "{format} {name}: detected");
        }
        *read_well += 1;
        if let Ok(again) = write_one(&board, 0, id) {
            assert_eq!(
                essence(&read(&again, Some(id)).expect("what was written")),
                essence(&wanted),
                "{format} {name}"
            );
            assert!(writes_the_same(id, text, &again), "{format} {name}: {again}");
            *written += 1;
        }
    }
    assert!(others.is_empty(), "other names:\n{}", others.join("\n"));
    for (format, counts) in &counts {
        println!("{format}: {counts:?} read, refused, written");
    }
    assert!(counts["sgt-solo"][2] > 20 && counts["sgt-keen"][2] > 10 && counts["puzzlink"][2] > 10, "{counts:?}");
}
