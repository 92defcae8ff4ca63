//! The shared vectors, good and bad, through the library.

use gridmill_core::board::{Batch, Cell, Kind, Shape, Side, components};
use gridmill_core::error::{Code, Reject};
use gridmill_core::formats::{Format, FormatLayouts, Hints, Layout};
use serde_json::{Value, json};

use crate::formats::{decode, encode_as};
use crate::shared::vectors;

/// The program's name of one of the oracle's formats, with the Str8ts layouts to read and write; `None` if it is not a
/// format.
fn id(oracle: &str) -> Option<(Format, Hints, Layout)> {
    let hints = Hints {
        layouts: FormatLayouts::default().with(Format::V2, Layout::Spec).with(Format::V1, Layout::Site),
        ..Hints::default()
    };
    let snippet = Hints { layouts: hints.layouts.with(Format::V1, Layout::Snippet), ..hints };
    Some(match oracle {
        "plain81" | "killer-plain" | "str8ts-plain" => (Format::Plain, hints, Layout::Spec),
        "wiki-v1" | "killer-v1" | "str8ts-v1" => (Format::V1, hints, Layout::Site),
        "str8ts-v1-snippet" => (Format::V1, snippet, Layout::Snippet),
        "sasha32" => (Format::Offset32, hints, Layout::Spec),
        "v2" => (Format::V2, hints, Layout::Spec),
        "wolfram" => (Format::Wolfram, hints, Layout::Spec),
        _ => {
            return None;
        }
    })
}

/// A board in the oracle's notation.
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
        let (clues, operators) = cages(batch);
        out["cage_clue"] = json!(clues);
        if shape.kind.has_operators() {
            out["op"] = json!(operators);
        }
    }
    if let Some(groups) = batch.groups(0) {
        let from_one = |groups: &[[u8; 9]]| json!(groups.iter().map(|group| group.map(|i| i + 1)).collect::<Vec<_>>());
        for (field, groups) in [("outlined", &groups.outlined), ("coloured", &groups.coloured)] {
            if !groups.is_empty() {
                out[field] = from_one(groups);
            }
        }
    }
    out
}

/// For each cell the clue and the operator of the cage that begins there.
fn cages(batch: &Batch) -> (Vec<u16>, Vec<&'static str>) {
    let shape = batch.shape();
    let (n, cells) = (shape.side.get(), shape.side.cells());
    let (colours, contents) = (&batch.colours()[..cells], &batch.contents()[..cells]);
    let labels = components(colours, n);
    let (mut clues, mut operators) = (vec![0; cells], vec![""; cells]);
    for first in (0..cells).filter(|&i| labels[i] as usize == i) {
        clues[first] = contents[first];
        let within = |i: usize| i < cells && labels[i] as usize == first;
        let right = Some(first + 1).filter(|&i| i % n != 0 && within(i));
        if let Some(at) = right.or(Some(first + n).filter(|&i| within(i))) {
            operators[first] =
                ["", "+", "-", "x", "/"][if shape.kind.has_operators() { contents[at] } else { 0 } as usize];
        }
    }
    (clues, operators)
}

fn same_board(batch: &Batch, want: &str) {
    assert_eq!(board(batch), serde_json::from_str::<Value>(want).unwrap());
}

#[test]
fn good_vectors_decode_to_the_same_board_and_encode_to_the_canonical_form() {
    let mut seen = 0;
    for file in [
        "plain81.tsv",
        "killer-plain.tsv",
        "str8ts-plain.tsv",
        "wiki-v1.tsv",
        "killer-v1.tsv",
        "str8ts-v1.tsv",
        "str8ts-v1-snippet.tsv",
        "sasha32.tsv",
        "v2.tsv",
        "wolfram.tsv",
    ] {
        for row in vectors(file).unwrap_or_default() {
            let (id, hints, layout) = id(&row[0]).unwrap();
            let (_, batch) =
                decode(id, &hints, row[1].as_bytes()).unwrap_or_else(|reject| panic!("{}: {reject}", row[1]));
            same_board(&batch, &row[2]);
            let canonical = row.get(4).filter(|text| !text.is_empty()).unwrap_or(&row[1]);
            assert_eq!(&encode_as(id, &batch, layout).unwrap(), canonical);
            seen += 1;
        }
    }
    assert!(seen > 700 || vectors("v2.tsv").is_none(), "{seen}");
}

/// The cell of a refusal, from 0 as in the oracle, or `-`.
fn cell_number(reject: &Reject, from: Format, text: &str) -> String {
    let form = from.codec().recognise(text.as_bytes(), &Hints::default());
    let side = form.map_or(9, |form| form.shape.side.get());
    reject.cell.map_or("-".to_string(), |at| ((at.row as usize - 1) * side + at.column as usize - 1).to_string())
}

