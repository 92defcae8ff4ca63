//! A table of inputs as people have them, each read by itself and with `--framing auto`. None may be read as another
//! board.

use crate::support::{Folder, PLAIN, gridmill, gzip, run, shell, v2};

/// An input, and what happens to it.
struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    /// A part of the reject's message or of the error without flags; `None` if it is read.
    plainly: &'static str,
    /// The flags that `auto` finds and the number of boards they read; or its message.
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

/// The rows of the puzzle, each made by `row` from its nine cells.
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

/// Inputs in which several lines are one board.
fn grids() -> Vec<Case> {
    let grid = rows(|cells| format!("{cells}\n"));
    let array = rows(|cells| format!("[{}],", between(cells, ",")));
    let array = format!("[{}]", array.trim_end_matches(','));
    let ss = rows(|cells| format!("{}|{}|{}\n", &cells[..3], &cells[3..6], &cells[6..])).replace('0', ".");
    let ss: Vec<&str> = ss.lines().collect();
    let ss = [&ss[..3], &["-----------"], &ss[3..6], &["-----------"], &ss[6..]].concat().join("\n");
    let row = "it looks like part of a sudoku over several lines; read it with --framing grid";
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

/// Inputs in which a line is a board, or a word of it is.
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
            "surrounded by spaces; read it with --framing words",
            two("--framing words"),
        ),
        case(
            "note.txt",
            format!("# of a book\n{p} # hard\n{p}\n"),
            "word 1 is a well-formed string",
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

/// Inputs in which a field is a board, in rows or JSON lines.
fn tables() -> Vec<Case> {
    let p = PLAIN;
    let one = |flags| Ok((flags, 1));
    let two = |flags| Ok((flags, 2));
    vec![
        case(
            "solution.txt",
            format!("{p},{p}\n"),
            "--framing csv --column 1",
            Err("in column 1 and in column 2; choose one, for example with --framing csv --column 1 --no-header"),
        ),
        case("solved.txt", format!("{p} {p}\n"), "--framing words --column 1", Err("word 1 and in word 2")),
        case(
            "quizzes.csv",
            format!("quizzes,solutions\n{p},{p}\n"),
            "--framing csv",
            Err("quizzes (column 1) and in solutions (column 2); choose one"),
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
            Err("/a and in /q; choose one, for example with --framing jsonl --field /a"),
        ),
        case(
            "page.html",
            format!("<a href=\"https://www.sudokuwiki.org/sudoku.htm?bd={p}\">\n"),
            "gridmill relink",
            one("--framing links"),
        ),
        case("cr.txt", format!("{p}\r{p}\r"), "carriage returns", Err("carriage returns")),
        case("cr.csv", format!("id,bd\r1,{p}\r"), "carriage returns", Err("carriage returns")),
        case("utf16.txt", utf16(&format!("{p}\r\n{p}\r\n")), "", Ok(("--framing lines", 2))),
        case("utf16.csv", utf16(&format!("id,bd\n1,{p}\n")), "", Ok(("--framing csv --column bd", 1))),
        case(
            "utf32.txt",
            format!("\u{feff}{p}\n{p}\n").chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<_>>(),
            "UTF-32; convert it to UTF-8 first",
            Err("UTF-32; convert it to UTF-8 first"),
        ),
        case("prose.txt", "nothing\nlike a board\n", "length", Err("use --framing to say where the strings are")),
    ]
}

#[test]
fn what_happens_to_inputs_that_people_have() {
    let folder = Folder::new();
    let board = v2(PLAIN);
    for Case { name, bytes, plainly, auto } in grids().into_iter().chain(lines()).chain(tables()) {
        folder.write(name, &bytes);
        let run_script = |script: String| run(shell(&script).current_dir(folder.path()), b"");
        let done = run_script(format!("$G convert -q {name}"));
        let said = done.stderr.replace("\\x00", "");
        assert!(said.contains(plainly) && (plainly.is_empty() || done.code == Some(1)), "{name}: {said}");
        for input in [
            format!("$G convert --framing auto {name}"),
            format!("gzip -k {name}; $G convert --framing auto {name}.gz"),
        ] {
            let done = run_script(input);
            match auto {
                Ok((flags, boards)) => {
                    assert_eq!(done.code, Some(0), "{name}: {done:?}");
                    assert!(done.stderr.contains(&format!(": read with {flags}\n")), "{name}: {}", done.stderr);
                    assert_eq!(done.text().matches(&board).count(), boards, "{name}: {}", done.text());
                    assert_eq!(done.text().matches("S9B").count(), boards, "{name}: {}", done.text());
                    // The same flags do the same if they are typed.
                    let said = run_script(format!("$G convert -q {flags} {name}"));
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
    let convert_auto = |args: &str| run(&mut shell(&format!("$G convert --framing auto {args}")), text.as_bytes());
    let done = convert_auto("--column quizzes");
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
    done.failed(&["a.csv is read with --framing csv --column bd, but b.sdm with --framing lines"]);
}

#[test]
fn texts_for_null_and_signs_for_empty_cells() {
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
    run(&mut shell("$G convert --to plain --blank z"), b"").failed(&["an empty cell must be one of 0 . _ - * x X ?"]);
}

/// A list of nine lists of nine numbers.
fn lists() -> String {
    let rows: Vec<_> = PLAIN
        .as_bytes()
        .chunks(9)
        .map(|row| format!("{:?}", row.iter().map(|b| b - b'0').collect::<Vec<_>>()))
        .collect();
    format!("[{}]", rows.join(",")).replace(' ', "")
}

#[test]
fn json_around_a_grid_is_refused_and_never_lost() {
    let grid = lists();
    for line in [
        format!("{{\"id\":2,\"rating\":5.5,\"puzzle\":{grid}}}\n"),
        format!("{{\"id\": 2, \"rating\": 5.5, \"puzzle\": {grid}}}\n"),
        format!("{{\"id\":\"keepme\",\"puzzle\":{grid}}}\n"),
        format!("[{{\"id\":2,\"puzzle\":{grid}}}]\n"),
        format!("{{'id': 2, 'puzzle': {grid}}}\n"),
        format!("{{\"meta\":{{\"id\":5}},\"puzzle\":{grid}}}\n"),
        format!("{{\"clues\":[5],\"puzzle\":{grid}}}\n"),
        format!("{{\"puzzle\":{grid},\"id\":5}}\n"),
    ] {
        let done = run(&mut gridmill(["convert", "-q", "--framing", "grid"]), line.as_bytes());
        assert_eq!((done.code, done.text()), (Some(1), ""), "{line}");
        assert!(done.stderr.contains("--framing jsonl"), "{line}{}", done.stderr);
        let auto = run(&mut gridmill(["convert", "--framing", "auto"]), line.as_bytes());
        assert_eq!((auto.code == Some(0), auto.text()), (false, ""), "{line}");
        assert!(auto.stderr.contains("--framing jsonl") || line.starts_with('['), "{line}{}", auto.stderr);
    }
    // Over several lines it cannot be kept, and none of its lines is a record.
    let rows = grid.replace("],[", "],\n[");
    for text in [
        format!("{{\n  \"name\": \"easy\",\n  \"grid\":\n{rows}\n}}\n"),
        format!("{{\"name\": \"easy\",\n \"grid\": {grid}}}\n"),
        format!("\u{feff}[\r\n  {{\r\n    \"grid\": {}\r\n  }}\r\n]\r\n", grid.replace(',', ",\r\n")),
    ] {
        for framing in ["grid", "auto"] {
            run(&mut gridmill(["convert", "--framing", framing]), text.as_bytes())
                .failed(&["JSON", if framing == "grid" { "--framing jsonl" } else { "jq -c" }]);
        }
    }
    let one = format!("{}\n", v2(PLAIN));
    for line in [
        format!("{{\"puzzle\":{grid}}}\n"),
        format!("puzzle = Sudoku(3, 3, board={grid})\n"),
        format!("std::array<std::array<int, 9>, 9> board = {grid};\n"),
        format!("board: Dict[str, int] = {grid}\n"),
    ] {
        let done = run(&mut gridmill(["convert", "-q", "--framing", "grid"]), line.as_bytes());
        assert_eq!(String::from_utf8_lossy(&done.good()), one, "{line}");
    }
}

#[test]
fn the_name_of_a_table_decides_and_few_bad_rows_do_not() {
    let folder = Folder::new();
    let new = v2(PLAIN);
    for (name, text, flags, out) in [
        ("a.csv", "id,puzzle\n1,P\n2,\n3,foo\n", "", "id,puzzle\n1,P\n2,\n"),
        ("b.csv", "id,puzzle\n1,P\n2,\n3,foo\n", "--column puzzle", "id,puzzle\n1,P\n2,\n"),
        ("c.csv", "id;puzzle\n1;P\n3;foo\n", "", "id;puzzle\n1;P\n"),
        ("d.csv", "id;puzzle\n1;P\n3\n", "", "id;puzzle\n1;P\n"),
        ("e.csv", "id,puzzle\n", "--column puzzle", "id,puzzle\n"),
        ("f.csv", "id;puzzle\n1;foo\n", "--column puzzle", "id;puzzle\n"),
        ("g.tsv", "id\tpuzzle\n1\tP\n2\tfoo\n", "", "id\tpuzzle\n1\tP\n"),
        ("h.jsonl", "[\"P\"]\n[\"P\",\"P\"]\n", "--field ''", "[\"P\"]\n[\"P\",\"P\"]\n"),
        ("i.jsonl", "[1,\"P\"]\n[2,\"P\"]\n", "", "[1,\"P\"]\n[2,\"P\"]\n"),
        ("j.jsonl", "{\"p\":\"P\"}\nbad\n", "", "{\"p\":\"P\"}\n"),
    ] {
        folder.write(name, text.replace('P', PLAIN));
        let script = format!("$G convert --framing auto {flags} {name}");
        let done = run(shell(&script).current_dir(folder.path()), b"");
        assert_eq!(done.text(), out.replace('P', &new), "{name}: {}", done.stderr);
        assert!(done.stderr.contains("read with --framing"), "{name}: {}", done.stderr);
    }
    // Nothing tells which column is meant.
    folder.write("k.csv", "id,puzzle\n");
    run(shell("$G convert --framing auto k.csv").current_dir(folder.path()), b"").failed(&["--framing csv --column"]);
    folder.write("l.jsonl", format!("{{\"id\":2,\"puzzle\":{}}}\n", lists()));
    run(shell("$G convert --framing auto l.jsonl").current_dir(folder.path()), b"").failed(&["--framing jsonl", "jq"]);
}

#[test]
fn hints_can_be_followed() {
    let p = PLAIN;
    let table = format!("id,puzzle,solution\n{}", format!("1,{p},{p}\n").repeat(4));
    let done = run(&mut gridmill(["convert"]), table.as_bytes());
    let places = "there are strings in puzzle (column 2) and in solution (column 3); choose one, for example with --framing csv --column puzzle\n";
    assert!(done.stderr.ends_with(places), "{}", done.stderr);
    let with_names = "read it with --framing csv --column 2, and --no-header if the first row has no names";
    assert!(done.stderr.contains(with_names), "{}", done.stderr);
    let columns = ["convert", "-q", "--framing", "csv", "--column", "p"];
    for (text, hint) in [
        (format!("id;p;x\n1;{p};y\n"), "with --delimiter ';' there is one"),
        (format!("id\t\"p\"\n1\t{p}\n"), "with --delimiter tab there is one"),
        (format!("id,P\n1,{p}\n"), "did you mean \"P\"?"),
    ] {
        run(&mut gridmill(columns), text.as_bytes()).failed(&["there is no column", hint]);
    }
    for both in ["a,b", "1, 2"] {
        let done = run(&mut gridmill(["convert", "--framing", "csv", "--column", both]), b"a,b\n");
        let flags: Vec<_> = both.split(',').map(|name| format!("--column {}", name.trim())).collect();
        done.failed(&[&format!("repeat the flag for each column: {}\n", flags.join(" "))]);
    }
    // The command that the message names can be copied from a reject row.
    let done = run(&mut gridmill(["convert", "-q"]), format!("{p}\r{p}\r").as_bytes());
    let command = done.stderr.split("for example with '").nth(1).and_then(|rest| rest.split('\'').next());
    let command = format!("printf '{p}\\r{p}\\r' | {} | $G convert -q", command.expect("a command"));
    assert_eq!(run(&mut shell(&command), b"").good(), format!("{}\n", v2(p)).repeat(2).as_bytes());
    // Few records are looked at, too, if all of them are refused.
    let one = run(&mut gridmill(["convert"]), format!("0000183b305c {p} 1.2\n").as_bytes());
    assert!(one.stderr.ends_with("the only record is rejected: use --framing words --column 2\n"), "{}", one.stderr);
    let two = run(&mut gridmill(["convert"]), format!("id,bd\n1,{p}\n").as_bytes());
    assert!(two.stderr.ends_with("all records are rejected: use --framing csv --column bd\n"), "{}", two.stderr);
    assert!(!run(&mut gridmill(["convert"]), b"bad\n").stderr.contains("the only record"));
    let given = ["validate", "-q", "--framing", "csv", "--column", "p", "--solution-column", "s"];
    for (solution, place) in [(format!("{p} "), "after it"), (format!(" {p}"), "before it")] {
        let done = run(&mut gridmill(given), format!("p,s\n{p},{solution}\n").as_bytes());
        let words = format!("the solution cannot be read: there is white space {place}; remove it");
        assert!(done.text().contains(&words), "{}", done.text());
    }
}

/// It was only said that there is no such file.
#[test]
fn a_string_instead_of_a_file_is_recognised() {
    let folder = Folder::new();
    let long = v2(PLAIN) + &"x".repeat(300);
    for command in ["convert", "validate", "solve", "canon", "dedupe"] {
        let name = |name: &str| run(gridmill([command, "-o", "out", name]).current_dir(folder.path()), b"");
        for (string, format) in [(PLAIN, "plain"), (&v2(PLAIN), "v2")] {
            let as_command = run(&mut gridmill([string]), b"");
            as_command.failed(&[&format!("This reads as a {format} string")]);
            let hint = format!("it reads as a {format} string, but {command} takes names of files");
            let pipe = format!("echo 'STRING' | gridmill {command}");
            name(string).failed(&["cannot open", &hint, &pipe, "gridmill show 'STRING'"]);
        }
        for no_string in ["none.txt", &PLAIN[1..], &long] {
            let done = name(no_string);
            assert!(done.code == Some(2) && !done.stderr.contains("string"), "{}", done.stderr);
        }
        assert!(!folder.at("out").exists());
    }
    // What the message says can be done, and a file of this name is read.
    run(&mut shell(&format!("echo '{PLAIN}' | $G convert -q")), b"").good();
    run(&mut gridmill(["show", PLAIN]), b"").good();
    folder.write(PLAIN, format!("{PLAIN}\n"));
    run(gridmill(["convert", "-q", PLAIN]).current_dir(folder.path()), b"").good();
}

/// Text in UTF-16 with a mark is read as if it were UTF-8, by whatever reads streams; `relink` leaves it as it is.
#[test]
fn utf16_with_a_mark_is_read_as_utf8() {
    let folder = Folder::new();
    let text = format!("{PLAIN}\r\n\u{e9}\u{1d11e} bad\r\n{PLAIN}\r\n");
    folder.write("utf8", &text);
    let little = utf16(&text);
    folder.write("big", little.chunks(2).flat_map(|unit| [unit[1], unit[0]]).collect::<Vec<_>>());
    folder.write("little", &little);
    let run_script = |script: &str| run(shell(script).current_dir(folder.path()), b"");
    folder.write("little.gz", gzip(&little));
    for name in ["little", "big"] {
        folder.write(&format!("{name}.zst"), zstd::encode_all(&folder.read(name)[..], 3).expect("compressing"));
    }
    for command in [
        "convert",
        "convert -j3 --no-mmap",
        "convert --framing csv --no-header --column 1",
        "validate --level unique",
        "solve",
        "canon",
        "dedupe --report report -f",
    ] {
        let plain = run_script(&format!("$G {command} utf8"));
        assert!(plain.code == Some(1) && !plain.stderr.contains("UTF-16"), "{command}: {plain:?}");
        let first_lines = |stderr: &str, name: &str| {
            let rows: Vec<_> = stderr.lines().filter(|line| line.contains('\t')).collect();
            rows.join("\n").replace(name, "utf8")
        };
        for name in ["little", "big", "little.gz", "little.zst", "big.zst"] {
            let done = run_script(&format!("$G {command} {name}"));
            let text = done.text().replace(&format!("\n{name}\t"), "\nutf8\t");
            assert_eq!((done.code, text.as_str()), (plain.code, plain.text()), "{command} {name}: {}", done.stderr);
            assert_eq!(first_lines(&done.stderr, name), first_lines(&plain.stderr, "utf8"), "{command} {name}");
            assert!(done.stderr.contains(", 1 input was UTF-16 and read as UTF-8, "), "{command} {name}: {done:?}");
            let piped = run_script(&format!("cat {name} | $G {command}"));
            let text = piped.text().replace("\n<stdin>\t", "\nutf8\t");
            assert_eq!((piped.code, text.as_str()), (plain.code, plain.text()), "{command} {name}: {}", piped.stderr);
        }
    }
    let drawn = run_script("$G show utf8");
    assert_eq!(drawn.text().matches("sudoku 9x9").count(), 2);
    for show in ["show little", "show < big", "show little.gz"] {
        assert_eq!(run_script(&format!("$G {show}")).text(), drawn.text(), "{show}");
    }
    let auto = run_script("$G convert --framing auto < little");
    assert!(auto.stderr.contains("<stdin>: read with --framing grid"), "{auto:?}");
    let both = run_script("$G convert -o new little utf8 big");
    assert!(both.stderr.contains("2 inputs were UTF-16 and read as UTF-8"), "{both:?}");
    // Half a unit, and half a pair.
    for (more, words) in
        [(&b"1"[..], "in the middle of a unit of two bytes"), (b"\x34\xd8\n\0", "half of a surrogate pair")]
    {
        folder.write("damaged", [&little, more].concat());
        let done = run_script("$G convert -q damaged -o none");
        done.failed(&["damaged: is UTF-16 by its mark, but damaged: ", words, "(line 4, byte "]);
        assert!(!folder.at("none").exists());
    }
    folder.write("page", utf16("<a href=\"https://www.sudokuwiki.org/sudoku.htm?bd=x\">\n"));
    let before = folder.read("page");
    let done = run_script("$G relink --write page");
    assert!(done.stderr.contains("in UTF-16 skipped") && folder.read("page") == before, "{done:?}");
    for relink in ["$G relink < page", "cat page | $G relink"] {
        assert_eq!(run_script(relink).stdout, before, "{relink}");
    }
}
