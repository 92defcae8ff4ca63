//! Whoever follows the advice of a refusal gets a board, not another refusal.

use crate::support::{PLAIN, boards, gridmill, recode, run, shell};
use gridmill::formats::Format;

/// The flags after `start` in a message, as they are typed, as far as they follow each other.
fn flags(message: &str, start: usize) -> String {
    let mut flags = Vec::new();
    let mut rest = message[start..].split_inclusive(' ');
    while let Some(flag) = rest.next() {
        let bare = flag.trim_end().trim_end_matches([';', ',', ')', '.', '\'']);
        match bare {
            "--framing" | "--column" | "--field" | "--delimiter" | "--from" => {
                let mut value = String::new();
                // A value in quotes may contain spaces.
                while value.is_empty() || value.starts_with('\'') && value.matches('\'').count() < 2 {
                    value.push_str(rest.next().expect("a value"));
                }
                let end = match value.strip_prefix('\'') {
                    Some(quoted) => quoted.find('\'').expect("a quote") + 2,
                    None => value.find([';', ',', ')', '\'', '\n', ' ']).unwrap_or(value.len()),
                };
                flags.push(format!("{bare} {}", &value[..end]));
                if value[end..].starts_with(';') {
                    break;
                }
            }
            "--no-header" => flags.push("--no-header".to_string()),
            _ => break,
        }
    }
    flags.join(" ")
}

/// The arguments without a flag and its value.
fn without(args: &[&str], flag: &str) -> String {
    let at = args.iter().position(|arg| *arg == flag);
    let is_kept = |place: &usize| at.is_none_or(|at| *place != at && *place != at + 1);
    (0..args.len()).filter(is_kept).map(|at| args[at]).collect::<Vec<_>>().join(" ")
}

/// Every command that a message proposes to somebody who typed `args`, for the shell. One with a NAME is left out, which only its
/// user knows.
fn commands(message: &str, args: &[&str]) -> Vec<String> {
    const CONVERT: &str = "$G convert -q";
    // Parts of a line that get something around them, and what must then be typed.
    if message.contains(":0000:x: before it and ::: after it") {
        return vec![format!("sed 's/^/:0000:x:/; s/$/:::/' | {CONVERT} --framing grid")];
    }
    let mut commands = Vec::new();
    for (at, _) in message.match_indices("--framing ") {
        let (before, flags) = (&message[..at], flags(message, at));
        if before.ends_with("without ") {
            commands.push(format!("{CONVERT} {}", without(args, "--framing")));
        } else if !before.ends_with("instead of ") && !flags.contains("NAME") {
            let takes_header = flags.contains(" csv") || flags.contains(" tsv");
            let header = if takes_header && message.contains("--no-header if") { "--no-header" } else { "" };
            commands.push(format!("{CONVERT} {flags} {header}"));
        }
    }
    if message.contains("leave out --from") {
        commands.push(format!("{CONVERT} {}", without(args, "--from")));
    }
    for (at, _) in message.match_indices("use --from ") {
        commands.push(format!("{CONVERT} {} {}", without(args, "--from"), flags(message, at + 4)));
    }
    for (quote, tool) in ["grep ", "tr ", "sed ", "perl ", "iconv "].iter().flat_map(|tool| [('"', tool), ('\'', tool)])
    {
        for (at, _) in message.match_indices(&format!("{quote}{tool}")) {
            let pipe = message[at + 1..].split(quote).next().expect("a command");
            commands.push(format!("{pipe} | {CONVERT}"));
        }
    }
    commands
}

/// Runs a command with the same input, and checks that a board of side 6, 9 or 16 is read and nothing refused.
fn follow(command: &str, message: &str, input: &str) {
    let done = run(&mut shell(command), input.as_bytes());
    let has_board =
        done.text().split(|c: char| !c.is_ascii_alphanumeric()).any(|word| [75, 165, 1027].contains(&word.len()));
    assert!(done.code == Some(0) && has_board, "{command} for {input:?}, after {message:?}: {done:?}");
}

/// The messages about records, and those of the run.
fn messages(args: &[&str], input: &str) -> Vec<String> {
    let done = run(crate::support::program().arg("convert").args(args), input.as_bytes());
    assert_ne!(done.code, Some(0), "{args:?} {input:?}");
    let field = |line: &str| line.split('\t').nth(5).unwrap_or(line).to_string();
    done.stderr.lines().map(field).collect()
}

/// A board in each of several formats.
fn board(format: &str) -> String {
    let made = String::from_utf8(boards(format, 1, 7)).expect("text");
    made.trim_end().to_string()
}

