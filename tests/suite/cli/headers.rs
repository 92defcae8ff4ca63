//! Headers of tables: columns whose names are numbers, and tables that do not begin with their header. Advice is followed.

use crate::random::Rng;
use crate::support::{Done, Folder, PLAIN, convert, gridmill, run, shell, v2};

/// The boards of a table, in order.
const BOARDS: [&str; 3] = [
    PLAIN,
    "000040000400300670000800001000928000000100000009070008690001005070000100000000900",
    "000300000023006000006790000000000400000080175010240080001000000100000040903200000",
];

fn csv(column: &str, text: &str) -> Done {
    convert(["--framing", "csv", "--column", column], text.as_bytes())
}

#[test]
fn a_number_that_is_the_name_of_another_column() {
    let [a, b, c] = BOARDS;
    let text = format!("0,1,2\n{a},{b},{c}\n");
    let with = |old: &str| text.replace(old, &v2(old)).into_bytes();
    for (column, words) in
        [("1", ["--column number:1", "--column name:1"]), ("2", ["column number 2 is named \"1\"", "--column name:2"])]
    {
        csv(column, &text).failed(&words);
    }
    for (column, old) in [("number:1", a), ("name:1", b), ("number:3", c), ("name:0", a), ("3", c), ("0", a)] {
        assert_eq!(csv(column, &text).good(), with(old), "{column}");
    }
    // Where name and number agree, nothing has to be decided; nor without a header.
    assert_eq!(csv("2", &format!("1,2\n7,{a}\n")).good(), format!("1,2\n7,{}\n", v2(a)).as_bytes());
    let bare = convert(["--framing", "csv", "--no-header", "--column", "1"], format!("{a},1\n").as_bytes());
    assert_eq!(bare.good(), format!("{},1\n", v2(a)).as_bytes());
    let years = format!("id,2026\n7,{a}\n");
    assert_eq!(csv("2026", &years).good(), years.replace(a, &v2(a)).as_bytes());
    csv("0", "id,bd\n1,2\n").failed(&["numbered from 1"]);
    csv("1", &format!("bd,1,1\n{a},{a},{a}\n")).failed(&["number:1"]);
    csv("number:x", &text).failed(&["name:number:x"]);
    let odd = format!("number:x,name:bd\n{a},{b}\n");
    assert_eq!(csv("name:number:x", &odd).good(), odd.replace(a, &v2(a)).as_bytes());
    assert_eq!(csv("name:name:bd", &odd).good(), odd.replace(b, &v2(b)).as_bytes());
    let solved = run(
        &mut gridmill(["validate", "-q", "--framing", "csv", "--column", "number:2", "--solution-column", "1"]),
        format!("1,2,1\n{a},{a},{a}\n").as_bytes(),
    );
    solved.failed(&["--solution-column"]);
    let tsv = format!("0\t1\n{a}\t{b}\n");
    convert(["--framing", "tsv", "--column", "1"], tsv.as_bytes()).failed(&["number:1", "name:1"]);
}

#[test]
fn the_flags_that_auto_prints_read_the_same() {
    const NAMES: [&str; 10] = ["", "0", "1", "2", "3", "bd", "name:1", "number:2", "it's a \"bd\"", "a\\b"];
    let mut rng = Rng(13);
    let mut read = 0;
    for _ in 0..60 {
        let columns = 2 + rng.below(3);
        let (strings, delimiter) = (rng.below(columns), *rng.pick(&[",", ";", "\t"]));
        let quoted = |name: &&str| format!("\"{}\"", name.replace('"', "\"\""));
        let names: Vec<_> = (0..columns).map(|_| *rng.pick(&NAMES)).collect();
        let names: Vec<_> =
            names.iter().map(|name| if name.contains('"') { quoted(name) } else { name.to_string() }).collect();
        let mut text = rng.pick(&["", "\n", "\r\n\n"]).to_string() + &names.join(delimiter) + "\n";
        for (n, board) in BOARDS.iter().enumerate() {
            let fields = (0..columns).map(|column| if column == strings { board.to_string() } else { n.to_string() });
            text += &(fields.collect::<Vec<_>>().join(delimiter) + "\n");
        }
        let auto = run(&mut gridmill(["convert", "--framing", "auto"]), text.as_bytes());
        assert_eq!(auto.code, Some(0), "{text}{}", auto.stderr);
        let said = auto.stderr.lines().next().expect("a line").to_string();
        let flags = said.split_once("read with ").expect("the flags").1;
        let folder = Folder::new();
        let path = folder.write("table", &text);
        let again = run(&mut shell(&format!("$G convert -q {flags} {}", path.display())), b"");
        assert_eq!(again.good(), auto.stdout, "{flags}\n{text}");
        let expected = BOARDS.iter().fold(text.clone(), |text, board| text.replace(board, &v2(board)));
        assert_eq!(auto.text(), expected, "{flags}");
        read += 1;
    }
    assert_eq!(read, 60);
}

/// Runs the command in quotes that a message gives as an example on a table, with other flags that it names.
fn followed(done: &Done, text: &str, flags: &str) -> Vec<u8> {
    let said = done.stderr.split_once("for example with ").expect("an example").1.trim_end();
    let (filter, more) = said.split_once(", and use ").unwrap_or((said, ""));
    let folder = Folder::new();
    let path = folder.write("table", text);
    run(&mut shell(&format!("{filter} < {} | $G convert -q {flags} {more}", path.display())), b"").good()
}

