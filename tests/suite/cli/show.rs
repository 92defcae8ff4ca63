//! `show` and `bench`, and the published examples.

use gridmill::board::{Cell, Kind, Side};
use gridmill::make::Mix;
use serde_json::Value;

use crate::support::{Folder, PLAIN, gridmill, have, run, shell};

/// The example in the technical note on wolfram strings: a sudoku X with 18 clues.
const WOLFRAM: &str = "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq||||v1X6ibxszaEMven0GdI524QPixLTK";
const WOLFRAM_V2: &str = "X9B00020009000000000000000908020000000000000000000500000000030000000000000000000000040007010000000\
                          0000000000000000900070001030000000000000000000001000702000500000000";
/// The candidate lists printed there, of the cells without a clue, in order.
const LISTS: [u32; 63] = [
    15678, 1345678, 1367, 3467, 14568, 345678, 35678, 134567, 156, 3467, 1456, 3567, 34567, 134678, 1468, 1678, 1346,
    1367, 12689, 2346789, 2346789, 12456789, 145678, 1256, 16789, 26789, 245689, 245689, 245689, 25689, 568, 568, 2356,
    23689, 235689, 12456789, 14568, 145678, 12356, 136789, 26789, 245689, 2345689, 2345689, 4568, 568, 68, 24568,
    24568, 34568, 568, 34568, 2346, 3689, 234689, 245689, 256789, 1368, 346, 34689, 4689, 4689, 689,
];

