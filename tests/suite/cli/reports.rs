//! Reports are right, and suggestions work.

use crate::support::{Done, Folder, PLAIN, run, shell};

fn run_script(folder: &Folder, script: &str) -> Done {
    run(shell(script).current_dir(folder.path()), b"")
}

/// A row with several strings is one record, also if one of its strings is bad.
#[test]
fn rows_are_counted_however_many_strings_they_have() {
    let (folder, p) = (Folder::new(), PLAIN);
    let (good, bad) = (format!("{p},{p}\n").repeat(3), format!("{p},bad\n").repeat(4));
    folder.write("in.csv", format!("a,b\n{good},\n,{p}\n{bad}"));
    let columns = "-q --framing csv --column a --column b in.csv -f -o out --rejects bad --report report";
    for command in ["convert", "convert --add clues", "validate", "validate --add clues,kind"] {
        for threads in ["-j1", "-j2"] {
            let done = run_script(
                &folder,
                &format!("$G {command} {threads} {columns}; grep -E '\"(records|rejected|valid|converted)\":' report"),
            );
            let counted: Vec<_> =
                done.text().split_whitespace().filter_map(|word| word.trim_end_matches(',').parse().ok()).collect();
            // For the whole run and for its input; and seven strings of one form.
            let mut sorted: Vec<u64> = counted;
            sorted.sort_unstable();
            assert_eq!(sorted, [4, 4, 4, 7, 8, 8], "{command}: {}", done.text());
        }
    }
    folder.write("in.jsonl", format!("{{\"b\":[\"{p}\",\"{p}\"]}}\n{{\"b\":[\"{p}\",\"bad\"]}}\n{{\"b\":[]}}\n"));
    let done = run_script(&folder, "$G convert --framing jsonl --field /b in.jsonl -f -o out");
    assert!(done.stderr.contains("2 records, 1 rejected (length 1), "), "{}", done.stderr);
}

/// If a string is too long, its row need not be.
#[test]
fn a_row_with_a_long_string_is_kept_whole() {
    let (folder, long) = (Folder::new(), "1".repeat(70_000));
    let row = format!("1,{long},x\n");
    folder.write("in.csv", format!("id,q,note\n{row}"));
    let done = run_script(&folder, "$G convert -q --framing csv --column q in.csv --rejects -  -o out");
    assert!(done.text().ends_with(&row) && done.text().contains("\ttoolong\t"), "{}", done.stderr);
    let done =
        run_script(&folder, "$G convert -q --framing csv --column q --rejects-as rows in.csv --rejects - -f -o out");
    assert_eq!((done.code, done.text()), (Some(1), folder.text("in.csv").as_str()), "{}", done.stderr);
}

#[test]
fn auto_finds_strings_after_line_ends_in_quotes() {
    let (folder, p) = (Folder::new(), PLAIN);
    let table = format!("id,note,quiz\n1,\"a\n\"\"b\"\"\",{p}\n2,\",\",{p}\n3,\"\r\n\",{p}\r\n");
    for name in ["in.csv", "in"] {
        folder.write(name, &table);
        let done = run_script(&folder, &format!("$G validate --framing auto {name}"));
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        assert!(done.stderr.contains("read with --framing csv --column quiz\n"), "{}", done.stderr);
        assert!(done.stderr.contains("3 records, 0 rejected"), "{}", done.stderr);
    }
}

/// Between tabs, quotes are ordinary characters, unless they enclose strings.
#[test]
fn auto_finds_strings_in_quotes_between_tabs() {
    let (folder, p) = (Folder::new(), PLAIN);
    folder.write("plain.tsv", format!("id\tsize\tq\n1\t5\"\t{p}\n2\t\"\t{p}\n"));
    folder.write("quoted.tsv", format!("id\tq\n1\t\"{p}\"\n"));
    for (name, flags, records) in
        [("plain.tsv", "--framing tsv --column q", 2), ("quoted.tsv", "--framing csv --delimiter tab --column q", 1)]
    {
        let done = run_script(&folder, &format!("$G validate --framing auto {name}"));
        assert!(done.stderr.contains(&format!("read with {flags}\n")), "{}", done.stderr);
        assert!(done.stderr.contains(&format!("{records} record")), "{}", done.stderr);
        assert_eq!(run_script(&folder, &format!("$G validate -q {flags} {name}")).code, Some(0));
    }
    let done = run_script(&folder, "$G validate --framing tsv --column q quoted.tsv");
    assert!(
        done.text().contains("a well-formed string in quotes; read the table with --framing csv --delimiter tab"),
        "{}",
        done.text()
    );
}

