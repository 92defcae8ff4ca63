//! Links inside texts, as the posts and options of a site have them.

use super::db::{Db, literal};
use super::lines;
use crate::support::{Folder, PLAIN, gridmill, run, v2};

const SITE: &str = "https://www.sudokuwiki.org/sudoku.htm?bd=";

/// Texts and what they become; none where a text is refused.
fn posts() -> Vec<(Option<String>, Option<String>)> {
    let v1 = lines(4, 21);
    let new: Vec<_> = v1.iter().map(|line| v2(line)).collect();
    let serialized = |link: &str| {
        let option = format!("<a href=\"{link}\">ü</a>");
        format!("a:2:{{s:5:\"title\";s:1:\"x\";s:4:\"text\";s:{}:\"{option}\";}}", option.len())
    };
    let both = |text: &dyn Fn(&str) -> String, n: usize| {
        (Some(text(&format!("{SITE}{}", v1[n]))), Some(text(&format!("{SITE}{}", new[n]))))
    };
    let kept = |text: &str| (Some(text.to_string()), Some(text.to_string()));
    let mut all = vec![
        both(
            &|link| format!("<!-- wp:paragraph --><p>Löse <a href=\"{link}\">this</a>.</p>\r\n[sudoku url='{link}']"),
            0,
        ),
        both(&|link| format!("[caption width=\"300\"]{link}&amp;x=1[/caption] and {SITE}{PLAIN}"), 1),
        both(&serialized, 2),
        both(&|link| format!("{}{link}", "Ein langer Text. ".repeat(400)), 3),
        kept("no link at all, but a string: 1234"),
        kept(&format!("only {SITE}{} already", new[0])),
        kept(""),
        (None, None),
    ];
    // A length that does not fit, and a link that is cut, beside a good one.
    let broken = serialized(&format!("{SITE}{}", v1[0])).replace("s:4:\"text\";s:", "s:4:\"text\";s:1");
    all.push((Some(broken), None));
    all.push((Some(format!("{SITE}{} and {SITE}{}", v1[1], &v1[2][..100])), None));
    all
}

pub(super) fn links_in_texts(db: &mut dyn Db) {
    let folder = Folder::new();
    let posts = posts();
    let old: Vec<_> = posts.iter().map(|(old, _)| old.clone()).collect();
    db.run("CREATE TABLE wp_posts (id INTEGER PRIMARY KEY, post_content TEXT)");
    for (n, old) in old.iter().enumerate() {
        db.run(&format!("INSERT INTO wp_posts VALUES ({}, {})", n + 1, literal(old.as_deref())));
    }
    let now = |db: &mut dyn Db| -> Vec<Option<String>> {
        db.rows("SELECT post_content FROM wp_posts ORDER BY id").into_iter().map(|mut row| row.remove(0)).collect()
    };
    let backup = folder.at("old.zst");
    let table = ["--table", "wp_posts", "--column", "post_content", "--links"];
    let look = db.migrate(&table);
    assert_eq!(look.code, Some(1), "{look:?}");
    let text = look.text();
    assert!(text.starts_with("10 rows: 4 to be written, 1 version 2 already, 3 without a link, 2 rejected"), "{text}");
    // Of a long text the place is shown where it changes.
    assert!(
        text.lines().all(|line| line.len() < 700) && text.contains("  + ...") && text.contains("Ein langer Text."),
        "{text}"
    );
    assert_eq!(now(db), old);
    let done = db.migrate(&[&table[..], &["--yes", "-q", "--backup", backup.to_str().unwrap()]].concat());
    assert_eq!(done.code, Some(1), "{done:?}");
    let rejected: Vec<_> = done.stderr.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>()).collect();
    assert_eq!(rejected.iter().map(|row| row[0]).collect::<Vec<_>>(), ["9", "10"]);
    assert!(rejected[0][3].contains("of the link on line 1 of the text: https://"), "{rejected:?}");
    let want: Vec<_> = posts.into_iter().map(|(old, new)| new.or(old)).collect();
    assert_eq!(now(db), want);
    let again = db.migrate(&[&table[..], &["--yes"]].concat());
    assert!(again.stderr.contains("10 rows: 0 written, 5 version 2 already"), "{again:?}");
    let mut back = gridmill(["migrate", "restore"]);
    let done = run(back.arg(&backup).arg(&db.place()[2]).args(["--yes", "-q"]), b"");
    assert_eq!((done.code, now(db)), (Some(0), old));
}
