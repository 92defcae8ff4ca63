//! Grades: in columns, in the summary and the report, and to choose records.

use std::fs;

use crate::support::{Done, gridmill};

/// Puzzles of grade 1, 8 and 11, one with several solutions, and one that breaks a rule.
const EASY: &str = "070400000000070600950000001001600070087520000290300400400000080000080007000000060";
const WING: &str = "061200700009001002030900000000506000070000000400000081890040000000600400300059007";
const BEYOND: &str = "100000002090400050006000700050903000000070000000850040700000600030009080002000001";
const SEVERAL: &str = "100000000000000000000000000000000000000000000000000000000000000000000000000000000";
const WRONG: &str = "110000000000000000000000000000000000000000000000000000000000000000000000000000000";

fn lines(strings: &[&str]) -> String {
    strings.iter().map(|string| format!("{string}\n")).collect()
}

fn run(args: &[&str], stdin: &[u8]) -> Done {
    crate::support::run(&mut gridmill(args), stdin)
}

fn validate(flags: &[&str], text: &str) -> Done {
    run(&[&["validate"], flags].concat(), text.as_bytes())
}

#[test]
fn grades_are_added_as_numbers_and_names() {
    let text = lines(&[EASY, WING, BEYOND, SEVERAL]);
    let expected = format!("{EASY}\t1\tbox\n{WING}\t8\twing\n{BEYOND}\t11\tbeyond\n{SEVERAL}\t\t\n");
    let done = validate(&["--add", "grade,grade-name"], &text);
    assert_eq!((done.code, done.text()), (Some(0), expected.as_str()));
    let words = done.stderr.as_str();
    assert!(words.contains("grades (ladder 1): box 1, wing 1, beyond 1, none 1"), "{words}");
    // Together with other facts, and on any number of threads.
    let text = text.repeat(10);
    let one = validate(&["--add", "clues,grade,nodes,solution", "-j", "1"], &text);
    assert_eq!(one.stdout, validate(&["--add", "clues,grade,nodes,solution", "-j", "2"], &text).stdout);
    assert!(
        one.text().starts_with(&format!("{EASY}\t{}\t1\t1\t", EASY.bytes().filter(|&b| b != b'0').count())),
        "{}",
        one.text()
    );
    // A solved cell is no given.
    let v1 = run(&["convert", "-q", "--to", "v1"], lines(&[WING]).as_bytes()).good();
    let v1 = String::from_utf8(v1).expect("text");
    assert!(validate(&["--add", "grade"], &v1).text().ends_with("\t8\n"));
}

#[test]
fn kinds_without_a_ladder_have_no_grade() {
    for kind in ["killer", "sudoku-x", "jigsaw", "str8ts"] {
        let boards = run(&["gen", "-q", "--kind", kind, "--mix", "clues", "--count", "3"], b"").good();
        let done = run(&["validate", "--add", "grade,grade-name"], &boards);
        assert_eq!(done.code, Some(0), "{kind}");
        assert!(done.text().lines().all(|line| line.ends_with("\t\t")), "{kind}: {}", done.text());
        assert!(done.stderr.as_str().contains("none 3"), "{kind}");
    }
    let large = run(&["gen", "-q", "--side", "16", "--mix", "clues", "--count", "1"], b"").good();
    assert!(run(&["validate", "--add", "grade"], &large).text().ends_with("\t\n"));
    assert!(validate(&["--givens", "candidates", "--add", "grade"], &lines(&[EASY])).text().ends_with("\t\n"));
}

#[test]
fn tables_and_json_lines_have_grades() {
    let table = format!("id,bd\n1,{EASY}\n2,\n3,{BEYOND}\n");
    let done = validate(&["--framing", "csv", "--column", "bd", "--add", "grade,grade-name=needs"], &table);
    assert_eq!(done.text(), format!("id,bd,grade,needs\n1,{EASY},1,box\n2,,,\n3,{BEYOND},11,beyond\n"));
    let json = format!("{{\"p\":\"{WING}\"}}\n{{\"p\":\"{SEVERAL}\"}}\n");
    let done = validate(&["--framing", "jsonl", "--field", "/p", "--add", "grade,grade-name"], &json);
    let expected = format!(
        "{{\"p\":\"{WING}\",\"grade\":8,\"grade-name\":\"wing\"}}\n{{\"p\":\"{SEVERAL}\",\"grade\":null,\"grade-name\":null}}\n"
    );
    assert_eq!(done.text(), expected);
}

