//! Examples of grids that are read and of grids that are rejected. `tests/suite/grids.rs` tests random layouts.

use super::*;

const PLAIN: &str = "100000569492056108056109240009640801064010000218035604040500016905061402621000005";

fn plain(cells: &GridCells) -> String {
    let character = |cell: &Cell| match cell {
        Cell::Empty => '0',
        Cell::Clue(digit) => char::from(b'0' + digit),
        Cell::Solved(_) => 's',
        _ => 'c',
    };
    cells.iter().map(character).collect()
}

fn blocks(text: &str) -> Vec<GridBlock> {
    GridBlocks::new(text.as_bytes()).collect()
}

/// The boards of a text that has no rejected block.
#[track_caller]
fn boards(text: &str) -> Vec<String> {
    let board = |block: GridBlock| plain(&block.cells.unwrap_or_else(|reject| panic!("{reject}\n{text}")));
    blocks(text).into_iter().map(board).collect()
}

/// The rejection of the only block of a text.
#[track_caller]
fn refusal(text: &str) -> Reject {
    let blocks = blocks(text);
    assert_eq!(blocks.len(), 1, "{text}\n{blocks:?}");
    blocks[0].cells.clone().expect_err(text)
}

/// The rows, each written by `cut`.
fn rows(cut: impl Fn(usize, &str) -> String) -> String {
    (0..9).map(|row| cut(row, &PLAIN[9 * row..9 * row + 9])).collect()
}

fn thirds(row: &str, between: &str) -> String {
    format!("{}{between}{}{between}{}", &row[..3], &row[3..6], &row[6..])
}

fn spaced(row: &str) -> String {
    row.chars().map(|c| format!("{c} ")).collect::<String>().trim_end().to_string()
}

#[test]
fn grids_with_borders_of_every_kind() {
    let shapes = [
        rows(|_, row| format!("{row}\n")),
        rows(|_, row| format!("{}\r\n", row.replace('0', "."))),
        format!(
            "*-----------*\n{}*-----------*\n",
            rows(|n, row| {
                let rule = if n % 3 == 2 && n < 8 { "|---+---+---|\n" } else { "" };
                format!("|{}|\n{rule}", thirds(&row.replace('0', "."), "|"))
            })
        ),
        format!(
            "+-------+-------+-------+\n{}",
            rows(|n, row| {
                let rule = if n % 3 == 2 { "+-------+-------+-------+\n" } else { "" };
                format!(
                    "| {} | {} | {} |\n{rule}",
                    spaced(&row[..3].replace('0', ".")),
                    spaced(&row[3..6].replace('0', ".")),
                    spaced(&row[6..].replace('0', "."))
                )
            })
        ),
        rows(|_, row| format!("  {}\n", thirds(&row.replace('0', "_"), " "))),
        rows(|n, row| {
            format!("{}{}\n", thirds(&row.replace('0', "*"), "|"), if n % 3 == 2 { "\n---+---+---" } else { "" })
        }),
        PLAIN.replace('0', ".") + "\n",
        format!(":0000:x:{PLAIN}::::\n"),
    ];
    for shape in shapes {
        let text = format!("#A me\n[Puzzle]\n\n{shape}\n# end\n");
        let mut grids = GridBlocks::new(text.as_bytes());
        let found: Vec<GridBlock> = grids.by_ref().collect();
        assert_eq!(found.len(), 1, "{text}\n{found:?}");
        assert_eq!(found[0].cells.as_ref().map(plain).as_deref(), Ok(PLAIN), "{text}");
        assert_eq!((found[0].start, found[0].line, grids.lines_of_text()), (16, 3, 3), "{text}");
        // Several grids, with and without something between them.
        for between in ["", "\n", "\n\n\n", "# x\n", "Grid 02\n", "12.\n", "2024-05-17 12:30\n", "```\n"] {
            assert_eq!(boards(&[shape.as_str(), &shape, &shape].join(between)), [PLAIN; 3], "{between}");
        }
    }
}

