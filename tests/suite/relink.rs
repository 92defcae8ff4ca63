//! Links inside text: which are found, how they are rewritten, and that nothing else changes.

mod containers;
mod files;
mod regions;

use gridmill::error::Code;
use gridmill::formats::Format;
use gridmill::framing::Links;

use crate::random::Rng;
use crate::shared::vectors;
use crate::support::{PLAIN, gridmill, recode, run, v2};

const S: &str = "https://www.sudokuwiki.org/sudoku.htm";

/// A v1 string of side 9, and one of a killer.
fn v1() -> String {
    recode(PLAIN, Format::V1)
}

fn killer() -> (String, String) {
    let lines = run(&mut gridmill("gen -q --kind killer --count 1 --format v1 --mix progress".split(' ')), b"").good();
    let line = String::from_utf8(lines).expect("text");
    let line = line.trim_end().to_string();
    let new = v2(&line);
    (line, new)
}

/// The result for a text, and the message about each link that is left alone.
fn relink(plan: &Links, text: &str) -> (String, Vec<String>) {
    let done = plan.text(text.as_bytes());
    let new = done.text.map_or(text.to_string(), |new| String::from_utf8(new).expect("text"));
    let again = plan.text(new.as_bytes());
    assert_eq!((again.text, again.rewritten), (None, 0), "a second run changes nothing: {new}");
    (new, done.left.into_iter().map(|left| left.reject.to_string()).collect())
}

#[test]
fn links_are_found_in_every_kind_of_text() {
    let (old, new) = (v1(), v2(PLAIN));
    let (cages, new_cages) = killer();
    let s = "https://www.sudokuwiki.org/sudoku.htm";
    // `@` stands for the string, old or new.
    for text in [
        "S?bd=@",
        "See S?bd=@.",
        "See S?bd=@, and (S?bd=@) twice; S?bd=@!",
        "[text](S?bd=@)",
        "[text](S?bd=@ \"a title\")",
        "[ref]: <S?bd=@> 'title'",
        "[ref]: S?bd=@\n[other]: S?bd=@",
        "<a href=\"S?bd=@\">",
        "<a href='S?x=1&amp;bd=@&amp;y=2'>",
        "<a href=S?bd=@>",
        "<a href=S?bd=@#part>",
        "{\"url\": \"S?bd=@\\n\", \"b\": 1}",
        "{\"url\":\"https:\\/\\/www.sudokuwiki.org\\/sudoku.htm?a=1\\u0026bd=@\\u0026c=2\"}",
        "INSERT INTO t VALUES (1, 'it''s S?bd=@', 2);",
        "INSERT INTO t VALUES ('S?bd=@'),('S?bd=@')",
        "http://sudokuwiki.org/Sudoku?bd=@",
        "HTTP://WWW.SUDOKUWIKI.ORG/SUDOKU.ASPX?bd=@",
        "//www.sudokuwiki.org/Sudoku_player?bd=@",
        "www.sudokuwiki.org/sudoku?bd=@",
        "and/http://www.scanraid.com/sudoku.htm?bd=@ or//http://www.scanraid.com/sudoku.htm?bd=@",
        "https://example.com/to?u=S?bd=@",
        "\u{feff}S?bd=@\r\n\tS?bd=@\r\n",
    ] {
        let text_of = |string: &str| text.replace("S?", &format!("{s}?")).replace('@', string);
        let (done, left) = relink(&Links::default(), &text_of(&old));
        assert_eq!((done, left), (text_of(&new), vec![]), "{text}");
    }
    let page = "https://www.sudokuwiki.org/killersudoku.aspx?bd=";
    let escaped = cages.replace(',', "%2C");
    for string in [&cages, &escaped] {
        assert_eq!(relink(&Links::default(), &format!("{page}{string}.")), (format!("{page}{new_cages}."), vec![]));
    }
}

#[test]
fn masks_become_a_board() {
    let masks = run(&mut gridmill(["convert", "-q", "--to", "v0", "--lossy"]), format!("{PLAIN}\n").as_bytes()).good();
    let masks = String::from_utf8(masks).expect("text").trim_end().to_string();
    let text = format!("a https://www.sudokuwiki.org/sudoku.htm?n={masks}&x=1 b, and /mean=3 n=1,2");
    let expected = format!("a https://www.sudokuwiki.org/sudoku.htm?bd={}&x=1 b, and /mean=3 n=1,2", v2(&masks));
    assert_eq!(relink(&Links::default(), &text), (expected, vec![]));
}

#[test]
fn plain_strings_stay_unless_they_are_asked_for() {
    let text = format!("https://www.sudokuwiki.org/sudoku.htm?bd={PLAIN} x");
    assert_eq!(relink(&Links::default(), &text), (text.clone(), vec![]));
    let plain = Links { plain: true, ..Links::default() };
    assert_eq!(relink(&plain, &text), (text.replace(PLAIN, &v2(PLAIN)), vec![]));
}

