use serde_json::{Value, json};

use gridmill::board::{Cell, FillCandidates, fill_candidates};
use gridmill::formats::{Evidence, Format, Hints, REGISTRY, read_one, write_one};

use crate::support::{Folder, PLAIN, boards, convert, gridmill, recode, run, v2};

#[test]
fn a_format_that_is_only_read_is_no_target() {
    for (command, flag) in [("convert", "--to"), ("solve", "--to"), ("canon", "--to"), ("gen", "--format")] {
        let done = run(&mut gridmill([command, flag, "sumocue"]), PLAIN.as_bytes());
        assert_eq!((done.code, done.text()), (Some(2), ""), "{command}");
        let words = "sumocue strings can be read but not written; formats that are written: plain, v0,";
        assert!(done.stderr.contains(words), "{}", done.stderr);
    }
    let help = run(&mut gridmill(["convert", "--help"]), b"");
    let (_, targets) = help.text().split_once("--to <FORMAT>").expect("the flag");
    let targets = targets.split_once("\n      --").map_or(targets, |(targets, _)| targets);
    assert!(targets.contains("- puzzlink: ") && !targets.contains("sumocue"), "{targets}");
    assert!(!run(&mut gridmill(["show", PLAIN]), b"").text().contains("as sumocue:"));
}

#[test]
fn every_sample_of_every_format_is_converted_or_refused_as_the_library_says() {
    for format in REGISTRY {
        let name = format.about().name;
        for samples in format.about().id.samples() {
            for good in samples.good {
                let done = convert(["--from", name], good.text.as_bytes());
                let one =
                    read_one(good.text.as_bytes(), Some(format.about().id), &Hints::default(), &Evidence::default());
                match write_one(&one.expect("a good sample").batch, 0, Format::V2) {
                    Ok(text) => assert_eq!(done.text(), text, "{name}: {}", good.text),
                    Err(reject) => assert!(done.stderr.contains(reject.code.name())),
                }
            }
            for bad in samples.bad {
                let done = convert(["--from", name], bad.text.as_bytes());
                let cell = bad.cell.map_or("-".to_string(), |(row, column)| format!("r{row}c{column}"));
                let place = format!("\t0\t{cell}\t{}\t", bad.code);
                assert!(done.code == Some(1) && done.stderr.contains(&place), "{name} {}: {}", bad.text, done.stderr);
            }
        }
    }
}

#[test]
fn kinds_are_for_strings_that_do_not_say_it() {
    let body = &v2(PLAIN)[3..];
    for (kind, header) in [
        ("sudoku", "S9B"),
        ("sudoku-x", "X9B"),
        ("x", "X9B"),
        ("windoku", "W9B"),
        ("colour", "C9B"),
        ("colour-sudoku", "C9B"),
    ] {
        let stdout = convert(["--kind", kind], PLAIN.as_bytes()).good();
        assert_eq!(String::from_utf8(stdout), Ok(format!("{header}{body}")));
    }
    // A string that names its kind ignores the flag.
    let windoku = format!("W9B{body}");
    assert_eq!(convert(["--kind", "sudoku-x"], windoku.as_bytes()).good(), windoku.as_bytes());
    let done = convert(["--kind", "jigsaw"], PLAIN.as_bytes());
    assert!(done.code == Some(1) && done.stderr.contains("unsupported") && done.stderr.contains("regions"));
    convert(["--kind", "sudoku9"], b"").failed(&["sudoku9", "windoku", "str8ts-bx"]);
}