#[test]
fn the_example_of_the_wolfram_note() {
    let to = |args: &[&str], text: &str| {
        let out = run(&mut gridmill([&["convert", "-q"], args].concat()), format!("{text}\n").as_bytes()).good();
        String::from_utf8(out).unwrap().trim_end().to_string()
    };
    assert_eq!(to(&[], WOLFRAM), WOLFRAM_V2);
    assert_eq!(to(&["--to", "wolfram"], WOLFRAM_V2), WOLFRAM);
    let with_notes = to(&["--notes", "auto"], WOLFRAM);
    let one =
        gridmill::formats::read_one(with_notes.as_bytes(), None, &Default::default(), &Default::default()).unwrap();
    let lists: Vec<u32> = (0..81)
        .filter_map(|cell| match one.batch.cell(0, cell) {
            Cell::Candidates(mask) => {
                Some((1..=9).filter(|d| mask >> (d - 1) & 1 == 1).fold(0, |list, d| list * 10 + d))
            }
            Cell::Clue(_) => None,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(lists, LISTS);
}

#[test]
fn the_example_of_the_str8ts_page() {
    let v1 = "0vo03c0vc0js0vk0us0vg0021030ro03c1rc1js1rk1qs1rg0410q010100h0vc0jc0v40uc0v00q00u00uo0020021i81sk0130020q00s00\
              p00q000j0021v41u80740020020ng0m01n00810091mk07k01g0jk0u01010u00m00u000200901g01k0v00u000206007g06807g00503o0070\
              u01v01m01vg0eg07g00803g\n";
    let v2 = "T9B7u1j7r577t7n7s0a0j6y1jdzcbe1dve0066k09037r537p7j7o6k7g7m0a0abye90e0a6k706c6k0d0aetem2d0a0a605od00702cx2h14557g\
              097g5o7g0a0214157o7g0a242g262g011m0b7gescsew402g0l1k\n";
    assert_eq!(run(&mut gridmill(["convert", "-q"]), v1.as_bytes()).good(), v2.as_bytes());
    assert_eq!(run(&mut gridmill(["convert", "-q", "--to", "v1"]), v2.as_bytes()).good(), v1.as_bytes());
}

/// One board of every kind and side, as text. (Making the largest boards of some kinds takes a while.)
fn boards(mix: Mix) -> Vec<String> {
    let mut all = Vec::new();
    for kind in Kind::all() {
        for side in Side::all().filter(|side| side.get() < 16 || mix == Mix::Progress && !kind.has_black()) {
            let args = ["gen", "--count", "1", "--kind", kind.name(), "--mix", mix.name(), "--side"];
            let done = run(gridmill(args).arg(side.to_string()).arg("-q"), b"");
            if done.code == Some(0) {
                all.push(done.text().to_string());
            }
        }
    }
    assert!(all.len() > 30, "{}", all.len());
    all
}

#[test]
fn every_kind_and_side_is_drawn_in_every_way() {
    for mix in [Mix::Progress] {
        for board in boards(mix) {
            let show = |args: &[&str]| {
                run(&mut gridmill([&["show", "--str8ts-layout", "spec"], args].concat()), board.as_bytes()).good()
            };
            let plain = String::from_utf8(show(&[])).unwrap();
            assert!(plain.starts_with("v2, ") && plain.contains("as v1: "), "{plain}");
            assert!(!plain.contains('\x1b'));
            assert!(show(&["--ascii"]).is_ascii());
            assert!(String::from_utf8(show(&["--color", "always"])).unwrap().contains('\x1b'));
            let json: Value = serde_json::from_slice(&show(&["--json"])).unwrap();
            let side = json["side"].as_u64().unwrap() as usize;
            assert_eq!(json["board"]["cells"].as_array().unwrap().len(), side);
            assert_eq!(json["string"], board.trim_end());
            let svg = String::from_utf8(show(&["--svg", "-"])).unwrap();
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        }
    }
}

#[test]
fn show_says_what_is_wrong_and_draws_the_rest() {
    let done = run(&mut gridmill(["show", PLAIN, "5\x1b[31m"]), b"");
    assert_eq!(done.code, Some(1));
    assert!(done.text().contains("plain, sudoku 9x9"), "{}", done.text());
    assert!(done.stderr.contains("string 2: length") && !done.stderr.contains('\x1b'), "{}", done.stderr);
    let folder = Folder::new();
    folder.write("boards.txt", PLAIN);
    let done = run(gridmill(["show", "boards.txt"]).current_dir(folder.path()), b"");
    assert!(done.text().contains("plain, sudoku 9x9: 46 clues"), "{}", done.text());
    let done = run(gridmill(["show", "none.txt"]).current_dir(folder.path()), b"");
    assert!(done.code == Some(1) && done.stderr.contains("there is no file of this name"), "{}", done.stderr);
    let draw = |args: &[&str]| {
        run(gridmill([&["show", PLAIN, "--svg", "x.svg"], args].concat()).current_dir(folder.path()), b"")
    };
    draw(&[]).good();
    draw(&[]).failed(&["x.svg"]);
    draw(&["-f"]).good();
    assert_eq!(run(&mut shell("$G show --ascii < /dev/null"), b"").code, Some(0));
}

/// The page of a link says of which kind its board is.
#[test]
fn a_link_is_drawn_with_the_kind_of_its_page() {
    let done = run(&mut gridmill(["show", &format!("https://www.sudokuwiki.org/windoku.htm?bd={PLAIN}"), PLAIN]), b"");
    let kinds: Vec<_> = done.text().lines().filter(|line| line.contains("9x9")).collect();
    assert!(kinds.len() == 2 && kinds[0].contains("windoku") && kinds[1].contains("sudoku 9x9"), "{kinds:?}");
    let done = run(&mut gridmill(["show", "https://example.org/?x=1"]), b"");
    assert!(done.code == Some(1) && done.stderr.contains("string 1: "), "{}", done.stderr);
}

/// There was one message, and one call to write it, for each of thousands of bad strings.
#[test]
fn many_bad_strings_are_counted() {
    let show = |text: &str| run(&mut gridmill(["show", "--json"]), text.as_bytes());
    for (bad, last) in [
        (20, "string 20: length"),
        (21, "and 1 more string was rejected"),
        (10_240, "and 10,220 more strings were rejected"),
    ] {
        let done = show(&"a\n".repeat(bad));
        assert_eq!((done.code, done.text().lines().count()), (Some(1), 0), "{bad}");
        let told: Vec<_> = done.stderr.lines().collect();
        assert_eq!(told.len(), bad.min(21), "{}", done.stderr);
        assert!(told[0].starts_with("gridmill: string 1: length"), "{}", told[0]);
        assert!(told[told.len() - 1].contains(last), "{}", done.stderr);
    }
    // A message comes before the drawings that follow it.
    let done = run(&mut shell(&format!("$G show a {PLAIN} b --json 2>&1")), b"");
    let starts: Vec<_> = done.text().lines().map(|line| &line[..1]).collect();
    assert_eq!(starts, ["g", "{", "g"], "{}", done.text());
}

/// The board was drawn, and nothing was said about the rest.
#[test]
fn lines_around_grids_are_counted() {
    let grid: String = PLAIN.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect();
    let few = &grid[..40];
    for (text, code, boards, told) in [
        (format!("{grid}a\n"), 1, 1, "1 line of text belongs to no grid and was not read; the first (line 10): a"),
        (
            format!("{grid}\na\nb\n"),
            1,
            1,
            "2 lines of text belong to no grid and were not read; the first (line 11): a",
        ),
        (format!("a\nb\n{grid}"), 1, 1, "2 lines of text belong to no grid and were not read; the first (line 1): a"),
        // Titles are no boards that somebody might miss.
        (format!("Grid 1\n{grid}# a comment\nGrid 2\n\n{grid}"), 0, 2, "2 lines of text belong to no grid"),
        (format!("# a comment\n{grid}\n# another\n"), 0, 1, ""),
        (format!("{grid}\n\nGrid 2\n{few}"), 1, 1, "1 of its grids is not a board; the first (line 13): length"),
    ] {
        let done = run(&mut gridmill(["show"]), text.as_bytes());
        let drawn = done.text().matches("grid, sudoku 9x9").count();
        assert_eq!((done.code, drawn), (Some(code), boards), "{text}{}", done.stderr);
        assert!(done.stderr.contains(told) && done.stderr.is_empty() == told.is_empty(), "{text}{}", done.stderr);
    }
    // Rows of tables, too, which are counted but did not change the exit code.
    let rows = format!("{{\"board\":\"{PLAIN}\"}}\n").repeat(3) + "{\"board\":1}\n";
    let done = run(&mut gridmill(["show"]), rows.as_bytes());
    assert_eq!((done.code, done.text().matches("plain, sudoku 9x9").count()), (Some(1), 3), "{}", done.stderr);
    assert!(done.stderr.contains("1 of its rows is not a board; the first (line 4): column"), "{}", done.stderr);
}

#[test]
fn files_are_drawn_however_strings_stand_in_them() {
    let folder = Folder::new();
    let grid: String = PLAIN.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect();
    folder.write("two.txt", format!("Grid 01\n{grid}Grid 02\n{grid}"));
    folder.write("table.csv", format!("id,bd\n1,{PLAIN}\n"));
    folder.write("packed.gz", crate::support::gzip(format!("# note\n{PLAIN}\n{PLAIN}\n").as_bytes()));
    folder.write("both.csv", format!("a,b\n{PLAIN},{PLAIN}\n"));
    let show = |args: &str, stdin: &[u8]| run(gridmill(args.split(' ')).current_dir(folder.path()), stdin);
    for (file, boards) in [("two.txt", 2), ("table.csv", 1), ("packed.gz", 2), ("two.txt table.csv", 3)] {
        let done = show(&format!("show {file}"), b"");
        assert_eq!(
            (done.code, done.text().matches("sudoku 9x9: 46 clues, 35 empty").count()),
            (Some(0), boards),
            "{file}"
        );
    }
    assert_eq!(show("show", &folder.read("two.txt")).text().matches("grid, sudoku 9x9").count(), 2);
    show("show both.csv", b"").failed(&["both.csv", "a (column 1) and in b (column 2)", "--column"]);
    assert_eq!(show("show --column b both.csv", b"").text().matches("sudoku 9x9").count(), 1);
    // A file that is drawn is not an input.
    show("show table.csv --svg table.csv -f", b"").failed(&["table.csv", "is also an input"]);
}

#[test]
fn drawings_fit_the_terminal() {
    let folder = Folder::new();
    for (name, kind) in [("sudoku", "sudoku"), ("killer", "killer"), ("kenken", "kenken")] {
        let made = run(&mut gridmill(["gen", "-q", "--count", "1", "--kind", kind]), b"").good();
        folder.write(name, made);
        let done = run(gridmill(["show", "--compact", name]).current_dir(folder.path()), b"");
        let most =
            done.text().lines().filter(|line| line.starts_with(['┏', '┃'])).map(|line| line.chars().count()).max();
        assert!(most.is_some_and(|most| most <= 37), "{most:?} {}", done.text());
        assert!(done.text().contains("(without candidates)"), "{}", done.text());
    }
    if !have("script", "--version") {
        return;
    }
    let drawn = |columns: usize| {
        let script = format!("script -qec 'stty cols {columns}; NO_COLOR=1 $G show sudoku' /dev/null");
        run(shell(&script).current_dir(folder.path()), b"").text().replace('\r', "")
    };
    let width = |text: &str| text.lines().filter(|line| line.starts_with('┏')).map(|line| line.chars().count()).max();
    assert_eq!(width(&drawn(80)), Some(73));
    let narrow = drawn(60);
    assert_eq!(width(&narrow), Some(28));
    assert!(
        narrow.contains("(without candidates; with them, it needs 73 columns, but this terminal has 60)"),
        "{narrow}"
    );
    assert!(drawn(12).contains("(the drawing needs 28 columns, but this terminal has 12; use --svg FILE)"));
}

#[test]
fn sheets_have_columns_captions_and_themes() {
    let folder = Folder::new();
    let made = run(&mut gridmill(["gen", "-q", "--count", "5", "--mix", "clues"]), b"").good();
    let show = |args: &str| run(gridmill(args.split_whitespace()).current_dir(folder.path()), &made);
    let svg = |args: &str| String::from_utf8(show(&format!("show --svg - {args}")).good()).expect("UTF-8");
    let size = |svg: &str| {
        svg.split('"').skip(3).step_by(2).take(2).map(|text| text.parse().unwrap_or(0.0)).collect::<Vec<f64>>()
    };
    let (one, three) = (svg("--columns 1"), svg(""));
    let [narrow, wide] = [&one, &three].map(|svg| size(svg));
    assert!(wide[0] > narrow[0] * 2.9 && wide[1] < narrow[1] / 2.0, "{narrow:?} {wide:?}");
    for number in 1..=5 {
        assert!(three.contains(&format!(">{number}. sudoku 9x9, ")), "{number}");
    }
    assert!(!three.contains("<style>") && svg("--theme auto").contains("prefers-color-scheme:dark"));
    assert!(!svg("--theme dark").contains("\"#fff\""));
    show("show --svg board-{}.svg").good();
    let names: Vec<_> = (1..=5).map(|number| format!("board-{number}.svg")).collect();
    assert_eq!(folder.names(), names);
    names.iter().for_each(|name| assert!(folder.text(name).trim_end().ends_with("</svg>"), "{name}"));
    show("show --svg board-{}.svg").failed(&["board-1.svg", "-f/--force"]);
    show("show --svg board-{}.svg -f --theme dark").good();
    show("show --theme dark").failed(&["--svg"]);
}

#[test]
fn bench_measures_what_it_is_asked_to() {
    let args = ["bench", "--size", "1", "--runs", "1", "--format", "v1", "--kind", "sudoku", "--json", "-j", "2"];
    let report: Value = serde_json::from_slice(&run(&mut gridmill(args), b"").good()).unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["task"] == "convert to v2" && row["threads"] == 2));
    assert!(rows.iter().all(|row| row["lines_per_second"].as_f64().unwrap() > 0.0));
    let folder = Folder::new();
    folder.write("in.txt", format!("# two\n{PLAIN}\nbad\n"));
    let done = run(gridmill(["bench", "in.txt", "--runs", "1", "--svg", "x.svg"]).current_dir(folder.path()), b"");
    assert!(done.code == Some(0) && done.text().contains("convert to v2"), "{done:?}");
    assert!(done.stderr.contains("in.txt: 1 of 2 records cannot be read"), "{}", done.stderr);
    assert!(String::from_utf8(folder.read("x.svg")).unwrap().ends_with("</svg>\n"));
    let args = ["bench", "--summary", "--size", "1", "--runs", "1", "-j", "2", "--json"];
    let figures: Value = serde_json::from_slice(&run(&mut gridmill(args), b"").good()).unwrap();
    let rows = figures["rows"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["what"].as_str().and_then(|name| name.split(':').next())).collect();
    assert_eq!(names, ["decode", "convert", "convert", "unique", "canon", "grade"].map(Some));
    assert!(rows.iter().all(|row| row["lines_per_second"].as_f64() > Some(0.0)), "{rows:?}");
    let args = ["bench", "--level", "unique", "--kind", "kenken", "--runs", "1", "-j1", "--svg", "y.svg"];
    let done = run(gridmill(args).current_dir(folder.path()), b"");
    assert!(String::from_utf8(done.good()).unwrap().contains("validate unique"));
    let chart = String::from_utf8(folder.read("y.svg")).unwrap();
    for words in ["puzzles a second", "logarithmic scale", ">1 thread<", "k/s<"] {
        assert!(chart.contains(words), "{words}: {chart}");
    }
    run(&mut gridmill(["bench", "--format", "v0", "--kind", "killer"]), b"").failed(&["--format and --kind"]);
    run(gridmill(["bench", "none.txt"]).current_dir(folder.path()), b"").failed(&["none.txt"]);
}

