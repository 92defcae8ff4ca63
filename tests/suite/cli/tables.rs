//! Tables and JSON lines in the program: flags, messages and output.

use crate::support::{Folder, HEADER, PLAIN, boards, convert, gridmill, gzip, recode, run, v2};
use gridmill::formats::Format;
use serde_json::Value;

const CSV: [&str; 4] = ["--framing", "csv", "--column", "bd"];
const TSV: [&str; 4] = ["--framing", "tsv", "--column", "bd"];
const JSON: [&str; 4] = ["--framing", "jsonl", "--field", "/bd"];

fn with<'a>(some: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [some, more].concat()
}

/// The v1 string of a killer: it has a comma.
fn killer() -> String {
    let lines = include_str!("../../../data/killer-v1.txt");
    lines.lines().find(|line| !line.starts_with('#') && line.contains(',')).expect("a sample").to_string()
}

#[test]
fn strings_change_and_nothing_around_them() {
    let (p, v) = (PLAIN, v2(PLAIN));
    for (args, text, expected) in [
        (
            &CSV,
            format!("id,bd\r\n1,{p}\r\n\"a \"\"b\"\"\",\"{p}\"\r\n"),
            format!("id,bd\r\n1,{v}\r\n\"a \"\"b\"\"\",\"{v}\"\r\n"),
        ),
        (
            &CSV,
            format!("\u{feff}bd,x\n{p},\"two\nlines\"\n,\n\n{p},"),
            format!("\u{feff}bd,x\n{v},\"two\nlines\"\n,\n\n{v},"),
        ),
        (&CSV, "bd".into(), "bd".into()),
        (&CSV, String::new(), String::new()),
        (&TSV, format!("bd\t\"x\n{p}\t\"\n\\N\t\\t\n{p}\tü"), format!("bd\t\"x\n{v}\t\"\n\\N\t\\t\n{v}\tü")),
        (
            &JSON,
            format!("{{\"n\":1.50,\"bd\":\"{p}\",\"z\":[1, 2]}}\n\n  {{\"bd\" : null}}\n"),
            format!("{{\"n\":1.50,\"bd\":\"{v}\",\"z\":[1, 2]}}\n\n  {{\"bd\" : null}}\n"),
        ),
        (&JSON, format!("{{\"bd\":[\"{p}\", \"{p}\",null]}}"), format!("{{\"bd\":[\"{v}\", \"{v}\",null]}}")),
    ] {
        let done = convert(args, text.as_bytes());
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{text}");
        assert_eq!(done.text(), expected);
    }
}

#[test]
fn columns_by_name_and_number() {
    let (p, v) = (PLAIN, v2(PLAIN));
    let text = format!("a;\"the board\"\n1;{p}\n");
    for column in ["2", "the board"] {
        let done = convert(["--framing", "csv", "--delimiter", ";", "--column", column], text.as_bytes());
        assert_eq!(String::from_utf8(done.good()), Ok(format!("a;\"the board\"\n1;{v}\n")));
    }
    let text = format!("1|{p}\n2|{p}\n");
    let done = convert(["--framing", "tsv", "--delimiter", "|", "--column", "2", "--no-header"], text.as_bytes());
    assert_eq!(String::from_utf8(done.good()), Ok(format!("1|{v}\n2|{v}\n")));
    let args = ["--framing", "csv", "--delimiter", "tab", "--column", "1"];
    assert_eq!(convert(args, format!("b\ta\n{p}\t").as_bytes()).good(), format!("b\ta\n{v}\t").into_bytes());
}

