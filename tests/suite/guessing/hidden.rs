//! Texts in which one thing can hide another: columns of which one is damaged, boards beside links, signs in drawings.
//! Nothing may be taken for what it is not, and nothing that looks like a board may be passed over in silence.
//! GRIDMILL_TEXTS=100000 makes that many texts of each sort.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use gridmill::formats::{Evidence, Format, Hints, read_one, write_one};
use gridmill::framing::{Asked, Guess, NamedFraming, NamedPlace, Options, Piece, Rows, Unsure, guess, is_no_record};
use gridmill::kernels;

use crate::random::Rng;
use crate::support::{gridmill, recode, run, v2};

/// Puzzles with their solutions, as digits.
pub(super) static PUZZLES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let puzzles = String::from_utf8(
        run(
            &mut gridmill([
                "gen", "-q", "--unique", "--mix", "clues", "--count", "60", "--format", "plain", "--seed", "3",
            ]),
            b"",
        )
        .good(),
    );
    let puzzles = puzzles.expect("text");
    let solutions = run(&mut gridmill(["solve", "-q"]), puzzles.as_bytes()).good();
    let solutions = String::from_utf8(solutions).expect("text");
    puzzles.lines().map(str::to_string).zip(solutions.lines().map(str::to_string)).collect()
});

pub(super) fn texts() -> usize {
    std::env::var("GRIDMILL_TEXTS").map_or(1_500, |count| count.parse().expect("a number of texts"))
}

/// What came of a text with a guessed framing.
#[derive(Debug, Default)]
struct Found {
    /// The boards, in version 2.
    boards: Vec<String>,
    /// Records that were refused.
    refused: usize,
}

/// Reads a text as the framing that was guessed.
fn read(text: &str, found: &Guess) -> Found {
    let entry = NamedFraming::named(found.framing).expect("a framing");
    let options = Options {
        columns: found.column.iter().cloned().collect(),
        fields: found.field.iter().cloned().collect(),
        delimiter: found.delimiter,
        no_header: found.no_header,
        guessed: true,
        ..Options::default()
    };
    let mut framing = (entry.make)(&options).expect("a framing");
    let one = |string: &[u8], from: Option<Format>| {
        let one = read_one(string, from, &Hints::default(), &Evidence::default()).ok()?;
        write_one(&one.batch, 0, Format::V2).ok()
    };
    let mut all = Found::default();
    if framing.facts().is_lines {
        for line in text.lines().filter(|line| !is_no_record(line.as_bytes(), false)) {
            match one(line.as_bytes(), None) {
                Some(board) => all.boards.push(board),
                None => all.refused += 1,
            }
        }
        return all;
    }
    let piece =
        Piece { text: text.as_bytes(), start: 0, quotes: None, kernel: kernels::best(), before: Default::default() };
    if framing.begin(&piece, &Asked::default()).is_err() {
        return all;
    }
    let header = framing.header(piece.text);
    let body = Piece { text: &piece.text[header..], start: header, ..piece };
    let mut rows = Rows::default();
    framing.rows(&body, false, &mut rows);
    all.refused += rows.refused.len();
    for string in rows.strings(body.text) {
        match one(string, framing.format(None)) {
            Some(board) => all.boards.push(board),
            None => all.refused += 1,
        }
    }
    all
}

fn rows(puzzle: &str, between: &str) -> String {
    puzzle.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row).into_owned()).collect::<Vec<_>>().join(between)
}

fn cells(puzzle: &str, between: &str) -> String {
    puzzle.chars().map(|cell| cell.to_string()).collect::<Vec<_>>().join(between)
}

/// What becomes of a puzzle on its way through other programs.
fn damaged(puzzle: &str, sort: usize, rng: &mut Rng) -> String {
    let first = puzzle.find(|c| c != '0').unwrap_or(0);
    match sort {
        0 => puzzle[first.max(1)..].to_string(),
        1 => format!("{}.{}e+{}", &puzzle[first..=first], &puzzle[first + 1..first + 10], 80 - first),
        2 => puzzle.replace('0', " "),
        3 => puzzle.replace('0', "~"),
        4 => puzzle.replace('0', "o"),
        5 => puzzle.replace('0', "\u{b7}"),
        6 => {
            let nine = |c| if c == '0' { "123456789".to_string() } else { format!("{}........", c) };
            puzzle.chars().map(nine).collect()
        }
        7 => {
            format!("[[{}]]", rows(puzzle, "|").split('|').map(|row| cells(row, ", ")).collect::<Vec<_>>().join("], ["))
        }
        8 => cells(puzzle, " "),
        9 => rows(puzzle, "."),
        10 => rows(puzzle, "/"),
        11 => rows(puzzle, "\n"),
        12 => puzzle[..80].to_string(),
        13 => format!("{puzzle}{}", rng.below(10)),
        14 => cells(puzzle, ", ").replace('0', "None"),
        15 => format!("['{}']", rows(puzzle, "', '")),
        _ => rows(puzzle, " | "),
    }
}

