//! Texts of every framing, and everyday data, read in every framing: only boards of the text may come out. `cargo test
//! --test suite -- every_framing --nocapture` prints the table.

use std::collections::BTreeSet;

use gridmill::formats::Format;

use super::everyday::EVERYDAY;
use crate::random::Rng;
use crate::support::{boards, convert, gridmill, recode, run};

/// The framings with their flags, each with a name.
const FRAMINGS: &[(&str, &[&str])] = &[
    ("lines", &[]),
    ("csv, column 1", &["--framing", "csv", "--column", "1", "--no-header"]),
    ("csv, column 2", &["--framing", "csv", "--column", "2", "--no-header"]),
    ("csv, by name", &["--framing", "csv", "--column", "board"]),
    ("tsv, column 2", &["--framing", "tsv", "--column", "2", "--no-header"]),
    ("tsv, by name", &["--framing", "tsv", "--column", "board"]),
    ("jsonl", &["--framing", "jsonl", "--field", "/board"]),
    ("jsonl, whole line", &["--framing", "jsonl", "--field", ""]),
    ("links", &["--framing", "links"]),
    ("grid", &["--framing", "grid"]),
];

/// Texts with these boards, each with its framing.
fn texts(boards: &[String], is_plain: bool) -> Vec<(&'static str, String)> {
    let numbered = || boards.iter().enumerate();
    let joined = |between: &str, header: &str| {
        header.to_string() + &numbered().map(|(i, board)| format!("{i}{between}{board}\n")).collect::<String>()
    };
    let spaced = |board: &String| {
        let rows = recode(board, Format::Plain).as_bytes().chunks(9).map(<[u8]>::to_vec).collect::<Vec<_>>();
        let row =
            |row: Vec<u8>| row.iter().map(|&digit| char::from(digit).to_string()).collect::<Vec<_>>().join(" ") + "\n";
        rows.into_iter().map(row).collect::<String>()
    };
    let shown = |flag: &str| {
        let text = boards.iter().map(|board| format!("{board}\n")).collect::<String>();
        String::from_utf8(run(&mut gridmill(["show", flag]), text.as_bytes()).good()).expect("text")
    };
    let mut texts: Vec<(&str, String)> = vec![
        ("lines", boards.iter().map(|board| format!("{board}\n")).collect()),
        ("csv", joined(",", "id,board\n")),
        ("csv, quoted", numbered().map(|(i, board)| format!("{i},\"{board}\",\"5\"\"x\"\n")).collect()),
        ("tsv", joined("\t", "id\tboard\n")),
        ("jsonl", numbered().map(|(i, board)| format!("{{\"id\":{i},\"board\":\"{board}\"}}\n")).collect()),
        ("jsonl, list", numbered().map(|(i, board)| format!("{{\"id\":{i},\"board\":[\"{board}\"]}}\n")).collect()),
        ("json, whole line", boards.iter().map(|board| format!("\"{board}\"\n")).collect()),
        (
            "links",
            boards
                .iter()
                .map(|board| format!("<a href=\"https://www.sudokuwiki.org/sudoku.htm?bd={board}\">x</a>\n"))
                .collect(),
        ),
    ];
    // Candidates and solved cells in grids are tested elsewhere.
    if is_plain {
        texts.extend([
            ("grid, with titles", numbered().map(|(i, board)| format!("Grid {i:02}\n{}\n", spaced(board))).collect()),
            ("grid, close together", boards.iter().map(spaced).collect()),
            ("grid, as shown", shown("--ascii")),
            ("grid, as shown with lines", shown("--color=never")),
        ]);
    }
    texts
}

/// The strings of version 2 in a text.
fn strings(text: &str) -> BTreeSet<&str> {
    let tokens = text.split(|c: char| !c.is_ascii_alphanumeric());
    tokens.filter(|token| token.len() >= 165 && token.get(1..3) == Some("9B")).collect()
}

#[test]
fn in_every_framing_the_boards_that_come_out_are_those_that_were_put_in() {
    println!("{:<28} {:<20} {:<8} {:>6} {:>6}", "text", "read as", "boards", "right", "wrong");
    let (mut wrong, mut right) = (Vec::new(), 0);
    for format in ["plain", "v1", "v2"] {
        let text = String::from_utf8(boards(format, 12, 17)).expect("text");
        let boards: Vec<String> = text.lines().map(str::to_string).collect();
        let expected = convert([""; 0], text.as_bytes()).good();
        let expected = String::from_utf8(expected).expect("text");
        let expected = strings(&expected);
        for (name, text) in texts(&boards, format == "plain") {
            for &(framing, flags) in FRAMINGS {
                let done = convert(flags, text.as_bytes());
                let out = String::from_utf8_lossy(&done.stdout);
                let (good, bad): (Vec<_>, Vec<_>) =
                    strings(&out).into_iter().partition(|string| expected.contains(string));
                println!("{name:<28} {framing:<20} {format:<8} {:>6} {:>6}", good.len(), bad.len());
                right += good.len();
                wrong.extend(bad.into_iter().map(|bad| format!("{name} as {framing}: {bad}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right > 500, "{right}");
}

#[test]
fn everyday_data_is_no_board_in_every_framing() {
    let mut rng = Rng(73);
    for &(name, make) in EVERYDAY {
        let text: String = (0..300).map(|_| make(&mut rng) + "\n").collect();
        for &(framing, flags) in FRAMINGS {
            // 81 digits in brackets are a grid.
            if (name, framing) == ("JSON array of digits", "grid") {
                continue;
            }
            let done = convert(flags, text.as_bytes());
            let out = String::from_utf8_lossy(&done.stdout);
            assert_eq!(strings(&out), BTreeSet::new(), "{name} as {framing}");
        }
    }
}