/// Notations of links that are read and rewritten.
#[test]
fn ways_to_write_a_link() {
    let (old, new) = (v1(), v2(PLAIN));
    for text in [
        // The ampersand as a numeric entity, and escaped twice; JSON inside JSON; `=` as some JSON writers escape it.
        "S?a=1&#038;bd=@&#038;b=2",
        "S?a=1&#38;bd=@&#x26;b=2",
        "S?a=1&amp;amp;bd=@&amp;amp;b=2",
        r#"{"a":"{\"u\":\"https:\\/\\/www.sudokuwiki.org\\/sudoku.htm?a=1\\u0026bd=@\"}"}"#,
        r#"{"u":"S?a\u003d1\u0026bd\u003d@\u0026c\u003D2"}"#,
        // Links that run into each other.
        "S?bd=@,S?bd=@|S?bd=@ S?bd=@",
        r"S?bd=@S?bd=@&x=1https:\/\/www.sudokuwiki.org\/sudoku.htm?bd=@",
        "S?bd=@&next=S?x=1",
        // Punctuation and markup.
        "**S?bd=@** _S?bd=@_ |S?bd=@| 'S?bd=@'; S?bd=@... (S?bd=@)",
        "S?bd=@#a-fragment?bd=1 S?bd=@&x=%2C%2c#",
        r"\url{S?bd=@} \href{S?bd=@}{text}",
        "203:S?bd=@ 12:30:S?bd=@",
    ] {
        let text_of = |string: &str| text.replace("S?", &format!("{S}?")).replace('@', string);
        assert_eq!(relink(&Links::default(), &text_of(&old)), (text_of(&new), vec![]), "{text}");
    }
}

/// Notations of links that are left alone, and listed if there is something to rewrite.
#[test]
fn links_inside_other_things() {
    let (old, new) = (v1(), v2(PLAIN));
    for (text, why) in [
        ("https://web.archive.org/web/2015/S?bd=@", "another address"),
        ("https://web.archive.org/web/20150101000000if_/www.sudokuwiki.org/sudoku.htm?bd=@", "another address"),
        ("<a href=\"/web/2015/S?bd=@\">", "another address"),
        (r"https:\/\/web.archive.org\/web\/2015\/https:\/\/www.sudokuwiki.org\/sudoku.htm?bd=@", "another address"),
        ("https://archive.org/wayback/available?url=S?bd=@", "another address"),
        ("https://proxy.example.com/S?bd=@", "another address"),
        ("https://example.com/?u=https%3A%2F%2Fwww.sudokuwiki.org%2Fsudoku.htm%3Fbd%3D@", "percent-encoded"),
        (
            "https://example.com/?u=https%253a%252f%252fwww.sudokuwiki.org%252fsudoku.htm%253fbd%253d@&v=1",
            "percent-encoded",
        ),
        ("https:&#x2F;&#x2F;www.sudokuwiki.org&#x2F;sudoku.htm?bd&#x3D;@", "percent-encoded"),
        ("203:S?bd=@,", "length"),
    ] {
        let text = text.replace("S?", &format!("{S}?"));
        let text_of = |string: &str| text.replace('@', string);
        let (same, left) = relink(&Links::default(), &text_of(&old));
        assert!(same == text_of(&old) && left.len() == 1, "{text} became {same}: {left:?}");
        assert!(left[0].contains(why), "{text}: {left:?}");
        assert_eq!(relink(&Links::default(), &text_of(&new)), (text_of(&new), vec![]));
    }
}

/// Truncated or altered strings.
#[test]
fn strings_that_are_cut_or_changed() {
    let old = v1();
    let plain = Links { plain: true, ..Links::default() };
    for (text, why) in [
        ("S?bd=3D@", "quoted-printable"),
        ("S?bd=@%22", "length"),
        ("S?bd=@@", "length"),
        ("S?bd=%+3@", "length"),
        ("d203:S?bd=@e", "length"),
    ] {
        let text = text.replace("S?", &format!("{S}?")).replace('@', &old);
        let (same, left) = relink(&plain, &text);
        assert!(same == text && left.len() == 1 && left[0].contains(why), "{text} became {same}: {left:?}");
    }
    // As mail programs and editors wrap long lines.
    for cut in ["\n", "=\n", "\r\n> ", "\n\t", " \\\n"] {
        for at in [10, 80, 100, 161] {
            let text = format!("{S}?bd={}{cut}{}", &old[..at], &old[at..]);
            let (same, left) = relink(&plain, &text);
            assert!(same == text && left.len() == 1, "{text} became {same}");
        }
    }
    // Points are blanks, and the last one ends the sentence.
    let points = PLAIN.replace(['0', '5'], ".");
    assert!(points.ends_with('.'));
    let text = format!("{S}?bd={points}. {S}?bd={points}");
    let expected = format!("{S}?bd={}. {S}?bd={}", v2(&points), v2(&points));
    assert_eq!(relink(&plain, &text), (expected, vec![]));
}

