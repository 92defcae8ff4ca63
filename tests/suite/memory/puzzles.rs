use super::{ends, head, lines};
use crate::support::Folder;

/// Good strings in commands that solve, compare, make and print them.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn puzzles_in_every_command() {
    let folder = Folder::new();
    ends(&folder, 16, "$G gen -q -j16 --unique --count 2000 -o made", 0);
    assert_eq!(lines(&folder, "made"), 2000);
    ends(&folder, 16, "for i in $(seq 5); do cat made; done > puzzles", 0);
    for (command, records) in [("solve", 10_000), ("canon", 10_000), ("dedupe", 2000)] {
        ends(&folder, 16, &format!("$G {command} -q -f -j16 puzzles -o out"), 0);
        assert_eq!(lines(&folder, "out"), records, "{command}");
    }
    ends(&folder, 1, "$G show --json made > out", 0);
    assert_eq!(lines(&folder, "out"), 2000);
}

/// Calls that keep many batches, and puzzles of a few characters: no next chunk beside these, and the latter in parts.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn puzzles_between_boards_of_another_side() {
    let folder = Folder::new();
    let script = "$G gen -q --unique --count 500 --mix clues --format wolfram -o nine &&
        $G gen -q --side 6 --count 500 --mix clues -o six && paste -d '\\n' nine six > both &&
        for i in $(seq 150); do cat both; done > mixed";
    ends(&folder, 4, script, 0);
    ends(
        &folder,
        4,
        "$G validate -q --level unique --effort 1 --add solution,nodes -j4 mixed -o good --rejects rejects",
        1,
    );
    assert!(lines(&folder, "rejects") > 10_000);
    ends(&folder, 16, "$G validate -q -f --level unique -j16 mixed -o good --rejects rejects", 1);
    assert!(lines(&folder, "rejects") > 10_000);
    folder.write("short", "Arz\n".repeat(1_000_000));
    ends(&folder, 2, "$G validate -q --level unique --effort 1 -j2 --from wolfram short --rejects rejects -f", 1);
    assert_eq!(lines(&folder, "rejects"), 1_000_001);
}

/// A chunk of such strings becomes 25 MiB of version 2, of which each thread had two copies.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn strings_of_a_few_characters() {
    let folder = Folder::new();
    folder.write("short", "Arz\n".repeat(1_000_000));
    folder.write("short.csv", "Arz,1\n".repeat(500_000));
    ends(&folder, 16, "$G convert -q -f --from wolfram -j16 short -o out", 0);
    assert_eq!(lines(&folder, "out"), 1_000_000);
    let csv = "--from wolfram --framing csv --no-header --column 1";
    ends(&folder, 8, &format!("$G convert -q -f {csv} -j8 short.csv -o out"), 0);
    assert_eq!(lines(&folder, "out"), 500_000);
}

/// Took more than 2 MiB per thread: the new text twice and rounded up, and as large chunks as with few threads.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn many_threads_with_large_inputs() {
    let folder = Folder::new();
    ends(&folder, 4, "$G gen -q --unique --count 1000 --mix clues --format plain -o made", 0);
    ends(&folder, 4, "for i in $(seq 100); do cat made; done > puzzles", 0);
    for command in ["convert", "solve", "canon", "validate --level unique --add solution,nodes"] {
        ends(&folder, 16, &format!("$G {command} -q -f -j16 puzzles -o out"), 0);
        assert_eq!(lines(&folder, "out"), 100_000, "{command}");
    }
}

/// Their chunks are larger than others, and there are many facts about each row.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn rows_whose_puzzles_are_solved() {
    const ROW: &str = "003020600900305001001806400008102900700000008006708200002609500800203009005010300,\
        483921657967345821251876493548132976729564138136798245372689514814253769695417382\n";
    let folder = Folder::new();
    folder.write("rows.csv", ROW.repeat(120_000));
    let script = "cat rows.csv | $G validate -q -j16 --level unique --framing csv --no-header --column 1 --solution-column 2 \
        --add clues,nodes,solution -o out";
    ends(&folder, 16, script, 0);
    let row = format!("{},32,1,{}", ROW.trim_end(), &ROW[82..]);
    assert!(folder.text("out") == row.repeat(120_000), "{}", head(&folder.text("out")));
}