/// A file with a column of numbers and columns of strings, in both formats.
#[cfg(feature = "parquet")]
fn write_columns(folder: &Folder, name: &str, strings: &[(&str, &[Option<&str>])]) {
    use std::fs::File;
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::writer::SerializedFileWriter;

    let columns = strings.iter().map(|(name, strings)| (*name, Arc::new(StringArray::from_iter(*strings)) as ArrayRef));
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..strings[0].1.len() as i64));
    let batch = RecordBatch::try_from_iter([("id", numbers)].into_iter().chain(columns)).expect("a batch");
    let file = File::create(folder.at(&format!("{name}.arrow"))).expect("a file");
    let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &batch.schema()).expect("a writer");
    (0..2).for_each(|_| writer.write(&batch).expect("a batch"));
    writer.finish().expect("the end");
    let fields: String = strings.iter().map(|(name, _)| format!("optional binary {name} (UTF8); ")).collect();
    let schema = parquet::schema::parser::parse_message_type(&format!("message m {{ {fields}}}")).expect("a schema");
    let file = File::create(folder.at(&format!("{name}.parquet"))).expect("a file");
    let mut writer = SerializedFileWriter::new(file, schema.into(), Arc::default()).expect("a writer");
    for _ in 0..2 {
        let mut group = writer.next_row_group().expect("a row group");
        for (_, strings) in strings {
            let mut column = group.next_column().expect("a column").expect("one more");
            let values: Vec<ByteArray> = strings.iter().flatten().map(|string| (*string).into()).collect();
            let defined: Vec<_> = strings.iter().map(|string| i16::from(string.is_some())).collect();
            column.typed::<ByteArrayType>().write_batch(&values, Some(&defined), None).expect("strings");
            column.close().expect("its end");
        }
        group.close().expect("its end");
    }
    writer.close().expect("the end");
}