/// Mistakes are reported, and nothing is written.
#[test]
fn mistakes() {
    let p = PLAIN;
    let table = format!("a,bd,bd\n1,{p},x\n");
    for (args, text, words) in [
        (&["--framing", "csv"][..], "a\n", &["--column"][..]),
        (&["--framing", "jsonl"], "{}\n", &["--field"]),
        (&["--framing", "jsonl", "--field", "bd"], "{}\n", &["a pointer must begin with a slash"]),
        (&["--framing", "tsv", "--field", "/bd", "--column", "1"], "a\n", &["--field is only for JSON lines"]),
        (
            &["--column", "bd"],
            "a\n",
            &[
                "is only for tables, lines of words, XML, Parquet files and Arrow files",
                "csv, tsv, words, xml, parquet or",
            ],
        ),
        (&["--no-header"], "a\n", &["--no-header is only for tables"]),
        (
            &["--framing", "csv", "--column", "board"],
            "id,\"b,d\"\n",
            &["no column \"board\"", "the first row has: id, b,d"],
        ),
        (&["--framing", "csv", "--column", "bd"], &table, &["two columns \"bd\"", "number"]),
        (&["--framing", "csv", "--column", "0"], "a\n", &["from 1"]),
        (&["--framing", "csv", "--column", "a", "--no-header"], "a\n", &["without a header"]),
        (&["--framing", "csv", "--column", "a", "--delimiter", "ab"], "a\n", &["one ASCII character"]),
        (&["--framing", "csv", "--column", "a", "--delimiter", "\""], "a\n", &["cannot be the delimiter"]),
        (&["--framing", "csv", "--column", "1"], &format!("{p},x\n"), &["looks like a record", "--no-header"]),
        (&["--framing", "csv", "--column", "1", "--to-column", "b"], "a,b\n", &["column \"b\" already exists"]),
        (
            &["--framing", "csv", "--column", "1", "--to-column", "kind", "--add-kind"],
            "a,b\n",
            &["would have the same name"],
        ),
        (&["--to-column", "b"], "a\n", &["--framing csv, tsv or jsonl"]),
        (&["--framing", "jsonl", "--field", "", "--add-kind"], "\"a\"\n", &["the whole line"]),
        (&["--framing", "links", "--add-kind"], "a\n", &["--framing lines, words, csv, tsv or jsonl"]),
        (&["--framing", "grid", "--add-kind"], "a\n", &["--framing lines, words, csv, tsv or jsonl"]),
        (&["--framing", "grid", "--from", "v1"], "a\n", &["leave out --from"]),
        (&["--framing", "links", "--from", "v0"], "a\n", &["leave out --from"]),
        (&["--framing", "links", "--kind", "killer"], "a\n", &["leave out --kind"]),
    ] {
        convert(args, text.as_bytes()).failed(words);
    }
}

/// Refused rows are reported with line, byte, code and the whole row. `validate` reports the same.
#[test]
fn bad_rows() {
    let (p, v) = (PLAIN, v2(PLAIN));
    let row = |line, byte, code: &str, message: &str, record: &str| {
        format!("<stdin>\t{line}\t{byte}\t-\t{code}\t{message}\t{record}\n")
    };
    let csv = format!("id,bd\n\"1\n2\",x\n3\n4,\"{p}\"z\n5,{p}\n");
    let (two, three) = (6, 14);
    let rows = [
        row(2, two, "length", "1 character: no format has strings of this length", "\"1\\n2\",x"),
        row(4, three, "column", "the row has 1 column, expected at least 2", "3"),
        row(5, 16, "column", "the field has text after its closing quote, or no closing quote", &format!("4,\"{p}\"z")),
    ];
    let first = |text: &str| -> Vec<Vec<String>> {
        let cut =
            |row: &str| row.split('\t').enumerate().filter(|(n, _)| *n != 5).map(|(_, field)| field.into()).collect();
        text.lines().map(cut).collect()
    };
    let done = convert(CSV, csv.as_bytes());
    assert_eq!((done.code, done.text()), (Some(1), format!("id,bd\n5,{v}\n").as_str()));
    assert_eq!(first(&done.stderr), first(&(HEADER.to_string() + &rows.concat())));
    let check = run(gridmill(["validate", "-q", "--level", "syntax"]).args(CSV), csv.as_bytes());
    assert_eq!((check.code, check.text()), (Some(1), done.stderr.as_str()));
    let done = convert(with(&CSV, &["--bad", "keep"]), csv.as_bytes());
    assert_eq!(done.text(), csv.replace(&format!("5,{p}"), &format!("5,{v}")));
    let done = convert(with(&CSV, &["--bad", "stop"]), format!("id,bd\n5,{p}\n3\n5,{p}\n").as_bytes());
    assert_eq!((done.code, done.text()), (Some(1), format!("id,bd\n5,{v}\n").as_str()));
    assert!(done.stderr.contains("line 3: column: the row has 1"), "{}", done.stderr);

    let json = format!(
        "{{\"bd\":\"{p}\"}}\n{{\"bd\":7}}\n{{\"bd\":\"{p}\",\"bd\":\"{p}\"}}\n{{\"bd\":\n{{\"bd\":[\"{p}\",\"x\",\"y\"]}}\n[]\n"
    );
    let done = convert(JSON, json.as_bytes());
    assert_eq!((done.code, done.text()), (Some(1), format!("{{\"bd\":\"{v}\"}}\n").as_str()));
    let codes: Vec<_> = done.stderr.lines().skip(1).map(|row| row.split('\t').nth(4).unwrap()).collect();
    assert_eq!(codes, ["column", "column", "json", "length", "column"]);
}