#[test]
fn notes_are_kept_dropped_filled_or_worked_out() {
    let text = String::from_utf8(boards("v2", 20, 3)).expect("UTF-8");
    for (name, notes) in [
        ("keep", FillCandidates::Keep),
        ("none", FillCandidates::None),
        ("full", FillCandidates::Full),
        ("auto", FillCandidates::Auto),
    ] {
        let expected: String = text
            .lines()
            .map(|line| {
                let mut one =
                    read_one(line.as_bytes(), None, &Hints::default(), &Evidence::default()).expect("a board");
                fill_candidates(&mut one.batch, 0, notes);
                write_one(&one.batch, 0, Format::V2).expect("v2 holds everything") + "\n"
            })
            .collect();
        let stdout = String::from_utf8(convert(["--notes", name], text.as_bytes()).good()).expect("UTF-8");
        assert_eq!(stdout, expected, "{name}");
    }
    // Worked out by hand: the first row's empty cells.
    let row = |notes: &str| {
        let stdout = String::from_utf8(convert(["--notes", notes], PLAIN.as_bytes()).good()).expect("UTF-8");
        let one = read_one(stdout.as_bytes(), None, &Hints::default(), &Evidence::default()).expect("a board");
        (0..9).map(|cell| one.batch.cell(0, cell)).collect::<Vec<_>>()
    };
    let digits = |digits: &[u8]| Cell::Candidates(digits.iter().map(|d| 1 << (d - 1)).sum());
    assert_eq!(row("keep")[1], Cell::Empty);
    assert_eq!(row("none")[1], Cell::Empty);
    assert_eq!(row("full")[1], Cell::Candidates(511));
    // r1c2 sees 1 5 6 9 in its row, 9 5 6 9 in its column, 1 4 2 9 5 6 in its box.
    assert_eq!(row("auto")[..2], [Cell::Clue(1), digits(&[3, 7, 8])]);
}

#[test]
fn a_cell_left_with_nothing_is_a_warning() {
    // The first cell sees all nine digits.
    let puzzle = format!(".234567891{}", ".".repeat(71));
    let done = run(&mut gridmill(["convert", "--notes", "auto"]), puzzle.as_bytes());
    assert_eq!(done.code, Some(0));
    assert!(done.stderr.contains("warning: 1 cell left without a candidate"), "{}", done.stderr);
    assert!(done.text().starts_with("S9B00"));
}

#[test]
fn losses_are_refused_or_counted() {
    let folder = Folder::new();
    let single = v2(PLAIN).replacen("00", "0j", 1);
    let text = format!("{single}\n{}\n", v2(PLAIN));
    let done = convert(["--to", "v1"], text.as_bytes());
    assert_eq!((done.code, done.text()), (Some(1), format!("{}\n", recode(PLAIN, Format::V1)).as_str()));
    assert!(done.stderr.contains("\tr1c2\tlossy\t"), "{}", done.stderr);
    let summary = run(&mut gridmill(["convert", "--to", "v1"]), text.as_bytes()).stderr;
    assert!(summary.contains("1 rejected (lossy 1), ") && !summary.contains("no losses"), "{summary}");
    let report = folder.at("report");
    let done = run(gridmill(["convert", "--to", "v1", "--lossy", "--report"]).arg(&report), text.as_bytes());
    assert_eq!(done.code, Some(0));
    assert!(done.stderr.contains("1 with losses (single-candidate 1)"), "{}", done.stderr);
    // A single candidate becomes a solved cell.
    let solved = v2(PLAIN).replacen("00", "0a", 1);
    assert_eq!(done.text().lines().next(), Some(recode(&solved, Format::V1).as_str()));
    let report: Value = serde_json::from_slice(&folder.read("report")).expect("JSON");
    assert_eq!(report["losses"], json!({"single-candidate": {"records": 1, "cells": 1}}));
    assert_eq!((&report["lossy_records"], &report["rejected"]), (&json!(1), &json!(0)));
}

