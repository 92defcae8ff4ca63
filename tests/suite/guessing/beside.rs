//! Grids and what is beside them: maps of regions and cages, masks of black cells, stages of the same puzzle. They become the
//! board that they are together, or none, and lists of sudokus stay lists of sudokus. GRIDMILL_TEXTS=100000 makes that many
//! texts of each sort.

use gridmill::board::{Batch, Cell, Kind, Shape, Side};
use gridmill::engine::{Convert, RejectsTo};
use gridmill::error::Code;
use gridmill::formats::{
    EachGrid, Evidence, Format, GridBlock, GridBlocks, Hints, find_puzzle_cut, read_one, write_one,
};
use gridmill::framing::Grids;
use gridmill::output::Target;
use gridmill::source::{Input, Reading};

use super::companions::{Board, boxes, cages, change, is_clue, solution};
use super::hidden::texts;
use super::list;
use crate::random::Rng;
use crate::support::{Folder, Shared, gridmill, run};

/// How cells are written.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Style {
    Compact,
    Spaced,
    Commas,
    Bars,
    Boxed,
    List,
}

const STYLES: [Style; 6] = [Style::Compact, Style::Spaced, Style::Commas, Style::Bars, Style::Boxed, Style::List];

/// Nine rows of cells.
fn written(cells: &[String], style: Style) -> String {
    let width = cells.iter().map(String::len).max().unwrap_or(1);
    let mut text = String::new();
    let rule = format!("+{}\n", format!("{}+", "-".repeat(3 * width + 4)).repeat(3));
    text += if style == Style::Boxed { &rule } else { "" };
    for (n, row) in cells.chunks(9).enumerate() {
        let boxes: Vec<String> = row
            .chunks(3)
            .map(|cells| match style {
                Style::Compact | Style::Bars => cells.concat(),
                _ => cells.iter().map(|cell| format!("{cell:>width$}")).collect::<Vec<_>>().join(" "),
            })
            .collect();
        text += &match style {
            Style::Compact => boxes.concat(),
            Style::Spaced => boxes.join(" "),
            Style::Commas => row.join(","),
            Style::Bars => boxes.join("|"),
            Style::Boxed => format!("| {} |", boxes.join(" | ")),
            Style::List => format!("[{}],", row.join(", ")),
        };
        text += "\n";
        text += match style {
            Style::Bars if n == 2 || n == 5 => "---+---+---\n",
            Style::Boxed if n % 3 == 2 => &rule,
            _ => "",
        };
    }
    text
}

pub(super) fn signs(board: &Board, sign: impl FnMut(usize) -> String) -> Vec<String> {
    board.iter().copied().map(sign).collect()
}

pub(super) fn digits(board: &Board, empty: &str) -> Vec<String> {
    signs(board, |digit| if digit == 0 { empty.to_string() } else { digit.to_string() })
}

pub(super) fn puzzle(rng: &mut Rng) -> Board {
    let (solution, clues) = (solution(rng), is_clue(rng));
    std::array::from_fn(|cell| if clues[cell] { solution[cell] } else { 0 })
}

pub(super) fn letter(number: usize, first: u8) -> String {
    let other = if first == b'a' { b'A' } else { b'a' };
    let letter = if number < 26 { first + number as u8 } else { other + (number % 26) as u8 };
    char::from(letter).to_string()
}

/// What belongs to a grid.
struct Companion {
    cells: Vec<String>,
    /// Whether they can be written without spaces.
    is_narrow: bool,
    /// The sums of cages, below their map.
    list: String,
    /// The string of the board with these digits, if there is one.
    board: BoardWith,
}

/// Makes the string of a board of which these are the digits.
type BoardWith = Box<dyn Fn(&Board) -> Option<String>>;

