//! `validate`, and `convert --check`: rows, counts, what is passed on, exit codes.

use crate::support::{Done, Folder, HEADER, PLAIN, archive, boards, convert, gridmill, many, row, run, v2};

/// A puzzle with one solution, its solution, and the same puzzle without one of its clues.
const UNIQUE: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
const SOLUTION: &str = "693784512487512936125963874932651487568247391741398625319475268856129743274836159";
const SEVERAL: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000800000";

fn validate(args: &[&str], stdin: &str) -> Done {
    run(gridmill(["validate", "-q"]).args(args), stdin.as_bytes())
}

#[test]
fn good_records_say_nothing() {
    let text = format!("# comment\n\n{UNIQUE}\r\n{}\n{SOLUTION}", v2(UNIQUE));
    for level in ["syntax", "rules", "unique"] {
        assert_eq!(validate(&["--level", level], &text).good(), b"", "{level}");
    }
    assert_eq!(validate(&["--level", "rules"], &format!("{SEVERAL}\n{PLAIN}\n")).good(), b"");
    assert_eq!(validate(&[], "").good(), b"");
}

#[test]
fn each_problem_has_its_row() {
    // 1 twice in row 1 and in box 1; then in row 1 only, and in column 9.
    let (twice, both) = (format!("110{}", &UNIQUE[3..]), format!("1{}", &UNIQUE[1..]));
    let text = format!("{UNIQUE}\n{twice}\nbad\n{both}\n");
    let first = row(2, 82, "r1c2", "duplicate", "1 is also in r1c1, and both are in row 1", &twice);
    let done = validate(&[], &text);
    assert_eq!(done.code, Some(1));
    let out = String::from_utf8(done.stdout).expect("text");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(format!("{}\n", lines[0]), HEADER);
    assert_eq!(format!("{}\n", lines[1]), first);
    assert!(lines[2].starts_with("<stdin>\t3\t164\t-\tlength\t"), "{}", lines[2]);
    assert!(lines[3].starts_with("<stdin>\t4\t168\tr1c8\tduplicate\t1 is also in r1c1"), "{}", lines[3]);
    assert_eq!(lines.len(), 4);
    // With --all: one more for the box, and those of the other records.
    let all = String::from_utf8(validate(&["--all"], &text).stdout).expect("text");
    assert_eq!(all.lines().filter(|line| line.starts_with("<stdin>\t2\t")).count(), 3, "{all}");
    // At the syntax level there are no rules.
    assert_eq!(validate(&["--level", "syntax"], &format!("{twice}\n")).good(), b"");
}

#[test]
fn solutions_are_counted() {
    let impossible = format!("5{}", &UNIQUE[1..]);
    let wrong = convert(["--to", "v1"], format!("{UNIQUE}\n").as_bytes()).good();
    let mut wrong = String::from_utf8(wrong).expect("text");
    wrong.replace_range(0..2, "10"); // 5 is entered in r1c1, where the solution has 6.
    let text = format!("{UNIQUE}\n{SEVERAL}\n{impossible}\n{wrong}");
    let done = validate(&["--level", "unique"], &text);
    let expected = [
        HEADER.to_string(),
        row(2, 82, "-", "many-solutions", "the givens have at least 2 solutions", SEVERAL),
        row(3, 164, "-", "no-solution", "the givens have no solution", &impossible),
        row(4, 246, "r1c1", "wrong-progress", "the board has 5 here; the only solution has 6", wrong.trim_end()),
    ];
    assert_eq!((done.code, done.text()), (Some(1), expected.concat().as_str()));
    // With --all each cell that contradicts the solution is reported.
    let mut twice = wrong.clone();
    twice.replace_range(2..4, "20");
    let all = validate(&["--all", "--level", "unique"], &twice);
    let cells = all.text().lines().skip(1).map(|line| line.split('\t').nth(3).expect("a cell"));
    let found: Vec<_> =
        cells.zip(all.text().lines().skip(1)).filter(|(_, line)| line.contains("wrong-progress")).collect();
    assert_eq!(found.iter().map(|(cell, _)| *cell).collect::<Vec<_>>(), ["r1c1", "r1c2"], "{}", all.text());
    let more = validate(&["--level", "unique", "--max-solutions", "10000"], &format!("{SEVERAL}\n"));
    assert!(more.text().contains("the givens have ") && !more.text().contains("at least 2"), "{}", more.text());
    let less = validate(&["--level", "unique", "--effort", "1"], &format!("{}\n", v2(SEVERAL)));
    assert!(less.text().contains("\tundecided\tnot decided within 1 search node; --effort"), "{}", less.text());
}

