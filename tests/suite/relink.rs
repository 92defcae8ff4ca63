//! Links inside text: which are found, what is put in their place, and that nothing else changes.

use std::collections::BTreeSet;

use gridmill::board::components;
use gridmill::error::Code;
use gridmill::formats::{Evidence, Hints, Id, read_one, write_one};
use gridmill::relink::Relink;

use crate::random::Rng;
use crate::support::{Folder, PLAIN, gridmill, recode, run, v2};
use crate::vectors::rows;

const S: &str = "https://www.sudokuwiki.org/sudoku.htm";

/// A v1 string of side 9, and one of a killer.
fn v1() -> String {
    recode(PLAIN, Id::V1)
}

fn killer() -> (String, String) {
    let lines = run(&mut gridmill("gen -q --kind killer --count 1 --format v1 --mix progress".split(' ')), b"").good();
    let line = String::from_utf8(lines).expect("text");
    let line = line.trim_end().to_string();
    let new = v2(&line);
    (line, new)
}

/// What becomes of a text, and the words about each link that is left alone.
fn relink(plan: &Relink, text: &str) -> (String, Vec<String>) {
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
    // `@` is where a string was and is.
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
        let (done, left) = relink(&Relink::default(), &text_of(&old));
        assert_eq!((done, left), (text_of(&new), vec![]), "{text}");
    }
    let page = "https://www.sudokuwiki.org/killersudoku.aspx?bd=";
    let escaped = cages.replace(',', "%2C");
    for string in [&cages, &escaped] {
        assert_eq!(relink(&Relink::default(), &format!("{page}{string}.")), (format!("{page}{new_cages}."), vec![]));
    }
}

#[test]
fn masks_become_a_board() {
    let masks = run(&mut gridmill(["convert", "-q", "--to", "v0", "--lossy"]), format!("{PLAIN}\n").as_bytes()).good();
    let masks = String::from_utf8(masks).expect("text").trim_end().to_string();
    let text = format!("a https://www.sudokuwiki.org/sudoku.htm?n={masks}&x=1 b, and /mean=3 n=1,2");
    let expected = format!("a https://www.sudokuwiki.org/sudoku.htm?bd={}&x=1 b, and /mean=3 n=1,2", v2(&masks));
    assert_eq!(relink(&Relink::default(), &text), (expected, vec![]));
}

#[test]
fn plain_strings_stay_unless_they_are_asked_for() {
    let text = format!("https://www.sudokuwiki.org/sudoku.htm?bd={PLAIN} x");
    assert_eq!(relink(&Relink::default(), &text), (text.clone(), vec![]));
    let plain = Relink { plain: true, ..Relink::default() };
    assert_eq!(relink(&plain, &text), (text.replace(PLAIN, &v2(PLAIN)), vec![]));
}

