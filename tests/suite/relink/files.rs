//! Files and folders whose links are rewritten.

#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;

use super::{S, v1};
use crate::support::{Folder, PLAIN, gridmill, run, v2};

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
    let run_gridmill = |args: &str| run(gridmill(format!("relink {args}").split(' ')).current_dir(folder.path()), b"");
    let shown = run_gridmill("site");
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
        shown.stderr.contains("3 files, 2 links in 2 of them to be rewritten with --write, 1 left alone; 1 binary"),
        "{}",
        shown.stderr
    );
    assert_eq!(folder.text("site/a.html"), link(&old));
    let written = run_gridmill("--write -q site --rejects left");
    assert_eq!((written.code, written.text()), (Some(1), ""));
    assert_eq!(folder.text("left").lines().count(), 2);
    assert_eq!((folder.text("site/a.html"), folder.text("site/sub/b.md")), (link(&new), link(&new)));
    assert_eq!(folder.text("site/.hidden"), link(&old));
    assert_eq!(run_gridmill("--write -q site --rejects left -f").text(), "");
    let again = run_gridmill("--write site --rejects left -f");
    assert_eq!(
        again.stderr,
        "gridmill: 3 files, no links to rewrite, 2 stay as they are, 1 left alone; 1 binary file skipped\n"
    );
    assert_eq!(run_gridmill("-q --hidden site/.hidden").code, Some(0));
    let piped = run(gridmill(["relink", "-q"]).current_dir(folder.path()), link(&old).as_bytes()).good();
    assert_eq!(piped, link(&new).as_bytes());
    run_gridmill("nothing").failed(&["nothing", "open"]);
}

/// Binary files stay as they are, wherever that shows. They are counted, and reported if they contain links and were
/// named.
#[test]
fn binary_files_stay() {
    let folder = Folder::new();
    let link = format!("{S}?bd={} ", v1());
    std::fs::create_dir_all(folder.at("site")).expect("a folder");
    let late = [link.repeat(100).as_bytes(), b"\0", link.as_bytes()].concat();
    let files = [
        ("site/late.bin", late),
        ("site/early.bin", [b"\0", link.as_bytes()].concat()),
        ("site/a.pdf", format!("%PDF-1.7\n{link}\n").into_bytes()),
        ("site/nothing.bin", vec![0; 20_000]),
    ];
    for (name, bytes) in &files {
        folder.write(name, bytes);
    }
    let latin = [b"caf\xe9 ".as_slice(), link.as_bytes(), b"\xff\xfe\r\x80"].concat();
    folder.write("site/latin.txt", &latin);
    let run_gridmill = |args: &str| run(gridmill(args.split(' ')).current_dir(folder.path()), b"");
    let done = run_gridmill("relink --write site");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("1 file, 1 link in it rewritten"), "{}", done.stderr);
    assert!(done.stderr.contains("4 binary files skipped"), "{}", done.stderr);
    let new = [b"caf\xe9 ".as_slice(), format!("{S}?bd={} ", v2(PLAIN)).as_bytes(), b"\xff\xfe\r\x80"].concat();
    assert_eq!(folder.read("site/latin.txt"), new);
    let named: Vec<_> = files.iter().map(|(name, _)| *name).collect();
    let done = run_gridmill(&format!("relink --write -q {}", named.join(" ")));
    assert_eq!((done.code, done.stderr.matches("not text").count()), (Some(1), 3), "{}", done.stderr);
    assert!(done.stderr.contains("site/late.bin: is left alone with 101 links"), "{}", done.stderr);
    for (name, bytes) in &files {
        assert!(folder.read(name) == *bytes, "{name}");
    }
    for command in ["relink", "convert --framing links"] {
        run(&mut gridmill(command.split(' ')), &files[2].1).failed(&["PDF"]);
    }
}

/// A file that cannot be read or replaced is reported, and the others are processed.
#[cfg(unix)]
#[test]
fn one_file_does_not_stop_the_others() {
    let folder = Folder::new();
    let link = |string: &str| format!("{S}?bd={string}\n");
    let (old, new) = (link(&v1()), link(&v2(PLAIN)));
    std::fs::create_dir_all(folder.at("site")).expect("a folder");
    for name in ["site/a", "site/b", "site/c"] {
        folder.write(name, &old);
    }
    let mode =
        |mode| std::fs::set_permissions(folder.at("site/b"), std::fs::Permissions::from_mode(mode)).expect("chmod");
    mode(0o444);
    let run_gridmill = |args: &str| run(gridmill(args.split(' ')).current_dir(folder.path()), b"");
    // The memory of a process begins with unreadable pages.
    let done = run_gridmill("relink --write /proc/self/mem site");
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    for words in ["/proc/self/mem: cannot read", "site/b: is read-only", "2 files failed", "2 links in 2 of them"] {
        assert!(done.stderr.contains(words), "{words}: {}", done.stderr);
    }
    let text = |name: &str| folder.text(name);
    assert_eq!([text("site/a"), text("site/b"), text("site/c")], [new.clone(), old.clone(), new.clone()]);
    assert_eq!(folder.names(), ["site"]);
    mode(0o644);
    assert_eq!(run_gridmill("relink --write -q site").code, Some(0));
    assert_eq!(text("site/b"), new);
    // A missing file is a typing error: nothing is done.
    folder.write("site/a", &old);
    run_gridmill("relink --write site nothing").failed(&["nothing", "open"]);
    assert_eq!(text("site/a"), old);
}
