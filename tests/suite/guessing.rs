//! Guessing: every string is taken for what it is, or refused.

mod apart;
mod beside;
mod companions;
mod dressed;
mod everyday;
mod framings;
mod hidden;
mod matrix;
mod unknown;

use gridmill::error::{Code, Reject};
use gridmill::formats::{DecodedString, Evidence, Format, Hints, read_one, write_one};
use gridmill::framing::Links;

use crate::random::Rng;
use crate::support::{convert, recode, v2};

/// Reads a string as an input of its own.
fn read(text: &str, from: Option<Format>) -> Result<DecodedString, Reject> {
    read_one(text.as_bytes(), from, &Hints::default(), &Evidence::default())
}

/// The guessed format of a string and its board in version 2, or the code of the refusal.
fn taken(text: &str, from: Option<Format>) -> Result<(Format, String), Code> {
    let one = read(text, from).map_err(|reject| reject.code)?;
    Ok((one.form.id, write_one(&one.batch, 0, Format::V2).expect("version 2 holds everything")))
}

/// 81 digits up to 9, including 0.
fn digits(rng: &mut Rng) -> [usize; 81] {
    std::array::from_fn(|_| rng.below(10))
}

fn list(numbers: &[usize], between: &str) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(between)
}

#[test]
fn lists_of_digits_are_plain_and_of_masks_v0() {
    let mut rng = Rng(9);
    for _ in 0..200 {
        let digits = digits(&mut rng);
        let plain = taken(&list(&digits, ""), None).expect("81 digits");
        for text in
            [list(&digits, ","), list(&digits, ", "), format!("9:{}", list(&digits, ",")), list(&digits, ",   ")]
        {
            assert_eq!(taken(&text, None).as_ref(), Ok(&plain), "{text}");
            assert_eq!(taken(&text, Some(Format::Plain)).as_ref(), Ok(&plain), "{text}");
            assert_eq!(recode(&text, Format::Plain), list(&digits, ""));
        }
        // The user says that they are masks, or one of them shows it.
        let masks = list(&digits, ",");
        let v0 = taken(&masks, Some(Format::V0)).expect("masks");
        assert!(v0.0 == Format::V0 && v0.1 != plain.1);
        let mut larger = digits;
        let number = *rng.pick(&[10, 32, 64, 100, 321, 511]);
        larger[rng.below(81)] = number;
        let larger = list(&larger, ",");
        let v0 = taken(&larger, Some(Format::V0)).expect("masks");
        // Without an 8 and a 9 on the whole board, they are rather numbers of cages.
        assert_eq!(taken(&larger, None), if number < 100 { Err(Code::Ambiguous) } else { Ok(v0) });
        assert_eq!(taken(&larger, Some(Format::Plain)), Err(Code::Range));
    }
}

#[test]
fn lists_that_are_not_quite_lists_are_refused() {
    let digits: Vec<String> = (0..81).map(|i| (i % 10).to_string()).collect();
    let with = |i: usize, value: &str| {
        let mut digits = digits.clone();
        digits[i] = value.to_string();
        digits.join(",")
    };
    for (text, code) in [
        (with(4, ""), Code::Digit),
        (with(0, " 1"), Code::Digit),
        (with(7, "7 "), Code::Digit),
        (with(80, "x"), Code::Digit),
        (with(3, "03"), Code::Digit),
        (with(0, "9:9:5"), Code::Digit),
        (with(0, "8:5"), Code::Digit),
        (with(0, "9: 5"), Code::Digit),
        // Numbers after a comma are masks, but none of these shows it.
        (with(0, ""), Code::Ambiguous),
        (format!(",{}", digits.join(",")), Code::Ambiguous),
        (digits[1..].join(","), Code::Length),
        // The length of v1.
        (format!("{},", digits.join(",")), Code::Digit),
    ] {
        assert_eq!(taken(&text, None), Err(code), "{text}");
    }
    let reject = read(&with(0, ""), None).expect_err("refused");
    assert!(reject.message.contains("v0") && reject.message.contains("plain"), "{reject}");
    assert!(reject.message.contains("--from v0"), "{reject}");
    assert_eq!(taken(&with(0, ""), Some(Format::V0)), taken(&with(0, "0"), Some(Format::V0)));
}