#[test]
fn names_labels_and_titles() {
    let grid = |label: &dyn Fn(usize) -> String| rows(|n, row| format!("{}{}\n", label(n), spaced(row)));
    let letters = |n: usize| format!("{} ", char::from(b'A' + n as u8));
    for (header, text) in [
        ("", grid(&letters)),
        ("  A B C D E F G H I\n", grid(&|n| format!("{} ", n + 1))),
        ("  1 2 3 4 5 6 7 8 9\n", grid(&letters)),
        ("  1 2 3 4 5 6 7 8 9\n", grid(&|_| String::new())),
        ("ABCDEFGHI\n", grid(&|n| format!("{}) ", n + 1))),
        ("    c1 c2 c3   c4 c5 c6   c7 c8 c9\n\n", grid(&|n| format!("r{}: ", n + 1))),
        ("0 1 2 3 4 5 6 7 8\n-----------------\n", grid(&|n| format!("{n} | "))),
        ("1 2 3 4 5 6 7 8 9\n", grid(&|n| format!("Row {}: ", n + 1))),
        ("", grid(&|n| format!("{} ", "ABCDEFGHJ".as_bytes()[n] as char))),
        ("", rows(|n, row| format!("{}   {}\n", spaced(row), n + 1))),
        ("", rows(|n, row| format!("{0} {1} {0}\n", n + 1, row))),
        ("123 456 789\n", rows(|_, row| thirds(row, " ") + "\n")),
    ] {
        for title in ["", "Puzzle 7 (easy)\n", "Grid 01\n", "1. First\n", "#3\n", "7\n", "(12)\n", "2024-05-17\n"] {
            assert_eq!(boards(&format!("{title}{header}{text}")), [PLAIN], "{title}{header}{text}");
            assert_eq!(boards(&format!("{title}\n{header}{text}")), [PLAIN], "{title}{header}{text}");
        }
    }
}

#[test]
fn fences_quotes_and_lists() {
    let list = rows(|_, row| format!("    [{}],\n", spaced(row).replace(' ', ", ")));
    let one = |open: &str, close: &str, between: &str| {
        let row = |n: usize| spaced(&PLAIN[9 * n..9 * n + 9]).replace(' ', between);
        (0..9).map(|n| format!("{open}{}{close}", row(n))).collect::<Vec<_>>().join(",")
    };
    for text in [
        format!("```\n{}```\n", rows(|_, row| format!("{row}\n"))),
        format!("~~~text\n{}~~~\n", rows(|_, row| format!("{row}\n"))),
        format!("[code]{}[/code]\n", rows(|_, row| format!("{row}\n"))),
        format!("<PRE>\n{}</pre>\n", rows(|_, row| format!("{row}<br>\n"))),
        rows(|_, row| format!("> > {}\n", spaced(row))),
        rows(|_, row| format!("`{row}`\n")),
        format!("board = [\n{list}]\n"),
        format!("board = [{}]\n", list.trim()),
        format!("{{\n  \"puzzle\": [\n{list}  ]\n}}\n"),
        format!("int grid[9][9] = {{{}\n}};\n", list.replace('[', "{").replace(']', "}")),
        rows(|_, row| format!("\"{row}\",\n")),
        format!("({})\n", rows(|_, row| format!("\"{row}\"\n")).trim()),
        rows(|_, row| format!("- {row}\n")),
        format!("array([{}])\n", list.trim().trim_end_matches(',')),
        format!("[{}\n]\n", list.replace("    [", ", [").replace("],", "]").trim_start_matches(',')),
        list.replace("],", "], # a row"),
        format!("[ {}]\n", rows(|_, row| format!("\"{row}\"\n, ")).trim_end_matches([',', ' '])),
        format!("s = {};\n", rows(|_, row| format!("\"{row}\" +\n")).trim_end_matches([' ', '+', '\n'])),
        rows(|_, row| format!("// {}\n", spaced(row))),
        rows(|_, row| format!("{} \\\\ \\hline\n", spaced(row).replace(' ', " & ").replace('0', " "))),
        rows(|_, row| format!("|{}|.\n", spaced(row).replace(' ', "|").replace('0', " "))),
        format!(
            " ___ ___ ___ ___ ___ ___ ___ ___ ___\n{}",
            rows(|_, row| format!("|_{}_|\n", spaced(row).replace(' ', "_|_").replace('0', "_")))
        ),
        rows(|_, row| format!("  - \"{}\"\n", row.replace('0', "-"))),
        rows(|_, row| {
            row.replace('0', "⬜")
                .chars()
                .map(|c| if c == '⬜' { "⬜".into() } else { format!("{c}\u{fe0f}\u{20e3}") })
                .collect::<String>()
                + "\n"
        }),
        format!(
            "| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |\n|---|---|---|---|---|---|---|---|---|\n{}",
            rows(|_, row| format!("| {} |\n", spaced(row).replace(' ', " | ").replace('0', " ")))
        ),
        format!("[{}]\n", rows(|_, row| format!("'{row}',\n")).trim_end_matches([',', '\n'])),
        rows(|_, row| format!("'{}'\n", spaced(row))),
        rows(|_, row| format!("{}\n", spaced(row).replace('0', "null").replace(' ', ","))),
        rows(|_, row| format!("{}\n", spaced(row).replace(' ', ",").replace('0', ""))),
        rows(|_, row| format!("{}\n", spaced(row).replace(' ', ";").replace('0', ""))),
        rows(|_, row| format!("{}\n", spaced(row).replace(' ', "\t").replace('0', ""))),
        rows(|n, row| format!("{},{}\n", n + 1, spaced(row).replace(' ', ","))),
        format!("[{}]\n", one("[", "]", ",")),
        format!("puzzle: [{}]\n", one("[\"", "\"]", "\", \"").replace('0', ".")),
        rows(|_, row| format!("    ['{}'],\n", spaced(row).replace(' ', "', '").replace('0', ""))),
        format!("[{}]\n", one("", "", ",")),
        format!("[{}]\n", one("\"", "\"", "").replace('0', ".")),
        rows(|_, row| format!("{row} ")),
        format!("[{}]\n", rows(|_, row| format!("[{}]\n ", spaced(row))).trim()),
    ] {
        assert_eq!(boards(&text), [PLAIN], "{text}");
    }
}