/// Reads a string of another format as a board in version 2 with these clues.
pub(super) fn read_as(text: &str, from: Option<Format>, kind: Option<Kind>, clues: Option<&Board>) -> Option<String> {
    let hints = Hints { kind, ..Hints::default() };
    let mut one = read_one(text.as_bytes(), from, &hints, &Evidence::default()).ok()?;
    for (cell, &clue) in clues.into_iter().flatten().enumerate().filter(|(_, clue)| **clue > 0) {
        one.batch.set_cell(0, cell, Cell::Clue(clue as u8));
    }
    write_one(&one.batch, 0, Format::V2).ok()
}

fn companion(rng: &mut Rng, map: &mut Board) -> Companion {
    let most = *rng.pick(&[4, 5, 6, 9]);
    let solution = solution(rng);
    let cages = cages(rng, &solution, most);
    let mut sums = [0; 81];
    (0..81).for_each(|cell| sums[cages[cell]] += solution[cell]);
    let black: Board = loop {
        let black: Board = std::array::from_fn(|_| usize::from(rng.once_in(4)));
        if black.iter().sum::<usize>() > 9 {
            break black;
        }
    };
    (0..5).for_each(|_| change(rng, map));
    let regions = *map;
    let jigsaw = move |digits: &Board| {
        let text = list(digits, "") + &signs(&regions, |region| letter(region, b'A')).concat();
        read_as(&text, Some(Format::JigsawPair), None, None)
    };
    let str8ts = move |digits: &Board| read_as(&(list(digits, "") + &list(&black, "")), None, Some(Kind::Str8ts), None);
    let killer = move |digits: &Board| {
        let cells: String = cages.iter().map(|&cage| format!("{}:", sums[cage] * 256 + cage + 1)).collect();
        read_as(&format!("3x3::k:{cells}"), Some(Format::PsKiller), None, Some(digits))
    };
    let with = |cells: Vec<String>, is_narrow: bool| Companion {
        cells,
        is_narrow,
        list: String::new(),
        board: Box::new(|_| None),
    };
    match rng.below(12) {
        0 => Companion { board: Box::new(jigsaw), ..with(signs(map, |region| (region + 1).to_string()), true) },
        1 => Companion { board: Box::new(jigsaw), ..with(signs(map, |region| region.to_string()), true) },
        2 => Companion { board: Box::new(jigsaw), ..with(signs(map, |region| letter(region, b'A')), true) },
        3 => Companion { board: Box::new(jigsaw), ..with(signs(map, |region| letter(region, b'a')), true) },
        4 => with(signs(&cages, |cage| letter(cage, b'a')), true),
        5 => with(signs(&cages, |cage| letter(cage, b'A')), true),
        6 => with(signs(&cages, |cage| (cage + 1).to_string()), false),
        7 => with(signs(&cages, |cage| std::mem::take(&mut sums[cage]).to_string()), false),
        8 => Companion { board: Box::new(str8ts), ..with(signs(&black, |black| black.to_string()), true) },
        9 => {
            let [white, dark] = *rng.pick(&[[".", "#"], [".", "X"], ["w", "b"], ["□", "■"]]);
            Companion { board: Box::new(str8ts), ..with(signs(&black, |black| [white, dark][black].to_string()), true) }
        }
        _ if *cages.iter().max().expect("cells") >= 52 => companion(rng, map),
        _ => {
            let count = cages.iter().max().expect("cells") + 1;
            let [sign, between] = *rng.pick(&[["=", " "], [": ", "\n"], [" ", ", "], ["", ","]]);
            let sum = |cage: usize| format!("{}{sign}{}", letter(cage, b'a'), sums[cage]);
            let sums = (0..count).map(sum).collect::<Vec<_>>().join(between);
            let before = *rng.pick(&["", "\n", "Sums:\n"]);
            Companion {
                list: format!("{before}{sums}\n"),
                board: Box::new(killer),
                ..with(signs(&cages, |cage| letter(cage, b'a')), true)
            }
        }
    }
}

const BETWEEN: [&str; 8] =
    ["", "\n", "\n\n", "\nRegions:\n", "cages\n", "# what belongs to it\n", "\n[Layout]\n\n", "a=3 b=7\nc=12\n"];