/// A bare field is quoted if the new string needs it.
#[test]
fn a_comma_in_the_new_string() {
    let (k, v) = (killer(), v2(&killer()));
    let v1 = recode(&v, Format::V1);
    assert!(v1.contains(','));
    let to = |args: &[&str], text: &str| {
        let done = convert(with(args, &["--to", "v1", "--lossy", "--kind", "killer"]), text.as_bytes());
        (done.code, done.text().to_string(), done.stderr)
    };
    let text = format!("bd,x\n{v},1\n\"{v}\",2\n");
    assert_eq!(to(&CSV, &text).1, format!("bd,x\n\"{v1}\",1\n\"{v1}\",2\n"));
    assert_eq!(to(&TSV, &text.replace(',', "\t").replace('"', "")).1, format!("bd\tx\n{v1}\t1\n{v1}\t2\n"));
    let (code, text, stderr) = to(&with(&TSV, &["--delimiter", ","]), &format!("bd,x\n{v},1\n"));
    assert_eq!((code, text.as_str()), (Some(1), "bd,x\n"));
    assert!(stderr.contains("\tcolumn\tthe new string contains the delimiter"), "{stderr}");
    // A quoted field stays quoted.
    let done = convert(CSV, format!("bd\n\"{k}\"\n").as_bytes());
    assert_eq!(done.text(), format!("bd\n\"{v}\"\n"));
}

#[test]
fn what_is_appended() {
    let (p, v) = (PLAIN, v2(PLAIN));
    let append = ["--to-column", "new", "--add-kind"];
    let done = convert(with(&CSV, &append), format!("bd,a\n{p},\"x\"\n,1\n").as_bytes());
    assert_eq!(
        String::from_utf8(done.good()),
        Ok(format!("bd,a,new,format,kind\n{p},\"x\",{v},plain,sudoku\n,1,,,\n"))
    );
    let done = convert(with(&TSV, &["--add-kind"]), format!("bd\r\n{p}\r\n").as_bytes());
    assert_eq!(String::from_utf8(done.good()), Ok(format!("bd\tformat\tkind\r\n{v}\tplain\tsudoku\r\n")));
    let json = format!("{{\"bd\":[\"{p}\",\"{v}\"], \"n\":{{}} }}\n{{\"bd\":null}}\n");
    let done = convert(with(&JSON, &append), json.as_bytes());
    let expected = format!(
        "{{\"bd\":[\"{p}\",\"{v}\"], \"n\":{{}} ,\"new\":[\"{v}\",\"{v}\"],\"format\":[\"plain\",\"v2\"],\"kind\":[\"sudoku\",\"sudoku\"]}}\n\
         {{\"bd\":null,\"new\":null,\"format\":null,\"kind\":null}}\n"
    );
    assert_eq!(String::from_utf8(done.good()), Ok(expected));
    let done = convert(with(&JSON, &append), format!("{{\"bd\":\"{p}\",\"kind\":1}}\n").as_bytes());
    assert!(done.stderr.contains("the object already has a field \"kind\""), "{}", done.stderr);
    // A bad row that is kept has empty new columns.
    let done = convert(with(&with(&CSV, &append), &["--bad", "keep"]), b"bd\nx\n");
    assert_eq!(done.text(), "bd,new,format,kind\nx,,,\n");
}