#[test]
fn regions_go_into_the_string() {
    let jigsaw = run(&mut gridmill("gen -q --kind jigsaw --count 1 --mix progress".split(' ')), b"").good();
    let new = String::from_utf8(jigsaw).expect("text").trim_end().to_string();
    let one = read_one(new.as_bytes(), None, &Hints::default(), &Evidence::default()).expect("a jigsaw");
    let map: String = one.batch.regions()[..81].iter().map(|region| char::from(b'0' + region)).collect();
    let old = run(&mut gridmill(["convert", "-q", "--to", "v1", "--lossy"]), format!("{new}\n").as_bytes()).good();
    let old = String::from_utf8(old).expect("text").trim_end().to_string();
    // What v1 cannot tell, and so cannot be got back.
    let new = {
        let cells = read_one(old.as_bytes(), None, &Hints::default(), &Evidence::default()).expect("v1").batch;
        let mut batch = one.batch;
        (0..81).for_each(|i| batch.set_cell(0, i, cells.cell(0, i)));
        write_one(&batch, 0, Id::V2).expect("a jigsaw")
    };
    let page = "https://www.sudokuwiki.org/jigsaw.htm";
    for (before, after) in [
        (format!("{page}?shape=33&bd={old}&jigmap={map}"), format!("{page}?bd={new}")),
        (format!("{page}?bd={old}&amp;shape=33&amp;jigmap={map}&amp;x=1"), format!("{page}?bd={new}&amp;x=1")),
        (format!("{page}?shape=33&jigmap={map}&bd={old}#a"), format!("{page}?bd={new}#a")),
        (format!("{page}?y=2&jigmap={map}&bd={old}&shape=33 "), format!("{page}?y=2&bd={new} ")),
    ] {
        assert_eq!(relink(&Relink::default(), &before), (after, vec![]), "{before}");
    }
    for (link, why) in [
        (format!("{page}?shape=29&bd={old}"), "built in"),
        (format!("{page}?shape=x&bd={old}"), "built in"),
        (format!("{page}?shape=33&bd={old}"), "lacks"),
        (format!("{page}?bd={old}"), "lacks the regions"),
        (format!("{page}?bd={old}&jigmap={map}"), "lacks the regions"),
        (format!("{page}?shape=33&bd={old}&jigmap=12"), "jigmap"),
        (format!("{page}?shape=33&bd={old}&jigmap={map}1"), "jigmap"),
        (format!("{page}?shape=11&bd={old}&jigmap={map}"), "two layouts"),
        (format!("{page}?shape=33&shape=11&bd={old}&jigmap={map}"), "two of shape"),
    ] {
        let (text, left) = relink(&Relink::default(), &link);
        assert!(text == link && left.len() == 1 && left[0].contains(why), "{link}: {left:?}");
    }
    // Punctuation after a link is no part of it.
    let text = format!("({page}?bd={old}&shape=33&jigmap={map}). {page}?bd={old}&shape=33&jigmap={map}.");
    assert_eq!(relink(&Relink::default(), &text).0, format!("({page}?bd={new}). {page}?bd={new}."));
}

/// Numbers of layouts stand for regions; the strings J9B that are known of two of them have the same.
#[test]
fn numbered_layouts() {
    let page = "https://www.sudokuwiki.org/jigsaw.htm";
    let plain = Relink { plain: true, ..Relink::default() };
    let regions = |number: usize| {
        let (text, left) = relink(&plain, &format!("{page}?shape={number}&bd={PLAIN}"));
        assert_eq!(left, [""; 0], "{number}");
        let regions = regions(text.strip_prefix(&format!("{page}?bd=")).expect("a string"));
        let pieces: BTreeSet<_> = components(&regions, 9)[..81].iter().copied().collect();
        let whole = (1..=9).all(|region| regions.iter().filter(|&&other| other == region).count() == 9);
        assert!(whole && pieces.len() == 9, "{number}: nine pieces of nine cells");
        regions
    };
    let all: Vec<_> = (0..=28).map(regions).collect();
    let boxes: Vec<u8> = (0..81).map(|cell| cell / 27 * 3 + cell % 9 / 3 + 1).collect();
    assert!(all[0] == boxes);
    assert!((1..29).all(|number| !all[..number].contains(&all[number])));
    let strings = rows("v2.tsv").unwrap_or_default().into_iter().filter(|row| row[1].starts_with("J9B"));
    let known: Vec<_> = strings.map(|row| crate::relink::regions(&row[1])).collect();
    let count = |number: usize| known.iter().filter(|&regions| *regions == all[number]).count();
    assert!(count(1) > 1 && count(11) > 0 || rows("v2.tsv").is_none());
}

/// The regions of a jigsaw in version 2.
fn regions(string: &str) -> Vec<u8> {
    let one = read_one(string.as_bytes(), None, &Hints::default(), &Evidence::default()).expect("a jigsaw");
    one.batch.regions()[..81].to_vec()
}