#[test]
fn masks_after_a_comma() {
    let mut rng = Rng(10);
    for _ in 0..100 {
        let mut masks: Vec<usize> = (0..81).map(|_| rng.below(512)).collect();
        masks[80] |= 16;
        let (all, after_the_first) = (list(&masks, ","), list(&masks[1..], ","));
        assert_eq!(taken(&format!(",{all}"), None), taken(&all, None));
        assert_eq!(taken(&format!(",{after_the_first}"), None), taken(&format!("0,{after_the_first}"), None));
        assert_eq!(taken(&format!(",,{after_the_first}"), None), Err(Code::Digit));
    }
}

#[test]
fn masks_that_can_be_something_else() {
    let candidates = |rng: &mut Rng| {
        let set = (1..10).filter(|_| rng.once_in(3)).map(|digit| digit.to_string()).collect::<String>();
        if set.is_empty() || set.len() > 3 || set.starts_with(['5', '6', '7', '8']) { "9".to_string() } else { set }
    };
    let mut rng = Rng(13);
    for _ in 0..100 {
        let mut cells: Vec<String> = (0..81).map(|_| candidates(&mut rng)).collect();
        cells[7] = "138".into();
        let reject = read(&cells.join(","), None).expect_err("refused");
        assert!(reject.code == Code::Ambiguous && reject.message.contains("--from v0"), "{reject}");
        assert!(taken(&cells.join(","), Some(Format::V0)).is_ok());
        // A mask that is not ascending digits, such as those of 6 and 7 alone.
        cells[8] = "64".into();
        assert_eq!(taken(&cells.join(","), None).map(|(id, _)| id), Ok(Format::V0));
    }
    for first in [0, 1, 300] {
        let counted: Vec<usize> = (first..first + 81).collect();
        assert_eq!(taken(&list(&counted, ","), None), Err(Code::Ambiguous));
    }
}

#[test]
fn lists_of_digits_in_a_file() {
    let mut rng = Rng(11);
    let digits: Vec<[usize; 81]> = (0..300).map(|_| digits(&mut rng)).collect();
    let mut line = |digits: &[usize; 81], between: &[&str]| {
        let between = rng.pick(between);
        list(digits, between) + "\n"
    };
    let mut lines = |between| digits.iter().map(|digits| line(digits, between)).collect::<String>();
    let plain = lines(&[""]);
    let v2 = convert([""; 0], plain.as_bytes()).good();
    let mixed = lines(&[",", ", ", "", ",  "]);
    assert!(convert([""; 0], mixed.as_bytes()).good() == v2);
    assert!(convert(["--from", "plain"], mixed.as_bytes()).good() == v2);
    assert_eq!(String::from_utf8(convert(["--to", "plain"], mixed.as_bytes()).good()).as_deref(), Ok(&*plain));
}

#[test]
fn numbers_in_links_are_masks() {
    let mut rng = Rng(12);
    let small = list(&digits(&mut rng), ",");
    let masks: Vec<usize> = (0..81).map(|cell| if cell == 40 { 511 } else { rng.below(512) }).collect();
    let link = |query: &str| format!("see https://www.sudokuwiki.org/sudoku.htm?{query} here");
    let v0 = |text: &str| taken(text, Some(Format::V0)).expect("masks").1;
    for (before, after) in [
        (format!("n={small}"), format!("bd={}", v0(&small))),
        (format!("n={}", list(&masks, ",")), format!("bd={}", v0(&list(&masks, ",")))),
        (format!("bd={}", list(&masks, "%2C")), format!("bd={}", v0(&list(&masks, ",")))),
        (format!("bd=,{}", list(&masks[1..], ",")), format!("bd={}", v0(&format!("0,{}", list(&masks[1..], ","))))),
        (format!("bd=,{}", list(&masks, ",")), format!("bd={}", v0(&list(&masks, ",")))),
    ] {
        let done = Links::default().text(link(&before).as_bytes());
        let new = done.text.map(|text| String::from_utf8(text).expect("text"));
        assert_eq!((new, done.left), (Some(link(&after)), vec![]), "{before}");
    }
    // `bd` has digits as well as masks, and these could be either.
    for plain in [false, true] {
        let done = Links { plain, ..Links::default() }.text(link(&format!("bd={small}")).as_bytes());
        assert!(done.text.is_none() && done.left.len() == 1, "{done:?}");
        assert!(done.left[0].reject.message.contains("digits or masks"), "{done:?}");
    }
}