/// A grid and its companion, in one order or the other, and the board that they are.
fn pair(rng: &mut Rng, map: &mut Board) -> (String, Option<String>) {
    let Companion { cells, is_narrow, list, board } = companion(rng, map);
    let style = *rng.pick(&STYLES);
    let other = *rng.pick(if is_narrow { &STYLES } else { &[Style::Spaced, Style::Commas, Style::Boxed, Style::List] });
    let empty = *rng.pick(&[".", "0"]);
    let grid = match rng.once_in(3) {
        true => [0; 81],
        false => puzzle(rng),
    };
    let board = board(&grid);
    let grid = written(&digits(&grid, empty), style);
    let cells = written(&cells, other) + &list;
    // Without anything between them, both are written in the same way.
    let between = *rng.pick(&BETWEEN);
    let (first, second) = if rng.once_in(4) { (cells, grid) } else { (grid, cells) };
    (format!("{first}{between}{second}"), board)
}

/// The board of each block in version 2, or the code of its refusal.
pub(super) fn boards(text: &str) -> Vec<Result<String, Code>> {
    let blocks = GridBlocks::new(text.as_bytes());
    let read = |block: GridBlock| {
        let string = block.string().map_err(|reject| reject.code)?;
        let one = read_one(&string, Some(Format::Grid), &Hints::default(), &Evidence::default());
        let one = one.map_err(|reject| reject.code)?;
        Ok(write_one(&one.batch, 0, Format::V2).expect("version 2 holds everything"))
    };
    blocks.map(read).collect()
}

#[test]
fn a_grid_with_a_companion_is_the_board_of_both() {
    let (mut rng, mut map, mut read) = (Rng(440), boxes(), 0);
    for _ in 0..texts() {
        let (mut text, mut expected) = (String::new(), Vec::new());
        let has_titles = rng.once_in(2);
        for n in 0..1 + rng.below(3) {
            text += &if has_titles { format!("Puzzle {}\n", n + 1) } else { String::new() };
            let (one, board) = pair(&mut rng, &mut map);
            text += &one;
            text += *rng.pick(&["\n", "\n\n"]);
            expected.extend(board);
        }
        let text = if rng.once_in(8) { text.replace('\n', "\r\n") } else { text };
        let found = boards(&text);
        let is_right = |found: &Result<String, Code>| found.as_ref().map_or(true, |board| expected.contains(board));
        assert!(!found.is_empty() && found.iter().all(is_right), "a wrong board:\n{text}\n{found:?}\n{expected:?}");
        let is_named = |found: &Result<String, Code>| {
            matches!(found, Ok(_) | Err(Code::Unsupported | Code::Ambiguous | Code::Region))
        };
        assert!(found.iter().any(is_named), "nothing is named:\n{text}\n{found:?}");
        read += found.iter().filter(|found| found.is_ok()).count();
    }
    assert!(read > texts() / 4, "{read}");
}

/// Sudokus in sequence: puzzles, solutions, copies.
fn plain_list(rng: &mut Rng) -> (String, Vec<Board>) {
    let (mut boards, mut text) = (Vec::new(), String::new());
    let style = *rng.pick(&STYLES);
    let empty = *rng.pick(&[".", "0"]);
    let between = *rng.pick(&["", "\n", "\n\n"]);
    let titles = rng.below(5);
    for _ in 0..1 + rng.below(5) {
        let solution = solution(rng);
        let clues = is_clue(rng);
        let puzzle: Board = std::array::from_fn(|cell| if clues[cell] { solution[cell] } else { 0 });
        boards.extend(match rng.below(6) {
            0 => vec![puzzle, solution],
            1 => vec![solution, puzzle],
            2 => vec![puzzle, puzzle],
            3 => vec![solution],
            _ => vec![puzzle],
        });
    }
    for (n, board) in boards.iter().enumerate() {
        text += &match titles {
            0 => format!("Puzzle {}\n", n + 1),
            1 => format!("{}\n", rng.pick(&["Beginners", "Difficult", "Easy", "A", "Hall"])),
            2 => "[Puzzle]\n".to_string(),
            _ => String::new(),
        };
        text += &written(&digits(board, empty), style);
        text += if n + 1 < boards.len() { between } else { "" };
    }
    (text, boards)
}

