//! Links inside values serialized by PHP: their lengths are updated, or the links are left alone and listed.

mod values;

use std::io;
use std::process::Command;

use gridmill::engine::{Convert, RejectsTo};
use gridmill::formats::Format;
use gridmill::framing::Links;
use gridmill::framing::chunk::Limits;
use gridmill::framing::cutter::Cutter;
use gridmill::framing::links::serialized::SerializedCutter;
use gridmill::output::Target;
use gridmill::source::{Input, Reading};

use crate::random::Rng;
use crate::support::{Few, Folder, PLAIN, Shared, have, recode, run, v2};
use values::{Notation, Value};

const S: &str = "https://www.sudokuwiki.org/sudoku.htm";

/// Links, and the result for each.
fn links() -> Vec<(String, String)> {
    let (v1, v2) = (recode(PLAIN, Format::V1), v2(PLAIN));
    let link = |query: &str| {
        let of = |string: &str| format!("{S}?{}", query.replace('@', string));
        (of(&v1), of(&v2))
    };
    let mut links: Vec<_> = ["bd=@", "x=1&bd=@&y=2", "x=1&amp;bd=@#top"].map(link).into();
    links.push((format!("{S}?bd={v2}"), format!("{S}?bd={v2}")));
    links
}

/// A text with new links.
fn renewed(text: &[u8], links: &[(String, String)]) -> Vec<u8> {
    // They are ASCII, so that the text around them stays valid.
    let text = String::from_utf8(text.to_vec()).expect("UTF-8");
    links.iter().fold(text, |text, (old, new)| text.replace(old, new)).into_bytes()
}

/// Relinks a text. The second run changes nothing.
fn relink(text: &str) -> (String, Vec<String>) {
    let done = Links::default().text(text.as_bytes());
    let new = done.text.map_or(text.to_string(), |new| String::from_utf8(new).expect("UTF-8"));
    assert_eq!(Links::default().text(new.as_bytes()).rewritten, 0, "{new}");
    (new, done.left.into_iter().map(|left| left.reject.to_string()).collect())
}

/// 500 values that JSON can hold, that is, without invalid text.
fn random(seed: u64, decoys: bool) -> impl Iterator<Item = (Value, String)> {
    let old: Vec<String> = links().into_iter().map(|(old, _)| old).collect();
    let mut rng = Rng(seed);
    std::iter::repeat_with(move || {
        let value = Value::random(&mut rng, &old, 4, decoys);
        let written = String::from_utf8(value.written()).expect("UTF-8");
        (value, written)
    })
    .filter(|(_, written)| written.contains(S))
    .take(500)
}

/// Every link of every value is rewritten, and the lengths around it are updated, whatever encloses the value.
#[test]
fn lengths_follow_links() {
    let (links, mut left_alone) = (links(), [0; Notation::ALL.len()]);
    for (value, written, places) in placed(random(1, false)) {
        let expected = value.map(&|text: &[u8]| renewed(text, &links)).written();
        for place in places {
            let text = place.put(&written);
            assert_eq!(place.get(&text).as_ref(), Some(&written));
            let (new, left) = relink(&text);
            let read = place.get(&new).and_then(|found| Value::read(found.as_bytes()));
            assert!(read.is_some(), "{place:?}: a length does not fit in\n{new}\nthat was\n{text}\n{left:?}");
            if left.is_empty() {
                assert!(read.map(|value| value.written()) == Some(expected.clone()), "{place:?} became\n{new}");
            } else {
                left_alone[place as usize] += 1;
                assert!(left.iter().all(|why| why.contains("serialized")), "{left:?}");
            }
        }
    }
    // If no quotes show how a text is escaped, two interpretations may fit by chance, since the text is full of
    // possible ends.
    let most = Notation::ALL.map(|place| match place {
        Notation::Bare | Notation::MySql | Notation::Csv => 0,
        Notation::Tool | Notation::Sql | Notation::Copy | Notation::Json => 20,
    });
    assert!(left_alone.iter().zip(&most).all(|(left, most)| left <= most), "{left_alone:?}");
}

/// Text that looks like the start of a string does no harm.
#[test]
fn decoys_do_no_harm() {
    let links = links();
    let (mut changed, mut left_alone) = (0, 0);
    for (value, written, places) in placed(random(2, true)) {
        let expected = value.map(&|text: &[u8]| renewed(text, &links)).written();
        for place in places {
            let (new, left) = relink(&place.put(&written));
            let read = place.get(&new).and_then(|found| Value::read(found.as_bytes()));
            assert!(read.is_some(), "{place:?}: a length does not fit in\n{new}");
            if left.is_empty() {
                changed += 1;
                assert!(read.map(|value| value.written()) == Some(expected.clone()), "{place:?} became\n{new}");
            } else {
                left_alone += 1;
            }
        }
    }
    assert!(changed > 300 && left_alone > 300, "{changed} {left_alone}");
}

/// Values in some of the places where they may occur.
fn placed(values: impl Iterator<Item = (Value, String)>) -> impl Iterator<Item = (Value, String, [Notation; 3])> {
    let [bare, mysql, others @ ..] = Notation::ALL;
    values.enumerate().map(move |(at, (value, written))| (value, written, [bare, mysql, others[at % others.len()]]))
}