/// The advice for a line, and the flags with which it is then read; `None` if flags do not suffice.
fn advised(board: &str) -> Vec<(String, &'static str, &'static [&'static str])> {
    let solution = "6".repeat(81);
    vec![
        (
            format!("{board},{solution}"),
            "--framing csv --column 1, and --no-header if",
            &["csv", "--column", "1", "--no-header"],
        ),
        (
            format!("12,\"{board}\",x"),
            "--framing csv --column 2, and --no-header if",
            &["csv", "--column", "2", "--no-header"],
        ),
        (
            format!("7\t{board}"),
            "--framing tsv --column 2, and --no-header if",
            &["tsv", "--column", "2", "--no-header"],
        ),
        (format!("{board} # easy, from a book"), "--framing words --column 1", &["words", "--column", "1"]),
        (format!("0000183b305c {board} 1.2"), "--framing words --column 2", &["words", "--column", "2"]),
        (format!("{{\"board\":\"{board}\"}}"), "--framing jsonl --field /", &["jsonl", "--field", "/board"]),
        (format!("https://www.sudokuwiki.org/sudoku.htm?bd={board}"), "--framing links", &["links"]),
        (
            format!(":0000:x:{board}:r1c1:::"),
            "--framing csv --delimiter ':' --column 4",
            &["csv", "--delimiter", ":", "--column", "4", "--no-header"],
        ),
        (format!("bd={board}"), "what follows the '='", &[]),
        (format!("{board}\r{board}\r{board}"), "carriage returns", &[]),
        (format!("{board}\r{board}\r").repeat(500), "carriage returns", &[]),
        (format!(" {board} "), "space", &[]),
        (format!("x\n\u{feff}{board}"), "byte order mark", &[]),
        (format!("{board}{}", &board[..81].replace('.', "4")), "split it", &[]),
        ("123456789".repeat(80), "720", &[]),
    ]
}

#[test]
fn a_refusal_says_what_would_read_the_line() {
    let board = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
    for (line, advice, flags) in advised(board) {
        let refused = convert([""; 0], line.as_bytes());
        assert!(refused.code == Some(1) && refused.stderr.contains(advice), "{line}: {}", refused.stderr);
        if !flags.is_empty() {
            let done = convert([&["--framing"], flags].concat(), format!("{line}\n").as_bytes()).good();
            let text = String::from_utf8(done).expect("text");
            assert_eq!(text, format!("{}\n", line.replace(board, &recode(board, Format::V2))));
        }
    }
    // Every second string of decimal digits is well-formed offset32 by chance.
    let digits = convert([""; 0], board.repeat(2).as_bytes());
    assert!(!digits.stderr.contains("offset32"), "{}", digits.stderr);
    let lines = "a line that is nothing known\n12345\nS9B00\n";
    let refused = convert([""; 0], lines.as_bytes());
    assert!(!refused.stderr.contains("--framing"), "{}", refused.stderr);
}

#[test]
fn a_wolfram_string_that_begins_like_a_comment_is_one() {
    let lines = [
        ("##UKclVs5zb9qAK1N7XiSZFxe45RDwsC#YCViD7xlsbC", "4078".to_string() + &"0".repeat(77)),
        ("##pD4C2qZKYWac2LLYv0lf#EXWlRHIKqkfxvPC", "0".repeat(11) + "4125" + &"0".repeat(66)),
    ];
    for (line, clues) in lines {
        assert_eq!(convert([""; 0], line.as_bytes()).good(), recode(&clues, Format::V2).as_bytes());
        // If the user names another format, these are comments.
        assert_eq!(convert(["--from", "v1"], line.as_bytes()).good(), line.as_bytes());
    }
    let comments: String = (1..80).map(|count| format!("{}\n", "#".repeat(count))).collect();
    let comments =
        comments + "## Puzzles of the week, taken from somewhere $\n##0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabc\n";
    assert_eq!(convert([""; 0], comments.as_bytes()).good(), comments.as_bytes());
}

#[test]
fn a_line_drawn_between_boards_is_no_board() {
    let board = format!("5{}", "-".repeat(80));
    for sign in ["-", "_", "*", "x", "X", "?", "-x", ".--------------------------."] {
        let line = &sign.repeat(81)[..81];
        let done = convert([""; 0], format!("{board}\n{line}\n{board}\n").as_bytes());
        assert_eq!((done.code, done.stdout.iter().filter(|&&byte| byte == b'\n').count()), (Some(1), 2), "{line}");
        assert!(
            done.stderr.contains("\t2\t82\t-\tambiguous\t") && done.stderr.contains("--from plain"),
            "{}",
            done.stderr
        );
        assert_eq!(convert(["--from", "plain"], line.as_bytes()).good(), v2(&".".repeat(81)).as_bytes());
    }
    for blank in [".", "0"] {
        assert_eq!(convert([""; 0], blank.repeat(81).as_bytes()).good(), v2(&".".repeat(81)).as_bytes());
    }
}