#[test]
fn a_list_of_sudokus_is_one() {
    let mut rng = Rng(441);
    let cells = |board: &Board| board.map(|digit| if digit == 0 { Cell::Empty } else { Cell::Clue(digit as u8) });
    for _ in 0..texts() {
        let (text, boards) = plain_list(&mut rng);
        let expected: Vec<_> = boards.iter().map(|board| Ok(cells(board))).collect();
        let blocks = || GridBlocks::new(text.as_bytes());
        let found: Vec<_> = blocks().map(|block| block.cells).collect();
        // What is ambiguous by itself is refused as before.
        let alone: Vec<_> = EachGrid::new(text.as_bytes()).map(|block| block.cells).collect();
        assert_eq!(found, alone, "{text}");
        if alone.iter().all(Result::is_ok) {
            assert_eq!(found, expected, "{text}");
        }
    }
}

/// A puzzle, and the same with more digits or with candidates; and the board that they are, if that is clear.
fn stages(rng: &mut Rng) -> (String, Option<String>) {
    let (solution, mut clues) = (solution(rng), is_clue(rng));
    while clues.iter().filter(|clue| **clue).count() < 17 {
        clues[rng.below(81)] = true;
    }
    let with =
        |clues: &[bool; 81]| -> Board { std::array::from_fn(|cell| if clues[cell] { solution[cell] } else { 0 }) };
    let first = with(&clues);
    let open: Vec<usize> = (0..81).filter(|&cell| !clues[cell]).collect();
    let placed = rng.below(open.len() / 2);
    open[..placed].iter().for_each(|&cell| clues[cell] = true);
    let later = with(&clues);
    let style = *rng.pick(&STYLES);
    let written_digits = |board: &Board| written(&digits(board, "."), style);
    let sees = |a: usize, b: usize| a % 9 == b % 9 || a / 9 == b / 9 || (a / 27, a % 9 / 3) == (b / 27, b % 9 / 3);
    let candidates = |cell: usize| -> String {
        let is_left = |digit: &usize| !(0..81).any(|other| later[other] == *digit && sees(cell, other));
        (1..=9).filter(is_left).map(|digit| digit.to_string()).collect()
    };
    let marks: Vec<String> =
        (0..81).map(|cell| if later[cell] > 0 { later[cell].to_string() } else { candidates(cell) }).collect();
    if marks.iter().all(|cell| cell.len() == 1) {
        return stages(rng); // all of it is solved
    }
    let names =
        *rng.pick(&[["", "", ""], ["[Puzzle]\n", "[State]\n", "[PencilMarks]\n"], ["Given:\n", "Now:\n", "Left:\n"]]);
    let between = *rng.pick(&["\n", "\n\n"]);
    let board = |has_later: bool, has_marks: bool| {
        let cell = |cell: usize| match (first[cell], later[cell], &marks[cell]) {
            (clue @ 1.., ..) => Cell::Clue(clue as u8),
            (_, digit @ 1.., _) if has_later => Cell::Solved(digit as u8),
            (.., marks) if has_marks => Cell::Candidates(marks.bytes().fold(0, |set, digit| set | 1 << (digit - b'1'))),
            _ => Cell::Empty,
        };
        let mut batch = Batch::new();
        batch.reset(Shape::new(Kind::Sudoku, Side::NINE), 1);
        (0..81).for_each(|at| batch.set_cell(0, at, cell(at)));
        write_one(&batch, 0, Format::V2).ok()
    };
    let [digits_only, marks_only, all] = [board(true, false), board(false, true), board(true, true)];
    let is_section = names[0].starts_with('[');
    let marks = written(&marks, if rng.once_in(2) { Style::Spaced } else { Style::Boxed });
    let first = format!("{}{}", names[0], written_digits(&first));
    let later = format!("{}{}", names[1], written_digits(&later));
    let marks = format!("{}{marks}", names[2]);
    match rng.below(3) {
        0 if placed > 0 => (format!("{first}{between}{later}"), digits_only.filter(|_| is_section)),
        1 => (format!("{first}{between}{marks}"), marks_only.filter(|_| is_section || placed == 0)),
        _ => (format!("{first}{between}{later}{between}{marks}"), all),
    }
}

