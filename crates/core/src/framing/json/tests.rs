use super::cursor::{Cursor, is_number};
use super::*;
use crate::framing::rows::RowStrings;
use crate::kernels;

/// The strings of each row, or the reason why it has none.
fn read(pointer: &str, text: &str) -> Vec<String> {
    let mut rows = Rows::default();
    JsonLines::new(pointer).expect("a pointer").rows_of(text.as_bytes(), true, kernels::best(), &mut rows);
    let values: Vec<_> =
        rows.strings(text.as_bytes()).map(|value| String::from_utf8_lossy(value).into_owned()).collect();
    let mut values = values.into_iter().zip(&rows.fields);
    let mut refused = rows.refused.iter();
    let row = |(index, row): (usize, &TextRow)| {
        if refused.clone().next().is_some_and(|(of, _)| *of == index) {
            return refused
                .next()
                .map(|(_, reject)| format!("{}: {}", reject.code, reject.message))
                .expect("it is there");
        }
        let strings = values.by_ref().take(row.fields as usize).map(|(value, place)| {
            let raw = &text[place.start as usize..place.end as usize];
            assert_eq!(serde_json::from_str::<String>(&format!("\"{raw}\"")).expect("a string"), value);
            value
        });
        strings.collect::<Vec<_>>().join("|")
    };
    rows.rows.iter().enumerate().map(row).collect()
}

#[test]
fn strings_at_pointers() {
    assert_eq!(read("/a", "{\"a\":\"x\"}\n\n {\"b\":{\"a\":1}, \"a\" : \"y\" } \r\n"), ["x", "y"]);
    assert_eq!(read("/a/b", "{\"a\":{\"c\":[],\"b\":\"x\"},\"b\":\"z\"}"), ["x"]);
    assert_eq!(read("/a/1", "{\"a\":[\"x\",\"y\",\"z\"]}"), ["y"]);
    assert_eq!(read("/a", "{\"a\":[\"x\",null,\"\",\"y\"]}\n{\"a\":[]}"), ["x|y", ""]);
    assert_eq!(read("", "\"x\"\nnull\n\"\""), ["x", "", ""]);
    assert_eq!(read("/~1~0~01", "{\"/~~1\":\"x\"}"), ["x"]);
    assert_eq!(read("/ä", "{\"\\u00e4\":\"\\u0031\\/2\"}"), ["1/2"]);
    assert_eq!(read("/", "{\"\":\"x\"}"), ["x"]);
    assert!(JsonLines::new("a").is_none());
}

#[test]
fn refused_rows() {
    for (line, why) in [
        ("{\"b\":\"x\"}", "column: there is nothing at /a"),
        ("[\"x\"]", "column: there is nothing at /a"),
        ("7", "column: there is nothing at /a"),
        ("{\"a\":12}", "column: it is a number, not a string"),
        ("{\"a\":{}}", "column: it is an object, not a string"),
        ("{\"a\":[\"x\",3]}", "column: it is a number, not a string"),
        ("{\"a\":[\"x\",[]]}", "column: it is an array, not a string"),
        ("{\"a\":\"x\",\"a\":\"y\"}", "column: there are two fields at /a"),
        ("{\"a\":\"x\"", "json: not valid JSON: EOF while parsing an object, at byte 8"),
        ("{\"a\":\"x\"} {}", "json: not valid JSON: trailing characters, at byte 11"),
        ("{\"a\":\"x\",}", "json: not valid JSON: trailing comma, at byte 10"),
        ("{'a':1}", "json: not valid JSON: key must be a string, at byte 2"),
        ("# x", "json: not valid JSON: expected value, at byte 1"),
        ("{\"a\":\"x\\ny\"}", "digit: the string contains a line end, which puzzle strings never do"),
        ("{\"a\":[\"x\",\"\\n\"]}", "digit: the string contains a line end, which puzzle strings never do"),
    ] {
        assert_eq!(read("/a", &format!("{{\"a\":\"1\"}}\n{line}\n{{\"a\":\"2\"}}")), ["1", why, "2"], "{line}");
    }
}

