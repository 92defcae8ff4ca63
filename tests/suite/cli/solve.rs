//! `solve`, the columns that are added to rows and lines, and solutions that come with puzzles.

use gridmill::board::{Cell, Kind};
use gridmill::formats::{DecodedString, Evidence, Format, Hints, read_one, write_one};

use crate::support::{Done, Folder, HEADER, gridmill, row, run, shell, v2};

/// A puzzle with one solution, its solution, and the same puzzle without one of its clues.
const UNIQUE: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
const SOLUTION: &str = "693784512487512936125963874932651487568247391741398625319475268856129743274836159";
const SEVERAL: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000800000";

fn go(args: &str, stdin: &str) -> Done {
    run(&mut gridmill(args.split_whitespace()), stdin.as_bytes())
}

#[test]
fn solutions_take_the_place_of_lines() {
    let impossible = format!("5{}", &UNIQUE[1..]);
    let text = format!("# a\n{UNIQUE}\r\n\n{SEVERAL}\n{}\n{impossible}\n{UNIQUE}", v2(UNIQUE));
    let done = go("solve -q", &text);
    assert_eq!(done.code, Some(1));
    assert_eq!(done.text(), format!("# a\n{SOLUTION}\r\n\n{SOLUTION}\n{SOLUTION}"));
    let rejects = [
        HEADER.to_string(),
        row(4, 88, "-", "many-solutions", "the givens have at least 2 solutions", SEVERAL),
        row(6, 336, "-", "no-solution", "the givens have no solution", &impossible),
    ];
    assert_eq!(done.stderr, rejects.concat());
    assert_eq!(go("solve -q --bad keep", &format!("{SEVERAL}\n{UNIQUE}\n")).text(), format!("{SEVERAL}\n{SOLUTION}\n"));
    assert!(go("solve -q --effort 1", &format!("{SEVERAL}\n")).stderr.contains("\tundecided\t"));
    let grid = UNIQUE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n").collect::<String>();
    assert_eq!(go("solve -q --framing grid", &grid).good(), format!("{SOLUTION}\n").as_bytes());
    go("solve --framing links", UNIQUE).failed(&["cannot be written into links"]);
    go("solve --lossy", UNIQUE).failed(&["--to"]);
}

#[test]
fn solutions_are_written_as_boards_of_any_format() {
    for to in ["plain", "v0", "v1", "offset32", "v2", "wolfram"] {
        let solved = go(&format!("solve -q --to {to}"), &format!("{UNIQUE}\n")).good();
        let solved = String::from_utf8(solved).expect("text");
        let done = go(&format!("validate -q --level unique --solutions --from {to}"), &solved);
        assert_eq!(done.good(), format!("{}\t{SOLUTION}\n", solved.trim_end()).as_bytes(), "{to}");
    }
    // Clues stay clues.
    let solved = go("solve -q --to v2", &format!("{UNIQUE}\n")).good();
    let clues = go("validate -q --add clues", &String::from_utf8(solved).expect("text"));
    assert!(clues.text().ends_with("\t17\n"), "{}", clues.text());
}

/// Cells that the solver filled in were counted as read ones, if another board of the group was bad.
#[test]
fn only_cells_that_were_read_count_as_solved() {
    let args = "gen -q --kind str8ts --unique --count 3 --seed 5 --mix progress --format v1 --lossy";
    let made = String::from_utf8(go(args, "").good()).expect("text");
    let lines: Vec<_> = made.lines().collect();
    let damaged = format!("{}\n{}{}\n{}\n", lines[0], lines[1][2..4].repeat(4), &lines[1][8..], lines[2]);
    let read = |text: &str, args: &str| {
        let done = go(args, text);
        assert_eq!(done.code, Some(1), "{args}: {}", done.stderr);
        let told = done.stderr.split(", ").find(|part| part.contains(" cells read as solved")).map(str::to_string);
        told.unwrap_or_else(|| panic!("{args}: {}", done.stderr))
    };
    let want = read(&damaged, "validate --kind str8ts");
    assert_eq!(read(&damaged, "solve --kind str8ts"), want);
    assert_eq!(read(&damaged, "solve --kind str8ts --to v1"), want);
}

