//! Tests of the exported functions: runs in pieces, editing, descriptions.

use serde_json::{Value, json};

use crate::exports::{
    alloc, answer_len, begin, convert, dedupe, detect, edit, feed, find, release, room, show, solve, validate,
};

const V1: &str = "03c848csc4cs1121g10hg005481020024881c8112002c0g1040h485848g0210h4481140350200gs403c4k81448050281k0091120k00gc80h4811s4cck80320g1c810c820020hc805210503cos0cok8s811";
const PLAIN: &str = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";

/// Writes bytes to a buffer, like JavaScript.
fn written(bytes: &[u8]) -> (usize, usize) {
    let address = alloc(bytes.len());
    crate::memory::write(address, bytes);
    (address, bytes.len())
}

type Call = extern "C" fn(usize, usize, usize, usize) -> usize;

/// The JSON of an answer, and its two texts.
fn answered(_: usize) -> (Value, String, String) {
    let [head, text, rows] = crate::exports::answered();
    assert_eq!(head.len(), answer_len());
    let mut head: Value = serde_json::from_str(&head).expect("JSON");
    for (name, part) in [("text", &text), ("rejects", &rows)] {
        let place = head.as_object_mut().and_then(|head| head.remove(name));
        assert_eq!(place.map_or(0, |place| place[1].as_u64().expect("a length") as usize), part.len());
    }
    (head, text, rows)
}

fn called(call: Call, options: &Value, text: &str) -> (Value, String, String) {
    let (options, text) = (written(options.to_string().as_bytes()), written(text.as_bytes()));
    let done = answered(call(options.0, options.1, text.0, text.1));
    release(options.0);
    release(text.0);
    done
}

/// A run with pieces of `size` bytes.
fn in_pieces(options: &Value, text: &str, size: usize) -> (Value, String, String) {
    let asked = written(options.to_string().as_bytes());
    let run = answered(begin(asked.0, asked.1)).0["run"].as_u64().expect("a run") as usize;
    release(asked.0);
    let (mut head, mut new, mut rows, mut listed) = (Value::Null, String::new(), String::new(), Vec::new());
    let mut pieces = text.as_bytes().chunks(size).peekable();
    let mut is_last = false;
    while !is_last {
        let piece = pieces.next().unwrap_or(b"");
        is_last = pieces.peek().is_none();
        assert_ne!(room(run, piece.len() + 3), 0);
        crate::exports::write(run, piece);
        let done = answered(feed(run, piece.len(), is_last));
        listed.extend(done.0["listed"].as_array().unwrap_or_else(|| panic!("{options}: {done:?}")).iter().cloned());
        head = done.0;
        new += &done.1;
        rows += &done.2;
    }
    head["listed"] = listed.into();
    (head, new, rows)
}

#[test]
fn lines_become_what_the_core_makes_of_them() {
    let text = format!("{V1}\r\n# a comment\n\nno string\n{PLAIN}");
    let (head, new, rows) = called(convert, &json!({}), &text);
    let strings: Vec<_> = [V1, PLAIN].map(|string| gridmill_core::convert(string).expect("a string")).into();
    assert_eq!(new, format!("{}\r\n# a comment\n\n{}", strings[0], strings[1]));
    assert_eq!((&head["counts"]["good"], &head["counts"]["rejected"]), (&json!(2), &json!(1)));
    assert_eq!(head["listed"][0]["line"], 4);
    let row = rows.lines().nth(1).expect("a row");
    assert!(row.starts_with("<stdin>\t4\t177\t-\tlength\t") && row.ends_with("\tno string"), "{row}");
}

#[test]
fn pieces_of_every_size_give_the_same() {
    let lines = format!("\u{feff}{V1}\n{PLAIN}\r\nbad\n# comment\n{PLAIN}");
    let table = format!("\u{feff}id,board,\"a\nb\"\n1,{PLAIN},x\n2,\"{V1}\",\"y\n,\"\"z\"\n3,,\n4,bad,q\n");
    let simple = format!("id,board\n{}3,x\n", format!("1,{PLAIN}\n2,{V1}\n").repeat(5));
    let objects = format!("{{\"a\":1,\"bd\":\"{PLAIN}\"}}\n{{\"bd\":\"x\"}}\n{{\"bd\":null}}\n");
    let links = format!(
        "see https://www.sudokuwiki.org/sudoku.htm?bd={V1}&x=1.\nand https://www.sudokuwiki.org/x.htm?bd={V1}\n"
    );
    for (options, text) in [
        (json!({"command": "convert"}), &lines),
        (json!({"command": "convert", "bad": "keep"}), &lines),
        (json!({"command": "validate"}), &lines),
        (json!({"command": "solve", "effort": 100}), &lines),
        (json!({"command": "detect"}), &lines),
        (json!({"command": "convert", "framing": "csv", "column": "board"}), &table),
        (json!({"command": "convert", "framing": "auto"}), &simple),
        (json!({"command": "validate", "framing": "auto"}), &simple),
        (json!({"command": "convert", "framing": "jsonl", "field": "/bd"}), &objects),
        (json!({"command": "convert", "framing": "links"}), &links),
    ] {
        let whole = in_pieces(&options, text, text.len());
        assert!(whole.0["error"].is_null() && whole.0["counts"]["records"].as_u64() > Some(1), "{options}: {whole:?}");
        for size in [1, 2, 3, 7, 64, 100, 500] {
            assert_eq!(in_pieces(&options, text, size), whole, "{options}: pieces of {size}");
        }
    }
}

