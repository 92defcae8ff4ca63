//! Memory limits of runs, whatever their input. Each run has a hard limit (`ulimit -d`) of 64 MiB, and for each thread
//! 2 MiB and the 2 MiB of its stack, which the system counts as a whole. A run that needs more is aborted, and the test
//! fails.

/// The inputs with which the problems were found.
mod as_found;
/// Parquet and Arrow files.
#[cfg(feature = "parquet")]
mod columns;
/// Pasted grids.
mod grids;
/// Puzzles that are converted and solved.
mod puzzles;
/// Rows with very many fields, values or columns.
mod wide;

use std::fs::File;
use std::io::Write;

use gridmill::board::{Batch, Cell, Kind, Shape, Side};
use gridmill::formats::{Format, write_one};

use crate::frames;
use crate::support::{Done, Folder, archive, many, run, shell, v2};

/// Bad lines that used to take hundreds of megabytes.
const LINES: usize = 300_000;

/// The limit for a run with this many threads, in KiB.
fn most(threads: usize) -> usize {
    (64 + 4 * threads) << 10
}

/// Runs a script within the limit. `$G` is the program, and the folder is the current one.
#[track_caller]
fn limited(folder: &Folder, threads: usize, script: &str) -> Done {
    let script = format!("ulimit -d {}; {script}", most(threads));
    run(shell(&script).current_dir(folder.path()).env("RUST_BACKTRACE", "0"), b"")
}

/// Like [`limited`], for a run that must end with `code`.
#[track_caller]
fn ends(folder: &Folder, threads: usize, script: &str, code: i32) -> Done {
    let done = limited(folder, threads, script);
    assert_eq!((done.code, done.signal), (Some(code), None), "{script}: {}", head(&done.stderr));
    done
}

fn head(text: &str) -> String {
    text.chars().take(600).collect()
}

/// The limit works: a megabyte is not enough for anything.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn the_limit_holds() {
    let done = run(&mut shell("ulimit -d 1000; $G gen -q --count 10"), b"");
    assert!(done.code != Some(0), "{done:?}");
}

/// Took 8.8 GB without end: frames of 16 MiB with lines of one letter.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn an_archive_of_bad_lines() {
    let folder = Folder::new();
    folder.write("bad.zst", archive(&b"a\n".repeat(LINES), 16 << 20));
    for threads in [1, 4] {
        ends(&folder, threads, &format!("$G convert -q -f -j{threads} bad.zst -o out --rejects rejects"), 1);
        assert_eq!(folder.read("out"), b"");
        assert_eq!(lines(&folder, "rejects"), 1 + LINES);
    }
}

fn lines(folder: &Folder, name: &str) -> usize {
    memchr::memchr_iter(b'\n', &folder.read(name)).count()
}

/// Took 273 MiB, and 1.6 GB with 16 threads.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn lines_of_one_letter() {
    let folder = Folder::new();
    let text = b"a\n".repeat(LINES);
    folder.write("lines", &text);
    let rows = |args: &str| {
        ends(&folder, 16, &format!("$G {args} -q -f -j16 lines --rejects rejects"), 1);
        lines(&folder, "rejects")
    };
    for args in ["convert -o out", "validate", "convert -o out --framing csv --no-header --column 1"] {
        assert_eq!(rows(args), 1 + text.len() / 2, "{args}");
    }
    // Rejected rows are written unchanged, in whatever parts their chunk was converted.
    let first = folder.text("rejects").lines().nth(200_000).unwrap_or_default().to_string();
    assert!(first.starts_with("lines\t200000\t399998\t-\tlength\t") && first.ends_with("\ta"), "{first}");
}

/// What other commands than `convert` and `validate` make of such lines.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn lines_of_one_letter_in_every_command() {
    let folder = Folder::new();
    folder.write("lines", b"a\n".repeat(LINES));
    for command in ["solve", "canon", "dedupe"] {
        ends(&folder, 16, &format!("$G {command} -q -f -j16 lines -o out --rejects rejects"), 1);
        assert_eq!((lines(&folder, "out"), lines(&folder, "rejects")), (0, 1 + LINES), "{command}");
    }
    // Of the messages of `show`, the first 20 are shown.
    let done = ends(&folder, 1, "$G show --json lines", 1);
    assert_eq!(done.stderr.lines().count(), 21, "{}", head(&done.stderr));
    assert!(done.stderr.ends_with("gridmill: and 299,980 more strings were rejected\n"), "{}", done.stderr);
}

