use super::{ends, lines};
use crate::support::Folder;

/// Took more than the input, which was read as a whole.
#[test]
fn grids_in_pieces() {
    let folder = Folder::new();
    let rows = [
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
    // With spaces, so that there is much text with few grids.
    let grid = rows.map(|row| format!("{row}{}\n", " ".repeat(150))).concat();
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
