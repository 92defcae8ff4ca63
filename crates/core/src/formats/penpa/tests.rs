use miniz_oxide::deflate::compress_to_vec;

use super::*;
use crate::formats::Loss;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn pack(text: &str) -> Vec<u8> {
    let bytes = compress_to_vec(text.as_bytes(), 6);
    let mut digits = Vec::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        digits.extend((0..=three.len()).map(|at| DIGITS[(bits >> (18 - 6 * at) & 63) as usize]));
    }
    digits
}

/// A board of side 6 without margins of its own, whose cell in row r and column c is the point 10 (r + 2) + c + 2.
fn text(question: &str, answer: &str) -> String {
    let cells: Vec<&str> = (0..36)
        .map(|at| {
            if at == 0 {
                "22"
            } else if at % 6 == 0 {
                "5"
            } else {
                "1"
            }
        })
        .collect();
    format!(
        "square,6,6,38,0,1,1,266,266,144,144,0,0,0,0,Title: ,Author: ,,,OFF,false\n[0,0,0,0]\nx\n{{{question}}}\n{answer}\n[{}]\n[]",
        cells.join(",")
    )
}

/// The borders of the boxes of side 6.
fn boxes() -> String {
    let upright = (0..6).map(|row| (114 + 10 * row, 124 + 10 * row));
    let level = [131, 151].into_iter().flat_map(|row| (0..6).map(move |column| (row + column, row + column + 1)));
    let edges: Vec<_> = upright.chain(level).map(|(from, to)| format!("\"{from},{to}\":2")).collect();
    edges.join(",")
}

fn read(question: &str, answer: &str) -> Result<OneBoard, String> {
    let packed = pack(&text(question, answer));
    Penpa.read(&packed, &Hints::default()).map_err(|reject| reject.message.to_string())
}

fn refused(question: &str) -> String {
    read(question, "").expect_err(question)
}

fn v2(one: &OneBoard) -> String {
    crate::formats::write_one(&one.batch, 0, Format::V2).expect("a string")
}

#[test]
fn digits_and_notes_of_both_layers() {
    let question = format!("zN:{{\"22\":[\"5\",1,\"1\"],\"23\":[\" 6 \",4,\"6\"],\"24\":zO}},zE:{{{}}}", boxes());
    let answer = "{zN:{\"24\":[\"1\",2,\"1\"],\"25\":[[0,1,0,1,0,0,0,0,0,0],2,\"7\"],\"26\":[\"34\",2,\"5\"],\"22\":[\"5\",2,\"1\"]}}";
    let one = read(&question, answer).expect("a board");
    assert_eq!(v2(&one), format!("S6B0506070m0o{}", "00".repeat(31)));
    assert!(one.losses.is_empty());
    // Small digits of the setter are digits.
    let one = read(&format!("zN:{{\"22\":[\"5\",1,\"5\"]}},zE:{{{}}}", boxes()), "").expect("a board");
    assert_eq!(v2(&one), format!("S6B05{}", "00".repeat(35)));
}

#[test]
fn what_a_player_draws_is_lost() {
    let question = format!("zE:{{{}}}", boxes());
    for (answer, loss) in [
        ("zS:{\"22\":1}", Loss::Marks),
        ("zE:{\"114,124\":3}", Loss::Marks),
        ("zT:[[22,23]]", Loss::Marks),
        ("z1:{\"488\":[\"1\",1]}", Loss::CornerNotes),
        ("z1:{\"888\":[\"1\",1]}", Loss::CornerNotes),
        ("zN:{\"22\":[[0,1],2,\"7\"]},z1:{\"400\":[\"1\",1]}", Loss::Marks),
    ] {
        let one = read(&question, &format!("{{{answer}}}")).expect(answer);
        assert!(one.losses.iter().any(|(found, _)| found == loss), "{answer}: {}", one.losses);
    }
    for nothing in ["{zE:{\"114,124\":zO},zT:[],zS:{}}", "{}", "", " "] {
        assert!(read(&question, nothing).expect(nothing).losses.is_empty(), "{nothing}");
    }
    assert!(read(&question, "x").expect_err("no layer").starts_with("a layer is not JSON"));
}