/// The strings of a column are drawn as those of a table are, with the numbers of their rows.
#[cfg(feature = "parquet")]
#[test]
fn the_strings_of_columns_are_drawn() {
    let folder = Folder::new();
    let boards = [Some(PLAIN), None, Some("bad"), Some(PLAIN)];
    write_columns(&folder, "one", &[("board", &boards)]);
    write_columns(&folder, "two", &[("question", &boards), ("answer", &[None, None, None, Some(PLAIN)])]);
    for ending in ["parquet", "arrow"] {
        let show = |name: &str, more: &[&str]| {
            let name = format!("{name}.{ending}");
            run(gridmill([&["show", &name], more].concat()).current_dir(folder.path()), b"")
        };
        let done = show("one", &[]);
        assert_eq!((done.code, done.text().matches("plain, sudoku 9x9").count()), (Some(1), 4), "{done:?}");
        assert!(done.stderr.contains("string 3: ") && done.stderr.contains("string 7: "), "{done:?}");
        show("two", &[]).failed(&["use --column to name the column with the strings", "question, answer"]);
        show("two", &["--column", "none"]).failed(&["there is no column of strings \"none\""]);
        show("two", &["--column", "number:1"]).failed(&["give the name of the column"]);
        show("two", &["--column", "answer", "--field", "/a"]).failed(&["--field is for JSON lines"]);
        let done = show("two", &["--column", "answer", "--json"]);
        assert_eq!((done.code, done.text().lines().count(), done.stderr.as_str()), (Some(0), 2, ""));
        // The number of a column that is there is its name; damage is no board.
        assert_eq!(show("two", &["--column", "name:answer", "--svg", "-"]).code, Some(0));
        let mut damaged = folder.read(&format!("one.{ending}"));
        let length = damaged.len();
        damaged[length / 2..length - 8].fill(0xff);
        folder.write(&format!("bad.{ending}"), &damaged);
        show("bad", &[]).failed(&["bad."]);
    }
}

/// Other builds say how to build one that can.
#[cfg(not(feature = "parquet"))]
#[test]
fn files_with_columns_need_another_build() {
    let folder = Folder::new();
    folder.write("t.parquet", b"PAR1\x15\0\0PAR1");
    folder.write("t.arrow", b"ARROW1\0\0ARROW1");
    for name in ["t.parquet", "t.arrow"] {
        let done = run(gridmill(["show", name]).current_dir(folder.path()), b"");
        done.failed(&["built without Parquet and Arrow support; build it with cargo build --release --all-features"]);
    }
}