/// Whatever the bytes around a link are, they stay.
#[test]
fn bytes_of_no_encoding_stay() {
    let (old, new) = (v1(), v2(PLAIN));
    let mut rng = Rng(3);
    for _ in 0..300 {
        let mut noise = |count: usize| -> Vec<u8> {
            let bytes = std::iter::repeat_with(|| rng.next() as u8).filter(|byte| !byte.is_ascii_graphic());
            bytes.take(count).collect()
        };
        let (before, after) = (noise(20), noise(20));
        let text = |string: &str| {
            let link = format!("{S}?bd={string}");
            [before.as_slice(), link.as_bytes(), &after, b"?bd=\xff", &before].concat()
        };
        assert_eq!(Links::default().text(&text(&old)).text, Some(text(&new)));
    }
}

#[test]
fn what_is_no_link_stays_and_what_cannot_be_rewritten_is_listed() {
    let old = v1();
    let s = "https://www.sudokuwiki.org/sudoku.htm";
    for decoy in [
        format!("bd={old}"),
        format!("?bd={old}"),
        format!("https://example.com/sudoku.htm?bd={old}"),
        format!("https://www.sudokuwiki.org.example.com/sudoku.htm?bd={old}"),
        format!("{s}?BD={old}"),
        format!("{s}?abd={old}"),
        format!("{s} ?bd={old}"),
        format!("{s}#bd={old}"),
        "https://www.sudokuwiki.org/sudoku.htm?n=many".into(),
    ] {
        assert_eq!(relink(&Links::default(), &decoy), (decoy.clone(), vec![]), "{decoy}");
    }
    for (link, why) in [
        (format!("{s}?bd="), "template"),
        (format!("{s}?bd={{{{board}}}}"), "template"),
        (format!("{s}?bd=$board&x=1"), "template"),
        (format!("{s}?bd={}", &old[..100]), "length"),
        (format!("{s}?bd={}\n{}", &old[..80], &old[80..]), "length"),
        (format!("{s}?bd={old}&bd={old}"), "two boards"),
        (format!("https://www.sudokuwiki.org/other.htm?bd={old}"), "page is unknown"),
        (format!("https://www.sudokuwiki.org/kenken.htm?bd={old}"), "kenken"),
        (format!("https://www.sudokuwiki.org/killersudoku.htm?bd={old}"), "kind"),
        (format!("https://www.sudokuwiki.org/sudokux.htm?bd={}", v2(PLAIN)), "its page is for"),
        (format!("https://www.str8ts.com/str8ts.aspx?type=Q&bd={old}"), "type"),
    ] {
        let (text, left) = relink(&Links::default(), &link);
        assert_eq!((text.as_str(), left.len()), (link.as_str(), 1), "{left:?}");
        assert!(left[0].contains(why), "{link}: {left:?}");
    }
    let any = Links { any_host: true, ..Links::default() };
    for host in ["https://example.com/a/", "", "http://localhost:8000/"] {
        let text = format!("\"{host}sudoku.htm?bd={old}\"");
        assert_eq!(relink(&any, &text), (text.replace(&old, &v2(&old)), vec![]), "{text}");
    }
}

#[test]
fn places_of_links_that_are_left_alone() {
    let text = format!("a\n\nb https://www.sudokuwiki.org/x.htm?bd={}, c", v1());
    let done = Links::default().text(text.as_bytes());
    let left = &done.left[0];
    assert_eq!((left.at, left.line, left.reject.code), (5, 2, Code::Link));
    assert_eq!(left.record.last(), Some(&b','));
}

#[test]
fn links_of_the_shared_vectors() {
    let mut seen = 0;
    for row in vectors("url.tsv").unwrap_or_default() {
        let plan = Links { plain: true, ..Links::default() };
        let (new, left) = relink(&plan, &row[1]);
        assert_eq!(left, [""; 0], "{}", row[1]);
        let canonical = row.get(4).filter(|text| !text.is_empty()).unwrap_or(&row[1]);
        let board = |link: &str| {
            let board = link.split_once("bd=").expect("a board").1;
            board.split(['&', '#']).next().expect("a part").to_ascii_lowercase()
        };
        // (Upper case in a string that is already version 2 stays.)
        assert_eq!(board(&new), board(canonical), "{}", row[1]);
        seen += 1;
    }
    for row in vectors("bad.tsv").unwrap_or_default().iter().filter(|row| row[0] == "url") {
        let done = Links { plain: true, ..Links::default() }.text(row[1].as_bytes());
        // The oracle refuses `type` and `shape`, which the program understands (docs/FORMATS.md, "Links").
        let understood = row[1].contains("type=B") || row[1].contains("shape=1&");
        assert_eq!(done.text.is_some(), understood, "{}", row[1]);
        seen += 1;
    }
    assert!(seen > 20 || vectors("url.tsv").is_none());
}

