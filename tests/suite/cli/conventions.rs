//! Conventions of command-line programs: `-`, terminals, help, the words of messages.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;

use rusqlite::Connection;

use crate::support::{Done, Folder, PLAIN, commands, gridmill, have, many, program, run, shell, v2};

/// A script at a terminal 80 columns wide, in which `$G` is the program. Both streams are captured as one.
fn at_terminal(folder: &Folder, script: &str) -> Option<Done> {
    have("script", "--version").then(|| {
        let mut command = shell("stty cols 80 2> /dev/null; exec script -qec \"stty cols 80 rows 40; $S\" /dev/null");
        run(command.env("S", script).env("TERM", "xterm").env_remove("NO_COLOR").current_dir(folder.path()), b"")
    })
}

fn run_script(folder: &Folder, script: &str) -> Done {
    run(shell(script).current_dir(folder.path()), b"")
}

#[test]
fn a_dash_is_stdout_for_one_output_at_a_time() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\nbad\n"));
    let v2 = format!("{}\n", v2(PLAIN));
    let begins = [
        ("convert -q in --rejects r -f -o -", v2.as_str()),
        ("convert -q in -f -o out --report -", "{\n"),
        ("convert -q in -f -o out --rejects -", "input\tline"),
        ("convert -q in -f -o out --rejects r --list-solved -", "input\tline\tcell"),
        ("validate -q in -o -  --rejects r -f", PLAIN),
        ("gen -q --count 1 -o -", "S9B"),
        ("show --svg - < in", "<svg"),
    ];
    for (args, begin) in begins {
        let done = run_script(&folder, &format!("$G {args}"));
        assert!(done.text().starts_with(begin), "{args}: {done:?}");
        assert!(!folder.at("-").exists(), "{args}");
    }
    for (args, both) in [
        ("convert in -o - --report -", ["--output", "--report"]),
        ("convert in --report -", ["without -o", "--report"]),
        ("convert in -o out --report - --rejects -", ["--rejects", "--report"]),
        ("convert in -o out --list-solved - --rejects -", ["--rejects", "--list-solved"]),
        ("validate in --report -", ["without --rejects", "--report"]),
    ] {
        run_script(&folder, &format!("$G {args}")).failed(&[both[0], both[1], "would both go to stdout"]);
    }
}