/// The board of a string.
fn board(line: &str) -> DecodedString {
    read_one(line.as_bytes(), None, &Hints::default(), &Evidence::default()).expect("a board")
}

/// Solved boards with three digits left out of each row, the others as clues, in v2. Puzzles with fewer clues of these
/// kinds and sides take too long to make.
fn nearly_solved(kind: Kind, side: u8) -> String {
    let solved = go(&format!("gen -q --kind {kind} --side {side} --count 2 --mix solved"), "").good();
    let without = |line: &str| {
        let mut one = board(line);
        let side = usize::from(side);
        for cell in 0..side * side {
            let (row, column) = (cell / side, cell % side);
            match one.batch.cell(0, cell) {
                Cell::Clue(_) | Cell::Solved(_) if [0, 5, 9].iter().any(|more| column == (7 * row + more) % side) => {
                    one.batch.set_cell(0, cell, Cell::Empty);
                }
                Cell::Solved(digit) => one.batch.set_cell(0, cell, Cell::Clue(digit)),
                _ => {}
            }
        }
        write_one(&one.batch, 0, Format::V2).expect("v2") + "\n"
    };
    String::from_utf8(solved).expect("text").lines().map(without).collect()
}

/// Checks that a solved board has the givens of its puzzle, a digit in each of the other white cells, and no digit twice
/// in a row or column. Returns how many cells were empty.
fn check_solution(puzzle: &str, solution: &str) -> usize {
    let (puzzle, solution) = (board(puzzle).batch, board(solution).batch);
    let side = puzzle.shape().side.get();
    let mut empty = 0;
    for cell in 0..side * side {
        let (before, after) = (puzzle.cell(0, cell), solution.cell(0, cell));
        match before {
            Cell::Empty | Cell::Candidates(_) => {
                assert!(matches!(after, Cell::Solved(_)), "{before:?} {after:?}");
                empty += 1;
            }
            given => assert_eq!(given, after),
        }
    }
    for line in 0..side {
        for cells in [0, 1].map(|way| (0..side).map(move |i| [side * line + i, side * i + line][way])) {
            let mut digits: Vec<u8> = cells.map(|cell| solution.cell(0, cell).digit()).filter(|&d| d > 0).collect();
            digits.sort_unstable();
            assert!(digits.windows(2).all(|two| two[0] < two[1]), "{digits:?}");
        }
    }
    empty
}

/// Puzzles of every kind and side are solved, all of them. The result is complete, breaks no rule and has the givens.
#[test]
fn every_kind_is_solved() {
    for (kind, &side) in Kind::all().flat_map(|kind| kind.rules().sides.iter().map(move |side| (kind, side))) {
        if matches!(kind, Kind::Windoku | Kind::ColourSudoku) && side != 9 {
            continue; // no such boards are made
        }
        let count = if side == 9 { 4 } else { 2 };
        let puzzles = match side {
            25 if !kind.rules().straights => nearly_solved(kind, side),
            16 if kind.has_operators() => nearly_solved(kind, side),
            _ => {
                // Others may have few empty cells.
                let minimal = if side >= 16 && kind.rules().straights { "--minimal" } else { "" };
                let args = format!("gen -q --unique --kind {kind} --side {side} --count {count} --mix clues {minimal}");
                String::from_utf8(go(&args, "").good()).expect("text")
            }
        };
        let solved = go("solve -q --to v2", &puzzles);
        assert_eq!((solved.text().lines().count(), solved.stderr.as_str()), (count, ""), "{kind} {side}");
        let text = solved.text().to_string();
        for (puzzle, solution) in puzzles.lines().zip(text.lines()) {
            let empty = check_solution(puzzle, solution);
            assert!(side < 16 || empty >= 40, "{kind} {side}: only {empty} empty cells");
        }
        assert_eq!(go("validate -q --level unique", &text).good(), b"", "{kind} {side}");
        let whole = go("validate -q --level syntax --add solution", &text);
        assert!(whole.text().lines().all(|line| !line.ends_with('\t')), "{kind} {side}");
        assert_eq!(go("solve -q", &puzzles).good(), go("solve -q", &text).good(), "{kind} {side}");
    }
}