/// Lines whose messages are far longer than they are come in several answers, since these would not fit in memory at
/// once.
#[test]
fn answers_have_a_limit() {
    let asked = written(json!({"command": "convert"}).to_string().as_bytes());
    let run = answered(begin(asked.0, asked.1)).0["run"].as_u64().expect("a run") as usize;
    let text = "x\n".repeat(200_000);
    crate::exports::write(run, text.as_bytes());
    let (mut answers, mut rows, mut length) = (0, 0, text.len());
    loop {
        let done = answered(feed(run, length, true));
        assert!(done.2.len() < 40 << 20, "{} bytes at once", done.2.len());
        (answers, rows, length) = (answers + 1, rows + done.2.lines().count(), 0);
        if done.0["more"] == false {
            break;
        }
    }
    assert!(answers > 1, "{answers}");
    assert_eq!(rows, 200_001);
    assert!(answered(feed(run, 0, true)).0["error"].is_string());
}

#[test]
fn tables_keep_what_is_not_a_string() {
    let table = format!("id,board,note\n1,{PLAIN},\"a \"\"b\"\"\"\n2,bad,c\n3,,d\n");
    let (head, new, rows) = called(convert, &json!({"framing": "csv", "column": "board"}), &table);
    let v2 = gridmill_core::convert(PLAIN).expect("a string");
    assert_eq!(new, format!("id,board,note\n1,{v2},\"a \"\"b\"\"\"\n3,,d\n"));
    assert_eq!((&head["counts"]["good"], &head["counts"]["without"]), (&json!(1), &json!(1)));
    assert!(rows.contains("\t3\t"), "{rows}");
}

#[test]
fn what_is_wrong_with_a_call_is_said() {
    for (options, words) in [
        (json!({"too": "v1"}), "unknown option 'too'"),
        (json!({"to": "v3"}), "to: no format is named 'v3'"),
        (json!({"lossy": 1}), "lossy must be true or false, not 1"),
        (json!({"framing": "yaml"}), "no framing is named 'yaml'"),
        (json!({"framing": "csv"}), "--column"),
        (json!([]), "the options are not an object"),
    ] {
        let error = called(convert, &options, PLAIN).0["error"].clone();
        assert!(error.as_str().is_some_and(|error| error.contains(words)), "{options}: {error}");
    }
    assert!(answered(convert(1, 2, 3, 4)).0["error"].as_str().is_some_and(|error| error.contains("no buffer")));
    assert_eq!((room(0, 1), room(77, 1)), (0, 0));
    assert!(answered(feed(77, 0, true)).0["error"].as_str().is_some_and(|error| error.contains("no run 77")));
    let asked = written(json!({"command": "convert"}).to_string().as_bytes());
    let run = answered(begin(asked.0, asked.1)).0["run"].as_u64().expect("a run") as usize;
    assert_ne!(room(run, 3), 0);
    assert!(answered(feed(run, 4, true)).0["error"].as_str().is_some_and(|error| error.contains("room for 3 bytes")));
}

#[test]
fn strings_are_recognised_checked_and_solved() {
    assert_eq!(called(detect, &json!({}), &format!("{V1}\nx\n{PLAIN}\n")).1, "v1\tsudoku\t9\t\n\nplain\tsudoku\t9\t\n");
    let double = format!("11{}", &PLAIN[2..]);
    assert_eq!(called(validate, &json!({}), &double).0["counts"]["codes"], json!({"duplicate": 1}));
    let (_, solution, _) = called(solve, &json!({}), PLAIN);
    assert!(solution.starts_with("174385962") && solution.len() == 81, "{solution}");
}