/// A killer with regions is one whatever its page; pages of boards without regions are no place for them.
#[test]
fn regions_of_killers_and_of_others() {
    let made = run(&mut gridmill("gen -q --kind killer-jigsaw --count 1 --mix progress".split(' ')), b"").good();
    let made = String::from_utf8(made).expect("text").trim_end().to_string();
    let map: String = regions(&made).iter().map(|region| char::from(b'0' + region)).collect();
    let old = run(&mut gridmill(["convert", "-q", "--to", "v1", "--lossy"]), format!("{made}\n").as_bytes()).good();
    let old = String::from_utf8(old).expect("text").trim_end().to_string();
    let site = "https://www.sudokuwiki.org";
    let killer = relink(&Relink::default(), &format!("{site}/killerjigsaw.htm?shape=33&bd={old}&jigmap={map}")).0;
    let new = killer.strip_prefix(&format!("{site}/killerjigsaw.htm?bd=")).expect("a string").to_string();
    assert!(new.starts_with("M9B") && regions(&new) == regions(&made));
    for page in ["killersudoku.aspx", "Killer_Sudoku_Player"] {
        for query in ["shape=33&jigmap=@&bd=", "shape=33&amp;jigmap=@&amp;bd="] {
            let before = format!("{site}/{page}?{}{old}", query.replace('@', &map));
            assert_eq!(relink(&Relink::default(), &before), (format!("{site}/{page}?bd={new}"), vec![]));
        }
    }
    for (query, header) in [("shape=11&bd=", "M9B"), ("bd=", "L9B")] {
        let (text, left) = relink(&Relink::default(), &format!("{site}/killersudoku.htm?{query}{old}"));
        assert!(text.contains(&format!("?bd={header}")) && left.is_empty(), "{text} {left:?}");
    }
    for page in ["sudoku", "sudokux", "windoku", "str8ts", "kenken"] {
        for layout in ["shape=33&jigmap=1", "shape=5", "jigmap=111"] {
            let link = format!("{site}/{page}.htm?bd={}&{layout}", v1());
            let (text, left) = relink(&Relink::default(), &link);
            assert!(text == link && left.len() == 1 && left[0].contains("layout"), "{link}: {left:?}");
        }
    }
}

/// Ways in which links are written that are read and rewritten.
#[test]
fn ways_to_write_a_link() {
    let (old, new) = (v1(), v2(PLAIN));
    for text in [
        // The ampersand of HTML as a number, and escaped twice; JSON inside JSON; `=` as some writers of JSON have it.
        "S?a=1&#038;bd=@&#038;b=2",
        "S?a=1&#38;bd=@&#x26;b=2",
        "S?a=1&amp;amp;bd=@&amp;amp;b=2",
        r#"{"a":"{\"u\":\"https:\\/\\/www.sudokuwiki.org\\/sudoku.htm?a=1\\u0026bd=@\"}"}"#,
        r#"{"u":"S?a\u003d1\u0026bd\u003d@\u0026c\u003D2"}"#,
        // Links that run into each other.
        "S?bd=@,S?bd=@|S?bd=@ S?bd=@",
        r"S?bd=@S?bd=@&x=1https:\/\/www.sudokuwiki.org\/sudoku.htm?bd=@",
        "S?bd=@&next=S?x=1",
        // Punctuation and signs of markup.
        "**S?bd=@** _S?bd=@_ |S?bd=@| 'S?bd=@'; S?bd=@... (S?bd=@)",
        "S?bd=@#a-fragment?bd=1 S?bd=@&x=%2C%2c#",
        r"\url{S?bd=@} \href{S?bd=@}{text}",
        "203:S?bd=@ 12:30:S?bd=@",
    ] {
        let text_of = |string: &str| text.replace("S?", &format!("{S}?")).replace('@', string);
        assert_eq!(relink(&Relink::default(), &text_of(&old)), (text_of(&new), vec![]), "{text}");
    }
}

/// Ways in which links are written that are left alone, and listed if there is anything to rewrite.
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
        ("https://example.com/?u=https%3A%2F%2Fwww.sudokuwiki.org%2Fsudoku.htm%3Fbd%3D@", "percent codes"),
        (
            "https://example.com/?u=https%253a%252f%252fwww.sudokuwiki.org%252fsudoku.htm%253fbd%253d@&v=1",
            "percent codes",
        ),
        ("https:&#x2F;&#x2F;www.sudokuwiki.org&#x2F;sudoku.htm?bd&#x3D;@", "percent codes"),
        ("203:S?bd=@,", "length"),
    ] {
        let text = text.replace("S?", &format!("{S}?"));
        let text_of = |string: &str| text.replace('@', string);
        let (same, left) = relink(&Relink::default(), &text_of(&old));
        assert!(same == text_of(&old) && left.len() == 1, "{text} became {same}: {left:?}");
        assert!(left[0].contains(why), "{text}: {left:?}");
        assert_eq!(relink(&Relink::default(), &text_of(&new)), (text_of(&new), vec![]));
    }
}