/// Whether a rate has more than one decimal, as `5,205.7287/s`.
fn has_long_rate(text: &str) -> bool {
    text.split("/s").any(|before| {
        before
            .rsplit_once('.')
            .is_some_and(|(_, digits)| digits.len() > 1 && digits.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

#[test]
#[ignore = "depends on the time that others leave it, so .ci/run runs it alone"]
fn progress_is_shown_wherever_the_output_goes() {
    let folder = Folder::new();
    folder.write("in", &many()[..163 * 40]);
    // A run that takes a while even on a busy machine, because its input waits.
    let slow = "(cat in; sleep 3; cat in)";
    for (script, unit) in [
        (format!("{slow} | $G convert -f --no-sync -o out"), "kB, "),
        (format!("{slow} | $G convert"), "kB, "),
        (format!("{slow} | $G convert > out"), "kB, "),
        (format!("{slow} | $G validate"), "kB, "),
        (
            "$G gen --unique --minimal --kind killer --mix clues -j1 --count 100000 > out & sleep 3; kill $!".into(),
            "boards, ",
        ),
        (
            "$G gen --unique --kind jigsaw --mix clues -j1 --count 100000 -f -o out & sleep 3; kill $!".into(),
            "boards, ",
        ),
    ] {
        let Some(done) = at_terminal(&folder, &script) else { return };
        assert!(done.text().contains(unit), "{script}: {:?}", done.text());
        // High rates are shown without fractions.
        assert!(unit != "boards, " || !has_long_rate(done.text()), "{script}: {:?}", done.text());
        // It gives way to lines of output, which are whole.
        if script.ends_with("$G convert") {
            let all = done.text().replace('\r', "");
            assert_eq!(all.matches("S9B").count(), 80, "{all:?}");
        }
    }
    let quiet = at_terminal(&folder, &format!("{slow} | $G convert -q -f -o out")).expect("script");
    assert_eq!(quiet.text(), "");
}

/// The rates of `migrate` that were shown are close to the one that was asked for.
#[test]
#[ignore = "depends on the time that others leave it, so .ci/run runs it alone"]
fn migrate_shows_its_progress() {
    let folder = Folder::new();
    let db = Connection::open(folder.at("db")).expect("a database");
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)";
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, p TEXT)";
    db.execute_batch(&format!("{table}; INSERT INTO t {numbers} SELECT i, '{PLAIN}' FROM n")).expect("a table");
    drop(db);
    let script = "$G migrate sqlite db --table t --column p --plain --yes --batch 500 --rate 2000";
    let Some(done) = at_terminal(&folder, script) else { return };
    let text = done.text();
    assert!(text.contains("gridmill: 6,000 rows: 6,000 written"), "{text:?}");
    let written = text.split(" of 6,000 rows, ").skip(1).filter_map(|after| after.split_once(" rows/s"));
    let rates: Vec<_> = written.map(|(rate, _)| rate).take(5).collect();
    // The first of these were over 100 k.
    let is_low = |rate: &&str| match rate.strip_suffix(" k") {
        Some(thousands) => thousands.parse::<f64>().is_ok_and(|thousands| thousands < 10.0),
        None => true,
    };
    assert!(!rates.is_empty() && rates.iter().all(is_low), "{rates:?} {text:?}");
}

/// The terminal of `script` ends its input, as with Ctrl-D.
#[test]
fn somebody_who_gives_no_input_is_told() {
    let folder = Folder::new();
    let Some(done) = at_terminal(&folder, "$G convert") else { return };
    assert!(done.text().contains("gridmill: reads from the terminal"), "{done:?}");
    let quiet = at_terminal(&folder, "$G convert -q").expect("script");
    assert!(!quiet.text().contains("reads from the terminal"), "{quiet:?}");
    assert!(!run(&mut gridmill(["convert"]), b"").stderr.contains("reads from the terminal"));
}

/// Lines of progress come only if they are asked for, and `-q` contradicts them.
#[test]
#[ignore = "depends on the time that others leave it, so .ci/run runs it alone"]
fn progress_is_shown_wherever_lines_are_asked_for() {
    let slow = ["gen", "--unique", "--minimal", "--kind", "killer", "--count", "20000", "-j", "1"];
    let done = run(&mut gridmill([&slow[..], &["--progress"]].concat()), b"");
    assert!(done.stderr.lines().filter(|line| line.contains(" of 20,000 boards, ")).count() >= 2, "{}", done.stderr);
    assert_eq!(run(&mut gridmill(slow), b"").stderr.lines().count(), 1);
    run(&mut gridmill(["gen", "-q", "--progress"]), b"").failed(&["--progress", "--quiet"]);
}

#[test]
fn gen_says_what_it_did() {
    let done = run(&mut gridmill(["gen", "--count", "1"]), b"");
    assert!(done.stderr.starts_with("gridmill: 1 board, ") && done.stderr.ends_with("B/s\n"), "{}", done.stderr);
    let done = run(&mut gridmill(["gen", "--count", "2000"]), b"");
    assert!(
        done.stderr.starts_with("gridmill: 2,000 boards, ") && done.stderr.contains("boards/s, "),
        "{}",
        done.stderr
    );
    assert_eq!(run(&mut gridmill(["gen", "--count", "2000", "-q"]), b"").stderr, "");
}

#[test]
fn help_fits_eighty_columns() {
    let nested = ["", "migrate sqlite", "migrate postgres", "migrate mysql", "migrate restore"];
    let all = nested.map(str::to_string).into_iter().chain(commands());
    for command in all {
        for flag in ["--help", "-h"] {
            let help = run(program().args(command.split_whitespace()).arg(flag), b"").good();
            let help = String::from_utf8(help).expect("UTF-8");
            // A list of values may be a single long word.
            let wide = help.lines().find(|line| line.chars().count() > 80 && !line.contains("[possible values"));
            assert_eq!(wide, None, "{command} {flag}");
            assert!(flag == "--help" || help.lines().count() <= 40, "{command}: {help}");
        }
    }
    let help = |database: &str| {
        let text = String::from_utf8(run(&mut gridmill(["migrate", database, "--help"]), b"").good()).expect("UTF-8");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(help("sqlite").contains("rowid"));
    for command in ["convert", "validate", "solve"] {
        let page = |flag: &str| String::from_utf8(run(&mut gridmill([command, flag]), b"").good()).expect("UTF-8");
        let long = page("--help");
        let list: Vec<_> = long.lines().skip_while(|line| *line != "          - clues: the number of givens").collect();
        let list: Vec<_> = list.into_iter().take_while(|line| !line.is_empty()).collect();
        let is_item = |line: &&&str| line.starts_with("          - ");
        assert_eq!(list.iter().filter(is_item).count(), 11, "{long}");
        assert!(list.iter().all(|line| is_item(&line) || line.starts_with("            ")), "{list:?}");
    }
    let short = run(&mut gridmill(["validate", "-h"]), b"").text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(short.contains("each optionally with '=NAME'") && short.contains("kind, format, solution, symmetric"));
    // A restore has the batches of its migration.
    assert!(!help("restore").contains("--batch"), "{}", help("restore"));
    assert!(!help("postgres").to_lowercase().contains("sqlite"), "{}", help("postgres"));
}

#[test]
fn pages_below_pages_are_the_same_on_every_machine() {
    for name in ["migrate-sqlite", "migrate-postgres"] {
        let page = String::from_utf8(run(&mut gridmill(["man", name]), b"").good()).expect("UTF-8");
        assert!(page.contains(&format!("gridmill-{name}").replace('-', "\\-")), "{page}");
    }
    for name in ["", "-convert", "-migrate-sqlite"] {
        let page = run(gridmill(["man"]).args(name.strip_prefix('-')), b"").good();
        let title = format!(".TH gridmill{name} 1  \"gridmill {}\" ", env!("CARGO_PKG_VERSION"));
        let page = String::from_utf8(page).expect("UTF-8");
        assert!(page.lines().any(|line| line == title), "{:.300}", page);
    }
    run(&mut gridmill(["man", "sqlite"]), b"").failed(&["migrate-sqlite", "migrate-postgres"]);
    let page = |kernel: &str| run(gridmill(["man"]).env("GRIDMILL_KERNEL", kernel), b"").good();
    assert!(page("scalar") == page("") && !page("").windows(14).any(|part| part == b"this processor"));
}

#[test]
fn messages_say_what_is_wrong() {
    let folder = Folder::new();
    folder.write("in", format!("id,bd\n1,{PLAIN}\n"));
    folder.write("lines", format!("{PLAIN}\n"));
    folder.write("json", format!("{{\"bd\":\"{PLAIN}\"}}\n"));
    let says = |script: &str, words: &[&str], never: &[&str]| {
        let done = run_script(&folder, script);
        assert_eq!(done.code, Some(2), "{script}: {done:?}");
        assert!(words.iter().all(|word| done.stderr.contains(word)), "{script}: {}", done.stderr);
        assert!(never.iter().all(|word| !done.stderr.contains(word)), "{script}: {}", done.stderr);
    };
    says("$G convert lines -o /nonexist/x", &["/nonexist/x: the folder /nonexist does not exist"], &["reject"]);
    says("$G migrate sqlite . --table t --column c", &["it is a folder"], &["no such file"]);
    folder.write("t.parquet", b"PAR1\x15\0\0PAR1");
    folder.write("t.arrow", b"ARROW1\0\0ARROW1");
    folder.write(
        "utf16",
        [0xfeff].into_iter().chain(link().encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
    );
    for (command, what) in
        [("show < t.parquet", "Parquet"), ("show < t.arrow", "Arrow"), ("bench t.parquet", "Parquet")]
    {
        says(&format!("$G {command}"), &[format!("reads no {what} files").as_str(), "export"], &["--framing"]);
    }
    says("$G bench in", &["in: none of its 2 records can be read", "one string on each line"], &["--framing"]);
    for relink in ["$G relink < utf16 > same", "cat utf16 | $G relink > same"] {
        let done = run_script(&folder, relink);
        assert!(done.code == Some(0) && done.stderr.contains("looks like UTF-16; convert it to UTF-8"), "{done:?}");
        assert_eq!(folder.read("same"), folder.read("utf16"));
    }
    let partly =
        run_script(&folder, "(cat lines; echo bad) > partly; $G bench partly --kernel scalar -j1 --runs 1 --json");
    assert!(partly.code == Some(0) && partly.stderr.contains("partly: 1 of 2 records cannot be read"), "{partly:?}");
    says("$G bench --kernel sse", &["kernel 'sse'"], &["GRIDMILL_KERNEL"]);
    says("$G convert --framing csv --column bd --to-column bd in", &["--to-column", "--column", "another name"], &[]);
    says(
        "$G convert --framing jsonl --field /bd --to-column bd json",
        &["--to-column", "--field", "another name"],
        &[],
    );
    let nobody = "$G migrate postgres postgres://me@127.0.0.1:1/x --table t --column c";
    let why: &[&str] = if cfg!(feature = "databases") {
        &["cannot connect", "refused"]
    } else {
        &["cargo build --release --all-features"]
    };
    says(nobody, why, &["resume", "run again"]);
    let done = run_script(&folder, "echo badstring | $G validate -q");
    assert!(done.text().contains("\tlength\t9 characters: no format") && !done.text().contains("str8ts"), "{done:?}");
    let done = run_script(&folder, "head -n 1 lines | $G convert --to v1 | $G convert");
    assert!(done.stderr.contains("1 record, 0 rejected, no losses"), "{}", done.stderr);
    let v1 = String::from_utf8(many()[..163].to_vec()).expect("text");
    let done = run(&mut gridmill(["convert"]), v1.as_bytes());
    assert!(done.stderr.contains("read as solved") && !done.stderr.contains("may be"), "{}", done.stderr);
}

#[test]
fn a_dry_run_refuses_a_generated_column() {
    let folder = Folder::new();
    let db = Connection::open(folder.at("db")).expect("a database");
    db.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, p TEXT, g TEXT AS (p) STORED)").expect("a table");
    drop(db);
    for column in ["--column g", "--column p --to-column g"] {
        run_script(&folder, &format!("$G migrate sqlite db --table t {column}"))
            .failed(&["\"g\"", "generated by the database"]);
    }
}

/// A link that is rewritten.
fn link() -> String {
    format!("https://www.sudokuwiki.org/sudoku.htm?bd={}", String::from_utf8_lossy(&many()[..162]))
}

#[test]
fn the_diff_of_latin_1_is_applied_by_patch() {
    if !have("patch", "--version") {
        return;
    }
    let folder = Folder::new();
    fs::create_dir(folder.at("site")).expect("a folder");
    let page = [b"caf\xe9 \xff\r\n".as_slice(), link().as_bytes(), b" \xe9\r\nlast \xe9"].concat();
    folder.write("site/page.html", &page);
    assert_eq!(run_script(&folder, "$G relink -q site > diff && patch -p1 --binary < diff > log").code, Some(0));
    let patched = folder.read("site/page.html");
    folder.write("site/page.html", &page);
    assert_eq!(run_script(&folder, "$G relink -q --write site").code, Some(0));
    assert!(patched == folder.read("site/page.html") && patched != page);
}

#[test]
fn a_diff_has_colours_at_a_terminal_alone() {
    let folder = Folder::new();
    folder.write("page", format!("one\n{}\n", link()));
    let piped = run_script(&folder, "$G relink -q page");
    assert!(!piped.text().contains('\x1b'));
    let coloured = run_script(&folder, "$G relink -q --color always page");
    for begin in ["\x1b[1m--- a/page\x1b[0m\n", "\n\x1b[36m@@ ", "\n\x1b[31m-https", "\n\x1b[32m+https"] {
        assert!(coloured.text().contains(begin), "{begin:?}: {:?}", coloured.text());
    }
    let codes = ["\x1b[1m", "\x1b[36m", "\x1b[31m", "\x1b[32m", "\x1b[0m"];
    assert_eq!(codes.iter().fold(coloured.text().to_string(), |text, code| text.replace(code, "")), piped.text());
    let Some(terminal) = at_terminal(&folder, "$G relink -q page") else { return };
    assert!(terminal.text().contains("\x1b[31m-https"), "{:?}", terminal.text());
    let never = at_terminal(&folder, "$G relink -q --color never page").expect("script");
    assert!(!never.text().contains('\x1b'), "{:?}", never.text());
}

#[cfg(unix)]
#[test]
fn relink_lists_what_it_cannot_do_and_does_the_others() {
    let folder = Folder::open();
    let utf16: Vec<u8> = [0xfeff].into_iter().chain(link().encode_utf16()).flat_map(u16::to_le_bytes).collect();
    folder.write("utf16.txt", &utf16);
    folder.write("bare16.txt", &utf16[2..]);
    folder.write("image", b"\x89PNG\0\0\0\x0dIHDR\0");
    folder.write("page", link());
    let read_only = folder.write("read-only", link());
    fs::set_permissions(&read_only, fs::Permissions::from_mode(0o444)).expect("chmod");
    let done = run_script(&folder, "$G relink --write .");
    assert_eq!(done.code, Some(1), "{done:?}");
    for words in [
        "./read-only: ",
        "1 link in 1 of them rewritten",
        "1 binary file skipped",
        "2 files in UTF-16 skipped",
        "1 file failed",
    ] {
        assert!(done.stderr.contains(words), "{words}: {}", done.stderr);
    }
    assert!(folder.text("page").contains("bd=S9B") && folder.text("read-only") == link());
}

#[test]
fn a_terminal_shows_the_first_twenty_rejects() {
    let folder = Folder::new();
    let links = format!("{}/x?bd=1\n", "https://www.sudokuwiki.org").repeat(50);
    folder.write("in", "bad\n".repeat(5000));
    folder.write("page", links);
    let shown = |script: &str| at_terminal(&folder, script).map(|done| done.text().replace('\r', ""));
    let (all, file) = ("'--rejects -' shows them all, --rejects FILE keeps them", "--rejects FILE keeps them all");
    for (number, (command, end, rows, more, flags)) in [
        ("convert -q in", "", "in\t", "4,980", file),
        ("solve -q in", "", "in\t", "4,980", file),
        ("canon -q in", "", "in\t", "4,980", file),
        ("dedupe -q in", "", "in\t", "4,980", file),
        ("convert -q in", " > out", "in\t", "4,980", file),
        ("convert -q in -o /dev/null", "", "in\t", "4,980", all),
        ("validate -q in", "", "in\t", "4,980", all),
        ("validate -q in -o good", "", "in\t", "4,980", all),
        ("validate -q in --add clues", "", "in\t", "4,980", file),
        ("relink -q page", "", "page\t", "30", file),
        ("relink -q --write page", "", "page\t", "30", all),
        ("relink -q", " < page > out", "<stdin>\t", "30", file),
    ]
    .into_iter()
    .enumerate()
    {
        let script = &format!("$G {command}{end}");
        let Some(text) = shown(script) else { return };
        let count = text.lines().filter(|line| line.starts_with(rows)).count();
        assert_eq!(count, 20, "{script}: {text}");
        assert!(text.contains(&format!("... and {more} more; {flags}")), "{script}: {text}");
        // What is said there is true.
        let count = |text: &str| text.lines().filter(|line| line.starts_with(rows)).count();
        let total = more.replace(',', "").parse::<usize>().expect("a number") + 20;
        let kept = format!("rejects-{number}");
        shown(&format!("$G {command} -f --rejects {kept}{end}")).expect("script");
        assert_eq!(count(&folder.text(&kept)), total, "{script}");
        if flags == all {
            let text = shown(&format!("$G {command} -f --rejects -{end}")).expect("script");
            assert_eq!(count(&text), total, "{script}");
        }
    }
    let piped = run_script(&folder, "$G convert -q in");
    assert_eq!(piped.stderr.lines().count(), 5001);
}

#[test]
fn most_refused_for_one_reason_is_said_once_with_what_helps() {
    let p = PLAIN;
    let ruled = "-".repeat(81);
    for (line, hint) in [
        (
            format!("7,{p}\n"),
            "5 of 5 records are rejected, nearly all as 'length': use --framing csv --column 2 --no-header\n",
        ),
        (format!("{p} # note\n"), "nearly all as 'length': use --framing words\n"),
        (format!("{{\"bd\":\"{p}\"}}\n"), "use --framing jsonl --field /bd\n"),
        (format!("<i>https://www.sudokuwiki.org/sudoku.htm?bd={p}</i>\n"), "'gridmill relink' rewrites links in files"),
        (format!("{ruled}\n"), "nearly all as 'ambiguous': either an empty plain sudoku"),
    ] {
        let done = run(&mut gridmill(["convert"]), line.repeat(5).as_bytes());
        assert!(
            done.stderr.lines().last().is_some_and(|last| format!("{last}\n").contains(hint)),
            "{hint}: {}",
            done.stderr
        );
        let few = run(&mut gridmill(["convert"]), format!("{}{line}", format!("{p}\n").repeat(5)).as_bytes());
        assert!(!few.stderr.contains("nearly all"), "{}", few.stderr);
        let quiet = run(&mut gridmill(["convert", "-q"]), line.repeat(5).as_bytes());
        assert!(!quiet.stderr.contains("nearly all"), "{}", quiet.stderr);
    }
    let rows = format!("7,{p}\n").repeat(5);
    for command in ["dedupe", "solve", "canon"] {
        let done = run(&mut gridmill([command]), rows.as_bytes());
        assert!(done.stderr.ends_with("use --framing csv --column 2 --no-header\n"), "{command}: {}", done.stderr);
        // What is suggested for links works, since they do not take `--framing links`.
        let folder = Folder::new();
        folder.write("page", format!("<i>https://www.sudokuwiki.org/sudoku.htm?bd={p}&x=1</i>\n").repeat(5));
        let done = run_script(&folder, &format!("$G {command} page"));
        assert!(!done.stderr.contains("; --framing links"), "{command}: {}", done.stderr);
        let way = "gridmill convert --framing links FILE | grep -o 'bd=[0-9A-Za-z]*' | cut -c 4-";
        assert!(done.stderr.trim_end().ends_with(way), "{command}: {}", done.stderr);
        run_script(&folder, &format!("$G {command} --framing links page")).failed(&[way]);
        let way = way.replace("gridmill", "$G").replace("links FILE", "links -q page");
        let strings = run_script(&folder, &format!("{way} | $G {command} -q")).good();
        assert!(!strings.is_empty(), "{command}");
    }
    let table = format!("id,the board\n{}", format!("1,{p}\n").repeat(4));
    let done = run(&mut gridmill(["validate"]), table.as_bytes());
    assert!(done.stderr.ends_with("use --framing csv --column 'the board'\n"), "{}", done.stderr);
}

#[test]
fn refused_rows_keep_their_shape_and_are_merged_when_mended() {
    let folder = Folder::new();
    let p = PLAIN;
    let header = "id;\"bd\";x\r\n";
    let bad = ["2;oops;\"a;\"\"b\"\r\n", "4;\"1\n2\";\r\n"];
    let good = [format!("1;{p};y\r\n"), format!("3;\"{p}\";\r\n")];
    folder.write("in.csv", [header, &good[0], bad[0], &good[1], bad[1]].concat());
    let table = "--framing csv --delimiter ';' --column bd";
    for (args, rows) in [
        ("-o out.csv", "out.csv.rejects.csv"),
        ("-o out2.csv --rejects bad.csv -j1", "bad.csv"),
        ("-o out3.csv --no-mmap -j2", "out3.csv.rejects.csv"),
    ] {
        let done = run_script(&folder, &format!("$G convert -q {table} --rejects-as rows in.csv {args}"));
        assert_eq!((done.code, done.stderr.as_str()), (Some(1), ""), "{args}");
        assert_eq!(folder.text(rows), [header, bad[0], bad[1]].concat(), "{args}");
    }
    let checked = run_script(&folder, &format!("$G validate -q {table} --rejects-as rows in.csv"));
    assert_eq!(checked.text(), [header, bad[0], bad[1]].concat());
    // Corrected and converted, they are the missing rows.
    let mended = folder.text("bad.csv").replace("oops", p).replace("\"1\n2\"", p);
    folder.write("bad.csv", mended);
    assert_eq!(run_script(&folder, &format!("$G convert -q {table} bad.csv -o more.csv")).code, Some(0));
    assert_eq!(folder.text("more.csv").lines().count(), 3);
    // Lines and JSON lines have no header.
    folder.write("lines", format!("{p}\nbad\r\n# note\nworse"));
    assert_eq!(run_script(&folder, "$G convert -q --rejects-as rows lines -o l").code, Some(1));
    assert_eq!(folder.text("l.rejects.txt"), "bad\r\nworse\n");
    folder.write("json", format!("{{\"b\":\"{p}\"}}\n{{\"b\":7}}\n{{\"b\":\n"));
    assert_eq!(
        run_script(&folder, "$G convert -q --framing jsonl --field /b --rejects-as rows json -o j").code,
        Some(1)
    );
    assert_eq!(folder.text("j.rejects.jsonl"), "{\"b\":7}\n{\"b\":\n");
    // A record that cannot be kept in one piece is not a row.
    folder.write("long", "1".repeat(70_000));
    run_script(&folder, "$G convert -q --rejects-as rows long").failed(&["line 1 is too long for --rejects-as rows"]);
    run_script(&folder, "$G convert -q --framing grid --rejects-as rows lines")
        .failed(&["--rejects-as rows is only for lines"]);
    // A record of several problems is one row, however many chunks there are.
    let many = "bad\n".repeat(400_000);
    let done = run(&mut gridmill(["validate", "-q", "--all", "--rejects-as", "rows"]), many.as_bytes());
    assert!(done.text() == many);
}
