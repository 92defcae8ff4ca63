//! Appended columns and fields have names of their own, or nothing is appended.

use crate::support::{Done, PLAIN, gridmill, run, shell};

/// A puzzle with one solution, and its solution.
const UNIQUE: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
const SOLUTION: &str = "693784512487512936125963874932651487568247391741398625319475268856129743274836159";

fn run_gridmill(args: &str, stdin: &str) -> Done {
    run(&mut gridmill(args.split_whitespace()), stdin.as_bytes())
}

/// The output of a program, and code and message of each reject.
fn said(done: &Done) -> (String, Vec<String>) {
    let rows = done.stderr.lines().skip(1).filter(|row| row.contains('\t'));
    let rows = rows.map(|row| row.split('\t').skip(4).take(2).collect::<Vec<_>>().join(": ")).collect();
    (done.text().to_string(), rows)
}

/// Rows with another number of fields than the header: nothing is appended to them, and kept rows stay as they are.
#[test]
fn rows_with_fewer_or_more_fields_than_the_header() {
    let (p, s) = (UNIQUE, SOLUTION);
    let rows = [format!("{p},book,1"), p.into(), format!("{p},a"), String::new(), ",a".into(), format!("{p},a,2,x")];
    let (csv, rest) = (format!("puzzle,source,rating\n{}\n", rows.join("\n")), ",\"a,b\",3\n");
    let csv = format!("{csv}{p}{rest}");
    let refused = |fields: &str| {
        format!("column: the row has {fields}, the first row 3; appended values would end up in another column")
    };
    let expected_refused = [refused("1 field"), refused("2 fields"), refused("2 fields"), refused("4 fields")];
    for (command, name, new) in [
        ("solve", "solution", s),
        ("validate --add solution=y", "y", s),
        ("convert --to plain --to-column new", "new", p),
        ("convert --to plain --add clues", "clues", "17"),
    ] {
        let expected =
            format!("puzzle,source,rating,{name}\n{p},book,1,{new}\n\n{p}{}\n", rest.replace('\n', &format!(",{new}")));
        let (text, rejects) = said(&run_gridmill(&format!("{command} -q --framing csv --column puzzle"), &csv));
        assert_eq!(text, expected, "{command}");
        assert_eq!(rejects, expected_refused, "{command}");
        let as_tsv = |text: &str| text.replace("\"a,b\"", "a;b").replace(',', "\t");
        let (text, rejects) =
            said(&run_gridmill(&format!("{command} -q --framing tsv --column puzzle"), &as_tsv(&csv)));
        assert_eq!((text, rejects.len()), (as_tsv(&expected), 4), "{command}");
        if !command.starts_with("validate") {
            let kept = run_gridmill(&format!("{command} -q --framing csv --column puzzle --bad keep"), &csv);
            let expected: Vec<_> = csv
                .lines()
                .map(|row| match row.split(',').count() {
                    _ if row.starts_with("puzzle") => format!("{row},{name}"),
                    _ if row == rows[0] || row.contains('"') => format!("{row},{new}"),
                    _ => row.to_string(),
                })
                .collect();
            assert_eq!(kept.text(), expected.join("\n") + "\n", "{command}");
        }
    }
    // Without names the first row determines the number of fields. If nothing is appended, nothing can be misplaced.
    let done = run_gridmill("solve -q --framing csv --no-header --column 1", &format!("\n{p},1\n{p}\n{p},2,3\n"));
    assert_eq!(done.text(), format!("\n{p},1,{s}\n"));
    let done = run_gridmill("solve -q --framing tsv --no-header --column 1", &format!("\r\n{p}\t1\n{p}\n{p}\t2\t3\n"));
    assert_eq!(done.text(), format!("\r\n{p}\t1\t{s}\n"));
    assert_eq!(run_gridmill("convert -q --to plain --framing csv --column 1", &csv).good(), csv.as_bytes());
}

/// A record whose fields cannot be found is kept as it is. A record with a bad string has empty new columns.
#[test]
fn kept_records() {
    let (p, s) = (UNIQUE, SOLUTION);
    let text = format!("id,p,x\n1,bad,1\n1,{p},\"abc\n2,{p},d\n4,{p},2\n5,{p},3\n");
    let done = run_gridmill("solve -q --framing csv --column p --add clues --bad keep", &text);
    let expected =
        format!("id,p,x,solution,clues\n1,bad,1,,\n1,{p},\"abc\n2,{p},d,{s},17\n4,{p},2,{s},17\n5,{p},3,{s},17\n");
    assert_eq!(done.text(), expected, "{}", done.stderr);
    assert_eq!(done.code, Some(1));
    let done = run_gridmill("solve -q --framing csv --column p --bad keep", &format!("id,p\n1,\"{p}\"x\n2,{p}\n"));
    assert_eq!(done.text(), format!("id,p,solution\n1,\"{p}\"x\n2,{p},{s}\n"));
    let open =
        run_gridmill("solve -q --framing csv --column p --add clues --bad keep", &format!("id,p,x\n1,{p},\"abc"));
    assert_eq!(open.text(), format!("id,p,x,solution,clues\n1,{p},\"abc"));
}

