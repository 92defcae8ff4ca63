use std::fs::File;

use super::{ends, limited, lines};
use crate::support::Folder;

/// The rows of a grid.
const ROWS: [&str; 9] = [
    "1 . . | . . . | 5 6 9",
    "4 9 2 | . 5 6 | 1 . 8",
    ". 5 6 | 1 . 9 | 2 4 .",
    ". . 9 | 6 4 . | 8 . 1",
    ". 6 4 | . 1 . | . . .",
    "2 1 8 | . 3 5 | 6 . 4",
    ". 4 . | 5 . . | . 1 6",
    "9 . 5 | . 6 1 | 4 . 2",
    "6 2 1 | . . . | . . 5",
];

const REFUSED: &str = "has more than 4 MiB in which nothing shows where a grid ends";

/// Took more than the input, which was read as a whole.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn grids_in_pieces() {
    let folder = Folder::new();
    // With spaces, so that there is much text with few grids.
    let grid = ROWS.map(|row| format!("{row}{}\n", " ".repeat(150))).concat();
    let bad = grid.replacen("1 . 9", "1 . x 9", 1);
    for title in ["", "A puzzle\n"] {
        let good = 55_000;
        let end = format!("\n{bad}\n{grid}");
        folder.write("grids", format!("{title}{grid}\n").repeat(good) + &end);
        let mut outputs = Vec::new();
        for (threads, from, args) in [(1, "", "grids"), (4, "cat grids | ", ""), (4, "", "--no-mmap grids")] {
            let args = format!("-q -f -j{threads} -o out --rejects rejects {args}");
            ends(&folder, threads, &format!("{from}$G convert --framing grid {args}"), 1);
            outputs.push(folder.read("out"));
            // Lines are counted from the start of the input, in messages, too.
            let text = folder.text("rejects");
            let row: Vec<_> = text.lines().nth(1).unwrap_or_default().split('\t').collect();
            let line = good * (10 + title.len().min(1)) + 2;
            assert!(text.lines().count() == 2 && row[1] == line.to_string(), "{text}");
            assert!(row[5].contains(&format!("line {}", line + 2)), "{text}");
        }
        assert!(outputs[1..].iter().all(|output| *output == outputs[0]), "{title}");
        let found = lines(&folder, "out");
        assert!(found >= good, "{found}");
    }
}

/// Took eighteen times the text, which was read as a whole up to 1 GiB.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn grids_that_nothing_separates() {
    let folder = Folder::new();
    let grid = "100000569\n492056108\n056109240\n009640801\n064010000\n218035604\n040500016\n905061402\n621000005\n";
    let banded = |after: &str| {
        let band = |(row, line): (usize, &str)| format!("{line}\n{}", if row % 3 == 2 { "\n" } else { "" });
        grid.lines().enumerate().map(band).collect::<String>() + after
    };
    let convert = |text: &str, threads: usize, from: &str, input: &str, code: i32| {
        folder.write("grids", text);
        let _ = std::fs::remove_file(folder.at("out"));
        let args = format!("-q -f -j{threads} --framing grid -o out --rejects rejects {input}");
        let done = ends(&folder, threads, &format!("{from}$G convert {args}"), code);
        assert_eq!(folder.at("out").exists(), code < 2);
        done.stderr
    };
    let strings = || folder.read("out").split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count();
    let ways = [(1, "", "grids"), (2, "cat grids | ", ""), (4, "", "--no-mmap grids")];
    for (threads, from, input) in ways {
        for (text, grids) in [(grid, 46_000), (&banded(""), 45_000)] {
            convert(&text.repeat(grids), threads, from, input, 0);
            assert_eq!(strings(), grids);
            let told = convert(&text.repeat(50_000), threads, from, input, 2);
            assert!(told.contains(REFUSED), "{told}");
        }
        // Another distance between grids than between bands.
        convert(&banded("\n").repeat(60_000), threads, from, input, 0);
        assert_eq!(strings(), 60_000);
    }
    // As the message says.
    for text in [grid, &banded("")] {
        let awk = "awk 'NF { print; if (++n % 9 == 0) print \"\" }' grids | ";
        let told = convert(&text.repeat(50_000), 2, "", "grids", 2);
        assert!(told.contains(awk.trim_end_matches(" grids | ")), "{told}");
        convert(&text.repeat(50_000), 2, awk, "", 0);
        assert_eq!(strings(), 50_000);
    }
    // The shortest lines that may be parts of grids.
    for line in ["|\n", "-\n", "1\n", "1\n2 3\n", "\n", "1\n\n", "|-\n|\n", "A B C D E F G H I\n", ".........\n"] {
        for length in [4_000_000, 9_000_000] {
            folder.write("grids", line.repeat(length / line.len()));
            let done = limited(&folder, 2, "$G convert -q -f -j2 --framing grid -o out --rejects rejects grids");
            let is_refused = done.code == Some(2) && done.stderr.contains(REFUSED);
            assert!(is_refused || matches!(done.code, Some(0 | 1)), "{line:?}: {}", done.stderr);
        }
    }
}

/// Took forty times the line, whose cells were counted, and three times a line without an end of up to 1 GiB.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn lines_that_are_no_rows_of_a_grid() {
    let folder = Folder::new();
    folder.write("line", format!("{}\n{}\n", "1 ".repeat(6_000_000), ROWS.join("\n")));
    for (threads, from, input) in [(1, "", "line"), (4, "", "--no-mmap line"), (4, "cat line | ", "")] {
        let args = format!("-q -f -j{threads} --framing grid -o out --rejects rejects {input}");
        ends(&folder, threads, &format!("{from}$G convert {args}"), 1);
        assert_eq!(lines(&folder, "out"), 1);
        let rows = folder.text("rejects");
        let row = rows.lines().nth(1).unwrap_or_default();
        let words = "\ttoolong\tlonger than 65536 bytes: not a line of a grid\t1 1 1 ";
        assert!(rows.lines().count() == 2 && row.contains(words), "{row:.200}");
    }
    let endless = File::create(folder.at("nuls")).and_then(|file| file.set_len(200 << 20));
    endless.expect("a file");
    for (from, input) in
        [("", "nuls"), ("", "--no-mmap nuls"), ("cat line nuls | ", ""), ("yes 1 | tr '\\n' ' ' | ", "")]
    {
        let args = format!("-q -f -j2 --framing grid -o new --rejects rejects {input}");
        let done = ends(&folder, 2, &format!("{from}$G convert {args}"), 2);
        assert!(
            done.stderr.contains("has a line of more than 16 MiB, which cannot be a line of a grid"),
            "{}",
            done.stderr
        );
        assert!(!folder.at("new").exists());
    }
}