#[test]
fn the_report_agrees_with_the_output() {
    let folder = Folder::new();
    let a = folder.write("a", format!("# c\n{PLAIN}\n\nS9A\n{}\n", recode(PLAIN, Format::V1)));
    let b = folder.write("b.gz", crate::support::gzip(format!("{PLAIN}x\n{}", v2(PLAIN)).as_bytes()));
    let (out, report) = (folder.at("out.zst"), folder.at("report.json"));
    let done = run(gridmill(["convert", "-j1"]).arg(&a).arg(&b).arg("-o").arg(&out).arg("--report").arg(&report), b"");
    assert_eq!(done.code, Some(1));
    let report: Value = serde_json::from_slice(&folder.read("report.json")).expect("JSON");
    let text = zstd::decode_all(&folder.read("out.zst")[..]).expect("an archive");
    let rejects = folder.text("out.zst.rejects.tsv");
    let records = text.split(|&b| b == b'\n').filter(|line| line.starts_with(b"S9B")).count();
    for (field, value) in [
        ("schema", json!(1)),
        ("program", json!(concat!("gridmill ", env!("CARGO_PKG_VERSION")))),
        ("to", json!("v2")),
        ("lines", json!(7)),
        ("records", json!(5)),
        ("converted", json!(records)),
        ("rejected", json!(rejects.lines().count() - 1)),
        ("codes", json!({"header": 1, "length": 1})),
        ("losses", json!({})),
        ("threads", json!(1)),
        ("cells_left_without_notes", json!(0)),
    ] {
        assert_eq!(report[field], value, "{field}");
    }
    let forms = json!([
        {"format": "plain", "kind": "sudoku", "records": 1},
        {"format": "v1", "kind": "sudoku", "records": 1},
        {"format": "v2", "kind": "sudoku", "records": 1},
    ]);
    assert_eq!(report["forms"], forms);
    assert_eq!(report["bytes"]["written"], json!(text.len()));
    assert_eq!(report["bytes"]["read"], json!(folder.read("a").len() + folder.read("b.gz").len()));
    assert_eq!(report["bytes"]["text"], json!(folder.read("a").len() + 82 + 1 + 165));
    let input = |path: &std::path::Path, lines: u64, records: u64, rejected: u64| json!({"name": path.to_str(), "lines": lines, "records": records, "rejected": rejected});
    assert_eq!(report["inputs"], json!([input(&a, 5, 3, 1), input(&b, 2, 2, 1)]));
    assert!(report["seconds"].as_f64().is_some_and(|s| s > 0.0) && report["kernel"].is_string());
    // The summary is one line with the same numbers.
    assert_eq!(done.stderr.lines().count(), 1);
    assert!(
        done.stderr.starts_with("gridmill: 5 records, 2 rejected (length 1, header 1), no losses, "),
        "{}",
        done.stderr
    );
    assert!(done.stderr.trim_end().ends_with("B/s"));
}

#[test]
fn solved_cells_that_may_be_notes_are_counted_and_listed() {
    let folder = Folder::new();
    // r1c2 solved, r9c8 solved; clues and candidates are not listed.
    let mut board = v2(PLAIN);
    board.replace_range(3 + 2..3 + 4, "0a");
    board.replace_range(3 + 2 * 79..3 + 2 * 80, "0i");
    let v1 = recode(&board, Format::V1);
    let input = folder.write("in", format!("# first\n{v1}\nbad\n{v1}\n{PLAIN}\n"));
    let (list, report) = (folder.at("list"), folder.at("report"));
    let name = input.to_str().expect("UTF-8");
    let expected: String =
        ["2\tr1c2", "2\tr9c8", "4\tr1c2", "4\tr9c8"].map(|place| format!("{name}\t{place}\n")).concat();
    let done = run(gridmill(["convert", "--list-solved"]).arg(&list).arg("--report").arg(&report).arg(&input), b"");
    assert_eq!(done.code, Some(1));
    assert!(done.stderr.contains("4 cells read as solved"), "{}", done.stderr);
    assert_eq!(folder.text("list"), format!("input\tline\tcell\n{expected}"));
    let report: Value = serde_json::from_slice(&folder.read("report")).expect("JSON");
    assert_eq!(report["solved_cells_that_may_be_notes"], json!(4));
    // An existing list needs -f.
    let done = convert(["--list-solved".as_ref(), list.as_os_str(), input.as_os_str()], b"");
    done.failed(&["list", "-f/--force"]);
    // v2 distinguishes the two, so nothing is listed.
    let done = convert(["-f".as_ref(), "--list-solved".as_ref(), list.as_os_str()], board.as_bytes());
    done.good();
    assert_eq!(folder.text("list"), "input\tline\tcell\n");
}