/// The number of sorts of damage.
const SORTS: usize = 17;

/// A table or JSON lines with puzzles, of which some are damaged, and solutions.
fn answers(rng: &mut Rng) -> (String, Option<&'static str>) {
    let (count, sort) = (1 + rng.below(12), rng.below(SORTS));
    let bad = 1 + rng.below(count);
    // A column of which fewer than a fifth is damaged is one of strings.
    let bad = bad.max(count.div_ceil(4));
    let picked: Vec<_> = (0..count).map(|_| rng.pick(&PUZZLES).clone()).collect();
    let first = rng.once_in(2);
    let is_json = rng.once_in(4);
    let delimiter = *rng.pick(&[',', ',', '\t', ';']);
    let field = |text: &str, rng: &mut Rng| match text.contains([delimiter, '"', '\n']) || rng.once_in(4) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    };
    let mut text = String::new();
    if !is_json && rng.once_in(2) {
        text = ["id", if first { "puzzle" } else { "solution" }, if first { "solution" } else { "puzzle" }]
            .join(&delimiter.to_string())
            + "\n";
    }
    for (at, (puzzle, solution)) in picked.iter().enumerate() {
        let puzzle = if at < bad { damaged(puzzle, sort, rng) } else { puzzle.clone() };
        if is_json {
            let value = match sort {
                7 | 14 if at < bad => format!("[{}]", puzzle.trim_matches(['[', ']'])).replace("None", "null"),
                _ => serde_json::to_string(&puzzle).expect("JSON"),
            };
            text += &format!("{{\"id\":{at},\"puzzle\":{value},\"solution\":\"{solution}\"}}\n");
            continue;
        }
        let (puzzle, solution) = (field(&puzzle, rng), field(solution, rng));
        let fields = if first { [at.to_string(), puzzle, solution] } else { [at.to_string(), solution, puzzle] };
        text += &(fields.join(&delimiter.to_string()) + "\n");
    }
    let named = match (is_json, delimiter) {
        (true, _) => "jsonl",
        (_, '\t') => "tsv",
        _ => "csv",
    };
    (text, rng.once_in(2).then_some(named))
}

fn guessed(text: &str, ending: Option<&str>, puzzles: bool) -> Result<Guess, Unsure> {
    guess(text.as_bytes(), ending, true, &NamedPlace { puzzles, ..NamedPlace::default() })
}

#[test]
fn solutions_are_not_taken_for_puzzles_that_cannot_be_read() {
    let mut rng = Rng(74);
    for _ in 0..texts() {
        let (text, ending) = answers(&mut rng);
        for puzzles in [false, true] {
            let Ok(found) = guessed(&text, ending, puzzles) else { continue };
            let all = read(&text, &found);
            let solutions: BTreeSet<String> = PUZZLES.iter().map(|(_, solution)| v2(solution)).collect();
            let taken = all.boards.iter().filter(|board| solutions.contains(*board)).count();
            assert_eq!(taken, 0, "{} of {ending:?}:\n{text}", found.flags());
        }
    }
}

#[test]
fn the_message_names_both_columns_and_its_flags_work() {
    let mut rng = Rng(75);
    for sort in 0..SORTS {
        let (puzzle, solution) = rng.pick(&PUZZLES).clone();
        let puzzle = damaged(&puzzle, sort, &mut rng).replace('"', "\"\"");
        let text = format!("id,quiz,answer\n1,\"{puzzle}\",{solution}\n");
        let done = run(&mut gridmill(["validate", "--framing", "auto"]), text.as_bytes());
        assert_eq!((done.code, done.stdout.len()), (Some(2), 0), "{text}");
        for words in ["quiz (column 2)", "answer (column 3)", "--framing csv --column answer"] {
            assert!(done.stderr.contains(words), "{words}: {}", done.stderr);
        }
        let named = run(&mut gridmill(["validate", "-q", "--framing", "csv", "--column", "answer"]), text.as_bytes());
        assert!(named.good().is_empty());
    }
}