/// The code for the oracle's reason of a refusal.
fn code(reason: &str) -> Code {
    let words: &[(&str, Code)] = &[
        (" characters, expected ", Code::Length),
        (" characters before the comma", Code::Length),
        (" characters after the comma", Code::Length),
        (" commas, expected 1", Code::Length),
        (" characters after the header", Code::Length),
        ("too short for a header", Code::Length),
        ("the clues are missing", Code::Length),
        (" substrings, expected ", Code::Length),
        (" candidate lists for ", Code::Length),
        (" is not a multiple of 9", Code::Length),
        (" is not a base ", Code::Digit),
        (" is neither a digit nor a blank", Code::Digit),
        (" is not a digit", Code::Digit),
        ("two separators in a row", Code::Digit),
        (" starts with 0", Code::Digit),
        ("'x' is not a c", Code::Digit),
        (" is not a cage colour", Code::Range),
        (" is not a cell colour", Code::Range),
        (" is more than ", Code::Range),
        (" is not used", Code::Range),
        (" is not in 1..81", Code::Range),
        (" are not ascending digits ", Code::Range),
        (" has more than 81 digits", Code::Range),
        (" flag", Code::Flag),
        ("low bit is set", Code::Flag),
        ("black cell with ", Code::Flag),
        ("unknown puzzle type ", Code::Header),
        (" is not available for type ", Code::Header),
        (" is not known for type ", Code::Header),
        ("cage without a clue", Code::Cage),
        (" not the first of its cage", Code::Cage),
        ("operator", Code::Cage),
        (" is not the single 9x9 grid", Code::Unsupported),
        (" do not tile it", Code::Region),
        (" twice in one group", Code::Region),
    ];
    // The reason has the form "how the string was changed: what is wrong with it".
    let why = reason.split_once(": ").map_or(reason, |(_, why)| why);
    words.iter().find(|(part, _)| why.contains(part)).unwrap_or_else(|| panic!("no code for '{reason}'")).1
}

#[test]
fn bad_vectors_are_refused_with_the_same_code_and_cell() {
    let mut seen = 0;
    for row in vectors("bad.tsv").unwrap_or_default() {
        let Some((id, hints, _)) = id(&row[0]) else {
            // Links are a framing, not a format.
            assert_eq!(row[0], "url");
            continue;
        };
        let length = row[1].chars().count();
        // The oracle names one form of these; the program chooses by the length.
        let of_several = matches!(id, Format::Plain | Format::V1);
        if of_several && length != right_length(&row[0]) && [81, 162, 243, 244, 325].contains(&length) {
            assert_eq!(code(&row[3]), Code::Length, "{row:?}");
            continue;
        }
        let Err(reject) = decode(id, &hints, row[1].as_bytes()) else { panic!("accepted: {row:?}") };
        let cell = cell_number(&reject, id, &row[1]);
        assert_eq!((reject.code, cell), (code(&row[3]), row[2].clone()), "{} {} {reject}", row[0], row[3]);
        seen += 1;
    }
    assert!(seen > 130 || vectors("bad.tsv").is_none(), "{seen}");
}

/// The length of a string in one of the oracle's formats; 0 if it varies.
fn right_length(oracle: &str) -> usize {
    match oracle {
        "plain81" => 81,
        "wiki-v1" | "sasha32" | "str8ts-plain" => 162,
        "str8ts-v1" | "str8ts-v1-snippet" => 243,
        "killer-plain" => 244,
        "killer-v1" => 325,
        _ => 0,
    }
}

#[test]
fn conversions_give_the_same_string_or_the_same_refusal() {
    let mut seen = 0;
    for row in vectors("convert.tsv").unwrap_or_default() {
        let (Some((from, hints, _)), Some((to, _, layout))) = (id(&row[0]), id(&row[1])) else { continue };
        let batch = decode(from, &hints, row[2].as_bytes()).map(|(_, batch)| batch);
        let shape = batch.as_ref().map(Batch::shape);
        if shape.is_ok_and(|shape| !form_names(to, shape).contains(&row[1].as_str())) {
            // The oracle names one form; the program chooses by the kind.
            assert!(row[3].starts_with("!error unsupported") || row[3].starts_with("!error lossy"), "{row:?}");
            continue;
        }
        match batch.and_then(|batch| encode_as(to, &batch, layout)) {
            Ok(text) => assert_eq!(text, row[3], "{row:?}"),
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
        seen += 1;
    }
    assert!(seen > 110 || vectors("v2.tsv").is_none(), "{seen}");
}

/// The oracle's names for the form in which the program writes boards of a kind.
fn form_names(to: Format, Shape { kind, side }: Shape) -> &'static [&'static str] {
    let killer = matches!(kind, Kind::Killer | Kind::KillerJigsaw);
    match to {
        Format::Plain if killer => &["killer-plain"],
        Format::Plain if kind.has_black() => &["str8ts-plain"],
        Format::Plain if side == Side::NINE => &["plain81"],
        Format::V1 if killer => &["killer-v1"],
        Format::V1 if kind.has_black() => &["str8ts-v1", "str8ts-v1-snippet"],
        Format::V1 => &["wiki-v1"],
        Format::Offset32 => &["sasha32"],
        Format::V0 => &["v0"],
        Format::V2 => &["v2"],
        Format::Wolfram => &["wolfram"],
        _ => &[],
    }
}
