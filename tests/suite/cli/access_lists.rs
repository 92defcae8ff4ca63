//! Files that are replaced: nobody may do more with the new one than with the old one, and what cannot be kept is said.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{XattrFlags, getxattr, setxattr};
use rustix::io::Errno;

use crate::support::{Done, Folder, PLAIN, gridmill, have, run, shell, v2};

const LIST: &str = "system.posix_acl_access";
const DEFAULT: &str = "system.posix_acl_default";
/// A user, and the permissions of others: read and write for the user, nothing for the group.
const FOR_ONE_USER: [(u16, u16, u32); 5] = [(1, 6, !0), (2, 6, 1234), (4, 0, !0), (16, 6, !0), (32, 0, !0)];

/// The value of an access list.
fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let entries =
        entries.iter().map(|(tag, may, id)| [&tag.to_le_bytes()[..], &may.to_le_bytes(), &id.to_le_bytes()].concat());
    [2u32.to_le_bytes().to_vec(), entries.collect::<Vec<_>>().concat()].concat()
}

fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 1000];
    let length = getxattr(path, name, &mut value[..]).ok()?;
    value.truncate(length);
    Some(value)
}

/// Sets an attribute, if the file system of the tests has such.
fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    match setxattr(path, name, value, XattrFlags::empty()) {
        Ok(()) => true,
        Err(Errno::NOTSUP) => {
            eprintln!("skipped: {name} is not supported here");
            false
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("metadata").mode() & 0o777
}

fn page() -> String {
    format!(
        "<a href='https://www.sudokuwiki.org/sudoku.htm?bd={}'>x</a>\n",
        crate::support::recode(PLAIN, gridmill::formats::Format::V1)
    )
}

/// A folder with outputs of this list, and a command for each of them.
fn outputs(entries: &[(u16, u16, u32)]) -> Option<(Folder, [(&'static str, &'static str); 4])> {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\nbad\n"));
    folder.write("page", page());
    for name in ["out", "rejects", "report"] {
        folder.write(name, "old");
    }
    let all = [
        ("out", "convert -q -f in -o out --rejects /dev/null"),
        ("rejects", "convert -q -f in -o /dev/null --rejects rejects"),
        ("report", "convert -q -f in -o /dev/null --rejects /dev/null --report report"),
        ("page", "relink -q --write page"),
    ];
    let given = all.iter().all(|(name, _)| {
        fs::set_permissions(folder.at(name), Permissions::from_mode(0o600)).expect("chmod");
        set(&folder.at(name), LIST, &list(entries))
    });
    given.then_some((folder, all))
}

#[test]
fn a_replacement_has_the_access_list_and_the_attributes_of_the_file_it_replaces() {
    let Some((folder, all)) = outputs(&FOR_ONE_USER) else { return };
    for (name, command) in all {
        let (path, old) = (folder.at(name), folder.read(name));
        let marked = set(&path, "user.mark", b"red");
        let done = run(gridmill(command.split(' ')).current_dir(folder.path()), b"");
        assert_eq!((done.code, done.stderr.as_str()), (Some(i32::from(name != "page")), ""), "{name}");
        assert_ne!(folder.read(name), old, "{name}");
        assert_eq!((attribute(&path, LIST), mode(&path)), (Some(list(&FOR_ONE_USER)), 0o660), "{name}");
        assert_eq!(attribute(&path, "user.mark"), marked.then(|| b"red".to_vec()), "{name}");
    }
}

#[test]
fn the_default_access_list_of_a_folder_is_for_new_files_only() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\n"));
    for (name, mode) in [("private", 0o600), ("shared", 0o640)] {
        folder.write(name, "old");
        fs::set_permissions(folder.at(name), Permissions::from_mode(mode)).expect("chmod");
    }
    let entries = [(1, 7, !0), (2, 7, 1234), (4, 5, !0), (16, 7, !0), (32, 0, !0)];
    if !set(folder.path(), DEFAULT, &list(&entries)) {
        return;
    }
    for name in ["private", "shared", "new"] {
        run(gridmill(["convert", "-q", "-f", "in", "-o", name]).current_dir(folder.path()), b"").good();
        assert_eq!(folder.text(name), format!("{}\n", v2(PLAIN)));
        assert_eq!(attribute(&folder.at(name), LIST).is_some(), name == "new", "{name}");
    }
    assert_eq!((mode(&folder.at("private")), mode(&folder.at("shared"))), (0o600, 0o640));
}