#[test]
fn an_object_with_a_key_to_be_appended_is_refused() {
    let mut rows = Rows::default();
    let pointer = JsonLines {
        new_names: vec![NewName { name: "n".into(), flag: "--add clues=NAME".into() }],
        ..JsonLines::new("/a").expect("a pointer")
    };
    let text = b"{\"a\":\"x\",\"n\":1}\n{\"a\":\"y\",\"o\":{\"n\":1}}";
    pointer.rows_of(text, false, kernels::best(), &mut rows);
    assert_eq!(rows.refused.len(), 1);
    assert_eq!(
        rows.refused[0].1.message,
        "the object already has a field \"n\"; use --add clues=NAME to choose another name"
    );
    assert_eq!(rows.strings(text).collect::<Vec<_>>(), [b"y"]);
}

/// However a line is changed, the string found in a flat object is the one that the parser finds. Many of the changed
/// lines are still flat objects.
#[test]
fn the_cursor_agrees_with_the_parser() {
    let lines = [
        r#"{"id":1,"bd":"0123","z":"user"}"#,
        r#" { "bd" : "x" , "a":-1.50e+3 , "b":true,"c":null, "dd": 0 } "#,
        r#"{"a":"","bd":"y","a":false,"n":0.0}"#,
    ];
    let pointer = JsonLines {
        new_names: vec![NewName { name: "new".into(), flag: String::new() }],
        ..JsonLines::new("/bd").expect("a pointer")
    };
    let (mut checked, mut flat) = (0, 0);
    let mut check = |text: &[u8]| {
        checked += 1;
        let mut found = Vec::new();
        if !kernels::best().run(IsPlain { text, also: b' ' }) || !pointer.find_in_flat(text, &mut found) {
            return;
        }
        let [place] = &found[..] else { panic!("one string") };
        flat += 1;
        let value = pointer
            .required_value(text, &pointer.paths[0])
            .unwrap_or_else(|reject| panic!("{reject}: {}", String::from_utf8_lossy(text)));
        assert_eq!(value.as_bytes(), &text[place.start - 1..place.end + 1], "{}", String::from_utf8_lossy(text));
    };
    let bytes: Vec<u8> = (0..=255).collect();
    for line in lines.map(str::as_bytes) {
        assert!(pointer.find_in_flat(line, &mut Vec::new()), "{}", String::from_utf8_lossy(line));
        for at in 0..=line.len() {
            check(&line[..at]);
            check(&[&line[..at], &line[(at + 1).min(line.len())..]].concat());
            for &byte in &bytes {
                check(&[&line[..at], &[byte], &line[at..]].concat());
                check(&[&line[..at], &[byte], &line[(at + 1).min(line.len())..]].concat());
            }
        }
    }
    assert!(flat > 5_000 && flat < checked, "{flat} of {checked}");
    for text in ["01", "-", "1.", ".5", "1e", "1e+", "+1", "0x1", "1.5.2", "--1", "NaN", "1 2", "00"] {
        assert!(!is_number(text.as_bytes()), "{text}");
        assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
    }
    for text in ["0", "-0", "10", "1.5", "-1.25e-10", "1E5", "1e+5", "0.0e0"] {
        assert!(is_number(text.as_bytes()), "{text}");
    }
}

/// Whatever bytes a line has, it is refused, or there is a JSON string at each position that is returned.
#[test]
fn changed_bytes() {
    let line = br#"{"id":1.5e3,"a":{"b":["x\u0031","\"y"],"c":null},"d":[true,{"a":"\\"}]}"#;
    let pointer = JsonLines::new("/a/b").expect("a pointer");
    let mut good = 0;
    for at in 0..line.len() {
        for byte in 0..=255 {
            let mut text = line.to_vec();
            text[at] = byte;
            let mut rows = Rows::default();
            pointer.rows_of(&text, true, kernels::best(), &mut rows);
            for place in &rows.fields {
                let raw = &text[place.start as usize - 1..place.end as usize + 1];
                assert!(serde_json::from_slice::<String>(raw).is_ok(), "{}", String::from_utf8_lossy(&text));
            }
            good += usize::from(!rows.fields.is_empty());
        }
    }
    assert!(good > 1000);
}

