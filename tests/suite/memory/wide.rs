use std::fs::File;

use super::{ends, head, lines};
use crate::support::{Folder, PLAIN, v2};

/// Took 80 bytes for each value of a JSON object, and 24 for each field of the first row of a table.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn rows_of_a_million_values() {
    let folder = Folder::new();
    let object = |values: usize| {
        let values: Vec<_> = (0..values).map(|n| format!("\"k{n}\":1")).collect();
        format!("{{{},\"bd\":\"{PLAIN}\"}}\n", values.join(","))
    };
    folder.write("wide.jsonl", object(1_200_000));
    for threads in [1, 4] {
        ends(
            &folder,
            threads,
            &format!("$G convert -q -f -j{threads} --framing jsonl --field /bd wide.jsonl -o out"),
            0,
        );
        assert_eq!(folder.text("out").matches(&v2(PLAIN)).count(), 1);
    }
    let row = |fields: usize| format!("{PLAIN}{}\n", ",".repeat(fields - 1));
    // Rows as wide as the first one, wider and narrower ones, whose fields are searched for strings in wrong places.
    folder.write("wide.csv", [row(3_000_000), row(3_000_000), row(5_000_000)].concat());
    for args in ["csv wide.csv", "csv < wide.csv", "tsv --delimiter , --no-mmap wide.csv"] {
        ends(&folder, 2, &format!("$G convert -q -f -j2 --column 1 --no-header -o out --framing {args}"), 0);
        assert_eq!(folder.text("out").matches(&v2(PLAIN)).count(), 3, "{args}");
    }
    let header = (0..1_500_000).map(|n| format!("n{n}")).collect::<Vec<_>>().join(",");
    folder.write("named.csv", format!("{header},bd\n{}{PLAIN}\n", ",".repeat(1_500_000)));
    ends(&folder, 2, "$G convert -q -f -j2 --framing csv --column bd named.csv -o out", 0);
    assert_eq!(lines(&folder, "out"), 2);
    assert!(folder.text("out").ends_with(&format!(",{}\n", v2(PLAIN))));
}

/// Took 128 MiB, and the message had all names.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn columns_that_a_wide_table_does_not_have() {
    let folder = Folder::new();
    let header = (0..1_500_000).map(|n| format!("n{n}")).collect::<Vec<_>>().join(",");
    folder.write("wide.csv", format!("{header}\n{PLAIN}\n"));
    for (column, words) in [
        ("bd", "there is no column \"bd\"; the first row has: n0, n1, "),
        ("1500001", "there is no column 1500001; the first row has 1500000 fields: n0, n1, "),
        ("N7", "n19 and 1499980 more; did you mean \"n7\"?"),
    ] {
        let done = ends(&folder, 2, &format!("$G convert -q --framing csv --column {column} wide.csv -o out"), 2);
        assert!(done.stderr.contains(words), "{}", head(&done.stderr));
        assert!(done.stderr.contains("n18, n19 and 1499980 more"), "{}", head(&done.stderr));
        assert!(done.stderr.len() < 500, "{}", head(&done.stderr));
    }
}

/// Lines that never end, in the framings that `text_without_an_end` does not try.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn endless_lines_in_other_framings() {
    let folder = Folder::new();
    File::create(folder.at("nuls")).and_then(|file| file.set_len(200 << 20)).expect("a file");
    for (args, code) in [
        ("--framing tsv --no-header --column 1 -o out", 1),
        ("--framing words -o out", 1),
        ("--framing links -o out", 1),
        ("--to-numpy out.npy", 1),
    ] {
        for input in ["nuls", "--no-mmap nuls", "< nuls"] {
            ends(&folder, 2, &format!("rm -f out*; $G convert -q -j2 {args} --rejects out.rows {input}"), code);
        }
    }
}
