use super::*;
use proptest::prelude::*;

fn read(text: &str) -> Result<String, String> {
    let arena = Arena::new();
    parse(&arena, text, |_| None).map(|value| value.to_string()).map_err(|error| error.to_string())
}

#[test]
fn values_are_read_and_faults_named() {
    for (text, expected) in [
        (r#" { "a" : [ 1 , -2.5e3 , true , null ] , "b" : { } } "#, r#"{"a":[1,-2500,true,null],"b":{}}"#),
        (r#""\u00e9 \ud83d\ude00 \"\\\/\b\f\n\r\t""#, r#""é 😀 \"\\/\b\f\n\r\t""#),
        (r#""\ud800 \ud800\u0041 \udc00""#, "\"\u{fffd} \u{fffd}A \u{fffd}\""),
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9.223372036854776e18"),
    ] {
        assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
    }
    for (text, expected) in [
        ("", "the text ends at byte 1"),
        ("[1", "an array without its end at byte 3"),
        ("{\"a\":1", "an object without its end at byte 7"),
        ("{a:1}", "a member without a name at byte 2"),
        ("{\"a\"}", "a member without a value at byte 5"),
        ("{\"a\":1,\"a\":1}", "a second a at byte 14"),
        ("\"a\nb\"", "a string without its end at byte 1"),
        (r#""\x""#, "a wrong escape at byte 2"),
        (r#""\u12""#, "a wrong escape at byte 2"),
        ("01", "no number at byte 1"),
        ("1e999", "no number at byte 1"),
        ("1 2", "text after the end at byte 3"),
    ] {
        assert_eq!(read(text).as_deref(), Err(&expected.to_string()), "{text}");
    }
    let nested = |depth: usize| read(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
    assert!(nested(reader::DEEPEST).is_ok());
    assert!(nested(reader::DEEPEST + 1).is_err_and(|error| error.contains("nested")));
}

#[test]
fn members_are_found_and_seconds_refused_however_many_there_are() {
    for count in [0, 1, FEW - 1, FEW, FEW + 1, 100] {
        let members: Vec<String> = (0..count).map(|at| format!("\"{at}\":{at}")).collect();
        let text = format!("{{{}}}", members.join(","));
        let arena = Arena::new();
        let value = parse(&arena, &text, |_| None).unwrap();
        for at in 0..count {
            assert_eq!(value.get(&at.to_string()).and_then(JsonValue::as_u64), Some(at as u64), "{count}");
        }
        assert_eq!(value.get("x"), None);
        if count > 0 {
            let last = count - 1;
            let text = format!("{{\"{last}\":0,{}}}", members.join(","));
            let error = parse(&arena, &text, |_| None).unwrap_err();
            assert!(error.to_string().contains(&format!("a second {last}")), "{count}: {error}");
        }
    }
}

#[test]
fn halves_of_characters_are_replaced() {
    for (json, text) in [
        (r#""a\ud800b""#, "a\u{fffd}b"),
        (r#""\uD83D\uDE00\ude00""#, "\u{1f600}\u{fffd}"),
        (r#""\ud800\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
        (r#""\\ud800""#, r"\ud800"),
        (r#""\ud800""#, "\u{fffd}"),
        (r#""\u00e9\n\"""#, "\u{e9}\n\""),
    ] {
        let arena = Arena::new();
        assert_eq!(parse_puzzle(&arena, json, "it is").expect(json), JsonValue::String(text), "{json}");
    }
    for json in [r#""\ud8""#, r#""\ud800"#, r#""\é""#, r#""\"#, r#""\u+d80""#] {
        assert!(parse_puzzle(&Arena::new(), json, "it is").is_err(), "{json}");
    }
}

proptest! {
    #[test]
    fn it_reads_what_serde_json_reads(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "\"é\"", "\"\\n\"", "\"\\u0041\"", "1", "-7", "2.5", "1.25e1", "01", "-", "1.",
                "true", "false", "null", " ", "\n", "\"", "\\", "x", "{}", "[]", "[1]", "{\"c\":[{}]}",
            ]),
            0..12,
        )
    ) {
        let text = parts.concat();
        let expected = serde_json::from_str::<serde_json::Value>(&text);
        match (read(&text), expected) {
            (Ok(found), Ok(expected)) => {
                let found: serde_json::Value = serde_json::from_str(&found).unwrap();
                prop_assert_eq!(found, expected, "{}", text);
            }
            (Err(found), Ok(_)) => prop_assert!(found.contains("a second"), "{}: {}", text, found),
            (Ok(_), Err(error)) => prop_assert!(false, "{}: {}", text, error),
            (Err(_), Err(_)) => {}
        }
    }
}