#[test]
fn complete_grids_alone_are_no_puzzles_if_there_may_be_some() {
    let solution = &PUZZLES[0].1;
    let row = |other: &str| format!("name,puzzle,solution\nx,{other},{solution}\n");
    let id = ".Cage~10~R1C1~R1C2.Cage~5~R2C1~R2C2~R2C3.Cage~17~R3C1~R3C2.Cage~9~R9C1";
    let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert!(guessed(&row(id), None, true).is_err_and(|unsure| unsure.to_string().contains("only complete grids")));
    for (other, puzzles) in
        [(id, false), (hash, true), (hash, false), ("a title of a puzzle from a book of 1984", true)]
    {
        let found = guessed(&row(other), None, puzzles).map(|found| found.flags());
        assert_eq!(found.as_deref(), Ok("--framing csv --column solution"), "{other}");
    }
}

/// A board in a text, and what it looks like there.
fn written(rng: &mut Rng, puzzle: &str) -> String {
    let v1 = recode(puzzle, Format::V1);
    match rng.below(9) {
        0..3 => format!("{puzzle}\n"),
        3 => format!("{v1}\n"),
        4 => format!("{}\n", v2(puzzle)),
        5 => format!("17,{puzzle},easy\n"),
        6 => format!("{puzzle} # easy\n"),
        7 => format!("<td>{v1}</td>\n"),
        _ => format!("\n{}\n\n", rows(puzzle, "\n")),
    }
}

#[test]
fn boards_beside_links_are_read_or_reported() {
    let mut rng = Rng(76);
    for _ in 0..texts() {
        let mut truth = Vec::new();
        let items = 2 + rng.below(6);
        let link = rng.below(items);
        let mut text = String::new();
        for item in 0..items {
            let puzzle = &rng.pick(&PUZZLES).0;
            if item != link && rng.once_in(4) {
                text += *rng.pick(&["a line of text\n", "\n", "# a heading\n", "in 2024, of 12 pages\n"]);
                continue;
            }
            truth.push(v2(puzzle));
            if item == link || rng.once_in(4) {
                let string = if rng.once_in(2) { recode(puzzle, Format::V1) } else { v2(puzzle) };
                text += &format!("see https://www.sudokuwiki.org/sudoku.htm?bd={string} of today\n");
            } else {
                text += &written(&mut rng, puzzle);
            }
        }
        let ending = *rng.pick(&[None, None, Some("md"), Some("html"), Some("txt")]);
        let Ok(found) = guessed(&text, ending, false) else { continue };
        let all = read(&text, &found);
        let wrong = all.boards.iter().find(|board| !truth.contains(board));
        assert_eq!(wrong, None, "{} of {ending:?}:\n{text}", found.flags());
        assert!(all.boards.len() == truth.len() || all.refused > 0, "{} of {ending:?}:\n{text}", found.flags());
    }
}

/// 81 signs of a path.
fn path(rng: &mut Rng) -> String {
    let signs = rng.pick(&["-.", "-", "."]).as_bytes();
    (0..81)
        .map(|_| if rng.once_in(3) { char::from(*rng.pick(signs)) } else { char::from(b'1' + rng.below(9) as u8) })
        .collect()
}

#[test]
fn signs_of_drawings_are_no_boards() {
    let mut rng = Rng(77);
    for _ in 0..texts() {
        let link = format!("https://www.sudokuwiki.org/sudoku.htm?bd={}", PUZZLES[0].0);
        let path = path(&mut rng);
        let text = match rng.below(7) {
            0 => format!("<svg><path d=\"M1 {path} 3z\"/></svg>\n"),
            1 => format!("<svg viewBox=\"0 0 9 9\">\n<path d=\"M1\n{path}\n3z\"/>\n</svg>\n"),
            2 => format!("a picture\n<path d=\"M1 {path} 3z\"/>\nand more of it\n"),
            3 => format!("M1 {path} 3z\n"),
            4 => format!("d='M1,2,{path},z'\n"),
            5 => format!("<a href=\"{link}\">a board</a>\n<path d=\"M1 {path} 3z\"/>\n"),
            _ => format!("{{\"name\": \"x\"}} {path}\nvar path = \"{path}\"\n"),
        };
        let Ok(found) = guessed(&text, *rng.pick(&[None, Some("svg"), Some("html")]), false) else { continue };
        let all = read(&text, &found);
        let is_known = all.boards.iter().all(|board| *board == v2(&PUZZLES[0].0));
        assert!(is_known && all.refused == 0, "{}: {all:?}\n{text}", found.flags());
    }
}