#[test]
fn stages_of_one_puzzle_are_one_board() {
    let (mut rng, mut read) = (Rng(442), 0);
    for _ in 0..texts() {
        let (text, board) = stages(&mut rng);
        let found = boards(&text);
        let is_right =
            |found: &Result<String, Code>| found.as_ref().map_or(true, |found| Some(found) == board.as_ref());
        assert!(!found.is_empty() && found.iter().all(is_right), "a wrong board:\n{text}\n{found:?}\n{board:?}");
        read += found.iter().filter(|found| found.is_ok()).count();
    }
    assert!(read > texts() / 2, "{read}");
}

/// A text of lists, pairs and stages, in any order.
fn mixed(rng: &mut Rng, map: &mut Board) -> String {
    let mut text = String::new();
    for n in 0..2 + rng.below(10) {
        text += &if rng.once_in(3) { format!("Puzzle {n}\n") } else { String::new() };
        text += &match rng.below(5) {
            0 | 1 => plain_list(rng).0,
            2 => pair(rng, map).0.repeat(1 + rng.below(12)),
            3 => stages(rng).0,
            _ => "a line of text\n".repeat(rng.below(70)),
        };
        text += *rng.pick(&["", "\n", "\n\n"]);
    }
    text
}

fn moved(mut block: GridBlock, bytes: usize) -> GridBlock {
    for offset in [&mut block.start, &mut block.end, &mut block.next] {
        *offset += bytes;
    }
    block
}

/// Wherever a text may be cut, and whatever part of it is known then, the parts have the grids of the whole.
#[test]
fn no_grid_is_cut_from_its_companion() {
    let (mut rng, mut map, mut cuts) = (Rng(443), boxes(), 0);
    for _ in 0..texts() / 10 {
        let text = mixed(&mut rng, &mut map);
        let text = text.as_bytes();
        let mut whole = GridBlocks::new(text);
        let blocks: Vec<GridBlock> = whole.by_ref().collect();
        let starts: Vec<usize> = (1..text.len()).filter(|&at| text[at - 1] == b'\n').collect();
        for _ in 0..10 {
            let (Some(&from), known) = (starts.get(rng.below(starts.len().max(1))), rng.below(text.len() + 1)) else {
                break;
            };
            let Some(cut) = find_puzzle_cut(&text[..known.max(from)], from) else { continue };
            cuts += 1;
            let lines = text[..cut].iter().filter(|&&byte| byte == b'\n').count();
            let (mut one, mut two) = (GridBlocks::new(&text[..cut]), GridBlocks::of_rest(&text[cut..], lines));
            let mut parts: Vec<GridBlock> = one.by_ref().collect();
            parts.extend(two.by_ref().map(|block| moved(block, cut)));
            assert_eq!(parts, blocks, "cut at {cut} from {from}:\n{}", String::from_utf8_lossy(text));
            assert_eq!(one.lines_of_text() + two.lines_of_text(), whole.lines_of_text());
        }
    }
    assert!(cuts > texts() / 20, "{cuts}");
}

