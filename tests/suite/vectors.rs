//! The shared vectors, good and bad, through the library. Extra: they need the shared folder beside the project (or
//! `$GRIDMILL_SHARED`), and fail without it where `CI` is set.

use std::path::PathBuf;

use gridmill::board::{Batch, Cell, Kind};
use gridmill::error::{Code, Reject};
use gridmill::formats::{Hints, Id};
use serde_json::{Value, json};

use crate::formats::{decode, encode};

/// The vectors of one file, or `None` on a machine without the shared folder.
fn rows(file: &str) -> Option<Vec<Vec<String>>> {
    let shared = std::env::var_os("GRIDMILL_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
    let path = shared.join("oracle/vectors").join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            let rows: Vec<Vec<String>> =
                text.lines().skip(1).map(|line| line.split('\t').map(str::to_string).collect()).collect();
            assert!(!rows.is_empty());
            Some(rows)
        }
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{}: {error}", path.display());
            eprintln!("skipped: no shared vectors at {}", path.display());
            None
        }
    }
}

/// The program's name of an oracle format, and whether this version has it.
fn id(oracle: &str) -> Option<Id> {
    match oracle {
        "plain81" => Some(Id::Plain),
        "wiki-v1" => Some(Id::V1),
        "sasha32" => Some(Id::Offset32),
        "v2" => Some(Id::V2),
        _ => None,
    }
}

/// A board as the oracle writes it.
fn board(batch: &Batch) -> Value {
    let shape = batch.shape();
    let cells: Vec<Cell> = (0..shape.side.cells()).map(|i| batch.cell(0, i)).collect();
    let each = |f: &dyn Fn(Cell) -> u32| cells.iter().map(|&cell| f(cell)).collect::<Vec<_>>();
    let mut out = json!({
        "kind": shape.kind.name(),
        "size": shape.side.get(),
        "clue": each(&|cell| if let Cell::Clue(d) | Cell::BlackClue(d) = cell { d.into() } else { 0 }),
        "solved": each(&|cell| if let Cell::Solved(d) = cell { d.into() } else { 0 }),
        "cands": each(&|cell| if let Cell::Candidates(mask) = cell { mask } else { 0 }),
    });
    if shape.kind.has_black() {
        out["black"] = json!(each(&|cell| cell.is_black().into()));
    }
    if shape.kind.has_regions() {
        out["region"] = json!(batch.regions()[..shape.side.cells()]);
    }
    if shape.kind.has_cages() {
        out["colour"] = json!(batch.colours()[..shape.side.cells()]);
    }
    out
}

/// Checks a decoded board against the oracle's. Cage clues and operators are compared through the encoded string.
fn same_board(batch: &Batch, want: &str) {
    let mut want: Value = serde_json::from_str(want).unwrap();
    for field in ["cage_clue", "op", "outlined", "coloured"] {
        want.as_object_mut().unwrap().remove(field);
    }
    assert_eq!(board(batch), want);
}

/// Str8ts strings wait for their layouts.
fn waits(text: &str) -> bool {
    text.starts_with(['T', 'U', 'B', 'V', 't', 'u', 'b', 'v'])
}

#[test]
fn good_vectors_decode_to_the_same_board_and_encode_to_the_canonical_form() {
    let mut seen = 0;
    for file in ["plain81.tsv", "wiki-v1.tsv", "sasha32.tsv", "v2.tsv"] {
        for row in rows(file).unwrap_or_default() {
            let Some(id) = id(&row[0]) else { continue };
            if id == Id::V2 && waits(&row[1]) {
                continue;
            }
            let (_, batch) = decode(id, &Hints::default(), row[1].as_bytes())
                .unwrap_or_else(|reject| panic!("{}: {reject}", row[1]));
            same_board(&batch, &row[2]);
            let canonical = row.get(4).filter(|text| !text.is_empty()).unwrap_or(&row[1]);
            assert_eq!(&encode(id, &batch).unwrap(), canonical);
            seen += 1;
        }
    }
    assert!(seen > 400 || std::env::var_os("CI").is_none(), "{seen}");
}

/// The cell of a refusal as the oracle counts, from 0, or `-`.
fn cell_number(reject: &Reject, from: Id, text: &str) -> String {
    let form = from.format().recognise(text.as_bytes(), &Hints::default());
    let side = form.map_or(9, |form| form.shape.side.get());
    reject.cell.map_or("-".to_string(), |at| ((at.row as usize - 1) * side + at.column as usize - 1).to_string())
}

#[test]
fn bad_vectors_are_refused_with_the_same_cell() {
    for row in rows("bad.tsv").unwrap_or_default() {
        let Some(id) = id(&row[0]) else { continue };
        let Err(reject) = decode(id, &Hints::default(), row[1].as_bytes()) else { panic!("accepted: {row:?}") };
        if id == Id::V2 && waits(&row[1]) && reject.code == Code::Unsupported {
            continue;
        }
        assert_eq!(cell_number(&reject, id, &row[1]), row[2], "{} {} {reject}", row[0], row[3]);
    }
}

#[test]
fn conversions_give_the_same_string_or_the_same_refusal() {
    for row in rows("convert.tsv").unwrap_or_default() {
        let (Some(from), Some(to)) = (id(&row[0]), id(&row[1])) else { continue };
        let answer = decode(from, &Hints::default(), row[2].as_bytes()).and_then(|(_, batch)| {
            // The oracle names one form; the program takes the one that the kind asks for.
            if row[1] != form_name(to, batch.shape().kind) {
                Err(Reject::whole(Code::Ambiguous, "another form"))
            } else {
                encode(to, &batch)
            }
        });
        match answer {
            Ok(text) => assert_eq!(text, row[3]),
            Err(reject) if reject.code == Code::Ambiguous || reject.message.contains("not supported yet") => {}
            Err(reject) => {
                let mut fields = row[3].split(' ');
                assert_eq!(fields.next(), Some("!error"), "{row:?}: {reject}");
                let class = match reject.code {
                    Code::Lossy | Code::Unsupported => reject.code.name(),
                    _ => "format",
                };
                assert_eq!(fields.next(), Some(class), "{row:?}: {reject}");
                assert_eq!(fields.next(), Some(cell_number(&reject, from, &row[2]).as_str()), "{row:?}: {reject}");
            }
        }
    }
}

/// The oracle's name of the form that the program writes boards of a kind in.
fn form_name(to: Id, kind: Kind) -> &'static str {
    let killer = matches!(kind, Kind::Killer | Kind::KillerJigsaw);
    match to {
        Id::Plain if killer => "killer-plain",
        Id::Plain if kind.has_black() => "str8ts-plain",
        Id::Plain => "plain81",
        Id::V1 if killer => "killer-v1",
        Id::V1 if kind.has_black() => "str8ts-v1",
        Id::V1 => "wiki-v1",
        Id::Offset32 => "sasha32",
        Id::V0 => "v0",
        Id::V2 => "v2",
    }
}