#[test]
fn others_are_passed_over_and_counted() {
    let text = lines(&[EASY, "# a comment", WING, BEYOND, SEVERAL]);
    for (grade, kept) in [
        ("1", vec![EASY]),
        ("wing..11", vec![WING, BEYOND]),
        ("fish", vec![]),
        ("box..beyond", vec![EASY, WING, BEYOND]),
    ] {
        let done = validate(&["--grade", grade], &text);
        let out: Vec<&str> = done.text().lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!((done.code, &out), (Some(0), &kept), "{grade}");
        let words = done.stderr.clone();
        assert!(words.contains(&format!(", {} passed over, ", 4 - kept.len())), "{grade}: {words}");
    }
    // Bad records are bad as before, and are not passed over.
    let done = validate(&["--grade", "box", "--add", "grade-name"], &lines(&[WRONG, EASY, WING, "bad"]));
    assert_eq!((done.code, done.text()), (Some(1), format!("{EASY}\tbox\n").as_str()));
    let words = done.stderr.clone();
    assert!(words.contains("4 records, 2 rejected (length 1, duplicate 1), 1 passed over"), "{words}");
    // On several threads, and without a line end at the end.
    let many = lines(&[WING, EASY, BEYOND]).repeat(300);
    let done = validate(&["--grade", "box", "-j", "2"], many.trim_end());
    assert_eq!(done.text(), lines(&[EASY]).repeat(300));
}

#[test]
fn rows_are_passed_over_as_a_whole() {
    let table = format!("a,b\n{EASY},{EASY}\n{EASY},{WING}\n,{WING}\n{EASY},{WRONG}\n{WING},{EASY}\n{EASY},\n");
    let flags = ["--framing", "csv", "--column", "a", "--column", "b", "--grade", "box"];
    let done = validate(&flags, &table);
    assert_eq!(done.text(), format!("a,b\n{EASY},{EASY}\n{EASY},\n"));
    let words = done.stderr.clone();
    assert!(words.contains("6 records, 1 rejected (duplicate 1), 3 passed over"), "{words}");
    assert!(words.contains("box 5, wing 3"), "a bad row does not count: {words}");
}

/// Nothing can be left out of a text with links or of XML, so the records are written without the text around them.
#[test]
fn links_and_values_of_xml_are_listed() {
    let link = |string: &str| format!("https://www.sudokuwiki.org/sudoku.htm?bd={string}");
    let [easy, wing, beyond, several, wrong] = [EASY, WING, BEYOND, SEVERAL, WRONG].map(link);
    let text = format!(
        "\u{feff}# Links\n[easy]({easy}), <a href=\"{wing}\">{several}</a>\n{beyond}\nbad: {wrong}\n{easy}&x=1 end"
    );
    for threads in ["1", "2"] {
        let flags = ["--framing", "links", "--grade", "box..wing", "-j", threads];
        let done = validate(&flags, &text);
        assert_eq!((done.code, done.text()), (Some(1), format!("{easy}\n{wing}\n{easy}&x=1\n").as_str()));
        let words = done.stderr.clone();
        assert!(words.contains("6 records, 1 rejected (duplicate 1), 2 passed over"), "{words}");
        assert!(words.contains("box 2, wing 1, beyond 1, none 2"), "{words}");
    }
    // If all pass, and if none does. Without --grade, the text stays.
    let flags = |grade| ["--framing", "links", "--grade", grade];
    let text = format!("x {easy} y {wing} z\n");
    assert_eq!(validate(&flags("box..wing"), &text).text(), format!("{easy}\n{wing}\n"));
    assert_eq!(validate(&flags("fish"), &text).text(), "");
    assert_eq!(validate(&["--framing", "links", "-o", "-"], &text).text(), text);

    let xml = format!(
        "<?xml version='1.0'?>\n<games>\n<game data='{EASY}'/><game data='{WING}'>{EASY}</game>\n<data> {EASY} </data>\
         <data data='{EASY}'>{WING}</data><data data='{EASY}'>{EASY}</data><data/><game data='{WRONG}'/>\n</games>\n"
    );
    let flags = ["--framing", "xml", "--column", "data", "--grade", "box", "-j", "1"];
    let done = validate(&flags, &xml);
    assert_eq!((done.code, done.text()), (Some(1), lines(&[EASY, EASY, EASY, EASY]).as_str()));
    let words = done.stderr.clone();
    assert!(words.contains("6 records, 1 rejected (duplicate 1), 2 passed over"), "{words}");
    let wing = validate(&["--framing", "xml", "--column", "game@data", "--grade", "wing"], &xml);
    assert_eq!(wing.text(), lines(&[WING]));
    let file = format!(
        "<opensudoku version=\"2\">\n<game data=\"{EASY}\"/>\n<game data='{WING}'/><game data='{EASY}'/></opensudoku>"
    );
    let done = validate(&["--framing", "file", "--grade", "box"], &file);
    assert_eq!((done.code, done.text()), (Some(0), lines(&[EASY, EASY]).as_str()));
}