#[test]
fn solutions_go_into_a_column() {
    let csv = format!("id,puzzle,x\r\n1,{UNIQUE},\"a,\"\"b\"\r\n2,,c\r\n3,\"{UNIQUE}\",d\r\n4,{SEVERAL},e\r\n");
    let column = |name: &str| {
        format!("id,puzzle,x,{name}\r\n1,{UNIQUE},\"a,\"\"b\",{SOLUTION}\r\n2,,c,\r\n3,\"{UNIQUE}\",d,{SOLUTION}\r\n")
    };
    let done = go("solve -q --framing csv --column puzzle", &csv);
    assert_eq!((done.code, done.text()), (Some(1), column("solution").as_str()));
    assert_eq!(go("solve -q --framing csv --column puzzle --to-column x2", &csv).text(), column("x2"));
    go("solve --framing csv --column puzzle --to-column x", &csv).failed(&["column \"x\" already exists"]);
    let validated = go("validate -q --level unique --solutions --solution-name y --framing csv --column puzzle", &csv);
    assert_eq!(validated.text(), column("y"));
    go("validate --level unique --solution-name y", UNIQUE).failed(&["--solutions"]);
    let json = format!("{{\"p\":\"{UNIQUE}\",\"n\":1}}\n{{\"p\":null}}\n{{\"p\":[\"{UNIQUE}\",\"{UNIQUE}\"]}}\n");
    let added = format!(
        "{{\"p\":\"{UNIQUE}\",\"n\":1,\"solution\":\"{SOLUTION}\"}}\n{{\"p\":null,\"solution\":null}}\n\
         {{\"p\":[\"{UNIQUE}\",\"{UNIQUE}\"],\"solution\":[\"{SOLUTION}\",\"{SOLUTION}\"]}}\n"
    );
    assert_eq!(go("solve -q --framing jsonl --field /p", &json).good(), added.as_bytes());
    let as_v2 = go("solve -q --framing jsonl --field /p --to v2", &json).good();
    assert_eq!(String::from_utf8_lossy(&as_v2).matches("S9B").count(), 3);
}

#[test]
fn columns_are_added() {
    let symmetric = format!("{}5{}", "1".repeat(0) + &"0".repeat(40), "0".repeat(40));
    let text = format!("# a\n{UNIQUE}\r\n{SEVERAL}\n{symmetric}");
    let all = "clues,solutions,nodes,kind,format,solution,symmetric";
    let done = go(&format!("validate -q --add {all}"), &text);
    let expected = format!(
        "# a\n{UNIQUE}\t17\t1\t1\tsudoku\tplain\t{SOLUTION}\tfalse\r\n{SEVERAL}\t16\t2\t\tsudoku\tplain\t\tfalse\n\
         {symmetric}\t1\t2\t\tsudoku\tplain\t\ttrue"
    );
    assert_eq!(done.good(), expected.as_bytes());
    // With a limit above the number of solutions, the whole search is done.
    let more = go("validate -q --level syntax --add solutions,nodes --max-solutions 10000", &format!("{SEVERAL}\n"));
    let more = more.text().trim_end().split('\t').skip(1).map(|number| number.parse::<u32>().expect("a number"));
    let [solutions, nodes] = more.collect::<Vec<_>>().try_into().expect("two columns");
    assert!(solutions > 2 && nodes >= 2 * solutions - 1, "{solutions} {nodes}");
    let csv = format!("id,p\n1,{UNIQUE}\n2,\n");
    let done = go("convert -q --to v1 --framing csv --column p --to-column n --add nodes=how_hard,clues", &csv);
    let converted = String::from_utf8(go("convert -q --to v1", UNIQUE).good()).expect("text");
    let expected = format!("id,p,n,how_hard,clues\n1,{UNIQUE},{converted},1,17\n2,,,,\n");
    assert_eq!(done.good(), expected.as_bytes());
    assert_eq!(go("solve -q --add symmetric", UNIQUE).good(), format!("{SOLUTION}\tfalse").as_bytes());
    let json =
        go("validate -q --add clues,symmetric,kind --framing jsonl --field /p", &format!("{{\"p\":\"{UNIQUE}\"}}"));
    let expected = format!("{{\"p\":\"{UNIQUE}\",\"clues\":17,\"symmetric\":false,\"kind\":\"sudoku\"}}");
    assert_eq!(json.good(), expected.as_bytes());
    let words = format!("# a\n0000183b305c {UNIQUE}  1.2\r\nab {UNIQUE}");
    let done = go("validate -q --framing words --column 2 --add clues,kind=k,nodes", &words);
    let expected = format!("# a\n0000183b305c {UNIQUE}  1.2\t17\tsudoku\t1\r\nab {UNIQUE}\t17\tsudoku\t1");
    assert_eq!(done.good(), expected.as_bytes());
    let solved = go("solve -q --framing words --column 2 --add clues", &words);
    let expected = format!("# a\n0000183b305c {SOLUTION}  1.2\t17\r\nab {SOLUTION}\t17");
    assert_eq!(solved.good(), expected.as_bytes());
    go("convert --framing words --to-column x", "").failed(&["tables and JSON lines"]);
    go("validate --add cluse", "").failed(&["cluse", "clues, solutions, nodes"]);
    go("validate --add clues=", "").failed(&["clues=", "name"]);
    go("validate --add clues,nodes=clues", "").failed(&["two appended columns", "clues"]);
    go("validate --add clues --framing grid", "").failed(&[
        "lines",
        "csv, tsv or jsonl",
        "gridmill convert --framing grid",
    ]);
    go("validate --add clues --framing links", "").failed(&["lines", "csv, tsv or jsonl"]);
    go("validate --add clues --framing tsv --delimiter 1 --column 1", "a\n").failed(&["use csv"]);
}

