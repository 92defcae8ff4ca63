use gridmill::kernels;
use serde_json::Value;

use crate::support::{PLAIN, convert, gridmill, program, run, v2};

/// Values that are invalid for every numeric flag, each with words that the message may use.
const NO_NUMBERS: [&str; 9] =
    ["-1", "", "x", "1.5", "1e3", " 1", "0x10", "99999999999999999999999999", "-99999999999999999999"];

#[test]
fn numbers_out_of_range_are_refused_with_the_flag_and_the_range() {
    for (command, flag, bad, good, range) in [
        ("convert", "--threads", &["1025", "65536", "4294967296"][..], &["0", "1", "1024"][..], "0..=1024"),
        ("convert", "-j", &["1025", "65536"], &["0", "3"], "0..=1024"),
        ("convert", "--zstd", &["0", "23", "2147483648"], &["1", "22"], "1..=22"),
        ("gen", "--threads", &["1025"], &["1"], "0..=1024"),
        ("gen", "--zstd", &["0", "23"], &["1"], "1..=22"),
        ("gen", "--side", &["0", "1", "2", "7.5", "10", "26", "255", "257", "65545"], &["6", "9"], "16"),
        ("gen", "--count", &["18446744073709551616"], &["0", "3"], ""),
        ("gen", "--seed", &["18446744073709551616"], &["0", "18446744073709551615"], ""),
        ("bench", "--size", &["0", "4097", "65536"], &[], "1..=4096"),
        ("bench", "--runs", &["0", "1001", "65536"], &[], "1..=1000"),
        ("bench", "-j", &["1025"], &[], "0..=1024"),
    ] {
        let typed = |value: &str| match flag {
            "-j" => format!("-j{value}"),
            _ => format!("{flag}={value}"),
        };
        for value in bad.iter().chain(&NO_NUMBERS) {
            let done = run(&mut gridmill([command, &typed(value)]), b"");
            // In an attached short flag an empty value is missing.
            let name = if flag == "-j" { "--threads" } else { flag };
            done.failed(&[name]);
            let done = run(&mut gridmill([command, &typed(value)]), b"");
            let out_of_range = value.parse::<i64>().is_ok();
            assert!(!out_of_range || done.stderr.contains(range), "{command} {flag} {value}: {}", done.stderr);
            assert!(done.stdout.is_empty());
        }
        for value in good {
            let done = run(
                program().args([command, &typed(value)]).args(if command == "gen" {
                    &["-q", "--no-sync"][..]
                } else {
                    &[]
                }),
                b"",
            );
            assert_eq!(done.code, Some(0), "{command} {flag} {value}: {}", done.stderr);
        }
    }
    // A separate negative number is a value, and not a flag.
    for flag in ["--threads", "-j", "--count", "--seed", "--side"] {
        run(&mut gridmill(["gen", flag, "-1"]), b"").failed(&["-1", "invalid value"]);
    }
}

#[test]
fn names_that_are_not_known_are_answered_with_those_that_are() {
    for (arguments, words) in [
        (&["convert", "--to", "v3"][..], &["v3", "plain", "v0", "v1", "offset32", "v2"][..]),
        (&["convert", "--from", "v3"], &["v3", "auto", "plain", "v2"]),
        (&["convert", "--from", ""], &["auto"]),
        (&["convert", "--kind", "chess"], &["chess", "sudoku", "kenken"]),
        (&["convert", "--bad", "ignore"], &["ignore", "reject", "keep", "stop"]),
        (&["convert", "--notes", "some"], &["some", "keep", "none", "full", "auto"]),
        (&["gen", "--mix", "some"], &["some", "clues", "progress", "solved"]),
        (&["gen", "--format", "auto"], &["auto", "plain", "v2"]),
        (&["gen", "--kind", "windoku", "--format", "v1", "--count", "1"], &["v1", "variant", "--lossy"]),
        (&["completions", "csh"], &["csh", "bash", "zsh"]),
        (&["man", "nothing"], &["nothing", "convert"]),
        (&["conver"], &["conver", "convert"]),
    ] {
        run(&mut gridmill(arguments), b"").failed(words);
    }
    // Typed control characters do not reach the terminal, even if it has colours.
    for bad in ["\u{1b}]0;x\u{7}", "\u{9b}2J", "\u{202e}"] {
        for arguments in [["convert", "--to", bad], ["man", bad, ""], [bad, "", ""]] {
            let done = run(gridmill(arguments).env("CLICOLOR_FORCE", "1"), b"");
            assert_eq!(done.code, Some(2));
            assert!(!done.stderr.contains(bad), "{:?}", done.stderr);
        }
    }
}