/// Several tables are one, with one header, which must be the same.
#[test]
fn several_inputs() {
    let (p, v) = (PLAIN, v2(PLAIN));
    let folder = Folder::new();
    let a = folder.write("a", format!("bd,x\n{p},1"));
    let b = folder.write("b", gzip(format!("bd,x\r\n{p},2\nbad,\n").as_bytes()));
    let c = folder.write("c", format!("x,bd\n3,{p}\n"));
    let empty = folder.write("empty", "");
    let done = convert([a.as_os_str(), empty.as_ref(), b.as_ref()].into_iter().chain(CSV.map(AsRef::as_ref)), b"");
    assert_eq!((done.code, done.text()), (Some(1), format!("bd,x\n{v},1\n{v},2\n").as_str()));
    assert!(done.stderr.contains("\t3\t90\t-\tlength\t"), "{}", done.stderr);
    let out = folder.at("out");
    let args = [a.as_os_str(), c.as_ref(), "-o".as_ref(), out.as_ref()];
    convert(args.into_iter().chain(CSV.map(AsRef::as_ref)), b"")
        .failed(&["header differs from that of the first input"]);
    assert!(!out.exists());
}

/// Rules, solutions and reports work as for lines.
#[test]
fn tables_are_validated() {
    let p = PLAIN;
    let twice = p.replacen("569", "551", 1);
    let csv = format!("id,bd\n1,{p}\n2,{twice}\n3,\n4,{p}\n");
    let done = run(gridmill(["validate", "-q", "--level", "unique"]).args(CSV), csv.as_bytes());
    assert_eq!(done.code, Some(1));
    assert_eq!(done.text().lines().count(), 2, "{}", done.text());
    assert!(done.text().contains("<stdin>\t3\t90\tr1c8\tduplicate\t"), "{}", done.text());
    assert!(done.text().ends_with(&format!("\t2,{twice}\n")));
    let folder = Folder::new();
    let (out, report) = (folder.at("out"), folder.at("report"));
    let files = ["--solutions", "-o", out.to_str().unwrap(), "--report", report.to_str().unwrap()];
    let done = run(gridmill(["validate", "-q", "--level", "unique"]).args(CSV).args(files), csv.as_bytes());
    assert_eq!(done.code, Some(1));
    let text = folder.text("out");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[2]), (4, "id,bd,solution", "3,,"));
    let solution = lines[1].strip_prefix(&format!("1,{p},")).unwrap();
    assert!(solution.len() == 81 && solution.bytes().all(|digit| (b'1'..=b'9').contains(&digit)));
    let report: Value = serde_json::from_slice(&folder.read("report")).unwrap();
    assert_eq!((report["records"].as_u64(), report["rows_without_string"].as_u64()), (Some(3), Some(1)));
    assert_eq!(report["lines"], 5);
    // Good rows pass as they are.
    let done = run(gridmill(["validate", "-q", "-f", "-o", out.to_str().unwrap()]).args(CSV), csv.as_bytes());
    assert_eq!(done.code, Some(1));
    assert_eq!(folder.text("out"), csv.replace(&format!("2,{twice}\n"), ""));
}

/// Fields of any length, and strings that are too long for any format.
#[test]
fn huge_fields() {
    let (p, v) = (PLAIN, v2(PLAIN));
    let note = "n,\n\"\" ".repeat(200_000);
    let csv = format!("note,bd\n\"{note}\",{p}\n");
    assert_eq!(convert(CSV, csv.as_bytes()).good(), csv.replace(p, &v).into_bytes());
    let long = "1".repeat(70_000);
    let done = convert(CSV, format!("note,bd\na,{long}\n").as_bytes());
    assert_eq!(done.code, Some(1));
    let row: Vec<_> = done.stderr.lines().nth(1).unwrap().split('\t').collect();
    assert_eq!(row[4], "toolong");
    assert!(row[6] == format!("a,{long}"), "the row is not too long, and kept whole");
}

/// Lists of solved cells give the lines of the rows.
#[test]
fn solved_cells_are_listed_by_line() {
    let folder = Folder::new();
    let line = String::from_utf8(boards("v1", 1, 4)).unwrap();
    let csv = format!("note,bd\n\"a\nb\",{line}");
    let list = folder.at("solved");
    let done = convert(with(&CSV, &["--list-solved", list.to_str().unwrap()]), csv.as_bytes());
    assert_eq!(done.code, Some(0));
    let text = folder.text("solved");
    assert!(text.lines().count() > 1 && text.lines().skip(1).all(|row| row.starts_with("<stdin>\t2\tr")), "{text}");
}

