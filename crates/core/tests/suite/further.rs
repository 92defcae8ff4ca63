use gridmill_core::formats::{Evidence, Format, Hints, Within, file_puzzles, read_one};

/// What is said about a string of this format that is refused.
fn refusal(format: Format, text: &str) -> String {
    match read_one(text.as_bytes(), Some(format), &Hints::default(), &Evidence::default()) {
        Ok(_) => panic!("read: {text}"),
        Err(reject) => format!("{}: {}", reject.code, reject.message),
    }
}

fn is_read(format: Format, text: &str) -> bool {
    read_one(text.as_bytes(), Some(format), &Hints::default(), &Evidence::default()).is_ok()
}

/// A puzzle of KSudoku.
fn ksudoku(graph: &str, side: usize, after: &str) -> String {
    let values = "_".repeat(side * side);
    format!(
        "<ksudoku><game><puzzle><graph order=\"{side}\" {graph}</graph><values>{values}</values></puzzle>{after}</game></ksudoku>"
    )
}

const MATHDOKU: &str = "type=\"custom\" specific-type=\"Mathdoku\">";
const CAGES: &str = "<cage operator=\"4\" value=\"3\">0 3</cage><cage operator=\"0\" value=\"2\">6</cage>\
    <cage operator=\"1\" value=\"2\">1 2</cage><cage operator=\"3\" value=\"18\">4 5 7 8</cage>";

#[test]
fn a_kenken_has_cages() {
    assert!(is_read(Format::Ksudoku, &ksudoku(&format!("{MATHDOKU}{CAGES}"), 3, "")));
    for graph in [
        "",
        "<sudokugroups at=\"0\" withblocks=\"1\"/>",
        "<clique>0 1 3</clique><clique>2 4 5</clique><clique>6 7 8</clique>",
    ] {
        let refusal = refusal(Format::Ksudoku, &ksudoku(&format!("{MATHDOKU}{graph}"), 3, ""));
        assert!(refusal.contains("cages without a clue"), "{refusal}");
    }
}

#[test]
fn comments_do_not_end_a_cage() {
    let sudoku =
        |clique: &str| ksudoku(&format!("type=\"sudoku\"><cage operator=\"4\" value=\"6\">{clique}</cage>"), 9, "");
    let board = |cells: &str| {
        let text = sudoku(cells);
        let read = read_one(text.as_bytes(), Some(Format::Ksudoku), &Hints::default(), &Evidence::default());
        read.unwrap_or_else(|reject| panic!("{text}: {reject}")).batch
    };
    let plain = board("0 1 2");
    for cells in ["0 1<!-- c --> 2", "0 1<![CDATA[ 2]]>", "<!-- c -->0<?c?> 1 2"] {
        assert_eq!(board(cells).contents(), plain.contents(), "{cells}");
        assert_eq!(board(cells).colours(), plain.colours(), "{cells}");
    }
}

#[test]
fn killers_of_ksudoku_have_sums() {
    let killer = |operator: u8| {
        ksudoku(&format!("type=\"sudoku\"><cage operator=\"{operator}\" value=\"12\">0 1</cage>"), 9, "")
    };
    for operator in 0..=4 {
        match operator {
            0 | 4 => assert!(is_read(Format::Ksudoku, &killer(operator))),
            _ => assert!(refusal(Format::Ksudoku, &killer(operator)).contains("operators")),
        }
    }
}

#[test]
fn saved_games_of_ksudoku_with_moves_are_refused() {
    let game = |after: &str| ksudoku("type=\"sudoku\">", 9, after);
    assert!(is_read(Format::Ksudoku, &game("<history position=\"0\"></history>")));
    assert!(is_read(Format::Ksudoku, &game("<history position=\"0\"/>")));
    let refused = refusal(Format::Ksudoku, &game("<history><simple index=\"3\" before=\"0\" after=\"2\"/></history>"));
    assert!(refused.contains("moves"), "{refused}");
    let whole = game("");
    for (text, part) in [
        (whole.replace("<values>", "<values>_</values><values>"), "two elements values"),
        (whole.replace("<graph", "<graph order=\"9\" type=\"sudoku\"/><graph"), "two elements graph"),
        (whole.replace("</ksudoku>", ""), "</ksudoku>"),
        (format!("{whole} more"), "</ksudoku>"),
    ] {
        let refused = refusal(Format::Ksudoku, &text);
        assert!(refused.contains(part), "{text}: {refused}");
    }
}

#[test]
fn games_of_gnome_sudoku_are_read_as_a_whole() {
    let game = |more: &str, cells: &str| {
        format!("{{\"difficulty_category\":\"easy\",\"time_elapsed\":1.5,{more}\"cells\":[{cells}]}}")
    };
    let cell = |more: &str| format!("{{\"position\":[0,4],\"value\":1,\"fixed\":true,\"earmarks\":[]{more}}}");
    let plain = cell("");
    assert!(is_read(Format::GnomeSudoku, &game("", &plain)));
    assert!(is_read(Format::GnomeSudoku, &game("\"killer\":[],", &cell(",\"colour\":null"))));
    for (text, part) in [
        (game("\"killer\":[1],", &plain), "unknown: killer"),
        (game("", &cell(",\"colour\":3")), "unknown: colour"),
        (game("", &format!("{plain},{}", cell("").replace("1,", "2,"))), "two cells"),
        (game("", &plain.replace("[]", "{\"1\":true}")), "no list"),
        (game("", &plain.replace("[]", "7")), "no list"),
    ] {
        let refused = refusal(Format::GnomeSudoku, &text);
        assert!(refused.contains(part), "{text}: {refused}");
    }
}