/// Converting a chunk in parts does not change the output, the rejects or the counts.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn chunks_in_parts_are_chunks_as_a_whole() {
    let folder = Folder::new();
    let good: Vec<&[u8]> = many().split_inclusive(|&byte| byte == b'\n').take(4000).collect();
    let mut text = Vec::new();
    for (n, line) in good.iter().enumerate() {
        text.extend_from_slice(line);
        let bad: &[u8] = match n % 5 {
            0 => b"a\n",
            1 => b"\n# not a string\n",
            2 => b"123456789\r\n",
            3 => b"a b\tc\n",
            _ => b"",
        };
        text.extend(bad.repeat(n % 17));
    }
    folder.write("mixed", &text);
    let go = |name: &str, args: &str| {
        ends(&folder, 4, &format!("$G convert -q -f mixed -o {name} --rejects {name}.rejects {args}"), 1);
        (folder.read(name), folder.read(&format!("{name}.rejects")))
    };
    let whole = go("whole", "-j1");
    assert_eq!(go("threads", "-j4"), whole);
    assert_eq!(go("read", "-j3 --no-mmap"), whole);
    // In small inputs every chunk is small, and no part is ever full.
    let mut small = (Vec::new(), Vec::new());
    let mut lines_before = 0;
    for (n, part) in text.split_inclusive(|&byte| byte == b'\n').collect::<Vec<_>>().chunks(1000).enumerate() {
        let part = part.concat();
        folder.write("mixed", &part);
        let (out, rejects) = go("small", "-j1");
        small.0.extend(out);
        for row in String::from_utf8(rejects).expect("text").lines().skip(1) {
            let mut fields: Vec<_> = row.split('\t').map(str::to_string).collect();
            fields[1] = (fields[1].parse::<usize>().expect("a line") + lines_before).to_string();
            fields.remove(2);
            small.1.push(fields.join("\t"));
        }
        lines_before += memchr::memchr_iter(b'\n', &part).count();
        assert!(n < 1000);
    }
    let rows = String::from_utf8(whole.1).expect("text");
    let rows: Vec<_> = rows.lines().skip(1).map(without_byte).collect();
    assert_eq!(whole.0, small.0);
    assert_eq!(rows, small.1);
}

fn without_byte(row: &str) -> String {
    let mut fields: Vec<_> = row.split('\t').collect();
    fields.remove(2);
    fields.join("\t")
}

/// Took 97 MiB, and 722 MiB with 16 threads: good frames that are larger than a thread's share.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn good_frames_of_16_mebibytes() {
    let folder = Folder::new();
    let text = many().repeat(8);
    folder.write("good.zst", archive(&text, 16 << 20));
    ends(&folder, 16, "$G convert -q -j16 good.zst -o out", 0);
    folder.write("good", &text);
    ends(&folder, 16, "$G convert -q -j16 good -o same", 0);
    assert_eq!(folder.read("out"), folder.read("same"));
}

/// Took 3.8 GB for 2.5 MB. The problems of a board are listed up to a limit, which is reported.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn boards_of_one_digit_and_all_their_problems() {
    let folder = Folder::new();
    for (side, boards, listed) in [(25, 40, 626), (16, 40, 257), (9, 100, 101)] {
        folder.write("ones", format!("{}\n", ones(side)).repeat(boards));
        for level in ["rules", "unique"] {
            if side == 9 || level == "rules" {
                ends(&folder, 2, &format!("$G validate -q -j2 --level {level} --all ones --rejects rejects -f"), 1);
                let rows = folder.text("rejects");
                assert_eq!(rows.lines().count(), 1 + boards * listed, "side {side}, {level}");
                let last = rows.lines().last().unwrap_or_default();
                assert!(last.contains("more in this record from here on"), "{last}");
            }
        }
    }
}