/// A table of texts before and after, or with the reason why nothing may change.
#[test]
fn strings_before_and_after() {
    let (old, new) = (format!("{S}?bd={}", recode(PLAIN, Format::V1)), format!("{S}?bd={}", v2(PLAIN)));
    assert_eq!((old.len(), new.len()), (203, 206));
    let renewed = |text: &str| text.replace('@', &new);
    let nested = |link: &str| {
        let inner = format!("a:1:{{s:3:\"url\";s:{}:\"{link}\";}}", link.len());
        let list = format!("a:2:{{i:0;s:{}:\"{inner}\";i:1;s:4:\"ab\";\"cd\";}}", inner.len());
        format!("s:{}:\"{list}\";", list.len())
    };
    for (before, after) in [
        ("s:203:\"@\";".to_string(), "s:206:\"@\";".to_string()),
        ("x|s:203:\"@\";y|s:4:\"abcd\";".into(), "x|s:206:\"@\";y|s:4:\"abcd\";".into()),
        ("('a:1:{i:0;s:203:\\\"@\\\";}')".into(), "('a:1:{i:0;s:206:\\\"@\\\";}')".into()),
        ("1,\"s:203:\"\"@\"\";\"".into(), "1,\"s:206:\"\"@\"\";\"".into()),
        ("S:203:\"@\";".into(), "S:206:\"@\";".into()),
        // A class that serializes itself.
        ("C:3:\"A\\B\":205:{<@>}".into(), "C:3:\"A\\B\":208:{<@>}".into()),
        // Lengths gain a digit, which makes enclosing strings longer.
        ("s:1007:\"s:998:\"@#1\";\";".into(), "s:1011:\"s:1001:\"@#1\";\";".into()),
        // Two links in one string.
        ("s:408:\"@ @.\";".into(), "s:414:\"@ @.\";".into()),
        // The byte before the colon is not part of the length; and a number without quotes is not a length.
        ("https:203:@ s:203: @".into(), "https:203:@ s:203: @".into()),
    ] {
        let filler = "x".repeat(998 - 203 - 2);
        let text = before.replace("#1", &format!(" {filler} ")).replace('@', &old);
        let expected = renewed(&after.replace("#1", &format!(" {filler} ")));
        assert_eq!(relink(&text), (expected, vec![]), "{before}");
    }
    for place in [Notation::Bare, Notation::MySql, Notation::Tool, Notation::Sql, Notation::Json] {
        assert_eq!(relink(&place.put(&nested(&old))), (place.put(&nested(&new)), vec![]), "{place:?}");
    }
    for text in [
        "s:202:\"@\";",
        "s:204:\"@\";",
        "s:203:\"@\"",
        "s:999999999999999999999:\"@\";",
        "s:203:\\\\\\\"@\\\\\\\";",
        "s:203:&quot;@&quot;;",
        "s:203:\\u0022@\\u0022;",
        "s:300:\"x@",
        // Lengths that are much too small.
        "s:5:\"@\";",
        "s:0:\"@\";",
        "s:63:\"<a href='@'>a link</a>\";",
        "a:1:{s:4:\"text\";s:11:\"<a href='@'>x</a>\";}",
        "s:5:\\\"@\\\";",
        "C:1:\"A\":5:{@}",
        // It fits literally, and it also fits if a backslash and the letter after it are one byte.
        "s:207:\"\\n\\n@\";\";",
        "a:1:{i:0;s:250:\"s:203:\"@\";\";}",
    ] {
        let text = text.replace('@', &old);
        let (same, left) = relink(&text);
        assert!(same == text && left.len() == 1 && left[0].contains("serialized"), "{text} became {same}: {left:?}");
    }
    // Short strings with the right lengths beside links, whatever their quotes are.
    for text in [
        "s:1:\"a\";@",
        "s:3:\"a\"b\";@",
        "a:1:{s:0:\"\";s:4:\"text\";}@",
        "s:2:\\\"ab\\\"; @",
        "s:2:&quot;ab&quot;;@",
        "s:3:\"a\\\"b\";@",
        "s:1:\"\\n\";@",
        "s:2:\"\"ab\"\";@",
        // So does the first string, though its length is wrong.
        "s:5:\"ab\"; @",
        "s:1:\"ab\";s:203:\"@\";",
    ] {
        let (text, expected) = (text.replace('@', &old), renewed(&text.replace("203", "206")));
        assert_eq!(relink(&text), (expected, vec![]), "{text}");
    }
    // A string with a wrong length ends somewhere.
    let (text, far) = (format!("s:203:\"{old}\"\n"), "word ".repeat(400));
    assert_eq!(relink(&format!("{text}{far}{old}")).0, format!("{text}{far}{new}"));
}