#[test]
fn nothing_follows_a_saved_game() {
    let game = "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nVERSION :1:1\nGAME    :4:Solo\nPARAMS  :3:3x3\nDESC    :4:zzzc\nNSTATES :1:1\n";
    let string =
        |text: &str| file_puzzles(text.as_bytes()).and_then(|mut puzzles| puzzles.pop()).expect("a game").string;
    assert_eq!(string(game).as_deref(), Ok(&b"3x3:zzzc"[..]));
    for after in ["more", "MOVE    :1", "MOVE    :9:R"] {
        assert!(string(&format!("{game}{after}")).is_err(), "{after}");
    }
}

/// What is said about a line that is refused, of which nothing is known.
fn refusal_of_line(line: &str) -> String {
    let hints = Hints { within: Within::Line, ..Hints::default() };
    read_one(line.as_bytes(), None, &hints, &Evidence::default()).expect_err(line).message.to_string()
}

#[test]
fn lines_of_hodoku_that_are_cut_off_are_called_so() {
    let board = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
    for line in
        [format!(":0000:x:{board}"), format!(":0000:x:{board}:"), format!(":0000:x:{}::", board.replacen('7', "+7", 1))]
    {
        let words = refusal_of_line(&line);
        assert!(words.contains("a line of a HoDoKu library has six or seven colons"), "{line}: {words}");
        assert!(!words.contains("--column"), "{line}: {words}");
    }
    let words = refusal_of_line(&format!("1:x:{board}"));
    assert!(words.contains("--delimiter ':' --column 3"), "{words}");
}

#[test]
fn digests_have_no_header() {
    for begin in ["c9b0", "b9c0", "d6c0", "C4A0"] {
        for length in [32, 40, 64] {
            let words =
                refusal_of_line(&format!("{begin}{}", &"44298fc1c149afbf4c8996fb92427ae4".repeat(2)[..length - 4]));
            assert!(!words.contains("header"), "{begin} {length}: {words}");
        }
    }
    let words = refusal_of_line(&format!("c9b0{}g", &"44298fc1c149afbf4c8996fb92427ae4".repeat(2)[..59]));
    assert!(words.contains("after the header c9b"), "{words}");
}

#[test]
fn files_of_sudoku_solver() {
    let cell = |x: &str, y: &str, value: &str, origin: &str| {
        format!("<Cell>\n<x>{x}</x><y>{y}</y>\n<value>{value}</value><origin>{origin}</origin></Cell>\n")
    };
    let file = |version: &str, cells: &str| {
        format!("<?xml version=\"1.0\"?>\n<Sudoku version=\"{version}\">{cells}</Sudoku>\n")
    };
    let string = |text: &str| {
        let string = file_puzzles(text.as_bytes()).expect("a file").pop().expect("a puzzle").string;
        string.map(|string| String::from_utf8(string).expect("text")).map_err(|reject| reject.message.to_string())
    };
    let cells = cell("0", "0", "5", "User") + &cell("8", "0", "3", "Provided") + &cell("0", "1", "6", "Calculated");
    let expected = format!(":0000:x:5.......3+6{}:::", ".".repeat(71));
    assert_eq!(string(&file("1", &cells)), Ok(expected.clone()));
    assert_eq!(string(&file("2", &cells)), Ok(expected.clone()));
    assert!(is_read(Format::Hodoku, &expected));
    let empty = Ok(format!(":0000:x:{}:::", ".".repeat(81)));
    assert_eq!(string(&file("2", "")), empty);
    assert_eq!(string("<Sudoku version=\"2\" />"), empty);
    for (text, part) in [
        (file("3", &cells), "a file of version 3"),
        (file("2", &(cells.clone() + &cells)), "twice"),
        (file("2", &cell("9", "0", "5", "User")), "a cell is not"),
        (file("2", &cell("0", "0", "0", "User")), "a cell is not"),
        (file("2", &cell("0", "0", "5", "NotDefined")), "a cell is not"),
        (file("2", "<Cell><x>1</x></Cell>"), "a cell is not"),
        (file("2", "<Cage/>"), "unknown: Cage"),
    ] {
        assert!(string(&text).is_err_and(|words| words.contains(part)), "{text}");
    }
    let whole = file("2", &cells);
    for end in whole.find("version=\"2\"").expect("a version") + 12..whole.trim_end().len() {
        assert!(string(&whole[..end]).is_err(), "{end}");
    }
    assert_eq!(file_puzzles(b"<Sudoku><Cell x=\"0\"/></Sudoku>"), None);
}