#[test]
fn solved_digits_are_givens_where_there_are_no_clues() {
    let mask = |b: u8| if b == b'0' { 511 } else { 1 << (b - b'1') };
    let v0 = UNIQUE.bytes().map(|b| mask(b).to_string()).collect::<Vec<_>>().join(",");
    assert_eq!(validate(&["--level", "unique"], &format!("{v0}\n")).good(), b"");
    // In v1, solved cells are what a player entered.
    let v1 = convert(["--to", "v1", "--lossy"], format!("{v0}\n").as_bytes()).good();
    let done = run(&mut gridmill(["validate", "-q", "--level", "unique"]), &v1);
    assert!(done.text().contains("many-solutions"), "{}", done.text());
}

#[test]
fn good_records_are_passed_on_with_their_solutions() {
    let folder = Folder::new();
    let text = format!("# a\n{UNIQUE}\r\n\n{SEVERAL}\n{}\nbad\n{UNIQUE}", v2(UNIQUE));
    folder.write("in", &text);
    let validate_in =
        |args: &str| run(gridmill(format!("validate -q in {args}").split_whitespace()).current_dir(folder.path()), b"");
    let done = validate_in("--level unique -o plain");
    assert_eq!(done.code, Some(1));
    assert_eq!(done.text().lines().count(), 3);
    assert_eq!(folder.text("plain"), format!("# a\n{UNIQUE}\r\n\n{}\n{UNIQUE}", v2(UNIQUE)));
    assert_eq!(validate_in("--level unique --solutions -o solved --rejects bad").stdout, b"");
    let with = |record: &str| format!("{record}\t{SOLUTION}");
    assert_eq!(folder.text("solved"), format!("# a\n{}\r\n\n{}\n{}", with(UNIQUE), with(&v2(UNIQUE)), with(UNIQUE)));
    assert_eq!(folder.text("bad"), done.text());
    validate_in("--level rules -o rules").failed_softly();
    assert_eq!(folder.text("rules"), text.replace("bad\n", ""));
    validate_in("--solutions -o x").failed(&["--level unique"]);
    // Without an output file they are on stdout, and the rejects on stderr.
    let done = validate_in("--level unique --solutions");
    assert_eq!((done.text(), done.stderr.as_str()), (folder.text("solved").as_str(), folder.text("bad").as_str()));
}

impl Done {
    /// Asserts that the run was completed with bad records.
    #[track_caller]
    fn failed_softly(self) {
        assert_eq!(self.code, Some(1), "{}", self.stderr);
    }
}

#[test]
fn convert_checks_in_the_same_pass() {
    let text = format!("{UNIQUE}\n{SEVERAL}\n11{}\n", &UNIQUE[2..]);
    let convert_checking = |check: &str| convert(["--check", check], text.as_bytes());
    assert_eq!(convert_checking("rules").text(), format!("{}\n{}\n", v2(UNIQUE), v2(SEVERAL)));
    assert_eq!(convert_checking("unique").text(), format!("{}\n", v2(UNIQUE)));
    assert!(
        convert_checking("unique").stderr.contains("many-solutions")
            && convert_checking("unique").stderr.contains("duplicate")
    );
}