/// Str8ts layouts are decided by all strings, wherever they are.
#[test]
fn layouts_of_str8ts_in_tables() {
    let made = run(&mut gridmill("gen -q --kind str8ts --count 200 --mix progress --seed 2".split(' ')), b"").good();
    let lines = String::from_utf8(made).unwrap();
    let plain = convert([""; 0], lines.as_bytes()).good();
    let csv: String =
        std::iter::once("bd\n".to_string()).chain(lines.lines().map(|line| format!("\"{line}\"\n"))).collect();
    let table = String::from_utf8(convert(CSV, csv.as_bytes()).good()).unwrap();
    assert_eq!(table.replace('"', "").trim_start_matches("bd\n").as_bytes(), plain);
}

/// Grids become lines. Text between them stays and is counted, and anything that only resembles a grid is refused.
#[test]
fn grids_become_lines() {
    let (p, v) = (PLAIN, v2(PLAIN));
    let rows: Vec<_> = (0..9).map(|row| &p[9 * row..9 * row + 9]).collect();
    let framed = format!(
        "*-----------*\n{}\n*-----------*",
        rows.iter()
            .map(|row| format!("|{}|{}|{}|", &row[..3], &row[3..6], &row[6..]))
            .collect::<Vec<_>>()
            .join("\n")
            .replace('0', ".")
    );
    let eight = rows[1..].join("\n");
    let text = format!(
        "# first\n{}\n\n{framed}\r\n{framed}\n[Puzzle]\nsome words\n\n{eight}\nPuzzle 7 (easy)\n{p}",
        rows.join("\r\n")
    );
    let expected =
        |eight: &str| format!("# first\n{v}\n\n{v}\r\n{v}\n[Puzzle]\nsome words\n\n{eight}Puzzle 7 (easy)\n{v}");
    let folder = Folder::new();
    let path = folder.write("in", &text);
    for args in [&["--framing", "grid"][..], &["--framing", "grid", "--no-mmap"], &["--framing", "grid", "-j1"]] {
        let done = convert(with(args, &[path.to_str().unwrap()]), b"");
        assert_eq!((done.code, done.text()), (Some(1), expected("").as_str()), "{}", done.stderr);
        let row: Vec<_> = done.stderr.lines().nth(1).unwrap().split('\t').collect();
        let place = text.find(&format!("\n{eight}\nPuzzle")).unwrap() + 1;
        assert_eq!(
            (row[1], row[2].parse().ok(), row[4], row[6]),
            ("37", Some(place), "length", eight.replace('\n', "\\n").as_str())
        );
        assert!(row[5].contains("it has 8 rows"), "{}", row[5]);
    }
    let kept = convert(["--framing", "grid", "--bad", "keep", path.to_str().unwrap()], b"");
    assert_eq!((kept.code, kept.text()), (Some(1), expected(&format!("{eight}\n")).as_str()));
    let done = run(gridmill(["convert", "--framing", "grid"]).arg(&path), b"");
    assert!(done.stderr.contains("5 records, 1 rejected (length 1), 4 lines of text between grids"), "{}", done.stderr);
    let expected = expected("");
    let done = run(gridmill(["validate", "-q", "--framing", "grid", "--level", "unique"]).arg(&path), b"");
    assert_eq!(done.text().lines().count(), 2, "{}", done.text());
    // A slow pipe gives a grid in parts.
    let script =
        format!("(head -c 70 '{0}'; sleep 0.2; tail -c +71 '{0}') | $G convert -q --framing grid", path.display());
    assert_eq!(run(&mut crate::support::shell(&script), b"").text(), expected);
    // Candidates are kept.
    let cells: Vec<_> =
        p.bytes().map(|digit| if digit == b'0' { "2378".to_string() } else { char::from(digit).to_string() }).collect();
    let done = convert(["--framing", "grid", "--to", "v1", "--lossy"], cells.join(" ").as_bytes());
    assert_eq!((done.code, done.text().len()), (Some(0), 162));
}