/// A board with the same clue in every cell.
fn ones(side: usize) -> String {
    let mut batch = Batch::new();
    batch.reset(Shape::new(Kind::Sudoku, Side::new(side).expect("a side")), 1);
    (0..side * side).for_each(|cell| batch.set_cell(0, cell, Cell::Clue(1)));
    write_one(&batch, 0, Format::V2).expect("a string")
}

/// Took 3.2 GB: a row of 16 MiB is one record, of which nothing is kept after its first bad string.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn json_rows_of_many_short_strings() {
    let folder = Folder::new();
    let large = json_row("\"a\"", 4 << 20);
    folder.write("rows", format!("{large}{}{large}{}", json_row("\"a\"", 500_000), json_row("\"a\"", 3)));
    for threads in [1, 16] {
        let args = format!("convert -q -f -j{threads} --framing jsonl --field /bd -o out --rejects rejects");
        for input in ["rows", "< rows"] {
            ends(&folder, threads, &format!("$G {args} {input}"), 1);
            assert_eq!((lines(&folder, "rejects"), folder.read("out").len()), (5, 0));
        }
    }
    // The largest number of good strings is no problem.
    let string = format!("\"{}\"", v2(crate::support::PLAIN));
    folder.write("rows", json_row(&string, 90_000));
    ends(&folder, 1, "$G convert -q -f -j1 --framing jsonl --field /bd --to plain --lossy -o out rows", 0);
}

/// A row with an array of this string.
fn json_row(string: &str, count: usize) -> String {
    format!("{{\"bd\":[{}]}}\n", vec![string; count].join(","))
}

/// Rows of tables that never end, and deeply nested JSON.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn text_without_an_end() {
    let folder = Folder::new();
    folder.write("nuls", "");
    File::options().write(true).open(folder.at("nuls")).and_then(|file| file.set_len(200 << 20)).expect("a file");
    for (script, code) in [
        ("$G convert -q nuls -o out", 1),
        ("$G convert -q --no-mmap nuls -o out", 1),
        ("head -c 100M /dev/zero | $G convert -q -o out", 1),
        ("$G convert -q --framing csv --no-header --column 1 nuls -o out", 1),
        ("$G convert -q --framing jsonl --field /a nuls -o out", 1),
        ("(echo '\"'; yes aaaa | head -c 1M) | $G convert -q --framing csv --no-header --column 1 -o out", 1),
        ("yes '\"\"' | tr -d '\\n' | head -c 60M | $G convert -q --framing csv --no-header --column 1 -o out", 1),
        ("yes '[' | tr -d '\\n' | head -c 10M | $G convert -q --framing jsonl --field /a -o out", 1),
        ("yes '{\"a\":' | tr -d '\\n' | head -c 10M | $G convert -q --framing jsonl --field /a/a -o out", 1),
    ] {
        ends(&folder, 2, &format!("rm -f out*; {script} 2> told; code=$?; tail -c 300 told >&2; exit $code"), code);
    }
    // Links may be anywhere in a line, so a part of it is held in memory, together with its new text.
    for script in [
        "head -c 60M /dev/zero | $G relink -q > out",
        "yes abcdefgh | tr -d '\\n' | head -c 60M | $G relink -q > out",
        "$G relink -q nuls",
    ] {
        ends(&folder, 2, script, 0);
    }
}

/// Took 80 MiB from stdin and 96 MiB from a file: a line of nothing but links.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn a_line_of_16_mebibytes_of_links() {
    let folder = Folder::new();
    let old = String::from_utf8(many()[..162].to_vec()).expect("text");
    let line = |string: &str| format!("https://www.sudokuwiki.org/sudoku.htm?bd={string} ").repeat(83_000) + "\n";
    let (line, new) = (line(&old), line(&v2(&old)));
    assert!(line.len() > 16 << 20);
    folder.write("line", &line);
    ends(&folder, 2, "$G relink -q < line > out", 0);
    assert!(folder.text("out") == new, "from stdin");
    // The changes of such a long line are not shown, which is reported. Memory of one thread is not always returned
    // before another asks for more, so this takes 60 to 80 MiB.
    let done = ends(&folder, 12, "$G relink -q line > out", 1);
    assert!(done.stderr.contains("--write changes it"), "{}", done.stderr);
    ends(&folder, 2, "mkfifo pipe; head -c $((15000 * 204)) line > pipe & $G relink -q pipe > out", 0);
    let done = ends(&folder, 2, "cat line > pipe & $G relink -q pipe > out", 1);
    assert!(done.stderr.contains("more than 4 MiB"), "{}", done.stderr);
    ends(&folder, 12, "$G relink -q --write line", 0);
    assert!(folder.text("line") == new, "the file");
}