#[test]
fn warnings_refuse_nothing_and_are_counted() {
    let folder = Folder::new();
    let v1 = convert(["--to", "v1", "--notes", "full"], format!("{UNIQUE}\n").as_bytes()).good();
    let mut v1 = String::from_utf8(v1).expect("text");
    v1.replace_range(0..2, "06"); // 1 and 2 are candidates of r1c1, and 1 stands in the row.
    let done = run(&mut gridmill(["validate"]), v1.as_bytes());
    assert_eq!((done.code, done.text()), (Some(0), ""));
    assert!(done.stderr.contains("warnings: stale 1"), "{}", done.stderr);
    let done = validate(&["--all"], &v1);
    let message = "warning: candidates excluded by a placed digit: 1, 2";
    assert_eq!(
        (done.code, done.text()),
        (Some(0), format!("{HEADER}{}", row(1, 0, "r1c1", "stale", message, v1.trim_end())).as_str())
    );
    folder.write("in", format!("{v1}{UNIQUE}\n{SEVERAL}\n"));
    let args = "validate -q --level unique in --report report --rejects bad";
    assert_eq!(run(gridmill(args.split(' ')).current_dir(folder.path()), b"").code, Some(1));
    let report: serde_json::Value = serde_json::from_slice(&folder.read("report")).expect("JSON");
    assert_eq!(report["level"], "unique");
    assert_eq!(report["valid"], 1);
    assert_eq!(report["codes"], serde_json::json!({"many-solutions": 1, "wrong-progress": 1}));
    assert_eq!(report["warnings"], serde_json::json!({"stale": 1}));
    assert_eq!(report["clue_counts"], serde_json::json!({"17": 2, "16": 1}));
}

#[test]
fn verdicts_are_the_same_whatever_the_threads_and_the_way_of_reading() {
    let folder = Folder::new();
    let mut text = boards("v2", 3000, 3);
    for kind in ["jigsaw", "killer", "str8ts", "kenken", "windoku"] {
        let args = format!("gen -q --kind {kind} --count 40 --mix progress");
        text.extend(run(&mut gridmill(args.split(' ')), b"").good());
        text.extend(format!("bad\n{UNIQUE}\n{SEVERAL}\n").bytes());
    }
    folder.write("in", &text);
    folder.write("in.zst", archive(&text, 10_000));
    let reject_rows = |args: &str| {
        let args = format!("validate -q --level unique --all {args}");
        run(gridmill(args.split(' ')).current_dir(folder.path()), b"").stdout
    };
    let one = reject_rows("in -j1");
    assert!(one.iter().filter(|&&b| b == b'\n').count() > 3000);
    for args in ["in -j2", "in -j5 --no-mmap"] {
        assert!(reject_rows(args) == one, "{args}");
    }
    let packed = String::from_utf8(reject_rows("in.zst")).expect("text").replace("in.zst\t", "in\t");
    assert!(packed.as_bytes() == one);
    assert!(run(&mut gridmill(["validate", "-q", "--level", "syntax"]), many()).good().is_empty());
}

#[test]
fn a_reader_that_has_enough_ends_it_quietly() {
    let folder = Folder::new();
    folder.write("in", format!("{SEVERAL}\n").repeat(50_000));
    let script = "cd $F; $G validate -q --level unique in | head -n 2 > out; echo ${PIPESTATUS[0]}";
    let done = run(crate::support::shell(script).env("F", folder.path()), b"");
    assert_eq!((done.code, done.text()), (Some(0), "0\n"), "{}", done.stderr);
    assert_eq!(folder.text("out").lines().count(), 2);
}

/// Windows and colour groups are known only for side 9: at others such boards are converted, and never called valid.
#[test]
fn boards_whose_rules_are_not_known_are_refused() {
    for header in ["W6B", "C6B", "WGB", "CPB"] {
        let (cells, width) = match &header[1..2] {
            "6" => (36, 2),
            "G" => (256, 4),
            _ => (625, 5),
        };
        let text = format!("{header}{}\n", "0".repeat(cells * width));
        assert_eq!(validate(&["--level", "syntax"], &text).good(), b"", "{header}");
        for level in ["rules", "unique"] {
            let done = validate(&["--level", level], &text);
            assert_eq!(done.code, Some(1), "{header} {level}");
            let out = String::from_utf8(done.stdout).expect("text");
            assert!(out.contains("\tunsupported\tthe rules of "), "{header} {level}: {out}");
            assert!(out.contains("are known only for side 9"), "{header} {level}: {out}");
        }
    }
}