/// Strings that something was done to.
#[test]
fn strings_that_are_cut_or_changed() {
    let old = v1();
    let plain = Relink { plain: true, ..Relink::default() };
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
    // What a mail or an editor does to long lines.
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
        assert_eq!(Relink::default().text(&text(&old)).text, Some(text(&new)));
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
        assert_eq!(relink(&Relink::default(), &decoy), (decoy.clone(), vec![]), "{decoy}");
    }
    for (link, why) in [
        (format!("{s}?bd="), "template"),
        (format!("{s}?bd={{{{board}}}}"), "template"),
        (format!("{s}?bd=$board&x=1"), "template"),
        (format!("{s}?bd={}", &old[..100]), "length"),
        (format!("{s}?bd={}\n{}", &old[..80], &old[80..]), "length"),
        (format!("{s}?bd={old}&bd={old}"), "two boards"),
        (format!("https://www.sudokuwiki.org/other.htm?bd={old}"), "page is not known"),
        (format!("https://www.sudokuwiki.org/kenken.htm?bd={old}"), "kenken"),
        (format!("https://www.sudokuwiki.org/killersudoku.htm?bd={old}"), "kind"),
        (format!("https://www.sudokuwiki.org/sudokux.htm?bd={}", v2(PLAIN)), "kind"),
        (format!("https://www.str8ts.com/str8ts.aspx?type=Q&bd={old}"), "type"),
    ] {
        let (text, left) = relink(&Relink::default(), &link);
        assert_eq!((text.as_str(), left.len()), (link.as_str(), 1), "{left:?}");
        assert!(left[0].contains(why), "{link}: {left:?}");
    }
    let any = Relink { any_host: true, ..Relink::default() };
    for host in ["https://example.com/a/", "", "http://localhost:8000/"] {
        let text = format!("\"{host}sudoku.htm?bd={old}\"");
        assert_eq!(relink(&any, &text), (text.replace(&old, &v2(&old)), vec![]), "{text}");
    }
}

#[test]
fn places_of_links_that_are_left_alone() {
    let text = format!("a\n\nb https://www.sudokuwiki.org/x.htm?bd={}, c", v1());
    let done = Relink::default().text(text.as_bytes());
    let left = &done.left[0];
    assert_eq!((left.at, left.line, left.reject.code), (5, 3, Code::Link));
    assert_eq!(left.link.last(), Some(&b','));
}

#[test]
fn links_of_the_shared_vectors() {
    let mut seen = 0;
    for row in rows("url.tsv").unwrap_or_default() {
        let plan = Relink { plain: true, ..Relink::default() };
        let (new, left) = relink(&plan, &row[1]);
        assert_eq!(left, [""; 0], "{}", row[1]);
        let canonical = row.get(4).filter(|text| !text.is_empty()).unwrap_or(&row[1]);
        let board = |link: &str| {
            let board = link.split_once("bd=").expect("a board").1;
            board.split(['&', '#']).next().expect("a part").to_ascii_lowercase()
        };
        // (Capitals of a string that is version 2 stay.)
        assert_eq!(board(&new), board(canonical), "{}", row[1]);
        seen += 1;
    }
    for row in rows("bad.tsv").unwrap_or_default().iter().filter(|row| row[0] == "url") {
        let done = Relink { plain: true, ..Relink::default() }.text(row[1].as_bytes());
        // The oracle refuses `type` and `shape`; here they are understood (docs/FORMATS.md, "Links").
        let understood = row[1].contains("type=B") || row[1].contains("shape=1&");
        assert_eq!(done.text.is_some(), understood, "{}", row[1]);
        seen += 1;
    }
    assert!(seen > 20 || rows("url.tsv").is_none());
}