#[test]
fn exit_codes_say_how_it_went() {
    let folder = Folder::new();
    let good = folder.write("good", format!("{PLAIN}\n"));
    let bad = folder.write("bad", "bad\n");
    let missing = folder.at("missing");
    for (inputs, code) in [
        (vec![&good], 0),
        (vec![&bad], 1),
        (vec![&good, &bad], 1),
        (vec![&missing], 2),
        (vec![&good, &missing], 2),
        (vec![&bad, &missing], 2),
    ] {
        let done = convert(&inputs, b"");
        assert_eq!(done.code, Some(code), "{inputs:?}");
        // A missing input is reported before there is output.
        assert_eq!(done.stdout.is_empty(), code == 2 || inputs == [&bad]);
    }
    convert([folder.path()], b"").failed(&["is a folder"]);
    convert(["-", "-"], b"").failed(&["only once"]);
    assert_eq!(run(&mut gridmill(["nonsense"]), b"").code, Some(2));
    assert_eq!(run(&mut gridmill([""; 0]), b"").code, Some(2));
    assert_eq!(run(&mut gridmill(["convert", "--nonsense"]), b"").code, Some(2));
    assert_eq!(run(&mut gridmill(["convert", "--mmap", "--no-mmap"]), b"").code, Some(2));
}

/// Names are no part of a board: they are left out without a flag, and counted.
#[test]
fn titles_and_authors_need_no_flag_but_are_counted() {
    let named = "N4IgzglgXgpiBcA2ANCALhNAbO8QEEACDbOVAQwFc0ALAewCcEDCwY00YnUBzBiACYIA2sNAA3clkq4AjLwjiYAOwRoGMgL7Jg23Tr2GAusjGGDF/bpNnL5q5psO7dp/fcG3L59aOagA";
    let with_rules = "N4IgzglgXgpiBcA2ANCALhNAbO8QEEACDbOVAQwFc0ALAewCcEDCwY00YnUHKc20zACIQA5pjCE6AO0LlCWCNJiEGENgDoQqUWoAmCANqHQAN3JZKuAIw6IpmNIRpeMAL7JgHr5+9+Ausgmfr6hPl6BwWEh4W6RsdHR8TEpvsmJCRH+bkA==";
    let done = run(&mut gridmill(["convert", "--to", "v2"]), format!("{named}\n").as_bytes());
    assert!(done.text().starts_with("S6B01"), "{done:?}");
    assert!(done.stderr.contains("1 record, 0 rejected, 1 with losses (title 1, author 1)"), "{done:?}");
    // They are left out in strings of the format itself, and kept where records are passed on.
    let again = convert(["--to", "fpuzzles"], named.as_bytes()).good();
    assert_eq!(convert(["--to", "v2"], &[&again[..], b"\n"].concat()).good(), done.stdout);
    let done = run(&mut gridmill(["validate", "-o", "-"]), format!("{named}\n").as_bytes());
    assert_eq!((done.text(), done.code), (format!("{named}\n").as_str(), Some(0)));
    run(&mut gridmill(["canon", "-q", "--form", "puzzle"]), named.as_bytes()).good();
    // With another loss, all are named.
    let done = convert(["--to", "v2"], with_rules.as_bytes());
    assert!(done.stderr.contains("\tlossy\tv2 would lose: rules, title, author; --lossy"), "{done:?}");
}