/// The output and the rejects of a run.
fn converted(text: &[u8], chunk: usize, threads: usize, reading: Reading) -> (String, String) {
    let (folder, output, rejects) = (Folder::new(), Shared::default(), Shared::default());
    let convert = Convert::new(Target::Writer { name: "out".into(), writer: Box::new(output.clone()) })
        .framing(Box::new(Grids::default()))
        .rejects(RejectsTo::Writer(Box::new(rejects.clone())))
        .reading(reading)
        .chunk_size(chunk)
        .threads(threads)
        .input(Input::File(folder.write("in", text)));
    convert.run().expect("a run");
    let name = format!("{}/", folder.path().display());
    (output.text(), rejects.text().replace(&name, ""))
}

#[test]
fn chunks_of_any_size_have_the_same_grids() {
    let (mut rng, mut map) = (Rng(444), boxes());
    for _ in 0..4 {
        let text: String = (0..20).map(|_| mixed(&mut rng, &mut map)).collect();
        let whole = converted(text.as_bytes(), 1 << 22, 1, Reading::Read);
        for chunk in [1, 100, 1000, 5000, 1 << 16] {
            for reading in [Reading::Auto, Reading::Read] {
                assert!(converted(text.as_bytes(), chunk, 3, reading) == whole, "chunks of {chunk}:\n{text}");
            }
        }
    }
}

#[test]
fn every_command_reads_a_grid_with_its_map() {
    let (mut rng, mut map) = (Rng(445), boxes());
    change(&mut rng, &mut map);
    let grid = written(&digits(&[0; 81], "."), Style::Compact);
    let letters = written(&signs(&map, |region| letter(region, b'A')), Style::Compact);
    let regions = written(&signs(&map, |region| (region + 1).to_string()), Style::Spaced);
    let commands = [
        &["convert", "--framing", "auto"][..],
        &["convert", "--framing", "grid"],
        &["validate", "--framing", "auto"],
        &["show"],
    ];
    let texts = [format!("{grid}\n{letters}"), format!("{grid}\n{regions}"), format!("{regions}\n{grid}")];
    for (text, command) in texts.iter().flat_map(|text| commands.map(|command| (text, command))) {
        let done = run(&mut gridmill(command), text.as_bytes());
        let is_read = command[0] == "validate" || done.text().contains("J9B") || done.text().contains("jigsaw");
        assert!(done.code == Some(0) && is_read, "{command:?}: {}{}", done.text(), done.stderr);
    }
    // One more cell in a region, and one less in another.
    let mut wrong = map;
    let other = (1..81).find(|&cell| map[cell] != map[0]).expect("regions");
    wrong[0] = map[other];
    let letters = written(&signs(&wrong, |region| letter(region, b'A')), Style::Compact);
    for command in commands {
        let done = run(&mut gridmill(command), format!("{grid}\n{letters}").as_bytes());
        let said = format!("{}{}", done.text(), done.stderr);
        assert!(
            done.code == Some(1) && said.contains("a map of letters") && said.contains("jigsaw"),
            "{command:?}: {said}"
        );
    }
    // Titles with numbers show that the map belongs to the grid above it.
    let one = |n: usize| format!("Puzzle {n}\n{grid}");
    let letters = written(&signs(&map, |region| letter(region, b'A')), Style::Compact);
    let found = boards(&format!("{}\n{}\n{letters}\n{}", one(1), one(2), one(3)));
    let kinds: Vec<_> = found.iter().map(|board| board.as_ref().map(|board| &board[..1])).collect();
    assert_eq!(kinds, [Ok("S"), Ok("J"), Ok("S")]);
    // Without them, it may belong to either.
    assert_eq!(
        boards(&format!("{grid}\n{letters}\n{grid}")),
        [Code::Ambiguous, Code::Unsupported, Code::Ambiguous].map(Err)
    );
    // A title of nine letters is text.
    for title in ["Difficult", "Beginners", "Difficult\nBeginners"] {
        let text = format!("{title}\n{grid}");
        let mut blocks = GridBlocks::new(text.as_bytes());
        assert!(blocks.by_ref().all(|block| block.cells.is_ok()));
        assert_eq!(blocks.lines_of_text(), title.lines().count() as u64);
    }
}