#[test]
fn reports_count_grades() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("report.json");
    let flags = ["--grade", "wing..beyond", "--report", path.to_str().expect("a name")];
    assert_eq!(validate(&flags, &lines(&[EASY, WING, WING, SEVERAL])).code, Some(0));
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&path).expect("a report")).expect("JSON");
    assert_eq!(report["grades"], serde_json::json!({"ladder": "ladder 1", "box": 1, "wing": 2, "none": 1}));
    assert_eq!((&report["valid"], &report["passed_over"]), (&4.into(), &2.into()));
    // Without grades, nothing is said of them.
    let other = folder.path().join("other.json");
    assert_eq!(validate(&["--report", other.to_str().expect("a name")], &lines(&[EASY])).code, Some(0));
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&other).expect("a report")).expect("JSON");
    assert_eq!((report.get("grades"), report.get("passed_over")), (None, None));
}

#[test]
fn unknown_grades_and_unsuited_inputs_are_refused() {
    for (flags, words) in [
        (vec!["validate", "--grade", "easy"], "there is no grade \"easy\"; grades: 1 box, 2 hidden"),
        (vec!["validate", "--grade", "net..box"], "net (grade 10) is above box (grade 1)"),
        (vec!["gen", "--grade", "box"], "--unique"),
        (vec!["gen", "--unique", "--kind", "killer", "--grade", "box"], "a killer of side 9 has no grade"),
        (vec!["gen", "--unique", "--side", "16", "--grade", "box"], "a sudoku of side 16 has no grade"),
    ] {
        let done = run(&flags, lines(&[EASY]).as_bytes());
        let said = done.stderr.clone();
        assert_eq!(done.code, Some(2), "{flags:?}: {said}");
        assert!(said.contains(words), "{flags:?}: {said}");
    }
}

#[test]
fn puzzles_of_some_grades_are_made() {
    let make = |flags: &[&str]| {
        run(&[&["gen", "--unique", "--mix", "clues", "--format", "plain", "--seed", "5"], flags].concat(), b"")
    };
    let done = make(&["--minimal", "--grade", "wing..net", "--count", "4", "-j", "1"]);
    let words = done.stderr.clone();
    assert_eq!(done.code, Some(0), "{words}");
    assert!(words.starts_with("gridmill: 4 boards, ") && words.contains(" tried, "), "{words}");
    assert_eq!(done.stdout, make(&["--minimal", "--grade", "8..10", "--count", "4", "-j", "2"]).stdout);
    let graded = run(&["validate", "--grade", "wing..net"], &done.stdout);
    assert_eq!((graded.text(), graded.text().lines().count()), (done.text(), 4));
    // Those are the puzzles that are made without the flag, without the others.
    let all = make(&["--minimal", "--count", "40"]);
    assert!(all.text().contains(done.text().lines().next().expect("a puzzle")));
    let failed = make(&["--grade", "beyond", "--count", "2", "--tries", "64"]);
    let words = failed.stderr.clone();
    assert_eq!(failed.code, Some(2), "{words}");
    assert!(
        words.contains("only 0 of 2 puzzles with a grade of beyond among 64 puzzles; --tries allows more"),
        "{words}"
    );
    let distinct = make(&["--grade", "box", "--distinct", "--count", "5"]);
    assert_eq!((distinct.code, distinct.text().lines().count()), (Some(0), 5));
}

#[test]
fn show_says_the_grade() {
    let done = run(&["show", WING], b"");
    assert!(done.text().contains("\ngrade 8 wing: XY-wing, XYZ-wing, W-wing, turbot fish\n"), "{}", done.text());
    assert!(!run(&["show", SEVERAL], b"").text().contains("grade"));
    let json: serde_json::Value = serde_json::from_slice(&run(&["show", "--json", BEYOND], b"").stdout).expect("JSON");
    assert_eq!((&json["grade"], &json["grade_name"]), (&11.into(), &"beyond".into()));
}