/// Took 6.9 GB for values of 4 MB.
#[cfg(feature = "sqlite")]
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn databases_with_large_values_and_many_refusals() {
    let folder = Folder::new();
    refused_values(&folder, 60, 150_000);
    for (table, refused) in [("large", 60), ("bad", 150_000)] {
        let args = format!("migrate sqlite db --table {table} --column p -q -f --rejects rejects");
        ends(&folder, 1, &format!("$G {args} > looked"), 1);
        assert_eq!(lines(&folder, "rejects"), 1 + refused, "{table}");
        ends(&folder, 1, &format!("$G {args} --yes"), 1);
        assert_eq!(lines(&folder, "rejects"), 1 + refused, "{table}");
    }
    let row = folder.text("rejects").lines().nth(149_999).unwrap_or_default().to_string();
    assert!(row.starts_with("149999\t-\t") && row.ends_with("no string 149999"), "{row}");
}

/// A database with two tables: of this many values of 4 MB, and of this many short ones that are refused. A good value
/// follows them.
#[cfg(feature = "sqlite")]
fn refused_values(folder: &Folder, large: usize, refused: usize) {
    let database = rusqlite::Connection::open(folder.at("db")).expect("a database");
    let good = String::from_utf8(many()[..163].to_vec()).expect("text");
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <";
    database
        .execute_batch(&format!(
            "CREATE TABLE large (id INTEGER PRIMARY KEY, p); CREATE TABLE bad (id INTEGER PRIMARY KEY, p);
             INSERT INTO large (p) {rows} {large}) SELECT replace(hex(zeroblob(2000000)), '0', 'x') FROM n;
             INSERT INTO bad (p) {rows} {refused}) SELECT 'no string ' || i FROM n;
             INSERT INTO large (p) VALUES ('{0}'); INSERT INTO bad (p) VALUES ('{0}');",
            good.trim_end()
        ))
        .expect("tables");
    drop(database);
}

/// Took 78 MB: a batch of the backup was in memory, and so were rows that one thread had written and another had not
/// compressed.
#[cfg(feature = "sqlite")]
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn databases_with_a_backup() {
    let folder = Folder::new();
    let database = rusqlite::Connection::open(folder.at("db")).expect("a database");
    let text = String::from_utf8(many().to_vec()).expect("text");
    let strings: Vec<_> = text.lines().take(500).map(|line| format!("('{line}')")).collect();
    database
        .execute_batch(&format!(
            "CREATE TABLE kept (s); CREATE TABLE boards (id INTEGER PRIMARY KEY, bd TEXT); INSERT INTO kept VALUES {};
             INSERT INTO boards (bd) SELECT one.s FROM kept AS one, (SELECT 1 FROM kept LIMIT 400);",
            strings.join(", ")
        ))
        .expect("tables");
    drop(database);
    let args = "--yes -q --batch-time 0";
    // The thread that writes, one that records, and one that syncs the rollback journal.
    ends(
        &folder,
        3,
        &format!("$G migrate sqlite db --table boards --column bd {args} --batch 200000 --backup old.zst"),
        0,
    );
    ends(&folder, 3, &format!("$G migrate restore old.zst db {args}"), 0);
}