#[test]
fn a_string_is_shown_with_all_that_is_to_be_said_of_it() {
    let (shown, ..) = called(show, &json!({"effort": 1000}), PLAIN);
    assert_eq!((&shown["format"], &shown["kind"]), (&json!("plain"), &json!("sudoku")));
    assert!(shown["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg")));
    assert!(shown["strings"]["v2"].as_str().is_some_and(|v2| v2.starts_with("S9B01")));
    assert!(shown["solved"]["v2"].as_str().is_some_and(|v2| v2.starts_with("S9B01") && v2.len() == 165));
    let wrong = format!("S9B00zz{}", "0".repeat(158));
    let (shown, ..) = called(show, &json!({}), &wrong);
    assert_eq!(
        (&shown["refused"]["cell"], &shown["places"], &shown["wrong"]),
        (&json!("r1c2"), &json!([[5, 7]]), &json!([1]))
    );
    assert!(shown["board"]["cells"].is_array());
}

#[test]
fn strings_are_found_in_what_is_pasted() {
    let grid: String = PLAIN.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect();
    for (text, count) in [
        (PLAIN.to_string(), 1),
        (format!(" {V1}\n"), 1),
        (format!("{V1}\n{PLAIN}\n"), 2),
        (format!("https://www.sudokuwiki.org/sudoku.htm?bd={V1}"), 1),
        (grid, 1),
        (format!("id,bd\n1,{V1}\n"), 1),
        (format!("{}\n{PLAIN}\n{V1}\n", vec!["33"; 81].join(",")), 3),
        ("nothing".into(), 1),
        (String::new(), 0),
    ] {
        let (found, ..) = called(find, &json!({"framing": "auto"}), &text);
        assert_eq!(found["strings"].as_array().map(Vec::len), Some(count), "{text}: {found}");
        if text.starts_with("1.......2\n") {
            assert_eq!(found["strings"][0], gridmill_core::convert(PLAIN).expect("a string"));
        }
    }
}

#[test]
fn what_is_not_read_beside_links_is_said() {
    let link = format!("https://www.sudokuwiki.org/sudoku.htm?bd={V1}");
    let grid: String = PLAIN.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect();
    let text = format!("{grid}\nsee {link}\nsee {link}\n<td>{PLAIN}</td>\n");
    let (found, ..) = called(find, &json!({"framing": "auto"}), &text);
    assert_eq!(
        (found["strings"].as_array().map(Vec::len), found["refused"].as_array().map(Vec::len)),
        (Some(2), Some(2))
    );
    assert!(found["refused"][0].as_str().is_some_and(|words| words.contains("--framing grid")), "{found}");
    let (head, new, rows) = called(convert, &json!({"framing": "auto"}), &text);
    assert_eq!((&head["counts"]["good"], &head["counts"]["rejected"]), (&json!(2), &json!(2)));
    assert!(new.starts_with(&grid) && rows.contains("\tambiguous\t"), "{new}{rows}");
    let asked = called(convert, &json!({"framing": "links"}), &text).0;
    assert_eq!((&asked["counts"]["good"], &asked["counts"]["rejected"]), (&json!(2), &json!(0)));
}

#[test]
fn a_row_with_several_strings_is_one_record() {
    let text = format!(
        "{{\"a\":[\"{PLAIN}\",\"{V1}\"]}}\n{{\"a\":[\"{PLAIN}\",\"x\"]}}\n{{\"a\":[\"{V1}\"]}}\n{{\"a\":[]}}\n"
    );
    let counts = &called(convert, &json!({"framing": "jsonl", "field": "/a"}), &text).0["counts"];
    assert_eq!((&counts["records"], &counts["good"], &counts["rejected"]), (&json!(3), &json!(2), &json!(1)));
    assert_eq!(counts["forms"].as_array().map(Vec::len), Some(2));
}

#[test]
fn boards_are_drawn_by_hand() {
    let string = |change: Value, from: &str| called(edit, &change, from).0;
    assert_eq!(string(json!({}), "")["string"], format!("S9B{}", "0".repeat(162)));
    let cells = json!({"cells": [[0, {"clue": 5}], [1, {"solved": 4}], [2, {"candidates": [1, 9]}]]});
    let drawn = string(cells, "")["string"].as_str().expect("a string").to_string();
    assert!(drawn.starts_with("S9B050d7n"), "{drawn}");
    let jigsaw = string(json!({"kind": "jigsaw"}), &drawn)["string"].as_str().expect("a string").to_string();
    assert!(jigsaw.starts_with("J9B") && jigsaw.len() == 246, "{jigsaw}");
    let moved = string(json!({"regions": [[0, 2]]}), &jigsaw);
    assert_ne!(moved["string"], jigsaw);
    assert_eq!(string(json!({"kind": "sudoku"}), &jigsaw)["string"], drawn);
    for wrong in [
        json!({"cages": [{"cells": [0]}]}),
        json!({"side": 7}),
        json!({"cells": [[81, {}]]}),
        json!({"cells": [[0, {"clue": 10}]]}),
        json!({"cells": [[0, {"black": true}]]}),
        json!({"regions": [[0, 1]]}),
    ] {
        assert!(string(wrong.clone(), "")["error"].is_string(), "{wrong}");
    }
}