/// Arguments and an input that is refused, and how many commands the messages must propose at least.
fn samples() -> Vec<(Vec<&'static str>, String, usize)> {
    let p = PLAIN;
    let v2 = recode(p, Format::V2);
    let v1 = board("v1");
    let placed = p.replacen("69", "+6+9", 3);
    let points = p.replace('0', ".");
    let rows = |between: &str| (0..9).map(|row| &p[row * 9..][..9]).collect::<Vec<_>>().join(between);
    let mut all = Vec::new();
    let lines = [
        (format!("{p},{p}"), 1),
        (format!("1\t{p}"), 1),
        (format!("7;\"{p}\";x"), 1),
        (format!("{p}|hard"), 1),
        (format!("{p}:1:{}", "1".repeat(81)), 1),
        (format!("{p} # hard"), 1),
        (format!("0000183b305c {p} 1.2"), 1),
        (format!("  {p} "), 1),
        (format!("\"{p}\""), 1),
        (format!("{{\"id\":1,\"a\":{{\"b/c\":\"{p}\"}}}}"), 1),
        (format!("{{\"id\":1,\"the board\":\"{v2}\"}}"), 1),
        (format!(":0361:4:{points}:r1c1:::"), 1),
        (placed, 1),
        (rows("/"), 1),
        (rows(";"), 1),
        (rows("."), 1),
        (format!("https://www.sudokuwiki.org/sudoku.htm?bd={v1}"), 1),
        (format!("see [x](https://www.sudokuwiki.org/sudoku.htm?bd={p})"), 1),
        (format!("<onegravitysudoku version=\"1\"><sudoku data=\"{p}\"/></onegravitysudoku>"), 1),
        ("https://www.sudokuwiki.org/sudoku.htm".into(), 0),
        ("https://sudokupad.app/wsj7iunsg6".into(), 0),
        (format!("={p}"), 0),
        (format!("'{p}"), 0),
        (p[1..].to_string(), 0),
        ("4.00004E+75".into(), 0),
        ("{\"a\":1}".into(), 0),
        (format!("{p}{p}"), 0),
        ("3x3::k:2561:2561:2561".into(), 0),
        (of_signs("123456", 36), 0),
        (of_signs("123456789ABCDEFG", 256), 0),
    ];
    for (line, least) in lines {
        all.push((vec![], format!("{line}\n"), least));
    }
    for line in [format!("\"{v2}\""), format!("{v2},1"), format!("  {v2}"), v1.clone(), v2.clone()] {
        all.push((vec!["--framing", "grid"], format!("{line}\n"), 1));
    }
    for (from, line) in [
        ("v1", p),
        ("v2", p),
        ("offset32", p),
        ("plain", &v2),
        ("plain", &v1),
        ("v0", &v2),
        ("v2", &v1),
        ("wolfram", &v2),
    ] {
        all.push((vec!["--from", from], format!("{line}\n"), 2));
    }
    let table = ["--framing", "csv", "--column", "2", "--no-header"];
    for field in [format!(" {p}"), format!("=\"\"{p}\"\""), p[2..].to_string(), format!("{p};1")] {
        all.push((table.to_vec(), format!("1,\"{field}\"\n"), 0));
    }
    all
}

/// Signs of an alphabet and points.
fn of_signs(alphabet: &str, count: usize) -> String {
    let signs: Vec<char> = alphabet.chars().collect();
    (0..count).map(|at| if at % 3 == 0 { signs[at * 7 % signs.len()] } else { '.' }).collect()
}

#[test]
fn advice_that_is_followed_reads_the_board() {
    for (args, input, least) in samples() {
        let mut proposed = 0;
        for message in messages(&args, &input) {
            for command in commands(&message, &args) {
                proposed += 1;
                follow(&command, &message, &input);
            }
        }
        assert!(proposed >= least, "{args:?} {input:?}: {:?}", messages(&args, &input));
    }
}

#[test]
fn fields_get_no_advice_about_lines() {
    for framing in ["csv", "tsv", "words"] {
        let field = if framing == "words" { format!("\"{PLAIN}\"") } else { format!(" {PLAIN}") };
        let input = format!("1\t{field}\n").replace('\t', if framing == "csv" { "," } else { "\t" });
        let mut args = vec!["--framing", framing, "--column", "2"];
        args.extend((framing != "words").then_some("--no-header"));
        let refused = messages(&args, &input).concat();
        assert!(refused.contains("remove them") && !refused.contains("--framing"), "{refused}");
    }
    let quoted = format!("1\t\"{PLAIN}\"\n");
    let refused = messages(&["--framing", "tsv", "--column", "2", "--no-header"], &quoted).concat();
    assert!(refused.contains("--framing csv --delimiter tab instead of --framing tsv"), "{refused}");
}

/// What `gen` suggests for a format that cannot hold its boards works, and what it leaves out would not.
#[test]
fn what_gen_suggests_works() {
    let (mut suggested, mut left_out) = (0, 0);
    for format in ["v0", "plain", "pencilmarks", "wolfram", "ps-killer", "link"] {
        for kind in ["sudoku", "jigsaw", "killer", "str8ts"] {
            let made = |more: &[&str]| {
                let flags = ["gen", "-q", "--count", "3", "--format", format, "--kind", kind];
                run(&mut gridmill([&flags[..], more].concat()), b"")
            };
            let refused = made(&[]);
            let Some((_, ways)) = refused.stderr.split_once("; use ") else { continue };
            let both: [&[&str]; 2] = [&["--mix", "clues"], &["--lossy"]];
            for way in both {
                let is_suggested = ways.contains(way[0]);
                assert_eq!(made(way).code == Some(0), is_suggested, "{format} {kind} {way:?}: {}", refused.stderr);
                (suggested, left_out) = (suggested + usize::from(is_suggested), left_out + usize::from(!is_suggested));
            }
        }
    }
    assert!(suggested > 10 && left_out > 10, "{suggested} {left_out}");
}