/// Facts about a puzzle do not depend on the kernel, the threads or the chunks.
#[test]
fn added_columns_depend_on_the_record_alone() {
    let folder = Folder::new();
    let make = "for kind in sudoku sudoku-x windoku jigsaw killer str8ts kenken; do $G gen -q --kind $kind --count 90 --mix clues; done > in
        $G gen -q --count 300 --unique --clues 24 >> in; $G gen -q --count 3 --side 16 >> in; shuf --random-source=in in > mixed";
    assert_eq!(run(shell(make).current_dir(folder.path()), b"").stderr, "");
    let kernels = gridmill::kernels::available().into_iter().map(|kernel| kernel.name);
    let mut before: Option<Vec<u8>> = None;
    for (kernel, threads) in kernels.flat_map(|kernel| [(kernel, "1"), (kernel, "3")]) {
        let args = ["validate", "-q", "--add", "clues,solutions,nodes,solution,symmetric", "-j", threads, "mixed"];
        let done = run(gridmill(args).current_dir(folder.path()).env("GRIDMILL_KERNEL", kernel), b"");
        let found = done.good();
        assert_eq!(found.iter().filter(|byte| **byte == b'\n').count(), 90 * 7 + 303);
        if let Some(before) = &before {
            assert!(*before == found, "{kernel} {threads}");
        }
        before = Some(found);
    }
}

/// The output of `solve`, also without --to, is read as the solution of its puzzle.
#[test]
fn solutions_read_back() {
    let all = Kind::all().map(|kind| (kind, 9));
    let others = [(Kind::Sudoku, 6), (Kind::Sudoku, 16), (Kind::Str8ts, 6), (Kind::KenKen, 5)];
    for (kind, side) in all.chain(others) {
        let made = go(&format!("gen -q --kind {kind} --side {side} --count 3 --unique --mix clues"), "");
        let solved = go("solve -q", made.text());
        let solutions = String::from_utf8(solved.good()).expect("text");
        assert_eq!(solutions.lines().count(), 3, "{kind} {side}");
        assert_eq!(go("validate -q", &solutions).good(), b"", "{kind} {side}");
        let is_digits = solutions.lines().all(|line| line.len() == 81);
        assert!(
            is_digits || solutions.lines().all(|line| line.len() > 3 && line.starts_with(&made.text()[..3])),
            "{kind} {side}"
        );
        let digits = |text: &str| go("validate -q --level unique --solutions", text).text().to_string();
        let last =
            |text: &str| text.lines().map(|line| line.rsplit('\t').next().map(str::to_string)).collect::<Vec<_>>();
        if !is_digits {
            assert_eq!(last(&digits(&solutions)), last(&digits(made.text())), "{kind} {side}");
        }
    }
}