#[test]
fn files_are_shown_then_changed_and_then_left() {
    let folder = Folder::new();
    let (old, new) = (v1(), v2(PLAIN));
    let link = |string: &str| format!("one\nhttps://www.sudokuwiki.org/sudoku.htm?bd={string}\nthree\n");
    std::fs::create_dir_all(folder.at("site/sub")).expect("folders");
    for name in ["site/a.html", "site/sub/b.md", "site/.hidden", "site/ignored.txt"] {
        folder.write(name, link(&old));
    }
    folder.write("site/.ignore", "ignored.txt\n");
    folder.write("site/picture", [b"\0".as_slice(), link(&old).as_bytes()].concat());
    folder.write("site/bad", "https://www.sudokuwiki.org/sudoku.htm?bd=1\n");
    let go = |args: &str| run(gridmill(format!("relink {args}").split(' ')).current_dir(folder.path()), b"");
    let shown = go("site");
    assert_eq!(shown.code, Some(1));
    let diff = |name: &str| {
        format!(
            "--- a/site/{name}\n+++ b/site/{name}\n@@ -1,3 +1,3 @@\n one\n-{}\n+{}\n three\n",
            line(&link(&old)),
            line(&link(&new))
        )
    };
    fn line(text: &str) -> &str {
        text.lines().nth(1).expect("a link")
    }
    assert_eq!(shown.text(), diff("a.html") + &diff("sub/b.md"));
    assert!(shown.stderr.contains("site/bad\t1\t0\t-\tlength\t"), "{}", shown.stderr);
    assert!(
        shown
            .stderr
            .contains("3 files, 2 links in 2 of them to be rewritten with --write, 0 stay as they are, 1 left alone")
    );
    assert_eq!(folder.text("site/a.html"), link(&old));
    let written = go("--write -q site --rejects left");
    assert_eq!((written.code, written.text()), (Some(1), ""));
    assert_eq!(folder.text("left").lines().count(), 2);
    assert_eq!((folder.text("site/a.html"), folder.text("site/sub/b.md")), (link(&new), link(&new)));
    assert_eq!(folder.text("site/.hidden"), link(&old));
    assert_eq!(go("--write -q site --rejects left -f").text(), "");
    assert_eq!(go("-q --hidden site/.hidden site/picture").code, Some(0));
    let piped = run(gridmill(["relink", "-q"]).current_dir(folder.path()), link(&old).as_bytes()).good();
    assert_eq!(piped, link(&new).as_bytes());
    go("nothing").failed(&["nothing", "open"]);
}

/// `convert` and `validate` with links for records: the same links, any format, the rules of the page's kind.
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
    // Back again, as far as the format goes.
    let back = run(&mut gridmill(["convert", "-q", "--framing", "links", "--to", "v1"]), done.stdout.as_slice());
    assert!(back.text().contains(&old) && back.text().contains(&x), "{}", back.text());
    assert!(back.stderr.contains("\tlossy\t"), "{}", back.stderr);
    // The x-sudoku's diagonals are not kept by a sudoku.
    let done = command(&["validate"]);
    let codes: Vec<_> = done.text().lines().skip(1).map(|row| row.split('\t').nth(4).unwrap_or("")).collect();
    assert_eq!(done.code, Some(1));
    assert_eq!(codes, ["duplicate", "header"], "{}", done.text());
    assert_eq!(done.text().lines().nth(1).unwrap().split('\t').nth(1), Some("2"));
}

#[test]
fn boards_of_links_in_other_formats() {
    let mut seen = 0;
    for row in rows("convert.tsv").unwrap_or_default().iter().filter(|row| row[0] == "url") {
        let to = match row[1].as_str() {
            "v2" | "url" => Id::V2,
            "killer-v1" | "url:wiki-v1" | "wiki-v1" => Id::V1,
            "killer-plain" | "url:plain81" | "plain81" => Id::Plain,
            "sasha32" => Id::Offset32,
            "wolfram" => Id::Wolfram,
            // The oracle names forms that boards of this kind do not have.
            _ => continue,
        };
        let plan = Relink { plain: true, to, ..Relink::default() };
        let done = plan.text(row[2].as_bytes());
        let killer = row[2].contains("killer");
        // The program takes the form of the board's kind, where the oracle was asked for another.
        if killer && row[3].starts_with("!error") && matches!(to, Id::V1 | Id::Plain) {
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
    assert!(seen > 4 || rows("convert.tsv").is_none(), "{seen}");
}