#[test]
fn lines_of_json_that_are_no_objects() {
    let (p, s) = (UNIQUE, SOLUTION);
    let no_object = "column: the line is not an object; fields can be appended only to objects";
    let array = format!("[\"{p}\",\"x\"]\n{{\"0\":\"{p}\"}}\n");
    let (text, rejects) = said(&run_gridmill("solve -q --framing jsonl --field /0", &array));
    assert_eq!((text, rejects), (format!("{{\"0\":\"{p}\",\"solution\":\"{s}\"}}\n"), vec![no_object.to_string()]));
    let objects = format!(" [{{\"p\":\"{p}\"}},{{\"id\":1}}]\n[null]\n7\n[{{\"p\":\n");
    let (text, rejects) = said(&run_gridmill("validate -q --add clues --framing jsonl --field /0/p", &objects));
    let eof = "json: not valid JSON: EOF while parsing a value, at byte 6";
    assert_eq!((text.as_str(), rejects), ("", vec![no_object.into(), no_object.into(), no_object.into(), eof.into()]));
    let kept = run_gridmill("convert -q --bad keep --add clues --framing jsonl --field /0/p", &objects);
    assert_eq!(kept.text(), objects);
    // If nothing is appended, an array will do as well as an object.
    let replaced = run_gridmill("convert -q --to plain --framing jsonl --field /0", &format!("[\"{p}\",\"x\"]\n"));
    assert_eq!(replaced.good(), format!("[\"{p}\",\"x\"]\n").as_bytes());
}

#[test]
fn no_field_is_there_twice() {
    for (args, flag) in [
        ("solve --field /p --to-column p", "--to-column NAME"),
        ("solve --field /solution", "--to-column NAME"),
        ("solve --field /p --add clues=p", "--add clues=NAME"),
        ("solve --field /p/0 --to-column p", "--to-column NAME"),
        ("validate --field /p --add clues=p", "--add clues=NAME"),
        ("validate --field /p --solution-field /s --add clues=s", "--add clues=NAME"),
        ("validate --level unique --field /p --solutions --solution-name p", "--solution-name NAME"),
        ("convert --field /p --add clues=p", "--add clues=NAME"),
        ("convert --field /p/q --to-column p", "--to-column NAME"),
    ] {
        for text in [&format!("{{\"p\":\"{UNIQUE}\"}}\n"), "{\"p\":null}\n"] {
            run_gridmill(&format!("{args} --framing jsonl"), text).failed(&["is a field that is read", flag]);
        }
    }
    let twice = format!("{{\"p\":null,\"n\":1}}\n{{\"p\":\"{UNIQUE}\",\"\\u006e\":1}}\n");
    let (text, rejects) = said(&run_gridmill("solve -q --framing jsonl --field /p --to-column n", &twice));
    let words = "column: the object already has a field \"n\"; use --to-column NAME to choose another name";
    assert_eq!((text.as_str(), rejects), ("", vec![words.to_string(); 2]));
}

/// Results for the elements of an array keep the positions of the elements.
#[test]
fn elements_that_are_no_strings_keep_their_places() {
    let (p, s) = (UNIQUE, SOLUTION);
    let text = format!(
        "{{\"b\":[null,\"{p}\"]}}\n{{\"b\":[\"{p}\",\"\",null,\"{p}\",null]}}\n{{\"b\":[null,\"\"]}}\n{{\"b\":[]}}\n{{\"b\":null}}\n\
         {{\"b\":[null,\"bad\",null]}}\n{{\"b\":[\"{p}\"]}}\n{{\"b\":\"{p}\"}}\n"
    );
    let expected = |name: &str, s: &str| {
        format!(
            "{{\"b\":[null,\"{p}\"],\"{name}\":[null,{s}]}}\n{{\"b\":[\"{p}\",\"\",null,\"{p}\",null],\"{name}\":[{s},null,null,{s},null]}}\n\
             {{\"b\":[null,\"\"],\"{name}\":[null,null]}}\n{{\"b\":[],\"{name}\":[]}}\n{{\"b\":null,\"{name}\":null}}\n\
             {{\"b\":[\"{p}\"],\"{name}\":[{s}]}}\n{{\"b\":\"{p}\",\"{name}\":{s}}}\n"
        )
    };
    let json = "-q --framing jsonl --field /b";
    assert_eq!(run_gridmill(&format!("solve {json}"), &text).text(), expected("solution", &format!("\"{s}\"")));
    let converted = run_gridmill(&format!("convert {json} --to plain --to-column n"), &text);
    assert_eq!(converted.text(), expected("n", &format!("\"{p}\"")));
    assert_eq!(run_gridmill(&format!("validate {json} --add clues"), &text).text(), expected("clues", "17"));
}