/// A table whose rows have a note and a rating. Row `n` is as given.
fn noted(rows: usize, n: usize, row: &str, string: &str) -> String {
    let all = (1..=rows).map(|m| if m == n { row.to_string() } else { format!("{m},{string},note {m},{}\n", m % 9) });
    std::iter::once("id,bd,note,rating\n".to_string()).chain(all).collect()
}

/// A quote that is never closed, or closed in another row, costs only the row in which it is.
#[test]
fn stray_quotes() {
    let (p, v) = (PLAIN, v2(PLAIN));
    let folder = Folder::new();
    for (bad, line_ends) in [
        (format!("7,{p},\"note,5\n"), 1),
        (format!("7,{p},note,\"5\r\n"), 1),
        (format!("7,\"{p},note,5\n"), 1),
        (format!("\"7,{p},note,5\n"), 1),
        (format!("7,{p},\"two\nlines,5\n"), 2),
    ] {
        let good = noted(400, 7, "", &v);
        let text = noted(400, 7, &bad, p);
        // It is not closed, or the quotes of a later row close it.
        let quoted =
            |text: &str| text.replace("note 12,", "\"note, 12\",").replace("note 300,", "\"two\nlines, \"\"300\"\"\",");
        for (text, good) in [(text.clone(), good.clone()), (quoted(&text), quoted(&good))] {
            let path = folder.write("in.csv", &text);
            let path = path.to_str().expect("UTF-8");
            for args in [&[path][..], &[path, "--no-mmap"], &[path, "-j4"]] {
                let done = convert(with(&CSV, args), b"");
                assert_eq!((done.code, done.text()), (Some(1), good.as_str()), "{bad}");
                let rows: Vec<_> = done.stderr.lines().skip(1).collect();
                let byte = text.find(&bad).expect("it stands there");
                let start = format!("{path}\t8\t{byte}\t-\tcolumn\ta quote in the row is not closed");
                assert!(rows.len() == 1 && rows[0].starts_with(&start), "{}", done.stderr);
                let record = bad.trim_end().replace('\n', "\\n");
                assert!(rows[0].ends_with(&format!("\t{record}")), "{}", done.stderr);
                assert_eq!(bad.matches('\n').count(), line_ends);
            }
            let done = convert(CSV, text.as_bytes());
            assert_eq!((done.code, done.text()), (Some(1), good.as_str()), "{bad}");
            let done = convert(with(&CSV, &["--bad", "keep"]), text.as_bytes());
            assert_eq!((done.code, done.text().len()), (Some(1), good.len() + bad.len()), "{bad}");
            let check = run(gridmill(["validate", "-q", "--level", "syntax"]).args(CSV), text.as_bytes());
            assert_eq!((check.code, check.text()), (Some(1), done.stderr.as_str()), "{bad}");
        }
    }
    // The last row, and the first.
    let done = convert(CSV, format!("id,bd\n1,{p}\n2,\"{p}").as_bytes());
    assert_eq!((done.code, done.text(), done.stderr.lines().count()), (Some(1), format!("id,bd\n1,{v}\n").as_str(), 2));
    let first = ["--framing", "csv", "--column", "2", "--no-header"];
    let done = convert(first, format!("1,\"{p}\n2,{p}\n3,{p}\n").as_bytes());
    assert_eq!((done.code, done.text()), (Some(1), format!("2,{v}\n3,{v}\n").as_str()), "{}", done.stderr);
}

/// If it is uncertain whether rows follow, nothing is guessed.
#[test]
fn quotes_that_take_all_that_follows() {
    let p = PLAIN;
    let folder = Folder::new();
    let out = folder.at("out");
    // All other rows have too few fields.
    let rows: String =
        (0..200).map(|n| if n % 2 == 0 { format!("{n},{p}\n") } else { format!("{n},{p},x\n") }).collect();
    let text = format!("id,bd,note\n1,{p},x\n2,{p},\"two\nlines\"\n3,{p},\"x\n{rows}");
    let path = folder.write("in.csv", &text);
    for args in [&[][..], &["--no-mmap"], &["-j1"], &["--bad", "keep"]] {
        let done = run(gridmill(["convert", "-o"]).arg(&out).arg(&path).args(CSV).args(args), b"");
        done.failed(&["in.csv: line 5: a quote opens there and is not closed", "--framing tsv"]);
        assert_eq!(folder.names(), ["in.csv"]);
    }
    let (start, _) = text.split_at(text.find("3,").expect("the third row"));
    let done = convert(CSV, text.as_bytes());
    assert_eq!((done.code, done.text()), (Some(2), start.replace(p, &v2(p)).as_str()));
    // As the message says, the table can be read without quotes.
    let done = convert(["--framing", "tsv", "--delimiter", ",", "--column", "2"], text.as_bytes());
    assert_eq!(done.code, Some(1));
    assert_eq!(done.text().matches(&v2(p)).count(), text.matches(p).count());
    // Without the header, columns cannot be found by name.
    convert(CSV, format!("id,\"bd\n1,{p}\n2,{p}\n").as_bytes()).failed(&["header row", "quote", "not closed"]);
}