#[test]
fn auto_refuses_a_comment_in_the_place_of_names() {
    let folder = Folder::new();
    folder.write("in.csv", format!("# made by hand\nid,q\n1,{PLAIN}\n"));
    run_script(&folder, "$G validate --framing auto in.csv")
        .failed(&["in.csv: its first line is a comment", "tail -n +2"]);
    let done = run_script(&folder, "tail -n +2 in.csv | $G validate --framing auto");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
}

#[test]
fn files_to_compare_with_are_guessed_too() {
    let folder = Folder::new();
    folder.write("lines", format!("{PLAIN}\n"));
    folder.write("table.csv", format!("id,quiz\n1,{PLAIN}\n"));
    let words = ["table.csv is read with --framing csv --column quiz, but the input with --framing lines"];
    run_script(&folder, "$G dedupe --framing auto --against table.csv lines").failed(&words);
    let done = run_script(&folder, "$G dedupe -q --framing auto --against lines --against <(cat lines) lines");
    assert_eq!((done.code, done.text()), (Some(0), ""), "{}", done.stderr);
    folder.write("other.csv", format!("id,puzzle\n1,{PLAIN}\n"));
    let words = ["other.csv: there is no column \"quiz\"; the first row has: id, puzzle; --against-column names that"];
    run_script(&folder, "$G dedupe --framing csv --column quiz --against other.csv table.csv").failed(&words);
    let done = run_script(&folder, "$G dedupe --framing csv --column nix --against table.csv table.csv");
    done.failed(&["table.csv: there is no column \"nix\""]);
}

#[test]
fn rejects_give_way_to_good_records_on_stdout() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\nbad\n"));
    for flags in ["-o -", "--add clues", "-o - --add clues"] {
        let done = run_script(&folder, &format!("$G validate -q {flags} in"));
        assert!(done.text().starts_with(PLAIN) && !done.text().contains("length"), "{flags}: {done:?}");
        assert!(done.stderr.starts_with("input\tline") && done.stderr.contains("\tlength\t"), "{flags}: {done:?}");
    }
}

/// Invalid maps are reported as such, and no other framing is suggested for them.
#[test]
fn bad_maps_are_not_blamed_on_the_framing() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\t-:412356789:123456789:123456789\n").repeat(5));
    let done = run_script(&folder, "$G canon --apply in");
    assert!(done.stderr.contains("5 records, 5 rejected (map 5)"), "{}", done.stderr);
    assert!(!done.stderr.contains("use --framing"), "{}", done.stderr);
}

#[test]
fn a_column_that_is_there_names_flags_of_the_command() {
    let folder = Folder::new();
    folder.write("in.csv", format!("q,solution\n{PLAIN},x\n"));
    let table = "--framing csv --column q in.csv";
    run_script(&folder, &format!("$G canon --solution {table}"))
        .failed(&["already exists; use --solution=NAME to choose"]);
    assert_eq!(run_script(&folder, &format!("$G canon -q --form puzzle --solution=s {table}")).code, Some(0));
    run_script(&folder, &format!("$G validate --level unique --solutions {table}")).failed(&["--solution-name NAME"]);
    run_script(&folder, &format!("$G validate --add solution {table}")).failed(&["--add solution=NAME"]);
}

#[test]
fn commands_that_refuse_links_do_not_offer_them() {
    let folder = Folder::new();
    for command in ["solve", "canon", "dedupe"] {
        assert!(!run_script(&folder, &format!("$G {command} --help")).text().contains("- links:"), "{command}");
        run_script(&folder, &format!("$G {command} --framing links in")).failed(&["links"]);
    }
    assert!(run_script(&folder, "$G convert --help").text().contains("- links:"));
}