#[test]
fn refusals_have_all_names() {
    let with = |part: &str| format!("{part},zE:{{{}}}", boxes());
    for (question, names) in [
        (with("zS:{\"22\":1},zT:[[22,23]],z3:[[]]"), "surface (drawing), thermo"),
        (with("zN:{\"21\":[\"5\",1,\"1\"]}"), "numbers outside the grid"),
        (with("zN:{\"22\":[\"7\",1,\"1\"],\"23\":[\"x\",1,\"1\"]}"), "numbers out of range, text in cells"),
        (with("z1:{\"488\":[\"7\",1]}"), "small numbers (drawing)"),
        (with("zC:{\"488,489\":10}"), "cage (drawing)"),
        (with("z6:[[22,23]],z1:{\"488\":[\"7\",1]},zC:{\"488,493\":10,\"488,496\":10}"), "cage (drawing)"),
        (with("z6:[[22,23]],z1:{\"488\":[\"7+\",1]}"), "cage with text"),
        (with("z6:[[21,22]]"), "a cage outside the grid"),
        (with("z6:[[22,24]]"), "cages in several pieces"),
        (with("\"clock\":[1]"), "unknown: clock"),
        (format!("zE:{{{},\"111,121\":3}}", boxes()), "edges (drawing)"),
        (format!("zE:{{{},\"112,122\":2}}", boxes()), "edges (drawing)"),
        (format!("zE:{{{},\"111,133\":2}}", boxes()), "edges (drawing)"),
        (format!("zE:{{{},\"111,122\":12}}", boxes()), "edges (drawing)"),
        ("zT:[[22,23]]".into(), "no boxes (latin square), thermo"),
        ("zE:{\"114,124\":2,\"124,134\":2}".into(), "edges (drawing), no boxes (latin square)"),
    ] {
        assert_eq!(refused(&question), names, "{question}");
    }
    // Lines around the grid, faint ones, and those of a cage.
    let edges = format!("zE:{{{},\"111,121\":2,\"112,122\":1,\"113,123\":zO}}", boxes());
    assert!(read(&edges, "").is_ok());
    let cage = with("z6:[[23,22,32]],z1:{\"488\":[\" 7\",1]},zC:{\"488,493\":10,\"488,528\":10}");
    assert!(v2(&read(&cage, "").expect("a killer")).starts_with("L6B"));
    let one = "zE:{\"111,122\":12,\"122,133\":12,\"133,144\":12,\"144,155\":12,\"155,166\":12,\"166,177\":12";
    assert_eq!(refused(&format!("{one},{}}}", boxes())), "one diagonal only");
    let other = "\"126,117\":12,\"135,126\":12,\"144,135\":12,\"153,144\":12,\"162,153\":12,\"171,162\":12";
    assert!(v2(&read(&format!("{one},{other},{}}}", boxes()), "").expect("a board")).starts_with("X6B"));
}

#[test]
fn grids_and_their_cells() {
    let good = text(&format!("zE:{{{}}}", boxes()), "");
    let message =
        |text: &str| Penpa.read(&pack(text), &Hints::default()).map(|_| ()).map_err(|reject| reject.to_string());
    assert_eq!(message(&good), Ok(()));
    for (from, to, part) in [
        ("square,", "hex,", "a hex grid"),
        ("square,", "cards,", "does not begin with a grid"),
        ("square,6,6", "square,x,6", "no width and height"),
        ("square,6,6", "square,6,99999", "no width and height"),
        ("[22,1", "[22,2", "no square of cells"),
        ("[22,1", "[22,-23", "outside its grid"),
        ("[22,1", "[22,9223372036854775807", "no list of numbers"),
        ("[22,1", "22,1", "not JSON"),
        ("\n[]", "", ""),
        ("\n[22", "", "it has no cells"),
        ("Title: ", "Title: One", ""),
    ] {
        let changed = good.replacen(from, to, 1);
        let answer = message(&changed);
        match part {
            "" => assert_eq!(answer, Ok(()), "{changed}"),
            part => assert!(answer.as_ref().is_err_and(|words| words.contains(part)), "{from} {to}: {answer:?}"),
        }
    }
    let losses = |from: &str, to: &str| {
        let one = Penpa.read(&pack(&good.replacen(from, to, 1)), &Hints::default()).expect(to);
        one.losses.to_string()
    };
    assert_eq!(losses("Title: ,Author: ,", "Title: A%2C b,Author: C,"), "title, author");
    assert_eq!(losses(",,,OFF", ",https://example.org/,,OFF"), "author");
    assert_eq!(losses(",,,OFF", ",,Digits rise.%2D%2DIn thermometers%2E,OFF"), "rules");
    assert_eq!(losses(",,,OFF", ",,Normal sudoku rules apply.,OFF"), "");
}

