//! `--to-numpy`: the file is valid according to NumPy's description of the format, and has the right contents.

use crate::support::{Folder, gridmill, run};

const PUZZLE: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
const SOLUTION: &str = "693784512487512936125963874932651487568247391741398625319475268856129743274836159";

/// The shape in a file's header, and its data.
fn read(folder: &Folder, name: &str) -> (String, Vec<u8>) {
    let bytes = folder.read(name);
    let (header, data) = bytes.split_at(128);
    assert!(header.starts_with(b"\x93NUMPY\x01\x00\x76\x00") && header.ends_with(b" \n"));
    let text = String::from_utf8_lossy(&header[10..]).into_owned();
    let shape = text.strip_prefix("{'descr': '|u1', 'fortran_order': False, 'shape': (").expect("a header");
    (shape.split(')').next().expect("a shape").to_string(), data.to_vec())
}

fn rejects(folder: &Folder) -> Vec<String> {
    let text = String::from_utf8_lossy(&folder.read("x.npy.rejects.tsv")).into_owned();
    text.lines().skip(1).filter_map(|row| row.split('\t').nth(4)).map(Into::into).collect()
}

fn digits(strings: &[&str]) -> Vec<u8> {
    strings.concat().bytes().map(|digit| digit - b'0').collect()
}

fn run_in(folder: &Folder, args: &str) -> crate::support::Done {
    run(gridmill(args.split_whitespace()).current_dir(folder.path()), b"")
}

#[test]
fn boards_in_lines_tables_and_json() {
    let folder = Folder::new();
    folder.write("lines", format!("# a comment\n{PUZZLE}\n\n?\n{SOLUTION}\r\n{PUZZLE}"));
    folder.write(
        "csv",
        format!("id,puzzle,answer\n1,{PUZZLE},{SOLUTION}\n2,,\n3,{SOLUTION},\n4,{PUZZLE},?\n5,{SOLUTION},{PUZZLE}\n"),
    );
    folder.write(
        "json",
        format!("{{\"all\": [\"{PUZZLE}\", null, \"{SOLUTION}\"]}}\n{{\"all\": []}}\n{{\"all\": \"{PUZZLE}\"}}\n"),
    );
    for threads in ["-j1", "-j3 --no-mmap"] {
        let done = run_in(&folder, &format!("convert {threads} -f lines lines --to-numpy x.npy"));
        assert_eq!(done.code, Some(1), "{}", done.stderr);
        let three = digits(&[PUZZLE, SOLUTION, PUZZLE]);
        assert_eq!(read(&folder, "x.npy"), ("6, 81".into(), [three.clone(), three.clone()].concat()));
        assert_eq!(rejects(&folder), ["length", "length"]);
        assert_eq!(
            run_in(&folder, &format!("convert {threads} -f --framing jsonl --field /all json --to-numpy x.npy")).code,
            Some(0)
        );
        assert_eq!(read(&folder, "x.npy"), ("3, 81".into(), three));
        let done = run_in(
            &folder,
            &format!("convert {threads} -f --framing csv --column puzzle --column answer csv --to-numpy x.npy"),
        );
        assert_eq!(done.code, Some(1), "{}", done.stderr);
        assert_eq!(read(&folder, "x.npy"), ("2, 2, 81".into(), digits(&[PUZZLE, SOLUTION, SOLUTION, PUZZLE])));
        assert_eq!(rejects(&folder), ["column", "length"]);
        // The order is that of the flags, not that of the columns.
        let done = run_in(
            &folder,
            &format!("convert {threads} -f --framing csv --column answer --column puzzle csv --to-numpy x.npy"),
        );
        assert_eq!(done.code, Some(1), "{}", done.stderr);
        assert_eq!(read(&folder, "x.npy"), ("2, 2, 81".into(), digits(&[SOLUTION, PUZZLE, PUZZLE, SOLUTION])));
        assert_eq!(rejects(&folder), ["column", "length"]);
        let one = |all: &str, two: &str| format!("{{\"all\": {all}, \"two\": \"{two}\"}}\n");
        let list = format!("[\"{PUZZLE}\", \"{SOLUTION}\"]");
        folder.write("two", one(&list, PUZZLE) + &one(&format!("\"{SOLUTION}\""), PUZZLE));
        let two = "--framing jsonl --field /all --field /two two";
        assert_eq!(run_in(&folder, &format!("convert {threads} -f {two} --to-numpy x.npy")).code, Some(1));
        assert_eq!(read(&folder, "x.npy"), ("1, 2, 81".into(), digits(&[SOLUTION, PUZZLE])));
        assert_eq!(rejects(&folder), ["column"]);
        let two = "--framing jsonl --field /two --field /all two";
        assert_eq!(run_in(&folder, &format!("convert {threads} -f {two} --to-numpy x.npy")).code, Some(1));
        assert_eq!(read(&folder, "x.npy"), ("1, 2, 81".into(), digits(&[PUZZLE, SOLUTION])));
        let done = run_in(
            &folder,
            &format!("convert {threads} -f --check unique --framing csv --column puzzle csv --to-numpy x.npy"),
        );
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        assert_eq!(read(&folder, "x.npy"), ("4, 81".into(), digits(&[PUZZLE, SOLUTION, PUZZLE, SOLUTION])));
    }
}

#[test]
fn digits_of_other_kinds_and_sides() {
    let folder = Folder::new();
    for (kind, side) in [("sudoku", 16), ("str8ts", 9), ("kenken", 6)] {
        let words =
            format!("gen -q -f --kind {kind} --side {side} --count 20 --seed 3 --mix solved --format v2 -o boards");
        assert_eq!(run_in(&folder, &words).code, Some(0));
        assert_eq!(run_in(&folder, "convert -q -f boards --to-numpy x.npy").code, Some(0));
        let (shape, data) = read(&folder, "x.npy");
        assert_eq!((shape, data.len()), (format!("20, {}", side * side), 20 * side * side));
        assert_eq!(data.iter().max(), Some(&(side as u8)), "{kind}");
    }
    // An empty array, and boards that cannot form one array.
    folder.write("nothing", "");
    assert_eq!(run_in(&folder, "convert -q -f nothing --to-numpy x.npy").code, Some(0));
    assert_eq!(read(&folder, "x.npy"), ("0, 81".into(), Vec::new()));
    folder.write("nine", format!("{PUZZLE}\n"));
    run_in(&folder, "convert -q boards nine --to-numpy y.npy").failed(&["boards of one size", "36", "81"]);
    run_in(&folder, "convert nine --to-numpy -").failed(&["name a file"]);
    run_in(&folder, "convert nine --bad keep --to-numpy y.npy").failed(&["--bad reject or stop"]);
    run_in(&folder, "convert nine --to-numpy y.npy -o z").failed(&["cannot be used with"]);
    run_in(&folder, "convert nine --to-numpy y.npy.zst").failed(&["cannot read compressed arrays", ".zst"]);
    run_in(&folder, "convert nine --to-numpy x.npy").failed(&["x.npy", "already exists"]);
    assert!(!folder.at("y.npy").exists());
}