/// Rows that lost a line end or a delimiter, or have one too many, and a string where that would have moved it.
#[test]
fn strings_in_other_columns() {
    let (p, v) = (PLAIN, v2(PLAIN));
    let solution = p.replace('0', "9");
    let refused = |args: &[&str], header: &str, row: &str, words: &str| {
        let good = [format!("1,{p},note,5\n"), format!("9,{p},note,5\n")];
        let cut = |row: &String| match header {
            "bd,solution" => format!("{p},{solution}\n"),
            "bd" => format!("{p}\n"),
            _ => row.clone(),
        };
        let [before, after] = [cut(&good[0]), cut(&good[1])];
        let sep = if args[1] == "tsv" { "\t" } else { "," };
        let text = format!("{header}\n{before}{row}\n{after}").replace(',', sep);
        let done = convert(args, text.as_bytes());
        let expected = format!("{header}\n{before}{after}").replacen(p, &v, 2).replace(',', sep);
        assert_eq!((done.code, done.text()), (Some(1), expected.as_str()), "{row}: {}", done.stderr);
        let reject: Vec<_> = done.stderr.lines().nth(1).expect("a row").split('\t').collect();
        assert!(reject[4] == "column" && reject[5].contains(words), "{row}: {}", done.stderr);
    };
    for args in [CSV, TSV] {
        let header = "id,bd,note,rating";
        refused(
            &args,
            header,
            &format!("2,{p},note,5x3,{p},note,6"),
            "the row has 7 fields, the first row 4; is the line end between two rows missing",
        );
        refused(&args, header, &format!("2,{p},,53,{p},,"), "two rows");
        refused(&args, header, &format!("2,{p},note,5,3,{p},note,6"), "the row has 8 fields");
        refused(&args, header, &format!("2{p},,5"), "is the delimiter before its string missing?");
        refused(&args, header, &format!("2,,{p},note,5"), "is there an extra delimiter");
        refused(&args, "bd,solution", &format!("{p},{solution}{p},{solution}"), "two rows");
        refused(&args, "bd", &format!("{p},{p}"), "two rows");
        // Other rows with more or fewer fields remain good.
        let text = format!("{header}\n1,{p}\n2,{p},note,5,a,b,c,d,e, and so on and so on\n3,,note\n4,{p},,,,\n")
            .replace(',', if args[1] == "tsv" { "\t" } else { "," });
        assert_eq!(convert(args, text.as_bytes()).good(), text.replace(p, &v).into_bytes());
    }
    // A header that lost its line end.
    for header in [format!("id,bd,note1,{p},x\n2,{p},x\n"), format!("bd,id{p},1\n{p},2\n")] {
        convert(CSV, header.as_bytes()).failed(&["the header contains a record", "line end"]);
    }
}

/// A byte order mark before a quote.
#[test]
fn marks_before_quotes() {
    let (p, v) = (PLAIN, v2(PLAIN));
    let text = format!("\u{feff}\"the\nid\",bd\n\"1\n2\",{p}\n3,\"{p}\n4,{p}\n");
    let done = convert(CSV, text.as_bytes());
    let expected = format!("\u{feff}\"the\nid\",bd\n\"1\n2\",{v}\n4,{v}\n");
    assert_eq!((done.code, done.text()), (Some(1), expected.as_str()));
    assert!(done.stderr.contains("<stdin>\t5\t"), "{}", done.stderr);
}