#[test]
fn names_in_quotes_stay() {
    assert_eq!(with_quotes(r#"{zN:{"zO\"zN":["z",zO]},z_:[]}"#), r#"{"zN":{"zO\"zN":["z",null]},"z_":[]}"#);
    assert_eq!(with_quotes("z"), "\"z\"");
    assert_eq!(with_quotes("\"z\\"), "\"z\\");
}

#[test]
fn no_part_and_no_change_of_a_string_panics() {
    let good = pack(&text(&format!("zN:{{\"22\":[\"5\",1,\"1\"]}},zE:{{{}}}", boxes()), "{}"));
    assert!(Penpa.read(&good, &Hints::default()).is_ok() && is_packed(&good));
    for end in 0..good.len() {
        assert!(Penpa.read(&good[..end], &Hints::default()).is_err(), "{end}");
        let mut changed = good.clone();
        for byte in [b'A', b'=', b'%', 0, 0xff, good[end] ^ 1] {
            changed[end] = byte;
            _ = (Penpa.read(&changed, &Hints::default()), is_packed(&changed));
        }
    }
    // The text itself, too.
    let good = text(&format!("zN:{{\"22\":[\"5\",1,\"1\"]}},z6:[[22]],zE:{{{}}}", boxes()), "{zN:{}}");
    for end in (0..good.len()).filter(|&end| good.is_char_boundary(end)) {
        _ = read_text(&good[..end]);
        let mut changed = good.clone();
        for new in ["0", "z", "\"", "[", "-9"] {
            changed.replace_range(end..=end, new);
            _ = read_text(&changed);
            changed.replace_range(end..end + new.len(), &good[end..=end]);
        }
    }
}

#[test]
fn only_puzzles_are_detected() {
    let packed = |grid: &str| {
        pack(&format!(
            "{grid},9,9,38,0,1,1,380,380,84,84,0,0,0,0,Title: ,Author: ,,,OFF\n[0,0,0,0]\n{{zR:{{}}}}\n{{zU:[]}}"
        ))
    };
    assert!(is_packed(&packed("square")) && is_packed(&packed("hex")) && is_packed(&packed("sudoku")));
    assert!(!is_packed(&packed("squares")) && !is_packed(&packed("words")) && !is_packed(&packed("square")[..60]));
    let string = String::from_utf8(packed("square")).expect("text");
    for (text, is_one) in [
        (format!("https://swaroopg92.github.io/penpa-edit/#m=edit&p={string}"), true),
        (format!("https://logicmastersindia.com/penpa-edit/?m=solve&amp;p={string}"), true),
        (format!("https://swaroopg92.github.io/other/#m=edit&p={string}"), false),
        ("https://swaroopg92.github.io/penpa-edit/".to_string(), false),
        (format!("https://example.org/penpa-edit/#m=edit&p={string}"), false),
        (format!("m=solve&p={string}"), true),
        (format!("#m=edit&p={string}"), true),
        (format!("{string} words"), false),
    ] {
        assert_eq!(Notation::resembles(&Penpa, text.as_bytes()), is_one, "{text}");
    }
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    let long = format!("square,9,9,38\n{}", "0".repeat(MOST));
    let packed = pack(&long);
    assert!(packed.len() < 10_000);
    let reject = Penpa.read(&packed, &Hints::default()).expect_err("too long");
    assert_eq!(&*reject.message, "it unpacks to more than a puzzle has");
    // Many points are only as many as JSON may have values.
    let layers = format!("square,9,9,38\n\n\n{{}}\n\n[{}1]\n", "1,".repeat(300_000));
    let reject = Penpa.read(&pack(&layers), &Hints::default()).expect_err("too many");
    assert!(reject.message.contains("more values than a puzzle has"), "{reject}");
}

/// What is no number, no candidates, no cage, or a drawing of nothing is refused by name, so that no clue is lost.
#[test]
fn items_that_are_malformed_are_refused() {
    let with = |part: &str| refused(&format!("{part},zE:{{{}}}", boxes()));
    for item in ["\"5\"", "5", "{\"0\":\"5\"}", "true"] {
        assert_eq!(
            with(&format!("zN:{{\"22\":{item}}}")),
            "a number is no list of a text, a colour and a style",
            "{item}"
        );
        let small = with(&format!("z1:{{\"488\":{item}}},z6:[[22,23]]"));
        assert_eq!(small, "a small number is no list of a text, a colour and a style", "{item}");
    }
    assert_eq!(with("zN:{\"22\":[zO,1,\"1\"]}"), "a number has no text");
    assert_eq!(with("z1:{\"488\":[zO,1]},z6:[[22,23]]"), "a small number has no text");
    for value in ["\"5\"", "5", "true", "{}", "false"] {
        assert_eq!(with(&format!("zN:{{\"22\":[{value},2,\"7\"]}}")), "candidates are no list", "{value}");
    }
    assert_eq!(with("z6:[[22,22]]"), "a cage has a cell twice");
    assert!(with("z1:{\"400\":[\"\",1]}").contains("small numbers (drawing)"));
    assert!(with("zC:{\"488,492\":zO}").contains("cage (drawing)"));
    for (short, name) in [("zY", "symbol"), ("zL", "line"), ("zS", "surface"), ("zW", "wall")] {
        assert!(with(&format!("{short}:{{\"22\":zO}}")).contains(&format!("{name} (drawing)")));
    }
    // These say nothing.
    for part in ["zN:{\"22\":[]}", "zN:{\"22\":[\"\",1,\"1\"],\"23\":zO}", "z1:{\"400\":[]}", "z6:[[],zO]", "zY:{}"] {
        let one = read(&format!("{part},zE:{{{}}}", boxes()), "").expect(part);
        assert_eq!(v2(&one), format!("S6B{}", "00".repeat(36)), "{part}");
    }
}