#[test]
fn a_table_that_does_not_begin_with_its_header() {
    let board = v2(PLAIN);
    let flags = "--framing csv --column bd";
    for (first, words) in [
        ("# from a book", "a comment"),
        ("# from a book, with a comma", "a comment"),
        ("sep=;", "a note of Excel about the separator"),
        ("   ", "blank"),
        ("Sudokus of March", "line 2 seems to be the header"),
        ("Sudokus\n\nof March", "line 4 seems to be the header"),
    ] {
        let delimiter = if first == "sep=;" { ';' } else { ',' };
        let rows = format!("id{delimiter}bd\n1{delimiter}{PLAIN}\n");
        let text = format!("{first}\n{rows}");
        let done = csv("bd", &text);
        assert_eq!(followed(&done, &text, flags), rows.replace(PLAIN, &board).as_bytes(), "{first}");
        done.failed(&[words]);
        if first == "# from a book" || first == "sep=;" {
            let delimiter = delimiter.to_string();
            let done = convert(["--framing", "csv", "--delimiter", &delimiter, "--column", "2"], text.as_bytes());
            done.failed(&[words, "tail -n +2"]);
        }
    }
    // Empty lines are copied.
    let text = format!("\n\r\nid,bd\n1,{PLAIN}\n");
    assert_eq!(csv("bd", &text).good(), text.replace(PLAIN, &board).as_bytes());
    let appended = convert(["--framing", "csv", "--column", "bd", "--to-column", "new"], text.as_bytes()).good();
    assert_eq!(appended, format!("\n\r\nid,bd,new\n1,{PLAIN},{board}\n").as_bytes());
    // A header that looks like a comment is one if the table has such a column.
    let text = format!("# id,bd\n1,{PLAIN}\n");
    assert_eq!(csv("bd", &text).good(), text.replace(PLAIN, &board).as_bytes());
}

#[test]
fn names_of_rows_and_spaces() {
    let rows: String = (1..4).map(|n| format!("\"{n}\",\"{PLAIN}\",{n}\n")).collect();
    let text = format!("\"bd\",\"n\"\n{rows}");
    let done = csv("bd", &text);
    let expected = format!("row,\"bd\",\"n\"\n{}", rows.replace(PLAIN, &v2(PLAIN)));
    assert_eq!(followed(&done, &text, "--framing csv --column bd"), expected.as_bytes());
    done.failed(&["row names", "one more"]);
    let tabs = text.replace(',', "\t").replace('"', "");
    let done = convert(["--framing", "tsv", "--column", "bd"], tabs.as_bytes());
    let expected = expected.replace(',', "\t").replace('"', "");
    assert_eq!(followed(&done, &tabs, "--framing tsv --column bd"), expected.as_bytes());
    // Delimiters at the ends of rows are no names of rows.
    let text = format!("id,bd\n1,{PLAIN},\n2,{PLAIN},\n");
    assert_eq!(csv("bd", &text).good(), text.replace(PLAIN, &v2(PLAIN)).as_bytes());

    let text = format!("id, bd\n1, {PLAIN}\n");
    let done = csv("bd", &text);
    assert_eq!(followed(&done, &text, "--framing csv --column bd"), format!("id,bd\n1,{}\n", v2(PLAIN)).as_bytes());
    done.failed(&["\" bd\"", "spaces"]);
}

#[test]
fn headers_with_the_same_names_are_one_table() {
    let folder = Folder::new();
    let first = folder.write("1.csv", format!("id,bd\n1,{PLAIN}\n"));
    let second = folder.write("2.csv", format!("\n\"id\",\"bd\"\r\n2,{PLAIN}\n"));
    let other = folder.write("3.csv", format!("\"id\",\"board\"\n2,{PLAIN}\n"));
    let both = |path: &std::path::Path| {
        run(gridmill(["convert", "-q", "--framing", "csv", "--column", "bd"]).args([&*first, path]), b"")
    };
    assert_eq!(both(&second).good(), format!("id,bd\n1,{0}\n2,{0}\n", v2(PLAIN)).as_bytes());
    both(&other).failed(&["header differs"]);
}

#[test]
fn arrays_over_several_lines() {
    let objects = format!("[\n{{\"id\":1,\"bd\":\"{PLAIN}\"}},\n{{\"id\":2,\"bd\":\"{PLAIN}\"}}\n]\n");
    let one = format!("[{{\"bd\":\"{PLAIN}\"}},\n {{\"bd\":\"{PLAIN}\"}}]\n");
    let indented = format!("[\n  {{\n    \"bd\": \"{PLAIN}\"\n  }}\n]\n");
    for text in [&objects, &one, &indented] {
        for flags in [&["--framing", "auto"][..], &["--framing", "jsonl", "--field", "/bd"]] {
            convert(flags, text.as_bytes()).failed(&["jq -c '.[]'"]);
        }
    }
    let strings = format!("[\n\"{PLAIN}\",\n\"{PLAIN}\"\n]\n");
    convert(["--framing", "auto"], strings.as_bytes()).failed(&["jq -r '.[]'"]);
    let object = format!("{{\n\"bd\": \"{PLAIN}\"\n}}\n");
    convert(["--framing", "jsonl", "--field", "/bd"], object.as_bytes()).failed(&["jq -c ."]);
    // A line of JSON may be an array.
    let line = format!("[\"{PLAIN}\"]\n");
    assert_eq!(
        convert(["--framing", "jsonl", "--field", "/0"], line.as_bytes()).good(),
        line.replace(PLAIN, &v2(PLAIN)).as_bytes()
    );
}

#[test]
fn the_summary_says_what_dedupe_writes() {
    let text = format!("{PLAIN}\n{0}\n{PLAIN}\n{PLAIN}\n", BOARDS[1]);
    let said = |flags: &[&str]| run(gridmill(["dedupe"]).args(flags), text.as_bytes()).stderr;
    assert!(said(&[]).contains("2 kept, 2 duplicates"), "{}", said(&[]));
    assert!(said(&["--invert"]).contains("2 left out, 2 duplicates written"), "{}", said(&["--invert"]));
}