/// Ended the program: the quotes of the first and the last word, which were all of it, were taken for those of the line.
#[test]
fn quotes_with_nothing_between_them() {
    for text in ["'' 1 '", "' 1 ''", "'' ''", "['', '5', '']", "''\t''", "'' | '"] {
        let mut grids = GridBlocks::new(text.as_bytes());
        assert!(grids.by_ref().all(|block| block.cells.is_err()), "{text}");
    }
}

#[test]
fn empty_cells_that_are_spaces() {
    let blank = |row: &str| row.replace('0', " ");
    let in_bars = |row: &str| thirds(&blank(row), "|");
    for text in [
        rows(|_, row| format!("|{}|\n", in_bars(row))),
        rows(|_, row| format!("{}\n", in_bars(row).trim_end())),
        rows(|n, row| format!("  {} {}|\n", n + 1, in_bars(row))),
        rows(|_, row| format!("│{}│\n", thirds(&blank(row), "│").replace("", " "))),
        rows(|_, row| format!("|{}|\n", blank(row).chars().map(|c| format!("{c:^3}")).collect::<Vec<_>>().join("|"))),
        rows(|_, row| format!("{}\n", blank(row).chars().map(String::from).collect::<Vec<_>>().join("|"))),
    ] {
        assert_eq!(boards(&text), [PLAIN], "{text}");
    }
    // Lines that may be a row or a border.
    let text = rows(|n, row| format!("|{}|\n{}", in_bars(row), if n % 3 == 2 { "|---|---|---|\n" } else { "" }));
    assert_eq!(boards(&text), [PLAIN], "{text}");
}