/// PHP itself accepts the values before and after.
#[test]
#[ignore = "needs php-cli; .ci/run installs it"]
fn php_reads_values_before_and_after() {
    assert!(have("php", "--version"));
    let folder = Folder::new();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (_, written) in random(3, false).chain(random(4, true)) {
        let (new, _) = relink(&written);
        for (list, value) in [(&mut before, &written), (&mut after, &new)] {
            list.extend_from_slice(format!("{}\n", value.len()).as_bytes());
            list.extend_from_slice(value.as_bytes());
        }
    }
    assert_ne!(before, after);
    let script = r#"<?php
        function look($value) {
            if (is_string($value) && preg_match('/^([abidsO]:.*[;}]|N;)$/s', $value)) {
                $inner = @unserialize($value, ['allowed_classes' => ['stdClass']]);
                if ($inner === false && $value !== 'b:0;') return 0;
                return look($inner);
            }
            $count = 1;
            if (is_array($value) || is_object($value)) foreach ($value as $item) {
                $inner = look($item);
                if ($inner === 0) return 0;
                $count += $inner;
            }
            return $count;
        }
        $file = fopen($argv[1], 'r');
        for ($values = 0, $looked = 0; ($length = fgets($file)) !== false; $values++) {
            $count = look(stream_get_contents($file, (int)$length));
            if ($count === 0) die("value $values cannot be read\n");
            $looked += $count;
        }
        echo "$values $looked\n";"#;
    let script = folder.write("look.php", script);
    let look = |name: &str, list: &[u8]| run(Command::new("php").arg(&script).arg(folder.write(name, list)), b"");
    let (old, new) = (look("before", &before).good(), look("after", &after).good());
    let old = String::from_utf8(old).expect("numbers");
    assert!(old.starts_with("1000 "), "{old}");
    assert_eq!(old.as_bytes(), new);
}

/// Values in one text give the same however it is cut and read.
#[test]
fn pieces_of_text_respect_strings_around_them() {
    let mut rng = Rng(5);
    let mut all = String::new();
    for (_, written) in random(6, false).zip(0..60).map(|(value, _)| value).chain(random(7, true).take(20)) {
        let place = *rng.pick(&Notation::ALL);
        all.push_str(&place.put(&written));
        all.push_str(rng.pick::<&str>(&["", "text\n", "more text, without an end "]));
        all.push_str(&links()[rng.below(3)].0);
        all.push_str(rng.pick::<&str>(&["\n", " ", "\n\n"]));
    }
    let whole = Links::default().text(all.as_bytes());
    assert!(whole.rewritten > 100 && whole.left.len() > 10, "{} {}", whole.rewritten, whole.left.len());
    let folder = Folder::new();
    let path = folder.write("text", &all);
    for size in [1, 50, 333, 4000, 60_000, 1 << 20] {
        for threads in [1, 3] {
            let reader = Box::new(Few(io::Cursor::new(all.clone().into_bytes()), size.min(5000)));
            for (input, reading) in [
                (Input::File(path.clone()), Reading::Mapped),
                (Input::File(path.clone()), Reading::Read),
                (Input::Reader { name: "text".into(), reader }, Reading::Auto),
            ] {
                let (output, rejects) = (Shared::default(), Shared::default());
                let report = Convert::new(Target::Writer { name: "memory".into(), writer: Box::new(output.clone()) })
                    .input(input)
                    .framing(Box::new(Links::default()))
                    .rejects(RejectsTo::Writer(Box::new(rejects.clone())))
                    .reading(reading)
                    .chunk_size(size)
                    .threads(threads)
                    .run()
                    .expect("a run");
                let context = format!("size {size} threads {threads} {reading:?}");
                assert!(output.text().as_bytes() == whole.text.as_deref().expect("new links"), "{context}");
                let lines = all.matches('\n').count() + usize::from(!all.ends_with('\n'));
                assert_eq!(report.counts.lines, lines as u64, "{context}");
                let rejects = rejects.text();
                let found = rejects.lines().skip(1).map(|row| {
                    let row: Vec<_> = row.split('\t').collect();
                    (row[1].parse().expect("a line"), row[2].parse().expect("a byte"))
                });
                let expected = whole.left.iter().map(|left| (left.line + 1, left.at));
                assert!(found.eq(expected), "{context}\n{rejects}");
            }
        }
    }
}

/// Pieces of any size give no wrong length. If every string fits into a piece, they make no difference.
#[test]
fn pieces_of_any_size() {
    for (value, written) in random(8, false).take(40).chain(random(9, true).take(20)) {
        let whole = relink(&written).0;
        for (size, line) in [(1, 40), (100, 500), (1, 4 * written.len()), (300, 4 * written.len())] {
            let (mut cutter, mut at, mut new) = (SerializedCutter::default(), 0, Vec::new());
            while at < written.len() {
                let before = cutter.before();
                let cut =
                    cutter.cut(&written.as_bytes()[at..], true, Limits { size, line }).expect("the text is complete");
                let piece = &written.as_bytes()[at..at + cut.end];
                new.extend(Links::default().piece(piece, before).text.unwrap_or_else(|| piece.to_vec()));
                at += cut.end;
                assert!(!cut.open && cut.end > 0);
            }
            assert!(Value::read(&new).is_some(), "{size} {line}: a length does not fit in {value:?}");
            assert!(line < 1000 || new == whole.as_bytes(), "{size} {line}: {value:?}");
        }
    }
}