#[cfg(unix)]
#[test]
fn what_is_not_utf_8_is_no_reason_to_panic() {
    use std::os::unix::ffi::OsStrExt;
    let bad = std::ffi::OsStr::from_bytes(b"\xff\x1b");
    for flag in ["--to", "--from", "--kind", "--threads", "--zstd", "--bad"] {
        let mut typed = std::ffi::OsString::from(format!("{flag}="));
        typed.push(bad);
        let done = run(program().arg("convert").arg(typed), b"");
        assert_eq!(done.code, Some(2), "{flag}");
    }
    assert_eq!(run(program().arg(bad), b"").code, Some(2));
    run(program().arg("convert").arg(bad), b"").failed(&["\\xff\\x1b", "No such file"]);
}

#[test]
fn every_kernel_gives_the_same_and_rubbish_is_refused() {
    let text = format!("{PLAIN}\nbad\n{}\n", v2(PLAIN)).repeat(100);
    let expected = convert([""; 0], text.as_bytes());
    let with = |kernel: &str| run(program().args(["convert", "-q"]).env("GRIDMILL_KERNEL", kernel), text.as_bytes());
    let folder = crate::support::Folder::new();
    for kernel in kernels::available() {
        let done = with(kernel.name);
        assert_eq!((done.code, &done.stdout, &done.stderr), (Some(1), &expected.stdout, &expected.stderr));
        let report = folder.at(kernel.name);
        let mut command = gridmill(["convert", "-q", "--report"]);
        run(command.arg(&report).env("GRIDMILL_KERNEL", kernel.name), b"").good();
        let report: Value = serde_json::from_slice(&folder.read(kernel.name)).expect("JSON");
        assert_eq!(report["kernel"], kernel.name);
        let version = run(program().arg("--version").env("GRIDMILL_KERNEL", kernel.name), b"");
        assert!(version.text().contains(&format!("kernel in use: {}", kernel.name)));
    }
    for rubbish in ["rubbish", "AVX2 ", "best", "\u{1b}[2J", "neon"] {
        let done = with(rubbish);
        assert!(!done.stderr.contains('\u{1b}') && done.stdout.is_empty());
        done.failed(&["GRIDMILL_KERNEL", "scalar"]);
        let done = run(gridmill(["gen", "--count=1"]).env("GRIDMILL_KERNEL", rubbish), b"");
        done.failed(&["GRIDMILL_KERNEL"]);
        // Commands that need no kernel work, and the version reports the problem.
        run(program().arg("formats").env("GRIDMILL_KERNEL", rubbish), b"").good();
        let version = run(program().arg("--version").env("GRIDMILL_KERNEL", rubbish), b"");
        assert!(version.code == Some(0) && version.text().contains("kernel in use: none"));
    }
}

#[test]
fn what_is_not_there_yet_says_so() {
    for framing in ["csv", "tsv", "jsonl", "links", "grid"] {
        let done = run(&mut gridmill(["convert", "--framing", framing]), b"x\n");
        assert!(done.code == Some(2) && done.stdout.is_empty() || done.code != Some(2), "{framing}");
    }
    run(&mut gridmill(["convert", "--framing", "yaml"]), b"").failed(&["yaml", "lines"]);
}