/// `convert` and `validate` with links as records: the same links, any format, and the rules of the page's kind.
#[test]
fn links_as_records() {
    let (old, new) = (v1(), v2(PLAIN));
    let s = "https://www.sudokuwiki.org/";
    let page = format!(
        "<a href=\"{s}sudoku.htm?bd={old}&amp;x=1\">\n[b]({s}x_sudoku?bd={PLAIN})\r\n{s}sudoku.htm?bd=xyz cut\n"
    );
    let command = |args: &[&str]| run(&mut gridmill(args.iter().chain(&["-q", "--framing", "links"])), page.as_bytes());
    let done = command(&["convert"]);
    let x = new.replacen("S9B", "X9B", 1);
    let expected = page.replace(&old, &new).replace(PLAIN, &x);
    assert_eq!((done.code, done.text()), (Some(1), expected.as_str()), "{}", done.stderr);
    let row: Vec<_> = done.stderr.lines().nth(1).expect("a row").split('\t').collect();
    assert_eq!(
        (row[1], row[2], row[6]),
        (
            "3",
            page.find(&format!("{s}sudoku.htm?bd=xyz")).unwrap().to_string().as_str(),
            format!("{s}sudoku.htm?bd=xyz").as_str()
        )
    );
    // Back again, as far as the format can hold it.
    let back = run(&mut gridmill(["convert", "-q", "--framing", "links", "--to", "v1"]), done.stdout.as_slice());
    assert!(back.text().contains(&old) && back.text().contains(&x), "{}", back.text());
    assert!(back.stderr.contains("\tlossy\t"), "{}", back.stderr);
    // A sudoku does not keep the diagonals of the x-sudoku.
    let done = command(&["validate"]);
    let codes: Vec<_> = done.text().lines().skip(1).map(|row| row.split('\t').nth(4).unwrap_or("")).collect();
    assert_eq!(done.code, Some(1));
    assert_eq!(codes, ["duplicate", "length"], "{}", done.text());
    assert_eq!(done.text().lines().nth(1).unwrap().split('\t').nth(1), Some("2"));
}

#[test]
fn boards_of_links_in_other_formats() {
    let mut seen = 0;
    for row in vectors("convert.tsv").unwrap_or_default().iter().filter(|row| row[0] == "url") {
        let to = match row[1].as_str() {
            "v2" | "url" => Format::V2,
            "killer-v1" | "url:wiki-v1" | "wiki-v1" => Format::V1,
            "killer-plain" | "url:plain81" | "plain81" => Format::Plain,
            "sasha32" => Format::Offset32,
            "wolfram" => Format::Wolfram,
            // The oracle names forms that boards of this kind do not have.
            _ => continue,
        };
        let plan = Links { plain: true, to: to.into(), ..Links::default() };
        let done = plan.text(row[2].as_bytes());
        let killer = row[2].contains("killer");
        // The program uses the form of the board's kind, while the oracle was asked for another.
        if killer && row[3].starts_with("!error") && matches!(to, Format::V1 | Format::Plain) {
            continue;
        }
        match row[3].strip_prefix("!error ") {
            Some(why) => assert!(done.left[0].reject.code.name() == why.split(' ').next().unwrap(), "{why}"),
            None => {
                let new = done.text.map_or(row[2].clone(), |new| String::from_utf8(new).expect("text"));
                let board = row[3].split_once("bd=").map_or(row[3].as_str(), |(_, board)| board);
                assert!(new.ends_with(&format!("bd={board}")), "{new}\n{board}");
            }
        }
        seen += 1;
    }
    assert!(seen > 4 || vectors("convert.tsv").is_none(), "{seen}");
}

/// Links after a word of 5 MiB, such as an embedded picture, were refused.
#[test]
fn links_after_a_word_of_many_mebibytes() {
    let word = "0123456789abcdef".repeat(5 << 16);
    let text = |string: &str| format!("<img src=data:image/png;base64,{word}>\n{S}?bd={string}\n");
    let (old, new) = (text(&v1()), text(&v2(PLAIN)));
    assert!(run(&mut gridmill(["relink", "-q"]), old.as_bytes()).good() == new.as_bytes());
}