#[test]
fn digits_after_a_plus_are_placed() {
    let placed = "s".to_string() + &PLAIN[1..];
    let marked = |between: &str| {
        rows(|n, row| {
            let cells: Vec<String> = row.chars().map(String::from).collect();
            (if n == 0 { "+" } else { "" }).to_string() + &cells.join(between) + "\n"
        })
    };
    for text in [marked(" "), marked(","), marked(""), format!("+{PLAIN}\n"), format!(":0000:x:+{PLAIN}:::\n")] {
        assert_eq!(boards(&text), [placed.as_str()], "{text}");
    }
}

#[test]
fn blank_lines_inside_and_between() {
    let banded = rows(|n, row| format!("{}\n{}", spaced(row), if n == 2 || n == 5 { "\n" } else { "" }));
    let double = rows(|_, row| format!("{}\n\n", spaced(row)));
    assert_eq!(boards(&banded), [PLAIN]);
    assert_eq!(boards(&double), [PLAIN]);
    assert_eq!(boards(&format!("{banded}\n{banded}")), [PLAIN; 2]);
    assert_eq!(boards(&format!("{banded}\n\n{banded}\n\n\n{double}\n{double}")), [PLAIN; 4]);
    assert_eq!(boards(&format!("{double}\n{banded}\n{}", rows(|_, row| format!("{row}\n")))), [PLAIN; 3]);
    // If there are bands, but not three for each grid, it is unclear where a grid begins.
    let four = format!("{banded}\n{}", &banded[..54]);
    assert!(refusal(&four).message.contains("12 rows"));
    // Two blank lines separate grids.
    let found = blocks(&format!("{banded}\n\n{}", &banded[..54]));
    assert_eq!(found.iter().map(|block| block.cells.is_ok()).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn grids_of_candidates() {
    let cell = |at: usize| match PLAIN.as_bytes()[at] {
        b'0' => "1234567".to_string(),
        digit => char::from(digit).to_string(),
    };
    let end = |at: usize| match at % 9 {
        8 => "|\n",
        2 | 5 => "|",
        _ => "",
    };
    let grid: String = (0..81).map(|at| format!("{:<9}{}", cell(at), end(at))).collect();
    let found = blocks(&format!(".---------.----------.--------.\n{grid}'---------'---------'---------'\n"));
    assert_eq!(found.len(), 1, "{grid}");
    let cells = found[0].cells.as_ref().expect("a grid");
    // 8 and 9 are never candidates, so they are placed. Other digits are single candidates if a peer is an open cell.
    for (at, digit) in PLAIN.bytes().enumerate() {
        let open = crate::board::peers9(at).any(|other| PLAIN.as_bytes()[other] == b'0');
        let expected = match digit {
            b'0' => Cell::Candidates(0x7f),
            b'8' | b'9' => Cell::Clue(digit - b'0'),
            _ if open => Cell::Candidates(1 << (digit - b'1')),
            _ => Cell::Clue(digit - b'0'),
        };
        assert_eq!(cells[at], expected, "cell {at}");
    }
    let marked: String =
        ["u5 ", "(7)# ", "(7)# ", "(7)# ", "12* "].into_iter().chain(std::iter::repeat_n("(7)# ", 76)).collect();
    let cells = blocks(&marked)[0].cells.clone().expect("a grid");
    assert_eq!(cells[..5], [Cell::Solved(5), Cell::Clue(7), Cell::Clue(7), Cell::Clue(7), Cell::Candidates(3)]);
    let line: String = PLAIN
        .bytes()
        .map(|digit| match digit {
            b'0' => "12.4....9".to_string(),
            digit => (b'1'..=b'9').map(|other| if other == digit { char::from(digit) } else { '.' }).collect(),
        })
        .collect();
    let cells = blocks(&line)[0].cells.clone().expect("a grid");
    assert_eq!(cells[..2], [Cell::Candidates(1), Cell::Candidates(0b1_0000_1011)]);
    // Numbers that are not candidates.
    for number in ["21", "112", "102", "-4", "1a"] {
        let text = rows(|n, row| if n == 4 { format!("{number} {}\n", &spaced(row)[2..]) } else { spaced(row) + "\n" });
        assert!(refusal(&text).message.contains("line 5 has"), "{number}");
    }
}

#[test]
fn lines_of_the_library() {
    assert!(refusal(&format!(":0300:x:{}:::r1:", &PLAIN[1..])).message.contains("80 cells, not 81"));
    let given = PLAIN.replacen('4', "+4", 1);
    let cells = blocks(&format!(":0300:x:{given}:712::r1:"))[0].cells.clone().expect("a board");
    assert_eq!((cells[0], cells[9]), (Cell::Clue(1), Cell::Solved(4)));
    // Row 1, column 2 and box 1 leave 3, 7 and 8, of which 7 was deleted.
    assert_eq!(cells[1], Cell::Candidates(0b1000_0100));
    assert!(refusal(&format!(":0300:x:{}:712::r1:", PLAIN.replacen('0', "+", 1))).message.contains("'0'"));
}

/// Anything that is left over or ambiguous rejects the whole block, with the line and the reason.
#[test]
fn malformed_grids_are_rejected() {
    let grid = rows(|_, row| format!("{row}\n"));
    let wide = rows(|_, row| format!("{}\n", spaced(row)));
    let lines: Vec<&str> = wide.lines().collect();
    let without = |at: usize| [&lines[..at], &lines[at + 1..]].concat().join("\n");
    let with = |at: usize, line: &str| [&lines[..at], &[line], &lines[at..]].concat().join("\n");
    let instead = |at: usize, line: &str| [&lines[..at], &[line], &lines[at + 1..]].concat().join("\n");
    for (text, words) in [
        (without(4), "8 rows"),
        (with(4, lines[3]), "10 rows"),
        (with(9, "1 2 3"), "line 10 has 3 cells"),
        (with(9, "53"), "line 10 has 2 cells"),
        (with(3, "7"), "3 rows"),
        (instead(3, "0 0 9 6 4 0 8 0"), "line 4 has 8 cells"),
        (instead(3, "0 0 9 6 4 0 8 0 1 2"), "line 4 is not written like the others"),
        (instead(3, "0 0 9 6 4 0 8 0 1 2 3 4"), "line 4 has 12 cells"),
        (instead(3, "0 0 9 6 4 0 8 0 O"), "line 4 has"),
        (instead(3, "0 0 9 6 4 0 8 0 1 <- here"), "line 4 has text besides its cells"),
        (instead(3, "009640801"), "line 4 is not written like the others"),
        (instead(3, "a 0 0 9 6 4 0 8 0 1"), "line 4 is not written like the others"),
        (instead(3, "0 0 9 | 6 4 0 8 | 0 1"), "line 4 has something besides its 9 cells"),
        (instead(3, "x x 9 6 4 x 8 x 1"), "two signs for empty cells, '0' and 'x'"),
        (with(4, "------"), "after row 4 (line 4)"),
        (with(4, ""), "4 rows"),
        (format!("{grid}{}", &grid[..10]), "10 rows"),
        (format!("{grid}{grid}{}", &grid[..10]), "19 rows"),
        ("1 2 3\n4 5 6\n7 8 9\n".into(), "line 1 has 3 cells"),
        (PLAIN[..80].into(), "a string or a link"),
        (format!("{PLAIN}{PLAIN}"), "a string or a link"),
        (format!("{PLAIN},{PLAIN}"), "a string or a link"),
        (format!("{PLAIN} # easy"), "a string or a link"),
        ("http://www.sudokuwiki.org/sudoku.htm?bd=1".into(), "a string or a link"),
        ("3f786850e387550fdab836ed7e6dc881de23001b".into(), "a string or a link"),
        (".".repeat(729), "no candidate"),
        ("2".repeat(729), "the digit 2 is in the place of 1"),
        ("<7> ".repeat(81), "line 1 has"),
        (":1:2:3:4:5:6:".into(), "1 cells, not 81"),
    ] {
        let blocks = blocks(&text);
        let refused: Vec<_> = blocks.iter().filter_map(|block| block.cells.as_ref().err()).collect();
        assert_eq!(refused.len(), blocks.len(), "{text}");
        assert!(refused[0].message.contains(words), "{}\n{text}", refused[0].message);
    }
}

#[test]
fn ambiguous_grids_are_rejected() {
    let eight =
        |first: &str| format!("{first}\n{}", rows(|n, row| if n == 8 { String::new() } else { spaced(row) + "\n" }));
    let cut = |label: fn(usize) -> usize| rows(|n, row| format!("{} {}\n", label(n), spaced(&row[..8])));
    let dashes = |row: &str| thirds(&row.replace('0', "-"), "|");
    for (text, words) in [
        // Eight rows below a header, or nine rows.
        (eight("1 2 3 4 5 6 7 8 9"), "names of the columns"),
        (eight("0 1 2 3 4 5 6 7 8"), "names of the columns"),
        // Nine labelled rows of eight cells, or nine of nine.
        (cut(|n| n + 1), "labels of rows"),
        (cut(|n| n), "labels of rows"),
        // Seven rows with two rules between boxes, or nine rows.
        (
            rows(|n, row| if n == 3 || n == 7 { "---|---|---\n".into() } else { dashes(row) + "\n" }),
            "a border or a row of empty cells",
        ),
    ] {
        let reject = refusal(&text);
        assert!(reject.message.contains(words), "{}\n{text}", reject.message);
        assert_eq!(reject.code, Code::Ambiguous, "{text}");
    }
    // A complete solution may begin like this, and a row inside its border is not a header.
    let solution = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";
    let text: String = (0..9).map(|n| spaced(&solution[9 * n..9 * n + 9]) + "\n").collect();
    assert_eq!(boards(&text), [solution]);
    let framed = eight("1 2 3 4 5 6 7 8 9").lines().map(|line| format!("| {line} |\n")).collect::<String>();
    assert_eq!(boards(&format!("+-------------------+\n{framed}")).len(), 1);
    // Labelled rows with a header have only one reading.
    let numbered = rows(|n, row| format!("{} {}\n", n + 1, spaced(row)));
    assert_eq!(boards(&format!("  1 2 3 4 5 6 7 8 9\n{numbered}")), [PLAIN]);
}

#[test]
fn text_is_not_a_grid() {
    for (text, lines) in [
        ("", 0),
        ("\n# x\n\n[Puzzle]\n", 2),
        ("some words\nof no grid\n", 2),
        ("7\n", 1),
        ("-----\n", 1),
        ("  A B C D E F G H I\n", 1),
        ("Solved in 12:30 on 2024-05-17, 3 hints\n", 1),
        ("...\n* * *\n[\n]\n", 4),
        ("as v0:       loses clue (46 cells)\n' solved\n", 2),
        ("1000\n2500\n9000\n7000\n", 4),
    ] {
        let mut grids = GridBlocks::new(text.as_bytes());
        assert_eq!((grids.next(), grids.lines_of_text()), (None, lines), "{text}");
    }
}

#[test]
fn a_string_of_the_format_is_a_text_or_its_cells() {
    use crate::formats::{Evidence, read_one, write_one};

    let one = |text: &[u8]| read_one(text, Some(Format::Grid), &Hints::default(), &Evidence::default());
    for good in SAMPLES[0].good {
        let read = one(good.text.as_bytes()).expect("a grid");
        let cells = super::read(good.text.as_bytes(), false).expect("a grid");
        let again = one(&grid_cells(&cells)).expect("its cells");
        assert_eq!(write_one(&read.batch, 0, Format::Plain).ok().as_deref(), good.canonical);
        assert_eq!(write_one(&again.batch, 0, Format::V2), write_one(&read.batch, 0, Format::V2));
        assert!(write_one(&read.batch, 0, Format::Grid).is_err());
    }
    for bad in SAMPLES[0].bad {
        assert_eq!(one(bad.text.as_bytes()).err().map(|reject| reject.code), Some(bad.code), "{}", bad.text);
    }
    let mut codes = grid_cells(&[Cell::Empty; 81]);
    codes[1 + 2 * 40 + 1] = 0xff;
    let reject = one(&codes).expect_err("no such code");
    assert_eq!((reject.code, reject.cell.map(|cell| cell.to_string())), (Code::Range, Some("r5c5".into())));
    assert!(one(format!("{0}\n{0}\n", SAMPLES[0].good[0].text).as_bytes()).is_err());
}

const MAP: &str = "111233333111222223141222333145555666444555666444455666778888888777899998777799999";

fn lines_of(signs: &str) -> String {
    signs.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect()
}

#[test]
fn a_grid_beside_a_map_is_no_sudoku() {
    let grid = lines_of(PLAIN);
    let letters: String = MAP.bytes().map(|region| char::from(region - b'1' + b'A')).collect();
    let marks = |signs: [char; 2]| -> String { PLAIN.bytes().map(|digit| signs[usize::from(digit == b'0')]).collect() };
    let maps = [
        MAP.to_string(),
        letters.clone(),
        letters.to_lowercase(),
        marks(['0', '1']),
        marks(['#', '.']),
        marks(['b', 'w']),
    ];
    for map in maps.map(|map| lines_of(&map)) {
        for text in [
            format!("{grid}\n{map}"),
            format!("{map}\n{grid}"),
            format!("{grid}regions\n{map}"),
            format!("{grid}{map}"),
        ] {
            // The digits are twice in regions of the map, and the masks are those of the clues.
            for block in blocks(&text) {
                let read = |string: Vec<u8>| {
                    read_one(&string, Some(Format::Grid), &Hints::default(), &Evidence::default()).map(|_| ())
                };
                let reject = block.string().and_then(read).expect_err(&text);
                assert!(matches!(reject.code, Code::Unsupported | Code::Ambiguous | Code::Region), "{reject}\n{text}");
            }
        }
    }
    // Words of nine letters are no map, and titles are text.
    let words = "Beginners\nDifficult\nFavourite\nSolutions\nImportant\nChallenge\nDeduction\nElegantly\nFiendish!\n";
    for text in [format!("{words}{grid}"), format!("Difficult\n{grid}"), format!("{grid}\nBeginners\n{grid}")] {
        assert!(boards(&text).iter().all(|board| board == PLAIN), "{text}");
    }
}

/// They are 405 together. As candidates, most cells would be solved, and rows have a digit twice.
#[test]
fn sums_of_small_cages_are_no_candidates() {
    let rows = "4 13 0 19 0 9 15 0 9/0 0 15 0 9 8 0 0 0/15 0 0 0 0 2 9 7 15/15 0 16 0 8 3 0 0 0/0 19 0 6 1 9 4 2 24/\
                16 0 14 0 7 0 4 0 0/0 0 0 3 8 9 0 9 2/0 3 8 9 0 0 7 0 9/2 5 1 0 24 0 0 9 0";
    let reject = refusal(&rows.replace('/', "\n"));
    assert!(reject.code == Code::Ambiguous && reject.message.contains("sums of cages or candidates"), "{reject}");
}

#[test]
fn what_is_no_sudoku_of_side_9_is_named() {
    let squares = |side: usize| {
        let row =
            |row: usize| -> String { (0..side).map(|n| format!("{:>3}", if n == row { n + 1 } else { 0 })).collect() };
        (0..side).map(|at| row(at) + "\n").collect::<String>()
    };
    let with =
        |from: &str, to: &str| rows(|n, row| spaced(row).replacen(from, if n == 1 { to } else { from }, 1) + "\n");
    for (text, words) in [
        (squares(4), "a grid of side 4"),
        ("123456\n156423\n234561\n561234\n345612\n612345\n".to_string(), "a grid of side 6: a digit stands twice"),
        (squares(12), "a grid of side 12"),
        (rows(|_, row| format!("{row} {row}\n")), "side by side"),
        (with("4", "A24"), "a letter beside candidates, A24"),
        (with("4", "24-5"), "a deleted candidate, 24-5"),
        (with("4", "<4>"), "brackets around a digit, <4>"),
    ] {
        let reject = refusal(&text);
        assert!(reject.code == Code::Unsupported && reject.message.contains(words), "{reject}\n{text}");
    }
}
