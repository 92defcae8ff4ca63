//! Solutions that come with puzzles, and strings in several columns.

use std::fmt::Write;

use gridmill::board::Kind;

use crate::random::Rng;
use crate::support::{Done, Folder, digits_of_solution, gridmill, run, shell, v2};

/// A puzzle with one solution, its solution, and the same puzzle without one of its clues.
const UNIQUE: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
const SOLUTION: &str = "693784512487512936125963874932651487568247391741398625319475268856129743274836159";
const SEVERAL: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000800000";

fn go(args: &str, stdin: &str) -> Done {
    run(&mut gridmill(args.split_whitespace()), stdin.as_bytes())
}

/// Cell, code and message of each reject row.
fn said(done: &Done) -> Vec<String> {
    let rows = if done.stdout.starts_with(b"input\t") { done.text() } else { &done.stderr };
    rows.lines().skip(1).map(|row| row.split('\t').skip(3).take(3).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn solutions_that_are_given_have_to_be_right() {
    let changed = |at: usize, to: &str| format!("{}{to}{}", &SOLUTION[..at], &SOLUTION[at + 1..]);
    let swapped = SOLUTION.replace('1', "x").replace('2', "1").replace('x', "2");
    let cases = [
        (SOLUTION.to_string(), None, None),
        (v2(SOLUTION), None, None),
        (
            changed(0, "5"),
            Some("r1c1 wrong-solution the given solution has 5 here; the only solution has 6"),
            Some("r1c7 wrong-solution the given solution breaks a rule: 5"),
        ),
        (
            changed(7, "2"),
            Some("r1c8 wrong-solution the given solution has 2 here; the only solution has 1"),
            Some("r1c8 wrong-solution the given solution has 2 here, where the cell is given as 1"),
        ),
        (
            swapped,
            Some("r1c8 wrong-solution the given solution has 2 here; the only solution has 1"),
            Some("r1c8 wrong-solution the given solution has 2 here, where the cell is given as 1"),
        ),
        (
            changed(80, "."),
            Some("r9c9 incomplete-solution the given solution has no digit here"),
            Some("r9c9 incomplete-solution the given solution has no digit here"),
        ),
        (
            UNIQUE.to_string(),
            Some("r1c1 incomplete-solution the given solution"),
            Some("r1c1 incomplete-solution the given solution"),
        ),
        (
            String::new(),
            Some("- incomplete-solution this puzzle comes without a solution"),
            Some("- incomplete-solution this puzzle comes without a solution"),
        ),
        (
            "123".into(),
            Some("- wrong-solution the solution cannot be read: 3 characters"),
            Some("- wrong-solution the solution cannot be read: 3 characters"),
        ),
    ];
    for (given, unique, rules) in cases {
        for (level, expected) in [("unique", unique), ("rules", rules)] {
            let csv = format!("s,id,p\n{given},1,{UNIQUE}\n\"{given}\",2,\"{UNIQUE}\"\r\n,3,\n");
            let json = format!(
                "{{\"s\":\"{given}\",\"p\":\"{UNIQUE}\"}}\n{{\"p\":\"\\u0030{}\",\"n\":{{}},\"s\":\"{given}\"}}\n",
                &UNIQUE[1..]
            );
            for (framing, text) in [
                ("--framing csv --column p --solution-column s", &csv),
                ("--framing csv --column 3 --solution-column 1", &csv),
                ("--framing jsonl --field /p --solution-field /s", &json),
            ] {
                let done = go(&format!("validate -q --level {level} {framing}"), text);
                let found = said(&done);
                match expected {
                    None => assert_eq!(found, [""; 0], "{given} {level} {framing}"),
                    Some(words) => {
                        assert_eq!(found.len(), 2, "{given} {level} {framing} {found:?}");
                        assert!(found.iter().all(|found| found.starts_with(words)), "{level} {framing} {found:?}");
                    }
                }
                let passed = go(&format!("validate -q --level {level} {framing} --add solution=x"), text);
                let rows = passed.text().lines().count();
                let all = if framing.contains("csv") { 2 } else { 0 };
                assert_eq!(rows, if expected.is_none() { all + 2 } else { all }, "{}", passed.text());
            }
        }
    }
    let only = "--framing csv --column p --solution-column";
    go(&format!("validate --level syntax {only} s"), "").failed(&["--level syntax", "--level rules or --level unique"]);
    go(&format!("validate {only} p"), "p,s\n").failed(&["named twice"]);
    go(&format!("validate {only} p --column s"), "p,s\n").failed(&["each --column needs a --solution-column"]);
    go("validate --solution-column s", "").failed(&["--solution-column", "--framing csv"]);
    go("validate --solution-field /s --framing jsonl --field s", "").failed(&["must begin with a slash"]);
    go("convert --framing csv --column p --solution-column s", "").failed(&["--solution-column"]);
}

/// Every solution of a puzzle with several follows the rules, but such a puzzle is refused by itself.
#[test]
fn puzzles_with_several_solutions() {
    let text = format!("p,s\n{SEVERAL},{SOLUTION}\n");
    let flags = "--framing csv --column p --solution-column s";
    assert_eq!(said(&go(&format!("validate -q {flags}"), &text)), [""; 0]);
    assert_eq!(
        said(&go(&format!("validate -q --all --level unique {flags}"), &text)),
        ["- many-solutions the givens have at least 2 solutions"]
    );
    let list = format!("{{\"p\":[\"{UNIQUE}\"],\"s\":[\"{SOLUTION}\"]}}\n");
    let done = go("validate -q --framing jsonl --field /p --solution-field /s", &list);
    assert_eq!(said(&done), ["- column it is an array, not a string"]);
}

/// For every kind, the solutions that are added are right, also as digits, and a changed digit is found.
#[test]
fn solutions_of_every_kind() {
    let folder = Folder::new();
    let make = "
        for kind in $KINDS; do
            $G gen -q --unique --kind $kind --count 5 --mix clues
        done > all
        $G gen -q --unique --side 16 --count 2 --mix clues >> all
        (echo p; $G validate -q --level unique all -o -  --rejects /dev/null) > p.csv
        $G validate -q --level unique --solutions --framing csv --column p p.csv > both.csv";
    let kinds: Vec<_> = Kind::all().map(Kind::name).collect();
    assert_eq!(run(shell(make).env("KINDS", kinds.join(" ")).current_dir(folder.path()), b"").good(), b"");
    let both = folder.text("both.csv");
    let rows: Vec<_> = both.lines().skip(1).filter_map(|row| row.split_once(',')).collect();
    assert_eq!(rows.len(), kinds.len() * 5 + 2);
    let with = |solution: fn(&str) -> String| {
        let rows = rows.iter().map(|(puzzle, written)| format!("{puzzle},{}\n", solution(written)));
        format!("p,solution\n{}", rows.collect::<String>())
    };
    folder.write("digits.csv", with(digits_of_solution));
    folder.write(
        "wrong.csv",
        with(|written| {
            let digits = digits_of_solution(written);
            let at = digits.rfind('1').expect("a 1");
            format!("{}2{}", &digits[..at], &digits[at + 1..])
        }),
    );
    let check = "for level in rules unique; do
            for table in both digits; do
                $G validate --level $level --framing csv --column p --solution-column solution $table.csv
            done
            $G validate -q --level $level --framing csv --column p --solution-column solution wrong.csv | cut -f 5 | sort | uniq -c
        done";
    let done = run(shell(check).current_dir(folder.path()), b"");
    let lines: Vec<&str> = done.text().lines().map(str::trim).collect();
    let wrong = format!("{} wrong-solution", rows.len());
    assert_eq!(lines, ["1 code", &wrong].repeat(2), "{}", done.stderr);
    assert_eq!(done.stderr.matches(" 0 rejected").count(), 4, "{}", done.stderr);
}

/// One command checks puzzles and solutions and adds clues and nodes. It finds exactly the faults that were planted,
/// and leaves other fields as they are.
#[test]
fn the_public_shapes_of_tables() {
    let folder = Folder::new();
    let make = "
        $G gen -q --unique --mix clues --clues 26 --count 4000 --format plain | tr . 0 > p
        $G solve -q p > s
        (echo quizzes,solutions; paste -d, p s) > one.csv
        (echo id,puzzle,solution,clues,difficulty; paste -d, p s | awk '{print NR\",\"$0\",26,\"NR%7/10}') > two.csv
        (echo source,question,answer,rating; paste -d, p s | awk '{print \"\\\"a, \"NR\"\\\",\"$0\",\"NR%9}') > three.csv
        for shape in 'one quizzes solutions' 'two puzzle solution' 'three question answer'; do
            set -- $shape
            flags=\"-q --level unique --framing csv --column $2 --solution-column $3 --add clues=c,nodes=n\"
            $G validate $flags $1.csv -o $1.out
            sed 's/,[^,]*,[^,]*$//' $1.out | cmp - $1.csv
            awk -F, '{print $(NF-1)}' $1.out | sort | uniq -c
            awk -F, -v OFS=, -v n=100 -v at=$(head -n 1 $1.csv | tr , '\\n' | grep -n \"^$3$\" | cut -d: -f1) \\
                -v q=$([ $1 = three ] && echo 1 || echo 0) \\
                'NR%n==50{c=substr($(at+q),40,1); $(at+q)=substr($(at+q),1,39) (c%9+1) substr($(at+q),41)}{print}' $1.csv > $1.wrong
            $G validate $flags $1.wrong -o $1.good | tail -n +2 | cut -f 2,4,5 > $1.found
            awk 'NR%100==50{print NR\"\\tr5c4\\twrong-solution\"}' $1.wrong | cmp - $1.found
            wc -l < $1.found
            awk 'NR%100!=50' $1.out | cmp - $1.good
        done";
    let done = run(shell(make).current_dir(folder.path()), b"");
    let lines: Vec<&str> = done.text().lines().map(str::trim).collect();
    assert_eq!(lines, ["4000 26", "1 c", "40"].repeat(3), "{}", done.stderr);
    assert_eq!(done.stderr, "");
}

/// 40 wrong digits, in any cells of 200,000 solutions, are found where they are, and nothing else is.
#[test]
#[ignore = "takes longer, so only .ci/run runs it"]
fn forty_wrong_solutions_in_a_large_table() {
    const ROWS: usize = 200_000;
    let puzzles = go("gen -q --unique --mix clues --count 2000 --format plain", "");
    let solutions = go("solve -q", puzzles.text());
    let both: Vec<_> = puzzles.text().lines().zip(solutions.text().lines()).collect();
    assert_eq!(both.len(), 2000);
    let mut rng = Rng(15);
    let mut wrong = std::collections::BTreeMap::new();
    while wrong.len() < 40 {
        wrong.insert(rng.below(ROWS), (rng.below(81), 1 + rng.below(8)));
    }
    let mut table = String::from("id,puzzle,solution\n");
    for row in 0..ROWS {
        let mut digits = *b"123456789";
        (1..9).rev().for_each(|at| digits.swap(at, rng.below(at + 1)));
        let renamed =
            |byte: u8| if byte.is_ascii_digit() && byte != b'0' { digits[usize::from(byte - b'1')] } else { byte };
        let (puzzle, solution) = both[row % both.len()];
        let puzzle: String = puzzle.bytes().map(|byte| char::from(renamed(byte))).collect();
        let mut solution: Vec<_> = solution.bytes().map(renamed).collect();
        if let Some(&(cell, by)) = wrong.get(&row) {
            solution[cell] = b"123456789"[(usize::from(solution[cell] - b'1') + by) % 9];
        }
        writeln!(table, "{row},{puzzle},{}", String::from_utf8_lossy(&solution)).expect("text");
    }
    let done = go("validate --level unique --framing csv --column puzzle --solution-column solution", &table);
    let found: Vec<_> = done.text().lines().skip(1).map(|row| row.split('\t').skip(1).collect::<Vec<_>>()).collect();
    let found: Vec<_> = found.iter().map(|row| (row[0].to_string(), row[2].to_string(), row[3])).collect();
    let of = |(&row, &(cell, _)): (&usize, &(usize, usize))| {
        ((row + 2).to_string(), format!("r{}c{}", cell / 9 + 1, cell % 9 + 1), "wrong-solution")
    };
    assert_eq!(found, wrong.iter().map(of).collect::<Vec<_>>());
    assert!(done.stderr.contains("200,000 records, 40 rejected (wrong-solution 40)"), "{}", done.stderr);
}

#[test]
fn several_columns_in_one_pass() {
    let [p, s] = [UNIQUE, SOLUTION];
    let csv = format!("b,id,a\n{p},1,{s}\n,2,\"{p}\"\n{s},3,\n,4,\n{p},5,bad\n");
    let [vp, vs] = [p, s].map(v2);
    let done = go("convert -q --framing csv --column a --column b", &csv);
    assert_eq!(done.text(), format!("b,id,a\n{vp},1,{vs}\n,2,\"{vp}\"\n{vs},3,\n,4,\n"));
    assert_eq!(done.stderr.lines().count(), 2, "{}", done.stderr);
    let done = go("convert -q --framing csv --column a --column b --to-column x --to-column y --add clues", &csv);
    let expected = format!(
        "b,id,a,x,y,a_clues,b_clues\n{p},1,{s},{vs},{vp},81,17\n,2,\"{p}\",{vp},,17,\n{s},3,,,{vs},,81\n,4,,,,,\n"
    );
    assert_eq!(done.text(), expected);
    let counts = go("convert --framing csv --column a --column b", &csv);
    assert!(counts.stderr.contains("4 records, 1 rejected (length 1), 1 row without a string"), "{}", counts.stderr);
    let json = format!(
        "{{\"b\":\"{p}\",\"n\":[1],\"a\":\"{s}\"}}\n{{\"a\":null,\"b\":\"{p}\"}}\n{{\"b\":\"{p}\",\"a\":\"{s}\"}}\n"
    );
    let done = go("convert -q --framing jsonl --field /a --field /b --add clues", &json);
    let expected = format!(
        "{{\"b\":\"{vp}\",\"n\":[1],\"a\":\"{vs}\",\"a_clues\":81,\"b_clues\":17}}\n\
         {{\"a\":null,\"b\":\"{vp}\",\"a_clues\":null,\"b_clues\":17}}\n\
         {{\"b\":\"{vp}\",\"a\":\"{vs}\",\"a_clues\":81,\"b_clues\":17}}\n"
    );
    assert_eq!(String::from_utf8_lossy(&done.good()), expected);
    let solved = go("solve -q --framing csv --column a --column b", &format!("a,b\n{p},{s}\n"));
    assert_eq!(solved.good(), format!("a,b,a_solution,b_solution\n{p},{s},{s},{s}\n").as_bytes());
    let given = format!("a,b,sa,sb\n{p},{p},{s},{s}\n{p},{p},{s},{p}\n");
    let flags = "--framing csv --column a --solution-column sa --column b --solution-column sb";
    let done = go(&format!("validate --level unique {flags}"), &given);
    assert_eq!(said(&done), ["r1c1 incomplete-solution the given solution has no digit here"]);
    assert!(done.stderr.contains("2 records, 1 rejected"), "{}", done.stderr);
    go("convert --framing csv --column a --column b --to-column x", "a,b\n").failed(&["once for each"]);
    go("convert --framing csv --column a --column 1", "a,b\n").failed(&["column 1 is named twice"]);
    go("convert --framing jsonl --field /a --field /a", "").failed(&["/a is named twice"]);
    go("convert --framing csv --column a --column b --to-column x --to-column b", "a,b\n").failed(&["--to-column"]);
}