/// As in the program, the answers are not taken for the puzzles where these cannot be read.
#[test]
fn complete_grids_beside_unknown_puzzles_are_only_converted() {
    const SOLUTION: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";
    let rows = ["r1c1=4, r1c7=8", "r2c2=3, r3c4=7", "r4c2=2, r4c8=6"];
    let table =
        rows.iter().fold("id,task,answer\n".to_string(), |table, row| table + "1,\"" + row + "\"," + SOLUTION + "\n");
    let options = json!({"framing": "auto", "name": "table.csv"});
    for (name, call) in [("validate", validate as Call), ("solve", solve), ("dedupe", dedupe)] {
        let error = called(call, &options, &table).0["error"].clone();
        assert!(error.as_str().is_some_and(|error| error.contains("task")), "{name}: {error}");
    }
    assert_eq!(called(convert, &options, &table).0["counts"]["good"], 3);
}

#[test]
fn cages_are_drawn_by_hand() {
    let shown = |change: Value, from: &str| {
        let string = called(edit, &change, from).0["string"].as_str().expect("a string").to_string();
        let board = called(show, &json!({}), &string).0["board"].clone();
        (string, board)
    };
    let cage = |board: &Value, at: usize| (board["cages"][at]["cells"].clone(), board["cages"][at]["clue"].clone());
    let (rows, board) = shown(json!({"kind": "killer"}), "");
    assert_eq!(board["cages"].as_array().map(Vec::len), Some(9));
    assert_eq!(board["cages"][8]["clue"], 45);
    let (drawn, board) = shown(json!({"cages": [{"cells": [9, 0, 1], "clue": 15}]}), &rows);
    assert_eq!(cage(&board, 0), (json!(["r1c1", "r1c2", "r2c1"]), json!(15)));
    assert_eq!((board["cages"].as_array().map(Vec::len), &board["cages"][1]["clue"]), (Some(10), &json!(28)));
    // Only the sum changes; a cage without its middle cell becomes two; and other kinds keep the cages.
    assert_eq!(cage(&shown(json!({"cages": [{"cells": [0, 1, 9], "clue": 20}]}), &drawn).1, 0).1, 20);
    let (cut, board) = shown(json!({"cages": [{"cells": [40], "clue": 5}]}), &drawn);
    assert_eq!(board["cages"].as_array().map(Vec::len), Some(12));
    assert_eq!(shown(json!({"kind": "killer-jigsaw"}), &cut).1["cages"].as_array().map(Vec::len), Some(12));
    let (kenken, _) = shown(json!({"kind": "kenken", "side": 4}), "");
    let (_, board) = shown(json!({"cages": [{"cells": [0, 4], "clue": 8, "operator": "x"}]}), &kenken);
    assert_eq!((cage(&board, 0).1, &board["cages"][0]["operator"]), (json!(8), &json!("x")));
    // More cages than fit into a byte.
    let single: Vec<_> = (0..625).map(|cell| json!({"cells": [cell], "clue": 1 + cell % 25})).collect();
    let (_, board) = shown(json!({"kind": "killer", "side": 25, "cages": single}), "");
    assert_eq!((board["cages"].as_array().map(Vec::len), cage(&board, 624).1), (Some(625), json!(25)));
    for wrong in [
        json!({"cages": [{"cells": []}]}),
        json!({"cages": [{"cells": [0, 2], "clue": 3}]}),
        json!({"cages": [{"cells": [0], "clue": 0}]}),
        json!({"cages": [{"cells": [0, 1], "clue": 3, "operator": "%"}]}),
    ] {
        assert!(called(edit, &wrong, &rows).0["error"].is_string(), "{wrong}");
    }
}

/// Thousands of random cages: adjacent ones always have different colours.
#[test]
fn cages_of_any_shape_can_be_coloured() {
    let mut string = called(edit, &json!({"kind": "killer"}), "").0["string"].as_str().expect("a string").to_string();
    let mut seed = 7_u32;
    let mut below = |most: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % most
    };
    for _ in 0..600 {
        let first = below(81);
        let cells: Vec<_> = [0, 1, 9, 10].into_iter().take(1 + below(4) as usize).map(|step| first + step).collect();
        if first % 9 == 8 || first > 71 {
            continue;
        }
        let cages = json!({"cages": [{"cells": cells, "clue": 1 + below(45)}]});
        let answer = called(edit, &cages, &string).0;
        string = answer["string"].as_str().unwrap_or_else(|| panic!("{cages}: {answer}")).to_string();
        assert!(called(show, &json!({}), &string).0["refused"].is_null(), "{string}");
    }
}
