use gridmill_core::formats::{Evidence, Format, Hints, Within, foreign, read_one};

/// A sudoku, and the sudoku of nine rows that others write differently.
const BOARD: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

fn hints() -> Hints {
    Hints { within: Within::Line, ..Hints::default() }
}

/// The message with which a line is refused.
fn refusal(line: &str) -> String {
    read_one(line.as_bytes(), None, &hints(), &Evidence::default()).expect_err(line).message
}

/// A code in base 64, which is of no puzzle.
fn code(length: usize) -> String {
    (0..length).map(|at| char::from(b"ABCxyz0189+/"[at * 7 % 12])).collect()
}

fn joined<T: ToString>(items: impl Iterator<Item = T>, between: &str) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(between)
}

/// The rows of the board, each as `row` writes it.
fn rows(row: impl Fn(&str) -> String) -> Vec<String> {
    (0..9).map(|at| row(&BOARD[at * 9..][..9])).collect()
}

/// Signs for a board of another side, from an alphabet for its digits.
fn of_side(side: usize, alphabet: &str, blank: char) -> String {
    let sign = |at: usize| alphabet.chars().nth((at * 7 + at / side) % side).expect("a digit");
    (0..side * side).map(|at| if at % 3 == 0 { sign(at) } else { blank }).collect()
}

/// Strings and links that stand on one line.
fn strings() -> Vec<(&'static str, String)> {
    let marked = BOARD.replacen("7", "+7", 4);
    let points = BOARD.replace('0', ".");
    vec![
        ("f-puzzles", format!("see f-puzzles.com: http://f-puzzles.com/?load=N4Ig{}", code(90))),
        ("SudokuPad", "see sudokupad.app: https://sudokupad.app/wsj7iunsg6".into()),
        ("SudokuMaker", "https://sudokumaker.app/faq".into()),
        ("sudoku.coach", "https://sudoku.coach/en/learn/x-wing".into()),
        ("Sudoku Exchange", "https://sudokuexchange.com/play/".into()),
        ("penpa-edit", "https://swaroopg92.github.io/penpa-edit/".into()),
        ("puzz.link", "https://puzz.link/p?kakuro/9/9/g3h6h5g5h3g8h4g7g5g9".into()),
        ("Interactive Sudoku Solver", ".Cage~10~R1C1~R1C2.Cage~5~R2C1~R2C2".into()),
        ("Solo", "see https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/solo.html#3x3:a5b7".into()),
        ("Keen", "see https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/keen.html#4:a_a,a3".into()),
        ("Susser", marked.clone()),
        ("Susser", format!("{marked}:411 811")),
        ("Susser", format!("{points}:411 811 922")),
        ("str8ts signs", format!("#2#ca.8.#{}", "..5#b3..#".repeat(8))),
        ("str8ts cells", joined((0..9).map(|_| "w0,b0,w5,w0,w1,b9,w0,w0,w7"), ";")),
        ("joined rows", rows(str::to_string).join("/")),
        ("joined rows", rows(str::to_string).join(".")),
        ("joined rows", rows(|row| format!("{row};")).concat()),
        ("joined rows", rows(str::to_string).join("\\n")),
        ("OpenSudoku cells", "5|0|0|0|".repeat(81)),
        ("KenKen rows", "r1.24*,r1,r2.3-,r2,r3.5".into()),
        ("KenKen rows", "r1.24x,r1,r2.3÷,r2,r3.5".into()),
        ("other side", of_side(4, "1234", '.')),
        ("other side", of_side(12, "123456789ABC", '.')),
        ("other side", of_side(15, "123456789ABCDEF", '0')),
        ("other side", of_side(15, "0123456789abcde", '.')),
        ("other side", of_side(15, "ABCDEFGHIJKLMNO", '-')),
        ("other side", of_side(15, "123456789:;<=>?", '0')),
        ("other side", of_side(20, "ABCDEFGHIJKLMNOPQRST", '.')),
        (
            "other side",
            joined((0..225).map(|cell| format!("{:02}", if cell % 4 == 0 { cell % 15 + 1 } else { 0 })), ""),
        ),
    ]
}

/// Files of several lines.
fn documents() -> Vec<(&'static str, String)> {
    let xml =
        |root: &str, inner: &str| format!("<?xml version=\"1.0\"?>\n<{root} version=\"2\">\n{inner}\n</{root}>\n");
    let game = format!("<game data=\"{BOARD}\"/>");
    vec![
        ("Simon Tatham's puzzles", "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nGAME    :4:Solo\n".into()),
        ("OpenSudoku", xml("opensudoku", &game)),
        ("OpenSudoku", xml("opensudoku2", &game)),
        ("1gsudoku", format!("<onegravitysudoku version=\"1\"><sudoku data=\"{BOARD}\"/></onegravitysudoku>\n")),
        ("KSudoku", "<!DOCTYPE ksudoku>\n<ksudoku>\n <game>\n".into()),
        ("sudoku XML", xml("sudoku-book", "<row>5,3,0,0,7,0,0,0,0</row>")),
        ("MiniZinc", "start = array2d(1..9, 1..9, [|\n 5, 3, _, _, 7, _, _, _, _\n |]);\n".into()),
        ("MiniZinc", "[|\n5, 3, _, _, 7, _, _, _, _|\n|];\n".into()),
        ("GNOME Sudoku", "{\n  \"difficulty_category\": \"easy\",\n  \"cells\": [\n".into()),
        ("KenKen rows", "#kenken 3x3\nr1.6*,r1,r2.2\nr3.3+,r1,r2\n".into()),
        ("KenKen letters", "AAB\nCAB\nCDD\n\nA 6x\nB 2/\nC 1-\nD 5+\n".into()),
    ]
}

#[test]
fn each_is_recognised_by_its_name() {
    for (name, line) in strings() {
        for text in [format!("{line}\n"), format!("\u{feff} {line} \r\n"), format!("\n# a note\n{line}\nx\n")] {
            let found = foreign(text.as_bytes(), Within::Line).map(|found| found.name);
            assert_eq!(found, Some(name), "{text}");
        }
        let (refusal, words) = (refusal(&line), foreign(line.as_bytes(), Within::Line).expect("a string").words);
        assert!(refusal.ends_with(&words), "{line}: {refusal}");
    }
    for (name, text) in documents() {
        assert_eq!(foreign(text.as_bytes(), Within::Line).map(|found| found.name), Some(name), "{text}");
    }
}

#[test]
fn what_gridmill_reads_is_not_foreign() {
    for format in Format::ALL.into_iter().filter(|&format| format != Format::Grid) {
        for good in format.samples().iter().flat_map(|samples| samples.good) {
            assert_eq!(foreign(good.text.as_bytes(), Within::Line), None, "{}", good.text);
        }
    }
    for text in
        ["", "\n", "# a note", "a line that is nothing known", "12345", "S9B00", "id,bd", "2026-11-27", "Grid 01"]
    {
        assert_eq!(foreign(text.as_bytes(), Within::Line), None, "{text}");
    }
    for host in
        ["https://www.sudokuwiki.org/sudoku.htm?bd=1", "https://example.org/sudokupad.app", "notsudokupad.app/x"]
    {
        assert_eq!(foreign(host.as_bytes(), Within::Line), None, "{host}");
    }
}

#[test]
fn a_value_gets_no_advice_about_framings() {
    let alone = Hints::default();
    for (_, line) in strings() {
        let refused = read_one(line.as_bytes(), None, &alone, &Evidence::default()).expect_err("no string").message;
        assert!(!refused.contains("--framing") && !refused.contains("grep"), "{line}: {refused}");
    }
}
