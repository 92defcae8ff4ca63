//! A table of inputs as people have them: what happens to each, by itself and with `--framing auto`. None may be read as another board.

use crate::support::{Folder, PLAIN, run, shell, v2};

/// An input, and what becomes of it.
struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    /// What the reject row or the message says without any flags; nothing if it is read.
    plainly: &'static str,
    /// The flags that `auto` says, and how many boards they read; or what it says instead.
    auto: Result<(&'static str, usize), &'static str>,
}

fn case(
    name: &'static str,
    bytes: impl Into<Vec<u8>>,
    plainly: &'static str,
    auto: Result<(&'static str, usize), &'static str>,
) -> Case {
    Case { name, bytes: bytes.into(), plainly, auto }
}

/// The rows of the puzzle, each made by `row` of its nine cells.
fn rows(row: impl Fn(&str) -> String) -> String {
    let row = |cells: &[u8]| row(std::str::from_utf8(cells).expect("digits"));
    PLAIN.as_bytes().chunks(9).map(row).collect()
}

fn utf16(text: &str) -> Vec<u8> {
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

fn between(cells: &str, sign: &str) -> String {
    cells.chars().map(String::from).collect::<Vec<_>>().join(sign)
}

/// Several lines are one board.
fn grids() -> Vec<Case> {
    let grid = rows(|cells| format!("{cells}\n"));
    let array = rows(|cells| format!("[{}],", between(cells, ",")));
    let array = format!("[{}]", array.trim_end_matches(','));
    let ss = rows(|cells| format!("{}|{}|{}\n", &cells[..3], &cells[3..6], &cells[6..])).replace('0', ".");
    let ss: Vec<&str> = ss.lines().collect();
    let ss = [&ss[..3], &["-----------"], &ss[3..6], &["-----------"], &ss[6..]].concat().join("\n");
    let row = "it looks like a part of a sudoku over several lines: read those with --framing grid";
    let one = Ok(("--framing grid", 1));
    let two = Ok(("--framing grid", 2));
    vec![
        case("euler.txt", format!("Grid 01\n{grid}Grid 02\n{grid}"), row, two),
        case("titles.txt", format!("1. First\n{grid}\n2. Second\n{grid}"), row, two),
        case("code.txt", format!("[code]\n{grid}[/code]\n"), row, one),
        case("fence.txt", format!("```\n{grid}```\n"), row, one),
        case("spaces.txt", rows(|cells| format!("{}\n", between(cells, " "))), row, one),
        case("trailing-rows.txt", rows(|cells| format!("{cells}  \n")), row, one),
        case("commas.csv", rows(|cells| format!("{}\n", between(cells, ","))), row, one),
        case(
            "blanks.csv",
            rows(|cells| format!("{}\n", between(&cells.replace('0', " "), ",")).replace(' ', "")),
            "",
            one,
        ),
        case("array.json", format!("{array}\n"), "--framing grid", one),
        case("object.json", format!("{{\"puzzle\":{array}}}\n"), "--framing grid", one),
        case("arrays.jsonl.txt", format!("{array}\n{array}\n"), "--framing grid", two),
        case("two-in-a-line.json", format!("[{array},{array}]\n"), "--framing grid", Err("jq -c '.[]'")),
        case("a.sdk", format!("[Puzzle]\n{}", grid.replace('0', ".")), row, one),
        case("a.ss", ss, "", one),
    ]
}

/// A line is a board, or a word of it.
fn lines() -> Vec<Case> {
    let p = PLAIN;
    let one = |flags| Ok((flags, 1));
    let two = |flags| Ok((flags, 2));
    vec![
        case("a.sdm", format!("{p}\n{p}\n"), "", two("--framing lines")),
        case("no-end.txt", p, "", one("--framing lines")),
        case("crlf.txt", format!("{p}\r\n{p}\r\n"), "", two("--framing lines")),
        case("mark.txt", format!("\u{feff}{p}\n"), "", one("--framing lines")),
        case(
            "trailing.txt",
            format!("{p}   \n{p}\t\n"),
            "with space around: read it with --framing words",
            two("--framing words"),
        ),
        case(
            "note.txt",
            format!("# of a book\n{p} # hard\n{p}\n"),
            "word 1 of it is a well-formed string",
            two("--framing words"),
        ),
        case(
            "bank.txt",
            format!("0000183b305c {p} 1.2\n"),
            "--framing words --column 2",
            one("--framing words --column 2"),
        ),
    ]
}

/// A field of a row is a board, or of a line of JSON.
fn tables() -> Vec<Case> {
    let p = PLAIN;
    let one = |flags| Ok((flags, 1));
    let two = |flags| Ok((flags, 2));
    vec![
        case(
            "solution.txt",
            format!("{p},{p}\n"),
            "--framing csv --column 1",
            Err("in 1 and in 2; say which with --column"),
        ),
        case("solved.txt", format!("{p} {p}\n"), "--framing words --column 1", Err("word 1 and in word 2")),
        case(
            "quizzes.csv",
            format!("quizzes,solutions\n{p},{p}\n"),
            "--framing csv",
            Err("quizzes and in solutions; say which"),
        ),
        case(
            "rated.csv",
            format!("id,puzzle,clues\n1,{p},36\n2,\"{p}\",36\n"),
            "--framing csv --column 2",
            two("--framing csv --column puzzle"),
        ),
        case("one.csv", format!("puzzle\n{p}\n"), "length", one("--framing csv --column puzzle")),
        case(
            "half.csv",
            format!("id;puzzle\n1;{p}\n"),
            "--framing csv --delimiter ';'",
            one("--framing csv --delimiter ';' --column puzzle"),
        ),
        case("mariadb.tsv", format!("id\tbd\n1\t{p}\n2\tNULL\n"), "--framing tsv", one("--framing tsv --column bd")),
        case("pg.tsv", format!("1\t{p}\n2\t\\N\n"), "--framing tsv", one("--framing tsv --column 2 --no-header")),
        case(
            "a.jsonl",
            format!("{{\"n\":1,\"bd\":\"{p}\"}}\n{{\"bd\":null}}\n"),
            "--framing jsonl",
            one("--framing jsonl --field /bd"),
        ),
        case(
            "both.jsonl",
            format!("{{\"q\":\"{p}\",\"a\":\"{p}\"}}\n"),
            "--framing jsonl",
            Err("/a and in /q; say which with --field"),
        ),
        case(
            "page.html",
            format!("<a href=\"https://www.sudokuwiki.org/sudoku.htm?bd={p}\">\n"),
            "gridmill relink",
            one("--framing links"),
        ),
        case("cr.txt", format!("{p}\r{p}\r"), "carriage returns", Err("carriage returns")),
        case("cr.csv", format!("id,bd\r1,{p}\r"), "carriage returns", Err("carriage returns")),
        case(
            "utf16.txt",
            utf16(&format!("{p}\r\n{p}\r\n")),
            "UTF-16: make it UTF-8 first",
            Err("UTF-16: make it UTF-8 first"),
        ),
        case(
            "utf16.csv",
            utf16(&format!("id,bd\n1,{p}\n")),
            "UTF-16: make it UTF-8 first",
            Err("UTF-16: make it UTF-8 first"),
        ),
        case("prose.txt", "nothing\nlike a board\n", "length", Err("cannot be told")),
    ]
}

#[test]
fn what_happens_to_inputs_that_people_have() {
    let folder = Folder::new();
    let board = v2(PLAIN);
    for Case { name, bytes, plainly, auto } in grids().into_iter().chain(lines()).chain(tables()) {
        folder.write(name, &bytes);
        let go = |script: String| run(shell(&script).current_dir(folder.path()), b"");
        let done = go(format!("$G convert -q {name}"));
        let said = done.stderr.replace("\\x00", "");
        assert!(said.contains(plainly) && (plainly.is_empty() || done.code == Some(1)), "{name}: {said}");
        for input in [
            format!("$G convert --framing auto {name}"),
            format!("gzip -k {name}; $G convert --framing auto {name}.gz"),
        ] {
            let done = go(input);
            match auto {
                Ok((flags, boards)) => {
                    assert_eq!(done.code, Some(0), "{name}: {done:?}");
                    assert!(done.stderr.contains(&format!(": read with {flags}\n")), "{name}: {}", done.stderr);
                    assert_eq!(done.text().matches(&board).count(), boards, "{name}: {}", done.text());
                    assert_eq!(done.text().matches("S9B").count(), boards, "{name}: {}", done.text());
                    // Said by hand they do the same.
                    let said = go(format!("$G convert -q {flags} {name}"));
                    assert_eq!((said.code, said.text()), (Some(0), done.text()), "{name}: {said:?}");
                }
                Err(words) => {
                    assert!(done.code == Some(2) && done.stderr.contains(words), "{name}: {done:?}");
                    assert_eq!(done.text(), "", "{name}");
                }
            }
        }
    }
}

#[test]
fn a_flag_decides_between_columns_and_stdin_is_looked_at() {
    let text = format!("quizzes,solutions\n{PLAIN},x\n{PLAIN},{PLAIN}\n");
    let go = |args: &str| run(&mut shell(&format!("$G convert --framing auto {args}")), text.as_bytes());
    let done = go("--column quizzes");
    assert_eq!(
        done.text(),
        text.replacen(PLAIN, &v2(PLAIN), 1).replace(&format!("\n{PLAIN},"), &format!("\n{},", v2(PLAIN)))
    );
    assert!(
        done.stderr.starts_with("gridmill: <stdin>: read with --framing csv --column quizzes\n"),
        "{}",
        done.stderr
    );
    let folder = Folder::new();
    folder.write("a.csv", format!("bd\n{PLAIN}\n"));
    folder.write("b.sdm", format!("{PLAIN}\n"));
    let done = run(shell("$G convert --framing auto a.csv b.sdm").current_dir(folder.path()), b"");
    done.failed(&["a.csv is read with --framing csv --column bd, b.sdm with --framing lines"]);
}

#[test]
fn what_stands_for_no_string_and_for_an_empty_cell() {
    let text = format!("id,bd\n1,NULL\n2,{PLAIN}\n3,n/a\n4,\"n/a\"\n5,\n");
    let done = run(&mut shell("$G convert --framing csv --column bd --null n/a"), text.as_bytes());
    assert_eq!((done.code, done.text()), (Some(0), text.replace(PLAIN, &v2(PLAIN)).as_str()), "{done:?}");
    assert!(done.stderr.contains("1 record, 0 rejected, 4 rows without a string"), "{}", done.stderr);
    let quoted = run(&mut shell("$G convert -q --framing csv --column bd"), b"bd\n\"NULL\"\nNULL\n");
    assert_eq!((quoted.code, quoted.text()), (Some(1), "bd\nNULL\n"));
    for sign in [".", "_", "*", "0"] {
        let lines = format!("{PLAIN}\n{}\n{PLAIN}\n", v2(PLAIN));
        let done = run(shell("$G convert -q --to plain --blank \"$SIGN\"").env("SIGN", sign), lines.as_bytes());
        assert_eq!(done.text(), format!("{}\n", PLAIN.replace('0', sign)).repeat(3));
        assert_eq!(run(&mut shell("$G convert -q"), &done.stdout).text(), format!("{}\n", v2(PLAIN)).repeat(3));
    }
    run(&mut shell("$G convert --blank ."), b"").failed(&["--blank", "--to plain"]);
    run(&mut shell("$G convert --to plain --blank z"), b"").failed(&["an empty cell is one of 0 . _ - * x X ?"]);
}