#[test]
fn labels_are_escaped() {
    let lines = JsonLines::new("/a").expect("a pointer");
    assert_eq!(lines.label("n\"\\\u{e9}"), ",\"n\\\"\\\\\u{e9}\":".as_bytes());
    let mut out = Text::new();
    lines.append(b",\"n\":", &[Value::Text(b"a\"\\"), Value::Nothing, Value::Number(7)], true, &mut out);
    assert_eq!(out.as_slice(), br#","n":["a\"\\",null,7]"#);
}

#[test]
fn strings_end_at_their_closing_quote() {
    for length in 0..40 {
        let line = ["x".repeat(length), "\"\"y\"".into()].concat();
        let mut cursor = Cursor { line: line.as_bytes(), at: 0 };
        assert_eq!((cursor.string_contents(), cursor.at), (0..length, length + 1));
        let mut open = Cursor { line: &line.as_bytes()[..length], at: 0 };
        assert_eq!((open.string_contents(), open.at), (0..length, length));
    }
}

/// The rows of a text, their strings, and their solutions and refusals. Positions are those in a longer text, where
/// this one begins at byte `start` and line `first`.
fn found(pointer: &JsonLines, text: &str, (start, first): (u32, u32)) -> (Vec<TextRow>, Vec<StringPlace>, Vec<String>) {
    let mut rows = Rows::default();
    pointer.rows_of(text.as_bytes(), true, kernels::best(), &mut rows);
    assert_eq!(rows.lines, text.lines().count() as u64);
    let place = |place: &StringPlace| StringPlace { start: place.start + start, end: place.end + start, ..*place };
    let mut strings = RowStrings::default();
    strings.take(&rows, text.as_bytes());
    let bytes = strings.records(text.as_bytes()).bytes;
    let solutions = strings.solutions().iter().map(|place| &bytes[place.start as usize..place.end as usize]);
    let mut said: Vec<_> = solutions.map(|solution| String::from_utf8_lossy(solution).into_owned()).collect();
    said.extend(rows.refused.iter().map(|(_, reject)| reject.to_string()));
    let row = |row: &TextRow| TextRow {
        start: row.start + start,
        end: row.end + start,
        next: row.next + start,
        line: row.line + first,
        ..*row
    };
    (rows.rows.iter().map(row).collect(), rows.fields.iter().map(place).collect(), said)
}

/// Lines of a pattern are read like single lines, however one of them is changed.
#[test]
fn lines_of_a_pattern_are_read_like_single_lines() {
    let lines = [
        [
            r#"{"id":1,"bd":"0123","z":"user","a longer name":1}"#,
            r#"{"id":-7.5,"bd":"4","z":"x","a longer name":true}"#,
        ],
        [r#"{"id": 20,"bd":"x y", "z":"0"} "#, r#"{"id": null,"bd":"y", "z":"00"} "#],
    ];
    let pointer = |solutions| JsonLines {
        new_names: vec![NewName { name: "new".into(), flag: String::new() }],
        solutions,
        ..JsonLines::new("/bd").expect("a pointer")
    };
    for (pointer, [line, other]) in [pointer(vec![]), pointer(vec![vec!["z".into()]])]
        .iter()
        .flat_map(|pointer| lines.iter().map(move |lines| (pointer, lines)))
    {
        let check = |changed: &str| {
            let text = [line, other, changed, line, ""].join("\n");
            let mut alone = (Vec::new(), Vec::new(), Vec::new());
            let mut start = 0;
            for (number, part) in (0..).zip(text.split_inclusive('\n')) {
                let (rows, fields, said) = found(pointer, part, (start, number));
                alone.0.extend(rows);
                alone.1.extend(fields);
                alone.2.extend(said);
                start += part.len() as u32;
            }
            let mut whole = found(pointer, &text, (0, 0));
            whole.2.sort();
            alone.2.sort();
            assert_eq!(whole, alone, "{text}");
        };
        check(r#"{"new":1,"bd":"0123"}"#);
        for at in 0..=other.len() {
            let (before, after) = other.split_at(at);
            check(before);
            check(&[before, after.get(1..).unwrap_or_default()].concat());
            for byte in ["\"", "\\", ",", ":", "{", "}", "[", " ", "0", "-", "a", "\n", "\r", "\u{e9}"] {
                check(&[before, byte, after].concat());
                check(&[before, byte, after.get(1..).unwrap_or_default()].concat());
            }
        }
    }
}