#[test]
fn names_that_cannot_be_written_or_are_taken() {
    let with = |args: &[&str], stdin: &str| run(&mut gridmill(args), stdin.as_bytes());
    let (tsv, csv) = (["--framing", "tsv", "--column", "p"], ["--framing", "csv", "--column", "p"]);
    for name in ["a\tb", "a\nb", "a\rb"] {
        let add = format!("clues={name}");
        let words = &["fields of TSV cannot be quoted", "csv"];
        with(&[&["validate", "--add", &add], &tsv[..]].concat(), "p\n").failed(words);
        with(&[&["convert", "--to-column", name], &tsv[..]].concat(), "p\n").failed(words);
        let done = with(&[&["convert", "-q", "--to-column", name], &csv[..]].concat(), "p\n");
        let quoted = if name.contains('\t') { name.to_string() } else { format!("\"{name}\"") };
        assert_eq!(done.good(), format!("p,{quoted}\n").as_bytes());
    }
    for args in [&["convert", "--to-column", ""][..], &["solve", "--to-column", ""]] {
        with(&[args, &tsv[..]].concat(), "p\n").failed(&["needs a name", "--to-column NAME"]);
    }
    let solutions = ["validate", "--level", "unique", "--solutions"];
    with(&[&solutions[..], &["--solution-name", ""], &csv[..]].concat(), "p\n").failed(&["needs a name"]);
    let table = "p,clues,solution,n\n";
    with(&[&["validate", "--add", "clues"], &csv[..]].concat(), table)
        .failed(&["column \"clues\" already exists", "--add clues=NAME"]);
    with(&[&["solve"], &csv[..]].concat(), table).failed(&["column \"solution\" already exists", "--to-column NAME"]);
    for (command, flag) in [
        (&solutions[..], "--solution-name NAME"),
        (&["canon", "--solution"], "--solution=NAME"),
        (&["validate", "--add", "solution"], "--add solution=NAME"),
    ] {
        let words = format!("column \"solution\" already exists; use {flag} to choose another name");
        with(&[command, &csv[..]].concat(), table).failed(&[&words]);
    }
}

#[test]
fn columns_that_are_named_twice_or_are_not_there() {
    run_gridmill("solve --framing csv --column a --column a", "a\n").failed(&["column a is named twice"]);
    run_gridmill("solve --framing csv --column 1 --column 1", "a\n").failed(&["column 1 is named twice"]);
    for framing in ["csv", "tsv --delimiter ,"] {
        for flags in ["--column 9", "--column 1 --solution-column 9"] {
            run_gridmill(&format!("validate --framing {framing} {flags}"), "a,b,c\n1,2,3\n")
                .failed(&["there is no column 9", "the first row has 3 fields: a, b, c"]);
        }
        let done = run_gridmill(&format!("validate -q --framing {framing} --no-header --column 9"), "a,b,c\n");
        assert_eq!(done.code, Some(1));
    }
}

#[test]
fn rows_of_json_without_a_solution() {
    let rows = ["", ",\"s\":null", ",\"s\":\"\""].map(|solution| format!("{{\"p\":\"{UNIQUE}\"{solution}}}\n"));
    let done = run_gridmill("validate -q --framing jsonl --field /p --solution-field /s", &rows.concat());
    let codes: Vec<_> = done.text().lines().skip(1).map(|row| row.split('\t').nth(4).unwrap_or_default()).collect();
    assert_eq!(codes, ["incomplete-solution"; 3]);
    let number = run_gridmill(
        "validate -q --framing jsonl --field /p --solution-field /s",
        &format!("{{\"p\":\"{UNIQUE}\",\"s\":1}}\n"),
    );
    assert!(number.text().contains("\tcolumn\tit is a number"), "{}", number.text());
}

/// Help on the number of solutions applies to every command that prints it.
#[test]
fn help_names_no_flag_that_a_command_lacks() {
    for command in ["convert", "solve", "validate"] {
        let help = run_gridmill(&format!("{command} --help"), "").good();
        let help = String::from_utf8(help).expect("text");
        let has = help.lines().any(|line| line.trim_start().starts_with("--max-solutions"));
        assert!(has || !help.contains("up to --max-solutions"), "{command}");
    }
}

/// The message says how to go on, and that works.
#[test]
fn grids_are_made_lines_before_columns_are_appended() {
    let grid: String = PLAIN.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect();
    for args in [
        "validate --add clues",
        "solve --add clues",
        "convert --add kind",
        "canon --key",
        "validate --level unique --solutions",
    ] {
        let args = format!("{args} --framing grid");
        let done = run(&mut gridmill(args.split(' ')), grid.as_bytes());
        done.failed(&[
            "columns can be appended only to lines",
            "'gridmill convert --framing grid' turns grids into lines",
        ]);
    }
    let done = run(&mut shell("$G convert -q --framing grid | $G validate -q --add clues"), grid.as_bytes());
    assert!(String::from_utf8(done.good()).unwrap().ends_with("\t46\n"));
}