/// Took 6.2 GB for a file of 2 GB, and 4.3 GB in 2.5 s of /dev/zero.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn relink_of_large_files_and_endless_ones() {
    let folder = Folder::new();
    ends(&folder, 2, "$G relink -q /dev/zero", 1);
    let old = String::from_utf8(many()[..162].to_vec()).expect("text");
    let new = v2(&old);
    folder.write("page", page(&old));
    ends(&folder, 2, "$G relink -q page > diff", 0);
    folder.write("patched", page(&old));
    ends(&folder, 2, "patch -s patched diff", 0);
    assert!(folder.text("patched") == page(&new), "the diff");
    ends(&folder, 2, "$G relink -q --write page", 0);
    assert!(folder.text("page") == page(&new), "the file");
    // Links that cannot be rewritten are rows; binary files stay, however large they are.
    let bad = "https://www.sudokuwiki.org/sudoku.htm?bd=1\n".repeat(80_000);
    folder.write("page", &bad);
    ends(&folder, 2, "$G relink -q --write page --rejects rejects", 1);
    assert!(folder.text("page") == bad && lines(&folder, "rejects") == 80_001);
    let binary = format!("{}\0{}", page(&old), page(&old));
    folder.write("page", &binary);
    let done = ends(&folder, 2, "$G relink --write page", 1);
    assert!(done.stderr.contains("is left alone with 30,000 links: it has NUL bytes"), "{}", done.stderr);
    assert!(folder.text("page") == binary);
}

/// A page of 10 MB with links.
fn page(string: &str) -> String {
    let link = format!("https://www.sudokuwiki.org/sudoku.htm?bd={string}\n");
    let line =
        |n: usize| if n.is_multiple_of(4) { link.clone() } else { format!("line {n} {}\n", "x".repeat(n % 300)) };
    (0..60_000).map(line).collect()
}

/// Took 1.6 GB for 64 MiB of strings.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn a_drawing_of_many_boards() {
    let folder = Folder::new();
    folder.write("boards", &many()[..163 * 3000]);
    ends(&folder, 1, "$G show --svg drawing < boards", 0);
    assert_eq!(folder.text("drawing").matches("<title>").count(), 3000);
    ends(&folder, 1, "yes | head -c 70M | $G show --svg drawing -f", 2);
}

/// An archive of zeros, in one line of 300 MiB.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn small_archives_that_expand() {
    let folder = Folder::new();
    let mut zeros = zstd::Encoder::new(Vec::new(), 1).expect("a compressor");
    (0..300).for_each(|_| zeros.write_all(&vec![0; 1 << 20]).expect("in memory"));
    folder.write("zeros.zst", zeros.finish().expect("in memory"));
    ends(&folder, 4, "$G convert -q -j4 zeros.zst -o out --rejects rejects", 1);
    assert_eq!(lines(&folder, "rejects"), 2);
}

/// Archives that announce more than they hold are refused before memory is taken for it.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn archives_that_lie_about_their_sizes() {
    let folder = Folder::new();
    // A frame of another program that announces a window of 2 GiB.
    folder.write("window.zst", [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00]);
    // Frames of our own whose headers announce the largest size on each side, and one more than that.
    let true_one = archive(b"x\ny\n", 2);
    let sizes = memchr::memmem::find(&true_one, &frames::MAGIC.to_le_bytes()).expect("a head") + 16;
    for (name, at, size) in [
        ("compressed", sizes, frames::MAX_COMPRESSED),
        ("too-compressed", sizes, frames::MAX_COMPRESSED + 1),
        ("text", sizes + 4, frames::MAX_TEXT),
        ("too-much-text", sizes + 4, frames::MAX_TEXT + 1),
        ("all-text", sizes + 4, u32::MAX as usize),
    ] {
        let mut lying = true_one.clone();
        lying[at..at + 4].copy_from_slice(&(size as u32).to_le_bytes());
        folder.write(&format!("{name}.zst"), lying);
    }
    for (name, words) in [
        ("window", "a window of more than 128 MiB"),
        ("compressed", "damaged archive"),
        ("too-compressed", "impossible size"),
        ("text", "damaged archive"),
        ("too-much-text", "impossible size"),
        ("all-text", "impossible size"),
    ] {
        for threads in [1, 4] {
            for input in [format!("{name}.zst"), format!("< {name}.zst")] {
                let done = ends(&folder, threads, &format!("$G convert -q -j{threads} -o out {input}"), 2);
                assert!(done.stderr.contains(words), "{name}: {}", done.stderr);
            }
        }
    }
}

/// Thousands of inputs, and more threads than there are cores.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn many_inputs_and_many_threads() {
    let folder = Folder::new();
    folder.write("one", &many()[..163]);
    let script = "for i in $(seq 3000); do echo one; done | xargs -n 5000 $G convert -q -j64 -o out";
    ends(&folder, 64, script, 0);
    assert_eq!(lines(&folder, "out"), 3000);
}
