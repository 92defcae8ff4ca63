//! JSON as SudokuPad shortens it: strings between single quotes, keys without quotes and of one or two letters, `t` and `f` for
//! true and false, an empty slot for an empty object, and colours without their signs.

use crate::formats::json_values::{Arena, JsonError, JsonValue, parse, parse_short};

/// Reads a text that is JSON, shortened or not. Its short keys are replaced by the long ones.
pub(super) fn unzip<'t>(arena: &'t Arena, text: &'t str) -> Result<JsonValue<'t>, JsonError> {
    parse(arena, text, long_key).or_else(|_| parse_short(arena, text, long_key))
}

/// The key that a short one stands for.
fn long_key(key: &str) -> Option<&'static str> {
    Some(match key {
        "c" => "color",
        "ca" => "cages",
        "ct" => "center",
        "c1" => "borderColor",
        "c2" => "backgroundColor",
        "ce" => "cells",
        "cs" => "cellSize",
        "a" => "arrows",
        "o" => "overlays",
        "u" => "underlays",
        "w" => "width",
        "h" => "height",
        "v" => "value",
        "vd" => "videos",
        "l" => "lines",
        "r" => "rounded",
        "re" => "regions",
        "fs" => "fontSize",
        "th" => "thickness",
        "hl" => "headLength",
        "wp" => "wayPoints",
        "t" => "title",
        "te" => "text",
        "d" => "duration",
        "d2" => "d",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Option<String> {
        unzip(&Arena::new(), text).ok().map(|value| value.to_string())
    }

    #[test]
    fn shortened_json_is_json() {
        for (text, expected) in [
            ("{ce:[[,{v:3}],[{},]],l:t}", r#"{"cells":[[{},{"value":3}],[{},{}]],"lines":true}"#),
            (
                r"{t:'it\'s \u00e9 \ud83d\ude00 \n\\',f:[f,null,-1.5]}",
                "{\"title\":\"it's é 😀 \\n\\\\\",\"f\":[false,null,-1.5]}",
            ),
            ("{c:123456,v:#0,w:[123456]}", r##"{"color":"#123456","value":"#000000","width":[123456]}"##),
            (r#"{"t":"a","cells":[]}"#, r#"{"title":"a","cells":[]}"#),
            (r#"{t:"a'b",'x y':2024}"#, r#"{"title":"a'b","x y":2024}"#),
        ] {
            assert_eq!(json(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "{", "{a}", "{a:1", "{a:1}x", "[1", "{a:'b}", "{a:x}", r"{a:'\x'}", r"{a:'\u12'}", "[1 2]"] {
            assert_eq!(json(text), None, "{text}");
        }
        assert_eq!(json(&"[".repeat(100_000)), None);
    }
}
