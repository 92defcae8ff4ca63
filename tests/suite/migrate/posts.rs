//! Links inside texts, as in the posts and options of a site.

use super::db::{Db, literal};
use super::lines;
use crate::support::{Folder, PLAIN, gridmill, run, v2};

const SITE: &str = "https://www.sudokuwiki.org/sudoku.htm?bd=";

/// Texts and their results; `None` if a text is refused.
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
    // A wrong length and a truncated link, beside a good link.
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
    let without = db.migrate(&table[..4]);
    let said = "7 rejected texts hold links to boards: --links rewrites the links inside texts";
    assert!(without.code == Some(1) && without.stderr.contains(said), "{without:?}");
    let look = db.migrate(&table);
    assert_eq!(look.code, Some(1), "{look:?}");
    let text = look.text();
    assert!(text.starts_with("10 rows: 4 to be written, 1 version 2 already, 3 without a link, 2 rejected"), "{text}");
    // Of a long text, the part that changes is shown.
    assert!(
        text.lines().all(|line| line.len() < 700) && text.contains("  + ...") && text.contains("Ein langer Text."),
        "{text}"
    );
    assert_eq!(now(db), old);
    let done = db.migrate(&[&table[..], &["--yes", "-q", "--backup", backup.to_str().unwrap()]].concat());
    assert_eq!(done.code, Some(1), "{done:?}");
    let rejected: Vec<_> = done.stderr.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>()).collect();
    assert_eq!(rejected.iter().map(|row| row[0]).collect::<Vec<_>>(), ["9", "10"]);
    assert!(rejected[0][3].contains("in the link on line 1 of the text: https://"), "{rejected:?}");
    let want: Vec<_> = posts.into_iter().map(|(old, new)| new.or(old)).collect();
    assert_eq!(now(db), want);
    let again = db.migrate(&[&table[..], &["--yes"]].concat());
    assert!(again.stderr.contains("10 rows: 0 written, 5 version 2 already"), "{again:?}");
    let mut back = gridmill(["migrate", "restore"]);
    let done = run(back.arg(&backup).arg(&db.place()[2]).args(["--yes", "-q"]), b"");
    assert_eq!((done.code, now(db)), (Some(0), old));
}

/// A WordPress site: posts with excerpts, and serialized values of plugins.
const DUMP: &str = include_str!("wordpress.sql");

/// Every serialized value of a text is valid: its lengths are those of its strings.
fn is_serialized(text: &[u8]) -> bool {
    fn value(text: &[u8]) -> Option<&[u8]> {
        let after = |text: &[u8], byte: u8| {
            let at = text.iter().position(|&one| one == byte)?;
            Some((std::str::from_utf8(&text[..at]).ok()?.parse::<usize>().ok()?, text.len() - at - 1))
        };
        let (kind, rest) = text.split_at_checked(2)?;
        match kind {
            b"i:" => after(rest, b';').map(|(_, left)| &rest[rest.len() - left..]),
            b"s:" => {
                let (length, left) = after(rest, b':')?;
                let rest = rest[rest.len() - left..].strip_prefix(b"\"")?;
                let (inner, rest) = rest.split_at_checked(length)?;
                let is_good = !inner.starts_with(b"a:") || is_serialized(inner);
                rest.strip_prefix(b"\";").filter(|_| is_good)
            }
            b"a:" => {
                let (pairs, left) = after(rest, b':')?;
                let mut rest = rest[rest.len() - left..].strip_prefix(b"{")?;
                for _ in 0..2 * pairs {
                    rest = value(rest)?;
                }
                rest.strip_prefix(b"}")
            }
            _ => None,
        }
    }
    value(text).is_some_and(<[u8]>::is_empty)
}

/// A text with every link rewritten. The lengths of serialized strings around a link grow by three for each.
fn with_new_links(text: &str) -> String {
    let mut new = text.to_string();
    let old = text.split("bd=").skip(1).filter_map(|rest| rest.get(..162));
    for string in old.filter(|string| string.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
        new = new.replace(string, &v2(string));
    }
    for length in [241, 252, 203] {
        new = new.replace(&format!("s:{length}:"), &format!("s:{}:", length + 3));
    }
    new
}

pub(super) fn a_site_with_wordpress(db: &mut dyn Db) {
    let folder = Folder::new();
    DUMP.split(";\n").filter(|sql| !sql.trim().is_empty()).for_each(|sql| db.run(sql));
    let all = |db: &mut dyn Db| {
        let mut rows = db.rows("SELECT id, post_title, post_content, post_excerpt FROM wp_posts ORDER BY id");
        rows.extend(db.rows("SELECT meta_id, meta_key, meta_value FROM wp_postmeta ORDER BY meta_id"));
        rows
    };
    let old = all(db);
    let mut want = old.clone();
    // The text with a truncated link, and the one with a wrong length.
    for row in want.iter_mut().enumerate().filter(|(n, _)| ![4, 8].contains(n)).map(|(_, row)| row) {
        row.iter_mut().flatten().for_each(|text| *text = with_new_links(text));
    }
    let posts = ["--table", "wp_posts", "--column", "post_content", "--column", "post_excerpt", "--links"];
    let meta = ["--table", "wp_postmeta", "--column", "meta_value", "--links"];
    let look = db.migrate(&meta);
    let shown: Vec<String> = look.text().lines().map(|line| line.chars().take(130).collect()).collect();
    let manual = include_str!("../../../docs/DATABASES.md");
    assert!(manual.contains(&shown[..shown.len() - 1].join("\n")), "the manual shows another:\n{}", shown.join("\n"));
    let mut backups = Vec::new();
    for (table, written, refused) in
        [(&posts[..], "4 written", "5\tpost_content\t"), (&meta, "3 written", "4\t-\tlink\t")]
    {
        let backup = folder.at(&format!("{}.zst", backups.len()));
        let done = db.migrate(&[table, &["--yes", "--backup", backup.to_str().unwrap()]].concat());
        assert!(done.code == Some(1) && done.stderr.contains(written) && done.stderr.contains(refused), "{done:?}");
        backups.push(backup);
    }
    assert_eq!(all(db), want);
    for (n, row) in
        want.iter().enumerate().filter(|(_, row)| row[2].as_ref().is_some_and(|text| text.starts_with("a:")))
    {
        assert_eq!(is_serialized(row[2].as_ref().unwrap().as_bytes()), n != 8, "{row:?}");
    }
    for backup in &backups {
        let mut back = gridmill(["migrate", "restore"]);
        assert_eq!(run(back.arg(backup).arg(&db.place()[2]).args(["--yes", "-q"]), b"").code, Some(0));
    }
    assert_eq!(all(db), old);
}
