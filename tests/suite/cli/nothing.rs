//! Inputs in which no record is found: the exit code, and what is said about them.

use std::fs;

use crate::support::{Folder, PLAIN, gridmill, run};

/// Runs a command on a file. Returns its exit code and stderr.
fn done(folder: &Folder, args: &str, name: &str) -> (Option<i32>, String) {
    let done = run(gridmill(args.split(' ').chain([name])).current_dir(folder.path()), b"");
    (done.code, done.stderr)
}

#[test]
fn an_input_with_something_in_it_and_no_record_ends_with_1() {
    let folder = Folder::new();
    let sixteen = format!("{}\n", vec!["."; 16].join(" ")).repeat(16);
    let table = "<table>\n<tr><td>5</td><td>3</td></tr>\n</table>\n";
    for (text, framing, words) in [
        ("hello\n", "grid", "begins with 'hello'"),
        (&*sixteen, "grid", "16 rows of 16 cells"),
        ("SAVEFILE:41:Simon\nVERSION :1:1\n", "grid", "use --framing file"),
        ("5 None None 3 None None None None None\n", "links", "None"),
        ("\u{2464}\u{2462}..\u{2466}....\n", "links", "replace them by 0 to 9"),
        (table, "links", "HTML or XML"),
        ("see https://example.org/?s=0230408055600001040400000800306004\n", "links", "none to a board"),
        (table, "xml --column data", "no attribute or element of this XML has the name"),
        ("id,bd\n1,\n2,NULL\n", "csv --column bd", "2 rows without a string"),
        ("{\"bd\":null}\n", "jsonl --field /bd", "1 row without a string"),
    ] {
        folder.write("in", text);
        for command in ["convert", "validate", "solve", "canon", "dedupe"] {
            let is_refused = match framing {
                "links" => !["convert", "validate"].contains(&command),
                _ => framing.starts_with("xml") && command == "dedupe",
            };
            if is_refused {
                continue;
            }
            for quiet in ["", " -q"] {
                let (code, said) = done(&folder, &format!("{command}{quiet} --framing {framing}"), "in");
                assert_eq!(code, Some(1), "{command} {text}: {said}");
                assert!(said.contains("no record was found") && said.contains(words), "{command} {text}: {said}");
            }
        }
    }
}

#[test]
fn an_input_with_nothing_in_it_ends_with_0() {
    let folder = Folder::new();
    for (text, framing, words) in [
        ("", "lines", "empty"),
        ("", "csv --column 1", "empty"),
        ("", "jsonl --field /a", "empty"),
        ("", "grid", "empty"),
        ("\n# a comment\n \t\r\n", "grid", "nothing but blank lines"),
        ("\n# a comment\n", "lines", "nothing but blank lines"),
        ("# a comment\n\n", "words", "nothing but blank lines"),
        ("id,bd\n", "csv --column bd", "a header"),
        ("id\tbd", "tsv --column bd", "a header"),
    ] {
        folder.write("in", text);
        for command in ["convert", "validate", "solve", "canon", "dedupe"] {
            let (code, said) = done(&folder, &format!("{command} --framing {framing}"), "in");
            assert!(
                code == Some(0) && said.contains("no record in the input") && said.contains(words),
                "{text}: {said}"
            );
            assert_eq!(done(&folder, &format!("{command} -q --framing {framing}"), "in"), (Some(0), String::new()));
        }
    }
}

#[test]
fn the_output_is_written_all_the_same() {
    let folder = Folder::new();
    folder.write("in", "hello\n");
    assert_eq!(done(&folder, "convert -q --framing grid -o out --report run.json", "in").0, Some(1));
    assert_eq!(folder.text("out"), "hello\n");
    assert!(fs::exists(folder.at("run.json")).is_ok_and(|exists| exists));
}

/// The advice leads to the boards.
#[test]
fn flags_that_are_named_read_the_input() {
    let folder = Folder::new();
    let grid: String = PLAIN.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect();
    let link = format!("https://www.sudokuwiki.org/sudoku.htm?bd={PLAIN}\n");
    for (text, framing, other) in
        [(&grid, "links", "--framing grid"), (&format!("{link}w\n"), "words --column 2", "--framing links")]
    {
        folder.write("in", text);
        let (code, said) = done(&folder, &format!("convert --framing {framing}"), "in");
        assert!(code == Some(1) && (said.contains(other) || framing.starts_with("words")), "{said}");
        assert_eq!(done(&folder, &format!("convert -q {other}"), "in").0, Some(0));
    }
}

#[test]
fn names_of_documents_and_tables_fall_back_to_grids() {
    let folder = Folder::new();
    let grid: String = PLAIN.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect();
    let tabs: String = PLAIN.as_bytes().chunks(9).fold(String::new(), |text, row| {
        let cells: Vec<_> = row.iter().map(|&cell| char::from(cell).to_string().replace('0', "")).collect();
        text + &cells.join("\t") + "\n"
    });
    for (name, text) in [
        ("a.md", &grid),
        ("a.html", &grid),
        ("a.htm", &grid),
        ("a.tsv", &tabs),
        ("a.tab", &tabs),
        ("a.csv", &tabs.replace('\t', ",")),
    ] {
        folder.write(name, text);
        let (code, said) = done(&folder, "convert --framing auto", name);
        assert!(code == Some(0) && said.contains("--framing grid") && said.contains("1 record, 0"), "{name}: {said}");
    }
    for (name, text, framing) in [
        ("b.md", format!("{PLAIN}\n{PLAIN}\n"), "lines"),
        ("c.md", format!("# x\n{grid}\nhttps://www.sudokuwiki.org/sudoku.htm?bd={PLAIN}\n"), "links"),
        ("d.html", "<p>nothing</p>\n".to_string(), "links"),
    ] {
        folder.write(name, text);
        let (_, said) = done(&folder, "convert --framing auto", name);
        assert!(said.contains(&format!("--framing {framing}\n")), "{name}: {said}");
    }
}