/// What no kind of board has is summed up by name, in every framing and with any number of threads.
#[test]
fn what_no_kind_has_is_summed_up_by_name() {
    let folder = Folder::new();
    let string = |parts: &str| {
        let graph = format!("<graph order='9' type='sudoku'>{parts}</graph>");
        format!("<ksudoku><game><puzzle>{graph}<values>{}</values></puzzle></game></ksudoku>", "_".repeat(81))
    };
    let (b, ab) = (string("<b/>"), string("<b/><a x='1'/><b/>"));
    let strings: Vec<_> =
        std::iter::repeat_n([PLAIN.into(), ab.clone(), b, "bad".into(), string("<c/>")], 400).flatten().collect();
    let all = |line: &dyn Fn(&String) -> String| strings.iter().map(line).collect::<String>();
    folder.write("lines", all(&|string| format!("{string}\n")));
    folder.write("csv", format!("id,q\n{}", all(&|string| format!("1,\"{string}\"\n"))));
    folder.write("tsv", format!("q\tid\n{}", all(&|string| format!("{string}\t\n"))));
    folder.write("jsonl", all(&|string| format!("{{\"q\":\"{string}\"}}\n")));
    let lines =
        "gridmill: 800 of 2,000: unknown: b\ngridmill: 400 of 2,000: unknown: a\ngridmill: 400 of 2,000: unknown: c\n";
    let count = |name: &str, records: u64| serde_json::json!({"name": name, "records": records});
    let listed = [count("unknown: b", 800), count("unknown: a", 400), count("unknown: c", 400)];
    let framings = ["lines", "csv --column q", "tsv --column q", "jsonl --field /q"];
    let of_all = framings.iter().flat_map(|flags| [("convert", *flags), ("validate --all", flags)]);
    for (command, flags) in of_all.chain(["convert --bad keep", "solve", "dedupe"].map(|command| (command, "lines"))) {
        let name = flags.split(' ').next().expect("a framing");
        for threads in ["-j1", "-j5"] {
            let run =
                format!("$G {command} {threads} --framing {flags} {name} --rejects bad -f -o out --report report");
            let done = run_script(&folder, &run);
            assert!(done.stderr.contains(" rejected (length 400, unsupported 1,200)"), "{run}: {}", done.stderr);
            assert!(done.stderr.contains(lines), "{run}: {}", done.stderr);
            let report: serde_json::Value = serde_json::from_str(&folder.text("report")).expect("a report");
            assert_eq!(report["unsupported"], serde_json::Value::from(listed.to_vec()), "{run}");
        }
    }
    assert_eq!(run_script(&folder, "$G convert -q lines -o out -f --rejects bad").stderr, "");
}

/// There are at most ten lines, and a last one says how many names there are besides.
#[test]
fn at_most_ten_names_are_listed() {
    let folder = Folder::new();
    let game = |key: usize| format!("{{\"cells\":[],\"difficulty_category\":1,\"k{key:04}\":1}}\n");
    let run = "$G convert --from gnome-sudoku --rejects bad -f -o out --report report in";
    folder.write("in", (0..17).map(game).collect::<String>() + &game(16));
    let done = run_script(&folder, run);
    let lines: Vec<_> = done.stderr.lines().filter(|line| line.contains(" of 18: ")).collect();
    assert_eq!((lines.len(), lines[0]), (10, "gridmill: 2 of 18: unknown: k0016"), "{}", done.stderr);
    assert_eq!(lines[9], "gridmill: 1 of 18: unknown: k0008");
    assert!(done.stderr.contains("\ngridmill: and 7 more\n"), "{}", done.stderr);
    folder.write("in", (0..1_003).map(game).collect::<String>());
    let done = run_script(&folder, run);
    assert!(done.stderr.contains("gridmill: and 990 more, and other names in 3 of 1,003\n"), "{}", done.stderr);
    let report: serde_json::Value = serde_json::from_str(&folder.text("report")).expect("a report");
    assert_eq!(report["unsupported"][1_000], serde_json::json!({"name": null, "records": 3}));
}