/// Runs under strace, which makes a call fail.
fn with_fault(folder: &Folder, command: &str, call: &str, error: &str) -> Done {
    let script = format!("exec strace -f -qq -o /dev/null -e inject={call}:error={error} $G {command}");
    run(shell(&script).current_dir(folder.path()), b"")
}

#[test]
fn what_cannot_be_kept_is_said_and_makes_no_access_wider() {
    if !have("strace", "--version") {
        return;
    }
    // A user and a group that may do less than others, and a group of the file that may do more than others.
    let narrow = [(1, 6, !0), (2, 4, 1234), (4, 6, !0), (8, 0, 1234), (16, 6, !0), (32, 4, !0)];
    for (entries, without_list) in [(&FOR_ONE_USER[..], 0o600), (&narrow, 0o640)] {
        for (call, error, words, expected) in [
            ("fsetxattr", "EPERM", "its access list cannot be kept", without_list),
            ("fsetxattr", "ENOSPC", "its access list cannot be kept", without_list),
            ("lgetxattr", "EIO", "its access list cannot be read", 0o600),
            ("llistxattr", "EACCES", "extended attributes cannot be read", 0o660 | entries[entries.len() - 1].1 as u32),
        ] {
            let Some((folder, all)) = outputs(entries) else { return };
            for (name, command) in all {
                let old = folder.read(name);
                let done = with_fault(&folder, command, call, error);
                assert_eq!(done.code, Some(i32::from(name != "page")), "{call} {name}: {}", done.stderr);
                assert!(done.stderr.contains(&format!("gridmill: {name}: {words}")), "{call} {name}: {}", done.stderr);
                assert_ne!(folder.read(name), old, "{call} {name}");
                let now = mode(&folder.at(name));
                assert_eq!(now, expected, "{call} {name}: {now:o}");
                assert_eq!(attribute(&folder.at(name), LIST).is_some(), call == "llistxattr", "{call} {name}");
                assert_eq!(done.stderr.contains("its mode is"), call != "llistxattr", "{call} {name}: {}", done.stderr);
            }
        }
    }
}

#[test]
fn the_default_access_list_of_a_folder_gives_nothing_if_it_cannot_be_removed() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\n"));
    let out = folder.write("out", "old");
    fs::set_permissions(&out, Permissions::from_mode(0o664)).expect("chmod");
    let entries = [(1, 7, !0), (2, 7, 1234), (4, 5, !0), (16, 7, !0), (32, 5, !0)];
    if !have("strace", "--version") || !set(folder.path(), DEFAULT, &list(&entries)) {
        return;
    }
    let done = with_fault(&folder, "convert -q -f in -o out", "fremovexattr", "EPERM");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("out: the access list that the folder gives cannot be removed"), "{}", done.stderr);
    // The mode limits everybody whom the list names.
    assert_eq!((folder.text("out"), mode(&out)), (format!("{}\n", v2(PLAIN)), 0o600));
}

#[test]
fn other_names_of_a_replaced_file_are_told() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\n"));
    for (name, old, others) in [("page", page(), 1), ("out", "old".to_string(), 2)] {
        folder.write(name, &old);
        for other in 0..others {
            fs::hard_link(folder.at(name), folder.at(&format!("{name}{other}"))).expect("a link");
        }
        let command = if name == "page" { "relink -q --write page" } else { "convert -q -f in -o out" };
        let done = run(gridmill(command.split(' ')).current_dir(folder.path()), b"");
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let words = if others == 1 {
            "one other name (a hard link), which keeps"
        } else {
            "2 other names (hard links), which keep"
        };
        assert!(done.stderr.starts_with(&format!("gridmill: {name}: the old file had {words}")), "{}", done.stderr);
        assert_eq!(folder.text(&format!("{name}0")), old);
    }
}
